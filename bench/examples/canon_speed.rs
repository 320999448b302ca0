//! Prints the time per state: pointer states as models have them, by number of points and control values.
//!
//! ```sh
//! cargo run --release -p mandala-bench --example canon_speed
//! ```

#![allow(clippy::print_stdout)]

use mandala_canon::strategies::{Full, Segmented, Sorted};
use mandala_canon::{
    ABSENT, Budget, Canonicaliser, Exactness, Labeller, NONE, OwnedView, Point, PointDomain, Shape,
};
use std::hint::black_box;
use std::time::Instant;

/// Permutations that one measurement of an enumerating strategy may take.
const PERMUTATIONS: u32 = 1_000_000;
/// States that are timed together.
const STRETCH: usize = 100;
/// How often each stretch is timed.
const ROUNDS: usize = 12;

fn main() {
    println!(
        "nanoseconds per state; leaves and nodes of the search tree, states that need a search"
    );
    println!(
        "{:<34}{:>9}{:>11}{:>11}{:>9}{:>7}{:>7}{:>9}",
        "states", "auto", "segmented", "full", "sorted", "leaves", "nodes", "searched"
    );
    for subject in subjects() {
        report(&subject);
    }
}

/// A family of states.
struct Subject {
    name: String,
    shape: Shape,
    states: Vec<OwnedView>,
}

fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (points, cells) in [(8, 1), (8, 6), (20, 6)] {
        subjects.push(rows(points, cells, 0));
        subjects.push(rows(points, cells, 4));
    }
    for (points, controls) in [(8, 1), (8, 4), (12, 1), (12, 4), (20, 1), (20, 4), (64, 4)] {
        for nothing in [0, 50, 90] {
            subjects.push(pointers(points, controls, nothing));
        }
    }
    for points in [8, 12, 20] {
        subjects.push(structured("ring", points, ring));
        subjects.push(structured("permutation", points, permutation));
        subjects.push(structured("mutual pairs", points, pairs));
        subjects.push(structured("all idle", points, |_, _| Vec::new()));
        subjects.push(structured("one leader", points, star));
        subjects.push(structured("queue of waiters", points, queue));
        subjects.push(mailboxes(points / 2));
    }
    subjects
}

/// Rows of small numbers and shared references: nothing refers to a point but the shared cells.
fn rows(points: usize, cells: usize, shared: usize) -> Subject {
    let domain = PointDomain {
        points,
        plain: cells,
        references: 0,
    };
    let shape = Shape::new(&[domain], shared, &[]).expect("small");
    let mut random = Random(points as u64 + cells as u64);
    let states = (0..20_000)
        .map(|_| OwnedView {
            plain: (0..points * cells)
                .map(|_| random.below(4) as u32)
                .collect(),
            references: Vec::new(),
            shared: (0..shared)
                .map(|_| random.below(points as u64) as Point)
                .collect(),
            relations: Vec::new(),
        })
        .collect();
    Subject {
        name: format!("n={points} rows of {cells}, {shared} shared"),
        shape,
        states,
    }
}

/// Clients with a mailbox each, of another domain; some mailboxes hold messages with their senders' names.
fn mailboxes(clients: usize) -> Subject {
    let domain = |plain, references| PointDomain {
        points: clients,
        plain,
        references,
    };
    let shape = Shape::new(&[domain(1, 1), domain(0, 2)], 0, &[]).expect("small");
    let mut random = Random(clients as u64);
    let states = (0..5000)
        .map(|_| {
            let boxes = random.permutation(clients);
            let mut references: Vec<Point> =
                boxes.iter().map(|&at| at + clients as Point).collect();
            for _ in 0..clients {
                let sender = |random: &mut Random| random.below(clients as u64) as Point;
                let message = match random.below(4) {
                    0 => [sender(&mut random), ABSENT],
                    1 => [sender(&mut random), sender(&mut random)],
                    _ => [ABSENT, ABSENT],
                };
                references.extend(message);
            }
            OwnedView {
                plain: (0..clients).map(|_| random.below(2) as u32).collect(),
                references,
                shared: Vec::new(),
                relations: Vec::new(),
            }
        })
        .collect();
    Subject {
        name: format!("n={} clients and mailboxes", 2 * clients),
        shape,
        states,
    }
}

/// Random control values and two reference cells a point, of which a share in percent holds nothing.
fn pointers(points: usize, controls: u64, nothing: u64) -> Subject {
    let shape = Shape::single(points, 1, 2).expect("small");
    let mut random = Random(points as u64 * 1000 + controls * 100 + nothing);
    let states = (0..20_000)
        .map(|_| OwnedView {
            plain: (0..points).map(|_| random.below(controls) as u32).collect(),
            references: (0..2 * points)
                .map(|_| match random.below(100) < nothing {
                    true => NONE,
                    false => random.below(points as u64) as Point,
                })
                .collect(),
            shared: Vec::new(),
            relations: Vec::new(),
        })
        .collect();
    Subject {
        name: format!("n={points} controls={controls} nothing={nothing}%"),
        shape,
        states,
    }
}

/// States with one control value whose first reference cell is given by a list of (point, target).
fn structured(
    name: &str,
    points: usize,
    links: impl Fn(&[Point], &mut Random) -> Vec<(Point, Point)>,
) -> Subject {
    let shape = Shape::single(points, 1, 2).expect("small");
    let mut random = Random(points as u64);
    let states = (0..2000)
        .map(|_| {
            let names = random.permutation(points);
            let mut references = vec![NONE; 2 * points];
            for (point, target) in links(&names, &mut random) {
                references[2 * usize::from(point)] = target;
            }
            OwnedView {
                plain: vec![0; points],
                references,
                shared: Vec::new(),
                relations: Vec::new(),
            }
        })
        .collect();
    Subject {
        name: format!("n={points} {name}"),
        shape,
        states,
    }
}

fn ring(names: &[Point], _: &mut Random) -> Vec<(Point, Point)> {
    let next = names.iter().cycle().skip(1);
    names.iter().copied().zip(next.copied()).collect()
}

fn permutation(names: &[Point], random: &mut Random) -> Vec<(Point, Point)> {
    let images = random.permutation(names.len());
    names.iter().copied().zip(images).collect()
}

fn pairs(names: &[Point], _: &mut Random) -> Vec<(Point, Point)> {
    let both = |pair: &[Point]| [(pair[0], pair[1]), (pair[1], pair[0])];
    names.chunks_exact(2).flat_map(both).collect()
}

fn star(names: &[Point], _: &mut Random) -> Vec<(Point, Point)> {
    names.iter().map(|&name| (name, names[0])).collect()
}

fn queue(names: &[Point], random: &mut Random) -> Vec<(Point, Point)> {
    let waiting = 1 + random.below(names.len() as u64) as usize;
    let pairs = names[..waiting].windows(2);
    pairs.map(|pair| (pair[1], pair[0])).collect()
}

fn report(subject: &Subject) {
    let shape = &subject.shape;
    let mut auto = Canonicaliser::new(shape, Budget::default());
    let time_of_auto = time(&mut auto, &subject.states);
    let segmented = time_limited(&mut Segmented::new(shape, PERMUTATIONS), &subject.states);
    let full = time_limited(&mut Full::new(shape, PERMUTATIONS), &subject.states);
    let sorted = time(&mut Sorted::new(shape), &subject.states);
    let counters = auto.counters();
    let share = |count: u64| count as f64 / counters.states() as f64;
    println!(
        "{:<34}{:>9.0}{:>11}{:>11}{:>9.0}{:>7.2}{:>7.2}{:>8.1}%",
        subject.name,
        time_of_auto,
        segmented,
        full,
        sorted,
        share(counters.leaves),
        share(counters.nodes),
        100.0 * share(counters.searched),
    );
    if counters.heuristic > 0 {
        println!("    {} states over budget", counters.heuristic);
    }
}

/// Nanoseconds per state: of each stretch of states the best of several rounds, so that what else the machine
/// does counts little. There are too many states for branch predictors to learn them by heart.
fn time(labeller: &mut dyn Labeller, states: &[OwnedView]) -> f64 {
    let stretch = |states: &[OwnedView], labeller: &mut dyn Labeller| {
        let start = Instant::now();
        for state in states {
            black_box(labeller.label(&black_box(state.as_view())));
        }
        start.elapsed().as_nanos() as f64
    };
    let mut best = vec![f64::INFINITY; states.len().div_ceil(STRETCH)];
    for _ in 0..ROUNDS {
        for (best, states) in best.iter_mut().zip(states.chunks(STRETCH)) {
            *best = best.min(stretch(states, labeller));
        }
    }
    best.iter().sum::<f64>() / states.len() as f64
}

/// Nanoseconds per state of a strategy that tries many permutations, from as many states as it can do.
fn time_limited(labeller: &mut dyn Labeller, states: &[OwnedView]) -> String {
    let (mut tried, mut done) = (0, 0);
    let start = Instant::now();
    for state in states {
        let labelling = labeller.label(&black_box(state.as_view()));
        if labelling.exactness() == Exactness::Heuristic {
            return "too many".into();
        }
        tried += labelling.effort().nodes;
        done += 1;
        if tried > PERMUTATIONS {
            break;
        }
    }
    format!("{:.0}", start.elapsed().as_nanos() as f64 / f64::from(done))
}

/// A small generator of numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 33) % bound
    }

    fn permutation(&mut self, size: usize) -> Vec<Point> {
        let mut list: Vec<Point> = (0..size as Point).collect();
        for at in (1..size).rev() {
            list.swap(at, self.below(at as u64 + 1) as usize);
        }
        list
    }
}
