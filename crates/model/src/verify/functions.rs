//! Invariants 30 and 31: functions, and calls of them.

use super::{Findings, Rule};
use crate::expr::{Place, Projection, Root};
use crate::function::{Call, Function};
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::template::{Role, Routine, Step};
use crate::types::{Initial, Storage, Type, Variable};

/// Checks functions and calls. Places and expressions are right by now.
pub(super) fn check(model: &UncheckedModel, findings: &mut Findings) {
    for function in &model.functions {
        findings.enter_function(&function.name);
        frame(function, findings);
    }
    // A call can be looked at only where the frame is right.
    if !findings.errors.is_empty() {
        return;
    }
    for template in &model.templates {
        findings.enter_template(&template.name);
        for (index, edge) in template.edges.iter().enumerate() {
            findings.edge = Some(index as u32);
            let allowed = template.role == Role::Process;
            let scope = Scope::of_code(model, &template.locals);
            scope.code(&edge.step, edge.span, allowed, findings);
        }
    }
    findings.each_monitor(model, |monitor, findings| {
        let scope = Scope::of_code(model, &model.monitor_scratch);
        scope.code(&monitor.step, monitor.span, true, findings);
    });
    for function in &model.functions {
        findings.enter_function(&function.name);
        let scope = Scope {
            model,
            locals: &function.locals,
            references: &function.references,
        };
        scope.routine(&function.body, findings);
    }
    findings.leave_template();
}

/// The variables of a frame are scratch, and the result is one of them.
fn frame(function: &Function, findings: &mut Findings) {
    let plain = |v: &Variable| v.storage == Storage::Scratch && v.initial == Initial::Default;
    let variables = function.locals.iter().chain(&function.references);
    let scratch = variables.into_iter().all(plain);
    let enough = function.parameters as usize <= function.locals.len();
    let result = function.result;
    let known = result.is_none_or(|id| id.index() < function.locals.len());
    let sound = scratch && enough && known;
    findings.require(sound, Rule::Functions, function.span, || {
        "a variable of the function is no scratch variable, or a parameter or the result is missing"
            .into()
    });
}

/// Where a call stands: what its places are places in.
struct Scope<'m> {
    model: &'m UncheckedModel,
    locals: &'m [Variable],
    references: &'m [Variable],
}

impl<'m> Scope<'m> {
    /// That of the code of an edge or a monitor.
    fn of_code(model: &'m UncheckedModel, locals: &'m [Variable]) -> Self {
        Scope {
            model,
            locals,
            references: &[],
        }
    }

    /// Checks the code of an edge or a monitor, which may have calls or not.
    fn code(&self, step: &'m Step, span: Span, may_call: bool, findings: &mut Findings) {
        let outside = matches!(step, Step::Call(_));
        let Some(routine) = step.routine() else {
            findings.require(!outside, Rule::Calls, span, || {
                "a call that is no choice of a routine".into()
            });
            return;
        };
        let allowed = may_call || routine.calls().next().is_none();
        findings.require(allowed, Rule::Calls, span, || {
            "an observer calls a function".into()
        });
        self.routine(routine, findings);
    }

    fn routine(&self, routine: &'m Routine, findings: &mut Findings) {
        for choice in routine.nodes.iter().flat_map(|node| &node.choices) {
            if let Step::Call(call) = &choice.step {
                let wrong = self.wrong(call);
                findings.require(wrong.is_none(), Rule::Calls, choice.span, || {
                    wrong.unwrap_or_default()
                });
            }
        }
    }

    /// What is wrong with a call.
    fn wrong(&self, call: &'m Call) -> Option<String> {
        let Some(called) = self.model.functions.get(call.function.index()) else {
            return Some(format!("there is no {}", call.function));
        };
        let given = call.arguments.len();
        let parameters = called.parameters as usize;
        let wanted = self.model.cell_offset(&called.locals, parameters);
        if given != wanted {
            return Some(format!(
                "{given} arguments for {wanted} cells of parameters"
            ));
        }
        let places = call.references.iter().map(|place| self.type_of(place));
        let types = called.references.iter().map(|variable| Some(&variable.ty));
        if !places.eq(types) {
            return Some("the places that are passed have other types than the parameters".into());
        }
        let result = called.result.map(|id| &called.locals[id.index()].ty);
        let target = call.result.as_ref().map(|place| self.type_of(place));
        let fits = match (result, target) {
            (None, None) => true,
            (Some(Type::Scalar(_)), Some(Some(Type::Scalar(_)))) => true,
            (Some(result), Some(target)) => target == Some(result),
            _ => false,
        };
        (!fits).then(|| "the result goes nowhere, or where it does not fit".into())
    }

    /// The type of what is at a place.
    fn type_of(&self, place: &'m Place) -> Option<&'m Type> {
        let variable = match &place.root {
            Root::Global(id) => self.model.globals.get(id.index()),
            Root::Local(id) => self.locals.get(id.index()),
            Root::Reference(number) => self.references.get(*number as usize),
            Root::Remote { .. } | Root::OwnPriority => None,
        };
        let mut path = place.path.iter();
        path.try_fold(&variable?.ty, |ty, part| self.model.part(ty, part))
    }
}

impl UncheckedModel {
    /// The type of a part of a value, if it has that part.
    pub(crate) fn part<'m>(&'m self, ty: &'m Type, part: &Projection) -> Option<&'m Type> {
        match (ty, part) {
            (Type::Record(id), Projection::Field(field)) => {
                let fields = &self.record(*id).fields;
                fields.get(*field as usize).map(|f| &f.ty)
            }
            (Type::Array { element, .. }, Projection::Index(_)) => Some(element),
            _ => None,
        }
    }
}

/// Checks the body of a function as the routine that it is.
pub(super) fn bodies(
    model: &UncheckedModel,
    findings: &mut Findings,
    check: fn(&Routine, Span, &mut Findings),
) {
    for function in &model.functions {
        findings.enter_function(&function.name);
        check(&function.body, function.span, findings);
    }
    findings.leave_template();
}
