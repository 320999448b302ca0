//! Scopes: the names that a point of the program can use.

use crate::random::RandomSource;
use std::fmt::{self, Display, Formatter};

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned(u8),
    Mtype,
}

impl Type {
    /// How often each type is chosen.
    pub(super) const WEIGHTS: &[(usize, Type)] = &[
        (3, Type::Bit),
        (3, Type::Bool),
        (6, Type::Byte),
        (1, Type::Pid),
        (2, Type::Short),
        (3, Type::Int),
        (2, Type::Unsigned(2)),
        (1, Type::Unsigned(5)),
        (2, Type::Mtype),
    ];

    /// The greatest value, as far as small numbers are concerned.
    pub(super) fn reach(self) -> i32 {
        match self {
            Type::Bit | Type::Bool => 1,
            Type::Unsigned(bits) => (1 << bits) - 1,
            Type::Byte | Type::Pid | Type::Mtype => 255,
            Type::Short | Type::Int => 32767,
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned(_) => "unsigned",
            Type::Mtype => "mtype",
        })
    }
}

/// A variable, an array or a field of a record.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// What stands before the index.
    pub(super) before: String,
    /// The length of the array, a power of two.
    pub(super) length: Option<u32>,
    /// What stands after the index.
    pub(super) after: String,
    pub(super) ty: Type,
    /// It must not be assigned, because a loop counts with it.
    pub(super) fixed: bool,
}

impl Leaf {
    pub(super) fn plain(name: &str, ty: Type) -> Leaf {
        Leaf {
            before: name.into(),
            length: None,
            after: String::new(),
            ty,
            fixed: false,
        }
    }
}

/// The fields of a channel, and whether it holds messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChannelClass {
    /// Holds messages of two numbers.
    Numbers,
    /// Holds messages of a word and a number.
    Words,
    /// Rendezvous of one number.
    Meeting,
    /// Rendezvous of a number and a word.
    MeetingWords,
    /// Holds references to channels of class [`ChannelClass::Numbers`].
    Link,
}

/// The kind of a field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// A number of a few bits at least.
    Number,
    /// 0 or 1.
    Bit,
    Word,
    Channel,
}

impl ChannelClass {
    /// How often each class is chosen.
    pub(super) const WEIGHTS: &[(usize, ChannelClass)] = &[
        (4, ChannelClass::Numbers),
        (2, ChannelClass::Words),
        (3, ChannelClass::Meeting),
        (1, ChannelClass::MeetingWords),
        (1, ChannelClass::Link),
    ];

    pub(super) fn fields(self) -> &'static [Field] {
        match self {
            ChannelClass::Numbers => &[Field::Number, Field::Number],
            ChannelClass::Words => &[Field::Word, Field::Bit],
            ChannelClass::Meeting => &[Field::Number],
            ChannelClass::MeetingWords => &[Field::Number, Field::Word],
            ChannelClass::Link => &[Field::Channel, Field::Bit],
        }
    }

    pub(super) fn field_list(self) -> &'static str {
        match self {
            ChannelClass::Numbers => "byte, short",
            ChannelClass::Words => "mtype, bit",
            ChannelClass::Meeting => "byte",
            ChannelClass::MeetingWords => "int, mtype",
            ChannelClass::Link => "chan, bool",
        }
    }

    pub(super) fn holds_messages(self) -> bool {
        !matches!(self, ChannelClass::Meeting | ChannelClass::MeetingWords)
    }

    pub(super) fn capacity(self, dice: &mut RandomSource) -> i32 {
        if self.holds_messages() {
            dice.between(1, 2)
        } else {
            0
        }
    }
}

/// A channel, or a variable that refers to one.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) length: Option<u32>,
    pub(super) class: ChannelClass,
    /// It always refers to the same channel.
    pub(super) fixed: bool,
}

/// All that can be named.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) leaves: Vec<Leaf>,
    pub(super) channels: Vec<Channel>,
    /// Variables for the use of loops, not in use now.
    pub(super) counters: Vec<String>,
    /// Whether a process is being made, which has a number; a claim has none.
    pub(super) numbered: bool,
}

impl Scope {
    /// A channel of that class that is no array.
    pub(super) fn plain_channel(&self, class: ChannelClass) -> Option<String> {
        let fits = |c: &&Channel| c.class == class && c.length.is_none();
        self.channels.iter().find(fits).map(|c| c.name.clone())
    }
}
