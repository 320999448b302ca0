//! Ways round through graphs.
//!
//! A graph may have a hundred thousand nodes and more, and a shortest round of all is wanted. So a search never leaves the strongly connected component
//! that it begins in, begins only where there is something to find, and goes no further than is of use.

use std::collections::VecDeque;

/// A search for short ways from nodes of a graph back to them, on which at least one node is wanted.
pub(crate) struct Rounds<'g> {
    next: Vec<&'g [usize]>,
    wanted: Vec<bool>,
    /// The strongly connected component of each node.
    components: Vec<usize>,
    /// Whether a component has a wanted node on a way round.
    promising: Vec<bool>,
    /// Where the way has come from, for each node without and with a wanted one before it or there; and in which search that was.
    parents: Vec<(usize, usize)>,
    searches: usize,
    /// How many places all searches together have looked at.
    #[cfg(test)]
    visits: usize,
}

impl<'g> Rounds<'g> {
    /// Those of a graph given by the nodes that follow each node, and which are wanted.
    pub(crate) fn new(next: Vec<&'g [usize]>, wanted: Vec<bool>) -> Self {
        let components = components(&next);
        let mut promising = vec![false; next.len()];
        for (node, next) in next.iter().enumerate() {
            let component = components[node];
            let stays = |next: &&usize| components[**next] == component;
            promising[component] |= wanted[node] && next.iter().any(|next| stays(&next));
        }
        Rounds {
            parents: vec![(0, 0); 2 * next.len()],
            next,
            wanted,
            components,
            promising,
            searches: 0,
            #[cfg(test)]
            visits: 0,
        }
    }

    /// The nodes of a shortest way from a node back to it, without the one that it begins with, if it has fewer than so many.
    pub(crate) fn shortest(&mut self, node: usize, limit: usize) -> Option<Vec<usize>> {
        if !self.promising[self.components[node]] {
            return None;
        }
        self.searches += 1;
        let start = self.place(node, false);
        let end = 2 * node + 1;
        let mut waiting = VecDeque::from([(start, 0)]);
        while let Some((place, length)) = waiting.pop_front() {
            if length + 1 >= limit {
                return None;
            }
            if self.go_on(place, end, length + 1, &mut waiting) {
                return Some(self.way(start, end));
            }
        }
        None
    }

    /// Where a way is that comes to a node, with a wanted one on it before or not.
    fn place(&self, node: usize, wanted: bool) -> usize {
        2 * node + usize::from(wanted || self.wanted[node])
    }

    /// Takes the steps from a place; says whether one leads to the end.
    fn go_on(
        &mut self,
        from: usize,
        end: usize,
        length: usize,
        waiting: &mut VecDeque<(usize, usize)>,
    ) -> bool {
        let component = self.components[from / 2];
        for &next in self.next[from / 2] {
            #[cfg(test)]
            {
                self.visits += 1;
            }
            let to = self.place(next, from % 2 == 1);
            if self.components[next] == component && self.parents[to].0 != self.searches {
                self.parents[to] = (self.searches, from);
                waiting.push_back((to, length));
                if to == end {
                    return true;
                }
            }
        }
        false
    }

    fn way(&self, start: usize, end: usize) -> Vec<usize> {
        let mut way = vec![end / 2];
        let mut place = self.parents[end].1;
        while place != start {
            way.push(place / 2);
            place = self.parents[place].1;
        }
        way.reverse();
        way
    }
}

/// A node that a search depth first is in.
struct Frame {
    node: usize,
    /// How many of the nodes after it have been looked at.
    looked_at: usize,
}

/// The strongly connected component of each node, by Tarjan's algorithm.
fn components(next: &[&[usize]]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut components = vec![NONE; next.len()];
    // When a node was entered, and the first that is known to be reached from it and still open.
    let (mut entered, mut lowest) = (vec![NONE; next.len()], vec![NONE; next.len()]);
    let (mut time, mut number) = (0, 0);
    let mut open = Vec::new();
    for root in 0..next.len() {
        let mut frames = Vec::new();
        let mut enter = (entered[root] == NONE).then_some(root);
        loop {
            if let Some(node) = enter.take() {
                (entered[node], lowest[node]) = (time, time);
                time += 1;
                open.push(node);
                frames.push(Frame { node, looked_at: 0 });
            }
            let Some(Frame { node, looked_at }) = frames.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(&to) = next[node].get(*looked_at) {
                if entered[to] == NONE {
                    enter = Some(to);
                } else {
                    *looked_at += 1;
                    if components[to] == NONE {
                        lowest[node] = lowest[node].min(lowest[to]);
                    }
                }
                continue;
            }
            frames.pop();
            if lowest[node] == entered[node] {
                close(&mut open, node, |member| components[member] = number);
                number += 1;
            }
        }
    }
    components
}

/// Takes the open nodes from one on.
fn close(open: &mut Vec<usize>, first: usize, mut take: impl FnMut(usize)) {
    while let Some(member) = open.pop() {
        take(member);
        if member == first {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: [&[usize]; 4] = [&[1, 2], &[2], &[0, 3], &[]];

    fn way_back(
        graph: &[&[usize]],
        is_wanted: impl Fn(usize) -> bool,
        node: usize,
    ) -> Option<Vec<usize>> {
        let wanted = (0..graph.len()).map(is_wanted).collect();
        Rounds::new(graph.to_vec(), wanted).shortest(node, usize::MAX)
    }

    #[test]
    fn a_shortest_way_back_is_found_if_there_is_one() {
        let back = |node| way_back(&GRAPH, |_| true, node);
        assert_eq!(back(0), Some(vec![2, 0]));
        assert_eq!(back(1), Some(vec![2, 0, 1]));
        assert_eq!(back(3), None);
        assert_eq!(way_back(&[&[0]], |_| true, 0), Some(vec![0]));
    }

    #[test]
    fn it_comes_by_what_is_wanted() {
        let by = |wanted| way_back(&GRAPH, move |at| at == wanted, 0);
        assert_eq!(by(1), Some(vec![1, 2, 0]));
        assert_eq!(by(2), Some(vec![2, 0]));
        assert_eq!(by(0), Some(vec![2, 0]));
        assert_eq!(by(3), None);
        // Round once without it, and once with it.
        let graph: [&[usize]; 3] = [&[1], &[0, 2], &[1]];
        let far = way_back(&graph, |at| at == 2, 0);
        assert_eq!(far, Some(vec![1, 2, 1, 0]));
    }

    #[test]
    fn a_way_that_is_too_long_is_not_found() {
        let mut rounds = Rounds::new(GRAPH.to_vec(), vec![true; 4]);
        assert_eq!(rounds.shortest(1, 3), None);
        assert_eq!(rounds.shortest(1, 4), Some(vec![2, 0, 1]));
        assert_eq!(rounds.shortest(0, 3), Some(vec![2, 0]));
    }

    #[test]
    fn nothing_is_looked_for_where_there_is_nothing() {
        let graph: Vec<Vec<usize>> = (0..2_000)
            .map(|at| vec![(at + 1) % 2_000, 2_000])
            .chain([vec![]])
            .collect();
        let next: Vec<&[usize]> = graph.iter().map(Vec::as_slice).collect();
        let wanted = (0..=2_000).map(|at| at == 2_000).collect();
        let mut rounds = Rounds::new(next, wanted);
        assert!((0..=2_000).all(|at| rounds.shortest(at, usize::MAX).is_none()));
        assert_eq!(rounds.visits, 0);
    }
}
