//! Modules, rewards, and how modules are put together.

use super::Parser;
use crate::ast::{
    Body, Command, Composition, Contents, Earner, Ident, Module, RewardItem, Rewards, Update,
};
use crate::limits;
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::source::Span;

impl Parser {
    /// A module behind its first word.
    pub(super) fn module(&mut self) -> Fallible<Module> {
        let name = self.ident("the name of a module")?;
        if self.eat("=") {
            let base = self.ident("the name of another module")?;
            self.expect("[")?;
            let pairs = match self.is("]") {
                true => Vec::new(),
                false => self.list(Self::renamed)?,
            };
            self.expect("]")?;
            self.expect_word("endmodule")?;
            let body = Body::Renamed { base, pairs };
            return Ok(Module { name, body });
        }
        let mut contents = Contents::default();
        while !self.eat_word("endmodule") {
            self.refuse_others()?;
            match self.is("[") {
                true => contents.commands.push(self.command()?),
                false => contents.variables.push(self.variable()?),
            }
        }
        let body = Body::Own(contents);
        Ok(Module { name, body })
    }

    /// `old = new`
    fn renamed(&mut self) -> Fallible<(Ident, Ident)> {
        let old = self.ident("a name that is in the module")?;
        self.expect("=")?;
        Ok((old, self.ident("the name that it becomes")?))
    }

    /// An action in brackets, which may be empty.
    fn action(&mut self) -> Fallible<Option<Ident>> {
        self.expect("[")?;
        if self.eat("]") {
            return Ok(None);
        }
        let action = self.ident("an action or `]`")?;
        self.expect("]")?;
        Ok(Some(action))
    }

    fn command(&mut self) -> Fallible<Command> {
        let start = self.here();
        let action = self.action()?;
        let guard = self.expression()?;
        self.expect("->")?;
        let updates = self.updates()?;
        self.expect(";")?;
        Ok(Command {
            action,
            guard,
            updates,
            span: self.since(start),
        })
    }

    fn updates(&mut self) -> Fallible<Vec<Update>> {
        if self.is_update() {
            return Ok(vec![self.update(None)?]);
        }
        let mut updates = Vec::new();
        loop {
            let weight = self.expression()?;
            if !self.is(":") {
                let message = format!(
                    "expected `:` behind a probability or rate, found {}",
                    self.token()
                );
                let help = "an update by itself is written `(x'=1)` or `true`";
                return Err(error_help(self.here(), message, help));
            }
            self.advance();
            updates.push(self.update(Some(weight))?);
            if !self.eat("+") {
                return Ok(updates);
            }
        }
    }

    /// Whether an update begins here that has no probability or rate.
    fn is_update(&self) -> bool {
        let is_true = self.is_word("true") && !self.ahead(1).is(":");
        let is_assignment =
            self.is("(") && self.ahead(1).kind == TokenKind::Word && self.ahead(2).is("'");
        is_true || is_assignment
    }

    fn update(&mut self, weight: Option<crate::ast::Expr>) -> Fallible<Update> {
        let start = weight.as_ref().map_or(self.here(), |weight| weight.span);
        let mut assignments = Vec::new();
        if !self.eat_word("true") {
            assignments.push(self.assignment()?);
            while self.eat("&") {
                assignments.push(self.assignment()?);
            }
        }
        Ok(Update {
            weight,
            assignments,
            span: self.since(start),
        })
    }

    /// `(x' = e)`
    fn assignment(&mut self) -> Fallible<(Ident, crate::ast::Expr)> {
        if !self.eat("(") {
            return self.expected("an update such as `(x'=1)`, or `true`");
        }
        let name = self.ident("the name of a variable")?;
        if !self.eat("'") {
            let message = format!("expected `'` behind `{}`: its next value", name.name);
            return Err(error(self.here(), message));
        }
        self.expect("=")?;
        let value = self.expression()?;
        self.expect(")")?;
        Ok((name, value))
    }

    /// A structure of rewards behind its first word.
    pub(super) fn rewards(&mut self, start: Span) -> Fallible<Rewards> {
        let name = match self.token().kind {
            TokenKind::Text => Some(self.quoted("a name in quotes")?),
            _ => None,
        };
        let mut items = Vec::new();
        while !self.eat_word("endrewards") {
            items.push(self.reward()?);
        }
        let span = name.as_ref().map_or(start, |name| start.to(name.span));
        Ok(Rewards { name, items, span })
    }

    fn reward(&mut self) -> Fallible<RewardItem> {
        let start = self.here();
        let of = match self.is("[") {
            true => Earner::Steps(self.action()?),
            false => Earner::State,
        };
        let guard = self.expression()?;
        self.expect(":")?;
        let amount = self.expression()?;
        self.expect(";")?;
        Ok(RewardItem {
            of,
            guard,
            amount,
            span: self.since(start),
        })
    }

    /// How modules are put together, behind `system`.
    pub(super) fn system(&mut self) -> Fallible<Composition> {
        if self.token().kind == TokenKind::Text {
            let message = "several systems with names are not supported";
            return Err(error(self.here(), message));
        }
        let composition = self.composition()?;
        self.expect_word("endsystem")?;
        Ok(composition)
    }

    fn composition(&mut self) -> Fallible<Composition> {
        self.nested(|p| {
            let interleaved =
                |p: &mut Self| p.composed("|||", Composition::Interleaved, Self::over);
            p.composed("||", Composition::Full, interleaved)
        })
    }

    fn composed(
        &mut self,
        sign: &str,
        join: fn(Box<Composition>, Box<Composition>) -> Composition,
        operand: impl Fn(&mut Self) -> Fallible<Composition>,
    ) -> Fallible<Composition> {
        let mut left = operand(self)?;
        let mut count = 0;
        while self.is(sign) {
            count += 1;
            self.require_chain(count)?;
            self.advance();
            left = join(Box::new(left), Box::new(operand(self)?));
        }
        Ok(left)
    }

    pub(super) fn require_chain(&self, count: u32) -> Fallible<()> {
        match count > limits::CHAIN {
            true => {
                let message = format!("there are more than {} operators in a chain", limits::CHAIN);
                Err(error(self.here(), message))
            }
            false => Ok(()),
        }
    }

    /// `M1 |[a, b]| M2`
    fn over(&mut self) -> Fallible<Composition> {
        let mut left = self.hidden()?;
        let mut count = 0;
        while self.is("|") && self.ahead(1).is("[") {
            count += 1;
            self.require_chain(count)?;
            self.advance();
            self.advance();
            let actions = self.list(|p| p.ident("an action"))?;
            self.expect("]")?;
            self.expect("|")?;
            left = Composition::Over(Box::new(left), actions, Box::new(self.hidden()?));
        }
        Ok(left)
    }

    /// `M / {a}` and `M {a <- b}`
    fn hidden(&mut self) -> Fallible<Composition> {
        let mut inner = match self.eat("(") {
            true => {
                let inner = self.composition()?;
                self.expect(")")?;
                inner
            }
            false => Composition::Module(self.ident("a module or `(`")?),
        };
        let mut count = 0;
        loop {
            count += 1;
            self.require_chain(count)?;
            if self.eat("/") {
                self.expect("{")?;
                let actions = self.list(|p| p.ident("an action"))?;
                self.expect("}")?;
                inner = Composition::Hiding(Box::new(inner), actions);
            } else if self.eat("{") {
                let pairs = self.list(|p| {
                    let old = p.ident("an action")?;
                    p.expect("<-")?;
                    Ok((old, p.ident("an action")?))
                })?;
                self.expect("}")?;
                inner = Composition::Renaming(Box::new(inner), pairs);
            } else {
                return Ok(inner);
            }
        }
    }
}
