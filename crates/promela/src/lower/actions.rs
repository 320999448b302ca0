//! Statements without parts: what they wait for and what they do.

use super::body::Body;
use super::exprs::receive_order;
use super::{Lowered, Lowering, fail};
use crate::ast::{
    Expr as AstExpr, ExprKind as AstKind, ReceiveOp, RunExpr, Stmt, StmtKind, VarRef,
};
use mandala_model::Diagnostic;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Root};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Keep, Print, SendOrder, Step};
use mandala_model::types::{ChannelKind, Initial, Scalar};

impl Lowering {
    /// A statement without parts.
    pub(super) fn action(&mut self, body: &mut Body, stmt: &Stmt) -> Lowered<Step> {
        let span = stmt.span;
        Ok(match &stmt.kind {
            StmtKind::Assign(var, value) => self.assign(var, value, span)?,
            StmtKind::Increment(var) => self.step_by(var, BinaryOp::Add, span)?,
            StmtKind::Decrement(var) => self.step_by(var, BinaryOp::Subtract, span)?,
            StmtKind::Return(value) => match body.results.last().cloned().flatten() {
                Some(result) => self.assign(&result, value, span)?,
                None => return fail(span, "`return` outside an inline whose result is used"),
            },
            StmtKind::Send(send) => {
                let channel = self.channel(&send.channel)?;
                let mut message = self.values(&send.args)?;
                let order = if send.sorted {
                    SendOrder::Sorted
                } else {
                    SendOrder::Last
                };
                let open = self.open_fields(&channel, message.len());
                message.extend((0..open).map(|_| self.any_value(span)));
                self.check_arity(&channel, message.len(), span)?;
                Step::Send {
                    channel,
                    order,
                    message,
                }
            }
            StmtKind::Receive(receive) => {
                let channel = self.channel(&receive.channel)?;
                let mut patterns = self.patterns(&receive.args)?;
                let keep = match receive.op {
                    ReceiveOp::Fifo | ReceiveOp::Random => Keep::Remove,
                    ReceiveOp::FifoKeep | ReceiveOp::RandomKeep => Keep::Stay,
                };
                // A copy may leave out the last fields of the message, as may an event.
                let open = match keep {
                    Keep::Stay => self
                        .fields_of(&channel)
                        .unwrap_or(0)
                        .saturating_sub(patterns.len()),
                    Keep::Remove => self.open_fields(&channel, patterns.len()),
                };
                patterns.extend((0..open).map(|_| Pattern::Ignore));
                self.check_arity(&channel, patterns.len(), span)?;
                Step::Receive {
                    channel,
                    order: receive_order(receive.op),
                    keep,
                    patterns,
                }
            }
            StmtKind::Expr(AstExpr {
                kind: AstKind::Run(run),
                ..
            }) => self.run(run, None, span)?,
            StmtKind::Expr(e) => Step::Guarded {
                guard: self.expr(e)?,
                effects: Vec::new(),
            },
            StmtKind::Assert(e) => {
                let condition = self.expr(e)?;
                self.effect(Effect::Assert { condition }, span)
            }
            StmtKind::Printf(format, args) => {
                let arguments = args.iter().map(|a| self.expr(a)).collect::<Lowered<_>>()?;
                let text = Print::Format {
                    format: format.to_string(),
                    arguments,
                };
                self.effect(Effect::Print { text }, span)
            }
            StmtKind::Printm(e) => {
                let text = Print::Name(self.expr(e)?);
                self.effect(Effect::Print { text }, span)
            }
            StmtKind::SetPriority(process, priority) => {
                self.model.prioritised = true;
                let (process, priority) = (self.expr(process)?, self.expr(priority)?);
                self.effect(Effect::SetPriority { process, priority }, span)
            }
            _ => super::automaton::always(span),
        })
    }

    pub(super) fn effect(&self, effect: Effect, span: Span) -> Step {
        Step::Guarded {
            guard: self.number(1, span),
            effects: vec![effect],
        }
    }

    pub(super) fn assign(&mut self, var: &VarRef, value: &AstExpr, span: Span) -> Lowered<Step> {
        let (place, scalar) = self.target(var)?;
        if let AstKind::Run(run) = &value.kind {
            return self.run(run, Some(place), span);
        }
        self.spawns = Some(Vec::new());
        let lowered = self.expr(value);
        let mut effects = self.spawns.take().unwrap_or_default();
        let value = lowered?;
        self.check_channel_value(scalar, &value)?;
        effects.push(Effect::Assign { place, value });
        let guard = self.number(1, span);
        Ok(Step::Guarded { guard, effects })
    }

    /// `run P()` as a part of the value of an assignment: the process is made first, and its number
    /// waits in a variable that is forgotten after the step.
    pub(super) fn run_inside(&mut self, run: &RunExpr, span: Span) -> Lowered<ExprKind> {
        let number = Place::variable(Root::Global(self.new_process_number(span)), span);
        let Step::Guarded { effects, .. } = self.run(run, Some(number.clone()), span)? else {
            return fail(span, "`run` makes no process here");
        };
        match &mut self.spawns {
            Some(spawns) if spawns.is_empty() => spawns.extend(effects),
            Some(_) => return fail(span, "a second `run` in one assignment"),
            None => {}
        }
        Ok(ExprKind::Read(number))
    }

    /// A cell that may be assigned to.
    fn target(&mut self, var: &VarRef) -> Lowered<(Place, Scalar)> {
        if let Some(name) = var.as_plain_name() {
            match &*name.name {
                "_priority" if !self.in_process() => {
                    return fail(var.span, "`_priority` has a meaning only inside a process");
                }
                "_priority" => {
                    self.model.prioritised = true;
                    return Ok((
                        Place::variable(Root::OwnPriority, var.span),
                        Scalar::unsigned(8),
                    ));
                }
                "_pid" | "_last" | "_nr_pr" | "np_" => {
                    return fail(var.span, format!("`{}` cannot be assigned to", name.name));
                }
                _ => {}
            }
        }
        self.cell(var)
    }

    /// Channels are names. The number 0 means that there is none; any other may name a channel by
    /// chance only.
    fn check_channel_value(&mut self, scalar: Scalar, value: &Expr) -> Lowered<()> {
        match (scalar, &value.kind) {
            (Scalar::Channel, ExprKind::Binary(..) | ExprKind::Unary(..)) => {
                return fail(value.span, "arithmetic on channels");
            }
            (Scalar::Channel, ExprKind::Const(number)) if *number != 0 => {
                let message = format!("the number {number} is no channel");
                let help = "channels are made by `chan c = [1] of { .. }`; 0 is no channel";
                self.report(Diagnostic::warning(value.span, message).with_help(help));
            }
            _ => {}
        }
        Ok(())
    }

    fn step_by(&mut self, var: &VarRef, op: BinaryOp, span: Span) -> Lowered<Step> {
        let (place, scalar) = self.target(var)?;
        if scalar == Scalar::Channel {
            return fail(span, "arithmetic on channels");
        }
        Ok(self.effect(increment(place, op, span), span))
    }

    fn run(&mut self, run: &RunExpr, result: Option<Place>, span: Span) -> Lowered<Step> {
        let template = self.template_named(&run.process)?;
        let arguments = self.values(&run.args)?;
        let declared = self.model.template(template);
        let parameters = &declared.locals[..declared.parameters as usize];
        let wanted: usize = parameters.iter().map(|p| self.model.cells(&p.ty)).sum();
        if arguments.len() != wanted {
            let message = format!(
                "`{}` takes {} but is given {}",
                run.process.name,
                count(wanted, "argument"),
                arguments.len()
            );
            return fail(span, message);
        }
        let priority = self.priority(run.priority)?;
        Ok(self.effect(
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            },
            span,
        ))
    }

    /// How many fields of a message an event of a `trace` leaves out: they may hold anything.
    fn open_fields(&self, channel: &Expr, given: usize) -> usize {
        if !self.in_events() {
            return 0;
        }
        let fields = self.fields_of(channel).unwrap_or(given);
        fields.saturating_sub(given)
    }

    /// A field of an event that may hold anything.
    fn any_value(&mut self, span: Span) -> Expr {
        let scratch = Root::Global(self.scratch(span));
        Expr::new(ExprKind::Read(Place::variable(scratch, span)), span)
    }

    /// The number of fields, where the channel is known by its declaration.
    pub(super) fn check_arity(&mut self, channel: &Expr, found: usize, span: Span) -> Lowered<()> {
        let Some(expected) = self.fields_of(channel) else {
            return Ok(());
        };
        if found == expected {
            return Ok(());
        }
        fail(
            span,
            format!(
                "a message of {} for a channel of {expected}",
                count(found, "field")
            ),
        )
    }

    pub(super) fn fields_of(&self, channel: &Expr) -> Option<usize> {
        self.declared_kind(channel).map(|kind| kind.fields.len())
    }

    /// True for a receive from a channel that is declared as a rendezvous.
    pub(super) fn meets(&self, step: &Step) -> bool {
        matches!(step, Step::Receive { channel, .. }
            if self.declared_kind(channel).is_some_and(|kind| kind.capacity == 0))
    }

    /// The kind of channel that a variable is declared to hold.
    fn declared_kind(&self, channel: &Expr) -> Option<&ChannelKind> {
        let ExprKind::Read(place) = &channel.kind else {
            return None;
        };
        let variable = match &place.root {
            Root::Global(id) => self.model.global(*id),
            Root::Local(id) => {
                &self.model.template(self.frame.as_ref()?.template).locals[id.index()]
            }
            _ => return None,
        };
        match variable.initial {
            Initial::NewChannel(kind) => Some(self.model.channel_kind(kind)),
            _ => None,
        }
    }
}

/// `3 arguments`, `1 argument`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

pub(super) fn increment(place: Place, op: BinaryOp, span: Span) -> Effect {
    let value = Expr::binary(
        op,
        Expr::new(ExprKind::Read(place.clone()), span),
        Expr::constant(1, span),
    );
    Effect::Assign { place, value }
}
