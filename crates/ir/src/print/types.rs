//! Types and variables.

use super::Text;
use super::names::quoted;
use mandala_model::ids::TemplateId;
use mandala_model::types::{
    ArrayIndex, ChannelKind, Coding, CodingKind, CodingPart, EnumType, Initial, RecordType,
    Storage, Type, Variable,
};
use std::fmt;

impl Text<'_> {
    pub(super) fn types(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, enumeration) in self.model.enums.iter().enumerate() {
            let name = &self.names.enums[index];
            writeln!(f, "enum {name} {}", constants(enumeration))?;
        }
        for (index, domain) in self.model.domains.iter().enumerate() {
            let name = &self.names.domains[index];
            writeln!(f, "domain {name}[{}]", domain.size)?;
        }
        for (index, coding) in self.model.codings.iter().enumerate() {
            let name = &self.names.codings[index];
            writeln!(f, "coding {name} {}", shown_as(coding))?;
        }
        for (index, record) in self.model.records.iter().enumerate() {
            self.record(f, index, record)?;
        }
        for (index, kind) in self.model.channel_kinds.iter().enumerate() {
            let (text, span) = (self.kind(kind), self.attribute(kind.span));
            let comment = self.comment(kind.span);
            writeln!(f, "channel kind{index}{span} {text}{comment}")?;
        }
        Ok(())
    }

    fn record(&self, f: &mut fmt::Formatter<'_>, index: usize, record: &RecordType) -> fmt::Result {
        let (name, span) = (&self.names.records[index], self.attribute(record.span));
        writeln!(f, "record {name}{span} {{{}", self.comment(record.span))?;
        for (name, field) in self.names.fields[index].iter().zip(&record.fields) {
            writeln!(f, "  field {}", self.variable(name, field, None))?;
        }
        writeln!(f, "}}")
    }

    fn kind(&self, kind: &ChannelKind) -> String {
        let fields: Vec<String> = kind.fields.iter().map(|s| self.names.scalar(*s)).collect();
        format!("[{}] of {{ {} }}", kind.capacity, fields.join(", "))
    }

    pub(super) fn variable(
        &self,
        name: &str,
        variable: &Variable,
        template: Option<TemplateId>,
    ) -> String {
        let scratch = match variable.storage {
            Storage::State => "",
            Storage::Scratch => "scratch ",
        };
        let ty = self.ty(&variable.ty, &variable.indices);
        let initial = self.initial(variable, template);
        let span = self.attribute(variable.span);
        format!("{scratch}{name}{span}: {ty}{initial}")
    }

    fn initial(&self, variable: &Variable, template: Option<TemplateId>) -> String {
        let scope = self.scope(template);
        let hint = self.model.scalars(&variable.ty).first().copied();
        match &variable.initial {
            Initial::Default => String::new(),
            Initial::Fill(value) => format!(" = {}", scope.expression(value, hint)),
            Initial::List(values) => {
                let values = values.iter().map(|v| scope.expression(v, hint));
                format!(" = {{ {} }}", values.collect::<Vec<_>>().join(", "))
            }
            Initial::NewChannel(kind) => format!(" = new {kind}"),
        }
    }

    /// A type; an array that has an element for each value of a coding says so: `bool[3 by Node]`.
    fn ty(&self, ty: &Type, indices: &[ArrayIndex]) -> String {
        let mut indices = indices.iter();
        let mut lengths = String::new();
        let mut inner = ty;
        while let Type::Array { element, length } = inner {
            let by = indices.next().map(|index| self.by(*index));
            let by = by.unwrap_or_default();
            lengths.push_str(&format!("[{length}{by}]"));
            inner = element;
        }
        let base = match inner {
            Type::Record(id) => self.names.records[id.index()].clone(),
            Type::Scalar(scalar) => self.names.scalar(*scalar),
            Type::Array { .. } => String::new(),
        };
        base + &lengths
    }

    fn by(&self, index: ArrayIndex) -> String {
        let name = &self.names.codings[index.coding.index()];
        match index.before {
            1 => format!(" by {name}"),
            before => format!(" by {name} from {before}"),
        }
    }
}

fn constants(enumeration: &EnumType) -> String {
    let constants = enumeration.constants.iter();
    let constants: Vec<String> = constants
        .map(|(name, number)| format!("{} = {number}", quoted(name)))
        .collect();
    format!("{{ {} }}", constants.join(", "))
}

fn shown_as(coding: &Coding) -> String {
    match &coding.kind {
        CodingKind::Numbers { first } => format!("from {first}"),
        CodingKind::Names(names) => {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            format!("{{ {} }}", names.join(", "))
        }
        CodingKind::Members => "members".into(),
        CodingKind::Pointers => "pointers".into(),
        CodingKind::Parts(parts) => {
            let part = |part: &CodingPart| {
                let coding = &part.coding;
                format!(
                    "{} {} {}",
                    part.first,
                    quoted(&coding.name),
                    shown_as(coding)
                )
            };
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("parts ({})", parts.join("; "))
        }
    }
}
