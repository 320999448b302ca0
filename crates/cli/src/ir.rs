//! `mandala ir`: the text form of the intermediate representation of a model.

use crate::args::IrArguments;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::load;
use mandala_ir::Text;

/// Prints the model with the places where its parts come from, or a picture of its automata.
pub fn run(arguments: &IrArguments, console: &Console) -> Result<Status, Failure> {
    let loaded = load::bounded_model(&arguments.model, arguments.stated.inputs()?, console)?;
    if arguments.dot {
        let picture = mandala_ir::dot(&loaded.model, &loaded.sources);
        console.print(&picture, Status::Fine)?;
        return Ok(Status::Fine);
    }
    let text = Text::new(&loaded.model);
    let text = match arguments.full {
        true => text.full(&loaded.sources),
        false => text.with_sources(&loaded.sources),
    };
    console.print(&text.to_string(), Status::Fine)?;
    Ok(Status::Fine)
}
