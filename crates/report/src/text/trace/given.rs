//! A step that gives many variables their first values, as a line for each variable.
//!
//! The first state of a model with large arrays would be one long line. Instead the parts of a variable that get the same
//! values are named together: `r[Node_1, Node_2] = {state = Idle, count = 0}`.

use crate::document::Change;
use crate::style::tame;

/// What a variable without a value holds.
const UNDEFINED: &str = "undefined";
/// Fewer first values stand beside the step.
const FEWEST: usize = 4;
/// How many variables are shown.
const LINES_SHOWN: usize = 40;
/// More equal parts than these are counted.
const PARTS_SHOWN: usize = 6;

/// A part of a variable and its value.
struct Given<'c> {
    /// The way to it: `[Node_1]`, `.count`.
    way: Vec<&'c str>,
    value: &'c str,
}

/// The lines, if the step does nothing but give first values.
pub fn lines(changes: &[Change]) -> Option<Vec<String>> {
    let is_first = |change: &Change| change.from.as_deref() == Some(UNDEFINED);
    if changes.len() < FEWEST || !changes.iter().all(is_first) {
        return None;
    }
    let given = changes.iter();
    let given = given.map(|change| Some((change.name.as_str(), change.to.as_deref()?)));
    let given: Vec<(&str, &str)> = given.collect::<Option<_>>()?;
    let mut lines = grouped(given.into_iter());
    let hidden = lines.len().saturating_sub(LINES_SHOWN);
    if hidden > 0 {
        lines.truncate(LINES_SHOWN);
        lines.push(format!("and {hidden} more variables"));
    }
    Some(lines)
}

/// Values of variables and of parts of variables: a text for each variable, in which parts with equal values are named together.
pub fn grouped<'c>(values: impl Iterator<Item = (&'c str, &'c str)>) -> Vec<String> {
    let parts: Vec<(&str, Given<'_>)> = values.map(|(name, value)| part(name, value)).collect();
    let variables = parts.chunk_by(|one, other| one.0 == other.0);
    let text = |parts: &[(&str, Given<'c>)]| {
        let givens: Vec<&Given<'_>> = parts.iter().map(|(_, given)| given).collect();
        tame(&format!("{}{}", parts[0].0, told(&givens, 0)))
    };
    variables.map(text).collect()
}

/// The variable that a name is of, and the way to the part that has the value.
fn part<'c>(name: &'c str, value: &'c str) -> (&'c str, Given<'c>) {
    let is_sign = |c: char| c == '[' || c == '.';
    // The number of a process is a part of its name.
    let from = name.find("):").map_or(0, |at| at + 2);
    let end = name[from..]
        .find(is_sign)
        .map_or(name.len(), |at| from + at);
    let (variable, mut rest) = name.split_at(end);
    let mut way = Vec::new();
    while let Some(first) = rest.chars().next() {
        let behind = &rest[first.len_utf8()..];
        let length = behind.find(is_sign).map_or(rest.len(), |at| at + 1);
        let (part, others) = rest.split_at(length);
        way.push(part);
        rest = others;
    }
    (variable, Given { way, value })
}

/// What comes behind the name of something with those parts.
fn told(parts: &[&Given<'_>], depth: usize) -> String {
    let Some(first) = parts[0].way.get(depth) else {
        return format!(" = {}", parts[0].value);
    };
    let children: Vec<(&str, String)> = parts
        .chunk_by(|one, other| one.way.get(depth) == other.way.get(depth))
        .map(|same| (same[0].way[depth], told(same, depth + 1)))
        .collect();
    let groups = match first.starts_with('[') {
        true => alike(&children),
        false => children
            .iter()
            .map(|(field, rest)| format!("{field}{rest}"))
            .collect(),
    };
    match groups.as_slice() {
        [only] => only.clone(),
        several => {
            let bare = several.iter().map(|group| group.trim_start_matches('.'));
            format!(" = {{{}}}", bare.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Elements with equal contents, named together.
fn alike(elements: &[(&str, String)]) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for (index, rest) in elements {
        let index = index.trim_matches(['[', ']']);
        match groups.iter_mut().find(|(_, known)| known == rest) {
            Some((indices, _)) => indices.push(index),
            None => groups.push((vec![index], rest)),
        }
    }
    let shown = groups
        .iter()
        .map(|(indices, rest)| format!("[{}]{rest}", listed(indices)));
    shown.collect()
}

fn listed(indices: &[&str]) -> String {
    match indices {
        [first, .., last] if indices.len() > PARTS_SHOWN => {
            format!("{first}, .. {} more .., {last}", indices.len() - 2)
        }
        few => few.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &[(&str, &str, &str)]) -> Option<Vec<String>> {
        let change = |&(name, from, to): &(&str, &str, &str)| Change {
            name: name.into(),
            from: Some(from.into()),
            to: Some(to.into()),
        };
        lines(&changes.iter().map(change).collect::<Vec<_>>())
    }

    #[test]
    fn equal_parts_are_named_together() {
        let changes = [
            ("r[Node_1].st", "undefined", "Idle"),
            ("r[Node_1].n", "undefined", "0"),
            ("r[Node_2].st", "undefined", "Idle"),
            ("r[Node_2].n", "undefined", "0"),
            ("g[Node_1][5]", "undefined", "false"),
            ("g[Node_1][6]", "undefined", "true"),
            ("g[Node_2][5]", "undefined", "false"),
            ("g[Node_2][6]", "undefined", "true"),
            ("only[2].st", "undefined", "Busy"),
            ("x", "undefined", "-1"),
        ];
        let lines = shown(&changes).expect("first values");
        assert_eq!(
            lines,
            [
                "r[Node_1, Node_2] = {st = Idle, n = 0}",
                "g[Node_1, Node_2] = {[5] = false, [6] = true}",
                "only[2].st = Busy",
                "x = -1",
            ]
        );
    }

    #[test]
    fn many_equal_parts_are_counted() {
        let names: Vec<String> = (0..20).map(|n| format!("a[{n}]")).collect();
        let changes: Vec<_> = names
            .iter()
            .map(|name| (name.as_str(), "undefined", "1"))
            .collect();
        assert_eq!(
            shown(&changes),
            Some(vec!["a[0, .. 18 more .., 19] = 1".into()])
        );
    }

    #[test]
    fn other_steps_are_told_as_they_are() {
        let first = [("a", "undefined", "1"), ("b", "undefined", "1")];
        assert_eq!(shown(&first), None, "too few");
        let mut all = [("a", "undefined", "1"); 9];
        all[5].1 = "0";
        assert_eq!(shown(&all), None, "a value that changes");
    }
}
