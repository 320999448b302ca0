//! Findings about a model's text, as a person sees them.

use mandala_model::{Diagnostic, FileId, SourceText, Sources, Span};
use mandala_report::{Colour, diagnostics::render};

fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(SourceText::new("model.pml", text));
    sources
}

fn span(start: usize, end: usize) -> Span {
    Span::new(FileId(0), start, end)
}

#[test]
fn several_findings_are_shown_with_their_places() {
    let sources = sources("byte x;\nbyte x;\nactive proctype P() {\n\ty = 1\n}\n");
    let findings = [
        Diagnostic::warning(span(21, 22), "unused"),
        Diagnostic::error(span(13, 14), "`x` is declared twice")
            .with_label("declared again")
            .with_related(span(5, 6), "first declared here"),
        Diagnostic::error(span(39, 40), "`y` is not declared")
            .with_label("no such variable")
            .with_help("declare it: `byte y;`"),
    ];
    insta::assert_snapshot!(render(&findings, &sources, Colour::Off));
}

#[test]
fn a_place_at_the_end_of_the_text_can_be_shown() {
    for text in ["", "a", "a\n", "é"] {
        let end = text.len();
        let finding = Diagnostic::error(span(end, end), "something is missing");
        let shown = render(&[finding], &sources(text), Colour::Off);
        assert!(shown.contains("something is missing"), "{shown}");
    }
}

#[test]
fn a_place_that_spans_line_ends_can_be_shown() {
    let text = "a\r\n\u{85}b\u{2028}c\x0cd\n\ne";
    for start in 0..text.len() {
        for end in start..=text.len() {
            let finding = Diagnostic::error(span(start, end), "odd");
            let shown = render(&[finding], &sources(text), Colour::Off);
            assert!(shown.contains("odd"), "{shown}");
        }
    }
}

#[test]
fn a_place_outside_the_text_or_inside_a_character_does_no_harm() {
    let finding = Diagnostic::error(span(1, 900), "odd");
    let shown = render(&[finding], &sources("é\nb"), Colour::Off);
    assert!(shown.contains("odd"), "{shown}");
}

#[test]
fn endless_lines_are_not_quoted() {
    let finding = Diagnostic::error(span(50_000, 50_001), "odd").with_help("mend it");
    let shown = render(&[finding], &sources(&"x".repeat(100_000)), Colour::Off);
    assert_eq!(
        shown,
        "model.pml:1:50001: error: odd\n  help: mend it\n\n1 error\n"
    );
}

#[test]
fn only_the_first_of_very_many_findings_are_shown() {
    let findings = vec![Diagnostic::error(span(0, 1), "odd"); 1000];
    let shown = render(&findings, &sources("x"), Colour::Off);
    assert!(shown.ends_with("1,000 errors; the first 25 are shown\n"));
    assert!(shown.lines().count() < 300);
}

#[test]
fn no_finding_plays_with_the_terminal() {
    let finding = Diagnostic::error(span(0, 1), "odd \x1b[2J");
    let shown = render(&[finding], &sources("\x1b[31mred\n"), Colour::Off);
    assert!(!shown.contains('\x1b'), "{shown:?}");
}
