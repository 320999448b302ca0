//! The plans that have been needed so far, found again without hashing.

use crate::activity::Activity;
use crate::plan::{Active, Basis, LeftOut, Plan};
use mandala_encoding::{Arrival, Places};

/// A plan and what goes with it.
#[derive(Debug)]
pub(crate) struct Planned<T> {
    pub plan: Plan,
    pub tool: T,
}

/// Plans by shape and active domains, each with a tool made for it.
#[derive(Debug)]
pub(crate) struct Plans<'a, T> {
    basis: Basis<'a>,
    /// By the number of the shape.
    shapes: Vec<Option<OfShape<T>>>,
    left_out: Vec<LeftOut>,
}

/// The plans of one shape.
#[derive(Debug)]
struct OfShape<T> {
    places: Places,
    activity: Activity,
    plans: Vec<(Key, Option<Planned<T>>)>,
    /// The one that was asked for last.
    last: usize,
}

/// What a plan of a shape is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    active: Active,
    /// Whether members are tied as in the first state with these active domains.
    tied: bool,
}

impl<'a, T> Plans<'a, T> {
    pub fn new(basis: Basis<'a>) -> Self {
        Plans {
            basis,
            shapes: Vec::new(),
            left_out: Vec::new(),
        }
    }

    pub fn basis(&self) -> &Basis<'a> {
        &self.basis
    }

    /// The domains that could not be permuted somewhere, though they could be by right.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// All plans that have been needed.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        let plans = self.shapes.iter().flatten().flat_map(|shape| &shape.plans);
        plans.filter_map(|(_, planned)| planned.as_ref().map(|planned| &planned.plan))
    }

    /// The plan for a state, prepared for it; none if nothing can be permuted in it.
    #[inline]
    pub fn find(
        &mut self,
        arrival: &Arrival<'_, '_>,
        tool: impl Fn(&Plan) -> T,
    ) -> Option<&mut Planned<T>> {
        let (shape, cells) = (arrival.shape(), arrival.cells());
        self.find_for(shape, || arrival.places(), cells, tool)
    }

    /// The same for a state with those cells, of a shape that has its cells in those places.
    #[inline]
    pub fn find_for(
        &mut self,
        shape: u32,
        places: impl FnOnce() -> Places,
        cells: &[i64],
        tool: impl Fn(&Plan) -> T,
    ) -> Option<&mut Planned<T>> {
        let shape = shape as usize;
        if self.shapes.get(shape).is_none_or(Option::is_none) {
            self.add_shape(shape, places());
        }
        let of_shape = self.shapes[shape].as_mut()?;
        let active = of_shape.activity.of(cells);
        let mut make = |places: &Places, key: Key| {
            let (basis, left_out) = (&self.basis, &mut self.left_out);
            let plan = match key.tied {
                true => {
                    let pattern = basis.patterns.of(shape as u32, active, cells);
                    Plan::new(basis, places, active, &pattern, left_out)
                }
                false => Plan::untied(basis, places, active, &mut Vec::new()),
            }?;
            let tool = tool(&plan);
            Some(Planned { plan, tool })
        };
        of_shape.turn_to(Key { active, tied: true }, &mut make);
        let fits = |planned: &mut Planned<T>| planned.plan.prepare(cells);
        if !of_shape.current().is_none_or(fits) {
            let tied = false;
            of_shape.turn_to(Key { active, tied }, &mut make);
        }
        of_shape.current()
    }

    #[cold]
    fn add_shape(&mut self, shape: usize, places: Places) {
        if self.shapes.len() <= shape {
            self.shapes.resize_with(shape + 1, || None);
        }
        self.shapes[shape] = Some(OfShape {
            activity: Activity::new(self.basis.certificate, &places),
            places,
            plans: Vec::new(),
            last: 0,
        });
    }
}

impl<T> OfShape<T> {
    #[inline]
    fn current(&mut self) -> Option<&mut Planned<T>> {
        self.plans[self.last].1.as_mut()
    }

    /// Makes the plan for a key the last one.
    #[inline]
    fn turn_to(&mut self, key: Key, make: impl FnOnce(&Places, Key) -> Option<Planned<T>>) {
        if self
            .plans
            .get(self.last)
            .is_none_or(|(last, _)| *last != key)
        {
            self.look_for(key, make);
        }
    }

    #[cold]
    fn look_for(&mut self, key: Key, make: impl FnOnce(&Places, Key) -> Option<Planned<T>>) {
        let found = self.plans.iter().position(|(other, _)| *other == key);
        self.last = found.unwrap_or(self.plans.len());
        if found.is_none() {
            self.plans.push((key, make(&self.places, key)));
        }
    }
}
