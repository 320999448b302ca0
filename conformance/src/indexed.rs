//! Random systems of a few members that can be exchanged for each other, and what is asked of each of them, or of each two: formulas of computation tree logic with indices, and
//! `liveness` in rulesets.
//!
//! Each member has a cell, all share a cell and one that names a member or nobody. The states that runs start in may tell the members apart, and there may be several.

use crate::branching;
use crate::random::RandomSource;
use std::fmt::Write;

/// How many values cells have.
const VALUES: usize = 3;

/// A system, and what is asked of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The system.
    pub text: String,
    /// The formula beside it; empty if what is asked is in the system, by the name [`LIVE`].
    pub formula: String,
}

/// What a `liveness` property is called.
pub const LIVE: &str = "live";

/// A Promela program and a formula with one index or two.
pub fn promela(seed: u64) -> Case {
    let mut dice = RandomSource::new(seed ^ 0x0049_4458);
    let count = dice.between(2, 3);
    let mut text = format!("byte a[{count}]; byte x; byte h = 255;\nproctype P(byte me) {{ do\n");
    for _ in 0..dice.between(2, 4) {
        let guards = [
            format!("a[me] == {}", dice.below(VALUES)),
            format!("x == {}", dice.below(VALUES)),
            format!("h == me && a[me] == {}", dice.below(VALUES)),
            format!("h == 255 && x == {}", dice.below(VALUES)),
            format!("h != me && a[me] != {}", dice.below(VALUES)),
        ];
        let guard = dice.pick(&guards);
        let mut effects = String::new();
        for _ in 0..dice.between(1, 2) {
            let choices = [
                format!("a[me] = {}", dice.below(VALUES)),
                format!("x = {}", dice.below(VALUES)),
                "h = me".into(),
                "h = 255".into(),
            ];
            let effect = dice.pick(&choices);
            let _ = write!(effects, "{effect}; ");
        }
        let _ = writeln!(text, " :: d_step {{ {guard} -> {effects}}}");
    }
    text.push_str("od }\ninit { atomic { ");
    if dice.chance(50) {
        let (member, value) = (dice.below(count as usize), dice.between(1, 2));
        let _ = write!(text, "a[{member}] = {value}; ");
    }
    (0..count).for_each(|member| {
        let _ = write!(text, "run P({member}); ");
    });
    text.push_str("} }\n");
    let pairs = dice.chance(50);
    let mut conditions = vec![
        format!("(a[i] == {})", dice.below(VALUES)),
        "(h == i)".into(),
        format!("(x == {})", dice.below(VALUES)),
    ];
    let mut front = format!("forall i in 0 .. {}: ", count - 1);
    if pairs {
        let _ = write!(front, "forall j in 0 .. {}: ", count - 1);
        let value = dice.below(VALUES);
        conditions.extend([
            format!("(a[j] == {value} && i != j)"),
            "(a[i] == a[j])".into(),
            "(i == j || h == j)".into(),
        ]);
    }
    let formula = match dice.chance(30) {
        true => format!("AG EF ({})", dice.pick(&conditions)),
        false => branching::random(&mut dice, &conditions),
    };
    Case {
        text,
        formula: format!("{front}{formula}"),
    }
}

/// A model in Murphi with a `liveness` property in rulesets.
pub fn murphi(seed: u64) -> Case {
    let mut dice = RandomSource::new(seed ^ 0x4d55_5249);
    let count = dice.between(2, 3);
    let mut text = format!(
        "type T: scalarset({count}); var a: array [T] of 0..2; x: 0..2; h: T; t: boolean;\n"
    );
    let starts = dice.below(3);
    let own = match starts {
        0 => String::new(),
        1 => format!("a[c] := {}; ", dice.between(1, 2)),
        _ => "h := c; ".into(),
    };
    let ruleset = if starts == 0 { "" } else { "ruleset c: T do " };
    let end = if starts == 0 { "" } else { " end;" };
    let _ = writeln!(
        text,
        "{ruleset}startstate for m: T do a[m] := 0; end; x := 0; t := false; {own}end;{end}"
    );
    text.push_str("rule \"tick\" true ==> t := !t; end;\nruleset m: T; k: T do\n");
    let held = "!isundefined(h) & h";
    for number in 0..dice.between(2, 4) {
        let guards = [
            format!("a[m] = {}", dice.below(VALUES)),
            format!("x = {} & m != k", dice.below(VALUES)),
            format!("{held} = m & a[k] = {}", dice.below(VALUES)),
            format!("isundefined(h) & x = {}", dice.below(VALUES)),
            format!("a[k] != a[m] & a[m] != {}", dice.below(VALUES)),
        ];
        let guard = dice.pick(&guards);
        let mut effects = String::new();
        for _ in 0..dice.between(1, 2) {
            let choices = [
                format!("a[m] := {}", dice.below(VALUES)),
                format!("x := {}", dice.below(VALUES)),
                "a[k] := a[m]".into(),
                "h := m".into(),
                "undefine h".into(),
            ];
            let effect = dice.pick(&choices);
            let _ = write!(effects, "{effect}; ");
        }
        let _ = writeln!(text, " rule \"r{number}\" {guard} ==> {effects}end;");
    }
    text.push_str("end;\n");
    let conditions = [
        format!("a[i] = {}", dice.below(VALUES)),
        format!("{held} = i"),
        format!("a[i] = x & t = {}", dice.pick(&["true", "false"])),
        format!(
            "a[i] = {} & a[j] = {}",
            dice.below(VALUES),
            dice.below(VALUES)
        ),
        format!("i = j | a[i] != a[j] | x = {}", dice.below(VALUES)),
        format!("a[i] = {} | {held} = j", dice.below(VALUES)),
    ];
    let condition = dice.pick(&conditions);
    let _ = writeln!(
        text,
        "ruleset i: T; j: T do liveness \"{LIVE}\" {condition}; end;"
    );
    Case {
        text,
        formula: String::new(),
    }
}
