//! Differences between processes and names that look alike.
//!
//! Each statement in which somebody occurs looks different to him than to others: he finds himself in it in some
//! place, and somebody else in other places. If a statement looks to one as none looks to the other, it tells them apart.
//! If there is no such statement, who else occurs has to be looked at more closely: vertices of the graph of the model
//! are coloured, round by round, by the colours around them, until statements of the two have different colours.

use crate::certificate::Certificate;
use crate::domain::DomainKind;
use crate::hashing::hash;
use crate::renaming::Renaming;
use crate::room::points;
use crate::sorts::Point;
use crate::structure::{Statement, Structure};
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// How many rounds: who is told apart by something farther away is told apart by too much for one sentence.
const ROUNDS: usize = 24;

/// How many names of a set are compared with the first one.
const MOST_NAMES: usize = 8;

/// Two that look alike and are not interchangeable, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Who.
    pub who: LookAlikes,
    /// The statement that tells them apart, if one does by itself.
    pub statement: Option<(Span, String)>,
}

/// Two that look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookAlikes {
    /// Processes of one template, by their numbers.
    Processes(u32, u32),
    /// Names of one set.
    Names {
        /// What a person calls the set.
        label: String,
        /// Their values.
        values: (i64, i64),
    },
}

/// For each domain, what tells a member of each orbit from a member of the first one. Of sets of names that are only a
/// guess, as `guessed` says, those are meant of which something is moved.
pub(crate) fn differences(
    structure: &Structure,
    kinds: &[DomainKind],
    certificate: Option<&Certificate>,
    guessed: bool,
) -> Vec<Difference> {
    let mut view = View::of(structure);
    let mut found = Vec::new();
    for (kind, members) in kinds.iter().zip(points(kinds)) {
        let mut heads = heads(kind, &members, certificate);
        let unmoved = heads.len() == members.len();
        if matches!(kind, DomainKind::Names { .. }) && guessed && unmoved {
            continue;
        }
        // Those that nobody speaks of do not differ.
        let mut silent = BTreeSet::new();
        heads.retain(|head| view.occurs(*head) || silent.insert(()));
        let Some(first) = heads.first() else { continue };
        let looks = view.looks(*first);
        let others = heads.iter().skip(1).take(most(kind));
        found.extend(others.map(|other| Difference {
            who: look_alikes(kind, *first, *other),
            statement: view.between(looks.as_ref(), *other),
        }));
    }
    found
}

fn most(kind: &DomainKind) -> usize {
    match kind {
        DomainKind::Processes { .. } => usize::MAX,
        DomainKind::Names { .. } => MOST_NAMES,
    }
}

fn look_alikes(kind: &DomainKind, a: Point, b: Point) -> LookAlikes {
    let number = |point| match point {
        Point::Process(number) | Point::Name(_, number) => number,
    };
    match kind {
        DomainKind::Processes { .. } => LookAlikes::Processes(number(a), number(b)),
        DomainKind::Names { label, first, .. } => LookAlikes::Names {
            label: label.clone(),
            values: (first + i64::from(number(a)), first + i64::from(number(b))),
        },
    }
}

/// The first member of each orbit.
fn heads(kind: &DomainKind, members: &[Point], certificate: Option<&Certificate>) -> Vec<Point> {
    let generators = certificate.map(Certificate::generators).unwrap_or_default();
    let set = certificate.and_then(|c| set_of(kind, c));
    let image = |renaming: &Renaming, point: Point| match (point, set) {
        (Point::Process(n), _) => Point::Process(renaming.processes().image(n)),
        (Point::Name(own, n), Some(set)) => Point::Name(own, renaming.names(set).image(n)),
        (name, None) => name,
    };
    let mut heads = Vec::new();
    let mut seen = BTreeSet::new();
    for member in members {
        if !seen.insert(*member) {
            continue;
        }
        heads.push(*member);
        let mut open = vec![*member];
        while let Some(at) = open.pop() {
            let images = generators.iter().map(|g| image(g, at));
            open.extend(images.filter(|image| seen.insert(*image)));
        }
    }
    heads
}

/// The number of a set of names in a certificate, if it is there.
fn set_of(kind: &DomainKind, certificate: &Certificate) -> Option<u32> {
    let known = certificate.domains().iter().map(|d| &d.kind);
    known
        .filter(|known| known.is_like(kind))
        .find_map(|known| match known {
            DomainKind::Names { set, .. } => Some(*set),
            DomainKind::Processes { .. } => None,
        })
}

/// The graph as it is looked at from one vertex or another.
struct View<'s> {
    structure: &'s Structure,
    /// The edges that lead down from each vertex: their labels, and where they lead.
    down: Vec<Vec<(u32, u32)>>,
    /// What each vertex looks like to whom is not found there.
    plain: Vec<u64>,
    /// The colours of all vertices in each round that somebody has asked for.
    rounds: Vec<Vec<u64>>,
}

/// What a vertex looks like to somebody.
#[derive(Clone, Copy)]
struct Look {
    /// Whether he is found there or below.
    found: bool,
    what: u64,
}

/// Statements by where they stand and what they look like.
type Statements<'s> = BTreeMap<(u32, u64), Vec<&'s Statement>>;

impl<'s> View<'s> {
    fn of(structure: &'s Structure) -> Self {
        let mut down = vec![Vec::new(); structure.colours.len()];
        for edge in &structure.edges {
            down[edge.from as usize].push((edge.label, edge.to));
        }
        let mut plain: Vec<u64> = Vec::with_capacity(down.len());
        let mut below = Vec::new();
        // Vertices come after those that they lead down to.
        for (colour, down) in structure.colours.iter().zip(&down) {
            plain.push(appearance(*colour, false, down, &mut below, |child| {
                plain[child]
            }));
        }
        let first = structure.colours.iter().map(|c| u64::from(*c)).collect();
        View {
            structure,
            down,
            plain,
            rounds: vec![first],
        }
    }

    /// Whether somebody is spoken of anywhere.
    fn occurs(&self, point: Point) -> bool {
        let mut points = self.structure.points.iter();
        let vertex = points.position(|p| *p == point);
        let mut edges = self.structure.edges.iter();
        vertex.is_some_and(|vertex| edges.any(|edge| edge.to as usize == vertex))
    }

    /// The shortest statement that tells apart whoever the model looks like this to and somebody else.
    fn between(&mut self, a: Option<&Vec<Look>>, b: Point) -> Option<(Span, String)> {
        let (a, b) = (a?, self.looks(b)?);
        let statements = |looks: &[Look]| self.statements(looks, |vertex| looks[vertex].what);
        let odd = odd_one(&statements(a), &statements(&b));
        odd.or_else(|| {
            (0..=ROUNDS).find_map(|round| {
                if round == self.rounds.len() {
                    let next = next_round(self.structure, &self.rounds[round - 1]);
                    self.rounds.push(next);
                }
                let colours = &self.rounds[round];
                let at = |looks: &[Look]| self.statements(looks, |vertex| colours[vertex]);
                odd_one(&at(a), &at(&b))
            })
        })
    }

    /// What the vertices look like to somebody.
    fn looks(&self, point: Point) -> Option<Vec<Look>> {
        let mut points = self.structure.points.iter();
        let me = points.position(|p| *p == point)?;
        let mut looks: Vec<Look> = Vec::with_capacity(self.down.len());
        let mut below = Vec::new();
        for (vertex, down) in self.down.iter().enumerate() {
            let mut children = down.iter().map(|(_, child)| looks[*child as usize]);
            let found = vertex == me || children.any(|look| look.found);
            let colour = self.structure.colours[vertex];
            let what = match found {
                true => appearance(colour, vertex == me, down, &mut below, |child| {
                    looks[child].what
                }),
                false => self.plain[vertex],
            };
            looks.push(Look { found, what });
        }
        Some(looks)
    }

    /// The statements in which somebody is found, by their looks.
    fn statements(&self, looks: &[Look], look: impl Fn(usize) -> u64) -> Statements<'s> {
        let mut all = Statements::new();
        for statement in &self.structure.statements {
            let vertex = statement.vertex as usize;
            if looks[vertex].found {
                let key = (statement.location.1.0, look(vertex));
                all.entry(key).or_default().push(statement);
            }
        }
        all
    }
}

/// The shortest of the statements that one has more of than the other.
fn odd_one(ours: &Statements<'_>, theirs: &Statements<'_>) -> Option<(Span, String)> {
    let both = [(ours, theirs), (theirs, ours)];
    let odd = both.into_iter().flat_map(|(one, other)| {
        let count = |key| other.get(key).map_or(0, Vec::len);
        let odd = one
            .iter()
            .filter(move |(key, list)| count(key) < list.len());
        odd.flat_map(|(_, list)| list)
    });
    let shortest = odd.min_by_key(|s| (s.text.len(), s.span))?;
    Some((shortest.span, shortest.text.clone()))
}

/// What a vertex of that colour looks like, who is there himself or not, above children that look as is said; `below` is room for these.
fn appearance(
    colour: u32,
    is_me: bool,
    down: &[(u32, u32)],
    below: &mut Vec<(u32, u64)>,
    look: impl Fn(usize) -> u64,
) -> u64 {
    below.clear();
    let children = down.iter();
    below.extend(children.map(|(label, child)| (*label, look(*child as usize))));
    below.sort_unstable();
    hash(&(colour, is_me, below))
}

/// The colours of all vertices, each with those around it in the round before.
fn next_round(structure: &Structure, before: &[u64]) -> Vec<u64> {
    let mut around: Vec<Vec<(bool, u32, u64)>> = vec![Vec::new(); before.len()];
    for edge in &structure.edges {
        let (from, to) = (edge.from as usize, edge.to as usize);
        around[from].push((false, edge.label, before[to]));
        around[to].push((true, edge.label, before[from]));
    }
    let colour = |(own, mut around): (&u64, Vec<_>)| {
        around.sort_unstable();
        hash(&(own, around))
    };
    before.iter().zip(around).map(colour).collect()
}
