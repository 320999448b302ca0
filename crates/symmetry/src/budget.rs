//! The budget of a search for symmetry: how much work it may be, counted in steps.
//!
//! A proof looks at every process of a family and at every exchange of two neighbours. For hundreds of processes with
//! long routines that can be more work than a reduction is worth. What is not proven within the budget is not used.
//!
//! # Why steps
//!
//! Whether a proof is finished must not depend on how busy the machine is: the group decides how many states are stored and
//! which trace is shown. So what is counted is the work itself, and the same model with the same options spends the same number of
//! steps on every machine. No clock is read here but one: [`ProofBudget::ending_within`] is the limit of the user, after which
//! nothing that was found is used.
//!
//! # What counts
//!
//! | work | steps |
//! |---|---|
//! | symbolic execution of one statement; what is copied where the way divides, and written, asked or merged on it | the parts of the terms, as in `execute` |
//! | one term renamed, or asked for its values or its sort, or put into the graph of the model | [`TERM`] |
//! | one value of a term that is computed case by case (`pointwise`) | [`CASE`] |
//! | arcs of the graph of the model that a refinement looks at, each [`ARCS`] of them | 1 |
//!
//! One step is about a tenth of a microsecond of optimised code on a machine of 2025. The sizes of the budgets are the caller's.

use crate::breach::Breach;
use mandala_model::source::Span;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The steps that one term costs.
pub(crate) const TERM: u64 = 1;

/// The steps that one value of a term costs that is computed case by case.
pub(crate) const CASE: u64 = 1;

/// How many arcs of a graph a refinement looks at in one step.
pub(crate) const ARCS: u64 = 10;

/// The part of a proof at which a budget ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofPart {
    /// Where it stands in the source, if it is at one place.
    pub span: Option<Span>,
    /// A noun phrase for it.
    pub what: String,
}

impl ProofPart {
    /// A part that stands somewhere.
    pub(crate) fn at(span: Span, what: impl Into<String>) -> Self {
        ProofPart {
            span: Some(span),
            what: what.into(),
        }
    }

    /// A part that stands nowhere in the source.
    pub(crate) fn of_the_model(what: impl Into<String>) -> Self {
        ProofPart {
            span: None,
            what: what.into(),
        }
    }
}

/// A number of steps, and how many of them are spent. Clones spend from the same account.
#[derive(Clone, Debug, Default)]
pub struct ProofBudget {
    spent: Rc<Cell<u64>>,
    /// The number of spent steps with which it ends.
    limit: Option<u64>,
    /// How many more steps there are for what the model declares.
    declared: u64,
    /// The factor that limits of single parts are multiplied with.
    effort: Option<NonZeroU32>,
    /// When everything ends. What is found then is of no use.
    end: Option<Instant>,
    /// The first part that was refused more steps.
    ended_at: Rc<RefCell<Option<ProofPart>>>,
}

impl ProofBudget {
    /// As many steps as it takes.
    pub fn unlimited() -> Self {
        ProofBudget::default()
    }

    /// So many steps.
    pub fn of_steps(steps: u64) -> Self {
        ProofBudget {
            limit: Some(steps),
            ..ProofBudget::default()
        }
    }

    /// The same, and more steps for what the model declares: its author has said that it is worth the work.
    pub fn with_more_for_declared(self, declared: u64) -> Self {
        ProofBudget { declared, ..self }
    }

    /// The same with all limits multiplied, those of single parts as well.
    pub fn with_effort(self, effort: NonZeroU32) -> Self {
        let factor = u64::from(effort.get());
        ProofBudget {
            limit: self.limit.map(|limit| limit.saturating_mul(factor)),
            declared: self.declared.saturating_mul(factor),
            effort: Some(effort),
            ..self
        }
    }

    /// The same, but everything ends after so long from now on, and the caller then has no use for what was found.
    pub fn ending_within(self, duration: Duration) -> Self {
        ProofBudget {
            end: Instant::now().checked_add(duration),
            ..self
        }
    }

    /// What may be spent on what is declared from now on, if there is more for that.
    pub(crate) fn for_declared(&self) -> Option<Self> {
        (self.declared > 0).then(|| ProofBudget {
            limit: Some(self.spent().saturating_add(self.declared)),
            declared: 0,
            ended_at: Rc::default(),
            ..self.clone()
        })
    }

    /// The same, but so many steps at most.
    #[must_use]
    pub fn with_at_most(self, steps: u64) -> Self {
        let end = self.spent().saturating_add(steps);
        let limit = self.limit.map_or(end, |limit| limit.min(end));
        ProofBudget {
            limit: Some(limit),
            ..self
        }
    }

    /// Half of what is left.
    pub(crate) fn half(&self) -> Self {
        let half = self.left().map(|left| self.spent() + left / 2);
        ProofBudget {
            limit: half,
            ..self.clone()
        }
    }

    /// The factor that limits were multiplied with.
    pub fn effort(&self) -> NonZeroU32 {
        self.effort.unwrap_or(NonZeroU32::MIN)
    }

    /// A limit of a single part.
    pub(crate) fn scaled(&self, limit: usize) -> usize {
        limit.saturating_mul(self.effort().get() as usize)
    }

    /// Spends some steps. There may be fewer left; then it is over.
    pub(crate) fn spend(&self, steps: u64) {
        self.spent.set(self.spent.get().saturating_add(steps));
    }

    /// How many steps are spent.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// How many steps are left, if it ends at all.
    pub(crate) fn left(&self) -> Option<u64> {
        match self.is_cut_off() {
            true => Some(0),
            false => self.limit.map(|limit| limit.saturating_sub(self.spent())),
        }
    }

    /// Whether the user's own limit is reached.
    fn is_cut_off(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.left() == Some(0)
    }

    /// Whether nothing is left for a part, which is then the one at which it ended.
    pub(crate) fn is_over_at(&self, part: impl FnOnce() -> ProofPart) -> bool {
        let over = self.is_over();
        if over {
            self.end_at(part);
        }
        over
    }

    /// Asks whether there is anything left for a part.
    ///
    /// # Errors
    ///
    /// That the budget has ended, at the first part that was refused.
    pub(crate) fn require(&self, part: impl FnOnce() -> ProofPart) -> Result<(), Breach> {
        match self.is_over_at(part) {
            true => Err(self.breach()),
            false => Ok(()),
        }
    }

    /// Notes that it has ended at a part, unless it had ended before.
    pub(crate) fn end_at(&self, part: impl FnOnce() -> ProofPart) {
        self.ended_at.borrow_mut().get_or_insert_with(part);
    }

    /// The first part that was refused more steps, if one was.
    pub fn ended_at(&self) -> Option<ProofPart> {
        self.ended_at.borrow().clone()
    }

    /// That the budget has ended, and where.
    pub(crate) fn breach(&self) -> Breach {
        Breach::out_of_budget(self.ended_at().as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(what: &str) -> impl FnOnce() -> ProofPart {
        let part = ProofPart::of_the_model(what);
        move || part
    }

    #[test]
    fn clones_spend_from_one_account() {
        let budget = ProofBudget::of_steps(10);
        budget.clone().spend(4);
        assert_eq!((budget.spent(), budget.left()), (4, Some(6)));
        budget.half().spend(3);
        assert_eq!(budget.left(), Some(3));
        assert!(budget.require(part("early")).is_ok());
        budget.spend(100);
        assert!(budget.is_over());
    }

    #[test]
    fn a_part_of_a_budget_ends_no_later_than_the_whole() {
        let budget = ProofBudget::of_steps(10);
        budget.spend(2);
        assert_eq!(budget.clone().with_at_most(3).left(), Some(3));
        assert_eq!(budget.clone().with_at_most(30).left(), Some(8));
        let unlimited = ProofBudget::unlimited().with_at_most(5);
        assert_eq!(unlimited.left(), Some(5));
    }

    #[test]
    fn the_first_part_that_is_refused_is_named() {
        let budget = ProofBudget::of_steps(1);
        budget.spend(1);
        assert!(budget.ended_at().is_none());
        for what in ["first", "second"] {
            let breach = budget.require(part(what)).expect_err("nothing is left");
            assert!(breach.undecided && breach.message.contains("first"));
        }
    }

    #[test]
    fn effort_multiplies_every_limit() {
        let three = NonZeroU32::new(3).expect("not zero");
        let budget = ProofBudget::of_steps(10).with_more_for_declared(5);
        let budget = budget.with_effort(three);
        assert_eq!((budget.left(), budget.scaled(7)), (Some(30), 21));
        let declared = budget.for_declared().expect("there is more");
        assert_eq!(declared.left(), Some(15));
        assert!(ProofBudget::unlimited().with_effort(three).left().is_none());
    }

    #[test]
    fn half_of_what_is_left_ends_by_itself() {
        let budget = ProofBudget::of_steps(10);
        let half = budget.half();
        half.spend(5);
        assert!(half.require(part("the half")).is_err());
        assert!(budget.ended_at().is_some() && !budget.is_over());
    }
}
