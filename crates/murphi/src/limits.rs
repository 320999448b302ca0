//! Bounds that keep every stage finite on any input.
//!
//! They are far beyond what models need; passing one is reported as an error that names it.

/// Nesting of rulesets, statements, types, parentheses and array indices together. One level costs a
/// few stack frames of the parser and of the checker, so this bounds their stacks.
pub(crate) const NESTING: usize = 200;

/// Height of an expression's tree. A long chain `a + b + c + ...` is parsed by a loop, but walked and
/// dropped by recursion.
pub(crate) const EXPRESSION_HEIGHT: u32 = 1000;

/// Errors that are reported before the rest of the model is given up.
pub(crate) const ERRORS: usize = 50;

/// The length of one source file in bytes: spans are 32 bits wide.
pub(crate) const FILE_BYTES: usize = u32::MAX as usize / 2;
