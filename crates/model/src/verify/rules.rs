//! Invariants 25 to 27 and 29: what systems of rules have, and what they do without.

use super::{Findings, Rule};
use crate::ids::LocalId;
use crate::model::UncheckedModel;
use crate::parameters::{Progression, Values};
use crate::state::Value;
use crate::template::{Edge, Role, Routine, Step, Template};
use crate::types::{Storage, Type, Variable};

/// Checks edges that observe, and that nobody else does where there are some.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for template in &model.templates {
        findings.enter_template(&template.name);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            observing(template, edge, findings);
            parameters(template, edge, findings);
            if let Step::Routine(routine) = &edge.step {
                loops(&template.locals, routine, findings);
            }
        }
    }
    for function in &model.functions {
        findings.enter_function(&function.name);
        loops(&function.locals, &function.body, findings);
    }
    findings.leave_template();
    if model.is_system_of_rules() {
        alone(model, findings);
    }
}

fn observing(template: &Template, edge: &Edge, findings: &mut Findings) {
    let plain = matches!(edge.step, Step::Guarded { .. } | Step::Routine(_));
    let stays = edge.source == edge.target && edge.escape == 0;
    let free = template.role == Role::Process && template.provided.is_none();
    let holds = !edge.observes() || (plain && stays && free);
    findings.require(holds, Rule::Observing, edge.span, || {
        "an edge that observes moves, waits, escapes or has a condition from outside".into()
    });
}

fn parameters(template: &Template, edge: &Edge, findings: &mut Findings) {
    if edge.parameters.is_empty() {
        return;
    }
    let plain = matches!(edge.step, Step::Guarded { .. } | Step::Routine(_));
    let free = template.role == Role::Process && edge.escape == 0 && !template.deterministic;
    let choices = edge.parameters.iter().map(|p| p.values.count());
    let few = choices.fold(1, u64::saturating_mul) < u64::from(u32::MAX);
    let mut locals: Vec<_> = edge.parameters.iter().map(|p| p.local).collect();
    locals.sort_unstable();
    let different = locals.windows(2).all(|pair| pair[0] != pair[1]);
    let sound = plain && free && few && different;
    let sound = sound
        && edge
            .parameters
            .iter()
            .all(|p| has_room(&template.locals, p.local, &p.values));
    findings.require(sound, Rule::Parameters, edge.span, || {
        "the parameters of the edge are too many, not its own, or do not fit their variables".into()
    });
}

/// The code of a loop does what the loop says.
fn loops(locals: &[Variable], routine: &Routine, findings: &mut Findings) {
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
