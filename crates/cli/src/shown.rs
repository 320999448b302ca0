//! `--steps` and `--show`: what is shown of traces.

use crate::args::headings;
use crate::console::Console;
use crate::exit::Failure;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mandala_checker::frontend::LoadedModel;
use mandala_report::text::{Detail, View};

/// What is shown of traces.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = headings::RESULTS)]
pub struct ShownArguments {
    /// Which steps of a trace: `short`, `full` or `messages`.
    #[arg(long, value_name = "WHICH", default_value = "short", value_parser = detail(), hide_possible_values = true, hide_default_value = true, long_help = detail_help())]
    pub steps: Detail,

    /// Show the values of these variables only: `x,a[2],P(1):k`.
    ///
    /// `x` means the variable `x` of every process as well.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        hide_short_help = true
    )]
    pub show: Vec<String>,
}

impl ShownArguments {
    /// How reports are shown on the terminal.
    pub fn view(&self, console: &Console) -> View {
        View {
            detail: self.steps,
            show: self.show.clone(),
            ..console.view()
        }
    }

    /// Refuses names that no variable of the model has.
    pub fn require_known(&self, loaded: &LoadedModel) -> Result<(), Failure> {
        let known = loaded.model.variable_names();
        let unknown = |name: &&String| {
            let own = name.split_once("):").map_or(name.as_str(), |(_, own)| own);
            let root = own.split(['[', '.']).next().unwrap_or(own);
            !known.contains(&root)
        };
        match self.show.iter().find(unknown) {
            Some(name) => Err(Failure::Command(format!(
                "`--show {name}`: the model has no such variable"
            ))),
            None => Ok(()),
        }
    }
}

/// What `--steps` does, with all values.
fn detail_help() -> String {
    let lines = Detail::ALL.map(|detail| format!("\n- {}: {}", detail.name(), detail.help()));
    format!(
        "Which steps of a trace are shown. Default: short.\n\nPossible values:{}",
        lines.concat()
    )
}

/// The name of a detail.
fn detail() -> impl TypedValueParser<Value = Detail> {
    let values = Detail::ALL.map(|detail| PossibleValue::new(detail.name()).help(detail.help()));
    PossibleValuesParser::new(values).try_map(|name| {
        let mut all = Detail::ALL.into_iter();
        all.find(|detail| detail.name() == name)
            .ok_or("no such detail")
    })
}
