//! Damaged texts: the front end never panics, always ends, and gives models that the verifier accepts.

use crate::support::{EVERYTHING, Given, read};
use mandala_model::stated::StatedForm;
use mandala_model::verify::verify;
use std::panic::catch_unwind;

const INPUTS: u64 = 3_000;

/// Words that may stand where they change much.
const WORDS: [&str; 24] = [
    "module m",
    "endmodule",
    "(",
    ")",
    "[",
    "]",
    "+",
    "-",
    "*",
    "/",
    "x1",
    "y1",
    "sum",
    "0",
    "1e99",
    ":",
    ";",
    "?",
    "true",
    "'",
    "system",
    "init",
    "P=? [",
    "&",
];

#[test]
fn damaged_texts_neither_panic_nor_make_wrong_models() {
    let props = include_str!("everything.props");
    assert!(is_right(EVERYTHING, props));
    let mut accepted = 0;
    for number in 0..INPUTS {
        let (text, props) = match number % 3 {
            0 => (EVERYTHING.to_owned(), damaged(props, number)),
            _ => (damaged(EVERYTHING, number), props.to_owned()),
        };
        let Ok(right) = catch_unwind(|| is_right(&text, &props)) else {
            panic!("input {number} panics:\n{text}\n{props}");
        };
        accepted += u64::from(right);
    }
    assert!(accepted > INPUTS / 100, "only {accepted} were still right");
}

fn is_right(text: &str, props: &str) -> bool {
    let given = Given::new(text).define("K=2");
    let given = given.stating(StatedForm::Queries, props);
    let (model, found) = read(&given);
    assert!(
        model.is_some() || !found.is_empty(),
        "nothing is said:\n{text}"
    );
    if let Some(model) = &model
        && let Err(wrong) = verify(model.clone())
    {
        panic!("what is made is no model: {wrong:?}\n{text}");
    }
    model.is_some()
}

/// Input number `i` depends on `i` alone.
fn damaged(text: &str, number: u64) -> String {
    let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |limit: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    };
    let mut words: Vec<&str> = text
        .split_inclusive([' ', '\n', ';', '(', '[', '='])
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

#[test]
fn deep_nesting_and_long_chains_are_refused_or_taken_without_an_overflow() {
    let nested = |open: &str, close: &str, count: usize| {
        let value = format!("{}1{}", open.repeat(count), close.repeat(count));
        read(&Given::new(&format!(
            "mdp const int k = {value}; module m x : [0..k]; endmodule"
        )))
    };
    assert!(nested("(", ")", 20).0.is_some());
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("!", ""),
        ("true ? ", " : 2"),
        ("min(1,", ")"),
        ("1+", ""),
        ("2^", ""),
    ] {
        let (model, found) = nested(open, close, 100_000);
        assert!(
            model.is_none() && found.len() < 60,
            "{open}: {}",
            found.len()
        );
    }
    let many = vec!["x=0"; 50_000].join(" | ");
    let text = format!("mdp module m x : [0..1]; [] {many} -> true; endmodule");
    assert!(read(&Given::new(&text)).0.is_some());
}

#[test]
fn formulas_that_double_again_and_again_are_refused() {
    let mut text = String::from("mdp formula f0 = x=0;");
    for number in 1..64 {
        text.push_str(&format!(" formula f{number} = f{0} & !f{0};", number - 1));
    }
    text.push_str(" module m x : [0..1]; [] f63 -> true; endmodule");
    let (model, found) = read(&Given::new(&text));
    assert!(model.is_none(), "{found:?}");
    let systems = "a || ".repeat(10_000);
    let text = format!("mdp module a x : [0..1]; endmodule system {systems} a endsystem");
    assert!(read(&Given::new(&text)).0.is_none());
}
