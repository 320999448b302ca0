//! The origins of the names in a component.

use crate::components::Components;
use crate::label::{Actor, Label};
use crate::product::Product;
use std::collections::HashMap;
use std::sync::Arc;

/// For each pair of a member and a name, the name at the first member from which it came along a tree of steps.
///
/// The names of a member come from a permutation of those of the first one, and there are few permutations where there are many
/// members. So each is kept once, and a member takes four bytes.
#[derive(Default)]
pub(crate) struct Origins {
    /// The number of the permutation of each member. None at all where no edge changes names.
    members: Vec<u32>,
    permutations: Vec<Arc<[Actor]>>,
    numbers: HashMap<Arc<[Actor]>, u32>,
}

/// The number of a permutation that is not known yet. There are fewer members.
const UNKNOWN: u32 = u32::MAX;

impl Origins {
    /// The origins in the component that was found last.
    pub(crate) fn new(components: &Components<Product<'_>>, actors: usize) -> Origins {
        let mut origins = Origins {
            members: vec![UNKNOWN; components.members().len()],
            ..Origins::default()
        };
        origins.members[0] = origins.number((0..actors as Actor).collect());
        let mut waiting = vec![0];
        while let Some(member) = waiting.pop() {
            for (step, target) in components.steps_inside(components.members()[member]) {
                if origins.members[target] == UNKNOWN {
                    let label = components.product().label(&step);
                    origins.members[target] = origins.handed_on(member, label);
                    waiting.push(target);
                }
            }
        }
        origins
    }

    pub(crate) fn of(&self, member: usize, name: Actor) -> Actor {
        match self.members.get(member) {
            Some(&number) => self.permutations[number as usize][usize::from(name)],
            None => name,
        }
    }

    /// The permutation of the target of an edge from a member.
    fn handed_on(&mut self, member: usize, label: &Label) -> u32 {
        let number = self.members[member];
        if label.keeps_names() {
            return number;
        }
        let source = &self.permutations[number as usize];
        let mut target = source.to_vec();
        for (name, origin) in (0..).zip(source.iter()) {
            target[usize::from(label.rename(name))] = *origin;
        }
        self.number(target)
    }

    /// The number of a permutation; the next one if it is new.
    fn number(&mut self, permutation: Vec<Actor>) -> u32 {
        if let Some(&known) = self.numbers.get(&permutation[..]) {
            return known;
        }
        let number = self.permutations.len() as u32;
        let permutation: Arc<[Actor]> = permutation.into();
        self.numbers.insert(permutation.clone(), number);
        self.permutations.push(permutation);
        number
    }
}
