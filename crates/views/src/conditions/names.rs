//! Families of names.

use super::Needs;
use super::questions::Asker;
use crate::family::Family;
use crate::refusal::{Condition, Refused};
use mandala_model::Model;
use mandala_model::expr::{Place, Projection, Root};
use mandala_model::ids::{LocalId, LocationId};
use mandala_model::parameters::{Parameter, Progression};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Step, Template};
use mandala_model::types::{ArrayIndex, Storage, Type, Variable};

/// Checks a model of rules.
pub(super) fn check(model: &Model, family: &Family) -> Result<Needs, Refused> {
    for variable in &model.globals {
        variables_of_members(model, family, variable)?;
    }
    let [template] = &model.templates[..] else {
        return Err(Refused::whole(
            Condition::Questions,
            "there are several processes beside the rules",
        ));
    };
    if model.start.len() != 1 || template.provided.is_some() || template.deterministic {
        return Err(Refused::at(
            Condition::Questions,
            template.span,
            "the rules are not one process without conditions",
        ));
    }
    local_variables(model, family, &template.locals)?;
    local_variables(model, family, &model.monitor_scratch)?;
    let mut needs = Needs::default();
    let running = running(model, template)?;
    steps(model, family, template, running, &mut needs)?;
    start(model, family, template, running, &mut needs)?;
    monitors(model, family, &mut needs)?;
    Ok(needs.settled())
}

/// Whether some array in a variable is indexed by members.
pub(super) fn has_members(model: &Model, family: &Family, variable: &Variable) -> bool {
    indexed(model, family, &variable.ty, &variable.indices)
}

fn indexed(model: &Model, family: &Family, ty: &Type, indices: &[ArrayIndex]) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Record(id) => {
            let mut fields = model.record(*id).fields.iter();
            fields.any(|field| has_members(model, family, field))
        }
        Type::Array { element, .. } => {
            family.indexes(indices.first())
                || indexed(model, family, element, indices.get(1..).unwrap_or(&[]))
        }
    }
}

/// No cell that belongs to a member holds a member or belongs to a second one.
fn variables_of_members(
    model: &Model,
    family: &Family,
    variable: &Variable,
) -> Result<(), Refused> {
    let walk = Cells {
        model,
        family,
        span: variable.span,
        name: &variable.name,
    };
    walk.variable(&variable.ty, &variable.indices, false)
}

struct Cells<'m> {
    model: &'m Model,
    family: &'m Family,
    span: Span,
    name: &'m str,
}

impl Cells<'_> {
    fn variable(&self, ty: &Type, indices: &[ArrayIndex], belongs: bool) -> Result<(), Refused> {
        let refused = |message: String| Err(Refused::at(Condition::Members, self.span, message));
        let name = self.name;
        match ty {
            Type::Scalar(scalar) if belongs && self.family.is_member(*scalar) => refused(format!(
                "`{name}` holds a member in what belongs to another one"
            )),
            Type::Scalar(_) => Ok(()),
            Type::Record(id) => {
                let mut fields = self.model.record(*id).fields.iter();
                fields.try_for_each(|f| self.variable(&f.ty, &f.indices, belongs))
            }
            Type::Array { element, .. } => {
                let by_members = self.family.indexes(indices.first());
                if by_members && belongs {
                    return refused(format!("`{name}` belongs to two members at a time"));
                }
                let rest = indices.get(1..).unwrap_or(&[]);
                self.variable(element, rest, belongs || by_members)
            }
        }
    }
}

/// Variables of code hold nothing between steps, and nothing that is as large as the family.
fn local_variables(model: &Model, family: &Family, locals: &[Variable]) -> Result<(), Refused> {
    for variable in locals {
        let refused = |message: String| Err(Refused::at(Condition::Loops, variable.span, message));
        if variable.storage != Storage::Scratch {
            return refused(format!("the rules keep `{}`", variable.name));
        }
        if has_members(model, family, variable) {
            return refused(format!(
                "`{}` holds something for each member while a step is made",
                variable.name
            ));
        }
    }
    Ok(())
}

/// The location where the rules are, which all ways lead to that let control go.
fn running(model: &Model, template: &Template) -> Result<LocationId, Refused> {
    let refused = || {
        Refused::at(
            Condition::Questions,
            template.span,
            "the rules have more than one location",
        )
    };
    if !model.start_held {
        let mut edges = template.edges.iter();
        let stays = |edge: &Edge| edge.source == template.entry && edge.target == template.entry;
        return match edges.all(stays) {
            true => Ok(template.entry),
            false => Err(refused()),
        };
    }
    let mut released = template.edges.iter();
    let released = released.find(|edge| edge.control == Control::Release);
    let running = released.map(|edge| edge.target).ok_or_else(refused)?;
    let fits = |edge: &Edge| match edge.control {
        Control::Release => edge.target == running,
        Control::Hold => edge.source != running && edge.target != running,
    };
    match template.edges.iter().all(fits) {
        true => Ok(running),
        false => Err(refused()),
    }
}

fn steps(
    model: &Model,
    family: &Family,
    template: &Template,
    running: LocationId,
    needs: &mut Needs,
) -> Result<(), Refused> {
    for edge in template.edges.iter().filter(|e| e.source == running) {
        let asker = asked(model, family, template, edge)?;
        needs.step(asker.taken(), asker.wrong());
        needs.followed.extend(asker.followed);
    }
    Ok(())
}

/// What an edge asks.
fn asked<'m>(
    model: &'m Model,
    family: &'m Family,
    template: &'m Template,
    edge: &Edge,
) -> Result<Asker<'m>, Refused> {
    if edge.escape != 0 {
        return Err(Refused::at(
            Condition::Questions,
            edge.span,
            "an escape asks what other rules can do",
        ));
    }
    let mut asker = Asker::new(model, family, &template.locals);
    parameters(&mut asker, &edge.parameters)?;
    asker.step(&edge.step, edge.span)?;
    Ok(asker)
}

/// The members that an edge or a monitor has for parameters.
fn parameters(asker: &mut Asker<'_>, parameters: &[Parameter]) -> Result<(), Refused> {
    for parameter in parameters {
        let variable = &asker.locals[parameter.local.index()];
        if !asker.family.is_held_by(variable) {
            continue;
        }
        let all = asker.all_members();
        if parameter.values.0 != [Progression::range(1, all)] {
            return Err(Refused::at(
                Condition::Symmetry,
                parameter.span,
                format!("`{}` is not any member", parameter.name),
            ));
        }
        asker.parameter(parameter.local);
    }
    Ok(())
}

/// What happens before runs begin: one location after the other, and at each of them either one step or each member chooses for itself.
fn start(
    model: &Model,
    family: &Family,
    template: &Template,
    running: LocationId,
    needs: &mut Needs,
) -> Result<(), Refused> {
    let (mut taken, mut wrong) = (0, 0);
    for location in (0..template.locations.len()).map(LocationId::from) {
        if location == running {
            continue;
        }
        let (mut most_taken, mut most_wrong) = (0, 0);
        for edge in template.edges.iter().filter(|e| e.source == location) {
            let asker = asked(model, family, template, edge)?;
            needs.followed.extend(asker.followed.iter().copied());
            if goes_nowhere(edge) || chooses_for_itself(&asker, edge) {
                continue;
            }
            if edge.target <= edge.source {
                return Err(Refused::at(
                    Condition::Questions,
                    edge.span,
                    "the start goes round",
                ));
            }
            most_taken = most_taken.max(asker.taken());
            most_wrong = most_wrong.max(asker.wrong());
        }
        taken += most_taken;
        wrong += most_wrong;
    }
    needs.step(taken, wrong);
    Ok(())
}

/// Whether there is no state after the step.
fn goes_nowhere(edge: &Edge) -> bool {
    match &edge.step {
        Step::Guarded { effects, .. } => effects.contains(&Effect::Abandon),
        _ => false,
    }
}

/// Whether a step of the start changes what belongs to one member, asks nothing of others, and may be made again: for members that are left out it need
/// not be made.
fn chooses_for_itself(asker: &Asker<'_>, edge: &Edge) -> bool {
    let members: Vec<LocalId> = {
        let locals = edge.parameters.iter().map(|p| p.local);
        let is_member = |local: &LocalId| asker.family.is_held_by(&asker.locals[local.index()]);
        locals.filter(is_member).collect()
    };
    let ([member], Step::Guarded { effects, .. }) = (&members[..], &edge.step) else {
        return false;
    };
    let own = |effect: &Effect| match effect {
        Effect::Assign { place, .. } => belongs_to(asker, place, *member),
        _ => false,
    };
    let alone = asker.wrong() == 1;
    alone && edge.source == edge.target && effects.iter().all(own)
}

/// Whether a place belongs to that member.
fn belongs_to(asker: &Asker<'_>, place: &Place, member: LocalId) -> bool {
    let Root::Global(_) = place.root else {
        return false;
    };
    let mut indices = place.path.iter().filter_map(|part| match part {
        Projection::Index(index) => Some(index),
        Projection::Field(_) => None,
    });
    indices.any(|index| asker.is_variable(index, member))
}

/// What must not happen.
fn monitors(model: &Model, family: &Family, needs: &mut Needs) -> Result<(), Refused> {
    for monitor in &model.monitors {
        let mut asker = Asker::new(model, family, &model.monitor_scratch).of_property();
        parameters(&mut asker, &monitor.parameters)?;
        asker.step(&monitor.step, monitor.span)?;
        needs.state(asker.wrong());
        needs.followed.extend(asker.followed);
    }
    Ok(())
}
