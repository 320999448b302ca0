//! Invariants for every size, written down and checked again.

use super::{Load, Subject, first_size};
use crate::frontend::LoadedModel;
use crate::watch::{Progress, Watch, Wish};
use mandala_invariants::{Accepted, Cells, Family, Invariant, Source, View, check, write};
use mandala_model::Model;
use mandala_model::verify::verify;
use mandala_views::Split;

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
    let family = Family::named(&model, &subject.label)?;
    let cells = Cells::of(&model, &family, first_size() as usize);
    let holders = cells.holders();
    let invariant = Invariant {
        constant: constant.into(),
        family: subject.label.clone(),
        members: members as usize,
        properties,
        views: {
            let members = |view: &Split| view.members.iter().map(|m| m.to_vec()).collect();
            let of = |view: &Split| View::of(&view.shared, members(view), &holders);
            views.iter().map(of).collect()
        },
    };
    Some(write(&invariant, &subject.model, &cells))
}

/// Checks an invariant that was written down, by a checker that searches for nothing and has nothing in common with the search. `base` is the model with
/// [`first_size`] members.
pub fn verify_invariant(
    base: &LoadedModel,
    load: &mut Load<'_>,
    text: &str,
    watch: &mut dyn Watch,
) -> Verification {
    let (properties, members) = match Invariant::head(text) {
        Ok((head, _)) => (head.properties, head.members),
        Err(_) => (Vec::new(), 0),
    };
    let source = |loaded: &LoadedModel| Source {
        model: Model::clone(&loaded.model).into_unchecked(),
        sources: loaded.sources.clone(),
    };
    let mut read = |size| match size == first_size() {
        true => Ok(source(base)),
        false => load(size).map(|loaded| source(&loaded)),
    };
    let mut keep_going = || watch.update(&Progress::default()) == Wish::GoOn;
    let outcome = check(text, &mut read, &mut keep_going);
    Verification {
        properties,
        members,
        outcome: outcome.map_err(|rejected| match rejected.span {
            Some(span) => format!("{}: {rejected}", base.sources.location(span)),
            None => rejected.to_string(),
        }),
    }
}
