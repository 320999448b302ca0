//! All ways through an edge, put together so that the order of tests does not show.
//!
//! Code that asks `a` and then `b` has other ways through it than code that asks `b` and then `a`, although it may do
//! the same. So the ways are sorted by what comes of them. Each way is there if some conditions hold, its *cube*; the cubes of all ways to one
//! outcome say together when it happens, and `cubes` gives them a form that depends on this alone.
//!
//! # Why that is right
//!
//! All conditions of the first segment are about the state in which it starts. Let none of them be able to fail by itself; otherwise
//! nothing is changed here. Then an outcome is possible iff all conditions of a way to it hold. What comes after the first
//! segment is treated in the same way, from the state in which the next one starts.
//!
//! What is required so that a step is no fault (`risks`) is no part of cubes. There is a way to a fault for it, whose conditions are those
//! that were asked before and that it does not hold. In each state exactly one way is taken (where there may be a choice,
//! nothing may be required). So the step is a fault iff all conditions of a way to a fault hold: what was required before on that way may be left out, because that it
//! is not met is a fault as well. And if it is no fault, everything that is required on the way that is taken is met, and it is the only
//! one whose asked conditions hold.

use super::super::cubes::{Cube, prime};
use crate::algebra::Algebra;
use crate::path::{At, Observation, Path, Segment};
use crate::term::Term;
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What happens at the end of a segment, and afterwards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    /// The segment without its observations; none if the path ends without one.
    does: Option<Segment>,
    /// The rest of the paths: more than one if what has been done decides nothing about the rest.
    later: BTreeSet<Path>,
}

/// A path that is cut after its first segment.
struct Cut {
    cube: BTreeMap<Term, Span>,
    does: Option<Segment>,
    rest: Path,
}

/// The paths in normal form.
pub(super) fn settled(algebra: Algebra, paths: Vec<Path>) -> Vec<Path> {
    let paths = together(algebra, paths).into_iter();
    let normal: BTreeSet<Path> = paths.map(|p| p.normal(algebra)).collect();
    normal.into_iter().collect()
}

fn together(algebra: Algebra, paths: Vec<Path>) -> Vec<Path> {
    let observations = |p: &Path| -> bool {
        let first = p.segments.first();
        first.is_none_or(|s| s.observations.iter().all(|o| is_sure(algebra, &o.what)))
    };
    if paths.iter().all(|p| p.segments.is_empty()) || !paths.iter().all(observations) {
        return paths;
    }
    let mut spans = BTreeMap::new();
    let mut beginnings: BTreeMap<(BTreeSet<Term>, Option<Segment>), Vec<Path>> = BTreeMap::new();
    for cut in paths.into_iter().filter_map(cut) {
        let cube: BTreeSet<Term> = cut.cube.keys().cloned().collect();
        spans.extend(cut.cube);
        beginnings
            .entry((cube, cut.does))
            .or_default()
            .push(cut.rest);
    }
    let mut outcomes: BTreeMap<Outcome, Vec<BTreeSet<Term>>> = BTreeMap::new();
    for ((cube, does), rest) in beginnings {
        let later = together(algebra, rest).into_iter().collect();
        outcomes
            .entry(Outcome { does, later })
            .or_default()
            .push(cube);
    }
    let cubes = outcomes.into_iter().flat_map(|(outcome, cubes)| {
        let primes = prime(algebra, cubes);
        primes.into_iter().map(move |cube| (cube, outcome.clone()))
    });
    cubes
        .flat_map(|(cube, outcome)| joined(&spans, &cube, &outcome))
        .collect()
}

/// Whether nothing but the truth of a condition is observed, which cannot fail.
fn is_sure(algebra: Algebra, observation: &Observation) -> bool {
    match observation {
        Observation::Holds(t) | Observation::Computes(t) => algebra.is_total(t),
        Observation::Asserts(_) => false,
    }
}

/// Cuts a path after its first segment; nothing if it can never be taken.
fn cut(path: Path) -> Option<Cut> {
    let mut segments = path.segments.into_iter();
    let first = segments.next();
    let rest = Path {
        segments: segments.collect(),
        end: path.end,
    };
    let Some(first) = first else {
        return Some(Cut {
            cube: BTreeMap::new(),
            does: None,
            rest,
        });
    };
    let mut cube = BTreeMap::new();
    for observation in first.observations {
        match observation.what {
            Observation::Holds(t) if t.known() == Some(0) => return None,
            Observation::Holds(t) if t.known().is_none() => drop(cube.insert(t, observation.span)),
            _ => {}
        }
    }
    let mut writes = first.writes;
    writes.retain(|w| Term::Read(w.what.0.clone()) != w.what.1);
    writes.sort();
    let mut inserts = first.inserts;
    inserts.sort();
    let does = Segment {
        observations: Vec::new(),
        writes,
        inserts,
        deed: first.deed,
    };
    Some(Cut {
        cube,
        does: Some(does).filter(|s| !s.is_empty() || !rest.segments.is_empty()),
        rest,
    })
}

/// The paths that begin in that way.
fn joined(spans: &BTreeMap<Term, Span>, cube: &Cube, outcome: &Outcome) -> Vec<Path> {
    let condition = |t: &Term| At {
        what: Observation::Holds(t.clone()),
        span: spans[t],
    };
    let first = Segment {
        observations: cube.iter().map(condition).collect(),
        ..outcome.does.clone().unwrap_or_default()
    };
    let later = outcome.later.iter().cloned();
    let whole = later.map(|mut rest| {
        rest.segments.insert(0, first.clone());
        rest
    });
    whole.collect()
}
