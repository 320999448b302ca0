//! Functions and procedures of the model: each is lowered once, however often it is called.
//!
//! A parameter that holds a copy is a variable of the frame, a `var` parameter is a reference, and local variables begin undefined in every call.
//! What a body is lowered to depends on the types of the places that are passed and on what a failing `assume` does, so there is one function
//! for each combination of these ([`Variant`]). Functions that have to do with multisets are [inlined](super::calls).

use super::build::constant;
use super::calls::Target;
use super::choices::Choices;
use super::flow::{Flow, Label};
use super::number::Bounds;
use super::places::{Indices, Spot};
use super::properties::CodeName;
use super::recursion::Recursion;
use super::scratch::Scratch;
use super::value::{Value, local_place};
use super::{Assuming, Lowering, Meaning};
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    Argument, Expr, ExprKind, FunctionId, Place, Program, ProjectionKind, Root as TypedRoot,
    StmtKind, TypeId, VariableId,
};
use mandala_model::expr::{
    Expr as Lowered, ExprKind as LoweredKind, Place as Cell, Projection, Root, UnaryOp,
};
use mandala_model::findings::Fallible;
use mandala_model::function::{Call, Function};
use mandala_model::ids::{FunctionId as ModelFunctionId, LocalId};
use mandala_model::parameters::{Parameter, Values};
use mandala_model::source::Span;
use mandala_model::types::{Initial, Storage, Type, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The functions that are lowered.
#[derive(Debug, Default)]
pub(super) struct Functions {
    pub(super) table: Vec<Function>,
    known: HashMap<Variant, LoweredFunction>,
    /// Which functions have to do with multisets, or call one that has.
    with_multisets: Vec<bool>,
}

/// A function and what its body depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Variant {
    function: FunctionId,
    /// What a failing `assume` does, if there is one.
    assuming: Option<Assuming>,
    /// The types of the places that are passed.
    references: Vec<TypeId>,
}

/// What callers know of a function that is lowered.
#[derive(Clone, Copy, Debug)]
struct LoweredFunction {
    id: ModelFunctionId,
    /// Between which values the result is, if it is a number.
    bounds: Option<Bounds>,
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
    recursion: Recursion,
    label: Label,
}

impl Functions {
    pub(super) fn new(program: &Program) -> Functions {
        let mut functions = Functions::default();
        for function in &program.functions {
            let variables = function.parameters.iter().chain(&function.locals);
            let types = variables.map(|id| program.variable(*id).ty);
            let mut types = types.chain(function.result);
            let has = types.any(|ty| program.types.has_multiset(ty));
            let body = function.body.iter().map(Part::Stmt);
            let touches = has || any_part(program, body, |part| functions.touches(program, part));
            functions.with_multisets.push(touches);
        }
        functions
    }

    /// Whether something has to do with multisets. Functions only call themselves and earlier ones.
    fn touches(&self, program: &Program, part: Part<'_>) -> bool {
        let has = |place: &Place| {
            let is_slot = |kind: &ProjectionKind| matches!(kind, ProjectionKind::Slot(_));
            let mut parts = place.projections.iter();
            program.types.has_multiset(place.ty) || parts.any(|part| is_slot(&part.kind))
        };
        match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::MultisetAdd(..)
                | StmtKind::MultisetRemove(..)
                | StmtKind::MultisetRemoveWhere(..) => true,
                StmtKind::Undefine(place) | StmtKind::Clear(place) => has(place),
                StmtKind::Call(function, _) => self.has_multisets(*function),
                _ => false,
            },
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Count(..) => true,
                ExprKind::Read(place) | ExprKind::IsUndefined(place) => has(place),
                ExprKind::Call(function, _) => self.has_multisets(*function),
                _ => false,
            },
        }
    }

    fn has_multisets(&self, function: FunctionId) -> bool {
        let found = self.with_multisets.get(function.index());
        found.is_some_and(|touches| *touches)
    }
}

impl Lowering<'_> {
    /// True if a call has to be inlined: it has to do with multisets.
    pub(super) fn is_inlined(&self, id: FunctionId, arguments: &[Argument]) -> bool {
        let is_element = |argument: &Argument| match argument {
            Argument::Reference(place) => self.is_element(place),
            Argument::Value(_) | Argument::Undefined => false,
        };
        self.functions.has_multisets(id) || arguments.iter().any(is_element)
    }

    /// True for a part of a chosen element of a multiset.
    fn is_element(&self, place: &Place) -> bool {
        let root = match place.root {
            TypedRoot::Variable(id) => self.variables.get(&id),
            TypedRoot::Alias(id) => self.aliases.get(&id),
        };
        let chosen = match root {
            Some(Meaning::Spot(spot)) => spot.slot().is_some(),
            _ => true,
        };
        let mut parts = place.projections.iter();
        chosen || parts.any(|part| matches!(part.kind, ProjectionKind::Slot(_)))
    }

    /// A call of a function. The value is that of its result.
    pub(super) fn function_call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Fallible<Option<Value>> {
        let (values, spots) = self.given(id, arguments)?;
        let function = self.lowered_function(Variant {
            function: id,
            assuming: self.function_assumes(id).then_some(self.assuming),
            references: spots.iter().map(|spot| spot.ty).collect(),
        })?;
        let target = self.program.function(id).result;
        let target = target.map(|ty| self.result_of(ty, function.bounds, span));
        let target = target.transpose()?;
        let call = Call {
            function: function.id,
            arguments: values,
            references: spots.iter().map(Spot::place).collect(),
            result: target.as_ref().map(Target::place),
        };
        self.flow.call(call, &self.label);
        Ok(target.map(|target| self.result_value(target)))
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

    /// What is given in a call: the cells of copies, and places.
    fn given(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
    ) -> Fallible<(Vec<Lowered>, Vec<Spot>)> {
        let parameters = &self.program.function(id).parameters;
        let (mut values, mut spots) = (Vec::new(), Vec::new());
        for (number, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            match argument {
                Argument::Reference(place) => spots.push(self.spot(place, Indices::Saved)?),
                Argument::Value(value) => {
                    let now = self.has_code(&arguments[number + 1..]);
                    values.extend(self.given_value(*parameter, value, now)?);
                }
                Argument::Undefined => {
                    let (ty, span) = (self.program.variable(*parameter).ty, self.label.span);
                    // It does not matter what is in the cells: they are counted.
                    let nowhere = Spot::new(Root::Reference(0), ty, span);
                    let cells = self.all_cells(&nowhere)?.len();
                    values.extend(std::iter::repeat_n(constant(0, span), cells));
                }
            }
        }
        Ok((values, spots))
    }

    /// True if code is added for some of the arguments.
    fn has_code(&mut self, arguments: &[Argument]) -> bool {
        arguments.iter().any(|argument| match argument {
            Argument::Reference(place) => !place.projections.is_empty(),
            Argument::Value(value) => self.needs_flow(value),
            Argument::Undefined => false,
        })
    }

    /// The cells of a copy of an argument, kept if code follows before the call. Undefined may be passed on.
    fn given_value(
        &mut self,
        parameter: VariableId,
        argument: &Expr,
        now: bool,
    ) -> Fallible<Vec<Lowered>> {
        let ty = self.program.variable(parameter).ty;
        if now {
            let kept = self.passed(parameter, argument)?;
            return self.raw_cells(kept, ty);
        }
        let argument = self.passed_on(argument);
        let meaning = match &argument.kind {
            ExprKind::Read(place) => self.place(place, Indices::Live)?,
            _ => Meaning::Value(self.value(argument)?),
        };
        let mut cells = self.raw_cells(meaning, ty)?;
        if let [cell] = &mut cells[..]
            && !matches!(cell.kind, LoweredKind::Unary(UnaryOp::Defined, _))
        {
            // That is where it is reported if the value does not fit.
            cell.span = argument.span;
        }
        Ok(cells)
    }

    /// The raw values of the cells of what is passed to a parameter of the type.
    fn raw_cells(&mut self, meaning: Meaning, ty: TypeId) -> Fallible<Vec<Lowered>> {
        match meaning {
            Meaning::Spot(spot) if self.program.types.is_simple(spot.ty) => {
                Ok(vec![self.moved(&spot, ty)?])
            }
            Meaning::Spot(spot) | Meaning::Value(Value::Whole(spot)) => {
                let cells = self.all_cells(&spot)?.into_iter();
                Ok(cells.map(super::build::read).collect())
            }
            Meaning::Value(value) => Ok(vec![self.raw(value, ty)?]),
        }
    }

    /// All cells of a spot in order, those included that are there only because positions start at 0.
    fn all_cells(&mut self, spot: &Spot) -> Fallible<Vec<Cell>> {
        let shape = self.shapes.of(&self.program.types, spot.ty, spot.span)?;
        let mut cells = Vec::new();
        self.push_cells(spot.place(), &shape, &mut cells);
        Ok(cells)
    }

    fn push_cells(&self, place: Cell, shape: &Type, cells: &mut Vec<Cell>) {
        let part = |inside: Projection| {
            let mut place = place.clone();
            place.path.push(inside);
            place
        };
        match shape {
            Type::Scalar(_) => cells.push(place),
            Type::Record(id) => {
                let fields = self.shapes.records[id.index()].fields.iter().enumerate();
                for (number, field) in fields {
                    let inside = part(Projection::Field(number as u32));
                    self.push_cells(inside, &field.ty, cells);
                }
            }
            Type::Array { element, length } => {
                for position in 0..*length {
                    let position = constant(position.into(), place.span);
                    self.push_cells(part(Projection::Index(position)), element, cells);
                }
            }
        }
    }

    /// The function for what it is called with, lowered at the first call.
    fn lowered_function(&mut self, variant: Variant) -> Fallible<LoweredFunction> {
        if let Some(known) = self.functions.known.get(&variant) {
            return Ok(*known);
        }
        let around = self.step_aside();
        let lowered = self.new_function(&variant);
        self.step_back(around);
        let lowered = lowered?;
        self.functions.known.insert(variant, lowered);
        Ok(lowered)
    }

    fn step_aside(&mut self) -> Around {
        let recursion = Recursion::new(self.program);
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
            recursion: std::mem::replace(&mut self.recursion, recursion),
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
        self.recursion = around.recursion;
        self.label = around.label;
    }

    fn new_function(&mut self, variant: &Variant) -> Fallible<LoweredFunction> {
        let function = self.program.function(variant.function);
        let references = self.frame(variant)?;
        let copies = function.parameters.len() - references.len();
        let result = function.result;
        let target = result.map(|ty| self.new_result(ty, function.name_span));
        let target = target.transpose()?;
        self.locals(&function.locals)?;
        let target = self.body(function, target)?;
        let flow = std::mem::replace(&mut self.flow, Flow::new());
        self.size += flow.size();
        let label = Label {
            text: function.name.to_string(),
            span: function.name_span,
        };
        let (body, watched) = flow.finish_body(&label);
        let id = ModelFunctionId::from(self.functions.table.len());
        for (cover, node) in watched {
            self.watched_node(cover, CodeName::Function(id), node);
        }
        self.functions.table.push(Function {
            name: function.name.to_string(),
            parameters: copies as u32,
            locals: std::mem::take(&mut self.scratch).into_locals(),
            references,
            result: target.as_ref().and_then(Target::local),
            body: self.edges.numbered(body),
            span: function.name_span,
        });
        let bounds = target.and_then(|target| target.bounds());
        Ok(LoweredFunction { id, bounds })
    }

    /// Gives the parameters their meanings: the first variables of the frame, and references.
    fn frame(&mut self, variant: &Variant) -> Fallible<Vec<Variable>> {
        let mut types = variant.references.iter();
        let mut references = Vec::new();
        for id in &self.program.function(variant.function).parameters {
            let variable = self.program.variable(*id);
            let (name, span) = (&variable.name, variable.span);
            let passed = match variable.kind.is_reference() {
                true => types.next(),
                false => None,
            };
            let spot = match passed {
                Some(ty) => {
                    let number = references.len() as u32;
                    references.push(Variable {
                        name: name.to_string(),
                        ty: self.shapes.of(&self.program.types, *ty, span)?,
                        indices: self.shapes.indices(&self.program.types, *ty, span)?,
                        initial: Initial::Default,
                        storage: Storage::Scratch,
                        span,
                    });
                    Spot::new(Root::Reference(number), *ty, span)
                }
                None => self.temporary(variable.ty, name, span)?,
            };
            self.variables.insert(*id, Meaning::Spot(spot));
        }
        Ok(references)
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
