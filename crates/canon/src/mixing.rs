//! Numbers for signatures.
//!
//! A signature stands for what a point sees of the others: a sum of products of the numbers below, so that it
//! does not depend on the order in which the others are met. If two different sights get the same
//! signature, two points stay in one cell that could have been told apart; the search below tells
//! them apart later. Signatures decide how fast an answer comes, never what it is.

/// How many colours have their numbers in a table.
const TABLED: usize = 256;

const SEED: u64 = 0x6d61_6e64_616c_6100;
const COLOURS: [u64; TABLED] = numbers();
/// Added for a reference of a point to itself, which no colour shows.
pub(crate) const ITSELF: u64 = scatter(0x6974_7365_6c66);

/// What a reference cell contributes to signatures: a factor for each direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    /// For the point that has the cell, times the colour of the target.
    pub out: u64,
    /// For the target, times the colour of the point that has the cell.
    pub into: u64,
}

impl Weight {
    pub(crate) const fn of_cell(cell: usize) -> Self {
        let seed = 2 * cell as u64;
        Self {
            out: scatter(seed) | 1,
            into: scatter(seed + 1) | 1,
        }
    }
}

/// A bijection of 64-bit numbers without visible pattern (the finaliser of splitmix64, Steele et al. 2014).
pub(crate) const fn scatter(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}

/// A cheaper mix, for the innermost loops.
pub(crate) fn stir(number: u64) -> u64 {
    let product = number.wrapping_mul(0xd6e8_feb8_6659_fd93);
    product ^ (product >> 32)
}

/// The number that stands for a colour, or for a value that is not a point.
#[inline]
pub(crate) fn number_of(colour: usize) -> u64 {
    match COLOURS.get(colour) {
        Some(number) => *number,
        None => number_beyond(colour),
    }
}

#[cold]
fn number_beyond(colour: usize) -> u64 {
    number(colour)
}

const fn number(colour: usize) -> u64 {
    scatter(SEED.wrapping_add(colour as u64)) | 1
}

const fn numbers() -> [u64; TABLED] {
    let mut table = [0; TABLED];
    let mut at = 0;
    while at < TABLED {
        table[at] = number(at);
        at += 1;
    }
    table
}
