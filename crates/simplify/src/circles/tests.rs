use super::*;
use mandala_model::expr::Expr;
use mandala_model::source::{FileId, Span};
use mandala_model::template::{Location, Role, Step};
use std::collections::BTreeSet;

/// A template with so many locations and these edges, each with whether it keeps control.
fn template(locations: u32, edges: &[(u32, u32, bool)]) -> Template {
    let span = Span::new(FileId(0), 0, 0);
    let mut template = Template::empty("t", Role::Process, span);
    let mut edges = edges.to_vec();
    edges.sort_by_key(|edge| edge.0);
    let mut edges = edges.into_iter().peekable();
    for from in 0..locations {
        let first = template.edges.len() as u32;
        while let Some((source, target, keeps)) = edges.next_if(|edge| edge.0 == from) {
            template.edges.push(edge(source, target, keeps));
        }
        template.locations.push(Location {
            number: from,
            labels: Vec::new(),
            end: false,
            progress: false,
            accept: false,
            silent: false,
            edges: first..template.edges.len() as u32,
            span,
        });
    }
    template
}

fn edge(source: u32, target: u32, keeps: bool) -> Edge {
    let span = Span::new(FileId(0), 0, 0);
    Edge {
        source: LocationId(source),
        target: LocationId(target),
        step: Step::Guarded {
            guard: Expr::constant(1, span),
            effects: Vec::new(),
        },
        control: if keeps {
            Control::Hold
        } else {
            Control::Release
        },
        escape: 0,
        text: String::new(),
        statement: 0,
        span,
        twin: false,
        parameters: Vec::new(),
        outcome: None,
    }
}

/// The same question, answered by a search of everything.
fn is_in_circle(template: &Template, passed: &BTreeSet<LocationId>, location: LocationId) -> bool {
    let keeps = |edge: &Edge| edge.control == Control::Hold || passed.contains(&edge.target);
    let mut seen = BTreeSet::new();
    let mut open = vec![location];
    while let Some(from) = open.pop() {
        let edges = template.edges_from(from).map(|(_, edge)| edge);
        for edge in edges.filter(|edge| keeps(edge)) {
            if edge.target == location {
                return true;
            }
            if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    false
}

fn slowly(template: &Template, candidates: &[LocationId]) -> BTreeSet<LocationId> {
    let mut passed = BTreeSet::new();
    for &location in candidates {
        passed.insert(location);
        if is_in_circle(template, &passed, location) {
            passed.remove(&location);
        }
    }
    passed
}

fn all(template: &Template) -> Vec<LocationId> {
    (0..template.locations.len())
        .map(LocationId::from)
        .collect()
}

#[test]
fn what_is_passed_is_what_a_search_of_everything_says() {
    let mut seed = 1_u64;
    let mut below = |limit: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % limit
    };
    for _ in 0..3_000 {
        let locations = 1 + below(9);
        let number = below(2 * locations + 2);
        let holds = below(4);
        let edges: Vec<(u32, u32, bool)> = (0..number)
            .map(|_| {
                (
                    below(locations) as u32,
                    below(locations) as u32,
                    below(4) < holds,
                )
            })
            .collect();
        let template = template(locations as u32, &edges);
        let mut candidates = all(&template);
        candidates.retain(|_| below(5) > 0);
        let mut circles = Circles::new(&template);
        let passed = candidates.iter().copied().filter(|l| circles.pass(*l));
        let passed: BTreeSet<LocationId> = passed.collect();
        assert_eq!(passed, slowly(&template, &candidates), "{edges:?}");
    }
}

/// A search for every location would come to half of the square of their number.
#[test]
fn the_work_grows_with_the_length_of_a_process() {
    let length = 10_000;
    let edges = |from: u32, to: fn(u32) -> u32, keeps| {
        (from..length)
            .map(move |at| (at, to(at) % length, keeps))
            .collect::<Vec<_>>()
    };
    for keeps in [false, true] {
        for edges in [
            edges(0, |at| at + 1, keeps),
            edges(0, |at| at + 1, keeps)
                .split_last()
                .unwrap()
                .1
                .to_vec(),
            edges(1, |at| at - 1, keeps),
        ] {
            let template = template(length, &edges);
            let mut circles = Circles::new(&template);
            let passed = all(&template)
                .into_iter()
                .filter(|l| circles.pass(*l))
                .count();
            let (is_ring, length) = (edges.len() == length as usize, length as usize);
            let expected = match (is_ring, keeps) {
                (true, true) => 0,
                (true, false) => length - 1,
                (false, _) => length,
            };
            assert_eq!(passed, expected);
            assert!(circles.visits <= 4 * length, "{} visits", circles.visits);
        }
    }
}
