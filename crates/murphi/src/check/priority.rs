//! Priorities of rules, which only CMurphi has: a rule can be taken where its guard is true and that of no rule with a smaller number
//! is. So each rule gets a longer guard, and nobody else needs to know.
//!
//! That is how CMurphi searches breadth first. (Depth first it takes no notice of priorities.)

use super::Checker;
use crate::typed::walk::{Part, any_part};
use crate::typed::{
    AliasTarget, Argument, BinaryOp, Binder, Binding, Domain, Expr, ExprKind, FunctionId, Number,
    Place, Program, Projection, ProjectionKind, QuantifierKind, Root, Rule, StmtKind, TypeId,
    Types, UnaryOp, VariableId, VariableKind,
};
use mandala_model::diagnostic::Diagnostic;
use mandala_model::findings::{Fallible, error};
use std::collections::HashMap;

impl Checker<'_> {
    /// Lengthens the guards; false if that cannot be.
    pub(super) fn apply_priorities(&mut self) -> bool {
        let first = self.priorities.iter().min().copied();
        if self.priorities.iter().all(|p| Some(*p) == first) {
            return true;
        }
        let rules = self.program.rules.clone();
        let priorities = std::mem::take(&mut self.priorities);
        for (number, priority) in priorities.iter().enumerate() {
            let before = priorities.iter().zip(&rules);
            let before = before.filter(|(other, _)| *other < priority);
            for (_, other) in before {
                match self.none_enabled(other) {
                    Ok(none) => self.lengthen(number, none),
                    Err(complaint) => {
                        self.findings.push(*complaint);
                        return false;
                    }
                }
            }
        }
        true
    }

    fn lengthen(&mut self, rule: usize, condition: Expr) {
        let rule = &mut self.program.rules[rule];
        let span = rule.span;
        rule.guard = Some(match rule.guard.take() {
            None => condition,
            Some(guard) => Expr {
                kind: ExprKind::Binary(BinaryOp::And, Box::new(guard), Box::new(condition)),
                ty: Types::BOOLEAN,
                span,
            },
        });
    }

    /// That a rule cannot be taken, whatever its parameters.
    fn none_enabled(&mut self, rule: &Rule) -> Fallible<Expr> {
        self.require_pure(rule)?;
        let mut copy = Copying {
            program: &mut self.program,
            fresh: HashMap::new(),
        };
        let enabled = copy.enabled(rule, &rule.binders)?;
        let span = rule.span;
        Ok(Expr {
            kind: ExprKind::Unary(UnaryOp::Not, Box::new(enabled)),
            ty: Types::BOOLEAN,
            span,
        })
    }

    /// A guard is asked for other rules, too, so it must not change anything.
    fn require_pure(&self, rule: &Rule) -> Fallible<()> {
        let Some(guard) = &rule.guard else {
            return Ok(());
        };
        let changing = changing_functions(&self.program);
        let changes = |part: Part<'_>| calls_one(part, &changing);
        if !any_part(&self.program, [Part::Expr(guard)], changes) {
            return Ok(());
        }
        let complaint = Diagnostic::error(
            guard.span,
            "where rules have priorities, a guard cannot call a function that changes variables",
        );
        Err(Box::new(complaint.with_help(
            "the guard is also asked to know whether other rules can be taken",
        )))
    }
}

/// Which functions change something that is not their own. They only call themselves and earlier ones.
fn changing_functions(program: &Program) -> Vec<bool> {
    let mut changing = Vec::new();
    for function in &program.functions {
        let body = function.body.iter().map(Part::Stmt);
        let changes = any_part(program, body, |part| {
            calls_one(part, &changing) || writes_outside(program, part)
        });
        changing.push(changes);
    }
    changing
}

fn calls_one(part: Part<'_>, such: &[bool]) -> bool {
    let called: Option<&FunctionId> = match part {
        Part::Stmt(stmt) => match &stmt.kind {
            StmtKind::Call(function, _) => Some(function),
            _ => None,
        },
        Part::Expr(expr) => match &expr.kind {
            ExprKind::Call(function, _) => Some(function),
            _ => None,
        },
    };
    called.is_some_and(|function| such.get(function.index()).is_some_and(|such| *such))
}

fn writes_outside(program: &Program, part: Part<'_>) -> bool {
    let Part::Stmt(stmt) = part else {
        return false;
    };
    let place = match &stmt.kind {
        StmtKind::Assign(place, _)
        | StmtKind::Undefine(place)
        | StmtKind::Clear(place)
        | StmtKind::MultisetAdd(_, place)
        | StmtKind::MultisetRemove(_, place) => place,
        StmtKind::MultisetRemoveWhere(binding, _) => match &binding.domain {
            Domain::Elements(place) => place,
            _ => return true,
        },
        _ => return false,
    };
    !is_local(program, place)
}

fn is_local(program: &Program, place: &Place) -> bool {
    match place.root {
        Root::Variable(id) => program.variable(id).kind == VariableKind::Local,
        Root::Alias(id) => match &program.alias(id).target {
            AliasTarget::Place(target) => is_local(program, target),
            AliasTarget::Value(_) => false,
        },
    }
}

/// Makes a copy of a guard, with parameters of its own and without aliases.
struct Copying<'p> {
    program: &'p mut Program,
    /// The new parameters.
    fresh: HashMap<VariableId, VariableId>,
}

impl Copying<'_> {
    /// That a rule can be taken for some choice of the parameters that are left.
    fn enabled(&mut self, rule: &Rule, binders: &[Binder]) -> Fallible<Expr> {
        let Some((first, rest)) = binders.split_first() else {
            return match &rule.guard {
                Some(guard) => self.expr(guard),
                None => Ok(constant(1, Types::BOOLEAN, rule)),
            };
        };
        let Binder::Each(binding) = first else {
            return self.enabled(rule, rest);
        };
        let binding = self.parameter(binding)?;
        let inner = Box::new(self.enabled(rule, rest)?);
        let kind = match binding.domain {
            Domain::Elements(_) => {
                let count = Expr {
                    kind: ExprKind::Count(Box::new(binding), inner),
                    ty: Types::INTEGER,
                    span: rule.span,
                };
                let none = Box::new(constant(0, Types::INTEGER, rule));
                ExprKind::Binary(BinaryOp::Greater, Box::new(count), none)
            }
            _ => ExprKind::Quantified(QuantifierKind::Some, Box::new(binding), inner),
        };
        Ok(Expr {
            kind,
            ty: Types::BOOLEAN,
            span: rule.span,
        })
    }

    fn parameter(&mut self, binding: &Binding) -> Fallible<Binding> {
        let domain = self.domain(&binding.domain)?;
        let copy = self.program.variable(binding.variable).clone();
        let variable = VariableId::from(self.program.variables.len());
        self.program.variables.push(copy);
        self.fresh.insert(binding.variable, variable);
        Ok(Binding {
            variable,
            domain,
            span: binding.span,
        })
    }

    fn domain(&mut self, domain: &Domain) -> Fallible<Domain> {
        Ok(match domain {
            Domain::Type(ty) => Domain::Type(*ty),
            Domain::Steps { from, to, step } => Domain::Steps {
                from: self.expr(from)?,
                to: self.expr(to)?,
                step: step.as_ref().map(|step| self.expr(step)).transpose()?,
            },
            Domain::Elements(place) => Domain::Elements(self.place(place)?),
        })
    }

    fn boxed(&mut self, expr: &Expr) -> Fallible<Box<Expr>> {
        self.expr(expr).map(Box::new)
    }

    fn expr(&mut self, expr: &Expr) -> Fallible<Expr> {
        if let ExprKind::Read(place) = &expr.kind
            && let Some(value) = self.alias_value(place)?
        {
            return Ok(value);
        }
        let kind = match &expr.kind {
            ExprKind::Constant(value) => ExprKind::Constant(*value),
            ExprKind::Read(place) => ExprKind::Read(self.place(place)?),
            ExprKind::Unary(op, operand) => ExprKind::Unary(*op, self.boxed(operand)?),
            ExprKind::Binary(op, left, right) => {
                ExprKind::Binary(*op, self.boxed(left)?, self.boxed(right)?)
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let parts = [self.expr(condition)?, self.expr(yes)?, self.expr(no)?];
                ExprKind::Conditional(Box::new(parts))
            }
            ExprKind::Quantified(kind, binding, body) => {
                let binding = self.parameter(binding)?;
                ExprKind::Quantified(*kind, Box::new(binding), self.boxed(body)?)
            }
            ExprKind::Count(binding, body) => {
                let binding = self.parameter(binding)?;
                ExprKind::Count(Box::new(binding), self.boxed(body)?)
            }
            ExprKind::Call(function, arguments) => {
                let arguments = arguments.iter().map(|argument| self.argument(argument));
                ExprKind::Call(*function, arguments.collect::<Fallible<_>>()?)
            }
            ExprKind::IsUndefined(place) => ExprKind::IsUndefined(self.place(place)?),
            ExprKind::IsMember(value, ty) => ExprKind::IsMember(self.boxed(value)?, *ty),
            ExprKind::Convert(value) => ExprKind::Convert(self.boxed(value)?),
        };
        Ok(Expr {
            kind,
            ty: expr.ty,
            span: expr.span,
        })
    }

    fn argument(&mut self, argument: &Argument) -> Fallible<Argument> {
        Ok(match argument {
            Argument::Value(value) => Argument::Value(self.expr(value)?),
            Argument::Undefined => Argument::Undefined,
            Argument::Reference(place) => Argument::Reference(self.place(place)?),
        })
    }

    /// The value that a place stands for, if it is an alias of one.
    fn alias_value(&mut self, place: &Place) -> Fallible<Option<Expr>> {
        let Root::Alias(id) = place.root else {
            return Ok(None);
        };
        match self.program.alias(id).target.clone() {
            AliasTarget::Value(value) if place.projections.is_empty() => {
                self.expr(&value).map(Some)
            }
            AliasTarget::Place(target) if place.projections.is_empty() => self.alias_value(&target),
            _ => Ok(None),
        }
    }

    fn place(&mut self, place: &Place) -> Fallible<Place> {
        let (root, mut projections) = match place.root {
            Root::Variable(id) => {
                let id = self.fresh.get(&id).copied().unwrap_or(id);
                (Root::Variable(id), Vec::new())
            }
            Root::Alias(id) => match self.program.alias(id).target.clone() {
                AliasTarget::Place(target) => {
                    let target = self.place(&target)?;
                    (target.root, target.projections)
                }
                AliasTarget::Value(_) => {
                    let message = "where rules have priorities, a guard cannot use a part of an alias of a value";
                    return Err(error(place.span, message));
                }
            },
        };
        for projection in &place.projections {
            projections.push(self.projection(projection)?);
        }
        Ok(Place {
            root,
            projections,
            ty: place.ty,
            span: place.span,
        })
    }

    fn projection(&mut self, projection: &Projection) -> Fallible<Projection> {
        let kind = match &projection.kind {
            ProjectionKind::Field(field) => ProjectionKind::Field(*field),
            ProjectionKind::Index(index) => ProjectionKind::Index(self.expr(index)?),
            ProjectionKind::Slot(slot) => {
                ProjectionKind::Slot(self.fresh.get(slot).copied().unwrap_or(*slot))
            }
        };
        Ok(Projection {
            kind,
            ty: projection.ty,
            span: projection.span,
        })
    }
}

fn constant(value: Number, ty: TypeId, rule: &Rule) -> Expr {
    Expr {
        kind: ExprKind::Constant(value),
        ty,
        span: rule.span,
    }
}
