//! Values that can be exchanged for each other, all alike or in turn.

use crate::random::RandomSource;

/// What can be done with the values of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The next one is taken, after the last one the first; of two values, the other one.
    Turned,
    /// They are copied and compared.
    Alike,
}

/// A class of values. Values of different classes never meet.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    /// What they are called in a program.
    pub(super) names: Vec<String>,
    /// The least of them, as a number.
    pub(super) first: i32,
    /// The type of variables that hold them.
    pub(super) ty: &'static str,
    pub(super) used: Use,
}

impl Colours {
    pub(super) fn random(dice: &mut RandomSource) -> Colours {
        let numbers =
            |first: i32, size: i32| (first..first + size).map(|n| n.to_string()).collect();
        let (names, first, ty, used) = match dice.weighted(&[(4, 0), (3, 1), (3, 2), (2, 3)]) {
            0 => {
                let ty = dice.pick(&["bit", "bool", "byte"]);
                (numbers(0, 2), 0, ty, Use::Turned)
            }
            1 => (numbers(0, dice.between(3, 4)), 0, "byte", Use::Turned),
            2 => {
                let first = dice.between(0, 1);
                (
                    numbers(first, dice.between(2, 3)),
                    first,
                    "byte",
                    Use::Alike,
                )
            }
            _ => {
                let words = ["red", "green", "blue"].map(String::from);
                (words.into(), 1, "mtype", Use::Alike)
            }
        };
        Colours {
            names,
            first,
            ty,
            used,
        }
    }

    pub(super) fn size(&self) -> i32 {
        self.names.len() as i32
    }

    /// How many permutations of the values change nothing.
    pub(super) fn order(&self) -> u64 {
        match self.used {
            Use::Turned => self.size() as u64,
            Use::Alike => (1..=self.size() as u64).product(),
        }
    }

    /// The length of an array with an element for each value.
    pub(super) fn length(&self) -> i32 {
        self.first + self.size()
    }

    /// Another value, made of one; `how` chooses among those and among ways to write them.
    pub(super) fn another(&self, value: &str, how: usize) -> String {
        let size = self.size();
        let last = size - 1;
        match (self.used, size, how) {
            (Use::Alike, ..) => value.to_string(),
            (Use::Turned, 2, 0) => format!("(1 - {value})"),
            (Use::Turned, 2, 1) => format!("!({value})"),
            (Use::Turned, 2, _) => format!("({value} ^ 1)"),
            (Use::Turned, _, 0) => format!("({value} == {last} -> 0 : {value} + 1)"),
            (Use::Turned, _, 1) => format!("(({value} + {last}) % {size})"),
            (Use::Turned, ..) => format!("(({value} + 1) % {size})"),
        }
    }
}
