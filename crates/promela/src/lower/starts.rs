//! Labels at the start of sequences.
//!
//! The first statement of a block is an edge out of the block's own location, so a label on it would
//! name a place where no process ever is: an `end` label there would be lost without a word. Spin
//! refuses such labels, except on the guards of options, and so do we.

use super::Lowering;
use super::body::Body;
use super::graph::SequenceId;
use mandala_model::Diagnostic;

/// What a sequence is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// `{ .. }`
    Block,
    /// `atomic { .. }`
    Atomic,
    /// `d_step { .. }`
    Deterministic,
    /// The body of an `inline`.
    Inline,
    /// An option of `if` or `do`.
    Option,
    /// What stands before `unless`.
    Main,
    /// What stands behind `unless`.
    Escape,
}

impl Start {
    fn name(self) -> &'static str {
        match self {
            Start::Block => "of a block",
            Start::Atomic => "of `atomic`",
            Start::Deterministic => "of `d_step`",
            Start::Inline => "of an `inline`",
            Start::Option => "of an option",
            Start::Main | Start::Escape => "of a part of `unless`",
        }
    }

    fn help(self, label: &str) -> String {
        match self {
            Start::Block => format!("write `{label}: {{ .. }}`"),
            Start::Atomic => format!("write `{label}: atomic {{ .. }}`"),
            Start::Deterministic => format!("write `{label}: d_step {{ .. }}`"),
            Start::Inline => "write the label before the call of the `inline`".into(),
            Start::Option => "write the label before the `if` or `do`".into(),
            Start::Main => format!("write `{label}: {{ .. unless .. }}`"),
            Start::Escape => {
                "an escape starts from many places: only its later statements can have labels"
                    .into()
            }
        }
    }
}

impl Lowering {
    /// Reports a label on the first statement of a sequence.
    pub(super) fn check_start(&mut self, body: &Body, sequence: SequenceId, start: Start) {
        let first = body.graph.first(sequence);
        let Some(label) = body.graph.labels.iter().find(|l| l.element == first) else {
            return;
        };
        let (name, part) = (&label.name, start.name());
        let message = format!("the label `{name}` stands at the start {part}");
        let diagnostic = match start {
            Start::Option => Diagnostic::warning(
                label.span,
                format!("{message}: a process is there only after a jump"),
            ),
            _ => Diagnostic::error(label.span, format!("{message}, where no process stops")),
        };
        self.report(diagnostic.with_help(start.help(name)));
    }
}
