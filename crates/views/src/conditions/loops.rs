//! Loops over the family: each round is about one member, so that rounds for members that are left out need not be made.

use super::questions::{Asker, Cell};
use crate::refusal::{Condition, Refused};
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::source::Span;
use mandala_model::template::{Choice, Effect, Print, Routine, Step};
use std::collections::BTreeSet;

/// Checks a loop over the family: it changes nothing but what belongs to the member of the round, reads nothing that another round changes, and is left behind its last round only.
pub(super) fn check(asker: &Asker<'_>, routine: &Routine, each: &Loop) -> Result<(), Refused> {
    let body = routine.body_of(each);
    let refused = |span: Span, message: String| Err(Refused::at(Condition::Loops, span, message));
    let inner = routine.loops.iter().find(|other| {
        let over_family = asker
            .family
            .is_held_by(&asker.locals[other.variable.index()]);
        over_family && body.contains(&other.head)
    });
    if let Some(inner) = inner {
        return refused(
            inner.span,
            "a loop over the members is inside of another one".into(),
        );
    }
    let mut round = Round {
        asker,
        member: each.variable,
        written: BTreeSet::new(),
    };
    let choices = choices(routine, each, &body);
    for (choice, passed) in &choices {
        let leaves = match choice.next {
            Some(next) => next != each.head && !body.contains(&next),
            None => true,
        };
        if leaves && !has_no_state_behind(choice) {
            let message = "the loop may be left before all members had their turn";
            return refused(choice.span, message.into());
        }
        round.note_written(choice, *passed)?;
    }
    for (choice, passed) in &choices {
        round.require_own(choice, *passed)?;
    }
    Ok(())
}

/// The choices of a round, and how many effects of each are those of the loop itself.
fn choices<'r>(
    routine: &'r Routine,
    each: &Loop,
    body: &BTreeSet<NodeId>,
) -> Vec<(&'r Choice, usize)> {
    let head = routine.nodes[each.head.index()].choices.first();
    let inside = body.iter().flat_map(|n| &routine.nodes[n.index()].choices);
    let head = head.map(|choice| (choice, 2));
    head.into_iter().chain(inside.map(|c| (c, 0))).collect()
}

fn has_no_state_behind(choice: &Choice) -> bool {
    let Step::Guarded { effects, .. } = &choice.step else {
        return false;
    };
    let ends = |effect: &Effect| matches!(effect, Effect::Fail { .. } | Effect::Abandon);
    effects.iter().any(ends)
}

/// One round of a loop.
struct Round<'a, 'm> {
    asker: &'a Asker<'m>,
    member: LocalId,
    /// What rounds change: global variables with the fields in them.
    written: BTreeSet<Cell>,
}

impl Round<'_, '_> {
    fn note_written(&mut self, choice: &Choice, passed: usize) -> Result<(), Refused> {
        let Step::Guarded { effects, .. } = &choice.step else {
            return Ok(());
        };
        for effect in effects.iter().skip(passed) {
            let Effect::Assign { place, .. } = effect else {
                continue;
            };
            if let Root::Local(_) = place.root {
                continue;
            }
            if !self.is_own(place) {
                return Err(Refused::at(
                    Condition::Loops,
                    place.span,
                    "a loop over the members changes what does not belong to the member of the round",
                ));
            }
            self.written.insert(column(place));
        }
        Ok(())
    }

    /// Whether a place belongs to the member of the round.
    fn is_own(&self, place: &Place) -> bool {
        let mut indices = place.path.iter().filter_map(|part| match part {
            Projection::Index(index) => Some(index),
            Projection::Field(_) => None,
        });
        indices.any(|index| self.asker.is_variable(index, self.member))
    }

    fn require_own(&self, choice: &Choice, passed: usize) -> Result<(), Refused> {
        let Step::Guarded { guard, effects } = &choice.step else {
            return Ok(());
        };
        // The guard of the head counts rounds.
        if passed == 0 {
            self.expr(guard)?;
        }
        for effect in effects.iter().skip(passed) {
            match effect {
                Effect::Assign { place, value } => {
                    self.expr(value)?;
                    self.indices(place)?;
                }
                Effect::Assert { condition } => self.expr(condition)?,
                Effect::Print {
                    text: Print::Format { arguments, .. },
                } => arguments.iter().try_for_each(|e| self.expr(e))?,
                _ => {}
            }
        }
        Ok(())
    }

    fn indices(&self, place: &Place) -> Result<(), Refused> {
        let mut found = Ok(());
        place.each_part(&mut |part| {
            if found.is_ok() {
                found = self.expr(part);
            }
        });
        found
    }

    /// An expression reads nothing that another round changes.
    fn expr(&self, e: &Expr) -> Result<(), Refused> {
        let mut found = Ok(());
        e.walk(&mut |part| {
            if found.is_ok() {
                found = self.part(part);
            }
        });
        found
    }

    fn part(&self, e: &Expr) -> Result<(), Refused> {
        let ExprKind::Read(place) = &e.kind else {
            return Ok(());
        };
        let Root::Global(_) = place.root else {
            return Ok(());
        };
        let read = column(place);
        let changed = |written: &Cell| written.starts_with(&*read) || read.starts_with(&**written);
        match self.is_own(place) || !self.written.iter().any(changed) {
            true => Ok(()),
            false => Err(Refused::at(
                Condition::Loops,
                e.span,
                "a round of a loop over the members reads what another one changes",
            )),
        }
    }
}

/// The variable and the fields on the way to a place.
fn column(place: &Place) -> Cell {
    let mut column = match &place.root {
        Root::Global(id) => format!("{id}|"),
        _ => String::new(),
    };
    for part in &place.path {
        match part {
            Projection::Field(field) => column.push_str(&format!(".{field}|")),
            Projection::Index(_) => column.push_str("[]|"),
        }
    }
    column
}

/// Refuses code that reads a variable of its own which rounds of a loop over the family have written: what it holds depends on the last round. Such a
/// variable is stale from the begin of a round and behind the loop, until it gets a value.
pub(super) fn require_fresh(routine: &Routine, asker: &Asker<'_>) -> Result<(), Refused> {
    let mut stale: Vec<Option<BTreeSet<LocalId>>> = vec![None; routine.nodes.len()];
    let rounds = rounds(routine, asker);
    let mut open = vec![(NodeId(0), BTreeSet::new())];
    while let Some((node, more)) = open.pop() {
        let known = &mut stale[node.index()];
        if known.as_ref().is_some_and(|known| more.is_subset(known)) {
            continue;
        }
        let known = known.get_or_insert_default();
        known.extend(more);
        let here = known.clone();
        for (place, choice) in routine.nodes[node.index()].choices.iter().enumerate() {
            let round = rounds.iter().find(|round| round.head == node);
            let mut after = here.clone();
            let mut passed = 0;
            if let Some(round) = round {
                after.extend(&round.written);
                if place == 0 {
                    passed = 2;
                    after.remove(&round.member);
                }
            }
            through(choice, passed, &mut after)?;
            if let Some(next) = choice.next {
                open.push((next, after));
            }
        }
    }
    Ok(())
}

/// The variables that the rounds of a loop over the family write, that of the loop among them.
struct Rounds {
    head: NodeId,
    member: LocalId,
    written: BTreeSet<LocalId>,
}

fn rounds(routine: &Routine, asker: &Asker<'_>) -> Vec<Rounds> {
    let loops = routine.loops.iter();
    let over_family = loops.filter(|each| {
        asker
            .family
            .is_held_by(&asker.locals[each.variable.index()])
    });
    let written = |each: &Loop| {
        let body = routine.body_of(each);
        let mut written = BTreeSet::from([each.variable]);
        for (choice, passed) in choices(routine, each, &body) {
            let Step::Guarded { effects, .. } = &choice.step else {
                continue;
            };
            for effect in effects.iter().skip(passed) {
                if let Effect::Assign { place, .. } = effect
                    && let Root::Local(local) = place.root
                {
                    written.insert(local);
                }
            }
        }
        written
    };
    over_family
        .map(|each| Rounds {
            head: each.head,
            member: each.variable,
            written: written(each),
        })
        .collect()
}

/// What is stale behind a choice. The effects that are passed are those of the head of a loop.
fn through(choice: &Choice, passed: usize, stale: &mut BTreeSet<LocalId>) -> Result<(), Refused> {
    let Step::Guarded { guard, effects } = &choice.step else {
        return Ok(());
    };
    fresh(guard, stale)?;
    for effect in effects.iter().skip(passed) {
        match effect {
            Effect::Assign { place, value } => {
                fresh(value, stale)?;
                let mut found = Ok(());
                place.each_part(&mut |part| {
                    if found.is_ok() {
                        found = fresh(part, stale);
                    }
                });
                found?;
                if let Root::Local(local) = place.root
                    && place.path.is_empty()
                {
                    stale.remove(&local);
                }
            }
            Effect::Assert { condition } => fresh(condition, stale)?,
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => arguments.iter().try_for_each(|e| fresh(e, stale))?,
            _ => {}
        }
    }
    Ok(())
}

fn fresh(e: &Expr, stale: &BTreeSet<LocalId>) -> Result<(), Refused> {
    let mut found = Ok(());
    e.walk(&mut |part| {
        if let ExprKind::Read(place) = &part.kind
            && let Root::Local(local) = place.root
            && stale.contains(&local)
            && found.is_ok()
        {
            found = Err(Refused::at(
                Condition::Loops,
                part.span,
                "a value is carried from one round of a loop over the members to the next, or out of it",
            ));
        }
    });
    found
}
