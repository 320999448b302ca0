//! A search over all states with the reference interpreter, in the order and with the counts of Rumur.

use mandala_interpreter::{Configuration, Interpreter, Observation};
use mandala_model::Model;
use mandala_model::ids::{MonitorId, PropertyId};
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::types::Type;
use std::collections::{HashMap, VecDeque};

/// What a search found.
#[derive(Debug, Default, PartialEq)]
pub struct Explored {
    /// Different states.
    pub states: usize,
    /// Rules taken, to known states as well.
    pub rules: usize,
    /// The first thing that went wrong.
    pub error: Option<String>,
    /// Whether the search ended because of the bound.
    pub cut: bool,
    /// What was put out.
    pub printed: String,
}

/// When a state in which nothing happens is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deadlocks {
    Off,
    Stuck,
    Stuttering,
}

struct Search<'m> {
    interpreter: Interpreter<'m>,
    model: &'m Model,
    numbers: HashMap<Configuration, usize>,
    waiting: VecDeque<Configuration>,
    /// For each state: the states behind it.
    before: Vec<Vec<usize>>,
    /// For each property: the states in which one of its edges was taken.
    seen: Vec<Vec<(usize, (MonitorId, u32))>>,
    found: Explored,
}

/// Explores a model until an error, the end, or so many states.
pub fn explore(model: &Model, deadlocks: Deadlocks, bound: usize) -> Explored {
    let mut search = Search {
        interpreter: Interpreter::new(model, Observers::default()),
        model,
        numbers: HashMap::new(),
        waiting: VecDeque::new(),
        before: Vec::new(),
        seen: vec![Vec::new(); model.properties.len()],
        found: Explored::default(),
    };
    let start = search.interpreter.start().expect("a start");
    search.expand(start, None);
    while search.found.error.is_none() && !search.found.cut {
        let Some(next) = search.waiting.pop_front() else {
            break;
        };
        let number = search.numbers[&next];
        search.stays_alive(&next, deadlocks, number);
        search.found.cut = search.found.states > bound;
    }
    if search.found.error.is_none() && !search.found.cut {
        search.judge_the_whole();
    }
    search.found
}

impl Search<'_> {
    /// Takes all rules of a state, and looks for a deadlock when they are taken.
    fn stays_alive(&mut self, state: &Configuration, deadlocks: Deadlocks, number: usize) {
        let before = self.found.rules;
        let changed = self.expand(state.clone(), Some(number));
        let stuck = match deadlocks {
            Deadlocks::Off => false,
            Deadlocks::Stuck => self.found.rules == before,
            Deadlocks::Stuttering => !changed,
        };
        if stuck {
            self.found.error.get_or_insert_with(|| "deadlock".into());
        }
    }

    /// Takes all rules of a state; true if one led elsewhere.
    fn expand(&mut self, state: Configuration, number: Option<usize>) -> bool {
        let mut changed = false;
        for step in self.interpreter.moves(&state) {
            step.printed
                .iter()
                .for_each(|text| self.found.printed += text);
            if let Some(violation) = step.violations.first() {
                self.found.error = Some(self.words(violation));
                return true;
            }
            self.found.rules += usize::from(number.is_some());
            let next = step.next.map(|next| self.in_order(next));
            changed |= next.as_ref() != Some(&state);
            if let Some(next) = next {
                assert_eq!(next.turn, Turn::Free);
                self.arrive(next, number);
            }
            if self.found.error.is_some() {
                return true;
            }
        }
        changed
    }

    /// The same state with the elements of each multiset in order.
    fn in_order(&self, mut next: Configuration) -> Configuration {
        let unordered = self.model.scalarsets.iter().filter(|set| set.unordered);
        for used in unordered.flat_map(|set| &set.uses) {
            let UseKind::Indexes { variable, .. } = used.kind else {
                panic!("an unordered set is an index");
            };
            let VariableRef::Global(id) = variable else {
                panic!("an unordered set is an index of a global variable");
            };
            let Type::Array { element, .. } = &self.model.globals[id.index()].ty else {
                panic!("what has an index is an array");
            };
            let first = self.model.cell_offset(&self.model.globals, id.index());
            let all = self.model.cells(&self.model.globals[id.index()].ty);
            let cells = &mut next.state.globals[first..first + all];
            let mut rows: Vec<Vec<_>> = cells
                .chunks(self.model.cells(element))
                .skip(1)
                .map(<[_]>::to_vec)
                .collect();
            rows.sort_by(|a, b| b.cmp(a));
            let places = cells.chunks_mut(self.model.cells(element)).skip(1);
            places
                .zip(rows)
                .for_each(|(place, row)| place.copy_from_slice(&row));
        }
        next
    }

    fn arrive(&mut self, state: Configuration, from: Option<usize>) {
        let known = self.numbers.get(&state).copied();
        let number = known.unwrap_or(self.numbers.len());
        if known.is_none() {
            let observations = self.interpreter.observations(&state);
            if let Some((wrong, violation)) = first_violation(&observations) {
                // Invariants are looked at before a state counts, all else behind.
                self.found.states += usize::from(!self.is_of_invariant(wrong));
                self.found.error = Some(self.words(violation));
                return;
            }
            self.note(&observations, number);
            self.numbers.insert(state.clone(), number);
            self.before.push(Vec::new());
            self.waiting.push_back(state);
            self.found.states += 1;
        }
        self.before[number].extend(from);
    }

    fn is_of_invariant(&self, observation: &Observation) -> bool {
        let mut properties = self.model.properties.iter();
        properties.any(|property| match &property.kind {
            PropertyKind::Invariant { monitors } => monitors.contains(&observation.monitor),
            _ => false,
        })
    }

    fn note(&mut self, observations: &[Observation], state: usize) {
        for (property, seen) in self.model.properties.iter().zip(&mut self.seen) {
            let monitors = property.kind.monitors();
            let own = observations
                .iter()
                .filter(|o| o.holds && monitors.contains(&o.monitor));
            seen.extend(own.map(|o| (state, (o.monitor, o.choice))));
        }
    }

    fn words(&self, violation: &Violation) -> String {
        match violation {
            Violation::Failed { span, .. } => {
                let message = self.model.failure_message(*span);
                message.unwrap_or_else(|| "a failure without words".into())
            }
            Violation::Fault(fault) => format!("{:?}", fault.kind),
            other => format!("{other:?}"),
        }
    }

    /// Covers and liveness, which are about all states.
    fn judge_the_whole(&mut self) {
        let properties = (0..).map(PropertyId).zip(&self.model.properties);
        for ((id, property), seen) in properties.zip(&self.seen) {
            let wrong = match &property.kind {
                PropertyKind::Cover { nodes, .. } => {
                    (nodes.is_empty() && seen.is_empty()).then(String::new)
                }
                PropertyKind::Reachable { .. } => self.lost(id, seen),
                _ => None,
            };
            if let Some(whom) = wrong {
                self.found.error = Some(format!("{}{whom} is not so", property.name));
                return;
            }
        }
    }

    /// For which choice of its parameters a liveness property fails, if it does.
    fn lost(&self, id: PropertyId, seen: &[(usize, (MonitorId, u32))]) -> Option<String> {
        let Some(count) = self.model.instance_count(id) else {
            let all: Vec<usize> = seen.iter().map(|(state, _)| *state).collect();
            return (!self.always_reachable(&all)).then(String::new);
        };
        let is_lost = |instance: &u32| {
            let demanded = self.model.demanded(id, *instance);
            let own = seen.iter().filter(|(_, seen)| Some(*seen) == demanded);
            let own: Vec<usize> = own.map(|(state, _)| *state).collect();
            !self.always_reachable(&own)
        };
        let lost = (0..count).find(is_lost)?;
        let texts = self.model.instance_texts(id, lost).into_iter();
        let texts = texts.map(|(name, value)| format!("{name} = {value}"));
        let texts: Vec<String> = texts.collect();
        Some(match texts.is_empty() {
            true => String::new(),
            false => format!(" [{}]", texts.join(", ")),
        })
    }

    /// True if every state has a way to one of these.
    fn always_reachable(&self, targets: &[usize]) -> bool {
        let mut reaching = vec![false; self.before.len()];
        let mut waiting = targets.to_vec();
        while let Some(state) = waiting.pop() {
            if !std::mem::replace(&mut reaching[state], true) {
                waiting.extend(&self.before[state]);
            }
        }
        reaching.iter().all(|reaches| *reaches)
    }
}

fn first_violation(observations: &[Observation]) -> Option<(&Observation, &Violation)> {
    let mut all = observations.iter();
    all.find_map(|observation| Some((observation, observation.violations.first()?)))
}
