//! The words in which the interpreter, the engines and the reports speak about steps and what can
//! go wrong in them.

use crate::claim::Claim;
use crate::ids::{EdgeId, PropertyId, TemplateId};
use crate::source::Span;

/// What looks at the system while it runs: the observers that run along, and what is asked of its states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Observers {
    /// The claim that moves before each step.
    pub claim: Option<Claim>,
    /// A template of role events.
    pub events: Option<TemplateId>,
    /// A property whose conditions are asked of every state: a formula of branching time. Nothing runs along for it.
    pub asked: Option<PropertyId>,
}

/// Who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Any process.
    Free,
    /// The process of that number, which holds control.
    Held(u32),
    /// The claim, before the next step of the system.
    Claim,
    /// The claim again, because the system has stopped for ever: its last state repeats.
    Stutter,
}

/// Who made a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// The process of that number.
    Process(u32),
    /// The claim.
    Claim,
}

/// One step: an edge taken by an actor, at a rendezvous together with a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepLabel {
    /// Who moved.
    pub actor: Actor,
    /// By which edge.
    pub edge: EdgeId,
    /// Which choice of its parameters.
    pub choice: u32,
    /// The receiver at a rendezvous and its edge.
    pub partner: Option<(u32, EdgeId)>,
}

/// What tells ways apart that lead through an atomic sequence to the same configuration. Only fairness asks who takes part in a step, and for all
/// others one way is as good as another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ways {
    /// Nothing does.
    #[default]
    Alike,
    /// Who takes part, and who is the first.
    ByProcess,
    /// The same, with the edges that they take.
    ByEdge,
}

/// A violation of what every model must satisfy or of a property that it states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Violation {
    /// An assertion failed.
    Assertion {
        /// The condition.
        span: Span,
    },
    /// A step came to a point where it must fail ([`crate::template::Effect::Fail`]). There is no state after it.
    Failed {
        /// The edge or choice that fails; [`crate::model::UncheckedModel::failure_message`] has its text.
        span: Span,
        /// The invariant that is violated, if it was a monitor that failed.
        property: Option<PropertyId>,
    },
    /// Nothing can happen any more, and one process is not at a place where it may stay:
    /// [`crate::model::Deadlock`] says what counts as something that happens.
    Deadlock,
    /// The claim reached its end.
    ClaimEnded,
    /// A message did not fit the required events.
    UnexpectedEvent {
        /// The send or receive.
        span: Span,
    },
    /// All forbidden events have happened.
    ForbiddenEvents {
        /// The send or receive that completed them.
        span: Span,
    },
    /// The run ended before all required events had happened.
    EventsIncomplete,
    /// A process that must never have a choice has one.
    Nondeterminism {
        /// The later one of the statements.
        span: Span,
    },
    /// What must stay possible is possible no more: from here no state can be reached in which it is so. Nobody who only sees this
    /// state can tell; it takes a search.
    Lost {
        /// What must stay possible.
        property: PropertyId,
        /// Of a property that is several in one ([`crate::several`]), the instance; otherwise the first.
        instance: u32,
    },
    /// A run goes round for ever through accepting states. Nobody who only sees a state can tell; it takes a search.
    Cycle,
    /// A step failed.
    Fault(Fault),
}

/// Whose violation something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Attribution {
    /// One of what is searched for: safety, or a claim.
    Search,
    /// The same, but met while an invariant was evaluated, which has no value there.
    Evaluation(PropertyId),
    /// One of that property.
    Property(PropertyId),
}

impl Violation {
    /// Whose violation it is, as far as it says so itself.
    pub fn attribution(&self) -> Attribution {
        match self {
            Violation::Failed {
                property: Some(property),
                ..
            }
            | Violation::Lost { property, .. } => Attribution::Property(*property),
            Violation::Fault(Fault {
                monitors: Some(property),
                ..
            }) => Attribution::Evaluation(*property),
            _ => Attribution::Search,
        }
    }

    /// The violation as one that was met by a monitor of an invariant, or by a monitor of another property.
    pub fn monitoring(self, invariant: Option<PropertyId>) -> Self {
        match self {
            Violation::Failed { span, .. } => Violation::Failed {
                span,
                property: invariant,
            },
            Violation::Fault(fault) => Violation::Fault(Fault {
                monitors: invariant,
                ..fault
            }),
            other => other,
        }
    }
}

/// A step that failed at run time. There is no state after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What failed.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
    /// The invariant that was evaluated, if it was a monitor of one that failed.
    pub monitors: Option<PropertyId>,
}

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An array index outside the array.
    IndexOutOfRange {
        /// The index.
        index: i64,
        /// The array's length.
        length: u32,
    },
    /// A division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative number or by the width of a number or more.
    BadShift {
        /// By how much.
        by: i64,
    },
    /// A value outside the range of the variable that it was assigned to.
    ValueOutOfRange {
        /// The value.
        value: i64,
    },
    /// A use of a channel reference that refers to no channel.
    NoChannel,
    /// A use of a channel that is gone, because the process that made it has ended.
    ChannelGone,
    /// A message with another number of fields than the channel has.
    MessageArity {
        /// How many the statement has.
        found: u32,
        /// How many the channel has.
        expected: u32,
    },
    /// A poll (`q?[x]`) of a rendezvous channel, where no message ever waits.
    PollAtRendezvous,
    /// A rendezvous inside code that runs in one step.
    RendezvousInRoutine,
    /// Code that runs in one step came to a point where it cannot go on.
    RoutineBlocked,
    /// Code that runs in one step goes round in a circle for ever.
    RoutineEndless,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A reference to a variable of a process that is of another kind, or that was to be changed.
    NoSuchProcess,
    /// A process asked whether it is itself enabled.
    EnabledOfSelf,
    /// A priority outside 1 to 255.
    BadPriority {
        /// The value.
        value: i64,
    },
    /// The observer of events could follow a message in two ways.
    AmbiguousEvent,
    /// An arithmetic result does not fit 64 bits.
    Overflow,
    /// A use of a variable that has no value.
    Undefined,
}
