//! What models mean: all their states, found with the reference interpreter and compared with Rumur.

use crate::support::explore::{Deadlocks, Explored, explore};
use crate::support::{exceptions, models, own_models, parse_with, read, shared};
use mandala_model::Model;
use mandala_model::diagnostic::has_errors;
use mandala_model::verify::verify;
use mandala_murphi::lower::lower;
use mandala_murphi::{Dialect, ParseOptions};
use std::path::Path;

/// How many states are looked at where a model may have more.
const BOUND: usize = 10_000;

/// How many states the largest of the small models may have.
const SMALL: usize = 30_000;

/// The model of a text, if it is right and can be lowered.
fn lowered(path: &str, text: &str, options: &ParseOptions) -> Option<Model> {
    let (_, program, diagnostics) = parse_with(path, text, options);
    assert_eq!(program.is_none(), has_errors(&diagnostics));
    let model = lower(&program?).ok()?;
    Some(verify(model).unwrap_or_else(|errors| panic!("{path}: {errors:?}")))
}

/// The states and rules of a text, and what goes wrong in it.
fn explored(text: &str, deadlocks: Deadlocks) -> Explored {
    explored_as(Dialect::CMurphi, text, deadlocks)
}

/// The same with the meaning that the text has for one of the tools.
fn explored_as(dialect: Dialect, text: &str, deadlocks: Deadlocks) -> Explored {
    let model = lowered("m.m", text, &of(dialect)).expect("a right model");
    explore(&model, deadlocks, SMALL)
}

fn of(dialect: Dialect) -> ParseOptions {
    ParseOptions {
        dialect,
        ..ParseOptions::default()
    }
}

/// The rows of a table with a head.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let Ok(table) = std::fs::read_to_string(path) else {
        return Vec::new();
    };
    let row = |line: &str| line.split(',').map(str::to_string).collect();
    table.lines().skip(1).map(row).collect()
}

/// The tool that has counted, by the last cell of a row: the first one that it names.
fn counter(cell: &str) -> Dialect {
    let word = cell.split(['/', ' ']).next();
    word.and_then(Dialect::named).expect("a tool")
}

#[test]
#[allow(
    clippy::print_stderr,
    reason = "a test that finds nothing to test must say so"
)]
fn states_and_rules_are_those_of_rumur() {
    let mut compared = 0;
    for row in rows(&shared("murphi/oracle.csv")) {
        let (file, expected) = (&row[0], (row[1].parse().ok(), row[2].parse().ok()));
        let (Some(states), Some(rules)) = expected else {
            continue;
        };
        let text = read(&shared("murphi").join(file));
        let dialect = counter(&row[5]);
        let model = lowered(file, &text, &of(dialect));
        let Some(model) = model.filter(|_| states <= BOUND) else {
            continue;
        };
        let found = explore(&model, Deadlocks::Off, BOUND);
        assert_eq!(found.error, None, "{file}");
        assert_eq!((found.states, found.rules), (states, rules), "{file}");
        compared += 1;
    }
    match models("murphi").len() {
        0 => eprintln!("note: skipped, the folder with the models of other projects is absent"),
        _ => assert!(compared >= 3, "only {compared} models are small enough"),
    }
}

#[test]
fn the_suite_of_rumur_has_the_expected_outcomes() {
    let mut wrong = Vec::new();
    let folder = shared("murphi-suite");
    let exceptions = exceptions("interpreter");
    for row in rows(&folder.join("expected.csv")) {
        let [file, expected, flags, needs] = &row[..] else {
            panic!("{row:?}");
        };
        let excused = exceptions.contains(file);
        if expected == "reject" || needs.contains("SMT") {
            continue;
        }
        let found = outcome(file, &read(&folder.join(file)), flags);
        if (found.as_deref() == Some(expected)) == excused {
            wrong.push(format!("{file}: expected {expected}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What comes of a model of the suite: nothing if it is refused.
fn outcome(file: &str, text: &str, flags: &str) -> Option<String> {
    let deadlocks = match flags {
        _ if flags.contains("detection stuck") => Deadlocks::Stuck,
        _ if flags.contains("detection off") => Deadlocks::Off,
        _ => Deadlocks::Stuttering,
    };
    let model = lowered(file, text, &of(Dialect::Rumur))?;
    let found = explore(&model, deadlocks, BOUND);
    Some(
        if found.error.is_some() {
            "fail"
        } else {
            "pass"
        }
        .to_string(),
    )
}

/// What the header of a model promises: the constants, and either the number of states or that it fails.
struct Promise {
    constants: Vec<(String, String)>,
    states: Option<usize>,
}

/// The promises in a model of our own that are about the search without symmetry.
fn promises(text: &str) -> Vec<Promise> {
    let lines = text.lines().filter_map(|line| line.split_once("Expect: "));
    let promise = |(_, line): (&str, &str)| {
        let (setting, outcome) = line.split_once(": ").unwrap_or(("", line));
        let constants = setting.split_whitespace().map(|definition| {
            let (name, value) = definition.split_once('=')?;
            Some((name.to_string(), value.trim_end_matches(',').to_string()))
        });
        let constants = constants.collect::<Option<Vec<_>>>()?;
        let states = match outcome.strip_prefix("holds, ") {
            Some(count) => Some(count.strip_suffix(" states")?.parse().ok()?),
            None if outcome.starts_with("violated") => None,
            None => return None,
        };
        Some(Promise { constants, states })
    };
    lines.filter_map(promise).collect()
}

#[test]
fn our_own_models_keep_their_promises() {
    let mut kept = 0;
    for path in own_models() {
        let name = path.display().to_string();
        let text = read(&path);
        for promise in promises(&text) {
            if promise.states.is_some_and(|states| states > BOUND) {
                continue;
            }
            let options = ParseOptions {
                constants: promise.constants.clone(),
                ..ParseOptions::default()
            };
            let Some(model) = lowered(&name, &text, &options) else {
                break;
            };
            let found = explore(&model, Deadlocks::Stuttering, BOUND);
            let about = format!("{name} with {:?}: {:?}", promise.constants, found.error);
            match promise.states {
                Some(states) => assert_eq!((found.error, found.states), (None, states), "{about}"),
                None => assert!(found.error.is_some(), "{about}"),
            }
            kept += 1;
        }
    }
    assert!(kept > 10, "only {kept} promises were found");
}

/// Small models with what Rumur finds in them. See the head of the file for its form.
#[test]
fn facts_are_as_rumur_has_them() {
    compare_facts(include_str!("facts.txt"), Dialect::Rumur, 120);
}

#[test]
fn facts_are_as_cmurphi_has_them() {
    compare_facts(include_str!("cmurphi.txt"), Dialect::CMurphi, 15);
}

#[test]
fn unions_are_as_ranges_would_be() {
    compare_facts(include_str!("unions.txt"), Dialect::CMurphi, 15);
}

#[test]
fn multisets_are_as_counts_would_be() {
    compare_facts(include_str!("multisets.txt"), Dialect::CMurphi, 20);
}

#[test]
fn recursion_over_multisets_is_as_a_loop() {
    let model = |procedures: &str| {
        let text = format!(
            "type n: 0..2; M: multiset [3] of n; var a: array [0..1] of M; k: n; {procedures} \
             startstate begin k := 0; end; \
             ruleset j: 0..1 do choose i: a[j] do rule begin bump(k, a[j][i]); end; end; end; \
             rule k < 2 ==> begin k := k + 1; fill(k, a[k % 2]); end; rule k = 2 ==> begin k := 0; end;"
        );
        explored(&text, Deadlocks::Off)
    };
    let add = "if multisetcount(i: m, true) < 3 then multisetadd(c, m); end;";
    let recursive = model(&format!(
        "procedure fill(c: n; var m: M); begin {add} if c > 0 then fill(c - 1, m); end; end; \
         procedure bump(c: n; var e: n); begin if c > 0 then bump(c - 1, e); end; e := (e + 1) % 3; end;"
    ));
    let looped = model(&format!(
        "procedure fill(b: n; var m: M); begin for c := b to 0 by -1 do {add} end; end; \
         procedure bump(b: n; var e: n); begin for c := b to 0 by -1 do e := (e + 1) % 3; end; end;"
    ));
    assert_eq!(recursive, looped);
    assert!(
        recursive.states > 20 && recursive.error.is_none(),
        "{recursive:?}"
    );
}

/// Compares what models of a file have with what it says. There are more than that many.
fn compare_facts(file: &str, dialect: Dialect, many: usize) {
    let mut wrong = Vec::new();
    let facts: Vec<&str> = file.split("\n== ").skip(1).collect();
    for fact in &facts {
        let mut parts = fact.splitn(3, '\n');
        let [Some(title), Some(expected), Some(text)] = [parts.next(), parts.next(), parts.next()]
        else {
            panic!("{fact}");
        };
        let deadlocks = match title {
            _ if title.contains("(deadlocks off)") => Deadlocks::Off,
            _ if title.contains("(deadlocks stuck)") => Deadlocks::Stuck,
            _ => Deadlocks::Stuttering,
        };
        let found = explored_as(dialect, text, deadlocks);
        let outcome = found.error.as_deref().unwrap_or("no error");
        let found = format!("{} states, {} rules, {outcome}", found.states, found.rules);
        if found != expected {
            wrong.push(format!(
                "{title}\n  expected {expected}\n  found    {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(facts.len() > many, "only {} facts were found", facts.len());
}

/// Rumur crashes here; a search that says what happened is better.
#[test]
fn endless_recursion_is_an_error() {
    let text = "var c: boolean; function f(n: boolean): boolean; begin return !f(!n); end; \
        startstate begin c := false; end; rule begin c := f(c); end;";
    let found = explored(text, Deadlocks::Off);
    let message = "calls of `f` nest more than 1024 deep";
    assert_eq!(found.error.as_deref(), Some(message));
}

#[test]
fn unions_and_multisets_are_put_out() {
    let text = "type P: scalarset(2); E: enum {A, B}; U: union {P, E}; \
        var u: U; e: E; p: P; m: array [P] of multiset [2] of record x: U; end; d: boolean; \
        startstate var r: record x: U; end; begin e := B; for k: P do p := k; end; \
        u := e; put u; u := p; put u; put e; put p; \
        for k: P do r.x := k; multisetadd(r, m[k]); end; undefine r.x; multisetadd(r, m[p]); \
        put m[p]; put m; end; rule begin d := true; end; rule begin d := false; end;";
    let found = explored(text, Deadlocks::Off);
    assert_eq!(
        found.printed,
        "u:B\nu:P_2\ne:B\np:P_2\nm[].x:P_2\nm[].x:Undefined\nm[].x:P_1\nm[].x:P_2\nm[].x:Undefined\n"
    );
}

#[test]
fn what_is_put_out_looks_as_in_rumur() {
    let text = "type S: scalarset(2); E: enum {A, B}; var x: 0..3; e: E; s: S; \
        r: record b: boolean; a: array [E] of 1..2; end; \
        startstate begin x := 2; e := B; for k: S do s := k; end; r.a[B] := 1; \
        put \"100% \"; put x; put x + 1; put e = A; put r; put s; \
        for i: 0..1 do put i; end; alias v: x * 2 do put v; end; put e; end; \
        rule begin x := 3 - x; end;";
    let found = explored(text, Deadlocks::Off);
    assert_eq!(
        found.printed,
        "100% x:2\n3falser.b:Undefined\nr.a[A]:Undefined\nr.a[B]:1\ns:S_2\ni:0\ni:1\n4e:B\n"
    );
}
