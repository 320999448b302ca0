//! Types: how the value of an expression and that of its image are related.
//!
//! A judgement is about a pair of expressions, one evaluated in a state `s` by a process, the other one in the renamed state by the renamed process. Mostly both are
//! the same text; they differ where a renaming exchanges statements, or the process that evaluates is known by its number.

use super::moves::Mover;
use mandala_model::state::Value;
use mandala_symmetry::sorts::Sort;
use std::collections::BTreeSet;

/// How two values are related.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty<'p> {
    /// They are one of some pairs, or equal.
    Cases(Cases),
    /// The second is the image of the first, which is one of the values, if these are known.
    Name(Sort, Option<&'p BTreeSet<Value>>),
    /// References to channels of that class, the second to the image; or both are 0.
    Channel(u32),
    /// The number of a process that is not moved.
    Outsider,
}

/// Pairs of values, by cases.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cases {
    /// The pairs.
    pub(super) pairs: BTreeSet<(Value, Value)>,
    /// Whether the values may be any others as well, the same on both sides.
    pub(super) others: bool,
}

/// More cases are not looked at.
const MOST: usize = 1 << 16;

impl Cases {
    /// The two values are equal.
    pub(super) fn same() -> Self {
        Cases {
            pairs: BTreeSet::new(),
            others: true,
        }
    }

    pub(super) fn is_same(&self) -> bool {
        self.pairs.iter().all(|(a, b)| a == b)
    }

    /// Whether both values are 0, or neither is.
    pub(super) fn agrees(&self) -> bool {
        self.pairs.iter().all(|(a, b)| (*a == 0) == (*b == 0))
    }

    /// The truth value that all cases have.
    pub(super) fn decided(&self) -> Option<bool> {
        let (first, _) = self.pairs.first()?;
        let all = |truth: bool| {
            self.pairs
                .iter()
                .all(|(a, b)| (*a != 0) == truth && (*b != 0) == truth)
        };
        (!self.others && all(*first != 0)).then_some(*first != 0)
    }

    /// What is made of each pair; nothing if that has a value on one side alone. Where it has none on either side, the step fails on both.
    pub(super) fn map(&self, change: impl Fn(Value) -> Option<Value>) -> Option<Cases> {
        let mut pairs = BTreeSet::new();
        for (a, b) in &self.pairs {
            match (change(*a), change(*b)) {
                (Some(a), Some(b)) => drop(pairs.insert((a, b))),
                (None, None) => {}
                _ => return None,
            }
        }
        let others = self.others;
        Some(Cases { pairs, others })
    }

    /// What is made of each pair of the one and each pair of the other.
    pub(super) fn with(
        &self,
        other: &Cases,
        make: impl Fn(Value, Value) -> Option<Value>,
    ) -> Option<Cases> {
        let unlike = (self.others && !other.is_same()) || (other.others && !self.is_same());
        if unlike || self.pairs.len() * other.pairs.len() > MOST {
            return None;
        }
        let mut pairs = BTreeSet::new();
        for (a, b) in &self.pairs {
            let found = other.map_both(|c, d| (make(*a, c), make(*b, d)))?;
            pairs.extend(found);
        }
        let others = self.others || other.others;
        Some(Cases { pairs, others })
    }

    fn map_both(
        &self,
        make: impl Fn(Value, Value) -> (Option<Value>, Option<Value>),
    ) -> Option<Vec<(Value, Value)>> {
        let mut found = Vec::new();
        for (a, b) in &self.pairs {
            match make(*a, *b) {
                (Some(a), Some(b)) => found.push((a, b)),
                (None, None) => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// The cases of both.
    pub(super) fn or(mut self, other: Cases) -> Cases {
        self.pairs.extend(other.pairs);
        self.others |= other.others;
        self
    }
}

impl<'p> Ty<'p> {
    /// A number that no renaming changes.
    pub(super) fn plain() -> Self {
        Ty::Cases(Cases::same())
    }

    /// Two numbers that are known.
    pub(super) fn pair(a: Value, b: Value) -> Self {
        Ty::Cases(Cases {
            pairs: [(a, b)].into(),
            others: false,
        })
    }

    /// The type of what has a sort.
    pub(super) fn of(mover: &Mover, sort: Sort, values: Option<&'p BTreeSet<Value>>) -> Self {
        match mover.sort(sort) {
            Sort::Plain => Ty::Cases(match values {
                Some(values) => Cases {
                    pairs: values.iter().map(|v| (*v, *v)).collect(),
                    others: false,
                },
                None => Cases::same(),
            }),
            Sort::Channel(class) => Ty::Channel(class),
            sort => Ty::Name(sort, values),
        }
    }

    /// The values case by case; nothing for channels.
    pub(super) fn cases(&self, mover: &Mover) -> Option<Cases> {
        Some(match self {
            Ty::Cases(cases) => cases.clone(),
            Ty::Outsider => Cases::same(),
            Ty::Channel(_) => return None,
            Ty::Name(sort, values) => {
                let has = |v: &Value| values.is_none_or(|values| values.contains(v));
                let moved = mover.pairs(*sort).filter(|(a, _)| has(a));
                let rest = values
                    .iter()
                    .flat_map(|values| values.iter())
                    .filter(|v| !mover.is_moved(*sort, **v));
                Cases {
                    pairs: moved.chain(rest.map(|v| (*v, *v))).collect(),
                    others: values.is_none(),
                }
            }
        })
    }

    /// Whether values of the two types can be compared, and one can stand for the other: nothing if not, and false if they refer to channels.
    pub(super) fn meets(&self, other: &Ty<'_>, mover: &Mover) -> Met {
        match (self, other) {
            (Ty::Channel(a), Ty::Channel(b)) if a == b => Met::Alike,
            (Ty::Channel(_), Ty::Cases(cases)) | (Ty::Cases(cases), Ty::Channel(_))
                if !cases.others && cases.pairs.iter().all(|pair| *pair == (0, 0)) =>
            {
                Met::Alike
            }
            (Ty::Channel(_), _) | (_, Ty::Channel(_)) => Met::Channels,
            (Ty::Name(a, _), Ty::Name(b, _)) if a == b => Met::Alike,
            (Ty::Name(sort, _), Ty::Cases(cases)) | (Ty::Cases(cases), Ty::Name(sort, _)) => {
                let maps = cases.pairs.iter().all(|(a, b)| mover.maps(*sort, *a, *b));
                Met::of(!cases.others && maps)
            }
            (Ty::Name(sort, _), Ty::Outsider) | (Ty::Outsider, Ty::Name(sort, _)) => {
                Met::of(*sort == Sort::Process(0))
            }
            (Ty::Outsider, Ty::Outsider) => Met::Alike,
            (Ty::Outsider, Ty::Cases(cases)) | (Ty::Cases(cases), Ty::Outsider) => {
                Met::of(cases.is_same())
            }
            (Ty::Cases(a), Ty::Cases(b)) => Met::of(a.is_same() && b.is_same()),
            (Ty::Name(..), Ty::Name(..)) => Met::Unlike,
        }
    }
}

/// What becomes of two types that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// They are alike.
    Alike,
    /// They are not.
    Unlike,
    /// Channels are mixed up.
    Channels,
}

impl Met {
    fn of(alike: bool) -> Self {
        match alike {
            true => Met::Alike,
            false => Met::Unlike,
        }
    }
}
