//! Values as the translator knows them: numbers, or results of instructions with what is known of them.

use crate::code::Relation;
use cranelift_codegen::ir::Value;

/// The least and the greatest value that something can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i64,
    pub high: i64,
}

impl Bounds {
    pub const ANY: Bounds = Bounds::new(i64::MIN, i64::MAX);
    pub const TRUTH: Bounds = Bounds::new(0, 1);
    pub const INT: Bounds = Bounds::new(i32::MIN as i64, i32::MAX as i64);

    pub const fn new(low: i64, high: i64) -> Self {
        Bounds { low, high }
    }

    /// Whether everything in here is in the other.
    pub fn within(self, outer: Bounds) -> bool {
        outer.low <= self.low && self.high <= outer.high
    }

    /// The least bounds around both.
    pub fn hull(self, other: Bounds) -> Self {
        Bounds::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The bounds of a result whose extremes are among the results of the extremes; nothing if one of those overflows.
    pub fn combined(self, other: Bounds, op: impl Fn(i64, i64) -> Option<i64>) -> Option<Self> {
        let corners = [
            op(self.low, other.low)?,
            op(self.low, other.high)?,
            op(self.high, other.low)?,
            op(self.high, other.high)?,
        ];
        let low = corners.iter().copied().min()?;
        let high = corners.iter().copied().max()?;
        Some(Bounds::new(low, high))
    }

    /// What a comparison gives, if it gives the same for all values.
    pub fn decides(self, relation: Relation, other: Bounds) -> Option<bool> {
        let less = u8::from(self.low < other.high);
        let equal = 2 * u8::from(self.low <= other.high && other.low <= self.high);
        let greater = 4 * u8::from(self.high > other.low);
        let possible = less | equal | greater;
        match (possible & relation.0, possible & relation.negated().0) {
            (0, _) => Some(false),
            (_, 0) => Some(true),
            _ => None,
        }
    }
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Constant(i64),
    Computed { value: Value, bounds: Bounds },
}

impl Operand {
    pub fn computed(value: Value, bounds: Bounds) -> Self {
        Operand::Computed { value, bounds }
    }

    pub fn constant(self) -> Option<i64> {
        match self {
            Operand::Constant(value) => Some(value),
            Operand::Computed { .. } => None,
        }
    }

    pub fn bounds(self) -> Bounds {
        match self {
            Operand::Constant(value) => Bounds::new(value, value),
            Operand::Computed { bounds, .. } => bounds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_decide_a_comparison_only_if_all_values_agree() {
        let small = [-2, -1, 0, 1, 2];
        let all = || {
            small
                .into_iter()
                .flat_map(|low| small.into_iter().map(move |high| (low, high)))
        };
        let ordered = || all().filter(|(low, high)| low <= high);
        for ((a, b), (c, d)) in ordered().flat_map(|x| ordered().map(move |y| (x, y))) {
            for relation in (1..7).map(Relation) {
                let results: Vec<bool> = (a..=b)
                    .flat_map(|x| (c..=d).map(move |y| relation.holds(x, y)))
                    .collect();
                let same = results.iter().all(|r| *r == results[0]);
                let decided = Bounds::new(a, b).decides(relation, Bounds::new(c, d));
                assert_eq!(
                    decided,
                    same.then_some(results[0]),
                    "{a}..{b} {relation:?} {c}..{d}"
                );
            }
        }
    }
}
