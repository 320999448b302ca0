//! Random pointer automata, as texts.
//!
//! Most of them name no process, so that all processes are interchangeable. The others name one, compare addresses by order or
//! calculate with them: what is proven of these has to be just as true.

use crate::random::RandomSource;
use std::fmt::Write;

const MODES: [&str; 4] = ["one", "two", "three", "four"];
const POINTERS: [&str; 2] = ["next", "prev"];
const GLOBALS: [&str; 2] = ["head", "tail"];

/// The model of that seed.
pub fn model(seed: u64) -> String {
    let mut dice = RandomSource::new(seed);
    let named = dice.chance(25);
    let modes = 2 + dice.below(MODES.len() - 1);
    Author { dice, named, modes }.model()
}

struct Author {
    dice: RandomSource,
    /// Whether processes may be told apart.
    named: bool,
    modes: usize,
}

impl Author {
    fn model(&mut self) -> String {
        let mut text = format!("process count = {};\n", self.dice.between(2, 3));
        text += "global pointer head, tail;\nglobal discrete turn: 0..2;\n";
        text += "local pointer next, prev;\nlocal discrete flag, level: 0..2;\n";
        for mode in &MODES[..self.modes] {
            let invariant = match self.dice.chance(15) {
                true => self.variables_only(),
                false => "true".to_string(),
            };
            let _ = writeln!(text, "mode {mode} {invariant} {{");
            for _ in 0..self.dice.between(1, 2) {
                text += &self.rule();
            }
            text += "}\n";
        }
        let _ = writeln!(text, "initially {};", self.initially());
        let _ = writeln!(text, "risk {};", self.risk());
        text
    }

    fn rule(&mut self) -> String {
        let guard = match self.dice.below(3) {
            0 => "true".to_string(),
            1 => self.atom(),
            _ => format!(
                "{} {} {}",
                self.atom(),
                self.dice.pick(&["and", "or"]),
                self.atom()
            ),
        };
        let mut text = format!("  when {guard} may ");
        for _ in 0..self.dice.below(3) {
            text += &self.assignment();
        }
        if self.dice.chance(80) {
            let _ = write!(text, "goto {};", self.mode());
        }
        text + " ;\n"
    }

    fn mode(&mut self) -> &'static str {
        MODES[self.dice.below(self.modes)]
    }

    /// An address that a process can name; most of them may be NULL.
    fn pointer(&mut self) -> String {
        match self.dice.below(8) {
            0 | 1 => self.dice.pick(&GLOBALS).to_string(),
            2..=4 => self.dice.pick(&POINTERS).to_string(),
            5 => format!(
                "{}->{}",
                self.dice.pick(&GLOBALS),
                self.dice.pick(&POINTERS)
            ),
            6 => format!(
                "{}->{}",
                self.dice.pick(&POINTERS),
                self.dice.pick(&POINTERS)
            ),
            _ if self.named => {
                format!("{}[{}]", self.dice.pick(&POINTERS), self.dice.between(1, 2))
            }
            _ => "P".to_string(),
        }
    }

    fn address(&mut self) -> String {
        match self.dice.below(6) {
            0 => "NULL".to_string(),
            1 | 2 => "P".to_string(),
            3 if self.named => self
                .dice
                .pick(&["1", "2", "next + 1", "head - 1"])
                .to_string(),
            _ => self.pointer(),
        }
    }

    fn number(&mut self) -> String {
        let kinds = [
            "0",
            "1",
            "2",
            "turn",
            "flag",
            "level",
            "level + 1",
            "turn - 1",
            "next->level",
            "2 / level",
        ];
        self.dice.pick(&kinds).to_string()
    }

    fn atom(&mut self) -> String {
        let order = match self.named {
            true => ["==", "!=", "<", ">="],
            false => ["==", "!=", "==", "!="],
        };
        match self.dice.below(5) {
            0 => format!(
                "{} {} {}",
                self.number(),
                self.dice.pick(&["==", "<", ">="]),
                self.number()
            ),
            1 => format!("{}->{}", self.dice.pick(&POINTERS), self.mode()),
            2 => format!("not ({} == {})", self.pointer(), self.address()),
            _ => format!(
                "{} {} {}",
                self.pointer(),
                self.dice.pick(&order),
                self.address()
            ),
        }
    }

    /// A condition that asks for no mode.
    fn variables_only(&mut self) -> String {
        let kinds = [
            "level <= 1",
            "next != P",
            "turn == 0 or flag == 0",
            "prev == NULL or prev->level < 2",
            "head->level == 0",
        ];
        self.dice.pick(&kinds).to_string()
    }

    fn assignment(&mut self) -> String {
        match self.dice.below(6) {
            0 | 1 => format!("{} = {}; ", self.dice.pick(&POINTERS), self.address()),
            2 => format!("{} = {}; ", self.dice.pick(&GLOBALS), self.address()),
            3 => format!(
                "{} = {}; ",
                self.dice.pick(&["turn", "flag", "level"]),
                self.number()
            ),
            4 => format!(
                "{}->{} = {}; ",
                self.dice.pick(&POINTERS),
                self.dice.pick(&POINTERS),
                self.address()
            ),
            _ => format!(
                "{}->{} = {}; ",
                self.dice.pick(&GLOBALS),
                self.dice.pick(&["flag", "level"]),
                self.number()
            ),
        }
    }

    fn initially(&mut self) -> String {
        let shared = [
            "true",
            "forall i: one[i]",
            "head == NULL",
            "forall i: next[i] == i",
            "tail != NULL",
            "exists i: level[i] == 1 and forall j: level[j] < 2",
        ];
        let named = [
            "next[1] == 2",
            "head == 1",
            "level[2] == 1 and prev[1] != 1",
        ];
        match self.named && self.dice.chance(50) {
            true => self.dice.pick(&named).to_string(),
            false => self.dice.pick(&shared).to_string(),
        }
    }

    fn risk(&mut self) -> String {
        let [mode, other] = [self.mode(), self.mode()];
        let shared = [
            format!("exists i, j: i < j and {mode}[i] and {other}[j]"),
            format!("forall i: {mode}[i] and next[i] != NULL"),
            format!("head != NULL and exists i: next[i] == head and {mode}[i]"),
            format!("exists i: prev[i] == i and mode[i] > 0 and {mode}[i]"),
            "tail->level == 2".to_string(),
            "false".to_string(),
        ];
        let named = [
            format!("{mode}[1] and next[1] == 2"),
            format!("{mode}[2] and head > tail"),
        ];
        match self.named && self.dice.chance(50) {
            true => self.dice.pick(&named),
            false => self.dice.pick(&shared),
        }
    }
}
