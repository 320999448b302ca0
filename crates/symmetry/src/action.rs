//! What a permutation of process numbers does to a state: the reference, made to be obvious.
//!
//! - The process with number `p` goes to number `g(p)`, with its location and its locals.
//! - A value in a cell of sort [`Sort::Process`] that is `p` becomes `g(p)`; numbers that are not
//!   permuted, such as one that stands for nobody, stay.
//! - In an array indexed by processes the element `p` goes to `g(p)`.
//! - Messages are mapped field by field, in their order.
//! - A channel goes where its owner goes: the `k`-th channel that `p` made takes the place of the
//!   `k`-th channel that `g(p)` made. A channel made for an element of a global array that is indexed
//!   by processes goes where the element goes. References to channels are mapped accordingly.
//! - The last mover, whoever holds control and the owners of channels are mapped; the observers' own
//!   locations stay, their variables are mapped like all others.

use crate::sorts::{Shape, Sort, Sorts};
use mandala_model::state::{ChannelState, ProcessState, Value};
use mandala_model::step::Turn;
use mandala_model::types::{Initial, Type, Variable};
use mandala_model::{State, UncheckedModel};

/// A permutation of process numbers; numbers that it does not know stay where they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation {
    /// The image of each number below the length; no fixed point at the end, so that equal
    /// permutations are equal values.
    images: Vec<u32>,
}

impl Permutation {
    /// The one that moves nothing.
    pub fn identity() -> Self {
        Permutation { images: Vec::new() }
    }

    /// The one with these images of 0, 1, 2, ..; `None` if that is no permutation.
    pub fn from_images(images: Vec<u32>) -> Option<Self> {
        let mut hit = vec![false; images.len()];
        for image in &images {
            let hit = hit.get_mut(*image as usize)?;
            if std::mem::replace(hit, true) {
                return None;
            }
        }
        Some(Permutation { images }.trimmed())
    }

    /// The one that exchanges two numbers.
    pub fn swap(a: u32, b: u32) -> Self {
        let mut images: Vec<u32> = (0..=a.max(b)).collect();
        images.swap(a as usize, b as usize);
        Permutation { images }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self
            .images
            .last()
            .is_some_and(|last| *last as usize + 1 == self.images.len())
        {
            self.images.pop();
        }
        self
    }

    /// Where a number goes.
    pub fn image(&self, number: u32) -> u32 {
        let image = self.images.get(number as usize);
        image.copied().unwrap_or(number)
    }

    /// Where a value goes that may be a process number.
    pub fn image_of_value(&self, value: Value) -> Value {
        let index = usize::try_from(value).ok();
        let image = index.and_then(|index| self.images.get(index));
        image.map_or(value, |image| Value::from(*image))
    }

    /// The numbers that do not stay.
    pub fn moved(&self) -> impl Iterator<Item = u32> {
        let images = self.images.iter().zip(0..);
        images.filter(|(image, n)| **image != *n).map(|(_, n)| n)
    }

    /// The one that takes everything back.
    pub fn inverse(&self) -> Self {
        let mut images = vec![0; self.images.len()];
        for (number, image) in self.images.iter().enumerate() {
            images[*image as usize] = number as u32;
        }
        Permutation { images }
    }

    /// This one, and then another.
    pub fn then(&self, next: &Permutation) -> Self {
        let length = self.images.len().max(next.images.len()) as u32;
        let images = (0..length).map(|n| next.image(self.image(n))).collect();
        Permutation { images }.trimmed()
    }
}

/// How permutations act on the states of one model with given sorts.
#[derive(Clone, Debug)]
pub struct Action<'a> {
    sorts: &'a Sorts,
    /// For each cell of the globals, the channel that was made for it.
    made_for: Vec<Option<usize>>,
}

/// One permutation about to be applied to one state.
struct Applied<'a> {
    forth: &'a Permutation,
    back: Permutation,
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
        Action {
            sorts,
            made_for: made.into_iter().map(number).collect(),
        }
    }

    /// The image of a state, or `None` if the permutation moves a number to one that is not there or
    /// belongs to an instance of another template.
    pub fn apply(&self, permutation: &Permutation, state: &State) -> Option<State> {
        let processes = &state.processes;
        let fits = |n: u32| {
            let image = permutation.image(n) as usize;
            let (from, to) = (processes.get(n as usize), processes.get(image));
            matches!((from, to), (Some(a), Some(b)) if a.template == b.template)
        };
        if !permutation.moved().all(fits) {
            return None;
        }
        let back = permutation.inverse();
        let applied = Applied {
            channels: self.channel_images(permutation, &back, state),
            forth: permutation,
            back,
        };
        Some(self.image(&applied, state))
    }

    /// Whose turn it is after the permutation.
    pub fn turn(permutation: &Permutation, turn: Turn) -> Turn {
        match turn {
            Turn::Held(process) => Turn::Held(permutation.image(process)),
            other => other,
        }
    }

    fn image(&self, applied: &Applied<'_>, state: &State) -> State {
        let numbers = 0..state.processes.len() as u32;
        let source = |n| &state.processes[applied.back.image(n) as usize];
        let mut channels = state.channels.clone();
        for (channel, target) in state.channels.iter().zip(&applied.channels) {
            channels[*target] = self.channel(applied, channel);
        }
        State {
            globals: applied.cells(&self.sorts.classes.globals, &state.globals),
            processes: numbers.map(|n| self.process(applied, source(n))).collect(),
            channels,
            last_mover: applied.forth.image_of_value(state.last_mover),
            claim: state.claim.as_ref().map(|c| self.process(applied, c)),
            events: state.events,
        }
    }

    fn process(&self, applied: &Applied<'_>, process: &ProcessState) -> ProcessState {
        let shapes = &self.sorts.classes.locals[process.template.index()];
        ProcessState {
            locals: applied.cells(shapes, &process.locals),
            ..process.clone()
        }
    }

    fn channel(&self, applied: &Applied<'_>, channel: &ChannelState) -> ChannelState {
        let sorts = self.sorts.of_message(channel.kind);
        let message = |m: &Vec<Value>| {
            let fields = m.iter().zip(sorts);
            fields.map(|(v, sort)| applied.value(*sort, *v)).collect()
        };
        ChannelState {
            kind: channel.kind,
            owner: channel.owner.map(|p| applied.forth.image(p)),
            messages: channel.messages.iter().map(message).collect(),
        }
    }

    /// Where each channel of a state goes.
    fn channel_images(&self, forth: &Permutation, back: &Permutation, state: &State) -> Vec<usize> {
        let mut images: Vec<usize> = (0..state.channels.len()).collect();
        let mut moved = Vec::new();
        let mut rest = self.made_for.as_slice();
        for shape in &self.sorts.classes.globals {
            let (own, others) = rest.split_at(shape.cells());
            rest = others;
            move_cells(shape, own, back, &mut |_, slot| moved.push(slot));
        }
        for (from, to) in moved.into_iter().zip(&self.made_for) {
            if let (Some(from), Some(to)) = (from, to) {
                images[from] = *to;
            }
        }
        for number in forth.moved() {
            let to = owned(state, forth.image(number));
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
            Sort::Plain => value,
            Sort::Process => self.forth.image_of_value(value),
            Sort::Channel(_) => {
                let index = usize::try_from(value - 1).ok();
                let image = index.and_then(|index| self.channels.get(index));
                image.map_or(value, |image| *image as Value + 1)
            }
        }
    }

    fn cells(&self, shapes: &[Shape<Sort>], values: &[Value]) -> Vec<Value> {
        let mut images = Vec::with_capacity(values.len());
        let mut rest = values;
        for shape in shapes {
            let (own, others) = rest.split_at(shape.cells());
            rest = others;
            move_cells(shape, own, &self.back, &mut |sort, value| {
                images.push(self.value(sort, value));
            });
        }
        images
    }
}

/// Calls `put` with what belongs into each cell of a variable, in order, once arrays that are indexed by
/// processes have been permuted.
fn move_cells<T: Copy>(
    shape: &Shape<Sort>,
    cells: &[T],
    back: &Permutation,
    put: &mut impl FnMut(Sort, T),
) {
    match shape {
        Shape::Cell(sort, _) => put(*sort, cells[0]),
        Shape::Record(fields) => {
            let mut rest = cells;
            for field in fields {
                let (own, others) = rest.split_at(field.cells());
                move_cells(field, own, back, put);
                rest = others;
            }
        }
        Shape::Array {
            index,
            element,
            length,
        } => {
            let size = element.cells();
            // An array that is too short for the numbers that move has no place for some of them.
            let permuted = *index == Sort::Process && back.moved().all(|n| n < *length);
            for number in 0..*length {
                let source = if permuted { back.image(number) } else { number } as usize;
                move_cells(element, &cells[source * size..][..size], back, put);
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
