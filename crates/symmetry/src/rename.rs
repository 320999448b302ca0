//! A renaming applied to what an edge does. This is the heart of the proof.
//!
//! For a term `t` that is wanted with a sort, the renamed term `g t` satisfies, in every state `s`
//! that respects the sorts of channels:
//!
//! > `(g t)(g s) = g(t(s))`, where `g` acts on values as the sort says,
//!
//! and one side fails iff the other does. Each rule below keeps that: what is compared with an order
//! or computed with must be plain, what is compared for equality must be of one sort, an index must be
//! of the sort of its array, a value that is put somewhere of the sort of that place. A term that does
//! not follow the rules is refused: [`IllSorted`]. So whoever guessed the sorts need not be trusted.
//!
//! Names of domains that a renaming does not touch are as good as plain numbers to it.
//!
//! The one computation that names may take part in is adding a constant, which changes the offset: if
//! `v` stands for a name at offset `c + k`, then `v + k` stands for the same at offset `c`. As all
//! names and offsets are small ([`crate::sorts::FARTHEST`]) and `v` has 32 bits, the sum is never cut to 32 bits in
//! a way that makes a name of what was none, or the other way round. What is left is looked at value by
//! value, if it depends on one cell only (`pointwise`); which values that cell can have is known from
//! `values`, and the rule above is claimed of states in which it has one of them.

use crate::algebra::{Algebra, LAST_PROCESS};
use crate::budget::{ProofBudget, TERM};
use crate::path::{At, Deed, Field, Insert, Observation, Path, Segment};
use crate::renaming::Renaming;
use crate::sorts::FARTHEST;
use crate::sorts::cell_sorts;
use crate::sorts::contains;
use crate::sorts::{Point, Shape, Sort, Sorts, bounds};
use crate::term::{Cell, Home, Part, Term, shift};
use crate::values::{Env, Values};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, UnaryOp};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::SendOrder;
use mandala_model::types::Scalar;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A term that does not fit the sorts, and why.
#[derive(Debug)]
pub(crate) struct IllSorted(pub String);

type Renamed<T> = Result<T, IllSorted>;

/// Renames what one template does.
#[derive(Clone, Copy)]
pub(crate) struct Renamer<'a> {
    pub model: &'a Model,
    pub algebra: Algebra,
    pub sorts: &'a Sorts,
    pub template: TemplateId,
    pub renaming: &'a Renaming,
    /// What is moved; a [`Term::Other`] is none of them.
    pub scope: &'a Scope,
    /// What cells can hold.
    pub values: &'a Values<'a>,
    /// The same for the local variables of the process that acts, where it is.
    pub here: Option<&'a Env>,
    /// Whether only the rules count, and no tables.
    pub strict: bool,
    /// The templates of the processes that any permutation may move.
    pub moved: &'a [TemplateId],
    /// What the work is paid from.
    pub budget: &'a ProofBudget,
}

/// What renamings move that are looked at together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    points: BTreeSet<Point>,
    processes: bool,
    /// The domains of names of which some are moved.
    names: BTreeSet<u32>,
}

impl Scope {
    pub fn new(points: impl IntoIterator<Item = Point>) -> Self {
        let mut scope = Scope::default();
        for point in points {
            match point {
                Point::Process(_) => scope.processes = true,
                Point::Name(domain, _) => drop(scope.names.insert(domain)),
            }
            scope.points.insert(point);
        }
        scope
    }

    /// Whether the process of that number is moved.
    pub fn moves_process(&self, number: i64) -> bool {
        let number = u32::try_from(number).ok();
        number.is_some_and(|n| self.points.contains(&Point::Process(n)))
    }
}

fn is_name(sort: Sort) -> bool {
    matches!(sort, Sort::Process(_) | Sort::Name(..))
}

/// The constant in "the number of somebody else, plus a constant". That sum is never cut: the
/// number is small, and the constant, too.
fn other_plus(term: &Term) -> Option<i64> {
    match term {
        Term::Other => Some(0),
        Term::Sum(list) => match list.as_slice() {
            [Term::Other, Term::Const(by)] if by.unsigned_abs() <= FARTHEST as u64 => Some(*by),
            _ => None,
        },
        _ => None,
    }
}

/// A cell of the type keeps values up to multiples of this.
fn modulus(scalar: Scalar) -> Option<i64> {
    match scalar {
        Scalar::Int { bits, .. } => Some(1 << bits),
        Scalar::Bool => Some(2),
        Scalar::Enum(_) | Scalar::Process | Scalar::Channel => Some(256),
        Scalar::Range { .. } | Scalar::Coded { .. } | Scalar::Id(_) => None,
    }
}

fn ill<T>(why: impl Into<String>) -> Renamed<T> {
    Err(IllSorted(why.into()))
}

fn plain_only(want: Sort, what: &str) -> Renamed<()> {
    match want {
        Sort::Plain => Ok(()),
        Sort::Process(_) => ill(format!("{what} is used as the number of a process")),
        Sort::Name(..) => ill(format!("{what} is used as a name")),
        Sort::Channel(_) => ill(format!("{what} is used as a channel")),
    }
}

impl Renamer<'_> {
    /// The renamed path, or where it does not fit the sorts.
    pub fn path(&self, path: &Path) -> Result<Path, (Span, IllSorted)> {
        let mut segments = Vec::with_capacity(path.segments.len());
        let mut here = self.here.map(Cow::Borrowed);
        for (index, segment) in path.segments.iter().enumerate() {
            if let (Some(env), Some(before)) = (&here, index.checked_sub(1)) {
                let before = &path.segments[before];
                here = Some(Cow::Owned(self.values.after(self.template, env, before)));
            }
            let there = Renamer {
                here: here.as_deref(),
                ..*self
            };
            segments.push(there.segment(segment)?);
        }
        Ok(Path {
            segments,
            end: path.end,
        })
    }

    /// The same for a process that is at that location.
    pub fn at(&self, location: LocationId) -> Self {
        Renamer {
            here: self.values.at(self.template, location),
            ..*self
        }
    }

    fn segment(&self, segment: &Segment) -> Result<Segment, (Span, IllSorted)> {
        let observations = segment.observations.iter();
        let observations = observations.map(|o| located(o, |what| self.observation(what)));
        let writes = segment.writes.iter();
        let writes = writes.map(|w| located(w, |(cell, value)| self.write(cell, value)));
        let inserts = segment.inserts.iter().map(|insert| {
            let cells = insert.cells.iter();
            let cells = cells.map(|w| located(w, |(cell, value)| self.write(cell, value)));
            let cells = cells.collect::<Result<_, _>>()?;
            Ok(Insert { cells })
        });
        let deed = segment.deed.as_ref();
        let deed = deed.map(|d| located(d, |what| self.deed(what))).transpose();
        let renamed = Segment {
            observations: observations.collect::<Result<_, _>>()?,
            writes: writes.collect::<Result<_, _>>()?,
            inserts: inserts.collect::<Result<_, _>>()?,
            deed: deed?,
        };
        Ok(renamed.normal(self.algebra))
    }

    fn observation(&self, observation: &Observation) -> Renamed<Observation> {
        Ok(match observation {
            Observation::Holds(t) => Observation::Holds(self.condition(t)?),
            Observation::Asserts(t) => Observation::Asserts(self.condition(t)?),
            Observation::Computes(t) => {
                let sort = self.sort_of(t)?.unwrap_or(Sort::Plain);
                Observation::Computes(self.term(t, sort)?)
            }
        })
    }

    fn write(&self, cell: &Cell, value: &Term) -> Renamed<(Cell, Term)> {
        let (cell, sort) = self.cell(cell)?;
        Ok((cell, self.term(value, sort)?))
    }

    /// A condition: a plain 0 or 1.
    pub fn condition(&self, term: &Term) -> Renamed<Term> {
        self.term(term, Sort::Plain)
    }

    fn deed(&self, deed: &Deed) -> Renamed<Deed> {
        match deed {
            Deed::Send(channel, order, message) => {
                let (channel, class) = self.channel(channel)?;
                let fields = message.iter().enumerate();
                let fields = fields.map(|(i, t)| self.sent(class, i, order.0, t));
                Ok(Deed::Send(channel, *order, fields.collect::<Renamed<_>>()?))
            }
            Deed::Receive(channel, order, keep, fields) => {
                let (channel, class) = self.channel(channel)?;
                let fields = fields.iter().enumerate();
                let fields = fields.map(|(i, field)| self.received(class, i, field));
                let fields = fields.collect::<Renamed<_>>()?;
                Ok(Deed::Receive(channel, *order, *keep, fields))
            }
            Deed::Spawn(template, arguments, priority, result) => {
                let mut sorts = Vec::new();
                let made = self.model.template(*template).parameters as usize;
                let shapes = &self.sorts.classes.locals[template.index()][..made];
                shapes.iter().for_each(|s| cell_sorts(s, &mut sorts));
                let arguments = arguments.iter().zip(sorts);
                let arguments = arguments.map(|(t, sort)| self.term(t, sort));
                Ok(Deed::Spawn(
                    *template,
                    arguments.collect::<Renamed<_>>()?,
                    *priority,
                    result.as_ref().map(|c| self.newborn(c)).transpose()?,
                ))
            }
        }
    }

    /// The sort as far as this renaming is concerned: names of domains that it does not touch are as good as
    /// plain.
    fn concerning(&self, sort: Sort) -> Sort {
        match sort {
            Sort::Process(_) if self.scope.processes => sort,
            Sort::Name(domain, _) if self.scope.names.contains(&domain) => sort,
            Sort::Channel(_) => sort,
            _ => Sort::Plain,
        }
    }

    fn field_sort(&self, class: u32, field: usize) -> Sort {
        let messages = &self.sorts.messages[class as usize];
        let sort = messages.get(field).copied();
        self.concerning(sort.unwrap_or(Sort::Plain))
    }

    /// The types that a field has in the kinds of a class.
    fn field_scalars(&self, class: u32, field: usize) -> impl Iterator<Item = Scalar> {
        let kinds = self.sorts.kinds[class as usize].iter();
        kinds.filter_map(move |k| self.model.channel_kind(*k).fields.get(field).copied())
    }

    fn sent(&self, class: u32, field: usize, order: SendOrder, term: &Term) -> Renamed<Term> {
        let sort = self.field_sort(class, field);
        if sort != Sort::Plain {
            if order == SendOrder::Sorted {
                return ill("a sorted send compares messages that name processes or channels");
            }
            let mut scalars = self.field_scalars(class, field);
            if !scalars.all(|s| self.survives(term, s, sort)) {
                return ill("a message cuts the number of a process or channel");
            }
        }
        self.term(term, sort)
    }

    /// True if putting the value into a cell of that type keeps what it stands for, and makes nothing
    /// that is exchanged out of something else. A cell of `b` bits keeps a value up to multiples of
    /// `2^b`; what is exchanged must fit in, and no other value of the term may differ from it by such
    /// a multiple.
    fn survives(&self, term: &Term, scalar: Scalar, sort: Sort) -> bool {
        if self.algebra.fits(term, scalar) {
            return true;
        }
        let (Some(modulus), Some(range)) = (modulus(scalar), self.algebra.range(term)) else {
            return false;
        };
        let safe = |value: i64| {
            let apart = value - modulus < range.0 && range.1 < value + modulus;
            apart && contains(scalar, Some((value, value)))
        };
        let points = self.scope.points.iter();
        let mut values = points.filter_map(|p| self.sorts.value(sort, *p));
        !matches!(sort, Sort::Plain | Sort::Channel(_)) && values.all(safe)
    }

    fn received(&self, class: u32, field: usize, wanted: &Field) -> Renamed<Field> {
        let sort = self.field_sort(class, field);
        match wanted {
            Field::Match(term) => Ok(Field::Match(self.term(term, sort)?)),
            Field::Ignore => Ok(Field::Ignore),
            Field::Bind(cell) => {
                let (renamed, own) = self.cell(cell)?;
                if own != sort {
                    return ill("a variable and the field that it receives are of different sorts");
                }
                let mut scalars = self.field_scalars(class, field);
                if sort != Sort::Plain && !scalars.all(|s| contains(cell.scalar.0, bounds(s))) {
                    return ill("a variable cuts the number of a process or channel");
                }
                Ok(Field::Bind(renamed))
            }
        }
    }

    /// The cell that gets the number of a new process, which is none of the permuted ones.
    fn newborn(&self, cell: &Cell) -> Renamed<Cell> {
        let (renamed, sort) = self.cell(cell)?;
        match sort {
            Sort::Channel(_) => ill("the number of a process is used as a channel"),
            Sort::Name(..) => ill("the number of a process is used as a name"),
            Sort::Process(offset) if offset != 0 => {
                ill("the number of a new process is used for another one")
            }
            Sort::Process(_) if !contains(cell.scalar.0, Some((0, LAST_PROCESS))) => {
                ill("a variable is too small for the number of a process")
            }
            _ => Ok(renamed),
        }
    }

    fn channel(&self, term: &Term) -> Renamed<(Term, u32)> {
        match self.sort_of(term)? {
            Some(Sort::Channel(class)) => Ok((self.term(term, Sort::Channel(class))?, class)),
            _ => ill("a number is used as a channel"),
        }
    }

    /// The sort that a term has by itself, if it has one.
    pub fn sort_of(&self, term: &Term) -> Renamed<Option<Sort>> {
        Ok(match term {
            Term::Const(_) | Term::Own(..) | Term::Other | Term::FirstInstance(_) => None,
            Term::LastMover => Some(self.concerning(Sort::Process(0))),
            Term::Read(cell) => Some(self.cell(cell)?.1),
            Term::Stored(_, inner) => self.sort_of(inner)?,
            Term::Sum(list) => match shift(list) {
                Some(by) => self.sort_of(&list[0])?.map(|sort| sort.shifted(by)),
                None => Some(Sort::Plain),
            },
            Term::Unary(op, inner) if op.0 == UnaryOp::Defined => self.sort_of(inner)?,
            Term::Choose(_, yes, no) => match self.sort_of(yes)? {
                Some(sort) => Some(sort),
                None => self.sort_of(no)?,
            },
            _ => Some(Sort::Plain),
        })
    }

    /// The renamed term, if the term can be of the sort that is wanted.
    pub fn term(&self, term: &Term, want: Sort) -> Renamed<Term> {
        self.budget.spend(TERM);
        let want = self.concerning(want);
        match self.by_rule(term, want) {
            Ok(renamed) if !renamed.has_table() && !self.turns(term, want) => Ok(renamed),
            by_rule if self.strict => by_rule,
            // The whole as one function can be compared when its parts cannot.
            by_rule => self.pointwise(term, want).map_or(by_rule, Ok),
        }
    }

    /// Whether the term makes a name of another one case by case. There are many ways to write that.
    fn turns(&self, term: &Term, want: Sort) -> bool {
        let Term::Choose(..) = term else {
            return false;
        };
        let named = |leaf: &Term| match leaf {
            Term::Read(cell) => self.cell(cell).is_ok_and(|(_, sort)| is_name(sort)),
            _ => false,
        };
        is_name(want) && term.only_leaf().is_some_and(named)
    }

    fn by_rule(&self, term: &Term, want: Sort) -> Renamed<Term> {
        match term {
            Term::Const(value) | Term::Own(_, value) => self.number(*value, want),
            Term::Other => self.unmoved(Term::Other, want),
            Term::Read(cell) => self.read(cell, want),
            Term::LastMover if want == self.concerning(Sort::Process(0)) => Ok(Term::LastMover),
            Term::LastMover => ill("the last mover is used as a number"),
            Term::FirstInstance(template) => self.first_instance(*template, want),
            Term::Choose(condition, yes, no) => Ok(self.algebra.choose(
                self.condition(condition)?,
                self.term(yes, want)?,
                self.term(no, want)?,
            )),
            Term::Unary(op, inner) if op.0 == UnaryOp::Defined && is_name(want) => {
                self.defined(inner, want)
            }
            Term::Sum(list) if is_name(want) && shift(list).is_some() => {
                self.shifted(&list[0], shift(list).unwrap_or(0), want)
            }
            Term::Stored(scalar, inner) if is_name(want) => {
                let renamed = self.term(inner, want)?;
                // That the value fits into a cell with limits has been asked for.
                let asked = scalar.0.limits().is_some();
                if !asked && !self.survives(inner, scalar.0, want) {
                    return ill("a variable is too small for a name");
                }
                Ok(self.algebra.store(scalar.0, renamed))
            }
            computed => {
                plain_only(want, "a computed value")?;
                self.computed(computed)
            }
        }
    }

    /// The number of a process that is not exchanged.
    fn unmoved(&self, number: Term, want: Sort) -> Renamed<Term> {
        match want {
            Sort::Plain | Sort::Process(0) => Ok(number),
            Sort::Process(_) => ill("the number of a process is used for another one"),
            Sort::Name(..) => ill("the number of a process is used as a name"),
            Sort::Channel(_) => ill("the number of a process is used as a channel"),
        }
    }

    /// A name that must not be 0. If 0 stays where it is, what it becomes is 0 iff it is.
    fn defined(&self, inner: &Term, want: Sort) -> Renamed<Term> {
        if self.sorts.image(self.renaming, want, 0) != 0 {
            return ill("0, which stands for no value, is a name");
        }
        let renamed = self.term(inner, want)?;
        Ok(self.algebra.unary(UnaryOp::Defined, renamed))
    }

    /// A name plus a constant.
    fn shifted(&self, term: &Term, by: i64, want: Sort) -> Renamed<Term> {
        let inner = want.shifted(-by);
        let small = |sort: Sort| match sort {
            Sort::Process(offset) | Sort::Name(_, offset) => {
                offset.unsigned_abs() <= FARTHEST as u64
            }
            _ => false,
        };
        let range = self.algebra.range(term);
        let short = range.is_some_and(|r| i32::try_from(r.0).is_ok() && i32::try_from(r.1).is_ok());
        if !(small(want) && small(inner) && short) {
            return ill("a name is computed with");
        }
        let term = self.term(term, inner)?;
        Ok(self.algebra.sum(vec![term, Term::Const(by)]))
    }

    fn number(&self, value: i64, want: Sort) -> Renamed<Term> {
        match want {
            Sort::Plain => Ok(Term::Const(value)),
            Sort::Process(_) | Sort::Name(..) => {
                let image = self.sorts.image(self.renaming, want, value);
                Ok(Term::Named(want, image))
            }
            Sort::Channel(_) if value == 0 => Ok(Term::Const(0)),
            Sort::Channel(_) => ill(format!("the number {value} is used as a channel")),
        }
    }

    pub(crate) fn read(&self, cell: &Cell, want: Sort) -> Renamed<Term> {
        let (renamed, sort) = self.cell(cell)?;
        if sort != want {
            return ill(match (sort, want) {
                (Sort::Process(_), Sort::Plain) => {
                    "the number of a process is used as a plain number"
                }
                (Sort::Process(_), _) => "the number of a process is used as something else",
                (Sort::Name(..), Sort::Plain) => "a name is used as a plain number",
                (Sort::Name(..), _) => "a name is used as something else",
                (_, Sort::Process(_)) => "a plain number is used as the number of a process",
                (_, Sort::Name(..)) => "a plain number is used as a name",
                _ => "a channel is used as something else",
            });
        }
        // Variables of a process that is not there read as 0, whatever it is renamed to.
        let zero_moves = self.sorts.image(self.renaming, sort, 0) != 0;
        if matches!(cell.home, Home::Remote(..)) && zero_moves {
            return ill(
                "a variable of a process that may not be there reads as 0, which is a name",
            );
        }
        Ok(Term::Read(renamed))
    }

    /// The first instance of a template that no permutation touches is never one that is moved.
    fn first_instance(&self, template: TemplateId, want: Sort) -> Renamed<Term> {
        if self.scope.processes && self.moved.contains(&template) {
            return ill("the first one of a family is singled out");
        }
        self.unmoved(Term::FirstInstance(template), want)
    }

    fn computed(&self, term: &Term) -> Renamed<Term> {
        let algebra = self.algebra;
        let list = |terms: &[Term]| -> Renamed<Vec<Term>> {
            terms.iter().map(|t| self.term(t, Sort::Plain)).collect()
        };
        Ok(match term {
            Term::Unary(op, a) => algebra.unary(op.0, self.term(a, Sort::Plain)?),
            Term::Binary(op, a, b) if self.is_settled(op.0, a, b) => {
                Term::Const(i64::from(op.0 == BinaryOp::NotEqual))
            }
            Term::Binary(op, a, b) => {
                let sort = self.operand_sort(op.0, a, b)?;
                algebra.binary(op.0, self.term(a, sort)?, self.term(b, sort)?)
            }
            Term::Sum(terms) => algebra.sum(list(terms)?),
            Term::All(terms) => algebra.all(list(terms)?),
            Term::Any(terms) => algebra.any(list(terms)?),
            Term::Stored(scalar, a) => algebra.store(scalar.0, self.term(a, Sort::Plain)?),
            Term::LocationNumber(p) => {
                Term::LocationNumber(Rc::new(self.term(p, Sort::Process(0))?))
            }
            Term::At(template, p, location) => {
                let process = Rc::new(self.term(p, Sort::Process(0))?);
                Term::At(*template, process, *location)
            }
            Term::Channel(query, c) => Term::Channel(*query, Rc::new(self.channel(c)?.0)),
            Term::Room(c) => Term::Room(Rc::new(self.channel(c)?.0)),
            Term::Poll(c, order, fields) => {
                let (channel, class) = self.channel(c)?;
                Term::Poll(Rc::new(channel), *order, self.wanted(class, fields)?)
            }
            Term::Waiting(c, order, keep, fields) => {
                let (channel, class) = self.channel(c)?;
                let fields = self.wanted(class, fields)?;
                Term::Waiting(Rc::new(channel), *order, *keep, fields)
            }
            Term::ProcessCount | Term::Timeout | Term::NonProgress | Term::Accepting => {
                term.clone()
            }
            _ => return ill("this kind of value is not known here"),
        })
    }

    /// A comparison of the number of somebody else with one of those that are exchanged.
    fn is_settled(&self, op: BinaryOp, a: &Term, b: &Term) -> bool {
        let number = match (other_plus(a), other_plus(b)) {
            (Some(by), None) => b.known().and_then(|n| n.checked_sub(by)),
            (None, Some(by)) => a.known().and_then(|n| n.checked_sub(by)),
            _ => None,
        };
        matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && number.is_some_and(|n| self.scope.moves_process(n))
    }

    /// What is compared for equality has one sort; everything else is plain.
    fn operand_sort(&self, op: BinaryOp, a: &Term, b: &Term) -> Renamed<Sort> {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            return Ok(Sort::Plain);
        }
        let sorts = [self.sort_of(a)?, self.sort_of(b)?];
        let mut sorts = sorts.into_iter().flatten();
        // What is computed from a name may be one, although it does not look like it.
        let name = sorts.clone().find(|sort| *sort != Sort::Plain);
        Ok(name.or(sorts.next()).unwrap_or(Sort::Plain))
    }

    fn wanted(&self, class: u32, fields: &[Option<Term>]) -> Renamed<Vec<Option<Term>>> {
        let fields = fields.iter().enumerate();
        let field = |(i, wanted): (usize, &Option<Term>)| {
            let wanted = wanted.as_ref();
            let term = wanted.map(|t| self.term(t, self.field_sort(class, i)));
            term.transpose()
        };
        fields.map(field).collect()
    }

    /// The renamed cell and the sort of what it holds.
    pub fn cell(&self, cell: &Cell) -> Renamed<(Cell, Sort)> {
        let classes = &self.sorts.classes;
        let (home, mut shape) = match &cell.home {
            Home::Global(id) => {
                let image = self.sorts.global_image(self.renaming, *id);
                (Home::Global(image), &classes.globals[id.index()])
            }
            Home::Own(id) => {
                let locals = &classes.locals[self.template.index()];
                (cell.home.clone(), &locals[id.index()])
            }
            Home::Remote(template, process, local) => {
                let process = Rc::new(self.term(process, Sort::Process(0))?);
                let shape = &classes.locals[template.index()][local.index()];
                (Home::Remote(*template, process, *local), shape)
            }
        };
        let mut path = Vec::new();
        for part in &cell.path {
            let (inner, renamed) = self.part(shape, part)?;
            shape = inner;
            path.push(renamed);
        }
        let Shape::Cell(sort, _) = shape else {
            return ill("a path does not lead to a cell");
        };
        let renamed = Cell {
            home,
            path,
            ..cell.clone()
        };
        Ok((renamed, self.concerning(*sort)))
    }

    fn part<'s>(&self, shape: &'s Shape<Sort>, part: &Part) -> Renamed<(&'s Shape<Sort>, Part)> {
        match (shape, part) {
            (Shape::Record(fields), Part::Field(field)) => {
                Ok((&fields[*field as usize], part.clone()))
            }
            (Shape::Array { index, element, .. }, Part::Index(term, length)) => {
                let term = self.term(term, *index)?;
                Ok((element, Part::Index(term, *length)))
            }
            _ => ill("a path does not fit its variable"),
        }
    }
}

fn located<T, U>(
    at: &At<T>,
    rename: impl FnOnce(&T) -> Renamed<U>,
) -> Result<At<U>, (Span, IllSorted)> {
    let span = at.span;
    match rename(&at.what) {
        Ok(what) => Ok(At { what, span }),
        Err(why) => Err((span, why)),
    }
}
