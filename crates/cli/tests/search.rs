//! How the search is done, from the outside: workers, stores, native code, statistics, counts of statements.

use crate::common::{Run, mandala, model};
use serde_json::Value;

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

fn document(file: &str, more: &[&str]) -> Value {
    check(file, &[more, &["--json", "-"]].concat()).json()
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let manners: [(&str, &[&str]); 6] = [
        ("walkers.pml", &[]),
        ("walkers.pml", &["--symmetry", "off", "-DK=12"]),
        ("walkers.pml", &["--symmetry", "off", "-DK=12", "-DFAR=30"]),
        ("walkers.pml", &["-DK=16", "--search", "dfs"]),
        ("walkers.pml", &["-DK=16", "--keep-going", "-DFAR=50"]),
        ("claims.pml", &["--keep-going"]),
    ];
    for (file, manner) in manners {
        let with = |workers: &str| {
            let found = document(file, &[manner, &["--workers", workers]].concat());
            let counts = ["states", "transitions", "depth", "violations"];
            let counts = counts.map(|field| found["stats"][field].clone());
            (counts, found["verdict"].clone(), found["trace"].clone())
        };
        let one = with("1");
        for workers in ["2", "3"] {
            assert_eq!(with(workers), one, "{file} {manner:?}, {workers} workers");
        }
    }
}

#[test]
fn all_cores_search_unless_told_otherwise() {
    let cores = std::thread::available_parallelism().unwrap().get();
    assert_eq!(
        document("walkers.pml", &["-DK=6"])["search"]["workers"],
        cores
    );
    assert_eq!(
        document("walkers.pml", &["-DK=6", "--workers", "1"])["search"]["workers"],
        1
    );
    // Its first visits count, so one worker makes them.
    let claim = ["--property", "bounded", "--workers", "2"];
    assert_eq!(document("claims.pml", &claim)["search"]["workers"], 1);
    let reference = document("holds.pml", &["--engine", "reference"]);
    assert_eq!(reference["search"]["workers"], 1);
}

#[test]
fn a_store_that_is_not_exact_never_says_that_a_property_holds() {
    for store in ["hash-compact", "bitstate"] {
        let options = ["--store", store, "--symmetry", "off", "-DK=8"];
        let run = check("walkers.pml", &options);
        assert_eq!(run.status, 3, "{run}");
        let title = format!("Search (depth first, as `--store {store}` needs it)");
        assert!(run.output.contains(&title), "{run}");
        assert!(
            run.output.contains("the store may have left out states ("),
            "{run}"
        );
        let found = document("walkers.pml", &options);
        assert_eq!(found["search"]["store"], store);
        assert_eq!(found["coverage"]["complete"], false);
        let omissions = &found["coverage"]["omissions"];
        let expected = omissions["expected"].as_f64().unwrap();
        let probability = omissions["probability"].as_f64().unwrap();
        assert!(expected > 0.0 && expected < 0.1, "{omissions}");
        assert!(probability > 0.0 && probability <= expected, "{omissions}");
        assert_eq!(
            found["stats"]["states"],
            8 * 8 * 8 * 8,
            "as none was left out"
        );
    }
}

#[test]
fn a_small_field_leaves_out_states_and_says_so() {
    let field = ["--store-size", "1Ki", "--store-hashes", "2"];
    let options = ["--store", "bitstate", "--symmetry", "off", "-DK=10"];
    let found = document("walkers.pml", &[&options[..], &field].concat());
    assert_eq!(found["verdict"], "unknown");
    assert!(found["stats"]["states"].as_u64().unwrap() < 10_000);
    let omissions = &found["coverage"]["omissions"];
    assert!(
        omissions["expected"].as_f64().unwrap() > 10.0,
        "{omissions}"
    );
    assert!(
        omissions["probability"].as_f64().unwrap() > 0.99,
        "{omissions}"
    );
    assert_eq!(omissions["field"]["hashes"], 2);
    assert_eq!(omissions["field"]["bits"], 8192);
}

#[test]
fn what_is_found_without_an_exact_store_is_real() {
    for store in ["hash-compact", "bitstate"] {
        let run = check(
            "walkers.pml",
            &["--store", store, "-DFAR=20", "--json", "-"],
        );
        assert_eq!(run.status, 1, "{run}");
        assert_eq!(run.json()["violation"]["kind"], "assertion");
        assert!(run.json()["trace"]["steps"].as_array().unwrap().len() >= 20);
    }
}

#[test]
fn stores_and_orders_that_do_not_go_together_are_refused() {
    let wrong: [(&[&str], &str); 5] = [
        (
            &["--store", "bitstate", "--search", "bfs"],
            "`--search dfs`",
        ),
        (
            &["--store", "hash-compact", "--search", "bfs"],
            "`--store exact`",
        ),
        (&["--store-size", "1M"], "for `--store bitstate`"),
        (&["--store", "bitstate", "--store-hashes", "11"], "1 to 10"),
        (
            &[
                "--store",
                "bitstate",
                "--store-size",
                "2G",
                "--memory",
                "1G",
            ],
            "smaller `--store-size`",
        ),
    ];
    for (options, words) in wrong {
        let run = check("holds.pml", options);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains(words), "{run}");
    }
}

#[test]
fn the_reference_engine_has_nothing_that_makes_it_fast() {
    let wrong: [&[&str]; 5] = [
        &["--workers", "2"],
        &["--memory", "1G"],
        &["--store", "hash-compact"],
        &["--interpret"],
        &["--coverage"],
    ];
    for options in wrong {
        let run = check("holds.pml", &[options, &["--engine", "reference"]].concat());
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains("`--engine explicit` has it"), "{run}");
        assert!(run.errors.contains(options[0]), "{run}");
    }
}

#[test]
fn without_native_code_the_result_is_the_same() {
    for file in ["walkers.pml", "claims.pml", "atomic.pml", "rendezvous.pml"] {
        let options = ["-DK=12", "--keep-going"];
        let native = document(file, &options);
        let interpreted = document(file, &[&options[..], &["--interpret"]].concat());
        assert_eq!(interpreted["stats"]["expanded_natively"], 0);
        assert_eq!(interpreted["search"]["interpret"], true);
        for field in ["states", "transitions", "depth", "violations", "expanded"] {
            let (one, other) = (&native["stats"][field], &interpreted["stats"][field]);
            assert_eq!(one, other, "{file}: {field}");
        }
        assert_eq!(native["trace"], interpreted["trace"], "{file}");
    }
}

#[test]
fn a_search_tells_its_rates_and_where_the_time_went() {
    let found = document("walkers.pml", &["--symmetry", "off", "--static", "off"]);
    let stats = &found["stats"];
    let number = |field: &str| stats[field].as_f64().unwrap();
    assert_eq!(number("expanded"), number("states"));
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(close(
        number("states_per_second"),
        number("states") / number("seconds")
    ));
    let transitions = number("transitions") / number("seconds");
    assert!(close(number("transitions_per_second"), transitions));
    assert!(close(
        number("branching"),
        number("transitions") / number("expanded")
    ));
    assert!(stats["split"]["expand"].as_f64() > Some(0.0), "{stats}");
    assert!(stats["split"]["store"].as_f64() > Some(0.0), "{stats}");
    assert!(is_at_most(parts(stats), number("seconds")), "{stats}");
    let run = check("walkers.pml", &["--symmetry", "off", "--workers", "1"]);
    assert!(run.output.contains(" transitions/s)"), "{run}");
    assert!(run.output.contains("1 worker, "), "{run}");
    assert!(
        run.output.contains(" successors a state; expanding "),
        "{run}"
    );
}

/// All parts of the time of a search.
fn parts(stats: &Value) -> f64 {
    let parts = ["expand", "canonicalise", "store"];
    let part = |name: &&str| stats["split"][*name].as_f64().expect("a number");
    parts.iter().map(part).sum()
}

/// Whether a sum of times is no more than the whole, but for rounding: parts that make up the whole may add up to its last digit and one more.
fn is_at_most(sum: f64, whole: f64) -> bool {
    sum <= whole * (1.0 + 1e-9)
}

#[test]
fn the_time_for_representatives_is_one_number_whoever_tells_it() {
    for workers in ["1", "3"] {
        let found = document("walkers.pml", &["-DK=40", "--workers", workers]);
        let (stats, symmetry) = (&found["stats"], &found["symmetry"]["canonicalising"]);
        let seconds = stats["seconds"].as_f64().unwrap();
        assert!(is_at_most(parts(stats), seconds), "{found}");
        assert_eq!(
            symmetry["seconds"].as_f64().map(|s| (s * 1e6).round()),
            stats["split"]["canonicalise"]
                .as_f64()
                .map(|s| (s * 1e6).round()),
            "{found}"
        );
        let share = symmetry["seconds"].as_f64().unwrap() / seconds;
        assert!(
            (symmetry["share"].as_f64().unwrap() - share).abs() < 1e-6,
            "{found}"
        );
    }
}

#[test]
fn statements_are_told_with_how_often_they_were_executed() {
    let options = ["--coverage", "--static", "off"];
    let run = check("unreached.pml", &options);
    assert_eq!(run.status, 0, "{run}");
    let (_, executed) = run.output.split_once("Executed\n").unwrap();
    let expected = "  P\n        \
                    1  line 5  x = 1\n        \
                    1  line 7  x == 1\n    \
                    never  line 8  x == 2\n    \
                    never  line 8  x = 3\n    \
                    never  line 8  x = 4\n";
    assert_eq!(executed, expected, "{run}");
    let found = document("unreached.pml", &options);
    let statements = found["coverage"]["statements"].as_array().unwrap();
    assert_eq!(statements.len(), 5);
    assert_eq!(statements[0]["process"], "P");
    assert_eq!(statements[0]["count"], 1);
    assert_eq!(statements[4]["count"], 0);
    let found = document("unreached.pml", &[]);
    assert!(found["coverage"].get("statements").is_none());
}

#[test]
fn counts_are_those_of_all_workers_and_all_searches() {
    let counts = |options: &[&str]| {
        let options = [options, &["--coverage", "--symmetry", "off"]].concat();
        let found = document("walkers.pml", &[&options[..], &["-DK=10"]].concat());
        let statements = found["coverage"]["statements"].as_array().unwrap().clone();
        let first = statements
            .iter()
            .find(|s| s["statement"] == "at++")
            .unwrap();
        first["count"].as_u64().unwrap()
    };
    // Each of four walkers can go up in nine of ten places, wherever the others are.
    let ups = 4 * 9 * 1000;
    assert_eq!(counts(&["--workers", "1"]), ups);
    assert_eq!(counts(&["--workers", "2"]), ups);
    assert_eq!(counts(&["--search", "dfs", "--interpret"]), ups);
}
