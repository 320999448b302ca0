//! Types as cells.
//!
//! Every simple type is one cell: 0 means undefined, and the values of the type follow in their order, from 1
//! on or, for some members of unions, further up ([`numbering`](super::numbering)). So undefined needs no flag of its own, equal states are equal cells, and records are copied and
//! compared cell by cell without a look at what is in them. An array has one element for each
//! value of its index type, and some more that are never used if that is a scalarset or union.

use super::numbering::{Numbering, Part};
use super::pools::Pool;
use crate::limits;
use crate::typed::{Field, Number, TypeId, TypeKind, Types};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::{CodingId, RecordId};
use mandala_model::source::Span;
use mandala_model::types::{
    ArrayIndex, Coding, CodingKind, CodingPart, Initial, RecordType, Scalar, Storage, Type,
    Variable,
};
use std::collections::HashMap;
use std::sync::Arc;

/// The most values of a range: their raw values fit into 63 bits.
const LARGEST_RANGE: Number = i64::MAX as Number;

/// A cell that never changes.
const NOTHING: Scalar = Scalar::Range { min: 0, max: 0 };

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
    pub(super) numbering: Numbering,
    sizes: Vec<u64>,
    known: HashMap<TypeId, Type>,
    pub(super) codings: Vec<Coding>,
    pub(super) records: Vec<RecordType>,
}

impl Shapes {
    pub(super) fn new(types: &Types) -> Shapes {
        let numbering = Numbering::new(types);
        Shapes {
            sizes: sizes(types, &numbering),
            numbering,
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
            // The elements are elsewhere.
            TypeKind::Multiset { .. } => Ok(Type::Scalar(NOTHING)),
            TypeKind::Array { index, element } => {
                let length = length(types, &self.numbering, *index) as u32;
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
            let indices = self.indices(types, field.ty, span)?;
            made.push(variable(&field.name, ty, indices, span));
        }
        if made.is_empty() {
            // A record has a field; what nobody can name is never changed.
            made.push(variable("nothing", Type::Scalar(NOTHING), Vec::new(), span));
        }
        let record = RecordId::from(self.records.len());
        self.records.push(RecordType {
            name: name(types, id).map_or_else(|| "record".to_string(), |name| name.to_string()),
            fields: made,
            span,
        });
        Ok(Type::Record(record))
    }

    /// A position of a pool: its owners, then an element.
    pub(super) fn position(&mut self, types: &Types, pool: &Pool) -> Fallible<Type> {
        let span = pool.span;
        let mut fields = Vec::new();
        for (number, index) in pool.owners.iter().enumerate() {
            let ty = self.of(types, *index, span)?;
            let name = match pool.owners.len() {
                1 => "owner".to_string(),
                _ => format!("owner{}", number + 1),
            };
            fields.push(variable(&name, ty, Vec::new(), span));
        }
        if fields.is_empty() {
            let ty = Type::Scalar(Scalar::Range { min: 0, max: 1 });
            fields.push(variable("used", ty, Vec::new(), span));
        }
        let element = self.of(types, pool.element, span)?;
        let indices = self.indices(types, pool.element, span)?;
        fields.push(variable("element", element, indices, span));
        let record = RecordId::from(self.records.len());
        let name = format!("{}_element", pool.name);
        self.records.push(RecordType { name, fields, span });
        Ok(Type::Record(record))
    }

    fn simple(&mut self, types: &Types, id: TypeId, span: Span) -> Fallible<Type> {
        let known = types.values(id).is_some();
        let last = self.numbering.last(types, id);
        if !known || last > LARGEST_RANGE {
            let message = format!("the type `{}` has too many values", types.structure(id));
            let help = "there is room for 63 bits";
            return Err(error_help(span, message, help));
        }
        Ok(Type::Scalar(Scalar::Coded {
            coding: self.coding(types, id),
            max: last as i64,
        }))
    }

    /// What stands for the indices of the arrays that a variable of the type begins with.
    pub(super) fn indices(
        &mut self,
        types: &Types,
        mut id: TypeId,
        span: Span,
    ) -> Fallible<Vec<ArrayIndex>> {
        let mut indices = Vec::new();
        while let TypeKind::Array { index, element } = types.kind(id) {
            let before = before_first(types, &self.numbering, *index) as u32;
            if let Type::Scalar(Scalar::Coded { coding, .. }) = self.of(types, *index, span)? {
                indices.push(ArrayIndex { coding, before });
            }
            id = *element;
        }
        Ok(indices)
    }

    fn coding(&mut self, types: &Types, id: TypeId) -> CodingId {
        let parts = self.numbering.parts(types, id);
        let coding = match &parts[..] {
            [part] if part.first == 1 => shown_as(types, part.ty),
            parts => Coding {
                name: type_name(types, id),
                kind: CodingKind::Parts(parts.iter().map(|part| shown_part(types, part)).collect()),
            },
        };
        self.codings.push(coding);
        CodingId::from(self.codings.len() - 1)
    }

    /// The cells of a variable of the type, in order; not those that only fill an empty record.
    pub(super) fn cell_list(&self, types: &Types, id: TypeId) -> Vec<Cell> {
        let mut list = Vec::new();
        self.push_cells(types, id, &mut Vec::new(), &mut list);
        list
    }

    fn push_cells(&self, types: &Types, id: TypeId, path: &mut Vec<Step>, list: &mut Vec<Cell>) {
        match types.kind(id) {
            TypeKind::Record(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    path.push(Step::Field(number as u32));
                    self.push_cells(types, field.ty, path, list);
                    path.pop();
                }
            }
            TypeKind::Array { index, element } => {
                let before = before_first(types, &self.numbering, *index);
                for part in self.numbering.parts(types, *index) {
                    for raw in part.first..=part.last() {
                        path.push(Step::Element((raw - before) as u32));
                        self.push_cells(types, *element, path, list);
                        path.pop();
                    }
                }
            }
            TypeKind::Multiset { .. } => {}
            _ => list.push(Cell {
                path: path.clone(),
                ty: id,
            }),
        }
    }
}

/// How the values of a type that is no union are shown.
fn shown_as(types: &Types, id: TypeId) -> Coding {
    let kind = match types.kind(id) {
        TypeKind::Enum(members) => {
            CodingKind::Names(members.iter().map(ToString::to_string).collect())
        }
        TypeKind::Scalarset(_) => CodingKind::Members,
        TypeKind::Range { lo, .. } => CodingKind::Numbers { first: *lo as i64 },
        _ => CodingKind::Names(vec!["false".into(), "true".into()]),
    };
    let name = type_name(types, id);
    Coding { name, kind }
}

fn shown_part(types: &Types, part: &Part) -> CodingPart {
    CodingPart {
        first: part.first as u32,
        coding: shown_as(types, part.ty),
    }
}

/// What a simple type is called.
fn type_name(types: &Types, id: TypeId) -> String {
    let otherwise = match types.kind(id) {
        TypeKind::Range { .. } | TypeKind::Boolean => return types.structure(id),
        TypeKind::Scalarset(set) => return set_name(types, *set),
        TypeKind::Union(_) => "union",
        _ => "enum",
    };
    name(types, id).map_or_else(|| otherwise.to_string(), |name| name.to_string())
}

fn variable(name: &str, ty: Type, indices: Vec<ArrayIndex>, span: Span) -> Variable {
    Variable {
        name: name.to_string(),
        ty,
        indices,
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

/// What is taken from the raw value of an index to get the position of its element. Members of scalarsets and unions are their own
/// positions, so that a member is the same number wherever it occurs, as the proof of symmetry wants it.
pub(super) fn before_first(types: &Types, numbering: &Numbering, index: TypeId) -> Number {
    match types.kind(index) {
        TypeKind::Scalarset(_) | TypeKind::Union(_) => 0,
        _ => numbering.base(index) + 1,
    }
}

/// How many elements an array has.
fn length(types: &Types, numbering: &Numbering, index: TypeId) -> Number {
    let last = numbering.last(types, index);
    (last + 1 - before_first(types, numbering, index)).max(1)
}

/// How many cells a variable of each type has. The parts of a type come before it in the table.
fn sizes(types: &Types, numbering: &Numbering) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    for (_, ty) in types.all() {
        let of = |id: TypeId| sizes.get(id.index()).copied().unwrap_or(1);
        let size = match &ty.kind {
            TypeKind::Record(fields) => {
                let parts = fields.iter().map(|field| of(field.ty));
                parts.fold(0, u64::saturating_add).max(1)
            }
            TypeKind::Array { index, element } => {
                let length = length(types, numbering, *index);
                let length = u64::try_from(length).unwrap_or(u64::MAX);
                of(*element).saturating_mul(length)
            }
            _ => 1,
        };
        sizes.push(size);
    }
    sizes
}
