//! Names: values that index arrays, sit in variables and messages, and are given to processes when they
//! start.

use crate::common::{Loaded, load, load_with};
use mandala_model::UncheckedModel;
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::source::{FileId, Span};
use mandala_model::symmetry::{Scalarset, ScalarsetUse, UseKind, VariableRef};
use mandala_symmetry::Refused;

/// Peterson's algorithm for processes that are told who they are.
fn peterson(start: &str) -> String {
    format!(
        "byte level[4]; byte turn[3] = 255; byte critical;
        proctype P(byte me) {{
            byte k; bool ahead;
            do
            :: k = 1;
                do
                :: k < 3 ->
                    level[me] = k;
                    turn[k] = me;
again:              atomic {{
                        ahead = (me == 1 || level[1] < k) && (me == 2 || level[2] < k) && (me == 3 || level[3] < k);
                        if :: ahead || turn[k] != me :: else -> goto again fi
                    }};
                    k++
                :: else -> break
                od;
                critical++;
                assert(critical == 1);
                critical--;
                level[me] = 0
            od
        }}
        init {{ byte i; {start} }}"
    )
}

#[test]
fn processes_that_are_told_who_they_are() {
    for start in [
        "run P(1); run P(2); run P(3)",
        "atomic { run P(1); run P(2); run P(3) }",
        "for (i : 1 .. 3) { run P(i) }",
        "atomic { for (i : 1 .. 3) { run P(i) } }",
        "i = 3; do :: i > 0 -> run P(i); i-- :: else -> break od",
        "d_step { i = 1 }; do :: i <= 3 -> atomic { run P(i); i++ } :: else -> goto done od; done: false",
    ] {
        load(&peterson(start), &[]).finds(&["P x3", "level 1..3*"]);
    }
}

#[test]
fn names_that_are_counted_from_another_number() {
    let model = "byte flag[3]; byte last = 255;
        proctype P(byte me) { byte l;
            do :: flag[me - 1] = 1 - flag[me - 1] :: last = me :: l = me - 1; flag[l] = 0; l = 255
            :: last != 255 && flag[last - 1] == 1 -> last = 255 od }
        init { run P(1); run P(2); run P(3) }";
    load(model, &[]).finds(&["P x3", "flag 0..2*"]);
}

#[test]
fn process_numbers_that_are_counted_from_another_number() {
    let model = "byte flag[3]; pid last = 255; byte who = 255;
        active proctype Zero() { do :: last = 255 od }
        active [3] proctype P() { byte l;
            do :: flag[_pid - 1] = 1 - flag[_pid - 1] :: last = _pid :: l = _pid - 1; flag[l] = 0; l = 255
            :: last != 255 && flag[last - 1] == 1 -> last = 255
            :: who = _pid + 2 :: who == _pid + 2 -> who = 255
            od }";
    load(model, &[]).finds(&["P x3"]);
    let odd = load(&model.replace("flag[last - 1]", "flag[last - 2]"), &[]);
    assert!(odd.detect().certificate.is_none());
}

/// A span that stands for a declaration.
const DECLARATION: Span = Span {
    file: FileId(0),
    start: 1,
    end: 2,
};

/// Declares names of which one use is known.
fn declare(model: &mut UncheckedModel, first: i64, size: u32, kind: UseKind) {
    let uses = vec![ScalarsetUse {
        kind,
        span: DECLARATION,
    }];
    model.scalarsets.push(Scalarset {
        name: "ids".into(),
        span: DECLARATION,
        first,
        size,
        uses,
        unordered: false,
    });
}

fn index_of_level(model: &UncheckedModel) -> UseKind {
    let level = model.globals.iter().position(|v| v.name == "level");
    UseKind::Indexes {
        variable: VariableRef::Global(GlobalId::from(level.expect("the array"))),
        path: Vec::new(),
        dimension: 0,
    }
}

fn declared(text: &str, first: i64, size: u32) -> Loaded {
    load_with(text, &[], |model| {
        let kind = index_of_level(model);
        declare(model, first, size, kind);
    })
}

#[test]
fn declared_names_are_certified_like_all_others() {
    let text = peterson("for (i : 1 .. 3) { run P(i) }");
    let loaded = declared(&text, 1, 3);
    loaded.finds(&["P x3", "ids 1..3*"]);
    assert!(loaded.detect().refused.is_empty());
}

#[test]
fn a_declaration_that_is_not_so_is_reported_with_its_place() {
    let text = peterson("for (i : 1 .. 3) { run P(i) }");
    let odd = text.replace("critical == 1)", "critical == 1 && me < 3)");
    let refused: Vec<Refused> = declared(&odd, 1, 3).detect().refused;
    let declared_ones = refused.iter().filter(|r| r.declared == Some(DECLARATION));
    let declared_ones: Vec<_> = declared_ones.collect();
    assert_eq!(declared_ones.len(), 1, "{refused:?}");
    let loaded = load(&odd, &[]);
    let reasons = loaded.reasons(&declared_ones[0].breaches);
    assert!(reasons.contains("line 18"), "{reasons}");
    let diagnostic = declared_ones[0].breaches[0].to_diagnostic();
    assert!(diagnostic.is_some());
}

#[test]
fn a_declaration_that_covers_too_many_names_is_refused() {
    let text = peterson("for (i : 1 .. 3) { run P(i) }");
    let refused = declared(&text, 1, 4).detect().refused;
    assert_eq!(refused[0].label, "ids");
    let reasons = &refused[0].breaches[0].message;
    assert!(reasons.contains("no element"), "{reasons}");
}

#[test]
fn declared_processes_become_a_family() {
    let text = "byte x; active [3] proctype P() { do :: x = 1 - x od }
        active [2] proctype Q() { do :: x = 0 od }";
    let loaded = load_with(text, &[], |model| {
        model
            .scalarsets
            .push(Scalarset::of_processes(TemplateId(0), "P", DECLARATION));
        declare(model, 3, 2, UseKind::Processes(TemplateId(1)));
    });
    loaded.finds(&["P x3", "Q x2"]);
    assert!(loaded.detect().refused.is_empty());
}

/// What is declared beside the processes of a set must be so, too.
#[test]
fn places_declared_with_processes_are_not_taken_on_trust() {
    let right = "//@ scalarset ID = 0..2: P, owner
        byte owner = 255;
        active [3] proctype P() { do :: owner == 255 -> owner = _pid :: owner == _pid -> owner = 255 od }";
    assert_eq!(load(right, &[]).detect().refused.len(), 0);
    let wrong = "//@ scalarset ID = 0..2: P, count
        byte count;
        active [3] proctype P() { do :: count < 3 -> count++ :: count > 0 -> count-- od }";
    let loaded = load(wrong, &[]);
    let refused = loaded.detect().refused;
    let declared: Vec<_> = refused.iter().filter(|r| r.declared.is_some()).collect();
    assert_eq!(declared.len(), 1, "{refused:?}");
    let reasons = loaded.reasons(&declared[0].breaches);
    assert!(reasons.contains("`count` as a plain number"), "{reasons}");
}
