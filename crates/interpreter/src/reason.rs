//! The reason for the value of a condition: the values of quantified variables that decide it.
//!
//! A `forall` that is false is so because of one value of its variable, an `exists` that is true likewise. With that value put in, what is left of the
//! condition says the same of the state, about fewer variables. All other quantifiers are so because of all their values.

use crate::Interpreter;
use crate::view::View;
use mandala_model::State;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use mandala_model::quantified::Quantified;
use mandala_model::specialise::{Constants, put_in};

/// Why a condition has the value that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The variables of quantifiers and the values that decide, as a person writes them, the outermost first.
    pub values: Vec<(String, String)>,
    /// The condition with these values put in, and all other quantifiers written out.
    pub condition: Expr,
}

impl Interpreter<'_> {
    /// Why a condition has the value that it has in a state, as a process sees it, or nobody.
    pub fn reason(&self, state: &State, process: Option<u32>, condition: &Expr) -> Reason {
        let mut search = ReasonSearch {
            interpreter: self,
            view: View::new(self.model(), state, process, false),
            values: Vec::new(),
        };
        let condition = search.narrowed(condition);
        Reason {
            values: search.values,
            condition,
        }
    }
}

struct ReasonSearch<'a> {
    interpreter: &'a Interpreter<'a>,
    view: View<'a>,
    values: Vec<(String, String)>,
}

impl ReasonSearch<'_> {
    fn truth(&self, condition: &Expr) -> Option<bool> {
        self.view.holds(condition).ok()
    }

    /// A condition that decides, with deciding values put in.
    fn narrowed(&mut self, condition: &Expr) -> Expr {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let mut outer = self.narrowed(inner).negated();
                outer.span = condition.span;
                outer
            }
            ExprKind::Binary(op, left, right) if is_joined(*op) => {
                let (left, right) = self.sides(condition, left, right);
                let kind = ExprKind::Binary(*op, Box::new(left), Box::new(right));
                Expr::new(kind, condition.span)
            }
            ExprKind::Quantified(quantified) if quantified.quantifier.is_condition() => {
                match self.deciding(quantified) {
                    Some(member) => self.narrowed(&member),
                    None => written_out(condition),
                }
            }
            _ => written_out(condition),
        }
    }

    /// The two sides of "and" or "or": those that make the whole what it is are looked at.
    fn sides(&mut self, whole: &Expr, left: &Expr, right: &Expr) -> (Expr, Expr) {
        let truth = self.truth(whole);
        let mut side = |side: &Expr| match truth.is_some() && self.truth(side) == truth {
            true => self.narrowed(side),
            false => written_out(side),
        };
        (side(left), side(right))
    }

    /// The body of a quantifier for the first value that decides it, if there is one.
    fn deciding(&mut self, quantified: &Quantified) -> Option<Expr> {
        let decides = quantified.quantifier.deciding()?;
        let mut members = quantified
            .values
            .iter()
            .map(|value| (value, quantified.member(value)));
        let (value, member) = members.find(|(_, member)| self.truth(member) == Some(decides))?;
        let variable = &quantified.variable;
        let text = self
            .interpreter
            .value_text(self.view.state, variable.scalar, value);
        self.values.push((variable.name.clone(), text));
        Some(member)
    }
}

fn is_joined(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And | BinaryOp::Or | BinaryOp::BitAnd | BinaryOp::BitOr
    )
}

fn written_out(condition: &Expr) -> Expr {
    let mut written = condition.clone();
    put_in(&mut written, &Constants::new());
    written
}
