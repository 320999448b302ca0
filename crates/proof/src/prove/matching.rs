//! A matching of edges under a renaming, found by trying as far as the budget goes.

use crate::check::{Examined, Mover, Settled, Who};
use crate::proof::{Case, Proof};
use mandala_model::Model;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::template::{Edge, Role, Step};
use std::collections::BTreeMap;

/// How many pairs of edges are tried for one case.
const MOST: usize = 20_000;

/// For each location and process where edges have to become others, which ones they become.
pub(super) type Tables = BTreeMap<(TemplateId, LocationId, Option<u32>), Vec<u32>>;

/// The tables of a case; where there is none, nothing is said.
pub(super) fn tables(model: &Model, observers: Observers, proof: &Proof, case: &Case) -> Tables {
    let mut tables = Tables::new();
    let Some(mover) = Mover::of(proof, &case.moves) else {
        return tables;
    };
    let Ok(settled) = Settled::of(model, proof, &mover) else {
        return tables;
    };
    let (mover, missing) = (&mover, None);
    let examined = Examined {
        model,
        observers,
        proof,
        case,
        mover,
        missing,
    };
    let mut left = MOST;
    for (id, template) in model.runnables() {
        let actors = match template.role {
            Role::Process => examined.actors(id),
            _ => vec![Who::Any],
        };
        for location in (0..template.locations.len()).map(LocationId::from) {
            if template.role == Role::Process && !settled.is_reached(id, location) {
                continue;
            }
            let edges: Vec<(u32, &Edge)> = template.edges_from(location).collect();
            for who in &actors {
                let becomes = |a: usize, b: usize| {
                    examined.edge(id, (edges[a], edges[b]), *who, false).is_ok()
                };
                if let Some(images) = matched(&edges, becomes, &mut left) {
                    let number = match who {
                        Who::Known(number, _) => Some(*number),
                        Who::Any | Who::Stays => None,
                    };
                    tables.insert((id, location, number), images);
                }
            }
        }
    }
    tables
}

/// What each edge becomes, if they become others. Edges that become nothing that is left stay where that is possible.
fn matched(
    edges: &[(u32, &Edge)],
    becomes: impl Fn(usize, usize) -> bool,
    left: &mut usize,
) -> Option<Vec<u32>> {
    // Where the order of edges matters, they stay.
    if edges.iter().any(|(_, edge)| edge.escape > 0) {
        return None;
    }
    let mut free: Vec<usize> = (0..edges.len()).collect();
    let mut images = vec![None; edges.len()];
    for (edge, found) in images.iter_mut().enumerate() {
        // An edge is the first thing that it might become, and then those that stand at the same place in the text.
        let mut order: Vec<usize> = free.clone();
        order.sort_by_key(|other| {
            let (own, place) = (edges[edge].1, edges[*other].1);
            (*other != edge, place.span != own.span)
        });
        *found = order.into_iter().find(|other| {
            *left = left.saturating_sub(1);
            *left > 0 && becomes(edge, *other)
        });
        free.retain(|other| Some(*other) != *found);
    }
    for (edge, image) in images.iter_mut().enumerate() {
        if image.is_none() {
            let own = free.iter().position(|other| *other == edge);
            *image = Some(free.remove(own.unwrap_or_default()));
        }
    }
    let images: Vec<u32> = images
        .into_iter()
        .flatten()
        .map(|image| image as u32)
        .collect();
    let same = images.iter().zip(0..).all(|(image, place)| *image == place);
    let is_else = |place: &usize| edges[*place].1.step == Step::Else;
    let last = (0..edges.len()).find(is_else).unwrap_or(edges.len());
    let kept = images
        .iter()
        .zip(0..)
        .all(|(image, place)| (*image as usize) < last || place >= last);
    (!same && kept).then_some(images)
}
