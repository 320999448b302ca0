//! The models of the comparison with Spin: `data/spin.csv`.
//!
//! The number of states and how deep Spin goes are known beforehand, so that Spin gets a hash table and a stack of the
//! right size: it neither breaks off nor fills tables that it does not need.

use crate::corpus::{Folders, From, When};
use crate::facts::lines;
use crate::families;
use std::path::{Path, PathBuf};

const SPIN: &str = include_str!("../../data/spin.csv");

/// A model of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject {
    /// What it is called in tables.
    pub name: &'static str,
    from: From,
    when: When,
    /// Whether local variables, messages or queues hold names of what is interchangeable.
    pub names_in_locals: bool,
    /// How many states it has.
    pub states: u64,
    /// How deep Spin's search goes.
    pub depth: u64,
}

/// A model that both tools can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// Its file.
    pub path: PathBuf,
    /// Macros, as `NAME=VALUE`.
    pub defines: Vec<String>,
}

/// Everything that can be measured with these folders, the smaller models only if it has to be quick.
pub(super) fn subjects(folders: &Folders<'_>, quick: bool) -> Vec<Subject> {
    let wanted = |subject: &Subject| subject.when.includes(quick) && folders.have(subject.from);
    all().filter(wanted).collect()
}

fn all() -> impl Iterator<Item = Subject> {
    lines(SPIN).filter_map(|cells| subject(&cells))
}

fn subject(cells: &[&'static str]) -> Option<Subject> {
    let &[name, from, when, names, states, depth] = cells else {
        return None;
    };
    Some(Subject {
        name,
        from: From::named(from)?,
        when: When::named(when)?,
        names_in_locals: names == "yes",
        states: states.parse().ok()?,
        depth: depth.parse().ok()?,
    })
}

impl Subject {
    /// Its file and its macros. Paths are absolute, because Spin works in a folder of its own.
    pub(crate) fn source(&self, folders: &Folders<'_>) -> Result<Source, String> {
        let (path, defines) = match (self.from, folders.given) {
            (From::Bundled, _) => self.bundled(folders.bundled)?,
            (From::Given, Some(folder)) => (folder.join(self.name), Vec::new()),
            (From::Given, None) => return Err("say with --models FOLDER where it is".into()),
        };
        let missing = |error| format!("cannot read `{}`: {error}", path.display());
        Ok(Source {
            path: path.canonicalize().map_err(missing)?,
            defines,
        })
    }

    fn bundled(&self, folder: &Path) -> Result<(PathBuf, Vec<String>), String> {
        let (family, size) = self
            .name
            .split_once('/')
            .ok_or_else(|| format!("`{}` has no size", self.name))?;
        let family = families::named(family)?;
        Ok((family.path(folder), family.defines(size)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(given: Option<&Path>) -> Folders<'_> {
        Folders {
            bundled: Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            given,
        }
    }

    #[test]
    fn no_line_is_lost_and_the_sizes_are_those_that_are_wanted() {
        assert_eq!(all().count(), lines(SPIN).count());
        for subject in all() {
            let wanted = 100_000..=100_000_000;
            assert!(wanted.contains(&subject.states), "{subject:?}");
            assert!(subject.depth > 0, "{subject:?}");
        }
    }

    #[test]
    fn at_least_ten_models_are_bundled() {
        let folders = folders(None);
        let complete = subjects(&folders, false);
        assert!(complete.len() >= 10);
        for subject in complete.iter().chain(&subjects(&folders, true)) {
            assert!(subject.source(&folders).is_ok(), "{subject:?}");
        }
    }

    #[test]
    fn other_models_are_measured_if_somebody_says_where_they_are() {
        let nowhere = folders(Some(Path::new("nowhere")));
        let more = subjects(&nowhere, false);
        assert!(more.len() > subjects(&folders(None), false).len());
        let given = more.iter().find(|s| s.from == From::Given).unwrap();
        assert!(given.source(&nowhere).unwrap_err().contains("nowhere"));
        assert!(given.source(&folders(None)).is_err());
    }

    #[test]
    fn a_size_becomes_macros() {
        let folders = folders(None);
        let tiers = all().find(|s| s.name == "three-tier/4-4").unwrap();
        assert_eq!(tiers.source(&folders).unwrap().defines, ["C1=4", "C2=4"]);
    }
}
