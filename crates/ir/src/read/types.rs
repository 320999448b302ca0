//! Declarations of types and variables.

use super::tables::{TypeName, declare, look_up};
use super::{Reader, Scope};
use crate::lexer::{Key, TokenKind};
use crate::scalar_of_word;
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{ChannelKindId, CodingId, DomainId, EnumId, GlobalId, RecordId};
use mandala_model::source::Span;
use mandala_model::types::{
    ArrayIndex, ChannelKind, Coding, CodingKind, CodingPart, Domain, EnumType, Initial, RecordType,
    Scalar, Storage, Type, Variable,
};
use std::collections::HashMap;

impl Reader<'_> {
    pub(super) fn enumeration(&mut self) -> Fallible<()> {
        let id = EnumId::from(self.model.enums.len());
        let name = self.type_name(TypeName::Enum(id))?;
        self.expect("{")?;
        let constants = self.list_until("}", |r| {
            let name = r.name("the name of a constant")?.name;
            r.expect("=")?;
            Ok((name, r.integer()?))
        })?;
        self.model.enums.push(EnumType { name, constants });
        Ok(())
    }

    pub(super) fn domain(&mut self) -> Fallible<()> {
        let id = DomainId::from(self.model.domains.len());
        let name = self.type_name(TypeName::Domain(id))?;
        self.expect("[")?;
        let size = self.natural()?;
        self.expect("]")?;
        self.model.domains.push(Domain { name, size });
        Ok(())
    }

    pub(super) fn coding(&mut self) -> Fallible<()> {
        let id = CodingId::from(self.model.codings.len());
        let name = self.type_name(TypeName::Coding(id))?;
        let kind = self.nested(Self::coding_kind)?;
        self.model.codings.push(Coding { name, kind });
        Ok(())
    }

    fn coding_kind(&mut self) -> Fallible<CodingKind> {
        if self.eat_word("from") {
            let first = self.integer()?;
            return Ok(CodingKind::Numbers { first });
        }
        if self.eat("{") {
            let names = self.list_until("}", |r| Ok(r.name("the name of a value")?.name))?;
            return Ok(CodingKind::Names(names));
        }
        if self.eat_word("members") {
            return Ok(CodingKind::Members);
        }
        if self.eat_word("pointers") {
            return Ok(CodingKind::Pointers);
        }
        if self.eat_word("parts") {
            return Ok(CodingKind::Parts(self.coding_parts()?));
        }
        self.expected("`from`, `{`, `members`, `pointers` or `parts`")
    }

    fn coding_parts(&mut self) -> Fallible<Vec<CodingPart>> {
        self.expect("(")?;
        let mut parts = Vec::new();
        while !self.eat(")") {
            if !parts.is_empty() {
                self.expect(";")?;
            }
            let first = self.natural()?;
            let name = self.name("the name of a coding")?.name;
            let kind = self.nested(Self::coding_kind)?;
            let coding = Coding { name, kind };
            parts.push(CodingPart { first, coding });
        }
        Ok(parts)
    }

    pub(super) fn record(&mut self) -> Fallible<()> {
        let id = RecordId::from(self.model.records.len());
        let own = self.here();
        let name = self.type_name(TypeName::Record(id))?;
        let span = self.span_or(own)?;
        self.expect("{")?;
        let (mut fields, mut names) = (Vec::new(), HashMap::new());
        while !self.eat("}") {
            self.expect_word("field")?;
            let start = self.here();
            let (key, field) = self.variable(Scope::Outside)?;
            declare(&mut names, key, fields.len() as u32, start)?;
            fields.push(field);
        }
        self.tables.fields.push(names);
        self.model.records.push(RecordType { name, fields, span });
        Ok(())
    }

    pub(super) fn channel_kind(&mut self) -> Fallible<()> {
        let own = self.here();
        let number = self.numbered("kind", "a kind of channel")?;
        self.in_order(number, self.model.channel_kinds.len(), own)?;
        let span = self.span_or(own)?;
        self.expect("[")?;
        let capacity = self.natural()?;
        self.expect("]")?;
        self.expect_word("of")?;
        self.expect("{")?;
        let fields = self.list_until("}", Self::scalar)?;
        let kind = ChannelKind {
            capacity,
            fields,
            span,
        };
        self.model.channel_kinds.push(kind);
        Ok(())
    }

    /// Rows that are named by their numbers come in the order of these.
    pub(super) fn in_order(&self, number: u32, expected: usize, span: Span) -> Fallible<()> {
        match number as usize == expected {
            true => Ok(()),
            false => Err(error(
                span,
                format!("expected the number {expected} here, found {number}"),
            )),
        }
    }

    pub(super) fn global(&mut self) -> Fallible<()> {
        let start = self.here();
        let (key, variable) = self.variable(Scope::Outside)?;
        let id = GlobalId::from(self.model.globals.len());
        declare(&mut self.tables.globals, key, id, start)?;
        self.model.globals.push(variable);
        Ok(())
    }

    /// A variable and the name that it goes by in the text.
    pub(super) fn variable(&mut self, scope: Scope) -> Fallible<(Key, Variable)> {
        let scratch = self.is_word("scratch") && !self.is_symbol_ahead(1, ":");
        let scratch = scratch && !matches!(self.ahead(1).kind, TokenKind::Place { .. });
        if scratch {
            self.advance();
        }
        let own = self.here();
        let key = self.name("the name of a variable")?;
        let span = self.span_or(own)?;
        self.expect(":")?;
        let (ty, indices) = self.ty()?;
        let initial = match self.eat("=") {
            true => self.within(scope, Self::initial)?,
            false => Initial::Default,
        };
        let storage = if scratch {
            Storage::Scratch
        } else {
            Storage::State
        };
        let name = key.name.clone();
        let variable = Variable {
            name,
            ty,
            indices,
            initial,
            storage,
            span,
        };
        Ok((key, variable))
    }

    fn initial(&mut self) -> Fallible<Initial> {
        if self.eat("{") {
            return Ok(Initial::List(self.list_until("}", Self::expression)?));
        }
        let is_kind = |r: &Self| r.word_ahead(1).is_some_and(|word| word.starts_with("kind"));
        if self.is_word("new") && is_kind(self) {
            self.advance();
            let kind = self.numbered("kind", "a kind of channel")?;
            return Ok(Initial::NewChannel(ChannelKindId(kind)));
        }
        Ok(Initial::Fill(self.expression()?))
    }

    fn type_name(&mut self, row: TypeName) -> Fallible<String> {
        let span = self.here();
        let key = self.name("the name of a type")?;
        let name = key.name.clone();
        declare(&mut self.tables.types, key, row, span)?;
        Ok(name)
    }

    /// A type and what stands for the positions in its arrays.
    fn ty(&mut self) -> Fallible<(Type, Vec<ArrayIndex>)> {
        let base = self.base_type()?;
        let (mut lengths, mut indices) = (Vec::new(), Vec::new());
        while self.is_symbol("[") {
            let start = self.here();
            self.advance();
            lengths.push(self.natural()?);
            if let Some(index) = self.array_index()? {
                indices.push(index);
                if indices.len() < lengths.len() {
                    return Err(error(
                        start,
                        "expected `by` at the array before this one, too",
                    ));
                }
            }
            self.expect("]")?;
            if lengths.len() > DIMENSIONS {
                return Err(error(
                    start,
                    format!("an array has more than {DIMENSIONS} dimensions"),
                ));
            }
        }
        let array = |element, length| Type::Array {
            element: Box::new(element),
            length,
        };
        let ty = lengths.into_iter().rev().fold(base, array);
        Ok((ty, indices))
    }

    fn array_index(&mut self) -> Fallible<Option<ArrayIndex>> {
        if !self.eat_word("by") {
            return Ok(None);
        }
        let span = self.here();
        let key = self.name("the name of a coding")?;
        let TypeName::Coding(coding) = look_up(&self.tables.types, &key, span, "coding")? else {
            return Err(error(span, format!("`{}` is no coding", key.name)));
        };
        let before = match self.eat_word("from") {
            true => self.natural()?,
            false => 1,
        };
        Ok(Some(ArrayIndex { coding, before }))
    }

    fn base_type(&mut self) -> Fallible<Type> {
        let key = match &self.token().kind {
            TokenKind::Word(key) | TokenKind::Quoted(key) => key,
            _ => return Ok(Type::Scalar(self.scalar()?)),
        };
        match self.tables.types.get(key) {
            Some(&TypeName::Record(id)) => {
                self.advance();
                Ok(Type::Record(id))
            }
            _ => Ok(Type::Scalar(self.scalar()?)),
        }
    }

    pub(super) fn scalar(&mut self) -> Fallible<Scalar> {
        if let Some(scalar) = self.word().and_then(scalar_of_word) {
            self.advance();
            return Ok(scalar);
        }
        if !self.is_name() {
            return self.range();
        }
        let span = self.here();
        let key = self.name("a type")?;
        match look_up(&self.tables.types, &key, span, "type")? {
            TypeName::Enum(id) => Ok(Scalar::Enum(id)),
            TypeName::Domain(id) => Ok(Scalar::Id(id)),
            TypeName::Coding(coding) => {
                self.expect("(")?;
                let max = self.integer()?;
                self.expect(")")?;
                Ok(Scalar::Coded { coding, max })
            }
            TypeName::Record(_) => Err(error(span, "expected a type of one cell, found a record")),
        }
    }

    fn range(&mut self) -> Fallible<Scalar> {
        if !self.is_symbol("-") && !matches!(self.token().kind, TokenKind::Number(_)) {
            return self.expected("a type");
        }
        let min = self.integer()?;
        self.expect("..")?;
        let max = self.integer()?;
        Ok(Scalar::Range { min, max })
    }
}

/// How many arrays may be inside each other in one declaration.
const DIMENSIONS: usize = 64;
