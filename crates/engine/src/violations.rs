//! Counts of the violations that a search has met.

use mandala_model::step::Attribution;
use std::collections::BTreeMap;

/// How many violations a search has met, by whose they are. Numbers end at the largest there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViolationCounts(BTreeMap<Attribution, u64>);

impl ViolationCounts {
    /// As many of one owner.
    pub fn of(owner: Attribution, number: u64) -> Self {
        let mut counts = ViolationCounts::default();
        counts.note(owner, number);
        counts
    }

    /// Counts some more of one owner.
    pub fn note(&mut self, owner: Attribution, number: u64) {
        if number > 0 {
            let count = self.0.entry(owner).or_default();
            *count = count.saturating_add(number);
        }
    }

    /// Counts what another has counted.
    pub fn add(&mut self, other: &ViolationCounts) {
        other
            .iter()
            .for_each(|(owner, number)| self.note(owner, number));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are in all.
    pub fn total(&self) -> u64 {
        self.of_those(|_| true)
    }

    /// How many there are of some owners.
    pub fn of_those(&self, is_wanted: impl Fn(Attribution) -> bool) -> u64 {
        let wanted = self.iter().filter(|(owner, _)| is_wanted(*owner));
        wanted.fold(0, |sum, (_, number)| sum.saturating_add(number))
    }

    /// All owners that have some, in their order, and how many.
    pub fn iter(&self) -> impl Iterator<Item = (Attribution, u64)> {
        self.0.iter().map(|(owner, number)| (*owner, *number))
    }

    /// How many owners have some.
    pub fn owners(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<Attribution> for ViolationCounts {
    /// One violation for each.
    fn from_iter<I: IntoIterator<Item = Attribution>>(owners: I) -> Self {
        let mut counts = ViolationCounts::default();
        owners.into_iter().for_each(|owner| counts.note(owner, 1));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::ids::PropertyId;

    const FIRST: Attribution = Attribution::Property(PropertyId(0));

    #[test]
    fn each_owner_has_its_own_count() {
        let mut counts = ViolationCounts::from_iter([FIRST, Attribution::Search, FIRST]);
        counts.add(&ViolationCounts::of(Attribution::Search, 5));
        assert_eq!(
            (counts.total(), counts.of_those(|owner| owner == FIRST)),
            (8, 2)
        );
        assert_eq!(counts.owners(), 2);
    }

    #[test]
    fn an_owner_without_violations_is_none() {
        assert!(ViolationCounts::of(FIRST, 0).is_empty());
    }

    #[test]
    fn numbers_end_at_the_largest() {
        let mut counts = ViolationCounts::of(FIRST, u64::MAX);
        counts.note(FIRST, 1);
        counts.note(Attribution::Search, 1);
        assert_eq!(counts.total(), u64::MAX);
    }
}
