//! Sorts: which cells of a state hold names.
//!
//! A type says how many bits a cell has, not what its value means: a `byte` may count something or
//! name a process. The *sort* says that. It is given to a *cell class*: a variable and a path of fields
//! in it, where all elements of an array share a class; and to the fields of each kind of channel.
//! An array has a sort for its index as well: whether its elements belong to processes or names.
//!
//! Who counts from another number than the model does, as in `flag[_pid - 1]`, has values that are off
//! by a constant; so a sort of names has an *offset*, and a value `v` stands for the name `v + offset`.

use crate::locations::makes_channels;
use crate::renaming::Renaming;
use mandala_model::expr::{Place, Projection, Root};
use mandala_model::ids::{ChannelKindId, GlobalId, TemplateId};
use mandala_model::state::Value;
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::types::{Scalar, Storage, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeSet;

/// What the value of a cell means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A number, the same whatever processes and names are called.
    Plain,
    /// A value `v` is the process of number `v + offset`, if there is one.
    Process(i64),
    /// A value `v` is the name `v + offset` of that domain of names, if that is one; the names of
    /// a domain are counted as in [`Names`].
    Name(u32, i64),
    /// A reference to a channel, or 0. Channels of one class carry messages of the same sorts.
    Channel(u32),
}

/// Something for each cell class of a variable, and for the index of each array in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape<S> {
    /// A cell of that type.
    Cell(S, Scalar),
    /// A record, field by field.
    Record(Vec<Shape<S>>),
    /// An array.
    Array {
        /// For the index.
        index: S,
        /// For each element.
        element: Box<Shape<S>>,
        /// The number of elements.
        length: u32,
    },
}

/// Something for each cell class of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes<S> {
    /// For each global variable.
    pub globals: Vec<Shape<S>>,
    /// For each template, for each local variable.
    pub locals: Vec<Vec<Shape<S>>>,
    /// For each kind of channel, for each field of a message.
    pub fields: Vec<Vec<S>>,
}

/// The values that are the names of a domain: `first` to `first + size - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// The least of them.
    pub first: i64,
    /// How many there are.
    pub size: u32,
}

/// Something that can be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Point {
    /// The process of that number.
    Process(u32),
    /// Of that domain of names the one with that number, counted from 0.
    Name(u32, u32),
}

/// Global variables that are like the elements of an array: the first belongs to what the value
/// `first` of sort `index` stands for, the next to that of `first + 1`, and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What they belong to.
    pub index: Sort,
    /// The value that the first one belongs to.
    pub first: i64,
    /// The variables; all are alike in type.
    pub variables: Vec<GlobalId>,
}

/// The sorts of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorts {
    /// The domains of names that sorts speak of.
    pub names: Vec<Names>,
    /// Global variables that go with processes or names; each is in one row at most.
    pub rows: Vec<Row>,
    /// The sort of each cell class.
    pub classes: Classes<Sort>,
    /// For each class of channels, the sorts of the fields of their messages.
    pub messages: Vec<Vec<Sort>>,
    /// For each class of channels, the kinds that it is made of.
    pub kinds: Vec<Vec<ChannelKindId>>,
}

impl<S> Shape<S> {
    /// The shape of a type, with something new in each place.
    pub fn of(model: &UncheckedModel, ty: &Type, fresh: &mut impl FnMut() -> S) -> Self {
        match ty {
            Type::Scalar(scalar) => Shape::Cell(fresh(), *scalar),
            Type::Record(id) => {
                let fields = model.record(*id).fields.iter();
                Shape::Record(fields.map(|f| Shape::of(model, &f.ty, fresh)).collect())
            }
            Type::Array { element, length } => Shape::Array {
                index: fresh(),
                element: Box::new(Shape::of(model, element, fresh)),
                length: *length,
            },
        }
    }

    /// The same shape with other things in it.
    pub fn map<T>(&self, change: &mut impl FnMut(&S) -> T) -> Shape<T> {
        match self {
            Shape::Cell(s, scalar) => Shape::Cell(change(s), *scalar),
            Shape::Record(fields) => Shape::Record(fields.iter().map(|f| f.map(change)).collect()),
            Shape::Array {
                index,
                element,
                length,
            } => Shape::Array {
                index: change(index),
                element: Box::new(element.map(change)),
                length: *length,
            },
        }
    }

    /// Calls `visit` with what each cell class has.
    pub(crate) fn each_cell(&self, visit: &mut impl FnMut(&S)) {
        match self {
            Shape::Cell(s, _) => visit(s),
            Shape::Record(fields) => fields.iter().for_each(|f| f.each_cell(visit)),
            Shape::Array { element, .. } => element.each_cell(visit),
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        match self {
            Shape::Cell(..) => 1,
            Shape::Record(fields) => fields.iter().map(Shape::cells).sum(),
            Shape::Array {
                element, length, ..
            } => element.cells() * *length as usize,
        }
    }

    /// The part of a record or an array that one projection leads to, and what an array has for its index.
    pub fn part(&self, field: Option<u32>) -> Option<(&Shape<S>, Option<&S>)> {
        match (self, field) {
            (Shape::Record(fields), Some(field)) => Some((fields.get(field as usize)?, None)),
            (Shape::Array { index, element, .. }, None) => Some((element, Some(index))),
            _ => None,
        }
    }
}

impl<S> Classes<S> {
    /// Something new for every cell class of a model.
    pub fn of(model: &Model, mut fresh: impl FnMut() -> S) -> Self {
        let mut shapes = |variables: &[Variable]| -> Vec<Shape<S>> {
            let shape = |v: &Variable| Shape::of(model, &v.ty, &mut fresh);
            variables.iter().map(shape).collect()
        };
        let globals = shapes(&model.globals);
        let locals = model.runnables().map(|(_, t)| shapes(&t.locals)).collect();
        let kinds = model.channel_kinds.iter();
        let fields = kinds.map(|k| k.fields.iter().map(|_| fresh()).collect());
        Classes {
            globals,
            locals,
            fields: fields.collect(),
        }
    }

    /// The shape of the variable that a place of some template is in.
    pub fn variable(&self, template: Option<TemplateId>, root: &Root) -> Option<&Shape<S>> {
        match root {
            Root::Global(id) => self.globals.get(id.index()),
            Root::Local(id) => self.locals.get(template?.index())?.get(id.index()),
            Root::Remote {
                template, local, ..
            } => self.locals.get(template.index())?.get(local.index()),
            Root::OwnPriority | Root::Reference(_) => None,
        }
    }

    /// What the cell class of a place has.
    pub fn cell(&self, template: Option<TemplateId>, place: &Place) -> Option<&S> {
        let mut shape = self.variable(template, &place.root)?;
        for projection in &place.path {
            shape = shape.part(field_of(projection))?.0;
        }
        match shape {
            Shape::Cell(s, _) => Some(s),
            _ => None,
        }
    }
}

impl<S> Classes<S> {
    /// The same classes with other things for them.
    pub fn map<T>(&self, change: &mut impl FnMut(&S) -> T) -> Classes<T> {
        let shapes = |shapes: &[Shape<S>], change: &mut _| -> Vec<Shape<T>> {
            shapes.iter().map(|shape| shape.map(change)).collect()
        };
        let fields = |fields: &Vec<S>, change: &mut _| fields.iter().map(change).collect();
        Classes {
            globals: shapes(&self.globals, change),
            locals: self.locals.iter().map(|l| shapes(l, change)).collect(),
            fields: self.fields.iter().map(|f| fields(f, change)).collect(),
        }
    }

    /// What the classes have that a use of names speaks of.
    pub fn used(&self, model: &Model, kind: &UseKind) -> Vec<&S> {
        match kind {
            UseKind::Processes(_) => Vec::new(),
            UseKind::Holds { variable, path } => {
                let shape = self.shape_at(model, *variable, path);
                shape.and_then(held).into_iter().collect()
            }
            UseKind::Indexes {
                variable,
                path,
                dimension,
            } => {
                let mut shape = self.shape_at(model, *variable, path);
                for _ in 0..*dimension {
                    shape = shape.and_then(|s| s.part(None)).map(|(inner, _)| inner);
                }
                let index = shape.and_then(|s| s.part(None)).and_then(|(_, i)| i);
                index.into_iter().collect()
            }
            UseKind::Message { kind, field } => {
                let fields = self.fields.get(kind.index());
                let field = fields.and_then(|f| f.get(*field as usize));
                field.into_iter().collect()
            }
        }
    }

    fn shape_at(&self, model: &Model, variable: VariableRef, path: &[u32]) -> Option<&Shape<S>> {
        let mut shape = match variable {
            VariableRef::Global(id) => self.globals.get(id.index())?,
            VariableRef::Local(template, id) => {
                self.locals.get(template.index())?.get(id.index())?
            }
            VariableRef::Monitor(id) => {
                let monitors = model.monitor_template()?;
                self.locals.get(monitors.index())?.get(id.index())?
            }
        };
        for field in path {
            while let Shape::Array { element, .. } = shape {
                shape = element;
            }
            shape = shape.part(Some(*field))?.0;
        }
        Some(shape)
    }
}

/// What a scalar, or arrays of scalars, have for their cells.
fn held<S>(shape: &Shape<S>) -> Option<&S> {
    match shape {
        Shape::Cell(s, _) => Some(s),
        Shape::Array { element, .. } => held(element),
        Shape::Record(_) => None,
    }
}

fn field_of(projection: &Projection) -> Option<u32> {
    match projection {
        Projection::Field(field) => Some(*field),
        Projection::Index(_) => None,
    }
}

impl Sort {
    /// The same names, for values that are greater by some number.
    pub(crate) fn shifted(self, by: i64) -> Sort {
        match self {
            Sort::Process(offset) => Sort::Process(offset - by),
            Sort::Name(domain, offset) => Sort::Name(domain, offset - by),
            other => other,
        }
    }
}

impl Sorts {
    /// What a value of that sort stands for; `None` if it is plain, a channel, or out of range.
    pub fn point(&self, sort: Sort, value: Value) -> Option<Point> {
        match sort {
            Sort::Process(offset) => {
                let number = u32::try_from(value.checked_add(offset)?);
                number.ok().map(Point::Process)
            }
            Sort::Name(domain, offset) => {
                let names = self.names.get(domain as usize)?;
                let place = value.checked_add(offset)?.checked_sub(names.first)?;
                let place = u32::try_from(place).ok()?;
                (place < names.size).then_some(Point::Name(domain, place))
            }
            Sort::Plain | Sort::Channel(_) => None,
        }
    }

    /// The value of that sort that stands for the point; `None` if the sort is of other points.
    pub fn value(&self, sort: Sort, point: Point) -> Option<Value> {
        match (sort, point) {
            (Sort::Process(offset), Point::Process(number)) => Some(i64::from(number) - offset),
            (Sort::Name(domain, offset), Point::Name(of, place)) if of == domain => {
                let names = self.names.get(domain as usize)?;
                Some(names.first + i64::from(place) - offset)
            }
            _ => None,
        }
    }

    /// Where a value goes that is no channel.
    pub fn image(&self, renaming: &Renaming, sort: Sort, value: Value) -> Value {
        let image = self.point(sort, value).and_then(|point| {
            let image = match point {
                Point::Process(n) => Point::Process(renaming.processes().image(n)),
                Point::Name(domain, n) => Point::Name(domain, renaming.names(domain).image(n)),
            };
            self.value(sort, image)
        });
        image.unwrap_or(value)
    }

    /// Where a global variable goes: to itself, unless it belongs to somebody.
    pub fn global_image(&self, renaming: &Renaming, variable: GlobalId) -> GlobalId {
        let image = self.rows.iter().find_map(|row| {
            let place = row.variables.iter().position(|v| *v == variable)?;
            let image = self.image(renaming, row.index, row.first + place as i64);
            let place = usize::try_from(image.checked_sub(row.first)?).ok()?;
            row.variables.get(place).copied()
        });
        image.unwrap_or(variable)
    }

    /// The same, with variables that are no part of the state left as they are: they hold their first
    /// value in every state, whatever it would stand for while a step is under way. (Elements of a
    /// global array for which channels are made keep their values when they move with their channels.)
    pub(crate) fn without_scratch(mut self, model: &Model) -> Self {
        let plain = |variables: &[Variable], shapes: &mut Vec<Shape<Sort>>| {
            for (variable, shape) in variables.iter().zip(shapes) {
                if variable.storage == Storage::Scratch && !makes_channels(model, variable) {
                    *shape = shape.map(&mut |_| Sort::Plain);
                }
            }
        };
        plain(&model.globals, &mut self.classes.globals);
        for ((_, template), shapes) in model.runnables().zip(&mut self.classes.locals) {
            plain(&template.locals, shapes);
        }
        self
    }

    /// The domains of names of which some cell or message may hold a name.
    pub(crate) fn kept(&self) -> BTreeSet<u32> {
        fn cells(shape: &Shape<Sort>, found: &mut Vec<Sort>) {
            match shape {
                Shape::Cell(sort, _) => found.push(*sort),
                Shape::Record(fields) => fields.iter().for_each(|f| cells(f, found)),
                Shape::Array { element, .. } => cells(element, found),
            }
        }
        let mut found = self.classes.fields.concat();
        let locals = self.classes.locals.iter().flatten();
        let shapes = self.classes.globals.iter().chain(locals);
        shapes.for_each(|shape| cells(shape, &mut found));
        let domain = |sort: Sort| match sort {
            Sort::Name(domain, _) => Some(domain),
            _ => None,
        };
        found.into_iter().filter_map(domain).collect()
    }

    /// The sort of the cell class of a place that stands in some template.
    pub fn of_place(&self, template: Option<TemplateId>, place: &Place) -> Option<Sort> {
        self.classes.cell(template, place).copied()
    }

    /// True if channels of the kind belong to the class, and their messages have its sorts.
    pub(crate) fn carries(&self, class: u32, kind: ChannelKindId) -> bool {
        let listed = self.kinds.get(class as usize);
        let listed = listed.is_some_and(|kinds| kinds.contains(&kind));
        let messages = self.messages.get(class as usize);
        let fields = self.of_message(kind);
        listed && messages.is_some_and(|m| m.len() >= fields.len() && m.starts_with(fields))
    }

    /// The sorts of the fields of a kind of channel.
    pub fn of_message(&self, kind: ChannelKindId) -> &[Sort] {
        &self.classes.fields[kind.index()]
    }
}

/// The least and the greatest value of a cell of that type; `None` if every number fits.
pub(crate) fn bounds(scalar: Scalar) -> Option<(i64, i64)> {
    match scalar {
        Scalar::Int {
            bits,
            signed: false,
        } => Some((0, (1 << bits) - 1)),
        Scalar::Int { bits, signed: true } => {
            let half = 1i64 << (bits - 1);
            Some((-half, half - 1))
        }
        Scalar::Bool => Some((0, 1)),
        Scalar::Range { .. } | Scalar::Coded { .. } => scalar.limits(),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some((0, 255)),
        Scalar::Id(_) => None,
    }
}

/// How far from 0 names and offsets may be.
pub(crate) const FARTHEST: i64 = 1 << 20;

/// The sorts of the cells of a variable, in order.
pub(crate) fn cell_sorts(shape: &Shape<Sort>, sorts: &mut Vec<Sort>) {
    match shape {
        Shape::Cell(sort, _) => sorts.push(*sort),
        Shape::Record(fields) => fields.iter().for_each(|f| cell_sorts(f, sorts)),
        Shape::Array {
            element, length, ..
        } => (0..*length).for_each(|_| cell_sorts(element, sorts)),
    }
}

/// True if a cell of that type keeps all those numbers.
pub(crate) fn contains(scalar: Scalar, numbers: Option<(i64, i64)>) -> bool {
    match (bounds(scalar), numbers) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some((min, max)), Some((low, high))) => min <= low && high <= max,
    }
}
