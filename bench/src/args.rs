//! What can be typed.

use crate::selection::Selection;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// The tables and figures of the literature on symmetry reduction, measured again with Mandala.
#[derive(Parser, Debug)]
#[command(name = "mandala-bench", version)]
pub struct Arguments {
    /// What to measure.
    #[command(subcommand)]
    pub command: Command,

    /// Only rows whose names contain this text, such as `peterson/4` or `/auto`; may be repeated.
    #[arg(long, global = true, value_name = "TEXT")]
    pub only: Vec<String>,

    /// Small sizes and short measurements: whether everything works, not how fast it is.
    #[arg(long, global = true)]
    pub quick: bool,

    /// Write the results as a JSON document, too; `-` is standard output.
    #[arg(long, global = true, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// After how many seconds a row is given up. (A few rows that are the point of a table get thirty times as much.)
    #[arg(long, global = true, value_name = "SECONDS", default_value = "60")]
    pub limit: u32,

    /// The folder of the bundled models.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub models: Option<PathBuf>,
}

/// What to measure.
#[derive(Subcommand, Clone, Copy, Debug)]
pub enum Command {
    /// States and time for each model, size and strategy of "Symmetric Spin" (2002), beside what the paper reports.
    Symmspin,
    /// Time for 1,000 representatives on e-mail systems and load balancers, as in "Vector Symmetry Reduction" (2009).
    Vector,
    /// For each bundled model: what a representative costs with `auto`, compared with what a successor costs.
    Cost,
}

/// What is wanted, whatever is measured.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Which rows.
    pub only: Selection,
    /// Small sizes and short measurements.
    pub quick: bool,
    /// When a row is given up.
    pub limit: Duration,
    /// The folder of the bundled models.
    pub models: PathBuf,
}

impl Arguments {
    /// What they mean.
    pub fn wishes(&self) -> Wishes {
        let bundled = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        Wishes {
            only: Selection::new(self.only.clone()),
            quick: self.quick,
            limit: Duration::from_secs(self.limit.into()),
            models: self.models.clone().unwrap_or_else(bundled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_is_meant() {
        let typed = ["mandala-bench", "cost", "--only", "email", "--limit", "5"];
        let wishes = Arguments::parse_from(typed).wishes();
        assert_eq!(wishes.limit, Duration::from_secs(5));
        assert!(wishes.only.wants("email/3/auto") && !wishes.only.wants("mutex/3"));
        assert!(wishes.models.join("peterson/peterson.pml").exists());
        assert!(Arguments::try_parse_from(["mandala-bench", "cost", "--limit", "soon"]).is_err());
    }
}
