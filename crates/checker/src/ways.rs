//! Ways through small graphs.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

/// The nodes of a shortest way from a node back to it, without the one that it begins with; `next` gives the nodes that follow one.
pub fn way_back<'g>(next: impl Fn(usize) -> &'g [usize], node: usize) -> Option<Vec<usize>> {
    let mut parents: HashMap<usize, usize> = HashMap::new();
    let mut waiting = VecDeque::from([node]);
    while let (Some(current), false) = (waiting.pop_front(), parents.contains_key(&node)) {
        for &next in next(current) {
            if let Entry::Vacant(new) = parents.entry(next) {
                new.insert(current);
                waiting.push_back(next);
            }
        }
    }
    let mut way = vec![node];
    let mut current = *parents.get(&node)?;
    while current != node {
        way.push(current);
        current = *parents.get(&current)?;
    }
    way.reverse();
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortest_way_back_is_found_if_there_is_one() {
        let graph: [&[usize]; 4] = [&[1, 2], &[2], &[0, 3], &[]];
        let back = |node| way_back(|at| graph[at], node);
        assert_eq!(back(0), Some(vec![2, 0]));
        assert_eq!(back(1), Some(vec![2, 0, 1]));
        assert_eq!(back(3), None);
        assert_eq!(way_back(|_| &[0], 0), Some(vec![0]));
    }
}
