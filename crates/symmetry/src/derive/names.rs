//! Sets of names, and why one is given up.

use crate::breach::Breach;
use mandala_model::source::Span;
use mandala_model::state::Value;

/// The number of a domain: of values that are permuted among each other.
pub(super) type DomainIndex = u32;

/// Values that one type is about.
#[derive(Clone, Debug)]
pub(super) struct NameSet {
    pub(super) label: String,
    pub(super) kind: NameKind,
    /// The domains that it consists of, with their members in order. The numbers of processes are one set with a domain for each family, and names that meet in one cell, as members of a union do, are one with a domain for each
    /// kind of them.
    pub(super) domains: Vec<(DomainIndex, Vec<Value>)>,
}

/// The sort of the values of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    /// Numbers of processes.
    Processes,
    /// Names of the set of names with that number.
    Names(u32),
}

/// The sets of names that are renamed.
#[derive(Clone, Debug, Default)]
pub(super) struct NameSets(pub(super) Vec<NameSet>);

impl NameSets {
    /// The set of the numbers of processes, if some are renamed.
    pub(super) fn processes(&self) -> Option<u32> {
        let place = self
            .0
            .iter()
            .position(|set| set.kind == NameKind::Processes);
        place.map(|place| place as u32)
    }

    /// The domains of a set, with their members.
    pub(super) fn domains(&self, set: u32) -> &[(DomainIndex, Vec<Value>)] {
        &self.0[set as usize].domains
    }

    /// The numbers of the domains of a set.
    pub(super) fn numbers(&self, set: u32) -> Vec<DomainIndex> {
        self.domains(set)
            .iter()
            .map(|(domain, _)| *domain)
            .collect()
    }

    /// The domain that a value is a name of.
    pub(super) fn domain_of(&self, set: u32, name: Value) -> Option<DomainIndex> {
        let mut domains = self.domains(set).iter();
        let found = domains.find(|(_, members)| members.binary_search(&name).is_ok());
        found.map(|(domain, _)| *domain)
    }

    pub(super) fn label(&self, set: u32) -> &str {
        &self.0[set as usize].label
    }

    /// How many names a set has.
    fn size(&self, set: u32) -> usize {
        self.domains(set)
            .iter()
            .map(|(_, members)| members.len())
            .sum()
    }

    /// The one of two sets that has fewer names; in doubt the later one.
    pub(super) fn smaller(&self, a: u32, b: u32) -> u32 {
        let (first, second) = (a.min(b), a.max(b));
        match self.size(first) < self.size(second) {
            true => first,
            false => second,
        }
    }
}

/// Why something is not derived.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) concerns: Concerns,
    /// Whether it matters even where the symmetry has not begun yet.
    pub(super) always: bool,
    pub(super) breach: Breach,
}

/// The domains whose renamings break a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Concerns {
    /// All there are.
    All,
    /// Some; the first of them is given up if that is enough.
    Some(Vec<DomainIndex>),
    /// The same, but it may be enough that the first and another one of them are parts of one set.
    Mixed(Vec<DomainIndex>, DomainIndex),
}

impl Refusal {
    pub(super) fn of(domains: Vec<DomainIndex>, span: Span, message: String) -> Self {
        Refusal {
            concerns: Concerns::Some(domains),
            always: false,
            breach: Breach::at(span, message),
        }
    }

    /// References to channels are mixed up: then nothing is known of what messages hold, neither now nor later.
    pub(super) fn of_channels(span: Span) -> Self {
        let message = "a channel is kept where channels of other messages are, or no channels";
        Refusal {
            concerns: Concerns::All,
            always: true,
            breach: Breach::at(span, message),
        }
    }

    /// The model does something that no rule is about.
    pub(super) fn unsupported(span: Span) -> Self {
        Refusal {
            concerns: Concerns::All,
            always: true,
            breach: Breach::at(span, "no rule derives this from types"),
        }
    }

    /// The same with other places that matter.
    pub(super) fn at_places(mut self, places: Vec<(Span, String)>) -> Self {
        self.breach.related = places;
        self
    }

    pub(super) fn because(mut self, how: Option<&str>) -> Self {
        if let Some(how) = how {
            self.breach.message = format!("{}: it {how}", self.breach.message);
        }
        self
    }

    /// Whether it is about a domain.
    pub(super) fn is_about(&self, domain: DomainIndex) -> bool {
        match &self.concerns {
            Concerns::All => true,
            Concerns::Some(domains) | Concerns::Mixed(domains, _) => domains.contains(&domain),
        }
    }
}
