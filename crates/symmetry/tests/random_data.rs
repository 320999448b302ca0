//! Random models that compute with bits and labels, and fail in doing so now and then: whatever group is found must stand
//! up to brute force. What tells labels apart comes in such a way that it is often hidden by something that can be undone.

use crate::common::{Judgement, judge_group, load};
use mandala_symmetry::{Certificate, DomainKind};

/// How many models are tried; the number of one is its seed.
const MODELS: u64 = 300;

/// How many states of each are looked at.
const STATES: usize = 100;

/// A source of choices that a seed repeats.
struct RandomSource(u64);

impl RandomSource {
    fn roll(&mut self, sides: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.roll(list.len())]
    }
}

/// Writes models in which every so many choices tell labels apart.
struct Writer {
    dice: RandomSource,
    naughty: usize,
}

impl Writer {
    fn naughty(&mut self) -> bool {
        self.dice.roll(self.naughty) == 0
    }

    /// Somewhere a label is kept; one of them may not be there.
    fn label(&mut self) -> &'static str {
        self.dice
            .pick(&["c", "z[_pid]", "l", "c", "z[1]", "s.z[k]", "z[k]"])
    }

    fn bit(&mut self) -> &'static str {
        self.dice.pick(&["b", "f[_pid]", "o", "b", "f[2]", "f[k]"])
    }

    /// What is done to a label before it is looked at: most of these can be undone.
    fn treated(&mut self, how: usize, label: &str) -> String {
        match how {
            0 => label.into(),
            1 => format!("(({label} + 1) % 3)"),
            2 => format!("(2 - {label})"),
            3 => format!("(({label} + 2) % 3)"),
            4 => format!("(({label} ^ 1) + 1)"),
            5 => format!("({label} + {label})"),
            // These cannot be, or fail.
            6 => format!("({label} / 2)"),
            7 => format!("(6 / {label})"),
            8 => format!("(4 / (3 - {label}))"),
            _ => format!("(1 << ({label} - 1))"),
        }
    }

    fn function(&mut self) -> usize {
        match self.naughty() {
            true => 6 + self.dice.roll(4),
            false => self.dice.roll(6),
        }
    }

    fn condition(&mut self) -> String {
        let how = self.function();
        let (a, b) = (self.label(), self.label());
        let (a, b) = (self.treated(how, a), self.treated(how, b));
        let op = self.dice.pick(&["==", "!="]);
        if self.naughty() {
            let odd = [
                "c == 2",
                "l < c",
                "b && c == 0",
                "c == z[_pid] + 1",
                "b > o",
            ];
            return self.dice.pick(&odd).into();
        }
        match self.dice.roll(5) {
            0 => format!("1 - {} {op} 1 - {}", self.bit(), self.bit()),
            1 => format!("{} {op} {}", self.bit(), self.bit()),
            2 => format!("!{} {op} !{}", self.bit(), self.bit()),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn change(&mut self) -> String {
        let how = [0, 1, 3][self.dice.roll(3)];
        let label = self.label();
        let value = self.treated(how, label);
        match self.dice.roll(8) {
            0 => format!("c = {value}"),
            1 => format!("z[_pid] = {value}"),
            2 => format!("l = {value}"),
            3 => format!("b = 1 - {}", self.bit()),
            4 => format!("f[_pid] = !{}", self.bit()),
            5 => format!("o = {}", self.bit()),
            6 => "k = (k + 1) % 4".into(),
            _ => {
                let how = self.function();
                let label = self.label();
                format!("printf(\"%d\", {})", self.treated(how, label))
            }
        }
    }

    fn statement(&mut self) -> String {
        let (a, b) = (self.change(), self.change());
        match self.dice.roll(5) {
            0 => a,
            1 => format!("{} -> {a}", self.condition()),
            2 => format!("atomic {{ {} -> {a}; {b} }}", self.condition()),
            3 => format!(
                "d_step {{ {a}; if :: {} -> {b} :: else fi }}",
                self.condition()
            ),
            _ => format!("assert({})", self.condition()),
        }
    }

    fn model(&mut self) -> String {
        let count = 2 + self.dice.roll(3);
        let choices: String = (0..count)
            .map(|_| format!("    :: {}\n", self.statement()))
            .collect();
        let chosen = self
            .dice
            .pick(&["l = 0 :: l = 1 :: l = 2", "l = 0 :: l = 2", "l = c"]);
        format!(
            "typedef S {{ byte z[3] }};
bit b; bit f[3]; byte c; byte z[3]; S s; byte k;
active [3] proctype P() {{
    byte l; bit o;
    if :: {chosen} fi;
    do
{choices}    od
}}
"
        )
    }
}

#[test]
fn no_group_is_found_against_the_facts() {
    let mut with_labels = 0;
    for seed in 0..MODELS {
        let naughty = [4, 12, 50][(seed % 3) as usize];
        let dice = RandomSource(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text = Writer { dice, naughty }.model();
        let loaded = load(&text, &[]);
        let Some(certificate) = loaded.symmetry().certificate else {
            continue;
        };
        with_labels += u64::from(moves_labels(&certificate));
        if let Judgement::Asymmetric(state) = judge_group(&loaded, &certificate, STATES) {
            let summary = loaded.summary(&certificate);
            panic!("seed {seed}, {summary:?}: {state}\n{text}");
        }
    }
    // Neither kind may be missing, or the test shows nothing.
    let range = MODELS / 8..MODELS * 4 / 5;
    assert!(range.contains(&with_labels), "{with_labels}");
}

/// Whether labels are names that the group moves.
fn moves_labels(certificate: &Certificate) -> bool {
    let mut domains = certificate.domains().iter().enumerate();
    domains.any(|(index, domain)| {
        let labels =
            matches!(&domain.kind, DomainKind::Names { label, .. } if label == "c" || label == "l");
        labels && certificate.moves(index)
    })
}
