//! The crates form a hierarchy, the one that is drawn in `ARCHITECTURE.md`, and what others wrote may be handed on with them.

use mandala_conformance::modules::Modules;
use mandala_conformance::workspace::Workspace;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Crates that read a language. None knows of another one.
const FRONT_ENDS: &[&str] = &["boolean", "cubicle", "murphi", "prism", "promela", "red"];

/// Crates that search. None knows of another one.
const ENGINES: &[&str] = &[
    "adaptive",
    "counting",
    "explicit",
    "probabilistic",
    "reference",
    "symbolic",
];

/// Crates that know nothing of models.
const WITHOUT_MODELS: &[&str] = &[
    "canon",
    "coverability",
    "graphs",
    "groups",
    "kripke",
    "markov",
    "store",
    "temporal",
];

/// Licences with which a package may be handed on together with Mandala, under either of its own.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// So many modules of a crate may depend on each other: a parent and two children, which are read together.
const LARGEST_CYCLE: usize = 3;

/// The cycles of modules that are larger, by crate. They may only shrink: whoever makes one smaller writes the new size here.
const LARGER_CYCLES: &[(&str, &[usize])] = &[
    ("cli", &[19, 4]),
    ("encoding", &[33]),
    ("murphi", &[15]),
    ("proof", &[8]),
];

/// Where the drawing begins and ends.
const BEGIN: &str = "<!-- drawn from Cargo's metadata: UPDATE_EXPECT=1 cargo test --release -p mandala-conformance workspace -->\n```\n";
const END: &str = "```\n<!-- end of the drawing -->";

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the workspace").to_path_buf()
}

fn workspace() -> Workspace {
    Workspace::read(&root()).unwrap_or_else(|why| panic!("{why}"))
}

/// Each crate with those that it is built on directly, if no other one that it is built on is built on them.
fn drawing(workspace: &Workspace) -> String {
    let mut drawing = String::new();
    for name in workspace.from_above() {
        let nearest: Vec<String> = workspace.nearest(name).into_iter().collect();
        match nearest.is_empty() {
            true => writeln!(drawing, "{name}"),
            false => writeln!(drawing, "{name:12} -> {}", nearest.join(", ")),
        }
        .expect("a text takes everything");
    }
    drawing
}

#[test]
fn the_hierarchy_is_the_one_that_is_drawn() {
    let path = root().join("ARCHITECTURE.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the drawing begins");
    let (drawn, after) = rest.split_once(END).expect("the drawing ends");
    let expected = drawing(&workspace());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let page = format!("{before}{BEGIN}{expected}{END}{after}");
        std::fs::write(&path, page).expect("the page can be written");
        return;
    }
    assert_eq!(drawn, expected);
}

#[test]
fn front_ends_never_meet_and_neither_do_engines() {
    let workspace = workspace();
    for kind in [FRONT_ENDS, ENGINES] {
        for name in kind {
            let below = workspace.below(name);
            let met: Vec<&&str> = kind
                .iter()
                .filter(|other| below.contains(**other))
                .collect();
            assert!(met.is_empty(), "{name} is built on {met:?}");
        }
    }
}

#[test]
fn what_knows_nothing_of_models_is_not_built_on_them() {
    let workspace = workspace();
    for name in workspace.crates.keys() {
        let knows = name == "model" || workspace.below(name).contains("model");
        assert_ne!(knows, WITHOUT_MODELS.contains(&name.as_str()), "{name}");
    }
}

/// The sources of all crates, by the names of their folders.
fn sources() -> BTreeMap<String, PathBuf> {
    let root = root();
    let crates = std::fs::read_dir(root.join("crates")).expect("the crates are there");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("a crate").path()).collect();
    folders.extend([root.join("conformance"), root.join("bench")]);
    let named = folders.iter().map(|folder| {
        let name = folder.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), folder.join("src"))
    });
    named.collect()
}

#[test]
fn no_cycle_of_modules_is_large() {
    let mut wrong = Vec::new();
    for (name, folder) in sources() {
        let modules = Modules::read(&folder).unwrap_or_else(|why| panic!("{name}: {why}"));
        let cycles = modules.cycles(LARGEST_CYCLE);
        let sizes: Vec<usize> = cycles.iter().map(Vec::len).collect();
        let listed = LARGER_CYCLES.iter().find(|(other, _)| *other == name);
        if sizes != listed.map_or(&[][..], |(_, sizes)| sizes) {
            wrong.push(format!("{name}: {sizes:?}: {cycles:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "these cycles of modules are not as they are listed:\n{}",
        wrong.join("\n")
    );
}

/// Whether all parts of what a package states have an alternative under which they may be handed on.
fn is_compatible(stated: &str) -> bool {
    let stated = stated.replace('/', " OR ").replace(['(', ')'], "");
    stated.split(" AND ").all(|part| {
        let mut alternatives = part.split(" OR ");
        alternatives.any(|alternative| LICENCES.contains(&alternative.trim()))
    })
}

#[test]
fn licences_of_others_allow_to_hand_them_on() {
    let workspace = workspace();
    assert!(
        workspace.licences.len() > 20,
        "there are packages of others"
    );
    let wrong = workspace.licences.iter().filter(|(_, licence)| {
        let stated = licence.as_deref();
        !stated.is_some_and(is_compatible)
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_licence_is_compatible_if_an_alternative_of_each_part_is() {
    for good in [
        "MIT",
        "MIT OR GPL-3.0",
        "MIT/Apache-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
    ] {
        assert!(is_compatible(good), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "", "MPL-2.0"] {
        assert!(!is_compatible(bad), "{bad}");
    }
}
