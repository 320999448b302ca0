//! `--html FILE`: the report as a page.

use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::output::Output;
use mandala_checker::frontend::LoadedModel;
use mandala_page::{Page, SourceFile};
use mandala_report::Document;
use mandala_report::document::StateGraph;

/// Writes the page of a document: with the model as it was read, and its graph if that is made.
pub fn write(
    output: &mut Output,
    (loaded, document): (&LoadedModel, &Document),
    graph: Option<&StateGraph>,
    console: &Console,
    status: Status,
) -> Result<(), Failure> {
    let files = loaded.sources.files();
    let sources = files.map(|(_, file)| SourceFile {
        path: file.path().display().to_string(),
        text: file.text(),
    });
    let page = Page {
        document,
        sources: sources.collect(),
        graph,
    };
    let page = mandala_page::render(&page);
    let page = page.map_err(|error| Failure::Defect(error.to_string()))?;
    output.write(&page, console, status)
}
