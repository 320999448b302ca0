//! The places of all parts of a state among its cells, for code that rearranges states.

use crate::program::Program;
use crate::shape::{ChannelSlot, ProcessSlot, Shape};
use mandala_model::ids::{ChannelKindId, TemplateId};

/// Where everything lies in the cells of the states of one shape.
///
/// The cells of variables lie in the order of [`mandala_model::UncheckedModel::scalars`], variable after variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The first cell of the globals.
    pub globals: usize,
    /// The cell of the last mover, if it is part of the state.
    pub last_mover: Option<usize>,
    /// The claim that runs along.
    pub claim: Option<ProcessPlace>,
    /// The processes, by number.
    pub processes: Vec<ProcessPlace>,
    /// The channels, in the order in which they were made. A cell that refers to one of them
    /// holds one more than its index here; 0 refers to none.
    pub channels: Vec<ChannelPlace>,
    /// For each cell, whether it is part of the packed state.
    pub stored: Vec<bool>,
}

/// Where a process lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessPlace {
    /// What it is an instance of.
    pub template: TemplateId,
    /// The cell of its location.
    pub location: usize,
    /// The cell of its priority, if processes have one.
    pub priority: Option<usize>,
    /// The first cell of its locals.
    pub locals: usize,
}

/// Where a channel lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelPlace {
    /// What kind of channel it is.
    pub kind: ChannelKindId,
    /// The process that it came with.
    pub owner: Option<u32>,
    /// The cell of the number of messages.
    pub count: usize,
    /// The first cell of the messages, the oldest first; what is not in use holds zeroes.
    pub messages: usize,
    /// How many messages have room.
    pub capacity: usize,
    /// How many cells a message has.
    pub arity: usize,
}

impl Places {
    pub(crate) fn new(program: &Program, shape: &Shape) -> Self {
        let layout = &program.layout;
        let claim = layout.claim.as_ref().map(|claim| ProcessSlot {
            template: claim.template,
            base: claim.base,
        });
        let channel = |slot: &ChannelSlot| channel_place(program, *slot);
        Places {
            globals: layout.globals.start as usize,
            last_mover: layout.last_mover.map(|cell| cell as usize),
            claim: claim.map(|slot| process_place(program, slot)),
            processes: shape
                .processes
                .iter()
                .map(|slot| process_place(program, *slot))
                .collect(),
            channels: shape.channels.iter().map(channel).collect(),
            stored: shape.fields.iter().map(|field| field.width > 0).collect(),
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.stored.len()
    }
}

fn process_place(program: &Program, slot: ProcessSlot) -> ProcessPlace {
    let layout = &program.layout.templates[slot.template.index()];
    let base = slot.base as usize;
    ProcessPlace {
        template: slot.template,
        location: base,
        priority: layout.priority.map(|offset| base + offset as usize),
        locals: base + layout.variables.start as usize,
    }
}

fn channel_place(program: &Program, slot: ChannelSlot) -> ChannelPlace {
    let kind = &program.layout.kinds[slot.kind.index()];
    let base = slot.base as usize;
    ChannelPlace {
        kind: slot.kind,
        owner: slot.owner,
        count: base,
        messages: base + 1,
        capacity: kind.capacity as usize,
        arity: kind.arity(),
    }
}
