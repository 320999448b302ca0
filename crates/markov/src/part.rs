//! One strongly connected component of a system of equations, with all that is known outside of it put into its constants.

use crate::number::Number;
use crate::pool::Pool;
use crate::system::{System, Term};
use dashu_ratio::RBig;
use mandala_temporal::pctl::Optimum;
use std::ops::Range;

/// Equations of which each unknown depends on all others.
pub(crate) struct Part<'a, N> {
    pub optimum: Optimum,
    pub weights: &'a Pool,
    first_row: Vec<u32>,
    rows: Vec<PartRow<N>>,
    terms: Vec<Term>,
}

/// One of the sums. The unknowns of its terms are places in the part.
#[derive(Clone, Debug)]
pub(crate) struct PartRow<N> {
    terms: (u32, u32),
    pub constant: N,
    /// The weight of all that leads out of the part.
    pub exit: N,
    /// One without the weight of the unknown that the row is for, if it has one.
    pub rest: Option<N>,
    /// The row of the system.
    pub source: u32,
}

impl<'a, N: Number> Part<'a, N> {
    /// The component with those members; `place` says which member an unknown is, and `solution` has the values of those that are not.
    pub(crate) fn new(
        system: &System<'a>,
        members: &[u32],
        place: &impl Fn(u32) -> Option<u32>,
        solution: &[N],
    ) -> Part<'a, N> {
        let mut part = Part {
            optimum: system.optimum,
            weights: system.weights,
            first_row: vec![0],
            rows: Vec::new(),
            terms: Vec::new(),
        };
        for (member, &unknown) in (0..).zip(members) {
            for row in system.rows(unknown) {
                part.add_row(system, member, row, place, solution);
            }
            part.first_row.push(part.rows.len() as u32);
        }
        part
    }

    fn add_row(
        &mut self,
        system: &System<'a>,
        member: u32,
        row: u32,
        place: &impl Fn(u32) -> Option<u32>,
        solution: &[N],
    ) {
        let first = self.terms.len() as u32;
        let mut constant = N::pooled(&system.constants, system.row(row).constant);
        let mut exit = N::pooled(&system.constants, system.row(row).exit);
        let mut own = None;
        for term in system.terms(row) {
            let Some(unknown) = place(term.unknown) else {
                let weight = N::pooled(system.weights, term.weight);
                constant = constant.plus(&weight.times(&solution[term.unknown as usize]));
                exit = exit.plus(&weight);
                continue;
            };
            if unknown == member {
                let weight = system.weights.exact(term.weight);
                let sum = own.map_or_else(|| weight.clone(), |own| own + weight);
                own = Some(sum);
            }
            self.terms.push(Term { unknown, ..*term });
        }
        self.rows.push(PartRow {
            terms: (first, self.terms.len() as u32),
            constant,
            exit,
            rest: own.map(|own| N::of(&(RBig::ONE - own))),
            source: row,
        });
    }

    /// How many unknowns there are.
    pub(crate) fn len(&self) -> usize {
        self.first_row.len() - 1
    }

    /// How many terms there are.
    pub(crate) fn size(&self) -> u64 {
        (self.terms.len() + self.rows.len()) as u64
    }

    /// Whether there is nothing to choose.
    pub(crate) fn is_chain(&self) -> bool {
        self.rows.len() == self.len()
    }

    /// The rows of an unknown.
    pub(crate) fn rows(&self, unknown: u32) -> Range<u32> {
        self.first_row[unknown as usize]..self.first_row[unknown as usize + 1]
    }

    /// A row.
    pub(crate) fn row(&self, row: u32) -> &PartRow<N> {
        &self.rows[row as usize]
    }

    /// Its terms.
    pub(crate) fn terms(&self, row: &PartRow<N>) -> &[Term] {
        &self.terms[row.terms.0 as usize..row.terms.1 as usize]
    }

    /// The value of a row for values of the unknowns.
    pub(crate) fn value(&self, row: &PartRow<N>, values: &[N]) -> N {
        let terms = self.terms(row).iter();
        terms.fold(row.constant.clone(), |sum, term| {
            let weight = N::pooled(self.weights, term.weight);
            sum.plus(&weight.times(&values[term.unknown as usize]))
        })
    }

    /// The same equations with other constants. What leads out is to be settled.
    pub(crate) fn with<M: Number>(&self, change: impl Fn(&N) -> M) -> Part<'a, M> {
        let rows = self.rows.iter().map(|row| PartRow {
            terms: row.terms,
            constant: change(&row.constant),
            exit: change(&row.exit),
            rest: row.rest.as_ref().map(&change),
            source: row.source,
        });
        Part {
            optimum: self.optimum,
            weights: self.weights,
            first_row: self.first_row.clone(),
            rows: rows.collect(),
            terms: self.terms.clone(),
        }
    }

    /// Makes what leads out of each row what its terms leave of 1.
    pub(crate) fn settle_exits(&mut self) {
        for row in 0..self.rows.len() {
            let terms = self.terms(&self.rows[row]).iter();
            let inside = terms.fold(RBig::ZERO, |sum, term| {
                sum + self.weights.exact(term.weight)
            });
            self.rows[row].exit = N::of(&(RBig::ONE - inside));
        }
    }

    /// For each unknown a row, so that from all of them some way leads out of the part: ways out are found backwards, the closest first.
    /// Gives the unknowns in the order in which they were reached, with their rows.
    pub(crate) fn ways_out(&self) -> Vec<(u32, u32)> {
        let mut reached = vec![false; self.len()];
        let mut ways = Vec::with_capacity(self.len());
        loop {
            let before = ways.len();
            for unknown in 0..self.len() as u32 {
                if reached[unknown as usize] {
                    continue;
                }
                let leads = |row: &u32| self.leads(*row, &reached);
                if let Some(row) = self.rows(unknown).find(leads) {
                    ways.push((unknown, row));
                }
            }
            for (unknown, _) in &ways[before..] {
                reached[*unknown as usize] = true;
            }
            if ways.len() == before {
                return ways;
            }
        }
    }

    /// Whether a row leads out of the part or to what is reached already.
    pub(crate) fn leads(&self, row: u32, reached: &[bool]) -> bool {
        let row = self.row(row);
        let mut terms = self.terms(row).iter();
        !row.exit.is_zero() || terms.any(|term| reached[term.unknown as usize])
    }
}
