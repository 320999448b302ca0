//! The journal of a move: the cells that it changes, how they are packed, and how they are undone.

use super::facts::Facts;
use super::operand::{Bounds, Operand};
use super::translator::{Ended, Translator};
use crate::code::Wrap;
use crate::native::running::Context;
use crate::shape::Field;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

/// An index chooses from at most so many cells, or the interpreter makes the step.
const MAX_CHOICE: i64 = 1 << 13;

/// If an index chooses from at most so many cells, all of them are packed.
const FEW: usize = 3;

/// In a routine, where changes are packed at its end, an index chooses from at most so many cells.
const MAX_PACKED: usize = 64;

/// A field of at most so many bits can be put anywhere with eight bytes.
pub(super) const MAX_BITS: u32 = 57;

/// Where something was changed.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Cell(u32),
    /// A cell whose address was computed, and whether it holds something only during a step.
    Address(Value, bool),
    /// A word of packed bytes, at an address.
    Packed(Value, i32),
}

/// The changes of a move so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    /// What was where before, in the order of the changes.
    before: Vec<(Spot, Operand)>,
    /// The cells whose content before is known.
    saved: BTreeSet<u32>,
    /// The cells that have to be packed.
    changed: BTreeSet<u32>,
    /// Whether changed cells are saved later, but at a place that comes before all changes.
    late: bool,
}

impl Translator<'_, '_> {
    /// What a cell holds, if that takes no instruction.
    fn known(&self, cell: u32) -> Option<Operand> {
        if let Some(value) = self.plan.constants.get(&cell) {
            return Some(Operand::Constant(*value));
        }
        if let Some(operand) = self.facts.cells.get(&cell) {
            return Some(*operand);
        }
        let field = self.plan.field(cell);
        let between_steps = field.width == 0 && !self.facts.touched.contains(cell);
        between_steps.then_some(Operand::Constant(field.min))
    }

    /// What a cell holds.
    pub fn load(&mut self, cell: u32) -> Operand {
        if let Some(operand) = self.known(cell) {
            return operand;
        }
        let bounds = self.plan.bounds(cell);
        let (flags, (pointer, offset)) = (Self::cell_flags(), self.spot(cell));
        let value = self.builder.ins().load(types::I64, flags, pointer, offset);
        let operand = Operand::computed(value, bounds);
        self.facts.cells.insert(cell, operand);
        operand
    }

    /// The cells that an address can mean, if they are not too many.
    fn reach(&self, address: Operand) -> Option<std::ops::RangeInclusive<u32>> {
        let Bounds { low, high } = address.bounds();
        let last = self.plan.shape.fields.len() as i64 - 1;
        let (low, high) = (low.max(0), high.min(last));
        (low <= high && high - low < MAX_CHOICE).then_some(low as u32..=high as u32)
    }

    /// Where a cell is whose number was computed. The step is given up where that may be a cell of a stand-in or another one.
    fn pointer(&mut self, address: Operand) -> Result<Value, Ended> {
        let Some(number) = self.located(address) else {
            return Err(self.give_up());
        };
        let offset = self.builder.ins().ishl_imm(number, 3);
        Ok(self.builder.ins().iadd(self.cells, offset))
    }

    /// What the cell of that number holds, which is known to be in the state.
    pub fn load_at(&mut self, address: Operand) -> Result<Operand, Ended> {
        if let Some(cell) = address.constant() {
            return Ok(self.load(cell as u32));
        }
        let bounds = self.reach(address).map_or(Bounds::ANY, |cells| {
            let bounds = cells.map(|cell| self.plan.bounds(cell));
            bounds.reduce(Bounds::hull).unwrap_or(Bounds::ANY)
        });
        let pointer = self.pointer(address)?;
        let value = self
            .builder
            .ins()
            .load(types::I64, Self::cell_flags(), pointer, 0);
        Ok(Operand::computed(value, bounds))
    }

    /// Puts a value into a cell.
    pub fn store(&mut self, cell: u32, operand: Operand) {
        if operand.constant().is_some() && self.known(cell) == Some(operand) {
            return;
        }
        self.save(cell);
        self.put(cell, operand);
        self.journal.changed.insert(cell);
    }

    /// Remembers what a cell holds.
    pub fn save(&mut self, cell: u32) {
        if !self.journal.late && self.journal.saved.insert(cell) {
            let before = self.load(cell);
            self.journal.before.push((Spot::Cell(cell), before));
        }
    }

    fn put(&mut self, cell: u32, operand: Operand) {
        let value = self.value(operand);
        let (flags, (pointer, offset)) = (Self::cell_flags(), self.spot(cell));
        self.builder.ins().store(flags, value, pointer, offset);
        self.forget_others(cell);
        self.facts.cells.insert(cell, operand);
        self.facts.touched.insert(cell);
    }

    /// Puts a value into the cell of that number, which is known to be in the state.
    pub fn store_at(&mut self, address: Operand, operand: Operand) -> Result<(), Ended> {
        if let Some(cell) = address.constant() {
            self.store(cell as u32, operand);
            return Ok(());
        }
        let Some(cells) = self.reach(address) else {
            return Err(self.give_up());
        };
        let few = match self.journal.late {
            true => MAX_PACKED,
            false if self.plan.stand_ins.is_empty() => FEW,
            // Code for any number of processes is the same for few.
            false => 1,
        };
        let many = cells.clone().count() > few;
        let at_once = many && !self.journal.late && self.can_flip(cells.clone());
        if many && self.journal.late {
            return Err(self.give_up());
        }
        let before = match self.journal.late {
            true => None,
            false => Some(self.load_at(address)?),
        };
        let pointer = self.pointer(address)?;
        let scratch = self.plan.field(*cells.start()).scratch;
        if let Some(before) = before {
            self.journal
                .before
                .push((Spot::Address(pointer, scratch), before));
        }
        self.store_through(pointer, operand);
        self.forget_others(*cells.start());
        self.facts.touch(cells.clone());
        match (at_once, before) {
            (true, Some(before)) => self.flip_field(address, before, operand),
            _ => self.journal.changed.extend(cells),
        }
        Ok(())
    }

    /// Whether all of some cells are parts of the state and narrow enough to be packed wherever they are.
    fn can_flip(&self, mut cells: std::ops::RangeInclusive<u32>) -> bool {
        cells.all(|cell| {
            let field = self.plan.field(cell);
            !field.scratch && u32::from(field.width) <= MAX_BITS
        })
    }

    /// Makes the packed bytes say that the cell of that number holds something else. Where its field is, is looked up in the run.
    fn flip_field(&mut self, number: Operand, before: Operand, after: Operand) {
        // The pointer to the cell was made before, so the cell can be told.
        let number = match self.located(number) {
            Some(number) => number,
            None => self.value(number),
        };
        let fields = self.context_field(offset_of!(Context, fields));
        let row = self
            .builder
            .ins()
            .imul_imm(number, size_of::<Field>() as i64);
        let row = self.builder.ins().iadd(fields, row);
        let flags = Self::count_flags();
        let (offset, min) = (offset_of!(Field, offset), offset_of!(Field, min));
        let offset = self.builder.ins().uload32(flags, row, offset as i32);
        let min = self.builder.ins().load(types::I64, flags, row, min as i32);
        let [before, after] = [before, after].map(|operand| self.value(operand));
        let before = self.builder.ins().isub(before, min);
        let after = self.builder.ins().isub(after, min);
        let delta = self.builder.ins().bxor(before, after);
        let shift = self.builder.ins().band_imm(offset, 7);
        let delta = self.builder.ins().ishl(delta, shift);
        let byte = self.builder.ins().ushr_imm(offset, 3);
        let pointer = self.builder.ins().iadd(self.packed, byte);
        self.flip_packed(pointer, delta);
    }

    /// Fills a cell of a channel that is not in use, which holds 0.
    pub fn fill(&mut self, number: Operand, operand: Operand) -> Result<(), Ended> {
        let pointer = self.pointer(number)?;
        if !self.journal.late {
            let zero = Operand::Constant(0);
            self.journal
                .before
                .push((Spot::Address(pointer, false), zero));
        }
        self.store_through(pointer, operand);
        Ok(())
    }

    fn store_through(&mut self, pointer: Value, operand: Operand) {
        let value = self.value(operand);
        self.builder
            .ins()
            .store(Self::cell_flags(), value, pointer, 0);
    }

    /// From here on, changed cells are only noted. They are saved when all changes are known.
    pub fn save_later(&mut self) {
        self.journal.late = true;
    }

    pub fn journal_is_late(&self) -> bool {
        self.journal.late
    }

    /// Saves all cells that have been changed since [`Translator::save_later`], at a place that comes before the changes. What was known
    /// there is known again.
    pub fn save_now(&mut self, facts: Facts) {
        self.facts = facts;
        self.journal.late = false;
        for cell in self.journal.changed.clone() {
            self.save(cell);
        }
    }

    /// Notes that cells have to be packed.
    pub fn mark_changed(&mut self, cells: impl Iterator<Item = u32>) {
        self.journal.changed.extend(cells);
    }

    /// Puts everything back that a journal knows of.
    pub fn undo(&mut self, journal: &Journal) {
        for (spot, before) in journal.before.iter().rev() {
            let value = self.value(*before);
            match *spot {
                Spot::Cell(cell) => {
                    let (flags, (pointer, offset)) = (Self::cell_flags(), self.spot(cell));
                    self.builder.ins().store(flags, value, pointer, offset);
                }
                Spot::Address(pointer, _) => {
                    self.builder
                        .ins()
                        .store(Self::cell_flags(), value, pointer, 0);
                }
                Spot::Packed(pointer, offset) => {
                    let flags = Self::packed_flags();
                    self.builder.ins().store(flags, value, pointer, offset);
                }
            }
        }
    }

    /// Gives the cells that are no part of the state back what they held before the move.
    pub fn forget_scratch(&mut self) {
        let before = std::mem::take(&mut self.journal.before);
        let (scratch, kept) = before.into_iter().partition(|(spot, _)| match *spot {
            Spot::Cell(cell) => self.plan.field(cell).scratch,
            Spot::Address(_, scratch) => scratch,
            Spot::Packed(..) => false,
        });
        self.journal.before = kept;
        let scratch = Journal {
            before: scratch,
            ..Journal::default()
        };
        self.undo(&scratch);
    }

    /// Packs what another journal has changed, too.
    pub fn pack_changes_with(&mut self, other: &Journal) {
        self.journal.changed.extend(&other.changed);
        self.pack_changes();
    }

    /// Makes the packed bytes say what the changed cells hold.
    pub fn pack_changes(&mut self) {
        let mut words: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut of_stand_ins = Vec::new();
        for &cell in &self.journal.changed {
            let field = self.plan.field(cell);
            if field.width > 0 && !field.scratch && self.plan.stand_ins.is_cell(cell) {
                of_stand_ins.push(cell);
            } else if field.width > 0 && !field.scratch {
                let last = (field.offset + u32::from(field.width) - 1) / 64;
                for word in field.offset / 64..=last {
                    words.entry(word).or_default().push(cell);
                }
            }
        }
        for (word, cells) in words {
            self.pack_word(word, &cells);
        }
        let mut left = of_stand_ins.as_slice();
        while let Some(first) = left.first() {
            let near = left
                .iter()
                .take_while(|cell| self.is_packed_with(*first, **cell));
            let (together, others) = left.split_at(near.count());
            self.pack_displaced(together);
            left = others;
        }
    }

    /// Whether the fields of two cells of stand-ins, the first of which comes first, can be put where they belong together.
    fn is_packed_with(&self, first: u32, cell: u32) -> bool {
        let [start, end] = [first, cell].map(|cell| self.plan.field(cell));
        let same = self.window_start(first) == self.window_start(cell);
        same && end.offset + u32::from(end.width) - start.offset <= MAX_BITS
    }

    /// Packs cells of a stand-in whose fields are near each other, wherever they are in the run.
    fn pack_displaced(&mut self, cells: &[u32]) {
        let Some((first, window)) = cells
            .first()
            .and_then(|first| Some((*first, self.window(*first)?)))
        else {
            return;
        };
        let start = self.plan.field(first).offset;
        let (mut mask, mut fixed, mut parts) = (0u64, 0u64, Vec::new());
        for &cell in cells {
            let field = *self.plan.field(cell);
            let shift = field.offset - start;
            mask |= low_bits(field.width) << shift;
            match self.load(cell) {
                Operand::Constant(value) => {
                    let bits = value.wrapping_sub(field.min) as u64 & low_bits(field.width);
                    fixed |= bits << shift;
                }
                operand => parts.push((operand, field, i64::from(shift))),
            }
        }
        let mut bits = self.number(fixed as i64);
        for (operand, field, shift) in parts {
            let value = self.field_bits(operand, &field);
            let value = self.builder.ins().ishl_imm(value, shift);
            bits = self.builder.ins().bor(bits, value);
        }
        let position = self.builder.ins().iadd_imm(window.bits, i64::from(start));
        let byte = self.builder.ins().ushr_imm(position, 3);
        let shift = self.builder.ins().band_imm(position, 7);
        let pointer = self.builder.ins().iadd(self.packed, byte);
        let mask = self.number(mask as i64);
        let mask = self.builder.ins().ishl(mask, shift);
        let bits = self.builder.ins().ishl(bits, shift);
        let flags = Self::packed_flags();
        let old = self.builder.ins().load(types::I64, flags, pointer, 0);
        let kept = self.builder.ins().band_not(old, mask);
        let new = self.builder.ins().bor(kept, bits);
        self.builder.ins().store(flags, new, pointer, 0);
        let old = Operand::computed(old, Bounds::ANY);
        self.journal.before.push((Spot::Packed(pointer, 0), old));
    }

    /// Packs cells into one word of the packed bytes.
    fn pack_word(&mut self, word: u32, cells: &[u32]) {
        let offset = word as i32 * 8;
        let flags = Self::packed_flags();
        let old = self
            .builder
            .ins()
            .load(types::I64, flags, self.packed, offset);
        let (mut mask, mut fixed, mut parts) = (0, 0, Vec::new());
        for &cell in cells {
            let field = *self.plan.field(cell);
            mask |= place(low_bits(field.width), &field, word);
            match self.load(cell) {
                Operand::Constant(value) => {
                    let bits = value.wrapping_sub(field.min) as u64 & low_bits(field.width);
                    fixed |= place(bits, &field, word);
                }
                operand => parts.push((operand, field)),
            }
        }
        let mut new = self.builder.ins().band_imm(old, !mask as i64);
        if fixed != 0 {
            let fixed = self.number(fixed as i64);
            new = self.builder.ins().bor(new, fixed);
        }
        for (operand, field) in parts {
            let bits = self.field_bits(operand, &field);
            let shift = i64::from(field.offset) - i64::from(word) * 64;
            let placed = match shift {
                0 => bits,
                1.. => self.builder.ins().ishl_imm(bits, shift),
                _ => self.builder.ins().ushr_imm(bits, -shift),
            };
            new = self.builder.ins().bor(new, placed);
        }
        self.builder.ins().store(flags, new, self.packed, offset);
        let old = Operand::computed(old, Bounds::ANY);
        self.journal
            .before
            .push((Spot::Packed(self.packed, offset), old));
    }

    /// The bits that a field has for a value.
    pub fn field_bits(&mut self, operand: Operand, field: &Field) -> Value {
        let value = self.value(operand);
        let bits = match field.min {
            0 => value,
            min => self.builder.ins().iadd_imm(value, min.wrapping_neg()),
        };
        let most = low_bits(field.width) as i64;
        let fits = Bounds::new(field.min, field.min.saturating_add(most));
        match field.width == 64 || operand.bounds().within(fits) {
            true => bits,
            false => self.builder.ins().band_imm(bits, most),
        }
    }

    /// Changes eight packed bytes at an address, where `delta` has ones.
    pub fn flip_packed(&mut self, pointer: Value, delta: Value) {
        let flags = Self::packed_flags();
        let old = self.builder.ins().load(types::I64, flags, pointer, 0);
        let new = self.builder.ins().bxor(old, delta);
        self.builder.ins().store(flags, new, pointer, 0);
        let old = Operand::computed(old, Bounds::ANY);
        self.journal.before.push((Spot::Packed(pointer, 0), old));
    }

    /// What a cell keeps of a value.
    pub fn wrapped(&mut self, wrap: Wrap, operand: Operand) -> Operand {
        let (low, high) = wrap.bounds();
        let bounds = Bounds::new(low, high);
        if let Operand::Constant(value) = operand {
            return Operand::Constant(wrap.apply(value));
        }
        if operand.bounds().within(bounds) {
            return operand;
        }
        let value = self.value(operand);
        let kept = match low < 0 {
            false => self.builder.ins().band_imm(value, high),
            true => {
                let shift = i64::from(high.leading_zeros() - 1);
                let up = self.builder.ins().ishl_imm(value, shift);
                self.builder.ins().sshr_imm(up, shift)
            }
        };
        Operand::computed(kept, bounds)
    }
}

/// The low bits of a word.
pub(super) fn low_bits(width: u8) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width),
    }
}

/// The bits of a field where they are in a word.
fn place(bits: u64, field: &Field, word: u32) -> u64 {
    let shift = i64::from(field.offset) - i64::from(word) * 64;
    match shift {
        0.. => bits << shift,
        _ => bits >> -shift,
    }
}
