//! Concrete graphs that are closed under a group of renamings of actors, and their quotients.

use super::dice::RandomSource;
use mandala_kripke::{Acceptor, Label, Structure, StructureBuilder};
use mandala_temporal as temporal;
use mandala_temporal::{Automaton, Guard, Literal, Proposition, State, StateId};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

pub(crate) type Renaming = Vec<u16>;

/// What every actor does, who is special, and something that has nothing to do with actors.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Situation {
    core: usize,
    locals: Vec<usize>,
    owner: Option<u16>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Transition {
    pub source: usize,
    pub target: usize,
    pub acts: BTreeSet<u16>,
    pub offers: BTreeSet<u16>,
}

/// A graph of states with actors, closed under a group.
pub(crate) struct World {
    pub actors: usize,
    pub group: Vec<Renaming>,
    /// For each member of the group and each state, its image.
    images: Vec<Vec<usize>>,
    pub transitions: Vec<Transition>,
    /// For each proposition, where it holds.
    pub holding: Vec<Vec<bool>>,
    pub starts: Vec<usize>,
}

/// A quotient, and how it belongs to its world.
pub(crate) struct Quotient {
    pub structure: Structure,
    /// The state that each node stands for.
    pub states: Vec<usize>,
    /// For each state, its node and a member of the group that leads to the state that the node stands for.
    pub nodes: Vec<(usize, usize)>,
    /// For each edge, its transition and the member of the group that it renames by.
    pub edges: Vec<(usize, usize)>,
}

pub(crate) const PROPOSITIONS: usize = 3;

fn compose(after: &[u16], before: &[u16]) -> Renaming {
    before.iter().map(|&i| after[i as usize]).collect()
}

pub(crate) fn inverse(renaming: &[u16]) -> Renaming {
    let mut inverse = vec![0; renaming.len()];
    for (i, &j) in renaming.iter().enumerate() {
        inverse[j as usize] = i as u16;
    }
    inverse
}

fn generated(actors: usize, generators: &[Renaming]) -> Vec<Renaming> {
    let mut group: Vec<Renaming> = vec![(0..actors as u16).collect()];
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product = compose(generator, &group[next]);
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
    }
    group
}

fn situations(dice: &mut RandomSource, actors: usize) -> Vec<Situation> {
    let cores = 1 + dice.below(2);
    let owned = dice.chance(60);
    let owners = if owned { actors + 1 } else { 1 };
    let mut all = Vec::new();
    for number in 0..(cores * owners) << actors {
        let owner = number / cores % owners;
        let locals = number / cores / owners;
        all.push(Situation {
            core: number % cores,
            owner: (owner > 0).then(|| owner as u16 - 1),
            locals: (0..actors).map(|i| locals >> i & 1).collect(),
        });
    }
    all
}

impl Situation {
    fn renamed(&self, renaming: &[u16]) -> Situation {
        let mut locals = self.locals.clone();
        for (i, &j) in renaming.iter().enumerate() {
            locals[j as usize] = self.locals[i];
        }
        Situation {
            core: self.core,
            locals,
            owner: self.owner.map(|owner| renaming[owner as usize]),
        }
    }
}

/// What the transitions of a world are like.
struct Taste {
    dead_ends: bool,
    /// Whether transitions lead to few states, so that there are many cycles.
    narrow: bool,
    /// So many of a hundred actors take part in a transition, or are seen by it to be enabled.
    acting: usize,
    offering: usize,
}

impl Taste {
    fn random(dice: &mut RandomSource) -> Taste {
        Taste {
            dead_ends: dice.chance(25),
            narrow: dice.chance(50),
            acting: [8, 20, 45][dice.below(3)],
            offering: [15, 50, 85, 100][dice.below(4)],
        }
    }

    fn transition(
        &self,
        dice: &mut RandomSource,
        source: usize,
        states: usize,
        actors: usize,
    ) -> Transition {
        let mut acts = BTreeSet::new();
        let mut offers = BTreeSet::new();
        for actor in 0..actors as u16 {
            let (acting, offering) = (dice.chance(self.acting), dice.chance(self.offering));
            acting.then(|| acts.insert(actor));
            (offering || acting && dice.chance(90)).then(|| offers.insert(actor));
        }
        let near = if self.narrow {
            states.div_ceil(3)
        } else {
            states
        };
        Transition {
            source,
            target: dice.below(near),
            acts,
            offers,
        }
    }
}

impl World {
    pub(crate) fn random(dice: &mut RandomSource) -> World {
        let actors = 1 + dice.below(4);
        let generators: Vec<Renaming> = (0..dice.below(3)).map(|_| dice.shuffled(actors)).collect();
        let group = generated(actors, &generators);
        let states = situations(dice, actors);
        let numbers: HashMap<&Situation, usize> = states.iter().zip(0..).collect();
        let image = |renaming: &Renaming| {
            let images = states.iter().map(|state| numbers[&state.renamed(renaming)]);
            images.collect()
        };
        let images = group.iter().map(image).collect();
        let mut world = World {
            actors,
            group,
            images,
            transitions: Vec::new(),
            holding: Vec::new(),
            starts: Vec::new(),
        };
        world.fill(dice, states.len());
        world
    }

    fn fill(&mut self, dice: &mut RandomSource, states: usize) {
        let starts = 1 + dice.below(2);
        self.starts = (0..starts).map(|_| dice.below(states)).collect();
        let taste = Taste::random(dice);
        let count = 1 + states * (5 + dice.below(25)) / 10 / self.group.len();
        for _ in 0..count {
            let source = dice.below(states);
            self.add_orbit(taste.transition(dice, source, states, self.actors));
        }
        if !taste.dead_ends {
            self.revive(dice, &taste, states);
        }
        self.transitions.sort();
        self.transitions.dedup();
        for _ in 0..PROPOSITIONS {
            let percent = 10 + dice.below(80);
            self.holding
                .push(self.random_proposition(dice, states, percent));
        }
    }

    fn add_orbit(&mut self, transition: Transition) {
        for member in 0..self.group.len() {
            self.transitions.push(self.moved(&transition, member));
        }
    }

    /// Gives every state a transition.
    fn revive(&mut self, dice: &mut RandomSource, taste: &Taste, states: usize) {
        for state in 0..states {
            if self.transitions.iter().all(|t| t.source != state) {
                self.add_orbit(taste.transition(dice, state, states, self.actors));
            }
        }
    }

    fn random_proposition(
        &self,
        dice: &mut RandomSource,
        states: usize,
        percent: usize,
    ) -> Vec<bool> {
        let mut holding = vec![false; states];
        for state in 0..states {
            let first = (0..self.group.len()).all(|member| self.image(member, state) >= state);
            if first && dice.chance(percent) {
                (0..self.group.len()).for_each(|g| holding[self.image(g, state)] = true);
            }
        }
        holding
    }

    pub(crate) fn image(&self, member: usize, state: usize) -> usize {
        self.images[member][state]
    }

    pub(crate) fn moved(&self, transition: &Transition, member: usize) -> Transition {
        let renaming = &self.group[member];
        let rename =
            |actors: &BTreeSet<u16>| actors.iter().map(|a| renaming[*a as usize]).collect();
        Transition {
            source: self.image(member, transition.source),
            target: self.image(member, transition.target),
            acts: rename(&transition.acts),
            offers: rename(&transition.offers),
        }
    }

    pub(crate) fn member(&self, renaming: &[u16]) -> usize {
        let place = self.group.iter().position(|member| member == renaming);
        place.unwrap()
    }

    /// The member that does first one, then the other.
    pub(crate) fn then(&self, before: usize, after: usize) -> usize {
        self.member(&compose(&self.group[after], &self.group[before]))
    }

    pub(crate) fn undo(&self, member: usize) -> usize {
        self.member(&inverse(&self.group[member]))
    }

    pub(crate) fn states(&self) -> usize {
        self.images[0].len()
    }

    fn holding_in(&self, state: usize) -> Vec<u32> {
        let all = 0..PROPOSITIONS as u32;
        all.filter(|p| self.holding[*p as usize][state]).collect()
    }

    fn leaving(&self, state: usize) -> impl Iterator<Item = (usize, &Transition)> {
        let transitions = self.transitions.iter().enumerate();
        transitions.filter(move |(_, transition)| transition.source == state)
    }

    /// All states, with names that stay.
    pub(crate) fn concrete(&self) -> Structure {
        let mut builder = StructureBuilder::new(PROPOSITIONS, self.actors).unwrap();
        self.starts
            .iter()
            .for_each(|start| builder.start(*start as u32));
        for state in 0..self.states() {
            for (_, transition) in self.leaving(state) {
                let label = builder.label(label(transition)).unwrap();
                builder.edge(transition.target as u32, label).unwrap();
            }
            builder.close(&self.holding_in(state)).unwrap();
        }
        builder.finish().unwrap()
    }

    /// One state of each orbit, sometimes two, and any member of the group that leads there.
    pub(crate) fn quotient(&self, dice: &mut RandomSource) -> Quotient {
        let (states, nodes) = self.representatives(dice);
        let mut builder = StructureBuilder::new(PROPOSITIONS, self.actors).unwrap();
        for start in &self.starts {
            builder.start(nodes[*start].0 as u32);
        }
        let mut edges = Vec::new();
        for &state in &states {
            for (number, transition) in self.leaving(state) {
                let (target, member) = nodes[transition.target];
                let label = label(transition).renamed(&self.group[member]);
                let label = builder.label(label).unwrap();
                builder.edge(target as u32, label).unwrap();
                edges.push((number, member));
            }
            builder.close(&self.holding_in(state)).unwrap();
        }
        Quotient {
            structure: builder.finish().unwrap(),
            states,
            nodes,
            edges,
        }
    }

    fn representatives(&self, dice: &mut RandomSource) -> (Vec<usize>, Vec<(usize, usize)>) {
        let mut states: Vec<usize> = Vec::new();
        let mut choices: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.states()];
        for state in 0..self.states() {
            if !choices[state].is_empty() && dice.chance(90) {
                continue;
            }
            let chosen = self.image(dice.below(self.group.len()), state);
            if states.contains(&chosen) {
                continue;
            }
            for member in 0..self.group.len() {
                let origin = self.image(self.undo(member), chosen);
                choices[origin].push((states.len(), member));
            }
            states.push(chosen);
        }
        let nodes = choices
            .iter()
            .map(|all| all[dice.below(all.len())])
            .collect();
        (states, nodes)
    }
}

fn label(transition: &Transition) -> Label {
    let list = |actors: &BTreeSet<u16>| actors.iter().copied().collect::<Vec<_>>();
    Label::new(&list(&transition.acts), &list(&transition.offers))
}

pub(crate) fn random_acceptor(dice: &mut RandomSource) -> Acceptor {
    let automaton = random_automaton(dice);
    let acceptor = Acceptor::new(Arc::new(automaton)).unwrap();
    match dice.chance(30) {
        true => acceptor.where_marked(Proposition(dice.below(PROPOSITIONS))),
        false => acceptor,
    }
}

pub(crate) fn random_automaton(dice: &mut RandomSource) -> Automaton {
    let count = 1 + dice.below(3);
    let mut states = Vec::new();
    for number in 0..count {
        let accepting = dice.chance(70);
        let mut transitions = Vec::new();
        for _ in 0..1 + dice.below(3) {
            let guard = random_guard(dice);
            transitions.push(temporal::Transition::new(guard, StateId(dice.below(count))));
        }
        states.push(State::numbered(number, accepting, transitions));
    }
    let accept_all = None;
    Automaton { states, accept_all }
}

/// The same automaton with so many more states, most of which nothing leads to: each of its own has copies, and transitions lead to any of them.
pub(crate) fn enlarged(dice: &mut RandomSource, automaton: &Automaton, copies: usize) -> Automaton {
    let count = automaton.states.len();
    let states = (0..count * copies).map(|number| {
        let state = &automaton.states[number % count];
        let transitions = state.transitions.iter().map(|it| {
            let target = it.target.0 + count * dice.below(copies);
            temporal::Transition::new(it.guard.clone(), StateId(target))
        });
        State::numbered(number, state.accepting, transitions.collect())
    });
    Automaton {
        states: states.collect(),
        accept_all: None,
    }
}

fn random_guard(dice: &mut RandomSource) -> Guard {
    let literal = |dice: &mut RandomSource| {
        Guard::Literal(Literal {
            proposition: Proposition(dice.below(PROPOSITIONS)),
            positive: dice.chance(70),
        })
    };
    match dice.below(10) {
        0..4 => Guard::True,
        4..8 => literal(dice),
        8 => literal(dice).and(literal(dice)),
        _ => literal(dice).or(literal(dice)),
    }
}
