//! Arrangements of processes, and the ways from one place to another.
//!
//! A way is written as arithmetic on the number of a place, and no rotation of a ring, no reflection of a cube along a dimension
//! and so on changes what it means. Further symmetries exchange ways: those are the twists. A program that has for every choice
//! also the twisted one has these symmetries, too.

use crate::random::RandomSource;

/// How processes stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// Each has a next one; if it is mirrored, nothing says which of its neighbours that is.
    Ring { size: i32, mirrored: bool },
    /// Each has a neighbour along each dimension; if they are alike, nothing says along which.
    Cube { dimensions: i32, alike: bool },
    /// Those next to each other belong together.
    Blocks { blocks: i32, width: i32 },
    /// They take turns in belonging to each of two teams.
    Teams { width: i32 },
    /// Each has a parent, but for the first, and up to two children.
    Tree { size: i32 },
}

/// A way from a place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// So many places further.
    On(i32),
    /// The place whose number differs in these bits.
    Across(i32),
    /// The parent.
    Up,
    /// The first or the second child.
    Down(i32),
}

impl Arrangement {
    pub(super) fn random(dice: &mut RandomSource) -> Arrangement {
        match dice.weighted(&[(9, 0), (5, 1), (4, 2), (3, 3), (4, 4)]) {
            0 => Arrangement::Ring {
                size: dice.weighted(&[(8, 3), (9, 4), (3, 5), (1, 6)]),
                mirrored: dice.chance(35),
            },
            1 => Arrangement::Cube {
                dimensions: dice.weighted(&[(6, 2), (1, 3)]),
                alike: dice.chance(50),
            },
            2 => {
                let sizes = [(7, (2, 2)), (1, (3, 2)), (1, (2, 3))];
                let (blocks, width) = dice.weighted(&sizes);
                Arrangement::Blocks { blocks, width }
            }
            3 => Arrangement::Teams {
                width: dice.weighted(&[(5, 2), (1, 3)]),
            },
            _ => Arrangement::Tree {
                size: dice.weighted(&[(6, 3), (1, 4), (3, 5), (1, 6), (2, 7)]),
            },
        }
    }

    /// How many places there are.
    pub(super) fn size(self) -> i32 {
        match self {
            Arrangement::Ring { size, .. } | Arrangement::Tree { size } => size,
            Arrangement::Cube { dimensions, .. } => 1 << dimensions,
            Arrangement::Blocks { blocks, width } => blocks * width,
            Arrangement::Teams { width } => 2 * width,
        }
    }

    /// How many permutations of the places keep all ways, twists included.
    pub(super) fn order(self) -> u64 {
        let factorial = |n: i32| (1..=n as u64).product::<u64>();
        let power = |base: u64, n: i32| (0..n).map(|_| base).product::<u64>();
        match self {
            Arrangement::Ring { size, mirrored } => size as u64 * (1 + u64::from(mirrored)),
            Arrangement::Cube { dimensions, alike } => {
                let exchanges = if alike { factorial(dimensions) } else { 1 };
                power(2, dimensions) * exchanges
            }
            Arrangement::Blocks { blocks, width } => {
                power(factorial(width), blocks) * factorial(blocks)
            }
            Arrangement::Teams { width } => power(factorial(width), 2) * 2,
            Arrangement::Tree { size } => subtree(0, size).1,
        }
    }

    /// All ways that can be used from somebody's own place; from a place that a variable holds, fewer.
    pub(super) fn ways(self, own: bool) -> Vec<Way> {
        match self {
            Arrangement::Ring { size, .. } => (1..size).map(Way::On).collect(),
            Arrangement::Cube { dimensions, .. } => (1..1 << dimensions).map(Way::Across).collect(),
            Arrangement::Blocks { width: 2, .. } => vec![Way::Across(1)],
            Arrangement::Teams { width: 2 } => vec![Way::Across(2)],
            Arrangement::Blocks { .. } | Arrangement::Teams { .. } => Vec::new(),
            // Which child is which may be different at every node, so only one's own children can be exchanged by a twist.
            Arrangement::Tree { .. } if own => vec![Way::Up, Way::Down(1), Way::Down(2)],
            Arrangement::Tree { .. } => vec![Way::Up],
        }
    }

    /// How many symmetries keep the first place and exchange the ways from there.
    pub(super) fn twists(self) -> usize {
        match self {
            Arrangement::Ring { mirrored: true, .. } | Arrangement::Tree { .. } => 2,
            Arrangement::Cube {
                dimensions,
                alike: true,
            } => ORDERS[dimensions as usize].len(),
            _ => 1,
        }
    }

    /// What a twist makes of a way.
    pub(super) fn twisted(self, way: Way, twist: usize) -> Way {
        match (way, self) {
            (Way::On(by), Arrangement::Ring { size, .. }) if twist == 1 => Way::On(size - by),
            (Way::Down(child), _) if twist == 1 => Way::Down(3 - child),
            (Way::Across(bits), Arrangement::Cube { dimensions, .. }) => {
                let order = ORDERS[dimensions as usize][twist];
                let moved = (0..dimensions).filter(|d| bits >> d & 1 == 1);
                Way::Across(moved.map(|d| 1 << order[d as usize]).sum())
            }
            _ => way,
        }
    }

    /// Where a way from a place leads, written in one of two manners. Two texts are the same exactly if their twists are.
    pub(super) fn text(self, from: &str, way: Way, plainly: bool) -> String {
        let size = self.size();
        let last = size - 1;
        match way {
            Way::On(1) if !plainly => format!("({from} == {last} -> 0 : {from} + 1)"),
            Way::On(by) if by == last && !plainly => {
                format!("({from} == 0 -> {last} : {from} - 1)")
            }
            Way::On(by) if by == last => format!("({from} + {size} - 1) % {size}"),
            Way::On(by) => format!("({from} + {by}) % {size}"),
            Way::Across(1) if !plainly => format!("({from} % 2 == 0 -> {from} + 1 : {from} - 1)"),
            Way::Across(bits) if bits.count_ones() == 1 && !plainly => {
                format!("({from} ^ (1 << {}))", bits.trailing_zeros())
            }
            Way::Across(bits) => format!("({from} ^ {bits})"),
            Way::Up => format!("({from} - 1) / 2"),
            Way::Down(child) => format!("(2 * {from} + {child})"),
        }
    }

    /// What must be true for a way to lead anywhere.
    pub(super) fn need(self, from: &str, way: Way) -> Option<String> {
        match way {
            Way::Up => Some(format!("({from} != 0)")),
            Way::Down(child) => Some(format!("(2 * {from} + {child} < {})", self.size())),
            Way::On(_) | Way::Across(_) => None,
        }
    }

    /// How many parts the places fall into that no symmetry tears apart, if there are such parts.
    pub(super) fn parts(self) -> Option<i32> {
        match self {
            Arrangement::Ring { size, .. } => (size % 2 == 0).then_some(2),
            Arrangement::Cube { dimensions, alike } => (!alike).then(|| 1 << (dimensions - 1)),
            Arrangement::Blocks { blocks, .. } => Some(blocks),
            Arrangement::Teams { .. } => Some(2),
            Arrangement::Tree { .. } => None,
        }
    }

    /// The part that a place is in.
    pub(super) fn part(self, place: &str) -> String {
        match self {
            Arrangement::Blocks { width, .. } => format!("({place} / {width})"),
            Arrangement::Cube { .. } => format!("({place} >> 1)"),
            _ => format!("({place} % 2)"),
        }
    }

    /// Whether there is something between neighbours: the fork `k` is between the places `k - 1` and `k`.
    pub(super) fn has_forks(self) -> bool {
        matches!(self, Arrangement::Ring { .. })
    }

    /// The fork so many places on, from a place.
    pub(super) fn fork(self, from: &str, by: i32, twist: usize) -> String {
        let by = if twist == 1 { 1 - by } else { by };
        let size = self.size();
        match by.rem_euclid(size) {
            0 => from.to_string(),
            by => format!("({from} + {by}) % {size}"),
        }
    }
}

/// All orders of so many dimensions.
const ORDERS: [&[[i32; 3]]; 4] = [
    &[[0, 1, 2]],
    &[[0, 1, 2]],
    &[[0, 1, 2], [1, 0, 2]],
    &[
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ],
];

/// The size of a part of a tree, and how many permutations keep it as it is.
fn subtree(root: i32, size: i32) -> (i32, u64) {
    if root >= size {
        return (0, 1);
    }
    let (left, right) = (subtree(2 * root + 1, size), subtree(2 * root + 2, size));
    let exchange = match left.0 == right.0 && left.0 > 0 {
        true => 2,
        false => 1,
    };
    (left.0 + right.0 + 1, left.1 * right.1 * exchange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_known() {
        let ring = |size, mirrored| Arrangement::Ring { size, mirrored }.order();
        assert_eq!((ring(5, false), ring(5, true)), (5, 10));
        let cube = |dimensions, alike| Arrangement::Cube { dimensions, alike }.order();
        assert_eq!((cube(3, false), cube(3, true)), (8, 48));
        let blocks = |blocks, width| Arrangement::Blocks { blocks, width }.order();
        assert_eq!((blocks(3, 2), blocks(2, 3)), (48, 72));
        let tree = |size| Arrangement::Tree { size }.order();
        assert_eq!((tree(3), tree(4), tree(5), tree(7)), (2, 1, 2, 8));
    }

    #[test]
    fn twists_exchange_ways() {
        let ring = Arrangement::Ring {
            size: 5,
            mirrored: true,
        };
        assert_eq!(ring.twisted(Way::On(1), 1), Way::On(4));
        assert_eq!(
            (ring.fork("p", 0, 1), ring.fork("p", 1, 1)),
            ("(p + 1) % 5".into(), "p".into())
        );
        let cube = Arrangement::Cube {
            dimensions: 3,
            alike: true,
        };
        let images: Vec<Way> = (0..6).map(|t| cube.twisted(Way::Across(1), t)).collect();
        let times = |bits| images.iter().filter(|i| **i == Way::Across(bits)).count();
        assert_eq!((times(1), times(2), times(4)), (2, 2, 2));
    }
}
