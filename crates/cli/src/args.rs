//! What can be typed, and no more: what it means is decided in [`crate::check`] and its neighbours.

use crate::chart::{self, ChartPlace};
use crate::graph::{self, GraphPlace};
use crate::shown::ShownArguments;
use crate::stated::StatedArguments;
use crate::{memory, monitor, units};
use clap::builder::{
    PossibleValue, PossibleValuesParser, TypedValueParser, UnknownArgumentValueParser,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use mandala_checker::frontend::{Dialect, ThreadWish};
use mandala_checker::options::{
    AfterViolation, BitField, CheckOptions, Choice, CycleSearch, Deadlock, EngineChoice, Expansion,
    Fairness, Firing, Limits, SearchOrder, Selection, StaticReductions, Store, Switch,
    SymmetryChoice, TraceStates,
};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checks models of concurrent systems: looks at every run of a model, and shows a run that goes
/// wrong, step by step, if there is one.
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
        value_name = "WHEN"
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

/// Under which headings help lists options.
pub mod headings {
    /// The model, and how it is read.
    pub const MODEL: &str = "Model";
    /// What is checked.
    pub const PROPERTIES: &str = "Properties";
    /// How states are searched.
    pub const SEARCH: &str = "Search";
    /// How fewer of them are.
    pub const REDUCTIONS: &str = "Reductions";
    /// When it ends.
    pub const LIMITS: &str = "Limits";
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
    #[command(
        after_help = "These are the options that most models need; `mandala check --help` explains all of them.",
        after_long_help = ""
    )]
    Check(Box<CheckArguments>),
    /// Check models against the `Expect:` lines in their headers. Exit status: 0 all as expected, 1 one is not, 2 a model or a header is
    /// wrong, 3 not decided, 4 interrupted.
    Test(TestArguments),
    /// Go on with a search that has written checkpoints.
    Resume(ResumeArguments),
    /// Walk through a model: at random, along a trace, or step by step as you choose.
    Simulate(SimulateArguments),
    /// Replay a counterexample: execute it step by step on the reference interpreter, and compare.
    Replay(ReplayArguments),
    /// Show which processes and names of a model are interchangeable, and what tells the others apart.
    Symmetry(SymmetryArguments),
    /// Check a proof of symmetry that `mandala symmetry --proof` has written. Exit status: 0 accepted, 3 accepted but for parts that are
    /// trusted, 1 rejected.
    VerifyProof(VerifyProofArguments),
    /// Check an invariant that `mandala check --every NAME --invariant FILE` has written. Exit status: 0 accepted, 1 rejected.
    VerifyInvariant(VerifyInvariantArguments),
    /// Print the intermediate representation that a model is checked in.
    Ir(IrArguments),
    /// Print what a shell needs to complete commands: `mandala completions bash > /etc/bash_completion.d/mandala`.
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

    /// Define a macro before the first line; without a value it is 1.
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

/// `mandala check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub stated: StatedArguments,

    #[command(flatten)]
    pub outputs: OutputArguments,

    /// Check the properties of this name only; may be repeated.
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

    /// Do not report deadlocks: `--deadlock off`.
    #[arg(long, conflicts_with = "deadlock", help_heading = headings::PROPERTIES)]
    pub no_deadlock: bool,

    /// Go on after a violation: visit everything and count all violations.
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
    #[arg(long, value_name = "ORDER", value_parser = choice::<SearchOrder>(), help_heading = headings::SEARCH)]
    pub search: Option<SearchOrder>,

    /// What is remembered of a state.
    ///
    /// If it is not all of it, a violation that is found is real, but a property is
    /// never said to hold.
    #[arg(long, value_name = "KIND", default_value = "exact", value_parser = choice::<Store>(), help_heading = headings::SEARCH)]
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

    /// Tell how often each statement was executed.
    #[arg(long, help_heading = headings::SEARCH)]
    pub coverage: bool,

    /// Write down in this folder how far the search is.
    ///
    /// `mandala resume` goes on with it, even if it was killed. One more is written when a limit is reached, whichever it is.
    #[arg(long, value_name = "DIR", help_heading = headings::SEARCH)]
    pub checkpoint: Option<PathBuf>,

    /// How often: 30s, 5m. Default: 10 minutes.
    #[arg(long, value_name = "DURATION", value_parser = units::duration, requires = "checkpoint", help_heading = headings::SEARCH, hide_short_help = true)]
    pub checkpoint_every: Option<Duration>,

    /// How symmetry is used: `auto`, `off`, or a strategy.
    #[arg(long, value_name = "STRATEGY", default_value = "auto", value_parser = choice::<SymmetryChoice>(), hide_possible_values = true, long_help = symmetry_help(), help_heading = headings::REDUCTIONS)]
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
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = choice::<Switch>(), hide_possible_values = true, help_heading = headings::REDUCTIONS)]
    pub por: Switch,

    /// Which infinite runs count for claims and formulas.
    #[arg(long, value_name = "KIND", default_value = "off", value_parser = choice::<Fairness>(), help_heading = headings::PROPERTIES)]
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
    /// nobody will read again get a fixed value), `merge` (steps that nobody else can see are joined to the one before)
    /// and `constants` (what never changes becomes a number), with commas between. The verdict stays the same;
    /// with `off` the count of states is that of Spin.
    #[arg(long = "static", value_name = "WHICH", default_value = "on", value_parser = StaticReductions::named, help_heading = headings::REDUCTIONS)]
    pub static_reductions: StaticReductions,

    #[command(flatten)]
    pub proof: ProofArguments,

    /// What does the search.
    #[arg(long, value_name = "NAME", default_value = "explicit", value_parser = choice::<EngineChoice>(), help_heading = headings::SEARCH)]
    pub engine: EngineChoice,

    /// Write the state after each step of a trace into the JSON document, not only the last one.
    #[arg(long, requires = "json", help_heading = headings::RESULTS, hide_short_help = true)]
    pub trace_states: bool,

    #[command(flatten)]
    pub resources: ResourceArguments,

    /// Do not go deeper than this many stored states.
    #[arg(long, value_name = "N", value_parser = units::count, help_heading = headings::LIMITS)]
    pub depth: Option<u64>,
}

/// Where the result goes.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = headings::RESULTS)]
pub struct OutputArguments {
    /// Write the result as a JSON document; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write violations in the SARIF format, for code hosts; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the first counterexample as a trail for Spin.
    ///
    /// `spin -t -k FILE -p MODEL` replays it; `-` is standard output.
    #[arg(long, value_name = "FILE")]
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

    /// Say the verdict only, and show no progress.
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

/// How much a search may take: threads, memory, time, states.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = headings::LIMITS)]
pub struct ResourceArguments {
    /// How many threads search. Default: all cores.
    ///
    /// Verdict and counts do not depend on it. Searches for a claim, and those
    /// with `--symmetry flood`, `markers` or `first-met` or with `--expand originals`, have one.
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroU32>,

    /// What other tools call it.
    #[arg(long, hide = true, value_parser = UnknownArgumentValueParser::suggest_arg("--workers"))]
    pub threads: Option<String>,

    /// Give up before more memory is taken: 512M, 2G.
    ///
    /// It bounds the whole program; at least 16M. Default: four fifths of what is free.
    #[arg(long, value_name = "SIZE", value_parser = units::memory)]
    pub memory: Option<u64>,

    /// Give up after this time: 10s, 5m.
    ///
    /// It bounds the whole command, from reading the model to replaying a run.
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub time: Option<Duration>,

    /// Give up at this many stored states: 1000, 50k, 2M.
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub states: Option<u64>,
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
                depth: self.depth,
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

    /// Breadth first, unless the store would not find the way back.
    fn default_order(&self) -> SearchOrder {
        match self.store {
            Store::Exact => SearchOrder::BreadthFirst,
            Store::HashCompact | Store::Bitstate => SearchOrder::DepthFirst,
        }
    }

    /// Whether the way in which symmetry is used has a search of its own, whatever the engine can do.
    fn has_search_of_its_own(&self) -> bool {
        matches!(self.symmetry, SymmetryChoice::Partial(_))
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

/// What `--symmetry` does, with all strategies.
fn symmetry_help() -> String {
    let mut text = String::from(
        "How symmetry is used: of all states that differ only by an exchange of interchangeable processes or names, one is stored, or few. \
         The verdict stays the same, except with `markers`.\n\nPossible values:",
    );
    for choice in SymmetryChoice::ALL {
        text.push_str(&format!(
            "\n- {}: {}",
            choice.name(),
            choice.help().unwrap_or_default()
        ));
    }
    text
}

/// The named properties, or everything.
fn selection(names: &[String]) -> Selection {
    match names {
        [] => Selection::Everything,
        names => Selection::Named(names.to_vec()),
    }
}

/// Reads the name of a choice; help lists all of them, with a line on each where there is one.
fn choice<C: Choice>() -> impl TypedValueParser<Value = C> {
    let values = C::ALL.iter().map(|c| {
        let value = PossibleValue::new(c.name());
        match c.help() {
            Some(help) => value.help(help),
            None => value,
        }
    });
    PossibleValuesParser::new(values).try_map(|name| C::named(&name).ok_or("no such choice"))
}

/// The name of a dialect.
fn dialect() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()));
    PossibleValuesParser::new(names).try_map(|name| Dialect::named(&name).ok_or("no such tool"))
}

/// `NAME` or `NAME=VALUE`, where the name is one that a macro can have.
fn definition(text: &str) -> Result<String, String> {
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    let mut letters = name.chars();
    let first = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    match first && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => Ok(text.to_string()),
        false => Err("a definition looks like -D NAME or -D NAME=VALUE".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn definitions_name_a_macro() {
        for right in ["N", "N=3", "_x1=", "F=a=b"] {
            assert_eq!(definition(right), Ok(right.to_string()));
        }
        for wrong in ["", "=3", "3=N", "a b=1", "é=1"] {
            assert!(definition(wrong).is_err(), "{wrong}");
        }
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
