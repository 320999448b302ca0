//! Symmetry by type: a proof that sets of names are interchangeable, which follows the syntax of the model.
//!
//! A declared set of names ([`Scalarset`]) is a type. Every cell, parameter, bound variable and expression has a type: a *name* of one of the sets, or a
//! *plain* number. An expression is *equivariant* if its value in a renamed state is its renamed value, and it has no value in the one state iff it has
//! none in the other. Every rule below derives that an expression or statement is equivariant from the same of its parts. The model is not written out:
//! the work is linear in its size, and does not depend on the number of names. There is no clock and no search.
//!
//! # The theorem
//!
//! If every rule holds, then for every permutation `g` of every set: a step with parameters `p` leads from a state `s` to `t` iff the same step with the
//! renamed parameters `g p` leads from `g s` to `g t`; it reports a violation in the one iff it does so in the other; and each condition that a property asks
//! holds in `s` iff it holds in `g s`. ("Leads to `g t`" is meant up to the order of elements of multisets; and where several members fail in one loop, which failure
//! is reported may be another one.) That is what a [`Certificate`] says ([`mod@crate::certify`]) of domains that are full and always settled.
//!
//! # The rules
//!
//! 1. 0 is no name of any set, so that "undefined" and "false" are kept, and whether a value is 0 is the same after renaming.
//! 2. A constant is equivariant as a plain number, and as a name iff it is none: a renaming keeps it.
//! 3. `a = b` and `a != b`: both sides have one type. `&&`, `||`, `!` and conditions ask whether a value is 0. All other operations, ordered comparisons among
//!    them, are for plain numbers.
//! 4. `c ? a : b`: both branches have one type, which is that of the whole.
//! 5. `x[e]`: the type of `e` is that of the index of the array. The element of a renamed state at the renamed index is the renamed element.
//! 6. `x := e`: both have one type. What a constant becomes when it is stored must fit as well.
//! 7. A cell of a type of names keeps all names of the set as they are, or refuses all of them with a run-time error; an array indexed by names has an element for all
//!    of them, or for none.
//! 8. The values of a parameter whose type is a set have all names of it, or none: a renaming maps the choices to each other.
//! 9. A routine takes the first choice that it can at each node; which one that is depends on conditions, so it is the same. Statements one after the other
//!    compose.
//! 10. Temporaries hold the same values whenever a step begins, and none of these is a name. So they have types of their own in each body.
//! 11. An element that is added to a multiset goes to the first free position: which one that is does not change, as positions are not renamed.
//! 12. A quantifier over the names of a set evaluates its body for all of them and does not stop early, and its value is none of them.
//! 13. A function has one type: its parameters, references and result have the types of what is passed in every call.
//! 14. A loop over the names of a set: no iteration may disturb another one ([`loops`] has the rule and its reasons), so that their order does not matter.
//! 15. Processes, their locations and numbers are not renamed, so questions about them have plain answers. Messages and creation of processes are not derived.
//!
//! What is refused here may be a symmetry all the same: then [`mod@crate::certify`] looks at what the model does.
//!
//! # What is trusted
//!
//! The second pass of [`typer`] and [`bodies`] over the model, with the types that the first one learnt; this file; [`crate::action`] and [`crate::sorts`].

mod accesses;
mod bodies;
mod liveness;
mod loops;
mod typer;
mod types;

use crate::breach::Breach;
use crate::certificate::Certificate;
use crate::domain::{Candidate, Domain};
use crate::sorts::{Names, Sort, Sorts};
use crate::unordered::name_set;
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{FunctionId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Observers;
use mandala_model::symmetry::{Scalarset, UseKind};
use mandala_model::template::Role;
use mandala_model::types::{Storage, Variable};
use std::ops::Range;
use std::rc::Rc;
use typer::{Typed, Typer};
use types::{NameType, Slot};

/// What follows from the types of a model.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// The proof for the sets that are derived, together with what has no order by the language; nothing if no set is.
    pub certificate: Option<Certificate>,
    /// What the certificate is about.
    pub candidate: Candidate,
    /// The declared sets that are not derived, by their names, and why.
    pub refused: Vec<(String, Breach)>,
}

/// Why a set is not derived.
#[derive(Clone, Debug)]
struct Refusal {
    /// The set to be given up; `None` if nothing can be derived of such a model.
    set: Option<u32>,
    breach: Breach,
}

impl Refusal {
    fn of(set: u32, span: Span, message: String) -> Self {
        Refusal {
            set: Some(set),
            breach: Breach::at(span, message),
        }
    }

    /// The model does something that no rule is about.
    fn unsupported(span: Span) -> Self {
        Refusal {
            set: None,
            breach: Breach::at(span, "no rule derives this from types"),
        }
    }

    fn because(mut self, how: &str) -> Self {
        self.breach.message = format!("{}: it {how}", self.breach.message);
        self
    }
}

/// The sets of names that are renamed.
struct NameSets<'m>(Vec<&'m Scalarset>);

impl NameSets<'_> {
    fn names(&self, set: u32) -> Range<Value> {
        let set = self.0[set as usize];
        set.first..set.first + Value::from(set.size)
    }

    fn is_name(&self, set: u32, value: Value) -> bool {
        self.names(set).contains(&value)
    }

    fn label(&self, set: u32) -> &str {
        &self.0[set as usize].name
    }

    /// The one of two sets that has fewer names; in doubt the later one.
    fn smaller(&self, a: u32, b: u32) -> u32 {
        let (first, second) = (a.min(b), a.max(b));
        match self.0[first as usize].size < self.0[second as usize].size {
            true => first,
            false => second,
        }
    }
}

/// Derives as many of the declared sets of names of a model as possible. Sets that are refused are plain numbers to the others.
pub fn derive(model: &Model, observers: Observers) -> Derivation {
    let declared = model.scalarsets.iter();
    let declared = declared.filter(|set| !set.unordered);
    let (sets, others): (Vec<_>, Vec<_>) = declared.partition(|set| is_of_names(set));
    let mut sets = NameSets(sets);
    let mut refused = Vec::new();
    for set in others {
        let breach = Breach::at(set.span, "no rule derives this from types");
        refused.push((set.name.clone(), breach));
    }
    while !sets.0.is_empty() {
        match derived(model, observers, &sets) {
            Ok(sorts) => return certified(model, &sets, sorts, refused),
            Err(Refusal { set, breach }) => {
                let given_up: Vec<usize> = match set {
                    Some(set) => vec![set as usize],
                    None => (0..sets.0.len()).collect(),
                };
                for set in given_up.into_iter().rev() {
                    let set = sets.0.remove(set);
                    refused.push((set.name.clone(), breach.clone()));
                }
            }
        }
    }
    Derivation {
        refused,
        ..Derivation::default()
    }
}

/// Whether a set is one of names, none of which is 0, and not one of processes.
fn is_of_names(set: &Scalarset) -> bool {
    let of_processes = |kind: &UseKind| matches!(kind, UseKind::Processes(_));
    set.first > 0 && !set.uses.iter().any(|used| of_processes(&used.kind))
}

/// The sorts of the model, if every rule holds for them.
fn derived(model: &Model, observers: Observers, sets: &NameSets<'_>) -> Typed<Sorts> {
    if let Some(kind) = model.channel_kinds.first() {
        return Err(Refusal::unsupported(kind.span));
    }
    let mut typer = Typer::new(model, sets);
    declare(&mut typer)?;
    over_all(&mut typer, observers)?;
    typer.start_check();
    typer.state_room()?;
    over_all(&mut typer, observers)?;
    Ok(sorts(&mut typer))
}

/// Goes over everything that a check carries out.
fn over_all(typer: &mut Typer<'_>, observers: Observers) -> Typed<()> {
    let model = typer.model;
    if let Some(events) = observers.events {
        return Err(Refusal::unsupported(model.template(events).span));
    }
    let is_of_runs = observers.claim.is_some() || observers.asked.is_some();
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        let runs = match template.role {
            Role::Process => true,
            Role::Claim => observers.claim == Some(Claim::Template(id)),
            Role::Events(_) | Role::Monitors => false,
        };
        if !runs {
            continue;
        }
        if let Some(provided) = &template.provided {
            typer.enter(Some(id));
            typer.truth(provided)?;
        }
        typer.edges(id)?;
    }
    // What is claimed of whole runs is not a matter of monitors.
    if let Some(monitors) = model.monitor_template().filter(|_| !is_of_runs) {
        typer.edges(monitors)?;
    }
    for id in 0..model.functions.len() {
        typer.function(FunctionId::from(id))?;
    }
    let claimed = match observers.claim {
        Some(Claim::Automaton(property)) => Some(property),
        Some(Claim::Template(_)) | None => None,
    };
    for property in claimed.into_iter().chain(observers.asked) {
        typer.conditions(property)?;
    }
    Ok(())
}

/// Learns from the declarations of the sets which parts of the state hold names or are indexed by them.
fn declare(typer: &mut Typer<'_>) -> Typed<()> {
    let (sets, state) = (typer.sets, Rc::clone(&typer.state));
    for (number, set) in (0..).zip(&sets.0) {
        let uses = set.uses.iter();
        for used in uses.filter(|used| is_part_of_state(typer.model, &used.kind)) {
            for slot in state.used(typer.model, &used.kind) {
                typer.declare(*slot, number, used.span)?;
            }
        }
    }
    Ok(())
}

/// The sorts that follow from the types of a model, and from what has no order by the language.
fn sorts(typer: &mut Typer<'_>) -> Sorts {
    let (model, state) = (typer.model, Rc::clone(&typer.state));
    let mut sets = typer.sets.0.clone();
    let mut positions = Vec::new();
    for set in model.scalarsets.iter().filter(|set| set.unordered) {
        let uses = set
            .uses
            .iter()
            .flat_map(|used| state.used(model, &used.kind));
        positions.extend(uses.map(|slot| (*slot, sets.len() as u32)));
        sets.push(set);
    }
    let mut sort = |slot: &Slot| {
        let position = positions.iter().find(|(index, _)| index == slot);
        let named = match typer.slots.resolve(NameType::Open(*slot)) {
            NameType::Name(set) => Some(set),
            _ => position.map(|(_, set)| *set),
        };
        named.map_or(Sort::Plain, |set| Sort::Name(set, 0))
    };
    let names = sets.iter().map(|set| Names {
        first: set.first,
        size: set.size,
    });
    Sorts {
        names: names.collect(),
        rows: Vec::new(),
        classes: state.map(&mut sort),
        messages: Vec::new(),
        kinds: Vec::new(),
    }
}

/// Whether names in that place outlast a step.
fn is_part_of_state(model: &Model, place: &UseKind) -> bool {
    let lasts = |variable: &Variable| variable.storage == Storage::State;
    match place {
        UseKind::Holds { variable, .. } | UseKind::Indexes { variable, .. } => {
            model.variable(*variable).is_some_and(lasts)
        }
        UseKind::Processes(_) | UseKind::Message { .. } => true,
    }
}

/// The certificate for sets that are derived, and for what has no order by the language.
fn certified(
    model: &Model,
    sets: &NameSets<'_>,
    sorts: Sorts,
    refused: Vec<(String, Breach)>,
) -> Derivation {
    let unordered = model.scalarsets.iter().filter(|set| set.unordered);
    let names = sets.0.iter().copied().chain(unordered);
    let candidate = Candidate {
        names: names.map(name_set).collect(),
        ..Candidate::default()
    };
    let domains = candidate.domains().into_iter().map(|kind| Domain {
        kind,
        settled: Vec::new(),
        residents: Vec::new(),
    });
    let domains: Vec<Domain> = domains.collect();
    Derivation {
        certificate: Some(Certificate {
            full: vec![true; domains.len()],
            domains,
            renamings: Vec::new(),
            sorts: sorts.without_scratch(model),
        }),
        candidate,
        refused,
    }
}
