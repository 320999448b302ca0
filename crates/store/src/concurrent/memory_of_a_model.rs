//! The module that replaces `memory` when a model of the store is checked: the model's atomics are more than numbers and
//! cannot be made by zeroing memory.

#![allow(unsafe_code, reason = "the same trait as in the real module")]

use super::allowance::Allowance;
use crate::StoreFull;
use std::ops::Deref;

/// See the real module.
///
/// # Safety
///
/// Nothing is needed here.
pub(crate) unsafe trait Zeroed: Default {}

/// An array of `T`, zero at first.
#[derive(Debug, Default)]
pub(crate) struct Lines<T>(Vec<T>);

impl<T: Zeroed> Lines<T> {
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn round_up(count: usize) -> usize {
        count
    }

    pub(crate) fn extend(&mut self, count: usize, allowance: &Allowance) -> Result<(), StoreFull> {
        allowance.take((count - self.0.len()) * size_of::<T>())?;
        self.0.resize_with(count, T::default);
        Ok(())
    }

    pub(crate) fn use_small_pages(&self) {}
}

impl<T> Deref for Lines<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}
