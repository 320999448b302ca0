//! Declared symmetry.

use super::Text;
use super::names::quoted;
use mandala_model::symmetry::{Scalarset, UseKind, VariableRef, element};
use mandala_model::types::Type;
use std::fmt;

impl Text<'_> {
    pub(super) fn scalarset(&self, f: &mut fmt::Formatter<'_>, set: &Scalarset) -> fmt::Result {
        let (name, span) = (quoted(&set.name), self.attribute(set.span));
        let mut head = format!("scalarset {name}{span} = {}..{}", set.first, set.last());
        if set.unordered {
            head.push_str(" unordered");
        }
        writeln!(f, "{head}{}", self.comment(set.span))?;
        for used in &set.uses {
            let text = self.scalarset_use(&used.kind);
            let span = self.attribute(used.span);
            writeln!(f, "  {text}{span}{}", self.comment(used.span))?;
        }
        Ok(())
    }

    fn scalarset_use(&self, kind: &UseKind) -> String {
        match kind {
            UseKind::Processes(id) => format!("processes {}", self.names.templates[id.index()]),
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
                format!("{}::{local}", self.names.templates[template.index()])
            }
            VariableRef::Monitor(id) => format!("::{}", self.names.monitor_locals[id.index()]),
        };
        let mut ty = self.model.variable(variable).map(|v| &v.ty);
        for &field in path {
            let Some(Type::Record(id)) = ty.map(element) else {
                break;
            };
            text.push_str(&format!(
                ".{}",
                self.names.fields[id.index()][field as usize]
            ));
            ty = Some(&self.model.record(*id).fields[field as usize].ty);
        }
        text
    }
}
