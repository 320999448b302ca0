//! The parts of the states of one shape, each with a number: the cells, the heads and tails of channels, and the rest.

use super::bits::Bits;
use crate::layout::{CellInitial, Layout, Variables};
use crate::shape::Shape;
use mandala_model::footprint::{Aspect, Cells, Channels, Footprint, Parts};
use mandala_model::ids::{LocalId, TemplateId};
use mandala_resolved::FirstValue;

/// What something reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Touch {
    pub reads: Bits,
    pub writes: Bits,
}

impl Touch {
    pub fn add(&mut self, other: &Touch) {
        self.reads.add(&other.reads);
        self.writes.add(&other.writes);
    }
}

/// Who touches something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who {
    /// The process of that number.
    Process(usize),
    /// A process that does not exist yet.
    Unborn,
    /// A monitor, whose variables hold something only while it is evaluated.
    Monitor,
}

/// Numbers for the parts of the states of a shape.
pub(crate) struct Objects<'a> {
    pub shape: &'a Shape,
    pub layout: &'a Layout,
}

/// Parts that are neither cells nor channels. The location of a process is one of its cells. Models in which more than that matters are
/// refused.
const ASPECTS: [Aspect; 2] = [Aspect::Population, Aspect::Priorities];

impl Objects<'_> {
    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.first_channel() + 2 * (self.unborn_channels() + 1) + ASPECTS.len()
    }

    fn first_channel(&self) -> usize {
        self.shape.fields.len()
    }

    /// Stands for all channels that do not exist yet.
    pub fn unborn_channels(&self) -> usize {
        self.shape.channels.len()
    }

    /// Where messages are taken from a channel.
    pub fn head(&self, channel: usize) -> usize {
        self.first_channel() + 2 * channel
    }

    /// Where messages are put into a channel.
    pub fn tail(&self, channel: usize) -> usize {
        self.head(channel) + 1
    }

    fn aspect(&self, aspect: Aspect) -> Option<usize> {
        let at = ASPECTS.iter().position(|a| *a == aspect)?;
        Some(self.head(self.unborn_channels() + 1) + at)
    }

    /// What a footprint touches if it is that of a process.
    pub fn touch(&self, footprint: &Footprint, who: Who) -> Touch {
        let mut touch = Touch {
            reads: self.parts(&footprint.reads, who),
            writes: self.parts(&footprint.writes, who),
        };
        if footprint.reads.aspects.contains(&Aspect::Locations) {
            let slots = self.shape.processes.iter();
            slots.for_each(|slot| touch.reads.insert(slot.base as usize));
        }
        // Whoever looks at the location of a process that comes or goes asks whether there is such a process.
        if let (true, Who::Process(number)) =
            (footprint.writes.aspects.contains(&Aspect::Locations), who)
        {
            let slot = self.shape.processes[number];
            touch.writes.insert(slot.base as usize);
        }
        touch
    }

    fn parts(&self, parts: &Parts, who: Who) -> Bits {
        let mut bits = Bits::new(self.count());
        insert_cells(&mut bits, &parts.globals, |id| {
            self.layout.globals.offsets[id.index()]
        });
        if let Who::Process(number) = who {
            let slot = self.shape.processes[number];
            let first = |id: LocalId| slot.base + self.offset(slot.template, id);
            insert_cells(&mut bits, &parts.locals, first);
        }
        for slot in &self.shape.processes {
            for ((template, local), cells) in parts.remote.iter() {
                if template == slot.template {
                    let first = slot.base + self.offset(template, local);
                    let cells = cells.intervals().iter().cloned().flatten();
                    cells.for_each(|cell| bits.insert((first + cell) as usize));
                }
            }
        }
        for channel in self.channels(&parts.channels, who).iter() {
            bits.insert(self.head(channel));
            bits.insert(self.tail(channel));
        }
        let aspects = parts.aspects.iter();
        aspects
            .filter_map(|aspect| self.aspect(*aspect))
            .for_each(|object| bits.insert(object));
        if self.may_go(&parts.channels) {
            self.aspect(Aspect::Population)
                .into_iter()
                .for_each(|object| bits.insert(object));
        }
        bits
    }

    fn offset(&self, template: TemplateId, local: LocalId) -> u32 {
        self.layout.templates[template.index()].variables.offsets[local.index()]
    }

    /// The numbers of channels.
    pub fn channels(&self, channels: &Channels, who: Who) -> Bits {
        let mut bits = Bits::new(self.unborn_channels() + 1);
        if channels.any {
            (0..=self.unborn_channels()).for_each(|channel| bits.insert(channel));
            return bits;
        }
        for reference in &channels.references {
            let channel = usize::try_from(*reference - 1).ok();
            let channel = channel.filter(|channel| *channel < self.unborn_channels());
            channel.into_iter().for_each(|channel| bits.insert(channel));
        }
        insert_made(
            &mut bits,
            &channels.globals,
            &self.layout.globals,
            0,
            |id| id.index(),
        );
        match who {
            Who::Process(number) => {
                let template = self.shape.processes[number].template;
                let variables = &self.layout.templates[template.index()].variables;
                let first = self.first_channel_of(number);
                insert_made(&mut bits, &channels.locals, variables, first, |id| {
                    id.index()
                });
            }
            Who::Unborn if !channels.locals.is_empty() => bits.insert(self.unborn_channels()),
            Who::Unborn | Who::Monitor => {}
        }
        bits
    }

    fn first_channel_of(&self, process: usize) -> usize {
        let mut slots = self.shape.channels.iter();
        slots
            .position(|slot| slot.owner == Some(process as u32))
            .unwrap_or(0)
    }

    /// Whether a channel that was given to a process may end with another one.
    pub fn may_go(&self, channels: &Channels) -> bool {
        let owned = |reference: &i64| {
            let slot = usize::try_from(*reference - 1).ok();
            let slot = slot.and_then(|channel| self.shape.channels.get(channel));
            slot.is_some_and(|slot| slot.owner.is_some())
        };
        channels.references.iter().any(owned)
    }

    /// Which processes and channels there are.
    pub fn population(&self) -> Option<usize> {
        self.aspect(Aspect::Population)
    }

    /// Those of some channels that are, or may be, a rendezvous.
    pub fn rendezvous(&self, channels: &Bits) -> Bits {
        let mut found = Bits::default();
        let meets = |channel: &usize| {
            let kinds = &self.layout.kinds;
            match self.shape.channels.get(*channel) {
                Some(slot) => kinds[slot.kind.index()].capacity == 0,
                None => kinds.iter().any(|kind| kind.capacity == 0),
            }
        };
        channels
            .iter()
            .filter(meets)
            .for_each(|channel| found.insert(channel));
        found
    }
}

fn insert_cells<Id: Copy + Ord>(bits: &mut Bits, cells: &Cells<Id>, first: impl Fn(Id) -> u32) {
    for (id, cells) in cells.iter() {
        let first = first(id);
        let cells = cells.intervals().iter().cloned().flatten();
        cells.for_each(|cell| bits.insert((first + cell) as usize));
    }
}

/// Adds the channels that were made for cells of variables; the first of all has the number `first`.
fn insert_made<Id: Copy + Ord>(
    bits: &mut Bits,
    cells: &Cells<Id>,
    variables: &Variables,
    first: usize,
    index: impl Fn(Id) -> usize,
) {
    let is_channel = |initial: &CellInitial| matches!(initial, Some(FirstValue::NewChannel(_)));
    for (id, cells) in cells.iter() {
        let begin = (variables.offsets[index(id)] - variables.start) as usize;
        for cell in cells.intervals().iter().cloned().flatten() {
            let before = &variables.initial[..begin + cell as usize];
            let nth = before
                .iter()
                .filter(|(initial, _)| is_channel(initial))
                .count();
            bits.insert(first + nth);
        }
    }
}
