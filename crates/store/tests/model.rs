//! The visited set behaves like a map from states to ids that are given once and never change.

use std::collections::HashMap;

use mandala_store::{Insertion, MAX_STATE_LENGTH, StateId, StoreFull, VisitedSet};
use proptest::collection::vec;
use proptest::prelude::*;

/// States of few lengths over few letters repeat often; the others make many classes of length.
fn states() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let repeating = vec(0u8..3, 0..6);
    let varied = vec(any::<u8>(), 0..70);
    let long = (any::<u8>(), 1000usize..3000).prop_map(|(byte, length)| vec![byte; length]);
    vec(
        prop_oneof![20 => repeating, 10 => varied, 1 => long],
        0..3000,
    )
}

/// Inserts a state into both, and checks that both say the same.
fn insert_checked(set: &mut VisitedSet, model: &mut HashMap<Vec<u8>, StateId>, state: &[u8]) {
    let insertion = set.insert(state).unwrap();
    match model.get(state) {
        Some(id) => assert_eq!(insertion, Insertion::Seen(*id)),
        None => {
            assert!(insertion.is_new());
            model.insert(state.to_vec(), insertion.id());
        }
    }
}

fn assert_same(set: &VisitedSet, model: &HashMap<Vec<u8>, StateId>) {
    assert_eq!(set.len(), model.len());
    assert_eq!(set.is_empty(), model.is_empty());
    assert_eq!(
        set.packed_bytes(),
        model.keys().map(|state| state.len() as u64).sum::<u64>()
    );
    let mut copy = Vec::new();
    for (state, id) in model {
        assert_eq!(set.get(*id), state);
        set.copy_to(*id, &mut copy);
        assert_eq!(&copy, state);
        assert!(id.index() < set.id_bound());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_a_hash_map(states in states()) {
        let mut set = VisitedSet::with_limit(usize::MAX);
        let mut model = HashMap::new();
        for state in &states {
            insert_checked(&mut set, &mut model, state);
        }
        assert_same(&set, &model);
    }

    #[test]
    fn the_same_insertions_give_the_same_ids(states in states()) {
        let run = || {
            let mut set = VisitedSet::with_limit(usize::MAX);
            states.iter().map(|state| set.insert(state).unwrap()).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn agrees_with_a_hash_map_over_many_growths() {
    let mut set = VisitedSet::with_limit(usize::MAX);
    let mut model = HashMap::new();
    for number in 0..150_000u32 {
        // Every state comes three times, in lengths from 4 to 10.
        let value = number.wrapping_mul(2_654_435_761) % 50_000;
        let mut state = value.to_le_bytes().to_vec();
        state.resize(4 + (value % 7) as usize, 0xAA);
        insert_checked(&mut set, &mut model, &state);
    }
    assert_same(&set, &model);
}

#[test]
fn ids_are_distinct_and_survive_growth() {
    let mut set = VisitedSet::with_limit(usize::MAX);
    let first = set.insert(b"the first state").unwrap().id();
    let mut ids: Vec<_> = (0..20_000u32)
        .map(|number| set.insert(&number.to_le_bytes()).unwrap().id())
        .collect();
    ids.push(first);
    assert_eq!(set.get(first), b"the first state");
    assert_eq!(set.insert(b"the first state"), Ok(Insertion::Seen(first)));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 20_001);
}

#[test]
fn states_of_all_lengths_up_to_the_longest_are_stored() {
    let mut set = VisitedSet::with_limit(usize::MAX);
    for length in [0, 1, 63, 4096, MAX_STATE_LENGTH - 1, MAX_STATE_LENGTH] {
        let state = vec![1; length];
        let id = set.insert(&state).unwrap().id();
        assert_eq!(set.get(id), state);
        assert_eq!(set.insert(&state), Ok(Insertion::Seen(id)));
    }
    assert_eq!(
        set.insert(&vec![1; MAX_STATE_LENGTH + 1]),
        Err(StoreFull::Length)
    );
    assert_eq!(set.len(), 6);
}

#[test]
#[should_panic(expected = "the set that gave it out")]
fn a_foreign_id_is_not_answered_with_some_state() {
    let mut set = VisitedSet::with_limit(usize::MAX);
    set.insert(b"only").unwrap();
    let _ = set.get(StateId::from_u32(1));
}
