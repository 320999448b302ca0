//! Runs code: one loop over operations.

use super::{Stepper, Stop, Viewer};
use crate::code::{Entry, Op, Register, Site, Source, Space};
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
                Op::Copy { to, from } => self.set(to, self.register(from)),
                Op::Each { to, row } => {
                    let first_value = self.program.code.loops[row as usize].values.get(0);
                    self.set(to, first_value);
                    self.set(to + 1, 0);
                    self.set(to + 2, 0);
                }
                Op::Next { to, row } => {
                    if self.has_next(to, row) {
                        at = self.program.code.loops[row as usize].begin as usize + 1;
                    }
                }
                Op::Spawn { from, spawn } => self.spawn(spawn, from)?,
                _ if is_change(op) => self.change(op, viewer)?,
                _ => self.compute(op, viewer)?,
            }
        }
    }

    /// Goes on to the next value of a loop, if there is one.
    #[inline]
    fn has_next(&mut self, to: Register, row: u32) -> bool {
        let each = &self.program.code.loops[row as usize];
        let position = self.register(to + 1) as u64 + 1;
        if position == each.count {
            return false;
        }
        let value = each.values.get(position);
        self.set(to + 1, position as i64);
        self.set(to, value);
        true
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
            Op::Halt { site } => {
                let span = self.program.code.spans[site as usize];
                self.violations.push(Violation::Failed {
                    span,
                    property: None,
                });
                self.progress.leave();
                return Err(Stop);
            }
            Op::Abandon => {
                self.abandoned = true;
                return Err(Stop);
            }
            Op::SetPriority { from, site } => {
                let (process, priority) = (self.register(from), self.register(from + 1));
                self.set_priority(process, priority, site)?;
            }
            other => unreachable!("{other:?} changes nothing"),
        }
        Ok(())
    }

    /// The rarer operations that leave a value in a register.
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
            Op::Defined { to, site } => self.defined(to, site)?,
            Op::Calculate { to, op, site } => self.calculate(op, to, site)?,
            Op::NewChannel { to, nth, site } => {
                let number = self.channels_before as i64 + i64::from(nth) + 1;
                if number > MAX_CHANNELS {
                    return self.fail(FaultKind::TooManyChannels, site);
                }
                self.set(to, number);
            }
            Op::Field { to, index } => self.set(to, self.message[index as usize]),
            Op::CheckRange { .. } | Op::CheckPriority { .. } | Op::CheckFrame { .. } => {
                self.check(op)?
            }
            _ => self.ask(op, viewer)?,
        }
        Ok(())
    }

    /// Checks of a value before it is stored.
    fn check(&mut self, op: Op) -> Result<(), Stop> {
        match op {
            Op::CheckRange { from, range, site } => {
                let (min, max) = self.program.code.ranges[range as usize];
                let value = self.register(from);
                if value < min || value > max {
                    return self.fail(FaultKind::ValueOutOfRange { value }, site);
                }
            }
            Op::CheckPriority { from, site } => self.check_priority(self.register(from), site)?,
            Op::CheckFrame { from, site } => {
                if self.register(from + 1) < 0 {
                    return self.fail(FaultKind::NoSuchProcess, site);
                }
            }
            other => unreachable!("{other:?} is no check"),
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
}

fn is_change(op: Op) -> bool {
    matches!(
        op,
        Op::IncreaseGlobal { .. }
            | Op::IncreaseLocal { .. }
            | Op::StoreElement { .. }
            | Op::StoreAt { .. }
            | Op::Fail { .. }
            | Op::Halt { .. }
            | Op::Abandon
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
