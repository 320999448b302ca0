//! The stabiliser of a state: the renamings that fix it. It tells how many states a representative stands for, and which.

use crate::group::automorphisms_of;
use crate::plan::Basis;
use crate::plans::{Planned, Plans};
use mandala_canon::Point;
use mandala_encoding::Arrival;
use mandala_symmetry::Renaming;

/// Finds the stabilisers of states.
#[derive(Debug)]
pub struct Stabilisers<'a> {
    plans: Plans<'a, ()>,
}

impl<'a> Stabilisers<'a> {
    pub(crate) fn new(basis: Basis<'a>) -> Self {
        Stabilisers {
            plans: Plans::new(basis),
        }
    }

    /// Renamings that generate the stabiliser of a state: of all that are certified, those that map it to itself. None if nothing can be exchanged in it, or only the
    /// identity maps it to itself.
    pub fn of(&mut self, arrival: &Arrival<'_, '_>) -> Vec<Renaming> {
        let Some(Planned { plan, .. }) = self.plans.find(arrival, |_| ()) else {
            return Vec::new();
        };
        if !plan.read(arrival.cells()) {
            return Vec::new();
        }
        let still: Vec<Point> = (0..plan.points().total).map(|at| at as Point).collect();
        // Members that are tied are put in line before the state is read, and go back afterwards.
        let back = plan.renaming(&still).inverse();
        let generators = automorphisms_of(plan).into_iter();
        let generators = generators.map(|images| plan.renaming(&images).then(&back));
        generators
            .filter(|renaming| !renaming.is_identity())
            .collect()
    }
}
