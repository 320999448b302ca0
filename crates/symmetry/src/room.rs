//! There is room for names wherever they are kept.
//!
//! For a cell, a message field or an array, and for each domain: either all names of the domain
//! have their value or their element there, or none has. If some had and others had not, exchanging two of
//! them would lose one. If none has, an index that is meant for such a name is out of bounds for all of
//! them alike, and a cell cannot hold any.

use crate::breach::Breach;
use crate::domain::DomainKind;
use crate::locations::makes_channels;
use crate::sorts::{FARTHEST, contains};
use crate::sorts::{Point, Row, Shape, Sort, Sorts};
use mandala_model::Model;
use mandala_model::ids::GlobalId;
use mandala_model::types::{Initial, Scalar, Storage, Variable};
use std::collections::BTreeSet;

/// Says what has no room.
pub(crate) struct Room<'a> {
    pub model: &'a Model,
    pub domains: &'a [DomainKind],
    pub sorts: &'a Sorts,
}

impl Room<'_> {
    /// What is wrong anywhere.
    pub fn breaches(&self) -> Vec<Breach> {
        let classes = &self.sorts.classes;
        let mut breaches = Vec::new();
        let globals = self.model.globals.iter().zip(&classes.globals);
        let locals = self.model.runnables().zip(&classes.locals);
        let locals = locals.flat_map(|((_, t), shapes)| t.locals.iter().zip(shapes));
        for (variable, shape) in globals.chain(locals.clone()) {
            if let Err(why) = self.in_shape(shape) {
                let name = &variable.name;
                breaches.push(Breach::at(variable.span, format!("`{name}` {why}")));
            }
        }
        for (kind, fields) in self.model.channel_kinds.iter().zip(&classes.fields) {
            let mut fields = kind.fields.iter().zip(fields);
            if !fields.all(|(scalar, sort)| self.in_cell(*sort, *scalar)) {
                let why = "a message field is too small for all the numbers or names";
                breaches.push(Breach::at(kind.span, why));
            }
        }
        let hidden = locals.map(|(variable, _)| variable);
        let hidden = hidden.filter(|v| v.storage == Storage::Scratch);
        for variable in hidden.filter(|v| makes_channels(self.model, v)) {
            let why = "channels of a process are not part of its state";
            breaches.push(Breach::at(variable.span, why));
        }
        breaches.extend(self.sorts.rows.iter().filter_map(|row| self.in_row(row)));
        breaches
    }

    fn in_shape(&self, shape: &Shape<Sort>) -> Result<(), &'static str> {
        match shape {
            Shape::Cell(sort, scalar) => {
                let fits = self.in_cell(*sort, *scalar);
                fits.then_some(())
                    .ok_or("is too small for the numbers of all processes or for all names")
            }
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.in_shape(f)),
            Shape::Array {
                index,
                element,
                length,
            } => {
                if matches!(index, Sort::Channel(_)) {
                    return Err("is indexed by channels");
                }
                if !self.all_or_none(*index, |v| (0..i64::from(*length)).contains(&v)) {
                    return Err("has no element for some of the processes or names");
                }
                self.in_shape(element)
            }
        }
    }

    fn in_cell(&self, sort: Sort, scalar: Scalar) -> bool {
        self.all_or_none(sort, |v| contains(scalar, Some((v, v))))
    }

    /// Whether a place has something for all names of each domain that it may be of, or for none.
    fn all_or_none(&self, sort: Sort, has: impl Fn(i64) -> bool) -> bool {
        if let Sort::Process(offset) | Sort::Name(_, offset) = sort
            && offset.unsigned_abs() > FARTHEST as u64
        {
            return false;
        }
        let mut domains = points(self.domains);
        domains.all(|points| {
            let values = points.iter().filter_map(|p| self.sorts.value(sort, *p));
            let found: BTreeSet<bool> = values.map(&has).collect();
            found.len() <= 1
        })
    }

    /// What is wrong with a row: its variables must be alike, and so must the channels made for them.
    fn in_row(&self, row: &Row) -> Option<Breach> {
        let globals = &self.model.globals;
        let variable = |id: &GlobalId| globals.get(id.index());
        let (Some(first), true) = (
            row.variables.first().and_then(variable),
            row.variables.iter().all(|v| variable(v).is_some()),
        ) else {
            return Some(Breach::everywhere("a row has no variables"));
        };
        let once = |id: &GlobalId| {
            let rows = self.sorts.rows.iter().flat_map(|r| &r.variables);
            rows.filter(|v| *v == id).count() == 1
        };
        let shape = |id: &GlobalId| &self.sorts.classes.globals[id.index()];
        let same = |id: &GlobalId| {
            let own = &globals[id.index()];
            once(id)
                && shape(id) == shape(&row.variables[0])
                && own.storage == Storage::State
                && own.ty == first.ty
                && self.alike(own, first)
        };
        let last = row.first.saturating_add(row.variables.len() as i64);
        let has = |v: i64| (row.first..last).contains(&v);
        if row.first.unsigned_abs() <= FARTHEST as u64
            && row.variables.iter().all(same)
            && self.all_or_none(row.index, has)
        {
            return None;
        }
        let why = "variables that would have to be exchanged are not alike, or some are missing";
        Some(Breach::at(first.span, why))
    }

    fn alike(&self, a: &Variable, b: &Variable) -> bool {
        match (&a.initial, &b.initial) {
            (Initial::NewChannel(a), Initial::NewChannel(b)) => {
                let of = |id| self.model.channel_kind(id);
                let (left, right) = (of(*a), of(*b));
                left.capacity == right.capacity
                    && left.fields == right.fields
                    && self.sorts.of_message(*a) == self.sorts.of_message(*b)
            }
            (Initial::NewChannel(_), _) | (_, Initial::NewChannel(_)) => false,
            _ => !makes_channels(self.model, a) && !makes_channels(self.model, b),
        }
    }
}

/// The names of each domain.
pub(crate) fn points(domains: &[DomainKind]) -> impl Iterator<Item = Vec<Point>> {
    domains.iter().map(|domain| match domain {
        DomainKind::Processes { numbers, .. } => {
            numbers.iter().map(|n| Point::Process(*n)).collect()
        }
        DomainKind::Names {
            size, set, start, ..
        } => (*start..start + size)
            .map(|n| Point::Name(*set, n))
            .collect(),
    })
}
