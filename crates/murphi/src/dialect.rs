//! The dialects of Murphi: the tool that a model is written for, where two give one text different meanings.

use std::fmt;

/// The tool whose meaning a model has where they differ. Everything that either of them can read is read in both dialects;
/// `docs/murphi.md` lists what depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CMurphi 5, for which most models were written.
    #[default]
    CMurphi,
    /// Rumur.
    Rumur,
}

impl Dialect {
    /// Both of them.
    pub const ALL: [Dialect; 2] = [Dialect::CMurphi, Dialect::Rumur];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::CMurphi => "cmurphi",
            Dialect::Rumur => "rumur",
        }
    }

    /// The dialect of that name.
    pub fn named(name: &str) -> Option<Dialect> {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
