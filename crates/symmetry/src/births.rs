//! The first values of variables, as terms.

use crate::breach::Breach;
use crate::execute::Executor;
use crate::term::{Cell, Home, Part, Tag, Term};
use mandala_model::expr::Expr;
use mandala_model::ids::{ChannelKindId, GlobalId, LocalId};
use mandala_model::source::Span;
use mandala_model::types::{Initial, Type, Variable};

/// What a cell holds at first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum First {
    Value(Term),
    /// A new channel.
    Channel(ChannelKindId),
}

/// A cell, what it holds at first, and where that is said.
#[derive(Clone, Debug)]
pub(crate) struct FirstValue {
    pub cell: Cell,
    pub first: First,
    pub span: Span,
}

/// What the global variables hold at first.
pub(crate) fn of_globals(executor: &Executor<'_>) -> Result<Vec<FirstValue>, Breach> {
    let mut values = Vec::new();
    for (index, variable) in executor.model.globals.iter().enumerate() {
        let home = Home::Global(GlobalId::from(index));
        variable_values(executor, home, Vec::new(), variable, &mut values)?;
    }
    Ok(values)
}

/// What the local variables of the executor's template hold at first, without the parameters.
pub(crate) fn of_locals(executor: &Executor<'_>) -> Result<Vec<FirstValue>, Breach> {
    let mut values = Vec::new();
    let template = executor.template;
    let locals = template.locals.iter().enumerate();
    for (index, variable) in locals.skip(template.parameters as usize) {
        let home = Home::Own(LocalId::from(index));
        variable_values(executor, home, Vec::new(), variable, &mut values)?;
    }
    Ok(values)
}

/// The cell of a local variable that has only one.
pub(crate) fn scalar_local(id: LocalId, variable: &Variable) -> Option<Cell> {
    let Type::Scalar(scalar) = &variable.ty else {
        return None;
    };
    Some(Cell {
        home: Home::Own(id),
        path: Vec::new(),
        scalar: Tag(*scalar),
        lasting: false,
    })
}

fn variable_values(
    executor: &Executor<'_>,
    home: Home,
    path: Vec<Part>,
    variable: &Variable,
    values: &mut Vec<FirstValue>,
) -> Result<(), Breach> {
    match &variable.ty {
        Type::Record(id) => {
            for (field, inner) in (0..).zip(&executor.model.record(*id).fields) {
                let path = extended(&path, Part::Field(field));
                variable_values(executor, home.clone(), path, inner, values)?;
            }
        }
        Type::Array { element, length } => {
            for index in 0..*length {
                let part = Part::Index(Term::Const(i64::from(index)), *length);
                let inner = Variable {
                    ty: (**element).clone(),
                    initial: element_initial(&variable.initial, index as usize),
                    ..variable.clone()
                };
                let path = extended(&path, part);
                variable_values(executor, home.clone(), path, &inner, values)?;
            }
        }
        Type::Scalar(scalar) => {
            let cell = Cell {
                home,
                path,
                scalar: Tag(*scalar),
                lasting: false,
            };
            values.push(cell_value(executor, cell, variable)?);
        }
    }
    Ok(())
}

fn cell_value(
    executor: &Executor<'_>,
    cell: Cell,
    variable: &Variable,
) -> Result<FirstValue, Breach> {
    let (first, span) = match &variable.initial {
        Initial::Default => (First::Value(Term::Const(0)), variable.span),
        Initial::NewChannel(kind) => (First::Channel(*kind), variable.span),
        Initial::Fill(value) => (First::Value(stored(executor, &cell, value)?), value.span),
        // A scalar has no list of its own: the element of an array got its value already.
        Initial::List(list) => {
            let value = &list[0];
            (First::Value(stored(executor, &cell, value)?), value.span)
        }
    };
    Ok(FirstValue { cell, first, span })
}

/// What an element of an array starts with. (A list is only given to arrays of one dimension.)
fn element_initial(initial: &Initial, index: usize) -> Initial {
    match initial {
        Initial::List(list) => Initial::Fill(list[index.min(list.len() - 1)].clone()),
        other => other.clone(),
    }
}

fn stored(executor: &Executor<'_>, cell: &Cell, value: &Expr) -> Result<Term, Breach> {
    let term = executor.alone(value)?;
    Ok(executor.algebra.store(cell.scalar.0, term))
}

fn extended(path: &[Part], part: Part) -> Vec<Part> {
    let mut longer = path.to_vec();
    longer.push(part);
    longer
}
