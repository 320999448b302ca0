//! Known figures of the example models that come with TopSPIN: `data/topspin.csv`.

use crate::facts::lines;

const TOPSPIN: &str = include_str!("../../data/topspin.csv");

/// What is known about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// The name of its file.
    pub file: &'static str,
    /// The order of its group.
    pub order: &'static str,
    /// How many states it has.
    pub states: u64,
    /// How many orbits these fall into.
    pub orbits: u64,
}

/// Everything that is known.
pub(super) fn topspin() -> Vec<Fact> {
    lines(TOPSPIN).filter_map(|cells| fact(&cells)).collect()
}

fn fact(cells: &[&'static str]) -> Option<Fact> {
    let &[file, order, states, orbits] = cells else {
        return None;
    };
    Some(Fact {
        file,
        order,
        states: states.parse().ok()?,
        orbits: orbits.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_lost_and_no_group_is_too_small() {
        let facts = topspin();
        assert_eq!(facts.len(), lines(TOPSPIN).count());
        for fact in facts {
            let order: u64 = fact.order.parse().unwrap();
            assert!(fact.states <= order * fact.orbits, "{fact:?}");
            assert!(fact.orbits < fact.states, "{fact:?}");
        }
    }
}
