//! Types, each once.
//!
//! Types are equal if they look the same: that is Rumur's rule, and for everything but scalarsets it is
//! harmless. CMurphi lets names decide. Each declaration of a scalarset is a type of its own here, but since
//! Rumur takes scalarsets of the same size for the same type, models may mix them: then they are tied to
//! one [representative](Scalarset::representative). Permuting both alike is sound where permuting each
//! on its own is not.

use super::{Number, ScalarsetId, TypeId};
use mandala_model::source::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A row of the table of types.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// The first name that was declared for it.
    pub name: Option<Arc<str>>,
    /// Equal for types that differ only in which scalarset of a certain size they mention.
    shape: u32,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// Any number: the type of numeric constants, of arithmetic, and of loops without constant bounds.
    Integer,
    /// `boolean`: false, then true.
    Boolean,
    /// `lo .. hi`
    Range {
        /// The smallest number.
        lo: Number,
        /// The largest number, not below the smallest.
        hi: Number,
    },
    /// `enum { ... }` with its members; Rumur allows none.
    Enum(Vec<Arc<str>>),
    /// `scalarset(n)`
    Scalarset(ScalarsetId),
    /// `union { ... }` with its members: enums, booleans and scalarsets, each once.
    Union(Vec<TypeId>),
    /// `record ... end`
    Record(Vec<Field>),
    /// `array [index] of element`
    Array {
        /// A simple type.
        index: TypeId,
        /// The type of the elements.
        element: TypeId,
    },
    /// `multiset [capacity] of element`
    Multiset {
        /// How many elements fit in.
        capacity: u64,
        /// The type of the elements.
        element: TypeId,
    },
    /// A place in a multiset of that type: the type of what `choose` and the like bind. No variable of
    /// the state has it.
    Slot(TypeId),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: TypeId,
}

/// A scalarset.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalarset {
    /// The name of the type, if it has one.
    pub name: Option<Arc<str>>,
    /// How many values it has.
    pub size: u64,
    /// The smallest of those whose values are mixed with this one's; itself if there are none.
    pub representative: ScalarsetId,
    /// Where it is declared.
    pub span: Span,
}

/// All types of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Types {
    list: Vec<Type>,
    known: HashMap<TypeKind, TypeId>,
    /// The number of each shape: a kind whose parts are numbers of shapes instead of types.
    shapes: HashMap<TypeKind, u32>,
    scalarsets: Vec<Scalarset>,
}

impl Types {
    /// The type of numbers without bounds.
    pub const INTEGER: TypeId = TypeId(0);
    /// The type of conditions.
    pub const BOOLEAN: TypeId = TypeId(1);

    pub(crate) fn new() -> Types {
        let mut types = Types {
            list: Vec::new(),
            known: HashMap::new(),
            shapes: HashMap::new(),
            scalarsets: Vec::new(),
        };
        types.intern(TypeKind::Integer);
        types.intern(TypeKind::Boolean);
        types
    }

    /// What a type is.
    pub fn kind(&self, id: TypeId) -> &TypeKind {
        &self.list[id.index()].kind
    }

    /// The type of that id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.index()]
    }

    /// All types.
    pub fn all(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.list
            .iter()
            .enumerate()
            .map(|(index, ty)| (TypeId::from(index), ty))
    }

    /// All scalarsets.
    pub fn scalarsets(&self) -> impl Iterator<Item = (ScalarsetId, &Scalarset)> {
        self.scalarsets
            .iter()
            .enumerate()
            .map(|(index, set)| (ScalarsetId::from(index), set))
    }

    /// The scalarset of that id.
    pub fn scalarset(&self, id: ScalarsetId) -> &Scalarset {
        &self.scalarsets[id.index()]
    }

    /// True for ranges and plain numbers.
    pub fn is_number(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Integer | TypeKind::Range { .. })
    }

    /// True for types whose values are not made of parts.
    pub fn is_simple(&self, id: TypeId) -> bool {
        !matches!(
            self.kind(id),
            TypeKind::Record(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. }
                | TypeKind::Slot(_)
        )
    }

    /// How many values a simple type has, undefined not counted; none for plain numbers.
    pub fn values(&self, id: TypeId) -> Option<Number> {
        match self.kind(id) {
            TypeKind::Boolean => Some(2),
            TypeKind::Range { lo, hi } => Some(hi - lo + 1),
            TypeKind::Enum(members) => Some(members.len() as Number),
            TypeKind::Scalarset(set) => Some(self.scalarset(*set).size.into()),
            TypeKind::Union(members) => members.iter().map(|m| self.values(*m)).sum(),
            _ => None,
        }
    }

    /// True if the type itself, or a part that its values are made of, is such.
    pub fn contains(&self, id: TypeId, is_such: impl Fn(&TypeKind) -> bool) -> bool {
        let mut seen = HashSet::from([id]);
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if is_such(self.kind(id)) {
                return true;
            }
            let parts = self.parts(id).into_iter();
            let inside = parts.filter(|part| self.is_inside(id, *part));
            waiting.extend(inside.filter(|part| seen.insert(*part)));
        }
        false
    }

    /// True if multisets are a part of the type.
    pub fn has_multiset(&self, id: TypeId) -> bool {
        self.contains(id, |kind| matches!(kind, TypeKind::Multiset { .. }))
    }

    /// True if values of the second, a part of the first, are inside of its values: those of the index type
    /// of an array are not, and neither is the multiset that a place belongs to.
    fn is_inside(&self, id: TypeId, part: TypeId) -> bool {
        match self.kind(id) {
            TypeKind::Array { element, .. } => part == *element,
            TypeKind::Slot(_) => false,
            _ => true,
        }
    }

    /// True if both are the same but for scalarsets of equal size.
    pub(crate) fn same_shape(&self, a: TypeId, b: TypeId) -> bool {
        self.list[a.index()].shape == self.list[b.index()].shape
    }

    /// The type of that kind; a new row if there is none yet.
    pub(crate) fn intern(&mut self, kind: TypeKind) -> TypeId {
        if let Some(&id) = self.known.get(&kind) {
            return id;
        }
        let outline = self.outline(&kind);
        let next = self.shapes.len() as u32;
        let shape = *self.shapes.entry(outline).or_insert(next);
        let id = TypeId::from(self.list.len());
        self.list.push(Type {
            kind: kind.clone(),
            name: None,
            shape,
        });
        self.known.insert(kind, id);
        id
    }

    /// The kind with the numbers of shapes in the places of types.
    fn outline(&self, kind: &TypeKind) -> TypeKind {
        let shape = |id: &TypeId| TypeId(self.list[id.index()].shape);
        match kind {
            TypeKind::Scalarset(id) => {
                let size = self.scalarset(*id).size;
                let first = self.scalarsets.iter().position(|set| set.size == size);
                TypeKind::Scalarset(first.map_or(*id, ScalarsetId::from))
            }
            TypeKind::Union(members) => TypeKind::Union(members.iter().map(shape).collect()),
            TypeKind::Record(fields) => TypeKind::Record(
                fields
                    .iter()
                    .map(|f| Field {
                        name: f.name.clone(),
                        ty: shape(&f.ty),
                    })
                    .collect(),
            ),
            TypeKind::Array { index, element } => TypeKind::Array {
                index: shape(index),
                element: shape(element),
            },
            TypeKind::Multiset { capacity, element } => TypeKind::Multiset {
                capacity: *capacity,
                element: shape(element),
            },
            TypeKind::Slot(multiset) => TypeKind::Slot(shape(multiset)),
            simple => simple.clone(),
        }
    }

    pub(crate) fn new_scalarset(&mut self, size: u64, span: Span) -> TypeId {
        let id = ScalarsetId::from(self.scalarsets.len());
        self.scalarsets.push(Scalarset {
            name: None,
            size,
            representative: id,
            span,
        });
        self.intern(TypeKind::Scalarset(id))
    }

    /// Gives a type its name, unless it has one.
    pub(crate) fn name(&mut self, id: TypeId, name: &Arc<str>) {
        let unnamed = &mut self.list[id.index()].name;
        unnamed.get_or_insert_with(|| name.clone());
        if let TypeKind::Scalarset(set) = self.list[id.index()].kind {
            self.scalarsets[set.index()]
                .name
                .get_or_insert_with(|| name.clone());
        }
    }

    /// Ties the scalarsets that two types of the same shape have in the same places. Says which two were
    /// tied first, if any were not tied already.
    pub(crate) fn tie(&mut self, a: TypeId, b: TypeId) -> Option<(ScalarsetId, ScalarsetId)> {
        let mut first = None;
        let mut seen = HashSet::from([(a, b)]);
        let mut waiting = vec![(a, b)];
        while let Some((a, b)) = waiting.pop() {
            if let (TypeKind::Scalarset(a), TypeKind::Scalarset(b)) = (self.kind(a), self.kind(b)) {
                let (a, b) = (*a, *b);
                if self.tie_scalarsets(a, b) {
                    first.get_or_insert((a, b));
                }
            }
            for pair in self.parts(a).into_iter().zip(self.parts(b)) {
                if pair.0 != pair.1 && seen.insert(pair) {
                    waiting.push(pair);
                }
            }
        }
        first
    }

    fn parts(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            TypeKind::Union(members) => members.clone(),
            TypeKind::Record(fields) => fields.iter().map(|field| field.ty).collect(),
            TypeKind::Array { index, element } => vec![*index, *element],
            TypeKind::Multiset { element, .. } => vec![*element],
            TypeKind::Slot(multiset) => vec![*multiset],
            _ => Vec::new(),
        }
    }

    fn tie_scalarsets(&mut self, a: ScalarsetId, b: ScalarsetId) -> bool {
        let (a, b) = (
            self.scalarset(a).representative,
            self.scalarset(b).representative,
        );
        let (low, high) = (a.min(b), a.max(b));
        for set in &mut self.scalarsets {
            if set.representative == high {
                set.representative = low;
            }
        }
        low != high
    }

    /// The type as people write it: by its name if it has one that says more than its structure.
    pub fn describe(&self, id: TypeId) -> String {
        match &self.list[id.index()].name {
            Some(name) if self.is_set(id) || self.has_shown_name(id) => name.to_string(),
            _ => self.structure(id),
        }
    }

    fn is_set(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Scalarset(_))
    }

    /// True for types whose name is shown and explained elsewhere. A range is its bounds: several names
    /// may mean it.
    pub(super) fn has_shown_name(&self, id: TypeId) -> bool {
        !matches!(
            self.kind(id),
            TypeKind::Integer | TypeKind::Boolean | TypeKind::Range { .. } | TypeKind::Scalarset(_)
        )
    }

    /// The type by its structure, with its parts by their names.
    pub fn structure(&self, id: TypeId) -> String {
        match self.kind(id) {
            TypeKind::Integer => "number".to_string(),
            TypeKind::Boolean => "boolean".to_string(),
            TypeKind::Range { lo, hi } => format!("{lo}..{hi}"),
            TypeKind::Enum(members) => format!("enum {{{}}}", members.join(", ")),
            TypeKind::Scalarset(set) => format!("scalarset({})", self.scalarset(*set).size),
            TypeKind::Union(members) => {
                let members: Vec<String> = members.iter().map(|m| self.describe(*m)).collect();
                format!("union {{{}}}", members.join(", "))
            }
            TypeKind::Record(fields) => {
                let field = |f: &Field| format!("{}: {}; ", f.name, self.describe(f.ty));
                format!("record {}end", fields.iter().map(field).collect::<String>())
            }
            TypeKind::Array { index, element } => {
                format!(
                    "array [{}] of {}",
                    self.describe(*index),
                    self.describe(*element)
                )
            }
            TypeKind::Multiset { capacity, element } => {
                format!("multiset [{capacity}] of {}", self.describe(*element))
            }
            TypeKind::Slot(multiset) => format!("place in {}", self.describe(*multiset)),
        }
    }
}
