//! Expressions.
//!
//! Operators bind as in Rumur, whose table extends CMurphi's: from loose to tight `?:`, `->`, `||`, `&&`,
//! `|`, `^`, `&`, `!`, comparisons, shifts, `+ -`, `* / %`, signs. So `!a = b` is `!(a = b)`.
//! Comparisons, implications and conditionals do not chain: both tools refuse `a < b < c`, whose
//! meaning nobody agrees on. What only formulas have is in `formula`.

use super::Parser;
use crate::Dialect;
use crate::ast::{
    BinaryOp, Call, Designator, Expr, ExprKind, Ident, Number, Quantifier, QuantifierKind,
    QuantifierRange, Selector, Steps, UnaryOp,
};
use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

/// How tightly an operator binds.
pub(super) type Level = u8;

pub(super) const IMPLIES: Level = 1;
/// Operators between what is said of runs.
pub(super) const UNTIL: Level = 7;
pub(super) const COMPARISON: Level = 8;

impl Parser {
    /// True where an expression can begin.
    pub(super) fn at_expr(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Name
                | TokenKind::Number
                | TokenKind::LeftParen
                | TokenKind::Bang
                | TokenKind::Minus
                | TokenKind::Plus
                | TokenKind::Tilde
                | TokenKind::Forall
                | TokenKind::Exists
                | TokenKind::IsUndefined
        )
    }

    pub(super) fn expr(&mut self) -> Fallible<Expr> {
        self.nested(Parser::conditional)
    }

    fn conditional(&mut self) -> Fallible<Expr> {
        let condition = self.binary(IMPLIES)?;
        if !self.eat(TokenKind::Question) {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.expect(TokenKind::Colon, "between the two values of `? :`")?;
        let no = self.binary(IMPLIES)?;
        if self.at(TokenKind::Question) {
            let help = "put the inner `? :` in parentheses";
            return Err(error_help(
                self.token().span,
                "`? :` cannot be chained",
                help,
            ));
        }
        let span = condition.span.to(no.span);
        grown(ExprKind::Conditional(Box::new([condition, yes, no])), span)
    }

    /// Operators that bind at least that tightly. Left sides wait in a list instead of on the stack, so
    /// that only parentheses nest.
    pub(super) fn binary(&mut self, lowest: Level) -> Fallible<Expr> {
        let mut waiting: Vec<LeftSide> = Vec::new();
        let mut right = self.unary()?;
        loop {
            let next = binary_operator(self.kind()).or_else(|| self.temporal_operator());
            let next = next.filter(|(_, level)| *level >= lowest);
            let level = next.map_or(0, |(_, level)| level);
            while let Some(left) = waiting.pop_if(|left| left.level >= level) {
                if left.level == level && !chains(level) {
                    return Err(self.refused_chain(left.op));
                }
                right = left.joined(right)?;
            }
            let Some((op, level)) = next else {
                return Ok(right);
            };
            self.bump();
            waiting.push(LeftSide {
                expr: right,
                op,
                level,
            });
            right = self.unary()?;
        }
    }

    fn refused_chain(&self, op: BinaryOp) -> Box<Diagnostic> {
        let message = format!("{} cannot follow `{}`", self.token(), op.symbol());
        error_help(
            self.token().span,
            message,
            "say with parentheses which comes first",
        )
    }

    pub(super) fn unary(&mut self) -> Fallible<Expr> {
        if let Some(prefix) = self.prefix() {
            return self.prefixed_formula(prefix);
        }
        let start = self.token().span;
        let operator = match self.kind() {
            TokenKind::Bang => Some(UnaryOp::Not),
            TokenKind::Minus => Some(UnaryOp::Negate),
            TokenKind::Tilde => Some(UnaryOp::BitNot),
            TokenKind::Plus => None,
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.nested(|parser| match operator {
            Some(UnaryOp::Not) => parser.binary(COMPARISON),
            _ => parser.unary(),
        })?;
        let span = start.to(operand.span);
        match operator {
            Some(op) => grown(ExprKind::Unary(op, Box::new(operand)), span),
            None => Ok(operand.with_span(span)),
        }
    }

    fn primary(&mut self) -> Fallible<Expr> {
        let start = self.token().span;
        let kind = match self.kind() {
            TokenKind::Number => ExprKind::Number(self.number()?),
            TokenKind::LeftParen => return self.parenthesised(),
            TokenKind::Forall => self.quantified(QuantifierKind::All)?,
            TokenKind::Exists => self.quantified(QuantifierKind::Some)?,
            TokenKind::IsUndefined => self.is_undefined()?,
            TokenKind::Name => return self.named(),
            _ => return Err(Box::new(self.unexpected("an expression"))),
        };
        grown(kind, self.since(start))
    }

    fn parenthesised(&mut self) -> Fallible<Expr> {
        let start = self.bump();
        let inner = self.expr()?;
        self.expect(TokenKind::RightParen, "to close the parenthesis")?;
        Ok(inner.with_span(self.since(start)))
    }

    pub(super) fn number(&mut self) -> Fallible<Number> {
        let value = parse_number(self.token(), self.dialect)?;
        self.bump();
        Ok(value)
    }

    fn quantified(&mut self, kind: QuantifierKind) -> Fallible<ExprKind> {
        let opener = self.open();
        let quantifiers = self.quantifiers()?;
        self.expect_do("after the quantifier")?;
        let body = self.nested_by(quantifiers.len(), Parser::expr)?;
        self.close(opener)?;
        Ok(ExprKind::Quantified(kind, quantifiers, Box::new(body)))
    }

    fn is_undefined(&mut self) -> Fallible<ExprKind> {
        self.bump();
        self.expect(TokenKind::LeftParen, "after `isundefined`")?;
        let place = self.designator("a variable")?;
        self.expect(TokenKind::RightParen, "after the variable")?;
        Ok(ExprKind::IsUndefined(place))
    }

    /// A designator or a call.
    fn named(&mut self) -> Fallible<Expr> {
        let start = self.token().span;
        if self.peek(1).kind != TokenKind::LeftParen {
            let designator = self.designator("a name")?;
            return grown(ExprKind::Designator(designator), self.since(start));
        }
        let kind = if self.at_soft_word("ismember") {
            self.is_member()?
        } else if self.at_soft_word("multisetcount") {
            self.bump();
            let (name, multiset, condition) = self.chosen()?;
            ExprKind::MultisetCount(name, multiset, Box::new(condition))
        } else {
            ExprKind::Call(self.call()?)
        };
        grown(kind, self.since(start))
    }

    fn is_member(&mut self) -> Fallible<ExprKind> {
        self.bump();
        self.bump();
        let place = self.designator("a variable")?;
        self.expect(TokenKind::Comma, "before the type")?;
        let ty = self.type_expr()?;
        self.expect(TokenKind::RightParen, "after the type")?;
        Ok(ExprKind::IsMember(place, Box::new(ty)))
    }

    /// `(i: multiset, condition)`
    pub(super) fn chosen(&mut self) -> Fallible<(Ident, Designator, Expr)> {
        self.expect(TokenKind::LeftParen, "here")?;
        let name = self.name("the name of a place in a multiset")?;
        self.expect(TokenKind::Colon, "between the name and the multiset")?;
        let multiset = self.designator("a multiset")?;
        self.expect(TokenKind::Comma, "before the condition")?;
        let condition = self.expr()?;
        self.expect(TokenKind::RightParen, "after the condition")?;
        Ok((name, multiset, condition))
    }

    pub(super) fn call(&mut self) -> Fallible<Call> {
        let function = self.name("the name of a function")?;
        self.expect(TokenKind::LeftParen, "before the arguments")?;
        let arguments = self.expr_list(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "after the arguments")?;
        let span = self.since(function.span);
        Ok(Call {
            function,
            arguments,
            span,
        })
    }

    /// Expressions with commas between them, and perhaps one at the end.
    pub(super) fn expr_list(&mut self, end: TokenKind) -> Fallible<Vec<Expr>> {
        let mut list = Vec::new();
        while !self.at(end) {
            list.push(self.expr()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(list)
    }

    pub(super) fn designator(&mut self, what: &str) -> Fallible<Designator> {
        let base = self.name(what)?;
        let mut selectors = Vec::new();
        loop {
            let start = self.token().span;
            if self.eat(TokenKind::Dot) {
                selectors.push(Selector::Field(self.name("the name of a field")?));
            } else if self.eat(TokenKind::LeftBracket) {
                let index = self.expr()?;
                self.expect(TokenKind::RightBracket, "after the index")?;
                selectors.push(Selector::Index(index, self.since(start)));
            } else {
                let span = self.since(base.span);
                return Ok(Designator {
                    base,
                    selectors,
                    span,
                });
            }
        }
    }

    /// Quantifiers with semicolons between them.
    pub(super) fn quantifiers(&mut self) -> Fallible<Vec<Quantifier>> {
        let mut quantifiers = vec![self.quantifier()?];
        while self.eat(TokenKind::Semicolon) {
            while self.eat(TokenKind::Semicolon) {}
            quantifiers.push(self.quantifier()?);
        }
        Ok(quantifiers)
    }

    fn quantifier(&mut self) -> Fallible<Quantifier> {
        let name = self.name("the name of a parameter")?;
        let range = if self.eat(TokenKind::Assign) {
            self.steps()?
        } else {
            self.expect(TokenKind::Colon, "or `:=` after the name")?;
            QuantifierRange::Type(self.type_expr()?)
        };
        let span = self.since(name.span);
        Ok(Quantifier { name, range, span })
    }

    fn steps(&mut self) -> Fallible<QuantifierRange> {
        let from = self.expr()?;
        self.expect(TokenKind::To, "after the first value")?;
        let to = self.expr()?;
        let step = self.eat(TokenKind::By).then(|| self.expr()).transpose()?;
        Ok(QuantifierRange::Steps(Box::new(Steps { from, to, step })))
    }
}

/// An operand and the operator after it, whose right side is still being read.
struct LeftSide {
    expr: Expr,
    op: BinaryOp,
    level: Level,
}

impl LeftSide {
    fn joined(self, right: Expr) -> Fallible<Expr> {
        let span = self.expr.span.to(right.span);
        grown(
            ExprKind::Binary(self.op, Box::new(self.expr), Box::new(right)),
            span,
        )
    }
}

/// True if operators of the level may stand one after the other.
fn chains(level: Level) -> bool {
    level != IMPLIES && level != COMPARISON
}

/// An expression, unless it has become too tall to be walked.
pub(super) fn grown(kind: ExprKind, span: Span) -> Fallible<Expr> {
    let expr = Expr::new(kind, span);
    if expr.height() > limits::EXPRESSION_HEIGHT {
        let message = format!(
            "this expression has more than {} levels",
            limits::EXPRESSION_HEIGHT
        );
        return Err(error_help(span, message, "put parts of it into functions"));
    }
    Ok(expr)
}

fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, Level)> {
    Some(match kind {
        TokenKind::Implies => (BinaryOp::Implies, IMPLIES),
        TokenKind::PipePipe => (BinaryOp::Or, 2),
        TokenKind::AmpAmp => (BinaryOp::And, 3),
        TokenKind::Pipe => (BinaryOp::Pipe, 4),
        TokenKind::Caret => (BinaryOp::Xor, 5),
        TokenKind::Amp => (BinaryOp::Amp, 6),
        TokenKind::Less => (BinaryOp::Less, COMPARISON),
        TokenKind::LessEqual => (BinaryOp::LessEqual, COMPARISON),
        TokenKind::Equal => (BinaryOp::Equal, COMPARISON),
        TokenKind::NotEqual => (BinaryOp::NotEqual, COMPARISON),
        TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, COMPARISON),
        TokenKind::Greater => (BinaryOp::Greater, COMPARISON),
        TokenKind::ShiftLeft => (BinaryOp::ShiftLeft, 9),
        TokenKind::ShiftRight => (BinaryOp::ShiftRight, 9),
        TokenKind::Plus => (BinaryOp::Add, 10),
        TokenKind::Minus => (BinaryOp::Subtract, 10),
        TokenKind::Star => (BinaryOp::Multiply, 11),
        TokenKind::Slash => (BinaryOp::Divide, 11),
        TokenKind::Percent => (BinaryOp::Modulo, 11),
        _ => return None,
    })
}

/// Decimal, hexadecimal after `0x`; octal after `0` in Rumur.
fn parse_number(token: &Token, dialect: Dialect) -> Fallible<Number> {
    let text: &str = &token.text;
    let lower = text.to_ascii_lowercase();
    let (digits, base) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if dialect == Dialect::Rumur && lower.len() > 1 && lower.starts_with('0') => {
            (&lower[1..], 8)
        }
        None => (lower.as_str(), 10),
    };
    if base == 8 && digits.contains(['8', '9']) {
        let message = format!("`{text}` is not a number");
        return Err(error_help(
            token.span,
            message,
            "a number that begins with 0 is octal",
        ));
    }
    match u64::from_str_radix(digits, base) {
        Ok(value) => Ok(value.into()),
        Err(_) => Err(error(
            token.span,
            format!("`{text}` does not fit into 64 bits"),
        )),
    }
}
