//! Machine code for the steps of a program, made while it is explored.
//!
//! # What is compiled
//!
//! One function for each *shape*, that is, for each list of templates of the live processes ([`crate::shape`]). It takes a packed
//! state, unpacks it, and tells all successors: for each process, from the highest number down, a jump to the code of its
//! location; there, for each edge in order, the guard, the effects on the cells, the same changes to the packed bytes, a call that
//! tells the successor, and everything back. Nothing is collected first and nothing is logged: what has to be undone is known
//! when the code is made, and waits in registers of the machine or on its stack.
//!
//! | file | what |
//! |---|---|
//! | `plan` | what a function is made for: a shape, and what is taken for granted |
//! | `written` | which cells steps can change |
//! | `constant` | code that gives the same value in all states |
//! | `operand`, `facts` | what the translator knows of values, registers and cells |
//! | `translator` | the function that is being made, and the ways out of it |
//! | `code`, `arithmetic`, `ask` | from the code of [`crate::code`] to instructions |
//! | `journal` | changes of cells and packed bytes, and how they are undone |
//! | `choices` | choices of parameters, values of quantifiers |
//! | `standins` | one body of code for all processes of a template and all channels of a kind |
//! | `edges`, `channels`, `meeting`, `routines` | the steps of a process |
//! | `monitors` | checks of the state |
//! | `once` | moves that twins make superfluous |
//! | `function` | whole functions |
//! | `machine` | the compiler for machine code |
//! | `running` | calls into machine code and out of it |
//!
//! # One definition of what a model means
//!
//! What is translated is the code that the interpreter runs, not the model. The translator runs it, too, at translation time, on
//! values of which some are numbers and some are results of instructions. What can be computed is computed; of the rest it
//! keeps bounds, so that an index that cannot be out of range is not checked and a number that fits is not cut. Within a
//! shape, process numbers, places of frames and channels, and kinds of channels are numbers. So are the cells that no process in
//! the shape can write: parameters, arrays of constants, variables for channels. They are taken for granted with the values
//! that they have in the state at hand, and the function compares them, a word at a time, before it does anything else;
//! a state where they differ is interpreted, and if there are many such states, a function is made that takes less for granted.
//! A process that has come to its end writes nothing any more, so what an `init` has set up counts, too. In this way
//! `flag[_pid]` and `link[(_pid + 1) % N]!m` become fixed cells.
//!
//! A routine (`d_step`) is translated once for each set of numbers that are known on arrival at a node, which unrolls its loops. A
//! process that holds control (`atomic`) goes on in a function of its own for each location, which is called. If there are many
//! edges, each process has a function of its own, because the time to compile a function grows faster than its length.
//!
//! Where a template has many processes, they share code at first ([`standins`]), so that the length of the code does not depend on their number. Which channel a
//! statement is about is then found in the run as well. Code for each process, and for each choice of parameters, is made when a search has gone on long enough
//! for that to pay.
//!
//! # What is unusual
//!
//! Machine code never builds a violation. A fault, an assertion that fails, a choice where there must be none, no successor at
//! all, a chain or a routine that is too long: the function gives the state back, and the interpreter expands it from the start. The
//! successors told until then are the first ones that the interpreter finds, so it tells only the rest. What was counted until
//! then is taken back by a second run of the function that counts downwards.
//!
//! A step that has no translation is made by the interpreter in the middle of the expansion, with all that follows from it: the
//! creation of a process, the end of the last one, questions like `enabled`, a choice among very many cells. Programs with a claim,
//! an observer of messages, or priorities are interpreted as a whole.
//!
//! # When
//!
//! To compile an edge takes some 50 microseconds, about as long as to interpret 30 states. So a shape is compiled when
//! interpreting it has taken about as long as compiling it will, and a small model never is. One worker compiles, others go on
//! interpreting meanwhile.
//!
//! # Measured
//!
//! Nanoseconds a transition, states unpacked and successors packed included (`bench/examples/expansion`, on a machine that others used,
//! too):
//!
//! | model | machine code | interpreter |
//! |---|---|---|
//! | Peterson 4 | 20 | 207 |
//! | Data base managers 9 | 17 | 117 |
//! | Philosophers 8 | 15 | 131 |
//! | Philosophers 60 | 10 | 120 |
//! | Email 3 | 29 | 344 |
//! | MCS lock 4 | 18 | 99 |
//! | Three tiers | 19 | 127 |
//! | Alternating bit, 6 messages | 15 | 114 |
//! | Base station 3 | 37 | 203 |
//! | Load balancer 3, 5 (long atomic sequences) | 72 | 387 |
//! | Leader election in a ring of 5 (the same) | 126 | 765 |
//!
//! With the optimiser of the code generator the code was one per cent faster and took twice as long to make. Its
//! simple register allocator saves a third of the time, for code that takes half as long again.
//!
//! # Rejected
//!
//! - A function for each edge: a typical edge is some twenty instructions, no more than a call through a table costs, and
//!   each function has its price at compile time.
//! - The log of the interpreter: three stores for each change instead of one, and to pack a successor by going along it costs
//!   ten nanoseconds and more, against two or three for changing the words in question and changing them back.
//! - Collecting enabled edges first, so that nothing has to be told twice: every move then is a jump that cannot be foreseen.
//! - Asking the sink to forget what it was told when a state is given back: to leave out the successors that it
//!   has been told is simpler for everybody.

mod arithmetic;
mod ask;
mod channels;
mod choices;
mod code;
mod constant;
mod edges;
mod facts;
mod function;
mod journal;
mod machine;
mod meeting;
mod monitors;
mod once;
mod operand;
mod plan;
mod routines;
mod running;
mod standins;
mod translator;
mod written;

use crate::program::Program;
use crate::shape::Shape;
use machine::Machine;
use plan::Plan;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

pub(crate) use machine::Function;
pub(crate) use running::{Answer, Loan, Status};
pub(crate) use standins::Sharing;

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
    /// For each shape and kind, the newest function.
    functions: HashMap<(u32, CodeKind), Entry>,
}

/// Which code is made for edges with parameters, and for the processes of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CodeKind {
    /// Loops over their values, and one body for many processes: soon made.
    Loops,
    /// Code for each choice, if there are few, and for each process: a little faster.
    Copies,
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

    /// How many bytes of machine code there are.
    pub fn bytes(&self) -> usize {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.machine.as_ref().map_or(0, Machine::bytes)
    }

    /// A function for states like the one with those cells. It is made if there is none but the one that is known not to do.
    pub fn function(
        &self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        (kind, sharing, unfit): (CodeKind, Sharing, Option<&Function>),
    ) -> Offer {
        let mut table = match self.table.try_lock() {
            Ok(table) => table,
            Err(TryLockError::WouldBlock) => return Offer::Busy,
            Err(TryLockError::Poisoned(_)) => return Offer::Never,
        };
        table.function(program, shape, cells, (kind, sharing, unfit))
    }
}

impl Table {
    fn function(
        &mut self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        (kind, sharing, unfit): (CodeKind, Sharing, Option<&Function>),
    ) -> Offer {
        let known = self.functions.get(&(shape.id, kind));
        let attempts = match known {
            None => 0,
            Some(Entry { newest: None, .. }) => return Offer::Never,
            Some(Entry {
                newest: Some(newest),
                attempts,
            }) => {
                if unfit.is_none_or(|unfit| unfit.id() != newest.id()) {
                    return Offer::Function(newest.clone());
                }
                *attempts
            }
        };
        let newest = self
            .compile(program, shape, cells, (kind, sharing, unfit), attempts)
            .map(Arc::new);
        let offer = newest.clone().map_or(Offer::Never, Offer::Function);
        let attempts = attempts + 1;
        let entry = Entry { newest, attempts };
        self.functions.insert((shape.id, kind), entry);
        offer
    }

    /// A function that takes for granted what does not change from here on; if there was one before, only what both agree
    /// on.
    fn compile(
        &mut self,
        program: &Program,
        shape: &Arc<Shape>,
        cells: &[i64],
        (kind, sharing, unfit): (CodeKind, Sharing, Option<&Function>),
        attempts: u32,
    ) -> Option<Function> {
        let agreed: Option<HashMap<u32, i64>> =
            unfit.map(|unfit| unfit.constants().iter().copied().collect());
        let keep = |cell: u32| match &agreed {
            Some(agreed) => agreed.get(&cell) == Some(&cells[cell as usize]),
            None => true,
        };
        let keep = |cell| attempts < MAX_ATTEMPTS && keep(cell);
        let plan = Plan::new(program, shape.clone(), (kind, sharing), cells, keep);
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
