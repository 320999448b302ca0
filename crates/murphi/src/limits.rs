//! Bounds that keep every stage finite on any input.
//!
//! They are far beyond what models need; passing one is reported as an error that names it.

/// Nesting of rulesets, statements, types, parentheses and array indices together. One level costs a
/// few stack frames of the parser and of the checker, so this bounds their stacks.
pub(crate) const NESTING: usize = 200;

/// Height of an expression's tree. A long chain `a + b + c + ...` is parsed by a loop, but walked and
/// dropped by recursion.
pub(crate) const EXPRESSION_HEIGHT: u32 = 1000;

/// The length of one source file in bytes: spans are 32 bits wide.
pub(crate) const FILE_BYTES: usize = u32::MAX as usize / 2;

/// Edges, and monitors of properties of which each instance has one.
pub(crate) const INSTANCES: usize = 100_000;

/// Choices of the parameters of one rule, start state or property, and of all that come before one.
pub(crate) const CHOICES: usize = 10_000_000;

/// What the code of all instances may add up to, counted in assignments, branches and comparisons.
pub(crate) const CODE: usize = 1_000_000;

/// The weight of a function that may be put into an expression.
pub(crate) const DIRECT: u64 = 1_000;

/// Into how many checks an invariant is divided, one for each value that its outermost quantifiers go through.
pub(crate) const CHECKS: u128 = 1024;

/// The cells of a variable.
pub(crate) const CELLS: u64 = 1 << 20;
