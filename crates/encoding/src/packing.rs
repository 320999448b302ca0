//! Bits in and out of packed states.
//!
//! A cell of `width` bits at any bit offset is read and written through the eight bytes that it
//! starts in, so buffers end with [`PADDING`] bytes of no meaning. Only a cell that is wider than 57 bits
//! can need a ninth byte.
//!
//! A step changes few cells. A successor is therefore made by copying the packed predecessor
//! and patching the changed cells ([`patch`]); only when the shape changes or most cells did is the
//! whole state packed anew ([`pack`]), with an accumulator, because patches next to each other would wait
//! for one another's stores.

use crate::shape::{Field, Shape, write_prefix};

/// How many bytes a buffer must have after the packed state.
pub(crate) const PADDING: usize = 9;

#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

/// The value of a cell. `bytes` has padding.
#[inline]
pub(crate) fn read(bytes: &[u8], field: &Field) -> i64 {
    let at = (field.offset >> 3) as usize;
    let shift = field.offset & 7;
    let mut bits = word(bytes, at) >> shift;
    if shift + u32::from(field.width) > 64 {
        bits |= u64::from(bytes[at + 8]) << (64 - shift);
    }
    field.min.wrapping_add((bits & field.mask) as i64)
}

/// Gives a cell another value. `bytes` has padding.
#[inline]
pub(crate) fn patch(bytes: &mut [u8], field: &Field, value: i64) {
    let at = (field.offset >> 3) as usize;
    let shift = field.offset & 7;
    let mask = field.mask;
    let bits = value.wrapping_sub(field.min) as u64 & mask;
    let patched = word(bytes, at) & !(mask << shift) | bits << shift;
    bytes[at..at + 8].copy_from_slice(&patched.to_le_bytes());
    if shift + u32::from(field.width) > 64 {
        let over = 64 - shift;
        bytes[at + 8] = bytes[at + 8] & !(mask >> over) as u8 | (bits >> over) as u8;
    }
}

/// Copies a packed state into a buffer with padding.
pub(crate) fn load(packed: &[u8], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend_from_slice(packed);
    buffer.extend_from_slice(&[0; PADDING]);
}

/// The cells of a packed state in a buffer with padding.
pub(crate) fn unpack(shape: &Shape, buffer: &[u8], cells: &mut Vec<i64>) {
    cells.clear();
    cells.extend(shape.fields.iter().map(|field| read(buffer, field)));
}

/// Packs all cells into a buffer, with padding.
pub(crate) fn pack(shape: &Shape, cells: &[i64], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(shape.packed_length + PADDING, 0);
    write_prefix(shape.id, buffer);
    let Some(first) = shape.fields.first() else {
        return;
    };
    let mut writer = Writer {
        at: (first.offset >> 3) as usize,
        filled: 0,
        bits: 0,
    };
    for (field, &value) in shape.fields.iter().zip(cells) {
        writer.put(buffer, field, value);
    }
    writer.flush(buffer);
}

/// Puts cells one after the other, 64 bits at a time.
struct Writer {
    at: usize,
    filled: u32,
    bits: u64,
}

impl Writer {
    #[inline]
    fn put(&mut self, buffer: &mut [u8], field: &Field, value: i64) {
        let bits = value.wrapping_sub(field.min) as u64 & field.mask;
        self.bits |= bits << self.filled;
        let filled = self.filled + u32::from(field.width);
        if filled < 64 {
            self.filled = filled;
            return;
        }
        buffer[self.at..self.at + 8].copy_from_slice(&self.bits.to_le_bytes());
        self.at += 8;
        // What did not fit: nothing if the field ended with the word.
        self.bits = bits.checked_shr(64 - self.filled).unwrap_or(0);
        self.filled = filled - 64;
    }

    fn flush(self, buffer: &mut [u8]) {
        let rest = self.filled.div_ceil(8) as usize;
        buffer[self.at..self.at + rest].copy_from_slice(&self.bits.to_le_bytes()[..rest]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::mask;

    fn shape_of(widths: &[(u8, i64)]) -> Shape {
        let mut offset = 8;
        let mut fields = Vec::new();
        for &(width, min) in widths {
            fields.push(Field {
                offset,
                width,
                scratch: false,
                min,
                mask: mask(width),
            });
            offset += u32::from(width);
        }
        Shape {
            id: 7,
            parent: 0,
            processes: Vec::new(),
            channels: Vec::new(),
            fields,
            packed_length: offset.div_ceil(8) as usize,
        }
    }

    /// Values that fill their cells with a pattern.
    fn sample(shape: &Shape, seed: u64) -> Vec<i64> {
        let mut state = seed;
        let next = |field: &Field| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            field
                .min
                .wrapping_add(((state ^ state >> 29) & field.mask) as i64)
        };
        shape.fields.iter().map(next).collect()
    }

    #[test]
    fn packing_is_undone_by_unpacking() {
        let widths = [
            (1, 0),
            (0, 5),
            (63, -9),
            (7, 0),
            (63, 0),
            (32, -1 << 31),
            (8, 0),
            (61, 3),
            (3, 0),
            (64, 0),
        ];
        let shape = shape_of(&widths);
        for seed in 0..200 {
            let cells = sample(&shape, seed);
            let mut buffer = Vec::new();
            pack(&shape, &cells, &mut buffer);
            assert_eq!(buffer[0], 7);
            let mut back = Vec::new();
            unpack(&shape, &buffer, &mut back);
            assert_eq!(back, cells);
        }
    }

    #[test]
    fn patching_gives_the_same_bytes_as_packing() {
        let widths = [
            (3, 0),
            (63, -9),
            (7, 0),
            (63, 0),
            (32, -1 << 31),
            (61, 3),
            (5, 1),
        ];
        let shape = shape_of(&widths);
        for seed in 0..100 {
            let (old, new) = (sample(&shape, seed), sample(&shape, seed + 1000));
            let (mut patched, mut packed) = (Vec::new(), Vec::new());
            pack(&shape, &old, &mut patched);
            pack(&shape, &new, &mut packed);
            for (field, &value) in shape.fields.iter().zip(&new) {
                patch(&mut patched, field, value);
            }
            assert_eq!(patched, packed);
        }
    }
}
