//! One program, several opinions.
//!
//! The compiled engine searches breadth first and depth first, the reference interpreter searches, and
//! Spin does if it is installed. All must count the same states and agree on whether there is
//! a violation; every counterexample must replay. Spin's opinion counts where it has one.

use crate::ours::{self, EngineChoice, SearchOrder};
use crate::program::Program;
use crate::shrink::shrink;
use crate::spin::{self, Claim, Size, Spin};
use std::fmt::{self, Display, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// How many states a random program may have.
const LARGEST: u64 = 60_000;

/// How many states the interpreter is troubled with.
const LARGEST_INTERPRETED: u64 = 20_000;

/// How long each of Spin's programs may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// All opinions agree, as far as there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Spin counts the same states and has the same verdict.
    Confirmed {
        /// How many states.
        states: u64,
        /// Whether there is a violation.
        violated: bool,
    },
    /// Nobody accepts the program.
    Refused,
    /// It has too many states for a comparison.
    TooLarge,
    /// Spin was not asked or has no answer, for this reason; our own engines agree.
    OursOnly(String),
}

/// Two opinions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// Spin counts another number of states.
    States {
        /// Spin's number.
        spin: u64,
        /// Ours.
        ours: u64,
    },
    /// Spin finds an error and we do not, or the other way round.
    Verdict {
        /// Spin's first error.
        spin: Option<String>,
        /// Ours.
        ours: Option<String>,
    },
    /// Only Spin accepts the program; our message.
    OnlyWeRefuse(String),
    /// Only we accept the program; Spin's message.
    OnlySpinRefuses(String),
    /// Our own engines differ: what was asked, and the two answers.
    Engines(String),
    /// A defect that shows without a second opinion.
    Defect(String),
    /// A panic.
    Panic(String),
}

impl Disagreement {
    /// Whether both are of the same kind, so that shrinking does not wander off to another defect.
    fn resembles(&self, other: &Disagreement) -> bool {
        match (self, other) {
            (Disagreement::Verdict { spin: a, .. }, Disagreement::Verdict { spin: b, .. }) => {
                a.is_some() == b.is_some()
            }
            (Disagreement::States { spin, ours }, Disagreement::States { spin: s, ours: o }) => {
                (spin < ours) == (s < o)
            }
            (Disagreement::OnlyWeRefuse(a), Disagreement::OnlyWeRefuse(b)) => alike(a, b),
            (Disagreement::OnlySpinRefuses(a), Disagreement::OnlySpinRefuses(b)) => alike(a, b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

/// Whether two messages are the same but for places and names.
fn alike(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let line = text.lines().next().unwrap_or_default();
        let words = line.split_whitespace().skip(2);
        let plain = |w: &&str| w.len() > 2 && w.chars().all(|c| c.is_ascii_lowercase());
        words.filter(plain).take(4).map(String::from).collect()
    };
    words(a) == words(b)
}

impl Display for Disagreement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = |error: &Option<String>| error.clone().unwrap_or("no error".into());
        match self {
            Disagreement::States { spin, ours } => {
                write!(f, "Spin counts {spin} states, Mandala {ours}")
            }
            Disagreement::Verdict { spin, ours } => {
                write!(f, "Spin: {}; Mandala: {}", text(spin), text(ours))
            }
            Disagreement::OnlyWeRefuse(text) => write!(f, "only Mandala refuses it: {text}"),
            Disagreement::OnlySpinRefuses(text) => write!(f, "only Spin refuses it: {text}"),
            Disagreement::Engines(text) => write!(f, "the engines differ: {text}"),
            Disagreement::Defect(text) => write!(f, "a defect: {text}"),
            Disagreement::Panic(text) => write!(f, "a panic: {text}"),
        }
    }
}

/// Asks everybody about a program.
pub fn compare(program: &Program, spin: Option<&Spin>) -> Result<Agreement, Disagreement> {
    let claim = if program.never.is_some() {
        Claim::Product
    } else {
        Claim::None
    };
    compare_text(&program.to_string(), claim, spin)
}

/// Asks everybody about a text.
pub fn compare_text(
    text: &str,
    claim: Claim,
    spin: Option<&Spin>,
) -> Result<Agreement, Disagreement> {
    match opinion(
        text,
        claim,
        EngineChoice::EXPLICIT,
        SearchOrder::BreadthFirst,
    )? {
        ours::Answer::Complete(found) => {
            compare_engines(text, claim, &found)?;
            with_spin(text, claim, spin, |answer| judge(&found, answer))
        }
        ours::Answer::TooLarge => Ok(Agreement::TooLarge),
        ours::Answer::Defect(what) => Err(Disagreement::Defect(what)),
        ours::Answer::Refused(why) => with_spin(text, claim, spin, |answer| match answer {
            spin::Answer::Refused(_) => Ok(Agreement::Refused),
            spin::Answer::Nothing(why) => Ok(Agreement::OursOnly(why)),
            _ => Err(Disagreement::OnlyWeRefuse(why.clone())),
        }),
    }
}

fn with_spin(
    text: &str,
    claim: Claim,
    spin: Option<&Spin>,
    judge: impl Fn(spin::Answer) -> Result<Agreement, Disagreement>,
) -> Result<Agreement, Disagreement> {
    let Some(spin) = spin else {
        return Ok(Agreement::OursOnly("Spin is not installed".into()));
    };
    let question = spin::Question {
        text,
        defines: &[],
        claim,
        size: Size::Small,
        limit: PATIENCE,
    };
    match spin.ask(&question) {
        Ok(answer) => judge(answer),
        Err(error) => Ok(Agreement::OursOnly(format!("Spin does not run: {error}"))),
    }
}

/// Our answer, with a panic caught on the way.
fn opinion(
    text: &str,
    claim: Claim,
    engine: EngineChoice,
    order: SearchOrder,
) -> Result<ours::Answer, Disagreement> {
    let question = ours::Question {
        path: Path::new("random.pml"),
        text,
        defines: &[],
        dialect: None,
        claim,
        engine,
        order,
        limit: Some(LARGEST),
    };
    catch_unwind(AssertUnwindSafe(|| ours::ask(&question))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Disagreement::Panic(text.unwrap_or_default())
    })
}

/// The other ways to search must lead to the same.
fn compare_engines(text: &str, claim: Claim, found: &ours::Search) -> Result<(), Disagreement> {
    let mut others = vec![(EngineChoice::EXPLICIT, SearchOrder::DepthFirst)];
    if found.states <= LARGEST_INTERPRETED {
        others.push((EngineChoice::REFERENCE, SearchOrder::BreadthFirst));
    }
    for (engine, order) in others {
        let answer = opinion(text, claim, engine, order)?;
        let same =
            |other: &ours::Search| other.states == found.states && other.violated == found.violated;
        if !matches!(&answer, ours::Answer::Complete(other) if same(other)) {
            let text = format!("breadth first: {found:?}; {engine:?}, {order:?}: {answer:?}");
            return Err(Disagreement::Engines(text));
        }
    }
    Ok(())
}

fn judge(found: &ours::Search, answer: spin::Answer) -> Result<Agreement, Disagreement> {
    match answer {
        // What the translator itself made of the program, not the program, is refused.
        spin::Answer::Refused(why) if why.contains("breaks from d_step seq") => {
            Ok(Agreement::OursOnly("Spin trips over its own jumps".into()))
        }
        spin::Answer::Refused(why) => Err(Disagreement::OnlySpinRefuses(why)),
        spin::Answer::Nothing(why) => Ok(Agreement::OursOnly(why)),
        spin::Answer::Partial(theirs) => {
            // What was found before it stopped is real; what was not found says nothing.
            match theirs.errors > 0 && !found.violated {
                true => Err(different_verdicts(found, &theirs)),
                false => Ok(Agreement::OursOnly("Spin stopped early".into())),
            }
        }
        spin::Answer::Complete(theirs) if theirs.states != found.states => {
            Err(Disagreement::States {
                spin: theirs.states,
                ours: found.states,
            })
        }
        spin::Answer::Complete(theirs) if (theirs.errors > 0) != found.violated => {
            Err(different_verdicts(found, &theirs))
        }
        spin::Answer::Complete(theirs) => Ok(Agreement::Confirmed {
            states: theirs.states,
            violated: theirs.errors > 0,
        }),
    }
}

fn different_verdicts(found: &ours::Search, theirs: &spin::Search) -> Disagreement {
    Disagreement::Verdict {
        spin: theirs.first_error.clone(),
        ours: found.shown.as_ref().map(|s| s.message.clone()),
    }
}

/// The smallest program that is found and still shows a disagreement of the same kind.
pub fn smallest(program: Program, shown: &Disagreement, spin: Option<&Spin>) -> Program {
    shrink(program, &mut |candidate| {
        compare(candidate, spin).is_err_and(|found| found.resembles(shown))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(states: u64) -> ours::Search {
        ours::Search {
            states,
            transitions: 0,
            violated: false,
            shown: None,
        }
    }

    fn theirs(states: u64, errors: u64) -> spin::Search {
        spin::Search {
            states,
            errors,
            ..spin::Search::default()
        }
    }

    #[test]
    fn another_count_is_a_disagreement() {
        let answer = spin::Answer::Complete(theirs(4, 0));
        let expected = Disagreement::States { spin: 4, ours: 5 };
        assert_eq!(judge(&found(5), answer), Err(expected));
    }

    #[test]
    fn an_error_that_only_spin_finds_is_a_disagreement() {
        let complete = judge(&found(5), spin::Answer::Complete(theirs(5, 1)));
        assert!(matches!(complete, Err(Disagreement::Verdict { .. })));
        let partial = judge(&found(5), spin::Answer::Partial(theirs(2, 1)));
        assert!(matches!(partial, Err(Disagreement::Verdict { .. })));
    }

    #[test]
    fn a_search_that_was_cut_off_says_nothing_of_counts() {
        let partial = judge(&found(5), spin::Answer::Partial(theirs(2, 0)));
        assert!(matches!(partial, Ok(Agreement::OursOnly(_))));
    }

    #[test]
    fn messages_are_alike_in_spite_of_places_and_names() {
        assert!(alike(
            "spin: m.pml:3, Error: undeclared variable: x",
            "spin: m.pml:9, Error: undeclared variable: y"
        ));
        assert!(!alike(
            "spin: m.pml:3, Error: undeclared variable",
            "spin: m.pml:9, Error: syntax error"
        ));
    }
}
