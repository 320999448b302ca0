//! The document as text for a person: the verdict first, then why, then how it came to that, then
//! what it cost and what was never reached.
//!
//! Only what is known is said, and every limit is: a search that did not see everything says so in
//! the same breath as its numbers.

mod coverage;
mod covered;
mod every;
pub mod progress;
mod search;
mod statements;
pub mod symmetry;
mod threads;
mod titled;
mod trace;
mod view;
mod violation;

use crate::document::{
    ClaimSteps, Document, PropertyKind, PropertyResult, Trace, Verdict, Violation, ViolationKind,
};
use crate::style::{Colour, Tone, tame};
use titled::titled;
use trace::Ending;

pub use trace::steps;
pub use view::{Detail, View};
pub use violation::waiting;

/// The whole report.
pub fn render(document: &Document, view: &View) -> String {
    let colour = view.colour;
    let mut sections = vec![headline(document, colour)];
    for (number, (violation, trace)) in document.counterexamples().enumerate() {
        // The headline has introduced the first one.
        if number > 0 {
            sections.push(further(violation, colour));
        }
        let claim_steps = document.claim_steps(violation.property_id);
        sections.push(run(violation, trace, claim_steps, view));
    }
    sections.extend(witnesses(document, view));
    sections.extend(properties(document, colour));
    sections.extend(threads::section(document, colour));
    sections.extend(every::section(document, colour));
    sections.extend(searched(document).then(|| search::section(document, colour)));
    sections.extend(symmetry::section(document, colour));
    sections.extend(coverage::section(document, colour));
    sections.extend(statements::section(document, colour));
    sections.extend(warnings(document, colour));
    sections.retain(|s| !s.is_empty());
    fitted(&sections.join("\n"), view)
}

/// Whether a search of states has a share in the verdict: every number of threads, or every size of a family, may be decided without one.
fn searched(document: &Document) -> bool {
    let threads = document.threads.as_ref();
    let every = document.every.as_ref();
    let by_views = every.is_some_and(|every| every.smallest.is_none());
    threads.is_none_or(|threads| threads.at_most.is_some()) && !by_views
}

/// Runs that show that properties hold.
fn witnesses(document: &Document, view: &View) -> Vec<String> {
    let shown = document.properties.iter();
    let shown = shown.filter_map(|property| Some((property, property.witness.as_ref()?)));
    let section = |(property, trace): (&PropertyResult, &Trace)| {
        let title = format!("`{}` holds, as this run shows", tame(&property.name));
        let title = titled(&title, [], view.colour);
        let claim_steps = document.claim_steps(property.id);
        title + &trace::section(trace, claim_steps, Ending::State, view)
    };
    shown.map(section).collect()
}

fn further(violation: &Violation, colour: Colour) -> String {
    let (mark, tone) = mark(Verdict::Violated);
    let verdict = colour.paint(tone, format_args!("{mark} also violated"));
    let property = tame(&violation.property);
    format!("{verdict}  {property}: {}\n", tame(&violation.message))
}

/// One violation: why, and the run that leads there.
pub fn run(violation: &Violation, trace: &Trace, claim_steps: ClaimSteps, view: &View) -> String {
    let why = violation::section(violation, view);
    let ending = match violation.kind {
        ViolationKind::Assertion | ViolationKind::RuntimeError | ViolationKind::Events => {
            Ending::Statement
        }
        _ => Ending::State,
    };
    let trace = trace::section(trace, claim_steps, ending, view);
    let text = match why.is_empty() {
        true => trace,
        false => format!("{why}\n{trace}"),
    };
    fitted(&text, view)
}

/// The text with its lines wrapped between words where they are wider than the view. What goes on below is moved to the right.
pub fn fitted(text: &str, view: &View) -> String {
    let Some(width) = view.width else {
        return text.to_owned();
    };
    text.split_inclusive('\n')
        .map(|line| fitted_line(line, width))
        .collect()
}

fn fitted_line(line: &str, width: usize) -> String {
    let text = line.trim_end_matches('\n');
    if textwrap::core::display_width(text) <= width {
        return line.to_owned();
    }
    let words = text.trim_start_matches(' ');
    let indent = text.len() - words.len();
    let first = " ".repeat(indent);
    let later = " ".repeat(indent + 2);
    let lines = trace::wrapped(words, width.saturating_sub(indent + 2).max(1));
    format!("{first}{}\n", lines.join(&format!("\n{later}")))
}

/// The verdict alone, in one line, with what it covers.
pub fn headline(document: &Document, colour: Colour) -> String {
    let (mark, tone) = mark(document.verdict);
    let verdict = colour.paint(tone, format_args!("{mark} {}", document.verdict));
    let verdict = match covered::phrase(document) {
        Some(covered) => format!("{verdict}: {}", tame(&covered)),
        None => verdict,
    };
    let path = tame(&document.model.path);
    match headline_reason(document) {
        Some(reason) => format!("{verdict}  {path}: {}\n", tame(&reason)),
        None => format!("{verdict}  {path}\n"),
    }
}

fn headline_reason(document: &Document) -> Option<String> {
    match document.verdict {
        Verdict::Holds | Verdict::Value => None,
        Verdict::Violated => {
            let shown = document.violation.as_ref().map(|v| v.message.clone());
            shown.or_else(|| first_reason(document))
        }
        Verdict::Unknown => first_reason(document),
    }
}

/// Why the first property has the verdict that the whole has.
fn first_reason(document: &Document) -> Option<String> {
    let mut properties = document.properties.iter();
    let property = properties.find(|p| p.verdict == document.verdict)?;
    let reason = property.reason.as_ref()?;
    Some(match document.verdict {
        Verdict::Violated => format!("{}: {reason}", property.name),
        Verdict::Holds | Verdict::Unknown | Verdict::Value => reason.clone(),
    })
}

fn mark(verdict: Verdict) -> (char, Tone) {
    match verdict {
        Verdict::Holds => ('✓', Tone::Good),
        Verdict::Violated => ('✗', Tone::Bad),
        Verdict::Unknown => ('?', Tone::Doubtful),
        Verdict::Value => ('=', Tone::Good),
    }
}

/// The properties one by one, unless there is only one and the headline has said it all.
fn properties(document: &Document, colour: Colour) -> Option<String> {
    let all = &document.properties;
    let only_safety = all.len() == 1 && all[0].kind == PropertyKind::Safety;
    if all.is_empty() || only_safety {
        return None;
    }
    let width = all.iter().map(|p| p.name.chars().count()).max()?;
    let without_deadlock = document.search.deadlock == "off";
    let lines = all
        .iter()
        .map(|p| property(p, width, without_deadlock, colour));
    Some(titled("Properties", lines, colour))
}

fn property(
    property: &PropertyResult,
    width: usize,
    without_deadlock: bool,
    colour: Colour,
) -> String {
    let (_, tone) = mark(property.verdict);
    let verdict = colour.paint(tone, format_args!("{:<8}", property.verdict.to_string()));
    let name = tame(&property.name);
    let kind = match property.kind {
        PropertyKind::Safety if without_deadlock => "assertions, run-time errors".to_string(),
        kind => kind.to_string(),
    };
    let mut line = format!("{name:<width$}  {verdict}  {kind}");
    if let Some(reason) = &property.reason {
        line.push_str(": ");
        line.push_str(&tame(reason));
    }
    line + &values(property)
}

/// The values of a property, as far as they are known.
fn values(property: &PropertyResult) -> String {
    match (&property.value, &property.greatest) {
        (Some(least), Some(greatest)) => format!(": least {least}; greatest {greatest}"),
        (Some(only), None) => format!(": {only}"),
        (None, _) => String::new(),
    }
}

fn warnings(document: &Document, colour: Colour) -> Option<String> {
    if document.warnings.is_empty() {
        return None;
    }
    let label = colour.paint(Tone::Doubtful, "warning");
    let lines = document.warnings.iter();
    Some(lines.map(|w| format!("{label}: {}\n", tame(w))).collect())
}
