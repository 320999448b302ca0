//! Twins: names that can change places in a state while everything else stays, and which moves need not be made because of them.
//!
//! # The idea
//!
//! A renaming that maps a state to itself maps its moves to each other. A move is a *tuple* of names: who moves, the values of the parameters of the edge, who receives
//! at a rendezvous. Two moves in one orbit lead to states in one orbit, so one of them is enough, and it counts as often as there are moves in its orbit: that is its
//! *weight*.
//!
//! Only exchanges of two names are used here, and what these generate: in a class of twins, all permutations. So the orbit of a tuple is known without any search. The first
//! tuple of an orbit is the one in which the twins of each class come up in their order. A name may be next in a tuple iff it is in the tuple already, or
//! it is the first of its class, or the twin before it is in the tuple already: then all twins before it are. It multiplies the weight by how many twins there are from it on,
//! since each of those could be in its place.
//!
//! Whatever is no part of the tuple by these tables (a parameter that is not known to be a name) is gone through as ever. That is sound, and the weights are still
//! right: the moves with one first name are as many as those with each of its twins.
//!
//! The order of twins is the order in which moves are tried, so that the move that is made is the one of its orbit that is met first, and a search finds new states in the same order.
//!
//! # What is not reduced
//!
//! A renaming of the state says nothing of what comes after the first move of a step, so inside an atomic sequence every move is made.

use crate::program::Program;
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::parameters::Values;

/// What is known of a name in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Twin {
    /// The thing that it is a name of. Things may have several names: a process and the value that is tied to it.
    pub thing: u32,
    /// The thing of its class that comes before it, or [`NONE`].
    pub before: u32,
    /// How many things of its class there are from this one on.
    pub left: u32,
    /// The number of its class.
    pub class: u32,
}

/// There is no such thing.
pub(crate) const NONE: u32 = u32::MAX;

impl Twin {
    /// A thing without twins.
    fn alone(thing: u32) -> Self {
        Twin {
            thing,
            before: NONE,
            left: 1,
            class: thing,
        }
    }
}

/// The names of a state, and which of them are twins.
#[derive(Clone, Debug, Default)]
pub struct Twins {
    pub(crate) names: Vec<Twin>,
    /// The names that have twins.
    members: Vec<u32>,
}

impl Twins {
    /// So many names, none of which has twins.
    pub(crate) fn new(names: u32) -> Self {
        Twins {
            names: (0..names).map(Twin::alone).collect(),
            members: Vec::new(),
        }
    }

    /// Whether there are no twins.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Forgets all twins.
    pub fn clear(&mut self) {
        for member in self.members.drain(..) {
            self.names[member as usize] = Twin::alone(member);
        }
    }

    /// Adds a class of things that can change places, in the order in which they are tried; for each the names that it has, at least one.
    pub fn add_class<N: Iterator<Item = u32>>(&mut self, things: impl ExactSizeIterator<Item = N>) {
        let (mut before, mut class) = (NONE, NONE);
        let mut left = things.len() as u32;
        for mut names in things {
            let Some(thing) = names.next() else { return };
            if class == NONE {
                class = thing;
            }
            let twin = Twin {
                thing,
                before,
                left,
                class,
            };
            for name in std::iter::once(thing).chain(names) {
                self.names[name as usize] = twin;
                self.members.push(name);
            }
            before = thing;
            left -= 1;
        }
    }
}

/// Which names stand for the processes of a program, and for the values of the parameters of its edges.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// How many names there are.
    pub(crate) names: u32,
    /// By the number of a process.
    processes: Vec<Option<u32>>,
    /// For each row of the table of parameters, the name of the first value. Those of the others follow.
    parameters: Vec<Option<u32>>,
}

impl Roles {
    /// Roles of so many names. `parameter` gives the name of the first value of a parameter of an edge or a monitor, if the names of the other values follow.
    pub fn new(
        program: &Program,
        names: u32,
        processes: Vec<Option<u32>>,
        parameter: impl Fn(EdgeId, usize, &Values) -> Option<u32>,
    ) -> Self {
        let mut parameters = vec![None; program.code.parameters.len()];
        for (id, template) in program.parts.templates.iter().enumerate() {
            for (index, edge) in (0..).zip(&template.edges) {
                let id = EdgeId {
                    template: TemplateId::from(id),
                    index,
                };
                for (number, row) in edge.parameters.of(&program.code).iter().enumerate() {
                    let first = parameter(id, number, &row.values);
                    let last = first.and_then(|first| first.checked_add(row.count));
                    let fits = last.is_some_and(|last| last <= names);
                    parameters[edge.parameters.first as usize + number] = first.filter(|_| fits);
                }
            }
        }
        let known = |name: &Option<u32>| name.is_none_or(|name| name < names);
        debug_assert!(processes.iter().all(known), "a name of a process is one");
        Roles {
            names,
            processes,
            parameters,
        }
    }

    /// The name of a process.
    #[inline]
    pub(crate) fn process(&self, number: u32) -> Option<u32> {
        self.processes.get(number as usize).copied().flatten()
    }

    /// How far the names of these processes are from their numbers, none if they have no names; nothing if that is not the same for all of them.
    pub(crate) fn distance(&self, processes: impl Iterator<Item = u32>) -> Option<Option<i64>> {
        let mut distances = processes.map(|number| {
            let name = self.process(number);
            name.map(|name| i64::from(name) - i64::from(number))
        });
        let first = distances.next()?;
        distances.all(|other| other == first).then_some(first)
    }

    /// The name of the first value of the parameter in a row.
    #[inline]
    pub(crate) fn parameter(&self, row: u32) -> Option<u32> {
        self.parameters.get(row as usize).copied().flatten()
    }
}

/// The names in the tuple of a move, as far as it is known, and how many moves it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Tuple {
    things: Vec<u32>,
    pub weight: u64,
}

/// Where a tuple was, so that it can go back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    things: usize,
    weight: u64,
}

impl Default for Tuple {
    fn default() -> Self {
        Tuple {
            things: Vec::new(),
            weight: 1,
        }
    }
}

impl Tuple {
    /// A move that nobody takes part in yet.
    pub fn begin(&mut self) {
        self.things.clear();
        self.weight = 1;
    }

    /// Adds a name. False if there is an earlier tuple in the orbit, and then nothing has changed.
    #[inline]
    pub fn add(&mut self, twin: Twin) -> bool {
        if self.things.contains(&twin.thing) {
            return true;
        }
        if twin.before != NONE && !self.things.contains(&twin.before) {
            return false;
        }
        self.things.push(twin.thing);
        // As many as there are moves, which are counted in as many bits.
        self.weight = self.weight.saturating_mul(twin.left.into());
        true
    }

    pub fn mark(&self) -> Mark {
        Mark {
            things: self.things.len(),
            weight: self.weight,
        }
    }

    pub fn go_back(&mut self, mark: Mark) {
        self.things.truncate(mark.things);
        self.weight = mark.weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn twins(names: u32, classes: &[&[u32]]) -> Twins {
        let mut twins = Twins::new(names);
        for class in classes {
            twins.add_class(class.iter().map(|name| std::iter::once(*name)));
        }
        twins
    }

    /// All tuples of so many names, in order.
    fn tuples(names: u32, length: u32) -> Vec<Vec<u32>> {
        let digits = |number: u32| {
            (0..length)
                .rev()
                .map(move |at| number / names.pow(at) % names)
        };
        (0..names.pow(length))
            .map(|n| digits(n).collect())
            .collect()
    }

    /// What is the same for all tuples of an orbit: for each place, the class of the name and which of its names this is by first occurrence.
    fn orbit(twins: &Twins, tuple: &[u32]) -> Vec<(u32, usize)> {
        let first = |name: &u32| tuple.iter().position(|other| other == name).unwrap_or(0);
        let entry = |name: &u32| (twins.names[*name as usize].class, first(name));
        tuple.iter().map(entry).collect()
    }

    #[test]
    fn the_first_tuple_of_each_orbit_is_made_and_counts_for_all() {
        let cases: [&[&[u32]]; 4] = [&[], &[&[0, 1, 2, 3, 4]], &[&[0, 1], &[2, 4]], &[&[1, 2, 3]]];
        for classes in cases {
            let twins = twins(5, classes);
            let mut sizes: BTreeMap<_, (Vec<u32>, u64)> = BTreeMap::new();
            for tuple in tuples(5, 3) {
                let entry = sizes.entry(orbit(&twins, &tuple));
                entry.or_insert((tuple, 0)).1 += 1;
            }
            let mut made = BTreeSet::new();
            for tuple in tuples(5, 3) {
                let mut names = Tuple::default();
                if tuple
                    .iter()
                    .all(|name| names.add(twins.names[*name as usize]))
                {
                    made.insert((tuple, names.weight));
                }
            }
            let expected: BTreeSet<_> = sizes.into_values().collect();
            assert_eq!(made, expected, "{classes:?}");
        }
    }

    #[test]
    fn names_of_one_thing_are_one() {
        let mut twins = Twins::new(6);
        twins.add_class(
            [[0, 3], [1, 4], [2, 5]]
                .into_iter()
                .map(|names| names.into_iter()),
        );
        let mut tuple = Tuple::default();
        assert!(tuple.add(twins.names[0]) && tuple.add(twins.names[3]));
        assert_eq!(tuple.weight, 3);
        let mark = tuple.mark();
        assert!(!tuple.add(twins.names[5]) && tuple.add(twins.names[4]));
        assert_eq!(tuple.weight, 6);
        tuple.go_back(mark);
        assert!(!tuple.add(twins.names[2]));
        assert_eq!(tuple.weight, 3);
        tuple.begin();
        assert!(!tuple.add(twins.names[1]) && tuple.weight == 1);
        assert!(tuple.add(twins.names[0]) && tuple.weight == 3);
        twins.clear();
        assert!(twins.is_empty());
        assert_eq!(twins.names, Twins::new(6).names);
    }
}
