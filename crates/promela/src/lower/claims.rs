//! `ltl` formulas, and the claims that look for runs which violate them.

use super::spelling::spelling;
use super::{FrameKind, Lowered, Lowering, fail};
use crate::ast::{
    BinaryOp as AstBinary, Expr as AstExpr, ExprKind as AstKind, Program, UnaryOp as AstUnary, Unit,
};
use mandala_model::claim::{ClaimBuilder, WrittenCondition};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::property::{BinaryTemporal, Formula, Property, PropertyKind, UnaryTemporal};
use mandala_model::source::Span;
use mandala_model::template::Role;
use mandala_temporal as temporal;

/// The conditions of a formula, each once, with the spelling that tells them apart.
#[derive(Default)]
struct Conditions {
    exprs: Vec<Expr>,
    spellings: Vec<String>,
}

impl Lowering {
    pub(super) fn lower_formulas(&mut self, program: &Program) {
        // A formula may name everything in the model, wherever it stands.
        self.unit = program.units.len();
        let formulas = program
            .units
            .iter()
            .filter_map(|u| if let Unit::Ltl(l) = u { Some(l) } else { None });
        for (index, ltl) in formulas.enumerate() {
            let made_up = format!("ltl_{index}");
            let name = ltl.name.as_ref().map_or(made_up, |n| n.name.to_string());
            let lowered = self.lower_formula(name, &ltl.formula, ltl.span);
            self.recover(lowered, || ());
        }
    }

    /// A formula that every run has to satisfy.
    pub(super) fn lower_formula(
        &mut self,
        name: String,
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let template = self.new_observer(&name, span)?;
        self.complete_formula(name, template, formula, span)
    }

    /// Makes a claim whose body has been entered that of a formula, and the property.
    pub(super) fn complete_formula(
        &mut self,
        name: String,
        template: TemplateId,
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let mut conditions = Conditions::default();
        let formula = self.formula(formula, &mut conditions);
        self.frame = None;
        let (formula, over_propositions) = formula?;
        let names = conditions.spellings.iter().collect();
        let Ok(claim) = temporal::never_claim(&over_propositions, &names) else {
            return fail(
                span,
                "this formula is too large to be translated into an automaton",
            );
        };
        self.install_claim(template, &claim.automaton, &conditions.exprs, span);
        let claim = template;
        let kind = PropertyKind::Ltl { formula, claim };
        self.model.properties.push(Property { name, kind, span });
        Ok(())
    }

    /// A claim for a property of that name, with no body so far; what is lowered next is lowered inside of it.
    pub(super) fn new_observer(&mut self, name: &str, span: Span) -> Lowered<TemplateId> {
        if self.model.properties.iter().any(|p| p.name == name) {
            return fail(span, format!("a second property `{name}`"));
        }
        let template = self.new_template(name, Role::Claim, span);
        self.enter_body(template, FrameKind::Claim);
        Ok(template)
    }

    /// The formula over conditions, and the same over the propositions that stand for them.
    fn formula(
        &mut self,
        expr: &AstExpr,
        conditions: &mut Conditions,
    ) -> Lowered<(Formula, temporal::Formula)> {
        if let AstKind::Unary(op, e) = &expr.kind
            && let Some(op) = unary_operator(*op)
        {
            let (formula, over) = self.formula(e, conditions)?;
            return Ok((Formula::Unary(op, Box::new(formula)), apply_unary(op, over)));
        }
        if let AstKind::Binary(op, a, b) = &expr.kind
            && let Some(op) = binary_operator(*op)
        {
            let (left, over_left) = self.formula(a, conditions)?;
            let (right, over_right) = self.formula(b, conditions)?;
            let formula = Formula::Binary(op, Box::new(left), Box::new(right));
            return Ok((formula, apply_binary(op, over_left, over_right)));
        }
        let condition = self.expr(expr)?;
        let proposition = conditions.add(&condition, spelling(expr));
        Ok((Formula::Condition(condition), proposition))
    }

    /// Makes the claim's automaton: a location for each state; an asserting transition is two steps
    /// that hold control, the second of which fails.
    pub(super) fn install_claim(
        &mut self,
        template: TemplateId,
        automaton: &temporal::Automaton,
        conditions: &[Expr],
        span: Span,
    ) {
        let mut claim = ClaimBuilder::new(span);
        for state in &automaton.states {
            claim.location(state.labels.clone(), state.accepting);
        }
        for (number, state) in automaton.states.iter().enumerate() {
            let from = LocationId::from(number);
            if automaton.accept_all == Some(temporal::StateId(number)) {
                let end = claim.end();
                claim.edge(from, end, always(span));
                continue;
            }
            for transition in &state.transitions {
                let guard = WrittenCondition {
                    condition: guard(&transition.guard, conditions, span),
                    text: transition.guard.named(&automaton.names).to_string(),
                };
                match transition.asserts {
                    true => claim.assertion(from, guard),
                    false => claim.edge(from, transition.target.0.into(), guard),
                }
            }
        }
        claim.install(&mut self.model.templates[template.index()]);
    }
}

fn always(span: Span) -> WrittenCondition {
    WrittenCondition {
        condition: Expr::constant(1, span),
        text: "1".to_owned(),
    }
}

impl Conditions {
    /// The proposition that stands for a condition. Constants need none.
    fn add(&mut self, condition: &Expr, spelling: String) -> temporal::Formula {
        match condition.as_constant() {
            Some(0) => return temporal::Formula::False,
            Some(1) => return temporal::Formula::True,
            _ => {}
        }
        let known = self.spellings.iter().position(|s| *s == spelling);
        temporal::Formula::proposition(known.unwrap_or_else(|| {
            self.exprs.push(condition.clone());
            self.spellings.push(spelling);
            self.exprs.len() - 1
        }))
    }
}

fn unary_operator(op: AstUnary) -> Option<UnaryTemporal> {
    Some(match op {
        AstUnary::Not => UnaryTemporal::Not,
        AstUnary::Always => UnaryTemporal::Always,
        AstUnary::Eventually => UnaryTemporal::Eventually,
        AstUnary::Next => UnaryTemporal::Next,
        AstUnary::Neg | AstUnary::BitNot | AstUnary::InAllRuns | AstUnary::InSomeRun => {
            return None;
        }
    })
}

fn binary_operator(op: AstBinary) -> Option<BinaryTemporal> {
    Some(match op {
        AstBinary::And => BinaryTemporal::And,
        AstBinary::Or => BinaryTemporal::Or,
        AstBinary::Implies => BinaryTemporal::Implies,
        AstBinary::Equivalent => BinaryTemporal::Equivalent,
        AstBinary::Until => BinaryTemporal::Until,
        AstBinary::WeakUntil => BinaryTemporal::WeakUntil,
        AstBinary::Release => BinaryTemporal::Release,
        _ => return None,
    })
}

fn apply_unary(op: UnaryTemporal, a: temporal::Formula) -> temporal::Formula {
    match op {
        UnaryTemporal::Not => a.negate(),
        UnaryTemporal::Always => a.always(),
        UnaryTemporal::Eventually => a.eventually(),
        UnaryTemporal::Next => a.next(),
    }
}

fn apply_binary(
    op: BinaryTemporal,
    a: temporal::Formula,
    b: temporal::Formula,
) -> temporal::Formula {
    match op {
        BinaryTemporal::And => a.and(b),
        BinaryTemporal::Or => a.or(b),
        BinaryTemporal::Implies => a.implies(b),
        BinaryTemporal::Equivalent => a.equiv(b),
        BinaryTemporal::Until => a.until(b),
        BinaryTemporal::WeakUntil => a.weak_until(b),
        BinaryTemporal::Release => a.release(b),
    }
}

/// The condition of a transition as an expression of the model.
fn guard(guard_: &temporal::Guard, conditions: &[Expr], span: Span) -> Expr {
    match guard_ {
        temporal::Guard::True => Expr::constant(1, span),
        temporal::Guard::False => Expr::constant(0, span),
        temporal::Guard::Literal(literal) => {
            let condition = conditions[literal.proposition.0].clone();
            if literal.positive {
                condition
            } else {
                condition.negated()
            }
        }
        temporal::Guard::And(a, b) => Expr::binary(
            BinaryOp::And,
            guard(a, conditions, span),
            guard(b, conditions, span),
        ),
        temporal::Guard::Or(a, b) => Expr::binary(
            BinaryOp::Or,
            guard(a, conditions, span),
            guard(b, conditions, span),
        ),
    }
}
