//! Declared symmetry.

use super::Reader;
use super::tables::look_up;
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{ChannelKindId, LocalId};
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef, element};
use mandala_model::types::Type;

impl Reader<'_> {
    pub(super) fn scalarset(&mut self) -> Fallible<()> {
        let own = self.here();
        let name = self.name("the name of a set")?.name;
        let span = self.span_or(own)?;
        self.expect("=")?;
        let range = self.here();
        let first = self.integer()?;
        self.expect("..")?;
        let last = self.integer()?;
        let size = i128::from(last) - i128::from(first) + 1;
        let Some(size) = u32::try_from(size).ok().filter(|size| *size > 0) else {
            return Err(error(
                self.since(range),
                "expected a range with at least one number",
            ));
        };
        let unordered = self.eat_word("unordered");
        let mut uses = Vec::new();
        while let Some(kind) = self.scalarset_use()? {
            let own = self.here();
            let span = self.span_or(own)?;
            uses.push(ScalarsetUse { kind, span });
        }
        let set = Scalarset {
            name,
            span,
            first,
            size,
            uses,
            unordered,
        };
        self.model.scalarsets.push(set);
        Ok(())
    }

    fn scalarset_use(&mut self) -> Fallible<Option<UseKind>> {
        if self.eat_word("processes") {
            return Ok(Some(UseKind::Processes(self.template()?)));
        }
        if self.eat_word("holds") {
            let (variable, path) = self.fields()?;
            return Ok(Some(UseKind::Holds { variable, path }));
        }
        if self.eat_word("indexes") {
            let (variable, path) = self.fields()?;
            let mut count = 0_u32;
            while count == 0 || self.is_symbol("[") {
                self.expect("[")?;
                self.expect("]")?;
                count = count.saturating_add(1);
            }
            let dimension = count - 1;
            return Ok(Some(UseKind::Indexes {
                variable,
                path,
                dimension,
            }));
        }
        if self.eat_word("message") {
            let kind = ChannelKindId(self.numbered("kind", "a kind of channel")?);
            self.expect(",")?;
            let field = self.natural()?;
            return Ok(Some(UseKind::Message { kind, field }));
        }
        Ok(None)
    }

    /// A variable: `x`, `TEMPLATE::x`, or `::x` if it is one of monitors.
    fn used_variable(&mut self) -> Fallible<VariableRef> {
        let span = self.here();
        if self.eat("::") {
            let own = self.here();
            let local = self.name("the name of a variable of monitors")?;
            let Some(known) = self.known else {
                return Ok(VariableRef::Monitor(LocalId(0)));
            };
            let names = &known.tables.monitor_locals;
            let id = look_up(names, &local, own, "variable of monitors")?;
            return Ok(VariableRef::Monitor(id));
        }
        let key = self.name("the name of a variable")?;
        if !self.eat("::") {
            return self.global_named(&key, span).map(VariableRef::Global);
        }
        let template = self.template_named(&key, span)?;
        let own = self.here();
        let local = self.name("the name of a local variable")?;
        let local = self.local_of(template, &local, own)?;
        Ok(VariableRef::Local(template, local))
    }

    /// A variable and the fields of a path in it: `x.f`.
    fn fields(&mut self) -> Fallible<(VariableRef, Vec<u32>)> {
        let variable = self.used_variable()?;
        let known = self.known;
        let mut ty = known
            .and_then(|k| k.model.variable(variable))
            .map(|v| &v.ty);
        let mut path = Vec::new();
        while self.eat(".") {
            let span = self.here();
            let key = self.name("the name of a field")?;
            let Some(known) = known else { continue };
            let Some(Type::Record(id)) = ty.map(element) else {
                return Err(error(span, "only a record has fields"));
            };
            let field = look_up(&known.tables.fields[id.index()], &key, span, "field")?;
            path.push(field);
            ty = known
                .model
                .record(*id)
                .fields
                .get(field as usize)
                .map(|f| &f.ty);
        }
        Ok((variable, path))
    }
}
