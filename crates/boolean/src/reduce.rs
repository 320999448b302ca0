//! Reduction of the graph with all places of the program to the one that is searched: without places where nothing happens, and with dead
//! variables set to false.
//!
//! Where a thread does nothing that others could see or that could depend on them, it may as well do that at once, behind its step before: any order of
//! the steps of other threads is possible before the next step that matters. So jumps, `skip` and conditions that always hold are no steps, and a `goto`
//! with several labels is chosen as soon as it is reached. The two words of an atomic section are no steps either. Its first step takes the lock, and the one before its end
//! releases it: nobody else can move in between. (If the first step waits, the thread waits outside. In the program it waits inside, and nobody else moves again; a run in which it enters later
//! reaches all that others reach then.)

use crate::cond::{Cond, Var};
use crate::flow::{Action, Edge, Flow, Lock, Node, NodeId, Spawn};
use crate::inline::{Raw, RawEdge, RawNode};
use mandala_model::source::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A place, and how the thread stands to the lock there.
type Place = (usize, Lock);

/// Makes the graph that is searched. Names of places are made by the last function.
pub(crate) fn reduce(
    raw: &Raw,
    globals: Vec<(String, Span)>,
    span: Span,
    name: impl Fn(&RawNode) -> String,
) -> Flow {
    let mut builder = Builder {
        raw,
        numbers: HashMap::new(),
        places: Vec::new(),
    };
    let ended = builder.number((raw.ended, Lock::Outside));
    let entry = builder.number((raw.entry, Lock::Outside));
    let mut edges = Vec::new();
    let mut next = 0;
    while next < builder.places.len() {
        edges.extend(builder.edges(next));
        next += 1;
    }
    let named = builder.places.iter().map(|(node, lock)| Node {
        name: match *node == raw.ended {
            true => "ended".into(),
            false => name(&raw.nodes[*node]),
        },
        lock: *lock,
        live: BTreeSet::new(),
    });
    let mut flow = Flow {
        globals,
        slots: raw.slot_names.len() as u32,
        slot_names: raw.slot_names.clone(),
        nodes: named.collect(),
        edges,
        entry,
        ended,
        span,
    };
    forget(&mut flow);
    pass_over(&mut flow);
    flow
}

struct Builder<'r> {
    raw: &'r Raw,
    numbers: HashMap<Place, NodeId>,
    places: Vec<Place>,
}

impl Builder<'_> {
    fn number(&mut self, place: Place) -> NodeId {
        let next = self.places.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.places.push(place);
        }
        number
    }

    /// The steps out of a place.
    fn edges(&mut self, number: NodeId) -> Vec<Edge> {
        let (node, lock) = self.places[number];
        let inside = match lock {
            Lock::Outside => Lock::Outside,
            Lock::Entering | Lock::Inside => Lock::Inside,
        };
        let mut edges = Vec::new();
        let raw = self.raw;
        for edge in &raw.nodes[node].edges {
            match edge {
                RawEdge::Step(step) => self.copies(number, inside, step, &mut edges),
                // Something else happens here, too, so the place stays: going on is a step of its own.
                _ => {
                    let pass = Edge {
                        source: number,
                        target: number,
                        guard: Cond::TRUE,
                        choices: Vec::new(),
                        assigned: Vec::new(),
                        action: Action::Step,
                        span: raw.nodes[node].span,
                    };
                    let after = passed(edge, lock).map(|place| self.resolved(place));
                    for target in after.into_iter().flatten() {
                        let pass = pass.clone();
                        edges.push(Edge { target, ..pass });
                    }
                }
            }
        }
        edges
    }

    /// A step to each place where something happens next.
    fn copies(&mut self, source: NodeId, inside: Lock, step: &Edge, edges: &mut Vec<Edge>) {
        for target in self.resolved((step.target, inside)) {
            let Action::Spawn(spawn) = &step.action else {
                let copy = step.clone();
                edges.push(Edge {
                    source,
                    target,
                    ..copy
                });
                continue;
            };
            for node in self.resolved((spawn.node, Lock::Outside)) {
                let given = spawn.given.clone();
                edges.push(Edge {
                    source,
                    target,
                    action: Action::Spawn(Spawn { node, given }),
                    ..step.clone()
                });
            }
        }
    }

    /// The places where something happens next, from a place on; the place itself if nothing ever does.
    fn resolved(&mut self, place: Place) -> Vec<NodeId> {
        let mut seen = BTreeSet::from([place]);
        let mut open = vec![place];
        let mut found = BTreeSet::new();
        while let Some((node, lock)) = open.pop() {
            let edges = &self.raw.nodes[node].edges;
            let after: Option<Vec<Place>> = edges.iter().map(|edge| passed(edge, lock)).collect();
            match after {
                Some(after) if !after.is_empty() => {
                    open.extend(after.into_iter().filter(|place| seen.insert(*place)));
                }
                _ => {
                    found.insert((node, lock));
                }
            }
        }
        if found.is_empty() {
            found.insert(place);
        }
        found.into_iter().map(|place| self.number(place)).collect()
    }
}

/// Where a step leads that does nothing.
fn passed(edge: &RawEdge, lock: Lock) -> Option<Place> {
    match edge {
        RawEdge::Pass(to) => Some((*to, lock)),
        RawEdge::Begin(to) if lock == Lock::Outside => Some((*to, Lock::Entering)),
        RawEdge::Begin(to) => Some((*to, lock)),
        RawEdge::End(to) => Some((*to, Lock::Outside)),
        RawEdge::Step(step) if step.is_trivial() => Some((step.target, lock)),
        RawEdge::Step(step) => match &step.action {
            Action::Assert(Cond::Constant(true)) if is_free(step) => Some((step.target, lock)),
            _ => None,
        },
    }
}

/// Whether a step, whatever its action is, can always be made and changes no variable.
fn is_free(step: &Edge) -> bool {
    step.guard == Cond::TRUE && step.assigned.is_empty() && step.choices.is_empty()
}

/// Finds out which variables may be read later, and keeps the others false.
fn forget(flow: &mut Flow) {
    let live = live(flow);
    for (node, live) in flow.nodes.iter_mut().zip(&live) {
        node.live = slots(live).collect();
    }
    let impossible = |edge: &Edge| edge.guard == Cond::FALSE;
    flow.edges.retain(|edge| !impossible(edge));
    for edge in &mut flow.edges {
        let after = &live[edge.target];
        // Only where no other thread is yet is it known what others will read.
        let is_first = edge.source == flow.entry;
        edge.assigned.retain(|(variable, _)| match variable {
            Var::Slot(_) => after.contains(variable),
            Var::Global(_) => !is_first || after.contains(variable),
        });
        if let Action::Spawn(spawn) = &mut edge.action {
            let there = &live[spawn.node];
            spawn
                .given
                .retain(|(slot, _)| there.contains(&Var::Slot(*slot)));
        }
        drop_choices(edge);
        let kept: BTreeSet<Var> = edge.assigned.iter().map(|(v, _)| *v).collect();
        let gone = slots(&live[edge.source]).map(Var::Slot);
        let gone = gone.filter(|v| !after.contains(v) && !kept.contains(v));
        edge.assigned.extend(gone.map(|v| (v, Cond::FALSE)));
    }
}

fn slots(live: &BTreeSet<Var>) -> impl Iterator<Item = u32> + '_ {
    live.iter().filter_map(|variable| match variable {
        Var::Slot(slot) => Some(*slot),
        Var::Global(_) => None,
    })
}

/// Removes choices that decide nothing: one of the two values is always possible.
fn drop_choices(edge: &mut Edge) {
    let mut used = BTreeSet::new();
    for condition in edge.conditions() {
        condition.walk(&mut |part| used.extend(part.err()));
    }
    if used.len() == edge.choices.len() {
        return;
    }
    let numbers: BTreeMap<usize, usize> = used.iter().copied().zip(0..).collect();
    let number = |old: usize| numbers.get(&old).copied().unwrap_or(0);
    edge.change_conditions(|condition| condition.renumbered(&number));
    let choices = std::mem::take(&mut edge.choices);
    let kept = choices.into_iter().enumerate();
    let kept = kept.filter(|(old, _)| used.contains(old));
    edge.choices = kept.map(|(_, choice)| choice).collect();
}

/// For each place, the variables that may be read from there on before they are written.
fn live(flow: &Flow) -> Vec<BTreeSet<Var>> {
    let mut entering: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes.len()];
    for (number, edge) in flow.edges.iter().enumerate() {
        entering[edge.target].push(number);
        if let Action::Spawn(spawn) = &edge.action {
            entering[spawn.node].push(number);
        }
    }
    let mut live = vec![BTreeSet::new(); flow.nodes.len()];
    let mut open: Vec<usize> = (0..flow.edges.len()).collect();
    while let Some(number) = open.pop() {
        let edge = &flow.edges[number];
        let before = before(flow, edge, &live);
        let there = &mut live[edge.source];
        let known = there.len();
        there.extend(before);
        if there.len() > known {
            open.extend(&entering[edge.source]);
        }
    }
    live
}

/// The variables that may be read by a step, or behind it before they are written.
fn before(flow: &Flow, edge: &Edge, live: &[BTreeSet<Var>]) -> BTreeSet<Var> {
    let written: BTreeSet<Var> = edge.assigned.iter().map(|(v, _)| *v).collect();
    let mut found = &live[edge.target] - &written;
    edge.guard.reads(&mut found);
    for choice in &edge.choices {
        choice.yes.reads(&mut found);
        choice.no.reads(&mut found);
    }
    for (variable, value) in &edge.assigned {
        if matches!(variable, Var::Global(_)) || live[edge.target].contains(variable) {
            value.reads(&mut found);
        }
    }
    match &edge.action {
        Action::Assert(condition) => condition.reads(&mut found),
        Action::Spawn(spawn) => {
            // The new thread may read any of them.
            found.extend((0..flow.globals.len() as u32).map(Var::Global));
            let there = &live[spawn.node];
            let read = spawn.given.iter();
            for (_, value) in read.filter(|(slot, _)| there.contains(&Var::Slot(*slot))) {
                value.reads(&mut found);
            }
        }
        Action::Step | Action::Fail(_) => {}
    }
    found
}

/// Takes out places where nothing happens any more, now that variables are forgotten.
fn pass_over(flow: &mut Flow) {
    let onward = onward(flow);
    let mut edges = Vec::new();
    for edge in &flow.edges {
        for target in &onward[edge.target] {
            let edge = Edge {
                target: *target,
                ..edge.clone()
            };
            let Action::Spawn(spawn) = &edge.action else {
                edges.push(edge);
                continue;
            };
            for node in &onward[spawn.node] {
                let given = spawn.given.clone();
                let spawn = Spawn { node: *node, given };
                edges.push(Edge {
                    action: Action::Spawn(spawn),
                    ..edge.clone()
                });
            }
        }
    }
    flow.edges = edges;
    if let [first] = onward[flow.entry].as_slice() {
        flow.entry = *first;
    }
    without_unreachable(flow);
}

/// For each place, where something happens next.
fn onward(flow: &Flow) -> Vec<Vec<NodeId>> {
    let mut after: Vec<Option<Vec<NodeId>>> = vec![Some(Vec::new()); flow.nodes.len()];
    for edge in &flow.edges {
        let takes = flow.locks(edge) == Some(true);
        match &mut after[edge.source] {
            Some(list) if edge.is_trivial() && !takes => list.push(edge.target),
            list => *list = None,
        }
    }
    let resolve = |place: NodeId| {
        let mut seen = BTreeSet::from([place]);
        let mut open = vec![place];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            match &after[node] {
                Some(list) if !list.is_empty() => {
                    open.extend(list.iter().copied().filter(|next| seen.insert(*next)));
                }
                _ => found.push(node),
            }
        }
        if found.is_empty() {
            found.push(place);
        }
        found.sort_unstable();
        found
    };
    (0..flow.nodes.len()).map(resolve).collect()
}

/// Takes out what no thread comes to.
fn without_unreachable(flow: &mut Flow) {
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes.len()];
    for (number, edge) in flow.edges.iter().enumerate() {
        from[edge.source].push(number);
    }
    let mut seen = BTreeSet::from([flow.ended, flow.entry]);
    let mut open = vec![flow.entry];
    while let Some(node) = open.pop() {
        for number in &from[node] {
            let edge = &flow.edges[*number];
            let spawned = match &edge.action {
                Action::Spawn(spawn) => Some(spawn.node),
                _ => None,
            };
            let after = spawned.into_iter().chain([edge.target]);
            open.extend(after.filter(|node| seen.insert(*node)));
        }
    }
    let numbers: BTreeMap<NodeId, NodeId> = seen.iter().copied().zip(0..).collect();
    flow.edges.retain(|edge| seen.contains(&edge.source));
    for edge in &mut flow.edges {
        edge.source = numbers[&edge.source];
        edge.target = numbers[&edge.target];
        if let Action::Spawn(spawn) = &mut edge.action {
            spawn.node = numbers[&spawn.node];
        }
    }
    let nodes = std::mem::take(&mut flow.nodes).into_iter().enumerate();
    let nodes = nodes.filter(|(node, _)| seen.contains(node));
    flow.nodes = nodes.map(|(_, node)| node).collect();
    (flow.entry, flow.ended) = (numbers[&flow.entry], numbers[&flow.ended]);
}
