//! The facts that a declared use states, checked against the types of its subject.

use super::{Declarer, SetId};
use crate::ast::{FieldUse, Ident, MessageUse, SymmetryUse, UseStep};
use crate::lower::{Lowered, fail, fail_with};
use crate::preprocess::count_of;
use crate::suggest::closest;
use mandala_model::ids::{ChannelKindId, RecordId};
use mandala_model::source::Span;
use mandala_model::symmetry::element;
use mandala_model::types::{Initial, Scalar, Type, Variable};

/// Something that is said about a place, which is given by the fields that lead to it.
pub(super) struct Fact {
    pub(super) set: SetId,
    pub(super) what: What,
}

pub(super) enum What {
    /// The cells there hold names.
    Holds { path: Vec<u32> },
    /// The array there is indexed by names.
    Indexes { path: Vec<u32> },
    /// The messages of the channel have a name in that cell.
    Carries { kind: ChannelKindId, field: u32 },
}

/// The way from a variable or a type to what a use is about.
struct Way<'a> {
    declarer: &'a Declarer<'a>,
    used: &'a SymmetryUse,
    /// The set that is being declared.
    own: SetId,
    path: Vec<u32>,
    facts: Vec<Fact>,
}

impl Declarer<'_> {
    /// What a use says about a variable; `steps` lead from the variable to the place.
    pub(super) fn facts_of_variable(
        &self,
        used: &SymmetryUse,
        own: SetId,
        variable: &Variable,
        steps: &[UseStep],
    ) -> Lowered<Vec<Fact>> {
        let mut way = self.way(used, own);
        way.step(variable, &steps[0])?;
        way.follow(variable.clone(), &steps[1..])
    }

    /// What a use says about all that is of a type.
    pub(super) fn facts_of_type(
        &self,
        used: &SymmetryUse,
        own: SetId,
        record: RecordId,
        steps: &[UseStep],
    ) -> Lowered<Vec<Fact>> {
        let mut way = self.way(used, own);
        let field = way.field(&Type::Record(record), &steps[0])?;
        way.follow(field, &steps[1..])
    }

    fn way<'a>(&'a self, used: &'a SymmetryUse, own: SetId) -> Way<'a> {
        Way {
            declarer: self,
            used,
            own,
            path: Vec::new(),
            facts: Vec::new(),
        }
    }

    fn set_name(&self, set: SetId) -> &str {
        &self.sets[set].set.name
    }

    /// Makes sure that every name of the set fits the cells.
    fn check_names_fit(&self, set: SetId, scalar: Scalar, span: Span) -> Lowered<()> {
        let names = &self.sets[set].set;
        let outside = [names.first, names.last()]
            .into_iter()
            .find(|&name| scalar.store(name) != Some(name));
        match outside {
            None => Ok(()),
            Some(name) => fail(
                span,
                format!("this cannot hold {name}, a name of `{}`", names.name),
            ),
        }
    }
}

impl<'a> Way<'a> {
    /// Goes on from a variable or field, and ends there.
    fn follow(mut self, start: Variable, steps: &[UseStep]) -> Lowered<Vec<Fact>> {
        let mut end = start;
        for step in steps {
            end = self.field(&end.ty, step)?;
        }
        self.arrive(&end)?;
        Ok(self.facts)
    }

    /// Goes into a structure.
    fn field(&mut self, ty: &Type, step: &UseStep) -> Lowered<Variable> {
        let name = &step.name;
        let Type::Record(id) = element(ty) else {
            let message = format!("there is no field `{}`: this is not a structure", name.name);
            return fail(name.span, message);
        };
        let record = self.declarer.lowering.model.record(*id);
        let Some(at) = record.fields.iter().position(|f| *f.name == *name.name) else {
            let message = format!("`{}` has no field `{}`", record.name, name.name);
            let fields = record.fields.iter().map(|f| f.name.as_str());
            return match closest(&name.name, fields) {
                Some(similar) => fail_with(name.span, message, format!("is `{similar}` meant?")),
                None => fail(name.span, message),
            };
        };
        let field = record.fields[at].clone();
        self.path.push(at as u32);
        self.step(&field, step)?;
        Ok(field)
    }

    /// Looks at the index that is or is not written behind a name.
    fn step(&mut self, variable: &Variable, step: &UseStep) -> Lowered<()> {
        let name = &step.name;
        match (&variable.ty, &step.index) {
            (Type::Array { length, .. }, Some(index)) => match &index.names {
                Some(set) => self.indexed(set, *length),
                None => Ok(()),
            },
            (Type::Array { .. }, None) => self.without_index(name),
            (Type::Scalar(_) | Type::Record(_), Some(index)) => fail(
                name.span.to(index.span),
                format!("`{}` is not an array", name.name),
            ),
            (Type::Scalar(_) | Type::Record(_), None) => Ok(()),
        }
    }

    fn without_index(&self, name: &Ident) -> Lowered<()> {
        let set = self.declarer.set_name(self.own);
        let help = format!(
            "write `{0}[{set}]` if it is indexed by names of `{set}`, else `{0}[]`",
            name.name
        );
        fail_with(name.span, format!("`{}` is an array", name.name), help)
    }

    fn indexed(&mut self, set: &Ident, length: u32) -> Lowered<()> {
        let id = self.declarer.set_of(set)?;
        let names = &self.declarer.sets[id].set;
        if names.first < 0 || names.last() >= i64::from(length) {
            let message = format!(
                "an array of {length} elements cannot be indexed by `{}`, which is {} to {}",
                set.name,
                names.first,
                names.last()
            );
            let help = "the names must be among 0 to the length of the array less one";
            return fail_with(set.span, message, help);
        }
        let path = self.path.clone();
        self.state(id, What::Indexes { path });
        Ok(())
    }

    fn state(&mut self, set: SetId, what: What) {
        self.facts.push(Fact { set, what });
    }

    /// What is said about the end of the way.
    fn arrive(&mut self, end: &Variable) -> Lowered<()> {
        if let Some(message) = &self.used.message {
            self.carries(end, message)?;
        }
        let Some(set) = self.held()? else {
            return Ok(());
        };
        let scalar = self.cell_type(end)?;
        self.declarer.check_names_fit(set, scalar, self.used.span)?;
        let path = self.path.clone();
        self.state(set, What::Holds { path });
        Ok(())
    }

    /// The set whose names are held: the one in front, or the declared one where nothing but a name
    /// is written.
    fn held(&self) -> Lowered<Option<SetId>> {
        if let Some(set) = &self.used.holds {
            return self.declarer.set_of(set).map(Some);
        }
        if self.used.path.iter().all(|s| s.index.is_none()) && self.used.message.is_none() {
            return Ok(Some(self.own));
        }
        if self.facts.is_empty() {
            let set = self.declarer.set_name(self.own);
            let help = format!(
                "write `{set}` in front if the elements hold names of `{set}`, or between the brackets if \
                 they are indexed by them"
            );
            return fail_with(self.used.span, "this says nothing about names", help);
        }
        Ok(None)
    }

    /// The type of the cells that shall hold names.
    fn cell_type(&self, end: &Variable) -> Lowered<Scalar> {
        let span = self.used.span;
        match element(&end.ty) {
            Type::Scalar(Scalar::Bool) => fail(span, NO_TRUTH),
            Type::Scalar(Scalar::Enum(id)) if self.declarer.lowering.is_truth(*id) => {
                fail(span, NO_TRUTH)
            }
            Type::Scalar(Scalar::Enum(_)) => {
                fail(span, "an `mtype` holds one of its constants, not a name")
            }
            Type::Scalar(Scalar::Channel) => {
                let help = "if its messages carry names, say in which fields: `q {_, ID}`";
                fail_with(span, "a channel is not a name", help)
            }
            Type::Scalar(scalar) => Ok(*scalar),
            Type::Record(id) => {
                let record = &self.declarer.lowering.model.record(*id).name;
                let message = format!("this has the type `{record}`: say which of its fields");
                fail(span, message)
            }
            Type::Array { .. } => fail(span, "this is an array"),
        }
    }

    fn carries(&mut self, end: &Variable, message: &'a MessageUse) -> Lowered<()> {
        let Initial::NewChannel(kind) = end.initial else {
            return self.no_channel(end, message.span);
        };
        let declarer = self.declarer;
        let types: Vec<&Type> = declarer.lowering.messages[kind.index()].iter().collect();
        let mut cells = Vec::new();
        declarer.fields(&types, message, 0, &mut cells)?;
        for (set, field) in cells {
            self.state(set, What::Carries { kind, field });
        }
        Ok(())
    }

    fn no_channel(&self, end: &Variable, span: Span) -> Lowered<()> {
        let name = &end.name;
        if element(&end.ty) != &Type::Scalar(Scalar::Channel) {
            return fail(span, format!("`{name}` is not a channel"));
        }
        let help =
            "say it of the variable whose declaration makes the channel: `chan q = [..] of {..}`";
        let message = format!("which channels `{name}` refers to is not known here");
        fail_with(span, message, help)
    }
}

const NO_TRUTH: &str = "a `bool` holds a truth value, not a name";

/// A cell of a message that carries a name.
type NamedCell = (SetId, u32);

impl Declarer<'_> {
    /// The cells of a message, or of a structure in it, that carry names.
    fn fields(
        &self,
        types: &[&Type],
        said: &MessageUse,
        mut offset: usize,
        cells: &mut Vec<NamedCell>,
    ) -> Lowered<()> {
        if types.len() != said.fields.len() {
            let message = format!(
                "{} expected here, but {} given",
                count_of(types.len(), "field"),
                said.fields.len()
            );
            return fail(said.span, message);
        }
        for (ty, field) in types.iter().zip(&said.fields) {
            self.message_field(ty, field, offset, cells)?;
            offset += self.lowering.model.cells(ty);
        }
        Ok(())
    }

    fn message_field(
        &self,
        ty: &Type,
        said: &FieldUse,
        offset: usize,
        cells: &mut Vec<NamedCell>,
    ) -> Lowered<()> {
        let inner = element(ty);
        let starts = (0..self.lowering.model.cells(ty)).step_by(self.lowering.model.cells(inner));
        let starts = starts.map(|start| offset + start);
        match (said, inner) {
            (FieldUse::Plain(_), _) => {}
            (FieldUse::Names(set), Type::Scalar(scalar)) => {
                let id = self.carried(set, *scalar)?;
                cells.extend(starts.map(|cell| (id, cell as u32)));
            }
            (FieldUse::Parts(parts), Type::Record(record)) => {
                let fields = &self.lowering.model.record(*record).fields;
                let types: Vec<&Type> = fields.iter().map(|f| &f.ty).collect();
                for start in starts {
                    self.fields(&types, parts, start, cells)?;
                }
            }
            (FieldUse::Names(set), _) => {
                let help = "give the fields of the structure between braces";
                return fail_with(set.span, "this field is a structure", help);
            }
            (FieldUse::Parts(parts), _) => {
                return fail(parts.span, "this field is not a structure");
            }
        }
        Ok(())
    }

    fn carried(&self, set: &Ident, scalar: Scalar) -> Lowered<SetId> {
        let id = self.set_of(set)?;
        let message = match scalar {
            Scalar::Bool => NO_TRUTH,
            Scalar::Enum(id) if self.lowering.is_truth(id) => NO_TRUTH,
            Scalar::Enum(_) => "an `mtype` holds one of its constants, not a name",
            Scalar::Channel => "a channel is not a name",
            _ => return self.check_names_fit(id, scalar, set.span).map(|()| id),
        };
        fail(set.span, message)
    }
}
