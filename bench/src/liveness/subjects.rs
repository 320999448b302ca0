//! The models and formulas of the comparison of liveness: `data/liveness.csv`.

use super::way::Fairness;
use crate::corpus::When;
use crate::facts::lines;
use crate::families;
use std::path::{Path, PathBuf};

const LIVENESS: &str = include_str!("../../data/liveness.csv");

/// A model of some size, and a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// What it is called in tables: the family of the model, its size, and a name for the formula.
    pub name: &'static str,
    when: When,
    depth: u64,
    /// Whether it holds in all runs ..
    holds: bool,
    /// .. and in those that are fair.
    holds_fairly: bool,
    /// What is claimed of every run.
    pub formula: &'static str,
}

/// A model and a formula as the tools get them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The file of the model.
    pub path: PathBuf,
    /// Macros, as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The formula.
    pub formula: String,
    /// How deep Spin's search goes.
    pub depth: u64,
}

/// All subjects, the smaller ones only if it has to be quick.
pub(super) fn subjects(quick: bool) -> impl Iterator<Item = Subject> {
    all().filter(move |subject| subject.when.includes(quick))
}

fn all() -> impl Iterator<Item = Subject> {
    lines(LIVENESS).filter_map(|cells| subject(&cells))
}

fn subject(cells: &[&'static str]) -> Option<Subject> {
    let &[name, when, depth, none, weak, formula] = cells else {
        return None;
    };
    Some(Subject {
        name,
        when: When::named(when)?,
        depth: depth.parse().ok()?,
        holds: holds(none)?,
        holds_fairly: holds(weak)?,
        formula,
    })
}

fn holds(verdict: &str) -> Option<bool> {
    match verdict {
        "holds" => Some(true),
        "violated" => Some(false),
        _ => None,
    }
}

impl Subject {
    /// The verdict that is known.
    pub(super) fn verdict(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None => self.holds,
            Fairness::Weak => self.holds_fairly,
        }
    }

    /// What it has in common with larger models of the family: its name without the size.
    pub(super) fn kind(&self) -> String {
        let parts = self.name.split('/').enumerate();
        let parts = parts.filter_map(|(place, part)| (place != 1).then_some(part));
        parts.collect::<Vec<_>>().join("/")
    }

    /// As the tools get it. The path is absolute, because they work in folders of their own.
    pub(super) fn question(&self, models: &Path) -> Result<Question, String> {
        let mut parts = self.name.split('/');
        let (Some(family), Some(size)) = (parts.next(), parts.next()) else {
            return Err(format!("`{}` has no size", self.name));
        };
        let family = families::named(family)?;
        let path = family.path(models);
        let missing = |error| format!("cannot read `{}`: {error}", path.display());
        Ok(Question {
            path: path.canonicalize().map_err(missing)?,
            defines: family.defines(size)?,
            formula: self.formula.into(),
            depth: self.depth,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models");

    /// The subject of that name.
    pub(crate) fn named(name: &str) -> Subject {
        all().find(|subject| subject.name == name).unwrap()
    }

    /// As the tools get it.
    pub(crate) fn question(name: &str) -> Question {
        named(name).question(Path::new(MODELS)).unwrap()
    }

    #[test]
    fn no_line_is_lost_and_no_name_is_there_twice() {
        assert_eq!(all().count(), lines(LIVENESS).count());
        let mut names: Vec<&str> = all().map(|subject| subject.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn there_are_at_least_a_dozen_and_every_verdict_occurs() {
        assert!(subjects(false).count() >= 12 && subjects(true).count() >= 4);
        for fairness in Fairness::ALL {
            let verdicts = |quick| subjects(quick).map(move |one| one.verdict(fairness));
            assert!(verdicts(false).any(|holds| holds) && verdicts(false).any(|holds| !holds));
        }
        let cured = |one: Subject| !one.holds && one.holds_fairly;
        assert!(subjects(true).any(cured) && !all().any(|one| one.holds && !one.holds_fairly));
    }

    #[test]
    fn the_models_are_there() {
        for subject in all() {
            assert!(subject.question(Path::new(MODELS)).is_ok(), "{subject:?}");
        }
        let peterson = question("peterson/3/enter");
        assert_eq!(peterson.defines, ["N=3"]);
        assert_eq!(named("peterson/3/enter").kind(), "peterson/enter");
        assert!(peterson.path.is_absolute());
    }
}
