//! The certifier: the only way to a [`Certificate`].
//!
//! # What a certificate says
//!
//! Let `g` be a renaming of the certificate: an exchange of two neighbours of a domain that is full, or one of its
//! [renamings](Certificate::renamings), which may move processes and names of several domains together. Let
//! it act on states as [`crate::action`] says. Let `s` be a state that a run of the model can reach, or the
//! image of such a state under renamings that were allowed, in which the domains that `g` touches are settled
//! ([`Domain::settled`]) and all processes that it moves are instances of their families' templates. Then:
//!
//! - if a step leads from `s` to `t`, then a step leads from `g s` to `g t`, where a step is one between states
//!   that a search remembers: what happens inside an atomic sequence is part of it;
//! - the step reports a failed assertion, a fault or a message that an observer does not
//!   expect iff the other does, and `s` is a deadlock iff `g s` is;
//! - the given observers make the same moves along both;
//! - each condition that is asked of states is true in `s`, or has no value there, iff it is so in `g s`;
//! - a monitor of some property holds in `s`, or fails there, iff one of the same property does in `g s`;
//! - the domains are settled in `g s`, and in `t`.
//!
//! So does everything that such renamings generate: all permutations of a full domain, whatever happens to the
//! others. The states in which runs start need not be fixed by any of them, nor be mapped to each other. Which statement failed (its place in the
//! source) and what was printed are not preserved: `if` may have one branch for each name.
//!
//! # Proof obligations
//!
//! "Renaming" means `rename`; everything that a template does is first brought into the normal form
//! of `path` by `execute`: what may be undefined becomes a way of its own (`execute::risks`), and the order of tests is
//! forgotten (`execute::outcomes`).
//!
//! 1. The candidate is well-formed: families are disjoint sets of process numbers of templates that have
//!    processes; sets of names are small. (`check_candidate`) A renaming maps each family and each set to itself.
//!    (`Mover::new`)
//! 2. There are no priorities: who may move would depend on whether others could. (`check_whole`)
//! 3. No member of a family that is moved ever ends: processes end last-in-first-out, and so would tell their numbers.
//!    (`check_exits`)
//! 4. No process that made channels ever ends, so a reference to a channel always means the channel that it
//!    was made for. (`check_owners`)
//! 5. Every edge of every template of which there are processes, and of the observers, every monitor and every condition that is asked can be executed
//!    symbolically within a budget; `enabled`, priorities and writes into other processes are refused.
//!    (`all_forms`)
//! 6. Where names are kept there is room for all of them or for none. (`room`)
//! 7. What variables hold at first, the arguments of the first processes and every edge keep the classes of
//!    channels apart, so all states that can be reached respect them. (`classes`)
//! 8. For each renaming, the renamed condition on all moves (`provided`) of a process is that of the process
//!    that it becomes. (`check_provided`)
//! 9. The renamed first values of the variables of a new process are its first values. Its number is
//!    not moved, as those that are exist already. (`check_births`)
//! 10. At every location, the renamed paths of a process are those of the process that it becomes: as sets, or
//!     edge by edge where the order of edges matters (`compare`). The paths of every process `a` that is moved
//!     become those of `g(a)`; constants like `(_pid + 1) % N` are known for each of them, and move with it. Everybody
//!     else is one symbolic process, whose paths become its own; or, if all processes of a template are known by
//!     their numbers, each of them by itself. As sets of paths are equal, this covers the way back.
//!     (`check_edges`)
//! 11. The same for the observers, and for the monitors as a set. (`check_edges`)
//! 12. Each condition that is asked of states, renamed, is met in the same ways, and has no value in the same ways. (`check_conditions`)
//!
//! In 8, 9, 10 and 12 a cell of a sort of names is taken to hold one of the values that `values` finds for it. These sets
//! hold in every state that can be reached and in all images of such states, as they are closed under all
//! permutations of the domains.
//!
//! # Before the symmetry begins
//!
//! Obligations 9 and 10 may fail at some locations of some templates, if it can be shown that nobody is
//! there, or gets there, any more: that is what *settled* means (`settle`). In a settled state
//! all edges that can be tried start at locations where the obligations hold, because whether an edge can be
//! taken depends on the locations at which processes are now. So the proof for settled states is the one above.
//! It relies on nothing that happened before but the classes of channels, obligation 7, which all edges owe,
//! and what is so in every state of the model:
//!
//! - cells hold values of their types; what a cell of a sort of names holds need not be a name;
//! - variables that are never written refer to the channel that was made for them;
//! - processes of one template have made the same channels, in the same order.
//!
//! # Strangers
//!
//! An instance of a family's template that is no member is a *stranger*. If `run` makes processes of the template,
//! anybody may be one: obligations 8 and 10 look at one symbolic process with any number, and `_pid % N` of any number
//! is more than the ring of the members needs. If the candidate says so ([`Candidate::without_strangers`]), strangers are left
//! out of the proof: their paths are nobody's, in 8 and 10 and in `values`. What is certified then holds in states without
//! strangers only ([`Domain::residents`]), which is right for these reasons:
//!
//! - an edge that makes an instance of the template is a fault, so in a settled state nobody makes one any more:
//!   a settled state without strangers leads to such states only;
//! - a renaming maps each family to itself, so its image is one, too;
//! - processes of the template never end (`all_are_known` demands it), so in a run that leads to a state without
//!   strangers there never was one. What is so in every state of the model by what everybody does, the sets of `values` and the
//!   classes of channels, is so all along this run, although nothing that strangers do went into it.
//!
//! The condition is one of all domains of the certificate, as they all stand on the same values.
//!
//! # Without order
//!
//! Of names that the language has no order among nothing is proved; [`mod@crate::unordered`] says why. For them "a step leads to
//! `g t`" above reads "to a state that differs from `g t` in the order alone". A step that some other renaming makes of a
//! step is the same in the order of these as well, as the renaming does not move them.
//!
//! # What is trusted
//!
//! `algebra`, `cubes` and `fold` (rewriting keeps values and failures), `execute`, `path` and `births` (paths say what
//! the interpreter does), `locations` and `sends` (which locations nobody sees), `rename` and `pointwise` (sorts are
//! respected), `values` (what names can be), `room`, `classes`, `settle`, `compare`, `case`, `proof`, this file, and
//! [`crate::action`] with [`crate::sorts`]; and the front end, where it says that names have no order. Not trusted: `infer` and `unknowns`, [`mod@crate::propose`],
//! [`mod@crate::largest`] and [`mod@crate::detect`] with `structure` and `relatives`, the candidate, the renamings.

use crate::algebra::LAST_PROCESS;
use crate::breach::Breach;
use crate::budget::{ProofBudget, ProofPart};
use crate::case::verdict;
use crate::case::{AllForms, Case, Grounds, Places};
use crate::certificate::Certificate;
use crate::domain::{Candidate, Domain, DomainKind};
use crate::evidence::Evidence;
use crate::infer::OpenClass;
use crate::locations::{makes_channels, reachable_exit};
use crate::proof::Proof;
use crate::renaming::Renaming;
use crate::room::Room;
use crate::settle::Settled;
use crate::sorts::FARTHEST;
use crate::sorts::Sorts;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::template::Role;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What became of some renamings.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The proof for those that passed, and for all domains that are full; nothing if there are neither.
    pub certificate: Option<Certificate>,
    /// For each renaming in turn, whether it passed, or what breaks it.
    pub verdicts: Vec<Result<(), Vec<Breach>>>,
}

/// Why a candidate is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// As a whole.
    Whole(Vec<Breach>),
    /// Because of some domains; the others might pass without them.
    Domains(Divided),
}

/// A candidate of which some domains passed and some did not.
#[derive(Debug)]
pub(crate) struct Divided {
    /// The domains that did not pass, by their index.
    pub refused: Vec<(usize, Vec<Breach>)>,
    /// The proof for the others, as they are in the company of those that did not.
    pub passed: Option<Box<Certificate>>,
}

impl Refusal {
    /// Everything that breaks it.
    pub fn breaches(self) -> Vec<Breach> {
        match self {
            Refusal::Whole(breaches) => breaches,
            Refusal::Domains(domains) => {
                let refused = domains.refused.into_iter();
                refused.flat_map(|(_, b)| b).collect()
            }
        }
    }
}

/// Proves that the candidate is a symmetry of the model under those observers.
///
/// # Errors
///
/// What breaks it. A candidate that is refused may be a symmetry all the same; one that is certified is one.
pub fn certify(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
) -> Result<Certificate, Vec<Breach>> {
    let evidence = Evidence::new(model, observers);
    let refused = examine(&evidence, candidate, &ProofBudget::unlimited());
    refused.map_err(Refusal::breaches)
}

/// Proves the candidate, or says which of its domains are to blame.
pub(crate) fn examine(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    budget: &ProofBudget,
) -> Result<Certificate, Refusal> {
    let case = begin(evidence, candidate, budget).map_err(Refusal::Whole)?;
    let forms = case.all_forms().map_err(Refusal::Whole)?;
    // What is done while processes are being started is often done one by one. If it stands in the
    // way of finding sorts, it is not listened to. Which sorts are found is a guess in any case.
    let start_up = case.start_up();
    let heard = case.certify_domains(&forms, &Places::new());
    if heard.is_ok() || start_up.is_empty() || budget.is_over_at(the_start) {
        return heard;
    }
    case.certify_domains(&forms, &start_up)
}

/// Proves as many of the renamings as possible to be symmetries of the model under those observers, each by itself.
/// A renaming must permute every domain of the candidate within itself.
///
/// # Errors
///
/// What stands in the way of a proof about any of them.
pub fn certify_renamings(
    model: &Model,
    observers: Observers,
    candidate: &Candidate,
    renamings: &[Renaming],
) -> Result<Examined, Vec<Breach>> {
    let evidence = Evidence::new(model, observers);
    examine_renamings(&evidence, candidate, renamings, &ProofBudget::unlimited())
}

/// The same within some time. What passed in time is certified, and who was not looked at is undecided.
pub(crate) fn examine_renamings(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    renamings: &[Renaming],
    budget: &ProofBudget,
) -> Result<Examined, Vec<Breach>> {
    let case = begin(evidence, candidate, budget)?;
    let forms = case.all_forms()?;
    let passed = |e: &Examined| e.verdicts.iter().filter(|v| v.is_ok()).count();
    let mut best = case.certify_each(&forms, &Places::new(), renamings);
    let mut last = Places::new();
    for unheard in [case.start_up(), case.openings()] {
        let all = best.as_ref().is_ok_and(|e| passed(e) == renamings.len());
        if all || unheard == last || budget.is_over_at(the_start) {
            continue;
        }
        best = match (best, case.certify_each(&forms, &unheard, renamings)) {
            (Ok(best), Ok(more)) if passed(&best) >= passed(&more) => Ok(best),
            (best, Err(_)) => best,
            (_, more) => more,
        };
        last = unheard;
    }
    best
}

/// The part of a proof in which what is done at the start is not listened to.
fn the_start() -> ProofPart {
    ProofPart::of_the_model("the start of the processes")
}

/// The case about a candidate that makes sense.
pub(crate) fn begin<'a, 'm>(
    evidence: &'a Evidence<'m>,
    candidate: &'a Candidate,
    budget: &ProofBudget,
) -> Result<Case<'a, 'm>, Vec<Breach>> {
    check_instances(evidence.model)?;
    check_candidate(evidence.model, candidate)?;
    check_whole(evidence.model)?;
    check_owners(evidence)?;
    Ok(Case::new(evidence, candidate, budget))
}

/// A proof looks at single steps: at the instances of a model, which has no parameters of edges and monitors, quantifiers, loops and calls.
fn check_instances(model: &Model) -> Result<(), Vec<Breach>> {
    match model.not_written_out() {
        Some(span) => Err(vec![Breach::at(span, "the model is not written out")]),
        None => Ok(()),
    }
}

/// What can be learnt of the sorts of a model from everything but the start of its processes: classes of values
/// that nothing is known of, and classes that are known by the numbers of processes.
pub(crate) fn open_classes(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    budget: &ProofBudget,
) -> Result<(Vec<OpenClass>, Vec<OpenClass>), Vec<Breach>> {
    check_instances(evidence.model)?;
    check_candidate(evidence.model, candidate)?;
    let case = Case::new(evidence, candidate, budget);
    let forms = case.all_forms()?;
    let inference = case.learn(&forms, &case.start_up())?;
    Ok((inference.open_classes(), inference.own_classes()))
}

/// The classes of values that nothing is known of, of those that are wanted, with the values that they have where these
/// are few.
pub(crate) fn data_classes(
    evidence: &Evidence<'_>,
    candidate: &Candidate,
    budget: &ProofBudget,
    wanted: impl Fn(&UseKind) -> bool,
) -> Result<Vec<OpenClass>, Vec<Breach>> {
    check_candidate(evidence.model, candidate)?;
    let case = Case::new(evidence, candidate, budget);
    let forms = case.all_forms()?;
    let start_up = case.start_up();
    let inference = case.learn(&forms, &start_up)?;
    let mut classes = inference.open_classes();
    // What counts the processes that are started is of no interest any more when they are there.
    let starter = |seed: &UseKind| matches!(seed, UseKind::Holds { variable: VariableRef::Local(t, _), .. } if start_up.contains_key(t));
    let open = |seed: &UseKind| wanted(seed) && !starter(seed);
    classes.retain(|class| !class.guides && open(&class.seed.kind));
    if classes.is_empty() {
        return Ok(classes);
    }
    let sorts = Rc::new(inference.finish()?);
    let values = case.learnt(&forms, case.no_values(&sorts).with_data())?;
    for class in &mut classes {
        if let UseKind::Holds { variable, path } = &class.seed.kind {
            let hull = values.hull(*variable, path);
            class.range = hull.map(|(low, high)| (low + class.offset, high + class.offset));
        }
    }
    Ok(classes)
}

/// How many names a set may have: as many exchanges have to be looked at.
const MOST_NAMES: u32 = 1024;

fn check_candidate(model: &Model, candidate: &Candidate) -> Result<(), Vec<Breach>> {
    let mut seen = BTreeSet::new();
    let mut breaches = Vec::new();
    for family in &candidate.families {
        let template = model.templates.get(family.template.index());
        if !template.is_some_and(|t| t.role == Role::Process) {
            breaches.push(Breach::everywhere("a family has no template of processes"));
        }
        for number in &family.numbers {
            if i64::from(*number) > LAST_PROCESS || !seen.insert(*number) {
                breaches.push(Breach::everywhere(format!(
                    "the process number {number} is impossible or given twice"
                )));
            }
        }
    }
    for names in &candidate.names {
        let processes = |u: &&UseKind| matches!(u, UseKind::Processes(_));
        let uses = names.seeds.iter().map(|s| &s.kind);
        let far = names.first.unsigned_abs() > FARTHEST as u64 || names.size > MOST_NAMES;
        if far || uses.clone().any(|u| processes(&u)) {
            let label = &names.label;
            breaches.push(Breach::everywhere(format!(
                "`{label}` has too many names, or too great ones, or those of processes"
            )));
        }
    }
    if candidate.rows.iter().any(|row| row.variables.is_empty()) {
        breaches.push(Breach::everywhere("a row has no variables"));
    }
    verdict(breaches)
}

fn check_whole(model: &Model) -> Result<(), Vec<Breach>> {
    if model.prioritised {
        let why = "processes have priorities, which is not supported with symmetry";
        return Err(vec![Breach::everywhere(why)]);
    }
    Ok(())
}

fn check_owners(evidence: &Evidence<'_>) -> Result<(), Vec<Breach>> {
    let model = evidence.model;
    let mut breaches = Vec::new();
    for id in evidence.populated.iter().copied() {
        let template = model.template(id);
        let owns = template.locals.iter().any(|v| makes_channels(model, v));
        if let Some(span) = reachable_exit(template).filter(|_| owns) {
            let name = &template.name;
            breaches.push(Breach::at(
                span,
                format!("a `{name}` may end here, and its channels with it"),
            ));
        }
    }
    verdict(breaches)
}

impl<'m> Case<'_, 'm> {
    /// The sorts that are guessed from everything but what is done at some places, once it is clear that they
    /// can be worked with.
    pub(crate) fn sorts(&self, forms: &AllForms, unheard: &Places) -> Result<Sorts, Vec<Breach>> {
        let sorts = self.infer(forms, unheard)?;
        let room = Room {
            model: self.model,
            domains: &self.domains,
            sorts: &sorts,
        };
        verdict(room.breaches())?;
        self.check_classes(forms, &sorts)?;
        Ok(sorts)
    }

    fn certify_domains(&self, forms: &AllForms, unheard: &Places) -> Result<Certificate, Refusal> {
        let grounds = self.grounds(forms, unheard).map_err(Refusal::Whole)?;
        let proof = self.proof(forms, &grounds);
        let mut domains = Vec::new();
        let mut refused = Vec::new();
        for (index, kind) in self.domains.iter().cloned().enumerate() {
            let settled = proof.full(index);
            let settled = settled.map_err(|breaches| refused.push((index, breaches)));
            let settled = settled.unwrap_or_default();
            domains.push(self.domain(kind, settled));
        }
        let indices = 0..domains.len();
        let full = indices.map(|index| refused.iter().all(|(d, _)| *d != index));
        let certificate = Certificate {
            full: full.collect(),
            domains,
            renamings: Vec::new(),
            sorts: Sorts::clone(&grounds.sorts).without_scratch(self.model),
            choices: None,
        };
        if refused.is_empty() {
            return Ok(certificate);
        }
        let something = certificate.full.contains(&true);
        Err(Refusal::Domains(Divided {
            refused,
            passed: something.then(|| Box::new(certificate)),
        }))
    }

    fn certify_each(
        &self,
        forms: &AllForms,
        unheard: &Places,
        renamings: &[Renaming],
    ) -> Result<Examined, Vec<Breach>> {
        let grounds = self.grounds(forms, unheard)?;
        let proof = self.proof(forms, &grounds);
        let full: Vec<Option<Settled>> = (0..self.domains.len())
            .map(|d| proof.full(d).ok())
            .collect();
        let found = renamings
            .iter()
            .map(|r| proof.together(std::slice::from_ref(r)));
        let found: Vec<Result<Settled, Vec<Breach>>> = found.collect();
        let kinds = self.domains.iter().cloned().enumerate();
        let domains = kinds.map(|(d, kind)| {
            let settled = match &full[d] {
                Some(settled) => settled.clone(),
                None => joint(renamings, &found, self.touching(d)),
            };
            self.domain(kind, settled)
        });
        let domains: Vec<Domain> = domains.collect();
        let passed = renamings.iter().zip(&found).filter(|(_, f)| f.is_ok());
        let full: Vec<bool> = full.iter().map(Option::is_some).collect();
        // What moves full domains only is no news.
        let news = |r: &&Renaming| (0..full.len()).any(|d| !full[d] && self.touching(d)(r));
        let passed = passed.map(|(r, _)| r).filter(news);
        let certificate = Certificate {
            renamings: passed.cloned().collect(),
            domains,
            full,
            sorts: Sorts::clone(&grounds.sorts).without_scratch(self.model),
            choices: None,
        };
        let something = !certificate.generators().is_empty();
        Ok(Examined {
            certificate: something.then_some(certificate),
            verdicts: found.into_iter().map(|f| f.map(drop)).collect(),
        })
    }

    /// A domain that is certified under a condition.
    fn domain(&self, kind: DomainKind, settled: Settled) -> Domain {
        Domain {
            kind,
            settled,
            residents: self.residents(),
        }
    }

    /// Whether renamings move something of a domain.
    fn touching(&self, domain: usize) -> impl Fn(&Renaming) -> bool {
        move |renaming| self.domains[domain].is_touched(renaming)
    }

    pub(crate) fn proof<'p>(
        &'p self,
        forms: &'p AllForms,
        grounds: &'p Grounds<'m>,
    ) -> Proof<'p, 'm> {
        Proof {
            case: self,
            forms,
            sorts: &grounds.sorts,
            values: &grounds.values,
        }
    }
}

/// The condition under which all renamings hold that passed and are meant.
fn joint(
    renamings: &[Renaming],
    found: &[Result<Settled, Vec<Breach>>],
    meant: impl Fn(&Renaming) -> bool,
) -> Settled {
    let mut all = Settled::new();
    for (_, settled) in renamings.iter().zip(found).filter(|(r, _)| meant(r)) {
        for condition in settled.iter().flatten() {
            if !all.contains(condition) {
                all.push(condition.clone());
            }
        }
    }
    all
}
