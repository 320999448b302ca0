//! The cells that steps can change.
//!
//! Every operation that changes a cell names it, or an array that it is in, or adds up its address from constants and
//! indices right before. So a single pass over the code of a template, which follows addresses only, finds all cells that its
//! processes can ever write. What no process of a state writes is the same in all states of that shape that follow:
//! parameters, arrays of constants, variables for channels.

use crate::code::{Action, CompiledTemplate, Entry, Op, Register, Space};
use crate::program::Program;
use crate::shape::Shape;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// A set of cells of a shape.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    cells: Vec<bool>,
    /// It could not be told.
    anything: bool,
}

/// Where an address points to.
#[derive(Clone, Copy, Debug)]
enum Address {
    /// Somewhere between two numbers, both possible.
    Between(i64, i64),
    /// Counted from the frame of any process of the template.
    Remote(u32, i64, i64),
}

impl Address {
    fn moved(self, least: i64, most: i64) -> Self {
        match self {
            Address::Between(low, high) => Address::Between(low + least, high + most),
            Address::Remote(template, low, high) => {
                Address::Remote(template, low + least, high + most)
            }
        }
    }
}

impl Written {
    fn none(shape: &Shape) -> Self {
        Written {
            cells: vec![false; shape.fields.len()],
            anything: false,
        }
    }

    pub fn contains(&self, cell: u32) -> bool {
        self.anything || self.cells.get(cell as usize) != Some(&false)
    }

    /// All cells of the set, unless it could not be told.
    pub fn cells(&self) -> Option<impl Iterator<Item = u32>> {
        let written = |(cell, written): (usize, &bool)| written.then_some(cell as u32);
        (!self.anything).then(|| self.cells.iter().enumerate().filter_map(written))
    }

    /// The cells that processes of a state, but for those that have retired, and monitors can change.
    pub fn by_processes(program: &Program, shape: &Shape, retired: &[bool]) -> Self {
        let mut scan = Scan::new(program, shape);
        let layout = &program.layout;
        scan.written.extend(layout.last_mover.map(i64::from));
        for channel in &shape.channels {
            let cells = layout.kinds[channel.kind.index()].cells.len() as i64;
            let base = i64::from(channel.base);
            scan.written.add(base..=base + cells - 1);
        }
        for (slot, _) in shape.processes.iter().zip(retired).filter(|(_, r)| !**r) {
            scan.written.extend([i64::from(slot.base)]);
            let template = &program.parts.templates[slot.template.index()];
            scan.template(template, slot.base);
        }
        if let Some(monitors) = &layout.monitors {
            // They have no frame: their variables are in the fixed part.
            scan.template(&program.parts.templates[monitors.template.index()], 0);
        }
        scan.written
    }

    /// The cells that a routine can change by itself, apart from what it sends and receives.
    pub fn by_routine(program: &Program, shape: &Shape, routine: u32, base: u32) -> Self {
        let mut scan = Scan::new(program, shape);
        scan.routine(routine, base);
        scan.written
    }

    fn add(&mut self, cells: RangeInclusive<i64>) {
        self.extend(cells);
    }

    fn extend(&mut self, cells: impl IntoIterator<Item = i64>) {
        for cell in cells {
            match usize::try_from(cell)
                .ok()
                .and_then(|cell| self.cells.get_mut(cell))
            {
                Some(written) => *written = true,
                None => self.anything = true,
            }
        }
    }
}

/// Goes over code.
struct Scan<'a> {
    program: &'a Program,
    shape: &'a Shape,
    written: Written,
    addresses: HashMap<Register, Address>,
}

impl<'a> Scan<'a> {
    fn new(program: &'a Program, shape: &'a Shape) -> Self {
        Scan {
            program,
            shape,
            written: Written::none(shape),
            addresses: HashMap::new(),
        }
    }

    fn template(&mut self, template: &CompiledTemplate, base: u32) {
        for edge in &template.edges {
            let parameters = edge.parameters.of(&self.program.code).iter();
            let cells = parameters.map(|parameter| i64::from(base + parameter.cell));
            self.written.extend(cells);
            self.action(edge.action, base);
        }
    }

    fn action(&mut self, action: Action, base: u32) {
        match action {
            Action::Guarded { effects, .. } => self.optional(effects, base),
            Action::Receive(receive) => self.optional(receive.bind, base),
            Action::Routine(routine) => self.routine(routine, base),
            Action::Else | Action::Send(_) | Action::Exit => {}
        }
    }

    fn routine(&mut self, routine: u32, base: u32) {
        let nodes = &self.program.routines[routine as usize].nodes;
        for choice in nodes.iter().flat_map(|node| &node.choices) {
            self.action(choice.action, base);
        }
    }

    fn optional(&mut self, code: Option<Entry>, base: u32) {
        if let Some(entry) = code {
            self.code(entry, base);
        }
    }

    /// Goes over code up to its end. Code for channels and patterns of a poll lies in between and ends, too.
    fn code(&mut self, entry: Entry, base: u32) {
        let ops = &self.program.code.ops;
        let mut furthest = entry as usize;
        for (at, op) in ops.iter().enumerate().skip(entry as usize) {
            furthest = furthest.max(target(op).unwrap_or(0));
            self.follow(op);
            self.change(op, base);
            if at >= furthest && matches!(op, Op::Done | Op::Reject) {
                return;
            }
        }
    }

    /// Keeps track of addresses.
    fn follow(&mut self, op: &Op) {
        let address = |registers: &HashMap<Register, Address>, to| registers.get(&to).copied();
        match *op {
            Op::Const { to, value } => {
                let value = i64::from(value);
                self.addresses.insert(to, Address::Between(value, value));
            }
            Op::Wide { to, index } => {
                let value = self.program.code.constants[index as usize];
                self.addresses.insert(to, Address::Between(value, value));
            }
            Op::Frame { to, template, .. } => {
                self.addresses.insert(to, Address::Remote(template, 0, 0));
            }
            Op::Index {
                to, stride, length, ..
            } => {
                let stride = i64::from(stride);
                let moved = match (address(&self.addresses, to), length) {
                    (Some(from), u32::MAX) => match address(&self.addresses, to + 1) {
                        Some(Address::Between(low, high)) => Some(from.moved(low, high)),
                        _ => None,
                    },
                    (Some(from), _) => {
                        Some(from.moved(0, i64::from(length.saturating_sub(1)) * stride))
                    }
                    (None, _) => None,
                };
                self.set(to, moved);
            }
            _ => {
                if let Some(to) = op.result() {
                    self.addresses.remove(&to);
                }
            }
        }
    }

    fn set(&mut self, register: Register, address: Option<Address>) {
        match address {
            Some(address) => self.addresses.insert(register, address),
            None => self.addresses.remove(&register),
        };
    }

    fn change(&mut self, op: &Op, base: u32) {
        let base = i64::from(base);
        match *op {
            Op::SetGlobal { cell, .. }
            | Op::IncreaseGlobal { cell, .. }
            | Op::StoreGlobal { cell, .. } => self.written.extend([i64::from(cell)]),
            Op::SetLocal { offset, .. }
            | Op::IncreaseLocal { offset, .. }
            | Op::StoreLocal { offset, .. } => self.written.extend([base + i64::from(offset)]),
            Op::StoreElement { space, array, .. } => {
                let array = self.program.code.arrays[array as usize];
                let first = start(space, base) + i64::from(array.base);
                self.written
                    .add(first..=first + i64::from(array.length) - 1);
            }
            Op::StoreAt { space, from, .. } => self.store_at(start(space, base), from + 1),
            Op::SetPriority { .. } => self.written.anything = true,
            _ => {}
        }
    }

    fn store_at(&mut self, start: i64, register: Register) {
        match self.addresses.get(&register).copied() {
            Some(Address::Between(low, high)) => self.written.add(start + low..=start + high),
            Some(Address::Remote(template, low, high)) => {
                for slot in &self.shape.processes {
                    if slot.template.0 == template {
                        let base = i64::from(slot.base);
                        self.written.add(base + low..=base + high);
                    }
                }
            }
            None => self.written.anything = true,
        }
    }
}

fn start(space: Space, base: i64) -> i64 {
    match space {
        Space::Global => 0,
        Space::Local => base,
    }
}

/// Where an operation can jump to.
fn target(op: &Op) -> Option<usize> {
    match *op {
        Op::Jump { target }
        | Op::JumpIf { target, .. }
        | Op::JumpCompare { target, .. }
        | Op::JumpCompareConst { target, .. }
        | Op::JumpGlobalConst { target, .. }
        | Op::JumpLocalConst { target, .. } => Some(target as usize),
        _ => None,
    }
}
