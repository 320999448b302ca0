//! The section about the search, its cost, and whether it was complete.

use crate::document::{Document, PropertyResult, Reduction, Search, Stats, Verdict};
use crate::style::{Colour, bytes, counted, duration, grouped, percent, tame};
use crate::text::titled::titled;

/// Of a search that was over sooner, rates and shares say nothing.
const WORTH_A_RATE: f64 = 0.05;

/// A share of the time is told that is at least this.
const WORTH_TELLING: f64 = 0.01;

/// The section about the search.
pub fn section(document: &Document, colour: Colour) -> String {
    let stats = &document.stats;
    let mut lines = vec![size(stats), cost(stats)];
    lines.extend(diagrams(stats));
    lines.extend(effort(&document.search, stats));
    lines.extend(violation_count(stats));
    lines.push(completeness(document));
    lines.extend(estimate(document));
    lines.extend(reductions(document));
    lines.extend(checkpoint(document));
    titled(&title(document), lines, colour)
}

fn title(document: &Document) -> String {
    let search = &document.search;
    let mut words = search.order.clone();
    if !is_exact(search) {
        words.push_str(&format!(", as `--store {}` needs it", tame(&search.store)));
    }
    let searches = searched(document).count();
    if searches > 1 {
        words.push_str(&format!(", {searches} searches in sum"));
    }
    format!("Search ({words})")
}

/// Whether whole states were compared. Older documents do not say, because there was nothing else.
fn is_exact(search: &Search) -> bool {
    matches!(search.store.as_str(), "" | "exact")
}

fn searched(document: &Document) -> impl Iterator<Item = &PropertyResult> {
    document.properties.iter().filter(|p| p.stats.is_some())
}

fn size(stats: &Stats) -> String {
    let (states, transitions) = match &stats.diagrams {
        Some(diagrams) => (diagrams.states, diagrams.transitions),
        None => (stats.states.into(), stats.transitions.into()),
    };
    let fired = stats.fired.filter(|fired| *fired != stats.transitions);
    let fired = fired.map(|fired| format!(" ({} fired)", grouped(fired)));
    format!(
        "{}, {}{}, depth {}",
        counted(states, "state"),
        counted(transitions, "transition"),
        fired.unwrap_or_default(),
        grouped(stats.depth)
    )
}

/// How large the diagram of all states is.
fn diagrams(stats: &Stats) -> Option<String> {
    let diagrams = stats.diagrams?;
    Some(format!(
        "{} for states of {}",
        counted(diagrams.nodes, "node"),
        counted(diagrams.bits, "bit")
    ))
}

fn cost(stats: &Stats) -> String {
    let mut text = duration(stats.seconds);
    // A diagram has no part that belongs to one state.
    let one_by_one = stats.diagrams.is_none();
    if one_by_one && stats.seconds >= WORTH_A_RATE {
        text.push_str(&format!(
            " ({} states/s, {} transitions/s)",
            grouped(rate(stats.states, stats)),
            grouped(rate(stats.transitions, stats))
        ));
    }
    if stats.peak_bytes > 0 {
        text.push_str(&format!(", {}", bytes(stats.peak_bytes)));
    }
    if one_by_one && stats.bytes_per_state > 0.0 {
        text.push_str(&format!(" ({:.1} bytes a state)", stats.bytes_per_state));
    }
    text
}

fn rate(number: u64, stats: &Stats) -> u64 {
    (number as f64 / stats.seconds) as u64
}

/// Who did the work and where the time went, if there was enough of it.
fn effort(search: &Search, stats: &Stats) -> Option<String> {
    let split = stats.split.filter(|split| split.total() > 0.0)?;
    if stats.seconds < WORTH_A_RATE {
        return None;
    }
    let share = |part: f64| percent(part / stats.seconds);
    let mut parts = vec![format!("expanding {}", share(split.expand))];
    if split.canonicalise > 0.0 {
        parts.push(format!("canonicalising {}", share(split.canonicalise)));
    }
    parts.push(format!("storing {}", share(split.store)));
    let rest = stats.seconds - split.total();
    if rest / stats.seconds >= WORTH_TELLING {
        parts.push(format!("other {}", share(rest)));
    }
    Some(format!(
        "{}, {}, {:.1} successors a state; {}",
        counted(search.workers, "worker"),
        successors(search, stats),
        stats.branching,
        parts.join(", ")
    ))
}

/// How successors were found.
fn successors(search: &Search, stats: &Stats) -> String {
    let share = stats.expanded_natively as f64 / stats.expanded.max(1) as f64;
    match stats.expanded_natively {
        0 if search.interpret => "no native code (`--interpret`)".into(),
        0 => "no native code".into(),
        _ if share > 0.995 => "native code".into(),
        _ => format!("native code for {} of the states", percent(share)),
    }
}

fn violation_count(stats: &Stats) -> Option<String> {
    (stats.violations > 1).then(|| format!("{} met", counted(stats.violations, "violation")))
}

fn completeness(document: &Document) -> String {
    match (&document.coverage.complete, &document.coverage.reason) {
        (true, _) => "every reachable state was visited".into(),
        (false, Some(reason)) if document.coverage.omissions.is_some() => {
            format!(
                "perhaps not every reachable state was visited: {}",
                tame(reason)
            )
        }
        (false, Some(reason)) => format!("not every reachable state was visited: {}", tame(reason)),
        (false, None) => "not every reachable state was visited".into(),
    }
}

/// How much there may be to see.
fn estimate(document: &Document) -> Option<String> {
    let estimate = document.coverage.estimate?;
    let most = grouped(estimate.most);
    Some(format!(
        "by estimate there are at most {most} states in all"
    ))
}

/// How partial-order reduction was done and what it has saved.
fn partial_order(reduction: &Reduction) -> String {
    let how = &reduction.partial_order;
    match reduction.left_out {
        None => format!("partial order {how}"),
        Some(left_out) => format!(
            "partial order {how} ({} left out in {})",
            counted(left_out.steps, "step"),
            counted(left_out.states, "state")
        ),
    }
}

/// Says which reductions besides symmetry were used; nothing if none was.
fn reductions(document: &Document) -> Option<String> {
    let reduction = &document.reduction;
    let partial_order = partial_order(reduction);
    let used = [
        (&reduction.partial_order, &partial_order),
        (&reduction.simplification, &reduction.simplification),
    ];
    let used: Vec<&str> = used
        .iter()
        .filter(|(how, _)| !matches!(how.as_str(), "off" | "nothing"))
        .map(|(_, told)| told.as_str())
        .collect();
    (!used.is_empty()).then(|| format!("reduced by {}", used.join(", ")))
}

/// Where the search came from, and how it can go on.
fn checkpoint(document: &Document) -> Vec<String> {
    let Some(checkpoint) = &document.search.checkpoint else {
        return Vec::new();
    };
    let folder = tame(&checkpoint.folder);
    let came = format!("went on from the checkpoint in `{folder}`");
    let resume = format!("`mandala resume {folder}`");
    let goes = match checkpoint.at_the_end {
        true => format!(
            "a checkpoint was written where it ended: {resume} goes on from there; `--time`, `--states`, \
             `--memory` and `--depth` set other limits"
        ),
        false => format!(
            "{resume} goes on from the last checkpoint, which was written before the search ended"
        ),
    };
    let none = "no checkpoint was written, so this search cannot be resumed".into();
    let lacks = document.verdict == Verdict::Unknown && !checkpoint.can_go_on;
    [
        (checkpoint.resumed, came),
        (checkpoint.can_go_on, goes),
        (lacks, none),
    ]
    .into_iter()
    .filter_map(|(is_so, line)| is_so.then_some(line))
    .collect()
}
