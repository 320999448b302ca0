//! Calls between machine code and the stepper.
//!
//! The code gets a [`Context`], the cells and the packed bytes of the working state. It changes both in place and calls back
//! through the context: to tell a successor, to have a step made by the interpreter, to ask whether a configuration of a long chain
//! is new. Whatever it changes it puts back, unless it returns [`Status::Redo`].
//!
//! A sink may panic, but a panic must not go through machine code. So the callbacks catch it, turn all further callbacks into such
//! that do nothing or end the run, and it is resumed when the code has returned.

use crate::arrival::{Arrival, Party};
use crate::shape::{ChannelSlot, Field, ProcessSlot, Shape};
use crate::stepper::{Sink, Stepper};
use crate::twins::Twin;
use mandala_model::step::Turn;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// How a run of machine code ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Status {
    /// Everything was told.
    Done = 0,
    /// Something unusual came up: the interpreter has to expand the state from the start.
    Redo = 3,
    /// The sink did not want to go on.
    Stopped = 4,
    /// The code is for other states.
    Miss = 5,
}

/// What the interpreter says of an edge, or of a configuration. Other numbers are those of a [`Status`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Answer {
    /// It cannot be taken; or it was seen before.
    Idle = 0,
    /// It was taken; or it was not seen before.
    Taken = 1,
    /// It would be a rendezvous, but nobody takes part.
    Unmet = 2,
    Redo = Status::Redo as u32,
    Stopped = Status::Stopped as u32,
}

type Emit = unsafe extern "C" fn(*mut Context);
type Interpret = unsafe extern "C" fn(*mut Context, u32, u32, u32, u32, u32) -> Answer;
type FirstVisit = unsafe extern "C" fn(*mut Context, u32) -> Answer;

/// What machine code knows of the world.
#[repr(C)]
pub(super) struct Context {
    pub emit: Emit,
    pub interpret: Interpret,
    pub first_visit: FirstVisit,
    /// How often edges have been taken.
    pub edges: *mut u64,
    /// Which nodes have been reached.
    pub nodes: *mut u8,
    /// Where the cells of the state are in its packed form.
    pub fields: *const Field,
    /// The processes and the channels of the shape.
    pub processes: *const ProcessSlot,
    pub channels: *const ChannelSlot,
    /// What is added to the count of an edge: how many moves the current one stands for; less than zero if counts are taken back.
    pub increment: i64,
    /// What is known of names, and whether there are twins among them.
    pub twins: *const Twin,
    pub has_twins: u64,
    /// Who takes part in the moves that lead to the working state.
    pub party: Party,
    /// How many configurations on the way to the working state were looked up.
    pub passed: u64,
    /// How many successors were told.
    told: u64,
    /// The stepper; its program lives as long as it is used here.
    stepper: *mut Stepper<'static>,
    /// The sink, of the type that the callbacks are made for.
    sink: *mut (),
    panic: Option<Box<dyn Any + Send>>,
}

/// Machine code that expands a state.
pub(super) type Code = unsafe extern "C" fn(*mut Context, *mut i64, *mut u8) -> u32;

/// What a stepper lends to machine code.
pub(crate) struct Loan {
    pub cells: *mut i64,
    pub packed: *mut u8,
    pub edges: *mut u64,
    pub nodes: *mut u8,
    pub fields: *const Field,
    pub processes: *const ProcessSlot,
    pub channels: *const ChannelSlot,
    pub twins: *const Twin,
    pub has_twins: bool,
}

/// What came of a run.
pub(crate) struct Run {
    pub status: Status,
    pub told: u64,
}

impl Context {
    fn new<S: Sink>(stepper: *mut Stepper<'_>, loan: &Loan, sink: *mut S) -> Self {
        Context {
            emit: emit::<S>,
            interpret: interpret::<S>,
            first_visit: first_visit::<S>,
            edges: loan.edges,
            nodes: loan.nodes,
            fields: loan.fields,
            processes: loan.processes,
            channels: loan.channels,
            increment: 1,
            twins: loan.twins,
            has_twins: loan.has_twins.into(),
            party: Party::default(),
            passed: 0,
            told: 0,
            stepper: stepper.cast(),
            sink: sink.cast(),
            panic: None,
        }
    }

    /// A panic was caught: nothing more is told.
    #[cold]
    fn stop(&mut self, panic: Box<dyn Any + Send>) {
        self.panic = Some(panic);
        self.emit = tell_nobody;
        self.interpret = interpret_nothing;
        self.first_visit = visit_nothing;
    }
}

/// Runs machine code on the working state of a stepper.
///
/// # Safety
///
/// The code was made for the shape, which is that of the working state, and is still there. The stepper has as many cells and packed bytes,
/// with padding, as that shape needs, as many counts as its program has edges and nodes, and an entry for every name of its program.
#[allow(unsafe_code)]
pub(super) unsafe fn run<S: Sink>(
    code: Code,
    shape: &Shape,
    stepper: &mut Stepper<'_>,
    sink: &mut S,
) -> Run {
    let loan = stepper.lend(shape);
    let mut context = Context::new(stepper, &loan, sink);
    // SAFETY: the caller says that the code is made for this state. The callbacks use the stepper and the sink only while the
    // code waits for them, and this function uses neither until it has returned.
    let status = unsafe { code(&mut context, loan.cells, loan.packed) };
    if let Some(panic) = context.panic {
        resume_unwind(panic);
    }
    Run {
        status: status_of(status),
        told: context.told,
    }
}

/// Runs machine code on the same state once more, and takes back what the first run has counted.
///
/// # Safety
///
/// As for [`run`].
#[allow(unsafe_code)]
pub(super) unsafe fn run_back(code: Code, shape: &Shape, stepper: &mut Stepper<'_>) {
    let loan = stepper.lend(shape);
    let mut nobody = Nobody;
    let mut context = Context::new(stepper, &loan, &mut nobody);
    context.increment = -1;
    context.interpret = interpret_back;
    // SAFETY: as above.
    unsafe { code(&mut context, loan.cells, loan.packed) };
    if let Some(panic) = context.panic {
        resume_unwind(panic);
    }
}

fn status_of(number: u32) -> Status {
    [Status::Done, Status::Stopped, Status::Miss]
        .into_iter()
        .find(|status| *status as u32 == number)
        .unwrap_or(Status::Redo)
}

/// Nobody is told anything.
struct Nobody;

impl Sink for Nobody {
    fn successor(&mut self, _: &mut Arrival<'_, '_>, _: Turn) {}

    fn violation(&mut self, _: mandala_model::step::Violation) {}
}

#[allow(unsafe_code)]
unsafe extern "C" fn emit<S: Sink>(context: *mut Context) {
    // SAFETY: machine code hands on the context that it was called with, which was made for sinks of this type, and
    // waits meanwhile.
    let (context, stepper, sink) = unsafe { parts::<S>(context) };
    context.told += 1;
    stepper.party = context.party;
    stepper.set_weight(context.increment.unsigned_abs());
    stepper.compare_with_origin();
    let tell = || sink.successor(&mut Arrival::new(stepper), Turn::Free);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(tell)) {
        context.stop(panic);
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn interpret<S: Sink>(
    context: *mut Context,
    process: u32,
    edge: u32,
    choice: u32,
    moved: u32,
    length: u32,
) -> Answer {
    // SAFETY: as in `emit`.
    let (context, stepper, sink) = unsafe { parts::<S>(context) };
    stepper.party = context.party;
    stepper.set_weight(context.increment.unsigned_abs());
    stepper.go_back(context.passed);
    let told = &mut context.told;
    let step = || stepper.interpret_edge(process, (edge, choice), moved != 0, length, sink, told);
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(answer) => answer,
        Err(panic) => {
            context.stop(panic);
            Answer::Stopped
        }
    }
}

/// As [`interpret`], but takes back what is counted.
#[allow(unsafe_code)]
unsafe extern "C" fn interpret_back(
    context: *mut Context,
    process: u32,
    edge: u32,
    choice: u32,
    moved: u32,
    length: u32,
) -> Answer {
    // SAFETY: as in `emit`.
    let (context, stepper, sink) = unsafe { parts::<Nobody>(context) };
    stepper.set_weight(context.increment.unsigned_abs());
    stepper.go_back(context.passed);
    let step = || stepper.interpret_back(process, (edge, choice), moved != 0, length, sink);
    match catch_unwind(AssertUnwindSafe(step)) {
        Ok(answer) => answer,
        Err(panic) => {
            context.stop(panic);
            Answer::Stopped
        }
    }
}

#[allow(unsafe_code)]
unsafe extern "C" fn first_visit<S: Sink>(context: *mut Context, process: u32) -> Answer {
    // SAFETY: as in `emit`.
    let (context, stepper, sink) = unsafe { parts::<S>(context) };
    stepper.party = context.party;
    stepper.set_weight(context.increment.unsigned_abs());
    let passed = &mut context.passed;
    let visit = || stepper.visit_natively(process, passed, sink);
    match catch_unwind(AssertUnwindSafe(visit)) {
        Ok(answer) => answer,
        Err(panic) => {
            context.stop(panic);
            Answer::Stopped
        }
    }
}

extern "C" fn tell_nobody(_: *mut Context) {}

extern "C" fn interpret_nothing(_: *mut Context, _: u32, _: u32, _: u32, _: u32, _: u32) -> Answer {
    Answer::Stopped
}

extern "C" fn visit_nothing(_: *mut Context, _: u32) -> Answer {
    Answer::Stopped
}

/// What a context refers to.
///
/// # Safety
///
/// The context is one that [`Context::new`] made for sinks of this type; nobody else uses the stepper and the sink as long as what
/// is given back is in use.
#[allow(unsafe_code)]
unsafe fn parts<'a, S>(
    context: *mut Context,
) -> (&'a mut Context, &'a mut Stepper<'static>, &'a mut S) {
    // SAFETY: the caller says so.
    unsafe {
        let context = &mut *context;
        let stepper = &mut *context.stepper;
        let sink = &mut *context.sink.cast::<S>();
        (context, stepper, sink)
    }
}
