//! The derivation of one footprint: edges, steps and effects.

use super::derivation::{Derivation, operands};
use super::parametric::{Access, Touched};
use super::terms::Term;
use super::{Aspect, Cells};
use crate::expr::{BinaryOp, Expr, Pattern, Place};
use crate::function::CALL;
use crate::ids::{EdgeId, TemplateId};
use crate::template::{Edge, Effect, Keep, Print, Role, Step};
use crate::types::Initial;
use std::collections::BTreeSet;

impl Derivation<'_> {
    /// What decides whether the edge can be taken, and what taking it reads and writes.
    pub fn whole_edge(&mut self, edge: EdgeId) {
        self.enabling_of_edge(edge);
        let template = self.model().template(edge.template);
        let taken = &template.edges[edge.index as usize];
        self.required = self.required_by(&taken.step);
        self.step(&taken.step);
        if let Some(outcome) = &taken.outcome {
            outcome.weight.each_whole(&mut |e| self.expression(e));
        }
        if template.role == Role::Process {
            self.movement(taken);
        }
    }

    pub fn enabling_of_edge(&mut self, edge: EdgeId) {
        let template = self.model().template(edge.template);
        let taken = &template.edges[edge.index as usize];
        let first = template.locations[taken.source.index()].edges.start;
        self.choose(&taken.parameters);
        for earlier in &template.edges[first as usize..edge.index as usize] {
            if may_forbid(earlier, taken) {
                // Its parameters have any values, whatever those of this one have.
                let own = std::mem::take(&mut self.facts);
                self.choose(&earlier.parameters);
                self.enabling(&earlier.step);
                self.facts = own;
            }
        }
        let talks = matches!(taken.step, Step::Send { .. } | Step::Receive { .. });
        self.own = talks && self.birth.is_some();
        self.enabling(&taken.step);
    }

    /// Terms without each of which a step cannot be taken. What is not known may fail, so nothing behind it is one of them.
    fn required_by(&mut self, step: &Step) -> Vec<Term> {
        let mut required = Vec::new();
        if let Some(guard) = guard(step) {
            for part in operands(BinaryOp::And, guard) {
                match self.term(part) {
                    Some(term) => required.push(term),
                    None => break,
                }
            }
        }
        required
    }

    /// What decides whether the step can be taken.
    pub fn enabling(&mut self, step: &Step) {
        match step {
            Step::Guarded { guard, .. } => self.expression(guard),
            Step::Send {
                channel, message, ..
            } => {
                // Whether somebody is there to take the message depends on what it is.
                if self.port(channel) {
                    self.expressions(message);
                    // Who looks at one process pairs the two halves, and knows who is there.
                    if !self.own {
                        self.asks(&[Aspect::Population, Aspect::Locations]);
                    }
                }
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                self.port(channel);
                self.matches(patterns);
            }
            Step::Exit => self.asks(&[Aspect::Population]),
            Step::Call(_) => unreachable!("{CALL}"),
            // What is done on the way decides what a quiet node sees.
            Step::Routine(routine) if routine.is_quiet() => {
                let written = self.footprint.writes.clone();
                let patterns = self.patterns.clone();
                self.step(step);
                self.footprint.writes = written;
                let is_kept =
                    |touched: &Touched| touched.0 == Access::Read || patterns.contains(touched);
                self.patterns.retain(is_kept);
            }
            Step::Routine(routine) => {
                let mark = self.mark();
                let first = routine.nodes.iter().take(1).flat_map(|n| &n.choices);
                for choice in first {
                    self.enabling(&choice.step);
                    self.otherwise(&choice.step);
                }
                self.forget(mark);
            }
            Step::Else => {}
        }
    }

    /// Looks at a channel before a send or a receive; true if it may be a rendezvous.
    fn port(&mut self, channel: &Expr) -> bool {
        self.expression(channel);
        let known = match self.aside && self.own {
            true => self.refer_to(channel),
            false => self.look_at(channel),
        };
        let meets = self.may_meet(&known);
        self.footprint.meets |= meets;
        meets
    }

    fn matches(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Match(value) = pattern {
                self.expression(value);
            }
        }
    }

    /// What taking the step reads and writes, besides what decides whether it can be taken.
    pub fn step(&mut self, step: &Step) {
        match step {
            Step::Guarded { guard, effects } => {
                self.assume(guard, true);
                effects.iter().for_each(|e| self.effect(e));
            }
            Step::Send {
                channel, message, ..
            } => {
                self.expressions(message);
                self.change_channel(channel);
            }
            Step::Receive {
                channel,
                keep,
                patterns,
                ..
            } => {
                if *keep == Keep::Remove {
                    self.change_channel(channel);
                }
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.target(place, BTreeSet::new());
                    }
                }
            }
            Step::Exit => self.exit(),
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Routine(routine) => self.routine(routine),
            Step::Else => {}
        }
    }

    fn change_channel(&mut self, channel: &Expr) {
        if !(self.aside && self.own) {
            let known = self.known(channel);
            self.footprint.writes.channels.add(&known.channels);
        }
    }

    pub fn effect(&mut self, effect: &Effect) {
        if self.facts.unreachable {
            return;
        }
        match effect {
            Effect::Assign { place, value } => {
                self.expression(value);
                let values = self.candidates(value);
                self.target(place, values);
            }
            Effect::Assert { condition } => {
                self.expression(condition);
                self.footprint.asserts = true;
            }
            Effect::Print { text } => {
                self.footprint.prints = true;
                match text {
                    Print::Format { arguments, .. } => self.expressions(arguments),
                    Print::Name(value) => self.expression(value),
                }
            }
            Effect::Spawn {
                template,
                arguments,
                result,
                ..
            } => {
                self.expressions(arguments);
                self.spawn(*template);
                if let Some(place) = result {
                    self.target(place, BTreeSet::new());
                }
            }
            Effect::SetPriority { process, priority } => {
                self.expression(process);
                self.expression(priority);
                self.asks(&[Aspect::Population]);
                self.changes(&[Aspect::Priorities]);
            }
            Effect::Fail { .. } => self.footprint.asserts = true,
            Effect::Abandon => {}
            Effect::Insert(insertion) => {
                self.footprint.asserts = true;
                self.expression(&insertion.has_room);
                self.expression(&insertion.first_free);
                self.target(&insertion.position, BTreeSet::new());
                for (place, value) in &insertion.cells {
                    self.expression(value);
                    self.target(place, BTreeSet::new());
                }
            }
        }
    }

    /// A place gets one of some values, or one that is not known if there are none.
    fn target(&mut self, place: &Place, values: BTreeSet<Term>) {
        place.each_part(&mut |part| self.expression(part));
        self.touch(place, Access::Write);
        self.hold(place, values);
    }

    /// What follows is tried only if a choice of a routine cannot be taken.
    pub fn otherwise(&mut self, step: &Step) {
        if let Step::Guarded { guard, .. } = step {
            self.assume(guard, false);
        }
    }

    fn spawn(&mut self, template: TemplateId) {
        self.footprint.spawns.insert(template);
        self.asks(&[Aspect::Population]);
        self.changes(&[Aspect::Population, Aspect::Locations, Aspect::Priorities]);
        let mut inside = Derivation::new(self.analysis, Some(template), None);
        for local in &self.model().template(template).locals {
            match &local.initial {
                Initial::Fill(value) => inside.expression(value),
                Initial::List(values) => inside.expressions(values),
                Initial::Default | Initial::NewChannel(_) => {}
            }
        }
        let mut inside = inside.finish().of_choice(&[]);
        // The locals that were read there are the new process's own.
        inside.reads.locals = Cells::default();
        self.footprint.add(&inside);
    }

    fn exit(&mut self) {
        self.footprint.exits = true;
        self.changes(&[Aspect::Population, Aspect::Locations, Aspect::Priorities]);
    }

    /// What every move of a process changes.
    fn movement(&mut self, edge: &Edge) {
        if edge.source != edge.target {
            self.changes(&[Aspect::Locations]);
        }
        if self.model().tracks_last_mover {
            self.changes(&[Aspect::LastMover]);
        }
    }
}

/// The guard of a step, if it has one that it cannot be taken without.
fn guard(step: &Step) -> Option<&Expr> {
    match step {
        Step::Guarded { guard, .. } => Some(guard),
        Step::Routine(routine) => match routine.nodes.first()?.choices.as_slice() {
            [only] => guard(&only.step),
            _ => None,
        },
        _ => None,
    }
}

/// True if a later edge depends on whether an earlier one at the same location can be taken.
fn may_forbid(earlier: &Edge, later: &Edge) -> bool {
    let escapes = earlier.escape != 0 && earlier.escape != later.escape;
    escapes || matches!(later.step, Step::Else)
}
