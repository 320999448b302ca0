//! What questions become.

use crate::support::{Given, right};
use mandala_ir::Text;
use mandala_model::stated::StatedForm;
use mandala_model::verify::verify;

const MODEL: &str = "module m x : [0..3]; [a] x<3 -> (x'=x+1); endmodule
    label \"low\" = x<2; rewards \"r\" true : 1; endrewards rewards \"s\" true : x; endrewards";

#[track_caller]
fn check(kind: &str, query: &str, expected: &str) {
    let given = Given::new(&format!("{kind} {MODEL}")).stating(StatedForm::Pctl, query);
    let model = verify(right(&given)).expect("it is a model");
    let text = Text::new(&model).to_string();
    let line = text.lines().find(|line| line.starts_with("property"));
    let line = line.expect("there is a property");
    assert_eq!(line, format!("property pctl_0 query {expected}"), "{query}");
}

#[test]
fn operators_of_runs_are_written_with_until() {
    let until = |left: &str, right: &str, times: &str| {
        format!("until (state {left}, state {right}, {times})")
    };
    let ever = "\"0\", none";
    let cases = [
        ("P=? [ F x=3 ]", until("true", "c0", ever)),
        ("P=? [ F<=5 x=3 ]", until("true", "c0", "\"0\", \"5\"")),
        ("P=? [ F<5 x=3 ]", until("true", "c0", "\"0\", \"4\"")),
        ("P=? [ F>2 x=3 ]", until("true", "c0", "\"3\", none")),
        ("P=? [ F=2 x=3 ]", until("true", "c0", "\"2\", \"2\"")),
        (
            "P=? [ \"low\" U[1,4] x=3 ]",
            until("c0", "c1", "\"1\", \"4\""),
        ),
        (
            "P=? [ G x=0 ]",
            format!("not {}", until("true", "!c0", ever)),
        ),
        (
            "P=? [ x=0 W x=1 ]",
            format!("not {}", until("(c0 && !c1)", "(!c0 && !c1)", ever)),
        ),
        (
            "P=? [ x=0 R x=1 ]",
            format!("not {}", until("!c0", "!c1", ever)),
        ),
        ("P=? [ X x=0 ]", "next state c0".into()),
    ];
    for (query, path) in cases {
        check("dtmc", query, &format!("value probability [{path}]"));
    }
}

#[test]
fn ends_of_continuous_time_may_be_excluded() {
    let path = "until (state true, state c0, \"1/2\", \"5/2\")";
    check(
        "ctmc",
        "P=? [ F[0.5,2.5] x=3 ]",
        &format!("value probability [{path}]"),
    );
    let path = "until (state true, state c0, \"0\", \"5/2\")";
    check(
        "ctmc",
        "P=? [ F<2.5 x=3 ]",
        &format!("value probability [{path}]"),
    );
}

#[test]
fn optima_are_those_of_models_with_choices() {
    let path = "[until (state true, state c0, \"0\", none)]";
    check(
        "mdp",
        "Pmax=? [ F x=3 ]",
        &format!("value probability greatest {path}"),
    );
    check(
        "mdp",
        "Pmin=? [ F x=3 ]",
        &format!("value probability least {path}"),
    );
    check(
        "dtmc",
        "Pmin=? [ F x=3 ]",
        &format!("value probability {path}"),
    );
    check(
        "mdp",
        "P>=1/3 [ F x=3 ]",
        &format!("holds (probability {path} >= \"1/3\")"),
    );
    check(
        "mdp",
        "R{\"s\"}max=? [ F x=3 ]",
        "value reward 1 greatest until [c0]",
    );
    check("mdp", "Rmin=? [ C<=4 ]", "value reward 0 least upto \"4\"");
    check("ctmc", "R{2}=? [ I=0.5 ]", "value reward 1 at \"1/2\"");
    check(
        "ctmc",
        "R{\"r\"}<=7 [ S ]",
        "holds (reward 0 average <= \"7\")",
    );
    check("ctmc", "S=? [ \"low\" ]", "value share [c0]");
    check("dtmc", "R=? [ C ]", "value reward 0 total");
}

#[test]
fn a_condition_is_as_large_as_it_can_be() {
    check(
        "dtmc",
        "\"init\" & x=0 & \"low\"",
        "holds ((c0 && c1) && initial)",
    );
    check("dtmc", "x=0 & x<2", "holds c0");
    let states = "states (initial && c1)";
    let path = "[until (state true, state c0, \"0\", none)]";
    let query = "filter(avg, P=? [ F x=3 ], \"init\" & x=0)";
    let states = states.replace("(initial && c1)", "(c1 && initial)");
    check(
        "dtmc",
        query,
        &format!("filter average value probability {path} {states}"),
    );
}

#[test]
fn formulas_of_other_logics_can_be_stated_as_well() {
    let given = Given::new(&format!("mdp {MODEL}"));
    let given = given.stating(StatedForm::Ctl, "A [ G (\"low\" => E [ F x=3 ]) ]");
    let given = given.stating(StatedForm::Ltl, "G (x=0 => (F x=3))");
    let given = given.stating(StatedForm::Possible, "x=2");
    let model = verify(right(&given)).expect("it is a model");
    let text = Text::new(&model).to_string();
    assert!(
        text.contains("property ctl_0 ctl AG (c0 -> EF c1)"),
        "{text}"
    );
    assert!(text.contains("property ltl_0 ltl"), "{text}");
    assert!(text.contains("property possible_0 ctl EF c"), "{text}");
}
