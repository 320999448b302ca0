//! Parameters of edges and monitors, and the values that they go through: arithmetic progressions.

use crate::ids::{GlobalId, LocalId};
use crate::source::Span;
use crate::state::Value;

/// A parameter of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source.
    pub name: String,
    /// The scratch variable that holds its value during the step. Nothing assigns to it.
    pub local: LocalId,
    /// The values of which one is chosen.
    pub values: Values,
    /// The array whose positions the values are, if its elements have [no order](crate::symmetry::Scalarset::unordered).
    pub positions_of: Option<GlobalId>,
    /// Where it is declared.
    pub span: Span,
}

/// Numbers of which one is chosen, in order: arithmetic progressions, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Values(pub Vec<Progression>);

/// Numbers at the same distance from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progression {
    /// The first number.
    pub first: Value,
    /// The distance to the next one.
    pub step: Value,
    /// How many numbers there are.
    pub count: u32,
}

impl Progression {
    /// The numbers from the first to the last.
    pub fn range(first: Value, count: u32) -> Self {
        Progression {
            first,
            step: 1,
            count,
        }
    }

    /// The last number, if there is one and it fits.
    pub fn last(self) -> Option<Value> {
        let steps = Value::from(self.count.checked_sub(1)?);
        self.step.checked_mul(steps)?.checked_add(self.first)
    }
}

impl Progression {
    /// The number under which a value comes, if it is one of these.
    fn place_of(self, value: Value) -> Option<u64> {
        let distance = value.checked_sub(self.first)?;
        let place = match self.step {
            0 => (distance == 0).then_some(0),
            step => (distance.checked_rem(step)? == 0).then(|| distance / step),
        };
        let place = u64::try_from(place?).ok()?;
        (place < u64::from(self.count)).then_some(place)
    }
}

impl Values {
    /// How many there are.
    pub fn count(&self) -> u64 {
        let counts = self.0.iter().map(|run| u64::from(run.count));
        counts.sum()
    }

    /// The value of that number, from 0 on.
    ///
    /// # Panics
    ///
    /// If there are not that many.
    pub fn get(&self, number: u64) -> Value {
        let mut rest = number;
        for run in &self.0 {
            if rest < u64::from(run.count) {
                return run.first + run.step * rest as Value;
            }
            rest -= u64::from(run.count);
        }
        panic!("there is no value {number}");
    }

    /// The number under which a value comes first, if it is one of them.
    pub fn place_of(&self, value: Value) -> Option<u64> {
        let mut before = 0;
        for run in &self.0 {
            if let Some(place) = run.place_of(value) {
                return Some(before + place);
            }
            before += u64::from(run.count);
        }
        None
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.count()).map(|number| self.get(number))
    }
}
