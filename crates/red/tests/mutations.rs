//! Damaged models: the front end never panics, always ends, and gives a model that the verifier accepts exactly if it finds
//! no error. Input number `i` depends on `i` alone, so a failure is repeated by running that number.

use crate::support::{EVERYTHING, read};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

const INPUTS: u64 = 5_000;
/// Far more than any input needs, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Words that may stand where they change much.
const WORDS: [&str; 16] = [
    "NULL",
    "P",
    "mode",
    "->",
    "[",
    "]",
    "(",
    ")",
    "999999999999999999",
    "-",
    "*",
    "/",
    "true",
    "forall",
    "initially",
    ";",
];

#[test]
fn damaged_models_neither_panic_nor_hang() {
    let mut accepted = 0;
    for number in 0..INPUTS {
        let text = input(number);
        let start = Instant::now();
        let Ok(result) = catch_unwind(|| read(&text, &[])) else {
            panic!("input {number} panics:\n{text}");
        };
        assert!(
            start.elapsed() < LONGEST,
            "input {number} takes long:\n{text}"
        );
        accepted += u64::from(result.is_ok());
    }
    assert!(accepted > INPUTS / 100, "only {accepted} were still right");
}

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let next = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        (next % limit.max(1) as u64) as usize
    }
}

fn input(number: u64) -> String {
    let mut random = Random((number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut words: Vec<String> = split_words(EVERYTHING);
    for _ in 0..=random.below(4) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        match random.below(6) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[other].clone()),
            2 => words[at] = words[other].clone(),
            3 => words.swap(at, other),
            4 => words.truncate(words.len() - random.below(words.len() / 4)),
            _ => words[at] = WORDS[random.below(WORDS.len())].to_string(),
        }
    }
    words.join(" ")
}

fn split_words(text: &str) -> Vec<String> {
    let signs = [
        "#define", "->", "==", "!=", "<=", ">=", "=>", "&&", "||", "..",
    ];
    let mut words = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let sign = signs.iter().find(|sign| rest.starts_with(**sign));
        let word = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let length = sign.map_or(word.max(first.len_utf8()), |sign| sign.len());
        words.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    words
}
