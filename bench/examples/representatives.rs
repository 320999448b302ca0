//! Prints the time that 1,000 representatives take, by strategy and number of processes, on states like those of the
//! email model of Donaldson (2009).
//!
//! ```sh
//! cargo run --release -p mandala-bench --example representatives
//! ```
//!
//! Each process has a control location and two more plain bytes, two references, and a channel of one message with two
//! references; a channel of two such messages is shared. A factor is relative to
//! `enumerate-swaps`.

#![allow(clippy::print_stdout)]

use mandala_canon::walk::Walk;
use mandala_canon::{
    ABSENT, Budget, Canonicaliser, Exactness, Labeller, NONE, OwnedView, Point, PointDomain, Shape,
};
use mandala_encoding::shuffle::{Level, Shuffler};
use std::hint::black_box;
use std::time::{Duration, Instant};
use strategies::enumerate::Enumerate;
use strategies::enumerate_swaps::EnumerateSwaps;
use strategies::shuffle::Shuffle;
use strategies::vector_swaps::VectorSwaps;

/// The labellers themselves, without the searches they serve.
#[path = "../../crates/reduce/src/strategies"]
#[allow(
    unreachable_pub,
    reason = "these are modules of `reduce`, which uses them"
)]
mod strategies {
    mod bytes;
    pub(crate) mod enumerate;
    pub(crate) mod enumerate_swaps;
    pub(crate) mod shuffle;
    pub(crate) mod vector_swaps;
}

/// How long a strategy may take for the states of one size.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long states that are timed together should take.
const STRETCH: Duration = Duration::from_micros(50);
/// How often they are timed.
const ROUNDS: usize = 12;

fn main() {
    println!(
        "milliseconds for 1,000 representatives, and how many times as fast as enumerate-swaps"
    );
    for points in 3..=8 {
        let shape = shape(points);
        let states = states(points, 1000);
        println!("{points} processes");
        let mut baseline = f64::NAN;
        for (name, mut labeller) in labellers(&shape) {
            let time = milliseconds(labeller.as_mut(), &states);
            if name == "enumerate-swaps" {
                baseline = time;
            }
            println!("  {name:<24}{time:>10.3}{:>9.2}x", baseline / time);
        }
    }
}

/// All strategies, those with vector instructions at all levels, the best one first.
fn labellers(shape: &Shape) -> Vec<(String, Box<dyn Labeller>)> {
    let limit = u32::MAX;
    let mut all: Vec<(String, Box<dyn Labeller>)> = vec![
        (
            "enumerate-swaps".into(),
            Box::new(EnumerateSwaps::new(Walk::of_all(shape), shape, limit)),
        ),
        (
            "enumerate".into(),
            Box::new(Enumerate::new(Walk::of_all(shape), shape, limit)),
        ),
        (
            "vector-swaps".into(),
            Box::new(VectorSwaps::new(Walk::of_all(shape), shape, limit)),
        ),
        (
            "shuffle".into(),
            Box::new(Shuffle::new(Walk::of_all(shape), shape, limit)),
        ),
        (
            "auto".into(),
            Box::new(Canonicaliser::new(shape, Budget::default())),
        ),
    ];
    let lesser = Level::ALL.into_iter().filter_map(Shuffler::at);
    for shuffler in lesser.filter(|&shuffler| shuffler != Shuffler::new()) {
        let level = shuffler.level();
        let vectors = VectorSwaps::with(shuffler, Walk::of_all(shape), shape, limit);
        all.push((format!("vector-swaps {level:?}"), Box::new(vectors)));
        let shuffle = Shuffle::with(shuffler, Walk::of_all(shape), shape, limit);
        all.push((format!("shuffle {level:?}"), Box::new(shuffle)));
    }
    all
}

/// Milliseconds for 1,000 states: of each stretch of them the best of several rounds, so that what else the machine
/// does counts little, for as many states as patience allows.
fn milliseconds(labeller: &mut dyn Labeller, states: &[OwnedView]) -> f64 {
    let begin = Instant::now();
    let (mut total, mut done) = (0.0, 0);
    for stretch in states.chunks(stretch_length(labeller, states)) {
        let rounds = (0..ROUNDS).map(|_| time(labeller, stretch));
        total += rounds.min().unwrap_or_default().as_secs_f64();
        done += stretch.len();
        if begin.elapsed() > PATIENCE {
            break;
        }
    }
    total * 1e6 / done as f64
}

/// States that are timed together: enough of them for the clock, not so many that nothing goes undisturbed.
fn stretch_length(labeller: &mut dyn Labeller, states: &[OwnedView]) -> usize {
    let once = time(labeller, &states[..1]);
    let length = STRETCH.as_nanos() / once.as_nanos().max(1);
    (length as usize).clamp(1, 100)
}

fn time(labeller: &mut dyn Labeller, states: &[OwnedView]) -> Duration {
    let start = Instant::now();
    for state in states {
        let labelling = labeller.label(&black_box(state.as_view()));
        assert_eq!(labelling.exactness(), Exactness::Exact);
    }
    start.elapsed()
}

fn shape(points: usize) -> Shape {
    let domain = PointDomain {
        points,
        plain: 3,
        references: 4,
    };
    Shape::new(&[domain], 4, &[]).expect("small")
}

/// States in which about half of the processes are busy with a message, and a third of the channels hold one.
fn states(points: usize, count: usize) -> Vec<OwnedView> {
    let mut random = Random(points as u64);
    let state = |_| {
        let (mut plain, mut references) = (Vec::new(), Vec::new());
        for _ in 0..points {
            let is_busy = random.below(2) == 0;
            plain.extend([
                random.below(4) as u32,
                u32::from(is_busy),
                random.below(2) as u32,
            ]);
            references.extend(random.message(points, is_busy, NONE));
            let is_full = random.below(3) == 0;
            references.extend(random.message(points, is_full, ABSENT));
        }
        let messages = random.below(3);
        let first = random.message(points, messages > 0, ABSENT);
        let second = random.message(points, messages > 1, ABSENT);
        OwnedView {
            plain,
            references,
            shared: [first, second].concat(),
            relations: Vec::new(),
        }
    };
    (0..count).map(state).collect()
}

/// A small generator of numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound
    }

    /// Sender and recipient, or a value that says there are none.
    fn message(&mut self, points: usize, is_there: bool, nothing: Point) -> [Point; 2] {
        [0; 2].map(|_| match is_there {
            true => self.below(points as u64) as Point,
            false => nothing,
        })
    }
}
