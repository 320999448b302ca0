//! The arguments of the commands about runs: `simulate` and `replay`.

use super::ModelArguments;
use crate::chart::{self, ChartPlace};
use crate::shown::ShownArguments;
use crate::units;
use clap::Args;
use std::path::PathBuf;

/// `mandala simulate`.
#[derive(Args, Debug)]
pub struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    /// The same seed gives the same run.
    #[arg(long, value_name = "N", conflicts_with_all = ["interactive", "trace"])]
    pub seed: Option<u64>,

    /// Stop after this many steps.
    #[arg(long, value_name = "N", value_parser = units::count, default_value = "1000")]
    pub steps: u64,

    /// Choose every step yourself, and see who cannot move and why. `?` shows the commands: steps can be taken back, and the run so far be shown as a
    /// chart. With `--trace` you can go to any step of the trace, and go on from there in another way.
    #[arg(long, short)]
    pub interactive: bool,

    /// Follow the trace in a document written by `mandala check --json`.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,

    /// Draw a message sequence chart of the run: who sends what to whom. The name says in which form: `.txt`, `.mmd` (Mermaid) or
    /// `.svg`; `-` prints it behind the report.
    #[arg(long, value_name = "FILE", value_parser = chart::place)]
    pub msc: Option<ChartPlace>,
}

/// `mandala replay`.
#[derive(Args, Debug)]
pub struct ReplayArguments {
    /// A document written by `mandala check --json`.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,

    /// The model, if it is no longer where the document says.
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub shown: ShownArguments,

    /// Draw a message sequence chart of the first run: who sends what to whom. The name says in which form: `.txt`, `.mmd` (Mermaid) or
    /// `.svg`; `-` prints it behind the report.
    #[arg(long, value_name = "FILE", value_parser = chart::place)]
    pub msc: Option<ChartPlace>,

    /// Write the report with the run as it was made again as a page for a browser; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Say only whether it replays.
    #[arg(long, short)]
    pub quiet: bool,
}
