//! `--checkpoint` and `mandala resume`: what is refused, and that a search that was interrupted, or killed at any moment,
//! ends with the same numbers as one that was not.

use crate::common::{Run, mandala, mandala_reading, model, temporary};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let folder = temporary(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

fn resume(folder: &Path, more: &[&str]) -> Run {
    mandala([&["resume", text(folder)], more].concat())
}

/// What must not depend on how often a search was interrupted. Depth first, which worker is where when is a matter of chance,
/// and with it how deep they go and what they find first.
fn numbers(run: &Run) -> serde_json::Value {
    let document = run.json();
    let stats = &document["stats"];
    let counts = ["states", "transitions", "violations", "expanded"].map(|count| &stats[count]);
    let path = match document["search"]["order"] == "breadth first" {
        true => Some((&stats["depth"], &document["trace"])),
        false => None,
    };
    serde_json::json!([document["verdict"], document["unreached"], counts, path])
}

/// Searches a few milliseconds at a time, and gives the last part.
fn in_small_parts(name: &str, options: &[&str]) -> Run {
    let (run, _) = parts_of("walkers.pml", name, options);
    run
}

/// Searches a few milliseconds at a time, and gives the last part and how many there were.
fn parts_of(file: &str, name: &str, options: &[&str]) -> (Run, u32) {
    let folder = fresh(&format!("out-of-time-{name}"));
    let part = [
        "--time",
        "5ms",
        "--checkpoint",
        text(&folder),
        "--json",
        "-",
    ];
    let mut run = check(file, &[options, &part].concat());
    let mut parts = 1;
    for milliseconds in (5..).step_by(20) {
        if run.json()["search"]["checkpoint"]["can_go_on"] == false {
            break;
        }
        run = resume(
            &folder,
            &["--json", "-", "--time", &format!("{milliseconds}ms")],
        );
        parts += 1;
    }
    (run, parts)
}

/// The rows of properties, and the runs that are shown breadth first.
fn rows(run: &Run) -> serde_json::Value {
    let document = run.json();
    let rows = document["properties"].as_array().unwrap().iter();
    let rows = rows.map(|row| {
        serde_json::json!([row["id"], row["verdict"], row["violations"], row["reason"]])
    });
    let shown = match document["search"]["order"] == "breadth first" {
        true => Some((&document["trace"], &document["further"])),
        false => None,
    };
    serde_json::json!([rows.collect::<Vec<_>>(), shown])
}

#[test]
fn violations_of_invariants_outlast_a_checkpoint() {
    for (name, order, workers) in [
        ("bfs", "bfs", "1"),
        ("dfs", "dfs", "1"),
        ("two", "bfs", "2"),
    ] {
        let options = ["--keep-going", "--search", order, "--workers", workers];
        let whole = check("counters.m", &[&options[..], &["--json", "-"]].concat());
        let (last, parts) = parts_of("counters.m", &format!("rows-{name}"), &options);
        assert!(parts > 2, "{name}: {parts} parts");
        assert_eq!(rows(&last), rows(&whole), "{name}");
        let document = last.json();
        let counts = document["properties"].as_array().unwrap().iter();
        let counts: Vec<u64> = counts
            .map(|row| row["violations"].as_u64().unwrap())
            .collect();
        let most = 150;
        // Half of the square, its diagonal included.
        let far = (most + 1) * (most + 2) / 2;
        assert_eq!(counts, [0, 2, far, 0, 0, 1, 0], "{name}");
    }
}

#[test]
fn a_search_that_is_out_of_time_again_and_again_comes_to_the_same_end() {
    let manners: [(&str, &[&str]); 4] = [
        ("bfs", &["--search", "bfs"]),
        ("dfs", &["--search", "dfs"]),
        ("off", &["--symmetry", "off", "-DK=10"]),
        ("all", &["-DFAR=70", "--keep-going", "--search", "dfs"]),
    ];
    for (name, options) in manners {
        let whole = check("walkers.pml", &[options, &["--json", "-"]].concat());
        let parts = in_small_parts(name, options);
        assert_eq!(numbers(&parts), numbers(&whole), "{name}: {parts}");
    }
}

#[test]
fn what_was_wrong_is_found_out_of_time_or_not() {
    let run = in_small_parts("violated", &["-DFAR=40"]);
    assert_eq!(run.status, 1, "{run}");
    assert_eq!(run.json()["trace"]["shortest"], true);
    let steps = run.json()["trace"]["steps"].as_array().unwrap().len();
    // Each walk takes a question, two counts and an assertion.
    assert_eq!(steps, 40 * 4, "{run}");
}

#[test]
fn the_report_says_how_to_go_on_and_where_it_comes_from() {
    let folder = fresh("told");
    let part = ["--time", "0s", "--checkpoint", text(&folder)];
    let run = check("walkers.pml", &part);
    assert_eq!(run.status, 3, "{run}");
    let folder = folder.display();
    let on = format!(
        "a checkpoint was written where it ended: `mandala resume {folder}` goes on from there"
    );
    assert!(run.output.contains(&on), "{run}");
    let run = mandala(["resume", &folder.to_string(), "--time", "1h"]);
    assert_eq!(run.status, 0, "{run}");
    let from = format!("went on from the checkpoint in `{folder}`");
    assert!(run.output.contains(&from), "{run}");
    assert!(!run.output.contains(&on), "{run}");
}

/// Whatever the limit is, the state of the search is written down when it is reached, and nothing is counted twice or left out.
#[test]
fn a_search_that_was_out_of_room_goes_on_with_more() {
    let large = ["-DK=36", "--symmetry", "off"];
    for (name, model, little, more) in [
        ("states", &[][..], ["--states", "5000"], ["--states", "1M"]),
        (
            "states-dfs",
            &["--search", "dfs"],
            ["--states", "5000"],
            ["--states", "1M"],
        ),
        ("memory", &large, ["--memory", "30M"], ["--memory", "1G"]),
        ("depth", &[], ["--depth", "20"], ["--depth", "1k"]),
        (
            "depth-dfs",
            &["--search", "dfs"],
            ["--depth", "20"],
            ["--depth", "1M"],
        ),
    ] {
        let whole = check("walkers.pml", &[model, &["--json", "-"]].concat());
        let folder = fresh(&format!("out-of-{name}"));
        let to = ["--checkpoint", text(&folder)];
        let run = check("walkers.pml", &[model, &little, &to].concat());
        assert_eq!(run.status, 3, "{run}");
        assert!(run.output.contains("written where it ended"), "{run}");
        let run = resume(&folder, &["--json", "-"]);
        assert_eq!(run.status, 3, "the limit is still there: {run}");
        let checkpoint = &run.json()["search"]["checkpoint"];
        assert_eq!(checkpoint["at_the_end"], true, "{run}");
        let run = resume(&folder, &[&more[..], &["--json", "-"]].concat());
        assert_eq!(run.status, 0, "{run}");
        assert_eq!(numbers(&run), numbers(&whole), "{name}: {run}");
    }
}

/// Breadth first, what is within a depth is a matter of the model alone, so every part ends as a search with its depth that was never interrupted.
#[test]
fn a_search_goes_deeper_in_steps() {
    let violated = ["-DFAR=40", "--keep-going"];
    for (name, options) in [("holds", &[][..]), ("violated", &violated)] {
        for workers in ["1", "3"] {
            let options = [options, &["--search", "bfs", "--workers", workers]].concat();
            let folder = fresh(&format!("deeper-{name}-{workers}"));
            let first = ["--depth", "1", "--json", "-", "--checkpoint", text(&folder)];
            let mut part = check("walkers.pml", &[&options[..], &first].concat());
            for depth in ["7", "8", "30", "1000"] {
                assert_eq!(part.json()["search"]["checkpoint"]["at_the_end"], true);
                let limit = ["--depth", depth, "--json", "-"];
                part = resume(&folder, &limit);
                let whole = check("walkers.pml", &[&options[..], &limit].concat());
                let told = format!("{name}, {workers} workers, depth {depth}: {part}");
                assert_eq!(numbers(&part), numbers(&whole), "{told}");
                let reason = |run: &Run| run.json()["coverage"]["reason"].clone();
                assert_eq!(reason(&part), reason(&whole), "{told}");
            }
            assert_eq!(part.json()["coverage"]["complete"], true, "{part}");
        }
    }
}

#[test]
fn whatever_represents_states_a_search_goes_deeper() {
    let strategies = [
        "auto",
        "full",
        "sorted",
        "segmented",
        "enumerate",
        "local-search",
    ];
    for strategy in strategies {
        for order in ["bfs", "dfs"] {
            let options = ["-DK=12", "--symmetry", strategy, "--search", order];
            let whole = check("walkers.pml", &[&options[..], &["--json", "-"]].concat());
            let folder = fresh(&format!("deeper-{strategy}-{order}"));
            let first = ["--depth", "9", "--checkpoint", text(&folder)];
            let run = check("walkers.pml", &[&options[..], &first].concat());
            assert_eq!(run.status, 3, "{run}");
            let run = resume(&folder, &["--depth", "1M", "--json", "-"]);
            assert_eq!(numbers(&run), numbers(&whole), "{strategy} {order}: {run}");
        }
    }
}

#[test]
fn options_and_definitions_come_back_with_the_checkpoint() {
    let folder = fresh("options");
    let options = [
        "-D",
        "K=6",
        "--symmetry",
        "off",
        "--search",
        "dfs",
        "--coverage",
    ];
    let part = ["--time", "0s", "--checkpoint", text(&folder)];
    let run = check("walkers.pml", &[&options[..], &part].concat());
    assert_eq!(run.status, 3, "{run}");
    let file = fresh("options.json");
    let run = resume(
        &folder,
        &["--time", "1h", "--workers", "1", "--json", text(&file)],
    );
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("Search (depth first)"), "{run}");
    assert!(run.output.contains("Executed"), "{run}");
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(document["model"]["defines"][0], "K=6");
    assert_eq!(document["stats"]["states"], 6 * 6 * 6 * 6);
    assert_eq!(document["search"]["checkpoint"]["can_go_on"], false);
    let run = resume(&folder, &["--time", "1h", "--quiet"]);
    assert_eq!(run.output.lines().count(), 1, "{run}");
}

#[test]
fn a_search_goes_on_from_another_folder() {
    let place = fresh("elsewhere");
    fs::create_dir_all(&place).unwrap();
    fs::copy(model("walkers.pml"), place.join("walkers.pml")).unwrap();
    let start = [
        "check",
        "walkers.pml",
        "--time",
        "0s",
        "--checkpoint",
        "saved",
    ];
    let run = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .current_dir(&place)
        .args(start)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(3));
    let run = resume(&place.join("saved"), &["--time", "1h"]);
    assert_eq!(run.status, 0, "{run}");
}

/// A folder with a checkpoint of a model of its own.
fn saved(name: &str) -> (PathBuf, PathBuf) {
    let folder = fresh(name);
    let copy = temporary(&format!("{name}.pml"));
    fs::copy(model("walkers.pml"), &copy).unwrap();
    let run = mandala([
        "check",
        text(&copy),
        "--time",
        "0s",
        "--checkpoint",
        text(&folder),
    ]);
    assert_eq!(run.status, 3, "{run}");
    (folder, copy)
}

#[test]
fn a_checkpoint_of_an_older_version_says_what_to_do() {
    let folder = fresh("older-checkpoint");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("1.checkpoint"), b"mandala search 1 and so on").unwrap();
    let run = resume(&folder, &[]);
    assert_refused(&run, "written by another version of Mandala");
    assert_refused(&run, "start the search anew with `mandala check`");
    fs::write(folder.join("1.checkpoint"), b"something else, not a search").unwrap();
    assert_refused(&resume(&folder, &[]), "it is not a checkpoint");
}

fn assert_refused(run: &Run, words: &str) {
    assert_eq!(run.status, 2, "{run}");
    assert!(run.errors.contains(words), "{run}");
    assert_eq!(run.output, "", "{run}");
}

#[test]
fn a_model_that_has_changed_is_noticed() {
    let (folder, copy) = saved("changed");
    let changed = fs::read_to_string(&copy)
        .unwrap()
        .replace("sum--", "sum = sum - 1");
    fs::write(&copy, changed).unwrap();
    assert_refused(
        &resume(&folder, &[]),
        "has changed since the checkpoint was written",
    );
    fs::remove_file(&copy).unwrap();
    assert_refused(&resume(&folder, &[]), "cannot read");
}

#[test]
fn where_there_is_no_checkpoint_none_is_found() {
    assert_refused(&resume(Path::new("/no/such/folder"), &[]), "no such folder");
    let folder = fresh("nothing");
    fs::create_dir_all(&folder).unwrap();
    assert_refused(&resume(&folder, &[]), "there is no checkpoint");
    let run = resume(&folder, &["--json", "-"]);
    assert_eq!(run.status, 2, "{run}");
    assert_eq!(run.json()["error"]["kind"], "command");
    assert!(run.json()["verdict"].is_null());
}

/// The files of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn damage_is_noticed() {
    let (folder, _) = saved("damaged");
    let files = files(&folder);
    let whole: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    for part in [20, 50, 99] {
        for (file, whole) in files.iter().zip(&whole) {
            let mut damaged = whole.clone();
            damaged[whole.len() * part / 100] ^= 4;
            fs::write(file, damaged).unwrap();
        }
        assert_refused(&resume(&folder, &["--time", "1h"]), "damaged");
        let again = check("walkers.pml", &["--checkpoint", text(&folder)]);
        assert_refused(&again, "has a checkpoint already");
        for (file, whole) in files.iter().zip(&whole) {
            fs::write(file, &whole[..whole.len() * part / 100]).unwrap();
        }
        assert_refused(&resume(&folder, &["--time", "1h"]), "damaged");
    }
    for (file, whole) in files.iter().zip(&whole) {
        fs::write(file, whole).unwrap();
    }
    assert_eq!(resume(&folder, &["--time", "1h"]).status, 0);
}

#[test]
fn a_checkpoint_is_not_overwritten_by_a_new_search() {
    let (folder, copy) = saved("twice");
    let run = mandala(["check", text(&copy), "--checkpoint", text(&folder)]);
    assert_refused(&run, "has a checkpoint already");
    assert_eq!(resume(&folder, &["--time", "1h"]).status, 0);
}

#[test]
fn what_cannot_have_checkpoints_is_refused_with_a_way_out() {
    let folder = fresh("refused");
    let to = ["--checkpoint", text(&folder)];
    assert_refused(&check("claims.pml", &to), "choose one with `--property`");
    assert_eq!(
        check(
            "claims.pml",
            &[&to[..], &["--property", "bounded"]].concat()
        )
        .status,
        0
    );
    for strategy in ["flood", "markers", "first-met"] {
        let run = check(
            "walkers.pml",
            &[&to[..], &["--symmetry", strategy]].concat(),
        );
        assert_refused(&run, "keeps states of its own");
    }
    let run = check("holds.pml", &[&to[..], &["--engine", "reference"]].concat());
    assert_refused(&run, "`--engine explicit` has it");
    let run = mandala_reading("active proctype P() { skip }", ["check", "-", to[0], to[1]]);
    assert_refused(&run, "needs a model in a file");
    let run = check("holds.pml", &["--checkpoint-every", "1s"]);
    assert_refused(&run, "--checkpoint <DIR>");
}

#[test]
fn a_folder_that_cannot_be_written_is_noticed_before_the_search() {
    let started = Instant::now();
    let run = check(
        "endless.pml",
        &["--time", "10s", "--checkpoint", "/proc/nowhere"],
    );
    assert_refused(&run, "/proc/nowhere");
    assert!(started.elapsed() < Duration::from_secs(9), "{run}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_goes_on() {
    let folder = fresh("interrupted");
    let mut child = start(&[
        "check",
        &model("endless.pml"),
        "--checkpoint",
        text(&folder),
    ]);
    std::thread::sleep(Duration::from_millis(500));
    let signal = ["-INT", &child.id().to_string()];
    assert!(
        Command::new("kill")
            .args(signal)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let run = resume(&folder, &["--time", "100ms", "--json", "-"]);
    assert_eq!(run.status, 3, "{run}");
    assert_eq!(
        run.json()["coverage"]["reason"],
        "the limit of 100 ms was reached"
    );
}

fn start(arguments: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Numbers that look random, the same ones every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// How often a search is killed on its way to the end: many rounds if the variable says so.
fn rounds() -> u64 {
    let rounds = std::env::var("MANDALA_KILL_ROUNDS").ok();
    rounds.and_then(|n| n.parse().ok()).unwrap_or(5)
}

const MANNERS: [&[&str]; 5] = [
    &["--symmetry", "off", "--search", "bfs", "-DK=17"],
    &["--symmetry", "off", "--search", "dfs", "-DK=17"],
    &["--search", "bfs", "-DK=32"],
    &["--search", "dfs", "-DK=32"],
    &["--symmetry", "off", "--static", "off", "-DK=17", "-DFAR=50"],
];

#[test]
fn a_search_that_is_killed_at_any_moment_ends_with_the_same_numbers() {
    let wholes =
        MANNERS.map(|manner| numbers(&check("walkers.pml", &[manner, &["--json", "-"]].concat())));
    for round in 0..rounds() {
        let which = round as usize % MANNERS.len();
        let (run, kills) = killed_until_it_ends(round, MANNERS[which]);
        let told = format!("round {round}, {kills} kills: {run}");
        assert_eq!(numbers(&run), wholes[which], "{told}");
    }
}

/// Starts the search, kills it after a while, goes on with it, and so on; a bit later every time.
fn killed_until_it_ends(round: u64, manner: &[&str]) -> (Run, u64) {
    let folder = fresh(&format!("killed-{round}"));
    let path = model("walkers.pml");
    let first = [
        "check",
        &path,
        "--checkpoint",
        text(&folder),
        "--checkpoint-every",
        "30ms",
    ];
    // A pipe that nobody reads from would stop the program.
    let result = folder.with_extension("json");
    let to = ["--json", text(&result)];
    let first = [&first[..], manner, &to].concat();
    let again = ["resume", text(&folder), to[0], to[1]];
    let mut chance = Chance(round);
    for kills in 0.. {
        let has_checkpoint = || {
            let files = files(&folder);
            files
                .iter()
                .any(|file| file.extension() == Some("checkpoint".as_ref()))
        };
        let mut child = start(if has_checkpoint() { &again } else { &first });
        let patience = Duration::from_millis(chance.below(100 + 50 * kills));
        match ended_within(&mut child, patience) {
            true => return (finished(child, &result), kills),
            false => drop((child.kill(), child.wait())),
        }
    }
    unreachable!("one of them ends")
}

fn ended_within(child: &mut std::process::Child, patience: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

fn finished(child: std::process::Child, result: &Path) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        status: output.status.code().expect("an exit status"),
        output: fs::read_to_string(result).unwrap(),
        errors: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
