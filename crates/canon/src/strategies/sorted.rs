//! `sorted`: sort the main array, let everything else follow (Bosnacki, Dams, Holenderski 2002).

use super::main_array::MainArray;
use crate::labelling::{Effort, Exactness, Labeller, Labelling, Labels};
use crate::shape::{Shape, ShapeError};
use crate::view::View;

/// Sorts points by their rows, or by some columns of them. Points that agree in these keep their order, so the image is
/// not canonical.
#[derive(Clone, Debug)]
pub struct Sorted {
    shape: Shape,
    main: MainArray,
    labels: Labels,
}

impl Sorted {
    /// A labeller that sorts by whole rows.
    pub fn new(shape: &Shape) -> Self {
        Self::with(shape, MainArray::whole(shape))
    }

    /// A labeller that sorts by some plain columns of each domain, the first one first. A domain without columns
    /// is not sorted.
    pub fn by(shape: &Shape, columns: &[Vec<usize>]) -> Result<Self, ShapeError> {
        MainArray::new(shape, columns).map(|main| Self::with(shape, main))
    }

    fn with(shape: &Shape, main: MainArray) -> Self {
        Self {
            shape: shape.clone(),
            main,
            labels: Labels::identity(shape.points()),
        }
    }
}

impl Labeller for Sorted {
    fn label(&mut self, view: &View) -> Labelling<'_> {
        self.main.sort(&self.shape, view, &mut self.labels);
        Labelling {
            labels: &self.labels,
            exactness: Exactness::Heuristic,
            effort: Effort::of_permutations(1),
        }
    }
}
