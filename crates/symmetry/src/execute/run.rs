//! The state of one path of the symbolic execution.

use crate::algebra::Algebra;
use crate::path::{At, Deed, End, Field, Insert, Observation, Path, Segment};
use crate::term::{Cell, Home, Part, Term};
use mandala_model::Model;
use mandala_model::source::Span;
use mandala_model::template::Template;
use mandala_model::types::Storage;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// What must hold in this segment so that the step is no fault, and so does here.
    required: Vec<Rc<Term>>,
    /// What is known of definite cells. What was not written in this segment is a constant.
    known: BTreeMap<Cell, Slot>,
    /// Cells written in this segment that are not definite, but certainly different from all others that
    /// were.
    loose: Vec<At<(Cell, Term)>>,
    /// Elements put among others in this segment.
    inserts: Vec<Insert>,
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
        !self.inserts.is_empty()
            || !self.loose.is_empty()
            || self.known.values().any(|slot| slot.written.is_some())
    }

    /// True if a cell may be one that has been written in this segment, and is not known to be.
    pub fn may_hide(&self, cell: &Cell) -> bool {
        let grown = |insert: &Insert| insert.cells.iter().any(|c| c.what.0.home == cell.home);
        if self.inserts.iter().any(grown) {
            return true;
        }
        let meets = |other: &Cell| may_be_same(other, cell);
        let written = self.known.values().filter(|slot| slot.written.is_some());
        let mut written = written.map(|slot| &slot.cell);
        let hidden = !cell.is_definite() && written.any(meets);
        hidden || self.loose.iter().any(|w| meets(&w.what.0))
    }

    /// How much there is to say of what was asked on the way.
    pub fn asked(&self) -> usize {
        1 + self.observations.len() + LIGHT * self.done.len()
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
        let held = self.observations.iter().filter_map(|o| match &o.what {
            Observation::Holds(t) => Some(t),
            _ => None,
        });
        let mut held = held.chain(self.required.iter().map(Rc::as_ref));
        held.find_map(|t| match t {
            t if t == condition => Some(true),
            t if *t == negated => Some(false),
            _ => None,
        })
    }

    /// Keeps to the way on which a condition holds without which the step is a fault. There is a path for that.
    /// If it never holds, there is no such way.
    pub fn require(&mut self, condition: At<Term>) {
        self.weight += 1;
        match condition.what.known() {
            Some(_) => self.observe(Observation::Holds(condition.what), condition.span),
            None => self.required.push(Rc::new(condition.what)),
        }
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

    /// Puts an element among others. Nothing is known of any of them any more.
    pub fn insert(&mut self, insert: Insert) {
        for put in &insert.cells {
            self.weight += put.what.1.size_up_to(LARGE);
            let home = &put.what.0.home;
            let kept = |slot: &Slot| slot.cell.home != *home || slot.written.is_some();
            self.known.retain(|_, slot| kept(slot));
        }
        self.inserts.push(insert);
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
        self.required.clear();
        self.done.push(Segment {
            observations: std::mem::take(&mut self.observations),
            writes: Vec::new(),
            inserts: Vec::new(),
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
        self.required.clear();
        let segment = Segment {
            observations: std::mem::take(&mut self.observations),
            writes,
            inserts: std::mem::take(&mut self.inserts),
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
        // One by one, so that what is a fault in any case can be told from what is one in some.
        let refuted_parts = match refuted.what {
            Term::All(list) => list,
            one => vec![one],
        };
        observations.extend(refuted_parts.into_iter().map(|part| At {
            what: Observation::Holds(part),
            span: refuted.span,
        }));
        let mut segments = self.done.clone();
        segments.push(Segment {
            observations,
            ..Segment::default()
        });
        Path { segments, end }
    }

    /// Two runs that differ in one condition alone, the last that was asked, as one.
    pub fn merged(
        algebra: Algebra,
        is_number: impl Fn(&Cell) -> bool,
        (yes, no): (&Run, &Run),
    ) -> Option<Run> {
        let condition = parted_by(algebra, yes, no)?;
        if yes.done != no.done || yes.inserts != no.inserts {
            return None;
        }
        let apart = |a: &Run, b: &Run| {
            let mut loose = a.loose.iter().map(|w| &w.what.0);
            loose.all(|cell| b.value(cell).is_some() || !b.may_meet(cell))
        };
        if !apart(yes, no) || !apart(no, yes) {
            return None;
        }
        let mut run = Run {
            done: yes.done.clone(),
            inserts: yes.inserts.clone(),
            observations: yes.observations[..yes.observations.len() - 1].to_vec(),
            passed: yes.passed.max(no.passed),
            weight: yes.weight.max(no.weight),
            ..Run::default()
        };
        let shared = yes.required.iter().zip(&no.required);
        let shared = shared
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| Rc::clone(a));
        run.required = shared.collect();
        for (cell, span) in yes.cells().chain(no.cells()) {
            let value = |r: &Run| r.value(cell).cloned();
            let (a, b) = (value(yes), value(no));
            let (a, b) = (
                a.unwrap_or_else(|| read(cell)),
                b.unwrap_or_else(|| read(cell)),
            );
            let chosen = match is_number(cell) {
                true => algebra.count_either(&condition, a, b),
                false => algebra.choose_either(&condition, a, b),
            };
            if chosen.size_up_to(LARGE) == LARGE {
                return None;
            }
            run.put(cell, chosen, span);
        }
        Some(run)
    }

    /// All cells of which something is known, and where they were written, if that was in this segment.
    fn cells(&self) -> impl Iterator<Item = (&Cell, Option<Span>)> {
        let known = self.known.values().map(|slot| (&slot.cell, slot.written));
        let loose = self.loose.iter().map(|w| (&w.what.0, Some(w.span)));
        known.chain(loose)
    }

    /// Whether a cell may be one that was written in this segment.
    fn may_meet(&self, cell: &Cell) -> bool {
        let mut written = self.cells().filter(|(_, written)| written.is_some());
        written.any(|(other, _)| may_be_same(other, cell))
    }

    /// Makes a value known, once.
    fn put(&mut self, cell: &Cell, value: Term, written: Option<Span>) {
        if !cell.is_definite() {
            if self.value(cell).is_none()
                && let Some(span) = written
            {
                let what = (cell.clone(), value);
                self.loose.push(At { what, span });
            }
            return;
        }
        let slot = self.known.entry(key(cell)).or_insert_with(|| Slot {
            cell: cell.clone(),
            value,
            written,
        });
        slot.written = slot.written.or(written);
    }

    pub fn finish(mut self, end: End) -> Path {
        self.flush();
        Path {
            segments: self.done,
            end,
        }
    }
}

fn read(cell: &Cell) -> Term {
    Term::Read(cell.clone())
}

/// The condition that holds on the first and not on the second run, if that is all that was asked differently.
fn parted_by(algebra: Algebra, yes: &Run, no: &Run) -> Option<Term> {
    let (last, before) = yes.observations.split_last()?;
    let (other, same) = no.observations.split_last()?;
    let (Observation::Holds(condition), Observation::Holds(negated)) = (&last.what, &other.what)
    else {
        return None;
    };
    let opposed = algebra.is_total(condition) && algebra.not(condition.clone()) == *negated;
    (opposed && before == same).then(|| condition.clone())
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
