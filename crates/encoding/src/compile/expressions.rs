//! Expressions as values in registers.

use super::conditions::small;
use super::{Compiler, Unsupported, after};
use crate::code::{Op, PatternSet, Register, Relation, Source, Space};
use mandala_model::arithmetic::Calculation;
use mandala_model::source::Span;
use mandala_resolved::{ChannelQuestion, ProcessQuestion, ResolvedExpr, ResolvedKind, Wanted};

impl Compiler<'_> {
    /// Emits code that leaves the value in `to` and changes no lower register.
    pub fn value(&mut self, expr: &ResolvedExpr, to: Register) -> Result<(), Unsupported> {
        match &expr.kind {
            ResolvedKind::Const(value) => self.constant(*value, to),
            ResolvedKind::Read(place) => self.read(place, to)?,
            ResolvedKind::Defined(operand) => {
                self.value(operand, to)?;
                let site = self.site(expr.span);
                self.emit(Op::Defined { to, site });
            }
            ResolvedKind::Calculate(..) => self.calculation_spine(expr, to)?,
            ResolvedKind::Compare(relation, operands) => {
                self.compared(*relation, operands, expr, to)?;
            }
            ResolvedKind::Junction(_) => self.truth_value(expr, to)?,
            ResolvedKind::Conditional(_) => self.conditional(expr, to)?,
            ResolvedKind::Quantified(quantified) => self.quantified(quantified, expr.span, to)?,
            ResolvedKind::Bound(binder) => {
                let from = self.bound[binder.index()];
                self.emit(Op::Copy { to, from });
            }
            _ => self.question(expr, to)?,
        }
        Ok(())
    }

    pub fn constant(&mut self, value: i64, to: Register) {
        match i32::try_from(value) {
            Ok(value) => self.emit(Op::Const { to, value }),
            Err(_) => {
                self.code.constants.push(value);
                let index = self.code.constants.len() as u32 - 1;
                self.emit(Op::Wide { to, index })
            }
        };
    }

    /// What is asked about the state other than the value of a variable.
    fn question(&mut self, expr: &ResolvedExpr, to: Register) -> Result<(), Unsupported> {
        match &expr.kind {
            ResolvedKind::SelfId => self.emit(Op::SelfId { to }),
            ResolvedKind::ProcessCount => self.emit(Op::ProcessCount { to }),
            ResolvedKind::FirstInstance(template) => {
                let template = template.0;
                self.emit(Op::FirstInstance { to, template })
            }
            ResolvedKind::Timeout => self.emit(Op::Timeout { to }),
            ResolvedKind::NonProgress => self.emit(Op::NonProgress { to }),
            ResolvedKind::Accepting => self.emit(Op::Accepting { to }),
            ResolvedKind::Process(question, process) => {
                self.value(process, to)?;
                let op = self.question_about_process(*question, expr.span, to);
                self.emit(op)
            }
            ResolvedKind::Channel(question, channel) => {
                self.value(channel, to)?;
                let op = self.question_about_channel(question, channel.span, expr.span, to)?;
                self.emit(op)
            }
            other => unreachable!("{other:?} is compiled elsewhere"),
        };
        Ok(())
    }

    fn question_about_process(&mut self, asked: ProcessQuestion, span: Span, to: Register) -> Op {
        match asked {
            ProcessQuestion::Enabled => {
                let site = self.site(span);
                Op::Enabled { to, site }
            }
            ProcessQuestion::LocationNumber => Op::LocationNumber { to },
            ProcessQuestion::Priority => Op::Priority { to },
            ProcessQuestion::At(template, location) => Op::At {
                to,
                template: template.0,
                location: location.0,
            },
        }
    }

    fn question_about_channel(
        &mut self,
        asked: &ChannelQuestion,
        channel: Span,
        span: Span,
        to: Register,
    ) -> Result<Op, Unsupported> {
        let patterns = match asked {
            ChannelQuestion::Poll(wanted) => Some(self.patterns(wanted, after(to, span)?)?),
            ChannelQuestion::Length | ChannelQuestion::IsFull => None,
        };
        let site = self.site(channel);
        Ok(match (asked, patterns) {
            (_, Some(patterns)) => Op::Poll { to, patterns, site },
            (ChannelQuestion::IsFull, None) => Op::IsFull { to, site },
            (_, None) => Op::Length { to, site },
        })
    }

    /// A row of the table of pattern sets. Code for its values may change registers from `register` on.
    pub fn patterns(&mut self, wanted: &Wanted, register: Register) -> Result<u32, Unsupported> {
        let mut matched = Vec::new();
        for (field, value) in &wanted.fields {
            matched.push((*field, self.source(value, register)?));
        }
        self.code.patterns.push(PatternSet {
            order: wanted.order,
            arity: wanted.arity,
            matched,
        });
        Ok(self.code.patterns.len() as u32 - 1)
    }

    /// Where a value can be found. If that takes code, it is put aside: what is emitted here jumps over it.
    pub fn source(
        &mut self,
        expr: &ResolvedExpr,
        register: Register,
    ) -> Result<Source, Unsupported> {
        if let Some(value) = expr.as_constant() {
            return Ok(Source::Const(value));
        }
        if let ResolvedKind::Read(place) = &expr.kind
            && let Some(spot) = self.fixed_spot(place)
        {
            return Ok(match spot.space {
                Space::Global => Source::Global(spot.cell),
                Space::Local => Source::Local(spot.cell),
            });
        }
        let over = self.emit(Op::Jump { target: 0 });
        let entry = self.here();
        self.value(expr, register)?;
        self.emit(Op::Done);
        self.land(vec![over]);
        Ok(Source::Code(entry, register))
    }

    /// Calculations nest to the left in generated models, thousands deep: a loop.
    fn calculation_spine(&mut self, expr: &ResolvedExpr, to: Register) -> Result<(), Unsupported> {
        let mut spine = Vec::new();
        let mut left = expr;
        while let ResolvedKind::Calculate(op, operands) = &left.kind {
            let [inner, right] = &**operands;
            spine.push((*op, right, left.span));
            left = inner;
        }
        self.value(left, to)?;
        for (op, right, span) in spine.into_iter().rev() {
            self.calculated(op, right, span, to)?;
        }
        Ok(())
    }

    /// Combines what is in `to` with `right`.
    fn calculated(
        &mut self,
        op: Calculation,
        right: &ResolvedExpr,
        span: Span,
        to: Register,
    ) -> Result<(), Unsupported> {
        let wraps = self.model.arithmetic.wraps();
        let added = small(right).and_then(|value| added(op, value));
        if let Some(value) = added.filter(|_| wraps) {
            self.emit(Op::AddConst { to, value });
            return Ok(());
        }
        self.value(right, after(to, span)?)?;
        let site = self.site(span);
        self.emit(match op {
            Calculation::Add if wraps => Op::Add { to },
            Calculation::Subtract if wraps => Op::Subtract { to },
            _ => Op::Calculate { to, op, site },
        });
        Ok(())
    }

    /// The truth of a relation. That a condition does not hold is found by jumps.
    fn compared(
        &mut self,
        relation: Relation,
        [left, right]: &[ResolvedExpr; 2],
        expr: &ResolvedExpr,
        to: Register,
    ) -> Result<(), Unsupported> {
        if matches!(left.kind, ResolvedKind::Junction(_)) && right.as_constant() == Some(0) {
            return self.truth_value(expr, to);
        }
        self.value(left, to)?;
        let op = match small(right) {
            Some(value) => Op::CompareConst {
                to,
                relation,
                value,
            },
            None => {
                self.value(right, after(to, expr.span)?)?;
                Op::Compare { to, relation }
            }
        };
        self.emit(op);
        Ok(())
    }

    fn conditional(&mut self, expr: &ResolvedExpr, to: Register) -> Result<(), Unsupported> {
        let mut ends = Vec::new();
        let mut rest = expr;
        while let ResolvedKind::Conditional(parts) = &rest.kind {
            let [condition, yes, no] = &**parts;
            let otherwise = self.jumps(condition, to, false)?;
            self.value(yes, to)?;
            ends.push(self.emit(Op::Jump { target: 0 }));
            self.land(otherwise);
            rest = no;
        }
        self.value(rest, to)?;
        self.land(ends);
        Ok(())
    }

    /// A condition as 0 or 1.
    fn truth_value(&mut self, expr: &ResolvedExpr, to: Register) -> Result<(), Unsupported> {
        let jumps = self.jumps(expr, to, false)?;
        self.emit(Op::Const { to, value: 1 });
        let end = self.emit(Op::Jump { target: 0 });
        self.land(jumps);
        self.emit(Op::Const { to, value: 0 });
        self.land(vec![end]);
        Ok(())
    }
}

/// What to add to a value instead of adding or subtracting a constant.
pub(super) fn added(op: Calculation, value: i32) -> Option<i32> {
    match op {
        Calculation::Add => Some(value),
        Calculation::Subtract => value.checked_neg(),
        _ => None,
    }
}
