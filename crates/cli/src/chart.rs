//! `--msc FILE`: message sequence charts.

use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::output::Output;
use mandala_chart::{Form, chart};
use mandala_report::Document;
use mandala_report::document::{Trace, Violation};
use std::path::{Path, PathBuf};

/// Where a chart goes, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartPlace {
    path: PathBuf,
    form: Form,
}

/// The place of a chart, open.
#[derive(Debug)]
pub struct ChartOutput {
    /// The place.
    pub output: Output,
    form: Form,
}

/// Reads what `--msc` takes: the end of the name says which form is wanted.
pub fn place(text: &str) -> Result<ChartPlace, String> {
    let path = PathBuf::from(text);
    let form = match path.extension().and_then(|e| e.to_str()) {
        _ if text == "-" => Some(Form::Text),
        Some(extension) => Form::of_extension(extension),
        None => None,
    };
    let form = form.ok_or("the name has to end with .txt, .mmd (Mermaid) or .svg, or be `-`")?;
    Ok(ChartPlace { path, form })
}

impl ChartPlace {
    /// Opens the place.
    pub fn open(&self) -> Result<ChartOutput, Failure> {
        Ok(ChartOutput {
            output: Output::open(Path::new(&self.path))?,
            form: self.form,
        })
    }
}

impl ChartOutput {
    /// As text, on standard output.
    pub fn on_standard_output() -> Self {
        ChartOutput {
            output: Output::Standard,
            form: Form::Text,
        }
    }

    /// Writes the chart of the first run that a document has, if it has one: a counterexample, else a run that shows that a property holds.
    pub fn write_first(
        &mut self,
        document: &Document,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        let mut counterexamples = document.counterexamples();
        let witness = document.properties.iter().find_map(|p| p.witness.as_ref());
        match (counterexamples.next(), witness) {
            (Some((violation, trace)), _) => self.write(trace, Some(violation), console, status),
            (None, Some(trace)) => self.write(trace, None, console, status),
            (None, None) => Ok(()),
        }
    }

    /// Writes the chart of a run.
    pub fn write(
        &mut self,
        trace: &Trace,
        violation: Option<&Violation>,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        let mut text = self.form.render(&chart(trace, violation));
        if text.trim().is_empty() {
            text = "The run has no step that a chart shows\n".into();
        }
        if self.output.is_standard() {
            // It comes behind the report.
            text.insert(0, '\n');
        }
        self.output.write(&text, console, status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_says_which_form_is_wanted() {
        for (text, form) in [
            ("-", Form::Text),
            ("a.txt", Form::Text),
            ("b/a.mmd", Form::Mermaid),
            ("a.b.svg", Form::Svg),
        ] {
            assert_eq!(place(text).map(|place| place.form), Ok(form), "{text}");
        }
        assert!(place("a").is_err() && place("a.png").is_err());
    }
}
