//! What a step makes of a set of states, and from where it leads into one.
//!
//! The relation of a step speaks of the bits that the step may change, and of no others: what it leaves alone is not quantified
//! and so stays. Bits that get the same value wherever the step comes from are left out of the relation, too. They are forgotten
//! and set, which needs no second variable.

use crate::attempt::{Context, Path};
use crate::cells::CellId;
use crate::diagrams::{Bdd, Diagrams, Made, meet_forgetting, renamed};
use crate::number::Number;
use oxidd::{BooleanFunction, BooleanFunctionQuant, Subst};

/// A step as a relation between states.
pub(crate) struct Relation {
    /// From where to where.
    steps: Bdd,
    /// The bits that may change, before the step.
    changed: Bdd,
    /// Those of them that the relation speaks of, after the step.
    changed_then: Bdd,
    back: Option<Subst<Bdd>>,
    forth: Option<Subst<Bdd>>,
    /// The bits that are set, and their values.
    set: Bdd,
    set_bits: Bdd,
}

/// What a step does to a bit.
struct Change {
    bit: usize,
    value: Bdd,
}

impl Relation {
    /// What a step does that has come to its end.
    pub fn of(context: Context<'_>, path: &Path) -> Made<Self> {
        let d = context.d;
        let changes = changes(context, path);
        let is_set = |change: &&Change| d.as_constant(&change.value).is_some();
        let set = changes.iter().filter(is_set);
        let set: Vec<(usize, bool)> = set.map(|c| (c.bit, c.value == d.yes)).collect();
        let moved: Vec<&Change> = changes.iter().filter(|c| !is_set(c)).collect();
        let bits: Vec<usize> = moved.iter().map(|change| change.bit).collect();
        let mut steps = d.yes.clone();
        for change in moved.iter().rev() {
            steps = d.then(change.bit).equiv(&change.value)?.and(&steps)?;
        }
        let all: Vec<usize> = changes.iter().map(|change| change.bit).collect();
        let set_bits: Vec<usize> = set.iter().map(|(bit, _)| *bit).collect();
        Ok(Relation {
            steps: path.condition.and(&steps)?,
            changed: d.product_now(&all)?,
            changed_then: d.product_then(&bits)?,
            back: (!bits.is_empty()).then(|| d.back(&bits)),
            forth: (!bits.is_empty()).then(|| d.forth(&bits)),
            set: d.cube(&set)?,
            set_bits: d.product_now(&set_bits)?,
        })
    }

    /// Where steps from a set lead.
    pub fn image(&self, states: &Bdd) -> Made<Bdd> {
        let after = meet_forgetting(states, &self.steps, &self.changed)?;
        let after = match &self.back {
            Some(back) => renamed(&after, back)?,
            None => after,
        };
        Ok(after.and(&self.set)?)
    }

    /// From where steps lead into a set.
    pub fn preimage(&self, states: &Bdd) -> Made<Bdd> {
        let before = meet_forgetting(states, &self.set, &self.set_bits)?;
        let before = match &self.forth {
            Some(forth) => renamed(&before, forth)?,
            None => before,
        };
        meet_forgetting(&before, &self.steps, &self.changed_then)
    }
}

/// The bits that are not what they were, those on top first.
fn changes(context: Context<'_>, path: &Path) -> Vec<Change> {
    let cells = path.cells.iter();
    let changes = cells.flat_map(|(&cell, number)| changes_of(context, cell, number));
    let mut changes: Vec<Change> = changes.collect();
    changes.sort_by_key(|change| change.bit);
    changes
}

fn changes_of(context: Context<'_>, cell: CellId, number: &Number) -> Vec<Change> {
    let bits = context.layout.bits_of(cell).iter().enumerate();
    let changes = bits.map(|(i, &bit)| Change {
        bit,
        value: number.bit(i).clone(),
    });
    changes
        .filter(|c| c.value != *context.d.now(c.bit))
        .collect()
}

/// Where a step that has come to its end has changed something.
pub(crate) fn changes_something(context: Context<'_>, path: &Path) -> Made<Bdd> {
    let mut differs = context.d.no.clone();
    for change in changes(context, path) {
        differs = differs.or(&change.value.xor(context.d.now(change.bit))?)?;
    }
    Ok(differs.and(&path.condition)?)
}

/// A set of states with some bits forgotten.
pub(crate) fn forgetting(d: &Diagrams, states: &Bdd, bits: &[usize]) -> Made<Bdd> {
    Ok(states.exists(&d.product_now(bits)?)?)
}
