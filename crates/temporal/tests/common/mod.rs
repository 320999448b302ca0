//! What the tests share: a reader of formulas, a source of random formulas, and Spin.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use mandala_temporal::{Automaton, Formula, Names};

/// Propositions in the formulas of the tests are the letters from `a` on.
pub(crate) fn letters() -> Names {
    ('a'..='z').map(String::from).collect()
}

/// The declaration of the letters as variables of a model.
pub(crate) fn declared_letters() -> String {
    ('a'..='z')
        .map(|letter| format!("bool {letter}; "))
        .collect()
}

/// Reads a formula in the syntax of Spin: `U`, `V` and `W` bind tighter than the propositional operators, which all
/// bind alike; everything groups to the left.
pub(crate) fn parse(text: &str) -> Formula {
    let mut parser = Parser {
        rest: text.trim_start(),
    };
    let formula = parser.propositional();
    assert_eq!(parser.rest, "", "unread part of {text}");
    formula
}

struct Parser<'a> {
    rest: &'a str,
}

type Join = fn(Formula, Formula) -> Formula;
type Apply = fn(Formula) -> Formula;

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else {
            return false;
        };
        self.rest = rest.trim_start();
        true
    }

    fn one_of(&mut self, operators: &[(&str, Join)]) -> Option<Join> {
        let found = operators.iter().find(|(token, _)| self.take(token));
        found.map(|&(_, join)| join)
    }

    fn propositional(&mut self) -> Formula {
        let operators: [(&str, Join); 4] = [
            ("&&", Formula::and),
            ("||", Formula::or),
            ("->", Formula::implies),
            ("<->", Formula::equiv),
        ];
        let mut formula = self.temporal();
        while let Some(join) = self.one_of(&operators) {
            formula = join(formula, self.temporal());
        }
        formula
    }

    fn temporal(&mut self) -> Formula {
        let operators: [(&str, Join); 3] = [
            ("U", Formula::until),
            ("V", Formula::release),
            ("W", Formula::weak_until),
        ];
        let mut formula = self.factor();
        while let Some(join) = self.one_of(&operators) {
            formula = join(formula, self.factor());
        }
        formula
    }

    fn factor(&mut self) -> Formula {
        if self.take("(") {
            let formula = self.propositional();
            assert!(self.take(")"), "expected ) before {}", self.rest);
            return formula;
        }
        if self.take("true") {
            return Formula::True;
        }
        if self.take("false") {
            return Formula::False;
        }
        let operators: [(&str, Apply); 4] = [
            ("!", Formula::negate),
            ("[]", Formula::always),
            ("<>", Formula::eventually),
            ("X", Formula::next),
        ];
        for (token, make) in operators {
            if self.take(token) {
                return make(self.factor());
            }
        }
        self.letter()
    }

    fn letter(&mut self) -> Formula {
        let letter = self.rest.bytes().next().filter(u8::is_ascii_lowercase);
        let letter = letter.unwrap_or_else(|| panic!("expected a formula before {}", self.rest));
        self.rest = self.rest[1..].trim_start();
        Formula::proposition(usize::from(letter - b'a'))
    }
}

/// A small generator of pseudo-random numbers (SplitMix64), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    /// A formula of exactly the given size over so many propositions; without next, which not every Spin has.
    pub(crate) fn formula(&mut self, size: usize, propositions: usize) -> Formula {
        self.formula_with(size, propositions, Next::Absent)
    }

    /// The same with or without next.
    pub(crate) fn formula_with(&mut self, size: usize, propositions: usize, next: Next) -> Formula {
        match size {
            0 | 1 => self.leaf(propositions),
            2 => self.unary(size, propositions, next),
            _ if self.below(3) == 0 => self.unary(size, propositions, next),
            _ => self.binary(size, propositions, next),
        }
    }

    fn leaf(&mut self, propositions: usize) -> Formula {
        match self.below(20) {
            0 => Formula::True,
            1 => Formula::False,
            _ => Formula::proposition(self.below(propositions)),
        }
    }

    fn unary(&mut self, size: usize, propositions: usize, next: Next) -> Formula {
        let operand = self.formula_with(size - 1, propositions, next);
        match self.below(3 + usize::from(next == Next::Present)) {
            0 => operand.negate(),
            1 => operand.always(),
            2 => operand.eventually(),
            _ => operand.next(),
        }
    }

    fn binary(&mut self, size: usize, propositions: usize, next: Next) -> Formula {
        let left = 1 + self.below(size - 2);
        let right = size - 1 - left;
        let left = self.formula_with(left, propositions, next);
        let right = self.formula_with(right, propositions, next);
        match self.below(7) {
            0 => left.and(right),
            1 => left.or(right),
            2 => left.implies(right),
            3 => left.equiv(right),
            4 => left.until(right),
            5 => left.release(right),
            _ => left.weak_until(right),
        }
    }
}

/// Whether random formulas may use `X`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Present,
    Absent,
}

/// Whether there is a Spin to compare with.
pub(crate) fn spin_is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok()
}

/// The never claim that `spin -f` prints, without the first line, which repeats the formula.
pub(crate) fn spin(formula: &str) -> String {
    let output = Command::new("spin")
        .args(["-f", formula])
        .output()
        .expect("spin runs");
    let text = String::from_utf8(output.stdout).expect("spin prints text");
    assert!(text.starts_with("never"), "spin -f '{formula}' says {text}");
    without_first_line(&text)
}

/// The never claim that Spin makes of an `ltl` block with the formula in a model, without the first line.
pub(crate) fn spin_claim(formula: &Formula, names: &Names, declarations: &str) -> String {
    let text = formula.named(names).to_string();
    let process = "active proctype process() { skip }";
    let model = format!("{declarations}\n{process}\nltl {{ {text} }}\n");
    let folder = work_folder();
    fs::write(folder.join("model.pml"), model).expect("the model can be written");
    let mut command = Command::new("spin");
    let output = command
        .args(["-a", "model.pml"])
        .current_dir(&folder)
        .output();
    let output = output.expect("spin runs");
    let claim = fs::read_to_string(folder.join("_spin_nvr.tmp"));
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    without_first_line(&claim.unwrap_or_else(|_| panic!("no claim for {text}: {output:?}")))
}

/// A new folder for the files that Spin leaves behind.
fn work_folder() -> PathBuf {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let name = format!("spin-{}-{number}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// The text of an automaton, without the first line.
pub(crate) fn printed(automaton: &Automaton, names: &Names) -> String {
    without_first_line(&automaton.named(names).to_string())
}

fn without_first_line(text: &str) -> String {
    text.split_once('\n')
        .map_or("", |(_, rest)| rest)
        .to_owned()
}

/// The formula spelled so that Spin reads every operator of it. Between parentheses without a temporal operator, Spin
/// sees one predicate; a conjunct `[]true`, which it drops at once, prevents that.
pub(crate) fn operator_by_operator(formula: &Formula) -> String {
    let operands: Vec<String> = formula.operands().map(operator_by_operator).collect();
    match (formula, operands.as_slice()) {
        (Formula::Not(_), [f]) => format!("! {f}"),
        (Formula::Always(_), [f]) => format!("[] {f}"),
        (Formula::Eventually(_), [f]) => format!("<> {f}"),
        (Formula::And(..), [f, g]) => format!("({f} && {g} && []true)"),
        (Formula::Or(..), [f, g]) => format!("({f} || {g} && []true)"),
        (Formula::Implies(..), [f, g]) => format!("({f} -> {g})"),
        (Formula::Equiv(..), [f, g]) => format!("({f} <-> {g})"),
        (Formula::Until(..), [f, g]) => format!("({f} U {g})"),
        (Formula::Release(..), [f, g]) => format!("({f} V {g})"),
        (Formula::WeakUntil(..), [f, g]) => format!("([] {f} || ({f} U {g}))"),
        _ => formula.named(&letters()).to_string(),
    }
}

/// Formulas that people write, and some that they do not.
pub(crate) const FORMULAS: &[&str] = &[
    // constants and propositions
    "true",
    "false",
    "a",
    "!a",
    "a && b",
    "a || !b",
    "a -> b",
    "a <-> b",
    // one operator
    "[]a",
    "<>a",
    "a U b",
    "a V b",
    "a W b",
    "![]a",
    "!<>a",
    "!(a U b)",
    "!(a V b)",
    "!(a W b)",
    // response, precedence and other patterns
    "[]<>a",
    "<>[]a",
    "[](a -> <>b)",
    "[](a -> []b)",
    "[](a -> (b U c))",
    "[](a -> (b W c))",
    "[](a -> !b)",
    "<>(a && <>b)",
    "<>a -> <>b",
    "<>a -> (!a U b)",
    "!a W b",
    "[]!a || <>(a && <>b)",
    "[]((a && !b && <>b) -> (!c U b))",
    "[](a && !b -> (!c W b))",
    "<>b -> (!a U (c || b))",
    "[](a -> (!b W c))",
    "!(<>a && <>b && <>c)",
    "<>a && <>b && <>c",
    "[]a && []b",
    "<>a || <>b",
    "[]a || []b",
    "[](a || b) -> ([]a || []b)",
    // fairness
    "[]<>a -> []<>b",
    "<>[]a -> []<>b",
    "[]<>a && []<>b",
    "[]<>a || []<>b",
    "<>[]a && <>[]b",
    "<>[]a || <>[]b",
    "([]<>a && []<>b) -> []<>c",
    "(![]<>(a || b)) -> []<>(c -> <>d)",
    "[]<>a -> [](b -> <>c)",
    // nested untils and releases
    "[](a U b)",
    "<>(a U b)",
    "[](a V b)",
    "<>(a V b)",
    "a U (b U c)",
    "(a U b) U c",
    "a V (b V c)",
    "(a V b) V c",
    "a U (b V c)",
    "(a U b) V c",
    "(a V b) U c",
    "a V (b U c)",
    "a U (b U (c U d))",
    "((a U b) U c) U d",
    "a U []b",
    "a U <>b",
    "[]a U b",
    "<>a U b",
    "[]a U <>b",
    "<>a V []b",
    "[](a W b)",
    "a W (b W c)",
    "[](a -> <>(b && <>c))",
    "[](a -> (b U (c U d)))",
    "[](a U b) && <>c",
    // repetitions, contradictions, tautologies
    "a U a",
    "a V a",
    "a && (b U a)",
    "a || (b U a)",
    "a && (b V a)",
    "a || (b V a)",
    "(a U b) && (c U b)",
    "(a U b) || (a U c)",
    "(a V b) && (a V c)",
    "(a V b) || (c V b)",
    "(a V b) && (c U b)",
    "(a V b) || (c U b)",
    "(a U b) U a",
    "[]a && <>!a",
    "<>a || []!a",
    "[][]a",
    "<><>a",
    "[]<>[]a",
    "<>[]<>a",
    "[]true",
    "<>false",
    "a U true",
    "false U a",
    "true U a",
    "false V a",
    // equivalences
    "[](a <-> b)",
    "[]a <-> <>b",
    "(a U b) <-> (b U a)",
    "<>(a <-> []b)",
    // many conjuncts, for the order of sorting
    "[](a && b && c && d && <>e)",
    "(d U a) && (c U b) && (b U c) && (a U d)",
    "[]<>(d && c) && []<>(b && a) && <>(c || a)",
    "(a || b || c) U (d && c && b)",
    "[](((a U b) || (c V d)) -> <>(b && !d))",
];
