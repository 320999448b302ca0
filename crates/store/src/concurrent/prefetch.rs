//! Telling the processor what will be read soon.

#![allow(unsafe_code, reason = "the instruction is only there as an intrinsic")]

/// Lets the processor fetch the cache line of `place` while other work goes on. Where that cannot be told,
/// nothing happens.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction is part of every processor of this kind, and changes nothing but what is in
        // the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}
