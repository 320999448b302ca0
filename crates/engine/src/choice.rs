//! Choices that a user makes by name.

/// A choice by name.
pub trait Choice: Copy + Send + Sync + 'static {
    /// Every member, in the order in which help lists them.
    const ALL: &'static [Self];

    /// The name by which a user asks for it.
    fn name(self) -> &'static str;

    /// What it means, in one line, where the name does not say it all.
    fn help(self) -> Option<&'static str> {
        None
    }

    /// The member of that name.
    fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|choice| choice.name() == name)
    }
}
