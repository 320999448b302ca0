//! The models of the comparison with Rumur: `data/rumur.csv`.

use crate::corpus::{Folders, From, When};
use crate::facts::lines;
use std::fs;
use std::path::PathBuf;

const RUMUR: &str = include_str!("../../data/rumur.csv");

/// Who is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tools {
    /// Both tools, without symmetry and with it.
    Both,
    /// Only ours: Rumur's language does not have what the model uses.
    Ours,
    /// Only ours, and only with symmetry: without it there are far too many states.
    Orbits,
}

impl Tools {
    fn named(name: &str) -> Option<Self> {
        match name {
            "both" => Some(Tools::Both),
            "ours" => Some(Tools::Ours),
            "orbits" => Some(Tools::Orbits),
            _ => None,
        }
    }
}

/// A model of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    /// What it is called in tables: its family and its size.
    pub name: &'static str,
    from: From,
    file: &'static str,
    /// Constants that get another value, as `NAME=VALUE` with spaces between them.
    constants: &'static str,
    when: When,
    /// Who is measured.
    pub tools: Tools,
    /// Whether there is more symmetry than that of scalarsets, so that we may keep fewer states than Rumur.
    pub more_symmetry: bool,
}

/// A model as ours gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Its file.
    pub path: PathBuf,
    /// Constants, as `NAME=VALUE`.
    pub constants: Vec<String>,
}

/// Everything that can be measured with these folders, the smaller models only if it has to be quick.
pub(super) fn subjects(folders: &Folders<'_>, quick: bool) -> Vec<Subject> {
    let wanted = |subject: &Subject| subject.when.includes(quick) && folders.have(subject.from);
    all().filter(wanted).collect()
}

fn all() -> impl Iterator<Item = Subject> {
    lines(RUMUR).filter_map(|cells| subject(&cells))
}

fn subject(cells: &[&'static str]) -> Option<Subject> {
    let &[name, from, file, constants, when, tools, orbits] = cells else {
        return None;
    };
    Some(Subject {
        name,
        from: From::named(from)?,
        file,
        constants,
        when: When::named(when)?,
        tools: Tools::named(tools)?,
        more_symmetry: orbits == "fewer",
    })
}

impl Subject {
    /// Its family, which has other sizes, too.
    pub(super) fn family(&self) -> &'static str {
        self.name.split('/').next().unwrap_or(self.name)
    }

    /// As ours gets it. The path is absolute, because the program works in a folder of its own.
    pub(super) fn source(&self, folders: &Folders<'_>) -> Result<Source, String> {
        let folder = match (self.from, folders.given) {
            (From::Bundled, _) => folders.bundled,
            (From::Given, Some(folder)) => folder,
            (From::Given, None) => return Err("say with --models FOLDER where it is".into()),
        };
        let path = folder.join(self.file);
        let missing = |error| format!("cannot read `{}`: {error}", path.display());
        Ok(Source {
            path: path.canonicalize().map_err(missing)?,
            constants: self
                .constants
                .split_whitespace()
                .map(String::from)
                .collect(),
        })
    }

    /// As Rumur gets it: it has no option for constants, so the text has their values.
    pub(super) fn text(&self, folders: &Folders<'_>) -> Result<String, String> {
        let source = self.source(folders)?;
        let text = fs::read_to_string(&source.path).map_err(|error| error.to_string())?;
        source.constants.iter().try_fold(text, |text, constant| {
            let changed = with_constant(&text, constant);
            changed.ok_or_else(|| format!("{}: no constant for `{constant}`", self.name))
        })
    }
}

/// The text with another value for a constant, where it is declared: `NAME: 3;` with spaces or not.
fn with_constant(text: &str, constant: &str) -> Option<String> {
    let (name, value) = constant.split_once('=')?;
    let mut places = text.match_indices(name).map(|(place, _)| place);
    let (start, end) = places.find_map(|place| declared(text, place, name))?;
    Some([&text[..start], value, &text[end..]].concat())
}

/// Where the number is that this occurrence of a name is declared to be.
fn declared(text: &str, place: usize, name: &str) -> Option<(usize, usize)> {
    let within_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, behind) = (&text[..place], &text[place + name.len()..]);
    let number = behind.trim_start().strip_prefix(':')?.trim_start();
    let digits = number.find(|c: char| !c.is_ascii_digit())?;
    let is_constant = number[digits..].trim_start().starts_with(';');
    let found = digits > 0 && is_constant && !before.ends_with(within_word);
    let start = text.len() - number.len();
    found.then_some((start, start + digits))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::path::Path;

    /// The subject of that name.
    pub(crate) fn named(name: &str) -> Subject {
        all().find(|subject| subject.name == name).unwrap()
    }

    fn bundled() -> Folders<'static> {
        Folders {
            bundled: Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            given: None,
        }
    }

    #[test]
    fn no_line_is_lost_and_no_name_is_there_twice() {
        assert_eq!(all().count(), lines(RUMUR).count());
        let mut names: Vec<&str> = all().map(|subject| subject.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]));
    }

    #[test]
    fn bundled_models_are_there_and_have_their_constants() {
        for quick in [false, true] {
            let subjects = subjects(&bundled(), quick);
            assert!(subjects.len() >= 8);
            for subject in subjects {
                let text = subject.text(&bundled()).unwrap();
                let (name, value) = subject.constants.split_once('=').unwrap();
                assert!(text.contains(&format!("{name}: {value};")), "{subject:?}");
            }
        }
    }

    #[test]
    fn other_models_are_measured_if_somebody_says_where_they_are() {
        let nowhere = Folders {
            given: Some(Path::new("nowhere")),
            ..bundled()
        };
        assert!(subjects(&nowhere, false).len() > subjects(&bundled(), false).len());
        let flash = named("flash/3");
        assert_eq!(flash.family(), "flash");
        assert!(flash.source(&nowhere).unwrap_err().contains("nowhere"));
        assert!(flash.source(&bundled()).is_err());
    }

    #[test]
    fn constants_are_changed_where_they_are_declared() {
        let text = "const MIN : 1; -- N: many\n  N : 3 ;\nvar a: 0 .. N;";
        let changed = with_constant(text, "N=12").unwrap();
        assert_eq!(changed, text.replace("N : 3", "N : 12"));
        assert_eq!(with_constant(text, "M=1"), None);
        assert_eq!(with_constant(text, "a=1"), None);
        assert_eq!(with_constant(text, "N"), None);
    }
}
