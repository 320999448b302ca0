//! Shuffles of 64 bytes at once, in tables of up to 256 entries.

use std::arch::x86_64::*;

kernels!("avx512f,avx512bw,avx512vbmi");

type Vector = __m512i;
/// A bit for each byte.
type Bits = u64;
const WIDTH: usize = 64;

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
fn load(bytes: &[u8; WIDTH]) -> Vector {
    // SAFETY: the reference is to as many bytes as are read, and they need no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[allow(unsafe_code)]
fn store(bytes: &mut [u8; WIDTH], vector: Vector) {
    // SAFETY: the reference is to as many bytes as are written, and they need no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> Vector {
    _mm512_set1_epi8(byte as i8)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn within_lanes(vector: Vector, indices: Vector) -> Vector {
    _mm512_shuffle_epi8(vector, indices)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn look_up<const ENTRIES: usize>(table: &[Chunk], indices: Vector) -> Vector {
    // The instructions ignore the high bits of the indices.
    match ENTRIES {
        64 => _mm512_permutexvar_epi8(indices, part(&table[0], 0)),
        128 => _mm512_permutex2var_epi8(part(&table[0], 0), indices, part(&table[1], 0)),
        _ => {
            let low = _mm512_permutex2var_epi8(part(&table[0], 0), indices, part(&table[1], 0));
            let high = _mm512_permutex2var_epi8(part(&table[2], 0), indices, part(&table[3], 0));
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(indices), low, high)
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn substituted<const ENTRIES: usize>(table: &[Chunk], vector: Vector) -> Vector {
    let changes = _mm512_cmpge_epu8_mask(vector, splat((256 - ENTRIES) as u8));
    match ENTRIES {
        // The last 16 entries are those of a chunk for which the high bits of the index are set, as they are here.
        16 | 64 => _mm512_mask_permutexvar_epi8(vector, changes, vector, part(&table[0], 0)),
        _ => {
            let images = look_up::<ENTRIES>(table, vector);
            _mm512_mask_blend_epi8(changes, vector, images)
        }
    }
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn exchange_values(vector: Vector, a: Vector, b: Vector) -> Vector {
    let is_a = _mm512_cmpeq_epi8_mask(vector, a);
    let is_b = _mm512_cmpeq_epi8_mask(vector, b);
    _mm512_mask_blend_epi8(is_b, _mm512_mask_blend_epi8(is_a, vector, b), a)
}

#[inline]
#[target_feature(enable = "avx512bw")]
fn differences(one: Vector, other: Vector) -> (Bits, Bits) {
    let smaller = _mm512_cmplt_epu8_mask(one, other);
    let larger = _mm512_cmpgt_epu8_mask(one, other);
    (smaller, larger)
}
