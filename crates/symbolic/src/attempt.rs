//! A step in the making, for all states at once.
//!
//! A [`Path`] is what the step has come to so far: the states in which it comes this far, and what the cells hold
//! then. Where ways part (branches of a routine), each gets a path of its own; where they meet, the paths become one again, and a
//! cell holds one thing or the other depending on the state in which the step began. All conditions are about that state.

use crate::cells::Layout;
use crate::diagrams::{Bdd, Diagrams, Made, without};
use crate::number::Number;
use crate::stop::{CellId, Misfit};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::step::{Fault, FaultKind, Violation};
use mandala_resolved::ResolvedModel;
use oxidd::BooleanFunction;
use std::collections::BTreeMap;

/// What all steps are about.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub model: &'a Model,
    /// The code of the model.
    pub code: &'a ResolvedModel,
    pub d: &'a Diagrams,
    pub layout: &'a Layout,
}

/// How far a step has come.
#[derive(Clone)]
pub(crate) struct Path {
    /// The states from which it comes this far.
    pub condition: Bdd,
    /// The cells that may hold something else than before the step.
    pub cells: BTreeMap<CellId, Number>,
}

/// Something that goes wrong, and where.
#[derive(Clone)]
pub(crate) struct Trouble {
    pub condition: Bdd,
    pub violation: Violation,
}

/// A step in the making.
pub(crate) struct Attempt<'a> {
    pub context: Context<'a>,
    /// Who acts.
    pub actor: usize,
    /// Whether a condition of a formula or a monitor is evaluated: no process asks, and the actor counts for nothing.
    pub observing: bool,
    /// The values that the variables of the quantifiers around have at the moment, the outermost first.
    pub bound: Vec<i64>,
    /// Who waits for an answer to "is that process enabled?", which may lead to the same question about others.
    pub asking: Vec<usize>,
    /// Whether it is known that nobody can move without a time-out.
    pub timeout: bool,
    /// Somebody has asked for that.
    pub asked_timeout: bool,
    /// What goes wrong.
    pub troubles: Vec<Trouble>,
    /// Where something does not fit.
    pub misfits: Vec<(Misfit, Bdd)>,
    /// From where nodes of a routine are executed, by their place in it.
    pub nodes: BTreeMap<usize, Bdd>,
    /// From where the step has no state after it.
    pub halted: Bdd,
    /// From where that is so because something goes wrong.
    pub failed: Bdd,
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(context: Context<'a>, actor: usize) -> Self {
        Attempt {
            context,
            actor,
            observing: false,
            bound: Vec::new(),
            asking: Vec::new(),
            timeout: false,
            asked_timeout: false,
            troubles: Vec::new(),
            misfits: Vec::new(),
            nodes: BTreeMap::new(),
            halted: context.d.no.clone(),
            failed: context.d.no.clone(),
        }
    }

    /// For a condition or a monitor, which is evaluated by none of the processes.
    pub(crate) fn observing(context: Context<'a>) -> Self {
        Attempt {
            observing: true,
            ..Attempt::new(context, 0)
        }
    }

    /// The same with a time-out, or without.
    pub(crate) fn with_timeout(self, timeout: bool) -> Self {
        Attempt { timeout, ..self }
    }

    pub(crate) fn d(&self) -> &'a Diagrams {
        self.context.d
    }

    /// A constant.
    pub(crate) fn constant(&self, value: i64) -> Number {
        Number::constant(self.d(), value)
    }

    /// What a cell holds on a path.
    pub(crate) fn cell(&self, path: &Path, cell: CellId) -> Number {
        match path.cells.get(&cell) {
            Some(number) => number.clone(),
            None => self.context.layout.value(self.d(), cell),
        }
    }

    /// Notes that something goes wrong, and that there is no state after it.
    pub(crate) fn halt(&mut self, condition: &Bdd, violation: Option<Violation>) -> Made<()> {
        if !condition.satisfiable() {
            return Ok(());
        }
        self.halted = self.halted.or(condition)?;
        if let Some(violation) = violation {
            self.failed = self.failed.or(condition)?;
            self.trouble(condition, violation);
        }
        Ok(())
    }

    /// Notes that something does not fit. The step can be taken there, but it is not known where it leads.
    pub(crate) fn misfit(&mut self, condition: &Bdd, misfit: Misfit) -> Made<()> {
        self.misfits.push((misfit, condition.clone()));
        self.halt(condition, None)
    }

    /// Notes a fault where both conditions hold, unless something has gone wrong there before.
    pub(crate) fn fault(
        &mut self,
        under: &Bdd,
        when: &Bdd,
        kind: FaultKind,
        span: Span,
    ) -> Made<()> {
        let condition = without(&under.and(when)?, &self.halted)?;
        let fault = Fault {
            kind,
            span,
            monitors: None,
        };
        self.halt(&condition, Some(Violation::Fault(fault)))
    }

    /// Notes that something is wrong.
    pub(crate) fn trouble(&mut self, condition: &Bdd, violation: Violation) {
        if condition.satisfiable() {
            let condition = condition.clone();
            self.troubles.push(Trouble {
                condition,
                violation,
            });
        }
    }

    /// Leaves out the states from which the step has gone wrong.
    pub(crate) fn go_on(&self, path: &mut Path) -> Made<()> {
        path.condition = without(&path.condition, &self.halted)?;
        Ok(())
    }

    /// One path of two that meet.
    pub(crate) fn merged(&self, a: Path, b: Path) -> Made<Path> {
        let mut cells = BTreeMap::new();
        for &cell in a.cells.keys().chain(b.cells.keys()) {
            if cells.contains_key(&cell) {
                continue;
            }
            let (mine, theirs) = (self.cell(&a, cell), self.cell(&b, cell));
            let value = match mine == theirs {
                true => mine,
                false => Number::choose(&a.condition, &mine, &theirs)?,
            };
            cells.insert(cell, value);
        }
        Ok(Path {
            condition: a.condition.or(&b.condition)?,
            cells,
        })
    }
}
