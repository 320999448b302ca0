//! Random Murphi models in which it matters which parameters rules have: most rules touch what belongs to the members that they are for, some what belongs to
//! others, all in ways that have to be looked at closely.
//!
//! A seed means one model. There is one type, a scalarset or a range; arrays over it, of records and of arrays as well, with pointers; rules with
//! up to two parameters; loops, quantifiers, branches on parameters, local variables that stand for parameters, and functions by value and
//! by reference. [`crate::murphi`] writes models of all kinds, whose rules mostly have a variable in common.

use crate::random::RandomSource;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let mut author = Author {
        dice: RandomSource::new(seed),
        names: Vec::new(),
        is_range: false,
        depth: 0,
    };
    author.model()
}

struct Author {
    dice: RandomSource,
    /// The names of members that are known.
    names: Vec<String>,
    /// Members are numbers, which may be told apart.
    is_range: bool,
    /// How many loops and branches there are around.
    depth: usize,
}

const FUNCTIONS: &str = "
function same(i: T; j: T): boolean;
begin
  if i = j then return b[i]; end;
  return b[j];
end;
procedure store(var x: C; v: C);
begin
  x := v;
end;
procedure spread(i: T; v: C);
var l: T;
begin
  l := i;
  for k: T do
    if k != l then m[l][k] := v = 0; end;
    l := k;
  end;
end;
procedure reset(i: T);
begin
  store(a[i], 0);
  b[i] := false;
end;
";

impl Author {
    fn model(&mut self) -> String {
        self.is_range = self.dice.chance(40);
        let size = 2 + usize::from(self.dice.chance(35));
        let members = match self.is_range {
            true => format!("1..{size}"),
            false => format!("scalarset({size})"),
        };
        let own: String = (0..1 + self.dice.below(2))
            .map(|_| self.own_rule())
            .collect();
        let rules: String = (0..1 + self.dice.below(2)).map(|_| self.rule()).collect();
        let checks: String = (0..self.dice.below(3)).map(|_| self.check()).collect();
        format!(
            "type T: {members}; C: 0..2;
var a: array[T] of C; b: array[T] of boolean; r: array[T] of record x: C; p: T; end;
    m: array[T] of array[T] of boolean; s: C;
{FUNCTIONS}
startstate
  s := 0;
  for i: T do a[i] := 0; b[i] := false; r[i].x := 0; undefine r[i].p; for j: T do m[i][j] := false; end; end;
end;
{own}{rules}{checks}"
        )
    }

    /// A rule about one member alone, which counts something.
    fn own_rule(&mut self) -> String {
        let counted = self.dice.pick(&["a[i]", "r[i].x"]);
        let from = self.dice.below(2);
        self.names = vec!["i".into()];
        let more = match self.dice.chance(60) {
            true => format!(" & {}", self.condition()),
            false => String::new(),
        };
        let also = match self.dice.chance(40) {
            true => self.statement(),
            false => String::new(),
        };
        self.names.clear();
        let to = from + 1;
        format!(
            "ruleset i: T do rule {counted} = {from}{more} ==>\nbegin\n  {counted} := {to};\n{also}end; end;\n"
        )
    }

    fn rule(&mut self) -> String {
        let count = self.dice.weighted(&[(1, 0), (6, 1), (5, 2)]);
        self.names = ["i", "j"].map(String::from)[..count].to_vec();
        let sets: String = self
            .names
            .iter()
            .map(|n| format!("ruleset {n}: T do "))
            .collect();
        let ends = "end; ".repeat(count);
        let guard = (0..1 + self.dice.below(3)).map(|_| self.condition());
        let guard: Vec<String> = guard.collect();
        let mut alias = String::new();
        let mut first = String::new();
        if count > 0 && self.dice.chance(40) {
            first = format!("  l := {};\n", self.member());
            alias = "var l: T;\n".into();
            self.names.push("l".into());
        }
        let body: String = (0..1 + self.dice.below(3))
            .map(|_| self.statement())
            .collect();
        self.names.clear();
        let guard = guard.join(" & ");
        format!("{sets}rule {guard} ==>\n{alias}begin\n{first}{body}end; {ends}\n")
    }

    fn check(&mut self) -> String {
        self.names = vec!["i".into()];
        let (one, other) = (self.condition(), self.condition());
        self.names.clear();
        format!("ruleset i: T do invariant \"kept\" {one} | {other} | s < 2; end;\n")
    }

    /// The name of a member, mostly the first one.
    fn member(&mut self) -> String {
        match self.dice.chance(60) {
            true => self.names[0].clone(),
            false => self.dice.pick(&self.names),
        }
    }

    /// A number from 0 to 2.
    fn number(&mut self) -> String {
        if self.names.is_empty() {
            return self.dice.pick(&["0", "1", "2", "(s + 1) % 3"]).to_string();
        }
        let x = self.member();
        match self.dice.below(6) {
            0 | 1 => self.dice.below(3).to_string(),
            2 => format!("(a[{x}] + 1) % 3"),
            3 => format!("r[{x}].x"),
            4 => format!("({} ? 1 : 2)", self.condition()),
            _ => "s".into(),
        }
    }

    fn condition(&mut self) -> String {
        if self.names.is_empty() {
            return match self.dice.below(3) {
                0 => format!("s = {}", self.dice.below(3)),
                1 => self.quantifier(),
                _ => "s < 2".into(),
            };
        }
        let (x, y) = (self.member(), self.member());
        let value = self.dice.below(3);
        match self.dice.below(if self.depth > 2 { 8 } else { 12 }) {
            0 | 1 => format!("a[{x}] = {value}"),
            2 => format!("a[{x}] < 2"),
            3 => format!("{}b[{x}]", self.dice.pick(&["", "!"])),
            4 => format!("{}m[{x}][{y}]", self.dice.pick(&["", "!"])),
            5 => format!("r[{x}].x {} {value}", self.dice.pick(&["=", "!="])),
            6 => format!("{x} {} {y}", self.dice.pick(&["=", "!="])),
            7 if self.is_range => format!("{x} {} 1", self.dice.pick(&["=", ">"])),
            7 => format!("isundefined(r[{x}].p)"),
            8 => format!("same({x}, {y})"),
            9 => format!("s = {value}"),
            _ => self.quantifier(),
        }
    }

    fn quantifier(&mut self) -> String {
        let name = format!("q{}", self.depth);
        self.depth += 1;
        let around = self.dice.chance(60).then(|| self.names.first().cloned());
        self.names.push(name.clone());
        let condition = self.condition();
        self.names.pop();
        self.depth -= 1;
        let kind = self.dice.pick(&["forall", "exists"]);
        match around.flatten() {
            Some(x) if kind == "forall" => {
                format!("{kind} {name}: T do {name} != {x} -> {condition} end")
            }
            Some(x) => format!("{kind} {name}: T do {name} != {x} & {condition} end"),
            None => format!("{kind} {name}: T do {condition} end"),
        }
    }

    fn statement(&mut self) -> String {
        if self.names.is_empty() {
            return match self.dice.below(3) {
                0 => self.each(),
                _ => format!("  s := {};\n", self.number()),
            };
        }
        let (x, y) = (self.member(), self.member());
        match self.dice.below(if self.depth > 1 { 8 } else { 14 }) {
            0 | 1 => format!("  a[{x}] := {};\n", self.number()),
            2 => format!("  b[{x}] := {};\n", self.condition()),
            3 => format!("  m[{x}][{y}] := {};\n", self.dice.pick(&["true", "false"])),
            4 => format!("  r[{x}].x := {};\n", self.number()),
            5 => format!("  r[{x}].p := {y};\n"),
            6 => format!("  if !isundefined(r[{x}].p) then a[r[{x}].p] := 1; end;\n"),
            7 if self.names.iter().any(|name| name == "l") => format!("  l := {x};\n"),
            7 => format!("  undefine r[{x}].p;\n"),
            8 => format!("  store(a[{x}], {});\n", self.number()),
            9 => format!("  reset({x});\n"),
            10 => format!("  spread({x}, {});\n", self.number()),
            11 if self.dice.chance(30) => format!("  s := {};\n", self.number()),
            11 | 12 => self.branch(),
            _ => self.each(),
        }
    }

    fn branch(&mut self) -> String {
        let condition = self.condition();
        self.depth += 1;
        let (yes, no) = (self.statement(), self.statement());
        self.depth -= 1;
        match self.dice.chance(50) {
            true => format!("  if {condition} then\n{yes}  else\n{no}  end;\n"),
            false => format!("  if {condition} then\n{yes}{no}  end;\n"),
        }
    }

    /// A loop, in which the name that stands for a member may come to stand for another one.
    fn each(&mut self) -> String {
        let name = format!("k{}", self.depth);
        self.depth += 1;
        self.names.push(name.clone());
        let body: String = (0..1 + self.dice.below(2))
            .map(|_| self.statement())
            .collect();
        let other = self.member();
        self.names.pop();
        self.depth -= 1;
        match self.dice.chance(60) {
            true => {
                format!("  for {name}: T do\n  if {name} != {other} then\n{body}  end;\n  end;\n")
            }
            false => format!("  for {name}: T do\n{body}  end;\n"),
        }
    }
}
