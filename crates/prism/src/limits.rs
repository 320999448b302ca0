//! Sizes up to which models are taken. What is larger is refused where it is.

/// The bytes of a file.
pub(crate) const FILE_BYTES: usize = 1 << 24;

/// How deep expressions may be nested in the text.
pub(crate) const NESTING: u32 = 60;

/// How high the tree of an expression may become when formulas are put in.
pub(crate) const HEIGHT: u32 = 300;

/// How many operators of one kind may be in a chain that groups to the left.
pub(crate) const CHAIN: u32 = 150;

/// How many operators and operands all expressions together may have when formulas are put in.
pub(crate) const NODES: usize = 2_000_000;

/// How many outcomes all commands together may have when modules synchronise.
pub(crate) const OUTCOMES: usize = 200_000;

/// The greatest exponent, without its sign, of a number that is written with one.
pub(crate) const EXPONENT: i32 = 400;

/// The greatest exponent of a power of something that depends on the state.
pub(crate) const POWER: i64 = 64;

/// The bits that the numerator and the denominator of a constant may have.
pub(crate) const BITS: usize = 1 << 14;
