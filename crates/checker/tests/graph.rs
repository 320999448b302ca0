//! Graphs of states as files: they have what the report counts, and a quotient has all that the whole graph has.

use mandala_checker::check;
use mandala_checker::document::graph::{graph, permutation_group};
use mandala_checker::frontend::{LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Limits, Selection, StaticReductions, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_report::document::StateGraph;
use mandala_report::graph::GraphForm;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;

/// Models with symmetries of all kinds, each small enough to be unfolded: the file and what is defined. None has multisets, whose elements are put in order in the
/// whole graph, too.
const MODELS: [(&str, &[&str]); 11] = [
    ("mcs-lock/mcs-lock.red", &["N=2"]),
    ("hypercube/hypercube.pml", &[]),
    ("philosophers/philosophers.pml", &[]),
    ("email/email.pml", &["N=2"]),
    ("german/german.m", &["N=2", "D=1"]),
    ("initialisation/initialisation.pml", &[]),
    ("token-ring/token-ring.pml", &[]),
    ("leader-ring/leader-ring.pml", &[]),
    ("partial-maps/partial-maps.pml", &[]),
    ("lost-wakeup/lost-wakeup.pml", &[]),
    ("social-golfer/social-golfer.pml", &[]),
];

/// Larger graphs are not unfolded.
const MOST: usize = 6_000;

fn bundled(name: &str, defines: &[&str]) -> LoadedModel {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let path = format!("{root}{name}");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    loaded(&path, &text, defines)
}

fn loaded(path: &str, text: &str, defines: &[&str]) -> LoadedModel {
    let input = ModelInput {
        path: path.into(),
        text: text.into(),
        defines: defines.iter().map(ToString::to_string).collect(),
        dialect: None,
        read: |path| fs::read_to_string(path),
    };
    match load(input) {
        Ok(loaded) => loaded,
        Err(_) => panic!("{path} is wrong"),
    }
}

fn options(symmetry: SymmetryChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        after_violation: AfterViolation::GoOn,
        properties: Selection::Named(vec!["safety".into()]),
        static_reductions: StaticReductions::NONE,
        ..CheckOptions::default()
    }
}

/// A graph, as it is read back from its file.
fn read_back(loaded: &LoadedModel, options: &CheckOptions) -> StateGraph {
    let graph = graph(loaded, options, MOST, &mut |_| true);
    let graph = graph.unwrap_or_else(|error| panic!("{error:?}"));
    let text = GraphForm::Json.write(&graph).expect("JSON");
    serde_json::from_str(&text).expect("what was written can be read")
}

/// States and steps are those that the report counts, which takes getting to the start for a step where that is a state.
fn require_counted(name: &str, loaded: &LoadedModel, options: &CheckOptions, graph: &StateGraph) {
    let document = check(loaded, options, &mut Nobody).unwrap_or_else(|error| panic!("{error:?}"));
    let stats = document.stats;
    let steps = graph.edges.len() as u64 + graph.without_target;
    let first = u64::from(!loaded.model.start_held);
    assert_eq!(graph.states.len() as u64, stats.states, "{name}: states");
    assert_eq!(steps + first, stats.transitions, "{name}: transitions");
    let mut levels: BTreeMap<u32, u64> = BTreeMap::new();
    for state in &graph.states {
        *levels.entry(state.depth).or_default() += 1;
    }
    let levels: Vec<u64> = levels.into_values().collect();
    assert_eq!(levels, document.properties[0].levels, "{name}: levels");
}

type Images = Vec<u32>;

fn then(first: &[u32], second: &[u32]) -> Images {
    first.iter().map(|image| second[*image as usize]).collect()
}

fn inverse(images: &[u32]) -> Images {
    let mut inverse = vec![0; images.len()];
    for (from, to) in (0..).zip(images) {
        inverse[*to as usize] = from;
    }
    inverse
}

/// All elements of a group.
fn elements(generators: &[&Images], degree: usize) -> Vec<Images> {
    let identity: Images = (0..degree as u32).collect();
    let mut known = vec![identity.clone()];
    let mut seen: std::collections::HashSet<Images> = [identity].into();
    let mut next = 0;
    while let Some(element) = known.get(next).cloned() {
        next += 1;
        for generator in generators {
            let product = then(&element, generator);
            if seen.insert(product.clone()) {
                known.push(product);
            }
        }
    }
    known
}

/// A graph without names: the successors of each state, the first states, and which states are wrong.
struct Plain {
    starts: Vec<usize>,
    next: Vec<Vec<usize>>,
    wrong: Vec<usize>,
}

fn plain(graph: &StateGraph) -> Plain {
    let mut next = vec![Vec::new(); graph.states.len()];
    for edge in &graph.edges {
        next[edge.from as usize].push(edge.to as usize);
    }
    Plain {
        starts: graph.starts.iter().map(|s| s.state as usize).collect(),
        next,
        wrong: graph.states.iter().map(|s| s.violations.len()).collect(),
    }
}

/// The whole graph, from a quotient: a state is a representative and a coset of its stabiliser, which is known by its smallest element.
fn unfolded(graph: &StateGraph) -> Plain {
    let degree = graph.group.points.len();
    let stabilisers: Vec<Vec<Images>> = graph
        .states
        .iter()
        .map(|state| {
            let numbers = state.stabiliser.iter();
            let generators: Vec<&Images> = numbers
                .map(|number| &graph.permutations[*number as usize])
                .collect();
            elements(&generators, degree)
        })
        .collect();
    let coset = |state: u32, element: &Images| {
        let all = stabilisers[state as usize].iter();
        all.map(|kept| then(kept, element))
            .min()
            .expect("the identity")
    };
    let back = |permutation: u32| inverse(&graph.permutations[permutation as usize]);
    let mut edges = vec![Vec::new(); graph.states.len()];
    for edge in &graph.edges {
        edges[edge.from as usize].push(edge);
    }
    let mut numbers: HashMap<(u32, Images), usize> = HashMap::new();
    let mut waiting = VecDeque::new();
    let mut number = |state: u32, element: Images, waiting: &mut VecDeque<(u32, Images)>| {
        let new = numbers.len();
        let key = (state, coset(state, &element));
        *numbers.entry(key).or_insert_with_key(|key| {
            waiting.push_back(key.clone());
            new
        })
    };
    let starts = graph.starts.iter();
    let starts = starts
        .map(|start| number(start.state, back(start.permutation), &mut waiting))
        .collect();
    let mut whole = Plain {
        starts,
        next: Vec::new(),
        wrong: Vec::new(),
    };
    while let Some((state, element)) = waiting.pop_front() {
        let of = edges[state as usize].iter();
        let next = of.map(|edge| {
            let element = then(&back(edge.permutation), &element);
            number(edge.to, element, &mut waiting)
        });
        whole.next.push(next.collect());
        whole
            .wrong
            .push(graph.states[state as usize].violations.len());
    }
    whole
}

/// Colours that tell states apart by what can follow them, with how often each occurs: equal for graphs that are alike.
fn colours(graph: &Plain) -> BTreeMap<u64, usize> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let hash = |value: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        value(&mut hasher);
        hasher.finish()
    };
    let mut colours: Vec<u64> = (0..graph.next.len())
        .map(|state| hash(&|h| (graph.wrong[state], graph.starts.contains(&state)).hash(h)))
        .collect();
    for _ in 0..12 {
        colours = (0..graph.next.len())
            .map(|state| {
                let mut next: Vec<u64> = graph.next[state].iter().map(|n| colours[*n]).collect();
                next.sort_unstable();
                hash(&|h| (colours[state], &next).hash(h))
            })
            .collect();
    }
    let mut count = BTreeMap::new();
    for colour in colours {
        *count.entry(colour).or_default() += 1;
    }
    count
}

#[test]
fn graphs_have_what_reports_count_and_quotients_unfold_to_the_whole() {
    let mut folded = 0;
    for (name, defines) in MODELS {
        let loaded = bundled(name, defines);
        let (on, off) = (SymmetryChoice::default(), SymmetryChoice::Off);
        let quotient = read_back(&loaded, &options(on));
        let whole = read_back(&loaded, &options(off));
        assert!(quotient.complete && whole.complete, "{name}: too large");
        require_counted(name, &loaded, &options(on), &quotient);
        require_counted(name, &loaded, &options(off), &whole);
        let (unfolded, whole) = (unfolded(&quotient), plain(&whole));
        assert_eq!(unfolded.next.len(), whole.next.len(), "{name}: states");
        assert_eq!(unfolded.starts.len(), whole.starts.len(), "{name}: starts");
        assert_eq!(colours(&unfolded), colours(&whole), "{name}");
        folded += usize::from(quotient.states.len() < whole.next.len());
    }
    assert!(folded >= 10, "only {folded} models have symmetry");
}

/// The same with the rewrites that are usual.
#[test]
fn graphs_of_rewritten_models_have_what_reports_count() {
    for (name, defines) in MODELS {
        let loaded = bundled(name, defines);
        let options = CheckOptions {
            static_reductions: StaticReductions::ALL,
            ..options(SymmetryChoice::default())
        };
        let graph = read_back(&loaded, &options);
        require_counted(name, &loaded, &options, &graph);
        let unnamed = graph.edges.iter().find(|edge| edge.label.is_empty());
        assert_eq!(unnamed, None, "{name}");
    }
}

#[test]
fn a_part_of_a_graph_says_that_it_is_one() {
    let loaded = bundled("peterson/peterson.pml", &["N=3"]);
    let options = options(SymmetryChoice::default());
    let part = graph(&loaded, &options, 10, &mut |_| true).expect("a graph");
    assert_eq!((part.states.len(), part.complete), (10, false));
    assert_eq!(
        part.reason.as_deref(),
        Some("there are more than 10 states")
    );
    assert!(part.states.iter().any(|state| state.open));
    let dot = GraphForm::Dot.write(&part).expect("a picture");
    assert!(dot.contains("not all states") && dot.contains("dashed"));
    let refused = GraphForm::Aut.write(&part).expect_err("a part");
    assert!(
        refused
            .to_string()
            .contains("cannot say that states are missing")
    );
    let options = |limits| CheckOptions {
        limits,
        ..options.clone()
    };
    let few = options(Limits {
        states: Some(7),
        ..Limits::default()
    });
    let part = graph(&loaded, &few, 10, &mut |_| true).expect("a graph");
    assert_eq!((part.states.len(), part.complete), (7, false));
    let shallow = options(Limits {
        depth: Some(3),
        ..Limits::default()
    });
    let part = graph(&loaded, &shallow, 100, &mut |_| true).expect("a graph");
    let deepest = part.states.iter().map(|state| state.depth).max();
    assert_eq!((deepest, part.complete), (Some(3), false));
    let reason = part.reason.as_deref();
    assert_eq!(reason, Some("states of depth 3 are not expanded"));
    let options = options(Limits::default());
    let stopped = graph(&loaded, &options, 10, &mut |states| states < 5).expect("a graph");
    assert!(!stopped.complete && stopped.states.len() < 10);
}

#[test]
fn labels_say_who_does_what_and_states_what_is_wrong() {
    let text = "byte x; active [2] proctype P() { x++; assert(x == 1); x-- }";
    let loaded = loaded("m.pml", text, &[]);
    let graph = read_back(&loaded, &options(SymmetryChoice::default()));
    assert_eq!(graph.group.points, ["P 0", "P 1"]);
    assert_eq!(graph.group.generators, [[1, 0]]);
    let labels: Vec<&str> = graph.edges.iter().map(|edge| edge.label.as_str()).collect();
    assert!(labels.contains(&"P(1): x++"), "{labels:?}");
    let wrong = graph.states.iter().flat_map(|state| &state.violations);
    let wrong: Vec<&String> = wrong.collect();
    assert!(!wrong.is_empty());
    assert!(
        wrong
            .iter()
            .all(|said| *said == "an assertion failed (m.pml:1:46)"),
        "{wrong:?}"
    );
    let turned = graph.edges.iter().filter_map(|edge| graph.cycles_of(edge));
    assert!(turned.into_iter().any(|cycles| cycles == "(P 0 P 1)"));
}

/// Generators for GAP generate a group of the order that is told, as brute force says; GAP itself asserts it.
#[test]
fn groups_for_gap_have_the_order_that_is_told() {
    for (name, defines) in MODELS {
        let loaded = bundled(name, defines);
        let report = mandala_checker::symmetry(&loaded, &options(SymmetryChoice::default()));
        let report = report.unwrap_or_else(|error| panic!("{error:?}"));
        let group = permutation_group(&report.prepared);
        let generators: Vec<&Images> = group.generators.iter().collect();
        let all = elements(&generators, group.points.len());
        assert_eq!(all.len().to_string(), group.order, "{name}");
        assert_eq!(group.order, report.document.symmetry.order, "{name}");
        let text = mandala_report::gap::write(&group, name);
        assert!(text.contains(&format!("if Size(G) <> {} then", group.order)));
    }
}
