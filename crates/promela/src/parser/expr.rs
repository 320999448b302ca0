//! Expressions and `ltl` formulas.
//!
//! Operators in front of an operand bind tightest, temporal ones included: `[] p && q` is
//! `([] p) && q`. Binary operators group to the left, by [`BinaryOp::precedence`].

use super::{Parse, Parser, Reported};
use crate::ast::{
    BinaryOp, Expr, ExprKind, Field, Ident, Literal, Predefined, Probe, RemoteRef, RunExpr,
    UnaryOp, VarRef,
};
use crate::limits;
use crate::preprocess::char_value;
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

impl Parser<'_> {
    /// An expression in a place where `full(q)` and the like may stand.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        self.binary(0)
    }

    /// An expression whose value is used for more than a test.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let expr = self.binary(0)?;
        self.reject_probe(&expr);
        Ok(expr)
    }

    fn binary(&mut self, lowest: u8) -> Parse<Expr> {
        let start = self.cursor.position();
        let mut left = self.unary()?;
        while let Some((op, tokens)) = self.binary_operator() {
            if op.precedence() < lowest {
                break;
            }
            for _ in 0..tokens {
                self.bump();
            }
            let right = self.nested(|parser| parser.binary(op.precedence() + 1))?;
            left = self.combine(op, left, right)?;
            left.written = self.cursor.macro_since(start);
        }
        Ok(left)
    }

    fn combine(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Parse<Expr> {
        if !op.joins_conditions() {
            self.reject_probe(&left);
            self.reject_probe(&right);
        }
        let span = left.span.to(right.span);
        self.bounded(Expr::new(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            span,
        ))
    }

    /// Refuses an expression that is too tall to be walked by recursion.
    fn bounded(&mut self, expr: Expr) -> Parse<Expr> {
        if expr.height() <= limits::EXPRESSION_HEIGHT {
            return Ok(expr);
        }
        let message = format!(
            "this expression has more than {} operators in a row",
            limits::EXPRESSION_HEIGHT
        );
        self.diagnostics.give_up(expr.span, message);
        self.cursor.go_to_end();
        Err(Reported)
    }

    pub(super) fn unary(&mut self) -> Parse<Expr> {
        let start = self.cursor.position();
        let mut expr = self.operand()?;
        expr.written = self.cursor.macro_since(start);
        Ok(expr)
    }

    fn operand(&mut self) -> Parse<Expr> {
        let start = self.cursor.token().span;
        if self.at(TokenKind::BangBang) {
            self.bump();
            let operand = self.nested(Self::unary)?;
            let inner = self.apply(UnaryOp::Not, operand, start)?;
            return self.apply(UnaryOp::Not, inner, start);
        }
        if let Some(branching) = self.branching() {
            return self.branching_formula(branching);
        }
        let Some((op, tokens)) = self.unary_operator() else {
            return self.primary();
        };
        for _ in 0..tokens {
            self.bump();
        }
        let operand = self.nested(Self::unary)?;
        self.apply(op, operand, start)
    }

    pub(super) fn apply(&mut self, op: UnaryOp, operand: Expr, start: Span) -> Parse<Expr> {
        match (op, &operand.kind) {
            (UnaryOp::Not, _) if self.in_ltl => {}
            (UnaryOp::Not, ExprKind::Probe(probe, _)) => {
                self.reject_negated_probe(*probe, operand.span)
            }
            (UnaryOp::Not | UnaryOp::Neg | UnaryOp::BitNot, _) => self.reject_probe(&operand),
            _ => {}
        }
        let span = start.to(operand.span);
        self.bounded(Expr::new(ExprKind::Unary(op, Box::new(operand)), span))
    }

    fn reject_negated_probe(&mut self, probe: Probe, span: Span) {
        let message = format!("`{}` cannot be negated", probe.name());
        let help = format!("write `{}` instead", probe.opposite().name());
        self.report(Diagnostic::error(span, message).with_help(help));
    }

    /// Reports `full(q)` and the like where a value is needed.
    fn reject_probe(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Probe(probe, _) => {
                let name = probe.name();
                let message = format!("`{name}` can only be combined with `&&` and `||`");
                let help = format!("`{name}(...)` is a condition, not a value");
                self.report(Diagnostic::error(expr.span, message).with_help(help));
            }
            ExprKind::Binary(op, left, right) if op.joins_conditions() => {
                self.reject_probe(left);
                self.reject_probe(right);
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.reject_probe(operand),
            _ => {}
        }
    }

    /// True for tokens with which an expression starts.
    pub(super) fn starts_expression(&self, kind: TokenKind) -> bool {
        self.unary_operator().is_some()
            || is_constant(kind)
            || probe(kind).is_some()
            || matches!(
                kind,
                TokenKind::Name
                    | TokenKind::LParen
                    | TokenKind::BangBang
                    | TokenKind::Run
                    | TokenKind::Len
                    | TokenKind::Enabled
                    | TokenKind::PcValue
                    | TokenKind::GetPriority
                    | TokenKind::Timeout
                    | TokenKind::NonProgress
                    | TokenKind::CExpr
            )
    }

    fn primary(&mut self) -> Parse<Expr> {
        let start = self.cursor.token().span;
        if let Some((value, literal, span)) = self.constant() {
            return Ok(Expr::new(ExprKind::Const(value, literal), span));
        }
        let kind = match self.kind() {
            TokenKind::LParen => return self.parenthesised(),
            TokenKind::Name => self.name_expr()?,
            TokenKind::Timeout => self.predefined(Predefined::Timeout),
            TokenKind::NonProgress => self.predefined(Predefined::NonProgress),
            TokenKind::Run => ExprKind::Run(self.run()?),
            TokenKind::Len => ExprKind::Len(self.channel_operand()?),
            TokenKind::Enabled => ExprKind::Enabled(self.pid_operand()?),
            TokenKind::PcValue => ExprKind::PcValue(self.pid_operand()?),
            TokenKind::GetPriority => ExprKind::GetPriority(self.pid_operand()?),
            TokenKind::CExpr => {
                self.embedded_c();
                ExprKind::Error
            }
            kind => match probe(kind) {
                Some(probe) => ExprKind::Probe(probe, self.channel_operand()?),
                None => return Err(self.no_expression()),
            },
        };
        self.bounded(Expr::new(kind, start.to(self.cursor.last_span())))
    }

    fn no_expression(&mut self) -> Reported {
        let diagnostic = self.unexpected_token("an expression");
        let help = match self.kind() {
            TokenKind::Incr | TokenKind::Decr => "`x++` and `x--` are statements, not values",
            TokenKind::Assign if self.cursor.follows_operator() => {
                "there are no assignments with an operator; write `x = x + ...`"
            }
            TokenKind::Assign => "to compare two values, write `==`",
            TokenKind::LBracket if !self.in_ltl => {
                "`[]` is a temporal operator; it belongs in `ltl { ... }`"
            }
            TokenKind::Eval => "`eval` is for the arguments of a receive",
            _ => return self.report(diagnostic),
        };
        self.report(diagnostic.with_help(help))
    }

    fn predefined(&mut self, which: Predefined) -> ExprKind {
        self.bump();
        ExprKind::Predefined(which)
    }

    /// `(e)` or `(c -> a : b)`
    pub(super) fn parenthesised(&mut self) -> Parse<Expr> {
        let open = self.bump();
        let mut expr = self.nested(|parser| parser.binary(0))?;
        if !self.in_ltl && self.at(TokenKind::Arrow) {
            expr = self.conditional(expr)?;
        }
        if !self.at(TokenKind::RParen) {
            return Err(self.not_closed_parenthesis(open));
        }
        expr.span = open.to(self.bump());
        Ok(expr)
    }

    fn not_closed_parenthesis(&mut self, open: Span) -> Reported {
        let mut diagnostic = self.unexpected_token("`)` or an operator");
        if self.at(TokenKind::Assign) {
            diagnostic = diagnostic.with_help("to compare two values, write `==`");
        }
        self.report(diagnostic.with_related(open, "`(` is here"))
    }

    fn conditional(&mut self, condition: Expr) -> Parse<Expr> {
        self.reject_probe(&condition);
        self.bump();
        let yes = self.nested(Self::expr)?;
        self.expect(TokenKind::Colon, "between the two values of `(c -> a : b)`")?;
        let no = self.nested(Self::expr)?;
        let span = condition.span.to(no.span);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.bounded(Expr::new(kind, span))
    }

    /// A constant, if one is here.
    pub(super) fn constant(&mut self) -> Option<(i32, Literal, Span)> {
        let (value, literal) = match self.kind() {
            TokenKind::Number => (self.number(), Literal::Number),
            TokenKind::Char => (char_value(self.cursor.token().text()).into(), Literal::Char),
            TokenKind::True => (1, Literal::True),
            TokenKind::False => (0, Literal::False),
            TokenKind::Skip => (1, Literal::Skip),
            _ => return None,
        };
        Some((value, literal, self.bump()))
    }

    /// The value of the number here, wrapped to 32 bits as Spin does.
    fn number(&mut self) -> i32 {
        let token = self.cursor.token();
        let (text, span) = (token.text().to_string(), token.span);
        if !text.bytes().all(|b| b.is_ascii_digit()) {
            self.bad_number(&text, span);
            return 0;
        }
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        if value > i32::MAX.into() {
            let message = format!(
                "{text} does not fit in 32 bits and is read as {}",
                value as i32
            );
            self.report(Diagnostic::warning(span, message));
        }
        value as i32
    }

    fn bad_number(&mut self, text: &str, span: Span) {
        let mut diagnostic = Diagnostic::error(span, format!("`{text}` is not a number"));
        let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        if let Some(Ok(value)) = hexadecimal.map(|digits| i64::from_str_radix(digits, 16)) {
            diagnostic = diagnostic.with_help(format!("numbers are decimal: write {value}"));
        }
        self.report(diagnostic);
    }

    /// `run P(args) priority k`
    fn run(&mut self) -> Parse<RunExpr> {
        self.bump();
        let process = self.name("the name of a proctype after `run`")?;
        self.expect(TokenKind::LParen, "and the arguments of the process")?;
        let mut args = Vec::new();
        if !self.at(TokenKind::RParen) {
            args.push(self.nested(Self::expr)?);
            while self.eat(TokenKind::Comma) {
                args.push(self.nested(Self::expr)?);
            }
        }
        self.expect(TokenKind::RParen, "or `,` in the arguments of the process")?;
        Ok(RunExpr {
            process,
            args,
            priority: self.priority()?,
        })
    }

    /// `(q)` after the name of a channel operation.
    fn channel_operand(&mut self) -> Parse<VarRef> {
        let what = self.cursor.token().text().to_string();
        self.bump();
        self.expect(TokenKind::LParen, &format!("after `{what}`"))?;
        let channel = self.var_ref()?;
        self.expect(TokenKind::RParen, &format!("after the channel of `{what}`"))?;
        Ok(channel)
    }

    /// `(e)` after the name of an operation on a process.
    fn pid_operand(&mut self) -> Parse<Box<Expr>> {
        let what = self.cursor.token().text().to_string();
        self.bump();
        self.expect(TokenKind::LParen, &format!("after `{what}`"))?;
        let pid = self.nested(Self::expr)?;
        self.expect(TokenKind::RParen, &format!("after the process of `{what}`"))?;
        Ok(Box::new(pid))
    }

    /// A variable, a poll, a remote reference or a predefined name.
    fn name_expr(&mut self) -> Parse<ExprKind> {
        let text = self.cursor.token().text();
        if let Some(which) = Predefined::ALL.into_iter().find(|p| p.name() == text) {
            return Ok(self.predefined(which));
        }
        let var = self.var_ref()?;
        match self.kind() {
            TokenKind::Query | TokenKind::QueryQuery
                if self.cursor.ahead(1).kind == TokenKind::LBracket =>
            {
                self.poll(var)
            }
            TokenKind::At if var.fields.len() == 1 => self.remote_label(var),
            TokenKind::Colon if self.is_process(&var) => self.remote_var(var),
            _ => Ok(ExprKind::Var(var)),
        }
    }

    fn is_process(&self, var: &VarRef) -> bool {
        var.fields.len() == 1 && self.names.all_proctypes.contains(&var.root().name)
    }

    fn remote_label(&mut self, process: VarRef) -> Parse<ExprKind> {
        self.bump();
        let label = self.name("a label after `@`")?;
        Ok(ExprKind::RemoteLabel(remote(process), label))
    }

    fn remote_var(&mut self, process: VarRef) -> Parse<ExprKind> {
        self.bump();
        let field = self.field("a variable of the process after `:`")?;
        Ok(ExprKind::RemoteVar(remote(process), field))
    }

    /// `a[i].b`
    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        let first = self.field("a variable")?;
        let start = first.span;
        let mut fields = vec![first];
        while self.eat(TokenKind::Dot) {
            fields.push(self.field("a field after `.`")?);
        }
        Ok(VarRef {
            fields,
            span: start.to(self.cursor.last_span()),
        })
    }

    fn field(&mut self, what: &str) -> Parse<Field> {
        let name: Ident = self.name(what)?;
        let start = name.span;
        let always = self.in_ltl && self.cursor.ahead(1).kind == TokenKind::RBracket;
        if !self.at(TokenKind::LBracket) || always {
            return Ok(Field {
                name,
                index: None,
                span: start,
            });
        }
        self.bump();
        let index = self.nested(Self::expr)?;
        let end = self.expect(TokenKind::RBracket, "after the index")?;
        Ok(Field {
            name,
            index: Some(Box::new(index)),
            span: start.to(end),
        })
    }
}

/// The process of a remote reference that was read as a variable.
fn remote(mut process: VarRef) -> RemoteRef {
    let field = process.fields.remove(0);
    RemoteRef {
        process: field.name,
        pid: field.index,
    }
}

fn is_constant(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Number | TokenKind::Char | TokenKind::True | TokenKind::False | TokenKind::Skip
    )
}

fn probe(kind: TokenKind) -> Option<Probe> {
    Some(match kind {
        TokenKind::Full => Probe::Full,
        TokenKind::Empty => Probe::Empty,
        TokenKind::NFull => Probe::NotFull,
        TokenKind::NEmpty => Probe::NotEmpty,
        _ => return None,
    })
}
