//! Proofs for certificates. Nothing here is trusted: whatever is left out or wrong, the checker rejects, or what it cannot follow is named as trusted.

mod matching;
mod values;

use crate::check::{Reject, counting_heads, dead_nodes, examine, run};
use crate::proof::{Case, Dead, Moves, Notes, Proof, Temporary};
use mandala_model::Model;
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::step::Observers;
use mandala_model::template::{Routine, Step};
use mandala_symmetry::derive::{Annotations, Body, BodyTypes, annotate};
use mandala_symmetry::sorts::{Shape, Sort};
use mandala_symmetry::{Certificate, DomainKind};
use matching::tables;
use std::collections::{BTreeMap, BTreeSet};
use values::with_values;

/// The proof of what a certificate says.
///
/// # Errors
///
/// What stands in the way of any proof that the checker accepts, even with parts that are trusted.
pub fn prove(
    model: &Model,
    observers: Observers,
    certificate: &Certificate,
) -> Result<Proof, Reject> {
    let annotations = annotate(model, observers, certificate.domains(), certificate.sorts());
    argue(
        model,
        observers,
        derivation(model, certificate, &annotations),
    )
}

/// The proof of a claim, which need not be so: what is missing of it is searched for, and what is not found is trusted.
///
/// # Errors
///
/// What stands in the way of any proof that the checker accepts, even with parts that are trusted.
pub fn argue(model: &Model, observers: Observers, mut proof: Proof) -> Result<Proof, Reject> {
    let cases = proof.cases.clone();
    proof.cases = refine(model, observers, &proof, cases.clone());
    let count = failed(model, observers, &proof)?.len();
    if count > 0 {
        // What is known of values may help.
        let mut known = with_values(model, observers, &proof);
        known.cases = refine(model, observers, &known, cases);
        if failed(model, observers, &known).is_ok_and(|failed| failed.len() < count) {
            proof = known;
        }
    }
    trust_the_rest(model, observers, &mut proof)?;
    Ok(proof)
}

/// The proof that types are: nothing is searched for.
pub fn derivation(model: &Model, certificate: &Certificate, annotations: &Annotations) -> Proof {
    annotated(model, Proof::of(certificate), annotations)
}

/// A claim with the types of what is no part of the state, and all else that needs no search.
pub fn annotated(model: &Model, mut proof: Proof, annotations: &Annotations) -> Proof {
    proof.scratch = annotations.scratch.clone();
    proof.bodies = types(annotations);
    proof.bodies = notes(model, &proof);
    proof.cases = cases(model, &proof);
    proof
}

/// What could not be shown is trusted.
fn trust_the_rest(model: &Model, observers: Observers, proof: &mut Proof) -> Result<(), Reject> {
    for (case, body, reason) in failed(model, observers, proof)? {
        proof.cases[case].trusted.insert(body, reason);
    }
    Ok(())
}

/// The parts that the checker cannot follow, by their cases, and why.
fn failed(
    model: &Model,
    observers: Observers,
    proof: &Proof,
) -> Result<Vec<(usize, Body, String)>, Reject> {
    let mut failed = Vec::new();
    run(model, observers, proof, &mut |case, body, found| {
        if let Err(reject) = found {
            failed.push((case, body, reject.message));
        }
        Ok(())
    })?;
    Ok(failed)
}

/// How many parts of a single case the checker cannot follow.
fn failures(model: &Model, observers: Observers, proof: &Proof, case: &Case) -> usize {
    let mut count = 0;
    let found = examine(model, observers, proof, case, &mut |_, found| {
        count += usize::from(found.is_err());
        Ok(())
    });
    found.map_or(usize::MAX, |()| count)
}

/// The same cases, with more said of those that the checker cannot follow; or cases for the exchanges of neighbours in their place, where that helps.
fn refine(model: &Model, observers: Observers, proof: &Proof, cases: Vec<Case>) -> Vec<Case> {
    let mut refined = Vec::new();
    for case in cases {
        let count = failures(model, observers, proof, &case);
        match &case.moves {
            _ if count == 0 => refined.push(case),
            Moves::One(_) => refined.push(completed(model, observers, proof, case, count)),
            Moves::All(domains) => {
                for domain in domains {
                    refined.extend(exchanged(model, observers, proof, *domain));
                }
            }
        }
    }
    refined
}

/// The cases for one domain that is full.
fn exchanged(model: &Model, observers: Observers, proof: &Proof, domain: usize) -> Vec<Case> {
    let whole = Case::of(Moves::All(vec![domain]));
    let count = failures(model, observers, proof, &whole);
    let exchanges = proof.exchanges(domain);
    if count == 0 || exchanges.len() > MOST_EXCHANGES {
        return vec![whole];
    }
    let mut cases = Vec::new();
    for exchange in exchanges {
        let case = Case::of(Moves::One(exchange));
        let all = failures(model, observers, proof, &case);
        cases.push(completed(model, observers, proof, case, all));
        let last = cases
            .last()
            .map(|case| failures(model, observers, proof, case));
        // What one exchange does not show, the others hardly do.
        if last.is_none_or(|last| last >= count) {
            return vec![whole];
        }
    }
    cases
}

/// A domain with more exchanges of neighbours is not looked at one by one.
const MOST_EXCHANGES: usize = 40;

/// A case of one renaming with what helps of tables of edges, and of processes that are known by their numbers.
fn completed(model: &Model, observers: Observers, proof: &Proof, case: Case, count: usize) -> Case {
    if count == 0 {
        return case;
    }
    let mut best = (count, case.clone());
    let families = proof
        .domains
        .iter()
        .filter_map(|domain| match &domain.kind {
            DomainKind::Processes { template, .. } => Some(*template),
            DomainKind::Names { .. } => None,
        });
    let families: BTreeSet<TemplateId> = families.collect();
    for each in [BTreeSet::new(), families] {
        let mut tried = Case {
            each,
            ..case.clone()
        };
        tried.edges = tables(model, observers, proof, &tried);
        let count = failures(model, observers, proof, &tried);
        if count < best.0 {
            best = (count, tried);
        }
        if best.0 == 0 {
            break;
        }
    }
    best.1
}

/// A case for the full domains that begin together, and one for each renaming.
fn cases(model: &Model, proof: &Proof) -> Vec<Case> {
    let mut together: Vec<Vec<usize>> = Vec::new();
    let full = (0..proof.domains.len())
        .filter(|d| proof.full[*d] && !crate::check::is_unordered(model, proof, *d));
    for domain in full {
        let settled = &proof.domains[domain].settled;
        match together
            .iter_mut()
            .find(|other| proof.domains[other[0]].settled == *settled)
        {
            Some(others) => others.push(domain),
            None => together.push(vec![domain]),
        }
    }
    let all = together.into_iter().map(Moves::All);
    let one = proof.renamings.iter().cloned().map(Moves::One);
    all.chain(one).map(Case::of).collect()
}

/// What is said of bodies: the types that were learnt.
fn types(annotations: &Annotations) -> BTreeMap<Body, Notes> {
    let of = |(body, types): (&Body, &BodyTypes)| {
        let notes = Notes {
            locals: types.locals.clone(),
            globals: types.globals.clone(),
            references: types.references.clone(),
            binders: types.binders.clone(),
            ..Notes::default()
        };
        (*body, notes)
    };
    annotations.bodies.iter().map(of).collect()
}

/// The same, and which loops count, and where temporaries hold nothing.
fn notes(model: &Model, proof: &Proof) -> BTreeMap<Body, Notes> {
    let mut all = proof.bodies.clone();
    for (body, notes) in &mut all {
        match body {
            Body::Edge(template, index) => {
                if let Step::Routine(routine) =
                    &model.template(*template).edges[*index as usize].step
                {
                    notes.counted = counting_heads(model, proof, *body, routine);
                    notes.dead = dead(routine, None, notes);
                }
            }
            Body::Function(id) => {
                let function = model.function(*id);
                notes.dead = dead(&function.body, function.result.map(|id| id.0), notes);
            }
            _ => {}
        }
    }
    let says = |body: &Body, notes: &mut Notes| {
        matches!(body, Body::Function(_)) || *notes != Notes::default()
    };
    all.retain(says);
    all
}

/// Where temporaries hold nothing that is read later, as far as that matters: at the heads of loops over names, behind those that count, and where a routine starts.
fn dead(routine: &Routine, result: Option<u32>, notes: &Notes) -> Vec<Dead> {
    let loops = routine.loops.iter().filter(|each| {
        let shape = notes.locals.get(&each.variable.0);
        shape.is_some_and(has_names)
    });
    let behind = |head: &NodeId| {
        routine.nodes[head.index()]
            .choices
            .last()
            .and_then(|out| out.next)
    };
    let heads = loops
        .map(|each| each.head)
        .chain(notes.counted.iter().copied());
    let behind = notes.counted.iter().filter_map(behind);
    let heads: Vec<NodeId> = heads.chain(behind).collect();
    let locals = notes
        .locals
        .iter()
        .map(|(id, shape)| (Temporary::Local(*id), shape));
    let globals = notes
        .globals
        .iter()
        .map(|(id, shape)| (Temporary::Global(id.0), shape));
    let mut all = Vec::new();
    for (variable, shape) in locals.chain(globals) {
        let mut starts = heads.clone();
        starts.extend(has_names(shape).then_some(NodeId(0)));
        let mut paths = vec![Vec::new()];
        push_paths(shape, &mut Vec::new(), &mut paths);
        for path in paths {
            let mut nodes = BTreeSet::new();
            for start in &starts {
                nodes.extend(dead_nodes(routine, result, variable, &path, *start));
            }
            if !nodes.is_empty() {
                all.push(Dead {
                    variable,
                    path,
                    nodes,
                });
            }
        }
    }
    all
}

/// The ways to the parts of a record.
fn push_paths(shape: &Shape<Sort>, path: &mut Vec<u32>, paths: &mut Vec<Vec<u32>>) {
    if let Shape::Record(fields) = shape {
        for (number, field) in (0..).zip(fields) {
            path.push(number);
            paths.push(path.clone());
            push_paths(field, path, paths);
            path.pop();
        }
    }
}

fn has_names(shape: &Shape<Sort>) -> bool {
    match shape {
        Shape::Cell(sort, _) => matches!(sort, Sort::Name(..) | Sort::Process(_)),
        Shape::Record(fields) => fields.iter().any(has_names),
        Shape::Array { element, .. } => has_names(element),
    }
}
