//! The state at the end of a trace, in full: a line for each variable, and one for each process with its own variables.

use super::changes::messages;
use super::given::grouped;
use super::table::{place, wrapped};
use crate::document::{ProcessPlace, StateListing};
use crate::style::tame;
use crate::text::titled::process;
use crate::text::titled::titled;
use crate::text::view::View;

/// So many equal messages are counted.
const FEWEST_COUNTED: usize = 5;

/// The section.
pub fn section(title: &str, state: &StateListing, view: &View) -> String {
    let values = state.values.iter();
    let values = values.filter(|value| view.shows(&value.name));
    let values: Vec<(&str, String)> = values
        .map(|value| (value.name.as_str(), counted(&value.value)))
        .collect();
    let shown: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let of_processes = |name: &str| owner(state, name).is_some();
    let globals: Vec<_> = shown
        .iter()
        .filter(|(name, _)| !of_processes(name))
        .collect();
    let globals = grouped(globals.into_iter().copied());
    let processes = state.processes.iter();
    let processes = processes.map(|process| process_line(process, &shown));
    let room = view
        .width
        .map_or(usize::MAX, |width| width.saturating_sub(6).max(1));
    let lines = globals.into_iter().chain(processes);
    let lines: Vec<String> = lines.flat_map(|line| hanging(&line, room)).collect();
    match lines.is_empty() {
        true => String::new(),
        false => titled(title, lines, view.colour),
    }
}

/// A value; equal messages that wait one behind the other in a channel are counted.
fn counted(value: &str) -> String {
    let Some(messages) = messages(value) else {
        return value.to_owned();
    };
    let runs = messages.chunk_by(|one, other| one == other);
    let runs: Vec<String> = runs
        .map(|run| match run.len() {
            few @ 1..FEWEST_COUNTED => vec![run[0]; few].join(", "),
            many => format!("{many} times {}", run[0]),
        })
        .collect();
    format!("[{}]", runs.join(", "))
}

/// The process whose variable that is.
fn owner<'s>(state: &'s StateListing, name: &str) -> Option<&'s ProcessPlace> {
    let mut processes = state.processes.iter();
    processes.find(|process| own_name(process, name).is_some())
}

/// The name of a variable without that of its process, if it is a variable of that one.
fn own_name<'n>(owner: &ProcessPlace, name: &'n str) -> Option<&'n str> {
    let rest = name.strip_prefix(owner.process.as_str())?;
    let rest = rest.strip_prefix('(')?;
    let rest = rest.strip_prefix(owner.pid.to_string().as_str())?;
    rest.strip_prefix("):")
}

fn process_line(owner: &ProcessPlace, values: &[(&str, &str)]) -> String {
    let own = values.iter();
    let own = own.filter_map(|(name, value)| Some((own_name(owner, name)?, *value)));
    let own = grouped(own);
    let who = process(&owner.process, owner.pid);
    let at = place(&owner.place.file, owner.place.line);
    match own.is_empty() {
        true => format!("{who} at {at}"),
        false => format!("{who} at {at}: {}", own.join(", ")),
    }
}

/// A line that goes on below, further to the right.
fn hanging(line: &str, room: usize) -> Vec<String> {
    let mut lines = wrapped(&tame(line), room);
    for later in &mut lines[1..] {
        later.insert_str(0, "    ");
    }
    lines
}
