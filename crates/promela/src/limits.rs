//! Bounds that keep every stage finite on any input.
//!
//! They are far beyond what models need; passing one is reported as an error that names it.

/// Nesting of statements, parentheses, array indices and inline calls together. One level costs a
/// few stack frames of the parser, so this bounds its stack.
pub(crate) const NESTING: u32 = 200;

/// Height of an expression's tree. A long chain `a + b + c + ...` is parsed by a loop, but walked and
/// dropped by recursion.
pub(crate) const EXPRESSION_HEIGHT: u32 = 1000;

/// Files that include one another.
pub(crate) const INCLUDE_DEPTH: usize = 64;

/// Macro calls in arguments of macro calls.
pub(crate) const MACRO_ARGUMENT_DEPTH: usize = 64;

/// Parentheses and signs in an `#if` expression.
pub(crate) const CONDITION_DEPTH: usize = 64;

/// Tokens that macros, included files and inline calls may add to the text of the model.
pub(crate) const EXPANDED_TOKENS: usize = 1 << 20;

/// Errors that are reported before the rest of the model is given up.
pub(crate) const ERRORS: usize = 50;

/// The length of one source file in bytes: spans are 32 bits wide.
pub(crate) const FILE_BYTES: usize = u32::MAX as usize / 2;
