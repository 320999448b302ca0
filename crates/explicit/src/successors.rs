//! The successor generators of a search, and partial-order reduction, which wraps one of them.
//!
//! # The seam
//!
//! A search sees one function: from a packed state to its successors ([`Successors::expand`]). The [`Stepper`] implements it by telling all of them.
//! [`PartialOrder`] implements the same function by telling an ample set of them, and is built around a stepper, in the manner of LTSmin: a wrapper implements the
//! interface that it consumes. What expands states, stores them and counts does not know which of the two it has.
//!
//! # The cycle proviso
//!
//! The stepper chooses an ample set by independence and visibility alone. That preserves deadlocks, but a step could be postponed forever
//! along a cycle of states. Sometimes the stepper knows that there is no such cycle. If not, the wrapper asks its sink whether the successors *lead on*
//! ([`ProvisoSink::satisfies`]), for which the sink looks them up; if they do not, the wrapper retracts them and tells all.
//!
//! For safety, one successor has to lead on. To lead on is to be new. A chain of states, each of which leads on to the next, cannot come back to where it was,
//! as each state was met later than the one before it; so it ends, and it ends in a state that is expanded fully. There, or earlier, every step that was
//! left out on the way is made, since those made meanwhile are independent of it. That argument asks nothing of the order of the search or of the number of workers.
//! Breadth first, more leads on: a successor one level down, whichever worker has found it. The depth grows along such a chain, and the
//! counts are the same for any number of workers again. The store keeps depths modulo 255, so from that depth on to lead on is to be new.
//! Depth first, counts depend on the order, which is the same every time with one worker.
//!
//! Where infinite runs are preserved (`Program::keeps_runs`), every cycle of states needs a state that is expanded fully. So *all* successors of
//! a reduced state must lead on, and there must be one. To lead on is then to have a later mark. The store marks a
//! state with its depth, modulo 255, when the state is first met, in whichever order, and never again. Along reduced states the
//! marks grow, so these states do not come back to where they began, and at the latest the one with the last mark is expanded fully. The marks of the successors are
//! final when that is decided, so the decision is the same when the graph of all states is built (`graph`), and the counts are
//! the same for any number of workers breadth first, at any depth.
//!
//! A state with a violation is expanded fully, too, so that the violations of a state have the same numbers when it is
//! expanded once more, and since a step that breaks off leads nowhere. Whatever is expanded again to find a trace (`path`, `replay`) is expanded fully.

use mandala_encoding::{Expanded, Incomplete, Sink, Stepper};
use mandala_model::step::Turn;

/// The sink of a successor generator that may take back what it has told.
pub(crate) trait ProvisoSink: Sink {
    /// Whether a violation was told in this expansion.
    fn is_violated(&self) -> bool;

    /// Whether a successor was told in this expansion that has a representative of its own though it may be like another one.
    fn is_unsure(&self) -> bool;

    /// Looks up the successors that were told in this expansion, and says whether they satisfy the cycle proviso.
    fn satisfies(&mut self, proviso: Proviso) -> bool;

    /// Forgets everything that was told in this expansion: all of it will be told again, and more.
    fn retract(&mut self);
}

/// What the successors of a reduced state have to satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proviso {
    /// At least one leads on: it is new, or one level down.
    SomeLeadsOn,
    /// There is one, and all have later marks.
    AllHaveLaterMarks,
}

/// A successor generator.
pub(crate) trait Successors<'p> {
    /// Tells successors of a state. Returns how many first moves of steps were left out: zero if all successors were told.
    fn expand(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl ProvisoSink,
    ) -> Result<u32, Incomplete>;

    /// The stepper that finds the successors in the end.
    fn stepper(&self) -> &Stepper<'p>;
}

impl<'p> Successors<'p> for Stepper<'p> {
    #[inline]
    fn expand(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl ProvisoSink,
    ) -> Result<u32, Incomplete> {
        if !self.fires_once() {
            return Stepper::expand(self, packed, turn, sink).map(|()| 0);
        }
        self.begin_once();
        let told = Stepper::expand(self, packed, turn, sink);
        if is_once_enough(self, sink) {
            return told.map(|()| 0);
        }
        self.fire_all();
        sink.retract();
        Stepper::expand(self, packed, turn, sink).map(|()| 0)
    }

    fn stepper(&self) -> &Stepper<'p> {
        self
    }
}

/// Whether nothing is missing of what an expansion with twins has told. All violations of a state are told, so that they have the same numbers when it is expanded
/// to be shown; and moves of one orbit lead to states with one representative only if those are canonical. If nothing was left out, nothing is missing.
fn is_once_enough(stepper: &Stepper<'_>, sink: &impl ProvisoSink) -> bool {
    let is_certain = !sink.is_violated() && !sink.is_unsure() && !stepper.is_unsure();
    is_certain || !stepper.has_left_out()
}

/// A successor generator that leaves out what partial-order reduction allows.
pub(crate) struct PartialOrder<'p> {
    stepper: Stepper<'p>,
    proviso: Proviso,
}

impl<'p> PartialOrder<'p> {
    /// Wraps a stepper of a program that knows which steps are independent.
    pub(crate) fn new(stepper: Stepper<'p>) -> Self {
        PartialOrder {
            proviso: match stepper.program().keeps_runs() {
                true => Proviso::AllHaveLaterMarks,
                false => Proviso::SomeLeadsOn,
            },
            stepper,
        }
    }
}

impl<'p> Successors<'p> for PartialOrder<'p> {
    fn expand(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl ProvisoSink,
    ) -> Result<u32, Incomplete> {
        let once = self.stepper.fires_once();
        if once {
            self.stepper.begin_once();
        }
        let told = self.stepper.expand_ample(packed, turn, sink);
        if once && !is_once_enough(&self.stepper, sink) {
            self.stepper.fire_all();
            sink.retract();
            return self.expand(packed, turn, sink);
        }
        let (left_out, safe) = match told? {
            Expanded::Fully => return Ok(0),
            Expanded::Partly { left_out, safe } => (left_out, safe),
        };
        if !sink.is_violated() && (safe || sink.satisfies(self.proviso)) {
            return Ok(left_out);
        }
        sink.retract();
        Successors::expand(&mut self.stepper, packed, turn, sink)
    }

    fn stepper(&self) -> &Stepper<'p> {
        &self.stepper
    }
}

/// The successor generator of a search, chosen once.
pub(crate) enum Generator<'p> {
    /// All successors.
    Full(Stepper<'p>),
    /// Those that partial-order reduction selects.
    Ample(PartialOrder<'p>),
}

impl<'p> Generator<'p> {
    /// The generator for a search by this stepper: reduced if its program knows which steps are independent.
    pub(crate) fn new(stepper: Stepper<'p>) -> Self {
        match stepper.program().leaves_out_steps() {
            true => Generator::Ample(PartialOrder::new(stepper)),
            false => Generator::Full(stepper),
        }
    }

    /// The stepper, to start with or to evaluate conditions.
    pub(crate) fn stepper_mut(&mut self) -> &mut Stepper<'p> {
        match self {
            Generator::Full(stepper) => stepper,
            Generator::Ample(ample) => &mut ample.stepper,
        }
    }
}

impl<'p> Successors<'p> for Generator<'p> {
    #[inline]
    fn expand(
        &mut self,
        packed: &[u8],
        turn: Turn,
        sink: &mut impl ProvisoSink,
    ) -> Result<u32, Incomplete> {
        match self {
            Generator::Full(stepper) => Successors::expand(stepper, packed, turn, sink),
            Generator::Ample(ample) => ample.expand(packed, turn, sink),
        }
    }

    fn stepper(&self) -> &Stepper<'p> {
        match self {
            Generator::Full(stepper) => stepper,
            Generator::Ample(ample) => ample.stepper(),
        }
    }
}
