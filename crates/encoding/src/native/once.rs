//! Moves that twins make superfluous: which names may come next in the tuple of a first move, and its weight ([`crate::twins`]).
//!
//! Which names are twins is known only in the run, from a table. The code is the same for all states, and in a state without twins it asks for each name whether there are some at
//! all. The weight is what is added to the counts of edges, so it takes nothing to count a move as often as it stands for others.

use super::operand::Operand;
use super::running::Context;
use super::standins::members;
use super::translator::Translator;
use crate::twins::{NONE, Twin};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::mem::offset_of;

/// What the table says of a name.
struct TwinValues {
    thing: Value,
    before: Value,
    left: Value,
}

/// A tuple to go back to.
pub(super) struct TupleMark {
    things: usize,
    /// The weight of its move, if that was changed.
    weight: Option<Value>,
}

impl Translator<'_, '_> {
    /// Begins the moves of a process, or goes on at `next` if those of a twin are enough.
    pub fn begin_tuple(&mut self, process: u32, next: Block) -> TupleMark {
        self.tuple.clear();
        self.add_process(process, next)
    }

    /// Adds a process to the tuple, or goes on at `next` if a twin is enough. Gives what the tuple was before.
    pub fn add_process(&mut self, process: u32, next: Block) -> TupleMark {
        let name = self.name_of(process);
        self.add_name(name, next)
    }

    /// The name of a process. Those whom a stand-in stands for have names at one distance from their numbers, or they would not share code.
    fn name_of(&mut self, process: u32) -> Option<Operand> {
        let plan = self.plan;
        let roles = &plan.program.roles;
        let distance = match plan.stand_ins.is_process(process) {
            true => roles.distance(members(&plan.real, plan.process(process).template))?,
            false => roles.distance(std::iter::once(process))?,
        }?;
        let number = self.process_number(process);
        Some(self.plus(number, distance))
    }

    /// A parameter, by its row, gets the value at a position, or it goes on at `next` if that of a twin is enough. Gives what the tuple was before.
    pub fn add_value(&mut self, row: u32, position: Operand, next: Block) -> TupleMark {
        let first = self.plan.program.roles.parameter(row);
        let name = first.map(|first| self.plus(position, first.into()));
        self.add_name(name, next)
    }

    /// Goes back to a shorter tuple.
    pub fn go_back_in_tuple(&mut self, mark: &TupleMark) {
        self.tuple.truncate(mark.things);
        if let Some(weight) = mark.weight {
            self.set_weight(weight);
        }
    }

    /// Adds a name to the tuple of a first move, if it is one.
    fn add_name(&mut self, name: Option<Operand>, next: Block) -> TupleMark {
        let things = self.tuple.len();
        let is_first_move = self.length.is_none();
        let Some(name) = name.filter(|_| is_first_move) else {
            let weight = None;
            return TupleMark { things, weight };
        };
        let before = self.weight();
        // In a state without twins nobody asks what the thing is.
        let thing = self.builder.declare_var(types::I32);
        self.define(thing, types::I32, 0);
        let (ask, go_on) = (self.block(), self.block());
        let has_twins = self.context_field(offset_of!(Context, has_twins));
        self.branch(has_twins, ask, go_on);
        self.switch_to(ask);
        let twin = self.twin(name);
        self.builder.def_var(thing, twin.thing);
        let weight = self.admit(&twin, before, next);
        self.set_weight(weight);
        self.jump(go_on);
        self.switch_to(go_on);
        self.tuple.push(thing);
        TupleMark {
            things,
            weight: Some(before),
        }
    }

    /// Goes on if a name may be next in the tuple, with the weight that the move has then.
    fn admit(&mut self, twin: &TwinValues, weight: Value, next: Block) -> Value {
        let none = i64::from(NONE as i32);
        let mut admitted = self.builder.ins().icmp_imm(IntCC::Equal, twin.before, none);
        let mut is_there = None;
        for thing in self.tuple.clone() {
            let thing = self.builder.use_var(thing);
            let same = self.builder.ins().icmp(IntCC::Equal, thing, twin.thing);
            let before = self.builder.ins().icmp(IntCC::Equal, thing, twin.before);
            admitted = self.builder.ins().bor(admitted, before);
            admitted = self.builder.ins().bor(admitted, same);
            is_there = Some(match is_there {
                Some(found) => self.builder.ins().bor(found, same),
                None => same,
            });
        }
        self.proceed_if(admitted, next);
        let more = self.builder.ins().imul(weight, twin.left);
        match is_there {
            Some(is_there) => self.builder.ins().select(is_there, weight, more),
            None => more,
        }
    }

    /// How many moves the current one stands for, less than zero if counts are taken back.
    fn weight(&mut self) -> Value {
        self.context_field(offset_of!(Context, increment))
    }

    fn set_weight(&mut self, weight: Value) {
        let (flags, offset) = (Self::context_flags(), offset_of!(Context, increment));
        self.builder
            .ins()
            .store(flags, weight, self.context, offset as i32);
    }

    fn twin(&mut self, name: Operand) -> TwinValues {
        let table = self.context_field(offset_of!(Context, twins));
        let offset = self.times(name, size_of::<Twin>() as i64);
        let offset = self.value(offset);
        let at = self.builder.ins().iadd(table, offset);
        let flags = Self::context_flags();
        let mut load = |offset: usize| {
            let ins = self.builder.ins();
            ins.load(types::I32, flags, at, offset as i32)
        };
        let thing = load(offset_of!(Twin, thing));
        let before = load(offset_of!(Twin, before));
        let left = load(offset_of!(Twin, left));
        TwinValues {
            thing,
            before,
            left: self.builder.ins().uextend(types::I64, left),
        }
    }
}
