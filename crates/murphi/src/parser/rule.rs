//! Rules and what may stand in their place.

use super::stmt::property_kind;
use super::{Opener, Parser};
use crate::ast::{
    AliasRule, ChooseRule, Decl, Number, Property, Rule, Ruleset, SimpleRule, StartState, Stmt,
};
use crate::token::TokenKind;
use mandala_model::findings::Fallible;

impl Parser {
    /// True at a word that begins a rule or the like.
    pub(super) fn at_rule(&self) -> bool {
        let kind = self.kind();
        matches!(
            kind,
            TokenKind::Rule | TokenKind::Startstate | TokenKind::Ruleset | TokenKind::Alias
        ) || property_kind(kind).is_some()
            || self.at_soft_word("choose")
    }

    pub(super) fn rule(&mut self) -> Fallible<Rule> {
        self.nested(|parser| match parser.kind() {
            TokenKind::Rule => Ok(Rule::Simple(parser.simple_rule()?)),
            TokenKind::Startstate => Ok(Rule::Start(parser.start_state()?)),
            TokenKind::Ruleset => Ok(Rule::Ruleset(parser.ruleset()?)),
            TokenKind::Alias => Ok(Rule::Alias(parser.alias_rule()?)),
            TokenKind::Name => Ok(Rule::Choose(parser.choose_rule()?)),
            _ => Ok(Rule::Property(parser.property()?)),
        })
    }

    /// Rules up to the `end` that closes them.
    fn rules(&mut self) -> Fallible<Vec<Rule>> {
        let mut rules = Vec::new();
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.at_closer() || self.at_soft_word("endchoose") {
                return Ok(rules);
            }
            if !self.at_rule() {
                return Err(self.no_rule());
            }
            rules.push(self.rule()?);
        }
    }

    fn no_rule(&self) -> Box<mandala_model::diagnostic::Diagnostic> {
        let diagnostic = self.unexpected("a rule or `end`");
        Box::new(match self.kind() {
            TokenKind::Function | TokenKind::Procedure => diagnostic
                .with_help("functions cannot be declared inside of a ruleset; move it before"),
            TokenKind::Const | TokenKind::Type | TokenKind::Var => {
                diagnostic.with_help("declare it before the ruleset, or in a rule after its `==>`")
            }
            _ => diagnostic,
        })
    }

    fn simple_rule(&mut self) -> Fallible<SimpleRule> {
        let opener = self.open();
        let priority = self.priority()?;
        let name = self.optional_text();
        let guard = self.guard_follows().then(|| self.expr()).transpose()?;
        if guard.is_some() {
            self.expect(TokenKind::Arrow, "after the guard of the rule")?;
        }
        let (decls, body) = self.body(opener)?;
        Ok(SimpleRule {
            priority,
            name,
            guard,
            decls,
            body,
            span: self.since(opener.span),
        })
    }

    /// CMurphi takes a number before the name of a rule. A guard may begin with a number, too, but then an operator follows.
    fn priority(&mut self) -> Fallible<Number> {
        let follows = matches!(
            self.peek(1).kind,
            TokenKind::Text
                | TokenKind::Name
                | TokenKind::Bang
                | TokenKind::LeftParen
                | TokenKind::Forall
                | TokenKind::Exists
                | TokenKind::Const
                | TokenKind::Type
                | TokenKind::Var
                | TokenKind::Begin
        );
        match self.at(TokenKind::Number) && follows {
            true => self.number(),
            false => Ok(0),
        }
    }

    /// True if an arrow comes before the rule can end. A guard and a first statement begin alike.
    fn guard_follows(&self) -> bool {
        let rest = &self.tokens[self.position..];
        let deciding = rest.iter().map(|token| token.kind).find(|kind| {
            matches!(
                kind,
                TokenKind::Arrow
                    | TokenKind::Begin
                    | TokenKind::Const
                    | TokenKind::Type
                    | TokenKind::Var
                    | TokenKind::Function
                    | TokenKind::Procedure
                    | TokenKind::Rule
                    | TokenKind::EndRule
                    | TokenKind::Ruleset
                    | TokenKind::Startstate
            )
        });
        deciding == Some(TokenKind::Arrow)
    }

    /// `declarations begin statements end`
    fn body(&mut self, opener: Opener) -> Fallible<(Vec<Decl>, Vec<Stmt>)> {
        let decls = self.local_declarations()?;
        if !decls.is_empty() {
            self.expect(TokenKind::Begin, "after the declarations")?;
        } else {
            self.eat(TokenKind::Begin);
        }
        let body = self.statements()?;
        self.close(opener)?;
        Ok((decls, body))
    }

    fn start_state(&mut self) -> Fallible<StartState> {
        let opener = self.open();
        let name = self.optional_text();
        let (decls, body) = self.body(opener)?;
        Ok(StartState {
            name,
            decls,
            body,
            span: self.since(opener.span),
        })
    }

    fn property(&mut self) -> Fallible<Property> {
        let start = self.token().span;
        let Some(kind) = property_kind(self.kind()) else {
            return Err(Box::new(self.unexpected("a rule")));
        };
        let (name, condition) = self.property_rest()?;
        Ok(Property {
            kind,
            name,
            condition,
            span: self.since(start),
        })
    }

    fn ruleset(&mut self) -> Fallible<Ruleset> {
        let opener = self.open();
        let quantifiers = self.quantifiers()?;
        self.expect_do("after the parameters of the ruleset")?;
        let rules = self.rules()?;
        self.close(opener)?;
        Ok(Ruleset { quantifiers, rules })
    }

    fn alias_rule(&mut self) -> Fallible<AliasRule> {
        let opener = self.open();
        let aliases = self.aliases()?;
        let rules = self.rules()?;
        self.close(opener)?;
        Ok(AliasRule { aliases, rules })
    }

    fn choose_rule(&mut self) -> Fallible<ChooseRule> {
        let opener = self.open();
        let name = self.name("the name of a place in a multiset")?;
        self.expect(TokenKind::Colon, "between the name and the multiset")?;
        let multiset = self.designator("a multiset")?;
        self.expect_do("after the multiset")?;
        let rules = self.rules()?;
        if self.at_soft_word("endchoose") {
            self.bump();
        } else if !self.eat(TokenKind::End) {
            let opened = "the `choose` that it would close";
            let diagnostic = self.unexpected("`end` or `endchoose`");
            return Err(Box::new(diagnostic.with_related(opener.span, opened)));
        }
        Ok(ChooseRule {
            name,
            multiset,
            rules,
        })
    }
}
