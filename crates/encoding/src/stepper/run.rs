//! Runs code: one loop over operations.

use super::{Stepper, Stop, Viewer};
use crate::code::{Entry, MISSING, Op, Register, Site, Source, Space};
use mandala_model::expr::ChannelQuery;
use mandala_model::step::{FaultKind, Violation};

/// How many channels there may be at a time.
const MAX_CHANNELS: i64 = 255;

impl Stepper<'_> {
    /// The value of a register.
    #[inline]
    pub(super) fn register(&self, register: Register) -> i64 {
        self.registers.0[register as usize]
    }

    #[inline]
    pub(super) fn set(&mut self, register: Register, value: i64) {
        self.registers.0[register as usize] = value;
    }

    #[inline]
    fn global(&self, cell: u32) -> i64 {
        self.cells[cell as usize]
    }

    #[inline]
    fn local(&self, viewer: Viewer, offset: u32) -> i64 {
        self.cells[(viewer.base + offset) as usize]
    }

    /// The value of a source.
    #[inline]
    pub(super) fn value_of(&mut self, source: Source, viewer: Viewer) -> Result<i64, Stop> {
        match source {
            Source::Const(value) => Ok(value),
            Source::Global(cell) => Ok(self.global(cell)),
            Source::Local(offset) => Ok(self.local(viewer, offset)),
            Source::Code(entry, register) => {
                self.run(entry, viewer)?;
                Ok(self.register(register))
            }
        }
    }

    /// Whether a guard holds.
    #[inline]
    pub(super) fn holds(&mut self, guard: Option<Entry>, viewer: Viewer) -> Result<bool, Stop> {
        match guard {
            Some(entry) => self.run(entry, viewer),
            None => Ok(true),
        }
    }

    /// Runs code from `entry` to its end: false if that is the failure of a guard.
    pub(super) fn run(&mut self, entry: Entry, viewer: Viewer) -> Result<bool, Stop> {
        let ops = self.program.code.ops.as_slice();
        let mut at = entry as usize;
        loop {
            let op = ops[at];
            at += 1;
            match op {
                Op::Const { to, value } => self.set(to, i64::from(value)),
                Op::Global { to, cell } => self.set(to, self.global(cell)),
                Op::Local { to, offset } => self.set(to, self.local(viewer, offset)),
                Op::GlobalElement {
                    to,
                    base,
                    length,
                    site,
                } => {
                    let index = self.element(to, length, site)?;
                    self.set(to, self.cells[base as usize + index]);
                }
                Op::SelfId { to } => self.set(to, i64::from(viewer.process)),
                Op::AddConst { to, value } => {
                    let sum = self.register(to).wrapping_add(i64::from(value));
                    self.set(to, i64::from(sum as i32));
                }
                Op::Add { to } => {
                    let sum = self.register(to).wrapping_add(self.register(to + 1));
                    self.set(to, i64::from(sum as i32));
                }
                Op::Subtract { to } => {
                    let difference = self.register(to).wrapping_sub(self.register(to + 1));
                    self.set(to, i64::from(difference as i32));
                }
                Op::Compare { to, relation } => {
                    let holds = relation.holds(self.register(to), self.register(to + 1));
                    self.set(to, i64::from(holds));
                }
                Op::CompareConst {
                    to,
                    relation,
                    value,
                } => {
                    let holds = relation.holds(self.register(to), i64::from(value));
                    self.set(to, i64::from(holds));
                }
                Op::Jump { target } => at = target as usize,
                Op::JumpIf { to, when, target } => {
                    if (self.register(to) != 0) == when {
                        at = target as usize;
                    }
                }
                Op::JumpCompare {
                    to,
                    relation,
                    target,
                } => {
                    if relation.holds(self.register(to), self.register(to + 1)) {
                        at = target as usize;
                    }
                }
                Op::JumpCompareConst {
                    to,
                    relation,
                    value,
                    target,
                } => {
                    if relation.holds(self.register(to), i64::from(value)) {
                        at = target as usize;
                    }
                }
                Op::JumpGlobalConst {
                    relation,
                    cell,
                    value,
                    target,
                } => {
                    if relation.holds(self.global(cell), i64::from(value)) {
                        at = target as usize;
                    }
                }
                Op::JumpLocalConst {
                    relation,
                    offset,
                    value,
                    target,
                } => {
                    if relation.holds(self.local(viewer, offset), i64::from(value)) {
                        at = target as usize;
                    }
                }
                Op::Reject => return Ok(false),
                Op::Done => return Ok(true),
                Op::SetGlobal { cell, value } => self.write(cell as usize, i64::from(value)),
                Op::SetLocal { offset, value } => {
                    self.write((viewer.base + offset) as usize, i64::from(value));
                }
                Op::StoreGlobal { from, wrap, cell } => {
                    self.write(cell as usize, wrap.apply(self.register(from)));
                }
                Op::StoreLocal { from, wrap, offset } => {
                    let value = wrap.apply(self.register(from));
                    self.write((viewer.base + offset) as usize, value);
                }
                Op::Spawn { from, spawn, site } => self.spawn(spawn, from, site)?,
                _ if is_change(op) => self.change(op, viewer)?,
                _ => self.compute(op, viewer)?,
            }
        }
    }

    /// The rarer operations that change the state.
    fn change(&mut self, op: Op, viewer: Viewer) -> Result<(), Stop> {
        match op {
            Op::IncreaseGlobal { wrap, cell, by } => {
                let sum = self.global(cell).wrapping_add(i64::from(by));
                self.write(cell as usize, wrap.apply(i64::from(sum as i32)));
            }
            Op::IncreaseLocal { wrap, offset, by } => {
                let sum = self.local(viewer, offset).wrapping_add(i64::from(by));
                let cell = (viewer.base + offset) as usize;
                self.write(cell, wrap.apply(i64::from(sum as i32)));
            }
            Op::StoreElement {
                space,
                wrap,
                from,
                array,
                site,
            } => {
                let array = self.program.code.arrays[array as usize];
                let index = self.element(from + 1, array.length, site)?;
                let cell = start_of(space, viewer) + array.base as usize + index;
                self.write(cell, wrap.apply(self.register(from)));
            }
            Op::StoreAt { space, wrap, from } => {
                let cell = start_of(space, viewer) + self.register(from + 1) as usize;
                self.write(cell, wrap.apply(self.register(from)));
            }
            Op::Fail { site } => {
                let span = self.program.code.spans[site as usize];
                self.violations.push(Violation::Assertion { span });
            }
            Op::SetPriority { from, site } => {
                let (process, priority) = (self.register(from), self.register(from + 1));
                self.set_priority(process, priority, site)?;
            }
            other => unreachable!("{other:?} changes nothing"),
        }
        Ok(())
    }

    /// The rarer operations that leave a value in a register, or check one.
    fn compute(&mut self, op: Op, viewer: Viewer) -> Result<(), Stop> {
        match op {
            Op::Wide { to, index } => self.set(to, self.program.code.constants[index as usize]),
            Op::LocalElement {
                to,
                base,
                length,
                site,
            } => {
                let index = self.element(to, length, site)?;
                self.set(to, self.cells[(viewer.base + base) as usize + index]);
            }
            Op::Index {
                to,
                stride,
                length,
                site,
            } => {
                let index = self.element(to + 1, length, site)?;
                self.set(to, self.register(to) + (index * stride as usize) as i64);
            }
            Op::GlobalAt { to } => {
                // What is in a frame that does not exist reads as 0.
                let address = usize::try_from(self.register(to)).ok();
                self.set(to, address.map_or(0, |cell| self.cells[cell]));
            }
            Op::LocalAt { to } => {
                let cell = viewer.base as usize + self.register(to) as usize;
                self.set(to, self.cells[cell]);
            }
            Op::Unary { to, op, site } => self.unary(op, to, site)?,
            Op::Binary { to, op, site } => self.binary(op, to, site)?,
            Op::Query { to, query, site } => {
                let answer = self.query(query, self.register(to), site)?;
                self.set(to, answer);
            }
            Op::Poll { to, patterns, site } => {
                let found = self.poll(self.register(to), patterns, viewer, site)?;
                self.set(to, i64::from(found));
            }
            Op::NewChannel { to, nth, site } => {
                let number = self.channels_before as i64 + i64::from(nth) + 1;
                if number > MAX_CHANNELS {
                    return self.fail(FaultKind::TooManyChannels, site);
                }
                self.set(to, number);
            }
            Op::Field { to, index } => self.set(to, self.message[index as usize]),
            Op::CheckRange { from, range, site } => {
                let (min, max) = self.program.code.ranges[range as usize];
                let value = self.register(from);
                if value < min || value > max {
                    return self.fail(FaultKind::ValueOutOfRange { value }, site);
                }
            }
            Op::CheckPriority { from, site } => self.check_priority(self.register(from), site)?,
            _ => self.ask(op, viewer)?,
        }
        Ok(())
    }

    /// Questions about processes.
    fn ask(&mut self, op: Op, viewer: Viewer) -> Result<(), Stop> {
        match op {
            Op::Frame { to, template, site } => {
                let process = self.process(self.register(to));
                match process.map(|p| self.shape.processes[p]) {
                    None => self.set(to, MISSING),
                    Some(slot) if slot.template.0 == template => self.set(to, i64::from(slot.base)),
                    Some(_) => return self.fail(FaultKind::NoSuchProcess, site),
                }
            }
            Op::CheckFrame { from, site } => {
                if self.register(from + 1) < 0 {
                    return self.fail(FaultKind::NoSuchProcess, site);
                }
            }
            Op::FirstInstance { to, template } => {
                let mut processes = self.shape.processes.iter();
                let first = processes.position(|slot| slot.template.0 == template);
                self.set(to, first.map_or(-1, |number| number as i64));
            }
            Op::ProcessCount { to } => self.set(to, self.shape.processes.len() as i64),
            Op::Timeout { to } => self.set(to, i64::from(self.timeout)),
            Op::NonProgress { to } => {
                let progress = (0..self.shape.processes.len()).any(|p| self.location(p).progress);
                self.set(to, i64::from(!progress));
            }
            Op::Enabled { to, site } => {
                let enabled = self.ask_enabled(self.register(to), viewer, site)?;
                self.set(to, i64::from(enabled));
            }
            Op::LocationNumber { to } => {
                let process = self.process(self.register(to));
                self.set(
                    to,
                    process.map_or(0, |p| i64::from(self.location(p).number)),
                );
            }
            Op::Priority { to } => {
                let process = self.process(self.register(to));
                self.set(to, process.map_or(0, |p| self.priority(p)));
            }
            Op::At {
                to,
                template,
                location,
            } => {
                let at = self.process(self.register(to)).is_some_and(|p| {
                    let slot = self.shape.processes[p];
                    slot.template.0 == template && self.global(slot.base) == i64::from(location)
                });
                self.set(to, i64::from(at));
            }
            other => unreachable!("{other:?} is run elsewhere"),
        }
        Ok(())
    }

    /// The index in a register, if it is one of an array of that length.
    #[inline]
    fn element(&mut self, register: Register, length: u32, site: Site) -> Result<usize, Stop> {
        let index = self.register(register);
        if (index as u64) < u64::from(length) {
            return Ok(index as usize);
        }
        self.fail(FaultKind::IndexOutOfRange { index, length }, site)
    }

    fn query(&mut self, query: ChannelQuery, reference: i64, site: Site) -> Result<i64, Stop> {
        let channel = self.channel(reference, site)?;
        let waiting = self.waiting(channel);
        let full = self.is_full(channel);
        Ok(match query {
            ChannelQuery::Length => waiting as i64,
            ChannelQuery::Empty => i64::from(waiting == 0),
            ChannelQuery::NotEmpty => i64::from(waiting > 0),
            ChannelQuery::Full => i64::from(full),
            ChannelQuery::NotFull => i64::from(!full),
        })
    }
}

fn is_change(op: Op) -> bool {
    matches!(
        op,
        Op::IncreaseGlobal { .. }
            | Op::IncreaseLocal { .. }
            | Op::StoreElement { .. }
            | Op::StoreAt { .. }
            | Op::Fail { .. }
            | Op::SetPriority { .. }
    )
}

/// What addresses in a space are counted from.
fn start_of(space: Space, viewer: Viewer) -> usize {
    match space {
        Space::Global => 0,
        Space::Local => viewer.base as usize,
    }
}
