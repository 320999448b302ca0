//! Random models: a list of alternatives for each process, so that one that fails can be shrunk by leaving alternatives out.

use std::fmt::Write;

/// A small generator of numbers: the high bits of a linear congruence.
struct RandomSource(u64);

impl RandomSource {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u64) as usize]
    }
}

/// A random model: what each of its processes can do.
#[derive(Clone)]
pub struct Random {
    header: String,
    /// For each process, how it is declared and what it can do.
    processes: Vec<(String, Vec<String>)>,
    footer: String,
}

const HEADER: &str = "mtype = { red, green };
byte g; short h = -2; byte a[3]; bool f;
chan q = [2] of { byte, mtype }; chan s = [0] of { byte }; chan z = [1] of { chan };
proctype kid(byte n) { byte x = n; chan own = [1] of { byte }; do :: own!x; g = (g + 1) % 4 :: own?x :: break od }
";

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut dice = RandomSource(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let processes = (0..2 + dice.roll(2))
            .map(|number| process(&mut dice, number))
            .collect();
        let footer = match dice.roll(4) {
            0 => "never { do :: g == 3 && f -> break :: !f -> skip :: h < 0 od }\n",
            1 => "trace { do :: q!1,red; q?1,_ :: s!1 ; s?1 od }\n",
            _ => "",
        };
        Random {
            header: HEADER.to_string(),
            processes,
            footer: footer.to_string(),
        }
    }

    /// The same model without a claim or an observer of messages.
    pub fn unobserved(mut self) -> Self {
        self.footer.clear();
        self
    }

    pub fn text(&self) -> String {
        let mut text = self.header.clone();
        for (declaration, alternatives) in &self.processes {
            let body = alternatives.join("\n  :: ");
            let _ = writeln!(
                text,
                "{declaration} {{ byte x, y; mtype m; chan c;\n  do\n  :: {body}\n  od }}"
            );
        }
        text + &self.footer
    }

    /// All models with one alternative or process less.
    pub fn smaller(&self) -> Vec<Random> {
        let mut smaller = Vec::new();
        for (index, (_, alternatives)) in self.processes.iter().enumerate() {
            let mut without = self.clone();
            without.processes.remove(index);
            smaller.push(without);
            for skipped in (0..alternatives.len()).filter(|_| alternatives.len() > 1) {
                let mut without = self.clone();
                without.processes[index].1.remove(skipped);
                smaller.push(without);
            }
        }
        smaller
    }
}

fn process(dice: &mut RandomSource, number: u64) -> (String, Vec<String>) {
    let extra = match dice.roll(6) {
        0 => "provided (g < 3 || f)",
        _ => "",
    };
    let alternatives = (0..2 + dice.roll(4)).map(|_| statement(dice, 2)).collect();
    (format!("active proctype p{number}() {extra}"), alternatives)
}

/// A statement; `depth` bounds how deep others are inside it.
fn statement(dice: &mut RandomSource, depth: u32) -> String {
    let simple = depth == 0;
    match dice.roll(if simple { 9 } else { 16 }) {
        0..=2 => assignment(dice),
        3 => format!("{} -> {}", condition(dice), assignment(dice)),
        4 => dice
            .pick(&[
                "q!x,red",
                "q!!x,green",
                "q!g,m",
                "s!x",
                "s!1",
                "z!q",
                "q!300,red",
            ])
            .to_string(),
        5 => dice
            .pick(&[
                "q?x,m",
                "q?eval(x),_",
                "q??1,m",
                "q?<y,_>",
                "q?_,red",
                "s?x",
                "s?eval(y)",
                "z?c",
            ])
            .to_string(),
        6 => dice
            .pick(&[
                "c!2,red",
                "c?x,_",
                "nempty(q) && q?[1,red]",
                "len(c) > 0",
                "full(q) -> q?_,_",
            ])
            .to_string(),
        7 => format!("assert({})", condition(dice)),
        8 => dice
            .pick(&[
                "timeout -> f = 1",
                "break",
                "_nr_pr < 5 -> run kid(x)",
                "printf(\"%d\\n\", a[x])",
            ])
            .to_string(),
        9 | 10 => format!("atomic {{ {} }}", sequence(dice, depth)),
        11 => format!(
            "d_step {{ {}; {}; {} }}",
            condition(dice),
            assignment(dice),
            assignment(dice)
        ),
        12 => format!(
            "d_step {{ do :: y < 2 -> y++ :: else -> break od; {} }}",
            assignment(dice)
        ),
        13 => format!(
            "if :: {} -> {} :: else -> {} fi",
            condition(dice),
            sequence(dice, depth),
            statement(dice, 0)
        ),
        14 => format!(
            "{{ {} }} unless {{ {} -> {} }}",
            sequence(dice, depth),
            condition(dice),
            assignment(dice)
        ),
        _ => sequence(dice, depth),
    }
}

fn sequence(dice: &mut RandomSource, depth: u32) -> String {
    let statements: Vec<_> = (0..2 + dice.roll(2))
        .map(|_| statement(dice, depth - 1))
        .collect();
    statements.join("; ")
}

fn assignment(dice: &mut RandomSource) -> String {
    let place = dice.pick(&["g", "x", "y", "f", "a[x % 3]", "a[1]", "a[y]", "h", "m"]);
    match place {
        "m" => format!("m = {}", dice.pick(&["red", "green", "m"])),
        "h" => format!("h = ({}) % 3 - 1", value(dice, 2)),
        _ => format!("{place} = ({}) & 3", value(dice, 2)),
    }
}

fn value(dice: &mut RandomSource, depth: u32) -> String {
    let leaves = [
        "g", "x", "y", "f", "h", "a[0]", "a[x]", "a[y & 1]", "1", "2", "7", "_pid", "_nr_pr",
        "len(q)",
    ];
    if depth == 0 || dice.roll(3) == 0 {
        return dice.pick(&leaves).to_string();
    }
    let op = dice.pick(&[
        "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", "==",
    ]);
    let (left, right) = (value(dice, depth - 1), value(dice, depth - 1));
    match dice.roll(8) {
        0 => format!("-({left})"),
        1 => format!("({} -> {left} : {right})", condition(dice)),
        _ => format!("({left} {op} {right})"),
    }
}

fn condition(dice: &mut RandomSource) -> String {
    let relation = dice.pick(&["<", "<=", "==", "!=", ">", ">="]);
    let simple = format!("({} {relation} {})", value(dice, 1), value(dice, 1));
    match dice.roll(6) {
        0 => format!("({simple} && {})", condition(dice)),
        1 => format!("({simple} || f)"),
        2 => format!("!{simple}"),
        _ => simple,
    }
}

/// The smallest model that can be got from one that fails and still does.
pub fn shrunk(mut model: Random, fails: impl Fn(&Random) -> bool) -> Random {
    while let Some(smaller) = model.smaller().into_iter().find(&fails) {
        model = smaller;
    }
    model
}
