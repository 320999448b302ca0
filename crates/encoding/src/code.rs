//! The compiled form of expressions and effects: a linear code for a machine with 256 registers.
//!
//! The compiler hands out registers like a stack, so each operation names only the lowest of its
//! operands: a binary one combines `to` and `to + 1` and leaves the result in `to`. Cells are named by their
//! offset, those of the fixed part absolutely, those of a process relative to its frame.
//! Conditions are compiled to jumps and leave no value behind.
//!
//! What a step mostly consists of has operations of its own: a comparison of one cell with
//! a constant, an element of a plain array, a constant put into a cell, a counter that goes up by a constant.
//!
//! Operations that can fail name a *site*, a row of the table of spans.

use crate::values::{CompiledParameter, Loop, Parameters};
use mandala_model::arithmetic::Calculation;
pub(crate) use mandala_model::arithmetic::Relation;
use mandala_model::expr::ReceiveOrder;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_resolved::Store;

/// A register.
pub(crate) type Register = u8;

/// Where a piece of code starts.
pub(crate) type Entry = u32;

/// Where a fault is reported: a row of [`Code::spans`].
pub(crate) type Site = u32;

/// Which bits of a value a cell keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wrap {
    shift: u8,
    signed: bool,
}

impl Wrap {
    /// What an assignment to a cell keeps. Ranges keep all, after a check.
    pub fn of(store: Store) -> Self {
        match store {
            Store::Bits { bits, signed } => Wrap {
                shift: 64 - bits,
                signed,
            },
            Store::Range { .. } => Wrap {
                shift: 0,
                signed: true,
            },
        }
    }

    /// The least and the greatest value that are kept as they are.
    pub fn bounds(self) -> (i64, i64) {
        match (self.shift, self.signed) {
            (shift, true) => (i64::MIN >> shift, i64::MAX >> shift),
            (0, false) => (i64::MIN, i64::MAX),
            (shift, false) => (0, (u64::MAX >> shift) as i64),
        }
    }

    /// What is kept of a value.
    #[inline]
    pub fn apply(self, value: i64) -> i64 {
        if self.signed {
            value << self.shift >> self.shift
        } else {
            ((value as u64) << self.shift >> self.shift) as i64
        }
    }
}

/// Whether a cell is counted from the start of the state or of the frame of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    Local,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    // Values.
    Const {
        to: Register,
        value: i32,
    },
    /// A constant of the table.
    Wide {
        to: Register,
        index: u32,
    },
    Global {
        to: Register,
        cell: u32,
    },
    Local {
        to: Register,
        offset: u32,
    },
    /// Element `to` of an array of single cells.
    GlobalElement {
        to: Register,
        base: u32,
        length: u32,
        site: Site,
    },
    LocalElement {
        to: Register,
        base: u32,
        length: u32,
        site: Site,
    },
    /// Adds element `to + 1` of an array to the address in `to`.
    Index {
        to: Register,
        stride: u32,
        length: u32,
        site: Site,
    },
    /// The cell at the address in `to`.
    GlobalAt {
        to: Register,
    },
    LocalAt {
        to: Register,
    },
    /// Makes the number of a process in `to` the address of its frame: [`MISSING`] if there is none.
    Frame {
        to: Register,
        template: u32,
        site: Site,
    },
    SelfId {
        to: Register,
    },
    ProcessCount {
        to: Register,
    },
    /// The first process of the template, or -1.
    FirstInstance {
        to: Register,
        template: u32,
    },
    Timeout {
        to: Register,
    },
    NonProgress {
        to: Register,
    },
    Accepting {
        to: Register,
    },
    Enabled {
        to: Register,
        site: Site,
    },
    LocationNumber {
        to: Register,
    },
    Priority {
        to: Register,
    },
    /// How many messages wait in the channel in `to`.
    Length {
        to: Register,
        site: Site,
    },
    /// Whether there is no room in the channel in `to`.
    IsFull {
        to: Register,
        site: Site,
    },
    /// The position, from 1 on, of a message in the channel in `to` that fits the pattern set; 0 if
    /// there is none.
    Poll {
        to: Register,
        patterns: u32,
        site: Site,
    },
    At {
        to: Register,
        template: u32,
        location: u32,
    },
    /// The reference to the `nth` channel that comes with the frame that is being made.
    NewChannel {
        to: Register,
        nth: u32,
        site: Site,
    },
    /// A field of the message that is being received.
    Field {
        to: Register,
        index: u32,
    },
    /// What another register holds.
    Copy {
        to: Register,
        from: Register,
    },
    /// Begins to go through values: the first one in `to`, its position in `to + 1`, and what is made of them in `to + 2`, which is 0 at first.
    ///
    /// What is done for each of them follows, up to the [`Op::Next`] before `end`. Whoever translates code finds the extent of the loop here;
    /// nothing jumps into it, and what jumps out of it goes behind `end`.
    Each {
        to: Register,
        row: u32,
    },
    /// Goes on with the next value behind [`Op::Each`], if there is one.
    Next {
        to: Register,
        row: u32,
    },

    // Arithmetic.
    AddConst {
        to: Register,
        value: i32,
    },
    Add {
        to: Register,
    },
    Subtract {
        to: Register,
    },
    /// Fails if what is in `to` is 0.
    Defined {
        to: Register,
        site: Site,
    },
    Calculate {
        to: Register,
        op: Calculation,
        site: Site,
    },
    Compare {
        to: Register,
        relation: Relation,
    },
    CompareConst {
        to: Register,
        relation: Relation,
        value: i32,
    },

    // Control.
    Jump {
        target: u32,
    },
    JumpIf {
        to: Register,
        when: bool,
        target: u32,
    },
    JumpCompare {
        to: Register,
        relation: Relation,
        target: u32,
    },
    JumpCompareConst {
        to: Register,
        relation: Relation,
        value: i32,
        target: u32,
    },
    JumpGlobalConst {
        relation: Relation,
        cell: u32,
        value: i32,
        target: u32,
    },
    JumpLocalConst {
        relation: Relation,
        offset: u32,
        value: i32,
        target: u32,
    },
    /// The guard does not hold.
    Reject,
    /// The guard holds, the value is in register 0, the effects are done.
    Done,

    // Effects. The value is in `from`, an index or address in `from + 1`.
    SetGlobal {
        cell: u32,
        value: i32,
    },
    SetLocal {
        offset: u32,
        value: i32,
    },
    IncreaseGlobal {
        wrap: Wrap,
        cell: u32,
        by: i32,
    },
    IncreaseLocal {
        wrap: Wrap,
        offset: u32,
        by: i32,
    },
    StoreGlobal {
        from: Register,
        wrap: Wrap,
        cell: u32,
    },
    StoreLocal {
        from: Register,
        wrap: Wrap,
        offset: u32,
    },
    StoreElement {
        space: Space,
        wrap: Wrap,
        from: Register,
        array: u32,
        site: Site,
    },
    StoreAt {
        space: Space,
        wrap: Wrap,
        from: Register,
    },
    /// Fails unless the value is in the range of the table.
    CheckRange {
        from: Register,
        range: u32,
        site: Site,
    },
    CheckPriority {
        from: Register,
        site: Site,
    },
    /// Fails if the address in `from + 1` is in no frame.
    CheckFrame {
        from: Register,
        site: Site,
    },
    /// Reports a failed assertion.
    Fail {
        site: Site,
    },
    /// Reports that the step has failed, and ends it.
    Halt {
        site: Site,
    },
    /// Ends the step without a state after it.
    Abandon,
    /// Makes a process; arguments from `from` on, its number goes to `from`.
    Spawn {
        from: Register,
        spawn: u32,
    },
    /// Gives the process in `from` the priority in `from + 1`.
    SetPriority {
        from: Register,
        site: Site,
    },
}

impl Op {
    /// The register that the operation gives another value, if it does.
    pub fn result(&self) -> Option<Register> {
        match *self {
            Op::Const { to, .. }
            | Op::Wide { to, .. }
            | Op::Global { to, .. }
            | Op::Local { to, .. }
            | Op::GlobalElement { to, .. }
            | Op::LocalElement { to, .. }
            | Op::Index { to, .. }
            | Op::GlobalAt { to }
            | Op::LocalAt { to }
            | Op::Frame { to, .. }
            | Op::SelfId { to }
            | Op::ProcessCount { to }
            | Op::FirstInstance { to, .. }
            | Op::Timeout { to }
            | Op::NonProgress { to }
            | Op::Accepting { to }
            | Op::Enabled { to, .. }
            | Op::LocationNumber { to }
            | Op::Priority { to }
            | Op::Length { to, .. }
            | Op::IsFull { to, .. }
            | Op::Poll { to, .. }
            | Op::At { to, .. }
            | Op::NewChannel { to, .. }
            | Op::Field { to, .. }
            | Op::Copy { to, .. }
            | Op::AddConst { to, .. }
            | Op::Add { to }
            | Op::Subtract { to }
            | Op::Defined { to, .. }
            | Op::Calculate { to, .. }
            | Op::Compare { to, .. }
            | Op::CompareConst { to, .. } => Some(to),
            Op::Spawn { from, .. } => Some(from),
            _ => None,
        }
    }
}

/// The address of a frame that does not exist: so low that no offset makes it an address.
pub(crate) const MISSING: i64 = -1 << 40;

/// A run of cells that an index chooses from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub base: u32,
    pub length: u32,
}

/// A value that is often found without running code.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Const(i64),
    Global(u32),
    Local(u32),
    /// The code leaves the value in the register.
    Code(Entry, Register),
}

/// What a receive or a poll wants of a message.
#[derive(Clone, Debug)]
pub(crate) struct PatternSet {
    pub order: ReceiveOrder,
    /// How many fields the statement has.
    pub arity: u32,
    /// The fields that must have a value, and the value.
    pub matched: Vec<(u32, Source)>,
}

/// What a `run` makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spawn {
    pub template: TemplateId,
    pub priority: u8,
    /// Where it is reported that there is no room for one more.
    pub site: Site,
}

/// All code of a program, with its tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
    pub constants: Vec<i64>,
    pub arrays: Vec<Array>,
    pub ranges: Vec<(i64, i64)>,
    pub patterns: Vec<PatternSet>,
    pub spawns: Vec<Spawn>,
    pub loops: Vec<Loop>,
    pub parameters: Vec<CompiledParameter>,
}

/// How a value gets into a cell or a message field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoreRule {
    pub wrap: Wrap,
    /// What is allowed, if not everything.
    pub range: Option<(i64, i64)>,
}

impl StoreRule {
    /// The rule of a cell.
    pub fn of(store: Store) -> Self {
        StoreRule {
            wrap: Wrap::of(store),
            range: match store {
                Store::Bits { .. } => None,
                Store::Range { min, max } => Some((min, max)),
            },
        }
    }

    /// What is kept of a value, or nothing if it is not allowed.
    #[inline]
    pub fn store(self, value: i64) -> Option<i64> {
        match self.range {
            Some((min, max)) if value < min || value > max => None,
            _ => Some(self.wrap.apply(value)),
        }
    }
}

/// The channel that a statement is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChannelSource {
    pub source: Source,
    /// Where it is reported that there is no such channel.
    pub site: Site,
}

/// A statement that puts a message into a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SendSite {
    pub channel: ChannelSource,
    /// Leaves the fields in the registers from 0 on.
    pub message: Entry,
    pub arity: u32,
    pub sorted: bool,
    pub site: Site,
}

/// A statement that takes a message from a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReceiveSite {
    pub channel: ChannelSource,
    pub patterns: u32,
    /// Stores the fields, if any is wanted.
    pub bind: Option<Entry>,
    pub remove: bool,
    pub site: Site,
}

/// What an edge or a choice of a routine does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// `guard` is nothing if it always holds, `effects` if there are none.
    Guarded {
        guard: Option<Entry>,
        effects: Option<Entry>,
    },
    Else,
    Send(SendSite),
    Receive(ReceiveSite),
    Exit,
    /// A row of the table of routines.
    Routine(u32),
}

/// A compiled edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompiledEdge {
    pub target: u32,
    pub hold: bool,
    pub escape: u32,
    pub action: Action,
    /// Set if it is a violation that an earlier edge can be taken too: where that is reported.
    pub alone: Option<Site>,
    /// Its parameters.
    pub parameters: Parameters,
    /// The number of its first choice among those of all processes, if processes take it.
    pub first_action: u32,
    /// How many operations there are for it.
    pub size: u32,
}

/// A compiled location.
#[derive(Clone, Debug)]
pub(crate) struct CompiledLocation {
    pub edges: std::ops::Range<u32>,
    pub end: bool,
    pub progress: bool,
    pub accept: bool,
    pub number: u32,
    /// Whether ways may meet here: each cycle of edges has such a location.
    pub meeting: bool,
}

/// A compiled template.
#[derive(Clone, Debug)]
pub(crate) struct CompiledTemplate {
    pub locations: Vec<CompiledLocation>,
    pub edges: Vec<CompiledEdge>,
    pub entry: u32,
    pub provided: Option<Entry>,
    /// Gives the locals after the parameters their first values.
    pub initial: Option<Entry>,
    /// In which cell of the frame each cell of the parameters is, and what it keeps.
    pub parameters: Vec<(u32, Wrap)>,
    /// Where its locations start in the table of coverage.
    pub coverage: u32,
    /// Where its edges start in the table of coverage.
    pub first_edge: u32,
}

impl CompiledTemplate {
    /// Whether there is a cycle of edges behind which control is kept, or may be got back if processes meet.
    pub fn may_have_atomic_cycle(&self, meets: bool) -> bool {
        let goes_on =
            |edge: &CompiledEdge| edge.hold || meets && matches!(edge.action, Action::Send(_));
        let from = |location: &CompiledLocation| {
            // What does not run has no edges.
            let range = location.edges.start as usize..location.edges.end as usize;
            let edges = self.edges.get(range).unwrap_or_default().iter();
            edges
                .filter(|edge| goes_on(edge))
                .map(|edge| edge.target as usize)
        };
        let mut ways_in = vec![0; self.locations.len()];
        let targets = self.locations.iter().flat_map(from);
        targets.for_each(|target| ways_in[target] += 1);
        // What no edge leads to is on no cycle, and neither is what only that leads to.
        let mut waiting: Vec<usize> = (0..ways_in.len()).filter(|&at| ways_in[at] == 0).collect();
        let mut left = ways_in.len();
        while let Some(at) = waiting.pop() {
            left -= 1;
            for target in from(&self.locations[at]) {
                ways_in[target] -= 1;
                if ways_in[target] == 0 {
                    waiting.push(target);
                }
            }
        }
        left > 0 && self.edges.iter().any(|edge| edge.hold)
    }
}

/// A compiled routine.
#[derive(Clone, Debug)]
pub(crate) struct CompiledRoutine {
    pub nodes: Vec<CompiledNode>,
    /// Where its nodes start in the table of coverage.
    pub coverage: u32,
}

/// A compiled node of a routine.
#[derive(Clone, Debug)]
pub(crate) struct CompiledNode {
    pub choices: Vec<CompiledChoice>,
    /// Whether the edge cannot be taken if no choice can.
    pub quiet: bool,
    pub site: Site,
}

/// A compiled choice of a routine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompiledChoice {
    pub action: Action,
    pub next: Option<u32>,
    pub site: Site,
}

/// A kind of channel, as far as steps need to know.
#[derive(Clone, Debug)]
pub(crate) struct CompiledKind {
    pub capacity: u32,
    pub fields: Vec<StoreRule>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mandala_model::UncheckedModel;
    use mandala_model::model::{Arithmetic, Language};
    use mandala_model::types::Scalar;

    #[test]
    fn wrapping_agrees_with_the_model() {
        let scalars = [
            Scalar::unsigned(1),
            Scalar::unsigned(8),
            Scalar::unsigned(32),
            Scalar::signed(16),
            Scalar::signed(32),
            Scalar::Bool,
            Scalar::Process,
            Scalar::Range { min: -1, max: 255 },
            Scalar::Coded {
                coding: mandala_model::ids::CodingId(0),
                max: 255,
            },
        ];
        let model = UncheckedModel::new(Language::Promela, Arithmetic::Wrapping32);
        for scalar in scalars {
            for value in [
                0,
                1,
                -1,
                255,
                256,
                32768,
                -32769,
                1 << 31,
                1 << 32,
                i64::MAX,
            ] {
                let stored = StoreRule::of(Store::of(&model, scalar)).store(value);
                assert_eq!(stored, scalar.store(value), "{scalar:?} {value}");
            }
        }
    }

    #[test]
    fn operations_are_small() {
        assert!(size_of::<Op>() <= 16, "{} bytes", size_of::<Op>());
    }
}
