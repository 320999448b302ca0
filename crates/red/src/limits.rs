//! Bounds that keep every stage finite on any input.
//!
//! They are far beyond what models need; passing one is reported as an error that names it.

/// Nesting of parentheses, quantifiers and signs. One level costs a few stack frames.
pub(crate) const NESTING: usize = 200;

/// Height of an expression's tree. A long chain `a + b + c + ...` is parsed by a loop, but walked and dropped by
/// recursion.
pub(crate) const EXPRESSION_HEIGHT: u32 = 1000;

/// The length of one source file in bytes: spans are 32 bits wide.
pub(crate) const FILE_BYTES: usize = u32::MAX as usize / 2;

/// How many processes there may be. There is one more of our own, which has number 0.
pub(crate) const PROCESSES: i64 = 254;

/// What all conditions may add up to when quantifiers are written out, counted in operators and operands.
pub(crate) const TERMS: usize = 1_000_000;

/// States to start in: each is an edge.
pub(crate) const INITIAL_STATES: usize = 20_000;

/// What the search for these states may look at, counted in operators and operands that are evaluated.
pub(crate) const INITIAL_WORK: usize = 100_000_000;

/// The cells that the search for these states gives values to, one inside the other.
pub(crate) const INITIAL_CELLS: usize = 2000;

/// The cells of all variables together; the verifier allows no more.
pub(crate) const CELLS: usize = 1 << 20;

/// How many pointers may be followed one after the other.
pub(crate) const POINTERS: usize = 200;

/// How many combinations of processes a claim may choose from: each is an edge at least.
pub(crate) const CHOICES: u64 = 1024;

/// Into how many checks a condition is divided that is a disjunction.
pub(crate) const CHECKS: usize = 1024;
