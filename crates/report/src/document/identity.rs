//! The identity of a property within a document.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a property is known by in a document. Names are labels for people, and several properties may have the same; an identity is
/// that of one property. In JSON it is a text: `safety`, or `p` and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PropertyId {
    /// What every model must satisfy: assertions, no deadlock, no run-time error, and the messages that are allowed.
    Safety,
    /// A property that the model or the command states: the number of properties that are stated before it, those on the command line
    /// after those of the model.
    Stated(u32),
}

/// The identity of what every model must satisfy.
const SAFETY: &str = "safety";

/// What comes before the number of a stated property.
const STATED: char = 'p';

impl fmt::Display for PropertyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PropertyId::Safety => f.write_str(SAFETY),
            PropertyId::Stated(number) => write!(f, "{STATED}{number}"),
        }
    }
}

impl FromStr for PropertyId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = || text.strip_prefix(STATED)?.parse().ok();
        match text {
            SAFETY => Ok(PropertyId::Safety),
            _ => number()
                .map(PropertyId::Stated)
                .filter(|id| id.to_string() == text)
                .ok_or_else(|| format!("`{text}` is no id of a property")),
        }
    }
}

impl From<PropertyId> for String {
    fn from(id: PropertyId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for PropertyId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_read_as_it_is_written() {
        for id in [
            PropertyId::Safety,
            PropertyId::Stated(0),
            PropertyId::Stated(17),
        ] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn other_texts_are_no_identities() {
        for text in ["", "p", "p-1", "p01", "p+1", "P1", "q1", "Safety", "p1 "] {
            assert!(text.parse::<PropertyId>().is_err(), "{text}");
        }
    }
}
