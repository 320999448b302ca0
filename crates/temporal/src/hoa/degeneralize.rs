//! Degeneralisation: one set of accepting states instead of several sets of states and transitions.
//!
//! Sets on states are sets on the transitions that leave them. A run counts through the sets, as in the translation of
//! formulas: it is at level k when it waits for set k, goes on past all sets that the next transition is in, and
//! is at an accepting state each time that the count is complete. An automaton that has one set, on states, keeps its
//! states.

use std::collections::HashMap;

use crate::automaton::{Automaton, State, StateId, Transition};
use crate::hoa::raw::{Edge, Raw, Row};

/// An automaton with more states is refused.
const MOST_STATES: usize = 200_000;

/// A state as it was read, or the start if there are several, with how far the count is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Point {
    /// Nothing for the start from which all start states are left.
    row: Option<usize>,
    level: usize,
}

/// Where an automaton accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    /// In all states.
    Nothing,
    /// In the states of the only set.
    States,
    /// Where the count is complete.
    Levels,
}

/// The automaton, unless it is too large.
pub(super) fn degeneralize(raw: &Raw) -> Option<Automaton> {
    let counting = match raw.sets {
        0 => Counting::Nothing,
        1 if on_states(raw) => Counting::States,
        _ => Counting::Levels,
    };
    let first = Point {
        row: match raw.starts.as_slice() {
            [only] => Some(*only),
            _ => None,
        },
        level: 0,
    };
    let mut making = Making {
        raw,
        counting,
        numbers: HashMap::from([(first, StateId(0))]),
        points: vec![first],
    };
    let mut states = Vec::new();
    while let Some(point) = making.points.get(states.len()) {
        states.push(making.state(*point, states.len()));
        if making.points.len() > MOST_STATES {
            return None;
        }
    }
    Some(Automaton {
        states,
        accept_all: None,
    })
}

fn on_states(raw: &Raw) -> bool {
    let mut edges = raw.rows.iter().flat_map(|row| &row.edges);
    edges.all(|edge| edge.sets.iter().all(|inside| !inside))
}

struct Making<'r> {
    raw: &'r Raw,
    counting: Counting,
    numbers: HashMap<Point, StateId>,
    /// The states in the order of their numbers.
    points: Vec<Point>,
}

impl<'r> Making<'r> {
    fn state(&mut self, point: Point, number: usize) -> State {
        let accepting = match (self.counting, point.row) {
            (Counting::Nothing, _) => true,
            (Counting::States, Some(row)) => self.raw.rows[row].sets[0],
            (Counting::States, None) => false,
            (Counting::Levels, _) => point.level == self.raw.sets,
        };
        let raw = self.raw;
        let rows: Vec<&'r Row> = match point.row {
            Some(row) => vec![&raw.rows[row]],
            None => raw.starts.iter().map(|start| &raw.rows[*start]).collect(),
        };
        let edges = rows
            .into_iter()
            .flat_map(|row| row.edges.iter().map(move |edge| (row, edge)));
        let transitions = edges.map(|(row, edge)| self.transition(point.level, row, edge));
        State::numbered(number, accepting, transitions.collect())
    }

    fn transition(&mut self, level: usize, row: &Row, edge: &Edge) -> Transition {
        let level = match self.counting {
            Counting::Levels => self.next_level(level, row, edge),
            Counting::Nothing | Counting::States => 0,
        };
        let point = Point {
            row: Some(edge.target),
            level,
        };
        let points = &mut self.points;
        let target = *self.numbers.entry(point).or_insert_with(|| {
            points.push(point);
            StateId(points.len() - 1)
        });
        Transition::new(edge.guard.clone(), target)
    }

    fn next_level(&self, level: usize, row: &Row, edge: &Edge) -> usize {
        let from = if level == self.raw.sets { 0 } else { level };
        let sets = row.sets.iter().zip(&edge.sets);
        let met = sets
            .skip(from)
            .take_while(|(state, edge)| **state || **edge);
        from + met.count()
    }
}
