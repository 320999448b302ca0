//! The functions of a shape: the one that expands a state, one for each process and one for the monitors if there are many, and one for each
//! place where a process holds control.

use super::CodeKind;
use super::choices::copies;
use super::edges::Here;
use super::facts::Facts;
use super::journal::low_bits;
use super::running::{Answer, Context, Status};
use super::translator::{Hold, Translator};
use crate::code::CompiledTemplate;
use crate::shape::Field;
use crate::stepper::PATIENCE;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value, types};
use cranelift_frontend::Switch;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// A chain with more moves is left to the interpreter, which keeps it on no stack of the machine.
const MAX_LENGTH: i64 = 400;

/// With more edges, each process has a function of its own, and so have the monitors. A call costs little, and a large function takes more than its share of
/// time to compile.
const MAX_EDGES: usize = 200;

impl Translator<'_, '_> {
    /// The function that expands a state.
    pub fn expansion(mut self) {
        self.check_constants();
        if self.plan.unpacks() {
            self.unpack();
        }
        let size = |template: &CompiledTemplate| size(self.plan.kind, template);
        let edges = |process: u32| size(self.plan.template(process));
        let processes = 0..self.plan.real.processes.len() as u32;
        let edges = processes.clone().map(edges);
        let monitors = self.plan.monitors().map_or(0, size);
        let many = monitors + edges.sum::<usize>() > MAX_EDGES;
        match many && monitors > 0 {
            true => self.call_monitors(),
            false => self.monitors(),
        }
        match self.plan.stand_ins.is_empty() {
            true => {
                for process in processes.rev() {
                    match many && !self.plan.retired[process as usize] {
                        true => self.call_process(process, None),
                        false => self.process(process),
                    }
                }
            }
            false => {
                self.facts = Facts::default();
                self.all_in_turn(&mut |this, part, who| this.call_process(part, who));
            }
        }
        self.give_back(Status::Done);
        self.finish();
    }

    /// Goes through all processes in a loop, the one with the highest number first. Those of a template that shares code come as its
    /// stand-in with their number, the others as themselves. Whatever is done for each has to be undone, since what is known before holds for all.
    pub fn all_in_turn(&mut self, each: &mut dyn FnMut(&mut Self, u32, Option<Value>)) {
        let who = self.builder.declare_var(types::I64);
        let last = self.plan.real.processes.len() as i64 - 1;
        self.define(who, types::I64, last);
        let (head, next, out) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.switch_to(head);
        let facts = self.facts.clone();
        let number = self.builder.use_var(who);
        let template = self.template_of(number);
        let mut switch = Switch::new();
        let mut shared = Vec::new();
        for (template, process) in &self.plan.stand_ins.movers {
            let block = self.block();
            switch.set_entry((*template).into(), block);
            shared.push((*process, block));
        }
        let single = self.block();
        switch.emit(&mut self.builder, template, single);
        for (process, block) in shared {
            self.switch_to(block);
            self.facts = facts.clone();
            each(self, process, Some(number));
            self.jump(next);
        }
        self.switch_to(single);
        self.facts = facts.clone();
        self.single_processes(number, next, each);
        self.facts = facts;
        self.switch_to(next);
        let following = self.builder.ins().iadd_imm(number, -1);
        self.builder.def_var(who, following);
        let goes_on = IntCC::SignedGreaterThanOrEqual;
        let goes_on = self.builder.ins().icmp_imm(goes_on, following, 0);
        self.branch(goes_on, head, out);
        self.switch_to(out);
    }

    /// Goes on with the process of that number, which shares no code, and then at `next`.
    fn single_processes(
        &mut self,
        number: Value,
        next: Block,
        each: &mut dyn FnMut(&mut Self, u32, Option<Value>),
    ) {
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for (process, slot) in (0u32..).zip(&self.plan.real.processes) {
            if !self.plan.stand_ins.movers.contains_key(&slot.template.0) {
                let block = self.block();
                switch.set_entry(u128::from(process), block);
                blocks.push((process, block));
            }
        }
        switch.emit(&mut self.builder, number, next);
        let facts = self.facts.clone();
        for (process, block) in blocks {
            self.switch_to(block);
            self.facts = facts.clone();
            each(self, process, None);
            self.jump(next);
        }
    }

    /// The function that makes the moves of one process.
    pub fn moves(mut self, process: u32) {
        self.process(process);
        self.give_back(Status::Done);
        self.finish();
    }

    /// The function that evaluates the monitors.
    pub fn checks(mut self) {
        self.monitors();
        self.give_back(Status::Done);
        self.finish();
    }

    /// The function that goes on where a process holds control.
    pub fn hold(mut self, hold: Hold) {
        let looked_up = self.may_meet(hold);
        let passed = looked_up.then(|| self.context_field(offset_of!(Context, passed)));
        self.visit(hold);
        let here = self.here(hold.process, hold.location, true);
        let (blocked, told) = (self.block(), self.block());
        self.facts = self.facts_at(hold.process, hold.location);
        let provided = self.plan.template(hold.process).provided;
        if self.guard(provided, hold.process, blocked).is_ok() {
            self.edges(here);
            let moved = self.builder.use_var(self.moved);
            self.branch(moved, told, blocked);
        }
        self.switch_to(blocked);
        self.emit();
        self.jump(told);
        self.switch_to(told);
        if let Some(passed) = passed {
            self.go_back(passed);
        }
        self.give_back(Status::Done);
        self.finish();
    }

    /// Whether ways may meet where a process holds control.
    fn may_meet(&self, hold: Hold) -> bool {
        let template = self.plan.template(hold.process);
        template.locations[hold.location as usize].meeting
    }

    /// The configuration is left, and so many on the way before it were looked up.
    fn go_back(&mut self, passed: Value) {
        let (flags, offset) = (Self::context_flags(), offset_of!(Context, passed) as i32);
        self.builder
            .ins()
            .store(flags, passed, self.context, offset);
    }

    /// On a long chain, goes on only where it has not been before. See `stepper::expand`.
    fn visit(&mut self, hold: Hold) {
        let Some(length) = self.length else {
            return;
        };
        if !self.may_meet(hold) {
            return self.require_short(length);
        }
        let (long, go_on) = (self.cold_block(), self.block());
        let at_least = IntCC::UnsignedGreaterThanOrEqual;
        let is_long = self
            .builder
            .ins()
            .icmp_imm(at_least, length, i64::from(PATIENCE));
        self.branch(is_long, long, go_on);
        self.switch_to(long);
        self.require_short(length);
        let first_visit = self.context_field(offset_of!(Context, first_visit));
        let process = self.short_number(hold.process);
        let arguments = [self.context, process];
        let signature = self.signatures.first_visit;
        let call = self
            .builder
            .ins()
            .call_indirect(signature, first_visit, &arguments);
        let answer = self.builder.inst_results(call)[0];
        let out = self.cold_block();
        let is_new = self.equals(answer, Answer::Taken as i64);
        self.branch(is_new, go_on, out);
        // A configuration that was seen before is done with.
        self.switch_to(out);
        self.builder.ins().return_(&[answer]);
        self.switch_to(go_on);
    }

    /// Leaves a chain that takes too much of the machine's stack to the interpreter.
    fn require_short(&mut self, length: Value) {
        let short_enough = self
            .builder
            .ins()
            .icmp_imm(IntCC::UnsignedLessThan, length, MAX_LENGTH);
        self.require(short_enough);
    }

    /// Goes on only if everything that is taken for granted is so.
    fn check_constants(&mut self) {
        let mut words: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for (cell, value) in &self.plan.constants {
            let field = self.plan.field(*cell);
            let mask = low_bits(field.width);
            let bits = value.wrapping_sub(field.min) as u64 & mask;
            for (word, shift) in words_of(field) {
                let entry = words.entry(word).or_default();
                entry.0 |= shifted(mask, shift);
                entry.1 |= shifted(bits, shift);
            }
        }
        let miss = self.cold_block();
        for (word, (mask, bits)) in words {
            let flags = Self::packed_flags();
            let found = self
                .builder
                .ins()
                .load(types::I64, flags, self.packed, word as i32 * 8);
            let found = self.builder.ins().band_imm(found, mask as i64);
            let wanted = self.number(bits as i64);
            let same = self.builder.ins().icmp(IntCC::Equal, found, wanted);
            self.proceed_if(same, miss);
        }
        let start = self.block();
        self.jump(start);
        self.switch_to(miss);
        self.give_back(Status::Miss);
        self.switch_to(start);
    }

    /// Fills all cells that are not constant.
    fn unpack(&mut self) {
        let mut words: BTreeMap<u32, Value> = BTreeMap::new();
        for cell in 0..self.plan.real.fields.len() as u32 {
            if self.plan.constants.contains_key(&cell) {
                continue;
            }
            let field = *self.plan.field(cell);
            let value = match field.width {
                0 => self.number(field.min),
                _ => self.unpacked(&field, &mut words),
            };
            let (flags, offset) = (Self::cell_flags(), cell as i32 * 8);
            self.builder.ins().store(flags, value, self.cells, offset);
        }
    }

    fn unpacked(&mut self, field: &Field, words: &mut BTreeMap<u32, Value>) -> Value {
        let mut bits = None;
        for (word, shift) in words_of(field) {
            let flags = Self::packed_flags();
            let packed = self.packed;
            let found = *words.entry(word).or_insert_with(|| {
                let offset = word as i32 * 8;
                self.builder.ins().load(types::I64, flags, packed, offset)
            });
            let part = match shift {
                0.. => self.builder.ins().ushr_imm(found, shift),
                _ => self.builder.ins().ishl_imm(found, -shift),
            };
            bits = Some(match bits {
                Some(low) => self.builder.ins().bor(low, part),
                None => part,
            });
        }
        let bits = bits.unwrap_or(self.packed);
        let end = field.offset + u32::from(field.width);
        let is_last_of_word = end.is_multiple_of(64) && field.offset / 64 == (end - 1) / 64;
        let kept = match is_last_of_word {
            true => bits,
            false => self
                .builder
                .ins()
                .band_imm(bits, low_bits(field.width) as i64),
        };
        match field.min {
            0 => kept,
            min => self.builder.ins().iadd_imm(kept, min),
        }
    }

    /// Translates the moves of a process, and goes on behind them.
    fn process(&mut self, process: u32) {
        let slot = self.plan.process(process);
        let template = self.plan.template(process);
        let next = self.block();
        self.facts = Facts::default();
        self.begin_party(process);
        let before = self.begin_tuple(process, next);
        if self.plan.retired[process as usize] {
            let location = self.plan.constants.get(&slot.base).copied().unwrap_or(0);
            self.at_location(process, location as u32, next);
        } else if self.guard(template.provided, process, next).is_ok() {
            self.branch_on_location(process, next);
        }
        self.switch_to(next);
        self.go_back_in_tuple(&before);
    }

    fn at_location(&mut self, process: u32, location: u32, next: Block) {
        let here: Here = self.here(process, location, false);
        self.edges(here);
        self.jump(next);
    }

    fn branch_on_location(&mut self, process: u32, next: Block) {
        let template = self.plan.template(process);
        let here = self.load(self.plan.process(process).base);
        let value = self.value(here);
        let mut blocks = Vec::new();
        for (index, location) in template.locations.iter().enumerate() {
            blocks.push(match location.edges.is_empty() {
                true => next,
                false if self.plan.is_before_all_states(process, index as u32) => self.redo_block(),
                false => self.block(),
            });
        }
        match blocks.as_slice() {
            [only] => self.jump(*only),
            _ => self.jump_table(value, &blocks),
        }
        for (location, block) in blocks.into_iter().enumerate() {
            if block == next || self.plan.is_before_all_states(process, location as u32) {
                continue;
            }
            self.switch_to(block);
            self.at_location(process, location as u32, next);
        }
    }

    /// Goes to the block that a value chooses. The last one is also where others would go, if there were any.
    fn jump_table(&mut self, value: Value, blocks: &[Block]) {
        let index = self.builder.ins().ireduce(types::I32, value);
        let pool = &mut self.builder.func.dfg.value_lists;
        let calls: Vec<_> = blocks
            .iter()
            .map(|b| BlockCall::new(*b, [], pool))
            .collect();
        if let Some((last, others)) = calls.split_last() {
            let table = self
                .builder
                .create_jump_table(JumpTableData::new(*last, others));
            self.builder.ins().br_table(index, table);
        }
    }
}

/// How many edges are translated for a process of a template.
fn size(kind: CodeKind, template: &CompiledTemplate) -> usize {
    let edges = template.edges.iter();
    edges.map(|edge| copies(kind, edge.parameters)).sum()
}

/// The words that a field lies in, and how far up in each it starts.
fn words_of(field: &Field) -> impl Iterator<Item = (u32, i64)> + use<> {
    let (offset, width) = (field.offset, u32::from(field.width));
    let words = if width == 0 {
        1..1
    } else {
        offset / 64..(offset + width - 1) / 64 + 1
    };
    words.map(move |word| (word, i64::from(offset) - i64::from(word) * 64))
}

fn shifted(bits: u64, shift: i64) -> u64 {
    match shift {
        0.. => bits << shift,
        _ => bits >> -shift,
    }
}
