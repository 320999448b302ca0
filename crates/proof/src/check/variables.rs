//! Whole variables: what they hold at first, whether there is room, and what they are passed as.

use super::judge::Judge;
use super::places::{Cell, Part};
use super::types::Ty;
use super::{Checked, Reject};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::types::{Initial, Scalar, Type, Variable};
use mandala_symmetry::sorts::{Shape, Sort};

impl<'p> Judge<'p> {
    /// What a variable holds at first is renamed to itself.
    pub(super) fn first(&mut self, part: Part<'p>, variable: &Variable) -> Checked<()> {
        match &variable.initial {
            Initial::Default => self.default_value(part, &variable.ty, variable.span),
            Initial::NewChannel(kind) => {
                let mut cells = Vec::new();
                push_classes(part, &mut cells);
                let made = |cell: &Cell<'_>| match cell.sort {
                    Sort::Channel(class) => {
                        let kinds = self.proof.sorts.kinds.get(class as usize);
                        cell.values.is_none() && kinds.is_some_and(|kinds| kinds.contains(kind))
                    }
                    _ => false,
                };
                match cells.iter().all(made) {
                    true => Ok(()),
                    false => Err(Reject::channels(variable.span)),
                }
            }
            Initial::Fill(value) => self.filled(part, value),
            Initial::List(values) => {
                self.in_order(part.shape, variable.span)?;
                values.iter().try_for_each(|value| self.filled(part, value))
            }
        }
    }

    fn filled(&mut self, part: Part<'p>, value: &Expr) -> Checked<()> {
        let found = self.expr(value, value)?;
        let hull = self.hull(value);
        let mut cells = Vec::new();
        push_classes(part, &mut cells);
        cells
            .into_iter()
            .try_for_each(|cell| self.stored(cell, &found, hull, value.span))
    }

    fn default_value(&mut self, part: Part<'p>, ty: &Type, span: Span) -> Checked<()> {
        let unlike = || Reject::always(span, "a variable is of another form than its type");
        match ty {
            Type::Scalar(_) => {
                let cell = part.cell().ok_or_else(unlike)?;
                if let Some(values) = cell.values.filter(|values| !values.contains(&0)) {
                    self.miss(values, &Ty::pair(0, 0));
                    return Err(Reject::always(
                        span,
                        "it holds 0 at first, which it is said never to have",
                    ));
                }
                self.meet(
                    &cell.ty(self.mover),
                    &Ty::pair(0, 0),
                    span,
                    "is there at first",
                )
            }
            Type::Record(id) => {
                let fields = (0..).zip(&self.model.record(*id).fields);
                for (number, field) in fields {
                    self.first(part.field(number).ok_or_else(unlike)?, field)?;
                }
                Ok(())
            }
            Type::Array { element, .. } => {
                self.default_value(part.element().ok_or_else(unlike)?.0, element, span)
            }
        }
    }

    /// No array in a part of a variable is indexed by what is moved.
    pub(super) fn in_order(&self, shape: &Shape<Sort>, span: Span) -> Checked<()> {
        match shape {
            Shape::Cell(..) => Ok(()),
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.in_order(f, span)),
            Shape::Array { index, element, .. } => {
                self.meet(
                    &Ty::of(self.mover, *index, None),
                    &Ty::plain(),
                    span,
                    "tells elements apart",
                )?;
                self.in_order(element, span)
            }
        }
    }

    /// A variable has room for all that is moved, or for none of it.
    pub(super) fn room(&self, shape: &Shape<Sort>, span: Span) -> Checked<()> {
        let alike = |sort: Sort, fit: &dyn Fn(Value) -> Option<bool>| {
            let mut pairs = self.mover.pairs(self.mover.sort(sort));
            let alike = pairs.all(|(a, b)| fit(a).is_some() && fit(a) == fit(b));
            self.need(
                alike,
                span,
                "a variable has room for some of what is moved only",
            )
        };
        match shape {
            Shape::Cell(Sort::Channel(_), scalar) if *scalar != Scalar::Channel => {
                Err(Reject::channels(span))
            }
            Shape::Cell(sort, scalar) => alike(*sort, &|name| match scalar.store(name) {
                Some(value) if value == name => Some(true),
                Some(_) => None,
                None => Some(false),
            }),
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.room(f, span)),
            Shape::Array {
                index: Sort::Channel(_),
                ..
            } => Err(Reject::channels(span)),
            Shape::Array {
                index,
                element,
                length,
            } => {
                alike(*index, &|name| {
                    Some((0..Value::from(*length)).contains(&name))
                })?;
                self.room(element, span)
            }
        }
    }
}

/// The cells of a variable in order, those of all elements of arrays.
pub(super) fn push_cells<'p>(part: Part<'p>, cells: &mut Vec<Cell<'p>>) {
    match part.shape {
        Shape::Cell(..) => cells.extend(part.cell()),
        Shape::Record(fields) => (0..fields.len() as u32)
            .filter_map(|f| part.field(f))
            .for_each(|f| push_cells(f, cells)),
        Shape::Array { length, .. } => {
            let element = part.element();
            (0..*length)
                .filter_map(|_| element)
                .for_each(|(element, _)| push_cells(element, cells));
        }
    }
}

/// The classes of cells of a variable, each once.
fn push_classes<'p>(part: Part<'p>, cells: &mut Vec<Cell<'p>>) {
    match part.shape {
        Shape::Cell(..) => cells.extend(part.cell()),
        Shape::Record(fields) => (0..fields.len() as u32)
            .filter_map(|f| part.field(f))
            .for_each(|f| push_classes(f, cells)),
        Shape::Array { .. } => part
            .element()
            .into_iter()
            .for_each(|(element, _)| push_classes(element, cells)),
    }
}

/// The place whose cells the values are, all of them in their order.
pub(super) fn whole(model: &Model, ty: &Type, values: &[Expr]) -> Option<Place> {
    let read = |value: &Expr| match &value.kind {
        ExprKind::Read(place) => Some(place.clone()),
        _ => None,
    };
    let mut paths = Vec::new();
    push_paths(model, ty, &mut Vec::new(), &mut paths);
    let first = read(values.first()?)?;
    let length = first.path.len().checked_sub(paths.first()?.len())?;
    for (value, path) in values.iter().zip(&paths) {
        let cell = read(value)?;
        let (front, back) = cell.path.split_at_checked(length)?;
        let leads = back.len() == path.len() && back.iter().zip(path).all(|(b, p)| is_step(b, *p));
        (cell.root == first.root && front == &first.path[..length] && leads).then_some(())?;
    }
    let path = first.path[..length].to_vec();
    (values.len() == paths.len()).then_some(Place { path, ..first })
}

/// One step on the way to a cell: a field, or an element.
type CellStep = (bool, u32);

fn is_step(projection: &Projection, (is_field, number): CellStep) -> bool {
    match projection {
        Projection::Field(field) => is_field && *field == number,
        Projection::Index(index) => !is_field && index.as_constant() == Some(number.into()),
    }
}

/// The ways to all cells of a type, in order.
fn push_paths(model: &Model, ty: &Type, path: &mut Vec<CellStep>, paths: &mut Vec<Vec<CellStep>>) {
    let inside: Vec<(CellStep, &Type)> = match ty {
        Type::Scalar(_) => return paths.push(path.clone()),
        Type::Record(id) => (0..)
            .zip(&model.record(*id).fields)
            .map(|(n, f)| ((true, n), &f.ty))
            .collect(),
        Type::Array { element, length } => (0..*length).map(|n| ((false, n), &**element)).collect(),
    };
    for (step, ty) in inside {
        path.push(step);
        push_paths(model, ty, path, paths);
        path.pop();
    }
}
