//! The atomics and locks of the concurrent store, from the standard library, or from `loom` when its model
//! checker runs the tests.

#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::{
    Mutex, MutexGuard, RwLock, RwLockReadGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize},
};

#[cfg(not(all(test, loom)))]
pub(crate) use std::thread::yield_now;

#[cfg(all(test, loom))]
pub(crate) use loom::thread::yield_now;

#[cfg(all(test, loom))]
pub(crate) use loom::sync::{
    Mutex, MutexGuard, RwLock, RwLockReadGuard,
    atomic::{AtomicU32, AtomicU64, AtomicUsize},
};

pub(crate) use std::sync::atomic::Ordering;
