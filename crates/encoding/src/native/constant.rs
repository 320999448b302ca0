//! Code that gives the same value in all states of a plan, computed now.

use super::plan::Plan;
use crate::code::{Entry, Op, Register, Relation, Source};
use mandala_model::arithmetic::Calculation;
use mandala_model::model::Arithmetic;

/// Code with more operations than this is not looked at.
const MAX_OPERATIONS: usize = 200;

/// A run of code by constants alone.
struct Evaluation<'a> {
    plan: &'a Plan<'a>,
    process: u32,
    base: u32,
    registers: [i64; 256],
}

/// What comes after an operation.
enum Flow {
    Next,
    Jump(u32),
    Done,
}

impl Plan<'_> {
    /// The value of a source, if it is the same in all states.
    pub fn constant_source(&self, source: Source, process: u32) -> Option<i64> {
        let base = self.frame(process);
        match source {
            Source::Const(value) => Some(value),
            Source::Global(cell) => self.constants.get(&cell).copied(),
            Source::Local(offset) => self.constants.get(&(base + offset)).copied(),
            Source::Code(entry, register) => {
                let mut evaluation = Evaluation {
                    plan: self,
                    process,
                    base,
                    registers: [0; 256],
                };
                evaluation.run(entry)?;
                Some(evaluation.registers[register as usize])
            }
        }
    }
}

impl Evaluation<'_> {
    fn run(&mut self, entry: Entry) -> Option<()> {
        let ops = &self.plan.program.code.ops;
        let mut at = entry as usize;
        for _ in 0..MAX_OPERATIONS {
            match self.step(*ops.get(at)?)? {
                Flow::Next => at += 1,
                Flow::Jump(target) => at = target as usize,
                Flow::Done => return Some(()),
            }
        }
        None
    }

    fn register(&self, register: Register) -> i64 {
        self.registers[register as usize]
    }

    fn cell(&self, number: i64) -> Option<i64> {
        let cell = u32::try_from(number).ok()?;
        self.plan.constants.get(&cell).copied()
    }

    fn step(&mut self, op: Op) -> Option<Flow> {
        let jump = |jumps: bool, target| {
            if jumps {
                Flow::Jump(target)
            } else {
                Flow::Next
            }
        };
        Some(match op {
            Op::Done => Flow::Done,
            Op::Jump { target } => Flow::Jump(target),
            Op::JumpIf { to, when, target } => jump((self.register(to) != 0) == when, target),
            Op::JumpCompare {
                to,
                relation,
                target,
            } => jump(
                relation.holds(self.register(to), self.register(to + 1)),
                target,
            ),
            Op::JumpCompareConst {
                to,
                relation,
                value,
                target,
            } => jump(relation.holds(self.register(to), value.into()), target),
            Op::JumpGlobalConst {
                relation,
                cell,
                value,
                target,
            } => jump(
                relation.holds(self.cell(cell.into())?, value.into()),
                target,
            ),
            Op::JumpLocalConst {
                relation,
                offset,
                value,
                target,
            } => {
                let found = self.cell((self.base + offset).into())?;
                jump(relation.holds(found, value.into()), target)
            }
            _ => {
                let result = self.value(op)?;
                self.registers[op.result()? as usize] = result;
                Flow::Next
            }
        })
    }

    fn value(&self, op: Op) -> Option<i64> {
        let arithmetic = self.plan.program.arithmetic;
        let wrapping = Arithmetic::Wrapping32;
        match op {
            Op::Const { value, .. } => Some(value.into()),
            Op::Wide { index, .. } => Some(self.plan.program.code.constants[index as usize]),
            Op::Global { cell, .. } => self.cell(cell.into()),
            Op::Local { offset, .. } => self.cell((self.base + offset).into()),
            Op::GlobalElement {
                to, base, length, ..
            } => self.element(base, to, length),
            Op::LocalElement {
                to, base, length, ..
            } => self.element(self.base + base, to, length),
            Op::SelfId { .. } => {
                let stands_in = self.plan.stand_ins.is_process(self.process);
                (!stands_in).then_some(self.process.into())
            }
            Op::ProcessCount { .. } => Some(self.plan.real.processes.len() as i64),
            Op::AddConst { to, value } => {
                self.calculate(Calculation::Add, to, value.into(), wrapping)
            }
            Op::Add { to } => self.calculate(Calculation::Add, to, self.register(to + 1), wrapping),
            Op::Subtract { to } => {
                self.calculate(Calculation::Subtract, to, self.register(to + 1), wrapping)
            }
            Op::Defined { to, .. } => Some(self.register(to)).filter(|value| *value != 0),
            Op::Calculate { to, op, .. } => {
                self.calculate(op, to, self.register(to + 1), arithmetic)
            }
            Op::Compare { to, relation } => self.compare(relation, to, self.register(to + 1)),
            Op::CompareConst {
                to,
                relation,
                value,
            } => self.compare(relation, to, value.into()),
            _ => None,
        }
    }

    fn calculate(
        &self,
        op: Calculation,
        to: Register,
        right: i64,
        arithmetic: Arithmetic,
    ) -> Option<i64> {
        arithmetic.calculate(op, self.register(to), right).ok()
    }

    fn compare(&self, relation: Relation, to: Register, right: i64) -> Option<i64> {
        Some(relation.holds(self.register(to), right).into())
    }

    fn element(&self, base: u32, index: Register, length: u32) -> Option<i64> {
        let index = u32::try_from(self.register(index)).ok();
        let index = index.filter(|index| *index < length)?;
        self.cell((base + index).into())
    }
}
