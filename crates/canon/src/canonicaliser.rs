//! The canonicaliser: one per worker, one call per state, nothing allocated in between.

use crate::labelling::{Effort, Exactness, Labeller, Labelling, Route};
use crate::partition::Partition;
use crate::refine::{Refiner, State};
use crate::rows::RowSorter;
use crate::search::{Budget, Ending, Search};
use crate::shape::Shape;
use crate::view::View;

/// Finds canonical labellings of the states of one shape.
///
/// ```
/// use mandala_canon::{Budget, Canonicaliser, NONE, Shape, View, apply};
///
/// // Three processes with a control location and a pointer each: 0 -> 1 -> 2, and the same with other names.
/// let shape = Shape::single(3, 1, 1)?;
/// let list = View::new(&shape, &[7, 7, 7], &[1, 2, NONE], &[], &[])?;
/// let renamed = View::new(&shape, &[7, 7, 7], &[NONE, 0, 1], &[], &[])?;
///
/// let mut canonicaliser = Canonicaliser::new(&shape, Budget::default());
/// let form = apply(&shape, &list, canonicaliser.canonicalise(&list).positions());
/// let other = apply(&shape, &renamed, canonicaliser.canonicalise(&renamed).positions());
/// assert_eq!(form, other);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Canonicaliser {
    shape: Shape,
    sorter: RowSorter,
    partition: Partition,
    refiner: Refiner,
    search: Search,
    counters: Counters,
    /// Whether sorting and refinement told all points of the last state apart.
    all_apart: bool,
}

/// What the states so far took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// States for which sorting was enough.
    pub sorted: u64,
    /// States for which refinement was enough.
    pub refined: u64,
    /// States that needed a search.
    pub searched: u64,
    /// States for which the budget was not enough: their labellings are not canonical.
    pub heuristic: u64,
    /// Nodes of all search trees.
    pub nodes: u64,
    /// Leaves of all search trees.
    pub leaves: u64,
}

impl Canonicaliser {
    /// A canonicaliser for views of this shape.
    pub fn new(shape: &Shape, budget: Budget) -> Self {
        Self {
            shape: shape.clone(),
            sorter: RowSorter::new(shape),
            partition: Partition::discrete(shape.points()),
            refiner: Refiner::new(shape),
            search: Search::new(shape, budget),
            counters: Counters::default(),
            all_apart: false,
        }
    }

    /// Labels a state so that equivalent states get equal images, unless the budget is exceeded.
    ///
    /// # Panics
    ///
    /// May panic if the view was made for another shape.
    pub fn canonicalise(&mut self, view: &View) -> Labelling<'_> {
        debug_assert!(view.fits(&self.shape), "the view is of another shape");
        let (route, ending) = self.find_labels(view);
        let effort = Effort {
            route,
            nodes: self.search.nodes,
            leaves: self.search.leaves,
        };
        self.counters.add(effort, ending);
        Labelling {
            labels: self.search.best(),
            exactness: match ending {
                Ending::Complete => Exactness::Exact,
                Ending::OverBudget => Exactness::Heuristic,
            },
            effort,
        }
    }

    fn find_labels(&mut self, view: &View) -> (Route, Ending) {
        let state = State {
            shape: &self.shape,
            view,
        };
        let is_linked = self.shape.is_linked();
        match is_linked {
            true => self.sorter.sort(state.shape, view, &mut self.partition),
            false => self.sorter.order(state.shape, view, &mut self.partition),
        }
        self.all_apart = self.partition.is_discrete();
        if self.partition.is_discrete() || !is_linked {
            self.search.settle(&self.partition);
            return (Route::Sorted, Ending::Complete);
        }
        self.refiner.refine_all(state, &mut self.partition);
        self.all_apart = self.partition.is_discrete();
        let ending = self
            .search
            .run(state, &mut self.refiner, &mut self.partition);
        let route = match self.search.nodes {
            0 => Route::Refined,
            _ => Route::Searched,
        };
        (route, ending)
    }

    /// Whether all points of the last state are told apart by what is known of them, so that no symmetry but the
    /// identity maps the state to itself, and only one labelling leads to its canonical form.
    pub fn has_told_all_apart(&self) -> bool {
        self.all_apart
    }

    /// What the states so far took.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The shape of the views.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }
}

impl Labeller for Canonicaliser {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.canonicalise(view)
    }
}

impl Counters {
    fn add(&mut self, effort: Effort, ending: Ending) {
        match effort.route {
            Route::Sorted => self.sorted += 1,
            Route::Refined => self.refined += 1,
            Route::Searched => self.searched += 1,
        }
        self.heuristic += u64::from(ending == Ending::OverBudget);
        self.nodes += u64::from(effort.nodes);
        self.leaves += u64::from(effort.leaves);
    }

    /// How many states there were.
    pub fn states(&self) -> u64 {
        self.sorted + self.refined + self.searched
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::apply;
    use crate::shape::{NONE, Point};
    use std::collections::HashSet;

    /// The number of forms of all views in which each of the cells holds a point or nothing.
    fn orbits(points: Point, cells: u32, clear_bits: u64) -> (usize, Counters) {
        let shape = Shape::single(points.into(), 0, cells as usize).expect("small");
        let mut canonicaliser = Canonicaliser::new(&shape, Budget::UNLIMITED);
        canonicaliser.refiner.blur(clear_bits);
        let mut forms = HashSet::new();
        let (base, places) = (u32::from(points) + 1, u32::from(points) * cells);
        for number in 0..base.pow(places) {
            let target = |place| (number / base.pow(place) % base) as Point;
            let cell = |target| if target == points { NONE } else { target };
            let cells: Vec<Point> = (0..places).map(target).map(cell).collect();
            let view = View::new(&shape, &[], &cells, &[], &[]).expect("fits");
            let labelling = canonicaliser.canonicalise(&view);
            forms.insert(apply(&shape, &view, labelling.positions()));
        }
        (forms.len(), canonicaliser.counters())
    }

    #[test]
    fn signatures_that_collide_cost_time_and_nothing_else() {
        for (points, cells) in [(4, 1), (5, 1), (3, 2)] {
            let (orbits_seen_clearly, clear) = orbits(points, cells, u64::MAX);
            for clear_bits in [0, 1, 3, 1 << 40] {
                let (count, blurred) = orbits(points, cells, clear_bits);
                assert_eq!(count, orbits_seen_clearly, "with bits {clear_bits:b}");
                assert!(blurred.nodes > clear.nodes);
            }
        }
    }
}
