//! The tables and figures of the literature on symmetry reduction, measured again with Mandala.
//!
//! Every command prints a table on standard output and, if asked to, the same as a JSON document. What is
//! compared is always measured in the same run, so that the ratios mean something on any machine.
//!
//! | command | what |
//! |---|---|
//! | `symmspin` | tables 1 to 5 of "Symmetric Spin": states and time for each model, size and strategy |
//! | `vector` | the figure of "Vector Symmetry Reduction": time for 1,000 representatives |
//! | `cost` | what a representative costs, compared with what a successor costs |
//! | `detection` | tables I to III of "Constraint-based Automatic Symmetry Detection": groups, time to find them, states |
//! | `topspin` | TopSPIN's example models without annotation, from the command line to the verdict |
//! | `spin` | Spin on the same models without reductions: time to the verdict, speed, cores, memory |
//! | `rumur` | Rumur on the same models in Murphi, without symmetry and with: states, time to the verdict, memory |
//! | `murphi` | models in Murphi: time to load, prepare and compile them, for few members and for many, and to the verdict |
//! | `liveness` | Spin on the same models and formulas of linear temporal logic, without fairness and with: verdicts, time to them, memory |
//! | `every` | models with a family of every size: answers, views, time to the verdict |
//! | `counters` | counts of members beside representatives, one by one and on diagrams: states, time to the verdict, memory |
//! | `red` | table 1 of "Symmetric Symbolic Safety-Analysis of Concurrent Software with Pointer Data Structures": time and memory of both engines |
//!
//! # Map
//!
//! - `args`: what can be typed; `selection`: which rows are wanted;
//! - `families`: the bundled models by name, and how a size becomes macros;
//! - `corpus`: where other models are, and when they are measured;
//! - `mandala`: the program itself, for what is measured from outside; `pipeline`: tools that translate to C and compile;
//! - `process`: another program, and what it takes; `relay`: how much memory; `repeat`: the least of several times;
//! - `ratio`: our time divided by another's;
//! - `clock`: time that was worked;
//! - `measure`: one check, with a limit, repeated if it is short;
//! - `sample`: states from all over a model, and what it takes to find representatives for those that follow;
//! - `facts`: what the paper reports (`detection::facts` and `topspin::facts` for those two);
//! - `table`, `columns`, `output`: how results are printed and written.

mod args;
mod clock;
mod columns;
mod corpus;
mod cost;
mod counters;
mod detection;
mod every;
mod facts;
mod families;
mod liveness;
mod mandala;
mod measure;
mod murphi;
mod output;
mod pipeline;
mod process;
mod ratio;
mod red;
mod relay;
mod repeat;
mod rumur;
mod sample;
mod selection;
mod spin;
mod symmspin;
mod table;
mod topspin;
mod vector;

use args::{Arguments, Command};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Nothing can be done if that cannot be written either.
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), String> {
    let wishes = arguments.wishes()?;
    let json = match &arguments.command {
        Command::Symmspin => output::document("symmspin", &symmspin::run(&wishes, out)?),
        Command::Vector => output::document("vector", &vector::run(&wishes, out)?),
        Command::Cost => output::document("cost", &cost::run(&wishes, out)?),
        Command::Detection => output::document("detection", &detection::run(&wishes, out)?),
        Command::Topspin(more) => output::document("topspin", &topspin::run(&wishes, more, out)?),
        Command::Spin(more) => output::document("spin", &spin::run(&wishes, more, out)?),
        Command::Rumur(more) => output::document("rumur", &rumur::run(&wishes, more, out)?),
        Command::Murphi(more) => output::document("murphi", &murphi::run(&wishes, more, out)?),
        Command::Liveness(more) => {
            output::document("liveness", &liveness::run(&wishes, more, out)?)
        }
        Command::Every(more) => output::document("every", &every::run(&wishes, more, out)?),
        Command::Counters(more) => {
            output::document("counters", &counters::run(&wishes, more, out)?)
        }
        Command::Red(more) => output::document("red", &red::run(&wishes, more, out)?),
        Command::Relay(what) => return output::say(out, &relay::relay(what)?),
    };
    match &arguments.json {
        Some(path) => output::write(path, &json?, out),
        None => Ok(()),
    }
}
