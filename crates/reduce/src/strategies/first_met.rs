//! `first-met`: the first state of an orbit that is met stands for it, if the others can be shown to be equivalent
//! (Sistla, Gyuris and Emerson 2000, the lazy way of SMC).
//!
//! Points are coloured in a way that does not depend on names and put in the order of their colours, points of equal colours
//! in the order of their names. Two states that look alike then are equivalent, and the one met first represents the
//! other. Two that do not may be equivalent all the same: then both are kept. If all colours differ, that cannot happen.
//!
//! Under a group that has not all permutations of its points, colours take in its orbitals, and the order is taken for the
//! labelling from which the nearest element of the group is found ([`crate::held`]).

use super::keeper::Keeper;
use crate::description::{Described, Description, describe};
use crate::held::{Chain, WithOrbitals};
use crate::plan::{Basis, Plan};
use crate::plans::{Planned, Plans};
use crate::reducer::as_it_is;
use crate::settings::Settings;
use crate::signature::Signature;
use crate::{Reducer, Representative};
use mandala_canon::{Effort, Exactness, Labelling, Labels, Point, Shape};
use mandala_encoding::Arrival;
use mandala_store::StoreFull;
use mandala_symmetry::Renaming;

/// Keeps the first of several states that can be shown to be equivalent.
pub(super) struct FirstMet<'a> {
    plans: Plans<'a, ByColour>,
    keeper: Keeper,
    form: Vec<u8>,
}

/// Puts points in the order of their colours.
pub(super) struct ByColour {
    signature: Signature,
    order: Vec<Point>,
    labels: Labels,
    held: Option<(WithOrbitals, Chain)>,
}

impl ByColour {
    fn new(plan: &Plan) -> Self {
        let points = plan.shape().points();
        let held = plan.points().held.as_ref().map(|held| {
            let orbitals = WithOrbitals::new(plan.shape(), held);
            (orbitals, Chain::new(held))
        });
        ByColour {
            signature: Signature::new(plan.shape()),
            order: (0..points).map(|point| point as Point).collect(),
            labels: Labels::identity(points),
            held,
        }
    }

    /// Finds the order of the points of the state that was read last; says whether all colours differ.
    fn arrange(&mut self, plan: &Plan) -> bool {
        let shape: &Shape = plan.shape();
        self.colour(plan);
        let colours = self.signature.colours();
        let colour = |point: Point| colours[usize::from(point)];
        let mut differ = true;
        for domain in 0..shape.domains() {
            let order = &mut self.order[shape.domain_points(domain)];
            order.sort_unstable_by_key(|point| (colour(*point), *point));
            differ &= order.windows(2).all(|w| colour(w[0]) != colour(w[1]));
        }
        self.labels.set_points(&self.order);
        if let Some((_, chain)) = &mut self.held {
            let mut positions = self.labels.positions().to_vec();
            chain.settle(&mut positions);
            self.labels.set_positions(&positions);
        }
        differ
    }

    fn colour(&mut self, plan: &Plan) {
        match &mut self.held {
            None => self.signature.colour(plan.shape(), &plan.view()),
            Some((orbitals, _)) => {
                let shape = orbitals.shape().clone();
                self.signature.colour(&shape, &orbitals.view(&plan.view()))
            }
        };
    }
}

impl<'a> FirstMet<'a> {
    pub fn new(basis: Basis<'a>, settings: &Settings) -> Self {
        FirstMet {
            plans: Plans::new(basis),
            keeper: Keeper::with_limit(settings.memory),
            form: Vec::new(),
        }
    }

    /// Finds the form of a state by which it is compared with others; says whether that is canonical. There is none
    /// if nothing can be permuted.
    fn find_form(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<bool> {
        let Planned { plan, tool } = self.plans.find(arrival, ByColour::new)?;
        if !plan.read(arrival.cells()) {
            return None;
        }
        let canonical = tool.arrange(plan);
        let effort = Effort::of_permutations(1);
        let labelling = Labelling::new(&tool.labels, Exactness::Heuristic, effort);
        let image = plan.image(arrival.cells(), labelling.table());
        self.form.clear();
        self.form.extend_from_slice(arrival.packed_as(image));
        Some(canonical)
    }
}

impl Reducer for FirstMet<'_> {
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        match self.find_form(arrival) {
            None => Ok(as_it_is(arrival, false)),
            Some(canonical) => Ok(Representative {
                packed: self.keeper.first(&self.form, arrival.packed())?,
                canonical,
            }),
        }
    }

    /// Known for states that represent themselves only.
    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        let state = arrival.packed().to_vec();
        let found = self.representative(arrival).ok()?;
        (found.packed == state).then(Renaming::identity)
    }

    fn bytes(&self) -> usize {
        self.keeper.bytes()
    }

    fn keeps_states(&self) -> bool {
        true
    }
}

impl Described for FirstMet<'_> {
    fn description(&self) -> Description {
        Description {
            kept_states: self.keeper.len(),
            ..describe(&self.plans)
        }
    }
}
