//! Statements: each becomes an element of the graph of its body.
//!
//! Here is what all statements have in common; statements without parts are in `actions`, those that
//! contain others in `compound`, counting loops in `loops`.

use super::body::Body;
use super::exprs::is_skip;
use super::finished::FrameKind;
use super::graph::{Jump, Kind, Pending, SequenceId};
use super::starts::Start;
use super::{Lowered, Lowering, fail, fail_with};
use crate::ast::{
    Decl, Expr as AstExpr, ExprKind as AstKind, Initializer, Sequence as AstSequence, Stmt,
    StmtKind,
};
use mandala_model::expr::{Expr, Place, Projection, Root};
use mandala_model::source::Span;
use mandala_model::template::Effect;
use mandala_model::types::{Initial, Scalar, Type};

impl Lowering {
    /// The statements of a block in their own scope, as a closed sequence.
    pub(super) fn block(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
        start: Start,
    ) -> Lowered<SequenceId> {
        body.graph.open();
        body.accepts_initials = false;
        self.enter_scope();
        self.statements(body, sequence);
        self.leave_scope();
        let closed = close(body, sequence.span)?;
        self.check_start(body, closed, start);
        Ok(closed)
    }

    /// The statements of an option, which is no scope of its own.
    pub(super) fn option(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
    ) -> Lowered<SequenceId> {
        body.graph.open();
        body.accepts_initials = false;
        self.statements(body, sequence);
        let closed = close(body, sequence.span)?;
        self.check_start(body, closed, Start::Option);
        Ok(closed)
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

    pub(super) fn enter_scope(&mut self) {
        self.frame
            .as_mut()
            .expect("statements are in a body")
            .scopes
            .enter();
    }

    pub(super) fn leave_scope(&mut self) {
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
    pub(super) fn statement(&mut self, body: &mut Body, stmt: &Stmt) -> Lowered<Option<Pending>> {
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
            StmtKind::Expr(e) if is_skip(e) => simple(Kind::Skip),
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
                let inner = self.block(body, sequence, Start::Block)?;
                Pending::new(Kind::Block(inner), text, span)
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

    /// Declared variables are made with the process; behind the first statement, a declaration is
    /// also an assignment of the initial value at that place.
    fn declaration(&mut self, body: &mut Body, decl: &Decl) -> Lowered<()> {
        for var in &decl.vars {
            let mut variable = self.variable_or_stand_in(decl, var);
            // An observer of events does nothing, so it has no use for an assignment either.
            if body.accepts_initials || self.in_events() {
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
        StmtKind::Expr(e) | StmtKind::Assign(_, e) | StmtKind::Return(e) => runs(e),
        _ => false,
    }
}

pub(super) fn close(body: &mut Body, span: Span) -> Lowered<SequenceId> {
    match body.graph.close() {
        Some(id) => Ok(id),
        None => fail_with(
            span,
            "a sequence without a statement",
            "write `skip` where nothing is to be done",
        ),
    }
}

/// The cell that an assignment to a whole variable writes: of an array, the first.
fn first_cell(mut place: Place, ty: &Type) -> Place {
    if let Type::Array { .. } = ty {
        let zero = Expr::constant(0, place.span);
        place.path.push(Projection::Index(zero));
    }
    place
}
