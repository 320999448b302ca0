//! `mandala simulate`: a walk through the model on the interpreter, by chance, along a trace, or
//! as the user chooses.

mod input;
mod interactive;
mod walk;

use crate::args::SimulateArguments;
use crate::chart::{ChartOutput, ChartPlace};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use crate::{interrupt, load, replay};
use mandala_checker::document::retrace;
use mandala_checker::plan::{Subject, check_of};
use mandala_interpreter::simulate::{Guidance, Guide, RandomSource};
use mandala_report::style::counted;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use walk::{Ended, Walk};

/// Walks.
pub fn run(
    arguments: &SimulateArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    if let Some(trace) = &arguments.trace {
        return guided(trace, arguments, console, monitor);
    }
    if arguments.interactive && load::is_standard_input(&arguments.model.model) {
        let what = "standard input cannot hold both the model and the choices";
        return Err(Failure::Command(what.into()));
    }
    let loaded = load::bounded_model(&arguments.model, Vec::new(), console)?;
    let safety = check_of(&loaded.model, Subject::Safety);
    let mut walk = Walk::new(&loaded, safety, console)?;
    let chart = arguments.msc.as_ref().map(ChartPlace::open).transpose()?;
    let status = match arguments.interactive {
        true => {
            monitor.end_at_once();
            interactive::run(&mut walk, console)
        }
        false => random(&mut walk, arguments),
    }?;
    drawn(&walk, chart).map(|()| status)
}

/// Draws the chart of the walk, if one is wanted.
fn drawn(walk: &Walk<'_>, chart: Option<ChartOutput>) -> Result<(), Failure> {
    match chart {
        Some(mut chart) => walk.draw(&mut chart),
        None => Ok(()),
    }
}

fn random(walk: &mut Walk<'_>, arguments: &SimulateArguments) -> Result<Status, Failure> {
    let seed = arguments.seed.unwrap_or_else(seed_of_now);
    walk.say(&format!("Random run, seed {seed}\n"))?;
    let mut dice = RandomSource::new(seed);
    for _ in 0..arguments.steps {
        if walk.take_any(&mut dice)? == Ended::Yes {
            return walk.finish();
        }
        if interrupt::asked() {
            walk.flush()?;
            return Err(Failure::Interrupted);
        }
    }
    walk.flush()?;
    walk.say(&format!(
        "Stopped after {}\n",
        counted(arguments.steps, "step")
    ))?;
    Ok(Status::Fine)
}

/// A seed that a person can type.
fn seed_of_now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| u64::from(now.subsec_nanos()) % 1_000_000)
}

fn guided(
    trace: &Path,
    arguments: &SimulateArguments,
    console: &Console,
    monitor: &Monitor,
) -> Result<Status, Failure> {
    let document = load::document(trace)?;
    let wrong = |what: String| Failure::Command(format!("cannot follow the trace: {what}"));
    let Some((violation, steps)) = document.counterexamples().next() else {
        return Err(wrong("the document has none".into()));
    };
    let loaded = replay::model_of(&document, trace, Some(&arguments.model.model), console)?;
    let labels = retrace::labels(&loaded.model, steps).map_err(|e| wrong(e.to_string()))?;
    let resemblance = retrace::resemblance(&loaded, &document);
    let check = retrace::check_for(&loaded.model, violation, resemblance);
    let check = check.map_err(|error| wrong(error.to_string()))?;
    let mut walk = Walk::new(&loaded, check, console)?;
    let chart = arguments.msc.as_ref().map(ChartPlace::open).transpose()?;
    walk.say(&format!("Along {}\n", trace.display()))?;
    if arguments.interactive {
        monitor.end_at_once();
        walk.intend(labels);
        let status = interactive::run(&mut walk, console)?;
        return drawn(&walk, chart).map(|()| status);
    }
    let mut guide = Guide::new(labels);
    loop {
        match guide.next(walk.session()) {
            Guidance::Take(index) => walk.take(index)?,
            Guidance::Arrived => {
                let status = walk.finish()?;
                return drawn(&walk, chart).map(|()| status);
            }
            Guidance::Lost(step) => {
                let number = steps.steps.get(step).map_or(step, |s| s.number as usize);
                return Err(wrong(format!("step {number} is not possible")));
            }
        };
    }
}
