//! From a path through representatives back to a run of the model itself.
//!
//! A search with symmetry goes on from the representative `r` of a state, not from the state. It
//! remembers each state as it met it, a successor of the representative before, and a renaming (the
//! *witness*) that leads from that state to its own representative. The renamings add up: if `g` leads
//! from the real state to the representative that the search stood on, then the real successor is
//! `g` taken back from the successor that was met, and `g` followed by the next witness leads to
//! the next representative.

use crate::action::Action;
use crate::renaming::Renaming;
use mandala_model::State;

/// The states of the run that a path stands for: the first state as it is, each further one as a real
/// successor of the one before.
///
/// There is none if a renaming cannot be applied, which means that the path is not what it is said
/// to be. That the run is one of the model has to be seen by replaying it.
pub fn lift(action: &Action<'_>, path: &[(State, Renaming)]) -> Option<Vec<State>> {
    let mut run = Vec::with_capacity(path.len());
    let mut so_far = Renaming::identity();
    for (met, witness) in path {
        run.push(action.apply(&so_far.inverse(), met)?);
        so_far = so_far.then(witness);
    }
    Some(run)
}
