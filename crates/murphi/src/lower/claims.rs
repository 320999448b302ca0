//! What is claimed of runs: formulas with quantifiers written out, and conditions without code.
//!
//! A `forall` over a type in front of a whole formula of linear temporal logic is not written out if that can be avoided: the claim chooses a
//! value, so that members of a scalarset stay interchangeable.

use super::build::read;
use super::calls::Frame;
use super::choices::Choices;
use super::flow::{Flow, Label};
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::{
    Binding, Claim, ClaimKind, Domain, Expr, Formula, FormulaKind, QuantifierKind, TypeId, TypeKind,
};
use mandala_formulas::prefix::Logic;
use mandala_formulas::{
    Written, add_automaton, add_branching, add_linear, choose_first, new_observer,
};
use mandala_model::UncheckedModel;
use mandala_model::claim::WrittenCondition;
use mandala_model::expr::{Expr as Lowered, ExprKind as LoweredKind, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::LocalId;
use mandala_model::property::BinaryTemporal;
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::types::{Initial, Storage, Variable};
use mandala_temporal::Automaton;

/// Where a claim keeps the value that it has chosen.
const CHOSEN: LocalId = LocalId(0);

/// A claim whose conditions are those of the model.
pub(super) struct LoweredClaim<'p> {
    name: &'p str,
    span: Span,
    kind: LoweredKindOfClaim<'p>,
}

enum LoweredKindOfClaim<'p> {
    Formula(Logic, Written),
    /// A formula for each of some raw values of a variable of the claim.
    ForEach(Box<Variable>, Vec<i64>, Written),
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
            LoweredKindOfClaim::ForEach(variable, values, formula) => {
                let claim = observer.index();
                model.templates[claim].locals.push((**variable).clone());
                add_linear(model, named, formula, self.span)?;
                choose_first(&mut model.templates[claim], CHOSEN, values);
                Ok(())
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
                let chosen = match (logic, &formula.kind) {
                    (Logic::Linear, FormulaKind::Quantified(kind, binding, body)) => {
                        self.for_each(*kind, binding, body)
                    }
                    _ => None,
                };
                match chosen {
                    Some(chosen) => chosen,
                    None => LoweredKindOfClaim::Formula(*logic, self.written_out(formula)?),
                }
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

    fn written_out(&mut self, formula: &Formula) -> Fallible<Written> {
        let mut writing = Writing {
            lowering: self,
            bound: Vec::new(),
            spellings: Vec::new(),
        };
        writing.formula(formula)
    }

    /// A formula for all values of a type, one of which the claim chooses. None if there is nothing to choose, or a condition would take
    /// code if the value is not known.
    fn for_each(
        &mut self,
        kind: QuantifierKind,
        binding: &Binding,
        body: &Formula,
    ) -> Option<LoweredKindOfClaim<'p>> {
        let Domain::Type(ty) = binding.domain else {
            return None;
        };
        let values = self.values(binding)?;
        if kind != QuantifierKind::All || !(2..=limits::CHECKS).contains(&values.count) {
            return None;
        }
        let raw = |value| self.raw_constant(value, ty, binding.span);
        let raw: Option<Vec<i64>> = values.iter().map(raw).collect();
        let value = Value::of_raw(read(local_place(CHOSEN, binding.span)), self.kind(ty));
        self.variables
            .insert(binding.variable, Meaning::Value(value));
        let formula = self.written_out(body).ok()?;
        let variable = Variable {
            name: self.program.variable(binding.variable).name.to_string(),
            ty: self.shapes.of(&self.program.types, ty, binding.span).ok()?,
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span: binding.span,
        };
        let variable = Box::new(variable);
        Some(LoweredKindOfClaim::ForEach(variable, raw?, formula))
    }

    /// What a cell of the type holds for that value.
    fn raw_constant(&self, value: i128, ty: TypeId, span: Span) -> Option<i64> {
        match self.constant_of(value, ty, span) {
            Value::Member(raw) => raw.as_constant(),
            Value::Number(_) => match self.kind(ty) {
                TypeKind::Range { lo, .. } => i64::try_from(value - lo + 1).ok(),
                _ => None,
            },
            _ => None,
        }
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
        // What is read without code is what the claim itself has chosen.
        let temporary = |e: &Lowered| match &e.kind {
            LoweredKind::Read(place) => {
                matches!(place.root, Root::Local(local) if local != CHOSEN)
            }
            _ => false,
        };
        match code > 0 || lowered.any(temporary) {
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
