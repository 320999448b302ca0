//! The section about the decision for every number of threads.

use crate::document::{Document, ThreadRound};
use crate::style::{Colour, counted, tame};
use crate::text::titled::titled;

/// At most so many rounds are listed, the last ones.
const LISTED: usize = 4;

/// The section about numbers of threads, if more than one was asked about.
pub fn section(document: &Document, colour: Colour) -> Option<String> {
    let threads = document.threads.as_ref()?;
    let by = threads.decided_by.as_ref()?;
    let mut lines = vec![tame(by).to_string()];
    let last = threads.rounds.len().saturating_sub(LISTED);
    lines.extend(threads.rounds[last..].iter().map(round));
    let elements = threads.elements.filter(|n| *n > 0);
    let elements = elements.map(|n| counted(n, "minimal configuration") + " backwards");
    let nodes = threads.nodes.filter(|n| *n > 0);
    let nodes = nodes.map(|n| counted(n, "node") + " of a Karp-Miller tree");
    let made: Vec<String> = elements.into_iter().chain(nodes).collect();
    lines.extend((!made.is_empty()).then(|| made.join(", ")));
    Some(titled("Threads", lines, colour))
}

fn round(round: &ThreadRound) -> String {
    format!(
        "{}: {}, {}, no violation",
        counted(u64::from(round.threads), "thread"),
        counted(round.configurations, "configuration"),
        counted(round.pairs, "thread state")
    )
}
