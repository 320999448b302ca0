//! Loops over members: each round is about its own member and no other one (condition 4).
//!
//! Then the rounds of the members that are kept do to them, and to what is shared, what all rounds together do, in whatever order. Three things make it so: a round writes to what belongs to
//! its member, and to variables of the code; it reads nothing of others that rounds write; and no variable of the code takes a value out of a round.

use crate::family::{Family, NotConfirmed};
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{LocalId, NodeId};
use mandala_model::loops::Loop;
use mandala_model::template::{Choice, Effect, Routine, Step};
use mandala_model::types::Variable;
use std::collections::BTreeSet;

/// A loop over members, with the nodes of its body.
pub(crate) struct MemberLoop<'r> {
    pub each: &'r Loop,
    pub body: BTreeSet<NodeId>,
}

/// The loops over members of a routine.
pub(crate) fn over_members<'r>(
    routine: &'r Routine,
    locals: &[Variable],
    family: &Family,
) -> Vec<MemberLoop<'r>> {
    let all = routine.loops.iter();
    let ours = all.filter(|each| family.is_held_by(&locals[each.variable.index()]));
    ours.map(|each| MemberLoop {
        each,
        body: routine.body_of(each),
    })
    .collect()
}

/// How many effects of a choice only take the next member.
pub(crate) fn taking_next(loops: &[MemberLoop<'_>], node: NodeId, choice: usize) -> usize {
    let heads = choice == 0 && loops.iter().any(|one| one.each.head == node);
    if heads { 2 } else { 0 }
}

impl MemberLoop<'_> {
    /// The guards and effects of a round.
    fn round<'r>(&self, routine: &'r Routine) -> Vec<(Option<&'r Expr>, &'r [Effect], &'r Choice)> {
        let head = &routine.nodes[self.each.head.index()].choices[..1];
        let inside = self.body.iter();
        let inside = inside.flat_map(|node| &routine.nodes[node.index()].choices);
        let parts = |choice: &'r Choice, skipped: usize| match &choice.step {
            Step::Guarded { guard, effects } => (
                (skipped == 0).then_some(guard),
                effects.get(skipped..).unwrap_or(&[]),
                choice,
            ),
            _ => (None, &[][..], choice),
        };
        let head = head.iter().map(|choice| parts(choice, 2));
        head.chain(inside.map(|choice| parts(choice, 0))).collect()
    }

    /// Checks a loop.
    pub(crate) fn check(&self, routine: &Routine) -> Result<(), NotConfirmed> {
        let round = self.round(routine);
        let mut written: Vec<Vec<Option<u32>>> = Vec::new();
        for (_, effects, choice) in &round {
            let stays = choice
                .next
                .is_some_and(|next| next == self.each.head || self.body.contains(&next));
            let ends = |effect: &Effect| matches!(effect, Effect::Fail { .. } | Effect::Abandon);
            if !stays && !effects.iter().any(ends) {
                return Err(NotConfirmed::at(
                    choice.span,
                    "a loop over members may end before the last of them",
                ));
            }
            for effect in *effects {
                let Effect::Assign { place, .. } = effect else {
                    continue;
                };
                match place.root {
                    Root::Local(local) if local != self.each.variable => {}
                    _ if self.is_own(place) => written.push(column(place)),
                    _ => {
                        return Err(NotConfirmed::at(
                            place.span,
                            "a loop over members changes what does not belong to the member of the round",
                        ));
                    }
                }
            }
        }
        let mut found = Ok(());
        let mut look = |e: &Expr| {
            if let ExprKind::Read(place) = &e.kind
                && matches!(place.root, Root::Global(_))
                && !self.is_own(place)
                && written.iter().any(|other| meet(other, &column(place)))
            {
                found = Err(NotConfirmed::at(
                    e.span,
                    "a round of a loop over members reads what another round changes",
                ));
            }
        };
        for (guard, effects, _) in &round {
            guard.iter().for_each(|guard| guard.walk(&mut look));
            for effect in *effects {
                effect.each_whole(&mut |whole| whole.walk(&mut look));
            }
        }
        found
    }

    /// Whether a place belongs to the member of the round.
    fn is_own(&self, place: &Place) -> bool {
        place.path.iter().any(
            |part| matches!(part, Projection::Index(index) if reads(index, self.each.variable)),
        )
    }

    /// The variables of the code that rounds write.
    fn changed(&self, routine: &Routine) -> BTreeSet<LocalId> {
        let mut changed = BTreeSet::from([self.each.variable]);
        for (_, effects, _) in self.round(routine) {
            for effect in effects {
                if let Effect::Assign { place, .. } = effect
                    && let Root::Local(local) = place.root
                {
                    changed.insert(local);
                }
            }
        }
        changed
    }
}

/// Whether an expression is the value of a variable.
pub(crate) fn reads(e: &Expr, local: LocalId) -> bool {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Defined, inner) => reads(inner, local),
        ExprKind::Read(place) => place.root == Root::Local(local) && place.path.is_empty(),
        _ => false,
    }
}

/// A global variable and the fields on the way, whatever the indices.
fn column(place: &Place) -> Vec<Option<u32>> {
    let root = match place.root {
        Root::Global(id) => Some(id.0),
        _ => None,
    };
    let fields = place.path.iter().filter_map(|part| match part {
        Projection::Field(field) => Some(Some(*field)),
        Projection::Index(_) => None,
    });
    std::iter::once(root).chain(fields).collect()
}

/// Whether two columns may have a cell in common.
fn meet(one: &[Option<u32>], other: &[Option<u32>]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b)
}

/// Requires that no value leaves a round in a variable of the code. A variable that rounds write is stale when a round begins and when the loop is left, until it
/// is written; nothing may read it then.
///
/// # Errors
///
/// The first place that reads one.
pub(crate) fn require_no_carried(
    routine: &Routine,
    loops: &[MemberLoop<'_>],
) -> Result<(), NotConfirmed> {
    let changed: Vec<BTreeSet<LocalId>> = loops.iter().map(|one| one.changed(routine)).collect();
    let mut stale: Vec<BTreeSet<LocalId>> = vec![BTreeSet::new(); routine.nodes.len()];
    let mut open: BTreeSet<NodeId> = (0..routine.nodes.len()).map(NodeId::from).collect();
    while let Some(node) = open.pop_first() {
        let mut here = stale[node.index()].clone();
        let heads = loops.iter().zip(&changed);
        let heads = heads.filter(|(one, _)| one.each.head == node);
        for (_, changed) in heads.clone() {
            here.extend(changed);
        }
        for (number, choice) in routine.nodes[node.index()].choices.iter().enumerate() {
            let mut after = here.clone();
            let skipped = taking_next(loops, node, number);
            if skipped > 0 {
                for (one, _) in heads.clone() {
                    after.remove(&one.each.variable);
                }
            }
            pass(choice, skipped, &mut after)?;
            if let Some(next) = choice.next
                && !after.is_subset(&stale[next.index()])
            {
                stale[next.index()].extend(after);
                open.insert(next);
            }
        }
    }
    Ok(())
}

/// What is stale behind a choice.
fn pass(
    choice: &Choice,
    skipped: usize,
    stale: &mut BTreeSet<LocalId>,
) -> Result<(), NotConfirmed> {
    let Step::Guarded { guard, effects } = &choice.step else {
        return Ok(());
    };
    let require_fresh = |whole: &Expr, stale: &BTreeSet<LocalId>| {
        let mut found = Ok(());
        whole.walk(&mut |e| {
            if let ExprKind::Read(place) = &e.kind
                && let Root::Local(local) = place.root
                && stale.contains(&local)
            {
                found = Err(NotConfirmed::at(
                    e.span,
                    "a value is carried out of a round of a loop over members",
                ));
            }
        });
        found
    };
    if skipped == 0 {
        require_fresh(guard, stale)?;
    }
    for effect in effects.iter().skip(skipped) {
        let mut found = Ok(());
        effect.each_whole(&mut |whole| {
            if found.is_ok() {
                found = require_fresh(whole, stale);
            }
        });
        found?;
        if let Effect::Assign { place, .. } = effect
            && let Root::Local(local) = place.root
            && place.path.is_empty()
        {
            stale.remove(&local);
        }
    }
    Ok(())
}
