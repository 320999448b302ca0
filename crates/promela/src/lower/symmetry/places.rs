//! The subject of a declared use: one variable, all local variables of one name, or all cells of a type.

use super::facts::{Fact, What};
use super::{Declarer, MOST_USES, SetId};
use crate::ast::{Ident, SymmetryUse, UseStep};
use crate::lower::{Lowered, Lowering, fail, fail_with};
use crate::suggest::closest;
use mandala_model::ids::{ChannelKindId, GlobalId, LocalId, RecordId, TemplateId};
use mandala_model::symmetry::{UseKind, VariableRef, element};
use mandala_model::types::Type;

/// Where a structure of a type is.
enum Place {
    /// In a variable, behind these fields.
    Variable(VariableRef, Vec<u32>),
    /// In messages, from this cell on.
    Message(ChannelKindId, usize),
}

impl Declarer<'_> {
    /// States what a use says.
    pub(super) fn use_of(&mut self, used: &SymmetryUse, own: SetId) -> Lowered<()> {
        let name = &used.path[0].name;
        let globals = &self.lowering.globals;
        if let Some(&(id, _)) = globals.variables.get(&*name.name) {
            return self.global(used, own, id);
        }
        if let Some(&id) = globals.templates.get(&*name.name) {
            return match used.path.len() {
                1 => self.processes(used, own, id),
                _ => self.locals(used, own, id),
            };
        }
        match globals.records.get(&*name.name) {
            Some(&id) => self.everywhere(used, own, id),
            None => self.unknown(name),
        }
    }

    fn global(&mut self, used: &SymmetryUse, own: SetId, id: GlobalId) -> Lowered<()> {
        let variable = self.lowering.model.global(id);
        let facts = self.facts_of_variable(used, own, variable, &used.path)?;
        self.state_of_variable(used, VariableRef::Global(id), facts)
    }

    /// The numbers of the processes are the names.
    fn processes(&mut self, used: &SymmetryUse, own: SetId, id: TemplateId) -> Lowered<()> {
        let step = &used.path[0];
        if step.index.is_some() || used.message.is_some() {
            let message = format!("`{}` is a proctype: write its name alone", step.name.name);
            return fail(used.span, message);
        }
        let set = match &used.holds {
            Some(set) => self.set_of(set)?,
            None => own,
        };
        self.state(set, UseKind::Processes(id), used.span, true)
    }

    /// All local variables of the name: blocks may have one each.
    fn locals(&mut self, used: &SymmetryUse, own: SetId, id: TemplateId) -> Lowered<()> {
        no_index(&used.path[0], "proctype")?;
        let name = &used.path[1].name;
        let locals = &self.lowering.model.template(id).locals;
        let named: Vec<usize> = (0..locals.len())
            .filter(|&at| *locals[at].name == *name.name)
            .collect();
        if named.is_empty() {
            return self.no_local(id, name);
        }
        for at in named {
            let variable = &self.lowering.model.template(id).locals[at];
            let facts = self.facts_of_variable(used, own, variable, &used.path[1..])?;
            let variable = VariableRef::Local(id, LocalId::from(at));
            self.state_of_variable(used, variable, facts)?;
        }
        Ok(())
    }

    fn no_local(&self, id: TemplateId, name: &Ident) -> Lowered<()> {
        let template = self.lowering.model.template(id);
        let message = format!("`{}` has no variable `{}`", template.name, name.name);
        match closest(&name.name, template.locals.iter().map(|v| v.name.as_str())) {
            Some(similar) => fail_with(name.span, message, format!("is `{similar}` meant?")),
            None => fail(name.span, message),
        }
    }

    fn state_of_variable(
        &mut self,
        used: &SymmetryUse,
        variable: VariableRef,
        facts: Vec<Fact>,
    ) -> Lowered<()> {
        for fact in facts {
            let kind = in_variable(variable, &[], &fact.what);
            self.state(fact.set, kind, used.span, true)?;
        }
        Ok(())
    }

    /// Every variable and message that has a structure of the type.
    fn everywhere(&mut self, used: &SymmetryUse, own: SetId, id: RecordId) -> Lowered<()> {
        let step = &used.path[0];
        no_index(step, "type")?;
        if used.path.len() == 1 {
            let message = format!("`{}` is a type: say which of its fields", step.name.name);
            return fail(used.span, message);
        }
        let places = places_of(self.lowering, id);
        if places.is_empty() {
            let message = format!("nothing in the model has the type `{}`", step.name.name);
            return fail(step.name.span, message);
        }
        for fact in self.facts_of_type(used, own, id, &used.path[1..])? {
            for place in &places {
                for kind in at_place(self.lowering, id, place, &fact.what) {
                    self.state(fact.set, kind, used.span, false)?;
                }
            }
        }
        Ok(())
    }

    fn unknown(&self, name: &Ident) -> Lowered<()> {
        let message = format!("there is no variable, proctype or type `{}`", name.name);
        match self.meant(name) {
            Some(help) => fail_with(name.span, message, help),
            None => fail(name.span, message),
        }
    }

    /// What may be meant by a name that is unknown.
    fn meant(&self, name: &Ident) -> Option<String> {
        let templates = &self.lowering.model.templates;
        let has = |t: &&mandala_model::template::Template| {
            t.locals.iter().any(|local| *local.name == *name.name)
        };
        if let Some(template) = templates.iter().find(has) {
            let (process, name) = (&template.name, &name.name);
            return Some(format!(
                "the variable of `{process}` is written `{process}.{name}`"
            ));
        }
        let globals = &self.lowering.globals;
        let names = globals.variables.keys().chain(globals.templates.keys());
        let names = names.chain(globals.records.keys()).map(String::as_str);
        let similar = closest(&name.name, names)?;
        Some(format!("is `{similar}` meant?"))
    }
}

fn no_index(step: &UseStep, what: &str) -> Lowered<()> {
    match step.index {
        None => Ok(()),
        Some(_) => fail(
            step.name.span,
            format!("`{}` is a {what}, not an array", step.name.name),
        ),
    }
}

/// A fact about a structure in a variable, behind the fields of `prefix`.
fn in_variable(variable: VariableRef, prefix: &[u32], what: &What) -> UseKind {
    match what {
        What::Holds { path } => UseKind::Holds {
            variable,
            path: [prefix, path].concat(),
        },
        What::Indexes { path } => UseKind::Indexes {
            variable,
            path: [prefix, path].concat(),
            dimension: 0,
        },
        What::Carries { kind, field } => UseKind::Message {
            kind: *kind,
            field: *field,
        },
    }
}

/// A fact about a type, said about a place that has it. By what an array is indexed inside of a
/// message cannot be said: a message is a row of cells.
fn at_place(lowering: &Lowering, record: RecordId, place: &Place, what: &What) -> Vec<UseKind> {
    match (place, what) {
        (Place::Variable(variable, prefix), _) => vec![in_variable(*variable, prefix, what)],
        (Place::Message(kind, start), What::Holds { path }) => {
            let cells = cells_at(lowering, &Type::Record(record), path, *start);
            let message = |cell| UseKind::Message {
                kind: *kind,
                field: cell as u32,
            };
            cells.into_iter().map(message).collect()
        }
        (Place::Message(..), _) => Vec::new(),
    }
}

/// All places that have a structure of the type; of very many, some more than can be used.
fn places_of(lowering: &Lowering, record: RecordId) -> Vec<Place> {
    let mut found = Vec::new();
    for (variable, ty) in all_variables(lowering) {
        if found.len() > MOST_USES {
            return found;
        }
        let mut paths = Vec::new();
        paths_to(lowering, ty, record, &mut Vec::new(), &mut paths);
        let place = |path| Place::Variable(variable, path);
        found.extend(paths.into_iter().map(place));
    }
    for (kind, types) in lowering.messages.iter().enumerate() {
        let mut start = 0;
        for ty in types {
            let mut starts = Vec::new();
            starts_of(lowering, ty, record, start, &mut starts);
            let place = |start| Place::Message(ChannelKindId::from(kind), start);
            found.extend(starts.into_iter().map(place));
            start += lowering.model.cells(ty);
        }
    }
    found
}

fn all_variables(lowering: &Lowering) -> Vec<(VariableRef, &Type)> {
    let globals = lowering.model.globals.iter().enumerate();
    let globals = globals.map(|(at, v)| (VariableRef::Global(GlobalId::from(at)), &v.ty));
    let templates = lowering.model.templates.iter().enumerate();
    let locals = templates.flat_map(|(template, t)| {
        let id = TemplateId::from(template);
        let locals = t.locals.iter().enumerate();
        locals.map(move |(at, v)| (VariableRef::Local(id, LocalId::from(at)), &v.ty))
    });
    globals.chain(locals).collect()
}

/// The paths of fields from a type to the structures of another one in it.
fn paths_to(
    lowering: &Lowering,
    ty: &Type,
    record: RecordId,
    path: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) {
    let Type::Record(id) = element(ty) else {
        return;
    };
    if *id == record {
        return found.push(path.clone());
    }
    for (at, field) in lowering.model.record(*id).fields.iter().enumerate() {
        path.push(at as u32);
        paths_to(lowering, &field.ty, record, path, found);
        path.pop();
    }
}

/// The cells at which the structures of a type start in a value of another type.
fn starts_of(
    lowering: &Lowering,
    ty: &Type,
    record: RecordId,
    start: usize,
    found: &mut Vec<usize>,
) {
    let mut paths = Vec::new();
    paths_to(lowering, ty, record, &mut Vec::new(), &mut paths);
    for path in paths {
        found.extend(cells_at(lowering, ty, &path, start));
    }
}

/// The first cell of each element at the end of a path, in a value that starts at `start`.
fn cells_at(lowering: &Lowering, ty: &Type, path: &[u32], start: usize) -> Vec<usize> {
    let inner = element(ty);
    let size = lowering.model.cells(inner);
    let starts = (0..lowering.model.cells(ty)).step_by(size);
    let starts = starts.map(|at| start + at);
    let (Some((&field, rest)), Type::Record(id)) = (path.split_first(), inner) else {
        return starts.collect();
    };
    let fields = &lowering.model.record(*id).fields;
    let before: usize = fields[..field as usize]
        .iter()
        .map(|f| lowering.model.cells(&f.ty))
        .sum();
    let ty = &fields[field as usize].ty;
    starts
        .flat_map(|at| cells_at(lowering, ty, rest, at + before))
        .collect()
}
