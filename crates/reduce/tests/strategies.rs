//! All strategies on all kinds of models, against brute force over all renamings.

use crate::common::asking::Oracle;
use crate::common::{Case, bundled, load};
use mandala_reduce::{Guarantee, Strategy};
use mandala_symmetry::DomainKind;

/// Small systems with every kind of cell.
fn cases() -> Vec<(&'static str, Case)> {
    let of = |name: &'static str, defines: &[&str], families: &[(&str, std::ops::Range<u32>)]| {
        (name, Case::of_families(bundled(name, defines), families))
    };
    vec![
        of("mutex", &["N=4"], &[("Process", 0..4)]),
        of("peterson", &["N=2"], &[("Process", 1..3)]),
        of("peterson", &["N=3"], &[("Process", 1..4)]),
        of("partial-maps", &["N=4"], &[("Process", 0..4)]),
        of("database", &["N=4"], &[("Manager", 1..5)]),
        of("email", &["N=2"], &[("Client", 1..3)]),
        of("mcs-lock", &["N=2"], &[("Process", 0..2)]),
        of("mcs-lock", &["N=3"], &[("Process", 0..3)]),
        of(
            "readers-writers",
            &["R=3", "W=2"],
            &[("Reader", 0..3), ("Writer", 3..5)],
        ),
        of("lost-wakeup", &["N=3"], &[("Worker", 1..4)]),
        ("load-balancer", detected("load-balancer", &["S=2", "C=2"])),
        ("matrix", matrix()),
        ("counted from 0", Case::detected(load(COUNTED_FROM_0, &[]))),
        ("private channels", private_channels()),
        ("three-tier", detected("three-tier", &["C1=1", "C2=1"])),
        ("initialisation", detected("initialisation", &["N=2"])),
        ("named clients", Case::detected(load(NAMED_CLIENTS, &[]))),
        (
            "named by chance",
            Case::detected(load(NAMED_BY_CHANCE, &[])),
        ),
        (
            "separate channels",
            Case::detected(load(SEPARATE_CHANNELS, &[])),
        ),
    ]
}

fn detected(name: &str, defines: &[&str]) -> Case {
    Case::detected(bundled(name, defines))
}

/// Clients that are known by names given to them one by one, from 1 on.
const NAMED_CLIENTS: &str = "
    byte holder;
    byte waits[4];
    chan desk = [2] of { byte };
    proctype Client(byte me) {
        do
        :: atomic { holder == 0 -> holder = me }
        :: atomic { holder == me -> holder = 0; waits[me] = 0 }
        :: atomic { holder != 0 && holder != me && nfull(desk) && waits[me] < 2 -> waits[me]++; desk ! me }
        od
    }
    active proctype Clerk() {
        byte who;
        do
        :: atomic { desk ? who; waits[who] = 0; who = 0 }
        od
    }
    init { run Client(1); run Client(2); run Client(3) }";

/// Names that are given by chance, to one process each or to both.
const NAMED_BY_CHANCE: &str = "
    byte owner;
    bool busy[3];
    proctype Worker(byte me) {
        do
        :: atomic { !busy[me] -> busy[me] = true; owner = me }
        :: atomic { busy[me] -> busy[me] = false }
        od
    }
    init {
        if
        :: run Worker(1); run Worker(2)
        :: run Worker(2); run Worker(1)
        :: run Worker(2); run Worker(2)
        fi
    }";

/// Processes that are known by one less than their numbers.
const COUNTED_FROM_0: &str = "
    bool flag[3];
    byte last = 9;
    proctype Worker() {
        do
        :: atomic { !flag[_pid - 1] -> flag[_pid - 1] = true; last = _pid - 1 }
        :: atomic { flag[_pid - 1] && last != _pid - 1 -> flag[_pid - 1] = false }
        od
    }
    init { atomic { run Worker(); run Worker(); run Worker() } }";

/// Channels that are declared one by one and handed to those who use them.
const SEPARATE_CHANNELS: &str = "
    chan left = [1] of { bit };
    chan right = [1] of { bit };
    chan registry = [2] of { chan };
    proctype User(chan own) {
        chan other;
        do
        :: registry ! own
        :: registry ? other
        :: atomic { other != 0 && nfull(other) -> other ! 1; other = 0 }
        :: own ? _
        od
    }
    init { run User(left); run User(right) }";

/// Who has met whom, and who spoke last to whom: arrays with two indices.
fn matrix() -> Case {
    let text = "
        chan hall = [0] of { pid };
        typedef Row { bool met[3]; pid last[3] };
        Row row[3];
        active [3] proctype Guest() {
            pid who = 255;
            do
            :: hall ! _pid
            :: atomic { hall ? who; row[_pid].met[who] = true; row[who].last[_pid] = _pid; who = 255 }
            od
        }";
    Case::of_families(load(text, &[]), &[("Guest", 0..3)])
}

/// Everybody has a channel of its own and hands it around.
fn private_channels() -> Case {
    let text = "
        chan exchange = [1] of { chan };
        active [3] proctype Peer() {
            chan own = [1] of { bit };
            chan spare = [0] of { bit };
            chan other;
            do
            :: exchange ! own
            :: exchange ! spare
            :: exchange ? other
            :: atomic { nempty(own) -> own ? _ }
            :: atomic { nfull(own) -> own ! 1 }
            od
        }";
    Case::of_families(load(text, &[]), &[("Peer", 0..3)])
}

#[test]
fn names_are_found_where_the_cases_need_them() {
    let cases = cases();
    let with_names = cases.iter().skip_while(|(name, _)| *name != "three-tier");
    for (name, case) in with_names {
        let domains = case.certificate.domains().iter();
        let names = domains.filter(|d| matches!(d.kind, DomainKind::Names { .. }));
        assert!(
            names.count() > 0,
            "{name}: {:?}",
            case.certificate.domains()
        );
    }
}

#[test]
fn every_strategy_keeps_its_promise() {
    for (name, case) in &cases() {
        let mut oracle = Oracle::new(name, case);
        for strategy in Strategy::ALL {
            oracle.check(strategy);
        }
    }
}

#[test]
fn searches_find_as_many_representatives_as_there_are_orbits() {
    for (name, case) in &cases() {
        let states = case.reachable(usize::MAX);
        let (orbits, images) = case.orbits(&states);
        assert!(orbits < states.len() as u64, "{name}: nothing to reduce");
        for strategy in Strategy::ALL {
            let found = case.search(strategy);
            match strategy.guarantee() {
                Guarantee::Canonical => {
                    assert_eq!(found.statistics.states, orbits, "{name}, {strategy}");
                    assert_eq!(found.reduction.not_canonical, 0, "{name}, {strategy}");
                }
                Guarantee::Sound => {
                    // A representative need not be reachable itself.
                    assert!(
                        (orbits..=images).contains(&found.statistics.states),
                        "{name}, {strategy}"
                    );
                }
                Guarantee::MayMiss => {
                    assert!(found.statistics.states <= orbits, "{name}, {strategy}")
                }
            }
        }
    }
}
