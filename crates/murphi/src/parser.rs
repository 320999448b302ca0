//! Tokens to the syntax tree.
//!
//! A parser by recursive descent, one module for each kind of part. The grammar is the union of CMurphi's
//! and Rumur's: declarations, functions and rules in any order; `do` or `:` before a body; semicolons
//! that may be missing where the next part shows where the last one ends. Words that only CMurphi
//! knows (`choose`, `multiset`, `ismember` and the like) are words only where they can mean something
//! and the model does not declare a function of that name.

mod decl;
mod expr;
mod formula;
mod rule;
mod stmt;

use crate::Dialect;
use crate::ast::{Expr, Ident, Item, Program, Text};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_formulas::prefix::Logic;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// Parses a whole model. The tokens end with an end token.
pub(crate) fn parse_program(tokens: Vec<Token>, dialect: Dialect) -> Fallible<Program> {
    let mut parser = Parser::new(tokens, dialect);
    let mut items = Vec::new();
    loop {
        while parser.eat(TokenKind::Semicolon) {}
        if parser.at(TokenKind::Eof) {
            return Ok(Program { items });
        }
        parser.item(&mut items)?;
    }
}

/// Parses an expression that is all there is.
pub(crate) fn parse_value(tokens: Vec<Token>, dialect: Dialect) -> Fallible<Expr> {
    let mut parser = Parser::new(tokens, dialect);
    let value = parser.expr()?;
    if !parser.at(TokenKind::Eof) {
        return Err(error(parser.token().span, "the value ends before this"));
    }
    Ok(value)
}

/// Parses a formula that is all there is.
pub(crate) fn parse_formula(tokens: Vec<Token>, logic: Logic, dialect: Dialect) -> Fallible<Expr> {
    let mut parser = Parser::new(tokens, dialect);
    parser.logic = Some(logic);
    let formula = parser.expr()?;
    match parser.at(TokenKind::Eof) {
        true => Ok(formula),
        false => Err(Box::new(
            parser.unexpected("an operator or the end of the formula"),
        )),
    }
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    /// How many parts are open around the current token.
    depth: usize,
    /// The names of all functions of the model.
    functions: HashSet<Arc<str>>,
    /// The logic of the formula that is read, if it is one.
    logic: Option<Logic>,
    dialect: Dialect,
}

/// Words that only Rumur reserves are names where a model declares them or assigns to them: nothing else comes between such a word and
/// `:`, `,` or `:=`.
fn free_words(tokens: &mut [Token]) {
    for word in [TokenKind::Assume, TokenKind::Cover, TokenKind::Liveness] {
        let is_name = |pair: &[Token]| {
            let next = [TokenKind::Colon, TokenKind::Comma, TokenKind::Assign];
            pair[0].kind == word && next.contains(&pair[1].kind)
        };
        if tokens.windows(2).any(is_name) {
            let words = tokens.iter_mut().filter(|token| token.kind == word);
            words.for_each(|token| token.kind = TokenKind::Name);
        }
    }
}

/// What opened a part that an `end` closes: the word and its place.
#[derive(Clone, Copy)]
struct Opener {
    kind: TokenKind,
    span: Span,
}

impl Parser {
    fn new(mut tokens: Vec<Token>, dialect: Dialect) -> Parser {
        free_words(&mut tokens);
        let functions = tokens
            .windows(2)
            .filter(|pair| matches!(pair[0].kind, TokenKind::Function | TokenKind::Procedure))
            .map(|pair| pair[1].text.clone())
            .collect();
        Parser {
            tokens,
            position: 0,
            depth: 0,
            functions,
            logic: None,
            dialect,
        }
    }

    fn token(&self) -> &Token {
        self.peek(0)
    }

    /// The token so many places ahead; the end is never passed.
    fn peek(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.position + ahead).min(last)]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Consumes the current token and says where it was.
    fn bump(&mut self) -> Span {
        let span = self.token().span;
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        span
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// The place from `start` to the last token that was consumed.
    fn since(&self, start: Span) -> Span {
        match self.position.checked_sub(1) {
            Some(last) => start.to(self.tokens[last].span),
            None => start,
        }
    }

    /// True at the word, in any case, that only CMurphi reserves.
    fn at_soft_word(&self, word: &str) -> bool {
        let token = self.token();
        token.kind == TokenKind::Name
            && token.text.eq_ignore_ascii_case(word)
            && !self.functions.contains(&token.text)
    }

    fn expect(&mut self, kind: TokenKind, why: &str) -> Fallible<Span> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        Err(Box::new(
            self.unexpected(&format!("`{}` {why}", kind.symbol())),
        ))
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.token();
        let message = format!("expected {expected}, found {token}");
        let diagnostic = Diagnostic::error(token.span, message);
        if token.kind == TokenKind::Slash && self.peek(1).kind == TokenKind::Slash {
            return diagnostic.with_help("a comment begins with `--`, or stands in `/* */`");
        }
        if token.kind == TokenKind::LeftBrace {
            return diagnostic.with_help("there are no braces: a body ends with `end` or with its own word, as in `startstate .. endstartstate;`");
        }
        diagnostic
    }

    fn name(&mut self, what: &str) -> Fallible<Ident> {
        if self.at(TokenKind::Name) {
            let name = self.token().text.clone();
            return Ok(Ident {
                name,
                span: self.bump(),
            });
        }
        let mut diagnostic = self.unexpected(what);
        if self.kind().is_keyword() {
            let word = &self.token().text;
            diagnostic =
                diagnostic.with_help(format!("`{word}` is a keyword; choose another name"));
        }
        Err(Box::new(diagnostic))
    }

    fn optional_text(&mut self) -> Option<Text> {
        let text = self.token().text.clone();
        let span = self.token().span;
        self.eat(TokenKind::Text).then_some(Text { text, span })
    }

    fn text(&mut self, why: &str) -> Fallible<Text> {
        match self.optional_text() {
            Some(text) => Ok(text),
            None => Err(Box::new(self.unexpected(&format!("a string {why}")))),
        }
    }

    /// Consumes the word that opens a part.
    fn open(&mut self) -> Opener {
        let kind = self.kind();
        Opener {
            kind,
            span: self.bump(),
        }
    }

    /// `do`, or the colon that CMurphi takes instead.
    fn expect_do(&mut self, why: &str) -> Fallible<()> {
        if self.eat(TokenKind::Do) || self.eat(TokenKind::Colon) {
            return Ok(());
        }
        Err(Box::new(self.unexpected(&format!("`do` {why}"))))
    }

    /// `end`, or the longer word that fits the opener.
    fn close(&mut self, opener: Opener) -> Fallible<Span> {
        if self.at(TokenKind::End) || closers(opener.kind).contains(&self.kind()) {
            return Ok(self.bump());
        }
        let word = opener.kind.symbol();
        let expected = format!("`end` or `{}`", closers(opener.kind)[0].symbol());
        let diagnostic = self
            .unexpected(&expected)
            .with_related(opener.span, format!("the `{word}` that it would close"));
        Err(Box::new(diagnostic))
    }

    /// True at a word that ends a list of statements or rules.
    fn at_closer(&self) -> bool {
        let kind = self.kind();
        matches!(
            kind,
            TokenKind::End | TokenKind::Eof | TokenKind::Else | TokenKind::Elsif | TokenKind::Case
        ) || CLOSERS.contains(&kind)
    }

    /// Runs a part of the parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        self.nested_by(1, parse)
    }

    /// Runs a part of the parser so many levels deeper: what has several quantifiers stands for as many
    /// parts, one inside the other.
    fn nested_by<T>(
        &mut self,
        levels: usize,
        parse: impl FnOnce(&mut Self) -> Fallible<T>,
    ) -> Fallible<T> {
        if self.depth + levels > limits::NESTING {
            let message = format!("this is nested more than {} deep", limits::NESTING);
            return Err(error(self.token().span, message));
        }
        self.depth += levels;
        let result = parse(self);
        self.depth -= levels;
        result
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Fallible<()> {
        match self.kind() {
            TokenKind::Const | TokenKind::Type | TokenKind::Var => {
                items.extend(self.declarations()?.into_iter().map(Item::Decl));
            }
            TokenKind::Function | TokenKind::Procedure => {
                items.push(Item::Function(self.function()?));
            }
            _ if self.at_rule() => items.push(Item::Rule(self.rule()?)),
            _ => return Err(self.no_item()),
        }
        Ok(())
    }

    fn no_item(&self) -> Box<Diagnostic> {
        let span = self.token().span;
        for (word, what) in REFUSED {
            if self.at_soft_word(word) {
                return error_help(
                    span,
                    format!("{what} are not supported"),
                    "Rumur does not know them either",
                );
            }
        }
        let diagnostic = self.unexpected("a declaration, a function or a rule");
        if CLOSERS.contains(&self.kind()) || self.at(TokenKind::End) {
            return Box::new(
                diagnostic
                    .with_help("nothing is open here; there may be one `end` too many before"),
            );
        }
        Box::new(diagnostic)
    }
}

/// What CMurphi has at the top level, and we do not.
const REFUSED: [(&str, &str); 3] = [
    ("externfun", "external functions"),
    ("externproc", "external procedures"),
    ("pctl", "probabilistic formulas"),
];

/// All words that close exactly one kind of part.
const CLOSERS: [TokenKind; 12] = [
    TokenKind::EndAlias,
    TokenKind::EndExists,
    TokenKind::EndFor,
    TokenKind::EndForall,
    TokenKind::EndFunction,
    TokenKind::EndIf,
    TokenKind::EndProcedure,
    TokenKind::EndRule,
    TokenKind::EndRuleset,
    TokenKind::EndStartstate,
    TokenKind::EndSwitch,
    TokenKind::EndWhile,
];

/// The words besides `end` that close what the word opened, the usual one first.
fn closers(opener: TokenKind) -> &'static [TokenKind] {
    match opener {
        TokenKind::Alias => &[TokenKind::EndAlias],
        TokenKind::Exists => &[TokenKind::EndExists],
        TokenKind::For => &[TokenKind::EndFor],
        TokenKind::Forall => &[TokenKind::EndForall],
        TokenKind::Function => &[TokenKind::EndFunction, TokenKind::EndProcedure],
        TokenKind::If => &[TokenKind::EndIf],
        TokenKind::Procedure => &[TokenKind::EndProcedure, TokenKind::EndFunction],
        TokenKind::Record => &[TokenKind::EndRecord],
        TokenKind::Rule => &[TokenKind::EndRule],
        TokenKind::Ruleset => &[TokenKind::EndRuleset],
        TokenKind::Startstate => &[TokenKind::EndStartstate],
        TokenKind::Switch => &[TokenKind::EndSwitch],
        TokenKind::While => &[TokenKind::EndWhile],
        _ => &[TokenKind::End],
    }
}
