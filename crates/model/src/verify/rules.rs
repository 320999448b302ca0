//! Invariants 25 to 27 and 29: what systems of rules have, and what they do without.

use super::{Findings, Rule};
use crate::ids::LocalId;
use crate::model::UncheckedModel;
use crate::monitor::Monitor;
use crate::source::Span;
use crate::state::Value;
use crate::symmetry::element;
use crate::template::{Edge, Effect, Role, Routine, Step, Template};
use crate::types::{Initial, Storage, Type, Variable};
use crate::values::Parameter;
use crate::values::Progression;
use crate::values::Values;

/// Checks monitors and parameters, and that systems of rules do without the rest.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for template in &model.templates {
        findings.enter_template(&template.name);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            parameters_of_edge(template, edge, findings);
            loops(&template.locals, edge.step.routine(), findings);
        }
        let declared = template.role != Role::Monitors;
        findings.edge = None;
        findings.require(declared, Rule::Monitors, template.span, || {
            "a template has the role of monitors".into()
        });
    }
    findings.each_monitor(model, |monitor, findings| {
        only_looks(monitor, findings);
        let fits = has_parameters(&monitor.parameters, &model.monitor_scratch);
        require_parameters(fits, monitor.span, findings);
        loops(&model.monitor_scratch, monitor.step.routine(), findings);
    });
    functions_only_look(model, findings);
    for variable in &model.monitor_scratch {
        let bare = variable.storage == Storage::Scratch && is_empty(model, variable);
        findings.require(bare, Rule::Monitors, variable.span, || {
            let name = &variable.name;
            format!("the variable {name} of monitors outlasts them or has a first value")
        });
    }
    for function in &model.functions {
        findings.enter_function(&function.name);
        loops(&function.locals, Some(&function.body), findings);
    }
    findings.leave_template();
    if model.is_system_of_rules() {
        alone(model, findings);
    }
}

/// Whether no part of a variable has a first value.
fn is_empty(model: &UncheckedModel, variable: &Variable) -> bool {
    let parts = match element(&variable.ty) {
        Type::Record(id) => model.record(*id).fields.as_slice(),
        Type::Scalar(_) | Type::Array { .. } => &[],
    };
    variable.initial == Initial::Default && parts.iter().all(|part| is_empty(model, part))
}

/// A monitor looks at a state and does nothing that concerns processes or channels.
fn only_looks(monitor: &Monitor, findings: &mut Findings) {
    let plain = match &monitor.step {
        step @ Step::Guarded { .. } => is_calm(step),
        Step::Routine(routine) => is_calm_routine(routine),
        Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Call(_) => false,
    };
    findings.require(plain, Rule::Monitors, monitor.span, || {
        "a monitor sends, receives, makes a process or sets a priority".into()
    });
}

/// So does a function that a monitor calls.
fn functions_only_look(model: &UncheckedModel, findings: &mut Findings) {
    for id in model.functions_of_monitors() {
        let Some(function) = model.functions.get(id.index()) else {
            continue;
        };
        findings.enter_function(&function.name);
        let plain = is_calm_routine(&function.body);
        findings.require(plain, Rule::Monitors, function.span, || {
            "a function that a monitor calls sends, receives, makes a process or sets a priority"
                .into()
        });
    }
    findings.leave_template();
}

fn is_calm_routine(routine: &Routine) -> bool {
    let mut choices = routine.nodes.iter().flat_map(|node| &node.choices);
    choices.all(|choice| is_calm(&choice.step))
}

/// Whether a step touches variables alone. What a call does is up to the function.
fn is_calm(step: &Step) -> bool {
    match step {
        Step::Guarded { effects, .. } => effects.iter().all(|effect| match effect {
            Effect::Assign { .. }
            | Effect::Assert { .. }
            | Effect::Print { .. }
            | Effect::Fail { .. }
            | Effect::Insert(_)
            | Effect::Abandon => true,
            Effect::Spawn { .. } | Effect::SetPriority { .. } => false,
        }),
        Step::Else | Step::Call(_) => true,
        Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Routine(_) => false,
    }
}

fn parameters_of_edge(template: &Template, edge: &Edge, findings: &mut Findings) {
    if edge.parameters.is_empty() {
        return;
    }
    let plain = matches!(edge.step, Step::Guarded { .. } | Step::Routine(_));
    let free = template.role == Role::Process && edge.escape == 0 && !template.deterministic;
    let fits = plain && free && has_parameters(&edge.parameters, &template.locals);
    require_parameters(fits, edge.span, findings);
}

fn require_parameters(fits: bool, span: Span, findings: &mut Findings) {
    findings.require(fits, Rule::Parameters, span, || {
        "the parameters are too many, not of what has them, or do not fit their variables".into()
    });
}

/// Whether there are not too many choices, and the variables have room for the parameters, each for one.
fn has_parameters(parameters: &[Parameter], variables: &[Variable]) -> bool {
    let choices = parameters.iter().map(|p| p.values.count());
    let few = choices.fold(1, u64::saturating_mul) < u64::from(u32::MAX);
    let mut locals: Vec<_> = parameters.iter().map(|p| p.local).collect();
    locals.sort_unstable();
    let different = locals.windows(2).all(|pair| pair[0] != pair[1]);
    let mut rooms = parameters
        .iter()
        .map(|p| has_room(variables, p.local, &p.values));
    few && different && rooms.all(|has_room| has_room)
}

/// The code of a loop does what the loop says.
fn loops(locals: &[Variable], routine: Option<&Routine>, findings: &mut Findings) {
    let Some(routine) = routine else { return };
    for each in &routine.loops {
        let head = routine.nodes.get(each.head.index());
        let is_headed = head.is_some_and(|head| each.is_headed_by(head));
        let once = routine.loops.iter().filter(|l| l.head == each.head).count() == 1;
        let counts = u32::try_from(each.values.count() + 1).ok();
        let positions = counts.map(|count| Values(vec![Progression::range(0, count)]));
        let room = has_room(locals, each.variable, &each.values)
            && positions.is_some_and(|values| has_room(locals, each.position, &values));
        let sound = is_headed && once && room && each.variable != each.position;
        findings.require(sound, Rule::Loops, each.span, || {
            "the code of a loop does not do what the loop says".into()
        });
    }
}

/// Whether a variable is a scratch variable that has room for those values.
fn has_room(locals: &[Variable], local: LocalId, values: &Values) -> bool {
    let Some(local) = locals.get(local.index()) else {
        return false;
    };
    let Type::Scalar(scalar) = local.ty else {
        return false;
    };
    let fits = |value: Value| scalar.store(value) == Some(value);
    let ends = |run: &Progression| fits(run.first) && run.last().is_some_and(fits);
    let runs = &values.0;
    local.storage == Storage::Scratch && !runs.is_empty() && runs.iter().all(ends)
}

fn alone(model: &UncheckedModel, findings: &mut Findings) {
    let is_events = |t: &Template| matches!(t.role, Role::Events(_));
    let nobody = !model.templates.iter().any(is_events);
    findings.require(nobody && !model.prioritised, Rule::Alone, None, || {
        "a system of rules has priorities or an observer of events".into()
    });
    let somebody = !model.start_held || !model.start.is_empty();
    findings.require(somebody, Rule::Alone, None, || {
        "nobody is there to hold control at the start".into()
    });
}
