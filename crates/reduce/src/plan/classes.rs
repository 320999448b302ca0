//! Cells grouped to columns, matrices and shared cells.

use super::coordinates::{Cell, Step};
use super::points::Points;
use mandala_symmetry::sorts::Sort;
use std::collections::BTreeMap;

/// All cells of one class, in the order of their points.
#[derive(Debug)]
pub(crate) struct Class<'a> {
    pub steps: &'a [Step],
    pub cells: Vec<&'a Cell>,
    /// The blocks whose points lead to the cells: none, one or two.
    pub blocks: Vec<usize>,
    pub sort: Sort,
    pub wide: bool,
}

/// The classes that matter to somebody who permutes points: those with points, and those whose values are
/// points. All others stay as they are.
pub(crate) fn classes<'a>(
    cells: &'a [Cell],
    points: &Points,
    refers: impl Fn(Sort) -> bool,
) -> Vec<Class<'a>> {
    let mut by_steps: BTreeMap<&[Step], Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        let steps = cell.coordinate.class.as_slice();
        by_steps.entry(steps).or_default().push(cell);
    }
    let classes = by_steps.into_iter().map(|(steps, cells)| {
        let sort = cells[0].sort;
        let sort = if refers(sort) { sort } else { Sort::Plain };
        class(steps, cells, sort, points)
    });
    let matters = |class: &Class<'_>| !class.blocks.is_empty() || class.sort != Sort::Plain;
    classes.filter(matters).collect()
}

fn class<'a>(
    steps: &'a [Step],
    mut cells: Vec<&'a Cell>,
    sort: Sort,
    points: &Points,
) -> Class<'a> {
    cells.sort_unstable_by_key(|cell| &cell.coordinate.points);
    let block = |step: &Step| match step {
        Step::Point(block, _) => Some(*block),
        _ => None,
    };
    let blocks: Vec<usize> = steps.iter().filter_map(block).collect();
    let sizes = blocks.iter().map(|block| points.blocks[*block].size());
    assert_eq!(
        cells.len(),
        sizes.product::<usize>(),
        "a cell for every point in {steps:?}"
    );
    debug_assert!(
        cells.iter().all(|cell| cell.sort == cells[0].sort),
        "cells of one sort in {steps:?}"
    );
    Class {
        steps,
        blocks,
        sort,
        wide: cells[0].wide,
        cells,
    }
}
