//! What tells processes apart that look alike.
//!
//! Vertices of the graph of a model are coloured, round by round, by the colours around them. In the round in which
//! two processes of a template get different colours, one of their statements has got different colours in the round
//! before: that one tells them apart, and it is the nearest one that does.

use crate::certificate::Certificate;
use crate::domain::DomainKind;
use crate::sorts::Point;
use crate::structure::{Statement, Structure};
use mandala_model::source::Span;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many rounds: who is told apart by something farther away is told apart by too much for one sentence.
const ROUNDS: usize = 24;

/// Two processes of a template that are not interchangeable, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Their numbers.
    pub processes: (u32, u32),
    /// The statement that tells them apart, if one does by itself.
    pub statement: Option<(Span, String)>,
}

/// For each family, what tells a member of each orbit from a member of the first one.
pub(crate) fn differences(
    structure: &Structure,
    kinds: &[DomainKind],
    certificate: Option<&Certificate>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut rounds = None;
    for kind in kinds {
        let DomainKind::Processes { numbers, .. } = kind else {
            continue;
        };
        let heads = heads(numbers, certificate);
        for other in heads.iter().skip(1) {
            let rounds = rounds.get_or_insert_with(|| rounds_of(structure));
            found.push(Difference {
                processes: (heads[0], *other),
                statement: statement(structure, rounds, (heads[0], *other)),
            });
        }
    }
    found
}

/// The least member of each orbit.
fn heads(numbers: &[u32], certificate: Option<&Certificate>) -> Vec<u32> {
    let generators = certificate.map(Certificate::generators).unwrap_or_default();
    let mut heads: Vec<u32> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for number in numbers {
        if !seen.insert(*number) {
            continue;
        }
        heads.push(*number);
        let mut open = vec![*number];
        while let Some(at) = open.pop() {
            let images = generators.iter().map(|g| g.processes().image(at));
            open.extend(images.filter(|image| seen.insert(*image)));
        }
    }
    heads
}

/// The colours of all vertices in each round.
fn rounds_of(structure: &Structure) -> Vec<Vec<u64>> {
    let first = structure.colours.iter().map(|c| u64::from(*c)).collect();
    let mut rounds: Vec<Vec<u64>> = vec![first];
    for round in 0..ROUNDS {
        let before = &rounds[round];
        let mut around: Vec<Vec<(bool, u32, u64)>> = vec![Vec::new(); before.len()];
        for edge in &structure.edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            around[from].push((false, edge.label, before[to]));
            around[to].push((true, edge.label, before[from]));
        }
        let colour = |(own, mut around): (&u64, Vec<_>)| {
            around.sort_unstable();
            let mut hasher = DefaultHasher::new();
            (own, around).hash(&mut hasher);
            hasher.finish()
        };
        let next = before.iter().zip(around).map(colour).collect();
        rounds.push(next);
    }
    rounds
}

fn statement(
    structure: &Structure,
    rounds: &[Vec<u64>],
    (a, b): (u32, u32),
) -> Option<(Span, String)> {
    let vertex = |n| {
        let mut points = structure.points.iter();
        points.position(|p| *p == Point::Process(n))
    };
    let (at_a, at_b) = (vertex(a)?, vertex(b)?);
    let round = rounds.iter().position(|r| r[at_a] != r[at_b])?;
    let colours = &rounds[round.checked_sub(1)?];
    let (ours, theirs) = (of(structure, a, colours), of(structure, b, colours));
    let odd = |one: &Statements<'_>, other: &Statements<'_>| {
        let mut all = one.iter();
        let odd = all.find(|(key, list)| other.get(*key).map(Vec::len) != Some(list.len()));
        odd.map(|(_, list)| (list[0].span, list[0].text.clone()))
    };
    odd(&ours, &theirs).or_else(|| odd(&theirs, &ours))
}

/// Statements by location and colour.
type Statements<'s> = BTreeMap<(u32, u64), Vec<&'s Statement>>;

fn of<'s>(structure: &'s Structure, process: u32, colours: &[u64]) -> Statements<'s> {
    let mut all = Statements::new();
    for statement in structure.statements.iter().filter(|s| s.process == process) {
        let colour = colours[statement.vertex as usize];
        let key = (statement.location.1.0, colour);
        all.entry(key).or_default().push(statement);
    }
    all
}
