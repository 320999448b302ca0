//! Formulas. `||` binds weaker than `&&`, which binds weaker than `not` and `forall_other`.

use super::Parser;
use crate::ast::{Formula, FormulaKind};
use crate::limits;
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_syntax::Kind;
use mandala_syntax::Parser as _;

impl Parser {
    pub(super) fn formula(&mut self) -> Fallible<Formula> {
        self.nested(|parser| parser.chain(TokenKind::Or, Self::conjunction, FormulaKind::Or))
    }

    fn conjunction(&mut self) -> Fallible<Formula> {
        self.chain(TokenKind::And, Self::single, FormulaKind::And)
    }

    /// One operand, or several with an operator between them.
    fn chain(
        &mut self,
        operator: TokenKind,
        operand: fn(&mut Self) -> Fallible<Formula>,
        joined: fn(Vec<Formula>) -> FormulaKind,
    ) -> Fallible<Formula> {
        let start = self.token().span;
        let first = operand(self)?;
        if !self.at(operator) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.eat(operator) {
            if operands.len() == limits::CHAIN {
                let sign = operator.symbol();
                let message = format!("more than {} operands of `{sign}`", limits::CHAIN);
                return Err(error(self.token().span, message));
            }
            operands.push(operand(self)?);
        }
        Ok(Formula {
            kind: joined(operands),
            span: self.since(start),
        })
    }

    fn single(&mut self) -> Fallible<Formula> {
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::LeftParen => {
                self.bump();
                let inside = self.formula()?;
                self.expect(TokenKind::RightParen, "behind the formula")?;
                return Ok(inside);
            }
            TokenKind::Not => {
                self.bump();
                FormulaKind::Not(Box::new(self.nested(Self::single)?))
            }
            TokenKind::ForallOther => self.forall_other()?,
            _ => self.comparison()?,
        };
        let span = self.since(start);
        Ok(Formula { kind, span })
    }

    /// What is said of each other process is one comparison, or stands between parentheses.
    fn forall_other(&mut self) -> Fallible<FormulaKind> {
        self.bump();
        let name = self.name(TokenKind::Small, "the name of a process")?;
        self.expect(TokenKind::Dot, "behind the name of the process")?;
        let body = self.nested(Self::single)?;
        if self.at(TokenKind::Or) {
            let message = "what is said of each other process may end here, or go on";
            let help = "put it between parentheses: `(forall_other j. ..) || ..` or `forall_other j. (.. || ..)`";
            return Err(error_help(self.token().span, message, help));
        }
        Ok(FormulaKind::ForallOther(name, Box::new(body)))
    }

    fn comparison(&mut self) -> Fallible<FormulaKind> {
        let left = self.term()?;
        let sign = self.token().clone();
        let equal = match sign.kind {
            TokenKind::Equal => true,
            TokenKind::NotEqual => false,
            TokenKind::Less | TokenKind::AtMost | TokenKind::Greater | TokenKind::AtLeast => {
                let message = format!("{sign} puts processes in an order");
                let help = "processes have no order here, which is what makes them interchangeable: compare with `=` or `<>`";
                return Err(error_help(sign.span, message, help));
            }
            _ => return Err(self.unexpected("`=` or `<>`")),
        };
        self.bump();
        let right = self.term()?;
        Ok(FormulaKind::Compare(equal, left, right))
    }
}
