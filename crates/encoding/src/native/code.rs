//! Runs code at translation time: what is known is computed now, for the rest instructions are made.
//!
//! Code jumps forwards only, but for the loops of quantifiers. So it is gone through once from its start, and when a point is reached that
//! jumps lead to, all of them have been seen. What a loop does is gone through once for each value, or if there are many once for all of them.

use super::facts::{Facts, Landing};
use super::operand::{Bounds, Operand};
use super::translator::{Ended, Translator};
use crate::code::{Entry, MISSING, Op, Relation, Source, Space};
use cranelift_codegen::ir::Block;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use std::collections::BTreeMap;

/// How one run through code goes.
pub(super) struct Run {
    process: u32,
    base: u32,
    /// Points further on that jumps lead to.
    ahead: BTreeMap<usize, Landing>,
    done: Landing,
    /// Where it goes on if a guard does not hold.
    reject: Option<Block>,
}

/// What comes after an operation.
enum Flow {
    Next,
    /// Control went elsewhere.
    Elsewhere,
}

impl Translator<'_, '_> {
    /// Translates code. It goes on behind it, if it can.
    pub fn run(&mut self, entry: Entry, process: u32) -> Result<(), Ended> {
        self.run_or(entry, process, None)
    }

    /// Translates a guard. It goes on where the guard holds, if it can.
    pub fn guard(
        &mut self,
        guard: Option<Entry>,
        process: u32,
        otherwise: Block,
    ) -> Result<(), Ended> {
        match guard {
            Some(entry) => self.run_or(entry, process, Some(otherwise)),
            None => Ok(()),
        }
    }

    fn run_or(&mut self, entry: Entry, process: u32, reject: Option<Block>) -> Result<(), Ended> {
        let done = self.block();
        let mut run = Run {
            process,
            base: self.plan.frame(process),
            ahead: BTreeMap::new(),
            done: Landing::new(done),
            reject,
        };
        self.go_through(entry as usize, usize::MAX, &mut run);
        let facts = run.done.facts().ok_or(Ended)?;
        self.switch_to(done);
        self.facts = facts;
        Ok(())
    }

    /// Translates code up to that point, or to its end. Says whether it goes on there.
    pub(super) fn go_through(&mut self, entry: usize, until: usize, run: &mut Run) -> bool {
        let ops = &self.plan.program.code.ops;
        let (mut at, mut reachable) = (entry, true);
        loop {
            if let Some(mut landing) = run.ahead.remove(&at) {
                if reachable {
                    self.settle_registers();
                    landing.add(&self.facts);
                    self.jump(landing.block);
                }
                self.switch_to(landing.block);
                self.facts = landing.facts().unwrap_or_default();
                reachable = true;
            }
            if at == until {
                return reachable;
            }
            if !reachable {
                // Nothing leads to the code up to the next landing.
                match run.ahead.keys().next() {
                    Some(next) if *next <= until => at = *next,
                    _ => return false,
                }
                continue;
            }
            if let Op::Each { to, row } = ops[at] {
                reachable = self.each_value(to, row, run);
                at = self.plan.program.code.loops[row as usize].end as usize;
                continue;
            }
            let flow = self.operation(ops[at], run);
            reachable = matches!(flow, Ok(Flow::Next));
            at += 1;
        }
    }

    fn operation(&mut self, op: Op, run: &mut Run) -> Result<Flow, Ended> {
        if is_control(&op) {
            return Ok(self.control(op, run));
        }
        match op {
            Op::SetGlobal { .. }
            | Op::SetLocal { .. }
            | Op::IncreaseGlobal { .. }
            | Op::IncreaseLocal { .. }
            | Op::StoreGlobal { .. }
            | Op::StoreLocal { .. }
            | Op::StoreElement { .. }
            | Op::StoreAt { .. } => self.effect(op, run.base)?,
            Op::CheckRange { from, range, .. } => {
                let (min, max) = self.plan.program.code.ranges[range as usize];
                let operand = self.register(from);
                self.check_range(operand, Bounds::new(min, max))?;
            }
            Op::CheckFrame { from, .. } => {
                let operand = self.register(from + 1);
                self.check_range(operand, Bounds::new(0, i64::MAX))?;
            }
            Op::Spawn { .. } | Op::SetPriority { .. } | Op::CheckPriority { .. } | Op::Abandon => {
                return Err(self.give_up());
            }
            _ => self.compute(op, run)?,
        }
        Ok(Flow::Next)
    }

    /// Operations that decide what comes next.
    fn control(&mut self, op: Op, run: &mut Run) -> Flow {
        match op {
            Op::Jump { target } => {
                self.land(target, run);
                Flow::Elsewhere
            }
            Op::JumpIf { to, when, target } => {
                let relation = if when { Relation(5) } else { Relation(2) };
                let operand = self.register(to);
                self.jump_if(operand, relation, Operand::Constant(0), target, run)
            }
            Op::JumpCompare {
                to,
                relation,
                target,
            } => {
                let (left, right) = (self.register(to), self.register(to + 1));
                self.jump_if(left, relation, right, target, run)
            }
            Op::JumpCompareConst {
                to,
                relation,
                value,
                target,
            } => {
                let (left, right) = (self.register(to), Operand::Constant(value.into()));
                self.jump_if(left, relation, right, target, run)
            }
            Op::JumpGlobalConst {
                relation,
                cell,
                value,
                target,
            } => {
                let (left, right) = (self.load(cell), Operand::Constant(value.into()));
                self.jump_if(left, relation, right, target, run)
            }
            Op::JumpLocalConst {
                relation,
                offset,
                value,
                target,
            } => {
                let left = self.load(run.base + offset);
                self.jump_if(left, relation, Operand::Constant(value.into()), target, run)
            }
            Op::Done => {
                self.settle_registers();
                run.done.add(&self.facts);
                self.jump(run.done.block);
                Flow::Elsewhere
            }
            Op::Reject if run.reject.is_some() => {
                if let Some(reject) = run.reject {
                    self.jump(reject);
                }
                Flow::Elsewhere
            }
            // A step or an assertion that fails, or a guard where there is none.
            _ => {
                self.redo();
                Flow::Elsewhere
            }
        }
    }

    /// Notes that the current point leads to another one, and gives its block.
    fn landing(&mut self, target: u32, run: &mut Run) -> Block {
        self.settle_registers();
        let block = match run.ahead.get(&(target as usize)) {
            Some(landing) => landing.block,
            None => self.block(),
        };
        let landing = run.ahead.entry(target as usize);
        landing
            .or_insert_with(|| Landing::new(block))
            .add(&self.facts);
        block
    }

    fn land(&mut self, target: u32, run: &mut Run) {
        let block = self.landing(target, run);
        self.jump(block);
    }

    fn jump_if(
        &mut self,
        left: Operand,
        relation: Relation,
        right: Operand,
        target: u32,
        run: &mut Run,
    ) -> Flow {
        match left.bounds().decides(relation, right.bounds()) {
            Some(true) => {
                self.land(target, run);
                Flow::Elsewhere
            }
            Some(false) => Flow::Next,
            None => {
                let condition = self.compared(relation, left, right);
                let block = self.landing(target, run);
                let next = self.block();
                self.branch(condition, block, next);
                self.switch_to(next);
                Flow::Next
            }
        }
    }

    /// Operations that change cells.
    fn effect(&mut self, op: Op, base: u32) -> Result<(), Ended> {
        match op {
            Op::SetGlobal { cell, value } => self.store(cell, Operand::Constant(value.into())),
            Op::SetLocal { offset, value } => {
                self.store(base + offset, Operand::Constant(value.into()));
            }
            Op::IncreaseGlobal { wrap, cell, by } => self.increase(wrap, cell, by),
            Op::IncreaseLocal { wrap, offset, by } => self.increase(wrap, base + offset, by),
            Op::StoreGlobal { from, wrap, cell } => {
                let kept = self.kept(wrap, from);
                self.store(cell, kept);
            }
            Op::StoreLocal { from, wrap, offset } => {
                let kept = self.kept(wrap, from);
                self.store(base + offset, kept);
            }
            Op::StoreElement {
                space,
                wrap,
                from,
                array,
                ..
            } => {
                let array = self.plan.program.code.arrays[array as usize];
                let index = self.register(from + 1);
                let first = start(space, base) + i64::from(array.base);
                let address = self.element(first, index, array.length)?;
                let kept = self.kept(wrap, from);
                self.store_at(address, kept)?;
            }
            Op::StoreAt { space, wrap, from } => {
                let address = self.register(from + 1);
                let address = self.plus(address, start(space, base));
                let kept = self.kept(wrap, from);
                self.store_at(address, kept)?;
            }
            other => unreachable!("{other:?} changes no cell"),
        }
        Ok(())
    }

    fn kept(&mut self, wrap: crate::code::Wrap, register: u8) -> Operand {
        let operand = self.register(register);
        self.wrapped(wrap, operand)
    }

    fn increase(&mut self, wrap: crate::code::Wrap, cell: u32, by: i32) {
        let old = self.load(cell);
        let sum = self.sum(old, Operand::Constant(by.into()));
        let kept = self.wrapped(wrap, sum);
        self.store(cell, kept);
    }

    /// Operations that leave a value in a register.
    fn compute(&mut self, op: Op, run: &Run) -> Result<(), Ended> {
        let Some(to) = op.result() else {
            return Err(self.give_up());
        };
        let result = match op {
            Op::Const { value, .. } => Operand::Constant(value.into()),
            Op::Wide { index, .. } => {
                Operand::Constant(self.plan.program.code.constants[index as usize])
            }
            Op::Global { cell, .. } => self.load(cell),
            Op::Local { offset, .. } => self.load(run.base + offset),
            Op::GlobalElement { base, length, .. } => self.read_element(to, base, length)?,
            Op::LocalElement { base, length, .. } => {
                self.read_element(to, run.base + base, length)?
            }
            Op::Index { stride, length, .. } => self.index(to, stride, length)?,
            Op::GlobalAt { .. } => self.read_at(to, 0)?,
            Op::LocalAt { .. } => self.read_at(to, run.base.into())?,
            Op::Field { index, .. } => {
                let field = self.message.get(index as usize).copied();
                field.ok_or(()).map_err(|()| self.redo())?
            }
            Op::Copy { from, .. } => self.register(from),
            Op::SelfId { .. } => self.process_number(run.process),
            Op::ProcessCount { .. } => Operand::Constant(self.plan.real.processes.len() as i64),
            // Where no process can move without a time-out, the interpreter takes over.
            Op::Timeout { .. } => Operand::Constant(0),
            Op::AddConst { value, .. } => {
                let left = self.register(to);
                self.sum(left, Operand::Constant(value.into()))
            }
            Op::Add { .. } => {
                let (left, right) = (self.register(to), self.register(to + 1));
                self.sum(left, right)
            }
            Op::Subtract { .. } => {
                let (left, right) = (self.register(to), self.register(to + 1));
                self.difference(left, right)
            }
            Op::Defined { .. } => self.defined(to)?,
            Op::Calculate { op, .. } => self.calculate(op, to)?,
            Op::Compare { relation, .. } => {
                let (left, right) = (self.register(to), self.register(to + 1));
                self.comparison(relation, left, right)
            }
            Op::CompareConst {
                relation, value, ..
            } => {
                let left = self.register(to);
                self.comparison(relation, left, Operand::Constant(value.into()))
            }
            _ => self.ask(op, to, run.process)?,
        };
        self.set(to, result);
        Ok(())
    }

    /// The address of an element of an array, after a check of the index unless it is proved.
    fn element(&mut self, first: i64, index: Operand, length: u32) -> Result<Operand, Ended> {
        self.check_range(index, Bounds::new(0, i64::from(length) - 1))?;
        let index = self.narrowed(index, Bounds::new(0, i64::from(length) - 1));
        Ok(self.plus(index, first))
    }

    /// The operand where it is known to be within bounds.
    fn narrowed(&self, operand: Operand, known: Bounds) -> Operand {
        match operand {
            Operand::Computed { value, bounds } => {
                let low = bounds.low.max(known.low);
                Operand::computed(value, Bounds::new(low, bounds.high.min(known.high)))
            }
            constant => constant,
        }
    }

    fn read_element(&mut self, to: u8, first: u32, length: u32) -> Result<Operand, Ended> {
        let index = self.register(to);
        let address = self.element(first.into(), index, length)?;
        self.load_at(address)
    }

    fn index(&mut self, to: u8, stride: u32, length: u32) -> Result<Operand, Ended> {
        let (address, index) = (self.register(to), self.register(to + 1));
        let index = self.element(0, index, length)?;
        let step = self.times(index, stride.into());
        Ok(self.exact_sum(address, step))
    }

    /// A cell at an address; what is in a frame that does not exist reads as 0.
    fn read_at(&mut self, to: u8, start: i64) -> Result<Operand, Ended> {
        let address = self.register(to);
        if address.bounds().high < MISSING / 2 {
            return Ok(Operand::Constant(0));
        }
        let address = self.plus(address, start);
        self.load_at(address)
    }

    /// Goes on only if the operand is within bounds.
    pub fn check_range(&mut self, operand: Operand, bounds: Bounds) -> Result<(), Ended> {
        if operand.bounds().within(bounds) {
            return Ok(());
        }
        let outside = operand.bounds().high < bounds.low || operand.bounds().low > bounds.high;
        if outside || operand.constant().is_some() {
            return Err(self.redo());
        }
        let value = self.value(operand);
        let inside = match bounds.low {
            // One comparison does for both ends.
            0 => {
                let limit = bounds.high;
                let at_most = IntCC::UnsignedLessThanOrEqual;
                self.builder.ins().icmp_imm(at_most, value, limit)
            }
            low => {
                let moved = self.builder.ins().iadd_imm(value, low.wrapping_neg());
                let span = bounds.high.wrapping_sub(low);
                let at_most = IntCC::UnsignedLessThanOrEqual;
                self.builder.ins().icmp_imm(at_most, moved, span)
            }
        };
        self.require(inside);
        Ok(())
    }

    /// The value of a source.
    pub fn source(&mut self, source: Source, process: u32) -> Result<Operand, Ended> {
        let base = self.plan.frame(process);
        Ok(match source {
            Source::Const(value) => Operand::Constant(value),
            Source::Global(cell) => self.load(cell),
            Source::Local(offset) => self.load(base + offset),
            Source::Code(entry, register) => {
                self.run(entry, process)?;
                self.register(register)
            }
        })
    }

    /// What is known at the start of a step, where a process is at a location.
    pub fn facts_at(&self, process: u32, location: u32) -> Facts {
        Facts::of_cell(self.plan.process(process).base, location.into())
    }
}

fn is_control(op: &Op) -> bool {
    matches!(
        op,
        Op::Jump { .. }
            | Op::JumpIf { .. }
            | Op::JumpCompare { .. }
            | Op::JumpCompareConst { .. }
            | Op::JumpGlobalConst { .. }
            | Op::JumpLocalConst { .. }
            | Op::Reject
            | Op::Done
            | Op::Fail { .. }
            | Op::Halt { .. }
    )
}

/// What addresses in a space are counted from.
fn start(space: Space, base: u32) -> i64 {
    match space {
        Space::Global => 0,
        Space::Local => base.into(),
    }
}
