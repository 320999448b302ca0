//! What is true of runs.

use super::Asking;
use crate::ast::{Edge, Expr as Tree, ExprKind as TreeKind, Temporal, Within};
use dashu_ratio::RBig;
use mandala_model::chance::Stochastic;
use mandala_model::findings::{Fallible, error};
use mandala_model::source::Span;
use mandala_temporal::pctl::{Interval, PathFormula, StateFormula};

impl Asking<'_> {
    /// A formula of runs. `F`, `G`, `W` and `R` are written with `U`.
    pub(super) fn path(&mut self, tree: &Tree) -> Fallible<PathFormula> {
        if !has_temporal(tree) {
            return self.state(tree).map(PathFormula::State);
        }
        match &tree.kind {
            TreeKind::Temporal(temporal) => self.temporal(temporal, tree.span),
            TreeKind::Not(inner) => Ok(not(self.path(inner)?)),
            TreeKind::All(parts) => self.joined_runs(parts, PathFormula::And),
            TreeKind::Any(parts) => self.joined_runs(parts, PathFormula::Or),
            TreeKind::Binary(crate::ast::BinaryOp::Implies, left, right) => {
                let (left, right) = (not(self.path(left)?), self.path(right)?);
                Ok(PathFormula::Or(Box::new(left), Box::new(right)))
            }
            _ => Err(error(tree.span, "this is no formula about runs")),
        }
    }

    fn joined_runs(
        &mut self,
        parts: &[Tree],
        join: fn(Box<PathFormula>, Box<PathFormula>) -> PathFormula,
    ) -> Fallible<PathFormula> {
        let mut joined: Option<PathFormula> = None;
        for part in parts {
            let part = self.path(part)?;
            joined = Some(match joined {
                None => part,
                Some(before) => join(Box::new(before), Box::new(part)),
            });
        }
        Ok(joined.unwrap_or(PathFormula::State(StateFormula::Constant(true))))
    }

    fn temporal(&mut self, temporal: &Temporal, span: Span) -> Fallible<PathFormula> {
        match temporal {
            Temporal::Next(inner) => Ok(PathFormula::Next(Box::new(self.path(inner)?))),
            Temporal::Eventually(within, inner) => {
                let within = self.interval(within, span)?;
                Ok(until(always(), self.path(inner)?, within))
            }
            Temporal::Always(within, inner) => {
                let within = self.interval(within, span)?;
                Ok(not(until(always(), not(self.path(inner)?), within)))
            }
            Temporal::Until(within, left, right) => {
                let within = self.interval(within, span)?;
                Ok(until(self.path(left)?, self.path(right)?, within))
            }
            // a W b is !((a & !b) U (!a & !b)), and a R b is !(!a U !b).
            Temporal::WeakUntil(within, left, right) => {
                let within = self.interval(within, span)?;
                let (left, right) = (self.path(left)?, self.path(right)?);
                let stays = both(left.clone(), not(right.clone()));
                Ok(not(until(stays, both(not(left), not(right)), within)))
            }
            Temporal::Release(within, left, right) => {
                let within = self.interval(within, span)?;
                let (left, right) = (self.path(left)?, self.path(right)?);
                Ok(not(until(not(left), not(right), within)))
            }
        }
    }

    /// A span of time. In steps an end that is excluded is the one before or behind it; at a single moment of continuous time nothing happens.
    fn interval(&self, within: &Within, span: Span) -> Fallible<Interval> {
        let is_discrete = self.kind != Stochastic::Ctmc;
        let mut from = RBig::ZERO;
        if let Some((tree, edge)) = &within.from {
            from = self.time(tree)?;
            if is_discrete && *edge == Edge::Excluded {
                from += RBig::ONE;
            }
        }
        let mut to = None;
        if let Some((tree, edge)) = &within.to {
            let mut time = self.time(tree)?;
            if is_discrete && *edge == Edge::Excluded {
                time -= RBig::ONE;
            }
            if time < from {
                return Err(error(span, "there is no time between the two ends"));
            }
            to = Some(time);
        }
        Ok(Interval { from, to })
    }
}

/// Whether a part outside of operators is about runs.
fn has_temporal(tree: &Tree) -> bool {
    match &tree.kind {
        TreeKind::Temporal(_) => true,
        TreeKind::Operator(_) => false,
        _ => {
            let mut found = false;
            tree.each_part(&mut |part| found = found || has_temporal(part));
            found
        }
    }
}

fn always() -> PathFormula {
    PathFormula::State(StateFormula::Constant(true))
}

/// The negation; of a formula of states it is one.
fn not(formula: PathFormula) -> PathFormula {
    match formula {
        PathFormula::Not(inner) => *inner,
        PathFormula::State(StateFormula::Not(inner)) => PathFormula::State(*inner),
        PathFormula::State(StateFormula::Constant(value)) => {
            PathFormula::State(StateFormula::Constant(!value))
        }
        PathFormula::State(inner) => PathFormula::State(StateFormula::Not(Box::new(inner))),
        other => PathFormula::Not(Box::new(other)),
    }
}

/// Both; of formulas of states it is one.
fn both(left: PathFormula, right: PathFormula) -> PathFormula {
    match (left, right) {
        (PathFormula::State(left), PathFormula::State(right)) => {
            PathFormula::State(StateFormula::And(Box::new(left), Box::new(right)))
        }
        (left, right) => PathFormula::And(Box::new(left), Box::new(right)),
    }
}

fn until(left: PathFormula, right: PathFormula, within: Interval) -> PathFormula {
    PathFormula::Until {
        left: Box::new(left),
        right: Box::new(right),
        within,
    }
}
