//! Models with different numbers of members that are the same but for that number (condition 5).
//!
//! From each model is taken whatever its types say to be of the size of the family. What is left must be the same for all of them. So the model of any number is the one that is left, with
//! that number put back; it is looked at where the front end has made it, and nowhere else is a model of another size made. Models of a few numbers cannot show everything: a condition `N > 9` has the same
//! value in all of them. Therefore the text is looked at as well ([`crate::words`]).

use crate::family::{Family, NotConfirmed};
use mandala_model::UncheckedModel;
use mandala_model::expr::{Expr, ExprKind, Root};
use mandala_model::ids::LocalId;
use mandala_model::loops::Loop;
use mandala_model::parameters::Values;
use mandala_model::source::Span;
use mandala_model::template::{Routine, Step};
use mandala_model::types::{ArrayIndex, Scalar, Type, Variable};
use std::collections::BTreeSet;

/// Requires two models to differ in nothing but how many members there are.
///
/// # Errors
///
/// The first place where they do.
pub(crate) fn require_alike(
    one: (&UncheckedModel, u32),
    other: (&UncheckedModel, u32),
    family: &Family,
    constant: &str,
) -> Result<(), NotConfirmed> {
    let first = sizeless(one.0.clone(), family, one.1)?;
    let second = sizeless(other.0.clone(), family, other.1)?;
    match first == second {
        true => Ok(()),
        false => Err(NotConfirmed {
            message: format!("more than the family depends on `{constant}` here"),
            span: difference(&first, &second),
        }),
    }
}

/// The model without the number of members.
fn sizeless(
    mut model: UncheckedModel,
    family: &Family,
    size: u32,
) -> Result<UncheckedModel, NotConfirmed> {
    match family {
        Family::Names { name, .. } => {
            let mut sets = model.scalarsets.iter();
            if let Some(set) = sets.find(|set| set.name == *name)
                && (set.size != size || set.first != 1)
            {
                return Err(NotConfirmed::at(set.span, "the family has another size"));
            }
            // Of one member, front ends do not say that it may be exchanged.
            model.scalarsets.retain(|set| set.name != *name);
            // Front ends may put larger sets first.
            model.scalarsets.sort_by_key(|set| set.span);
            names(&mut model, family, size);
        }
        Family::Processes(template) => {
            let is_member =
                |process: &&mandala_model::model::StartProcess| process.template == *template;
            let members = model.start.iter().filter(is_member).count();
            if members != size as usize {
                let span = model.template(*template).span;
                return Err(NotConfirmed::at(span, "the family has another size"));
            }
            model.start.dedup();
        }
    }
    Ok(model)
}

/// Takes the size of the set away, wherever a type says that it is that of the family.
fn names(model: &mut UncheckedModel, family: &Family, size: u32) {
    let clear = |values: &mut Values| {
        if are_all_members(values, size) {
            values.0.clear();
        }
    };
    let code = |step: &mut Step, locals: &[Variable]| {
        if let Step::Routine(routine) = step {
            loops(routine, locals, family, &clear);
        }
    };
    for template in &mut model.templates {
        for edge in &mut template.edges {
            for p in &mut edge.parameters {
                if family.is_held_by(&template.locals[p.local.index()]) {
                    clear(&mut p.values);
                }
            }
            code(&mut edge.step, &template.locals);
        }
        free_of_rounds(
            template.edges.iter().map(|edge| &edge.step),
            &mut template.locals,
        );
    }
    for monitor in &mut model.monitors {
        for p in &mut monitor.parameters {
            if family.is_held_by(&model.monitor_scratch[p.local.index()]) {
                clear(&mut p.values);
            }
        }
        code(&mut monitor.step, &model.monitor_scratch);
    }
    free_of_rounds(
        model.monitors.iter().map(|monitor| &monitor.step),
        &mut model.monitor_scratch,
    );
    for function in &mut model.functions {
        loops(&mut function.body, &function.locals, family, &clear);
        let body = Step::Routine(function.body.clone());
        free_of_rounds([&body].into_iter(), &mut function.locals);
    }
    model.each_expr_mut(&mut |e| {
        if let ExprKind::Quantified(quantified) = &mut e.kind
            && family.holds(quantified.variable.scalar)
        {
            clear(&mut quantified.values);
            change(&mut quantified.variable.scalar, family, |max| {
                max - i64::from(size)
            });
        }
    });
    each_variable(model, &mut |variable| {
        let Variable { ty, indices, .. } = variable;
        sizeless_type(ty, indices, family, size);
    });
}

/// Whether the values of a parameter, a quantifier or a loop are all members.
pub(crate) fn are_all_members(values: &Values, size: u32) -> bool {
    values.iter().eq(1..=i64::from(size))
}

fn sizeless_type(ty: &mut Type, indices: &[ArrayIndex], family: &Family, size: u32) {
    match ty {
        Type::Scalar(scalar) => change(scalar, family, |max| max - i64::from(size)),
        Type::Record(_) => {}
        Type::Array { element, length } => {
            if family.indexes(indices.first()) {
                *length = length.wrapping_sub(size);
            }
            sizeless_type(element, indices.get(1..).unwrap_or(&[]), family, size);
        }
    }
}

fn change(scalar: &mut Scalar, family: &Family, to: impl Fn(i64) -> i64) {
    if family.holds(*scalar)
        && let Scalar::Coded { max, .. } = scalar
    {
        *max = to(*max);
    }
}

/// The head of a loop over members counts to their number. What it does is what the table of loops says of it.
fn loops(
    routine: &mut Routine,
    locals: &[Variable],
    family: &Family,
    clear: &impl Fn(&mut Values),
) {
    for each in &mut routine.loops {
        if !family.is_held_by(&locals[each.variable.index()]) {
            continue;
        }
        clear(&mut each.values);
        strip_head(&mut routine.nodes[each.head.index()], each);
    }
}

fn strip_head(head: &mut mandala_model::template::Node, each: &Loop) {
    if let Some(Step::Guarded { guard, effects }) =
        head.choices.first_mut().map(|choice| &mut choice.step)
    {
        *guard = Expr::constant(1, each.span);
        effects.drain(..2.min(effects.len()));
    }
}

/// Forgets the range of variables of code that count the rounds of loops, for which there is as much room as the longest of these loops needs, and of those that nothing reads.
fn free_of_rounds<'s>(steps: impl Iterator<Item = &'s Step>, locals: &mut [Variable]) {
    let mut used: BTreeSet<LocalId> = BTreeSet::new();
    let mut counting: BTreeSet<LocalId> = BTreeSet::new();
    for step in steps {
        step.each_whole(&mut |whole| {
            whole.walk(&mut |e| {
                if let ExprKind::Read(place) = &e.kind
                    && let Root::Local(local) = place.root
                {
                    used.insert(local);
                }
            });
        });
        let loops = step
            .routine()
            .into_iter()
            .flat_map(|routine| &routine.loops);
        counting.extend(loops.map(|each| each.position));
    }
    for (local, variable) in (0..).map(LocalId).zip(locals) {
        if let Type::Scalar(Scalar::Range { min: 0, max }) = &mut variable.ty
            && (counting.contains(&local) || !used.contains(&local))
        {
            *max = 0;
        }
    }
}

/// The model in which whatever holds a member may also hold one more, which is none of them: that of the configurations, in which members are left out.
pub(crate) fn with_one_outside(mut model: UncheckedModel, family: &Family) -> UncheckedModel {
    each_variable(&mut model, &mut |variable| widen(&mut variable.ty, family));
    model
}

fn widen(ty: &mut Type, family: &Family) {
    match ty {
        Type::Scalar(scalar) => change(scalar, family, |max| max + 1),
        Type::Record(_) => {}
        Type::Array { element, .. } => widen(element, family),
    }
}

/// Calls `visit` on all variables, parameters and fields of records.
fn each_variable(model: &mut UncheckedModel, visit: &mut impl FnMut(&mut Variable)) {
    let fields = model.records.iter_mut().flat_map(|r| &mut r.fields);
    let globals = model.globals.iter_mut();
    let templates = model.templates.iter_mut().flat_map(|t| &mut t.locals);
    let monitors = model.monitor_scratch.iter_mut();
    let functions = model.functions.iter_mut();
    let functions = functions.flat_map(|f| f.locals.iter_mut().chain(&mut f.references));
    let all = fields.chain(globals).chain(templates).chain(monitors);
    all.chain(functions).for_each(visit);
}

/// A place that two models do not have in common: a declaration, a number, or a piece of code.
fn difference(one: &UncheckedModel, other: &UncheckedModel) -> Option<Span> {
    [declared, numbers, code]
        .iter()
        .find_map(|listed| {
            let (one, other) = (listed(one), listed(other));
            let mut pairs = one.into_iter().zip(other);
            pairs.find(|(one, other)| one.0 != other.0)
        })
        .map(|((_, span), _)| span)
}

fn declared(model: &UncheckedModel) -> Vec<(String, Span)> {
    let mut all = Vec::new();
    each_variable(&mut model.clone(), &mut |v| {
        all.push((format!("{:?}", v.ty), v.span));
    });
    let channels = model.channel_kinds.iter();
    all.extend(channels.map(|kind| (format!("{kind:?}"), kind.span)));
    let sets = model.scalarsets.iter();
    all.extend(sets.map(|set| (set.size.to_string(), set.span)));
    all
}

fn numbers(model: &UncheckedModel) -> Vec<(String, Span)> {
    let mut all = Vec::new();
    model.each_whole(&mut |whole| {
        whole.walk(&mut |e| {
            if let ExprKind::Const(value) = e.kind {
                all.push((value.to_string(), e.span));
            }
        });
    });
    all
}

fn code(model: &UncheckedModel) -> Vec<(String, Span)> {
    let edges = model.templates.iter().flat_map(|t| &t.edges);
    let edges = edges.map(|e| (format!("{:?}{:?}", e.parameters, e.step), e.span));
    let monitors = model.monitors.iter();
    let monitors = monitors.map(|m| (format!("{:?}{:?}", m.parameters, m.step), m.span));
    edges.chain(monitors).collect()
}
