//! Conditions and properties.

use super::cursor::number_of;
use super::tables::{declare, look_up};
use super::{Reader, Scope};
use crate::lexer::{Key, TokenKind};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{CodeId, ConditionId, EdgeId, LocalId, MonitorId, NodeId};
use mandala_model::property::{
    Automaton, Condition, Ctl, Demand, Indices, Property, PropertyKind, RunOrigin, RunQuestion,
    Runs,
};
use mandala_model::source::Span;
use mandala_temporal::{Guard, Literal, Proposition, State, StateId, Transition};
use std::collections::HashMap;
use std::sync::Arc;

/// Monitors, and nodes of routines.
type Marked = (Vec<MonitorId>, Vec<(CodeId, NodeId)>);

/// A transition whose target is still a name.
struct Way {
    guard: Guard,
    asserts: bool,
    target: Key,
    span: Span,
}

impl Reader<'_> {
    pub(super) fn condition(&mut self) -> Fallible<()> {
        let own = self.here();
        let number = self.numbered("c", "a condition")?;
        self.in_order(number, self.model.conditions.len(), own)?;
        let text = match self.eat_word("text") {
            true => Some(self.string()?),
            false => None,
        };
        self.expect("=")?;
        let start = self.here();
        let asking = self.known.and_then(|k| k.asking.get(&ConditionId(number)));
        let scope = asking.map_or(Scope::Outside, |&property| Scope::Property(property));
        let condition = self.within(scope, Self::expression)?;
        let text = text.unwrap_or_else(|| self.snippet(self.since(start)));
        self.model.conditions.push(Condition { condition, text });
        Ok(())
    }

    pub(super) fn property(&mut self) -> Fallible<()> {
        let own = self.here();
        let name = self.name("the name of a property")?.name;
        let span = self.span_or(own)?;
        let mut indices = HashMap::new();
        let kind = self.property_kind(&mut indices)?;
        self.tables.indices.push(indices);
        self.model.properties.push(Property { name, kind, span });
        Ok(())
    }

    fn property_kind(&mut self, indices: &mut HashMap<Key, LocalId>) -> Fallible<PropertyKind> {
        if self.eat_word("never") {
            let claim = self.template()?;
            return Ok(PropertyKind::Never { claim });
        }
        if self.eat_word("events") {
            let observer = self.template()?;
            return Ok(PropertyKind::Events { observer });
        }
        if self.eat_word("ctl") {
            let formula = self.ctl()?;
            let indices = self.indices(indices)?;
            return Ok(PropertyKind::Ctl { formula, indices });
        }
        if self.eat_word("query") {
            let query = self.query()?;
            return Ok(PropertyKind::Query { query });
        }
        if self.eat_word("invariant") {
            let monitors = self.monitors()?;
            return Ok(PropertyKind::Invariant { monitors });
        }
        if self.eat_word("reachable") {
            let demand = match self.eat_word("each") {
                true => Demand::Each,
                false => Demand::One,
            };
            let monitors = self.monitors()?;
            return Ok(PropertyKind::Reachable { monitors, demand });
        }
        if self.eat_word("cover") {
            let (monitors, nodes) = self.marked()?;
            return Ok(PropertyKind::Cover { monitors, nodes });
        }
        if self.eat_word("remark") {
            let start = self.here();
            return match self.marked()? {
                (monitors, nodes) if monitors.is_empty() => Ok(PropertyKind::Remark { nodes }),
                _ => Err(error(
                    start,
                    "a remark is about nodes: `TEMPLATE EDGE:NODE`, `MONITOR:NODE` or `function NAME:NODE`",
                )),
            };
        }
        let origin = self.origin()?;
        self.question(origin, indices).map(PropertyKind::NoRun)
    }

    fn monitors(&mut self) -> Fallible<Vec<MonitorId>> {
        match self.eat_none() {
            true => Ok(Vec::new()),
            false => self.list(Self::monitor_name),
        }
    }

    fn monitor_name(&mut self) -> Fallible<MonitorId> {
        Ok(MonitorId(self.numbered("m", "a monitor")?))
    }

    /// Monitors, and nodes of routines.
    fn marked(&mut self) -> Fallible<Marked> {
        let (mut monitors, mut nodes) = (Vec::new(), Vec::new());
        if self.eat_none() {
            return Ok((monitors, nodes));
        }
        self.list(|r| {
            let code = r.code()?;
            match (code, r.is_symbol(":")) {
                (CodeId::Monitor(monitor), false) => monitors.push(monitor),
                _ => {
                    r.expect(":")?;
                    nodes.push((code, NodeId(r.numbered("n", "a node")?)));
                }
            }
            Ok(())
        })?;
        Ok((monitors, nodes))
    }

    /// A monitor, a function, or an edge by its template and its number there.
    fn code(&mut self) -> Fallible<CodeId> {
        if self.is_word("function") && self.is_symbol_ahead(2, ":") {
            self.advance();
            return self.function_name().map(CodeId::from);
        }
        let is_edge = matches!(self.ahead(1).kind, TokenKind::Number(_));
        let is_monitor = self.word().is_some_and(|w| number_of(w, "m").is_some());
        if is_monitor && !is_edge {
            return self.monitor_name().map(CodeId::from);
        }
        let (template, index) = (self.template()?, self.natural()?);
        Ok(EdgeId { template, index }.into())
    }

    /// Reads `none`, which stands for a list without elements, unless it is the name of a template.
    fn eat_none(&mut self) -> bool {
        let is_name = matches!(self.ahead(1).kind, TokenKind::Number(_));
        !is_name && self.eat_word("none")
    }

    fn origin(&mut self) -> Fallible<RunOrigin> {
        if self.eat_word("ltl") {
            let text = self.string()?;
            let says_next = self.eat_word("next");
            return Ok(RunOrigin::Formula { text, says_next });
        }
        if self.eat_word("automaton") {
            return Ok(RunOrigin::Automaton);
        }
        if self.eat_word("accept") {
            return Ok(RunOrigin::Accept);
        }
        if self.eat_word("non") {
            self.expect("-")?;
            self.expect_word("progress")?;
            return Ok(RunOrigin::NonProgress);
        }
        self.expected(
            "`never`, `events`, `ctl`, `query`, `invariant`, `reachable`, `cover`, `remark`, `ltl`, `automaton`, `non-progress` or `accept`",
        )
    }

    fn question(
        &mut self,
        origin: RunOrigin,
        names: &mut HashMap<Key, LocalId>,
    ) -> Fallible<RunQuestion> {
        let indices = self.indices(names)?;
        let automaton = Arc::new(self.automaton()?);
        Ok(RunQuestion {
            indices,
            ..RunQuestion::new(origin, automaton)
        })
    }

    /// Variables, and the values that they may have.
    fn indices(&mut self, names: &mut HashMap<Key, LocalId>) -> Fallible<Indices> {
        let mut indices = Indices::default();
        while self.eat_word("index") {
            let span = self.here();
            let (key, variable) = self.variable(Scope::Outside)?;
            declare(names, key, LocalId::from(indices.variables.len()), span)?;
            self.expect_word("of")?;
            indices.variables.push(variable);
            indices.values.push(match self.eat_none() {
                true => Vec::new(),
                false => self.list(Self::integer)?,
            });
        }
        Ok(indices)
    }

    fn automaton(&mut self) -> Fallible<Automaton> {
        let (mut names, mut states, mut ways) = (HashMap::new(), Vec::new(), Vec::new());
        let mut accept_all = None;
        while self.eat_word("state") {
            let span = self.here();
            let key = self.name("the name of a state")?;
            let id = StateId(states.len());
            let (state, all) = self.state(key.name.clone())?;
            declare(&mut names, key, id, span)?;
            if all {
                accept_all = Some(id);
            }
            states.push(state);
            ways.push(self.ways()?);
        }
        for (state, ways) in states.iter_mut().zip(ways) {
            for way in ways {
                let target = look_up(&names, &way.target, way.span, "state")?;
                let (guard, asserts) = (way.guard, way.asserts);
                state.transitions.push(Transition {
                    guard,
                    asserts,
                    target,
                });
            }
        }
        Ok(Automaton { states, accept_all })
    }

    /// A state without its transitions, and whether it is the one from which everything is accepted.
    fn state(&mut self, name: String) -> Fallible<(State, bool)> {
        let labels = match self.eat_word("labels") {
            true if self.eat_none() => Vec::new(),
            true => self.list(Self::string)?,
            false => vec![name.clone()],
        };
        let accepting = self.eat_word("accepting");
        let all = self.eat_word("all");
        let transitions = Vec::new();
        Ok((
            State {
                name,
                labels,
                accepting,
                transitions,
            },
            all,
        ))
    }

    fn ways(&mut self) -> Fallible<Vec<Way>> {
        let mut ways = Vec::new();
        while self.is_guard() {
            let guard = self.guard()?;
            self.expect("->")?;
            let span = self.here();
            let target = self.name("the name of a state")?;
            let asserts = self.eat_word("asserts");
            ways.push(Way {
                guard,
                asserts,
                target,
                span,
            });
        }
        Ok(ways)
    }

    fn is_guard(&self) -> bool {
        let literal =
            |word: &str| ["true", "false"].contains(&word) || number_of(word, "c").is_some();
        self.is_symbol("!") || self.is_symbol("(") || self.word().is_some_and(literal)
    }

    fn guard(&mut self) -> Fallible<Guard> {
        self.nested(|r| {
            r.joined("||", Guard::Or, |r| {
                r.joined("&&", Guard::And, Self::literal)
            })
        })
    }

    /// A chain of an operator, from left to right.
    fn joined<F>(
        &mut self,
        symbol: &str,
        join: fn(Box<F>, Box<F>) -> F,
        operand: impl Fn(&mut Self) -> Fallible<F>,
    ) -> Fallible<F> {
        let mut left = operand(self)?;
        let mut count = 0;
        while self.is_symbol(symbol) {
            count += 1;
            if count > CHAIN {
                return self.expected(&format!("at most {CHAIN} operators one after the other"));
            }
            self.advance();
            let right = operand(self)?;
            left = join(Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn literal(&mut self) -> Fallible<Guard> {
        if self.eat("(") {
            let guard = self.guard()?;
            self.expect(")")?;
            return Ok(guard);
        }
        if self.eat_word("true") {
            return Ok(Guard::True);
        }
        if self.eat_word("false") {
            return Ok(Guard::False);
        }
        let positive = !self.eat("!");
        let proposition = self.proposition()?;
        Ok(Guard::Literal(Literal {
            proposition,
            positive,
        }))
    }

    pub(super) fn proposition(&mut self) -> Fallible<Proposition> {
        let number = self.numbered("c", "a condition")?;
        Ok(Proposition(number as usize))
    }

    fn ctl(&mut self) -> Fallible<Ctl> {
        let or =
            |r: &mut Self| r.joined("||", Ctl::Or, |r| r.joined("&&", Ctl::And, Self::ctl_unary));
        self.nested(|r| {
            let left = or(r)?;
            match r.eat("->") {
                true => Ok(left.implies(or(r)?)),
                false => Ok(left),
            }
        })
    }

    fn ctl_unary(&mut self) -> Fallible<Ctl> {
        if self.eat("(") {
            let formula = self.ctl()?;
            self.expect(")")?;
            return Ok(formula);
        }
        if self.eat("!") {
            return Ok(self.nested(Self::ctl_unary)?.negate());
        }
        let Some(word) = self.word().map(str::to_owned) else {
            return self.expected("a formula");
        };
        let operator: Option<fn(Runs, Box<Ctl>) -> Ctl> = match word.get(1..) {
            Some("X") => Some(Ctl::Next),
            Some("F") => Some(Ctl::Eventually),
            Some("G") => Some(Ctl::Always),
            _ => None,
        };
        match (operator, quantifier(&word), word.as_str()) {
            (Some(operator), Some(runs), _) => {
                self.advance();
                let inner = self.nested(Self::ctl_unary)?;
                Ok(operator(runs, Box::new(inner)))
            }
            (None, Some(runs), "A" | "E") => self.until(runs),
            (_, _, "true" | "false") => {
                self.advance();
                Ok(Ctl::Constant(word == "true"))
            }
            _ => Ok(Ctl::Proposition(self.proposition()?)),
        }
    }

    /// `A[f U g]` and its relatives.
    fn until(&mut self, runs: Runs) -> Fallible<Ctl> {
        self.advance();
        self.expect("[")?;
        let left = Box::new(self.ctl()?);
        let weak = self.is_word("W");
        if !weak && !self.is_word("U") {
            return self.expected("`U` or `W`");
        }
        self.advance();
        let right = Box::new(self.ctl()?);
        self.expect("]")?;
        Ok(match weak {
            true => Ctl::WeakUntil(runs, left, right),
            false => Ctl::Until(runs, left, right),
        })
    }
}

/// How many operators may be in one chain of a formula.
const CHAIN: usize = 1_000;

fn quantifier(word: &str) -> Option<Runs> {
    match word.chars().next() {
        Some('A') => Some(Runs::All),
        Some('E') => Some(Runs::Some),
        _ => None,
    }
}
