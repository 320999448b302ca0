//! A machine that there is no compiler for: everything is interpreted.

use crate::program::Program;
use crate::shape::{Field, Shape};
use crate::stepper::{Sink, Stepper};
use crate::twins::Twin;
use crate::values::Parameters;
use std::convert::Infallible;
use std::sync::Arc;

/// How a run of machine code ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code, reason = "there is no machine code")]
pub(crate) enum Status {
    Done,
    Redo,
    Stopped,
    Miss,
}

/// What the interpreter says to machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Idle,
    Taken,
    Unmet,
    Redo,
    Stopped,
}

/// What a stepper lends to machine code.
#[allow(dead_code, reason = "there is no machine code")]
pub(crate) struct Loan {
    pub cells: *mut i64,
    pub packed: *mut u8,
    pub edges: *mut u64,
    pub nodes: *mut u8,
    pub fields: *const Field,
    pub twins: *const Twin,
    pub has_twins: bool,
}

/// What came of a run.
pub(crate) struct Run {
    pub status: Status,
    pub told: u64,
}

/// Machine code, of which there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function(Infallible);

impl Function {
    pub fn id(&self) -> u64 {
        match self.0 {}
    }

    pub fn shape(&self) -> &Arc<Shape> {
        match self.0 {}
    }

    pub fn constants(&self) -> &[(u32, i64)] {
        match self.0 {}
    }

    pub fn unpacks(&self) -> bool {
        match self.0 {}
    }

    pub fn run(&self, _: &mut Stepper<'_>, _: &mut impl Sink) -> Run {
        match self.0 {}
    }

    pub fn run_back(&self, _: &mut Stepper<'_>) {
        match self.0 {}
    }
}

/// What there is for a shape.
#[derive(Debug)]
#[allow(dead_code, reason = "there is no machine code")]
pub(crate) enum Offer {
    Function(Arc<Function>),
    Busy,
    Never,
}

/// Which code is made for edges with parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CodeKind {
    Loops,
    Copies,
}

/// No edge is translated.
pub(crate) fn copies(_: CodeKind, _: Parameters) -> usize {
    0
}

/// The machine code of a program.
#[derive(Debug, Default)]
pub(crate) struct Native;

impl Native {
    pub fn is_possible(_: &Program) -> bool {
        false
    }

    pub fn bytes(&self) -> usize {
        0
    }

    pub fn function(
        &self,
        _: &Program,
        _: &Arc<Shape>,
        _: &[i64],
        _: (CodeKind, Option<&Function>),
    ) -> Offer {
        Offer::Never
    }
}
