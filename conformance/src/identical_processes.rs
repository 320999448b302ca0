//! Random Promela programs of processes that are alike, with nothing in them that an engine does not take: no processes that are
//! made later, and no rendezvous.

use crate::random::RandomSource;

/// Where a process may go on.
const GUARDS: [&str; 9] = [
    "true",
    "s == 0",
    "s == 1",
    "n == 0",
    "n < 2",
    "who == _pid",
    "who != _pid",
    "nempty(c)",
    "done == 0",
];

/// What it does then. None of it goes wrong, and each step alone may block.
const ACTIONS: [&str; 9] = [
    "s = 1 - s",
    "s = (s + 1) % 3",
    "n = (n + 1) % 3",
    "n = s",
    "who = _pid",
    "who = 9",
    "c!_pid",
    "c?who",
    "done = 1",
];

/// What can be said of all processes at once, and of one of them.
const CONDITIONS: [&str; 6] = [
    "n == 0",
    "n == 2",
    "len(c) > 0",
    "who == 9",
    "done == 1",
    "nfull(c) && n < 2",
];
const OF_ONE: [&str; 3] = ["who == 1", "P[0]:s == 1", "P[1]:s == 0"];

/// The program of that seed, and what may be asked about its states. Every fourth time one process may be named.
pub fn program(seed: u64) -> (String, Vec<String>) {
    let mut dice = RandomSource::new(seed ^ 0x0043_524f);
    let processes = dice.between(2, 3);
    let options: String = (0..dice.between(2, 4)).map(|_| option(&mut dice)).collect();
    let text = format!(
        "byte n, done; byte who = 9; chan c = [1] of {{ byte }};\n\
         active [{processes}] proctype P() {{\n  byte s;\n  do\n{options}  od\n}}\n"
    );
    let mut conditions: Vec<String> = CONDITIONS.map(String::from).to_vec();
    if seed.is_multiple_of(4) {
        conditions.extend(OF_ONE.map(String::from));
    }
    (text, conditions)
}

fn option(dice: &mut RandomSource) -> String {
    let guard = dice.pick(&GUARDS);
    let actions: Vec<&str> = (0..dice.between(1, 3))
        .map(|_| dice.pick(&ACTIONS))
        .collect();
    let actions = actions.join("; ");
    match dice.below(3) {
        0 => format!("  :: {guard} -> {actions}\n"),
        _ => format!("  :: atomic {{ {guard} -> {actions} }}\n"),
    }
}
