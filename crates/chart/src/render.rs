//! The forms that a chart is written in.
//!
//! In a text and in Mermaid an arrow is drawn where the message is received, because neither has arrows that go down; what is sent and not received
//! yet is marked at its sender. In SVG an arrow begins where the message is sent.

mod mermaid;
mod svg;
mod text;

use crate::Chart;

/// A form of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Lanes of characters, for a terminal.
    Text,
    /// A sequence diagram of Mermaid.
    Mermaid,
    /// A picture.
    Svg,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 3] = [Form::Text, Form::Mermaid, Form::Svg];

    /// How the names of files end that hold the form.
    pub fn extension(self) -> &'static str {
        match self {
            Form::Text => "txt",
            Form::Mermaid => "mmd",
            Form::Svg => "svg",
        }
    }

    /// The form of files whose names end like that.
    pub fn of_extension(extension: &str) -> Option<Form> {
        Form::ALL
            .into_iter()
            .find(|form| form.extension() == extension)
    }

    /// The chart in this form.
    pub fn render(self, chart: &Chart) -> String {
        match self {
            Form::Text => text::render(chart),
            Form::Mermaid => mermaid::render(chart),
            Form::Svg => svg::render(chart),
        }
    }
}

/// A message with its channel and, for the reader who counts, its number.
fn told(chart: &Chart, message: usize, between: &str) -> String {
    let told = &chart.messages[message];
    format!("{} {between} {}", told.channel, told.text)
}
