//! Invariants for every size, written down and checked again.

use super::{Hindrance, Load, Subject, Work, searching, without_needless_deadlock};
use crate::Refusal;
use crate::document::every::{Account, Wanted};
use crate::frontend::LoadedModel;
use crate::options::{CheckOptions, Deadlock, Selection};
use crate::plan::plan;
use crate::run;
use crate::watch::{Progress, Watch, Wish};
use mandala_invariants::cells::OTHER;
use mandala_invariants::{Accepted, Cells, Invariant, View, check, read, write};
use mandala_model::verify::verify;
use mandala_views::Split;
use std::sync::Arc;

/// What came of an invariant.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The properties that it is said to show.
    pub properties: Vec<String>,
    /// How many members a view has.
    pub members: usize,
    /// What was looked at, or why it is rejected.
    pub outcome: Result<Accepted, String>,
}

/// The text of the invariant that some views are.
pub(super) fn written(
    subject: &Subject,
    constant: &str,
    properties: Vec<String>,
    members: u32,
    views: &[Split],
) -> Option<String> {
    let model = verify(subject.model.clone()).ok()?;
    let cells = Cells::of(&model, &subject.family, super::SIZES[0] as usize);
    let holders = cells.holders();
    let invariant = Invariant {
        constant: constant.into(),
        family: subject.label.clone(),
        members: members as usize,
        properties,
        views: views.iter().map(|view| seen(view, &holders)).collect(),
    };
    Some(write(&invariant, &subject.model, &cells))
}

/// A view in the words of the checker.
fn seen(split: &Split, holders: &[usize]) -> View {
    let mut shared = split.shared.to_vec();
    for (mark, holder) in holders.iter().enumerate() {
        let marked =
            |member: &mandala_views::Member| member[member.len() - holders.len() + mark] == 1;
        if shared[*holder] != 0 && !split.members.iter().any(marked) {
            shared[*holder] = OTHER;
        }
    }
    let mut members: Vec<Vec<i64>> = split.members.iter().map(|m| m.to_vec()).collect();
    members.sort();
    View { shared, members }
}

/// Checks an invariant that was written down: the conditions, and then the invariant by a checker that searches for nothing. `base` is the model with
/// [`super::first_size`] members.
///
/// # Errors
///
/// If the model cannot be carried, or has no such properties.
pub fn verify_invariant(
    base: &Arc<LoadedModel>,
    load: &mut Load<'_>,
    text: &str,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Verification, Refusal> {
    let head = match Invariant::head(text) {
        Ok((head, _)) => head,
        Err(error) => {
            return Ok(Verification {
                properties: Vec::new(),
                members: 0,
                outcome: Err(error.to_string()),
            });
        }
    };
    let options = without_needless_deadlock(&CheckOptions {
        properties: Selection::Named(head.properties.clone()),
        deadlock: Deadlock::Ignore,
        ..options.clone()
    });
    let plan = plan(&base.model, &options).map_err(Refusal::Plan)?;
    let planned = run::planned(base, &plan).map_err(Refusal::Check)?;
    let wanted = Wanted::of(&base.model, planned.outcomes.iter().map(|o| &o.check));
    let mut work = Work {
        base,
        load,
        constant: &head.constant,
        options: searching(&options, &wanted),
        plan: &plan,
        watch,
        account: Account::new(&head.constant, &wanted),
        family: None,
    };
    let outcome = match work.subject(&wanted) {
        Err(Hindrance::Refusal(refusal)) => return Err(refusal),
        Err(Hindrance::Refused(refused)) => Err(match refused.span {
            Some(span) => format!("{}: {refused}", base.sources.location(span)),
            None => refused.to_string(),
        }),
        Ok(subject) => checked(&subject, text, work.watch),
    };
    Ok(Verification {
        properties: head.properties,
        members: head.members,
        outcome,
    })
}

fn checked(subject: &Subject, text: &str, watch: &mut dyn Watch) -> Result<Accepted, String> {
    let errors = |errors: Vec<mandala_model::verify::VerifyError>| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        errors.join("; ")
    };
    let model = verify(subject.model.clone()).map_err(errors)?;
    let cells = Cells::of(&model, &subject.family, super::SIZES[0] as usize);
    let invariant = read(text, &subject.model, &cells).map_err(|error| error.to_string())?;
    if invariant.family != subject.label {
        let (said, found) = (&invariant.family, &subject.label);
        return Err(format!("it is about `{said}`, and the family is `{found}`"));
    }
    let mut keep_going = || watch.update(&Progress::default()) == Wish::GoOn;
    let base = subject.base();
    let accepted = check(
        base,
        &subject.family,
        &subject.needs,
        &invariant,
        &mut keep_going,
    );
    accepted.map_err(|rejected| rejected.to_string())
}
