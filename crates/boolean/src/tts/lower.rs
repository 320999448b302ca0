//! A system with a bounded number of threads as a model: a rule for each transition.
//!
//! A broadcast is a loop over all threads but the one that moves. Where others have a choice, the loop only marks them, and rules of their own
//! let each of them choose, in the middle of the same step.

use super::System;
use crate::rules::{
    ABSENT, MADE, MOVER, OTHER, Phase, Rule, Rules, all, assign, at, bound, constant, guarded,
    holds, local, of_thread, read, shared,
};
use mandala_coverability::{Local, Start, Target, Transition};
use mandala_model::expr::{BinaryOp, Expr, Place};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::model::{Language, UncheckedModel};
use mandala_model::monitor::Monitor;
use mandala_model::parameters::Parameter;
use mandala_model::property::{Property, PropertyKind};
use mandala_model::quantified::Quantifier;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Step};
use mandala_model::types::Scalar;
use std::collections::BTreeMap;

/// The model of a system with at most so many threads. The text is that of the system.
pub(crate) fn lower(system: &System, threads: u32, text: &str) -> UncheckedModel {
    let mut rules = Rules::new(Language::Tts, threads, system.span);
    let marks = marks(system);
    let names = (0..system.system.locals).map(|local| local.to_string());
    let marked = marks.keys().map(|to| {
        let to: Vec<String> = to.iter().map(ToString::to_string).collect();
        format!("to {}", to.join(" or "))
    });
    let local = rules.places("local", names.chain(marked));
    let max = i64::from(system.system.shared) - 1;
    let shared = rules.global("shared", Scalar::Range { min: 0, max }, system.span);
    let lowering = Lowering {
        system,
        marks,
        local,
        shared,
        text,
    };
    lowering.starts(&mut rules);
    for (step, span) in system.system.transitions.iter().zip(&system.spans) {
        let rule = lowering.rule(&rules, step, *span);
        rules.add(rule);
    }
    lowering.choices(&mut rules);
    for target in &system.system.targets {
        lowering.target(&mut rules, target);
    }
    rules.finish()
}

/// The local states that threads choose from, with a number behind all local states for each such choice.
fn marks(system: &System) -> BTreeMap<Vec<Local>, Local> {
    let others = system
        .system
        .transitions
        .iter()
        .flat_map(|step| &step.others);
    let several = others.map(|(_, to)| to).filter(|to| to.len() > 1);
    let mut marks: BTreeMap<Vec<Local>, Local> = several.map(|to| (to.clone(), 0)).collect();
    for (number, mark) in (system.system.locals..).zip(marks.values_mut()) {
        *mark = number;
    }
    marks
}

struct Lowering<'l> {
    system: &'l System,
    marks: BTreeMap<Vec<Local>, Local>,
    local: GlobalId,
    shared: GlobalId,
    text: &'l str,
}

impl Lowering<'_> {
    /// Where a thread is.
    fn place(&self, thread: LocalId, span: Span) -> Place {
        of_thread(self.local, local(thread, span))
    }

    fn goes(&self, thread: LocalId, to: Local, span: Span) -> Effect {
        assign(self.place(thread, span), number(to, span))
    }

    fn is_at(&self, thread: LocalId, at: Local, span: Span) -> Expr {
        holds(self.place(thread, span), value(at))
    }

    /// The start: one thread in its state, the others in theirs. If threads can be made, how many are there at the start matters, as
    /// all count: then each of them may be missing.
    fn starts(&self, rules: &mut Rules) {
        let spawns = self
            .system
            .system
            .transitions
            .iter()
            .any(|t| t.spawned.is_some());
        for start in &self.system.system.starts {
            match (start.any, spawns) {
                (Some(any), true) => self.growing_start(rules, start, any),
                _ => self.fixed_start(rules, start),
            }
        }
    }

    fn fixed_start(&self, rules: &mut Rules, start: &Start) {
        let span = self.system.span;
        let (parameters, guard, first) = self.single_threads(rules, start);
        let step = match start.any {
            None => guarded(guard, first),
            Some(any) => {
                let free = holds(self.place(OTHER, span), ABSENT);
                let each = guarded(free, vec![self.goes(OTHER, any, span)]);
                rules.for_each(guard, first, vec![each], "the system starts", span)
            }
        };
        rules.add(started(Phase::Start, Phase::Run, parameters, step, span));
    }

    /// The single threads of a start: which ones they are, that they are different ones, and where they go.
    fn single_threads(
        &self,
        rules: &mut Rules,
        start: &Start,
    ) -> (Vec<Parameter>, Expr, Vec<Effect>) {
        let span = self.system.span;
        let ones = start.ones.iter();
        let names: Vec<LocalId> = ones.map(|_| rules.another_thread()).collect();
        let mut different = Vec::new();
        for (number, one) in names.iter().enumerate() {
            different.extend(names[..number].iter().map(|other| {
                let [one, other] = [one, other].map(|thread| local(*thread, span));
                Expr::binary(BinaryOp::NotEqual, one, other)
            }));
        }
        let mut effects = vec![self.shares(start.shared, span)];
        let places = names.iter().zip(&start.ones);
        effects.extend(places.map(|(thread, at)| self.goes(*thread, *at, span)));
        let parameters = names.iter().map(|thread| rules.parameter(*thread));
        (parameters.collect(), all(different, span), effects)
    }

    /// Threads come one by one, as many as are wanted, before the start is a state.
    fn growing_start(&self, rules: &mut Rules, start: &Start, any: Local) {
        let span = self.system.span;
        // There is a thread at least.
        let least = match start.ones.is_empty() {
            true => vec![any],
            false => start.ones.clone(),
        };
        let least = Start {
            ones: least,
            ..start.clone()
        };
        let (first, guard, effects) = self.single_threads(rules, &least);
        let further = vec![rules.parameter(MOVER)];
        let free = holds(self.place(MOVER, span), ABSENT);
        let joins = guarded(free, vec![self.goes(MOVER, any, span)]);
        let done = guarded(constant(1, span), Vec::new());
        let step = guarded(guard, effects);
        rules.add(started(Phase::Start, Phase::Joining, first, step, span));
        rules.add(started(
            Phase::Joining,
            Phase::Joining,
            further,
            joins,
            span,
        ));
        rules.add(started(Phase::Joining, Phase::Run, Vec::new(), done, span));
    }

    fn shares(&self, to: u32, span: Span) -> Effect {
        assign(shared(self.shared, span), constant(i64::from(to), span))
    }

    fn rule(&self, rules: &Rules, step: &Transition, span: Span) -> Rule {
        let mut guard = vec![holds(shared(self.shared, span), i64::from(step.from))];
        let mut effects = Vec::new();
        let mut parameters = Vec::new();
        if step.from != step.to {
            effects.push(self.shares(step.to, span));
        }
        if let Some((before, after)) = step.active {
            parameters.push(rules.parameter(MOVER));
            guard.push(self.is_at(MOVER, before, span));
            if before != after {
                effects.push(self.goes(MOVER, after, span));
            }
        }
        if let Some(made) = step.spawned {
            parameters.push(rules.parameter(MADE));
            guard.push(holds(self.place(MADE, span), ABSENT));
            effects.push(self.goes(MADE, made, span));
        }
        let guard = all(guard, span);
        let text = self.quoted(span);
        let to = match step.others.iter().any(|(_, to)| to.len() > 1) {
            true => Phase::Between,
            false => Phase::Run,
        };
        let step = match step.others.is_empty() {
            true => guarded(guard, effects),
            false => {
                let each = self.others(step, span);
                rules.for_each(guard, effects, each, &text, span)
            }
        };
        Rule {
            from: Phase::Run,
            to,
            parameters,
            step,
            text,
            span,
        }
    }

    /// What a broadcast does to another thread.
    fn others(&self, step: &Transition, span: Span) -> Vec<Step> {
        let parts = step.others.iter().map(|(before, after)| {
            let after = match after.as_slice() {
                [one] => *one,
                several => self.marks[several],
            };
            let mut guard = vec![self.is_at(OTHER, *before, span)];
            if step.active.is_some() {
                let both = [OTHER, MOVER].map(|thread| local(thread, span));
                let [other, mover] = both;
                guard.insert(0, Expr::binary(BinaryOp::NotEqual, other, mover));
            }
            guarded(all(guard, span), vec![self.goes(OTHER, after, span)])
        });
        parts.collect()
    }

    /// Threads that are marked choose, one after the other; when all have, the step is done.
    fn choices(&self, rules: &mut Rules) {
        let span = self.system.span;
        if self.marks.is_empty() {
            return;
        }
        for (to, mark) in &self.marks {
            for after in to {
                let step = guarded(
                    self.is_at(MOVER, *mark, span),
                    vec![self.goes(MOVER, *after, span)],
                );
                rules.add(Rule {
                    from: Phase::Between,
                    to: Phase::Between,
                    parameters: vec![rules.parameter(MOVER)],
                    step,
                    text: format!("goes to {after} with a broadcast"),
                    span,
                });
            }
        }
        let first = value(self.system.system.locals);
        let place = of_thread(self.local, bound(span));
        let chosen = Expr::binary(BinaryOp::Less, read(place), constant(first, span));
        let done = rules.quantified(Quantifier::ForAll, chosen, span);
        rules.add(Rule {
            from: Phase::Between,
            to: Phase::Run,
            parameters: Vec::new(),
            step: guarded(done, Vec::new()),
            text: "the broadcast is over".into(),
            span,
        });
    }

    /// The invariant that the target is not covered.
    fn target(&self, rules: &mut Rules, target: &Target) {
        let (span, text) = &self.system.target;
        let span = *span;
        let mut wanted: BTreeMap<Local, i64> = BTreeMap::new();
        target
            .locals
            .iter()
            .for_each(|local| *wanted.entry(*local).or_default() += 1);
        let here = target
            .shared
            .map(|s| holds(shared(self.shared, span), i64::from(s)));
        let threads = wanted.iter().map(|(at, number)| {
            let there = holds(of_thread(self.local, bound(span)), value(*at));
            match number {
                1 => rules.quantified(Quantifier::Exists, there, span),
                _ => {
                    let count = rules.quantified(Quantifier::Count, there, span);
                    let enough = constant(*number, span);
                    Expr::binary(BinaryOp::GreaterEqual, count, enough)
                }
            }
        });
        let covered = all(here.into_iter().chain(threads).collect(), span);
        let message = format!("the target {text} is covered");
        let monitor = rules.model.add_monitor(Monitor {
            parameters: Vec::new(),
            step: guarded(covered, vec![Effect::Fail { message }]),
            text: format!("target {text}"),
            statement: 0,
            span,
            twin: false,
        });
        rules.model.properties.push(Property {
            name: "target".into(),
            kind: PropertyKind::Invariant {
                monitors: vec![monitor],
            },
            span,
        });
    }

    fn quoted(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize);
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    }
}

fn started(from: Phase, to: Phase, parameters: Vec<Parameter>, step: Step, span: Span) -> Rule {
    Rule {
        from,
        to,
        parameters,
        step,
        text: "the system starts".into(),
        span,
    }
}

/// The value of a thread in a local state.
fn value(local: Local) -> i64 {
    at(local as usize)
}

/// The same as an expression.
fn number(local: Local, span: Span) -> Expr {
    constant(value(local), span)
}
