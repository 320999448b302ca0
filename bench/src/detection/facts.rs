//! The figures of "Constraint-based Automatic Symmetry Detection" (Zhang and others, 2013), as data: `data/detection.csv`,
//! where the columns are explained.

use crate::facts::lines;
use serde::Serialize;

const DETECTION: &str = include_str!("../../data/detection.csv");

/// How many columns it has.
const COLUMNS: usize = 17;

/// What is said about a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The bundled model, by the name of its family.
    pub model: &'static str,
    /// The configuration as the paper writes it; nothing if it is not in the paper.
    pub config: Option<&'static str>,
    /// The size of the bundled model.
    pub size: &'static str,
    /// What table I says about the group.
    pub group: PaperGroup,
    /// What tables II and III say: without reduction, with one representative for each orbit, with several.
    pub searches: [PaperSearch; 3],
    /// What counting says.
    pub known: Known,
    /// What to know about the line.
    pub remark: Option<&'static str>,
}

/// A line of table I. Each is as it can be read: numbers may end in `?`, and of times there are the decimals only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PaperGroup {
    /// The order of the group.
    pub order: Option<&'static str>,
    /// The number of generators.
    pub generators: Option<&'static str>,
    /// The number of vertices of the coloured graph.
    pub graph: Option<&'static str>,
    /// The seconds that Saucy took.
    pub saucy: Option<&'static str>,
}

/// A search of tables II and III.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PaperSearch {
    /// States stored, or what ran out.
    pub states: Option<&'static str>,
    /// Seconds.
    pub seconds: Option<&'static str>,
}

/// What is known without measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Known {
    /// The order of the group.
    pub order: Option<&'static str>,
    /// The number of reachable states.
    pub states: Option<u64>,
    /// The number of orbits of them.
    pub orbits: Option<u64>,
}

impl Fact {
    /// Whether there is something to compare numbers of states with.
    pub(super) fn has_states(&self) -> bool {
        let told = self.searches.iter().any(|search| search.states.is_some());
        told || self.known.states.is_some() || self.known.orbits.is_some()
    }
}

/// Everything that is said.
pub(super) fn detection() -> Vec<Fact> {
    lines(DETECTION).filter_map(|cells| fact(&cells)).collect()
}

fn fact(cells: &[&'static str]) -> Option<Fact> {
    let cells: &[_; COLUMNS] = cells.try_into().ok()?;
    let text = |column: usize| Some(cells[column]).filter(|cell| !cell.is_empty());
    let number = |column: usize| cells[column].parse().ok();
    let search = |column| PaperSearch {
        states: text(column),
        seconds: text(column + 3),
    };
    Some(Fact {
        model: cells[0],
        config: text(1),
        size: cells[2],
        group: PaperGroup {
            order: text(3),
            generators: text(4),
            graph: text(5),
            saucy: text(6),
        },
        searches: [search(7), search(8), search(9)],
        known: Known {
            order: text(13),
            states: number(14),
            orbits: number(15),
        },
        remark: text(16),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;

    fn find(model: &str, size: &str) -> Fact {
        let wanted = |fact: &Fact| (fact.model, fact.size) == (model, size);
        detection().into_iter().find(wanted).unwrap()
    }

    #[test]
    fn the_facts_are_read() {
        let peterson = find("peterson", "12");
        assert_eq!(peterson.group.order, Some("479001600"));
        assert_eq!(peterson.group.graph, Some("4207?"));
        assert!(!peterson.has_states());
        let colouring = find("two-hop", "4");
        assert_eq!(
            colouring.searches.map(|s| s.seconds),
            [Some("511"), Some("668"), Some("160")]
        );
        assert_eq!(colouring.known.orbits, Some(3924));
        assert_eq!(find("three-tier", "3-3").config, None);
    }

    #[test]
    fn no_line_is_lost_and_every_cell_is_a_number_or_a_reason() {
        assert_eq!(detection().len(), lines(DETECTION).count());
        let number = |cell: &str| cell.trim_end_matches('?').parse::<f64>().is_ok();
        for fact in detection() {
            let PaperGroup {
                order,
                generators,
                graph,
                saucy,
            } = fact.group;
            let cells = [order, generators, graph, saucy, fact.known.order];
            assert!(cells.into_iter().flatten().all(number), "{fact:?}");
            for PaperSearch { states, seconds } in fact.searches {
                let reason = |cell: &str| number(cell) || ["memory", "time"].contains(&cell);
                assert!(
                    states.is_none_or(reason) && seconds.is_none_or(number),
                    "{fact:?}"
                );
            }
        }
    }

    #[test]
    fn cells_of_known_numbers_are_numbers() {
        for cells in lines(DETECTION) {
            for cell in &cells[14..16] {
                assert!(cell.is_empty() || cell.parse::<u64>().is_ok(), "{cells:?}");
            }
        }
    }

    #[test]
    fn every_line_has_a_bundled_model_of_that_size() {
        for fact in detection() {
            let family = families::named(fact.model).unwrap();
            assert!(family.has_size(fact.size), "{fact:?}");
        }
    }
}
