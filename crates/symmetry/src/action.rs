//! The action of a renaming on a state: the reference, written to be obvious.
//!
//! - The process with number `p` goes to number `g(p)`, with its location and its locals.
//! - A value in a cell of sort [`Sort::Process`] that stands for `p` becomes the one that stands for
//!   `g(p)`, and the same for [`Sort::Name`]; values that stand for nothing that is permuted, such as
//!   one for nobody, stay.
//! - In an array indexed by processes or names the element of `p` goes to that of `g(p)`; elements
//!   that belong to nobody stay. So do global variables that belong to processes or names one by one.
//! - Messages are mapped field by field, in their order.
//! - A channel goes where its owner goes: the `k`-th channel that `p` made takes the place of the
//!   `k`-th channel that `g(p)` made. A channel made for an element of a global array that is indexed
//!   by processes or names goes where the element goes. References to channels are mapped accordingly.
//! - The last mover, whoever holds control and the owners of channels are mapped; the observers' own
//!   locations stay, their variables are mapped like all others.

use crate::renaming::Renaming;
use crate::sorts::{Shape, Sort, Sorts};
use mandala_model::ids::{ChannelKindId, GlobalId};
use mandala_model::state::{ChannelState, ProcessState, Value};
use mandala_model::step::Turn;
use mandala_model::types::{Initial, Type, Variable};
use mandala_model::{State, UncheckedModel};

/// How renamings act on the states of one model with given sorts.
#[derive(Clone, Debug)]
pub struct Action<'a> {
    sorts: &'a Sorts,
    /// For each cell of the globals, the channel that was made for it.
    made_for: Vec<Option<usize>>,
    /// For each global variable, its first cell.
    places: Vec<usize>,
    /// Whether a state says who moved last; if not, it says nothing that could be renamed.
    tracks_last_mover: bool,
}

/// One renaming about to be applied to one state.
struct Applied<'a> {
    sorts: &'a Sorts,
    forth: &'a Renaming,
    back: &'a Renaming,
    /// Where each channel goes.
    channels: Vec<usize>,
}

impl<'a> Action<'a> {
    /// The action on the states of a model. The sorts must have been made for the model.
    pub fn new(model: &UncheckedModel, sorts: &'a Sorts) -> Self {
        let mut made = Vec::new();
        model
            .globals
            .iter()
            .for_each(|v| mark_channels(model, v, &mut made));
        let mut next = 0..;
        let number = |made: bool| made.then(|| next.next()).flatten();
        let mut cell = 0;
        let place = |shape: &Shape<Sort>| {
            cell += shape.cells();
            cell - shape.cells()
        };
        Action {
            sorts,
            made_for: made.into_iter().map(number).collect(),
            places: sorts.classes.globals.iter().map(place).collect(),
            tracks_last_mover: model.tracks_last_mover,
        }
    }

    /// The image of a state, or `None` if the renaming moves a process to a number that is not there or
    /// belongs to an instance of another template.
    pub fn apply(&self, renaming: &Renaming, state: &State) -> Option<State> {
        let processes = &state.processes;
        let fits = |n: u32| {
            let image = renaming.processes().image(n) as usize;
            let (from, to) = (processes.get(n as usize), processes.get(image));
            matches!((from, to), (Some(a), Some(b)) if a.template == b.template)
        };
        if !renaming.processes().moved().all(fits) {
            return None;
        }
        let back = renaming.inverse();
        let applied = Applied {
            sorts: self.sorts,
            channels: self.channel_images(renaming, &back, state),
            forth: renaming,
            back: &back,
        };
        Some(self.image(&applied, state))
    }

    /// Whose turn it is after the renaming.
    pub fn turn(renaming: &Renaming, turn: Turn) -> Turn {
        match turn {
            Turn::Held(process) => Turn::Held(renaming.processes().image(process)),
            other => other,
        }
    }

    fn image(&self, applied: &Applied<'_>, state: &State) -> State {
        let numbers = 0..state.processes.len() as u32;
        let source = |n| &state.processes[applied.back.processes().image(n) as usize];
        let mut channels = state.channels.clone();
        for (channel, target) in state.channels.iter().zip(&applied.channels) {
            channels[*target] = self.channel(applied, channel, channels[*target].kind);
        }
        let mut globals = Vec::with_capacity(state.globals.len());
        self.move_globals(applied.back, &state.globals, &mut |sort, value| {
            globals.push(applied.value(sort, value));
        });
        State {
            globals,
            processes: numbers.map(|n| self.process(applied, source(n))).collect(),
            channels,
            last_mover: match self.tracks_last_mover {
                true => applied.value(Sort::Process(0), state.last_mover),
                false => state.last_mover,
            },
            claim: state.claim.as_ref().map(|c| self.process(applied, c)),
            events: state.events,
        }
    }

    /// Calls `put` with what belongs into each cell of the globals, in order.
    fn move_globals<T: Copy>(&self, back: &Renaming, cells: &[T], put: &mut impl FnMut(Sort, T)) {
        for (number, shape) in self.sorts.classes.globals.iter().enumerate() {
            let source = self.sorts.global_image(back, GlobalId::from(number));
            let own = &cells[self.places[source.index()]..][..shape.cells()];
            move_cells(self.sorts, shape, own, back, put);
        }
    }

    fn process(&self, applied: &Applied<'_>, process: &ProcessState) -> ProcessState {
        let shapes = &self.sorts.classes.locals[process.template.index()];
        ProcessState {
            locals: applied.cells(shapes, &process.locals),
            ..process.clone()
        }
    }

    /// What is in a channel, put into one of another declaration that is like its own.
    fn channel(
        &self,
        applied: &Applied<'_>,
        channel: &ChannelState,
        kind: ChannelKindId,
    ) -> ChannelState {
        let sorts = self.sorts.of_message(channel.kind);
        let message = |m: &Vec<Value>| {
            let fields = m.iter().zip(sorts);
            fields.map(|(v, sort)| applied.value(*sort, *v)).collect()
        };
        ChannelState {
            kind,
            owner: channel.owner.map(|p| applied.forth.processes().image(p)),
            messages: channel.messages.iter().map(message).collect(),
        }
    }

    /// Where each channel of a state goes.
    fn channel_images(&self, forth: &Renaming, back: &Renaming, state: &State) -> Vec<usize> {
        let mut images: Vec<usize> = (0..state.channels.len()).collect();
        let mut moved = Vec::new();
        self.move_globals(back, &self.made_for, &mut |_, slot| moved.push(slot));
        for (from, to) in moved.into_iter().zip(&self.made_for) {
            if let (Some(from), Some(to)) = (from, to) {
                images[from] = *to;
            }
        }
        let processes = forth.processes();
        for number in processes.moved() {
            let to = owned(state, processes.image(number));
            for (from, to) in owned(state, number).zip(to) {
                images[from] = to;
            }
        }
        images
    }
}

/// The channels that a process made, in order.
fn owned(state: &State, process: u32) -> impl Iterator<Item = usize> {
    let channels = state.channels.iter().enumerate();
    let own = channels.filter(move |(_, c)| c.owner == Some(process));
    own.map(|(index, _)| index)
}

impl Applied<'_> {
    fn value(&self, sort: Sort, value: Value) -> Value {
        match sort {
            Sort::Channel(_) => {
                let index = usize::try_from(value - 1).ok();
                let image = index.and_then(|index| self.channels.get(index));
                image.map_or(value, |image| *image as Value + 1)
            }
            sort => self.sorts.image(self.forth, sort, value),
        }
    }

    fn cells(&self, shapes: &[Shape<Sort>], values: &[Value]) -> Vec<Value> {
        let mut images = Vec::with_capacity(values.len());
        let mut rest = values;
        for shape in shapes {
            let (own, others) = rest.split_at(shape.cells());
            rest = others;
            move_cells(self.sorts, shape, own, self.back, &mut |sort, value| {
                images.push(self.value(sort, value));
            });
        }
        images
    }
}

/// Calls `put` with what belongs into each cell of a variable, in order, once arrays that are indexed by
/// processes or names have been permuted.
fn move_cells<T: Copy>(
    sorts: &Sorts,
    shape: &Shape<Sort>,
    cells: &[T],
    back: &Renaming,
    put: &mut impl FnMut(Sort, T),
) {
    match shape {
        Shape::Cell(sort, _) => put(*sort, cells[0]),
        Shape::Record(fields) => {
            let mut rest = cells;
            for field in fields {
                let (own, others) = rest.split_at(field.cells());
                move_cells(sorts, field, own, back, put);
                rest = others;
            }
        }
        Shape::Array {
            index,
            element,
            length,
        } => {
            let size = element.cells();
            for number in 0..*length {
                let source = sorts.image(back, *index, Value::from(number));
                // What would come from outside of the array has no place in it.
                let inside = usize::try_from(source).ok();
                let inside = inside.filter(|source| *source < *length as usize);
                let source = inside.unwrap_or(number as usize);
                move_cells(sorts, element, &cells[source * size..][..size], back, put);
            }
        }
    }
}

/// Says for each cell of a variable whether a channel is made for it.
fn mark_channels(model: &UncheckedModel, variable: &Variable, made: &mut Vec<bool>) {
    let cells = model.cells(&variable.ty);
    match variable.initial {
        Initial::NewChannel(_) => made.extend(vec![true; cells]),
        Initial::Default => mark_default(model, &variable.ty, made),
        Initial::Fill(_) | Initial::List(_) => made.extend(vec![false; cells]),
    }
}

fn mark_default(model: &UncheckedModel, ty: &Type, made: &mut Vec<bool>) {
    match ty {
        Type::Scalar(_) => made.push(false),
        Type::Record(id) => {
            let fields = &model.record(*id).fields;
            fields.iter().for_each(|f| mark_channels(model, f, made));
        }
        Type::Array { element, length } => {
            (0..*length).for_each(|_| mark_default(model, element, made));
        }
    }
}
