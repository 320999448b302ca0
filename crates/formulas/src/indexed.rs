//! Formulas that have to hold for each of some numbers.
//!
//! `forall i in 1 .. N: phi(i)` is violated iff some `i` and some run violate `phi(i)`. So the claim has a variable for `i`. With its
//! first step, which reads the first state like that of any other claim, it also chooses a number, and keeps it for ever. Several
//! quantifiers are several variables, and the first step chooses for all of them.
//!
//! This is what lets the whole group of the system be used, although each `phi(i)` by itself names a process: a renaming maps the
//! claim that has chosen `i` to the one that has chosen the image of `i`. Of the choices that are images of each other one is explored, and
//! from there on what leaves the chosen number alone is exchanged.

use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocalId, LocationId};
use mandala_model::template::{Edge, Effect, Location, Step, Template};

/// A variable of a claim, and the numbers that the claim may choose for it.
pub type Choice = (LocalId, Vec<i64>);

/// Lets the claim make those choices with its first step.
pub fn choose_first(claim: &mut Template, choices: &[Choice]) {
    if choices.is_empty() {
        return;
    }
    let first: Vec<Edge> = claim
        .edges_from(claim.entry)
        .map(|(_, e)| e.clone())
        .collect();
    let entry = LocationId::from(claim.locations.len());
    let begin = claim.edges.len() as u32;
    for chosen in combinations(choices) {
        let edges = first.iter().map(|edge| choosing(edge, entry, &chosen));
        claim.edges.extend(edges);
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

/// What can be chosen, the last variable changing fastest.
fn combinations(choices: &[Choice]) -> Vec<Vec<(LocalId, i64)>> {
    let mut all = vec![Vec::new()];
    for (index, numbers) in choices {
        let longer = |chosen: &Vec<(LocalId, i64)>| {
            let chosen = chosen.clone();
            let next = numbers.iter().map(|number| (*index, *number));
            next.map(move |one| [chosen.as_slice(), &[one]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The step that makes choices and is otherwise another one after them.
fn choosing(edge: &Edge, source: LocationId, chosen: &[(LocalId, i64)]) -> Edge {
    let mut edge = Edge {
        source,
        ..edge.clone()
    };
    if let Step::Guarded { guard, effects } = &mut edge.step {
        for &(index, number) in chosen {
            guard.each_mut(&mut |e| {
                if is_index(e, index) {
                    e.kind = ExprKind::Const(number);
                }
            });
            let place = Place::variable(Root::Local(index), guard.span);
            let value = Expr::constant(number, guard.span);
            effects.insert(0, Effect::Assign { place, value });
        }
    }
    edge
}

fn is_index(e: &Expr, index: LocalId) -> bool {
    matches!(&e.kind, ExprKind::Read(place) if place.root == Root::Local(index))
}
