//! Expressions.
//!
//! From loose to tight: quantifiers, `=>`, `or`, `and`, `not`, comparisons, `+ -`, `* /`, signs. Comparisons and `=>` do
//! not chain. What only formulas have is in `formula`.

use super::Parser;
use crate::ast::{Arithmetic, BinaryOp, Comparison, Expr, ExprKind, Quantifier};
use crate::limits;
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;
use mandala_syntax::Parser as _;

/// How tightly an operator binds.
pub(super) type Level = u8;

pub(super) const IMPLIES: Level = 1;
/// Operators between what is said of runs.
pub(super) const UNTIL: Level = 4;
pub(super) const COMPARISON: Level = 5;

impl Parser {
    pub(super) fn expr(&mut self) -> Fallible<Expr> {
        self.nested(|parser| parser.binary(IMPLIES))
    }

    /// Operators that bind at least that tightly.
    pub(super) fn binary(&mut self, lowest: Level) -> Fallible<Expr> {
        let mut left = self.operand()?;
        let mut before = None;
        while let Some((op, level)) = self.operator().filter(|(_, level)| *level >= lowest) {
            if before == Some(level) && !chains(level) {
                let help = "say with parentheses which comes first";
                let message = format!("{} cannot follow another one", self.token());
                return Err(error_help(self.token().span, message, help));
            }
            self.bump();
            let right = self.binary(level + 1)?;
            let span = left.span.to(right.span);
            let height = left.height.max(right.height);
            left = grown(
                ExprKind::Binary(op, Box::new(left), Box::new(right)),
                span,
                height,
            )?;
            before = Some(level);
        }
        if self.at(TokenKind::Assign) {
            return Err(self.no_comparison());
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(BinaryOp, Level)> {
        operator(self.kind()).or_else(|| self.temporal_operator())
    }

    fn no_comparison(&self) -> Box<mandala_model::Diagnostic> {
        let error = self.unexpected("an operator or the end of the expression");
        Box::new(error.with_help("to compare, write `==`"))
    }

    pub(super) fn operand(&mut self) -> Fallible<Expr> {
        if let Some(prefix) = self.prefix() {
            return self.prefixed_formula(prefix);
        }
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::Not => return self.prefixed(COMPARISON, ExprKind::Not),
            TokenKind::Minus => return self.prefixed(Level::MAX, ExprKind::Negate),
            TokenKind::Forall => return self.quantified(Quantifier::All),
            TokenKind::Exists => return self.quantified(Quantifier::Some),
            TokenKind::LeftParen => return self.parenthesised(),
            TokenKind::Name | TokenKind::Mode => ExprKind::Reference(self.reference()?),
            TokenKind::Number => ExprKind::Number(self.number()?),
            TokenKind::True => self.read(ExprKind::Truth(true)),
            TokenKind::False => self.read(ExprKind::Truth(false)),
            TokenKind::Null => self.read(ExprKind::Null),
            TokenKind::Me => self.read(ExprKind::Me),
            _ => return Err(self.unexpected("an expression")),
        };
        let span = self.since(start);
        grown(kind, span, 0)
    }

    fn read(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    fn number(&mut self) -> Fallible<i64> {
        let parsed = self.token().text.parse();
        let span = self.bump();
        parsed.map_err(|_| error(span, "the number does not fit 64 bits"))
    }

    /// A sign before operators that bind at least that tightly.
    fn prefixed(
        &mut self,
        lowest: Level,
        build: impl FnOnce(Box<Expr>) -> ExprKind,
    ) -> Fallible<Expr> {
        let start = self.bump();
        let inner = self.nested(|parser| parser.binary(lowest))?;
        let span = start.to(inner.span);
        let height = inner.height;
        grown(build(Box::new(inner)), span, height)
    }

    fn parenthesised(&mut self) -> Fallible<Expr> {
        let start = self.bump();
        let inner = self.expr()?;
        let end = self.expect(TokenKind::RightParen, "to close the parenthesis")?;
        let span = start.to(end);
        Ok(Expr { span, ..inner })
    }

    /// `forall i, j: condition`, as far to the right as possible.
    fn quantified(&mut self, quantifier: Quantifier) -> Fallible<Expr> {
        let start = self.bump();
        let mut names = vec![self.name("a name for a process")?];
        while self.eat(TokenKind::Comma) {
            names.push(self.name("a name for a process")?);
        }
        self.expect(TokenKind::Colon, "before the condition of the quantifier")?;
        let body = self.expr()?;
        let span = start.to(body.span);
        let height = body.height.saturating_add(names.len() as u32);
        grown(
            ExprKind::Quantified(quantifier, names, Box::new(body)),
            span,
            height,
        )
    }
}

/// An expression around others of that height.
pub(super) fn grown(kind: ExprKind, span: Span, inside: u32) -> Fallible<Expr> {
    let height = inside.saturating_add(1);
    if height > limits::EXPRESSION_HEIGHT {
        let message = format!(
            "the expression has more than {} levels",
            limits::EXPRESSION_HEIGHT
        );
        return Err(error(span, message));
    }
    Ok(Expr {
        speaks_of_runs: kind.speaks_of_runs(),
        kind,
        span,
        height,
    })
}

fn operator(kind: TokenKind) -> Option<(BinaryOp, Level)> {
    let compare = |comparison| (BinaryOp::Compare(comparison), COMPARISON);
    Some(match kind {
        TokenKind::Implies => (BinaryOp::Implies, IMPLIES),
        TokenKind::Or => (BinaryOp::Or, 2),
        TokenKind::And => (BinaryOp::And, 3),
        TokenKind::Equal => compare(Comparison::Equal),
        TokenKind::NotEqual => compare(Comparison::NotEqual),
        TokenKind::Less => compare(Comparison::Less),
        TokenKind::LessEqual => compare(Comparison::LessEqual),
        TokenKind::Greater => compare(Comparison::Greater),
        TokenKind::GreaterEqual => compare(Comparison::GreaterEqual),
        TokenKind::Plus => (BinaryOp::Calculate(Arithmetic::Add), 6),
        TokenKind::Minus => (BinaryOp::Calculate(Arithmetic::Subtract), 6),
        TokenKind::Star => (BinaryOp::Calculate(Arithmetic::Multiply), 7),
        TokenKind::Slash => (BinaryOp::Calculate(Arithmetic::Divide), 7),
        _ => return None,
    })
}

/// Whether several operators of the level may stand in a row.
fn chains(level: Level) -> bool {
    level != IMPLIES && level != COMPARISON
}
