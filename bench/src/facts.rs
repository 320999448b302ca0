//! The figures of "Symmetric Spin" (Bošnački, Dams, Holenderski 2002), as data: `data/symmspin.csv`.

use mandala_checker::options::SymmetryChoice;
use mandala_reduce::Strategy;

const SYMMSPIN: &str = include_str!("../data/symmspin.csv");

/// What the paper reports for a model of some size, with or without partial-order reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The model, by the name of its family here.
    pub model: &'static str,
    /// Its size.
    pub size: &'static str,
    /// Whether partial-order reduction was on.
    pub partial_order: bool,
    cells: Vec<&'static str>,
}

/// Where the cells of the strategies start.
const STATES: [&str; 4] = ["off", "canonical", "sorted", "pc-sorted"];
const TIMES: [&str; 6] = [
    "off",
    "full",
    "segmented",
    "pc-segmented",
    "sorted",
    "pc-sorted",
];

impl Fact {
    /// The number of states as the paper writes it, or what ran out.
    pub(crate) fn states(&self, symmetry: SymmetryChoice) -> Option<&'static str> {
        let column = match symmetry {
            SymmetryChoice::Off => "off",
            SymmetryChoice::Use(Strategy::Sorted) => "sorted",
            SymmetryChoice::Use(Strategy::PcSorted) => "pc-sorted",
            SymmetryChoice::Use(_) => "canonical",
            SymmetryChoice::OnSets(_) | SymmetryChoice::Partial(_) | SymmetryChoice::Counters => {
                return None;
            }
        };
        self.cell(STATES.iter().position(|c| *c == column)?)
    }

    /// The seconds that it took, or what ran out.
    pub(crate) fn time(&self, strategy: &str) -> Option<&'static str> {
        let column = TIMES.iter().position(|c| *c == strategy)?;
        self.cell(STATES.len() + column)
    }

    fn cell(&self, index: usize) -> Option<&'static str> {
        self.cells
            .get(index)
            .copied()
            .filter(|cell| !cell.is_empty())
    }
}

/// Everything that the paper reports.
pub(crate) fn symmspin() -> Vec<Fact> {
    lines(SYMMSPIN).filter_map(fact).collect()
}

/// The cells of each line of a table that is neither a remark (`#`) nor the names of the columns.
pub(crate) fn lines(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split(',').collect())
}

fn fact(cells: Vec<&'static str>) -> Option<Fact> {
    let mut cells = cells.into_iter();
    Some(Fact {
        model: cells.next()?,
        size: cells.next()?,
        partial_order: cells.next()? == "+",
        cells: cells.collect(),
    })
}

/// Whether a number is the one that the paper gives, exactly or in millions rounded to one decimal.
pub(crate) fn agrees(states: u64, paper: &str) -> bool {
    match paper.strip_suffix('M') {
        Some(millions) => format!("{:.1}", states as f64 / 1e6) == millions,
        None => paper.parse() == Ok(states),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(model: &str, size: &str, partial_order: bool) -> Fact {
        let wanted = |f: &Fact| (f.model, f.size, f.partial_order) == (model, size, partial_order);
        symmspin().into_iter().find(wanted).unwrap()
    }

    #[test]
    fn the_facts_are_read() {
        let fact = find("peterson", "4", false);
        assert_eq!(fact.states(SymmetryChoice::Off), Some("542921"));
        assert_eq!(fact.states(SymmetryChoice::default()), Some("24383"));
        assert_eq!(fact.time("full"), Some("19.3"));
        assert_eq!(fact.time("auto"), None);
        let sorted = SymmetryChoice::Use(Strategy::Sorted);
        assert_eq!(find("senders-receivers", "2-2", true).states(sorted), None);
    }

    #[test]
    fn every_line_is_complete_and_every_cell_a_number_or_a_reason() {
        let facts = symmspin();
        assert_eq!(facts.len(), 42);
        for fact in facts {
            assert_eq!(fact.cells.len(), STATES.len() + TIMES.len(), "{fact:?}");
            for cell in &fact.cells {
                let number = cell.trim_end_matches('M').parse::<f64>().is_ok();
                assert!(number || ["", "memory", "time"].contains(cell), "{fact:?}");
            }
        }
    }

    #[test]
    fn numbers_in_millions_are_rounded() {
        assert!(agrees(24383, "24383") && !agrees(24384, "24383"));
        assert!(agrees(2_546_123, "2.5M") && !agrees(2_551_000, "2.5M"));
        assert!(!agrees(1, "memory"));
    }
}
