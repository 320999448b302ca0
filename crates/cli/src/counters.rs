//! `mandala counters`: the counter program of a model.

use crate::args::CountersArguments;
use crate::check::refused;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::load;
use mandala_checker::document::counters::counters;
use mandala_checker::options::{CheckOptions, SAFETY, Selection, SymmetryChoice};

/// Prints the counter program.
pub fn run(arguments: &CountersArguments, console: &Console) -> Result<Status, Failure> {
    let loaded = load::bounded_model(&arguments.model, Vec::new(), console)?;
    let options = CheckOptions {
        symmetry: SymmetryChoice::Counters,
        properties: Selection::Named(vec![SAFETY.into()]),
        ..CheckOptions::default()
    };
    let text = counters(&loaded, &options);
    let text = text.map_err(|refusal| refused(refusal, &loaded, console))?;
    console.print(&text, Status::Fine)?;
    Ok(Status::Fine)
}
