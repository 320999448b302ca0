//! What the explicit engine is asked beside what it sees in each state.

use super::Task;
use crate::automaton::{ClaimAutomaton, claim_automaton};
use crate::options::{AfterViolation, CycleSearch, Fairness};
use crate::plan::{CheckKind, Decision, PartialOrder};
use mandala_explicit::{
    Accepting, Automaton, AutomatonState, Choice, Ctl, Cycles, Fairness as Fair, Length,
    Proposition, Query, Question, Temporal, Whom,
};
use mandala_model::expr::Expr;
use mandala_model::property::{self, Runs};
use mandala_model::step::Observers;

/// What runs along, how runs are looked for that go on for ever, and what is asked about the graph of all states.
pub struct Inquiry {
    /// What runs along with the system.
    pub observers: Observers,
    /// Whether runs through accepting states are looked for on the way.
    pub cycles: Cycles,
    /// What is asked about the graph of all states: whether each goal stays possible, then whether there is a run that is forbidden.
    pub questions: Vec<Question>,
    /// What the questions speak of.
    pub propositions: Vec<Proposition>,
    /// The conditions among that.
    pub conditions: Vec<Expr>,
    /// Whether the last question is for a run that is forbidden.
    pub asks_for_run: bool,
    /// Whether the claim reads the graph of all states instead of running along.
    pub reads_claim: bool,
}

impl Inquiry {
    /// What a task asks.
    pub fn of(task: &Task<'_>) -> Self {
        match task.check.decision {
            Decision::Full => Inquiry::about_states(task),
            Decision::Branching => Inquiry::about_branching(task),
            Decision::Cycles if needs_graph(task) => Inquiry::about_runs(task),
            Decision::Cycles => Inquiry {
                cycles: Cycles::Nested,
                ..Inquiry::about_states(task)
            },
        }
    }

    /// What a task asks, if it can be answered on the way by a claim that reads the states.
    pub fn on_the_way(task: &Task<'_>) -> Option<Self> {
        let is_fair = match task.fairness {
            Fairness::Off => true,
            Fairness::Weak => task.symmetry.certificate.is_none(),
            Fairness::Strong | Fairness::WeakAction | Fairness::StrongAction => false,
        };
        let is_plain = task.check.decision == Decision::Cycles
            && task.check.kind != CheckKind::Progress
            && task.cycles == CycleSearch::Auto
            && task.after_violation == AfterViolation::Stop
            && task.partial_order == PartialOrder::Off
            && task.limits.depth.is_none()
            && !task.shortest;
        let inquiry = (is_fair && is_plain).then(|| Inquiry::about_runs(task))?;
        inquiry.reads_claim.then_some(inquiry)
    }

    /// Whether each goal stays possible for ever.
    fn about_states(task: &Task<'_>) -> Self {
        let goals = (0..task.goals.len() as u32).map(Ctl::Proposition);
        let question = |goal: Ctl| Question {
            what: Query::Formula(goal.possible().always()),
            fairness: Fair::None,
            whom: Whom::Processes,
        };
        let edges = task.goals.iter().map(|(_, edges)| edges.clone());
        Inquiry {
            observers: task.check.observers,
            cycles: Cycles::Ignore,
            questions: goals.map(question).collect(),
            propositions: edges.map(Proposition::Observed).collect(),
            conditions: Vec::new(),
            asks_for_run: false,
            reads_claim: false,
        }
    }

    /// Whether a formula of branching time holds at the start.
    fn about_branching(task: &Task<'_>) -> Self {
        let (formula, conditions) = task.branching_formula();
        let conditions: Vec<Expr> = conditions.into_iter().cloned().collect();
        let (fairness, whom) = fairness(task.fairness);
        let question = Question {
            what: Query::Formula(ctl(formula)),
            fairness,
            whom,
        };
        Inquiry {
            observers: task.model.running(task.check.observers),
            cycles: Cycles::Ignore,
            questions: vec![question],
            propositions: (0..conditions.len()).map(Proposition::Condition).collect(),
            conditions,
            asks_for_run: false,
            reads_claim: false,
        }
    }

    /// Whether there is a run that the claim forbids: the claim reads the graph or, if it does more than look, runs along.
    fn about_runs(task: &Task<'_>) -> Self {
        let claim = task.check.observers.claim;
        let read = claim.and_then(|claim| claim_automaton(task.model, claim));
        Inquiry::about_runs_of(task, read)
    }

    /// The same with a claim that runs along in any case: then nothing is seen of runs that the claim does not follow.
    pub fn about_runs_along(task: &Task<'_>) -> Self {
        Inquiry::about_runs_of(task, None)
    }

    fn about_runs_of(task: &Task<'_>, read: Option<ClaimAutomaton>) -> Self {
        let claim = task.check.observers.claim;
        let runs_along = read.is_none();
        let (automaton, conditions) = match read {
            Some(read) => (read.automaton, read.conditions),
            None => (through_accepting_states(), Vec::new()),
        };
        let (fairness, whom) = fairness(task.fairness);
        let question = Question {
            what: Query::NoRun(automaton, length(task)),
            fairness,
            whom,
        };
        Inquiry {
            observers: Observers {
                claim: claim.filter(|_| runs_along),
                ..task.check.observers
            },
            cycles: Cycles::Ignore,
            questions: vec![question],
            propositions: match runs_along {
                true => vec![Proposition::Accepting, Proposition::GoesOn],
                false if task.check.kind == CheckKind::Progress => {
                    (0..conditions.len()).map(Proposition::Meanwhile).collect()
                }
                false => (0..conditions.len()).map(Proposition::Condition).collect(),
            },
            conditions,
            asks_for_run: true,
            reads_claim: !runs_along,
        }
    }
}

/// Whether runs are looked for on the graph of all states.
fn needs_graph(task: &Task<'_>) -> bool {
    match task.cycles {
        // An end is no lack of progress, which a claim that runs along would not know.
        _ if task.check.kind == CheckKind::Progress => true,
        CycleSearch::Graph => true,
        CycleSearch::Nested => false,
        CycleSearch::Auto => {
            let leaves_out = task.partial_order != PartialOrder::Off;
            task.fairness != Fairness::Off || task.shortest || leaves_out
        }
    }
}

/// The automaton of a claim that runs along: accepting states again and again, as long as the run goes on.
fn through_accepting_states() -> Automaton {
    let state = AutomatonState {
        accepting: Accepting::Where(0),
        choices: vec![Choice {
            guard: Some(1),
            target: 0,
        }],
    };
    Automaton::new(vec![state], 0).expect("there is a state 0")
}

fn length(task: &Task<'_>) -> Length {
    match task.shortest {
        true => Length::Shortest,
        false => Length::Short,
    }
}

/// A formula in the words of the engine. What its propositions are has the same numbers there.
fn ctl(formula: &property::Ctl) -> Ctl {
    use property::Ctl as Stated;
    let path = |runs: &Runs, temporal: Temporal| match runs {
        Runs::All => Ctl::all(temporal),
        Runs::Some => Ctl::exists(temporal),
    };
    match formula {
        Stated::Constant(true) => Ctl::True,
        Stated::Constant(false) => Ctl::True.not(),
        Stated::Proposition(number) => Ctl::Proposition(*number),
        Stated::Not(f) => ctl(f).not(),
        Stated::And(f, g) => ctl(f).and(ctl(g)),
        Stated::Or(f, g) => ctl(f).or(ctl(g)),
        Stated::Implies(f, g) => ctl(f).implies(ctl(g)),
        Stated::Next(runs, f) => path(runs, Temporal::Next(ctl(f))),
        Stated::Eventually(runs, f) => path(runs, Temporal::Finally(ctl(f))),
        Stated::Always(runs, f) => path(runs, Temporal::Globally(ctl(f))),
        Stated::Until(runs, f, g) => path(runs, Temporal::Until(ctl(f), ctl(g))),
        Stated::WeakUntil(runs, f, g) => path(runs, Temporal::WeakUntil(ctl(f), ctl(g))),
    }
}

/// Which runs count, in the words of the engine.
fn fairness(fairness: Fairness) -> (Fair, Whom) {
    match fairness {
        Fairness::Off => (Fair::None, Whom::Processes),
        Fairness::Weak => (Fair::Weak, Whom::Processes),
        Fairness::Strong => (Fair::Strong, Whom::Processes),
        Fairness::WeakAction => (Fair::Weak, Whom::Actions),
        Fairness::StrongAction => (Fair::Strong, Whom::Actions),
    }
}
