//! Operations that ask about processes and channels.

use super::{Stepper, Stop, Viewer};
use crate::code::{MISSING, Op, Site};
use mandala_model::step::FaultKind;

impl Stepper<'_> {
    /// Answers a question; the operand and the answer are in the same register.
    pub(super) fn ask(&mut self, op: Op, viewer: Viewer) -> Result<(), Stop> {
        let (to, answer) = match op {
            Op::ProcessCount { to } => (to, self.shape.processes.len() as i64),
            Op::Timeout { to } => (to, i64::from(self.timeout)),
            Op::NonProgress { to } => {
                let progress = (0..self.shape.processes.len()).any(|p| self.location(p).progress);
                (to, i64::from(!progress))
            }
            Op::Accepting { to } => {
                let accepting = (0..self.shape.processes.len()).any(|p| self.location(p).accept);
                (to, i64::from(accepting))
            }
            Op::FirstInstance { to, template } => {
                let mut processes = self.shape.processes.iter();
                let first = processes.position(|slot| slot.template.0 == template);
                (to, first.map_or(-1, |number| number as i64))
            }
            Op::Enabled { to, site } => {
                let enabled = self.ask_enabled(self.register(to), viewer, site)?;
                (to, i64::from(enabled))
            }
            Op::Length { to, site } => {
                let channel = self.channel(self.register(to), site)?;
                (to, self.waiting(channel) as i64)
            }
            Op::IsFull { to, site } => {
                let channel = self.channel(self.register(to), site)?;
                (to, i64::from(self.is_full(channel)))
            }
            Op::Poll { to, patterns, site } => {
                (to, self.poll(self.register(to), patterns, viewer, site)?)
            }
            _ => return self.ask_about(op),
        };
        self.set(to, answer);
        Ok(())
    }

    /// Questions about a process that may not exist.
    fn ask_about(&mut self, op: Op) -> Result<(), Stop> {
        let (to, answer) = match op {
            Op::Frame { to, template, site } => {
                (to, self.frame(self.register(to), template, site)?)
            }
            Op::LocationNumber { to } => {
                let process = self.process(self.register(to));
                (
                    to,
                    process.map_or(0, |p| i64::from(self.location(p).number)),
                )
            }
            Op::Priority { to } => {
                let process = self.process(self.register(to));
                (to, process.map_or(0, |p| self.priority(p)))
            }
            Op::At {
                to,
                template,
                location,
            } => {
                let at = self.process(self.register(to)).is_some_and(|p| {
                    let slot = self.shape.processes[p];
                    let here = self.cells[slot.base as usize];
                    slot.template.0 == template && here == i64::from(location)
                });
                (to, i64::from(at))
            }
            other => unreachable!("{other:?} is run elsewhere"),
        };
        self.set(to, answer);
        Ok(())
    }

    /// Where the frame of a process starts, which must be of that template if there is one.
    fn frame(&mut self, number: i64, template: u32, site: Site) -> Result<i64, Stop> {
        let process = self.process(number);
        match process.map(|p| self.shape.processes[p]) {
            None => Ok(MISSING),
            Some(slot) if slot.template.0 == template => Ok(i64::from(slot.base)),
            Some(_) => self.fail(FaultKind::NoSuchProcess, site),
        }
    }
}
