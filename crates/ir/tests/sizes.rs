//! The size of a model is that of its text: for 3 and for 30 of everything that there may be any number of, a bundled model is the same but for
//! numbers.
//!
//! Not counted is what there is one of for each:
//!
//! - processes that run from the start, and values that variables have at first;
//! - the states of a pointer automaton that runs start in, which are edges;
//! - `liveness` with parameters in Murphi, which is a property and a monitor for each choice of them, as in Rumur.
//!
//! Left out are models whose text is another one for another number (`#if`). Like Spin, Promela's `select` between two numbers that are close to each other has an option for
//! each; between others it is a loop.

use mandala_model::UncheckedModel;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::expr::Expr;
use mandala_model::ids::PropertyId;
use mandala_model::model::Language;
use mandala_model::property::PropertyKind;
use mandala_model::source::{FileId, SourceText, Sources};
use mandala_model::template::{Edge, Effect, Routine, Step};
use mandala_model::verify::verify;
use std::path::Path;

/// The parts of a model, each kind counted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Size {
    globals: usize,
    records: usize,
    locals: usize,
    locations: usize,
    edges: usize,
    nodes: usize,
    choices: usize,
    effects: usize,
    conditions: usize,
    properties: usize,
    parts_of_expressions: usize,
}

impl Size {
    fn of(model: &UncheckedModel) -> Size {
        let mut size = Size {
            globals: model.globals.len(),
            records: model.records.len(),
            conditions: model.conditions.len(),
            properties: model.properties.len(),
            ..Size::default()
        };
        for condition in &model.conditions {
            condition
                .condition
                .walk(&mut |_| size.parts_of_expressions += 1);
        }
        for template in &model.templates {
            size.locals += template.locals.len();
            size.locations += template.locations.len();
            let edges = template.edges.iter();
            edges
                .filter(|edge| !makes_a_start(model, edge))
                .for_each(|edge| size.edge(edge));
        }
        for monitor in &model.monitors {
            size.edges += 1;
            size.step(&monitor.step);
        }
        for function in &model.functions {
            size.locals += function.locals.len();
            size.routine(&function.body);
        }
        size
    }

    fn edge(&mut self, edge: &Edge) {
        self.edges += 1;
        self.step(&edge.step);
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Guarded { guard, effects } => {
                self.expression(guard);
                self.effects(effects);
            }
            Step::Routine(routine) => self.routine(routine),
            Step::Call(_) | Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit => {
                step.each_whole(&mut |whole| self.expression(whole));
            }
        }
    }

    fn expression(&mut self, expr: &Expr) {
        expr.walk(&mut |_| self.parts_of_expressions += 1);
    }

    fn effects(&mut self, effects: &[Effect]) {
        self.effects += effects.len();
        for effect in effects {
            effect.each_whole(&mut |whole| self.expression(whole));
        }
    }

    fn routine(&mut self, routine: &Routine) {
        self.nodes += routine.nodes.len();
        for choice in routine.nodes.iter().flat_map(|node| &node.choices) {
            self.choices += 1;
            self.step(&choice.step);
        }
    }
}

/// Whether an edge makes one of the states that the runs of a pointer automaton start in.
fn makes_a_start(model: &UncheckedModel, edge: &Edge) -> bool {
    model.language == Language::Red && edge.text == "initially"
}

type Loaded = (Option<UncheckedModel>, Vec<Diagnostic>);

fn loaded(path: &Path, defines: &[String]) -> UncheckedModel {
    let text = std::fs::read_to_string(path).expect("readable");
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(path, text.as_str()));
    let extension = path.extension().and_then(|e| e.to_str());
    let load: fn(&mut Sources, FileId, &[String]) -> Loaded = match extension {
        Some("pml") => promela,
        Some("m") => murphi,
        _ => red,
    };
    let (model, diagnostics) = load(&mut sources, file, defines);
    model.unwrap_or_else(|| panic!("{}: {diagnostics:?}", path.display()))
}

fn promela(sources: &mut Sources, file: FileId, defines: &[String]) -> Loaded {
    let mut options = mandala_promela::ParseOptions {
        loader: Box::new(|path: &Path| std::fs::read_to_string(path)),
        ..Default::default()
    };
    defines.iter().for_each(|define| options.define(define));
    mandala_promela::load(sources, file, &options)
}

fn murphi(sources: &mut Sources, file: FileId, defines: &[String]) -> Loaded {
    let mut options = mandala_murphi::ParseOptions::default();
    defines.iter().for_each(|define| options.define(define));
    mandala_murphi::load(sources, file, &options)
}

fn red(sources: &mut Sources, file: FileId, defines: &[String]) -> Loaded {
    let mut options = mandala_red::RedOptions::default();
    defines.iter().for_each(|define| options.define(define));
    mandala_red::load(sources, file, &options)
}

/// The models, what there may be any number of in them, and a large number.
const FAMILIES: &[(&str, &[&str], u32)] = &[
    // A multiset of more than 64 elements is looked through by a loop.
    ("directory/directory.m", &["CACHES"], 20),
    ("directory-msi/directory-msi.m", &["N", "D"], 30),
    ("german/german.m", &["N", "D"], 30),
    ("job-pool/job-pool.m", &["N", "K"], 30),
    ("leader-complete/leader-complete.m", &["N"], 30),
    ("leader-ring/leader-ring.m", &["N"], 30),
    ("mcs-lock/mcs-lock-union.m", &["N"], 30),
    ("mcs-lock/mcs-lock.m", &["N"], 30),
    ("peterson/peterson.m", &["N"], 30),
    // Of an invariant that would be more than 1024 checks, the inner quantifier stays one.
    ("readers-writers/readers-writers.m", &["R", "W"], 15),
    ("two-phase-commit/two-phase-commit.m", &["N"], 30),
    ("double-cycle/double-cycle.red", &["N"], 30),
    ("leader-forest/leader-forest.red", &["N"], 30),
    ("mcs-lock/mcs-lock.red", &["N"], 30),
    ("allocator/allocator.pml", &["A0"], 30),
    ("alternating-bit/alternating-bit.pml", &["K", "M"], 30),
    ("base-station/base-station.pml", &["N", "M"], 30),
    ("base-station/senders-receivers.pml", &["S", "R", "M"], 30),
    ("broken-lock/broken-lock.pml", &["N"], 30),
    ("database/database.pml", &["N"], 30),
    ("hanoi/hanoi.pml", &["DISKS", "PEGS"], 30),
    ("leader-complete/leader-complete.pml", &["N"], 30),
    ("leader-ring/leader-ring.pml", &["N"], 30),
    ("leader-tree/leader-tree.pml", &["N"], 30),
    ("load-balancer/balancers.pml", &["C"], 30),
    ("load-balancer/load-balancer.pml", &["S", "C"], 30),
    ("lost-wakeup/lost-wakeup.pml", &["N"], 30),
    ("mcs-lock/mcs-lock.pml", &["N"], 30),
    ("milner/milner.pml", &["N"], 30),
    ("mutex/mutex.pml", &["N"], 30),
    ("partial-maps/partial-maps.pml", &["N"], 30),
    ("peterson-run/peterson-run.pml", &["N"], 30),
    ("peterson/peterson.pml", &["N"], 30),
    ("philosophers/philosophers.pml", &["N"], 30),
    ("readers-writers/readers-writers.pml", &["R", "W"], 30),
    ("social-golfer/social-golfer.pml", &["S", "W"], 6),
    ("three-tier/three-tier.pml", &["C1", "C2"], 30),
    ("token-lock/token-lock.pml", &["N"], 30),
    ("token-ring/token-ring.pml", &["N"], 30),
    ("two-hop/two-hop.pml", &["N"], 30),
];

/// The size of a bundled model with that many of everything that is named.
fn sized(file: &str, parameters: &[&str], number: u32) -> Size {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let defines = parameters.iter().map(|name| format!("{name}={number}"));
    Size::of(&loaded(&folder.join(file), &defines.collect::<Vec<_>>()))
}

#[test]
fn a_select_from_many_values_does_not_grow_with_them() {
    let [few, many] = [40, 200].map(|clients| sized("email/email.pml", &["N"], clients));
    assert_eq!(few, many);
}

#[test]
fn models_do_not_grow_with_the_number_of_anything() {
    let mut different = Vec::new();
    for (file, parameters, many) in FAMILIES {
        let [few, many] = [3, *many].map(|number| sized(file, parameters, number));
        if few != many {
            different.push(format!("{file}:\n  {few:?}\n  {many:?}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// What is claimed of each choice of the parameters around a `liveness` is one property.
#[test]
fn liveness_is_one_property_for_all_choices() {
    let text = "type T: scalarset(N); var a: array [T] of boolean; startstate begin clear a; end; \
        rule begin end; ruleset i: T do liveness \"l\" a[i]; end;";
    let properties = |number: u32| {
        let mut sources = Sources::default();
        let text = text.replace("N)", &format!("{number})"));
        let file = sources.add(SourceText::new("m.m", text));
        let (model, _) = murphi(&mut sources, file, &[]);
        let model = verify(model.expect("a model")).expect("a right model");
        let properties = (0..).map(PropertyId).zip(&model.properties);
        let live = properties.filter(|(_, p)| matches!(p.kind, PropertyKind::Reachable { .. }));
        let counts: Vec<Option<u32>> = live.map(|(id, _)| model.instance_count(id)).collect();
        counts
    };
    assert_eq!(
        (properties(3), properties(30)),
        (vec![Some(3)], vec![Some(30)])
    );
}
