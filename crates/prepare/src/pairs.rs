//! Two states that show that something is not interchangeable.
//!
//! The second state is the first with two names exchanged. If names were interchangeable, what a step of the one leads to would be, renamed, what a step of the other leads to, and the
//! same would go wrong. The interpreter executes both, so a pair that is found is a fact about the model and needs no proof. Where no pair is found among the states that are looked at, a refusal says no
//! more than that there is no proof.
//!
//! What is looked at are the first states that a run comes to. States in which processes are still being made are left out, as a symmetry may begin later; and where processes pass
//! something only once, a pair of later states comes first.

use crate::effort::{Accused, Broken};
use crate::found::Aim;
use crate::prepared::{Account, Prepared};
use crate::startup::census;
use crate::state_pair::{Event, StatePair, Which};
use crate::{Form, in_form, seen_by};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::Model;
use mandala_model::step::{StepLabel, Violation};
use mandala_symmetry::hashing::{HashMap, HashSet};
use mandala_symmetry::{
    Action, DomainKind, LookAlikes, Permutation, Progress, ProofBudget, Renaming, Sketch, derive,
    sketches,
};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// How many states that runs come to are looked at.
const MOST_STATES: usize = 1_000;

/// How many states are compared with an image of theirs, for all refusals together.
const MOST_COMPARED: usize = 3_000;

/// The same for one refusal.
const MOST_FOR_ONE: usize = 1_200;

/// How many steps are made in all, before none is made any more.
const MOST_STEPS: usize = 6_000;

/// How many steps are made from one state; where there are more, it is not compared.
const MOST_FROM_ONE: usize = 2_000;

impl Prepared {
    /// The same with a pair of states for each refusal that one is found for, and the reason of types for those of which nothing else is known.
    #[must_use]
    pub fn with_pairs(&self, aim: Aim, budget: &ProofBudget) -> Self {
        if self.account.refused.is_empty() {
            return self.clone();
        }
        let written = in_form(&self.user, Form::Instances);
        let written = written.and_then(|written| seen_by(written, aim.observers));
        let refused = match written {
            Ok(written) => pairs_for(
                written.certified.model(),
                aim,
                &self.account.refused,
                budget,
            ),
            Err(_) => self.account.refused.clone(),
        };
        let account = Account {
            refused: with_reasons_of_types(&self.user, aim, refused),
            ..self.account.clone()
        };
        Prepared {
            account,
            ..self.clone()
        }
    }
}

/// For names that are refused without a pair of states, where the rules of types do not hold: there the text can be changed.
fn with_reasons_of_types(user: &Model, aim: Aim, refused: Vec<Broken>) -> Vec<Broken> {
    let reasons = match user.language.is_of_rules() {
        true => derive(user, aim.observers).refused,
        false => Vec::new(),
    };
    let mut all: Vec<Broken> = Vec::new();
    for broken in refused {
        let label = broken.accused.names();
        let reason = reasons.iter().find(|(own, breach)| {
            Some(own.as_str()) == label && breach.span.is_some() && broken.pair.is_none()
        });
        let broken = match reason {
            Some((label, breach)) => Broken {
                what: label.clone(),
                breach: breach.clone(),
                ..broken
            },
            None => doubted(broken),
        };
        if !all
            .iter()
            .any(|known| (&known.what, &known.breach) == (&broken.what, &broken.breach))
        {
            all.push(broken);
        }
    }
    all
}

/// A statement that looks different to two names may come to the same for both.
fn doubted(mut broken: Broken) -> Broken {
    let is_open = broken.pair.is_none() && matches!(broken.accused, Accused::LookAlikes(_));
    if let Some(statement) = broken
        .breach
        .message
        .strip_suffix("tells them apart")
        .filter(|_| is_open)
    {
        broken.breach.message = format!("{statement}may differ between them");
    }
    broken
}

fn pairs_for(model: &Model, aim: Aim, refused: &[Broken], budget: &ProofBudget) -> Vec<Broken> {
    let sketches = sketches(model, aim.observers, &census(model), budget);
    let mut states = States::of(Interpreter::new(model, aim.observers));
    let with_pair = |broken: &Broken| {
        let exchanges = sketches.iter().flat_map(|sketch| {
            let exchanges = exchanges(model, sketch, &broken.accused);
            exchanges
                .into_iter()
                .map(move |exchange| (sketch, exchange))
        });
        Broken {
            pair: states.first_pair(exchanges),
            ..broken.clone()
        }
    };
    refused.iter().map(with_pair).collect()
}

/// Two names that are exchanged.
struct Exchange {
    names: [String; 2],
    renaming: Renaming,
}

/// What would be an exchange if what is refused were interchangeable.
fn exchanges(model: &Model, sketch: &Sketch, accused: &Accused) -> Vec<Exchange> {
    let domains = sketch.domains.iter();
    let all = domains.flat_map(|kind| match accused {
        Accused::Domain(label) => match kind {
            DomainKind::Processes { template, numbers }
                if model.template(*template).name == *label =>
            {
                let pairs = numbers.windows(2);
                pairs
                    .map(|pair| of_processes(model, kind, (pair[0], pair[1])))
                    .collect()
            }
            DomainKind::Names {
                label: own,
                first,
                size,
                ..
            } if own == label => {
                let values = *first..first + i64::from(*size) - 1;
                values
                    .map(|value| of_names(kind, (value, value + 1)))
                    .collect()
            }
            _ => Vec::new(),
        },
        Accused::LookAlikes(LookAlikes::Processes(a, b)) => {
            vec![of_processes(model, kind, (*a, *b))]
        }
        Accused::LookAlikes(LookAlikes::Names { label, values }) => match kind {
            DomainKind::Names { label: own, .. } if own == label => vec![of_names(kind, *values)],
            _ => Vec::new(),
        },
        Accused::Nothing => Vec::new(),
    });
    all.flatten().collect()
}

fn of_processes(model: &Model, kind: &DomainKind, (a, b): (u32, u32)) -> Option<Exchange> {
    let DomainKind::Processes { template, numbers } = kind else {
        return None;
    };
    let name = model.template(*template).display_name();
    (numbers.contains(&a) && numbers.contains(&b)).then(|| Exchange {
        names: [a, b].map(|number| format!("{name} {number}")),
        renaming: Renaming::of_processes(Permutation::swap(a, b)),
    })
}

fn of_names(kind: &DomainKind, (a, b): (i64, i64)) -> Option<Exchange> {
    let DomainKind::Names {
        label,
        first,
        size,
        set,
        start,
    } = kind
    else {
        return None;
    };
    let place = |value: i64| {
        let place = u32::try_from(value - first).ok()?;
        (place < *size).then_some(start + place)
    };
    Some(Exchange {
        names: [a, b].map(|value| format!("{label} {value}")),
        renaming: Renaming::of_names(*set, Permutation::swap(place(a)?, place(b)?)),
    })
}

/// What a step comes to: where it leads, and what goes wrong, places left out.
type Outcome = (Option<Configuration>, Vec<String>);

/// What the steps of a configuration come to, in order, each once with a first step.
type Outcomes = Vec<(Outcome, StepLabel)>;

/// The first states that runs come to, with their distances from the start, and steps that are known. Nobody looks for a state before somebody wants it.
struct States<'m> {
    interpreter: Interpreter<'m>,
    reached: Vec<(Configuration, usize)>,
    /// Those whose steps have not been looked at.
    open: VecDeque<(Configuration, usize)>,
    /// All of both.
    seen: HashSet<Configuration>,
    known: HashMap<Configuration, Option<Rc<Outcomes>>>,
    steps_left: usize,
    compared: usize,
}

impl<'m> States<'m> {
    fn of(interpreter: Interpreter<'m>) -> Self {
        let start: Vec<Configuration> = interpreter.start().into_iter().collect();
        States {
            interpreter,
            reached: Vec::new(),
            open: start.iter().map(|start| (start.clone(), 0)).collect(),
            seen: start.into_iter().collect(),
            known: HashMap::default(),
            steps_left: MOST_STEPS,
            compared: 0,
        }
    }

    /// A state by its number, and its distance from the start, if there are so many.
    fn reached(&mut self, number: usize) -> Option<&(Configuration, usize)> {
        while self.reached.len() <= number {
            let (at, depth) = self.open.pop_front()?;
            let outcomes = self.outcomes(&at);
            let next = outcomes.iter().flat_map(|outcomes| outcomes.iter());
            for to in next.filter_map(|((to, _), _)| to.as_ref()) {
                if self.seen.len() < MOST_STATES && self.seen.insert(to.clone()) {
                    self.open.push_back((to.clone(), depth + 1));
                }
            }
            self.reached.push((at, depth));
        }
        self.reached.get(number)
    }

    /// What the steps of a configuration come to; nothing if there are too many.
    fn outcomes(&mut self, at: &Configuration) -> Option<Rc<Outcomes>> {
        if let Some(known) = self.known.get(at) {
            return known.clone();
        }
        let found = self.find_outcomes(at).map(Rc::new);
        self.known.insert(at.clone(), found.clone());
        found
    }

    fn find_outcomes(&mut self, at: &Configuration) -> Option<Outcomes> {
        let most = MOST_FROM_ONE.min(self.steps_left);
        let mut chains = self.interpreter.chains(at).within(most);
        let mut found = Outcomes::new();
        let mut seen = HashSet::default();
        let mut made = 0;
        while let Some(end) = chains.next_end() {
            let steps = chains.steps(end);
            made += steps.len();
            let Some(last) = steps.last().filter(|last| last.counts()) else {
                continue;
            };
            let mut wrong: Vec<String> = last.violations.iter().map(kind).collect();
            wrong.sort();
            let outcome = (last.remembered_next().cloned(), wrong);
            if seen.insert(outcome.clone()) {
                found.push((outcome, steps[0].label));
            }
        }
        let is_cut = chains.is_cut();
        self.steps_left = self.steps_left.saturating_sub(made);
        (!is_cut).then_some(found)
    }

    /// The first pair of states that one of some exchanges makes; later states come before those in which processes begin.
    fn first_pair<'s>(
        &mut self,
        exchanges: impl Iterator<Item = (&'s Sketch, Exchange)>,
    ) -> Option<StatePair> {
        let mut beginning = None;
        let exchanges: Vec<(&Sketch, Exchange)> = exchanges.collect();
        let (before, all) = (self.compared, exchanges.len());
        for (place, (sketch, exchange)) in (1..).zip(exchanges) {
            // Each has its share, and what those before it have left.
            let last = MOST_COMPARED.min(before + MOST_FOR_ONE * place / all);
            let model = self.interpreter.model();
            let action = Action::new(model, &sketch.sorts);
            let mut numbers = 0..;
            while let Some(number) = numbers.next()
                && let Some((at, _)) = self.reached(number)
            {
                let progress = sketch.progress(&at.state);
                let is_late = progress == Progress::Opening && beginning.is_none();
                if progress != Progress::Settled && !is_late {
                    continue;
                }
                if self.compared >= last {
                    break;
                }
                self.compared += 1;
                let found = self.pair(&action, &exchange, number);
                if found.is_some() && progress == Progress::Settled {
                    return found;
                }
                beginning = beginning.or(found);
            }
        }
        beginning
    }

    fn pair(
        &mut self,
        action: &Action<'_>,
        exchange: &Exchange,
        number: usize,
    ) -> Option<StatePair> {
        let (at, depth) = self.reached[number].clone();
        let moved = |at: &Configuration| {
            Some(Configuration {
                state: action.apply(&exchange.renaming, &at.state)?,
                turn: Action::turn(&exchange.renaming, at.turn),
            })
        };
        let image = moved(&at)?;
        let (of, event) = match self.wrong(&at, &image) {
            Some(found) => found,
            None => self.step(&at, &image, &moved)?,
        };
        let values = self.interpreter.values(&at.state);
        let before: BTreeMap<_, _> = values.iter().cloned().collect();
        let renamed = self.interpreter.values(&image.state).into_iter();
        Some(StatePair {
            exchanged: exchange.names.clone(),
            depth,
            image: renamed
                .filter(|(name, value)| before.get(name) != Some(value))
                .collect(),
            state: values,
            of,
            event,
        })
    }

    /// What is wrong with one of two states alone.
    fn wrong(&self, at: &Configuration, image: &Configuration) -> Option<(Which, Event)> {
        let (here, there) = (self.verdict(at), self.verdict(image));
        let only = |one: &[String], other: &[String]| {
            one.iter().find(|what| !other.contains(what)).cloned()
        };
        let first = only(&here, &there).map(|what| (Which::First, Event::Wrong(what)));
        first.or_else(|| only(&there, &here).map(|what| (Which::Second, Event::Wrong(what))))
    }

    /// What is wrong with a state: what a search would report, and the invariants that do not hold.
    fn verdict(&self, at: &Configuration) -> Vec<String> {
        let model = self.interpreter.model();
        let invariants = model.invariants_of_monitors();
        let mut all: Vec<String> = self.interpreter.verdict_here(at).iter().map(kind).collect();
        for seen in self.interpreter.observations(at) {
            let property = invariants[seen.monitor.index()];
            let name = property.map(|id| model.properties[id.index()].name.as_str());
            let wrong = seen.violations.iter().map(|violation| match name {
                Some(name) => format!("`{name}` is violated"),
                None => kind(violation),
            });
            all.extend(wrong);
        }
        all
    }

    /// A step of one of two states that leads where none of the other leads.
    fn step(
        &mut self,
        at: &Configuration,
        image: &Configuration,
        moved: &impl Fn(&Configuration) -> Option<Configuration>,
    ) -> Option<(Which, Event)> {
        let ours = self.outcomes(at)?;
        let theirs = self.outcomes(image)?;
        let mut renamed = Outcomes::new();
        for ((next, wrong), label) in ours.iter() {
            let next = match next {
                Some(next) => Some(moved(next)?),
                None => None,
            };
            renamed.push(((next, wrong.clone()), *label));
        }
        let first = only_in(&renamed, &theirs);
        let found = first.map(|label| (Which::First, at, label));
        let found = found.or_else(|| {
            let label = only_in(&theirs, &renamed)?;
            Some((Which::Second, image, label))
        });
        let (of, state, label) = found?;
        let (text, _) = self.interpreter.step_text(&state.state, &label);
        Some((
            of,
            Event::Step {
                actor: text.actor,
                text: text.text,
                span: text.span,
            },
        ))
    }
}

/// The first step that comes to something that no step of others comes to.
fn only_in(own: &Outcomes, others: &Outcomes) -> Option<StepLabel> {
    let others: HashSet<&Outcome> = others.iter().map(|(outcome, _)| outcome).collect();
    let mut only = own.iter().filter(|(outcome, _)| !others.contains(outcome));
    only.next().map(|(_, label)| *label)
}

/// A violation without its place and its values.
fn kind(violation: &Violation) -> String {
    let text = match violation {
        Violation::Assertion { .. } => "an assertion fails",
        Violation::Failed { .. } => "a step fails",
        Violation::Deadlock => "nothing can happen",
        Violation::ClaimEnded => "the claim ends",
        Violation::UnexpectedEvent { .. } => "a message is not expected",
        Violation::ForbiddenEvents { .. } => "forbidden events are complete",
        Violation::EventsIncomplete => "required events are missing",
        Violation::Nondeterminism { .. } => "a process has a choice",
        Violation::Lost { .. } => "something becomes impossible",
        Violation::Cycle => "a run goes round",
        Violation::Fault(_) => "a run-time error happens",
    };
    text.into()
}

#[cfg(test)]
mod tests;
