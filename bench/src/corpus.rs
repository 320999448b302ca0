//! The models that a list names: where they are, and when they are measured.

use std::path::Path;

/// Where a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// It is bundled.
    Bundled,
    /// It is in a folder that somebody has to name.
    Given,
}

impl From {
    /// As lists call it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "bundled" => Some(From::Bundled),
            "given" => Some(From::Given),
            _ => None,
        }
    }
}

/// When a model is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// With `--quick`.
    Quick,
    /// Without it.
    Complete,
    /// Always.
    Always,
}

impl When {
    /// As lists call it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "quick" => Some(When::Quick),
            "complete" => Some(When::Complete),
            "always" => Some(When::Always),
            _ => None,
        }
    }

    /// Whether that is now.
    pub(crate) fn includes(self, quick: bool) -> bool {
        match self {
            When::Always => true,
            When::Quick => quick,
            When::Complete => !quick,
        }
    }
}

/// The folders of the models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folders<'a> {
    /// Of the bundled ones.
    pub bundled: &'a Path,
    /// Of the others, if they are to be measured, too.
    pub given: Option<&'a Path>,
}

impl Folders<'_> {
    /// Whether models from there can be measured.
    pub(crate) fn have(&self, from: From) -> bool {
        from == From::Bundled || self.given.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_and_complete_runs_share_what_is_always_measured() {
        let times = |name| {
            let when = When::named(name).unwrap();
            [when.includes(true), when.includes(false)]
        };
        assert_eq!(times("quick"), [true, false]);
        assert_eq!(times("complete"), [false, true]);
        assert_eq!(times("always"), [true, true]);
        assert_eq!(When::named("never"), None);
    }

    #[test]
    fn other_models_need_a_folder() {
        let bundled = Path::new("models");
        let given = From::named("given").unwrap();
        let without = Folders {
            bundled,
            given: None,
        };
        let with = Folders {
            bundled,
            given: Some(bundled),
        };
        assert!(!without.have(given) && with.have(given));
        assert!(without.have(From::Bundled));
        assert_eq!(From::named("nowhere"), None);
    }
}
