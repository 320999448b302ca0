//! Automata in the Hanoi Omega-Automata format, version 1, which tools for temporal logic exchange.
//!
//! What is read are nondeterministic Büchi automata, plain and generalised, with their sets of acceptance on states
//! or on transitions:
//!
//! 1. `lexer`: text to tokens.
//! 2. `label`: what stands in brackets.
//! 3. `header`, `body`: the two parts of a file.
//! 4. `degeneralize`: an [`Automaton`], whose acceptance is on states and has one set.
//!
//! Everything else the format has (universal branching, `Fin`, negated sets and so on) is an error that names it. What
//! a reader may ignore is ignored: headers in small letters, and what `properties:` promises.

mod body;
mod degeneralize;
mod error;
mod header;
mod label;
mod lexer;
mod raw;
mod write;

use std::ops::Range;

use crate::automaton::Automaton;
use crate::formula::Names;
pub use error::HoaError;
use error::Reading;
use lexer::Reader;
use raw::Raw;

/// An automaton as a file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hoa {
    /// The automaton.
    pub automaton: Automaton,
    /// The texts of its propositions.
    pub names: Names,
    /// Where the text of each proposition stands in the file, without its quotes.
    pub propositions: Vec<Range<usize>>,
}

impl Hoa {
    /// Reads a file with one automaton.
    ///
    /// # Errors
    ///
    /// If the text is not of the format, or has what is not read, or the automaton is too large.
    pub fn parse(text: &str) -> Reading<Hoa> {
        let mut reader = Reader::new(text)?;
        let header = header::read(&mut reader)?;
        let rows = body::read(&mut reader, &header)?;
        let raw = Raw {
            starts: header.starts,
            sets: header.sets,
            rows,
        };
        let names: Names = header.propositions.iter().map(|(name, _)| name).collect();
        let places = header.propositions.into_iter().map(|(_, place)| place);
        Ok(Hoa {
            automaton: degeneralize::degeneralize(&raw).ok_or_else(|| too_large(text))?,
            names,
            propositions: places.collect(),
        })
    }
}

fn too_large(text: &str) -> HoaError {
    HoaError {
        message: "the automaton is too large".into(),
        place: 0..text.len().min(3),
    }
}
