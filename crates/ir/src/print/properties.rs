//! Properties: conditions, automata, formulas of computation tree logic.

use super::names::quoted;
use super::{Locals, Scope, Text};
use mandala_model::ids::{CodeId, ConditionId, MonitorId, NodeId, TemplateId};
use mandala_model::property::{
    Ctl, Demand, Indices, Property, PropertyKind, RunOrigin, RunQuestion, Runs,
};
use mandala_temporal::{Guard, StateId};
use std::fmt;

impl Text<'_> {
    pub(super) fn properties(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, property) in self.model.properties.iter().enumerate() {
            let (name, span) = (quoted(&property.name), self.attribute(property.span));
            let (kind, comment) = (self.kind_of(property), self.comment(property.span));
            writeln!(f, "property {name}{span} {kind}{comment}")?;
            match &property.kind {
                PropertyKind::NoRun(question) => {
                    self.indices(f, number, &question.indices)?;
                    self.automaton(f, number, question)?;
                }
                PropertyKind::Ctl { indices, .. } => self.indices(f, number, indices)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn kind_of(&self, property: &Property) -> String {
        let template = |id: &TemplateId| &self.names.templates[id.index()];
        match &property.kind {
            PropertyKind::Never { claim } => format!("never {}", template(claim)),
            PropertyKind::NoRun(question) => origin(&question.origin),
            PropertyKind::Ctl { formula, .. } => format!("ctl {}", ctl(formula, LOOSEST)),
            PropertyKind::Query { query } => format!("query {}", super::chance::query(query)),
            PropertyKind::Events { observer } => format!("events {}", template(observer)),
            PropertyKind::Invariant { monitors } => format!("invariant {}", named(monitors)),
            PropertyKind::Reachable { monitors, demand } => match demand {
                Demand::One => format!("reachable {}", named(monitors)),
                Demand::Each => format!("reachable each {}", named(monitors)),
            },
            PropertyKind::Remark { nodes } => {
                format!("remark {}", list(nodes.iter().map(|node| self.node(node))))
            }
            PropertyKind::Cover { monitors, nodes } => {
                let nodes = nodes.iter().map(|node| self.node(node));
                let monitors = monitors.iter().map(ToString::to_string);
                format!("cover {}", list(monitors.chain(nodes)))
            }
        }
    }

    /// A node of a routine: that of a monitor, of a function, or of an edge, which is named by its template and its number there.
    fn node(&self, (code, node): &(CodeId, NodeId)) -> String {
        match code {
            CodeId::Monitor(monitor) => format!("{monitor}:{node}"),
            CodeId::Function(function) => {
                let name = &self.names.functions[function.index()];
                format!("function {name}:{node}")
            }
            CodeId::Edge(edge) => {
                let template = &self.names.templates[edge.template.index()];
                format!("{template} {}:{node}", edge.index)
            }
        }
    }

    /// A condition as the first property sees it that asks it, whose indices are the local variables there.
    pub fn of_condition(&self, id: ConditionId) -> String {
        let asking = self.names.asking.get(&id);
        let scope = Scope {
            locals: asking.map(|&number| Locals {
                names: &self.names.indices[number],
                variables: self.model.properties[number].kind.indices(),
            }),
            ..self.scope(None)
        };
        let condition = &self.model.condition(id).condition;
        scope.expression(condition, None)
    }

    /// The variables whose values an automaton chooses, or that a formula holds for.
    fn indices(&self, f: &mut fmt::Formatter<'_>, number: usize, indices: &Indices) -> fmt::Result {
        let names = self.names.indices[number].iter();
        let indices = names.zip(&indices.variables).zip(&indices.values);
        for ((name, index), values) in indices {
            let values = list(values.iter().map(i64::to_string));
            let variable = self.variable(name, index, None);
            writeln!(f, "  index {variable} of {values}")?;
        }
        Ok(())
    }

    fn automaton(
        &self,
        f: &mut fmt::Formatter<'_>,
        number: usize,
        question: &RunQuestion,
    ) -> fmt::Result {
        let (automaton, names) = (&question.automaton, &self.names.states[number]);
        for (index, state) in automaton.states.iter().enumerate() {
            write!(f, "  state {}", names[index])?;
            if state.labels != [state.name.as_str()] {
                let labels = state.labels.iter().map(|label| format!("{label:?}"));
                write!(f, " labels {}", list(labels))?;
            }
            let accepting = if state.accepting { " accepting" } else { "" };
            let all = automaton.accept_all == Some(StateId(index));
            writeln!(f, "{accepting}{}", if all { " all" } else { "" })?;
            for transition in &state.transitions {
                let target = &names[transition.target.0];
                let asserts = if transition.asserts { " asserts" } else { "" };
                let guard = guard(&transition.guard, LOOSEST);
                writeln!(f, "    {guard} -> {target}{asserts}")?;
            }
        }
        Ok(())
    }
}

fn named(monitors: &[MonitorId]) -> String {
    list(monitors.iter().map(ToString::to_string))
}

/// Something between commas; `none` where there is nothing.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.is_empty() {
        true => "none".into(),
        false => items.join(", "),
    }
}

/// What an automaton accepts the runs of.
fn origin(origin: &RunOrigin) -> String {
    match origin {
        RunOrigin::Formula { text, says_next } => {
            format!("ltl {text:?}{}", if *says_next { " next" } else { "" })
        }
        RunOrigin::Automaton => "automaton".into(),
        RunOrigin::NonProgress => "non-progress".into(),
        RunOrigin::Accept => "accept".into(),
    }
}

/// How tightly the outermost operator of a formula binds.
type Binding = u8;
const LOOSEST: Binding = 0;
const OR: Binding = 1;
const AND: Binding = 2;
const UNARY: Binding = 3;

fn guard(of: &Guard, context: Binding) -> String {
    let joined = |left: &Guard, symbol: &str, right: &Guard, binding: Binding| {
        let (left, right) = (guard(left, binding), guard(right, binding + 1));
        parenthesised(format!("{left} {symbol} {right}"), binding, context)
    };
    match of {
        Guard::True => "true".into(),
        Guard::False => "false".into(),
        Guard::Literal(literal) => {
            let sign = if literal.positive { "" } else { "!" };
            format!("{sign}{}", ConditionId::from(literal.proposition.0))
        }
        Guard::And(left, right) => joined(left, "&&", right, AND),
        Guard::Or(left, right) => joined(left, "||", right, OR),
    }
}

fn ctl(formula: &Ctl, context: Binding) -> String {
    let unary = |operator: char, runs: Runs, f: &Ctl| {
        let inner = ctl(f, UNARY);
        format!("{}{operator} {inner}", quantifier(runs))
    };
    let until = |operator: char, runs: Runs, f: &Ctl, g: &Ctl| {
        let (left, right) = (ctl(f, LOOSEST), ctl(g, LOOSEST));
        format!("{}[{left} {operator} {right}]", quantifier(runs))
    };
    let joined = |f: &Ctl, symbol: &str, g: &Ctl, binding: Binding| {
        let left = ctl(f, binding.max(OR));
        let right = ctl(g, binding + 1);
        parenthesised(format!("{left} {symbol} {right}"), binding, context)
    };
    match formula {
        Ctl::Constant(value) => value.to_string(),
        Ctl::Proposition(number) => ConditionId::from(number.0).to_string(),
        Ctl::Not(f) => format!("!{}", ctl(f, UNARY)),
        Ctl::And(f, g) => joined(f, "&&", g, AND),
        Ctl::Or(f, g) => joined(f, "||", g, OR),
        Ctl::Implies(f, g) => joined(f, "->", g, LOOSEST),
        Ctl::Next(runs, f) => unary('X', *runs, f),
        Ctl::Eventually(runs, f) => unary('F', *runs, f),
        Ctl::Always(runs, f) => unary('G', *runs, f),
        Ctl::Until(runs, f, g) => until('U', *runs, f, g),
        Ctl::WeakUntil(runs, f, g) => until('W', *runs, f, g),
    }
}

fn parenthesised(text: String, binding: Binding, context: Binding) -> String {
    match binding < context {
        true => format!("({text})"),
        false => text,
    }
}

fn quantifier(runs: Runs) -> char {
    match runs {
        Runs::All => 'A',
        Runs::Some => 'E',
    }
}
