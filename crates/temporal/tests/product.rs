//! The product of a system with a claim has as many states as Spin's verifier finds.
//!
//! The system is this model:
//!
//! ```text
//! byte x; bool b;
//! active proctype P() { do :: x < 5 -> x++ :: x == 5 -> x = 0 :: b = !b od }
//! ```
//!
//! The numbers are those of Spin 6.5.2 (`spin -o1 -o2 -o3 -a`, `gcc -DSAFETY -DNOREDUCE`, `./pan -c0`): states stored,
//! transitions (new and old states reached), and errors, which are failed assertions of the claim.

use std::collections::HashSet;

use crate::common::parse;
use mandala_temporal::{Automaton, Names, Proposition, StateId, never_claim};

/// `a` is `x == 1`, `b` is `b`, `c` is `x < 3`, and so on.
const NAMES: [&str; 6] = ["(x==1)", "b", "(x<3)", "(x==2)", "(x==5)", "(x<6)"];

const EXPECTED: [(&str, Count); 11] = [
    ("[]c", count(24, 55, 12)),
    ("[]f", count(24, 37, 0)),
    ("<>e", count(22, 31, 0)),
    ("[](a -> <>d)", count(30, 49, 0)),
    ("(b W a) && (b V d)", count(132, 381, 86)),
    ("[]<>b -> []<>a", count(61, 150, 0)),
    ("[](a -> (b U d))", count(30, 55, 4)),
    ("!b U a", count(6, 10, 2)),
    ("[](b -> c) && <>e", count(47, 80, 6)),
    ("<>[]c || []<>b", count(51, 100, 0)),
    ("b", count(18, 19, 12)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    stored: usize,
    transitions: usize,
    errors: usize,
}

const fn count(stored: usize, transitions: usize, errors: usize) -> Count {
    Count {
        stored,
        transitions,
        errors,
    }
}

/// Where the process stands, and the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct System {
    location: Location,
    x: u8,
    b: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Location {
    Loop,
    Increment,
    Reset,
}

impl System {
    const INITIAL: Self = Self {
        location: Location::Loop,
        x: 0,
        b: false,
    };

    fn at(self, location: Location) -> Self {
        Self { location, ..self }
    }

    fn successors(self) -> Vec<Self> {
        let Self { x, b, .. } = self;
        let back = self.at(Location::Loop);
        match self.location {
            Location::Increment => vec![Self { x: x + 1, ..back }],
            Location::Reset => vec![Self { x: 0, ..back }],
            Location::Loop if x < 5 => vec![self.at(Location::Increment), Self { b: !b, ..self }],
            Location::Loop => vec![self.at(Location::Reset), Self { b: !b, ..self }],
        }
    }

    fn holds(self, Proposition(number): Proposition) -> bool {
        let Self { x, b, .. } = self;
        [x == 1, b, x < 3, x == 2, x == 5, x < 6][number]
    }
}

/// Explores the product: in every state, the claim moves first, then the system.
fn explore(claim: &Automaton) -> Count {
    let start: (System, StateId) = (System::INITIAL, Automaton::INITIAL);
    let mut stored = HashSet::from([start]);
    let mut unvisited = vec![start];
    // The initial state is reached without a step of the system and counts as a transition.
    let mut found = count(0, 1, 0);
    while let Some((system, from)) = unvisited.pop() {
        let transitions = claim.state(from).transitions.iter();
        for transition in transitions.filter(|t| t.guard.holds(&|p| system.holds(p))) {
            found.errors += usize::from(transition.asserts);
            for next in system.successors() {
                found.transitions += 1;
                let next = (next, claim.resume(from, transition));
                if stored.insert(next) {
                    unvisited.push(next);
                }
            }
        }
    }
    found.stored = stored.len();
    found
}

#[test]
fn products_are_as_large_as_spin_says() {
    let names: Names = NAMES.into_iter().collect();
    for (text, expected) in EXPECTED {
        let claim = never_claim(&parse(text), &names).expect("not too complex");
        assert_eq!(explore(&claim.automaton), expected, "{text}");
    }
}
