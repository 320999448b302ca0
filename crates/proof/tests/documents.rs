//! Documents of proofs: what is written is read again, and what is none is refused with a reason.

use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_model::{Model, SourceText, Sources};
use mandala_proof::document::{
    PROOF_SCHEMA, ProofDocument, ProofForm, PropertyProof, WrittenProof, digest, read, write,
};
use mandala_proof::{Proof, check, derivation};
use mandala_symmetry::derive;

const TOKENS: &str = "
    type Node: scalarset(3);
    var busy: array [Node] of boolean; holder: Node;
    startstate begin for n: Node do busy[n] := false; end; undefine holder; end;
    ruleset n: Node do
      rule !busy[n] & isundefined(holder) ==> holder := n; busy[n] := true; end;
      rule busy[n] & holder = n ==> undefine holder; busy[n] := false; end;
    end;
    invariant forall n: Node do busy[n] -> !isundefined(holder) & holder = n end;";

fn model(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.m", text.to_string()));
    let options = mandala_murphi::ParseOptions::default();
    let (model, found) = mandala_murphi::load(&mut sources, file, &options);
    let model = model.unwrap_or_else(|| panic!("{found:?}"));
    verify(model).expect("a right model")
}

fn proof(model: &Model) -> Proof {
    let derived = derive(model, Observers::default());
    let certificate = derived.certificate.expect("types prove it");
    derivation(model, &certificate, &derived.annotations)
}

fn document(model: &Model) -> ProofDocument {
    ProofDocument {
        schema: PROOF_SCHEMA.into(),
        version: "0".into(),
        selected: Vec::new(),
        proofs: vec![PropertyProof {
            property: "safety".into(),
            check: 0,
            form: ProofForm::Written,
            restated: false,
            ended_stay: false,
            digest: digest(model),
            proof: WrittenProof::of(&proof(model)),
        }],
    }
}

#[test]
fn what_is_written_is_read_again() {
    let model = model(TOKENS);
    let document = document(&model);
    let text = write(&document).expect("JSON");
    let again = read(&text).expect("a proof");
    assert_eq!(again, document);
    let proof_again = again.proofs[0].proof.read(&model).expect("of that model");
    assert_eq!(proof_again, proof(&model));
    let accepted = check(&model, Observers::default(), &proof_again).expect("a proof");
    assert!(accepted.trusted.is_empty() && accepted.parts >= 5);
}

#[test]
fn what_is_no_proof_is_refused_in_words() {
    let model = model(TOKENS);
    let text = write(&document(&model)).expect("JSON");
    let other = text.replace(PROOF_SCHEMA, "mandala-proof/999");
    assert!(read(&other).is_err_and(|why| why.contains("mandala-proof/999")));
    assert!(read(&text[..text.len() / 2]).is_err_and(|why| why.contains("not a proof")));
    let unknown = text.replacen("\"domains\"", "\"others\"", 1);
    assert!(read(&unknown).is_err_and(|why| why.contains("not a proof")));
}

#[test]
fn a_proof_is_about_one_model() {
    let here = model(TOKENS);
    let there = model(&TOKENS.replace("holder: Node;", "holder: Node; extra: boolean;"));
    assert_ne!(digest(&here), digest(&there));
    let written = WrittenProof::of(&proof(&here));
    let read = written
        .read(&there)
        .map(|proof| check(&there, Observers::default(), &proof));
    assert!(read.is_none_or(|found| found.is_err()));
}
