//! Small models about one rule each of what happens for ever, with their verdicts, in every manner to check them.

use mandala_checker::options::{Choice, CycleSearch};
use mandala_conformance::forever::{Fairness, Manner, ask, load};
use std::path::Path;

/// Checks the only claim of a model in every manner, with those kinds of fairness.
fn check(text: &str, property: &str, expected: &[(Fairness, bool)]) {
    let loaded = load(Path::new("corpus.pml"), text).expect("a model");
    let graph = Manner {
        cycles: CycleSearch::Graph,
        ..Manner::PLAIN
    };
    for (fairness, violated) in expected {
        for manner in [Manner::PLAIN, graph, Manner::USUAL, Manner::REFERENCE] {
            let opinion = ask(&loaded, property, manner, *fairness, 10_000);
            let opinion = opinion.unwrap_or_else(|what| panic!("{fairness:?} {manner:?}: {what}"));
            let told = format!("{fairness:?} {manner:?}\n{text}");
            assert_eq!(opinion.violated(), Some(*violated), "{told}");
        }
    }
}

fn always(violated: bool) -> Vec<(Fairness, bool)> {
    Fairness::ALL.iter().map(|&kind| (kind, violated)).collect()
}

/// Where the system has stopped, claims of every length of round go on. Two steps of the claim were taken for one there.
#[test]
fn the_claim_goes_on_where_the_system_has_stopped() {
    for steps in ["skip", "x = 1", "x = 1; x = 0", "x = 1; x = 0; x = 1"] {
        for round in [
            "T0: if :: true -> goto accept_1 fi; accept_1: if :: true -> goto T0 fi",
            "T0: if :: true -> goto T1 fi; T1: if :: true -> goto T2 fi;
             T2: if :: true -> goto accept_1 fi; accept_1: if :: true -> goto T2 fi",
            "T0: if :: true -> goto T1 fi; T1: if :: true -> goto accept_1 fi;
             accept_1: if :: true -> goto T0 fi",
        ] {
            let text = format!("bit x; active proctype P() {{ {steps} }} never {{ {round} }}");
            check(&text, "never", &always(true));
        }
    }
}

/// Two processes whose steps lead to the same state. To show that a run is fair it takes both.
#[test]
fn a_fair_run_shows_all_who_make_the_same_step() {
    let text = "byte x;
        active proctype P() { do :: x = 1 od }
        active proctype Q() { do :: x = 1 od }
        ltl f { <> (x == 2) }";
    check(text, "f", &always(true));
}

/// Whoever acts marks whether somebody else acted before. Up to symmetry all these states are two, and only who follows the names
/// through renamings can tell whether all have their turn: the run in which each goes on where the other was is fair, the run in
/// which one goes on and on is not. In one model the actors are processes, in the other statements, one for each name.
#[test]
fn actors_are_followed_through_renamings() {
    let processes = "byte last; bit moved;
        active [2] proctype P() { do :: d_step { moved = (last != _pid); last = _pid } od }";
    let statements = "byte last; bit moved;
        active proctype P() { do
        :: d_step { moved = (last != 0); last = 0 }
        :: d_step { moved = (last != 1); last = 1 }
        od }";
    let formulas = "ltl same { []<> (moved == 0) } ltl other { []<> (moved == 1) }";
    for (model, to_processes) in [(processes, true), (statements, false)] {
        let text = format!("{model} {formulas}");
        check(&text, "same", &always(true));
        let counts =
            |kind: &Fairness| kind.is_per_action() || to_processes && *kind != Fairness::Off;
        let other = Fairness::ALL.iter().map(|kind| (*kind, !counts(kind)));
        check(&text, "other", &other.collect::<Vec<_>>());
        let loaded = load(Path::new("corpus.pml"), &text).expect("a model");
        for fairness in Fairness::ALL {
            let opinion = ask(&loaded, "same", Manner::USUAL, *fairness, 10_000);
            let opinion = opinion.expect("an answer");
            assert!(opinion.is_reduced(), "{fairness:?} {opinion:?} {text}");
        }
    }
}

/// Labels of processes are none of a formula. For Spin they are, and it reports a cycle here.
#[test]
fn labels_of_processes_do_not_count_where_there_is_a_claim() {
    let text = "byte b; active proctype P() { accept: do :: true od } ltl f { [] (b == 0) }";
    check(text, "f", &always(false));
}

/// Who waits for a sender and could do something else moves when it receives, as in Spin.
#[test]
fn to_receive_at_a_rendezvous_is_to_move() {
    let text = "chan m = [0] of { byte }; bit x;
        active proctype S() { do :: m!1 od }
        active proctype R() { do :: m?1 :: x = 1 od }
        ltl f { <> (x == 1) }";
    let expected = [
        (Fairness::Off, true),
        (Fairness::Weak, true),
        (Fairness::Strong, true),
        (Fairness::WeakAction, false),
        (Fairness::StrongAction, false),
    ];
    check(text, "f", &expected);
}

/// The claim does not follow the run to the step that fails, since the formula is true before.
#[test]
fn a_step_that_fails_where_the_claim_does_not_follow() {
    let text = "byte a[2]; byte i;
        active proctype P() { i = 1; i = 2; a[i] = 1 }
        ltl f { <> (i == 1) }";
    check(text, "f", &always(false));
}

/// An assertion in a claim fails only where what it asserts is false, whatever leads to it.
#[test]
fn an_assertion_of_a_claim_may_hold() {
    for (asserted, violated) in [("y == 0", false), ("x == 0", true), ("!(x == 1)", true)] {
        let text = format!(
            "byte x, y; active proctype P() {{ do :: x = 1 - x od }}
            never {{ do :: atomic {{ (x == 1) -> assert({asserted}) }} :: (x != 1) od }}"
        );
        check(&text, "never", &always(violated));
    }
}
