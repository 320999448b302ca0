//! Sizes up to which programs are taken. What is larger is refused where it is.

/// The bytes of a file.
pub(crate) const FILE_BYTES: usize = 1 << 26;

/// How deep statements and expressions may be nested.
pub(crate) const DEPTH: usize = 100;

/// How many operands one chain of the same operator may have.
pub(crate) const CHAIN: usize = 500;

/// How many results a function may have.
pub(crate) const RESULTS: usize = 1000;

/// How deep calls of a function that calls itself may be nested.
pub(crate) const RECURSION: usize = 8;

/// How many places a program may have with its calls put in.
pub(crate) const NODES: usize = 100_000;

/// How many values one statement may choose.
pub(crate) const CHOICES: usize = 16;

/// How many threads can be asked for: their numbers are values of cells.
pub(crate) const THREADS: u32 = 255;

/// How many transitions of single threads a program may have, for every number of threads.
pub(crate) const TRANSITIONS: usize = 2_000_000;

/// How many shared or local states a system may have.
pub(crate) const STATES: u32 = 1 << 24;

/// How many variables of functions a thread may have at once.
pub(crate) const SLOTS: usize = 1000;

/// How many single threads a thread transition system may start with.
pub(crate) const ONES: usize = 4;
