//! Counting loops: `for` and `select`.
//!
//! Spin makes them of an assignment, which joins the sequence that the loop stands in, and a `do` loop;
//! the elements here come in that order.

use super::actions::increment;
use super::body::Body;
use super::graph::{Jump, Kind, LoopId, Pending};
use super::stmts::close;
use super::{Lowered, Lowering, fail, fail_with};
use crate::ast::{ForRange, Select, Sequence as AstSequence, VarRef};
use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, ReceiveOrder, Root,
};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Keep, SendOrder, Step};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};
use std::ops::RangeInclusive;

/// Up to this difference of its bounds, Spin's lexer turns a `select` between two numbers into an `if`
/// with one option a value; beyond it, into a loop.
const WIDEST_SELECT: i64 = 32;

impl Lowering {
    pub(super) fn for_loop(
        &mut self,
        body: &mut Body,
        var: &VarRef,
        range: &ForRange,
        inner: &AstSequence,
        span: Span,
    ) -> Lowered<Pending> {
        let id = body.graph.new_loop();
        let (from, to, last) = match range {
            ForRange::Range(from, to) => {
                let last = to.to_string();
                ((self.expr(from)?, from.to_string()), self.expr(to)?, last)
            }
            ForRange::In(over) => match self.place(over)? {
                (_, Type::Array { length, .. }) => {
                    let last = i64::from(length) - 1;
                    (
                        (self.number(0, span), "0".into()),
                        self.number(last, span),
                        last.to_string(),
                    )
                }
                (_, Type::Scalar(Scalar::Channel)) => {
                    return self.for_messages(body, id, var, over, inner, span);
                }
                _ => {
                    return fail(
                        over.span,
                        format!("`{}` is neither an array nor a channel", over.root().name),
                    );
                }
            },
        };
        let count = self.counter(var, span)?;
        let within = (
            count.compared(BinaryOp::LessEqual, to),
            format!("{} <= {last}", count.name),
        );
        self.count_from(body, &count, from, within);
        self.loop_body(body, id, inner);
        self.end_loop(body, id, &count, WayOut::WhenDone)
    }

    fn loop_body(&mut self, body: &mut Body, id: LoopId, inner: &AstSequence) {
        body.accepts_initials = false;
        body.loops.push(id);
        self.enter_scope();
        self.statements(body, inner);
        self.leave_scope();
        body.loops.pop();
    }

    fn counter(&mut self, var: &VarRef, span: Span) -> Lowered<Counter> {
        let (place, scalar) = self.cell(var)?;
        if scalar == Scalar::Channel {
            return fail(var.span, "a channel cannot count");
        }
        Ok(Counter {
            place,
            name: var.to_string(),
            span,
        })
    }

    /// The start of a counting loop: the first value, then (in a new sequence) the condition.
    fn count_from(
        &mut self,
        body: &mut Body,
        count: &Counter,
        from: (Expr, String),
        within: (Expr, String),
    ) {
        let span = count.span;
        let start = self.effect(
            Effect::Assign {
                place: count.place.clone(),
                value: from.0,
            },
            span,
        );
        let text = format!("{} = {}", count.name, from.1);
        body.graph
            .add(Pending::new(Kind::Action(Box::new(start)), text, span));
        body.graph.open();
        let step = Step::Guarded {
            guard: within.0,
            effects: Vec::new(),
        };
        body.graph
            .add(Pending::new(Kind::Action(Box::new(step)), within.1, span));
    }

    /// The end of a counting loop: the next value, and the way out.
    fn end_loop(
        &mut self,
        body: &mut Body,
        id: LoopId,
        count: &Counter,
        way_out: WayOut,
    ) -> Lowered<Pending> {
        let span = count.span;
        let step = self.effect(increment(count.place.clone(), BinaryOp::Add, span), span);
        body.graph.add(Pending::new(
            Kind::Action(Box::new(step)),
            format!("{}++", count.name),
            span,
        ));
        let main = close(body, span)?;
        body.graph.open();
        if way_out == WayOut::WhenDone {
            body.graph.add(Pending::new(Kind::Else, "else", span));
        }
        body.graph
            .add(Pending::new(Kind::Goto(Jump::Behind(id)), "break", span));
        let out = close(body, span)?;
        Ok(Pending {
            options: vec![out, main],
            exits: Some(id),
            ..Pending::new(Kind::Choice, "do", span)
        })
    }

    /// `for (m in q)`: takes each message out, puts it back behind the others, and looks at it.
    fn for_messages(
        &mut self,
        body: &mut Body,
        id: LoopId,
        var: &VarRef,
        over: &VarRef,
        inner: &AstSequence,
        span: Span,
    ) -> Lowered<Pending> {
        if !self.in_process() {
            return fail_with(
                span,
                "a loop over the messages of a channel in a claim",
                "such a loop takes each message out and puts it back; a claim only watches",
            );
        }
        let channel = self.channel(over)?;
        let (message, ty) = self.place(var)?;
        if !matches!(ty, Type::Record(_)) {
            return fail(
                var.span,
                "a loop over the messages of a channel needs a variable of the messages' typedef",
            );
        }
        let cells: Vec<Place> = self
            .cells_of(&message, &ty)
            .into_iter()
            .map(|(p, _)| p)
            .collect();
        self.check_arity(&channel, cells.len(), span)?;
        let counter = Variable {
            name: "(messages seen)".into(),
            ty: Type::Scalar(Scalar::unsigned(8)),
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span,
        };
        let template = self
            .frame
            .as_ref()
            .expect("statements are in a body")
            .template;
        let locals = &mut self.model.templates[template.index()].locals;
        locals.push(counter);
        let place = Place::variable(Root::Local((locals.len() - 1).into()), span);
        let (q, m) = (over.to_string(), var.to_string());
        let count = Counter {
            place,
            name: "(messages seen)".into(),
            span,
        };
        let length = Expr::new(
            ExprKind::Channel(ChannelQuery::Length, Box::new(channel.clone())),
            span,
        );
        let within = (
            count.compared(BinaryOp::Less, length),
            format!("{} < len({q})", count.name),
        );
        let zero = (self.number(0, span), "0".into());
        self.count_from(body, &count, zero, within);
        let patterns = cells.iter().cloned().map(Pattern::Bind).collect();
        let receive = Step::Receive {
            channel: channel.clone(),
            order: ReceiveOrder::First,
            keep: Keep::Remove,
            patterns,
        };
        let reads = cells
            .into_iter()
            .map(|c| Expr::new(ExprKind::Read(c), span))
            .collect();
        let send = Step::Send {
            channel,
            order: SendOrder::Last,
            message: reads,
        };
        body.graph.add(Pending::new(
            Kind::Action(Box::new(receive)),
            format!("{q}?{m}"),
            span,
        ));
        body.graph.add(Pending::new(
            Kind::Action(Box::new(send)),
            format!("{q}!{m}"),
            span,
        ));
        self.loop_body(body, id, inner);
        self.end_loop(body, id, &count, WayOut::WhenDone)
    }

    pub(super) fn select(
        &mut self,
        body: &mut Body,
        select: &Select,
        span: Span,
    ) -> Lowered<Pending> {
        let count = self.counter(&select.var, span)?;
        let (from, to) = (self.expr(&select.from)?, self.expr(&select.to)?);
        if let (Some(low), Some(high)) = (from.as_constant(), to.as_constant()) {
            if low > high {
                return fail(
                    span,
                    format!("a `select` from {low} to {high}: the range is empty"),
                );
            }
            if select.textual && high - low <= WIDEST_SELECT {
                return self.select_by_options(body, &count, low..=high);
            }
        }
        let id = body.graph.new_loop();
        let within = format!("{} < {}", count.name, select.to);
        let within = (count.compared(BinaryOp::Less, to), within);
        self.count_from(body, &count, (from, select.from.to_string()), within);
        let mut pending = self.end_loop(body, id, &count, WayOut::AnyTime)?;
        if select.textual {
            // Written out as a loop by the lexer, the way out is the last option.
            pending.options.reverse();
        }
        Ok(pending)
    }

    fn select_by_options(
        &mut self,
        body: &mut Body,
        count: &Counter,
        values: RangeInclusive<i64>,
    ) -> Lowered<Pending> {
        let span = count.span;
        let mut options = Vec::new();
        for value in values {
            body.graph.open();
            let assign = Effect::Assign {
                place: count.place.clone(),
                value: self.number(value, span),
            };
            let step = self.effect(assign, span);
            body.graph.add(Pending::new(
                Kind::Action(Box::new(step)),
                format!("{} = {value}", count.name),
                span,
            ));
            options.push(close(body, span)?);
        }
        Ok(Pending {
            options,
            ..Pending::new(Kind::Choice, "select", span)
        })
    }
}

/// The variable of a counting loop.
struct Counter {
    place: Place,
    name: String,
    span: Span,
}

impl Counter {
    fn compared(&self, op: BinaryOp, with: Expr) -> Expr {
        Expr::binary(
            op,
            Expr::new(ExprKind::Read(self.place.clone()), self.span),
            with,
        )
    }
}

/// When a counting loop may be left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WayOut {
    /// When the condition is false.
    WhenDone,
    /// At any time, as well.
    AnyTime,
}
