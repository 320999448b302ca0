//! The cells of a state and their bits.
//!
//! A state is a row of *cells*: the global variables, for each process its location and its local variables, for each
//! channel its length and its places, how many processes there are, and who holds control. What nobody ever writes, and what is
//! forgotten after each step, has one value in all states, and no bits. What does not exist (a process that has
//! ended or is not yet made, a place of a channel without a message) is 0, so that every state of the model is one row of bits and no other.
//!
//! A number of a process may be that of different processes at different times. Each of these is a process slot with cells of its own; where a number has
//! several, a cell says which of them it is (`slots`).
//!
//! Types are often wider than what is in them. So a cell gets a few bits at first. Where a step would put a number there that does not
//! fit, it is not carried out; and if such a place is ever reached, the cell gets twice as many bits, and everything begins again.

use crate::diagrams::{Bdd, Diagrams, Made};
use crate::first_values;
use crate::number::Number;
use crate::order;
use crate::reachable_locations;
use crate::slots::{self, Guesses, ProcessSlot};
use crate::stop::{CellId, Stop};
use crate::written::Written;
use mandala_model::ids::{ChannelKindId, DomainId, LocationId, TemplateId};
use mandala_model::model::UncheckedModel;
use mandala_model::state::{ChannelState, ProcessState, Value};
use mandala_model::template::{Control, Step};
use mandala_model::types::{Scalar, Storage, Variable};
use mandala_model::{Model, State};
use mandala_resolved::ResolvedModel;
use oxidd::BooleanFunction;
use std::collections::BTreeMap;

/// What a cell is.
#[derive(Clone, Debug)]
enum Cell {
    /// It has one value.
    Fixed(Value),
    /// Its value is in these bits, the lowest first.
    Bits { bits: Vec<usize>, signed: bool },
}

/// Where a cell belongs, which decides its place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Home {
    /// To all.
    Shared,
    /// To the process, or the element of arrays, of that number.
    Member(u32),
}

/// A cell that is not yet placed.
pub(crate) struct Wanted {
    pub home: Home,
    width: usize,
    /// How many bits it would have by its type.
    full: usize,
    signed: bool,
    fixed: Option<Value>,
    /// The first of the cells whose bits are woven with those of this one.
    pub woven_with: Option<usize>,
}

impl Wanted {
    /// How many bits it has.
    pub(crate) fn bits(&self) -> usize {
        match self.fixed {
            Some(_) => 0,
            None => self.width,
        }
    }
}

/// How many bits cells have that do not get as many as their types say.
pub(crate) type Widths = BTreeMap<CellId, usize>;

/// The cells of a process.
#[derive(Clone, Debug)]
pub(crate) struct ProcessCells {
    pub tenant: ProcessSlot,
    /// The cell that says which tenant its number has, and what that says if it is this one.
    pub lodging: (CellId, Value),
    /// Its priority, if that matters.
    pub priority: Option<CellId>,
    pub location: CellId,
    /// The first of its local cells; the others follow.
    pub locals: usize,
    count: usize,
}

impl ProcessCells {
    /// Its number.
    pub(crate) fn number(&self) -> u32 {
        self.tenant.number
    }

    /// What it is an instance of.
    pub(crate) fn template(&self) -> TemplateId {
        self.tenant.template
    }
}

/// The cells of a channel.
#[derive(Clone, Debug)]
pub(crate) struct ChannelCells {
    pub kind: ChannelKindId,
    /// The process that made it, by its place among all.
    pub owner: Option<usize>,
    /// How many there are before it that the same process made, or that nobody made.
    pub earlier: usize,
    pub length: CellId,
    /// The first cell of the first place; the others follow, place by place.
    slots: usize,
    pub fields: usize,
    pub capacity: usize,
}

impl ChannelCells {
    /// Whether there is no room in it: sender and receiver meet.
    pub(crate) fn is_rendezvous(&self) -> bool {
        self.capacity == 0
    }

    /// A field of the message at a place.
    pub(crate) fn field(&self, place: usize, field: usize) -> CellId {
        CellId(self.slots + place * self.fields + field)
    }

    /// The messages in it, as the cells hold them.
    fn messages(&self, values: &[Value]) -> Vec<Vec<Value>> {
        let places = 0..values[self.length.0] as usize;
        let message = |place| {
            let fields = 0..self.fields;
            fields
                .map(|field| values[self.field(place, field).0])
                .collect()
        };
        places.map(message).collect()
    }

    /// Puts the messages of a channel into the cells.
    fn keep(&self, channel: &ChannelState, values: &mut [Value]) {
        values[self.length.0] = channel.messages.len() as Value;
        let fields = channel.messages.iter().flatten();
        let places = self.places().map(|cell| cell.0);
        places
            .zip(fields)
            .for_each(|(at, value)| values[at] = *value);
    }

    /// Which place a cell is in, if it is in one.
    pub(crate) fn place_of(&self, cell: CellId) -> Option<usize> {
        let offset = cell.0.checked_sub(self.slots)?;
        (offset < self.capacity * self.fields).then(|| offset / self.fields)
    }

    /// All its cells but the length.
    pub(crate) fn places(&self) -> impl Iterator<Item = CellId> {
        (self.slots..self.slots + self.capacity * self.fields).map(CellId)
    }
}

/// All cells of a model.
pub(crate) struct Layout {
    cells: Vec<Cell>,
    globals: usize,
    pub processes: Vec<ProcessCells>,
    pub channels: Vec<ChannelCells>,
    /// How many processes there are, if that changes.
    pub alive: Option<CellId>,
    /// 0, or one more than the number of the process that holds control, if one ever does.
    pub holder: Option<CellId>,
    /// Who has moved last, if a state says so.
    pub last_mover: Option<CellId>,
    /// The first cell of the scratch variables of monitors.
    monitors: usize,
    bits: usize,
    /// How many bits each cell would have by its type.
    full: Vec<usize>,
    homes: Vec<Home>,
    /// The cell of each bit.
    owners: Vec<CellId>,
}

impl Layout {
    /// The cells of a model whose first state is that one. All processes that there can be are among those, and hold what is guessed.
    pub(crate) fn new(
        (model, code): (&Model, &ResolvedModel),
        start: &State,
        (tenants, guesses): (&[ProcessSlot], &Guesses),
        widths: &Widths,
    ) -> Made<Self> {
        let mut maker = Maker {
            model,
            code,
            written: Written::of(model),
            wanted: Vec::new(),
            widths,
        };
        maker.globals(start);
        let shared = start.channels.iter().filter(|c| c.owner.is_none());
        let shared = shared.enumerate();
        let shared = shared.map(|(earlier, channel)| maker.channel(channel.kind, None, earlier));
        let mut channels: Vec<ChannelCells> = shared.collect();
        let most = tenants.iter().map(|tenant| tenant.number + 1).max();
        let most = Value::from(most.unwrap_or(0));
        let changes = exits(model, tenants) || slots::are_made(model);
        let alive = changes.then(|| maker.number(most));
        let holder = holds(model).then(|| maker.number(most));
        let last_mover = model.tracks_last_mover.then(|| maker.number(most));
        let mut processes: Vec<ProcessCells> = Vec::new();
        for (place, tenant) in tenants.iter().enumerate() {
            let lodging = maker.lodging(&processes, tenants, tenant.number);
            let own = start.processes.get(tenant.number as usize);
            let own = own.filter(|_| place < start.processes.len());
            let guess = |cell: usize| guesses.get(&(place, cell)).copied();
            processes.push(maker.process(*tenant, lodging, own, guess));
            let kinds = first_values::channels(code.template(tenant.template));
            let made = kinds.into_iter().enumerate();
            let owner = Some((place, tenant.number));
            channels.extend(made.map(|(earlier, kind)| maker.channel(kind, owner, earlier)));
        }
        let monitors = maker.monitors();
        let full = maker.wanted.iter().map(|cell| cell.full).collect();
        let homes = maker.wanted.iter().map(|cell| cell.home).collect();
        let (cells, owners) = placed(&maker.wanted)?;
        Ok(Layout {
            bits: owners.len(),
            owners,
            cells,
            globals: start.globals.len(),
            processes,
            channels,
            alive,
            holder,
            last_mover,
            monitors,
            full,
            homes,
        })
    }

    /// How many bits a state has.
    pub(crate) fn bits(&self) -> usize {
        self.bits
    }

    /// A cell of a global variable.
    pub(crate) fn global(&self, index: usize) -> CellId {
        CellId(index)
    }

    /// A cell of a local variable of a process.
    pub(crate) fn local(&self, process: usize, index: usize) -> CellId {
        CellId(self.processes[process].locals + index)
    }

    /// A cell of a scratch variable of monitors.
    pub(crate) fn monitor_local(&self, index: usize) -> CellId {
        CellId(self.monitors + index)
    }

    /// Whether a cell is one of a scratch variable of monitors: no part of a state. They are the last cells.
    pub(crate) fn is_of_monitors(&self, cell: CellId) -> bool {
        cell.0 >= self.monitors
    }

    /// The cells of the local variables of a process.
    pub(crate) fn locals(&self, process: usize) -> impl Iterator<Item = CellId> {
        let own = &self.processes[process];
        (own.locals..own.locals + own.count).map(CellId)
    }

    /// The bits of a cell, the lowest first; none if it has one value.
    pub(crate) fn bits_of(&self, cell: CellId) -> &[usize] {
        match &self.cells[cell.0] {
            Cell::Fixed(_) => &[],
            Cell::Bits { bits, .. } => bits,
        }
    }

    /// What a cell holds before a step.
    pub(crate) fn value(&self, d: &Diagrams, cell: CellId) -> Number {
        match &self.cells[cell.0] {
            Cell::Fixed(value) => Number::constant(d, *value),
            Cell::Bits { bits, signed } => {
                let bits = bits.iter().map(|&bit| d.now(bit).clone()).collect();
                match signed {
                    true => Number::signed(bits),
                    false => Number::unsigned(d, bits),
                }
            }
        }
    }

    /// Holds where a number does not fit into a cell that has fewer bits than its type.
    pub(crate) fn misfits(&self, d: &Diagrams, cell: CellId, number: &Number) -> Made<Bdd> {
        match &self.cells[cell.0] {
            Cell::Bits { bits, .. } if bits.len() == self.full[cell.0] => Ok(d.no.clone()),
            Cell::Fixed(_) => Ok(d.no.clone()),
            Cell::Bits { bits, signed: true } => number.exceeds(d, bits.len()),
            Cell::Bits { bits, .. } => Ok(number.exceeds(d, bits.len() + 1)?.or(number.sign())?),
        }
    }

    /// Gives a cell twice as many bits.
    pub(crate) fn widen(&self, widths: &mut Widths, cell: CellId) {
        widths.insert(cell, 2 * self.bits_of(cell).len());
    }

    /// The bits of a state that somebody holds or nobody. Bits with one value in all states are left out. There are none if the state has a
    /// process that has no cells.
    pub(crate) fn encode(&self, state: &State, holder: Option<u32>) -> Option<Vec<(usize, bool)>> {
        let values = self.values(state, holder)?;
        let cells = self.cells.iter().zip(values);
        let bits = cells.flat_map(|(cell, value)| bits_of(cell, value));
        Some(bits.collect())
    }

    /// What all cells hold in a state that somebody holds or nobody; nothing if it has a process that has no cells.
    pub(crate) fn values(&self, state: &State, holder: Option<u32>) -> Option<Vec<Value>> {
        let mut values = vec![0; self.cells.len()];
        values[..self.globals].copy_from_slice(&state.globals);
        for channel in self.channels.iter().filter(|c| c.owner.is_none()) {
            channel.keep(&state.channels[channel.earlier], &mut values);
        }
        for (number, own) in (0..).zip(&state.processes) {
            let lives_there = |cells: &ProcessCells| {
                let is_alike = cells.priority.is_some() || cells.tenant.priority == own.priority;
                cells.number() == number && cells.template() == own.template && is_alike
            };
            let place = self.processes.iter().position(lives_there)?;
            let cells = &self.processes[place];
            if let Some(cell) = cells.priority {
                values[cell.0] = own.priority.into();
            }
            values[cells.location.0] = Value::from(own.location.0);
            values[cells.locals..cells.locals + cells.count].copy_from_slice(&own.locals);
            values[cells.lodging.0.0] = cells.lodging.1;
            let theirs = self.channels.iter().filter(|c| c.owner == Some(place));
            let held = state.channels.iter().filter(|c| c.owner == Some(number));
            theirs
                .zip(held)
                .for_each(|(cells, held)| cells.keep(held, &mut values));
        }
        if let Some(alive) = self.alive {
            values[alive.0] = state.processes.len() as Value;
        }
        if let Some(cell) = self.holder {
            values[cell.0] = holder.map_or(0, |process| Value::from(process) + 1);
        }
        if let Some(cell) = self.last_mover {
            values[cell.0] = state.last_mover;
        }
        Some(values)
    }

    /// The place of a process among all.
    pub(crate) fn place_of(&self, tenant: ProcessSlot) -> Option<usize> {
        self.processes.iter().position(|own| own.tenant == tenant)
    }

    /// How many numbers processes can have.
    pub(crate) fn numbers(&self) -> u32 {
        let numbers = self.processes.iter().map(ProcessCells::number);
        numbers.max().map_or(0, |last| last + 1)
    }

    /// The state with those bits, and who holds it.
    pub(crate) fn decode(&self, bits: &[bool]) -> (State, Option<u32>) {
        let cells = (0..self.cells.len()).map(|cell| self.decoded(CellId(cell), bits));
        self.state(&cells.collect::<Vec<Value>>())
    }

    /// The state whose cells hold those values, and who holds it.
    pub(crate) fn state(&self, values: &[Value]) -> (State, Option<u32>) {
        let value = |cell: CellId| values[cell.0];
        let alive = match self.alive {
            Some(cell) => value(cell) as u32,
            None => self.numbers(),
        };
        let made_by = |owner: Option<usize>| {
            let number = owner.map(|place| self.processes[place].number());
            let channels = self.channels.iter().filter(move |c| c.owner == owner);
            channels.map(move |channel| ChannelState {
                kind: channel.kind,
                owner: number,
                messages: channel.messages(values),
            })
        };
        let mut channels: Vec<ChannelState> = made_by(None).collect();
        let mut processes = Vec::new();
        for number in 0..alive {
            let lives = |own: &ProcessCells| {
                own.number() == number && value(own.lodging.0) == own.lodging.1
            };
            let Some(place) = self.processes.iter().position(lives) else {
                continue;
            };
            let own = &self.processes[place];
            processes.push(ProcessState {
                template: own.tenant.template,
                location: LocationId(value(own.location) as u32),
                priority: own.priority.map_or(own.tenant.priority, |c| value(c) as u8),
                locals: self.locals(place).map(value).collect(),
            });
            channels.extend(made_by(Some(place)));
        }
        let state = State {
            globals: values[..self.globals].to_vec(),
            processes,
            channels,
            last_mover: self.last_mover.map_or(0, value),
            claim: None,
            events: None,
        };
        let holder = self.holder.map_or(0, value);
        (state, (holder > 0).then(|| holder as u32 - 1))
    }

    /// The cell that has a bit.
    pub(crate) fn owner(&self, bit: usize) -> CellId {
        self.owners[bit]
    }

    /// Where a cell belongs.
    pub(crate) fn home(&self, cell: CellId) -> Home {
        self.homes[cell.0]
    }

    /// How many cells there are.
    pub(crate) fn count(&self) -> usize {
        self.cells.len()
    }

    /// The value of a cell that has only one.
    pub(crate) fn fixed(&self, cell: CellId) -> Option<Value> {
        match self.cells[cell.0] {
            Cell::Fixed(value) => Some(value),
            Cell::Bits { .. } => None,
        }
    }

    /// The least and the greatest value that the bits of a cell can stand for.
    pub(crate) fn range(&self, cell: CellId) -> (Value, Value) {
        match &self.cells[cell.0] {
            Cell::Fixed(value) => (*value, *value),
            Cell::Bits { bits, signed: true } => {
                let half = 1 << (bits.len() - 1);
                (-half, half - 1)
            }
            Cell::Bits { bits, .. } => (0, (1 << bits.len()) - 1),
        }
    }

    fn decoded(&self, cell: CellId, from: &[bool]) -> Value {
        match &self.cells[cell.0] {
            Cell::Fixed(value) => *value,
            Cell::Bits { bits, signed } => {
                let highest = bits.last().is_some_and(|&bit| from[bit]);
                let sign = if *signed && highest { -1 } else { 0 };
                let bits = bits.iter().rev().map(|&bit| Value::from(from[bit]));
                bits.fold(sign, |value, bit| value << 1 | bit)
            }
        }
    }
}

fn bits_of(cell: &Cell, value: Value) -> Vec<(usize, bool)> {
    match cell {
        Cell::Fixed(_) => Vec::new(),
        Cell::Bits { bits, .. } => {
            let bits = bits.iter().enumerate();
            bits.map(|(i, &bit)| (bit, value >> i & 1 == 1)).collect()
        }
    }
}

/// Whether one of those processes can end.
fn exits(model: &Model, tenants: &[ProcessSlot]) -> bool {
    let mut templates = tenants.iter().map(|t| model.template(t.template));
    templates.any(|template| {
        let locations = reachable_locations::locations(template).into_iter();
        let mut edges = locations.flat_map(|location| template.edges_from(location));
        edges.any(|(_, edge)| edge.step == Step::Exit)
    })
}

/// Whether somebody ever holds control.
pub(crate) fn holds(model: &Model) -> bool {
    let mut edges = model.templates.iter().flat_map(|t| &t.edges);
    model.start_held || edges.any(|edge| edge.control == Control::Hold)
}

/// How many bits a cell of that type has, and whether it is signed.
pub(crate) fn width(model: &UncheckedModel, scalar: Scalar) -> (usize, bool) {
    let size = |domain: DomainId| Value::from(model.domain_size(domain));
    match scalar {
        Scalar::Int { bits, signed } => (bits.into(), signed),
        Scalar::Bool => (1, false),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => (8, false),
        Scalar::Range { min, max } => width_between(min, max),
        Scalar::Coded { max, .. } => width_between(0, max),
        // -1 stands for undefined.
        Scalar::Id(domain) => width_between(-1, size(domain) - 1),
    }
}

fn width_between(min: Value, max: Value) -> (usize, bool) {
    let needs = |value: Value| 64 - (value ^ value >> 63).leading_zeros() as usize;
    let width = needs(min).max(needs(max));
    match min < 0 {
        true => (width + 1, true),
        false => (width.max(1), false),
    }
}

/// Cells get so many bits first, if their types have more. Most numbers are small, whatever their types say.
const USUAL_BITS: usize = 4;

/// More bits than this are refused: no diagram of them would be of use.
const MOST_BITS: usize = 1 << 16;

/// The cells in their places, and the cell of each bit.
fn placed(wanted: &[Wanted]) -> Made<(Vec<Cell>, Vec<CellId>)> {
    let cells = wanted.iter().map(|cell| match cell.fixed {
        Some(value) => Cell::Fixed(value),
        None => Cell::Bits {
            bits: vec![0; cell.width],
            signed: cell.signed,
        },
    });
    let mut cells: Vec<Cell> = cells.collect();
    let order = order::of(wanted);
    for (next, &(cell, bit)) in order.iter().enumerate() {
        if let Cell::Bits { bits, .. } = &mut cells[cell] {
            bits[bit] = next;
        }
    }
    match order.len() > MOST_BITS {
        true => Err(Stop::unsupported(
            format!("states of more than {MOST_BITS} bits"),
            None,
        )),
        false => {
            let owners = order.iter().map(|&(cell, _)| CellId(cell));
            Ok((cells, owners.collect()))
        }
    }
}

/// Makes the cells one after the other.
struct Maker<'m> {
    model: &'m Model,
    code: &'m ResolvedModel,
    written: Written,
    wanted: Vec<Wanted>,
    widths: &'m Widths,
}

impl Maker<'_> {
    fn globals(&mut self, start: &State) {
        let model = self.model;
        let fixed = |(variable, written): (&Variable, &bool)| {
            let is_fixed = !written || variable.storage == Storage::Scratch;
            vec![is_fixed; model.cells(&variable.ty)]
        };
        let fixed = model.globals.iter().zip(&self.written.globals).map(fixed);
        let fixed: Vec<bool> = fixed.flatten().collect();
        let mut next = 0;
        for variable in &model.globals {
            let elements = order::elements(model, &variable.ty);
            for (i, scalar) in model.scalars(&variable.ty).into_iter().enumerate() {
                let first = start.globals[next];
                let fixed = fixed[next].then_some(first);
                self.value(elements.home(i), scalar, fixed, first);
                next += 1;
            }
        }
    }

    /// The scratch variables of monitors, which hold nothing between two evaluations. Gives the first cell.
    fn monitors(&mut self) -> usize {
        let first = self.wanted.len();
        for variable in &self.model.monitor_scratch {
            for scalar in self.model.scalars(&variable.ty) {
                self.value(Home::Shared, scalar, Some(0), 0);
            }
        }
        first
    }

    /// The cell that says which tenant a number has, and what it says of the next one.
    fn lodging(
        &mut self,
        before: &[ProcessCells],
        tenants: &[ProcessSlot],
        number: u32,
    ) -> (CellId, Value) {
        let mut earlier = before.iter().filter(|own| own.number() == number);
        if let Some(ProcessCells { lodging, .. }) = earlier.next_back() {
            return (lodging.0, lodging.1 + 1);
        }
        let all = tenants.iter().filter(|t| t.number == number).count() as Value;
        let only = (all == 1).then_some(0);
        let cell = self.cell(Home::Member(number), width_between(0, all - 1), only);
        (cell, 0)
    }

    /// The cells of a process, which is that one at the start if it is there.
    fn process(
        &mut self,
        tenant: ProcessSlot,
        lodging: (CellId, Value),
        own: Option<&ProcessState>,
        guess: impl Fn(usize) -> Option<Value>,
    ) -> ProcessCells {
        let model = self.model;
        let template = model.template(tenant.template);
        let home = Home::Member(tenant.number);
        let last = template.locations.len() as Value - 1;
        let location = self.cell(home, width_between(0, last), None);
        let most = width_between(0, u8::MAX.into());
        let priority = model.prioritised.then(|| self.cell(home, most, None));
        let locals = self.wanted.len();
        // Who is made by others may be made more than once, each time with other values.
        let constants: Vec<Option<Value>> = match (own, slots::is_made(model, tenant.template)) {
            (Some(own), false) => own.locals.iter().copied().map(Some).collect(),
            _ => first_values::constants(self.code.template(tenant.template)),
        };
        let scalars = template.locals.iter().map(|local| model.scalars(&local.ty));
        let written = self.written.locals[tenant.template.index()].clone();
        let mut next = 0;
        for ((variable, scalars), written) in template.locals.iter().zip(scalars).zip(written) {
            for scalar in scalars {
                let is_fixed = !written || variable.storage == Storage::Scratch;
                let fixed = constants[next].or_else(|| guess(next)).filter(|_| is_fixed);
                let first = own.map_or(constants[next].unwrap_or(0), |own| own.locals[next]);
                self.value(home, scalar, fixed, first);
                next += 1;
            }
        }
        ProcessCells {
            tenant,
            lodging,
            priority,
            location,
            locals,
            count: next,
        }
    }

    /// The cells of a channel that was made by nobody, or by a process at that place and of that number.
    fn channel(
        &mut self,
        kind: ChannelKindId,
        owner: Option<(usize, u32)>,
        earlier: usize,
    ) -> ChannelCells {
        let declaration = self.model.channel_kind(kind);
        let home = owner.map_or(Home::Shared, |(_, number)| Home::Member(number));
        let capacity = declaration.capacity as usize;
        let never_filled = (capacity == 0).then_some(0);
        let length = self.cell(home, width_between(0, capacity as Value), never_filled);
        let slots = self.wanted.len();
        for (i, field) in std::iter::repeat_n(&declaration.fields, capacity)
            .flatten()
            .enumerate()
        {
            let cell = self.value(home, *field, None, 0);
            self.wanted[cell.0].woven_with = Some(slots + i % declaration.fields.len());
        }
        ChannelCells {
            kind,
            owner: owner.map(|(place, _)| place),
            earlier,
            length,
            slots,
            fields: declaration.fields.len(),
            capacity,
        }
    }

    /// A number from 0 on.
    fn number(&mut self, most: Value) -> CellId {
        self.cell(Home::Shared, width_between(0, most), None)
    }

    fn cell(&mut self, home: Home, (width, signed): (usize, bool), fixed: Option<Value>) -> CellId {
        self.wanted.push(Wanted {
            home,
            width,
            full: width,
            signed,
            fixed,
            woven_with: None,
        });
        CellId(self.wanted.len() - 1)
    }

    /// A cell of a type. It gets fewer bits than the type says if that may be enough.
    fn value(&mut self, home: Home, scalar: Scalar, fixed: Option<Value>, first: Value) -> CellId {
        let (full, signed) = width(self.model, scalar);
        let cell = self.cell(home, (full, signed), fixed);
        let usual = USUAL_BITS.max(width_between(first.min(0), first).0 + usize::from(signed));
        let width = self.widths.get(&cell).copied().unwrap_or(usual);
        self.wanted[cell.0].width = width.min(full);
        cell
    }
}
