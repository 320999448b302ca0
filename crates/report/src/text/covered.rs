//! The part of the first line that says what the verdict covers: which properties, of how many, and what was not selected.

use crate::document::{Document, Every, PropertyResult, Threads};
use crate::style::grouped;

/// At most so many things that were not selected are named.
const NAMED: usize = 3;

/// The properties that the verdict is about, and what was not selected. None if it is not known yet which properties there are.
pub fn phrase(document: &Document) -> Option<String> {
    let all = document.properties.len();
    let is_meant = |property: &&PropertyResult| property.verdict == document.verdict;
    let meant: Vec<&PropertyResult> = document.properties.iter().filter(is_meant).collect();
    let of_all = format!("{} properties", grouped(all as u64));
    let (what, share) = match meant.as_slice() {
        _ if all == 0 => return None,
        [only] if all == 1 => (only.name.clone(), None),
        meant if meant.len() == all => (of_all, None),
        [only] => (only.name.clone(), Some(format!("1 of {of_all}"))),
        meant => (format!("{} of {of_all}", meant.len()), None),
    };
    let threads = document.threads.as_ref().map(Threads::phrase);
    let every = document.every.as_ref().map(Every::phrase);
    let notes = share.into_iter().chain(threads).chain(every);
    let notes: Vec<String> = notes.chain(not_selected(document)).collect();
    Some(match notes.is_empty() {
        true => what,
        false => format!("{what} ({})", notes.join("; ")),
    })
}

/// What was not selected, if anything was not.
fn not_selected(document: &Document) -> Option<String> {
    let all = &document.not_selected;
    let names: Vec<&str> = all
        .iter()
        .take(NAMED)
        .map(|left| left.name.as_str())
        .collect();
    let names = names.join(", ");
    match all.len().saturating_sub(NAMED) {
        _ if all.is_empty() => None,
        0 => Some(format!("not selected: {names}")),
        more => Some(format!("not selected: {names} and {more} more")),
    }
}
