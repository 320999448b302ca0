//! Prints the automata of a Promela model in the manner of Spin's `pan -d`, for comparison:
//! `cargo run -p mandala-promela --example tables -- MODEL [NAME=VALUE]..`
#![allow(clippy::print_stdout, clippy::print_stderr)]

use mandala_model::source::{SourceText, Sources};
use mandala_model::template::{Control, Edge, Step, Template};
use mandala_promela::{ParseOptions, load};
use std::path::PathBuf;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = PathBuf::from(args.next().expect("a model"));
    let text = std::fs::read_to_string(&path).expect("a readable model");
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(path.clone(), text));
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let mut options = ParseOptions::default();
    args.for_each(|definition| options.define(&definition));
    options.loader = Box::new(move |name| std::fs::read_to_string(folder.join(name)));
    let (model, diagnostics) = load(&mut sources, file, &options);
    for diagnostic in &diagnostics {
        eprintln!("{}", diagnostic.one_line(&sources));
    }
    let Some(model) = model else {
        std::process::exit(2)
    };
    for template in &model.templates {
        println!("proctype {}", template.name);
        template
            .edges
            .iter()
            .for_each(|edge| print_edge(template, edge));
    }
}

fn print_edge(template: &Template, edge: &Edge) {
    let source = &template.locations[edge.source.index()];
    let target = if edge.step == Step::Exit {
        0
    } else {
        template.locations[edge.target.index()].number
    };
    let control = match (&edge.step, edge.control) {
        (_, Control::Hold) => "A",
        (Step::Routine(_), _) => "D",
        _ => "-",
    };
    let mark = |set: bool, letter: char| if set { letter } else { '-' };
    println!(
        "\tstate {} -> state {} [id {} org {}] [{control}{}{}{}] {}",
        source.number,
        target,
        edge.statement,
        edge.escape,
        mark(source.accept, 'a'),
        mark(source.end, 'e'),
        mark(source.progress, 'p'),
        edge.text
    );
}
