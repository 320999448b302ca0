//! Models to search, and evidence followed by the interpreter.

use mandala_encoding::Program;
use mandala_explicit::{Evidence, ExplicitOutcome, Options, Progress, search};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::ids::PropertyId;
use mandala_model::model::Model;
use mandala_model::property::PropertyKind;
use mandala_model::step::{Observers, Violation};
use mandala_model::verify::verify;
use mandala_model::{SourceText, Sources};
use mandala_promela::{ParseOptions, load};

/// Two counters that go round: 2,500 states, each way round 50 steps long.
pub(crate) const COUNTERS: &str = "byte a, b;
    active proctype p() { do :: d_step { a = (a + 1) % 50 } od }
    active proctype q() { do :: d_step { b = (b + 1) % 50 } od }";

/// A model from its text.
pub(crate) fn model(text: &str) -> Model {
    defined(text, &[])
}

/// A model from its text, with macros.
pub(crate) fn defined(text: &str, defines: &[&str]) -> Model {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("test.pml", text));
    let mut options = ParseOptions::default();
    defines.iter().for_each(|define| options.define(define));
    let (model, diagnostics) = load(&mut sources, file, &options);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let observed = verify(model);
    observed.unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// One of the models that come with the project.
pub(crate) fn bundled(name: &str, defines: &[&str]) -> Model {
    bundled_file(&format!("{name}/{name}.pml"), defines)
}

/// One of the models that come with the project, by its file.
pub(crate) fn bundled_file(file: &str, defines: &[&str]) -> Model {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/../../models/{file}");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    defined(&text, defines)
}

/// Everything that the model asks to be observed.
pub(crate) fn observers(model: &Model) -> Observers {
    let mut observers = Observers::default();
    for (id, property) in (0..).map(PropertyId).zip(&model.properties) {
        match &property.kind {
            PropertyKind::Events { observer } => observers.events = Some(*observer),
            PropertyKind::Never { .. } | PropertyKind::NoRun(_) => {
                observers.claim = model.claim_of(id);
            }
            PropertyKind::Ctl { .. }
            | PropertyKind::Remark { .. }
            | PropertyKind::Invariant { .. }
            | PropertyKind::Cover { .. }
            | PropertyKind::Query { .. }
            | PropertyKind::Reachable { .. } => {}
        }
    }
    observers
}

/// A model that is compiled anew, so that nothing is left of another search.
pub(crate) fn compiled(model: &Model) -> Program {
    Program::compile(model, observers(model)).expect("the model can be compiled")
}

/// A search whose options go together.
pub(crate) fn searched(
    program: &Program,
    options: &Options,
    observer: &mut dyn FnMut(&Progress),
) -> ExplicitOutcome {
    search(program, options, observer).expect("the options go together")
}

/// A search of a model.
pub(crate) fn run_model(model: &Model, options: &Options) -> ExplicitOutcome {
    searched(&compiled(model), options, &mut |_| {})
}

/// A search of a model that is given as text.
pub(crate) fn run(text: &str, options: &Options) -> ExplicitOutcome {
    run_model(&model(text), options)
}

/// Walks along the evidence with the interpreter and looks for the violation at its end.
#[track_caller]
pub(crate) fn assert_real(model: &Model, evidence: &Evidence) {
    let interpreter = Interpreter::new(model, observers(model));
    let mut at = interpreter.start().expect("there is a start");
    let (first, rest) = evidence.path.split_first().expect("a path has a start");
    assert_eq!(at.state, first.state);
    for state in rest {
        let steps = interpreter.macro_steps(&at);
        let next = steps
            .iter()
            .filter_map(|step| step.successor())
            .find(|c| c.state == state.state);
        at = next.expect("a step leads to the next state").clone();
    }
    assert!(
        is_wrong(&interpreter, &at, &evidence.violation),
        "{:?}",
        evidence.violation
    );
}

fn is_wrong(interpreter: &Interpreter<'_>, at: &Configuration, violation: &Violation) -> bool {
    let steps = interpreter.macro_steps(at);
    let mut met = steps
        .iter()
        .flat_map(|chain| &chain.steps)
        .flat_map(|step| &step.violations);
    interpreter.verdict_here(at).as_ref() == Some(violation) || met.any(|v| v == violation)
}
