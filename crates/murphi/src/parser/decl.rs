//! Declarations, types and functions.

use super::{Opener, Parser};
use crate::ast::{
    Decl, ExprDecl, ExprKind, Function, Ident, Parameter, TypeDecl, TypeExpr, TypeExprKind,
};
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error_help};

impl Parser {
    /// `const`, `type` or `var` and what is declared under the word.
    pub(super) fn declarations(&mut self) -> Fallible<Vec<Decl>> {
        let word = self.open();
        let mut decls = Vec::new();
        while self.at_declared_name() {
            decls.push(self.declaration(word)?);
            while self.eat(TokenKind::Semicolon) {}
        }
        self.declaration_expected(word)?;
        Ok(decls)
    }

    /// Declarations of a function or rule, up to its `begin` or first statement.
    pub(super) fn local_declarations(&mut self) -> Fallible<Vec<Decl>> {
        let mut decls = Vec::new();
        while matches!(
            self.kind(),
            TokenKind::Const | TokenKind::Type | TokenKind::Var
        ) {
            decls.extend(self.declarations()?);
        }
        Ok(decls)
    }

    /// True at a name that is followed by a comma or a colon. Rumur also allows the colon alone.
    fn at_declared_name(&self) -> bool {
        let next = self.peek(1).kind;
        self.at(TokenKind::Colon)
            || self.at(TokenKind::Name) && matches!(next, TokenKind::Comma | TokenKind::Colon)
    }

    /// Complains about the usual mistakes where declarations seem to end: a keyword for a name, or no colon.
    fn declaration_expected(&mut self, word: Opener) -> Fallible<()> {
        let next = self.peek(1).kind;
        if self.kind().is_keyword() && matches!(next, TokenKind::Comma | TokenKind::Colon) {
            self.name(&format!("a name after `{}`", word.kind.symbol()))?;
        }
        if self.at(TokenKind::Name) && begins_type(next) && !self.at_rule() {
            self.bump();
            self.expect(TokenKind::Colon, "after the name")?;
        }
        Ok(())
    }

    fn declaration(&mut self, word: Opener) -> Fallible<Decl> {
        Ok(match word.kind {
            TokenKind::Const => Decl::Constant(self.expr_decl()?),
            TokenKind::Type => Decl::Type(self.type_decl()?),
            _ => Decl::Variable(self.type_decl()?),
        })
    }

    /// `a, b: e`
    fn expr_decl(&mut self) -> Fallible<ExprDecl> {
        let start = self.token().span;
        let names = self.declared_names()?;
        let value = self.expr()?;
        Ok(ExprDecl {
            names,
            value,
            span: self.since(start),
        })
    }

    /// `a, b: t`
    fn type_decl(&mut self) -> Fallible<TypeDecl> {
        let start = self.token().span;
        let names = self.declared_names()?;
        let ty = self.type_expr()?;
        Ok(TypeDecl {
            names,
            ty,
            span: self.since(start),
        })
    }

    fn declared_names(&mut self) -> Fallible<Vec<Ident>> {
        let names = self.name_list(TokenKind::Colon)?;
        self.expect(TokenKind::Colon, "after the names")?;
        Ok(names)
    }

    /// Names with commas between them, and perhaps one at the end.
    fn name_list(&mut self, end: TokenKind) -> Fallible<Vec<Ident>> {
        let mut names = Vec::new();
        while !self.at(end) {
            names.push(self.name("a name")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(names)
    }

    /// The aliases between `alias` and `do`.
    pub(super) fn aliases(&mut self) -> Fallible<Vec<ExprDecl>> {
        let mut aliases = Vec::new();
        while self.at_declared_name() && !self.at(TokenKind::Colon) {
            aliases.push(self.expr_decl()?);
            while self.eat(TokenKind::Semicolon) {}
        }
        self.expect_do("after the aliases")?;
        Ok(aliases)
    }

    pub(super) fn type_expr(&mut self) -> Fallible<TypeExpr> {
        self.nested(|parser| {
            let start = parser.token().span;
            let kind = parser.type_kind()?;
            Ok(TypeExpr {
                kind,
                span: parser.since(start),
            })
        })
    }

    fn type_kind(&mut self) -> Fallible<TypeExprKind> {
        match self.kind() {
            TokenKind::Boolean => {
                self.bump();
                Ok(TypeExprKind::Boolean)
            }
            TokenKind::Enum => self.enum_type(),
            TokenKind::Scalarset => self.scalarset_type(),
            TokenKind::Union => self.union_type(),
            TokenKind::Record => self.record_type(),
            TokenKind::Array => self.array_type(),
            TokenKind::Real => {
                let help = "use a range of whole numbers, for example in thousandths";
                Err(error_help(
                    self.token().span,
                    "real numbers are not supported",
                    help,
                ))
            }
            _ if self.at_soft_word("multiset") && self.peek(1).kind == TokenKind::LeftBracket => {
                self.multiset_type()
            }
            _ => self.named_or_range_type(),
        }
    }

    fn enum_type(&mut self) -> Fallible<TypeExprKind> {
        self.bump();
        self.expect(TokenKind::LeftBrace, "after `enum`")?;
        let members = self.name_list(TokenKind::RightBrace)?;
        self.expect(TokenKind::RightBrace, "after the members of the `enum`")?;
        Ok(TypeExprKind::Enum(members))
    }

    fn scalarset_type(&mut self) -> Fallible<TypeExprKind> {
        self.bump();
        self.expect(TokenKind::LeftParen, "after `scalarset`")?;
        let size = self.expr()?;
        self.expect(TokenKind::RightParen, "after the size of the `scalarset`")?;
        Ok(TypeExprKind::Scalarset(Box::new(size)))
    }

    fn union_type(&mut self) -> Fallible<TypeExprKind> {
        self.bump();
        self.expect(TokenKind::LeftBrace, "after `union`")?;
        let mut members = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            members.push(self.type_expr()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the members of the `union`")?;
        Ok(TypeExprKind::Union(members))
    }

    fn record_type(&mut self) -> Fallible<TypeExprKind> {
        let opener = self.open();
        let mut fields = Vec::new();
        while self.at_declared_name() {
            fields.push(self.type_decl()?);
            while self.eat(TokenKind::Semicolon) {}
        }
        self.declaration_expected(opener)?;
        self.close(opener)?;
        Ok(TypeExprKind::Record(fields))
    }

    fn array_type(&mut self) -> Fallible<TypeExprKind> {
        self.bump();
        self.expect(TokenKind::LeftBracket, "after `array`")?;
        let index = self.type_expr()?;
        self.expect(
            TokenKind::RightBracket,
            "after the index type of the `array`",
        )?;
        self.expect(TokenKind::Of, "before the element type of the `array`")?;
        let element = self.type_expr()?;
        Ok(TypeExprKind::Array(Box::new(index), Box::new(element)))
    }

    fn multiset_type(&mut self) -> Fallible<TypeExprKind> {
        self.bump();
        self.expect(TokenKind::LeftBracket, "after `multiset`")?;
        let capacity = self.expr()?;
        self.expect(
            TokenKind::RightBracket,
            "after the capacity of the `multiset`",
        )?;
        self.expect(TokenKind::Of, "before the element type of the `multiset`")?;
        let element = self.type_expr()?;
        Ok(TypeExprKind::Multiset(
            Box::new(capacity),
            Box::new(element),
        ))
    }

    /// `t`, or `lo .. hi`, which begin alike.
    fn named_or_range_type(&mut self) -> Fallible<TypeExprKind> {
        if !self.at_expr() {
            return Err(Box::new(self.unexpected("a type")));
        }
        let low = self.expr()?;
        if self.eat(TokenKind::DotDot) {
            let high = self.expr()?;
            return Ok(TypeExprKind::Range(Box::new(low), Box::new(high)));
        }
        match low.kind {
            ExprKind::Designator(d) if d.selectors.is_empty() => Ok(TypeExprKind::Name(d.base)),
            _ => Err(error_help(
                low.span,
                "this is not a type",
                "a range is written `lo .. hi`",
            )),
        }
    }

    /// `function f(parameters): result; declarations begin statements end;`
    pub(super) fn function(&mut self) -> Fallible<Function> {
        let opener = self.open();
        let name = self.name("the name of the function")?;
        self.expect(TokenKind::LeftParen, "before the parameters")?;
        let parameters = self.parameters()?;
        let result = self
            .eat(TokenKind::Colon)
            .then(|| self.type_expr())
            .transpose()?;
        while self.eat(TokenKind::Semicolon) {}
        let decls = self.local_declarations()?;
        self.eat(TokenKind::Begin);
        let body = self.statements()?;
        self.close(opener)?;
        Ok(Function {
            name,
            parameters,
            result,
            decls,
            body,
            span: self.since(opener.span),
        })
    }

    fn parameters(&mut self) -> Fallible<Vec<Parameter>> {
        let mut parameters = Vec::new();
        while !self.at(TokenKind::RightParen) {
            let by_reference = self.eat(TokenKind::Var);
            let decl = self.type_decl()?;
            parameters.push(Parameter { by_reference, decl });
            if self.at(TokenKind::Comma) {
                let help = "parameters of different types are separated by `;`";
                return Err(Box::new(self.unexpected("`;` or `)`").with_help(help)));
            }
            while self.eat(TokenKind::Semicolon) {}
        }
        self.bump();
        Ok(parameters)
    }
}

/// True for words that begin a type and nothing that could follow a name otherwise.
fn begins_type(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Number
            | TokenKind::Boolean
            | TokenKind::Enum
            | TokenKind::Record
            | TokenKind::Array
            | TokenKind::Scalarset
            | TokenKind::Union
    )
}
