//! Lowering of operations on multisets.
//!
//! Positions of the pool are gone through one after the other, by a loop or a quantifier. The condition of
//! `multisetremovepred` is evaluated for all elements before the first one is removed, so that the order of positions
//! does not matter.

use super::build::{Chain, chain, compare, constant, plus, read};
use super::number::Number;
use super::places::{Indices, Spot};
use super::pools::{Multiset, Pool};
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::typed::{Binding, Domain, Expr, ExprKind, Place, ProjectionKind, TypeKind, VariableId};
use mandala_model::expr::{BinaryOp as Op, Expr as Lowered, Place as Cell, Projection};
use mandala_model::findings::{Fallible, error};
use mandala_model::quantified::{Evaluation, Quantifier};
use mandala_model::source::Span;
use mandala_model::template::{Effect, Insertion};
use mandala_model::types::{Scalar, Type};

/// What is done for a position.
type Body<'b, 'p> = &'b mut dyn FnMut(&mut Lowering<'p>, &Lowered) -> Fallible<()>;

impl<'p> Lowering<'p> {
    /// Does something for each position of a pool.
    pub(super) fn each_position(&mut self, pool: &Pool, body: Body<'_, 'p>) -> Fallible<()> {
        let span = self.label.span;
        let mark = self.scratch.mark();
        let last = i128::from(pool.positions);
        let variable = self.scratch.take_number((1, last), span);
        let values = pool.range(span).values;
        let mut done = Ok(());
        self.each_raw(variable, values, span, &mut |lowering, position| {
            done = lowering.one_position(&position, body);
        });
        self.scratch.release(mark);
        done
    }

    /// A temporary that is at the first position.
    fn position_counter(&mut self, pool: &Pool, span: Span) -> (Cell, Lowered) {
        let bounds = (1, i128::from(pool.positions));
        let counter = local_place(self.scratch.take_number(bounds, span), span);
        self.store(counter.clone(), constant(1, span));
        (counter.clone(), read(counter))
    }

    fn one_position(&mut self, position: &Lowered, body: Body<'_, 'p>) -> Fallible<()> {
        let mark = self.scratch.mark();
        body(self, position)?;
        self.scratch.release(mark);
        self.check_size()
    }

    fn bind_position(&mut self, variable: VariableId, position: &Lowered) {
        let value = Value::Member(position.clone());
        self.variables.insert(variable, Meaning::Value(value));
    }

    /// The element of a multiset at a chosen position.
    pub(super) fn element(&mut self, set: &Spot, slot: VariableId, span: Span) -> Fallible<Spot> {
        let position = self.position_of(slot, span)?;
        let Some(set) = self.pools_inside(set).into_iter().next() else {
            return Err(error(span, "this multiset is not a part of the state"));
        };
        self.check_owners(&set, slot, &position, span);
        Ok(set.pool.element_at(&position, span).at_slot(slot))
    }

    /// Where a chosen element is.
    fn position_of(&self, slot: VariableId, span: Span) -> Fallible<Lowered> {
        match self.variables.get(&slot) {
            Some(Meaning::Value(Value::Member(position))) => Ok(position.clone()),
            _ => Err(error(span, "nothing is chosen here")),
        }
    }

    /// True if code is needed to count elements.
    pub(super) fn count_needs_flow(&mut self, binding: &Binding, condition: &Expr) -> bool {
        let Domain::Elements(place) = &binding.domain else {
            return false;
        };
        let known = self.pool_of(place).is_some();
        !known || !self.has_certain_indices(place) || self.needs_flow(condition)
    }

    /// True if no index can be outside of its type.
    fn has_certain_indices(&mut self, place: &Place) -> bool {
        let mut ty = self.root_type(place);
        let mut certain = true;
        for projection in &place.projections {
            if let (ProjectionKind::Index(index), TypeKind::Array { index: wanted, .. }) =
                (&projection.kind, self.kind(ty))
            {
                let wanted = *wanted;
                certain &= self.is_certain(index, wanted) && !self.needs_flow(index);
            }
            ty = projection.ty;
        }
        certain
    }

    /// How the indices of a multiset are evaluated where nothing is written before they are used.
    pub(super) fn looked_at(&mut self, place: &Place) -> Indices {
        match self.has_certain_indices(place) {
            true => Indices::Live,
            false => Indices::Saved,
        }
    }

    /// `multisetcount(i: m, condition)`
    pub(super) fn count_elements(
        &mut self,
        binding: &Binding,
        condition: &Expr,
        span: Span,
    ) -> Fallible<Value> {
        let Domain::Elements(place) = &binding.domain else {
            return Err(error(span, "elements of a multiset are counted"));
        };
        if self.count_needs_flow(binding, condition) {
            let set = self.multiset(place, Indices::Saved)?;
            let count = self.count_by_code(&set, span, &mut |lowering, position| {
                lowering.bind_position(binding.variable, position);
                lowering.condition(condition)
            });
            return Ok(Value::Number(count?));
        }
        let Some(pool) = self.pool_of(place).cloned() else {
            return Err(error(span, "this multiset is not a part of the state"));
        };
        let counted = self.over(pool.range(binding.span), &mut |lowering, position| {
            let set = lowering.multiset(place, Indices::Live)?;
            lowering.bind_position(binding.variable, position);
            let counts = lowering.condition(condition)?;
            Ok(chain(Chain::All, [set.has(position), counts], span))
        })?;
        let count = counted.finish(Quantifier::Count, Evaluation::Strict, span);
        let bounds = (0, i128::from(pool.positions));
        Ok(Value::Number(Number::new(count, 0, bounds)))
    }

    /// The number of elements that satisfy a condition, counted by code.
    fn count_by_code(
        &mut self,
        set: &Multiset,
        span: Span,
        condition: &mut dyn FnMut(&mut Lowering<'p>, &Lowered) -> Fallible<Lowered>,
    ) -> Fallible<Number> {
        let bounds = (0, i128::from(set.pool.positions));
        let number = local_place(self.scratch.take_number(bounds, span), span);
        self.store(number.clone(), constant(0, span));
        self.each_position(&set.pool, &mut |lowering, position| {
            let (there, mut skipped) = lowering.fork(set.has(position), span);
            lowering.flow.join(there);
            let counts = condition(lowering, position)?;
            let (counted, not_counted) = lowering.fork(counts, span);
            lowering.flow.join(counted);
            lowering.store(number.clone(), plus(read(number.clone()), 1));
            skipped.extend(not_counted);
            lowering.flow.join(skipped);
            Ok(())
        })?;
        Ok(Number::new(read(number), 0, bounds))
    }

    /// `multisetadd(value, m)`: the first free position gets the element.
    pub(super) fn multiset_add(&mut self, value: &Expr, place: &Place) -> Fallible<()> {
        let mut found = match &value.kind {
            ExprKind::Read(source) if !self.program.types.is_simple(value.ty) => {
                let meaning = self.place(source, Indices::Saved)?;
                self.value_of_meaning(meaning)
            }
            _ => self.value(value)?,
        };
        if self.place_needs_flow(place) {
            found = self.keep(found, value.ty)?;
        }
        let set = self.multiset(place, Indices::Saved)?;
        if !set.pool.is_written_out() {
            return self.insert_by_loop(&set, place, &found);
        }
        let span = place.span;
        let bounds = (0, i128::from(set.pool.positions));
        let position = local_place(self.scratch.take_number(bounds, span), span);
        let insertion = Insertion {
            array: set.pool.global,
            has_room: self.has_room(&set, span)?,
            message: self.full_message(&set, place),
            first_free: self.first_free(&set.pool, span)?,
            cells: self.element_cells(&set, &read(position.clone()), &found)?,
            position,
        };
        let mut label = self.label.clone();
        label.span = span;
        self.flow.alone(Effect::Insert(Box::new(insertion)), &label);
        Ok(())
    }

    /// Whether there is room for one more element.
    fn has_room(&mut self, set: &Multiset, span: Span) -> Fallible<Lowered> {
        let there = self.over(set.pool.range(span), &mut |_, position| {
            Ok(set.has(position))
        })?;
        let count = there.finish(Quantifier::Count, Evaluation::Strict, span);
        Ok(compare(
            Op::Less,
            count,
            constant(set.pool.room as i64, span),
        ))
    }

    /// The first position that is free; 0 if there is none, which there is where there is room.
    fn first_free(&mut self, pool: &Pool, span: Span) -> Fallible<Lowered> {
        let free = self.over(pool.range(span), &mut |_, position| {
            Ok(pool.is_free(position))
        })?;
        Ok(free.finish(Quantifier::FirstOf, Evaluation::Ordered, span))
    }

    fn full_message(&self, set: &Multiset, place: &Place) -> String {
        let shown = self.program.show_place(place);
        let room = set.pool.room;
        format!("the multiset `{shown}` is full: there is room for {room}")
    }

    /// The cells of a new element at a position, and their values.
    fn element_cells(
        &mut self,
        set: &Multiset,
        position: &Lowered,
        value: &Value,
    ) -> Fallible<Vec<(Cell, Lowered)>> {
        let used = [constant(1, position.span)];
        let owners = match set.owners.is_empty() {
            true => &used[..],
            false => &set.owners[..],
        };
        let owners = set.pool.owner_cells(position).into_iter().zip(owners);
        let mut cells: Vec<_> = owners.map(|(cell, owner)| (cell, owner.clone())).collect();
        let element = set.pool.element_at(position, position.span);
        match value {
            Value::Whole(from) => cells.extend(self.copied_cells(&element, from)),
            value => {
                let raw = self.raw(value.clone(), element.ty)?;
                cells.push((element.place(), raw));
            }
        }
        Ok(cells)
    }

    /// Looks for a free position by a loop, where there are too many to write them out.
    fn insert_by_loop(&mut self, set: &Multiset, place: &Place, value: &Value) -> Fallible<()> {
        let span = place.span;
        self.check_room(set, place)?;
        let (counter, current) = self.position_counter(&set.pool, span);
        let head = self.flow.mark(self.label.clone());
        let (free, used) = self.fork(set.pool.is_free(&current), span);
        self.flow.join(used);
        let last = constant(set.pool.positions as i64, span);
        let (more, none) = self.fork(compare(Op::Less, current.clone(), last), span);
        self.flow.join(more);
        self.store(counter, plus(current.clone(), 1));
        self.flow.jump(head);
        self.flow.join(none);
        self.fail_full(set, place);
        self.flow.join(free);
        for (cell, value) in self.element_cells(set, &current, value)? {
            self.store(cell, value);
        }
        Ok(())
    }

    /// An error if a multiset that is one of several is full.
    fn check_room(&mut self, set: &Multiset, place: &Place) -> Fallible<()> {
        let span = place.span;
        if set.pool.owners.is_empty() {
            return Ok(());
        }
        let always = constant(1, span);
        let count = self.count_by_code(set, span, &mut |_, _| Ok(always.clone()))?;
        let room = constant(set.pool.room as i64, span);
        let (room, full) = self.fork(compare(Op::Less, count.expr()?, room), span);
        self.flow.join(full);
        self.fail_full(set, place);
        self.flow.join(room);
        Ok(())
    }

    fn fail_full(&mut self, set: &Multiset, place: &Place) {
        let mut label = self.label.clone();
        label.span = place.span;
        self.fail(self.full_message(set, place), label);
    }

    /// `multisetremove(i, m)`
    pub(super) fn multiset_remove(&mut self, slot: VariableId, place: &Place) -> Fallible<()> {
        let set = self.spot(place, Indices::Saved)?;
        let element = self.element(&set, slot, place.span)?;
        self.check_present(&element);
        let position = self.position_of(slot, place.span)?;
        for set in self.pools_inside(&set) {
            self.free(&set.pool, &position);
        }
        Ok(())
    }

    /// Makes a position free.
    fn free(&mut self, pool: &Pool, position: &Lowered) {
        let none = || constant(0, position.span);
        for cell in pool.owner_cells(position) {
            self.store(cell, none());
        }
        let element = pool.element_at(position, position.span);
        self.undefine(&element);
        self.note_removal(pool, position);
    }

    /// `multisetremovepred(i: m, condition)`
    pub(super) fn multiset_remove_where(
        &mut self,
        binding: &Binding,
        condition: &Expr,
    ) -> Fallible<()> {
        let Domain::Elements(place) = &binding.domain else {
            return Err(error(binding.span, "elements of a multiset are removed"));
        };
        let set = self.multiset(place, Indices::Saved)?;
        let marks = self.position_marks(&set.pool);
        self.each_position(&set.pool, &mut |lowering, position| {
            lowering.bind_position(binding.variable, position);
            lowering.mark_position(&marks(position), set.has(position), condition)
        })?;
        self.each_position(&set.pool, &mut |lowering, position| {
            let (marked, others) = lowering.fork(read(marks(position)), place.span);
            lowering.flow.join(marked);
            lowering.free(&set.pool, position);
            lowering.flow.join(others);
            Ok(())
        })
    }

    /// A temporary truth value for each position.
    fn position_marks(&mut self, pool: &Pool) -> impl Fn(&Lowered) -> Cell + use<> {
        let ty = Type::Array {
            element: Box::new(Type::Scalar(Scalar::Range { min: 0, max: 1 })),
            length: pool.positions as u32 + 1,
        };
        let span = self.label.span;
        let marks = local_place(self.scratch.take(&ty, "removed", span), span);
        move |position| {
            let mut place = marks.clone();
            place.path.push(Projection::Index(position.clone()));
            place
        }
    }

    /// Notes whether an element that is there satisfies the condition.
    fn mark_position(&mut self, mark: &Cell, there: Lowered, condition: &Expr) -> Fallible<()> {
        let span = condition.span;
        if !self.needs_flow(condition) {
            let counts = self.condition(condition)?;
            self.store(mark.clone(), chain(Chain::All, [there, counts], span));
            return Ok(());
        }
        let (there, absent) = self.fork(there, span);
        self.flow.join(there);
        let counts = self.condition(condition)?;
        self.store(mark.clone(), counts);
        let done = self.flow.take_ends();
        self.flow.join(absent);
        self.store(mark.clone(), constant(0, span));
        self.flow.join(done);
        Ok(())
    }

    /// Removes all elements of the multisets inside of a spot.
    pub(super) fn empty_inside(&mut self, spot: &Spot) -> Fallible<()> {
        for set in self.pools_inside(spot) {
            self.each_position(&set.pool, &mut |lowering, position| {
                let there = match set.owners.is_empty() {
                    true => constant(1, spot.span),
                    false => set.has(position),
                };
                let (there, others) = lowering.fork(there, spot.span);
                lowering.flow.join(there);
                lowering.free(&set.pool, position);
                lowering.flow.join(others);
                Ok(())
            })?;
        }
        Ok(())
    }
}
