//! Questions about processes and channels. Most have answers that are the same in all states of a shape.

use super::operand::{Bounds, Operand};
use super::translator::{Ended, Translator};
use crate::code::{MISSING, Op, PatternSet, Register, Relation, Source};
use cranelift_codegen::ir::{InstBuilder, Value};
use mandala_model::expr::ReceiveOrder;

/// A process has at most so many locations, or the interpreter is asked for the number of the current one.
const MAX_LOCATIONS: usize = 64;

const EQUAL: Relation = Relation(2);

impl Translator<'_, '_> {
    /// The answer to a question whose operand is in the register.
    pub fn ask(&mut self, op: Op, to: Register, process: u32) -> Result<Operand, Ended> {
        match op {
            Op::FirstInstance { template, .. } => {
                let mut processes = self.plan.real.processes.iter();
                let first = processes.position(|slot| slot.template.0 == template);
                Ok(Operand::Constant(first.map_or(-1, |number| number as i64)))
            }
            Op::Frame { template, .. } => self.frame(to, template),
            Op::At {
                template, location, ..
            } => self.at(to, template, location),
            Op::LocationNumber { .. } => self.location_number(to),
            Op::Priority { .. }
                if self
                    .plan
                    .program
                    .layout
                    .templates
                    .iter()
                    .all(|t| t.priority.is_none()) =>
            {
                let number = self.known_number(to)?;
                Ok(Operand::Constant(
                    self.plan.existing(number).is_some().into(),
                ))
            }
            Op::Length { .. } => {
                let (reference, candidates) = self.channels_in(to)?;
                self.waiting(reference, &candidates)
            }
            Op::IsFull { .. } => self.is_full(to),
            Op::Poll { patterns, .. } => {
                let patterns = &self.plan.program.code.patterns[patterns as usize];
                self.poll(to, patterns, process)
            }
            _ => Err(self.give_up()),
        }
    }

    /// The number in a register, if it is the same in all states.
    fn known_number(&mut self, register: Register) -> Result<i64, Ended> {
        match self.register(register) {
            Operand::Constant(number) => Ok(number),
            Operand::Computed { .. } => Err(self.give_up()),
        }
    }

    fn frame(&mut self, to: Register, template: u32) -> Result<Operand, Ended> {
        let number = self.known_number(to)?;
        let slot = self.plan.existing(number).map(|p| self.plan.process(p));
        match slot {
            None => Ok(Operand::Constant(MISSING)),
            Some(slot) if slot.template.0 == template => Ok(Operand::Constant(slot.base.into())),
            Some(_) => Err(self.redo()),
        }
    }

    fn at(&mut self, to: Register, template: u32, location: u32) -> Result<Operand, Ended> {
        let number = self.known_number(to)?;
        let slot = self.plan.existing(number).map(|p| self.plan.process(p));
        Ok(match slot.filter(|slot| slot.template.0 == template) {
            None => Operand::Constant(0),
            Some(slot) => {
                let here = self.load(slot.base);
                self.comparison(EQUAL, here, Operand::Constant(location.into()))
            }
        })
    }

    fn location_number(&mut self, to: Register) -> Result<Operand, Ended> {
        let number = self.known_number(to)?;
        let Some(process) = self.plan.existing(number) else {
            return Ok(Operand::Constant(0));
        };
        let template = self.plan.template(process);
        let numbers: Vec<i64> = template.locations.iter().map(|l| l.number.into()).collect();
        match self.load(self.plan.process(process).base) {
            Operand::Constant(here) => Ok(Operand::Constant(numbers[here as usize])),
            _ if numbers.len() > MAX_LOCATIONS => Err(self.give_up()),
            Operand::Computed { value, .. } => Ok(self.selected(value, &numbers)),
        }
    }

    /// The number that a value chooses.
    fn selected(&mut self, index: Value, numbers: &[i64]) -> Operand {
        let mut chosen = self.number(numbers[0]);
        for (position, number) in numbers.iter().enumerate().skip(1) {
            let number = self.number(*number);
            let here = self.equals(index, position as i64);
            chosen = self.builder.ins().select(here, number, chosen);
        }
        let hull = |a: Bounds, n: &i64| a.hull(Bounds::new(*n, *n));
        let bounds = numbers
            .iter()
            .fold(Bounds::new(numbers[0], numbers[0]), hull);
        Operand::computed(chosen, bounds)
    }

    /// The channel whose reference is in a register.
    fn channel_in(&mut self, register: Register) -> Result<u32, Ended> {
        let reference = self.known_number(register)?;
        match self.plan.channel(reference) {
            Some(channel) => Ok(channel),
            None => Err(self.redo()),
        }
    }

    /// The reference in a register, where it is one to a channel, and the channels that it can mean.
    fn channels_in(&mut self, register: Register) -> Result<(Operand, Vec<u32>), Ended> {
        let reference = self.register(register);
        let last = self.plan.real.channels.len() as i64;
        if last == 0 {
            return Err(self.redo());
        }
        self.check_range(reference, Bounds::new(1, last))?;
        Ok((reference, self.candidates(reference, last)))
    }

    fn is_full(&mut self, to: Register) -> Result<Operand, Ended> {
        let (reference, candidates) = self.channels_in(to)?;
        let mut capacities = candidates.iter().map(|c| self.plan.kind(*c).capacity);
        let capacity = self.plan.kind(candidates[0]).capacity;
        if capacities.any(|other| other != capacity) {
            return Err(self.give_up());
        }
        if capacity == 0 {
            return Ok(Operand::Constant(0));
        }
        let waiting = self.waiting(reference, &candidates)?;
        Ok(self.comparison(Relation(6), waiting, Operand::Constant(capacity.into())))
    }

    /// The channels that a valid reference can mean.
    fn candidates(&self, reference: Operand, last: i64) -> Vec<u32> {
        let Bounds { low, high } = reference.bounds();
        (low.max(1)..=high.min(last))
            .map(|number| number as u32 - 1)
            .collect()
    }

    /// How many messages wait in the channel that a reference means.
    fn waiting(&mut self, reference: Operand, candidates: &[u32]) -> Result<Operand, Ended> {
        let bases: Vec<u32> = candidates
            .iter()
            .map(|channel| self.plan.slot(*channel).base)
            .collect();
        let Operand::Computed { value, .. } = reference else {
            return Ok(self.load(bases[0]));
        };
        let chosen = match self.plan.stand_ins.is_empty() {
            true => self.selected_base(value, candidates, &bases),
            false => {
                let which = self.builder.ins().iadd_imm(value, -1);
                self.base_of_channel(which)
            }
        };
        let hull = bases
            .iter()
            .map(|base| self.plan.bounds(*base))
            .reduce(Bounds::hull);
        let address = Bounds::new(bases[0].into(), bases[bases.len() - 1].into());
        let waiting = self.load_at(Operand::computed(chosen, address))?;
        let value = self.value(waiting);
        Ok(Operand::computed(value, hull.unwrap_or(Bounds::ANY)))
    }

    /// The first cell of the channel that a reference means.
    fn selected_base(&mut self, reference: Value, candidates: &[u32], bases: &[u32]) -> Value {
        let mut chosen = self.number(bases[0].into());
        for (channel, base) in candidates.iter().zip(bases).skip(1) {
            let here = self.equals(reference, i64::from(*channel) + 1);
            let base = self.number(i64::from(*base));
            chosen = self.builder.ins().select(here, base, chosen);
        }
        chosen
    }

    fn poll(
        &mut self,
        to: Register,
        patterns: &PatternSet,
        process: u32,
    ) -> Result<Operand, Ended> {
        let channel = self.channel_in(to)?;
        let kind = self.plan.kind(channel);
        let plain = patterns
            .matched
            .iter()
            .all(|(_, source)| !matches!(source, Source::Code(..)));
        let looked_at = match patterns.order {
            ReceiveOrder::First => 1,
            ReceiveOrder::AnyMatching => kind.capacity,
        };
        if kind.capacity == 0 || kind.fields.len() != patterns.arity as usize {
            return Err(self.redo());
        }
        if !plain || looked_at > 8 {
            return Err(self.give_up());
        }
        let mut found = Operand::Constant(0);
        for position in (0..looked_at).rev() {
            let fits = self.fits(channel, position, patterns, process)?;
            let (here, otherwise) = (self.number(i64::from(position) + 1), self.value(found));
            let chosen = self.builder.ins().select(fits, here, otherwise);
            found = Operand::computed(chosen, Bounds::new(0, looked_at.into()));
        }
        Ok(found)
    }

    /// Whether there is a message at a position, and fits.
    pub fn fits(
        &mut self,
        channel: u32,
        position: u32,
        patterns: &PatternSet,
        process: u32,
    ) -> Result<Value, Ended> {
        let slot = self.plan.slot(channel);
        let arity = self.plan.kind(channel).fields.len() as u32;
        let waiting = self.load(slot.base);
        let mut fits = self.compared(Relation(4), waiting, Operand::Constant(position.into()));
        for &(field, source) in &patterns.matched {
            let wanted = self.source(source, process)?;
            let found = self.load(slot.base + 1 + position * arity + field);
            let same = self.compared(EQUAL, found, wanted);
            fits = self.builder.ins().band(fits, same);
        }
        Ok(fits)
    }
}
