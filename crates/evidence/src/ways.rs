//! Ways through small graphs.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The nodes of a shortest way from a node back to it, without the one that it begins with, on which at least one is wanted; `next` gives the
/// nodes that follow one.
pub fn way_back<'g>(
    next: impl Fn(usize) -> &'g [usize],
    is_wanted: impl Fn(usize) -> bool,
    node: usize,
) -> Option<Vec<usize>> {
    // Where the way has got to, and whether it has come by one that is wanted.
    let (start, end) = ((node, is_wanted(node)), (node, true));
    let mut parents: HashMap<(usize, bool), (usize, bool)> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let (Some(current), false) = (waiting.pop_front(), parents.contains_key(&end)) {
        for &next in next(current.0) {
            let next = (next, current.1 || is_wanted(next));
            if let Entry::Vacant(new) = parents.entry(next) {
                new.insert(current);
                waiting.push_back(next);
            }
        }
    }
    let mut way = vec![node];
    let mut current = *parents.get(&end)?;
    while current != start {
        way.push(current.0);
        current = *parents.get(&current)?;
    }
    way.reverse();
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: [&[usize]; 4] = [&[1, 2], &[2], &[0, 3], &[]];

    #[test]
    fn a_shortest_way_back_is_found_if_there_is_one() {
        let back = |node| way_back(|at| GRAPH[at], |_| true, node);
        assert_eq!(back(0), Some(vec![2, 0]));
        assert_eq!(back(1), Some(vec![2, 0, 1]));
        assert_eq!(back(3), None);
        assert_eq!(way_back(|_| &[0], |_| true, 0), Some(vec![0]));
    }

    #[test]
    fn it_comes_by_what_is_wanted() {
        let by = |wanted| way_back(|at| GRAPH[at], move |at| at == wanted, 0);
        assert_eq!(by(1), Some(vec![1, 2, 0]));
        assert_eq!(by(2), Some(vec![2, 0]));
        assert_eq!(by(0), Some(vec![2, 0]));
        assert_eq!(by(3), None);
        // Round once without it, and once with it.
        let graph: [&[usize]; 3] = [&[1], &[0, 2], &[1]];
        let far = way_back(|at| graph[at], |at| at == 2, 0);
        assert_eq!(far, Some(vec![1, 2, 1, 0]));
    }
}
