//! Finds the states with which the symmetry of all domains begins.
//!
//! Who gets which name may be a matter of chance: of a race between those who make processes, or of a choice. Then no
//! single state tells what is linked to what. So all ways through the start are followed, until everything may be permuted.

use crate::activity::Activity;
use crate::plan::{Active, Basis, movable, points_of};
use mandala_encoding::{Arrival, Places, Program, Sink};
use mandala_model::step::{Turn, Violation};
use std::collections::{HashMap, HashSet};

/// How many states are looked at.
const PATIENCE: usize = 4_000;

/// A state and what may be permuted in it.
#[derive(Debug)]
pub(super) struct Found {
    pub places: Places,
    pub cells: Vec<i64>,
    pub active: Active,
    members: usize,
    /// The same cells in other states with which the symmetry may begin as well.
    pub others: Vec<Vec<i64>>,
    /// Whether these are all.
    pub complete: bool,
}

/// Looks at states in the order in which they come up, and goes on from those in which not everything may be permuted
/// yet. If there is none in which everything may, gives the first of those in which most may.
pub(super) fn scout(basis: &Basis<'_>, program: &Program) -> Option<Found> {
    let mut stepper = program.stepper();
    let mut search = Search {
        basis,
        all: movable(basis.certificate),
        seen: HashSet::new(),
        waiting: Vec::new(),
        shapes: HashMap::new(),
        members: HashMap::new(),
        best: None,
    };
    let _ = stepper.start(&mut search);
    let mut next = 0;
    while let Some((state, turn)) = search.waiting.get(next).cloned() {
        if search.is_tired() {
            break;
        }
        // A successor that is too large is simply not looked at.
        let _ = stepper.expand(&state, turn, &mut search);
        next += 1;
    }
    let complete = next == search.waiting.len() && !search.is_tired();
    search.best.map(|found| Found { complete, ..found })
}

struct Search<'a> {
    basis: &'a Basis<'a>,
    /// How many members of domains may be permuted in all.
    all: usize,
    seen: HashSet<Vec<u8>>,
    waiting: Vec<(Vec<u8>, Turn)>,
    /// By the number of a shape.
    shapes: HashMap<u32, (Places, Activity)>,
    /// By shape and active domains, how many members may be permuted.
    members: HashMap<(u32, Active), usize>,
    best: Option<Found>,
}

impl Search<'_> {
    fn is_tired(&self) -> bool {
        self.seen.len() >= PATIENCE
    }

    /// Looks at a new state; says whether everything may be permuted in it.
    fn look(&mut self, arrival: &Arrival<'_, '_>) -> bool {
        let certificate = self.basis.certificate;
        let (places, activity) = self.shapes.entry(arrival.shape()).or_insert_with(|| {
            let places = arrival.places();
            let activity = Activity::new(certificate, &places);
            (places, activity)
        });
        let active = activity.of(arrival.cells());
        let members = self.members.entry((arrival.shape(), active));
        let members = members.or_insert_with(|| points_of(certificate, active, places).members());
        let members = *members;
        let cells = arrival.cells().to_vec();
        match &mut self.best {
            Some(best) if best.members > members => {}
            Some(best) if best.members == members => best.others.push(cells),
            _ => {
                self.best = Some(Found {
                    cells,
                    places: places.clone(),
                    active,
                    members,
                    others: Vec::new(),
                    complete: false,
                });
            }
        }
        members == self.all
    }
}

impl Sink for Search<'_> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if self.is_tired() || self.seen.contains(arrival.packed()) {
            return;
        }
        let state = arrival.packed().to_vec();
        self.seen.insert(state.clone());
        if !self.look(arrival) {
            self.waiting.push((state, turn));
        }
    }

    fn violation(&mut self, _: Violation) {}

    fn keep_going(&mut self, _: usize) -> bool {
        !self.is_tired()
    }
}
