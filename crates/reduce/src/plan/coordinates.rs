//! Coordinates of a cell: its place when names do not count, and the points that it belongs to.
//!
//! Every cell has a *coordinate*: a class, and the points that lead to it. The local `x` of the process `p` has the class
//! "`x` of a member of p's domain" and the point `p`; the element `a[i][j]` has the class "`a` at two points" and the
//! points `i` and `j`; a message in the mailbox of `p` is known by the coordinate of the mailbox and its place in the queue.
//! A permutation takes the cell with the points `p` to the cell of the same class with the points `g(p)`, and that
//! is all there is to say about how states are permuted.

use super::keepers::Keepers;
use super::points::{Points, Target, origin};
use mandala_canon::Point;
use mandala_encoding::{ChannelPlace, Places, ProcessPlace};
use mandala_model::ids::GlobalId;
use mandala_model::types::{Initial, Scalar, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use mandala_symmetry::sorts::{Shape, Sort, Sorts};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A step on the way to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Where the process is.
    Location,
    /// The priority of the process.
    Priority,
    /// A global variable.
    Global(usize),
    /// One of the global variables that are like the elements of an array.
    Row(usize),
    /// A local variable.
    Local(usize),
    /// The member of a block: the process, or the element of an array; and which of the block's domains it is in.
    Point(usize, usize),
    /// A process that is not permuted.
    Process(usize),
    /// An element that is not permuted.
    Index(u32),
    /// A field of a record.
    Field(usize),
    /// The claim.
    Claim,
    /// Who made the last step.
    LastMover,
    /// A channel that came with what is named before.
    Channel(usize),
    /// How many messages the channel has.
    Count,
    /// A cell of the messages.
    Message(usize),
}

/// A class of cells and the points of one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coordinate {
    pub class: Vec<Step>,
    pub points: Vec<Point>,
}

impl Coordinate {
    fn at(step: Step) -> Self {
        Coordinate {
            class: vec![step],
            points: Vec::new(),
        }
    }

    fn then(&self, step: Step) -> Self {
        let mut next = self.clone();
        next.class.push(step);
        next
    }

    fn then_point(&self, target: Target) -> Self {
        let mut next = self.then(Step::Point(target.block, target.part));
        next.points.push(target.point);
        next
    }
}

/// A cell of the states of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub at: usize,
    pub coordinate: Coordinate,
    pub sort: Sort,
    /// Whether its values need more than 32 bits.
    pub wide: bool,
    /// For a cell of a message: the cell with the number of messages, and which message it is.
    pub message: Option<(usize, usize)>,
    /// It always refers to the channel that was made for it, which has the same points; so all images of a state have
    /// the same value here.
    pub fixed: bool,
}

/// The cells of the states of one shape that are of interest and part of packed states.
#[derive(Debug)]
pub(crate) struct Cells {
    pub cells: Vec<Cell>,
    /// The coordinate of each channel.
    pub channels: Vec<Coordinate>,
    /// Domains that cannot be permuted here, and why.
    pub obstacles: BTreeMap<usize, String>,
}

/// What a walk over the cells needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub model: &'a Model,
    pub sorts: &'a Sorts,
    pub places: &'a Places,
    pub points: &'a Points,
    pub keepers: &'a Keepers,
    /// Cells that always refer to the point that they belong to.
    pub ties: &'a [u32],
}

/// Finds the coordinates of all cells.
pub(crate) fn cells(ground: Ground<'_>) -> Cells {
    let mut walk = Walk {
        ground,
        cells: Vec::new(),
        obstacles: BTreeMap::new(),
    };
    walk.globals();
    let made_for = walk.made_for_globals();
    walk.observers();
    for number in 0..ground.places.processes.len() {
        walk.process(number);
    }
    let channels = walk.channel_coordinates(made_for);
    for (place, coordinate) in ground.places.channels.iter().zip(&channels) {
        walk.channel(place, coordinate);
    }
    walk.cells.retain(|cell| {
        let tied = ground.ties.contains(&(cell.at as u32));
        ground.places.stored[cell.at] && !cell.fixed && !tied
    });
    walk.find_deep_cells();
    Cells {
        cells: walk.cells,
        channels,
        obstacles: walk.obstacles,
    }
}

struct Walk<'a> {
    ground: Ground<'a>,
    cells: Vec<Cell>,
    obstacles: BTreeMap<usize, String>,
}

impl<'a> Walk<'a> {
    fn globals(&mut self) {
        let Ground {
            model,
            sorts,
            places,
            ..
        } = self.ground;
        let mut at = places.globals;
        for (index, shape) in sorts.classes.globals.iter().enumerate() {
            let coordinate = self.global_coordinate(GlobalId::from(index));
            let before = self.cells.len();
            self.variable(shape, &coordinate, &mut at, &model.globals[index].name);
            self.fix_since(before, self.ground.keepers.globals[index]);
        }
    }

    /// Says whether all cells from a number on are fixed.
    fn fix_since(&mut self, before: usize, fixed: bool) {
        let cells = self.cells[before..].iter_mut();
        cells.for_each(|cell| cell.fixed = fixed);
    }

    /// The coordinate of a global variable, which may belong to a point though it is no array.
    fn global_coordinate(&mut self, variable: GlobalId) -> Coordinate {
        let rows = self.ground.sorts.rows.iter().enumerate();
        for (number, row) in rows {
            let Some(place) = row.variables.iter().position(|v| *v == variable) else {
                continue;
            };
            let name = &self.ground.model.global(variable).name;
            let values = row.first..row.first + row.variables.len() as i64;
            self.check_values(row.index, values, name);
            let value = row.first + place as i64;
            if let Some(target) = self.ground.points.of(row.index, value) {
                return Coordinate::at(Step::Row(number)).then_point(target);
            }
        }
        Coordinate::at(Step::Global(variable.index()))
    }

    /// The coordinates of the globals that channels are made for, in the order of the channels.
    fn made_for_globals(&self) -> Vec<Coordinate> {
        let model = self.ground.model;
        let makes = model.globals.iter().flat_map(|v| makes_channels(model, v));
        let makes: Vec<bool> = makes.collect();
        let made = |cell: &&Cell| makes[cell.at - self.ground.places.globals];
        let made = self.cells.iter().filter(made);
        made.map(|cell| cell.coordinate.clone()).collect()
    }

    fn observers(&mut self) {
        let places = self.ground.places;
        if let Some(at) = places.last_mover {
            self.push(at, Coordinate::at(Step::LastMover), Sort::Process(0), None);
        }
        if let Some(claim) = places.claim {
            self.locals(&claim, &Coordinate::at(Step::Claim));
        }
    }

    /// The coordinate of a process.
    fn process_coordinate(&self, number: usize) -> Coordinate {
        match self.ground.points.of(Sort::Process(0), number as i64) {
            Some(target) => Coordinate::default().then_point(target),
            None => Coordinate::at(Step::Process(number)),
        }
    }

    fn process(&mut self, number: usize) {
        let place = self.ground.places.processes[number];
        let coordinate = self.process_coordinate(number);
        self.push(
            place.location,
            coordinate.then(Step::Location),
            Sort::Plain,
            None,
        );
        if let Some(at) = place.priority {
            self.push(at, coordinate.then(Step::Priority), Sort::Plain, None);
        }
        self.locals(&place, &coordinate);
    }

    fn locals(&mut self, place: &ProcessPlace, coordinate: &Coordinate) {
        let Ground { model, sorts, .. } = self.ground;
        let template = place.template.index();
        let mut at = place.locals;
        for (index, shape) in sorts.classes.locals[template].iter().enumerate() {
            let name = &model.template(place.template).locals[index].name;
            let before = self.cells.len();
            self.variable(shape, &coordinate.then(Step::Local(index)), &mut at, name);
            // Channels of a process move with it, whatever the elements of its arrays do.
            let fixed =
                matches!(shape, Shape::Cell(..)) && self.ground.keepers.locals[template][index];
            self.fix_since(before, fixed);
        }
    }

    /// Walks over the cells of a variable.
    fn variable(&mut self, shape: &Shape<Sort>, here: &Coordinate, at: &mut usize, name: &str) {
        match shape {
            Shape::Cell(sort, scalar) => {
                self.push(*at, here.clone(), *sort, Some(*scalar));
                *at += 1;
            }
            Shape::Record(fields) => {
                for (index, field) in fields.iter().enumerate() {
                    self.variable(field, &here.then(Step::Field(index)), at, name);
                }
            }
            Shape::Array {
                index,
                element,
                length,
            } => {
                self.check_values(*index, 0..i64::from(*length), name);
                for number in 0..*length {
                    let there = match self.ground.points.of(*index, i64::from(number)) {
                        Some(target) => here.then_point(target),
                        None => here.then(Step::Index(number)),
                    };
                    self.variable(element, &there, at, name);
                }
            }
        }
    }

    /// An array that has elements for some members only cannot follow a permutation. One that has none for
    /// any of them has nothing to follow with: it belongs to another family.
    fn check_values(&mut self, index: Sort, values: Range<i64>, name: &str) {
        let (_, offset) = origin(index);
        for (_, part) in self.ground.points.parts_of(index) {
            let inside = |member: &i64| values.contains(&(member - offset));
            if part.members.iter().any(inside) && !part.members.iter().all(inside) {
                let why = format!("`{name}` has no element for some of them");
                self.obstacles.entry(part.domain).or_insert(why);
            }
        }
    }

    /// Where each channel belongs: to a cell of the globals, or to the process that made it.
    fn channel_coordinates(&self, made_for: Vec<Coordinate>) -> Vec<Coordinate> {
        let mut made_for = made_for.into_iter();
        let mut made_by = BTreeMap::new();
        let places = self.ground.places.channels.iter();
        let coordinate = |place: &ChannelPlace| match place.owner {
            None => made_for.next().unwrap_or_default().then(Step::Channel(0)),
            Some(owner) => {
                let count = made_by.entry(owner).or_insert(0);
                *count += 1;
                let owner = self.process_coordinate(owner as usize);
                owner.then(Step::Channel(*count))
            }
        };
        places.map(coordinate).collect()
    }

    fn channel(&mut self, place: &ChannelPlace, coordinate: &Coordinate) {
        let sorts = self.ground.sorts.of_message(place.kind);
        let scalars = &self.ground.model.channel_kind(place.kind).fields;
        self.push(place.count, coordinate.then(Step::Count), Sort::Plain, None);
        for message in 0..place.capacity {
            for (field, (sort, scalar)) in sorts.iter().zip(scalars).enumerate() {
                let offset = message * place.arity + field;
                let there = coordinate.then(Step::Message(offset));
                let before = self.cells.len();
                self.push(place.messages + offset, there, *sort, Some(*scalar));
                let cells = self.cells[before..].iter_mut();
                cells.for_each(|cell| cell.message = Some((place.count, message)));
            }
        }
    }

    /// Adds a cell, unless it is of no interest: a plain number that belongs to no point and for which no channel is made.
    fn push(&mut self, at: usize, coordinate: Coordinate, sort: Sort, scalar: Option<Scalar>) {
        let channel = matches!(scalar, Some(Scalar::Channel));
        if coordinate.points.is_empty() && sort == Sort::Plain && !channel {
            return;
        }
        self.cells.push(Cell {
            at,
            coordinate,
            sort,
            wide: scalar.is_some_and(is_wide),
            message: None,
            fixed: false,
        });
    }

    /// Cells that belong to three points or more have no place in a view.
    fn find_deep_cells(&mut self) {
        let deep = self
            .cells
            .iter()
            .filter_map(|cell| cell.coordinate.points.get(2));
        let domains: BTreeSet<usize> = deep
            .flat_map(|point| &self.ground.points.block_of(*point).parts)
            .map(|part| part.domain)
            .collect();
        for domain in domains {
            let why = "they index an array together with two others".to_string();
            self.obstacles.entry(domain).or_insert(why);
        }
    }
}

/// Whether some values of a type need more than 32 bits.
fn is_wide(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Range { min, max } => u32::try_from(max.wrapping_sub(min)).is_err(),
        _ => false,
    }
}

/// For each cell of a variable, whether a channel is made for it.
fn makes_channels(model: &UncheckedModel, variable: &Variable) -> Vec<bool> {
    match variable.initial {
        Initial::NewChannel(_) => vec![true; model.cells(&variable.ty)],
        Initial::Fill(_) | Initial::List(_) => vec![false; model.cells(&variable.ty)],
        Initial::Default => default_channels(model, &variable.ty),
    }
}

fn default_channels(model: &UncheckedModel, ty: &Type) -> Vec<bool> {
    match ty {
        Type::Scalar(_) => vec![false],
        Type::Record(id) => {
            let fields = model.record(*id).fields.iter();
            fields.flat_map(|f| makes_channels(model, f)).collect()
        }
        Type::Array { element, length } => {
            let one = default_channels(model, element);
            one.repeat(*length as usize)
        }
    }
}
