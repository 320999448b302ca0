//! Shapes of views taken apart, so that something can be added to them.

use mandala_canon::{Matrix, PointDomain, Relation, Shape};
use std::ops::Range;

/// The domains and the relations of a shape.
pub(crate) fn parts(shape: &Shape) -> (Vec<PointDomain>, Vec<Relation>) {
    let domains = (0..shape.domains()).filter_map(|domain| shape.domain(domain));
    let domain_of = |points: Range<usize>| {
        let starts = |domain: &usize| shape.domain_points(*domain).start == points.start;
        (0..shape.domains()).find(starts).unwrap_or(0)
    };
    let relation = |matrix: &Matrix| Relation {
        rows: domain_of(matrix.row_points()),
        columns: domain_of(matrix.column_points()),
        entries: matrix.entries(),
    };
    let relations = shape.matrices().iter().map(relation);
    (domains.collect(), relations.collect())
}

/// The same shape with one more plain column, the last one, in which points can be marked.
pub(crate) fn with_marks(shape: &Shape) -> Shape {
    let (mut domains, relations) = parts(shape);
    domains.iter_mut().for_each(|domain| domain.plain += 1);
    Shape::new(&domains, shape.shared_cells(), &relations)
        .expect("as large as before but for a column")
}
