//! Places: the classes of the cells that they are, on both sides.

use super::judge::Judge;
use super::moves::Mover;
use super::types::{Held, Ty};
use super::{Checked, Reject, rows};
use crate::proof::Temporary;
use mandala_model::expr::{Place, Projection, Root};
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::state::Value;
use mandala_model::types::Scalar;
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::BTreeSet;

/// A class of cells.
#[derive(Clone, Copy)]
pub(super) struct Cell<'p> {
    pub(super) sort: Sort,
    pub(super) scalar: Scalar,
    /// Values that it is known to have.
    pub(super) values: Option<&'p BTreeSet<Value>>,
}

/// A part of a variable.
#[derive(Clone, Copy)]
pub(super) struct Part<'p> {
    pub(super) shape: &'p Shape<Sort>,
    pub(super) values: Option<&'p Shape<Option<BTreeSet<Value>>>>,
}

impl<'p> Judge<'p> {
    pub(super) fn read(&mut self, place: &'p Place) -> Checked<Ty<'p>> {
        let cell = self.cell(place)?;
        match (&place.root, &self.within) {
            // The variables of a process that is not there are 0.
            (Root::Remote { .. }, _) => {
                let ty = Ty::of(self.mover, cell.sort, Held::Anything);
                self.keeps_zero(&ty, place.span).map(|()| ty)
            }
            (root, Some((each, (low, high)))) if root == each && place.path.is_empty() => {
                Ok(Ty::of(self.mover, cell.sort, Held::Within(*low, *high)))
            }
            _ => Ok(cell.ty(self.mover)),
        }
    }

    /// The class of the cell that a place is.
    pub(super) fn cell(&mut self, place: &'p Place) -> Checked<Cell<'p>> {
        let part = self.part(place, place.path.len())?;
        part.cell()
            .ok_or_else(|| Reject::at(place.span, "it is no cell"))
    }

    /// The part of a variable that a place leads to with some of its projections.
    pub(super) fn part(&mut self, place: &'p Place, length: usize) -> Checked<Part<'p>> {
        let unlike = || Reject::at(place.span, "its image is of another form");
        let mut part = self.variable(place)?.ok_or_else(unlike)?;
        for projection in &place.path[..length] {
            part = match projection {
                Projection::Field(field) => part.field(*field).ok_or_else(unlike)?,
                Projection::Index(index) => {
                    let (element, sort) = part.element().ok_or_else(unlike)?;
                    let (found, wanted) =
                        (self.expr(index)?, Ty::of(self.mover, sort, Held::Anything));
                    self.meet(&wanted, &found, place.span, "is an index")?;
                    element
                }
            };
        }
        Ok(part)
    }

    /// The variable that a place and its image are in; nothing if they are in different ones.
    fn variable(&mut self, place: &'p Place) -> Checked<Option<Part<'p>>> {
        let fits = match &place.root {
            Root::Global(id) => self.becomes(*id, self.images.variable(place, *id)),
            Root::Remote {
                template, process, ..
            } => {
                self.process(*template, process)?;
                true
            }
            _ => true,
        };
        Ok(self.root(&place.root).filter(|_| fits))
    }

    /// Whether a global variable becomes that one.
    fn becomes(&self, a: GlobalId, b: GlobalId) -> bool {
        let proof = self.proof;
        let temporary = self.is_temporary(Temporary::Global(a.0)) || proof.scratch.contains_key(&a);
        let stays = a == b && (temporary || self.early);
        stays || (!temporary && rows::maps(&proof.sorts.rows, self.mover, a, b))
    }

    /// Whether all indices of a place have values, and are inside of their arrays.
    pub(super) fn is_inside(&mut self, place: &'p Place) -> bool {
        let mut part = self.root(&place.root);
        for projection in &place.path {
            let next = match (projection, part.map(|part| part.shape)) {
                (Projection::Field(field), _) => part.and_then(|part| part.field(*field)),
                (Projection::Index(index), Some(Shape::Array { length, .. })) => {
                    let ty = self
                        .is_total(index)
                        .then(|| self.expr(index).ok())
                        .flatten();
                    let range = ty.and_then(|ty| ty.range());
                    let inside = |range: (Value, Value)| range.0 >= 0 && range.1 < (*length).into();
                    let element = part.and_then(Part::element).map(|(element, _)| element);
                    element.filter(|_| range.is_some_and(inside))
                }
                _ => None,
            };
            part = next;
        }
        part.is_some() && !matches!(place.root, Root::Remote { .. })
    }

    /// A variable, whatever becomes of it.
    pub(super) fn root(&self, root: &Root) -> Option<Part<'p>> {
        let (proof, notes) = (self.proof, self.notes);
        let temporary = |shape| Part {
            shape,
            values: None,
        };
        match root {
            Root::Remote {
                template, local, ..
            } => self.local(*template, local.index()),
            Root::Local(id) => match notes.locals.get(&id.0) {
                Some(shape) => Some(temporary(shape)),
                None => self.local(self.template?, id.index()),
            },
            Root::Global(id) => {
                let scratch = notes.globals.get(id).or_else(|| proof.scratch.get(id));
                let state = || {
                    let shape = proof.sorts.classes.globals.get(id.index())?;
                    let values = proof.values.globals.get(id.index());
                    Some(Part { shape, values })
                };
                scratch.map(temporary).or_else(state)
            }
            Root::Reference(number) => notes.references.get(*number as usize).map(temporary),
            Root::OwnPriority => None,
        }
    }

    fn local(&self, template: TemplateId, local: usize) -> Option<Part<'p>> {
        let proof = self.proof;
        let shape = proof
            .sorts
            .classes
            .locals
            .get(template.index())?
            .get(local)?;
        let values = proof.values.locals.get(template.index())?.get(local);
        Some(Part { shape, values })
    }

    /// Whether a variable is no part of the state, and has a type of its own in the body.
    pub(super) fn is_temporary(&self, variable: Temporary) -> bool {
        match variable {
            Temporary::Local(id) => self.notes.locals.contains_key(&id),
            Temporary::Global(id) => self.notes.globals.contains_key(&GlobalId(id)),
        }
    }
}

impl<'p> Part<'p> {
    pub(super) fn cell(self) -> Option<Cell<'p>> {
        let values = match self.values {
            Some(Shape::Cell(values, _)) => values.as_ref(),
            _ => None,
        };
        match *self.shape {
            Shape::Cell(sort, scalar) => Some(Cell {
                sort,
                scalar,
                values,
            }),
            _ => None,
        }
    }

    pub(super) fn field(self, field: u32) -> Option<Part<'p>> {
        let shape = self.shape.part(Some(field))?.0;
        let values = self.values.and_then(|values| values.part(Some(field)));
        let values = values.map(|(values, _)| values);
        Some(Part { shape, values })
    }

    /// An element of an array, and the sort of its index.
    pub(super) fn element(self) -> Option<(Part<'p>, Sort)> {
        let (shape, index) = self.shape.part(None)?;
        let values = self.values.and_then(|values| values.part(None));
        let values = values.map(|(values, _)| values);
        Some((Part { shape, values }, *index?))
    }

    /// The cells in order: those of all elements of arrays, or of one element for all.
    pub(super) fn cells(self, of_all: bool) -> Vec<Cell<'p>> {
        match self.shape {
            Shape::Cell(..) => self.cell().into_iter().collect(),
            Shape::Record(fields) => {
                let fields = (0..fields.len() as u32).filter_map(|field| self.field(field));
                fields.flat_map(|field| field.cells(of_all)).collect()
            }
            Shape::Array { length, .. } => {
                let cells = self.element().map(|(element, _)| element.cells(of_all));
                let times = if of_all { *length as usize } else { 1 };
                cells.unwrap_or_default().repeat(times)
            }
        }
    }
}

impl<'p> Cell<'p> {
    pub(super) fn ty(&self, mover: &Mover) -> Ty<'p> {
        let range = || Held::within(bounds(self.scalar));
        Ty::of(
            mover,
            self.sort,
            self.values.map_or_else(range, Held::Among),
        )
    }
}

/// The least and the greatest value of a cell; nothing if every number fits.
pub(super) fn bounds(scalar: Scalar) -> Option<(Value, Value)> {
    let half = |bits: u8| 1 << (bits - 1);
    match scalar {
        Scalar::Int {
            bits,
            signed: false,
        } => Some((0, (1 << bits) - 1)),
        Scalar::Int { bits, signed: true } => Some((-half(bits), half(bits) - 1)),
        Scalar::Bool => Some((0, 1)),
        Scalar::Range { .. } | Scalar::Coded { .. } => scalar.limits(),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some((0, 255)),
        Scalar::Id(_) => None,
    }
}
