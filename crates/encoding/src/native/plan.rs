//! What a function is made for: a shape, and the cells whose contents are taken for granted.

use super::CodeKind;
use super::operand::Bounds;
use super::written::Written;
use crate::code::{Action, ChannelSource, CompiledEdge, CompiledKind, CompiledTemplate};
use crate::program::Program;
use crate::shape::{ChannelSlot, Field, ProcessSlot, Shape};
use crate::stepper::NOBODY;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many cells are unpacked by machine code.
const MOST_UNPACKED: usize = 64;

/// A shape with everything that is the same in all states that its function is for.
#[derive(Debug)]
pub(super) struct Plan<'p> {
    pub program: &'p Program,
    pub shape: Arc<Shape>,
    pub kind: CodeKind,
    /// The cells that no step in here changes, and what they hold.
    pub constants: BTreeMap<u32, i64>,
    /// For each process, whether it will never move again, but perhaps end.
    pub retired: Vec<bool>,
}

impl<'p> Plan<'p> {
    /// A plan for states like the one with those cells. Only cells that `keep` allows are taken for granted.
    pub fn new(
        program: &'p Program,
        shape: Arc<Shape>,
        kind: CodeKind,
        cells: &[i64],
        keep: impl Fn(u32) -> bool,
    ) -> Self {
        let retired = retired(program, &shape, cells, &keep);
        let written = Written::by_processes(program, &shape, &retired);
        let free = (0..cells.len() as u32).filter(|cell| !written.contains(*cell) && keep(*cell));
        Plan {
            constants: free.map(|cell| (cell, cells[cell as usize])).collect(),
            program,
            shape,
            kind,
            retired,
        }
    }

    /// Whether the function unpacks states itself. That is faster, but the code for rules with parameters would be shorter than that for their many cells. (Code
    /// for processes grows with their number anyway.)
    pub fn unpacks(&self) -> bool {
        let few = self.shape.fields.len() <= MOST_UNPACKED;
        few || self.program.code.parameters.is_empty()
    }

    pub fn field(&self, cell: u32) -> &Field {
        &self.shape.fields[cell as usize]
    }

    /// What a cell can hold. One that holds something only during a step can hold anything then.
    pub fn bounds(&self, cell: u32) -> Bounds {
        let field = self.field(cell);
        match field.width {
            _ if field.scratch => Bounds::ANY,
            width @ 0..=62 => Bounds::new(field.min, field.min.saturating_add((1 << width) - 1)),
            _ => Bounds::ANY,
        }
    }

    pub fn process(&self, process: u32) -> ProcessSlot {
        self.shape.processes[process as usize]
    }

    /// The first cell of the frame of whoever runs code. Monitors have none, and their code asks for no cell of one.
    pub fn frame(&self, process: u32) -> u32 {
        match process {
            NOBODY => 0,
            process => self.process(process).base,
        }
    }

    pub fn template(&self, process: u32) -> &'p CompiledTemplate {
        &self.program.parts.templates[self.process(process).template.index()]
    }

    /// The monitors, if there are some.
    pub fn monitors(&self) -> Option<&'p CompiledTemplate> {
        let monitors = self.program.layout.monitors.as_ref()?;
        Some(&self.program.parts.templates[monitors.template.index()])
    }

    /// Whether the process is at the location only before there is a state: where control is held at the start, and nothing
    /// leads back to it.
    pub fn is_before_all_states(&self, process: u32, location: u32) -> bool {
        let template = self.template(process);
        let left = |edge: &CompiledEdge| edge.target != location;
        let starts_here = process == 0 && template.entry == location;
        self.program.rules.start_held && starts_here && template.edges.iter().all(left)
    }

    /// The process of that number, if there is one.
    pub fn existing(&self, number: i64) -> Option<u32> {
        let number = u32::try_from(number).ok()?;
        ((number as usize) < self.shape.processes.len()).then_some(number)
    }

    /// The channel that a reference means, if it means one.
    pub fn channel(&self, reference: i64) -> Option<u32> {
        let index = u32::try_from(reference.checked_sub(1)?).ok()?;
        ((index as usize) < self.shape.channels.len()).then_some(index)
    }

    pub fn slot(&self, channel: u32) -> ChannelSlot {
        self.shape.channels[channel as usize]
    }

    pub fn kind(&self, channel: u32) -> &'p CompiledKind {
        &self.program.parts.kinds[self.slot(channel).kind.index()]
    }

    /// The channel of a statement, if it is the same in all states.
    pub fn constant_channel(&self, channel: ChannelSource, process: u32) -> Option<u32> {
        self.channel(self.constant_source(channel.source, process)?)
    }
}

/// Which processes are where nothing leads away from, but for their end.
fn retired(
    program: &Program,
    shape: &Shape,
    cells: &[i64],
    keep: &impl Fn(u32) -> bool,
) -> Vec<bool> {
    let is_retired = |slot: &ProcessSlot| {
        let template = &program.parts.templates[slot.template.index()];
        let location = &template.locations[cells[slot.base as usize] as usize];
        let range = location.edges.start as usize..location.edges.end as usize;
        keep(slot.base) && template.edges[range].iter().all(is_end)
    };
    shape.processes.iter().map(is_retired).collect()
}

fn is_end(edge: &CompiledEdge) -> bool {
    matches!(edge.action, Action::Exit)
}
