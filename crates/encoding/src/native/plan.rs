//! The plan of a function of machine code: a shape, and the cells whose contents are assumed.

use super::CodeKind;
use super::choices::copies;
use super::operand::Bounds;
use super::standins::{Sharing, StandIns};
use super::written::Written;
use crate::code::{Action, ChannelSource, CompiledEdge, CompiledKind, CompiledTemplate};
use crate::program::Program;
use crate::shape::{ChannelSlot, Field, ProcessSlot, Shape};
use crate::stepper::NOBODY;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many cells are unpacked by machine code with one body for all choices or processes: it would be shorter than that for their cells.
const MOST_UNPACKED: usize = 64;

/// So many are by other code that is to be made soon.
const MOST_UNPACKED_SOON: usize = 128;

/// So many cells are taken for granted by code that is to stay short: they are compared one after the other.
const MOST_CONSTANTS: usize = 64;

/// A shape with everything that is the same in all states that its function is for.
#[derive(Debug)]
pub(super) struct Plan<'p> {
    pub program: &'p Program,
    /// The shape, with the [stand-ins](super::standins) behind what is there.
    pub shape: Arc<Shape>,
    /// The shape that states have.
    pub real: Arc<Shape>,
    pub kind: CodeKind,
    /// Whom one body of code is for.
    pub stand_ins: StandIns,
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
        (kind, sharing): (CodeKind, Sharing),
        cells: &[i64],
        keep: impl Fn(u32) -> bool,
    ) -> Self {
        let mut retired = retired(program, &shape, cells, &keep);
        let written = Written::by_processes(program, &shape, &retired);
        let free = (0..cells.len() as u32).filter(|cell| !written.contains(*cell) && keep(*cell));
        let mut constants: BTreeMap<u32, i64> =
            free.map(|cell| (cell, cells[cell as usize])).collect();
        let (extended, stand_ins) = match kind {
            CodeKind::Loops => StandIns::of(program, &shape, sharing),
            CodeKind::Copies => (shape.clone(), StandIns::default()),
        };
        if !stand_ins.is_empty() && constants.len() > MOST_CONSTANTS {
            constants.clear();
        }
        retired.resize(extended.processes.len(), false);
        Plan {
            constants,
            program,
            shape: extended,
            real: shape,
            kind,
            stand_ins,
            retired,
        }
    }

    /// Whether the function unpacks states itself. That is faster, but takes code for each cell.
    pub fn unpacks(&self) -> bool {
        let has_parameters = !self.program.code.parameters.is_empty();
        let most = match self.kind {
            _ if has_parameters || !self.stand_ins.is_empty() => MOST_UNPACKED,
            CodeKind::Loops => MOST_UNPACKED_SOON,
            CodeKind::Copies => usize::MAX,
        };
        self.real.fields.len() <= most
    }

    /// How many operations there are in code for each choice and each process, if that is another code; otherwise 0.
    pub fn copied_operations(&self) -> u64 {
        let processes = self.real.processes.iter().map(|slot| slot.template);
        let monitors = self.program.layout.monitors.iter().map(|m| m.template);
        let templates = processes.chain(monitors);
        let operations = templates.flat_map(|id| {
            let shared = self.stand_ins.movers.contains_key(&id.0);
            let edges = self.program.parts.templates[id.index()].edges.iter();
            edges.map(
                move |edge| match copies(CodeKind::Copies, edge.parameters) {
                    1 if !shared => 0,
                    copies => copies as u64 * u64::from(edge.size),
                },
            )
        });
        let unpacking = match self.unpacks() || !self.program.code.parameters.is_empty() {
            true => 0,
            false => self.real.fields.len() as u64,
        };
        match self.kind {
            CodeKind::Loops => operations.sum::<u64>() + unpacking,
            CodeKind::Copies => 0,
        }
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

    /// The stand-in that moves for whom a process stands, if that is one; otherwise the process.
    pub fn mover(&self, process: u32) -> u32 {
        match self.stand_ins.is_process(process) {
            true => self.stand_ins.movers[&self.process(process).template.0],
            false => process,
        }
    }

    /// The process of that number, if there is one.
    pub fn existing(&self, number: i64) -> Option<u32> {
        let number = u32::try_from(number).ok()?;
        ((number as usize) < self.real.processes.len()).then_some(number)
    }

    /// The channel that a reference means, if it means one.
    pub fn channel(&self, reference: i64) -> Option<u32> {
        let index = u32::try_from(reference.checked_sub(1)?).ok()?;
        ((index as usize) < self.real.channels.len()).then_some(index)
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
