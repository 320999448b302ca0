//! A step taken apart by the indices in it.
//!
//! An assignment through an index writes, for all that can be told beforehand, to every element: to one of them the new value, to the
//! others what they hold. And what is read through an index may be any element; a diagram for that has to keep all of them in mind
//! until it comes to the index, if that is further down. Where the index is known, one is left. So the states from which a step is taken
//! are split
//!
//! - by the value of a cell that decides which of several others are read;
//! - then, cell by cell, into those from which the cell stays whatever it holds, and the others.

use crate::cells::Layout;
use crate::diagrams::{Bdd, Diagrams, Made, without};
use crate::relation::{Change, Write};
use crate::stop::CellId;
use oxidd::{BooleanFunction, BooleanFunctionQuant};
use std::collections::BTreeSet;

/// A step that would have more pieces is not taken apart any further: what it does depends on more than an index.
const MOST_PIECES: usize = 512;

/// An index has no more bits than that.
const BITS_OF_AN_INDEX: usize = 8;

/// A part of a step: from where it is taken, and what it does there.
pub(crate) struct Piece {
    pub condition: Bdd,
    pub writes: Vec<Write>,
}

/// The pieces of a step. No state is in the condition of two of them.
pub(crate) fn of(d: &Diagrams, layout: &Layout, step: Piece) -> Made<Vec<Piece>> {
    let mut pieces = Vec::new();
    for piece in read_apart(d, layout, step)? {
        pieces.extend(written_apart(d, piece)?);
    }
    Ok(pieces)
}

/// Splits a piece by the values of cells that decide what is read.
fn read_apart(d: &Diagrams, layout: &Layout, piece: Piece) -> Made<Vec<Piece>> {
    let Some(index) = index(d, layout, &piece)? else {
        return Ok(vec![piece]);
    };
    let mut apart = Vec::new();
    for value in values(d, layout.bits_of(index))? {
        let condition = piece.condition.and(&value)?;
        if !condition.satisfiable() {
            continue;
        }
        let writes = restricted(&piece.writes, &value)?;
        apart.extend(read_apart(d, layout, Piece { condition, writes })?);
        if apart.len() > MOST_PIECES {
            return Ok(vec![piece]);
        }
    }
    Ok(apart)
}

/// The cell whose value leaves the fewest of the cells that are read for a bit, if that is less than half of them.
fn index(d: &Diagrams, layout: &Layout, piece: &Piece) -> Made<Option<CellId>> {
    let changes = piece.writes.iter().flatten();
    let widest = changes.map(|change| (cells_read(d, layout, &change.value), &change.value));
    let Some((cells, value)) = widest.max_by_key(|(cells, _)| cells.len()) else {
        return Ok(None);
    };
    let mut best: Option<(usize, CellId)> = None;
    for &cell in &cells {
        let fewer = best.map_or(cells.len().div_ceil(2), |(least, _)| least);
        if cells.len() > 2
            && let Some(left) = left_by(d, layout, value, cell, fewer)?
        {
            best = Some((left, cell));
        }
    }
    Ok(best.map(|(_, cell)| cell))
}

/// How many cells a value reads at most if a cell is known, if those are fewer than that.
fn left_by(
    d: &Diagrams,
    layout: &Layout,
    value: &Bdd,
    cell: CellId,
    fewer: usize,
) -> Made<Option<usize>> {
    let bits = layout.bits_of(cell);
    if bits.len() > BITS_OF_AN_INDEX {
        return Ok(None);
    }
    let mut most = 0;
    // The last values first: 0 is often no index at all.
    for known in values(d, bits)?.iter().rev() {
        most = most.max(cells_read(d, layout, &value.restrict(known)?).len());
        if most >= fewer {
            return Ok(None);
        }
    }
    Ok(Some(most))
}

fn cells_read(d: &Diagrams, layout: &Layout, value: &Bdd) -> BTreeSet<CellId> {
    let bits = d.bits_read(value).into_iter();
    bits.map(|bit| layout.owner(bit)).collect()
}

/// All values that some bits can have.
fn values(d: &Diagrams, bits: &[usize]) -> Made<Vec<Bdd>> {
    let value = |number: usize| {
        let bits = bits.iter().enumerate();
        let bits: Vec<(usize, bool)> = bits.map(|(i, &bit)| (bit, number >> i & 1 == 1)).collect();
        d.cube(&bits)
    };
    (0..1 << bits.len()).map(value).collect()
}

/// What is written where some bits have a value.
fn restricted(writes: &[Write], value: &Bdd) -> Made<Vec<Write>> {
    let restricted = |change: &Change| {
        Ok(Change {
            bit: change.bit,
            value: change.value.restrict(value)?,
        })
    };
    let writes = writes.iter();
    writes
        .map(|write| write.iter().map(restricted).collect())
        .collect()
}

/// Splits a piece by what is written and what is kept.
fn written_apart(d: &Diagrams, piece: Piece) -> Made<Vec<Piece>> {
    let mut pieces = vec![Piece {
        condition: piece.condition,
        writes: Vec::new(),
    }];
    for write in piece.writes {
        let split = split(&pieces, &where_kept(d, &write)?, &write)?;
        pieces = match split.len() > MOST_PIECES {
            true => written(pieces, &write),
            false => split,
        };
    }
    Ok(pieces)
}

/// The states in which a cell would stay as it is whatever it held.
fn where_kept(d: &Diagrams, write: &Write) -> Made<Bdd> {
    let mut same = d.yes.clone();
    for change in write {
        same = same.and(&change.value.equiv(d.now(change.bit))?)?;
    }
    let bits: Vec<usize> = write.iter().map(|change| change.bit).collect();
    Ok(same.forall(&d.product_now(&bits)?)?)
}

/// Each piece once where a cell is kept and once where it is written.
fn split(pieces: &[Piece], kept: &Bdd, write: &Write) -> Made<Vec<Piece>> {
    let mut split = Vec::new();
    for piece in pieces {
        let stays = piece.condition.and(kept)?;
        let changes = without(&piece.condition, kept)?;
        if stays.satisfiable() {
            split.push(Piece {
                condition: stays,
                writes: piece.writes.clone(),
            });
        }
        if changes.satisfiable() {
            let there = Piece {
                condition: changes,
                writes: piece.writes.clone(),
            };
            split.extend(written(vec![there], write));
        }
    }
    Ok(split)
}

/// The pieces, each of which writes to a cell.
fn written(mut pieces: Vec<Piece>, write: &Write) -> Vec<Piece> {
    for piece in &mut pieces {
        piece.writes.push(write.clone());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::Stages;

    const BITS: usize = 4;
    const STATES: usize = 1 << BITS;

    /// A condition on all bits by its table: one bit for each state.
    fn condition(d: &Diagrams, table: usize) -> Made<Bdd> {
        let mut condition = d.no.clone();
        for state in (0..STATES).filter(|state| table >> state & 1 == 1) {
            let bits: Vec<(usize, bool)> = (0..BITS).map(|b| (b, state >> b & 1 == 1)).collect();
            condition = condition.or(&d.cube(&bits)?)?;
        }
        Ok(condition)
    }

    /// Tables of functions that steps have: constants, bits, bits that depend on a condition, and any others.
    fn table(random: &mut impl FnMut() -> usize) -> usize {
        let bit = |b: usize| (0..STATES).map(|s| (s >> b & 1) << s).sum::<usize>();
        let any = random();
        let (a, b) = (bit(random() % BITS), bit(random() % BITS));
        match random() % 5 {
            0 => 0,
            1 => usize::MAX,
            2 => a,
            3 => (a & b) | (!a & bit(random() % BITS)),
            _ => any,
        }
    }

    /// The states that a table has.
    fn those(table: usize) -> impl Iterator<Item = usize> {
        (0..STATES).filter(move |state| table >> state & 1 == 1)
    }

    #[test]
    fn pieces_in_stages_do_what_the_step_does() -> Made<()> {
        let d = Diagrams::new(BITS, 1 << 22)?;
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as usize
        };
        for round in 0..500 {
            let when = random() | random();
            let values: Vec<usize> = (0..BITS).map(|_| table(&mut random)).collect();
            let writes = values.iter().enumerate().map(|(bit, &table)| {
                let value = condition(&d, table)?;
                Ok(vec![Change { bit, value }])
            });
            let step = Piece {
                condition: condition(&d, when)?,
                writes: writes.collect::<Made<_>>()?,
            };
            let after = |s: usize| {
                let bits = values.iter().enumerate();
                bits.map(|(b, table)| (table >> s & 1) << b).sum::<usize>()
            };
            let set = random();
            let image = those(set & when).fold(0, |all, s| all | 1 << after(s));
            let into = those(when).filter(|s| set >> after(*s) & 1 == 1);
            let preimage = into.fold(0, |all, s| all | 1 << s);
            let (mut found, mut found_back) = (d.no.clone(), d.no.clone());
            for piece in written_apart(&d, step)? {
                let changes = piece.writes.into_iter().flatten().collect();
                let stages = Stages::of(&d, piece.condition, changes)?;
                found = found.or(&stages.image(&condition(&d, set)?)?)?;
                found_back = found_back.or(&stages.preimage(&condition(&d, set)?)?)?;
            }
            assert!(found == condition(&d, image)?, "image in round {round}");
            assert!(
                found_back == condition(&d, preimage)?,
                "preimage in round {round}"
            );
        }
        Ok(())
    }
}
