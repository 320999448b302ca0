//! The stack of functions that call themselves: what a call saves, and where it comes back to.
//!
//! Every temporary that has to outlive a call has an array of its own, with a place for each level of calls. One
//! counter says which level is the current one, for all functions: so a function that is called by another
//! one never meets the places of its caller.

use super::Lowering;
use super::build::{Chain, chain, compare, constant, plus, read};
use super::flow::Label;
use super::value::local_place;
use crate::limits;
use crate::typed::{FunctionId, TypeId};
use mandala_model::expr::{BinaryOp as Op, Expr, Place, Projection, Root};
use mandala_model::findings::{Fallible, error_help};
use mandala_model::ids::LocalId;
use mandala_model::source::Span;
use mandala_model::types::{Scalar, Type};
use std::collections::{BTreeMap, HashMap};

/// The arrays, and what else is needed to find one's way in them.
#[derive(Debug, Default)]
pub(super) struct Stack {
    /// The current level, from 0 on.
    level: Option<LocalId>,
    /// For each level, the number of the call that it comes back to.
    returns: Option<LocalId>,
    /// For each temporary that was ever saved: where.
    arrays: BTreeMap<LocalId, LocalId>,
    /// How many cells the arrays have.
    cells: u64,
    /// Where the indices of places that are passed to `var` parameters are kept.
    indices: HashMap<Index, LocalId>,
}

/// An index of a place that is passed to a `var` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Index {
    pub(super) function: FunctionId,
    /// The number of the parameter.
    pub(super) parameter: usize,
    /// Which of the indices of the place it is.
    pub(super) number: usize,
    /// The type of the temporary that it comes from.
    pub(super) shape: Type,
}

impl Lowering<'_> {
    fn level(&mut self) -> Place {
        let span = self.label.span;
        let level = match self.recursion.stack.level {
            Some(level) => level,
            None => {
                let level = self.scratch.own(&levels(), "level", span);
                *self.recursion.stack.level.insert(level)
            }
        };
        local_place(level, span)
    }

    /// The current level.
    pub(super) fn current_level(&mut self) -> Expr {
        read(self.level())
    }

    /// Where it is noted which call the current level comes back to.
    fn return_place(&mut self) -> Place {
        let span = self.label.span;
        let returns = match self.recursion.stack.returns {
            Some(returns) => returns,
            None => {
                let max = i64::from(i32::MAX);
                let ty = array_of(Type::Scalar(Scalar::Range { min: 0, max }));
                let returns = self.scratch.own(&ty, "returns", span);
                *self.recursion.stack.returns.insert(returns)
            }
        };
        let level = self.current_level();
        element(returns, level, span)
    }

    /// Begins with an empty stack.
    pub(super) fn first_level(&mut self) {
        let place = self.level();
        let none = constant(0, place.span);
        self.store(place, none);
    }

    /// One level more. There may be none left.
    pub(super) fn next_level(&mut self, function: FunctionId) {
        let (place, span) = (self.level(), self.label.span);
        let last = constant(i64::from(limits::CALLS) - 1, span);
        let full = compare(Op::GreaterEqual, read(place.clone()), last);
        let (too_deep, on) = self.fork(full, span);
        self.flow.join(too_deep);
        let name = &self.program.function(function).name;
        let message = format!("calls of `{name}` nest more than {} deep", limits::CALLS);
        let label = self.label.clone();
        self.fail(message, label);
        self.flow.join(on);
        let next = plus(read(place.clone()), 1);
        self.store(place, next);
    }

    /// Back to the level before.
    pub(super) fn previous_level(&mut self) {
        let place = self.level();
        let before = plus(read(place.clone()), -1);
        self.store(place, before);
    }

    /// Notes that the current level comes back to that call.
    pub(super) fn return_to(&mut self, call: usize) {
        let place = self.return_place();
        let call = constant(call as i64, place.span);
        self.store(place, call);
    }

    /// Divides control: where it goes on after each of the calls, the first of which has the number 0.
    pub(super) fn divide_returns(&mut self, calls: usize, label: &Label) -> Vec<super::flow::End> {
        let place = self.return_place();
        let is_call = |call: usize| {
            let number = constant(call as i64, label.span);
            let equal = compare(Op::Equal, read(place.clone()), number);
            // There is no other call than these, so the last one needs no condition.
            let needed = (call + 1 < calls).then_some(equal);
            (chain(Chain::All, needed, label.span), label.clone())
        };
        let choices = (0..calls).map(is_call).collect();
        self.flow.split(choices, label.span)
    }

    /// Saves temporaries at the current level.
    pub(super) fn save(&mut self, locals: &[LocalId]) -> Fallible<()> {
        for local in locals {
            let (here, saved) = self.saved_cells(*local)?;
            for (here, saved) in here.into_iter().zip(saved) {
                self.store(saved, read(here));
            }
        }
        self.check_size()
    }

    /// Gives temporaries what was saved at the current level.
    pub(super) fn restore(&mut self, locals: &[LocalId]) -> Fallible<()> {
        for local in locals {
            let (here, saved) = self.saved_cells(*local)?;
            for (here, saved) in here.into_iter().zip(saved) {
                self.store(here, read(saved));
            }
        }
        self.check_size()
    }

    /// The cells of a temporary, and those of its place at the current level.
    fn saved_cells(&mut self, local: LocalId) -> Fallible<(Vec<Place>, Vec<Place>)> {
        let array = self.array_for(local)?;
        let span = self.label.span;
        let level = self.current_level();
        let cells = |place| self.cells_within(place, &self.scratch.roomy(local));
        Ok((
            cells(local_place(local, span)),
            cells(element(array, level, span)),
        ))
    }

    /// Where a temporary is saved.
    pub(super) fn array_for(&mut self, local: LocalId) -> Fallible<LocalId> {
        if let Some(array) = self.recursion.stack.arrays.get(&local) {
            return Ok(*array);
        }
        let ty = self.scratch.roomy(local);
        let span = self.label.span;
        let cells = self.cells_within(local_place(local, span), &ty).len() as u64;
        let all = &mut self.recursion.stack.cells;
        *all = all.saturating_add(cells.saturating_mul(limits::CALLS.into()));
        if *all > limits::STACK_CELLS {
            let message = "the functions that call themselves have too much to save";
            let help =
                "use smaller arrays for their parameters and local variables, or write loops";
            return Err(error_help(span, message, help));
        }
        let array = self.scratch.own(&array_of(ty), "saved", span);
        self.recursion.stack.arrays.insert(local, array);
        Ok(array)
    }

    /// The cells of a place of that type. (Not as the type of the language has them: temporaries are shared
    /// between types that look alike.)
    fn cells_within(&self, place: Place, ty: &Type) -> Vec<Place> {
        let mut cells = Vec::new();
        let mut waiting = vec![(place, ty)];
        while let Some((place, ty)) = waiting.pop() {
            match ty {
                Type::Scalar(_) => cells.push(place),
                Type::Record(id) => {
                    let fields = self.shapes.records[id.index()].fields.iter().enumerate();
                    waiting.extend(fields.map(|(number, field)| {
                        let inside = Projection::Field(number as u32);
                        (part(&place, inside), &field.ty)
                    }));
                }
                Type::Array { element, length } => {
                    waiting.extend((0..*length).map(|position| {
                        let position = constant(position.into(), place.span);
                        (part(&place, Projection::Index(position)), &**element)
                    }));
                }
            }
        }
        cells
    }

    /// Where an index is kept while the body runs that it was passed to.
    pub(super) fn index_home(&mut self, index: Index, span: Span) -> LocalId {
        if let Some(home) = self.recursion.stack.indices.get(&index) {
            return *home;
        }
        let home = self.scratch.own(&index.shape, "index", span);
        self.recursion.stack.indices.insert(index, home);
        home
    }

    /// A temporary for values of the type that nobody else ever gets.
    pub(super) fn own_temporary(
        &mut self,
        ty: TypeId,
        name: &str,
        span: Span,
    ) -> Fallible<LocalId> {
        let shape = self.shapes.of(&self.program.types, ty, span)?;
        let local = self.scratch.own(&shape, name, span);
        self.typed_locals.insert(local, ty);
        Ok(local)
    }

    /// The arrays that hold values of types of the language.
    pub(super) fn typed_stacks(&self) -> Vec<(LocalId, TypeId)> {
        let arrays = self.recursion.stack.arrays.iter();
        let typed = arrays.filter_map(|(of, array)| Some((*array, *self.typed_locals.get(of)?)));
        typed.collect()
    }
}

/// The type of levels.
fn levels() -> Type {
    let max = i64::from(limits::CALLS) - 1;
    Type::Scalar(Scalar::Range { min: 0, max })
}

fn array_of(element: Type) -> Type {
    Type::Array {
        element: Box::new(element),
        length: limits::CALLS,
    }
}

fn element(array: LocalId, position: Expr, span: Span) -> Place {
    part(
        &Place::variable(Root::Local(array), span),
        Projection::Index(position),
    )
}

fn part(place: &Place, inside: Projection) -> Place {
    let mut place = place.clone();
    place.path.push(inside);
    place
}
