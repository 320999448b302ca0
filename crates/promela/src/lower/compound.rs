//! Statements that contain others.

use super::body::Body;
use super::finished::FrameKind;
use super::graph::{Kind, LoopId, Pending, SequenceId};
use super::starts::Start;
use super::stmts::close;
use super::{Lowered, Lowering, fail};
use crate::ast::{InlineCall, Sequence as AstSequence, Stmt};
use mandala_model::source::Span;

impl Lowering {
    pub(super) fn atomic(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        let inner = self.block(body, sequence, Start::Atomic)?;
        body.graph.make_atomic(inner, false);
        Ok(Pending::new(Kind::Atomic(inner), text, span))
    }

    pub(super) fn deterministic(
        &mut self,
        body: &mut Body,
        sequence: &AstSequence,
        span: Span,
    ) -> Lowered<Pending> {
        let inner = self.block(body, sequence, Start::Deterministic)?;
        body.graph.make_atomic(inner, true);
        let kind = match &body.graph.element(body.graph.first(inner)).kind {
            Kind::Action(step) if self.meets(step) => Kind::Meeting(inner),
            _ => Kind::Deterministic(inner),
        };
        Ok(Pending::new(kind, summary(sequence), span))
    }

    pub(super) fn inline(
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
        let inner = self.block(body, &call.body, Start::Inline);
        body.results.pop();
        Ok(Pending::new(Kind::Block(inner?), text, span))
    }

    pub(super) fn choice(
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

    pub(super) fn unless(
        &mut self,
        body: &mut Body,
        main: &Stmt,
        escape: &Stmt,
        text: &str,
        span: Span,
    ) -> Lowered<Pending> {
        let main = self.statement(body, main)?;
        let escape = self.statement(body, escape)?;
        let (Some(main), Some(escape)) = (main, escape) else {
            return fail(span, "a declaration cannot be part of `unless`");
        };
        let escape = as_sequence(body, escape);
        self.check_start(body, escape, Start::Escape);
        // A label before a block names the whole: it goes to a block around `unless`.
        let (inner, wrap): (_, fn(SequenceId) -> Kind) = match main.kind {
            Kind::Block(inner) if !main.labels.is_empty() => (inner, Kind::Block),
            Kind::Atomic(inner) if !main.labels.is_empty() => (inner, Kind::Atomic),
            Kind::Deterministic(inner) | Kind::Meeting(inner) if !main.labels.is_empty() => {
                (inner, Kind::Deterministic)
            }
            _ => {
                let main = as_sequence(body, main);
                self.check_start(body, main, Start::Main);
                return Ok(Pending {
                    options: vec![main, escape],
                    ..Pending::new(Kind::Unless, text, span)
                });
            }
        };
        let labels = main.labels;
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

/// A statement as a sequence: a block without a label as what is in it.
fn as_sequence(body: &mut Body, pending: Pending) -> SequenceId {
    if let (Kind::Block(inner), []) = (&pending.kind, &pending.labels[..]) {
        return *inner;
    }
    body.graph.open();
    body.graph.add(pending);
    body.graph.close().expect("a statement was added")
}
