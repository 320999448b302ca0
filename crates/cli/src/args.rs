//! The command line as it is typed; [`crate::check`] and its neighbours decide what it means.

mod runs;
mod values;

pub use runs::{ReplayArguments, SimulateArguments};
use values::{choice, definition, dialect, fairness_help, precision, selection, symmetry_help};

use crate::chart::{self, ChartPlace};
use crate::graph::{self, GraphPlace};
use crate::shown::ShownArguments;
use crate::stated::StatedArguments;
use crate::{memory, monitor, units};
use clap::builder::UnknownArgumentValueParser;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use mandala_checker::frontend::{Dialect, ThreadWish};
use mandala_checker::options::{
    AfterViolation, BitField, CheckOptions, CycleSearch, Deadlock, EngineChoice, Expansion,
    Fairness, Firing, Limits, Numbers, Precision, SearchOrder, StaticReductions, Store, Switch,
    SymmetryChoice, TraceStates,
};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checks models of concurrent systems: looks at every run, and shows one that goes wrong.
#[derive(Parser, Debug)]
#[command(name = "mandala", version, after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        hide_short_help = true
    )]
    pub color: ColorWhen,
}

const AFTER_HELP: &str = "\
Examples:
  mandala check model.pml                     check all that the model states
  mandala check -D N=4 --json - model.pml     with N defined as 4; the result as JSON
  mandala check --checkpoint DIR model.pml    so that a long search survives a crash
  mandala resume DIR                          go on with it
  mandala test models                         check that all models there are as their headers say
  mandala symmetry model.pml                  what is interchangeable in it, and what is not
  mandala simulate -i model.pml               walk through it, choosing every step

Exit status:
  0  every checked property holds
  1  a property is violated
  2  the model or the command is wrong
  3  unknown: a limit was reached first
  4  interrupted (Ctrl-C, SIGTERM)";

/// What scripts can rely on.
const EXIT_STATUS: &str = "\
Exit status:
  0  every checked property holds
  1  a property is violated
  2  the model or the command is wrong
  3  unknown: a limit was reached first, or a property needs what this version does not have
  4  interrupted (Ctrl-C, SIGTERM); the report says what is known by then";

/// Under which headings help lists options.
pub mod headings {
    /// The model, and how it is read.
    pub const MODEL: &str = "Model";
    /// What is checked.
    pub const PROPERTIES: &str = "Properties";
    /// How states are searched, and when the search ends.
    pub const SEARCH: &str = "Search";
    /// How fewer of them are.
    pub const REDUCTIONS: &str = "Reductions";
    /// What is written, and what is shown.
    pub const RESULTS: &str = "Results";
}

/// How often a checkpoint is written if nobody says.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(600);

/// How many states a graph has at most if nobody says.
const USUAL_GRAPH: u64 = 100_000;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check whether the properties of a model hold.
    #[command(disable_help_flag = true, after_long_help = EXIT_STATUS)]
    Check(Box<CheckArguments>),
    /// Check models against the `Expect:` lines in their headers.
    ///
    /// Exit status: 0 all as expected, 1 one is not, 2 a model or a header is wrong, 3 not decided, 4 interrupted.
    Test(TestArguments),
    /// Go on with a search that has written checkpoints.
    Resume(ResumeArguments),
    /// Walk through a model: at random, along a trace, or as you choose.
    Simulate(SimulateArguments),
    /// Execute a counterexample again, and compare.
    ///
    /// The reference interpreter executes it step by step; each step has to be the recorded one.
    Replay(ReplayArguments),
    /// Show which processes and names of a model are interchangeable.
    ///
    /// And which line treats the others differently.
    Symmetry(SymmetryArguments),
    /// Check a proof that `mandala symmetry --proof` has written.
    ///
    /// Exit status: 0 accepted, 3 accepted but for parts that are trusted, 1 rejected.
    VerifyProof(VerifyProofArguments),
    /// Check an invariant that `mandala check --every` has written.
    ///
    /// With `--invariant FILE`. Exit status: 0 accepted, 1 rejected.
    VerifyInvariant(VerifyInvariantArguments),
    /// Print the intermediate representation that a model is checked in.
    Ir(IrArguments),
    /// Print the counter program of a model, in Promela.
    ///
    /// How many processes are in which local state, for models in which no cell holds a process.
    Counters(CountersArguments),
    /// Print what a shell needs to complete commands.
    ///
    /// `mandala completions bash > /etc/bash_completion.d/mandala`
    Completions(CompletionArguments),
    /// Print a page of the manual: `mandala man check | man -l -`.
    Man(ManualArguments),
}

/// Which model.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = headings::MODEL)]
pub struct ModelArguments {
    /// The file with the model; `-` is standard input.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Define a macro or a constant; without a value it is 1.
    ///
    /// A macro of Promela is defined before the first line; a constant of Murphi and of pointer automata gets another value.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub define: Vec<String>,

    /// The tool that a Murphi model was written for, where the two disagree. Default: cmurphi.
    #[arg(long, value_name = "TOOL", value_parser = dialect(), hide_short_help = true)]
    pub dialect: Option<Dialect>,

    #[command(flatten)]
    pub threads: ThreadArguments,
}

/// How many threads, and what is asked of them.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = headings::MODEL)]
pub struct ThreadArguments {
    /// Of a Boolean program or a thread transition system: at most so many threads ever, that of the start included. Default: every
    /// number, which `check` decides.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255), hide_short_help = true)]
    pub max_threads: Option<u32>,

    /// What must not be reached: a label of a Boolean program (default: SLIC_ERROR), or a configuration `s|l1,l2` of a thread
    /// transition system (default: that in the file of the same name that ends in .prop).
    #[arg(long, value_name = "WHAT", hide_short_help = true)]
    pub target: Option<String>,

    /// Where a thread transition system starts: `s|a` with one thread in a, `s/b` with any number in b, `s|a/b` with both. Default: 0/0.
    #[arg(long, value_name = "WHERE", hide_short_help = true)]
    pub start: Option<String>,
}

impl ThreadArguments {
    /// What is wanted.
    pub fn wish(&self) -> ThreadWish {
        ThreadWish {
            at_most: self.max_threads,
            target: self.target.clone(),
            start: self.start.clone(),
        }
    }
}

/// `mandala ir`.
#[derive(Args, Debug)]
pub struct IrArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub stated: StatedArguments,

    /// Print everything: the source files, the place of every part in them, and the texts of statements.
    #[arg(long)]
    pub full: bool,

    /// Print the automata of processes as a picture for Graphviz instead: `mandala ir --dot model.pml | dot -Tsvg`.
    #[arg(long, conflicts_with = "full")]
    pub dot: bool,
}

/// `mandala counters`.
#[derive(Args, Debug)]
pub struct CountersArguments {
    #[command(flatten)]
    pub model: ModelArguments,
}

/// `mandala check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub stated: StatedArguments,

    #[command(flatten)]
    pub outputs: OutputArguments,

    /// Check only this property; may be repeated.
    ///
    /// `safety` means assertions, deadlock and run-time errors without any claim, `never` the only never claim. Default: everything that the
    /// model and the command line state.
    #[arg(long, value_name = "NAME", help_heading = headings::PROPERTIES)]
    pub property: Vec<String>,

    /// Decide the model for every value of the constant or macro NAME, which is the size of a scalarset or of a family of processes.
    ///
    /// Small numbers are searched one by one, and all others decided by views: assertions, run-time errors and invariants. Deadlocks, `cover` and `liveness`
    /// are not decided; choose with `--property` and `--no-deadlock`. A system of Cubicle without `-D N=..` is decided for every number anyway.
    #[arg(long, value_name = "NAME", help_heading = headings::PROPERTIES, hide_short_help = true)]
    pub every: Option<String>,

    /// Write the invariant that shows that all holds for every number, as formulas; `-` is standard output. `mandala verify-invariant` checks it.
    #[arg(long, value_name = "FILE", help_heading = headings::RESULTS, hide_short_help = true)]
    pub invariant: Option<PathBuf>,

    /// What counts as a deadlock. Default: what the language says.
    #[arg(long, value_name = "KIND", value_parser = choice::<Deadlock>(), help_heading = headings::PROPERTIES, hide_short_help = true)]
    pub deadlock: Option<Deadlock>,

    /// Do not report deadlocks.
    ///
    /// As `--deadlock off`.
    #[arg(long, conflicts_with = "deadlock", help_heading = headings::PROPERTIES)]
    pub no_deadlock: bool,

    /// Go on after a violation, and count all violations.
    ///
    /// Every state is visited. `--bugs N` shows several violations.
    #[arg(long, help_heading = headings::SEARCH)]
    pub keep_going: bool,

    /// With `--keep-going`: show up to this many violations that differ in what they come from.
    ///
    /// That is the property and the statement; at a deadlock, where the processes wait, whichever of them waits where. Of each kind a run is shown,
    /// breadth first a shortest one; one of each violated property is shown in any case.
    #[arg(long, value_name = "N", requires = "keep_going", help_heading = headings::SEARCH, hide_short_help = true)]
    pub bugs: Option<NonZeroU32>,

    /// In which order states are visited. Default: bfs.
    ///
    /// Breadth first gives shortest counterexamples. With a store that is not exact, the default is dfs.
    #[arg(long, value_name = "ORDER", value_parser = choice::<SearchOrder>(), help_heading = headings::SEARCH, hide_short_help = true)]
    pub search: Option<SearchOrder>,

    /// What is remembered of a state.
    ///
    /// If it is not all of it, a violation that is found is real, but a property is
    /// never said to hold.
    #[arg(long, value_name = "KIND", default_value = "exact", value_parser = choice::<Store>(), help_heading = headings::SEARCH, hide_short_help = true)]
    pub store: Store,

    /// The size of the field of `--store bitstate`: 512M, 2G. Default: 128 MiB, or half of the memory if that is less.
    #[arg(long, value_name = "SIZE", value_parser = units::size, help_heading = headings::SEARCH, hide_short_help = true)]
    pub store_size: Option<u64>,

    /// How many bits of the field of `--store bitstate` are set for a state: 1 to 10. Default: 3.
    #[arg(long, value_name = "N", help_heading = headings::SEARCH, hide_short_help = true)]
    pub store_hashes: Option<u32>,

    /// Never find successors by native code: slower, with the same result.
    #[arg(long, help_heading = headings::SEARCH, hide_short_help = true)]
    pub interpret: bool,

    /// Show how often each statement was executed.
    #[arg(long, help_heading = headings::SEARCH, hide_short_help = true)]
    pub coverage: bool,

    /// Write checkpoints of the search to this folder.
    ///
    /// `mandala resume DIR` continues the search, even if it was killed. One more checkpoint is written when a limit is reached, whichever it is.
    #[arg(long, value_name = "DIR", help_heading = headings::SEARCH, hide_short_help = true)]
    pub checkpoint: Option<PathBuf>,

    /// How often: 30s, 5m. Default: 10 minutes.
    #[arg(long, value_name = "DURATION", value_parser = units::duration, requires = "checkpoint", help_heading = headings::SEARCH, hide_short_help = true)]
    pub checkpoint_every: Option<Duration>,

    /// Symmetry reduction: `auto`, `off`, or a strategy.
    #[arg(long, value_name = "STRATEGY", default_value = "auto", value_parser = choice::<SymmetryChoice>(), hide_possible_values = true, hide_default_value = true, long_help = symmetry_help(), help_heading = headings::REDUCTIONS)]
    pub symmetry: SymmetryChoice,

    /// Sort by this array, with `--symmetry sorted` or `segmented`: a global array, or a variable that
    /// each process has. Default: the global array with the largest numbers, else control locations.
    #[arg(long, value_name = "NAME", help_heading = headings::REDUCTIONS, hide_short_help = true)]
    pub main_array: Option<String>,

    /// Which state goes on when symmetry is used. Default: representatives.
    #[arg(long, value_name = "WHICH", value_parser = choice::<Expansion>(), help_heading = headings::REDUCTIONS, hide_short_help = true)]
    pub expand: Option<Expansion>,

    /// How often moves are made that differ only by an exchange of processes or names that are alike in the
    /// state, so that they lead to the same representative. The verdict and all counts stay the same. Default: once, where there is one
    /// representative of each orbit.
    #[arg(long, value_name = "HOW", value_parser = choice::<Firing>(), help_heading = headings::REDUCTIONS, hide_short_help = true)]
    pub fire: Option<Firing>,

    /// Leave out steps that are independent of others: `on` or `off`.
    ///
    /// `on`, or it is an error; `auto` leaves out none. The verdict stays the same, but not the count of states. For safety, formulas without next, `--non-progress` and `--accept`.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = choice::<Switch>(), hide_possible_values = true, help_heading = headings::REDUCTIONS, hide_short_help = true)]
    pub por: Switch,

    /// Leave out unfair infinite runs: `weak` or `strong`.
    #[arg(long, value_name = "KIND", default_value = "off", value_parser = choice::<Fairness>(), hide_possible_values = true, hide_default_value = true, long_help = fairness_help(), help_heading = headings::PROPERTIES)]
    pub fair: Fairness,

    /// How infinite runs are looked for.
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = choice::<CycleSearch>(), help_heading = headings::SEARCH, hide_short_help = true)]
    pub cycles: CycleSearch,

    /// Show a shortest one of the infinite runs that violate a property: the fewest stored states before it repeats itself, and in one
    /// round. With symmetry, orbits are counted. Takes the graph of all states, and time.
    #[arg(long, conflicts_with = "fair", help_heading = headings::SEARCH, hide_short_help = true)]
    pub shortest: bool,

    /// Which simplifications of the model are made: `on`, `off`, or some.
    ///
    /// Some of `dead` (variables that
    /// are not read again get a fixed value), `merge` (steps that no other process can observe are joined to the one before)
    /// and `constants` (what never changes becomes a number), with commas between. The verdict stays the same;
    /// with `off` the count of states is that of Spin.
    #[arg(long = "static", value_name = "WHICH", default_value = "on", value_parser = StaticReductions::named, help_heading = headings::REDUCTIONS, hide_short_help = true)]
    pub static_reductions: StaticReductions,

    #[command(flatten)]
    pub proof: ProofArguments,

    /// What does the search.
    #[arg(long, value_name = "NAME", default_value = "explicit", value_parser = choice::<EngineChoice>(), help_heading = headings::SEARCH, hide_short_help = true)]
    pub engine: EngineChoice,

    /// How far the bounds of a probability or expected reward may be apart, as a part of the lower one: 1e-6, 0.001.
    ///
    /// The value is between the bounds for certain. Questions about probabilities are answered by the engine `probabilistic`, whichever engine searches for the others.
    #[arg(long, value_name = "PART", default_value = "1e-6", value_parser = precision, help_heading = headings::SEARCH, hide_short_help = true)]
    pub precision: f64,

    /// Compute probabilities and expected rewards as exact rational numbers.
    ///
    /// For models that are not large. What happens until a time in continuous time is no rational number.
    #[arg(long, help_heading = headings::SEARCH, hide_short_help = true)]
    pub exact: bool,

    /// Write the state after each step of a trace into the JSON document, not only the last one.
    #[arg(long, requires = "json", help_heading = headings::RESULTS, hide_short_help = true)]
    pub trace_states: bool,

    #[command(flatten)]
    pub resources: ResourceArguments,

    /// Print this; `--help` explains every option.
    #[arg(short, long, action = ArgAction::Help, help_heading = headings::RESULTS)]
    pub help: Option<bool>,
}

/// Where the result goes.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = headings::RESULTS)]
pub struct OutputArguments {
    /// Write the result as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write violations in the SARIF format, for code hosts; `-` is standard output.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub sarif: Option<PathBuf>,

    /// Write the first counterexample as a trail for Spin.
    ///
    /// `spin -t -k FILE -p MODEL` replays it; `-` is standard output.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub trail: Option<PathBuf>,

    /// Write the report as a page for a browser.
    ///
    /// One file that needs nothing else: the verdict, the run step by step beside the model, its chart, the symmetry, the graph of up to 2,000 states, and statistics. `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the graph of states: .dot, .aut or .json.
    ///
    /// All states that can be reached, whatever goes wrong on the way: one for each orbit, with the permutations that steps stand for, or
    /// every one with `--symmetry off`. The name says in which form: `.dot` (Graphviz), `.aut` (Aldebaran) or `.json`.
    #[arg(long, value_name = "FILE", value_parser = graph::place, hide_short_help = true)]
    pub graph: Option<GraphPlace>,

    /// How many states a graph has at most: 1000, 50k. Default: 100k.
    #[arg(long, value_name = "N", value_parser = units::count, requires = "graph", hide_short_help = true)]
    pub graph_limit: Option<u64>,

    #[command(flatten)]
    pub shown: ShownArguments,

    /// Draw a message sequence chart: .txt, .mmd, .svg or `-`.
    ///
    /// It is of the first run that is shown: who sends what to whom. The name says in which form: `.txt`, `.mmd` (Mermaid) or `.svg`; `-` prints
    /// it behind the report.
    #[arg(long, value_name = "FILE", value_parser = chart::place)]
    pub msc: Option<ChartPlace>,

    /// Write how far the search is as JSON, a line a second; `-` is standard output.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub progress_json: Option<PathBuf>,

    /// Print only the verdict, and no progress.
    #[arg(long, short)]
    pub quiet: bool,
}

impl OutputArguments {
    /// Whether something is written beside the report.
    pub fn writes_files(&self) -> bool {
        let places = [
            &self.json,
            &self.sarif,
            &self.trail,
            &self.html,
            &self.progress_json,
        ];
        places.iter().any(|place| place.is_some()) || self.msc.is_some() || self.graph.is_some()
    }

    /// How many states a graph has at most.
    pub fn most_in_graph(&self) -> u64 {
        self.graph_limit.unwrap_or(USUAL_GRAPH)
    }
}

/// How much a search may take: threads, memory, time, states, depth.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = headings::SEARCH)]
pub struct ResourceArguments {
    /// How many threads search. Default: all cores.
    ///
    /// Verdict and counts do not depend on it. Searches for a claim, and those
    /// with `--symmetry flood`, `markers` or `first-met` or with `--expand originals`, have one.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub workers: Option<NonZeroU32>,

    /// What other tools call it.
    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest_arg("--workers"))]
    pub threads: Option<String>,

    /// Stop before more memory is used: 512M, 2G.
    ///
    /// It bounds the whole program; at least 16M. Default: four fifths of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,

    /// Stop after this time: 10s, 5m.
    ///
    /// It bounds the whole command, from reading the model to replaying a run.
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub time: Option<Duration>,

    /// Stop at this many stored states: 1000, 50k, 2M.
    #[arg(long, value_name = "N", value_parser = units::count, hide_short_help = true)]
    pub states: Option<u64>,

    /// Do not go deeper than this many stored states.
    #[arg(long, value_name = "N", value_parser = units::count, hide_short_help = true)]
    pub depth: Option<u64>,
}

impl ResourceArguments {
    /// These, and where they say nothing, those.
    pub fn or(&self, other: &ResourceArguments) -> ResourceArguments {
        ResourceArguments {
            workers: self.workers.or(other.workers),
            threads: None,
            memory: self.memory.or(other.memory),
            time: self.time.or(other.time),
            states: self.states.or(other.states),
            depth: self.depth.or(other.depth),
        }
    }
}

/// `mandala test`.
#[derive(Args, Debug)]
pub struct TestArguments {
    /// Models, and folders with models: all in them that have `Expect:` lines are checked.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// How many models are checked at a time. Default: as many as there are cores.
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroU32>,

    /// Give a test up after this time: 10s, 5m.
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub time: Option<Duration>,

    /// Give a test up before it holds more memory than this: 512M, 2G. Default: four fifths of what is free, shared by those that run at a time.
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,

    /// Write the result as JUnit XML; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write what is not as expected in the SARIF format; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Show only tests that do not pass, and the summary.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `mandala resume`.
#[derive(Args, Debug)]
pub struct ResumeArguments {
    /// The folder that `mandala check --checkpoint` has written to.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    #[command(flatten)]
    pub outputs: OutputArguments,

    #[command(flatten)]
    pub resources: ResourceArguments,
}

/// `mandala symmetry`.
#[derive(Args, Debug)]
pub struct SymmetryArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub stated: StatedArguments,

    /// Write the result as a JSON document; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// What can be exchanged without a change to the properties of this name; may be repeated. `safety` means
    /// assertions, deadlock and run-time errors without any claim. Default: all properties that the model and the command line state;
    /// those that leave another group than the first are listed.
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,

    /// Write a proof of what is interchangeable, which `mandala verify-proof` checks; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,

    /// Write the group for GAP: its generators, with its order, which GAP checks; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub gap: Option<PathBuf>,

    #[command(flatten)]
    pub effort: ProofArguments,
}

/// `mandala verify-proof`.
#[derive(Args, Debug)]
pub struct VerifyProofArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    /// The file with the proof.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub stated: StatedArguments,
}

/// `mandala verify-invariant`.
#[derive(Args, Debug)]
pub struct VerifyInvariantArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    /// The file with the invariant.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// How much work proofs of symmetry may be.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = headings::REDUCTIONS)]
pub struct ProofArguments {
    /// Multiply the budgets of proofs of symmetry by this. Budgets count steps of work, so that the group does not depend on the machine. Where one
    /// ends, the report says at which part of the model; what is not proven by then is not used.
    #[arg(long, value_name = "N", default_value = "1", hide_short_help = true)]
    pub proof_effort: NonZeroU32,
}

impl SymmetryArguments {
    /// What is asked for.
    pub fn options(&self) -> CheckOptions {
        CheckOptions {
            properties: selection(&self.property),
            proof_effort: self.effort.proof_effort,
            ..CheckOptions::default()
        }
    }
}

impl VerifyProofArguments {
    /// The checks that a proof is about.
    pub fn options(selected: &[String]) -> CheckOptions {
        CheckOptions {
            properties: selection(selected),
            ..CheckOptions::default()
        }
    }
}

/// `mandala completions`.
#[derive(Args, Debug)]
pub struct CompletionArguments {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `mandala man`.
#[derive(Args, Debug)]
pub struct ManualArguments {
    /// The command that the page is about. Default: the page on all of them.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

impl CheckArguments {
    /// What is asked for.
    pub fn options(&self) -> CheckOptions {
        CheckOptions {
            symmetry: self.symmetry,
            proof_effort: self.proof.proof_effort,
            main_array: self.main_array.clone(),
            expand: self.expand,
            firing: self.fire,
            partial_order: self.por,
            fairness: self.fair,
            cycles: self.cycles,
            shortest: self.shortest,
            static_reductions: self.static_reductions,
            order: self.search.unwrap_or_else(|| self.default_order()),
            engine: self.engine,
            workers: self
                .resources
                .workers
                .unwrap_or_else(|| self.default_workers()),
            store: self.store,
            field: BitField {
                bytes: self.store_size,
                hashes: self.store_hashes,
            },
            interpret: self.interpret,
            statement_counts: self.coverage,
            trace_states: match self.trace_states {
                true => TraceStates::Each,
                false => TraceStates::Last,
            },
            checkpoint: None,
            limits: Limits {
                states: self.resources.states,
                depth: self.resources.depth,
                time: self.resources.time,
                memory: self.resources.memory.or_else(|| self.default_memory()),
            },
            started: Instant::now(),
            properties: selection(&self.property),
            deadlock: match self.no_deadlock {
                true => Deadlock::Ignore,
                false => self.deadlock.unwrap_or_default(),
            },
            after_violation: match self.keep_going {
                true => AfterViolation::GoOn,
                false => AfterViolation::Stop,
            },
            bugs: self.bugs.unwrap_or(NonZeroU32::MIN),
            precision: Precision {
                relative: self.precision,
                numbers: match self.exact {
                    true => Numbers::Exact,
                    false => Numbers::Bounds,
                },
            },
        }
    }
}

impl CheckArguments {
    /// The limits that hold for the whole command.
    pub fn limits(&self) -> monitor::Limits {
        let memory = self.resources.memory;
        monitor::Limits {
            time: self.resources.time,
            memory: memory.or_else(|| self.default_memory()),
            states: self.resources.states,
        }
    }

    /// Where checkpoints go, if anywhere, and how often.
    pub fn checkpoints(&self) -> Option<(&Path, Duration)> {
        let interval = self.checkpoint_every.unwrap_or(CHECKPOINT_INTERVAL);
        self.checkpoint.as_deref().map(|folder| (folder, interval))
    }

    /// Breadth first, unless the store would not find the way back, or levels cost more than they are worth.
    fn default_order(&self) -> SearchOrder {
        match self.store {
            // Levels of counters are many, and large as diagrams.
            Store::Exact
                if self.engine == EngineChoice::SYMBOLIC
                    && self.symmetry == SymmetryChoice::Counters =>
            {
                SearchOrder::DepthFirst
            }
            Store::Exact => SearchOrder::BreadthFirst,
            Store::HashCompact | Store::Bitstate => SearchOrder::DepthFirst,
        }
    }

    /// Whether the way in which symmetry is used has a search of its own, whatever the engine can do.
    fn has_search_of_its_own(&self) -> bool {
        match self.symmetry {
            SymmetryChoice::Partial(_) => true,
            SymmetryChoice::Counters => self.engine == EngineChoice::EXPLICIT,
            SymmetryChoice::Off | SymmetryChoice::Use(_) | SymmetryChoice::OnSets(_) => false,
        }
    }

    /// All cores, for the engine that can use them.
    fn default_workers(&self) -> NonZeroU32 {
        let cores = || NonZeroU32::try_from(std::thread::available_parallelism().ok()?).ok();
        match self.engine.engine().capabilities().workers && !self.has_search_of_its_own() {
            true => cores().unwrap_or(NonZeroU32::MIN),
            false => NonZeroU32::MIN,
        }
    }

    /// A part of the machine's memory, for an engine that can be limited.
    fn default_memory(&self) -> Option<u64> {
        match self.engine.engine().capabilities().memory && !self.has_search_of_its_own() {
            true => memory::default_limit(),
            false => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use mandala_checker::options::Selection;

    #[test]
    fn the_description_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn flags_become_words() {
        let line = [
            "mandala",
            "check",
            "m.pml",
            "--keep-going",
            "--no-deadlock",
            "--property",
            "p",
        ];
        let Command::Check(check) = Arguments::parse_from(line).command else {
            panic!("not a check");
        };
        let options = check.options();
        assert_eq!(options.after_violation, AfterViolation::GoOn);
        assert_eq!(options.deadlock, Deadlock::Ignore);
        assert_eq!(options.properties, Selection::Named(vec!["p".into()]));
    }

    #[test]
    fn what_is_stated_beside_the_model_is_added_to_it() {
        let line = ["mandala", "check", "m.pml", "--ltl", "q: [] p"];
        let Command::Check(check) = Arguments::parse_from(line).command else {
            panic!("not a check");
        };
        assert_eq!(check.options().properties, Selection::Everything);
    }
}
