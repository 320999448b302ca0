//! The relation of a step: its image of a set of states, and its preimage.
//!
//! A step is a condition and, for each bit that it writes, a function of the state before. It could be one relation between two rows of
//! bits, those before and those after. But then all that the step may write has to be quantified and renamed, and an index makes that
//! a whole array. So a step is taken apart twice:
//!
//! - into *pieces*, by indices (`pieces`): `next[prev] = i` writes to one element only, once it is known to which;
//! - a piece into *stages*, by what is read (`stages`): what is written and not read any more is forgotten and then bound to its function,
//!   which needs no second row of bits. Only what is read for its own new value, or crosswise, does.

use crate::attempt::{Context, Path};
use crate::diagrams::{Bdd, Diagrams, Made};
use crate::number::Number;
use crate::pieces::{self, Piece};
use crate::stages::Stages;
use crate::stop::CellId;
use oxidd::{BooleanFunction, BooleanFunctionQuant};

/// A step as a relation between states.
pub(crate) struct Relation {
    pieces: Vec<Stages>,
}

/// What a step does to a bit.
#[derive(Clone)]
pub(crate) struct Change {
    pub bit: usize,
    pub value: Bdd,
}

/// What a step does to a cell: the bits that are not what they were.
pub(crate) type Write = Vec<Change>;

impl Relation {
    /// What a step does that has come to its end.
    pub(crate) fn of(context: Context<'_>, path: &Path) -> Made<Self> {
        let step = Piece {
            condition: path.condition.clone(),
            writes: writes(context, path),
        };
        let pieces = pieces::of(context.d, context.layout, step)?.into_iter();
        let pieces = pieces.map(|piece| {
            let changes = piece.writes.into_iter().flatten();
            Stages::of(context.d, piece.condition, changes.collect())
        });
        Ok(Relation {
            pieces: pieces.collect::<Made<_>>()?,
        })
    }

    /// Where steps from a set lead.
    pub(crate) fn image(&self, d: &Diagrams, states: &Bdd) -> Made<Bdd> {
        let mut after = d.no.clone();
        for piece in &self.pieces {
            after = after.or(&piece.image(states)?)?;
        }
        Ok(after)
    }

    /// From where steps lead into a set.
    pub(crate) fn preimage(&self, d: &Diagrams, states: &Bdd) -> Made<Bdd> {
        let mut before = d.no.clone();
        for piece in &self.pieces {
            before = before.or(&piece.preimage(states)?)?;
        }
        Ok(before)
    }
}

/// What is written to each cell that may not be what it was.
fn writes(context: Context<'_>, path: &Path) -> Vec<Write> {
    let cells = path.cells.iter();
    let writes = cells.map(|(&cell, number)| changes_of(context, cell, number));
    writes.filter(|write| !write.is_empty()).collect()
}

fn changes_of(context: Context<'_>, cell: CellId, number: &Number) -> Write {
    let bits = context.layout.bits_of(cell).iter().enumerate();
    let changes = bits.map(|(i, &bit)| Change {
        bit,
        value: number.bit(i).clone(),
    });
    changes
        .filter(|c| c.value != *context.d.now(c.bit))
        .collect()
}

/// Where a step that has come to its end has changed some cell that counts.
pub(crate) fn changes_something(
    context: Context<'_>,
    path: &Path,
    counts: impl Fn(CellId) -> bool,
) -> Made<Bdd> {
    let mut differs = context.d.no.clone();
    let cells = path.cells.iter().filter(|(cell, _)| counts(**cell));
    for change in cells.flat_map(|(&cell, number)| changes_of(context, cell, number)) {
        differs = differs.or(&change.value.xor(context.d.now(change.bit))?)?;
    }
    Ok(differs.and(&path.condition)?)
}

/// A set of states with some bits forgotten.
pub(crate) fn forgetting(d: &Diagrams, states: &Bdd, bits: &[usize]) -> Made<Bdd> {
    Ok(states.exists(&d.product_now(bits)?)?)
}
