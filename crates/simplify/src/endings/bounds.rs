//! Upper bounds on the processes and channels that a run makes in all.
//!
//! Where processes that have ended stay, their numbers are never given to others. There are 255 of them, and as many channels. So the rewriting is right only if no
//! run makes more than that in all, which is shown from the text alone:
//!
//! - a process makes others with each of its edges at most as often as it takes that edge, and there are at most so many processes of its template;
//! - an edge that is on no cycle of its template is taken once;
//! - an edge on a cycle is bounded by a *counter*: a variable that only this one process writes, by adding constants to it where it is known to be less than
//!   some constant, and by setting it to constants on edges that are on no cycle. Every cycle through the edge must count. Then between two
//!   times that the edge is taken the counter is increased, and how often that happens is known.

use crate::endings::observed::Observed;
use crate::slots::{first_value, made_channels};
use crate::visits;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::template::{Edge, Effect, Role, Step, Template};
use mandala_model::types::{Scalar, Storage, Type, Variable};
use std::collections::BTreeSet;

/// How many processes, and how many channels, there may be at a time.
const MOST: u64 = 255;

/// No run may make more processes or channels than can be there at a time.
pub(super) fn check(model: &Model) -> Result<(), Observed> {
    let mut bounds = Bounds {
        model,
        open: Vec::new(),
    };
    let globals = model.globals.iter();
    let mut channels: u64 = globals.map(|v| made_channels(model, v)).sum();
    let mut processes = 0;
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if template.role != Role::Process {
            continue;
        }
        let count = bounds.instances(id)?;
        let own: u64 = template
            .locals
            .iter()
            .map(|v| made_channels(model, v))
            .sum();
        processes += count;
        channels += count.saturating_mul(own);
        if processes > MOST || channels > MOST {
            let how = "more than 255 processes or channels may be made in all, so that numbers have to be used again";
            return Err(Observed::at(template.span, how));
        }
    }
    Ok(())
}

struct Bounds<'m> {
    model: &'m Model,
    /// The templates whose instances are being counted.
    open: Vec<TemplateId>,
}

impl Bounds<'_> {
    /// How many processes of a template a run has at most in all; more than [`MOST`] is as good as any other number.
    fn instances(&mut self, id: TemplateId) -> Result<u64, Observed> {
        let model = self.model;
        if self.open.contains(&id) {
            let how = "processes make processes of their own kind, as many as they like";
            return Err(Observed::at(model.template(id).span, how));
        }
        self.open.push(id);
        let starts = model.start.iter().filter(|s| s.template == id);
        let mut count = starts.count() as u64;
        for (by, template) in (0..).map(TemplateId).zip(&model.templates) {
            for edge in template.edges.iter().filter(|e| spawns(e, id) > 0) {
                let makers = self.instances(by)?;
                let times = taken(model, by, edge, makers).ok_or_else(|| {
                    let how = "there may be no end to the processes that are made here, so that numbers have to be used again";
                    Observed::at(edge.span, how)
                })?;
                let made = times
                    .saturating_mul(spawns(edge, id))
                    .saturating_mul(makers);
                count = count.saturating_add(made).min(MOST + 1);
            }
        }
        self.open.pop();
        Ok(count)
    }
}

/// How many processes of a template an edge makes at most each time that it is taken. A routine that makes one may do so again and again.
fn spawns(edge: &Edge, id: TemplateId) -> u64 {
    let made = visits::effects(&edge.step).into_iter();
    let made = made.filter(|e| matches!(e, Effect::Spawn { template, .. } if *template == id));
    let count = made.count() as u64;
    match &edge.step {
        Step::Routine(_) if count > 0 => MOST + 1,
        _ => count,
    }
}

/// How often a process of the template takes an edge at most, if that is known; there are so many processes.
fn taken(model: &Model, id: TemplateId, edge: &Edge, makers: u64) -> Option<u64> {
    let template = model.template(id);
    if !is_on_cycle(template, edge, &|_| true) {
        return Some(1);
    }
    let roots = template
        .edges
        .iter()
        .filter_map(counted)
        .map(|(root, _)| root);
    let roots: Vec<&Root> = roots.collect();
    let mut bounds = roots.into_iter().filter_map(|root| {
        let counter = Counter::of(model, id, root, makers)?;
        let rest = |e: &Edge| counted(e).is_none_or(|(r, _)| *r != counter.root);
        (!is_on_cycle(template, edge, &rest)).then(|| counter.increases().saturating_add(1))
    });
    bounds.next()
}

/// Whether there is a way from the target of an edge back to its source, by edges that are kept.
fn is_on_cycle(template: &Template, edge: &Edge, kept: &impl Fn(&Edge) -> bool) -> bool {
    if !kept(edge) {
        return false;
    }
    let mut seen = BTreeSet::from([edge.target]);
    let mut open = vec![edge.target];
    while let Some(at) = open.pop() {
        if at == edge.source {
            return true;
        }
        let next = template.edges_from(at).filter(|(_, e)| kept(e));
        open.extend(next.map(|(_, e)| e.target).filter(|to| seen.insert(*to)));
    }
    false
}

/// The variable that an edge increases, if that is all that it writes, and by how much.
fn counted(edge: &Edge) -> Option<(&Root, i64)> {
    let Step::Guarded { effects, .. } = &edge.step else {
        return None;
    };
    let mut assigned = effects.iter().filter_map(|effect| match effect {
        Effect::Assign { place, value } => Some((place, value)),
        _ => None,
    });
    let (place, value) = assigned.next().filter(|(p, _)| is_variable(p))?;
    if effects.iter().flat_map(visits::effect_targets).count() > 1 {
        return None;
    }
    let ExprKind::Binary(BinaryOp::Add, left, right) = &value.kind else {
        return None;
    };
    let by = match (&left.kind, &right.kind) {
        (ExprKind::Read(read), ExprKind::Const(by)) if read.root == place.root => *by,
        (ExprKind::Const(by), ExprKind::Read(read)) if read.root == place.root => *by,
        _ => return None,
    };
    (by > 0).then_some((&place.root, by))
}

/// Whether a place is a whole variable, of globals or of the process itself.
fn is_variable(place: &Place) -> bool {
    place.path.is_empty() && matches!(place.root, Root::Global(_) | Root::Local(_))
}

/// A variable that counts.
struct Counter {
    root: Root,
    /// The least value from which it counts.
    low: i64,
    /// What it is less than wherever it is increased.
    limit: i64,
    /// How often it may be set to a constant.
    resets: u64,
}

impl Counter {
    /// The variable as a counter of the only process that writes it, if it is one.
    fn of(model: &Model, id: TemplateId, root: &Root, makers: u64) -> Option<Self> {
        let template = model.template(id);
        let variable = match root {
            Root::Global(global) if makers <= 1 => model.global(*global),
            Root::Local(local) if local.0 >= template.parameters => &template.locals[local.index()],
            _ => return None,
        };
        let (scalar, first) = start(variable)?;
        let is_global = matches!(root, Root::Global(_));
        let others = (0..).map(TemplateId).zip(&model.templates);
        let mut others = others.filter(|(other, _)| is_global && *other != id);
        if others.any(|(_, t)| t.edges.iter().any(|e| writes(e, root))) {
            return None;
        }
        let mut counter = Counter {
            root: root.clone(),
            low: first,
            limit: i64::MIN,
            resets: 0,
        };
        for edge in template.edges.iter().filter(|e| writes(e, root)) {
            counter.write(template, edge, scalar)?;
        }
        Some(counter)
    }

    /// Takes a write into account, if a counter may have it.
    fn write(&mut self, template: &Template, edge: &Edge, scalar: Scalar) -> Option<()> {
        if let Some((root, by)) = counted(edge)
            && *root == self.root
        {
            let limit = below(template, edge, root)?;
            self.limit = self.limit.max(limit);
            // It must not start again from a smaller number.
            let greatest = limit.checked_add(by)?.checked_sub(1)?;
            return (scalar.store(greatest) == Some(greatest)).then_some(());
        }
        let value = set(edge, &self.root)?;
        self.resets += 1;
        self.low = self.low.min(scalar.store(value)?);
        (!is_on_cycle(template, edge, &|_| true)).then_some(())
    }

    /// How often it is increased at most.
    fn increases(&self) -> u64 {
        let range = self.limit.saturating_sub(self.low).max(0);
        range.unsigned_abs().saturating_mul(1 + self.resets)
    }
}

/// The type of a variable of the state and what it holds at first, if that is known.
fn start(variable: &Variable) -> Option<(Scalar, i64)> {
    let Type::Scalar(scalar) = &variable.ty else {
        return None;
    };
    let kept = variable.storage == Storage::State;
    let first = first_value(&variable.initial, *scalar).filter(|_| kept)?;
    Some((*scalar, first))
}

/// Whether an edge may write a variable.
fn writes(edge: &Edge, root: &Root) -> bool {
    let mut found = false;
    visits::step_accesses(&edge.step, &mut |access, place| {
        found |= access == visits::Access::Write && place.root == *root;
    });
    found
}

/// The constant that an edge sets a variable to, if it does nothing else to it.
fn set(edge: &Edge, root: &Root) -> Option<i64> {
    let Step::Guarded { effects, .. } = &edge.step else {
        return None;
    };
    let mut found = None;
    for effect in effects {
        match effect {
            Effect::Assign { place, value } if place.root == *root => {
                let value = value.as_constant().filter(|_| is_variable(place))?;
                if found.replace(value).is_some() {
                    return None;
                }
            }
            other
                if visits::effect_targets(other)
                    .iter()
                    .any(|p| p.root == *root) =>
            {
                return None;
            }
            _ => {}
        }
    }
    found
}

/// A constant that a variable is less than when the edge is taken, if there is one: the edge asks for it, or it was asked for on
/// every way to it and nobody has written the variable since.
fn below(template: &Template, edge: &Edge, root: &Root) -> Option<i64> {
    if let Some(limit) = guarded(edge, root) {
        return Some(limit);
    }
    let mut limit = i64::MIN;
    let mut seen = BTreeSet::from([edge.source]);
    let mut open: Vec<LocationId> = vec![edge.source];
    while let Some(at) = open.pop() {
        if at == template.entry {
            return None;
        }
        for before in template.edges.iter().filter(|e| e.target == at) {
            if writes(before, root) {
                return None;
            }
            match guarded(before, root) {
                Some(own) => limit = limit.max(own),
                None if seen.insert(before.source) => open.push(before.source),
                None => {}
            }
        }
    }
    (limit > i64::MIN).then_some(limit)
}

/// The constant that the guard of an edge says a variable is less than.
fn guarded(edge: &Edge, root: &Root) -> Option<i64> {
    match &edge.step {
        Step::Guarded { guard, .. } => less_than(guard, root),
        _ => None,
    }
}

fn less_than(guard: &Expr, root: &Root) -> Option<i64> {
    let ExprKind::Binary(op, left, right) = &guard.kind else {
        return None;
    };
    if *op == BinaryOp::And {
        return less_than(left, root).or_else(|| less_than(right, root));
    }
    let is_counter =
        |e: &Expr| matches!(&e.kind, ExprKind::Read(p) if p.path.is_empty() && p.root == *root);
    match op {
        BinaryOp::Less if is_counter(left) => right.as_constant(),
        BinaryOp::LessEqual if is_counter(left) => right.as_constant()?.checked_add(1),
        BinaryOp::Greater if is_counter(right) => left.as_constant(),
        BinaryOp::GreaterEqual if is_counter(right) => left.as_constant()?.checked_add(1),
        _ => None,
    }
}
