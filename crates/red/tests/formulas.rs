//! Formulas of temporal logic beside a model: what they mean, and what is wrong with them.

use mandala_ir::Text;
use mandala_model::diagnostic::has_errors;
use mandala_model::model::Model;
use mandala_model::property::PropertyKind;
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_red::{RedOptions, load};

const MODEL: &str = "process count = 2;
global pointer X, U;
local pointer next;
local discrete d: 0..3;
mode a true { when true may goto b; }
mode b true { when d < 3 may d = d + 1; goto a; }
";

/// The model with a property beside it, or the complaints in one line each, with their help.
fn read(form: StatedForm, formula: &str) -> Result<Model, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.red", MODEL));
    let stated = Stated {
        form,
        name: None,
        file: sources.add(SourceText::new("f", formula)),
    };
    let options = RedOptions {
        stated: vec![stated],
        ..RedOptions::default()
    };
    let (model, diagnostics) = load(&mut sources, file, &options);
    assert_eq!(model.is_none(), has_errors(&diagnostics), "{diagnostics:?}");
    match model {
        Some(model) => Ok(verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))),
        None => Err(diagnostics
            .iter()
            .map(|d| match &d.help {
                Some(help) => format!("{} ({help})", d.one_line(&sources)),
                None => d.one_line(&sources),
            })
            .collect()),
    }
}

/// The conditions that the last property asks, in the words of the model.
#[track_caller]
fn conditions(form: StatedForm, formula: &str) -> Vec<String> {
    let model = read(form, formula).unwrap_or_else(|why| panic!("{formula}: {why:?}"));
    let property = model.properties.last().expect("there is a property");
    let text = Text::new(&model);
    let asked = property.kind.conditions().into_iter();
    asked.map(|id| text.of_condition(id)).collect()
}

/// What two formulas are lowered to is the same.
#[track_caller]
fn same(form: StatedForm, formula: &str, other: &str) {
    let kind = |formula: &str| {
        let model = read(form, formula).unwrap_or_else(|why| panic!("{formula}: {why:?}"));
        let property = model
            .properties
            .last()
            .expect("there is a property")
            .clone();
        match property.kind {
            PropertyKind::Ctl { formula, .. } => format!("{formula:?}"),
            PropertyKind::NoRun(question) => format!("{:?}", question.automaton),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(kind(formula), kind(other), "{formula}");
    assert_eq!(
        conditions(form, formula),
        conditions(form, other),
        "{formula}"
    );
}

#[track_caller]
fn refused(form: StatedForm, formula: &str, expected: &str) {
    let complaints = read(form, formula).expect_err("something is wrong");
    assert_eq!(complaints, [expected], "{formula}");
}

#[test]
fn a_condition_is_as_large_as_it_can_be_and_asks_first_whether_it_has_a_value() {
    assert_eq!(
        conditions(StatedForm::Ctl, "AG not (X->d == 1 and a[1])"),
        ["X != 0 && !(d[X] == 1 && process[1]@s0)"]
    );
    assert_eq!(
        conditions(StatedForm::Ctl, "AG (a[1] => EF exists i: d[i] == 1)"),
        ["process[1]@s0", "exists(i: pointer(2) of 1..2: d[i] == 1)"]
    );
    // The claim looks for a state in which the condition is not true.
    let looked_for = conditions(StatedForm::Ltl, "[] (X->d == 1)");
    assert!(
        looked_for.contains(&"!(X != 0 && d[X] == 1)".to_string()),
        "{looked_for:?}"
    );
}

#[test]
fn operators_bind_as_the_language_has_it() {
    let ctl = StatedForm::Ctl;
    same(ctl, "AG d[1] == 1 and a[1]", "(AG (d[1] == 1)) and (a[1])");
    same(ctl, "not EX a[1] or b[2]", "(not (EX (a[1]))) or b[2]");
    same(
        ctl,
        "A[a[1] U d[1] + 1 == 2]",
        "A((a[1]) U ((d[1] + 1) == 2))",
    );
    same(ctl, "A[] a[1] and E<> b[1]", "AG a[1] and EF b[1]");
    same(
        ctl,
        "EG a[1] => AF b[1] or AX a[2]",
        "(EG a[1]) => ((AF b[1]) or (AX a[2]))",
    );
    let ltl = StatedForm::Ltl;
    same(
        ltl,
        "[] a[1] U b[1] and b[2]",
        "(([] a[1]) U (b[1])) and b[2]",
    );
    same(ltl, "[]<> a[1]", "always eventually a[1]");
    same(
        ltl,
        "a[1] until b[1] or X a[2]",
        "(a[1] U b[1]) or (next a[2])",
    );
    same(ltl, "a[1] weakuntil b[1]", "a[1] W b[1]");
    same(ltl, "a[1] release b[1]", "a[1] V b[1]");
}

#[test]
fn quantifiers_around_temporal_operators_are_written_out() {
    let ctl = StatedForm::Ctl;
    same(ctl, "not forall i: EF a[i]", "not (EF a[1] and EF a[2])");
    same(ctl, "exists i: AG d[i] < 3", "AG d[1] < 3 or AG d[2] < 3");
    same(
        ctl,
        "not forall i, j: EF (a[i] and b[j])",
        "not ((EF (a[1] and b[1]) and EF (a[1] and b[2])) and (EF (a[2] and b[1]) and EF (a[2] and b[2])))",
    );
    // A condition that does not name what is quantified is one condition.
    assert_eq!(conditions(ctl, "forall i: EF (X == U)").len(), 1);
    assert_eq!(conditions(ctl, "forall i: EF (exists i: a[i])").len(), 1);
}

#[test]
fn names_of_the_model_are_no_operators_where_they_cannot_be() {
    let (ltl, ctl) = (StatedForm::Ltl, StatedForm::Ctl);
    assert_eq!(conditions(ctl, "AG (X == U)"), ["X == U"]);
    assert_eq!(conditions(ctl, "AG next[1] == 2"), ["next[1] == 2"]);
    assert_eq!(
        conditions(ctl, "AG next[1]->next == X"),
        ["next[1] != 0 && next[next[1]] == X"]
    );
    same(ltl, "X == NULL U U == NULL", "(X == NULL) U (U == NULL)");
    same(ltl, "X X == NULL", "next (X == NULL)");
    same(ltl, "X (X == NULL)", "next (X == NULL)");
}

#[test]
fn an_automaton_has_conditions_of_the_model() {
    let hoa = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"d[1] == 3\" \"exists i: X->next == i\"\n\
               Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0 & !1] 0\n--END--\n";
    let condition = "d[1] == 3 && !(X != 0 && exists(i: pointer(2) of 1..2: next[X] == i))";
    assert_eq!(conditions(StatedForm::Automaton, hoa), [condition]);
    refused(
        StatedForm::Automaton,
        &hoa.replace("d[1] == 3", "e[1] == 3"),
        "f:4:8: error: `e` is not declared",
    );
    let wrong = read(StatedForm::Automaton, "HOA: v2").expect_err("it is no such format");
    assert!(wrong[0].starts_with("f:1:"), "{wrong:?}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let (ltl, ctl) = (StatedForm::Ltl, StatedForm::Ctl);
    refused(
        ltl,
        "[] (a[1] =>",
        "f:1:12: error: expected an expression, found the end of the text",
    );
    refused(
        ltl,
        "[] a[1] ] b[1]",
        "f:1:9: error: expected an operator or the end of the formula, found `]`",
    );
    refused(
        ltl,
        "[] a",
        "f:1:4: error: it is not said whose this is (name the process: `[1]`, or `[i]` with `forall i:` or `exists i:` before)",
    );
    refused(ltl, "<> c[1]", "f:1:4: error: `c` is not declared");
    refused(
        ltl,
        "<> d[1]",
        "f:1:4: error: this is a number, and a condition is expected (compare it: `x == 1`)",
    );
    refused(
        ctl,
        "[] a[1]",
        "f:1:1: error: `[]` has no quantifier over runs (in this logic `A` or `E` stands before `[]`: in all runs, or in some)",
    );
    refused(
        ctl,
        "EF (a[1] U b[1])",
        "f:1:4: error: `U` has no quantifier over runs (in this logic `A` or `E` stands before `U`: in all runs, or in some)",
    );
    refused(
        ctl,
        "A[a[1]]",
        "f:1:3: error: `A` and `E` are followed by `X`, `F` or `G`, or by `[f U g]`, `[f W g]` or `[f V g]`",
    );
    refused(
        ctl,
        "d[1] + (EF a[1]) == 2",
        "f:1:1: error: this computes with numbers, and there is a formula in it (formulas are joined by `and`, `or`, `not` and `=>`)",
    );
    refused(
        ltl,
        "AG a[1]",
        "f:1:4: error: expected an operator or the end of the formula, found `a`",
    );
    refused(
        StatedForm::Possible,
        "EF a[1]",
        "f:1:4: error: expected the end of the expression, found `a`",
    );
    refused(
        StatedForm::Progress,
        "",
        "f:1:1: error: `--non-progress` is for Promela models (pointer automata have no labels; `--ltl` states what happens infinitely often)",
    );
    let deep = format!("{} a[1]", "EF ".repeat(300));
    let complaints = read(ctl, &deep).expect_err("it is too deep");
    assert!(
        complaints[0].contains("nested more than 200 deep"),
        "{complaints:?}"
    );
}
