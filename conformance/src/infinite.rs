//! Answers of Spin about infinite runs of models of a few lines: a table of facts.
//!
//! The manual leaves some questions open: whether `accept` labels of processes count beside a claim, whether a run that has come to
//! its end goes on for ever, who is passed over at a rendezvous. Each row answers one. The test `infinite_runs` asks the
//! installed Spin again.

use crate::command::{self, Ending};
use std::io;
use std::path::Path;
use std::time::Duration;

/// What `pan` is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// `-a`: acceptance cycles, also those of a claim.
    Accept,
    /// `-a -f`: those that are weakly fair.
    AcceptFair,
    /// `-l`: cycles without progress.
    Progress,
    /// `-l -f`: those that are weakly fair.
    ProgressFair,
}

/// One thing that Spin says.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// What it shows.
    pub what: &'static str,
    /// The model.
    pub model: &'static str,
    /// What is asked.
    pub asked: Asked,
    /// Whether Spin 6.5.2 finds a run.
    pub violated: bool,
}

const fn fact(what: &'static str, asked: Asked, violated: bool, model: &'static str) -> Fact {
    Fact {
        what,
        model,
        asked,
        violated,
    }
}

use Asked::{Accept, AcceptFair, Progress, ProgressFair};

/// All facts.
#[rustfmt::skip]
pub const FACTS: &[Fact] = &[
    fact("an accept label in a loop", Accept, true,
        "bit z; active proctype P() { accept: do :: z = 1 - z od }"),
    fact("accept labels of processes count beside a claim that has none", Accept, true,
        "bit z; active proctype P() { accept: do :: z = 1 - z od } never { do :: true od }"),
    fact("and beside a claim that has one elsewhere", Accept, true,
        "bool x; active proctype P() { accept: do :: x = !x od } \
         never { do :: true :: !x && x -> break od; accept: do :: true od }"),
    fact("but only in runs that the claim follows", Accept, false,
        "bool x; active proctype P() { accept: do :: x = 1 od } never { !x; !x; !x; !x }"),
    fact("a process that is blocked at an accept label stays there for ever", Accept, true,
        "active proctype P() { accept: false }"),
    fact("a process that has ended is nowhere", Accept, false,
        "active proctype P() { accept: skip }"),
    fact("who is passed over stays at its label", Accept, true,
        "bit z; active proctype P() { accept: skip } active proctype Q() { do :: z = 1 - z od }"),
    fact("the label must be passed again and again", Accept, true,
        "byte t; active proctype P() { do :: t == 0 -> accept: t = 1 od } \
         active proctype Q() { do :: t == 1 -> t = 0 od }"),
    fact("a run at whose end all processes have ended is extended for a claim", Accept, true,
        "bool x; active proctype P() { skip } ltl p { <> x }"),
    fact("and so is one in which they are blocked", Accept, true,
        "bool x; active proctype P() { false } ltl p { <> x }"),
    fact("in a formula, np_ is true at the start although a process is at a progress label", Accept, false,
        "bit z; active proctype P() { progress: do :: z = 1 - z od } \
         active proctype Q() { do :: z = 1 - z od } ltl p { <> np_ }"),
    fact("and false where the run stands still, although nobody is at one", Accept, true,
        "bit z; active proctype P() { z = 1 } ltl p { []<> np_ }"),
    fact("a loop without progress", Progress, true,
        "bit z; active proctype P() { do :: z = 1 - z od }"),
    fact("a loop with progress", Progress, false,
        "active proctype P() { do :: true -> progress: skip od }"),
    fact("the progress of one is not that of another", Progress, true,
        "bit z; active proctype P() { do :: true -> progress: skip od } \
         active proctype Q() { do :: z = 1 - z od }"),
    fact("unless it waits at the label", Progress, false,
        "bit z; active proctype P() { progress: false } active proctype Q() { do :: z = 1 - z od }"),
    fact("a label that is passed in each round", Progress, false,
        "byte t; active proctype P() { do :: t == 0 -> progress: t = 1 od } \
         active proctype Q() { do :: t == 1 -> t = 0 od }"),
    fact("a run that is blocked is not one without progress", Progress, false,
        "active proctype P() { skip; false }"),
    fact("nor is one that has ended", Progress, false,
        "active proctype P() { skip }"),
    fact("nor is one that is blocked if runs are fair", ProgressFair, false,
        "active proctype P() { skip; false }"),
    fact("fairness brings progress", ProgressFair, false,
        "bit z; active proctype P() { do :: true -> progress: skip od } \
         active proctype Q() { do :: z = 1 - z od }"),
    fact("without fairness a process may be passed over", Accept, true,
        "bool x; bit z; active proctype P() { x = 1 } active proctype Q() { do :: z = 1 - z od } ltl p { <> x }"),
    fact("with it, not for ever", AcceptFair, false,
        "bool x; bit z; active proctype P() { x = 1 } active proctype Q() { do :: z = 1 - z od } ltl p { <> x }"),
    fact("who can go on by else can always go on", AcceptFair, false,
        "bool x; bit z; active proctype P() { if :: x -> skip :: else -> x = 1 fi } \
         active proctype Q() { do :: z = 1 - z od } ltl p { <> x }"),
    fact("who can go on now and then may be passed over", AcceptFair, true,
        "bool x, y; active proctype P() { y -> x = 1 } active proctype Q() { do :: y = !y od } ltl p { <> x }"),
    fact("who waits for a timeout cannot go on", AcceptFair, true,
        "bool x; bit z; active proctype P() { timeout -> x = 1 } active proctype Q() { do :: z = 1 - z od } \
         ltl p { <> x }"),
    fact("who has ended wants nothing", AcceptFair, true,
        "bool x; bit z; active proctype P() { skip } active proctype Q() { do :: z = 1 - z od } ltl p { <> x }"),
    fact("a run that is blocked is fair", AcceptFair, true,
        "bool x; active proctype P() { false } ltl p { <> x }"),
    fact("also at an accept label", AcceptFair, true,
        "active proctype P() { accept: false }"),
    fact("at a rendezvous both take part", AcceptFair, true,
        "chan q = [0] of { byte }; byte got; active proctype S() { do :: q!1 od } \
         active proctype R() { do :: q?1 od } ltl p { <> (got == 1) }"),
    fact("a sender whose partner waits can go on", AcceptFair, false,
        "chan q = [0] of { byte }; byte got; bit z; active proctype S() { q!1 } \
         active proctype R() { q?1; got = 1 } active proctype L() { do :: z = 1 - z od } ltl p { <> (got == 1) }"),
    fact("so each of two senders has its turn", AcceptFair, false,
        "chan q = [0] of { byte }; byte got; active proctype S() { do :: q!1 od } \
         active proctype T() { do :: q!2 od } active proctype R() { do :: q?1 :: q?2 -> got = 1 od } \
         ltl p { <> (got == 1) }"),
    fact("but a receiver by itself cannot go on, and may be passed over", AcceptFair, true,
        "chan q = [0] of { byte }; byte got; active proctype S() { do :: q!1 od } \
         active proctype R() { do :: q?1 od } active proctype T() { q?1; got = 1 } ltl p { <> (got == 1) }"),
    fact("a sender whose partner is busy now and then may be passed over", AcceptFair, true,
        "chan q = [0] of { byte }; byte got; active proctype S() { q!2; got = 1 } \
         active proctype R() { do :: true -> if :: q?2 :: true fi od } ltl p { <> (got == 1) }"),
];

impl Asked {
    /// What the C compiler and `pan` are told.
    fn flags(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Accept => (&[], &["-a"]),
            AcceptFair => (&[], &["-a", "-f"]),
            Progress => (&["-DNP"], &["-l"]),
            ProgressFair => (&["-DNP"], &["-l", "-f"]),
        }
    }
}

impl Fact {
    /// Whether the installed Spin finds a run; what it says if that is no answer.
    ///
    /// # Errors
    ///
    /// If a program cannot be started or a file not be written.
    pub fn ask(&self, limit: Duration) -> io::Result<Result<bool, String>> {
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        std::fs::write(folder.join("model.pml"), self.model)?;
        let (compiling, searching) = self.asked.flags();
        let compiling = [
            &["-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"],
            compiling,
        ]
        .concat();
        // Deadlocks are another matter.
        let searching = [&["-E", "-m10000", "-w16"], searching].concat();
        let programs = [
            (Path::new("spin"), vec!["-a", "model.pml"]),
            (Path::new("gcc"), compiling),
            (&folder.join("pan"), searching),
        ];
        let mut said = String::new();
        for (program, arguments) in programs {
            let arguments: Vec<String> = arguments.into_iter().map(String::from).collect();
            said = match command::run(folder, program, &arguments, limit)? {
                Ending::Fine(text) | Ending::Failed(text) => text,
                Ending::TimeUp => return Ok(Err("it takes too long".into())),
            };
        }
        Ok(errors(&said).map(|errors| errors > 0).ok_or(said))
    }
}

/// How many errors `pan` has found, if it has searched.
fn errors(said: &str) -> Option<u64> {
    let summary = said.lines().find(|line| line.starts_with("State-vector"))?;
    summary.split("errors:").nth(1)?.trim().parse().ok()
}
