//! Parameters of rules, start states and properties: scratch variables that hold a value during the step.
//!
//! A rule is one edge, whatever its parameters are. Nothing assigns to the variable of a parameter, and it is always defined: like a
//! constant, it need not be saved before other code runs.

use super::build::read;
use super::constants::Values;
use super::number::Number;
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::{Binder, Binding, Domain, TypeId, TypeKind};
use mandala_model::expr::{BinaryOp as Op, Expr, ExprKind, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::parameters::{self, Parameter, Progression};
use mandala_model::source::Span;

impl Lowering<'_> {
    /// Makes parameters of the edge of those among the binders.
    pub(super) fn bind_parameters(
        &mut self,
        binders: &[Binder],
        name: &str,
        span: Span,
    ) -> Fallible<()> {
        for binder in binders {
            if let Binder::Each(binding) = binder {
                self.bind_parameter(binding)?;
            }
        }
        self.check_choices(name, span)
    }

    /// Makes a variable a parameter of the edge.
    pub(super) fn bind_parameter(&mut self, binding: &Binding) -> Fallible<()> {
        let Some(values) = self.values(binding) else {
            return Err(error(binding.span, "the values are not known here"));
        };
        let (local, bound) = self.parameter_variable(binding, &values)?;
        let positions_of = self.positions_of(binding);
        self.parameters.push(Parameter {
            name: self.program.variable(binding.variable).name.to_string(),
            local,
            values: self.raw_values(&values, binding.span)?,
            positions_of,
            span: binding.span,
        });
        self.variables
            .insert(binding.variable, Meaning::Value(bound));
        Ok(())
    }

    /// The variable of a parameter or a loop, and the value that it holds.
    pub(super) fn parameter_variable(
        &mut self,
        binding: &Binding,
        values: &Values,
    ) -> Fallible<(LocalId, Value)> {
        let (ty, span) = (values.ty, binding.span);
        let name = self.program.variable(binding.variable).name.clone();
        let local = match self.kind(ty) {
            TypeKind::Slot(_) | TypeKind::Integer => {
                self.scratch.take_number(values.bounds(), span)
            }
            _ => match self.temporary(ty, &name, span)?.local() {
                Some(local) => local,
                None => return Err(error(span, "this is no simple type")),
            },
        };
        let raw = read(local_place(local, span));
        Ok((local, self.held_value(raw, values)))
    }

    /// The value that a variable holds whose raw value is that expression, and which goes through those values.
    pub(super) fn held_value(&self, raw: Expr, values: &Values) -> Value {
        match self.kind(values.ty) {
            TypeKind::Integer => Value::Number(Number::new(raw, 0, values.bounds())),
            TypeKind::Range { lo, .. } => Value::Number(Number::new(raw, lo - 1, values.bounds())),
            kind => Value::of_raw(raw, kind),
        }
    }

    /// The multiset whose positions a parameter goes through.
    fn positions_of(&self, binding: &Binding) -> Option<GlobalId> {
        match &binding.domain {
            Domain::Elements(place) => self.pool_of(place).map(|pool| pool.global),
            Domain::Type(_) | Domain::Steps { .. } => None,
        }
    }

    /// The raw values that stand for the values.
    pub(super) fn raw_values(&self, values: &Values, span: Span) -> Fallible<parameters::Values> {
        let too_many = || error(span, "there are too many values");
        let run = |first: i128, step: i128, count: u128| {
            Some(Progression {
                first: i64::try_from(first).ok()?,
                // Behind a single value there is no next one.
                step: if count == 1 {
                    1
                } else {
                    i64::try_from(step).ok()?
                },
                count: u32::try_from(count).ok()?,
            })
        };
        let one = |first| run(first, values.step, values.count).map(|run| vec![run]);
        let runs = match self.kind(values.ty) {
            TypeKind::Integer | TypeKind::Slot(_) => one(values.first),
            TypeKind::Range { lo, .. } => one(values.first - lo + 1),
            TypeKind::Boolean => one(values.first + 1),
            _ => {
                let parts = self.parts(values.ty).into_iter();
                let parts = parts.filter(|part| part.count > 0);
                let parts = parts.map(|part| run(part.first, 1, part.count.unsigned_abs()));
                parts.collect()
            }
        };
        runs.map(parameters::Values).ok_or_else(too_many)
    }

    /// Complains about an edge that has too many choices.
    pub(super) fn check_choices(&self, name: &str, span: Span) -> Fallible<()> {
        let counts = self.parameters.iter().map(|p| p.values.count());
        let count = counts.fold(1u128, |all, count| all.saturating_mul(count.into()));
        if count <= limits::CHOICES as u128 {
            return Ok(());
        }
        let factors = self.parameters.iter();
        let factors = factors.map(|p| format!("{} for `{}`", p.values.count(), p.name));
        let factors: Vec<String> = factors.collect();
        let message = format!(
            "{name} has {count} instances ({}), but {} is the limit",
            factors.join(", "),
            limits::CHOICES
        );
        let help = "use smaller types for the parameters of the ruleset";
        let outermost = self.parameters.first().map_or(span, |p| p.span);
        Err(error_help(outermost, message, help))
    }

    /// True for a value that is known before the rule runs and stays the same.
    pub(super) fn is_fixed(&self, value: &Value) -> bool {
        match value {
            Value::Number(number) => number.base().is_none_or(|base| self.is_fixed_expr(base)),
            Value::Truth(expr) | Value::Flag(expr) | Value::Member(expr) => {
                self.is_fixed_expr(expr)
            }
            Value::Whole(_) => false,
        }
    }

    /// True for constants, parameters and variables of quantifiers, and for these with constants added.
    pub(super) fn is_fixed_expr(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Binary(Op::Add | Op::Subtract, left, right) => {
                self.is_fixed_expr(left) && self.is_fixed_expr(right)
            }
            _ => self.known_values(expr).is_some(),
        }
    }

    /// The raw values of the parameter or of the loop around whose variable an expression reads.
    fn variable_values(&self, expr: &Expr) -> Option<&parameters::Values> {
        let ExprKind::Read(place) = &expr.kind else {
            return None;
        };
        let Root::Local(local) = place.root else {
            return None;
        };
        let parameters = self.parameters.iter().map(|p| (p.local, &p.values));
        let loops = self
            .loops
            .iter()
            .map(|(variable, values)| (*variable, values));
        let mut variables = parameters.chain(loops);
        variables.find_map(|(variable, values)| (variable == local).then_some(values))
    }

    /// The raw values that an expression may have, if it is a parameter or the variable of a loop or quantifier around.
    fn known_values(&self, expr: &Expr) -> Option<&parameters::Values> {
        let variable = self.variable_values(expr);
        variable.or_else(|| self.bound_values(expr))
    }

    /// True if every value that a parameter or the variable of a quantifier may have is one of the type.
    pub(super) fn has_parameter(&self, ty: TypeId, raw: &Expr) -> bool {
        self.known_values(raw).is_some_and(|values| {
            let runs = values.0.iter().filter(|run| run.count > 0);
            let mut ends = runs.flat_map(|run| [Some(run.first), run.last()]);
            ends.all(|end| end.is_some_and(|raw| self.has_raw(ty, raw)))
        })
    }
}
