//! Scratch variables of one cell that are read later, from each node of a routine on, before they are assigned to.
//!
//! The usual backward analysis: what a choice reads and what it assigns to is found once, and the sets of variables are rows of bits that
//! are united until nothing changes. A node is looked at again only if one behind it has changed.

use crate::expr::{Expr, ExprKind, Place, Root};
use crate::ids::{LocalId, NodeId};
use crate::template::{Choice, Effect, Routine, Step, Template};
use crate::types::{Storage, Type};

/// For each node of a routine, the variables that are read there or later.
pub(crate) struct ReadLater {
    words: usize,
    bits: Vec<u64>,
}

/// What a choice reads before it assigns to it, and what it assigns to.
struct Uses {
    read: Vec<LocalId>,
    assigned: Vec<LocalId>,
    next: Option<NodeId>,
}

impl ReadLater {
    pub(crate) fn new(template: &Template, routine: &Routine) -> Self {
        let words = template.locals.len().div_ceil(64).max(1);
        let mut found = ReadLater {
            words,
            bits: vec![0; words * routine.nodes.len()],
        };
        let uses = |choice: &Choice| Uses::of(template, choice);
        let nodes = routine.nodes.iter();
        let uses: Vec<Vec<Uses>> = nodes
            .map(|n| n.choices.iter().map(uses).collect())
            .collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); routine.nodes.len()];
        for (number, choices) in uses.iter().enumerate() {
            for next in choices.iter().filter_map(|choice| choice.next) {
                before[next.index()].push(number);
            }
        }
        let mut waiting: Vec<usize> = (0..routine.nodes.len()).collect();
        let mut is_waiting = vec![true; routine.nodes.len()];
        while let Some(number) = waiting.pop() {
            is_waiting[number] = false;
            if found.update(number, &uses[number]) {
                for earlier in &before[number] {
                    if !std::mem::replace(&mut is_waiting[*earlier], true) {
                        waiting.push(*earlier);
                    }
                }
            }
        }
        found
    }

    /// Whether a variable is read at a node or later.
    pub(crate) fn contains(&self, node: NodeId, local: LocalId) -> bool {
        let word = self.bits[node.index() * self.words + local.index() / 64];
        word >> (local.index() % 64) & 1 == 1
    }

    /// Adds what follows for a node. Says whether that is more.
    fn update(&mut self, node: usize, choices: &[Uses]) -> bool {
        let words = self.words;
        let mut row = self.bits[node * words..][..words].to_vec();
        for choice in choices {
            let mut behind = match choice.next {
                Some(next) => self.bits[next.index() * words..][..words].to_vec(),
                None => vec![0; words],
            };
            for local in &choice.assigned {
                behind[local.index() / 64] &= !(1 << (local.index() % 64));
            }
            for local in &choice.read {
                behind[local.index() / 64] |= 1 << (local.index() % 64);
            }
            row.iter_mut().zip(behind).for_each(|(a, b)| *a |= b);
        }
        let old = &mut self.bits[node * words..][..words];
        let more = *old != row[..];
        old.copy_from_slice(&row);
        more
    }
}

impl Uses {
    fn of(template: &Template, choice: &Choice) -> Self {
        let mut uses = Uses {
            read: Vec::new(),
            assigned: Vec::new(),
            next: choice.next,
        };
        match &choice.step {
            Step::Guarded { guard, effects } => {
                for effect in effects.iter().rev() {
                    if let Effect::Assign { place, .. } = effect
                        && let Some(local) = scratch(template, place)
                    {
                        uses.read.retain(|read| *read != local);
                        uses.assigned.push(local);
                    }
                    effect.each_whole(&mut |whole| uses.reads(template, whole));
                }
                uses.reads(template, guard);
            }
            step => {
                step.each_whole(&mut |whole| uses.reads(template, whole));
                if let Step::Call(call) = step {
                    // What is passed may be read.
                    let passed = call.references.iter();
                    let passed = passed.filter_map(|place| match place.root {
                        Root::Local(local) => Some(local),
                        _ => None,
                    });
                    uses.read.extend(passed);
                }
            }
        }
        uses
    }

    fn reads(&mut self, template: &Template, whole: &Expr) {
        whole.walk(&mut |part| {
            if let ExprKind::Read(place) = &part.kind {
                self.read.extend(scratch(template, place));
            }
        });
    }
}

/// The scratch variable of one cell that a place is.
fn scratch(template: &Template, place: &Place) -> Option<LocalId> {
    let Root::Local(local) = place.root else {
        return None;
    };
    let variable = &template.locals[local.index()];
    let is_one = matches!(variable.ty, Type::Scalar(_)) && variable.storage == Storage::Scratch;
    is_one.then_some(local)
}
