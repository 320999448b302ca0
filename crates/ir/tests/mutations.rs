//! Texts that are wrong somewhere: the reader says so and never panics.

use crate::common::{model, read};
use mandala_ir::Text;
use mandala_model::source::{SourceText, Sources};

const EVERYTHING: &str = include_str!("everything.ir");
const RULES: &str = include_str!("rules.ir");

/// A text with the places of all parts.
fn full(text: &str) -> String {
    let mut sources = Sources::default();
    sources.add(SourceText::new("m.ir", text));
    Text::new(&model(text)).full(&sources).to_string()
}

/// A small generator of random numbers (SplitMix64), so that a failure can be seen again.
struct RandomSource(u64);

impl RandomSource {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % bound as u64) as usize
    }
}

/// Pieces of text that mean something in places where they do not belong.
const PIECES: [&str; 24] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "->",
    "#3",
    "$1:2-3",
    "99999999999999999999",
    "-",
    "!",
    "process",
    "location",
    "s7",
    "c9",
    "n4",
    "`",
    "\"",
    "\\",
    "é",
    "0",
    "4294967295",
    "x",
];

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text with one piece cut out, put in, doubled or moved, or with its end cut off.
fn mutated(text: &str, dice: &mut RandomSource) -> String {
    let at = boundary(text, dice.below(text.len()));
    let length = dice.below(20);
    let end = boundary(text, (at + length).min(text.len()));
    let (before, middle, after) = (&text[..at], &text[at..end], &text[end..]);
    match dice.below(5) {
        0 => format!("{before}{after}"),
        1 => format!(
            "{before}{}{middle}{after}",
            PIECES[dice.below(PIECES.len())]
        ),
        2 => format!("{before}{}{after}", PIECES[dice.below(PIECES.len())]),
        3 => format!("{before}{middle}{middle}{after}"),
        _ => before.to_owned(),
    }
}

#[test]
fn the_reader_answers_whatever_it_is_given() {
    let models = [
        EVERYTHING.into(),
        RULES.into(),
        full(EVERYTHING),
        full(RULES),
    ];
    let mut dice = RandomSource(1);
    let (mut right, mut wrong) = (0, 0);
    for round in 0..2_000 {
        let mut text: String = models[round % models.len()].clone();
        for _ in 0..=dice.below(3) {
            if !text.is_empty() {
                text = mutated(&text, &mut dice);
            }
        }
        match read(&text) {
            Ok(_) => right += 1,
            Err(errors) => {
                assert!(!errors.is_empty());
                wrong += 1;
            }
        }
    }
    assert!(right > 30 && wrong > 1_000, "{right} right, {wrong} wrong");
}

fn with_guard(guard: &str) -> String {
    let head = "mandala-ir 2\nmodel promela, wrapping 32\nglobal x: u8\nprocess p() {\n  entry s0\n  location s0\n";
    format!("{head}    s0 -> s0 when {guard}\n}}\nstart p()\n")
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, close: &str| {
        with_guard(&(open.repeat(100_000) + "x" + &close.repeat(100_000)))
    };
    for (open, close) in [
        ("(", ")"),
        ("!", ""),
        ("-", ""),
        ("x[", "]"),
        ("defined(", ")"),
        ("1 ? x : (", ")"),
    ] {
        let errors = read(&deep(open, close)).expect_err("too deep");
        assert!(
            errors.contains("nested more than 400 deep"),
            "{open}: {errors}"
        );
    }
    let chain = with_guard(&"x + ".repeat(100_000)) + "x";
    let errors = read(&chain).expect_err("too high");
    assert!(errors.contains("higher than 2000"), "{errors}");
    let formula =
        |text: String| format!("mandala-ir 2\nmodel red, checked 64\nproperty p ctl {text}\n");
    for deep in [
        "AX ".repeat(100_000),
        "(".repeat(100_000),
        "A[".repeat(100_000),
    ] {
        let errors = read(&formula(deep)).expect_err("too deep");
        assert!(errors.contains("nested more than"), "{errors}");
    }
    let errors = read(&formula("c0 && ".repeat(100_000))).expect_err("too long");
    assert!(errors.contains("at most 1000 operators"), "{errors}");
}

/// What can be read can be used: the limits of the reader are not beyond what the rest of the program can walk.
#[test]
fn what_is_just_not_too_deep_can_be_read() {
    for guard in [
        "(".repeat(190) + "x" + &")".repeat(190),
        "x + ".repeat(1_500) + "x",
    ] {
        read(&with_guard(&guard)).expect("not too deep");
    }
}
