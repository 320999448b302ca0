//! What is claimed of runs: formulas with quantifiers written out, and conditions without code.

use super::Lowering;
use super::calls::Frame;
use super::choices::Choices;
use super::flow::{Flow, Label};
use crate::limits;
use crate::typed::{Binding, Claim, ClaimKind, Expr, Formula, FormulaKind, QuantifierKind};
use mandala_formulas::prefix::Logic;
use mandala_formulas::{Written, add_automaton, add_branching, add_linear, new_observer};
use mandala_model::UncheckedModel;
use mandala_model::claim::WrittenCondition;
use mandala_model::expr::{Expr as Lowered, ExprKind as LoweredKind, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::property::BinaryTemporal;
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_temporal::Automaton;

/// A claim whose conditions are those of the model.
pub(super) struct LoweredClaim<'p> {
    name: &'p str,
    span: Span,
    kind: LoweredKindOfClaim<'p>,
}

enum LoweredKindOfClaim<'p> {
    Formula(Logic, Written),
    Automaton(&'p Automaton, Vec<Lowered>),
}

impl LoweredClaim<'_> {
    /// Adds it to the model.
    pub(super) fn add(&self, model: &mut UncheckedModel) -> Fallible<()> {
        let observer = new_observer(model, self.name, self.span)?;
        let named = (self.name.to_string(), observer);
        match &self.kind {
            LoweredKindOfClaim::Formula(Logic::Linear, formula) => {
                add_linear(model, named, formula, self.span)
            }
            LoweredKindOfClaim::Formula(Logic::Branching, formula) => {
                add_branching(model, named, StatedForm::Ctl, formula)
            }
            LoweredKindOfClaim::Automaton(automaton, conditions) => {
                add_automaton(model, named, automaton, conditions, self.span);
                Ok(())
            }
        }
    }
}

/// What quantifiers around a condition stand for: the variable, its value, and both in words.
type Bound = Vec<(crate::typed::VariableId, i128, String)>;

/// The conditions of a formula so far: how they are shown, what is around them, and how they are spelled.
type Spellings = Vec<(String, Bound, String)>;

/// A formula that is being written out.
struct Writing<'l, 'p> {
    lowering: &'l mut Lowering<'p>,
    bound: Bound,
    spellings: Spellings,
}

impl<'p> Lowering<'p> {
    /// All claims. They are added to the model once it is there.
    pub(super) fn claims(&mut self) -> Fallible<Vec<LoweredClaim<'p>>> {
        let program = self.program;
        program.claims.iter().map(|c| self.claim(c)).collect()
    }

    fn claim(&mut self, claim: &'p Claim) -> Fallible<LoweredClaim<'p>> {
        let kind = match &claim.kind {
            ClaimKind::Formula(logic, formula) => {
                let mut writing = Writing {
                    lowering: self,
                    bound: Vec::new(),
                    spellings: Vec::new(),
                };
                LoweredKindOfClaim::Formula(*logic, writing.formula(formula)?)
            }
            ClaimKind::Automaton(automaton, conditions) => {
                let conditions = conditions.iter().map(|c| self.seen(c));
                let conditions: Fallible<Vec<Lowered>> = conditions.collect();
                LoweredKindOfClaim::Automaton(automaton, conditions?)
            }
        };
        Ok(LoweredClaim {
            name: &claim.name,
            span: claim.span,
            kind,
        })
    }

    /// A condition as somebody sees it who is no rule: no code belongs to it, and no temporaries.
    fn seen(&mut self, condition: &Expr) -> Fallible<Lowered> {
        let unsupported = || {
            error_help(
                condition.span,
                "this condition takes code, which is not supported in formulas",
                "leave out calls of functions with statements, loops over many values and the like",
            )
        };
        if self.needs_flow(condition) {
            return Err(unsupported());
        }
        self.flow = Flow::new();
        self.choices = Choices::default();
        self.frames = vec![Frame::of_rule()];
        self.label = Label {
            text: self.program.show_expr(condition),
            span: condition.span,
        };
        let lowered = self.condition(condition)?;
        let code = self.flow.size();
        self.flow = Flow::new();
        self.size += 1;
        self.check_size()?;
        let local = |e: &Lowered| matches!(&e.kind, LoweredKind::Read(place) if matches!(place.root, Root::Local(_)));
        match code > 0 || lowered.any(local) {
            true => Err(unsupported()),
            false => Ok(lowered),
        }
    }
}

impl Writing<'_, '_> {
    fn formula(&mut self, formula: &Formula) -> Fallible<Written> {
        let span = formula.span;
        Ok(match &formula.kind {
            FormulaKind::Condition(condition) => {
                let condition = self.condition(condition)?;
                Written::condition(condition, span)
            }
            FormulaKind::Unary(op, f) => Written::unary(*op, self.formula(f)?, span),
            FormulaKind::Binary(op, f, g) => {
                let (f, g) = (self.formula(f)?, self.formula(g)?);
                Written::binary(*op, f, g, span)
            }
            FormulaKind::InRuns(runs, f) => Written::quantified(*runs, self.formula(f)?, span),
            FormulaKind::Quantified(kind, binding, body) => {
                return self.quantified(*kind, binding, body, span);
            }
        })
    }

    /// The body for each value.
    fn quantified(
        &mut self,
        kind: QuantifierKind,
        binding: &Binding,
        body: &Formula,
        span: Span,
    ) -> Fallible<Written> {
        let values = self.lowering.values(binding);
        let few = values.filter(|values| values.count <= limits::CHECKS);
        let Some(values) = few else {
            let message =
                "a formula is written out for each value of a quantifier, and here are too many";
            return Err(error(binding.span, message));
        };
        let mut parts = Vec::new();
        for value in values.iter() {
            let text = self.lowering.bind_value(binding, value, &values);
            self.bound.push((binding.variable, value, text));
            let part = self.formula(body);
            self.bound.pop();
            parts.push(part?);
        }
        let op = match kind {
            QuantifierKind::All => BinaryTemporal::And,
            QuantifierKind::Some => BinaryTemporal::Or,
        };
        let nothing = || error(binding.span, "the quantifier has no values");
        Written::joined(op, parts, span).ok_or_else(nothing)
    }

    fn condition(&mut self, condition: &Expr) -> Fallible<WrittenCondition> {
        let lowered = self.lowering.seen(condition)?;
        let shown = self.lowering.program.show_expr(condition);
        Ok(WrittenCondition {
            condition: lowered,
            text: self.spelling(shown),
        })
    }

    /// How a condition is spelled with what quantifiers around it stand for. Two that look alike may be about different variables of
    /// one name; then the later one is marked.
    fn spelling(&mut self, shown: String) -> String {
        let known =
            |(other, bound, _): &&(String, Bound, String)| *other == shown && *bound == self.bound;
        if let Some((_, _, spelling)) = self.spellings.iter().find(known) {
            return spelling.clone();
        }
        let texts: Vec<&str> = self
            .bound
            .iter()
            .map(|(_, _, text)| text.as_str())
            .collect();
        let mut spelling = match texts.is_empty() {
            true => shown.clone(),
            false => format!("{shown} [{}]", texts.join(", ")),
        };
        while self
            .spellings
            .iter()
            .any(|(_, _, other)| *other == spelling)
        {
            spelling.push('\'');
        }
        let bound = self.bound.clone();
        self.spellings.push((shown, bound, spelling.clone()));
        spelling
    }
}
