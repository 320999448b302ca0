//! The processes that exist once a model has started.
//!
//! Many models make their processes in `init`, one by one. Here the interpreter makes the steps of those processes that
//! may still make others, and of nobody else, until nobody can any more. What it finds is a hint for the detection of
//! symmetry and for telling a person about it; nothing is proven by it.

use mandala_interpreter::{Configuration, Interpreter, Move};
use mandala_model::footprint::Footprints;
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::state::ProcessState;
use mandala_model::step::{Actor, Observers, Turn};
use mandala_model::template::Template;
use mandala_model::{Model, State};
use std::collections::{BTreeSet, HashSet};

/// How many states are looked at.
const LIMIT: usize = 5_000;

/// How many values are copied: for each process that is looked at in a state, those of the state.
const WORK: usize = 100_000_000;

/// What the processes 0, 1, 2, .. are instances of when the model has started; nothing if it cannot. If nobody ever
/// stops making processes, when there were most of them.
pub fn census(model: &Model) -> Vec<TemplateId> {
    let state = started(model);
    let processes = state.iter().flat_map(|s| &s.processes);
    processes.map(|p| p.template).collect()
}

/// A state in which no process can make others any more, or one with many processes; nothing if no run begins.
pub fn started(model: &Model) -> Option<State> {
    let makers = Makers::of(model);
    let interpreter = Interpreter::new(model, Observers::default());
    let start = interpreter.start().ok()?;
    let mut largest = start.state.clone();
    let mut seen = HashSet::from([start.clone()]);
    // Deepest first: a start with many choices has an end that is near on every way.
    let mut open = vec![start];
    let mut work = 0;
    while let Some(current) = open.pop() {
        if !makers.any(&current.state) {
            return Some(current.state);
        }
        work += makers.work(&current.state);
        if work > WORK {
            break;
        }
        if current.state.processes.len() > largest.processes.len() {
            largest = current.state.clone();
        }
        for next in makers.steps(&interpreter, &current) {
            if seen.len() < LIMIT && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Some(largest)
}

/// These locations, and all from which there is a way to one of them.
fn leading_to(template: &Template, mut open: Vec<LocationId>) -> impl Iterator<Item = LocationId> {
    let mut sources = vec![Vec::new(); template.locations.len()];
    for edge in &template.edges {
        sources[edge.target.index()].push(edge.source);
    }
    let mut found = BTreeSet::new();
    while let Some(location) = open.pop() {
        if found.insert(location) {
            open.extend(&sources[location.index()]);
        }
    }
    found.into_iter()
}

/// The locations from which a process may come to make another one.
struct Makers(BTreeSet<(TemplateId, LocationId)>);

impl Makers {
    fn of(model: &Model) -> Self {
        let footprints = Footprints::of(model);
        let mut found = BTreeSet::new();
        for (id, template) in model.templates.iter().enumerate() {
            let id = TemplateId::from(id);
            let makes = |index: u32| {
                let edge = EdgeId {
                    template: id,
                    index,
                };
                !footprints.taking(edge).spawns.is_empty()
            };
            let edges = (0..).zip(&template.edges);
            let makers = edges.filter(|(index, _)| makes(*index));
            let makers = makers.map(|(_, edge)| edge.source).collect();
            found.extend(leading_to(template, makers).map(|location| (id, location)));
        }
        Makers(found)
    }

    fn is_one(&self, process: &ProcessState) -> bool {
        self.0.contains(&(process.template, process.location))
    }

    fn any(&self, state: &State) -> bool {
        state.processes.iter().any(|p| self.is_one(p))
    }

    /// The processes that may make others, from the highest number down.
    fn numbers(&self, state: &State) -> impl Iterator<Item = u32> {
        let numbers = (0..state.processes.len() as u32).rev();
        numbers.filter(|number| self.is_one(&state.processes[*number as usize]))
    }

    /// About how many values are copied to find the steps of those who may make processes.
    fn work(&self, state: &State) -> usize {
        let locals = state.processes.iter().map(|p| p.locals.len() + 1);
        let values = state.globals.len() + locals.sum::<usize>();
        values * self.numbers(state).count()
    }

    /// What the steps of those who may make processes lead to; those of all if they cannot move.
    fn steps(&self, interpreter: &Interpreter<'_>, from: &Configuration) -> Vec<Configuration> {
        let own: Vec<_> = match from.turn {
            Turn::Free => {
                let numbers = self.numbers(&from.state);
                let moves = numbers.flat_map(|number| interpreter.moves_of(&from.state, number));
                moves.filter_map(|step| step.next).collect()
            }
            Turn::Held(_) | Turn::Claim | Turn::Stutter => Vec::new(),
        };
        match own.is_empty() {
            true => self.steps_of_all(interpreter, from),
            false => own,
        }
    }

    /// The same where only a time-out or others get them on, or somebody holds control.
    fn steps_of_all(
        &self,
        interpreter: &Interpreter<'_>,
        from: &Configuration,
    ) -> Vec<Configuration> {
        let makes = |step: &&Move| match step.label.actor {
            Actor::Process(number) => {
                let process = from.state.processes.get(number as usize);
                process.is_some_and(|p| self.is_one(p))
            }
            Actor::Claim => false,
        };
        let next = |step: &Move| step.next.clone();
        let moves = interpreter.moves(from);
        let own: Vec<_> = moves.iter().filter(makes).filter_map(next).collect();
        match own.is_empty() {
            true => moves.iter().filter_map(next).collect(),
            false => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::verify::verify;
    use mandala_model::{SourceText, Sources};
    use mandala_promela::{ParseOptions, load};

    fn started(text: &str) -> Vec<u32> {
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new("m.pml", text.to_string()));
        let (model, diagnostics) = load(&mut sources, file, &ParseOptions::default());
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let model = verify(model).expect("a right model");
        census(&model).iter().map(|t| t.0).collect()
    }

    #[test]
    fn a_model_without_run_has_started_at_once() {
        assert_eq!(
            started("active [3] proctype P() { end: do :: skip od }"),
            [0, 0, 0]
        );
        assert_eq!(started("byte x; init { x = 1 / x }"), [0]);
    }

    #[test]
    fn init_makes_all_processes_one_by_one() {
        let text = "byte x;
            proctype P(byte n) { do :: x++ od }
            proctype Q() { do :: x-- od }
            init { run P(1); run Q(); run P(2) }";
        assert_eq!(started(text), [2, 0, 1, 0]);
    }

    #[test]
    fn a_start_that_waits_for_others_is_helped_along() {
        let text = "bool ready;
            proctype P() { ready = true; end: do :: skip od }
            init { run P(); ready; run P() }";
        assert_eq!(started(text), [1, 0, 0]);
    }

    #[test]
    fn somebody_who_never_stops_making_processes_is_stopped() {
        let text = "proctype P() { end: do :: skip od } init { do :: run P() od }";
        assert_eq!(started(text).len(), 255);
        let slow = "byte n; proctype P() { end: do :: skip od }
            init { run P(); do :: n < 5 -> run P() :: n++ od }";
        assert!(started(slow).len() > 1);
    }
}
