//! Places: variables, aliases and their parts.

use super::build::{plus, read};
use super::pools::Origin;
use super::shapes::{Step, before_first};
use super::value::Value;
use super::{Lowering, Meaning};
use crate::typed::{
    self, AliasTarget, ProjectionKind, Root as TypedRoot, TypeId, TypeKind, VariableId,
};
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::LocalId;
use mandala_model::source::Span;

/// A part of a variable, perhaps of many cells.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    root: Root,
    path: Vec<Projection>,
    /// The chosen element of a multiset that it is a part of.
    slot: Option<VariableId>,
    /// The type of what is there.
    pub(super) ty: TypeId,
    pub(super) span: Span,
}

impl Spot {
    pub(super) fn new(root: Root, ty: TypeId, span: Span) -> Spot {
        Spot {
            root,
            path: Vec::new(),
            slot: None,
            ty,
            span,
        }
    }

    /// What is at a place.
    pub(super) fn of_place(place: Place, ty: TypeId, span: Span) -> Spot {
        Spot {
            root: place.root,
            path: place.path,
            slot: None,
            ty,
            span,
        }
    }

    /// The same as a part of a chosen element.
    pub(super) fn at_slot(mut self, slot: VariableId) -> Spot {
        self.slot = Some(slot);
        self
    }

    /// The chosen element of a multiset that it is a part of.
    pub(super) fn slot(&self) -> Option<VariableId> {
        self.slot
    }

    /// The variable of the state that it is a part of, and the fields on the way.
    pub(super) fn origin(&self) -> Option<Origin> {
        let Root::Global(global) = self.root else {
            return None;
        };
        let fields = self.path.iter().filter_map(|step| match step {
            Projection::Field(field) => Some(*field),
            Projection::Index(_) => None,
        });
        Some((global, fields.collect()))
    }

    /// The positions in arrays on the way.
    pub(super) fn positions(&self) -> Vec<&Expr> {
        let positions = self.path.iter().filter_map(|step| match step {
            Projection::Index(position) => Some(position),
            Projection::Field(_) => None,
        });
        positions.collect()
    }

    /// As a place of one cell.
    pub(super) fn place(&self) -> Place {
        Place {
            root: self.root.clone(),
            path: self.path.clone(),
            span: self.span,
        }
    }

    /// True if an index of this one reads the variable that the other is a part of.
    pub(super) fn is_indexed_by(&self, other: &Spot) -> bool {
        let mut found = false;
        self.place().walk(&mut |expr| {
            if let ExprKind::Read(place) = &expr.kind {
                found |= place.root == other.root;
            }
        });
        found
    }

    /// The temporary that it is a part of.
    pub(super) fn local(&self) -> Option<LocalId> {
        match self.root {
            Root::Local(local) => Some(local),
            _ => None,
        }
    }

    fn into(mut self, projection: Projection, ty: TypeId, span: Span) -> Spot {
        self.path.push(projection);
        self.ty = ty;
        self.span = span;
        self
    }

    /// A cell inside.
    fn cell(&self, steps: &[Step]) -> Place {
        let mut place = self.place();
        place.path.extend(steps.iter().map(|step| match step {
            Step::Field(number) => Projection::Field(*number),
            Step::Element(position) => {
                Projection::Index(Expr::constant(i64::from(*position), self.span))
            }
        }));
        place
    }
}

/// Whether the indices of a place are evaluated where it is used, or once and for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Indices {
    Live,
    Saved,
}

impl Lowering<'_> {
    /// The cells of a spot, in order, with their types.
    pub(super) fn cells(&self, spot: &Spot) -> Vec<(Place, TypeId)> {
        let cells = self.shapes.cell_list(&self.program.types, spot.ty);
        cells
            .iter()
            .map(|cell| (spot.cell(&cell.path), cell.ty))
            .collect()
    }

    /// What a place stands for: a spot, or a value if it is a parameter or an alias of one.
    pub(super) fn place(&mut self, place: &typed::Place, indices: Indices) -> Fallible<Meaning> {
        let root = match place.root {
            TypedRoot::Variable(id) => self.variables.get(&id),
            TypedRoot::Alias(id) => self.aliases.get(&id),
        };
        let Some(root) = root.cloned() else {
            return Err(error(place.span, "this name has no meaning here"));
        };
        let mut spot = match root {
            Meaning::Spot(spot) | Meaning::Value(Value::Whole(spot)) => spot,
            value => return Ok(value),
        };
        let last = self.last_flow_index(place);
        for (number, projection) in place.projections.iter().enumerate() {
            let kept = match indices {
                Indices::Live if last.is_none_or(|last| number >= last) => Indices::Live,
                _ => Indices::Saved,
            };
            spot = self.project(spot, projection, kept)?;
        }
        spot.span = place.span;
        self.check_present(&spot);
        Ok(Meaning::Spot(spot))
    }

    /// The last index that needs code of its own, which could change what earlier indices read.
    fn last_flow_index(&mut self, place: &typed::Place) -> Option<usize> {
        let projections = place.projections.iter().enumerate();
        let mut last = None;
        for (number, projection) in projections {
            if let ProjectionKind::Index(index) = &projection.kind
                && self.needs_flow(self.checked_by_bounds(index))
            {
                last = Some(number);
            }
        }
        last
    }

    /// True if an index needs code of its own, or it has to be checked that a chosen element is still there.
    pub(super) fn place_needs_flow(&mut self, place: &typed::Place) -> bool {
        self.last_flow_index(place).is_some() || self.is_checked_element(place)
    }

    /// The type of the variable or alias that a place begins at.
    pub(super) fn root_type(&self, place: &typed::Place) -> TypeId {
        match place.root {
            TypedRoot::Variable(id) => self.program.variable(id).ty,
            TypedRoot::Alias(id) => self.program.alias(id).ty,
        }
    }

    /// A place that must be a variable or a part of one.
    pub(super) fn spot(&mut self, place: &typed::Place, indices: Indices) -> Fallible<Spot> {
        match self.place(place, indices)? {
            Meaning::Spot(spot) => Ok(spot),
            Meaning::Value(_) => Err(error(place.span, "this is a value and cannot be changed")),
        }
    }

    fn project(
        &mut self,
        spot: Spot,
        projection: &typed::Projection,
        indices: Indices,
    ) -> Fallible<Spot> {
        let span = spot.span.to(projection.span);
        match &projection.kind {
            ProjectionKind::Field(number) => {
                let field = Projection::Field(*number as u32);
                Ok(spot.into(field, projection.ty, span))
            }
            ProjectionKind::Index(index) => {
                let index_type = match self.kind(spot.ty) {
                    TypeKind::Array { index, .. } => *index,
                    _ => index.ty,
                };
                let position = self.position(index, index_type, indices)?;
                Ok(spot.into(Projection::Index(position), projection.ty, span))
            }
            ProjectionKind::Slot(slot) => self.element(&spot, *slot, span),
        }
    }

    /// Where in an array the element of an index is, from 0 on.
    fn position(
        &mut self,
        index: &typed::Expr,
        index_type: TypeId,
        indices: Indices,
    ) -> Fallible<Expr> {
        let value = self.value(self.checked_by_bounds(index))?;
        let before = before_first(&self.program.types, &self.shapes.numbering, index_type);
        let before = -i64::try_from(before).unwrap_or(i64::MAX);
        if indices == Indices::Saved && !self.is_fixed(&value) {
            let raw = self.raw(value, index_type)?;
            let saved = self.temporary(index_type, "index", index.span)?;
            self.store(saved.place(), raw);
            return Ok(plus(read(saved.place()), before));
        }
        match value {
            Value::Number(number) => {
                let lo = match self.kind(index_type) {
                    TypeKind::Range { lo, .. } => *lo,
                    _ => 0,
                };
                number.plus(-lo).at(index.span).expr()
            }
            Value::Truth(condition) => Ok(condition),
            Value::Flag(raw) | Value::Member(raw) => Ok(plus(raw, before)),
            Value::Whole(_) => Err(error(index.span, "an index has a simple type")),
        }
    }

    /// Gives an alias its meaning from here on: indices and values are evaluated now.
    pub(super) fn alias(&mut self, id: typed::AliasId) -> Fallible<()> {
        let alias = self.program.alias(id);
        let meaning = match &alias.target {
            AliasTarget::Place(place) => self.place(place, Indices::Saved)?,
            AliasTarget::Value(value) => {
                let kept = self.value(value)?;
                Meaning::Value(self.keep(kept, value.ty)?)
            }
        };
        self.aliases.insert(id, meaning);
        Ok(())
    }

    pub(super) fn global_spot(root: Root, ty: TypeId, span: Span) -> Meaning {
        Meaning::Spot(Spot::new(root, ty, span))
    }
}
