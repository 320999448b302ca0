//! The corpus of small models in the text form of the IR: every engine gives the answers that stand in the header of each, or refuses what
//! it does not take by the words that stand there.
//!
//! The lines of a header (`Expect ENGINE:` goes before `Expect:`; transitions include the one into the first state):
//!
//! ```text
//! // Expect [ENGINE]: PROPERTY (holds | violated | unknown) [VIOLATIONS] [, N states] [, N transitions]
//! // Expect [ENGINE]: PROPERTY value FRACTION [, N states] [, N transitions]
//! // Refuse ENGINE: words of the refusal
//! // Error: words of what is wrong with the text
//! ```

use mandala_checker::frontend::{LoadError, LoadedModel, ModelInput, load};
use mandala_checker::options::{
    AfterViolation, CheckOptions, EngineChoice, StaticReductions, SymmetryChoice,
};
use mandala_checker::watch::Nobody;
use mandala_checker::{Refusal, check};
use mandala_report::document::{PropertyResult, Verdict};
use std::path::{Path, PathBuf};

/// What executes a model: a name for headers, and the options.
fn engines() -> [(&'static str, CheckOptions); 4] {
    let with = |engine, interpret| CheckOptions {
        engine,
        interpret,
        symmetry: SymmetryChoice::Off,
        static_reductions: StaticReductions::NONE,
        after_violation: AfterViolation::GoOn,
        ..CheckOptions::default()
    };
    [
        ("reference", with(EngineChoice::REFERENCE, false)),
        ("bytecode", with(EngineChoice::EXPLICIT, true)),
        ("explicit", with(EngineChoice::EXPLICIT, false)),
        ("symbolic", with(EngineChoice::SYMBOLIC, false)),
    ]
}

/// What a header says of a property.
struct Expected {
    property: String,
    verdict: Verdict,
    violations: Option<u64>,
    /// The value that its bounds enclose.
    value: Option<f64>,
    states: Option<u64>,
    transitions: Option<u64>,
}

struct Header {
    text: String,
}

impl Header {
    fn lines<'h>(&'h self, head: &str) -> impl Iterator<Item = &'h str> {
        let head = format!("// {head}: ");
        let lines = self.text.lines();
        lines.filter_map(move |line| line.strip_prefix(head.as_str()))
    }

    /// What an engine must say, its own lines in place of those for all.
    fn expected(&self, engine: &str) -> Vec<Expected> {
        let own: Vec<Expected> = self
            .lines(&format!("Expect {engine}"))
            .map(expected)
            .collect();
        let is_own = |e: &Expected| own.iter().any(|o| o.property == e.property);
        let shared: Vec<Expected> = self.lines("Expect").map(expected).collect();
        let shared = shared
            .into_iter()
            .filter(|e| !is_own(e))
            .collect::<Vec<_>>();
        shared.into_iter().chain(own).collect()
    }
}

fn expected(line: &str) -> Expected {
    let mut parts = line.split(", ");
    let words: Vec<&str> = parts.next().unwrap_or("").split(' ').collect();
    let verdict = match words[1] {
        "holds" => Verdict::Holds,
        "violated" => Verdict::Violated,
        "unknown" => Verdict::Unknown,
        "value" => Verdict::Value,
        other => panic!("no verdict: {other}"),
    };
    let mut result = Expected {
        property: words[0].into(),
        verdict,
        violations: match verdict {
            Verdict::Value => None,
            _ => words.get(2).map(|n| number(n)),
        },
        value: match verdict {
            Verdict::Value => Some(fraction(words[2])),
            _ => None,
        },
        states: None,
        transitions: None,
    };
    for part in parts {
        match part.split_once(' ') {
            Some((n, "states")) => result.states = Some(number(n)),
            Some((n, "transitions")) => result.transitions = Some(number(n)),
            _ => panic!("neither states nor transitions: {part}"),
        }
    }
    result
}

/// A fraction whose denominator is a power of two.
fn fraction(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    number(above) as f64 / number(below) as f64
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("no number: {text}"))
}

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

fn loaded(path: &Path, text: &str) -> Result<LoadedModel, LoadError> {
    load(ModelInput {
        path: path.into(),
        text: text.to_owned(),
        defines: Vec::new(),
        dialect: None,
        read: |_: &Path| Err(std::io::ErrorKind::NotFound.into()),
    })
}

fn assert_result(about: &str, expected: &Expected, results: &[PropertyResult]) {
    let name = &expected.property;
    let result = results.iter().find(|r| r.name == *name);
    let result = result.unwrap_or_else(|| panic!("{about}: no property {name}"));
    assert_eq!(result.verdict, expected.verdict, "{about}: {name}");
    if let Some(violations) = expected.violations {
        assert_eq!(
            result.violations, violations,
            "{about}: violations of {name}"
        );
    }
    if let Some(expected) = expected.value {
        let value = result.value.as_ref().expect("a value");
        let encloses = value.lower.0 <= expected && expected <= value.upper.0;
        assert!(encloses, "{about}: {name} is {value}");
    }
    let stats = result.stats.as_ref();
    if let Some(states) = expected.states {
        assert_eq!(stats.map(|s| s.states), Some(states), "{about}: states");
    }
    if let Some(transitions) = expected.transitions {
        assert_eq!(
            stats.map(|s| s.transitions),
            Some(transitions),
            "{about}: transitions"
        );
    }
}

fn told(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Plan(error) => error.to_string(),
        Refusal::Check(error) => error.to_string(),
        Refusal::Symmetry(refused) => format!("{refused:?}"),
    }
}

fn assert_engine(
    about: &str,
    model: &LoadedModel,
    header: &Header,
    (name, options): &(&str, CheckOptions),
) {
    let about = format!("{about}, {name}");
    let refused = header.lines(&format!("Refuse {name}")).next();
    match (check(model, options, &mut Nobody), refused) {
        (Ok(document), None) => {
            for expected in header.expected(name) {
                assert_result(&about, &expected, &document.properties);
            }
        }
        (Err(refusal), Some(words)) => {
            let told = told(&refusal);
            assert!(told.contains(words), "{about}: {told}");
        }
        (Ok(_), Some(words)) => panic!("{about}: not refused because of {words}"),
        (Err(refusal), None) => panic!("{about}: {}", told(&refusal)),
    }
}

#[test]
fn every_engine_gives_the_answers_of_the_headers() {
    let files = corpus();
    assert!(files.len() > 30);
    for path in files {
        let header = Header {
            text: std::fs::read_to_string(&path).expect("readable"),
        };
        let about = path.file_name().unwrap_or_default().to_string_lossy();
        let wrong: Vec<&str> = header.lines("Error").collect();
        assert!(
            !wrong.is_empty() || header.lines("Expect").next().is_some(),
            "{about}"
        );
        match loaded(&path, &header.text) {
            Ok(model) => {
                assert!(wrong.is_empty(), "{about} is not wrong");
                let engines = engines();
                engines
                    .iter()
                    .for_each(|e| assert_engine(&about, &model, &header, e));
            }
            Err(LoadError::Wrong { diagnostics, .. }) => {
                let count = diagnostics.len();
                assert_eq!(count, wrong.len(), "{about}: {diagnostics:?}");
                for (found, words) in diagnostics.iter().zip(wrong) {
                    assert!(found.message.contains(words), "{about}: {}", found.message);
                }
            }
            Err(LoadError::Defect(what) | LoadError::Option(what)) => panic!("{about}: {what}"),
        }
    }
}
