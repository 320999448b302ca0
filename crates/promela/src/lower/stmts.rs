//! Statements: each becomes an element of the graph of its body.

use super::body::Body;
use super::exprs::{is_skip, receive_order};
use super::graph::{Jump, Kind, LoopId, Pending, SequenceId};
use super::{FrameKind, Lowered, Lowering, fail, fail_with};
use crate::ast::{
    Decl, Expr as AstExpr, ExprKind as AstKind, ForRange, Initializer, InlineCall, ReceiveOp,
    RunExpr, Select, Sequence as AstSequence, Stmt, StmtKind, VarRef,
};
use mandala_model::expr::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Pattern, Place, ReceiveOrder, Root,
};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Keep, Print, SendOrder, Step};
use mandala_model::types::{ChannelKind, Initial, Scalar, Storage, Type, Variable};
use std::ops::RangeInclusive;

/// Up to this many values, Spin's lexer turns `select` into an `if` with one option a value.
const SELECT_OPTIONS: i64 = 32;

impl Lowering {
    /// The statements of a block in their own scope, as a closed sequence.
    pub(super) fn block(&mut self, body: &mut Body, sequence: &AstSequence) -> Lowered<SequenceId> {
        body.graph.open();
        self.enter_scope();
        self.statements(body, sequence);
        self.leave_scope();
        close(body, sequence.span)
    }

    /// The statements of an option, which is no scope of its own.
    fn option(&mut self, body: &mut Body, sequence: &AstSequence) -> Lowered<SequenceId> {
        body.graph.open();
        body.accepts_initials = false;
        self.statements(body, sequence);
        close(body, sequence.span)
    }

    pub(super) fn statements(&mut self, body: &mut Body, sequence: &AstSequence) {
        for stmt in &sequence.stmts {
            match self.statement(body, stmt) {
                Ok(Some(pending)) => {
                    body.graph.add(pending);
                }
                Ok(None) => {}
                Err(diagnostic) => {
                    self.report(*diagnostic);
                    // Something must stand there, or errors about empty sequences follow.
                    body.graph.add(Pending::new(Kind::Skip, "(1)", stmt.span));
                }
            }
        }
    }

    fn enter_scope(&mut self) {
        self.frame
            .as_mut()
            .expect("statements are in a body")
            .scopes
            .enter();
    }

    fn leave_scope(&mut self) {
        self.frame
            .as_mut()
            .expect("statements are in a body")
            .scopes
            .leave();
    }

    fn scope_path(&self) -> Vec<u32> {
        self.frame
            .as_ref()
            .map(|f| f.scopes.path())
            .unwrap_or_default()
    }

    /// A statement that is ready to join its sequence; `None` if it adds no element by itself.
    fn statement(&mut self, body: &mut Body, stmt: &Stmt) -> Lowered<Option<Pending>> {
        if let StmtKind::Decl(decl) = &stmt.kind {
            self.declaration(body, decl)?;
            return Ok(None);
        }
        if matches!(
            stmt.kind,
            StmtKind::ExclusiveReceive(_) | StmtKind::ExclusiveSend(_)
        ) {
            return self.exclusive(stmt).map(|()| None);
        }
        self.check_observer(stmt)?;
        let pending = self.executable(body, stmt)?;
        body.accepts_initials = false;
        Ok(Some(pending))
    }

    /// `xr` and `xs` say which process uses a channel; only the names are checked here.
    fn exclusive(&mut self, stmt: &Stmt) -> Lowered<()> {
        let (StmtKind::ExclusiveReceive(channels) | StmtKind::ExclusiveSend(channels)) = &stmt.kind
        else {
            return Ok(());
        };
        for channel in channels {
            let (_, ty) = self.place(channel)?;
            let element = match &ty {
                Type::Array { element, .. } => element,
                other => other,
            };
            if *element != Type::Scalar(Scalar::Channel) {
                return fail(
                    channel.span,
                    format!("`{}` is not a channel", channel.root().name),
                );
            }
        }
        Ok(())
    }

    /// A `trace` speaks about sends and receives only; a claim must not take part in the system.
    fn check_observer(&self, stmt: &Stmt) -> Lowered<()> {
        match self.frame.as_ref().map(|f| f.kind) {
            Some(FrameKind::Events) if !is_event(&stmt.kind) => fail_with(
                stmt.span,
                "not an event",
                "a `trace` or `notrace` is made of sends and receives, `if`, `do`, `break` and `goto`",
            ),
            Some(FrameKind::Claim) if takes_part(&stmt.kind) => fail_with(
                stmt.span,
                format!("`{stmt}` in a claim"),
                "a claim only watches: use conditions and assertions",
            ),
            _ => Ok(()),
        }
    }

    fn executable(&mut self, body: &mut Body, stmt: &Stmt) -> Lowered<Pending> {
        let span = stmt.span;
        let text = stmt.to_string();
        let simple = |kind| Pending::new(kind, text.clone(), span);
        Ok(match &stmt.kind {
            StmtKind::Labelled(label, inner) => {
                let mut pending = match self.statement(body, inner)? {
                    Some(pending) => pending,
                    None => {
                        return fail(
                            label.span,
                            format!("the label `{}` stands before a declaration", label.name),
                        );
                    }
                };
                pending
                    .labels
                    .push((label.name.to_string(), self.scope_path(), label.span));
                pending
            }
            StmtKind::Expr(e) if is_skip(e) => Pending::new(Kind::Skip, "(1)", span),
            StmtKind::Else => simple(Kind::Else),
            StmtKind::Break => match body.loops.last() {
                Some(&id) => simple(Kind::Goto(Jump::Behind(id))),
                None => return fail(span, "`break` outside a loop"),
            },
            StmtKind::Goto(label) => {
                body.jumps.push(label.clone());
                simple(Kind::Goto(Jump::Label {
                    name: label.name.to_string(),
                    scope: self.scope_path(),
                }))
            }
            StmtKind::Atomic(sequence) => self.atomic(body, sequence, &text, span)?,
            StmtKind::DStep(sequence) => self.deterministic(body, sequence, span)?,
            StmtKind::Block(sequence) => {
                Pending::new(Kind::Block(self.block(body, sequence)?), text, span)
            }
            StmtKind::InlineCall(call) => self.inline(body, call, &text, span)?,
            StmtKind::If(options) => self.choice(body, options, None, &text, span)?,
            StmtKind::Do(options) => {
                let id = body.graph.new_loop();
                self.choice(body, options, Some(id), &text, span)?
            }
            StmtKind::For(var, range, inner) => self.for_loop(body, var, range, inner, span)?,
            StmtKind::Select(select) => self.select(body, select, span)?,
            StmtKind::Unless(main, escape) => self.unless(body, main, escape, &text, span)?,
            _ => Pending::new(Kind::Action(Box::new(self.action(body, stmt)?)), text, span),
        })
    }

    /// A statement without parts.
    fn action(&mut self, body: &mut Body, stmt: &Stmt) -> Lowered<Step> {
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
                let message = self.values(&send.args)?;
                let order = if send.sorted {
                    SendOrder::Sorted
                } else {
                    SendOrder::Last
                };
                self.check_arity(&channel, message.len(), span)?;
                Step::Send {
                    channel,
                    order,
                    message,
                }
            }
            StmtKind::Receive(receive) => {
                let channel = self.channel(&receive.channel)?;
                let patterns = self.patterns(&receive.args)?;
                let keep = match receive.op {
                    ReceiveOp::Fifo | ReceiveOp::Random => Keep::Remove,
                    ReceiveOp::FifoKeep | ReceiveOp::RandomKeep => Keep::Stay,
                };
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

    fn effect(&self, effect: Effect, span: Span) -> Step {
        Step::Guarded {
            guard: self.number(1, span),
            effects: vec![effect],
        }
    }

    fn assign(&mut self, var: &VarRef, value: &AstExpr, span: Span) -> Lowered<Step> {
        let (place, scalar) = self.target(var)?;
        if let AstKind::Run(run) = &value.kind {
            return self.run(run, Some(place), span);
        }
        let value = self.expr(value)?;
        self.check_channel_value(scalar, &value)?;
        Ok(self.effect(Effect::Assign { place, value }, span))
    }

    /// A cell that may be assigned to.
    fn target(&mut self, var: &VarRef) -> Lowered<(Place, Scalar)> {
        if let Some(name) = var.as_plain_name() {
            match &*name.name {
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

    /// Channels are names: a number other than 0 is not one.
    fn check_channel_value(&self, scalar: Scalar, value: &Expr) -> Lowered<()> {
        match (scalar, &value.kind) {
            (Scalar::Channel, ExprKind::Binary(..) | ExprKind::Unary(..)) => {
                fail(value.span, "arithmetic on channels")
            }
            _ => Ok(()),
        }
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

    /// The number of fields, where the channel is known by its declaration.
    fn check_arity(&mut self, channel: &Expr, found: usize, span: Span) -> Lowered<()> {
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

    fn fields_of(&self, channel: &Expr) -> Option<usize> {
        self.declared_kind(channel).map(|kind| kind.fields.len())
    }

    /// True for a receive from a channel that is declared as a rendezvous.
    fn meets(&self, step: &Step) -> bool {
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

    fn atomic(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        let inner = self.block(body, sequence)?;
        body.graph.make_atomic(inner, false);
        Ok(Pending::new(Kind::Atomic(inner), text, span))
    }

    fn deterministic(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
        span: Span,
    ) -> Lowered<Pending> {
        let inner = self.block(body, sequence)?;
        body.graph.make_atomic(inner, true);
        let kind = match &body.graph.element(body.graph.first(inner)).kind {
            Kind::Action(step) if self.meets(step) => Kind::Meeting(inner),
            _ => Kind::Deterministic(inner),
        };
        Ok(Pending::new(kind, summary(sequence), span))
    }

    fn inline(
        &mut self,
        body: &mut Body,
        call: &InlineCall,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        body.accepts_initials = false;
        let result = call
            .result
            .clone()
            .or_else(|| body.results.last().cloned().flatten());
        body.results.push(result);
        let inner = self.block(body, &call.body);
        body.results.pop();
        Ok(Pending::new(Kind::Block(inner?), text, span))
    }

    fn choice(
        &mut self,
        body: &mut Body,
        options: &[AstSequence],
        exits: Option<LoopId>,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        body.loops.extend(exits);
        let lowered: Vec<Lowered<SequenceId>> =
            options.iter().map(|o| self.option(body, o)).collect();
        if exits.is_some() {
            body.loops.pop();
        }
        let sequences = lowered.into_iter().collect::<Lowered<Vec<_>>>()?;
        if sequences.is_empty() {
            return fail(span, "a selection without options");
        }
        let otherwise =
            |&&s: &&SequenceId| body.graph.element(body.graph.first(s)).kind == Kind::Else;
        if sequences.iter().filter(otherwise).count() > 1 {
            return fail(span, "a selection has two `else` options");
        }
        if !self
            .frame
            .as_ref()
            .is_some_and(|f| f.kind == FrameKind::Claim)
        {
            sequences.iter().for_each(|&s| body.graph.prune_skips(s));
        }
        Ok(Pending {
            options: sequences,
            exits,
            ..Pending::new(Kind::Choice, text, span)
        })
    }

    fn unless(
        &mut self,
        body: &mut Body,
        main: &Stmt,
        escape: &Stmt,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        let main = self.statement(body, main)?;
        let escape = self.statement(body, escape)?;
        let (Some(mut main), Some(escape)) = (main, escape) else {
            return fail(span, "a declaration cannot be part of `unless`");
        };
        let labels = std::mem::take(&mut main.labels);
        let escape = as_sequence(body, escape);
        if labels.is_empty() {
            let options = vec![as_sequence(body, main), escape];
            return Ok(Pending {
                options,
                ..Pending::new(Kind::Unless, text, span)
            });
        }
        // A label before a block names the whole: the label goes to a block around `unless`.
        let (inner, wrap): (_, fn(SequenceId) -> Kind) = match main.kind {
            Kind::Block(inner) => (inner, Kind::Block),
            Kind::Atomic(inner) => (inner, Kind::Atomic),
            Kind::Deterministic(inner) => (inner, Kind::Deterministic),
            _ => (as_sequence(body, main), Kind::Block),
        };
        body.graph.open();
        body.graph.add(Pending {
            options: vec![inner, escape],
            ..Pending::new(Kind::Unless, text, span)
        });
        let whole = close(body, span)?;
        Ok(Pending {
            labels,
            ..Pending::new(wrap(whole), text, span)
        })
    }

    /// Declared variables are made with the process; behind the first statement, a declaration is
    /// also an assignment of the initial value at that place.
    fn declaration(&mut self, body: &mut Body, decl: &Decl) -> Lowered<()> {
        for var in &decl.vars {
            let mut variable = self.variable_or_stand_in(decl, var);
            if body.accepts_initials {
                self.declare_local(variable);
                continue;
            }
            if let Some(Initializer::Channel(_)) = var.init {
                self.declare_local(variable);
                return fail_with(
                    var.span,
                    "a channel is made after the first statement",
                    "move the declaration to the start of the process",
                );
            }
            let initial = std::mem::replace(&mut variable.initial, Initial::Default);
            if let Initial::List(_) = initial {
                return fail_with(
                    var.span,
                    "an array list initialises after the first statement",
                    "move the declaration to the start of the process",
                );
            }
            let (ty, span) = (variable.ty.clone(), var.span);
            let id = self.declare_local(variable);
            let place = first_cell(Place::variable(Root::Local(id), span), &ty);
            let value = match initial {
                Initial::Fill(value) => value,
                _ => self.number(0, span),
            };
            let text = format!(
                "{} = {}",
                var.name.name,
                match &var.init {
                    Some(Initializer::Expr(e)) => e.to_string(),
                    _ => "0".into(),
                }
            );
            let step = match &ty {
                Type::Record(_) => super::automaton::always(span),
                Type::Array { element, .. } if matches!(**element, Type::Record(_)) => {
                    super::automaton::always(span)
                }
                _ => self.effect(Effect::Assign { place, value }, span),
            };
            body.graph
                .add(Pending::new(Kind::Action(Box::new(step)), text, span));
        }
        Ok(())
    }

    fn for_loop(
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

    fn select(&mut self, body: &mut Body, select: &Select, span: Span) -> Lowered<Pending> {
        let count = self.counter(&select.var, span)?;
        let (from, to) = (self.expr(&select.from)?, self.expr(&select.to)?);
        if let (Some(low), Some(high)) = (from.as_constant(), to.as_constant()) {
            if low > high {
                return fail(
                    span,
                    format!("a `select` from {low} to {high}: the range is empty"),
                );
            }
            if select.textual && high - low < SELECT_OPTIONS {
                return self.select_by_options(body, &count, low..=high);
            }
        }
        let id = body.graph.new_loop();
        let within = format!("{} < {}", count.name, select.to);
        let within = (count.compared(BinaryOp::Less, to), within);
        self.count_from(body, &count, (from, select.from.to_string()), within);
        self.end_loop(body, id, &count, WayOut::AnyTime)
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

fn is_event(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Send(_)
            | StmtKind::Receive(_)
            | StmtKind::Labelled(..)
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Error
    )
}

fn takes_part(kind: &StmtKind) -> bool {
    let runs = |e: &AstExpr| matches!(e.kind, AstKind::Run(_));
    match kind {
        StmtKind::Send(_) | StmtKind::Receive(_) | StmtKind::SetPriority(..) => true,
        StmtKind::Expr(e) | StmtKind::Assign(_, e) => runs(e),
        _ => false,
    }
}

/// A `d_step` as one line: its statements as far as they fit, since a trace shows it as one step.
fn summary(sequence: &AstSequence) -> String {
    const WIDTH: usize = 60;
    let mut text = String::from("d_step {");
    for (i, stmt) in sequence.stmts.iter().enumerate() {
        let part = stmt.to_string();
        if text.len() + part.len() > WIDTH && i > 0 {
            text.push_str("; ..");
            break;
        }
        text.push_str(if i == 0 { " " } else { "; " });
        text.push_str(&part);
    }
    text + " }"
}

/// `3 arguments`, `1 argument`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn close(body: &mut Body, span: Span) -> Lowered<SequenceId> {
    match body.graph.close() {
        Some(id) => Ok(id),
        None => fail_with(
            span,
            "a sequence without a statement",
            "write `skip` where nothing is to be done",
        ),
    }
}

/// A statement as a sequence: a block as what is in it.
fn as_sequence(body: &mut Body, pending: Pending) -> SequenceId {
    if let Kind::Block(inner) = pending.kind {
        return inner;
    }
    body.graph.open();
    body.graph.add(pending);
    body.graph.close().expect("a statement was added")
}

fn increment(place: Place, op: BinaryOp, span: Span) -> Effect {
    let value = Expr::binary(
        op,
        Expr::new(ExprKind::Read(place.clone()), span),
        Expr::constant(1, span),
    );
    Effect::Assign { place, value }
}

/// The cell that an assignment to a whole variable writes: of an array, the first.
fn first_cell(mut place: Place, ty: &Type) -> Place {
    if let Type::Array { .. } = ty {
        let zero = Expr::constant(0, place.span);
        place
            .path
            .push(mandala_model::expr::Projection::Index(zero));
    }
    place
}
