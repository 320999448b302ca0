//! The bundled models before the judge.

use super::{Judge, Measured, Obeyed, Unmeasured};
use crate::promises::{self, Counting, Promise};
use crate::reduced::Case;
use crate::spin::Claim;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// What came of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The model and its settings; for the product with its first claim, that is said.
    pub name: String,
    /// What all states say about the generators, or a state that disagrees.
    pub obeyed: Result<Obeyed, String>,
    /// How much was found, or why that is not known.
    pub measured: Result<Measured, Unmeasured>,
    /// How many permutations of what is in the certified domains are symmetries, if all were tried.
    pub permutations: Option<usize>,
}

/// How much work may be done on a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many states it may have.
    pub states: usize,
    /// How many states and images may be looked at for the true group.
    pub images: usize,
    /// How many permutations may be tried, times the number of states.
    pub permutations: usize,
}

/// Every bundled model, with all settings that it has promises for, as far as it is small enough.
///
/// # Errors
///
/// If a model cannot be read or is wrong.
pub fn judge_bundled(limits: Limits) -> Result<Vec<Judged>, String> {
    let open = Mutex::new(subjects(limits)?.into_iter().enumerate());
    let judged = Mutex::new(Vec::new());
    let next = || open.lock().expect("nobody panics with it").next();
    let work = || {
        while let Some((index, (path, text, settings))) = next() {
            let found = judge(&path, &text, &settings, limits);
            let mut judged = judged.lock().expect("nobody panics with it");
            judged.push((index, found));
        }
    };
    // Those who ask wait for the answer, so their cores are free.
    thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        (0..workers).for_each(|_| drop(scope.spawn(work)));
    });
    let mut judged = judged.into_inner().expect("nobody panics with it");
    judged.sort_by_key(|(index, _)| *index);
    let judged: Vec<Vec<Judged>> = judged
        .into_iter()
        .map(|(_, found)| found)
        .collect::<Result<_, _>>()?;
    Ok(judged.into_iter().flatten().collect())
}

/// A model with its text and one of its settings.
type Subject = (PathBuf, String, Vec<String>);

/// All that may be small enough.
fn subjects(limits: Limits) -> Result<Vec<Subject>, String> {
    let mut all = Vec::new();
    for path in promises::models().map_err(|e| e.to_string())? {
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let settings = small_settings(&text, limits.states)?.into_iter();
        all.extend(settings.map(|settings| (path.clone(), text.clone(), settings)));
    }
    Ok(all)
}

/// The settings with which a model may be small enough.
fn small_settings(text: &str, states: usize) -> Result<Vec<Vec<String>>, String> {
    let promises = promises::promises(text)?;
    let small = |p: &Promise| p.states.is_none_or(|s| s < states as u64);
    let promises = promises.into_iter();
    let promises = promises.filter(|p| p.counting == Counting::Reachable && small(p));
    let mut settings: Vec<Vec<String>> = promises.map(|p| p.settings).collect();
    settings.sort();
    settings.dedup();
    Ok(settings)
}

/// One model, without claims and with its first one if it has any; nothing if it is too large.
///
/// # Errors
///
/// If the model is wrong.
pub fn judge(
    path: &Path,
    text: &str,
    settings: &[String],
    limits: Limits,
) -> Result<Vec<Judged>, String> {
    let mut all = Vec::new();
    for claim in [Claim::None, Claim::Product] {
        let case = Case::load(path, text, settings, claim)?;
        let observed = case.observers().is_some_and(|o| o.claim.is_some());
        if claim == Claim::Product && !observed {
            continue;
        }
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut name = format!("{file} {}", settings.join(" ")).trim().to_string();
        if observed {
            name.push_str(" with its claim");
        }
        all.extend(judge_case(name, &case, limits)?);
    }
    Ok(all)
}

fn judge_case(name: String, case: &Case, limits: Limits) -> Result<Option<Judged>, String> {
    let judge = Judge::of(case)?;
    let Some(mut explored) = judge.explore(limits.states) else {
        return Ok(None);
    };
    let tries = limits.permutations / explored.reached().max(1);
    Ok(Some(Judged {
        name,
        obeyed: judge.obedience(&mut explored),
        measured: judge.measure(&mut explored, limits.images),
        permutations: judge.brute_force(&mut explored, tries),
    }))
}
