//! Assignments, `undefine` and `clear`.

use super::build::{constant, read};
use super::places::{Indices, Spot};
use super::value::Value;
use super::{Lowering, Meaning};
use crate::typed::{Expr, ExprKind, Place};
use mandala_model::expr::{Expr as Lowered, Place as Cell};
use mandala_model::findings::{Fallible, error};

impl Lowering<'_> {
    /// `x := e`: the value comes first, then the indices of the place.
    pub(super) fn assign(&mut self, place: &Place, value: &Expr) -> Fallible<()> {
        if self.has_multiset(place.ty) {
            return Err(error(place.span, "a multiset cannot be copied"));
        }
        if !self.program.types.is_simple(place.ty) {
            return self.assign_whole(place, value);
        }
        if self.copies_undefined
            && let ExprKind::Read(source) = &self.passed_on(value).kind
        {
            return self.assign_copy(place, source);
        }
        let value = self.checked_by_bounds(value);
        let mut found = self.value(value)?;
        if self.place_needs_flow(place) {
            found = self.keep(found, value.ty)?;
        }
        let spot = self.spot(place, Indices::Live)?;
        let raw = self.raw(found, spot.ty)?;
        self.store(spot.place(), raw);
        Ok(())
    }

    /// `x := y` as CMurphi has it: if y is undefined, so is x then.
    fn assign_copy(&mut self, place: &Place, source: &Place) -> Fallible<()> {
        let mut from = match self.place(source, Indices::Live)? {
            Meaning::Spot(spot) => spot,
            Meaning::Value(value) => {
                let spot = self.spot(place, Indices::Live)?;
                let raw = self.raw(value, spot.ty)?;
                self.store(spot.place(), raw);
                return Ok(());
            }
        };
        if self.place_needs_flow(place) {
            let kept = self.temporary(from.ty, "value", source.span)?;
            self.store(kept.place(), read(from.place()));
            from = kept;
        }
        let to = self.spot(place, Indices::Live)?;
        let raw = self.moved(&from, to.ty)?;
        self.store(to.place(), raw);
        Ok(())
    }

    /// Records and arrays are copied cell by cell, and the first cells that change may be those that an index
    /// reads.
    fn assign_whole(&mut self, place: &Place, value: &Expr) -> Fallible<()> {
        let calls = self.place_needs_flow(place);
        let from = match &value.kind {
            ExprKind::Read(source) if calls => {
                let meaning = self.place(source, Indices::Saved)?;
                self.value_of_meaning(meaning)
            }
            ExprKind::Read(source) => {
                let to = self.written(place)?;
                let from = self.copied(source, &to)?;
                self.copy_value(&to, from);
                return self.check_size();
            }
            _ => self.value(value)?,
        };
        let to = self.written(place)?;
        self.copy_value(&to, from);
        self.check_size()
    }

    fn copy_value(&mut self, to: &Spot, from: Value) {
        if let Value::Whole(from) = from {
            self.copy(to, &from);
        }
    }

    /// A place of several cells that are written one by one.
    pub(super) fn written(&mut self, place: &Place) -> Fallible<Spot> {
        if !self.place_needs_flow(place) {
            let spot = self.spot(place, Indices::Live)?;
            if !spot.is_indexed_by(&spot) {
                return Ok(spot);
            }
        }
        self.spot(place, Indices::Saved)
    }

    /// A place of several cells that are read one by one, while others are written.
    fn copied(&mut self, place: &Place, to: &Spot) -> Fallible<Value> {
        if !self.place_needs_flow(place) {
            let meaning = self.place(place, Indices::Live)?;
            match self.value_of_meaning(meaning) {
                Value::Whole(spot) if spot.is_indexed_by(to) => {}
                value => return Ok(value),
            }
        }
        let meaning = self.place(place, Indices::Saved)?;
        Ok(self.value_of_meaning(meaning))
    }

    /// Copies all cells, undefined ones as well.
    pub(super) fn copy(&mut self, to: &Spot, from: &Spot) {
        for (to, from) in self.copied_cells(to, from) {
            self.store(to, from);
        }
    }

    /// The cells of a copy and their values.
    pub(super) fn copied_cells(&self, to: &Spot, from: &Spot) -> Vec<(Cell, Lowered)> {
        let pairs = self.cells(to).into_iter().zip(self.cells(from));
        pairs.map(|((to, _), (from, _))| (to, read(from))).collect()
    }

    /// Takes the values of all cells away.
    pub(super) fn undefine(&mut self, spot: &Spot) {
        for (place, _) in self.cells(spot) {
            let none = constant(0, place.span);
            self.store(place, none);
        }
    }

    /// Gives all cells the first values of their types. A type without values has none.
    pub(super) fn clear(&mut self, spot: &Spot) {
        for (place, ty) in self.cells(spot) {
            let first = match self.program.types.values(ty) {
                Some(0) => 0,
                _ => self.part_of(0, ty).0.first,
            };
            let first = constant(first as i64, place.span);
            self.store(place, first);
        }
    }
}
