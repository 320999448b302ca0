//! Declarations of variables, channels and `mtype` constants.

use super::recover::{is_type, starts_declaration};
use super::{Parse, Parser};
use crate::ast::{
    ChannelInit, Decl, DeclType, Expr, Ident, Initializer, MessageField, MtypeDecl, Var,
    Visibility, Width,
};
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

impl Parser<'_> {
    /// `hidden byte a, b[3] = 1`
    pub(super) fn declaration(&mut self) -> Parse<Decl> {
        let start = self.cursor.token().span;
        let visibility = self.visibility();
        let (ty, ty_span) = self.declared_type()?;
        let mut vars = vec![self.variable()?];
        while self.eat(TokenKind::Comma) {
            vars.push(self.next_variable()?);
        }
        let span = start.to(self.cursor.last_span());
        Ok(Decl {
            span,
            visibility,
            ty,
            ty_span,
            vars,
        })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.kind() {
            TokenKind::Hidden => Visibility::Hidden,
            TokenKind::Show => Visibility::Show,
            TokenKind::Local => Visibility::Local,
            _ => return None,
        };
        self.bump();
        Some(visibility)
    }

    fn declared_type(&mut self) -> Parse<(DeclType, Span)> {
        let start = self.cursor.token().span;
        let ty = match self.kind() {
            kind if is_type(kind) => self.built_in_type(kind)?,
            TokenKind::Name => DeclType::User(self.user_type()),
            _ => return Err(self.unexpected("a type")),
        };
        Ok((ty, start.to(self.cursor.last_span())))
    }

    fn built_in_type(&mut self, kind: TokenKind) -> Parse<DeclType> {
        self.bump();
        Ok(match kind {
            TokenKind::Bit => DeclType::Bit,
            TokenKind::Bool => DeclType::Bool,
            TokenKind::Byte => DeclType::Byte,
            TokenKind::Short => DeclType::Short,
            TokenKind::Int => DeclType::Int,
            TokenKind::Unsigned => DeclType::Unsigned,
            TokenKind::Pid => DeclType::Pid,
            TokenKind::Chan => DeclType::Chan,
            _ => DeclType::Mtype(self.subtype()?),
        })
    }

    /// `: name` after `mtype`, if it is there.
    fn subtype(&mut self) -> Parse<Option<Ident>> {
        if !self.eat(TokenKind::Colon) {
            return Ok(None);
        }
        self.name("the name of an mtype subtype").map(Some)
    }

    fn user_type(&mut self) -> Ident {
        let name = self.take_word();
        if !self.names.typedefs.contains(&name.name) {
            let message = format!("`{}` is not a type", name.name);
            let help =
                "a `typedef` must stand before its first use; between two statements stands `;`";
            self.report(Diagnostic::error(name.span, message).with_help(help));
        }
        name
    }

    /// A variable after a comma, where people write the type again.
    fn next_variable(&mut self) -> Parse<Var> {
        if starts_declaration(self.kind()) {
            let diagnostic = self.unexpected_token("the name of a variable after `,`");
            let help = "declarations of different types are separated by `;`";
            return Err(self.report(diagnostic.with_help(help)));
        }
        self.variable()
    }

    fn variable(&mut self) -> Parse<Var> {
        let name = self.name("the name of a variable")?;
        let width = self.width()?;
        let size = self.array_size()?;
        let init = self.initializer()?;
        let span = name.span.to(self.cursor.last_span());
        Ok(Var {
            span,
            name,
            width,
            size,
            init,
        })
    }

    fn width(&mut self) -> Parse<Option<Width>> {
        if !self.eat(TokenKind::Colon) {
            return Ok(None);
        }
        match self.constant() {
            Some((bits, _, span)) => Ok(Some(Width { bits, span })),
            None => Err(self.unexpected("a number of bits after `:`")),
        }
    }

    fn array_size(&mut self) -> Parse<Option<Expr>> {
        if !self.eat(TokenKind::LBracket) {
            return Ok(None);
        }
        let size = self.expr()?;
        self.expect(TokenKind::RBracket, "after the size of the array")?;
        if self.at(TokenKind::LBracket) {
            let span = self.cursor.token().span;
            let help = "for an array of arrays, put the inner array in a `typedef`";
            let diagnostic = Diagnostic::error(span, "an array has one dimension").with_help(help);
            return Err(self.report(diagnostic));
        }
        Ok(Some(size))
    }

    fn initializer(&mut self) -> Parse<Option<Initializer>> {
        if !self.eat(TokenKind::Assign) {
            return Ok(None);
        }
        Ok(Some(match self.kind() {
            TokenKind::LBrace => self.list_initializer()?,
            TokenKind::LBracket => Initializer::Channel(self.channel_initializer()?),
            _ => Initializer::Expr(self.expr()?),
        }))
    }

    fn list_initializer(&mut self) -> Parse<Initializer> {
        let open = self.bump();
        let mut values = vec![self.expr()?];
        while self.eat(TokenKind::Comma) {
            values.push(self.expr()?);
        }
        let close = self.closing_brace("after the values of the array")?;
        Ok(Initializer::List(values, open.to(close)))
    }

    fn channel_initializer(&mut self) -> Parse<ChannelInit> {
        let open = self.bump();
        let capacity = self.expr()?;
        self.expect(TokenKind::RBracket, "after the capacity of the channel")?;
        self.expect(TokenKind::Of, "and the types of the messages")?;
        self.expect(TokenKind::LBrace, "and the types of the messages")?;
        let mut fields = vec![self.message_field()?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.message_field()?);
        }
        let close = self.closing_brace("or `,` after a type")?;
        Ok(ChannelInit {
            span: open.to(close),
            capacity,
            fields,
        })
    }

    /// A brace that closes a list; a separator before it means nothing.
    fn closing_brace(&mut self, why: &str) -> Parse<Span> {
        self.eat_separators();
        self.expect(TokenKind::RBrace, why)
    }

    fn message_field(&mut self) -> Parse<MessageField> {
        if self.at(TokenKind::Unsigned) {
            let span = self.cursor.token().span;
            let help = "use `byte`, `short` or `int`";
            let message = "`unsigned` cannot be the type of a message field";
            return Err(self.report(Diagnostic::error(span, message).with_help(help)));
        }
        let (ty, span) = self.declared_type()?;
        Ok(MessageField { ty, span })
    }

    /// `mtype = { a, b }`; commas are optional.
    pub(super) fn mtype_list(&mut self) -> Parse<MtypeDecl> {
        let start = self.bump();
        let subtype = self.subtype()?;
        if !self.eat(TokenKind::Assign) && subtype.is_some() {
            return Err(self.unexpected("`=` after the name of the subtype"));
        }
        self.expect(TokenKind::LBrace, "and the names of the constants")?;
        let mut names = vec![self.name("the name of a constant")?];
        loop {
            while self.eat(TokenKind::Comma) {}
            if self.eat_separators() || self.at(TokenKind::RBrace) {
                break;
            }
            names.push(self.name("the name of a constant or `}`")?);
        }
        let close = self.closing_brace("after the names of the constants")?;
        Ok(MtypeDecl {
            span: start.to(close),
            subtype,
            names,
        })
    }
}
