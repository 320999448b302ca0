//! Proofs for certificates. Nothing here is trusted: whatever is left out or wrong, the checker rejects, or what it cannot follow is named as trusted.

use crate::check::{Reject, dead_nodes, run};
use crate::proof::{Case, Dead, Moves, Notes, Proof, Temporary};
use mandala_model::Model;
use mandala_model::ids::NodeId;
use mandala_model::step::Observers;
use mandala_model::template::{Routine, Step};
use mandala_symmetry::Certificate;
use mandala_symmetry::derive::{Annotations, Body, annotate};
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::{BTreeMap, BTreeSet};

/// The proof of what a certificate says.
///
/// # Errors
///
/// What stands in the way of any proof that the checker accepts, even with parts that are trusted.
pub fn prove(model: &Model, observers: Observers, certificate: &Certificate) -> Result<Proof, Reject> {
    let mut proof = Proof::of(certificate);
    let annotations = annotate(model, observers, certificate);
    proof.scratch = annotations.scratch.clone();
    proof.bodies = notes(model, &annotations);
    proof.cases = cases(model, &proof);
    trust_the_rest(model, observers, &mut proof)?;
    Ok(proof)
}

/// What could not be shown is trusted.
fn trust_the_rest(model: &Model, observers: Observers, proof: &mut Proof) -> Result<(), Reject> {
    let mut failed = Vec::new();
    run(model, observers, proof, &mut |case, body, found| {
        if let Err(reject) = found {
            failed.push((case, body, reject.message));
        }
        Ok(())
    })?;
    for (case, body, reason) in failed {
        proof.cases[case].trusted.insert(body, reason);
    }
    Ok(())
}

/// A case for the full domains that begin together, and one for each renaming.
fn cases(model: &Model, proof: &Proof) -> Vec<Case> {
    let mut together: Vec<Vec<usize>> = Vec::new();
    let full = (0..proof.domains.len()).filter(|d| proof.full[*d] && !crate::check::is_unordered(model, proof, *d));
    for domain in full {
        let settled = &proof.domains[domain].settled;
        match together.iter_mut().find(|other| proof.domains[other[0]].settled == *settled) {
            Some(others) => others.push(domain),
            None => together.push(vec![domain]),
        }
    }
    let all = together.into_iter().map(Moves::All);
    let one = proof.renamings.iter().cloned().map(Moves::One);
    all.chain(one).map(Case::of).collect()
}

/// What is said of bodies: the types that were learnt, and where temporaries hold nothing.
fn notes(model: &Model, annotations: &Annotations) -> BTreeMap<Body, Notes> {
    let of = |(body, types): (&Body, &mandala_symmetry::derive::BodyTypes)| {
        let mut notes = Notes {
            locals: types.locals.clone(),
            globals: types.globals.clone(),
            references: types.references.clone(),
            binders: types.binders.clone(),
            dead: Vec::new(),
        };
        match body {
            Body::Edge(template, index) => {
                if let Step::Routine(routine) = &model.template(*template).edges[*index as usize].step {
                    notes.dead = dead(routine, None, &notes);
                }
            }
            Body::Function(id) => {
                let function = model.function(*id);
                notes.dead = dead(&function.body, function.result.map(|id| id.0), &notes);
            }
            _ => {}
        }
        (*body, notes)
    };
    let all = annotations.bodies.iter().map(of);
    all.filter(|(_, notes)| *notes != Notes::default()).collect()
}

/// Where temporaries hold nothing that is read later, as far as that matters: at the heads of loops over names, and where a routine starts.
fn dead(routine: &Routine, result: Option<u32>, notes: &Notes) -> Vec<Dead> {
    let loops = routine.loops.iter().filter(|each| {
        let shape = notes.locals.get(&each.variable.0);
        shape.is_some_and(has_names)
    });
    let heads: Vec<NodeId> = loops.map(|each| each.head).collect();
    let locals = notes.locals.iter().map(|(id, shape)| (Temporary::Local(*id), shape));
    let globals = notes.globals.iter().map(|(id, shape)| (Temporary::Global(id.0), shape));
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
                all.push(Dead { variable, path, nodes });
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
