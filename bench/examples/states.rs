//! Measures the concurrent store: time to a new and to a seen state, and memory to a state.
//!
//! ```text
//! cargo run --release -p mandala-bench --example states [LARGEST_SIZE [exact|hash-compact|bitstate]]
//! ```
//!
//! The states are those of a made-up system of seven processes. A process has ten locations, and a few
//! variables that depend on its location and on that of its neighbour; the rest of its bytes never change.
//! States come in families of 64 that differ from the first one in one or two processes, as the successors of a
//! state do, and families come in no particular order. A family is prepared, with the tree of its first state
//! at hand, and then inserted.
//!
//! *new* is the time to a state that was not there, growth included, *seen* the time to one that was, each on
//! the clock, over the number of states: half of it with two threads is as good as it gets.

#![allow(clippy::print_stdout, reason = "the table is what the program is for")]

use mandala_store::{Prepared, Session, StateStore, StoreKind, Tree};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const FAMILY: u64 = 64;
const PROCESSES: usize = 7;
const LOCATIONS: u64 = 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let largest = arguments.next().and_then(|text| text.parse().ok());
    let kind = match arguments.next().as_deref() {
        Some("hash-compact") => StoreKind::HashCompact,
        Some("bitstate") => StoreKind::Bitstate {
            bytes: 1 << 27,
            hashes: 3,
        },
        _ => StoreKind::Exact,
    };
    println!(
        "{:>6} {:>10} {:>8} {:>8} {:>8} {:>14}",
        "length", "states", "threads", "new ns", "seen ns", "bytes a state"
    );
    for length in [8, 20, 60, 200] {
        let mut size = 100_000;
        while size <= largest.unwrap_or(1_000_000) {
            measure(kind, length, size, 1);
            measure(kind, length, size, 2);
            size *= 10;
        }
    }
}

fn measure(kind: StoreKind, length: usize, size: u64, threads: usize) {
    let store = StateStore::new(kind, usize::MAX);
    let new = time(threads, || insert_all(&store, length, size));
    // The best of three, as the first passes also warm the cache.
    let seen = (0..3).map(|_| time(threads, || insert_all(&store, length, size)));
    let seen = seen.fold(f64::MAX, f64::min);
    let each = |seconds: f64| seconds * 1e9 / size as f64;
    let held = store.bytes() as f64 / store.len() as f64;
    println!(
        "{length:>6} {:>10} {threads:>8} {:>8.1} {:>8.1} {held:>14.2}",
        store.len(),
        each(new),
        each(seen),
    );
}

/// How long it takes so many threads to do the work that `share` gives each of them a part of.
fn time<W: Fn(&AtomicU64) + Sync>(threads: usize, share: impl Fn() -> W) -> f64 {
    let work = share();
    let next = AtomicU64::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&next));
        }
    });
    start.elapsed().as_secs_f64()
}

/// Inserts all states, family by family; `next` says which one is not taken yet.
fn insert_all(store: &StateStore, length: usize, size: u64) -> impl Fn(&AtomicU64) + Sync {
    // Prime to the number of families, so that each comes once.
    const STRIDE: u64 = 7_368_787;
    let families = size / FAMILY;
    move |next| {
        let mut session = store.session();
        let (mut near, mut state) = (Tree::default(), vec![0; length]);
        loop {
            let family = next.fetch_add(1, Ordering::Relaxed);
            if family >= families {
                return;
            }
            let first = family * STRIDE % families * FAMILY;
            insert_family(&mut session, first, &mut near, &mut state);
        }
    }
}

fn insert_family(session: &mut Session<'_>, first: u64, near: &mut Tree, state: &mut [u8]) {
    let mut prepared: Vec<Prepared> = Vec::with_capacity(FAMILY as usize);
    for number in first..first + FAMILY {
        write_state(number, state);
        let one = session.prepare(state, near).expect("there is no limit");
        if prepared.is_empty() {
            session.load(one.state(), near);
        }
        prepared.push(one);
    }
    for one in prepared {
        session.insert(one, 0).expect("there is no limit");
    }
}

/// The state with this number: each process takes one digit of it.
fn write_state(mut number: u64, state: &mut [u8]) {
    let own = (state.len() / PROCESSES).max(1);
    let mut neighbour = 0;
    for fields in state.chunks_mut(own).take(PROCESSES) {
        let location = number % LOCATIONS;
        number /= LOCATIONS;
        fields[own / 2] = (location * 3 + neighbour / 5) as u8;
        fields[own - 1] = (location % 4) as u8;
        fields[0] = (location | ((neighbour / 5) << 6)) as u8;
        neighbour = location;
    }
}
