//! Values of options: choices with their help, names of properties, definitions.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mandala_checker::frontend::Dialect;
use mandala_checker::options::{Choice, Fairness, Selection, SymmetryChoice};

/// What `--symmetry` does, with all strategies.
pub fn symmetry_help() -> String {
    described::<SymmetryChoice>(
        "How symmetry is used: of all states that differ only by an exchange of interchangeable processes or names, one is stored, or few. \
         The verdict stays the same, except with `markers`.",
    )
}

/// What `--fair` does, with all kinds.
pub fn fairness_help() -> String {
    described::<Fairness>("Which infinite runs count for claims and formulas.")
}

/// A text, and below it each choice with its meaning.
fn described<C: Choice>(text: &str) -> String {
    let lines = C::ALL.iter().map(|choice| {
        let help = choice.help().unwrap_or_default();
        format!("\n- {}: {help}", choice.name())
    });
    format!("{text}\n\nPossible values:{}", lines.collect::<String>())
}

/// The named properties, or everything.
pub fn selection(names: &[String]) -> Selection {
    match names {
        [] => Selection::Everything,
        names => Selection::Named(names.to_vec()),
    }
}

/// Reads the name of a choice; help lists all of them, with a line on each where there is one.
pub fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let values = C::ALL.iter().map(|c| {
        let value = PossibleValue::new(c.name());
        match c.help() {
            Some(help) => value.help(help),
            None => value,
        }
    });
    PossibleValuesParser::new(values).try_map(|name| C::named(&name).ok_or("no such choice"))
}

/// The name of a dialect.
pub fn dialect() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()));
    PossibleValuesParser::new(names).try_map(|name| Dialect::named(&name).ok_or("no such tool"))
}

/// `NAME` or `NAME=VALUE`, where the name is one that a macro can have.
pub fn definition(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    let mut letters = name.chars();
    let first = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    match first && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => Ok(text.to_string()),
        false => Err("a definition looks like -D NAME or -D NAME=VALUE".into()),
    }
}

/// Reads what `--precision` takes.
pub fn precision(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (1e-14..1.0).contains(number));
    number.ok_or_else(|| "it is a number from 1e-14 on and below 1, such as 1e-6".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_name_a_macro() {
        for right in ["N", "N=3", "_x1=", "F=a=b"] {
            assert_eq!(definition(right), Ok(right.to_string()));
        }
        for wrong in ["", "=3", "3=N", "a b=1", "é=1"] {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
    }
}
