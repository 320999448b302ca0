//! Code that runs to its end in one move, as blocks that jump to each other.
//!
//! A node is translated once for each set of numbers that are known in cells when it is reached. So a loop with a counter that
//! starts at a constant is unrolled, and its counter becomes part of the code. If that goes on for too long, what is
//! known is given up, and the loop becomes one, also for the other processes with the same routine. In a large routine nothing is known from the begin, so
//! a body that several calls share is translated once.

use super::facts::{Facts, Landing};
use super::operand::Operand;
use super::translator::{Ended, Translator};
use super::written::Written;
use crate::code::{Action, CompiledChoice, CompiledEdge, CompiledRoutine};
use crate::native::running::Context;
use crate::stepper::PATROL;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use std::collections::{BTreeSet, HashMap};
use std::mem::offset_of;

/// Of a routine with more nodes, nothing is carried from node to node: each is translated once.
const LARGE: usize = 128;

/// How many nodes are translated anew, apart from a few times for each, before what is known is given up.
const UNROLLED: usize = 48;

/// A node, and what is known there.
type Variant = (u32, Vec<(u32, i64)>);

/// A routine that is being translated.
struct Work<'p> {
    number: u32,
    routine: &'p CompiledRoutine,
    process: u32,
    blocks: HashMap<Variant, Block>,
    waiting: Vec<(Variant, Facts)>,
    /// What is known of all others.
    steady: Facts,
    done: Landing,
}

impl Translator<'_, '_> {
    /// Translates a routine, and goes on behind it.
    pub fn routine(
        &mut self,
        routine: u32,
        process: u32,
        edge: &CompiledEdge,
        otherwise: Block,
    ) -> Result<(), Ended> {
        let Some(written) = self.written_by(routine, process) else {
            return Err(self.give_up());
        };
        let (save, start, done) = (self.block(), self.block(), self.block());
        let facts = self.facts.clone();
        let mut steady = facts.clone();
        steady.registers.clear();
        steady.touch(written.into_iter());
        let mut work = Work {
            number: routine,
            routine: &self.plan.program.routines[routine as usize],
            process,
            blocks: HashMap::new(),
            waiting: Vec::new(),
            steady,
            done: Landing::new(done),
        };
        self.define(self.steps, types::I32, 0);
        self.jump(save);
        self.switch_to(start);
        self.save_later();
        self.nodes(&mut work, (edge, otherwise));
        // Now it is known what is changed, and the saving can be put before it.
        self.switch_to(save);
        self.save_now(facts);
        self.jump(start);
        self.leave_quietly(otherwise);
        self.leave_routine();
        self.facts = work.done.facts().ok_or(Ended)?;
        self.switch_to(done);
        Ok(())
    }

    fn nodes(&mut self, work: &mut Work<'_>, first: (&CompiledEdge, Block)) {
        self.node(work, 0, Some(first));
        while let Some((variant, facts)) = work.waiting.pop() {
            let block = work.blocks[&variant];
            self.switch_to(block);
            self.facts = facts;
            self.node(work, variant.0, None);
        }
    }

    /// In the middle of a routine it is not known yet what has to be undone.
    pub fn give_up_routine(&mut self) -> Ended {
        let hatch = match self.routine_hatch {
            Some(hatch) => hatch,
            None => self.cold_block(),
        };
        self.routine_hatch = Some(hatch);
        self.jump(hatch);
        Ended
    }

    /// Undoes what was done before a quiet node at which nothing can be done: the edge cannot be taken.
    fn leave_quietly(&mut self, otherwise: Block) {
        if let Some(quiet) = self.quiet.take() {
            self.switch_to(quiet);
            let journal = std::mem::take(&mut self.journal);
            self.undo(&journal);
            self.journal = journal;
            self.jump(otherwise);
        }
    }

    /// Where nothing can be done at a quiet node.
    fn block_quietly(&mut self) {
        let quiet = match self.quiet {
            Some(quiet) => quiet,
            None => self.block(),
        };
        self.quiet = Some(quiet);
        self.jump(quiet);
    }

    /// Has the interpreter run a routine that could not be translated to its end.
    fn leave_routine(&mut self) {
        if let Some(hatch) = self.routine_hatch.take() {
            self.switch_to(hatch);
            self.give_up();
        }
    }

    /// All cells that a routine could change, if that can be told.
    fn written_by(&self, routine: u32, process: u32) -> Option<BTreeSet<u32>> {
        let base = self.plan.frame(process);
        let plan = self.plan;
        let written = Written::by_routine(plan.program, &plan.shape, routine, base);
        let mut cells: BTreeSet<u32> = written.cells()?.collect();
        let nodes = &plan.program.routines[routine as usize].nodes;
        for choice in nodes.iter().flat_map(|node| &node.choices) {
            let channel = match choice.action {
                Action::Send(send) => send.channel,
                Action::Receive(receive) => receive.channel,
                Action::Exit | Action::Routine(_) => return None,
                Action::Guarded { .. } | Action::Else => continue,
            };
            let channel = plan.constant_channel(channel, process)?;
            let layout = &plan.program.layout.kinds[plan.slot(channel).kind.index()];
            let first = plan.slot(channel).base;
            cells.extend(first..first + layout.cells.len() as u32);
        }
        Some(cells)
    }

    /// Translates a node. At the first one, no choice that can be taken means that the routine cannot start.
    fn node(&mut self, work: &mut Work<'_>, node: u32, first: Option<(&CompiledEdge, Block)>) {
        let facts = self.facts.clone();
        let number = work.routine.coverage + node;
        if first.is_none() {
            self.reach_node(number);
        }
        for choice in &work.routine.nodes[node as usize].choices {
            let next = self.block();
            self.facts = facts.clone();
            if self.choice(work, choice, number, first, next).is_ok() {
                self.go_on(work, choice.next);
            }
            if !self.is_target(next) {
                // The choice can always be taken, and nothing comes behind it. Code that nothing leads to takes the compiler long to remove.
                return;
            }
            self.switch_to(next);
        }
        self.facts = facts;
        match first {
            Some((_, otherwise)) => self.jump(otherwise),
            None if work.routine.nodes[node as usize].quiet => self.block_quietly(),
            None => {
                self.redo();
            }
        }
    }

    fn choice(
        &mut self,
        work: &Work<'_>,
        choice: &CompiledChoice,
        number: u32,
        first: Option<(&CompiledEdge, Block)>,
        next: Block,
    ) -> Result<(), Ended> {
        let process = work.process;
        let taken = match choice.action {
            Action::Guarded { guard, .. } => {
                self.guard(guard, process, next)?;
                None
            }
            Action::Else => None,
            Action::Send(send) => {
                let channel = self.buffer(send.channel, process)?;
                self.room(channel, next)?;
                None
            }
            Action::Receive(receive) => {
                let channel = self.buffer(receive.channel, process)?;
                Some(self.receivable(receive, channel, process, next)?)
            }
            Action::Exit | Action::Routine(_) => return Err(self.give_up()),
        };
        if let Some((edge, _)) = first {
            self.check_alone(edge);
            self.reach_node(number);
        }
        match (choice.action, taken) {
            (
                Action::Guarded {
                    effects: Some(effects),
                    ..
                },
                _,
            ) => self.run(effects, process),
            (Action::Send(send), _) => {
                let channel = self.buffer(send.channel, process)?;
                self.send(send, channel, process)
            }
            (Action::Receive(receive), Some(taken)) => self.receive(receive, taken, process),
            _ => Ok(()),
        }
    }

    /// The channel of a choice, which must have room for messages.
    fn buffer(&mut self, channel: crate::code::ChannelSource, process: u32) -> Result<u32, Ended> {
        match self.plan.constant_channel(channel, process) {
            Some(channel) if self.plan.kind(channel).capacity > 0 => Ok(channel),
            Some(_) => Err(self.redo()),
            None => Err(self.give_up()),
        }
    }

    /// Marks a node as reached.
    fn reach_node(&mut self, number: u32) {
        let nodes = self.context_field(offset_of!(Context, nodes));
        let one = self.builder.ins().iconst(types::I8, 1);
        let flags = Self::count_flags();
        self.builder.ins().store(flags, one, nodes, number as i32);
    }

    /// Goes on at a node, or behind the routine.
    fn go_on(&mut self, work: &mut Work<'_>, next: Option<u32>) {
        let Some(next) = next else {
            self.facts.registers.clear();
            work.done.add(&self.facts);
            let done = work.done.block;
            self.jump(done);
            return;
        };
        if work.blocks.len() >= UNROLLED + work.routine.nodes.len() * 2 {
            self.links.note_long(work.number);
        }
        let is_large = work.routine.nodes.len() > LARGE;
        let numbers = match is_large || self.links.is_long(work.number) {
            true => Vec::new(),
            false => self.facts.numbers(),
        };
        let variant = (next, numbers);
        if let Some(block) = work.blocks.get(&variant) {
            let block = *block;
            self.count_step();
            self.jump(block);
            return;
        }
        let block = self.block();
        work.blocks.insert(variant.clone(), block);
        let mut facts = work.steady.clone();
        let known = variant
            .1
            .iter()
            .map(|(cell, number)| (*cell, Operand::Constant(*number)));
        facts.cells.extend(known);
        work.waiting.push((variant, facts));
        self.jump(block);
    }

    /// A routine that takes long is left to the interpreter.
    fn count_step(&mut self) {
        let steps = self.builder.use_var(self.steps);
        let more = self.builder.ins().iadd_imm(steps, 1);
        self.builder.def_var(self.steps, more);
        let few = IntCC::UnsignedLessThan;
        let few = self.builder.ins().icmp_imm(few, more, i64::from(PATROL));
        self.require(few);
    }
}
