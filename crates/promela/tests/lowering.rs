//! What the front end makes of statements, as far as it is not in the tables of automata.

use mandala_model::diagnostic::Diagnostic;
use mandala_model::expr::{ExprKind, Pattern};
use mandala_model::model::Model;
use mandala_model::source::{SourceText, Sources};
use mandala_model::template::{Edge, Location, Step, Template};
use mandala_model::verify::verify;
use mandala_promela::{ParseOptions, load};

struct Loaded {
    sources: Sources,
    model: Model,
    diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Loads a model that must be right; warnings may be.
    fn new(text: &str) -> Loaded {
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new("m.pml", text));
        let (model, diagnostics) = load(&mut sources, file, &ParseOptions::default());
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        Loaded {
            model: verify(model).expect("a proper model"),
            sources,
            diagnostics,
        }
    }

    fn template(&self, name: &str) -> &Template {
        let mut templates = self.model.templates.iter();
        templates.find(|t| t.name == name).expect("a template")
    }

    /// The statements of a template with their lines, in the order of these.
    fn statements(&self, name: &str) -> Vec<(u32, &str)> {
        let line = |edge: &Edge| self.sources.location(edge.span).line;
        let edges = self.template(name).edges.iter();
        let mut statements: Vec<_> = edges.map(|e| (line(e), e.text.as_str())).collect();
        statements.sort();
        statements
    }

    fn warnings(&self) -> Vec<String> {
        let all = self.diagnostics.iter();
        all.map(|d| d.one_line(&self.sources)).collect()
    }
}

#[test]
fn statements_of_an_inline_are_where_its_body_is() {
    let loaded = Loaded::new(
        "byte a, b;
inline assign(x, y) {
  x = y;
  y = x + 1
}
inline both(p, q) {
  assign(p,
    q)
}
active proctype A() {
  assign(a, b);
  both(a, b)
}",
    );
    let expected = [
        (3, "a = b"),
        (3, "a = b"),
        (4, "b = a + 1"),
        (4, "b = a + 1"),
        (13, "-end-"),
    ];
    assert_eq!(loaded.statements("A"), expected);
}

#[test]
fn an_error_in_an_argument_is_where_the_argument_is() {
    let text = "byte a;\ninline f(x) {\n  x = 1\n}\nactive proctype A() {\n  f(c)\n}";
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.pml", text));
    let (_, diagnostics) = load(&mut sources, file, &ParseOptions::default());
    let lines: Vec<String> = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    assert_eq!(lines, ["m.pml:6:5: error: `c` is not declared"]);
}

/// Spin lists the first statement of a block that was never reached, also where it is the
/// assignment that a declaration brings along; a skip or a jump it does not list.
#[test]
fn the_first_statement_of_a_block_is_worth_a_report() {
    let loaded = Loaded::new(
        "byte g, x;
active proctype A() {
  g == 1;
  {
    byte t;
    t = 3
  };
  atomic {
    x = 1;
    x = 2
  };
  skip;
  x = 4
}",
    );
    let template = loaded.template("A");
    let row = |location: &Location| {
        let first = &template.edges[location.edges.start as usize];
        let line = loaded.sources.location(location.span).line;
        (!location.silent).then_some((location.number, line, first.text.as_str()))
    };
    let reported: Vec<_> = template.locations.iter().filter_map(row).collect();
    let expected = [
        (1, 3, "g == 1"),
        (3, 6, "t = 3"),
        (4, 5, "t = 0"),
        (6, 10, "x = 2"),
        (7, 9, "x = 1"),
        (9, 13, "x = 4"),
        (10, 14, "-end-"),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn a_label_where_no_process_stops_is_never_true() {
    let loaded = Loaded::new(
        "byte x;
active proctype A() {
  d_step { x = 1; inside: x = 2 };
  if :: guard: x == 3 :: else fi
}
active proctype B() {
  assert(!A[0]@inside);
  assert(!A[0]@guard)
}",
    );
    let never = "warning: `A` is never at";
    let expected = [
        "m.pml:4:9: warning: the label `guard` stands at the start of an option: a process is there only after a jump".to_string(),
        format!("m.pml:7:16: {never} `inside`: this is always false"),
        format!("m.pml:8:16: {never} `guard`: this is always false"),
    ];
    assert_eq!(loaded.warnings(), expected);
}

#[test]
fn a_jump_to_the_guard_of_an_option_makes_it_a_place() {
    let loaded = Loaded::new(
        "byte x;
active proctype A() {
  if :: guard: x == 3 -> goto guard :: else fi
}
active proctype B() { assert(!A[0]@guard) }",
    );
    assert_eq!(loaded.warnings().len(), 1, "{:?}", loaded.warnings());
}

#[test]
fn events_may_leave_fields_out() {
    let loaded = Loaded::new(
        "mtype = { a, b };
chan q = [2] of { mtype, byte, byte };
trace { do :: q!a ; q?b ; q!b,_,1 od }
active proctype A() { q!a,1,2 }",
    );
    let steps = loaded.template("trace").edges.iter().map(|e| &e.step);
    let mut shown: Vec<String> = steps.map(shown).collect();
    shown.sort();
    assert_eq!(shown, ["!1 any 1", "!2 any any", "?1 any any"]);
}

/// The fields of an event: those that it fixes, and `any`.
fn shown(step: &Step) -> String {
    let constant = |value: Option<i64>| value.map_or("any".into(), |v| v.to_string());
    let (sign, fields): (_, Vec<String>) = match step {
        Step::Send { message, .. } => {
            let fields = message.iter().map(|e| constant(e.as_constant()));
            ('!', fields.collect())
        }
        Step::Receive { patterns, .. } => {
            let field = |p: &Pattern| match p {
                Pattern::Match(e) => constant(e.as_constant()),
                _ => "any".into(),
            };
            ('?', patterns.iter().map(field).collect())
        }
        other => panic!("{other:?}"),
    };
    format!("{sign}{}", fields.join(" "))
}

#[test]
fn a_declaration_among_events_does_nothing() {
    let loaded = Loaded::new(
        "chan q = [2] of { byte };
trace { q!1; byte x; q!x }
active proctype A() { q!1; q!2 }",
    );
    let edges = &loaded.template("trace").edges;
    assert!(edges.iter().all(|e| matches!(e.step, Step::Send { .. })));
}

#[test]
fn a_number_is_no_channel_but_zero_is_none() {
    let loaded = Loaded::new("chan c; active proctype A() { c = 0; c = 5 }");
    assert_eq!(
        loaded.warnings(),
        ["m.pml:1:42: warning: the number 5 is no channel"]
    );
}

#[test]
fn a_label_that_is_seen_is_a_location() {
    let loaded = Loaded::new(
        "byte x;
active proctype A() { x = 1; here: x = 2 }
active proctype B() { A[0]@here }",
    );
    let is_at = |e: &Edge| matches!(&e.step, Step::Guarded { guard, .. } if matches!(guard.kind, ExprKind::At { .. }));
    assert!(loaded.template("B").edges.iter().any(is_at));
    assert!(loaded.warnings().is_empty());
}

#[test]
fn a_process_made_inside_an_expression_comes_first() {
    use mandala_model::template::Effect;
    let text = "byte x; proctype P(byte n) { skip } init { x = run P(3) + 1 }";
    let loaded = Loaded::new(text);
    let init = loaded.model.templates.iter().find(|t| t.name == "init");
    let Step::Guarded { effects, .. } = &init.expect("init").edges[0].step else {
        panic!("an assignment is a guarded step")
    };
    assert!(matches!(
        effects[..],
        [
            Effect::Spawn {
                result: Some(_),
                ..
            },
            Effect::Assign { .. }
        ]
    ));
}

#[test]
fn where_another_process_is_can_be_read_like_a_variable() {
    let loaded = Loaded::new(
        "byte x;
active [2] proctype P() { x = 1; x = 2 }
active proctype Q() { byte _p; P[1]:_p == 2; P:_p == pc_value(0); Q[2]:_p == 0 }",
    );
    let reads_location = |text: &str| {
        let mut edges = loaded.template("Q").edges.iter();
        let edge = edges.find(|e| e.text == text).expect("a statement");
        match &edge.step {
            Step::Guarded { guard, .. } => {
                guard.any(|e| matches!(e.kind, ExprKind::LocationNumber(_)))
            }
            other => panic!("{other:?}"),
        }
    };
    assert!(reads_location("P[1]:_p == 2"));
    assert!(reads_location("P:_p == pc_value(0)"));
    // A variable of that name comes first.
    assert!(!reads_location("Q[2]:_p == 0"));
}
