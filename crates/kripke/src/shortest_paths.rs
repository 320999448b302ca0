//! Shortest ways in a product.

use crate::product::{Product, Step};
use std::collections::VecDeque;

/// A way from a product node.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub start: u32,
    pub steps: Vec<Step>,
}

impl Way {
    pub(crate) fn end(&self) -> u32 {
        self.steps.last().map_or(self.start, |step| step.target)
    }
}

/// A shortest way from one of some nodes to a node that is wanted, perhaps without any step. It stays in open nodes.
pub(crate) fn way(
    product: Product<'_>,
    sources: &[u32],
    open: impl Fn(u32) -> bool,
    wanted: impl Fn(u32) -> bool,
) -> Option<Way> {
    match sources
        .iter()
        .find(|source| open(**source) && wanted(**source))
    {
        Some(&start) => Some(Way {
            start,
            steps: Vec::new(),
        }),
        None => walk(product, sources, open, wanted),
    }
}

/// A shortest way of at least one step.
pub(crate) fn walk(
    product: Product<'_>,
    sources: &[u32],
    open: impl Fn(u32) -> bool,
    wanted: impl Fn(u32) -> bool,
) -> Option<Way> {
    let mut search = Search::new(product.nodes());
    let sources = sources.iter().filter(|source| open(**source));
    sources.for_each(|&source| search.meet(source, source));
    while let Some(node) = search.waiting.pop_front() {
        for step in product.steps(node).filter(|step| open(step.target)) {
            if wanted(step.target) {
                let mut way = search.way_to(product, node);
                way.steps.push(step);
                return Some(way);
            }
            search.meet(step.target, node);
        }
    }
    None
}

/// A breadth-first search.
struct Search {
    /// For each node one more than the node from which it was met first (a source: from itself), and 0 before it is met.
    before: Vec<u32>,
    waiting: VecDeque<u32>,
}

impl Search {
    fn new(nodes: usize) -> Search {
        Search {
            before: vec![0; nodes],
            waiting: VecDeque::new(),
        }
    }

    fn meet(&mut self, node: u32, from: u32) {
        let before = &mut self.before[node as usize];
        if *before == 0 {
            *before = from + 1;
            self.waiting.push_back(node);
        }
    }

    fn way_to(&self, product: Product<'_>, node: u32) -> Way {
        let before = |node: &u32| Some(self.before[*node as usize] - 1).filter(|from| from != node);
        let back: Vec<u32> = std::iter::successors(Some(node), before).collect();
        let start = back.last().copied().unwrap_or(node);
        let pairs = back.windows(2).rev();
        let steps = pairs.filter_map(|pair| {
            let mut steps = product.steps(pair[1]);
            steps.find(|step| step.target == pair[0])
        });
        Way {
            start,
            steps: steps.collect(),
        }
    }
}
