//! Walking through all elements of a group.

use crate::chain::StabiliserChain;
use crate::permutation::Permutation;

/// Iterator over all elements of a group, see [`crate::Group::elements`].
///
/// An element is a product of one orbit representative a level. The iterator counts through the choices
/// like an odometer whose fastest wheel is the deepest level, and keeps the partial products, so
/// that a step costs about one product.
#[derive(Clone, Debug)]
pub struct Elements<'c> {
    chain: &'c StabiliserChain,
    /// By level, which point of the orbit is chosen.
    wheels: Vec<usize>,
    /// By level, the product of the representatives chosen up to it; one more at the end is the
    /// next element. Empty when all are done.
    products: Vec<Permutation>,
}

impl<'c> Elements<'c> {
    pub(crate) fn new(chain: &'c StabiliserChain) -> Self {
        let identity = Permutation::identity(chain.degree());
        Elements {
            chain,
            wheels: vec![0; chain.len()],
            products: vec![identity; chain.len() + 1],
        }
    }

    /// Turns the deepest wheel that is not at its end, and resets those below it.
    fn advance(&mut self) {
        let turnable = |&level: &usize| self.wheels[level] + 1 < self.chain.orbit(level).len();
        match (0..self.wheels.len()).rev().find(turnable) {
            None => self.products.clear(),
            Some(level) => self.turn(level),
        }
    }

    fn turn(&mut self, level: usize) {
        self.wheels[level] += 1;
        let point = self.chain.orbit(level)[self.wheels[level]];
        let representative = self
            .chain
            .representative(level, point)
            .expect("a point of the orbit");
        self.products[level + 1] = representative.then(&self.products[level]);
        for below in level + 1..self.wheels.len() {
            self.wheels[below] = 0;
            self.products[below + 1] = self.products[level + 1].clone();
        }
    }
}

impl Iterator for Elements<'_> {
    type Item = Permutation;

    fn next(&mut self) -> Option<Permutation> {
        let element = self.products.last()?.clone();
        self.advance();
        Some(element)
    }
}
