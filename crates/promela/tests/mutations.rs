//! Damaged models: the front end never panics and never hangs, and a model that it lets pass holds
//! what the verifier of models asks for.
//!
//! Input number `i` depends on `i` alone, so a failure is repeated by running that number. The inputs
//! are models (those of other projects if they are there, the wrong models of this crate, and one that
//! has every construct) after one to four random edits.

use crate::support::{corpus, parse_text};
use mandala_model::diagnostic::{Diagnostic, has_errors};
use mandala_model::model::UncheckedModel;
use mandala_model::source::{SourceText, Sources};
use mandala_model::verify::verify;
use mandala_promela::{ParseOptions, load};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const INPUTS: u64 = 100_000;
const WORKERS: u64 = 2;
/// Far more than any input needs, also on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

#[test]
fn damaged_models_neither_panic_nor_hang() {
    let seeds = seeds();
    let (done, finished) = mpsc::channel();
    for worker in 0..WORKERS {
        let (seeds, done) = (seeds.clone(), done.clone());
        std::thread::spawn(move || {
            for number in (worker..INPUTS).step_by(WORKERS as usize) {
                if done.send((number, run(&seeds, number))).is_err() {
                    return;
                }
            }
        });
    }
    drop(done);
    let mut count = 0;
    loop {
        match finished.recv_timeout(LONGEST * 2) {
            Ok((_, Ok(()))) => count += 1,
            Ok((number, Err(why))) => panic!("input {number}: {why}\n{}", input(&seeds, number)),
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("an input after number {count} hangs"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    assert_eq!(count, INPUTS);
}

/// Declarations that fit the model of [`damaged_declarations_do_neither`].
const DECLARATIONS: [&str; 3] = [
    "scalarset ID = 1..3: P.id, turn, ID next[ID]; symmetric P",
    "scalarset A[N]: ring[A] {_, {_, B}}; scalarset B[2]: Item.who, B P.it.who, Row.c[A]",
    "#if N > 2\nsymmetric P, Q\n#endif\nscalarset C[SIZE(1)]: C table[C].c[], Item.tag",
];

#[test]
fn damaged_declarations_do_neither() {
    const MODEL: &str = "#define N 3\n#define SIZE(x) (x + 2)\ntypedef Item { byte tag, who }\ntypedef Row { byte c[4] }\nbyte turn, next[4]; Row table[3];\nchan ring[3] = [1] of { byte, Item };\nproctype P(byte id) { Item it; turn = id }\nactive [2] proctype Q() { run P(1) }\n";
    let seeds = DECLARATIONS.map(String::from);
    let mut accepted = 0;
    for number in 0..20_000 {
        let text = input(&seeds, number);
        let options = ParseOptions {
            declarations: Some(SourceText::new("m.sym", text.as_str())),
            ..ParseOptions::default()
        };
        let mut sources = Sources::default();
        let file = sources.add(SourceText::new("m.pml", MODEL));
        let (model, diagnostics) = load(&mut sources, file, &options);
        assert_eq!(model.is_none(), has_errors(&diagnostics), "{text}");
        if let Some(model) = model {
            accepted += 1;
            verify(model).unwrap_or_else(|broken| panic!("{}: {text}", broken[0]));
        }
    }
    assert!(accepted > 500, "only {accepted} were right");
}

/// Runs one input.
fn run(seeds: &[String], number: u64) -> Result<(), String> {
    let text = input(seeds, number);
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| load_text(&text)));
    match result {
        Err(_) => Err("panics".to_string()),
        Ok(_) if start.elapsed() > LONGEST => Err(format!("takes {:?}", start.elapsed())),
        Ok((None, diagnostics)) if !has_errors(&diagnostics) => {
            Err("gives neither a model nor an error".to_string())
        }
        Ok((Some(model), _)) => verify(model)
            .map(|_| ())
            .map_err(|broken| broken[0].to_string()),
        Ok(_) => Ok(()),
    }
}

fn load_text(text: &str) -> (Option<UncheckedModel>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(SourceText::new("m.pml", text));
    load(&mut sources, file, &ParseOptions::default())
}

fn seeds() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = [tests.join("seeds"), tests.join("bad_models")];
    let own = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of the crate"));
    let mut paths: Vec<_> = own
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_small_model(path))
        .collect();
    paths.sort();
    paths.extend(corpus());
    let texts = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok());
    texts.filter(|text| text.len() < 6000).collect()
}

/// Models that exist to reach a limit take a tenth of a second each; they have tests of their own.
fn is_small_model(path: &Path) -> bool {
    let limit = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("limit_"));
    path.extension().is_some_and(|extension| extension == "pml") && !limit
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
        text = mutate(&text, seeds, &mut random);
    }
    text
}

fn mutate(text: &str, seeds: &[String], random: &mut Random) -> String {
    match random.below(8) {
        0 => flip_bytes(text, random),
        1 => text[..boundary(text, random)].to_string(),
        2 => {
            let other = &seeds[random.below(seeds.len())];
            splice(text, other, random)
        }
        _ => edit_tokens(text, random),
    }
}

fn flip_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The start of one text and the end of another.
fn splice(text: &str, other: &str, random: &mut Random) -> String {
    let (head, tail) = (boundary(text, random), boundary(other, random));
    format!("{}{}", &text[..head], &other[tail..])
}

/// Deletes, repeats, swaps or inserts a token.
fn edit_tokens(text: &str, random: &mut Random) -> String {
    const INSERTED: [&str; 23] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "::",
        "->",
        ";",
        " if ",
        " fi ",
        " do ",
        " od ",
        " else ",
        "\n#define x (",
        "\n#if ",
        "\n#include \"m.pml\"\n",
        " inline f(a) {",
        " ltl {",
        "\"",
        "\n//@ scalarset A = 1..2: ",
        "/*@ symmetric ",
        "*/",
    ];
    let mut tokens = tokens_of(text);
    let at = random.below(tokens.len());
    let other = random.below(tokens.len());
    if tokens.is_empty() {
        return random.pick(&INSERTED).to_string();
    }
    match random.below(5) {
        0 => {
            tokens.remove(at);
        }
        1 => tokens.insert(at, tokens[at]),
        2 => tokens.swap(at, other),
        3 => tokens.insert(at, tokens[other]),
        _ => tokens.insert(at, INSERTED[random.below(INSERTED.len())]),
    }
    tokens.concat()
}

/// Words, blanks and single characters.
fn tokens_of(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| class(c) == class(first) && class(c) != 3;
        let length = rest
            .find(|c| !same(c))
            .unwrap_or(rest.len())
            .max(first.len_utf8());
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

#[test]
fn nesting_of_every_kind_is_bounded() {
    let deep = [
        ("(", ")"),
        ("!", ""),
        ("-", ""),
        ("a[", "]"),
        ("1 + (2 * ", ")"),
        ("(1 -> 2 : ", ")"),
        ("run P(", ")"),
        ("enabled(", ")"),
        ("a || b && c == d + e * (", ")"),
    ];
    for (open, close) in deep {
        check_bounded(&format!(
            "init {{ x = {}1{} }}",
            open.repeat(50_000),
            close.repeat(50_000)
        ));
    }
    let statements = [
        ("{", "}"),
        ("atomic {", "}"),
        ("if :: ", " fi "),
        ("do :: if :: ", " fi od "),
        ("L: ", ""),
        ("for (i : 0 .. 1) {", "}"),
        ("{ skip } unless {", "}"),
        ("q?(", ")"),
        ("q?a(", ")"),
    ];
    for (open, close) in statements {
        check_bounded(&format!(
            "init {{ {}skip{} }}",
            open.repeat(50_000),
            close.repeat(50_000)
        ));
    }
    check_bounded(&format!(
        "ltl {{ {}p{} }}",
        "[] (".repeat(50_000),
        ")".repeat(50_000)
    ));
    check_bounded(&"//@ symmetric P ".repeat(50_000));
    check_bounded(&format!(
        "//@ scalarset A[2]: q {}A{}",
        "{".repeat(50_000),
        "}".repeat(50_000)
    ));
    check_bounded(&format!(
        "#if {}1{}\n#endif",
        "(".repeat(50_000),
        ")".repeat(50_000)
    ));
}

fn check_bounded(text: &str) {
    let (_, _, diagnostics) = parse_text("m.pml", text, &ParseOptions::default());
    assert!(!diagnostics.is_empty(), "{}", &text[..40]);
}

#[test]
fn long_but_flat_models_are_fine() {
    let long = "x = 1; ".repeat(50_000);
    let wide = " :: x == 1 -> skip".repeat(20_000);
    let text = format!("byte x; init {{ {long} do {wide} od }}");
    let (_, program, diagnostics) = parse_text("m.pml", &text, &ParseOptions::default());
    assert_eq!((program.units.len(), diagnostics.len()), (2, 0));
}

#[test]
fn ten_megabytes_of_noise_end_in_errors() {
    let mut random = Random::new(7);
    let bytes: Vec<u8> = (0..10_000_000).map(|_| random.below(256) as u8).collect();
    let text = String::from_utf8_lossy(&bytes);
    let start = Instant::now();
    check_bounded(&text);
    assert!(start.elapsed() < LONGEST, "{:?}", start.elapsed());
}
