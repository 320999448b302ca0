//! The numbers of shapes, where they show.
//!
//! Shapes are numbered as they come up. If several threads explore a program, which shape gets which number can
//! depend on who was faster, and a packed state starts with the number of its shape. So whoever wants an order of states that is
//! the same every time has to ask for it ([`Program::compare`]), and whoever wants to understand packed states
//! of another run has to number the shapes as they were numbered there ([`Program::recall_shapes`]).

use crate::program::Program;
use crate::shape::{ShapeCache, read_prefix};
use mandala_model::ids::TemplateId;
use std::cmp::Ordering;

impl Program {
    /// Compares two packed states in an order that does not depend on the numbers of shapes.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        let (shape_a, shape_b) = (read_prefix(a), read_prefix(b));
        if shape_a == shape_b {
            return a.cmp(b);
        }
        let templates = |shape: Option<u32>| -> Option<Vec<TemplateId>> {
            let shape = ShapeCache::default().get(&self.shapes, shape?)?;
            Some(shape.processes.iter().map(|p| p.template).collect())
        };
        templates(shape_a).cmp(&templates(shape_b))
    }

    /// All shapes that have come up but the empty one, in the order of their numbers: each adds a process of a template
    /// to another shape.
    pub fn shapes(&self) -> Vec<(u32, TemplateId)> {
        self.shapes.history()
    }

    /// Numbers shapes as they were numbered before. False if that is not possible: another program, or shapes
    /// have come up already in another order.
    pub fn recall_shapes(&self, history: &[(u32, TemplateId)]) -> bool {
        let known = self.layout.templates.len();
        history.iter().zip(1..).all(|((parent, template), number)| {
            let sane = *parent < number && template.index() < known;
            sane && self.shapes.add(*parent, *template, &self.layout) == Some(number)
        })
    }
}
