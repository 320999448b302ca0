//! Shuffles byte by byte: what the other levels must agree with.

use super::{Arrangement, CHUNK, Chunk, Rearrangement, Repertoire, Substitution};

pub(super) fn gather(places: &Arrangement, from: &[Chunk], to: &mut [Chunk]) {
    for (number, chunk) in to.iter_mut().enumerate() {
        for (at, byte) in (number * CHUNK..).zip(&mut chunk.0) {
            *byte = byte_at(from, places.source(at));
        }
    }
}

pub(super) fn substitute(values: &Substitution, block: &mut [Chunk]) {
    for byte in block.iter_mut().flat_map(|chunk| &mut chunk.0) {
        *byte = values.get(*byte);
    }
}

pub(super) fn exchange(block: &mut [Chunk], a: u8, b: u8) {
    for byte in block.iter_mut().flat_map(|chunk| &mut chunk.0) {
        *byte = match *byte {
            value if value == a => b,
            value if value == b => a,
            value => value,
        };
    }
}

pub(super) fn rearrange(by: &Rearrangement, from: &[Chunk], to: &mut [Chunk]) {
    gather(&by.places, from, to);
    substitute(&by.values, to);
}

pub(super) fn keep_least(
    by: &Repertoire,
    first: usize,
    block: &[Chunk],
    least: &mut [Chunk],
) -> Option<usize> {
    let mut found = None;
    let indices = by.indices.chunks_exact(by.chunks);
    let tables = by.tables.chunks_exact(by.entries.chunks());
    for (number, (indices, table)) in indices.zip(tables).take(first).enumerate() {
        let image = Image {
            indices,
            table,
            block,
            window: by.reach.bytes(),
        };
        if image.is_smaller(least) {
            image.write(least);
            found = Some(number);
        }
    }
    found
}

/// A block and how it is rearranged.
struct Image<'a> {
    indices: &'a [Chunk],
    table: &'a [Chunk],
    block: &'a [Chunk],
    window: usize,
}

impl Image<'_> {
    fn is_smaller(&self, least: &[Chunk]) -> bool {
        for (number, chunk) in least.iter().enumerate() {
            for (at, &byte) in (number * CHUNK..).zip(&chunk.0) {
                let own = self.byte(at);
                if own != byte {
                    return own < byte;
                }
            }
        }
        false
    }

    fn write(&self, to: &mut [Chunk]) {
        for (number, chunk) in to.iter_mut().enumerate() {
            for (at, byte) in (number * CHUNK..).zip(&mut chunk.0) {
                *byte = self.byte(at);
            }
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        let index = usize::from(byte_at(self.indices, at)) % self.window;
        let byte = byte_at(self.block, at - at % self.window + index);
        let unchanged = 256 - self.table.len() * CHUNK;
        match usize::from(byte).checked_sub(unchanged) {
            Some(entry) => byte_at(self.table, entry),
            None => byte,
        }
    }
}

fn byte_at(block: &[Chunk], at: usize) -> u8 {
    block[at / CHUNK].0[at % CHUNK]
}
