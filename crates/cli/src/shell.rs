//! `mandala completions` and `mandala man`: what shells and manuals want to know of the command line, made of its description.

use crate::args::{Arguments, CompletionArguments, ManualArguments};
use crate::console::Console;
use crate::exit::{Failure, Status};
use clap::CommandFactory;
use clap_mangen::Man;

/// Prints the completions for a shell.
pub fn completions(arguments: &CompletionArguments, console: &Console) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "mandala",
        &mut script,
    );
    print(&script, console)
}

/// Prints a page of the manual.
pub fn manual(arguments: &ManualArguments, console: &Console) -> Result<Status, Failure> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match &arguments.command {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| Failure::Command(format!("there is no command `{name}`")))?
        }
    };
    // The manual leaves out the texts of options that short help leaves out.
    let page = page.mut_args(|option| option.hide_short_help(false));
    let mut text = Vec::new();
    let source = format!("mandala {}", env!("CARGO_PKG_VERSION"));
    let written = Man::new(page).source(source).render(&mut text);
    written.map_err(|error| Failure::Defect(error.to_string()))?;
    print(&text, console)
}

fn print(text: &[u8], console: &Console) -> Result<Status, Failure> {
    console.print(&String::from_utf8_lossy(text), Status::Fine)?;
    Ok(Status::Fine)
}
