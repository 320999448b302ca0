//! Normal forms: the effect of one path through an edge.
//!
//! A path is a list of segments. The terms of a segment are functions of the state in which the segment
//! starts: first the observations are made in order, then all cells are written at once, then the
//! action happens, which makes the state that the next segment starts in. A segment never both
//! writes and acts.

use crate::algebra::Algebra;
use crate::term::{Cell, Part, Tag, Term};
use mandala_model::expr::ReceiveOrder;
use mandala_model::ids::{LocationId, MonitorId, PropertyId, TemplateId};
use mandala_model::source::Span;
use mandala_model::template::{Keep, SendOrder};
use std::cmp::Ordering;
use std::rc::Rc;

/// Something and where it stands; the place does not count when two are compared.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub what: T,
    pub span: Span,
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what
    }
}

impl<T: Eq> Eq for At<T> {}

impl<T: Ord> PartialOrd for At<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for At<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.what.cmp(&other.what)
    }
}

/// Something that is asked of the state on the way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Observation {
    /// The way is taken only if the condition holds.
    Holds(Term),
    /// The value is computed, which may fail.
    Computes(Term),
    /// A violation is reported unless the condition holds.
    Asserts(Term),
}

impl Observation {
    pub fn term(&self) -> &Term {
        match self {
            Observation::Holds(t) | Observation::Computes(t) | Observation::Asserts(t) => t,
        }
    }
}

/// What is wanted of a field of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Match(Term),
    Bind(Cell),
    Ignore,
}

/// A change of the state that is more than writing cells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    Send(Term, Tag<SendOrder>, Vec<Term>),
    Receive(Term, Tag<ReceiveOrder>, Tag<Keep>, Vec<Field>),
    Spawn(TemplateId, Vec<Term>, u8, Option<Cell>),
}

/// An element that is put among others without order: the cells of one of them, whichever, and what they get.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Insert {
    pub cells: Vec<At<(Cell, Term)>>,
}

/// A part of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Segment {
    pub observations: Vec<At<Observation>>,
    /// Different cells, in order.
    pub writes: Vec<At<(Cell, Term)>>,
    /// Elements that are put among others without order after that; whether there is room for one is a part of it.
    pub inserts: Vec<Insert>,
    pub deed: Option<At<Deed>>,
}

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    /// At a location, keeping control or not.
    Arrives(LocationId, bool),
    /// The process has ended.
    Exits,
    /// Code that runs in one step cannot go on, which is a fault.
    Stuck,
    /// The edge is not taken after all.
    Refused,
    /// The step fails, and there is no state after it. If a monitor fails, the property that it belongs to counts.
    Fails(Option<PropertyId>),
    /// The step is a fault: something cannot be computed. For a monitor, its property counts.
    Faults(Option<PropertyId>),
    /// There is no state after the step, and nothing is wrong with that.
    Vanishes,
    /// The condition, or the monitor of that property, holds in the state. Where each monitor of a property has to hold some time, it is that one.
    Holds(Option<PropertyId>, Option<MonitorId>),
}

/// One way through an edge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path {
    pub segments: Vec<Segment>,
    pub end: End,
}

impl Path {
    /// The same in normal form.
    pub fn normal(self, algebra: Algebra) -> Self {
        let segments = self.segments.into_iter();
        let segments = segments.map(|s| s.normal(algebra));
        Path {
            segments: segments.filter(|s| !s.is_empty()).collect(),
            end: self.end,
        }
    }
}

/// What an edge does.
#[derive(Clone, Debug)]
pub(crate) struct EdgeForm {
    /// All ways through it; for an `else`, the one way without what the other edges decide. What several processes do
    /// at one place is shared among them.
    pub paths: Vec<Rc<Path>>,
    pub is_else: bool,
    pub escape: u32,
    pub text: String,
    pub span: Span,
}

impl Segment {
    /// In normal form: neighbouring observations that cannot fail are sorted, those that are always
    /// met are dropped, and so are writes that change nothing.
    pub fn normal(mut self, algebra: Algebra) -> Self {
        self.writes
            .retain(|w| Term::Read(w.what.0.clone()) != w.what.1);
        self.writes.sort();
        self.inserts.sort();
        Segment {
            observations: sort_observations(algebra, self.observations),
            ..self
        }
    }

    /// Everything that is put into cells, where it does not matter how.
    pub fn puts(&self) -> impl Iterator<Item = &At<(Cell, Term)>> {
        let inserted = self.inserts.iter().flat_map(|insert| &insert.cells);
        self.writes.iter().chain(inserted)
    }

    pub fn is_empty(&self) -> bool {
        *self == Segment::default()
    }
}

fn sort_observations(algebra: Algebra, all: Vec<At<Observation>>) -> Vec<At<Observation>> {
    let mut sorted = Vec::new();
    let mut run = Vec::new();
    let split = all.into_iter().flat_map(|o| conjuncts(algebra, o));
    for observation in split {
        if algebra.is_total(observation.what.term()) {
            run.push(observation);
        } else if !is_repeated(&observation, &sorted) {
            finish(&mut run, &mut sorted);
            sorted.push(observation);
        }
    }
    finish(&mut run, &mut sorted);
    sorted
}

/// What has been computed in a state, or has been seen to hold, need not be looked at again.
fn is_repeated(observation: &At<Observation>, before: &[At<Observation>]) -> bool {
    !matches!(observation.what, Observation::Asserts(_)) && before.contains(observation)
}

fn finish(run: &mut Vec<At<Observation>>, sorted: &mut Vec<At<Observation>>) {
    run.retain(|o| !is_idle(&o.what));
    run.sort();
    run.dedup();
    sorted.append(run);
}

fn is_idle(observation: &Observation) -> bool {
    match observation {
        Observation::Computes(_) => true,
        Observation::Holds(t) | Observation::Asserts(t) => t.known() == Some(1),
    }
}

/// That several conditions hold is as many observations. (Not so for assertions: one that fails
/// says nothing of the next.)
fn conjuncts(algebra: Algebra, observation: At<Observation>) -> Vec<At<Observation>> {
    let span = observation.span;
    match observation.what {
        Observation::Holds(Term::All(list)) => {
            let one = |t| At {
                what: Observation::Holds(t),
                span,
            };
            list.into_iter().map(one).collect()
        }
        Observation::Computes(t) if algebra.is_total(&t) => Vec::new(),
        Observation::Computes(t) => {
            let what = match algebra.only_risk(&t).unwrap_or(t) {
                Term::Read(cell) => Term::Read(first_like(cell)),
                other => other,
            };
            let what = Observation::Computes(what);
            vec![At { what, span }]
        }
        what => vec![At { what, span }],
    }
}

/// The first of the cells that can be found iff this one can: which element it is does not matter where
/// that is known.
fn first_like(mut cell: Cell) -> Cell {
    for part in &mut cell.path {
        if let Part::Index(index, length) = part {
            let known = index.known();
            if known.is_some_and(|i| (0..i64::from(*length)).contains(&i)) {
                *index = Term::Const(0);
            }
        }
    }
    cell
}
