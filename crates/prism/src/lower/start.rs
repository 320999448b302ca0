//! Where runs start. What `init ... endinit` gives a value has it from the beginning. Everything else gets any value, one variable after the other, and each part of the
//! condition is asked as soon as the variables that it speaks of have their values.

use super::Lowering;
use crate::ast::{BinaryOp as TreeOp, Expr as Tree, ExprKind as TreeKind};
use crate::layout::scalar;
use crate::names::names_in;
use crate::terms::{Kind, Value, balanced};
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Root};
use mandala_model::findings::Fallible;
use mandala_model::ids::{LocalId, LocationId};
use mandala_model::model::UncheckedModel;
use mandala_model::parameters::{Parameter, Progression, Values};
use mandala_model::source::Span;
use mandala_model::template::{Control, Edge, Effect, Step};
use mandala_model::types::{Initial, Storage, Type, Variable};

impl Lowering<'_> {
    /// Makes the locations before the one where the system runs, and that one, which is the last. Tells the first value of each variable.
    pub(super) fn starts(&mut self, model: &mut UncheckedModel) -> Fallible<Vec<i64>> {
        let variables = &self.parts.layout.variables;
        let mut initial: Vec<i64> = variables.iter().map(|variable| variable.initial).collect();
        if let Some(init) = self.parts.init {
            model.start_held = true;
            let mut further = Vec::new();
            let mut given = vec![false; initial.len()];
            // That the whole is a condition is said of the whole.
            self.names.condition(init)?;
            for part in conjuncts(init) {
                match self.given(part) {
                    Some((number, value)) if !given[number] => {
                        (given[number], initial[number]) = (true, value);
                    }
                    _ => further.push(part),
                }
            }
            let free: Vec<usize> = (0..initial.len())
                .filter(|number| !given[*number])
                .collect();
            self.choose_all(&free, &further)?;
        }
        self.location("run");
        Ok(initial)
    }

    fn choose_all(&mut self, free: &[usize], further: &[&Tree]) -> Fallible<()> {
        let mut waiting: Vec<(usize, &Tree)> = Vec::new();
        for part in further {
            let names = names_in(part);
            let variables = &self.parts.layout.variables;
            let is_named = |number: &usize| names.contains(&variables[*number].name.name);
            let last = free.iter().rposition(is_named);
            waiting.push((last.map_or(0, |last| last + 1), part));
        }
        for step in 0..=free.len() {
            let asked = waiting.iter().filter(|(when, _)| *when == step);
            let asked: Fallible<Vec<Expr>> =
                asked.map(|(_, part)| self.names.condition(part)).collect();
            let span = self.parts.span;
            let guard = balanced(BinaryOp::And, asked?);
            let guard = guard.unwrap_or_else(|| Expr::constant(1, span));
            self.choose(free.get(step).copied(), guard);
        }
        Ok(())
    }

    /// A variable gets any value, if all is well so far; the last step gives none.
    fn choose(&mut self, variable: Option<usize>, guard: Expr) {
        let here = self.location("init");
        let (mut effects, mut parameters) = (Vec::new(), Vec::new());
        if let Some(number) = variable {
            let (effect, parameter) = self.any_value(number);
            effects.push(effect);
            parameters.push(parameter);
        }
        let control = match variable {
            Some(_) => Control::Hold,
            None => Control::Release,
        };
        let next = LocationId(here.0 + 1);
        self.go(
            (here, next),
            control,
            parameters,
            Step::Guarded { guard, effects },
        );
        // Where there is no step at all, control would be lost, and the place one that runs start in.
        let nowhere = Step::Guarded {
            guard: Expr::constant(1, self.parts.span),
            effects: vec![Effect::Abandon],
        };
        self.go((here, here), Control::Hold, Vec::new(), nowhere);
    }

    fn any_value(&mut self, number: usize) -> (Effect, Parameter) {
        let variable = &self.parts.layout.variables[number];
        let (kind, span) = (variable.kind, variable.name.span);
        let name = &variable.name.name;
        let slot = self.names.variables[name];
        let (low, high) = match kind {
            Kind::Bool => (0, 1),
            Kind::Int(low, high) => (low, high),
        };
        let local = LocalId::from(self.template.locals.len());
        self.template.locals.push(Variable {
            name: "value".into(),
            ty: Type::Scalar(scalar(kind)),
            indices: Vec::new(),
            initial: first_fitting(kind, span),
            storage: Storage::Scratch,
            span,
        });
        let value = Place::variable(Root::Local(local), span);
        let effect = Effect::Assign {
            place: slot.place(span),
            value: Expr::new(ExprKind::Read(value), span),
        };
        let parameter = Parameter {
            name: name.to_string(),
            local,
            values: Values(vec![Progression::range(low, (high - low + 1) as u32)]),
            positions_of: None,
            span,
        };
        (effect, parameter)
    }

    fn go(
        &mut self,
        (source, target): (LocationId, LocationId),
        control: Control,
        parameters: Vec<Parameter>,
        step: Step,
    ) {
        self.edges[source.index()].push(Edge {
            source,
            target,
            step,
            control,
            escape: 0,
            text: "init".into(),
            statement: 0,
            span: self.parts.init.map_or(self.parts.span, |init| init.span),
            twin: false,
            parameters,
            outcome: None,
        });
    }

    /// The variable that a condition gives a value, and the value.
    fn given(&self, part: &Tree) -> Option<(usize, i64)> {
        match &part.kind {
            TreeKind::Name(_) => self.given_value(part, &Value::Bool(true)),
            TreeKind::Not(inner) => self.given_value(inner, &Value::Bool(false)),
            TreeKind::Binary(TreeOp::Equal, left, right) => {
                let constant = |tree: &Tree| self.names.value(tree).ok();
                constant(right)
                    .and_then(|value| self.given_value(left, &value))
                    .or_else(|| constant(left).and_then(|value| self.given_value(right, &value)))
            }
            _ => None,
        }
    }

    fn given_value(&self, tree: &Tree, value: &Value) -> Option<(usize, i64)> {
        let TreeKind::Name(name) = &tree.kind else {
            return None;
        };
        let mut variables = self.parts.layout.variables.iter();
        let number = variables.position(|variable| variable.name.name == *name)?;
        let kind = self.parts.layout.variables[number].kind;
        match (kind, value) {
            (Kind::Bool, Value::Bool(value)) => Some((number, i64::from(*value))),
            (Kind::Int(low, high), Value::Int(value)) if (low..=high).contains(value) => {
                Some((number, *value))
            }
            _ => None,
        }
    }
}

/// A first value for a scratch variable whose range may be without 0.
pub(super) fn first_fitting(kind: Kind, span: Span) -> Initial {
    match kind {
        Kind::Int(low, high) if !(low..=high).contains(&0) => {
            Initial::Fill(Expr::constant(low, span))
        }
        _ => Initial::Default,
    }
}

/// The parts that are all true where the whole is.
fn conjuncts(tree: &Tree) -> Vec<&Tree> {
    match &tree.kind {
        TreeKind::All(parts) => parts.iter().flat_map(conjuncts).collect(),
        _ => vec![tree],
    }
}
