//! Damaged models: the front end never panics, always ends, and gives a program exactly if it finds no
//! error. A program that it lets pass can be shown, and is lowered to a model that the verifier accepts, or
//! refused.
//!
//! Input number `i` depends on `i` alone, so a failure is repeated by running that number. The inputs are models
//! (those of other projects if they are there, and one that has every construct) after one to four
//! random edits, most of which move whole words: single letters seldom get past the lexer.

use crate::support::{models, parse_text, read};
use mandala_model::diagnostic::has_errors;
use mandala_model::verify::verify;
use mandala_murphi::lower::lower;
use mandala_murphi::typed::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

const INPUTS: u64 = 20_000;
/// Far more than any input needs, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

#[test]
fn damaged_models_neither_panic_nor_hang() {
    let seeds = seeds();
    let (mut accepted, mut lowered) = (0, 0);
    for number in 0..INPUTS {
        let text = input(&seeds, number);
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            let (_, program, _) = parse_text("m.m", &text);
            program.map(|program| {
                assert!(!program.to_string().is_empty() || program.globals.is_empty());
                is_lowered(&program)
            })
        }));
        let Ok(made) = result else {
            panic!("input {number} panics:\n{text}");
        };
        assert!(
            start.elapsed() < LONGEST,
            "input {number} takes {:?}:\n{text}",
            start.elapsed()
        );
        accepted += u64::from(made.is_some());
        lowered += u64::from(made == Some(true));
    }
    assert!(accepted > INPUTS / 100, "only {accepted} were still right");
    assert!(lowered > INPUTS / 200, "only {lowered} could be lowered");
}

/// Whether a program can be lowered; if so, the verifier must like what it becomes.
fn is_lowered(program: &Program) -> bool {
    match lower(program) {
        Ok(model) => {
            verify(model).unwrap_or_else(|errors| panic!("{errors:?}"));
            true
        }
        Err(errors) => {
            assert!(has_errors(&errors));
            false
        }
    }
}

fn seeds() -> Vec<String> {
    let mut texts = vec![include_str!("seeds/everything.m").to_string()];
    let others = models("murphi").into_iter().chain(models("murphi-suite"));
    texts.extend(
        others
            .map(|path| read(&path))
            .filter(|text| text.len() < 6000),
    );
    // The one with every construct shall make half of the inputs.
    let own = texts[0].clone();
    texts.resize_with(texts.len() * 2 - 1, || own.clone());
    texts
}

/// A small generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

fn input(seeds: &[String], number: u64) -> String {
    let mut random = Random::new(number + 1);
    let mut text = random.pick(seeds).clone();
    for _ in 0..=random.below(4) {
        text = match random.below(8) {
            0 => flip_bytes(&text, &mut random),
            1 => text[..boundary(&text, &mut random)].to_string(),
            2 => splice(&text, &seeds[random.below(seeds.len())], &mut random),
            _ => edit_words(&text, &mut random),
        };
    }
    text
}

fn flip_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let at = random.below(text.len() + 1);
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// The start of one text and the end of another.
fn splice(text: &str, other: &str, random: &mut Random) -> String {
    let (head, tail) = (boundary(text, random), boundary(other, random));
    format!("{}{}", &text[..head], &other[tail..])
}

/// Words that may stand where they change much.
const WORDS: [&str; 24] = [
    "end",
    "begin",
    "do",
    ":",
    ":=",
    "..",
    "[",
    "]",
    "(",
    ")",
    "undefined",
    "multiset",
    "choose",
    "-1",
    "0xffffffffffffffff",
    "9",
    "true",
    "!",
    "~",
    "record",
    "enum",
    "scalarset(3)",
    "union",
    "by",
];

/// Drops, doubles, moves or replaces a word.
fn edit_words(text: &str, random: &mut Random) -> String {
    let mut words = split_words(text);
    let (at, other) = (random.below(words.len()), random.below(words.len()));
    if words.is_empty() {
        return text.to_string();
    }
    match random.below(5) {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, words[other]),
        2 => words[at] = words[other],
        3 => words.swap(at, other),
        _ => words[at] = WORDS[random.below(WORDS.len())],
    }
    words.concat()
}

/// Runs of letters and digits, and single other characters.
fn split_words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match rest.find(|c| !is_word(c)) {
            Some(0) => first.len_utf8(),
            Some(length) => length,
            None => rest.len(),
        };
        words.push(&rest[..length]);
        rest = &rest[length..];
    }
    words
}
