//! Spin as an oracle.
//!
//! Three programs run one after the other in a folder of their own: `spin` translates the model
//! to C with all its reductions switched off, `gcc` compiles that, and the result (`pan`) searches
//! the whole state space without stopping at errors. What it says at the end is read here.
//!
//! Not every end is an answer. A search that was cut off (by its depth, its memory, its time or an
//! error after which Spin gives up) has counted only some of the states, and a crash says nothing.

use crate::command::{self, Ending};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which part of a model is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The system alone.
    None,
    /// The system together with the model's never claim or ltl formula, safety only.
    Product,
}

/// What Spin is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The model.
    pub text: &'a str,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
    /// Which part of it.
    pub claim: Claim,
    /// How large it is.
    pub size: Size,
    /// How long each of the three programs may take.
    pub limit: Duration,
}

/// How large a model is, as far as it is known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// It takes longer to compile than to search, so the compiler does not optimise, and the table starts small.
    Small,
    /// Millions of states.
    Large,
}

impl Size {
    fn optimisation(self) -> &'static str {
        match self {
            Size::Small => "-O0",
            Size::Large => "-O2",
        }
    }

    /// The size of the hash table of `pan`, as a power of two.
    fn hash_bits(self) -> u32 {
        match self {
            Size::Small => 18,
            Size::Large => 24,
        }
    }
}

/// What Spin says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has searched everything.
    Complete(Search),
    /// It stopped early: what it counted is a lower bound.
    Partial(Search),
    /// It does not accept the model, for this reason.
    Refused(String),
    /// It gives no answer, for this reason.
    Nothing(String),
}

/// The summary of a search.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Search {
    /// States stored.
    pub states: u64,
    /// States stored and states met again.
    pub transitions: u64,
    /// Errors, each time they were met.
    pub errors: u64,
    /// The first error.
    pub first_error: Option<String>,
    /// The depth that was reached.
    pub depth: u64,
}

/// An installed Spin together with a C compiler.
#[derive(Clone, Debug)]
pub struct Spin {
    spin: PathBuf,
    compiler: PathBuf,
}

/// How deep `pan` may search. Each unit takes some 50 bytes of its memory.
const DEPTH: u32 = 1_000_000;

/// How long a replay may take.
const REPLAY: Duration = Duration::from_secs(30);

impl Spin {
    /// The Spin on this machine, if there is one.
    pub fn find() -> Option<Spin> {
        let found = Spin {
            spin: "spin".into(),
            compiler: "gcc".into(),
        };
        let answers = |program: &Path, flag: &str| {
            let output = std::process::Command::new(program).arg(flag).output();
            output.is_ok_and(|o| o.status.success())
        };
        (answers(&found.spin, "-V") && answers(&found.compiler, "--version")).then_some(found)
    }

    /// Asks. An error means that a program could not be started or a file not be written.
    pub fn ask(&self, question: &Question<'_>) -> io::Result<Answer> {
        let mut flags = vec!["-DSAFETY", "-DNOREDUCE"];
        if question.claim == Claim::None {
            flags.push("-DNOCLAIM");
        }
        match self.verifier(question, &flags)? {
            Ok(verifier) => verifier.run(&["-c0"]),
            Err(answer) => Ok(answer),
        }
    }

    /// The verifier of a model that looks for what happens for ever, without reductions; or why there is none.
    ///
    /// # Errors
    ///
    /// A program could not be started or a file not be written.
    pub fn liveness(&self, question: &Question<'_>) -> io::Result<Result<Verifier, Answer>> {
        self.verifier(question, &["-DNOREDUCE", "-DNFAIR=3"])
    }

    /// The same with Spin's own partial-order reduction.
    ///
    /// # Errors
    ///
    /// A program could not be started or a file not be written.
    pub fn reduced_liveness(
        &self,
        question: &Question<'_>,
    ) -> io::Result<Result<Verifier, Answer>> {
        self.verifier(question, &[])
    }

    /// The same for runs without progress.
    ///
    /// # Errors
    ///
    /// A program could not be started or a file not be written.
    pub fn progress(&self, question: &Question<'_>) -> io::Result<Result<Verifier, Answer>> {
        let verifier = self.verifier(question, &["-DNOREDUCE", "-DNFAIR=3", "-DNP"])?;
        Ok(verifier.map(|verifier| Verifier {
            looks_for: "-l",
            ..verifier
        }))
    }

    fn verifier(
        &self,
        question: &Question<'_>,
        flags: &[&str],
    ) -> io::Result<Result<Verifier, Answer>> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("model.pml"), question.text)?;
        match self.translate(folder.path(), question)? {
            Ending::Fine(_) if folder.path().join("pan.c").exists() => {}
            Ending::TimeUp => return Ok(Err(Answer::Nothing("spin takes too long".into()))),
            Ending::Fine(text) | Ending::Failed(text) => return Ok(Err(Answer::Refused(text))),
        }
        Ok(match self.compile(folder.path(), question, flags)? {
            Ending::Fine(_) => Ok(Verifier {
                folder,
                looks_for: "-a",
                size: question.size,
                limit: question.limit,
            }),
            Ending::TimeUp => Err(Answer::Nothing("gcc takes too long".into())),
            Ending::Failed(text) => Err(Answer::Nothing(format!("gcc: {text}"))),
        })
    }

    /// Lets Spin replay a trail; what it says. An error means that it could not be started or a file not be
    /// written.
    pub fn replay(&self, text: &str, defines: &[String], trail: &str) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        let folder = folder.path();
        std::fs::write(folder.join("model.pml"), text)?;
        std::fs::write(folder.join("found.trail"), trail)?;
        let mut arguments: Vec<String> = ["-t", "-p", "-k", "found.trail"].map(String::from).into();
        arguments.extend(defines.iter().map(|d| format!("-D{d}")));
        arguments.push("model.pml".into());
        match command::run(folder, &self.spin, &arguments, REPLAY)? {
            Ending::Fine(text) | Ending::Failed(text) => Ok(text),
            Ending::TimeUp => Ok("time is up".into()),
        }
    }

    fn translate(&self, folder: &Path, question: &Question<'_>) -> io::Result<Ending> {
        let mut arguments: Vec<String> = ["-o1", "-o2", "-o3", "-a"].map(String::from).into();
        arguments.extend(question.defines.iter().map(|d| format!("-D{d}")));
        arguments.push("model.pml".into());
        command::run(folder, &self.spin, &arguments, question.limit)
    }

    /// Compiles with wrapping arithmetic, because the language has it and C has not.
    fn compile(
        &self,
        folder: &Path,
        question: &Question<'_>,
        flags: &[&str],
    ) -> io::Result<Ending> {
        let speed = question.size.optimisation();
        let usual = [speed, "-w", "-fwrapv", "-o", "pan", "pan.c"];
        let arguments = usual.iter().chain(flags).map(|flag| flag.to_string());
        let arguments: Vec<String> = arguments.collect();
        command::run(folder, &self.compiler, &arguments, question.limit)
    }
}

/// A compiled verifier of one model.
#[derive(Debug)]
pub struct Verifier {
    folder: tempfile::TempDir,
    /// What kind of cycles, as a flag.
    looks_for: &'static str,
    size: Size,
    limit: Duration,
}

/// Which runs that go on for ever Spin looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All.
    All,
    /// Those on which no process is passed over for ever that could always move.
    Fair,
}

impl Verifier {
    /// Whether a claim is violated, the one of that name if there are several; the reason if that is not known. Deadlocks do not count.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn is_violated(&self, claim: Option<&str>, runs: Runs) -> io::Result<Result<bool, String>> {
        let claim = claim.map(|claim| ["-N", claim]);
        self.look_for(runs, claim.as_slice().as_flattened())
    }

    /// Whether there is such a cycle in a model without claims. Assertions that fail do not count.
    ///
    /// # Errors
    ///
    /// The program could not be started.
    pub fn is_met(&self, runs: Runs) -> io::Result<Result<bool, String>> {
        self.look_for(runs, &["-A"])
    }

    fn look_for(&self, runs: Runs, more: &[&str]) -> io::Result<Result<bool, String>> {
        let fair: &[&str] = match runs {
            Runs::All => &[],
            Runs::Fair => &["-f"],
        };
        let arguments = [&[self.looks_for, "-E"], fair, more].concat();
        Ok(decided(self.run(&arguments)?))
    }

    fn run(&self, arguments: &[&str]) -> io::Result<Answer> {
        let folder = self.folder.path();
        let mut all: Vec<String> = arguments.iter().map(|flag| flag.to_string()).collect();
        let hash_bits = self.size.hash_bits();
        all.extend([format!("-m{DEPTH}"), format!("-w{hash_bits}")]);
        Ok(
            match command::run(folder, &folder.join("pan"), &all, self.limit)? {
                Ending::TimeUp => Answer::Nothing("pan takes too long".into()),
                Ending::Fine(text) | Ending::Failed(text) => read(&text),
            },
        )
    }
}

/// The errors that say that a claim is violated.
const OF_CLAIMS: [&str; 6] = [
    "acceptance cycle",
    "accept stutter",
    "non-progress cycle",
    "assertion violated",
    "end state in claim reached",
    "claim violated",
];

fn decided(answer: Answer) -> Result<bool, String> {
    match answer {
        Answer::Complete(search) | Answer::Partial(search) if search.errors > 0 => {
            let error = search.first_error.unwrap_or_default();
            let is_of_claim = OF_CLAIMS.iter().any(|sign| error.contains(sign));
            is_of_claim.then_some(true).ok_or(error)
        }
        Answer::Complete(_) => Ok(false),
        Answer::Partial(_) => Err("Spin stopped early".into()),
        Answer::Refused(why) | Answer::Nothing(why) => Err(why),
    }
}

/// Signs that a search has not seen everything.
const CUT_OFF: [&str; 3] = [
    "max search depth too small",
    "Search not completed",
    "out of memory",
];

/// Reads what `pan` writes.
fn read(text: &str) -> Answer {
    let Some(search) = summary(text) else {
        let first = text.lines().find(|line| !line.is_empty());
        return Answer::Nothing(format!("pan: {}", first.unwrap_or("it writes nothing")));
    };
    if CUT_OFF.iter().any(|sign| text.contains(sign)) {
        Answer::Partial(search)
    } else {
        Answer::Complete(search)
    }
}

fn summary(text: &str) -> Option<Search> {
    let vector = text.lines().find(|l| l.starts_with("State-vector"))?;
    let error = text.lines().find_map(|l| l.strip_prefix("pan:1: "));
    let stored = text.lines().find(|l| l.contains(" states, stored"))?;
    let made = text.lines().find(|l| l.contains("transitions (="))?;
    Some(Search {
        states: first_number(stored)?,
        transitions: first_number(made)?,
        errors: first_number(vector.split("errors:").nth(1)?)?,
        first_error: error.map(without_depth),
        depth: first_number(vector.split("depth reached").nth(1)?)?,
    })
}

/// `assertion violated 0 (at depth 7)` without its last part.
fn without_depth(error: &str) -> String {
    error
        .rsplit_once(" (at depth")
        .map_or(error, |(before, _)| before)
        .to_string()
}

/// Of a number from 100 million on, Spin writes only the first eight digits: `1.3709095e+08`.
fn first_number(text: &str) -> Option<u64> {
    let word = text.split_whitespace().next()?.trim_end_matches(',');
    let rounded = || word.parse::<f64>().ok().filter(|n| *n >= 1e8);
    word.parse()
        .ok()
        .or_else(|| rounded().map(|number| number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINISHED: &str = "\
pan:1: assertion violated (x<3) (at depth 7)
pan: wrote model.pml.trail

State-vector 28 byte, depth reached 12, errors: 4
      105 states, stored
      105 states, matched
      210 transitions (= stored+matched)
";

    #[test]
    fn the_summary_of_a_finished_search_is_read() {
        let Answer::Complete(search) = read(FINISHED) else {
            panic!("not complete")
        };
        let expected = Search {
            states: 105,
            transitions: 210,
            errors: 4,
            first_error: Some("assertion violated (x<3)".into()),
            depth: 12,
        };
        assert_eq!(search, expected);
    }

    #[test]
    fn a_search_that_was_cut_off_is_partial() {
        let text = format!("error: max search depth too small\n{FINISHED}");
        assert!(matches!(read(&text), Answer::Partial(_)));
    }

    #[test]
    fn large_numbers_are_rounded() {
        let text = FINISHED.replace("      210 trans", "1.3709095e+08 trans");
        let Answer::Complete(search) = read(&text) else {
            panic!("not complete")
        };
        assert_eq!(search.transitions, 137_090_950);
        assert_eq!(first_number("7.5 states"), None);
    }

    #[test]
    fn states_that_were_visited_twice_are_counted_once() {
        let text = FINISHED.replace("105 states, stored", "105 states, stored (130 visited)");
        let Answer::Complete(search) = read(&text) else {
            panic!("not complete")
        };
        assert_eq!(search.states, 105);
    }

    #[test]
    fn only_errors_of_claims_say_that_a_claim_is_violated() {
        let text = |error: &str| FINISHED.replace("assertion violated (x<3)", error);
        assert_eq!(decided(read(&text("acceptance cycle"))), Ok(true));
        assert_eq!(decided(read(&text("errors: 0"))), Err("errors: 0".into()));
        let cut = format!(
            "error: max search depth too small\n{}",
            FINISHED.replace(": 4", ": 0")
        );
        assert!(decided(read(&cut)).is_err());
    }

    #[test]
    fn a_crash_is_no_answer() {
        assert!(matches!(read(""), Answer::Nothing(_)));
    }

    fn ask(text: &str, claim: Claim) -> Option<Answer> {
        let question = Question {
            text,
            defines: &[],
            claim,
            size: Size::Small,
            limit: Duration::from_secs(30),
        };
        Some(Spin::find()?.ask(&question).expect("programs start"))
    }

    #[test]
    fn spin_answers_when_it_is_installed() {
        let text =
            "byte x; active [2] proctype P() { x++ } never { do :: x == 1 -> break :: else od }";
        if let Some(answer) = ask(text, Claim::None) {
            let Answer::Complete(search) = answer else {
                panic!("{answer:?}")
            };
            assert_eq!((search.states, search.errors), (7, 0));
        }
        if let Some(answer) = ask(text, Claim::Product) {
            let Answer::Complete(search) = answer else {
                panic!("{answer:?}")
            };
            assert!(search.errors > 0);
        }
    }

    #[test]
    fn what_spin_does_not_accept_is_refused() {
        if let Some(answer) = ask("active proctype P() { x++ }", Claim::None) {
            assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
        }
    }
}
