//! The largest symmetry that can be certified out of what is proposed.
//!
//! Everything is tried together. If that fails, pieces are added one by one and kept if the whole still
//! passes; so the work is that of one proof for each way to put each proposal.

use crate::breach::Breach;
use crate::certify::{Certificate, certify};
use crate::domain::Candidate;
use crate::propose::{Piece, Proposal, assemble};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::step::Observers;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Detected {
    /// The proof for all that is kept, unless that is nothing.
    pub certificate: Option<Certificate>,
    /// What was proved.
    pub candidate: Candidate,
    /// What was proposed and is no symmetry, or cannot be shown to be one.
    pub refused: Vec<Refused>,
}

/// A proposal that was refused.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What a person calls it.
    pub label: String,
    /// The declaration that asked for it: to declare what is not so is an error.
    pub declared: Option<Span>,
    /// What breaks it, put in the best of its ways.
    pub breaches: Vec<Breach>,
}

/// Certifies as much as possible of what is proposed.
pub fn largest(model: &Model, observers: Observers, proposals: &[Proposal]) -> Detected {
    let best: Vec<Piece> = proposals.iter().map(|p| p.ways[0].clone()).collect();
    if best.is_empty() {
        return Detected::default();
    }
    let candidate = assemble(&best);
    if let Ok(certificate) = certify(model, observers, &candidate) {
        return Detected {
            certificate: Some(certificate),
            candidate,
            refused: Vec::new(),
        };
    }
    one_by_one(model, observers, proposals)
}

fn one_by_one(model: &Model, observers: Observers, proposals: &[Proposal]) -> Detected {
    let mut kept: Vec<Piece> = Vec::new();
    let mut detected = Detected::default();
    for proposal in proposals {
        if proposal.ways.iter().all(|way| is_taken(way, &kept)) {
            continue;
        }
        let mut first = None;
        let added = proposal.ways.iter().find_map(|way| {
            let mut all = kept.clone();
            all.push(way.clone());
            match certify(model, observers, &assemble(&all)) {
                Ok(certificate) => Some((all, certificate)),
                Err(breaches) => {
                    first.get_or_insert(breaches);
                    None
                }
            }
        });
        match added {
            Some((all, certificate)) => {
                kept = all;
                detected.certificate = Some(certificate);
            }
            None => detected.refused.push(Refused {
                label: proposal.label.clone(),
                declared: proposal.declared,
                breaches: first.unwrap_or_default(),
            }),
        }
    }
    detected.candidate = assemble(&kept);
    detected
}

/// Whether all that a piece is about belongs to others already.
fn is_taken(piece: &Piece, kept: &[Piece]) -> bool {
    let taken: Vec<_> = kept.iter().flat_map(|p| &p.rows).flatten().collect();
    let mut own = piece.rows.iter().flatten().peekable();
    own.peek().is_some() && own.all(|variable| taken.contains(&variable))
}
