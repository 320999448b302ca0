//! Tokens to the syntax tree, by recursive descent.
//!
//! An error ends the function that it is in; the parser goes on at the next one, so that several errors are found at once.

mod expr;
mod stmt;

use crate::ast::{Function, Ident, Tree};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, Findings, error, error_help};
use mandala_model::source::Span;

/// Parses a whole program. The tokens end with an end token.
pub(crate) fn parse(tokens: Vec<Token>, findings: &mut Findings) -> Tree {
    let mut parser = Parser {
        tokens,
        position: 0,
        depth: 0,
    };
    let mut tree = Tree::default();
    while !parser.at(TokenKind::Eof) {
        if findings.note(parser.item(&mut tree)).is_none() {
            parser.recover();
        }
    }
    tree
}

struct Parser {
    tokens: Vec<Token>,
    position: usize,
    /// How many parts are open around the current token.
    depth: usize,
}

impl Parser {
    fn ahead(&self, ahead: usize) -> TokenKind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.position + ahead).min(last)].kind
    }

    fn token(&self) -> &Token {
        &self.tokens[self.position]
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// Consumes the current token, unless it is the end, and says where it was.
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

    fn expect(&mut self, kind: TokenKind, why: &str) -> Fallible<Span> {
        match self.at(kind) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(&format!("`{}` {why}", kind.symbol()))),
        }
    }

    fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let token = self.token();
        error(token.span, format!("expected {expected}, found {token}"))
    }

    fn name(&mut self, what: &str) -> Fallible<Ident> {
        if self.at(TokenKind::Name) {
            let name = self.token().text.clone();
            let span = self.bump();
            return Ok(Ident { name, span });
        }
        let diagnostic = self.unexpected(what);
        match self.kind().is_word() {
            true => Err(Box::new(
                diagnostic.with_help("that is a word of the language; choose another name"),
            )),
            false => Err(diagnostic),
        }
    }

    fn names(&mut self, what: &str) -> Fallible<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Parses a part that others may be in, down to a depth that the stack is good for.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        if self.depth == limits::DEPTH {
            return Err(error(self.token().span, "the program is nested too deep"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Goes on to what may be the beginning of the next function.
    fn recover(&mut self) {
        self.depth = 0;
        while !matches!(
            self.kind(),
            TokenKind::Dfs | TokenKind::Void | TokenKind::Bool | TokenKind::Eof
        ) {
            self.bump();
        }
    }

    fn item(&mut self, tree: &mut Tree) -> Fallible<()> {
        if self.eat(TokenKind::Decl) {
            tree.globals.extend(self.names("the name of a variable")?);
            self.expect(TokenKind::Semicolon, "behind the declaration")?;
        } else {
            tree.functions.push(self.function()?);
        }
        Ok(())
    }

    fn function(&mut self) -> Fallible<Function> {
        // Which functions are worth a summary is not for the author to say here.
        self.eat(TokenKind::Dfs);
        let results = self.results()?;
        let name = self.name("the name of a function")?;
        self.expect(TokenKind::LeftParen, "before the parameters")?;
        let parameters = match self.at(TokenKind::RightParen) {
            true => Vec::new(),
            false => self.names("the name of a parameter")?,
        };
        self.expect(TokenKind::RightParen, "behind the parameters")?;
        self.expect(TokenKind::Begin, "before the body of the function")?;
        let body = self.block(&[TokenKind::End])?;
        let end = self.expect(TokenKind::End, "behind the body of the function")?;
        self.eat(TokenKind::Semicolon);
        Ok(Function {
            name,
            results,
            parameters,
            body,
            end,
        })
    }

    /// `void`, `bool` or `bool<n>`.
    fn results(&mut self) -> Fallible<usize> {
        if self.eat(TokenKind::Void) {
            return Ok(0);
        }
        if !self.eat(TokenKind::Bool) {
            return Err(self.unexpected("`decl`, `void` or `bool`"));
        }
        if !self.eat(TokenKind::Less) {
            return Ok(1);
        }
        let token = self.token().clone();
        if token.kind != TokenKind::Number {
            return Err(self.unexpected("the number of results"));
        }
        self.bump();
        self.expect(TokenKind::Greater, "behind the number of results")?;
        match token.text.parse() {
            Ok(number) if (1..=limits::RESULTS).contains(&number) => Ok(number),
            _ => {
                let help = format!("a function has 1 to {} results", limits::RESULTS);
                let message = format!("`{}` results", token.text);
                Err(error_help(token.span, message, help))
            }
        }
    }
}
