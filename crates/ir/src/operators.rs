//! Operators and questions: how they are spelled, and how tightly they bind. Shared by printer and reader.

use mandala_model::expr::{BinaryOp, ChannelQuery, UnaryOp};
use mandala_model::quantified::{Evaluation, Quantifier};

/// How tightly an operator binds; a greater number binds tighter.
pub(crate) type Binding = u8;

/// The binding of the conditional, which needs parentheses inside any other expression.
pub(crate) const LOOSEST: Binding = 0;

/// The binding of operators on one value.
pub(crate) const UNARY: Binding = 11;

const BINARY: [BinaryOp; 18] = [
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
];

const QUERIES: [ChannelQuery; 5] = [
    ChannelQuery::Length,
    ChannelQuery::Empty,
    ChannelQuery::NotEmpty,
    ChannelQuery::Full,
    ChannelQuery::NotFull,
];

/// The symbol of an operator on one value. `defined` looks like a call.
pub(crate) fn unary(operator: UnaryOp) -> &'static str {
    match operator {
        UnaryOp::Negate => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Defined => "defined",
    }
}

/// The symbol and the binding of an operator on two values.
pub(crate) fn binary(operator: BinaryOp) -> (&'static str, Binding) {
    match operator {
        BinaryOp::Or => ("||", 1),
        BinaryOp::And => ("&&", 2),
        BinaryOp::BitOr => ("|", 3),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::Equal => ("==", 6),
        BinaryOp::NotEqual => ("!=", 6),
        BinaryOp::Less => ("<", 7),
        BinaryOp::LessEqual => ("<=", 7),
        BinaryOp::Greater => (">", 7),
        BinaryOp::GreaterEqual => (">=", 7),
        BinaryOp::ShiftLeft => ("<<", 8),
        BinaryOp::ShiftRight => (">>", 8),
        BinaryOp::Add => ("+", 9),
        BinaryOp::Subtract => ("-", 9),
        BinaryOp::Multiply => ("*", 10),
        BinaryOp::Divide => ("/", 10),
        BinaryOp::Modulo => ("%", 10),
    }
}

/// The operator on two values that a symbol is, and its binding.
pub(crate) fn binary_of(symbol: &str) -> Option<(BinaryOp, Binding)> {
    let mut all = BINARY.into_iter().map(|op| (op, binary(op)));
    all.find_map(|(op, (other, binding))| (other == symbol).then_some((op, binding)))
}

/// The words of quantifiers.
const QUANTIFIERS: [(&str, Quantifier, Evaluation); 7] = [
    ("forall", Quantifier::ForAll, Evaluation::Strict),
    ("forall_ordered", Quantifier::ForAll, Evaluation::Ordered),
    ("exists", Quantifier::Exists, Evaluation::Strict),
    ("exists_ordered", Quantifier::Exists, Evaluation::Ordered),
    ("count", Quantifier::Count, Evaluation::Strict),
    ("sum", Quantifier::Sum, Evaluation::Strict),
    ("first_of", Quantifier::FirstOf, Evaluation::Ordered),
];

/// The word of a quantifier.
pub(crate) fn quantifier(quantifier: Quantifier, evaluation: Evaluation) -> &'static str {
    let mut all = QUANTIFIERS.iter();
    let word = all.find(|(_, kind, order)| (*kind, *order) == (quantifier, evaluation));
    match word {
        Some((word, ..)) => word,
        None => unreachable!(
            "the verifier lets nothing count or add in order, or look for the first otherwise"
        ),
    }
}

/// The quantifier that has that word.
pub(crate) fn quantifier_of(word: &str) -> Option<(Quantifier, Evaluation)> {
    let mut all = QUANTIFIERS.into_iter();
    let found = all.find(|(other, ..)| *other == word);
    found.map(|(_, quantifier, evaluation)| (quantifier, evaluation))
}

/// The name of a question about a channel.
pub(crate) fn query(query: ChannelQuery) -> &'static str {
    match query {
        ChannelQuery::Length => "len",
        ChannelQuery::Empty => "empty",
        ChannelQuery::NotEmpty => "nempty",
        ChannelQuery::Full => "full",
        ChannelQuery::NotFull => "nfull",
    }
}

/// The question about a channel that has that name.
pub(crate) fn query_of(name: &str) -> Option<ChannelQuery> {
    QUERIES.into_iter().find(|asked| query(*asked) == name)
}
