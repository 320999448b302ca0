//! The least sum of prefix and cycle.
//!
//! A run enters its cycle at some node *e* and meets an accepting node *a* on it, so it is as long as
//! `d(start, e) + d(e, a) + d(a, e)`. For one *a* the least such sum over all *e* is found by two searches forwards: the first
//! finds `d(a, e)` for all *e*; the second begins in each *e* at the cost `d(start, e) + d(a, e)`, cheapest first, until
//! it comes to *a*. The accepting nodes are taken in the order of their distance from the start; since `d(start, e) + d(e, a)` is not less than
//! `d(start, a)`, nothing is left to gain once that distance reaches the best sum.

use crate::hunt::Hunt;
use crate::lasso::{Lasso, moves};
use crate::product::Product;
use crate::shortest_paths::{walk, way};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The distance of what was not reached.
const FAR: u32 = u32::MAX;

/// The component of a node on no accepting cycle.
const NOWHERE: u32 = 0;

/// A shortest accepting run, if there is any.
pub(crate) fn shortest(mut hunt: Hunt<'_>) -> Option<Lasso> {
    let product = hunt.product;
    let mut candidates = Vec::new();
    let mut component = vec![NOWHERE; product.nodes()];
    let mut number = NOWHERE;
    while hunt.advance() {
        number += 1;
        let members = hunt.components.members();
        members
            .iter()
            .for_each(|&node| component[node as usize] = number);
        candidates.extend(members.iter().filter(|node| product.is_accepting(**node)));
    }
    let distances = distances(product, &product.starts(), |_| true);
    candidates.sort_unstable_by_key(|node| distances[*node as usize]);
    let shape = Search {
        product,
        component,
        distances,
    };
    let found = shape.best(&candidates)?;
    Some(found.lasso(&shape))
}

/// Where a cycle is entered and where it is accepting.
struct Found {
    length: u32,
    entry: u32,
    accepting: u32,
}

struct Search<'a> {
    product: Product<'a>,
    component: Vec<u32>,
    /// From the start.
    distances: Vec<u32>,
}

impl Search<'_> {
    fn best(&self, candidates: &[u32]) -> Option<Found> {
        let mut best: Option<Found> = None;
        for &accepting in candidates {
            let limit = best.as_ref().map_or(FAR, |found| found.length);
            if self.distances[accepting as usize] + 1 >= limit {
                break;
            }
            best = self.through(accepting, limit).or(best);
        }
        best
    }

    fn together(&self, one: u32, other: u32) -> bool {
        self.component[one as usize] == self.component[other as usize]
    }

    /// The shortest run that is accepting at a node, if it is shorter than the limit.
    fn through(&self, accepting: u32, limit: u32) -> Option<Found> {
        let mut entries = self.entries(accepting, limit);
        let mut settled = vec![false; self.product.nodes()];
        while let Some(Reverse((cost, node, entry))) = entries.pop() {
            if std::mem::replace(&mut settled[node as usize], true) {
                continue;
            }
            for step in self.product.steps(node) {
                if step.target == accepting {
                    return Some(Found {
                        length: cost + 1,
                        entry,
                        accepting,
                    });
                }
                if cost + 2 < limit && self.together(step.target, accepting) {
                    entries.push(Reverse((cost + 1, step.target, entry)));
                }
            }
        }
        None
    }

    /// All nodes where the cycle may be entered, with what it costs to get there and from the accepting node.
    fn entries(&self, accepting: u32, limit: u32) -> BinaryHeap<Reverse<(u32, u32, u32)>> {
        let back = distances(self.product, &[accepting], |node| {
            self.together(node, accepting)
        });
        let entries = back.iter().zip(&self.distances).zip(0..);
        let cost = |((back, there), node): ((&u32, &u32), u32)| {
            let cost = back.saturating_add(*there);
            (*back != FAR && cost + 1 < limit).then_some(Reverse((cost, node, node)))
        };
        entries.filter_map(cost).collect()
    }
}

impl Found {
    fn lasso(&self, search: &Search<'_>) -> Lasso {
        let (product, entry) = (search.product, self.entry);
        let inside = |node| search.together(node, self.accepting);
        let reached = "both are on one cycle";
        let prefix = way(product, &product.starts(), |_| true, |node| node == entry);
        let out = walk(product, &[entry], inside, |node| node == self.accepting);
        let back = way(product, &[self.accepting], inside, |node| node == entry);
        let mut cycle = out.expect(reached).steps;
        cycle.extend(back.expect(reached).steps);
        Lasso {
            prefix: moves(product, &prefix.expect("it is reachable").steps),
            cycle: moves(product, &cycle),
        }
    }
}

/// How far each node is from the nearest of some nodes, through open ones.
fn distances(product: Product<'_>, sources: &[u32], open: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut distances = vec![FAR; product.nodes()];
    let mut waiting: VecDeque<u32> = sources.iter().copied().collect();
    sources
        .iter()
        .for_each(|&source| distances[source as usize] = 0);
    while let Some(node) = waiting.pop_front() {
        let next = distances[node as usize] + 1;
        for step in product.steps(node).filter(|step| open(step.target)) {
            if distances[step.target as usize] == FAR {
                distances[step.target as usize] = next;
                waiting.push_back(step.target);
            }
        }
    }
    distances
}
