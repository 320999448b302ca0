//! A pair of states that shows that two names are not interchangeable, as data and as a sentence.

use mandala_model::source::{Sources, Span};
use std::collections::HashSet;

/// How many values are told in a sentence.
const MOST_LISTED: usize = 6;

/// Two states, of which the second is the first with two names exchanged, that go on differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePair {
    /// The names that are exchanged.
    pub exchanged: [String; 2],
    /// How many steps lead to the first state.
    pub depth: usize,
    /// What has a name in the first state, with its value.
    pub state: Vec<(String, String)>,
    /// What has another value in the second state, with that value.
    pub image: Vec<(String, String)>,
    /// In which of the two something happens that does not happen in the other.
    pub of: Which,
    /// What that is.
    pub event: Event,
}

/// One of the two states of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one that a run comes to.
    First,
    /// The renamed one.
    Second,
}

/// What happens in one state of a pair alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A step that leads where no step leads in the other, renamed.
    Step {
        /// Who moves.
        actor: String,
        /// The statement.
        text: String,
        /// Where it stands.
        span: Span,
    },
    /// Something that is wrong with the state itself.
    Wrong(String),
}

impl StatePair {
    /// The pair in one sentence. Of the values those are told that the exchange changes, as far as they are few.
    pub fn describe(&self, sources: &Sources) -> String {
        let [a, b] = &self.exchanged;
        let start = match self.depth {
            0 => "at the start".to_string(),
            1 => "after 1 step".to_string(),
            depth => format!("after {depth} steps"),
        };
        let changed: HashSet<&String> = self.image.iter().map(|(name, _)| name).collect();
        let before = self.state.iter().filter(|(name, _)| changed.contains(name));
        let image = match listed(self.image.iter()) {
            Some(values) => format!("exchanged there is {values}"),
            None => "exchanged no value changes".into(),
        };
        let state = match listed(before) {
            Some(values) => format!(" there is {values}, and"),
            None => ",".into(),
        };
        let (here, there) = match self.of {
            Which::First => ("the first", "second"),
            Which::Second => ("the second", "first"),
        };
        let event = match &self.event {
            Event::Step { actor, text, span } => {
                let line = sources.location(*span).line;
                format!(
                    "`{text}` of {actor} (line {line}) in {here} leads where nothing leads in the {there}"
                )
            }
            Event::Wrong(what) => format!("{what} in {here} and not in the {there}"),
        };
        format!("{start}{state} with {a} and {b} {image}; {event}")
    }
}

/// The first of some values, if there are any.
fn listed<'v>(values: impl Iterator<Item = &'v (String, String)>) -> Option<String> {
    let mut all: Vec<String> = values
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let more = all.len().saturating_sub(MOST_LISTED);
    all.truncate(MOST_LISTED);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    (!all.is_empty()).then(|| all.join(", "))
}
