//! Runs of Mandala for the comparison of liveness with Spin.

use super::row::Run;
use super::subjects::Question;
use super::way::Fairness;
use crate::mandala::{Answer, Mandala};
use mandala_report::document::Verdict;

/// Checks.
pub(super) fn check(
    mandala: &Mandala,
    question: &Question,
    fairness: Fairness,
    symmetry: &str,
) -> Result<Run, String> {
    verdict(mandala.ask(arguments(question, fairness, symmetry))?)
}

fn arguments(question: &Question, fairness: Fairness, symmetry: &str) -> Vec<String> {
    let path = question.path.display().to_string();
    let mut arguments = vec!["check".to_string(), path];
    let mut option = |name: &str, value: &str| arguments.extend([name.into(), value.into()]);
    option("--symmetry", symmetry);
    for define in &question.defines {
        option("-D", define);
    }
    // With a name, a colon in the formula is no end of one.
    option("--ltl", &format!("p: {}", question.formula));
    option("--property", "p");
    if fairness == Fairness::Weak {
        option("--fair", "weak");
    }
    arguments
}

/// A violation need not have seen everything; that something holds has to.
fn verdict(answer: Answer) -> Result<Run, String> {
    let document = answer.document;
    let holds = match document.verdict {
        Verdict::Holds if document.coverage.complete => true,
        Verdict::Violated => false,
        Verdict::Holds | Verdict::Unknown | Verdict::Value => {
            let why = document.coverage.reason.unwrap_or_default();
            return Err(format!("no verdict: {why}"));
        }
    };
    Ok(Run {
        seconds: answer.spent.wall,
        peak: answer.peak,
        states: document.stats.states,
        holds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::subjects::tests::question;

    #[test]
    fn it_is_asked_what_spin_is_asked() {
        let question = Question {
            path: "there/model.pml".into(),
            formula: "[] (P[1]:x > 0)".into(),
            ..question("peterson/3/enter")
        };
        let typed = |fairness| arguments(&question, fairness, "off").join(" ");
        let unfair =
            "check there/model.pml --symmetry off -D N=3 --ltl p: [] (P[1]:x > 0) --property p";
        assert_eq!(typed(Fairness::None), unfair);
        assert_eq!(typed(Fairness::Weak), format!("{unfair} --fair weak"));
    }
}
