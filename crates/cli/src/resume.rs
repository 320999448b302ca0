//! `mandala resume`: goes on with a search that has written checkpoints.

use crate::args::{ModelArguments, ResumeArguments};
use crate::check;
use crate::checkpoint;
use crate::console::Console;
use crate::exit::{Failure, Status};
use std::path::PathBuf;

/// Searches on, shows, writes.
pub fn run(arguments: &ResumeArguments, console: &Console) -> Result<Status, Failure> {
    let earlier = checkpoint::earlier(arguments);
    let model = match &earlier {
        Ok(earlier) => earlier.arguments.model.clone(),
        Err(_) => nobody_knows(),
    };
    check::deliver(&arguments.outputs, &model, console, || {
        let earlier = earlier?;
        check::search(&earlier.arguments, Some(&earlier), console)
    })
}

/// The model of a checkpoint that cannot be read.
fn nobody_knows() -> ModelArguments {
    ModelArguments {
        model: PathBuf::new(),
        define: Vec::new(),
    }
}
