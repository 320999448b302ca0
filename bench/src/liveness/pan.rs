//! Spin: `spin` translates a model with a formula to C, `gcc` compiles that, and the result (`pan`) searches for a cycle.
//!
//! Apart from its partial-order reduction, which is measured both ways, Spin gets what suits it: its static reductions, an
//! optimising compiler, a stack that is just deep enough, and no room for fairness where there is none.

use super::row::Run;
use super::subjects::Question;
use super::way::{Fairness, Way};
use crate::pipeline::Pipeline;
use crate::process::{Ended, last_line};
use crate::spin::MEMORY;
use crate::spin::pan::{number_after, number_before, stack};
use std::fs;
use std::time::Duration;

/// The model, in the folder where Spin works.
const MODEL: &str = "model.pml";

/// Translates, compiles and searches. The limit is for all three together.
pub(super) fn check(
    question: &Question,
    fairness: Fairness,
    way: Way,
    limit: Duration,
) -> Result<Run, String> {
    let mut errand = Pipeline::new(MODEL, &text(question)?, limit)?;
    errand.step("spin", &translation(question))?;
    errand.step("gcc", &compilation(fairness, way))?;
    let (ended, peak) = errand.search("pan", &search(question, fairness), MEMORY)?;
    Ok(Run {
        seconds: errand.spent.wall,
        peak,
        ..read(&ended)?
    })
}

/// The model, and the formula behind it.
fn text(question: &Question) -> Result<String, String> {
    let model = fs::read_to_string(&question.path).map_err(|error| error.to_string())?;
    Ok(format!("{model}\nltl p {{ {} }}\n", question.formula))
}

fn translation(question: &Question) -> Vec<String> {
    let defines = question.defines.iter().map(|define| format!("-D{define}"));
    let begin = ["-a".to_string()].into_iter().chain(defines);
    begin.chain([MODEL.into()]).collect()
}

/// Arithmetic wraps in the language, so it has to in C, too. Four bytes of counters are enough for fairness to 14 processes.
fn compilation(fairness: Fairness, way: Way) -> Vec<String> {
    let fair = match fairness {
        Fairness::None => "-DNOFAIR",
        Fairness::Weak => "-DNFAIR=4",
    };
    let memory = format!("-DMEMLIM={}", MEMORY >> 20);
    let flags = ["-O2", "-w", "-fwrapv", fair, &memory, "-o", "pan", "pan.c"];
    let full = (way != Way::SpinReduced).then_some("-DNOREDUCE");
    flags.into_iter().chain(full).map(String::from).collect()
}

fn search(question: &Question, fairness: Fairness) -> Vec<String> {
    let stack = format!("-m{}", stack(question.depth));
    let fair = (fairness == Fairness::Weak).then(|| "-f".to_string());
    ["-a".into(), stack].into_iter().chain(fair).collect()
}

/// Signs that a search which has found nothing has not seen everything.
const CUT_OFF: [&str; 3] = [
    "max search depth too small",
    "Search not completed",
    "out of memory",
];

/// What `pan` says.
fn read(ended: &Ended) -> Result<Run, String> {
    let text = format!("{}\n{}", ended.output, ended.complaint);
    let counts = number_before(&text, " states, stored").zip(number_after(&text, "errors: "));
    let (states, errors) = counts.ok_or_else(|| format!("pan: {}", complaint(ended)))?;
    let cut_off = CUT_OFF.iter().find(|sign| text.contains(*sign));
    match (errors == 0.0, cut_off) {
        (true, Some(sign)) => Err(format!("pan: {sign}")),
        (holds, _) => Ok(Run {
            seconds: 0.0,
            peak: 0,
            states: states as u64,
            holds,
        }),
    }
}

/// Why it did not begin: the line that says so, or else the last one.
fn complaint(ended: &Ended) -> String {
    let both = ended.output.lines().chain(ended.complaint.lines());
    let line = both.into_iter().find_map(|line| line.split_once("error: "));
    line.map_or_else(|| last_line(ended), |(_, why)| why.trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::subjects::tests::question;
    use crate::process::Spent;
    use crate::spin::pan::check_installation;

    fn said(output: &str) -> Result<Run, String> {
        read(&Ended {
            spent: Spent::default(),
            well: true,
            output: output.into(),
            complaint: String::new(),
        })
    }

    #[test]
    fn a_verdict_is_read_and_a_search_that_was_cut_off_has_none() {
        let text = |errors: u32| {
            format!(
                "State-vector 60 byte, depth reached 94, errors: {errors}\n  1520 states, stored (3040 visited)\n"
            )
        };
        let holds = said(&text(0)).unwrap();
        assert_eq!((holds.states, holds.holds), (1520, true));
        let stopped = format!("Warning: Search not completed\n{}", text(1));
        assert!(!said(&stopped).unwrap().holds);
        let shallow = format!("error: max search depth too small\n{}", text(0));
        assert!(said(&shallow).unwrap_err().contains("depth"));
        assert_eq!(
            said("pan: error: no room\nmore"),
            Err("pan: no room".into())
        );
    }

    #[test]
    fn it_gets_what_suits_it() {
        let question = question("peterson/3/enter");
        assert_eq!(translation(&question), ["-a", "-DN=3", "model.pml"]);
        let compiled = |fairness, way| compilation(fairness, way).join(" ");
        let fair = compiled(Fairness::Weak, Way::Spin);
        assert!(fair.contains("-DNFAIR=4") && fair.contains("-DNOREDUCE"));
        let reduced = compiled(Fairness::None, Way::SpinReduced);
        assert!(reduced.contains("-DNOFAIR") && !reduced.contains("-DNOREDUCE"));
        assert_eq!(search(&question, Fairness::None).len(), 2);
        assert_eq!(search(&question, Fairness::Weak)[2], "-f");
    }

    #[test]
    fn a_formula_that_spin_does_not_take_is_told() {
        if check_installation().is_err() {
            return;
        }
        let mut question = question("peterson/3/enter");
        question.formula = "[] (".into();
        let limit = Duration::from_secs(60);
        assert!(check(&question, Fairness::None, Way::Spin, limit).is_err());
    }
}
