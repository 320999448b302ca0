//! What is allocated from the text of a model to a program that can be searched does not depend on how many members there are, but for what there is one of for
//! each cell of a state.
//!
//! A working state has a cell for each scalar of the model: of a variable, of a field of a message that a channel has room for, of a process. Of each cell the layout knows
//! its type, its first value and the bits that a packed state keeps of it, and code gives it its first value; of each process that runs from the start there are arguments. That is
//! linear in the number of cells, whatever keeps states needs it, and it is at most [`BYTES_PER_CELL`] bytes with the vectors that were given up for larger ones on the
//! way. Everything else may grow by a tenth, as numbers with more digits have longer names.
//!
//! The tables of states that a search fills are no part of this. Pointer automata are left out: each state that their runs start in is an edge, and there may be one for each member.

use crate::sizes::{FAMILIES, PROCESSES, loaded};
use mandala_checker::frontend::LoadedModel;
use mandala_model::Model;
use mandala_model::step::Observers;
use mandala_model::types::{Initial, Variable};
use mandala_prepare::{Form, in_form};

/// So many bytes may be allocated for each cell of a state: 481 of them are in leader-complete in Murphi, which has the most.
const BYTES_PER_CELL: u64 = 500;

/// How many cells a state has after the start.
fn cells(loaded: &LoadedModel) -> u64 {
    let model = &loaded.model;
    let processes = model.start.iter().map(|start| {
        let locals = &model.template(start.template).locals;
        1 + of_variables(model, locals)
    });
    (of_variables(model, &model.globals) + processes.sum::<usize>()) as u64
}

/// How many cells some variables have, with those of the channels that are made for them.
fn of_variables(model: &Model, variables: &[Variable]) -> usize {
    let cells = variables.iter().map(|variable| {
        let references = model.cells(&variable.ty);
        match variable.initial {
            Initial::NewChannel(kind) => {
                let kind = model.channel_kind(kind);
                references * (2 + kind.capacity as usize * kind.fields.len())
            }
            _ => references,
        }
    });
    cells.sum()
}

/// How many bytes are allocated until a bundled model with so many members can be searched, and how many cells a state has.
fn allocated(file: &str, parameter: &str, count: usize) -> (u64, u64) {
    let mut found = 0;
    let info = allocation_counter::measure(|| {
        let loaded = loaded(file, parameter, count);
        let prepared = in_form(&loaded.model, Form::Rules).expect("it is small");
        let program = prepared.searched.program(Observers::default());
        let program = program.expect("it can be compiled");
        assert!(program.operations() > 0);
        found = cells(&loaded);
    });
    (info.bytes_total, found)
}

#[test]
fn nothing_is_allocated_for_a_member_but_its_cells() {
    let mut grown = Vec::new();
    for (file, parameter, few, many) in FAMILIES.into_iter().chain(PROCESSES) {
        // The first time, tables of the process are filled.
        allocated(file, parameter, few);
        let (few, cells) = allocated(file, parameter, few);
        let (many, more) = allocated(file, parameter, many);
        let for_cells = (more - cells) * BYTES_PER_CELL;
        if many > few * 11 / 10 + for_cells {
            grown.push(format!(
                "{file}: {few} bytes for {cells} cells, {many} for {more}"
            ));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}
