//! `mandala resume`: goes on with a search that has written checkpoints.

use crate::args::{ModelArguments, ResumeArguments, ThreadArguments};
use crate::check::{self, Request};
use crate::checkpoint;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use mandala_checker::options::CheckOptions;
use std::path::PathBuf;

/// Searches on, shows, writes.
pub fn run(
    arguments: &ResumeArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    let earlier = checkpoint::earlier(arguments);
    let model = match &earlier {
        Ok(earlier) => earlier.arguments.model.clone(),
        Err(_) => nobody_knows(),
    };
    let options = match &earlier {
        Ok(earlier) => earlier.arguments.options(),
        Err(_) => CheckOptions::default(),
    };
    let request = Request {
        outputs: &arguments.outputs,
        model: &model,
        options,
    };
    check::deliver(&request, console, monitor, || {
        let earlier = earlier?;
        let found = check::search(&earlier.arguments, Some(&earlier), console, monitor)?;
        arguments.outputs.shown.require_known(&found.0)?;
        Ok(found)
    })
}

/// The model of a checkpoint that cannot be read.
fn nobody_knows() -> ModelArguments {
    ModelArguments {
        model: PathBuf::new(),
        define: Vec::new(),
        dialect: None,
        threads: ThreadArguments::default(),
    }
}
