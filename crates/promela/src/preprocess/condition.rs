//! The constant expressions of `#if` and `#elif`.
//!
//! `defined` is already replaced and macros are already expanded, so a word that is left is 0, as
//! in C.

use crate::limits;
use crate::token::{Token, TokenKind};
use mandala_model::source::Span;

/// Where and what is wrong with a condition.
type Problem = (Span, String);

/// The value of a condition; `end` is the place of its end, for errors.
pub(super) fn evaluate(tokens: &[Token], end: Span) -> Result<i64, Problem> {
    let mut evaluator = Evaluator {
        tokens,
        at: 0,
        end,
        depth: 0,
    };
    let value = evaluator.conditional()?;
    match evaluator.peek() {
        None => Ok(value),
        Some(_) => Err(evaluator.unexpected("an operator")),
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    end: Span,
    depth: usize,
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|t| t.kind)
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == Some(kind);
        self.at += usize::from(found);
        found
    }

    fn unexpected(&self, expected: &str) -> Problem {
        match self.tokens.get(self.at) {
            Some(token) if token.kind == TokenKind::Bad => (token.span, token.text().to_string()),
            Some(token) => (
                token.span,
                format!("expected {expected} in this condition, found {token}"),
            ),
            None => (
                self.end,
                format!("expected {expected} at the end of this condition"),
            ),
        }
    }

    fn deeper(&mut self) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > limits::CONDITION_DEPTH {
            let message = format!(
                "this condition is nested more than {} deep",
                limits::CONDITION_DEPTH
            );
            return Err((self.end, message));
        }
        Ok(())
    }

    /// `c ? a : b`; all three are evaluated, which is only visible in a division by zero.
    fn conditional(&mut self) -> Result<i64, Problem> {
        self.deeper()?;
        let condition = self.binary(1)?;
        let value = if self.eat(TokenKind::Query) {
            let yes = self.conditional()?;
            if !self.eat(TokenKind::Colon) {
                return Err(self.unexpected("`:`"));
            }
            let no = self.conditional()?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, lowest: u8) -> Result<i64, Problem> {
        let mut left = self.unary()?;
        while let Some((kind, level)) = self.peek().and_then(|k| Some((k, precedence(k)?))) {
            if level < lowest {
                break;
            }
            let operator = self.tokens[self.at].span;
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = apply(kind, left, right)
                .ok_or_else(|| (operator, "division by zero in this condition".to_string()))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Problem> {
        self.deeper()?;
        let value = match self.peek() {
            Some(TokenKind::Bang) => self.after_sign(|v| i64::from(v == 0))?,
            Some(TokenKind::BangBang) => self.after_sign(|v| i64::from(v != 0))?,
            Some(TokenKind::Minus) => self.after_sign(i64::wrapping_neg)?,
            Some(TokenKind::Plus) => self.after_sign(|v| v)?,
            Some(TokenKind::Tilde) => self.after_sign(|v| !v)?,
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn after_sign(&mut self, sign: impl Fn(i64) -> i64) -> Result<i64, Problem> {
        self.at += 1;
        Ok(sign(self.unary()?))
    }

    fn primary(&mut self) -> Result<i64, Problem> {
        if self.eat(TokenKind::LParen) {
            let value = self.conditional()?;
            return match self.eat(TokenKind::RParen) {
                true => Ok(value),
                false => Err(self.unexpected("`)`")),
            };
        }
        let value = match self.tokens.get(self.at) {
            Some(token) if token.kind == TokenKind::Number => c_number(token)?,
            Some(token) if token.kind == TokenKind::Char => char_value(token.text()).into(),
            Some(token) if token.is_word() => 0,
            _ => return Err(self.unexpected("a value")),
        };
        self.at += 1;
        Ok(value)
    }
}

/// A number as C writes it.
fn c_number(token: &Token) -> Result<i64, Problem> {
    let text = token.text();
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let parsed = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => i64::from_str_radix(&digits[2..], 16),
        [b'0', _, ..] => i64::from_str_radix(&digits[1..], 8),
        _ => digits.parse(),
    };
    parsed.map_err(|_| (token.span, format!("`{text}` is not a number")))
}

/// The value of a character constant from the text between the quotes.
pub(crate) fn char_value(inside: &str) -> u8 {
    match inside.as_bytes() {
        [b'\\', b'n'] => b'\n',
        [b'\\', b'r'] => b'\r',
        [b'\\', b't'] => b'\t',
        [b'\\', b'f'] => 0x0c,
        [b'\\', c] | [c] => *c,
        _ => 0,
    }
}

fn precedence(kind: TokenKind) -> Option<u8> {
    Some(match kind {
        TokenKind::PipePipe => 1,
        TokenKind::AmpAmp => 2,
        TokenKind::Pipe => 3,
        TokenKind::Caret => 4,
        TokenKind::Amp => 5,
        TokenKind::EqEq | TokenKind::NotEq => 6,
        TokenKind::Lt | TokenKind::Le | TokenKind::Gt | TokenKind::Ge => 7,
        TokenKind::Shl | TokenKind::Shr => 8,
        TokenKind::Plus | TokenKind::Minus => 9,
        TokenKind::Star | TokenKind::Slash | TokenKind::Percent => 10,
        _ => return None,
    })
}

fn apply(kind: TokenKind, a: i64, b: i64) -> Option<i64> {
    Some(match kind {
        TokenKind::PipePipe => i64::from(a != 0 || b != 0),
        TokenKind::AmpAmp => i64::from(a != 0 && b != 0),
        TokenKind::Pipe => a | b,
        TokenKind::Caret => a ^ b,
        TokenKind::Amp => a & b,
        TokenKind::EqEq => i64::from(a == b),
        TokenKind::NotEq => i64::from(a != b),
        TokenKind::Lt => i64::from(a < b),
        TokenKind::Le => i64::from(a <= b),
        TokenKind::Gt => i64::from(a > b),
        TokenKind::Ge => i64::from(a >= b),
        TokenKind::Shl => a.wrapping_shl(b as u32),
        TokenKind::Shr => a.wrapping_shr(b as u32),
        TokenKind::Plus => a.wrapping_add(b),
        TokenKind::Minus => a.wrapping_sub(b),
        TokenKind::Star => a.wrapping_mul(b),
        TokenKind::Slash if b != 0 => a.wrapping_div(b),
        TokenKind::Percent if b != 0 => a.wrapping_rem(b),
        _ => return None,
    })
}
