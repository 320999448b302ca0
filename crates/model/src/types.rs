//! Types of variables and of message fields.

use crate::expr::Expr;
use crate::ids::{ChannelKindId, CodingId, DomainId, EnumId, RecordId};
use crate::source::Span;

/// The type of a variable, a parameter or a message field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One cell of the state.
    Scalar(Scalar),
    /// Named fields.
    Record(RecordId),
    /// `length` elements, indexed from 0.
    Array {
        /// The type of each element.
        element: Box<Type>,
        /// How many there are, at least one.
        length: u32,
    },
}

/// The type of one cell of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A machine integer of `bits` bits; an assignment keeps the low bits.
    Int {
        /// 1 to 32.
        bits: u8,
        /// Two's complement if so.
        signed: bool,
    },
    /// A truth value; an assignment keeps the lowest bit. Shown as `true` and `false`.
    Bool,
    /// An integer from `min` to `max`; a value outside is a run-time error.
    Range {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// A named constant, stored as its number; 0 means none yet. An assignment keeps the low 8 bits.
    Enum(EnumId),
    /// A member of a domain, from 0; may be undefined.
    Id(DomainId),
    /// The number of a process, from 0. An assignment keeps the low 8 bits.
    Process,
    /// An integer from 0 to `max`, in every respect like a range, that is only shown in another way: 0
    /// means "undefined", and the coding says how the values from 1 on look.
    Coded {
        /// How it is shown.
        coding: CodingId,
        /// The greatest value.
        max: i64,
    },
    /// A reference to a channel: 0 is none, `n` is the `n`-th channel made. An assignment keeps the low 8 bits.
    Channel,
}

impl Scalar {
    /// An unsigned integer.
    pub const fn unsigned(bits: u8) -> Self {
        Scalar::Int {
            bits,
            signed: false,
        }
    }

    /// A signed integer.
    pub const fn signed(bits: u8) -> Self {
        Scalar::Int { bits, signed: true }
    }

    /// How many bits a packed state gives to it, and whether they are sign-extended.
    pub fn width(self, domain_size: impl Fn(DomainId) -> u32) -> (u8, bool) {
        match self {
            Scalar::Int { bits, signed } => (bits, signed),
            Scalar::Bool => (1, false),
            Scalar::Range { min, max } => (bits_for((max - min) as u64 + 1), false),
            Scalar::Coded { max, .. } => (bits_for(max as u64 + 1), false),
            Scalar::Enum(_) | Scalar::Process | Scalar::Channel => (8, false),
            // One value more than there are members: undefined.
            Scalar::Id(domain) => (bits_for(u64::from(domain_size(domain)) + 1), false),
        }
    }

    /// What a variable of this type holds after `value` is assigned to it, or `None` if the value
    /// is outside its range.
    pub fn store(self, value: i64) -> Option<i64> {
        match self {
            Scalar::Int { bits, signed } => Some(wrap(value, bits, signed)),
            Scalar::Bool => Some(value & 1),
            Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some(value & 0xff),
            Scalar::Range { .. } | Scalar::Coded { .. } => {
                let (min, max) = self.limits().unwrap_or((value, value));
                (min..=max).contains(&value).then_some(value)
            }
            Scalar::Id(_) => Some(value),
        }
    }

    /// The least and the greatest value of a type that holds no other: to store one is a run-time error.
    pub fn limits(self) -> Option<(i64, i64)> {
        match self {
            Scalar::Range { min, max } => Some((min, max)),
            Scalar::Coded { max, .. } => Some((0, max)),
            Scalar::Int { .. }
            | Scalar::Bool
            | Scalar::Enum(_)
            | Scalar::Id(_)
            | Scalar::Process
            | Scalar::Channel => None,
        }
    }
}

/// The low `bits` bits of `value`, read as a signed or an unsigned number.
pub fn wrap(value: i64, bits: u8, signed: bool) -> i64 {
    let shift = 64 - u32::from(bits);
    if signed {
        (value << shift) >> shift
    } else {
        (((value as u64) << shift) >> shift) as i64
    }
}

/// The least number of bits that tells `values` values apart.
fn bits_for(values: u64) -> u8 {
    (64 - values.saturating_sub(1).leading_zeros()).max(1) as u8
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordType {
    /// Its name in the source.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// A set of named constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumType {
    /// Its name in the source.
    pub name: String,
    /// The names and their numbers.
    pub constants: Vec<(String, i64)>,
}

impl EnumType {
    /// The name of the type that shows 0 and 1 as truth values, and keeps other numbers as well.
    pub const TRUTH: &str = "truth";

    /// Whether its names are those of truth values, which are numbers where constants are printed by their names.
    pub fn is_truth(&self) -> bool {
        self.name == EnumType::TRUTH
    }

    /// The name of a number.
    pub fn name_of(&self, value: i64) -> Option<&str> {
        self.constants
            .iter()
            .find(|(_, v)| *v == value)
            .map(|(name, _)| name.as_str())
    }
}

/// A finite set of interchangeable names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Its name in the source.
    pub name: String,
    /// How many names there are.
    pub size: u32,
}

/// How the values of some cells are shown. A cell holds 0 for "undefined" or for a pointer to nothing, or the number of a value, from
/// 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The name of the type in the source.
    pub name: String,
    /// What stands for the values.
    pub kind: CodingKind,
}

/// What stands for the values of a [`Coding`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodingKind {
    /// Numbers, one after the other.
    Numbers {
        /// The number that the value 1 stands for.
        first: i64,
    },
    /// Names, the first for the value 1.
    Names(Vec<String>),
    /// Members of a set of interchangeable names: `name_1`, `name_2`.
    Members,
    /// Addresses, as numbers; 0 is no address and shown as `NULL`.
    Pointers,
    /// Values of several sets, in the order of their numbers: each part up to where the next one begins.
    Parts(Vec<CodingPart>),
}

/// A part of the values of a [`Coding`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodingPart {
    /// The number of its first value, which is the value 1 of its own coding.
    pub first: u32,
    /// How its values are shown; not in parts again.
    pub coding: Coding,
}

impl Coding {
    /// What is stored in place of the value before the first one, which would be 0 and look like "undefined".
    /// It fits into no cell, and is a small number for code. (What is 2^31 below the first value looks the same.)
    pub const BELOW: i64 = i32::MIN as i64;

    /// What a cell with that value is shown as.
    pub fn show(&self, value: i64) -> String {
        let value = match value {
            0 if self.kind == CodingKind::Pointers => return "NULL".into(),
            0 => return "undefined".into(),
            Coding::BELOW => 0,
            value => value,
        };
        match &self.kind {
            CodingKind::Numbers { first } => first.wrapping_add(value - 1).to_string(),
            CodingKind::Names(_) => self
                .name_of(value)
                .map_or_else(|| value.to_string(), str::to_string),
            CodingKind::Members => format!("{}_{value}", self.name),
            CodingKind::Pointers => value.to_string(),
            CodingKind::Parts(parts) => match part_of(parts, value) {
                Some((part, value)) => part.show(value),
                None => value.to_string(),
            },
        }
    }

    /// What stands for an element of an array whose first one belongs to the value after `before`. Nothing does for 0, unless the values
    /// are numbers and go on below.
    fn show_element(&self, position: i64, before: u32) -> Option<String> {
        match position.wrapping_add(i64::from(before)) {
            0 if matches!(self.kind, CodingKind::Numbers { .. }) => Some(self.show(Coding::BELOW)),
            0 => None,
            value => Some(self.show(value)),
        }
    }

    /// The name of a value, if it has one of its own.
    pub fn name_of(&self, value: i64) -> Option<&str> {
        match &self.kind {
            CodingKind::Names(names) => {
                let index = usize::try_from(value.checked_sub(1)?).ok()?;
                names.get(index).map(String::as_str)
            }
            CodingKind::Parts(parts) => {
                let (part, value) = part_of(parts, value)?;
                part.name_of(value)
            }
            CodingKind::Numbers { .. } | CodingKind::Members | CodingKind::Pointers => None,
        }
    }
}

/// The part that a value belongs to, and which of its values it is.
fn part_of(parts: &[CodingPart], value: i64) -> Option<(&Coding, i64)> {
    let begun = |part: &&CodingPart| i64::from(part.first) <= value;
    let part = parts.iter().rev().find(begun)?;
    Some((&part.coding, value - i64::from(part.first) + 1))
}

/// What all channels made by one declaration have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelKind {
    /// How many messages fit in; 0 means that sender and receiver meet (rendezvous).
    pub capacity: u32,
    /// The types of a message's fields; records are given field by field.
    pub fields: Vec<Scalar>,
    /// The declaration that makes such channels.
    pub span: Span,
}

/// A variable, a parameter or a record field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// What stands for the positions in its arrays when they are shown, the outermost array first. Where
    /// nothing is said, positions are numbers from 0 on.
    pub indices: Vec<ArrayIndex>,
    /// What it holds at first.
    pub initial: Initial,
    /// Whether its value is part of the state.
    pub storage: Storage,
    /// Where it is declared.
    pub span: Span,
}

/// What stands for the positions in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayIndex {
    /// The values that the elements belong to.
    pub coding: CodingId,
    /// The first element belongs to the value after this one: to the first one, or to none if members of sets are at their own
    /// numbers.
    pub before: u32,
}

impl ArrayIndex {
    /// What stands for a position; nothing if it is there only because positions start at 0.
    pub fn show(self, codings: &[Coding], position: i64) -> Option<String> {
        codings[self.coding.index()].show_element(position, self.before)
    }
}

/// Whether a variable's value is part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// It is.
    State,
    /// It is not: after every step it is back at its initial value. Nobody can tell, because every
    /// step that reads it has written it before.
    Scratch,
}

/// What a variable holds at first. Expressions are evaluated when the variable comes to be: at the
/// start for globals, when the process is created for locals, which may refer to parameters and to
/// locals before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Zero in every cell; a record's fields have their own.
    Default,
    /// This value in every cell.
    Fill(Expr),
    /// These values in the first elements, the last of them in all further ones.
    List(Vec<Expr>),
    /// A new channel in every cell.
    NewChannel(ChannelKindId),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_to_their_width() {
        assert_eq!(Scalar::unsigned(8).store(256), Some(0));
        assert_eq!(Scalar::unsigned(8).store(-1), Some(255));
        assert_eq!(Scalar::signed(16).store(32768), Some(-32768));
        assert_eq!(
            Scalar::signed(32).store(i64::from(i32::MAX) + 1),
            Some(i64::from(i32::MIN))
        );
        assert_eq!(Scalar::unsigned(3).store(9), Some(1));
        assert_eq!(Scalar::Bool.store(2), Some(0));
        assert_eq!(Scalar::Range { min: 1, max: 4 }.store(5), None);
        assert_eq!(coded(4).store(5), None);
        assert_eq!(coded(4).store(-1), None);
        assert_eq!(coded(4).store(4), Some(4));
    }

    #[test]
    fn widths_tell_all_values_apart() {
        let size = |_| 4;
        assert_eq!(Scalar::Range { min: 0, max: 0 }.width(size), (1, false));
        assert_eq!(Scalar::Range { min: 3, max: 6 }.width(size), (2, false));
        assert_eq!(Scalar::Id(DomainId(0)).width(size), (3, false));
        assert_eq!(Scalar::signed(16).width(size), (16, true));
        assert_eq!(coded(3).width(size), (2, false));
        assert_eq!(coded(4).width(size), (3, false));
        assert_eq!(coded(i64::from(u32::MAX)).width(size), (32, false));
    }

    fn coded(max: i64) -> Scalar {
        Scalar::Coded {
            coding: CodingId(0),
            max,
        }
    }

    #[test]
    fn values_are_shown_as_the_coding_says() {
        let show = |kind: CodingKind, value| {
            let name = "T".into();
            Coding { name, kind }.show(value)
        };
        let names = || CodingKind::Names(vec!["RED".into(), "GREEN".into()]);
        assert_eq!(show(names(), 0), "undefined");
        assert_eq!(show(names(), 2), "GREEN");
        assert_eq!(show(names(), 3), "3");
        assert_eq!(show(CodingKind::Numbers { first: -1 }, 1), "-1");
        assert_eq!(show(CodingKind::Members, 2), "T_2");
        let pointers = [0, 2].map(|value| show(CodingKind::Pointers, value));
        assert_eq!(pointers, ["NULL", "2"]);
        let part = |first, name: &str, kind| CodingPart {
            first,
            coding: Coding {
                name: name.into(),
                kind,
            },
        };
        let parts = || {
            let members = part(2, "Proc", CodingKind::Members);
            CodingKind::Parts(vec![members, part(5, "E", names())])
        };
        let shown: Vec<String> = (0..8).map(|value| show(parts(), value)).collect();
        let expected = [
            "undefined",
            "1",
            "Proc_1",
            "Proc_2",
            "Proc_3",
            "RED",
            "GREEN",
            "3",
        ];
        assert_eq!(shown, expected);
        let below = |first| show(CodingKind::Numbers { first }, Coding::BELOW);
        assert_eq!([below(0), below(5)], ["-1", "4"]);
    }

    #[test]
    fn positions_in_arrays_are_shown_by_the_values_that_are_there() {
        let show = |kind: CodingKind, before, position| {
            let name = "T".into();
            Coding { name, kind }.show_element(position, before)
        };
        let names = || CodingKind::Names(vec!["RED".into(), "GREEN".into()]);
        assert_eq!(show(names(), 1, 1).as_deref(), Some("GREEN"));
        let numbers = || CodingKind::Numbers { first: 5 };
        assert_eq!(show(numbers(), 1, 0).as_deref(), Some("5"));
        assert_eq!(show(numbers(), 1, -1).as_deref(), Some("4"));
        assert_eq!(show(CodingKind::Members, 0, 0), None);
        assert_eq!(show(CodingKind::Members, 0, 2).as_deref(), Some("T_2"));
    }
}
