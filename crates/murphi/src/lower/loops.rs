//! Loops over the values of a domain.
//!
//! A loop over values that are known is one of the table of its routine ([`Loop`]): whoever reasons about it sees what it goes
//! through, and whoever wants it written out does so. All other loops count, with bounds that are evaluated once. In Rumur they count up or
//! down, and at least once; in CMurphi there may be nothing to count, and that is remarked, because Rumur would count down.

use super::build::{Chain, chain, conditional, constant, read};
use super::constants::Values as Known;
use super::flow::{End, Label};
use super::number::Number;
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::typed::{Binding, Dialect, Domain, Expr, TypeKind};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::parameters::Values;
use mandala_model::source::Span;

/// What is done in a loop.
type Body<'b, 'p> = &'b mut dyn FnMut(&mut Lowering<'p>) -> Fallible<()>;

/// A loop whose body is being lowered: its head, and what is behind it.
struct Inside {
    head: usize,
    behind: Vec<End>,
}

/// The numbers that a loop counts through.
struct Count {
    from: Number,
    to: Number,
    step: Number,
}

impl<'p> Lowering<'p> {
    /// Does something for each value, with the variable bound to it.
    pub(super) fn each(&mut self, binding: &Binding, body: Body<'_, 'p>) -> Fallible<()> {
        match self.values(binding) {
            Some(values) if values.count == 0 => Ok(()),
            Some(values) => self.loop_over(binding, &values, body),
            None => self.counted(binding, body),
        }
    }

    /// A loop over values that are known.
    fn loop_over(&mut self, binding: &Binding, values: &Known, body: Body<'_, 'p>) -> Fallible<()> {
        if !self.flow.is_open() {
            return Ok(());
        }
        let span = binding.span;
        let label = Label {
            text: self.label.text.clone(),
            span,
        };
        let (variable, bound) = self.parameter_variable(binding, values)?;
        let raw = self.raw_values(values, span)?;
        let inside = self.enter_loop(variable, raw, &label);
        let done = self.one(binding, bound, body);
        self.label = label;
        self.leave_loop(inside);
        done
    }

    /// Does something for each of some raw values, which a temporary goes through.
    pub(super) fn each_raw(
        &mut self,
        variable: LocalId,
        values: Values,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Lowered),
    ) {
        if values.count() == 0 || !self.flow.is_open() {
            return;
        }
        let label = self.label.clone();
        let inside = self.enter_loop(variable, values, &label);
        body(self, read(local_place(variable, span)));
        self.leave_loop(inside);
    }

    /// Begins a loop: control is in its body.
    fn enter_loop(&mut self, variable: LocalId, values: Values, label: &Label) -> Inside {
        let span = label.span;
        let last = i128::from(values.count());
        let each = Loop {
            head: NodeId(0),
            variable,
            position: self.scratch.take_number((0, last), span),
            values,
            span,
        };
        self.loops.push((variable, each.values.clone()));
        self.flow.effect(each.begins(), label);
        let (head, behind) = self.flow.head(each, label);
        Inside { head, behind }
    }

    /// Ends a loop: control is behind it.
    fn leave_loop(&mut self, inside: Inside) {
        self.loops.pop();
        self.flow.jump(inside.head);
        self.flow.join(inside.behind);
    }

    fn one(&mut self, binding: &Binding, value: Value, body: Body<'_, 'p>) -> Fallible<()> {
        self.variables
            .insert(binding.variable, Meaning::Value(value));
        let mark = self.scratch.mark();
        body(self)?;
        self.scratch.release(mark);
        self.check_size()
    }

    fn counted(&mut self, binding: &Binding, body: Body<'_, 'p>) -> Fallible<()> {
        let label = Label {
            text: self.label.text.clone(),
            span: binding.span,
        };
        let count = self.count(binding, &label)?;
        let none = self.skip_empty(binding, &count, &label);
        if self.flow.is_open() {
            self.count_through(binding, count, label, body)?;
        }
        self.flow.join(none);
        Ok(())
    }

    /// Goes on where there is something to count; gives the ends of the others.
    fn skip_empty(&mut self, binding: &Binding, count: &Count, label: &Label) -> Vec<End> {
        if self.program.dialect == Dialect::Rumur || self.values(binding).is_some() {
            return Vec::new();
        }
        let span = binding.span;
        let up = count
            .step
            .clone()
            .compare(Op::Greater, Number::constant(0, span));
        let below = count.from.clone().compare(Op::LessEqual, count.to.clone());
        let above = count
            .from
            .clone()
            .compare(Op::GreaterEqual, count.to.clone());
        let (some, none) = self.fork(conditional(up, below, above), span);
        self.flow.join(none);
        let rumur = match &binding.domain {
            Domain::Steps { step: Some(_), .. } => "report an error",
            _ => "count down",
        };
        self.remark_empty(label, rumur);
        let none = self.flow.take_ends();
        self.flow.join(some);
        none
    }

    fn count_through(
        &mut self,
        binding: &Binding,
        count: Count,
        label: Label,
        body: Body<'_, 'p>,
    ) -> Fallible<()> {
        let bounds = super::exprs::hull(count.from.bounds, count.to.bounds);
        let counter = self.scratch.take_number(bounds, binding.span);
        self.store(
            local_place(counter, binding.span),
            count.from.clone().expr()?,
        );
        let head = self.flow.mark(label.clone());
        let current = Number::new(read(local_place(counter, binding.span)), 0, bounds);
        let value = self.counted_value(binding, current.clone())?;
        self.one(binding, value, body)?;
        self.label = label;
        self.next(counter, current, count, head, binding)
    }

    /// Goes back to the begin of the loop with the next number, if there is one.
    fn next(
        &mut self,
        counter: LocalId,
        current: Number,
        count: Count,
        head: usize,
        binding: &Binding,
    ) -> Fallible<()> {
        let span = binding.span;
        let next = current.arithmetic(crate::typed::BinaryOp::Add, count.step.clone(), span)?;
        let zero = Number::constant(0, span);
        let up = count.step.compare(Op::Greater, zero);
        let below = next.clone().compare(Op::LessEqual, count.to.clone());
        let above = next.clone().compare(Op::GreaterEqual, count.to);
        let (again, done) = self.fork(conditional(up, below, above), span);
        self.flow.join(again);
        self.store(local_place(counter, span), next.expr()?);
        self.flow.jump(head);
        self.flow.join(done);
        Ok(())
    }

    /// The value that a number of the loop stands for.
    fn counted_value(&self, binding: &Binding, current: Number) -> Fallible<Value> {
        let ty = self.program.variable(binding.variable).ty;
        Ok(match self.kind(ty) {
            TypeKind::Integer | TypeKind::Range { .. } => Value::Number(current),
            TypeKind::Boolean => {
                Value::Truth(current.compare(Op::Equal, Number::constant(1, binding.span)))
            }
            _ => Value::Member(self.counted_member(current, ty)?),
        })
    }

    /// The numbers of a loop that is not written out: bounds and step are evaluated now.
    fn count(&mut self, binding: &Binding, label: &Label) -> Fallible<Count> {
        if let Some(values) = self.values(binding) {
            let constant = |value| Number::constant(value, binding.span);
            return Ok(Count {
                from: constant(values.first),
                to: constant(values.get(values.count.saturating_sub(1))),
                step: constant(values.step),
            });
        }
        let Domain::Steps { from, to, step } = &binding.domain else {
            return Err(error(binding.span, "these values cannot be counted"));
        };
        let from = self.kept_number(from)?;
        let to = self.kept_number(to)?;
        let step = match step {
            Some(step) => {
                let step = self.kept_number(step)?;
                self.check_step(&from, &to, &step, label)?;
                step
            }
            None => self.default_step(&from, &to, binding)?,
        };
        Ok(Count { from, to, step })
    }

    fn kept_number(&mut self, expr: &Expr) -> Fallible<Number> {
        let number = self.number(expr)?;
        self.keep_number(number)
    }

    /// One up; in Rumur one down if the last number is below the first.
    fn default_step(&mut self, from: &Number, to: &Number, binding: &Binding) -> Fallible<Number> {
        let span = binding.span;
        if self.program.dialect == Dialect::CMurphi {
            return Ok(Number::constant(1, span));
        }
        let up = from.clone().compare(Op::LessEqual, to.clone());
        let step = conditional(up, constant(1, span), constant(-1, span));
        self.keep_number(Number::new(step, 0, (-1, 1)))
    }

    /// A step of 0 is an error; in Rumur, so is one that leads away from the last number.
    fn check_step(
        &mut self,
        from: &Number,
        to: &Number,
        step: &Number,
        label: &Label,
    ) -> Fallible<()> {
        let zero = || Number::constant(0, step.span);
        let against = |order: Op, direction: Op| {
            let ends = to.clone().compare(order, from.clone());
            let goes = step.clone().compare(direction, zero());
            chain(Chain::All, [goes, ends], step.span)
        };
        let still = step.clone().compare(Op::Equal, zero());
        let (endless, message): (Lowered, _) = match self.program.dialect {
            Dialect::CMurphi => (still, "the step of the loop is 0"),
            Dialect::Rumur => {
                let up = against(Op::Greater, Op::Less);
                let down = against(Op::Less, Op::Greater);
                let message = "the step of the loop is 0 or leads away from the last value";
                (chain(Chain::Some, [still, up, down], step.span), message)
            }
        };
        let (wrong, on) = self.fork(endless, step.span);
        self.flow.join(wrong);
        let mut label = label.clone();
        label.span = step.span;
        self.fail(message.to_string(), label);
        self.flow.join(on);
        Ok(())
    }
}
