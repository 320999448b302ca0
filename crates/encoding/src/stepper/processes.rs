//! Creation and end of processes.

use super::{Change, SHAPE, Stepper, Stop, Viewer};
use crate::code::{Entry, Register, Site};
use mandala_model::step::FaultKind;

/// How many processes there may be at a time.
const MAX_PROCESSES: usize = 255;

impl Stepper<'_> {
    /// Makes a process with the arguments in the registers from `from` on; leaves its number in `from`.
    pub(super) fn spawn(&mut self, spawn: u32, from: Register) -> Result<(), Stop> {
        let spawn = self.program.code.spawns[spawn as usize];
        let template = &self.program.parts.templates[spawn.template.index()];
        let number = self.shape.processes.len();
        if number >= MAX_PROCESSES {
            return self.fail(FaultKind::TooManyProcesses, spawn.site);
        }
        let program = self.program;
        let grown = self.shapes.child(
            &program.shapes,
            &self.shape,
            spawn.template,
            &program.layout,
        );
        let grown = match grown {
            Ok(shape) => shape,
            Err(oversize) => return self.too_large(oversize),
        };
        self.channels_before = self.shape.channels.len();
        self.log.push(Change {
            cell: SHAPE,
            old: i64::from(self.shape.id),
        });
        self.cells.resize(grown.fields.len(), 0);
        self.shape = grown;
        let viewer = self.viewer(number);
        self.write(viewer.base as usize, i64::from(template.entry));
        if let Some(offset) = program.layout.templates[spawn.template.index()].priority {
            self.write((viewer.base + offset) as usize, i64::from(spawn.priority));
        }
        for (index, (offset, wrap)) in template.parameters.iter().enumerate() {
            let value = wrap.apply(self.register(from + index as Register));
            self.write((viewer.base + offset) as usize, value);
        }
        if let Some(initial) = template.initial {
            self.initialise(initial, viewer, spawn.site)?;
        }
        self.coverage
            .reach_location((template.coverage + template.entry) as usize);
        self.set(from, number as i64);
        Ok(())
    }

    /// Runs the code for what variables hold at first. That there is no room for their channels is
    /// the affair of whoever makes the process.
    fn initialise(&mut self, initial: Entry, viewer: Viewer, site: Site) -> Result<(), Stop> {
        if self.run(initial, viewer).is_ok() {
            return Ok(());
        }
        match self.fault.as_ref().map(|fault| fault.kind) {
            Some(kind @ FaultKind::TooManyChannels) => self.fail(kind, site),
            _ => Err(Stop),
        }
    }

    /// Ends the last process; the channels that came with it go too.
    pub(super) fn exit(&mut self) {
        let shrunk = self.shape_of(self.shape.parent);
        let remaining = shrunk.fields.len();
        for cell in remaining..self.cells.len() {
            self.log.push(Change {
                cell: cell as u32,
                old: self.cells[cell],
            });
        }
        self.log.push(Change {
            cell: SHAPE,
            old: i64::from(self.shape.id),
        });
        self.cells.truncate(remaining);
        self.shape = shrunk;
    }

    /// Gives a process another priority; nothing happens if there is no such process.
    pub(super) fn set_priority(
        &mut self,
        number: i64,
        priority: i64,
        site: Site,
    ) -> Result<(), Stop> {
        let Some(process) = self.process(number) else {
            return Ok(());
        };
        self.check_priority(priority, site)?;
        let slot = self.shape.processes[process];
        let layout = &self.program.layout.templates[slot.template.index()];
        if let Some(offset) = layout.priority {
            let viewer: Viewer = self.viewer(process);
            self.write((viewer.base + offset) as usize, priority);
        }
        Ok(())
    }

    pub(super) fn check_priority(&mut self, value: i64, site: Site) -> Result<(), Stop> {
        match (1..=255).contains(&value) {
            true => Ok(()),
            false => self.fail(FaultKind::BadPriority { value }, site),
        }
    }
}
