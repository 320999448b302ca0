//! Sets of values: a few, or all that a type allows.

use std::rc::Rc;

/// How many values a set may have.
pub(crate) const MOST: usize = 1024;

/// Some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// All that the type allows.
    All,
    /// These, in order. They are copied around far more often than they change.
    Few(Rc<[i64]>),
}

impl Set {
    pub fn none() -> Self {
        Set::Few(Rc::from([]))
    }

    pub fn one(value: i64) -> Self {
        Set::Few(Rc::from([value]))
    }

    /// These values, unless they are too many.
    pub fn of(mut values: Vec<i64>) -> Self {
        values.sort_unstable();
        values.dedup();
        match values.len() > MOST {
            true => Set::All,
            false => Set::Few(Rc::from(values)),
        }
    }

    /// Whether a value is one of a few.
    pub fn lists(&self, value: i64) -> bool {
        match self {
            Set::All => false,
            Set::Few(values) => values.binary_search(&value).is_ok(),
        }
    }

    /// Adds what is missing; true if something was.
    pub fn add(&mut self, more: &Set) -> bool {
        *self = match (&*self, more) {
            (Set::All, _) => return false,
            (Set::Few(_), Set::All) => Set::All,
            (Set::Few(_), Set::Few(more)) if more.iter().all(|v| self.lists(*v)) => return false,
            (Set::Few(own), Set::Few(more)) => Set::of([&own[..], &more[..]].concat()),
        };
        true
    }

    pub fn with(mut self, more: &Set) -> Self {
        self.add(more);
        self
    }

    /// What becomes of the values; those that come to nothing are left out.
    pub fn map(&self, change: impl Fn(i64) -> Option<i64>) -> Set {
        match self {
            Set::All => Set::All,
            Set::Few(values) => Set::of(values.iter().filter_map(|v| change(*v)).collect()),
        }
    }
}
