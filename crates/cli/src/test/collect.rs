//! The models of a test run and their expectations.

use super::command::{Planned, Share, plan};
use crate::exit::Failure;
use crate::load;
use mandala_checker::frontend;
use mandala_report::suite::expectation::{Expectation, WrongLine, expectations};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The models of a suite.
pub struct Suite {
    /// The tests, in the order of models and lines.
    pub planned: Vec<Test>,
    /// Models in folders that expect nothing.
    pub silent: Vec<String>,
}

/// One line of a model.
pub struct Test {
    model: PathBuf,
    line: Result<Expectation, WrongLine>,
}

impl Test {
    /// The command that it stands for.
    pub fn plan(self, share: &Share) -> Planned {
        plan(&self.model, self.line, share)
    }
}

/// Finds the models: files as they are named, and in folders all files whose names end as those of models do. A file that is named has
/// to expect something.
pub fn collect(paths: &[PathBuf]) -> Result<Suite, Failure> {
    let mut suite = Suite {
        planned: Vec::new(),
        silent: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    for path in paths {
        match path.is_dir() {
            true => {
                for model in models_below(path)? {
                    if seen.insert(model.clone()) && !suite.add(&model)? {
                        suite.silent.push(model.display().to_string());
                    }
                }
            }
            false => {
                if seen.insert(path.clone()) && !suite.add(path)? {
                    return Err(silent(path));
                }
            }
        }
    }
    match suite.planned.is_empty() {
        true => Err(Failure::Command(
            "no model there has an `Expect:` line; `docs/ci.md` says what it looks like".into(),
        )),
        false => Ok(suite),
    }
}

fn silent(path: &Path) -> Failure {
    Failure::Command(format!(
        "`{}` says nothing to expect: a comment at its begin needs a line such as `Expect: default: holds`",
        path.display()
    ))
}

impl Suite {
    /// Adds the tests of a model; false if there are none.
    fn add(&mut self, model: &Path) -> Result<bool, Failure> {
        let text = load::text(model)?;
        let lines = expectations(&text);
        let any = !lines.is_empty();
        self.planned.extend(lines.into_iter().map(|line| Test {
            model: model.to_path_buf(),
            line,
        }));
        Ok(any)
    }
}

/// The models in a folder and the folders in it, in order. Names that begin with a dot are left out, and links to folders are not followed.
fn models_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::Io(format!("cannot read `{}`: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut models = Vec::new();
    for entry in entries {
        // `./m.pml` is what everybody calls `m.pml`.
        let path = entry.path();
        let path = path
            .strip_prefix(".")
            .map_or(path.clone(), Path::to_path_buf);
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match entry.file_type().map_err(unreadable)? {
            _ if hidden => {}
            kind if kind.is_dir() => models.extend(models_below(&path)?),
            _ if frontend::is_model_name(&path) && path.is_file() => models.push(path),
            _ => {}
        }
    }
    Ok(models)
}
