//! `mandala check --every NAME`: a model for every size of a family.

use crate::args::{CheckArguments, VerifyInvariantArguments};
use crate::check::{Found, refused};
use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::monitor::Monitor;
use crate::output::Output;
use crate::watcher::Watcher;
use crate::{load, stated};
use mandala_checker::document::trail;
use mandala_checker::families::{check_every, constant_of, first_size, verify_invariant};
use mandala_checker::frontend::{LoadError, ModelInput, load_with, single_language};
use mandala_checker::options::CheckOptions;
use mandala_checker::watch::Nobody;
use mandala_invariants::{Accepted, Invariant};
use mandala_report::style::{Tone, counted, grouped, tame};
use std::sync::Arc;

/// The constant that a model is decided for all values of: the one that is asked for, or that of a language whose systems have any number of processes.
pub fn constant(arguments: &CheckArguments) -> Result<Option<String>, Failure> {
    let defines = &arguments.model.define;
    let defined = |name: &str| {
        let mut names = defines
            .iter()
            .map(|d| d.split('=').next().unwrap_or(d).trim());
        names.any(|defined| defined == name)
    };
    if let Some(name) = &arguments.every {
        return match defined(name) {
            true => Err(Failure::Command(format!(
                "`--every {name}` is for every value of `{name}`, and `-D {name}=..` gives it one: leave one of them out"
            ))),
            false => Ok(Some(name.clone())),
        };
    }
    let language = single_language(&load::name(&arguments.model.model));
    let own = language.and_then(constant_of);
    Ok(own.filter(|name| !defined(name)).map(str::to_string))
}

/// Decides every size.
pub fn search(
    arguments: &CheckArguments,
    constant: &str,
    console: &Console,
    monitor: &Monitor,
) -> Result<Found, Failure> {
    monitor.limit(arguments.limits());
    let wish = arguments.model.threads.wish();
    if wish != Default::default() {
        return Err(Failure::Command(
            "`--every` is for families of names or processes, `--max-threads`, `--target` and `--start` for threads".into(),
        ));
    }
    if arguments.checkpoint.is_some() {
        return Err(Failure::Command(
            "`--checkpoint` is not available with `--every`".into(),
        ));
    }
    if arguments.outputs.graph.is_some() {
        return Err(Failure::Command(
            "`--graph` is of the states of one model: give the number with `-D`, and leave `--every` out".into(),
        ));
    }
    let mut place = arguments
        .invariant
        .as_deref()
        .map(Output::open)
        .transpose()?;
    let input = load::input(&arguments.model)?;
    let properties = arguments.stated.inputs()?;
    let read = |size: u32| {
        let sized = ModelInput {
            defines: [&input.defines[..], &[format!("{constant}={size}")]].concat(),
            ..input.clone()
        };
        load_with(sized, properties.clone())
    };
    let base = read(first_size()).map_err(|error| load::refused(error, console))?;
    stated::require_selected(&base, &arguments.property)?;
    arguments.outputs.shown.require_known(&base)?;
    if arguments.outputs.trail.is_some() {
        trail::require_possible(&base, &arguments.options()).map_err(Failure::Command)?;
    }
    let options = CheckOptions {
        started: monitor.started(),
        ..arguments.options()
    };
    let base = Arc::new(base);
    let mut watcher = Watcher {
        monitor,
        loaded: Arc::clone(&base),
    };
    let mut load = |size| read(size).map_err(|error| described(size, constant, &error));
    let found = check_every(&base, &mut load, constant, &options, &mut watcher);
    let mut found = found.map_err(|refusal| refused(refusal, &base, console))?;
    match (&mut place, &found.invariant) {
        (Some(place), Some(invariant)) => {
            place.write(invariant, console, Status::from(found.document.verdict))?;
        }
        (Some(_), None) => {
            let why = "no invariant is written: not all that is covered is known to hold for every number";
            found.document.warnings.push(why.into());
        }
        (None, _) => {}
    }
    Ok((found.loaded, found.document))
}

/// `mandala verify-invariant`: checks an invariant that was written down.
pub fn verify(arguments: &VerifyInvariantArguments, console: &Console) -> Result<Status, Failure> {
    let text = load::text(&arguments.file)?;
    let (head, _) = Invariant::head(&text).map_err(|error| {
        let file = arguments.file.display();
        Failure::Command(format!("cannot use `{file}`: {error}"))
    })?;
    let constant = head.constant.as_str();
    let input = load::input(&arguments.model)?;
    let read = |size: u32| {
        let defines = [&input.defines[..], &[format!("{constant}={size}")]].concat();
        load_with(
            ModelInput {
                defines,
                ..input.clone()
            },
            Vec::new(),
        )
    };
    let base = read(first_size()).map_err(|error| load::refused(error, console))?;
    let mut load = |size| read(size).map_err(|error| described(size, constant, &error));
    let verified = verify_invariant(&base, &mut load, &text, &mut Nobody);
    let colour = console.output_colour();
    let (status, told) = match &verified.outcome {
        Ok(accepted) => {
            let good = colour.paint(Tone::Good, "✓ accepted");
            let (what, looked) = (
                tame(&verified.properties.join(", ")).to_string(),
                looked_at(accepted),
            );
            let at_least = format!("{constant} >= {}", verified.members);
            (
                Status::Fine,
                format!("{good}  {what} for every {}: {looked}\n", tame(&at_least)),
            )
        }
        Err(why) => {
            let bad = colour.paint(Tone::Bad, "✗ rejected");
            (Status::Violated, format!("{bad}  {}\n", tame(why)))
        }
    };
    console.print(&told, status)?;
    Ok(status)
}

fn looked_at(accepted: &Accepted) -> String {
    format!(
        "{}, {}, {} steps",
        counted(accepted.views as u64, "view"),
        counted(accepted.configurations, "configuration"),
        grouped(accepted.steps)
    )
}

/// Why there is no model of a size, in one line.
fn described(size: u32, constant: &str, error: &LoadError) -> String {
    let why = match error {
        LoadError::Wrong { diagnostics, .. } => {
            let mut errors = diagnostics.iter().map(|found| found.message.clone());
            errors.next().unwrap_or_default()
        }
        LoadError::Option(what) | LoadError::Defect(what) => what.clone(),
    };
    format!("there is no model with {constant}={size}: {why}")
}
