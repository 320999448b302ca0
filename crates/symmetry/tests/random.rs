//! Random models, symmetric or not: whatever is certified must stand up to brute force.

use crate::common::{Judgement, judge, judge_certificate, load};

/// How many models are tried; the number of one is its seed.
const MODELS: u64 = 400;

/// How many states of each are looked at.
const STATES: usize = 120;

/// A source of choices that a seed repeats.
struct RandomSource(u64);

impl RandomSource {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.roll(list.len())]
    }

    /// True one time in `sides`.
    fn rarely(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// How often a model does something that tells names apart: one time in so many.
struct Writer {
    dice: RandomSource,
    naughty: usize,
    /// What is added to a name to get the index of its element.
    shift: &'static str,
}

impl Writer {
    fn name(&mut self) -> String {
        if self.dice.rarely(self.naughty) {
            return self
                .dice
                .pick(&["0", "1", "2", "2 - _pid", "3", "l + 1", "l ^ 1", "2 - l"])
                .into();
        }
        let names = ["_pid", "l", "p", "255", "q[_pid]", "_pid", "l", "e.who"];
        self.dice.pick(&names).into()
    }

    /// A name that an array may have an element for.
    fn index(&mut self) -> String {
        let name = self.name();
        let name = if name == "255" { "_pid" } else { &name };
        format!("{name}{}", self.shift)
    }

    fn number(&mut self) -> String {
        if self.dice.rarely(self.naughty) {
            return self
                .dice
                .pick(&["_pid", "l", "a[1]", "q[0]", "len(m[2])"])
                .into();
        }
        match self.dice.roll(7) {
            0 => "k".into(),
            1 => "x".into(),
            2 => "a[_pid]".into(),
            3 => format!("({} == {})", self.name(), self.name()),
            4 => "(a[0] + a[1] + a[2])".into(),
            5 => "len(m[_pid])".into(),
            _ => self.dice.pick(&["0", "1", "2"]).into(),
        }
    }

    fn condition(&mut self) -> String {
        if self.dice.rarely(self.naughty) {
            let odd = [
                "_pid == 1",
                "p < l",
                "a[0] == 1",
                "l",
                "a[1] == a[2]",
                "_last == 0",
                "m[1] == m[0]",
                "p == 0 || p == 1",
                "P[1]:k == 0",
                "nempty(m[0])",
                "l < 2",
                "(q[_pid] & 1) == 0",
            ];
            return self.dice.pick(&odd).into();
        }
        match self.dice.roll(9) {
            8 => self.dice.pick(&["l > 9", "p == 255 || p > 9"]).into(),
            0 => format!("{} == {}", self.name(), self.name()),
            1 => format!("{} != {}", self.name(), self.name()),
            2 => format!("{} == {}", self.number(), self.number()),
            3 => format!("{} < {}", self.number(), self.number()),
            4 => "(a[0] == 0 && a[1] == 0 && a[2] == 0)".into(),
            5 => "(p == 0 || p == 1 || p == 2)".into(),
            6 => "nempty(m[_pid])".into(),
            _ => "l != 255 && a[l] == 0".into(),
        }
    }

    fn change(&mut self) -> String {
        match self.dice.roll(9) {
            0 => format!("p = {}", self.name()),
            1 => format!("l = {}", self.name()),
            2 => format!("q[_pid] = {}", self.name()),
            3 => format!("a[_pid] = {} % 2", self.number()),
            4 => format!("x = {} % 3", self.number()),
            5 => format!("k = {} % 2", self.number()),
            6 => format!("e.who = {}", self.name()),
            7 => format!("assert({})", self.condition()),
            _ => format!("{} -> q[{}] = 255", self.condition(), self.index()),
        }
    }

    fn message(&mut self) -> String {
        match self.dice.roll(14) {
            0 => format!("c ! {}, {}", self.name(), self.number()),
            1 => "c ? l, k".into(),
            2 => format!("c ? eval({}), k", self.name()),
            3 => format!("r ! {}", self.name()),
            4 => "r ? l".into(),
            5 => format!("m[{}] ! {}", self.index(), self.name()),
            6 => "m[_pid] ? l".into(),
            7 => "c ?? l, k".into(),
            8 => "m[_pid] ?? eval(l)".into(),
            9 => format!("h ! own, {}", self.name()),
            10 => "h ? o, l".into(),
            11 => "o != 0 -> o ! l".into(),
            12 => "own ? l".into(),
            _ => format!("c ?? [eval({}), k] -> k = 0", self.name()),
        }
    }

    fn block(&mut self) -> String {
        let (a, b) = (self.change(), self.change());
        match self.dice.roll(10) {
            0 => format!("d_step {{ {} -> {a}; {b} }}", self.condition()),
            1 => format!("atomic {{ {} -> {a}; {b} }}", self.condition()),
            2 => "d_step { for (i : 0 .. 2) { a[i] = 0 } }".into(),
            3 => format!(
                "d_step {{ k = 1; for (i : 0 .. 2) {{ k = k && {} }} }}",
                self.looped()
            ),
            4 => "atomic { select(l : 0 .. 2) }".into(),
            5 => "if :: l = 0 :: l = 1 :: l = 2 fi".into(),
            6 => format!("if :: {} -> {a} :: else -> {b} fi", self.condition()),
            7 => format!("{{ {a}; {b} }} unless {{ {} }}", self.condition()),
            8 => format!("atomic {{ {}; {a} }}", self.message()),
            _ => format!(
                "d_step {{ if :: {} -> {a} :: else -> {b} fi }}",
                self.condition()
            ),
        }
    }

    fn looped(&mut self) -> &'static str {
        let looped = ["(i == _pid || a[i] == 0)", "q[i] != _pid", "(q[i] == 255)"];
        if self.dice.rarely(self.naughty) {
            return self
                .dice
                .pick(&["q[i] != i + 1", "a[i] == i", "(i < _pid || a[i] == 0)"]);
        }
        self.dice.pick(&looped)
    }

    fn statement(&mut self) -> String {
        match self.dice.roll(8) {
            0..3 => self.change(),
            3 => format!("{} -> {}", self.condition(), self.change()),
            4 | 5 => self.message(),
            _ => self.block(),
        }
    }

    fn choices(&mut self, count: usize) -> String {
        let choice = |w: &mut Self| format!("    :: {}\n", w.statement());
        (0..count).map(|_| choice(self)).collect()
    }

    fn model(&mut self) -> String {
        let claim = match self.dice.roll(5) {
            0 => "never { do :: x > 1 && p == 255 -> break :: else od }\n",
            1 => "ltl { [] (!(P[0]@again && P[1]@again && P[2]@again)) }\n",
            2 if self.dice.rarely(2) => "never { do :: p == 1 -> break :: else od }\n",
            3 if self.dice.rarely(2) => "trace { do :: c ! _, _ ; c ? _, _ od }\n",
            4 if self.dice.rarely(3) => "notrace { do :: c ! 1, _ ; c ? _, _ od }\n",
            _ => "",
        };
        let count = 2 + self.dice.roll(3);
        let ours = self.choices(count);
        let theirs = self.choices(2);
        format!(
            "typedef E {{ pid who = 255; byte n }};
byte x; pid p = 255; byte a[4]; pid q[4] = 255; hidden byte i; E e;
chan c = [1] of {{ pid, byte }}; chan r = [0] of {{ pid }}; chan m[4] = [1] of {{ pid }};
chan h = [1] of {{ chan, pid }};
active [3] proctype P() {{
    pid l = 255; byte k; chan own = [1] of {{ pid }}; chan o;
again:
    do
{ours}    od
}}
active proctype W() {{
    pid l = 255; byte k; chan own = [1] of {{ pid }}; chan o;
    do
{theirs}    od
}}
{claim}"
        )
    }
}

#[test]
fn no_random_model_is_certified_against_the_facts() {
    let families: &[(&str, &[u32])] = &[("P", &[0, 1, 2])];
    let mut certified = 0;
    let mut refused = 0;
    for seed in 0..MODELS {
        let text = random_text(seed, "");
        let loaded = load(&text, &[]);
        let Ok(certificate) = loaded.certify(families) else {
            refused += 1;
            continue;
        };
        certified += 1;
        let candidate = loaded.candidate(families);
        match judge(&loaded, certificate.sorts(), &candidate, STATES) {
            Judgement::Symmetric { checks, .. } => assert!(checks > 0, "seed {seed}"),
            Judgement::Asymmetric(state) => panic!("seed {seed}: {state}\n{text}"),
        }
    }
    // Neither kind may be missing, or the test shows nothing.
    assert!(certified * 5 > MODELS, "{certified} certified");
    assert!(refused * 5 > MODELS, "{refused} refused");
}

/// A random model; with offsets where it is shifted.
pub fn random_text(seed: u64, shift: &'static str) -> String {
    let naughty = [5, 15, 60][(seed % 3) as usize];
    let dice = RandomSource(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let writer = Writer {
        dice,
        naughty,
        shift,
    };
    { writer }.model()
}

/// The same models, of processes that are told their names when they start.
pub fn with_names(text: &str, seed: u64) -> String {
    let claims = text.lines().filter(|line| !line.starts_with("ltl"));
    let text = claims.collect::<Vec<_>>().join("\n");
    let text = text.replace("P[1]:k", "k").replace("_pid", "id");
    let text = text.replace("active [3] proctype P() {", "proctype P(byte id) {");
    let text = text.replace(
        "active proctype W() {",
        "active proctype W() { byte id = 1;",
    );
    let start = [
        "run P(0); run P(1); run P(2)",
        "atomic { run P(2); run P(1); run P(0) }",
        "byte n; do :: n < 3 -> run P(n); n++ :: else -> break od",
        "run P(0); p = 1; run P(1); a[2] = 1; run P(2)",
    ][(seed % 4) as usize];
    format!("{text}\ninit {{ {start} }}")
}

/// The same models, of processes that have the numbers 1 to 3 and whose elements start at 0.
pub fn with_offsets(text: &str) -> String {
    let text = text
        .replace("[_pid]", "[_pid - 1]")
        .replace("[l]", "[l - 1]");
    let text = text.replace("l : 0 .. 2", "l : 1 .. 3");
    let text = text.replace(":: l = 0 :: l = 1 :: l = 2", ":: l = 1 :: l = 2 :: l = 3");
    let text = text.replace("p == 0 || p == 1 || p == 2", "p == 1 || p == 2 || p == 3");
    let text = text.replace("(i == _pid ||", "(i == _pid - 1 ||");
    let again = "P[0]@again && P[1]@again && P[2]@again";
    let text = text.replace(again, "P[1]@again && P[2]@again && P[3]@again");
    let first = "active proctype Z() { do :: x = 0 :: x == 2 -> p = 255 od }";
    text.replace("active [3]", &format!("{first}\nactive [3]"))
}

/// How many of the models are found to have a symmetry, all of them rightly.
fn detected(shift: &'static str, models: u64, change: impl Fn(&str, u64) -> String) -> [u64; 3] {
    let mut found = [0; 3];
    for seed in 0..models {
        let text = change(&random_text(seed, shift), seed);
        let loaded = load(&text, &[]);
        let Some(certificate) = loaded.detect().certificate else {
            found[0] += 1;
            continue;
        };
        found[certificate.domains().len().min(2)] += 1;
        if let Judgement::Asymmetric(state) = judge_certificate(&loaded, &certificate, STATES) {
            let domains = loaded.summary(&certificate);
            panic!("seed {seed}, {domains:?}: {state}\n{text}");
        }
    }
    found
}

#[test]
fn no_random_model_with_names_is_certified_against_the_facts() {
    let models = 250;
    let [none, one, more] = detected("", models, with_names);
    assert!(
        one * 10 > models && more * 10 > models,
        "{none} {one} {more}"
    );
}

#[test]
fn no_random_model_with_offsets_is_certified_against_the_facts() {
    let models = 200;
    let [none, one, more] = detected(" - 1", models, |text, _| with_offsets(text));
    let found = one + more;
    assert!(found * 8 > models && none * 20 > models, "{none} {found}");
}
