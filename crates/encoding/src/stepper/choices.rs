//! Choices of the parameters of an edge or a monitor.
//!
//! The parameters are gone through in order, the last one fastest. The parts of the guard are asked as soon as the parameters are known
//! that they read (`compile::parameters`), so that most choices are never looked at.

use super::{Stepper, Stop, Viewer};
use crate::code::{Action, CompiledEdge, Entry};
use crate::values::CompiledParameter;

/// A choice that is worth a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// What was asked of it so far holds. Its values are in their cells.
    Possible(u32),
    /// What was asked of it fails: [`Stepper::fault`] says why.
    Faulty,
}

/// Whoever looks at choices.
type Visit<'v, 'p> = &'v mut dyn FnMut(&mut Stepper<'p>, Choice);

impl<'p> Stepper<'p> {
    /// Puts the values of a choice into their cells. Whoever takes the step back takes that back.
    #[inline]
    pub(super) fn choose_parameters(&mut self, edge: &CompiledEdge, choice: u32, viewer: Viewer) {
        if edge.parameters.is_empty() {
            return;
        }
        let mut rest = choice;
        for parameter in edge.parameters.of(&self.program.code) {
            let position = rest / parameter.rest.max(1);
            rest -= position * parameter.rest;
            let value = parameter.values.get(position.into());
            self.write((viewer.base + parameter.cell) as usize, value);
        }
    }

    /// Goes through the choices of an edge with parameters that are worth a look.
    pub(super) fn each_choice(
        &mut self,
        edge: &'p CompiledEdge,
        viewer: Viewer,
        visit: Visit<'_, 'p>,
    ) {
        let parameters = edge.parameters.of(&self.program.code);
        let cells: Vec<i64> = parameters
            .iter()
            .map(|p| self.cells[(viewer.base + p.cell) as usize])
            .collect();
        let begin = (edge.parameters.first, 0);
        self.enter_level(edge.parameters.early, parameters, begin, viewer, visit);
        for (parameter, value) in parameters.iter().zip(cells) {
            self.cells[(viewer.base + parameter.cell) as usize] = value;
        }
    }

    /// Goes through the choices of the parameters that are left, from that row on, if a condition holds. The others have values already, and those make up the number
    /// `chosen`. Choices that twins make superfluous are left out.
    fn enter_level(
        &mut self,
        condition: Option<Entry>,
        left: &'p [CompiledParameter],
        (row, chosen): (u32, u32),
        viewer: Viewer,
        visit: Visit<'_, 'p>,
    ) {
        match self.holds(condition, viewer) {
            Ok(true) => {}
            Ok(false) => return,
            Err(Stop) => return self.fail_all(left, visit),
        }
        let Some((parameter, left)) = left.split_first() else {
            return visit(self, Choice::Possible(chosen));
        };
        let cell = (viewer.base + parameter.cell) as usize;
        self.values_tried += u64::from(parameter.count);
        for position in 0..parameter.count {
            let mark = self.tuple_mark();
            if self.admits_value(row, position) {
                self.cells[cell] = parameter.values.get(position.into());
                let next = (row + 1, chosen + position * parameter.rest);
                self.enter_level(parameter.early, left, next, viewer, visit);
                self.go_back_in_tuple(mark);
            }
        }
    }

    /// What has failed does so for every choice of the parameters that are left.
    #[cold]
    fn fail_all(&mut self, left: &[CompiledParameter], visit: Visit<'_, 'p>) {
        let fault = self.fault.clone();
        for _ in 0..left.iter().map(|p| u64::from(p.count)).product::<u64>() {
            self.fault = fault.clone();
            visit(self, Choice::Faulty);
        }
    }

    /// Whether an edge can be taken with the parameters that are in their cells.
    pub(super) fn is_choice_possible(
        &mut self,
        edge: &CompiledEdge,
        viewer: Viewer,
    ) -> Result<bool, Stop> {
        match edge.action {
            Action::Routine(routine) => self.routine_possible(routine, viewer),
            action => self.is_possible(action, viewer),
        }
    }

    /// Whether an edge can be taken with some choice of its parameters.
    pub(super) fn some_choice_possible(
        &mut self,
        edge: &CompiledEdge,
        viewer: Viewer,
    ) -> Result<bool, Stop> {
        let changes = self.log.len();
        for choice in 0..edge.parameters.choices {
            self.choose_parameters(edge, choice, viewer);
            let possible = self.is_choice_possible(edge, viewer);
            self.undo(changes);
            if possible? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
