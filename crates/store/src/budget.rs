//! Memory accounting.
//!
//! Every vector of the store grows through a [`Budget`], which refuses to exceed the limit and turns a
//! failing allocator into an error as well. Capacity is counted, not length: what counts is what is held.

use crate::StoreFull;

/// How much memory may be held, and how much is.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    used: usize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, used: 0 }
    }

    /// The bytes held by everything that was reserved through this budget.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Makes room for `additional` more elements, and no more than that.
    pub(crate) fn reserve<T>(
        &mut self,
        vec: &mut Vec<T>,
        additional: usize,
    ) -> Result<(), StoreFull> {
        let before = vec.capacity();
        let spare = before - vec.len();
        if spare >= additional {
            return Ok(());
        }
        self.check::<T>(additional - spare)?;
        vec.try_reserve_exact(additional)
            .map_err(|_| StoreFull::Memory)?;
        self.used += (vec.capacity() - before) * size_of::<T>();
        Ok(())
    }

    /// Makes room for one more element of a directory, with some spare room so that the cost of copying
    /// stays constant per element.
    pub(crate) fn reserve_one<T>(&mut self, vec: &mut Vec<T>) -> Result<(), StoreFull> {
        if vec.len() < vec.capacity() {
            return Ok(());
        }
        self.reserve(vec, 1 + vec.len() / 4)
    }

    /// Replaces the elements of `vec` by `count` copies of `element`, without ever holding both.
    ///
    /// On an error the vector has kept its contents if the limit forbids the new size, and is empty if the
    /// system refused the memory.
    pub(crate) fn replace<T: Clone>(
        &mut self,
        vec: &mut Vec<T>,
        count: usize,
        element: T,
    ) -> Result<(), StoreFull> {
        self.check::<T>(count.saturating_sub(vec.capacity()))?;
        self.used -= vec.capacity() * size_of::<T>();
        *vec = Vec::new();
        self.reserve(vec, count)?;
        vec.resize(count, element);
        Ok(())
    }

    fn check<T>(&self, additional: usize) -> Result<(), StoreFull> {
        let wanted = additional
            .checked_mul(size_of::<T>())
            .and_then(|bytes| bytes.checked_add(self.used));
        match wanted {
            Some(bytes) if bytes <= self.limit => Ok(()),
            _ => Err(StoreFull::Memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_is_held_and_refuses_more() {
        let mut budget = Budget::new(100);
        let mut words: Vec<u32> = Vec::new();
        budget.reserve(&mut words, 20).unwrap();
        assert_eq!(budget.used(), 80);
        assert_eq!(budget.reserve(&mut words, 26), Err(StoreFull::Memory));
        assert_eq!(budget.used(), 80);
        budget.reserve(&mut words, 25).unwrap();
        assert_eq!(budget.used(), 100);
    }

    #[test]
    fn replacing_frees_the_old_elements_first() {
        let mut budget = Budget::new(100);
        let mut bytes = Vec::new();
        budget.replace(&mut bytes, 60, 1u8).unwrap();
        budget.replace(&mut bytes, 100, 2u8).unwrap();
        assert_eq!((budget.used(), bytes.len(), bytes[99]), (100, 100, 2));
        assert_eq!(budget.replace(&mut bytes, 101, 3u8), Err(StoreFull::Memory));
        assert_eq!((bytes.len(), bytes[0]), (100, 2));
    }

    #[test]
    fn absurd_sizes_are_refused_not_overflowed() {
        let mut budget = Budget::new(usize::MAX);
        let mut words: Vec<u64> = Vec::new();
        assert_eq!(
            budget.reserve(&mut words, usize::MAX),
            Err(StoreFull::Memory)
        );
        assert_eq!(
            budget.reserve(&mut words, usize::MAX / 8),
            Err(StoreFull::Memory)
        );
        assert_eq!(budget.used(), 0);
    }
}
