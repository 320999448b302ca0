//! Moves that twins make superfluous: each orbit of moves is made once.
//!
//! [`crate::twins`] says what that means. Whoever expands a state may say which names are twins in it ([`Stepper::fire_once`]); the next expansion makes use of that for the
//! first moves of steps and for the choices of monitors, and every successor is told with its weight ([`crate::Arrival::weight`]).
//!
//! # What an expansion is not sure of
//!
//! Configurations of long atomic sequences are looked up, so that ways that meet are walked once (`expand`). Ways that begin with moves of one orbit might meet, too, and
//! would then count less than the weight says. They cannot as long as one process alone is on the way: it holds control, and that of another move of the orbit
//! is another one. Otherwise the expansion says so ([`Stepper::is_unsure`]), and who counts has to expand the state again with all moves.
//!
//! A violation has its number among all violations of a state, so there, too, the state is expanded again. Not so if nothing came of any move that stands for several
//! ([`Stepper::has_left_out`]): then nothing was left out, and a state that is behind a million ways is not expanded twice.

use super::collect::{Kind, Move};
use super::{NOBODY, Stepper};
use crate::arrival::Party;
use crate::code::CompiledEdge;
use crate::packing;
use crate::places::Places;
use crate::shape::{Shape, read_prefix};
use crate::twins::{Mark, Tuple, Twins};
use mandala_model::step::Turn;
use std::collections::HashMap;
use std::sync::Arc;

/// What it takes to make each orbit of moves once.
#[derive(Debug)]
pub(super) struct Once {
    pub twins: Twins,
    /// Whether the moves that are being collected are first moves of steps.
    pub reduces: bool,
    /// The move that is being collected.
    pub tuple: Tuple,
    /// How many moves the one stands for that is being made or evaluated.
    pub weight: u64,
    /// Whether ways may have met that begin with moves of one orbit.
    unsure: bool,
    /// Whether something came of a move that stands for several, so that moves were left out of which something comes, too.
    left_out: bool,
    /// Whether something went wrong.
    violated: bool,
    /// How often edges had been taken when the expansion began.
    counted: Vec<u64>,
    /// The cells of a state that somebody looks at.
    cells: Vec<i64>,
    padded: Vec<u8>,
}

impl Once {
    pub fn new(names: u32) -> Self {
        Once {
            twins: Twins::new(names),
            reduces: false,
            tuple: Tuple::default(),
            weight: 1,
            unsure: false,
            left_out: false,
            violated: false,
            counted: Vec::new(),
            cells: Vec::new(),
            padded: Vec::new(),
        }
    }
}

impl Once {
    /// The cells of a packed state, if it is the one that was looked at last.
    pub fn looked_at(&self, packed: &[u8]) -> Option<&Vec<i64>> {
        let (looked, padding) = self.padded.split_at_checked(packed.len())?;
        (padding.len() == packing::PADDING && looked == packed).then_some(&self.cells)
    }
}

/// A packed state that somebody looks at before it is expanded.
#[derive(Debug)]
pub struct Unpacked<'s, 'p> {
    stepper: &'s Stepper<'p>,
    shape: Arc<Shape>,
}

impl Unpacked<'_, '_> {
    /// The number of the state's shape.
    pub fn shape(&self) -> u32 {
        self.shape.id
    }

    /// Where everything lies in the cells.
    pub fn places(&self) -> Places {
        Places::new(self.stepper.program, &self.shape)
    }

    /// The cells of the state.
    pub fn cells(&self) -> &[i64] {
        &self.stepper.once.cells
    }

    /// Two cells as they lie in the packed states of this shape; nothing if they are not alike in type, or very wide.
    pub fn pair(&self, a: u32, b: u32) -> Option<CellPair> {
        let [a, b] = [a, b].map(|cell| self.shape.fields[cell as usize]);
        let is_comparable = (a.width, a.min) == (b.width, b.min) && a.width <= MOST_BITS;
        is_comparable.then_some(CellPair {
            offsets: [a.offset, b.offset],
            mask: a.mask,
        })
    }
}

/// So many bits are in the eight bytes that they start in.
const MOST_BITS: u8 = 57;

/// Two cells of one type, where they lie in packed states of one shape.
#[derive(Clone, Copy, Debug)]
pub struct CellPair {
    offsets: [u32; 2],
    mask: u64,
}

impl CellPair {
    /// How many bits each of them has.
    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }

    /// Whether both hold the same in a packed state.
    #[inline]
    pub fn is_equal(&self, packed: &[u8]) -> bool {
        let [a, b] = self.offsets.map(|offset| bits_from(packed, offset));
        (a ^ b) & self.mask == 0
    }
}

/// The bits of a packed state from an offset on.
#[inline]
fn bits_from(packed: &[u8], offset: u32) -> u64 {
    let from = packed.get((offset >> 3) as usize..).unwrap_or(&[]);
    let word = match from.first_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => {
            let mut eight = [0; 8];
            eight[..from.len()].copy_from_slice(from);
            u64::from_le_bytes(eight)
        }
    };
    word >> (offset & 7)
}

impl<'p> Stepper<'p> {
    /// Unpacks a state for somebody who looks at it.
    ///
    /// # Panics
    ///
    /// If the bytes are no state of this program.
    pub fn look(&mut self, packed: &[u8]) -> Unpacked<'_, 'p> {
        let id = read_prefix(packed).expect("a packed state starts with its shape");
        let shape = match id == self.shape.id {
            true => self.shape.clone(),
            false => self.shape_of(id),
        };
        packing::load(packed, &mut self.once.padded);
        packing::unpack(&shape, &self.once.padded, &mut self.once.cells);
        Unpacked {
            stepper: self,
            shape,
        }
    }

    /// The twins of the state that is expanded next.
    pub fn twins(&mut self) -> &mut Twins {
        &mut self.once.twins
    }

    /// Whether the next expansion makes each orbit of moves once.
    #[inline]
    pub fn fires_once(&self) -> bool {
        !self.once.twins.is_empty()
    }

    /// An expansion with twins is about to begin.
    pub fn begin_once(&mut self) {
        (self.once.unsure, self.once.left_out) = (false, false);
        self.once.violated = false;
        self.once.counted.clone_from(&self.coverage.edges);
    }

    /// Whether the weights that the last expansion has told may be too large.
    pub fn is_unsure(&self) -> bool {
        self.once.unsure
    }

    /// Whether the last expansion has left out moves of which something comes. If not, everything was told that an expansion with all moves tells.
    pub fn has_left_out(&self) -> bool {
        self.once.left_out
    }

    /// Something comes of a move, or of what is collected, that stands for so many.
    #[inline]
    pub(super) fn note_weight(&mut self, weight: u64) {
        self.once.left_out |= weight > 1;
    }

    /// Something goes wrong in what is made, collected or evaluated.
    pub(super) fn note_violation(&mut self) {
        let weight = self.once.weight.max(self.collected_weight());
        self.note_weight(weight);
        self.once.violated = true;
    }

    /// Whether the state has to be expanded again with all moves, whatever comes now.
    pub(super) fn is_in_vain(&self) -> bool {
        self.fires_once() && self.once.violated && self.once.left_out
    }

    /// The last expansion is not to count, and the state has no twins.
    pub fn fire_all(&mut self) {
        self.once.twins.clear();
        self.coverage.edges.clone_from(&self.once.counted);
    }

    /// How many steps the one stands for that leads to the working state.
    #[inline]
    pub(crate) fn weight(&self) -> u64 {
        self.once.weight
    }

    /// Machine code makes a move that stands for so many.
    #[inline]
    pub(crate) fn set_weight(&mut self, weight: u64) {
        self.once.weight = weight;
        self.note_weight(weight);
    }

    /// Begins to collect first moves of steps.
    pub(super) fn begin_first_moves(&mut self) {
        self.once.weight = 1;
        self.once.tuple.begin();
        self.once.reduces = self.fires_once();
    }

    /// Machine code lets the interpreter try an edge of a process behind so many moves: if it is the first one, the weight of that is known, and who receives is not.
    pub(super) fn begin_first_move(&mut self, process: u32, length: u32) {
        self.once.reduces = length == 0 && process != NOBODY && self.fires_once();
        if self.once.reduces {
            let weight = self.once.weight;
            self.begin_tuple(process);
            self.once.tuple.weight = weight;
        }
    }

    /// A process is about to be tried. False if it need not be.
    #[inline]
    pub(super) fn admits_process(&mut self, process: u32) -> bool {
        !self.once.reduces || self.begin_tuple(process)
    }

    #[cold]
    fn begin_tuple(&mut self, process: u32) -> bool {
        self.once.tuple.begin();
        self.add_process(process)
    }

    /// Another process takes part in the move. False if it need not be tried.
    pub(super) fn add_process(&mut self, process: u32) -> bool {
        let name = self.program.roles.process(process);
        name.is_none_or(|name| {
            let twin = self.once.twins.names[name as usize];
            self.once.tuple.add(twin)
        })
    }

    /// A parameter, by its row, gets the value at a position. False if it need not be tried.
    pub(super) fn admits_value(&mut self, row: u32, position: u32) -> bool {
        let first = self.program.roles.parameter(row);
        !self.once.reduces
            || first.is_none_or(|first| {
                let twin = self.once.twins.names[(first + position) as usize];
                self.once.tuple.add(twin)
            })
    }

    /// The move so far, to go back to.
    #[inline]
    pub(super) fn tuple_mark(&self) -> Mark {
        self.once.tuple.mark()
    }

    #[inline]
    pub(super) fn go_back_in_tuple(&mut self, mark: Mark) {
        self.once.tuple.go_back(mark);
    }

    /// How many moves the one stands for that is being collected.
    #[inline]
    pub(super) fn collected_weight(&self) -> u64 {
        match self.once.reduces {
            true => self.once.tuple.weight,
            false => 1,
        }
    }

    /// A configuration is looked up.
    pub(super) fn note_look_up(&mut self, turn: Turn) {
        if self.fires_once() {
            let alone = match turn {
                Turn::Held(process) => self.is_alone(process),
                Turn::Free | Turn::Claim | Turn::Stutter => false,
            };
            self.once.unsure |= !alone;
        }
    }

    /// Whether only that process, and no parameter, has taken part in the chain that leads to the working state.
    fn is_alone(&self, process: u32) -> bool {
        let natively = self.party.all;
        let own = Party::bit(process);
        let is_known = process < Party::MOST || natively == 0;
        let expansion = &self.expansion;
        let made = expansion.open.iter().map(|open| open.next.checked_sub(1));
        let mut made = made.filter_map(|last| expansion.moves.get(last?));
        let is_plain = |step: &Move| {
            let is_own = step.kind == Kind::Process && step.process == process;
            is_own && step.partner.is_none() && self.has_no_parameters(step)
        };
        let has_parameters = !self.program.code.parameters.is_empty();
        is_known && (natively == 0 || (natively == own && !has_parameters)) && made.all(is_plain)
    }

    fn has_no_parameters(&self, step: &Move) -> bool {
        let process = step.process as usize;
        let is_there = process < self.shape.processes.len();
        is_there
            && self.template(process).edges[step.edge as usize]
                .parameters
                .is_empty()
    }

    /// Leaves of the moves that were collected the first one of each orbit, which stands for all of the orbit that are there.
    pub(super) fn merge_orbits(&mut self) {
        if !self.fires_once() {
            return;
        }
        let mut moves = std::mem::take(&mut self.expansion.moves);
        let mut firsts: HashMap<Pattern, usize> = HashMap::new();
        let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
        for step in moves.drain(..) {
            match firsts.entry(self.pattern(&step)) {
                std::collections::hash_map::Entry::Occupied(first) => {
                    kept[*first.get()].weight += 1;
                    self.once.left_out = true;
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(kept.len());
                    kept.push(step);
                }
            }
        }
        moves.extend(kept);
        self.expansion.moves = moves;
    }

    /// What all moves of the orbit of a move have in common, and no others.
    fn pattern(&self, step: &Move) -> Pattern {
        let mut pattern = Pattern {
            edges: (step.edge, step.partner.map(|(_, edge)| edge)),
            timeout: step.timeout,
            names: Vec::new(),
        };
        let mut things = Vec::new();
        let roles = &self.program.roles;
        let template = self.template(step.process as usize);
        let edge = &template.edges[step.edge as usize];
        pattern.add(self, &mut things, roles.process(step.process), step.process);
        for (row, position) in positions(self.program, edge, step.choice) {
            let name = roles.parameter(row).map(|first| first + position);
            pattern.add(self, &mut things, name, position);
        }
        if let Some((receiver, _)) = step.partner {
            pattern.add(self, &mut things, roles.process(receiver), receiver);
        }
        pattern
    }
}

/// What the moves of an orbit have in common.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Pattern {
    edges: (u32, Option<u32>),
    timeout: bool,
    /// For each name its class, and where in the tuple it comes up first; for what is no name, itself.
    names: Vec<(Option<u32>, u32)>,
}

impl Pattern {
    fn add(&mut self, stepper: &Stepper<'_>, things: &mut Vec<u32>, name: Option<u32>, other: u32) {
        let Some(name) = name else {
            things.push(u32::MAX);
            return self.names.push((None, other));
        };
        let twin = stepper.once.twins.names[name as usize];
        let first = things.iter().position(|thing| *thing == twin.thing);
        self.names
            .push((Some(twin.class), first.unwrap_or(things.len()) as u32));
        things.push(twin.thing);
    }
}

/// The rows of the parameters of an edge, with the positions of their values in a choice.
fn positions<'c>(
    program: &'c crate::Program,
    edge: &CompiledEdge,
    choice: u32,
) -> impl Iterator<Item = (u32, u32)> + use<'c> {
    let mut rest = choice;
    let rows = edge.parameters.of(&program.code).iter();
    (edge.parameters.first..)
        .zip(rows)
        .map(move |(row, parameter)| {
            let position = rest / parameter.rest.max(1);
            rest -= position * parameter.rest;
            (row, position)
        })
}
