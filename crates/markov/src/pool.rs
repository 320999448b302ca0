//! A table of exact numbers, each with its bounds.

use crate::bounds::Bounds;
use dashu_ratio::RBig;
use std::collections::HashMap;

/// Numbers, each once. Few numbers occur in a model, and each occurs often.
#[derive(Clone, Debug)]
pub struct Pool {
    exact: Vec<RBig>,
    bounds: Vec<Bounds>,
    index: HashMap<RBig, u32>,
}

/// The number of 0 in a table.
pub(crate) const ZERO: u32 = 0;
/// The number of 1 in a table.
pub(crate) const ONE: u32 = 1;

impl Default for Pool {
    fn default() -> Pool {
        let mut pool = Pool {
            exact: Vec::new(),
            bounds: Vec::new(),
            index: HashMap::new(),
        };
        pool.insert(&RBig::ZERO);
        pool.insert(&RBig::ONE);
        pool
    }
}

impl Pool {
    /// The place of a number in the table.
    pub fn insert(&mut self, number: &RBig) -> u32 {
        if let Some(&known) = self.index.get(number) {
            return known;
        }
        let new = self.exact.len() as u32;
        self.index.insert(number.clone(), new);
        self.exact.push(number.clone());
        self.bounds.push(Bounds::of(number));
        new
    }

    /// The number there.
    #[must_use]
    pub fn exact(&self, place: u32) -> &RBig {
        &self.exact[place as usize]
    }

    /// All numbers, in the order of their places.
    #[must_use]
    pub fn numbers(&self) -> &[RBig] {
        &self.exact
    }

    /// Its bounds.
    #[must_use]
    pub fn bounds(&self, place: u32) -> Bounds {
        self.bounds[place as usize]
    }
}
