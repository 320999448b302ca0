//! Start states and rules.

use super::edges::Section;
use super::flow::Label;
use super::{Assuming, Lowering};
use crate::typed::{Property, PropertyKind, Rule, StartState};
use mandala_model::findings::Fallible;
use std::sync::Arc;

impl<'p> Lowering<'p> {
    pub(super) fn start_states(&mut self) -> Fallible<()> {
        let program = self.program;
        for (number, start) in program.start_states.iter().enumerate() {
            self.start_state(start, &title(start.name.as_ref(), "start state", number))?;
        }
        Ok(())
    }

    fn start_state(&mut self, start: &StartState, title: &str) -> Fallible<()> {
        let label = Label {
            text: title.to_string(),
            span: start.span,
        };
        self.edge(Section::Start, label, &mut |lowering| {
            lowering.bind_parameters(&start.binders, title, start.span)?;
            lowering.begin_edge(&start.binders)?;
            lowering.note_removals();
            lowering.locals(&start.locals)?;
            lowering.statements(&start.body)?;
            lowering.end_of_rule()?;
            lowering.assumptions()
        })?;
        Ok(())
    }

    pub(super) fn rules(&mut self) -> Fallible<()> {
        let program = self.program;
        for (number, rule) in program.rules.iter().enumerate() {
            self.rule(rule, &title(rule.name.as_ref(), "rule", number))?;
        }
        Ok(())
    }

    fn rule(&mut self, rule: &Rule, title: &str) -> Fallible<()> {
        let label = Label {
            text: title.to_string(),
            span: rule.span,
        };
        self.edge(Section::Rule, label, &mut |lowering| {
            lowering.bind_parameters(&rule.binders, title, rule.span)?;
            lowering.rule_body(rule)
        })?;
        Ok(())
    }

    /// Aliases come before the guard: to make them can fail even if the guard is false.
    fn rule_body(&mut self, rule: &Rule) -> Fallible<()> {
        self.begin_edge(&rule.binders)?;
        let late = rule
            .guard
            .as_ref()
            .is_none_or(|guard| !self.needs_flow(guard));
        if !late {
            self.note_removals();
        }
        if let Some(guard) = &rule.guard {
            self.require(guard)?;
        }
        if late {
            self.note_removals();
        }
        self.locals(&rule.locals)?;
        self.statements(&rule.body)?;
        self.end_of_rule()?;
        self.assumptions()
    }

    /// What is assumed of the state after a rule or start state. If it is not so, the rule was taken, but the
    /// state is left out. Functions in other properties may assume something, too.
    fn assumptions(&mut self) -> Fallible<()> {
        let program = self.program;
        self.assuming = Assuming::Abandons;
        let assumed = |property: &&Property| property.kind == PropertyKind::Assume;
        for property in program.properties.iter().filter(assumed) {
            self.assumption(property)?;
        }
        for property in program.properties.iter().filter(|p| !assumed(p)) {
            if self.assumes(property) {
                self.assumption(property)?;
            }
        }
        self.assuming = Assuming::Disables;
        Ok(())
    }

    fn assumption(&mut self, property: &Property) -> Fallible<()> {
        let binders = &property.binders;
        self.instances(
            binders,
            "the property",
            property.span,
            &mut |lowering, _| {
                if !lowering.flow.is_open() {
                    return Ok(());
                }
                let mark = lowering.scratch.mark();
                lowering.label = Label {
                    text: lowering.program.show_expr(&property.condition),
                    span: property.span,
                };
                let around = lowering.choices.clone();
                let mut absent = Vec::new();
                lowering.begin(binders, &mut |lowering, there, span| {
                    let (there, not_there) = lowering.fork(there, span);
                    lowering.flow.join(there);
                    absent.extend(not_there);
                })?;
                lowering.note_removals();
                match property.kind {
                    PropertyKind::Assume => lowering.assume(&property.condition)?,
                    _ => lowering.condition(&property.condition).map(|_| ())?,
                }
                lowering.flow.join(absent);
                lowering.choices = around;
                lowering.scratch.release(mark);
                lowering.check_size()
            },
        )
    }
}

/// The name of a rule or start state, or its number among those of its kind.
fn title(name: Option<&Arc<str>>, kind: &str, number: usize) -> String {
    match name {
        Some(name) if !name.trim().is_empty() => name.to_string(),
        _ => format!("{kind} {}", number + 1),
    }
}
