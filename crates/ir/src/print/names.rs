//! Names for the rows of all tables, unique where both could be meant.

use crate::constants::Constants;
use mandala_model::ids::ConditionId;
use mandala_model::model::{Model, UncheckedModel};
use mandala_model::property::PropertyKind;
use mandala_model::types::Scalar;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// The names that are printed.
pub(super) struct Names {
    pub(super) enums: Vec<String>,
    pub(super) domains: Vec<String>,
    pub(super) codings: Vec<String>,
    pub(super) records: Vec<String>,
    /// The names of the fields of each record.
    pub(super) fields: Vec<Vec<String>>,
    pub(super) globals: Vec<String>,
    pub(super) templates: Vec<String>,
    pub(super) functions: Vec<String>,
    /// The names of the local variables of each function, and then of its references.
    pub(super) frames: Vec<Vec<String>>,
    /// The names of the locals of each template and, behind them, of each automaton.
    pub(super) locals: Vec<Vec<String>>,
    /// The names of the variables of monitors.
    pub(super) monitor_locals: Vec<String>,
    /// The names of the indices of each property.
    pub(super) indices: Vec<Vec<String>>,
    /// The names of the states of the automaton of each property.
    pub(super) states: Vec<Vec<String>>,
    /// For each condition that a property asks, the first one that does.
    pub(super) asking: BTreeMap<ConditionId, usize>,
    /// The numbers that have names.
    pub(super) constants: Constants,
}

impl Names {
    pub(super) fn of(model: &Model) -> Self {
        let mut types = HashSet::new();
        let mut distinct_types = |names: Vec<&String>| distinct(&names, &mut types, is_plain_type);
        let enums = distinct_types(model.enums.iter().map(|e| &e.name).collect());
        let domains = distinct_types(model.domains.iter().map(|d| &d.name).collect());
        let codings = distinct_types(model.codings.iter().map(|c| &c.name).collect());
        let records = distinct_types(model.records.iter().map(|r| &r.name).collect());
        let fields = model.records.iter().map(|r| {
            let names: Vec<&String> = r.fields.iter().map(|f| &f.name).collect();
            alone(&names)
        });
        let templates: Vec<&String> = model.templates.iter().map(|t| &t.name).collect();
        let globals: Vec<&String> = model.globals.iter().map(|v| &v.name).collect();
        let mut variables = HashSet::new();
        let globals = distinct(&globals, &mut variables, is_plain);
        let in_sight = |names: Vec<&String>| distinct(&names, &mut variables.clone(), is_plain);
        let locals = model.runnables();
        let locals = locals.map(|(_, t)| in_sight(t.locals.iter().map(|v| &v.name).collect()));
        let monitor_locals = in_sight(model.monitor_scratch.iter().map(|v| &v.name).collect());
        let functions: Vec<&String> = model.functions.iter().map(|f| &f.name).collect();
        let frames = model.functions.iter().map(|f| {
            let variables = f.locals.iter().chain(&f.references);
            in_sight(variables.map(|v| &v.name).collect())
        });
        let indices = model.properties.iter();
        let indices = indices.map(|p| in_sight(p.kind.indices().iter().map(|v| &v.name).collect()));
        Names {
            asking: asking(model),
            indices: indices.collect(),
            states: model.properties.iter().map(|p| states(&p.kind)).collect(),
            locals: locals.collect(),
            monitor_locals,
            functions: alone(&functions),
            frames: frames.collect(),
            fields: fields.collect(),
            templates: alone(&templates),
            constants: Constants::of(model),
            enums,
            domains,
            codings,
            records,
            globals,
        }
    }

    /// The type of a cell.
    pub(super) fn scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Int { bits, signed: true } => format!("i{bits}"),
            Scalar::Int {
                bits,
                signed: false,
            } => format!("u{bits}"),
            Scalar::Bool => "bool".into(),
            Scalar::Range { min, max } => format!("{min}..{max}"),
            Scalar::Enum(id) => self.enums[id.index()].clone(),
            Scalar::Id(id) => self.domains[id.index()].clone(),
            Scalar::Coded { coding, max } => {
                format!("{}({max})", self.codings[coding.index()])
            }
            Scalar::Process => "process".into(),
            Scalar::Channel => "chan".into(),
        }
    }
}

/// For each condition, the number of the first property that asks it, whose indices it may read.
pub(crate) fn asking(model: &UncheckedModel) -> BTreeMap<ConditionId, usize> {
    let mut asking = BTreeMap::new();
    for (number, property) in model.properties.iter().enumerate() {
        for condition in property.kind.conditions() {
            asking.entry(condition).or_insert(number);
        }
    }
    asking
}

fn states(kind: &PropertyKind) -> Vec<String> {
    let PropertyKind::NoRun(question) = kind else {
        return Vec::new();
    };
    let names: Vec<&String> = question.automaton.states.iter().map(|s| &s.name).collect();
    alone(&names)
}

/// The names of a table that no other one is looked up with.
fn alone(names: &[&String]) -> Vec<String> {
    distinct(names, &mut HashSet::new(), is_plain)
}

/// The names as they are printed, each followed by a number if it is taken already.
fn distinct(
    names: &[&String],
    taken: &mut HashSet<String>,
    is_plain: fn(&str) -> bool,
) -> Vec<String> {
    let mut name = |(index, name): (usize, &&String)| {
        let name = spelled(name, is_plain);
        let numbered = (index..).map(|number| format!("{name}#{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| !taken.contains(candidate));
        let free = free.unwrap_or(name);
        taken.insert(free.clone());
        free
    };
    names.iter().enumerate().map(&mut name).collect()
}

/// A name that is looked up nowhere, or with others of its table.
pub(super) fn quoted(name: &str) -> String {
    spelled(name, is_plain)
}

fn spelled(name: &str, is_plain: fn(&str) -> bool) -> String {
    match is_plain(name) {
        true => name.to_owned(),
        false => Quoted(name).to_string(),
    }
}

/// Whether a name can stand without quotes.
fn is_plain(name: &str) -> bool {
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
    let goes_on = |c: char| starts(c) || c.is_ascii_digit();
    name.starts_with(starts) && name.chars().all(goes_on) && name != "_"
}

/// Whether the name of a type can: it is not one of those that everybody has.
fn is_plain_type(name: &str) -> bool {
    is_plain(name) && crate::scalar_of_word(name).is_none()
}

/// A name between backquotes, with the escapes of strings.
struct Quoted<'n>(&'n str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`")?;
        for c in self.0.chars() {
            match c {
                '`' | '\\' => write!(f, "\\{c}")?,
                '"' | '\'' => write!(f, "{c}")?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        write!(f, "`")
    }
}
