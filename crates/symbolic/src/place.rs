//! Cells: which ones a place may be, what they hold, and what an assignment leaves in them.
//!
//! Which cell `next[prev[i]]` is depends on the state. So a place is a list of cells, each with the states in which it is the one: a
//! case split over every index on the way, from the inside out. A read chooses among what they hold; a write changes each of them
//! where it is meant.

use crate::attempt::{Attempt, Path};
use crate::cells::CellId;
use crate::diagrams::{Bdd, Made};
use crate::number::Number;
use crate::priority::undeclared;
use mandala_model::expr::{Expr, Place, Projection, Root};
use mandala_model::function::CALL;
use mandala_model::ids::TemplateId;
use mandala_model::source::Span;
use mandala_model::step::FaultKind;
use mandala_model::types::{Scalar, Type};
use oxidd::BooleanFunction;

/// Cells that a place may be: nothing for the variable of a process that does not exist.
struct Cases {
    cells: Vec<(Bdd, Option<CellId>)>,
    scalar: Scalar,
}

/// Where in a variable a path may lead.
type Offsets = Vec<(Bdd, usize)>;

impl Attempt<'_> {
    /// What a place holds.
    pub fn read(&mut self, path: &Path, under: &Bdd, place: &Place) -> Made<Number> {
        let cases = self.cases(path, under, place)?.cells;
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
    pub fn assign(&mut self, path: &mut Path, place: &Place, value: &Number) -> Made<()> {
        let under = path.condition.clone();
        if place.root == Root::OwnPriority {
            return self.put_priority(path, &under, self.actor, value, place.span);
        }
        let cases = self.cases(path, &under, place)?;
        let kept = self.stored(&under, cases.scalar, value, place.span)?;
        for (condition, cell) in cases.cells {
            match cell {
                Some(cell) => self.put(path, &condition, cell, &kept)?,
                None => self.fault(&under, &condition, FaultKind::NoSuchProcess, place.span)?,
            }
        }
        self.go_on(path)
    }

    /// Puts a value into a cell where the condition holds.
    pub fn put(&self, path: &mut Path, when: &Bdd, cell: CellId, value: &Number) -> Made<()> {
        let old = self.cell(path, cell);
        let new = Number::choose(when, value, &old)?;
        path.cells.insert(cell, new);
        Ok(())
    }

    /// What a cell or a field of that type holds after the value is put into it.
    pub fn stored(
        &mut self,
        under: &Bdd,
        scalar: Scalar,
        value: &Number,
        span: Span,
    ) -> Made<Number> {
        let d = self.d();
        let limits = match scalar {
            Scalar::Int { bits, signed } => return Ok(value.wrapped(d, bits.into(), signed)),
            Scalar::Bool => return Ok(value.wrapped(d, 1, false)),
            Scalar::Enum(_) | Scalar::Process | Scalar::Channel => {
                return Ok(value.wrapped(d, 8, false));
            }
            Scalar::Id(domain) => (-1, i64::from(self.context.model.domain_size(domain)) - 1),
            Scalar::Range { min, max } => (min, max),
            Scalar::Coded { max, .. } => (0, max),
        };
        let below = value.less(d, &self.constant(limits.0))?;
        let above = self.constant(limits.1).less(d, value)?;
        let kind = FaultKind::ValueOutOfRange {
            value: value.as_constant(d).unwrap_or(limits.1),
        };
        self.fault(under, &below.or(&above)?, kind, span)?;
        Ok(value.clone())
    }

    fn cases(&mut self, path: &Path, under: &Bdd, place: &Place) -> Made<Cases> {
        let model = self.context.model;
        let (homes, base, variable) = match &place.root {
            Root::Global(id) => (vec![], model.first_cell_of_global(*id), model.global(*id)),
            Root::Local(id) => {
                let template = self.context.layout.processes[self.actor].template();
                let own = vec![(self.d().yes.clone(), Some(self.actor))];
                let base = model.first_cell_of_local(template, *id);
                (own, base, &model.template(template).locals[id.index()])
            }
            Root::Remote {
                template,
                process,
                local,
            } => {
                let homes = self.remote(path, under, *template, process, place.span)?;
                let base = model.first_cell_of_local(*template, *local);
                (
                    homes,
                    base,
                    &model.template(*template).locals[local.index()],
                )
            }
            Root::Reference(_) => unreachable!("{CALL}"),
            Root::OwnPriority => {
                let own = self.context.layout.processes[self.actor].priority;
                let own = own.ok_or_else(|| undeclared(place.span))?;
                return Ok(Cases {
                    cells: vec![(self.d().yes.clone(), Some(own))],
                    scalar: Scalar::Process,
                });
            }
        };
        let start = vec![(self.d().yes.clone(), base)];
        let (offsets, scalar) = self.offsets(path, under, start, &variable.ty, &place.path)?;
        let cells = self.cells_at(under, &place.root, homes, &offsets)?;
        Ok(Cases { cells, scalar })
    }

    /// The cells at those offsets, of globals or of each process that may be meant.
    fn cells_at(
        &self,
        under: &Bdd,
        root: &Root,
        homes: Vec<(Bdd, Option<usize>)>,
        offsets: &Offsets,
    ) -> Made<Vec<(Bdd, Option<CellId>)>> {
        let layout = self.context.layout;
        if matches!(root, Root::Global(_)) {
            let cells = offsets.iter();
            let cells = cells.map(|(condition, at)| (condition.clone(), Some(layout.global(*at))));
            return Ok(cells.collect());
        }
        let mut cells = Vec::new();
        for (is_meant, home) in homes {
            let Some(process) = home else {
                cells.push((is_meant, None));
                continue;
            };
            for (condition, at) in offsets {
                let condition = condition.and(&is_meant)?;
                if condition.and(under)?.satisfiable() {
                    cells.push((condition, Some(layout.local(process, *at))));
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
        process: &Expr,
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

    /// Where a path may lead to, and the type that is there.
    fn offsets(
        &mut self,
        path: &Path,
        under: &Bdd,
        mut offsets: Offsets,
        ty: &Type,
        way: &[Projection],
    ) -> Made<(Offsets, Scalar)> {
        let model = self.context.model;
        let mut ty = ty;
        for projection in way {
            match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    let fields = &model.record(*id).fields;
                    let skipped = model.cell_offset(fields, *field as usize);
                    offsets.iter_mut().for_each(|(_, at)| *at += skipped);
                    ty = &fields[*field as usize].ty;
                }
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let size = model.cells(element);
                    let positions = self.positions(path, under, index, *length)?;
                    offsets = combined(under, &offsets, &positions, size)?;
                    ty = element;
                }
                _ => unreachable!("the verifier lets paths fit their types only"),
            }
        }
        match ty {
            Type::Scalar(scalar) => Ok((offsets, *scalar)),
            _ => unreachable!("the verifier lets a path end in one cell only"),
        }
    }

    /// The elements that an index may mean; one outside of the array is a fault.
    fn positions(&mut self, path: &Path, under: &Bdd, index: &Expr, length: u32) -> Made<Offsets> {
        let d = self.d();
        let number = self.evaluate(path, under, index)?;
        let mut outside = d.yes.clone();
        let mut positions = Vec::new();
        for position in 0..length {
            let here = number.is(d, position.into())?;
            outside = here.imp_strict(&outside)?;
            if here.and(under)?.satisfiable() {
                positions.push((here, position as usize));
            }
        }
        let kind = FaultKind::IndexOutOfRange {
            index: number.as_constant(d).unwrap_or(-1),
            length,
        };
        self.fault(under, &outside, kind, index.span)?;
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
