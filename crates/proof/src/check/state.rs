//! Facts about the cells of a state: whether they have room for the images of their values, and which values are known.

use super::judge::Judge;
use super::types::{Held, Ty};
use super::variables::{Slot, slots};
use super::{Checked, Examined, Reject, rows, settled};
use crate::proof::Body;
use mandala_model::types::{Initial, Variable};
use mandala_symmetry::DomainKind;
use mandala_symmetry::sorts::{Shape, Sort};

impl Examined<'_> {
    /// There is room for all that is moved or for none of it, what is known of values is so of their images, and no process ends that is moved.
    pub(super) fn state(&self) -> Checked<()> {
        let (model, proof) = (self.model, self.proof);
        let judge = self.judge(Body::Globals);
        rows::check(model, &proof.sorts.rows, self.mover)?;
        let classes = &proof.sorts.classes;
        let globals = model.globals.iter().zip(&classes.globals);
        let locals = model.runnables().zip(&classes.locals);
        let locals = locals.flat_map(|((_, template), shapes)| template.locals.iter().zip(shapes));
        for (variable, shape) in globals.chain(locals) {
            judge.room(shape, variable.span)?;
        }
        for (sorts, kind) in classes.fields.iter().zip(&model.channel_kinds) {
            let mut fields = sorts.iter().zip(&kind.fields);
            fields.try_for_each(|(s, scalar)| judge.room(&Shape::Cell(*s, *scalar), kind.span))?;
        }
        self.values_closed()?;
        for (global, shape) in &proof.scratch {
            let variable = model.global(*global);
            judge.room(shape, variable.span)?;
            self.first_value(&judge, variable, shape)?;
        }
        for domain in self.mover.touched(proof) {
            if let DomainKind::Processes { template, .. } = &domain.kind {
                let message = "a process that is moved may end here";
                settled::stays(model.template(*template), message)?;
            }
        }
        for (template, _) in proof.domains.iter().flat_map(|domain| &domain.residents) {
            let known = model.templates.get(template.index());
            let known = known.ok_or(Reject::whole("there is no such template"))?;
            let message = "a process may end here of which nobody else may be there";
            settled::stays(known, message)?;
        }
        Ok(())
    }

    /// What is known of values is so of their images.
    fn values_closed(&self) -> Checked<()> {
        let (mut sorts, mut all) = (Vec::new(), Vec::new());
        self.proof.sorts.classes.map(&mut |sort| sorts.push(*sort));
        self.proof
            .values
            .map(&mut |values| all.push(values.clone()));
        let closed = sorts.into_iter().zip(all).all(|(sort, values)| {
            let sort = self.mover.sort(sort);
            values.is_none_or(|values| self.mover.keeps(sort, |value| values.contains(&value)))
        });
        let message = "what is known of values is not so of their images";
        closed.then_some(()).ok_or(Reject::whole(message))
    }

    /// What holds a value when a step begins holds none that is moved.
    pub(super) fn first_value(
        &self,
        judge: &Judge<'_>,
        variable: &Variable,
        shape: &Shape<Sort>,
    ) -> Checked<()> {
        let is_cell = |slot: &Slot| matches!(slot, Slot::Cell(..));
        let mut cells = slots(shape).into_iter().filter(is_cell);
        cells.try_for_each(|cell| {
            let ty = Ty::of(self.mover, cell.sort(), Held::Anything);
            match variable.initial {
                Initial::Default => judge.keeps_zero(&ty, variable.span),
                _ => judge.meet(&ty, &Ty::plain(), variable.span, "is there at first"),
            }
        })
    }
}
