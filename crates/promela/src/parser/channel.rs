//! Sends, receives and polls.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, Receive, ReceiveArg, ReceiveArgKind, ReceiveOp, Send, VarRef};
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;

impl Parser<'_> {
    /// `!args` and `!!args` after a channel: `q!a,b` or `q!a(b)`.
    pub(super) fn send(&mut self, channel: VarRef) -> Parse<Send> {
        let sorted = self.at(TokenKind::BangBang);
        self.bump();
        let mut args = vec![self.expr()?];
        let call_form = self.eat(TokenKind::LParen);
        if call_form {
            args.push(self.expr()?);
        }
        while self.eat(TokenKind::Comma) {
            args.push(self.expr()?);
        }
        if call_form {
            self.expect(TokenKind::RParen, "after the fields of the message")?;
        }
        Ok(Send {
            channel,
            sorted,
            args,
            call_form,
        })
    }

    /// `?args`, `??args`, `?<args>` and `??<args>` after a channel.
    pub(super) fn receive(&mut self, channel: VarRef) -> Parse<Receive> {
        let random = self.at(TokenKind::QueryQuery);
        self.bump();
        let keep = self.eat(TokenKind::Lt);
        let (args, call_form) = self.receive_args()?;
        if keep {
            self.expect(TokenKind::Gt, "after the arguments of the receive")?;
        }
        let op = match (random, keep) {
            (false, false) => ReceiveOp::Fifo,
            (true, false) => ReceiveOp::Random,
            (false, true) => ReceiveOp::FifoKeep,
            (true, true) => ReceiveOp::RandomKeep,
        };
        Ok(Receive {
            channel,
            op,
            args,
            call_form,
        })
    }

    /// `?[args]` and `??[args]` after a channel.
    pub(super) fn poll(&mut self, channel: VarRef) -> Parse<ExprKind> {
        let op = match self.kind() {
            TokenKind::QueryQuery => ReceiveOp::Random,
            _ => ReceiveOp::Fifo,
        };
        self.bump();
        self.bump();
        let (args, call_form) = self.receive_args()?;
        self.expect(TokenKind::RBracket, "after the arguments of the poll")?;
        Ok(ExprKind::Poll(Receive {
            channel,
            op,
            args,
            call_form,
        }))
    }

    /// `a, b`, `a(b, c)` or `(a, b)`; true for the second form.
    fn receive_args(&mut self) -> Parse<(Vec<ReceiveArg>, bool)> {
        self.nested(|parser| {
            if parser.eat(TokenKind::LParen) {
                let inner = parser.receive_args()?;
                parser.expect(TokenKind::RParen, "after the arguments of the receive")?;
                return Ok(inner);
            }
            parser.receive_arg_list()
        })
    }

    fn receive_arg_list(&mut self) -> Parse<(Vec<ReceiveArg>, bool)> {
        let mut args = Vec::new();
        loop {
            args.push(self.receive_arg()?);
            if self.eat(TokenKind::LParen) {
                let call_form = args.len() == 1;
                args.append(&mut self.receive_args()?.0);
                self.expect(TokenKind::RParen, "after the arguments of the receive")?;
                return Ok((args, call_form));
            }
            if !self.eat(TokenKind::Comma) {
                return Ok((args, false));
            }
        }
    }

    fn receive_arg(&mut self) -> Parse<ReceiveArg> {
        let start = self.cursor.token().span;
        let kind = match self.kind() {
            TokenKind::Name => ReceiveArgKind::Var(self.var_ref()?),
            TokenKind::Eval => ReceiveArgKind::Eval(Box::new(self.eval_arg()?)),
            _ => ReceiveArgKind::Const(self.receive_constant()?),
        };
        Ok(ReceiveArg {
            kind,
            span: start.to(self.cursor.last_span()),
        })
    }

    fn eval_arg(&mut self) -> Parse<Expr> {
        self.bump();
        self.expect(TokenKind::LParen, "after `eval`")?;
        let value = self.expr()?;
        self.expect(TokenKind::RParen, "after the value of `eval`")?;
        Ok(value)
    }

    fn receive_constant(&mut self) -> Parse<Expr> {
        let start = self.cursor.token().span;
        let negative = self.eat(TokenKind::Minus);
        let Some((value, literal, span)) = self.constant() else {
            return Err(self.bad_receive_arg());
        };
        let value = if negative {
            value.wrapping_neg()
        } else {
            value
        };
        Ok(Expr::new(ExprKind::Const(value, literal), start.to(span)))
    }

    fn bad_receive_arg(&mut self) -> super::Reported {
        let diagnostic: Diagnostic = self.unexpected_token("a variable, a constant or `eval(...)`");
        let help = "to match a computed value, write `eval(...)`";
        self.report(diagnostic.with_help(help))
    }
}
