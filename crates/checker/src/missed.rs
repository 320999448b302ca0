//! States that a search may have passed over although it came to its end.

use crate::plan::CheckPlan;
use mandala_engine::Outcome;
use mandala_reduce::Guarantee;
use mandala_report::style::percent;
use mandala_store::{Omissions, StoreKind};

/// Why nothing follows from a search that finds nothing, if it may have passed over states that no other state
/// stands for.
pub fn reason(plan: &CheckPlan, search: &Outcome) -> Option<String> {
    let by_store = search.omissions.as_ref().map(by_store);
    by_store.or_else(|| by_markers(plan, search))
}

fn by_markers(plan: &CheckPlan, search: &Outcome) -> Option<String> {
    let may_miss = plan.symmetry.guarantee() == Some(Guarantee::MayMiss);
    (may_miss && search.reduction.is_some()).then(|| {
        "markers may take different states for one: no violation was found, but one may have been missed"
            .into()
    })
}

fn by_store(omissions: &Omissions) -> String {
    format!(
        "no violation was found, but the store may have left out states ({} expected, {} probability of any)",
        few(omissions.expected),
        percent(probability(omissions))
    )
}

/// A number that may be much smaller than one.
fn few(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 0.01 => format!("{n:.2}"),
        n => format!("{n:.0e}"),
    }
}

/// How likely it is that any state was left out: each one with a small chance of its own, so that their number is
/// distributed as Poisson has it.
pub(crate) fn probability(omissions: &Omissions) -> f64 {
    -(-omissions.expected).exp_m1()
}

/// The name that `--store` has for it.
pub fn store_name(kind: StoreKind) -> &'static str {
    use crate::options::{Choice, Store};
    match kind {
        StoreKind::Exact => Store::Exact,
        StoreKind::HashCompact => Store::HashCompact,
        StoreKind::Bitstate { .. } => Store::Bitstate,
    }
    .name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_store::OmissionBasis;

    fn omissions(expected: f64) -> Omissions {
        Omissions {
            expected,
            chance: 0.0,
            states: 1,
            basis: OmissionBasis::HashBits(44),
        }
    }

    #[test]
    fn few_are_told_with_two_digits_and_many_without() {
        assert_eq!(few(1234.5), "1234");
        assert_eq!(few(12.345), "12.35");
        assert_eq!(few(0.05), "0.05");
        assert_eq!(few(0.000_002_1), "2e-6");
    }

    #[test]
    fn the_probability_goes_with_the_number_that_is_expected() {
        assert!((probability(&omissions(1e-12)) / 1e-12 - 1.0).abs() < 1e-6);
        assert!((probability(&omissions(1.0)) - 0.632).abs() < 1e-3);
        assert!((probability(&omissions(1000.0)) - 1.0).abs() < 1e-9);
    }
}
