//! The outcomes of a check: verdicts, the runs that show them, and the searches that found them.

use crate::explain::Explanation;
use crate::frontend::LoadedModel;
use crate::options::Fairness;
use crate::plan::{CheckPlan, Question, Subject};
use mandala_engine::{Amount, Outcome};
use mandala_evidence::replay::ReplayedRun;
use mandala_prepare::Prepared;
use std::rc::Rc;

/// The reason that a property has as long as it is not decided.
pub(crate) const PENDING: &str = "not decided yet";

/// What can be said of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every run satisfies it.
    Holds,
    /// Some run does not.
    Violated(Box<ExplainedRun>),
    /// What it wants to happen does not happen in any run; there is none to show.
    Missed(String),
    /// Not decided, and why.
    Unknown(String),
    /// It asks for a value, which is known.
    Value,
}

/// A run that the reference interpreter has executed, shown for a property.
#[derive(Clone, Debug)]
pub struct ShownRun {
    /// The property that it violates, or that it shows to hold.
    pub subject: Subject,
    /// The run.
    pub run: ReplayedRun,
    /// Whether no run to this violation has fewer steps that the search remembers.
    pub shortest: bool,
    /// The fairness that an infinite run satisfies.
    pub fairness: Fairness,
}

/// A run to a violation, with its explanation.
#[derive(Clone, Debug)]
pub struct ExplainedRun {
    /// The violation in words.
    pub explanation: Explanation,
    /// The run that leads there.
    pub shown: ShownRun,
}

/// What was found about one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// The property.
    pub check: Question,
    /// What can be said of it.
    pub verdict: Verdict,
    /// The search that was made for it, if one was.
    pub search: Option<Outcome>,
    /// What was searched in place of the model, and what can be exchanged in it without the property noticing.
    pub prepared: Rc<Prepared>,
    /// Whether it is judged by what the search for safety has seen.
    pub judged: bool,
    /// A run that shows that it holds, if it is one that a run can show.
    pub witness: Option<ShownRun>,
    /// The value that was asked for, as far as it is known, and the greatest one if there are several.
    pub value: Option<(Amount, Option<Amount>)>,
    /// Further violations of it that come from something else, in the order in which they were met.
    pub further: Vec<ExplainedRun>,
    /// Whether its violation is the first one that the search has met.
    pub met_first: bool,
    /// How many violations of it were met. Of a search that stops at a violation only those of the property that it shows.
    pub violations: u64,
}

impl PropertyOutcome {
    /// The outcome of a property that no search was made for, and the reason.
    pub(crate) fn unsearched(check: &Question, prepared: &Rc<Prepared>, reason: String) -> Self {
        PropertyOutcome {
            check: check.clone(),
            verdict: Verdict::Unknown(reason),
            search: None,
            prepared: Rc::clone(prepared),
            judged: false,
            witness: None,
            value: None,
            further: Vec::new(),
            met_first: false,
            violations: 0,
        }
    }

    /// The outcome of a property that is not decided yet.
    pub(crate) fn pending(loaded: &LoadedModel, check: &Question) -> Self {
        let prepared = Rc::new(Prepared::plain(&loaded.model));
        PropertyOutcome::unsearched(check, &prepared, PENDING.into())
    }
}

/// What is known of a check that is not done.
#[derive(Clone, Debug)]
pub struct Interim<'a> {
    /// The model.
    pub loaded: &'a LoadedModel,
    /// The plan.
    pub plan: &'a CheckPlan,
    /// An outcome for each property; those that are open are not decided yet.
    pub outcomes: Vec<PropertyOutcome>,
}

impl<'a> Interim<'a> {
    /// A check of which these outcomes are known, and these questions are open.
    pub(crate) fn new(
        loaded: &'a LoadedModel,
        plan: &'a CheckPlan,
        known: Vec<PropertyOutcome>,
        open: &[Question],
    ) -> Self {
        let open = open
            .iter()
            .map(|open| PropertyOutcome::pending(loaded, open));
        Interim {
            loaded,
            plan,
            outcomes: known.into_iter().chain(open).collect(),
        }
    }
}
