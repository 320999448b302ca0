//! The group that is reported as the symmetry of a model.
//!
//! The group that acts on states is a product of full symmetric groups, one for each domain, and larger than what a person
//! means: it also permutes clients apart from the names that they were given. That is no mistake, because
//! two states that can be reached are in one orbit of the product exactly if they are in one orbit of the subgroup that
//! respects the links, and the links, such as a parameter that was given once and for all, are part of the
//! state. But its order promises more than a search can gain. The honest bound is the order of that subgroup: the
//! automorphisms of what is constant once the system has started.
//!
//! | module | what it does |
//! |---|---|
//! | `scout` | finds a state in which all domains may be permuted |
//! | `constants` (of the crate) | finds the cells that nobody writes from then on |
//! | `automorphisms` | finds the permutations of the points that change none of these |

mod automorphisms;
mod scout;

use crate::constants::constant_cells;
use crate::plan::{Basis, Plan};
use mandala_encoding::Program;
use mandala_groups::{BigUint, Group, Permutation};
use mandala_model::Model;
use mandala_symmetry::{Certificate, Renaming};

/// The symmetry of a model, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryGroup {
    /// The number of its elements.
    pub order: BigUint,
    /// Renamings that generate it.
    pub generators: Vec<Renaming>,
    /// What kind of group it is: `S4`, `S3 wr S2`, `S2 x S3`.
    pub structure: String,
}

impl SymmetryGroup {
    /// Nothing but the identity.
    fn trivial() -> Self {
        SymmetryGroup {
            order: BigUint::from(1u8),
            generators: Vec::new(),
            structure: Group::trivial(0).structure().to_string(),
        }
    }
}

/// The automorphisms of what is constant once all that is certified may be permuted.
///
/// The state is looked for along the first steps of the program; if there is none in which everything may be permuted,
/// the one is taken in which most may.
pub fn group(model: &Model, certificate: &Certificate, program: &Program) -> SymmetryGroup {
    let basis = Basis::new(model, certificate);
    let Some(found) = scout::scout(&basis, program) else {
        return SymmetryGroup::trivial();
    };
    let constant = constant_cells(&basis, &found.places, found.active);
    let plan = Plan::of_some(&basis, &found.places, found.active, &constant);
    let Some(mut plan) = plan else {
        return SymmetryGroup::trivial();
    };
    match plan.read(&found.cells) {
        true => describe(&plan),
        false => SymmetryGroup::trivial(),
    }
}

/// The automorphisms of the view that was read last.
fn describe(plan: &Plan) -> SymmetryGroup {
    let found = automorphisms::automorphisms(plan.shape(), &plan.view());
    let renaming = |images: &Vec<u8>| plan.renaming(images);
    let permutation = |images: &Vec<u8>| {
        let images = images.iter().map(|image| u32::from(*image)).collect();
        Permutation::from_images(images).expect("an automorphism is a permutation")
    };
    let permutations = found.generators.iter().map(permutation).collect();
    let group = Group::new(plan.shape().points(), permutations).expect("of the same degree");
    SymmetryGroup {
        order: found.order,
        generators: found.generators.iter().map(renaming).collect(),
        structure: group.structure().to_string(),
    }
}
