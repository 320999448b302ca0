//! Classes of channels are kept apart by everything that a model does, whenever it does it.
//!
//! A reference to a channel is renamed like the channel, and the fields of its messages as the
//! class of the channel says. So the proof needs, in every state: a cell of the sort
//! [`Sort::Channel`] refers to a channel whose kind is of that class, or to none. Edges that are taken
//! only before the symmetry begins owe nothing else, but they owe this.

use crate::algebra::Algebra;
use crate::births::{First, FirstValue};
use crate::path::{Deed, Field, Path};
use crate::sorts::{Shape, Sort, Sorts, bounds};
use crate::sorts::{cell_sorts, contains};
use crate::term::{Cell, Home, Part, Term};
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::types::Scalar;

type Kept = Result<(), &'static str>;

const MIXED: &str = "a channel is kept where channels of other messages are, or no channels";
const CUT: &str = "a reference to a channel is cut";

/// Looks at what one template does.
pub(crate) struct Keeper<'a> {
    pub model: &'a Model,
    pub algebra: Algebra,
    pub sorts: &'a Sorts,
    pub template: TemplateId,
}

impl Keeper<'_> {
    /// Whether a path keeps the classes apart, or where it does not.
    pub fn path(&self, path: &Path) -> Result<(), (Span, &'static str)> {
        for segment in &path.segments {
            for write in segment.puts() {
                let (cell, value) = &write.what;
                let kept = self.put(self.sort(cell), value);
                kept.map_err(|why| (write.span, why))?;
            }
            if let Some(deed) = &segment.deed {
                self.deed(&deed.what).map_err(|why| (deed.span, why))?;
            }
        }
        Ok(())
    }

    /// Whether what a variable holds at first does.
    pub fn first(&self, value: &FirstValue) -> Kept {
        let sort = self.sort(&value.cell);
        match (&value.first, sort) {
            (First::Value(term), sort) => self.put(sort, term),
            (First::Channel(kind), Some(Sort::Channel(class))) => {
                let fits = self.sorts.carries(class, *kind);
                fits.then_some(()).ok_or(MIXED)
            }
            (First::Channel(_), _) => Err(MIXED),
        }
    }

    /// Whether the arguments of a new process do.
    pub fn arguments(&self, made: TemplateId, arguments: &[Term]) -> Kept {
        let count = self.model.template(made).parameters as usize;
        let mut sorts = Vec::new();
        let shapes = &self.sorts.classes.locals[made.index()][..count];
        shapes.iter().for_each(|s| cell_sorts(s, &mut sorts));
        let mut arguments = arguments.iter().zip(sorts);
        arguments.try_for_each(|(term, sort)| self.put(Some(sort), term))
    }

    fn deed(&self, deed: &Deed) -> Kept {
        match deed {
            Deed::Send(channel, _, message) => {
                let class = self.class(channel).ok_or(MIXED)?;
                let mut fields = message.iter().enumerate();
                fields.try_for_each(|(i, term)| self.sent(class, i, term))
            }
            Deed::Receive(channel, _, _, fields) => {
                let class = self.class(channel).ok_or(MIXED)?;
                let mut fields = fields.iter().enumerate();
                fields.try_for_each(|(i, field)| self.received(class, i, field))
            }
            Deed::Spawn(made, arguments, _, result) => {
                self.arguments(*made, arguments)?;
                match result.as_ref().and_then(|cell| self.sort(cell)) {
                    Some(Sort::Channel(_)) => Err(MIXED),
                    _ => Ok(()),
                }
            }
        }
    }

    fn sent(&self, class: u32, field: usize, term: &Term) -> Kept {
        let sort = self.field(class, field);
        if !matches!(sort, Some(Sort::Channel(_))) {
            return Ok(());
        }
        let mut scalars = self.scalars(class, field);
        if !scalars.all(|s| self.algebra.fits(term, s)) {
            return Err(CUT);
        }
        self.put(sort, term)
    }

    fn received(&self, class: u32, field: usize, wanted: &Field) -> Kept {
        let Field::Bind(cell) = wanted else {
            return Ok(());
        };
        let sort = self.sort(cell);
        if !matches!(sort, Some(Sort::Channel(_))) {
            return Ok(());
        }
        let mut scalars = self.scalars(class, field);
        if sort != self.field(class, field) {
            return Err(MIXED);
        }
        let whole = scalars.all(|s| contains(cell.scalar.0, bounds(s)));
        whole.then_some(()).ok_or(CUT)
    }

    pub fn field(&self, class: u32, field: usize) -> Option<Sort> {
        let messages = self.sorts.messages.get(class as usize)?;
        messages.get(field).copied()
    }

    /// The types that a field has in the kinds of a class.
    pub fn scalars(&self, class: u32, field: usize) -> impl Iterator<Item = Scalar> {
        let kinds = self.sorts.kinds[class as usize].iter();
        kinds.filter_map(move |k| self.model.channel_kind(*k).fields.get(field).copied())
    }

    /// Whether a value may be put into a cell of that sort.
    fn put(&self, sort: Option<Sort>, value: &Term) -> Kept {
        let Some(Sort::Channel(class)) = sort else {
            return Ok(());
        };
        match value {
            Term::Choose(_, yes, no) => {
                self.put(sort, yes)?;
                self.put(sort, no)
            }
            value if value.known() == Some(0) => Ok(()),
            value => (self.class(value) == Some(class))
                .then_some(())
                .ok_or(MIXED),
        }
    }

    /// The class of the channels that a term can refer to.
    pub fn class(&self, term: &Term) -> Option<u32> {
        match term {
            Term::Read(cell) => match self.sort(cell)? {
                Sort::Channel(class) => Some(class),
                _ => None,
            },
            Term::Choose(_, yes, no) => {
                let class = self.class(yes)?;
                (self.class(no) == Some(class)).then_some(class)
            }
            _ => None,
        }
    }

    /// The sort of a cell.
    pub fn sort(&self, cell: &Cell) -> Option<Sort> {
        let classes = &self.sorts.classes;
        let mut shape = match &cell.home {
            Home::Global(id) => classes.globals.get(id.index())?,
            Home::Own(id) => classes.locals[self.template.index()].get(id.index())?,
            Home::Remote(template, _, local) => {
                classes.locals[template.index()].get(local.index())?
            }
        };
        for part in &cell.path {
            let field = match part {
                Part::Field(field) => Some(*field),
                Part::Index(..) => None,
            };
            shape = shape.part(field)?.0;
        }
        match shape {
            Shape::Cell(sort, _) => Some(*sort),
            _ => None,
        }
    }
}
