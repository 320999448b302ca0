//! Random systems: every view of a state that is reached is one that the abstraction has, and what goes wrong in a state goes wrong in a view.
//!
//! That is more than equal verdicts: a view that is missing is found whatever is claimed of it. States are those of the model that the front end makes for that
//! size, one by one, without symmetry.

#![allow(clippy::print_stdout)]

use super::dice::RandomSource;
use crate::checked::{require_accepted, require_right};
use crate::support::{Concrete, Subject, model, subject};
use crate::{processes, questions, rich, systems};
use mandala_views::{Abstraction, Condition, Split};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many systems of most kinds a usual run has.
const USUAL: u64 = 40;

/// The largest size that is explored, and how many states at the most.
const LARGEST: usize = 6;
const STATES: usize = 600;

/// The most configurations of a system that is compared.
const MOST: u64 = 20_000;

/// A random system in the language of Murphi.
struct Writer {
    dice: RandomSource,
    /// Members that are known where something is written.
    members: Vec<&'static str>,
}

impl Writer {
    fn member(&mut self) -> &'static str {
        let members = self.members.clone();
        self.dice.pick(&members)
    }

    fn level(&mut self) -> &'static str {
        self.dice.pick(&["A", "B", "C"])
    }

    fn relation(&mut self) -> &'static str {
        self.dice.pick(&["=", "!="])
    }

    /// A condition on one member.
    fn about(&mut self, member: &str) -> String {
        match self.dice.below(5) {
            0 | 1 => format!("l[{member}] {} {}", self.relation(), self.level()),
            2 => format!("f[{member}]"),
            3 => format!("!f[{member}]"),
            _ => format!("!isundefined(p) & p {} {member}", self.relation()),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let nothing = self.members.is_empty();
        match self.dice.below(16) {
            0..=4 if !nothing => {
                let member = self.member();
                self.about(member)
            }
            5 if self.members.len() > 1 => {
                format!("{} {} {}", self.member(), self.relation(), self.member())
            }
            6 => "b".into(),
            7 => format!("s = {}", self.level()),
            8 => "isundefined(q)".into(),
            9 => format!(
                "!isundefined(p) & !isundefined(q) & p {} q",
                self.relation()
            ),
            10 => {
                let about = self.about("p");
                format!("!isundefined(p) & ({about})")
            }
            11 | 12 if depth < 2 => {
                let quantifier = self.dice.pick(&["forall", "forall", "exists"]);
                let variable = ["x", "y"][depth];
                self.members.push(variable);
                let body = match self.dice.chance(25) {
                    true => self.condition(depth + 1),
                    false => self.about(variable),
                };
                let body = match (self.dice.chance(40), self.members.len() > 1) {
                    (true, true) => {
                        let other = self.members[0];
                        match quantifier {
                            "forall" => format!("{variable} = {other} | ({body})"),
                            _ => format!("{variable} != {other} & ({body})"),
                        }
                    }
                    _ => body,
                };
                self.members.pop();
                format!("{quantifier} {variable}: P do {body} end")
            }
            13 if depth < 2 => format!("!({})", self.condition(depth + 1)),
            14 if depth < 2 => format!(
                "({}) {} ({})",
                self.condition(depth + 1),
                self.dice.pick(&["&", "|"]),
                self.condition(depth + 1)
            ),
            _ => "!b".into(),
        }
    }

    fn truth(&mut self) -> String {
        match self.dice.below(4) {
            0 => "true".into(),
            1 => "false".into(),
            2 => "b".into(),
            _ if !self.members.is_empty() => format!("f[{}]", self.member()),
            _ => "!b".into(),
        }
    }

    fn place(&mut self) -> String {
        match self.members.is_empty() || self.dice.chance(8) {
            true => "p".into(),
            false => self.member().into(),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.dice.below(16) {
            0..=3 => {
                let (place, level) = (self.place(), self.level());
                guarded(&place, format!("l[{place}] := {level};"))
            }
            4 | 5 => {
                let (place, truth) = (self.place(), self.truth());
                guarded(&place, format!("f[{place}] := {truth};"))
            }
            6 => format!("b := {};", self.truth()),
            7 => format!("s := {};", self.level()),
            8 if !self.members.is_empty() => format!("p := {};", self.member()),
            9 if !self.members.is_empty() => format!("q := {};", self.member()),
            10 => self
                .dice
                .pick(&["q := p;", "undefine p;", "undefine q; undefine p;"])
                .into(),
            11 | 12 if depth == 0 => self.over_all(),
            13 if depth == 0 => {
                let condition = self.condition(1);
                format!(
                    "if {condition} then {} else {} end;",
                    self.statement(1),
                    self.statement(1)
                )
            }
            14 if !self.members.is_empty() && self.dice.chance(30) => {
                let member = self.member();
                format!("assert {};", self.about(member))
            }
            _ => format!("b := {};", self.truth()),
        }
    }

    /// A loop over all members.
    fn over_all(&mut self) -> String {
        let outer = std::mem::take(&mut self.members);
        self.members.push("z");
        let own = match self.dice.below(4) {
            0 => format!("f[z] := {};", self.truth()),
            1 => format!("l[z] := {};", self.level()),
            2 => format!("if {} then l[z] := {}; end;", self.about("z"), self.level()),
            _ => {
                self.members.extend(outer.iter().take(1));
                let statement = self.statement(1);
                self.members.truncate(1);
                statement
            }
        };
        self.members = outer;
        format!("for z: P do {own} end;")
    }

    fn rule(&mut self, number: usize) -> String {
        let parameters = self.dice.below(3);
        self.members = ["c", "d"][..parameters].to_vec();
        let conditions = 1 + self.dice.below(2);
        let guard: Vec<String> = (0..conditions)
            .map(|_| format!("({})", self.condition(0)))
            .collect();
        let statements = 1 + self.dice.below(3);
        let body: Vec<String> = (0..statements).map(|_| self.statement(0)).collect();
        let rule = format!(
            "rule \"r{number}\" {} ==> begin {} end;",
            guard.join(" & "),
            body.join(" ")
        );
        match parameters {
            0 => rule,
            1 => format!("ruleset c: P do {rule} end;"),
            _ => format!("ruleset c: P; d: P do {rule} end;"),
        }
    }

    fn start(&mut self) -> String {
        let holder = self.dice.chance(30);
        self.members = if holder { vec!["c"] } else { Vec::new() };
        let pointer = match holder {
            true => "p := c;",
            false => "undefine p;",
        };
        let extra = match self.dice.chance(20) {
            true => self.statement(1),
            false => String::new(),
        };
        let start = format!(
            "startstate \"s\" begin for z: P do l[z] := A; f[z] := false; end; b := false; s := A; {pointer} undefine q; {extra} end;"
        );
        match holder {
            true => format!("ruleset c: P do {start} end;"),
            false => start,
        }
    }

    fn text(&mut self) -> String {
        let start = self.start();
        let rules = 3 + self.dice.below(4);
        let rules: Vec<String> = (0..rules).map(|number| self.rule(number)).collect();
        self.members = Vec::new();
        let invariant = match self.dice.chance(50) {
            true => "forall x: P do forall y: P do x = y | l[x] != C | l[y] != C end end".into(),
            false => self.condition(0),
        };
        format!(
            "const N: 3;\ntype P: scalarset(N); L: enum {{ A, B, C }};\nvar l: array [P] of L; f: array [P] of boolean; b: boolean; s: L; p, q: P;\n{start}\n{}\ninvariant \"i\" {invariant};\n",
            rules.join("\n")
        )
    }
}

fn guarded(place: &str, statement: String) -> String {
    match place {
        "p" => format!("if !isundefined(p) then {statement} end;"),
        _ => statement,
    }
}

fn text(seed: u64) -> String {
    Writer {
        dice: RandomSource(seed),
        members: Vec::new(),
    }
    .text()
}

/// What became of the systems of a suite.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    with_more: usize,
    /// Those whose views were all made, and those of them in which nothing goes wrong.
    compared: usize,
    safe: usize,
    /// Those whose invariants were accepted, and how many were of a search that looks at no condition: accepted and rejected.
    verified: usize,
    blind: [usize; 2],
    refused: BTreeMap<Condition, usize>,
}

impl Tally {
    /// A good share was decided.
    fn require_rich(&self, first: u64, percent: usize) {
        let all = self.accepted + self.refused.values().sum::<usize>();
        assert!(
            100 * self.compared >= percent * all && self.safe > 0 && 2 * self.verified >= self.safe,
            "from seed {first} on: {self:?}"
        );
        if std::env::var("MANDALA_DOSE").is_ok() {
            println!("from seed {first} on: {self:?}");
        }
    }
}

/// The seeds of so many systems: other ones each day, or from `MANDALA_FIRST_SEED` on.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let day = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |t| t.as_secs() / 86_400);
    let first = number("MANDALA_FIRST_SEED").unwrap_or(day * 1_000);
    first..first + usual * number("MANDALA_DOSE").unwrap_or(1)
}

/// Compares the systems that a generator makes. So many of a hundred at least have to be decided.
fn compare_all(file: &str, text: impl Fn(u64) -> String, usual: u64, percent: usize) {
    let seeds = seeds(usual);
    let first = seeds.start;
    let mut tally = Tally::default();
    for seed in seeds {
        one(&format!("{seed}-{file}"), &text(seed), &mut tally);
    }
    tally.require_rich(first, percent);
}

#[test]
fn every_view_of_a_state_is_one_of_the_abstraction() {
    compare_all("plain.m", text, USUAL, 30);
}

#[test]
fn every_view_of_a_state_is_found_with_all_that_rules_may_have() {
    compare_all("rich.m", rich::text, USUAL, 10);
}

#[test]
fn what_goes_wrong_behind_a_question_is_found() {
    // They are small.
    compare_all("questions.m", questions::text, 5 * USUAL, 15);
}

#[test]
fn every_view_of_a_state_is_found_for_systems_of_cubicle() {
    compare_all("systems.cub", systems::text, USUAL, 30);
}

#[test]
fn every_view_of_a_state_is_found_for_processes() {
    compare_all("processes.pml", processes::text, USUAL, 30);
}

fn one(name: &str, text: &str, tally: &mut Tally) {
    let (participants, view) = [(0, 1), (1, 1), (1, 2)][text.len() % 3];
    if let Some(accepted) = require_right(name, text, participants, view, MOST / 10) {
        tally.blind[usize::from(!accepted)] += 1;
    }
    let subject = match subject(name, text, "N", &[]) {
        Ok(subject) => subject,
        Err(refused) => {
            *tally.refused.entry(refused.condition).or_default() += 1;
            return;
        }
    };
    tally.accepted += 1;
    tally.with_more += usize::from(subject.needs.participants > 1);
    if subject.needs.participants > 4 || subject.needs.view > 3 {
        return;
    }
    let Some(found) = subject.views_within(subject.needs.view, MOST) else {
        return;
    };
    tally.compared += 1;
    tally.safe += usize::from(found.violations.is_empty());
    require_views(name, text, &subject, &found);
    tally.verified += usize::from(require_accepted(name, text, &subject, &found, MOST));
}

/// The views have those of all states of sizes up to the largest one that is explored, and what goes wrong in a state goes wrong in a configuration.
pub fn require_views(name: &str, text: &str, subject: &Subject, found: &Abstraction) {
    let k = found.reach.k;
    let views: BTreeSet<Split> = found.views.iter().map(sorted).collect();
    for size in k..=LARGEST {
        let sized = model(name, text, &[format!("N={size}")]);
        let concrete = Concrete::explore(sized, &subject.family, size, STATES);
        for state in &concrete.states {
            each_view(state, k, &mut |view| {
                assert!(
                    views.contains(&view),
                    "{name}, N={size}: {view:?} of {state:?} is missing\n{text}"
                );
            });
        }
        assert!(
            !concrete.violated || !found.violations.is_empty(),
            "{name}, N={size}: something goes wrong, but in no configuration\n{text}"
        );
    }
}

/// The view with its members in an order that depends on nothing but what they are.
pub fn sorted(view: &Split) -> Split {
    let mut view = view.clone();
    view.members.sort();
    view
}

/// Calls `visit` with each view of a state.
fn each_view(state: &Split, k: usize, visit: &mut impl FnMut(Split)) {
    let all = state.members.len();
    for chosen in 0u32..1 << all {
        if chosen.count_ones() as usize == k {
            let members = (0..all).filter(|m| chosen & (1 << m) != 0);
            visit(sorted(&Split {
                shared: state.shared.clone(),
                members: members.map(|m| state.members[m].clone()).collect(),
            }));
        }
    }
}
