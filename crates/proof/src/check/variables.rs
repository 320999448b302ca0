//! Whole variables: what they hold at first, whether there is room, and what they are passed as.

use super::judge::Judge;
use super::places::{Cell, Part};
use super::types::{Held, Ty};
use super::{Checked, Reject};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::types::{Initial, Scalar, Type, Variable};
use mandala_symmetry::sorts::{Shape, Sort};

/// A class of cells of a variable, or of the indices of an array in it.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Cell(Sort, Scalar),
    Index(Sort, u32),
}

impl Slot {
    pub(super) fn sort(self) -> Sort {
        let (Slot::Cell(sort, _) | Slot::Index(sort, _)) = self;
        sort
    }
}

/// The slots of a variable in the order of its text.
pub(super) fn slots(shape: &Shape<Sort>) -> Vec<Slot> {
    match shape {
        Shape::Cell(sort, scalar) => vec![Slot::Cell(*sort, *scalar)],
        Shape::Record(fields) => fields.iter().flat_map(slots).collect(),
        Shape::Array {
            index,
            element,
            length,
        } => {
            let index = [Slot::Index(*index, *length)];
            index.into_iter().chain(slots(element)).collect()
        }
    }
}

/// A shape without types: what a variable is like.
pub(super) fn bare<S>(shape: &Shape<S>) -> Shape<()> {
    shape.map(&mut |_| ())
}

impl<'p> Judge<'p> {
    /// What a variable holds at first is renamed to itself.
    pub(super) fn first(&mut self, part: Part<'p>, variable: &'p Variable) -> Checked<()> {
        match &variable.initial {
            Initial::Default => self.default_value(part, &variable.ty, variable.span),
            Initial::NewChannel(kind) => {
                let kinds = &self.proof.sorts.kinds;
                let made = |cell: Cell<'_>| match cell.sort {
                    Sort::Channel(class) => {
                        let kinds = kinds.get(class as usize);
                        cell.values.is_none() && kinds.is_some_and(|kinds| kinds.contains(kind))
                    }
                    _ => false,
                };
                let fits = part.cells(false).into_iter().all(made);
                fits.then_some(()).ok_or(Reject::channels(variable.span))
            }
            Initial::Fill(value) => self.filled(part, value),
            Initial::List(values) => {
                self.in_order(part.shape, variable.span)?;
                values.iter().try_for_each(|value| self.filled(part, value))
            }
        }
    }

    fn filled(&mut self, part: Part<'p>, value: &'p Expr) -> Checked<()> {
        let found = self.expr(value)?;
        let mut cells = part.cells(false).into_iter();
        cells.try_for_each(|cell| self.stored(cell, &found, value.span))
    }

    fn default_value(&mut self, part: Part<'p>, ty: &'p Type, span: Span) -> Checked<()> {
        let unlike = || Reject::at(span, "a variable is of another form than its type");
        match ty {
            Type::Scalar(_) => {
                let cell = part.cell().ok_or_else(unlike)?;
                let nothing = Ty::pair(0, 0);
                if let Some(values) = cell.values.filter(|values| !values.contains(&0)) {
                    self.miss(values, &nothing);
                    let message = "it holds 0 at first, which it is said never to have";
                    return Err(Reject::at(span, message));
                }
                self.meet(&cell.ty(self.mover), &nothing, span, "is there at first")
            }
            Type::Record(id) => {
                let mut fields = (0..).zip(&self.model.record(*id).fields);
                fields.try_for_each(|(number, field)| {
                    self.first(part.field(number).ok_or_else(unlike)?, field)
                })
            }
            Type::Array { element, .. } => {
                self.default_value(part.element().ok_or_else(unlike)?.0, element, span)
            }
        }
    }

    /// No array in a part of a variable is indexed by what is moved.
    pub(super) fn in_order(&self, shape: &Shape<Sort>, span: Span) -> Checked<()> {
        let indices = slots(shape).into_iter();
        let mut indices = indices.filter(|slot| matches!(slot, Slot::Index(..)));
        indices.try_for_each(|slot| {
            let index = Ty::of(self.mover, slot.sort(), Held::Anything);
            self.meet(&index, &Ty::plain(), span, "tells elements apart")
        })
    }

    /// A variable has room for all that is moved, or for none of it.
    pub(super) fn room(&self, shape: &Shape<Sort>, span: Span) -> Checked<()> {
        slots(shape).into_iter().try_for_each(|slot| {
            let fits = |name: Value| match slot {
                Slot::Cell(_, scalar) => scalar.store(name) == Some(name),
                Slot::Index(_, length) => (0..length.into()).contains(&name),
            };
            // A value that is cut comes from none that is moved.
            let cut = |name: Value| match slot {
                Slot::Cell(_, scalar) => scalar.store(name).is_some_and(|kept| kept != name),
                Slot::Index(..) => false,
            };
            match (slot.sort(), slot) {
                (Sort::Channel(_), Slot::Cell(_, Scalar::Channel)) => Ok(()),
                (Sort::Channel(_), _) => Err(Reject::channels(span)),
                (sort, _) => {
                    let sort = self.mover.sort(sort);
                    let whole = self.mover.pairs(sort).all(|(name, _)| !cut(name));
                    let message = "a variable has room for some of what is moved only";
                    self.need(whole && self.mover.keeps(sort, fits), span, message)
                }
            }
        })
    }

    /// Two places have the same types throughout.
    pub(super) fn same_shape(&self, a: &Shape<Sort>, b: &Shape<Sort>, span: Span) -> Checked<()> {
        let cells = matches!((a, b), (Shape::Cell(..), Shape::Cell(..)));
        if !cells && bare(a) != bare(b) {
            return Err(Reject::at(span, "what is passed is of another form"));
        }
        let ty = |slot: Slot| Ty::of(self.mover, slot.sort(), Held::Anything);
        let mut pairs = slots(a).into_iter().zip(slots(b));
        pairs.try_for_each(|(a, b)| self.meet(&ty(a), &ty(b), span, "is passed"))
    }
}

/// The place whose cells the values are, all of them in their order, and how many of its projections lead there.
pub(super) fn whole<'e>(
    model: &Model,
    ty: &Type,
    values: &[&'e Expr],
) -> Option<(&'e Place, usize)> {
    let read = |value: &'e Expr| match &value.kind {
        ExprKind::Read(place) => Some(place),
        _ => None,
    };
    let paths = paths(model, ty);
    let first = read(values.first()?)?;
    let length = first.path.len().checked_sub(paths.first()?.len())?;
    for (value, path) in values.iter().zip(&paths) {
        let cell = read(value)?;
        let (front, back) = cell.path.split_at_checked(length)?;
        let leads = back.len() == path.len() && back.iter().zip(path).all(|(b, p)| is_step(b, *p));
        (cell.root == first.root && front == &first.path[..length] && leads).then_some(())?;
    }
    (values.len() == paths.len()).then_some((first, length))
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
fn paths(model: &Model, ty: &Type) -> Vec<Vec<CellStep>> {
    let inside: Vec<(CellStep, &Type)> = match ty {
        Type::Scalar(_) => return vec![Vec::new()],
        Type::Record(id) => {
            let fields = (0..).zip(&model.record(*id).fields);
            fields
                .map(|(number, field)| ((true, number), &field.ty))
                .collect()
        }
        Type::Array { element, length } => (0..*length)
            .map(|number| ((false, number), &**element))
            .collect(),
    };
    let beyond = |(step, ty)| {
        let rest = paths(model, ty).into_iter();
        rest.map(move |path| [vec![step], path].concat())
    };
    inside.into_iter().flat_map(beyond).collect()
}
