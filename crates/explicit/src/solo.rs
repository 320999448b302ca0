//! A search by one worker that expands states in an order of its own: the common part of nested depth-first search and of the product with an automaton.

use crate::expander::{Context, Counted, Expander, Expansion, Visitor};
use crate::footprint::Footprint;
use crate::monitor::LimitMonitor;
use crate::outcome::{Answer, Claim, Evidence, ExplicitOutcome, Extent, Progress};
use crate::shared::Shared;
use crate::states::Access;
use crate::statistics::{Count, Numbers, numbers};
use crate::successors::Generator;
use crate::tally::Tally;
use mandala_reduce::Reducer;
use mandala_store::StateRef;

/// What the worker has: states, limits, and an expander.
pub(crate) struct Solo<'s, 'p, R> {
    pub shared: &'s Shared<'p>,
    pub monitor: LimitMonitor<'s, 'p>,
    pub access: Access<'s>,
    pub expander: Expander<'p, R>,
}

/// What a search has found.
pub(crate) struct Conclusion {
    pub extent: Extent,
    pub numbers: Numbers,
    pub evidence: Option<Evidence>,
    pub answers: Vec<Answer>,
}

impl<'s, 'p, R: Reducer> Solo<'s, 'p, R> {
    pub(crate) fn new(
        shared: &'s Shared<'p>,
        footprint: Footprint,
        observer: &'s mut dyn FnMut(&Progress),
        successors: Generator<'p>,
        reducer: R,
    ) -> Self {
        Solo {
            monitor: LimitMonitor::alone(shared, footprint, observer),
            access: shared.states.access(),
            expander: Expander::new(0, shared, Counted::new(successors), reducer),
            shared,
        }
    }

    /// Whether the search goes on.
    pub(crate) fn is_running(&self) -> bool {
        !self.shared.signals.is_stopped()
    }

    /// Finds the states that runs start in.
    pub(crate) fn start(&mut self, visitor: &mut impl Visitor) {
        let (expander, mut context) = self.parts();
        expander.start(&mut context, visitor);
        expander.look_up(&mut context, visitor);
    }

    /// Expands a state, and looks its successors up.
    pub(crate) fn expand(&mut self, state: StateRef, visitor: &mut impl Visitor) -> Expansion {
        let (expander, mut context) = self.parts();
        let expansion = expander.expand(state, &mut context, visitor);
        expander.look_up(&mut context, visitor);
        expansion
    }

    /// Checks the limits if that is due; `own` is what the search order holds, in bytes.
    pub(crate) fn check_limits(&mut self, own: impl FnOnce() -> usize) {
        if self.expander.is_check_due() {
            let (expander, mut context) = self.parts();
            expander.check_limits(&mut context, own());
        }
    }

    fn parts(&mut self) -> (&mut Expander<'p, R>, Context<'_, 's, 'p>) {
        let context = Context {
            shared: self.shared,
            access: &mut self.access,
            monitor: &mut self.monitor,
        };
        (&mut self.expander, context)
    }

    /// What was counted.
    pub(crate) fn tally(&mut self) -> &mut Tally {
        &mut self.expander.source.tally
    }

    /// The numbers about the search, which has ended.
    pub(crate) fn numbers(&mut self) -> Numbers {
        self.access.release();
        let gatherer = &self.expander.gatherer;
        let count = Count {
            tally: &self.expander.source.tally,
            natively: self.expander.stepper().expanded_natively(),
            reduces: !gatherer.reducer.is_trivial(),
        };
        numbers(&mut self.monitor, &count)
    }

    /// The outcome, and the reducer.
    pub(crate) fn finish(self, conclusion: Conclusion) -> (ExplicitOutcome, R) {
        let Conclusion {
            extent,
            numbers,
            evidence,
            answers,
        } = conclusion;
        let outcome = ExplicitOutcome {
            claim: Claim::of(evidence.as_ref()),
            extent,
            evidence,
            further: Vec::new(),
            violations: self.expander.source.tally.violations.clone(),
            statistics: numbers.statistics,
            packed_bytes: numbers.packed_bytes,
            reduction: numbers.reduction,
            omissions: numbers.omissions,
            reached: self.expander.stepper().coverage().clone(),
            has_atomic_cycle: self.expander.stepper().has_atomic_cycle(),
            levels: Vec::new(),
            answers,
            estimate: None,
            is_written_down: false,
            checkpoint_error: None,
        };
        (outcome, self.expander.gatherer.reducer)
    }
}
