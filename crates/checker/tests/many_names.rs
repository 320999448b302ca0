//! More names in one state than a byte can tell apart: numbers of orbits that are known, whatever the number of names is.

use mandala_checker::check;
use mandala_checker::frontend::{ModelInput, load};
use mandala_checker::options::CheckOptions;
use mandala_checker::watch::Nobody;
use mandala_report::Document;
use mandala_report::document::Verdict;

/// Names try to enter, one at a time.
const SEMAPHORE: &str = "
    type Name: scalarset(N);
    var at: array [Name] of enum { idle, trying, inside }; taken: boolean;
    startstate for n: Name do at[n] := idle; end; taken := false; end;
    ruleset n: Name do
        rule \"try\" at[n] = idle ==> at[n] := trying; end;
        rule \"enter\" at[n] = trying & FREE ==> at[n] := inside; taken := true; end;
        rule \"leave\" at[n] = inside ==> at[n] := idle; taken := false; end;
    end;
    invariant \"one inside\" forall a: Name do forall b: Name do at[a] != inside | at[b] != inside | a = b end end;";

/// Up to two of the names refer to another name, or to themselves.
const POINTERS: &str = "
    type Name: scalarset(N);
    var next: array [Name] of Name; made: 0..2;
    startstate undefine next; made := 0; end;
    ruleset a: Name; b: Name do
        rule \"point\" made < 2 & isundefined(next[a]) ==> next[a] := b; made := made + 1; end;
        rule \"hand over\" !isundefined(next[a]) & isundefined(next[b]) ==> next[b] := next[a]; undefine next[a]; end;
    end;
    ruleset a: Name do
        rule \"forget\" !isundefined(next[a]) ==> undefine next[a]; made := made - 1; end;
    end;";

fn checked(text: &str, names: usize, free: &str) -> Document {
    let input = ModelInput {
        path: "model.m".into(),
        text: text
            .replace("scalarset(N)", &format!("scalarset({names})"))
            .replace("FREE", free),
        defines: Vec::new(),
        dialect: None,
        read: |_| Err(std::io::ErrorKind::NotFound.into()),
    };
    let loaded = load(input).unwrap_or_else(|error| panic!("{error:?}"));
    check(&loaded, &CheckOptions::default(), &mut Nobody)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

/// The states that a search stores, all of them representatives of one orbit each.
fn orbits(text: &str, names: usize) -> u64 {
    let document = checked(text, names, "!taken");
    assert_eq!(document.verdict, Verdict::Holds, "{names}");
    let order: String = (1..=names)
        .fold(mandala_groups::BigUint::from(1u8), |n, k| n * k)
        .to_string();
    assert_eq!(document.symmetry.order, order, "{names}");
    document.stats.states
}

#[test]
fn a_semaphore_has_two_orbits_for_each_name_and_one_more() {
    for names in [5, 255, 300] {
        assert_eq!(orbits(SEMAPHORE, names), 2 * names as u64 + 1, "{names}");
    }
}

/// No reference; one, to itself or another; two, in seven ways.
#[test]
fn names_that_refer_to_names_are_told_apart_by_how_they_do() {
    for names in [4, 254, 255, 257] {
        assert_eq!(orbits(POINTERS, names), 1 + 2 + 7, "{names}");
    }
}

#[test]
fn what_goes_wrong_among_many_is_shown() {
    let document = checked(SEMAPHORE, 300, "true");
    assert_eq!(document.verdict, Verdict::Violated);
    let trace = document
        .trace
        .expect("a run that the interpreter has executed");
    // The start, two that try, and both enter.
    assert_eq!(trace.steps.len(), 5);
}
