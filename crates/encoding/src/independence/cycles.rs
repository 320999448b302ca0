//! Steps that every cycle of states contains.
//!
//! A search that leaves out steps must not repeat a cycle of states of which all are expanded in part only. If some edges are *marked*, every cycle of
//! states has a step with a marked one, and no state is expanded in part by marked steps alone, then there is no such cycle: from each state leads a
//! step without a mark, and these come to an end. Nothing has to be asked of the states that are known
//! already, so what is left out does not depend on the order of the search.
//!
//! # Which cycles there may be
//!
//! To come back to a state, each process that has moved must have come back to its location (or, with symmetry, that of a process of the same
//! template), so it has gone through a cycle of edges. And each channel must hold as many messages as before, so what was sent there has been received there, and what was
//! received has been sent ([`traffic`](super::traffic)). Of the edges without a mark, those are taken away that no cycle without a mark can contain: nothing leads to them, nothing leads on from
//! them, or nobody is left who receives what they send, or who sends what they receive. If none remain, every cycle of states has a mark.
//!
//! Processes that are made and end are no matter: who makes a process is marked, and without that nobody can have come back who has ended.
//!
//! # Which edges are marked
//!
//! A step that commutes with everything can be made alone, unless it is marked. So marks belong on steps that disturb many others, and are few: first all edges are marked, and then,
//! one after the other, beginning with those that share variables and channels with the fewest others, the marks are taken off
//! that are not needed.

use super::bits::Bits;
use super::traffic::{Port, Traffic};
use mandala_model::Model;
use mandala_model::footprint::{Analysis, Birth, Footprint};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::template::{Control, Edge, Role, Step, Template};
use std::cmp::Reverse;

/// Models with more edges have no marks.
const MOST_EDGES: usize = 1 << 11;

/// For each template and edge, whether a step that begins with it may take a marked edge. Nothing if marks say too little, or if they are
/// all that cycles have.
pub(crate) fn marked_steps(model: &Model, reach: &[&[Bits]]) -> Option<Vec<Vec<bool>>> {
    if model.is_system_of_rules() {
        // Whether a step can be made is known only when it has been tried.
        return None;
    }
    let moves = Moves::of(model)?;
    let marked = moves.marked();
    let steps: Vec<Vec<bool>> = model
        .runnables()
        .map(|(id, template)| whole_steps(template, &moves.of_template(id, template, &marked)))
        .collect();
    let mut templates = model.runnables().zip(&steps).zip(reach);
    let helps =
        templates.any(|(((_, template), steps), reach)| leaves_some(template, steps, reach));
    helps.then_some(steps)
}

/// Whether a cycle of a template has a step that is not marked.
fn leaves_some(template: &Template, steps: &[bool], reach: &[Bits]) -> bool {
    let mut edges = template.edges.iter().zip(steps).enumerate();
    let cycles =
        |index: usize, edge: &Edge| !is_exit(edge) && reach[edge.target.index()].contains(index);
    template.role == Role::Process
        && edges.any(|(index, (edge, marked))| !marked && cycles(index, edge))
}

/// Whether the process is gone after the edge. It comes back if another process makes it again, and that step is marked.
fn is_exit(edge: &Edge) -> bool {
    matches!(edge.step, Step::Exit)
}

/// An edge of a process that may be on a cycle.
struct Move<'m> {
    id: EdgeId,
    edge: &'m Edge,
    footprint: Footprint,
    traffic: Traffic,
}

/// All edges of processes that may be on a cycle.
struct Moves<'m> {
    all: Vec<Move<'m>>,
    /// For each, those that may receive what it is sure to send, and those that may send what it is sure to receive.
    partners: Vec<[Option<Vec<usize>>; 2]>,
}

impl<'m> Moves<'m> {
    /// Nothing if there are too many.
    fn of(model: &'m Model) -> Option<Self> {
        let processes = model.runnables().filter(|(_, t)| t.role == Role::Process);
        let edges = processes.flat_map(|(template, of)| {
            (0..)
                .map(move |index| EdgeId { template, index })
                .zip(&of.edges)
        });
        let edges: Vec<_> = edges.filter(|(_, edge)| !is_exit(edge)).collect();
        if edges.len() > MOST_EDGES {
            return None;
        }
        let analysis = Analysis::new(model);
        let birth = Birth::default();
        let all: Vec<Move<'_>> = edges
            .into_iter()
            .map(|(id, edge)| Move {
                id,
                edge,
                footprint: analysis.taking_by(id, &birth, true).of_choice(&[]),
                traffic: Traffic::of(&analysis, id, &edge.step),
            })
            .collect();
        let partners = all.iter().map(|one| partners(one, &all)).collect();
        Some(Moves { all, partners })
    }

    /// For each edge whether it is marked: as few as are needed.
    fn marked(&self) -> Vec<bool> {
        let mut free = Bits::new(self.all.len());
        for at in self.by_disturbance() {
            free.insert(at);
            if self.may_repeat(&free) {
                free.remove(at);
            }
        }
        (0..self.all.len()).map(|at| !free.contains(at)).collect()
    }

    /// The edges that may be without a mark, those that disturb the fewest others first, and of these the last first.
    fn by_disturbance(&self) -> Vec<usize> {
        let disturbs = |one: &Move<'_>| {
            let others = self.all.iter();
            others.filter(|other| one.disturbs(other)).count()
        };
        let makes_none = |at: &usize| self.all[*at].footprint.spawns.is_empty();
        let candidates = (0..self.all.len()).filter(makes_none);
        let mut counted: Vec<_> = candidates
            .map(|at| (disturbs(&self.all[at]), Reverse(at)))
            .collect();
        counted.sort_unstable();
        counted.into_iter().map(|(_, Reverse(at))| at).collect()
    }

    /// Whether some states may be repeated by these edges alone.
    fn may_repeat(&self, edges: &Bits) -> bool {
        let mut left: Vec<usize> = edges.iter().collect();
        let mut possible = edges.clone();
        loop {
            let before = left.len();
            left.retain(|at| {
                let stays = self.may_be_on_cycle(*at, &possible);
                if !stays {
                    possible.remove(*at);
                }
                stays
            });
            if left.len() == before {
                return before > 0;
            }
        }
    }

    /// Whether an edge may be on a cycle of states with no other edges than these.
    fn may_be_on_cycle(&self, at: usize, edges: &Bits) -> bool {
        let one = &self.all[at];
        let follows = |first: &Move<'_>, second: &Move<'_>| {
            first.id.template == second.id.template && first.edge.target == second.edge.source
        };
        let mut mates = self.partners[at].iter().flatten();
        edges.iter().any(|other| follows(&self.all[other], one))
            && edges.iter().any(|other| follows(one, &self.all[other]))
            && mates.all(|mates| mates.iter().any(|mate| edges.contains(*mate)))
    }

    /// What is known of the edges of one template. One that is on no cycle has no mark, nor has the end of a process.
    fn of_template(&self, id: TemplateId, template: &Template, marked: &[bool]) -> Vec<bool> {
        let mut of = vec![false; template.edges.len()];
        for (one, marked) in self.all.iter().zip(marked) {
            if one.id.template == id {
                of[one.id.index as usize] = *marked;
            }
        }
        of
    }
}

impl Move<'_> {
    /// Whether a step of this edge and one of another, or of the same one by another process, may get in each other's way.
    fn disturbs(&self, other: &Move<'_>) -> bool {
        let same_place =
            self.id.template == other.id.template && self.edge.source == other.edge.source;
        let (mine, theirs) = (&self.footprint, &other.footprint);
        let shares = mine.writes.globals.overlaps(&theirs.writes.globals)
            || mine.writes.globals.overlaps(&theirs.reads.globals)
            || mine.reads.globals.overlaps(&theirs.writes.globals);
        let is_itself = self.id == other.id;
        !is_itself && (same_place || shares) || self.traffic.competes(&other.traffic)
    }
}

/// Those that may receive what a move is sure to send, and those that may send what it is sure to receive.
fn partners(one: &Move<'_>, all: &[Move<'_>]) -> [Option<Vec<usize>>; 2] {
    let among = |sure: &Option<Port>, may: fn(&Traffic) -> &Port| {
        sure.as_ref().map(|sure| {
            let others = all.iter().enumerate();
            let mates = others.filter(|(_, other)| may(&other.traffic).meets(sure));
            mates.map(|(at, _)| at).collect()
        })
    };
    [
        among(&one.traffic.surely_sends, |other| &other.receives),
        among(&one.traffic.surely_receives, |other| &other.sends),
    ]
}

/// For each edge, whether it or one that may follow it in the same step is marked.
fn whole_steps(template: &Template, marked: &[bool]) -> Vec<bool> {
    let mut steps = marked.to_vec();
    loop {
        let before = steps.clone();
        for (index, edge) in template.edges.iter().enumerate() {
            if edge.control == Control::Hold {
                let mut next = template.edges_from(edge.target);
                steps[index] |= next.any(|(next, _)| before[next as usize]);
            }
        }
        if steps == before {
            return steps;
        }
    }
}
