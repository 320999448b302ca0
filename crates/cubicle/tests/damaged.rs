//! Damaged texts: the front end never panics, always ends, and gives models that the verifier accepts.

use crate::support::{EVERYTHING, read};
use mandala_model::verify::verify;
use std::panic::catch_unwind;

const INPUTS: u64 = 1_500;

/// Words that may stand where they change much.
const WORDS: [&str; 16] = [
    "case",
    "forall_other k. ",
    "| _ : ",
    "}",
    "(",
    "(*",
    "&&",
    ":=",
    "<",
    "Turn",
    "State[i]",
    "proc",
    "True",
    ";",
    "unsafe",
    "not ",
];

#[test]
fn damaged_texts_neither_panic_nor_make_wrong_models() {
    assert!(is_right(EVERYTHING), "{:?}", read(EVERYTHING, "2"));
    let mut accepted = 0;
    for number in 0..INPUTS {
        let text = input(number);
        let Ok(right) = catch_unwind(|| is_right(&text)) else {
            panic!("input {number} panics:\n{text}");
        };
        accepted += u64::from(right);
    }
    assert!(accepted > INPUTS / 100, "only {accepted} were still right");
}

fn is_right(text: &str) -> bool {
    ["1", "3"].into_iter().all(|processes| {
        let model = read(text, processes);
        if let Ok(model) = &model
            && let Err(wrong) = verify(model.clone())
        {
            panic!("what is made is no model: {wrong:?}\n{text}");
        }
        model.is_ok()
    })
}

/// Input number `i` depends on `i` alone.
fn input(number: u64) -> String {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    };
    let mut words: Vec<&str> = EVERYTHING
        .split_inclusive([' ', '\n', ';', '(', '['])
        .collect();
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
    words.concat()
}
