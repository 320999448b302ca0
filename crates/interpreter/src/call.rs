//! Calls of functions: frames, and the places that references stand for.

use crate::attempt::{Attempt, Halt};
use crate::frame::{Frame, Passed};
use crate::place::stored;
use crate::view::View;
use mandala_model::expr::{Expr, Place, Projection};
use mandala_model::function::{Call, MOST_CALLS};
use mandala_model::ids::FunctionId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::Fault;
use mandala_model::template::{Choice, Routine, Step};

/// A call that has ended, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The function.
    pub function: FunctionId,
    /// The values of its parameters, one a cell.
    pub arguments: Vec<Value>,
    /// What it gave, one value a cell.
    pub result: Vec<Value>,
    /// The call.
    pub span: Span,
}

impl<'m> Attempt<'m> {
    /// The routine that is being executed: the body of the innermost call, or that of the edge.
    pub(crate) fn current<'r>(&self, routine: &'r Routine) -> &'r Routine
    where
        'm: 'r,
    {
        match self.frames.last() {
            Some(frame) => &self.model.function(frame.function).body,
            None => routine,
        }
    }

    /// Begins a call, which is that choice of that node.
    pub(crate) fn enter(
        &mut self,
        call: &Call,
        at: (usize, usize),
        span: Span,
    ) -> Result<(), Halt> {
        let function = self.model.function(call.function);
        let mut cells = Vec::new();
        let parameters = function.locals.iter().take(function.parameters as usize);
        let scalars = parameters.flat_map(|parameter| self.model.scalars(&parameter.ty));
        for (argument, scalar) in call.arguments.iter().zip(scalars) {
            let value = self.view().evaluate(argument)?;
            cells.push(stored(scalar, value, argument.span)?);
        }
        let arguments = cells.clone();
        cells.resize(
            self.model
                .cell_offset(&function.locals, function.locals.len()),
            0,
        );
        let references = call.references.iter().map(|place| self.view().pass(place));
        let references = references.collect::<Result<_, Fault>>()?;
        self.refuse_depth(call.function, span)?;
        self.frames.push(Frame {
            function: call.function,
            arguments,
            cells,
            references,
            call: at,
        });
        Ok(())
    }

    /// Functions that call themselves may not do so too often.
    fn refuse_depth(&self, function: FunctionId, span: Span) -> Result<(), Halt> {
        let frames = self.frames.iter();
        let nested = frames.filter(|frame| self.model.is_recursive(frame.function));
        let full = nested.count() >= MOST_CALLS as usize;
        match full && self.model.is_recursive(function) {
            true => Err(Halt::Failed(span)),
            false => Ok(()),
        }
    }

    /// Ends the innermost call. Gives the choice that it was.
    pub(crate) fn leave<'r>(&mut self, routine: &'r Routine) -> Result<Option<&'r Choice>, Halt>
    where
        'm: 'r,
    {
        let Some(frame) = self.frames.pop() else {
            return Ok(None);
        };
        let (node, choice) = frame.call;
        let choice = &self.current(routine).nodes[node].choices[choice];
        if let Step::Call(call) = &choice.step
            && let Some(target) = &call.result
        {
            self.give(&frame, target)?;
            if self.frames.is_empty() {
                self.note_result(frame, choice.span);
            }
        }
        Ok(Some(choice))
    }

    /// Keeps what a call of the routine itself has given.
    fn note_result(&mut self, frame: Frame, span: Span) {
        let function = self.model.function(frame.function);
        let Some(result) = function.result else {
            return;
        };
        let first = self.model.first_cell_in_frame(frame.function, result);
        let cells = self.model.cells(&function.locals[result.index()].ty);
        self.returned.push(Returned {
            function: frame.function,
            arguments: frame.arguments,
            result: frame.cells[first..first + cells].to_vec(),
            span,
        });
    }

    /// Puts the result of a call where it is wanted.
    fn give(&mut self, frame: &Frame, target: &Place) -> Result<(), Fault> {
        let function = self.model.function(frame.function);
        let Some(result) = function.result else {
            return Ok(());
        };
        let first = self.model.first_cell_in_frame(frame.function, result);
        let target_cells = self.view().all_cells(target)?;
        for (offset, cell) in target_cells.iter().enumerate() {
            self.put(cell, frame.cells[first + offset], target.span)?;
        }
        Ok(())
    }
}

impl View<'_> {
    /// A place as it is passed.
    fn pass(&self, place: &Place) -> Result<Passed, Fault> {
        let (home, first, ty) = self.root(place)?;
        let begun = self.begun(&place.root);
        let mut path = begun.to_vec();
        for part in &place.path {
            path.push(match part {
                Projection::Field(field) => Projection::Field(*field),
                Projection::Index(index) => {
                    Projection::Index(Expr::constant(self.evaluate(index)?, index.span))
                }
            });
        }
        Ok(Passed {
            home,
            first,
            ty: ty.clone(),
            path,
        })
    }
}
