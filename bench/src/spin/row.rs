//! One model: what was measured, what follows from it, and whether that is what is wanted.

use super::ours::Check;
use super::pan::Search;
use super::subjects::Subject;
use crate::process::Spent;

/// From the command to the verdict at most that part of Spin's time, on every model.
pub(super) const TOTAL_MOST: f64 = 1.0 / 3.0;

/// The search alone at least so many times as fast as Spin's, on every model ..
pub(super) const SPEED_LEAST: f64 = 1.5;

/// .. and in the geometric mean.
pub(super) const SPEED_MEAN: f64 = 3.0;

/// Two workers at least so many times as fast as one.
pub(super) const WORKERS_LEAST: f64 = 1.8;

/// At most so many bytes for each state ..
pub(super) const BYTES_MOST: f64 = 16.0;

/// .. of a model that has at least so many.
pub(super) const LARGE: u64 = 1_000_000;

/// With symmetry at least that part of the transitions in a second, unless locals hold names ..
pub(super) const SYMMETRY_LEAST: f64 = 0.5;

/// .. and if they do.
pub(super) const SYMMETRY_LEAST_WITH_NAMES: f64 = 0.25;

/// A search with fewer transitions is over too soon to tell how fast it is.
pub(super) const TRANSITIONS_LEAST: u64 = 10_000;

/// One model. What could not be measured is missing.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The model.
    pub subject: Subject,
    /// Spin from the command to the verdict: `spin`, `gcc -O2`, `pan`.
    pub spin_total: Option<Spent>,
    /// Mandala from the command to the verdict, with as many workers as it takes by itself.
    pub our_total: Option<Spent>,
    /// Spin's search, compiled with `-O3`.
    pub pan: Option<Search>,
    /// The same with compressed states.
    pub collapse: Option<Search>,
    /// Our search with one worker.
    pub one: Option<Check>,
    /// The same with two.
    pub two: Option<Check>,
    /// The same with one worker and symmetry.
    pub reduced: Option<Check>,
    /// What went wrong.
    pub notes: Vec<String>,
}

impl Row {
    /// Nothing measured yet.
    pub(super) fn new(subject: Subject) -> Row {
        Row {
            subject,
            spin_total: None,
            our_total: None,
            pan: None,
            collapse: None,
            one: None,
            two: None,
            reduced: None,
            notes: Vec::new(),
        }
    }

    /// What was measured, or nothing and a note why.
    pub(super) fn noted<T>(&mut self, what: &str, measured: Result<T, String>) -> Option<T> {
        measured
            .map_err(|why| self.notes.push(format!("{what}: {why}")))
            .ok()
    }

    /// Whether all complete searches without symmetry have the states and transitions of the others, and the states that
    /// are known. Nothing if there is only one tool's word.
    pub(super) fn agree(&self) -> Option<bool> {
        let pan = self.pan.iter().chain(&self.collapse);
        let pan = pan.map(|search| told(search.report.states, search.report.transitions));
        let ours = self.one.iter().chain(&self.two);
        let ours = ours.map(|check| told(check.states, check.transitions));
        let (first, _) = (pan.clone().next()?, ours.clone().next()?);
        let same = pan.chain(ours).all(|counts| counts == first);
        Some(same && first[0] == digits(self.subject.states))
    }

    /// Our time from the command to the verdict, divided by Spin's.
    pub(super) fn total(&self) -> Option<f64> {
        Some(self.our_total?.wall / self.spin_total?.wall)
    }

    /// The same for the time that the programs worked.
    pub(super) fn total_work(&self) -> Option<f64> {
        Some(self.our_total?.work / self.spin_total?.work)
    }

    /// Whether that is little enough.
    pub(super) fn total_suffices(&self) -> Option<bool> {
        Some(self.total()? <= TOTAL_MOST)
    }

    /// How many times as fast as Spin's our search is, by the time that was worked.
    pub(super) fn speed(&self) -> Option<f64> {
        let (pan, ours) = (self.pan.as_ref()?, self.one.as_ref()?);
        Some(pan.spent.work / ours.work())
    }

    /// Whether that is fast enough.
    pub(super) fn speed_suffices(&self) -> Option<bool> {
        Some(self.speed()? >= SPEED_LEAST)
    }

    /// How many times as fast as one worker two are, on the wall.
    pub(super) fn workers(&self) -> Option<f64> {
        Some(self.one.as_ref()?.seconds / self.two.as_ref()?.seconds)
    }

    /// How many times as fast they could at most be, by the time that they worked, if nobody else had the cores.
    pub(super) fn workers_bound(&self) -> Option<f64> {
        Some(2.0 * self.one.as_ref()?.spent.work / self.two.as_ref()?.spent.work)
    }

    /// Whether two are fast enough.
    pub(super) fn workers_suffice(&self) -> Option<bool> {
        Some(self.workers()? >= WORKERS_LEAST)
    }

    /// Our bytes for each state.
    pub(super) fn bytes(&self) -> Option<f64> {
        Some(self.one.as_ref()?.bytes_per_state)
    }

    /// Whether they are few enough: few in a large model, and fewer than Spin's in any.
    pub(super) fn bytes_suffice(&self) -> Option<bool> {
        let ours = self.bytes()?;
        let few = self.subject.states < LARGE || ours <= BYTES_MOST;
        Some(few && ours < self.collapse.as_ref()?.bytes_per_state())
    }

    /// Transitions in a second with symmetry, divided by those without. Nothing if there is no symmetry, or if so little is
    /// left that it is over at once.
    pub(super) fn symmetry(&self) -> Option<f64> {
        let (one, reduced) = (self.one.as_ref()?, self.reduced.as_ref()?);
        let telling = reduced.order != "1" && reduced.transitions >= TRANSITIONS_LEAST;
        telling.then(|| reduced.transitions_per_second() / one.transitions_per_second())
    }

    /// How much that is to be.
    pub(super) fn symmetry_wanted(&self) -> f64 {
        match self.subject.names_in_locals {
            true => SYMMETRY_LEAST_WITH_NAMES,
            false => SYMMETRY_LEAST,
        }
    }

    /// Whether it is.
    pub(super) fn symmetry_suffices(&self) -> Option<bool> {
        Some(self.symmetry()? >= self.symmetry_wanted())
    }

    /// What is not as wanted.
    pub(super) fn missed(&self) -> Vec<&'static str> {
        let all = [
            ("states", self.agree()),
            ("total", self.total_suffices()),
            ("search", self.speed_suffices()),
            ("workers", self.workers_suffice()),
            ("memory", self.bytes_suffice()),
            ("symmetry", self.symmetry_suffices()),
        ];
        let missed = all.iter().filter(|(_, suffices)| *suffices == Some(false));
        missed.map(|(name, _)| *name).collect()
    }
}

fn told(states: u64, transitions: u64) -> [String; 2] {
    [digits(states), digits(transitions)]
}

/// A number as `pan` tells it: only the first eight digits.
fn digits(number: u64) -> String {
    format!("{number:.7e}")
}

/// The geometric mean of how many times as fast as Spin's our searches are.
pub(super) fn mean_speed(rows: &[Row]) -> Option<f64> {
    let logarithms: Vec<f64> = rows.iter().filter_map(Row::speed).map(f64::ln).collect();
    let number = logarithms.len() as f64;
    (number > 0.0).then(|| (logarithms.iter().sum::<f64>() / number).exp())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::corpus::Folders;
    use crate::spin::pan::Report;
    use crate::spin::subjects::subjects;
    use std::path::Path;

    fn subject() -> Subject {
        let folders = Folders {
            bundled: Path::new("models"),
            given: None,
        };
        let all = subjects(&folders, false);
        *all.iter().find(|s| s.name == "email/4").unwrap()
    }

    fn spent(wall: f64, work: f64) -> Spent {
        Spent { wall, work }
    }

    fn search(bytes: u64) -> Search {
        let states = subject().states;
        Search {
            spent: spent(4.0, 2.0),
            report: Report {
                states,
                transitions: 4 * states,
                depth: 7,
                vector: 112,
                seconds: 3.9,
                state_bytes: (bytes * states) as f64,
                total_bytes: 1e9,
            },
        }
    }

    fn check(seconds: f64) -> Check {
        let states = subject().states;
        Check {
            spent: spent(seconds, seconds),
            states,
            transitions: 4 * states,
            seconds,
            bytes_per_state: 20.0,
            order: "1".into(),
        }
    }

    /// A row in which everything is just as wanted.
    pub(crate) fn perfect() -> Row {
        Row {
            spin_total: Some(spent(6.0, 4.0)),
            our_total: Some(spent(2.0, 2.0)),
            pan: Some(search(60)),
            collapse: Some(search(30)),
            one: Some(check(1.0)),
            two: Some(check(0.5)),
            reduced: Some(Check {
                order: "24".into(),
                transitions: subject().states,
                ..check(1.0)
            }),
            ..Row::new(subject())
        }
    }

    #[test]
    fn ratios_are_the_right_way_round() {
        let row = perfect();
        assert_eq!(row.total(), Some(1.0 / 3.0));
        assert_eq!(row.total_work(), Some(0.5));
        assert_eq!(row.speed(), Some(2.0));
        assert_eq!(row.workers(), Some(2.0));
        assert_eq!(row.workers_bound(), Some(4.0));
        assert_eq!(row.symmetry(), Some(0.25));
        assert_eq!(row.missed(), [""; 0]);
        let mean = mean_speed(&[row.clone(), Row::new(subject())]).unwrap();
        assert!((mean - 2.0).abs() < 1e-9);
        assert_eq!(mean_speed(&[]), None);
    }

    #[test]
    fn each_miss_is_named() {
        let slow = Row {
            our_total: Some(spent(2.1, 2.0)),
            one: Some(check(1.5)),
            two: Some(check(1.0)),
            collapse: Some(search(20)),
            reduced: Some(Check {
                order: "24".into(),
                transitions: subject().states,
                ..check(3.0)
            }),
            ..perfect()
        };
        let all = ["total", "search", "workers", "memory", "symmetry"];
        assert_eq!(slow.missed(), all);
        let wrong = Check {
            transitions: 1,
            ..check(0.5)
        };
        let wrong = Row {
            two: Some(wrong),
            ..perfect()
        };
        assert_eq!(wrong.missed(), ["states"]);
    }

    #[test]
    fn what_was_not_measured_is_not_missed() {
        let nothing = Row::new(subject());
        assert_eq!(nothing.missed(), [""; 0]);
        assert_eq!(nothing.agree(), None);
        let without_group = Row {
            reduced: Some(check(100.0)),
            ..perfect()
        };
        assert_eq!(without_group.symmetry(), None);
    }

    #[test]
    fn large_numbers_agree_as_far_as_spin_tells_them() {
        assert_eq!(digits(142_068_954), digits(142_068_950));
        assert_ne!(digits(142_068_954), digits(142_068_960));
        assert_ne!(digits(99_999_998), digits(99_999_999));
    }

    #[test]
    fn few_bytes_are_wanted_of_large_models() {
        let mut row = perfect();
        row.subject.states = LARGE;
        assert_eq!(row.bytes_suffice(), Some(false));
    }
}
