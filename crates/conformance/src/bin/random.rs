//! Compares random programs for as long as one likes.
//!
//! ```sh
//! cargo run --release -p mandala-conformance --bin random -- --seed 1 --count 1000
//! ```
//!
//! Each disagreement is shrunk and printed with its seed. `--print` prints the programs only, and
//! `--no-shrink` prints the seeds of disagreements without shrinking.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use mandala_conformance::compare::{Agreement, compare, smallest};
use mandala_conformance::generate;
use mandala_conformance::spin::Spin;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

struct Arguments {
    seed: u64,
    count: u64,
    print: bool,
    shrink: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        seed: 1,
        count: 100,
        print: false,
        shrink: true,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let text = words.next().ok_or(format!("{word} needs a number"))?;
            text.parse::<u64>()
                .map_err(|e| format!("{word} {text}: {e}"))
        };
        match word.as_str() {
            "--seed" => parsed.seed = number()?,
            "--count" => parsed.count = number()?,
            "--print" => parsed.print = true,
            "--no-shrink" => parsed.shrink = false,
            other => return Err(format!("unknown argument {other}")),
        }
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if arguments.print {
        let seeds = arguments.seed..arguments.seed + arguments.count;
        seeds.for_each(|seed| println!("/* seed {seed} */\n{}", generate::program(seed)));
        return ExitCode::SUCCESS;
    }
    // A panic is a finding like any other and is reported with its program.
    std::panic::set_hook(Box::new(|_| {}));
    match run(&arguments) {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Compares all programs on two threads; the number of disagreements.
fn run(arguments: &Arguments) -> u64 {
    let spin = Spin::find();
    let next = AtomicU64::new(arguments.seed);
    let disagreements = AtomicU64::new(0);
    let tally: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let work = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= arguments.seed + arguments.count {
            break;
        }
        let outcome = one(seed, arguments.shrink, spin.as_ref());
        if outcome == "disagreement" {
            disagreements.fetch_add(1, Ordering::Relaxed);
        }
        if let Ok(mut tally) = tally.lock() {
            *tally.entry(outcome).or_default() += 1;
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    if let Ok(tally) = tally.lock() {
        tally
            .iter()
            .for_each(|(outcome, count)| println!("{count:6} {outcome}"));
    }
    disagreements.into_inner()
}

fn one(seed: u64, shrink: bool, spin: Option<&Spin>) -> String {
    let program = generate::program(seed);
    match compare(&program, spin) {
        Ok(Agreement::Confirmed { violated: true, .. }) => "confirmed, violated".into(),
        Ok(Agreement::Confirmed {
            violated: false, ..
        }) => "confirmed, holds".into(),
        Ok(Agreement::Refused) => "refused by both".into(),
        Ok(Agreement::TooLarge) => "too large".into(),
        Ok(Agreement::OursOnly(why)) => format!("no answer of Spin: {why}"),
        Err(first) => {
            let program = if shrink {
                smallest(program, &first, spin)
            } else {
                program
            };
            let last = compare(&program, spin).err().unwrap_or(first);
            println!("seed {seed}: {last}\n{program}");
            "disagreement".into()
        }
    }
}
