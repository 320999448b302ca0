//! Properties beside the model: a formula is all that there is, or an automaton with its propositions.

use super::{Names, Parse, Parser, Reported, embedded_c};
use crate::ast::{Expr, StatedBody, StatedProperty};
use crate::diagnostics::Diagnostics;
use crate::preprocess::{StatedText, StatedTokens};
use crate::token::{Token, TokenKind};
use mandala_model::source::Span;

/// A property, in which names mean what they mean at the end of the model; nothing if it is wrong.
pub(super) fn parse(
    stated: StatedTokens,
    names: &Names,
    diagnostics: &mut Diagnostics,
) -> Option<StatedProperty> {
    let mut parse = |tokens: Vec<Token>| whole(tokens, names, diagnostics);
    let property = stated.property;
    let (span, body) = match stated.text {
        StatedText::Formula(tokens) => {
            let formula = parse(tokens)?;
            (formula.span, StatedBody::Formula(formula))
        }
        StatedText::Automaton(automaton, propositions) => {
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
fn whole(tokens: Vec<Token>, names: &Names, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let tokens = embedded_c::drop_bad_tokens(tokens, diagnostics);
    let mut parser = Parser::new(tokens, diagnostics);
    parser.names = names.clone();
    parser.in_ltl = true;
    parser.whole_formula().ok()
}

impl Parser<'_> {
    fn whole_formula(&mut self) -> Parse<Expr> {
        let formula = self.full_expr()?;
        self.eat_separators();
        match self.at(TokenKind::Eof) {
            true => Ok(formula),
            false => Err(self.formula_goes_on()),
        }
    }

    fn formula_goes_on(&mut self) -> Reported {
        let mut diagnostic = self.unexpected_token("an operator or the end of the formula");
        if self.at(TokenKind::Assign) {
            diagnostic = diagnostic.with_help("to compare two values, write `==`");
        }
        self.report(diagnostic)
    }
}
