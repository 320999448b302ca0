//! Types: how the value of an expression and that of its image are related.

use super::moves::Mover;
use mandala_model::state::Value;
use mandala_symmetry::sorts::Sort;
use std::collections::BTreeSet;

/// How two values are related.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty<'p> {
    /// They are one of some pairs, or equal.
    Cases(Cases),
    /// The second is the image of the first.
    Name(Sort, Held<'p>),
    /// References to channels of that class, the second to the image; or both are 0.
    Channel(u32),
    /// The number of a process that is not moved, or another one from the least to 255 that is no process.
    Outsider(Value),
}

/// What is known of a value and its image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Held<'p> {
    /// They are among these.
    Among(&'p BTreeSet<Value>),
    /// They are not less than the first and not greater than the second.
    Within(Value, Value),
    /// Nothing.
    Anything,
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
        let pairs = BTreeSet::new();
        Cases {
            pairs,
            others: true,
        }
    }

    /// Some pairs and no others.
    pub(super) fn of(pairs: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let pairs = pairs.into_iter().collect();
        Cases {
            pairs,
            others: false,
        }
    }

    pub(super) fn is_same(&self) -> bool {
        self.pairs.iter().all(|(a, b)| a == b)
    }

    /// Whether all values on both sides are known, and each is as asked.
    pub(super) fn all(&self, test: impl Fn(Value) -> bool) -> bool {
        !self.others && self.pairs.iter().all(|(a, b)| test(*a) && test(*b))
    }

    /// The truth value that all cases have.
    pub(super) fn decided(&self) -> Option<bool> {
        let first = self.pairs.first()?.0 != 0;
        self.all(|value| (value != 0) == first).then_some(first)
    }

    /// What is made of each pair; nothing if that has a value on one side alone. Where it has none on either side, the step fails on both.
    pub(super) fn map(&self, change: impl Fn(Value) -> Option<Value>) -> Option<Cases> {
        self.with(&Cases::of([(0, 0)]), |value, _| change(value))
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
        let others = self.others || other.others;
        let mut pairs = BTreeSet::new();
        for (a, b) in &self.pairs {
            for (c, d) in &other.pairs {
                match (make(*a, *c), make(*b, *d)) {
                    (Some(a), Some(b)) => drop(pairs.insert((a, b))),
                    (None, None) => {}
                    _ => return None,
                }
            }
        }
        Some(Cases { pairs, others })
    }

    /// The cases of both.
    pub(super) fn or(mut self, other: Cases) -> Cases {
        self.pairs.extend(other.pairs);
        self.others |= other.others;
        self
    }
}

impl<'p> Held<'p> {
    /// The least and the greatest value.
    pub(super) fn range(self) -> Option<(Value, Value)> {
        match self {
            Held::Among(values) => values.first().copied().zip(values.last().copied()),
            Held::Within(low, high) => Some((low, high)),
            Held::Anything => None,
        }
    }

    pub(super) fn within(range: Option<(Value, Value)>) -> Self {
        range.map_or(Held::Anything, |(low, high)| Held::Within(low, high))
    }

    fn can_be(self, value: Value) -> bool {
        !matches!(self, Held::Among(values) if !values.contains(&value))
    }
}

impl<'p> Ty<'p> {
    /// A number that no renaming changes.
    pub(super) fn plain() -> Self {
        Ty::Cases(Cases::same())
    }

    /// Two numbers that are known.
    pub(super) fn pair(a: Value, b: Value) -> Self {
        Ty::Cases(Cases::of([(a, b)]))
    }

    /// The type of what has a sort.
    pub(super) fn of(mover: &Mover, sort: Sort, held: Held<'p>) -> Self {
        match (mover.sort(sort), held) {
            (Sort::Plain, Held::Among(values)) => {
                Ty::Cases(Cases::of(values.iter().map(|v| (*v, *v))))
            }
            (Sort::Plain, _) => Ty::plain(),
            (Sort::Channel(class), _) => Ty::Channel(class),
            (sort, held) => Ty::Name(sort, held),
        }
    }

    /// The values case by case; nothing for channels.
    pub(super) fn cases(&self, mover: &Mover) -> Option<Cases> {
        match self {
            Ty::Cases(cases) => Some(cases.clone()),
            Ty::Outsider(_) => Some(Cases::same()),
            Ty::Channel(_) => None,
            Ty::Name(sort, held) => {
                let known = match held {
                    Held::Among(values) => Some(*values),
                    _ => None,
                };
                let moved = mover.pairs(*sort).filter(|(a, _)| held.can_be(*a));
                let rest = known.into_iter().flatten();
                let rest = rest.filter(|v| !mover.is_moved(*sort, **v));
                let pairs = moved.chain(rest.map(|v| (*v, *v))).collect();
                let others = known.is_none();
                Some(Cases { pairs, others })
            }
        }
    }

    /// Whether one value is 0 iff the other is.
    pub(super) fn keeps_zero(&self, mover: &Mover) -> bool {
        match self {
            Ty::Cases(cases) => cases.pairs.iter().all(|(a, b)| (*a == 0) == (*b == 0)),
            Ty::Name(sort, held) => mover.maps(*sort, 0, 0) || !held.can_be(0),
            Ty::Channel(_) | Ty::Outsider(_) => true,
        }
    }

    /// The least and the greatest value on both sides.
    pub(super) fn range(&self) -> Option<(Value, Value)> {
        match self {
            Ty::Cases(cases) if !cases.others => {
                let all = || cases.pairs.iter().flat_map(|(a, b)| [*a, *b]);
                all().min().zip(all().max())
            }
            Ty::Name(_, held) => held.range(),
            Ty::Outsider(least) => Some((*least, 255)),
            Ty::Cases(_) | Ty::Channel(_) => None,
        }
    }

    /// Whether values of the two types can be compared, and one can stand for the other: nothing if channels are mixed up.
    pub(super) fn meets(&self, other: &Ty<'_>, mover: &Mover) -> Option<bool> {
        match (self, other) {
            (Ty::Channel(a), Ty::Channel(b)) if a == b => Some(true),
            (Ty::Channel(_), Ty::Cases(cases)) if cases.all(|value| value == 0) => Some(true),
            (Ty::Channel(_), _) => None,
            (Ty::Name(a, _), Ty::Name(b, _)) => Some(a == b),
            (Ty::Name(sort, _), Ty::Cases(cases)) => {
                let mut pairs = cases.pairs.iter();
                Some(!cases.others && pairs.all(|(a, b)| mover.maps(*sort, *a, *b)))
            }
            (Ty::Name(sort, _), Ty::Outsider(_)) => Some(*sort == Sort::Process(0)),
            (Ty::Outsider(_), Ty::Outsider(_)) => Some(true),
            (Ty::Cases(cases), Ty::Outsider(_)) => Some(cases.is_same()),
            (Ty::Cases(a), Ty::Cases(b)) => Some(a.is_same() && b.is_same()),
            _ => other.meets(self, mover),
        }
    }
}
