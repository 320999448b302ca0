//! Properties beside the model: a formula is all that there is, or an automaton with its propositions. Also those in
//! comments of the model.
//!
//! ```text
//! comment  = "property" NAME ":" property
//! property = ["forall" NAME "in" (PROCTYPE | first ".." last) ":"] formula
//! ```

use super::names::Names;
use super::{Parse, Parser, Reported, bad_tokens};
use crate::ast::{Expr, IndexDomain, Quantifier, StatedBody, StatedProperty};
use crate::diagnostics::Diagnostics;
use crate::lexer::PROPERTY;
use crate::preprocess::{StatedText, StatedTokens};
use crate::token::{Token, TokenKind};
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;

/// A property, in which names mean what they mean at the end of the model; nothing if it is wrong.
pub(super) fn parse(
    stated: StatedTokens,
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> Option<StatedProperty> {
    let property = stated.property;
    let (span, body) = match stated.text {
        StatedText::Formula(tokens) => {
            let mut parser = parser(tokens, names, property.form, diagnostics);
            parser.whole_property().ok()?
        }
        StatedText::Labels => {
            let start = Span::new(property.file, 0, 0);
            (start, StatedBody::Labels)
        }
        StatedText::Automaton(automaton, propositions) => {
            let parse = |tokens: Vec<Token>| whole(tokens, names, property.form, diagnostics);
            let conditions: Vec<Option<Expr>> = propositions.into_iter().map(parse).collect();
            let conditions = conditions.into_iter().collect::<Option<_>>()?;
            let start = Span::new(property.file, 0, 0);
            (start, StatedBody::Automaton(automaton, conditions))
        }
    };
    Some(StatedProperty {
        form: property.form,
        name: property.name,
        span,
        body,
    })
}

/// A formula that takes up all tokens.
fn whole(
    tokens: Vec<Token>,
    names: &Names,
    form: StatedForm,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    parser(tokens, names, form, diagnostics)
        .whole_formula()
        .ok()
}

/// Whether a comment states a property.
pub(super) fn is_property(tokens: &[Token]) -> bool {
    let first = tokens.first();
    first.is_some_and(|token| token.kind == TokenKind::Name && token.text() == PROPERTY)
}

/// The property in a comment; nothing if it is wrong.
pub(super) fn declared(
    tokens: Vec<Token>,
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> Option<StatedProperty> {
    let mut parser = parser(tokens, names, StatedForm::Ltl, diagnostics);
    parser.named_property().ok()
}

fn parser<'d>(
    tokens: Vec<Token>,
    names: &Names,
    form: StatedForm,
    diagnostics: &'d mut Diagnostics,
) -> Parser<'d> {
    let tokens = bad_tokens::drop_bad_tokens(tokens, diagnostics);
    let mut parser = Parser::new(tokens, diagnostics);
    parser.names = names.clone();
    parser.in_ltl = true;
    parser.in_ctl = form == StatedForm::Ctl;
    parser
}

/// How a formula about each of some numbers is written.
const QUANTIFIED: &str = "write `forall i in 1 .. N: FORMULA`, or `forall i in P: FORMULA` for all processes of a proctype";

impl Parser<'_> {
    /// `property NAME: ..`
    fn named_property(&mut self) -> Parse<StatedProperty> {
        self.bump();
        let name = self.name("the name of the property")?;
        self.expect(TokenKind::Colon, "and the formula")?;
        let (span, body) = self.whole_property()?;
        Ok(StatedProperty {
            form: StatedForm::Ltl,
            name: Some(name.name.to_string()),
            span,
            body,
        })
    }

    /// A formula that takes up all tokens, behind what it is about if it says that.
    fn whole_property(&mut self) -> Parse<(Span, StatedBody)> {
        let mut quantifiers = Vec::new();
        while self.at_quantifier() {
            quantifiers.push(self.quantifier()?);
        }
        let formula = self.whole_formula()?;
        let span = formula.span;
        Ok(match quantifiers.is_empty() {
            false => (span, StatedBody::Indexed(quantifiers, formula)),
            true => (span, StatedBody::Formula(formula)),
        })
    }

    /// Whether two names follow each other, the first of which says that a formula is about each of some numbers.
    fn at_quantifier(&self) -> bool {
        self.at_word("forall") && self.cursor.ahead(1).kind == TokenKind::Name
    }

    fn quantifier(&mut self) -> Parse<Quantifier> {
        self.bump();
        let variable = self.declared_name("a name for each of the numbers")?;
        if !self.at_word("in") {
            return Err(self.not_quantified("`in`"));
        }
        self.bump();
        let domain = self.index_domain()?;
        match self.eat(TokenKind::Colon) {
            true => Ok(Quantifier { variable, domain }),
            false => Err(self.not_quantified("`:` and the formula")),
        }
    }

    fn index_domain(&mut self) -> Parse<IndexDomain> {
        let alone = self.cursor.ahead(1).kind == TokenKind::Colon;
        if self.at(TokenKind::Name) && alone {
            let proctype = self.declared_name("the name of a proctype")?;
            return Ok(IndexDomain::Processes(proctype));
        }
        let first = self.expr()?;
        match self.eat(TokenKind::DotDot) {
            true => Ok(IndexDomain::Range(Box::new(first), Box::new(self.expr()?))),
            false => Err(self.not_quantified("`..` and the last of the numbers")),
        }
    }

    fn not_quantified(&mut self, expected: &str) -> Reported {
        let diagnostic = self.unexpected_token(expected);
        self.report(diagnostic.with_help(QUANTIFIED))
    }

    fn whole_formula(&mut self) -> Parse<Expr> {
        let formula = self.full_expr()?;
        self.eat_separators();
        match self.at(TokenKind::Eof) {
            true => Ok(formula),
            false => Err(self.formula_goes_on()),
        }
    }

    fn formula_goes_on(&mut self) -> Reported {
        let diagnostic = self.formula_ends("an operator or the end of the formula");
        self.report(diagnostic)
    }
}
