//! The processes of an arranged program, and the names that a point of it can use.

use super::colours::Colours;
use super::places::{Arrangement, Way};
use crate::random::RandomSource;

/// How a process knows its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It is its number: `active [n]`.
    Number,
    /// It is its number less one, as `init` comes first.
    NumberLessOne,
    /// It is told when it is made: `run P(i)`.
    Told,
}

/// The cast of a program.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    pub(super) arrangement: Arrangement,
    pub(super) naming: Naming,
    /// The classes of values that can be exchanged.
    pub(super) colours: Vec<Colours>,
    /// Whether variables for places may hold none.
    pub(super) nobody: bool,
    /// Whether a process of another kind takes part.
    pub(super) outsider: bool,
    /// Neighbours that a process is told when it is made, by the names of these parameters.
    pub(super) told: Vec<(Way, &'static str)>,
    /// A channel that it is told then, of an array of that name: that of a neighbour.
    pub(super) link: Option<(String, Way)>,
}

/// What stands for no place.
pub(super) const NOBODY: i32 = 255;

impl Cast {
    pub(super) fn random(dice: &mut RandomSource) -> Cast {
        let arrangement = Arrangement::random(dice);
        let namings = [
            (4, Naming::Number),
            (2, Naming::NumberLessOne),
            (4, Naming::Told),
        ];
        let naming = dice.weighted(&namings);
        let classes = dice.weighted(&[(5, 0), (4, 1), (1, 2)]);
        let colours = (0..classes).map(|_| Colours::random(dice));
        let mut cast = Cast {
            arrangement,
            naming,
            colours: colours.collect(),
            nobody: dice.chance(60),
            outsider: dice.chance(25),
            told: Vec::new(),
            link: None,
        };
        // There is one `mtype`.
        let words = cast.colours.iter().filter(|c| c.ty == "mtype");
        if words.count() > 1 {
            cast.colours.truncate(1);
        }
        if naming == Naming::Told && dice.chance(50) {
            cast.told = arrangement.near();
        }
        cast
    }

    /// The order of the group that a program has by construction.
    pub(super) fn order(&self) -> u64 {
        let colours = self.colours.iter().map(Colours::order);
        self.arrangement.order() * colours.product::<u64>()
    }

    pub(super) fn size(&self) -> i32 {
        self.arrangement.size()
    }

    /// What a process calls its own place.
    pub(super) fn own(&self) -> &'static str {
        match self.naming {
            Naming::Number => "_pid",
            Naming::NumberLessOne => "(_pid - 1)",
            Naming::Told => "me",
        }
    }

    pub(super) fn has_init(&self) -> bool {
        self.naming != Naming::Number
    }

    /// The number of the process at a place, if that is known.
    pub(super) fn number(&self, place: &str) -> Option<String> {
        match self.naming {
            Naming::Number => Some(place.to_string()),
            Naming::NumberLessOne => Some(format!("({place} + 1)")),
            Naming::Told => None,
        }
    }
}

impl Arrangement {
    /// The neighbours that everybody has and that may be told, with what they are called.
    fn near(self) -> Vec<(Way, &'static str)> {
        match self {
            Arrangement::Ring { size, .. } => {
                vec![(Way::On(1), "next"), (Way::On(size - 1), "prev")]
            }
            Arrangement::Cube { dimensions: 2, .. } => {
                vec![(Way::Across(1), "next"), (Way::Across(2), "over")]
            }
            Arrangement::Blocks { width: 2, .. } => vec![(Way::Across(1), "next")],
            _ => Vec::new(),
        }
    }
}

/// What a cell or a field of a message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A number from 0 to this.
    Number(i32),
    /// A place, or nobody.
    Place,
    /// A part of the places.
    Part,
    /// A value of that class.
    Colour(usize),
}

/// What an array has an element for each of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Place,
    /// Something between two neighbours.
    Fork,
    Part,
    Colour(usize),
}

/// A variable, an array or an array of arrays; or channels.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The text between the indices: one more than there are of them.
    pub(super) parts: Vec<String>,
    pub(super) indices: Vec<Index>,
    pub(super) holds: Holds,
    /// The first part where left and right are exchanged, if that is another one.
    pub(super) mirrored: Option<String>,
}

impl Cell {
    pub(super) fn simple(name: &str, holds: Holds) -> Cell {
        Cell {
            parts: vec![name.into()],
            indices: Vec::new(),
            holds,
            mirrored: None,
        }
    }

    pub(super) fn array(name: &str, index: Index, holds: Holds) -> Cell {
        Cell {
            parts: vec![name.into(), String::new()],
            indices: vec![index],
            holds,
            mirrored: None,
        }
    }

    /// The text with these indices.
    pub(super) fn at(&self, indices: &[String], twist: usize) -> String {
        let mut text = match &self.mirrored {
            Some(mirrored) if twist == 1 => mirrored.clone(),
            _ => self.parts[0].clone(),
        };
        for (index, part) in indices.iter().zip(&self.parts[1..]) {
            text.push_str(&format!("[{index}]{part}"));
        }
        text
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        self.parts[0].clone()
    }
}

/// A channel or an array of channels.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) cell: Cell,
    pub(super) fields: Vec<Holds>,
    pub(super) buffered: bool,
}

/// What can be named at a point of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) cells: Vec<Cell>,
    pub(super) channels: Vec<Channel>,
    /// What the process calls its own place, if it has one.
    pub(super) own: Option<String>,
}
