//! Which cells would hold names if something were interchangeable: a guess, from which two states can be made that show that it is not.

use crate::budget::ProofBudget;
use crate::case::Places;
use crate::certify::begin;
use crate::domain::DomainKind;
use crate::evidence::Evidence;
use crate::propose::{Piece, Proposal, assemble, proposals};
use crate::sorts::Sorts;
use mandala_model::ids::TemplateId;
use mandala_model::state::ProcessState;
use mandala_model::step::Observers;
use mandala_model::{Model, State};

/// What might be interchangeable, and how renamings of it would act on states. Nothing is proven of it.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// How renamings act on cells.
    pub sorts: Sorts,
    /// What would be permuted.
    pub domains: Vec<DomainKind>,
    /// Where processes are that still make others.
    early: Places,
    /// The same, and what processes pass once before they come to a loop.
    opening: Places,
}

/// How far the processes of a state have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Progress {
    /// Some still make others. That may tell names apart without being in the way of a symmetry.
    Early,
    /// Some pass what they pass only once.
    Opening,
    /// None does.
    Settled,
}

impl Sketch {
    /// How far the processes of a state have come.
    pub fn progress(&self, state: &State) -> Progress {
        let is_at = |places: &Places, process: &ProcessState| {
            let own = places.get(&process.template);
            own.is_some_and(|own| own.contains(&process.location))
        };
        let of = |process: &ProcessState| match process {
            process if is_at(&self.early, process) => Progress::Early,
            process if is_at(&self.opening, process) => Progress::Opening,
            _ => Progress::Settled,
        };
        let all = state.processes.iter().map(of);
        all.min().unwrap_or(Progress::Settled)
    }
}

/// What might be a symmetry of a model that is written out: all that is proposed together, as far as that makes sense, and everything by itself.
pub fn sketches(
    model: &Model,
    observers: Observers,
    census: &[TemplateId],
    budget: &ProofBudget,
) -> Vec<Sketch> {
    let evidence = Evidence::new(model, observers);
    let proposed = proposals(&evidence, census, budget);
    let best = |proposal: &Proposal| proposal.ways.first().cloned();
    let pieces: Vec<Piece> = proposed.iter().filter_map(best).collect();
    let together = sketch(&evidence, &pieces, budget);
    let alone = pieces.chunks(1);
    let alone = alone.filter_map(|piece| sketch(&evidence, piece, budget));
    together.into_iter().chain(alone).collect()
}

fn sketch(evidence: &Evidence<'_>, pieces: &[Piece], budget: &ProofBudget) -> Option<Sketch> {
    let candidate = assemble(pieces);
    let case = begin(evidence, &candidate, budget).ok()?;
    let forms = case.all_forms().ok()?;
    let sorts = case.infer(&forms, &case.start_up()).ok()?;
    Some(Sketch {
        sorts,
        domains: candidate.domains(),
        early: case.start_up(),
        opening: case.openings(),
    })
}
