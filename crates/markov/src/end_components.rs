//! Maximal end components: sets of states in which choices can be taken so that runs stay there and go everywhere.
//!
//! The algorithm takes out choices that may leave their strongly connected component, until none does: de Alfaro, *Formal verification of probabilistic systems*, 1997, algorithm 3.1;
//! Courcoubetis and Yannakakis, *The complexity of probabilistic verification*, 1995. Where values are computed, the states of a component count as one, as all of them have the value of
//! the best choice that leaves: Haddad and Monmege, *Interval iteration algorithm for MDPs and IMDPs*, 2018.

use crate::process::Process;
use mandala_kripke::{Bits, Components, Successors};

/// Maximal end components.
pub(crate) struct EndComponents {
    /// For each state the number of its component, if it is in one.
    pub of_state: Vec<Option<u32>>,
    /// The choices that stay inside of one.
    pub inside: Bits,
    /// How many there are.
    pub count: u32,
}

/// A process with some of its choices.
struct Part<'a> {
    process: &'a Process,
    choices: &'a Bits,
}

impl Successors for Part<'_> {
    fn nodes(&self) -> usize {
        self.process.states()
    }

    fn next_successor(&self, node: u32, position: &mut u32) -> Option<u32> {
        let mut skipped = 0;
        for choice in self.process.choices(node) {
            let branches = self.process.branches(choice);
            let here = *position - skipped;
            if (here as usize) < branches.len() && self.choices.has(choice as usize) {
                *position += 1;
                return Some(branches[here as usize].target);
            }
            skipped += branches.len() as u32;
            *position = (*position).max(skipped);
        }
        None
    }
}

/// The maximal end components of those states and choices.
pub(crate) fn end_components(
    process: &Process,
    states: &Bits,
    allowed: impl Fn(u32) -> bool,
) -> EndComponents {
    let mut part = EndComponents {
        of_state: vec![None; process.states()],
        inside: Bits::none(process.all_choices()),
        count: 0,
    };
    for state in states.iter() {
        for choice in process.choices(state as u32).filter(|&it| allowed(it)) {
            part.inside.insert(choice as usize);
        }
    }
    let mut states = states.clone();
    loop {
        part.number_components(process, &states);
        if !part.leave_out(process, &mut states) {
            part.forget_others(&states);
            return part;
        }
    }
}

impl EndComponents {
    /// Gives each state the number of its strongly connected component.
    fn number_components(&mut self, process: &Process, states: &Bits) {
        self.of_state.fill(None);
        self.count = 0;
        let choices = &self.inside;
        let roots = states.iter().map(|state| state as u32).collect();
        let part = Part { process, choices };
        let mut components = Components::within(part, roots, |it| states.has(it as usize));
        while components.advance() {
            for &member in components.members() {
                self.of_state[member as usize] = Some(self.count);
            }
            self.count += 1;
        }
    }

    /// Takes out choices that may leave their component, and states without any. Says whether there were some.
    fn leave_out(&mut self, process: &Process, states: &mut Bits) -> bool {
        let mut changed = false;
        for state in states.clone().iter() {
            let own = self.of_state[state];
            let mut stays = false;
            for choice in process.choices(state as u32) {
                if !self.inside.has(choice as usize) {
                    continue;
                }
                let mut branches = process.branches(choice).iter();
                if branches.all(|it| self.of_state[it.target as usize] == own) {
                    stays = true;
                } else {
                    self.inside.remove(choice as usize);
                    changed = true;
                }
            }
            if !stays {
                states.remove(state);
                self.of_state[state] = None;
                changed = true;
            }
        }
        changed
    }

    /// Numbers the components that are left one after the other.
    fn forget_others(&mut self, states: &Bits) {
        let mut numbers = vec![None; self.count as usize];
        self.count = 0;
        for state in states.iter() {
            let Some(old) = self.of_state[state] else {
                continue;
            };
            let new = *numbers[old as usize].get_or_insert_with(|| {
                self.count += 1;
                self.count - 1
            });
            self.of_state[state] = Some(new);
        }
    }
}
