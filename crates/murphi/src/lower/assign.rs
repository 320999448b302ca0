//! Assignments, `undefine` and `clear`.

use super::build::{constant, read};
use super::places::{Indices, Spot};
use super::shapes::before_first;
use super::value::Value;
use super::{Lowering, Meaning};
use crate::typed::{Expr, ExprKind, Place, TypeId, TypeKind};
use mandala_model::expr::{Expr as Lowered, Place as Cell, Projection};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::LocalId;
use mandala_model::parameters::{Progression, Values};
use mandala_model::source::Span;

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
        let whole = [to.place(), from.place()];
        self.each_cell(&whole, to.ty, &mut |lowering, cells, _| {
            if let [to, from] = cells {
                lowering.store(to.clone(), read(from.clone()));
            }
        });
    }

    /// Does something for each cell of places of one type: of records field by field, of arrays in a loop.
    fn each_cell(
        &mut self,
        places: &[Cell],
        ty: TypeId,
        act: &mut dyn FnMut(&mut Self, &[Cell], TypeId),
    ) {
        let part = |projection: &Projection| -> Vec<Cell> {
            let part = |place: &Cell| Cell {
                path: [&place.path[..], std::slice::from_ref(projection)].concat(),
                ..place.clone()
            };
            places.iter().map(part).collect()
        };
        match self.kind(ty).clone() {
            TypeKind::Record(fields) => {
                for (number, field) in (0..).zip(&fields) {
                    self.each_cell(&part(&Projection::Field(number)), field.ty, act);
                }
            }
            TypeKind::Array { index, element } => {
                let span = places.first().map_or(self.label.span, |place| place.span);
                let mark = self.scratch.mark();
                let positions = self.positions(index);
                let variable = self.position_variable(index, &positions, span);
                self.each_raw(variable, positions, span, &mut |lowering, position| {
                    lowering.each_cell(&part(&Projection::Index(position)), element, act);
                });
                self.scratch.release(mark);
            }
            TypeKind::Multiset { .. } => {}
            _ => act(self, places, ty),
        }
    }

    /// A temporary for the positions of an array. Members of scalarsets and unions are their own positions.
    fn position_variable(&mut self, index: TypeId, positions: &Values, span: Span) -> LocalId {
        let is_member = before_first(&self.program.types, &self.shapes.numbering, index) == 0;
        let typed = self.temporary(index, "index", span);
        match typed.ok().and_then(|spot| spot.local()) {
            Some(local) if is_member => local,
            _ => self.scratch.take_number(bounds(positions), span),
        }
    }

    /// Where the elements of an array are that has such indices.
    fn positions(&self, index: TypeId) -> Values {
        let before = before_first(&self.program.types, &self.shapes.numbering, index);
        let parts = self.parts(index).into_iter();
        let parts = parts.filter(|part| part.count > 0);
        let runs =
            parts.map(|part| Progression::range((part.first - before) as i64, part.count as u32));
        Values(runs.collect())
    }

    /// The cells of a copy and their values.
    pub(super) fn copied_cells(&self, to: &Spot, from: &Spot) -> Vec<(Cell, Lowered)> {
        let pairs = self.cells(to).into_iter().zip(self.cells(from));
        pairs.map(|((to, _), (from, _))| (to, read(from))).collect()
    }

    /// Takes the values of all cells away.
    pub(super) fn undefine(&mut self, spot: &Spot) {
        self.each_cell(&[spot.place()], spot.ty, &mut |lowering, cells, _| {
            for cell in cells {
                lowering.store(cell.clone(), constant(0, cell.span));
            }
        });
    }

    /// Gives all cells the first values of their types. A type without values has none.
    pub(super) fn clear(&mut self, spot: &Spot) {
        self.each_cell(&[spot.place()], spot.ty, &mut |lowering, cells, ty| {
            let first = match lowering.program.types.values(ty) {
                Some(0) => 0,
                _ => lowering.part_of(0, ty).0.first,
            };
            for cell in cells {
                lowering.store(cell.clone(), constant(first as i64, cell.span));
            }
        });
    }
}

/// The least and the greatest of some values, or 0.
fn bounds(values: &Values) -> (i128, i128) {
    let runs = values.0.iter().filter(|run| run.count > 0);
    let ends = runs.flat_map(|run| [Some(run.first), run.last()]);
    let ends: Vec<i128> = ends.flatten().map(i128::from).collect();
    let (least, greatest) = (ends.iter().min(), ends.iter().max());
    (least.copied().unwrap_or(0), greatest.copied().unwrap_or(0))
}
