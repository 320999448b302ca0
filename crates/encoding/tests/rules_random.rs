//! Random systems of rules: the reference interpreter, the interpreter of the compiled form and machine code agree.

use crate::common::rules::{model, system, without_moves};
use crate::common::trio::explore_some;
use mandala_model::step::{FaultKind, Violation};

const SEEDS: u64 = 500;

/// No model is explored further than that.
const STATES: usize = 60;

/// The generator `SplitMix64`.
struct RandomSource(u64);

impl RandomSource {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn happens(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Writes models: `x` from 1 to 3, `y` from 1 to 5, an array `a` of three numbers up to 3, and the scratch variable `i`.
struct Author {
    dice: RandomSource,
}

impl Author {
    fn place(&mut self) -> String {
        match self.dice.below(5) {
            0 | 1 => "x".into(),
            2 => "y".into(),
            3 => format!("a[{}]", self.dice.below(3)),
            _ if self.dice.happens(60) => "a[defined(x) - 1]".into(),
            _ => format!("a[{} - 1]", self.value(1)),
        }
    }

    fn value(&mut self, depth: u32) -> String {
        match self.dice.below(if depth == 0 { 4 } else { 7 }) {
            0 => self.dice.below(4).to_string(),
            1 => "y".into(),
            2 | 3 => "defined(x)".into(),
            4 => format!("defined({})", self.place()),
            5 => {
                let op = ["+", "-", "*", "%"][self.dice.below(4) as usize];
                format!("({} {op} {})", self.value(depth - 1), self.value(depth - 1))
            }
            _ => {
                let condition = self.condition(depth - 1);
                format!("({condition} ? {} : {})", self.value(0), self.value(0))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        match self.dice.below(6) {
            0 if depth > 0 => {
                let both = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({} && {})", both.0, both.1)
            }
            1 if depth > 0 => {
                let both = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({} || {})", both.0, both.1)
            }
            2 => format!("!{}", self.condition(0)),
            3 => "(y == 0)".into(),
            4 => format!("({} < {})", self.value(depth), self.value(0)),
            _ => format!("({} == {})", self.value(depth), self.value(0)),
        }
    }

    fn effect(&mut self) -> String {
        match self.dice.below(40) {
            0 => "fail \"random\"".into(),
            1 => "abandon".into(),
            2..=5 => format!("i = {}", self.value(0)),
            6 => format!("{} = 0", self.place()),
            // Most values fit.
            _ => format!("{} = {} % 3 + 1", self.place(), self.value(1)),
        }
    }

    fn guarded(&mut self) -> String {
        let guard = match self.dice.happens(30) {
            true => None,
            false => Some(self.condition(2)),
        };
        let effects: Vec<String> = (0..self.dice.below(3)).map(|_| self.effect()).collect();
        match (guard, effects.is_empty()) {
            (None, true) => "skip".into(),
            (None, false) => format!("do {}", effects.join("; ")),
            (Some(guard), true) => format!("when {guard}"),
            (Some(guard), false) => format!("when {guard} do {}", effects.join("; ")),
        }
    }

    fn routine(&mut self) -> String {
        let count = 2 + self.dice.below(4);
        let nodes: Vec<String> = (0..count).map(|at| self.node(at, count)).collect();
        format!("routine {{\n{}}}", nodes.concat())
    }

    fn node(&mut self, at: u64, count: u64) -> String {
        let mut quiet = match self.dice.happens(50) {
            true => " quiet",
            false => "",
        };
        let mut choices = String::new();
        for choice in 0..1 + self.dice.below(3) {
            let step = match choice > 0 && self.dice.happens(30) {
                true => "else".into(),
                false => self.guarded(),
            };
            // Seldom backwards: that may take for ever.
            let next = match self.dice.below(12) {
                0 => Some(self.dice.below(count)),
                1..=3 => None,
                _ => Some(at + 1).filter(|next| *next < count),
            };
            let next = next.map_or("done".into(), |next| format!("n{next}"));
            choices += &format!("n{at}{quiet}: {step} -> {next}\n");
            quiet = "";
        }
        choices
    }

    fn step(&mut self) -> String {
        match self.dice.happens(50) {
            true => self.guarded(),
            false => self.routine(),
        }
    }

    /// The lines of some edges.
    fn edges(&mut self, count: u64, from: &str) -> String {
        let edges = (0..count).map(|_| format!("{from} -> s1 {}\n", self.step()));
        edges.collect()
    }
}

fn text(seed: u64) -> String {
    let mut author = Author {
        dice: RandomSource(seed),
    };
    let mut starts = match author.dice.below(4) {
        0 => String::new(),
        count => author.edges(count, "s0"),
    };
    for first in 1..=2 {
        let cells = ["x", "y", "a[0]", "a[1]", "a[2]"].map(|cell| format!("{cell} = {first}"));
        starts += &format!("s0 -> s1 do {}\n", cells.join("; "));
    }
    let monitors = author.dice.below(3);
    let looks = (0..monitors).map(|number| format!("monitor m{number} {}\n", author.step()));
    let looks: String = looks.collect();
    let rules = 1 + author.dice.below(5);
    let rules = author.edges(rules, "s1");
    let globals = "global x: number(3)\nglobal y: number(5)\nglobal a: number(3)[3]";
    let mut text = system(globals, &starts, &rules);
    if monitors > 0 {
        let all: Vec<String> = (0..monitors).map(|number| format!("m{number}")).collect();
        text += "monitor local scratch i: number(200)\n";
        text += &format!("{looks}property looks invariant {}\n", all.join(", "));
    }
    match author.dice.happens(50) {
        true => without_moves(&text),
        false => text,
    }
}

#[test]
fn three_ways_through_random_systems_of_rules_are_one() {
    let (mut states, mut natively, mut fired) = (0, 0, 0);
    let mut met: Vec<Violation> = Vec::new();
    for seed in 0..SEEDS {
        let text = text(seed);
        let model = model(&text);
        let explored = std::panic::catch_unwind(|| explore_some(&model, STATES).0);
        let Ok(explored) = explored else {
            panic!("seed {seed}: {text}");
        };
        states += explored.states;
        natively += explored.natively;
        fired += explored.fired;
        met.extend(explored.violations);
    }
    // Models that never do anything would agree in everything.
    assert!(states > 2_000, "{states} states");
    assert!(fired > 4_000, "{fired} steps");
    assert!(natively > 500, "{natively} states by machine code");
    let fault = |kind: FaultKind| {
        let of_kind = |v: &&Violation| matches!(v, Violation::Fault(f) if f.kind == kind);
        met.iter().filter(of_kind).count()
    };
    assert!(fault(FaultKind::Undefined) > 50);
    assert!(fault(FaultKind::RoutineBlocked) > 50);
    assert!(met.contains(&Violation::Deadlock));
    assert!(met.iter().any(|v| matches!(v, Violation::Failed { .. })));
}
