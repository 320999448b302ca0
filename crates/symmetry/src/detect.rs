//! The symmetry of a model, found without being told: any group, not only all permutations of a domain.
//!
//! First everything is tried that might have its full symmetric group ([`mod@crate::propose`],
//! [`mod@crate::largest`]). For what is refused there, the processes of a ring for instance, the automorphisms of the
//! graph of the model (`structure`) are proposed and certified one by one ([`crate::certify_renamings`]). Where processes
//! of one template, or names of one set, are in different orbits, there is a statement that tells them apart
//! (`apart`).
//!
//! What may be a name is a guess, and each [`Level`] guesses more: first what was proposed, then the things that belong
//! to processes one by one, then values that are computed with. Where a level does not explain that all look alike, it is
//! looked at once more for what comes *late*: what processes do once before their first loop is left out of the graph,
//! and nobody is expected to be made by `run` any more. What a level finds is kept if it is more than
//! what was known. When the budget is over, what was found so far is the result.

use crate::apart::{Difference, differences};
use crate::breach::Breach;
use crate::budget::{ARCS, ProofBudget, ProofPart};
use crate::case::{AllForms, Case, Places};
use crate::certificate::Certificate;
use crate::certify::{Examined, begin, examine_renamings};
use crate::domain::Candidate;
use crate::evidence::Evidence;
use crate::largest::{Detected, largest_of};
use crate::propose::{
    Piece, Proposal, Proposed, assemble, data_proposals, proposals, thing_proposals,
};
use crate::relatives::relatives;
use crate::renaming::Renaming;
use crate::settle::{is_over_once, opening};
use crate::structure::Structure;
use mandala_graphs::{Budget, automorphisms};
use mandala_groups::{BigUint, Permutation as Vertices};
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::step::Observers;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What was found in a model.
#[derive(Clone, Debug, Default)]
pub struct Symmetry {
    /// What was found of domains that have their full symmetric group, and why others do not have it.
    pub domains: Detected,
    /// Processes and names that are looked at together, if more than full domains were found.
    pub candidate: Candidate,
    /// The proof of all that was found, unless that is nothing.
    pub certificate: Option<Certificate>,
    /// The level that it was found at.
    pub level: Level,
    /// How many vertices and edges the graph had, if there was one.
    pub graph: Option<(usize, usize)>,
    /// Proposals of the graph that could not be certified, and why.
    pub refused: Vec<(Renaming, Vec<Breach>)>,
    /// What tells processes and names apart that look alike.
    pub differences: Vec<Difference>,
    /// How long it took to look for full symmetric groups.
    pub full_groups_took: Duration,
    /// The levels that were looked at after that.
    pub attempts: Vec<Attempt>,
}

/// What is taken to be a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Every domain is looked at by itself, and must have its full symmetric group.
    #[default]
    Domains,
    /// All that was proposed, in any group.
    Proposals,
    /// Also what belongs to processes one by one, as the forks of philosophers do.
    Things,
    /// Also values that are computed with.
    Data,
}

/// What became of one level.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Which.
    pub level: Level,
    /// Whether it was about what is so when all processes are made and have come to their loops.
    pub late: bool,
    /// How many vertices and edges the graph had, if there was one.
    pub graph: Option<(usize, usize)>,
    /// How many automorphisms of the graph were found.
    pub automorphisms: BigUint,
    /// Whether these are all automorphisms; there may have been no time to find more.
    pub complete: bool,
    /// How many renamings were proposed.
    pub proposed: usize,
    /// How many of them were certified.
    pub certified: usize,
    /// Whether more was found than before.
    pub is_kept: bool,
    /// How long it took to build the graph, with all attempts that came to nothing.
    pub building: Duration,
    /// How long it took to find automorphisms.
    pub searching: Duration,
    /// How long it took to certify them.
    pub certifying: Duration,
}

impl Attempt {
    fn at(level: Level, late: bool) -> Self {
        Attempt {
            level,
            late,
            graph: None,
            automorphisms: BigUint::from(1u32),
            complete: true,
            proposed: 0,
            certified: 0,
            is_kept: false,
            building: Duration::ZERO,
            searching: Duration::ZERO,
            certifying: Duration::ZERO,
        }
    }
}

/// Finds the symmetry of a model, of which `census` says what processes 0, 1, 2, .. are instances of when it
/// has started.
pub fn detect(
    model: &Model,
    observers: Observers,
    census: &[TemplateId],
    budget: &ProofBudget,
) -> Symmetry {
    let started = Instant::now();
    let evidence = Evidence::new(model, observers);
    let proposals = proposals(&evidence, census, budget);
    let domains = largest_of(&evidence, &proposals, budget);
    let mut symmetry = Symmetry {
        candidate: domains.candidate.clone(),
        certificate: domains.certificate.clone(),
        domains,
        full_groups_took: started.elapsed(),
        ..Symmetry::default()
    };
    let search = Search {
        evidence: &evidence,
        budget: budget.clone(),
        late: false,
    };
    search.levels(&proposals, &mut symmetry);
    symmetry
}

/// A candidate whose names are used as names only, with its graph.
struct Viable {
    pieces: Vec<Piece>,
    candidate: Candidate,
    structure: Structure,
}

impl Viable {
    /// What permutations of the vertices of processes and names do to these.
    fn renamings(&self, permutations: &[Vertices]) -> Vec<Renaming> {
        let renamings = permutations.iter();
        // Nothing is lost: the vertices of each domain have a colour of their own.
        renamings
            .filter_map(|g| self.structure.renaming(g))
            .collect()
    }

    /// Whether everybody may become everybody else of his domain.
    fn is_explained_by(&self, certificate: Option<&Certificate>) -> bool {
        let Some(certificate) = certificate else {
            return false;
        };
        let known = certificate.domains().iter();
        let known: Vec<_> = known.map(|d| &d.kind).collect();
        self.candidate.domains().iter().all(|kind| {
            let domain = known.iter().position(|k| *k == kind);
            domain.is_some_and(|d| certificate.is_transitive(d))
        })
    }

    /// The vertices of each domain.
    fn vertices(&self) -> Vec<Vec<u32>> {
        let mut next = 0..;
        let domains = self.candidate.domains();
        let domains = domains
            .iter()
            .map(|d| next.by_ref().take(d.size()).collect());
        domains.collect()
    }
}

#[derive(Clone)]
struct Search<'a, 'm> {
    evidence: &'a Evidence<'m>,
    budget: ProofBudget,
    /// Whether the start of everybody is left out.
    late: bool,
}

impl Search<'_, '_> {
    /// Looks at one level after the other.
    fn levels(&self, proposals: &[Proposal], symmetry: &mut Symmetry) {
        let families = families(proposals);
        let all = || proposals.iter().cloned();
        if !symmetry.domains.refused.is_empty() {
            self.attempt(Level::Proposals, proposals, symmetry);
            let things = thing_proposals(self.evidence, &families, &self.budget);
            if !things.is_empty() {
                let with_things: Vec<Proposal> = things.into_iter().chain(all()).collect();
                self.attempt(Level::Things, &with_things, symmetry);
            }
        }
        let data = data_proposals(self.evidence, &families, &self.budget);
        if !data.is_empty() {
            let with_data: Vec<Proposal> = all().chain(data).collect();
            self.attempt(Level::Data, &with_data, symmetry);
        }
    }

    /// Looks at some proposals together. If that is not all that can be wished for, looks at what comes late.
    fn attempt(&self, level: Level, proposals: &[Proposal], symmetry: &mut Symmetry) {
        let found = self.attempt_once(level, proposals, symmetry);
        let all = found.is_some_and(|f| f.is_explained_by(symmetry.certificate.as_ref()));
        if !all && self.has_start(proposals) {
            let late = Search {
                late: true,
                ..self.clone()
            };
            late.attempt_once(level, proposals, symmetry);
        }
    }

    /// Whether there is anything to be left out.
    fn has_start(&self, proposals: &[Proposal]) -> bool {
        let mut populated = self.evidence.populated.iter();
        let made = |t: TemplateId| self.evidence.spawned.contains(&t);
        let families = families(proposals).templates();
        let opens = |t: &TemplateId| !opening(self.evidence.model.template(*t)).is_empty();
        families.into_iter().any(made) || populated.any(opens)
    }

    /// Looks at some proposals together; what was kept so far comes first.
    fn attempt_once(
        &self,
        level: Level,
        proposals: &[Proposal],
        symmetry: &mut Symmetry,
    ) -> Option<Viable> {
        if self.budget.is_over_at(the_graph) {
            return None;
        }
        let mut attempt = Attempt::at(level, self.late);
        let started = Instant::now();
        let found = self.viable(&symmetry.domains.kept, proposals);
        attempt.building = started.elapsed();
        if let Some(found) = &found {
            self.exploit(found, symmetry, &mut attempt);
        }
        symmetry.attempts.push(attempt);
        found
    }

    /// As many of the proposals as can be looked at together, beginning with those that are kept: all at once if
    /// that is possible, or else as many as can be added one by one while the budget lasts.
    fn viable(&self, kept: &[Piece], proposals: &[Proposal]) -> Option<Viable> {
        let mut all = kept.to_vec();
        for proposal in proposals {
            let way = &proposal.ways[0];
            if !all.iter().any(|p| overlap(p, way)) {
                all.push(way.clone());
            }
        }
        let all = self.structure(all);
        if all.is_some() {
            return all;
        }
        let mut best = self.structure(kept.to_vec());
        let mut added = true;
        // What cannot be looked at alone may be all right in the company of others.
        while added {
            added = false;
            for proposal in proposals {
                if let Some(more) = self.extended(best.as_ref(), proposal) {
                    best = Some(more);
                    added = true;
                }
            }
        }
        best
    }

    /// What is viable together with a proposal, in the first way that is possible.
    fn extended(&self, best: Option<&Viable>, proposal: &Proposal) -> Option<Viable> {
        let pieces = best.map_or(&[][..], |b| &b.pieces);
        proposal.ways.iter().find_map(|way| {
            let taken = pieces.iter().any(|p| overlap(p, way));
            if taken || self.budget.is_over_at(the_graph) {
                return None;
            }
            let mut more = pieces.to_vec();
            more.push(way.clone());
            self.structure(more)
        })
    }

    fn structure(&self, mut pieces: Vec<Piece>) -> Option<Viable> {
        if pieces.is_empty() {
            return None;
        }
        pieces.sort_by_key(|p| matches!(p.domain, Proposed::Names(_)));
        let candidate = self.candidate(&pieces);
        let structure = self.graph(&candidate)?;
        Some(Viable {
            pieces,
            candidate,
            structure,
        })
    }

    fn candidate(&self, pieces: &[Piece]) -> Candidate {
        Candidate {
            without_strangers: self.late,
            ..assemble(pieces)
        }
    }

    fn graph(&self, candidate: &Candidate) -> Option<Structure> {
        let case = begin(self.evidence, candidate, &self.budget).ok()?;
        let forms = case.all_forms().ok()?;
        let start = match self.late {
            true => case.openings(),
            false => case.start_up(),
        };
        let mut over = start.clone();
        over.retain(|template, early| is_over_once(case.model, *template, early));
        let heard = graph_of(&case, &forms, &Places::new(), &over);
        if heard.is_some() || start.is_empty() {
            return heard;
        }
        graph_of(&case, &forms, &start, &over)
    }

    /// Certifies what the graph has to propose and keeps it if it is more than what is known.
    fn exploit(&self, found: &Viable, symmetry: &mut Symmetry, attempt: &mut Attempt) {
        let proposed = self.proposed(&found.structure, attempt);
        // The permutations of full domains continue to automorphisms, so there are no fewer of these unless time was short.
        let known = order(symmetry.certificate.as_ref());
        if attempt.automorphisms > known && is_manageable(&proposed, &attempt.automorphisms) {
            self.judge(found, &proposed, symmetry, attempt);
        }
        let first = symmetry.graph.is_none();
        if first {
            symmetry.graph = attempt.graph;
        }
        if (first || attempt.is_kept) && !self.budget.is_over() {
            let certificate = symmetry.certificate.as_ref();
            let kinds = found.candidate.domains();
            let guessed = attempt.level > Level::Proposals;
            symmetry.differences = differences(&found.structure, &kinds, certificate, guessed);
        }
    }

    /// Certifies some renamings, and keeps those that pass if that is more than what is known.
    fn judge(
        &self,
        found: &Viable,
        proposed: &[Vertices],
        symmetry: &mut Symmetry,
        attempt: &mut Attempt,
    ) {
        let started = Instant::now();
        let renamings = found.renamings(proposed);
        let examined = self.certify(&found.candidate, &renamings, &self.budget);
        let examined = examined.map(|e| self.with_relatives(found, proposed, e));
        attempt.certifying = started.elapsed();
        let Ok(examined) = examined else {
            return;
        };
        attempt.certified = examined.verdicts.iter().filter(|v| v.is_ok()).count();
        let known = order(symmetry.certificate.as_ref());
        attempt.is_kept = order(examined.certificate.as_ref()) > known;
        if attempt.is_kept || symmetry.graph.is_none() {
            let refused = renamings.into_iter().zip(examined.verdicts);
            let refused = refused.filter_map(|(r, v)| Some((r, v.err()?)));
            symmetry.refused = refused.collect();
        }
        if let Some(certificate) = examined.certificate.filter(|_| attempt.is_kept) {
            let (certificate, candidate) = self.pruned(found, certificate);
            symmetry.certificate = Some(certificate);
            symmetry.candidate = candidate;
            symmetry.level = attempt.level;
            symmetry.graph = attempt.graph;
        }
        attempt.certifying = started.elapsed();
    }

    /// If some of the proposals were refused, others of their group may pass.
    fn with_relatives(
        &self,
        found: &Viable,
        proposed: &[Vertices],
        examined: Examined,
    ) -> Examined {
        let passed: Vec<bool> = examined.verdicts.iter().map(Result::is_ok).collect();
        if passed.iter().all(|p| *p) || self.budget.is_over_at(the_graph) {
            return examined;
        }
        let more = relatives(proposed, &passed, &found.vertices());
        if more.is_empty() {
            return examined;
        }
        let kept = proposed.iter().zip(&passed).filter(|(_, passed)| **passed);
        let kept = kept.map(|(g, _)| g.clone());
        let all: Vec<Vertices> = kept.chain(more).collect();
        // Other levels need something, too.
        let half = self.budget.half();
        let again = self.certify(&found.candidate, &found.renamings(&all), &half);
        let again = again.ok().and_then(|again| again.certificate);
        let more = again.filter(|c| c.order() > order(examined.certificate.as_ref()));
        Examined {
            certificate: more.or(examined.certificate),
            ..examined
        }
    }

    /// What the automorphisms of the graph do to the vertices of processes and names.
    fn proposed(&self, structure: &Structure, attempt: &mut Attempt) -> Vec<Vertices> {
        let started = Instant::now();
        let arcs = self.budget.left().map(|steps| steps.saturating_mul(ARCS));
        let budget = arcs.map(Budget::of_arcs).unwrap_or_default();
        let found = automorphisms(&structure.graph, &budget);
        self.budget.spend(found.statistics.work().div_ceil(ARCS));
        if !found.complete {
            self.budget.end_at(the_graph);
        }
        let generators = found.generators.iter();
        let proposed = generators.filter_map(|g| structure.vertices(g));
        let proposed: Vec<Vertices> = proposed.filter(|g| !g.is_identity()).collect();
        attempt.searching = started.elapsed();
        attempt.graph = Some((structure.graph.vertex_count(), structure.graph.edge_count()));
        attempt.automorphisms = found.order;
        attempt.complete = found.complete;
        attempt.proposed = proposed.len();
        proposed
    }

    fn certify(
        &self,
        candidate: &Candidate,
        renamings: &[Renaming],
        budget: &ProofBudget,
    ) -> Result<Examined, Vec<Breach>> {
        examine_renamings(self.evidence, candidate, renamings, budget)
    }

    /// The same without domains of which nothing moves.
    fn pruned(&self, found: &Viable, certificate: Certificate) -> (Certificate, Candidate) {
        let moving = (0..found.pieces.len()).filter(|d| certificate.moves(*d));
        let moving: Vec<usize> = moving.collect();
        if moving.len() == found.pieces.len() {
            return (certificate, found.candidate.clone());
        }
        let families = found.candidate.families.len();
        let sets = moving.iter().filter(|d| **d >= families);
        let sets: Vec<u32> = sets.map(|d| (*d - families) as u32).collect();
        let pieces: Vec<Piece> = moving.iter().map(|d| found.pieces[*d].clone()).collect();
        let candidate = self.candidate(&pieces);
        let renamings = certificate.renamings().iter();
        let renamings: Vec<Renaming> = renamings.map(|r| restricted(r, &sets)).collect();
        let fewer = self.certify(&candidate, &renamings, &self.budget).ok();
        let fewer = fewer.and_then(|examined| examined.certificate);
        match fewer.filter(|fewer| fewer.order() == certificate.order()) {
            Some(fewer) => (fewer, candidate),
            None => (certificate, found.candidate.clone()),
        }
    }
}

/// The part of a proof that is about groups that are not full.
fn the_graph() -> ProofPart {
    ProofPart::of_the_model("the automorphisms of the graph of the model")
}

/// The points that are moved, times the bits of the order, of a group that can be worked with in a fraction of a second.
const MOST_WORK: u64 = 50_000;

/// Whether a group is not so large, on so many points, that to find its way about in it is too much work.
fn is_manageable(generators: &[Vertices], order: &BigUint) -> bool {
    let moved: BTreeSet<u32> = generators.iter().flat_map(Vertices::support).collect();
    moved.len() as u64 * order.bits() <= MOST_WORK
}

/// All families that are proposed.
fn families(proposals: &[Proposal]) -> Candidate {
    let pieces = proposals.iter().map(|p| p.ways[0].clone());
    let families = pieces.filter(|p| matches!(p.domain, Proposed::Family(_)));
    assemble(&families.collect::<Vec<_>>())
}

fn order(certificate: Option<&Certificate>) -> BigUint {
    certificate.map_or(BigUint::from(1u32), Certificate::order)
}

/// A renaming without those domains of names of which nothing is kept.
fn restricted(renaming: &Renaming, sets: &[u32]) -> Renaming {
    let names = sets.iter().map(|set| renaming.names(*set).clone());
    Renaming::new(renaming.processes().clone(), names.collect())
}

fn graph_of(
    case: &Case<'_, '_>,
    forms: &AllForms,
    unheard: &Places,
    without: &Places,
) -> Option<Structure> {
    let grounds = case.grounds(forms, unheard).ok()?;
    let proof = case.proof(forms, &grounds);
    proof.structure(without).ok()
}

/// Whether two pieces are about the same processes, names or variables.
fn overlap(a: &Piece, b: &Piece) -> bool {
    let rows = |p: &Piece| p.rows.iter().flatten().copied().collect::<Vec<_>>();
    let shared_row = rows(a).iter().any(|v| rows(b).contains(v));
    shared_row
        || match (&a.domain, &b.domain) {
            (Proposed::Family(a), Proposed::Family(b)) => {
                a.numbers.iter().any(|n| b.numbers.contains(n))
            }
            (Proposed::Names(a), Proposed::Names(b)) => {
                let mut seeds = a.seeds.iter();
                seeds.any(|s| b.seeds.iter().any(|t| s.kind == t.kind))
            }
            _ => false,
        }
}
