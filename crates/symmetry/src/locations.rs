//! Facts about locations and variables that follow from the automaton alone.

use crate::lasting::{Lasting, OUTSIDE};
use crate::sends::Sends;
use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Root};
use mandala_model::function::CALL;
use mandala_model::ids::{LocalId, LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::symmetry::VariableRef;
use mandala_model::template::{Edge, Effect, Print, Role, Step, Template};
use mandala_model::types::{Initial, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// The locations of a template that nobody ever sees: a process gets there only while it keeps control, and can
/// always go on.
pub fn passing(model: &Model, template: &Template) -> BTreeSet<LocationId> {
    passing_with(model, &lasting(model), template)
}

/// The same for whom knows which variables always refer to the same channel.
pub(crate) fn passing_with(
    model: &Model,
    lasting: &Lasting,
    template: &Template,
) -> BTreeSet<LocationId> {
    let blockable = template.deterministic || template.provided.is_some();
    if template.role != Role::Process || blockable {
        return BTreeSet::new();
    }
    let sends = Sends {
        model,
        lasting,
        template,
        entering: template.entering(),
    };
    let mut passing = BTreeSet::new();
    loop {
        let locations = (0..template.locations.len()).map(LocationId::from);
        let more = locations.filter(|l| {
            *l != template.entry
                && !passing.contains(l)
                && sends.entered_in_control(*l)
                && (always_goes_on(template, *l) || sends.has_room(*l, &passing))
        });
        let more: Vec<LocationId> = more.collect();
        if more.is_empty() {
            return passing;
        }
        passing.extend(more);
    }
}

/// Some edge can always be taken, and nothing there asks about the location or the time.
fn always_goes_on(template: &Template, location: LocationId) -> bool {
    let edges: Vec<&Edge> = template.edges_from(location).map(|(_, e)| e).collect();
    if edges.iter().any(|e| e.escape > 0 || asks_where(&e.step)) {
        return false;
    }
    if let Some(position) = edges.iter().position(|e| e.step == Step::Else) {
        let before = &edges[..position];
        let guarded = |e: &&Edge| matches!(e.step, Step::Guarded { .. });
        return position + 1 == edges.len() && before.iter().all(guarded);
    }
    edges.iter().any(|e| match &e.step {
        Step::Guarded { guard, .. } => guard.as_constant().is_some_and(|v| v != 0),
        _ => false,
    })
}

pub(crate) fn asks_where(step: &Step) -> bool {
    let mut found = false;
    each_expr(step, &mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Timeout
                | ExprKind::NonProgress
                | ExprKind::Accepting
                | ExprKind::LastMover
                | ExprKind::LocationNumber(_)
                | ExprKind::At { .. }
                | ExprKind::Enabled(_)
                | ExprKind::Priority(_)
        );
    });
    found
}

/// Whether a step asks whether time is up.
pub(crate) fn asks_timeout(step: &Step) -> bool {
    let mut found = false;
    each_expr(step, &mut |e| found |= matches!(e.kind, ExprKind::Timeout));
    found
}

/// Where a process of the template may end, if it may.
pub(crate) fn reachable_exit(template: &Template) -> Option<Span> {
    let mut seen = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        for (_, edge) in template.edges_from(location) {
            if edge.step == Step::Exit {
                return Some(edge.span);
            }
            if !is_never_taken(&edge.step) && seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    None
}

pub(crate) fn is_never_taken(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant() == Some(0))
}

/// The templates of which there can be processes.
pub(crate) fn populated(model: &Model) -> BTreeSet<TemplateId> {
    let mut templates: BTreeSet<_> = model.start.iter().map(|s| s.template).collect();
    templates.extend(spawned(model));
    templates
}

/// The templates of which processes can be made after the start.
pub(crate) fn spawned(model: &Model) -> BTreeSet<TemplateId> {
    let mut templates = BTreeSet::new();
    each_effect(model, |_, effect| {
        if let Effect::Spawn { template, .. } = effect {
            templates.insert(*template);
        }
    });
    templates
}

/// Where instances of a template are made: by an instance of which template, at which location.
pub(crate) fn spawns(model: &Model, made: TemplateId) -> Vec<(TemplateId, LocationId)> {
    let mut sites = Vec::new();
    for (id, template) in model.runnables() {
        for edge in &template.edges {
            let mut found = false;
            each_effect_of(&edge.step, &mut |effect| {
                found |= matches!(effect, Effect::Spawn { template, .. } if *template == made);
            });
            if found {
                sites.push((id, edge.source));
            }
        }
    }
    sites
}

fn each_effect_of(step: &Step, visit: &mut impl FnMut(&Effect)) {
    match step {
        Step::Guarded { effects, .. } => effects.iter().for_each(visit),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| each_effect_of(&c.step, visit));
        }
        _ => {}
    }
}

/// The variables that have a channel made for them and are never written.
pub(crate) fn lasting(model: &Model) -> Lasting {
    let made = |initial: &Initial| matches!(initial, Initial::NewChannel(_));
    let mut lasting = Lasting::default();
    for (index, global) in (0..).zip(&model.globals) {
        if made(&global.initial) {
            lasting.globals.insert(index);
        }
    }
    for (id, template) in model.runnables() {
        for (index, local) in (0..).zip(&template.locals) {
            if made(&local.initial) {
                lasting.locals.insert((id, index));
            }
        }
    }
    each_write(model, |template, place| match &place.root {
        Root::Global(id) => drop(lasting.globals.remove(&id.0)),
        Root::Local(id) => drop(lasting.locals.remove(&(template, id.0))),
        Root::Remote {
            template, local, ..
        } => drop(lasting.locals.remove(&(*template, local.0))),
        Root::OwnPriority | Root::Reference(_) => {}
    });
    lasting
}

/// The variables that are read or written anywhere. A parameter is written when its process is made.
pub(crate) fn mentioned(model: &Model) -> BTreeSet<VariableRef> {
    let mut all = BTreeSet::new();
    each_write(model, |template, place| {
        all.extend(variable(template, place))
    });
    let mut read = |template: TemplateId, e: &Expr| {
        if let ExprKind::Read(place) = &e.kind {
            all.extend(variable(template, place));
        }
    };
    each_step(model, |template, step| {
        each_expr(step, &mut |e| read(template, e))
    });
    for start in &model.start {
        let mut read = |e: &Expr| read(start.template, e);
        start.arguments.iter().for_each(|a| a.walk(&mut read));
    }
    for (id, template) in model.runnables() {
        let mut read = |e: &Expr| read(id, e);
        template.provided.iter().for_each(|p| p.walk(&mut read));
        let variables = template.locals.iter().chain(&model.globals);
        variables.for_each(|v| each_initial(v, &mut read));
    }
    let asked = model.conditions.iter().map(|c| &c.condition);
    asked.for_each(|condition| condition.walk(&mut |e| all.extend(outside(e))));
    for (id, template) in model.runnables() {
        let parameters = (0..template.parameters).map(LocalId);
        all.extend(parameters.map(|p| VariableRef::Local(id, p)));
    }
    all
}

/// The variable that an expression reads which stands outside of all templates. The indices of a property are variables of its automaton.
fn outside(e: &Expr) -> Option<VariableRef> {
    match &e.kind {
        ExprKind::Read(place) if !matches!(place.root, Root::Local(_)) => variable(OUTSIDE, place),
        _ => None,
    }
}

fn variable(template: TemplateId, place: &Place) -> Option<VariableRef> {
    match &place.root {
        Root::Global(id) => Some(VariableRef::Global(*id)),
        Root::Local(id) => Some(VariableRef::Local(template, *id)),
        Root::Remote {
            template, local, ..
        } => Some(VariableRef::Local(*template, *local)),
        Root::OwnPriority | Root::Reference(_) => None,
    }
}

/// Calls `visit` on every expression of the first value of a variable.
fn each_initial(variable: &Variable, visit: &mut impl FnMut(&Expr)) {
    match &variable.initial {
        Initial::Fill(value) => value.walk(visit),
        Initial::List(list) => list.iter().for_each(|value| value.walk(visit)),
        Initial::Default | Initial::NewChannel(_) => {}
    }
}

/// Calls `visit` on every place that is written anywhere.
fn each_write(model: &Model, mut visit: impl FnMut(TemplateId, &Place)) {
    each_effect(model, |template, effect| match effect {
        Effect::Assign { place, .. } => visit(template, place),
        Effect::Spawn {
            result: Some(place),
            ..
        } => visit(template, place),
        _ => {}
    });
    each_step(model, |template, step| {
        if let Step::Receive { patterns, .. } = step {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    visit(template, place);
                }
            }
        }
    });
}

fn each_effect(model: &Model, mut visit: impl FnMut(TemplateId, &Effect)) {
    each_step(model, |template, step| {
        if let Step::Guarded { effects, .. } = step {
            effects.iter().for_each(|e| visit(template, e));
        }
    });
}

/// Calls `visit` on every step of every edge, and on those inside routines.
fn each_step(model: &Model, mut visit: impl FnMut(TemplateId, &Step)) {
    for (id, template) in model.runnables() {
        for edge in &template.edges {
            match &edge.step {
                Step::Routine(routine) => {
                    let choices = routine.nodes.iter().flat_map(|n| &n.choices);
                    choices.for_each(|c| visit(id, &c.step));
                }
                step => visit(id, step),
            }
        }
    }
}

/// Calls `visit` on every expression of a step.
pub(crate) fn each_expr(step: &Step, visit: &mut impl FnMut(&Expr)) {
    match step {
        Step::Guarded { guard, effects } => {
            guard.walk(visit);
            effects.iter().for_each(|e| effect_exprs(e, visit));
        }
        Step::Send {
            channel, message, ..
        } => {
            channel.walk(visit);
            message.iter().for_each(|e| e.walk(visit));
        }
        Step::Receive {
            channel, patterns, ..
        } => {
            channel.walk(visit);
            patterns.iter().for_each(|p| p.walk(visit));
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| each_expr(&c.step, visit));
        }
        Step::Else | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

fn effect_exprs(effect: &Effect, visit: &mut impl FnMut(&Expr)) {
    match effect {
        Effect::Assign { place, value } => {
            place.walk(visit);
            value.walk(visit);
        }
        Effect::Assert { condition } => condition.walk(visit),
        Effect::Print { text } => match text {
            Print::Format { arguments, .. } => arguments.iter().for_each(|a| a.walk(visit)),
            Print::Name(value) => value.walk(visit),
        },
        Effect::Spawn {
            arguments, result, ..
        } => {
            arguments.iter().for_each(|a| a.walk(visit));
            if let Some(place) = result {
                place.walk(visit);
            }
        }
        Effect::SetPriority { process, priority } => {
            process.walk(visit);
            priority.walk(visit);
        }
        Effect::Fail { .. } | Effect::Abandon => {}
        Effect::Insert(insertion) => {
            insertion.has_room.walk(visit);
            insertion.first_free.walk(visit);
            insertion.position.walk(visit);
            for (place, value) in &insertion.cells {
                place.walk(visit);
                value.walk(visit);
            }
        }
    }
}

/// Whether channels are made for a variable or a part of it.
pub(crate) fn makes_channels(model: &UncheckedModel, variable: &Variable) -> bool {
    match (&variable.initial, base(&variable.ty)) {
        (Initial::NewChannel(_), _) => true,
        (_, Type::Record(id)) => {
            let fields = &model.record(*id).fields;
            fields.iter().any(|f| makes_channels(model, f))
        }
        _ => false,
    }
}

fn base(ty: &Type) -> &Type {
    match ty {
        Type::Array { element, .. } => base(element),
        other => other,
    }
}
