//! Sends and receives on channels with room for messages.
//!
//! Room that is not in use holds zeroes, in the cells and in the packed bytes. So a message that is appended is or-ed into
//! its place, wherever that is, and to take the oldest message is to move all cells by one message, however many wait.

use super::journal::{MAX_BITS, low_bits};
use super::operand::{Bounds, Operand};
use super::translator::{Ended, Translator};
use crate::code::{PatternSet, ReceiveSite, Relation, SendSite, StoreRule};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use mandala_model::expr::ReceiveOrder;

/// A channel with more cells is left to the interpreter where all of them would have to be moved.
const MAX_CELLS: u32 = 48;

/// A channel with room for more messages is left to the interpreter where one has to be looked for.
const MAX_SEARCHED: u32 = 8;

/// The message that a receive takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub channel: u32,
    /// Where it is, counted from 0.
    pub position: Operand,
}

impl Translator<'_, '_> {
    /// The first cell of a channel, how many messages it has room for, and how many fields they have.
    fn dimensions(&self, channel: u32) -> (u32, u32, u32) {
        let kind = self.plan.kind(channel);
        (
            self.plan.slot(channel).base,
            kind.capacity,
            kind.fields.len() as u32,
        )
    }

    /// Goes on only if a message fits in.
    pub fn room(&mut self, channel: u32, otherwise: Block) -> Result<(), Ended> {
        let (base, capacity, _) = self.dimensions(channel);
        let waiting = self.load(base);
        self.proceed_if_related(
            waiting,
            Relation(1),
            Operand::Constant(capacity.into()),
            otherwise,
        )
    }

    /// Goes on only if a relation holds; elsewhere otherwise.
    pub fn proceed_if_related(
        &mut self,
        left: Operand,
        relation: Relation,
        right: Operand,
        otherwise: Block,
    ) -> Result<(), Ended> {
        match left.bounds().decides(relation, right.bounds()) {
            Some(true) => Ok(()),
            Some(false) => {
                self.jump(otherwise);
                Err(Ended)
            }
            None => {
                let holds = self.compared(relation, left, right);
                self.proceed_if(holds, otherwise);
                Ok(())
            }
        }
    }

    /// What the fields of a channel keep of what is sent.
    pub fn sent(
        &mut self,
        send: SendSite,
        channel: u32,
        process: u32,
    ) -> Result<Vec<Operand>, Ended> {
        let fields: &[StoreRule] = &self.plan.kind(channel).fields;
        if fields.len() != send.arity as usize {
            return Err(self.redo());
        }
        self.run(send.message, process)?;
        let mut message = Vec::new();
        for (index, rule) in fields.iter().enumerate() {
            let operand = self.register(index as u8);
            if let Some((min, max)) = rule.range {
                self.check_range(operand, Bounds::new(min, max))?;
            }
            message.push(self.wrapped(rule.wrap, operand));
        }
        Ok(message)
    }

    /// Puts a message into a channel that has room.
    pub fn send(&mut self, send: SendSite, channel: u32, process: u32) -> Result<(), Ended> {
        let (base, capacity, arity) = self.dimensions(channel);
        let small = capacity <= MAX_SEARCHED && capacity * arity <= MAX_CELLS;
        if send.sorted && capacity > 1 && !small {
            return Err(self.give_up());
        }
        let message = self.sent(send, channel, process)?;
        if send.sorted && capacity > 1 {
            self.insert_sorted(channel, &message);
            return Ok(());
        }
        let waiting = self.load(base);
        if capacity == 1 {
            for (cell, field) in (base + 1..).zip(message) {
                self.store(cell, field);
            }
            self.store(base, Operand::Constant(1));
            return Ok(());
        }
        let bits = self.message_bits(channel);
        if bits > MAX_BITS && capacity * arity > MAX_CELLS {
            return Err(self.give_up());
        }
        let start = self.times(waiting, arity.into());
        for (index, field) in message.iter().enumerate() {
            let cell = self.plus(start, i64::from(base) + 1 + index as i64);
            self.fill(cell, *field)?;
        }
        let cells = base + 1..base + 1 + capacity * arity;
        self.forget_others(base + 1);
        self.facts.touch(cells.clone());
        match bits > MAX_BITS || self.journal_is_late() {
            true => self.mark_changed(cells),
            false => self.pack_message(channel, waiting, &message),
        }
        let increased = self.plus(waiting, 1);
        self.store(base, increased);
        Ok(())
    }

    /// How many bits a message has when packed.
    fn message_bits(&self, channel: u32) -> u32 {
        let (base, _, arity) = self.dimensions(channel);
        let fields = base + 1..base + 1 + arity;
        fields
            .map(|cell| u32::from(self.plan.field(cell).width))
            .sum()
    }

    /// Puts a message to the end of the packed ones.
    fn pack_message(&mut self, channel: u32, waiting: Operand, message: &[Operand]) {
        let (base, _, _) = self.dimensions(channel);
        let first = self.plan.field(base + 1).offset;
        let (mut fixed, mut delta) = (0u64, None);
        for (cell, operand) in (base + 1..).zip(message) {
            let field = *self.plan.field(cell);
            let shift = i64::from(field.offset - first);
            // What an unused cell has there.
            let unused = field.min.wrapping_neg() as u64 & low_bits(field.width);
            match *operand {
                Operand::Constant(value) => {
                    let bits = value.wrapping_sub(field.min) as u64 & low_bits(field.width);
                    fixed |= (bits ^ unused) << shift;
                }
                operand => {
                    let bits = self.field_bits(operand, &field);
                    let bits = self.builder.ins().ishl_imm(bits, shift);
                    delta = Some(self.combined(delta, bits));
                    fixed |= unused << shift;
                }
            }
        }
        let fixed = self.number(fixed as i64);
        let delta = match delta {
            Some(delta) => self.builder.ins().bxor(delta, fixed),
            None => fixed,
        };
        self.place_message(channel, waiting, delta);
    }

    fn combined(&mut self, bits: Option<Value>, more: Value) -> Value {
        match bits {
            Some(bits) => self.builder.ins().bor(bits, more),
            None => more,
        }
    }

    fn place_message(&mut self, channel: u32, waiting: Operand, delta: Value) {
        let (base, _, _) = self.dimensions(channel);
        let first = i64::from(self.plan.field(base + 1).offset);
        let distance = self.times(waiting, self.message_bits(channel).into());
        let position = self.plus(distance, first);
        let mut position = self.value(position);
        if let Some(window) = self.window(base) {
            position = self.builder.ins().iadd(position, window.bits);
        }
        let byte = self.builder.ins().ushr_imm(position, 3);
        let shift = self.builder.ins().band_imm(position, 7);
        let pointer = self.builder.ins().iadd(self.packed, byte);
        let delta = self.builder.ins().ishl(delta, shift);
        self.flip_packed(pointer, delta);
    }

    /// Finds the message that a receive takes, and goes on only if there is one.
    pub fn receivable(
        &mut self,
        receive: ReceiveSite,
        channel: u32,
        process: u32,
        otherwise: Block,
    ) -> Result<Taken, Ended> {
        let (base, capacity, arity) = self.dimensions(channel);
        if capacity == 0 {
            // Somebody must offer a message; to look at one is a fault.
            return Err(match receive.remove {
                true => {
                    self.jump(otherwise);
                    Ended
                }
                false => self.redo(),
            });
        }
        let patterns = &self.plan.program.code.patterns[receive.patterns as usize];
        let waiting = self.load(base);
        self.proceed_if_related(waiting, Relation(4), Operand::Constant(0), otherwise)?;
        if patterns.arity != arity {
            return Err(self.redo());
        }
        if patterns.order == ReceiveOrder::AnyMatching && capacity > 1 {
            let position = self.first_match(channel, patterns, process, otherwise)?;
            return Ok(Taken { channel, position });
        }
        for &(field, source) in &patterns.matched {
            let wanted = self.source(source, process)?;
            let found = self.load(base + 1 + field);
            self.proceed_if_related(found, Relation(2), wanted, otherwise)?;
        }
        Ok(Taken {
            channel,
            position: Operand::Constant(0),
        })
    }

    /// The position of the first message that fits. It goes on only if there is one.
    fn first_match(
        &mut self,
        channel: u32,
        patterns: &PatternSet,
        process: u32,
        otherwise: Block,
    ) -> Result<Operand, Ended> {
        let (_, capacity, arity) = self.dimensions(channel);
        if capacity > MAX_SEARCHED || capacity * arity > MAX_CELLS {
            return Err(self.give_up());
        }
        let none = i64::from(capacity);
        let mut position = self.number(none);
        for candidate in (0..capacity).rev() {
            let fits = self.fits(channel, candidate, patterns, process)?;
            let here = self.number(candidate.into());
            position = self.builder.ins().select(fits, here, position);
        }
        let found = self.builder.ins().icmp_imm(IntCC::NotEqual, position, none);
        self.proceed_if(found, otherwise);
        Ok(Operand::computed(position, Bounds::new(0, none - 1)))
    }

    /// Takes a message that is there.
    pub fn receive(
        &mut self,
        receive: ReceiveSite,
        taken: Taken,
        process: u32,
    ) -> Result<(), Ended> {
        let (_, capacity, arity) = self.dimensions(taken.channel);
        self.message = self.message_at(taken)?;
        if receive.remove {
            if capacity * arity > MAX_CELLS {
                return Err(self.give_up());
            }
            self.remove(taken);
        }
        match receive.bind {
            Some(bind) => self.run(bind, process),
            None => Ok(()),
        }
    }

    /// The fields of the message at a position.
    fn message_at(&mut self, taken: Taken) -> Result<Vec<Operand>, Ended> {
        let (base, _, arity) = self.dimensions(taken.channel);
        let start = self.times(taken.position, arity.into());
        let mut message = Vec::new();
        for field in 0..arity {
            let cell = self.plus(start, i64::from(base + 1 + field));
            message.push(self.load_at(cell)?);
        }
        Ok(message)
    }

    /// Moves the messages behind a position forward by one.
    fn remove(&mut self, taken: Taken) {
        let (base, capacity, arity) = self.dimensions(taken.channel);
        for position in 0..capacity {
            for cell in (0..arity).map(|field| base + 1 + position * arity + field) {
                let next = match position + 1 == capacity {
                    true => Operand::Constant(0),
                    false => self.load(cell + arity),
                };
                let new = match taken.position {
                    Operand::Constant(_) => next,
                    computed => {
                        let old = self.load(cell);
                        self.chosen(Relation(4), computed, position, old, next)
                    }
                };
                self.store(cell, new);
            }
        }
        let waiting = self.load(base);
        let fewer = self.plus(waiting, -1);
        self.store(base, fewer);
    }

    /// One operand if a position is related to a number, otherwise another one.
    fn chosen(
        &mut self,
        relation: Relation,
        position: Operand,
        number: u32,
        yes: Operand,
        no: Operand,
    ) -> Operand {
        let condition = self.compared(relation, position, Operand::Constant(number.into()));
        let bounds = yes.bounds().hull(no.bounds());
        let (yes, no) = (self.value(yes), self.value(no));
        Operand::computed(self.builder.ins().select(condition, yes, no), bounds)
    }

    /// Puts a message before the first that is greater.
    fn insert_sorted(&mut self, channel: u32, message: &[Operand]) {
        let (base, capacity, arity) = self.dimensions(channel);
        let position = self.sorted_position(channel);
        let cell_of = |position: u32, field: u32| base + 1 + position * arity + field;
        for place in (0..capacity).rev() {
            for field in 0..arity {
                let old = self.load(cell_of(place, field));
                let moved = match place {
                    0 => old,
                    _ => self.load(cell_of(place - 1, field)),
                };
                let here = message[field as usize];
                let later = self.chosen(Relation(2), position, place, here, moved);
                let new = self.chosen(Relation(4), position, place, old, later);
                self.store(cell_of(place, field), new);
            }
        }
        let waiting = self.load(base);
        let more = self.plus(waiting, 1);
        self.store(base, more);
    }

    /// Before the first message that is greater than what is in the registers, or behind all.
    fn sorted_position(&mut self, channel: u32) -> Operand {
        let (base, capacity, arity) = self.dimensions(channel);
        let waiting = self.load(base);
        let mut position = self.value(waiting);
        for place in (0..capacity).rev() {
            let there = self.compared(Relation(4), waiting, Operand::Constant(place.into()));
            let greater = self.is_greater(base + 1 + place * arity, arity);
            let here = self.builder.ins().band(there, greater);
            let number = self.number(place.into());
            position = self.builder.ins().select(here, number, position);
        }
        Operand::computed(position, Bounds::new(0, capacity.into()))
    }

    /// Whether a message is greater than what is in the registers, field by field.
    fn is_greater(&mut self, first: u32, arity: u32) -> Value {
        let mut greater = self.builder.ins().iconst(types::I8, 0);
        for field in (0..arity).rev() {
            let (old, sent) = (self.load(first + field), self.register(field as u8));
            let more = self.compared(Relation(4), old, sent);
            let same = self.compared(Relation(2), old, sent);
            let later = self.builder.ins().band(same, greater);
            greater = self.builder.ins().bor(more, later);
        }
        greater
    }
}
