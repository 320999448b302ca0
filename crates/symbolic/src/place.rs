//! Cells: which ones a place may be, what they hold, and what an assignment leaves in them.
//!
//! Which cell `next[prev[i]]` is depends on the state. So a place is a list of cells, each with the states in which it is the one: a
//! case split over every index on the way, from the inside out. A read chooses among what they hold; a write changes each of them
//! where it is meant.

use crate::attempt::{Attempt, Path};
use crate::cells::Layout;
use crate::diagrams::{Bdd, Made};
use crate::number::Number;
use crate::priority::undeclared;
use crate::stop::CellId;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_resolved::{Base, Index, ResolvedExpr, ResolvedPlace, Store};
use oxidd::BooleanFunction;

/// Cells that a place may be, each with where it is the one: nothing for the variable of a process that does not exist.
type Cases = Vec<(Bdd, Option<CellId>)>;

/// How far from its base a place may be.
type Offsets = Vec<(Bdd, usize)>;

impl Attempt<'_> {
    /// What a place holds.
    pub(crate) fn read(&mut self, path: &Path, under: &Bdd, place: &ResolvedPlace) -> Made<Number> {
        let cases = self.cases(path, under, place)?;
        let held = |case: Option<CellId>| match case {
            Some(cell) => self.cell(path, cell),
            None => self.constant(0),
        };
        let mut cases = cases.into_iter();
        let mut value = match cases.next() {
            Some((_, cell)) => held(cell),
            None => return Ok(self.constant(0)),
        };
        for (condition, cell) in cases {
            value = Number::choose(&condition, &held(cell), &value)?;
        }
        Ok(value)
    }

    /// Puts a value into the cell that a place is.
    pub(crate) fn assign(
        &mut self,
        path: &mut Path,
        place: &ResolvedPlace,
        value: &Number,
    ) -> Made<()> {
        let under = path.condition.clone();
        if place.base == Base::OwnPriority {
            return self.put_priority(path, &under, self.actor, value, place.span);
        }
        let cases = self.cases(path, &under, place)?;
        let kept = self.stored(&under, place.store, value, place.span)?;
        for (condition, cell) in cases {
            match cell {
                Some(cell) => self.put(path, &condition, cell, &kept)?,
                None => self.fault(&under, &condition, FaultKind::NoSuchProcess, place.span)?,
            }
        }
        self.go_on(path)
    }

    /// Puts a value into a cell where the condition holds.
    pub(crate) fn put(
        &self,
        path: &mut Path,
        when: &Bdd,
        cell: CellId,
        value: &Number,
    ) -> Made<()> {
        let old = self.cell(path, cell);
        let new = Number::choose(when, value, &old)?;
        path.cells.insert(cell, new);
        Ok(())
    }

    /// What a cell or a field holds after the value is put into it.
    pub(crate) fn stored(
        &mut self,
        under: &Bdd,
        store: Store,
        value: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        let (min, max) = match store {
            Store::Bits { bits, signed } => return Ok(value.wrapped(d, bits.into(), signed)),
            Store::Range { min, max } => (min, max),
        };
        let below = value.less(d, &self.constant(min))?;
        let above = self.constant(max).less(d, value)?;
        let kind = FaultKind::ValueOutOfRange {
            value: value.as_constant(d).unwrap_or(max),
        };
        self.fault(under, &below.or(&above)?, kind, span)?;
        Ok(value.clone())
    }

    /// The cells that a place may be.
    fn cases(&mut self, path: &Path, under: &Bdd, place: &ResolvedPlace) -> Made<Cases> {
        let layout = self.context.layout;
        let homes = match &place.base {
            Base::OwnPriority => {
                let own = layout.processes[self.actor].priority;
                let own = own.ok_or_else(|| undeclared(place.span))?;
                return Ok(vec![(self.d().yes.clone(), Some(own))]);
            }
            Base::LastMover => {
                let own = layout.last_mover;
                return Ok(vec![(self.d().yes.clone(), own)]);
            }
            Base::Global => return self.shared(path, under, place, Layout::global),
            Base::Local if self.observing => {
                return self.shared(path, under, place, Layout::monitor_local);
            }
            Base::Local => vec![(self.d().yes.clone(), Some(self.actor))],
            Base::Remote { template, process } => {
                self.remote(path, under, *template, process, place.span)?
            }
        };
        let offsets = self.offsets(path, under, place)?;
        self.cells_at(under, homes, &offsets)
    }

    /// The cells of global variables, or of monitors, that a place may be.
    fn shared(
        &mut self,
        path: &Path,
        under: &Bdd,
        place: &ResolvedPlace,
        cell: fn(&Layout, usize) -> CellId,
    ) -> Made<Cases> {
        let layout = self.context.layout;
        let offsets = self.offsets(path, under, place)?.into_iter();
        let cells = offsets.map(|(condition, at)| (condition, Some(cell(layout, at))));
        Ok(cells.collect())
    }

    /// The cells at those offsets, of each process that may be meant.
    fn cells_at(
        &self,
        under: &Bdd,
        homes: Vec<(Bdd, Option<usize>)>,
        offsets: &Offsets,
    ) -> Made<Cases> {
        let mut cells = Vec::new();
        for (is_meant, home) in homes {
            let Some(process) = home else {
                cells.push((is_meant, None));
                continue;
            };
            for (condition, at) in offsets {
                let condition = condition.and(&is_meant)?;
                if condition.and(under)?.satisfiable() {
                    cells.push((condition, Some(self.context.layout.local(process, *at))));
                }
            }
        }
        Ok(cells)
    }

    /// The processes that may be meant: nothing where there is none of that number. One of another kind is a fault.
    fn remote(
        &mut self,
        path: &Path,
        under: &Bdd,
        template: TemplateId,
        process: &ResolvedExpr,
        span: Span,
    ) -> Made<Vec<(Bdd, Option<usize>)>> {
        let number = self.evaluate(path, under, process)?;
        let mut missing = self.d().yes.clone();
        let mut homes = Vec::new();
        for (other, own) in self.context.layout.processes.iter().enumerate() {
            let is_meant = self.is_meant(path, &number, other)?;
            missing = is_meant.imp_strict(&missing)?;
            match own.template() == template {
                true => homes.push((is_meant, Some(other))),
                false => self.fault(under, &is_meant, FaultKind::NoSuchProcess, span)?,
            }
        }
        homes.push((missing, None));
        let mut possible = Vec::new();
        for (condition, home) in homes {
            if condition.and(under)?.satisfiable() {
                possible.push((condition, home));
            }
        }
        Ok(possible)
    }

    /// How far from its base a place may be.
    fn offsets(&mut self, path: &Path, under: &Bdd, place: &ResolvedPlace) -> Made<Offsets> {
        let mut offsets = vec![(self.d().yes.clone(), place.offset as usize)];
        for index in &place.indices {
            let positions = self.positions(path, under, index)?;
            offsets = combined(under, &offsets, &positions, index.stride as usize)?;
        }
        Ok(offsets)
    }

    /// The elements that an index may mean; one outside of the array is a fault.
    fn positions(&mut self, path: &Path, under: &Bdd, index: &Index) -> Made<Offsets> {
        let d = self.d();
        let number = self.evaluate(path, under, &index.value)?;
        let known = number.as_constant(d);
        if let Some(position) = known.filter(|at| (0..i64::from(index.bound)).contains(at)) {
            return Ok(vec![(d.yes.clone(), position as usize)]);
        }
        let mut outside = d.yes.clone();
        let mut positions = Vec::new();
        for position in 0..index.bound {
            let here = number.is(d, position.into())?;
            outside = here.imp_strict(&outside)?;
            if here.and(under)?.satisfiable() {
                positions.push((here, position as usize));
            }
        }
        let kind = FaultKind::IndexOutOfRange {
            index: known.unwrap_or(-1),
            length: index.bound,
        };
        self.fault(under, &outside, kind, index.value.span)?;
        Ok(positions)
    }
}

/// Each offset with each position of an array after it.
fn combined(under: &Bdd, offsets: &Offsets, positions: &Offsets, size: usize) -> Made<Offsets> {
    let mut all = Vec::new();
    for (outer, base) in offsets {
        for (inner, position) in positions {
            let both = outer.and(inner)?;
            if both.and(under)?.satisfiable() {
                all.push((both, base + position * size));
            }
        }
    }
    Ok(all)
}
