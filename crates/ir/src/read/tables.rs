//! The names that a text declares.

use super::Reader;
use crate::constants::Constants;
use crate::lexer::Key;
use mandala_model::UncheckedModel;
use mandala_model::expr::Root;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::{
    CodingId, ConditionId, DomainId, EnumId, FunctionId, GlobalId, LocalId, RecordId, TemplateId,
};
use mandala_model::source::{FileId, Span};
use mandala_model::suggest::closest;
use std::collections::{BTreeMap, HashMap};

/// The rows that the names of a text stand for.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) types: HashMap<Key, TypeName>,
    /// The fields of each record.
    pub(super) fields: Vec<HashMap<Key, u32>>,
    pub(super) globals: HashMap<Key, GlobalId>,
    pub(super) templates: HashMap<Key, TemplateId>,
    /// The local variables of each template.
    pub(super) locals: Vec<HashMap<Key, LocalId>>,
    pub(super) functions: HashMap<Key, FunctionId>,
    /// The local variables and references of each function.
    pub(super) frames: Vec<HashMap<Key, Root>>,
    /// The indices of each property.
    pub(super) indices: Vec<HashMap<Key, LocalId>>,
    /// The variables of monitors.
    pub(super) monitor_locals: HashMap<Key, LocalId>,
}

/// What the name of a type stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypeName {
    Enum(EnumId),
    Domain(DomainId),
    Coding(CodingId),
    Record(RecordId),
}

/// What is known of a text after it has been read once: all declarations, with the types of all variables.
pub(super) struct Known {
    pub(super) model: UncheckedModel,
    pub(super) tables: Tables,
    pub(super) constants: Constants,
    /// For each condition, the first property that asks it.
    pub(super) asking: BTreeMap<ConditionId, usize>,
    /// The files of the source by their numbers in the text.
    pub(super) files: HashMap<u64, (FileId, String)>,
}

impl Reader<'_> {
    /// The template of that name. While declarations are being collected any name will do.
    pub(super) fn template_named(&self, key: &Key, span: Span) -> Fallible<TemplateId> {
        let Some(known) = self.known else {
            return Ok(TemplateId(0));
        };
        look_up(&known.tables.templates, key, span, "template")
    }

    /// The global variable of that name.
    pub(super) fn global_named(&self, key: &Key, span: Span) -> Fallible<GlobalId> {
        let Some(known) = self.known else {
            return Ok(GlobalId(0));
        };
        look_up(&known.tables.globals, key, span, "global variable")
    }

    pub(super) fn template(&mut self) -> Fallible<TemplateId> {
        let span = self.here();
        let key = self.name("the name of a template")?;
        self.template_named(&key, span)
    }
}

/// Adds a name to a table, unless it is there already.
pub(super) fn declare<Id>(
    table: &mut HashMap<Key, Id>,
    key: Key,
    id: Id,
    span: Span,
) -> Fallible<()> {
    if table.contains_key(&key) {
        let message = format!("the name `{}` is declared twice", key.name);
        let help = format!("a number tells them apart: `{}#1`", key.name);
        return Err(error_help(span, message, help));
    }
    table.insert(key, id);
    Ok(())
}

/// What a name stands for in a table.
pub(super) fn look_up<Id: Copy>(
    table: &HashMap<Key, Id>,
    key: &Key,
    span: Span,
    what: &str,
) -> Fallible<Id> {
    let found = table.get(key).copied();
    found.ok_or_else(|| {
        let message = format!("there is no {what} `{}`", spelled(key));
        match closest(&key.name, table.keys().map(|k| k.name.as_str())) {
            Some(other) => error_help(span, message, format!("did you mean `{other}`?")),
            None => error(span, message),
        }
    })
}

/// A name with its number.
pub(super) fn spelled(key: &Key) -> String {
    match key.number {
        Some(number) => format!("{}#{number}", key.name),
        None => key.name.clone(),
    }
}
