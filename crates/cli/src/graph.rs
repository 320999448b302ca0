//! `--graph FILE`: the graph of states.

use crate::check;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use crate::output::Output;
use mandala_checker::document::graph;
use mandala_checker::frontend::LoadedModel;
use mandala_checker::options::CheckOptions;
use mandala_checker::watch::Wish;
use mandala_report::document::StateGraph;
use mandala_report::graph::{GraphForm, WriteError};
use std::path::{Path, PathBuf};

/// How often it is looked how much memory there is, in states.
const PERIOD: usize = 256;

/// Where a graph goes, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphPlace {
    path: PathBuf,
    form: GraphForm,
}

/// The place of a graph, open.
#[derive(Debug)]
pub struct GraphOutput {
    /// The place.
    pub output: Output,
    form: GraphForm,
}

/// Reads what `--graph` takes: the end of the name says which form is wanted.
pub fn place(text: &str) -> Result<GraphPlace, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let form = extension.and_then(GraphForm::of_extension);
    let form = form.ok_or("the name has to end with .dot (Graphviz), .aut (Aldebaran) or .json")?;
    Ok(GraphPlace { path, form })
}

impl GraphPlace {
    /// Opens the place.
    pub fn open(&self) -> Result<GraphOutput, Failure> {
        Ok(GraphOutput {
            output: Output::open(Path::new(&self.path))?,
            form: self.form,
        })
    }
}

impl GraphOutput {
    /// Writes a graph, and says so if it is a part only.
    pub fn write(
        &mut self,
        graph: &StateGraph,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        let reason = graph.reason.as_deref().unwrap_or_default();
        let text = self.form.write(graph).map_err(|error| {
            let why = match error {
                WriteError::Partial => format!("{error}, and here {reason}; `--graph-limit N` takes more states, `.json` and `.dot` a part"),
                WriteError::Empty | WriteError::Unwritable(_) => error.to_string(),
            };
            Failure::Command(format!("the graph is not written: {why}"))
        })?;
        self.output.write(&text, console, status)?;
        if !graph.complete {
            console.complain(&format!(
                "note: the graph has the first {} states only: {reason}; `--graph-limit N` takes more\n",
                graph.states.len()
            ));
        }
        Ok(())
    }
}

/// The graph of the states of a model, with so many at most, as long as the limits of the command allow.
pub fn make(
    loaded: &LoadedModel,
    options: &CheckOptions,
    most: u64,
    monitor: &Monitor,
    console: &Console,
) -> Result<StateGraph, Failure> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut asked = 0usize;
    let mut goes_on = |_| {
        asked += 1;
        let full = asked.is_multiple_of(PERIOD) && is_full(options);
        !full && monitor.wish() == Wish::GoOn
    };
    let graph = graph::graph(loaded, options, most, &mut goes_on);
    graph.map_err(|refusal| check::refused(refusal, loaded, console))
}

/// Whether there is no memory left.
fn is_full(options: &CheckOptions) -> bool {
    let held = mandala_checker::resident_bytes();
    let limit = options.limits.memory;
    limit.zip(held).is_some_and(|(limit, held)| held >= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_says_which_form_is_wanted() {
        for (text, form) in [
            ("a.dot", GraphForm::Dot),
            ("b/a.aut", GraphForm::Aut),
            ("a.b.json", GraphForm::Json),
        ] {
            assert_eq!(place(text).map(|place| place.form), Ok(form), "{text}");
        }
        assert!(place("-").is_err() && place("a.svg").is_err());
    }
}
