//! Pools: where the elements of multisets are.
//!
//! All multisets that are reached in one way, `net` or `net[n]` for every n, share one pool: an array of positions, from 1 on.
//! A position has *owner* cells, one for each index on the way, and then the cells of an element. It is free if its first
//! owner cell is 0, and then all its cells are 0. Without an index there is one owner cell, which says whether the position is used.
//! There is room for as many elements as fit into all multisets together, so a multiset that is not full always finds
//! a free position.
//!
//! Which element is at which position means nothing: the positions are declared as an unordered set, so that equal
//! multisets are one state.

use super::build::{Chain, compare, constant, plus, read, strict_chain};
use super::places::{Indices, Spot};
use super::quantifiers::Range;
use super::shapes::before_first;
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::{self, AliasTarget, ProjectionKind, Root as TypedRoot, TypeId, TypeKind, Types};
use mandala_model::expr::{BinaryOp as Op, Expr, ExprKind, Place, Projection, Root};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::GlobalId;
use mandala_model::parameters::{Progression, Values};
use mandala_model::source::Span;
use mandala_model::types::Scalar;

/// Pools with more positions are searched by loops; the positions of others are written out.
const WRITTEN_OUT: u64 = 64;

/// A pool.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// The way to its multisets, as the user writes it but without indices.
    pub(super) name: String,
    /// The variable of the state that the pool is.
    pub(super) global: GlobalId,
    /// The variable of the user that the multisets are in, and the fields on the way to them.
    origin: Origin,
    /// The types of the indices on the way.
    pub(super) owners: Vec<TypeId>,
    /// How many elements fit into each multiset.
    pub(super) room: u64,
    /// How many positions there are.
    pub(super) positions: u64,
    pub(super) element: TypeId,
    pub(super) span: Span,
}

/// A variable of the state and the fields that lead into it.
pub(super) type Origin = (GlobalId, Vec<u32>);

impl Pool {
    /// The number of the field that has the element.
    pub(super) fn element_field(&self) -> u32 {
        self.owners.len().max(1) as u32
    }

    pub(super) fn is_written_out(&self) -> bool {
        self.positions <= WRITTEN_OUT
    }

    /// All its positions.
    pub(super) fn range(&self, span: Span) -> Range {
        let positions = self.positions as u32;
        Range {
            name: "position".to_string(),
            scalar: Scalar::Range {
                min: 1,
                max: i64::from(positions),
            },
            values: Values(vec![Progression::range(1, positions)]),
            span,
        }
    }

    fn field(&self, position: &Expr, field: u32) -> Place {
        let index = Projection::Index(position.clone());
        Place {
            root: Root::Global(self.global),
            path: vec![index, Projection::Field(field)],
            span: position.span,
        }
    }

    /// The owner cells of a position.
    pub(super) fn owner_cells(&self, position: &Expr) -> Vec<Place> {
        let fields = 0..self.element_field();
        fields.map(|field| self.field(position, field)).collect()
    }

    /// The element at a position.
    pub(super) fn element_at(&self, position: &Expr, span: Span) -> Spot {
        let place = self.field(position, self.element_field());
        Spot::of_place(place, self.element, span)
    }

    /// Whether a position is free.
    pub(super) fn is_free(&self, position: &Expr) -> Expr {
        let none = constant(0, position.span);
        compare(Op::Equal, read(self.field(position, 0)), none)
    }

    /// Whether the element at a position is in the multiset of those owners. With fewer owners than there are indices: in
    /// one of the multisets. All owners are evaluated, for to be undefined is an error.
    pub(super) fn is_in(&self, position: &Expr, owners: &[Expr]) -> Expr {
        if self.owners.is_empty() {
            let used = constant(1, position.span);
            return compare(Op::Equal, read(self.field(position, 0)), used);
        }
        let cells = self.owner_cells(position).into_iter().zip(owners);
        let equal = cells.map(|(cell, owner)| compare(Op::Equal, read(cell), owner.clone()));
        strict_chain(Chain::All, equal.collect(), position.span)
    }
}

/// A multiset: its pool and the raw values of the indices on the way to it.
#[derive(Clone, Debug)]
pub(super) struct Multiset {
    pub(super) pool: Pool,
    pub(super) owners: Vec<Expr>,
}

impl Multiset {
    pub(super) fn has(&self, position: &Expr) -> Expr {
        self.pool.is_in(position, &self.owners)
    }
}

impl Lowering<'_> {
    /// The pools of the multisets in a variable of the user.
    pub(super) fn pools_in(
        &self,
        name: &str,
        ty: TypeId,
        global: GlobalId,
        span: Span,
    ) -> Vec<Pool> {
        let mut finder = Finder {
            types: &self.program.types,
            owners: Vec::new(),
            fields: Vec::new(),
            name: name.to_string(),
            global,
            span,
            found: Vec::new(),
        };
        finder.find(ty);
        finder.found
    }

    /// Complains about a pool that is too large.
    pub(super) fn check_pool(&self, pool: &Pool) -> Fallible<()> {
        let cells = self.pool_cells(pool);
        if cells <= limits::CELLS {
            return Ok(());
        }
        let message = format!(
            "the multisets in this variable have {cells} parts, but {} is the limit",
            limits::CELLS
        );
        Err(error(pool.span, message))
    }

    /// How many cells a pool has.
    pub(super) fn pool_cells(&self, pool: &Pool) -> u64 {
        let of_element = self.shapes.size(pool.element);
        let of_position = of_element.saturating_add(pool.element_field().into());
        of_position.saturating_mul(pool.positions.saturating_add(1))
    }

    /// The variable of the state in which a place is, and the fields that lead to it.
    fn origin(&self, place: &typed::Place) -> Option<Origin> {
        let (global, mut fields) = match place.root {
            TypedRoot::Variable(id) => match self.variables.get(&id)? {
                Meaning::Spot(spot) => spot.origin()?,
                Meaning::Value(_) => return None,
            },
            TypedRoot::Alias(id) => match &self.program.alias(id).target {
                AliasTarget::Place(target) => self.origin(target)?,
                AliasTarget::Value(_) => return None,
            },
        };
        for projection in &place.projections {
            if let ProjectionKind::Field(number) = projection.kind {
                fields.push(number as u32);
            }
        }
        Some((global, fields))
    }

    /// The pool of the multiset at a place.
    pub(super) fn pool_of(&self, place: &typed::Place) -> Option<&Pool> {
        let origin = self.origin(place)?;
        self.pools.iter().find(|pool| pool.origin == origin)
    }

    /// The multiset at a place.
    pub(super) fn multiset(
        &mut self,
        place: &typed::Place,
        indices: Indices,
    ) -> Fallible<Multiset> {
        let spot = self.spot(place, indices)?;
        let Some(multiset) = self.pools_inside(&spot).into_iter().next() else {
            return Err(error(
                place.span,
                "this multiset is not a part of the state",
            ));
        };
        if !self.has_known_owners(&multiset) {
            let mut label = self.label.clone();
            label.span = place.span;
            self.fail("an index is outside of its type".to_string(), label);
        }
        Ok(multiset)
    }

    /// False if an index is a constant that is no value of its type. All others are checked when the model runs.
    fn has_known_owners(&self, multiset: &Multiset) -> bool {
        let mut owners = multiset.owners.iter().zip(&multiset.pool.owners);
        owners.all(|(owner, ty)| owner.as_constant().is_none_or(|raw| self.has_raw(*ty, raw)))
    }

    /// The multisets inside of a spot, with as many owners as it has indices.
    pub(super) fn pools_inside(&self, spot: &Spot) -> Vec<Multiset> {
        let Some((global, fields)) = spot.origin() else {
            return Vec::new();
        };
        let inside = |pool: &&Pool| pool.origin.0 == global && pool.origin.1.starts_with(&fields);
        let pools = self.pools.iter().filter(inside);
        pools
            .map(|pool| Multiset {
                owners: self.owners(spot, pool),
                pool: pool.clone(),
            })
            .collect()
    }

    /// The raw values of the indices of a spot.
    fn owners(&self, spot: &Spot, pool: &Pool) -> Vec<Expr> {
        let types = &self.program.types;
        let before = |index: &TypeId| before_first(types, &self.shapes.numbering, *index);
        let positions = spot.positions().into_iter().zip(&pool.owners);
        positions
            .map(|(position, index)| raised(position, before(index) as i64))
            .collect()
    }

    /// True if a variable has nothing but elements of multisets in it.
    pub(super) fn is_bare(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Multiset { .. } => true,
            TypeKind::Array { element, .. } => self.is_bare(*element),
            _ => false,
        }
    }
}

/// `value + by`, where `by` may have been taken away before.
fn raised(value: &Expr, by: i64) -> Expr {
    if let ExprKind::Binary(Op::Subtract, inner, taken) = &value.kind
        && by != 0
        && taken.as_constant() == Some(by)
    {
        return (**inner).clone();
    }
    plus(value.clone(), by)
}

struct Finder<'t> {
    types: &'t Types,
    owners: Vec<TypeId>,
    fields: Vec<u32>,
    name: String,
    global: GlobalId,
    span: Span,
    found: Vec<Pool>,
}

impl Finder<'_> {
    fn find(&mut self, ty: TypeId) {
        let types = self.types;
        match types.kind(ty) {
            TypeKind::Multiset { capacity, element } => self.pool(*capacity, *element),
            TypeKind::Array { index, element } => {
                self.owners.push(*index);
                self.find(*element);
                self.owners.pop();
            }
            TypeKind::Record(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    let length = self.name.len();
                    self.name.push_str(&format!(".{}", field.name));
                    self.fields.push(number as u32);
                    self.find(field.ty);
                    self.fields.pop();
                    self.name.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn pool(&mut self, room: u64, element: TypeId) {
        let counts = self.owners.iter().map(|index| self.types.values(*index));
        let counts = counts.map(|count| u64::try_from(count.unwrap_or(1)).unwrap_or(u64::MAX));
        let multisets = counts.fold(1, u64::saturating_mul);
        self.found.push(Pool {
            name: self.name.clone(),
            global: self.global,
            origin: (self.global, self.fields.clone()),
            owners: self.owners.clone(),
            room,
            positions: multisets.saturating_mul(room),
            element,
            span: self.span,
        });
    }
}
