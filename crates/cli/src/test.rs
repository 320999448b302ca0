//! `mandala test`: checks models against the `Expect:` lines in their headers.
//!
//! Each test is a `mandala check` of its own, in a process of its own: a model that takes all memory, or more time than it has, or that makes
//! Mandala itself fail, spoils no other test.

mod collect;
mod command;
mod crew;

use crate::args::TestArguments;
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::interrupt;
use crate::output::Output;
use collect::collect;
use command::Planned;
use mandala_report::document::Tool;
use mandala_report::suite::{SuiteReport, Tally, TestOutcome, TestResult, text};
use mandala_report::{junit, sarif};
use std::num::NonZeroU32;
use std::thread::available_parallelism;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Checks, shows, writes.
pub fn run(arguments: &TestArguments, console: &Console) -> Result<Status, Failure> {
    let began = Instant::now();
    let suite = collect(&arguments.paths)?;
    let mut outputs = SuiteOutputs::open(arguments)?;
    let at_once = arguments.jobs.map_or_else(cores, NonZeroU32::get);
    let at_once = (at_once as usize).clamp(1, suite.planned.len().max(1));
    let share = command::Share::of(arguments, at_once);
    let planned: Vec<Planned> = suite
        .planned
        .into_iter()
        .map(|test| test.plan(&share))
        .collect();
    let mut tests = Vec::with_capacity(planned.len());
    crew::run(&planned, at_once, |result| {
        let shown = !arguments.quiet || result.outcome != TestOutcome::Passed;
        let line = text::result(&result, console.output_colour());
        tests.push(result);
        match shown {
            true => console.print(&line, Status::Fine),
            false => Ok(()),
        }
    })?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = began.elapsed().as_secs_f64();
    let report = SuiteReport {
        tool: Tool::mandala(),
        started: now
            .map_or(0, |now| now.as_secs())
            .saturating_sub(seconds as u64),
        tests,
        silent: suite.silent,
        seconds,
    };
    let status = status(&report.tests);
    outputs.write(&report, console, status)?;
    console.print(&text::summary(&report, console.output_colour()), status)?;
    Ok(status)
}

fn cores() -> u32 {
    available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// What all of it comes to. A model or a header that is wrong weighs more than what others say.
fn status(tests: &[TestResult]) -> Status {
    let tally = Tally::of(tests);
    match () {
        () if tally.interrupted > 0 || interrupt::asked() => Status::Interrupted,
        () if tally.wrong > 0 => Status::Wrong,
        () if tally.failed > 0 => Status::Violated,
        () if tally.undecided > 0 => Status::Unknown,
        () => Status::Fine,
    }
}

/// Where the results go beside the terminal.
struct SuiteOutputs {
    junit: Option<Output>,
    sarif: Option<Output>,
}

impl SuiteOutputs {
    fn open(arguments: &TestArguments) -> Result<Self, Failure> {
        let outputs = SuiteOutputs {
            junit: arguments.junit.as_deref().map(Output::open).transpose()?,
            sarif: arguments.sarif.as_deref().map(Output::open).transpose()?,
        };
        let places = outputs.junit.as_ref().zip(outputs.sarif.as_ref());
        match places.is_some_and(|(junit, sarif)| junit.is_same_as(sarif)) {
            true => Err(Failure::Command(
                "`--junit` and `--sarif` cannot both go to the same place".into(),
            )),
            false => Ok(outputs),
        }
    }

    fn write(
        &mut self,
        report: &SuiteReport,
        console: &Console,
        status: Status,
    ) -> Result<(), Failure> {
        if let Some(output) = &mut self.junit {
            output.write(&junit::write(report), console, status)?;
        }
        if let Some(output) = &mut self.sarif {
            let text = sarif::write_suite(report).map_err(|e| Failure::Defect(e.to_string()))?;
            output.write(&text, console, status)?;
        }
        Ok(())
    }
}
