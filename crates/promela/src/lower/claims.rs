//! `ltl` formulas, and the claims that look for runs which violate them.

use super::spelling::spelling;
use super::{FrameKind, Lowered, Lowering, fail};
use crate::ast::{
    BinaryOp as AstBinary, Expr as AstExpr, ExprKind as AstKind, Ltl, Program, UnaryOp as AstUnary,
    Unit,
};
use mandala_model::expr::{BinaryOp, Expr};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::property::{BinaryTemporal, Formula, Property, PropertyKind, UnaryTemporal};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Location, Role, Step};
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
            if let Err(diagnostic) = self.lower_formula(ltl, index) {
                self.report(*diagnostic);
            }
        }
    }

    fn lower_formula(&mut self, ltl: &Ltl, index: usize) -> Lowered<()> {
        let name = ltl
            .name
            .as_ref()
            .map_or(format!("ltl_{index}"), |n| n.name.to_string());
        if self.model.properties.iter().any(|p| p.name == name) {
            return fail(ltl.span, format!("a second property `{name}`"));
        }
        let template = self.new_template(&name, Role::Claim, ltl.span);
        self.enter_body(template, FrameKind::Claim);
        let mut conditions = Conditions::default();
        let formula = self.formula(&ltl.formula, &mut conditions);
        self.frame = None;
        let (formula, over_propositions) = formula?;
        let names = conditions.spellings.iter().collect();
        let Ok(claim) = temporal::never_claim(&over_propositions, &names) else {
            return fail(
                ltl.span,
                "this formula is too large to be translated into an automaton",
            );
        };
        self.install_claim(template, &claim.automaton, &conditions, ltl.span);
        let kind = PropertyKind::Ltl {
            formula,
            claim: template,
        };
        self.model.properties.push(Property {
            name,
            kind,
            span: ltl.span,
        });
        Ok(())
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
    fn install_claim(
        &mut self,
        template: TemplateId,
        automaton: &temporal::Automaton,
        conditions: &Conditions,
        span: Span,
    ) {
        let mut claim = ClaimBuilder {
            span,
            rows: Vec::new(),
        };
        for state in &automaton.states {
            claim
                .rows
                .push((state.labels.clone(), state.accepting, Vec::new()));
        }
        for (number, state) in automaton.states.iter().enumerate() {
            if automaton.accept_all == Some(temporal::StateId(number)) {
                let end = claim.new_row();
                claim.rows[end].0.push("end".into());
                let always = (Expr::constant(1, span), "1".to_owned());
                claim.edge(number, end, always, Control::Release);
                continue;
            }
            for transition in &state.transitions {
                let text = transition.guard.named(&automaton.names).to_string();
                let guard = (guard(&transition.guard, conditions, span), text);
                if transition.asserts {
                    claim.assertion(number, guard);
                } else {
                    claim.edge(number, transition.target.0, guard, Control::Release);
                }
            }
        }
        let target = &mut self.model.templates[template.index()];
        (target.locations, target.edges) = claim.finish();
        target.entry = LocationId::from(temporal::Automaton::INITIAL.0);
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

struct ClaimBuilder {
    span: Span,
    /// Labels, acceptance and outgoing edges of each location.
    rows: Vec<(Vec<String>, bool, Vec<Edge>)>,
}

impl ClaimBuilder {
    fn new_row(&mut self) -> usize {
        self.rows.push((Vec::new(), false, Vec::new()));
        self.rows.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize, (guard, text): (Expr, String), control: Control) {
        let step = Step::Guarded {
            guard,
            effects: Vec::new(),
        };
        self.push(from, to, (step, text), control);
    }

    fn assertion(&mut self, from: usize, (guard, text): (Expr, String)) {
        let middle = self.new_row();
        self.edge(from, middle, (guard.clone(), text.clone()), Control::Hold);
        let effects = vec![Effect::Assert {
            condition: guard.negated(),
        }];
        let step = Step::Guarded {
            guard: Expr::constant(1, self.span),
            effects,
        };
        let text = format!("assert(!({text}))");
        self.push(middle, from, (step, text), Control::Release);
    }

    fn push(&mut self, from: usize, to: usize, (step, text): (Step, String), control: Control) {
        self.rows[from].2.push(Edge {
            source: from.into(),
            target: to.into(),
            step,
            control,
            escape: 0,
            text,
            statement: 0,
            span: self.span,
            twin: false,
        });
    }

    fn finish(self) -> (Vec<Location>, Vec<Edge>) {
        let mut locations = Vec::new();
        let mut edges = Vec::new();
        for (number, (labels, accept, out)) in self.rows.into_iter().enumerate() {
            let first = edges.len() as u32;
            edges.extend(out);
            let end = labels.iter().any(|l| l.starts_with("end"));
            let range = first..edges.len() as u32;
            let number = number as u32 + 1;
            locations.push(Location {
                number,
                labels,
                end,
                progress: false,
                accept,
                silent: true,
                edges: range,
                span: self.span,
            });
        }
        (locations, edges)
    }
}

fn unary_operator(op: AstUnary) -> Option<UnaryTemporal> {
    Some(match op {
        AstUnary::Not => UnaryTemporal::Not,
        AstUnary::Always => UnaryTemporal::Always,
        AstUnary::Eventually => UnaryTemporal::Eventually,
        AstUnary::Next => UnaryTemporal::Next,
        AstUnary::Neg | AstUnary::BitNot => return None,
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
fn guard(guard_: &temporal::Guard, conditions: &Conditions, span: Span) -> Expr {
    match guard_ {
        temporal::Guard::True => Expr::constant(1, span),
        temporal::Guard::False => Expr::constant(0, span),
        temporal::Guard::Literal(literal) => {
            let condition = conditions.exprs[literal.proposition.0].clone();
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
