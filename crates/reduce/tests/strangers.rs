//! Symmetries that are certified for states without strangers: where there is one, nothing is merged.

use crate::common::{Case, family, load};
use mandala_model::step::Observers;
use mandala_reduce::{Guarantee, Strategy};
use mandala_symmetry::{Candidate, certify};

/// Three lamps, and perhaps a fourth one, which lights the third if the first is on.
const LAMPS: &str = "
    bool on[5];
    proctype Lamp() {
        do
        :: _pid < 4 -> on[_pid] = !on[_pid]
        :: atomic { _pid == 4 && on[1] -> on[3] = true }
        od
    }
    init {
        atomic { run Lamp(); run Lamp(); run Lamp() };
        if :: run Lamp() :: skip fi
    }";

fn candidate(without_strangers: bool) -> Candidate {
    Candidate {
        families: vec![family(&load(LAMPS, &[]), "Lamp", 1..4)],
        without_strangers,
        ..Candidate::default()
    }
}

#[test]
fn a_stranger_stops_the_reduction() {
    let refused = certify(&load(LAMPS, &[]), Observers::default(), &candidate(false));
    assert!(refused.is_err());
    let case = Case::new(load(LAMPS, &[]), &candidate(true));
    let states = case.reachable(usize::MAX);
    let (orbits, images) = case.orbits(&states);
    let crowded = states
        .iter()
        .filter(|s| case.decode(s).processes.len() == 5);
    // The fourth lamp is there in half of the states after the start.
    let crowded = crowded.count() as u64;
    assert!(crowded > 8 && orbits > crowded, "{orbits} {crowded}");
    for strategy in Strategy::ALL {
        let found = case.count(strategy);
        match case.guarantee(strategy) {
            Guarantee::Canonical => assert_eq!(found, orbits, "{strategy}"),
            Guarantee::Sound => assert!((orbits..=images).contains(&found), "{strategy}"),
            Guarantee::MayMiss => assert!(found <= images, "{strategy}"),
        }
    }
}
