//! Systems of rules in the text form of the intermediate representation: one process that starts by one of its start steps, and then takes one rule after
//! the other.
#![allow(
    dead_code,
    reason = "the tests of the checker use their own parts of it"
)]

use mandala_model::source::{SourceText, Sources};
use mandala_model::step::Violation;
use mandala_model::verify::verify;
use mandala_model::{Model, UncheckedModel};

/// A system of rules with those global variables, where `number(9)` holds values from 1 to 9 and is undefined at first. The starts are edges from `s0` to `s1`, the
/// rules such from `s1` to `s1`; both can use the scratch variable `i`. Monitors and properties come behind it.
pub fn system(globals: &str, starts: &str, rules: &str) -> String {
    format!(
        "mandala-ir 2
        model murphi, checked 64, held start, deadlock without change
        coding number from 1
        {globals}
        process rules() {{
          local scratch i: number(200)
          entry s0
          location s0
            {starts}
          location s1
            {rules}
        }}
        start rules()
        "
    )
}

/// A system with a variable `x` from 1 to a number, which starts at 1.
pub fn counter(max: u32, rules: &str) -> String {
    system(
        &format!("global x: number({max})"),
        "s0 -> s1 do x = 1",
        rules,
    )
}

/// The same where a state is a deadlock that no rule can be taken in, whatever rules change.
pub fn without_moves(text: &str) -> String {
    text.replace(", deadlock without change", "")
}

/// The model that a text means.
#[track_caller]
pub fn unchecked(text: &str) -> UncheckedModel {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("rules.ir", text));
    let (model, diagnostics) = mandala_ir::load(&mut sources, file);
    let shown: Vec<_> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    model.unwrap_or_else(|| panic!("{}\n{text}", shown.join("\n")))
}

/// The same, verified.
#[track_caller]
pub fn model(text: &str) -> Model {
    verify(unchecked(text)).expect("the reader has verified it")
}

/// What went wrong: messages of failures, with the number of the property that is violated, kinds of faults, and deadlocks.
pub fn told(model: &Model, violations: &[Violation]) -> Vec<String> {
    let one = |violation: &Violation| match violation {
        Violation::Failed { span, property } => {
            let message = model.failure_message(*span).expect("it says why");
            match property {
                Some(id) => format!("{}: {message}", id.0),
                None => message,
            }
        }
        Violation::Fault(fault) => format!("{:?}", fault.kind),
        other => format!("{other:?}"),
    };
    violations.iter().map(one).collect()
}
