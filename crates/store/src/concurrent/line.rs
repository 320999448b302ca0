//! A cache line of atomic words, looked at all at once.
//!
//! Which word of a line something is in cannot be foreseen, so a loop that ends there costs the processor a wrong
//! guess nearly every time. A *survey* compares all words of the line without a branch; what it gives are
//! bits, and the first of them is found with one instruction.
//!
//! On processors of the x86 family the 64 bytes are read with four instructions. The compiler would not do that, since
//! it does not merge reads of atomic words, and the memory model of the language has no word for it: hence a line
//! of assembly. Every aligned word is read at once all the same, and no later read happens before.

#![allow(
    unsafe_code,
    reason = "the compiler does not merge reads of atomic words"
)]

use super::sync::{AtomicU32, AtomicU64, Ordering};

/// A word that many threads may change. Zero means that it is free.
pub(crate) trait Word: Default + Send + Sync {
    /// What it holds.
    type Value: Copy + Eq + Default + Send + Sync;
    /// How many bits of a survey each word has. The first of them counts, the others are zero.
    const STRIDE: u32;
    fn get(&self) -> Self::Value;
    fn set(&self, value: Self::Value);
    /// Sets the word if it is zero. Otherwise returns what it holds.
    fn claim(&self, value: Self::Value) -> Result<(), Self::Value>;
    /// Which words of a line are free, and which ones equal `key` in the bits of `mask`.
    fn survey<const N: usize>(line: &Line<Self, N>, key: Self::Value, mask: Self::Value) -> Survey
    where
        Self: Sized;
}

/// A cache line of words.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct Line<W, const N: usize>(pub(super) [W; N]);

impl<W: Word, const N: usize> Default for Line<W, N> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| W::default()))
    }
}

/// Which words of a line are free and which ones are alike, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Survey {
    pub(crate) alike: u16,
    pub(crate) free: u16,
}

impl<W: Word, const N: usize> Line<W, N> {
    /// The places that the bits of a survey stand for, from `start` on and round the line.
    #[inline]
    pub(crate) fn places(bits: u16, start: usize) -> impl Iterator<Item = usize> {
        const { assert!(N * W::STRIDE as usize == 16) };
        let mut turned = bits.rotate_right(start as u32 * W::STRIDE);
        std::iter::from_fn(move || {
            let first = (turned != 0).then(|| turned.trailing_zeros())?;
            turned &= turned - 1;
            Some((start + (first / W::STRIDE) as usize) % N)
        })
    }

    /// How many words are taken.
    pub(crate) fn filled(&self) -> usize {
        let zero = W::Value::default();
        N - W::survey(self, zero, zero).free.count_ones() as usize
    }

    /// [`Word::survey`] for any machine.
    #[cfg(any(not(target_arch = "x86_64"), miri, loom, test))]
    fn survey_word_by_word(&self, is_alike: impl Fn(W::Value) -> bool) -> Survey {
        let mut survey = Survey { alike: 0, free: 0 };
        for (place, word) in self.0.iter().enumerate() {
            let (value, bit) = (word.get(), 1 << (place as u32 * W::STRIDE));
            if value == W::Value::default() {
                survey.free |= bit;
            } else if is_alike(value) {
                survey.alike |= bit;
            }
        }
        survey
    }
}

macro_rules! word {
    ($atomic:ty, $value:ty, $stride:literal, $survey:ident) => {
        impl Word for $atomic {
            type Value = $value;

            const STRIDE: u32 = $stride;

            #[inline]
            fn get(&self) -> $value {
                self.load(Ordering::Acquire)
            }

            #[inline]
            fn set(&self, value: $value) {
                self.store(value, Ordering::Release);
            }

            #[inline]
            fn claim(&self, value: $value) -> Result<(), $value> {
                self.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire)
                    .map(|_| ())
            }

            #[inline]
            fn survey<const N: usize>(line: &Line<Self, N>, key: $value, mask: $value) -> Survey {
                #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
                return at_once::$survey(line, key, mask);
                #[cfg(any(not(target_arch = "x86_64"), miri, loom))]
                line.survey_word_by_word(|value| (value ^ key) & mask == 0)
            }
        }
    };
}

word!(AtomicU64, u64, 2, survey_u64);
word!(AtomicU32, u32, 1, survey_u32);

#[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
mod at_once {
    use super::{AtomicU32, AtomicU64, Line, Survey};
    use std::arch::asm;
    use std::arch::x86_64::*;

    #[inline(always)]
    pub(super) fn survey_u32<const N: usize>(
        line: &Line<AtomicU32, N>,
        key: u32,
        mask: u32,
    ) -> Survey {
        let quarters = read(line);
        let (key, mask) = (splat(key), splat(mask));
        let free = halves_of_words(quarters, splat(0));
        let alike = halves_of_words(masked(quarters, mask), key);
        Survey {
            alike: alike & !free,
            free,
        }
    }

    #[inline(always)]
    pub(super) fn survey_u64<const N: usize>(
        line: &Line<AtomicU64, N>,
        key: u64,
        mask: u64,
    ) -> Survey {
        let quarters = read(line);
        let (key, mask) = (splat_wide(key), splat_wide(mask));
        // A word of 64 bits is alike if both of its halves are.
        let both = |bits: u16| bits & bits >> 1 & 0x5555;
        let free = both(halves_of_words(quarters, splat(0)));
        let alike = both(halves_of_words(masked(quarters, mask), key));
        Survey {
            alike: alike & !free,
            free,
        }
    }

    /// The four quarters of a line.
    #[inline(always)]
    fn read<W, const N: usize>(line: &Line<W, N>) -> [__m128i; 4] {
        const { assert!(size_of::<Line<W, N>>() == 64) };
        let (a, b, c, d): (__m128i, __m128i, __m128i, __m128i);
        // SAFETY: the line is 64 bytes at a multiple of 64, and is there as long as it is borrowed.
        unsafe {
            asm!(
                "movdqa {a}, [{line}]",
                "movdqa {b}, [{line} + 16]",
                "movdqa {c}, [{line} + 32]",
                "movdqa {d}, [{line} + 48]",
                line = in(reg) std::ptr::from_ref(line),
                a = out(xmm_reg) a,
                b = out(xmm_reg) b,
                c = out(xmm_reg) c,
                d = out(xmm_reg) d,
                options(nostack, preserves_flags),
            );
        }
        [a, b, c, d]
    }

    #[inline(always)]
    fn splat(value: u32) -> __m128i {
        // SAFETY: part of every processor of this kind, as everything in this module.
        unsafe { _mm_set1_epi32(value.cast_signed()) }
    }

    #[inline(always)]
    fn splat_wide(value: u64) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_set1_epi64x(value.cast_signed()) }
    }

    #[inline(always)]
    fn masked(quarters: [__m128i; 4], mask: __m128i) -> [__m128i; 4] {
        // SAFETY: as above.
        quarters.map(|quarter| unsafe { _mm_and_si128(quarter, mask) })
    }

    /// A bit for each 32 bits of the line that equal those of the key.
    #[inline(always)]
    fn halves_of_words(quarters: [__m128i; 4], key: __m128i) -> u16 {
        // SAFETY: as above.
        unsafe {
            let [a, b, c, d] = quarters.map(|quarter| _mm_cmpeq_epi32(quarter, key));
            let bytes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_movemask_epi8(bytes) as u16
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn places<W: Word, const N: usize>(bits: u16, start: usize) -> Vec<usize> {
        Line::<W, N>::places(bits, start).collect()
    }

    #[test]
    fn a_survey_is_what_a_look_at_each_word_gives() {
        let mut number = 1u64;
        for round in 0..500 {
            let mut next = || {
                number = number
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                // Few different values, many of them zero, some different in one half only.
                (((number >> 33) % 3) << 60) | (((number >> 40) % 2) << 35) | ((number >> 50) % 2)
            };
            let wide = Line::<AtomicU64, 8>(std::array::from_fn(|_| AtomicU64::new(next())));
            let small = Line::<AtomicU32, 16>(std::array::from_fn(|_| {
                AtomicU32::new((next() >> 32) as u32 >> 20 << 20)
            }));
            for mask in [u64::MAX, (1 << 56) - 1, 1] {
                let key = next() & mask;
                let expected = wide.survey_word_by_word(|value| (value ^ key) & mask == 0);
                assert_eq!(AtomicU64::survey(&wide, key, mask), expected, "{round}");
            }
            for mask in [u32::MAX, 0xf000_0000] {
                let key = (next() >> 32) as u32 >> 20 << 20 & mask;
                let expected = small.survey_word_by_word(|value| (value ^ key) & mask == 0);
                assert_eq!(AtomicU32::survey(&small, key, mask), expected, "{round}");
            }
        }
    }

    #[test]
    fn places_come_in_the_order_in_which_the_line_is_gone_through() {
        assert_eq!(
            places::<AtomicU32, 16>(0b1000_0000_0001_0001, 4),
            [4, 15, 0]
        );
        assert_eq!(places::<AtomicU64, 8>(0b0100_0000_0001_0001, 7), [7, 0, 2]);
        assert_eq!(places::<AtomicU64, 8>(0, 3), []);
    }
}
