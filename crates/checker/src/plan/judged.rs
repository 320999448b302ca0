//! The properties that no search of their own decides.

use mandala_engine::Subject;
use mandala_model::ids::PropertyId;

/// A property that the search for safety decides besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// Which one it is.
    pub property: PropertyId,
}

/// Something that could be checked and is not, because it is not selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSelected {
    /// The property, or the one that it is a part of.
    pub subject: Subject,
    /// A name for people.
    pub name: String,
}
