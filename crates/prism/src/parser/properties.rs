//! Properties: what is true of runs, and the operators with which values are asked for.

use super::Parser;
use crate::ast::{
    Accumulated, Asked, BinaryOp, Bound, Edge, Expr, ExprKind, Ident, Operator, Program, Stated,
    Structure, Temporal, Within,
};
use crate::token::TokenKind;
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::property::Runs;
use mandala_model::source::Span;

/// How an operator between two formulas is made.
type Joining = fn(Within, Expr, Expr) -> Temporal;

impl Parser {
    /// A property, or a definition for properties.
    pub(super) fn stated(&mut self, program: &mut Program) -> Fallible<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.is_definition() {
            return self.definition(program);
        }
        let start = self.here();
        let name = match self.token().kind == TokenKind::Text && self.ahead(1).is(":") {
            true => {
                let name = self.quoted("the name of a property")?;
                self.expect(":")?;
                Some(name)
            }
            false => None,
        };
        let formula = self.expression()?;
        let span = self.since(start);
        if !self.at_end() {
            self.expect(";")?;
        }
        program.properties.push(Stated {
            name,
            formula,
            span,
        });
        Ok(())
    }

    /// `a U b` and its relatives.
    pub(super) fn temporal(&mut self) -> Fallible<Expr> {
        let mut left = self.temporal_unary()?;
        let mut count = 0;
        loop {
            let operators: [(&str, Joining); 3] = [
                ("U", Temporal::Until),
                ("W", Temporal::WeakUntil),
                ("R", Temporal::Release),
            ];
            let found = operators.into_iter().find(|(word, _)| self.is_word(word));
            let Some((_, make)) = found else {
                return Ok(left);
            };
            count += 1;
            self.require_chain(count)?;
            self.advance();
            let within = self.within()?;
            let right = self.temporal_unary()?;
            let span = left.span.to(right.span);
            let temporal = Box::new(make(within, left, right));
            left = Expr::new(ExprKind::Temporal(temporal), span);
        }
    }

    fn temporal_unary(&mut self) -> Fallible<Expr> {
        let start = self.here();
        let temporal = if self.eat_word("X") {
            Temporal::Next(self.nested(Self::temporal_unary)?)
        } else if self.eat_word("F") {
            Temporal::Eventually(self.within()?, self.nested(Self::temporal_unary)?)
        } else if self.eat_word("G") {
            Temporal::Always(self.within()?, self.nested(Self::temporal_unary)?)
        } else {
            return self.conditional();
        };
        let span = self.since(start);
        Ok(Expr::new(ExprKind::Temporal(Box::new(temporal)), span))
    }

    /// The time of an operator, if one is given.
    fn within(&mut self) -> Fallible<Within> {
        let mut within = Within::default();
        if self.eat("<=") {
            within.to = Some((self.sum()?, Edge::Included));
        } else if self.eat("<") {
            within.to = Some((self.sum()?, Edge::Excluded));
        } else if self.eat(">=") {
            within.from = Some((self.sum()?, Edge::Included));
        } else if self.eat(">") {
            within.from = Some((self.sum()?, Edge::Excluded));
        } else if self.eat("=") {
            let time = self.sum()?;
            within.from = Some((time.clone(), Edge::Included));
            within.to = Some((time, Edge::Included));
        } else if self.eat("[") {
            within.from = Some((self.sum()?, Edge::Included));
            self.expect(",")?;
            within.to = Some((self.sum()?, Edge::Included));
            self.expect("]")?;
        }
        Ok(within)
    }

    /// What begins with the name of an operator, if something does.
    pub(super) fn operator(&mut self, start: Span) -> Fallible<Option<Expr>> {
        let word = self.token().text.clone();
        let operator = match &*word {
            "P" | "Pmin" | "Pmax" => {
                self.advance();
                let asked = self.asked(&word)?;
                let path = self.bracketed(Self::expression)?;
                Operator::Probability(asked, path)
            }
            "S" => {
                self.advance();
                let asked = self.asked(&word)?;
                Operator::LongRun(asked, self.bracketed(Self::expression)?)
            }
            "R" | "Rmin" | "Rmax" => {
                self.advance();
                let structure = self.structure()?;
                let asked = self.asked(&word)?;
                let what = self.bracketed(Self::accumulated)?;
                Operator::Reward(structure, asked, what)
            }
            "filter" => {
                self.advance();
                self.filter()?
            }
            "multi" => return self.refused("multi-objective properties (`multi`)"),
            "partial" => return self.refused("restricted strategies"),
            "A" | "E" => {
                self.advance();
                let runs = match &*word {
                    "A" => Runs::All,
                    _ => Runs::Some,
                };
                Operator::Branching(runs, self.bracketed(Self::expression)?)
            }
            _ => return Ok(None),
        };
        let span = self.since(start);
        let kind = ExprKind::Operator(Box::new(operator));
        Ok(Some(Expr::new(kind, span)))
    }

    fn refused<T>(&self, what: &str) -> Fallible<T> {
        Err(error(self.here(), format!("{what} are not supported")))
    }

    fn bracketed<T>(&mut self, read: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        self.expect("[")?;
        let inner = read(self)?;
        self.expect("]")?;
        Ok(inner)
    }

    /// What is asked of a value: `=?`, `min=?`, `>=0.5`.
    fn asked(&mut self, word: &str) -> Fallible<Asked> {
        let said = match self.token().text.as_ref() {
            "min" => Some(Bound::Least),
            "max" => Some(Bound::Greatest),
            _ => None,
        };
        if said.is_some() {
            self.advance();
        }
        let optimum = match word {
            _ if word.ends_with("min") => Some(Bound::Least),
            _ if word.ends_with("max") => Some(Bound::Greatest),
            _ => said,
        };
        if self.eat("=") {
            if !self.eat("?") {
                return self.expected("`?` behind `=`: the value is asked for");
            }
            return Ok(Asked {
                optimum,
                limit: None,
            });
        }
        let comparisons = [
            ("<=", BinaryOp::LessEqual),
            (">=", BinaryOp::GreaterEqual),
            ("<", BinaryOp::Less),
            (">", BinaryOp::Greater),
        ];
        let found = comparisons.into_iter().find(|(sign, _)| self.eat(sign));
        let Some((_, comparison)) = found else {
            return self.expected("`=?` or a comparison such as `>=0.5`");
        };
        let limit = Some((comparison, self.sum()?));
        Ok(Asked { optimum, limit })
    }

    /// The structure of rewards in braces, if one is named.
    fn structure(&mut self) -> Fallible<Option<Structure>> {
        if !self.eat("{") {
            return Ok(None);
        }
        let structure = match self.token().kind {
            TokenKind::Text => Structure::Named(self.quoted("the name of rewards")?),
            _ => Structure::Number(self.expression()?),
        };
        self.expect("}")?;
        Ok(Some(structure))
    }

    fn accumulated(&mut self) -> Fallible<Accumulated> {
        if self.is_word("F") && !self.ahead(1).is("<=") && !self.ahead(1).is("[") {
            self.advance();
            return Ok(Accumulated::Until(self.expression()?));
        }
        if self.eat_word("C") {
            return match self.eat("<=") {
                true => Ok(Accumulated::UpTo(self.sum()?)),
                false => Ok(Accumulated::Total),
            };
        }
        if self.eat_word("I") {
            self.expect("=")?;
            return Ok(Accumulated::At(self.sum()?));
        }
        if self.eat_word("S") {
            return Ok(Accumulated::LongRun);
        }
        let message = format!(
            "expected `F`, `C<=t`, `C`, `I=t` or `S`, found {}",
            self.token()
        );
        let help = "rewards of other formulas are not supported";
        Err(error_help(self.here(), message, help))
    }

    fn filter(&mut self) -> Fallible<Operator> {
        self.expect("(")?;
        let token = self.token().clone();
        if matches!(token.kind, TokenKind::Text | TokenKind::Eof) {
            return self.expected("what the filter does, such as `max`");
        }
        self.advance();
        self.expect(",")?;
        let subject = self.expression()?;
        let states = match self.eat(",") {
            true => Some(self.expression()?),
            false => None,
        };
        self.expect(")")?;
        Ok(Operator::Filter {
            operation: Ident {
                name: token.text,
                span: token.span,
            },
            subject,
            states,
        })
    }
}
