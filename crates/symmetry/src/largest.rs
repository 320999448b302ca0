//! The largest symmetry that can be certified out of what is proposed.
//!
//! Everything is tried together, and again without the domains that do not pass. What is left is added
//! piece by piece and kept if the whole still passes. So the work is that of a few proofs, and of one
//! for each way to put each proposal that did not pass at once.

use crate::breach::Breach;
use crate::budget::{ProofBudget, ProofPart};
use crate::certificate::Certificate;
use crate::certify::{Divided, Refusal, examine};
use crate::domain::Candidate;
use crate::evidence::Evidence;
use crate::propose::{Piece, Proposal, Proposed, assemble};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::step::Observers;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Detected {
    /// The proof for all that is kept, unless that is nothing.
    pub certificate: Option<Certificate>,
    /// What it is about. If there was no time for more, it may have domains of which nothing is proven.
    pub candidate: Candidate,
    /// The pieces that it consists of.
    pub kept: Vec<Piece>,
    /// What was proposed and is no symmetry, or cannot be shown to be one.
    pub refused: Vec<Refused>,
    /// Whether something is kept in another way than the best.
    pub is_reduced: bool,
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
pub fn largest(
    model: &Model,
    observers: Observers,
    proposals: &[Proposal],
    budget: &ProofBudget,
) -> Detected {
    largest_of(&Evidence::new(model, observers), proposals, budget)
}

/// The same for whom knows something of the model already.
pub(crate) fn largest_of(
    evidence: &Evidence<'_>,
    proposals: &[Proposal],
    budget: &ProofBudget,
) -> Detected {
    let mut search = Search {
        evidence,
        budget: budget.clone(),
        kept: Vec::new(),
        detected: Detected::default(),
    };
    let together = search.together(proposals);
    for (index, proposal) in proposals.iter().enumerate() {
        if !together.contains(&index) {
            search.add(proposal);
        }
    }
    search.insist_on_declared(proposals);
    search.detected.candidate = assemble(&search.kept);
    search.detected.kept = search.kept;
    search.detected
}

/// What has been certified so far.
struct Search<'a, 'm> {
    evidence: &'a Evidence<'m>,
    budget: ProofBudget,
    kept: Vec<Piece>,
    detected: Detected,
}

impl Search<'_, '_> {
    fn examine(&self, pieces: &[Piece]) -> Result<Certificate, Refusal> {
        let candidate = assemble(pieces);
        examine(self.evidence, &candidate, &self.budget)
    }

    /// Keeps what passes of all proposals put in their best way; says which these are.
    fn together(&mut self, proposals: &[Proposal]) -> Vec<usize> {
        let mut together: Vec<usize> = (0..proposals.len()).collect();
        // So that the number of a domain is its place in the list.
        together.sort_by_key(|i| matches!(proposals[*i].ways[0].domain, Proposed::Names(_)));
        while !together.is_empty() {
            let pieces = together.iter().map(|i| proposals[*i].ways[0].clone());
            let pieces: Vec<Piece> = pieces.collect();
            match self.examine(&pieces) {
                Ok(certificate) => {
                    self.kept = pieces;
                    self.detected.certificate = Some(certificate);
                    return together;
                }
                Err(Refusal::Domains(Divided { refused, passed })) => {
                    let refused: Vec<usize> = refused.into_iter().map(|(d, _)| d).collect();
                    let mut place = 0..;
                    together.retain(|_| place.next().is_some_and(|p| !refused.contains(&p)));
                    // There is no time for a proof without the others, and none is needed.
                    if let Some(passed) = passed.filter(|_| self.budget.is_over()) {
                        self.kept = pieces;
                        self.detected.certificate = Some(*passed);
                        return together;
                    }
                }
                Err(Refusal::Whole(_)) => return Vec::new(),
            }
        }
        together
    }

    /// If there was no time for what is declared, that alone may have some more.
    fn insist_on_declared(&mut self, proposals: &[Proposal]) {
        let late = |r: &Refused| r.declared.is_some() && r.breaches.iter().any(|b| b.undecided);
        if !self.detected.refused.iter().any(late) {
            return;
        }
        let Some(budget) = self.budget.for_declared() else {
            return;
        };
        let declared = proposals.iter().filter(|p| p.declared.is_some());
        let declared: Vec<Proposal> = declared.cloned().collect();
        let mut again = Search {
            evidence: self.evidence,
            budget,
            kept: Vec::new(),
            detected: Detected::default(),
        };
        let passed = again.together(&declared);
        if again.detected.certificate.is_none() {
            return;
        }
        let passed = passed
            .into_iter()
            .map(|index| declared[index].label.clone());
        let passed: Vec<String> = passed.collect();
        self.detected
            .refused
            .retain(|r| r.declared.is_none() || !passed.contains(&r.label));
        self.detected.certificate = again.detected.certificate;
        self.kept = again.kept;
    }

    /// Adds a proposal to what is kept, in the first way that passes.
    fn add(&mut self, proposal: &Proposal) {
        let part = || ProofPart {
            span: proposal.declared,
            what: format!("`{}`", proposal.label),
        };
        if self.budget.is_over_at(part) {
            return self.refuse(proposal, vec![self.budget.breach()]);
        }
        let ways = proposal.ways.iter();
        let ways: Vec<&Piece> = ways.filter(|way| !is_taken(way, &self.kept)).collect();
        let mut first = None;
        for way in &ways {
            let mut all = self.kept.clone();
            all.push((*way).clone());
            match self.examine(&all) {
                Ok(certificate) => {
                    self.kept = all;
                    self.detected.certificate = Some(certificate);
                    self.detected.is_reduced |= first.is_some();
                    return;
                }
                Err(refusal) => drop(first.get_or_insert(refusal.breaches())),
            }
        }
        if let Some(breaches) = first {
            self.refuse(proposal, breaches);
        }
    }

    fn refuse(&mut self, proposal: &Proposal, breaches: Vec<Breach>) {
        self.detected.refused.push(Refused {
            label: proposal.label.clone(),
            declared: proposal.declared,
            breaches,
        });
    }
}

/// Whether all that a piece is about belongs to others already.
fn is_taken(piece: &Piece, kept: &[Piece]) -> bool {
    let taken: Vec<_> = kept.iter().flat_map(|p| &p.rows).flatten().collect();
    let mut own = piece.rows.iter().flatten().peekable();
    own.peek().is_some() && own.all(|variable| taken.contains(&variable))
}
