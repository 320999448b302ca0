//! The checker of proofs accepts what follows from types, and nothing that is not so: no proof of a neighbour, and none that something was changed in.

use crate::common::{Judgement, Loaded, judge_moves, load, load_rules, try_load};
use crate::scalarsets::{BROKEN, CALLS, CONDITIONS, LOOPS, nodes_text};
use crate::{mutants, mutants_of_names, mutants_of_rings};
use mandala_model::State;
use mandala_model::step::Observers;
use mandala_proof::document::WrittenProof;
use mandala_proof::proof::Notes;
use mandala_proof::{Proof, annotated, check, derivation, prove};
use mandala_symmetry::derive::annotate;
use mandala_symmetry::sorts::{Shape, Sort};
use mandala_symmetry::{Action, Renaming, derive, derive_processes};
use serde_json::Value;

/// What types prove of a model.
pub fn derived(loaded: &Loaded) -> Option<Proof> {
    let observers = loaded.observers();
    let derived = match loaded.model.not_written_out() {
        Some(_) => derive(&loaded.model, observers),
        None => derive_processes(&loaded.model, observers, &loaded.census()),
    };
    let certificate = derived.certificate?;
    Some(derivation(
        &loaded.model,
        &certificate,
        &derived.annotations,
    ))
}

/// Whether the checker accepts a proof, and trusts nothing.
pub fn is_accepted(loaded: &Loaded, proof: &Proof) -> bool {
    let found = check(&loaded.model, loaded.observers(), proof);
    found.is_ok_and(|accepted| accepted.trusted.is_empty())
}

/// Whether brute force finds nothing wrong with what a proof claims.
pub fn is_right(loaded: &Loaded, proof: &Proof, limit: usize) -> bool {
    let action = Action::new(&loaded.model, &proof.sorts);
    let moves = |state: &State| {
        let settled = |domain: &usize| proof.domains[*domain].is_settled(state);
        let full = (0..proof.domains.len()).filter(|domain| proof.full[*domain]);
        let exchanges = full
            .filter(settled)
            .flat_map(|domain| proof.exchanges(domain));
        let all = (0..proof.domains.len()).all(|domain| settled(&domain));
        let renamings = proof.renamings.iter().filter(|_| all).cloned();
        let mut moves: Vec<Renaming> = exchanges.chain(renamings).collect();
        moves.retain(|renaming| action.apply(renaming, state).is_some());
        moves
    };
    let found = judge_moves(loaded, &proof.sorts, &proof.domains, limit, moves);
    matches!(found, Judgement::Symmetric { .. })
}

/// Declarations and a body that is right, and bodies in its place that are not.
fn rules() -> impl Iterator<Item = &'static str> {
    CONDITIONS.iter().chain(CALLS).chain(LOOPS).copied()
}

#[test]
fn what_types_prove_is_accepted() {
    let mut accepted = 0;
    for rules in rules() {
        let loaded = load_rules(&nodes_text(rules), &[]);
        let proof = derived(&loaded).expect("types prove it");
        assert_eq!(
            check(&loaded.model, Observers::default(), &proof).map(|a| a.trusted),
            Ok(Vec::new()),
            "{rules}"
        );
        accepted += 1;
    }
    let texts = mutants::all_texts().into_iter();
    for (text, defines) in texts.chain(mutants_of_names::all_texts()) {
        let Some(loaded) = try_load(&text, defines) else {
            continue;
        };
        if let Some(proof) = derived(&loaded) {
            let found = check(&loaded.model, loaded.observers(), &proof);
            assert_eq!(found.map(|a| a.trusted), Ok(Vec::new()), "{text}");
            accepted += 1;
        }
    }
    assert!(accepted > 60, "{accepted}");
}

#[test]
fn a_proof_of_a_model_is_no_proof_of_what_tells_names_apart() {
    let (mut rejected, mut accepted) = (0, 0);
    let all = mutants::texts_with_mutants().into_iter();
    for (text, others, defines) in all.chain(mutants_of_names::texts_with_mutants()) {
        let base = load(&text, defines);
        let Some(proof) = derived(&base) else {
            continue;
        };
        for other in others {
            let Some(loaded) = try_load(&other, defines) else {
                continue;
            };
            match is_accepted(&loaded, &proof) {
                true => {
                    assert!(is_right(&loaded, &proof, 500), "{other}");
                    accepted += 1;
                }
                false => rejected += 1,
            }
        }
    }
    assert!(rejected > 30, "{rejected} rejected, {accepted} accepted");
}

#[test]
fn a_proof_of_a_ring_is_no_proof_of_what_tells_its_members_apart() {
    let (mut bases, mut rejected) = (0, 0);
    for (text, others, defines) in mutants_of_rings::texts_with_mutants() {
        let base = load(&text, &defines);
        let certificate = base.symmetry().certificate.expect("a ring has rotations");
        let proof = prove(&base.model, base.observers(), &certificate).expect("a proof");
        if !is_accepted(&base, &proof) {
            continue;
        }
        bases += 1;
        for other in others {
            let Some(loaded) = try_load(&other, &defines) else {
                continue;
            };
            match is_accepted(&loaded, &proof) {
                true => assert!(is_right(&loaded, &proof, 300), "{other}"),
                false => rejected += 1,
            }
        }
    }
    assert!(bases >= 3 && rejected > 30, "{bases}, {rejected}");
}

/// The claim of a proof about one model, as one about another model with the same global variables.
fn forged(loaded: &Loaded, from: &Proof) -> Proof {
    let model = &loaded.model;
    let mut forged = from.clone();
    let plain = |v: &mandala_model::types::Variable| Shape::of(model, &v.ty, &mut || Sort::Plain);
    let locals = model.runnables();
    let locals = locals.map(|(_, t)| t.locals.iter().map(plain).collect());
    forged.sorts.classes.locals = locals.collect();
    forged.values = forged.sorts.classes.map(&mut |_| None);
    forged.bodies.clear();
    let annotations = annotate(model, loaded.observers(), &forged.domains, &forged.sorts);
    annotated(model, forged, &annotations)
}

#[test]
fn a_forged_derivation_of_broken_rules_is_rejected() {
    let right = load_rules(&nodes_text(CONDITIONS[0]), &[]);
    let proof = derived(&right).expect("types prove it");
    for rules in rules() {
        let loaded = load_rules(&nodes_text(rules), &[]);
        if loaded.model.globals == right.model.globals {
            assert!(is_accepted(&loaded, &forged(&loaded, &proof)), "{rules}");
        }
    }
    for rules in BROKEN {
        let loaded = load_rules(&nodes_text(rules), &[]);
        let forged = forged(&loaded, &proof);
        assert!(!is_accepted(&loaded, &forged), "{rules}");
        // Nor if nothing is said of any body, or nothing holds anything.
        let mut bare = forged.clone();
        bare.bodies
            .values_mut()
            .for_each(|notes| notes.binders.clear());
        assert!(!is_accepted(&loaded, &bare), "{rules}");
        for notes in bare.bodies.values_mut() {
            *notes = Notes {
                locals: std::mem::take(&mut notes.locals),
                ..Notes::default()
            };
        }
        assert!(!is_accepted(&loaded, &bare), "{rules}");
    }
}

/// Changes of one value of a document.
fn changes(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![Value::from(0)],
        Value::Bool(truth) => vec![Value::from(!truth)],
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or_default();
            vec![Value::from(number + 1), Value::from(number - 1)]
        }
        Value::String(text) => match text.as_str() {
            "-" => vec!["n0".into(), "p".into(), "c0".into()],
            _ => vec!["-".into(), format!("{text}+1").into()],
        },
        Value::Array(all) => (0..all.len().min(3))
            .map(|place| {
                let mut fewer = all.clone();
                fewer.remove(place);
                fewer.into()
            })
            .collect(),
        Value::Object(_) => Vec::new(),
    }
}

/// The same document with each of its values changed.
fn corrupted(document: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let own = changes(document).into_iter();
    all.extend(own.map(|changed| (String::new(), changed)));
    match document {
        Value::Array(values) => {
            for (place, value) in values.iter().enumerate() {
                for (at, changed) in corrupted(value) {
                    let mut other = values.clone();
                    other[place] = changed;
                    all.push((format!("/{place}{at}"), other.into()));
                }
            }
        }
        Value::Object(values) => {
            for (name, value) in values {
                for (at, changed) in corrupted(value) {
                    let mut other = values.clone();
                    other[name] = changed;
                    all.push((format!("/{name}{at}"), other.into()));
                }
            }
        }
        _ => {}
    }
    all
}

const PROVED: &[&str] = &[
    "byte flag[3]; byte turn = 255; chan c = [2] of { byte, byte };
     active [3] proctype P() {
        byte other = 255;
        do
        :: turn == 255 -> turn = _pid; flag[_pid] = 1
        :: turn == _pid && flag[_pid] -> c ! _pid, 4; flag[_pid] = 0; turn = 255
        :: c ? other, 4 -> other = 255
        od
     }",
    "byte fork[4] = 9;
     active [4] proctype P() {
        do
        :: fork[_pid] == 9 -> fork[_pid] = _pid
        :: fork[(_pid + 1) % 4] == 9 -> fork[(_pid + 1) % 4] = _pid
        :: atomic { fork[_pid] == _pid && fork[(_pid + 1) % 4] == _pid -> fork[_pid] = 9; fork[(_pid + 1) % 4] = 9 }
        od
     }",
    "byte x, y;
     active proctype P() { do :: x = 1 - x :: y == 0 -> y = 1 + x :: y > 0 -> y = 0 od }",
    "byte n, seen[4];
     proctype P(byte id) { do :: seen[id] == 0 -> seen[id] = 1; n++ :: seen[id] -> seen[id] = 0; n-- od }
     init { atomic { run P(1); run P(2); run P(3) } }",
];

/// All proofs that are changed.
fn proofs() -> Vec<(Loaded, Proof)> {
    let mut all = Vec::new();
    for text in PROVED {
        let loaded = load(text, &[]);
        let proof = derived(&loaded).unwrap_or_else(|| {
            let certificate = loaded.symmetry().certificate;
            let certificate = certificate.expect("something is interchangeable");
            prove(&loaded.model, loaded.observers(), &certificate).expect("a proof")
        });
        all.push((loaded, proof));
    }
    for rules in [LOOPS[0], CALLS[0], CONDITIONS[1]] {
        let loaded = load_rules(&nodes_text(rules), &[]);
        let proof = derived(&loaded).expect("types prove it");
        all.push((loaded, proof));
    }
    all
}

#[test]
fn a_proof_that_something_was_changed_in_is_rejected_or_says_what_is_so() {
    let (mut rejected, mut harmless, mut other) = (0, 0, 0);
    for (loaded, proof) in proofs() {
        assert!(
            is_accepted(&loaded, &proof),
            "{:?}",
            check(&loaded.model, loaded.observers(), &proof)
        );
        let written = WrittenProof::of(&proof);
        assert_eq!(written.read(&loaded.model).as_ref(), Some(&proof));
        let document = serde_json::to_value(&written).expect("JSON");
        for (at, changed) in corrupted(&document) {
            let read = serde_json::from_value::<WrittenProof>(changed);
            let read = read.ok().and_then(|written| written.read(&loaded.model));
            let Some(read) = read.filter(|read| is_accepted(&loaded, read)) else {
                rejected += 1;
                continue;
            };
            let claim = |proof: &Proof| {
                (
                    proof.domains.clone(),
                    proof.full.clone(),
                    proof.renamings.clone(),
                    proof.sorts.clone(),
                )
            };
            match claim(&read) == claim(&proof) {
                // Another proof of the same.
                true => harmless += 1,
                // Another claim, which is so.
                false => {
                    assert!(is_right(&loaded, &read, 150), "{at}");
                    other += 1;
                }
            }
        }
    }
    assert!(
        rejected > 300,
        "{rejected} rejected, {harmless} are other proofs, {other} other claims"
    );
}
