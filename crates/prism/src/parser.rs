//! Tokens to a syntax tree. What is wrong in one declaration does not keep the others from being read.

mod expressions;
mod modules;
mod properties;

use crate::ast::{Constant, ConstantKind, Declaration, Definition, Ident, Program, Range};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::chance::Stochastic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// A model.
    Model,
    /// A file of properties.
    Properties,
}

/// Reads all declarations of a text.
pub(crate) fn parse(tokens: Vec<Token>, kind: TextKind, findings: &mut Findings) -> Program {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        kind,
    };
    let mut program = Program::default();
    while !parser.at_end() && !findings.gave_up() {
        let start = parser.at;
        parser.depth = 0;
        let result = match kind {
            TextKind::Model => parser.declaration(&mut program),
            TextKind::Properties => parser.stated(&mut program),
        };
        if findings.note(result).is_none() {
            parser.skip(start);
        }
    }
    program
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    kind: TextKind,
}

/// Words that a declaration begins with.
const STARTS: &[&str] = &[
    "dtmc", "ctmc", "mdp", "const", "global", "module", "formula", "label", "rewards", "init",
    "system",
];

/// What other tools have and this front end does not, with what to say of it.
const REFUSED: &[(&str, &str)] = &[
    ("pta", "probabilistic timed automata"),
    ("popta", "partially observable models"),
    ("pomdp", "partially observable models"),
    ("smg", "stochastic games"),
    ("csg", "stochastic games"),
    ("tsg", "stochastic games"),
    ("player", "stochastic games"),
    ("idtmc", "interval models"),
    ("imdp", "interval models"),
    ("observables", "partially observable models"),
    ("observable", "partially observable models"),
    ("clock", "probabilistic timed automata"),
    ("invariant", "probabilistic timed automata"),
];

impl Parser {
    fn token(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + count).min(last)]
    }

    fn at_end(&self) -> bool {
        self.token().kind == TokenKind::Eof
    }

    fn here(&self) -> Span {
        self.token().span
    }

    /// From there to the token that was read last.
    fn since(&self, start: Span) -> Span {
        let last = self.at.saturating_sub(1);
        start.to(self.tokens[last].span)
    }

    fn advance(&mut self) {
        if !self.at_end() {
            self.at += 1;
        }
    }

    fn is(&self, sign: &str) -> bool {
        self.token().is(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token().is_word(word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expected<T>(&self, what: &str) -> Fallible<T> {
        let message = format!("expected {what}, found {}", self.token());
        Err(error(self.here(), message))
    }

    fn expect(&mut self, sign: &str) -> Fallible<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => self.expected(&format!("`{sign}`")),
        }
    }

    fn expect_word(&mut self, word: &str) -> Fallible<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    fn ident(&mut self, what: &str) -> Fallible<Ident> {
        let token = self.token().clone();
        if token.kind != TokenKind::Word {
            return self.expected(what);
        }
        if token.is_reserved() {
            let message =
                format!("expected {what}, found {token}, which is a word of the language");
            return Err(error_help(token.span, message, "choose another name"));
        }
        self.advance();
        Ok(Ident {
            name: token.text,
            span: token.span,
        })
    }

    /// A name in quotes.
    fn quoted(&mut self, what: &str) -> Fallible<Ident> {
        let token = self.token().clone();
        if token.kind != TokenKind::Text {
            return self.expected(what);
        }
        self.advance();
        Ok(Ident {
            name: token.text,
            span: token.span,
        })
    }

    /// Reads a part one level deeper, unless that is too deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        if self.depth == limits::NESTING {
            let message = format!("this is nested more than {} deep", limits::NESTING);
            return Err(error(self.here(), message));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Things between commas, at least one.
    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Fallible<T>) -> Fallible<Vec<T>> {
        let mut items = vec![read(self)?];
        while self.eat(",") {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// After an error: on to what the next declaration begins with.
    fn skip(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while !self.at_end() {
            let before = &self.tokens[self.at - 1];
            let begins = STARTS.iter().any(|word| self.is_word(word));
            let ends_before =
                before.is(";") || before.kind == TokenKind::Word && before.text.starts_with("end");
            if ends_before && (begins || self.kind == TextKind::Properties) {
                return;
            }
            self.advance();
        }
    }

    fn declaration(&mut self, program: &mut Program) -> Fallible<()> {
        if self.is_definition() {
            return self.definition(program);
        }
        let start = self.here();
        if let Some(kind) = self.model_kind() {
            if program.kind.is_some() {
                let message = "it is said twice what kind of model this is";
                return Err(error_help(start, message, "leave one of the two out"));
            }
            program.kind = Some((kind, start));
            return Ok(());
        }
        if self.eat_word("global") {
            let declared = self.variable()?;
            program.globals.push(declared);
            return Ok(());
        }
        if self.eat_word("module") {
            let module = self.module()?;
            program.modules.push(module);
            return Ok(());
        }
        if self.eat_word("rewards") {
            let rewards = self.rewards(start)?;
            program.rewards.push(rewards);
            return Ok(());
        }
        if self.eat_word("init") {
            let init = self.expression()?;
            self.expect_word("endinit")?;
            return only_one(&mut program.init, init, start, "`init ... endinit`");
        }
        if self.eat_word("system") {
            let system = self.system()?;
            return only_one(&mut program.system, system, start, "`system ... endsystem`");
        }
        self.refuse_others()?;
        self.expected("a declaration: `dtmc`, `ctmc`, `mdp`, `const`, `global`, `module`, `formula`, `label`, `rewards`, `init` or `system`")
    }

    /// Says of what there is elsewhere that it is not here.
    fn refuse_others(&self) -> Fallible<()> {
        let refused = REFUSED.iter().find(|(word, _)| self.is_word(word));
        match refused {
            Some((word, what)) => {
                let message = format!("`{word}`: {what} are not supported");
                let help = "`dtmc`, `ctmc` and `mdp` are";
                Err(error_help(self.here(), message, help))
            }
            None => Ok(()),
        }
    }

    fn model_kind(&mut self) -> Option<Stochastic> {
        let words = [
            ("dtmc", Stochastic::Dtmc),
            ("probabilistic", Stochastic::Dtmc),
            ("ctmc", Stochastic::Ctmc),
            ("stochastic", Stochastic::Ctmc),
            ("mdp", Stochastic::Mdp),
            ("nondeterministic", Stochastic::Mdp),
        ];
        let found = words.into_iter().find(|(word, _)| self.eat_word(word));
        found.map(|(_, kind)| kind)
    }

    /// Whether a constant, a formula or a label begins here.
    fn is_definition(&self) -> bool {
        ["const", "formula", "label"]
            .iter()
            .any(|word| self.is_word(word))
    }

    fn definition(&mut self, program: &mut Program) -> Fallible<()> {
        if self.eat_word("const") {
            let constant = self.constant()?;
            program.constants.push(constant);
            return Ok(());
        }
        let is_label = self.is_word("label");
        self.advance();
        let name = match is_label {
            true => self.quoted("the name of a label in quotes")?,
            false => self.ident("the name of a formula")?,
        };
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(";")?;
        let definition = Definition { name, value };
        match is_label {
            true => program.labels.push(definition),
            false => program.formulas.push(definition),
        }
        Ok(())
    }

    fn constant(&mut self) -> Fallible<Constant> {
        let kinds = [
            ("int", ConstantKind::Int),
            ("double", ConstantKind::Double),
            ("rate", ConstantKind::Double),
            ("prob", ConstantKind::Double),
            ("bool", ConstantKind::Bool),
        ];
        let said = kinds.into_iter().find(|(word, _)| self.eat_word(word));
        let kind = said.map_or(ConstantKind::Int, |(_, kind)| kind);
        let name = self.ident("the name of a constant")?;
        let value = match self.eat("=") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        Ok(Constant { name, kind, value })
    }

    /// The declaration of a variable: `x : [0..3] init 1;`
    fn variable(&mut self) -> Fallible<Declaration> {
        let name = self.ident("the name of a variable")?;
        self.expect(":")?;
        let range = self.range()?;
        let init = match self.eat_word("init") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(";")?;
        Ok(Declaration { name, range, init })
    }

    fn range(&mut self) -> Fallible<Range> {
        if self.eat_word("bool") {
            return Ok(Range::Bool);
        }
        if self.is_word("int") {
            let message = "a variable that holds any integer is not supported";
            return Err(error_help(
                self.here(),
                message,
                "give it a range: `[0..10]`",
            ));
        }
        self.refuse_others()?;
        if !self.eat("[") {
            return self.expected("`bool` or a range such as `[0..10]`");
        }
        let low = self.expression()?;
        self.expect("..")?;
        let high = self.expression()?;
        self.expect("]")?;
        Ok(Range::Between(low, high))
    }
}

fn only_one<T>(slot: &mut Option<T>, value: T, span: Span, what: &str) -> Fallible<()> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(error(span, format!("there is more than one {what}"))),
    }
}

/// An expression that is all of a text.
pub(crate) fn expression(tokens: Vec<Token>, kind: TextKind) -> Fallible<crate::ast::Expr> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        kind,
    };
    let expression = parser.expression()?;
    match parser.at_end() {
        true => Ok(expression),
        false => parser.expected("the end of the expression"),
    }
}
