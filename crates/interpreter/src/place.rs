//! Cells: which one a place is, what it holds, and what an assignment leaves in it.

use crate::evaluate::fault;
use crate::frame::Home;
use crate::view::View;
use mandala_model::State;
use mandala_model::expr::{Expr, Place, Projection, Root};
use mandala_model::ids::{LocalId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::{ProcessState, Value};
use mandala_model::step::{Fault, FaultKind};
use mandala_model::types::{Scalar, Type};

/// One cell of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub home: Home,
    pub index: usize,
    pub scalar: Scalar,
}

impl View<'_> {
    /// Where the locals of the viewer are.
    pub(crate) fn own_home(&self) -> Home {
        self.viewer.map_or(Home::Claim, Home::Process)
    }

    /// What a cell holds.
    pub(crate) fn read(&self, cell: &Cell) -> Value {
        match cell.home {
            Home::Globals => self.state.globals[cell.index],
            Home::Process(p) => self.state.processes[p as usize].locals[cell.index],
            Home::Claim => claim(self.state).locals[cell.index],
            Home::Priority(p) => Value::from(self.state.processes[p as usize].priority),
            Home::Missing => 0,
            Home::Frame(level) => self.frames[level].cells[cell.index],
        }
    }

    /// Which cell a place is.
    pub(crate) fn cell(&self, place: &Place) -> Result<Cell, Fault> {
        if place.root == Root::OwnPriority {
            return Ok(self.own_priority());
        }
        let (home, index, ty) = self.part(place)?;
        let Type::Scalar(scalar) = ty else {
            unreachable!("the verifier lets a path end in one cell only");
        };
        Ok(Cell {
            home,
            index,
            scalar: *scalar,
        })
    }

    /// The cells that a place is, which may be many.
    pub(crate) fn all_cells(&self, place: &Place) -> Result<Vec<Cell>, Fault> {
        let (home, first, ty) = self.part(place)?;
        let scalars = self.model.scalars(ty).into_iter().enumerate();
        let cell = |(offset, scalar)| Cell {
            home,
            index: first + offset,
            scalar,
        };
        Ok(scalars.map(cell).collect())
    }

    /// The variable that a place is in: whose it is, its first cell, and its type.
    pub(crate) fn root(&self, place: &Place) -> Result<(Home, usize, &Type), Fault> {
        match &place.root {
            Root::Global(id) => {
                let first = self.model.first_cell_of_global(*id);
                Ok((Home::Globals, first, &self.model.global(*id).ty))
            }
            Root::Local(id) => Ok(self.own_local(*id)),
            Root::Reference(number) => {
                let passed = &self.frames[self.frames.len() - 1].references[*number as usize];
                Ok((passed.home, passed.first, &passed.ty))
            }
            Root::Remote {
                template,
                process,
                local,
            } => {
                let home = self.remote(*template, process, place.span)?;
                Ok(self.local(home, *template, *local))
            }
            Root::OwnPriority => unreachable!("a priority has no cells"),
        }
    }

    /// The part of its variable that the root of a place is: that which was passed.
    pub(crate) fn begun(&self, root: &Root) -> &[Projection] {
        match (root, self.frames.last()) {
            (Root::Reference(number), Some(frame)) => &frame.references[*number as usize].path,
            _ => &[],
        }
    }

    /// A local variable of the call, or of the viewer.
    fn own_local(&self, id: LocalId) -> (Home, usize, &Type) {
        match self.frames.last() {
            Some(frame) => {
                let first = self.model.first_cell_in_frame(frame.function, id);
                let variable = &self.model.function(frame.function).locals[id.index()];
                (Home::Frame(self.frames.len() - 1), first, &variable.ty)
            }
            None => self.local(self.own_home(), self.own_template(), id),
        }
    }

    fn own_priority(&self) -> Cell {
        Cell {
            home: Home::Priority(self.viewer.unwrap_or(0)),
            index: 0,
            scalar: Scalar::Process,
        }
    }

    fn own_template(&self) -> TemplateId {
        match self.viewer {
            Some(p) => self.state.processes[p as usize].template,
            None => claim(self.state).template,
        }
    }

    /// A local variable of a process or claim.
    fn local(&self, home: Home, template: TemplateId, local: LocalId) -> (Home, usize, &Type) {
        let first = self.model.first_cell_of_local(template, local);
        let variable = &self.model.template(template).locals[local.index()];
        (home, first, &variable.ty)
    }

    fn remote(&self, template: TemplateId, process: &Expr, span: Span) -> Result<Home, Fault> {
        let number = self.evaluate(process)?;
        match self.process(number) {
            Some(other) if other.template == template => Ok(Home::Process(number as u32)),
            Some(_) => Err(fault(FaultKind::NoSuchProcess, span)),
            None => Ok(Home::Missing),
        }
    }

    /// The first cell of what is at a place, and the type of that.
    fn part(&self, place: &Place) -> Result<(Home, usize, &Type), Fault> {
        let (home, mut offset, mut ty) = self.root(place)?;
        for projection in self.begun(&place.root).iter().chain(&place.path) {
            let (cells, part) = self.project(ty, projection)?;
            offset += cells;
            ty = part;
        }
        Ok((home, offset, ty))
    }

    /// One projection: how many cells it skips, and the type that it leads to.
    fn project<'t>(
        &'t self,
        ty: &'t Type,
        projection: &Projection,
    ) -> Result<(usize, &'t Type), Fault> {
        match (ty, projection) {
            (Type::Record(id), Projection::Field(field)) => {
                let fields = &self.model.record(*id).fields;
                let field = *field as usize;
                Ok((self.model.cell_offset(fields, field), &fields[field].ty))
            }
            (Type::Array { element, length }, Projection::Index(expr)) => {
                let index = self.element(expr, *length)?;
                Ok((index * self.model.cells(element), element))
            }
            _ => unreachable!("the verifier lets paths fit their types only"),
        }
    }

    fn element(&self, expr: &Expr, length: u32) -> Result<usize, Fault> {
        let index = self.evaluate(expr)?;
        if (0..Value::from(length)).contains(&index) {
            Ok(index as usize)
        } else {
            Err(fault(
                FaultKind::IndexOutOfRange { index, length },
                expr.span,
            ))
        }
    }
}

/// Puts a value into a cell, as its type keeps it.
pub(crate) fn write(state: &mut State, cell: &Cell, value: Value, span: Span) -> Result<(), Fault> {
    let kept = stored(cell.scalar, value, span)?;
    match cell.home {
        Home::Missing => return Err(fault(FaultKind::NoSuchProcess, span)),
        Home::Priority(p) => state.processes[p as usize].priority = priority(value, span)?,
        home => cells_of(state, home)[cell.index] = kept,
    }
    Ok(())
}

/// The cells of the variables of a home that has some.
pub(crate) fn cells_of(state: &mut State, home: Home) -> &mut Vec<Value> {
    match (home, &mut state.claim) {
        (Home::Globals, _) => &mut state.globals,
        (Home::Process(p), _) => &mut state.processes[p as usize].locals,
        (Home::Claim, Some(claim)) => &mut claim.locals,
        _ => unreachable!("only what exists has variables of its own"),
    }
}

/// What a cell or a message field of that type holds after the value is put into it.
pub(crate) fn stored(scalar: Scalar, value: Value, span: Span) -> Result<Value, Fault> {
    let kept = scalar.store(value);
    kept.ok_or_else(|| fault(FaultKind::ValueOutOfRange { value }, span))
}

/// A number as a priority.
pub(crate) fn priority(value: Value, span: Span) -> Result<u8, Fault> {
    match u8::try_from(value) {
        Ok(priority) if priority > 0 => Ok(priority),
        _ => Err(fault(FaultKind::BadPriority { value }, span)),
    }
}

fn claim(state: &State) -> &ProcessState {
    match &state.claim {
        Some(claim) => claim,
        None => unreachable!("the verifier lets claims and processes have locals only"),
    }
}
