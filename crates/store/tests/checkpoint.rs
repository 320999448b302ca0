//! Stores written and read back, whole and damaged.

use mandala_store::{Arrived, CheckpointError, StateRef, StateStore, StoreFull, StoreKind, Tree};

/// States of several lengths, one of them so frequent that a tree is chosen for it.
fn state(number: u32) -> Vec<u8> {
    match number % 50 {
        0 => vec![number as u8; (number % 7) as usize],
        1 => number.to_le_bytes().repeat(1 + number as usize / 50 % 9),
        _ => [
            &[5; 20][..],
            &number.to_le_bytes(),
            &[number as u8; 6],
            &(number / 9).to_le_bytes(),
        ]
        .concat(),
    }
}

fn filled(kind: StoreKind, states: u32) -> (StateStore, Vec<StateRef>) {
    let store = StateStore::new(kind, usize::MAX);
    let mut session = store.session();
    let mut names = Vec::new();
    for number in 0..states {
        let prepared = session.prepare(&state(number), &Tree::default()).unwrap();
        names.push(session.insert(prepared, number / 100).unwrap().state());
    }
    drop(session);
    (store, names)
}

fn written(store: &StateStore) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.write_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_store_is_the_same_after_writing_and_reading() {
    for states in [0, 1, 10, 1000, 40_000] {
        let (store, names) = filled(StoreKind::Exact, states);
        let again = StateStore::read_from(&mut &written(&store)[..], usize::MAX).unwrap();
        assert_eq!(again.kind(), StoreKind::Exact);
        assert_eq!(
            (again.len(), again.packed_bytes()),
            (store.len(), store.packed_bytes())
        );
        let mut session = again.session();
        let mut tree = Tree::default();
        for (number, name) in (0..).zip(&names) {
            session.load(*name, &mut tree);
            assert_eq!(tree.bytes(), state(number));
            let prepared = session.prepare(&state(number), &tree).unwrap();
            assert_eq!(session.insert(prepared, 1), Ok(Arrived::Seen(*name)));
        }
        for number in states..states + 500 {
            let known = (0..states).any(|old| state(old) == state(number));
            let prepared = session.prepare(&state(number), &tree).unwrap();
            let arrived = session.insert(prepared, 1).unwrap();
            assert!(arrived.is_new() != known || number % 50 == 0);
        }
    }
}

#[test]
fn depths_are_kept() {
    let (store, _) = filled(StoreKind::Exact, 30_000);
    let again = StateStore::read_from(&mut &written(&store)[..], usize::MAX).unwrap();
    for depth in [0, 7, 200, 299] {
        let at = |store: &StateStore| {
            let mut found = Vec::new();
            store.at_depth(depth, 0, 1, &mut |name| found.push(name));
            found.sort();
            found
        };
        assert_eq!(at(&store), at(&again));
        assert!(!at(&store).is_empty());
    }
}

#[test]
fn approximate_stores_are_written_too() {
    for kind in [
        StoreKind::HashCompact,
        StoreKind::Bitstate {
            bytes: 1 << 18,
            hashes: 3,
        },
    ] {
        let (store, names) = filled(kind, 40_000);
        let again = StateStore::read_from(&mut &written(&store)[..], usize::MAX).unwrap();
        assert_eq!((again.kind(), again.len()), (kind, store.len()));
        assert_eq!(again.omissions(), store.omissions());
        let mut session = again.session();
        let mut tree = Tree::default();
        for (number, name) in (0..).zip(&names) {
            session.load(*name, &mut tree);
            assert_eq!(tree.bytes(), state(number));
            let prepared = session.prepare(&state(number), &tree).unwrap();
            assert!(!session.insert(prepared, 0).unwrap().is_new());
        }
    }
}

#[test]
fn what_ends_too_early_is_refused() {
    let (store, _) = filled(StoreKind::Exact, 300);
    let bytes = written(&store);
    for length in (0..bytes.len()).step_by(5) {
        let error = StateStore::read_from(&mut &bytes[..length], usize::MAX).unwrap_err();
        assert!(matches!(error, CheckpointError::Io(_)), "{length}: {error}");
    }
}

#[test]
fn what_was_changed_is_refused() {
    for kind in [StoreKind::Exact, StoreKind::HashCompact] {
        let (store, _) = filled(kind, 300);
        let bytes = written(&store);
        for place in (0..bytes.len()).step_by(3) {
            for bit in [1, 0x80] {
                let mut changed = bytes.clone();
                changed[place] ^= bit;
                let read = StateStore::read_from(&mut &changed[..], 1 << 24);
                assert!(read.is_err(), "bit {bit} of byte {place}");
            }
        }
    }
}

#[test]
fn a_limit_that_is_too_low_is_told() {
    let (store, _) = filled(StoreKind::Exact, 30_000);
    let error = StateStore::read_from(&mut &written(&store)[..], 100_000).unwrap_err();
    assert!(matches!(error, CheckpointError::Full(StoreFull::Memory)));
}
