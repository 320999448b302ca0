//! What texts become.

use crate::support::{EVERYTHING, Given, read, right};
use mandala_ir::Text;
use mandala_model::chance::{Quantity, Stochastic};
use mandala_model::property::PropertyKind;
use mandala_model::stated::StatedForm;
use mandala_model::verify::verify;

fn printed(given: &Given) -> String {
    let model = verify(right(given)).expect("it is a model");
    Text::new(&model).to_string()
}

/// The lines of the edges of a model of one module.
fn edges(kind: &str, body: &str) -> Vec<String> {
    let text = printed(&Given::new(&format!("{kind} module m {body} endmodule")));
    let edges = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("s0 ->"));
    let edges = edges.map(|line| &line["s0 -> s0 ".len()..]);
    // Numbers of statements are left out.
    let edges = edges.map(|line| match line.strip_prefix("number ") {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => line,
    });
    edges.map(str::to_owned).collect()
}

#[test]
fn a_model_with_everything_is_one() {
    let given = Given::new(EVERYTHING).define("K=2");
    let given = given.stating(StatedForm::Queries, include_str!("everything.props"));
    let model = verify(right(&given)).expect("it is a model");
    assert_eq!(model.stochastic, Some(Stochastic::Mdp));
    assert_eq!(model.rewards.len(), 2);
    let queries = model.properties.iter();
    let queries = queries.filter(|p| matches!(p.kind, PropertyKind::Query { .. }));
    assert_eq!(queries.count(), 12);
}

#[test]
fn a_missing_kind_means_a_decision_process_and_a_constant_without_a_type_is_an_integer() {
    let (model, found) = read(&Given::new("const K = 2; module m x : [0..K]; endmodule"));
    assert_eq!(model.expect("a model").stochastic, Some(Stochastic::Mdp));
    assert!(found[0].contains("it is a decision process"), "{found:?}");
    let (model, found) = read(&Given::new(
        "mdp const K = 2.5; module m x : [0..1]; endmodule",
    ));
    assert!(
        model.is_none() && found[0].contains("`K` is an integer"),
        "{found:?}"
    );
}

#[test]
fn negation_binds_less_than_equality() {
    let body = "a : [0..1]; b : [0..1]; [] !a=b -> (a'=b);";
    let expected = ["outcome 0 weight \"1\" when a != b do a = b"];
    assert_eq!(edges("mdp", body), expected);
}

#[test]
fn updates_are_simultaneous() {
    let body = "a : [0..1]; b : [0..1]; c : [0..1]; [] true -> (a'=b) & (b'=a) & (c'=b);";
    let expected = ["outcome 0 weight \"1\" do c = b; next = b; b = a; a = next"];
    assert_eq!(edges("mdp", body), expected);
}

#[test]
fn what_has_no_weight_is_no_step() {
    let body = "a : [0..2]; [] true -> 0 : (a'=1) + a/2 : (a'=0) + 1-a/2 : (a'=2);";
    let expected = [
        "outcome 0 weight divide(value(a), \"2\") when a != 0 do a = 0",
        "outcome 0 weight subtract(\"1\", divide(value(a), \"2\")) when 2 - a != 0 do a = 2",
    ];
    assert_eq!(edges("dtmc", body), expected);
    // Where all may be 0, that is a mistake of the model.
    let body = "a : [0..2]; [] true -> a/2 : (a'=0) + a/2 : (a'=1);";
    let fails = edges("dtmc", body);
    assert!(
        fails[0].contains("when a == 0 && a == 0 do fail"),
        "{fails:?}"
    );
    // A rate of 0 is no mistake.
    assert_eq!(edges("ctmc", body).len(), 2);
}

#[test]
fn commands_that_synchronise_multiply_and_those_that_contradict_each_other_are_left_out() {
    let text = "mdp
        module m x : [0..2]; [a] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2); [a] x>0 -> true; endmodule
        module n y : [0..2]; [a] x=0 -> 0.2 : (y'=1) + 0.8 : (y'=2); [b] true -> true; endmodule";
    let model = right(&Given::new(text));
    let edges = &model.templates[0].edges;
    let weight = |weight: &str| Quantity::Constant(weight.parse().expect("a number"));
    let weights: Vec<Quantity> = edges
        .iter()
        .map(|edge| edge.outcome.as_ref().expect("an outcome").weight.clone())
        .collect();
    let expected = ["1", "1/10", "2/5", "1/10", "2/5"].map(weight);
    assert_eq!(weights, expected);
}

#[test]
fn processes_are_put_together_as_the_text_says() {
    let modules = "mdp module m x : [0..1]; [a] true -> true; [b] true -> true; endmodule
        module n y : [0..1]; [a] true -> true; [b] true -> true; endmodule ";
    let actions = |system: &str| {
        let model = right(&Given::new(&format!("{modules} {system}")));
        let edges = model.templates[0].edges.iter();
        let mut texts: Vec<String> = edges.map(|edge| edge.text.clone()).collect();
        texts.sort();
        texts.join(", ")
    };
    assert_eq!(actions(""), "[a] m & n, [b] m & n");
    assert_eq!(actions("system m || n endsystem"), "[a] m & n, [b] m & n");
    assert_eq!(
        actions("system m ||| n endsystem"),
        "[a] m, [a] n, [b] m, [b] n"
    );
    assert_eq!(
        actions("system m |[a]| n endsystem"),
        "[a] m & n, [b] m, [b] n"
    );
    assert_eq!(
        actions("system (m || n)/{a} endsystem"),
        "[] m & n, [b] m & n"
    );
    assert_eq!(
        actions("system m/{a} || n endsystem"),
        "[] m, [a] n, [b] m & n"
    );
    assert_eq!(
        actions("system m{a<-b,b<-a} || n endsystem"),
        "[a] m & n, [b] m & n"
    );
    assert_eq!(
        actions("system m{a<-c} || n endsystem"),
        "[a] n, [b] m & n, [c] m"
    );
}

#[test]
fn renaming_applies_to_formulas_and_makes_arrays() {
    let text = "dtmc formula other = y=1;
        module m x : [0..1]; [] other -> (x'=1-x); endmodule
        module n = m [ x=y, y=x ] endmodule";
    let text = printed(&Given::new(text));
    assert!(text.contains("when x[1] == 1 do x[0] = 1 - x[0]"), "{text}");
    assert!(text.contains("when x[0] == 1 do x[1] = 1 - x[1]"), "{text}");
}

#[test]
fn rounding_and_remainders_go_down() {
    let known = [
        ("floor(-1/2)", -1),
        ("ceil(-1/2)", 0),
        ("round(1/2)", 1),
        ("mod(-3, 5)", 2),
        ("func(mod, 7, 4)", 3),
        ("pow(2, 10)", 1024),
        ("log(8, 2)", 3),
        ("max(1, 2, 3) - min(4, 5)", -1),
        ("2^3^2", 64),
        ("-2*-3", 6),
        ("1=1 ? 5 : 6", 5),
        ("floor(1e2/3)", 33),
    ];
    for (text, value) in known {
        let body = format!("const int k = {text}; module m x : [k..k+1]; endmodule");
        let text = printed(&Given::new(&format!("dtmc {body}")));
        let expected = format!("global x: {value}..{}", value + 1);
        assert!(text.contains(&expected), "{expected}: {text}");
    }
    let body = "x : [-5..5]; [] true -> (x'=mod(x, 3)) ; [] floor(x/2)=-1 -> true; [] ceil(x/2)=1 -> true;";
    let expected = [
        "outcome 0 weight \"1\" do x = (x % 3 + 3) % 3",
        "outcome 1 weight \"1\" when (x < 0 ? (x - 1) / 2 : x / 2) == -1",
        "outcome 2 weight \"1\" when (x + 1 < 0 ? (x + 1 - 1) / 2 : (x + 1) / 2) == 1",
    ];
    assert_eq!(edges("mdp", body), expected);
}

#[test]
fn numbers_are_compared_as_integers() {
    let body = "x : [0..9]; [] x/4 < 0.7 -> true; [] x*0.5+1/3 >= 2 -> true;";
    let expected = [
        "outcome 0 weight \"1\" when x * 10 < 28",
        "outcome 1 weight \"1\" when x * 3 + 2 >= 12",
    ];
    assert_eq!(edges("mdp", body), expected);
}
