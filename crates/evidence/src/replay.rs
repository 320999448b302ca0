//! A run, step by step, as the interpreter makes it.
//!
//! Nothing is shown to a user that has not passed here: [`ReplayedRun`] has no other constructor.

use mandala_interpreter::{Change, Configuration, Interpreter, Move, Observation, StepEvent};
use mandala_model::State;
use mandala_model::ids::PropertyId;
use mandala_model::step::{StepLabel, Violation};
use std::collections::{HashSet, VecDeque};
use std::fmt;

/// How many states are visited to see whether something can be reached, and how many steps are looked at from one of them.
const FOLLOWED: usize = 10_000;

/// A run that the interpreter has made, and that ends in a violation.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    steps: Vec<ReplayedStep>,
    /// How many steps are made before the run goes round for ever, if it does.
    before_cycle: Option<usize>,
    violation: Violation,
    last: Option<LastStates>,
}

/// One step of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayedStep {
    /// Who moved, by which edge, with whom.
    pub label: StepLabel,
    /// What changed.
    pub changes: Vec<Change>,
    /// What was printed.
    pub printed: Vec<String>,
    /// What was done with messages and processes, in order.
    pub events: Vec<StepEvent>,
    /// Where it leads, if anywhere.
    pub after: Option<Configuration>,
    /// Whether a search remembers where it leads.
    pub remembered: bool,
}

/// The states around the last step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastStates {
    /// Before the last step; the start if there is none.
    pub before: State,
    /// After it; the same as before if there is no step, or none after a fault.
    pub after: Option<State>,
}

impl ReplayedRun {
    /// The steps.
    pub fn steps(&self) -> &[ReplayedStep] {
        &self.steps
    }

    /// How many steps are made before the run goes round for ever, if it does.
    pub fn before_cycle(&self) -> Option<usize> {
        self.before_cycle
    }

    /// A run that goes round for ever from a state on. Only for those who have made all its steps.
    pub fn going_round(
        prefix: Vec<ReplayedStep>,
        cycle: Vec<ReplayedStep>,
        violation: Violation,
        entry: State,
    ) -> Self {
        ReplayedRun {
            before_cycle: Some(prefix.len()),
            steps: [prefix, cycle].concat(),
            violation,
            last: Some(LastStates {
                before: entry.clone(),
                after: Some(entry),
            }),
        }
    }

    /// The violation at its end.
    pub fn violation(&self) -> &Violation {
        &self.violation
    }

    /// The states around the last step; none if the model fails before its first state.
    pub fn last(&self) -> Option<&LastStates> {
        self.last.as_ref()
    }
}

/// A run that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The model fails before its first state.
    NoStart,
    /// The step of that number (from 1) is not possible.
    Impossible {
        /// The step.
        step: usize,
    },
    /// The run is possible, but does not end in the violation.
    NoViolation,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NoStart => f.write_str("the model fails before its first state"),
            ReplayError::Impossible { step } => write!(f, "step {step} is not possible"),
            ReplayError::NoViolation => f.write_str("the run does not end in the violation"),
        }
    }
}

/// What a step must look like besides its label.
pub trait Expectation {
    /// Whether the step of that number (from 0) may have changed this.
    fn agrees(&self, step: usize, changes: &[Change]) -> bool;
}

/// Anything will do.
pub struct Anything;

impl Expectation for Anything {
    fn agrees(&self, _: usize, _: &[Change]) -> bool {
        true
    }
}

/// Where a run has got to. Labels alone may leave a choice, so there can be several.
struct Tip {
    configuration: Option<Configuration>,
    before: State,
    violations: Vec<Violation>,
}

/// A step that was made, and the index of the tip that it was made from.
type Made = (usize, ReplayedStep);

/// Makes the steps one after the other and looks for the violation at the end: one that `wanted`
/// accepts.
pub fn replay(
    interpreter: &Interpreter<'_>,
    labels: &[StepLabel],
    expectation: &impl Expectation,
    wanted: impl Fn(&Violation) -> bool,
) -> Result<ReplayedRun, ReplayError> {
    let start = match interpreter.start() {
        Ok(start) => start,
        Err(fault) => return failed_start(labels, Violation::Fault(fault), wanted),
    };
    let (tips, history) = follow(interpreter, start, labels, expectation)?;
    conclude(interpreter, tips, history, wanted).ok_or(ReplayError::NoViolation)
}

/// Makes the steps one after the other. At the end a property is lost, or that instance of one that is several: as far as the interpreter follows, nothing leads to a
/// state in which one of its monitors holds.
pub fn replay_to_loss(
    interpreter: &Interpreter<'_>,
    labels: &[StepLabel],
    expectation: &impl Expectation,
    lost: (PropertyId, u32),
) -> Result<ReplayedRun, ReplayError> {
    let model = interpreter.model();
    let (property, instance) = lost;
    let monitors = model.properties[property.index()].kind.monitors();
    let several = model.instance_count(property).is_some();
    let demanded = model.demanded(property, instance).filter(|_| several);
    if several && demanded.is_none() {
        return Err(ReplayError::NoViolation);
    }
    let meets = |seen: &Observation| match demanded {
        Some(demanded) => demanded == (seen.monitor, seen.choice),
        None => monitors.contains(&seen.monitor),
    };
    let is_lost = |end: &Configuration| !leads_to(interpreter, end, &meets);
    replay_to(interpreter, labels, expectation, lost, is_lost)
}

/// Makes the steps one after the other, for an instance of a property. What is to be known of the end no single run could show.
pub fn replay_to_end(
    interpreter: &Interpreter<'_>,
    labels: &[StepLabel],
    expectation: &impl Expectation,
    asked: (PropertyId, u32),
) -> Result<ReplayedRun, ReplayError> {
    replay_to(interpreter, labels, expectation, asked, |_| true)
}

/// Makes the steps one after the other, to a configuration in which the property is lost.
fn replay_to(
    interpreter: &Interpreter<'_>,
    labels: &[StepLabel],
    expectation: &impl Expectation,
    (property, instance): (PropertyId, u32),
    is_lost: impl Fn(&Configuration) -> bool,
) -> Result<ReplayedRun, ReplayError> {
    let start = interpreter.start().map_err(|_| ReplayError::NoStart)?;
    let (tips, history) = follow(interpreter, start, labels, expectation)?;
    let mut tips = tips.into_iter().enumerate();
    let end = tips.find(|(_, tip)| tip.configuration.as_ref().is_some_and(&is_lost));
    let (index, tip) = end.ok_or(ReplayError::NoViolation)?;
    Ok(ReplayedRun {
        steps: backtrack(history, index),
        before_cycle: None,
        violation: Violation::Lost { property, instance },
        last: Some(LastStates::around(tip)),
    })
}

/// Whether a state in which a monitor holds that is meant is found within some thousand states from there.
fn leads_to(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    is_meant: &dyn Fn(&Observation) -> bool,
) -> bool {
    let mut known = HashSet::from([from.state.clone()]);
    let mut waiting = VecDeque::from([from.clone()]);
    while let Some(current) = waiting.pop_front() {
        let seen = interpreter.observations(&current);
        if seen.iter().any(|seen| seen.holds && is_meant(seen)) {
            return true;
        }
        let mut chains = interpreter.chains(&current).within(FOLLOWED);
        while let Some(end) = chains.next_end() {
            let next = chains.last_step(end).remembered_next();
            let new =
                next.filter(|next| known.len() < FOLLOWED && known.insert(next.state.clone()));
            waiting.extend(new.cloned());
        }
    }
    false
}

/// Where a run can have got to, and the steps that lead there.
type Followed = (Vec<Tip>, Vec<Vec<Made>>);

fn follow(
    interpreter: &Interpreter<'_>,
    start: Configuration,
    labels: &[StepLabel],
    expectation: &impl Expectation,
) -> Result<Followed, ReplayError> {
    let mut history: Vec<Vec<Made>> = Vec::with_capacity(labels.len());
    let mut tips = vec![Tip::at(start)];
    for (index, label) in labels.iter().enumerate() {
        let agrees = |changes: &[Change]| expectation.agrees(index, changes);
        let (next, made) = advance(interpreter, &tips, *label, &agrees);
        if next.is_empty() {
            return Err(ReplayError::Impossible { step: index + 1 });
        }
        tips = next;
        history.push(made);
    }
    Ok((tips, history))
}

/// The steps of runs that have been followed.
pub struct History(Vec<Vec<Made>>);

impl History {
    /// The steps of the run that has got to the end of that number.
    pub fn steps_to(self, end: usize) -> Vec<ReplayedStep> {
        backtrack(self.0, end)
    }
}

/// Where runs with these labels can have got to, and their steps.
pub fn followed(
    interpreter: &Interpreter<'_>,
    labels: &[StepLabel],
    expectation: &impl Expectation,
) -> Result<(Vec<Option<Configuration>>, History), ReplayError> {
    let start = interpreter.start().map_err(|_| ReplayError::NoStart)?;
    let (tips, history) = follow(interpreter, start, labels, expectation)?;
    let ends = tips.into_iter().map(|tip| tip.configuration);
    Ok((ends.collect(), History(history)))
}

/// All configurations that a run with these labels can have got to.
pub fn tips(interpreter: &Interpreter<'_>, labels: &[StepLabel]) -> Vec<Configuration> {
    let start = interpreter.start().into_iter();
    let mut tips: Vec<Tip> = start.map(Tip::at).collect();
    for label in labels {
        tips = advance(interpreter, &tips, *label, &|_| true).0;
    }
    tips.into_iter()
        .filter_map(|tip| tip.configuration)
        .collect()
}

fn failed_start(
    labels: &[StepLabel],
    violation: Violation,
    wanted: impl Fn(&Violation) -> bool,
) -> Result<ReplayedRun, ReplayError> {
    if !labels.is_empty() || !wanted(&violation) {
        return Err(ReplayError::NoStart);
    }
    Ok(ReplayedRun {
        steps: Vec::new(),
        before_cycle: None,
        violation,
        last: None,
    })
}

fn advance(
    interpreter: &Interpreter<'_>,
    tips: &[Tip],
    label: StepLabel,
    agrees: &dyn Fn(&[Change]) -> bool,
) -> (Vec<Tip>, Vec<Made>) {
    let mut next: Vec<Tip> = Vec::new();
    let mut made = Vec::new();
    for (parent, tip) in tips.iter().enumerate() {
        let Some(from) = &tip.configuration else {
            continue;
        };
        let moves = interpreter.moves(from).into_iter();
        for taken in moves.filter(|m| m.label == label) {
            let (tip, step) = take(interpreter, from, taken);
            if agrees(&step.changes) && !next.iter().any(|t| t.is_same(&tip)) {
                next.push(tip);
                made.push((parent, step));
            }
        }
    }
    (next, made)
}

impl Tip {
    /// Where every run starts.
    fn at(start: Configuration) -> Self {
        Tip {
            before: start.state.clone(),
            configuration: Some(start),
            violations: Vec::new(),
        }
    }

    fn is_same(&self, other: &Tip) -> bool {
        self.configuration == other.configuration && self.violations == other.violations
    }
}

/// A move as a step.
pub fn step_of(interpreter: &Interpreter<'_>, from: &Configuration, taken: &Move) -> ReplayedStep {
    let changes = match &taken.next {
        Some(next) => interpreter.changes(&from.state, &next.state),
        None => Vec::new(),
    };
    ReplayedStep {
        label: taken.label,
        changes,
        printed: taken.printed.clone(),
        events: taken.events.clone(),
        after: taken.next.clone(),
        remembered: taken.remembered,
    }
}

fn take(interpreter: &Interpreter<'_>, from: &Configuration, taken: Move) -> (Tip, ReplayedStep) {
    let step = step_of(interpreter, from, &taken);
    let tip = Tip {
        configuration: taken.next,
        before: from.state.clone(),
        violations: taken.violations,
    };
    (tip, step)
}

/// The finished run, if one of them shows the violation, in its last step or where it stands.
fn conclude(
    interpreter: &Interpreter<'_>,
    tips: Vec<Tip>,
    history: Vec<Vec<Made>>,
    wanted: impl Fn(&Violation) -> bool,
) -> Option<ReplayedRun> {
    let shown = |tip: &Tip| {
        let here = tip.configuration.as_ref();
        let here = here.map(|c| interpreter.verdicts_here(c));
        let all = tip
            .violations
            .iter()
            .cloned()
            .chain(here.into_iter().flatten());
        all.into_iter().find(|v| wanted(v))
    };
    let mut ends = tips.into_iter().enumerate();
    let (index, tip, violation) =
        ends.find_map(|(index, tip)| shown(&tip).map(|violation| (index, tip, violation)))?;
    Some(ReplayedRun {
        steps: backtrack(history, index),
        before_cycle: None,
        violation,
        last: Some(LastStates::around(tip)),
    })
}

impl LastStates {
    fn around(tip: Tip) -> Self {
        LastStates {
            before: tip.before,
            after: tip.configuration.map(|c| c.state),
        }
    }
}

/// The steps that led to the tip of that index.
fn backtrack(history: Vec<Vec<Made>>, mut index: usize) -> Vec<ReplayedStep> {
    let mut steps = Vec::with_capacity(history.len());
    for mut made in history.into_iter().rev() {
        let (parent, step) = made.swap_remove(index);
        steps.push(step);
        index = parent;
    }
    steps.reverse();
    steps
}
