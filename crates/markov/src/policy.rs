//! Exact values of a component by policy iteration.
//!
//! Howard, *Dynamic programming and Markov processes*, 1960: choose a row for each unknown, solve the chain that is left, take another row wherever one is better, and begin again until none is.
//! Where the least is asked for, the first rows lead out of the component; then all later ones do (Bertsekas and Tsitsiklis 1991).

use crate::elimination::Elimination;
use crate::error::MarkovError;
use crate::exact::Exact;
use crate::number::Number;
use crate::part::Part;
use mandala_temporal::pctl::Optimum;

/// The exact values of all unknowns, beginning with rows that are guessed.
pub(crate) fn iterate_policies(
    part: &Part<'_, Exact>,
    guess: Vec<u32>,
    work: u64,
) -> Result<Vec<Exact>, MarkovError> {
    let mut rows = proper(part, guess);
    loop {
        let values = totals(part, &rows, work)?;
        if !improve(part, &mut rows, &values) {
            return Ok(values);
        }
    }
}

/// The rows that are guessed if they lead out of the part from everywhere, and others that do otherwise.
fn proper(part: &Part<'_, Exact>, guess: Vec<u32>) -> Vec<u32> {
    let mut reached = vec![false; part.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for unknown in (0..part.len()).rev() {
            if !reached[unknown] && part.leads(guess[unknown], &reached) {
                (reached[unknown], changed) = (true, true);
            }
        }
    }
    if reached.iter().all(|&it| it) {
        return guess;
    }
    let mut rows = guess;
    for (unknown, row) in part.ways_out() {
        rows[unknown as usize] = row;
    }
    rows
}

/// What the chain that the rows make earns until it is left.
pub(crate) fn totals<N: Number>(
    part: &Part<'_, N>,
    rows: &[u32],
    work: u64,
) -> Result<Vec<N>, MarkovError> {
    let mut chain = Elimination::new(part.len(), work);
    for (unknown, &row) in (0..).zip(rows) {
        let row = part.row(row);
        chain.exit(unknown, &row.exit);
        chain.earn(unknown, &row.constant);
        for term in part.terms(row) {
            let weight = N::pooled(part.weights, term.weight);
            chain.lead(unknown, term.unknown, &weight);
        }
    }
    chain.totals()
}

/// Takes better rows wherever there are some, and says whether there were.
fn improve(part: &Part<'_, Exact>, rows: &mut [u32], values: &[Exact]) -> bool {
    let mut changed = false;
    for unknown in 0..part.len() as u32 {
        let mut best = &values[unknown as usize];
        let offers: Vec<(u32, Exact)> = part
            .rows(unknown)
            .map(|row| (row, part.value(part.row(row), values)))
            .collect();
        for (row, offer) in &offers {
            let is_better = match part.optimum {
                Optimum::Least => offer < best,
                Optimum::Greatest => offer > best,
            };
            if is_better {
                (rows[unknown as usize], best, changed) = (*row, offer, true);
            }
        }
    }
    changed
}
