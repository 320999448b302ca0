//! Large arrays of cache lines, all zero at first.
//!
//! The tables of the store are read at random, so each read of a large one costs a miss in the cache and, with
//! pages of four kilobytes, another one in the processor's memory of page addresses. Arrays of four megabytes
//! and more are therefore mapped directly, in multiples of two megabytes, and the system is asked to use large
//! pages for them. They grow without being copied: their pages are moved to a place where there is more room.
//! Fresh pages are zero without anybody writing to them, and pages that are given up go back to the system at
//! once.
//!
//! Among ten million states of 20 bytes large pages take a seen state from 146 to 79 ns and a new one from 260
//! to 207, among one million a seen one from 63 to 51.

#![allow(
    unsafe_code,
    reason = "zeroed memory with a given alignment, and advice to the system"
)]

use super::allowance::Allowance;
use crate::StoreFull;
use std::alloc::Layout;
use std::ops::Deref;
use std::ptr::NonNull;

/// A type of which all-zero bytes are a value, and which needs no drop.
///
/// # Safety
///
/// Both must be so.
pub(crate) unsafe trait Zeroed: Default {}

/// An array of `T`, zero at first.
#[derive(Debug)]
pub(crate) struct Lines<T: Zeroed> {
    start: NonNull<T>,
    count: usize,
}

// SAFETY: the array owns its elements as a `Box<[T]>` does.
unsafe impl<T: Zeroed + Send> Send for Lines<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed + Sync> Sync for Lines<T> {}

impl<T: Zeroed> Lines<T> {
    /// An array without elements, which takes no memory.
    pub(crate) fn none() -> Self {
        Self {
            start: NonNull::dangling(),
            count: 0,
        }
    }

    /// `count`, or so many more elements that they fill whole pages.
    pub(crate) fn round_up(count: usize) -> usize {
        let layout = Layout::array::<T>(count);
        layout.map_or(count, |layout| {
            mapping::size(layout) / size_of::<T>().max(1)
        })
    }

    /// Makes the array longer, with zeroes behind what it holds. On an error nothing has changed.
    pub(crate) fn extend(&mut self, count: usize, allowance: &Allowance) -> Result<(), StoreFull> {
        let layout = Layout::array::<T>(count).map_err(|_| StoreFull::Memory)?;
        let old = self.layout();
        let (before, after) = (mapping::size(old), mapping::size(layout));
        let moves = !mapping::serves(old);
        // An array that is copied exists twice for a moment.
        let more = if moves { after } else { after - before };
        allowance.take(more)?;
        let grown = match (mapping::serves(layout), moves) {
            // SAFETY: the old mapping is `self`'s own and was made with this size.
            (true, false) => unsafe { mapping::extend(self.start.cast(), before, after) },
            (true, true) => mapping::map(after),
            // SAFETY: the size is not zero, since the array has become longer.
            (false, _) => NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) }),
        };
        let Some(grown) = grown.map(NonNull::cast::<T>) else {
            allowance.give_back(more);
            return Err(StoreFull::Memory);
        };
        if moves {
            // SAFETY: both arrays have so many elements and are different; moving is copying without dropping.
            unsafe {
                std::ptr::copy_nonoverlapping(self.start.as_ptr(), grown.as_ptr(), self.count)
            };
            self.free();
            allowance.give_back(before);
        }
        (self.start, self.count) = (grown, count);
        Ok(())
    }

    /// Lets the system hand out this array in small pages: for one that is large from the beginning and of which perhaps little will ever be
    /// written to. To fill a large page with zeroes takes milliseconds, and the first states would each pay for one.
    pub(crate) fn use_small_pages(&self) {
        let layout = self.layout();
        if mapping::serves(layout) {
            mapping::use_small_pages(self.start.cast(), mapping::size(layout));
        }
    }

    /// How many bytes this array takes.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        mapping::size(self.layout())
    }

    fn layout(&self) -> Layout {
        Layout::array::<T>(self.count).unwrap_or(Layout::new::<()>())
    }

    /// Gives the memory back. The array must not be used after that.
    fn free(&mut self) {
        let layout = self.layout();
        if layout.size() == 0 {
            return;
        }
        match mapping::serves(layout) {
            // SAFETY: mapped with this size by `extend`, and nobody has a reference any more.
            true => unsafe { mapping::unmap(self.start.cast(), mapping::size(layout)) },
            // SAFETY: allocated with this layout by `extend`.
            false => unsafe { std::alloc::dealloc(self.start.as_ptr().cast(), layout) },
        }
    }
}

impl<T: Zeroed> Default for Lines<T> {
    fn default() -> Self {
        Self::none()
    }
}

impl<T: Zeroed> Deref for Lines<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `count` elements that live as long as `self`, aligned, and zero is a value
        // of them. Without elements it is dangling but aligned, as a slice wants it.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.count) }
    }
}

impl<T: Zeroed> Drop for Lines<T> {
    fn drop(&mut self) {
        self.free();
    }
}

/// Where the system can be asked for large pages.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod mapping {
    use std::alloc::Layout;
    use std::ptr::{NonNull, null_mut};

    const LARGE_PAGE: usize = 1 << 21;

    /// Smaller arrays would waste too much if they took whole pages.
    pub(super) fn serves(layout: Layout) -> bool {
        layout.size() >= 2 * LARGE_PAGE && layout.align() <= LARGE_PAGE
    }

    /// How many bytes are taken for this layout.
    pub(super) fn size(layout: Layout) -> usize {
        match serves(layout) {
            true => layout.size().next_multiple_of(LARGE_PAGE),
            false => layout.size(),
        }
    }

    /// Zeroes from the system, in whole large pages. `size` is a multiple of theirs.
    pub(super) fn map(size: usize) -> Option<NonNull<u8>> {
        let more = size.checked_add(LARGE_PAGE)?;
        // SAFETY: a new private mapping without a file, at a place that the system chooses.
        let start = unsafe {
            libc::mmap(
                null_mut(),
                more,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return None;
        }
        let before = start.addr().next_multiple_of(LARGE_PAGE) - start.addr();
        let aligned = start.wrapping_byte_add(before);
        // SAFETY: all ranges are parts of the new mapping that nobody has heard of; what is unmapped lies before and
        // behind what is kept. The advice changes nothing but the size of pages, and may be refused.
        unsafe {
            if before > 0 {
                libc::munmap(start, before);
            }
            libc::munmap(aligned.wrapping_byte_add(size), LARGE_PAGE - before);
            libc::madvise(aligned, size, libc::MADV_HUGEPAGE);
        }
        NonNull::new(aligned.cast())
    }

    /// Takes back the wish for large pages. The pages are those of a mapping.
    pub(super) fn use_small_pages(start: NonNull<u8>, size: usize) {
        // SAFETY: the advice changes nothing but the size of pages that have not been written to, and may be refused.
        unsafe {
            libc::madvise(start.as_ptr().cast(), size, libc::MADV_NOHUGEPAGE);
        }
    }

    /// A longer mapping that begins with the pages of this one, which are moved and not copied. If there is none, the
    /// old mapping stays.
    ///
    /// # Safety
    ///
    /// The mapping must come from [`map`] or from here, with the same size, and is not to be used any more if
    /// there is a new one.
    pub(super) unsafe fn extend(
        start: NonNull<u8>,
        before: usize,
        after: usize,
    ) -> Option<NonNull<u8>> {
        let grown = map(after)?;
        let how = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: the pages of the old mapping take the place of the first pages of the new one, which is not in use.
        let moved =
            unsafe { libc::mremap(start.as_ptr().cast(), before, before, how, grown.as_ptr()) };
        if moved == libc::MAP_FAILED {
            // SAFETY: nobody has heard of the new mapping.
            unsafe { unmap(grown, after) };
            return None;
        }
        Some(grown)
    }

    /// Gives a mapping back.
    ///
    /// # Safety
    ///
    /// The mapping must come from [`map`] or [`extend`] with the same size and not be used any more.
    pub(super) unsafe fn unmap(start: NonNull<u8>, size: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            libc::munmap(start.as_ptr().cast(), size);
        }
    }
}

/// Where it cannot.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64", not(miri))))]
mod mapping {
    use std::alloc::Layout;
    use std::ptr::NonNull;

    pub(super) fn serves(_: Layout) -> bool {
        false
    }

    pub(super) fn size(layout: Layout) -> usize {
        layout.size()
    }

    pub(super) fn map(_: usize) -> Option<NonNull<u8>> {
        None
    }

    pub(super) fn use_small_pages(_: NonNull<u8>, _: usize) {}

    /// Nothing is mapped, so nothing is extended.
    ///
    /// # Safety
    ///
    /// Always given.
    pub(super) unsafe fn extend(_: NonNull<u8>, _: usize, _: usize) -> Option<NonNull<u8>> {
        None
    }

    /// Does nothing, as nothing is mapped.
    ///
    /// # Safety
    ///
    /// Always given.
    pub(super) unsafe fn unmap(_: NonNull<u8>, _: usize) {}
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::Relaxed;

    #[derive(Default)]
    struct Number(AtomicU64);

    // SAFETY: zero is a number, and numbers need no drop.
    unsafe impl Zeroed for Number {}

    #[test]
    fn arrays_keep_what_they_hold_when_they_become_longer() {
        let allowance = Allowance::new(usize::MAX);
        let mut lines = Lines::<Number>::none();
        let mut written = 0;
        let all = [1, 2, 1000, 1 << 18, (1 << 18) + 77, 1 << 19, 900_001];
        for count in all.into_iter().take(if cfg!(miri) { 3 } else { 7 }) {
            lines.extend(count, &allowance).unwrap();
            assert_eq!(lines.len(), count);
            assert_eq!(lines.bytes(), allowance.used());
            assert!(lines.bytes() >= count * size_of::<Number>());
            for (place, number) in lines.iter().enumerate() {
                let expected = if place < written { place as u64 } else { 0 };
                assert_eq!(number.0.load(Relaxed), expected);
                number.0.store(place as u64, Relaxed);
            }
            written = count;
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "an interpreter has no system that could refuse")]
    fn absurd_sizes_are_refused() {
        let allowance = Allowance::new(usize::MAX);
        let mut lines = Lines::<Number>::none();
        lines.extend(3, &allowance).unwrap();
        assert!(lines.extend(usize::MAX, &allowance).is_err());
        assert!(lines.extend(usize::MAX / 32, &allowance).is_err());
        assert_eq!((lines.len(), allowance.used()), (3, 24));
    }

    #[test]
    fn the_limit_is_kept() {
        let allowance = Allowance::new(1000);
        let mut lines = Lines::<Number>::none();
        lines.extend(50, &allowance).unwrap();
        assert!(
            lines.extend(80, &allowance).is_err(),
            "both would exist at a time"
        );
        assert_eq!((lines.len(), allowance.used()), (50, 400));
    }
}
