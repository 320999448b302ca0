//! The processes that may exist, each with its number and template.
//!
//! A model may make processes on the way, and a number that is free again may go to a process of another kind. Nobody knows in advance
//! which number which kind of process will have. So the search begins with those of the start and with those that a short walk
//! meets; where a step would make another one, it is not carried out; and if such a place is ever reached, that one gets cells, and everything
//! begins again. Since there are no more than 255 numbers, that comes to an end.

use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::state::Value;
use mandala_model::template::{Effect, Step};
use mandala_model::{Model, State};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// A process that there can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessSlot {
    pub number: u32,
    pub template: TemplateId,
    /// Its priority, if that does not change.
    pub priority: u8,
}

impl ProcessSlot {
    /// The process of that number, kind and priority.
    pub(crate) fn of(model: &Model, number: u32, template: TemplateId, priority: u8) -> Self {
        ProcessSlot {
            number,
            template,
            priority: if model.prioritised { 0 } else { priority },
        }
    }
}

/// How many processes there may be at a time.
pub(crate) const MOST_PROCESSES: u32 = 255;

/// What the local variables of processes hold that were given a value when the process was made, and never another one: by the
/// place of the process among all, and the cell. A guess: where another value turns up, the cell gets bits.
pub(crate) type Guesses = BTreeMap<(usize, usize), Value>;

/// What a walk has met.
#[derive(Default)]
pub(crate) struct Met {
    pub tenants: Vec<ProcessSlot>,
    guesses: Guesses,
    /// What is not always the same.
    differing: BTreeSet<(usize, usize)>,
}

/// How many states the walk meets.
const SHORT_WALK: usize = 1000;

/// The processes of the start, and then those that a short walk meets.
pub(crate) fn met_early(interpreter: &Interpreter<'_>, start: &Configuration) -> Met {
    let mut met = Met::default();
    let model = interpreter.model();
    met.add(model, &start.state);
    if !are_made(model) {
        return met;
    }
    let mut known = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([start.clone()]);
    while let Some(here) = open.pop_front() {
        let moves = interpreter.moves(&here).into_iter();
        for next in moves.filter_map(|step| step.next) {
            if known.len() < SHORT_WALK && known.insert(next.clone()) {
                met.add(model, &next.state);
                open.push_back(next);
            }
        }
    }
    met
}

impl Met {
    fn add(&mut self, model: &Model, state: &State) {
        for (number, own) in (0..).zip(&state.processes) {
            let tenant = ProcessSlot::of(model, number, own.template, own.priority);
            let known = self.tenants.iter().position(|other| *other == tenant);
            let place = known.unwrap_or(self.tenants.len());
            if known.is_none() {
                self.tenants.push(tenant);
            }
            for (cell, &value) in own.locals.iter().enumerate() {
                let guess = self.guesses.entry((place, cell)).or_insert(value);
                if *guess != value {
                    self.differing.insert((place, cell));
                }
            }
        }
    }

    /// The guesses that nothing speaks against.
    pub(crate) fn guesses(&self) -> Guesses {
        let guesses = self.guesses.iter();
        let guesses = guesses.filter(|(cell, _)| !self.differing.contains(cell));
        guesses.map(|(&cell, &value)| (cell, value)).collect()
    }
}

/// Whether processes are ever made on the way.
pub(crate) fn are_made(model: &Model) -> bool {
    let mut ids = (0..model.templates.len()).map(TemplateId::from);
    ids.any(|id| is_made(model, id))
}

/// Whether instances of a template are ever made on the way.
pub(crate) fn is_made(model: &Model, template: TemplateId) -> bool {
    let mut edges = model.templates.iter().flat_map(|t| &t.edges);
    edges.any(|edge| makes(&edge.step, template))
}

fn makes(step: &Step, wanted: TemplateId) -> bool {
    let is_wanted =
        |effect: &Effect| matches!(effect, Effect::Spawn { template, .. } if *template == wanted);
    match step {
        Step::Guarded { effects, .. } => effects.iter().any(is_wanted),
        Step::Routine(routine) => {
            let mut choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.any(|choice| makes(&choice.step, wanted))
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => false,
        Step::Call(_) => unreachable!("{CALL}"),
    }
}
