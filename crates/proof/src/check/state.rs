//! What a state holds: whether it has room for what is moved, and what is known of values.

use super::judge::Judge;
use super::types::Ty;
use super::{Checked, Examined, Reject, rows, settled};
use crate::proof::Body;
use mandala_model::state::Value;
use mandala_model::types::{Initial, Variable};
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::BTreeSet;

impl Examined<'_> {
    /// There is room for all that is moved or for none of it, what is known of values is so of their images, and no process ends that is moved.
    pub(super) fn state(&self) -> Checked<()> {
        let (model, proof) = (self.model, self.proof);
        let judge = self.judge(Body::Globals);
        rows::check(model, &proof.sorts.rows, self.mover)?;
        let classes = &proof.sorts.classes;
        let locals = model
            .runnables()
            .zip(classes.locals.iter().zip(&proof.values.locals));
        let locals = locals
            .flat_map(|((_, t), (shapes, values))| t.locals.iter().zip(shapes.iter().zip(values)));
        let globals = model
            .globals
            .iter()
            .zip(classes.globals.iter().zip(&proof.values.globals));
        for (variable, (shape, values)) in globals.chain(locals) {
            judge.room(shape, variable.span)?;
            self.values_closed(shape, values)?;
        }
        let fields = classes
            .fields
            .iter()
            .zip(&proof.values.fields)
            .zip(&model.channel_kinds);
        for ((sorts, values), kind) in fields {
            for ((sort, values), scalar) in sorts.iter().zip(values).zip(&kind.fields) {
                let cell = Shape::Cell(*sort, *scalar);
                judge.room(&cell, kind.span)?;
                self.values_closed(&cell, &Shape::Cell(values.clone(), *scalar))?;
            }
        }
        for (global, shape) in &proof.scratch {
            let variable = model.global(*global);
            judge.room(shape, variable.span)?;
            self.first_value(&judge, variable, shape)?;
        }
        for (number, domain) in proof.domains.iter().enumerate() {
            if let DomainKind::Processes { template, .. } = &domain.kind
                && self.mover.touches(proof, number)
                && let Some(end) = settled::end(model.template(*template))
            {
                return Err(Reject::at(end, "a process that is moved may end here"));
            }
            for (template, _) in &domain.residents {
                let known = model.templates.get(template.index());
                let known = known.ok_or_else(|| Reject::whole("there is no such template"))?;
                if let Some(end) = settled::end(known) {
                    return Err(Reject::at(
                        end,
                        "a process may end here of which nobody else may be there",
                    ));
                }
            }
        }
        Ok(())
    }

    fn values_closed(
        &self,
        shape: &Shape<Sort>,
        values: &Shape<Option<BTreeSet<Value>>>,
    ) -> Checked<()> {
        match (shape, values) {
            (Shape::Cell(sort, _), Shape::Cell(Some(values), _)) => {
                let mut pairs = self.mover.pairs(self.mover.sort(*sort));
                let closed = pairs.all(|(a, b)| values.contains(&a) == values.contains(&b));
                closed.then_some(()).ok_or_else(|| {
                    Reject::whole("what is known of values is not so of their images")
                })
            }
            (Shape::Record(shapes), Shape::Record(values)) => shapes
                .iter()
                .zip(values)
                .try_for_each(|(shape, values)| self.values_closed(shape, values)),
            (
                Shape::Array { element, .. },
                Shape::Array {
                    element: values, ..
                },
            ) => self.values_closed(element, values),
            _ => Ok(()),
        }
    }

    /// What holds a value when a step begins holds none that is moved.
    pub(super) fn first_value(
        &self,
        judge: &Judge<'_>,
        variable: &Variable,
        shape: &Shape<Sort>,
    ) -> Checked<()> {
        let mut kept = Ok(());
        let is_default = matches!(variable.initial, Initial::Default);
        shape_cells(shape, &mut |sort| {
            let ty = Ty::of(self.mover, sort, None);
            let fine = match is_default {
                true => judge.keeps_zero(&ty, variable.span),
                false => judge.meet(&ty, &Ty::plain(), variable.span, "is there at first"),
            };
            if kept.is_ok() {
                kept = fine;
            }
        });
        kept
    }
}

/// The sorts of the cells of a variable.
fn shape_cells(shape: &Shape<Sort>, visit: &mut impl FnMut(Sort)) {
    match shape {
        Shape::Cell(sort, _) => visit(*sort),
        Shape::Record(fields) => fields.iter().for_each(|f| shape_cells(f, visit)),
        Shape::Array { element, .. } => shape_cells(element, visit),
    }
}
