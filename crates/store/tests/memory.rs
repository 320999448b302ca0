//! The set stays within 1.5 times the size of its states, and within the limit it was given.

use mandala_store::{Insertion, StateId, StoreFull, VisitedSet};

/// From here on the bound on overhead is promised.
const LARGE: usize = 10_000;

/// Inserts states of the given lengths and looks at the memory after every single one, so also after each growth.
fn assert_overhead_is_bounded(count: u64, length: impl Fn(u64) -> usize) {
    let mut set = VisitedSet::with_limit(usize::MAX);
    let mut state = Vec::new();
    for number in 0..count {
        state.clear();
        state.extend_from_slice(&number.to_le_bytes());
        state.resize(length(number), 0x11);
        set.insert(&state).unwrap();
        if set.len() >= LARGE {
            let ratio = set.bytes() as f64 / set.packed_bytes() as f64;
            assert!(
                ratio <= 1.5,
                "{ratio} times the packed size at {} states",
                set.len()
            );
            assert!(ratio >= 1.0, "no exact set takes less than its states");
        }
    }
    assert_eq!(set.len() as u64, count);
}

#[test]
fn overhead_is_bounded_for_short_states() {
    assert_overhead_is_bounded(1_000_000, |_| 20);
}

#[test]
fn overhead_is_bounded_for_longer_states() {
    assert_overhead_is_bounded(100_000, |_| 33);
    assert_overhead_is_bounded(30_000, |_| 500);
}

#[test]
fn overhead_is_bounded_for_mixed_lengths() {
    assert_overhead_is_bounded(200_000, |number| 20 + (number * number % 31) as usize);
    assert_overhead_is_bounded(30_000, |number| 20 + (number * 7919 % 1000) as usize);
}

#[test]
fn overhead_is_bounded_when_lengths_are_rare() {
    assert_overhead_is_bounded(100_000, |number| {
        if number % 100 == 0 {
            20 + number as usize % 5000
        } else {
            20
        }
    });
}

/// Inserts different states of 20 bytes until one is refused, and returns the ids of those that were not.
fn fill(set: &mut VisitedSet, limit: usize) -> Vec<StateId> {
    let mut ids = Vec::new();
    loop {
        assert!(set.bytes() <= limit);
        match set.insert(&state(ids.len())) {
            Ok(insertion) => ids.push(insertion.id()),
            Err(full) => {
                assert_eq!(full, StoreFull::Memory);
                return ids;
            }
        }
    }
}

fn state(number: usize) -> Vec<u8> {
    let mut state = vec![0x22; 20];
    state[6..14].copy_from_slice(&(number as u64).to_le_bytes());
    state
}

#[test]
fn a_full_set_refuses_new_states_and_finds_old_ones() {
    for limit in [1000, 10_000, 123_456, 2_000_000] {
        let mut set = VisitedSet::with_limit(limit);
        let ids = fill(&mut set, limit);
        let mark = set.mark();
        assert_eq!(set.insert(&state(ids.len())), Err(StoreFull::Memory));
        for (number, id) in ids.iter().enumerate() {
            assert_eq!(set.insert(&state(number)), Ok(Insertion::Seen(*id)));
            assert_eq!(set.get(*id), state(number));
        }
        assert_eq!((set.len(), set.mark()), (ids.len(), mark));
        assert!(set.bytes() <= limit);
    }
}

#[test]
fn most_of_the_limit_is_used() {
    let limit = 2_000_000;
    let mut set = VisitedSet::with_limit(limit);
    fill(&mut set, limit);
    assert!(
        set.packed_bytes() * 3 / 2 > limit as u64 * 9 / 10,
        "only {} bytes stored",
        set.packed_bytes()
    );
}

#[test]
fn a_state_that_is_too_large_leaves_room_for_a_smaller_one() {
    let mut set = VisitedSet::with_limit(10_000);
    assert_eq!(set.insert(&[1; 20_000]), Err(StoreFull::Memory));
    assert!(set.is_empty());
    assert!(set.insert(&[1; 2000]).unwrap().is_new());
    assert_eq!(set.insert(&[1; 20_000]), Err(StoreFull::Memory));
    assert!(set.insert(&[2; 2000]).unwrap().is_new());
    assert_eq!(set.len(), 2);
}

#[test]
fn nothing_fits_into_no_memory() {
    let mut set = VisitedSet::with_limit(0);
    assert_eq!(set.insert(b""), Err(StoreFull::Memory));
    assert_eq!((set.len(), set.bytes()), (0, 0));
}
