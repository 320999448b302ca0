//! Packed states to states written out in full, and back.

use crate::layout::Variables;
use crate::packing;
use crate::program::Program;
use crate::shape::{ChannelSlot, ProcessSlot, Shape, ShapeCache, read_prefix};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::state::{ChannelState, ProcessState, State, Value};
use std::sync::Arc;

impl Program {
    /// The state that the bytes stand for; nothing if they are no state of this program.
    pub fn decode(&self, packed: &[u8]) -> Option<State> {
        let id = read_prefix(packed)?;
        let shape = ShapeCache::default().get(&self.shapes, id)?;
        if packed.len() != shape.packed_length {
            return None;
        }
        let (mut buffer, mut cells) = (Vec::new(), Vec::new());
        packing::load(packed, &mut buffer);
        packing::unpack(&shape, &buffer, &mut cells);
        Some(self.written_out(&shape, &cells))
    }

    fn written_out(&self, shape: &Shape, cells: &[i64]) -> State {
        let layout = &self.layout;
        let claim = layout.claim.as_ref().map(|claim| ProcessSlot {
            template: claim.template,
            base: claim.base,
        });
        let observers = self
            .parts
            .events
            .as_ref()
            .map(|observer| observer.finals.len());
        let events = layout.events.map(|cell| cells[cell as usize]);
        State {
            globals: values(&layout.globals, cells),
            processes: shape
                .processes
                .iter()
                .map(|p| self.process(*p, cells))
                .collect(),
            channels: shape
                .channels
                .iter()
                .map(|c| self.channel(*c, cells))
                .collect(),
            last_mover: layout.last_mover.map_or(0, |cell| cells[cell as usize]),
            claim: claim.map(|slot| self.process(slot, cells)),
            events: events
                .filter(|at| observers.is_some_and(|locations| (*at as usize) < locations))
                .map(|at| LocationId(at as u32)),
        }
    }

    fn process(&self, slot: ProcessSlot, cells: &[i64]) -> ProcessState {
        let layout = &self.layout.templates[slot.template.index()];
        let frame = &cells[slot.base as usize..slot.base as usize + layout.cells.len()];
        ProcessState {
            template: slot.template,
            location: LocationId(frame[0] as u32),
            priority: layout
                .priority
                .map_or(1, |offset| frame[offset as usize] as u8),
            locals: values(&layout.variables, frame),
        }
    }

    fn channel(&self, slot: ChannelSlot, cells: &[i64]) -> ChannelState {
        let kind = &self.layout.kinds[slot.kind.index()];
        let cells = &cells[slot.base as usize..slot.base as usize + kind.cells.len()];
        let messages = cells[1..]
            .chunks_exact(kind.arity())
            .take(cells[0] as usize);
        ChannelState {
            kind: slot.kind,
            owner: slot.owner,
            messages: messages.map(<[i64]>::to_vec).collect(),
        }
    }

    /// The packed form of a state; nothing if it is no state of this program.
    pub fn encode(&self, state: &State) -> Option<Vec<u8>> {
        let shape = self.shape(state)?;
        let mut cells = vec![0; shape.fields.len()];
        self.put_fixed(state, &mut cells)?;
        for (process, slot) in state.processes.iter().zip(&shape.processes) {
            self.put_process(process, *slot, &mut cells)?;
        }
        for (channel, slot) in state.channels.iter().zip(&shape.channels) {
            self.put_channel(channel, *slot, &mut cells)?;
        }
        let mut packed = Vec::new();
        packing::pack(&shape, &cells, &mut packed);
        packed.truncate(shape.packed_length);
        Some(packed)
    }

    /// The shape of a state.
    fn shape(&self, state: &State) -> Option<Arc<Shape>> {
        let mut cache = ShapeCache::default();
        let mut shape = cache.get(&self.shapes, 0)?;
        for process in &state.processes {
            self.layout.templates.get(process.template.index())?;
            let grown = cache.child(&self.shapes, &shape, process.template, &self.layout);
            shape = grown.ok()?;
        }
        (shape.channels.len() == state.channels.len()).then_some(shape)
    }

    fn put_fixed(&self, state: &State, cells: &mut [i64]) -> Option<()> {
        let layout = &self.layout;
        put_values(&layout.globals, &state.globals, cells)?;
        if let Some(cell) = layout.last_mover {
            cells[cell as usize] = state.last_mover;
        }
        if let Some(claim) = &layout.claim {
            let slot = ProcessSlot {
                template: claim.template,
                base: claim.base,
            };
            self.put_process(state.claim.as_ref()?, slot, cells)?;
        }
        if let (Some(cell), Some(observer)) = (layout.events, &self.parts.events) {
            let over = observer.finals.len() as u32;
            cells[cell as usize] = i64::from(state.events.map_or(over, |at| at.0));
        }
        Some(())
    }

    fn put_process(
        &self,
        process: &ProcessState,
        slot: ProcessSlot,
        cells: &mut [i64],
    ) -> Option<()> {
        same(slot.template, process.template)?;
        let layout = &self.layout.templates[slot.template.index()];
        let frame = &mut cells[slot.base as usize..slot.base as usize + layout.cells.len()];
        frame[0] = i64::from(process.location.0);
        if let Some(offset) = layout.priority {
            frame[offset as usize] = i64::from(process.priority);
        }
        put_values(&layout.variables, &process.locals, frame)
    }

    fn put_channel(
        &self,
        channel: &ChannelState,
        slot: ChannelSlot,
        cells: &mut [i64],
    ) -> Option<()> {
        let kind = &self.layout.kinds[slot.kind.index()];
        let fits = channel.messages.len() <= kind.capacity as usize
            && channel.kind == slot.kind
            && channel.messages.iter().all(|m| m.len() == kind.arity());
        if !fits {
            return None;
        }
        let base = slot.base as usize;
        cells[base] = channel.messages.len() as i64;
        let room = &mut cells[base + 1..base + kind.cells.len()];
        for (cell, value) in room.iter_mut().zip(channel.messages.iter().flatten()) {
            *cell = *value;
        }
        Some(())
    }
}

fn same(wanted: TemplateId, found: TemplateId) -> Option<()> {
    (wanted == found).then_some(())
}

/// The values of all cells of variables, from their frame.
fn values(variables: &Variables, frame: &[i64]) -> Vec<Value> {
    let start = variables.start as usize;
    frame[start..start + variables.cells.len()].to_vec()
}

fn put_values(variables: &Variables, values: &[Value], frame: &mut [i64]) -> Option<()> {
    if values.len() != variables.cells.len() {
        return None;
    }
    let start = variables.start as usize;
    frame[start..start + values.len()].copy_from_slice(values);
    Some(())
}
