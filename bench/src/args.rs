//! The command line of the measurements.

use crate::process::Clock;
use crate::relay::RelayArguments;
use crate::selection::Selection;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The tables and figures of the literature on symmetry reduction, measured again with Mandala.
#[derive(Parser, Debug)]
#[command(name = "mandala-bench", version)]
pub(crate) struct Arguments {
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

    /// After how many seconds a row is given up; for `spin`, `rumur`, `murphi`, `liveness`, `every`, `counters` and `red`, a program. (A few rows that are the point of a table get thirty times as much.)
    #[arg(long, global = true, value_name = "SECONDS", default_value = "60")]
    pub limit: u32,

    /// The folder of the models. Default: that of the bundled ones, except for `topspin`, which needs to be told; for
    /// `spin`, `rumur`, `murphi`, `every` and `counters` they come on top of the bundled ones.
    #[arg(long, global = true, value_name = "FOLDER")]
    pub models: Option<PathBuf>,
}

/// What to measure.
#[derive(Subcommand, Clone, Debug)]
pub(crate) enum Command {
    /// States and time for each model, size and strategy of "Symmetric Spin" (2002), beside what the paper reports.
    Symmspin,
    /// Time for 1,000 representatives on e-mail systems and load balancers, as in "Vector Symmetry Reduction" (2009).
    Vector,
    /// For each bundled model: what a representative costs with `auto`, compared with what a successor costs.
    Cost,
    /// The group of each model of "Constraint-based Automatic Symmetry Detection" (2013), how long it takes to find it, and
    /// how many states are left, beside what the paper reports.
    Detection,
    /// TopSPIN's example models without annotation, from the command line to the verdict; say with --models where they are.
    Topspin(TopspinArguments),
    /// Spin and Mandala on the same models without reductions: time to the verdict, speed, cores, memory. --models names a
    /// folder with more models; the bundled ones are measured in any case.
    Spin(AgainstArguments),
    /// Rumur and Mandala on the same models in Murphi, without symmetry and with: states, rules fired, time to the verdict,
    /// memory. --models names a folder with more models; the bundled ones are measured in any case.
    Rumur(RumurArguments),
    /// Models in Murphi from the text to the verdict: time to load, to prepare and to compile them, for few members and for many. --models names a
    /// folder with more models; the bundled ones are measured in any case.
    Murphi(MurphiArguments),
    /// Spin and Mandala on the same models and formulas of linear temporal logic, without fairness and with weak fairness:
    /// verdicts, time to them, memory.
    Liveness(AgainstArguments),
    /// Models with a family of every size: answers, views and time from the command line to the verdict. --models names a folder with systems
    /// of Cubicle; the bundled models are measured in any case.
    Every(AgainstArguments),
    /// Models whose states can be counted, by counters, by relations over counters and by representatives: states, steps, time to the verdict, memory. --models names a folder
    /// with `many-*.pml`; the bundled models are measured in any case.
    Counters(AgainstArguments),
    /// Pointer programs, by the explicit and the symbolic engine, without symmetry and with: states, time to the verdict and memory, beside
    /// what Wang and Schmidt report of RED and SMC.
    Red(AgainstArguments),
    /// Runs a program and says what it has taken: a part of other commands.
    #[command(hide = true)]
    Relay(RelayArguments),
}

/// `mandala-bench topspin`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TopspinArguments {
    /// The program to measure. Default: `mandala` in the folder of this program.
    #[arg(long, value_name = "FILE")]
    pub mandala: Option<PathBuf>,

    /// Count the states without symmetry, too, within the limit.
    #[arg(long)]
    pub unreduced: bool,
}

/// `mandala-bench rumur`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RumurArguments {
    /// What it has in common with others.
    #[command(flatten)]
    pub against: AgainstArguments,

    /// Compare the time that the programs have worked, with one thread each, in place of time on the wall: for a machine that does other work, too.
    #[arg(long)]
    pub work: bool,
}

impl RumurArguments {
    /// Which time is compared.
    pub(crate) fn clock(&self) -> Clock {
        match self.work {
            true => Clock::Work,
            false => Clock::Wall,
        }
    }
}

/// `mandala-bench murphi`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MurphiArguments {
    /// What it has in common with others.
    #[command(flatten)]
    pub against: AgainstArguments,

    /// Another `mandala`, such as the one from before a change: both check each model in turns.
    #[arg(long, value_name = "FILE")]
    pub before: Option<PathBuf>,
}

/// `mandala-bench spin`, `rumur`, `murphi`, `liveness`, `every`, `counters` and `red`.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AgainstArguments {
    /// The program to measure. Default: `mandala` in the folder of this program.
    #[arg(long, value_name = "FILE")]
    pub mandala: Option<PathBuf>,

    /// Write the results as a table of comma-separated values, too; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

impl AgainstArguments {
    /// The file for comma-separated values, if it is one.
    pub(crate) fn csv_file(&self) -> Option<&Path> {
        self.csv.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// Whether they belong on standard output.
    pub(crate) fn prints_csv(&self) -> bool {
        self.csv
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    }
}

/// What is wanted, whatever is measured.
#[derive(Clone, Debug)]
pub(crate) struct Wishes {
    /// Which rows.
    pub only: Selection,
    /// Small sizes and short measurements.
    pub quick: bool,
    /// When a row is given up.
    pub limit: Duration,
    /// The folder of the models.
    pub models: PathBuf,
    /// The folder of models that are measured besides, for the command that does so.
    pub more_models: Option<PathBuf>,
}

impl Arguments {
    /// What they mean, or why they mean nothing.
    pub(crate) fn wishes(&self) -> Result<Wishes, String> {
        if matches!(self.command, Command::Topspin(_)) && self.models.is_none() {
            return Err("say with --models FOLDER where TopSPIN's example models are".into());
        }
        let bundled = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        let (models, more_models) = match (&self.command, &self.models) {
            (
                Command::Spin(_)
                | Command::Rumur(_)
                | Command::Murphi(_)
                | Command::Every(_)
                | Command::Counters(_),
                more,
            ) => (bundled(), more.clone()),
            (_, named) => (named.clone().unwrap_or_else(bundled), None),
        };
        Ok(Wishes {
            only: Selection::new(self.only.clone()),
            quick: self.quick,
            limit: Duration::from_secs(self.limit.into()),
            models,
            more_models,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn no_two_options_have_one_name() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn what_is_typed_is_what_is_meant() {
        let typed = ["mandala-bench", "cost", "--only", "email", "--limit", "5"];
        let wishes = Arguments::parse_from(typed).wishes().unwrap();
        assert_eq!(wishes.limit, Duration::from_secs(5));
        assert!(wishes.only.wants("email/3/auto") && !wishes.only.wants("mutex/3"));
        assert!(wishes.models.join("peterson/peterson.pml").exists());
        assert!(Arguments::try_parse_from(["mandala-bench", "cost", "--limit", "soon"]).is_err());
    }

    #[test]
    fn the_examples_of_another_tool_are_not_ours_to_bundle() {
        let wishes = |typed: &[&str]| Arguments::parse_from(typed).wishes();
        assert!(wishes(&["mandala-bench", "topspin"]).is_err());
        let told = wishes(&["mandala-bench", "topspin", "--models", "there"]);
        assert_eq!(told.unwrap().models, PathBuf::from("there"));
    }

    #[test]
    fn what_another_tool_is_given_is_bundled_and_may_be_more() {
        let wishes = |typed: &[&str]| Arguments::parse_from(typed).wishes().unwrap();
        let told = wishes(&["mandala-bench", "spin", "--models", "there"]);
        assert!(told.models.join("peterson/peterson.pml").exists());
        assert_eq!(told.more_models, Some(PathBuf::from("there")));
        assert_eq!(wishes(&["mandala-bench", "spin"]).more_models, None);
        for command in ["rumur", "murphi"] {
            let told = wishes(&["mandala-bench", command, "--models", "there"]);
            assert!(told.models.join("peterson/peterson.m").exists());
        }
    }
}
