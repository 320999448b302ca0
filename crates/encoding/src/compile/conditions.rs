//! Conditions as jumps.

use super::{Compiler, Unsupported, after};
use crate::code::{Op, Register, Relation, Space};
use crate::compile::places::Spot;
use mandala_resolved::{Junction, ResolvedExpr, ResolvedKind};

impl Compiler<'_> {
    /// Emits code that jumps if the truth of the condition is `when` and falls through otherwise.
    /// Gives the jumps, whose target is still open. Registers from `to` on may change.
    pub fn jumps(
        &mut self,
        expr: &ResolvedExpr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        match &expr.kind {
            ResolvedKind::Const(value) => Ok(self.jump_always((*value != 0) == when)),
            ResolvedKind::Junction(junction) => self.junction(junction, to, when),
            ResolvedKind::Compare(relation, operands) => {
                let relation = if when { *relation } else { relation.negated() };
                self.comparison(relation, operands, to)
            }
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
        expr: &ResolvedExpr,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        if let ResolvedKind::Read(place) = &expr.kind
            && let Some(spot) = self.fixed_spot(place)
        {
            let relation = match when {
                true => Relation::NOT_EQUAL,
                false => Relation::EQUAL,
            };
            return Ok(vec![self.emit(jump_on_cell(spot, relation, 0))]);
        }
        self.value(expr, to)?;
        Ok(vec![self.emit(Op::JumpIf {
            to,
            when,
            target: 0,
        })])
    }

    fn junction(
        &mut self,
        junction: &Junction,
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        let Junction { decisive, parts } = junction;
        // One part with this truth decides the whole.
        if when == *decisive {
            return self.any_of(parts, to, when);
        }
        let (last, others) = parts.split_last().expect("a junction has parts");
        let skip = self.any_of(others, to, *decisive)?;
        let jumps = self.jumps(last, to, when)?;
        self.land(skip);
        Ok(jumps)
    }

    /// Jumps as soon as one of the operands has the truth `when`.
    fn any_of(
        &mut self,
        operands: &[ResolvedExpr],
        to: Register,
        when: bool,
    ) -> Result<Vec<usize>, Unsupported> {
        let mut jumps = Vec::new();
        for operand in operands {
            jumps.extend(self.jumps(operand, to, when)?);
        }
        Ok(jumps)
    }

    /// Jumps if the relation holds. A constant is the right operand.
    fn comparison(
        &mut self,
        relation: Relation,
        [left, right]: &[ResolvedExpr; 2],
        to: Register,
    ) -> Result<Vec<usize>, Unsupported> {
        match (relation, small(right)) {
            (Relation::EQUAL, Some(0)) => self.jumps(left, to, false),
            (Relation::NOT_EQUAL, Some(0)) => self.jumps(left, to, true),
            (_, Some(value)) => self.comparison_with(relation, left, value, to),
            (_, None) => {
                self.value(left, to)?;
                self.value(right, after(to, right.span)?)?;
                let target = 0;
                let jump = Op::JumpCompare {
                    to,
                    relation,
                    target,
                };
                Ok(vec![self.emit(jump)])
            }
        }
    }

    fn comparison_with(
        &mut self,
        relation: Relation,
        left: &ResolvedExpr,
        value: i32,
        to: Register,
    ) -> Result<Vec<usize>, Unsupported> {
        if let ResolvedKind::Read(place) = &left.kind
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

/// The number, if it is one that fits into an operation.
pub(super) fn small(expr: &ResolvedExpr) -> Option<i32> {
    expr.as_constant()
        .and_then(|value| i32::try_from(value).ok())
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
