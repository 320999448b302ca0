//! Symmetry that the author of a model declares.
//!
//! A [`Scalarset`] says: these values are names and nothing more, exchanging them changes nothing
//! that matters. It lists where such names occur. A declaration is a hint, never a fact: whoever
//! uses one has to prove it, and may find more places than it lists, because a name that is compared
//! with or assigned to another place makes that place hold names too. So one use is as good as all.
//!
//! One kind of set is a fact: the positions of a bag of elements, among which the language has no order. They are
//! [`unordered`](Scalarset::unordered).
//!
//! The verifier only makes sure that what a declaration mentions is there.

use crate::ids::{ChannelKindId, GlobalId, LocalId, TemplateId};
use crate::model::UncheckedModel;
use crate::source::Span;
use crate::state::State;
use crate::types::{Type, Variable};
use crate::verify::MAX_START;

/// A declared set of interchangeable names: the values from `first` to `first + size - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalarset {
    /// Its name in the declaration.
    pub name: String,
    /// The whole declaration.
    pub span: Span,
    /// The least name.
    pub first: i64,
    /// How many names there are, at least one.
    pub size: u32,
    /// Where the names occur, as far as the declaration says.
    pub uses: Vec<ScalarsetUse>,
    /// The language has no order among these: states that differ only in it are one state. That is not a hint but a
    /// fact, and always used, even if symmetry is switched off. Such names are indices of global variables alone.
    pub unordered: bool,
}

/// A place where the names of a set occur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalarsetUse {
    /// Which place.
    pub kind: UseKind,
    /// The part of the declaration that says so.
    pub span: Span,
}

/// How names are used.
///
/// A `path` goes from a variable into its records: each number is a field. Arrays on the way are
/// passed through, all their elements alike: with `[1]`, a variable of type `pair[3]` means the field
/// 1 of all three pairs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UseKind {
    /// The names are the numbers of the processes of this template, those in the range.
    Processes(TemplateId),
    /// The cells at the end of the path hold names: a scalar, or arrays of scalars.
    Holds {
        /// The variable.
        variable: VariableRef,
        /// The fields on the way to the cells.
        path: Vec<u32>,
    },
    /// The array at the end of the path is indexed by names.
    Indexes {
        /// The variable.
        variable: VariableRef,
        /// The fields on the way to the array.
        path: Vec<u32>,
        /// Which index, where arrays have arrays as elements: 0 is the first one written.
        dimension: u32,
    },
    /// Messages of this kind of channel have a name in that field.
    Message {
        /// The kind of channel.
        kind: ChannelKindId,
        /// The field, counted in cells.
        field: u32,
    },
}

/// A variable of the model, wherever it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableRef {
    /// A global variable.
    Global(GlobalId),
    /// A parameter or local variable of a template.
    Local(TemplateId, LocalId),
    /// A scratch variable of monitors.
    Monitor(LocalId),
}

impl Scalarset {
    /// The size of a set that covers the numbers of all processes there can ever be, from 0: what a
    /// declaration means that names processes but no numbers.
    pub const EVERY_PROCESS: u32 = MAX_START as u32;

    /// All processes of a template are interchangeable, however many there are.
    pub fn of_processes(template: TemplateId, name: &str, span: Span) -> Self {
        let kind = UseKind::Processes(template);
        Scalarset {
            name: name.to_string(),
            span,
            first: 0,
            size: Self::EVERY_PROCESS,
            uses: vec![ScalarsetUse { kind, span }],
            unordered: false,
        }
    }

    /// The greatest name.
    pub fn last(&self) -> i64 {
        self.first.saturating_add(i64::from(self.size) - 1)
    }

    /// Whether the value is one of the names.
    pub fn contains(&self, value: i64) -> bool {
        (self.first..=self.last()).contains(&value)
    }
}

/// Cells of the state in which elements stand that have no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bag {
    /// The array that they are elements of.
    pub array: GlobalId,
    /// Where the first of them begins in the array, in cells.
    pub start: usize,
    /// How many cells each has.
    pub size: usize,
    /// How many there are.
    pub count: usize,
}

impl Bag {
    /// Puts the elements into an order that depends on nothing but what they are. The array begins at `base`.
    pub fn arrange<T: Clone + Ord>(&self, cells: &mut [T], base: usize) {
        let start = base + self.start;
        let cells = &mut cells[start..start + self.count * self.size];
        let mut elements: Vec<Vec<T>> = cells.chunks(self.size).map(<[T]>::to_vec).collect();
        elements.sort_unstable();
        cells.clone_from_slice(&elements.concat());
    }
}

impl UncheckedModel {
    /// All elements that have no order.
    pub fn bags(&self) -> Vec<Bag> {
        let sets = self.scalarsets.iter().filter(|set| set.unordered);
        let bags =
            sets.flat_map(|set| set.uses.iter().filter_map(|used| self.bag(set, &used.kind)));
        bags.collect()
    }

    fn bag(&self, set: &Scalarset, used: &UseKind) -> Option<Bag> {
        let UseKind::Indexes {
            variable: VariableRef::Global(array),
            ..
        } = *used
        else {
            return None;
        };
        let Type::Array { element, .. } = &self.globals.get(array.index())?.ty else {
            return None;
        };
        let size = self.cells(element);
        Some(Bag {
            array,
            start: usize::try_from(set.first).ok()? * size,
            size,
            count: set.size as usize,
        })
    }

    /// The state with all elements that have no order in one that depends on nothing but what they are.
    pub fn arranged(&self, state: &State) -> State {
        let mut arranged = state.clone();
        for bag in self.bags() {
            let base = self.cell_offset(&self.globals, bag.array.index());
            bag.arrange(&mut arranged.globals, base);
        }
        arranged
    }

    /// The variable, if there is one.
    pub fn variable(&self, variable: VariableRef) -> Option<&Variable> {
        match variable {
            VariableRef::Global(id) => self.globals.get(id.index()),
            VariableRef::Local(template, id) => {
                let template = self.templates.get(template.index())?;
                template.locals.get(id.index())
            }
            VariableRef::Monitor(id) => self.monitor_scratch.get(id.index()),
        }
    }

    /// The type at the end of a path of fields, passing through the arrays before each field but not
    /// through those behind the last. There is none if the path does not fit.
    pub fn type_at<'m>(&'m self, ty: &'m Type, path: &[u32]) -> Option<&'m Type> {
        path.iter().try_fold(ty, |ty, &field| {
            let Type::Record(id) = element(ty) else {
                return None;
            };
            let record = self.records.get(id.index())?;
            Some(&record.fields.get(field as usize)?.ty)
        })
    }
}

/// What is left of a type when all indices are given.
pub fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array { element: inner, .. } => element(inner),
        Type::Scalar(_) | Type::Record(_) => ty,
    }
}

/// How many indices lead to what is left.
pub fn dimensions(ty: &Type) -> u32 {
    match ty {
        Type::Array { element, .. } => 1 + dimensions(element),
        Type::Scalar(_) | Type::Record(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::RecordId;
    use crate::model::{Arithmetic, Language};

    use crate::types::{Initial, RecordType, Scalar, Storage};

    const SPAN: Span = Span::START;

    fn array(element: Type, length: u32) -> Type {
        let element = Box::new(element);
        Type::Array { element, length }
    }

    fn field(ty: Type) -> Variable {
        Variable {
            name: "f".into(),
            ty,
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span: SPAN,
        }
    }

    /// `inner` has an array of two dimensions, `outer` an array of `inner`.
    fn model() -> UncheckedModel {
        let mut model = UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32);
        let numbers = array(array(Type::Scalar(Scalar::Bool), 2), 3);
        let inners = array(Type::Record(RecordId(0)), 4);
        for ty in [numbers, inners] {
            model.records.push(RecordType {
                name: "r".into(),
                fields: vec![field(ty)],
                span: SPAN,
            });
        }
        model
    }

    #[test]
    fn paths_pass_through_arrays_but_stop_at_the_last() {
        let model = model();
        let outer = Type::Record(RecordId(1));
        let inners = model.type_at(&outer, &[0]).expect("a field");
        assert_eq!(
            (dimensions(inners), element(inners)),
            (1, &Type::Record(RecordId(0)))
        );
        let numbers = model
            .type_at(&outer, &[0, 0])
            .expect("a field of the elements");
        assert_eq!(dimensions(numbers), 2);
        assert_eq!(model.type_at(&outer, &[0, 0, 0]), None);
        assert_eq!(model.type_at(&outer, &[1]), None);
    }

    #[test]
    fn processes_without_numbers_are_all_processes() {
        let set = Scalarset::of_processes(TemplateId(0), "P", SPAN);
        assert!(set.contains(0) && set.contains(254) && !set.contains(255) && !set.contains(-1));
    }
}
