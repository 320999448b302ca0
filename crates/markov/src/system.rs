//! Equations for the values of states: each unknown is the least or the greatest of some sums.
//!
//! The unknown of a state, or of all states of an end component, has a row for each choice: a constant and terms, each a weight times an unknown. What a choice leads to with a known value is in
//! the constant. The sum of the weights of a row is at most 1, and what is missing is the *exit*: it has a number of its own, so that nothing needs to be subtracted.
//! In a system that is *proper* no way of choosing rows keeps a run inside for ever, or only such that cost something where the least is asked for. Then there is exactly one
//! solution (Bertsekas and Tsitsiklis, *An analysis of stochastic shortest path problems*, 1991).

use crate::pool::{ONE, Pool, ZERO};
use crate::process::Process;
use dashu_ratio::RBig;
use mandala_kripke::Successors;
use mandala_temporal::pctl::Optimum;
use std::ops::Range;

/// Equations.
pub(crate) struct System<'a> {
    pub optimum: Optimum,
    /// What weights of terms are numbers of.
    pub weights: &'a Pool,
    /// What constants and exits are numbers of.
    pub constants: Pool,
    first_row: Vec<u32>,
    /// With one more at the end.
    rows: Vec<Row>,
    terms: Vec<Term>,
}

/// One of the sums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    first_term: u32,
    pub constant: u32,
    pub exit: u32,
}

/// A weight times an unknown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub unknown: u32,
    pub weight: u32,
}

/// What equations are made of.
pub(crate) struct Recipe<'p, 'q, 'v> {
    pub process: &'p Process,
    pub optimum: Optimum,
    /// The unknown of each state, if it has one.
    pub unknowns: &'q [Option<u32>],
    /// How many there are.
    pub count: u32,
    /// The value of a state without an unknown; none if nothing that may lead there is to be chosen.
    pub known: &'q dyn Fn(u32) -> Option<&'v RBig>,
    /// Which choices count.
    pub counts: &'q dyn Fn(u32) -> bool,
    /// What a choice in a state earns.
    pub gain: &'q dyn Fn(u32, u32) -> RBig,
}

impl<'a> System<'a> {
    /// Writes the equations down.
    pub(crate) fn new(recipe: &Recipe<'a, '_, '_>) -> System<'a> {
        let mut system = System {
            optimum: recipe.optimum,
            weights: &recipe.process.pool,
            constants: Pool::default(),
            first_row: vec![0],
            rows: Vec::new(),
            terms: Vec::new(),
        };
        let (first, states) = grouped(recipe.unknowns, recipe.count as usize);
        for unknown in 0..recipe.count {
            let range = first[unknown as usize]..first[unknown as usize + 1];
            for &state in &states[range] {
                let choices = recipe.process.choices(state);
                for choice in choices.filter(|&choice| (recipe.counts)(choice)) {
                    system.add_row(recipe, unknown, state, choice);
                }
            }
            system.first_row.push(system.rows.len() as u32);
        }
        let end = system.terms.len() as u32;
        system.rows.push(Row {
            first_term: end,
            constant: ZERO,
            exit: ZERO,
        });
        system
    }

    /// Adds the row of a choice, unless it may lead to where nothing is to lead, or leads back to where it comes from and nowhere else.
    fn add_row(&mut self, recipe: &Recipe<'a, '_, '_>, unknown: u32, state: u32, choice: u32) {
        let first_term = self.terms.len();
        let mut constant = (recipe.gain)(state, choice);
        let mut exit = RBig::ZERO;
        for branch in recipe.process.branches(choice) {
            let (target, weight) = (branch.target, branch.weight);
            if let Some(unknown) = recipe.unknowns[target as usize] {
                self.terms.push(Term { unknown, weight });
                continue;
            }
            let Some(value) = (recipe.known)(target) else {
                return self.terms.truncate(first_term);
            };
            let weight = recipe.process.pool.exact(weight);
            if !value.is_zero() {
                constant += weight * value;
            }
            exit += weight;
        }
        let own = |term: &Term| term.unknown == unknown;
        if exit.is_zero() && self.terms[first_term..].iter().all(own) {
            return self.terms.truncate(first_term);
        }
        let row = Row {
            first_term: first_term as u32,
            constant: self.place(&constant),
            exit: self.place(&exit),
        };
        self.rows.push(row);
    }

    fn place(&mut self, number: &RBig) -> u32 {
        match number {
            number if number.is_zero() => ZERO,
            number if *number == RBig::ONE => ONE,
            number => self.constants.insert(number),
        }
    }

    /// How many unknowns there are.
    pub(crate) fn unknowns(&self) -> usize {
        self.first_row.len() - 1
    }

    /// The rows of an unknown.
    pub(crate) fn rows(&self, unknown: u32) -> Range<u32> {
        self.first_row[unknown as usize]..self.first_row[unknown as usize + 1]
    }

    /// A row.
    pub(crate) fn row(&self, row: u32) -> Row {
        self.rows[row as usize]
    }

    /// Its terms.
    pub(crate) fn terms(&self, row: u32) -> &[Term] {
        let (first, end) = (
            self.rows[row as usize].first_term,
            self.rows[row as usize + 1].first_term,
        );
        &self.terms[first as usize..end as usize]
    }
}

impl Successors for &System<'_> {
    fn nodes(&self) -> usize {
        self.unknowns()
    }

    fn next_successor(&self, node: u32, position: &mut u32) -> Option<u32> {
        let rows = self.rows(node);
        let first = self.rows[rows.start as usize].first_term;
        let end = self.rows[rows.end as usize].first_term;
        let place = first + *position;
        *position += 1;
        (place < end).then(|| self.terms[place as usize].unknown)
    }
}

/// The states of each unknown, one after the other, and where each one's begin.
fn grouped(unknowns: &[Option<u32>], count: usize) -> (Vec<usize>, Vec<u32>) {
    let mut first = vec![0; count + 1];
    for unknown in unknowns.iter().flatten() {
        first[*unknown as usize + 1] += 1;
    }
    for place in 1..first.len() {
        first[place] += first[place - 1];
    }
    let mut next = first.clone();
    let mut states = vec![0; first[count]];
    for (state, unknown) in unknowns.iter().enumerate() {
        if let Some(unknown) = unknown {
            let place = &mut next[*unknown as usize];
            states[*place] = state as u32;
            *place += 1;
        }
    }
    (first, states)
}
