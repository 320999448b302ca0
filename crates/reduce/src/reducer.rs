//! Reducers that label the points of each state: what most strategies are.
//!
//! Read the state into its view, label it, and if anything moves, apply the labelling and pack the result. How the view
//! is labelled is the business of the strategy.
//!
//! # Cost
//!
//! With `auto`, in a search by machine code with one worker, nanoseconds for each transition: to find a successor, to find
//! its representative, to look that up. Medians of five runs on a machine that had other work as well.
//!
//! | model | expand | canonicalise | store |
//! |---|---|---|---|
//! | Peterson's algorithm, 5 processes | 33 | 124 | 87 |
//! | MCS lock, 5 processes | 27 | 202 | 118 |
//! | e-mail, 5 clients | 43 | 289 | 109 |
//! | three tiers of 3, 3 and 2 clients | 52 | 631 | 162 |
//! | 12 philosophers, rotations | 37 | 204 | 105 |
//! | leader election, ring of 7, rotations | 157 | 365 | 215 |
//!
//! No part stands out. In per cent of all the time of a search:
//!
//! | model | view | sorting rows | refinement | image | packing it |
//! |---|---|---|---|---|---|
//! | Peterson's algorithm | 7 | 20 | | 4 | 5 |
//! | e-mail | 11 | 11 | 5 | 12 | 12 |
//! | three tiers | 10 | 14 | 17 | 6 | 10 |
//!
//! # Rejected
//!
//! A cache from states as they are met to their representatives. With 4096 entries it would know 10 to 35 of 100 states of
//! the same models, with 65536 entries 20 to 50; but to pack, hash and compare every state takes a third of what a
//! representative takes, so nothing is gained. Machine code has packed the state already, and still to hash, to compare and to keep
//! took 15 % of a search of Peterson's algorithm.
//!
//! To read plain rows as bits of the packed state, several cells at once, and to make the image by moving bits of the packed
//! state, so that nothing is packed anew. There are fewer and longer copies, but each takes two words, shifts and masks.
//! To canonicalise took 249 ns instead of 185 for the MCS lock, 299 instead of 272 for e-mail, 617 instead of 578 for three
//! tiers, and the same for Peterson's algorithm.
//!
//! To compare locations last, so that a process that makes a step keeps its place more often: no difference in total.
//!
//! # Trust
//!
//! In builds for development every representative is compared with what the reference [`mandala_symmetry::Action`]
//! makes of the state.

use crate::check::Checker;
use crate::description::{Described, Description, describe};
use crate::plan::{Active, Basis, Plan};
use crate::plans::{Planned, Plans};
use crate::settings::Settings;
use crate::twins::{Glance, TwinFinder};
use crate::{Reducer, Representative};
use mandala_canon::{Exactness, Labeller, Point};
use mandala_encoding::{Arrival, Program, Stepper};
use mandala_store::StoreFull;
use mandala_symmetry::Renaming;

/// Makes the labeller of a strategy for a plan.
pub(crate) type MakeLabeller = fn(&Plan, &Settings) -> Box<dyn Labeller>;

/// A reducer whose representatives are images under labellings.
pub(crate) struct Labelled<'a> {
    plans: Plans<'a, Tool>,
    make: MakeLabeller,
    settings: Settings,
    checker: Checker<'a>,
    /// By shape, how states without twins are told quickly.
    glances: Vec<Option<Glance>>,
}

/// What is made for a plan.
struct Tool {
    labeller: Box<dyn Labeller>,
    /// Made when twins are looked for.
    twins: Option<TwinFinder>,
}

impl<'a> Labelled<'a> {
    pub fn new(basis: Basis<'a>, make: MakeLabeller, settings: &Settings) -> Self {
        Labelled {
            checker: Checker::new(basis.model, basis.certificate),
            plans: Plans::new(basis),
            make,
            settings: settings.clone(),
            glances: Vec::new(),
        }
    }

    /// Whether a state may have twins, at first glance.
    #[inline]
    fn may_have_twins(&mut self, packed: &[u8], stepper: &mut Stepper<'_>) -> bool {
        let Some(shape) = Program::shape_of(packed) else {
            return false;
        };
        match self.glances.get(shape as usize) {
            Some(Some(glance)) => glance.finds_likeness(packed),
            _ => self.first_glance(shape as usize, packed, stepper),
        }
    }

    /// The same for the first state of a shape.
    #[cold]
    fn first_glance(&mut self, shape: usize, packed: &[u8], stepper: &mut Stepper<'_>) -> bool {
        let state = stepper.look(packed);
        // The same for all reducers, whichever states they meet first.
        let plan = Plan::untied(
            self.plans.basis(),
            &state.places(),
            Active::MAX,
            &mut Vec::new(),
        );
        let glance = Glance::new(plan.as_ref(), &state);
        let found = glance.finds_likeness(packed);
        self.glances.resize(self.glances.len().max(shape + 1), None);
        self.glances[shape] = Some(glance);
        found
    }
}

/// A state that represents itself.
#[inline]
pub(crate) fn as_it_is<'a>(
    arrival: &'a mut Arrival<'_, '_>,
    canonical: bool,
) -> Representative<'a> {
    Representative {
        packed: arrival.packed(),
        canonical,
    }
}

/// The labelling that exchanges two points.
fn exchange(plan: &Plan, pair: &[Point]) -> Vec<Point> {
    let mut positions: Vec<Point> = (0..plan.points().total)
        .map(|point| point as Point)
        .collect();
    positions.swap(pair[0].into(), pair[1].into());
    positions
}

#[inline]
fn moves_nothing(positions: &[Point]) -> bool {
    let mut positions = positions.iter().enumerate();
    positions.all(|(point, position)| usize::from(*position) == point)
}

impl Reducer for Labelled<'_> {
    #[inline]
    fn representative<'a>(
        &'a mut self,
        arrival: &'a mut Arrival<'_, '_>,
    ) -> Result<Representative<'a>, StoreFull> {
        let make = |plan: &Plan| Tool {
            labeller: (self.make)(plan, &self.settings),
            twins: None,
        };
        let Some(Planned { plan, tool }) = self.plans.find(arrival, make) else {
            return Ok(as_it_is(arrival, true));
        };
        if !plan.read(arrival.cells()) {
            return Ok(as_it_is(arrival, false));
        }
        let labelling = tool.labeller.label(&plan.view());
        let canonical = labelling.exactness() == Exactness::Exact;
        if moves_nothing(labelling.positions()) && !plan.has_moved() {
            return Ok(as_it_is(arrival, canonical));
        }
        let known = self
            .checker
            .note(arrival, || plan.renaming(labelling.positions()));
        let image = plan.image(arrival.cells(), labelling.table());
        let program = arrival.program();
        let packed = arrival.packed_as(image);
        self.checker.check(program, known, packed);
        Ok(Representative { packed, canonical })
    }

    fn witness(&mut self, arrival: &mut Arrival<'_, '_>) -> Option<Renaming> {
        let make = |plan: &Plan| Tool {
            labeller: (self.make)(plan, &self.settings),
            twins: None,
        };
        let planned = self.plans.find(arrival, make);
        let Some(Planned { plan, tool }) = planned else {
            return Some(Renaming::identity());
        };
        if !plan.read(arrival.cells()) {
            return Some(Renaming::identity());
        }
        let labelling = tool.labeller.label(&plan.view());
        Some(plan.renaming(labelling.positions()))
    }

    fn find_twins(&mut self, packed: &[u8], stepper: &mut Stepper<'_>) {
        stepper.twins().clear();
        if !self.may_have_twins(packed, stepper) {
            return;
        }
        let make = |plan: &Plan| Tool {
            labeller: (self.make)(plan, &self.settings),
            twins: None,
        };
        let program = stepper.program();
        let state = stepper.look(packed);
        let places = || state.places();
        let domains = self.plans.basis().domains;
        let planned = self
            .plans
            .find_for(state.shape(), places, state.cells(), make);
        let Some(Planned { plan, tool }) = planned else {
            return;
        };
        if plan.has_moved() {
            return;
        }
        let finder = tool
            .twins
            .get_or_insert_with(|| TwinFinder::new(domains, plan));
        if finder.find(state.cells()) {
            for pair in finder.classes().flat_map(|class| class.windows(2)) {
                let exchange = || plan.renaming(&exchange(plan, pair));
                self.checker.check_kept(program, packed, exchange);
            }
            finder.tell(stepper.twins());
        }
    }

    fn notes(&self) -> Vec<u8> {
        self.plans.basis().patterns.notes()
    }

    fn recall(&mut self, notes: &[u8]) -> bool {
        self.plans.basis().patterns.recall(notes)
    }
}

impl Described for Labelled<'_> {
    fn description(&self) -> Description {
        describe(&self.plans)
    }
}
