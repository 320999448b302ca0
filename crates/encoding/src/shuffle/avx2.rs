//! Shuffles of 32 bytes at once.

use std::arch::x86_64::*;

kernels!("avx2");

type Vector = __m256i;
/// A bit for each byte.
type Bits = u32;
const WIDTH: usize = 32;

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn load(bytes: &[u8; WIDTH]) -> Vector {
    // SAFETY: the reference is to as many bytes as are read, and they need no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn store(bytes: &mut [u8; WIDTH], vector: Vector) {
    // SAFETY: the reference is to as many bytes as are written, and they need no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}

/// The same 16 bytes in both lanes.
#[inline]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn load_twice(bytes: &[u8; 16]) -> Vector {
    // SAFETY: the reference is to as many bytes as are read, and they need no alignment.
    let lane = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    _mm256_broadcastsi128_si256(lane)
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> Vector {
    _mm256_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx2")]
fn within_lanes(vector: Vector, indices: Vector) -> Vector {
    _mm256_shuffle_epi8(vector, indices)
}

#[inline]
#[target_feature(enable = "avx2")]
fn look_up<const ENTRIES: usize>(table: &[Chunk], indices: Vector) -> Vector {
    let mut found = splat(0);
    for slice in 0..ENTRIES / 16 {
        let entries = load_twice(&table[slice / 4].0.as_chunks().0[slice % 4]);
        // Indices of other slices get their highest bit set, for which the instruction gives zero.
        let in_slice = _mm256_xor_si256(indices, splat((slice << 4) as u8));
        let indices = _mm256_adds_epu8(in_slice, splat(0x70));
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(entries, indices));
    }
    found
}

#[inline]
#[target_feature(enable = "avx2")]
fn substituted<const ENTRIES: usize>(table: &[Chunk], vector: Vector) -> Vector {
    let low_bits = _mm256_and_si256(vector, splat((ENTRIES - 1) as u8));
    let images = match ENTRIES {
        16 => _mm256_shuffle_epi8(load_twice(&table[0].0.as_chunks().0[3]), low_bits),
        _ => look_up::<ENTRIES>(table, low_bits),
    };
    let lowest = splat((256 - ENTRIES) as u8);
    let changes = _mm256_cmpeq_epi8(_mm256_max_epu8(vector, lowest), vector);
    _mm256_blendv_epi8(vector, images, changes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn exchange_values(vector: Vector, a: Vector, b: Vector) -> Vector {
    let (is_a, is_b) = (_mm256_cmpeq_epi8(vector, a), _mm256_cmpeq_epi8(vector, b));
    _mm256_blendv_epi8(_mm256_blendv_epi8(vector, b, is_a), a, is_b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn differences(one: Vector, other: Vector) -> (Bits, Bits) {
    let not_larger = _mm256_cmpeq_epi8(_mm256_min_epu8(one, other), one);
    let not_smaller = _mm256_cmpeq_epi8(_mm256_max_epu8(one, other), one);
    let smaller = !_mm256_movemask_epi8(not_smaller) as Bits;
    let larger = !_mm256_movemask_epi8(not_larger) as Bits;
    (smaller, larger)
}
