//! Sends in the middle of atomic sequences that never wait.
//!
//! In `atomic { nfull(c) -> c ! m; .. }` there is room when the send comes, because nobody else moves in between.
//! A send through a buffered channel leaves control where it is, so what comes after it is not seen either.

use crate::lasting::Lasting;
use crate::locations::asks_where;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, ChannelQuery, Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::LocationId;
use mandala_model::template::{Control, Edge, Effect, Entering, Step, Template};
use mandala_model::types::Initial;
use std::collections::BTreeSet;

/// How far back a promise of room may lie.
const LONGEST_PROMISE: u32 = 16;

/// Looks at the sends of a template.
pub(crate) struct Sends<'a> {
    pub model: &'a Model,
    pub lasting: &'a Lasting,
    pub template: &'a Template,
    pub entering: Entering<'a>,
}

impl Sends<'_> {
    /// Every edge that leads there keeps control. Of sends only those count that go through a buffer: at a
    /// rendezvous it is the receiver that goes on.
    pub fn entered_in_control(&self, location: LocationId) -> bool {
        self.entering.at(location).iter().all(|e| {
            let steady = match &e.step {
                Step::Send { channel, .. } => self.is_buffered(channel),
                Step::Exit => false,
                _ => true,
            };
            steady && e.control == Control::Hold
        })
    }

    /// The only edge is a send, and there is room for it whenever a process gets there. Those who are at one of the
    /// `passing` locations go on at once.
    pub fn has_room(&self, location: LocationId, passing: &BTreeSet<LocationId>) -> bool {
        let edges = self.template.edges_from(location);
        let edges: Vec<&Edge> = edges.map(|(_, e)| e).collect();
        let [edge] = edges[..] else {
            return false;
        };
        match &edge.step {
            Step::Send { channel, .. } if edge.escape == 0 && !asks_where(&edge.step) => {
                self.is_buffered(channel) && self.is_promised(location, channel, passing, 0)
            }
            _ => false,
        }
    }

    /// Whether the channel is one that was made with room for messages, whatever the state.
    fn is_buffered(&self, channel: &Expr) -> bool {
        let ExprKind::Read(Place {
            root: Root::Global(id),
            ..
        }) = &channel.kind
        else {
            return false;
        };
        let made = &self.model.global(*id).initial;
        let room = matches!(made, Initial::NewChannel(kind) if self.model.channel_kind(*kind).capacity > 0);
        room && self.lasting.globals.contains(&id.0)
    }

    /// Whether on every way to the location it has just been seen that the channel has room.
    fn is_promised(
        &self,
        location: LocationId,
        channel: &Expr,
        passing: &BTreeSet<LocationId>,
        depth: u32,
    ) -> bool {
        let entering = self.entering.at(location);
        if location == self.template.entry || entering.is_empty() || depth > LONGEST_PROMISE {
            return false;
        }
        entering.iter().all(|edge| {
            let Step::Guarded { guard, effects } = &edge.step else {
                return false;
            };
            let idle = |e: &Effect| matches!(e, Effect::Assert { .. } | Effect::Print { .. });
            let before = edge.source;
            effects.iter().all(idle)
                && edge.control == Control::Hold
                && (promises(guard, channel)
                    || passing.contains(&before)
                        && self.is_promised(before, channel, passing, depth + 1))
        })
    }
}

/// Whether the channel has room if the condition holds.
fn promises(condition: &Expr, channel: &Expr) -> bool {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => promises(a, channel) || promises(b, channel),
        ExprKind::Channel(ChannelQuery::NotFull, asked) => same(asked, channel),
        _ => false,
    }
}

/// Whether two expressions are the same, wherever they stand. (Some that are go unnoticed.)
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::SelfId, ExprKind::SelfId) => true,
        (ExprKind::Read(a), ExprKind::Read(b)) => same_place(a, b),
        (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) => op == other && same(a, b),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, c) && same(b, d)
        }
        _ => false,
    }
}

fn same_place(a: &Place, b: &Place) -> bool {
    let root = match (&a.root, &b.root) {
        (Root::Global(a), Root::Global(b)) => a == b,
        (Root::Local(a), Root::Local(b)) => a == b,
        _ => false,
    };
    let mut parts = a.path.iter().zip(&b.path);
    let part = |(a, b): (&Projection, &Projection)| match (a, b) {
        (Projection::Field(a), Projection::Field(b)) => a == b,
        (Projection::Index(a), Projection::Index(b)) => same(a, b),
        _ => false,
    };
    root && a.path.len() == b.path.len() && parts.all(part)
}
