//! The search for components with fair accepting runs.

use crate::bits::Bits;
use crate::components::Components;
use crate::fairness::{Fairness, Judge, Judgement};
use crate::product::Product;

/// A search for components in which some fair run meets accepting nodes again and again.
///
/// Components that are not fair as a whole wait until the search is through; then what is left of them is searched.
pub(crate) struct Hunt<'a> {
    pub product: Product<'a>,
    pub components: Components<Product<'a>>,
    pub judge: Judge<'a>,
    parts: Vec<Vec<u32>>,
}

impl<'a> Hunt<'a> {
    /// A search from some product nodes, in those that stand for allowed nodes if a set is given.
    pub(crate) fn new(
        product: Product<'a>,
        fairness: Fairness,
        roots: Vec<u32>,
        allowed: Option<&Bits>,
    ) -> Hunt<'a> {
        Hunt {
            product,
            components: Components::of_product(product, roots, allowed),
            judge: Judge::new(product, fairness),
            parts: Vec::new(),
        }
    }

    /// Finds the next such component.
    pub(crate) fn advance(&mut self) -> bool {
        loop {
            while self.components.advance() {
                if self.is_accepting() && self.is_fair() {
                    return true;
                }
            }
            match self.parts.pop() {
                Some(part) => self.components.restart(part),
                None => return false,
            }
        }
    }

    fn is_accepting(&self) -> bool {
        let mut members = self.components.members().iter();
        members.any(|node| self.product.is_accepting(*node)) && self.components.has_cycle()
    }

    fn is_fair(&mut self) -> bool {
        match self.judge.judge(&self.components) {
            Judgement::Fair => true,
            Judgement::AtMost(part) => {
                if !part.is_empty() {
                    self.parts.push(part);
                }
                false
            }
        }
    }
}
