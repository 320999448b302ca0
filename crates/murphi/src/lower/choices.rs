//! Chosen elements: `choose i: m`, and what becomes of them.
//!
//! A rule around which an element is chosen is one edge for each position, which can be taken if there is an element of the
//! multiset. When the element is removed, its position may get another one, so to use it after that is an error. Whether a
//! chosen element is gone is in a temporary, which is asked only where it can be.

use super::build::{compare, conditional, constant, read};
use super::places::Spot;
use super::pools::{Multiset, Pool};
use super::{Lowering, Meaning};
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    AliasId, AliasTarget, Binder, Domain, Expr, ExprKind, FunctionId, Place, ProjectionKind, Root,
    Stmt, StmtKind, TypeId, VariableId,
};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered, Place as Cell, Root as LoweredRoot};
use mandala_model::findings::Fallible;
use mandala_model::ids::GlobalId;
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The elements that are chosen around the rule that is being lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    chosen: BTreeMap<VariableId, Chosen>,
    /// Those that may be gone where control is.
    removed: BTreeSet<VariableId>,
    /// Whether removals are noted already.
    noted: bool,
}

/// An element that is chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) pool: GlobalId,
    pub(super) position: Lowered,
    /// A variable that is 1 if the element is gone.
    pub(super) gone: LoweredRoot,
}

/// The type of such a variable.
pub(super) fn gone() -> Type {
    Type::Scalar(Scalar::Range { min: 0, max: 1 })
}

impl Choices {
    /// Those that may be gone here.
    pub(super) fn removed(&self) -> BTreeSet<VariableId> {
        self.removed.clone()
    }

    /// Says which may be gone here; gives those of before.
    pub(super) fn set_removed(&mut self, removed: BTreeSet<VariableId>) -> BTreeSet<VariableId> {
        std::mem::replace(&mut self.removed, removed)
    }

    /// What a function is told of the elements that are chosen around the rule which calls it: any may be gone.
    pub(super) fn told(chosen: BTreeMap<VariableId, Chosen>) -> Choices {
        Choices {
            removed: chosen.keys().copied().collect(),
            chosen,
            noted: true,
        }
    }

    /// The elements that are chosen.
    pub(super) fn chosen(&self) -> &BTreeMap<VariableId, Chosen> {
        &self.chosen
    }

    /// All may be gone here.
    pub(super) fn all_removed(&mut self) {
        self.removed.extend(self.chosen.keys());
    }
}

impl<'p> Lowering<'p> {
    /// What is around a rule or property, from the outside: aliases get their meanings, and `there` is told when an element
    /// that is chosen is there.
    pub(super) fn begin(
        &mut self,
        binders: &[Binder],
        there: &mut dyn FnMut(&mut Lowering<'p>, Lowered, Span),
    ) -> Fallible<()> {
        for binder in binders {
            match binder {
                Binder::Alias(id) => {
                    // What it calls may remove what was chosen.
                    if self.alias_needs_flow(*id) {
                        self.note_removals();
                    }
                    self.alias(*id)?;
                }
                Binder::Each(binding) => {
                    if let Domain::Elements(place) = &binding.domain {
                        let condition = self.choose(binding.variable, place)?;
                        there(self, condition, binding.span);
                    }
                }
            }
        }
        Ok(())
    }

    /// The same where everything that is chosen must be there, or the edge cannot be taken.
    pub(super) fn begin_edge(&mut self, binders: &[Binder]) -> Fallible<()> {
        self.begin(binders, &mut |lowering, there, span| {
            let mut label = lowering.rule.clone();
            label.span = span;
            lowering.flow.require(there, label);
        })
    }

    /// Chooses an element; says when it is there.
    fn choose(&mut self, variable: VariableId, place: &Place) -> Fallible<Lowered> {
        let indices = self.looked_at(place);
        let set = self.multiset(place, indices)?;
        let Some(Meaning::Value(value)) = self.variables.get(&variable) else {
            return Ok(constant(0, place.span));
        };
        let position = self.raw(value.clone(), place.ty)?;
        let flag = LoweredRoot::Local(self.scratch.take(&gone(), "gone", place.span));
        let chosen = Chosen {
            pool: set.pool.global,
            position: position.clone(),
            gone: flag.clone(),
        };
        self.choices.chosen.insert(variable, chosen);
        if self.choices.noted {
            self.store(Cell::variable(flag, place.span), constant(0, place.span));
        }
        Ok(set.has(&position))
    }

    fn alias_needs_flow(&mut self, id: AliasId) -> bool {
        match &self.program.alias(id).target {
            AliasTarget::Place(place) => self.place_needs_flow(place),
            AliasTarget::Value(value) => self.needs_flow(value),
        }
    }

    /// From here on, what is removed is noted.
    pub(super) fn note_removals(&mut self) {
        if std::mem::replace(&mut self.choices.noted, true) {
            return;
        }
        let chosen = self.choices.chosen.values().map(|c| c.gone.clone());
        for gone in chosen.collect::<Vec<_>>() {
            let span = self.label.span;
            self.store(Cell::variable(gone, span), constant(0, span));
        }
    }

    /// The element at a position is removed.
    pub(super) fn note_removal(&mut self, pool: &Pool, position: &Lowered) {
        let span = position.span;
        let chosen: Vec<(VariableId, Chosen)> = self
            .choices
            .chosen
            .iter()
            .filter(|(_, chosen)| chosen.pool == pool.global)
            .map(|(id, chosen)| (*id, chosen.clone()))
            .collect();
        for (id, chosen) in chosen {
            let place = Cell::variable(chosen.gone, span);
            let same = compare(Op::Equal, position.clone(), chosen.position.clone());
            if same.as_constant() == Some(0) {
                continue;
            }
            let gone = conditional(same, constant(1, span), read(place.clone()));
            self.store(place, gone);
            self.choices.removed.insert(id);
        }
    }

    /// Where an element that was chosen may be gone: an error if it is.
    pub(super) fn check_present(&mut self, element: &Spot) {
        let Some(slot) = element.slot().filter(|slot| self.may_be_gone(*slot)) else {
            return;
        };
        let Some(chosen) = self.choices.chosen.get(&slot) else {
            return;
        };
        let span = element.span;
        let gone = read(Cell::variable(chosen.gone.clone(), span));
        let name = &self.program.variable(slot).name;
        let message = format!("the element `{name}` was removed");
        let (gone, present) = self.fork(gone, span);
        self.fail_at(gone, message, span);
        self.flow.join(present);
    }

    /// Where the indices of a multiset may have changed since an element was chosen: an error if it belongs to another
    /// one now. (An element that is gone belongs to none.)
    pub(super) fn check_owners(
        &mut self,
        set: &Multiset,
        slot: VariableId,
        position: &Lowered,
        span: Span,
    ) {
        let fixed = set.owners.iter().all(|owner| self.is_fixed_expr(owner));
        if fixed || !self.choices.chosen.contains_key(&slot) {
            return;
        }
        let name = &self.program.variable(slot).name;
        let message = format!("the element `{name}` was removed, or chosen from another multiset");
        let (same, other) = self.fork(set.has(position), span);
        self.fail_at(other, message, span);
        self.flow.join(same);
    }

    fn fail_at(&mut self, ends: Vec<super::flow::End>, message: String, span: Span) {
        self.flow.join(ends);
        let mut label = self.label.clone();
        label.span = span;
        self.fail(message, label);
    }

    fn may_be_gone(&self, slot: VariableId) -> bool {
        self.choices.removed.contains(&slot)
    }

    /// True if it has to be checked whether the element that a place is in is still there.
    pub(super) fn is_checked_element(&self, place: &Place) -> bool {
        let slots = place.projections.iter().filter_map(|p| match p.kind {
            ProjectionKind::Slot(slot) => Some(slot),
            _ => None,
        });
        let root = match place.root {
            Root::Variable(id) => self.variables.get(&id),
            Root::Alias(id) => self.aliases.get(&id),
        };
        let before = match root {
            Some(Meaning::Spot(spot)) => spot.slot(),
            _ => None,
        };
        let mut slots = slots.chain(before);
        slots.any(|slot| self.may_be_gone(slot) || self.may_have_moved(place, slot))
    }

    /// True if a chosen element is reached by an index that is no constant.
    fn may_have_moved(&self, place: &Place, slot: VariableId) -> bool {
        let is_index = |projection: &crate::typed::Projection| matches!(&projection.kind, ProjectionKind::Index(index) if !self.is_bound(index));
        let is_slot = |p: &crate::typed::Projection| p.kind == ProjectionKind::Slot(slot);
        let through_alias = matches!(place.root, Root::Alias(_));
        self.choices.chosen.contains_key(&slot)
            && place.projections.iter().any(is_slot)
            && (through_alias || place.projections.iter().any(is_index))
    }

    /// True for constants and parameters.
    fn is_bound(&self, index: &Expr) -> bool {
        match &index.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Convert(inner) => self.is_bound(inner),
            ExprKind::Read(place) => match place.root {
                Root::Variable(id) => {
                    let kind = self.program.variable(id).kind;
                    kind == crate::typed::VariableKind::Bound
                }
                Root::Alias(_) => false,
            },
            _ => false,
        }
    }

    /// A loop begins: what it removes may be gone when it comes back to its begin.
    pub(super) fn expect_removals(&mut self, body: &[Stmt]) {
        let body = body.iter().map(Part::Stmt);
        if any_part(self.program, body, |part| self.is_removal(part)) {
            self.choices.all_removed();
        }
    }

    /// Finds the functions that remove elements. They only call themselves and earlier ones.
    pub(super) fn find_removing_functions(&mut self) {
        let program = self.program;
        for function in &program.functions {
            let body = function.body.iter().map(Part::Stmt);
            let removes = any_part(program, body, |part| self.is_removal(part));
            self.removing_functions.push(removes);
        }
    }

    fn is_removal(&self, part: Part<'_>) -> bool {
        let called = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::MultisetRemove(..) | StmtKind::MultisetRemoveWhere(..) => return true,
                StmtKind::Undefine(place) | StmtKind::Clear(place) => {
                    return self.has_multiset(place.ty);
                }
                StmtKind::Call(function, _) => *function,
                _ => return false,
            },
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Call(function, _) => *function,
                _ => return false,
            },
        };
        self.removes(called)
    }

    /// True if a function removes elements of multisets, or calls one that does.
    pub(super) fn removes(&self, function: FunctionId) -> bool {
        let found = self.removing_functions.get(function.index());
        found.is_some_and(|removes| *removes)
    }

    /// True if multisets are a part of the type.
    pub(super) fn has_multiset(&self, ty: TypeId) -> bool {
        self.program.types.has_multiset(ty)
    }
}
