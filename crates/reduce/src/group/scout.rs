//! Finds a state in which all domains may be permuted.

use crate::activity::Activity;
use crate::plan::{Active, Basis, Points};
use mandala_encoding::{Arrival, Places, Program, Sink};
use mandala_model::step::{Turn, Violation};
use std::collections::{HashMap, HashSet};

/// How many states are looked at. Processes are started first, so that not many are needed.
const PATIENCE: usize = 4_000;

/// A state and what may be permuted in it.
#[derive(Debug)]
pub(super) struct Found {
    pub places: Places,
    pub cells: Vec<i64>,
    pub active: Active,
    points: usize,
}

/// Looks at states in the order in which they come up, until there is one in which everything may be permuted. If there
/// is none, gives the first of those in which most may.
pub(super) fn scout(basis: &Basis<'_>, program: &Program) -> Option<Found> {
    let mut stepper = program.stepper();
    let mut search = Search {
        basis,
        all: basis.domains.iter().map(|d| d.kind.size()).sum(),
        seen: HashSet::new(),
        waiting: Vec::new(),
        shapes: HashMap::new(),
        best: None,
    };
    let _ = stepper.start(&mut search);
    let mut next = 0;
    while let Some((state, turn)) = search.waiting.get(next).cloned() {
        if search.is_done() {
            break;
        }
        // A successor that is too large is simply not looked at.
        let _ = stepper.expand(&state, turn, &mut search);
        next += 1;
    }
    search.best
}

struct Search<'a> {
    basis: &'a Basis<'a>,
    /// The members of all domains.
    all: usize,
    seen: HashSet<Vec<u8>>,
    waiting: Vec<(Vec<u8>, Turn)>,
    /// By the number of a shape.
    shapes: HashMap<u32, (Places, Activity)>,
    best: Option<Found>,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        let points = self.best.as_ref().map_or(0, |found| found.points);
        points == self.all || self.seen.len() >= PATIENCE
    }

    fn look(&mut self, arrival: &Arrival<'_, '_>) {
        let domains = self.basis.domains;
        let (places, activity) = self.shapes.entry(arrival.shape()).or_insert_with(|| {
            let places = arrival.places();
            let activity = Activity::new(domains, &places);
            (places, activity)
        });
        let active = activity.of(arrival.cells());
        let points = Points::new(domains, active, places).total;
        if self.best.as_ref().is_none_or(|best| best.points < points) {
            self.best = Some(Found {
                cells: arrival.cells().to_vec(),
                places: places.clone(),
                active,
                points,
            });
        }
    }
}

impl Sink for Search<'_> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        if self.is_done() || self.seen.contains(arrival.packed()) {
            return;
        }
        let state = arrival.packed().to_vec();
        self.seen.insert(state.clone());
        self.waiting.push((state, turn));
        self.look(arrival);
    }

    fn violation(&mut self, _: Violation) {}

    fn keep_going(&mut self, _: usize) -> bool {
        !self.is_done()
    }
}
