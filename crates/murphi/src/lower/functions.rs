//! Functions and procedures of the model: each is lowered once, however often it is called.
//!
//! A parameter that holds a copy is a variable of the frame, a `var` parameter is a reference, and local variables begin undefined in every call.
//! What a body is lowered to depends on the types of the places that are passed and on what a failing `assume` does, so there is one function
//! for each combination of these ([`Variant`]).
//!
//! Multisets are no variables of the model but positions in pools. So a place that has multisets in it, or is a part of a chosen element,
//! is not passed as a place: there is a function for each pool, and the indices on the way are values. A function that removes elements, or gets one,
//! also gets the positions of the elements that the rule has chosen, and the flags that say whether they are gone.

use super::build::constant;
use super::calls::Target;
use super::choices::{Choices, Chosen};
use super::flow::{Flow, Label};
use super::number::Bounds;
use super::places::{Indices, Spot};
use super::properties::CodeName;
use super::scratch::{ANY, Scratch, any_number};
use super::value::{Value, local_place};
use super::{Assuming, Lowering, Meaning};
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    self, Argument, Expr, ExprKind, FunctionId, Program, StmtKind, TypeId, VariableId,
};
use mandala_model::expr::{
    Expr as Lowered, ExprKind as LoweredKind, Place as Cell, Projection, Root, UnaryOp,
};
use mandala_model::findings::{Fallible, error};
use mandala_model::function::{Call, Function};
use mandala_model::ids::{FunctionId as ModelFunctionId, GlobalId, LocalId};
use mandala_model::parameters::{Parameter, Values};
use mandala_model::source::Span;
use mandala_model::template::Routine;
use mandala_model::types::{ArrayIndex, Initial, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The functions that are lowered.
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) table: Vec<Function>,
    known: HashMap<Variant, LoweredFunction>,
    /// Which functions call themselves.
    recursive: Vec<bool>,
}

/// A function and what its body depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Variant {
    function: FunctionId,
    /// What a failing `assume` does, if there is one.
    assuming: Option<Assuming>,
    /// What is passed to its `var` parameters.
    passed: Vec<Passed>,
    /// The elements of multisets, chosen around the rule, that the function is told of, with their pools.
    chosen: Vec<(VariableId, GlobalId)>,
}

/// What is passed to a `var` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Passed {
    /// A place of that type.
    Reference(TypeId),
    /// A place that has to do with multisets.
    Known {
        global: GlobalId,
        /// The way from there: fields, and nothing for indices, which are values.
        path: Vec<Option<u32>>,
        slot: Option<VariableId>,
        ty: TypeId,
    },
}

/// What callers know of a function that is lowered.
#[derive(Clone, Debug)]
struct LoweredFunction {
    id: ModelFunctionId,
    /// Between which values the result is, if it is a number.
    bounds: Option<Bounds>,
    /// The local variables with multisets that it has used.
    used_multisets: BTreeSet<VariableId>,
}

/// What is given in a call.
#[derive(Default)]
struct Given {
    /// The cells of copies.
    values: Vec<Lowered>,
    passed: Vec<Passed>,
    references: Vec<Cell>,
    /// Indices on the way to multisets, and positions.
    positions: Vec<Lowered>,
}

/// What is lowered around a function that is called for the first time.
struct Around {
    flow: Flow,
    scratch: Scratch,
    typed_locals: BTreeMap<LocalId, TypeId>,
    choices: Choices,
    used_multisets: BTreeSet<VariableId>,
    parameters: Vec<Parameter>,
    loops: Vec<(LocalId, Values)>,
    bound: Vec<Values>,
    frames: Vec<super::calls::Frame>,
    label: Label,
}

impl Functions {
    pub(super) fn new(program: &Program) -> Functions {
        let functions = (0..program.functions.len()).map(FunctionId::from);
        Functions {
            table: Vec::new(),
            known: HashMap::new(),
            recursive: functions.map(|id| calls_itself(program, id)).collect(),
        }
    }

    /// Whether a function calls itself. All others that it calls are declared before it.
    pub(super) fn is_recursive(&self, id: FunctionId) -> bool {
        self.recursive.get(id.index()).is_some_and(|r| *r)
    }
}

fn calls_itself(program: &Program, id: FunctionId) -> bool {
    let body = program.function(id).body.iter().map(Part::Stmt);
    any_part(program, body, |part| match part {
        Part::Stmt(stmt) => matches!(stmt.kind, StmtKind::Call(callee, _) if callee == id),
        Part::Expr(expr) => matches!(expr.kind, ExprKind::Call(callee, _) if callee == id),
    })
}

impl Lowering<'_> {
    /// A call of a function. The value is that of its result.
    pub(super) fn function_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Fallible<Option<Value>> {
        let mut given = self.given(id, arguments)?;
        let chosen = self.told_of(id, &mut given);
        let function = self.lowered_function(Variant {
            function: id,
            assuming: self.function_assumes(id).then_some(self.assuming),
            passed: given.passed,
            chosen,
        })?;
        self.used_multisets.extend(&function.used_multisets);
        if self.removes(id) {
            self.choices.all_removed();
        }
        let target = self.program.function(id).result;
        let target = target.map(|ty| self.result_of(ty, function.bounds, span));
        let target = target.transpose()?;
        let call = Call {
            function: function.id,
            arguments: [given.values, given.positions].concat(),
            references: given.references,
            result: target.as_ref().map(Target::place),
        };
        self.flow.call(call, &self.label);
        Ok(target.map(|target| self.result_value(target)))
    }

    /// The chosen elements that a function is told of: all if it removes some, or gets one.
    fn told_of(&self, id: FunctionId, given: &mut Given) -> Vec<(VariableId, GlobalId)> {
        let is_element = |passed: &Passed| matches!(passed, Passed::Known { slot: Some(_), .. });
        if !self.removes(id) && !given.passed.iter().any(is_element) {
            return Vec::new();
        }
        let span = self.label.span;
        let mut told = Vec::new();
        for (variable, chosen) in self.choices.chosen() {
            given.positions.push(chosen.position.clone());
            given
                .references
                .push(Cell::variable(chosen.gone.clone(), span));
            told.push((*variable, chosen.pool));
        }
        told
    }

    /// Where the result of a call goes.
    fn result_of(&mut self, ty: TypeId, bounds: Option<Bounds>, span: Span) -> Fallible<Target> {
        if !self.program.types.is_number(ty) {
            return Ok(Target::Typed(self.temporary(ty, "result", span)?));
        }
        Ok(Target::Number {
            local: self.scratch.take_number(bounds.unwrap_or((0, 0)), span),
            bounds,
            span,
        })
    }

    /// What is given in a call.
    fn given(&mut self, id: FunctionId, arguments: &[Argument]) -> Fallible<Given> {
        let parameters = &self.program.function(id).parameters;
        let mut given = Given::default();
        for (number, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let ty = self.program.variable(*parameter).ty;
            let simple = self.program.types.is_simple(ty);
            match argument {
                Argument::Reference(place) => {
                    let spot = self.spot(place, Indices::Saved)?;
                    self.pass(&spot, &mut given);
                }
                Argument::Value(value) => {
                    let now = self.has_code(&arguments[number + 1..]);
                    match simple {
                        true => given.values.push(self.given_value(*parameter, value, now)?),
                        false => {
                            let spot = self.given_whole(*parameter, value, now)?;
                            given.pass_copy(&spot);
                        }
                    }
                }
                Argument::Undefined if simple => {
                    given.values.push(constant(0, self.label.span));
                }
                Argument::Undefined => {
                    let spot = self.temporary(ty, "undefined", self.label.span)?;
                    self.undefine(&spot);
                    given.pass_copy(&spot);
                }
            }
        }
        Ok(given)
    }

    /// Passes a place.
    fn pass(&self, spot: &Spot, given: &mut Given) {
        let place = spot.place();
        let global = match place.root {
            Root::Global(global) if self.has_multiset(spot.ty) || spot.slot().is_some() => global,
            _ => {
                given.passed.push(Passed::Reference(spot.ty));
                given.references.push(place);
                return;
            }
        };
        let mut path = Vec::new();
        for part in place.path {
            path.push(match part {
                Projection::Field(field) => Some(field),
                Projection::Index(position) => {
                    given.positions.push(position);
                    None
                }
            });
        }
        given.passed.push(Passed::Known {
            global,
            path,
            slot: spot.slot(),
            ty: spot.ty,
        });
    }

    /// True if code is added for some of the arguments.
    fn has_code(&mut self, arguments: &[Argument]) -> bool {
        arguments.iter().any(|argument| match argument {
            Argument::Reference(place) => !place.projections.is_empty(),
            Argument::Value(value) => self.needs_flow(value),
            Argument::Undefined => false,
        })
    }

    /// A copy of an argument of one cell, kept if code follows before the call. Undefined may be passed on.
    fn given_value(
        &mut self,
        parameter: VariableId,
        argument: &Expr,
        now: bool,
    ) -> Fallible<Lowered> {
        let ty = self.program.variable(parameter).ty;
        if now {
            let kept = self.passed(parameter, argument)?;
            return self.raw_of(kept, ty);
        }
        let argument = self.passed_on(argument);
        let meaning = match &argument.kind {
            ExprKind::Read(place) => self.place(place, Indices::Live)?,
            _ => Meaning::Value(self.value(argument)?),
        };
        let mut cell = self.raw_of(meaning, ty)?;
        if !matches!(cell.kind, LoweredKind::Unary(UnaryOp::Defined, _)) {
            // That is where it is reported if the value does not fit.
            cell.span = argument.span;
        }
        Ok(cell)
    }

    /// The raw value of what is passed to a parameter of the type.
    fn raw_of(&mut self, meaning: Meaning, ty: TypeId) -> Fallible<Lowered> {
        match meaning {
            Meaning::Spot(spot) => self.moved(&spot, ty),
            Meaning::Value(value) => self.raw(value, ty),
        }
    }

    /// A record or array that the function copies when it begins, kept if code follows before the call.
    fn given_whole(&mut self, parameter: VariableId, argument: &Expr, now: bool) -> Fallible<Spot> {
        let meaning = match &argument.kind {
            _ if now => self.passed(parameter, argument)?,
            ExprKind::Read(place) => self.place(place, Indices::Saved)?,
            _ => Meaning::Value(self.value(argument)?),
        };
        match meaning {
            Meaning::Spot(spot) | Meaning::Value(Value::Whole(spot)) => Ok(spot),
            Meaning::Value(_) => Err(error(argument.span, "this is no record or array")),
        }
    }

    /// The function for what it is called with, lowered at the first call.
    fn lowered_function(&mut self, variant: Variant) -> Fallible<LoweredFunction> {
        if let Some(known) = self.functions.known.get(&variant) {
            return Ok(known.clone());
        }
        let around = self.step_aside();
        let lowered = self.new_function(&variant);
        self.step_back(around);
        let lowered = lowered?;
        self.functions.known.insert(variant, lowered.clone());
        Ok(lowered)
    }

    fn step_aside(&mut self) -> Around {
        Around {
            flow: std::mem::replace(&mut self.flow, Flow::new()),
            scratch: std::mem::take(&mut self.scratch),
            typed_locals: std::mem::take(&mut self.typed_locals),
            choices: std::mem::take(&mut self.choices),
            used_multisets: std::mem::take(&mut self.used_multisets),
            parameters: std::mem::take(&mut self.parameters),
            loops: std::mem::take(&mut self.loops),
            bound: std::mem::take(&mut self.bound),
            frames: std::mem::take(&mut self.frames),
            label: self.label.clone(),
        }
    }

    fn step_back(&mut self, around: Around) {
        self.flow = around.flow;
        self.scratch = around.scratch;
        self.typed_locals = around.typed_locals;
        self.choices = around.choices;
        self.used_multisets = around.used_multisets;
        self.parameters = around.parameters;
        self.loops = around.loops;
        self.bound = around.bound;
        self.frames = around.frames;
        self.label = around.label;
    }

    fn new_function(&mut self, variant: &Variant) -> Fallible<LoweredFunction> {
        let function = self.program.function(variant.function);
        let id = ModelFunctionId::from(self.functions.table.len());
        self.label = named(function);
        let (parameters, references) = self.frame(variant)?;
        let target = self.new_target(variant.function)?;
        let mut lowered = LoweredFunction {
            id,
            bounds: target.as_ref().and_then(Target::bounds),
            used_multisets: BTreeSet::new(),
        };
        // It is there from now on, for those that call themselves.
        let known = (variant.clone(), lowered.clone());
        self.functions.known.extend([known]);
        self.functions.table.push(unfinished(function));
        self.locals(&function.locals)?;
        let target = self.body(function, target)?;
        lowered.bounds = target.as_ref().and_then(Target::bounds);
        lowered.used_multisets = std::mem::take(&mut self.used_multisets);
        let body = self.finished_body(function, id);
        self.functions.table[id.index()] = Function {
            parameters,
            locals: std::mem::take(&mut self.scratch).into_locals(),
            references,
            result: target.as_ref().and_then(Target::local),
            body,
            ..unfinished(function)
        };
        Ok(lowered)
    }

    fn finished_body(&mut self, function: &typed::Function, id: ModelFunctionId) -> Routine {
        let flow = std::mem::replace(&mut self.flow, Flow::new());
        self.size += flow.size();
        let (body, watched) = flow.finish_body(&named(function));
        for (cover, node) in watched {
            self.watched_node(cover, CodeName::Function(id), node);
        }
        self.edges.numbered(body)
    }

    /// Where a function collects its result. That of one that calls itself may be any number: it is not known before the body is.
    fn new_target(&mut self, id: FunctionId) -> Fallible<Option<Target>> {
        let function = self.program.function(id);
        let (result, span) = (function.result, function.name_span);
        let recursive = self.functions.is_recursive(id);
        if recursive {
            for id in &function.locals {
                let variable = self.program.variable(*id);
                self.refuse_multiset(variable.ty, &variable.name, variable.span)?;
            }
        }
        let target = match result {
            Some(ty) if recursive && self.program.types.is_number(ty) => Target::Number {
                local: self.scratch.take_number(ANY, span),
                bounds: Some(ANY),
                span,
            },
            Some(ty) => self.new_result(ty, span)?,
            None => return Ok(None),
        };
        Ok(Some(target))
    }

    /// Gives the parameters their meanings: the first variables of the frame, and references. Gives how many variables are parameters. Records and
    /// arrays are passed as places, too, and copied first.
    fn frame(&mut self, variant: &Variant) -> Fallible<(u32, Vec<Variable>)> {
        let mut references = Vec::new();
        let parameters = &self.program.function(variant.function).parameters;
        let is_passed = |id: &&VariableId| {
            let variable = self.program.variable(**id);
            variable.kind.is_reference() || !self.program.types.is_simple(variable.ty)
        };
        let (passed, copies): (Vec<&VariableId>, Vec<&VariableId>) =
            parameters.iter().partition(is_passed);
        for id in copies {
            let variable = self.program.variable(*id);
            let spot = self.temporary(variable.ty, &variable.name, variable.span)?;
            self.variables.insert(*id, Meaning::Spot(spot));
        }
        let mut wholes = Vec::new();
        for (id, passed) in passed.into_iter().zip(&variant.passed) {
            let spot = self.passed_spot(*id, passed, &mut references)?;
            if !self.program.variable(*id).kind.is_reference() {
                wholes.push((*id, spot.clone()));
            }
            self.variables.insert(*id, Meaning::Spot(spot));
        }
        let mut chosen = BTreeMap::new();
        for (variable, pool) in &variant.chosen {
            let span = self.program.variable(*variable).span;
            let gone = Root::Reference(references.len() as u32);
            references.push(reference("gone", super::choices::gone(), Vec::new(), span));
            let (position, pool) = (self.position_value(span), *pool);
            let told = Chosen {
                pool,
                position,
                gone,
            };
            chosen.insert(*variable, told);
        }
        self.choices = Choices::told(chosen);
        let parameters = self.scratch.mark() as u32;
        for (id, from) in wholes {
            let variable = self.program.variable(id);
            let copy = self.temporary(variable.ty, &variable.name, variable.span)?;
            self.copy(&copy, &from);
            self.variables.insert(id, Meaning::Spot(copy));
        }
        Ok((parameters, references))
    }

    /// What a `var` parameter stands for.
    fn passed_spot(
        &mut self,
        id: VariableId,
        passed: &Passed,
        references: &mut Vec<Variable>,
    ) -> Fallible<Spot> {
        let variable = self.program.variable(id);
        let (name, span) = (&variable.name, variable.span);
        match passed {
            Passed::Reference(ty) => {
                let number = references.len() as u32;
                let shape = self.shapes.of(&self.program.types, *ty, span)?;
                let indices = self.shapes.indices(&self.program.types, *ty, span)?;
                references.push(reference(name, shape, indices, span));
                Ok(Spot::new(Root::Reference(number), *ty, span))
            }
            Passed::Known {
                global,
                path,
                slot,
                ty,
            } => {
                let mut place = Cell::variable(Root::Global(*global), span);
                for part in path {
                    place.path.push(match part {
                        Some(field) => Projection::Field(*field),
                        None => Projection::Index(self.position_value(span)),
                    });
                }
                let spot = Spot::of_place(place, *ty, span);
                Ok(slot.map_or(spot.clone(), |slot| spot.at_slot(slot)))
            }
        }
    }

    /// A variable of the frame that holds an index on the way to a multiset, or a position.
    fn position_value(&mut self, span: Span) -> Lowered {
        let local = self.scratch.take(&any_number(), "position", span);
        super::build::read(local_place(local, span))
    }
}

impl Given {
    /// Passes a place that the function copies.
    fn pass_copy(&mut self, spot: &Spot) {
        self.passed.push(Passed::Reference(spot.ty));
        self.references.push(spot.place());
    }
}

/// What the begin of a function is called.
fn named(function: &typed::Function) -> Label {
    Label {
        text: function.name.to_string(),
        span: function.name_span,
    }
}

/// A function without a body.
fn unfinished(function: &typed::Function) -> Function {
    Function {
        name: function.name.to_string(),
        parameters: 0,
        locals: Vec::new(),
        references: Vec::new(),
        result: None,
        body: Routine::new(Vec::new()),
        span: function.name_span,
    }
}

fn reference(name: &str, ty: Type, indices: Vec<ArrayIndex>, span: Span) -> Variable {
    Variable {
        name: name.to_string(),
        ty,
        indices,
        initial: Initial::Default,
        storage: Storage::Scratch,
        span,
    }
}

impl Target {
    /// The place of a whole result.
    fn place(&self) -> Cell {
        match self {
            Target::Number { local, span, .. } => local_place(*local, *span),
            Target::Typed(spot) => spot.place(),
        }
    }

    fn local(&self) -> Option<LocalId> {
        match self {
            Target::Number { local, .. } => Some(*local),
            Target::Typed(spot) => spot.local(),
        }
    }

    /// Between which values it is, if it is a number.
    fn bounds(&self) -> Option<Bounds> {
        match self {
            Target::Number { bounds, .. } => *bounds,
            Target::Typed(_) => None,
        }
    }
}
