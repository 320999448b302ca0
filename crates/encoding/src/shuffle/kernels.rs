//! The loops over chunks, written once for all instruction sets.
//!
//! A module that uses the macro gives it the instructions it may use and has these functions, which work on vectors of
//! `WIDTH` bytes: `load` and `store`; `splat`; `within_lanes`, which moves bytes within 16 neighbours; `look_up`, which
//! looks up bytes in the given chunks; `substituted`, which gives bytes their new values, from a table that
//! is the end of one with 256 entries; `exchange_values`; `differences`, which says in which bytes, the first one
//! being the lowest bit, one vector is smaller than another, and in which it is larger.

/// Defines what a level can do, from its functions on vectors.
macro_rules! kernels {
    ($features:literal) => {
        use super::{Arrangement, CHUNK, Chunk, Reach, Rearrangement, Repertoire, Substitution};

        /// Vectors in a chunk.
        const VECTORS: usize = CHUNK / WIDTH;

        #[inline]
        #[target_feature(enable = $features)]
        fn part(chunk: &Chunk, number: usize) -> Vector {
            load(&chunk.0.as_chunks().0[number])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn set_part(chunk: &mut Chunk, number: usize, vector: Vector) {
            store(&mut chunk.0.as_chunks_mut().0[number], vector);
        }

        /// A vector of the block with its bytes at their new places.
        #[inline]
        #[target_feature(enable = $features)]
        fn gathered<const REACH: usize>(
            indices: &[Chunk],
            from: &[Chunk],
            chunk: usize,
            number: usize,
        ) -> Vector {
            let indices = part(&indices[chunk], number);
            if REACH == 16 {
                return within_lanes(part(&from[chunk], number), indices);
            }
            let window = REACH / CHUNK;
            let start = chunk / window * window;
            look_up::<REACH>(&from[start..start + window], indices)
        }

        #[target_feature(enable = $features)]
        pub(super) fn gather(places: &Arrangement, from: &[Chunk], to: &mut [Chunk]) {
            let indices = &places.indices[..];
            for (chunk, target) in to.iter_mut().enumerate() {
                for number in 0..VECTORS {
                    let vector = match places.reach {
                        Reach::Lane => gathered::<16>(indices, from, chunk, number),
                        Reach::Chunk => gathered::<64>(indices, from, chunk, number),
                        Reach::Pair => gathered::<128>(indices, from, chunk, number),
                        Reach::All => gathered::<256>(indices, from, chunk, number),
                    };
                    set_part(target, number, vector);
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn substitute(values: &Substitution, block: &mut [Chunk]) {
            let table = values.changes();
            for chunk in block {
                for number in 0..VECTORS {
                    let vector = part(chunk, number);
                    let vector = match values.entries {
                        Reach::Lane => substituted::<16>(table, vector),
                        Reach::Chunk => substituted::<64>(table, vector),
                        Reach::Pair => substituted::<128>(table, vector),
                        Reach::All => substituted::<256>(table, vector),
                    };
                    set_part(chunk, number, vector);
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn exchange(block: &mut [Chunk], a: u8, b: u8) {
            let (a, b) = (splat(a), splat(b));
            for chunk in block {
                for number in 0..VECTORS {
                    let vector = exchange_values(part(chunk, number), a, b);
                    set_part(chunk, number, vector);
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn rearrange(by: &Rearrangement, from: &[Chunk], to: &mut [Chunk]) {
            gather(&by.places, from, to);
            substitute(&by.values, to);
        }

        #[target_feature(enable = $features)]
        pub(super) fn keep_least(
            by: &Repertoire,
            first: usize,
            block: &[Chunk],
            least: &mut [Chunk],
        ) -> Option<usize> {
            // One loop for each pair of sizes: nothing is decided per rearrangement. Short blocks have their own.
            macro_rules! sized {
                ($reach:literal, $length:literal) => {
                    match by.entries {
                        Reach::Lane => search::<$reach, 16, $length>(by, first, block, least),
                        Reach::Chunk => search::<$reach, 64, $length>(by, first, block, least),
                        Reach::Pair => search::<$reach, 128, $length>(by, first, block, least),
                        Reach::All => search::<$reach, 256, $length>(by, first, block, least),
                    }
                };
            }
            match (by.reach, block.len()) {
                (Reach::Lane, 1) => sized!(16, 1),
                (Reach::Lane, _) => sized!(16, 0),
                (Reach::Chunk, 1) => sized!(64, 1),
                (Reach::Chunk, _) => sized!(64, 0),
                (Reach::Pair, _) => sized!(128, 0),
                (Reach::All, _) => sized!(256, 0),
            }
        }

        /// Goes through the rearrangements for blocks of a given length, or of any if it is zero.
        #[target_feature(enable = $features)]
        fn search<const REACH: usize, const ENTRIES: usize, const LENGTH: usize>(
            by: &Repertoire,
            first: usize,
            block: &[Chunk],
            least: &mut [Chunk],
        ) -> Option<usize> {
            let length = if LENGTH == 0 { block.len() } else { LENGTH };
            let (block, least) = (&block[..length], &mut least[..length]);
            let mut found = None;
            let indices = by.indices.chunks_exact(length);
            let tables = by.tables.chunks_exact(ENTRIES.div_ceil(CHUNK));
            for (number, (indices, table)) in indices.zip(tables).take(first).enumerate() {
                let image = Image {
                    indices,
                    table,
                    block,
                };
                // The first vector nearly always decides, and this much is done in the loop.
                let (smaller, larger) = image.differences_at::<REACH, ENTRIES>(least, 0, 0);
                if !comes_first(smaller, larger) {
                    let is_over = larger != 0 || LENGTH * VECTORS == 1;
                    if is_over || !image.is_smaller::<REACH, ENTRIES>(least) {
                        continue;
                    }
                }
                image.write::<REACH, ENTRIES>(least);
                found = Some(number);
            }
            found
        }

        /// Whether the first of all bits is one of the former.
        #[inline]
        fn comes_first(smaller: Bits, larger: Bits) -> bool {
            let until_larger = larger ^ larger.wrapping_sub(1);
            smaller & until_larger != 0
        }

        /// A block and how it is rearranged.
        #[derive(Clone, Copy)]
        struct Image<'a> {
            indices: &'a [Chunk],
            table: &'a [Chunk],
            block: &'a [Chunk],
        }

        impl Image<'_> {
            #[inline]
            #[target_feature(enable = $features)]
            fn vector<const REACH: usize, const ENTRIES: usize>(
                self,
                chunk: usize,
                number: usize,
            ) -> Vector {
                let vector = gathered::<REACH>(self.indices, self.block, chunk, number);
                substituted::<ENTRIES>(self.table, vector)
            }

            /// Where a vector of it is smaller, and where it is larger.
            #[inline]
            #[target_feature(enable = $features)]
            fn differences_at<const REACH: usize, const ENTRIES: usize>(
                self,
                least: &[Chunk],
                chunk: usize,
                number: usize,
            ) -> (Bits, Bits) {
                let vector = self.vector::<REACH, ENTRIES>(chunk, number);
                differences(vector, part(&least[chunk], number))
            }

            /// Whether it is smaller; stops at the first vector that differs.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn is_smaller<const REACH: usize, const ENTRIES: usize>(self, least: &[Chunk]) -> bool {
                for chunk in 0..least.len() {
                    for number in 0..VECTORS {
                        let (smaller, larger) =
                            self.differences_at::<REACH, ENTRIES>(least, chunk, number);
                        if smaller | larger != 0 {
                            return comes_first(smaller, larger);
                        }
                    }
                }
                false
            }

            /// Kept out of the loop, which has a use for all registers.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn write<const REACH: usize, const ENTRIES: usize>(self, to: &mut [Chunk]) {
                for (chunk, target) in to.iter_mut().enumerate() {
                    for number in 0..VECTORS {
                        let vector = self.vector::<REACH, ENTRIES>(chunk, number);
                        set_part(target, number, vector);
                    }
                }
            }
        }
    };
}
