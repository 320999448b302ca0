//! Models of other projects, compared with what Spin has said of them.
//!
//! The models lie in a folder next to the checkout, because they belong to others; without it there
//! is nothing to compare. Rows that are known not to match are listed in `exceptions.csv`, each with
//! a reason, and a listed row that does match is an error too.
#![allow(clippy::print_stdout)]

use mandala_conformance::oracle::{self, Exception, Row};
use mandala_conformance::ours::{self, Answer, EngineChoice, Question, SearchOrder};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How a row compares, in one line.
struct Line {
    text: String,
    mistake: Option<String>,
}

#[test]
fn every_row_matches() {
    let Some(folder) = oracle::folder() else {
        println!("skipped: there is no folder of other projects' models next to the checkout");
        return;
    };
    let rows = std::fs::read_to_string(folder.join("oracle.csv")).expect("the file is there");
    let rows = oracle::rows(&rows).expect("every line can be read");
    let exceptions =
        oracle::exceptions(include_str!("../exceptions.csv")).expect("it is well formed");
    let lines = compare_all(&folder, &rows, &exceptions);
    lines.iter().for_each(|line| println!("{}", line.text));
    let known = |e: &&Exception| {
        !rows
            .iter()
            .any(|r| r.model == e.model && r.claim == e.claim)
    };
    let unknown: Vec<&Exception> = exceptions.iter().filter(known).collect();
    assert!(
        unknown.is_empty(),
        "exceptions for rows that do not exist: {unknown:?}"
    );
    let mistakes: Vec<&String> = lines.iter().filter_map(|l| l.mistake.as_ref()).collect();
    println!(
        "{} rows, {} of them exceptions",
        rows.len(),
        exceptions.len()
    );
    assert!(
        mistakes.is_empty(),
        "{} rows differ:\n{}",
        mistakes.len(),
        join(&mistakes)
    );
}

fn join(lines: &[&String]) -> String {
    lines.iter().map(|l| format!("{l}\n")).collect()
}

/// Compares on two threads, in the order of the rows.
fn compare_all(folder: &Path, rows: &[Row], exceptions: &[Exception]) -> Vec<Line> {
    let next = AtomicUsize::new(0);
    let lines: Mutex<Vec<(usize, Line)>> = Mutex::default();
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(number) else { break };
            let line = compare(folder, row, exceptions);
            lines
                .lock()
                .expect("no thread panics with it")
                .push((number, line));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let mut lines = lines.into_inner().expect("no thread panics with it");
    lines.sort_by_key(|(number, _)| *number);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn compare(folder: &Path, row: &Row, exceptions: &[Exception]) -> Line {
    let path = folder.join(&row.model);
    let text = std::fs::read(&path).expect("the model is there");
    let text = String::from_utf8_lossy(&text);
    let started = Instant::now();
    let answer = ours::ask(&Question {
        path: &path,
        text: &text,
        defines: &[],
        dialect: None,
        claim: row.claim,
        engine: EngineChoice::EXPLICIT,
        order: SearchOrder::BreadthFirst,
        limit: None,
    });
    let exception = exceptions
        .iter()
        .find(|e| e.model == row.model && e.claim == row.claim);
    let name = format!("{} ({:?})", row.model, row.claim);
    let found = describe(&answer);
    let matches = is_match(row, &answer);
    let mistake = match (matches, exception) {
        (true, None) | (false, Some(_)) => None,
        (false, None) => Some(format!("{name}: Spin: {}, Mandala: {found}", expected(row))),
        (true, Some(_)) => Some(format!("{name}: listed as an exception, but it matches")),
    };
    let remark = match exception {
        Some(exception) => format!(", exception: {}", exception.reason),
        None if matches => String::new(),
        None => ", DIFFERS".into(),
    };
    let seconds = started.elapsed().as_secs_f64();
    Line {
        text: format!("{name}: {found}{remark} ({seconds:.2} s)"),
        mistake,
    }
}

fn is_match(row: &Row, answer: &Answer) -> bool {
    matches!(answer, Answer::Complete(found)
        if found.states == row.states && found.violated == row.violated)
}

fn expected(row: &Row) -> String {
    format!("{} states, {}", row.states, verdict(row.violated))
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Complete(found) => format!("{} states, {}", found.states, verdict(found.violated)),
        other => format!("{other:?}"),
    }
}

fn verdict(violated: bool) -> &'static str {
    if violated { "violated" } else { "holds" }
}
