//! A name for every row of the tables, and no two of them alike where both can be meant.

use crate::ids::ConditionId;
use crate::model::Model;
use std::collections::{BTreeMap, HashSet};

/// The names that are printed.
pub(super) struct Names {
    pub(super) enums: Vec<String>,
    pub(super) domains: Vec<String>,
    pub(super) codings: Vec<String>,
    pub(super) records: Vec<String>,
    pub(super) globals: Vec<String>,
    pub(super) templates: Vec<String>,
    /// The names of the locals of each template and, behind them, of each automaton.
    pub(super) locals: Vec<Vec<String>>,
    /// The names of the indices of each property.
    pub(super) indices: Vec<Vec<String>>,
    /// For each condition that a property asks, the first one that does.
    pub(super) asking: BTreeMap<ConditionId, usize>,
}

impl Names {
    pub(super) fn of(model: &Model) -> Self {
        let mut types = HashSet::new();
        let enums = distinct(model.enums.iter().map(|e| &e.name), &mut types);
        let domains = distinct(model.domains.iter().map(|d| &d.name), &mut types);
        let codings = distinct(model.codings.iter().map(|c| &c.name), &mut types);
        let records = distinct(model.records.iter().map(|r| &r.name), &mut types);
        let mut templates = HashSet::new();
        let templates = distinct(model.templates.iter().map(|t| &t.name), &mut templates);
        let mut variables = HashSet::new();
        let globals = distinct(model.globals.iter().map(|v| &v.name), &mut variables);
        let locals = model.runnables().map(|(_, template)| {
            let names = template.locals.iter().map(|v| &v.name);
            distinct(names, &mut variables.clone())
        });
        let indices = model.properties.iter().map(|property| {
            let names = property.kind.indices().iter().map(|v| &v.name);
            distinct(names, &mut variables.clone())
        });
        let mut asking = BTreeMap::new();
        for (number, property) in model.properties.iter().enumerate() {
            for condition in property.kind.conditions() {
                asking.entry(condition).or_insert(number);
            }
        }
        Names {
            asking,
            indices: indices.collect(),
            enums,
            domains,
            codings,
            records,
            locals: locals.collect(),
            globals,
            templates,
        }
    }
}

/// The names, each followed by its number if it is taken already.
fn distinct<'n>(
    names: impl Iterator<Item = &'n String>,
    taken: &mut HashSet<&'n str>,
) -> Vec<String> {
    let name = |(index, name): (usize, &'n String)| {
        if taken.insert(name) {
            name.clone()
        } else {
            format!("{name}#{index}")
        }
    };
    names.enumerate().map(name).collect()
}
