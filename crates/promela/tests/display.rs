//! Statements as one line of text.

use crate::support::{corpus, parse_text, sexpr};
use mandala_promela::ParseOptions;
use mandala_promela::ast::{Program, Sequence, Stmt, StmtKind, Unit};

/// A statement and the text it is shown as.
fn check(text: &str, expected: &str) {
    let model = format!("inline f(a, b) {{ a = b }} inline g() {{ return 1 }} init {{ {text} }}");
    let (_, program, diagnostics) = parse_text("m.pml", &model, &ParseOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let Some(Unit::Init(init)) = program.units.last() else {
        panic!("no init")
    };
    assert_eq!(init.body.stmts[0].to_string(), expected);
}

#[test]
fn simple_statements() {
    check("flag [ _pid ]=1", "flag[_pid] = 1");
    check("L: a.b[i+1].c ++", "a.b[i + 1].c++");
    check("q!one(x, y)", "q!one(x,y)");
    check("q !! 1 , x+1", "q!!1,x + 1");
    check("q?<_,eval(x),-3>", "q?<_,eval(x),-3>");
    check("q??a(b)", "q??a(b)");
    check("printf(\"a\\n\",x,1)", "printf(\"a\\n\", x, 1)");
    check("assert (x)", "assert(x)");
    check("x = run P(1,q) priority 2", "x = run P(1, q) priority 2");
    check("f(x[1], y + 2)", "f(x[1], y + 2)");
    check("x = g()", "x = g()");
    check("xs q , r; skip", "xs q, r");
    check(
        "hidden unsigned u:3=1, v; skip",
        "hidden unsigned u : 3 = 1, v",
    );
    check(
        "chan c[2] = [3] of {mtype:m,byte}; skip",
        "chan c[2] = [3] of { mtype:m, byte }",
    );
}

#[test]
fn compound_statements_by_their_head() {
    check("if :: skip fi", "if");
    check("do :: break od", "do");
    check("atomic { skip }", "atomic");
    check("d_step { x = 1 }", "d_step");
    check("for (i:0..n) { skip }", "for (i : 0 .. n)");
    check("for (i in a) { skip }", "for (i in a)");
    check("select (i:0..3)", "select (i : 0 .. 3)");
    check("x = 1 unless y", "x = 1 unless y");
}

#[test]
fn expressions_with_the_parentheses_they_need() {
    check("((a)) && (b || c)", "a && (b || c)");
    check("a - (b - c) - d", "a - (b - c) - d");
    check("!(a == b) || -(-c) < ~d", "!(a == b) || -(-c) < ~d");
    check("! !a", "!(!a)");
    check("(c -> 1 : (d -> 2 : 3))", "(c -> 1 : (d -> 2 : 3))");
    check(
        "len(q)==1 && q?[a,_] && nempty(q)",
        "len(q) == 1 && q?[a,_] && nempty(q)",
    );
    check("P[1]@L && np_ && timeout", "P[1]@L && np_ && timeout");
    check("x == 'a' + '\\n'", "x == 'a' + '\\n'");
    check("skip", "skip");
    check("true", "true");
}

/// What is shown parses to the same tree: nothing that matters is lost.
#[test]
fn shown_statements_parse_to_themselves() {
    let own = include_str!("seeds/everything.pml").to_string();
    let texts = corpus()
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    let mut count = 0;
    for text in texts.chain([own]) {
        let (_, program, _) = parse_text("m.pml", &text, &ParseOptions::default());
        let types: String = macros(&text) + &typedefs(&program);
        for_each_simple(&program, &mut |stmt| {
            let shown = format!("{types}\ninit {{ {stmt} }}");
            let (_, again, diagnostics) = parse_text("m.pml", &shown, &ParseOptions::default());
            assert!(diagnostics.is_empty(), "{shown}: {diagnostics:?}");
            let Some(Unit::Init(init)) = again.units.last() else {
                panic!("{shown}")
            };
            assert_eq!(
                sexpr::stmt(&init.body.stmts[0]),
                sexpr::stmt(stmt),
                "{shown}"
            );
            count += 1;
        });
    }
    assert!(count >= 30, "only {count} statements");
}

/// The definitions of macros without parameters, which are shown by their names: the first one of each name.
fn macros(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut macros = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(definition) = rest.and_then(|rest| rest.strip_prefix("define")) else {
            continue;
        };
        let name = definition.split_whitespace().next().unwrap_or_default();
        if name.contains('(') || names.contains(&name) {
            continue;
        }
        names.push(name);
        let mut part = line;
        macros += &format!("{part}\n");
        while part.ends_with('\\') {
            part = lines.next().unwrap_or_default();
            macros += &format!("{part}\n");
        }
    }
    macros
}

/// Empty proctypes and types of the same names, so that names are read as in the model.
fn typedefs(program: &Program) -> String {
    let declared = program.units.iter().filter_map(|unit| match unit {
        Unit::Typedef(t) => Some(format!("typedef {} {{ bit b }};", t.name.name)),
        Unit::Proctype(p) => Some(format!("proctype {}() {{ skip }};", p.name.name)),
        _ => None,
    });
    declared.collect()
}

fn for_each_simple(program: &Program, visit: &mut impl FnMut(&Stmt)) {
    for unit in &program.units {
        match unit {
            Unit::Proctype(p) => walk(&p.body, visit),
            Unit::Init(i) => walk(&i.body, visit),
            Unit::Never(n) => walk(&n.body, visit),
            _ => {}
        }
    }
}

fn walk(sequence: &Sequence, visit: &mut impl FnMut(&Stmt)) {
    for stmt in &sequence.stmts {
        walk_stmt(stmt, visit);
    }
}

fn walk_stmt(stmt: &Stmt, visit: &mut impl FnMut(&Stmt)) {
    match &stmt.kind {
        StmtKind::Labelled(_, body) => walk_stmt(body, visit),
        StmtKind::Unless(main, escape) => {
            walk_stmt(main, visit);
            walk_stmt(escape, visit);
        }
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|o| walk(o, visit))
        }
        StmtKind::Atomic(body)
        | StmtKind::DStep(body)
        | StmtKind::Block(body)
        | StmtKind::For(_, _, body) => {
            walk(body, visit);
        }
        StmtKind::InlineCall(_) | StmtKind::Return(_) | StmtKind::Error | StmtKind::Select(_) => {}
        _ => visit(stmt),
    }
}
