//! Top-level items.

use super::recover::starts_declaration;
use super::{Parse, Parser};
use crate::ast::{
    Active, Decl, Init, Ltl, Never, Priority, Proctype, Sequence, Trace, Typedef, Unit,
};
use crate::token::TokenKind;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::Span;

/// Whether a name is one that other tools write for a temporal operator.
fn is_letter_of_an_operator(name: &str) -> bool {
    matches!(name, "G" | "F")
}

/// The operator between formulas that a word of other languages stands for.
fn joining_operator(word: &str) -> Option<&'static str> {
    match word {
        "and" | "AND" => Some("&&"),
        "or" | "OR" => Some("||"),
        "implies" => Some("->"),
        _ => None,
    }
}

impl Parser<'_> {
    /// The units of a whole model.
    pub(super) fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        loop {
            while matches!(self.kind(), TokenKind::Semi | TokenKind::Arrow) {
                self.bump();
            }
            if self.at(TokenKind::Eof) {
                return units;
            }
            let before = self.cursor.position();
            match self.unit() {
                Ok(unit) => units.extend(unit),
                Err(_) => {
                    if self.cursor.position() == before {
                        self.bump();
                    }
                    self.recover_unit();
                }
            }
            self.leave_unit();
        }
    }

    /// Whatever went wrong in a unit ends with it.
    fn leave_unit(&mut self) {
        self.cursor.reset_nesting();
        self.cursor.in_sequence = false;
        self.in_ltl = false;
        self.open.clear();
    }

    /// One unit; nothing for embedded C.
    fn unit(&mut self) -> Parse<Option<Unit>> {
        let unit = match self.kind() {
            TokenKind::Active | TokenKind::Proctype | TokenKind::DProctype => {
                Unit::Proctype(self.proctype()?)
            }
            TokenKind::Init => Unit::Init(self.init()?),
            TokenKind::Never => Unit::Never(self.never()?),
            TokenKind::Trace | TokenKind::NoTrace => Unit::Trace(self.trace()?),
            TokenKind::Ltl => Unit::Ltl(self.ltl()?),
            TokenKind::Typedef => Unit::Typedef(self.typedef()?),
            TokenKind::Inline => Unit::Inline(self.inline_definition()?),
            TokenKind::Mtype if self.at_mtype_list() => Unit::Mtype(self.mtype_list()?),
            kind if starts_declaration(kind) => Unit::Decl(self.declaration()?),
            TokenKind::Name if self.at_user_declaration() => Unit::Decl(self.declaration()?),
            kind if is_embedded_c(kind) => {
                self.embedded_c();
                return Ok(None);
            }
            _ => return Err(self.not_a_unit()),
        };
        Ok(Some(unit))
    }

    fn not_a_unit(&mut self) -> super::Reported {
        let diagnostic = self.unexpected_token("a declaration, `proctype`, `init` or another unit");
        let help = match self.kind() {
            TokenKind::RBrace => "there is one `}` too many before or here",
            TokenKind::Eof => return self.report(diagnostic),
            _ => "statements belong in the body of a `proctype` or of `init`",
        };
        self.report(diagnostic.with_help(help))
    }

    fn proctype(&mut self) -> Parse<Proctype> {
        let start = self.cursor.token().span;
        let active = self.active()?;
        let deterministic = self.at(TokenKind::DProctype);
        if !deterministic {
            self.expect(TokenKind::Proctype, "after `active`")?;
        } else {
            self.bump();
        }
        let name = self.name("the name of the proctype")?;
        self.names.proctypes.insert(name.name.clone());
        let params = self.params()?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        self.reject_late_priority(priority.is_some());
        let body = self.body()?;
        let span = start.to(body.span);
        Ok(Proctype {
            span,
            active,
            deterministic,
            name,
            params,
            priority,
            provided: provided.map(Box::new),
            body,
        })
    }

    fn active(&mut self) -> Parse<Active> {
        if !self.eat(TokenKind::Active) {
            return Ok(Active::No);
        }
        if !self.eat(TokenKind::LBracket) {
            return Ok(Active::One);
        }
        let count = self.expr()?;
        self.expect(TokenKind::RBracket, "after the number of processes")?;
        Ok(Active::Count(count))
    }

    fn params(&mut self) -> Parse<Vec<Decl>> {
        self.expect(TokenKind::LParen, "and the parameters of the proctype")?;
        let mut params = Vec::new();
        while !self.at(TokenKind::RParen) {
            params.push(self.declaration()?);
            if !self.eat(TokenKind::Semi) {
                break;
            }
            while self.eat(TokenKind::Semi) {}
            if self.at(TokenKind::RParen) {
                return Err(self.unexpected("another parameter after `;`"));
            }
        }
        self.expect(TokenKind::RParen, "after the parameters")?;
        Ok(params)
    }

    /// `priority k`, if it is there.
    pub(super) fn priority(&mut self) -> Parse<Option<Priority>> {
        if !self.at(TokenKind::Priority) {
            return Ok(None);
        }
        let keyword = self.bump();
        let Some((value, _, span)) = self.constant() else {
            return Err(self.unexpected("a constant after `priority`"));
        };
        Ok(Some(Priority {
            value,
            span: keyword.to(span),
        }))
    }

    fn provided(&mut self) -> Parse<Option<crate::ast::Expr>> {
        if !self.eat(TokenKind::Provided) {
            return Ok(None);
        }
        self.expect(TokenKind::LParen, "after `provided`")?;
        let condition = self.full_expr()?;
        self.expect(TokenKind::RParen, "after the condition of `provided`")?;
        Ok(Some(condition))
    }

    fn reject_late_priority(&mut self, has_priority: bool) {
        if self.at(TokenKind::Priority) && !has_priority {
            let span = self.bump();
            let diagnostic = Diagnostic::error(span, "`priority` must stand before `provided`");
            self.report(diagnostic);
            self.constant();
        }
    }

    fn init(&mut self) -> Parse<Init> {
        let keyword = self.bump();
        let priority = self.priority()?;
        if self.at(TokenKind::LParen) {
            return Err(self.error(self.cursor.token().span, "`init` takes no parameters"));
        }
        let body = self.body()?;
        Ok(Init {
            span: keyword.to(body.span),
            keyword,
            priority,
            body,
        })
    }

    fn never(&mut self) -> Parse<Never> {
        let keyword = self.bump();
        let name = self.optional_name();
        let body = self.body()?;
        Ok(Never {
            span: keyword.to(body.span),
            keyword,
            name,
            body,
        })
    }

    fn optional_name(&mut self) -> Option<crate::ast::Ident> {
        self.at(TokenKind::Name).then(|| self.take_word())
    }

    fn trace(&mut self) -> Parse<Trace> {
        let negated = self.at(TokenKind::NoTrace);
        let keyword = self.bump();
        let body = self.body()?;
        Ok(Trace {
            span: keyword.to(body.span),
            keyword,
            negated,
            body,
        })
    }

    /// The braces of a process.
    fn body(&mut self) -> Parse<Sequence> {
        if !self.at(TokenKind::LBrace) {
            return Err(self.unexpected("`{` and the body"));
        }
        let open = self.bump();
        self.cursor.in_sequence = true;
        let body = self.block_after(open);
        self.cursor.in_sequence = false;
        Ok(body)
    }

    fn ltl(&mut self) -> Parse<Ltl> {
        let keyword = self.bump();
        let name = self.optional_name();
        let open = self.expect(TokenKind::LBrace, "and the formula")?;
        self.in_ltl = true;
        let formula = self.full_expr()?;
        self.in_ltl = false;
        self.eat_separators();
        let close = self.close_formula(open)?;
        Ok(Ltl {
            span: keyword.to(close),
            keyword,
            name,
            formula,
        })
    }

    fn close_formula(&mut self, open: Span) -> Parse<Span> {
        if self.at(TokenKind::RBrace) {
            return Ok(self.bump());
        }
        let diagnostic = self.formula_ends("`}` or a temporal operator");
        Err(self.report(diagnostic.with_related(open, "the formula starts here")))
    }

    /// The complaint about what stands where a formula could end, and what may have been meant.
    pub(super) fn formula_ends(&mut self, expected: &str) -> Diagnostic {
        let diagnostic = self.unexpected_token(expected);
        if self.at(TokenKind::Assign) {
            return diagnostic.with_help("to compare two values, write `==`");
        }
        let here = self.cursor.token();
        let word = (here.kind == TokenKind::Name).then(|| here.text());
        if let Some(operator) = word.and_then(joining_operator) {
            return diagnostic.with_help(format!("write `{operator}`"));
        }
        let last = self.cursor.last_name();
        match last.is_some_and(is_letter_of_an_operator) {
            true => diagnostic.with_help(
                "`G p` is written `[] p` or `always p`, and `F p` is `<> p` or `eventually p`",
            ),
            false => diagnostic,
        }
    }

    fn typedef(&mut self) -> Parse<Typedef> {
        let keyword = self.bump();
        let name = self.name("the name of the type")?;
        let open = self.expect(TokenKind::LBrace, "and the fields")?;
        self.cursor.in_sequence = true;
        let fields = self.fields(open)?;
        self.cursor.in_sequence = false;
        let close = self.cursor.last_span();
        self.names.typedefs.insert(name.name.clone());
        Ok(Typedef {
            span: keyword.to(close),
            name,
            fields,
        })
    }

    fn fields(&mut self, open: Span) -> Parse<Vec<Decl>> {
        let mut fields = Vec::new();
        loop {
            fields.push(self.declaration()?);
            let separated = self.eat_separators();
            if self.eat(TokenKind::RBrace) {
                return Ok(fields);
            }
            if !separated {
                let expected = "`;` or `}` after a field";
                let diagnostic = self
                    .unexpected_token(expected)
                    .with_related(open, "the type starts here");
                return Err(self.report(diagnostic));
            }
        }
    }

    /// True at `T x` where `T` is no built-in type.
    pub(super) fn at_user_declaration(&self) -> bool {
        let (name, next) = (self.cursor.token(), self.cursor.ahead(1));
        let same_line = !next.newline_before;
        let is_typedef = self.names.typedefs.contains(name.text());
        next.kind == TokenKind::Name && (is_typedef || same_line)
    }

    /// True at `mtype = {`, `mtype {` and `mtype : name = {`.
    pub(super) fn at_mtype_list(&self) -> bool {
        let kind = |ahead| self.cursor.ahead(ahead).kind;
        match kind(1) {
            TokenKind::Assign | TokenKind::LBrace => true,
            TokenKind::Colon => matches!(kind(3), TokenKind::Assign | TokenKind::LBrace),
            _ => false,
        }
    }
}

/// Keywords of embedded C that may stand where a unit or statement starts.
pub(super) fn is_embedded_c(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::CCode | TokenKind::CDecl | TokenKind::CState | TokenKind::CTrack
    )
}
