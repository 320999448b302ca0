//! Conditions on propositions: `[0 & !1]`.

use std::collections::HashMap;

use super::lexer::{Reader, Token};
use crate::formula::{Formula, Literal, Proposition};
use crate::guard::Guard;
use crate::hoa::error::Reading;

/// Deeper parentheses are refused, so that walks by recursion are safe.
const DEEPEST: usize = 200;

/// Larger labels, aliases written out, are refused.
const LARGEST: usize = 10_000;

/// What labels may refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) propositions: usize,
    pub(super) aliases: HashMap<String, Formula>,
}

/// `[ label ]`
pub(super) fn bracketed(reader: &mut Reader, vocabulary: &Vocabulary) -> Reading<Guard> {
    reader.expect('[', "before a label")?;
    let label = expression(reader, vocabulary)?;
    reader.expect(']', "after a label")?;
    Ok(Guard::of_propositional(&label, true).expect("labels have no temporal operators"))
}

/// The label that the transition with that number has where labels are left out: bit k says what proposition k does.
pub(super) fn implicit(number: usize, propositions: usize) -> Guard {
    (0..propositions).fold(Guard::True, |guard, proposition| {
        guard.and(Guard::Literal(Literal {
            proposition: Proposition(proposition),
            positive: number >> proposition & 1 == 1,
        }))
    })
}

/// A label without its brackets.
pub(super) fn expression(reader: &mut Reader, vocabulary: &Vocabulary) -> Reading<Formula> {
    let start = reader.place().start;
    let label = disjunction(reader, vocabulary, 0)?;
    match label.is_no_larger_than(LARGEST) {
        true => Ok(label),
        false => {
            let mut error = reader.error("this label is too large");
            error.place.start = start;
            Err(error)
        }
    }
}

fn disjunction(reader: &mut Reader, vocabulary: &Vocabulary, depth: usize) -> Reading<Formula> {
    let mut label = conjunction(reader, vocabulary, depth)?;
    while reader.eat('|') {
        label = label.or(conjunction(reader, vocabulary, depth)?);
        require_moderate(&label, reader)?;
    }
    Ok(label)
}

fn conjunction(reader: &mut Reader, vocabulary: &Vocabulary, depth: usize) -> Reading<Formula> {
    let mut label = factor(reader, vocabulary, depth)?;
    while reader.eat('&') {
        label = label.and(factor(reader, vocabulary, depth)?);
        require_moderate(&label, reader)?;
    }
    Ok(label)
}

/// Aliases double quickly, so the size is watched all the time.
fn require_moderate(label: &Formula, reader: &Reader) -> Reading<()> {
    match label.is_no_larger_than(LARGEST) {
        true => Ok(()),
        false => Err(reader.error("this label is too large")),
    }
}

fn factor(reader: &mut Reader, vocabulary: &Vocabulary, depth: usize) -> Reading<Formula> {
    if depth > DEEPEST {
        return Err(reader.error(format!("this label is nested more than {DEEPEST} deep")));
    }
    if reader.eat('!') {
        return Ok(factor(reader, vocabulary, depth + 1)?.negate());
    }
    if reader.eat('(') {
        let label = disjunction(reader, vocabulary, depth + 1)?;
        reader.expect(')', "or an operator in a label")?;
        return Ok(label);
    }
    let label = atom(reader, vocabulary)?;
    reader.skip();
    Ok(label)
}

fn atom(reader: &Reader, vocabulary: &Vocabulary) -> Reading<Formula> {
    match reader.token() {
        Token::Word(word) if word == "t" => Ok(Formula::True),
        Token::Word(word) if word == "f" => Ok(Formula::False),
        Token::Number(number) if *number < vocabulary.propositions => {
            Ok(Formula::proposition(*number))
        }
        Token::Number(number) => {
            Err(reader.error(format!("there is no proposition {number} in `AP:`")))
        }
        Token::Alias(name) => match vocabulary.aliases.get(name) {
            Some(label) => Ok(label.clone()),
            None => Err(reader.error(format!("there is no `Alias: @{name}` before this"))),
        },
        _ => Err(reader.unexpected("`t`, `f`, a proposition or an alias in a label")),
    }
}
