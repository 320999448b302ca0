//! The observer of messages.

use super::{Compiler, Scope, Unsupported};
use crate::code::Source;
use crate::program::{EventEdge, EventKind, EventObserver};
use mandala_model::expr::{Expr, ExprKind, Pattern, Root};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::template::{Edge, EventSense, Role, Step, Template};

impl Compiler<'_> {
    /// Compiles the edges that follow events.
    pub fn observer(&mut self, id: TemplateId) -> Result<EventObserver, Unsupported> {
        self.scope = Scope::Nobody;
        let template = self.model.template(id);
        let mut edges = Vec::new();
        for edge in &template.edges {
            edges.push(self.event_edge(edge)?);
        }
        let locations = (0..template.locations.len()).map(LocationId::from);
        Ok(EventObserver {
            template: id,
            required: template.role == Role::Events(EventSense::Required),
            edges,
            finals: locations.map(|at| is_final(template, at)).collect(),
        })
    }

    fn event_edge(&mut self, edge: &Edge) -> Result<EventEdge, Unsupported> {
        let kind = match &edge.step {
            Step::Guarded { guard, .. } => {
                knows_no_locals(guard)?;
                EventKind::Always {
                    guard: self.guard(&self.resolver().expr(guard))?,
                }
            }
            Step::Send {
                channel, message, ..
            } => {
                knows_no_locals(channel)?;
                let constant = |(field, value): (usize, &Expr)| {
                    Some((field as u32, Source::Const(value.as_constant()?)))
                };
                EventKind::Sent {
                    channel: self.channel(&self.resolver().expr(channel))?,
                    fields: message.iter().enumerate().filter_map(constant).collect(),
                }
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                knows_no_locals(channel)?;
                EventKind::Received {
                    channel: self.channel(&self.resolver().expr(channel))?,
                    fields: self.event_fields(patterns)?,
                }
            }
            Step::Else | Step::Exit | Step::Routine(_) | Step::Call(_) => EventKind::Never,
        };
        Ok(EventEdge {
            kind,
            target: edge.target.0,
        })
    }

    fn event_fields(&mut self, patterns: &[Pattern]) -> Result<Vec<(u32, Source)>, Unsupported> {
        let mut fields = Vec::new();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(value) = pattern {
                knows_no_locals(value)?;
                fields.push((field as u32, self.source(&self.resolver().expr(value), 0)?));
            }
        }
        Ok(fields)
    }
}

/// The state has room for where the observer is, and for nothing else of it.
fn knows_no_locals(expr: &Expr) -> Result<(), Unsupported> {
    let reads_local = |e: &Expr| match &e.kind {
        ExprKind::Read(place) => matches!(place.root, Root::Local(_)),
        _ => false,
    };
    match expr.any(reads_local) {
        true => Err(Unsupported {
            message: "an observer of messages reads a variable of its own".to_string(),
            span: Some(expr.span),
        }),
        false => Ok(()),
    }
}

/// Whether the observer is done there: an end that nothing leads away from.
fn is_final(template: &Template, location: LocationId) -> bool {
    let mut edges = template.edges_from(location);
    template.locations[location.index()].end && edges.all(|(_, e)| matches!(e.step, Step::Exit))
}
