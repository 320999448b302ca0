//! One thread's access to the store.

use super::StateRef;
use super::class::Tables;
use super::fold::fold;
use super::nodes::{Crowded, Supplies};
use super::roots::{Entered, Roots};
use super::sieve::{Sieve, Sifted};
use super::store::{StateStore, Tally, depth_tag};
use super::sync::{Ordering, RwLockReadGuard};
use super::tree::Tree;
use crate::StoreFull;
use crate::hash::hash;
use std::sync::Arc;

/// From how many nodes on a session keeps recent ones.
const MANY_NODES: usize = 1 << 10;

/// What an insertion found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrived {
    /// The state was not in the store, and now is.
    New(StateRef),
    /// The state was in the store already.
    Seen(StateRef),
}

impl Arrived {
    /// The name of the state, new or not.
    #[must_use]
    pub fn state(self) -> StateRef {
        match self {
            Self::New(state) | Self::Seen(state) => state,
        }
    }

    /// Whether the state was not in the store before.
    #[must_use]
    pub fn is_new(self) -> bool {
        matches!(self, Self::New(_))
    }
}

/// A state whose parts are in the store, and which may itself be in it or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prepared {
    state: StateRef,
    hash: u64,
}

impl Prepared {
    /// A name that the state can be read by. It is the state's only name once [`Session::insert`] has returned it.
    #[must_use]
    pub fn state(self) -> StateRef {
        self.state
    }
}

/// Where a state belongs: its root, and the number of its class. A class that cannot be is the reason why there is no
/// place.
#[derive(Clone, Copy)]
struct Located {
    root: u64,
    class: u64,
}

/// The reasons, in the order in which they are counted behind the classes.
const REASONS: [StoreFull; 3] = [StoreFull::Memory, StoreFull::Ids, StoreFull::Length];

impl Located {
    #[cold]
    fn nowhere(full: StoreFull) -> Self {
        let reason = REASONS.iter().position(|reason| *reason == full);
        Self {
            root: 0,
            class: NO_CLASS + reason.unwrap_or(0) as u64,
        }
    }

    #[cold]
    fn why_nowhere(class: u64) -> StoreFull {
        let reason = class.checked_sub(NO_CLASS).map(|reason| reason as usize);
        let known = reason.and_then(|reason| REASONS.get(reason));
        *known.unwrap_or(&StoreFull::Memory)
    }
}

/// More than the number of any class.
const NO_CLASS: u64 = u16::MAX as u64 + 1;

/// One thread's access to a [`StateStore`].
///
/// A session keeps the store from growing, except when it grows the store itself: so a thread that holds one
/// must not wait for other threads, unless it calls [`release`](Session::release) first, and must have no
/// second session of the same store. Any other call may wait until another thread has made the store larger.
/// Sessions are cheap to make, but are meant to last.
#[derive(Debug)]
pub struct Session<'s> {
    store: &'s StateStore,
    tables: Option<RwLockReadGuard<'s, Tables>>,
    /// There until the session is dropped.
    desk: Option<Desk>,
}

/// What a session works with and leaves to the next one.
#[derive(Debug)]
pub(super) struct Desk {
    tally: Arc<Tally>,
    supplies: Supplies,
    row: Vec<u32>,
}

impl Desk {
    pub(super) fn new(tally: Arc<Tally>) -> Self {
        Self {
            tally,
            supplies: Supplies::default(),
            row: Vec::new(),
        }
    }
}

/// What an attempt to insert a state came to.
#[derive(Clone, Copy)]
enum Attempt {
    New,
    Seen,
    /// It was there, in another class and with this root.
    Elder(u16, u64),
    /// There is no room for its root.
    CrowdedRoots,
    /// There is no room in the sieve.
    CrowdedSieve,
    /// Its class has an heir.
    Retired,
}

impl<'s> Session<'s> {
    pub(super) fn new(store: &'s StateStore) -> Self {
        let desk = store.desks().take();
        store.allowance.arrive();
        Self {
            store,
            tables: None,
            desk: Some(desk),
        }
    }

    /// Lets other threads grow the store until the next call.
    pub fn release(&mut self) {
        self.tables = None;
    }

    /// Decodes a state. The name must come from this store; a made-up one gives a made-up state.
    ///
    /// It is faster if the tree holds a similar state.
    pub fn load(&self, state: StateRef, tree: &mut Tree) {
        let serial = self.store.serial;
        match &self.tables {
            Some(tables) => tables.load(serial, state, tree),
            None => self.store.read().load(serial, state, tree),
        }
    }

    /// Puts the parts of a state into the store, and lets the processor fetch the place where the state itself
    /// belongs.
    ///
    /// `near` is the tree of a state that is likely to have parts in common with this one; any tree will do. It pays
    /// to prepare some dozens of states before the first of them is inserted.
    ///
    /// # Errors
    ///
    /// If the store is full or the state too long. Everything stored before can still be read.
    // Always inlined, for the reason that `locate` is never: a `Prepared` that is returned comes back in memory.
    #[inline(always)]
    pub fn prepare(&mut self, packed: &[u8], near: &Tree) -> Result<Prepared, StoreFull> {
        let Located { root, class } = self.locate(packed, near);
        let Ok(number) = u16::try_from(class) else {
            return Err(Located::why_nowhere(class));
        };
        let (tables, _) = self.open();
        let hash = match &tables.sieve {
            None => {
                let hash = Roots::hash(root);
                tables.classes[usize::from(number)].roots.prefetch(hash);
                hash
            }
            Some(sieve) => {
                let hash = hash(packed);
                sieve.prefetch(hash);
                hash
            }
        };
        let state = StateRef::new(number, root);
        Ok(Prepared { state, hash })
    }

    /// The root and the class of a state, whose nodes are put into the store.
    ///
    /// A function of its own that gives two numbers: those come back in registers. What comes back in memory, as a
    /// [`Prepared`] would, is written in small pieces and then copied in large ones, which the processor can do only after
    /// a wait: that took a twentieth of the time of a search.
    #[inline(never)]
    fn locate(&mut self, packed: &[u8], near: &Tree) -> Located {
        loop {
            let serial = self.store.serial;
            let (tables, desk) = self.open();
            let grown = if let Some(number) = tables.class(packed.len()) {
                let class = &tables.classes[usize::from(number)];
                let near = (near.origin == (serial, number)).then_some(near);
                let intern = |left, right| tables.nodes.intern(left, right, &mut desk.supplies);
                match fold(&class.shape, packed, near, &mut desk.row, intern) {
                    Ok(root) => {
                        let class = number.into();
                        return Located { root, class };
                    }
                    Err(Crowded) => self.grow_nodes(),
                }
            } else {
                self.open_class(packed.len())
            };
            if let Err(full) = grown {
                return Located::nowhere(full);
            }
        }
    }

    /// Lets the processor fetch what [`load`](Session::load) will read first of a state.
    #[inline]
    pub fn anticipate(&self, state: StateRef) {
        if let Some(tables) = &self.tables {
            tables.nodes.prefetch_sides(state.root);
        }
    }

    /// Adds a state unless it is there. `depth` is remembered if it is new.
    ///
    /// In an approximate store the name of a state that was seen can be another one than it was given before.
    ///
    /// # Errors
    ///
    /// If the state is new and the store is full. Everything stored before can still be read.
    #[inline]
    pub fn insert(&mut self, prepared: Prepared, depth: u32) -> Result<Arrived, StoreFull> {
        loop {
            let (tables, desk) = self.open();
            let attempt = match &tables.sieve {
                None => tables.insert(prepared, depth, desk),
                Some(sieve) => tables.sift(sieve, prepared, desk),
            };
            match attempt {
                Attempt::Seen => return Ok(Arrived::Seen(prepared.state)),
                Attempt::New => return Ok(Arrived::New(prepared.state)),
                Attempt::Elder(class, root) => {
                    return Ok(Arrived::Seen(StateRef::new(class, root)));
                }
                Attempt::CrowdedRoots => self.grow_class(prepared.state.class)?,
                Attempt::CrowdedSieve => self.grow_sieve(prepared.hash)?,
                Attempt::Retired => return self.insert_anew(prepared.state, depth),
            }
        }
    }

    /// Looks for a state without adding anything. An approximate store can find a state that is not there, and
    /// then under a name that means nothing.
    pub fn find(&mut self, packed: &[u8]) -> Option<StateRef> {
        let (tables, _) = self.open();
        match &tables.sieve {
            None => tables.find(packed),
            Some(sieve) => {
                let number = tables.class(packed.len())?;
                let class = &tables.classes[usize::from(number)];
                let root = tables.nodes.find_root(&class.shape, packed)?;
                let there = sieve.contains(hash(packed));
                there.then(|| StateRef::new(number, root))
            }
        }
    }

    /// The tables, and what this session works with. Gives way first if somebody wants to change the tables.
    #[inline]
    pub(super) fn open(&mut self) -> (&Tables, &mut Desk) {
        if self.store.wanted.load(Ordering::Relaxed) != 0 {
            self.tables = None;
        }
        let desk = self.desk.as_mut().expect("a session has a desk");
        let tables = self
            .tables
            .get_or_insert_with(|| enter(self.store, &mut desk.supplies));
        (tables, desk)
    }

    #[cold]
    fn open_class(&mut self, length: usize) -> Result<(), StoreFull> {
        self.release();
        let open = |tables: &mut Tables, allowance: &_| tables.open_class(length, allowance);
        self.store.change(open)
    }

    #[cold]
    fn grow_nodes(&mut self) -> Result<(), StoreFull> {
        self.release();
        let grow = |tables: &mut Tables, allowance: &_| tables.nodes.grow(allowance);
        self.store.change(grow)
    }

    #[cold]
    fn grow_class(&mut self, class: u16) -> Result<(), StoreFull> {
        self.release();
        let grow = |tables: &mut Tables, allowance: &_| tables.grow_class(class, allowance);
        self.store.change(grow)
    }

    #[cold]
    fn grow_sieve(&mut self, hash: u64) -> Result<(), StoreFull> {
        self.release();
        self.store
            .change(|tables, allowance| match &mut tables.sieve {
                Some(sieve) => sieve.grow(hash, allowance),
                None => Ok(()),
            })
    }

    /// Inserts a state that was prepared before its class had an heir.
    #[cold]
    fn insert_anew(&mut self, state: StateRef, depth: u32) -> Result<Arrived, StoreFull> {
        let mut tree = Tree::default();
        self.load(state, &mut tree);
        let anew = self.prepare(tree.bytes(), &Tree::default())?;
        self.insert(anew, depth)
    }
}

/// Waits for the tables. If there are many nodes by now, recent ones are worth keeping.
#[cold]
fn enter<'s>(store: &'s StateStore, supplies: &mut Supplies) -> RwLockReadGuard<'s, Tables> {
    let tables = store.read();
    if tables.nodes.taken() >= MANY_NODES && supplies.recent.begin() {
        store.allowance.note(supplies.recent.bytes());
    }
    tables
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.release();
        self.store.allowance.leave();
        if let Some(desk) = self.desk.take() {
            self.store.desks().put_back(desk);
        }
    }
}

impl Tables {
    /// Tries to insert a state into an exact store.
    #[inline]
    fn insert(&self, prepared: Prepared, depth: u32, desk: &mut Desk) -> Attempt {
        let Prepared { state, hash } = prepared;
        let class = &self.classes[usize::from(state.class)];
        if class.heir.is_some() {
            return match class.roots.contains(state.root) {
                true => Attempt::Seen,
                false => Attempt::Retired,
            };
        }
        let elders = class.elders.as_ref();
        match class
            .roots
            .insert(state.root, hash, depth_tag(depth), elders)
        {
            Entered::Seen => Attempt::Seen,
            Entered::New => {
                desk.tally.count(1, class.shape.length() as u64);
                Attempt::New
            }
            Entered::Elder(root) => {
                let number = elders.map_or(state.class, |elders| elders.class());
                Attempt::Elder(number, root)
            }
            Entered::Crowded => Attempt::CrowdedRoots,
        }
    }

    /// Tries to insert a state into an approximate store.
    #[inline(never)]
    fn sift(&self, sieve: &Sieve, prepared: Prepared, desk: &mut Desk) -> Attempt {
        let Prepared { state, hash } = prepared;
        let class = &self.classes[usize::from(state.class)];
        if !class.settled && class.heir.is_none() {
            // The first states of a length are kept, so that a tree can be chosen for the rest.
            let hash = Roots::hash(state.root);
            if class.roots.insert(state.root, hash, 1, None) == Entered::Crowded {
                return Attempt::CrowdedRoots;
            }
        }
        match sieve.insert(hash) {
            Sifted::Seen => Attempt::Seen,
            Sifted::New => {
                desk.tally.count(1, class.shape.length() as u64);
                Attempt::New
            }
            Sifted::Crowded => Attempt::CrowdedSieve,
        }
    }
}
