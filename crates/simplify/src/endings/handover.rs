//! Channels of processes that end: no other process may use one after its owner has ended.
//!
//! In the model such a channel is gone when its process leaves, and its number is given to the next one; in the rewritten model it stays. Neither can be
//! observed if every reference to it is *passed down* or *handed over*.
//!
//! # Passed down
//!
//! A process may keep its channel to itself, and pass it as an argument to processes that it makes, and these may pass it on in the same way. All who
//! have it were made after its owner, and a process leaves only when all that were made after it have left. So when the owner leaves, nobody is
//! there any more who has the channel. They do nothing with the reference but say which channel is meant. (`is_passed_down`)
//!
//! # Handed over
//!
//! The reference is given away once, used once, and answered before its process goes on.
//!
//! Say that a process *asks* when it sends the reference to its channel `v` as a field of a message, and *hears* when it receives from `v`.
//!
//! 1. The owner does nothing with `v` but ask and hear; it asks only if it has heard since it asked last, and ends only if it has heard. (`Owner`)
//! 2. Whoever receives a reference keeps it in a local variable, and does nothing with it but send to it, once, before the variable gets another value. (`Holder`)
//! 3. Messages with references in them are received, not copied or compared. (`check_messages`)
//!
//! So of the references to `v` that can still be used and the messages in `v` there is together at most one, and none unless the owner has asked and not heard:
//! asking makes one reference, receiving moves it, sending to it makes a message of it, hearing takes the message, and nothing makes a second one.
//! When the owner has heard, or has never asked, nobody can use `v`. So nobody uses it when its owner has ended. As references are neither
//! computed with nor compared nor sorted by, it does not matter which number a channel has.

use crate::endings::observed::Observed;
use crate::slots::makes_channels;
use crate::visits;
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Root};
use mandala_model::ids::{LocalId, LocationId, TemplateId};
use mandala_model::template::{Edge, Effect, Keep, Role, SendOrder, Step, Template};
use mandala_model::types::{Scalar, Type};
use std::collections::BTreeSet;

/// Nobody may use a channel of a process of these templates when the process has ended.
pub(super) fn check(model: &Model, owners: &BTreeSet<TemplateId>) -> Result<(), Observed> {
    let mut handing_over = false;
    for id in owners {
        let template = model.template(*id);
        for (local, variable) in (0..).map(LocalId).zip(&template.locals) {
            if !makes_channels(model, variable) {
                continue;
            }
            if is_passed_down(model, *id, local) {
                continue;
            }
            handing_over = true;
            if variable.ty != Type::Scalar(Scalar::Channel) {
                let how = "these channels go when their process leaves";
                return Err(Observed::at(variable.span, how));
            }
            Owner {
                model,
                template,
                local,
            }
            .check()?;
        }
    }
    // Where nobody hands anything over, messages have no references to such channels in them.
    match handing_over {
        true => check_messages(model).and_then(|()| check_holders(model)),
        false => Ok(()),
    }
}

/// Who receives a reference uses it once.
fn check_holders(model: &Model) -> Result<(), Observed> {
    for template in processes(model) {
        for local in holders(template) {
            Holder { template, local }.check()?;
        }
    }
    Ok(())
}

fn processes(model: &Model) -> impl Iterator<Item = &Template> {
    let templates = model.templates.iter();
    templates.filter(|t| t.role == Role::Process)
}

/// For each field of messages of that many fields, whether it is a reference in all channels that have such messages. In other fields no owner gives its
/// channel away.
fn carrying(model: &Model, count: usize) -> Vec<bool> {
    let kinds = model.channel_kinds.iter();
    let kinds: Vec<_> = kinds.filter(|kind| kind.fields.len() == count).collect();
    let is_reference = |field: usize| kinds.iter().all(|k| k.fields[field] == Scalar::Channel);
    (0..count)
        .map(|field| !kinds.is_empty() && is_reference(field))
        .collect()
}

/// All sends and receives of a step, those of routines included, with whether they are in one.
fn messages<'s>(step: &'s Step, inside: bool, visit: &mut impl FnMut(&'s Step, bool)) {
    match step {
        Step::Send { .. } | Step::Receive { .. } => visit(step, inside),
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|c| messages(&c.step, true, visit));
        }
        Step::Guarded { .. } | Step::Else | Step::Exit | Step::Call(_) => {}
    }
}

/// References in messages go from variable to variable, and nobody looks at their numbers.
fn check_messages(model: &Model) -> Result<(), Observed> {
    check_polls(model)?;
    for template in processes(model) {
        for edge in &template.edges {
            let mut fine = true;
            messages(&edge.step, false, &mut |step, inside| {
                fine &= is_handed_over(model, template, step, inside);
            });
            if !fine {
                let how = "a message with a channel in it is copied, compared or sorted here, or kept in a place that is not followed";
                return Err(Observed::at(edge.span, how));
            }
        }
    }
    Ok(())
}

/// Nobody may ask for a message with a certain reference in it.
fn check_polls(model: &Model) -> Result<(), Observed> {
    let mut found = None;
    super::model_exprs(model, &mut |e| {
        if let ExprKind::Poll { patterns, .. } = &e.kind {
            let fields = carrying(model, patterns.len()).into_iter();
            let mut fields = fields.zip(patterns);
            if fields.any(|(carries, p)| carries && matches!(p, Pattern::Match(_))) {
                let how = "a message with a channel in it is compared here";
                found.get_or_insert(Observed::at(e.span, how));
            }
        }
    });
    found.map_or(Ok(()), Err)
}

fn is_handed_over(model: &Model, template: &Template, step: &Step, inside: bool) -> bool {
    match step {
        Step::Send { order, message, .. } => {
            *order == SendOrder::Last || !carrying(model, message.len()).contains(&true)
        }
        Step::Receive { keep, patterns, .. } => {
            let mut fields = carrying(model, patterns.len()).into_iter().zip(patterns);
            fields.all(|(is_reference, pattern)| match pattern {
                _ if !is_reference => true,
                // A copy that stays has not lost anything.
                Pattern::Ignore => true,
                Pattern::Match(_) => false,
                Pattern::Bind(place) => {
                    let moved = *keep == Keep::Remove && !inside;
                    moved && followed(template, place).is_some()
                }
            })
        }
        _ => true,
    }
}

/// The local variable that a place is, if it is one for a reference.
fn followed(template: &Template, place: &Place) -> Option<LocalId> {
    let Root::Local(local) = place.root else {
        return None;
    };
    let variable = &template.locals[local.index()];
    let plain = place.path.is_empty() && variable.ty == Type::Scalar(Scalar::Channel);
    plain.then_some(local)
}

/// The local variables that references are received into.
fn holders(template: &Template) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    for edge in &template.edges {
        messages(&edge.step, false, &mut |step, _| {
            if let Step::Receive { patterns, .. } = step {
                let bound = patterns.iter().filter_map(|p| match p {
                    Pattern::Bind(place) => followed(template, place),
                    Pattern::Match(_) | Pattern::Ignore => None,
                });
                found.extend(bound);
            }
        });
    }
    found
}

/// Whether an expression is the value of a local variable.
fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Read(place) if place.root == Root::Local(local) && place.path.is_empty())
}

/// How often a step mentions a local variable.
fn mentions(step: &Step, local: LocalId) -> usize {
    let mut count = 0;
    visits::step_accesses(step, &mut |_, place| {
        count += usize::from(place.root == Root::Local(local));
    });
    count
}

/// Whether nobody gets the reference in a local variable but processes that are made by those who have it, as an argument, and all that they do with it is to say
/// which channel is meant.
fn is_passed_down(model: &Model, id: TemplateId, local: LocalId) -> bool {
    let mut seen = BTreeSet::from([(id, local)]);
    let mut open = vec![(id, local)];
    while let Some((id, local)) = open.pop() {
        let Some(passed) = passed_on(model, model.template(id), local) else {
            return false;
        };
        open.extend(passed.into_iter().filter(|next| seen.insert(*next)));
    }
    true
}

/// The parameters that a template passes the reference in a local variable to; nothing if it does anything else with it.
fn passed_on(
    model: &Model,
    template: &Template,
    local: LocalId,
) -> Option<Vec<(TemplateId, LocalId)>> {
    let mut copied = false;
    visits::birth_reads(template, &mut |place| {
        copied |= place.root == Root::Local(local)
    });
    if copied {
        return None;
    }
    let mut all = Vec::new();
    for edge in &template.edges {
        let passed = arguments(model, &edge.step, local)?;
        if mentions(&edge.step, local) != operands(&edge.step, local) + passed.len() {
            return None;
        }
        all.extend(passed);
    }
    Some(all)
}

/// The parameters that get the value of a local variable as it is when a step makes a process; nothing if one of them is not for references.
fn arguments(model: &Model, step: &Step, local: LocalId) -> Option<Vec<(TemplateId, LocalId)>> {
    let mut found = Vec::new();
    for effect in visits::effects(step) {
        let Effect::Spawn {
            template: made,
            arguments,
            ..
        } = effect
        else {
            continue;
        };
        let given = arguments.iter().enumerate();
        for (cell, _) in given.filter(|(_, e)| is_local(e, local)) {
            found.push((*made, parameter(model, model.template(*made), cell)?));
        }
    }
    Some(found)
}

/// The parameter that has that cell, if it is one for references.
fn parameter(model: &Model, made: &Template, cell: usize) -> Option<LocalId> {
    let parameters = (0..made.parameters).map(LocalId);
    let at = |p: &LocalId| model.cell_offset(&made.locals, p.index()) == cell;
    let parameter = parameters.into_iter().find(at)?;
    let ty = &made.locals[parameter.index()].ty;
    (*ty == Type::Scalar(Scalar::Channel)).then_some(parameter)
}

/// How often a step says by a local variable which channel is meant.
fn operands(step: &Step, local: LocalId) -> usize {
    let mut count = 0;
    messages(step, false, &mut |step, _| {
        if let Step::Send { channel, .. } | Step::Receive { channel, .. } = step {
            count += usize::from(is_local(channel, local));
        }
    });
    step.clone().each_expr_mut(&mut |e| {
        if let ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } = &e.kind {
            count += usize::from(is_local(channel, local));
        }
    });
    count
}

/// A channel of a process that ends, and the variable that it was made for.
struct Owner<'m> {
    model: &'m Model,
    template: &'m Template,
    local: LocalId,
}

/// What an owner does to its channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deed {
    Nothing,
    Asks,
    Hears,
    Other,
}

impl Owner<'_> {
    fn deed(&self, edge: &Edge) -> Deed {
        let mentioned = mentions(&edge.step, self.local);
        match &edge.step {
            _ if mentioned == 0 => Deed::Nothing,
            _ if mentioned > 1 => Deed::Other,
            Step::Send { message, .. } if self.is_given(message) => Deed::Asks,
            Step::Receive { channel, keep, .. }
                if is_local(channel, self.local) && *keep == Keep::Remove =>
            {
                Deed::Hears
            }
            _ => Deed::Other,
        }
    }

    /// Whether the reference is a field of a message in which references are.
    fn is_given(&self, message: &[Expr]) -> bool {
        let fields = carrying(self.model, message.len()).into_iter();
        let mut fields = fields.zip(message);
        fields.any(|(carries, field)| carries && is_local(field, self.local))
    }

    /// Follows the process with whether it has asked and not heard.
    fn check(&self) -> Result<(), Observed> {
        let mut copied = false;
        visits::birth_reads(self.template, &mut |place| {
            copied |= place.root == Root::Local(self.local);
        });
        if copied {
            let how = "a channel that goes with its process is copied when the process is made";
            return Err(Observed::at(self.template.span, how));
        }
        let start = (self.template.entry, false);
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some((at, waiting)) = open.pop() {
            for (_, edge) in self.template.edges_from(at) {
                let Some(next) = self.next(edge, waiting)? else {
                    continue;
                };
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(())
    }

    /// Where an edge leads, if it can be taken.
    fn next(&self, edge: &Edge, waiting: bool) -> Result<Option<(LocationId, bool)>, Observed> {
        let observed = |how| Err(Observed::at(edge.span, how));
        if edge.step == Step::Exit && waiting {
            return observed("a process may leave here while others still have its channel");
        }
        match self.deed(edge) {
            Deed::Nothing => Ok(Some((edge.target, waiting))),
            Deed::Asks if waiting => {
                observed("a channel that goes with its process is given away twice here")
            }
            Deed::Asks => Ok(Some((edge.target, true))),
            // Nobody can have sent anything.
            Deed::Hears if !waiting => Ok(None),
            Deed::Hears => Ok(Some((edge.target, false))),
            Deed::Other => observed(
                "a channel that goes with its process is used here for more than an answer",
            ),
        }
    }
}

/// A local variable that references are received into.
struct Holder<'m> {
    template: &'m Template,
    local: LocalId,
}

/// What a holder has. By this order, what comes later can do less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// No reference that was received, or none that is given away.
    Nothing,
    /// One that was received and not used.
    Fresh,
    /// One that was used.
    Used,
}

impl Holder<'_> {
    fn check(&self) -> Result<(), Observed> {
        let start = (self.template.entry, Held::Nothing);
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some((at, held)) = open.pop() {
            for (_, edge) in self.template.edges_from(at) {
                let Some(held) = self.after(&edge.step, held) else {
                    let how = "a channel that was received is used here again, or for more than a message, when its process may have left";
                    return Err(Observed::at(edge.span, how));
                };
                if seen.insert((edge.target, held)) {
                    open.push((edge.target, held));
                }
            }
        }
        Ok(())
    }

    /// What the variable has after a step; nothing if the step does what it must not.
    fn after(&self, step: &Step, held: Held) -> Option<Held> {
        let mentioned = mentions(step, self.local);
        match step {
            _ if mentioned == 0 => Some(held),
            Step::Receive { patterns, .. } if self.is_bound(patterns) => {
                (mentioned == 1).then_some(Held::Fresh)
            }
            Step::Guarded { effects, .. } if self.is_set(effects) => {
                (mentioned == 1).then_some(Held::Nothing)
            }
            _ if held == Held::Nothing => self.is_unwritten(step).then_some(held),
            Step::Send { channel, .. } if is_local(channel, self.local) && held == Held::Fresh => {
                (mentioned == 1).then_some(Held::Used)
            }
            _ => None,
        }
    }

    fn is_bound(&self, patterns: &[Pattern]) -> bool {
        let mut patterns = patterns.iter();
        patterns.any(|p| matches!(p, Pattern::Bind(place) if place.root == Root::Local(self.local)))
    }

    fn is_set(&self, effects: &[Effect]) -> bool {
        let mut targets = effects.iter().flat_map(visits::effect_targets);
        targets.any(|place| place.root == Root::Local(self.local))
    }

    /// Whether a step does not write the variable.
    fn is_unwritten(&self, step: &Step) -> bool {
        let mut unwritten = true;
        visits::step_accesses(step, &mut |access, place| {
            unwritten &= access == visits::Access::Read || place.root != Root::Local(self.local);
        });
        unwritten
    }
}
