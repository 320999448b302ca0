//! Prints how long the main operations take on groups that matter to a model checker.
//!
//! ```sh
//! cargo run --release -p mandala-bench --example groups_speed
//! ```

#![allow(clippy::print_stdout)]

use mandala_groups::{Group, Permutation, Seeded, canonical_image};
use std::time::Instant;

fn main() {
    println!(
        "{:<28}{:>7}{:>6}{:>8}{:>11}{:>11}{:>11}",
        "group", "points", "base", "digits", "chain ms", "struct ms", "image ms"
    );
    for (name, generators) in subjects() {
        report(name, &generators);
    }
}

/// Groups by generators, so that only what is measured is timed.
fn subjects() -> Vec<(&'static str, Vec<Permutation>)> {
    let groups = vec![
        ("S_8", Group::symmetric(8)),
        ("S_64", Group::symmetric(64)),
        ("S_200", Group::symmetric(200)),
        ("A_100", Group::alternating(100)),
        ("C_1000", Group::cyclic(1000)),
        ("D_1000", Group::dihedral(1000)),
        (
            "S_3 wr S_40",
            Group::symmetric(3).wreath(&Group::symmetric(40)),
        ),
        (
            "S_40 wr S_3",
            Group::symmetric(40).wreath(&Group::symmetric(3)),
        ),
        ("C_3 wr C_40", Group::cyclic(3).wreath(&Group::cyclic(40))),
        ("hypercube 5", Group::hypercube(5)),
        ("hypercube 10", Group::hypercube(10)),
        (
            "S_3 to the 64th",
            (0..6).fold(Group::symmetric(3), |power, _| power.direct_product(&power)),
        ),
    ];
    let mut subjects: Vec<_> = groups
        .into_iter()
        .map(|(name, group)| (name, group.generators().to_vec()))
        .collect();
    subjects.push((
        "S_64 on 50 parallel orbits",
        in_parallel(&Group::symmetric(64), 50),
    ));
    subjects.push(("S_40 and pairs", with_pairs(&Group::symmetric(40))));
    subjects
}

fn in_parallel(group: &Group, copies: u32) -> Vec<Permutation> {
    let size = group.degree() as u32;
    let image =
        |generator: &Permutation, point: u32| point / size * size + generator.image(point % size);
    extended(group, size * copies, image)
}

/// Every ordered pair of points is a further point, as in a matrix.
fn with_pairs(group: &Group) -> Vec<Permutation> {
    let size = group.degree() as u32;
    extended(group, size + size * size, |generator, point| {
        match point.checked_sub(size) {
            None => generator.image(point),
            Some(pair) => size + generator.image(pair / size) * size + generator.image(pair % size),
        }
    })
}

fn extended(
    group: &Group,
    degree: u32,
    image: impl Fn(&Permutation, u32) -> u32,
) -> Vec<Permutation> {
    let extend = |generator| {
        let images = (0..degree).map(|point| image(generator, point)).collect();
        Permutation::from_images(images).expect("an action")
    };
    group.generators().iter().map(extend).collect()
}

fn report(name: &str, generators: &[Permutation]) {
    let degree = generators[0].degree();
    let (group, chain) = timed(|| Group::new(degree, generators.to_vec()).expect("equal degrees"));
    let (structure, recognition) = timed(|| group.structure());
    let mut random = Seeded::new(1);
    let values: Vec<u32> = (0..degree).map(|_| random.below(4) as u32).collect();
    let (_, image) = timed(|| canonical_image(&group, &values).expect("a value a point"));
    let digits = group.order().to_string().len();
    let base = group.chain().len();
    println!(
        "{name:<28}{degree:>7}{base:>6}{digits:>8}{chain:>11.2}{recognition:>11.2}{image:>11.2}  {structure}"
    );
}

/// The result, and the milliseconds that the fastest of several runs took.
fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let run = || {
        let start = Instant::now();
        let result = work();
        (result, start.elapsed().as_secs_f64() * 1e3)
    };
    let mut best = run();
    for _ in 1..RUNS {
        let next = run();
        if next.1 < best.1 {
            best = next;
        }
    }
    best
}

const RUNS: usize = 7;
