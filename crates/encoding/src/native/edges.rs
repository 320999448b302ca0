//! The moves of a process at a location: each edge is tried, performed, told and undone.

use super::journal::Journal;
use super::operand::{Bounds, Operand};
use super::running::{Answer, Context, Status};
use super::translator::{Ended, Hold, Translator};
use crate::code::{Action, ChannelSource, CompiledEdge, ReceiveSite, SendSite, Source};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;
use std::collections::BTreeSet;
use std::mem::offset_of;

/// Once a function has so many instructions, further edges are left to the interpreter.
pub(super) const MAX_INSTRUCTIONS: usize = 60_000;

/// With more channels, a statement whose channel is known only in the run is left to the interpreter.
const MAX_CHANNELS: u32 = 32;

/// A process at a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    pub process: u32,
    pub location: u32,
    /// Whether some edge belongs to an escape.
    pub escapes: bool,
    /// Whether somebody wants to know if an edge could be taken.
    pub asked: bool,
}

impl Translator<'_, '_> {
    pub fn here(&self, process: u32, location: u32, holds: bool) -> Here {
        let template = self.plan.template(process);
        let range = template.locations[location as usize].edges.clone();
        let edges = &template.edges[range.start as usize..range.end as usize];
        let asks =
            |edge: &CompiledEdge| matches!(edge.action, Action::Else) || edge.alone.is_some();
        Here {
            process,
            location,
            escapes: edges.iter().any(|edge| edge.escape > 0),
            asked: holds || edges.iter().any(asks),
        }
    }

    /// Translates all edges of a location, and goes on behind them.
    pub fn edges(&mut self, here: Here) {
        let template = self.plan.template(here.process);
        let end = self.block();
        if here.asked {
            self.define(self.moved, types::I8, 0);
        }
        if here.escapes {
            self.define(self.escape, types::I32, 0);
        }
        for index in template.locations[here.location as usize].edges.clone() {
            let edge = &template.edges[index as usize];
            if here.escapes {
                self.close(edge, end);
            }
            self.facts = self.facts_at(here.process, here.location);
            self.each_choice(edge, here.process, &mut |this, choice| {
                this.edge(here, (index, choice), edge);
            });
        }
        self.jump(end);
        self.switch_to(end);
    }

    /// Once an escape was taken, what is not part of it is out of reach.
    pub fn close(&mut self, edge: &CompiledEdge, end: Block) {
        let taken = self.builder.use_var(self.escape);
        let ins = self.builder.ins();
        let none = ins.icmp_imm(IntCC::Equal, taken, 0);
        let same = self
            .builder
            .ins()
            .icmp_imm(IntCC::Equal, taken, i64::from(edge.escape));
        let open = self.builder.ins().bor(none, same);
        self.proceed_if(open, end);
    }

    /// Translates one edge for one choice of its parameters, and goes on where it has been undone or could not be taken.
    fn edge(&mut self, here: Here, (index, choice): (u32, Operand), edge: &CompiledEdge) {
        self.journal = Default::default();
        let next = self.block();
        self.hatch_open = true;
        if self.attempt(here, index, edge, next).is_ok() {
            self.mark_taken(here, edge);
            self.jump(next);
        }
        self.hatch_open = false;
        if let Some(hatch) = self.hatch.take() {
            self.switch_to(hatch);
            self.interpret(here, (index, choice), edge, next);
        }
        self.switch_to(next);
    }

    fn attempt(
        &mut self,
        here: Here,
        index: u32,
        edge: &CompiledEdge,
        next: Block,
    ) -> Result<(), Ended> {
        let process = here.process;
        if self.builder.func.dfg.num_insts() > MAX_INSTRUCTIONS {
            return Err(self.give_up());
        }
        match edge.action {
            Action::Guarded { guard, effects } => {
                if !edge.parameters.ask_all {
                    self.guard(guard, process, next)?;
                }
                self.check_alone(edge);
                if let Some(effects) = effects {
                    self.run(effects, process)?;
                }
            }
            Action::Else => {
                let moved = self.builder.use_var(self.moved);
                let none = self.builder.ins().icmp_imm(IntCC::Equal, moved, 0);
                self.proceed_if(none, next);
            }
            Action::Send(send) => {
                return self.on_channel(here, edge, send.channel, next, &mut |this, channel| {
                    this.send_on(here, index, send, channel, next)
                });
            }
            Action::Receive(receive) => {
                return self.on_channel(here, edge, receive.channel, next, &mut |this, channel| {
                    this.receive_on(here, index, receive, channel, next)
                });
            }
            Action::Routine(routine) => self.routine(routine, process, edge, next)?,
            Action::Exit => {
                let last = self.plan.real.processes.len() as i64 - 1;
                return Err(match self.process_number(process) {
                    Operand::Constant(number) if number == last => self.give_up(),
                    Operand::Constant(_) => self.impossible(next),
                    Operand::Computed { value, .. } => {
                        let is_last = self.equals(value, last);
                        self.proceed_if(is_last, next);
                        self.give_up()
                    }
                });
            }
        }
        self.complete(process, index, edge);
        Ok(())
    }

    fn send_on(
        &mut self,
        here: Here,
        index: u32,
        send: SendSite,
        channel: u32,
        next: Block,
    ) -> Result<(), Ended> {
        let edge = &self.plan.template(here.process).edges[index as usize];
        if self.plan.kind(channel).capacity == 0 {
            self.meeting(here, index, send, channel)?;
            return Err(self.impossible(next));
        }
        self.room(channel, next)?;
        self.check_alone(edge);
        self.send(send, channel, here.process)?;
        self.complete(here.process, index, edge);
        Ok(())
    }

    fn receive_on(
        &mut self,
        here: Here,
        index: u32,
        receive: ReceiveSite,
        channel: u32,
        next: Block,
    ) -> Result<(), Ended> {
        let edge = &self.plan.template(here.process).edges[index as usize];
        let taken = self.receivable(receive, channel, here.process, next)?;
        self.check_alone(edge);
        self.receive(receive, taken, here.process)?;
        self.complete(here.process, index, edge);
        Ok(())
    }

    /// Translates a statement for the channel that it is about; if that is known only in the run, for every channel that there
    /// is.
    fn on_channel(
        &mut self,
        here: Here,
        edge: &CompiledEdge,
        source: ChannelSource,
        next: Block,
        statement: &mut dyn FnMut(&mut Self, u32) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        if let Some(reference) = self.plan.constant_source(source.source, here.process) {
            return match self.plan.channel(reference) {
                Some(channel) => statement(self, channel),
                None => Err(self.redo()),
            };
        }
        if !self.plan.stand_ins.is_empty() {
            return self.on_stand_in(here, edge, source, next, statement);
        }
        let channels = self.plan.real.channels.len() as u32;
        if channels > MAX_CHANNELS {
            return Err(self.give_up());
        }
        let reference = self.source(source.source, here.process)?;
        let blocks = self.branch_on_channel(reference, channels);
        let facts = self.facts.clone();
        for (channel, block) in (0..).zip(blocks) {
            self.switch_to(block);
            self.facts = facts.clone();
            self.note_reference(source.source, here.process, channel);
            self.journal = Journal::default();
            if statement(self, channel).is_ok() {
                self.mark_taken(here, edge);
                self.jump(next);
            }
        }
        Err(Ended)
    }

    /// Translates a statement once for each kind of channel. Which channel it is about is found in the run.
    fn on_stand_in(
        &mut self,
        here: Here,
        edge: &CompiledEdge,
        source: ChannelSource,
        next: Block,
        statement: &mut dyn FnMut(&mut Self, u32) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let channels = &self.plan.real.channels;
        let kinds: BTreeSet<u32> = channels.iter().map(|slot| slot.kind.0).collect();
        let last = channels.len() as i64;
        let reference = self.source(source.source, here.process)?;
        self.check_range(reference, Bounds::new(1, last))?;
        let reference = self.value(reference);
        let which = self.builder.ins().iadd_imm(reference, -1);
        let found = self.kind_of(which);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for kind in kinds {
            let block = self.block();
            switch.set_entry(kind.into(), block);
            blocks.push((kind, block));
        }
        let otherwise = self.redo_block();
        switch.emit(&mut self.builder, found, otherwise);
        let facts = self.facts.clone();
        for (kind, block) in blocks {
            self.switch_to(block);
            self.facts = facts.clone();
            self.journal = Journal::default();
            let Some(channel) = self.plan.stand_ins.channels.get(&kind).copied() else {
                self.give_up();
                continue;
            };
            self.stand_for_channel(channel, which);
            if statement(self, channel).is_ok() {
                self.mark_taken(here, edge);
                self.jump(next);
            }
        }
        Err(Ended)
    }

    /// Goes to the block of the channel that is referred to, and gives the blocks of all.
    fn branch_on_channel(&mut self, reference: Operand, channels: u32) -> Vec<Block> {
        let mut switch = Switch::new();
        let blocks: Vec<_> = (0..channels).map(|_| self.block()).collect();
        for (number, block) in (1..).zip(&blocks) {
            switch.set_entry(number, *block);
        }
        let otherwise = self.redo_block();
        let reference = self.value(reference);
        switch.emit(&mut self.builder, reference, otherwise);
        blocks
    }

    /// Where it is known which channel a variable means, the variable is known.
    fn note_reference(&mut self, source: Source, process: u32, channel: u32) {
        let cell = match source {
            Source::Global(cell) => cell,
            Source::Local(offset) => self.plan.process(process).base + offset,
            Source::Const(_) | Source::Code(..) => return,
        };
        let reference = i64::from(channel) + 1;
        self.facts.cells.insert(cell, Operand::Constant(reference));
    }

    fn impossible(&mut self, next: Block) -> Ended {
        self.jump(next);
        Ended
    }

    /// A choice where there must be none is for the interpreter to report.
    pub fn check_alone(&mut self, edge: &CompiledEdge) {
        if edge.alone.is_some() {
            let moved = self.builder.use_var(self.moved);
            let first = self.builder.ins().icmp_imm(IntCC::Equal, moved, 0);
            self.require(first);
        }
    }

    /// Notes that an edge could be taken.
    pub fn mark_taken(&mut self, here: Here, edge: &CompiledEdge) {
        if here.asked {
            self.define(self.moved, types::I8, 1);
        }
        if here.escapes {
            self.define(self.escape, types::I32, edge.escape.into());
        }
    }

    /// The process goes along the edge.
    pub fn advance(&mut self, process: u32, edge: &CompiledEdge) {
        if let Some(cell) = self.plan.program.layout.last_mover {
            let number = self.process_number(process);
            self.store(cell, number);
        }
        let base = self.plan.process(process).base;
        self.store(base, Operand::Constant(edge.target.into()));
    }

    /// The move is made: it is packed, counted and told, or continued, and then undone.
    fn complete(&mut self, process: u32, index: u32, edge: &CompiledEdge) {
        self.advance(process, edge);
        self.forget_scratch();
        self.pack_changes();
        self.count(process, index);
        self.tell_or_hold(process, edge);
        let journal = std::mem::take(&mut self.journal);
        self.undo(&journal);
    }

    /// Tells the working state, unless the process keeps control.
    pub fn tell_or_hold(&mut self, process: u32, edge: &CompiledEdge) {
        match edge.hold {
            true => self.call_hold(Hold {
                process,
                location: edge.target,
            }),
            false => self.emit(),
        }
    }

    /// Counts an edge that was taken. A state that is given back is run through once more with the opposite increment.
    pub fn count(&mut self, process: u32, edge: u32) {
        self.count_edge(self.plan.template(process).first_edge + edge);
    }

    /// Counts the edge of that number among all.
    pub fn count_edge(&mut self, number: u32) {
        let counts = self.context_field(offset_of!(Context, edges));
        let increment = self.context_field(offset_of!(Context, increment));
        let (flags, offset) = (Self::count_flags(), number as i32 * 8);
        let old = self.builder.ins().load(types::I64, flags, counts, offset);
        let new = self.builder.ins().iadd(old, increment);
        self.builder.ins().store(flags, new, counts, offset);
    }

    /// Has the interpreter try an edge, and all that follows it.
    fn interpret(&mut self, here: Here, chosen: (u32, Operand), edge: &CompiledEdge, next: Block) {
        let moved = match here.asked {
            true => {
                let moved = self.builder.use_var(self.moved);
                self.builder.ins().uextend(types::I32, moved)
            }
            false => self.builder.ins().iconst(types::I32, 0),
        };
        let answer = self.call_interpreter(here.process, chosen, moved);
        self.act_on_answer(here, edge, answer, next);
    }

    /// Has the interpreter try an edge of a process with a choice of its parameters, and gives its answer.
    pub fn call_interpreter(
        &mut self,
        process: u32,
        (index, choice): (u32, Operand),
        moved: Value,
    ) -> Value {
        let interpret = self.context_field(offset_of!(Context, interpret));
        let process = self.short_number(process);
        let number = self.builder.ins().iconst(types::I32, i64::from(index));
        let length = match self.length {
            Some(length) => length,
            None => self.builder.ins().iconst(types::I32, 0),
        };
        let choice = self.value(choice);
        let choice = self.builder.ins().ireduce(types::I32, choice);
        let arguments = [self.context, process, number, choice, moved, length];
        let signature = self.signatures.interpret;
        let call = self
            .builder
            .ins()
            .call_indirect(signature, interpret, &arguments);
        self.builder.inst_results(call)[0]
    }

    fn act_on_answer(&mut self, here: Here, edge: &CompiledEdge, answer: Value, next: Block) {
        let (taken, other) = (self.block(), self.block());
        let is_taken = self.equals(answer, Answer::Taken as i64);
        self.branch(is_taken, taken, other);
        self.switch_to(taken);
        self.mark_taken(here, edge);
        self.jump(next);
        self.switch_to(other);
        self.leave_if_over(answer);
        if here.escapes {
            let unmet = self.equals(answer, Answer::Unmet as i64);
            let (none, kept) = (
                self.builder.ins().iconst(types::I32, 0),
                self.builder.use_var(self.escape),
            );
            let escape = self.builder.ins().select(unmet, none, kept);
            self.builder.def_var(self.escape, escape);
        }
        self.jump(next);
    }

    /// Hands an answer of the interpreter on to the caller if the expansion is over with it.
    pub fn leave_if_over(&mut self, answer: Value) {
        let (out, idle) = (self.cold_block(), self.block());
        let over = IntCC::UnsignedGreaterThanOrEqual;
        let is_over = self
            .builder
            .ins()
            .icmp_imm(over, answer, Status::Redo as i64);
        self.branch(is_over, out, idle);
        self.switch_to(out);
        self.builder.ins().return_(&[answer]);
        self.switch_to(idle);
    }
}
