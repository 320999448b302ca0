//! Properties beside the model: formulas of computation tree logic, and what is wrong with them.

use mandala_ir::Text;
use mandala_model::Model;
use mandala_model::ids::ConditionId;
use mandala_model::property::{Ctl, PropertyKind};
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_promela::{ParseOptions, load};

const MODEL: &str = "
#define N 2
byte x, y, A, a[2];
bool E;
active [N] proctype P() {
    do
    :: x < N -> x++
    :: else -> back: x = 0
    od
}";

/// The model with properties beside it, or what is wrong.
fn loaded(stated: &[(StatedForm, &str)]) -> Result<Model, String> {
    loaded_with(MODEL, stated)
}

fn loaded_with(text: &str, stated: &[(StatedForm, &str)]) -> Result<Model, String> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.pml", text));
    let mut options = ParseOptions::default();
    for (form, text) in stated {
        let file = sources.add(SourceText::new(format!("--{}", form.name()), *text));
        let name = None;
        options.stated.push(Stated {
            form: *form,
            name,
            file,
        });
    }
    let (model, diagnostics) = load(&mut sources, file, &options);
    let said = diagnostics.iter().map(|d| d.one_line(&sources));
    match model {
        Some(model) => Ok(verify(model).expect("a right model")),
        None => Err(said.collect::<Vec<_>>().join("\n")),
    }
}

/// The formula as the model has it, with its conditions in their places.
#[track_caller]
fn formula(form: StatedForm, text: &str) -> String {
    let model = loaded(&[(form, text)]).unwrap_or_else(|error| panic!("{text}: {error}"));
    let printed = Text::new(&model).to_string();
    let line = printed.lines().find(|line| line.starts_with("property"));
    let line = line.expect("a property");
    let words = format!("property {}_0 ctl ", form.name().replace('-', "_"));
    let formula = line.strip_prefix(&words);
    let formula = formula.unwrap_or_else(|| panic!("{line}")).to_string();
    let conditions = (0..model.conditions.len()).map(ConditionId::from);
    conditions.fold(formula, |formula, id| {
        let condition = format!("({})", Text::new(&model).of_condition(id));
        formula.replace(&id.to_string(), &condition)
    })
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(formula(StatedForm::Ctl, text), expected, "{text}");
}

#[test]
fn every_operator_is_read() {
    check("AG (x < N)", "AG (x < 2)");
    check("AF (x == 1)", "AF (x == 1)");
    check("EX EG (x > 0)", "EX EG (x > 0)");
    check("A[x > 0 U y > 0]", "A[(x > 0) U (y > 0)]");
    check("E (x > 0 W y > 0)", "E[(x > 0) W (y > 0)]");
    check("A[x > 0 V y > 0]", "A[(y > 0) W (x > 0) && (y > 0)]");
    check("A[] (x > 0)", "AG (x > 0)");
    check("E<> (x > 0)", "EF (x > 0)");
    check("A X (x > 0)", "AX (x > 0)");
    check(
        "AG (P[1]@back -> EF (x == 0))",
        "AG ((P[1]@s1) -> EF (x == 0))",
    );
}

#[test]
fn operators_before_a_formula_bind_tightest() {
    check("AG (x > 0) && EF (y > 0)", "AG (x > 0) && EF (y > 0)");
    check("!EF (x > 0) || AX (y > 0)", "!EF (x > 0) || AX (y > 0)");
    check(
        "EF (x > 0) <-> AX (y > 0)",
        "(EF (x > 0) -> AX (y > 0)) && (AX (y > 0) -> EF (x > 0))",
    );
}

#[test]
fn what_has_no_quantifier_is_one_proposition() {
    check("AG !(x > 0 && y > 0)", "AG (!(x > 0 && y > 0))");
    check("x > 0 -> y > 0", "(!(x > 0) || y > 0)");
    check("AG true", "AG true");
    let model = loaded(&[(StatedForm::Ctl, "AG (x > 0) && EF (x > 0) && EF (y > 0)")]);
    let model = model.expect("a right formula");
    assert_eq!(model.conditions.len(), 2);
}

#[test]
fn variables_may_be_called_as_quantifiers() {
    check("AG (A > 0)", "AG (A > 0)");
    check("EF E", "EF (E)");
}

#[test]
fn conditions_that_are_possible() {
    let text = "x == N && y == 0";
    assert_eq!(formula(StatedForm::Possible, text), "EF (x == 2 && y == 0)");
    assert_eq!(
        formula(StatedForm::AlwaysPossible, text),
        "AG EF (x == 2 && y == 0)"
    );
}

#[test]
fn each_form_is_counted() {
    let all = [
        (StatedForm::Ctl, "AG (x < 3)"),
        (StatedForm::Ltl, "[] (x < 3)"),
        (StatedForm::Possible, "x == 1"),
        (StatedForm::Ctl, "EF (x == 1)"),
    ];
    let model = loaded(&all).expect("right properties");
    let names = model.properties.iter().map(|p| p.name.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["ctl_0", "ltl_0", "possible_0", "ctl_1"]);
}

#[test]
fn mistakes_are_named() {
    for (text, words) in [
        ("[] (x > 0)", "`[]` has no quantifier over runs"),
        ("AG (x > 0 U y > 0)", "`U` has no quantifier over runs"),
        ("A[x > 0]", "`A` and `E` are followed by"),
        ("A(x > 0)", "`A` and `E` are followed by"),
        ("E[x > 0 && y > 0]", "`A` and `E` are followed by"),
        ("AG", "expected an expression, found the end of the formula"),
        ("A[x > 0 U y > 0", "`]` or an operator in the path"),
        ("AG (a[EF y] > 0)", "can only be used in a formula"),
        ("AG x > 0", "an operand of `>` is a temporal formula"),
        ("AG z", "`z`"),
    ] {
        let error = loaded(&[(StatedForm::Ctl, text)]).expect_err(text);
        assert!(
            error.contains("--ctl:1:") && error.contains(words),
            "{error}"
        );
    }
    let doubling = vec!["EF (x > 0)"; 100].join(" <-> ");
    let error = loaded(&[(StatedForm::Ctl, doubling.as_str())]).expect_err("too large");
    assert!(error.contains("this formula is too large"), "{error}");
    let error = loaded(&[(StatedForm::Possible, "EF (x > 0)")]).expect_err("a formula");
    assert!(error.contains("--possible:1:"), "{error}");
}

#[test]
fn a_formula_asks_conditions_that_exist() {
    let model = loaded(&[(StatedForm::Ctl, "AG (x > 0) && EF (y > 0)")]).expect("right");
    let mut changed = model.into_unchecked();
    let PropertyKind::Ctl { formula, .. } = &mut changed.properties[0].kind else {
        panic!("not a formula");
    };
    *formula = Ctl::proposition(2).negate().and(formula.clone());
    let errors = verify(changed).expect_err("a wrong formula");
    assert!(errors[0].to_string().contains("names c2"), "{errors:?}");
}

#[test]
fn a_comment_states_a_property() {
    let text = format!(
        "{MODEL}\n//@ property low: [] (x <= N)\n/*@ property seen: forall i in P:\n <> P[i]@back */\n\
         proctype Idle() {{ skip }}\nltl {{ <> (x == 1) }}"
    );
    let model = loaded_with(&text, &[(StatedForm::Ltl, "[] (y == 0)")]).expect("a right model");
    let names = model.properties.iter().map(|p| p.name.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["ltl_0", "low", "seen", "ltl_3"]);
}

#[test]
fn mistakes_in_comments_are_named() {
    for (comment, words) in [
        ("//@ property [] x", "the name of the property"),
        ("//@ property p [] x", "`:` and the formula"),
        ("//@ property p: [] ", "found the end of the declaration"),
        ("//@ propery p: [] x", "`@propery` is no declaration"),
    ] {
        let shown = loaded_with(&format!("{MODEL}\n{comment}\n!"), &[]).expect_err(comment);
        assert!(shown.contains("m.pml:") && shown.contains(words), "{shown}");
    }
}
