//! Statements.

use super::recover::starts_declaration;
use super::unit::is_embedded_c;
use super::{Parse, Parser};
use crate::ast::{
    Expr, ExprKind, ForRange, Ident, Literal, Select, Sequence, Stmt, StmtKind, VarRef,
};
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

impl Parser<'_> {
    /// One element of a sequence: a declaration, `xr`/`xs`, or a statement with its escape.
    pub(super) fn step(&mut self) -> Parse<Stmt> {
        let start = self.cursor.token().place();
        let kind = match self.kind() {
            TokenKind::Mtype if self.at_mtype_list() => return Err(self.local_mtype_list()),
            kind if starts_declaration(kind) => StmtKind::Decl(self.declaration()?),
            TokenKind::Name if self.at_user_declaration() => StmtKind::Decl(self.declaration()?),
            TokenKind::Xr => StmtKind::ExclusiveReceive(self.exclusive()?),
            TokenKind::Xs => StmtKind::ExclusiveSend(self.exclusive()?),
            _ => return self.stmt_with_escape(),
        };
        Ok(self.finish(kind, start))
    }

    /// A statement that ends here. Its place is that of the text that makes it a statement: inside an
    /// `inline`, the body, even where it begins and ends with arguments of the call.
    fn finish(&self, kind: StmtKind, start: Span) -> Stmt {
        Stmt {
            kind,
            span: start.to(self.cursor.last_place()),
        }
    }

    fn local_mtype_list(&mut self) -> super::Reported {
        let span = self.cursor.token().span;
        self.error(
            span,
            "the constants of `mtype` are declared outside of processes",
        )
    }

    fn exclusive(&mut self) -> Parse<Vec<VarRef>> {
        self.bump();
        let mut channels = vec![self.var_ref()?];
        while self.eat(TokenKind::Comma) {
            channels.push(self.var_ref()?);
        }
        Ok(channels)
    }

    fn stmt_with_escape(&mut self) -> Parse<Stmt> {
        let main = self.stmt()?;
        if !self.eat(TokenKind::Unless) {
            return Ok(main);
        }
        let escape = self.stmt()?;
        let span = main.span.to(escape.span);
        Ok(Stmt {
            kind: StmtKind::Unless(Box::new(main), Box::new(escape)),
            span,
        })
    }

    fn stmt(&mut self) -> Parse<Stmt> {
        self.nested(|parser| {
            let start = parser.cursor.token().place();
            let kind = parser.stmt_kind()?;
            Ok(parser.finish(kind, start))
        })
    }

    fn stmt_kind(&mut self) -> Parse<StmtKind> {
        match self.kind() {
            TokenKind::Name => self.stmt_with_name(),
            TokenKind::If => self.selection(TokenKind::Fi),
            TokenKind::Do => self.selection(TokenKind::Od),
            TokenKind::Atomic => Ok(StmtKind::Atomic(self.keyword_block()?)),
            TokenKind::DStep => Ok(StmtKind::DStep(self.keyword_block()?)),
            TokenKind::LBrace => Ok(StmtKind::Block(self.block()?)),
            TokenKind::For => self.for_loop(),
            TokenKind::Select => self.select(),
            TokenKind::Goto => self.goto(),
            TokenKind::Return => self.return_value(),
            TokenKind::Break => Ok(self.keyword(StmtKind::Break)),
            TokenKind::Else => Ok(self.keyword(StmtKind::Else)),
            TokenKind::Assert => {
                self.bump();
                Ok(StmtKind::Assert(self.full_expr()?))
            }
            TokenKind::Printf => self.printf(),
            TokenKind::Printm => self.printm(),
            TokenKind::SetPriority => self.set_priority(),
            kind if is_embedded_c(kind) => {
                self.embedded_c();
                Ok(StmtKind::Error)
            }
            kind if self.starts_expression(kind) => Ok(StmtKind::Expr(self.full_expr()?)),
            _ => Err(self.unexpected("a statement")),
        }
    }

    fn keyword(&mut self, kind: StmtKind) -> StmtKind {
        self.bump();
        kind
    }

    fn keyword_block(&mut self) -> Parse<Sequence> {
        self.bump();
        self.block()
    }

    fn selection(&mut self, close: TokenKind) -> Parse<StmtKind> {
        let open = self.bump();
        let (options, _) = self.options(open, close)?;
        Ok(match close {
            TokenKind::Fi => StmtKind::If(options),
            _ => StmtKind::Do(options),
        })
    }

    /// A statement that starts with a name: a label, an inline call, or one about a variable.
    fn stmt_with_name(&mut self) -> Parse<StmtKind> {
        let next = self.cursor.ahead(1).kind;
        let name = self.cursor.token().text();
        if next == TokenKind::Colon && !self.names.proctypes.contains(name) {
            return self.labelled();
        }
        if self.at_inline_call() {
            return Ok(StmtKind::InlineCall(self.inline_call(None)?));
        }
        let before = (self.cursor.clone(), self.diagnostics.mark());
        let var = self.var_ref()?;
        match self.kind() {
            TokenKind::Assign => self.assignment(var),
            TokenKind::Incr => Ok(self.keyword(StmtKind::Increment(var))),
            TokenKind::Decr => Ok(self.keyword(StmtKind::Decrement(var))),
            TokenKind::Bang | TokenKind::BangBang => Ok(StmtKind::Send(self.send(var)?)),
            TokenKind::Query | TokenKind::QueryQuery
                if self.cursor.ahead(1).kind != TokenKind::LBracket =>
            {
                Ok(StmtKind::Receive(self.receive(var)?))
            }
            _ => {
                self.cursor = before.0;
                self.diagnostics.rewind(before.1);
                Ok(StmtKind::Expr(self.full_expr()?))
            }
        }
    }

    fn assignment(&mut self, var: VarRef) -> Parse<StmtKind> {
        self.bump();
        if self.at_inline_call() {
            return Ok(StmtKind::InlineCall(self.inline_call(Some(var))?));
        }
        let value = self.full_expr()?;
        if let TokenKind::Incr | TokenKind::Decr = self.kind() {
            let diagnostic = self.unexpected_token("`;` or `->` after the assignment");
            let help = "`x++` and `x--` are statements, not values";
            return Err(self.report(diagnostic.with_help(help)));
        }
        Ok(StmtKind::Assign(var, value))
    }

    fn labelled(&mut self) -> Parse<StmtKind> {
        let label = self.take_word();
        self.bump();
        let body = match self.kind() {
            kind if self.ends_statement(kind) => skip_at(&label),
            kind if starts_declaration(kind) => {
                return Err(self.label_before(label, "a declaration"));
            }
            TokenKind::Name if self.at_user_declaration() => {
                return Err(self.label_before(label, "a declaration"));
            }
            TokenKind::Xr | TokenKind::Xs => return Err(self.label_before(label, "`xr` or `xs`")),
            _ => self.stmt()?,
        };
        Ok(StmtKind::Labelled(label, Box::new(body)))
    }

    fn ends_statement(&self, kind: TokenKind) -> bool {
        matches!(kind, TokenKind::Semi | TokenKind::Arrow | TokenKind::Unless)
            || self.at_sequence_end()
    }

    fn label_before(&mut self, label: Ident, what: &str) -> super::Reported {
        let message = format!(
            "label `{}` stands before {what}, which is no statement",
            label.name
        );
        let help = "put the label before the next statement";
        self.report(Diagnostic::error(label.span, message).with_help(help))
    }

    fn goto(&mut self) -> Parse<StmtKind> {
        self.bump();
        Ok(StmtKind::Goto(self.name("a label after `goto`")?))
    }

    fn return_value(&mut self) -> Parse<StmtKind> {
        let keyword = self.bump();
        let value = self.full_expr()?;
        if !self.calls.last().is_some_and(|call| call.has_result) {
            let help = "`return` is for an `inline f` that is called as `x = f(...)`";
            let message = "`return` has no variable to return a value to";
            self.report(Diagnostic::error(keyword, message).with_help(help));
        }
        Ok(StmtKind::Return(value))
    }

    fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "after `for`")?;
        let var = self.var_ref()?;
        let range = if self.at_word("in") {
            self.bump();
            ForRange::In(self.var_ref()?)
        } else {
            let help = "write `for (i : 0 .. 9) { ... }`";
            let (from, to) = self.range("`:` or `in` after the variable of `for`", help)?;
            ForRange::Range(Box::new(from), Box::new(to))
        };
        self.expect(TokenKind::RParen, "after the range of `for`")?;
        self.eat(TokenKind::Semi);
        Ok(StmtKind::For(var, range, self.block()?))
    }

    /// `: from .. to`
    fn range(&mut self, expected: &str, help: &str) -> Parse<(Expr, Expr)> {
        if !self.eat(TokenKind::Colon) {
            let diagnostic = self.unexpected_token(expected);
            return Err(self.report(diagnostic.with_help(help)));
        }
        let from = self.expr()?;
        self.expect(TokenKind::DotDot, "between the ends of the range")?;
        Ok((from, self.expr()?))
    }

    fn select(&mut self) -> Parse<StmtKind> {
        let textual = self.at_textual_select();
        self.bump();
        self.expect(TokenKind::LParen, "after `select`")?;
        let var = self.var_ref()?;
        let help = "write `select (i : 0 .. 9)`";
        let (from, to) = self.range("`:` after the variable of `select`", help)?;
        self.expect(TokenKind::RParen, "after the range of `select`")?;
        Ok(StmtKind::Select(Select {
            var,
            from,
            to,
            textual,
        }))
    }

    /// See [`Select::textual`].
    fn at_textual_select(&self) -> bool {
        let token = |ahead| self.cursor.ahead(ahead);
        let is_plain_number = |ahead| {
            let token: &crate::token::Token = token(ahead);
            token.kind == TokenKind::Number && token.text().bytes().all(|b| b.is_ascii_digit())
        };
        self.calls.is_empty()
            && token(2).kind == TokenKind::Name
            && !token(2).text().contains('_')
            && token(3).kind == TokenKind::Colon
            && is_plain_number(4)
            && token(5).kind == TokenKind::DotDot
            && is_plain_number(6)
            && token(7).kind == TokenKind::RParen
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "after `printf`")?;
        if !self.at(TokenKind::Str) {
            return Err(self.unexpected("a format string"));
        }
        let format = self
            .cursor
            .token()
            .text
            .clone()
            .unwrap_or_else(|| "".into());
        self.bump();
        let mut args = Vec::new();
        while self.eat(TokenKind::Comma) {
            args.push(self.expr()?);
        }
        self.expect(TokenKind::RParen, "or `,` in the arguments of `printf`")?;
        Ok(StmtKind::Printf(format, args))
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "after `printm`")?;
        let value = match self.constant() {
            Some((value, literal, span)) => Expr::new(ExprKind::Const(value, literal), span),
            None => {
                let var = self.var_ref()?;
                let span = var.span;
                Expr::new(ExprKind::Var(var), span)
            }
        };
        self.expect(TokenKind::RParen, "after the one value of `printm`")?;
        Ok(StmtKind::Printm(value))
    }

    fn set_priority(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(TokenKind::LParen, "after `set_priority`")?;
        let pid = self.expr()?;
        self.expect(TokenKind::Comma, "and the priority")?;
        let priority = self.expr()?;
        self.expect(TokenKind::RParen, "after the priority")?;
        Ok(StmtKind::SetPriority(pid, priority))
    }
}

/// The `skip` that a label before nothing stands at.
fn skip_at(label: &Ident) -> Stmt {
    let skip = Expr::new(ExprKind::Const(1, Literal::Skip), label.span);
    Stmt {
        kind: StmtKind::Expr(skip),
        span: label.span,
    }
}
