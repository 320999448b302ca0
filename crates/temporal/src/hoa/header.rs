//! The part of a file before `--BODY--`.

use std::ops::Range;

use super::label::{self, Vocabulary};
use super::lexer::{Reader, Token};
use crate::hoa::error::{HoaError, Reading};

/// Automata with more states are refused.
const MOST_STATES: usize = 100_000;

/// More sets of acceptance are refused.
const MOST_SETS: usize = 64;

/// What the header says.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// How many states there are, if it says so.
    pub(super) states: Option<usize>,
    pub(super) starts: Vec<usize>,
    pub(super) propositions: Vec<(String, Range<usize>)>,
    pub(super) vocabulary: Vocabulary,
    pub(super) sets: usize,
}

/// Reads everything up to `--BODY--`, that included.
pub(super) fn read(reader: &mut Reader) -> Reading<Header> {
    version(reader)?;
    let mut header = Header::default();
    // Headers come in any order, so aliases may speak of propositions before these are named.
    header.vocabulary.propositions = reader.number_in_header("AP").unwrap_or(0);
    let mut acceptance = false;
    loop {
        let item = reader.token().clone();
        let name = match item {
            Token::Header(name) => name,
            Token::Mark(mark) if mark == "BODY" => break,
            _ => return Err(reader.unexpected("a header or `--BODY--`")),
        };
        let start = reader.place();
        reader.skip();
        match name.as_str() {
            "States" => header.states = Some(states(reader)?),
            "Start" => header.starts.push(start_state(reader)?),
            "AP" => header.propositions(reader)?,
            "Alias" => header.alias(reader)?,
            "Acceptance" => {
                header.sets = condition(reader)?;
                acceptance = true;
            }
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                return Err(HoaError {
                    message: format!("`{name}:` is not supported"),
                    place: start,
                });
            }
            _ => ignore(reader),
        }
    }
    if !acceptance {
        return Err(reader.error("there is no `Acceptance:` before this"));
    }
    reader.skip();
    Ok(header)
}

fn version(reader: &mut Reader) -> Reading<()> {
    if *reader.token() != Token::Header("HOA".into()) {
        return Err(reader.unexpected("`HOA: v1`, with which such a file begins"));
    }
    reader.skip();
    if *reader.token() != Token::Word("v1".into()) {
        return Err(reader.unexpected("the version `v1`"));
    }
    reader.skip();
    Ok(())
}

fn states(reader: &mut Reader) -> Reading<usize> {
    let place = reader.place();
    match reader.number("the number of states")? {
        number if number <= MOST_STATES => Ok(number),
        _ => Err(HoaError {
            message: format!("there can be {MOST_STATES} states"),
            place,
        }),
    }
}

/// A state to start in; several at once would be universal branching.
fn start_state(reader: &mut Reader) -> Reading<usize> {
    let state = reader.number("a state to start in")?;
    refuse_universal(reader)?;
    Ok(state)
}

/// Fails at the `&` between two states.
pub(super) fn refuse_universal(reader: &Reader) -> Reading<()> {
    match reader.token() {
        Token::Sign('&') => {
            Err(reader.error("`&` between states (universal branching) is not supported"))
        }
        _ => Ok(()),
    }
}

impl Header {
    fn propositions(&mut self, reader: &mut Reader) -> Reading<()> {
        let count = reader.number("the number of propositions")?;
        while let Token::Text(name) = reader.token() {
            self.propositions.push((name.clone(), reader.place()));
            reader.skip();
        }
        if self.propositions.len() != count {
            let found = self.propositions.len();
            return Err(reader.error(format!("`AP:` has {found} names, and says {count}")));
        }
        Ok(())
    }

    fn alias(&mut self, reader: &mut Reader) -> Reading<()> {
        let Token::Alias(name) = reader.token().clone() else {
            return Err(reader.unexpected("the name of an alias"));
        };
        reader.skip();
        let label = label::expression(reader, &self.vocabulary)?;
        self.vocabulary.aliases.insert(name, label);
        Ok(())
    }
}

/// `2 Inf(0) & Inf(1)`: how many sets have to be visited infinitely often, which must be all.
fn condition(reader: &mut Reader) -> Reading<usize> {
    let start = reader.place();
    let sets = reader.number("the number of acceptance sets")?;
    let mut named = Vec::new();
    conjunction(reader, &mut named, 0)?;
    named.sort_unstable();
    named.dedup();
    match named.len() == sets && sets <= MOST_SETS && named.iter().all(|set| *set < sets) {
        true => Ok(sets),
        false => Err(HoaError {
            message: format!(
                "`Acceptance:` must name each of its sets once, and at most {MOST_SETS}"
            ),
            place: start,
        }),
    }
}

fn conjunction(reader: &mut Reader, named: &mut Vec<usize>, depth: usize) -> Reading<()> {
    conjunct(reader, named, depth)?;
    while reader.eat('&') {
        conjunct(reader, named, depth)?;
    }
    match reader.token() {
        Token::Sign('|') => Err(reader.error("`|` in `Acceptance:` is not supported: the sets of a Büchi automaton are joined by `&`")),
        _ => Ok(()),
    }
}

fn conjunct(reader: &mut Reader, named: &mut Vec<usize>, depth: usize) -> Reading<()> {
    let word = match reader.token() {
        Token::Sign('(') if depth < MOST_SETS => {
            reader.skip();
            conjunction(reader, named, depth + 1)?;
            return reader.expect(')', "in `Acceptance:`");
        }
        Token::Word(word) => word.clone(),
        _ => return Err(reader.unexpected("`Inf(..)` or `t` in `Acceptance:`")),
    };
    match word.as_str() {
        "t" => reader.skip(),
        "Inf" => named.push(infinitely_often(reader)?),
        _ => {
            let message =
                format!("`{word}` in `Acceptance:` is not supported: only Büchi automata are read");
            return Err(reader.error(message));
        }
    }
    Ok(())
}

fn infinitely_often(reader: &mut Reader) -> Reading<usize> {
    reader.skip();
    reader.expect('(', "after `Inf`")?;
    if *reader.token() == Token::Sign('!') {
        return Err(reader.error("`Inf(!..)`, a negated set, is not supported"));
    }
    let set = reader.number("the number of an acceptance set")?;
    reader.expect(')', "after the acceptance set")?;
    Ok(set)
}

/// Passes over what a header says.
fn ignore(reader: &mut Reader) {
    while !matches!(
        reader.token(),
        Token::Header(_) | Token::Mark(_) | Token::End
    ) {
        reader.skip();
    }
}
