//! The changes of a step, in little room.
//!
//! A channel may hold hundreds of messages, of which a step adds or takes one: only that one is
//! shown. What does not fit this is shown by its first message and a count. The JSON document has
//! everything.

use crate::document::Change;
use crate::style::{counted, tame};

/// What the interpreter says of a process that is there.
const RUNNING: &str = "running";
/// How many changes of one step are shown.
const CHANGES_SHOWN: usize = 12;
/// Channels with more messages are shown by their first one and the number of others.
const MESSAGES_SHOWN: usize = 4;

/// All changes by `who`, a line for each. A new process is one change, with what its variables hold.
pub fn lines(changes: &[Change], who: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut born: Option<String> = None;
    for each in changes {
        match (&born, texts.last_mut()) {
            (Some(prefix), Some(line)) if each.name.starts_with(prefix.as_str()) => {
                let own = &each.name[prefix.len()..];
                let held = value(each.to.as_deref().unwrap_or_default());
                line.push_str(&format!(", {} = {held}", tame(own)));
            }
            _ => {
                born = is_start(each).then(|| format!("{}:", each.name));
                texts.push(change(each, who));
            }
        }
    }
    let hidden = texts.len().saturating_sub(CHANGES_SHOWN);
    if hidden > 0 {
        texts.truncate(CHANGES_SHOWN);
        texts.push(format!("and {}", counted(hidden as u64, "more change")));
    }
    texts
}

/// Whether a process comes to be.
fn is_start(change: &Change) -> bool {
    change.from.is_none() && change.to.as_deref() == Some(RUNNING)
}

/// A change; the variables of whoever moves are called by their own names alone.
fn change(change: &Change, who: &str) -> String {
    let name = tame(&change.name);
    let own = name.strip_prefix(who).and_then(|n| n.strip_prefix(':'));
    let name = own.unwrap_or(&name);
    match (&change.from, &change.to) {
        (Some(from), Some(to)) => format!("{name}: {}", difference(from, to)),
        (None, Some(_)) if is_start(change) => format!("{name} starts"),
        (None, Some(to)) => format!("{name} = {}", value(to)),
        (Some(from), None) if from == RUNNING => format!("{name} ends"),
        (Some(_), None) | (None, None) => format!("{name} is gone"),
    }
}

fn difference(from: &str, to: &str) -> String {
    if let (Some(old), Some(new)) = (messages(from), messages(to)) {
        if let Some(added) = new.strip_prefix(old.as_slice()).filter(|a| !a.is_empty()) {
            return format!("+ {}", some(added));
        }
        if let Some(taken) = old.strip_suffix(new.as_slice()).filter(|t| !t.is_empty()) {
            return format!("- {}", some(taken));
        }
    }
    format!("{} → {}", value(from), value(to))
}

/// A value; a full channel in short.
fn value(text: &str) -> String {
    match messages(text) {
        Some(messages) => format!("[{}]", some(&messages)),
        None => tame(text),
    }
}

fn some(messages: &[&str]) -> String {
    match messages {
        [first, rest @ ..] if messages.len() > MESSAGES_SHOWN => {
            format!("{}, .. {} more", tame(first), rest.len())
        }
        few => tame(&few.join(", ")),
    }
}

/// The messages in the text of a channel, `[1, 2]` or `[(1, a), (2, b)]`; none if it is no such text.
pub fn messages(text: &str) -> Option<Vec<&str>> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut messages = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                messages.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inside.is_empty() {
        messages.push(inside[start..].trim());
    }
    Some(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, from: Option<&str>, to: Option<&str>) -> String {
        let change = Change {
            name: name.into(),
            from: from.map(String::from),
            to: to.map(String::from),
        };
        lines(&[change], "user(1)").concat()
    }

    #[test]
    fn a_channel_shows_what_came_and_went() {
        let full = format!("[{}]", vec!["(1, 2, 3)"; 255].join(", "));
        let fuller = format!("[{}]", vec!["(1, 2, 3)"; 256].join(", "));
        assert_eq!(shown("q", Some(&full), Some(&fuller)), "q: + (1, 2, 3)");
        assert_eq!(shown("q", Some(&fuller), Some(&full)), "q: - (1, 2, 3)");
        assert_eq!(shown("q", Some("[]"), Some("[q[0]]")), "q: + q[0]");
        assert_eq!(shown("q", Some("[1, 2]"), Some("[2]")), "q: - 1");
    }

    #[test]
    fn what_is_not_that_simple_is_shown_in_short() {
        let full = format!("[{}]", vec!["(1, 2, 3)"; 255].join(", "));
        assert_eq!(
            shown("q", Some(&full), Some("[(4, 5, 6)]")),
            "q: [(1, 2, 3), .. 254 more] → [(4, 5, 6)]"
        );
        assert_eq!(
            shown("q", None, Some(&full)),
            "q = [(1, 2, 3), .. 254 more]"
        );
        assert_eq!(
            shown("q", Some(&full), Some("[]")),
            "q: - (1, 2, 3), .. 254 more"
        );
        assert_eq!(
            shown("q", Some("[1, 2]"), Some("[2, 1]")),
            "q: [1, 2] → [2, 1]"
        );
    }

    #[test]
    fn other_values_are_shown_as_they_are() {
        assert_eq!(shown("user(1):k", Some("0"), Some("1")), "k: 0 → 1");
        assert_eq!(shown("t", Some("1"), None), "t is gone");
        assert_eq!(shown("q", Some("[)"), Some("[(]")), "q: [) → [(]");
    }

    #[test]
    fn a_step_that_changes_everything_shows_some_of_it() {
        let change = |n: usize| Change {
            name: format!("a[{n}]"),
            from: Some("0".into()),
            to: Some("1".into()),
        };
        let all: Vec<Change> = (0..100).map(change).collect();
        let lines = lines(&all, "P(0)");
        assert_eq!(lines[11..], ["a[11]: 0 → 1", "and 88 more changes"]);
    }
}
