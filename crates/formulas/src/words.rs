//! The words that are operators. They are the same in every language; how tightly they bind is a matter of the language.

use mandala_model::property::{BinaryTemporal, Runs, UnaryTemporal};

/// The operator that a word before a formula is.
pub fn unary(word: &str) -> Option<UnaryTemporal> {
    Some(match word {
        "always" => UnaryTemporal::Always,
        "eventually" => UnaryTemporal::Eventually,
        "X" | "next" => UnaryTemporal::Next,
        _ => return None,
    })
}

/// The operator that a word between two formulas is.
pub fn binary(word: &str) -> Option<BinaryTemporal> {
    Some(match word {
        "U" | "until" | "stronguntil" => BinaryTemporal::Until,
        "W" | "weakuntil" => BinaryTemporal::WeakUntil,
        "V" | "release" => BinaryTemporal::Release,
        "implies" => BinaryTemporal::Implies,
        "equivalent" => BinaryTemporal::Equivalent,
        _ => return None,
    })
}

/// The quantifier over runs that a word is, and the operator that is written together with it: `AG`, `E`.
pub fn quantifier(word: &str) -> Option<(Runs, Option<UnaryTemporal>)> {
    let mut letters = word.chars();
    let runs = match letters.next()? {
        'A' => Runs::All,
        'E' => Runs::Some,
        _ => return None,
    };
    let operator = match letters.as_str() {
        "" => None,
        "X" => Some(UnaryTemporal::Next),
        "F" => Some(UnaryTemporal::Eventually),
        "G" => Some(UnaryTemporal::Always),
        _ => return None,
    };
    Some((runs, operator))
}

/// How an operator before a formula is written.
pub fn unary_symbol(op: UnaryTemporal) -> &'static str {
    match op {
        UnaryTemporal::Not => "!",
        UnaryTemporal::Always => "[]",
        UnaryTemporal::Eventually => "<>",
        UnaryTemporal::Next => "X",
    }
}

/// How an operator between two formulas is written.
pub fn binary_symbol(op: BinaryTemporal) -> &'static str {
    match op {
        BinaryTemporal::And => "&&",
        BinaryTemporal::Or => "||",
        BinaryTemporal::Implies => "->",
        BinaryTemporal::Equivalent => "<->",
        BinaryTemporal::Until => "U",
        BinaryTemporal::WeakUntil => "W",
        BinaryTemporal::Release => "V",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_that_are_words_are_read_back() {
        for op in [
            BinaryTemporal::Until,
            BinaryTemporal::WeakUntil,
            BinaryTemporal::Release,
        ] {
            assert_eq!(binary(binary_symbol(op)), Some(op));
        }
        assert_eq!(
            unary(unary_symbol(UnaryTemporal::Next)),
            Some(UnaryTemporal::Next)
        );
    }

    #[test]
    fn quantifiers_have_one_operator_or_none() {
        let always = Some((Runs::All, Some(UnaryTemporal::Always)));
        assert_eq!(quantifier("AG"), always);
        assert_eq!(quantifier("E"), Some((Runs::Some, None)));
        for word in ["", "G", "AGG", "AU", "Eat", "É"] {
            assert_eq!(quantifier(word), None, "{word}");
        }
    }
}
