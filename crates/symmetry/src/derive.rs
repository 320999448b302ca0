//! Symmetry by type: a proof that sets of names and families of processes are interchangeable, which follows the syntax of the model.
//!
//! A set of names, and the numbers of the processes of some templates, are types. Every cell, message field, parameter, bound variable and expression has a type: a *name* of
//! one of the sets, perhaps counted from another number (`_pid - 1`), a *channel* whose messages have types field by field, or a
//! *plain* number. An expression is *equivariant* if its value in a renamed state is its renamed value, and it has no value in the one state iff it has
//! none in the other. Every rule below derives that an expression or statement is equivariant from the same of its parts. The model is not written out:
//! the work is linear in its size, and does not depend on the number of names. There is no clock and no search.
//!
//! # The theorem
//!
//! A renaming `g` permutes each set of names, and the processes of each family among those of its members that are there; it acts on states as [`crate::action`] says. If
//! every rule holds, then in every state `s` in which the domains that `g` moves are settled ([`crate::domain::Domain::settled`]): a step with parameters `p` leads from `s` to `t` iff the same step
//! of the renamed process with the renamed parameters leads from `g s` to `g t`; it reports a violation in the one iff it does so in the other; and each condition that a property asks
//! holds in `s` iff it holds in `g s`. ("Leads to `g t`" is meant up to the order of elements of multisets; and where several members fail in one loop, which failure
//! is reported may be another one.) This holds edge by edge, so it holds for whoever is tried first, `else`, escapes, atomic sequences and
//! rendezvous; and so that nobody can go on (`timeout`, a deadlock) is the same as well. That is what a [`Certificate`] says ([`mod@crate::certify`]) of domains that are full.
//!
//! # The rules
//!
//! 0. Names of several sets that meet, as members of a union do, are names of one set, which has several domains. Each domain is permuted by itself.
//! 1. 0 is no name where it matters whether a value is 0: in conditions, in a use of what may be undefined, in a variable of a process that is not there.
//! 2. A constant is equivariant as a plain number, and as a name iff it is none: a renaming keeps it.
//! 3. `a = b` and `a != b`: both sides have one type. `&&`, `||`, `!` and conditions ask whether a value is 0. A name and a constant can be added: that is a name
//!    counted from elsewhere. An ordered comparison of a name with a constant has one answer for all names of a domain. All other operations are for plain numbers.
//! 4. `c ? a : b`: both branches have one type, which is that of the whole.
//! 5. `x[e]`: the type of `e` is that of the index of the array. The element of a renamed state at the renamed index is the renamed element.
//! 6. `x := e`: both have one type. What a constant becomes when it is stored must fit as well; of anything else nothing is cut off.
//! 7. A cell of a type of names keeps all names of a domain as they are, or refuses all of them with a run-time error; an array indexed by names has an element for all
//!    of them, or for none.
//! 8. The values of a parameter whose type is a set have all names of a domain, or none: a renaming maps the choices to each other.
//! 9. A routine takes the first choice that it can at each node; which one that is depends on conditions, so it is the same. Statements one after the other
//!    compose.
//! 10. Temporaries hold the same values whenever a step begins, and none of these is a name, or nobody reads it. So they have types of their own in each body.
//! 11. An element that is added to a multiset goes to the first free position: which one that is does not change, as positions are not renamed.
//! 12. A quantifier over the names of a set evaluates its body for all of them and does not stop early, and its value is none of them.
//! 13. A function has one type: its parameters, references and result have the types of what is passed in every call.
//! 14. A loop over names: no iteration may disturb another one ([`loops`] has the rule and its reasons), so that their order does not matter. A
//!     loop that counts ([`counted`]) is one.
//! 15. The number of the process that evaluates is a name if its template is renamed. Locations are not renamed. Another process is asked about by
//!     a name of its type; one whose template is not renamed, by a number as well. How many processes there are, who moved last, what is enabled, the number of a
//!     location, the first instance of a template that is renamed, and priorities are not derived.
//! 16. Channels and messages: [`channels`] has the rules. Sorted sends have no names. That channels of different messages are kept apart is owed
//!     by everything that a model does, whenever it does it, so that the types of messages are known in every state.
//! 17. A process that is made gets the next number, which no renaming moves; its arguments have the types of its parameters, and what its variables hold at first is renamed to itself
//!     ([`processes`]). What processes hold that are there from the start does not matter, as the first state need not be symmetric.
//! 18. No member of a family ends, and nobody ends who made channels. There are no priorities, and no observer of messages.
//! 19. An edge, or the making of a process, that breaks a rule for a domain is a *fault* of it. If all faults are behind and cannot come again, the rest is symmetric
//!     (`settle`). A rule that is broken elsewhere (in a claim, a condition, a monitor, a function) is never behind.
//!
//! Where that is more, the rules are asked about the model with routines in the place of atomic sequences that leave no choice (`condense` says why that is the same).
//!
//! What is refused here may be a symmetry all the same: then [`mod@crate::certify`] looks at what the model does.
//!
//! # What is trusted
//!
//! In a check nothing here is trusted: `mandala-proof` has a checker of its own, and what it does not accept is not used. Who uses a derivation without it trusts the last pass of [`typer`], [`bodies`], [`channels`] and [`processes`] over the model, with the types that the passes before it learnt; [`pass`], [`names`], [`types`], [`counted`], [`loops`]
//! with [`accesses`] and [`liveness`]; this file; `condense`, `settle`, `locations`, [`crate::action`] and [`crate::sorts`]. Not trusted: [`proposals`] and [`rigid`].

mod accesses;
mod annotate;
mod bodies;
mod channels;
mod counted;
mod liveness;
mod loops;
mod names;
mod parts;
mod pass;
mod processes;
mod proposals;
mod rigid;
mod typer;
mod types;

pub use annotate::{Annotations, Body, BodyTypes, annotate};

use crate::breach::Breach;
use crate::certificate::Certificate;
use crate::condense::condensed;
use crate::domain::{Candidate, Domain, Family, NameSet};
use crate::unordered::name_set;
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::step::Observers;
use mandala_model::symmetry::{Scalarset, UseKind};
use names::Concerns;
pub use parts::Parts;
use pass::{Attempt, Derived, attempt, start_up};
use proposals::{families, name_proposals};

/// What follows from the types of a model.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// The proof for the domains that are derived, together with what has no order by the language; nothing if no domain is.
    pub certificate: Option<Certificate>,
    /// What the certificate is about.
    pub candidate: Candidate,
    /// The domains that are not derived, by their names, and why.
    pub refused: Vec<(String, Breach)>,
    /// How many parts of the model the rules decide.
    pub parts: Parts,
    /// Whether nothing is left that somebody who looks at what the model does might find.
    pub is_complete: bool,
    /// Whether some names are fewer than was tried first.
    pub is_reduced: bool,
    /// The model with routines in the place of atomic sequences, if the derivation is about that one (`condense`).
    pub condensed: Option<Box<Model>>,
    /// The types of what is no part of the state: with those of the certificate they are the derivation.
    pub annotations: Annotations,
}

/// A domain that is tried.
#[derive(Clone, Debug)]
enum Trial {
    /// Processes of a template.
    Family(Family),
    /// Names, in one of several ways.
    Names(Vec<NameSet>),
}

impl Trial {
    fn label(&self, model: &Model) -> String {
        match self {
            Trial::Family(family) => model.template(family.template).name.clone(),
            Trial::Names(ways) => ways
                .first()
                .map(|way| way.label.clone())
                .unwrap_or_default(),
        }
    }

    /// The same in the next way, if there is one.
    fn next(self) -> Option<Trial> {
        match self {
            Trial::Names(mut ways) if ways.len() > 1 => {
                ways.remove(0);
                Some(Trial::Names(ways))
            }
            _ => None,
        }
    }
}

/// Derives as many of the declared sets of names of a model as possible. Sets that are refused are plain numbers to the others.
pub fn derive(model: &Model, observers: Observers) -> Derivation {
    let declared = model.scalarsets.iter().filter(|set| !set.unordered);
    let (sets, others): (Vec<_>, Vec<_>) = declared.partition(|set| is_of_names(set));
    let trials = sets
        .into_iter()
        .map(|set| Trial::Names(vec![name_set(set)]));
    let mut derivation = derive_trials(model, observers, trials.collect());
    for set in others {
        let breach = Breach::at(set.span, "no rule derives this from types");
        derivation.refused.push((set.name.clone(), breach));
    }
    derivation
}

/// Derives as much as possible of what may be interchangeable in a model of processes, of which `census` says what processes 0, 1, 2, .. are instances of when
/// it has started: the processes of each template, declared sets of names, and values that index arrays or get passed on.
///
/// Atomic sequences with loops are looked at as routines as well.
pub fn derive_processes(model: &Model, observers: Observers, census: &[TemplateId]) -> Derivation {
    let plain = derive_of_processes(model, observers, census);
    let condensed = condensed(model).map(|model| {
        let derived = derive_of_processes(&model, observers, census);
        derived.about_routines(model)
    });
    let order = |of: &Derivation| of.certificate.as_ref().map(Certificate::order);
    match condensed.filter(|condensed| order(condensed) > order(&plain)) {
        Some(condensed) => condensed,
        None => plain,
    }
}

impl Derivation {
    /// The same of a model that has these routines in the place of atomic sequences, whose edges were not looked at one by one.
    fn about_routines(mut self, condensed: Model) -> Self {
        if let Some(certificate) = &mut self.certificate {
            certificate.choices = None;
        }
        self.condensed = Some(Box::new(condensed));
        self
    }
}

fn derive_of_processes(model: &Model, observers: Observers, census: &[TemplateId]) -> Derivation {
    let declared = model.scalarsets.iter().filter(|set| !set.unordered);
    let (sets, others): (Vec<&Scalarset>, Vec<_>) = declared.partition(|set| is_of_names(set));
    if !others.is_empty() || model.not_written_out().is_some() {
        return Derivation::default();
    }
    let mut trials: Vec<Trial> = families(census).into_iter().map(Trial::Family).collect();
    trials.extend(
        sets.into_iter()
            .map(|set| Trial::Names(vec![name_set(set)])),
    );
    let found = name_proposals(model, observers, &candidate(&trials));
    trials.extend(found.ways.into_iter().map(Trial::Names));
    let derivation = derive_trials(model, observers, trials);
    // Where nothing is derived, values that are computed with may be interchangeable all the same.
    let begins = |certificate: &Certificate| is_started(model, certificate);
    let is_proven = derivation.certificate.as_ref().is_some_and(begins);
    Derivation {
        is_complete: is_proven && derivation.refused.is_empty() && found.is_all,
        ..derivation
    }
}

/// Whether every symmetry of a certificate begins when all processes are made, and not later. What execution finds may begin before that.
fn is_started(model: &Model, certificate: &Certificate) -> bool {
    let makers = start_up(model);
    let mut settled = certificate.domains().iter().flat_map(|d| &d.settled);
    settled.all(|(template, _)| makers.contains_key(template))
}

/// Derives as many of some domains as possible.
fn derive_trials(model: &Model, observers: Observers, mut trials: Vec<Trial>) -> Derivation {
    let mut refused: Vec<(String, Breach)> = Vec::new();
    let mut parts = Parts::default();
    let mut is_reduced = false;
    while !trials.is_empty() {
        let tried = candidate(&trials);
        let Attempt { found, parts: own } = attempt(model, observers, &tried);
        // As long as everything that was proposed is there, in one way or another.
        if refused.is_empty() && (parts.all == 0 || own.decided > parts.decided) {
            parts = own;
        }
        let refusal = match found {
            Ok(derived) => {
                return Derivation {
                    annotations: derived.annotations.clone(),
                    certificate: Some(certified(model, &tried, derived)),
                    candidate: with_unordered(model, tried),
                    refused,
                    parts,
                    is_complete: false,
                    is_reduced,
                    condensed: None,
                };
            }
            Err(refusal) => refusal,
        };
        let given_up: Vec<usize> = match &refusal.concerns {
            Concerns::Mixed(domains, with)
                if model.language.is_of_rules()
                    && mix(&mut trials, domains[0] as usize, *with as usize) =>
            {
                continue;
            }
            Concerns::Some(domains) | Concerns::Mixed(domains, _) => {
                domains.iter().take(1).map(|d| *d as usize).collect()
            }
            Concerns::All => (0..trials.len()).collect(),
        };
        for place in given_up.into_iter().rev() {
            let trial = take_out(&mut trials, place);
            let label = trial.label(model);
            match trial.next() {
                Some(next) => {
                    is_reduced = true;
                    trials.insert(place, next);
                }
                None => refused.push((label, refusal.breach.clone())),
            }
        }
    }
    Derivation {
        refused,
        parts,
        ..Derivation::default()
    }
}

/// Makes two sets of names parts of one, with those that they are parts of one with already. Says whether that is possible: no value may be in both.
fn mix(trials: &mut Vec<Trial>, a: usize, b: usize) -> bool {
    let (Some(one), Some(other)) = (run_of(trials, a), run_of(trials, b)) else {
        return false;
    };
    let names = |trial: &Trial| match trial {
        Trial::Names(ways) => ways.first().map(|n| (n.first, n.first + i64::from(n.size))),
        Trial::Family(_) => None,
    };
    let both = trials[one.clone()].iter().chain(&trials[other.clone()]);
    let ranges: Option<Vec<(i64, i64)>> = both.map(names).collect();
    let Some(mut ranges) = ranges else {
        return false;
    };
    ranges.sort_unstable();
    let is_apart = ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    if one == other || !is_apart {
        return false;
    }
    let (first, second) = match one.start < other.start {
        true => (one, other),
        false => (other, one),
    };
    let more: Vec<Trial> = trials.drain(second).collect();
    let mut run: Vec<Trial> = trials.drain(first.clone()).chain(more).collect();
    run.sort_by_key(|trial| names(trial));
    for (number, trial) in run.iter_mut().enumerate() {
        set_mixed(trial, number > 0);
    }
    trials.splice(first.start..first.start, run);
    true
}

/// The places of the trials that are parts of one set of names with one; nothing if that is a family.
fn run_of(trials: &[Trial], place: usize) -> Option<std::ops::Range<usize>> {
    let is_mixed = |trial: &Trial| match trial {
        Trial::Names(ways) => ways.first().is_some_and(|names| names.mixed),
        Trial::Family(_) => false,
    };
    matches!(trials[place], Trial::Names(_)).then_some(())?;
    let before = trials[..=place].iter().rev();
    let start = place - before.take_while(|trial| is_mixed(trial)).count();
    let behind = trials[place + 1..].iter();
    let end = place + 1 + behind.take_while(|trial| is_mixed(trial)).count();
    Some(start..end)
}

fn set_mixed(trial: &mut Trial, mixed: bool) {
    if let Trial::Names(ways) = trial {
        ways.iter_mut().for_each(|names| names.mixed = mixed);
    }
}

/// Takes a trial out. The one behind it may be the first part of a set then.
fn take_out(trials: &mut Vec<Trial>, place: usize) -> Trial {
    let starts_here = run_of(trials, place).is_some_and(|run| run.start == place);
    let trial = trials.remove(place);
    if starts_here && let Some(next) = trials.get_mut(place) {
        set_mixed(next, false);
    }
    trial
}

/// What is tried. Families come first.
fn candidate(trials: &[Trial]) -> Candidate {
    let mut candidate = Candidate::default();
    for trial in trials {
        match trial {
            Trial::Family(family) => candidate.families.push(family.clone()),
            Trial::Names(ways) => candidate.names.extend(ways.first().cloned()),
        }
    }
    candidate
}

/// Whether a set is one of names, and not one of processes.
fn is_of_names(set: &Scalarset) -> bool {
    let of_processes = |kind: &UseKind| matches!(kind, UseKind::Processes(_));
    !set.uses.iter().any(|used| of_processes(&used.kind))
}

/// The same candidate, and what has no order by the language.
fn with_unordered(model: &Model, mut candidate: Candidate) -> Candidate {
    let unordered = model.scalarsets.iter().filter(|set| set.unordered);
    candidate.names.extend(unordered.map(name_set));
    candidate
}

/// The certificate for domains that are derived, and for what has no order by the language.
fn certified(model: &Model, candidate: &Candidate, derived: Derived) -> Certificate {
    let kinds = with_unordered(model, candidate.clone())
        .domains()
        .into_iter();
    let settled = derived
        .settled
        .into_iter()
        .chain(std::iter::repeat_with(Vec::new));
    let domains = kinds.zip(settled).map(|(kind, settled)| Domain {
        kind,
        settled,
        residents: Vec::new(),
    });
    let domains: Vec<Domain> = domains.collect();
    Certificate {
        full: vec![true; domains.len()],
        domains,
        renamings: Vec::new(),
        sorts: derived.sorts.without_scratch(model),
        choices: Some(derived.choices),
    }
}
