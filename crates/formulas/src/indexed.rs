//! Formulas that have to hold for each of some numbers.
//!
//! `forall i in 1 .. N: phi(i)` is violated iff some `i` and some run violate `phi(i)`. So the claim has a variable for `i`. With its
//! first step, which reads the first state like that of any other claim, it also chooses a number, and keeps it for ever.
//!
//! This is what lets the whole group of the system be used, although each `phi(i)` by itself names a process: a renaming maps the
//! claim that has chosen `i` to the one that has chosen the image of `i`. Of the choices that are images of each other one is explored, and
//! from there on what leaves the chosen number alone is exchanged.

use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocalId, LocationId};
use mandala_model::template::{Edge, Effect, Location, Step, Template};

/// Lets the claim choose one of some numbers with its first step.
pub fn choose_first(claim: &mut Template, index: LocalId, numbers: &[i64]) {
    let first: Vec<Edge> = claim
        .edges_from(claim.entry)
        .map(|(_, e)| e.clone())
        .collect();
    let entry = LocationId::from(claim.locations.len());
    let begin = claim.edges.len() as u32;
    for &number in numbers {
        let chosen = first
            .iter()
            .map(|edge| choosing(edge, entry, index, number));
        claim.edges.extend(chosen);
    }
    claim.locations.push(Location {
        number: claim.locations.len() as u32 + 1,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: true,
        edges: begin..claim.edges.len() as u32,
        span: claim.span,
    });
    claim.entry = entry;
}

/// The step that makes a choice and is otherwise another one after that choice.
fn choosing(edge: &Edge, source: LocationId, index: LocalId, number: i64) -> Edge {
    let mut edge = Edge {
        source,
        ..edge.clone()
    };
    if let Step::Guarded { guard, effects } = &mut edge.step {
        let span = guard.span;
        guard.each_mut(&mut |e| {
            if is_index(e, index) {
                e.kind = ExprKind::Const(number);
            }
        });
        let place = Place {
            root: Root::Local(index),
            path: Vec::new(),
            span,
        };
        let value = Expr::constant(number, span);
        effects.insert(0, Effect::Assign { place, value });
    }
    edge
}

fn is_index(e: &Expr, index: LocalId) -> bool {
    matches!(&e.kind, ExprKind::Read(place) if place.root == Root::Local(index))
}
