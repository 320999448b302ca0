//! The choices of a simulation: from a terminal with line editing, or line by line from anything else.

use crate::console::Console;
use crate::exit::{Failure, Status};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal};

/// Where the choices come from.
pub enum Choices {
    /// Somebody at a terminal.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Lines,
}

/// What stands before a choice.
const PROMPT: &str = "> ";

impl Choices {
    /// Those at standard input.
    pub fn open() -> Result<Self, Failure> {
        let watched = io::stdin().is_terminal() && io::stdout().is_terminal();
        match watched {
            true => Ok(Choices::Terminal(Box::new(
                DefaultEditor::new().map_err(unreadable)?,
            ))),
            false => Ok(Choices::Lines),
        }
    }

    /// The next one; nothing at the end.
    pub fn next(&mut self, console: &Console) -> Result<Option<String>, Failure> {
        match self {
            Choices::Terminal(editor) => match editor.readline(PROMPT) {
                Ok(line) => {
                    // A line that is not kept does not come back, and that is all.
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(Some(line))
                }
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => Err(Failure::Interrupted),
                Err(error) => Err(unreadable(error)),
            },
            Choices::Lines => {
                console.print(PROMPT, Status::Fine)?;
                let mut line = String::new();
                let read = io::stdin().lock().read_line(&mut line);
                match read.map_err(ReadlineError::Io).map_err(unreadable)? {
                    0 => console.print("\n", Status::Fine).map(|()| None),
                    _ => Ok(Some(line)),
                }
            }
        }
    }
}

fn unreadable(error: ReadlineError) -> Failure {
    Failure::Io(format!("cannot read from standard input: {error}"))
}
