//! The part of a document that says for which numbers of threads its verdict is.

use super::draft::draft;
use crate::outcome::{Interim, PropertyOutcome, Verdict};
use mandala_coverability::Reached;
use mandala_report::Document;
use mandala_report::document::{self, ThreadRound};

/// What is decided about numbers of threads, and by what.
pub(crate) struct Decision {
    /// The smallest number of threads with which there is a violation, if there is one.
    violated_by: Option<u32>,
    reason: String,
}

impl Decision {
    /// No number of threads is known to violate anything.
    pub fn never(reason: String) -> Self {
        Decision {
            violated_by: None,
            reason,
        }
    }

    /// So many threads violate something, and fewer do not.
    pub fn with(threads: u32, reason: String) -> Self {
        Decision {
            violated_by: Some(threads),
            reason,
        }
    }
}

/// The document of an answer that no search of states has a share in.
pub(crate) fn answered(
    planned: Interim<'_>,
    verdict: &Verdict,
    reached: &Reached,
    decision: Decision,
) -> Document {
    let outcomes = planned.outcomes.into_iter();
    let outcomes = outcomes.map(|outcome| PropertyOutcome {
        verdict: verdict.clone(),
        ..outcome
    });
    let mut document = draft(Interim {
        outcomes: outcomes.collect(),
        ..planned
    });
    document.threads = Some(threads(reached, decision, None));
    document.search.engine = "coverability".into();
    document
}

/// The document of the search with the number of threads that violates something. None if that search says that everything holds.
pub(crate) fn with_decision(
    mut document: Document,
    reached: &Reached,
    decision: Decision,
) -> Option<Document> {
    let smallest = match document.verdict {
        document::Verdict::Holds => return None,
        document::Verdict::Violated => decision.violated_by,
        document::Verdict::Unknown | document::Verdict::Value => None,
    };
    document.threads = Some(threads(reached, decision, smallest));
    Some(document)
}

fn threads(reached: &Reached, decision: Decision, smallest: Option<u32>) -> document::Threads {
    let rounds = reached.rounds.iter().map(|round| ThreadRound {
        threads: round.threads,
        configurations: round.configurations,
        pairs: round.pairs,
    });
    document::Threads {
        at_most: decision.violated_by,
        smallest,
        decided_by: Some(decision.reason),
        rounds: rounds.collect(),
        elements: Some(reached.elements),
        nodes: reached.nodes,
    }
}
