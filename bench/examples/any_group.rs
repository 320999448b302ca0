//! What a representative costs under groups that have not all permutations of their points.
//!
//! Run with `cargo run --release -p mandala-bench --example any_group`. The states are those of systems in which all permutations
//! would do, so that every group can be tried on the same ones: workers that walk through eight locations, and nodes that
//! each refer to a node or to nobody. Each line gives the time for one representative with `auto` and with `shuffle`, which tries
//! the elements one by one, gather and scatter and packing included.
#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use mandala_encoding::Program;
use mandala_explicit::{AfterViolation, Limits, Options, search_reduced};
use mandala_groups::{Group, Permutation};
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Observers;
use mandala_model::verify::verify;
use mandala_promela::ParseOptions;
use mandala_reduce::{Settings, Strategy, reducer};
use mandala_symmetry::{Candidate, Certificate, Family, Permutation as Moves, Renaming, certify};

fn workers(n: usize) -> String {
    format!(
        "active [{n}] proctype P() {{ do :: skip; skip; skip; skip; skip; skip; skip; skip od }}"
    )
}

fn nodes(n: usize) -> String {
    format!(
        "chan introduce = [0] of {{ pid }};
        active [{n}] proctype P() {{
            pid friend = 255;
            do
            :: introduce ! _pid
            :: introduce ? friend
            :: friend = 255
            od
        }}"
    )
}

fn load(text: &str) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model.pml", text));
    let (model, _) = mandala_promela::load(&mut sources, file, &ParseOptions::default());
    verify(model.expect("a model")).expect("well typed")
}

fn certificate(model: &Model, group: &Group) -> Certificate {
    let candidate = Candidate {
        families: vec![Family {
            template: TemplateId::from(0),
            numbers: (0..group.degree() as u32).collect(),
        }],
        ..Candidate::default()
    };
    let all = certify(model, Observers::default(), &candidate).expect("symmetric");
    let renaming = |permutation: &Permutation| {
        let moves = Moves::from_images(permutation.images().to_vec());
        Renaming::of_processes(moves.expect("a permutation"))
    };
    let renamings = group.generators().iter().map(renaming).collect();
    all.narrowed(renamings).expect("all are certified")
}

/// Nanoseconds for each representative of a search, and how many states it has.
fn measure(model: &Model, certificate: &Certificate, strategy: Strategy) -> (f64, u64) {
    let program = Program::compile(model, Observers::default()).expect("compiles");
    let options = Options {
        on_violation: AfterViolation::GoOn,
        limits: Limits {
            states: Some(20_000),
            ..Limits::default()
        },
        ..Options::default()
    };
    let settings = Settings::default();
    let mut reducer = Some(reducer(model, certificate, strategy, &settings).expect("supported"));
    let mut run = || {
        let mut make = || reducer.take().expect("there is one worker");
        let found = search_reduced(&program, &options, &mut make, &mut |_| {});
        let (outcome, mut reducers) = found.expect("the options go together");
        reducer = reducers.pop();
        outcome
    };
    // The first time, plans are made.
    run();
    let found = run();
    let reduction = &found.reduction;
    let each = reduction.time.as_secs_f64() * 1e9 / reduction.states.max(1) as f64;
    (each, found.statistics.states)
}

/// The best of three: others may use the machine as well.
fn best(model: &Model, certificate: &Certificate, strategy: Strategy) -> (f64, u64) {
    let runs = (0..3).map(|_| measure(model, certificate, strategy));
    let better = |a: (f64, u64), b: (f64, u64)| (a.0.min(b.0), a.1);
    runs.reduce(better).expect("three runs")
}

fn main() {
    let pairs = |n| Group::symmetric(2).wreath(&Group::symmetric(n));
    let groups = [
        Group::cyclic(5),
        Group::cyclic(10),
        Group::cyclic(20),
        Group::cyclic(120),
        Group::dihedral(10),
        Group::cyclic(5).direct_product(&Group::cyclic(6)),
        Group::hypercube(3),
        Group::hypercube(4),
        Group::hypercube(5),
        pairs(4),
        pairs(8),
        Group::symmetric(4).wreath(&Group::symmetric(4)),
        Group::symmetric(5)
            .direct_product(&Group::symmetric(5))
            .direct_product(&Group::cyclic(5)),
        Group::alternating(9),
        Group::symmetric(4).direct_product(&Group::cyclic(5)),
        Group::alternating(6),
    ];
    println!(
        "{:<12} {:>7} {:>10} {:<8} {:>10} {:>10}",
        "group", "points", "order", "states", "auto", "shuffle"
    );
    for group in &groups {
        let systems = [
            ("workers", workers(group.degree())),
            ("nodes", nodes(group.degree())),
        ];
        for (name, text) in systems {
            let model = load(&text);
            let certificate = certificate(&model, group);
            let (auto, states) = best(&model, &certificate, Strategy::Auto);
            let small = group.order() <= 10_000u32.into();
            let tried = small.then(|| best(&model, &certificate, Strategy::Shuffle));
            let tried = tried.map_or("-".to_string(), |(tried, found)| {
                assert_eq!(found, states);
                format!("{tried:.0}")
            });
            let (structure, order) = (group.structure().to_string(), group.order().to_string());
            println!(
                "{structure:<12} {:>7} {order:>10} {name:<8} {auto:>10.0} {tried:>10}",
                group.degree()
            );
        }
    }
}
