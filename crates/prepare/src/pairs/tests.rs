use super::*;
use mandala_model::SourceText;
use mandala_model::source::Sources;
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_promela::{ParseOptions, load};
use mandala_symmetry::Breach;

/// The pair that is found for the exchange of two members of a domain.
fn pair(text: &str, label: &str) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.pml", text.to_string()));
    let (model, diagnostics) = load(&mut sources, file, &ParseOptions::default());
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let model = verify(model).expect("a right model");
    let refused = Broken {
        what: label.into(),
        accused: Accused::Domain(label.into()),
        breach: Breach {
            span: None,
            message: String::new(),
            related: Vec::new(),
            undecided: false,
        },
        pair: None,
    };
    let aim = Aim::plain(Observers::default());
    let found = pairs_for(&model, aim, &[refused], &ProofBudget::unlimited());
    let pair = found[0].pair.as_ref();
    pair.map(|pair| pair.describe(&sources))
}

/// Processes with numbers in shared variables and messages, a rendezvous, and names that are given to them.
const SYMMETRIC: [(&str, &str); 4] = [
    (
        "byte last = 9; active [3] proctype P() { do :: last != _pid -> last = _pid :: last == _pid -> last = 9 od }",
        "P",
    ),
    (
        "chan c = [2] of { byte }; byte x = 9; active [3] proctype P() { do :: c!_pid :: c?x -> assert(x != 9); x = 9 od }",
        "P",
    ),
    (
        "chan r = [0] of { byte }; active [3] proctype P() { byte y = 9; do :: r!_pid :: atomic { r?y -> y = 9 } od }",
        "P",
    ),
    (
        "bool in[3]; proctype C(byte me) { do :: in[me] = !in[me] od }
         init { atomic { run C(0); run C(1); run C(2) } }",
        "C",
    ),
];

#[test]
fn what_is_interchangeable_has_no_pair() {
    for (text, label) in SYMMETRIC {
        assert_eq!(pair(text, label), None, "{text}");
    }
}

#[test]
fn a_step_that_one_of_two_can_make_is_shown() {
    let text = "byte x, last;
active [3] proctype P() { do :: x < 3 -> x++; last = _pid :: x > 0 && _pid < 2 -> x-- od }";
    let shown = pair(text, "P").expect("P 1 and P 2 differ");
    assert!(shown.contains("P 1 and P 2 exchanged"), "{shown}");
    assert!(
        shown.contains("`x > 0 && _pid < 2`") && shown.contains("(line 2)"),
        "{shown}"
    );
}

#[test]
fn an_assertion_that_names_one_of_two_is_shown() {
    let text = "bool in[2]; active [2] proctype P() { do :: in[_pid] = true; assert(!in[0]); in[_pid] = false od }";
    assert!(pair(text, "P").is_some());
}

/// What happens while processes are made is not the reason, as a symmetry may begin later.
#[test]
fn the_start_shows_nothing() {
    let text = "byte made; proctype C() { do :: made = 0 od }
        init { run C(); made = 1; run C(); made = 2; run C() }";
    assert_eq!(pair(text, "C"), None);
}
