//! The cells of states as plain numbers, without a word on what their values mean.
//!
//! A *class* is what is declared once: a variable and a path of fields in it, where all elements of an array share a
//! class, or a field of the messages of a kind of channel. The truth about a model may permute the values of a class,
//! but it permutes them for all cells of the class alike.

use mandala_model::UncheckedModel;
use mandala_model::state::Value;
use mandala_model::types::{Scalar, Type, Variable};

/// Who has cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cell {
    /// Of the global variables, counted through.
    Global(usize),
    /// Of a process: its number, its template, and the cell of its local variables.
    Local(u32, usize, usize),
    /// Of the claim: its template and the cell.
    Claim(usize, usize),
    /// Of a channel: its number, its kind, the place in the queue, the field.
    Message(usize, usize, usize, usize),
    /// Who made a channel.
    Maker(usize),
    /// Who moved last.
    LastMover,
}

/// What is declared once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// A global variable, and a path of fields.
    Global(usize, Vec<u32>),
    /// A local variable of a template, and a path of fields.
    Local(usize, usize, Vec<u32>),
    /// A field of a kind of message.
    Field(usize, usize),
    /// Processes that make channels.
    Maker,
    /// Processes that move.
    LastMover,
}

/// What a declaration says of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// The number of the variable among its like.
    pub variable: usize,
    /// The fields on the way to the cell.
    pub fields: Vec<u32>,
    /// For each array on the way, how many fields are before it, and which element it is.
    pub elements: Vec<(usize, u32)>,
    /// The type of the cell.
    pub scalar: Scalar,
}

/// The cells of some variables, in order.
pub(super) fn declared(model: &UncheckedModel, variables: &[Variable]) -> Vec<Declared> {
    let mut cells = Vec::new();
    for (variable, declaration) in variables.iter().enumerate() {
        let start = Declared {
            variable,
            fields: Vec::new(),
            elements: Vec::new(),
            scalar: Scalar::Bool,
        };
        descend(model, &declaration.ty, start, &mut cells);
    }
    cells
}

fn descend(model: &UncheckedModel, ty: &Type, at: Declared, cells: &mut Vec<Declared>) {
    match ty {
        Type::Scalar(scalar) => cells.push(Declared {
            scalar: *scalar,
            ..at
        }),
        Type::Record(id) => {
            for (number, field) in (0..).zip(&model.record(*id).fields) {
                let mut inside = at.clone();
                inside.fields.push(number);
                descend(model, &field.ty, inside, cells);
            }
        }
        Type::Array { element, length } => {
            for number in 0..*length {
                let mut inside = at.clone();
                inside.elements.push((at.fields.len(), number));
                descend(model, element, inside, cells);
            }
        }
    }
}

/// Calls `put` with every cell of a state and what it holds.
pub(super) fn each_cell(
    model: &UncheckedModel,
    state: &mandala_model::State,
    put: &mut impl FnMut(Cell, Value),
) {
    let numbered = |cells: &[Value]| cells.iter().copied().enumerate().collect::<Vec<_>>();
    for (cell, value) in numbered(&state.globals) {
        put(Cell::Global(cell), value);
    }
    for (number, process) in (0..).zip(&state.processes) {
        for (cell, value) in numbered(&process.locals) {
            put(Cell::Local(number, process.template.index(), cell), value);
        }
    }
    if let Some(claim) = &state.claim {
        for (cell, value) in numbered(&claim.locals) {
            put(Cell::Claim(claim.template.index(), cell), value);
        }
    }
    for (number, channel) in state.channels.iter().enumerate() {
        let kind = channel.kind.index();
        for (place, message) in channel.messages.iter().enumerate() {
            for (field, value) in numbered(message) {
                put(Cell::Message(number, kind, place, field), value);
            }
        }
        if let Some(maker) = channel.owner {
            put(Cell::Maker(number), Value::from(maker));
        }
    }
    if model.tracks_last_mover {
        put(Cell::LastMover, state.last_mover);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduced::Case;
    use crate::spin::Claim;
    use std::path::Path;

    #[test]
    fn cells_know_their_fields_and_elements() {
        let text = "typedef T { bit a; byte b[2] }; byte x; T t[2]; init { x = t[1].b[0] }";
        let case = Case::load(Path::new("m.pml"), text, &[], Claim::None).expect("a model");
        let cells = declared(case.model(), &case.model().globals);
        let paths: Vec<_> = cells
            .iter()
            .map(|c| (c.variable, c.fields.clone(), c.elements.clone()))
            .collect();
        assert_eq!(paths.len(), 1 + 2 * 3);
        assert_eq!(paths[0], (0, vec![], vec![]));
        assert_eq!(paths[4], (1, vec![0], vec![(0, 1)]));
        assert_eq!(paths[6], (1, vec![1], vec![(0, 1), (1, 1)]));
    }
}
