//! Declared symmetry.

use super::Text;
use crate::symmetry::{Scalarset, UseKind, VariableRef, element};
use crate::types::Type;
use std::fmt;

impl Text<'_> {
    pub(super) fn scalarset(&self, f: &mut fmt::Formatter<'_>, set: &Scalarset) -> fmt::Result {
        let mut head = format!("scalarset {} = {}..{}", set.name, set.first, set.last());
        if set.unordered {
            head.push_str(" unordered");
        }
        writeln!(f, "{head}{}", self.comment(set.span))?;
        for used in &set.uses {
            let text = self.scalarset_use(&used.kind);
            writeln!(f, "  {text}{}", self.comment(used.span))?;
        }
        Ok(())
    }

    fn scalarset_use(&self, kind: &UseKind) -> String {
        match kind {
            UseKind::Processes(id) => format!("process {}", self.names.templates[id.index()]),
            UseKind::Holds { variable, path } => format!("holds {}", self.path(*variable, path)),
            UseKind::Indexes {
                variable,
                path,
                dimension,
            } => {
                let indices = "[]".repeat(*dimension as usize + 1);
                format!("indexes {}{indices}", self.path(*variable, path))
            }
            UseKind::Message { kind, field } => format!("message {kind}, {field}"),
        }
    }

    /// A variable and the fields of a path in it.
    fn path(&self, variable: VariableRef, path: &[u32]) -> String {
        let mut text = match variable {
            VariableRef::Global(id) => self.names.globals[id.index()].clone(),
            VariableRef::Local(template, id) => {
                let local = &self.names.locals[template.index()][id.index()];
                format!("{}:{local}", self.names.templates[template.index()])
            }
        };
        let mut ty = self.model.variable(variable).map(|v| &v.ty);
        for &field in path {
            let Some(Type::Record(id)) = ty.map(element) else {
                break;
            };
            let field = &self.model.record(*id).fields[field as usize];
            text.push_str(&format!(".{}", field.name));
            ty = Some(&field.ty);
        }
        text
    }
}
