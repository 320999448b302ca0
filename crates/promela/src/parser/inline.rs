//! `inline`: definitions are kept as tokens, calls are expanded and parsed in place.
//!
//! As in Spin this is substitution of text, not a call: arguments are not evaluated, and an argument
//! `a + b` in a body `x * 2` gives `a + b * 2`.

use super::cursor::Cursor;
use super::names::InlineText;
use super::{Parse, Parser, Reported};
use crate::ast::{Ident, InlineCall, InlineDef, Sequence, VarRef};
use crate::limits;
use crate::preprocess::count_of;
use crate::token::{Token, TokenKind};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;
use std::rc::Rc;
use std::sync::Arc;

/// A call whose body is being parsed.
pub(super) struct ActiveCall {
    name: Arc<str>,
    /// It has the form `x = f(...)`.
    pub(super) has_result: bool,
}

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Parse<InlineDef> {
        let keyword = self.bump();
        let name = self.name("the name of the inline")?;
        let params = self.inline_params()?;
        if !self.at(TokenKind::LBrace) {
            return Err(self.unexpected("`{` and the body of the inline"));
        }
        let (body, span) = self.inline_body()?;
        let text = InlineText {
            name: name.clone(),
            params: params.clone(),
            body,
        };
        if let Some(old) = self.names.inlines.insert(name.name.clone(), Rc::new(text)) {
            let message = format!("inline `{}` is defined twice", name.name);
            let first = old.name.span;
            self.report(
                Diagnostic::error(name.span, message).with_related(first, "first defined here"),
            );
        }
        Ok(InlineDef {
            span: keyword.to(span),
            name,
            params,
            body: span,
        })
    }

    fn inline_params(&mut self) -> Parse<Vec<Ident>> {
        self.expect(TokenKind::LParen, "and the parameters of the inline")?;
        let mut params = Vec::new();
        if self.eat(TokenKind::RParen) {
            return Ok(params);
        }
        loop {
            params.push(self.name("a parameter of the inline")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(
            TokenKind::RParen,
            "or `,` after a parameter (parameters have no type)",
        )?;
        Ok(params)
    }

    /// The tokens from a brace to the one that closes it.
    fn inline_body(&mut self) -> Parse<(Vec<Token>, Span)> {
        let open = self.cursor.token().span;
        let mut body = Vec::new();
        let mut depth = 0u32;
        loop {
            let token = self.cursor.token().clone();
            match token.kind {
                TokenKind::Eof => {
                    let diagnostic =
                        Diagnostic::error(open, "the body of this inline is never closed");
                    return Err(self.report(diagnostic));
                }
                TokenKind::LBrace => depth += 1,
                TokenKind::RBrace => depth -= 1,
                _ => {}
            }
            let end = self.cursor.advance();
            body.push(token);
            if depth == 0 {
                return Ok((body, open.to(end)));
            }
        }
    }

    /// True at the name of an inline with a parenthesis after it.
    pub(super) fn at_inline_call(&self) -> bool {
        self.at(TokenKind::Name)
            && self.cursor.ahead(1).kind == TokenKind::LParen
            && self.names.inlines.contains_key(self.cursor.token().text())
    }

    /// `f(args)`, with the variable of `x = f(args)`.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parse<InlineCall> {
        let name = self.take_word();
        let args = self.inline_args(&name)?;
        let call_span = name.span.to(self.cursor.last_span());
        let Some(text) = self.names.inlines.get(&name.name).cloned() else {
            return Err(Reported);
        };
        self.check_call(&text, call_span, args.len())?;
        let shown = args.iter().map(|arg| shown(arg)).collect();
        let expanded = self.expand_inline(&text, &args, call_span)?;
        self.calls.push(ActiveCall {
            name: name.name.clone(),
            has_result: result.is_some(),
        });
        let body = self.nested(|parser| parser.parse_expanded(expanded, call_span));
        self.calls.pop();
        self.cursor.set_after_block();
        Ok(InlineCall {
            name,
            result,
            args: shown,
            body: body?,
        })
    }

    /// The arguments of a call as tokens: any sequence with balanced brackets.
    fn inline_args(&mut self, name: &Ident) -> Parse<Vec<Vec<Token>>> {
        self.bump();
        let mut args: Vec<Vec<Token>> = vec![Vec::new()];
        let mut open = vec![TokenKind::RParen];
        loop {
            let token = self.argument_token(name, &mut open)?;
            match (token.kind, args.last_mut()) {
                _ if open.is_empty() => break,
                (TokenKind::Comma, _) if open.len() == 1 => args.push(Vec::new()),
                (_, Some(arg)) => arg.push(token),
                (_, None) => {}
            }
        }
        if args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        Ok(args)
    }

    /// Takes a token of the arguments; `open` has the tokens that close the brackets around it.
    fn argument_token(&mut self, name: &Ident, open: &mut Vec<TokenKind>) -> Parse<Token> {
        let token = Token {
            newline_before: false,
            ..self.cursor.token().clone()
        };
        let kind = token.kind;
        let closes = matches!(
            kind,
            TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace
        );
        match kind {
            TokenKind::Eof => {
                let message = format!("the call of `{}` has no closing `)`", name.name);
                return Err(self.error(name.span, message));
            }
            _ if closes && open.pop() != Some(kind) => {
                let expected = format!("`)` after the arguments of `{}`", name.name);
                return Err(self.unexpected(&expected));
            }
            TokenKind::LParen => open.push(TokenKind::RParen),
            TokenKind::LBracket => open.push(TokenKind::RBracket),
            TokenKind::LBrace => open.push(TokenKind::RBrace),
            _ => {}
        }
        self.cursor.advance();
        Ok(token)
    }

    fn check_call(&mut self, text: &InlineText, call: Span, given: usize) -> Parse<()> {
        let name = &text.name.name;
        let problem = if self.calls.iter().any(|active| active.name == *name) {
            format!("inline `{name}` calls itself")
        } else if given != text.params.len() {
            let expected = count_of(text.params.len(), "argument");
            format!("inline `{name}` takes {expected}, but this call has {given}")
        } else {
            return Ok(());
        };
        let diagnostic = Diagnostic::error(call, problem);
        Err(self.report(diagnostic.with_related(text.name.span, "defined here")))
    }

    /// The body with the arguments in place of the parameters.
    fn expand_inline(
        &mut self,
        text: &InlineText,
        args: &[Vec<Token>],
        call: Span,
    ) -> Parse<Vec<Token>> {
        let mut output = Vec::with_capacity(text.body.len());
        for token in &text.body {
            let is_name = token.kind == TokenKind::Name;
            let param = text
                .params
                .iter()
                .position(|p| is_name && &*p.name == token.text());
            let Some(arg) = param.map(|index| &args[index]) else {
                output.push(token.clone());
                continue;
            };
            let first = output.len();
            output.extend(arg.iter().map(|given| Token {
                parameter: Some(token.place()),
                ..given.clone()
            }));
            if let Some(first) = output.get_mut(first) {
                first.newline_before = token.newline_before;
            }
            self.count_inlined(arg.len(), call)?;
        }
        self.count_inlined(text.body.len(), call)?;
        Ok(output)
    }

    fn count_inlined(&mut self, tokens: usize, call: Span) -> Parse<()> {
        self.inlined_tokens += tokens;
        if self.inlined_tokens <= limits::EXPANDED_TOKENS {
            return Ok(());
        }
        let message = format!(
            "inline calls expand to more than {} tokens",
            limits::EXPANDED_TOKENS
        );
        self.diagnostics.give_up(call, message);
        self.cursor.go_to_end();
        Err(Reported)
    }

    /// Parses the expanded body in place of the current stream, then goes on with that.
    fn parse_expanded(&mut self, mut tokens: Vec<Token>, call: Span) -> Parse<Sequence> {
        let end = Token {
            kind: TokenKind::Eof,
            span: call,
            ..tokens[0].clone()
        };
        tokens.push(end);
        let mut inner = Cursor::new(tokens);
        inner.in_sequence = true;
        let outer = std::mem::replace(&mut self.cursor, inner);
        let outer_open = std::mem::take(&mut self.open);
        let mark = self.diagnostics.mark();
        let body = self.block();
        if body.is_ok() && !self.at(TokenKind::Eof) {
            self.unexpected("the end of the inline's body");
        }
        self.diagnostics
            .relate_since(&mark, call, "in this inline call");
        self.cursor = outer;
        self.open = outer_open;
        if self.diagnostics.gave_up() {
            self.cursor.go_to_end();
        }
        body
    }
}

/// An argument as one line of text.
fn shown(tokens: &[Token]) -> Arc<str> {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let glued = index > 0 && tokens[index - 1].span.end == token.span.start;
        if index > 0 && !glued {
            text.push(' ');
        }
        text.push_str(&token.spelling());
    }
    text.into()
}
