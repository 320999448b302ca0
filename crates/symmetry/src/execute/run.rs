//! What has happened so far on one path.

use crate::algebra::Algebra;
use crate::path::{At, Deed, End, Field, Observation, Path, Segment};
use crate::term::{Cell, Home, Part, Term};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::template::Template;
use mandala_model::types::Storage;
use std::collections::BTreeMap;

/// How many parts the value of a variable may have before the segment is ended.
pub(crate) const LARGE: usize = 2_000;

/// What a deed counts for.
const LIGHT: usize = 8;

/// What is known of a cell.
#[derive(Clone, Debug)]
struct Slot {
    /// The cell as it was written.
    cell: Cell,
    value: Term,
    /// Where it was written, if that was in this segment.
    written: Option<Span>,
}

/// A path in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    done: Vec<Segment>,
    observations: Vec<At<Observation>>,
    /// What is known of definite cells. What was not written in this segment is a constant.
    known: BTreeMap<Cell, Slot>,
    /// Cells written in this segment that are not definite, but certainly different from all others that
    /// were.
    loose: Vec<At<(Cell, Term)>>,
    /// How many locations have been passed through.
    pub passed: u32,
    /// How much there is to copy.
    pub weight: usize,
}

impl Run {
    /// The value of a cell, if it is not simply what the state holds.
    pub fn value(&self, cell: &Cell) -> Option<&Term> {
        if cell.is_definite() {
            return self.known.get(&key(cell)).map(|slot| &slot.value);
        }
        let mut loose = self.loose.iter();
        let write = loose.find(|w| w.what.0 == *cell);
        write.map(|w| &w.what.1)
    }

    /// True if cells have been written in this segment.
    pub fn is_dirty(&self) -> bool {
        !self.loose.is_empty() || self.known.values().any(|slot| slot.written.is_some())
    }

    /// True if a cell may be one that has been written in this segment, and is not known to be.
    pub fn may_hide(&self, cell: &Cell) -> bool {
        let meets = |other: &Cell| may_be_same(other, cell);
        let written = self.known.values().filter(|slot| slot.written.is_some());
        let mut written = written.map(|slot| &slot.cell);
        let hidden = !cell.is_definite() && written.any(meets);
        hidden || self.loose.iter().any(|w| meets(&w.what.0))
    }

    pub fn observe(&mut self, what: Observation, span: Span) {
        self.weight += what.term().size_up_to(LARGE);
        self.observations.push(At { what, span });
    }

    /// What this segment has already established about a condition that cannot fail.
    pub fn decided(&self, algebra: Algebra, condition: &Term) -> Option<bool> {
        if !algebra.is_total(condition) {
            return None;
        }
        let negated = algebra.not(condition.clone());
        let mut held = self.observations.iter().filter_map(|o| match &o.what {
            Observation::Holds(t) | Observation::Requires(t) => Some(t),
            _ => None,
        });
        held.find_map(|t| match t {
            t if t == condition => Some(true),
            t if *t == negated => Some(false),
            _ => None,
        })
    }

    /// Writes a cell, which must not be hidden by what has been written in this segment.
    pub fn write(&mut self, cell: Cell, value: Term, span: Span) {
        self.weight += value.size_up_to(LARGE);
        if cell.is_definite() {
            let slot = Slot {
                cell: cell.clone(),
                value,
                written: Some(span),
            };
            self.known.insert(key(&cell), slot);
            return;
        }
        self.forget(&cell);
        self.loose.push(At {
            what: (cell, value),
            span,
        });
    }

    /// Acts. Nothing must have been written in the segment.
    pub fn act(&mut self, deed: At<Deed>) {
        self.weight += LIGHT;
        match &deed.what {
            Deed::Receive(_, _, _, fields) => {
                for field in fields {
                    if let Field::Bind(cell) = field {
                        self.forget(cell);
                    }
                }
            }
            Deed::Spawn(_, _, _, Some(cell)) => self.forget(cell),
            Deed::Send(..) | Deed::Spawn(..) => {}
        }
        self.done.push(Segment {
            observations: std::mem::take(&mut self.observations),
            writes: Vec::new(),
            deed: Some(deed),
        });
    }

    /// Ends the segment. Constants stay known.
    pub fn flush(&mut self) {
        let mut writes = std::mem::take(&mut self.loose);
        for slot in self.known.values_mut() {
            if let Some(span) = slot.written.take() {
                writes.push(At {
                    what: (slot.cell.clone(), slot.value.clone()),
                    span,
                });
            }
        }
        self.known.retain(|_, slot| slot.value.known().is_some());
        let segment = Segment {
            observations: std::mem::take(&mut self.observations),
            writes,
            deed: None,
        };
        if !segment.is_empty() {
            self.done.push(segment);
        }
    }

    /// Drops what is known of a cell, or of all cells that it may be.
    pub fn forget(&mut self, cell: &Cell) {
        if cell.is_definite() {
            self.known.remove(&key(cell));
        } else {
            self.known.retain(|_, slot| !may_be_same(&slot.cell, cell));
        }
    }

    /// Variables that are no part of the state are back at their first value after a step.
    pub fn forget_scratch(&mut self, model: &Model, template: &Template) {
        let storage = |home: &Home| match home {
            Home::Global(id) => model.global(*id).storage,
            Home::Own(id) => template.locals[id.index()].storage,
            Home::Remote(..) => Storage::State,
        };
        let lasts = |cell: &Cell| storage(&cell.home) == Storage::State;
        self.known.retain(|_, slot| lasts(&slot.cell));
        self.loose.retain(|write| lasts(&write.what.0));
    }

    /// Ends the path where no state comes after it, so that what was written last does not matter.
    pub fn finish_nowhere(mut self, end: End) -> Path {
        self.loose.clear();
        self.known.retain(|_, slot| slot.written.is_none());
        self.finish(end)
    }

    /// The path on which everything was as on this one, and then that condition did not hold.
    pub fn fault(&self, refuted: At<Term>, end: End) -> Path {
        let mut observations = self.observations.clone();
        observations.push(At {
            what: Observation::Holds(refuted.what),
            span: refuted.span,
        });
        let mut segments = self.done.clone();
        segments.push(Segment {
            observations,
            ..Segment::default()
        });
        Path { segments, end }
    }

    pub fn finish(mut self, end: End) -> Path {
        self.flush();
        Path {
            segments: self.done,
            end,
        }
    }
}

/// Whether two cells may be the same: not if they are in different variables, or different parts of one.
fn may_be_same(a: &Cell, b: &Cell) -> bool {
    let differs = |(a, b): (&Part, &Part)| match (a, b) {
        (Part::Field(a), Part::Field(b)) => a != b,
        (Part::Index(a, _), Part::Index(b, _)) => {
            matches!((a.known(), b.known()), (Some(a), Some(b)) if a != b)
        }
        _ => false,
    };
    let apart = a.home == b.home && a.path.iter().zip(&b.path).any(differs);
    may_meet(&a.home, &b.home) && !apart
}

/// Whether cells of two variables may be the same.
fn may_meet(a: &Home, b: &Home) -> bool {
    match (a, b) {
        (Home::Remote(..), Home::Global(_)) | (Home::Global(_), Home::Remote(..)) => false,
        // It may be one's own.
        (Home::Remote(..), _) | (_, Home::Remote(..)) => true,
        _ => a == b,
    }
}

/// The cell as a key: it does not matter where an index comes from.
fn key(cell: &Cell) -> Cell {
    let path = cell.path.iter().map(|part| match part {
        Part::Index(term, length) => {
            let index = term.known().map_or_else(|| term.clone(), Term::Const);
            Part::Index(index, *length)
        }
        field => field.clone(),
    });
    Cell {
        path: path.collect(),
        ..cell.clone()
    }
}
