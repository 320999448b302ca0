//! Declarations that the tests of statements and expressions share, on one line, so that what is tested
//! begins on line 2.

pub const PRELUDE: &str = "const N: 3; type S: scalarset(2); T: scalarset(2); K: scalarset(3); \
    E: enum {A, B, C}; U: union {S, E}; R: record a: 0..3; b: boolean; s: S; end; \
    M: multiset [4] of R; var x: 0..3; y: 0..9; b: boolean; s: S; t: T; k: K; e: E; u: U; r, q: R; \
    a: array [S] of 0..3; g: array [0..3] of array [E] of boolean; h: array [U] of boolean; \
    m: M; o: M; n: array [S] of M; \
    function f(p: 0..3): boolean; begin return p = 1; end; \
    procedure w(var p: 0..3; v: S); begin p := 1; end; \
    function rec(): R; begin return r; end; startstate begin x := 0; end;";

/// A model with that after the prelude.
pub fn model(text: &str) -> String {
    format!("{PRELUDE}\n{text}")
}

/// A model with a rule that has that for its body; the body begins on line 3.
pub fn in_rule(body: &str) -> String {
    model(&format!("rule begin\n{body}\nend;"))
}
