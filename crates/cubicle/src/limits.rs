//! Sizes up to which systems are taken. What is larger is refused where it is.

/// The bytes of a file.
pub(crate) const FILE_BYTES: usize = 1 << 24;

/// How deep formulas may be nested.
pub(crate) const DEPTH: usize = 100;

/// How many operands one chain of the same operator, and how many cases one update may have.
pub(crate) const CHAIN: usize = 200;

/// How many names a type may have: they are values of cells.
pub(crate) const NAMES: usize = 250;

/// How many parameters a transition may have.
pub(crate) const PARAMETERS: usize = 8;

/// How many processes can be asked for: their numbers are values of cells.
pub(crate) const PROCESSES: u32 = 250;
