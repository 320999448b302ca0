//! The stepper: a working state and everything that is needed to change it and to
//! change it back.
//!
//! | file | what |
//! |---|---|
//! | `run` | runs code |
//! | `ask` | questions about processes and channels |
//! | `arithmetic` | operations that are not worth an operation code of their own |
//! | `channels` | references to channels, messages that match, sends and receives |
//! | `possible` | when a step could be taken, and who is free to move |
//! | `choices` | choices of the parameters of an edge |
//! | `collect` | all moves of a process, the claim or the system |
//! | `perform` | what a move does to the state |
//! | `routine` | code that runs to its end in one move |
//! | `processes` | creation and end of processes |
//! | `events` | the observer of messages |
//! | `expand` | whose turn it is; from one remembered state to the next ones |
//! | `monitors` | monitors, and conditions that are asked of a state |
//! | `natively` | the same by machine code |
//! | `once` | moves that twins make superfluous |
//! | `ample` | expansions by an ample set of steps |
//! | `closed` | which steps those are: stubborn sets |
//! | `passed` | the configurations of long chains |
//! | `chain` | one chain, move by move |
//! | `start` | the states that runs start in |
//!
//! The working state is never copied. Every change of a cell goes to a log, and going back along the
//! log undoes a step; the same log says which cells of the packed predecessor have to be patched
//! to get the packed successor.

mod ample;
pub(crate) mod arithmetic;
mod ask;
mod chain;
mod channels;
mod choices;
mod closed;
mod collect;
mod events;
mod expand;
mod monitors;
mod natively;
mod once;
mod passed;
mod perform;
mod possible;
mod processes;
mod routine;
mod run;
mod start;

pub use ample::Expanded;
pub use chain::{ChainMove, Goal};
pub use once::{CellPair, Unpacked};

use crate::arrival::{Arrival, Party};
use crate::code::{CompiledTemplate, Site};
use crate::coverage::Coverage;
use crate::packing;
use crate::program::Program;
use crate::shape::{Oversize, Shape, ShapeCache, read_prefix};
use ample::Selection;
use expand::Expansion;
use mandala_model::step::{Fault, FaultKind, Turn, Violation, Ways};
use natively::Tier;
use once::Once;
use std::sync::Arc;

/// Who wants to know what follows a state.
pub trait Sink {
    /// A successor that a search remembers, and whose turn it is there.
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn);

    /// Something went wrong in the state or on the way to a successor.
    fn violation(&mut self, violation: Violation);

    /// A step that was taken, but has no state after it, and nothing is wrong with that. It stands for so many steps.
    fn abandoned(&mut self, weight: u64) {
        let _ = weight;
    }

    /// Whether to go on, asked from time to time while one expansion takes long: an atomic
    /// sequence or a routine can make any number of moves before there is a successor. `held` is how many
    /// bytes the stepper holds meanwhile.
    fn keep_going(&mut self, held: usize) -> bool {
        let _ = held;
        true
    }
}

/// How many moves of a chain, or steps of a routine, are made between questions whether to go on.
pub(crate) const PATROL: u32 = 1 << 10;

pub(crate) use expand::PATIENCE;

/// A log with room for more changes than this is given up after use.
const LARGE_LOG: usize = 1 << 16;

/// Why not all successors of a state have been told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Incomplete {
    /// A successor is too large. All others have been told.
    Oversize,
    /// The sink did not want to go on.
    Stopped,
}

/// Makes steps of a program. Holds the buffers, so that a step allocates nothing.
#[derive(Debug)]
pub struct Stepper<'p> {
    program: &'p Program,
    shapes: ShapeCache,
    pub(crate) shape: Arc<Shape>,
    pub(crate) cells: Vec<i64>,
    log: Vec<Change>,
    registers: Registers,
    /// The message that is being received or handed over.
    message: Vec<i64>,
    /// Whether it is known that no process can move without a time-out.
    timeout: bool,
    /// How many channels there were before the frame that is being made.
    channels_before: usize,
    /// Processes that wait for an answer to "is that process enabled?".
    asking: Vec<u32>,
    /// Why the last operation stopped.
    fault: Option<Fault>,
    oversize: bool,
    /// The sink does not want to go on.
    stopped: bool,
    /// The step that stopped cannot be taken after all.
    blocked: bool,
    /// The step that stopped has no state after it, and nothing is wrong with that.
    abandoned: bool,
    /// What has happened in the state that is being expanded.
    progress: Progress,
    /// What went wrong and has not been told yet.
    violations: Vec<Violation>,
    coverage: Coverage,
    expansion: Expansion,
    /// The packed state that the log starts from, with padding, and its shape.
    origin: Vec<u8>,
    origin_shape: u32,
    /// The packed state that was made last, with padding.
    pub(crate) packed: Vec<u8>,
    /// Machine code, unless only the interpreter is wanted.
    tier: Option<Tier>,
    /// How many successors of the state machine code has told before it gave the state back. The interpreter finds the
    /// same ones first, and tells the others.
    already_told: u64,
    /// How many values of parameters the interpreter has tried since it loaded the state.
    values_tried: u64,
    /// How many configurations machine code has asked for.
    visits: u32,
    /// Who has taken part in the moves that machine code has made to get to the working state.
    pub(crate) party: Party,
    /// What it takes to leave steps out.
    selection: Selection,
    /// Which ways through atomic sequences are told apart.
    ways: Ways,
    /// Whether some chain has come back to where it had been.
    has_atomic_cycle: bool,
    /// What it takes to make each orbit of moves once.
    once: Once,
}

/// What has happened in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Progress {
    /// A step was taken, or failed.
    moved: bool,
    /// A step has led to another state, or to none.
    changed: bool,
    /// Whether states are compared, so that the latter is known.
    compared: bool,
}

impl Progress {
    /// Something has happened that leads away.
    fn leave(&mut self) {
        (self.moved, self.changed) = (true, true);
    }
}

/// There is a register for every number that an operation can name.
#[derive(Clone, Debug)]
struct Registers([i64; 256]);

/// A cell that was changed, and what it held before.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// A cell, or [`SHAPE`].
    cell: u32,
    old: i64,
}

/// Not a cell: the shape was changed, and had this number before.
const SHAPE: u32 = u32::MAX;

/// The step cannot go on; [`Stepper::fault`] says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stop;

/// Who looks at the state.
#[derive(Clone, Copy, Debug)]
struct Viewer {
    /// The number of a process, or [`NOBODY`].
    process: u32,
    /// The first cell of its frame.
    base: u32,
}

/// The number of whoever is no process: the claim, the observer of messages, the monitors.
pub(crate) const NOBODY: u32 = u32::MAX;

impl Viewer {
    const NOBODY: Viewer = Viewer {
        process: NOBODY,
        base: 0,
    };
}

impl<'p> Stepper<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut shapes = ShapeCache::default();
        let shape = shapes
            .get(&program.shapes, 0)
            .expect("the empty shape is always there");
        Stepper {
            program,
            shapes,
            shape,
            cells: Vec::new(),
            log: Vec::new(),
            registers: Registers([0; 256]),
            message: Vec::new(),
            timeout: false,
            channels_before: 0,
            asking: Vec::new(),
            fault: None,
            oversize: false,
            stopped: false,
            blocked: false,
            abandoned: false,
            progress: Progress::default(),
            violations: Vec::new(),
            coverage: Coverage::new(program),
            expansion: Expansion::default(),
            origin: Vec::new(),
            origin_shape: 0,
            packed: Vec::new(),
            tier: None,
            already_told: 0,
            values_tried: 0,
            visits: 0,
            party: Party::default(),
            selection: Selection::default(),
            ways: Ways::Alike,
            has_atomic_cycle: false,
            once: Once::new(program.roles.names),
        }
    }

    /// Whether an atomic sequence that was met can go on for ever.
    pub fn has_atomic_cycle(&self) -> bool {
        self.has_atomic_cycle
    }

    /// Tells ways through atomic sequences apart.
    #[must_use]
    pub fn telling_apart(mut self, ways: Ways) -> Self {
        self.ways = ways;
        self
    }

    /// Makes steps by machine code, where that is possible.
    pub(crate) fn with_machine_code(mut self) -> Self {
        self.tier = Tier::new(self.program);
        self
    }

    /// Asks for machine code at once.
    pub(crate) fn without_patience(mut self) -> Self {
        if let Some(tier) = &mut self.tier {
            tier.hurry();
        }
        self
    }

    /// How many states machine code has expanded. It has given others back to the interpreter.
    pub fn expanded_natively(&self) -> u64 {
        self.tier.as_ref().map_or(0, |tier| tier.expanded)
    }

    /// The program whose steps are made.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// What has been reached by all steps made so far.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// How much memory the changes, moves and configurations of the current chain take.
    pub fn bytes(&self) -> usize {
        self.expansion.bytes()
            + self.log.capacity() * size_of::<Change>()
            + self.violations.capacity() * size_of::<Violation>()
    }

    /// A packed state as if it had been told: for those who ask what it is renamed to, and have not met it on a step.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn as_if_told(&mut self, packed: &[u8]) -> Arrival<'_, 'p> {
        self.load(packed);
        Arrival::new(self)
    }

    /// Makes a packed state the working state.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    fn load(&mut self, packed: &[u8]) {
        let id = read_prefix(packed).expect("a packed state starts with its shape");
        if id != self.shape.id {
            self.shape = self.shape_of(id);
        }
        assert_eq!(
            packed.len(),
            self.shape.packed_length,
            "a packed state has its shape's length"
        );
        packing::load(packed, &mut self.origin);
        packing::unpack(&self.shape, &self.origin, &mut self.cells);
        self.origin_shape = id;
        self.log.clear();
        self.log.shrink_to(LARGE_LOG);
    }

    /// The shape of that number, which has come up before.
    fn shape_of(&mut self, id: u32) -> Arc<Shape> {
        self.shapes
            .get(&self.program.shapes, id)
            .expect("the numbers of shapes come from the program")
    }

    /// Tells the working state.
    #[inline]
    fn tell(&mut self, turn: Turn, sink: &mut impl Sink) {
        self.compare_with_origin();
        if self.already_told > 0 {
            self.already_told -= 1;
            return;
        }
        sink.successor(&mut Arrival::new(self), turn);
    }

    /// Notes whether the working state, which is about to be told, is another one than that which is being expanded.
    #[inline]
    pub(crate) fn compare_with_origin(&mut self) {
        if self.progress.compared && !self.progress.changed {
            let length = self.origin.len().saturating_sub(packing::PADDING);
            let origin = std::mem::take(&mut self.origin);
            let differs = self.pack_whole() != &origin[..length];
            self.progress.changed = differs && !self.is_rearranged(&origin);
            self.origin = origin;
        }
    }

    /// Whether the working state differs from the origin in the order of elements that have none.
    fn is_rearranged(&mut self, origin: &[u8]) -> bool {
        if self.program.bags.is_empty() {
            return false;
        }
        let mut working = Vec::new();
        packing::load(self.pack_whole(), &mut working);
        let [before, after] = [origin, &working].map(|packed| {
            let mut cells = Vec::new();
            packing::unpack(&self.shape, packed, &mut cells);
            for (bag, base) in &self.program.bags {
                bag.arrange(&mut cells, *base);
            }
            cells
        });
        before == after
    }

    /// Packs the working state without a look at the origin.
    fn pack_whole(&mut self) -> &[u8] {
        if let Some(tier) = self.tier.as_ref().filter(|tier| tier.running) {
            return &tier.packed[..self.shape.packed_length];
        }
        packing::pack(&self.shape, &self.cells, &mut self.packed);
        &self.packed[..self.shape.packed_length]
    }

    /// Packs the working state.
    pub(crate) fn pack(&mut self) -> &[u8] {
        if self.tier.as_ref().is_some_and(|tier| tier.running) {
            let tier = self.tier.as_ref().expect("machine code runs");
            return &tier.packed[..self.shape.packed_length];
        }
        // Beyond that many changes it is cheaper to pack everything.
        let few = self.log.len() * 2 <= self.cells.len() + 4;
        if few && self.shape.id == self.origin_shape {
            self.patch();
        } else {
            packing::pack(&self.shape, &self.cells, &mut self.packed);
        }
        &self.packed[..self.shape.packed_length]
    }

    fn patch(&mut self) {
        self.packed.clear();
        self.packed.extend_from_slice(&self.origin);
        for change in &self.log {
            let cell = change.cell as usize;
            // A change of shape, or a cell that has come and gone, is no cell here.
            if let (Some(field), Some(&value)) = (self.shape.fields.get(cell), self.cells.get(cell))
            {
                packing::patch(&mut self.packed, field, value);
            }
        }
    }

    /// Changes a cell.
    #[inline]
    fn write(&mut self, cell: usize, value: i64) {
        let old = self.cells[cell];
        if old != value {
            self.log.push(Change {
                cell: cell as u32,
                old,
            });
            self.cells[cell] = value;
        }
    }

    /// Takes back all changes but the first `kept` of the log.
    #[inline]
    fn undo(&mut self, kept: usize) {
        while self.log.len() > kept {
            let Some(change) = self.log.pop() else { return };
            match change.cell {
                SHAPE => {
                    self.shape = self.shape_of(change.old as u32);
                    self.cells.resize(self.shape.fields.len(), 0);
                }
                cell => self.cells[cell as usize] = change.old,
            }
        }
    }

    #[cold]
    fn fail<T>(&mut self, kind: FaultKind, site: Site) -> Result<T, Stop> {
        let span = self.program.code.spans[site as usize];
        self.fault = Some(Fault {
            kind,
            span,
            monitors: None,
        });
        Err(Stop)
    }

    /// Puts why a step stopped to what went wrong. A state that is too large is nothing that went
    /// wrong in the model, and is told in another way.
    #[cold]
    fn report_fault(&mut self) {
        if let Some(fault) = self.fault.take() {
            self.progress.leave();
            self.note_violation();
            self.violations.push(Violation::Fault(fault));
        }
    }

    #[inline]
    fn viewer(&self, process: usize) -> Viewer {
        Viewer {
            process: process as u32,
            base: self.shape.processes[process].base,
        }
    }

    /// The template of a process.
    #[inline]
    fn template(&self, process: usize) -> &'p CompiledTemplate {
        let id = self.shape.processes[process].template;
        &self.program.parts.templates[id.index()]
    }

    /// The process of that number, if there is one.
    fn process(&self, number: i64) -> Option<usize> {
        let number = usize::try_from(number).ok()?;
        (number < self.shape.processes.len()).then_some(number)
    }

    fn too_large<T>(&mut self, _: Oversize) -> Result<T, Stop> {
        self.fault = None;
        self.oversize = true;
        self.progress.leave();
        Err(Stop)
    }
}
