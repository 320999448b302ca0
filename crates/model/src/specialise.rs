//! Steps for known values: what follows from the values of parameters is decided before the model runs.
//!
//! Constants are carried from node to node of a routine, through the scratch variables that hold them. A node that is reached with different
//! constants is copied, one copy for each; so a loop that counts from one constant to another is unrolled. Only constants that some later
//! step reads tell copies apart. (Polyvariant specialisation: N. D. Jones, C. K. Gomard, P. Sestoft, *Partial Evaluation and
//! Automatic Program Generation*, 1993.)
//!
//! Nothing that may fail is carried out, and an assignment goes only if nobody reads the variable any more.

use crate::expr::{Expr, ExprKind, Pattern, Place, Root};
use crate::ids::{LocalId, NodeId};
use crate::loops::Loop;
use crate::read_later::ReadLater;
use crate::simplify::simplify;
use crate::state::Value;
use crate::template::{Choice, Edge, Effect, Node, Routine, Step, Template};
use crate::types::{Scalar, Storage, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// How many copies of nodes are made. Beyond that, only the values of parameters are carried on.
const MOST_COPIES: usize = 20_000;

/// What scratch variables are known to hold.
pub type Constants = BTreeMap<LocalId, Value>;

impl Edge {
    /// The values of the parameters in that choice, by the variables that hold them.
    pub fn constants(&self, choice: u32) -> Constants {
        let locals = self.parameters.iter().map(|parameter| parameter.local);
        locals.zip(self.chosen(choice)).collect()
    }
}

/// A routine for known values.
#[derive(Clone, Debug)]
pub struct Specialised {
    /// The routine.
    pub routine: Routine,
    /// For each node, the one that it is a copy of.
    pub copied: Vec<NodeId>,
}

/// The scratch variables whose constants are carried on.
#[derive(Clone, Copy, Debug)]
pub enum Followed<'a> {
    /// All of one cell.
    All,
    /// These.
    Only(&'a BTreeSet<LocalId>),
}

impl Followed<'_> {
    fn contains(self, local: LocalId) -> bool {
        match self {
            Followed::All => true,
            Followed::Only(locals) => locals.contains(&local),
        }
    }
}

/// The routine, where some scratch variables hold constants that nothing assigns to.
pub fn specialise(
    template: &Template,
    routine: &Routine,
    known: &Constants,
    followed: Followed<'_>,
) -> Specialised {
    let mut work = Specialiser {
        template,
        routine,
        known,
        kept: kept_loops(routine),
        followed,
        live: ReadLater::new(template, routine),
        numbers: HashMap::new(),
        waiting: VecDeque::new(),
        copied: Vec::new(),
    };
    work.copy_of(NodeId(0), known.clone());
    let mut nodes = Vec::new();
    while let Some((node, constants)) = work.waiting.pop_front() {
        nodes.push(work.node(node, &constants));
    }
    let mut routine = Routine {
        loops: work.loops(),
        nodes,
    };
    drop_unread(template, &mut routine);
    Specialised {
        routine,
        copied: work.copied,
    }
}

struct Specialiser<'m> {
    template: &'m Template,
    routine: &'m Routine,
    /// The values of parameters.
    known: &'m Constants,
    /// The variables of loops that are too large to be unrolled: what they hold is not carried on.
    kept: BTreeSet<LocalId>,
    followed: Followed<'m>,
    /// For each node, the scratch variables that are read there or later before they are assigned to.
    live: ReadLater,
    numbers: HashMap<(NodeId, Constants), NodeId>,
    /// Copies that have a number but are not made yet, in the order of their numbers.
    waiting: VecDeque<(NodeId, Constants)>,
    copied: Vec<NodeId>,
}

impl Specialiser<'_> {
    /// Whether constants in a variable are carried on.
    fn is_followed(&self, local: LocalId) -> bool {
        self.followed.contains(local) && !self.kept.contains(&local)
    }

    /// The copies of loops that go on counting.
    fn loops(&self) -> Vec<Loop> {
        let kept = self.routine.loops.iter();
        let kept = kept.filter(|each| !self.is_followed(each.position));
        let copies = kept.flat_map(|each| {
            let copies = (0..).map(NodeId).zip(&self.copied);
            let heads = copies.filter(|(_, original)| **original == each.head);
            heads.map(|(head, _)| Loop {
                head,
                ..each.clone()
            })
        });
        copies.collect()
    }

    /// The copy of a node for those constants.
    fn copy_of(&mut self, node: NodeId, mut constants: Constants) -> NodeId {
        let live = &self.live;
        let full = self.copied.len() >= MOST_COPIES;
        let known = self.known;
        constants
            .retain(|local, _| known.contains_key(local) || (!full && live.contains(node, *local)));
        let next = NodeId::from(self.copied.len());
        let key = (node, constants);
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        self.copied.push(node);
        self.waiting.push_back(key.clone());
        self.numbers.insert(key, next);
        next
    }

    fn node(&mut self, node: NodeId, constants: &Constants) -> Node {
        let original = &self.routine.nodes[node.index()];
        let mut choices = Vec::new();
        for choice in &original.choices {
            let choice = self.choice(choice, constants.clone());
            let certain = is_certain(&choice.step);
            choices.push(choice);
            if certain {
                break;
            }
        }
        Node {
            choices,
            ..original.clone()
        }
    }

    fn choice(&mut self, original: &Choice, mut constants: Constants) -> Choice {
        let mut step = original.step.clone();
        match &mut step {
            Step::Guarded { guard, effects } => {
                put_in(guard, &constants);
                // What is behind a guard that never holds need not be copied.
                if guard.as_constant() == Some(0) {
                    effects.clear();
                    return Choice {
                        step,
                        next: None,
                        ..original.clone()
                    };
                }
                effects
                    .iter_mut()
                    .for_each(|e| self.effect(e, &mut constants));
            }
            other => {
                other.each_expr_mut(&mut |expr| put_in_one(expr, &constants));
                let written = written_by_step(other);
                constants.retain(|local, _| !written.contains(local));
            }
        }
        Choice {
            step,
            next: original.next.map(|next| self.copy_of(next, constants)),
            ..original.clone()
        }
    }

    /// Puts constants into an effect, and notes what is known after it.
    fn effect(&self, effect: &mut Effect, constants: &mut Constants) {
        if let Effect::Insert(insertion) = &*effect
            && let Some(position) = local_of(&insertion.position)
        {
            // The cells of the new element are at the position that is noted first.
            constants.remove(&position);
        }
        effect.each_expr_mut(&mut |expr| put_in_one(expr, constants));
        for local in written(effect) {
            constants.remove(&local);
        }
        if let Effect::Assign { place, value } = effect
            && let Some((local, scalar)) = scratch(self.template, place)
            && self.is_followed(local)
            && let Some(stored) = value.as_constant().and_then(|value| scalar.store(value))
            && !self.kept.contains(&local)
        {
            constants.insert(local, stored);
        }
    }
}

/// How many statements a loop may become when it is unrolled, with those inside it. A larger one goes on counting.
const MOST_UNROLLED: u64 = 20_000;

/// The variables that count in loops which are too large to be unrolled.
fn kept_loops(routine: &Routine) -> BTreeSet<LocalId> {
    let mut kept = BTreeSet::new();
    for each in &routine.loops {
        if unrolled_size(routine, each) > MOST_UNROLLED {
            kept.extend([each.variable, each.position]);
        }
    }
    kept
}

/// How many choices a loop has when it and the loops inside it are unrolled.
fn unrolled_size(routine: &Routine, each: &Loop) -> u64 {
    let body = routine.body_of(each);
    let inner = routine.loops.iter().filter(|l| body.contains(&l.head));
    let times = inner.map(|l| l.values.count().max(1));
    let times = times.fold(each.values.count(), u64::saturating_mul);
    let choices = body
        .iter()
        .map(|n| routine.nodes[n.index()].choices.len() as u64);
    times.saturating_mul(choices.sum::<u64>().saturating_add(1))
}

fn is_certain(step: &Step) -> bool {
    matches!(step, Step::Guarded { guard, .. } if guard.as_constant().is_some_and(|v| v != 0))
}

/// The scratch variable of one cell that a place is.
fn scratch(template: &Template, place: &Place) -> Option<(LocalId, Scalar)> {
    let Root::Local(local) = place.root else {
        return None;
    };
    let variable = &template.locals[local.index()];
    match variable.ty {
        Type::Scalar(scalar) if variable.storage == Storage::Scratch => Some((local, scalar)),
        _ => None,
    }
}

/// Puts constants into an expression, decides what is known then, and writes quantifiers out.
pub fn put_in(expr: &mut Expr, constants: &Constants) {
    expr.each_mut(&mut |part| put_in_one(part, constants));
}

/// Puts constants into an expression, whose quantifiers stay.
pub fn put_constants(expr: &mut Expr, constants: &Constants) {
    expr.each_mut(&mut |part| put_constant(part, constants));
}

fn put_constant(expr: &mut Expr, constants: &Constants) {
    if let ExprKind::Read(place) = &expr.kind
        && let Root::Local(local) = place.root
        && let Some(value) = constants.get(&local)
    {
        expr.kind = ExprKind::Const(*value);
    }
    simplify(expr);
}

/// [`put_in`] for an expression whose parts are done.
pub(crate) fn put_in_one(expr: &mut Expr, constants: &Constants) {
    put_constant(expr, constants);
    if let ExprKind::Quantified(quantified) = &expr.kind {
        *expr = quantified.written_out(expr.span);
    }
}

/// The local variables that an effect assigns to, in whole or in part.
fn written(effect: &Effect) -> Vec<LocalId> {
    let places: Vec<&Place> = match effect {
        Effect::Assign { place, .. } => vec![place],
        Effect::Spawn { result, .. } => result.iter().collect(),
        Effect::Insert(insertion) => {
            let cells = insertion.cells.iter().map(|(place, _)| place);
            cells.chain([&insertion.position]).collect()
        }
        Effect::Assert { .. }
        | Effect::Print { .. }
        | Effect::SetPriority { .. }
        | Effect::Fail { .. }
        | Effect::Abandon => Vec::new(),
    };
    places.into_iter().filter_map(local_of).collect()
}

fn written_by_step(step: &Step) -> BTreeSet<LocalId> {
    match step {
        Step::Receive { patterns, .. } => {
            let bound = patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Bind(place) => local_of(place),
                Pattern::Match(_) | Pattern::Ignore => None,
            });
            bound.collect()
        }
        Step::Call(call) => {
            let places = call.references.iter().chain(&call.result);
            places.filter_map(local_of).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The local variables that a step passes to a function, which may read them.
fn passed_by_step(step: &Step) -> impl Iterator<Item = LocalId> {
    let places = match step {
        Step::Call(call) => call.references.as_slice(),
        _ => &[],
    };
    places.iter().filter_map(local_of)
}

fn local_of(place: &Place) -> Option<LocalId> {
    match place.root {
        Root::Local(local) => Some(local),
        _ => None,
    }
}

/// Takes out assignments of constants to scratch variables that nobody reads.
fn drop_unread(template: &Template, routine: &mut Routine) {
    let mut read = BTreeSet::new();
    for choice in routine.nodes.iter_mut().flat_map(|node| &mut node.choices) {
        read.extend(passed_by_step(&choice.step));
        choice.step.each_expr_mut(&mut |expr| {
            if let ExprKind::Read(place) = &expr.kind {
                read.extend(local_of(place));
            }
        });
    }
    let is_idle = |effect: &Effect| match effect {
        Effect::Assign { place, value } => {
            scratch(template, place).is_some_and(|(local, scalar)| {
                let fits = value.as_constant().and_then(|value| scalar.store(value));
                fits.is_some() && !read.contains(&local)
            })
        }
        _ => false,
    };
    for choice in routine.nodes.iter_mut().flat_map(|node| &mut node.choices) {
        if let Step::Guarded { effects, .. } = &mut choice.step {
            effects.retain(|effect| !is_idle(effect));
        }
    }
}
