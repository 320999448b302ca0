//! Statements.

use super::Parser;
use crate::ast::{Case, Clause, Expr, PropertyKind, Stmt, StmtKind, Text};
use crate::token::TokenKind;
use mandala_model::findings::Fallible;

impl Parser {
    /// Statements up to the word that closes them. There must be a semicolon between two.
    pub(super) fn statements(&mut self) -> Fallible<Vec<Stmt>> {
        let mut list = Vec::new();
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.at_closer() {
                return Ok(list);
            }
            list.push(self.nested(Parser::statement)?);
            if !self.at(TokenKind::Semicolon) && !self.at_closer() {
                return Err(Box::new(self.unexpected("`;` after the statement")));
            }
        }
    }

    fn statement(&mut self) -> Fallible<Stmt> {
        let start = self.token().span;
        let kind = self.statement_kind()?;
        Ok(Stmt {
            kind,
            span: self.since(start),
        })
    }

    fn statement_kind(&mut self) -> Fallible<StmtKind> {
        match self.kind() {
            TokenKind::Alias => self.alias_statement(),
            TokenKind::Clear => {
                self.bump();
                Ok(StmtKind::Clear(self.designator("a variable")?))
            }
            TokenKind::Error => {
                self.bump();
                Ok(StmtKind::Error(self.text("after `error`")?))
            }
            TokenKind::For => self.for_statement(),
            TokenKind::If => self.if_statement(),
            TokenKind::Put => self.put_statement(),
            TokenKind::Return => {
                self.bump();
                let value = self.at_expr().then(|| self.expr()).transpose()?;
                Ok(StmtKind::Return(value))
            }
            TokenKind::Switch => self.switch_statement(),
            TokenKind::Undefine => {
                self.bump();
                Ok(StmtKind::Undefine(self.designator("a variable")?))
            }
            TokenKind::While => self.while_statement(),
            TokenKind::Name => self.assignment_or_call(),
            kind => match property_kind(kind) {
                Some(kind) => {
                    let (name, condition) = self.property_rest()?;
                    Ok(StmtKind::Property(kind, name, condition))
                }
                None => Err(Box::new(self.unexpected("a statement"))),
            },
        }
    }

    /// The name, on either side, and the condition after `assert` and the like.
    pub(super) fn property_rest(&mut self) -> Fallible<(Option<Text>, Expr)> {
        self.bump();
        if let Some(name) = self.optional_text() {
            return Ok((Some(name), self.expr()?));
        }
        let condition = self.expr()?;
        Ok((self.optional_text(), condition))
    }

    fn assignment_or_call(&mut self) -> Fallible<StmtKind> {
        if self.peek(1).kind == TokenKind::LeftParen {
            if self.at_soft_word("multisetremovepred") {
                self.bump();
                let (name, multiset, condition) = self.chosen()?;
                return Ok(StmtKind::MultisetRemovePred(name, multiset, condition));
            }
            return Ok(StmtKind::Call(self.call()?));
        }
        let target = self.designator("a variable")?;
        if self.at(TokenKind::Equal) {
            let help = "an assignment is written `:=`";
            return Err(Box::new(
                self.unexpected("`:=` after the variable").with_help(help),
            ));
        }
        if self.at(TokenKind::Plus) {
            let help = "there is no `++`; write `x := x + 1`";
            return Err(Box::new(
                self.unexpected("`:=` after the variable").with_help(help),
            ));
        }
        self.expect(TokenKind::Assign, "after the variable")?;
        Ok(StmtKind::Assign(target, self.expr()?))
    }

    fn alias_statement(&mut self) -> Fallible<StmtKind> {
        let opener = self.open();
        let aliases = self.aliases()?;
        let body = self.statements()?;
        self.close(opener)?;
        Ok(StmtKind::Alias(aliases, body))
    }

    fn for_statement(&mut self) -> Fallible<StmtKind> {
        let opener = self.open();
        let quantifiers = self.quantifiers()?;
        self.expect_do("after the values of the loop")?;
        let body = self.nested_by(quantifiers.len(), Parser::statements)?;
        self.close(opener)?;
        Ok(StmtKind::For(quantifiers, body))
    }

    fn while_statement(&mut self) -> Fallible<StmtKind> {
        let opener = self.open();
        let condition = self.expr()?;
        self.expect_do("after the condition of the loop")?;
        let body = self.statements()?;
        self.close(opener)?;
        Ok(StmtKind::While(condition, body))
    }

    fn if_statement(&mut self) -> Fallible<StmtKind> {
        let opener = self.open();
        let mut clauses = vec![self.clause()?];
        while self.eat(TokenKind::Elsif) {
            clauses.push(self.clause()?);
        }
        let otherwise = self.optional_else()?;
        self.close(opener)?;
        Ok(StmtKind::If(clauses, otherwise))
    }

    fn clause(&mut self) -> Fallible<Clause> {
        let condition = self.expr()?;
        self.expect(TokenKind::Then, "after the condition")?;
        Ok(Clause {
            condition,
            body: self.statements()?,
        })
    }

    fn optional_else(&mut self) -> Fallible<Vec<Stmt>> {
        if self.eat(TokenKind::Else) {
            self.statements()
        } else {
            Ok(Vec::new())
        }
    }

    fn switch_statement(&mut self) -> Fallible<StmtKind> {
        let opener = self.open();
        let value = self.expr()?;
        let mut cases = Vec::new();
        while self.eat(TokenKind::Case) {
            cases.push(self.case()?);
        }
        let otherwise = self.optional_else()?;
        self.close(opener)?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    fn case(&mut self) -> Fallible<Case> {
        if self.at(TokenKind::Colon) {
            let help = "what is done for all other values stands after `else`";
            return Err(Box::new(
                self.unexpected("a value after `case`").with_help(help),
            ));
        }
        let values = self.expr_list(TokenKind::Colon)?;
        self.expect(TokenKind::Colon, "after the values of the `case`")?;
        Ok(Case {
            values,
            body: self.statements()?,
        })
    }

    fn put_statement(&mut self) -> Fallible<StmtKind> {
        self.bump();
        match self.optional_text() {
            Some(text) => Ok(StmtKind::PutText(text)),
            None => Ok(StmtKind::PutExpr(self.expr()?)),
        }
    }
}

/// The property that a word begins.
pub(super) fn property_kind(kind: TokenKind) -> Option<PropertyKind> {
    Some(match kind {
        TokenKind::Assert | TokenKind::Invariant => PropertyKind::Invariant,
        TokenKind::Assume => PropertyKind::Assume,
        TokenKind::Cover => PropertyKind::Cover,
        TokenKind::Liveness => PropertyKind::Liveness,
        _ => return None,
    })
}
