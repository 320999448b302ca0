//! Labels of edges: what they say about actors.

use crate::error::KripkeError;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of an actor: a process, or an action.
pub type Actor = u16;

/// What an edge says about actors. All names but those that a renaming gives are the names in the source of the edge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    acts: Box<[Actor]>,
    offers: Box<[Actor]>,
    /// Empty for the identity. Many labels share one.
    renaming: Arc<[Actor]>,
}

impl Label {
    /// A label: who takes part in the step, and who is seen by it to be enabled in its source. The target calls every actor by the same name.
    #[must_use]
    pub fn new(acts: &[Actor], offers: &[Actor]) -> Label {
        Label {
            acts: sorted(acts),
            offers: sorted(offers),
            renaming: Arc::default(),
        }
    }

    /// The label of an edge whose target calls actor `i` of the source `renaming[i]`.
    #[must_use]
    pub fn renamed(mut self, renaming: &[Actor]) -> Label {
        let moved = renaming.iter().enumerate().any(|(i, j)| i != *j as usize);
        self.renaming = if moved {
            renaming.into()
        } else {
            Arc::default()
        };
        self
    }

    /// The same for a renaming that many labels have. It must be empty if it is the identity.
    #[must_use]
    pub fn sharing(mut self, renaming: Arc<[Actor]>) -> Label {
        self.renaming = renaming;
        self
    }

    /// Who takes part in the step.
    #[must_use]
    pub fn acts(&self) -> &[Actor] {
        &self.acts
    }

    /// Who is seen by this step to be enabled in its source.
    #[must_use]
    pub fn offers(&self) -> &[Actor] {
        &self.offers
    }

    /// Whether an actor takes part in the step.
    #[must_use]
    pub fn has_acting(&self, actor: Actor) -> bool {
        self.acts.binary_search(&actor).is_ok()
    }

    /// What the target calls an actor of the source.
    #[must_use]
    pub fn rename(&self, actor: Actor) -> Actor {
        self.renaming.get(actor as usize).copied().unwrap_or(actor)
    }

    /// Whether the target calls every actor as the source does.
    #[must_use]
    pub fn keeps_names(&self) -> bool {
        self.renaming.is_empty()
    }

    fn verify(&self, actors: usize) -> Result<(), KripkeError> {
        let strange = |actor: &&Actor| usize::from(**actor) >= actors;
        if let Some(&actor) = self.acts.iter().chain(&self.offers).find(strange) {
            return Err(KripkeError::UnknownActor(actor));
        }
        let images = sorted(&self.renaming);
        let complete =
            images.len() == actors && images.iter().enumerate().all(|(i, j)| i == *j as usize);
        if self.keeps_names() || complete {
            Ok(())
        } else {
            Err(KripkeError::NotAPermutation)
        }
    }

    fn bytes(&self) -> usize {
        let names = self.acts.len() + self.offers.len();
        size_of::<Label>() + names * size_of::<Actor>()
    }
}

fn sorted(actors: &[Actor]) -> Box<[Actor]> {
    let mut actors = actors.to_vec();
    actors.sort_unstable();
    actors.dedup();
    actors.into()
}

/// All labels of a structure, each once.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    all: Vec<Arc<Label>>,
    numbers: HashMap<Arc<Label>, u32>,
    /// Each renaming once.
    renamings: HashSet<Arc<[Actor]>>,
    /// What the labels and renamings take.
    bytes: usize,
}

impl Labels {
    /// The number of a label; the next one if it is new.
    pub(crate) fn number(&mut self, mut label: Label, actors: usize) -> Result<u32, KripkeError> {
        if let Some(&known) = self.numbers.get(&label) {
            return Ok(known);
        }
        label.verify(actors)?;
        let number = u32::try_from(self.all.len()).map_err(|_| KripkeError::TooLarge)?;
        self.bytes += label.bytes();
        self.share(&mut label.renaming);
        let label = Arc::new(label);
        self.numbers.insert(label.clone(), number);
        self.all.push(label);
        Ok(number)
    }

    /// Keeps an equal renaming instead, if there is one.
    fn share(&mut self, renaming: &mut Arc<[Actor]>) {
        match self.renamings.get(renaming) {
            Some(known) => *renaming = known.clone(),
            None => {
                self.bytes += renaming.len() * size_of::<Actor>();
                self.renamings.insert(renaming.clone());
            }
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        let listed = self.all.capacity() * size_of::<Arc<Label>>();
        let found = self.numbers.capacity() * size_of::<(Arc<Label>, u32)>();
        let shared = self.renamings.capacity() * size_of::<Arc<[Actor]>>();
        self.bytes + listed + found + shared
    }

    pub(crate) fn into_list(self) -> Vec<Arc<Label>> {
        self.all
    }
}
