//! From what steps touch to which steps get in each other's way, and which may make others possible.

use super::bits::Bits;
use super::objects::Objects;
use super::pieces::{Piece, Whose};
use std::collections::HashMap;

/// Sets of steps, each kept once.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub sets: Vec<Bits>,
    numbers: HashMap<Bits, u32>,
}

impl Rows {
    /// The number of a set.
    fn number(&mut self, set: Bits) -> u32 {
        *self.numbers.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            self.sets.len() as u32 - 1
        })
    }
}

/// Who touches what.
pub(crate) struct Relations<'a> {
    pieces: &'a [Piece],
    objects: &'a Objects<'a>,
    /// For each part of the state, the steps that read it, and those that write it.
    readers: Vec<Bits>,
    writers: Vec<Bits>,
    /// For each channel, the steps that may offer a rendezvous, and those that may accept one.
    offers: Vec<Bits>,
    accepts: Vec<Bits>,
    pub rows: Rows,
}

impl<'a> Relations<'a> {
    pub fn new(pieces: &'a [Piece], objects: &'a Objects<'a>) -> Self {
        let parts = objects.count();
        let channels = objects.unborn_channels() + 1;
        Relations {
            readers: invert(pieces, parts, |piece| &piece.touch.reads),
            writers: invert(pieces, parts, |piece| &piece.touch.writes),
            offers: invert(pieces, channels, |piece| &piece.offers),
            accepts: invert(pieces, channels, |piece| &piece.accepts),
            rows: Rows::default(),
            pieces,
            objects,
        }
    }

    fn none(&self) -> Bits {
        Bits::new(self.pieces.len())
    }

    /// The steps that must not be left out where a step is made: those that do not commute with it where both are possible, and the
    /// other halves of it if it is one of a rendezvous.
    pub fn conflicts(&mut self, piece: &Piece) -> u32 {
        let mut set = self.none();
        if piece.meets_later {
            (0..self.pieces.len()).for_each(|step| set.insert(step));
            return self.rows.number(set);
        }
        for part in piece.touch.writes.iter() {
            set.add(&self.readers[part]);
            set.add(&self.writers[part]);
        }
        for part in piece.touch.reads.iter() {
            set.add(&self.writers[part]);
        }
        self.keep_possible(piece, &mut set);
        for channel in piece.accepts.iter() {
            set.add(&self.offers[channel]);
        }
        for channel in piece.offers.iter() {
            set.add(&self.accepts[channel]);
        }
        self.rows.number(set)
    }

    /// Of the steps of the same process, those from other locations are not possible at the same time.
    fn keep_possible(&self, piece: &Piece, set: &mut Bits) {
        let Whose::Process {
            number: mine,
            source: here,
            alone,
            ..
        } = piece.whose
        else {
            return;
        };
        for (step, other) in self.pieces.iter().enumerate() {
            if let Whose::Process { number, source, .. } = other.whose
                && number == mine
            {
                if source != here {
                    set.remove(step);
                } else if alone {
                    set.insert(step);
                }
            }
        }
    }

    /// The steps that may write something.
    pub fn writers(&mut self, parts: &Bits) -> u32 {
        let mut set = self.none();
        parts.iter().for_each(|part| set.add(&self.writers[part]));
        self.rows.number(set)
    }

    /// The steps that may take messages from some channels.
    pub fn takers(&mut self, channels: &Bits) -> u32 {
        let heads = self.ends(channels, |objects, channel| objects.head(channel));
        self.writers(&heads)
    }

    /// The steps that may put messages into some channels.
    pub fn putters(&mut self, channels: &Bits) -> u32 {
        let tails = self.ends(channels, |objects, channel| objects.tail(channel));
        self.writers(&tails)
    }

    fn ends(&self, channels: &Bits, end: impl Fn(&Objects<'_>, usize) -> usize) -> Bits {
        let mut ends = Bits::default();
        channels
            .iter()
            .for_each(|channel| ends.insert(end(self.objects, channel)));
        ends
    }

    /// The steps that may bring the process of a step to where the step begins.
    pub fn openers(&mut self, piece: &Piece) -> u32 {
        let mut set = self.none();
        for (step, other) in self.pieces.iter().enumerate() {
            if brings_to(other, piece.whose) {
                set.insert(step);
            }
        }
        self.rows.number(set)
    }
}

/// Whether a step may bring a process to where another one begins.
fn brings_to(step: &Piece, begin: Whose) -> bool {
    match begin {
        Whose::Process { number, source, .. } => {
            let own = matches!(step.whose, Whose::Process { number: n, .. } if n == number);
            own && step.targets.contains(source)
        }
        Whose::Unborn(template) => step.spawns.contains(&template),
        Whose::Monitor => false,
    }
}

/// For each thing, the steps that have it.
fn invert(pieces: &[Piece], things: usize, of: impl Fn(&Piece) -> &Bits) -> Vec<Bits> {
    let mut steps = vec![Bits::new(pieces.len()); things];
    for (step, piece) in pieces.iter().enumerate() {
        for thing in of(piece).iter() {
            steps[thing].insert(step);
        }
    }
    steps
}
