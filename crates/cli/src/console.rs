//! The two output streams. A reader that goes away early is no error, colours are for terminals.

use crate::args::ColorWhen;
use crate::exit::{Failure, Status};
use anstream::{AutoStream, ColorChoice};
use mandala_report::Colour;
use mandala_report::text::View;
use std::io::{self, IsTerminal, Write};

/// What is known of the output streams.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    output: Colour,
    error: Colour,
}

impl Console {
    /// Decides about colours once and for all.
    pub fn new(when: ColorWhen) -> Self {
        let choice = match when {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        };
        choice.write_global();
        Console {
            output: colour(AutoStream::choice(&io::stdout())),
            error: colour(AutoStream::choice(&io::stderr())),
        }
    }

    /// Whether standard output takes colours.
    pub fn output_colour(&self) -> Colour {
        self.output
    }

    /// Whether standard error takes colours.
    pub fn error_colour(&self) -> Colour {
        self.error
    }

    /// Whether somebody watches standard error.
    pub fn is_watched(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// How reports are shown on standard output: as wide as the terminal, if it is one.
    pub fn view(&self) -> View {
        let size = terminal_size::terminal_size_of(io::stdout());
        let columns = size.map(|(terminal_size::Width(columns), _)| usize::from(columns));
        View {
            width: columns.filter(|columns| *columns > 0),
            ..View::new(self.output)
        }
    }

    /// How many columns the terminal at standard error has; no limit if it does not tell.
    pub fn width(&self) -> usize {
        match terminal_size::terminal_size_of(io::stderr()) {
            Some((terminal_size::Width(columns), _)) if columns > 0 => columns.into(),
            _ => usize::MAX,
        }
    }

    /// Writes to standard output. If the reader has gone, the program ends with `status`.
    pub fn print(&self, text: &str, status: Status) -> Result<(), Failure> {
        let mut output = anstream::stdout().lock();
        let written = output.write_all(text.as_bytes());
        written
            .and_then(|()| output.flush())
            .map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => Failure::ReaderGone(status),
                _ => Failure::Io(format!("cannot write to standard output: {error}")),
            })
    }

    /// Writes to standard error. There is nobody to tell if that fails.
    pub fn complain(&self, text: &str) {
        let mut error = anstream::stderr().lock();
        let _ = error.write_all(text.as_bytes());
        let _ = error.flush();
    }
}

fn colour(choice: ColorChoice) -> Colour {
    match choice {
        ColorChoice::Never => Colour::Off,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colour::On,
    }
}
