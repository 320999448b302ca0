//! Layout: positions for the states of a graph.
//!
//! Each level has a line, level by level from the start. On the lines, `rust-sugiyama` places the states: it looks for an order with few crossings and puts
//! states near to their neighbours. It is told of the edges that lead one level down. In a graph that was visited breadth first these are all edges that
//! lead down, and every state has one from the level above, so the lines that the library finds are the levels. Edges that lead up or stay on their level are
//! drawn as bows: told to the library, each of them would become a chain of points on all lines between its ends, and the layout would take minutes
//! instead of a tenth of a second for 2,000 states.
//!
//! What depends on nothing but the graph: the same graph has the same picture every time.

use rust_sugiyama::configure::{Config, RankingType};
use std::collections::BTreeSet;

/// The places of all states on their lines: those of one line are at least 1 apart.
pub fn places(depths: &[u32], edges: &[(u32, u32)]) -> Vec<f64> {
    let mut parts: Vec<Vec<(u32, f64)>> = arranged(depths, edges);
    let told: BTreeSet<u32> = parts.iter().flatten().map(|(state, _)| *state).collect();
    let alone = (0..depths.len() as u32).filter(|state| !told.contains(state));
    parts.extend(alone.map(|state| vec![(state, 0.0)]));
    side_by_side(parts, depths.len())
}

/// The parts of the graph that hang together, each with the places of its states.
fn arranged(depths: &[u32], edges: &[(u32, u32)]) -> Vec<Vec<(u32, f64)>> {
    let leads_down = |&(from, to): &(u32, u32)| depths[from as usize] + 1 == depths[to as usize];
    let down: BTreeSet<(u32, u32)> = edges.iter().copied().filter(leads_down).collect();
    let down = Vec::from_iter(down);
    // To exchange neighbours as well takes twenty times as long, and saves a twentieth of the crossings.
    let config = Config {
        vertex_spacing: 1.0,
        ranking_type: RankingType::Up,
        transpose: false,
        ..Config::default()
    };
    let parts = rust_sugiyama::from_edges(&down, &config).into_iter();
    parts
        .map(|(states, ..)| {
            let states = states.into_iter();
            states
                .map(|(state, (across, _))| (state as u32, across))
                .collect()
        })
        .collect()
}

/// Puts the parts of a graph beside each other, the one with the first state first.
fn side_by_side(mut parts: Vec<Vec<(u32, f64)>>, states: usize) -> Vec<f64> {
    parts.sort_by_key(|part| part.iter().map(|(state, _)| *state).min());
    let mut places = vec![0.0; states];
    let mut begin = 0.0;
    for part in parts {
        let across = || part.iter().map(|(_, across)| *across);
        let (left, right) = (
            across().fold(f64::INFINITY, f64::min),
            across().fold(f64::NEG_INFINITY, f64::max),
        );
        for (state, across) in &part {
            places[*state as usize] = begin + across - left;
        }
        begin += right - left + 1.0;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A graph of so many states as a search visits it: each state but the first is met from one or more of the level before, and some edges lead elsewhere.
    fn random(states: u32, seed: u64) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut state = seed;
        let mut below = move |end: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % u64::from(end)) as u32
        };
        let starts = 1 + below(3);
        let (mut depths, mut edges) = (vec![0; starts as usize], Vec::new());
        let mut level = 0..starts;
        while level.end < states {
            let size = (1 + below(2 * level.len() as u32 + 2)).min(states - level.end);
            for state in level.end..level.end + size {
                depths.push(depths[level.start as usize] + 1);
                for _ in 0..=below(5) {
                    edges.push((level.start + below(level.len() as u32), state));
                }
                edges.push((state, below(state + 1)));
            }
            level = level.end..level.end + size;
        }
        (depths, edges)
    }

    #[track_caller]
    fn assert_apart(depths: &[u32], places: &[f64]) {
        let mut lines: Vec<(u32, f64)> = depths.iter().copied().zip(places.to_vec()).collect();
        lines.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for pair in lines.windows(2) {
            let is_apart = pair[0].0 != pair[1].0 || pair[1].1 - pair[0].1 > 0.999;
            assert!(is_apart, "{pair:?}");
        }
    }

    #[test]
    fn a_parent_stands_above_its_children_and_nobody_too_near() {
        let depths = [0, 1, 1, 1, 2, 2];
        let edges = [(0, 1), (0, 2), (0, 3), (1, 4), (3, 5), (5, 0), (0, 1)];
        let places = places(&depths, &edges);
        assert!((places[0] - places[2]).abs() < 0.6, "{places:?}");
        assert_apart(&depths, &places);
        assert!(
            (places[1] < places[3]) == (places[4] < places[5]),
            "no crossing: {places:?}"
        );
    }

    #[test]
    fn states_without_neighbours_have_places_of_their_own() {
        assert_eq!(places(&[], &[]), [0.0; 0]);
        assert_eq!(places(&[0], &[(0, 0)]), [0.0]);
        let depths = [0, 0, 0, 1];
        let places = places(&depths, &[(1, 3)]);
        assert_apart(&depths, &places);
        assert_eq!(places[1], places[3]);
    }

    #[test]
    fn the_same_graph_has_the_same_places() {
        for seed in 0..40 {
            let (depths, edges) = random(1 + 7 * seed as u32, seed);
            let first = places(&depths, &edges);
            assert_apart(&depths, &first);
            assert_eq!(first.len(), depths.len());
            for _ in 0..3 {
                assert_eq!(places(&depths, &edges), first, "{seed}");
            }
        }
    }

    #[test]
    fn the_largest_graph_that_is_drawn_takes_no_time() {
        let (depths, edges) = random(crate::MOST_STATES as u32, 1);
        let begin = Instant::now();
        assert_apart(&depths, &places(&depths, &edges));
        // A tenth of a second where it is optimised and the machine is idle.
        assert!(begin.elapsed() < Duration::from_secs(60));
    }
}
