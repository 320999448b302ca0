//! Small programs, each about one rule of the language that is easily got wrong. Their headers say what
//! is expected; Spin is asked as well where it is installed, so that the headers are right.

use mandala_conformance::ours::{self, Answer, EngineChoice, Question, SearchOrder};
use mandala_conformance::promises::{self, Promise};
use mandala_conformance::spin::{self, Claim, Size, Spin};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|f| f.expect("it can be listed").path()).collect();
    files.sort();
    files
}

#[test]
fn every_program_means_what_its_header_says() {
    let spin = Spin::find();
    let mut wrong = Vec::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let promises = promises::promises(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert!(!promises.is_empty(), "{path:?} promises nothing");
        for promise in promises {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for engine in [EngineChoice::EXPLICIT, EngineChoice::REFERENCE] {
                let found = ours(&path, &text, engine);
                wrong.extend(
                    complaint(&promise, &found).map(|c| format!("{name}: {engine:?}: {c}")),
                );
            }
            if let Some(spin) = &spin {
                let found = theirs(spin, &text);
                wrong.extend(complaint(&promise, &found).map(|c| format!("{name}: Spin: {c}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The number of states and whether there is a violation, or why there is none of both.
type Found = Result<(u64, bool), String>;

fn complaint(promise: &Promise, found: &Found) -> Option<String> {
    let wanted = (
        promise.states.unwrap_or_default(),
        promise.violated.is_some(),
    );
    (found.as_ref() != Ok(&wanted)).then(|| format!("{wanted:?} expected, {found:?} found"))
}

fn ours(path: &Path, text: &str, engine: EngineChoice) -> Found {
    let answer = ours::ask(&Question {
        path,
        text,
        defines: &[],
        dialect: None,
        claim: Claim::None,
        engine,
        order: SearchOrder::BreadthFirst,
        limit: None,
    });
    match answer {
        Answer::Complete(search) => Ok((search.states, search.violated)),
        other => Err(format!("{other:?}")),
    }
}

fn theirs(spin: &Spin, text: &str) -> Found {
    let limit = Duration::from_secs(30);
    let question = spin::Question {
        text,
        defines: &[],
        claim: Claim::None,
        size: Size::Small,
        limit,
    };
    match spin.ask(&question) {
        Ok(spin::Answer::Complete(search)) => Ok((search.states, search.errors > 0)),
        other => Err(format!("{other:?}")),
    }
}
