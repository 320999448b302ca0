//! Processes that end stay in what is searched where nobody can observe it: verdicts are those of the model itself, every violation has a run of the model, and
//! there are no more states than images of the representatives.
//!
//! Small programs are put together of bodies of processes that end, of ways to make them, and of properties; some observe who has left, and must be refused.

use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{
    CheckOptions, CycleSearch, Fairness, SearchOrder, StaticReductions, Switch, SymmetryChoice,
};
use mandala_checker::plan::plan;
use mandala_checker::watch::Nobody;
use mandala_conformance::reduced::{Case, Manner};
use mandala_conformance::spin::Claim;
use mandala_groups::BigUint;
use mandala_report::document::{Document, Symmetry};
use std::path::{Path, PathBuf};

const GLOBALS: &str =
    "byte n; bool lock; chan c = [1] of { byte }; chan jobs = [1] of { byte, chan };
    proctype Q(chan out) { out ! 1 }
    active proctype S() { byte k; chan r; end: do :: jobs ? k, r -> r ! k od }\n";

/// What a process does before it ends.
const BODIES: &[&str] = &[
    "n++",
    "n = (n + 1) % 3; n > 0",
    "atomic { !lock -> lock = true }; n++; lock = false",
    "byte x; if :: c ! 1 :: c ? x fi; n++",
    "if :: n < 2 -> n++ :: n >= 2 -> n = 0 fi",
    "d_step { n = n + 1; n = n % 2 }",
    "assert(n < 2); n++",
    "do :: n < 2 -> n++ :: break od",
    "byte x; chan own = [1] of { byte }; own ! 1; own ? x; n++",
    "byte x; chan reply = [1] of { byte }; jobs ! 1, reply; reply ? x; n = n + x",
    "byte x; chan own = [1] of { byte }; run Q(own); own ? x; n++",
    // These observe who has left, or use what is gone.
    "n = _pid",
    "_nr_pr < 4; n++",
    "chan reply = [1] of { byte }; jobs ! 1, reply; n++",
];

/// How processes are made: what stands before `proctype`, and what makes the others.
const MAKERS: &[(&str, &str)] = &[
    ("active [3]", ""),
    ("", "init { run P(); run P(); run P() }"),
    ("", "init { run P(); run P(); n == 2; n = 1 }"),
    (
        "",
        "init { atomic { run P(); run P(); run P() }; assert(n < 3) }",
    ),
    (
        "",
        "byte made; active proctype M() { do :: made < 3 -> made++; run P() :: made == 3 -> break od }",
    ),
    ("active", "init { byte i; for (i : 1 .. 2) { run P() } }"),
    ("", "init { run P(); timeout; run P() }"),
];

const PROPERTIES: &[&str] = &[
    "",
    "ltl f { [] (n < 2) }",
    "ltl f { <> (n == 2) }",
    "ltl f { [] <> (n == 0) }",
    "ltl f { (n < 2) U (n == 2) }",
    "ltl f { <> [] !lock }",
    "ltl f { [] (n == 0 -> X (n < 2)) }",
    "never { do :: n < 2 :: else -> break od }",
    "never { do :: true :: n == 1 -> break od; accept: do :: n == 1 od }",
    "never { n == 0; n == 0; n == 0; n == 0 }",
];

fn programs() -> impl Iterator<Item = String> {
    BODIES.iter().flat_map(|body| {
        MAKERS.iter().flat_map(move |(active, maker)| {
            let system = format!("{GLOBALS}{active} proctype P() {{ {body} }}\n{maker}\n");
            PROPERTIES
                .iter()
                .map(move |property| format!("{system}{property}"))
        })
    })
}

fn loaded(path: &Path, text: &str, defines: &[&str]) -> LoadedModel {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: defines.iter().map(ToString::to_string).collect(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load(input).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// What a check says; a violation that does not replay is no document.
fn checked(text: &str, loaded: &LoadedModel, options: &CheckOptions) -> Document {
    mandala_checker::check(loaded, options, &mut Nobody)
        .unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
}

/// Ways to search, one after the other: as users do, and so that other parts of the program find the runs.
fn ways() -> Vec<CheckOptions> {
    let usual = CheckOptions::default;
    vec![
        usual(),
        CheckOptions {
            cycles: CycleSearch::Nested,
            order: SearchOrder::DepthFirst,
            ..usual()
        },
        CheckOptions {
            cycles: CycleSearch::Graph,
            ..usual()
        },
        CheckOptions {
            partial_order: Switch::On,
            ..usual()
        },
        CheckOptions {
            fairness: Fairness::Weak,
            ..usual()
        },
    ]
}

/// The verdict of each property.
fn verdicts(document: &Document) -> Vec<String> {
    let properties = document.properties.iter();
    properties
        .map(|p| format!("{}: {:?}", p.name, p.verdict))
        .collect()
}

/// The symmetries that the searches of a check have used.
fn symmetries(document: &Document) -> impl Iterator<Item = &Symmetry> {
    let own = document
        .properties
        .iter()
        .filter_map(|p| p.symmetry.as_ref());
    own.chain([&document.symmetry])
}

#[test]
fn verdicts_are_those_of_the_model_itself() {
    let (mut stayed, mut violated) = (0, 0);
    let ways = ways();
    for (number, text) in programs().enumerate() {
        // Each property meets each way.
        let way = ways[(number + number / PROPERTIES.len()) % ways.len()].clone();
        let loaded = loaded(Path::new("ends.pml"), &text, &[]);
        let is_possible = plan(&loaded.model, &way).is_ok();
        let way = if is_possible {
            way
        } else {
            CheckOptions::default()
        };
        let plain = CheckOptions {
            symmetry: SymmetryChoice::Off,
            static_reductions: StaticReductions::NONE,
            fairness: way.fairness,
            ..CheckOptions::default()
        };
        let reduced = checked(&text, &loaded, &way);
        assert_eq!(
            verdicts(&reduced),
            verdicts(&checked(&text, &loaded, &plain)),
            "{text}"
        );
        let stays = symmetries(&reduced).any(|s| s.ended_stay);
        stayed += usize::from(stays);
        violated += usize::from(stays && reduced.violation.is_some());
        let is_observed = text.contains("_nr_pr") || text.contains("reply; n++");
        assert!(!(stays && is_observed), "{text}");
    }
    assert!(
        stayed > 200 && violated > 50,
        "{stayed} stayed, {violated} of them violated"
    );
}

#[test]
fn there_are_no_more_states_than_images_of_representatives() {
    let mut reduced = 0;
    for text in programs().step_by(PROPERTIES.len()) {
        let case = Case::load(Path::new("ends.pml"), &text, &[], Claim::None);
        let case = case.unwrap_or_else(|e| panic!("{text}: {e}"));
        let symmetry = case.symmetry().unwrap_or_else(|e| panic!("{text}: {e}"));
        let search = |manner| {
            let found = case.search(manner, &symmetry);
            found.unwrap_or_else(|e| panic!("{text}: {e:?}"))
        };
        let all = search(Manner::OFF);
        let representatives = search(Manner {
            symmetry: SymmetryChoice::default(),
            ..Manner::OFF
        });
        assert_eq!(all.violated, representatives.violated, "{text}");
        let order: BigUint = symmetry.account.group.order.parse().expect("a number");
        let images = order * representatives.states;
        assert!(BigUint::from(all.states) <= images, "{text}");
        reduced += usize::from(symmetry.rewrites.ended_stay && representatives.states < all.states);
    }
    assert!(reduced > 20, "{reduced}");
}

/// A model of the collection beside the project, if that is there.
fn trial(name: &str) -> Option<(PathBuf, String)> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = crate_folder.join("../../shared/models/trials").join(name);
    let text = std::fs::read_to_string(&path).ok()?;
    Some((path, text))
}

/// What the collection says should come out: the least order of a group, and that there are fewer than 500 states.
#[test]
fn models_of_the_collection_get_their_groups() {
    let models: &[(&str, &[&str], u64)] = &[
        ("ends-run-twice.pml", &[], 6),
        ("ends-local-channel.pml", &[], 6),
        ("ends-with-ltl.pml", &[], 24),
        ("ends-with-never.pml", &[], 24),
        ("workers-end.pml", &["N=8"], 40_320),
    ];
    for (name, defines, least) in models {
        let Some((path, text)) = trial(name) else {
            continue;
        };
        let document = checked(
            name,
            &loaded(&path, &text, defines),
            &CheckOptions::default(),
        );
        assert!(
            document.stats.states < 500,
            "{name}: {}",
            document.stats.states
        );
        for symmetry in symmetries(&document) {
            let order: BigUint = symmetry.order.parse().expect("a number");
            assert!(order >= BigUint::from(*least), "{name}: {order}");
            assert!(symmetry.ended_stay, "{name}");
        }
    }
}
