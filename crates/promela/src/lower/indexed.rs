//! Formulas that have to hold for each of some numbers, or for each combination of such.

use super::{Lowered, Lowering, fail};
use crate::ast::{Expr as AstExpr, IndexDomain, Quantifier};
use mandala_formulas::{Indices, add_branching, add_linear, require_new};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::stated::StatedForm;
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};

/// More numbers than processes can have are none of processes.
const MOST: i64 = 256;

/// How many combinations of numbers there may be: each is an edge of a claim at least.
const COMBINATIONS: usize = 4096;

impl Lowering {
    /// A formula of that form that has to hold for each of some numbers.
    pub(super) fn lower_indexed(
        &mut self,
        (name, form): (String, StatedForm),
        quantifiers: &[Quantifier],
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let numbers = quantifiers.iter().map(|one| self.numbers(&one.domain));
        let numbers = numbers.collect::<Lowered<Vec<Vec<i64>>>>()?;
        let sizes = numbers.iter().map(Vec::len);
        let combinations = sizes.fold(1, usize::saturating_mul);
        if combinations > COMBINATIONS {
            let message = format!(
                "the formula is about {combinations} combinations of numbers, but {COMBINATIONS} is the limit"
            );
            return fail(span, message);
        }
        require_new(&self.model, &name, span)?;
        let (written, variables) = self.as_claim(span, |lowering| {
            quantifiers
                .iter()
                .for_each(|one| lowering.declare_index(one));
            lowering.written(formula)
        })?;
        let indices = Indices {
            variables,
            values: numbers,
        };
        let model = &mut self.model;
        match form {
            StatedForm::Possible | StatedForm::AlwaysPossible | StatedForm::Ctl => {
                add_branching(model, name, form, &written, indices)
            }
            StatedForm::Ltl
            | StatedForm::Automaton
            | StatedForm::Pctl
            | StatedForm::Queries
            | StatedForm::Progress
            | StatedForm::Accept => add_linear(model, name, &written, indices, span),
        }
    }

    /// The variable for the number that is chosen.
    fn declare_index(&mut self, quantifier: &Quantifier) {
        self.declare_local(Variable {
            name: quantifier.variable.name.to_string(),
            ty: Type::Scalar(Scalar::Int {
                bits: 8,
                signed: false,
            }),
            indices: Vec::new(),
            initial: Initial::Default,
            storage: Storage::State,
            span: quantifier.variable.span,
        });
    }

    /// The numbers that a formula is about.
    fn numbers(&mut self, domain: &IndexDomain) -> Lowered<Vec<i64>> {
        match domain {
            IndexDomain::Range(first, last) => {
                let span = first.span.to(last.span);
                let (first, last) = (self.constant(first)?, self.constant(last)?);
                match first <= last && first >= 0 && last < MOST {
                    true => Ok((first..=last).collect()),
                    false => fail(
                        span,
                        format!("the numbers must be 0 to {} and at least one", MOST - 1),
                    ),
                }
            }
            IndexDomain::Processes(proctype) => {
                let Some(&template) = self.globals.templates.get(&*proctype.name) else {
                    return fail(
                        proctype.span,
                        format!("there is no proctype `{}`", proctype.name),
                    );
                };
                self.numbers_of(template, &proctype.name, proctype.span)
            }
        }
    }

    /// The numbers of the processes of a proctype that exist from the start.
    fn numbers_of(&self, template: TemplateId, name: &str, span: Span) -> Lowered<Vec<i64>> {
        let start = self.model.start.iter().zip(0..);
        let numbers = start.filter(|(process, _)| process.template == template);
        let numbers: Vec<i64> = numbers.map(|(_, number)| number).collect();
        match numbers.is_empty() {
            false => Ok(numbers),
            true => fail(
                span,
                format!(
                    "no process of `{name}` exists from the start; give the numbers of those that `run` makes, as in `1 .. 3`"
                ),
            ),
        }
    }
}
