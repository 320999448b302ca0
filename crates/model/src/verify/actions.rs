//! Invariants 19 to 21 and 23: what is created, and what observers may do.

use super::{Findings, MAX_START, Rule};
use crate::ids::TemplateId;
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::template::{Edge, Effect, Role, Step, Template};

/// Checks creations and observers.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    start(model, findings);
    for template in &model.templates {
        findings.enter_template(&template.name);
        observer(template, findings);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            creations(model, &edge.step, edge.span, findings);
            observes(template.role, edge, findings);
        }
    }
    for function in &model.functions {
        findings.enter_function(&function.name);
        for choice in function.body.nodes.iter().flat_map(|n| &n.choices) {
            creations(model, &choice.step, choice.span, findings);
        }
    }
}

fn start(model: &UncheckedModel, findings: &mut Findings) {
    let count = model.start.len();
    findings.require(count <= MAX_START, Rule::StartCount, None, || {
        format!("{count} processes at the start")
    });
    for process in &model.start {
        let creation = Creation {
            template: process.template,
            arguments: process.arguments.len(),
            priority: process.priority,
        };
        creation.check(model, None, findings);
    }
}

fn creations(model: &UncheckedModel, step: &Step, span: Span, findings: &mut Findings) {
    for_each_effect(step, &mut |effect| {
        if let Effect::Spawn {
            template,
            arguments,
            priority,
            ..
        } = effect
        {
            let creation = Creation {
                template: *template,
                arguments: arguments.len(),
                priority: *priority,
            };
            creation.check(model, Some(span), findings);
        }
    });
}

fn for_each_effect(step: &Step, visit: &mut impl FnMut(&Effect)) {
    match step {
        Step::Guarded { effects, .. } => effects.iter().for_each(visit),
        Step::Routine(routine) => {
            for choice in routine.nodes.iter().flat_map(|n| &n.choices) {
                for_each_effect(&choice.step, visit);
            }
        }
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Call(_) => {}
    }
}

/// A process that is made, at the start or later.
struct Creation {
    template: TemplateId,
    arguments: usize,
    priority: u8,
}

impl Creation {
    fn check(&self, model: &UncheckedModel, span: Option<Span>, findings: &mut Findings) {
        let template = model.templates.get(self.template.index());
        let template = template.filter(|t| t.role == Role::Process);
        findings.require(template.is_some(), Rule::Creation, span, || {
            format!("{} is no template of processes", self.template)
        });
        if let Some(template) = template {
            self.arguments(parameter_cells(model, template), span, findings);
        }
        self.priority(model, span, findings);
    }

    fn arguments(&self, wanted: usize, span: Option<Span>, findings: &mut Findings) {
        let given = self.arguments;
        findings.require(given == wanted, Rule::Creation, span, || {
            format!("{given} arguments for {wanted} cells of parameters")
        });
    }

    fn priority(&self, model: &UncheckedModel, span: Option<Span>, findings: &mut Findings) {
        findings.require(self.priority > 0, Rule::Creation, span, || {
            "a process is made with priority 0".into()
        });
        let declared = self.priority <= 1 || model.prioritised;
        findings.require(declared, Rule::Flags, span, || {
            "a priority is given in a model without priorities".into()
        });
    }
}

fn parameter_cells(model: &UncheckedModel, template: &Template) -> usize {
    model.cell_offset(&template.locals, template.parameters as usize)
}

fn observer(template: &Template, findings: &mut Findings) {
    let bare = template.parameters == 0 && template.provided.is_none();
    let holds = template.role == Role::Process || bare;
    findings.require(holds, Rule::Observers, template.span, || {
        "an observer has parameters or a condition on its moves".into()
    });
}

fn observes(role: Role, edge: &Edge, findings: &mut Findings) {
    let holds = match role {
        // Another rule has something to say of templates of role monitors.
        Role::Process | Role::Monitors => true,
        Role::Claim => is_quiet(&edge.step),
        Role::Events(_) => is_event(&edge.step),
    };
    findings.require(holds, Rule::Observers, edge.span, || {
        "an observer does more than to observe".into()
    });
}

/// True for what a claim may do.
fn is_quiet(step: &Step) -> bool {
    match step {
        Step::Send { .. } | Step::Receive { .. } => false,
        Step::Guarded { effects, .. } => effects.iter().all(|effect| match effect {
            Effect::Assign { .. } | Effect::Assert { .. } | Effect::Print { .. } => true,
            Effect::Spawn { .. }
            | Effect::SetPriority { .. }
            | Effect::Fail { .. }
            | Effect::Insert(_)
            | Effect::Abandon => false,
        }),
        Step::Routine(routine) => {
            let mut choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.all(|choice| is_quiet(&choice.step))
        }
        // That an observer calls nothing is another rule.
        Step::Else | Step::Exit | Step::Call(_) => true,
    }
}

/// True for what an observer of events may do.
fn is_event(step: &Step) -> bool {
    match step {
        Step::Send { .. } | Step::Receive { .. } | Step::Exit => true,
        Step::Guarded { guard, effects } => {
            effects.is_empty() && guard.as_constant().is_some_and(|value| value != 0)
        }
        Step::Else | Step::Routine(_) | Step::Call(_) => false,
    }
}
