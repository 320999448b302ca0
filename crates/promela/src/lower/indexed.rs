//! Formulas that have to hold for each of some numbers.
//!
//! `forall i in 1 .. N: phi(i)` is violated iff some `i` and some run violate `phi(i)`. So the claim has a variable for `i`. With its
//! first step, which reads the first state like that of any other claim, it also chooses a number, and keeps it for ever.
//!
//! This is what lets the whole group of the system be used, although each `phi(i)` by itself names a process: a renaming maps the
//! claim that has chosen `i` to the one that has chosen the image of `i`. Of the choices that are images of each other one is explored, and
//! from there on what leaves the chosen number alone is exchanged.

use super::{Lowered, Lowering, fail};
use crate::ast::{Expr as AstExpr, IndexDomain, Quantifier};
use mandala_model::expr::{Expr, ExprKind, Place, Root};
use mandala_model::ids::{LocalId, LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Edge, Effect, Location, Step, Template};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};

/// More numbers than processes can have are none of processes.
const MOST: i64 = 256;

impl Lowering {
    /// A formula that every run has to satisfy for each of some numbers.
    pub(super) fn lower_indexed(
        &mut self,
        name: String,
        quantifier: &Quantifier,
        formula: &AstExpr,
        span: Span,
    ) -> Lowered<()> {
        let numbers = self.numbers(&quantifier.domain)?;
        let template = self.new_observer(&name, span)?;
        let index = self.declare_local(Variable {
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
        self.complete_formula(name, template, formula, span)?;
        choose_first(&mut self.model.templates[template.index()], index, &numbers);
        Ok(())
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

/// Lets the claim choose one of some numbers with its first step.
fn choose_first(claim: &mut Template, index: LocalId, numbers: &[i64]) {
    let first: Vec<Edge> = claim
        .edges_from(claim.entry)
        .map(|(_, e)| e.clone())
        .collect();
    let entry = LocationId::from(claim.locations.len());
    let begin = claim.edges.len() as u32;
    for &number in numbers {
        let chosen = first
            .iter()
            .map(|edge| choosing(edge, entry, index, number));
        claim.edges.extend(chosen);
    }
    claim.locations.push(Location {
        number: claim.locations.len() as u32 + 1,
        labels: Vec::new(),
        end: false,
        progress: false,
        accept: false,
        silent: true,
        edges: begin..claim.edges.len() as u32,
        span: claim.span,
    });
    claim.entry = entry;
}

/// The step that makes a choice and is otherwise another one after that choice.
fn choosing(edge: &Edge, source: LocationId, index: LocalId, number: i64) -> Edge {
    let mut edge = Edge {
        source,
        ..edge.clone()
    };
    if let Step::Guarded { guard, effects } = &mut edge.step {
        let span = guard.span;
        guard.each_mut(&mut |e| {
            if is_index(e, index) {
                e.kind = ExprKind::Const(number);
            }
        });
        let place = Place {
            root: Root::Local(index),
            path: Vec::new(),
            span,
        };
        let value = Expr::constant(number, span);
        effects.insert(0, Effect::Assign { place, value });
    }
    edge
}

fn is_index(e: &Expr, index: LocalId) -> bool {
    matches!(&e.kind, ExprKind::Read(place) if place.root == Root::Local(index))
}
