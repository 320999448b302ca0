//! What the printer leaves out, puts in and renames.

use crate::common::{model, without_source};
use mandala_ir::Text;
use mandala_model::claim::Claim;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::property::PropertyKind;
use mandala_model::source::{SourceText, Sources};
use mandala_model::template::{Role, Step};
use mandala_model::verify::verify;

const EVERYTHING: &str = include_str!("everything.ir");

/// The guard of the first edge of a process with a variable of many types, read and printed.
#[track_caller]
fn printed(guard: &str) -> String {
    let text = format!(
        "mandala-ir 2\nmodel promela, wrapping 32\nenum mtype {{ ack = 1, req = 2 }}\nglobal letter: mtype\n\
         global flag: bool\nprocess p() {{\n  entry s0\n  location s0\n    s0 -> s0 when {guard}\n}}\nstart p()\n"
    );
    let model = model(&text);
    let Step::Guarded { guard, .. } = &model.templates[0].edges[0].step else {
        panic!("a guarded step");
    };
    Text::new(&model).of_expression(guard, Some(TemplateId(0)))
}

#[test]
fn parentheses_stand_where_they_matter() {
    assert_eq!(printed("((1) + 2) * (3)"), "(1 + 2) * 3");
    assert_eq!(printed("(1 * 2) + 3"), "1 * 2 + 3");
    assert_eq!(printed("1 - (1 + 2)"), "1 - (1 + 2)");
    assert_eq!(printed("(1 + 2) - 1"), "1 + 2 - 1");
    assert_eq!(printed("!((1 || 2) && 3)"), "!((1 || 2) && 3)");
    assert_eq!(
        printed("(1 || 2 ? 1 + 2 : -4) + 3"),
        "(1 || 2 ? 1 + 2 : -4) + 3"
    );
    assert_eq!(printed("(1 || 2) ? (1 + 2) : (-4)"), "1 || 2 ? 1 + 2 : -4");
}

/// `-5` is a number, `-(5)` an operation on one.
#[test]
fn minus_before_a_number_is_part_of_it() {
    for text in [
        "-5",
        "-(5)",
        "-(-5)",
        "!(5)",
        "!(!flag)",
        "1 - -5",
        "-9223372036854775808",
    ] {
        assert_eq!(printed(text), text);
    }
    assert_eq!(printed("!!flag"), "!(!flag)");
}

#[test]
fn numbers_have_names_where_the_other_side_tells() {
    assert_eq!(printed("letter == 1"), "letter == ack");
    assert_eq!(printed("2 == letter"), "req == letter");
    assert_eq!(printed("letter == 9"), "letter == 9");
    assert_eq!(printed("letter < ack"), "letter < 1");
    assert_eq!(printed("flag != 1"), "flag != true");
}

#[test]
fn lines_of_the_source_are_comments_that_are_not_read() {
    let everything = model(EVERYTHING);
    let mut sources = Sources::default();
    sources.add(SourceText::new("m.ir", EVERYTHING));
    let text = Text::new(&everything).with_sources(&sources).to_string();
    assert!(text.contains("global turn: u8  // m.ir:24\n"), "{text}");
    let back = model(&text);
    assert_eq!(without_source(&back), without_source(&everything));
    assert!(!Text::new(&everything).to_string().contains("//"));
}

/// An automaton runs as a template does, and is none: the text has it as what it is.
#[test]
fn an_automaton_runs_behind_the_templates_and_is_no_template() {
    let model = model(EVERYTHING);
    let mut properties = (0..).map(PropertyId).zip(&model.properties);
    let is_automaton = |kind: &PropertyKind| matches!(kind, PropertyKind::NoRun(_));
    let (id, property) = properties
        .find(|(_, p)| is_automaton(&p.kind))
        .expect("there is one");
    let claim = model.claim_of(id).expect("an automaton is a claim");
    assert_eq!(claim, Claim::Automaton(id));
    let runnable = model.runnable(claim);
    assert_eq!(runnable.index(), model.templates.len());
    let automata = model.properties.iter().filter(|p| is_automaton(&p.kind));
    assert_eq!(
        model.runnable_count(),
        model.templates.len() + automata.count()
    );
    let seen = model.template(runnable);
    assert_eq!((&seen.name, seen.role), (&property.name, Role::Claim));
    assert_eq!(seen.locals, property.kind.indices());
    let text = Text::new(&model).to_string();
    assert!(
        !text.contains(&format!("claim {}", property.name)),
        "{text}"
    );
}

/// Names that are alike get numbers, and those are never the names of others.
#[test]
fn names_in_sight_are_never_the_same() {
    let mut model = model(EVERYTHING).into_unchecked();
    for variable in &mut model.globals {
        variable.name = "x".into();
    }
    for local in model.templates.iter_mut().flat_map(|t| &mut t.locals) {
        local.name = "x".into();
    }
    let model = verify(model).expect("names do not matter");
    let text = Text::new(&model).to_string();
    assert!(text.contains("process user(x#0: u8, x#19: bool)"), "{text}");
    let back = crate::common::model(&text);
    assert_eq!(without_source(&back), without_source(&model));
}
