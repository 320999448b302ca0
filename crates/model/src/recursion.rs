//! Functions that call themselves, written out.
//!
//! Their bodies cannot be put in the place of each call, so each is written once, and calls lead there. The homes of their variables are shared by
//! all levels of calls. A call from inside first saves on the stack what the caller needs afterwards; where a body ends, control goes on behind the
//! call that the stack names, which takes back what was saved.
//!
//! The stack is made of scratch arrays with a place for each level: one for each home that is ever saved, and one that says which call a level comes
//! back to. The current level is in an array of one cell: constants are not carried through arrays, so the levels are not written out one by one.
//!
//! A reference stands for a place, and code is about places. So there is a body for each combination of places that are passed; only their
//! indices may differ, which have homes as well. A variable of the caller is passed as the place on the stack where it is saved. Since
//! a part of a variable never has the type of the whole, the combinations come to an end.

use crate::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root};
use crate::function::{Call, Function, MOST_CALLS};
use crate::ids::{FunctionId, LocalId, NodeId};
use crate::inline::{Code, FAR, Inliner, Site, Substitution, extended, read};
use crate::live::live_behind;
use crate::source::Span;
use crate::template::{Choice, Effect, Step};
use crate::types::{Initial, Scalar, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// For how many combinations of places the bodies of functions that call each other are written in one place.
const MOST_BODIES: usize = 100;

/// How many cells all stacks of a template may have.
const MOST_CELLS: u64 = crate::verify::MAX_CELLS / 2;

/// Why functions that call themselves are not written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) span: Span,
}

/// The scratch variables of a template that stacks are made of.
#[derive(Default)]
pub(crate) struct Stack {
    level: Option<LocalId>,
    returns: Option<LocalId>,
    /// For each home that is ever saved: where.
    saved: BTreeMap<LocalId, LocalId>,
    /// For each function, where arguments wait until the caller is saved.
    waiting: BTreeMap<FunctionId, Vec<LocalId>>,
    /// For each function, where its result waits until the caller is back.
    outcomes: BTreeMap<FunctionId, LocalId>,
    /// The home of each index of a reference, and where it waits.
    indices: BTreeMap<(FunctionId, usize, usize), [LocalId; 2]>,
    cells: u64,
}

/// The bodies of functions that call each other, for one call from outside.
struct Region {
    functions: BTreeSet<FunctionId>,
    bodies: Vec<Body>,
    /// How many bodies are finished.
    finished: usize,
    /// The node that every body ends at.
    end: NodeId,
    /// Where control goes on behind each call, the one from outside first.
    behind: Vec<NodeId>,
}

struct Body {
    function: FunctionId,
    references: Vec<Place>,
    /// The homes of the indices of the references.
    indices: Vec<LocalId>,
    entry: NodeId,
}

impl Region {
    fn body(&self, function: FunctionId, references: &[Place]) -> Option<NodeId> {
        let mut bodies = self.bodies.iter();
        let own = bodies.find(|b| b.function == function && b.references == references);
        own.map(|body| body.entry)
    }
}

impl Inliner<'_> {
    /// Puts in the bodies of a function that calls itself. Gives the choice that leads there.
    pub(crate) fn put_in_recursive(
        &mut self,
        call: &Call,
        site: &Site,
        code: &mut Code,
        locals: &mut Vec<Variable>,
    ) -> Result<Choice, Refusal> {
        let function = self.model.function(call.function);
        let homes = self.homes(call.function, locals);
        let mut effects = self.arguments(call, function, &homes);
        let passed = call.references.clone();
        let (references, indices) = self.passed(call.function, passed, 0, locals, &mut effects);
        let mut region = Region {
            functions: self.component(call.function),
            bodies: Vec::new(),
            finished: 0,
            end: site.push(Vec::new(), code),
            behind: Vec::new(),
        };
        let back = self.back_outside(call, function, &homes, site, locals);
        let back = site.push(vec![site.choice(back, site.next)], code);
        region.behind.push(back);
        let body = (call.function, references, indices);
        let entry = self.entry(body, site, code, &mut region)?;
        let mut begin = Vec::new();
        if !site.nested {
            begin.push(store(self.level(locals), number(0, site.span)));
        }
        begin.extend(self.returns_to(0, site.span, locals));
        let first = match site.nested {
            true => Some(self.deeper(call.function, begin, entry, site, code, locals)),
            false => {
                effects.extend(begin);
                Some(entry)
            }
        };
        self.bodies(site, code, &mut region, locals)?;
        self.finish(&region, site, code, locals);
        Ok(site.choice(effects, first))
    }

    /// What is done behind the call from outside.
    fn back_outside(
        &mut self,
        call: &Call,
        function: &Function,
        homes: &[LocalId],
        site: &Site,
        locals: &mut Vec<Variable>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        if site.nested {
            effects.push(self.move_level(BinaryOp::Subtract, site.span, locals));
        }
        if let (Some(result), Some(target)) = (function.result, &call.result) {
            let from = Place::variable(Root::Local(homes[result.index()]), target.span);
            let ty = &function.locals[result.index()].ty;
            effects.extend(self.copied(target, &from, ty, target.span));
        }
        effects
    }

    /// The functions that a function calls and is called by, itself included.
    fn component(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let all = (0..self.model.functions.len()).map(FunctionId::from);
        let calls = |from: FunctionId, to: FunctionId| self.model.calls(from).contains(&to);
        all.filter(|other| calls(function, *other) && calls(*other, function))
            .collect()
    }

    /// The first node of the body for those places. If there is none yet, it will be written.
    fn entry(
        &self,
        (function, references, indices): (FunctionId, Vec<Place>, Vec<LocalId>),
        site: &Site,
        code: &mut Code,
        region: &mut Region,
    ) -> Result<NodeId, Refusal> {
        if let Some(entry) = region.body(function, &references) {
            return Ok(entry);
        }
        if region.bodies.len() >= MOST_BODIES {
            let name = &self.model.function(function).name;
            let message = format!(
                "`{name}` calls itself and is called with more than {MOST_BODIES} different variables; \
                 pass an index by value and leave the choice of the variable to the function"
            );
            let span = site.span;
            return Err(Refusal { message, span });
        }
        let entry = site.push(Vec::new(), code);
        region.bodies.push(Body {
            function,
            references,
            indices,
            entry,
        });
        Ok(entry)
    }

    /// Writes the bodies, as long as calls ask for new ones.
    fn bodies(
        &mut self,
        site: &Site,
        code: &mut Code,
        region: &mut Region,
        locals: &mut Vec<Variable>,
    ) -> Result<(), Refusal> {
        while let Some(body) = region.bodies.get(region.finished) {
            let (function, entry) = (body.function, body.entry);
            let (references, indices) = (body.references.clone(), body.indices.clone());
            let homes = self.homes(function, locals);
            let frame = Substitution {
                homes: &homes,
                references: &references,
            };
            let first = self.copy_body(function, &frame, (Some(region.end), true), code);
            let always = site.choice(Vec::new(), Some(first));
            code.routine.nodes[entry.index()].choices.push(always);
            let caller = Caller {
                function,
                homes,
                indices,
                first,
            };
            self.calls_from_inside(&caller, code, region, locals)?;
            region.finished += 1;
        }
        Ok(())
    }

    /// Leads the calls of a body that stay in the region to the bodies there.
    fn calls_from_inside(
        &mut self,
        caller: &Caller,
        code: &mut Code,
        region: &mut Region,
        locals: &mut Vec<Variable>,
    ) -> Result<(), Refusal> {
        let nodes = self.model.function(caller.function).body.nodes.len();
        for number in 0..nodes {
            let at = caller.first.index() + number;
            for choice in 0..code.routine.nodes[at].choices.len() {
                let Step::Call(call) = &code.routine.nodes[at].choices[choice].step else {
                    continue;
                };
                if region.functions.contains(&call.function) {
                    let call = call.clone();
                    let site = Site::at(code, at, choice);
                    let place = (number, choice);
                    let begun =
                        self.call_inside(&call, place, caller, &site, code, region, locals)?;
                    code.routine.nodes[at].choices[choice] = begun;
                }
            }
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a call, where it is, and what is being written"
    )]
    fn call_inside(
        &mut self,
        call: &Call,
        (node, choice): (usize, usize),
        caller: &Caller,
        site: &Site,
        code: &mut Code,
        region: &mut Region,
        locals: &mut Vec<Variable>,
    ) -> Result<Choice, Refusal> {
        let span = site.span;
        let called = self.model.function(call.function);
        let homes = self.homes(call.function, locals);
        let waiting = self.waiting(call.function, locals);
        let mut effects = self.arguments(call, called, &waiting);
        let needed = self.needed(call, (node, choice), caller);
        self.reserve(&needed, span, locals)?;
        let mut passed = Vec::new();
        for place in &call.references {
            passed.push(self.outliving(place, caller, locals));
        }
        let (references, indices) = self.passed(call.function, passed, 1, locals, &mut effects);
        effects.extend(self.exchange(&needed, Exchange::Save, span, locals));
        let entry = self.entry(
            (call.function, references, indices.clone()),
            site,
            code,
            region,
        )?;
        let number = region.behind.len();
        let mut begin = self.returns_to(number, span, locals);
        let given = called.locals.iter().take(called.parameters as usize);
        for ((home, from), parameter) in homes.iter().zip(&waiting).zip(given) {
            begin.extend(self.copied(
                &whole(*home, span),
                &whole(*from, span),
                &parameter.ty,
                span,
            ));
        }
        begin.extend(self.arrive(call.function, &indices, span));
        let deeper = self.deeper(call.function, begin, entry, site, code, locals);
        let back = self.back_inside(call, called, &homes, &needed, span, locals);
        let back = site.push(vec![site.choice(back, site.next)], code);
        region.behind.push(back);
        Ok(site.choice(effects, Some(deeper)))
    }

    /// What is done behind a call from inside: the result is put aside before the homes get back what the caller had there.
    fn back_inside(
        &mut self,
        call: &Call,
        called: &Function,
        homes: &[LocalId],
        needed: &[LocalId],
        span: Span,
        locals: &mut Vec<Variable>,
    ) -> Vec<Effect> {
        let mut effects = vec![self.move_level(BinaryOp::Subtract, span, locals)];
        let result = called.result.zip(call.result.as_ref());
        let aside = result.map(|(result, target)| {
            let ty = &called.locals[result.index()].ty;
            let aside = self.outcome(call.function, ty, locals);
            let from = whole(homes[result.index()], span);
            effects.extend(self.copied(&whole(aside, span), &from, ty, span));
            (aside, target, ty)
        });
        effects.extend(self.exchange(needed, Exchange::Restore, span, locals));
        if let Some((aside, target, ty)) = aside {
            effects.extend(self.copied(target, &whole(aside, target.span), ty, target.span));
        }
        effects
    }

    /// A node in which a call is refused if there is no level left, and goes on one level deeper if there is.
    fn deeper(
        &mut self,
        function: FunctionId,
        begin: Vec<Effect>,
        entry: NodeId,
        site: &Site,
        code: &mut Code,
        locals: &mut Vec<Variable>,
    ) -> NodeId {
        let span = site.span;
        let last = number(i64::from(MOST_CALLS) - 1, span);
        let full = Expr::binary(BinaryOp::GreaterEqual, read(self.level(locals)), last);
        let message = self.model.nested_too_deep(function);
        let refusal = Step::Guarded {
            guard: Expr { span, ..full },
            effects: vec![Effect::Fail { message }],
        };
        let refused = site.choice_of(refusal, None);
        let mut effects = vec![self.move_level(BinaryOp::Add, span, locals)];
        effects.extend(begin);
        let taken = site.choice(effects, Some(entry));
        site.push(vec![refused, taken], code)
    }

    /// The choices at the end of all bodies: one for each call.
    fn finish(
        &mut self,
        region: &Region,
        site: &Site,
        code: &mut Code,
        locals: &mut Vec<Variable>,
    ) {
        let span = site.span;
        let place = self.return_place(span, locals);
        let choice = |(call, behind): (usize, &NodeId)| {
            let equal = Expr::binary(
                BinaryOp::Equal,
                read(place.clone()),
                number(call as i64, span),
            );
            let mut choice = site.choice(Vec::new(), Some(*behind));
            // There is no other call than these, so the last one needs no condition.
            if call + 1 < region.behind.len()
                && let Step::Guarded { guard, .. } = &mut choice.step
            {
                *guard = Expr { span, ..equal };
            }
            choice
        };
        let choices = region.behind.iter().enumerate().map(choice).collect();
        code.routine.nodes[region.end.index()].choices = choices;
    }

    /// What has to be saved: the homes that the caller reads after the call or passes, and the indices of what was passed to it.
    fn needed(&self, call: &Call, at: (usize, usize), caller: &Caller) -> Vec<LocalId> {
        let function = self.model.function(caller.function);
        let live = live_behind(function, at);
        let mut needed: BTreeSet<LocalId> = live
            .iter()
            .map(|local| caller.homes[local.index()])
            .collect();
        let roots = call.references.iter().filter_map(|place| match place.root {
            Root::Local(local) if caller.homes.contains(&local) => Some(local),
            _ => None,
        });
        needed.extend(roots);
        needed.extend(&caller.indices);
        needed.into_iter().collect()
    }

    /// A place that the caller passes: on the stack, if it is one of its own.
    fn outliving(&mut self, place: &Place, caller: &Caller, locals: &mut Vec<Variable>) -> Place {
        let Root::Local(local) = place.root else {
            return place.clone();
        };
        let Some(saved) = self
            .stack
            .saved
            .get(&local)
            .filter(|_| caller.homes.contains(&local))
        else {
            return place.clone();
        };
        let root = Root::Local(*saved);
        let level = Projection::Index(read(self.level_at(place.span, locals)));
        let path = [vec![level], place.path.clone()].concat();
        Place {
            root,
            path,
            ..place.clone()
        }
    }

    /// The places of a call as the body sees them, with homes for indices that are no constants. The indices are put there, or where they
    /// wait: that is the number in the pair.
    fn passed(
        &mut self,
        function: FunctionId,
        places: Vec<Place>,
        where_to: usize,
        locals: &mut Vec<Variable>,
        effects: &mut Vec<Effect>,
    ) -> (Vec<Place>, Vec<LocalId>) {
        let (mut references, mut homes) = (Vec::new(), Vec::new());
        for (number, mut place) in places.into_iter().enumerate() {
            let span = self.model.function(function).references[number].span;
            place.span = span;
            let indices = place.path.iter_mut().filter_map(|part| match part {
                Projection::Index(index) => Some(index),
                Projection::Field(_) => None,
            });
            for (position, index) in indices.enumerate() {
                if let Some(value) = index.as_constant() {
                    *index = Expr::constant(value, span);
                    continue;
                }
                let pair = self.index_homes((function, number, position), span, locals);
                let mut target = whole(pair[where_to], index.span);
                target.span = index.span;
                effects.push(store(target, index.clone()));
                *index = read(whole(pair[0], span));
                homes.push(pair[0]);
            }
            references.push(place);
        }
        (references, homes)
    }

    /// Puts indices that wait into their homes.
    fn arrive(&self, function: FunctionId, homes: &[LocalId], span: Span) -> Vec<Effect> {
        let own = self.stack.indices.iter();
        let own = own.filter(|((of, ..), pair)| *of == function && homes.contains(&pair[0]));
        own.map(|(_, pair)| store(whole(pair[0], span), read(whole(pair[1], span))))
            .collect()
    }

    /// Assigns all cells of one place to another.
    fn copied(&self, to: &Place, from: &Place, ty: &Type, span: Span) -> Vec<Effect> {
        let paths = self.cell_paths(ty, span).into_iter();
        paths
            .map(|path| store(extended(to, &path, span), read(extended(from, &path, span))))
            .collect()
    }

    /// Saves homes at the current level, or gives them what was saved there.
    fn exchange(
        &mut self,
        homes: &[LocalId],
        exchange: Exchange,
        span: Span,
        locals: &mut Vec<Variable>,
    ) -> Vec<Effect> {
        let level = Projection::Index(read(self.level_at(span, locals)));
        let mut effects = Vec::new();
        for home in homes {
            let Some(saved) = self.stack.saved.get(home) else {
                continue;
            };
            let here = whole(*home, span);
            let there = extended(&whole(*saved, span), std::slice::from_ref(&level), span);
            let ty = locals[home.index()].ty.clone();
            effects.extend(match exchange {
                Exchange::Save => self.copied(&there, &here, &ty, span),
                Exchange::Restore => self.copied(&here, &there, &ty, span),
            });
        }
        effects
    }

    /// Makes room on the stack.
    fn reserve(
        &mut self,
        homes: &[LocalId],
        span: Span,
        locals: &mut Vec<Variable>,
    ) -> Result<(), Refusal> {
        for home in homes {
            if self.stack.saved.contains_key(home) {
                continue;
            }
            let ty = locals[home.index()].ty.clone();
            let cells = self.model.cells(&ty) as u64 * u64::from(MOST_CALLS);
            self.stack.cells = self.stack.cells.saturating_add(cells);
            if self.stack.cells > MOST_CELLS {
                let message = "the functions that call themselves have too much to save; use smaller arrays for their parameters and local \
                     variables, or write loops";
                let message = message.to_string();
                return Err(Refusal { message, span });
            }
            let array = scratch(levels_of(ty), "saved", span, locals);
            self.stack.saved.insert(*home, array);
        }
        Ok(())
    }

    fn waiting(&mut self, id: FunctionId, locals: &mut Vec<Variable>) -> Vec<LocalId> {
        let function = self.model.function(id);
        let waiting = self.stack.waiting.entry(id).or_insert_with(|| {
            let parameters = function.locals.iter().take(function.parameters as usize);
            let first = locals.len();
            locals.extend(parameters.cloned());
            (first..locals.len()).map(LocalId::from).collect()
        });
        waiting.clone()
    }

    fn outcome(&mut self, id: FunctionId, ty: &Type, locals: &mut Vec<Variable>) -> LocalId {
        let span = self.model.function(id).span;
        let outcome = self.stack.outcomes.entry(id);
        *outcome.or_insert_with(|| scratch(ty.clone(), "outcome", span, locals))
    }

    fn index_homes(
        &mut self,
        index: (FunctionId, usize, usize),
        span: Span,
        locals: &mut Vec<Variable>,
    ) -> [LocalId; 2] {
        let any = || {
            Type::Scalar(Scalar::Range {
                min: -FAR,
                max: FAR,
            })
        };
        let homes = self.stack.indices.entry(index);
        *homes.or_insert_with(|| ["index", "passed"].map(|name| scratch(any(), name, span, locals)))
    }

    /// The current level.
    fn level_at(&mut self, span: Span, locals: &mut Vec<Variable>) -> Place {
        let max = i64::from(MOST_CALLS) - 1;
        let ty = || Type::Array {
            element: Box::new(Type::Scalar(Scalar::Range { min: 0, max })),
            length: 1,
        };
        let level = &mut self.stack.level;
        let level = *level.get_or_insert_with(|| scratch(ty(), "level", span, locals));
        let only = Projection::Index(number(0, span));
        extended(&whole(level, span), &[only], span)
    }

    fn level(&mut self, locals: &mut Vec<Variable>) -> Place {
        let span = self.model.functions[0].span;
        self.level_at(span, locals)
    }

    fn move_level(&mut self, op: BinaryOp, span: Span, locals: &mut Vec<Variable>) -> Effect {
        let level = self.level_at(span, locals);
        let moved = Expr::binary(op, read(level.clone()), number(1, span));
        store(level, moved)
    }

    /// Where it is noted which call the current level comes back to.
    fn return_place(&mut self, span: Span, locals: &mut Vec<Variable>) -> Place {
        let max = i64::from(i32::MAX);
        let ty = || levels_of(Type::Scalar(Scalar::Range { min: 0, max }));
        let returns = &mut self.stack.returns;
        let returns = *returns.get_or_insert_with(|| scratch(ty(), "returns", span, locals));
        let level = Projection::Index(read(self.level_at(span, locals)));
        extended(&whole(returns, span), &[level], span)
    }

    /// Notes that the current level comes back to that call.
    fn returns_to(&mut self, call: usize, span: Span, locals: &mut Vec<Variable>) -> Vec<Effect> {
        let place = self.return_place(span, locals);
        vec![store(place, number(call as i64, span))]
    }
}

/// A body that is being written.
struct Caller {
    function: FunctionId,
    homes: Vec<LocalId>,
    /// The homes of the indices of what was passed to it.
    indices: Vec<LocalId>,
    /// The copy of its first node.
    first: NodeId,
}

#[derive(Clone, Copy)]
enum Exchange {
    Save,
    Restore,
}

/// A new scratch variable.
fn scratch(ty: Type, name: &str, span: Span, locals: &mut Vec<Variable>) -> LocalId {
    locals.push(Variable {
        name: name.into(),
        ty,
        indices: Vec::new(),
        initial: Initial::Default,
        storage: Storage::Scratch,
        span,
    });
    LocalId::from(locals.len() - 1)
}

fn levels_of(element: Type) -> Type {
    Type::Array {
        element: Box::new(element),
        length: MOST_CALLS,
    }
}

fn whole(local: LocalId, span: Span) -> Place {
    Place::variable(Root::Local(local), span)
}

fn number(value: i64, span: Span) -> Expr {
    Expr::new(ExprKind::Const(value), span)
}

fn store(place: Place, value: Expr) -> Effect {
    Effect::Assign { place, value }
}
