//! Places: the classes of the cells that they are, on both sides.

use super::judge::Judge;
use super::moves::Mover;
use super::types::Ty;
use super::{Checked, Reject};
use crate::proof::Temporary;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::state::Value;
use mandala_model::types::Scalar;
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::BTreeSet;

/// Values that a class of cells is known to have.
type Known<'p> = Option<&'p BTreeSet<Value>>;

/// A class of cells.
#[derive(Clone, Copy)]
pub(super) struct Cell<'p> {
    pub(super) sort: Sort,
    pub(super) scalar: Scalar,
    pub(super) values: Known<'p>,
}

/// A part of a variable.
#[derive(Clone, Copy)]
pub(super) struct Part<'p> {
    pub(super) shape: &'p Shape<Sort>,
    pub(super) values: Option<&'p Shape<Option<BTreeSet<Value>>>>,
}

impl<'p> Judge<'p> {
    pub(super) fn read(&mut self, a: &Place, b: &Place) -> Checked<Ty<'p>> {
        let cell = self.cell(a, b)?;
        let ty = Ty::of(self.mover, cell.sort, cell.values);
        // The variables of a process that is not there are 0.
        if let Root::Remote { .. } = a.root {
            let ty = Ty::of(self.mover, cell.sort, None);
            self.keeps_zero(&ty, a.span)?;
            return Ok(ty);
        }
        Ok(ty)
    }

    /// The class of the cell that a place is.
    pub(super) fn cell(&mut self, a: &Place, b: &Place) -> Checked<Cell<'p>> {
        let part = self.part(a, b)?;
        part.cell()
            .ok_or_else(|| Reject::always(a.span, "it is no cell"))
    }

    /// The part of a variable that a place is.
    pub(super) fn part(&mut self, a: &Place, b: &Place) -> Checked<Part<'p>> {
        let unlike = || Reject::always(a.span, "its image is of another form");
        let mut part = self.variable(a, b)?.ok_or_else(unlike)?;
        if a.path.len() != b.path.len() {
            return Err(unlike());
        }
        for pair in a.path.iter().zip(&b.path) {
            match pair {
                (Projection::Field(a), Projection::Field(b)) if a == b => {
                    part = part.field(*a).ok_or_else(unlike)?
                }
                (Projection::Index(a), Projection::Index(b)) => {
                    let (element, index) = part.element().ok_or_else(unlike)?;
                    let found = self.expr(a, b)?;
                    self.meet(
                        &Ty::of(self.mover, index, None),
                        &found,
                        a.span,
                        "is an index",
                    )?;
                    part = element;
                }
                _ => return Err(unlike()),
            }
        }
        Ok(part)
    }

    /// The variable that two places are in; nothing if they are in different ones.
    fn variable(&mut self, a: &Place, b: &Place) -> Checked<Option<Part<'p>>> {
        let (proof, notes) = (self.proof, self.notes);
        let temporary = |shape: &'p Shape<Sort>| Part {
            shape,
            values: None,
        };
        Ok(match (&a.root, &b.root) {
            (Root::Local(a), Root::Local(b)) if a == b => {
                match (notes.locals.get(&a.0), self.template) {
                    (Some(shape), _) => Some(temporary(shape)),
                    (None, Some(template)) => self.local(template, a.index()),
                    (None, None) => None,
                }
            }
            (Root::Reference(a), Root::Reference(b)) if a == b => {
                notes.references.get(*a as usize).map(temporary)
            }
            (Root::Global(a), Root::Global(b)) => self.global(*a, *b),
            (
                Root::Remote {
                    template,
                    process: a,
                    local,
                },
                Root::Remote {
                    template: t,
                    process: b,
                    local: l,
                },
            ) if (template, local) == (t, l) => {
                self.process(*template, a, b)?;
                let _ = proof;
                self.local(*template, local.index())
            }
            _ => None,
        })
    }

    fn local(&self, template: TemplateId, local: usize) -> Option<Part<'p>> {
        let shape = self
            .proof
            .sorts
            .classes
            .locals
            .get(template.index())?
            .get(local)?;
        let values = self
            .proof
            .values
            .locals
            .get(template.index())
            .and_then(|l| l.get(local));
        Some(Part { shape, values })
    }

    /// A global variable and the one that it becomes.
    fn global(&self, a: GlobalId, b: GlobalId) -> Option<Part<'p>> {
        let proof = self.proof;
        let temporary = self.notes.globals.get(&a).or_else(|| proof.scratch.get(&a));
        if let Some(shape) = temporary {
            return (a == b).then_some(Part {
                shape,
                values: None,
            });
        }
        let maps = super::rows::maps(&proof.sorts.rows, self.mover, a, b) || (self.early && a == b);
        let shape = proof.sorts.classes.globals.get(a.index())?;
        let values = proof.values.globals.get(a.index());
        maps.then_some(Part { shape, values })
    }

    /// Whether all indices of a place are known to be inside of their arrays.
    pub(super) fn is_inside(&mut self, place: &Place) -> bool {
        let Some(mut part) = self.root(&place.root) else {
            return false;
        };
        for projection in &place.path {
            let next = match (projection, part.shape) {
                (Projection::Field(field), _) => part.field(*field),
                (Projection::Index(index), Shape::Array { length, .. }) => {
                    let range = 0..Value::from(*length);
                    let inside = match self.expr(index, index) {
                        Ok(Ty::Cases(cases)) => {
                            !cases.others
                                && cases
                                    .pairs
                                    .iter()
                                    .all(|(a, b)| range.contains(a) && range.contains(b))
                        }
                        _ => false,
                    };
                    part.element()
                        .filter(|_| inside)
                        .map(|(element, _)| element)
                }
                _ => None,
            };
            match next {
                Some(next) => part = next,
                None => return false,
            }
        }
        !matches!(place.root, Root::Remote { .. })
    }

    /// The least and the greatest value that an expression of names can have.
    pub(super) fn hull(&self, expr: &Expr) -> Option<(Value, Value)> {
        match &expr.kind {
            ExprKind::Const(value) => Some((*value, *value)),
            ExprKind::Read(place) => {
                let cell = self.known(place)?;
                let ends = cell
                    .values
                    .and_then(|values| values.first().copied().zip(values.last().copied()));
                ends.or_else(|| bounds(cell.scalar))
            }
            ExprKind::Unary(UnaryOp::Defined, operand) => self.hull(operand),
            ExprKind::SelfId => Some((0, 255)),
            ExprKind::FirstInstance(_) => Some((-1, 255)),
            ExprKind::Conditional(_, yes, no) => {
                let ((a, b), (c, d)) = (self.hull(yes)?, self.hull(no)?);
                Some((a.min(c), b.max(d)))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let ((a, b), (c, d)) = (self.hull(left)?, self.hull(right)?);
                let (low, high) = match op {
                    BinaryOp::Add => (a + c, b + d),
                    _ => (a - d, b - c),
                };
                let (least, most) = (i32::MIN.into(), i32::MAX.into());
                Some(if low < least || high > most {
                    (least, most)
                } else {
                    (low, high)
                })
            }
            _ => None,
        }
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
            Root::Local(id) => match (notes.locals.get(&id.0), self.template) {
                (Some(shape), _) => Some(temporary(shape)),
                (None, template) => self.local(template?, id.index()),
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

    /// The class of the cell that a place is, whatever becomes of it.
    fn known(&self, place: &Place) -> Option<Cell<'p>> {
        let mut part = self.root(&place.root)?;
        for projection in &place.path {
            part = match projection {
                Projection::Field(field) => part.field(*field)?,
                Projection::Index(_) => part.element()?.0,
            };
        }
        part.cell()
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
        match self.shape {
            Shape::Cell(sort, scalar) => Some(Cell {
                sort: *sort,
                scalar: *scalar,
                values,
            }),
            _ => None,
        }
    }

    pub(super) fn field(self, field: u32) -> Option<Part<'p>> {
        let shape = self.shape.part(Some(field))?.0;
        let values = self
            .values
            .and_then(|values| Some(values.part(Some(field))?.0));
        Some(Part { shape, values })
    }

    /// An element of an array, and the sort of its index.
    pub(super) fn element(self) -> Option<(Part<'p>, Sort)> {
        let (shape, index) = self.shape.part(None)?;
        let values = self.values.and_then(|values| Some(values.part(None)?.0));
        Some((Part { shape, values }, *index?))
    }
}

impl<'p> Cell<'p> {
    pub(super) fn ty(&self, mover: &Mover) -> Ty<'p> {
        Ty::of(mover, self.sort, self.values)
    }
}

/// The least and the greatest value of a cell; nothing if every number fits.
pub(super) fn bounds(scalar: Scalar) -> Option<(Value, Value)> {
    match scalar {
        Scalar::Int {
            bits,
            signed: false,
        } => Some((0, (1 << bits) - 1)),
        Scalar::Int { bits, signed: true } => {
            let half = 1 << (bits - 1);
            Some((-half, half - 1))
        }
        Scalar::Bool => Some((0, 1)),
        Scalar::Range { .. } | Scalar::Coded { .. } => scalar.limits(),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some((0, 255)),
        Scalar::Id(_) => None,
    }
}
