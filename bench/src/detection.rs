//! Tables I to III of "Constraint-based Automatic Symmetry Detection": which group is found in a model without any
//! annotation and how long that takes, and how many states are left with it.

mod facts;
mod groups;
mod states;

use crate::args::Wishes;
use serde::Serialize;
use std::io::Write;

/// The lines of a quick run.
const QUICK: [&str; 6] = [
    "readers-writers/2-1",
    "allocator/3-2-2",
    "three-tier/3-3-2",
    "philosophers/10",
    "two-hop/3",
    "hanoi/3",
];

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "table", rename_all = "kebab-case")]
pub(crate) enum Row {
    /// Of the first: a group.
    Group(groups::Row),
    /// Of the others: a search.
    States(states::Row),
}

/// Measures and prints the tables.
pub(crate) fn run(wishes: &Wishes, out: &mut dyn Write) -> Result<Vec<Row>, String> {
    let facts: Vec<_> = facts::detection()
        .into_iter()
        .filter(|fact| is_wanted(wishes, fact))
        .collect();
    let groups = groups::run(wishes, &facts, out)?;
    let states = states::run(wishes, &facts, out)?;
    let groups = groups.into_iter().map(Row::Group);
    Ok(groups.chain(states.into_iter().map(Row::States)).collect())
}

/// Whether a quick run has it, if this is one. Each table has names of its own for its rows.
fn is_wanted(wishes: &Wishes, fact: &facts::Fact) -> bool {
    !wishes.quick || QUICK.contains(&name(fact).as_str())
}

fn name(fact: &facts::Fact) -> String {
    format!("{}/{}", fact.model, fact.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;
    use std::path::PathBuf;
    use std::time::Duration;

    fn quick(only: &str) -> (Vec<Row>, String) {
        let wishes = Wishes {
            only: Selection::new(vec![only.into()]),
            quick: true,
            limit: Duration::from_secs(60),
            models: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")),
            more_models: None,
        };
        let mut out = Vec::new();
        let rows = run(&wishes, &mut out).unwrap();
        (rows, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_quick_run_finds_groups_and_counts_orbits() {
        let (rows, text) = quick("readers-writers/2-1");
        let value = serde_json::to_value(&rows).unwrap();
        assert_eq!(rows.len(), 4, "{text}");
        assert_eq!(value[0]["table"], "group");
        assert_eq!(
            (&value[0]["order"], &value[0]["as_known"]),
            (&"2".into(), &true.into())
        );
        let states = [&value[1]["states"], &value[2]["states"]];
        assert_eq!(states, [22, 15], "{text}");
        assert!(text.contains("readers-writers 2-1"), "{text}");
    }

    #[test]
    fn one_strategy_alone_needs_no_group() {
        let (rows, text) = quick("readers-writers/2-1/off");
        assert!(matches!(rows.as_slice(), [Row::States(_)]), "{text}");
    }

    #[test]
    fn the_lines_of_a_quick_run_are_lines() {
        let all: Vec<_> = facts::detection().iter().map(name).collect();
        assert!(QUICK.iter().all(|quick| all.contains(&quick.to_string())));
    }
}
