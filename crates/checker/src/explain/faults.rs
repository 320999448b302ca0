//! Run-time errors in words.

use super::site::{self, quoted};
use crate::frontend::LoadedModel;
use mandala_model::Model;
use mandala_model::model::Language;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind};
use mandala_model::types::{Coding, CodingKind, Scalar};

/// More names of values than these do not help anybody.
const NAMES_SHOWN: usize = 8;

/// What failed, as one sentence without a full stop. Values are those that the user knows.
pub fn message(loaded: &LoadedModel, fault: &Fault) -> String {
    let model = &loaded.model;
    match fault.kind {
        FaultKind::IndexOutOfRange { index, length } => {
            index_message(model, fault.span, index, length)
        }
        FaultKind::ValueOutOfRange { value } => value_message(model, fault.span, value),
        FaultKind::Undefined => match quoted(loaded, fault.span) {
            Some(text) if model.language == Language::Red => {
                format!("`{text}` is NULL, so there is nothing behind it")
            }
            Some(text) => format!("`{text}` is undefined"),
            None => in_words(fault.kind),
        },
        FaultKind::RoutineEndless if model.is_system_of_rules() => {
            "the rule does not end: it repeats the same states forever".into()
        }
        kind => in_words(kind),
    }
}

/// An index that is outside of its array.
fn index_message(model: &Model, span: Span, index: i64, length: u32) -> String {
    let last = i64::from(length) - 1;
    let stated = site::index(model, span);
    let show = |position: i64| match stated {
        Some(stated) => stated.show(&model.codings, position),
        None => Some(position.to_string()),
    };
    let first = show(0).or_else(|| show(1)).unwrap_or_default();
    let [index, last] = [index, last].map(|position| show(position).unwrap_or_default());
    format!("array index {index} is outside the array, which goes from {first} to {last}")
}

/// A value that does not fit what it is assigned to.
fn value_message(model: &Model, span: Span, value: i64) -> String {
    match site::refusing(model, span, value) {
        Some(Scalar::Coded { coding, max }) => {
            let coding = model.coding(coding);
            let value = coding.show(value);
            format!("the value {value} is not in {}", values(coding, max))
        }
        _ => format!("the value {value} is outside the range of the variable"),
    }
}

/// The values of a type, with its name if it has one: `0..3`, `State (Idle, Busy)`.
fn values(coding: &Coding, max: i64) -> String {
    let all = match &coding.kind {
        CodingKind::Names(names) if names.len() <= NAMES_SHOWN => names.join(", "),
        CodingKind::Parts(parts) => {
            let names = parts.iter().map(|part| part.coding.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        }
        CodingKind::Pointers => format!("NULL, 1..{max}"),
        CodingKind::Numbers { .. } | CodingKind::Names(_) | CodingKind::Members => {
            format!("{}..{}", coding.show(1), coding.show(max))
        }
    };
    match coding.name == all {
        true => all,
        false => format!("{} ({all})", coding.name),
    }
}

/// What is to be said without a look at the model.
fn in_words(kind: FaultKind) -> String {
    match kind {
        FaultKind::IndexOutOfRange { .. } => "an array index is outside the array".into(),
        FaultKind::ValueOutOfRange { .. } => "a value is outside the range of the variable".into(),
        FaultKind::BadShift { by } => format!("a shift by {by} bits is not possible"),
        FaultKind::MessageArity { found, expected } => {
            format!("the message has {found} fields, but the channel has {expected}")
        }
        FaultKind::BadPriority { value } => format!("the priority {value} is not from 1 to 255"),
        FaultKind::DivisionByZero => "division by zero".into(),
        FaultKind::NoChannel => "use of a channel variable that holds no channel".into(),
        FaultKind::ChannelGone => {
            "use of a channel that is gone, because the process that made it has ended".into()
        }
        FaultKind::PollAtRendezvous => {
            "a poll of a rendezvous channel, in which no message ever waits".into()
        }
        FaultKind::RendezvousInRoutine => "a rendezvous inside d_step".into(),
        FaultKind::RoutineBlocked => "a statement inside d_step blocks".into(),
        FaultKind::RoutineEndless => "the code inside d_step does not end".into(),
        FaultKind::TooManyProcesses => "more than 255 processes".into(),
        FaultKind::TooManyChannels => "more than 255 channels".into(),
        FaultKind::NoSuchProcess => {
            "a reference to a variable of a process that does not exist or is of another kind"
                .into()
        }
        FaultKind::EnabledOfSelf => "a process asks whether it is itself enabled".into(),
        FaultKind::AmbiguousEvent => "the trace can follow a message in two ways".into(),
        FaultKind::Undefined => "use of a variable that has no value".into(),
        FaultKind::Overflow => "the result of a calculation does not fit 64 bits".into(),
    }
}
