//! Lowering of properties of runs: conditions without code, and formulas with quantifiers.
//!
//! Values of `forall` in front of a formula are its indices, so that none of them is named and the symmetry
//! stays whole. For all other quantifiers the formula is written out.

use super::build::read;
use super::calls::Frame;
use super::choices::Choices;
use super::flow::{Flow, Label};
use super::value::{Value, local_place};
use super::{Lowering, Meaning};
use crate::limits;
use crate::typed::{
    Binding, Claim, ClaimKind, Domain, Expr, Formula, FormulaKind, QuantifierKind, TypeId,
};
use mandala_formulas::prefix::Logic;
use mandala_formulas::{Indices, Written, add_automaton, add_branching, add_linear};
use mandala_model::expr::{Expr as Lowered, ExprKind as LoweredKind, Root};
use mandala_model::findings::{Fallible, error, error_help};
use mandala_model::ids::LocalId;
use mandala_model::property::{BinaryTemporal, Condition};
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::types::{Initial, Storage, Variable};
use mandala_model::{Diagnostic, UncheckedModel};
use mandala_temporal::Hoa;

/// A claim whose conditions are those of the model.
pub(super) struct LoweredClaim<'p> {
    name: &'p str,
    span: Span,
    kind: LoweredKindOfClaim<'p>,
}

enum LoweredKindOfClaim<'p> {
    /// The formula holds, whatever is chosen.
    Formula(Logic, Vec<Chosen>, Written),
    Automaton(&'p Hoa, Vec<Lowered>),
}

/// A variable for an index, and what that can be.
struct Chosen {
    variable: Variable,
    raws: Vec<i64>,
}

impl LoweredClaim<'_> {
    /// Adds it to the model.
    pub(super) fn add(&self, model: &mut UncheckedModel) -> Fallible<()> {
        let name = self.name.to_string();
        match &self.kind {
            LoweredKindOfClaim::Formula(logic, chosen, formula) => {
                let indices = Indices {
                    variables: chosen.iter().map(|one| one.variable.clone()).collect(),
                    values: chosen.iter().map(|one| one.raws.clone()).collect(),
                };
                match logic {
                    Logic::Linear => add_linear(model, name, formula, indices, self.span),
                    Logic::Branching => {
                        add_branching(model, name, StatedForm::Ctl, formula, indices)
                    }
                }
            }
            LoweredKindOfClaim::Automaton(automaton, conditions) => {
                add_automaton(model, name, automaton, conditions, self.span)
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
            ClaimKind::Formula(logic, formula) => self.chosen_or_written_out(*logic, formula)?,
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

    /// A formula. A condition may need code for a value that is not known and none for one that is: then it is written out.
    fn chosen_or_written_out(
        &mut self,
        logic: Logic,
        formula: &Formula,
    ) -> Fallible<LoweredKindOfClaim<'p>> {
        let (chosen, formula) = match self.for_each(formula) {
            Ok(chosen) => chosen,
            Err(_) => (Vec::new(), self.written_out(formula)?),
        };
        Ok(LoweredKindOfClaim::Formula(logic, chosen, formula))
    }

    /// The formula behind the quantifiers in front of it, whose values are chosen.
    fn for_each(&mut self, mut formula: &Formula) -> Fallible<(Vec<Chosen>, Written)> {
        let mut chosen = Vec::new();
        let mut combinations: u128 = 1;
        while let FormulaKind::Quantified(QuantifierKind::All, binding, body) = &formula.kind
            && let Domain::Type(ty) = binding.domain
        {
            let one = self.chosen(binding, ty, chosen_local(chosen.len()))?;
            combinations = combinations.saturating_mul(one.raws.len() as u128);
            if combinations > limits::CHECKS {
                return Err(too_many(binding.span));
            }
            chosen.push(one);
            formula = body;
        }
        Ok((chosen, self.written_out(formula)?))
    }

    /// Lets the variable of a quantifier be one of the claim.
    fn chosen(&mut self, binding: &Binding, ty: TypeId, local: LocalId) -> Fallible<Chosen> {
        let span = binding.span;
        let values = self.values(binding);
        let few = values.filter(|values| values.count <= limits::CHECKS);
        let values = few.ok_or_else(|| too_many(span))?;
        let mut raws = Vec::new();
        for value in values.iter() {
            let value = self.constant_of(value, ty, span);
            let raw = self.raw(value, ty)?.as_constant();
            raws.extend(raw);
        }
        let held = Value::of_raw(read(local_place(local, span)), self.kind(ty));
        self.variables
            .insert(binding.variable, Meaning::Value(held));
        let variable = Variable {
            name: self.program.variable(binding.variable).name.to_string(),
            ty: self.shapes.of(&self.program.types, ty, span)?,
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span,
        };
        Ok(Chosen { variable, raws })
    }

    fn written_out(&mut self, formula: &Formula) -> Fallible<Written> {
        let mut writing = Writing {
            lowering: self,
            bound: Vec::new(),
            spellings: Vec::new(),
        };
        writing.formula(formula)
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
        self.bound.clear();
        self.frames = vec![Frame::of_rule()];
        self.label = Label {
            text: self.program.show_expr(condition),
            span: condition.span,
        };
        let mut lowered = self.condition(condition)?;
        let code = self.flow.size();
        self.flow = Flow::new();
        self.size += 1;
        self.check_size()?;
        let is_temporary = |e: &Lowered| matches!(&e.kind, LoweredKind::Read(place) if matches!(place.root, Root::Local(local) if !is_chosen(local)));
        if code > 0 || lowered.any(is_temporary) {
            return Err(unsupported());
        }
        lowered.each_mut(&mut settle);
        Ok(lowered)
    }
}

/// What stands for a variable of the claim while conditions are lowered, which have temporaries with the least numbers.
fn chosen_local(number: usize) -> LocalId {
    LocalId(u32::MAX - number as u32)
}

fn is_chosen(local: LocalId) -> bool {
    local.0 > u32::MAX / 2
}

/// Puts in the variable of the claim.
fn settle(e: &mut Lowered) {
    if let LoweredKind::Read(place) = &mut e.kind
        && let Root::Local(local) = &mut place.root
        && is_chosen(*local)
    {
        *local = LocalId(u32::MAX - local.0);
    }
}

fn too_many(span: Span) -> Box<Diagnostic> {
    let message = "a formula is checked for each value of a quantifier, and here are too many";
    error(span, message)
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
        let values = few.ok_or_else(|| too_many(binding.span))?;
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

    fn condition(&mut self, condition: &Expr) -> Fallible<Condition> {
        let lowered = self.lowering.seen(condition)?;
        let shown = self.lowering.program.show_expr(condition);
        Ok(Condition {
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
