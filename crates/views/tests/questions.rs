//! Random systems of few levels in which something that may go wrong is asked only if a question about several members has some answer: quantifiers over members inside of others, quantifiers over ranges with members
//! inside, which are evaluated in order, `and`, `or`, implications and `? :`.
//!
//! There is little but these questions, so that the states are few, and what goes wrong with a few members more than are looked at is seen.

use super::dice::RandomSource;

/// The text of a random system.
pub(super) fn text(seed: u64) -> String {
    Writer {
        dice: RandomSource(seed ^ 0xa5ced),
    }
    .text()
}

struct Writer {
    dice: RandomSource,
}

impl Writer {
    fn quantifier(&mut self) -> &'static str {
        self.dice.pick(&["forall", "exists"])
    }

    /// The same, or the opposite.
    fn maybe_not(&mut self, condition: &str) -> String {
        match self.dice.chance(50) {
            true => format!("!({condition})"),
            false => format!("({condition})"),
        }
    }

    /// A condition on two members: mostly that one level follows the other one in a circle, which only three members satisfy all around.
    fn pair(&mut self) -> String {
        let levels = ["A", "B", "C"];
        let shift = 1 + self.dice.below(2);
        let around = self.dice.chance(70);
        let mut cases = Vec::new();
        for (number, level) in levels.iter().enumerate() {
            let other = match around {
                true => (number + shift) % 3,
                false => self.dice.below(3),
            };
            cases.push(format!("l[x] = {level} & l[y] = {}", levels[other]));
        }
        let cases = cases.join(" | ");
        let cases = self.maybe_not(&cases);
        match self.dice.below(6) {
            0 => format!("x != y & {cases}"),
            1 => format!("x = y | {cases}"),
            _ => cases,
        }
    }

    fn about(&mut self, member: &str) -> String {
        let level = self.dice.pick(&["A", "B", "C"]);
        let is = self.dice.pick(&["=", "!="]);
        format!("l[{member}] {is} {level}")
    }

    /// A question about several members, which does not go wrong.
    fn question(&mut self) -> String {
        // A guard that begins with `exists` singles one out, and may ask all others.
        let (one, two) = match self.dice.chance(60) {
            true => ("exists", "forall"),
            false => (self.quantifier(), self.quantifier()),
        };
        let asked = match self.dice.below(8) {
            0..=2 => format!("{one} x: P do {two} y: P do {} end end", self.pair()),
            3 => {
                let (about, inner) = (self.about("x"), self.pair());
                let op = self.dice.pick(&["&", "|"]);
                format!("{one} x: P do {about} {op} ({two} y: P do {inner} end) end")
            }
            4 | 5 => {
                let each = "v = 0 & l[x] = A | v = 1 & l[x] = B | v = 2 & l[x] = C";
                let each = self.maybe_not(each);
                format!("{one} v: 0..2 do {two} x: P do {each} end end")
            }
            6 => {
                let (left, right) = (self.about("x"), self.about("y"));
                let op = self.dice.pick(&["&", "|", "->"]);
                format!("({one} x: P do {left} end) {op} ({two} y: P do {right} end)")
            }
            _ => format!("{one} x: P do {} end", self.about("x")),
        };
        match self.dice.chance(25) {
            true => format!("!({asked})"),
            false => format!("({asked})"),
        }
    }

    /// What goes wrong as long as `p` is undefined.
    fn risk(&mut self) -> String {
        match self.dice.below(4) {
            0 => "l[p] = B".into(),
            1 => {
                let (quantifier, about) = (self.quantifier(), self.about("x"));
                let op = self.dice.pick(&["&", "|"]);
                format!("({quantifier} x: P do {about} {op} l[p] = A end)")
            }
            _ => "l[p] != A".into(),
        }
    }

    /// A question that decides whether something is asked that may go wrong.
    fn risky(&mut self) -> String {
        let (question, risk) = (self.question(), self.risk());
        match self.dice.below(8) {
            0..=2 => {
                let op = self.dice.pick(&["&", "|", "|", "->"]);
                format!("({question} {op} {risk})")
            }
            3 => {
                let (second, op) = (self.question(), self.dice.pick(&["&", "|"]));
                format!("(({question} {op} {second}) {op} {risk})")
            }
            4 => format!("(exists v: 0..1 do v = 0 & {question} | v = 1 & {risk} end)"),
            5 => format!("(forall v: 0..1 do (v = 1 | {question}) & (v = 0 | {risk}) end)"),
            6 => format!("({question} ? {risk} : b)"),
            _ => format!("({question} ? b : {risk})"),
        }
    }

    fn rule(&mut self, number: usize) -> String {
        let risky = self.risky();
        let (guard, body) = match self.dice.below(10) {
            0 => ("!b", format!("if {risky} then b := true; end;")),
            1 => ("!b", format!("b := {risky};")),
            _ => (&risky[..], "b := true;".into()),
        };
        format!("rule \"r{number}\" {guard} ==> begin {body} end;")
    }

    fn text(&mut self) -> String {
        let moves = self.dice.pick(&[
            "rule l[c] = A ==> begin l[c] := B; end; rule l[c] = B ==> begin l[c] := C; end;",
            "rule l[c] = A ==> begin l[c] := B; end; rule l[c] = A ==> begin l[c] := C; end;",
            "rule l[c] = A & !b ==> begin l[c] := C; end; rule l[c] = C ==> begin l[c] := B; end;",
        ]);
        let pointer = match self.dice.chance(15) {
            true => "rule isundefined(p) & l[c] = C ==> begin p := c; end;",
            false => "",
        };
        let count = 1 + usize::from(self.dice.chance(25));
        let rules: Vec<String> = (0..count).map(|number| self.rule(number)).collect();
        let property = match self.dice.chance(5) {
            true => format!("invariant \"i\" b | {};", self.risky()),
            false => String::new(),
        };
        let start = "for z: P do l[z] := A; end; b := false;";
        let start = match self.dice.chance(20) {
            true => format!("ruleset c: P do startstate begin {start} p := c; end; end;"),
            false => format!("startstate begin {start} undefine p; end;"),
        };
        format!(
            "const N: 3;\ntype P: scalarset(N); L: enum {{ A, B, C }};\nvar l: array [P] of L; b: boolean; p: P;\n\
             {start}\n\
             ruleset c: P do {moves} {pointer} end;\n{}\n{property}\n",
            rules.join("\n")
        )
    }
}
