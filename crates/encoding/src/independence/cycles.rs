//! Steps that every cycle of a process contains.
//!
//! A search that leaves out steps must not repeat a cycle of states of which all are expanded in part only. To come back to a
//! state, each process that has moved must have come back to its location (or, with symmetry, that of a process of the same
//! template), so it has gone through a cycle of edges. If each cycle of edges has one that is *marked*, and no
//! state is expanded in part by marked steps alone, there is no such cycle of states. Nothing has to be asked of the states that are known
//! already, so what is left out does not depend on the order of the search.
//!
//! That is worth while if steps that are marked would hardly be left out anyway. So an edge is marked if it shares variables with
//! some template wherever a process of that template is on a cycle, or if it makes a process. If that leaves a cycle without a mark, or
//! cycles with nothing but marks, so that no process could ever go ahead of others, nothing is marked at all, and the search has to see to it itself.

use super::bits::Bits;
use mandala_model::Model;
use mandala_model::footprint::{Footprint, Footprints};
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::template::{Control, Edge, Role, Step, Template};

/// For each template and edge, whether a step that begins with it may take a marked edge. Nothing if there is a cycle without a
/// mark, or if marks are all that cycles have.
pub(crate) fn marked_steps(model: &Model, reach: &[&[Bits]]) -> Option<Vec<Vec<bool>>> {
    if model.is_system_of_rules() {
        // Whether a step can be made is known only when it has been tried, so a mark says too little.
        return None;
    }
    let footprints = Footprints::of(model);
    let futures: Vec<Vec<Footprint>> = ids(model)
        .map(|id| cycling(model, &footprints, id, reach[id.index()]))
        .collect();
    let mut all = Vec::new();
    for id in ids(model) {
        let template = model.template(id);
        let edges = 0..template.edges.len() as u32;
        let marked: Vec<bool> = edges
            .map(|index| EdgeId {
                template: id,
                index,
            })
            .map(|edge| is_shared(footprints.taking(edge), &futures))
            .collect();
        if template.role == Role::Process && has_cycle(template, &marked) {
            return None;
        }
        all.push(whole_steps(template, &marked));
    }
    let mut templates = model.runnables().zip(&all).zip(reach);
    let helps =
        templates.any(|(((_, template), steps), reach)| leaves_some(template, steps, reach));
    helps.then_some(all)
}

/// Whether a cycle of a template has a step that is not marked.
fn leaves_some(template: &Template, steps: &[bool], reach: &[Bits]) -> bool {
    let mut edges = template.edges.iter().zip(steps).enumerate();
    let cycles =
        |index: usize, edge: &Edge| !is_exit(edge) && reach[edge.target.index()].contains(index);
    template.role == Role::Process
        && edges.any(|(index, (edge, marked))| !marked && cycles(index, edge))
}

fn ids(model: &Model) -> impl Iterator<Item = TemplateId> {
    model.runnables().map(|(id, _)| id)
}

/// What processes of a template may still do at the locations that they can come back to, each future once.
fn cycling(
    model: &Model,
    footprints: &Footprints,
    id: TemplateId,
    reach: &[Bits],
) -> Vec<Footprint> {
    let template = model.template(id);
    if template.role != Role::Process {
        return Vec::new();
    }
    let mut futures: Vec<&Bits> = Vec::new();
    for (location, edges) in reach.iter().enumerate() {
        let comes_back = |index: usize| {
            let edge = &template.edges[index];
            !is_exit(edge) && edge.target.index() == location
        };
        if edges.iter().any(comes_back) && !futures.contains(&edges) {
            futures.push(edges);
        }
    }
    let sum = |edges: &Bits| {
        let mut sum = Footprint::default();
        for index in edges.iter() {
            let index = index as u32;
            sum.add(footprints.taking(EdgeId {
                template: id,
                index,
            }));
        }
        sum
    };
    futures.into_iter().map(sum).collect()
}

/// Whether a step shares variables with all cycles of some template, or makes a process.
fn is_shared(step: &Footprint, futures: &[Vec<Footprint>]) -> bool {
    let shares = |other: &Footprint| {
        let (mine, theirs) = (&step.writes.globals, &other.writes.globals);
        mine.overlaps(theirs)
            || mine.overlaps(&other.reads.globals)
            || step.reads.globals.overlaps(theirs)
    };
    let mut futures = futures.iter().filter(|futures| !futures.is_empty());
    !step.spawns.is_empty() || futures.any(|futures| futures.iter().all(shares))
}

/// Whether the process is gone after the edge. It comes back if another process makes it again, and that step is marked.
fn is_exit(edge: &Edge) -> bool {
    matches!(edge.step, Step::Exit)
}

/// Whether there is a cycle of edges without a mark.
fn has_cycle(template: &Template, marked: &[bool]) -> bool {
    let mut incoming = vec![0; template.locations.len()];
    let plain = |(edge, marked): &(&Edge, &bool)| !**marked && !is_exit(edge);
    let edges = template.edges.iter().zip(marked).filter(plain);
    edges.for_each(|(edge, _)| incoming[edge.target.index()] += 1);
    let mut waiting: Vec<usize> = (0..incoming.len()).filter(|l| incoming[*l] == 0).collect();
    let mut left = incoming.len();
    while let Some(location) = waiting.pop() {
        left -= 1;
        for (index, edge) in template.edges_from(LocationId::from(location)) {
            if !plain(&(edge, &marked[index as usize])) {
                continue;
            }
            incoming[edge.target.index()] -= 1;
            if incoming[edge.target.index()] == 0 {
                waiting.push(edge.target.index());
            }
        }
    }
    left > 0
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
