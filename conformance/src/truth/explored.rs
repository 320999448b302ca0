//! States by number, with their steps and their images.

use crate::quotient::{moved, outcome, violation_kind};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_symmetry::{Action, Certificate, Renaming};
use std::collections::{BTreeSet, HashMap};

/// The states that can be reached from the start, and others as they are met, all with their steps.
#[derive(Clone, Debug)]
pub struct Explored<'m> {
    interpreter: Interpreter<'m>,
    states: Vec<Configuration>,
    numbers: HashMap<Configuration, u32>,
    /// Of each state, once somebody has asked.
    steps: Vec<Option<BTreeSet<Step>>>,
    reached: usize,
}

/// A step as it counts: where it leads, and what goes wrong on the way, places left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The state that it leads to, if the run goes on.
    pub next: Option<u32>,
    /// What goes wrong.
    pub wrong: Vec<String>,
}

impl<'m> Explored<'m> {
    /// Visits everything that can be reached; `None` if there are more states than that, or none at all.
    pub fn of(model: &'m Model, observers: Observers, limit: usize) -> Option<Self> {
        let interpreter = Interpreter::new(model, observers);
        let mut explored = Explored {
            interpreter,
            states: Vec::new(),
            numbers: HashMap::new(),
            steps: Vec::new(),
            reached: 0,
        };
        explored.number(interpreter.start().ok()?);
        while explored.reached < explored.states.len() {
            explored.work_out(explored.reached as u32);
            explored.reached += 1;
            if explored.states.len() > limit {
                return None;
            }
        }
        Some(explored)
    }

    /// How many states can be reached from the start: those are the first.
    pub fn reached(&self) -> usize {
        self.reached
    }

    /// How many states have a number.
    pub fn known(&self) -> usize {
        self.states.len()
    }

    /// What runs.
    pub fn model(&self) -> &'m Model {
        self.interpreter.model()
    }

    /// The state of that number.
    pub fn state(&self, number: u32) -> &Configuration {
        &self.states[number as usize]
    }

    /// The steps of a state.
    pub fn steps(&mut self, number: u32) -> &BTreeSet<Step> {
        self.work_out(number);
        self.steps[number as usize].get_or_insert_default()
    }

    /// What is wrong with a state itself: a deadlock, for instance.
    pub fn verdict(&self, number: u32) -> Option<String> {
        let verdict = self.interpreter.verdict_here(self.state(number));
        verdict.as_ref().map(violation_kind)
    }

    fn number(&mut self, configuration: Configuration) -> u32 {
        if let Some(number) = self.numbers.get(&configuration) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.states.push(configuration.clone());
        self.steps.push(None);
        self.numbers.insert(configuration, number);
        number
    }

    fn work_out(&mut self, number: u32) {
        if self.steps[number as usize].is_some() {
            return;
        }
        let chains = self.interpreter.macro_steps(self.state(number));
        let outcomes = chains.iter().filter_map(outcome);
        let steps = outcomes.map(|(next, wrong)| Step {
            next: next.map(|next| self.number(next)),
            wrong,
        });
        let steps = steps.collect();
        self.steps[number as usize] = Some(steps);
    }
}

/// What the generators of a certificate do to states.
#[derive(Clone, Debug)]
pub struct Images<'c> {
    certificate: &'c Certificate,
    action: Action<'c>,
    generators: Vec<Renaming>,
    /// For each generator, for each state that somebody has asked for.
    known: Vec<HashMap<u32, Option<u32>>>,
}

impl<'c> Images<'c> {
    /// Those of a certificate of the model.
    pub fn of(model: &Model, certificate: &'c Certificate) -> Self {
        Images::under(model, certificate, certificate.generators())
    }

    /// The same for any renamings of what the certificate is about, certified or not.
    pub fn under(model: &Model, certificate: &'c Certificate, renamings: Vec<Renaming>) -> Self {
        Images {
            certificate,
            action: Action::new(model, certificate.sorts()),
            known: vec![HashMap::new(); renamings.len()],
            generators: renamings,
        }
    }

    /// The renamings.
    pub fn generators(&self) -> &[Renaming] {
        &self.generators
    }

    /// The image of a state under a generator; `None` if it may not be applied there.
    pub fn image(&mut self, explored: &mut Explored<'_>, generator: usize, of: u32) -> Option<u32> {
        if let Some(image) = self.known[generator].get(&of) {
            return *image;
        }
        let image = self.usable(generator, explored.state(of)).then(|| {
            let image = moved(
                &self.action,
                &self.generators[generator],
                explored.state(of),
            );
            image.map(|image| explored.number(image))
        });
        let image = image.flatten();
        self.known[generator].insert(of, image);
        image
    }

    /// Whether everything that a generator moves is settled.
    fn usable(&self, generator: usize, at: &Configuration) -> bool {
        let renaming = &self.generators[generator];
        let domains = self.certificate.domains().iter().enumerate();
        let mut touched = domains.filter(|(d, _)| self.certificate.touches(renaming, *d));
        touched.all(|(_, domain)| domain.is_settled(&at.state))
    }

    /// What a generator does not preserve in a state where it may be applied, in words.
    pub fn breach(
        &mut self,
        explored: &mut Explored<'_>,
        generator: usize,
        at: u32,
    ) -> Option<&'static str> {
        let image = self.image(explored, generator, at)?;
        let mut ours = BTreeSet::new();
        for step in explored.steps(at).clone() {
            let next = match step.next {
                Some(next) => match self.image(explored, generator, next) {
                    Some(image) => Some(image),
                    None => return Some("a step leads to where it cannot be applied"),
                },
                None => None,
            };
            ours.insert(Step { next, ..step });
        }
        if ours != *explored.steps(image) {
            return Some("steps are told apart");
        }
        let verdicts = explored.verdict(at) == explored.verdict(image);
        (!verdicts).then_some("verdicts are told apart")
    }
}
