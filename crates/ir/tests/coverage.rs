//! The corpus has a model for every construct.

use crate::common::model;
use mandala_model::UncheckedModel;
use mandala_model::expr::{ExprKind, Place};
use mandala_model::property::PropertyKind;
use mandala_model::template::{Effect, Step, Template};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// Every variant that means something to engines.
const CONSTRUCTS: &str = "\
    Const Read Unary Binary Conditional SelfId ProcessCount FirstInstance LastMover Timeout NonProgress Accepting Enabled \
    LocationNumber Priority Channel Poll At Quantified Bound ForAll Exists Count Sum FirstOf Strict Ordered \
    Negate Not BitNot Defined \
    Add Subtract Multiply Divide Modulo BitAnd BitOr BitXor ShiftLeft ShiftRight Equal NotEqual Less LessEqual Greater \
    GreaterEqual And Or \
    Length Empty NotEmpty Full NotFull \
    Global Local Reference Remote OwnPriority \
    Guarded Else Send Receive Exit Routine Call Last Sorted First AnyMatching Remove Stay \
    Assign Assert Print Spawn SetPriority Fail Abandon Insert \
    Release Hold Monitor \
    Process Claim Events \
    Never NoRun Ctl Events Invariant Cover Reachable Remark \
    Formula Automaton Accept Parameter \
    Int Bool Range Enum Id Coded Query Outcome Rewards";

#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    /// Notes the name of a variant.
    fn note(&mut self, variant: &impl Debug) {
        let text = format!("{variant:?}");
        let name: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
        self.0.insert(name);
    }

    fn model(&mut self, mut model: UncheckedModel) {
        let variables = model.globals.iter().flat_map(|v| model.scalars(&v.ty));
        variables
            .collect::<Vec<_>>()
            .iter()
            .for_each(|s| self.note(s));
        model.templates.iter().for_each(|t| self.template(t));
        for choice in model.function_nodes().flat_map(|node| &node.choices) {
            self.step(&choice.step);
        }
        for monitor in &model.monitors {
            self.note(monitor);
            self.step(&monitor.step);
        }
        model.rewards.iter().for_each(|rewards| self.note(rewards));
        for property in &model.properties {
            self.note(&property.kind);
            if let PropertyKind::NoRun(question) = &property.kind {
                self.note(&question.origin);
            }
        }
        model.each_expr_mut(&mut |e| self.expression(&e.kind));
    }

    fn template(&mut self, template: &Template) {
        self.note(&template.role);
        for edge in &template.edges {
            self.note(&edge.control);
            edge.parameters.iter().for_each(|p| self.note(p));
            edge.outcome.iter().for_each(|outcome| self.note(outcome));
            self.step(&edge.step);
        }
    }

    fn step(&mut self, step: &Step) {
        self.note(step);
        match step {
            Step::Guarded { effects, .. } => effects.iter().for_each(|e| self.effect(e)),
            Step::Send { order, .. } => self.note(order),
            Step::Receive { order, keep, .. } => {
                self.note(order);
                self.note(keep);
            }
            Step::Routine(routine) => {
                let choices = routine.nodes.iter().flat_map(|n| &n.choices);
                choices.for_each(|c| self.step(&c.step));
            }
            Step::Call(call) => call.references.iter().for_each(|p| self.place(p)),
            Step::Else | Step::Exit => {}
        }
    }

    fn effect(&mut self, effect: &Effect) {
        self.note(effect);
        if let Effect::Assign { place, .. } = effect {
            self.place(place);
        }
    }

    fn place(&mut self, place: &Place) {
        self.note(&place.root);
    }

    fn expression(&mut self, kind: &ExprKind) {
        self.note(kind);
        match kind {
            ExprKind::Read(place) => self.place(place),
            ExprKind::Unary(operator, _) => self.note(operator),
            ExprKind::Binary(operator, ..) => self.note(operator),
            ExprKind::Channel(query, _) => self.note(query),
            ExprKind::Quantified(quantified) => {
                self.note(&quantified.quantifier);
                self.note(&quantified.evaluation);
            }
            _ => {}
        }
    }
}

#[test]
fn every_construct_has_a_model_in_the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");
    let mut seen = Seen::default();
    for entry in std::fs::read_dir(folder).expect("the corpus").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("readable");
        if !text.contains("// Error: ") {
            seen.model(model(&text).into_unchecked());
        }
    }
    let missing: Vec<&str> = CONSTRUCTS
        .split(' ')
        .filter(|c| !seen.0.contains(*c))
        .collect();
    assert!(missing.is_empty(), "no model has {missing:?}");
}
