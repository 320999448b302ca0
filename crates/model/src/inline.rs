//! Bodies in the place of calls.
//!
//! A call becomes assignments of its arguments, a copy of the body, and an assignment of the result. The variables of a function that does not call
//! itself are in use once at a time, so all copies in a template share one set of scratch variables, the *homes* of the function.
//! A reference becomes the place that is passed; an index of it is saved first if the body could change what it reads.
//!
//! One [round](Inliner::expand) puts in the bodies of the calls that are there, and leaves those inside of the bodies for the next. Constants are
//! [carried on](crate::specialise) in between, so that what a constant argument rules out is never put in. Functions that call themselves have a
//! [stack](crate::recursion), and in rules that keep their parameters, the calls of long ones [share](crate::shared) a body.

use crate::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use crate::function::{Call, Function};
use crate::ids::{CodeId, FunctionId, LocalId, NodeId};
use crate::loops::Loop;
use crate::model::Model;
use crate::recursion::{Refusal, Stack};
use crate::shared::Shared;
use crate::source::Span;
use crate::specialise::{Constants, Followed, specialise};
use crate::template::{Choice, Effect, Node, Routine, Step, Template};
use crate::types::{Initial, Scalar, Storage, Type, Variable};
use std::collections::{BTreeSet, HashMap};

/// How far from 0 an index may be that is saved. (The values of a range must be countable in 63 bits.)
pub(crate) const FAR: i64 = 1 << 61;

/// A routine in the making, with the node that each of its nodes is a copy of.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) routine: Routine,
    pub(crate) origins: Vec<(CodeId, NodeId)>,
    /// For each node, whether it is executed inside of a call of a function that calls itself.
    pub(crate) nested: Vec<bool>,
}

impl Code {
    /// A routine that is not changed yet.
    pub(crate) fn new(routine: Routine, id: CodeId) -> Self {
        let nodes = (0..).map(NodeId).take(routine.nodes.len());
        Code {
            origins: nodes.map(|node| (id, node)).collect(),
            nested: vec![false; routine.nodes.len()],
            routine,
        }
    }

    /// The function that some call in it calls.
    pub(crate) fn called(&self) -> Option<FunctionId> {
        self.routine.calls().next().map(|call| call.function)
    }

    /// The code for known values, with constants carried on.
    pub(crate) fn specialised(
        &self,
        template: &Template,
        known: &Constants,
        followed: Followed<'_>,
    ) -> Self {
        let special = specialise(template, &self.routine, known, followed);
        let copied = || special.copied.iter().map(|node| node.index());
        Code {
            origins: copied().map(|node| self.origins[node]).collect(),
            nested: copied().map(|node| self.nested[node]).collect(),
            routine: special.routine,
        }
    }

    pub(crate) fn push(&mut self, node: Node, origin: (CodeId, NodeId), nested: bool) {
        self.routine.nodes.push(node);
        self.origins.push(origin);
        self.nested.push(nested);
    }
}

/// Puts bodies in the place of calls, in the routines of one template.
pub(crate) struct Inliner<'m> {
    pub(crate) model: &'m Model,
    homes: HashMap<FunctionId, Vec<LocalId>>,
    /// The homes of parameters of functions that do not call themselves.
    given: BTreeSet<LocalId>,
    pub(crate) stack: Stack,
    pub(crate) shared: Shared,
}

impl<'m> Inliner<'m> {
    /// Whoever puts bodies in, with one for calls that share it.
    pub(crate) fn new(model: &'m Model, shared: Shared) -> Self {
        Inliner {
            model,
            homes: HashMap::new(),
            given: BTreeSet::new(),
            stack: Stack::default(),
            shared,
        }
    }

    /// The variables that get nothing but arguments.
    pub(crate) fn given(&self) -> &BTreeSet<LocalId> {
        &self.given
    }

    /// Puts in the bodies of all calls. Homes are added to the local variables of the template.
    pub(crate) fn expand(
        &mut self,
        mut code: Code,
        locals: &mut Vec<Variable>,
    ) -> Result<Code, Refusal> {
        for number in 0..code.routine.nodes.len() {
            for choice in 0..code.routine.nodes[number].choices.len() {
                let Step::Call(call) = &code.routine.nodes[number].choices[choice].step else {
                    continue;
                };
                let call = call.clone();
                let site = Site::at(&code, number, choice);
                let entered = if self.model.is_recursive(call.function) {
                    self.put_in_recursive(&call, &site, &mut code, locals)?
                } else if self.is_shared(call.function) {
                    self.put_in_shared(&call, (&site, number, choice), &mut code, locals)
                } else {
                    self.put_in(&call, &site, &mut code, locals)
                };
                code.routine.nodes[number].choices[choice] = entered;
            }
        }
        Ok(code)
    }

    /// Puts in a body. Gives the choice that leads there.
    fn put_in(
        &mut self,
        call: &Call,
        site: &Site,
        code: &mut Code,
        locals: &mut Vec<Variable>,
    ) -> Choice {
        let function = self.model.function(call.function);
        let mut homes = self.homes(call.function, locals);
        let behind = match self.direct_result(call, function, locals) {
            Some((result, target)) => {
                homes[result.index()] = target;
                site.next
            }
            None => self.behind(call, function, &homes, site, code),
        };
        let mut effects = self.arguments(call, function, &homes);
        let references = self.references(call, locals, &mut effects);
        let frame = Substitution {
            homes: &homes,
            references: &references,
        };
        let entry = self.copy_body(call.function, &frame, (behind, site.nested), code);
        site.choice(effects, Some(entry))
    }

    /// Adds a copy of the body of a function that goes on there. Gives its first node.
    pub(crate) fn copy_body(
        &self,
        id: FunctionId,
        frame: &Substitution<'_>,
        (behind, nested): (Option<NodeId>, bool),
        code: &mut Code,
    ) -> NodeId {
        let entry = NodeId::from(code.routine.nodes.len());
        let nodes = &self.model.function(id).body.nodes;
        for (number, node) in (0..).map(NodeId).zip(nodes) {
            let copy = frame.node(node, entry, behind);
            code.push(copy, (CodeId::Function(id), number), nested);
        }
        let loops = self.model.function(id).body.loops.iter();
        let loops = loops.map(|each| Loop {
            head: NodeId(entry.0 + each.head.0),
            variable: frame.homes[each.variable.index()],
            position: frame.homes[each.position.index()],
            ..each.clone()
        });
        code.routine.loops.extend(loops);
        entry
    }

    /// The homes of the variables of a function.
    pub(crate) fn homes(&mut self, id: FunctionId, locals: &mut Vec<Variable>) -> Vec<LocalId> {
        if let Some(homes) = self.homes.get(&id) {
            return homes.clone();
        }
        let function = self.model.function(id);
        let first = locals.len();
        locals.extend(function.locals.iter().cloned());
        let homes: Vec<LocalId> = (first..locals.len()).map(LocalId::from).collect();
        if !self.model.is_recursive(id) {
            self.given.extend(&homes[..function.parameters as usize]);
        }
        self.homes.insert(id, homes.clone());
        homes
    }

    /// The result of a function and the variable of the caller that may as well hold it from the begin: a whole variable that nothing in the call
    /// refers to, with room for whatever the result may be.
    fn direct_result(
        &self,
        call: &Call,
        function: &Function,
        locals: &[Variable],
    ) -> Option<(LocalId, LocalId)> {
        let (result, target) = (function.result?, call.result.as_ref()?);
        let Root::Local(target_id) = target.root else {
            return None;
        };
        let is_passed = |place: &Place| place.root == target.root || reads(place, target_id);
        let room = has_room(
            &locals[target_id.index()].ty,
            &function.locals[result.index()].ty,
        );
        let is_parameter = result.index() < function.parameters as usize;
        let free = !is_parameter && !call.references.iter().any(is_passed);
        (target.path.is_empty() && room && free).then_some((result, target_id))
    }

    /// The node in which the result is put where it is wanted, if there is one.
    pub(crate) fn behind(
        &self,
        call: &Call,
        function: &Function,
        homes: &[LocalId],
        site: &Site,
        code: &mut Code,
    ) -> Option<NodeId> {
        let (Some(result), Some(target)) = (function.result, &call.result) else {
            return site.next;
        };
        let from = Place::variable(Root::Local(homes[result.index()]), target.span);
        let paths = self.cell_paths(&function.locals[result.index()].ty, target.span);
        let effects = paths.into_iter().map(|path| Effect::Assign {
            place: extended(target, &path, target.span),
            value: read(extended(&from, &path, target.span)),
        });
        let choice = site.choice(effects.collect(), site.next);
        Some(site.push(vec![choice], code))
    }

    /// The assignments of arguments.
    pub(crate) fn arguments(
        &self,
        call: &Call,
        function: &Function,
        homes: &[LocalId],
    ) -> Vec<Effect> {
        let parameters = homes.iter().zip(&function.locals);
        let cells = parameters
            .take(function.parameters as usize)
            .flat_map(|(home, variable)| {
                let paths = self.cell_paths(&variable.ty, variable.span).into_iter();
                paths.map(|path| Place {
                    root: Root::Local(*home),
                    path,
                    span: variable.span,
                })
            });
        let pairs = cells.zip(&call.arguments);
        let assign = |(place, value): (Place, &Expr)| Effect::Assign {
            place: Place {
                span: value.span,
                ..place
            },
            value: value.clone(),
        };
        pairs.map(assign).collect()
    }

    /// The places that are passed, with the indices saved that may change before they are used.
    fn references(
        &self,
        call: &Call,
        locals: &mut Vec<Variable>,
        effects: &mut Vec<Effect>,
    ) -> Vec<Place> {
        let passed: Vec<&Root> = call.references.iter().map(|place| &place.root).collect();
        let mut save = |place: &Place| {
            let mut place = place.clone();
            for part in &mut place.path {
                if let Projection::Index(index) = part
                    && !is_steady(index, &passed, locals)
                {
                    *index = saved(index, locals, effects);
                }
            }
            place
        };
        call.references.iter().map(&mut save).collect()
    }

    /// The ways to the cells of a type, in order.
    pub(crate) fn cell_paths(&self, ty: &Type, span: Span) -> Vec<Vec<Projection>> {
        match ty {
            Type::Scalar(_) => vec![Vec::new()],
            Type::Record(id) => {
                let fields = (0..).zip(&self.model.record(*id).fields);
                let cells = fields.flat_map(|(number, field)| {
                    let inside = self.cell_paths(&field.ty, span).into_iter();
                    inside.map(move |path| [vec![Projection::Field(number)], path].concat())
                });
                cells.collect()
            }
            Type::Array { element, length } => {
                let inside = self.cell_paths(element, span);
                let cells = (0..*length).flat_map(|position| {
                    let index = Projection::Index(Expr::constant(position.into(), span));
                    let cells = inside.iter();
                    cells.map(move |path| [vec![index.clone()], path.clone()].concat())
                });
                cells.collect()
            }
        }
    }
}

/// Where a call is.
pub(crate) struct Site {
    /// The number and the place in the source of its node.
    number: u32,
    node_span: Span,
    /// Where to go on behind it.
    pub(crate) next: Option<NodeId>,
    text: String,
    pub(crate) span: Span,
    pub(crate) origin: (CodeId, NodeId),
    /// Whether it is inside of a call of a function that calls itself.
    pub(crate) nested: bool,
}

impl Site {
    /// That choice of that node.
    pub(crate) fn at(code: &Code, node: usize, choice: usize) -> Self {
        let at = &code.routine.nodes[node];
        let choice = &at.choices[choice];
        Site {
            number: at.number,
            node_span: at.span,
            next: choice.next,
            text: choice.text.clone(),
            span: choice.span,
            origin: code.origins[node],
            nested: code.nested[node],
        }
    }

    /// A choice that is always taken in the place of the call.
    pub(crate) fn choice(&self, effects: Vec<Effect>, next: Option<NodeId>) -> Choice {
        let guard = Expr::constant(1, self.span);
        self.choice_of(Step::Guarded { guard, effects }, next)
    }

    /// A choice in the place of the call.
    pub(crate) fn choice_of(&self, step: Step, next: Option<NodeId>) -> Choice {
        Choice {
            step,
            next,
            text: self.text.clone(),
            span: self.span,
        }
    }

    /// Adds a node at the same place in the source.
    pub(crate) fn push(&self, choices: Vec<Choice>, code: &mut Code) -> NodeId {
        let node = Node {
            choices,
            quiet: false,
            number: self.number,
            span: self.node_span,
        };
        code.push(node, self.origin, self.nested);
        NodeId::from(code.routine.nodes.len() - 1)
    }
}

/// What the variables and references of a function are in a copy of its body.
pub(crate) struct Substitution<'a> {
    pub(crate) homes: &'a [LocalId],
    pub(crate) references: &'a [Place],
}

impl Substitution<'_> {
    /// A node of a copy that begins at `entry` and ends at `behind`.
    fn node(&self, node: &Node, entry: NodeId, behind: Option<NodeId>) -> Node {
        let mut copy = node.clone();
        for choice in &mut copy.choices {
            self.step(&mut choice.step);
            choice.next = match choice.next {
                Some(next) => Some(NodeId(entry.0 + next.0)),
                None if ends_the_step(&choice.step) => None,
                None => behind,
            };
        }
        copy
    }

    fn step(&self, step: &mut Step) {
        step.each_expr_mut(&mut |expr| match &mut expr.kind {
            ExprKind::Read(place) => self.place(place),
            ExprKind::Poll { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.place(place);
                    }
                }
            }
            _ => {}
        });
        step.each_target_mut(&mut |place| self.place(place));
    }

    /// A place whose indices are substituted already.
    fn place(&self, place: &mut Place) {
        match place.root {
            Root::Local(local) => place.root = Root::Local(self.homes[local.index()]),
            Root::Reference(number) => {
                let passed = &self.references[number as usize];
                let path = std::mem::take(&mut place.path);
                *place = extended(passed, &path, place.span);
            }
            Root::Global(_) | Root::Remote { .. } | Root::OwnPriority => {}
        }
    }
}

/// Whether nothing comes after it: there is no state after the step.
fn ends_the_step(step: &Step) -> bool {
    let ends = |effect: &Effect| matches!(effect, Effect::Fail { .. } | Effect::Abandon);
    matches!(step, Step::Guarded { effects, .. } if effects.iter().any(ends))
}

/// A part of what is at a place.
pub(crate) fn extended(place: &Place, path: &[Projection], span: Span) -> Place {
    let mut part = place.clone();
    part.path.extend_from_slice(path);
    part.span = span;
    part
}

pub(crate) fn read(place: Place) -> Expr {
    let span = place.span;
    Expr::new(ExprKind::Read(place), span)
}

/// Whether an index of the place reads a local variable.
fn reads(place: &Place, local: LocalId) -> bool {
    let mut found = false;
    place.walk(&mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Read(inner) if inner.root == Root::Local(local));
    });
    found
}

/// Whether a variable of the one type has room for all values of the other.
fn has_room(target: &Type, result: &Type) -> bool {
    if target == result {
        return true;
    }
    match (target, result) {
        (Type::Scalar(target @ Scalar::Range { .. }), Type::Scalar(result)) => {
            let (inner, outer) = (result.limits(), target.limits());
            let within = inner.zip(outer);
            within.is_some_and(|(inner, outer)| outer.0 <= inner.0 && inner.1 <= outer.1)
        }
        _ => false,
    }
}

/// Whether an index has the same value throughout a call: it is made of constants and of scratch variables of one cell, which nothing else
/// writes to unless they are passed.
pub(crate) fn is_steady(index: &Expr, passed: &[&Root], locals: &[Variable]) -> bool {
    let mut steady = true;
    index.walk(&mut |expr| {
        steady &= match &expr.kind {
            ExprKind::Const(_) | ExprKind::Binary(..) => true,
            ExprKind::Read(place) => match place.root {
                Root::Local(local) => {
                    let scratch = locals[local.index()].storage == Storage::Scratch;
                    scratch && place.path.is_empty() && !passed.contains(&&place.root)
                }
                _ => false,
            },
            _ => false,
        };
    });
    steady && cannot_fail(index)
}

/// Whether it can as well be evaluated later: sums of constants and cells.
fn cannot_fail(index: &Expr) -> bool {
    use crate::expr::BinaryOp::{Add, Subtract};
    match &index.kind {
        ExprKind::Binary(Add | Subtract, left, right) => cannot_fail(left) && cannot_fail(right),
        ExprKind::Binary(..) => false,
        _ => true,
    }
}

/// Saves an index. Gives what reads it.
fn saved(index: &Expr, locals: &mut Vec<Variable>, effects: &mut Vec<Effect>) -> Expr {
    let home = index_home(index.span, locals);
    let place = Place::variable(Root::Local(home), index.span);
    effects.push(Effect::Assign {
        place: place.clone(),
        value: index.clone(),
    });
    read(place)
}

/// A new variable for an index.
pub(crate) fn index_home(span: Span, locals: &mut Vec<Variable>) -> LocalId {
    locals.push(Variable {
        name: "index".into(),
        ty: Type::Scalar(Scalar::Range {
            min: -FAR,
            max: FAR,
        }),
        indices: Vec::new(),
        initial: Initial::Default,
        storage: Storage::Scratch,
        span,
    });
    LocalId::from(locals.len() - 1)
}
