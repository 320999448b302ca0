//! Expressions, from what binds loosest to what binds tightest: `? :`, `=>`, `<=>`, `|`, `&`, `!`, `=`, `<`, `+`, `*`, `^`, `-`. So `!a=b` is `!(a=b)`.

use super::{Parser, TextKind};
use crate::ast::{BinaryOp, Expr, ExprKind, Function};
use crate::limits;
use crate::token::TokenKind;
use dashu_ratio::RBig;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

impl Parser {
    /// An expression; in a file of properties perhaps one about runs.
    pub(super) fn expression(&mut self) -> Fallible<Expr> {
        self.nested(|p| match p.kind {
            TextKind::Model => p.conditional(),
            TextKind::Properties => p.temporal(),
        })
    }

    pub(super) fn conditional(&mut self) -> Fallible<Expr> {
        let condition = self.implied()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let first = self.nested(Self::conditional)?;
        self.expect(":")?;
        let second = self.nested(Self::conditional)?;
        let span = condition.span.to(second.span);
        let parts = Box::new([condition, first, second]);
        Ok(Expr::new(ExprKind::If(parts), span))
    }

    fn implied(&mut self) -> Fallible<Expr> {
        let iff = |p: &mut Self| p.left(&[("<=>", BinaryOp::Iff)], Self::any_of);
        self.left(&[("=>", BinaryOp::Implies)], iff)
    }

    /// A chain of operators that groups to the left.
    fn left(
        &mut self,
        operators: &[(&str, BinaryOp)],
        operand: impl Fn(&mut Self) -> Fallible<Expr>,
    ) -> Fallible<Expr> {
        let mut left = operand(self)?;
        let mut count = 0;
        loop {
            let found = operators.iter().find(|(sign, _)| self.is(sign));
            let Some((_, operator)) = found else {
                return Ok(left);
            };
            count += 1;
            self.require_chain(count)?;
            self.advance();
            let right = operand(self)?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary(*operator, Box::new(left), Box::new(right));
            left = Expr::new(kind, span);
        }
    }

    /// A chain of an operator that may group in any way.
    fn chain(
        &mut self,
        sign: &str,
        make: fn(Vec<Expr>) -> ExprKind,
        operand: impl Fn(&mut Self) -> Fallible<Expr>,
    ) -> Fallible<Expr> {
        let first = operand(self)?;
        if !self.is(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(sign) {
            parts.push(operand(self)?);
        }
        let span = parts[0].span.to(parts[parts.len() - 1].span);
        Ok(Expr::new(make(parts), span))
    }

    fn any_of(&mut self) -> Fallible<Expr> {
        let all_of = |p: &mut Self| p.chain("&", ExprKind::All, Self::negated);
        let found = self.chain("|", ExprKind::Any, all_of)?;
        if self.is("||") {
            let message = "conditional probabilities (`||`) are not supported";
            return Err(error_help(self.here(), message, "`|` means `or`"));
        }
        Ok(found)
    }

    fn negated(&mut self) -> Fallible<Expr> {
        let start = self.here();
        if !self.eat("!") {
            return self.compared();
        }
        let inner = self.nested(Self::negated)?;
        let span = start.to(inner.span);
        Ok(Expr::new(ExprKind::Not(Box::new(inner)), span))
    }

    fn compared(&mut self) -> Fallible<Expr> {
        let equal = [("=", BinaryOp::Equal), ("!=", BinaryOp::NotEqual)];
        let ordered = [
            ("<=", BinaryOp::LessEqual),
            (">=", BinaryOp::GreaterEqual),
            ("<", BinaryOp::Less),
            (">", BinaryOp::Greater),
        ];
        self.left(&equal, |p| p.left(&ordered, Self::sum))
    }

    pub(super) fn sum(&mut self) -> Fallible<Expr> {
        let sums = [("+", BinaryOp::Add), ("-", BinaryOp::Subtract)];
        let products = [("*", BinaryOp::Multiply), ("/", BinaryOp::Divide)];
        let powers = [("^", BinaryOp::Power)];
        self.left(&sums, |p| {
            p.left(&products, |p| p.left(&powers, Self::signed))
        })
    }

    fn signed(&mut self) -> Fallible<Expr> {
        let start = self.here();
        if !self.eat("-") {
            return self.primary();
        }
        let inner = self.nested(Self::signed)?;
        let span = start.to(inner.span);
        Ok(Expr::new(ExprKind::Negate(Box::new(inner)), span))
    }

    fn primary(&mut self) -> Fallible<Expr> {
        let token = self.token().clone();
        let kind = match token.kind {
            TokenKind::Integer => ExprKind::Int(self.integer(&token.text)?),
            TokenKind::Real => ExprKind::Real(real(&token.text, token.span)?),
            TokenKind::Text => ExprKind::Label(token.text),
            TokenKind::Sign("(") => {
                self.advance();
                let mut inner = self.expression()?;
                self.expect(")")?;
                inner.span = self.since(token.span);
                return Ok(inner);
            }
            TokenKind::Word => return self.word(token.span),
            TokenKind::Sign("<<" | "[") if self.kind == TextKind::Properties => {
                let message = "properties of games (`<<..>>`, `[..]`) are not supported";
                return Err(error(token.span, message));
            }
            _ => return self.expected("an expression"),
        };
        self.advance();
        Ok(Expr::new(kind, token.span))
    }

    fn integer(&self, text: &str) -> Fallible<i64> {
        text.parse().map_err(|_| {
            let message = format!("`{text}` does not fit 64 bits");
            error(self.here(), message)
        })
    }

    /// What begins with a word.
    fn word(&mut self, start: Span) -> Fallible<Expr> {
        let name = self.token().text.clone();
        if let Some(value) = [("true", true), ("false", false)]
            .into_iter()
            .find(|(word, _)| *word == &*name)
        {
            self.advance();
            return Ok(Expr::new(ExprKind::Bool(value.1), start));
        }
        if let (Some(function), true) = (Function::named(&name), self.ahead(1).is("(")) {
            self.advance();
            self.advance();
            return self.call(function, start);
        }
        if self.is_word("func") {
            return self.old_call(start);
        }
        if self.kind == TextKind::Properties
            && let Some(operator) = self.operator(start)?
        {
            return Ok(operator);
        }
        if self.kind == TextKind::Properties && ["X", "F", "G"].contains(&&*name) {
            let message = format!("`{name}` stands inside of other operators");
            let help = format!("put it between parentheses: `({name} ...)`");
            return Err(error_help(start, message, help));
        }
        let ident = self.ident("an expression")?;
        if self.is("(") && self.since(start).end == self.here().start {
            let known: Vec<&str> = Function::ALL.iter().map(|(name, _)| *name).collect();
            let message = format!("there is no function `{}`", ident.name);
            let help = format!("there are `{}`", known.join("`, `"));
            return Err(error_help(start, message, help));
        }
        Ok(Expr::new(ExprKind::Name(ident.name), start))
    }

    /// A call behind its parenthesis.
    fn call(&mut self, function: Function, start: Span) -> Fallible<Expr> {
        let arguments = self.list(Self::expression)?;
        self.expect(")")?;
        let span = self.since(start);
        let (least, most) = match function {
            Function::Min | Function::Max => (1, limits::CHAIN as usize),
            Function::Floor | Function::Ceil | Function::Round => (1, 1),
            Function::Pow | Function::Mod | Function::Log => (2, 2),
        };
        if !(least..=most).contains(&arguments.len()) {
            let message = format!(
                "{} arguments are not what this function has",
                arguments.len()
            );
            let help = match most {
                1 => "it has one",
                2 => "it has two",
                _ => "it has at least one",
            };
            return Err(error_help(span, message, help));
        }
        Ok(Expr::new(ExprKind::Call(function, arguments), span))
    }

    /// `func(mod, a, b)`
    fn old_call(&mut self, start: Span) -> Fallible<Expr> {
        self.advance();
        self.expect("(")?;
        let name = self.token().clone();
        let Some(function) = Function::named(&name.text) else {
            return self.expected("the name of a function");
        };
        self.advance();
        self.expect(",")?;
        self.call(function, start)
    }
}

/// The exact value of a number with a fraction or an exponent.
fn real(text: &str, span: Span) -> Fallible<RBig> {
    let wrong = || error(span, format!("`{text}` is no number that is taken"));
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| wrong())?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.abs() > limits::EXPONENT || whole.len() + fraction.len() > limits::EXPONENT as usize
    {
        let help = "write it with fewer digits";
        return Err(error_help(
            span,
            "this number is too long to be exact",
            help,
        ));
    }
    let joined = format!("{whole}{fraction}");
    let digits: RBig = joined.parse().map_err(|_| wrong())?;
    let shift = exponent - fraction.len() as i32;
    Ok(digits * RBig::from(10).pow(shift as isize))
}
