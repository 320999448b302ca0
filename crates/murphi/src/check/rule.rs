//! Rules, flattened: what is around them goes with each.

use super::{Checker, Returning};
use crate::ast;
use crate::typed::{Binder, Binding, Property, Rule, StartState};
use mandala_model::findings::Fallible;

impl Checker<'_> {
    pub(super) fn rule(&mut self, rule: &ast::Rule) -> Fallible<()> {
        self.returning = Returning::Rule;
        match rule {
            ast::Rule::Simple(rule) => self.scoped(|checker| checker.simple_rule(rule)),
            ast::Rule::Start(start) => self.scoped(|checker| checker.start_state(start)),
            ast::Rule::Property(property) => self.property(property),
            ast::Rule::Ruleset(ruleset) => self.around(&ruleset.rules, |checker| {
                let parameters = ruleset.quantifiers.iter();
                parameters
                    .map(|q| checker.constant_quantifier(q).map(each))
                    .collect()
            }),
            ast::Rule::Alias(alias) => self.around(&alias.rules, |checker| {
                let aliases = checker.aliases(&alias.aliases)?;
                Ok(aliases.into_iter().map(Binder::Alias).collect())
            }),
            ast::Rule::Choose(choose) => self.around(&choose.rules, |checker| {
                Ok(vec![each(checker.choice(&choose.name, &choose.multiset)?)])
            }),
        }
    }

    /// Rules with something around them.
    fn around(
        &mut self,
        rules: &[ast::Rule],
        binders: impl FnOnce(&mut Self) -> Fallible<Vec<Binder>>,
    ) -> Fallible<()> {
        self.scoped(|checker| {
            let outer = checker.binders.len();
            let added = binders(checker)?;
            checker.binders.extend(added);
            for rule in rules {
                checker.rule(rule)?;
            }
            checker.binders.truncate(outer);
            Ok(())
        })
    }

    fn simple_rule(&mut self, rule: &ast::SimpleRule) -> Fallible<()> {
        let guard = rule
            .guard
            .as_ref()
            .map(|guard| self.condition(guard, "the guard of a rule"))
            .transpose()?;
        let locals = self.local_declarations(&rule.decls)?;
        let body = self.statements(&rule.body)?;
        self.priorities.push(rule.priority);
        self.program.rules.push(Rule {
            name: text_of(rule.name.as_ref()),
            binders: self.binders.clone(),
            guard,
            locals,
            body,
            span: rule.span,
        });
        Ok(())
    }

    fn start_state(&mut self, start: &ast::StartState) -> Fallible<()> {
        let locals = self.local_declarations(&start.decls)?;
        let body = self.statements(&start.body)?;
        self.program.start_states.push(StartState {
            name: text_of(start.name.as_ref()),
            binders: self.binders.clone(),
            locals,
            body,
            span: start.span,
        });
        Ok(())
    }

    fn property(&mut self, property: &ast::Property) -> Fallible<()> {
        let condition = self.condition(&property.condition, "the condition of a property")?;
        self.program.properties.push(Property {
            kind: property.kind,
            name: text_of(property.name.as_ref()),
            binders: self.binders.clone(),
            condition,
            span: property.span,
        });
        Ok(())
    }
}

fn each(binding: Binding) -> Binder {
    Binder::Each(Box::new(binding))
}

fn text_of(text: Option<&ast::Text>) -> Option<std::sync::Arc<str>> {
    text.map(|text| text.text.clone())
}
