//! Types as cells.
//!
//! Every simple type is one cell: 0 means undefined, and the values of the type follow in their order, from 1
//! on. So undefined needs no flag of its own, equal states are equal cells, and records are copied and
//! compared cell by cell without a look at what is in them. An array has one element for each
//! value of its index type, and one more that is never used if that is a scalarset.

use crate::diagnostics::{Fallible, error, error_help};
use crate::limits;
use crate::typed::{Field, Number, TypeId, TypeKind, Types};
use mandala_model::ids::{CodingId, RecordId};
use mandala_model::source::Span;
use mandala_model::types::{
    Coding, CodingKind, Initial, RecordType, Scalar, Storage, Type, Variable,
};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The most values of a range: their raw values fit into 63 bits.
const LARGEST_RANGE: Number = i64::MAX as Number;

/// One step from a variable to one of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(u32),
    Element(u32),
}

/// A cell of a variable: the way to it and the type of what it holds.
pub(super) struct Cell {
    pub(super) path: Vec<Step>,
    pub(super) ty: TypeId,
}

/// The types of the model, as far as they are needed.
#[derive(Debug)]
pub(super) struct Shapes {
    sizes: Vec<u64>,
    known: HashMap<TypeId, Type>,
    pub(super) codings: Vec<Coding>,
    pub(super) records: Vec<RecordType>,
}

impl Shapes {
    pub(super) fn new(types: &Types) -> Shapes {
        Shapes {
            sizes: sizes(types),
            known: HashMap::new(),
            codings: Vec::new(),
            records: Vec::new(),
        }
    }

    /// How many cells a variable of the type has.
    pub(super) fn size(&self, id: TypeId) -> u64 {
        self.sizes[id.index()]
    }

    /// What a variable of the type looks like.
    pub(super) fn of(&mut self, types: &Types, id: TypeId, span: Span) -> Fallible<Type> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let cells = self.size(id);
        if cells > limits::CELLS {
            let message = format!(
                "a variable of this type has {cells} parts, but {} is the limit",
                limits::CELLS
            );
            return Err(error(span, message));
        }
        let made = self.make(types, id, span)?;
        self.known.insert(id, made.clone());
        Ok(made)
    }

    fn make(&mut self, types: &Types, id: TypeId, span: Span) -> Fallible<Type> {
        match types.kind(id) {
            TypeKind::Record(fields) => self.record(types, id, fields, span),
            TypeKind::Array { index, element } => {
                let length = positions(types, *index).end.max(1) as u32;
                let element = Box::new(self.of(types, *element, span)?);
                Ok(Type::Array { element, length })
            }
            _ => self.simple(types, id, span),
        }
    }

    fn record(
        &mut self,
        types: &Types,
        id: TypeId,
        fields: &[Field],
        span: Span,
    ) -> Fallible<Type> {
        let mut made = Vec::new();
        for field in fields {
            let ty = self.of(types, field.ty, span)?;
            made.push(variable(&field.name, ty, span));
        }
        if made.is_empty() {
            // A record has a field; what nobody can name is never changed.
            let ty = Type::Scalar(Scalar::Range { min: 0, max: 0 });
            made.push(variable("nothing", ty, span));
        }
        let record = RecordId::from(self.records.len());
        self.records.push(RecordType {
            name: name(types, id).map_or_else(|| "record".to_string(), |name| name.to_string()),
            fields: made,
            span,
        });
        Ok(Type::Record(record))
    }

    fn simple(&mut self, types: &Types, id: TypeId, span: Span) -> Fallible<Type> {
        let values = types.values(id).unwrap_or(Number::MAX);
        if values > LARGEST_RANGE {
            let message = format!("the type `{}` has too many values", types.structure(id));
            let help = "there is room for 63 bits";
            return Err(error_help(span, message, help));
        }
        let scalar = match u32::try_from(values) {
            Ok(max) => Scalar::Coded {
                coding: self.coding(types, id),
                max,
            },
            Err(_) => Scalar::Range {
                min: 0,
                max: values as i64,
            },
        };
        Ok(Type::Scalar(scalar))
    }

    fn coding(&mut self, types: &Types, id: TypeId) -> CodingId {
        let kind = match types.kind(id) {
            TypeKind::Enum(members) => {
                CodingKind::Names(members.iter().map(ToString::to_string).collect())
            }
            TypeKind::Scalarset(_) => CodingKind::Members,
            TypeKind::Range { lo, .. } => CodingKind::Numbers { first: *lo as i64 },
            _ => CodingKind::Names(vec!["false".into(), "true".into()]),
        };
        let name = match types.kind(id) {
            TypeKind::Range { .. } | TypeKind::Boolean => types.structure(id),
            TypeKind::Scalarset(set) => set_name(types, *set),
            _ => name(types, id).map_or_else(|| "enum".to_string(), |name| name.to_string()),
        };
        self.codings.push(Coding { name, kind });
        CodingId::from(self.codings.len() - 1)
    }
}

fn variable(name: &str, ty: Type, span: Span) -> Variable {
    Variable {
        name: name.to_string(),
        ty,
        initial: Initial::Default,
        storage: Storage::State,
        span,
    }
}

/// The name that was declared for a type.
fn name(types: &Types, id: TypeId) -> Option<&Arc<str>> {
    types.get(id).name.as_ref()
}

/// What the members of a scalarset are called, with their numbers behind.
pub(super) fn set_name(types: &Types, set: crate::typed::ScalarsetId) -> String {
    match &types.scalarset(set).name {
        Some(name) => name.to_string(),
        None => format!("scalarset{}", set.0 + 1),
    }
}

/// Where the elements of an array are. Those of a scalarset are at the raw values of its members, so that a member is the same number
/// wherever it occurs, as the proof of symmetry wants it; nothing is at 0.
fn positions(types: &Types, index: TypeId) -> Range<Number> {
    let first = first_position(types, index);
    first..types.values(index).unwrap_or(0).saturating_add(first)
}

/// The first of those places.
pub(super) fn first_position(types: &Types, index: TypeId) -> Number {
    Number::from(matches!(types.kind(index), TypeKind::Scalarset(_)))
}

/// How many cells a variable of each type has. The parts of a type come before it in the table.
fn sizes(types: &Types) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    for (_, ty) in types.all() {
        let of = |id: TypeId| sizes.get(id.index()).copied().unwrap_or(1);
        let size = match &ty.kind {
            TypeKind::Record(fields) => {
                let parts = fields.iter().map(|field| of(field.ty));
                parts.fold(0, u64::saturating_add).max(1)
            }
            TypeKind::Array { index, element } => {
                let length = positions(types, *index).end.max(1);
                let length = u64::try_from(length).unwrap_or(u64::MAX);
                of(*element).saturating_mul(length)
            }
            _ => 1,
        };
        sizes.push(size);
    }
    sizes
}

/// The cells of a variable of the type, in order; not those that only fill an empty record.
pub(super) fn cell_list(types: &Types, id: TypeId) -> Vec<Cell> {
    let mut list = Vec::new();
    push_cells(types, id, &mut Vec::new(), &mut list);
    list
}

fn push_cells(types: &Types, id: TypeId, path: &mut Vec<Step>, list: &mut Vec<Cell>) {
    match types.kind(id) {
        TypeKind::Record(fields) => {
            for (number, field) in fields.iter().enumerate() {
                path.push(Step::Field(number as u32));
                push_cells(types, field.ty, path, list);
                path.pop();
            }
        }
        TypeKind::Array { index, element } => {
            for position in positions(types, *index) {
                path.push(Step::Element(position as u32));
                push_cells(types, *element, path, list);
                path.pop();
            }
        }
        _ => list.push(Cell {
            path: path.clone(),
            ty: id,
        }),
    }
}
