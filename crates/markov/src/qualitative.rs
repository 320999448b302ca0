//! States from which something is reached with probability 0 or 1, decided on the graph alone.
//!
//! The algorithms are those that are called Prob0A, Prob0E, Prob1A and Prob1E: de Alfaro, *Formal verification of probabilistic systems*, 1997; Forejt, Kwiatkowska, Norman and Parker,
//! *Automated verification techniques for probabilistic systems*, SFM 2011, section 4. No number is looked at, so the results are exact.

use crate::process::Process;
use mandala_kripke::Bits;

/// Who leads to a state: for each one the choices that have a branch to it.
pub(crate) struct Predecessors {
    first: Vec<u32>,
    choices: Vec<u32>,
    /// The state that a choice belongs to.
    owners: Vec<u32>,
}

impl Predecessors {
    pub(crate) fn new(process: &Process) -> Predecessors {
        let states = process.states() as u32;
        let mut first = vec![0; states as usize + 1];
        let mut owners = Vec::with_capacity(process.all_choices());
        for state in 0..states {
            for choice in process.choices(state) {
                owners.push(state);
                for branch in process.branches(choice) {
                    first[branch.target as usize + 1] += 1;
                }
            }
        }
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut next = first.clone();
        let mut choices = vec![0; process.all_branches()];
        for choice in 0..owners.len() as u32 {
            for branch in process.branches(choice) {
                let place = &mut next[branch.target as usize];
                choices[*place as usize] = choice;
                *place += 1;
            }
        }
        Predecessors {
            first,
            choices,
            owners,
        }
    }

    /// The choices that have a branch to a state, each with its own state.
    pub(crate) fn of(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        let (first, end) = (self.first[state as usize], self.first[state as usize + 1]);
        let choices = &self.choices[first as usize..end as usize];
        choices
            .iter()
            .map(|&choice| (choice, self.owners[choice as usize]))
    }

    /// The states from which some run goes through the first set into the second one, by choices that are allowed.
    pub(crate) fn some_run(
        &self,
        through: &Bits,
        goal: &Bits,
        allowed: impl Fn(u32) -> bool,
    ) -> Bits {
        let mut found = goal.clone();
        let mut waiting: Vec<u32> = goal.iter().map(|state| state as u32).collect();
        while let Some(state) = waiting.pop() {
            for (choice, owner) in self.of(state) {
                if through.has(owner as usize) && allowed(choice) && found.insert(owner as usize) {
                    waiting.push(owner);
                }
            }
        }
        found
    }

    /// The states from which, whatever is chosen, some run goes through the first set into the second one.
    pub(crate) fn some_run_always(&self, process: &Process, through: &Bits, goal: &Bits) -> Bits {
        let mut found = goal.clone();
        let mut hits = Bits::none(process.all_choices());
        let states = 0..process.states() as u32;
        let mut left: Vec<u32> = states.map(|s| process.choices(s).len() as u32).collect();
        let mut waiting: Vec<u32> = goal.iter().map(|state| state as u32).collect();
        while let Some(state) = waiting.pop() {
            for (choice, owner) in self.of(state) {
                if !through.has(owner as usize) || !hits.insert(choice as usize) {
                    continue;
                }
                left[owner as usize] -= 1;
                if left[owner as usize] == 0 && found.insert(owner as usize) {
                    waiting.push(owner);
                }
            }
        }
        found
    }

    /// The states from which the probability can be 1 (Prob1E).
    pub(crate) fn surely_if_wanted(&self, process: &Process, through: &Bits, goal: &Bits) -> Bits {
        let mut hoped = Bits::all(process.states());
        loop {
            let stays = |choice| {
                let branches = process.branches(choice);
                branches.iter().all(|it| hoped.has(it.target as usize))
            };
            let found = self.some_run(through, goal, stays);
            if found == hoped {
                return found;
            }
            hoped = found;
        }
    }

    /// The states from which the probability is 1 whatever is chosen (Prob1A); `avoiding` are those from which it can be 0.
    pub(crate) fn surely(&self, through: &Bits, goal: &Bits, avoiding: &Bits) -> Bits {
        let mut before = through.clone();
        before.intersect(&complement(goal));
        let mut unsure = self.some_run(&before, avoiding, |_| true);
        unsure.invert();
        unsure
    }
}

/// All other numbers.
pub(crate) fn complement(set: &Bits) -> Bits {
    let mut others = set.clone();
    others.invert();
    others
}
