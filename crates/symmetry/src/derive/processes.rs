//! The rules of the derivation for processes: how they are made, what they hold at first, and how they end.

use super::annotate::Body;
use super::names::Refusal;
use super::typer::{Typed, Typer};
use super::types::{NameType, Slot};
use crate::derive::bodies::push_cells;
use crate::locations::{makes_channels, reachable_exit};
use crate::sorts::FARTHEST;
use crate::sorts::Shape;
use mandala_model::expr::{Expr, Place};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::template::Role;
use mandala_model::types::{Initial, Storage, Type, Variable};
use std::rc::Rc;

impl Typer<'_> {
    /// A process is made. Its number is the next one that is free, and is not moved, as those that are exist already.
    pub(super) fn spawn(
        &mut self,
        template: TemplateId,
        arguments: &[Expr],
        result: Option<&Place>,
    ) -> Typed<()> {
        self.arguments(template, arguments)?;
        if let Some(place) = result {
            let cell = self.cell(place)?;
            self.stored(cell, (NameType::Outsider, Some((0, 255))), place.span);
        }
        Ok(())
    }

    /// The arguments of a new process have the types of its parameters.
    pub(super) fn arguments(&mut self, template: TemplateId, arguments: &[Expr]) -> Typed<()> {
        let count = self.model.template(template).parameters as usize;
        let state = Rc::clone(&self.state);
        let mut cells = Vec::new();
        let shapes = state.locals[template.index()].iter().take(count);
        shapes.for_each(|shape| push_cells(shape, &mut cells));
        for (argument, (slot, scalar)) in arguments.iter().zip(cells) {
            let found = self.expr(argument)?;
            let hull = self.hull(argument);
            self.stored((slot.ty(), scalar), (found, hull), argument.span);
        }
        Ok(())
    }

    /// What the variables of a new process hold at first is renamed to itself. Of channels that are made for the elements of an array, the order would
    /// change with that of the elements.
    pub(super) fn births(&mut self, template: TemplateId) -> Typed<()> {
        self.enter(Some(template));
        self.begin(Body::Births(template));
        let declared = self.model.template(template);
        let state = Rc::clone(&self.state);
        let locals = declared.locals.iter().zip(&state.locals[template.index()]);
        for (variable, shape) in locals.skip(declared.parameters as usize) {
            if variable.storage == Storage::Scratch {
                if makes_channels(self.model, variable) {
                    return Err(Refusal::unsupported(variable.span));
                }
                continue;
            }
            if makes_channels(self.model, variable) {
                self.in_order(shape, variable.span);
            }
            self.first(shape, variable)?;
        }
        Ok(())
    }

    /// No array in a part of a variable is indexed by names.
    fn in_order(&mut self, shape: &Shape<Slot>, span: Span) {
        match shape {
            Shape::Cell(..) => {}
            Shape::Record(fields) => fields.iter().for_each(|f| self.in_order(f, span)),
            Shape::Array { index, element, .. } => {
                self.same_as(
                    index.ty(),
                    NameType::Plain,
                    span,
                    Some("tells channels apart"),
                );
                self.in_order(element, span);
            }
        }
    }

    /// What global variables hold at first. The first state need not be symmetric, so that only channels matter.
    pub(super) fn global_values(&mut self) -> Typed<()> {
        self.enter(None);
        self.begin(Body::Globals);
        let state = Rc::clone(&self.state);
        for (variable, shape) in self.model.globals.iter().zip(&state.globals) {
            self.first(shape, variable)?;
        }
        Ok(())
    }

    fn first(&mut self, shape: &Shape<Slot>, variable: &Variable) -> Typed<()> {
        match &variable.initial {
            Initial::Default => self.default_value(shape, &variable.ty, variable.span),
            Initial::NewChannel(kind) => {
                let mut cells = Vec::new();
                shape.each_cell(&mut |slot| cells.push(*slot));
                for slot in cells {
                    self.same(slot.ty(), NameType::Channel(*kind), variable.span);
                }
                Ok(())
            }
            Initial::Fill(value) => self.filled(shape, value),
            Initial::List(values) => {
                self.in_order(shape, variable.span);
                let mut values = values.iter();
                values.try_for_each(|value| self.filled(shape, value))
            }
        }
    }

    /// Each cell gets the value, for all that is known.
    fn filled(&mut self, shape: &Shape<Slot>, value: &Expr) -> Typed<()> {
        let found = self.expr(value)?;
        let hull = self.hull(value);
        let mut cells = Vec::new();
        cells_of(shape, &mut cells);
        for (slot, scalar) in cells {
            self.stored((slot.ty(), scalar), (found, hull), value.span);
        }
        Ok(())
    }

    fn default_value(&mut self, shape: &Shape<Slot>, ty: &Type, span: Span) -> Typed<()> {
        match (shape, ty) {
            (Shape::Cell(slot, _), _) => {
                self.same(slot.ty(), NameType::Constant(0), span);
                Ok(())
            }
            (Shape::Record(fields), Type::Record(id)) => {
                let declared = &self.model.record(*id).fields;
                let mut pairs = fields.iter().zip(declared);
                pairs.try_for_each(|(shape, variable)| self.first(shape, variable))
            }
            (Shape::Array { element, .. }, Type::Array { element: ty, .. }) => {
                self.default_value(element, ty, span)
            }
            _ => Err(Refusal::unsupported(span)),
        }
    }

    /// What must be so of the model as a whole. Names are small numbers, so that nothing is cut when they are counted from elsewhere. Processes end in the reverse of the order in which they were made, and so tell their numbers; and a
    /// reference to a channel always means the channel that it was made for, as long as nobody who made channels ends.
    pub(super) fn whole(&mut self) -> Typed<()> {
        let (model, sets) = (self.model, self.sets);
        let mut members = sets.0.iter().flat_map(|set| &set.domains);
        let far = |name: &i64| name.unsigned_abs() > FARTHEST as u64;
        let far = members.any(|(_, members)| members.iter().any(far));
        if let Some(template) = model.templates.first().filter(|_| far) {
            return Err(Refusal::unsupported(template.span));
        }
        let first = model.templates.first().map(|template| template.span);
        if let Some(span) = first.filter(|_| model.prioritised) {
            return Err(Refusal::unsupported(span));
        }
        for (id, template) in (0..).map(TemplateId).zip(&model.templates) {
            let Some(end) = reachable_exit(template).filter(|_| template.role == Role::Process)
            else {
                continue;
            };
            if template.locals.iter().any(|v| makes_channels(model, v)) {
                return Err(Refusal::unsupported(end));
            }
            if let Some(domain) = self.domain_of_family(id) {
                let name = &template.name;
                let message = format!(
                    "a `{name}` may end here, and processes end in the reverse of the order in which they were made"
                );
                self.check(false, |_| Refusal::of(vec![domain], end, message));
            }
        }
        Ok(())
    }

    /// The domain of the processes of a template, if they are renamed.
    fn domain_of_family(&self, template: TemplateId) -> Option<u32> {
        let place = self.moved.iter().position(|moved| *moved == template)?;
        let set = self.sets.processes()?;
        self.sets.numbers(set).get(place).copied()
    }
}

/// The classes of cells of a variable, each once.
fn cells_of(shape: &Shape<Slot>, cells: &mut Vec<(Slot, mandala_model::types::Scalar)>) {
    match shape {
        Shape::Cell(slot, scalar) => cells.push((*slot, *scalar)),
        Shape::Record(fields) => fields.iter().for_each(|f| cells_of(f, cells)),
        Shape::Array { element, .. } => cells_of(element, cells),
    }
}
