//! Statements.

use super::Parser;
use crate::ast::{Call, Ident, Stmt, StmtKind, Target};
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error_help};
use mandala_syntax::Parser as _;

impl Parser {
    /// Statements up to one of these words. A semicolon stands behind each but perhaps the last.
    pub(super) fn block(&mut self, ends: &[TokenKind]) -> Fallible<Vec<Stmt>> {
        let mut all = Vec::new();
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if ends.contains(&self.kind()) {
                return Ok(all);
            }
            all.push(self.nested(Parser::statement)?);
            if !ends.contains(&self.kind()) {
                self.expect(TokenKind::Semicolon, "behind a statement")?;
            }
        }
    }

    fn statement(&mut self) -> Fallible<Stmt> {
        let mut labels = Vec::new();
        while self.at(TokenKind::Name) && self.ahead(1).kind == TokenKind::Colon {
            labels.push(self.name("a label")?);
            self.bump();
        }
        let start = self.token().span;
        let kind = self.kind_of_statement()?;
        let span = self.since(start);
        Ok(Stmt { labels, kind, span })
    }

    fn kind_of_statement(&mut self) -> Fallible<StmtKind> {
        let word = self.kind();
        if matches!(word, TokenKind::Name | TokenKind::Ignored) {
            return self.assignment_or_call();
        }
        let plain = match word {
            TokenKind::Skip => Some(StmtKind::Skip),
            TokenKind::EndThread => Some(StmtKind::EndThread),
            TokenKind::AtomicBegin => Some(StmtKind::AtomicBegin),
            TokenKind::AtomicEnd => Some(StmtKind::AtomicEnd),
            _ => None,
        };
        if let Some(plain) = plain {
            self.bump();
            return Ok(plain);
        }
        match word {
            TokenKind::Goto => {
                self.bump();
                Ok(StmtKind::Goto(self.names("a label")?))
            }
            TokenKind::Return => {
                self.bump();
                Ok(StmtKind::Return(self.exprs(TokenKind::Semicolon)?))
            }
            TokenKind::If => self.conditional(),
            TokenKind::While => self.repetition(),
            TokenKind::Decl => {
                self.bump();
                Ok(StmtKind::Decl(self.names("the name of a variable")?))
            }
            TokenKind::Dead => {
                self.bump();
                Ok(StmtKind::Dead(self.names("the name of a variable")?))
            }
            TokenKind::StartThread => {
                self.bump();
                let inside = self.nested(Parser::statement)?;
                Ok(StmtKind::StartThread(Box::new(inside)))
            }
            TokenKind::Sync => {
                let help = "threads meet by `assume` on a global variable";
                let message = "`sync` is not supported";
                Err(error_help(self.token().span, message, help))
            }
            _ => self.condition(word),
        }
    }

    /// A statement that is a word and a condition.
    fn condition(&mut self, word: TokenKind) -> Fallible<StmtKind> {
        let make = match word {
            TokenKind::Assert => StmtKind::Assert,
            TokenKind::Assume => StmtKind::Assume,
            TokenKind::Enforce => StmtKind::Enforce,
            TokenKind::Abortif => StmtKind::Abortif,
            _ => return Err(self.unexpected("a statement")),
        };
        self.bump();
        Ok(make(self.expr()?))
    }

    fn conditional(&mut self) -> Fallible<StmtKind> {
        let mut branches = Vec::new();
        let ends = [TokenKind::Elsif, TokenKind::Else, TokenKind::Fi];
        while branches.is_empty() || self.at(TokenKind::Elsif) {
            self.bump();
            let condition = self.expr()?;
            self.expect(TokenKind::Then, "behind the condition")?;
            branches.push((condition, self.block(&ends)?));
        }
        let otherwise = match self.eat(TokenKind::Else) {
            true => self.block(&[TokenKind::Fi])?,
            false => Vec::new(),
        };
        self.expect(TokenKind::Fi, "at the end of `if`")?;
        Ok(StmtKind::If {
            branches,
            otherwise,
        })
    }

    fn repetition(&mut self) -> Fallible<StmtKind> {
        self.bump();
        let condition = self.expr()?;
        self.expect(TokenKind::Do, "behind the condition")?;
        let body = self.block(&[TokenKind::Od])?;
        self.expect(TokenKind::Od, "at the end of `while`")?;
        Ok(StmtKind::While(condition, body))
    }

    fn assignment_or_call(&mut self) -> Fallible<StmtKind> {
        if self.ahead(1).kind == TokenKind::LeftParen {
            let function = self.name("the name of a function")?;
            return self.call(Vec::new(), function);
        }
        let mut targets = vec![self.target()?];
        while self.eat(TokenKind::Comma) {
            targets.push(self.target()?);
        }
        self.expect(TokenKind::Assign, "behind what is assigned to")?;
        if self.at(TokenKind::Name) && self.ahead(1).kind == TokenKind::LeftParen {
            let function = self.name("the name of a function")?;
            return self.call(targets, function);
        }
        let mut values = vec![self.expr()?];
        while self.eat(TokenKind::Comma) {
            values.push(self.expr()?);
        }
        let constrain = match self.eat(TokenKind::Constrain) {
            true => Some(self.expr()?),
            false => None,
        };
        Ok(StmtKind::Assign {
            targets,
            values,
            constrain,
        })
    }

    fn target(&mut self) -> Fallible<Target> {
        match self.eat(TokenKind::Ignored) {
            true => Ok(None),
            false => self.name("the name of a variable").map(Some),
        }
    }

    fn call(&mut self, targets: Vec<Target>, function: Ident) -> Fallible<StmtKind> {
        self.expect(TokenKind::LeftParen, "before the arguments")?;
        let arguments = self.exprs(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "behind the arguments")?;
        Ok(StmtKind::Call(Call {
            targets,
            function,
            arguments,
        }))
    }
}
