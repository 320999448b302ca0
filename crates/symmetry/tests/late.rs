//! Symmetries that begin late: what processes do once before their first loop tells them apart, or who is made by `run` has
//! a number that strangers might have, too. Brute force over the states has the last word.

use crate::common::{Judgement, Loaded, judge_moves, load};
use mandala_symmetry::{Breach, Candidate, Certificate, Permutation, Renaming, certify_renamings};

/// A ring of which one has the token first.
const START: &str = "
chan c[N] = [1] of { bit };
active [N] proctype Node() {
    if :: _pid == 0 -> c[(_pid + 1) % N]!1 :: else fi;
    end: do
    :: c[_pid]?1 -> c[(_pid + 1) % N]!1
    od
}";

#[test]
fn one_of_a_ring_starts() {
    let found = load(START, &["N=4"]).has_order(4);
    let kept: Vec<bool> = found
        .attempts
        .iter()
        .filter(|a| a.is_kept)
        .map(|a| a.late)
        .collect();
    assert_eq!(kept, [true]);
    let certificate = found.certificate.expect("a ring");
    assert!(certificate.domains().iter().all(|d| !d.settled.is_empty()));
}

/// Two that start, one after the other.
#[test]
fn two_of_a_ring_start() {
    let text = START.replace(
        "fi;",
        "fi; if :: _pid == 2 -> c[(_pid + 1) % N]!1 :: else fi;",
    );
    load(&text, &["N=4"]).has_order(4);
}

/// The smaller group of the start is not lost where the larger one never begins.
#[test]
fn what_comes_again_is_no_start() {
    let again = START.replace("    od", ":: _pid == 0 && empty(c[1]) -> c[1]!1 od");
    load(&again, &["N=4"]).has_order(1);
    let both = "
bool flag[4];
active [4] proctype P() {
    do
    :: break
    :: _pid < 2 -> flag[_pid] = 1 - flag[_pid]
    od;
    do :: flag[_pid] = 1 - flag[_pid] od
}";
    // Two and two change places, and all flags are turned over.
    load(both, &[]).has_order(2 * 2 * 2);
}

#[test]
fn one_of_a_ring_that_is_made_starts() {
    let text = "
chan c[N] = [1] of { bit };
proctype Node(byte id) {
    if :: id == 0 -> c[(id + 1) % N]!1 :: else fi;
    end: do
    :: c[id]?1 -> c[(id + 1) % N]!1
    od
}
init { byte i; atomic { for (i : 0 .. N-1) { run Node(i) } } }";
    // The numbers of the processes matter to nobody.
    load(text, &["N=3"]).has_order(3 * 6);
    // What is done at the start need not even respect names.
    load(&text.replace("id == 0", "id < 1"), &["N=3"]).has_order(3 * 6);
}

/// A ring of processes that `init` makes.
const MADE: &str = "
bit tok[N];
proctype Node() {
    end: do
    :: atomic { tok[_pid - 1] == 1 -> tok[_pid - 1] = 0; tok[_pid % N] = 1 }
    od
}
init { atomic { tok[0] = 1; run Node(); run Node(); run Node(); run Node() } }";

#[test]
fn a_ring_that_is_made() {
    let found = load(MADE, &["N=4"]).has_order(4);
    let certificate = found.certificate.expect("a ring");
    assert!(
        certificate
            .domains()
            .iter()
            .all(|d| !d.residents.is_empty())
    );
}

/// With other makers than `init`, at any time, strangers may come. They break the ring.
#[test]
fn a_maker_that_goes_on() {
    let others = [
        "active proctype Maker() { byte n; do :: n < 1 -> n++; run Node() od }",
        "active proctype Maker() { end: do :: tok[3] && _nr_pr < 7 -> run Node() od }",
    ];
    for other in others {
        // The numbers of the nodes begin at 2.
        let text = MADE
            .replace("_pid - 1", "(_pid + 2) % N")
            .replace("_pid % N", "(_pid + 3) % N");
        load(&text, &["N=4"]).has_order(4);
        load(&format!("{text}\n{other}"), &["N=4"]).has_order(1);
    }
}

/// Four that turn a token round, and a fifth one that takes it from the first to the third.
const FIFTH: &str = "
bit tok[8];
proctype Node() { end: do
    :: atomic { tok[_pid] == 1 -> tok[_pid] = 0; tok[_pid % 4 + 1] = 1 }
    :: atomic { _pid == 5 && tok[1] == 1 -> tok[1] = 0; tok[3] = 1 }
    od }
init { atomic { tok[1] = 1; run Node(); run Node(); run Node(); run Node() }; if :: MORE :: skip fi }";

/// The rotation of four, under the condition that there is nobody else.
fn rotation_of_four(loaded: &Loaded) -> Result<Certificate, Vec<Breach>> {
    let candidate = Candidate {
        without_strangers: true,
        ..loaded.candidate(&[("Node", &[1, 2, 3, 4])])
    };
    let examined = certify_renamings(&loaded.model, loaded.observers(), &candidate, &[turn()])?;
    examined.verdicts.into_iter().collect::<Result<(), _>>()?;
    Ok(examined.certificate.expect("what passed"))
}

fn turn() -> Renaming {
    let images = vec![0, 2, 3, 4, 1];
    Renaming::of_processes(Permutation::from_images(images).expect("a rotation"))
}

/// Where the fifth is made, nothing may be turned; where he is not, it may.
#[test]
fn a_stranger_who_may_have_come() {
    let loaded = load(FIFTH, &["MORE=run Node()"]);
    let certificate = rotation_of_four(&loaded);
    let certificate = certificate.unwrap_or_else(|b| panic!("{}", loaded.reasons(&b)));
    let sorts = certificate.sorts();
    let mut domains = certificate.domains().to_vec();
    let judge = |domains: &[_]| {
        let settled = |state: &_| {
            domains
                .iter()
                .all(|d: &mandala_symmetry::Domain| d.is_settled(state))
        };
        judge_moves(&loaded, sorts, domains, 1_500, |state| {
            vec![turn(); usize::from(settled(state))]
        })
    };
    let judged = judge(&domains);
    assert!(
        matches!(judged, Judgement::Symmetric { checks: 4, .. }),
        "{judged:?}"
    );
    domains[0].residents.clear();
    assert!(matches!(judge(&domains), Judgement::Asymmetric(_)));
}

#[test]
fn a_stranger_who_is_there_from_the_start() {
    assert!(rotation_of_four(&load(FIFTH, &["MORE=skip"])).is_ok());
    let crowded = FIFTH.replace("proctype Node", "active [6] proctype Node");
    assert!(rotation_of_four(&load(&crowded, &["MORE=skip"])).is_err());
}

/// Who may end may have been there before: nothing is known of what he left behind.
#[test]
fn a_stranger_who_may_have_left() {
    let text = FIFTH.replace("od }", ":: _pid == 5 -> break od }");
    assert!(rotation_of_four(&load(&text, &["MORE=skip"])).is_err());
}
