//! Sets of states as binary decision diagrams: what is reachable, what goes wrong, and the way there.
//!
//! | file | what it does |
//! |---|---|
//! | `cells`, `first_values`, `slots`, `order`, `written`, `reachable_locations` | which bits a state has, and in which order they come |
//! | `diagrams` | the store of diagrams |
//! | `number` | numbers that depend on the state, bit by bit |
//! | `attempt`, `evaluate`, `quantified`, `place`, `effects`, `channel`, `routine`, `spawn`, `enabled`, `priority` | a step in the making: the semantics of the model, for all states at once |
//! | `relation`, `pieces`, `stages`, `system`, `rendezvous` | steps as relations between states, and all that can go wrong as conditions |
//! | `moves`, `reduce`, `ibsinc`, `orbits`, `multisets` | what renamings do to sets of states, and representatives |
//! | `counters` | relations over counters |
//! | `search` | reachability, verdicts, and the way back |
//! | `graph`, `propositions`, `branching`, `witnesses` | formulas of branching time, and runs that show something of them |
//! | `refusals` | what is refused |
//!
//! The semantics is written a third time here. It shares no code with the interpreter, and with the bytecode the resolved form of models. Of the interpreter it has the first state,
//! and a guess which processes will be made; and what it finds is replayed there.
//!
//! # How a step becomes a relation
//!
//! An edge is carried out once (a rule once for each choice of its parameters, whose cells are constants then), on cells that hold *numbers that depend on the state* in which the step begins. An index that is not
//! constant is a case split over the elements that it may mean; a division that may be by zero is a condition under which the step
//! goes wrong; a branch in a routine makes two paths that later become one again. What comes out is a condition for the step and, for
//! each bit that it writes, a function of the state before. The relation says that the bits after the step are those functions; `relation` says
//! how that is done without a second row of bits wherever that can be.

mod attempt;
mod branching;
mod cells;
mod channel;
mod counters;
mod diagrams;
mod effects;
mod enabled;
mod engine;
mod evaluate;
mod first_values;
mod graph;
mod ibsinc;
mod moves;
mod multisets;
mod number;
mod orbits;
mod order;
mod outcome;
mod pieces;
mod place;
mod priority;
mod propositions;
mod quantified;
mod reachable_locations;
mod reduce;
mod refusals;
mod relation;
mod rendezvous;
mod routine;
mod search;
mod slots;
mod spawn;
mod stages;
mod stop;
mod system;
mod witnesses;
mod written;

pub use engine::SymbolicEngine;
pub use outcome::{
    AfterViolation, Branching, Concerns, Extent, Formula, Limit, Manner, Options, Possibility,
    Progress, Reduction, SearchOrder, SymbolicEvidence, SymbolicOutcome, Unsupported, Witness,
};

use attempt::Context;
use cells::{Layout, Widths};
use diagrams::{Diagrams, Made};
use mandala_engine::ViolationCounts;
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::step::{Fault, Observers, Turn, Violation};
use mandala_model::{Model, State};
use mandala_resolved::ResolvedModel;
use reduce::Reducer;
use search::{Observer, Search};
use slots::{Guesses, ProcessSlot};
use std::sync::Arc;
use std::time::Instant;
use stop::{Misfit, Stop};
use system::System;

/// Searches all states of a model with what runs along with it.
///
/// Diagrams are walked by recursion, one call for each bit: call it with a stack of [`stack_size`] bytes.
pub fn search(
    model: &Model,
    observers: Observers,
    options: &Options<'_>,
    observer: &mut dyn FnMut(&Progress),
) -> Result<SymbolicOutcome, Unsupported> {
    if let Some(function) = model.functions.first() {
        return Err(Unsupported {
            construct: "calls of functions, which are not written out".into(),
            span: Some(function.span),
        });
    }
    let started = Instant::now();
    match prepared(model, observers, options, started, observer) {
        Ok(outcome) => Ok(outcome),
        Err(Stop::Unsupported(unsupported)) => Err(unsupported),
        Err(Stop::Narrow(_)) => unreachable!("what is too narrow is widened"),
        Err(Stop::Outgrown) => unreachable!("what is too small is replaced"),
        Err(Stop::Limit(limit)) => Ok(SymbolicOutcome::nothing(model, Extent::Limited(limit))),
        Err(Stop::Nodes) => Ok(SymbolicOutcome::nothing(
            model,
            Extent::Limited(Limit::Memory),
        )),
    }
}

/// How much stack a search may need.
pub const fn stack_size() -> usize {
    1 << 29
}

fn prepared(
    model: &Model,
    observers: Observers,
    options: &Options<'_>,
    started: Instant,
    observer: &mut dyn FnMut(&Progress),
) -> Made<SymbolicOutcome> {
    let code = ResolvedModel::of(model);
    refusals::require(model, &code, observers)?;
    let interpreter = Interpreter::new(model, observers);
    let start = match interpreter.start() {
        Ok(start) => start,
        Err(fault) => return Ok(wrong_at_start(model, options, fault)),
    };
    let mut room = Room::at_first(&interpreter, &start, options);
    let mut store: Store = Diagrams::small;
    loop {
        let known = (&*room.tenants, &room.guesses);
        let layout = Layout::new((model, &code), &start.state, known, &room.widths)?;
        let diagrams = store(layout.bits(), options.memory)?;
        let until = options.time.map(|time| started + time);
        let diagrams = diagrams.ending(until, Arc::clone(&options.cancel));
        match searched(
            (model, &code),
            &layout,
            &diagrams,
            &start,
            options,
            observer,
        ) {
            Err(Stop::Outgrown) => store = Diagrams::new,
            Err(Stop::Narrow(misfits)) => {
                let misfits = misfits.into_iter();
                misfits.for_each(|misfit| room.grow(&layout, misfit));
            }
            other => return other,
        }
    }
}

/// What cells are made for. It begins with what is likely, and grows when something is met that does not fit.
struct Room {
    widths: Widths,
    tenants: Vec<ProcessSlot>,
    guesses: Guesses,
}

impl Room {
    fn at_first(
        interpreter: &Interpreter<'_>,
        start: &Configuration,
        options: &Options<'_>,
    ) -> Self {
        let met = slots::met_early(interpreter, start);
        Room {
            widths: Widths::new(),
            // Renamings move what is always the same, too.
            guesses: match options.reduction {
                Some(_) => Guesses::new(),
                None => met.guesses(),
            },
            tenants: met.tenants,
        }
    }

    fn grow(&mut self, layout: &Layout, misfit: Misfit) {
        match misfit {
            Misfit::Number(cell) => layout.widen(&mut self.widths, cell),
            Misfit::First(place, cell) => drop(self.guesses.remove(&(place, cell))),
            Misfit::Process(new) if !self.tenants.contains(&new) => self.tenants.push(new),
            Misfit::Process(_) => {}
        }
    }
}

/// A store of diagrams for so many bits, in so much memory.
type Store = fn(usize, u64) -> Made<Diagrams>;

/// Searches with those cells.
fn searched(
    (model, code): (&Model, &ResolvedModel),
    layout: &Layout,
    diagrams: &Diagrams,
    start: &Configuration,
    options: &Options<'_>,
    observer: &mut dyn FnMut(&Progress),
) -> Made<SymbolicOutcome> {
    let holder = match start.turn {
        Turn::Held(process) => Some(process),
        Turn::Free | Turn::Claim | Turn::Stutter => None,
    };
    let context = Context {
        model,
        code,
        d: diagrams,
        layout,
    };
    let system = System::of(context)?;
    let first = first_set(context, &start.state, holder)?;
    let reducer = Reducer::new(context, options.reduction.as_ref(), &start.state)?;
    finished(
        Search::new(context, &system, options, reducer, first)?,
        observer,
    )
}

/// Searches, and says what was found, also if the search did not come to its end.
fn finished(mut search: Search<'_>, observer: &mut Observer<'_>) -> Made<SymbolicOutcome> {
    let extent = search.run(observer)?;
    match branching::answer(&search, extent) {
        Ok(branching) => Ok(SymbolicOutcome {
            branching,
            ..search.outcome(extent)?
        }),
        Err(Stop::Nodes) => search.outcome(Extent::Limited(Limit::Memory)),
        Err(Stop::Limit(limit)) => search.outcome(Extent::Limited(limit)),
        Err(other) => Err(other),
    }
}

fn first_set(context: Context<'_>, start: &State, holder: Option<u32>) -> Made<diagrams::Bdd> {
    match context.layout.encode(start, holder) {
        Some(bits) => context.d.cube(&bits),
        None => unreachable!("the processes of the start have cells"),
    }
}

/// The model goes wrong before its first state.
fn wrong_at_start(model: &Model, options: &Options<'_>, fault: Fault) -> SymbolicOutcome {
    let violation = Violation::Fault(fault);
    if !(options.concerns)(&violation) {
        return SymbolicOutcome::nothing(model, Extent::Complete);
    }
    let extent = match options.on_violation {
        AfterViolation::Stop => Extent::FirstViolation,
        AfterViolation::GoOn => Extent::Complete,
    };
    SymbolicOutcome {
        violations: ViolationCounts::of(violation.attribution(), 1),
        evidence: Some(SymbolicEvidence {
            path: Vec::new(),
            violation,
        }),
        ..SymbolicOutcome::nothing(model, extent)
    }
}
