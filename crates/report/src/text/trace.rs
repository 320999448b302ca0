//! A trace as a table: number, who, where, what, and only what changed.

mod changes;
mod given;
mod group;
mod last;
mod table;

use super::view::{Detail, View};
use crate::document::{Actor, ClaimSteps, Step, Trace, system_steps};
use crate::style::{Tone, counted, grouped};
use crate::text::titled::titled;
use group::groups;
use table::table;

pub use group::Ending;
pub use table::wrapped;

/// Longer traces are shown with their middle left out; the document has all of it.
const SHOWN_WHOLE: usize = 400;
/// How many rows are shown before the gap.
const SHOWN_FIRST: usize = 50;
/// How many rows are shown after the gap.
const SHOWN_LAST: usize = 200;

/// The sections with the trace and its last state. Only the steps of the system have numbers and count.
pub fn section(trace: &Trace, claim_steps: ClaimSteps, ending: Ending, view: &View) -> String {
    let before = trace.before_cycle.unwrap_or(trace.steps.len());
    let (prefix, cycle) = trace.steps.split_at(before.min(trace.steps.len()));
    let count = system_steps(prefix);
    let mut text = String::new();
    if trace.before_cycle.is_none() {
        let title = title(count, trace.shortest);
        text += &part(&title, prefix, claim_steps, ending, view);
    } else {
        if count > 0 {
            let title = counted(count as u64, "step");
            text += &part(&title, prefix, claim_steps, Ending::State, view);
        }
        text += &cycle_part(cycle, claim_steps, count, view);
    }
    let title = match trace.before_cycle {
        None => "Last state",
        Some(_) => "State in which the cycle begins",
    };
    let last = trace.last_state.as_ref();
    let last = last.map(|state| last::section(title, state, view));
    match last.filter(|last| !last.is_empty()) {
        Some(last) => format!("{text}\n{last}"),
        None => text,
    }
}

fn title(steps: usize, shortest: bool) -> String {
    let count = counted(steps as u64, "step");
    match (steps, shortest) {
        (0, _) => "no step: it is so from the start".into(),
        (_, true) => format!("{count}, a shortest one"),
        (_, false) => format!("{count}, maybe not a shortest one"),
    }
}

fn part(
    title: &str,
    steps: &[Step],
    claim_steps: ClaimSteps,
    ending: Ending,
    view: &View,
) -> String {
    let (lines, folded) = lines(steps, claim_steps, ending, view);
    let hint = if folded {
        "; `--steps full` shows each"
    } else {
        ""
    };
    titled(&format!("Trace ({title}{hint})"), lines, view.colour)
}

fn cycle_part(cycle: &[Step], claim_steps: ClaimSteps, before: usize, view: &View) -> String {
    let (lines, _) = lines(cycle, claim_steps, Ending::State, view);
    let steps = counted(system_steps(cycle) as u64, "step");
    let title = match (before, system_steps(cycle)) {
        (_, 0) => "Then the last state repeats forever: no process moves any more".into(),
        (0, _) => format!("Trace ({steps} that repeat forever)"),
        _ => format!("Then this repeats forever ({steps})"),
    };
    titled(&title, lines, view.colour)
}

/// The lines of steps, and whether some steps have none of their own.
fn lines(
    steps: &[Step],
    claim_steps: ClaimSteps,
    ending: Ending,
    view: &View,
) -> (Vec<String>, bool) {
    let shown = |s: &&Step| s.actor == Actor::Process || claim_steps == ClaimSteps::Shown;
    let steps: Vec<&Step> = steps.iter().filter(shown).collect();
    let groups = groups(&steps, ending, view);
    let folded = groups.len() < steps.len();
    if groups.is_empty() && folded {
        return (vec![nothing_shown(view)], folded);
    }
    if groups.len() <= SHOWN_WHOLE {
        return (table(&groups, view), folded);
    }
    let last = groups.len() - SHOWN_LAST;
    let before = groups[SHOWN_FIRST - 1].first().number;
    let after = groups[last].first().number;
    let note = format!(
        "... steps {} to {} are left out here; `--json FILE` writes them all ...",
        grouped(u64::from(before) + 1),
        grouped(u64::from(after).saturating_sub(1))
    );
    let mut lines = table(&groups[..SHOWN_FIRST], view);
    lines.push(view.colour.paint(Tone::Faint, note));
    lines.extend(table(&groups[last..], view));
    (lines, folded)
}

/// What is said where no step has a line.
fn nothing_shown(view: &View) -> String {
    match view.detail {
        Detail::Messages => "no message is sent or received; `--steps short` shows what is done",
        Detail::Short | Detail::Full => "only jumps; `--steps full` shows them",
    }
    .into()
}

/// Each step, as a table of its own.
pub fn steps(steps: &[Step], view: &View) -> String {
    let steps: Vec<&Step> = steps.iter().collect();
    let view = View {
        detail: Detail::Full,
        ..view.clone()
    };
    let lines = table(&groups(&steps, Ending::State, &view), &view);
    let lines = lines.iter();
    lines
        .map(|line| format!("  {}\n", line.trim_end()))
        .collect()
}
