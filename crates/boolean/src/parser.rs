//! Tokens to the syntax tree, by recursive descent.
//!
//! An error ends the function that it is in; the parser goes on at the next one, so that several errors are found at once.

mod expr;
mod stmt;

use crate::ast::{Function, Ident, Tree};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::findings::{Fallible, Findings, error_help};
use mandala_syntax as syntax;
use mandala_syntax::{Cursor, Parser as _};

/// Parses a whole program. The tokens end with an end token.
pub(crate) fn parse(tokens: Vec<Token>, findings: &mut Findings) -> Tree {
    let mut parser = Parser {
        cursor: Cursor::new(tokens),
    };
    let mut tree = Tree::default();
    while !parser.at(TokenKind::Eof) {
        if findings.note(parser.item(&mut tree)).is_none() {
            parser.recover(|parser| {
                let begins = [TokenKind::Dfs, TokenKind::Void, TokenKind::Bool];
                begins.contains(&parser.kind())
            });
        }
    }
    tree
}

struct Parser {
    cursor: Cursor<TokenKind>,
}

impl syntax::Parser<TokenKind> for Parser {
    const DEPTH: usize = limits::DEPTH;

    fn too_deep() -> String {
        "the program is nested too deep".to_string()
    }

    fn cursor(&self) -> &Cursor<TokenKind> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<TokenKind> {
        &mut self.cursor
    }
}

impl Parser {
    fn name(&mut self, what: &str) -> Fallible<Ident> {
        self.name_of(TokenKind::Name, what)
    }

    fn names(&mut self, what: &str) -> Fallible<Vec<Ident>> {
        let mut names = vec![self.name(what)?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
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
