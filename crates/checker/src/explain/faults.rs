//! Run-time errors in words.

use mandala_model::step::FaultKind;

/// What failed, as one sentence without a full stop.
pub fn message(kind: FaultKind) -> String {
    match kind {
        FaultKind::IndexOutOfRange { index, length } => {
            let last = length.saturating_sub(1);
            format!("array index {index} is outside the array, which goes from 0 to {last}")
        }
        FaultKind::BadShift { by } => format!("a shift by {by} bits is not possible"),
        FaultKind::ValueOutOfRange { value } => {
            format!("the value {value} is outside the range of the variable")
        }
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
