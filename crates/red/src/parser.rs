//! Tokens to the syntax tree, by recursive descent.
//!
//! An error ends the part of the model that it is in; the parser goes on at the next word that begins a part, so that
//! several errors are found at once.

mod expr;
mod formula;

use crate::ast::{
    Assignment, Declaration, Expr, Ident, Item, Mode, Name, Reference, Rule, Scope, VariableKind,
};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_formulas::prefix::Logic;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_syntax as syntax;
use mandala_syntax::{Cursor, Parser as _};

/// Parses a whole model. The tokens end with an end token.
pub(crate) fn parse_items(tokens: Vec<Token>, findings: &mut Findings) -> Vec<Item> {
    let mut parser = Parser::new(tokens);
    let mut items = Vec::new();
    while !parser.at(TokenKind::Eof) {
        match findings.note(parser.item()) {
            Some(item) => items.push(item),
            None => parser.recover(Parser::at_item),
        }
    }
    items
}

/// Parses an expression that is all there is.
pub(crate) fn parse_value(tokens: Vec<Token>) -> Fallible<Expr> {
    let mut parser = Parser::new(tokens);
    let value = parser.expr()?;
    match parser.at(TokenKind::Eof) {
        true => Ok(value),
        false => Err(parser.unexpected("the end of the expression")),
    }
}

/// Parses a formula that is all there is.
pub(crate) fn parse_formula(tokens: Vec<Token>, logic: Logic) -> Fallible<Expr> {
    let mut parser = Parser::new(tokens);
    parser.logic = Some(logic);
    let formula = parser.expr()?;
    match parser.at(TokenKind::Eof) {
        true => Ok(formula),
        false => Err(parser.unexpected("an operator or the end of the formula")),
    }
}

struct Parser {
    cursor: Cursor<TokenKind>,
    /// The logic of the formula that is read, if it is one.
    logic: Option<Logic>,
}

impl syntax::Parser<TokenKind> for Parser {
    const DEPTH: usize = limits::NESTING;

    fn too_deep() -> String {
        format!("this is nested more than {} deep", limits::NESTING)
    }

    fn cursor(&self) -> &Cursor<TokenKind> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<TokenKind> {
        &mut self.cursor
    }
}

impl Parser {
    fn new(tokens: Vec<Token>) -> Parser {
        Parser {
            cursor: Cursor::new(tokens),
            logic: None,
        }
    }

    fn name(&mut self, what: &str) -> Fallible<Ident> {
        self.name_of(TokenKind::Name, what)
    }

    /// True at a word that begins a part. The word `mode` also stands in conditions, but no name follows it there.
    fn at_item(&self) -> bool {
        let next = self.ahead(1).kind;
        match self.kind() {
            TokenKind::Define
            | TokenKind::Process
            | TokenKind::Global
            | TokenKind::Local
            | TokenKind::Initially
            | TokenKind::Risk => true,
            TokenKind::Mode => next == TokenKind::Name,
            _ => false,
        }
    }

    fn item(&mut self) -> Fallible<Item> {
        match self.kind() {
            TokenKind::Define => self.define(),
            TokenKind::Process => self.count(),
            TokenKind::Global => self.variables(Scope::Global),
            TokenKind::Local => self.variables(Scope::Local),
            TokenKind::Mode => self.mode(),
            TokenKind::Initially => {
                self.bump();
                Ok(Item::Initially(self.closed_condition("`initially`")?))
            }
            TokenKind::Risk => {
                let start = self.bump();
                let condition = self.closed_condition("`risk`")?;
                let span = self.since(start);
                Ok(Item::Risk { condition, span })
            }
            _ => {
                let error = self.unexpected("a part of a model");
                self.bump();
                let help = "a part begins with `#define`, `process`, `global`, `local`, `mode`, `initially` or `risk`";
                Err(Box::new(error.with_help(help)))
            }
        }
    }

    fn closed_condition(&mut self, of: &str) -> Fallible<Expr> {
        let condition = self.expr()?;
        self.expect(
            TokenKind::Semicolon,
            &format!("behind the condition of {of}"),
        )?;
        Ok(condition)
    }

    /// The value is one operand, as there is no sign behind it that would end it.
    fn define(&mut self) -> Fallible<Item> {
        self.bump();
        let name = self.name("the name of a constant")?;
        let value = self.operand()?;
        Ok(Item::Define { name, value })
    }

    fn count(&mut self) -> Fallible<Item> {
        let start = self.bump();
        let is_count = self.at(TokenKind::Name) && &*self.token().text == "count";
        if !is_count {
            return Err(self.unexpected("`count`"));
        }
        self.bump();
        self.expect(TokenKind::Assign, "before the number of processes")?;
        let value = self.expr()?;
        self.expect(TokenKind::Semicolon, "behind the number of processes")?;
        let span = self.since(start);
        Ok(Item::Count { value, span })
    }

    fn variables(&mut self, scope: Scope) -> Fallible<Item> {
        self.bump();
        let pointers = self.eat(TokenKind::Pointer);
        if !pointers && !self.eat(TokenKind::Discrete) {
            return Err(self.unexpected("`pointer` or `discrete`"));
        }
        let mut names = vec![self.name("the name of a variable")?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name("the name of a variable")?);
        }
        let kind = match pointers {
            true => VariableKind::Pointer,
            false => VariableKind::Discrete(self.range()?),
        };
        self.expect(TokenKind::Semicolon, "behind the declaration")?;
        Ok(Item::Variables(Declaration { scope, names, kind }))
    }

    /// `: 0..5`
    fn range(&mut self) -> Fallible<Option<Box<(Expr, Expr)>>> {
        if !self.eat(TokenKind::Colon) {
            return Ok(None);
        }
        let least = self.expr()?;
        self.expect(TokenKind::DotDot, "between the bounds of the range")?;
        Ok(Some(Box::new((least, self.expr()?))))
    }

    fn mode(&mut self) -> Fallible<Item> {
        self.bump();
        let name = self.name("the name of a mode")?;
        let invariant = match self.at(TokenKind::LeftBrace) {
            true => return Err(self.no_invariant()),
            false => self.expr()?,
        };
        self.expect(TokenKind::LeftBrace, "before the rules of the mode")?;
        let mut rules = Vec::new();
        while !self.eat(TokenKind::RightBrace) {
            rules.push(self.rule()?);
        }
        Ok(Item::Mode(Mode {
            name,
            invariant,
            rules,
        }))
    }

    fn no_invariant(&self) -> Box<Diagnostic> {
        let error = self.unexpected("the condition that holds in the mode");
        Box::new(error.with_help("write `true` if there is none"))
    }

    fn rule(&mut self) -> Fallible<Rule> {
        let start = self.expect(TokenKind::When, "before a rule, or `}` behind the last")?;
        let guard = self.expr()?;
        self.expect(
            TokenKind::May,
            "between the condition of a rule and what it does",
        )?;
        let mut rule = Rule {
            guard,
            actions: Vec::new(),
            target: None,
            span: start,
        };
        while !matches!(self.kind(), TokenKind::When | TokenKind::RightBrace) {
            self.action(&mut rule)?;
        }
        rule.span = self.since(start);
        Ok(rule)
    }

    /// An assignment, `goto`, or nothing, each with a semicolon.
    fn action(&mut self, rule: &mut Rule) -> Fallible<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        if let Some(target) = &rule.target {
            let help = format!("the rule ends with `goto {}`", target.name);
            return Err(error_help(
                self.token().span,
                "nothing is done behind `goto`",
                help,
            ));
        }
        if self.eat(TokenKind::Goto) {
            rule.target = Some(self.name("the name of a mode")?);
        } else {
            rule.actions.push(self.assignment()?);
        }
        self.expect(TokenKind::Semicolon, "behind an action")?;
        Ok(())
    }

    fn assignment(&mut self) -> Fallible<Assignment> {
        let start = self.token().span;
        if !matches!(self.kind(), TokenKind::Name | TokenKind::Mode) {
            return Err(self.unexpected("an assignment, `goto` or `;`"));
        }
        let place = self.reference()?;
        self.expect(TokenKind::Assign, "behind what is assigned to")?;
        let value = self.expr()?;
        let span = self.since(start);
        Ok(Assignment { place, value, span })
    }

    fn reference(&mut self) -> Fallible<Reference> {
        let start = self.token().span;
        let first = self.named()?;
        let index = match self.eat(TokenKind::LeftBracket) {
            true => {
                let index = self.expr()?;
                self.expect(TokenKind::RightBracket, "behind the process")?;
                Some(Box::new(index))
            }
            false => None,
        };
        let mut rest = Vec::new();
        while self.eat(TokenKind::Arrow) {
            if rest.len() == limits::POINTERS {
                let message = format!("more than {} pointers are followed", limits::POINTERS);
                return Err(error(self.token().span, message));
            }
            rest.push(self.named()?);
            if self.at(TokenKind::LeftBracket) {
                let message = "a process is named at the beginning, not behind `->`";
                return Err(error_help(
                    self.token().span,
                    message,
                    "leave out what is before it",
                ));
            }
        }
        let span = self.since(start);
        Ok(Reference {
            first,
            index,
            rest,
            span,
        })
    }

    fn named(&mut self) -> Fallible<Name> {
        match self.at(TokenKind::Mode) {
            true => Ok(Name::Mode(self.bump())),
            false => Ok(Name::Named(self.name("the name of a variable")?)),
        }
    }
}
