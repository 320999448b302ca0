//! The actors of a graph of states: those that take part in a step, and their images under renamings.

use crate::options::Whom;
use mandala_encoding::{Arrival, Program};
use mandala_kripke::{Actor, Label};
use mandala_symmetry::{ActionNumbers, Renaming, Statements};
use std::collections::HashMap;
use std::sync::Arc;

/// The actors of the steps of a program: processes, or statements of processes, each with a choice of its parameters.
#[derive(Debug)]
pub(crate) struct Actors {
    /// To whom runs have to be fair; none if no step has an actor.
    whom: Option<Whom>,
    processes: usize,
    /// How many actors a process is.
    each: usize,
    /// What renamings do to statements.
    statements: Option<Arc<Statements>>,
    numbers: ActionNumbers,
    /// What those do that have come up.
    renamings: HashMap<Renaming, Arc<[Actor]>>,
}

impl Actors {
    /// Those of all processes that states have had so far.
    pub(super) fn new(
        program: &Program,
        whom: Option<Whom>,
        statements: Option<Arc<Statements>>,
    ) -> Self {
        let actions = program.actions();
        let each = match whom {
            None => 0,
            Some(Whom::Processes) => 1,
            Some(Whom::Actions) => actions.count as usize,
        };
        Actors {
            whom,
            processes: program.most_processes(),
            each,
            statements,
            numbers: ActionNumbers {
                firsts: actions.firsts,
                count: actions.count,
            },
            renamings: HashMap::new(),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.each * self.processes
    }

    /// Whether steps have actors at all.
    pub(super) fn is_wanted(&self) -> bool {
        self.whom.is_some()
    }

    /// The label with what a renaming does to actors; none if it is not known what that is.
    pub(super) fn renamed(&mut self, label: Label, renaming: Renaming) -> Option<Label> {
        match self.whom {
            Some(Whom::Actions) => {
                let images = self.actions(renaming)?;
                Some(label.sharing(images))
            }
            Some(Whom::Processes) | None => {
                let names = 0..self.processes as u32;
                let images = names.map(|process| renaming.processes().image(process) as Actor);
                Some(label.renamed(&images.collect::<Vec<Actor>>()))
            }
        }
    }

    /// What becomes of each action; empty if nothing does.
    fn actions(&mut self, renaming: Renaming) -> Option<Arc<[Actor]>> {
        if let Some(known) = self.renamings.get(&renaming) {
            return Some(known.clone());
        }
        let statements = self.statements.as_ref()?;
        let images = statements.images(&renaming, self.processes as u32, &self.numbers)?;
        let moved = images
            .iter()
            .zip(0..)
            .any(|(image, action)| *image != action);
        // There are no more actors than an actor can be numbered.
        let images = images
            .into_iter()
            .filter(|_| moved)
            .map(|image| image as Actor);
        let images: Arc<[Actor]> = images.collect();
        self.renamings.insert(renaming, images.clone());
        Some(images)
    }

    /// What is known of renamings takes so much memory.
    pub(super) fn bytes(&self) -> usize {
        let each = self.len() * size_of::<Actor>() + 2 * size_of::<Renaming>();
        self.renamings.len() * each
    }

    /// The actors of the step to an arrival.
    pub(super) fn label(&self, arrival: &Arrival<'_, '_>) -> Label {
        if self.whom.is_none() {
            return Label::default();
        }
        let takers = arrival.takers();
        let acts: Vec<Actor> = takers
            .map(|taker| match self.whom {
                Some(Whom::Actions) => {
                    (taker.process as usize * self.each + taker.action as usize) as Actor
                }
                _ => taker.process as Actor,
            })
            .collect();
        let offers = acts.first().copied();
        Label::new(&acts, offers.as_slice())
    }
}
