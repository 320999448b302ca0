//! Random systems of rules: the reference interpreter, the interpreter of the compiled form and machine code agree.

use crate::common::rules::*;
use crate::common::trio::explore_some;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place};
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::model::Deadlock;
use mandala_model::step::{FaultKind, Violation};
use mandala_model::template::{Effect, Step};

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

/// Writes models.
struct Author {
    dice: RandomSource,
    x: GlobalId,
    y: GlobalId,
    a: GlobalId,
    scratch: LocalId,
    /// Where the next routine stands.
    number: u32,
}

impl Author {
    fn place(&mut self) -> Place {
        match self.dice.below(5) {
            0 | 1 => place(self.x),
            2 => place(self.y),
            3 => element(self.a, num(self.dice.below(3) as i64)),
            _ if self.dice.happens(60) => {
                element(self.a, minus(defined(raw(place(self.x))), num(1)))
            }
            _ => {
                let index = self.value(1);
                element(self.a, minus(index, num(1)))
            }
        }
    }

    fn value(&mut self, depth: u32) -> Expr {
        match self.dice.below(if depth == 0 { 4 } else { 7 }) {
            0 => num(self.dice.below(4) as i64),
            1 => raw(place(self.y)),
            2 | 3 => defined(raw(place(self.x))),
            4 => defined(raw(self.place())),
            5 => {
                let ops = [
                    BinaryOp::Add,
                    BinaryOp::Subtract,
                    BinaryOp::Multiply,
                    BinaryOp::Modulo,
                ];
                let op = ops[self.dice.below(4) as usize];
                binary(op, self.value(depth - 1), self.value(depth - 1))
            }
            _ => {
                let parts = [self.condition(depth - 1), self.value(0), self.value(0)];
                let [c, a, b] = parts.map(Box::new);
                let span = c.span;
                Expr::new(ExprKind::Conditional(c, a, b), span)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        match self.dice.below(6) {
            0 if depth > 0 => {
                let both = (self.condition(depth - 1), self.condition(depth - 1));
                binary(BinaryOp::And, both.0, both.1)
            }
            1 if depth > 0 => {
                let both = (self.condition(depth - 1), self.condition(depth - 1));
                binary(BinaryOp::Or, both.0, both.1)
            }
            2 => self.condition(0).negated(),
            3 => equal(raw(place(self.y)), num(0)),
            4 => less(self.value(depth), self.value(0)),
            _ => equal(self.value(depth), self.value(0)),
        }
    }

    fn effect(&mut self) -> Effect {
        match self.dice.below(40) {
            0 => fail("random"),
            1 => Effect::Abandon,
            2..=5 => assign(own(self.scratch), self.value(0)),
            6 => assign(self.place(), num(0)),
            _ => {
                let target = self.place();
                // Most values fit.
                let fits = binary(BinaryOp::Modulo, self.value(1), num(3));
                assign(target, plus(fits, num(1)))
            }
        }
    }

    fn effects(&mut self) -> Vec<Effect> {
        (0..self.dice.below(3)).map(|_| self.effect()).collect()
    }

    fn guarded(&mut self) -> Step {
        let guard = match self.dice.happens(30) {
            true => num(1),
            false => self.condition(2),
        };
        guarded(guard, self.effects())
    }

    fn routine(&mut self) -> Step {
        let count = 2 + self.dice.below(4) as u32;
        let nodes = (0..count).map(|at| self.node(at, count)).collect();
        self.number += 40;
        routine(self.number, nodes)
    }

    fn node(&mut self, at: u32, count: u32) -> Draft {
        let quiet = self.dice.happens(50);
        let choices = 1 + self.dice.below(3);
        let choices = (0..choices).map(|choice| {
            let step = match choice > 0 && self.dice.happens(30) {
                true => Step::Else,
                false => self.guarded(),
            };
            // Seldom backwards: that may take for ever.
            let next = match self.dice.below(12) {
                0 => Some(self.dice.below(count.into()) as u32),
                1..=3 => None,
                _ => Some(at + 1).filter(|next| *next < count),
            };
            (step, next)
        });
        (quiet, choices.collect())
    }

    fn step(&mut self) -> Step {
        match self.dice.happens(50) {
            true => self.guarded(),
            false => self.routine(),
        }
    }
}

fn model(seed: u64) -> Model {
    let mut rules = Rules::new();
    let (x, y) = (rules.global("x", 3), rules.global("y", 5));
    let a = rules.array("a", 3, 3);
    let scratch = rules.scratch("s", 200);
    let mut author = Author {
        dice: RandomSource(seed),
        x,
        y,
        a,
        scratch,
        number: 1000,
    };
    for _ in 0..author.dice.below(4) {
        rules.start(author.step());
    }
    for first in 1..=2 {
        let cells = (0..3).map(|i| element(a, num(i)));
        let cells = [place(x), place(y)].into_iter().chain(cells);
        let all = cells.map(|cell| assign(cell, num(first)));
        rules.start(always(all.collect()));
    }
    for _ in 0..author.dice.below(3) {
        let step = author.step();
        rules.invariant_step("looks", step);
    }
    for _ in 0..1 + author.dice.below(5) {
        rules.rule(author.step());
    }
    if author.dice.happens(50) {
        rules.model.deadlock = Deadlock::NoMove;
    }
    rules.model()
}

#[test]
fn three_ways_through_random_systems_of_rules_are_one() {
    let (mut states, mut natively, mut fired) = (0, 0, 0);
    let mut met: Vec<Violation> = Vec::new();
    for seed in 0..SEEDS {
        let model = model(seed);
        let explored = std::panic::catch_unwind(|| explore_some(&model, STATES).0);
        let Ok(explored) = explored else {
            panic!("seed {seed}: {}", mandala_ir::Text::new(&model));
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
