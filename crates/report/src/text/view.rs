//! The view of a report: its colours, its width, and how much of its traces it shows.

use crate::style::Colour;

/// How a report is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether it has colours.
    pub colour: Colour,
    /// After how many columns lines of traces are wrapped; never if there is no number.
    pub width: Option<usize>,
    /// Which steps of traces are shown.
    pub detail: Detail,
    /// The variables that traces show; all if there are none.
    pub show: Vec<String>,
}

/// Which steps of a trace are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Detail {
    /// A line for each atomic sequence and for each other step that does something.
    #[default]
    Short,
    /// All of them.
    Full,
    /// What is done with messages and processes.
    Messages,
}

impl Detail {
    /// All of them.
    pub const ALL: [Detail; 3] = [Detail::Short, Detail::Full, Detail::Messages];

    /// The name that the command line takes.
    pub fn name(self) -> &'static str {
        match self {
            Detail::Short => "short",
            Detail::Full => "full",
            Detail::Messages => "messages",
        }
    }

    /// What it means, in a line.
    pub fn help(self) -> &'static str {
        match self {
            Detail::Short => {
                "one line for an atomic sequence; `else`, jumps and what `for` counts are left out"
            }
            Detail::Full => "each step",
            Detail::Messages => "what is sent, received, started and ended",
        }
    }
}

impl View {
    /// The usual view, without a limit of width.
    pub fn new(colour: Colour) -> Self {
        View {
            colour,
            width: None,
            detail: Detail::default(),
            show: Vec::new(),
        }
    }

    /// Whether the value of that name is shown: `x` stands for `x`, `x[1]`, `x.f` and the variable `x` of each process.
    pub fn shows(&self, name: &str) -> bool {
        let own = || name.split_once("):").map(|(_, own)| own);
        let wanted = |wanted: &String| {
            is_part(name, wanted) || own().is_some_and(|own| is_part(own, wanted))
        };
        self.show.is_empty() || self.show.iter().any(wanted)
    }
}

/// Whether a name is that of a variable or of a part of it.
fn is_part(name: &str, variable: &str) -> bool {
    let rest = name.strip_prefix(variable);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_shown_with_their_parts_and_in_every_process() {
        let view = View {
            show: vec!["x".into(), "P(1):k".into(), "a[2]".into()],
            ..View::new(Colour::Off)
        };
        for name in [
            "x",
            "x[1]",
            "x.f",
            "P(1):x",
            "P(2):x[3].f",
            "P(1):k",
            "a[2]",
            "a[2].f",
        ] {
            assert!(view.shows(name), "{name}");
        }
        for name in ["y", "xy", "P(2):k", "P(1)", "a", "a[1]", "a[21]"] {
            assert!(!view.shows(name), "{name}");
        }
        assert!(View::new(Colour::Off).shows("anything"));
    }
}
