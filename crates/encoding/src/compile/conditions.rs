//! Conditions as jumps.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register, Relation, Space};
use crate::compile::places::Spot;
use crate::fold::constant_value;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Compiler<'_> {
    /// Emits code that jumps if the truth of the condition is `when` and falls through otherwise.
    /// Gives the jumps, whose target is still open. Registers from `to` on may change.
    pub fn jumps(
        &mut self,
        expr: &Expr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        if let Some(value) = constant_value(expr) {
            return Ok(self.jump_always((value != 0) == when));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.jumps(operand, to, !when),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                self.junction(*op, expr, to, when)
            }
            ExprKind::Binary(op, left, right) => match Relation::of(*op) {
                Some(relation) => self.comparison(relation, left, right, to, when),
                None => self.jump_on_value(expr, to, when),
            },
            _ => self.jump_on_value(expr, to, when),
        }
    }

    fn jump_always(&mut self, jump: bool) -> Vec<usize> {
        match jump {
            true => vec![self.emit(Op::Jump { target: 0 })],
            false => Vec::new(),
        }
    }

    fn jump_on_value(
        &mut self,
        expr: &Expr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        if let ExprKind::Read(place) = &expr.kind {
            let relation =
                Relation::of(BinaryOp::NotEqual).map(|r| if when { r } else { r.negated() });
            if let (Some(relation), Some(op)) = (relation, self.fixed_spot(place)) {
                return Ok(vec![self.emit(jump_on_cell(op, relation, 0))]);
            }
        }
        self.value(expr, to)?;
        Ok(vec![self.emit(Op::JumpIf {
            to,
            when,
            target: 0,
        })])
    }

    /// `a && b && ...` or `a || b || ...`, whose left spine may be long.
    fn junction(
        &mut self,
        op: BinaryOp,
        expr: &Expr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        let mut operands = Vec::new();
        let mut left = expr;
        while let ExprKind::Binary(inner, first, last) = &left.kind
            && *inner == op
        {
            operands.push(&**last);
            left = first;
        }
        operands.push(left);
        operands.reverse();
        // One operand with this truth decides the whole.
        let deciding = op == BinaryOp::Or;
        if when == deciding {
            return self.any_of(&operands, to, when);
        }
        let (last, others) = operands.split_last().expect("a junction has operands");
        let skip = self.any_of(others, to, deciding)?;
        let jumps = self.jumps(last, to, when)?;
        self.land(skip);
        Ok(jumps)
    }

    /// Jumps as soon as one of the operands has the truth `when`.
    fn any_of(
        &mut self,
        operands: &[&Expr],
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        let mut jumps = Vec::new();
        for operand in operands {
            jumps.extend(self.jumps(operand, to, when)?);
        }
        Ok(jumps)
    }

    fn comparison(
        &mut self,
        relation: Relation,
        left: &Expr,
        right: &Expr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        let relation = if when { relation } else { relation.negated() };
        let small = |e: &Expr| constant_value(e).and_then(|value| i32::try_from(value).ok());
        if let Some(value) = small(right) {
            return self.comparison_with(relation, left, value, to);
        }
        if let Some(value) = small(left) {
            return self.comparison_with(relation.mirrored(), right, value, to);
        }
        self.value(left, to)?;
        self.value(right, after(to, right.span)?)?;
        Ok(vec![self.emit(Op::JumpCompare {
            to,
            relation,
            target: 0,
        })])
    }

    fn comparison_with(
        &mut self,
        relation: Relation,
        left: &Expr,
        value: i32,
        to: Register,
    ) -> Result<Vec<usize>, Unsupported> {
        if let ExprKind::Read(place) = &left.kind
            && let Some(spot) = self.fixed_spot(place)
        {
            return Ok(vec![self.emit(jump_on_cell(spot, relation, value))]);
        }
        self.value(left, to)?;
        Ok(vec![self.emit(Op::JumpCompareConst {
            to,
            relation,
            value,
            target: 0,
        })])
    }
}

fn jump_on_cell(spot: Spot, relation: Relation, value: i32) -> Op {
    let target = 0;
    match spot.space {
        Space::Global => Op::JumpGlobalConst {
            relation,
            cell: spot.cell,
            value,
            target,
        },
        Space::Local => Op::JumpLocalConst {
            relation,
            offset: spot.cell,
            value,
            target,
        },
    }
}
