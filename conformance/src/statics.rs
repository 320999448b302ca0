//! One model, searched with and without static reductions: they must not change anything but the number of states.

use crate::with_and_without::Agreement;
use mandala_checker::Refusal;
use mandala_checker::frontend::{self, LoadedModel, ModelInput};
use mandala_checker::options::{
    AfterViolation, CheckOptions, Limits, SearchOrder, StaticReductions, SymmetryChoice,
};
use mandala_checker::run::CheckError;
use mandala_checker::watch::Nobody;
use mandala_groups::BigUint;
use mandala_report::Document;
use mandala_report::document::{Stats, Verdict};
use std::path::Path;

/// The reductions, alone and together, with names for them.
pub const WAYS: [(&str, StaticReductions); 4] = [
    ("all", StaticReductions::ALL),
    (
        "dead",
        StaticReductions {
            dead: true,
            ..StaticReductions::NONE
        },
    ),
    (
        "merge",
        StaticReductions {
            merge: true,
            ..StaticReductions::NONE
        },
    ),
    (
        "constants",
        StaticReductions {
            constants: true,
            ..StaticReductions::NONE
        },
    ),
];

/// Reads a model; nothing if it is wrong.
pub fn load(path: &Path, text: &str, defines: &[String]) -> Option<LoadedModel> {
    let input = ModelInput {
        path: path.to_path_buf(),
        text: text.to_string(),
        defines: defines.to_vec(),
        dialect: None,
        read: |path| std::fs::read_to_string(path),
    };
    frontend::load(input).ok()
}

/// Searches a model in all ways.
///
/// # Errors
///
/// What differs, in words.
pub fn compare(loaded: &LoadedModel, limit: u64) -> Result<Agreement, String> {
    let mut agreement = Agreement::TooLarge;
    for symmetry in [SymmetryChoice::Off, SymmetryChoice::default()] {
        let options = CheckOptions {
            symmetry,
            static_reductions: StaticReductions::NONE,
            after_violation: AfterViolation::GoOn,
            limits: Limits {
                states: Some(limit),
                ..Limits::default()
            },
            ..CheckOptions::default()
        };
        let off = match check(loaded, &options) {
            Err(Failure::Refused) => return Ok(Agreement::Refused),
            other => other.map_err(|failure| failure.to_string())?,
        };
        if is_cut(&off, limit) {
            return Ok(Agreement::TooLarge);
        }
        for (name, static_reductions) in WAYS {
            let options = CheckOptions {
                static_reductions,
                ..options.clone()
            };
            let on = compare_one(loaded, &options, &off)
                .map_err(|what| format!("static {name}, symmetry {symmetry:?}: {what}"))?;
            if (name, symmetry) == ("all", SymmetryChoice::Off) {
                agreement = Agreement::Same {
                    full: off.stats.states,
                    reduced: on.stats.states,
                    violated: off.verdict == Verdict::Violated,
                };
            }
        }
    }
    Ok(agreement)
}

fn is_cut(document: &Document, limit: u64) -> bool {
    let searches = document.properties.iter().filter_map(|p| p.stats.as_ref());
    searches.into_iter().any(|stats| stats.states >= limit)
}

fn compare_one(
    loaded: &LoadedModel,
    options: &CheckOptions,
    off: &Document,
) -> Result<Document, String> {
    let on = check(loaded, options).map_err(|failure| failure.to_string())?;
    agree("verdicts", &verdicts(off), &verdicts(&on))?;
    agree("unreached statements", &off.unreached, &on.unreached)?;
    for (off, on) in off.properties.iter().zip(&on.properties) {
        let states = |stats: &Option<Stats>| stats.as_ref().map_or(0, |s| s.states);
        let (off, on) = (states(&off.stats), states(&on.stats));
        if on > off {
            return Err(format!("{off} states become {on}"));
        }
    }
    let (larger, smaller) = (order(off)?, order(&on)?);
    if smaller < larger {
        return Err(format!(
            "a group of order {larger} becomes one of order {smaller}"
        ));
    }
    stopping(loaded, options, off)?;
    Ok(on)
}

/// The order of the group that was used.
fn order(document: &Document) -> Result<BigUint, String> {
    let order = &document.symmetry.order;
    order.parse().map_err(|_| format!("`{order}` is no number"))
}

/// A search that stops at a violation finds one if there is one, in either order; the run has been replayed then.
fn stopping(loaded: &LoadedModel, options: &CheckOptions, off: &Document) -> Result<(), String> {
    for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
        let options = CheckOptions {
            order,
            after_violation: AfterViolation::Stop,
            ..options.clone()
        };
        let on = check(loaded, &options).map_err(|failure| failure.to_string())?;
        let violated = |document: &Document| document.verdict == Verdict::Violated;
        agree("verdicts when stopping", &violated(off), &violated(&on))?;
    }
    Ok(())
}

fn verdicts(document: &Document) -> Vec<(String, Verdict)> {
    let properties = document.properties.iter();
    properties.map(|p| (p.name.clone(), p.verdict)).collect()
}

fn agree<T: PartialEq + std::fmt::Debug>(what: &str, off: &T, on: &T) -> Result<(), String> {
    match off == on {
        true => Ok(()),
        false => Err(format!("{what} differ: {off:?} without, {on:?} with")),
    }
}

/// Why there is no document.
#[derive(Debug)]
enum Failure {
    /// The model declares a symmetry that it does not have.
    Refused,
    /// It must not happen: a counterexample that cannot be replayed, say.
    Defect(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Refused => f.write_str("the model is refused"),
            Failure::Defect(what) => f.write_str(what),
        }
    }
}

fn check(loaded: &LoadedModel, options: &CheckOptions) -> Result<Document, Failure> {
    mandala_checker::check(loaded, options, &mut Nobody).map_err(|refusal| match refusal {
        Refusal::Symmetry(_) | Refusal::Check(CheckError::NoRun(_)) => Failure::Refused,
        other => Failure::Defect(format!("{other:?}")),
    })
}
