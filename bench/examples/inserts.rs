//! Measures the visited set: time to an insertion of a new and of a known state, and memory to a state.
//!
//! ```text
//! cargo run --release -p mandala-bench --example inserts [STATE_LENGTH [LARGEST_SIZE]]
//! ```

#![allow(clippy::print_stdout, reason = "the table is what the program is for")]

use std::time::Instant;

use mandala_store::VisitedSet;

/// Small sets are filled several times over, so that every row is a measurement over this many operations.
const MIN_OPERATIONS: usize = 4_000_000;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .map(|argument| argument.parse::<usize>());
    let length = arguments.next().and_then(Result::ok).unwrap_or(24).max(8);
    let largest = arguments.next().and_then(Result::ok).unwrap_or(10_000_000);
    println!("states of {length} bytes");
    println!(
        "{:>10} {:>10} {:>10} {:>12} {:>12} {:>12}",
        "states", "new ns", "seen ns", "M ops/s", "bytes/state", "of packed"
    );
    let mut size = 10_000;
    while size <= largest {
        measure(length, size);
        size = if is_power_of_ten(size) {
            size * 3
        } else {
            size / 3 * 10
        };
    }
}

fn is_power_of_ten(mut number: usize) -> bool {
    while number.is_multiple_of(10) {
        number /= 10;
    }
    number == 1
}

fn measure(length: usize, size: usize) {
    let rounds = MIN_OPERATIONS.div_ceil(size);
    let (mut new, mut seen) = (0.0, 0.0);
    let mut set = VisitedSet::with_limit(usize::MAX);
    for _ in 0..rounds {
        set = VisitedSet::with_limit(usize::MAX);
        new += time(|| insert_all(&mut set, length, size, 1));
        // A stride through the same numbers, so that neither memory nor branch prediction knows what comes.
        seen += time(|| insert_all(&mut set, length, size, 7_368_787));
    }
    assert_eq!(
        set.len(),
        size,
        "the second pass finds what the first one stored"
    );
    let operations = (rounds * size) as f64;
    println!(
        "{size:>10} {:>10.1} {:>10.1} {:>12.1} {:>12.2} {:>12.3}",
        new / operations * 1e9,
        seen / operations * 1e9,
        2.0 * operations / (new + seen) / 1e6,
        set.bytes() as f64 / size as f64,
        set.bytes() as f64 / set.packed_bytes() as f64,
    );
}

fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn insert_all(set: &mut VisitedSet, length: usize, size: usize, stride: usize) {
    let mut state = vec![0x55; length];
    let mut number = 0;
    for _ in 0..size {
        state[length - 8..].copy_from_slice(&(number as u64).to_le_bytes());
        set.insert(&state).expect("there is no limit");
        number = (number + stride) % size;
    }
}
