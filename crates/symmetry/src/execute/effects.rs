//! Symbolic execution of effects.

use super::risks::Risks;
use super::{Executor, Halt, Stop, What};
use crate::breach::Breach;
use crate::execute::run::{LARGE, Run};
use crate::path::{At, Deed, Insert, Observation};
use crate::term::{Cell, Home, Term};
use mandala_model::expr::{Expr, Place, Projection};
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::template::{Effect, Insertion, Print};

impl Executor<'_> {
    /// What effects do, and how the path ends if they end it.
    pub(super) fn effects(
        &mut self,
        run: &mut Run,
        effects: &[Effect],
    ) -> Result<Option<Halt>, Breach> {
        for effect in effects {
            match effect {
                Effect::Fail { .. } => return Ok(Some(Halt::Fails)),
                Effect::Abandon => return Ok(Some(Halt::Vanishes)),
                _ => self.paid_effect(run, effect)?,
            }
        }
        Ok(None)
    }

    /// What an effect does, which costs as much as there is to write down.
    fn paid_effect(&mut self, run: &mut Run, effect: &Effect) -> Result<(), Breach> {
        let before = run.weight;
        self.effect(run, effect)?;
        let written = run.weight.saturating_sub(before);
        match effect {
            Effect::Assign { place, .. } => {
                self.pay(written, place.span, What::Phrase("this assignment"))
            }
            _ => {
                let name = &self.template.name;
                self.pay(written, self.template.span, What::Code(name))
            }
        }
    }

    fn effect(&mut self, run: &mut Run, effect: &Effect) -> Result<(), Breach> {
        match effect {
            Effect::Assign { place, value } => self.assign(run, place, value),
            Effect::Assert { condition } => {
                let term = self.value(run, condition)?;
                let term = self.algebra.condition(term);
                run.observe(Observation::Asserts(term), condition.span);
                Ok(())
            }
            // What is shown is not part of any verdict; that it can be computed is.
            Effect::Print { text } => match text {
                Print::Format { arguments, .. } => {
                    arguments.iter().try_for_each(|a| self.compute(run, a))
                }
                Print::Name(value) => self.compute(run, value),
            },
            Effect::Spawn {
                template,
                arguments,
                priority,
                result,
            } => self.spawn(run, *template, arguments, *priority, result.as_ref()),
            Effect::SetPriority { process, .. } => Err(Breach::at(
                process.span,
                "sets a priority, which is not supported with symmetry",
            )),
            Effect::Insert(insertion) => self.insert(run, insertion),
            Effect::Fail { .. } | Effect::Abandon => {
                unreachable!("what ends a path is not tried as an effect")
            }
        }
    }

    /// Puts an element among others. Where it is put and whether there is room is a matter of those that are there
    /// already, so that several in a row have no order.
    fn insert(&mut self, run: &mut Run, insertion: &Insertion) -> Result<(), Breach> {
        let span = insertion.first_free.span;
        let puts = self.statement(run, span, |this, run, risks| {
            let mut puts = Vec::new();
            for (place, value) in &insertion.cells {
                let term = this.evaluate(run, value, risks)?;
                let cell = this.some_element(place)?;
                let stored = this.stored(cell.scalar.0, term.clone(), risks);
                let what = (cell, stored);
                puts.push((
                    term,
                    At {
                        what,
                        span: value.span,
                    },
                ));
            }
            Ok(puts)
        })?;
        let mut cells = Vec::new();
        for (term, put) in puts {
            self.observe_risk(run, term, put.span);
            cells.push(put);
        }
        run.insert(Insert { cells });
        Ok(())
    }

    /// A cell of an element, whichever: of that at position 1.
    fn some_element(&self, place: &Place) -> Result<Cell, Stop> {
        let mut anywhere = place.clone();
        if let Some(Projection::Index(index)) = anywhere.path.first_mut() {
            *index = Expr::constant(1, index.span);
        }
        self.cell(&Run::default(), &anywhere, &mut Risks::default())
    }

    fn compute(&mut self, run: &mut Run, value: &Expr) -> Result<(), Breach> {
        let term = self.value(run, value)?;
        self.observe_risk(run, term, value.span);
        Ok(())
    }

    /// Notes that a value is computed, if that may fail.
    fn observe_risk(&self, run: &mut Run, term: Term, span: Span) {
        if !self.algebra.is_total(&term) {
            run.observe(Observation::Computes(term), span);
        }
    }

    fn assign(&mut self, run: &mut Run, place: &Place, value: &Expr) -> Result<(), Breach> {
        let ((term, cell, stored), risks) = self.tried(run, |this, run, risks| {
            let term = this.evaluate(run, value, risks)?;
            let cell = this.target(run, place, risks)?;
            let stored = this.stored(cell.scalar.0, term.clone(), risks);
            Ok((term, cell, stored))
        })?;
        if run.may_hide(&cell) {
            run.flush();
            return self.assign(run, place, value);
        }
        self.require(run, risks, place.span)?;
        let read = Term::Read(cell.clone());
        for computed in [term, read, stored.clone()] {
            self.observe_risk(run, computed, place.span);
        }
        // A value that is not put together any further keeps the terms small.
        let large = stored.size_up_to(LARGE) == LARGE;
        run.write(cell, stored, place.span.to(value.span));
        if large {
            run.flush();
        }
        Ok(())
    }

    /// A cell that is to be written.
    fn target(&self, run: &Run, place: &Place, risks: &mut Risks) -> Result<Cell, Stop> {
        let cell = self.cell(run, place, risks)?;
        if matches!(cell.home, Home::Remote(..)) {
            let why = "writes into another process, which is not supported with symmetry";
            return Err(Stop::Give(Breach::at(place.span, why)));
        }
        Ok(cell)
    }

    fn spawn(
        &mut self,
        run: &mut Run,
        template: TemplateId,
        arguments: &[Expr],
        priority: u8,
        result: Option<&Place>,
    ) -> Result<(), Breach> {
        let made = self.model.template(template);
        let parameters = &made.locals[..made.parameters as usize];
        let scalars: Vec<_> = parameters
            .iter()
            .flat_map(|p| self.model.scalars(&p.ty))
            .collect();
        let span = span_of(arguments, result, made.span);
        let deed = self.statement(run, span, |this, run, risks| {
            if run.is_dirty() {
                return Err(Stop::Flush);
            }
            let mut values = Vec::new();
            for (argument, scalar) in arguments.iter().zip(&scalars) {
                let value = this.evaluate(run, argument, risks)?;
                values.push(this.stored(*scalar, value, risks));
            }
            let result = result.map(|place| this.target(run, place, risks));
            Ok(Deed::Spawn(template, values, priority, result.transpose()?))
        })?;
        run.act(At { what: deed, span });
        Ok(())
    }
}

fn span_of(arguments: &[Expr], result: Option<&Place>, otherwise: Span) -> Span {
    let first = arguments.first().map(|a| a.span);
    first.or(result.map(|p| p.span)).unwrap_or(otherwise)
}
