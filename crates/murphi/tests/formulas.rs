//! Formulas of temporal logic beside a model: what they mean, and what is wrong with them.

use crate::support::complaints_of;
use mandala_ir::Text;
use mandala_model::ids::PropertyId;
use mandala_model::model::Model;
use mandala_model::property::{Automaton, PropertyKind};
use mandala_model::source::{SourceText, Sources};
use mandala_model::stated::{Stated, StatedForm};
use mandala_model::verify::verify;
use mandala_murphi::{ParseOptions, load};

const MODEL: &str = "
const N: 2;
type Node: scalarset(N); Few: 1 .. 2;
var state: array [Node] of enum { IDLE, BUSY };
    next: 0 .. 3; on: boolean; level: array [Few] of 0 .. 9;
function Twice(n: Few): boolean; begin return level[n] = 2; end;
function Slow(n: Few): boolean; begin on := !on; return on; end;
startstate for n: Node do state[n] := IDLE; end; next := 0; on := false; end;
rule next < 3 ==> next := next + 1; end;
";

/// The model with a property beside it, or the complaints in one line each, with their help.
fn read(form: StatedForm, formula: &str) -> Result<Model, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("model", MODEL));
    let stated = Stated {
        form,
        name: None,
        file: sources.add(SourceText::new("m", formula)),
    };
    let options = ParseOptions {
        stated: vec![stated],
        ..ParseOptions::default()
    };
    let (model, diagnostics) = load(&mut sources, file, &options);
    match model {
        Some(model) => Ok(verify(model).unwrap_or_else(|errors| panic!("{errors:?}"))),
        None => Err(complaints_of(&diagnostics, &sources)),
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
fn operators_bind_as_the_language_has_it() {
    let ctl = StatedForm::Ctl;
    same(ctl, "AG next = 1 & on", "(AG (next = 1)) & (on)");
    same(ctl, "!EX on | on", "(!(EX (on))) | (on)");
    same(ctl, "A[on U next + 1 = 2]", "A((on) U ((next + 1) = 2))");
    same(ctl, "A[] on & E<> !on", "AG on & EF (!on)");
    same(
        ctl,
        "EG on -> AF on || AX on && EX on",
        "(EG on) -> ((AF on) || ((AX on) && (EX on)))",
    );
    let ltl = StatedForm::Ltl;
    same(
        ltl,
        "[] on U next = 1 & next = 2",
        "(([] on) U (next = 1)) & (next = 2)",
    );
    same(ltl, "[]<> on", "always eventually on");
    same(
        ltl,
        "on until next = 1 | X on",
        "(on U (next = 1)) | (X (on))",
    );
    same(ltl, "<> on implies [] on", "(<> on) -> ([] on)");
}

#[test]
fn quantifiers_around_temporal_operators_are_written_out() {
    let ctl = StatedForm::Ctl;
    same(
        ctl,
        "!forall n: Few do EF level[n] = 1 end",
        "!(EF level[1] = 1 & EF level[2] = 1)",
    );
    same(
        ctl,
        "exists n := 1 to 2; m: Few do AG level[n] = level[m] end",
        "(AG level[1] = level[1] | AG level[1] = level[2]) | (AG level[2] = level[1] | AG level[2] = level[2])",
    );
    assert_eq!(
        conditions(ctl, "!forall n: Node do EF state[n] = BUSY end").len(),
        2
    );
    // Two variables of one name are two variables.
    let twice = "forall n: 1 .. 1 do EF level[n] = 1 end & forall n: 1 .. 2 do EF level[n] = 1 end";
    assert_eq!(conditions(ctl, twice).len(), 3);
}

/// In front of a formula about all runs no value is named: the claim chooses one of each type with its first step.
#[test]
fn values_of_the_first_quantifiers_are_chosen() {
    let formula = "forall n: Node; f: Few do [] (state[n] = IDLE | level[f] = 2) end";
    let model = read(StatedForm::Ltl, formula).expect("it is right");
    let property = model.properties.last().expect("there is a property");
    let PropertyKind::NoRun(question) = &property.kind else {
        panic!("{property:?} is no question about runs");
    };
    let names = question.indices.variables.iter();
    let names: Vec<&str> = names.map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["n", "f"]);
    assert_eq!(
        question
            .indices
            .values
            .iter()
            .map(Vec::len)
            .collect::<Vec<_>>(),
        [2, 2]
    );
    let (_, claim) = model.runnables().last().expect("there is an automaton");
    let first = question.automaton.state(Automaton::INITIAL);
    let first = first.transitions.len();
    assert_eq!(claim.edges_from(claim.entry).count(), 2 * 2 * first);
    let chosen = conditions(StatedForm::Ltl, formula);
    let violated = "!(defined(state[n]) == IDLE || defined(level[f - 1]) == 3)";
    assert!(chosen.contains(&violated.to_string()), "{chosen:?}");
    // `exists` is no matter of choice, and neither is what stands behind it.
    let some = "exists n: Node do forall m: Node do [] state[n] = state[m] end end";
    let model = read(StatedForm::Ltl, some).expect("it is right");
    let property = model.properties.last().expect("there is a property");
    assert_eq!(property.kind.indices(), []);
}

#[test]
fn names_of_the_model_are_no_operators_where_they_cannot_be() {
    let (ltl, ctl) = (StatedForm::Ltl, StatedForm::Ctl);
    assert_eq!(conditions(ctl, "AG next = 1 & AF next > 2").len(), 2);
    same(ltl, "next = 1 U next = 2", "(next = 1) U (next = 2)");
    same(ltl, "next next = 1", "X (next = 1)");
    same(ltl, "next (next = 1)", "X (next = 1)");
}

#[test]
fn functions_that_are_conditions_may_be_called() {
    same(StatedForm::Ctl, "EF Twice(1)", "EF level[1] = 2");
    refused(
        StatedForm::Ctl,
        "EF Slow(1)",
        "1:4: error: this condition takes code, which is not supported in formulas \
         (leave out calls of functions with statements, loops over many values and the like)",
    );
}

#[test]
fn an_automaton_has_conditions_of_the_model() {
    let hoa = "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"exists n: Few do level[n] = 3 end\"\n\
               Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[!0] 0\n--END--\n";
    assert_eq!(conditions(StatedForm::Automaton, hoa).len(), 1);
    refused(
        StatedForm::Automaton,
        &hoa.replace("level[n]", "leve[n]"),
        "4:25: error: there is no name `leve` (did you mean `level`?)",
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let (ltl, ctl) = (StatedForm::Ltl, StatedForm::Ctl);
    refused(
        ltl,
        "[] (on ->",
        "1:10: error: expected an expression, found the end of the file",
    );
    refused(
        ltl,
        "[] on ] on",
        "1:7: error: expected an operator or the end of the formula, found `]`",
    );
    refused(
        ltl,
        "<> next",
        "1:4: error: a condition of a formula must be a boolean, but this is of type `0..3`",
    );
    refused(
        ctl,
        "[] on",
        "1:1: error: `[]` has no quantifier over runs (in this logic `A` or `E` stands before `[]`: in all runs, or in some)",
    );
    refused(
        ctl,
        "A[on]",
        "1:3: error: `A` and `E` are followed by `X`, `F` or `G`, or by `[f U g]`, `[f W g]` or `[f V g]`",
    );
    refused(
        ctl,
        "(EF on) = on",
        "1:1: error: an operand is a temporal formula, but it has to be a value (temporal formulas are joined by `&`, `|`, `!` and `->` only; put conditions in parentheses)",
    );
    refused(
        ctl,
        "on ? EF on : EG on",
        "1:1: error: an operand is a temporal formula, but it has to be a value (temporal formulas are joined by `&`, `|`, `!` and `->` only; put conditions in parentheses)",
    );
    refused(
        ctl,
        "level[EF on] = 1",
        "1:7: error: an operand is a temporal formula, but it has to be a value (temporal formulas are joined by `&`, `|`, `!` and `->` only; put conditions in parentheses)",
    );
    refused(
        ctl,
        "forall n := 1 to next do EF on end",
        "1:18: error: the bounds of a quantifier around temporal operators must be constants (let it go through all values, and say in the conditions which ones count)",
    );
    refused(
        StatedForm::Accept,
        "",
        "1:1: error: `--accept` is for Promela models (rules have no labels; `--ltl` states what happens infinitely often)",
    );
    let deep = format!("{} on", "EF ".repeat(300));
    let complaints = read(ctl, &deep).expect_err("it is too deep");
    assert!(
        complaints[0].contains("nested more than 200 deep"),
        "{complaints:?}"
    );
}

/// In front of a formula of branching time no value is named either.
#[test]
fn the_first_quantifiers_of_branching_time_are_indices() {
    let formula = "forall n: Node; m: Node do AG (state[n] = IDLE | EF state[m] = IDLE) end";
    let model = read(StatedForm::Ctl, formula).expect("it is right");
    let property = model.properties.last().expect("there is a property");
    let PropertyKind::Ctl { indices, .. } = &property.kind else {
        panic!("{property:?} is no formula of branching time");
    };
    let sizes = indices.values.iter().map(Vec::len);
    assert_eq!(sizes.collect::<Vec<_>>(), [2, 2]);
    assert_eq!(property.kind.conditions().len(), 2);
    // What chooses them is there for proofs and runs along with nothing.
    let (asking, _) = model.runnables().last().expect("there is something");
    assert_eq!(asking.index(), model.templates.len());
    let id = PropertyId::from(model.properties.len() - 1);
    assert_eq!(model.claim_of(id), None);
    assert_eq!(model.instance_count(id), Some(4));
    let texts = model.instance_texts(id, 1);
    assert_eq!(texts.len(), 2);
    assert_ne!(texts[0].1, texts[1].1, "{texts:?}");
}
