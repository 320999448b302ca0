//! Invariants, covers and liveness properties: monitors.
//!
//! An invariant is a monitor that fails where the condition is false. The variables of its outermost `forall`s are parameters, as those of
//! rulesets around it are. A cover is a monitor that holds where the condition is
//! true, or a node behind a `cover` statement, and so is a liveness property, which demands that of each combination of its
//! parameters.

use super::Lowering;
use super::build::not;
use super::edges::{EdgeName, Section};
use super::flow::Label;
use crate::limits;
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    Binder, Domain, Expr, ExprKind, FunctionId as Called, Property, PropertyKind, QuantifierKind,
    StmtKind,
};
use mandala_model::findings::{Fallible, error};
use mandala_model::ids::{CodeId, FunctionId, MonitorId, NodeId};
use mandala_model::property::{self, Demand};
use mandala_model::source::Span;
use mandala_model::template::Effect;
use std::sync::Arc;

/// A property that is being made.
#[derive(Debug)]
pub(super) struct Claim {
    name: String,
    /// What is demanded; nothing of a remark.
    kind: Option<PropertyKind>,
    span: Span,
    monitors: Vec<EdgeName>,
    nodes: Vec<(CodeName, NodeId)>,
}

/// Code that has nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodeName {
    Edge(EdgeName),
    Function(FunctionId),
}

impl Claim {
    fn new(name: String, kind: PropertyKind, span: Span) -> Claim {
        Claim {
            kind: Some(kind),
            ..Claim::remark(name, span)
        }
    }

    /// Something that reports say if a node is passed.
    fn remark(name: String, span: Span) -> Claim {
        Claim {
            name,
            kind: None,
            span,
            monitors: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// The property of the model.
    pub(super) fn property(&self, id: impl Fn(EdgeName) -> CodeId) -> property::Property {
        let monitors = self.monitors.iter().filter_map(|name| match id(*name) {
            CodeId::Monitor(monitor) => Some(monitor),
            CodeId::Edge(_) | CodeId::Function(_) => None,
        });
        let monitors: Vec<MonitorId> = monitors.collect();
        let nodes = self.nodes.iter().map(|(code, node)| match code {
            CodeName::Edge(edge) => (id(*edge), *node),
            CodeName::Function(function) => (CodeId::Function(*function), *node),
        });
        let kind = match self.kind {
            None => property::PropertyKind::Remark {
                nodes: nodes.collect(),
            },
            Some(PropertyKind::Cover) => property::PropertyKind::Cover {
                monitors,
                nodes: nodes.collect(),
            },
            Some(PropertyKind::Liveness) => property::PropertyKind::Reachable {
                demand: match monitors.is_empty() {
                    // What never holds has no monitor, and is demanded all the same.
                    true => Demand::One,
                    false => Demand::Each,
                },
                monitors,
            },
            Some(PropertyKind::Invariant | PropertyKind::Assume) => {
                property::PropertyKind::Invariant { monitors }
            }
        };
        property::Property {
            name: self.name.clone(),
            kind,
            span: self.span,
        }
    }
}

impl<'p> Lowering<'p> {
    pub(super) fn properties(&mut self) -> Fallible<()> {
        let program = self.program;
        for (number, property) in program.properties.iter().enumerate() {
            let title = match &property.name {
                Some(name) if !name.trim().is_empty() => name.to_string(),
                _ => format!("{} {}", word(property.kind), number + 1),
            };
            match property.kind {
                PropertyKind::Invariant => self.invariant(property, title)?,
                PropertyKind::Cover => self.observed(property, title)?,
                PropertyKind::Liveness => self.liveness(property, title)?,
                PropertyKind::Assume => {}
            }
        }
        Ok(())
    }

    fn invariant(&mut self, property: &Property, title: String) -> Fallible<()> {
        let mut claim = Claim::new(title.clone(), property.kind, property.span);
        let binders = &property.binders;
        let quoted = match &property.name {
            Some(name) => format!("invariant \"{name}\""),
            None => title.clone(),
        };
        let check = Check {
            binders,
            title: &title,
            quoted: &quoted,
            span: property.span,
        };
        let monitor = self.check(&check, &property.condition)?;
        claim.monitors.extend(monitor);
        self.edges.claims.push(claim);
        Ok(())
    }

    /// What is inside of the outermost quantifiers, whose variables become parameters as long as they have few values.
    fn inside_quantifiers<'e>(&mut self, condition: &'e Expr) -> Fallible<&'e Expr> {
        let mut checks: u128 = 1;
        let mut inside = condition;
        while let ExprKind::Quantified(QuantifierKind::All, binding, body) = &inside.kind
            && let Some(domain) = self.values(binding)
        {
            checks = checks.saturating_mul(domain.count);
            if checks > limits::CHECKS {
                break;
            }
            self.bind_parameter(binding)?;
            inside = body;
        }
        Ok(inside)
    }

    /// A monitor that fails where the condition is false.
    fn check(&mut self, check: &Check<'_>, condition: &Expr) -> Fallible<Option<EdgeName>> {
        let label = Label {
            text: check.title.to_string(),
            span: check.span,
        };
        let message = format!("{} is violated", check.quoted);
        self.edge(Section::Monitor, label.clone(), &mut |lowering| {
            lowering.bind_parameters(check.binders, check.title, check.span)?;
            let condition = lowering.inside_quantifiers(condition)?;
            lowering.check_choices(check.title, check.span)?;
            lowering.begin_edge(check.binders)?;
            lowering.note_removals();
            let holds = lowering.condition(condition)?;
            lowering.flow.require(not(holds), label.clone());
            let message = message.clone();
            lowering.flow.effect(Effect::Fail { message }, &label);
            Ok(())
        })
    }

    fn liveness(&mut self, property: &Property, title: String) -> Fallible<()> {
        if let Some(span) = chosen_from(&property.binders) {
            let message = "a liveness property of each element of a multiset is not supported";
            return Err(error(span, message));
        }
        self.observed(property, title)
    }

    /// What one monitor decides.
    fn observed(&mut self, property: &Property, title: String) -> Fallible<()> {
        let mut claim = Claim::new(title.clone(), property.kind, property.span);
        let monitor = self.observation(property, title)?;
        claim.monitors.extend(monitor);
        self.edges.claims.push(claim);
        Ok(())
    }

    /// A monitor that holds where the condition is true.
    fn observation(&mut self, property: &Property, text: String) -> Fallible<Option<EdgeName>> {
        let span = property.span;
        let label = Label { text, span };
        self.edge(Section::Monitor, label.clone(), &mut |lowering| {
            lowering.bind_parameters(&property.binders, &label.text, span)?;
            lowering.begin_edge(&property.binders)?;
            lowering.note_removals();
            lowering.require(&property.condition)
        })
    }

    /// `cover` as a statement: a node behind the condition.
    pub(super) fn cover_stmt(
        &mut self,
        name: Option<&Arc<str>>,
        condition: &Expr,
        span: Span,
    ) -> Fallible<()> {
        let next = self.edges.claims.len();
        let number = *self.covers.entry(span).or_insert(next);
        if number == next {
            let title = match name {
                Some(name) => name.to_string(),
                None => format!("cover {}", self.program.show_expr(condition)),
            };
            let claim = Claim::new(title, PropertyKind::Cover, span);
            self.edges.claims.push(claim);
        }
        let holds = self.condition(condition)?;
        let (covered, other) = self.fork(holds, span);
        self.flow.join(covered);
        self.flow.watch(number, self.label.clone());
        self.flow.join(other);
        Ok(())
    }

    /// A remark that there was nothing to count: one for each loop, wherever it is written out.
    pub(super) fn remark_empty(&mut self, label: &Label, rumur: &str) {
        if !self.flow.is_open() {
            return;
        }
        let next = self.edges.claims.len();
        let number = *self.covers.entry(label.span).or_insert(next);
        if number == next {
            let text = format!(
                "in some step this range has no values, and nothing is done for it; Rumur would {rumur} (`--dialect rumur`)"
            );
            self.edges.claims.push(Claim::remark(text, label.span));
        }
        self.flow.watch(number, label.clone());
    }

    /// Notes that a node is one that a `cover` statement or a remark is about.
    pub(super) fn watched_node(&mut self, cover: usize, code: CodeName, node: NodeId) {
        self.edges.claims[cover].nodes.push((code, node));
    }

    /// True if a function that the property calls has an `assume` statement.
    pub(super) fn assumes(&self, property: &Property) -> bool {
        let aliases = property.binders.iter().filter_map(|binder| match binder {
            Binder::Alias(id) => match &self.program.alias(*id).target {
                crate::typed::AliasTarget::Value(value) => Some(Part::Expr(value)),
                crate::typed::AliasTarget::Place(_) => None,
            },
            Binder::Each(_) => None,
        });
        let parts = aliases.chain([Part::Expr(&property.condition)]);
        any_part(self.program, parts, |part| self.is_assumption(part))
    }

    fn is_assumption(&self, part: Part<'_>) -> bool {
        let called = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Property {
                    kind: PropertyKind::Assume,
                    ..
                } => return true,
                StmtKind::Call(function, _) => Some(*function),
                _ => None,
            },
            Part::Expr(expr) => match &expr.kind {
                ExprKind::Call(function, _) => Some(*function),
                _ => None,
            },
        };
        called.is_some_and(|function| self.function_assumes(function))
    }

    /// Finds the functions that have `assume` statements. They only call earlier ones.
    pub(super) fn find_assuming_functions(&mut self) {
        let program = self.program;
        for function in &program.functions {
            let body = function.body.iter().map(Part::Stmt);
            let assumes = any_part(program, body, |part| self.is_assumption(part));
            self.assuming_functions.push(assumes);
        }
    }

    pub(super) fn function_assumes(&self, id: Called) -> bool {
        self.assuming_functions.get(id.index()).is_some_and(|a| *a)
    }
}

/// What an invariant is called.
struct Check<'c> {
    binders: &'c [Binder],
    title: &'c str,
    /// What is violated if it is not so.
    quoted: &'c str,
    span: Span,
}

/// Where an element of a multiset is chosen.
fn chosen_from(binders: &[Binder]) -> Option<Span> {
    binders.iter().find_map(|binder| match binder {
        Binder::Each(binding) => match binding.domain {
            Domain::Elements(_) => Some(binding.span),
            _ => None,
        },
        Binder::Alias(_) => None,
    })
}

fn word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
    }
}
