//! Stand-ins: one body of code for all processes of a template, and for all channels of a kind.
//!
//! The frames of the processes of a template are alike: the same cells, and the same packed bits, at another place. So code for one of them is code for
//! all if it counts cells from a pointer and bits from a number that are found in the run. A *stand-in* is a process, or a channel, that is in no
//! state. It has a number and cells behind all others, and is translated as if it were there. Who it is in a run of the code is a [`Window`]: how far
//! the cells and bits of the one that is meant are from those of the stand-in.
//!
//! Each shared template has two: one that moves, and one that takes part in a rendezvous.
//!
//! Cells of stand-ins and of the real ones may be the same cell. So whenever one of either is written, what is known of the others is forgotten
//! ([`Translator::forget_others`]).

use super::operand::{Bounds, Operand};
use super::running::Context;
use super::translator::Translator;
use crate::arrival::Party;
use crate::layout::CellType;
use crate::program::Program;
use crate::shape::{ChannelSlot, Field, ProcessSlot, Shape};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use mandala_model::ids::TemplateId;
use std::collections::BTreeMap;
use std::mem::offset_of;
use std::sync::Arc;

/// From how many processes of a template on they share code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    pub least: usize,
}

impl Sharing {
    /// Code for each of a few processes is faster and soon made.
    pub const MANY: Sharing = Sharing { least: 9 };

    /// Whoever has any company shares: for those who compare kinds of code.
    pub const ANY: Sharing = Sharing { least: 2 };

    /// Whether processes of a template share code in states of a shape.
    pub fn applies(self, shape: &Shape, template: TemplateId) -> bool {
        let own = shape.processes.iter();
        own.filter(|slot| slot.template == template)
            .nth(self.least - 1)
            .is_some()
    }
}

/// The stand-ins of a plan.
#[derive(Debug, Default)]
pub(super) struct StandIns {
    /// For each shared template, the process that moves.
    pub movers: BTreeMap<u32, u32>,
    /// For each shared template, the process that takes a message.
    pub partners: BTreeMap<u32, u32>,
    /// For each kind of channel, the channel.
    pub channels: BTreeMap<u32, u32>,
    /// How many processes, channels and cells are real.
    processes: u32,
    cells: u32,
}

/// A process or a channel that a stand-in stands for, in the run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The first cell of the stand-in, and how many it has.
    first: u32,
    length: u32,
    /// What is added to the number of a cell.
    shift: Value,
    /// Where the first cell is.
    pub pointer: Value,
    /// What is added to the position of a bit.
    pub bits: Value,
}

/// The widest field that can be put anywhere with eight bytes.
const MOST_BITS: u8 = 57;

impl StandIns {
    /// A shape with stand-ins.
    pub fn of(program: &Program, shape: &Arc<Shape>, sharing: Sharing) -> (Arc<Shape>, Self) {
        let mut stand_ins = StandIns {
            processes: shape.processes.len() as u32,
            cells: shape.fields.len() as u32,
            ..StandIns::default()
        };
        let layout = &program.layout;
        let mut extended = Shape::clone(shape);
        for slot in &shape.processes {
            let template = slot.template;
            let cells = &layout.templates[template.index()].cells;
            let known = stand_ins.movers.contains_key(&template.0);
            let are_named_alike = program.roles.distance(members(shape, template)).is_some();
            let shares = sharing.applies(shape, template) && are_named_alike && is_narrow(cells);
            if known || !shares {
                continue;
            }
            for role in [&mut stand_ins.movers, &mut stand_ins.partners] {
                role.insert(template.0, extended.processes.len() as u32);
                let base = copy_fields(&mut extended, slot.base, cells.len());
                extended.processes.push(ProcessSlot { template, base });
            }
        }
        if stand_ins.is_empty() {
            return (shape.clone(), StandIns::default());
        }
        for slot in &shape.channels {
            let cells = &layout.kinds[slot.kind.index()].cells;
            if stand_ins.channels.contains_key(&slot.kind.0) || !is_narrow(cells) {
                continue;
            }
            let number = extended.channels.len() as u32;
            stand_ins.channels.insert(slot.kind.0, number);
            let base = copy_fields(&mut extended, slot.base, cells.len());
            extended.channels.push(ChannelSlot { base, ..*slot });
        }
        (Arc::new(extended), stand_ins)
    }

    pub fn is_empty(&self) -> bool {
        self.movers.is_empty()
    }

    /// Whether a process is a stand-in.
    pub fn is_process(&self, process: u32) -> bool {
        !self.is_empty() && process >= self.processes && process != crate::stepper::NOBODY
    }

    /// Whether a cell is one of a stand-in.
    pub fn is_cell(&self, cell: u32) -> bool {
        !self.is_empty() && cell >= self.cells
    }
}

/// The processes of a template.
pub(super) fn members(shape: &Shape, template: TemplateId) -> impl Iterator<Item = u32> {
    let slots = (0..).zip(&shape.processes);
    let own = slots.filter(move |(_, slot)| slot.template == template);
    own.map(|(number, _)| number)
}

fn is_narrow(cells: &[CellType]) -> bool {
    cells.iter().all(|cell| cell.width <= MOST_BITS)
}

/// Adds fields as those from a cell on. Gives the first of them.
fn copy_fields(shape: &mut Shape, from: u32, length: usize) -> u32 {
    let base = shape.fields.len() as u32;
    let from = from as usize;
    shape.fields.extend_from_within(from..from + length);
    base
}

impl Translator<'_, '_> {
    /// From here on, a process that is a stand-in is the one of that number.
    pub fn stand_for_process(&mut self, process: u32, who: Value) {
        let table = self.context_field(offset_of!(Context, processes));
        let base = self.slot_base(
            table,
            who,
            (size_of::<ProcessSlot>(), offset_of!(ProcessSlot, base)),
        );
        let template = self.plan.process(process).template;
        let cells = self.plan.program.layout.templates[template.index()]
            .cells
            .len();
        self.numbers.insert(process, who);
        self.open(self.plan.process(process).base, cells, base);
    }

    /// From here on, a channel that is a stand-in is the one of that number.
    pub fn stand_for_channel(&mut self, channel: u32, which: Value) {
        let table = self.context_field(offset_of!(Context, channels));
        let base = self.slot_base(
            table,
            which,
            (size_of::<ChannelSlot>(), offset_of!(ChannelSlot, base)),
        );
        let kind = self.plan.slot(channel).kind;
        let cells = self.plan.program.layout.kinds[kind.index()].cells.len();
        self.references.insert(channel, which);
        self.open(self.plan.slot(channel).base, cells, base);
    }

    /// The template of a process.
    pub fn template_of(&mut self, who: Value) -> Value {
        let table = self.context_field(offset_of!(Context, processes));
        self.slot_base(
            table,
            who,
            (size_of::<ProcessSlot>(), offset_of!(ProcessSlot, template)),
        )
    }

    /// The kind of a channel.
    pub fn kind_of(&mut self, which: Value) -> Value {
        let table = self.context_field(offset_of!(Context, channels));
        self.slot_base(
            table,
            which,
            (size_of::<ChannelSlot>(), offset_of!(ChannelSlot, kind)),
        )
    }

    /// The first cell of a channel.
    pub fn base_of_channel(&mut self, which: Value) -> Value {
        let table = self.context_field(offset_of!(Context, channels));
        self.slot_base(
            table,
            which,
            (size_of::<ChannelSlot>(), offset_of!(ChannelSlot, base)),
        )
    }

    /// A number of 32 bits in a row of a table.
    fn slot_base(&mut self, table: Value, row: Value, (size, field): (usize, usize)) -> Value {
        let row = self.builder.ins().imul_imm(row, size as i64);
        let row = self.builder.ins().iadd(table, row);
        let flags = Self::count_flags();
        self.builder.ins().uload32(flags, row, field as i32)
    }

    /// The cells of a stand-in are those from `base` on.
    fn open(&mut self, first: u32, length: usize, base: Value) {
        let shift = self.builder.ins().iadd_imm(base, -i64::from(first));
        let bytes = self.builder.ins().ishl_imm(base, 3);
        let pointer = self.builder.ins().iadd(self.cells, bytes);
        let fields = self.context_field(offset_of!(Context, fields));
        let offset = self.slot_base(
            fields,
            base,
            (size_of::<Field>(), offset_of!(Field, offset)),
        );
        let own = i64::from(self.plan.field(first).offset);
        let window = Window {
            first,
            length: length as u32,
            shift,
            pointer,
            bits: self.builder.ins().iadd_imm(offset, -own),
        };
        self.windows.insert(first, window);
        let cells = first..first + length as u32;
        self.facts.cells.retain(|cell, _| !cells.contains(cell));
    }

    /// The window that a cell of a stand-in is in; none for other cells.
    pub fn window(&self, cell: u32) -> Option<Window> {
        if !self.plan.stand_ins.is_cell(cell) {
            return None;
        }
        let opened = self.windows.range(..=cell).next_back();
        let inside = opened.filter(|(first, window)| cell - **first < window.length);
        let (_, window) = inside.expect("a stand-in stands for somebody before its cells are used");
        Some(*window)
    }

    /// Where a cell is: a pointer, and how many bytes behind it.
    pub fn spot(&self, cell: u32) -> (Value, i32) {
        match self.window(cell) {
            Some(window) => (window.pointer, (cell - window.first) as i32 * 8),
            None => (self.cells, cell as i32 * 8),
        }
    }

    /// The real number of the cell at an address. Nothing if that may be a cell of a stand-in or another one.
    pub fn located(&mut self, address: Operand) -> Option<Value> {
        let number = self.value(address);
        let Bounds { low, high } = address.bounds();
        let last = i64::from(self.plan.real.fields.len() as u32) - 1;
        if self.plan.stand_ins.is_empty() || high <= last {
            return Some(number);
        }
        let [low, high] = [low, high].map(|cell| u32::try_from(cell).ok());
        let (low, high) = (low?, high?);
        let window = *self.windows.range(..=low).next_back()?.1;
        if i64::from(low) <= last || high - window.first >= window.length {
            return None;
        }
        Some(self.builder.ins().iadd(number, window.shift))
    }

    /// A cell was written: what is known of cells that may be the same one is forgotten.
    pub fn forget_others(&mut self, written: u32) {
        if self.plan.stand_ins.is_empty() {
            return;
        }
        let fixed = self.plan.program.layout.fixed.len() as u32;
        if written < fixed {
            return;
        }
        let window = self.window_range(written);
        self.facts.cells.retain(|cell, _| {
            *cell < fixed || *cell == written || window.as_ref().is_some_and(|w| w.contains(cell))
        });
    }

    /// The first cell of the window that a cell is in.
    pub fn window_start(&self, cell: u32) -> Option<u32> {
        self.window_range(cell).map(|range| range.start)
    }

    fn window_range(&self, cell: u32) -> Option<std::ops::Range<u32>> {
        let (first, window) = self.windows.range(..=cell).next_back()?;
        (self.plan.stand_ins.is_cell(cell)).then(|| *first..first + window.length)
    }

    /// The number of a process.
    pub fn process_number(&mut self, process: u32) -> Operand {
        match self.numbers.get(&process) {
            Some(value) => {
                let template = self.plan.process(process).template;
                let own = members(&self.plan.real, template).map(i64::from);
                let own = own.map(|number| Bounds::new(number, number));
                let bounds = own.reduce(Bounds::hull).unwrap_or(Bounds::ANY);
                Operand::computed(*value, bounds)
            }
            None => Operand::Constant(process.into()),
        }
    }

    /// The reference that means a channel.
    pub fn channel_reference(&mut self, channel: u32) -> Operand {
        match self.references.get(&channel).copied() {
            Some(value) => {
                let reference = self.builder.ins().iadd_imm(value, 1);
                let last = self.plan.real.channels.len() as i64;
                Operand::computed(reference, Bounds::new(1, last))
            }
            None => Operand::Constant(i64::from(channel) + 1),
        }
    }

    /// The bit of a process among those who take part in a move.
    pub fn party_bit(&mut self, process: u32) -> Value {
        match self.process_number(process) {
            Operand::Constant(_) => self.number(Party::bit(process) as i64),
            Operand::Computed { value, .. } => {
                let most = self.number(Party::MOST.into());
                let shift = self.builder.ins().umin(value, most);
                let one = self.number(1);
                self.builder.ins().ishl(one, shift)
            }
        }
    }

    /// The number of a process in 32 bits.
    pub fn short_number(&mut self, process: u32) -> Value {
        match self.process_number(process) {
            Operand::Constant(_) => self.builder.ins().iconst(types::I32, i64::from(process)),
            Operand::Computed { value, .. } => self.builder.ins().ireduce(types::I32, value),
        }
    }
}
