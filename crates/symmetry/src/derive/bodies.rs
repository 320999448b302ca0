//! The rules of the derivation for statements, routines, edges and conditions.

use super::Refusal;
use super::typer::{Frame, Typed, Typer};
use super::types::NameType;
use crate::sorts::Shape;
use mandala_model::expr::{Expr, Place};
use mandala_model::ids::{ConditionId, PropertyId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Edge, Effect, Insertion, Print, Routine, Step};
use mandala_model::types::{Initial, Variable};
use std::rc::Rc;

impl Typer<'_> {
    /// An edge: each choice of its parameters is mapped to the choice with the renamed values.
    pub(super) fn edge(&mut self, template: TemplateId, edge: &Edge) -> Typed<()> {
        let frame = self.enter(Some(template));
        self.step(&edge.step, edge.span)?;
        for parameter in &edge.parameters {
            let place = frame.temporaries.get(parameter.local.index());
            let Some(Some(Shape::Cell(slot, _))) = place else {
                return Err(Refusal::unsupported(parameter.span));
            };
            self.closed(NameType::Open(*slot), &parameter.values, parameter.span)?;
        }
        self.temporaries(&frame, template)
    }

    /// Temporaries hold no names when a step begins, and have room for all names of a set or for none.
    fn temporaries(&mut self, frame: &Frame, template: TemplateId) -> Typed<()> {
        let variables = &self.model.template(template).locals;
        for (variable, shape) in variables.iter().zip(&frame.temporaries) {
            let Some(shape) = shape else { continue };
            let types = shape.map(&mut |slot| self.slots.resolve(NameType::Open(*slot)));
            self.room(&types, variable.span)?;
            self.first_value(variable, &types)?;
        }
        Ok(())
    }

    /// The value that a temporary holds when a step begins is no name: each renaming keeps it.
    fn first_value(&mut self, variable: &Variable, types: &Shape<NameType>) -> Typed<()> {
        // 0 is never a name.
        if variable.initial == Initial::Default {
            return Ok(());
        }
        let mut cells = Vec::new();
        types.each_cell(&mut |ty| cells.push(*ty));
        let set = cells.iter().find_map(|ty| match ty {
            NameType::Name(set) => Some(*set),
            _ => None,
        });
        self.check(set.is_none(), || Refusal::unsupported(variable.span))
    }

    /// The room of what is part of the state.
    pub(super) fn state_room(&mut self) -> Typed<()> {
        let state = Rc::clone(&self.state);
        let globals = self.model.globals.iter().zip(&state.globals);
        let locals = self.model.runnables().zip(&state.locals);
        let locals = locals.flat_map(|((_, template), shapes)| template.locals.iter().zip(shapes));
        for (variable, shape) in globals.chain(locals) {
            let types = shape.map(&mut |slot| self.slots.resolve(NameType::Open(*slot)));
            self.room(&types, variable.span)?;
        }
        Ok(())
    }

    /// A cell or an array of a type of names has room for all names of the set, or for none.
    fn room(&self, types: &Shape<NameType>, span: Span) -> Typed<()> {
        match types {
            Shape::Cell(ty, scalar) => {
                self.all_or_none(*ty, |name| Fit::of(scalar.store(name), name), span)
            }
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.room(f, span)),
            Shape::Array {
                index,
                element,
                length,
            } => {
                let inside = |name: i64| match (0..i64::from(*length)).contains(&name) {
                    true => Fit::Kept,
                    false => Fit::Refused,
                };
                self.all_or_none(*index, inside, span)?;
                self.room(element, span)
            }
        }
    }

    fn all_or_none(&self, ty: NameType, fit: impl Fn(i64) -> Fit, span: Span) -> Typed<()> {
        let NameType::Name(set) = ty else {
            return Ok(());
        };
        let mut fits = self.sets.names(set).map(fit);
        let first = fits.next().unwrap_or(Fit::Kept);
        let alike = first != Fit::Changed && fits.all(|other| other == first);
        self.check(alike, || {
            let name = self.sets.label(set);
            let message = format!("a variable has room for some members of `{name}` only");
            Refusal::of(set, span, message)
        })
    }

    fn step(&mut self, step: &Step, span: Span) -> Typed<()> {
        match step {
            Step::Guarded { guard, effects } => {
                self.truth(guard)?;
                effects
                    .iter()
                    .try_for_each(|effect| self.effect(effect, span))
            }
            Step::Routine(routine) => self.routine(routine),
            Step::Else | Step::Exit => Ok(()),
            Step::Call(call) => self.call(call, span),
            Step::Send { .. } | Step::Receive { .. } => Err(Refusal::unsupported(span)),
        }
    }

    /// At each node the first choice is taken that can be. Whether one can be taken is the same in a renamed state.
    fn routine(&mut self, routine: &Routine) -> Typed<()> {
        let mut choices = routine.nodes.iter().flat_map(|node| &node.choices);
        choices.try_for_each(|choice| self.step(&choice.step, choice.span))
    }

    fn effect(&mut self, effect: &Effect, span: Span) -> Typed<()> {
        match effect {
            Effect::Assign { place, value } => self.assign(place, value),
            Effect::Assert { condition } => self.truth(condition).map(drop),
            // What is printed is not preserved, but whether it has a value is.
            Effect::Print { text } => match text {
                Print::Format { arguments, .. } => {
                    arguments.iter().try_for_each(|a| self.truth(a).map(drop))
                }
                Print::Name(value) => self.truth(value).map(drop),
            },
            Effect::Insert(insertion) => self.insertion(insertion),
            Effect::Fail { .. } | Effect::Abandon => Ok(()),
            Effect::Spawn { .. } | Effect::SetPriority { .. } => Err(Refusal::unsupported(span)),
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Typed<()> {
        let found = self.expr(value)?;
        let (cell, scalar) = self.cell(place)?;
        // What a number becomes when it is stored must be no name either.
        let found = match found {
            NameType::Constant(value) => NameType::Constant(scalar.store(value).unwrap_or(value)),
            other => other,
        };
        self.same(cell, found, place.span).map(drop)
    }

    fn insertion(&mut self, insertion: &Insertion) -> Typed<()> {
        self.truth(&insertion.has_room)?;
        self.assign(&insertion.position, &insertion.first_free)?;
        let mut cells = insertion.cells.iter();
        cells.try_for_each(|(place, value)| self.assign(place, value))
    }

    /// The conditions that a property asks of states.
    pub(super) fn conditions(&mut self, property: PropertyId) -> Typed<()> {
        let kind = &self.model.properties[property.index()].kind;
        if !kind.indices().is_empty() {
            return Err(Refusal::unsupported(
                self.model.properties[property.index()].span,
            ));
        }
        let conditions: Vec<ConditionId> = kind.conditions().into_iter().collect();
        for id in conditions {
            self.frame = Rc::default();
            self.truth(&self.model.condition(id).condition)?;
        }
        Ok(())
    }
}

/// What becomes of a name that is stored in a cell or used as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It stays what it is.
    Kept,
    /// It is a run-time error.
    Refused,
    /// It becomes another value.
    Changed,
}

impl Fit {
    fn of(stored: Option<i64>, name: i64) -> Self {
        match stored {
            Some(value) if value == name => Fit::Kept,
            Some(_) => Fit::Changed,
            None => Fit::Refused,
        }
    }
}
