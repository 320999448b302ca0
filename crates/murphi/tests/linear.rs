//! The size of a model is linear in its text: functions are lowered once, however often they are called.

use crate::support::program;
use mandala_ir::Text;
use mandala_model::Model;
use mandala_model::instantiate::{InstantiateError, instantiate};
use mandala_model::verify::verify;
use mandala_murphi::lower::lower;

fn model(text: &str) -> Model {
    let model = lower(&program(text)).unwrap_or_else(|errors| panic!("{errors:?}"));
    verify(model).expect("the front end makes right models")
}

fn size(text: &str) -> usize {
    Text::new(&model(text)).to_string().len()
}

/// Each procedure calls the one before it twice: the rule makes 2 to the power of `count` steps.
fn doubling(count: usize) -> String {
    let first = "var x: 0..9; procedure p0(d: 0..9); begin x := d; end;".to_string();
    let procedures = (1..=count).map(|k| {
        let before = k - 1;
        format!("procedure p{k}(d: 0..9); begin p{before}(d); p{before}(0); end;")
    });
    let procedures: String = procedures.collect();
    format!("{first} {procedures} startstate x := 0; end; rule \"go\" begin p{count}(1); end;")
}

/// The same with functions that only return an expression.
fn doubling_expressions(count: usize) -> String {
    let first = "var x: 0..9; function f0(): boolean; begin return x = 1; end;".to_string();
    let functions = (1..=count).map(|k| {
        let before = k - 1;
        format!("function f{k}(): boolean; begin return f{before}() & f{before}(); end;")
    });
    let functions: String = functions.collect();
    format!(
        "{first} {functions} startstate x := 0; end; rule \"go\" f{count}() ==> begin x := 1; end;"
    )
}

#[track_caller]
fn assert_linear(text: impl Fn(usize) -> String, from: usize) {
    let sizes = [0, 10, 20].map(|more| size(&text(from + more)));
    let growth = sizes[1] - sizes[0];
    // Names with more digits take more room.
    assert!(sizes[2] - sizes[1] <= growth + 50, "{sizes:?}");
}

#[test]
fn procedures_that_call_each_other_twice_have_a_model_that_is_linear() {
    assert_linear(doubling, 10);
}

#[test]
fn functions_that_only_return_an_expression_do_not_explode_either() {
    assert_linear(doubling_expressions, 20);
}

#[test]
fn what_is_too_large_when_it_is_written_out_names_the_rule_and_the_function() {
    let model = model(&doubling(40));
    let error = instantiate(&model).expect_err("2 to the power of 40 statements");
    assert!(matches!(&error, InstantiateError::TooLarge { .. }));
    let text = error.to_string();
    assert!(
        text.contains("with `go`, ") && text.contains("calls of `p"),
        "{text}"
    );
}

#[test]
fn functions_are_lowered_once_for_all_constants() {
    let text = |calls: usize| {
        let calls: String = (0..calls).map(|k| format!("p({});", k % 10)).collect();
        format!(
            "var x: 0..9; procedure p(d: 0..9); begin if d = x then x := d; else x := 0; end; end;
            startstate x := 0; end; rule begin {calls} end;"
        )
    };
    let [one, two] = [10, 20].map(|calls| model(&text(calls)));
    assert_eq!(one.functions, two.functions);
    assert_eq!(one.functions.len(), 1);
}
