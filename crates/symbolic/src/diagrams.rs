//! The store of decision diagrams, and the few operations on them that the library does not have in this form.
//!
//! Every bit of a state has two variables, one for now and one for after a step, next to each other in the order. All
//! operations may run out of nodes; that is an error like any other and ends the search as `unknown`.

use crate::outcome::Limit;
use crate::stop::Stop;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::num::Natural;
use oxidd::util::{OptBool, OutOfMemory, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel,
    InnerNode, Manager, ManagerRef, Node, Subst, VarNo,
};
use std::cell::{Cell, RefCell};
use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A set of states, or a condition on them.
pub(crate) type Bdd = BCDDFunction;

/// Whatever is made of diagrams, or why it is not.
pub(crate) type Made<T> = Result<T, Stop>;

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Stop::Nodes
    }
}

/// What a node takes: itself, its place in the table of its level, and its share of the cache of results.
const BYTES_A_NODE: u64 = 48;

/// For how many nodes there is one place in the cache of results, and how many places there are at most.
const NODES_A_RESULT: usize = 4;
const MOST_RESULTS: usize = 1 << 21;

/// All places of the cache are written to before anything is computed, which takes longer than many a search. So there are no more than
/// that at first, and more of them when there have been so many nodes.
const FIRST_RESULTS: usize = 1 << 16;
const FIRST_NODES: usize = 1 << 17;

/// How many nodes there may be at least and at most, whatever memory there is.
const NODES: (u64, u64) = (1 << 16, (1 << 31) - 2);

/// Nobody minds that many nodes, of which some may be garbage: with it, all results are forgotten.
const FEW_NODES: usize = 1 << 22;

/// The diagrams of one search.
pub(crate) struct Diagrams {
    manager: BCDDManagerRef,
    /// The condition that always holds.
    pub yes: Bdd,
    /// The condition that never holds.
    pub no: Bdd,
    now: Vec<Bdd>,
    then: Vec<Bdd>,
    /// From how many nodes on garbage is collected, and how many it may be at most.
    full: Cell<usize>,
    most: usize,
    /// From how many nodes on this store is too small.
    outgrown: Option<usize>,
    /// How many states were counted below each node: sets that are counted one after the other have much in common.
    counts: RefCell<SatCountCache<Natural, RandomState>>,
    until: Option<Instant>,
    cancel: Arc<AtomicBool>,
}

impl Diagrams {
    /// Room for so many bits of a state, in that much memory.
    pub(crate) fn new(bits: usize, memory: u64) -> Made<Self> {
        Self::with_results(bits, memory, MOST_RESULTS)
    }

    /// The same, but it is ready at once and is outgrown soon.
    pub(crate) fn small(bits: usize, memory: u64) -> Made<Self> {
        let small = Self::with_results(bits, memory, FIRST_RESULTS)?;
        Ok(Diagrams {
            outgrown: Some(FIRST_NODES),
            ..small
        })
    }

    fn with_results(bits: usize, memory: u64, results: usize) -> Made<Self> {
        let nodes = (memory / BYTES_A_NODE).clamp(NODES.0, NODES.1) as usize;
        let for_nodes = (nodes / NODES_A_RESULT).next_power_of_two();
        let manager = new_manager(nodes, for_nodes.min(results), 1);
        let most = nodes / 4 * 3;
        let variables = 2 * bits as VarNo;
        manager.with_manager_exclusive(|m| m.add_vars(variables));
        let of_parity = |parity: VarNo| {
            let numbers = (0..variables).filter(|v| v % 2 == parity);
            let made = manager.with_manager_shared(|m| {
                let variables = numbers.map(|v| Bdd::var(m, v));
                variables.collect::<Result<Vec<Bdd>, OutOfMemory>>()
            });
            made.map_err(Stop::from)
        };
        let (now, then) = (of_parity(0)?, of_parity(1)?);
        let (yes, no) = manager.with_manager_shared(|m| (Bdd::t(m), Bdd::f(m)));
        Ok(Diagrams {
            manager,
            yes,
            no,
            now,
            then,
            full: Cell::new(FEW_NODES.min(most)),
            most,
            outgrown: None,
            counts: RefCell::default(),
            until: None,
            cancel: Arc::default(),
        })
    }

    /// How many bits a state has.
    pub(crate) fn bits(&self) -> usize {
        self.now.len()
    }

    /// The variable of a bit before a step.
    pub(crate) fn now(&self, bit: usize) -> &Bdd {
        &self.now[bit]
    }

    /// The variable of a bit after a step.
    pub(crate) fn then(&self, bit: usize) -> &Bdd {
        &self.then[bit]
    }

    /// The condition that always or never holds.
    pub(crate) fn constant(&self, value: bool) -> &Bdd {
        if value { &self.yes } else { &self.no }
    }

    /// Which of the two it is, if it is one.
    pub(crate) fn as_constant(&self, condition: &Bdd) -> Option<bool> {
        match condition {
            c if *c == self.yes => Some(true),
            c if *c == self.no => Some(false),
            _ => None,
        }
    }

    /// All conditions together. Those of bits further down come first, which keeps what is in between small.
    pub(crate) fn all(&self, conditions: impl DoubleEndedIterator<Item = Bdd>) -> Made<Bdd> {
        let mut all = self.yes.clone();
        for condition in conditions.rev() {
            all = condition.and(&all)?;
        }
        Ok(all)
    }

    /// The variables of some bits before a step, as a product for quantification.
    pub(crate) fn product_now(&self, bits: &[usize]) -> Made<Bdd> {
        self.all(bits.iter().map(|&bit| self.now[bit].clone()))
    }

    /// The variables of some bits after a step, as a product for quantification.
    pub(crate) fn product_then(&self, bits: &[usize]) -> Made<Bdd> {
        self.all(bits.iter().map(|&bit| self.then[bit].clone()))
    }

    /// The states in which bits have those values.
    pub(crate) fn cube(&self, values: &[(usize, bool)]) -> Made<Bdd> {
        let mut values = values.to_vec();
        values.sort_unstable();
        let literals = values.iter().map(|&(bit, value)| match value {
            true => Ok(self.now[bit].clone()),
            false => Ok(self.now[bit].not()?),
        });
        let literals = literals.collect::<Made<Vec<Bdd>>>()?;
        self.all(literals.into_iter())
    }

    /// A renaming of the bits from after a step to before it.
    pub(crate) fn back(&self, bits: &[usize]) -> Subst<Bdd> {
        let variables = bits.iter().map(|&bit| 2 * bit as VarNo + 1).collect();
        let replacements = bits.iter().map(|&bit| self.now[bit].clone()).collect();
        Subst::new(variables, replacements)
    }

    /// A renaming of the bits from before a step to after it.
    pub(crate) fn forth(&self, bits: &[usize]) -> Subst<Bdd> {
        let variables = bits.iter().map(|&bit| 2 * bit as VarNo).collect();
        let replacements = bits.iter().map(|&bit| self.then[bit].clone()).collect();
        Subst::new(variables, replacements)
    }

    /// How many states are in a set that says something about now alone.
    pub(crate) fn count(&self, set: &Bdd) -> u128 {
        let bits = self.bits() as u32;
        let both = set.sat_count(2 * bits, &mut self.counts.borrow_mut());
        whole(&(both >> bits))
    }

    /// The bits of some state of a set, if it has one. What does not matter is 0.
    pub(crate) fn pick(&self, set: &Bdd) -> Option<Vec<bool>> {
        let values = set.pick_cube(|_, _, _| false)?;
        let now = values.iter().step_by(2);
        Some(now.map(|value| *value == OptBool::True).collect())
    }

    /// The bits that a condition depends on, before or after a step.
    pub(crate) fn bits_read(&self, condition: &Bdd) -> BTreeSet<usize> {
        condition.with_manager_shared(|manager, edge| {
            let mut seen = HashSet::new();
            let mut bits = BTreeSet::new();
            let mut open = vec![edge];
            while let Some(edge) = open.pop() {
                if let Node::Inner(node) = manager.get_node(edge)
                    && seen.insert(edge.node_id())
                {
                    bits.insert(manager.level_to_var(node.level()) as usize / 2);
                    open.extend(node.children());
                }
            }
            bits
        })
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.manager
            .with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// Collects garbage.
    pub(crate) fn collect(&self) {
        let live = self.manager.with_manager_shared(|m| {
            m.gc();
            m.num_inner_nodes()
        });
        self.full.set(FEW_NODES.max(2 * live).min(self.most));
    }

    /// Called before each piece of work: collects garbage if there may be much of it, and ends where time is up or a larger store is wanted.
    pub(crate) fn pause(&self) -> Made<()> {
        let nodes = self.nodes();
        if self.outgrown.is_some_and(|most| nodes > most) {
            return Err(Stop::Outgrown);
        }
        if nodes > self.full.get() {
            self.collect();
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Limit(Limit::Cancelled));
        }
        match self.until.is_some_and(|until| Instant::now() >= until) {
            true => Err(Stop::Limit(Limit::Time)),
            false => Ok(()),
        }
    }

    /// The same diagrams, which end at some time or when somebody wants that.
    pub(crate) fn ending(mut self, until: Option<Instant>, cancel: Arc<AtomicBool>) -> Self {
        self.until = until;
        self.cancel = cancel;
        self
    }

    /// Tries once more without garbage if there was no room.
    pub(crate) fn retry<T>(&self, attempt: impl Fn() -> Made<T>) -> Made<T> {
        match attempt() {
            Err(Stop::Nodes) => {
                self.collect();
                attempt()
            }
            other => other,
        }
    }
}

/// A number as it is written, or the largest one if it is larger than that. (The conversion that the library has forgets the exponent.)
fn whole(number: &Natural) -> u128 {
    let digits = match number.mantissa() {
        [low] => u128::from(*low),
        [low, high] => u128::from(*high) << 64 | u128::from(*low),
        _ => return u128::MAX,
    };
    let shift = u32::try_from(number.exp()).unwrap_or(u32::MAX);
    match shift <= digits.leading_zeros() || digits == 0 {
        true => digits.checked_shl(shift).unwrap_or(0),
        false => u128::MAX,
    }
}

/// What is in one set and not in another.
pub(crate) fn without(set: &Bdd, other: &Bdd) -> Made<Bdd> {
    Ok(other.imp_strict(set)?)
}

/// The states of both sets, those variables forgotten.
pub(crate) fn meet_forgetting(a: &Bdd, b: &Bdd, variables: &Bdd) -> Made<Bdd> {
    Ok(a.apply_exists(BooleanOperator::And, b, variables)?)
}

/// A set with variables replaced.
pub(crate) fn renamed(set: &Bdd, renaming: &Subst<Bdd>) -> Made<Bdd> {
    Ok(set.substitute(renaming)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_as_far_as_they_go() -> Made<()> {
        let d = Diagrams::new(130, 1 << 22)?;
        assert_eq!(d.count(&d.no), 0);
        assert_eq!(d.count(&d.yes), u128::MAX);
        for (fixed, expected) in [
            (130, 1),
            (128, 4),
            (100, 1 << 30),
            (60, 1 << 70),
            (3, 1 << 127),
        ] {
            let values: Vec<(usize, bool)> = (0..fixed).map(|bit| (bit, bit % 3 == 0)).collect();
            assert_eq!(d.count(&d.cube(&values)?), expected, "{fixed}");
        }
        let some = d
            .cube(&[(0, true), (64, false)])?
            .or(&d.cube(&[(1, true)])?)?;
        let few: Vec<(usize, bool)> = (65..130).map(|bit| (bit, true)).collect();
        let some = some.and(&d.cube(&few)?)?;
        assert_eq!(d.count(&some), (1 << 64) + (1 << 62));
        Ok(())
    }

    #[test]
    fn a_store_without_room_says_so() -> Made<()> {
        let bits = 60;
        let d = Diagrams::new(bits, 0)?;
        let mut pairs = d.no.clone();
        // The two halves are far apart: each pair doubles the diagram.
        for bit in 0..bits / 2 {
            let pair = d.now(bit).and(d.now(bit + bits / 2));
            match pair.and_then(|pair| pairs.or(&pair)) {
                Ok(more) => pairs = more,
                Err(error) => {
                    assert!(matches!(Stop::from(error), Stop::Nodes));
                    return Ok(());
                }
            }
        }
        panic!("two to the thirtieth nodes fit into nothing");
    }
}
