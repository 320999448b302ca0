//! Reading texts.

use mandala_boolean::{BooleanOptions, Threads, load_program, load_system};
use mandala_model::source::{SourceText, Sources};

/// A program with one of everything.
pub(crate) const EVERYTHING: &str = r"
// a comment
decl g, h; /* another
*/
dfs bool<2> two(a, b) begin
  decl c;
  c := a ^ b;
  if a then skip; elsif c then return b, a; else dead c; fi;
  return !a, ~b;
end
bool one(a) begin
  while a & * do a := schoose[g, !g]; od;
  return a
end
void last() begin
  enforce T;
  abortif g && F;
  atomic_begin; assume(*); h := T; atomic_end;
  SLIC_ERROR: skip;
end
void main() begin
  decl l, m;
  l, m := two(g, 1);
  _, m := *, l => m != 0 = T constrain 'm | (g || h);
  l := one(l);
  L1: L2: start_thread goto L2, L3;
  start_thread last();
  ASYNC_1: last();
  assert(l | T);
  goto L1, L3;
  L3: end_thread;
end
";

/// What comes of a text: a program or a system, or what is wrong with it.
pub(crate) fn read(name: &str, text: &str, target: Option<&str>) -> Result<Threads, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new(name, text));
    let target = target.map(|target| sources.add(SourceText::new("--target", target)));
    let options = BooleanOptions {
        target,
        start: None,
    };
    let load = match name.ends_with(".tts") {
        true => load_system,
        false => load_program,
    };
    let (threads, diagnostics) = load(&sources, file, &options);
    let told = diagnostics.iter().map(|d| d.one_line(&sources)).collect();
    threads.ok_or(told)
}
