//! Declarations of symmetry.
//!
//! ```text
//! declarations = {declaration [";"]}
//! declaration  = "scalarset" SET ("[" size "]" | "=" first ".." last) [":" use {"," use}]
//!              | "symmetric" PROCTYPE {"," PROCTYPE}
//! use          = [SET] step {"." step} [message]
//! step         = NAME ["[" [SET] "]"]
//! message      = "{" field {"," field} "}"
//! field        = "_" | SET | message
//! ```

use super::{Parse, Parser, Reported};
use crate::ast::{
    Bounds, FieldUse, Ident, IndexUse, MessageUse, ScalarsetDecl, SymmetryDecl, SymmetryUse,
    UseStep,
};
use crate::lexer::SYMMETRY;
use crate::token::{Token, TokenKind};

impl Parser<'_> {
    pub(super) fn symmetry_declarations(mut self) -> Vec<SymmetryDecl> {
        let mut found = Vec::new();
        loop {
            while self.eat(TokenKind::Semi) {}
            if self.at(TokenKind::Eof) {
                return found;
            }
            match self.symmetry_declaration() {
                Ok(declaration) => found.push(declaration),
                Err(Reported) => self.recover_declaration(),
            }
        }
    }

    /// Skips to the next declaration.
    fn recover_declaration(&mut self) {
        while !self.at(TokenKind::Eof) && !starts_symmetry(self.cursor.token()) {
            self.cursor.advance();
        }
        self.cursor.reset_nesting();
    }

    fn symmetry_declaration(&mut self) -> Parse<SymmetryDecl> {
        let declaration = if self.at_word("scalarset") {
            SymmetryDecl::Scalarset(Box::new(self.scalarset()?))
        } else if self.at_word("symmetric") {
            SymmetryDecl::Symmetric(self.symmetric()?)
        } else {
            return Err(self.unexpected("`scalarset` or `symmetric`"));
        };
        self.end_of_declaration()?;
        Ok(declaration)
    }

    fn end_of_declaration(&mut self) -> Parse<()> {
        let ends = matches!(self.kind(), TokenKind::Semi | TokenKind::Eof);
        if ends || starts_symmetry(self.cursor.token()) {
            return Ok(());
        }
        let diagnostic = self.unexpected_token("`,` or the end of the declaration");
        let help = match self.kind() {
            TokenKind::Colon => "a variable of a proctype is written `P.x`",
            TokenKind::Name | TokenKind::Number => "between two places stands `,`",
            _ => return Err(self.report(diagnostic)),
        };
        Err(self.report(diagnostic.with_help(help)))
    }

    fn symmetric(&mut self) -> Parse<Vec<Ident>> {
        self.bump();
        let mut proctypes = vec![self.declared_name("the name of a proctype")?];
        while self.eat(TokenKind::Comma) {
            proctypes.push(self.declared_name("the name of a proctype after `,`")?);
        }
        Ok(proctypes)
    }

    fn scalarset(&mut self) -> Parse<ScalarsetDecl> {
        let keyword = self.bump();
        let name = self.declared_name("the name of the scalarset")?;
        let bounds = self.bounds()?;
        let mut uses = Vec::new();
        if self.eat(TokenKind::Colon) {
            uses.push(self.symmetry_use("what holds the names or is indexed by them")?);
            while self.eat(TokenKind::Comma) {
                uses.push(self.symmetry_use("another place after `,`")?);
            }
        }
        Ok(ScalarsetDecl {
            span: keyword.to(self.cursor.last_span()),
            name,
            bounds,
            uses,
        })
    }

    fn bounds(&mut self) -> Parse<Bounds> {
        if self.eat(TokenKind::LBracket) {
            let size = self.expr()?;
            self.expect(TokenKind::RBracket, "after the number of names")?;
            return Ok(Bounds::Size(size));
        }
        if !self.eat(TokenKind::Assign) {
            return Err(self.unexpected("`[` and the number of names, or `=` and the first name"));
        }
        let first = self.expr()?;
        self.expect(TokenKind::DotDot, "and the last name")?;
        Ok(Bounds::Range(first, self.expr()?))
    }

    fn symmetry_use(&mut self, what: &str) -> Parse<SymmetryUse> {
        let start = self.cursor.token().span;
        let holds = match self.at_set_before_name() {
            true => Some(self.take_word()),
            false => None,
        };
        let mut path = vec![self.use_step(what)?];
        while self.eat(TokenKind::Dot) {
            path.push(self.use_step("a variable or a field after `.`")?);
        }
        let message = match self.at(TokenKind::LBrace) {
            true => Some(self.message_use()?),
            false => None,
        };
        Ok(SymmetryUse {
            span: start.to(self.cursor.last_span()),
            holds,
            path,
            message,
        })
    }

    /// True at the set of `ID next`.
    fn at_set_before_name(&self) -> bool {
        let next = self.cursor.ahead(1);
        let names = |token: &Token| token.kind == TokenKind::Name && !starts_symmetry(token);
        let next_is_name = names(next) || next.kind == TokenKind::Init;
        names(self.cursor.token()) && next_is_name
    }

    fn use_step(&mut self, what: &str) -> Parse<UseStep> {
        let name = match self.at(TokenKind::Init) {
            true => self.take_word(),
            false => self.declared_name(what)?,
        };
        let index = match self.at(TokenKind::LBracket) {
            true => Some(self.index_use()?),
            false => None,
        };
        Ok(UseStep { name, index })
    }

    fn index_use(&mut self) -> Parse<IndexUse> {
        let open = self.bump();
        let names = match self.at(TokenKind::RBracket) {
            true => None,
            false => Some(self.declared_name("the name of a scalarset or `]`")?),
        };
        let close = self.expect(TokenKind::RBracket, "after the scalarset")?;
        Ok(IndexUse {
            span: open.to(close),
            names,
        })
    }

    fn message_use(&mut self) -> Parse<MessageUse> {
        let open = self.bump();
        let mut fields = vec![self.field_use()?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.field_use()?);
        }
        let close = self.expect(TokenKind::RBrace, "or `,` after a field of the message")?;
        Ok(MessageUse {
            span: open.to(close),
            fields,
        })
    }

    fn field_use(&mut self) -> Parse<FieldUse> {
        if self.at(TokenKind::LBrace) {
            return Ok(FieldUse::Parts(self.nested(Self::message_use)?));
        }
        if self.at_word("_") {
            return Ok(FieldUse::Plain(self.bump()));
        }
        let what = "the name of a scalarset, `_` or `{` for a field of the message";
        Ok(FieldUse::Names(self.declared_name(what)?))
    }

    /// A name that is neither a keyword of the language nor one of declarations.
    pub(super) fn declared_name(&mut self, what: &str) -> Parse<Ident> {
        let token = self.cursor.token();
        if token.kind == TokenKind::Name && !starts_symmetry(token) {
            return Ok(self.take_word());
        }
        let mut diagnostic = self.unexpected_token(what);
        let keyword = token.is_word() && token.kind != TokenKind::Name;
        if keyword && token.kind != TokenKind::Init {
            let help = format!(
                "types and other keywords are left out: drop `{}`",
                token.text()
            );
            diagnostic = diagnostic.with_help(help);
        }
        Err(self.report(diagnostic))
    }
}

/// True for the word with which a declaration starts.
fn starts_symmetry(token: &Token) -> bool {
    token.kind == TokenKind::Name && SYMMETRY.contains(&token.text())
}
