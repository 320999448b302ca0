//! The orbit relation: which state stands for each, looked up in a diagram of pairs (E. Clarke, R. Enders, T. Filkorn and S. Jha).
//!
//! The pairs of states with their images are closed under the generators, from the pairs of each state with itself. Of all the images
//! of a state one is left, the smallest: bit by bit from the top, those that have a 1 go where another one has a 0. So there is one
//! representative for each orbit, whatever the group.
//!
//! The relation of all states there could be is exponential in the number of processes and in the number of their bits: four processes of a few
//! bits are too many. So it is made for the states in question alone. That is still far more than sorting needs: it is here to be
//! compared with.

use crate::diagrams::{Bdd, Diagrams, Made, meet_forgetting, without};
use oxidd::{BooleanFunction, BooleanFunctionQuant};

/// The smallest images of the states of a set, given what closes a set under all renamings. (Of the pairs, the second ones stay.)
pub(crate) fn smallest_images(
    d: &Diagrams,
    set: &Bdd,
    closed: impl Fn(&Bdd) -> Made<Bdd>,
) -> Made<Bdd> {
    let bits: Vec<usize> = (0..d.bits()).collect();
    let (images, states) = (d.product_now(&bits)?, d.product_then(&bits)?);
    let same = bits.iter().map(|&bit| Ok(d.then(bit).equiv(d.now(bit))?));
    let same = same.collect::<Made<Vec<Bdd>>>()?;
    let mut pairs = closed(&d.all(same.into_iter())?.and(set)?)?;
    for &bit in &bits {
        d.pause()?;
        let is_1 = d.now(bit);
        let can_be_0 = meet_forgetting(&pairs, &is_1.not()?, &images)?;
        pairs = without(&pairs, &can_be_0.and(is_1)?)?;
    }
    Ok(pairs.exists(&states)?)
}
