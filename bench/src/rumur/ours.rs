//! Runs of Mandala for the comparison with Rumur.

use super::run::Run;
use super::subjects::Source;
use crate::mandala::{Answer, Mandala};
use crate::process::Clock;
use mandala_report::document::Verdict;

/// Checks.
pub(super) fn check(
    mandala: &Mandala,
    source: &Source,
    symmetry: &str,
    clock: Clock,
) -> Result<Run, String> {
    complete(mandala.ask(arguments(source, symmetry, clock))?, clock)
}

fn arguments(source: &Source, symmetry: &str, clock: Clock) -> Vec<String> {
    let path = source.path.display().to_string();
    let mut arguments = vec!["check".to_string(), path];
    let mut option = |name: &str, value: &str| arguments.extend([name.into(), value.into()]);
    option("--dialect", "rumur");
    option("--symmetry", symmetry);
    for constant in &source.constants {
        option("-D", constant);
    }
    if clock == Clock::Work {
        option("--workers", "1");
    }
    arguments.push("--no-deadlock".into());
    arguments
}

fn complete(answer: Answer, clock: Clock) -> Result<Run, String> {
    let document = answer.document;
    if !document.coverage.complete {
        let why = document.coverage.reason.unwrap_or_default();
        return Err(format!("not everything was visited: {why}"));
    }
    Ok(Run {
        seconds: answer.spent.by(clock),
        searching: answer.spent.by(clock),
        peak: answer.peak,
        states: document.stats.states,
        rules: document.stats.transitions,
        holds: match document.verdict {
            Verdict::Holds => Some(true),
            Verdict::Violated => Some(false),
            Verdict::Unknown | Verdict::Value => None,
        },
        reduced: document.symmetry.order != "1",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_asked_what_rumur_is_asked() {
        let source = Source {
            path: "there/model.m".into(),
            constants: vec!["N=3".into()],
        };
        let typed = |clock| arguments(&source, "auto", clock).join(" ");
        let common = "check there/model.m --dialect rumur --symmetry auto -D N=3";
        assert_eq!(typed(Clock::Wall), format!("{common} --no-deadlock"));
        let alone = format!("{common} --workers 1 --no-deadlock");
        assert_eq!(typed(Clock::Work), alone);
    }
}
