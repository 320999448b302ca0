//! Directives and macros, seen through the tree of what comes out.

use crate::support::{complaints, parse_text, sexpr, tree};
use mandala_promela::ParseOptions;
use std::io;

fn check(text: &str, expected: &str) {
    assert_eq!(tree(text), expected, "\nmodel:\n{text}");
}

/// Parses `text` with macros from the command line and files to include.
fn with(defines: &[&str], files: &'static [(&str, &str)], text: &str) -> (String, Vec<String>) {
    let mut options = ParseOptions {
        loader: Box::new(move |path| {
            let found = files
                .iter()
                .find(|(name, _)| path == std::path::Path::new(name));
            found
                .map(|(_, text)| text.to_string())
                .ok_or_else(|| io::Error::other("no such file"))
        }),
        ..ParseOptions::default()
    };
    for define in defines {
        options.define(define);
    }
    let (sources, program, diagnostics) = parse_text("dir/m.pml", text, &options);
    (
        sexpr::program(&program),
        diagnostics.iter().map(|d| d.one_line(&sources)).collect(),
    )
}

#[test]
fn macros_without_arguments() {
    check("#define N 3\nbyte a[N]", "(byte a[3])");
    check("#define A B\n#define B 4\nint x = A", "(int x=4)");
    check("#define EMPTY\nint EMPTY x", "(int x)");
    check("#define N 1 + \\\n 2\nint x = N", "(int x=(+ 1 2))");
    check("#define x x + y\nint a = x", "(int a=(+ x y))");
    check("#define N 1\n#undef N\nint a = N", "(int a=N)");
    check("#define type byte /* a\n comment */\ntype x", "(byte x)");
}

#[test]
fn macros_with_arguments() {
    check(
        "#define F(a,b) a*b\nint x = F(1+2, 3)",
        "(int x=(+ 1 (* 2 3)))",
    );
    check(
        "#define F(a) (a)\nint x = F(F((1,2)))"
            .replace("(1,2)", "4")
            .as_str(),
        "(int x=4)",
    );
    check("#define F() 7\nint x = F(), y = F", "(int x=7 y=F)");
    check("#define F(a) a\n#define G F\nint x = G(3)", "(int x=3)");
    check(
        "#define F(x) x\ninit { F(a = 1;\n b = 2)\n c }",
        "(init [(= a 1) (= b 2) c])",
    );
    check(
        "#define CAT(a,b) a##b\nint CAT(x, 1) = CAT(2,3)",
        "(int x1=23)",
    );
    check(
        "#define S(a) printf(#a)\ninit { S(x + \"y\") }",
        r#"(init [(printf "x + \\\"y\\\"")])"#,
    );
    check(
        "#define P(...) printf(__VA_ARGS__)\ninit { P(\"%d\", 1, 2) }",
        r#"(init [(printf "%d" 1 2)])"#,
    );
}

#[test]
fn a_call_over_lines_ends_a_statement() {
    check("#define F(x) x\ninit { F(a\n) b\n c }", "(init [a b c])");
    check("#define NOTHING\ninit { a\nNOTHING b }", "(init [a b])");
}

#[test]
fn conditions() {
    check("#if 1\nint a\n#else\nint b\n#endif", "(int a)");
    check(
        "#ifdef A\nint a\n#elif 2 > 1 && !defined(A)\nint b\n#else\nint c\n#endif",
        "(int b)",
    );
    check(
        "#define A 2\n#if defined A && A*2 == 4\nint a\n#endif",
        "(int a)",
    );
    check(
        "#ifndef A\n#if 0\nint a\n#else\nint b\n#endif\n#endif",
        "(int b)",
    );
    check(
        "#if 0\ndon't \"stop\n#if 1\n#endif\n#elif 0x10 == 16 && 010 == 8\nint a\n#endif",
        "(int a)",
    );
    check(
        "#if (1 ? 2 : 3) == 2 && -1 < 0 && 7 % 4 == 3\nint a\n#endif",
        "(int a)",
    );
}

#[test]
fn tolerated_lines() {
    check(
        "# 12 \"file.pml\"\n#line 3\n#pragma once\n#ident \"x\"\n#\nint a",
        "(int a)",
    );
}

#[test]
fn the_line_is_a_macro() {
    check("\nint a = __LINE__", "(int a=2)");
}

#[test]
fn definitions_from_the_command_line() {
    let (tree, complaints) = with(
        &["N=3", "FLAG", "F(x)=x+1"],
        &[],
        "int a[N] = FLAG; int b = F(2)",
    );
    assert_eq!(tree, "(int a[3]=1)\n(int b=(+ 2 1))");
    assert!(complaints.is_empty(), "{complaints:?}");
}

#[test]
fn included_files_are_relative_to_the_one_that_includes() {
    let files = &[
        ("dir/a.h", "#include \"sub/b.h\"\nbyte a;"),
        (
            "dir/sub/b.h",
            "#ifndef B\n#define B\n#include \"b.h\"\nbyte b = 1 +;\n#endif",
        ),
    ];
    let (tree, complaints) = with(&[], files, "#include \"a.h\"\n#include <a.h>\nbyte c");
    assert_eq!(tree, "(byte a)\n(byte a)\n(byte c)");
    assert_eq!(
        complaints,
        ["dir/sub/b.h:4:13: error: expected an expression, found `;`"]
    );
}

#[test]
fn a_file_that_includes_itself_is_reported() {
    let (_, complaints) = with(
        &[],
        &[("dir/a.h", "#include \"a.h\"\n#include \"a.h\"\n")],
        "#include \"a.h\"\nbyte c",
    );
    assert_eq!(
        complaints,
        ["dir/a.h:1:10: error: files include one another more than 64 deep"]
    );
}

#[test]
fn exponential_macros_are_cut() {
    let mut text = String::from("#define A0 x x\n");
    for i in 1..60 {
        text += &format!("#define A{i} A{0} A{0}\n", i - 1);
    }
    text += "int a = A59";
    assert_eq!(
        complaints(&text),
        ["m.pml:61:9: error: macros and included files expand to more than 1048576 tokens"]
    );
}

#[test]
fn nested_macro_calls_are_cut() {
    let calls = "F(".repeat(1000) + "1" + &")".repeat(1000);
    let text = format!("#define F(x) x\nint a = {calls}");
    let complaints = complaints(&text);
    assert!(
        complaints[0].ends_with("macro calls are nested more than 64 deep in their arguments"),
        "{complaints:?}"
    );
}

#[test]
fn spans_are_places_of_use() {
    let text = "#define BAD(x) x = ;\ninit {\n  skip;\n  BAD(y)\n}";
    assert_eq!(
        complaints(text),
        ["m.pml:4:3: error: expected an expression, found `;`"]
    );
    let text = "#define ASSIGN(x, v) x = v\ninit {\n  ASSIGN(y, 1 2)\n}";
    assert_eq!(
        complaints(text),
        ["m.pml:3:15: error: expected `;` or `->` between statements, found the number 2"]
    );
}

#[test]
fn what_the_model_defines_itself_cannot_come_from_the_command_line() {
    let said = |defines: &[&str], text: &str| with(defines, &[], text).1;
    let complaint = "dir/m.pml:1:9: error: the model defines `N` itself, so `-D N` has no effect";
    assert_eq!(said(&["N=4"], "#define N 3\nint x = N"), [complaint]);
    assert_eq!(said(&["N=4"], "#define N(a) 4\nint x = N(1)"), [complaint]);
    // What is the same, and what asks first, is no contradiction.
    assert!(said(&["N=3"], "#define N 3\nint x = N").is_empty());
    let asking = "#ifndef N\n#define N 3\n#endif\nint x = N";
    assert_eq!(
        with(&["N=4"], &[], asking),
        ("(int x=4)".into(), Vec::new())
    );
    assert_eq!(with(&[], &[], asking), ("(int x=3)".into(), Vec::new()));
    let included = with(
        &["N=4"],
        &[("dir/a.h", "#define N 3\n")],
        "#include \"a.h\"\nint x = N",
    );
    let complaint = "dir/a.h:1:9: error: the model defines `N` itself, so `-D N` has no effect";
    assert_eq!(included.1, [complaint]);
}

#[test]
fn what_the_command_line_defines_for_nothing_is_told() {
    let said = |defines: &[&str], text: &str| with(defines, &[], text).1;
    assert_eq!(
        said(&["M=4", "N=2", "UNUSED"], "int x = N"),
        [
            "<command line>:1:9: warning: the model does not use `M`",
            "<command line>:3:9: warning: the model does not use `UNUSED`",
        ]
    );
    let discarded = "#undef N\n#define N 3\nint x = N";
    assert_eq!(said(&["N=4"], discarded).len(), 1);
    for used in [
        "#ifdef N\n#endif\nint x",
        "#if N > 3\n#endif\nint x",
        "#if defined(N)\n#endif\nint x",
        "#define M N\nint x = M",
        "#define F(a) a\nint x = F(N)",
    ] {
        assert!(said(&["N=4"], used).is_empty(), "{used}");
    }
    assert_eq!(said(&["N=4"], "#define M N\nint x").len(), 1);
}

#[test]
fn an_end_of_a_comment_without_its_beginning_is_passed_over() {
    let text = "/* one /* two */ */ int x;\ninit { x = 1 */\n x = 2 }";
    let (tree, said) = with(&[], &[], text);
    assert_eq!(
        tree,
        with(
            &[],
            &[],
            &text.replace(" */ int", " int").replace("1 */", "1")
        )
        .0
    );
    assert_eq!(
        said,
        [
            "dir/m.pml:1:18: warning: this `*/` closes no comment",
            "dir/m.pml:2:14: warning: this `*/` closes no comment",
        ]
    );
    // It is no operator, and only what is written together.
    assert!(!complaints("int x = 6 */ 2").is_empty());
    assert!(!complaints("int x = 6 * / 2").is_empty());
    check("int x = 6 */* times */ 2", "(int x=(* 6 2))");
    check("int x = 6 *// times\n 2", "(int x=(* 6 2))");
    check("#if 0\n*/\n#endif\nint x", "(int x)");
    check("#define E */\nint x", "(int x)");
}
