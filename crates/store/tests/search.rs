//! Marks, cursors and the two frontiers.

use std::collections::{HashMap, HashSet};

use mandala_store::{BreadthFirst, Cursor, DepthFirst, Mark, StateId, VisitedSet};
use proptest::collection::vec;
use proptest::prelude::*;

fn unlimited() -> VisitedSet {
    VisitedSet::with_limit(usize::MAX)
}

/// Numbers as states, in three different lengths.
fn encode(number: u32) -> Vec<u8> {
    let mut state = number.to_le_bytes().to_vec();
    state.resize(4 + (number % 3) as usize, 0);
    state
}

fn decode(state: &[u8]) -> u32 {
    u32::from_le_bytes(state[..4].try_into().unwrap())
}

#[test]
fn between_gives_what_was_inserted_between() {
    let mut set = unlimited();
    let mut ids: Vec<_> = (0..5)
        .map(|number| set.insert(&encode(number)).unwrap().id())
        .collect();
    let first = set.mark();
    ids.extend((5..20_000).map(|number| set.insert(&encode(number)).unwrap().id()));
    let second = set.mark();
    assert!(set.insert(b"later").unwrap().is_new());
    let found: Vec<_> = set.between(&first, &second).collect();
    assert_eq!(found.len(), 20_000 - 5);
    assert_eq!(
        found.iter().collect::<HashSet<_>>(),
        ids[5..].iter().collect()
    );
    // Within a length the order is that of insertion.
    let numbers: Vec<_> = found
        .iter()
        .map(|id| decode(set.get(*id)))
        .filter(|number| number % 3 == 1)
        .collect();
    assert!(numbers.is_sorted());
    assert_eq!(
        set.between(&Mark::default(), &first)
            .collect::<HashSet<_>>(),
        ids[..5].iter().copied().collect()
    );
    assert_eq!(set.between(&second, &second).next(), None);
    assert_eq!(set.between(&second, &first).next(), None);
}

#[test]
fn a_cursor_is_not_disturbed_by_insertions() {
    let mut set = unlimited();
    for number in 0..1000 {
        set.insert(&encode(number)).unwrap();
    }
    let mut cursor = Cursor::new(&Mark::default(), &set.mark());
    let mut seen = HashSet::new();
    while let Some(id) = cursor.next(&set) {
        let number = decode(set.get(id));
        assert!(seen.insert(number));
        assert_eq!(cursor.remaining(), 1000 - seen.len());
        for offset in [1000, 2000] {
            set.insert(&encode(number + offset)).unwrap();
        }
        set.insert(&vec![0; 50 + number as usize]).unwrap();
    }
    assert!(cursor.is_done());
    assert_eq!(seen, (0..1000).collect());
    assert_eq!(set.len(), 4000);
}

/// Distances from 1 under two moves on the numbers below `size`, with a queue.
fn distances(size: u32) -> HashMap<u32, u32> {
    let mut distances = HashMap::from([(1, 0)]);
    let mut queue = std::collections::VecDeque::from([1]);
    while let Some(number) = queue.pop_front() {
        for successor in moves(number, size) {
            if !distances.contains_key(&successor) {
                distances.insert(successor, distances[&number] + 1);
                queue.push_back(successor);
            }
        }
    }
    distances
}

fn moves(number: u32, size: u32) -> [u32; 2] {
    [number * 5 % size, (number + 7) % size]
}

#[test]
fn breadth_first_search_finds_shortest_distances() {
    let size = 30_011;
    let mut set = unlimited();
    set.insert(&encode(77_777)).unwrap();
    let start = set.mark();
    set.insert(&encode(1)).unwrap();
    let mut frontier = BreadthFirst::starting_at(start);
    let mut found = HashMap::new();
    let mut last_depth = 0;
    while let Some((id, depth)) = frontier.pop(&set) {
        assert!(depth == last_depth || depth == last_depth + 1);
        last_depth = depth;
        let number = decode(set.get(id));
        assert_eq!(found.insert(number, depth), None);
        for successor in moves(number, size) {
            set.insert(&encode(successor)).unwrap();
        }
    }
    assert_eq!(found, distances(size));
    assert_eq!(frontier.remaining_in_level(), 0);
}

#[test]
fn a_search_without_states_ends_at_once() {
    assert_eq!(BreadthFirst::default().pop(&unlimited()), None);
    let mut frontier = DepthFirst::default();
    assert_eq!(frontier.pop(), None);
    assert!(frontier.path().is_empty());
}

/// A tree on numbers, given by the parent of each number but the first; a parent is smaller than its children.
fn trees() -> impl Strategy<Value = Vec<usize>> {
    vec(any::<prop::sample::Index>(), 0..300).prop_map(|choices| {
        choices
            .iter()
            .enumerate()
            .map(|(number, choice)| choice.index(number + 1))
            .collect()
    })
}

/// The numbers from the root to this one, by the parents alone.
fn path_to(parents: &[usize], mut number: usize) -> Vec<StateId> {
    let mut path = vec![number];
    while number > 0 {
        number = parents[number - 1];
        path.push(number);
    }
    path.iter()
        .rev()
        .map(|number| StateId::from_u32(*number as u32))
        .collect()
}

fn children(parents: &[usize], number: usize) -> Vec<usize> {
    (1..=parents.len())
        .filter(|child| parents[child - 1] == number)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn depth_first_search_knows_its_path(parents in trees()) {
        let mut frontier = DepthFirst::default();
        frontier.push(StateId::from_u32(0), 0);
        let mut popped = HashSet::new();
        while let Some((id, depth)) = frontier.pop() {
            prop_assert!(popped.insert(id));
            let path = path_to(&parents, id.index());
            prop_assert_eq!(frontier.path(), &path[..]);
            prop_assert_eq!(depth as usize + 1, path.len());
            for child in children(&parents, id.index()) {
                frontier.push(StateId::from_u32(child as u32), depth + 1);
            }
        }
        prop_assert_eq!(popped.len(), parents.len() + 1);
    }
}

#[test]
fn depth_first_search_starts_anew_at_each_initial_state() {
    let [a, b, c] = [1, 2, 3].map(StateId::from_u32);
    let mut frontier = DepthFirst::default();
    frontier.push(a, 0);
    frontier.push(b, 0);
    assert_eq!(frontier.pop(), Some((b, 0)));
    frontier.push(c, 1);
    assert_eq!((frontier.len(), frontier.is_empty()), (2, false));
    assert_eq!(frontier.pop(), Some((c, 1)));
    assert_eq!(frontier.path(), [b, c]);
    assert_eq!(frontier.pop(), Some((a, 0)));
    assert_eq!(frontier.path(), [a]);
    assert!(frontier.is_empty() && frontier.bytes() > 0);
}
