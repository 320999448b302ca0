//! The pieces that several sections of the text are made of: titles with lines, and processes as people write them.

use crate::style::{Colour, Tone, tame};

/// A title and the lines under it.
pub fn titled(title: &str, lines: impl IntoIterator<Item = String>, colour: Colour) -> String {
    let mut text = colour.paint(Tone::Title, title);
    text.push('\n');
    for line in lines {
        text.push_str("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A process as people write it.
pub fn process(name: &str, pid: u32) -> String {
    format!("{}({pid})", tame(name))
}
