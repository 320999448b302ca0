//! Boolean programs and thread transition systems: the headers of our models, known verdicts and numbers, and random systems and programs, which every
//! number of threads is decided for and few are searched.
//!
//! [`Dose`] says how many random models and which.
#![allow(clippy::print_stdout)]

use mandala_boolean::{BooleanOptions, load_system};
use mandala_checker::check;
use mandala_checker::frontend::{self, LoadError, ModelInput, ThreadWish};
use mandala_checker::options::{AfterViolation, CheckOptions, StaticReductions, SymmetryChoice};
use mandala_checker::watch::Nobody;
use mandala_conformance::dose::Dose;
use mandala_conformance::promises::{self, Counting};
use mandala_coverability::{Start, coverable_pairs, rounds};
use mandala_model::{SourceText, Sources};
use mandala_report::Document;
use mandala_report::document::Verdict;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How many random models of each kind a usual dose has.
const USUAL: u64 = 60;

/// How many threads are searched for these.
const MOST: u32 = 3;

/// What is found, for every number of threads or at most so many.
fn found(path: &Path, text: &str, wish: &ThreadWish, options: &CheckOptions) -> Document {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: Vec::new(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    let loaded = match frontend::load_threads(input, Vec::new(), wish.clone()) {
        Ok(loaded) => loaded,
        Err(LoadError::Wrong { diagnostics, .. }) => panic!("{path:?}: {diagnostics:?}\n{text}"),
        Err(error) => panic!("{path:?}: {error:?}"),
    };
    check(&loaded, options, &mut Nobody)
        .unwrap_or_else(|why| panic!("{path:?} {wish:?}: {why:?}\n{text}"))
}

fn smallest(document: &Document) -> Option<u32> {
    document
        .threads
        .as_ref()
        .and_then(|threads| threads.smallest)
}

fn all_states(symmetry: SymmetryChoice) -> CheckOptions {
    CheckOptions {
        symmetry,
        static_reductions: StaticReductions::NONE,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    }
}

#[test]
fn our_models_keep_what_their_headers_promise() {
    let mut kept = 0;
    for path in promises::thread_models().expect("the folder is there") {
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let all = promises::thread_promises(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert!(!all.is_empty(), "{path:?} promises nothing");
        for promise in all {
            let wish = ThreadWish {
                at_most: promise.at_most,
                ..ThreadWish::default()
            };
            let options = match (promise.at_most, promise.counting) {
                (None, _) => CheckOptions::default(),
                (Some(_), Counting::Reachable) => all_states(SymmetryChoice::Off),
                (Some(_), Counting::Orbits) => all_states(SymmetryChoice::default()),
            };
            let document = found(&path, &text, &wish, &options);
            let violated = document.verdict == Verdict::Violated;
            assert_eq!(violated, promise.violated, "{path:?} {promise:?}");
            assert_eq!(
                smallest(&document),
                promise.smallest,
                "{path:?} {promise:?}"
            );
            if let Some(states) = promise.states {
                assert_eq!(document.stats.states, states, "{path:?} {promise:?}");
            }
            kept += 1;
        }
    }
    assert!(kept >= 9, "only {kept} promises were checked");
}

/// The folder of models of others, if it is there.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models/boolean");
    match folder.is_dir() {
        true => Some(folder),
        false => {
            println!("skipped: there is no {}", folder.display());
            None
        }
    }
}

/// The cells of the rows of a table without its heading. Cells with commas stand between quotes.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("the table is there");
    let cells = |line: &str| {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                letter => cells[..].last_mut().expect("there is one").push(letter),
            }
        }
        cells
    };
    text.lines().skip(1).map(cells).collect()
}

#[test]
fn programs_of_others_have_their_verdicts() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder.join("programs.csv"));
    for row in &rows {
        let (label, verdict, least) = (&row[6], row[7].as_str(), &row[8]);
        let path = folder.join(&row[0]);
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let wish = ThreadWish {
            target: (!label.is_empty()).then(|| label.clone()),
            ..ThreadWish::default()
        };
        let document = found(&path, &text, &wish, &CheckOptions::default());
        let name = &row[0];
        match verdict {
            "safe" => assert_eq!(document.verdict, Verdict::Holds, "{name}"),
            "unsafe" => {
                assert_eq!(document.verdict, Verdict::Violated, "{name}");
                assert!(document.trace.is_some(), "{name}");
                assert_eq!(smallest(&document), least.parse().ok(), "{name}");
            }
            // Known for few threads only.
            bounded => {
                let words = bounded.split(' ');
                let most: u32 = words.filter_map(|w| w.parse().ok()).next().expect(bounded);
                assert!(smallest(&document).is_none_or(|n| n > most), "{name}");
            }
        }
    }
    assert_eq!(rows.len(), 38);
}

#[test]
fn systems_of_others_have_their_verdicts() {
    let Some(folder) = folder() else { return };
    let rows = rows(&folder.join("tts.csv"));
    for row in &rows {
        let path = folder.join(format!("tts/{}.tts", row[0]));
        let text = std::fs::read_to_string(&path).expect("the model is there");
        let wish = ThreadWish {
            at_most: None,
            start: Some(row[1].clone()),
            target: Some(row[2].clone()),
        };
        let document = found(&path, &text, &wish, &CheckOptions::default());
        let expected = match row[3].as_str() {
            "safe" => Verdict::Holds,
            _ => Verdict::Violated,
        };
        assert_eq!(document.verdict, expected, "{}", row[0]);
    }
    assert_eq!(rows.len(), 32);
}

#[test]
fn numbers_of_configurations_and_thread_states_are_known() {
    let Some(folder) = folder() else { return };
    let mut compared = 0;
    for row in rows(&folder.join("cutoffs.csv")) {
        let name = row[0].split(' ').nth(1).expect("a name behind a word");
        let ours = match row[0].starts_with("ijit") {
            true => format!("satabs-{}", name.replace("/satabs.", "-")),
            false => name.to_string(),
        };
        let path = folder.join(format!("tts/{ours}.tts"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("{ours} is not among the models");
            continue;
        };
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new(&path, text));
        let target = sources.add(SourceText::new("target", "0|0"));
        let options = BooleanOptions {
            target: Some(target),
            start: None,
        };
        let (system, _) = load_system(&sources, file, &options);
        let mut system = system.expect("it is right").system().expect("it is one");
        system.starts = vec![Start {
            shared: 0,
            ones: vec![0],
            any: None,
        }];
        let pairs = coverable_pairs(&system).expect("there are no broadcasts");
        assert_eq!(pairs.len().to_string(), row[1], "{ours}");
        let known = row[2..6].iter().filter(|cell| !cell.is_empty());
        for (round, known) in rounds(&system, 4).iter().zip(known) {
            let found = format!("{}/{}", round.configurations, round.pairs);
            assert_eq!(&found, known, "{ours} with {} threads", round.threads);
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared}");
}

/// Compares what is said for every number of threads with searches for few: one explored by the usual engine, with symmetry and without.
fn compare(path: &str, text: &str, target: Option<String>, seed: u64) -> bool {
    let path = Path::new(path);
    let wish = |at_most| ThreadWish {
        at_most,
        target: target.clone(),
        start: None,
    };
    let every = found(path, text, &wish(None), &CheckOptions::default());
    assert_ne!(every.verdict, Verdict::Unknown, "seed {seed}\n{text}");
    let least = (1..=MOST).find(|threads| {
        let verdicts = [SymmetryChoice::Off, SymmetryChoice::default()].map(|symmetry| {
            let options = CheckOptions {
                symmetry,
                ..CheckOptions::default()
            };
            found(path, text, &wish(Some(*threads)), &options).verdict
        });
        assert_eq!(
            verdicts[0], verdicts[1],
            "seed {seed}, {threads} threads\n{text}"
        );
        verdicts[0] == Verdict::Violated
    });
    match smallest(&every) {
        Some(threads) if threads <= MOST => assert_eq!(least, Some(threads), "seed {seed}\n{text}"),
        _ => assert_eq!(least, None, "seed {seed}\n{text}"),
    }
    every.verdict == Verdict::Violated
}

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn of(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

fn random_system(random: &mut Random) -> String {
    let (shared, locals) = (1 + random.below(3), 2 + random.below(4));
    let mut text = format!("{shared} {locals}\n");
    let spawns = random.below(3) == 0;
    for _ in 0..3 + random.below(6) {
        let mut pair = || format!("{} {}", random.below(shared), random.below(locals));
        let (before, after) = (pair(), pair());
        match random.below(8) {
            0 if spawns => writeln!(text, "{before} +> {after}"),
            1 => writeln!(text, "{before} ~> {after}"),
            2 | 3 => {
                let mut others = String::new();
                for _ in 0..1 + random.below(3) {
                    let pair = (random.below(locals), random.below(locals));
                    write!(others, " {} ~> {}", pair.0, pair.1).expect("there is room");
                }
                writeln!(text, "{before} -> {after}{others}")
            }
            _ => writeln!(text, "{before} -> {after}"),
        }
        .expect("there is room");
    }
    text
}

#[test]
fn random_systems_agree_with_few_threads() {
    let mut violated = 0;
    let seeds: Vec<u64> = Dose::of("boolean", USUAL).seeds().collect();
    for seed in &seeds {
        let mut random = Random::of(*seed);
        let text = random_system(&mut random);
        let sizes: Vec<u64> = text
            .lines()
            .next()
            .into_iter()
            .flat_map(|l| l.split(' '))
            .filter_map(|w| w.parse().ok())
            .collect();
        let shared = random.below(sizes[0]);
        let wanted = (0..1 + random.below(2)).map(|_| random.below(sizes[1]).to_string());
        let wanted: Vec<String> = wanted.collect();
        let target = format!("{shared}|{}", wanted.join(","));
        violated += u64::from(compare("random.tts", &text, Some(target), *seed));
    }
    assert!(violated > 0 && violated < seeds.len() as u64, "{violated}");
}

/// A program of main and one function, whose threads are started at a label or by a call.
fn random_program(random: &mut Random) -> String {
    let mut text = String::from("decl g0, g1;\nbool f(a) begin\n  decl b;\n  b := a ^ g1;\n");
    text += &statements(random, &["g0", "a", "b"], 2);
    text += "  return b;\nend\nvoid run(x) begin\n";
    text += &statements(random, &["g0", "g1", "x"], 3);
    text += "end\nvoid main() begin\n  decl l, m;\n  g0, g1 := F, F; l := F; m := *;\n";
    text += "  while * do start_thread goto W; start_thread run(l); l := !l; od; end_thread;\nW: skip;\n";
    text += &statements(random, &["g0", "g1", "l", "m"], 4);
    text += &format!(
        "  assert({});\nend\n",
        expression(random, &["g0", "g1", "l"], 2)
    );
    text
}

fn statements(random: &mut Random, names: &[&str], count: u64) -> String {
    let mut text = String::new();
    let mut atomic = false;
    for _ in 0..count {
        let name = random.pick(names);
        let value = expression(random, names, 2);
        let statement = match random.below(9) {
            0 => format!("assume({value})"),
            1 => format!("if {value} then {name} := !{name}; fi"),
            2 if !atomic => {
                atomic = true;
                "atomic_begin".into()
            }
            3 => format!("g0, g1 := *, {value} constrain 'g0 = 'g1 | {name}"),
            4 if names.contains(&"l") => format!("l := f({value})"),
            5 => format!("{name} := schoose[{value}, {name}]"),
            6 => format!("assert({value} | {name} | !g0)"),
            _ => format!("{name} := {value}"),
        };
        writeln!(text, "  {statement};").expect("there is room");
    }
    if atomic {
        text += "  atomic_end;\n";
    }
    text
}

fn expression(random: &mut Random, names: &[&str], depth: u64) -> String {
    if depth == 0 || random.below(3) == 0 {
        return match random.below(8) {
            0 => "*".into(),
            1 => random.pick(&["T", "F"]).into(),
            _ => random.pick(names).into(),
        };
    }
    let left = expression(random, names, depth - 1);
    let right = expression(random, names, depth - 1);
    match random.below(5) {
        0 => format!("!({left})"),
        1 => format!("({left} & {right})"),
        2 => format!("({left} | {right})"),
        3 => format!("({left} ^ {right})"),
        _ => format!("({left} = {right})"),
    }
}

#[test]
fn random_programs_agree_with_few_threads() {
    let mut violated = 0;
    let seeds: Vec<u64> = Dose::of("boolean", USUAL).seeds().collect();
    for seed in &seeds {
        let text = random_program(&mut Random::of(*seed));
        violated += u64::from(compare("random.bp", &text, None, *seed));
    }
    assert!(violated > 0 && violated < seeds.len() as u64, "{violated}");
}
