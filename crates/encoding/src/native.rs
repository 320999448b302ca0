//! Machine code for the steps of a program, made while it is explored.

mod arithmetic;
mod ask;
mod channels;
mod code;
mod constant;
mod edges;
mod facts;
mod function;
mod journal;
mod machine;
mod meeting;
mod operand;
mod plan;
mod routines;
mod running;
mod translator;
mod written;

use crate::program::Program;
use crate::shape::Shape;
use machine::Machine;
use plan::Plan;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, TryLockError};

pub(crate) use machine::Function;
pub(crate) use running::{Answer, Loan, Status};

/// After so many functions of one shape, the next one takes nothing for granted.
const MAX_ATTEMPTS: u32 = 6;

/// The machine code of a program.
#[derive(Debug, Default)]
pub(crate) struct Native {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    machine: Option<Machine>,
    /// There is no compiler for this machine.
    hopeless: bool,
    /// For each shape, the newest function.
    functions: HashMap<u32, Entry>,
}

#[derive(Debug)]
struct Entry {
    /// None if the shape cannot be compiled.
    newest: Option<Arc<Function>>,
    attempts: u32,
}

/// What there is for a shape.
#[derive(Debug)]
pub(crate) enum Offer {
    Function(Arc<Function>),
    /// Somebody else is compiling.
    Busy,
    Never,
}

impl Native {
    /// Whether there can be machine code for a program at all. What happens in a state must not depend on whose turn it
    /// is, nor on anybody who watches.
    pub fn is_possible(program: &Program) -> bool {
        let layout = &program.layout;
        layout.claim.is_none() && layout.events.is_none() && !program.prioritised
    }

    /// A function for states like the one with those cells. It is made if there is none but the one that is known not to do.
    pub fn function(
        &self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        unfit: Option<&Function>,
    ) -> Offer {
        let mut table = match self.table.try_lock() {
            Ok(table) => table,
            Err(TryLockError::WouldBlock) => return Offer::Busy,
            Err(TryLockError::Poisoned(_)) => return Offer::Never,
        };
        table.function(program, shape, cells, unfit)
    }
}

impl Table {
    fn function(
        &mut self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        unfit: Option<&Function>,
    ) -> Offer {
        let known = self.functions.get(&shape.id);
        let attempts = match known {
            None => 0,
            Some(Entry { newest: None, .. }) => return Offer::Never,
            Some(Entry {
                newest: Some(newest),
                attempts,
            }) => {
                if unfit.is_none_or(|unfit| unfit.id != newest.id) {
                    return Offer::Function(newest.clone());
                }
                *attempts
            }
        };
        let newest = self
            .compile(program, shape, cells, unfit, attempts)
            .map(Arc::new);
        let offer = newest.clone().map_or(Offer::Never, Offer::Function);
        let attempts = attempts + 1;
        self.functions.insert(shape.id, Entry { newest, attempts });
        offer
    }

    /// A function that takes for granted what does not change from here on; if there was one before, only what both agree
    /// on.
    fn compile(
        &mut self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        unfit: Option<&Function>,
        attempts: u32,
    ) -> Option<Function> {
        let agreed: Option<HashMap<u32, i64>> =
            unfit.map(|unfit| unfit.constants.iter().copied().collect());
        let keep = |cell: u32| match &agreed {
            Some(agreed) => agreed.get(&cell) == Some(&cells[cell as usize]),
            None => true,
        };
        let keep = |cell| attempts < MAX_ATTEMPTS && keep(cell);
        let plan = Plan::new(program, shape.clone(), cells, keep);
        self.machine()?.compile(&plan)
    }

    fn machine(&mut self) -> Option<&mut Machine> {
        if self.machine.is_none() && !self.hopeless {
            self.machine = Machine::new();
            self.hopeless = self.machine.is_none();
        }
        self.machine.as_mut()
    }
}
