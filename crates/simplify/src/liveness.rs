//! Live variables: the slots that a process reads later.
//!
//! A slot is *live* at a location if some path through the automaton from there reads it before it is
//! overwritten for certain; otherwise it is dead. Whatever evaluates an expression is a read: conditions that turn out
//! false, assertions, arguments of `printf` (an index there may be out of range), messages, `eval(x)` in a receive, the
//! channel that a variable refers to, indices of what is written.

use crate::slots::{Slots, Touched};
use crate::visits::{
    Access, effect_exprs, effect_targets, is_never_taken, pattern_accesses, reads, reads_inside,
};
use mandala_model::Model;
use mandala_model::expr::{Expr, Pattern, Place};
use mandala_model::function::CALL;
use mandala_model::template::{Effect, Routine, Step, Template};
use std::collections::BTreeSet;

/// Some slots.
pub(crate) type Set = BTreeSet<usize>;

/// The slots that are live at each location of a template, if at each location those of `kept` are read as well.
pub(crate) fn live(model: &Model, template: &Template, slots: &Slots, kept: &[Set]) -> Vec<Set> {
    let liveness = Liveness {
        model,
        template,
        slots,
    };
    let mut live = kept.to_vec();
    loop {
        let before: usize = live.iter().map(Set::len).sum();
        for edge in template.edges.iter().rev() {
            let mut at = liveness.before(&edge.step, live[edge.target.index()].clone());
            liveness.add_provided(&mut at);
            live[edge.source.index()].append(&mut at);
        }
        if live.iter().map(Set::len).sum::<usize>() == before {
            return live;
        }
    }
}

/// Follows what is live backwards through the steps of a template.
pub(crate) struct Liveness<'a> {
    pub model: &'a Model,
    pub template: &'a Template,
    pub slots: &'a Slots,
}

impl Liveness<'_> {
    pub(crate) fn touched(&self, place: &Place) -> Option<Touched> {
        self.slots.touched(self.model, self.template, place)
    }

    fn read(&self, live: &mut Set, place: &Place) {
        live.extend(self.touched(place).into_iter().flat_map(|t| t.slots));
    }

    fn read_all(&self, live: &mut Set, expr: &Expr) {
        reads(expr, &mut |place| self.read(live, place));
    }

    /// What is overwritten is dead before, unless it is not certain which cell that is.
    fn write(&self, live: &mut Set, place: &Place) {
        if let Some(touched) = self.touched(place).filter(|t| t.definite) {
            live.remove(&touched.slots.start);
        }
    }

    pub(crate) fn add_provided(&self, live: &mut Set) {
        let provided = self.template.provided.iter();
        provided.for_each(|condition| self.read_all(live, condition));
    }

    /// What is live before a step, given what is live after it.
    pub(crate) fn before(&self, step: &Step, mut live: Set) -> Set {
        match step {
            step if is_never_taken(step) => live.clear(),
            Step::Guarded { guard, effects } => {
                let effects = effects.iter().rev();
                effects.for_each(|effect| self.before_effect(&mut live, effect));
                self.read_all(&mut live, guard);
            }
            Step::Else => {}
            Step::Send {
                channel, message, ..
            } => {
                let all = std::iter::once(channel).chain(message);
                all.for_each(|expr| self.read_all(&mut live, expr));
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                self.before_receive(&mut live, patterns);
                self.read_all(&mut live, channel);
            }
            // Whoever gets the number of a process that is gone has slots of its own.
            Step::Exit => live.clear(),
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Routine(routine) => return self.before_routine(routine, &live),
        }
        live
    }

    /// What is live before an effect, given what is live after it.
    pub(crate) fn before_effect(&self, live: &mut Set, effect: &Effect) {
        let targets = effect_targets(effect);
        targets.iter().for_each(|place| self.write(live, place));
        for place in targets {
            reads_inside(place, &mut |inner| self.read(live, inner));
        }
        for expr in effect_exprs(effect) {
            self.read_all(live, expr);
        }
    }

    /// All fields are bound after the whole message has matched, so reads come first.
    fn before_receive(&self, live: &mut Set, patterns: &[Pattern]) {
        pattern_accesses(patterns, &mut |access, place| {
            if access == Access::Write {
                self.write(live, place);
            }
        });
        pattern_accesses(patterns, &mut |access, place| {
            if access == Access::Read {
                self.read(live, place);
            }
        });
    }

    /// What is live before a routine, given what is live after it.
    fn before_routine(&self, routine: &Routine, after: &Set) -> Set {
        self.at_nodes(routine, after).swap_remove(0)
    }

    /// The same analysis once more, for the nodes of a routine.
    pub(crate) fn at_nodes(&self, routine: &Routine, after: &Set) -> Vec<Set> {
        let mut live = vec![Set::new(); routine.nodes.len()];
        loop {
            let before: usize = live.iter().map(Set::len).sum();
            for (index, node) in routine.nodes.iter().enumerate().rev() {
                for choice in &node.choices {
                    let next = choice.next.map_or(after, |next| &live[next.index()]);
                    let mut at = self.before(&choice.step, next.clone());
                    live[index].append(&mut at);
                }
            }
            if live.iter().map(Set::len).sum::<usize>() == before {
                return live;
            }
        }
    }
}
