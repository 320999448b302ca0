//! Shuffles of 16 bytes at once.

use std::arch::x86_64::*;

kernels!("ssse3");

type Vector = __m128i;
/// A bit for each byte.
type Bits = u32;
const WIDTH: usize = 16;

#[inline]
#[target_feature(enable = "ssse3")]
#[allow(unsafe_code)]
fn load(bytes: &[u8; WIDTH]) -> Vector {
    // SAFETY: the reference is to as many bytes as are read, and they need no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "ssse3")]
#[allow(unsafe_code)]
fn store(bytes: &mut [u8; WIDTH], vector: Vector) {
    // SAFETY: the reference is to as many bytes as are written, and they need no alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn splat(byte: u8) -> Vector {
    _mm_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn within_lanes(vector: Vector, indices: Vector) -> Vector {
    _mm_shuffle_epi8(vector, indices)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn look_up<const ENTRIES: usize>(table: &[Chunk], indices: Vector) -> Vector {
    let mut found = splat(0);
    for slice in 0..ENTRIES / 16 {
        let entries = part(&table[slice / VECTORS], slice % VECTORS);
        // Indices of other slices get their highest bit set, for which the instruction gives zero.
        let in_slice = _mm_xor_si128(indices, splat((slice << 4) as u8));
        let indices = _mm_adds_epu8(in_slice, splat(0x70));
        found = _mm_or_si128(found, _mm_shuffle_epi8(entries, indices));
    }
    found
}

#[inline]
#[target_feature(enable = "ssse3")]
fn substituted<const ENTRIES: usize>(table: &[Chunk], vector: Vector) -> Vector {
    let low_bits = _mm_and_si128(vector, splat((ENTRIES - 1) as u8));
    let images = match ENTRIES {
        16 => _mm_shuffle_epi8(part(&table[0], VECTORS - 1), low_bits),
        _ => look_up::<ENTRIES>(table, low_bits),
    };
    let lowest = splat((256 - ENTRIES) as u8);
    let changes = _mm_cmpeq_epi8(_mm_max_epu8(vector, lowest), vector);
    choose(changes, images, vector)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn choose(condition: Vector, one: Vector, other: Vector) -> Vector {
    let (one, other) = (
        _mm_and_si128(condition, one),
        _mm_andnot_si128(condition, other),
    );
    _mm_or_si128(one, other)
}

#[inline]
#[target_feature(enable = "ssse3")]
fn exchange_values(vector: Vector, a: Vector, b: Vector) -> Vector {
    let (is_a, is_b) = (_mm_cmpeq_epi8(vector, a), _mm_cmpeq_epi8(vector, b));
    choose(is_b, a, choose(is_a, b, vector))
}

#[inline]
#[target_feature(enable = "ssse3")]
fn differences(one: Vector, other: Vector) -> (Bits, Bits) {
    let not_larger = _mm_cmpeq_epi8(_mm_min_epu8(one, other), one);
    let not_smaller = _mm_cmpeq_epi8(_mm_max_epu8(one, other), one);
    let smaller = !_mm_movemask_epi8(not_smaller) as Bits & 0xFFFF;
    let larger = !_mm_movemask_epi8(not_larger) as Bits & 0xFFFF;
    (smaller, larger)
}
