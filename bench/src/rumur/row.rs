//! One model: what was measured, what follows from it, and whether that is what is wanted.

use super::run::Run;
use super::subjects::Subject;
use super::verifier::Mode;
use crate::ratio::{Ratio, stopped_after};
use std::collections::BTreeMap;

/// From the command to the verdict at most that part of Rumur's time, on every model.
pub(super) const TOTAL_MOST: f64 = 1.0 / 3.0;

/// A search, or why there is none.
pub(super) type Measured = Result<Run, String>;

/// One model. What was not measured is missing.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The model.
    pub subject: Subject,
    /// Ours without symmetry.
    pub off: Option<Measured>,
    /// Ours with symmetry.
    pub auto: Option<Measured>,
    /// Rumur.
    pub rumur: BTreeMap<Mode, Measured>,
}

/// Rumur in one mode, and ours beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison<'a> {
    mode: Mode,
    more_symmetry: bool,
    /// Rumur's search.
    pub theirs: Option<&'a Measured>,
    /// Our search.
    pub ours: Option<&'a Measured>,
}

/// What two searches that promise the same say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// The same.
    Same,
    /// Ours keeps fewer states, because it knows more symmetry.
    Fewer,
    /// Ours has not used any symmetry.
    Unreduced,
    /// One of the two is wrong.
    Contradiction,
}

impl Row {
    /// Nothing measured yet.
    pub(super) fn new(subject: Subject) -> Row {
        Row {
            subject,
            off: None,
            auto: None,
            rumur: BTreeMap::new(),
        }
    }

    /// Rumur in this mode, and ours beside it.
    pub(super) fn comparison(&self, mode: Mode) -> Comparison<'_> {
        let ours = match mode {
            Mode::Off => &self.off,
            Mode::Exhaustive | Mode::Heuristic => &self.auto,
        };
        Comparison {
            mode,
            more_symmetry: self.subject.more_symmetry,
            theirs: self.rumur.get(&mode),
            ours: ours.as_ref(),
        }
    }

    /// All of them.
    pub(super) fn comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        Mode::ALL.into_iter().map(|mode| self.comparison(mode))
    }

    /// Whether one of the tools is wrong.
    pub(super) fn is_contradictory(&self) -> bool {
        let wrong =
            |comparison: Comparison<'_>| comparison.agreement() == Some(Agreement::Contradiction);
        self.comparisons().any(wrong)
    }

    /// What is not as wanted.
    pub(super) fn missed(&self) -> Vec<String> {
        let missed = self
            .comparisons()
            .filter(|comparison| comparison.suffices() == Some(false));
        missed
            .map(|comparison| comparison.mode.to_string())
            .collect()
    }

    /// What went wrong, except that something took too long, and where Rumur's verdict is another one.
    pub(super) fn notes(&self) -> Vec<String> {
        let failed = |who: String, measured: &Measured| {
            let why = measured.as_ref().err()?;
            let told_by_table = stopped_after(why).is_some();
            (!told_by_table).then(|| format!("{who}: {why}"))
        };
        let off = self.off.iter().map(|m| failed("ours, off".into(), m));
        let auto = self.auto.iter().map(|m| failed("ours, auto".into(), m));
        let rumur = self.rumur.iter();
        let rumur = rumur.map(|(mode, m)| failed(format!("Rumur, {mode}"), m));
        let verdicts = self.comparisons().map(|comparison| comparison.dissent());
        let notes = off.chain(auto).chain(rumur).chain(verdicts);
        notes.flatten().collect()
    }
}

impl<'a> Comparison<'a> {
    /// Rumur's search, if it is complete.
    pub(super) fn rumur(&self) -> Option<&'a Run> {
        self.theirs?.as_ref().ok()
    }

    /// Our search, if it is complete.
    pub(super) fn our(&self) -> Option<&'a Run> {
        self.ours?.as_ref().ok()
    }

    /// Our time divided by Rumur's. Rumur has taken at least the limit if it was stopped for that.
    pub(super) fn ratio(&self) -> Option<Ratio> {
        let theirs = self.theirs?.as_ref();
        let theirs = theirs.map(|run| run.seconds).map_err(String::as_str);
        Ratio::of(self.our()?.seconds, theirs)
    }

    /// The same for the programs that search: ours, which does everything itself, and Rumur's verifier without what it takes to make it.
    pub(super) fn search_ratio(&self) -> Option<Ratio> {
        let theirs = self.theirs?.as_ref();
        let theirs = theirs.map(|run| run.searching).map_err(String::as_str);
        Ratio::of(self.our()?.searching, theirs)
    }

    /// Whether that is little enough, as far as it can be said.
    pub(super) fn suffices(&self) -> Option<bool> {
        if self.rumur().is_some() && self.ours.is_some_and(Result::is_err) {
            return Some(false);
        }
        self.ratio()?.is_at_most(TOTAL_MOST)
    }

    /// What the two say together.
    ///
    /// A heuristic keeps at least one state of each orbit, so ours may have fewer; rules fired then say nothing. Verdicts
    /// are compared without symmetry alone: with it, what Rumur says about `liveness` of single members may be wrong.
    pub(super) fn agreement(&self) -> Option<Agreement> {
        let (theirs, ours) = (self.rumur()?, self.our()?);
        let same = (theirs.states, theirs.rules) == (ours.states, ours.rules);
        let may_be_fewer = self.mode == Mode::Heuristic || self.more_symmetry;
        Some(match self.mode {
            Mode::Off if self.dissent().is_some() => Agreement::Contradiction,
            _ if same => Agreement::Same,
            Mode::Off => Agreement::Contradiction,
            _ if !ours.reduced => Agreement::Unreduced,
            _ if may_be_fewer && ours.states < theirs.states => Agreement::Fewer,
            _ => Agreement::Contradiction,
        })
    }

    /// Two verdicts that differ.
    fn dissent(&self) -> Option<String> {
        let (theirs, ours) = (self.rumur()?.holds?, self.our()?.holds?);
        let word = |holds| if holds { "holds" } else { "violated" };
        (theirs != ours).then(|| {
            format!(
                "Rumur, {}: {}; ours: {}",
                self.mode,
                word(theirs),
                word(ours)
            )
        })
    }
}

/// The geometric mean of ratios, and whether one of them may be less than what was counted for it; nothing if there are none.
pub(super) fn mean(ratios: impl Iterator<Item = Ratio>) -> Option<Ratio> {
    let (mut sum, mut count, mut bounded) = (0.0, 0.0, false);
    for ratio in ratios {
        let (Ratio::Exactly(value) | Ratio::LessThan(value)) = ratio;
        bounded |= matches!(ratio, Ratio::LessThan(_));
        sum += value.ln();
        count += 1.0;
    }
    let mean = (count > 0.0).then(|| f64::exp(sum / count))?;
    Some(match bounded {
        true => Ratio::LessThan(mean),
        false => Ratio::Exactly(mean),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rumur::subjects::tests::named;

    fn run(seconds: f64, states: u64) -> Run {
        Run {
            seconds,
            searching: seconds / 2.0,
            peak: 1 << 20,
            states,
            rules: 4 * states,
            holds: Some(true),
            reduced: true,
        }
    }

    /// A row in which everything is just as wanted.
    pub(crate) fn perfect() -> Row {
        let rumur = [
            (Mode::Off, Ok(run(6.0, 1000))),
            (Mode::Exhaustive, Ok(run(3.0, 100))),
            (Mode::Heuristic, Ok(run(3.0, 110))),
        ];
        Row {
            subject: named("german.m/4"),
            off: Some(Ok(run(2.0, 1000))),
            auto: Some(Ok(run(1.0, 100))),
            rumur: rumur.into(),
        }
    }

    fn agreement(row: &Row, mode: Mode) -> Agreement {
        row.comparison(mode).agreement().unwrap()
    }

    #[test]
    fn ratios_are_the_right_way_round() {
        let row = perfect();
        let third = Some(Ratio::Exactly(1.0 / 3.0));
        assert!(row.comparisons().all(|c| c.ratio() == third));
        assert!(row.comparisons().all(|c| c.suffices() == Some(true)));
        assert!(row.missed().is_empty() && row.notes().is_empty());
    }

    #[test]
    fn a_mean_is_a_bound_if_one_of_its_ratios_is() {
        let exact = [0.5, 0.125].map(Ratio::Exactly);
        assert_eq!(mean(exact.into_iter()), Some(Ratio::Exactly(0.25)));
        let bounded = [Ratio::Exactly(0.5), Ratio::LessThan(0.125)];
        assert_eq!(mean(bounded.into_iter()), Some(Ratio::LessThan(0.25)));
        assert_eq!(mean([].into_iter()), None);
    }

    #[test]
    fn a_tool_that_was_stopped_has_taken_at_least_that_long() {
        let mut row = perfect();
        let stop = |row: &mut Row, why: &str| {
            row.rumur.insert(Mode::Exhaustive, Err(why.into()));
            let comparison = row.comparison(Mode::Exhaustive);
            (comparison.ratio(), comparison.suffices())
        };
        let less = Some(Ratio::LessThan(0.1));
        assert_eq!(stop(&mut row, "> 10 s"), (less, Some(true)));
        assert_eq!(stop(&mut row, "(> 10 s)"), (less, Some(true)));
        let nothing = (Some(Ratio::LessThan(0.5)), None);
        assert_eq!(stop(&mut row, "> 2 s"), nothing);
        assert_eq!(stop(&mut row, "out of memory"), (None, None));
        assert_eq!(row.notes(), ["Rumur, exhaustive: out of memory"]);
    }

    #[test]
    fn what_only_rumur_can_do_is_missed() {
        let mut row = perfect();
        row.auto = Some(Err("> 10 s".into()));
        assert_eq!(row.missed(), ["exhaustive", "heuristic"]);
    }

    #[test]
    fn canonical_searches_agree_and_a_heuristic_may_keep_more() {
        let row = perfect();
        assert_eq!(agreement(&row, Mode::Off), Agreement::Same);
        assert_eq!(agreement(&row, Mode::Exhaustive), Agreement::Same);
        assert_eq!(agreement(&row, Mode::Heuristic), Agreement::Fewer);
        assert!(!row.is_contradictory());
    }

    #[test]
    fn other_numbers_are_a_contradiction() {
        for states in [99, 101, 120] {
            let mut row = perfect();
            row.auto = Some(Ok(run(1.0, states)));
            let exhaustive = agreement(&row, Mode::Exhaustive);
            assert_eq!(exhaustive, Agreement::Contradiction);
            assert!(row.is_contradictory());
        }
        let mut rules = perfect();
        rules.off = Some(Ok(Run {
            rules: 1,
            ..run(2.0, 1000)
        }));
        assert_eq!(agreement(&rules, Mode::Off), Agreement::Contradiction);
    }

    #[test]
    fn what_is_not_reduced_or_reduced_further_is_no_contradiction() {
        let mut row = perfect();
        row.auto = Some(Ok(Run {
            reduced: false,
            ..run(1.0, 1000)
        }));
        assert_eq!(agreement(&row, Mode::Exhaustive), Agreement::Unreduced);
        row.subject = named("leader-ring/7");
        row.auto = Some(Ok(run(1.0, 50)));
        assert_eq!(agreement(&row, Mode::Exhaustive), Agreement::Fewer);
        row.auto = Some(Ok(run(1.0, 101)));
        assert_eq!(agreement(&row, Mode::Exhaustive), Agreement::Contradiction);
    }

    #[test]
    fn another_verdict_is_a_contradiction_without_symmetry_and_a_note_with_it() {
        let wrong = |mode| {
            let mut row = perfect();
            let theirs = row.rumur.get_mut(&mode).unwrap().as_mut().unwrap();
            theirs.holds = Some(false);
            (row.is_contradictory(), row.notes())
        };
        let note = |mode| vec![format!("Rumur, {mode}: violated; ours: holds")];
        assert_eq!(wrong(Mode::Off), (true, note(Mode::Off)));
        let exhaustive = note(Mode::Exhaustive);
        assert_eq!(wrong(Mode::Exhaustive), (false, exhaustive));
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        let row = Row::new(perfect().subject);
        assert!(row.missed().is_empty() && !row.is_contradictory());
        assert!(row.comparisons().all(|c| c.ratio().is_none()));
    }
}
