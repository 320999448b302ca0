//! Markov chains and decision processes as sparse matrices.
//!
//! A state has choices, and a choice has branches, each with a target and a weight: compressed rows twice over. Weights are exact; a branch has the number of its weight in a [`Pool`], which
//! also has its bounds as floating-point numbers.

use crate::error::ProcessError;
use crate::pool::{Pool, ZERO};
use dashu_ratio::RBig;
use mandala_kripke::{Bits, Successors};
use mandala_temporal::Proposition;
use std::ops::Range;

/// The most states, choices or branches.
const MOST: usize = 1 << 31;

/// What weights are, and whether there are choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A chain of discrete time: a state has one choice, and weights are probabilities.
    DiscreteChain,
    /// A chain of continuous time: a state has one choice, and weights are rates.
    ContinuousChain,
    /// A decision process: somebody takes a choice, and weights are probabilities.
    Decisions,
}

/// Where a choice may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    /// The state.
    pub target: u32,
    /// Which number of the pool its probability or rate is.
    pub weight: u32,
}

/// A structure of rewards.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Rewards {
    /// For each state what being there earns: for a step, or for each unit of time. Numbers of the pool.
    pub states: Vec<u32>,
    /// For each choice what a step by it earns, expected over its branches; in continuous time, for each unit of time.
    pub choices: Vec<u32>,
}

/// A Markov chain or decision process.
#[derive(Clone, Debug)]
pub struct Process {
    pub(crate) kind: Kind,
    pub(crate) pool: Pool,
    starts: Vec<u32>,
    first_choice: Vec<u32>,
    first_branch: Vec<u32>,
    branches: Vec<Branch>,
    labels: Vec<Bits>,
    deadlocks: Bits,
    pub(crate) rewards: Vec<Rewards>,
}

impl Process {
    /// What weights are.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many states it has.
    #[must_use]
    pub fn states(&self) -> usize {
        self.first_choice.len() - 1
    }

    /// How many choices its states have.
    #[must_use]
    pub fn all_choices(&self) -> usize {
        self.first_branch.len() - 1
    }

    /// How many branches its choices have.
    #[must_use]
    pub fn all_branches(&self) -> usize {
        self.branches.len()
    }

    /// The states that runs start in.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The choices of a state.
    #[must_use]
    pub fn choices(&self, state: u32) -> Range<u32> {
        self.first_choice[state as usize]..self.first_choice[state as usize + 1]
    }

    /// The branches of a choice.
    #[must_use]
    pub fn branches(&self, choice: u32) -> &[Branch] {
        let (first, end) = (
            self.first_branch[choice as usize],
            self.first_branch[choice as usize + 1],
        );
        &self.branches[first as usize..end as usize]
    }

    /// The numbers that weights and rewards are.
    #[must_use]
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The probability or rate of a branch.
    #[must_use]
    pub fn weight(&self, branch: &Branch) -> &RBig {
        self.pool.exact(branch.weight)
    }

    /// The states in which a proposition holds; none if there is no such proposition.
    #[must_use]
    pub fn label(&self, proposition: Proposition) -> Option<&Bits> {
        self.labels.get(proposition.0)
    }

    /// The states that nothing leads out of, as they were given: they have a branch to themselves.
    #[must_use]
    pub fn deadlocks(&self) -> &Bits {
        &self.deadlocks
    }

    /// How many structures of rewards there are.
    #[must_use]
    pub fn structures(&self) -> usize {
        self.rewards.len()
    }

    /// What being in a state earns by a structure.
    #[must_use]
    pub fn state_reward(&self, structure: usize, state: u32) -> &RBig {
        self.pool
            .exact(self.rewards[structure].states[state as usize])
    }

    /// What a choice earns by a structure, expected over its branches.
    #[must_use]
    pub fn choice_reward(&self, structure: usize, choice: u32) -> &RBig {
        self.pool
            .exact(self.rewards[structure].choices[choice as usize])
    }

    /// Whether somebody takes choices.
    #[must_use]
    pub fn has_choices(&self) -> bool {
        self.kind == Kind::Decisions
    }

    /// The sum of all rates of a state.
    pub(crate) fn exit_rate(&self, state: u32) -> RBig {
        let branches = self.choices(state).flat_map(|choice| self.branches(choice));
        branches.fold(RBig::ZERO, |sum, branch| sum + self.weight(branch))
    }

    /// The chain of discrete time that a chain of continuous time goes through: rewards are those of the time that is expected to be spent.
    pub(crate) fn embedded(&self) -> Process {
        let mut embedded = Process {
            kind: Kind::DiscreteChain,
            ..self.clone()
        };
        for state in 0..self.states() as u32 {
            let rate = self.exit_rate(state);
            for choice in self.choices(state) {
                let range = self.first_branch[choice as usize] as usize
                    ..self.first_branch[choice as usize + 1] as usize;
                for place in range {
                    let weight = self.weight(&self.branches[place]) / &rate;
                    embedded.branches[place].weight = embedded.pool.insert(&weight);
                }
            }
            embedded.spread_rewards(self, state, &rate);
        }
        embedded
    }

    /// Takes rewards of a state for the time that is expected to be spent there at that rate.
    fn spread_rewards(&mut self, from: &Process, state: u32, rate: &RBig) {
        for structure in 0..from.rewards.len() {
            let amount = from.state_reward(structure, state) / rate;
            let place = self.pool.insert(&amount);
            self.rewards[structure].states[state as usize] = place;
            for choice in from.choices(state) {
                let amount = from.choice_reward(structure, choice) / rate;
                let place = self.pool.insert(&amount);
                self.rewards[structure].choices[choice as usize] = place;
            }
        }
    }
}

impl Successors for &Process {
    fn nodes(&self) -> usize {
        self.states()
    }

    fn next_successor(&self, node: u32, position: &mut u32) -> Option<u32> {
        let choices = self.choices(node);
        let first = self.first_branch[choices.start as usize];
        let end = self.first_branch[choices.end as usize];
        let place = first + *position;
        *position += 1;
        (place < end).then(|| self.branches[place as usize].target)
    }
}

/// A process that is being written down, state by state, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct ProcessBuilder {
    process: Process,
    /// The states in which each proposition holds.
    holding: Vec<Vec<u32>>,
    deadlocks: Vec<u32>,
    /// The branches of the choice that is being written down.
    open: Vec<(u32, RBig)>,
}

impl ProcessBuilder {
    /// A process with so many propositions and structures of rewards.
    #[must_use]
    pub fn new(kind: Kind, propositions: usize, structures: usize) -> ProcessBuilder {
        ProcessBuilder {
            process: Process {
                kind,
                pool: Pool::default(),
                starts: Vec::new(),
                first_choice: vec![0],
                first_branch: vec![0],
                branches: Vec::new(),
                labels: Vec::new(),
                deadlocks: Bits::none(0),
                rewards: vec![Rewards::default(); structures],
            },
            holding: vec![Vec::new(); propositions],
            deadlocks: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The number of the state that is being written down.
    #[must_use]
    pub fn state(&self) -> u32 {
        self.process.states() as u32
    }

    /// Runs may start in that state.
    pub fn start(&mut self, state: u32) {
        self.process.starts.push(state);
    }

    /// The choice that is being written down may lead there. Branches to one state are added up, and those of no weight are left out.
    ///
    /// # Errors
    ///
    /// If the weight is negative.
    pub fn branch(&mut self, target: u32, weight: &RBig) -> Result<(), ProcessError> {
        self.require_not_negative(weight)?;
        if !weight.is_zero() {
            self.open.push((target, weight.clone()));
        }
        Ok(())
    }

    /// The choice is complete, and earns that much by each structure of rewards, expected over its branches (in continuous time, for each unit of time).
    ///
    /// # Errors
    ///
    /// If it is the second one of a chain, if its probabilities do not add up to 1, or if a reward is negative.
    pub fn close_choice(&mut self, rewards: &[RBig]) -> Result<(), ProcessError> {
        let state = self.state();
        let is_second = self.process.all_choices() as u32 > self.first_of_state();
        if is_second && !self.process.has_choices() {
            return Err(ProcessError::SecondChoice { state });
        }
        let open = std::mem::take(&mut self.open);
        let sum = open
            .iter()
            .fold(RBig::ZERO, |sum, (_, weight)| sum + weight);
        if self.process.kind != Kind::ContinuousChain && sum != RBig::ONE {
            return Err(ProcessError::Sum { state, sum });
        }
        if open.is_empty() {
            return Ok(());
        }
        self.add_branches(open);
        for (structure, reward) in rewards.iter().enumerate() {
            self.require_not_negative(reward)?;
            let place = self.process.pool.insert(reward);
            self.process.rewards[structure].choices.push(place);
        }
        let end = self.process.branches.len();
        if end >= MOST {
            return Err(ProcessError::TooLarge);
        }
        self.process.first_branch.push(end as u32);
        Ok(())
    }

    fn add_branches(&mut self, mut open: Vec<(u32, RBig)>) {
        open.sort_by_key(|(target, _)| *target);
        let mut merged: Vec<(u32, RBig)> = Vec::with_capacity(open.len());
        for (target, weight) in open {
            match merged.last_mut() {
                Some((last, sum)) if *last == target => *sum += weight,
                _ => merged.push((target, weight)),
            }
        }
        for (target, weight) in merged {
            let weight = self.process.pool.insert(&weight);
            self.process.branches.push(Branch { target, weight });
        }
    }

    fn first_of_state(&self) -> u32 {
        self.process.first_choice.last().copied().unwrap_or(0)
    }

    /// The state is complete: those propositions hold in it, and being there earns that much by each structure. A state without choices stays as it is for ever.
    ///
    /// # Errors
    ///
    /// If a reward is negative, or there are too many states.
    pub fn close_state(
        &mut self,
        propositions: &[usize],
        rewards: &[RBig],
    ) -> Result<u32, ProcessError> {
        let state = self.state();
        if self.process.all_choices() as u32 == self.first_of_state() {
            self.deadlocks.push(state);
            self.branch(state, &RBig::ONE)?;
            let nothing = vec![RBig::ZERO; rewards.len()];
            self.close_choice(&nothing)?;
        }
        for (structure, reward) in rewards.iter().enumerate() {
            self.require_not_negative(reward)?;
            let place = self.process.pool.insert(reward);
            self.process.rewards[structure].states.push(place);
        }
        for &proposition in propositions {
            self.holding[proposition].push(state);
        }
        let end = self.process.all_choices();
        if end >= MOST {
            return Err(ProcessError::TooLarge);
        }
        self.process.first_choice.push(end as u32);
        Ok(state)
    }

    fn require_not_negative(&self, amount: &RBig) -> Result<(), ProcessError> {
        if *amount >= RBig::ZERO {
            return Ok(());
        }
        Err(ProcessError::Negative {
            state: self.state(),
            amount: amount.clone(),
        })
    }

    /// The process, once all states are written down.
    ///
    /// # Errors
    ///
    /// If there is nothing to start in, or a branch or a start leads nowhere.
    pub fn finish(mut self) -> Result<Process, ProcessError> {
        let states = self.process.states();
        let targets = self.process.branches.iter().map(|branch| branch.target);
        let mut targets = targets.chain(self.process.starts.iter().copied());
        if let Some(target) = targets.find(|&target| target as usize >= states) {
            return Err(ProcessError::NoSuchState { target });
        }
        if self.process.starts.is_empty() {
            return Err(ProcessError::NoStart);
        }
        self.process.starts.sort_unstable();
        self.process.starts.dedup();
        self.process.labels = self
            .holding
            .iter()
            .map(|list| set_of(list, states))
            .collect();
        self.process.deadlocks = set_of(&self.deadlocks, states);
        debug_assert!(self.process.pool.exact(ZERO).is_zero());
        Ok(self.process)
    }
}

/// The set of those numbers below a bound.
pub(crate) fn set_of(list: &[u32], length: usize) -> Bits {
    let mut set = Bits::none(length);
    for &number in list {
        set.insert(number as usize);
    }
    set
}
