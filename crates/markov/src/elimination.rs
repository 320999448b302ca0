//! Chains of states taken out one after the other, without any subtraction.
//!
//! Grassmann, Taksar and Heyman, *Regenerative analysis and steady state distributions for Markov chains*, 1985, for what is visited how often in the long run; Daws, *Symbolic and
//! parametric model checking of discrete-time Markov chains*, 2004, for what is reached. To take a state out, each way through it becomes a way past it. The probability to leave a state is the sum of
//! all that lead elsewhere, and not 1 without that of staying. So only sums, products and quotients of numbers occur that are not negative: an error relative to a number stays one,
//! and with [`Bounds`](crate::Bounds) the results have bounds that are right. With exact numbers they are exact.
//!
//! The state that makes the fewest new ways goes first (Markowitz 1957), the least number among equals.

use crate::error::MarkovError;
use crate::number::Number;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A chain, or what is left of it.
pub(crate) struct Elimination<N> {
    /// Where each state leads.
    rows: Vec<BTreeMap<u32, N>>,
    /// From where.
    columns: Vec<BTreeMap<u32, ()>>,
    /// The probability to leave the chain.
    exits: Vec<N>,
    /// What is earned for certain.
    constants: Vec<N>,
    /// How many products may still be formed.
    work: u64,
}

/// A state that was taken out.
struct Pivot<N> {
    state: u32,
    constant: N,
    /// Where it leads, among those that were left.
    row: Vec<(u32, N)>,
    /// How much comes from each of those that were left, in terms of how often it is left.
    column: Vec<(u32, N)>,
}

impl<N: Number> Elimination<N> {
    /// A chain of so many states, for which at most so many products may be formed.
    pub(crate) fn new(states: usize, work: u64) -> Elimination<N> {
        Elimination {
            rows: vec![BTreeMap::new(); states],
            columns: vec![BTreeMap::new(); states],
            exits: vec![N::zero(); states],
            constants: vec![N::zero(); states],
            work,
        }
    }

    /// Adds that much to what leads from one state to another.
    pub(crate) fn lead(&mut self, from: u32, to: u32, weight: &N) {
        add(&mut self.rows[from as usize], to, weight);
        self.columns[to as usize].insert(from, ());
    }

    /// Adds that much to what leads from a state out of the chain.
    pub(crate) fn exit(&mut self, from: u32, weight: &N) {
        self.exits[from as usize] = self.exits[from as usize].plus(weight);
    }

    /// Adds that much to what a state earns.
    pub(crate) fn earn(&mut self, state: u32, amount: &N) {
        self.constants[state as usize] = self.constants[state as usize].plus(amount);
    }

    /// What each state earns until the chain is left. Each must lead out of it.
    pub(crate) fn totals(mut self) -> Result<Vec<N>, MarkovError> {
        let pivots = self.take_out_all(None)?;
        let mut totals = vec![N::zero(); pivots.len()];
        for pivot in pivots.iter().rev() {
            let total = pivot
                .row
                .iter()
                .fold(pivot.constant.clone(), |sum, (to, weight)| {
                    sum.plus(&weight.times(&totals[*to as usize]))
                });
            totals[pivot.state as usize] = total;
        }
        Ok(totals)
    }

    /// The share of time in each state in the long run. No state leads out of the chain, and each one leads to all others. Weights may be rates.
    pub(crate) fn shares(mut self) -> Result<Vec<N>, MarkovError> {
        let states = self.rows.len();
        let last = states as u32 - 1;
        let pivots = self.take_out_all(Some(last))?;
        let mut shares = vec![N::zero(); states];
        shares[last as usize] = N::one();
        for pivot in pivots.iter().rev() {
            let share = pivot.column.iter().fold(N::zero(), |sum, (from, weight)| {
                sum.plus(&weight.times(&shares[*from as usize]))
            });
            shares[pivot.state as usize] = share;
        }
        let all = shares.iter().fold(N::zero(), |sum, share| sum.plus(share));
        Ok(shares.iter().map(|share| share.over(&all)).collect())
    }

    /// Takes out all states but one, if one is to stay.
    fn take_out_all(&mut self, kept: Option<u32>) -> Result<Vec<Pivot<N>>, MarkovError> {
        let states = (0..self.rows.len() as u32).filter(|&state| Some(state) != kept);
        let mut queue: BinaryHeap<_> = states.map(|it| Reverse((self.cost(it), it))).collect();
        let mut done = vec![false; self.rows.len()];
        let mut pivots = Vec::with_capacity(queue.len());
        while let Some(Reverse((cost, state))) = queue.pop() {
            if done[state as usize] {
                continue;
            }
            let now = self.cost(state);
            if now != cost {
                queue.push(Reverse((now, state)));
                continue;
            }
            self.work = self
                .work
                .checked_sub(cost)
                .ok_or(MarkovError::TooMuchWork)?;
            done[state as usize] = true;
            pivots.push(self.take_out(state));
        }
        Ok(pivots)
    }

    /// How many products it takes to take a state out.
    fn cost(&self, state: u32) -> u64 {
        let (row, column) = (&self.rows[state as usize], &self.columns[state as usize]);
        (row.len() as u64 + 1) * (column.len() as u64 + 1)
    }

    fn take_out(&mut self, state: u32) -> Pivot<N> {
        let mut row = std::mem::take(&mut self.rows[state as usize]);
        row.remove(&state);
        let exit = self.exits[state as usize].clone();
        let leaving = row
            .values()
            .fold(exit.clone(), |sum, weight| sum.plus(weight));
        let exit = exit.over(&leaving);
        let constant = self.constants[state as usize].over(&leaving);
        let row: Vec<(u32, N)> = row
            .into_iter()
            .map(|(to, weight)| (to, weight.over(&leaving)))
            .collect();
        for (to, _) in &row {
            self.columns[*to as usize].remove(&state);
        }
        let sources = std::mem::take(&mut self.columns[state as usize]);
        let mut column = Vec::with_capacity(sources.len());
        for from in sources.into_keys().filter(|&from| from != state) {
            let Some(weight) = self.rows[from as usize].remove(&state) else {
                continue;
            };
            for (to, more) in &row {
                self.lead(from, *to, &weight.times(more));
            }
            self.exit(from, &weight.times(&exit));
            self.earn(from, &weight.times(&constant));
            column.push((from, weight.over(&leaving)));
        }
        Pivot {
            state,
            constant,
            row,
            column,
        }
    }
}

fn add<N: Number>(row: &mut BTreeMap<u32, N>, to: u32, weight: &N) {
    row.entry(to)
        .and_modify(|known| *known = known.plus(weight))
        .or_insert_with(|| weight.clone());
}
