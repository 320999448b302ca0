//! Steps: what an edge, or a choice of a routine, needs and does.

use super::{Compiler, Unsupported, after};
use crate::code::{
    Action, ChannelSource, CompiledChoice, CompiledNode, CompiledRoutine, Entry, Op, ReceiveSite,
    SendSite,
};
use crate::fold::constant_value;
use mandala_model::expr::{Expr, Pattern, ReceiveOrder};
use mandala_model::function::CALL;
use mandala_model::source::Span;
use mandala_model::template::{Keep, Node, Routine, SendOrder, Step};

impl Compiler<'_> {
    /// Compiles a step.
    pub fn action(&mut self, step: &Step, span: Span) -> Result<Action, Unsupported> {
        Ok(match step {
            Step::Guarded { guard, effects } => Action::Guarded {
                guard: self.guard(guard)?,
                effects: self.effects(effects, span)?,
            },
            Step::Else => Action::Else,
            Step::Send {
                channel,
                order,
                message,
            } => Action::Send(self.send(channel, *order, message, span)?),
            Step::Receive {
                channel,
                order,
                keep,
                patterns,
            } => Action::Receive(self.receive(channel, *order, *keep, patterns, span)?),
            Step::Exit => Action::Exit,
            Step::Routine(routine) => Action::Routine(self.routine(routine)?),
            Step::Call(_) => unreachable!("{CALL}"),
        })
    }

    /// Compiles a condition; nothing if it always holds.
    pub fn guard(&mut self, guard: &Expr) -> Result<Option<Entry>, Unsupported> {
        if constant_value(guard).is_some_and(|value| value != 0) {
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
        channel: &Expr,
        order: SendOrder,
        message: &[Expr],
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
    pub fn channel(&mut self, channel: &Expr) -> Result<ChannelSource, Unsupported> {
        Ok(ChannelSource {
            source: self.source(channel, 0)?,
            site: self.site(channel.span),
        })
    }

    fn receive(
        &mut self,
        channel: &Expr,
        order: ReceiveOrder,
        keep: Keep,
        patterns: &[Pattern],
        span: Span,
    ) -> Result<ReceiveSite, Unsupported> {
        Ok(ReceiveSite {
            channel: self.channel(channel)?,
            patterns: self.patterns(order, patterns, 0)?,
            bind: self.bind(patterns)?,
            remove: keep == Keep::Remove,
            site: self.site(span),
        })
    }

    /// Code that stores the fields of a message where they are wanted.
    fn bind(&mut self, patterns: &[Pattern]) -> Result<Option<Entry>, Unsupported> {
        let entry = self.here();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Bind(place) = pattern {
                let index = field as u32;
                self.emit(Op::Field { to: 0, index });
                self.write(place, 0)?;
            }
        }
        if self.here() == entry {
            return Ok(None);
        }
        self.emit(Op::Done);
        Ok(Some(entry))
    }

    fn routine(&mut self, routine: &Routine) -> Result<u32, Unsupported> {
        let coverage = self.nodes;
        self.nodes += routine.nodes.len() as u32;
        let nodes: Result<Vec<_>, _> = routine.nodes.iter().map(|n| self.node(n)).collect();
        self.routines.push(CompiledRoutine {
            nodes: nodes?,
            coverage,
        });
        Ok(self.routines.len() as u32 - 1)
    }

    fn node(&mut self, node: &Node) -> Result<CompiledNode, Unsupported> {
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
