//! Steps: what an edge, or a choice of a routine, needs and does.

use super::{Compiler, Unsupported, after};
use crate::code::{
    Action, ChannelSource, CompiledChoice, CompiledNode, CompiledRoutine, Entry, Op, ReceiveSite,
    SendSite,
};
use mandala_model::source::Span;
use mandala_model::template::{Keep, SendOrder};
use mandala_resolved::{
    Receipt, ResolvedExpr, ResolvedNode, ResolvedPlace, ResolvedRoutine, ResolvedStep,
};

impl Compiler<'_> {
    /// Compiles a step.
    pub fn action(&mut self, step: &ResolvedStep, span: Span) -> Result<Action, Unsupported> {
        Ok(match step {
            ResolvedStep::Guarded { guard, effects } => Action::Guarded {
                guard: self.guard(guard)?,
                effects: self.effects(effects)?,
            },
            ResolvedStep::Else => Action::Else,
            ResolvedStep::Send {
                channel,
                order,
                message,
            } => Action::Send(self.send(channel, *order, message, span)?),
            ResolvedStep::Receive(receipt) => Action::Receive(self.receive(receipt, span)?),
            ResolvedStep::Exit => Action::Exit,
            ResolvedStep::Routine(routine) => Action::Routine(self.routine(routine)?),
        })
    }

    /// Compiles a condition; nothing if it always holds.
    pub fn guard(&mut self, guard: &ResolvedExpr) -> Result<Option<Entry>, Unsupported> {
        if guard.as_constant().is_some_and(|value| value != 0) {
            return Ok(None);
        }
        let entry = self.here();
        let fails = self.jumps(guard, 0, false)?;
        self.emit(Op::Done);
        self.land(fails);
        self.emit(Op::Reject);
        Ok(Some(entry))
    }

    fn send(
        &mut self,
        channel: &ResolvedExpr,
        order: SendOrder,
        message: &[ResolvedExpr],
        span: Span,
    ) -> Result<SendSite, Unsupported> {
        let channel = self.channel(channel)?;
        let entry = self.here();
        let mut register = 0;
        for field in message {
            self.value(field, register)?;
            register = after(register, span)?;
        }
        self.emit(Op::Done);
        Ok(SendSite {
            channel,
            message: entry,
            arity: message.len() as u32,
            sorted: order == SendOrder::Sorted,
            site: self.site(span),
        })
    }

    /// The channel of a statement.
    pub fn channel(&mut self, channel: &ResolvedExpr) -> Result<ChannelSource, Unsupported> {
        Ok(ChannelSource {
            source: self.source(channel, 0)?,
            site: self.site(channel.span),
        })
    }

    fn receive(&mut self, receipt: &Receipt, span: Span) -> Result<ReceiveSite, Unsupported> {
        Ok(ReceiveSite {
            channel: self.channel(&receipt.channel)?,
            patterns: self.patterns(&receipt.wanted, 0)?,
            bind: self.bind(&receipt.bindings)?,
            remove: receipt.keep == Keep::Remove,
            site: self.site(span),
        })
    }

    /// Code that stores the fields of a message where they are wanted.
    fn bind(&mut self, bindings: &[(u32, ResolvedPlace)]) -> Result<Option<Entry>, Unsupported> {
        let entry = self.here();
        for (index, place) in bindings {
            let index = *index;
            self.emit(Op::Field { to: 0, index });
            self.write(place, 0)?;
        }
        if self.here() == entry {
            return Ok(None);
        }
        self.emit(Op::Done);
        Ok(Some(entry))
    }

    fn routine(&mut self, routine: &ResolvedRoutine) -> Result<u32, Unsupported> {
        let coverage = self.nodes;
        self.nodes += routine.nodes.len() as u32;
        let nodes: Result<Vec<_>, _> = routine.nodes.iter().map(|n| self.node(n)).collect();
        self.routines.push(CompiledRoutine {
            nodes: nodes?,
            coverage,
        });
        Ok(self.routines.len() as u32 - 1)
    }

    fn node(&mut self, node: &ResolvedNode) -> Result<CompiledNode, Unsupported> {
        let mut choices = Vec::new();
        for choice in &node.choices {
            choices.push(CompiledChoice {
                action: self.action(&choice.step, choice.span)?,
                next: choice.next.map(|node| node.0),
                site: self.site(choice.span),
            });
        }
        Ok(CompiledNode {
            choices,
            quiet: node.quiet,
            site: self.site(node.span),
        })
    }
}
