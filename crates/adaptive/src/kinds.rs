//! How symmetric a model is of which orbits are bisimilar to states.
//!
//! Let *t* be a state, *S(t)* the states that steps lead to from it, and *g* a permutation. The kinds, from the most symmetric one on, say of all states and permutations that matter:
//!
//! | kind | |
//! |---|---|
//! | symmetric | *S(g t) = g S(t)* |
//! | near | so it is, unless no permutation changes *t* |
//! | rough | *S(g t)* and *g S(t)* have the same orbits under the permutations that do not change *g t* |
//! | virtual | *S(g t)* and *g S(t)* have the same orbits |
//!
//! After E. A. Emerson and R. J. Trefler, *From Asymmetry to Full Symmetry*, CHARME 1999, and *Virtual Symmetry Reduction* (see the crate).

use crate::orbit::Member;
use crate::space::{Space, Stop};
use mandala_model::State;
use mandala_symmetry::{Partition, Renaming};
use std::collections::HashSet;

/// How symmetric a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VirtualKind {
    /// Steps are preserved.
    Symmetric,
    /// They are, but for those from states that no permutation changes.
    Near,
    /// They are up to permutations that do not change the state that they begin in.
    Rough,
    /// They are up to permutations.
    Virtual,
}

impl VirtualKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            VirtualKind::Symmetric => "symmetric",
            VirtualKind::Near => "nearly symmetric",
            VirtualKind::Rough => "roughly symmetric",
            VirtualKind::Virtual => "virtually symmetric",
        }
    }
}

/// How many images are looked at to compare what two states lead to. Where there are more, the kind that is told is the weakest one.
const MOST_IMAGES: usize = 10_000;

/// The kind of one orbit: of its members, the first of which it is given by, and what each leads to.
pub(crate) fn of_orbit(
    space: &mut Space<'_>,
    group: &Partition,
    members: &[(Member, Vec<State>)],
) -> Result<VirtualKind, Stop> {
    let Some((first, led_to)) = members.first() else {
        return Ok(VirtualKind::Symmetric);
    };
    let stabiliser = space.stabiliser(group, &first.state)?;
    let own: HashSet<State> = led_to.iter().cloned().collect();
    let mut others = Vec::new();
    for (member, led_to) in &members[1..] {
        let back = member.renaming.inverse();
        let images = led_to.iter().map(|state| space.image(&back, state));
        let images: Option<HashSet<State>> = images.collect();
        others.push(images.ok_or_else(|| Stop::Defect("an image has no inverse".into()))?);
    }
    let closed = |space: &Space<'_>| {
        let images = stabiliser
            .iter()
            .flat_map(|g| own.iter().map(|s| space.image(g, s)));
        { images }.all(|image| image.is_some_and(|image| own.contains(&image)))
    };
    if closed(space) && others.iter().all(|other| *other == own) {
        return Ok(VirtualKind::Symmetric);
    }
    if group.refines(&space.twins(&first.state)) {
        return Ok(VirtualKind::Near);
    }
    let orbits = images(space, &stabiliser, &own);
    let same = |other: &HashSet<State>| images(space, &stabiliser, other) == orbits;
    Ok(match orbits.is_some() && others.iter().all(same) {
        true => VirtualKind::Rough,
        false => VirtualKind::Virtual,
    })
}

/// All images of some states under what some renamings generate; nothing if there are too many.
fn images(
    space: &Space<'_>,
    generators: &[Renaming],
    states: &HashSet<State>,
) -> Option<HashSet<State>> {
    let mut all = states.clone();
    let mut open: Vec<State> = states.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for generator in generators {
            let image = space.image(generator, &state)?;
            if all.insert(image.clone()) {
                open.push(image);
            }
        }
        if all.len() > MOST_IMAGES {
            return None;
        }
    }
    Some(all)
}
