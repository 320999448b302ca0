//! Averages over time in the long run.
//!
//! A run of a chain comes to a bottom component and stays there. In each of these the shares of time are computed without subtraction ([`crate::elimination`], the method of Grassmann, Taksar and Heyman), so that they are
//! exact or have bounds that are right, whether or not the component is periodic. What is averaged is then a number for each bottom component, and what is expected of it elsewhere follows from the probabilities to come there.

use crate::elimination::Elimination;
use crate::error::MarkovError;
use crate::number::Number;
use crate::process::Process;
use mandala_kripke::Components;

/// How many products may be formed for a component.
const MOST_PRODUCTS: u64 = 2_000_000_000;

/// For each state of a bottom component the average of what states earn.
pub(crate) fn averages<N: Number>(
    process: &Process,
    earned: impl Fn(u32) -> N,
) -> Result<Vec<Option<N>>, MarkovError> {
    let mut averages = vec![None; process.states()];
    let roots = (0..process.states() as u32).collect();
    let mut components = Components::within(process, roots, |_| true);
    while components.advance() {
        let members = components.members();
        let place = |state| components.place(state).map(|place| place as u32);
        if !is_bottom(process, members, &place) {
            continue;
        }
        let shares = shares::<N>(process, members, &place)?;
        let parts = members.iter().zip(&shares);
        let average = parts.fold(N::zero(), |sum, (&state, share)| {
            sum.plus(&share.times(&earned(state)))
        });
        for &state in members {
            averages[state as usize] = Some(average.clone());
        }
    }
    Ok(averages)
}

/// Whether nothing leads out of a component.
fn is_bottom(process: &Process, members: &[u32], place: &impl Fn(u32) -> Option<u32>) -> bool {
    let choices = members.iter().flat_map(|&state| process.choices(state));
    let mut branches = choices.flat_map(|choice| process.branches(choice));
    branches.all(|branch| place(branch.target).is_some())
}

/// The share of time in each state of a bottom component.
fn shares<N: Number>(
    process: &Process,
    members: &[u32],
    place: &impl Fn(u32) -> Option<u32>,
) -> Result<Vec<N>, MarkovError> {
    let mut chain = Elimination::new(members.len(), MOST_PRODUCTS);
    for (member, &state) in (0..).zip(members) {
        let branches = process.choices(state).flat_map(|it| process.branches(it));
        for branch in branches {
            if let Some(target) = place(branch.target).filter(|&target| target != member) {
                chain.lead(member, target, &N::pooled(&process.pool, branch.weight));
            }
        }
    }
    chain.shares()
}
