//! Random systems with all that rules may have: records, arrays of records, messages that hold members, a second scalarset, functions and procedures, aliases,
//! variables of code, loops of all kinds, `switch`, `return`, `assume`, start states for each choice of members, priorities and unions.
//!
//! Each system has a few of these (its *parts*), so that its states are few enough to be compared.

use super::dice::RandomSource;

/// What a system may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The pointer `q` beside `p`.
    Second,
    /// Messages `m[1]`, `m[2]` and `last`, which hold members.
    Messages,
    /// Each member has a boolean for each value of another scalarset.
    Groups,
    /// A shared number that is small.
    Number,
    /// Functions and procedures.
    Calls,
    /// Variables of code.
    Locals,
    /// A pointer that belongs to a member, which is refused.
    Linked,
    /// A union with members in it, which is refused.
    Union,
    /// Members are counted, which is refused.
    Counted,
    /// States that are assumed not to be.
    Assumed,
    /// Rules have priorities, which is refused.
    Priorities,
    /// Rules follow each other: first members get different values, then each rule is taken at most once or twice. So few states lead to one, and a view that is missing
    /// is not found another way.
    Stages,
}

use Part::{
    Assumed, Calls, Counted, Groups, Linked, Locals, Messages, Number, Priorities, Second, Stages,
    Union,
};

/// How often systems have a part, in percent.
const SHARES: [(Part, usize); 12] = [
    (Second, 55),
    (Messages, 30),
    (Groups, 20),
    (Number, 25),
    (Calls, 50),
    (Locals, 45),
    (Linked, 3),
    (Union, 3),
    (Counted, 4),
    (Assumed, 12),
    (Priorities, 3),
    (Stages, 55),
];

/// The text of a random system.
pub(super) fn text(seed: u64) -> String {
    let mut dice = RandomSource(seed ^ 0x5eed);
    let parts = SHARES.iter().filter(|(_, share)| dice.chance(*share));
    let parts = parts.map(|(part, _)| *part).collect();
    Writer {
        dice,
        parts,
        members: Vec::new(),
        groups: Vec::new(),
        indices: Vec::new(),
        is_code: false,
    }
    .text()
}

struct Writer {
    dice: RandomSource,
    parts: Vec<Part>,
    /// Variables in scope that are members, values of the other scalarset, and numbers of messages.
    members: Vec<&'static str>,
    groups: Vec<&'static str>,
    indices: Vec<&'static str>,
    /// Whether a statement is written, where variables of code may be used.
    is_code: bool,
}

impl Writer {
    fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    fn level(&mut self) -> &'static str {
        self.dice.pick(&["A", "B", "C"])
    }

    fn relation(&mut self) -> &'static str {
        self.dice.pick(&["=", "!="])
    }

    /// A shared cell that holds a member, or none.
    fn pointer(&mut self) -> String {
        let mut all = vec!["p".to_string(), "p".to_string()];
        if self.has(Second) {
            all.push("q".into());
        }
        if self.has(Messages) {
            all.extend(["last.o", "m[1].o", "m[2].o"].map(String::from));
            all.extend(self.indices.iter().map(|i| format!("m[{i}].o")));
        }
        if self.has(Locals) && self.is_code {
            all.push("t".into());
        }
        all[self.dice.below(all.len())].clone()
    }

    /// A member in scope, or else a pointer with the condition that it holds one.
    fn member(&mut self) -> (String, String) {
        let scope = self.members.len();
        if scope > 0 && self.dice.chance(75) {
            let member = self.members[self.dice.below(scope)];
            return (member.into(), String::new());
        }
        let pointer = self.pointer();
        let asked = match self.dice.chance(96) {
            true => format!("!isundefined({pointer}) & "),
            false => String::new(),
        };
        (pointer, asked)
    }

    /// A condition on one member.
    fn about(&mut self, member: &str) -> String {
        match self.dice.below(9) {
            0..=2 => format!("r[{member}].s {} {}", self.relation(), self.level()),
            3 => format!("r[{member}].g"),
            4 => format!("!r[{member}].g"),
            5 if self.has(Groups) => self.about_group(member),
            6 if self.has(Calls) => format!("{}({member})", self.dice.pick(&["busy", "chosen"])),
            7 if self.members.len() > 1 => {
                let other = self.members[0];
                format!("r[{member}] {} r[{other}]", self.relation())
            }
            _ => {
                let pointer = self.pointer();
                format!(
                    "!isundefined({pointer}) & {pointer} {} {member}",
                    self.relation()
                )
            }
        }
    }

    fn about_group(&mut self, member: &str) -> String {
        if self.groups.is_empty() {
            let quantifier = self.dice.pick(&["forall", "exists"]);
            return format!("({quantifier} y: Q do h[{member}][y] end)");
        }
        let group = self.groups[self.dice.below(self.groups.len())];
        format!("h[{member}][{group}]")
    }

    /// A condition on what is shared.
    fn shared(&mut self) -> String {
        match self.dice.below(7) {
            0 => "b".into(),
            1 => "!b".into(),
            2 if self.has(Number) => format!("n {} {}", self.relation(), self.dice.below(3)),
            3 => format!("isundefined({})", self.pointer()),
            4 if self.has(Messages) => {
                format!(
                    "!isundefined(m[1].t) & m[1].t {} {}",
                    self.relation(),
                    self.level()
                )
            }
            5 if self.has(Messages) => {
                format!(
                    "({} i: 1..2 do isundefined(m[i].o) end)",
                    self.dice.pick(&["forall", "exists"])
                )
            }
            _ => {
                let (left, right) = (self.pointer(), self.pointer());
                let relation = self.relation();
                format!("!isundefined({left}) & !isundefined({right}) & {left} {relation} {right}")
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.dice.below(13) {
            0..=3 => {
                let (member, asked) = self.member();
                format!("{asked}({})", self.about(&member))
            }
            4 | 5 if depth < 2 => self.quantified(depth),
            6 if depth < 2 => format!("!({})", self.condition(depth + 1)),
            7 | 8 if depth < 2 => {
                let (left, right) = (self.condition(depth + 1), self.condition(depth + 1));
                format!(
                    "({left}) {} ({right})",
                    self.dice.pick(&["&", "|", "->", "="])
                )
            }
            9 if depth < 2 => {
                let condition = self.condition(depth + 1);
                format!(
                    "(({condition}) ? ({}) : ({}))",
                    self.shared(),
                    self.condition(2)
                )
            }
            10 if self.members.len() > 1 => {
                let (one, two) = (self.members[0], self.members[1]);
                format!("{one} {} {two}", self.relation())
            }
            11 if self.has(Calls) => self.dice.pick(&["some()", "all()"]).into(),
            _ => self.shared(),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let quantifier = self.dice.pick(&["forall", "forall", "exists"]);
        let variable = ["x", "u"][depth];
        self.members.push(variable);
        let body = match self.dice.chance(30) {
            true => self.condition(depth + 1),
            false => self.about(variable),
        };
        let body = match (quantifier, self.dice.chance(35)) {
            (_, false) => body,
            ("forall", true) => format!("{variable} = {} | ({body})", self.members[0]),
            (_, true) => format!("{variable} != {} & ({body})", self.members[0]),
        };
        self.members.pop();
        format!("({quantifier} {variable}: P do {body} end)")
    }

    fn truth(&mut self) -> String {
        match self.dice.below(5) {
            0 => "true".into(),
            1 => "false".into(),
            2 => "b".into(),
            3 => self.condition(1),
            _ => "!b".into(),
        }
    }

    /// A change of what belongs to a member.
    fn own(&mut self, member: &str) -> String {
        match self.dice.below(8) {
            0..=2 => format!("r[{member}].s := {};", self.level()),
            3 => format!("r[{member}].g := {};", self.truth()),
            4 if self.has(Groups) => {
                let group = self.groups.first().copied();
                match group {
                    Some(group) => format!("h[{member}][{group}] := {};", self.truth()),
                    None => format!("for y: Q do h[{member}][y] := b; end;"),
                }
            }
            5 if self.has(Calls) => format!("set(r[{member}].s, {member});"),
            6 => format!(
                "alias a: r[{member}] do a.g := !a.g; a.s := {}; end;",
                self.level()
            ),
            7 if self.members.len() > 1 => format!("r[{member}] := r[{}];", self.members[0]),
            _ => format!("r[{member}].g := !r[{member}].g;"),
        }
    }

    /// A change of a pointer or a message.
    fn moved(&mut self) -> String {
        let (pointer, other) = (self.pointer(), self.pointer());
        match self.dice.below(10) {
            0..=3 if !self.members.is_empty() => {
                let member = self.members[self.dice.below(self.members.len())];
                format!("{pointer} := {member};")
            }
            4 => format!("undefine {pointer};"),
            5 if self.has(Messages) => self
                .dice
                .pick(&[
                    "m[1] := m[2];",
                    "last := m[1];",
                    "m[2] := last;",
                    "undefine m[1];",
                    "m[1].t := B;",
                ])
                .into(),
            6 if self.has(Calls) && self.has(Second) => "swap(p, q);".into(),
            7 if self.has(Calls) => format!("{pointer} := owner();"),
            8 if self.members.len() > 1 => {
                let (one, two) = (self.members[0], self.members[1]);
                let condition = self.shared();
                format!("{pointer} := ({condition}) ? {one} : {two};")
            }
            _ => format!("{pointer} := {other};"),
        }
    }

    fn shared_change(&mut self) -> String {
        match self.dice.below(4) {
            0 => "b := !b;".into(),
            1 if self.has(Number) => "if n < 2 then n := n + 1; else n := 0; end;".into(),
            2 if self.has(Number) => format!("n := {};", self.dice.below(3)),
            _ => format!("b := {};", self.truth()),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.dice.below(15) {
            0..=3 => {
                let (member, asked) = self.member();
                let own = self.own(&member);
                match asked.is_empty() {
                    true => own,
                    false => format!("if {asked}true then {own} end;"),
                }
            }
            4..=6 => self.moved(),
            7 => self.shared_change(),
            8 | 9 if depth == 0 => self.over_members(),
            10 | 11 if depth < 2 => {
                let condition = self.condition(1);
                let (yes, no) = (self.statement(depth + 1), self.statement(depth + 1));
                format!("if {condition} then {yes} else {no} end;")
            }
            12 if depth == 0 => self.other_loop(),
            13 => self.ending(),
            _ => self.moved(),
        }
    }

    fn ending(&mut self) -> String {
        let condition = self.condition(1);
        match self.dice.below(6) {
            0 => format!("assert {condition};"),
            1 | 2 => format!("if {condition} then return; end;"),
            3 => format!("assume {condition};"),
            4 => format!("if {condition} then error \"e\"; end;"),
            _ => format!(
                "switch b case true: {} else {} end;",
                self.moved(),
                self.shared_change()
            ),
        }
    }

    fn over_members(&mut self) -> String {
        let outer = std::mem::replace(&mut self.members, vec!["z"]);
        let condition = match self.dice.chance(50) {
            true => self.about("z"),
            false => "true".into(),
        };
        if self.dice.chance(40) {
            self.members.extend(outer.iter().take(1));
        }
        let own = match self.dice.chance(85) {
            true => self.own("z"),
            false => self.statement(2),
        };
        self.members = outer;
        format!("for z: P do if {condition} then {own} end; end;")
    }

    fn other_loop(&mut self) -> String {
        if self.has(Messages) && self.dice.chance(60) {
            self.indices.push("i");
            let condition = self.condition(1);
            let statement = self.statement(1);
            self.indices.pop();
            return format!("for i: 1..2 do if {condition} then {statement} end; end;");
        }
        if self.has(Number) && self.dice.chance(40) {
            return format!("while n < 2 do n := n + 1; {} end;", self.statement(1));
        }
        if self.has(Counted) {
            return "k := 0; for z: P do if r[z].g & k < 9 then k := k + 1; end; end; if k > 2 then b := true; end;".into();
        }
        self.statement(1)
    }

    fn rule(&mut self, number: usize) -> String {
        let count = self.dice.below(3);
        self.members = ["c", "d"][..count].to_vec();
        let group = self.has(Groups) && self.dice.chance(40);
        if group {
            self.groups.push("v");
        }
        let mut guard = vec![format!("({})", self.condition(0))];
        if count > 0 && self.dice.chance(40) {
            let (pointer, member) = (self.pointer(), self.members[self.dice.below(count)]);
            guard.insert(0, format!("!isundefined({pointer}) & {pointer} = {member}"));
        }
        self.is_code = true;
        let statements = 1 + self.dice.below(3);
        let mut body: Vec<String> = (0..statements).map(|_| self.statement(0)).collect();
        self.is_code = false;
        if self.has(Stages) {
            let stage = self.dice.below(2);
            guard.insert(0, format!("stage = {stage}"));
            body.insert(
                0,
                format!("stage := {};", stage + self.dice.below(2 - stage) + 1),
            );
        }
        self.groups.clear();
        let mut locals = String::new();
        if self.has(Locals) {
            locals.push_str("var t: P; ");
        }
        if self.has(Counted) {
            locals.push_str("var k: 0..9; ");
        }
        let priority = match self.has(Priorities) && self.dice.chance(40) {
            true => "2 ",
            false => "",
        };
        let rule = format!(
            "rule {priority}\"r{number}\" {} ==> {locals}begin {} end;",
            guard.join(" & "),
            body.join(" ")
        );
        let mut parameters: Vec<&str> = ["c: P", "d: P"][..count].to_vec();
        if group {
            parameters.push("v: Q");
        }
        match parameters.is_empty() {
            true => rule,
            false => format!("ruleset {} do {rule} end;", parameters.join("; ")),
        }
    }

    /// Rules that make members and pointers differ before others are taken.
    fn first_stage(&self) -> Vec<String> {
        let once = |action: &str| format!("ruleset c: P do rule stage = 0 & {action} end; end;");
        let mut rules = vec![
            once("r[c].s = A ==> begin r[c].s := B;"),
            once("r[c].s = A ==> begin r[c].s := C;"),
            once("isundefined(p) ==> begin p := c;"),
        ];
        if self.has(Second) {
            rules.push(once("isundefined(q) ==> begin q := c;"));
        }
        if self.has(Messages) {
            rules.push(once("isundefined(m[1].o) ==> begin m[1].o := c;"));
        }
        rules
    }

    fn start(&mut self) -> String {
        let count = self.dice.below(3);
        self.members = ["c", "d"][..count].to_vec();
        self.is_code = false;
        let mut extra = String::new();
        if count > 0 {
            extra.push_str("p := c;");
        }
        for _ in 0..self.dice.below(3) {
            let locals = std::mem::take(&mut self.parts);
            self.parts = locals.iter().copied().filter(|p| *p != Calls).collect();
            extra.push_str(&self.statement(1));
            self.parts = locals;
        }
        let groups = match self.has(Groups) {
            true => "for y: Q do h[z][y] := false; end;",
            false => "",
        };
        let locals = match self.has(Locals) {
            true => "var t: P; begin",
            false => "begin",
        };
        let start = format!(
            "startstate \"s\" {locals} for z: P do r[z].s := A; r[z].g := false; {groups} end; b := false; n := 0; stage := 0; {extra} end;"
        );
        match count {
            0 => start,
            1 => format!("ruleset c: P do {start} end;"),
            _ => format!("ruleset c: P; d: P do {start} end;"),
        }
    }

    fn property(&mut self) -> String {
        let two = "x = u | r[x].s != C | r[u].s != C";
        match self.dice.below(5) {
            0 => format!("invariant \"i\" forall x: P do forall u: P do {two} end end;"),
            1 => "ruleset c: P; d: P do invariant \"i\" c = d | r[c].s != C | r[d].s != B; end;"
                .into(),
            2 => {
                self.members = vec!["c"];
                format!(
                    "ruleset c: P do invariant \"i\" {}; end;",
                    self.condition(0)
                )
            }
            3 => "invariant \"i\" isundefined(p) | r[p].s != C;".into(),
            _ => {
                self.members = Vec::new();
                format!("invariant \"i\" {};", self.condition(0))
            }
        }
    }

    fn declarations(&self) -> String {
        let mut more = String::new();
        for (part, text) in [
            (Groups, "h: array [P] of array [Q] of boolean;"),
            (Messages, "m: array [1..2] of M; last: M;"),
            (Linked, "next: array [P] of P;"),
            (Union, "free: U;"),
        ] {
            if self.has(part) {
                more.push_str(text);
            }
        }
        more
    }

    fn functions(&self) -> &'static str {
        match self.has(Calls) {
            true => {
                "function busy(x: P): boolean; begin return r[x].s = B; end;\n\
                 function chosen(x: P): boolean; begin if isundefined(p) then return false; end; return p = x; end;\n\
                 function some(): boolean; begin return exists x: P do r[x].s = C & r[x].g end; end;\n\
                 function all(): boolean; begin return forall x: P do r[x].s != C end; end;\n\
                 function owner(): P; begin if isundefined(p) | r[p].g then return q; end; return p; end;\n\
                 procedure set(var l: L; x: P); begin if !isundefined(p) & p = x then l := B; else l := C; end; end;\n\
                 procedure swap(var x: P; var y: P); var o: P; begin o := x; x := y; y := o; end;\n"
            }
            false => "",
        }
    }

    fn text(&mut self) -> String {
        let start = self.start();
        let count = 3 + self.dice.below(4);
        let mut rules: Vec<String> = (0..count).map(|number| self.rule(number)).collect();
        if self.has(Stages) {
            rules.extend(self.first_stage());
        }
        if self.has(Linked) {
            rules.push(
                "ruleset c: P; d: P do rule \"l\" c != d ==> begin next[c] := d; end; end;".into(),
            );
        }
        if self.has(Union) {
            rules.push("ruleset c: P do rule \"o\" true ==> begin free := c; end; end;".into());
        }
        let property = self.property();
        self.members = Vec::new();
        let assumed = match self.has(Assumed) {
            true => format!("assume \"a\" {};\n", self.condition(0)),
            false => String::new(),
        };
        format!(
            "const N: 3;\ntype P: scalarset(N); Q: scalarset(2); L: enum {{ A, B, C }}; R: record s: L; g: boolean; end; M: record t: L; o: P; end; {}\n\
             var r: array [P] of R; p, q: P; b: boolean; n: 0..2; stage: 0..2; {}\n{}{start}\n{}\n{assumed}{property}\n",
            match self.has(Union) {
                true => "U: union { P, enum { NONE } };",
                false => "",
            },
            self.declarations(),
            self.functions(),
            rules.join("\n")
        )
    }
}
