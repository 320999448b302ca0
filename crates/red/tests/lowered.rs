//! What becomes of models.

use crate::support::read;
use mandala_ir::Text;

/// The lines of the text form of a model.
fn lines(text: &str) -> Vec<String> {
    let model = read(text, &[]).unwrap_or_else(|complaints| panic!("{complaints:?}"));
    let text = Text::new(&model).to_string();
    text.lines().map(|line| line.trim().to_string()).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let lines = lines(text);
    for line in expected {
        assert!(
            lines.iter().any(|l| l == line),
            "no line `{line}` in {lines:#?}"
        );
    }
}

const FRAME: &str =
    "process count = 2; global pointer g; local pointer p, q; local discrete d: 1..3;";

#[test]
fn pointers_are_indices_of_columns() {
    check(
        &format!(
            "{FRAME} mode a true {{ when true may p->q->d = q->d + P; goto b; }} mode b true {{}}"
        ),
        &[
            "s0 -> s1 number 1 do d[defined(q[defined(p[self()])])] = d[defined(q[self()])] + self()",
        ],
    );
}

#[test]
fn conditions_ask_first_whether_they_have_a_value() {
    check(
        &format!("{FRAME} mode a true {{ when g->d == 1 or 6 / d < 2 may ; }}"),
        &["s0 -> s0 number 1 when g != 0 && (d[self()] != 0 && (d[g] == 1 || 6 / d[self()] < 2))"],
    );
}

#[test]
fn constants_in_conditions_leave_rules_out() {
    let text = format!(
        "#define BUG 0\n{FRAME} mode a true {{ when BUG == 1 may ; when BUG == 0 may d = 2; }}"
    );
    let lines = lines(&text);
    let rules: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("s0 -> s0"))
        .collect();
    assert_eq!(rules, ["s0 -> s0 number 1 do d[self()] = 2"]);
}

#[test]
fn what_initially_does_not_mention_is_at_rest() {
    let starts = |initially: &str| {
        let lines = lines(&format!("{FRAME} mode a true {{}} initially {initially};"));
        let edges = lines
            .into_iter()
            .filter(|line| line.starts_with("s0 -> s1"));
        edges.collect::<Vec<_>>()
    };
    assert_eq!(starts("true"), Vec::<String>::new());
    assert_eq!(
        starts("g != NULL"),
        ["s0 -> s1 do g = 1", "s0 -> s1 do g = 2"]
    );
    assert_eq!(
        starts("p[1] == 2"),
        [
            "s0 -> s1 do p[1] = 2",
            "s0 -> s1 do p[1] = 2; p[2] = 1",
            "s0 -> s1 do p[1] = 2; p[2] = 2",
        ]
    );
    // One state: it is where variables begin, and nobody makes it.
    assert_eq!(
        starts("forall i: p[i] != i and p[i] != NULL"),
        Vec::<String>::new()
    );
    assert_eq!(
        starts("g->d == 3 and g == 2 and d[1] > 1"),
        [
            "s0 -> s1 do g = 2; d[1] = 2; d[2] = 3",
            "s0 -> s1 do g = 2; d[1] = 3; d[2] = 3"
        ]
    );
}

#[test]
fn one_state_to_start_in_is_where_variables_begin() {
    check(
        &format!("{FRAME} mode a true {{}} initially forall i: p[i] != i and p[i] != NULL;"),
        &["global p: pointer(2)[3 by pointer from 0] = { 0, 2, 1 }"],
    );
}

#[test]
fn the_condition_of_a_mode_is_asked_for_behind_a_rule() {
    let lines = lines(&format!(
        "{FRAME} mode a d < 3 {{ when true may d = d + 1; when true may q = P; }}"
    ));
    let text = lines.join("\n");
    assert!(text.contains("d[self()] < 3"), "{text}");
    let others = "forall(other: pointer(2) of 1..2: self() == other || (!process[other]@s0 || d[other] < 3))";
    assert!(text.contains(others), "{text}");
    assert!(
        text.contains("s0 -> s0 number 2 do q[self()] = self()"),
        "{text}"
    );
}
