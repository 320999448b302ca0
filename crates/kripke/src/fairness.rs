//! Fair components: strongly connected components with fair runs, decided up to symmetry.
//!
//! # Fairness
//!
//! A run is *weakly* fair if every actor is disabled again and again, or acts again and again: nobody is ignored who could
//! always act. It is *strongly* fair if every actor that is enabled again and again also acts again and again.
//!
//! Every infinite run of a finite graph stays in one strongly connected component in the end, so the
//! question is whether a component has a run that is fair and meets all its accepting nodes again and again.
//!
//! # With names that change
//!
//! The nodes of a graph up to symmetry stand for orbits of states, and an edge says how the actors of its source are called in its
//! target. "Actor 1" of a node is no particular process: on a run, one process has a name at each node, and the names change along the edges.
//! So a process that runs through a component walks in the graph of *pairs* (node, name): an edge from *s* to *t*
//! with the renaming *p* leads from (*s*, *i*) to (*t*, *p*(*i*)).
//!
//! A renaming is a permutation, so exactly one pair-edge over each edge leads into each pair over its target. Take an edge
//! from pair *x* to pair *y*. It lies over an edge of a cycle, since the component is strongly connected. Going round that cycle
//! from *x* permutes the pairs over its node, and going round often enough comes back to *x*. So there is a way back from *y*
//! to *x*: pairs that are connected at all are strongly connected. The *classes* of connected pairs are therefore exactly
//! the sets of pairs that one process can walk through, and joining the two ends of each pair-edge finds them.
//!
//! # Weak fairness: the whole component or nothing
//!
//! A component has a weakly fair run iff every class has a *witness*: a pair that is disabled, or one that acts on
//! an edge that stays inside.
//!
//! - *If*: from any node, send the first process to a witness of its class and keep track of the names of all others; then the second
//!   from where it is by now, and so on; visit an accepting node, go home, begin again.
//! - *Only if*: a class without a witness has a pair at every node, for a way leads from any of its pairs to every node. The process that has
//!   that name is enabled for ever and never acts, whichever way the run takes.
//!
//! The second argument holds for every part of the component too, and a part has no more witnesses than the whole. So no part of an unfair component is fair:
//! maximal components suffice.
//!
//! # Strong fairness: taking away
//!
//! Now a class is *bad* if it is enabled at some pair and acts nowhere. If no class is bad, the run above is strongly fair, with an edge on
//! which the process acts as its witness, unless its class is enabled nowhere. If (*s*, *i*) is enabled and
//! its class is bad, no fair run visits *s* again and again: each time, the process that is called *i* there is enabled; there are finitely
//! many, so one of them is enabled again and again, and it never acts. So all such nodes are taken away and the components
//! of what is left are judged in the same way. (The same recursion decides emptiness of Streett automata without symmetry.)
//!
//! This ends soon. A bad class has a pair at every node, enabled somewhere before and nowhere in what is left. So each time, every node that is left has one
//! name more whose class is enabled nowhere, and an edge is looked at no more often than there are actors, plus one.
//!
//! # How classes are found
//!
//! Along a tree of edges from the first member to all others every pair gets an *origin*: the name at the first member from which
//! it came. Pairs with the same origin are in one class, and the edges outside the tree join origins. So
//! the union-find has as many elements as there are actors, and a node takes the number of a permutation (module `origins`).
//!
//! # Rejected
//!
//! Copies of the graph, one for each process that has to wait its turn (as Spin does it): a copy speaks of one
//! process by name, and there are no names that stay.

use crate::components::Components;
use crate::label::Actor;
use crate::origins::Origins;
use crate::product::{Product, Step};

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// All.
    None,
    /// Those on which every actor is disabled or acts again and again.
    Weak,
    /// Those on which every actor that is enabled again and again acts again and again.
    Strong,
}

/// What is known about a component.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// A fair run visits all its nodes again and again.
    Fair,
    /// Fair runs can stay in these nodes at most.
    AtMost(Vec<u32>),
}

/// Judges one component after the other, and knows the classes of the last.
pub(crate) struct Judge<'a> {
    product: Product<'a>,
    fairness: Fairness,
    origins: Origins,
    classes: Classes,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(product: Product<'a>, fairness: Fairness) -> Judge<'a> {
        Judge {
            product,
            fairness,
            origins: Origins::default(),
            classes: Classes::default(),
        }
    }

    pub(crate) fn fairness(&self) -> Fairness {
        self.fairness
    }

    pub(crate) fn judge(&mut self, components: &Components<Product<'_>>) -> Judgement {
        if self.fairness == Fairness::None || self.actors() == 0 {
            return Judgement::Fair;
        }
        self.classify(components);
        let classes = &self.classes;
        let unfair = |actor| match self.fairness {
            Fairness::None => false,
            Fairness::Weak => !classes.knows(actor, |seen| seen.disabled || seen.acts),
            Fairness::Strong => self.is_bad(actor),
        };
        let names = 0..self.actors() as Actor;
        match names.into_iter().any(unfair) {
            false => Judgement::Fair,
            true if self.fairness == Fairness::Weak => Judgement::AtMost(Vec::new()),
            true => Judgement::AtMost(self.without_bad(components)),
        }
    }

    /// Whether the actor that a member calls by a name is enabled somewhere in the component.
    pub(crate) fn is_ever_enabled(&self, member: usize, name: Actor) -> bool {
        let origin = self.origins.of(member, name);
        self.classes.knows(origin, |seen| seen.enabled)
    }

    fn actors(&self) -> usize {
        self.product.structure.actors()
    }

    fn classify(&mut self, components: &Components<Product<'_>>) {
        self.classes = Classes::apart(self.actors());
        if !self.product.structure.keeps_names() {
            self.origins = Origins::new(components, self.actors());
        }
        for (member, &node) in components.members().iter().enumerate() {
            self.look(member, node);
            for (step, target) in components.steps_inside(node) {
                self.follow(member, target, &step);
            }
        }
        self.classes.sum_up();
    }

    /// Notes who is enabled at a member and who is not.
    fn look(&mut self, member: usize, node: u32) {
        let enabled = self.enabled(node);
        for (name, enabled) in enabled.into_iter().enumerate() {
            let origin = self.origins.of(member, name as Actor);
            let seen = &mut self.classes.seen[origin as usize];
            seen.enabled |= enabled;
            seen.disabled |= !enabled;
        }
    }

    /// Notes who acts on a step, and joins the classes of the pairs that it connects.
    fn follow(&mut self, member: usize, target: usize, step: &Step) {
        let label = self.product.label(step);
        for &name in label.acts() {
            let origin = self.origins.of(member, name);
            self.classes.seen[origin as usize].acts = true;
        }
        // With much symmetry the first few edges join everything.
        if !self.product.structure.keeps_names() && self.classes.count > 1 {
            for name in 0..self.actors() as Actor {
                let ends = (
                    self.origins.of(member, name),
                    self.origins.of(target, label.rename(name)),
                );
                self.classes.join(ends.0, ends.1);
            }
        }
    }

    fn enabled(&self, node: u32) -> Vec<bool> {
        let structure = self.product.structure;
        let mut enabled = vec![false; self.actors()];
        for edge in structure.edges(self.product.node(node)) {
            for &actor in structure.label(edge).offers() {
                enabled[usize::from(actor)] = true;
            }
        }
        enabled
    }

    fn is_bad(&self, origin: Actor) -> bool {
        self.classes
            .knows(origin, |seen| seen.enabled && !seen.acts)
    }

    /// The members at which nobody of a bad class is enabled.
    fn without_bad(&self, components: &Components<Product<'_>>) -> Vec<u32> {
        let members = components.members().iter().enumerate();
        let good = members.filter(|(member, node)| {
            let mut enabled = self.enabled(**node).into_iter().enumerate();
            !enabled.any(|(name, enabled)| {
                enabled && self.is_bad(self.origins.of(*member, name as Actor))
            })
        });
        good.map(|(_, node)| *node).collect()
    }
}

/// What has been seen of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    enabled: bool,
    disabled: bool,
    acts: bool,
}

/// Classes of origins.
#[derive(Debug, Default)]
struct Classes {
    /// Another origin in the same class, or the origin itself if it speaks for the class.
    towards: Vec<Actor>,
    /// The number of classes.
    count: usize,
    /// For each origin, what has been seen of it; in the end, what has been seen of its class.
    seen: Vec<Seen>,
}

impl Classes {
    /// Each origin is a class of its own.
    fn apart(actors: usize) -> Classes {
        Classes {
            towards: (0..actors as Actor).collect(),
            count: actors,
            seen: vec![Seen::default(); actors],
        }
    }

    fn speaker(&self, mut origin: Actor) -> Actor {
        while self.towards[usize::from(origin)] != origin {
            origin = self.towards[usize::from(origin)];
        }
        origin
    }

    fn join(&mut self, one: Actor, other: Actor) {
        if one == other {
            return;
        }
        let (one, other) = (self.speaker(one), self.speaker(other));
        self.count -= usize::from(one != other);
        self.towards[usize::from(one.max(other))] = one.min(other);
    }

    fn sum_up(&mut self) {
        let actors = 0..self.towards.len() as Actor;
        let speakers: Vec<Actor> = actors.map(|origin| self.speaker(origin)).collect();
        let mut sums = vec![Seen::default(); speakers.len()];
        for (seen, speaker) in self.seen.iter().zip(&speakers) {
            let sum = &mut sums[usize::from(*speaker)];
            sum.enabled |= seen.enabled;
            sum.disabled |= seen.disabled;
            sum.acts |= seen.acts;
        }
        self.seen = speakers
            .iter()
            .map(|speaker| sums[usize::from(*speaker)])
            .collect();
    }

    /// Whether something has been seen of a class, once that is summed up. Of no class anything has been seen if nothing was to be found out.
    fn knows(&self, origin: Actor, what: impl Fn(Seen) -> bool) -> bool {
        self.seen
            .get(usize::from(origin))
            .is_some_and(|seen| what(*seen))
    }
}
