//! Expansion by machine code, where there is some.
//!
//! A stepper starts with the interpreter. Once it has expanded enough states of a shape, it asks the program for machine code for
//! states like the current one, and uses that from then on.

use super::collect::{Kind, Mover, Tried};
use super::expand::Open;
use super::{Incomplete, NOBODY, PATROL, Sink, Stepper};
use crate::arrival::Arrival;
use crate::native::{Answer, CodeKind, Function, Loan, Native, Offer, Sharing, Status};
use crate::packing;
use crate::program::Program;
use crate::shape::{Shape, read_prefix};
use mandala_model::ids::TemplateId;
use mandala_model::step::{Turn, Violation};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many states of a shape are expanded by the interpreter before machine code for them is wanted, and so many more for
/// each edge of each process and each monitor. To compile an edge takes about as long as to interpret that many states: whoever compiles
/// when that much time has gone by loses at most as much again.
const PATIENCE: u32 = 100;
const PATIENCE_PER_EDGE: u32 = 30;

/// One more for so many operations, which matters where edges are long routines.
const OPERATIONS_PER_STATE: u32 = 2;

/// A state in which so many values of parameters are tried takes as long as two: few states may have many choices each.
const VALUES_PER_STATE: u64 = 256;

/// While somebody else compiles, asked again after so many states.
const RETRY: u32 = 32;

/// Code for each choice of parameters is worth the time to make it once machine code with loops has expanded so many states for each operation of the
/// copies: about half a microsecond is gained in a state.
const WORTHWHILE_PER_OPERATION: u64 = 4;

/// The same for whoever compares the kinds of code.
const EAGERLY_WORTHWHILE: u64 = 20;

/// What a stepper knows about machine code.
#[derive(Debug)]
pub(super) struct Tier {
    /// Whether machine code is wanted at once.
    pub eager: bool,
    /// How many states machine code has expanded.
    pub expanded: u64,
    /// One for each shape.
    slots: Vec<Slot>,
    /// The function whose constants are in the cells.
    loaded: Option<u64>,
    /// The packed form of the working state, with padding, while machine code runs.
    pub packed: Vec<u8>,
    /// The cells that machine code works on, while the interpreter makes a step in between.
    spare: Vec<i64>,
    /// Whether machine code runs.
    pub running: bool,
}

#[derive(Clone, Debug)]
struct Slot {
    function: Option<Arc<Function>>,
    /// How many states there was no code for, since it was last asked for, each counted as many times as [it takes longer](VALUES_PER_STATE).
    without: u32,
    /// How many of those it takes to ask.
    patience: u32,
    /// The current state is one of those.
    wants: bool,
    never: bool,
    kind: CodeKind,
    /// After how many states that machine code has expanded better code is asked for; never if there is none.
    better_from: u64,
}

impl Default for Slot {
    fn default() -> Self {
        Slot {
            function: None,
            without: 0,
            patience: 0,
            wants: false,
            never: false,
            kind: CodeKind::Loops,
            better_from: u64::MAX,
        }
    }
}

impl Slot {
    /// Counts the current state if there is no code for it; so many values of parameters were tried in the one before. Says whether it is time to
    /// ask for some.
    fn is_due(&mut self, values_tried: u64) -> bool {
        let wanting = std::mem::take(&mut self.wants) || self.function.is_none();
        if wanting {
            let work = 1 + values_tried / VALUES_PER_STATE;
            let work = u32::try_from(work).unwrap_or(u32::MAX);
            self.without = self.without.saturating_add(work);
        }
        wanting && !self.never && self.without >= self.patience
    }
}

impl Tier {
    /// For a program that there can be machine code for.
    pub fn new(program: &Program) -> Option<Self> {
        Native::is_possible(program).then(|| Tier {
            eager: false,
            expanded: 0,
            slots: Vec::new(),
            loaded: None,
            packed: Vec::new(),
            spare: Vec::new(),
            running: false,
        })
    }

    /// Machine code is wanted at once, and the better kind of it soon.
    pub fn hurry(&mut self) {
        self.eager = true;
    }

    /// The cells are about to hold something else than what machine code takes for granted.
    pub fn forget_cells(&mut self) {
        self.loaded = None;
    }

    /// Who shares code.
    fn sharing(&self) -> Sharing {
        match self.eager {
            true => Sharing::ANY,
            false => Sharing::MANY,
        }
    }

    fn slot(&mut self, shape: u32) -> &mut Slot {
        let at = shape as usize;
        if self.slots.len() <= at {
            self.slots.resize(at + 1, Slot::default());
        }
        &mut self.slots[at]
    }
}

impl Stepper<'_> {
    /// Expands a state by machine code. Nothing if the interpreter has to do it.
    pub(super) fn expand_natively(
        &mut self,
        packed: &[u8],
        sink: &mut impl Sink,
    ) -> Option<Result<(), Incomplete>> {
        let id = read_prefix(packed)?;
        // Taken out and put back: that is cheaper than to count one more owner for a moment.
        let function = self
            .tier
            .as_mut()?
            .slots
            .get_mut(id as usize)?
            .function
            .take()?;
        let outcome = self.expand_by(&function, packed, sink);
        let tier = self.tier.as_mut()?;
        let slot = &mut tier.slots[id as usize];
        let is_due = tier.expanded >= slot.better_from && matches!(outcome, Some(Ok(())));
        slot.function = Some(function);
        if is_due {
            self.ask_for_better(id);
        }
        outcome
    }

    /// Asks for better code for states of a shape, like the one that has just been expanded.
    #[cold]
    fn ask_for_better(&mut self, shape: u32) {
        let program = self.program;
        let Some(tier) = &mut self.tier else { return };
        let (sharing, expanded) = (tier.sharing(), tier.expanded);
        let slot = &mut tier.slots[shape as usize];
        let (native, wanted) = (&program.native, (CodeKind::Copies, sharing, None));
        slot.better_from = match native.function(program, &self.shape, &self.cells, wanted) {
            Offer::Function(function) => {
                slot.function = Some(function);
                slot.kind = CodeKind::Copies;
                u64::MAX
            }
            Offer::Never => u64::MAX,
            Offer::Busy => expanded + u64::from(RETRY),
        };
    }

    fn expand_by(
        &mut self,
        function: &Arc<Function>,
        packed: &[u8],
        sink: &mut impl Sink,
    ) -> Option<Result<(), Incomplete>> {
        self.prepare(packed, function);
        self.expansion.forget();
        self.begin_progress();
        let run = function.run(self, sink);
        self.leave();
        // Where every step leads back, the interpreter says what that means.
        let leads_on = run.told > 0 && (!self.progress.compared || self.progress.changed);
        match run.status {
            Status::Done if leads_on => {
                self.tier.as_mut()?.expanded += 1;
                Some(Ok(()))
            }
            Status::Stopped => Some(self.verdict_on_expansion()),
            Status::Miss => {
                self.tier.as_mut()?.slot(function.shape().id).wants = true;
                None
            }
            Status::Done | Status::Redo => {
                self.take_back(packed, function);
                self.already_told = run.told;
                None
            }
        }
    }

    /// Makes a packed state the working state as far as machine code does not do that itself.
    fn prepare(&mut self, packed: &[u8], function: &Arc<Function>) {
        let shape = function.shape();
        assert_eq!(
            packed.len(),
            shape.packed_length,
            "a packed state has its shape's length"
        );
        if self.shape.id != shape.id {
            self.shape = shape.clone();
        }
        self.log.clear();
        if self.program.rules.no_change {
            packing::load(packed, &mut self.origin);
        }
        let Some(tier) = &mut self.tier else { return };
        packing::load(packed, &mut tier.packed);
        tier.running = true;
        if !function.unpacks() {
            match self.once.looked_at(packed) {
                Some(cells) => self.cells.clone_from(cells),
                None => packing::unpack(shape, &tier.packed, &mut self.cells),
            }
        }
        if tier.loaded != Some(function.id()) {
            tier.loaded = Some(function.id());
            self.cells.resize(shape.fields.len(), 0);
            for (cell, value) in function.constants() {
                self.cells[*cell as usize] = *value;
            }
        }
    }

    fn leave(&mut self) {
        if let Some(tier) = &mut self.tier {
            tier.running = false;
        }
    }

    /// Takes back what machine code has counted before it gave a state back.
    #[cold]
    fn take_back(&mut self, packed: &[u8], function: &Arc<Function>) {
        self.stopped = false;
        self.prepare(packed, function);
        self.expansion.forget();
        function.run_back(self);
        self.leave();
        (self.stopped, self.oversize, self.fault) = (false, false, None);
        self.violations.clear();
    }

    /// The interpreter has loaded a state: it may be time for machine code, and what machine code had in the cells is gone.
    pub(super) fn warm_up(&mut self) {
        let program = self.program;
        self.forget_machine_code();
        let values_tried = std::mem::take(&mut self.values_tried);
        let Some(tier) = &mut self.tier else { return };
        let (eager, sharing) = (tier.eager, tier.sharing());
        let slot = tier.slot(self.shape.id);
        if slot.patience == 0 {
            slot.patience = if eager {
                1
            } else {
                patience(program, &self.shape, sharing)
            };
        }
        if !slot.is_due(values_tried) {
            return;
        }
        let wanted = (slot.kind, sharing, slot.function.as_deref());
        match program
            .native
            .function(program, &self.shape, &self.cells, wanted)
        {
            Offer::Function(function) => {
                slot.better_from = match function.copied_operations() {
                    0 => u64::MAX,
                    _ if eager => EAGERLY_WORTHWHILE,
                    operations => operations.saturating_mul(WORTHWHILE_PER_OPERATION),
                };
                slot.function = Some(function);
                slot.without = 0;
            }
            Offer::Busy => slot.without = slot.without.saturating_sub(RETRY),
            Offer::Never => slot.never = true,
        }
    }

    /// The interpreter has loaded a state, and what machine code had in the cells is gone.
    pub(super) fn forget_machine_code(&mut self) {
        if let Some(tier) = &mut self.tier {
            tier.forget_cells();
        }
    }

    /// What machine code works on.
    pub(crate) fn lend(&mut self, shape: &Shape) -> Loan {
        let packed = match &mut self.tier {
            Some(tier) => tier.packed.as_mut_ptr(),
            None => std::ptr::null_mut(),
        };
        Loan {
            cells: self.cells.as_mut_ptr(),
            packed,
            edges: self.coverage.edges.as_mut_ptr(),
            nodes: self.coverage.nodes.as_mut_ptr(),
            twins: self.once.twins.names.as_ptr(),
            has_twins: self.fires_once(),
            fields: shape.fields.as_ptr(),
            processes: shape.processes.as_ptr(),
            channels: shape.channels.as_ptr(),
        }
    }

    /// Whether the working state has all cells and bytes of a shape, and there is an entry for every name.
    pub(crate) fn has_room_for(&self, shape: &Shape) -> bool {
        let bytes = self.tier.as_ref().map_or(0, |tier| tier.packed.len());
        self.cells.len() == shape.fields.len()
            && bytes == shape.packed_length + packing::PADDING
            && self.once.twins.names.len() == self.program.roles.names as usize
    }

    /// Whether a configuration of a long chain is new, before which so many were looked up.
    pub(crate) fn visit_natively(
        &mut self,
        process: u32,
        passed: &mut u64,
        sink: &mut impl Sink,
    ) -> Answer {
        self.visits += 1;
        if self.visits.is_multiple_of(PATROL) && self.patrol(sink).is_err() {
            return Answer::Stopped;
        }
        self.go_back(*passed);
        let is_new = self.visit(Turn::Held(process));
        *passed = self.expansion.passed() as u64;
        match is_new {
            true => Answer::Taken,
            false => Answer::Idle,
        }
    }

    /// Says where machine code is on the current chain: behind so many configurations that were looked up. It does not say when it leaves one.
    pub(crate) fn go_back(&mut self, passed: u64) {
        self.expansion.seen.go_back(passed as usize);
    }

    /// Tries an edge, with one choice of its parameters, in the middle of a native expansion, with all chains that begin with it, and undoes it. The edge of
    /// nobody is a monitor.
    pub(crate) fn interpret_edge(
        &mut self,
        process: u32,
        (edge, choice): (u32, u32),
        moved: bool,
        length: u32,
        sink: &mut impl Sink,
        told: &mut u64,
    ) -> Answer {
        self.leave();
        self.spare_cells();
        // The log knows nothing of how the state was reached, so successors are packed anew.
        self.origin_shape = u32::MAX;
        self.log.clear();
        let mut relay = Relay {
            sink,
            told,
            violated: false,
        };
        self.begin_first_move(process, length);
        let tried = match process {
            NOBODY => {
                self.evaluate_monitor(edge, Some(choice), &mut relay);
                Tried::default()
            }
            process => self.collect_edge(process, (edge, choice), moved),
        };
        self.once.reduces = false;
        let mut violated = !self.violations.is_empty();
        if !violated && tried.found {
            self.walk(length, &mut relay);
            violated = relay.violated;
        }
        self.expansion.abandon();
        self.undo(0);
        if let Some(tier) = &mut self.tier {
            std::mem::swap(&mut self.cells, &mut tier.spare);
            tier.running = true;
        }
        if self.stopped {
            return Answer::Stopped;
        }
        if violated || self.oversize {
            self.violations.clear();
            self.oversize = false;
            return Answer::Redo;
        }
        match (tried.found, tried.unmet) {
            (true, _) => Answer::Taken,
            (false, true) => Answer::Unmet,
            (false, false) => Answer::Idle,
        }
    }

    /// Goes on with a copy of the cells. New processes may make them move, and machine code knows the cells where they are.
    fn spare_cells(&mut self) {
        if let Some(tier) = &mut self.tier {
            tier.spare.clear();
            tier.spare.extend_from_slice(&self.cells);
            std::mem::swap(&mut self.cells, &mut tier.spare);
        }
    }

    /// As [`Stepper::interpret_edge`], but what is counted is taken off.
    pub(crate) fn interpret_back(
        &mut self,
        process: u32,
        edge: (u32, u32),
        moved: bool,
        length: u32,
        sink: &mut impl Sink,
    ) -> Answer {
        let before = self.coverage.edges.clone();
        let answer = self.interpret_edge(process, edge, moved, length, sink, &mut 0);
        for (count, before) in self.coverage.edges.iter_mut().zip(before) {
            *count = before.wrapping_sub(count.wrapping_sub(before));
        }
        answer
    }

    /// Collects the moves along one edge, with one choice of its parameters.
    fn collect_edge(&mut self, process: u32, (edge, choice): (u32, u32), moved: bool) -> Tried {
        self.timeout = false;
        let mover = Mover {
            viewer: self.viewer(process as usize),
            kind: Kind::Process,
            template: self.template(process as usize),
        };
        let before = Tried {
            moved,
            ..Tried::default()
        };
        let after = match mover.template.edges[edge as usize].parameters.is_empty() {
            true => self.try_edge(mover, edge, before),
            false => self.try_choice(mover, (edge, choice), before),
        };
        Tried {
            found: after.found,
            ..after
        }
    }

    /// Makes the moves that have been collected, and what follows them.
    fn walk(&mut self, length: u32, sink: &mut impl Sink) {
        self.expansion.open.push(Open {
            first: 0,
            next: 0,
            changes: 0,
            length,
            passed: self.expansion.passed(),
        });
        self.take_all(sink);
    }
}

/// How many states of a shape are expanded by the interpreter before machine code for them is wanted.
fn patience(program: &Program, shape: &Shape, sharing: Sharing) -> u32 {
    let templates = shape.processes.iter().map(|slot| slot.template);
    let shared: BTreeSet<TemplateId> = templates
        .clone()
        .filter(|id| sharing.applies(shape, *id))
        .collect();
    let alone = templates.filter(|id| !shared.contains(id));
    let templates = alone.chain(shared.iter().copied());
    let monitors = program.layout.monitors.iter().map(|m| m.template);
    let edges = templates
        .chain(monitors)
        .flat_map(|id| &program.parts.templates[id.index()].edges);
    let each = edges.map(|edge| PATIENCE_PER_EDGE.max(edge.size / OPERATIONS_PER_STATE));
    each.fold(PATIENCE, u32::saturating_add)
}

/// Hands successors on, and keeps back what goes wrong: the interpreter will tell it in its place.
struct Relay<'a, S> {
    sink: &'a mut S,
    told: &'a mut u64,
    violated: bool,
}

impl<S: Sink> Sink for Relay<'_, S> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        *self.told += 1;
        self.sink.successor(arrival, turn);
    }

    fn violation(&mut self, _: Violation) {
        self.violated = true;
    }

    fn abandoned(&mut self, weight: u64) {
        *self.told += 1;
        self.sink.abandoned(weight);
    }

    fn keep_going(&mut self, held: usize) -> bool {
        self.sink.keep_going(held)
    }
}
