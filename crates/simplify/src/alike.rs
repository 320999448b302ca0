//! Locations of a template that are alike but for a number. These are guesses: [`crate::gather_alike`] may make one location of any.
//!
//! Two edges have one *shape* if they do the same but for the numbers in them. Where several edges of one shape start at a location and lead to
//! different ones, and one of the numbers in them is another one in each, these are the *branches*, and that number says which. From there, the locations
//! that the branches come to side by side are the rows of a group, as long as what starts there has one shape.

use mandala_model::expr::{Expr, ExprKind};
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Control, Edge, Step, Template};
use std::collections::{BTreeMap, BTreeSet};

/// More branches than this are none of names.
const MOST: usize = 254;

/// Locations of several branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// Which number belongs to each branch.
    pub values: Vec<Value>,
    /// Locations that become one, in the order of the branches.
    pub rows: Vec<Vec<LocationId>>,
    /// For edges that start there, which of the numbers in them are that of the branch, counted as [`each_number`] meets them.
    pub own: BTreeMap<u32, BTreeSet<usize>>,
}

impl Group {
    /// How many locations become one with others.
    pub(crate) fn len(&self) -> usize {
        self.values.len() * self.rows.len()
    }
}

/// The groups of a template. `is_free` says where nobody can tell that a process is there, `meets` which edges can be a rendezvous.
pub(crate) fn groups(
    template: &Template,
    is_free: impl Fn(LocationId) -> bool,
    meets: impl Fn(u32) -> bool,
) -> Vec<Group> {
    let mut finder = Finder {
        template,
        is_free: &is_free,
        meets: &meets,
        taken: BTreeSet::new(),
    };
    let mut groups = Vec::new();
    for location in (0..template.locations.len()).map(LocationId::from) {
        for branches in finder.branches(location) {
            if let Some(group) = finder.group(&branches) {
                finder.taken.extend(group.rows.iter().flatten().copied());
                groups.push(group);
            }
        }
    }
    groups
}

struct Finder<'f> {
    template: &'f Template,
    is_free: &'f dyn Fn(LocationId) -> bool,
    meets: &'f dyn Fn(u32) -> bool,
    /// Locations that are in a group.
    taken: BTreeSet<LocationId>,
}

/// Calls `visit` on every number of a step, in a fixed order.
pub(crate) fn each_number(step: &mut Step, visit: &mut impl FnMut(&mut Expr, Value)) {
    step.each_expr_mut(&mut |expr| {
        if let ExprKind::Const(value) = expr.kind {
            visit(expr, value);
        }
    });
}

/// What an edge does but for numbers, and the numbers.
struct Shape {
    step: Step,
    holds: bool,
    numbers: Vec<Value>,
}

impl Shape {
    fn of(edge: &Edge) -> Self {
        let mut step = edge.step.clone();
        let mut numbers = Vec::new();
        each_number(&mut step, &mut |expr, value| {
            numbers.push(value);
            expr.kind = ExprKind::Const(0);
        });
        Shape {
            step: without_spans(step),
            holds: edge.control == Control::Hold,
            numbers,
        }
    }

    fn is_like(&self, other: &Shape) -> bool {
        (&self.step, self.holds) == (&other.step, other.holds)
    }
}

/// The same step, wherever it stands.
fn without_spans(mut step: Step) -> Step {
    let nowhere = Span::START;
    step.each_target_mut(&mut |place| place.span = nowhere);
    step.each_expr_mut(&mut |expr: &mut Expr| {
        expr.span = nowhere;
        if let ExprKind::Read(place) = &mut expr.kind {
            place.span = nowhere;
        }
    });
    if let Step::Routine(routine) = &mut step {
        for node in &mut routine.nodes {
            node.span = nowhere;
            node.number = 0;
            for choice in &mut node.choices {
                choice.span = nowhere;
                choice.text.clear();
            }
        }
    }
    step
}

impl Finder<'_> {
    /// The sets of edges at a location that may be branches: of one shape, to different locations.
    fn branches(&self, location: LocationId) -> Vec<Vec<u32>> {
        let mut sets: Vec<(Shape, Vec<u32>)> = Vec::new();
        for (index, edge) in self.template.edges_from(location) {
            // What others depend on is left alone.
            if edge.step == Step::Else || edge.escape != 0 || !edge.parameters.is_empty() {
                continue;
            }
            let shape = Shape::of(edge);
            match sets.iter_mut().find(|(known, _)| known.is_like(&shape)) {
                Some((_, set)) => set.push(index),
                None => sets.push((shape, vec![index])),
            }
        }
        let sets = sets.into_iter().map(|(_, set)| set);
        sets.filter(|set| (2..=MOST).contains(&set.len())).collect()
    }

    /// The group that begins with some branches.
    fn group(&self, branches: &[u32]) -> Option<Group> {
        let edges: Vec<&Edge> = branches.iter().map(|index| self.edge(*index)).collect();
        let values = distinct_numbers(&edges)?;
        let mut rows: Vec<Vec<LocationId>> = Vec::new();
        let mut places: BTreeMap<LocationId, (usize, usize)> = BTreeMap::new();
        let mut own = BTreeMap::new();
        let mut open = vec![targets(&edges)];
        self.can_enter(branches).then_some(())?;
        while let Some(row) = open.pop() {
            if row.iter().all(|location| *location == row[0]) {
                continue;
            }
            let known: Vec<_> = row.iter().map(|location| places.get(location)).collect();
            if known.iter().any(Option::is_some) {
                // Side by side, or the branches have become entangled.
                let first = known[0].map(|(row, _)| *row)?;
                let side_by_side = |(branch, place): (usize, &Option<&(usize, usize)>)| {
                    *place == Some(&(first, branch))
                };
                known.iter().enumerate().all(side_by_side).then_some(())?;
                continue;
            }
            self.is_row(&row).then_some(())?;
            for (branch, location) in row.iter().enumerate() {
                places.insert(*location, (rows.len(), branch));
            }
            rows.push(row.clone());
            for edges in self.next_edges(&row)? {
                let lead: Vec<&Edge> = edges.iter().map(|index| self.edge(*index)).collect();
                open.push(targets(&lead));
                let numbers = own_numbers(&lead, &values);
                own.extend(edges.iter().map(|index| (*index, numbers.clone())));
            }
        }
        (!rows.is_empty()).then_some(Group { values, rows, own })
    }

    /// Whether some locations may become one.
    fn is_row(&self, row: &[LocationId]) -> bool {
        let different: BTreeSet<&LocationId> = row.iter().collect();
        let marks = |location: &LocationId| {
            let location = &self.template.locations[location.index()];
            (location.end, location.progress, location.accept)
        };
        let free =
            |location: &LocationId| (self.is_free)(*location) && !self.taken.contains(location);
        let alike = |location: &LocationId| marks(location) == marks(&row[0]);
        different.len() == row.len() && row.iter().all(|l| free(l) && alike(l) && self.enters(*l))
    }

    /// Whether everybody who comes to a location can say so.
    fn enters(&self, location: LocationId) -> bool {
        let edges = (0..).zip(&self.template.edges);
        let entering = edges.filter(|(_, edge)| edge.target == location);
        let entering: Vec<u32> = entering.map(|(index, _)| index).collect();
        self.can_enter(&entering)
    }

    /// Whether something can be done behind these edges.
    fn can_enter(&self, edges: &[u32]) -> bool {
        edges.iter().all(|index| match &self.edge(*index).step {
            Step::Guarded { .. } | Step::Receive { .. } | Step::Routine(_) | Step::Else => true,
            // Who sends at a rendezvous does not keep control.
            Step::Send { .. } => !(self.meets)(*index),
            Step::Exit | Step::Call(_) => false,
        })
    }

    /// The edges at the locations of a row, side by side; nothing if they are not alike.
    fn next_edges(&self, row: &[LocationId]) -> Option<Vec<Vec<u32>>> {
        let all: Vec<Vec<u32>> = row
            .iter()
            .map(|location| {
                self.template
                    .edges_from(*location)
                    .map(|(index, _)| index)
                    .collect()
            })
            .collect();
        let count = all[0].len();
        if count == 0 || all.iter().any(|edges| edges.len() != count) {
            return None;
        }
        let side_by_side = |place: usize| {
            let edges: Vec<u32> = all.iter().map(|edges| edges[place]).collect();
            let first = Shape::of(self.edge(edges[0]));
            let fits = |index: &u32| {
                self.can_ask_first(*index) && Shape::of(self.edge(*index)).is_like(&first)
            };
            edges.iter().all(fits).then_some(edges)
        };
        (0..count).map(side_by_side).collect()
    }

    /// Whether an edge can be made to depend on where the process is.
    fn can_ask_first(&self, index: u32) -> bool {
        let edge = self.edge(index);
        let step = match &edge.step {
            Step::Guarded { .. } | Step::Routine(_) => true,
            Step::Send { .. } | Step::Receive { .. } => !(self.meets)(index),
            Step::Else | Step::Exit | Step::Call(_) => false,
        };
        step && edge.escape == 0 && edge.parameters.is_empty() && !edge.twin
    }

    fn edge(&self, index: u32) -> &Edge {
        &self.template.edges[index as usize]
    }
}

fn targets(edges: &[&Edge]) -> Vec<LocationId> {
    edges.iter().map(|edge| edge.target).collect()
}

/// At which places the number of the branch stands. The code of a loop over known values says what its table says, and is left alone.
fn own_numbers(edges: &[&Edge], values: &[Value]) -> BTreeSet<usize> {
    let has_loops = |edge: &&Edge| edge.step.routine().is_some_and(|r| !r.loops.is_empty());
    if edges.iter().any(has_loops) {
        return BTreeSet::new();
    }
    let numbers: Vec<Vec<Value>> = edges.iter().map(|edge| Shape::of(edge).numbers).collect();
    let is_own = |place: &usize| {
        numbers
            .iter()
            .zip(values)
            .all(|(n, v)| n.get(*place) == Some(v))
    };
    (0..numbers[0].len()).filter(is_own).collect()
}

/// Numbers that stand at one place in some edges, if they are different in all of them.
fn distinct_numbers(edges: &[&Edge]) -> Option<Vec<Value>> {
    let numbers: Vec<Vec<Value>> = edges.iter().map(|edge| Shape::of(edge).numbers).collect();
    let count = numbers.iter().map(Vec::len).min()?;
    let mut rows = (0..count).map(|place| numbers.iter().map(|own| own[place]).collect());
    rows.find(|row: &Vec<Value>| {
        let different: BTreeSet<&Value> = row.iter().collect();
        let fits = |value: &Value| (0..MOST as Value).contains(value);
        different.len() == row.len() && row.iter().all(fits)
    })
}
