//! Priorities of processes: a process can move only where none of a higher priority could.

use crate::attempt::{Attempt, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::number::Number;
use crate::stop::Stop;
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::template::Template;
use mandala_resolved::ResolvedExpr;
use oxidd::BooleanFunction;

/// The greatest priority.
const HIGHEST: i64 = 255;

impl Attempt<'_> {
    /// Where a process at a location, which is so `here`, is free to move at all: what it is provided with holds, and no process of
    /// a higher priority could move instead.
    pub(crate) fn may_move(
        &mut self,
        path: &Path,
        here: Bdd,
        template: &Template,
        location: LocationId,
    ) -> Made<Bdd> {
        if template.locations[location.index()].edges.is_empty() {
            return Ok(here);
        }
        let provided = self.provided(path, &here)?;
        self.unhindered(path, provided)
    }

    /// Where what the actor is provided with holds, as far as it is wanted.
    fn provided(&mut self, path: &Path, under: &Bdd) -> Made<Bdd> {
        let template = self.context.layout.processes[self.actor].template();
        match &self.context.code.template(template).provided {
            Some(condition) => {
                let holds = self.holds(path, under, condition)?.and(under)?;
                without(&holds, &self.halted)
            }
            None => Ok(under.clone()),
        }
    }

    /// Where nobody of a higher priority could move.
    fn unhindered(&mut self, path: &Path, mut open: Bdd) -> Made<Bdd> {
        let (d, layout) = (self.d(), self.context.layout);
        let Some(own) = layout.processes[self.actor].priority else {
            return Ok(open);
        };
        let mut others: Vec<usize> = (0..layout.processes.len()).collect();
        others.sort_by_key(|&other| layout.processes[other].number());
        for other in others {
            let Some(priority) = layout.processes[other].priority else {
                continue;
            };
            let is_higher = self.cell(path, own).less(d, &self.cell(path, priority))?;
            let here = is_higher.and(&self.exists(path, other)?)?.and(&open)?;
            if !here.satisfiable() {
                continue;
            }
            let actor = std::mem::replace(&mut self.actor, other);
            let here = self.provided(path, &here)?;
            let hinders = self.some_step_possible(path, &here)?;
            self.actor = actor;
            open = without(&without(&open, &hinders)?, &self.halted)?;
        }
        Ok(open)
    }

    /// The priority of the process of that number; 0 where there is none.
    pub(crate) fn priority_of(&self, path: &Path, number: &Number) -> Made<Number> {
        let mut priority = self.constant(0);
        for (other, own) in self.context.layout.processes.iter().enumerate() {
            let theirs = match own.priority {
                Some(cell) => self.cell(path, cell),
                None => self.constant(own.tenant.priority.into()),
            };
            let is_meant = self.is_meant(path, number, other)?;
            priority = Number::choose(&is_meant, &theirs, &priority)?;
        }
        Ok(priority)
    }

    /// Changes the priority of a process, if there is one of that number.
    pub(crate) fn set_priority(
        &mut self,
        path: &mut Path,
        process: &ResolvedExpr,
        to: &ResolvedExpr,
    ) -> Made<()> {
        let number = self.evaluate(path, &path.condition, process)?;
        let value = self.evaluate(path, &path.condition, to)?;
        self.go_on(path)?;
        for other in 0..self.context.layout.processes.len() {
            let is_meant = self.is_meant(path, &number, other)?;
            self.put_priority(path, &is_meant, other, &value, to.span)?;
        }
        Ok(())
    }

    /// Gives a process a priority where the condition holds. What is none is a fault.
    pub(crate) fn put_priority(
        &mut self,
        path: &mut Path,
        when: &Bdd,
        process: usize,
        value: &Number,
        span: Span,
    ) -> Made<()> {
        let d = self.d();
        let too_low = value.less(d, &self.constant(1))?;
        let too_high = self.constant(HIGHEST).less(d, value)?;
        let kind = FaultKind::BadPriority {
            value: value.as_constant(d).unwrap_or(0),
        };
        let wrong = too_low.or(&too_high)?.and(when)?;
        self.fault(&path.condition, &wrong, kind, span)?;
        let cell = self.context.layout.processes[process].priority;
        self.put(path, when, cell.ok_or_else(|| undeclared(span))?, value)?;
        self.go_on(path)
    }
}

/// No front end asks for priorities in a model that does not say that it has some.
pub(crate) fn undeclared(span: Span) -> Stop {
    Stop::unsupported("priorities in a model without priorities", Some(span))
}
