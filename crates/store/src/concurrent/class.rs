//! Classes: states of one length whose trees have the same shape.
//!
//! The first states of a length are kept in a class with a tree that knows nothing about them. When there are
//! [`YOUNG`] of them, a better tree is chosen (see `plan`) and the class gets an *heir*, another class for the
//! same length, where all further states go. The old class stays as it is, so that the names it gave out remain
//! valid; its states are the elders of the new one and are recognised there (see `elders`). A length changes
//! its tree only this once.

use super::StateRef;
use super::allowance::Allowance;
use super::elders::Elders;
use super::fold::{fold, unfold};
use super::nodes::{Crowded, Nodes, Supplies};
use super::plan;
use super::roots::Roots;
use super::shape::Shape;
use super::sieve::Sieve;
use super::tree::Tree;
use crate::{MAX_STATE_LENGTH, StoreFull};

/// With how many states the tree of a class is chosen.
const YOUNG: usize = 1 << 14;
/// How many of them are looked at.
const SAMPLE: usize = 1 << 12;
/// From how many chunks on there is something to choose.
const CHOICE: usize = 3;

/// What grows.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) nodes: Nodes,
    pub(crate) classes: Vec<Class>,
    /// What replaces the tables of roots in an approximate store.
    pub(crate) sieve: Option<Sieve>,
    /// By length, one more than the number of the class where new states go; zero if there is none.
    lengths: Vec<u16>,
    supplies: Supplies,
}

/// States of one length whose trees have the same shape.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) shape: Shape,
    pub(crate) roots: Roots,
    /// The states of this length that are in another class, from before.
    pub(crate) elders: Option<Elders>,
    /// The class where states of this length go now.
    pub(crate) heir: Option<u16>,
    /// Whether it is settled that this class will have no heir, unless it has one.
    pub(crate) settled: bool,
}

impl Class {
    pub(crate) fn new(shape: Shape, settled: bool) -> Self {
        Self {
            shape,
            roots: Roots::new(),
            elders: None,
            heir: None,
            settled,
        }
    }
}

impl Tables {
    pub(crate) fn new(sieve: Option<Sieve>) -> Self {
        Self {
            nodes: Nodes::new(),
            classes: Vec::new(),
            sieve,
            lengths: Vec::new(),
            supplies: Supplies::default(),
        }
    }

    /// The class where states of this length go.
    #[inline]
    pub(crate) fn class(&self, length: usize) -> Option<u16> {
        self.lengths.get(length)?.checked_sub(1)
    }

    /// Decodes a state of the store with this number.
    pub(crate) fn load(&self, serial: u64, state: StateRef, tree: &mut Tree) {
        let Some(class) = self.classes.get(usize::from(state.class)) else {
            *tree = Tree::default();
            return;
        };
        let origin = (serial, state.class);
        unfold(
            &class.shape,
            &self.nodes,
            state.root,
            tree.origin == origin,
            tree,
        );
        tree.length = class.shape.length();
        tree.origin = origin;
    }

    /// Looks for a state.
    pub(crate) fn find(&self, packed: &[u8]) -> Option<StateRef> {
        let number = self.class(packed.len())?;
        let class = &self.classes[usize::from(number)];
        let root = self.nodes.find_root(&class.shape, packed)?;
        if class.roots.contains(root) {
            return Some(StateRef::new(number, root));
        }
        let elders = class.elders.as_ref()?;
        let old = elders.find(root, Roots::hash(root))?;
        Some(StateRef::new(elders.class(), old))
    }

    /// Makes a class for states of this length, unless there is one.
    pub(crate) fn open_class(
        &mut self,
        length: usize,
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        if length > MAX_STATE_LENGTH {
            return Err(StoreFull::Length);
        }
        if self.class(length).is_some() {
            return Ok(());
        }
        let shape = Shape::dealt_out(length);
        let settled = shape.chunks() < CHOICE;
        self.add_class(Class::new(shape, settled), allowance)
    }

    /// Adds a class, where states of its length go from now on.
    pub(crate) fn add_class(
        &mut self,
        class: Class,
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        if self.classes.len() >= usize::from(u16::MAX) {
            return Err(StoreFull::Ids);
        }
        let length = class.shape.length();
        let more = (length + 1).saturating_sub(self.lengths.len());
        let bytes = class.shape.bytes() + size_of::<Class>();
        allowance.take(bytes + more * size_of::<u16>())?;
        if more > 0 {
            self.lengths.reserve_exact(more);
            self.lengths.resize(length + 1, 0);
        }
        self.classes.push(class);
        self.lengths[length] = self.classes.len() as u16;
        Ok(())
    }

    /// Makes room for another root of a class, in this one or by giving it an heir.
    pub(crate) fn grow_class(
        &mut self,
        number: u16,
        allowance: &Allowance,
    ) -> Result<(), StoreFull> {
        let class = &mut self.classes[usize::from(number)];
        if !class.settled && class.roots.count() >= YOUNG {
            class.settled = true;
            // Without an heir, for lack of memory or ids, the class goes on as it is.
            let _ = self.appoint_heir(number, allowance);
        }
        let class = &mut self.classes[usize::from(number)];
        if class.heir.is_some() {
            return Ok(());
        }
        class.roots.grow(allowance)
    }

    /// Chooses a tree that suits the states of a class, and makes a class with it.
    fn appoint_heir(&mut self, number: u16, allowance: &Allowance) -> Result<(), StoreFull> {
        let class = &self.classes[usize::from(number)];
        let mut roots = Vec::new();
        roots.extend(class.roots.iter(0, 1).map(|(root, _)| root));
        let length = class.shape.length();
        let sample = self.sample(number, &roots);
        let Some(shape) = plan::choose(length, class.shape.chunks(), &sample) else {
            return Ok(());
        };
        let mut heir = Class::new(shape, true);
        if self.sieve.is_none() {
            heir.elders = Some(self.elders(number, &heir.shape, allowance)?);
        }
        self.add_class(heir, allowance)?;
        self.classes[usize::from(number)].heir = Some(self.classes.len() as u16 - 1);
        Ok(())
    }

    /// What an heir with this shape needs to know about the states of the class before.
    pub(crate) fn elders(
        &mut self,
        before: u16,
        shape: &Shape,
        allowance: &Allowance,
    ) -> Result<Elders, StoreFull> {
        let class = &self.classes[usize::from(before)];
        let roots: Vec<u64> = class.roots.iter(0, 1).map(|(root, _)| root).collect();
        let bytes = Elders::bytes_for(roots.len());
        allowance.take(bytes)?;
        match self.new_roots(before, &roots, shape, allowance) {
            Ok(pairs) => Ok(Elders::new(before, &pairs, Roots::hash)),
            Err(full) => {
                allowance.give_back(bytes);
                Err(full)
            }
        }
    }

    /// The chunks of some of the states with these roots.
    fn sample(&self, number: u16, roots: &[u64]) -> Vec<u32> {
        let shape = &self.classes[usize::from(number)].shape;
        let mut tree = Tree::default();
        let mut sample = Vec::new();
        for root in roots.iter().step_by((roots.len() / SAMPLE).max(1)) {
            unfold(shape, &self.nodes, *root, false, &mut tree);
            sample.extend_from_slice(&tree.row[..shape.chunks()]);
        }
        sample
    }

    /// The roots that states of a class have with another shape, and those that they have now.
    fn new_roots(
        &mut self,
        number: u16,
        roots: &[u64],
        shape: &Shape,
        allowance: &Allowance,
    ) -> Result<Vec<(u64, u64)>, StoreFull> {
        let mut tree = Tree::default();
        let mut row = Vec::new();
        let mut pairs = Vec::with_capacity(roots.len());
        for root in roots {
            let old = &self.classes[usize::from(number)].shape;
            unfold(old, &self.nodes, *root, false, &mut tree);
            tree.length = old.length();
            let new = loop {
                let intern = |left, right| self.nodes.intern(left, right, &mut self.supplies);
                match fold(shape, tree.bytes(), None, &mut row, intern) {
                    Ok(root) => break root,
                    Err(Crowded) => self.nodes.grow(allowance)?,
                }
            };
            pairs.push((new, *root));
        }
        Ok(pairs)
    }
}
