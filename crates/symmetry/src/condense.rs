//! Atomic sequences that always go on and leave no choice, as routines.
//!
//! The rules of [`mod@crate::derive`] look at one step at a time, and at a loop if it is in a routine. `atomic { for (k : 0 .. N-1) { if :: nfull(net[k]) -> net[k]!me :: else fi } }`
//! is a step for each statement, though nobody sees the states in between: each of its locations is only passed through ([`crate::locations::passing`]).
//! Here an edge that leads into such a sequence gets a routine that does what the whole sequence does.
//!
//! # Why a certificate carries over
//!
//! A certificate speaks of steps between states that a search remembers. These are the same in both models, with the same violations on the way, if
//!
//! 1. the sequence goes through locations that are only passed through, which others and observers never see, and every way through it leads to one location, with or without control there;
//! 2. at each of them there is one edge, or one and an `else` behind it: a routine takes the first choice that it can, and there is no other here;
//! 3. none of its steps is a rendezvous, which a routine cannot do, an end, or a routine, and nothing in it reads or writes a variable that is back at its first value after each step.
//!
//! Sequences that make processes are left alone: names are handed out there, one statement after the other.
//!
//! Locations, edges and variables keep their numbers, so what the certificate says of them holds of the model. Edges to which nobody comes any more do nothing.
//! As the edges inside of the sequence are not looked at one by one, the certificate says nothing of single edges ([`crate::Certificate::choices`]).

use crate::locations::passing;
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::footprint::Footprints;
use mandala_model::ids::{EdgeId, LocationId, NodeId, TemplateId};
use mandala_model::template::{Choice, Control, Edge, Node, Role, Routine, Step, Template};
use mandala_model::types::Storage;
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};
use std::collections::{BTreeMap, BTreeSet};

/// More nodes than this are no short sequence.
const MOST_NODES: usize = 1_000;

/// The model with routines in the place of atomic sequences; nothing if there is no loop in any that can be one: for the rest, rules of single steps do.
pub(crate) fn condensed(model: &Model) -> Option<Model> {
    let footprints = Footprints::of(model);
    let mut rewritten = UncheckedModel::clone(model);
    let mut has_loops = false;
    for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
        if template.role != Role::Process {
            continue;
        }
        let condenser = Condenser {
            model,
            id,
            template,
            footprints: &footprints,
            passing: passing(model, template),
        };
        has_loops |= condenser.condense(&mut rewritten.templates[id.index()]);
    }
    has_loops.then(|| verify(rewritten).ok()).flatten()
}

struct Condenser<'m> {
    model: &'m Model,
    id: TemplateId,
    template: &'m Template,
    footprints: &'m Footprints,
    passing: BTreeSet<LocationId>,
}

/// Where a sequence leads, and whether control is kept there.
type End = (LocationId, Control);

impl Condenser<'_> {
    /// Says whether there is a loop in what was condensed.
    fn condense(&self, template: &mut Template) -> bool {
        let mut has_loops = false;
        for (index, edge) in (0..).zip(&mut template.edges) {
            if !self.passing.contains(&edge.source)
                && let Some((routine, (target, control))) = self.sequence(index)
            {
                has_loops |= goes_back(&routine);
                edge.step = Step::Routine(routine);
                edge.target = target;
                edge.control = control;
            }
        }
        if has_loops {
            silence(template);
        }
        has_loops
    }

    /// The sequence that an edge leads into.
    fn sequence(&self, index: u32) -> Option<(Routine, End)> {
        let edge = &self.template.edges[index as usize];
        if !self.goes_on(edge) || edge.escape != 0 || !edge.parameters.is_empty() || edge.twin {
            return None;
        }
        // An `else` is one of its location.
        if !self.is_simple(index, edge) || edge.step == Step::Else {
            return None;
        }
        let mut numbers = BTreeMap::from([(edge.target, NodeId(1))]);
        let mut open = vec![edge.target];
        let mut nodes = vec![node(edge, vec![choice(edge, Some(NodeId(1)))])];
        let mut ends: BTreeSet<(LocationId, bool)> = BTreeSet::new();
        let mut next = 0;
        while let Some(location) = open.get(next).copied() {
            next += 1;
            let edges: Vec<(u32, &Edge)> = self.template.edges_from(location).collect();
            let is_fixed = match &edges[..] {
                [_] => true,
                [(_, first), (_, last)] => first.step != Step::Else && last.step == Step::Else,
                _ => false,
            };
            if !is_fixed || nodes.len() > MOST_NODES {
                return None;
            }
            let mut choices = Vec::new();
            for (index, edge) in edges {
                if !self.is_simple(index, edge) {
                    return None;
                }
                let target = match self.goes_on(edge) {
                    true => Some(*numbers.entry(edge.target).or_insert_with(|| {
                        open.push(edge.target);
                        NodeId(open.len() as u32)
                    })),
                    false => {
                        ends.insert((edge.target, edge.control == Control::Hold));
                        None
                    }
                };
                choices.push(choice(edge, target));
            }
            nodes.push(node(edge, choices));
        }
        let mut ends = ends.into_iter();
        let (Some((target, holds)), None) = (ends.next(), ends.next()) else {
            return None;
        };
        let control = match holds {
            true => Control::Hold,
            false => Control::Release,
        };
        Some((Routine::new(nodes), (target, control)))
    }

    /// Whether an edge leads to where nobody sees the process.
    fn goes_on(&self, edge: &Edge) -> bool {
        edge.control == Control::Hold && self.passing.contains(&edge.target)
    }

    /// Whether a routine can do the same.
    fn is_simple(&self, index: u32, edge: &Edge) -> bool {
        let taking = self.footprints.taking(EdgeId {
            template: self.id,
            index,
        });
        let kind = match &edge.step {
            Step::Guarded { .. } | Step::Else => true,
            Step::Send { .. } | Step::Receive { .. } => !taking.meets,
            Step::Exit | Step::Routine(_) | Step::Call(_) => false,
        };
        kind && taking.spawns.is_empty() && !self.is_of_scratch(&edge.step)
    }

    /// Whether a step reads or writes what is back at its first value behind it.
    fn is_of_scratch(&self, step: &Step) -> bool {
        let mut found = false;
        let mut copy = step.clone();
        copy.each_target_mut(&mut |place| found |= self.is_scratch(place));
        copy.each_expr_mut(&mut |expr: &mut Expr| {
            if let ExprKind::Read(place) = &expr.kind {
                found |= self.is_scratch(place);
            }
        });
        found
    }

    fn is_scratch(&self, place: &Place) -> bool {
        let storage = match &place.root {
            Root::Global(id) => self.model.global(*id).storage,
            Root::Local(id) => self.template.locals[id.index()].storage,
            Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => Storage::State,
        };
        storage == Storage::Scratch
    }
}

/// Whether a node leads to itself or to one that was met before it.
fn goes_back(routine: &Routine) -> bool {
    let mut nodes = (0..).map(NodeId).zip(&routine.nodes);
    nodes.any(|(number, node)| {
        let mut next = node.choices.iter().filter_map(|choice| choice.next);
        next.any(|next| next <= number)
    })
}

fn choice(edge: &Edge, next: Option<NodeId>) -> Choice {
    Choice {
        step: edge.step.clone(),
        next,
        text: edge.text.clone(),
        span: edge.span,
    }
}

fn node(edge: &Edge, choices: Vec<Choice>) -> Node {
    Node {
        choices,
        quiet: false,
        number: 0,
        span: edge.span,
    }
}

/// Lets edges do nothing to which nobody comes.
fn silence(template: &mut Template) {
    let mut seen = BTreeSet::from([template.entry]);
    let mut open = vec![template.entry];
    while let Some(location) = open.pop() {
        let targets: Vec<LocationId> = template
            .edges_from(location)
            .map(|(_, e)| e.target)
            .collect();
        open.extend(targets.into_iter().filter(|target| seen.insert(*target)));
    }
    for edge in &mut template.edges {
        if !seen.contains(&edge.source) {
            edge.step = Step::Guarded {
                guard: Expr::constant(0, edge.span),
                effects: Vec::new(),
            };
        }
    }
}
