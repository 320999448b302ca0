//! Random families of processes in Promela, which share variables: atomic sequences that may block, `d_step`, `else`, `goto`, `unless`, `provided`, variables of
//! their own, another family of a fixed size; seldom what is refused: `_pid`, `timeout`, channels, `run`, processes that end.

use super::dice::RandomSource;

/// The text of a random system.
pub(super) fn text(seed: u64) -> String {
    let mut dice = RandomSource(seed ^ 0xfa111e5);
    let refused = dice.chance(12);
    let mut writer = Writer {
        dice,
        refused,
        label: 0,
    };
    writer.text()
}

struct Writer {
    dice: RandomSource,
    /// Whether it may have what is refused.
    refused: bool,
    label: usize,
}

impl Writer {
    fn condition(&mut self, depth: usize) -> String {
        match self.dice.below(11) {
            0 | 1 => format!("g == {}", self.dice.below(3)),
            2 => "b".into(),
            3 => "!b".into(),
            4 => format!(
                "mine {} {}",
                self.dice.pick(&["==", "!="]),
                self.dice.below(3)
            ),
            5 => "mine == g".into(),
            6 => format!("x[{}] == {}", self.dice.below(2), self.dice.below(2)),
            7 => "x[mine % 2] == 0".into(),
            8 if depth < 2 => format!("!({})", self.condition(depth + 1)),
            9 if depth < 2 => format!(
                "({} {} {})",
                self.condition(depth + 1),
                self.dice.pick(&["&&", "||"]),
                self.condition(depth + 1)
            ),
            10 if self.refused => self
                .dice
                .pick(&[
                    "_pid == 1",
                    "timeout",
                    "_nr_pr > 2",
                    "len(c) == 0",
                    "P[0]:mine == 1",
                ])
                .into(),
            _ => "true".into(),
        }
    }

    fn change(&mut self) -> String {
        match self.dice.below(9) {
            0 => format!("g = {}", self.dice.below(3)),
            1 => "g = (g + 1) % 3".into(),
            2 => "b = !b".into(),
            3 => format!("mine = {}", self.dice.below(3)),
            4 => "mine = g".into(),
            5 => format!("x[{}] = {}", self.dice.below(2), self.dice.below(2)),
            6 => "x[mine % 2] = b".into(),
            7 => "g = mine".into(),
            _ => "b = (g == 1)".into(),
        }
    }

    fn simple(&mut self) -> String {
        match self.dice.below(12) {
            0..=4 => self.change(),
            5 | 6 => self.condition(0),
            7 => "skip".into(),
            8 if self.dice.chance(40) => format!("assert({})", self.condition(0)),
            9 => "printf(\"%d\", mine)".into(),
            10 if self.refused => self.dice.pick(&["c!1", "c?_", "run Q()"]).into(),
            _ => self.change(),
        }
    }

    fn sequence(&mut self, depth: usize) -> String {
        let count = 1 + self.dice.below(3);
        let parts: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        parts.join("; ")
    }

    fn options(&mut self, depth: usize) -> String {
        let count = 1 + self.dice.below(2);
        let mut options: Vec<String> = (0..count)
            .map(|_| format!(":: {} -> {}", self.condition(0), self.sequence(depth + 1)))
            .collect();
        if self.dice.chance(50) {
            options.push(format!(":: else -> {}", self.sequence(depth + 1)));
        }
        options.join(" ")
    }

    /// What may stand inside of `d_step`: it must not block.
    fn certain(&mut self) -> String {
        let count = 1 + self.dice.below(2);
        let mut parts: Vec<String> = (0..count).map(|_| self.change()).collect();
        if self.dice.chance(40) {
            let (condition, yes, no) = (self.condition(0), self.change(), self.change());
            parts.push(format!("if :: {condition} -> {yes} :: else -> {no} fi"));
        }
        parts.join("; ")
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.dice.below(12) {
            0 | 1 if depth < 2 => format!("if {} fi", self.options(depth)),
            2 if depth < 2 => format!("atomic {{ {}; {} }}", self.condition(0), self.sequence(2)),
            3 | 4 if depth < 2 => {
                format!("d_step {{ {}; {} }}", self.condition(0), self.certain())
            }
            5 if depth < 1 => format!("do {} :: b -> break od", self.options(1)),
            6 if depth < 1 => {
                format!(
                    "{{ {} }} unless {{ {}; {} }}",
                    self.sequence(2),
                    self.condition(0),
                    self.change()
                )
            }
            7 if depth < 1 => {
                self.label += 1;
                let label = self.label;
                format!(
                    "L{label}: {}; if :: {} -> goto L{label} :: else fi",
                    self.simple(),
                    self.condition(0)
                )
            }
            _ => self.simple(),
        }
    }

    fn process(&mut self, head: &str) -> String {
        let provided = match self.dice.chance(10) {
            true => " provided (!b || g == 1)",
            false => "",
        };
        let ends = match self.refused && self.dice.chance(30) {
            true => ":: b -> break",
            false => "",
        };
        let count = 1 + self.dice.below(3);
        let options: Vec<String> = (0..count)
            .map(|_| format!(":: {}", self.sequence(0)))
            .collect();
        format!(
            "{head}(){provided} {{ byte mine; end: do {} {ends} od }}",
            options.join(" ")
        )
    }

    fn text(&mut self) -> String {
        let family = self.process("active [N] proctype P");
        let other = match self.dice.chance(35) {
            true => self.process("active [2] proctype Q"),
            false if self.refused => "proctype Q() { skip }".into(),
            false => String::new(),
        };
        let channel = if self.refused {
            "chan c = [1] of { byte };"
        } else {
            ""
        };
        format!(
            "#ifndef N\n#define N 3\n#endif\nbyte g; bool b; bit x[2]; {channel}\n{family}\n{other}\n"
        )
    }
}
