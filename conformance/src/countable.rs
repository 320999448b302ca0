//! Random Promela programs whose processes are interchangeable and held by no cell, so that their states can be counted: one or two families, sometimes
//! with a process that serves them, atomic sequences, choices that others may block, channels with plain messages, assertions and deadlocks. Some of them meet, or ask where others are.

use crate::random::RandomSource;

/// Where a process may go on.
const GUARDS: [&str; 9] = [
    "true",
    "s == 0",
    "s == 1",
    "n == 0",
    "n < 2",
    "b",
    "!b && s != 2",
    "nempty(c)",
    "done == 0",
];

/// What it does then.
const ACTIONS: [&str; 11] = [
    "s = 1 - s",
    "s = (s + 1) % 3",
    "n = (n + 1) % 3",
    "n = s % 3",
    "b = !b",
    "c!s",
    "c?s",
    "done = 1",
    "b -> b = false",
    "assert(n != 2 || !b)",
    "if :: n == 1 -> s = 2 :: else -> s = 0 fi",
];

/// What concerns several of them.
const TOGETHER: [&str; 3] = ["r!n", "r?s", "timeout -> n = 0"];

/// The program of that seed. Every third time some steps concern several processes.
pub fn program(seed: u64) -> String {
    let mut dice = RandomSource::new(seed ^ 0x0043_4f55);
    let together = seed.is_multiple_of(3);
    let families: String = (0..dice.between(1, 2))
        .map(|family| {
            let size = dice.between(2, 4 - family);
            let options: String = (0..dice.between(2, 4))
                .map(|_| option(&mut dice, together))
                .collect();
            format!("active [{size}] proctype P{family}() {{\n  byte s;\n  do\n{options}  od\n}}\n")
        })
        .collect();
    let server = match dice.below(2) {
        0 => String::new(),
        _ => {
            let options: String = (0..2).map(|_| option(&mut dice, together)).collect();
            format!("active proctype Server() {{\n  byte s;\nend: do\n{options}  od\n}}\n")
        }
    };
    format!(
        "byte n, done; bool b; chan c = [1] of {{ byte }}; chan r = [0] of {{ byte }};\n{families}{server}"
    )
}

fn option(dice: &mut RandomSource, together: bool) -> String {
    let guard = dice.pick(&GUARDS);
    let count = dice.between(1, 3);
    let actions: Vec<&str> = (0..count)
        .map(|_| match together && dice.below(4) == 0 {
            true => dice.pick(&TOGETHER),
            false => dice.pick(&ACTIONS),
        })
        .collect();
    let actions = actions.join("; ");
    match dice.below(3) {
        0 => format!("  :: {guard} -> {actions}\n"),
        _ => format!("  :: atomic {{ {guard} -> {actions} }}\n"),
    }
}
