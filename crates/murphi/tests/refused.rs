//! What is refused, where, and with which words.
//!
//! The files in `refused` are lists of texts, each with the complaints about it below: line, column, message
//! and, in parentheses, the help. A text is a whole model (`text:`), or stands after the declarations of the
//! prelude (`model:`, on line 2), or is the body of a rule there (`rule:`, on line 3). After `rumur` it is read in that dialect.

use crate::support;
use crate::support::prelude::{in_rule, model};
use crate::support::{complaints, complaints_in, read};
use mandala_murphi::Dialect;
use std::path::Path;

#[test]
fn wrong_texts_are_refused_as_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let entries = std::fs::read_dir(&folder).expect("a folder of the crate");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for entry in entries.flatten() {
        for ((dialect, text), expected) in cases(&read(&entry.path())) {
            count += 1;
            let found = complaints_in(dialect, &text);
            if found != expected {
                wrong.push(format!(
                    "{text}\n expected {expected:#?}\n found {found:#?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 190, "only {count} texts were found");
}

/// The models of a file, each with the complaints that are expected.
fn cases(file: &str) -> Vec<((Dialect, String), Vec<String>)> {
    let mut cases: Vec<((Dialect, String), Vec<String>)> = Vec::new();
    for line in file.lines() {
        match (line.strip_prefix("  "), cases.last_mut()) {
            (Some(complaint), Some((_, expected))) => expected.push(complaint.to_string()),
            _ => cases.push((in_dialect(line), Vec::new())),
        }
    }
    cases
}

fn in_dialect(line: &str) -> (Dialect, String) {
    match line.strip_prefix("rumur ") {
        Some(line) => (Dialect::Rumur, whole_model(line)),
        None => (Dialect::CMurphi, whole_model(line)),
    }
}

fn whole_model(line: &str) -> String {
    match line.split_once(": ") {
        Some(("text", text)) => text.to_string(),
        Some(("model", text)) => model(text),
        Some(("rule", text)) => in_rule(text),
        _ => panic!("not a line of a list: {line}"),
    }
}

#[test]
fn errors_point_at_what_matters() {
    let places = |text: &str| {
        let (sources, _, diagnostics) = support::parse_text("m", text);
        let related = diagnostics.iter().flat_map(|d| &d.related);
        let show = |(span, what): &(mandala_model::source::Span, String)| {
            format!("{} {what}", sources.snippet(*span))
        };
        related.map(show).collect::<Vec<String>>()
    };
    assert_eq!(
        places("var x: boolean; x: boolean;"),
        ["x first declared here"]
    );
    assert_eq!(
        places("rule begin x := 1; end; var x: 0..1;"),
        ["x declared only here"]
    );
    assert_eq!(
        places("rule begin if true then endfor end"),
        ["if the `if` that it would close"]
    );
    assert_eq!(
        places(&in_rule("for i: S do i := i end")),
        ["i declared here"]
    );
    assert_eq!(places(&in_rule("b := f()")), ["f declared here"]);
    assert_eq!(
        places(&model("choose i: m do rule o[i].b ==> begin end end")),
        ["m chosen from this one"]
    );
}

#[test]
fn errors_in_several_rules_are_reported_together() {
    let text = "var x: boolean; rule begin x := 1; y := 1; end; function f(): boolean; begin return 1; end; \
        ruleset i: boolean do rule i ==> begin i := x; end; end; rule f() ==> begin x := i; end;";
    let lines = complaints(text);
    let starts: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(" error").next())
        .collect();
    assert_eq!(starts, ["1:33:", "1:85:", "1:132:", "1:174:"], "{lines:#?}");
}

#[test]
fn an_error_in_a_declaration_is_the_last() {
    let lines = complaints("var x: t; rule begin x := 1; y := 2; end;");
    assert_eq!(lines, ["1:8: error: there is no type `t`"]);
}

#[test]
fn deep_and_long_inputs_are_refused_before_they_hurt() {
    let deep = |start: &str, open: &str, inside: &str, close: &str| {
        let text = format!("{}{inside}{}", open.repeat(5000), close.repeat(5000));
        complaints(&in_rule(&format!("{start}{text}")))
    };
    let nested = [
        deep("b := ", "(", "b", ")"),
        deep("", "if b then ", "", " end"),
        deep("x := ", "g[", "x", "]"),
        complaints(&in_rule(&format!("b := {}b", "!".repeat(5000)))),
        complaints(&model(&format!(
            "type t: {}boolean;",
            "array [0..1] of ".repeat(5000)
        ))),
        complaints(&model(&"ruleset i: S do ".repeat(5000))),
        complaints(&in_rule(&format!(
            "for {}i: S do end",
            "i: S; ".repeat(5000)
        ))),
    ];
    for lines in nested {
        assert!(
            lines[0].ends_with("error: this is nested more than 200 deep"),
            "{lines:?}"
        );
    }
    let long = complaints(&in_rule(&format!("x := 1{}", " + 1".repeat(5000))));
    let expected =
        "error: this expression has more than 1000 levels (put parts of it into functions)";
    assert!(long[0].ends_with(expected), "{long:?}");
}

#[test]
fn the_largest_allowed_inputs_are_walked() {
    let chain = in_rule(&format!("x := 1{}", " + 1".repeat(990)));
    assert_eq!(complaints(&chain), Vec::<String>::new());
    assert!(support::program(&chain).to_string().len() > 990);
    let tight = "1 -> 1 || 1 && 1 | 1 ^ 1 & 1 < 1 << 1 + 1 * (";
    let nested = in_rule(&format!("x := {}1{}", tight.repeat(190), ")".repeat(190)));
    assert_eq!(complaints(&nested).len(), 1);
}

#[test]
fn complaints_come_to_an_end() {
    let text = model(&"rule begin x := true; end; ".repeat(200));
    assert_eq!(complaints(&text).len(), 50);
}
