//! Machine code against the interpreter of the compiled form, state by state.
//!
//! Both expand the same states. They must tell the same successors in the same order, with the same cells and the same processes taking part, the same violations,
//! and count the same statements. The machine code is made before the first state, not when it would pay, so that it is
//! what is compared.

use mandala_encoding::{Arrival, Party, Program, Sink, Stepper};
use mandala_model::Model;
use mandala_model::instantiate::written_out;
use mandala_model::step::{Observers, Turn, Violation};
use std::collections::{HashSet, VecDeque};

/// What was compared without finding a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// How many states were expanded both ways.
    pub states: u64,
    /// How many of them machine code has expanded to the end.
    pub natively: u64,
    /// Whether those were all states of the model.
    pub complete: bool,
}

/// Expands the states of a model both ways, at most as many as `limit` says.
///
/// # Errors
///
/// Where the two differ, or if the model cannot be compiled.
pub fn compare(model: &Model, observers: Observers, limit: u64) -> Result<Agreement, String> {
    let model = &written_out(model.clone()).map_err(|error| error.to_string())?;
    let program = Program::compile(model, observers).map_err(|error| error.to_string())?;
    let mut pair = Pair {
        native: program.eager_stepper(),
        interpreting: program.interpreting_stepper(),
    };
    let mut waiting: VecDeque<(Vec<u8>, Turn)> = pair.start()?.successors.into();
    let mut seen: HashSet<Vec<u8>> = waiting.iter().map(|(state, _)| state.clone()).collect();
    let mut states = 0;
    while states < limit
        && let Some((state, turn)) = waiting.pop_front()
    {
        states += 1;
        for (next, turn) in pair.expand(&state, turn)?.successors {
            if !seen.contains(&next) {
                seen.insert(next.clone());
                waiting.push_back((next, turn));
            }
        }
    }
    if pair.native.coverage() != pair.interpreting.coverage() {
        return Err("the counts of statements differ".into());
    }
    if pair.native.has_atomic_cycle() != pair.interpreting.has_atomic_cycle() {
        return Err("whether a sequence can go on for ever differs".into());
    }
    Ok(Agreement {
        states,
        natively: pair.native.expanded_natively(),
        complete: waiting.is_empty(),
    })
}

/// The two that are compared.
struct Pair<'p> {
    native: Stepper<'p>,
    interpreting: Stepper<'p>,
}

impl Pair<'_> {
    fn start(&mut self) -> Result<Told, String> {
        let (mut got, mut expected) = (Told::default(), Told::default());
        let outcomes = (
            self.native.start(&mut got).is_ok(),
            self.interpreting.start(&mut expected).is_ok(),
        );
        match outcomes.0 == outcomes.1 && got == expected {
            true => Ok(expected),
            false => Err("the start differs".into()),
        }
    }

    /// What follows a state, if both say the same.
    fn expand(&mut self, state: &[u8], turn: Turn) -> Result<Told, String> {
        let (mut got, mut expected) = (Told::default(), Told::default());
        let first = self.native.expand(state, turn, &mut got);
        let second = self.interpreting.expand(state, turn, &mut expected);
        match first == second && got == expected {
            true => Ok(expected),
            false => Err(format!(
                "what follows {:?} differs: machine code tells {got:?}, the interpreter {expected:?}",
                self.native.program().decode(state)
            )),
        }
    }
}

/// What a stepper has told of a state.
#[derive(Debug, Default, PartialEq)]
struct Told {
    successors: Vec<(Vec<u8>, Turn)>,
    cells: Vec<Vec<i64>>,
    parties: Vec<Option<Party>>,
    violations: Vec<Violation>,
}

impl Sink for Told {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.cells.push(arrival.cells().to_vec());
        self.parties.push(arrival.party());
        self.successors.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, violation: Violation) {
        self.violations.push(violation);
    }
}
