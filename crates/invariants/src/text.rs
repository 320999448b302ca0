//! Invariants as text.
//!
//! ```text
//! mandala-invariant 1
//! constant N
//! family proc
//! members 2
//! property safety
//! property unsafe
//! for all different i, j, in one order or another:
//!      Free == True && Owner == undefined && S[i] == Out && S[j] == Out
//!   || Free == False && Owner == j && S[i] == Out && S[j] == In
//! ```
//!
//! A line is a view: for each cell, what it holds. A cell that holds a member has one of those that are named, or `other`, or `undefined`.

use crate::cells::{Cell, CellKind, Cells, OTHER, View};
use mandala_model::UncheckedModel;
use mandala_model::state::Value;
use mandala_model::types::Scalar;
use std::collections::BTreeMap;
use std::fmt;

/// The line that every text begins with.
const HEAD: &str = "mandala-invariant 1";

/// What members are called.
const NAMES: [&str; 8] = ["i", "j", "k", "l", "m", "n", "o", "p"];

const JOINED: &str = " && ";

/// An invariant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// The constant that is the size of the family.
    pub constant: String,
    /// The family.
    pub family: String,
    /// How many members a view has.
    pub members: usize,
    /// What it shows to hold, by name.
    pub properties: Vec<String>,
    /// The views.
    pub views: Vec<View>,
}

/// Why a text is no invariant of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The number of the line, from 1 on.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// The text of an invariant.
pub fn write(invariant: &Invariant, model: &UncheckedModel, cells: &Cells) -> String {
    let mut text = format!(
        "{HEAD}\nconstant {}\nfamily {}\nmembers {}\n",
        invariant.constant, invariant.family, invariant.members
    );
    for property in &invariant.properties {
        text.push_str(&format!("property {property}\n"));
    }
    let names = NAMES[..invariant.members.min(NAMES.len())].join(", ");
    text.push_str(&format!(
        "for all different {names}, in one order or another:\n"
    ));
    for (number, view) in invariant.views.iter().enumerate() {
        let start = if number == 0 { "     " } else { "  || " };
        let parts: Vec<String> = written(view, model, cells);
        text.push_str(&format!("{start}{}\n", parts.join(JOINED)));
    }
    text
}

fn written(view: &View, model: &UncheckedModel, cells: &Cells) -> Vec<String> {
    let holders = cells.holders();
    let mut parts = Vec::new();
    for (number, (cell, value)) in cells.shared.iter().zip(&view.shared).enumerate() {
        let value = match holders.iter().position(|holder| *holder == number) {
            None => shown(model, cell, *value),
            Some(mark) => {
                let marked = |m: &Vec<Value>| m[m.len() - holders.len() + mark] == 1;
                let held = view.members.iter().position(marked);
                match (held, *value) {
                    (Some(held), _) => NAMES[held].to_string(),
                    (None, 0) => "undefined".into(),
                    (None, _) => "other".into(),
                }
            }
        };
        parts.push(format!("{}{} == {value}", cell.name[0], cell.name[1]));
    }
    for (name, member) in NAMES.iter().zip(&view.members) {
        for (cell, value) in cells.member.iter().zip(member) {
            let value = shown(model, cell, *value);
            parts.push(format!("{}{name}{} == {value}", cell.name[0], cell.name[1]));
        }
    }
    parts
}

fn shown(model: &UncheckedModel, cell: &Cell, value: Value) -> String {
    match cell.kind {
        CellKind::Location(_) => format!("s{value}"),
        CellKind::Holder => value.to_string(),
        CellKind::Typed(Scalar::Coded { coding, .. }) => model.coding(coding).show(value),
        CellKind::Typed(Scalar::Bool) => (value != 0).to_string(),
        CellKind::Typed(_) => value.to_string(),
    }
}

/// The value that is shown so.
fn value_of(model: &UncheckedModel, cell: &Cell, text: &str) -> Option<Value> {
    match cell.kind {
        CellKind::Location(locations) => {
            let location = text.strip_prefix('s')?.parse().ok()?;
            (0..locations).contains(&location).then_some(location)
        }
        CellKind::Holder => None,
        CellKind::Typed(Scalar::Coded { coding, max }) => {
            (0..=max).find(|value| model.coding(coding).show(*value) == text)
        }
        CellKind::Typed(Scalar::Bool) => match text {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        },
        CellKind::Typed(scalar) => {
            let value = text.parse().ok()?;
            scalar.store(value).filter(|stored| *stored == value)
        }
    }
}

impl Invariant {
    /// What stands before the views: all but these.
    ///
    /// # Errors
    ///
    /// The first line that is not as it should be.
    pub fn head(text: &str) -> Result<(Self, usize), ReadError> {
        let error = |line: usize, message: String| Err(ReadError { line, message });
        let mut invariant = Invariant::default();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.trim();
            if line == 1 {
                if content != HEAD {
                    return error(line, format!("the first line is not `{HEAD}`"));
                }
                continue;
            }
            if content.starts_with("for all ") {
                return match invariant.members {
                    1..=8 => Ok((invariant, line)),
                    _ => error(
                        line,
                        "it is not said how many members there are, 1 to 8".into(),
                    ),
                };
            }
            match content.split_once(' ') {
                Some(("constant", name)) => invariant.constant = name.into(),
                Some(("family", name)) => invariant.family = name.into(),
                Some(("property", name)) => invariant.properties.push(name.into()),
                Some(("members", number)) => {
                    invariant.members = number.parse().map_err(|_| ReadError {
                        line,
                        message: format!("`{number}` is no number"),
                    })?;
                }
                _ => return error(line, format!("`{content}` is not part of an invariant")),
            }
        }
        error(
            1,
            "there are no views: no line begins with `for all`".into(),
        )
    }
}

/// Reads an invariant of a model.
///
/// # Errors
///
/// The first line that is not as it should be.
pub fn read(text: &str, model: &UncheckedModel, cells: &Cells) -> Result<Invariant, ReadError> {
    let (mut invariant, head) = Invariant::head(text)?;
    let names = Names::of(cells, invariant.members);
    for (line, content) in (1..).zip(text.lines()).skip(head) {
        let content = content.trim();
        if content.is_empty() {
            continue;
        }
        let content = content.strip_prefix("|| ").unwrap_or(content);
        let view = names.view(content, model, cells);
        let view = view.map_err(|message| ReadError { line, message })?;
        invariant.views.push(view);
    }
    Ok(invariant)
}

/// Where a cell is in a view.
#[derive(Clone, Copy)]
enum Place {
    Shared(usize),
    Member(usize, usize),
}

/// The cells of views with some members, by their names.
struct Names {
    places: BTreeMap<String, Place>,
    members: usize,
}

impl Names {
    fn of(cells: &Cells, members: usize) -> Self {
        let mut places = BTreeMap::new();
        for (number, cell) in cells.shared.iter().enumerate() {
            let name = format!("{}{}", cell.name[0], cell.name[1]);
            places.insert(name, Place::Shared(number));
        }
        for (member, name) in NAMES[..members].iter().enumerate() {
            for (number, cell) in cells.member.iter().enumerate() {
                let name = format!("{}{name}{}", cell.name[0], cell.name[1]);
                places.insert(name, Place::Member(member, number));
            }
        }
        Names { places, members }
    }

    fn view(&self, text: &str, model: &UncheckedModel, cells: &Cells) -> Result<View, String> {
        let holders = cells.holders();
        let mut shared: Vec<Option<Value>> = vec![None; cells.shared.len()];
        let width = cells.member.len() + holders.len();
        let mut members: Vec<Vec<Option<Value>>> = vec![vec![None; width]; self.members];
        for member in &mut members {
            member[cells.member.len()..].fill(Some(0));
        }
        for part in text.split(JOINED) {
            let (name, value) = part
                .split_once(" == ")
                .ok_or_else(|| format!("`{part}` says nothing about a cell"))?;
            let place = self.places.get(name);
            let place = *place.ok_or_else(|| format!("there is no `{name}`"))?;
            let no_value = || format!("`{value}` is no value of `{name}`");
            let given = match place {
                Place::Shared(number) => match holders.iter().position(|h| *h == number) {
                    None => value_of(model, &cells.shared[number], value).ok_or_else(no_value)?,
                    Some(mark) => match value {
                        "undefined" => 0,
                        "other" => OTHER,
                        _ => {
                            let mut known = NAMES[..self.members].iter();
                            let held = known.position(|n| *n == value).ok_or_else(no_value)?;
                            members[held][cells.member.len() + mark] = Some(1);
                            1
                        }
                    },
                },
                Place::Member(_, number) => {
                    value_of(model, &cells.member[number], value).ok_or_else(no_value)?
                }
            };
            let cell = match place {
                Place::Shared(number) => &mut shared[number],
                Place::Member(member, number) => &mut members[member][number],
            };
            if cell.replace(given).is_some() {
                return Err(format!("`{name}` has two values"));
            }
        }
        let all = |cells: Vec<Option<Value>>| -> Result<Vec<Value>, String> {
            let cells: Option<Vec<Value>> = cells.into_iter().collect();
            cells.ok_or_else(|| "a cell has no value".to_string())
        };
        let members: Result<Vec<Vec<Value>>, String> = members.into_iter().map(all).collect();
        let mut members = members?;
        members.sort();
        Ok(View {
            shared: all(shared)?,
            members,
        })
    }
}
