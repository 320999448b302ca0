//! A piece of a step taken apart by what it reads.
//!
//! In `prev = tail; tail = me`, nobody reads `prev` for anything that is written. So all that it held is forgotten, and it is bound to
//! `tail`; then nobody reads `tail` any more, and the same is done to it. Backwards it is simpler still: a bit is replaced by its
//! function. What is left in the end is read for its own new value (`n = n + 1`) or crosswise (`a, b = b, a`). That has a relation
//! between two rows of bits, and the second row is renamed.
//!
//! What a bit becomes matters only where the step is taken, so of all functions that are the same there, one is looked for that reads
//! nothing that is written.

use crate::diagrams::{Bdd, Diagrams, Made, meet_forgetting, renamed, without};
use crate::relation::Change;
use oxidd::{BooleanFunction, BooleanFunctionQuant, Function, Subst};
use std::collections::BTreeSet;

/// A piece of a step: bits that are written, one stage after the other.
pub(crate) struct Stages(Vec<Stage>);

/// Bits that are written at once.
enum Stage {
    /// They are forgotten and then bound.
    Bound(Bound),
    /// They are read for what is written.
    Moved(Moved),
}

struct Bound {
    condition: Bdd,
    forgotten: Bdd,
    binding: Bdd,
}

struct Moved {
    steps: Bdd,
    now: Bdd,
    then: Bdd,
    back: Subst<Bdd>,
    forth: Subst<Bdd>,
}

/// A bit that is written, and the bits written in the same piece that its value reads.
struct Pending {
    change: Change,
    reads: BTreeSet<usize>,
}

impl Stages {
    /// A step that is taken under a condition and changes those bits.
    pub(crate) fn of(d: &Diagrams, condition: Bdd, changes: Vec<Change>) -> Made<Self> {
        let mut written = Vec::new();
        for change in changes {
            let differs = change.value.xor(d.now(change.bit))?;
            if condition.and(&differs)?.satisfiable() {
                written.push(change);
            }
        }
        let bits: Vec<usize> = written.iter().map(|change| change.bit).collect();
        let pending = written.into_iter();
        let pending = pending.map(|change| reading_less(d, &condition, change, &bits));
        let pending = pending.collect::<Made<Vec<Pending>>>()?;
        Ok(Stages(scheduled(d, condition, pending)?))
    }

    /// Where it leads from a set.
    pub(crate) fn image(&self, states: &Bdd) -> Made<Bdd> {
        let mut states = states.clone();
        for stage in &self.0 {
            states = match stage {
                Stage::Bound(bound) => bound.image(&states)?,
                Stage::Moved(moved) => moved.image(&states)?,
            };
        }
        Ok(states)
    }

    /// From where it leads into a set.
    pub(crate) fn preimage(&self, states: &Bdd) -> Made<Bdd> {
        let mut states = states.clone();
        for stage in self.0.iter().rev() {
            states = match stage {
                Stage::Bound(bound) => bound.preimage(&states)?,
                Stage::Moved(moved) => moved.preimage(&states)?,
            };
        }
        Ok(states)
    }
}

impl Bound {
    fn of(d: &Diagrams, condition: Bdd, changes: &[Change]) -> Made<Self> {
        let bits: Vec<usize> = changes.iter().map(|change| change.bit).collect();
        let bindings = changes.iter().map(|c| Ok(d.now(c.bit).equiv(&c.value)?));
        let bindings = bindings.collect::<Made<Vec<Bdd>>>()?;
        Ok(Bound {
            condition,
            forgotten: d.product_now(&bits)?,
            binding: d.all(bindings.into_iter())?,
        })
    }

    fn image(&self, states: &Bdd) -> Made<Bdd> {
        Ok(meet_forgetting(states, &self.condition, &self.forgotten)?.and(&self.binding)?)
    }

    fn preimage(&self, states: &Bdd) -> Made<Bdd> {
        Ok(meet_forgetting(states, &self.binding, &self.forgotten)?.and(&self.condition)?)
    }
}

impl Moved {
    fn of(d: &Diagrams, condition: Bdd, changes: &[Change]) -> Made<Self> {
        let bits: Vec<usize> = changes.iter().map(|change| change.bit).collect();
        let bindings = changes.iter().map(|c| Ok(d.then(c.bit).equiv(&c.value)?));
        let bindings = bindings.collect::<Made<Vec<Bdd>>>()?;
        Ok(Moved {
            steps: condition.and(&d.all(bindings.into_iter())?)?,
            now: d.product_now(&bits)?,
            then: d.product_then(&bits)?,
            back: d.back(&bits),
            forth: d.forth(&bits),
        })
    }

    fn image(&self, states: &Bdd) -> Made<Bdd> {
        let after = meet_forgetting(states, &self.steps, &self.now)?;
        renamed(&after, &self.back)
    }

    fn preimage(&self, states: &Bdd) -> Made<Bdd> {
        let after = renamed(states, &self.forth)?;
        meet_forgetting(&after, &self.steps, &self.then)
    }
}

/// A change with a value that is the same under a condition and reads as few of those bits as may be.
fn reading_less(d: &Diagrams, condition: &Bdd, change: Change, bits: &[usize]) -> Made<Pending> {
    let reads = |value: &Bdd| -> BTreeSet<usize> {
        let read = d.bits_read(value);
        bits.iter().copied().filter(|b| read.contains(b)).collect()
    };
    let read = reads(&change.value);
    if read.is_empty() {
        return Ok(Pending {
            change,
            reads: read,
        });
    }
    let unwanted = read.union(&reads(condition)).copied().collect();
    let value = forgetful(d, condition, &change.value, &unwanted)?;
    let fewer = reads(&value);
    Ok(match fewer.len() < read.len() {
        true => Pending {
            change: Change { value, ..change },
            reads: fewer,
        },
        false => Pending {
            change,
            reads: read,
        },
    })
}

/// A function that is the same under a condition, and reads as few of those bits as may be.
fn forgetful(d: &Diagrams, condition: &Bdd, value: &Bdd, bits: &BTreeSet<usize>) -> Made<Bdd> {
    let mut set = condition.and(value)?;
    let mut unset = without(condition, value)?;
    for &bit in bits {
        let variable = d.now(bit);
        let (more_set, more_unset) = (set.exists(variable)?, unset.exists(variable)?);
        if !more_set.and(&more_unset)?.satisfiable() {
            (set, unset) = (more_set, more_unset);
        }
    }
    // Whatever is neither may be either.
    match set.node_count() <= unset.node_count() {
        true => Ok(set),
        false => Ok(unset.not()?),
    }
}

/// Stages in which a bit is written only when nothing is left to be written that reads it.
fn scheduled(d: &Diagrams, condition: Bdd, mut pending: Vec<Pending>) -> Made<Vec<Stage>> {
    pending.sort_by_key(|pending| pending.change.bit);
    let mut condition = Some(condition);
    let mut stages = Vec::new();
    // A step that writes nothing has its condition all the same.
    while condition.is_some() || !pending.is_empty() {
        let when = condition.take().unwrap_or_else(|| d.yes.clone());
        let read: BTreeSet<usize> = pending.iter().flat_map(|p| &p.reads).copied().collect();
        let is_ready = |p: &Pending| !read.contains(&p.change.bit);
        let is_stuck = !pending.is_empty() && !pending.iter().any(is_ready);
        let (ready, rest): (Vec<Pending>, Vec<Pending>) =
            pending.into_iter().partition(|p| is_stuck || is_ready(p));
        let changes: Vec<Change> = ready.into_iter().map(|p| p.change).collect();
        stages.push(match is_stuck {
            true => Stage::Moved(Moved::of(d, when, &changes)?),
            false => Stage::Bound(Bound::of(d, when, &changes)?),
        });
        pending = rest;
    }
    Ok(stages)
}
