//! One formula with one kind of fairness: what was measured, and what follows from it.

use super::subjects::Subject;
use super::way::{Fairness, Way};
use crate::ratio::{Ratio, stopped_after};
use crate::table;
use std::collections::BTreeMap;

/// From the command to the verdict at most that part of Spin's time, over all rows together.
pub(super) const TOTAL_MOST: f64 = 1.0 / 3.0;

/// A verdict, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// Seconds on the wall from the command to the verdict.
    pub seconds: f64,
    /// The bytes that the program which searches held at most.
    pub peak: u64,
    /// States stored; Spin's are those of the model and the automaton together.
    pub states: u64,
    /// The verdict.
    pub holds: bool,
}

/// A run, or why there is none.
pub(super) type Measured = Result<Run, String>;

/// One formula with one kind of fairness.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The model and the formula.
    pub subject: Subject,
    /// Which runs count.
    pub fairness: Fairness,
    /// What was measured.
    pub runs: BTreeMap<Way, Measured>,
}

impl Row {
    /// Nothing measured yet.
    pub(super) fn new(subject: Subject, fairness: Fairness) -> Row {
        Row {
            subject,
            fairness,
            runs: BTreeMap::new(),
        }
    }

    /// What came to an end.
    pub(super) fn run(&self, way: Way) -> Option<&Run> {
        self.runs.get(&way)?.as_ref().ok()
    }

    /// One of our times divided by one of Spin's.
    pub(super) fn ratio(&self, ours: Way, spins: Way) -> Option<Ratio> {
        let theirs = self.runs.get(&spins)?.as_ref();
        let theirs = theirs.map(|run| run.seconds).map_err(String::as_str);
        Ratio::of(self.run(ours)?.seconds, theirs)
    }

    /// Who comes to a wrong verdict.
    pub(super) fn wrong(&self) -> Vec<String> {
        let known = self.subject.verdict(self.fairness);
        let ended = Way::ALL
            .iter()
            .filter_map(|way| Some((way, self.run(*way)?)));
        let wrong = ended.filter(|(_, run)| run.holds != known);
        wrong
            .map(|(way, run)| format!("{}: {way}: {}", self.name(), word(run.holds)))
            .collect()
    }

    /// What went wrong, except that something took too long, which tables show.
    pub(super) fn notes(&self) -> Vec<String> {
        let failed = |(way, measured): (&Way, &Measured)| {
            let why = measured.as_ref().err()?;
            let told_by_table = stopped_after(why).is_some();
            (!told_by_table).then(|| format!("{}: {way}: {why}", self.name()))
        };
        self.runs.iter().filter_map(failed).collect()
    }

    /// The verdict that is known.
    pub(super) fn verdict(&self) -> &'static str {
        word(self.subject.verdict(self.fairness))
    }

    /// The subject, and the fairness if there is one.
    pub(super) fn name(&self) -> String {
        match self.fairness {
            Fairness::None => self.subject.name.into(),
            Fairness::Weak => format!("{}, fair", self.subject.name),
        }
    }

    /// A line to see how far it is.
    pub(super) fn short(&self) -> String {
        let factor = |way| {
            let ratio = self.ratio(way, Way::Spin);
            ratio.map_or("?".into(), |ratio| ratio.told(table::factor))
        };
        let (off, auto) = (factor(Way::Off), factor(Way::Auto));
        let wrong: String = self
            .wrong()
            .iter()
            .map(|who| format!("; WRONG: {who}"))
            .collect();
        format!(
            "{}: {off} (off), {auto} (auto) of Spin's time{wrong}",
            self.name()
        )
    }
}

fn word(holds: bool) -> &'static str {
    match holds {
        true => "holds",
        false => "violated",
    }
}

/// Seconds of both over all rows where both have ended: ours, Spin's.
pub(super) fn totals(rows: &[Row], ours: Way, spins: Way) -> Option<(f64, f64)> {
    let pairs = rows
        .iter()
        .filter_map(|row| row.run(ours).zip(row.run(spins)));
    pairs
        .map(|(ours, theirs)| (ours.seconds, theirs.seconds))
        .reduce(|sum, next| (sum.0 + next.0, sum.1 + next.1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::liveness::subjects::tests::named;

    /// A row in which everything is just as wanted.
    pub(crate) fn perfect() -> Row {
        let run = |seconds, states| {
            Ok(Run {
                seconds,
                peak: 1 << 20,
                states,
                holds: true,
            })
        };
        let runs = [
            (Way::Spin, run(6.0, 1000)),
            (Way::SpinReduced, run(4.0, 600)),
            (Way::Off, run(2.0, 900)),
            (Way::Auto, run(0.5, 10)),
        ];
        Row {
            subject: named("peterson/3/enter"),
            fairness: Fairness::Weak,
            runs: runs.into(),
        }
    }

    #[test]
    fn ratios_are_the_right_way_round() {
        let row = perfect();
        let third = Some(Ratio::Exactly(1.0 / 3.0));
        assert_eq!(row.ratio(Way::Off, Way::Spin), third);
        let eighth = Some(Ratio::Exactly(0.125));
        assert_eq!(row.ratio(Way::Auto, Way::SpinReduced), eighth);
        assert!(row.wrong().is_empty() && row.notes().is_empty());
        assert!(
            row.short()
                .starts_with("peterson/3/enter, fair: 0.33 (off)")
        );
    }

    #[test]
    fn a_verdict_that_is_not_the_known_one_is_wrong_whoever_says_it() {
        for way in Way::ALL {
            let mut row = perfect();
            row.runs.get_mut(&way).unwrap().as_mut().unwrap().holds = false;
            let expected = format!("peterson/3/enter, fair: {way}: violated");
            assert_eq!(row.wrong(), [expected]);
            assert!(row.short().contains("WRONG"));
        }
        let unfair = Row {
            fairness: Fairness::None,
            ..perfect()
        };
        assert_eq!(unfair.wrong().len(), Way::ALL.len());
    }

    #[test]
    fn only_what_both_have_ended_is_added_up() {
        let mut stopped = perfect();
        stopped.runs.insert(Way::Spin, Err("> 10 s".into()));
        let rows = [perfect(), stopped, perfect()];
        assert_eq!(totals(&rows, Way::Off, Way::Spin), Some((4.0, 12.0)));
        assert_eq!(totals(&[], Way::Off, Way::Spin), None);
        let ratio = rows[1].ratio(Way::Off, Way::Spin);
        assert_eq!(ratio, Some(Ratio::LessThan(0.2)));
        assert!(rows[1].notes().is_empty());
    }
}
