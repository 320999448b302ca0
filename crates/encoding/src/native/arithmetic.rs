//! Arithmetic in the manner of the source language, done now where operands are known.

use super::operand::{Bounds, Operand};
use super::translator::{Ended, Translator};
use crate::code::{Register, Relation};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use mandala_model::arithmetic::Calculation;

impl Translator<'_, '_> {
    /// Whether a relation holds.
    pub fn compared(&mut self, relation: Relation, left: Operand, right: Operand) -> Value {
        let (left, right, relation) = match left {
            // Instructions have room for a constant on the right.
            Operand::Constant(_) => (right, left, relation.mirrored()),
            _ => (left, right, relation),
        };
        let code = condition_code(relation);
        let value = self.value(left);
        match right {
            Operand::Constant(number) => self.builder.ins().icmp_imm(code, value, number),
            Operand::Computed { value: other, .. } => self.builder.ins().icmp(code, value, other),
        }
    }

    /// A relation as 0 or 1.
    pub fn comparison(&mut self, relation: Relation, left: Operand, right: Operand) -> Operand {
        match left.bounds().decides(relation, right.bounds()) {
            Some(truth) => Operand::Constant(truth.into()),
            None => {
                let condition = self.compared(relation, left, right);
                self.truth(condition)
            }
        }
    }

    /// An address and a constant.
    pub fn plus(&mut self, operand: Operand, number: i64) -> Operand {
        self.exact_sum(operand, Operand::Constant(number))
    }

    /// A sum of addresses, which never overflows.
    pub fn exact_sum(&mut self, left: Operand, right: Operand) -> Operand {
        let bounds = left.bounds().combined(right.bounds(), i64::checked_add);
        match (left, right, bounds) {
            (Operand::Constant(a), Operand::Constant(b), _) => Operand::Constant(a.wrapping_add(b)),
            (operand, Operand::Constant(0), _) | (Operand::Constant(0), operand, _) => operand,
            (_, _, bounds) => {
                let value = self.add_values(left, right);
                Operand::computed(value, bounds.unwrap_or(Bounds::ANY))
            }
        }
    }

    fn add_values(&mut self, left: Operand, right: Operand) -> Value {
        match (left, right) {
            (Operand::Computed { value, .. }, Operand::Constant(number))
            | (Operand::Constant(number), Operand::Computed { value, .. }) => {
                self.builder.ins().iadd_imm(value, number)
            }
            _ => {
                let (a, b) = (self.value(left), self.value(right));
                self.builder.ins().iadd(a, b)
            }
        }
    }

    /// A part of an address times a constant.
    pub fn times(&mut self, operand: Operand, number: i64) -> Operand {
        match operand {
            Operand::Constant(value) => Operand::Constant(value.wrapping_mul(number)),
            _ if number == 1 => operand,
            Operand::Computed { value, bounds } => {
                let product = self.builder.ins().imul_imm(value, number);
                let factor = Bounds::new(number, number);
                let bounds = bounds.combined(factor, i64::checked_mul);
                Operand::computed(product, bounds.unwrap_or(Bounds::ANY))
            }
        }
    }

    /// A sum, cut to 32 bits.
    pub fn sum(&mut self, left: Operand, right: Operand) -> Operand {
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right) {
            return Operand::Constant(cut(a.wrapping_add(b)));
        }
        let bounds = left.bounds().combined(right.bounds(), i64::checked_add);
        let value = self.add_values(left, right);
        self.cut_to_int(value, bounds)
    }

    /// A difference, cut to 32 bits.
    pub fn difference(&mut self, left: Operand, right: Operand) -> Operand {
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right) {
            return Operand::Constant(cut(a.wrapping_sub(b)));
        }
        let bounds = left.bounds().combined(right.bounds(), i64::checked_sub);
        let (a, b) = (self.value(left), self.value(right));
        let value = self.builder.ins().isub(a, b);
        self.cut_to_int(value, bounds)
    }

    /// The low 32 bits, with their sign.
    fn cut_to_int(&mut self, value: Value, bounds: Option<Bounds>) -> Operand {
        match bounds {
            Some(bounds) if bounds.within(Bounds::INT) => Operand::computed(value, bounds),
            _ => {
                let low = self.builder.ins().ireduce(types::I32, value);
                let value = self.builder.ins().sextend(types::I64, low);
                Operand::computed(value, Bounds::INT)
            }
        }
    }

    /// What the language makes of a result: cut to 32 bits, or a fault if the instruction says that it overflowed.
    fn finished(
        &mut self,
        result: Value,
        bounds: Option<Bounds>,
        overflow: Option<Value>,
    ) -> Operand {
        if self.plan.program.arithmetic.wraps() {
            return self.cut_to_int(result, bounds);
        }
        if let (None, Some(overflow)) = (bounds, overflow) {
            let fits = self.builder.ins().bxor_imm(overflow, 1);
            self.require(fits);
        }
        Operand::computed(result, bounds.unwrap_or(Bounds::ANY))
    }

    /// Goes on only where the operand is not 0.
    pub fn defined(&mut self, to: Register) -> Result<Operand, Ended> {
        let operand = self.register(to);
        if operand.constant() == Some(0) {
            return Err(self.redo());
        }
        let Bounds { low, high } = operand.bounds();
        if low > 0 || high < 0 {
            return Ok(operand);
        }
        let value = self.value(operand);
        self.require(value);
        let low = if low == 0 { 1 } else { low };
        Ok(Operand::computed(value, Bounds::new(low, high.max(low))))
    }

    pub fn calculate(&mut self, op: Calculation, to: Register) -> Result<Operand, Ended> {
        let (left, right) = (self.register(to), self.register(to + 1));
        if let (Operand::Constant(a), Operand::Constant(b)) = (left, right) {
            let known = self.plan.program.arithmetic.calculate(op, a, b);
            return known.map(Operand::Constant).map_err(|_| self.redo());
        }
        match op {
            Calculation::Add | Calculation::Subtract | Calculation::Multiply => {
                Ok(self.arithmetic(op, left, right))
            }
            Calculation::Divide | Calculation::Modulo => self.quotient(op, left, right),
            Calculation::ShiftLeft | Calculation::ShiftRight => self.shifted(op, left, right),
            _ => Ok(self.bitwise(op, left, right)),
        }
    }

    fn arithmetic(&mut self, op: Calculation, left: Operand, right: Operand) -> Operand {
        let exact = match op {
            Calculation::Add => i64::checked_add,
            Calculation::Subtract => i64::checked_sub,
            _ => i64::checked_mul,
        };
        let bounds = left.bounds().combined(right.bounds(), exact);
        let (a, b) = (self.value(left), self.value(right));
        let ins = self.builder.ins();
        let (result, overflow) =
            match (op, bounds.is_some() || self.plan.program.arithmetic.wraps()) {
                (Calculation::Add, true) => (ins.iadd(a, b), None),
                (Calculation::Subtract, true) => (ins.isub(a, b), None),
                (_, true) => (ins.imul(a, b), None),
                (Calculation::Add, false) => second(ins.sadd_overflow(a, b)),
                (Calculation::Subtract, false) => second(ins.ssub_overflow(a, b)),
                (_, false) => second(ins.smul_overflow(a, b)),
            };
        self.finished(result, bounds, overflow)
    }

    fn quotient(
        &mut self,
        op: Calculation,
        left: Operand,
        right: Operand,
    ) -> Result<Operand, Ended> {
        // The one quotient that does not fit, and the one that the machine refuses to compute.
        if left.bounds().low == i64::MIN {
            return Err(self.give_up());
        }
        if right.constant() == Some(0) {
            return Err(self.redo());
        }
        if right.bounds().low <= 0 && right.bounds().high >= 0 {
            let value = self.value(right);
            self.require(value);
        }
        let (a, b) = (self.value(left), self.value(right));
        let largest = left.bounds().low.abs().max(left.bounds().high.abs());
        let bounds = Bounds::new(-largest, largest);
        Ok(match op {
            Calculation::Divide => {
                let result = self.builder.ins().sdiv(a, b);
                self.finished(result, Some(bounds), None)
            }
            _ => {
                let result = self.builder.ins().srem(a, b);
                let low = if left.bounds().low >= 0 { 0 } else { -largest };
                Operand::computed(result, Bounds::new(low, largest))
            }
        })
    }

    fn shifted(
        &mut self,
        op: Calculation,
        left: Operand,
        right: Operand,
    ) -> Result<Operand, Ended> {
        let arithmetic = self.plan.program.arithmetic;
        let most = i64::from(arithmetic.bits()) - 1;
        self.check_range(right, Bounds::new(0, most))?;
        let (a, b) = (self.value(left), self.value(right));
        if op == Calculation::ShiftRight {
            let result = self.builder.ins().sshr(a, b);
            return Ok(Operand::computed(
                result,
                left.bounds().hull(Bounds::new(-1, 0)),
            ));
        }
        if !arithmetic.wraps() {
            return Err(self.give_up());
        }
        let result = self.builder.ins().ishl(a, b);
        Ok(self.cut_to_int(result, None))
    }

    fn bitwise(&mut self, op: Calculation, left: Operand, right: Operand) -> Operand {
        let bounds = bitwise_bounds(op, left.bounds(), right.bounds());
        let (a, b) = (self.value(left), self.value(right));
        let result = match op {
            Calculation::BitAnd => self.builder.ins().band(a, b),
            Calculation::BitOr => self.builder.ins().bor(a, b),
            _ => self.builder.ins().bxor(a, b),
        };
        Operand::computed(result, bounds)
    }
}

fn second((result, overflow): (Value, Value)) -> (Value, Option<Value>) {
    (result, Some(overflow))
}

/// The low 32 bits, with their sign.
fn cut(value: i64) -> i64 {
    i64::from(value as i32)
}

fn bitwise_bounds(op: Calculation, left: Bounds, right: Bounds) -> Bounds {
    match (op, left.low >= 0, right.low >= 0) {
        (Calculation::BitAnd, true, true) => Bounds::new(0, left.high.min(right.high)),
        (Calculation::BitAnd, true, false) => Bounds::new(0, left.high),
        (Calculation::BitAnd, false, true) => Bounds::new(0, right.high),
        (_, true, true) => {
            let most = left.high.max(right.high) as u64;
            let ones = u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
            Bounds::new(0, ones as i64)
        }
        _ if left.within(Bounds::INT) && right.within(Bounds::INT) => Bounds::INT,
        _ => Bounds::ANY,
    }
}

fn condition_code(relation: Relation) -> IntCC {
    match relation.0 {
        1 => IntCC::SignedLessThan,
        2 => IntCC::Equal,
        3 => IntCC::SignedLessThanOrEqual,
        4 => IntCC::SignedGreaterThan,
        5 => IntCC::NotEqual,
        _ => IntCC::SignedGreaterThanOrEqual,
    }
}
