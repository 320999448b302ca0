//! Shapes: which processes there are, and with that where every cell of a state lies.
//!
//! Channels come to be with a process (or with the globals) and go with it, so the list of the
//! templates of the live processes decides everything: the frames, the channels, their owners,
//! the packed position of every cell. Such a list is a *shape*. Shapes are numbered as they come up, a packed
//! state starts with the number of its shape, and all offsets are worked out once per shape.
//!
//! This is the seam for other layouts: whoever wants the fields of a family of processes in columns, so that
//! a permutation of processes becomes a shuffle of bytes, changes the order in which
//! [`Shape::extended`] hands out packed positions and nothing else.
//!
//! The shapes form a tree by creation, the empty one at the root: to create a process is to go to a child, to end
//! the last process is to go to the parent. The tree belongs to the program and is shared by all who
//! explore it; each of them keeps its own copies of the references ([`ShapeCache`]), so the lock is
//! taken only when a shape is new to the one who asks.

use crate::layout::{CellType, Layout};
use mandala_model::ids::{ChannelKindId, TemplateId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// No state has more cells than this. At a bit each, one that has could not be stored anyway.
const MAX_CELLS: usize = 1 << 19;

/// The state would be larger than any that could be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oversize;

/// Where a cell lies in a packed state. Machine code looks that up, too.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Field {
    /// The first bit.
    pub offset: u32,
    /// How many bits.
    pub width: u8,
    /// Whether it goes back to what it held before after every step.
    pub scratch: bool,
    /// The value that all zeroes stand for.
    pub min: i64,
    /// The low `width` bits. They are kept because every cell of every state that is packed needs them.
    pub mask: u64,
}

/// The low `width` bits.
pub(crate) fn mask(width: u8) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width),
    }
}

/// A process of a shape. Machine code looks that up, too.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ProcessSlot {
    pub template: TemplateId,
    /// Its first cell, the location.
    pub base: u32,
}

/// A channel of a shape. Machine code looks that up, too.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ChannelSlot {
    pub kind: ChannelKindId,
    /// Its first cell, the number of messages.
    pub base: u32,
    /// The process that it came with.
    pub owner: Option<u32>,
}

/// Which processes and channels there are, and where.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub id: u32,
    /// The shape without the last process; the empty shape's is itself.
    pub parent: u32,
    pub processes: Vec<ProcessSlot>,
    pub channels: Vec<ChannelSlot>,
    /// One a cell.
    pub fields: Vec<Field>,
    /// The length of a packed state.
    pub packed_length: usize,
}

impl Shape {
    /// The shape without processes, before it has any cell.
    fn blank(id: u32, parent: u32) -> Self {
        Shape {
            id,
            parent,
            processes: Vec::new(),
            channels: Vec::new(),
            fields: Vec::new(),
            packed_length: prefix_length(id),
        }
    }

    fn root(layout: &Layout) -> Result<Self, Oversize> {
        let mut shape = Shape::blank(0, 0);
        shape.push_cells(&layout.fixed)?;
        shape.push_channels(layout, &layout.globals.channels, None)?;
        Ok(shape)
    }

    /// The shape with one more process.
    fn extended(&self, id: u32, template: TemplateId, layout: &Layout) -> Result<Self, Oversize> {
        let mut shape = self.renumbered(id);
        let frame = &layout.templates[template.index()];
        let owner = shape.processes.len() as u32;
        let base = shape.push_cells(&frame.cells)?;
        shape.processes.push(ProcessSlot { template, base });
        shape.push_channels(layout, &frame.variables.channels, Some(owner))?;
        Ok(shape)
    }

    /// A copy with another number, which may take more room at the start of packed states.
    fn renumbered(&self, id: u32) -> Self {
        let shift = 8 * (prefix_length(id) - prefix_length(self.id)) as u32;
        let mut shape = Shape {
            id,
            parent: self.id,
            ..self.clone()
        };
        for field in &mut shape.fields {
            field.offset += shift;
        }
        shape
    }

    fn push_channels(
        &mut self,
        layout: &Layout,
        kinds: &[ChannelKindId],
        owner: Option<u32>,
    ) -> Result<(), Oversize> {
        for &kind in kinds {
            let base = self.push_cells(&layout.kinds[kind.index()].cells)?;
            self.channels.push(ChannelSlot { kind, base, owner });
        }
        Ok(())
    }

    /// Adds cells at the end; gives the first of them.
    fn push_cells(&mut self, cells: &[CellType]) -> Result<u32, Oversize> {
        let base = self.fields.len();
        if base + cells.len() > MAX_CELLS {
            return Err(Oversize);
        }
        let mut offset = self.next_bit();
        for cell in cells {
            self.fields.push(Field {
                offset,
                width: cell.width,
                scratch: cell.scratch,
                min: cell.min,
                mask: mask(cell.width),
            });
            offset += u32::from(cell.width);
        }
        self.packed_length = offset.div_ceil(8) as usize;
        Ok(base as u32)
    }

    fn next_bit(&self) -> u32 {
        match self.fields.last() {
            Some(last) => last.offset + u32::from(last.width),
            None => 8 * prefix_length(self.id) as u32,
        }
    }
}

/// Numbers below this take one byte at the start of a packed state, others five.
const LONG: u32 = 0xff;

fn prefix_length(id: u32) -> usize {
    if id < LONG { 1 } else { 5 }
}

/// Writes the number of a shape to the start of an otherwise empty packed state.
pub(crate) fn write_prefix(id: u32, bytes: &mut [u8]) {
    if id < LONG {
        bytes[0] = id as u8;
    } else {
        bytes[0] = LONG as u8;
        bytes[1..5].copy_from_slice(&id.to_le_bytes());
    }
}

/// The number of the shape of a packed state.
#[inline]
pub(crate) fn read_prefix(bytes: &[u8]) -> Option<u32> {
    match *bytes.first()? {
        0xff => Some(u32::from_le_bytes(bytes.get(1..5)?.try_into().ok()?)),
        id => Some(u32::from(id)),
    }
}

/// All shapes of a program that have come up.
#[derive(Debug)]
pub(crate) struct Shapes {
    table: RwLock<Table>,
}

#[derive(Debug)]
struct Table {
    shapes: Vec<Arc<Shape>>,
    children: HashMap<(u32, TemplateId), u32>,
}

impl Shapes {
    /// Only the empty shape.
    pub fn new(layout: &Layout) -> Result<Self, Oversize> {
        let table = Table {
            shapes: vec![Arc::new(Shape::root(layout)?)],
            children: HashMap::new(),
        };
        Ok(Shapes {
            table: RwLock::new(table),
        })
    }

    /// Only the empty shape again.
    pub fn afresh(&self) -> Self {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let shapes = table.shapes.iter().take(1).cloned().collect();
        Shapes {
            table: RwLock::new(Table {
                shapes,
                children: HashMap::new(),
            }),
        }
    }

    /// The shape of that number, if it has come up.
    pub fn get(&self, id: u32) -> Option<Arc<Shape>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.shapes.get(id as usize).cloned()
    }

    /// The shape with one more process than `parent`.
    fn child(
        &self,
        parent: &Shape,
        template: TemplateId,
        layout: &Layout,
    ) -> Result<Arc<Shape>, Oversize> {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = table.children.get(&(parent.id, template)) {
            return Ok(table.shapes[id as usize].clone());
        }
        let id = table.shapes.len() as u32;
        let shape = Arc::new(parent.extended(id, template, layout)?);
        table.shapes.push(shape.clone());
        table.children.insert((parent.id, template), id);
        Ok(shape)
    }
}

impl Shapes {
    /// The most processes that a shape has.
    pub fn most_processes(&self) -> usize {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let sizes = table.shapes.iter().map(|shape| shape.processes.len());
        sizes.max().unwrap_or(0)
    }

    /// Each shape but the empty one as another shape and a process more, in the order of their numbers.
    pub fn history(&self) -> Vec<(u32, TemplateId)> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let last = |shape: &Arc<Shape>| Some((shape.parent, shape.processes.last()?.template));
        table.shapes.iter().filter_map(last).collect()
    }

    /// The number of the shape with one more process than another one, if it can be stored.
    pub fn add(&self, parent: u32, template: TemplateId, layout: &Layout) -> Option<u32> {
        let parent = self.get(parent)?;
        let shape = self.child(&parent, template, layout).ok()?;
        Some(shape.id)
    }
}

/// The shapes that one explorer has met.
#[derive(Debug, Default)]
pub(crate) struct ShapeCache {
    known: Vec<Option<Arc<Shape>>>,
    children: HashMap<(u32, TemplateId), Arc<Shape>>,
}

impl ShapeCache {
    /// The shape of that number, if there is one.
    pub fn get(&mut self, shapes: &Shapes, id: u32) -> Option<Arc<Shape>> {
        if let Some(Some(shape)) = self.known.get(id as usize) {
            return Some(shape.clone());
        }
        let shape = shapes.get(id)?;
        let at = id as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        self.known[at] = Some(shape.clone());
        Some(shape)
    }

    /// The shape with one more process than `parent`.
    pub fn child(
        &mut self,
        shapes: &Shapes,
        parent: &Shape,
        template: TemplateId,
        layout: &Layout,
    ) -> Result<Arc<Shape>, Oversize> {
        if let Some(shape) = self.children.get(&(parent.id, template)) {
            return Ok(shape.clone());
        }
        let shape = shapes.child(parent, template, layout)?;
        self.children.insert((parent.id, template), shape.clone());
        Ok(shape)
    }
}
