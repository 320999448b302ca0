//! Circles of edges that keep control, as locations that are passed through are added one by one.
//!
//! Whoever passes a location through lets all edges into it keep control. To look for a circle from scratch for every location would
//! take time quadratic in the length of a process. So an order of the locations is kept in which every edge that keeps control leads forward, as
//! Pearce and Kelly do (*A dynamic topological sort algorithm for directed acyclic graphs*, 2006): a new edge that leads forward closes no circle, and only one that
//! leads backward is looked into, no further than from its one end to the other.
//!
//! Circles that the user's model has itself are taken for one place each, a *knot*. What is inside of one is never passed through.

use mandala_model::ids::LocationId;
use mandala_model::template::{Control, Edge, Entering, Template};

/// The edges of a template that keep control, in an order without circles.
pub(crate) struct Circles<'t> {
    template: &'t Template,
    entering: Entering<'t>,
    passed: Vec<bool>,
    /// The knot of each location.
    knots: Vec<usize>,
    /// The locations of each knot.
    members: Vec<Vec<LocationId>>,
    /// The place of each knot in the order.
    ranks: Vec<usize>,
    /// The knots that a search has come to; empty between searches.
    found: Vec<bool>,
    /// How many knots all searches together have come to.
    #[cfg(test)]
    visits: usize,
}

impl<'t> Circles<'t> {
    /// Those of the template as it stands.
    pub(crate) fn new(template: &'t Template) -> Self {
        let entering = template.entering();
        let members = knots(template, &entering);
        let mut knots = vec![0; template.locations.len()];
        for (knot, members) in members.iter().enumerate() {
            members.iter().for_each(|l| knots[l.index()] = knot);
        }
        Circles {
            template,
            entering,
            passed: vec![false; template.locations.len()],
            knots,
            ranks: (0..members.len()).collect(),
            found: vec![false; members.len()],
            members,
            #[cfg(test)]
            visits: 0,
        }
    }

    /// Lets the edges into a location keep control, unless that would lead round through it; says whether they do.
    pub(crate) fn pass(&mut self, location: LocationId) -> bool {
        let knot = self.knots[location.index()];
        let sources = self.entering.at(location).iter();
        let sources: Vec<usize> = sources.map(|e| self.knots[e.source.index()]).collect();
        let alone = self.members[knot].len() == 1 && !sources.contains(&knot);
        let later = |source: &usize| self.ranks[*source] > self.ranks[knot];
        let backward: Vec<usize> = sources.into_iter().filter(later).collect();
        let passes = alone && self.sort(knot, &backward);
        self.passed[location.index()] |= passes;
        passes
    }

    /// Puts these knots, which come later, before the knot, unless it leads to one of them.
    fn sort(&mut self, knot: usize, backward: &[usize]) -> bool {
        let Some(last) = backward.iter().map(|source| self.ranks[*source]).max() else {
            return true;
        };
        let first = self.ranks[knot];
        let after = self.closure(&[knot], |circles, at| {
            let next = circles.following(at);
            next.filter(|to| circles.ranks[*to] <= last).collect()
        });
        if after.iter().any(|found| backward.contains(found)) {
            return false;
        }
        let before = self.closure(backward, |circles, at| {
            let next = circles.preceding(at);
            next.filter(|to| circles.ranks[*to] > first).collect()
        });
        self.rearrange(before, after);
        true
    }

    /// The knots that can be reached from some, these included.
    fn closure(&mut self, from: &[usize], next: impl Fn(&Self, usize) -> Vec<usize>) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut open = from.to_vec();
        while let Some(knot) = open.pop() {
            if !std::mem::replace(&mut self.found[knot], true) {
                reached.push(knot);
                open.extend(next(self, knot));
            }
        }
        reached.iter().for_each(|knot| self.found[*knot] = false);
        #[cfg(test)]
        {
            self.visits += reached.len();
        }
        reached
    }

    /// Puts some knots before others, in the places that all of them had.
    fn rearrange(&mut self, mut before: Vec<usize>, mut after: Vec<usize>) {
        before.sort_unstable_by_key(|knot| self.ranks[*knot]);
        after.sort_unstable_by_key(|knot| self.ranks[*knot]);
        let knots = [before, after].concat();
        let mut places: Vec<usize> = knots.iter().map(|knot| self.ranks[*knot]).collect();
        places.sort_unstable();
        for (knot, place) in knots.into_iter().zip(places) {
            self.ranks[knot] = place;
        }
    }

    fn keeps(&self, edge: &Edge) -> bool {
        edge.control == Control::Hold || self.passed[edge.target.index()]
    }

    /// The other knots that edges which keep control lead to.
    fn following(&self, knot: usize) -> impl Iterator<Item = usize> {
        let locations = self.members[knot].iter();
        let edges = locations.flat_map(|l| self.template.edges_from(*l));
        let keeping = edges.filter(|(_, edge)| self.keeps(edge));
        let targets = keeping.map(|(_, edge)| self.knots[edge.target.index()]);
        targets.filter(move |to| *to != knot)
    }

    /// The other knots that edges which keep control come from.
    fn preceding(&self, knot: usize) -> impl Iterator<Item = usize> {
        let locations = self.members[knot].iter();
        let edges = locations.flat_map(|l| self.entering.at(*l));
        let keeping = edges.filter(|edge| self.keeps(edge));
        let sources = keeping.map(|edge| self.knots[edge.source.index()]);
        sources.filter(move |from| *from != knot)
    }
}

/// The locations in groups between which edges that keep control lead to and fro (Kosaraju's algorithm). Such edges lead from a group to later
/// ones, and others do wherever that is possible.
fn knots(template: &Template, entering: &Entering<'_>) -> Vec<Vec<LocationId>> {
    let all = (0..template.locations.len()).map(LocationId::from);
    let roots = std::iter::once(template.entry).chain(all).collect();
    let by_text = postorder(template, roots, |_| true);
    let holds = |edge: &Edge| edge.control == Control::Hold;
    let order = postorder(template, by_text, holds);
    let mut grouped = vec![false; template.locations.len()];
    let mut knots = Vec::new();
    for root in order.into_iter().rev() {
        let mut members = Vec::new();
        let mut open = vec![root];
        while let Some(location) = open.pop() {
            if !std::mem::replace(&mut grouped[location.index()], true) {
                members.push(location);
                let edges = entering.at(location).iter();
                open.extend(edges.filter(|e| holds(e)).map(|e| e.source));
            }
        }
        if !members.is_empty() {
            knots.push(members);
        }
    }
    knots
}

/// The locations in the order in which a search depth first along some edges leaves them.
fn postorder(
    template: &Template,
    roots: Vec<LocationId>,
    follows: impl Fn(&Edge) -> bool,
) -> Vec<LocationId> {
    let mut entered = vec![false; template.locations.len()];
    let mut left = Vec::with_capacity(entered.len());
    for root in roots {
        // Locations to enter, and those that all edges of have been followed.
        let mut open = vec![(root, false)];
        while let Some((location, is_done)) = open.pop() {
            if is_done {
                left.push(location);
            } else if !std::mem::replace(&mut entered[location.index()], true) {
                open.push((location, true));
                let edges = template.edges_from(location).map(|(_, edge)| edge);
                let targets = edges.filter(|edge| follows(edge)).map(|edge| edge.target);
                open.extend(targets.map(|target| (target, false)));
            }
        }
    }
    left
}

#[cfg(test)]
mod tests;
