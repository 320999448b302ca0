//! The value of a resolved expression in a state: plain recursion, for comparison with the reference interpreter.

use mandala_model::arithmetic::Calculation;
use mandala_model::expr::ReceiveOrder;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind};
use mandala_model::{Model, State};
use mandala_resolved::{
    Aggregate, Base, ChannelQuestion, ProcessQuestion, ResolvedExpr, ResolvedKind, ResolvedPlace,
    ResolvedQuantified, Wanted,
};

/// A state as a process sees it.
#[derive(Clone, Copy)]
pub(crate) struct Evaluator<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub process: usize,
    pub bound: &'a [i64],
}

type Value = Result<i64, Fault>;

fn fault<T>(kind: FaultKind, span: Span) -> Result<T, Fault> {
    Err(Fault {
        kind,
        span,
        monitors: None,
    })
}

impl Evaluator<'_> {
    pub(crate) fn value(&self, expr: &ResolvedExpr) -> Value {
        match &expr.kind {
            ResolvedKind::Const(value) => Ok(*value),
            ResolvedKind::Read(place) => self.read(place),
            ResolvedKind::Defined(operand) => match self.value(operand)? {
                0 => fault(FaultKind::Undefined, expr.span),
                value => Ok(value),
            },
            ResolvedKind::Calculate(op, operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                self.calculate(*op, left, right, expr.span)
            }
            ResolvedKind::Compare(relation, operands) => {
                let (left, right) = (self.value(&operands[0])?, self.value(&operands[1])?);
                Ok(relation.holds(left, right).into())
            }
            ResolvedKind::Junction(junction) => {
                assert!(junction.parts.len() > 1, "a junction has parts");
                for part in &junction.parts {
                    if (self.value(part)? != 0) == junction.decisive {
                        return Ok(junction.decisive.into());
                    }
                }
                Ok((!junction.decisive).into())
            }
            ResolvedKind::Conditional(parts) => match self.value(&parts[0])? {
                0 => self.value(&parts[2]),
                _ => self.value(&parts[1]),
            },
            ResolvedKind::Quantified(quantified) => self.quantified(quantified, expr.span),
            ResolvedKind::Bound(binder) => Ok(self.bound[binder.index()]),
            ResolvedKind::Channel(question, channel) => self.channel(question, channel),
            _ => self.about_processes(expr),
        }
    }

    fn calculate(&self, op: Calculation, left: i64, right: i64, span: Span) -> Value {
        match self.model.arithmetic.calculate(op, left, right) {
            Ok(value) => Ok(value),
            Err(kind) => fault(kind, span),
        }
    }

    fn about_processes(&self, expr: &ResolvedExpr) -> Value {
        let processes = &self.state.processes;
        let location = |p: &mandala_model::state::ProcessState| {
            &self.model.template(p.template).locations[p.location.index()]
        };
        Ok(match &expr.kind {
            ResolvedKind::SelfId => self.process as i64,
            ResolvedKind::ProcessCount => processes.len() as i64,
            ResolvedKind::FirstInstance(template) => {
                let first = processes.iter().position(|p| p.template == *template);
                first.map_or(-1, |number| number as i64)
            }
            ResolvedKind::NonProgress => i64::from(processes.iter().all(|p| !location(p).progress)),
            ResolvedKind::Process(ProcessQuestion::LocationNumber, process) => {
                let number = self.value(process)?;
                let process = usize::try_from(number).ok().and_then(|p| processes.get(p));
                process.map_or(0, |p| location(p).number.into())
            }
            other => panic!("{other:?} is not made here"),
        })
    }

    pub(crate) fn read(&self, place: &ResolvedPlace) -> Value {
        let cells = match &place.base {
            Base::Global => Some(&self.state.globals),
            Base::Local => Some(&self.state.processes[self.process].locals),
            Base::Remote { template, process } => {
                let number = self.value(process)?;
                let number = usize::try_from(number).ok();
                match number.and_then(|p| self.state.processes.get(p)) {
                    None => None,
                    Some(other) if other.template == *template => Some(&other.locals),
                    Some(_) => return fault(FaultKind::NoSuchProcess, place.span),
                }
            }
            other => panic!("{other:?} is not made here"),
        };
        let mut at = place.offset as usize;
        for index in &place.indices {
            let value = self.value(&index.value)?;
            let length = index.bound;
            match u32::try_from(value).ok().filter(|value| *value < length) {
                Some(value) => at += (value * index.stride) as usize,
                None => {
                    let kind = FaultKind::IndexOutOfRange {
                        index: value,
                        length,
                    };
                    return fault(kind, index.value.span);
                }
            }
        }
        Ok(cells.map_or(0, |cells| cells[at]))
    }

    fn quantified(&self, quantified: &ResolvedQuantified, span: Span) -> Value {
        let mut results = Vec::new();
        for value in quantified.values.iter() {
            let bound = [self.bound, &[value]].concat();
            let inside = Evaluator {
                bound: &bound,
                ..*self
            };
            let result = inside.value(&quantified.body)?;
            results.push(result);
            match quantified.aggregate {
                Aggregate::FirstOf if result != 0 => return Ok(value),
                Aggregate::Exists { stops: true } if result != 0 => return Ok(1),
                _ => {}
            }
        }
        let count = results.iter().filter(|result| **result != 0).count();
        match quantified.aggregate {
            Aggregate::Exists { .. } => Ok((count > 0).into()),
            Aggregate::Count => Ok(count as i64),
            Aggregate::FirstOf => Ok(0),
            Aggregate::Sum => self.sum(&results, span),
        }
    }

    fn sum(&self, terms: &[i64], span: Span) -> Value {
        match terms {
            [only] => Ok(*only),
            _ => {
                let (left, right) = terms.split_at(terms.len().div_ceil(2));
                let (left, right) = (self.sum(left, span)?, self.sum(right, span)?);
                self.calculate(Calculation::Add, left, right, span)
            }
        }
    }

    fn channel(&self, question: &ChannelQuestion, channel: &ResolvedExpr) -> Value {
        let number = self.value(channel)?;
        if number < 1 {
            return fault(FaultKind::NoChannel, channel.span);
        }
        let Some(found) = self.state.channels.get(number as usize - 1) else {
            return fault(FaultKind::ChannelGone, channel.span);
        };
        let waiting = found.messages.len();
        let capacity = self.model.channel_kind(found.kind).capacity as usize;
        match question {
            ChannelQuestion::Length => Ok(waiting as i64),
            ChannelQuestion::IsFull => Ok((waiting == capacity).into()),
            ChannelQuestion::Poll(wanted) => self.poll(wanted, &found.messages, channel.span),
        }
    }

    fn poll(&self, wanted: &Wanted, messages: &[Vec<i64>], span: Span) -> Value {
        let looked_at = match wanted.order {
            ReceiveOrder::First => messages.len().min(1),
            ReceiveOrder::AnyMatching => messages.len(),
        };
        for (position, message) in messages[..looked_at].iter().enumerate() {
            if wanted.arity as usize != message.len() {
                let kind = FaultKind::MessageArity {
                    found: wanted.arity,
                    expected: message.len() as u32,
                };
                return fault(kind, span);
            }
            if self.fits(wanted, message)? {
                return Ok(position as i64 + 1);
            }
        }
        Ok(0)
    }

    fn fits(&self, wanted: &Wanted, message: &[i64]) -> Result<bool, Fault> {
        for (field, value) in &wanted.fields {
            if self.value(value)? != message[*field as usize] {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
