//! Lowering of calls: arguments, results, and the bodies of functions and rules.
//!
//! Local variables begin undefined in every call.

use super::build::{compare, conditional, constant, read};
use super::exprs::hull;
use super::flow::{End, Label};
use super::number::{Bounds, Number};
use super::places::{Indices, Spot};
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::typed::{
    Argument, Expr, ExprKind, Function, FunctionId, Place, TypeId, TypeKind, VariableId,
};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::LocalId;
use mandala_model::source::Span;
use mandala_model::template::Effect;

/// A function, or a rule, whose body is being lowered.
pub(super) struct Frame {
    /// Where its result goes.
    result: Option<Target>,
    /// The ends at which it returned.
    returned: Vec<End>,
}

impl Frame {
    /// That of a rule, which has no result.
    pub(super) fn of_rule() -> Frame {
        Frame {
            result: None,
            returned: Vec::new(),
        }
    }
}

/// Where a result is collected.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A number, which may be outside of the declared range: nobody checks results.
    Number {
        local: LocalId,
        bounds: Option<Bounds>,
        span: Span,
    },
    /// Anything else.
    Typed(Spot),
}

impl Lowering<'_> {
    /// A call. The value is that of a function; procedures have none.
    pub(super) fn call(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Fallible<Option<Value>> {
        if self.is_direct_call(id, arguments)
            && let Some(returned) = self.returned(id)
        {
            self.direct_parameters(id, arguments)?;
            return self.value(returned).map(Some);
        }
        self.function_call(id, arguments, span)
    }

    /// The body of a function. Control goes on where it returns.
    pub(super) fn body(
        &mut self,
        function: &Function,
        target: Option<Target>,
    ) -> Fallible<Option<Target>> {
        self.frames.push(Frame {
            result: target,
            returned: Vec::new(),
        });
        self.statements(&function.body)?;
        let Some(frame) = self.frames.pop() else {
            return Ok(None);
        };
        if frame.result.is_some() {
            self.missing_return(function);
        }
        self.flow.join(frame.returned);
        Ok(frame.result)
    }

    /// Where a function ends without a result, the model is wrong.
    fn missing_return(&mut self, function: &Function) {
        let name = &function.name;
        let message = format!("the function `{name}` ended without returning a value");
        let text = format!("end of {name}");
        let span = function.name_span;
        self.fail(message, Label { text, span });
    }

    /// Reports an error where control is; nothing comes after it.
    pub(super) fn fail(&mut self, message: String, label: Label) {
        self.flow.last(Effect::Fail { message }, &label);
    }

    /// Local variables, which begin undefined.
    pub(super) fn locals(&mut self, locals: &[VariableId]) -> Fallible<()> {
        for id in locals {
            let variable = self.program.variable(*id);
            if self.has_multiset(variable.ty) {
                self.used_multisets.insert(*id);
                self.empty_local(*id)?;
                continue;
            }
            let spot = self.temporary(variable.ty, &variable.name, variable.span)?;
            self.undefine(&spot);
            self.variables.insert(*id, Meaning::Spot(spot));
        }
        Ok(())
    }

    /// Takes everything out of a local variable with multisets.
    fn empty_local(&mut self, id: VariableId) -> Fallible<()> {
        if let Some(Meaning::Spot(spot)) = self.variables.get(&id).cloned() {
            self.undefine(&spot);
            self.empty_inside(&spot)?;
        }
        self.check_size()
    }

    /// Parameters of a call that is replaced by what the function returns: the arguments themselves. All are
    /// looked at before the first is bound, because arguments may be parameters of the same function.
    fn direct_parameters(&mut self, id: FunctionId, arguments: &[Argument]) -> Fallible<()> {
        let mut meanings = Vec::new();
        for argument in arguments {
            meanings.push(match argument {
                Argument::Reference(place) => self.place(place, Indices::Live)?,
                Argument::Value(value) => match &value.kind {
                    ExprKind::Read(place) => self.place(place, Indices::Live)?,
                    _ => Meaning::Value(self.value(value)?),
                },
                Argument::Undefined => return Err(error(self.label.span, "no value is passed")),
            });
        }
        self.bind(id, meanings);
        Ok(())
    }

    /// Gives the parameters of a function their meanings.
    fn bind(&mut self, id: FunctionId, meanings: Vec<Meaning>) {
        let parameters = &self.program.function(id).parameters;
        self.variables
            .extend(parameters.iter().copied().zip(meanings));
    }

    /// A temporary for a parameter.
    fn parameter(&mut self, parameter: VariableId) -> Fallible<Spot> {
        let variable = self.program.variable(parameter);
        self.temporary(variable.ty, &variable.name, variable.span)
    }

    /// A copy of an argument. Undefined may be passed on.
    pub(super) fn passed(&mut self, parameter: VariableId, argument: &Expr) -> Fallible<Meaning> {
        let ty = self.program.variable(parameter).ty;
        let argument = self.passed_on(argument);
        if let ExprKind::Read(place) = &argument.kind {
            return self.passed_place(parameter, place, argument.span);
        }
        let value = self.value(argument)?;
        if self.is_fixed(&value) && self.fits(&value, ty) {
            return Ok(Meaning::Value(value));
        }
        self.passed_value(parameter, value, argument.span)
    }

    fn passed_value(
        &mut self,
        parameter: VariableId,
        value: Value,
        span: Span,
    ) -> Fallible<Meaning> {
        let spot = self.parameter(parameter)?;
        match value {
            Value::Whole(from) => self.copy(&spot, &from),
            value => {
                let raw = self.raw(value, spot.ty)?;
                let mut place = spot.place();
                place.span = span;
                self.store(place, raw);
            }
        }
        Ok(Meaning::Spot(spot))
    }

    /// True if a constant or parameter is a value of the type.
    fn fits(&self, value: &Value, ty: TypeId) -> bool {
        match (value, self.kind(ty)) {
            (Value::Number(number), TypeKind::Range { lo, hi }) => {
                *lo <= number.bounds.0 && number.bounds.1 <= *hi
            }
            (Value::Member(raw), _) => match raw.as_constant() {
                Some(raw) => self.has_raw(ty, raw),
                None => self.has_parameter(ty, raw),
            },
            _ => true,
        }
    }

    fn passed_place(
        &mut self,
        parameter: VariableId,
        place: &Place,
        span: Span,
    ) -> Fallible<Meaning> {
        let spot = match self.place(place, Indices::Live)? {
            Meaning::Spot(spot) if self.program.types.is_simple(spot.ty) => spot,
            Meaning::Spot(whole) => return self.passed_value(parameter, Value::Whole(whole), span),
            Meaning::Value(value) => {
                let ty = self.program.variable(parameter).ty;
                if self.is_fixed(&value) && self.fits(&value, ty) {
                    return Ok(Meaning::Value(value));
                }
                return self.passed_value(parameter, value, span);
            }
        };
        let copy = self.parameter(parameter)?;
        let raw = self.moved(&spot, copy.ty)?;
        let mut target = copy.place();
        target.span = span;
        self.store(target, raw);
        Ok(Meaning::Spot(copy))
    }

    /// The raw value of a cell for a cell of another range; undefined stays undefined.
    pub(super) fn moved(&mut self, spot: &Spot, ty: TypeId) -> Fallible<Lowered> {
        let raw = read(spot.place());
        let by = match (self.kind(spot.ty), self.kind(ty)) {
            (TypeKind::Range { lo: from, .. }, TypeKind::Range { lo: to, .. }) => from - to,
            _ => 0,
        };
        if by == 0 {
            return Ok(raw);
        }
        let most = self.program.types.values(spot.ty).unwrap_or(0);
        let number = Number::new(raw.clone(), by, (by + 1, by + most));
        let fitting = self.not_undefined(number)?;
        let none = constant(0, spot.span);
        let is_undefined = compare(Op::Equal, raw, none.clone());
        Ok(conditional(is_undefined, none, fitting))
    }

    /// A place for a result.
    pub(super) fn new_result(&mut self, ty: TypeId, span: Span) -> Fallible<Target> {
        if self.program.types.is_number(ty) {
            let local = self.scratch.take_number((0, 0), span);
            let bounds = None;
            return Ok(Target::Number {
                local,
                bounds,
                span,
            });
        }
        Ok(Target::Typed(self.temporary(ty, "result", span)?))
    }

    /// Puts the value of an expression into the place for a result.
    pub(super) fn give_value(&mut self, target: &mut Target, value: &Expr) -> Fallible<()> {
        if !self.flow.is_open() {
            return Ok(());
        }
        let found = self.value(value)?;
        match (target, found) {
            (Target::Number { local, bounds, .. }, Value::Number(number)) => {
                let all = hull(bounds.unwrap_or(number.bounds), number.bounds);
                *bounds = Some(all);
                self.scratch.widen(*local, all);
                self.store(local_place(*local, value.span), number.expr()?);
            }
            (Target::Typed(spot), Value::Whole(from)) => self.copy(&spot.clone(), &from),
            (Target::Typed(spot), value) => {
                let (place, ty) = (spot.place(), spot.ty);
                let raw = self.raw(value, ty)?;
                self.store(place, raw);
            }
            _ => return Err(error(value.span, "this is no number")),
        }
        Ok(())
    }

    /// The value that was put into the place for a result. It is always defined.
    pub(super) fn result_value(&self, target: Target) -> Value {
        match target {
            Target::Number {
                local,
                bounds,
                span,
            } => {
                let value = read(local_place(local, span));
                Value::Number(Number::new(value, 0, bounds.unwrap_or((0, 0))))
            }
            Target::Typed(spot) if self.program.types.is_simple(spot.ty) => {
                Value::of_raw(read(spot.place()), self.kind(spot.ty))
            }
            Target::Typed(spot) => Value::Whole(spot),
        }
    }

    /// `return`
    pub(super) fn return_from(&mut self, value: Option<&Expr>) -> Fallible<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let target = frame.result.take();
        if let (Some(mut target), Some(value)) = (target, value) {
            self.give_value(&mut target, value)?;
            if let Some(frame) = self.frames.last_mut() {
                frame.result = Some(target);
            }
        }
        let ends = self.flow.take_ends();
        if let Some(frame) = self.frames.last_mut() {
            frame.returned.extend(ends);
        }
        Ok(())
    }

    /// The ends of a rule's body, those of `return` among them. Nothing stays in local multisets.
    pub(super) fn end_of_rule(&mut self) -> Fallible<()> {
        if let Some(frame) = self.frames.pop() {
            self.flow.join(frame.returned);
        }
        let used = std::mem::take(&mut self.used_multisets);
        used.into_iter().try_for_each(|id| self.empty_local(id))
    }
}
