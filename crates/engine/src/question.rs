//! What an engine is asked about a model.

use crate::settings::Deadlock;
use mandala_model::Model;
use mandala_model::ids::PropertyId;
use mandala_model::property::PropertyKind;
use mandala_model::source::Span;
use mandala_model::step::{Attribution, Observers, Violation};

/// The name under which assertions, deadlock and run-time errors are selected.
pub const SAFETY: &str = "safety";

/// What a check is about. Names are labels for people and may repeat: this is what a property is known by from the plan to the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// What every model must satisfy: assertions, no deadlock, no run-time error, and the messages that are allowed.
    Safety,
    /// A property that is stated in the model or beside it.
    Stated(PropertyId),
}

impl Subject {
    /// The property, if it is one that is stated.
    pub fn property(self) -> Option<PropertyId> {
        match self {
            Subject::Safety => None,
            Subject::Stated(property) => Some(property),
        }
    }

    /// The name for people.
    pub fn name(self, model: &Model) -> &str {
        match self {
            Subject::Safety => SAFETY,
            Subject::Stated(property) => &model.properties[property.index()].name,
        }
    }
}

/// One property and how it is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Which one it is.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// Which violations matter.
    pub scope: Scope,
    /// The invariants that the search judges besides. Violations of others do not matter.
    pub invariants: Vec<PropertyId>,
    /// What runs along with the system.
    pub observers: Observers,
    /// The assertions that belong to the claim; those of the system are a matter of its safety.
    pub claim_assertions: Vec<Span>,
    /// Whether a search that finds no violation decides it.
    pub decision: Decision,
}

/// Which violations a check is about. What the property is that it decides, the model says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Those of the system: assertions, deadlock, run-time errors and observed messages.
    System(Deadlock),
    /// Those of one property.
    Property,
}

impl Question {
    /// Whether that is what the check is about. To a claim the assertions of the system do not
    /// matter, which are a matter of its safety; violations of an invariant matter where it is judged. A run-time error or a message that the model itself
    /// rules out always matters: no statement about the runs of a model stands if some of them break off.
    pub fn concerns(&self, violation: &Violation) -> bool {
        if let Attribution::Property(invariant) | Attribution::Evaluation(invariant) =
            violation.attribution()
            && !self.invariants.contains(&invariant)
        {
            return false;
        }
        match (self.scope, violation) {
            (Scope::System(deadlock), Violation::Deadlock) => deadlock != Deadlock::Ignore,
            (Scope::System(_), _) => true,
            (_, Violation::Deadlock) => false,
            (_, Violation::Assertion { span }) => self.claim_assertions.contains(span),
            (_, _) => true,
        }
    }

    /// Whose violation that is, if it was met in the search for this check: that for safety also meets those of invariants.
    pub fn owner(&self, violation: &Violation) -> Subject {
        match (self.scope, violation.attribution()) {
            (Scope::System(_), Attribution::Property(property)) => Subject::Stated(property),
            _ => self.subject,
        }
    }

    /// Whether it is about the system, and not about one property.
    pub fn is_of_system(&self) -> bool {
        matches!(self.scope, Scope::System(_))
    }

    /// What the property is that it is about, unless it is about the system.
    pub fn property_kind<'m>(&self, model: &'m Model) -> Option<&'m PropertyKind> {
        let id = self.subject.property().filter(|_| !self.is_of_system())?;
        model
            .properties
            .get(id.index())
            .map(|property| &property.kind)
    }

    /// The property, if it is a formula of branching time.
    pub fn branching_property(&self) -> Option<PropertyId> {
        self.observers.asked.filter(|_| !self.is_of_system())
    }
}

/// Whether a search that finds no violation decides the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It does.
    Full,
    /// If it looks for runs that go round for ever as well: the claim may be violated by one.
    Cycles,
    /// It does not: the graph of all states decides, and nothing runs along.
    Branching,
    /// It does not: the probabilities of steps do.
    Value,
}
