//! The checker of invariants (`mandala-invariants`), which shares no code with the search: it accepts what the search finds, and nothing that is not so.

use crate::random::require_views;
use crate::support::{Subject, checked, loaded, unchecked};
use mandala_invariants::{
    Accepted, Cells, Family, Invariant, Rejected, Source, View, check, write,
};
use mandala_views::{Abstraction, Split};

/// The most configurations of a search that does not look at conditions.
const MOST: u64 = 50_000;

/// The invariant that some views are, as text.
pub fn invariant(subject: &Subject, views: &[Split], members: usize) -> String {
    let model = &subject.models[0];
    let label = subject.family.name(model);
    let family = Family::named(model, label).expect("the checker knows the family");
    let cells = Cells::of(&checked(model.clone()), &family, 3);
    let holders = cells.holders();
    let seen = |view: &Split| {
        let members = view.members.iter().map(|m| m.to_vec()).collect();
        View::of(&view.shared, members, &holders)
    };
    let names = model.properties.iter().map(|p| p.name.clone());
    let invariant = Invariant {
        constant: "N".into(),
        family: label.into(),
        members,
        properties: names.chain(["safety".to_string()]).collect(),
        views: views.iter().map(seen).collect(),
    };
    write(&invariant, model, &cells)
}

/// What the checker says of an invariant, if it need not look at more configurations than that.
pub fn verified(
    name: &str,
    text: &str,
    invariant: &str,
    most: u64,
) -> Option<Result<Accepted, Rejected>> {
    let mut load = |size: u32| {
        let (model, sources) = loaded(name, text, &[format!("N={size}")]);
        Ok(Source { model, sources })
    };
    let mut left = most;
    let mut keep_going = || {
        left = left.saturating_sub(1);
        left > 0
    };
    let found = check(invariant, &mut load, &mut keep_going);
    (left > 0).then_some(found)
}

/// If nothing goes wrong in the views, the checker accepts them. Gives whether it was asked to the end.
pub fn require_accepted(
    name: &str,
    text: &str,
    subject: &Subject,
    found: &Abstraction,
    most: u64,
) -> bool {
    if !found.violations.is_empty() || found.views.is_empty() {
        return false;
    }
    let invariant = invariant(subject, &found.views, found.reach.k);
    match verified(name, text, &invariant, most) {
        None => false,
        Some(Ok(_)) => true,
        Some(Err(why)) => panic!("{name}: {why} {:?}\n{text}\n{invariant}", why.span),
    }
}

/// What the checker says of the views that a search finds which takes the conditions for satisfied, with so few participants, and in which nothing goes wrong.
pub fn of_blind_search(
    name: &str,
    text: &str,
    participants: usize,
    view: usize,
    most: u64,
) -> Option<(Subject, Abstraction, Result<Accepted, Rejected>)> {
    let subject = unchecked(name, text, participants, view)?;
    let found = subject.views_within(view, most)?;
    if !found.violations.is_empty() || found.views.is_empty() {
        return None;
    }
    let invariant = invariant(&subject, &found.views, view);
    let said = verified(name, text, &invariant, most)?;
    Some((subject, found, said))
}

/// Whether a search that does not look at the conditions finds views in which nothing goes wrong, and they are rejected because of the conditions.
#[track_caller]
pub fn is_not_confirmed(name: &str, text: &str, participants: usize, view: usize) -> bool {
    let Some((subject, found, said)) = of_blind_search(name, text, participants, view, MOST) else {
        return false;
    };
    match said {
        // The checker may count where the search refuses.
        Ok(_) => require_views(name, text, &subject, &found),
        Err(ref why) => return why.message.starts_with("not confirmed: "),
    }
    false
}

/// Views with too few participants are no invariant.
#[track_caller]
pub fn require_rejected(name: &str, text: &str, participants: usize, view: usize) {
    let (_, _, said) =
        of_blind_search(name, text, participants, view, MOST).expect("nothing goes wrong in views");
    said.expect_err(text);
}

/// What the checker accepts is so, whatever a search has done to find it: no member is left out that it takes. Gives whether it accepts.
pub fn require_right(
    name: &str,
    text: &str,
    participants: usize,
    view: usize,
    most: u64,
) -> Option<bool> {
    let (subject, found, said) = of_blind_search(name, text, participants, view, most)?;
    if said.is_err() {
        return Some(false);
    }
    require_views(name, text, &subject, &found);
    Some(true)
}
