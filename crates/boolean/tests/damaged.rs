//! Damaged texts: the front end never panics, always ends, and gives models that the verifier accepts.

use crate::support::{EVERYTHING, read};
use mandala_model::verify::verify;
use std::panic::catch_unwind;

const INPUTS: u64 = 1_500;

const SYSTEM: &str = "3 4\n# comment\n0 0 -> 1 1 2 ~> 3 2 ~> 0\n1 1 +> 2 3\n2 0 ~> 0 1\n";

/// Words that may stand where they change much.
const WORDS: [&str; 16] = [
    "*",
    "'g",
    "goto",
    "end",
    "(",
    ")",
    "~>",
    "+>",
    "999999999999999",
    "_",
    "constrain",
    "fi",
    "od",
    "main",
    "0",
    ";",
];

#[test]
fn damaged_texts_neither_panic_nor_make_wrong_models() {
    let mut accepted = 0;
    for number in 0..INPUTS {
        let (name, text) = input(number);
        let Ok(right) = catch_unwind(|| is_right(name, &text)) else {
            panic!("input {number} panics:\n{text}");
        };
        accepted += u64::from(right);
    }
    assert!(accepted > INPUTS / 100, "only {accepted} were still right");
}

fn is_right(name: &str, text: &str) -> bool {
    let Ok(threads) = read(name, text, (name == "m.tts").then_some("0|1")) else {
        return false;
    };
    for number in [1, 3] {
        let model = threads.model(number).expect("few variables get any value");
        assert!(verify(model).is_ok(), "what is made is no model");
    }
    threads.system().is_ok_and(|system| system.is_well_formed())
}

/// Input number `i` depends on `i` alone.
fn input(number: u64) -> (&'static str, String) {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    };
    let (name, text) = match number % 3 {
        0 => ("m.tts", SYSTEM),
        _ => ("m.bp", EVERYTHING),
    };
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(']).collect();
    for _ in 0..1 + below(3) {
        let place = below(words.len());
        match below(3) {
            0 => {
                words.remove(place);
            }
            1 => words.insert(place, WORDS[below(WORDS.len())]),
            _ => {
                let next = (place + 1) % words.len();
                words.swap(place, next);
            }
        }
    }
    (name, words.concat())
}
