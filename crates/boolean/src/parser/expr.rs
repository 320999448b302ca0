//! Expressions. From loose to tight: `=>`, `=` and `!=`, which lean to the right; `^`; `|`; `&`; then `!` and `'`.

use super::Parser;
use crate::ast::{Expr, ExprKind, Operator};
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error_help};
use mandala_syntax::Parser as _;

impl Parser {
    pub(super) fn exprs(&mut self, end: TokenKind) -> Fallible<Vec<Expr>> {
        if self.at(end) {
            return Ok(Vec::new());
        }
        let mut all = vec![self.expr()?];
        while self.eat(TokenKind::Comma) {
            all.push(self.expr()?);
        }
        Ok(all)
    }

    pub(super) fn expr(&mut self) -> Fallible<Expr> {
        self.nested(|parser| {
            let left = parser.chain(TokenKind::Xor)?;
            let operator = match parser.kind() {
                TokenKind::Implies => Operator::Implies,
                TokenKind::Equal => Operator::Equal,
                TokenKind::NotEqual => Operator::NotEqual,
                _ => return Ok(left),
            };
            parser.bump();
            let right = parser.expr()?;
            Ok(binary(operator, left, right))
        })
    }

    /// Operands with one operator between them, which leans to the left, and the tighter ones inside.
    fn chain(&mut self, sign: TokenKind) -> Fallible<Expr> {
        let (operator, tighter) = match sign {
            TokenKind::Xor => (Operator::Xor, Some(TokenKind::Or)),
            TokenKind::Or => (Operator::Or, Some(TokenKind::And)),
            _ => (Operator::And, None),
        };
        let mut left = self.operand(tighter)?;
        let mut length = 0;
        while self.at(sign) {
            // A long chain is as deep as it is long when it is gone through.
            length += 1;
            if length > crate::limits::CHAIN {
                return Err(self.unexpected("a shorter expression"));
            }
            self.bump();
            let right = self.operand(tighter)?;
            left = binary(operator, left, right);
        }
        Ok(left)
    }

    fn operand(&mut self, tighter: Option<TokenKind>) -> Fallible<Expr> {
        match tighter {
            Some(sign) => self.chain(sign),
            None => self.unary(),
        }
    }

    fn unary(&mut self) -> Fallible<Expr> {
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::Not => {
                self.bump();
                ExprKind::Not(Box::new(self.nested(Parser::unary)?))
            }
            TokenKind::Tick => {
                self.bump();
                ExprKind::Next(self.name("the name of a variable behind `'`")?)
            }
            TokenKind::LeftParen => {
                self.bump();
                let inside = self.expr()?;
                self.expect(TokenKind::RightParen, "behind the expression")?;
                inside.kind
            }
            TokenKind::Schoose => self.schoose()?,
            TokenKind::Star => self.constant(ExprKind::Any),
            TokenKind::True => self.constant(ExprKind::Constant(true)),
            TokenKind::False => self.constant(ExprKind::Constant(false)),
            TokenKind::Number => self.number()?,
            TokenKind::Name => ExprKind::Variable(self.name("the name of a variable")?),
            _ => return Err(self.unexpected("an expression")),
        };
        let span = self.since(start);
        Ok(Expr { kind, span })
    }

    fn constant(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    fn number(&mut self) -> Fallible<ExprKind> {
        let value = match &*self.token().text {
            "0" => false,
            "1" => true,
            _ => {
                let message = format!("{} is no truth value", self.token());
                let help = "write `0` or `F`, `1` or `T`";
                return Err(error_help(self.token().span, message, help));
            }
        };
        Ok(self.constant(ExprKind::Constant(value)))
    }

    fn schoose(&mut self) -> Fallible<ExprKind> {
        self.bump();
        self.expect(TokenKind::LeftBracket, "behind `schoose`")?;
        let yes = self.expr()?;
        self.expect(TokenKind::Comma, "between the parts of `schoose`")?;
        let no = self.expr()?;
        self.expect(TokenKind::RightBracket, "behind the parts of `schoose`")?;
        Ok(ExprKind::Schoose(Box::new(yes), Box::new(no)))
    }
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr {
        kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        span,
    }
}
