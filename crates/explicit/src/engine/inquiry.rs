//! What the explicit engine is asked beside what it sees in each state.

use super::state_reader::{StateReader, state_reader};
use crate::options::{Cycles, GraphQuestion, Instances, Proposition, Query, Whom};
use mandala_engine::{
    AfterViolation, CycleSearch, Decision, Demanded, Fairness, PartialOrder, Task,
};
use mandala_kripke::{Acceptor, Fairness as Fair, Length};
use mandala_model::expr::Expr;
use mandala_model::ids::PropertyId;
use mandala_model::step::Observers;
use mandala_temporal::{self as temporal, Automaton, Ctl, Guard};
use std::sync::Arc;

/// What runs along, how runs are looked for that go on for ever, and what is asked about the graph of all states.
pub struct Inquiry {
    /// What runs along with the system.
    pub observers: Observers,
    /// Whether runs through accepting states are looked for on the way.
    pub cycles: Cycles,
    /// What is asked about the graph of all states: whether each goal stays possible, then whether there is a run that is forbidden.
    pub questions: Vec<GraphQuestion>,
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
        match task.question.decision {
            Decision::Full | Decision::Value => Inquiry::about_states(task),
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
            Fairness::Weak => task.certificate().is_none(),
            Fairness::Strong | Fairness::WeakAction | Fairness::StrongAction => false,
        };
        let is_plain = task.question.decision == Decision::Cycles
            && !task.is_about_progress()
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
        let (mut questions, mut propositions) = (Vec::new(), Vec::new());
        for goal in &task.goals {
            let (about, instances) = match &goal.demanded {
                Demanded::One(monitors) => {
                    propositions.push(Proposition::Observed(monitors.clone()));
                    (propositions.len() - 1, None)
                }
                Demanded::Each(each) => {
                    let first = propositions.len();
                    propositions.extend(each.iter().cloned().map(Proposition::Demanded));
                    // Whatever is exchanged, the only one of its kind stays what it is.
                    match each.len() {
                        1 => (first, None),
                        _ => (0, instances(task, goal.property, (first as u32, 1))),
                    }
                }
            };
            questions.push(GraphQuestion {
                what: Query::Formula(Ctl::proposition(about).always_possible()),
                fairness: Fair::None,
                whom: Whom::Processes,
                instances,
            });
        }
        Inquiry {
            observers: task.question.observers,
            cycles: Cycles::Ignore,
            questions,
            propositions,
            conditions: Vec::new(),
            asks_for_run: false,
            reads_claim: false,
        }
    }

    /// Whether a formula of branching time holds at the start, for each instance if it has indices.
    fn about_branching(task: &Task<'_>) -> Self {
        let (formula, all) = task.branching_formula();
        let mut asked = Asked::default();
        let each = all.first().and_then(|first| first.last());
        let each = each.map_or(0, |(id, _)| id.index() + 1);
        for (number, conditions) in all.iter().enumerate() {
            let conditions = conditions.iter();
            let conditions = conditions.map(|(id, e)| (number * each + id.index(), e));
            asked.add(conditions, Proposition::Condition);
            asked.fill(each * (number + 1));
        }
        let indexed = task.indexed_formula();
        let (fairness, whom) = fairness(task.fairness);
        let question = GraphQuestion {
            what: Query::Formula(formula.clone()),
            fairness,
            whom,
            instances: indexed.and_then(|property| instances(task, property, (0, each as u32))),
        };
        Inquiry {
            observers: task.question.observers,
            cycles: Cycles::Ignore,
            questions: vec![question],
            propositions: asked.propositions,
            conditions: asked.conditions,
            asks_for_run: false,
            reads_claim: false,
        }
    }

    /// Whether there is a run that the claim forbids: the claim reads the graph or, if it does more than look, runs along.
    fn about_runs(task: &Task<'_>) -> Self {
        let property = task.property();
        let read = property.and_then(|property| state_reader(task.model(), &property.kind));
        Inquiry::about_runs_of(task, read)
    }

    /// The same with a claim that runs along in any case: then nothing is seen of runs that the claim does not follow.
    pub fn about_runs_along(task: &Task<'_>) -> Self {
        Inquiry::about_runs_of(task, None)
    }

    fn about_runs_of(task: &Task<'_>, read: Option<StateReader<'_>>) -> Self {
        let claim = task.question.observers.claim;
        let runs_along = read.is_none();
        let holds = match task.is_about_progress() {
            // An end is no lack of progress.
            true => Proposition::Meanwhile,
            false => Proposition::Condition,
        };
        let (acceptor, (propositions, conditions)) = match read {
            Some(read) => (
                reader(read.automaton),
                numbered(read.conditions.into_iter(), holds),
            ),
            None => (through_accepting_states(), accepting_states()),
        };
        let (fairness, whom) = fairness(task.fairness);
        let question = GraphQuestion {
            what: Query::NoRun(acceptor, length(task)),
            fairness,
            whom,
            instances: None,
        };
        Inquiry {
            observers: Observers {
                claim: claim.filter(|_| runs_along),
                ..task.question.observers
            },
            cycles: Cycles::Ignore,
            questions: vec![question],
            propositions,
            conditions,
            asks_for_run: true,
            reads_claim: !runs_along,
        }
    }
}

/// The instances that a question is asked of, whose propositions are the first, and so many for each.
fn instances(
    task: &Task<'_>,
    property: PropertyId,
    (first, propositions): (u32, u32),
) -> Option<Instances> {
    let action = task.prepared.instances(property)?;
    Some(Instances {
        first,
        propositions,
        action: Arc::new(action),
    })
}

/// The propositions that some conditions are, by the numbers that questions know them by, and the conditions one after the other.
#[derive(Default)]
struct Asked {
    propositions: Vec<Proposition>,
    conditions: Vec<Expr>,
}

impl Asked {
    fn add<'e>(
        &mut self,
        conditions: impl Iterator<Item = (usize, &'e Expr)>,
        holds: fn(usize) -> Proposition,
    ) {
        for (number, condition) in conditions {
            self.fill(number + 1);
            self.propositions[number] = holds(self.conditions.len());
            self.conditions.push(condition.clone());
        }
    }

    /// Lets there be so many propositions: nobody speaks of those that are missing.
    fn fill(&mut self, count: usize) {
        if self.propositions.len() < count {
            self.propositions.resize(count, Proposition::Unasked);
        }
    }
}

/// The same at once.
fn numbered<'e>(
    conditions: impl Iterator<Item = (usize, &'e Expr)>,
    holds: fn(usize) -> Proposition,
) -> (Vec<Proposition>, Vec<Expr>) {
    let mut asked = Asked::default();
    asked.add(conditions, holds);
    (asked.propositions, asked.conditions)
}

/// What is asked of states while a claim runs along.
fn accepting_states() -> (Vec<Proposition>, Vec<Expr>) {
    (
        vec![Proposition::Accepting, Proposition::GoesOn],
        Vec::new(),
    )
}

/// Whether runs are looked for on the graph of all states.
fn needs_graph(task: &Task<'_>) -> bool {
    match task.cycles {
        // An end is no lack of progress, which a claim that runs along would not know.
        _ if task.is_about_progress() => true,
        CycleSearch::Graph => true,
        CycleSearch::Nested => false,
        CycleSearch::Auto => {
            let leaves_out = task.partial_order != PartialOrder::Off;
            task.fairness != Fairness::Off || task.shortest || leaves_out
        }
    }
}

/// What accepts the runs of a claim that runs along: accepting states again and again, as long as the run goes on.
fn through_accepting_states() -> Acceptor {
    Acceptor::always(Guard::proposition(1)).where_marked(temporal::Proposition(0))
}

/// The reader that an automaton is.
fn reader(automaton: Arc<Automaton>) -> Acceptor {
    Acceptor::new(automaton).expect("its transitions lead to its states")
}

fn length(task: &Task<'_>) -> Length {
    match task.shortest {
        true => Length::Shortest,
        false => Length::Short,
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
