//! Every construct of the language, by the tree it parses to.

use crate::support::{complaints, tree};

/// A whole model and its tree.
fn check(text: &str, expected: &str) {
    assert_eq!(tree(text), expected.trim(), "\nmodel:\n{text}");
}

/// Statements, as the body of `init`.
fn check_body(text: &str, expected: &str) {
    check(
        &format!("init {{ {text} }}"),
        &format!("(init [{expected}])"),
    );
}

/// An expression, as the condition of an assertion.
fn check_expr(text: &str, expected: &str) {
    check_body(&format!("assert({text})"), &format!("(assert {expected})"));
}

/// A formula.
fn check_ltl(text: &str, expected: &str) {
    check(&format!("ltl {{ {text} }}"), &format!("(ltl {expected})"));
}

#[test]
fn proctypes() {
    check("proctype P() { skip }", "(proctype P () [skip])");
    check(
        "active proctype P() { skip }",
        "(proctype P active () [skip])",
    );
    check(
        "active [2+1] proctype P() { skip }",
        "(proctype P (active (+ 2 1)) () [skip])",
    );
    check("D_proctype P() { skip }", "(D_proctype P () [skip])");
    check(
        "proctype P(byte a, b; chan c) priority 3 provided (a > b) { skip }",
        "(proctype P ((byte a b) (chan c)) (priority 3) (provided (> a b)) [skip])",
    );
}

#[test]
fn other_units() {
    check("init priority 2 { skip }", "(init (priority 2) [skip])");
    check("never { true }", "(never [true])");
    check("never n1 { true }", "(never n1 [true])");
    check("trace { q!a; q?b }", "(trace [(! q a) (? q b)])");
    check("notrace { q!a }", "(notrace [(! q a)])");
    check("ltl p { x }", "(ltl p x)");
    check("mtype = { a, b, }", "(mtype a b)");
    check("mtype { a b c }", "(mtype a b c)");
    check("mtype:fruit = { apple };", "(mtype fruit apple)");
    check(
        "typedef T { byte a; int b[3] }",
        "(typedef T (byte a) (int b[3]))",
    );
    check("inline f(a, b) { a = b }", "(inline f (a b))");
}

#[test]
fn declarations() {
    check("byte a, b = 2, c[3] = 1", "(byte a b=2 c[3]=1)");
    check("int v[3] = { 1, 2, -3 }", "(int v[3]={1 2 (- 3)})");
    check("unsigned u : 5 = 3, w:1", "(unsigned u:5=3 w:1)");
    check(
        "hidden bit h; show pid p; local short s",
        "(hidden bit h)\n(show pid p)\n(local short s)",
    );
    check(
        "chan q[2] = [3] of { mtype, byte, chan }",
        "(chan q[2]=[3]of{mtype byte chan})",
    );
    check(
        "mtype:m x = a; chan c = [0] of { mtype:m }",
        "(mtype:m x=a)\n(chan c=[0]of{mtype:m})",
    );
    check(
        "typedef T { bool b }; T t, u[2]",
        "(typedef T (bool b))\n(T t u[2])",
    );
    check_body("byte x = 1; x = 2; int y", "(byte x=1) (= x 2) (int y)");
}

#[test]
fn assignments_and_control() {
    check_body("x = 1; a[i].b++; c--", "(= x 1) (++ a[i].b) (-- c)");
    check_body("if :: a -> b :: else fi", "(if [a b] [else])");
    check_body(
        "do :: a; break :: else -> skip od",
        "(do [a break] [else skip])",
    );
    check_body("goto L; L: M: skip", "(goto L) (label L (label M skip))");
    check_body("skip; L: ", "skip (label L skip)");
    check_body(
        "atomic { a; b }; d_step { c } ; { d }",
        "(atomic [a b]) (d_step [c]) (block [d])",
    );
    check_body("{ a } unless { b }", "(unless (block [a]) (block [b]))");
    check_body("L: a unless b", "(unless (label L a) b)");
    check_body("assert x == 1; timeout", "(assert (== x 1)) timeout");
    check_body("xr a, b[1]; xs c; skip", "(xr a b[1]) (xs c) skip");
}

#[test]
fn loops_over_ranges() {
    check_body("for (i : 0 .. n-1) { skip }", "(for i 0 (- n 1) [skip])");
    check_body("for (i in a) { skip }", "(for-in i a [skip])");
    check_body("for (m in q)\n{ skip }", "(for-in m q [skip])");
    check_body("byte in = 1; in++", "(byte in=1) (++ in)");
}

#[test]
fn select_knows_whether_spin_rewrites_its_text() {
    check_body("select (i : 0 .. 3)", "(select-text i 0 3)");
    check_body("select (i : 0 .. n)", "(select i 0 n)");
    check_body("select (a_b : 0 .. 3)", "(select a_b 0 3)");
    check(
        "inline f() { select (i : 0 .. 3) } init { f() }",
        "(inline f ())\n(init [(call f() [(select i 0 3)])])",
    );
}

#[test]
fn sends_and_receives() {
    check_body(
        "q!a,b+1; q!a(b,c); q!!1; q[i].c!x",
        "(! q a (+ b 1)) (!() q a b c) (!! q 1) (! q[i].c x)",
    );
    check_body(
        "q?a,_; q?a(b,c); q??1,-2; q?(a,b)",
        "(? q a _) (?() q a b c) (?? q 1 -2) (? q a b)",
    );
    check_body(
        "q?<a>; q??<a,eval(b+1)>",
        "(?<> q a) (??<> q a (eval (+ b 1)))",
    );
    check_body("q?[a,1] && x; !q??[b]", "(&& (?[] q a 1) x) (! (??[] q b))");
    check_body("q?s.f,t[2]", "(? q s.f t[2])");
}

#[test]
fn output_and_priorities() {
    check_body(
        r#"printf("a\n"); printf("%d", x)"#,
        r#"(printf "a\\n") (printf "%d" x)"#,
    );
    check_body("printm(x); printm(3)", "(printm x) (printm 3)");
    check_body("set_priority(_pid, 3)", "(set_priority _pid 3)");
}

#[test]
fn precedences_are_those_of_spin() {
    check_expr("a + b * c - d", "(- (+ a (* b c)) d)");
    check_expr("a || b && c", "(|| a (&& b c))");
    check_expr(
        "a | b ^ c & d == e < f << g",
        "(| a (^ b (& c (== d (< e (<< f g))))))",
    );
    check_expr("!a == b", "(== (! a) b)");
    check_expr("-a + ~b", "(+ (- a) (~ b))");
    check_expr("(a - b) - c - (d - e)", "(- (- (- a b) c) (- d e))");
    check_expr("!!a", "(! (! a))");
}

#[test]
fn primaries() {
    check_expr("(c -> a : b) + 1", "(+ (?: c a b) 1)");
    check_expr(
        "len(q) == 1 && nfull(q) || empty(r)",
        "(|| (&& (== (len q) 1) (nfull q)) (empty r))",
    );
    check_expr(
        "enabled(1) && pc_value(x) == get_priority(2)",
        "(&& (enabled 1) (== (pc_value x) (get_priority 2)))",
    );
    check_expr(
        "_pid + _nr_pr + _last + _priority",
        "(+ (+ (+ _pid _nr_pr) _last) _priority)",
    );
    check_expr(
        "np_ || timeout || true && false",
        "(|| (|| np_ timeout) (&& true false))",
    );
    check_expr("'a' + '\\n'", "(+ char:97 char:10)");
    check_body(
        "x = run P(1, q) priority 4; run Q()",
        "(= x (run P 1 q (priority 4))) (run Q)",
    );
}

#[test]
fn remote_references() {
    check_expr("P[1]@L && Q@M", "(&& (@ P[1] L) (@ Q M))");
    let p = "proctype P() { byte x; L: skip }\n";
    let tree_of_p = "(proctype P () [(byte x) (label L skip)])\n";
    check(
        &format!("{p}never {{ P:x == 1; (c -> P[2]:x : 3) > 1 }}"),
        &format!("{tree_of_p}(never [(== (: P x) 1) (> (?: c (: P[2] x) 3) 1)])"),
    );
    check(
        "init { P: x } proctype P() { skip }",
        "(init [(label P x)])\n(proctype P () [skip])",
    );
}

#[test]
fn temporal_operators() {
    check_ltl("[] (p -> <> q)", "([] (-> p (<> q)))");
    check_ltl("[] p && q", "(&& ([] p) q)");
    check_ltl("p U q || !r W s", "(|| (U p q) (W (! r) s))");
    check_ltl("p -> q <-> r", "(<-> (-> p q) r)");
    check_ltl("p V X q", "(V p (X q))");
    check_ltl("a /\\ b \\/ c", "(|| (&& a b) c)");
    check_ltl("always (p implies eventually q)", "([] (-> p (<> q)))");
    check_ltl(
        "next p until q equivalent p weakuntil q",
        "(<-> (U (X p) q) (W p q))",
    );
    check_ltl("p release q stronguntil r;", "(U (V p q) r)");
    check_ltl(
        "[]<>(x[1] == 2) && <>[]!P@L",
        "(&& ([] (<> (== x[1] 2))) (<> ([] (! (@ P L)))))",
    );
    check_ltl("x < 3 && x <= y - 1", "(&& (< x 3) (<= x (- y 1)))");
    check("byte X = 1; init { X = U }", "(byte X=1)\n(init [(= X U)])");
}

#[test]
fn separators_may_be_left_out() {
    check_body(
        "x = 1\ny = 2\nq!x\nbreak\nz++",
        "(= x 1) (= y 2) (! q x) break (++ z)",
    );
    check_body("atomic { a } b; { c } d", "(atomic [a]) b (block [c]) d");
    check_body("do :: a :: else b od\nc", "(do [a] [else b]) c");
}

#[test]
fn line_ends_inside_parentheses_separate_nothing() {
    check_body("x = (a\n+ b)\ny = c[\n1]", "(= x (+ a b)) (= y c[1])");
    check_body("f == 1\n-> g", "(== f 1) g");
    check_body("x = 1 +\n 2", "(= x (+ 1 2))");
    check_body("{ a }\nunless\n{ b }", "(unless (block [a]) (block [b]))");
    check_body("a;; b -> ; c ;", "a b c");
    check(
        "typedef T { byte a\nbyte b }\nT\n t",
        "(typedef T (byte a) (byte b))\n(T t)",
    );
}

#[test]
fn a_line_end_after_an_operand_ends_the_expression() {
    check_body("x = a\n-b", "(= x a) (- b)");
    assert_eq!(
        complaints("init { x = a\n+ b }"),
        ["m.pml:2:1: error: expected a statement, found `+`"]
    );
}

#[test]
fn inline_calls_are_expanded() {
    check(
        "inline f(a, b) { a = b * 2; b++ }\ninit { f(x, y) z }",
        "(inline f (a b))\n(init [(call f(x; y) [(= x (* y 2)) (++ y)]) z])",
    );
    check(
        "inline f(a) { x = a * 2 }\ninit { f(y + 1) }",
        "(inline f (a))\n(init [(call f(y + 1) [(= x (+ y (* 1 2)))])])",
    );
    check(
        "inline f(a) { return a + 1 }\ninit { x[0] = f(3); L: f2 = f(x) }",
        "(inline f (a))\n(init [(call x[0] = f(3) [(return (+ 3 1))]) (label L (call f2 = f(x) [(return (+ x 1))]))])",
    );
    check(
        "inline f(a) { a }\ninline g(b) { f(b = 2); f(skip; q!b) }\ninit { g(z[i]) }",
        "(inline f (a))\n(inline g (b))\n(init [(call g(z[i]) [(call f(z[i] = 2) [(= z[i] 2)]) (call f(skip; q! z[i]) [skip (! q z[i])])])])",
    );
}

#[test]
fn a_parameter_of_an_inline_hides_nothing_in_the_argument() {
    check(
        "inline f(a, b) { a = b }\ninit { f(b, a) }",
        "(inline f (a b))\n(init [(call f(b; a) [(= b a)])])",
    );
}
