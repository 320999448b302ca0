//! Lists of state handles, and tables of them.

use mandala_store::StateRef;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What a state in a table of numbers takes, with the room that tables leave empty.
pub(crate) const NUMBERED_BYTES: usize = 2 * (size_of::<StateRef>() + size_of::<u32>() + 1);

/// A number for each of some states.
pub(crate) type Numbers = HashMap<StateRef, u32, BuildHasherDefault<Mixer>>;

/// Mixes the two parts of a handle. The store makes handles, so no input can make them collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

/// An odd number without a pattern: the fractional part of the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u16(&mut self, class: u16) {
        self.write_u64(u64::from(class));
    }

    fn write_u64(&mut self, root: u64) {
        let mixed = u128::from(self.0 ^ root) * u128::from(GOLDEN);
        self.0 = mixed as u64 ^ (mixed >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// How many elements a large list has.
const LARGE: usize = 1 << 12;

/// State handles, ten bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handles {
    roots: Vec<u64>,
    classes: Vec<u16>,
}

impl Handles {
    #[inline]
    pub(crate) fn push(&mut self, state: StateRef) {
        push(&mut self.roots, state.root());
        push(&mut self.classes, state.class());
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<StateRef> {
        Some(StateRef::new(self.classes.pop()?, self.roots.pop()?))
    }

    #[inline]
    pub(crate) fn truncate(&mut self, length: usize) {
        self.roots.truncate(length);
        self.classes.truncate(length);
    }

    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn get(&self, index: usize) -> StateRef {
        StateRef::new(self.classes[index], self.roots[index])
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = StateRef> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.roots.capacity() * size_of::<u64>() + self.classes.capacity() * size_of::<u16>()
    }
}

/// Adds an element. A large list grows by little at a time, so that it does not suddenly take more memory than allowed.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, element: T) {
    if list.len() == list.capacity() && list.len() >= LARGE {
        list.reserve_exact(list.len() / 32);
    }
    list.push(element);
}

impl FromIterator<StateRef> for Handles {
    fn from_iter<I: IntoIterator<Item = StateRef>>(states: I) -> Self {
        let mut handles = Handles::default();
        states.into_iter().for_each(|state| handles.push(state));
        handles
    }
}
