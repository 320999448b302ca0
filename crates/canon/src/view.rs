//! The domain view of one state: plain rows, references, shared references and relations in flat slices.

use crate::shape::{Point, Shape};
use std::fmt;

/// What is known of the points in one state; see the [crate's documentation](crate) for the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<'a> {
    pub(crate) plain: &'a [u32],
    pub(crate) references: &'a [Point],
    pub(crate) shared: &'a [Point],
    pub(crate) relations: &'a [u32],
}

/// A slice of a view does not have the length that the shape asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewError {
    part: &'static str,
    expected: usize,
    found: usize,
}

impl fmt::Display for ViewError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            part,
            expected,
            found,
        } = self;
        write!(out, "{found} {part} where the shape has {expected}")
    }
}

impl std::error::Error for ViewError {}

impl<'a> View<'a> {
    /// A view of a state. The lengths must be those of the shape, and references [codes](Shape::codes) of it; one that is no point is a value
    /// that stays in its place.
    #[inline]
    pub fn new(
        shape: &Shape,
        plain: &'a [u32],
        references: &'a [Point],
        shared: &'a [Point],
        relations: &'a [u32],
    ) -> Result<Self, ViewError> {
        let view = Self {
            plain,
            references,
            shared,
            relations,
        };
        debug_assert!(view.has_codes(shape), "a reference is no code of the shape");
        view.check(shape).map(|()| view)
    }

    #[inline]
    fn check(&self, shape: &Shape) -> Result<(), ViewError> {
        let parts = [
            ("plain cells", shape.plain_cells(), self.plain.len()),
            (
                "reference cells",
                shape.reference_cells(),
                self.references.len(),
            ),
            ("shared cells", shape.shared_cells(), self.shared.len()),
            (
                "relation entries",
                shape.relation_entries(),
                self.relations.len(),
            ),
        ];
        for (part, expected, found) in parts {
            if expected != found {
                return Err(ViewError {
                    part,
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }

    fn has_codes(&self, shape: &Shape) -> bool {
        let mut references = self.references.iter().chain(self.shared);
        references.all(|reference| usize::from(*reference) < shape.codes())
    }

    /// The plain rows, point after point.
    pub fn plain(&self) -> &'a [u32] {
        self.plain
    }

    /// The reference cells, point after point.
    pub fn references(&self) -> &'a [Point] {
        self.references
    }

    /// The shared reference cells in their order.
    pub fn shared(&self) -> &'a [Point] {
        self.shared
    }

    /// The entries of the relations, matrix after matrix, row after row.
    pub fn relations(&self) -> &'a [u32] {
        self.relations
    }

    /// Whether the view has the lengths that the shape asks for.
    pub(crate) fn fits(&self, shape: &Shape) -> bool {
        self.check(shape).is_ok()
    }
}

/// A view that owns its parts, as [`apply`](crate::apply) makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnedView {
    /// The plain rows, point after point.
    pub plain: Vec<u32>,
    /// The reference cells, point after point.
    pub references: Vec<Point>,
    /// The shared reference cells in their order.
    pub shared: Vec<Point>,
    /// The entries of the relations, matrix after matrix, row after row.
    pub relations: Vec<u32>,
}

impl OwnedView {
    /// The same view, borrowed.
    pub fn as_view(&self) -> View<'_> {
        View {
            plain: &self.plain,
            references: &self.references,
            shared: &self.shared,
            relations: &self.relations,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_length_is_named() {
        let shape = Shape::single(3, 1, 2).expect("small");
        let error = View::new(&shape, &[1, 2, 3], &[0; 5], &[], &[]).expect_err("one too few");
        assert_eq!(error.to_string(), "5 reference cells where the shape has 6");
        assert!(View::new(&shape, &[1, 2, 3], &[0; 6], &[], &[]).is_ok());
    }
}
