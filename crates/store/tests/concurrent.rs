//! The concurrent store against a set from the standard library, alone and with many threads.

use mandala_store::{Arrived, StateRef, StateStore, StoreFull, StoreKind, Tree};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn exact() -> StateStore {
    StateStore::new(StoreKind::Exact, usize::MAX)
}

fn insert(store: &StateStore, packed: &[u8], depth: u32) -> Result<Arrived, StoreFull> {
    let mut session = store.session();
    let prepared = session.prepare(packed, &Tree::default())?;
    session.insert(prepared, depth)
}

fn decode(store: &StateStore, state: StateRef) -> Vec<u8> {
    let mut tree = Tree::default();
    store.session().load(state, &mut tree);
    tree.bytes().to_vec()
}

/// Short states over few values, so that they agree in parts, with all lengths from none to several chunks.
fn states() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let state = (0..40usize).prop_flat_map(|length| proptest::collection::vec(0..3u8, length));
    proptest::collection::vec(state, 0..200)
}

proptest! {
    #[test]
    fn agrees_with_a_hash_map(states in states()) {
        let store = exact();
        let mut session = store.session();
        let mut model: HashMap<Vec<u8>, StateRef> = HashMap::new();
        let mut near = Tree::default();
        for state in &states {
            prop_assert_eq!(session.find(state), model.get(state).copied());
            let prepared = session.prepare(state, &near).unwrap();
            let arrived = session.insert(prepared, 0).unwrap();
            match model.get(state) {
                Some(known) => prop_assert_eq!(arrived, Arrived::Seen(*known)),
                None => prop_assert_eq!(arrived, Arrived::New(prepared.state())),
            }
            model.insert(state.clone(), arrived.state());
            session.load(arrived.state(), &mut near);
            prop_assert_eq!(near.bytes(), &state[..]);
        }
        let names: HashSet<StateRef> = model.values().copied().collect();
        prop_assert_eq!(names.len(), model.len());
        prop_assert_eq!(store.len(), model.len() as u64);
        prop_assert_eq!(store.packed_bytes(), model.keys().map(|state| state.len() as u64).sum::<u64>());
    }
}

#[test]
fn zeroes_of_every_length_are_different_states() {
    let store = exact();
    for length in 0..300 {
        let arrived = insert(&store, &vec![0; length], 0).unwrap();
        assert!(arrived.is_new(), "length {length}");
        assert_eq!(decode(&store, arrived.state()), vec![0; length]);
    }
    assert_eq!(store.len(), 300);
}

#[test]
fn a_single_bit_anywhere_makes_another_state() {
    for length in 1..70 {
        let store = exact();
        let mut names = HashSet::new();
        for bit in 0..8 * length {
            let mut state = vec![0; length];
            state[bit / 8] = 1 << (bit % 8);
            let arrived = insert(&store, &state, 0).unwrap();
            assert!(arrived.is_new());
            assert_eq!(decode(&store, arrived.state()), state);
            names.insert(arrived.state());
        }
        assert_eq!(names.len(), 8 * length);
    }
}

#[test]
fn names_stay_valid_when_the_store_grows() {
    let store = exact();
    let state = |number: u32| {
        let mut state = vec![7; 21];
        state[..4].copy_from_slice(&number.to_le_bytes());
        state[12..16].copy_from_slice(&number.wrapping_mul(77).to_le_bytes());
        state
    };
    let names: Vec<_> = (0..100_000)
        .map(|number| insert(&store, &state(number), number).unwrap())
        .collect();
    for (number, arrived) in names.iter().enumerate() {
        assert!(arrived.is_new());
        assert_eq!(decode(&store, arrived.state()), state(number as u32));
        let again = insert(&store, &state(number as u32), 0).unwrap();
        assert_eq!(again, Arrived::Seen(arrived.state()));
    }
}

#[test]
fn a_tree_of_another_store_is_of_no_use_but_does_no_harm() {
    let (first, second) = (exact(), exact());
    insert(&second, &[9; 30], 0).unwrap();
    let state = insert(&first, &[1; 30], 0).unwrap().state();
    let mut near = Tree::default();
    first.session().load(state, &mut near);
    let mut session = second.session();
    let prepared = session.prepare(&[1; 30], &near).unwrap();
    let arrived = session.insert(prepared, 0).unwrap();
    drop(session);
    assert_eq!(decode(&second, arrived.state()), [1; 30]);
}

#[test]
fn states_are_found_by_depth() {
    let store = exact();
    for number in 0..3000u32 {
        let state = [
            vec![1; (number % 30) as usize],
            number.to_le_bytes().to_vec(),
        ]
        .concat();
        insert(&store, &state, number % 300).unwrap();
        insert(&store, &state, 7).unwrap();
    }
    for depth in [0, 5, 44, 45, 46, 254, 255] {
        let mut found = Vec::new();
        for part in 0..3 {
            store.at_depth(depth, part, 3, &mut |state| {
                found.push(decode(&store, state))
            });
        }
        let number = |state: &Vec<u8>| u32::from_le_bytes(*state.last_chunk().unwrap());
        assert!(
            found
                .iter()
                .all(|state| number(state) % 300 % 255 == depth % 255)
        );
        let distinct: HashSet<_> = found.iter().map(number).collect();
        let expected = (0..3000)
            .filter(|number| number % 300 % 255 == depth % 255)
            .count();
        assert_eq!((found.len(), distinct.len()), (expected, expected));
    }
}

#[test]
fn too_long_a_state_is_refused() {
    let store = exact();
    let longest = vec![3; mandala_store::MAX_STATE_LENGTH];
    let arrived = insert(&store, &longest, 0).unwrap();
    assert_eq!(decode(&store, arrived.state()), longest);
    let refused = insert(&store, &vec![3; longest.len() + 1], 0);
    assert_eq!(refused, Err(StoreFull::Length));
}

/// Every thread inserts the same states, each in its own order. Each state is new to exactly one of them.
#[test]
fn every_state_is_new_to_one_thread() {
    const STATES: u32 = if cfg!(miri) { 60 } else { 60_000 };
    const THREADS: u32 = if cfg!(miri) { 3 } else { 8 };
    let state = |number: u32| {
        let mut state = vec![number as u8; 11 + number as usize % 3 * 5];
        state[..3].copy_from_slice(&number.to_le_bytes()[..3]);
        state[5..8].copy_from_slice(&(number / 7).to_le_bytes()[..3]);
        state
    };
    let store = exact();
    let worker = |thread: u32| {
        let mut session = store.session();
        let mut near = Tree::default();
        let mut found = Vec::new();
        for step in 0..STATES {
            let number = (step * (2 * thread + 1) * 7 + thread * 1000) % STATES;
            let prepared = session.prepare(&state(number), &near).unwrap();
            let arrived = session.insert(prepared, thread).unwrap();
            session.load(arrived.state(), &mut near);
            assert_eq!(near.bytes(), state(number));
            if arrived.is_new() {
                found.push((number, arrived.state()));
            }
        }
        found
    };
    let found: Vec<(u32, StateRef)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || worker(thread)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let numbers: HashSet<u32> = found.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        (found.len(), numbers.len()),
        (STATES as usize, STATES as usize)
    );
    assert_eq!(store.len(), u64::from(STATES));
    for (number, name) in found {
        assert_eq!(decode(&store, name), state(number));
    }
}

/// Four processes with a location, a counter and a channel each, of which most does not change.
fn system(number: u64) -> Vec<u8> {
    let mut state = vec![1; 64];
    for process in 0..4 {
        let own = number >> (process * 5) & 31;
        state[4 + process] = own as u8;
        state[40 - 8 * process] = (own * 3 + 1) as u8;
        state[50 + 3 * process] = (own / 7) as u8;
    }
    state
}

#[test]
fn names_from_before_a_tree_was_chosen_stay_the_only_ones() {
    let store = exact();
    let mut session = store.session();
    let mut names = Vec::new();
    let mut near = Tree::default();
    for number in 0..60_000 {
        let prepared = session.prepare(&system(number), &near).unwrap();
        let arrived = session.insert(prepared, 3).unwrap();
        assert!(arrived.is_new(), "state {number}");
        names.push(arrived.state());
        session.load(arrived.state(), &mut near);
    }
    let classes: HashSet<u16> = names.iter().map(|name| name.class()).collect();
    assert_eq!(classes.len(), 2, "a tree was chosen on the way");
    for (number, name) in (0..).zip(&names) {
        session.load(*name, &mut near);
        assert_eq!(near.bytes(), system(number));
        let prepared = session.prepare(&system(number), &near).unwrap();
        assert_eq!(session.insert(prepared, 9), Ok(Arrived::Seen(*name)));
        assert_eq!(session.find(&system(number)), Some(*name));
    }
    session.release();
    let mut found = HashSet::new();
    store.at_depth(3, 0, 1, &mut |name| assert!(found.insert(name)));
    assert_eq!(found, names.into_iter().collect());
}

/// States prepared before a tree is chosen and inserted after that are still told apart.
#[test]
fn a_batch_may_lie_across_the_choice_of_a_tree() {
    let store = exact();
    let mut session = store.session();
    let batch: Vec<_> = (0..40_000)
        .map(|number| session.prepare(&system(number), &Tree::default()).unwrap())
        .collect();
    let first: Vec<_> = batch
        .iter()
        .map(|one| session.insert(*one, 0).unwrap())
        .collect();
    assert!(first.iter().all(|arrived| arrived.is_new()));
    for (one, arrived) in batch.iter().zip(&first) {
        assert_eq!(session.insert(*one, 0), Ok(Arrived::Seen(arrived.state())));
    }
    let names: HashSet<_> = first.iter().map(|arrived| arrived.state()).collect();
    assert_eq!((names.len(), store.len()), (40_000, 40_000));
}

#[test]
fn many_threads_choose_a_tree_together() {
    let store = exact();
    let worker = |thread: u64| {
        let mut session = store.session();
        let mut near = Tree::default();
        let mut found = Vec::new();
        for batch in 0..1000 {
            let numbers = (0..50).map(|step| (batch * 50 + step + thread * 9000) % 50_000);
            let states: Vec<_> = numbers.map(|number| (number, system(number))).collect();
            let prepared: Vec<_> = states
                .iter()
                .map(|(_, state)| session.prepare(state, &near).unwrap())
                .collect();
            for ((number, state), prepared) in states.iter().zip(prepared) {
                let arrived = session.insert(prepared, 0).unwrap();
                if arrived.is_new() {
                    found.push((*number, arrived.state()));
                }
                session.load(arrived.state(), &mut near);
                assert_eq!(near.bytes(), state);
            }
        }
        found
    };
    let found: Vec<(u64, StateRef)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|thread| scope.spawn(move || worker(thread)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    let names: HashMap<u64, StateRef> = found.iter().copied().collect();
    assert_eq!((found.len(), names.len()), (50_000, 50_000));
    let mut session = store.session();
    for number in 0..50_000 {
        assert_eq!(session.find(&system(number)), Some(names[&number]));
    }
}

#[test]
fn the_limit_is_kept_and_everything_stays_readable() {
    for limit in [3_000, 100_000, 1_000_000, 20_000_000] {
        let store = StateStore::new(StoreKind::Exact, limit);
        let mut session = store.session();
        let mut names = Vec::new();
        let full = loop {
            let state = system(names.len() as u64 * 7);
            let inserted = session
                .prepare(&state, &Tree::default())
                .and_then(|prepared| session.insert(prepared, 0));
            match inserted {
                Ok(arrived) => names.push(arrived.state()),
                Err(full) => break full,
            }
            if names.len() == 1 << 20 {
                break StoreFull::Memory;
            }
        };
        assert_eq!(full, StoreFull::Memory);
        assert!(store.bytes() <= limit, "{} of {limit}", store.bytes());
        assert!(store.bytes() > limit / 3, "{} of {limit}", store.bytes());
        let mut tree = Tree::default();
        for (number, name) in (0..).zip(&names) {
            session.load(*name, &mut tree);
            assert_eq!(tree.bytes(), system(number * 7));
            assert_eq!(session.find(&system(number * 7)), Some(*name));
        }
    }
}

#[test]
fn a_small_store_is_small() {
    let store = exact();
    for number in 0..100u8 {
        insert(&store, &[&[7; 30][..], &[number]].concat(), 0).unwrap();
    }
    assert!(
        store.bytes() < 8_000,
        "{} bytes for a hundred states",
        store.bytes()
    );
    let many = exact();
    for length in 0..500 {
        insert(&many, &vec![1; length], 0).unwrap();
    }
    assert!(
        many.bytes() < 1_500 * 500,
        "{} bytes for 500 lengths",
        many.bytes()
    );
}

fn fill(store: &StateStore, states: u64) -> u64 {
    let mut session = store.session();
    let mut new = 0;
    for number in 0..states {
        let prepared = session.prepare(&system(number), &Tree::default()).unwrap();
        new += u64::from(session.insert(prepared, 0).unwrap().is_new());
    }
    new
}

#[test]
fn hash_compaction_misses_next_to_nothing() {
    let store = StateStore::new(StoreKind::HashCompact, usize::MAX);
    assert_eq!(fill(&store, 100_000), 100_000);
    assert_eq!(fill(&store, 100_000), 0);
    let omissions = store.omissions().unwrap();
    assert_eq!((store.len(), omissions.states), (100_000, 100_000));
    assert!(omissions.expected < 0.001 && omissions.expected > 0.0001);
    let mut session = store.session();
    let name = session.find(&system(77)).unwrap();
    let mut tree = Tree::default();
    session.load(name, &mut tree);
    assert_eq!(tree.bytes(), system(77));
    assert_eq!(session.find(&[9; 64]), None);
}

/// The estimate is compared with what was really missed, for fields from nearly empty to crowded.
#[test]
fn bitstate_knows_how_much_it_misses() {
    for (bytes, hashes) in [
        (1 << 20, 3),
        (1 << 17, 3),
        (1 << 16, 3),
        (1 << 17, 1),
        (1 << 16, 8),
    ] {
        let kind = StoreKind::Bitstate { bytes, hashes };
        let store = StateStore::new(kind, usize::MAX);
        let missed = 100_000 - fill(&store, 100_000);
        assert_eq!(fill(&store, 100_000), 0);
        let omissions = store.omissions().unwrap();
        let (expected, real) = (omissions.expected, missed as f64);
        let tolerance = 0.05 * real + 5.0 * real.sqrt() + 3.0;
        assert!(
            (expected - real).abs() < tolerance,
            "{kind:?}: {expected} expected, {real} missed"
        );
        assert!((0.0..=1.0).contains(&omissions.chance));
    }
}

#[test]
fn a_bit_field_beyond_the_limit_is_refused() {
    let kind = StoreKind::Bitstate {
        bytes: 1 << 20,
        hashes: 2,
    };
    let store = StateStore::new(kind, 1 << 18);
    assert_eq!(insert(&store, &[1, 2, 3], 0), Err(StoreFull::Memory));
    assert!(store.bytes() < 1 << 18);
}

#[test]
fn threads_share_a_bit_field_without_counting_twice() {
    let store = StateStore::new(
        StoreKind::Bitstate {
            bytes: 1 << 22,
            hashes: 2,
        },
        usize::MAX,
    );
    let alone = StateStore::new(
        StoreKind::Bitstate {
            bytes: 1 << 22,
            hashes: 2,
        },
        usize::MAX,
    );
    fill(&alone, 30_000);
    let new: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| fill(&store, 30_000)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    assert_eq!(new, store.len());
    assert!(
        store.len().abs_diff(alone.len()) <= 20,
        "{} and {}",
        store.len(),
        alone.len()
    );
}
