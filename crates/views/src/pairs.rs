//! Saturation advice: the views of two members that the states of one size have, and the statements that are executed there, whether or not the conditions hold.
//!
//! They prove nothing. If more members bring no new views and statements, it is likely that still more members do not, either.

use crate::family::Family;
use mandala_encoding::{Arrival, Coverage, Program, Sink};
use mandala_model::ids::{EdgeId, TemplateId};
use mandala_model::instantiate::rules;
use mandala_model::state::{ProcessState, State, Value};
use mandala_model::step::{Observers, Turn, Violation};
use mandala_model::template::Role;
use mandala_model::types::{ArrayIndex, Type};
use mandala_model::{Model, UncheckedModel, verify::verify};
use std::collections::{BTreeMap, HashSet};

/// How many members such a view has.
const PAIR: usize = 2;

/// What a shared cell holds if it holds a member that the view does not have.
const OTHER: Value = PAIR as Value + 1;

/// What the states of one size have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saturation {
    /// The number of views of two members, or of one if there is no second; nothing if it is not known what the family is.
    pub views: Option<u64>,
    /// The number of rules or edges that are executed.
    pub executed: u64,
    /// The number of all rules or edges.
    pub statements: u64,
}

/// The views and executed statements of all states of a model with `size` members; nothing if it has more than `most` states. A variable that holds the number of a
/// process is not renamed, so such a model has a view for each number.
pub fn saturation(
    model: &UncheckedModel,
    family: Option<&Family>,
    size: usize,
    most: usize,
) -> Option<Saturation> {
    let model = rules(verify(model.clone()).ok()?).ok()?;
    let program = Program::compile(&model, Observers::default()).ok()?;
    let layouts = family.map_or_else(Vec::new, |family| layouts(&model, family, size));
    let mut stepper = program.stepper();
    let mut sink = Collect::default();
    stepper.start(&mut sink).ok()?;
    let mut known: HashSet<(Vec<u8>, Turn)> = HashSet::new();
    let mut views: HashSet<Vec<Value>> = HashSet::new();
    while let Some((packed, turn)) = sink.open.pop() {
        if known.contains(&(packed.clone(), turn)) {
            continue;
        }
        if known.len() == most {
            return None;
        }
        let state = program.decode(&packed)?;
        views.extend(layouts.iter().map(|both| view(both, &state)));
        stepper.expand(&packed, turn, &mut sink).ok()?;
        known.insert((packed, turn));
    }
    let (executed, statements) = executed(&model, &program, stepper.coverage());
    Some(Saturation {
        views: family.map(|_| views.len() as u64),
        executed,
        statements,
    })
}

/// How many edges of processes were taken, and how many there are.
fn executed(model: &Model, program: &Program, coverage: &Coverage) -> (u64, u64) {
    let templates = (0..).map(TemplateId).zip(&model.templates);
    let processes = templates.filter(|(_, template)| template.role == Role::Process);
    let edges = processes.flat_map(|(template, code)| {
        let indices = 0..code.edges.len() as u32;
        indices.map(move |index| EdgeId { template, index })
    });
    edges.fold((0, 0), |(executed, all), edge| {
        let is_executed = coverage.edge(program, edge) > 0;
        (executed + u64::from(is_executed), all + 1)
    })
}

/// The states that were met and not looked at yet.
#[derive(Default)]
struct Collect {
    open: Vec<(Vec<u8>, Turn)>,
}

impl Sink for Collect {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, turn: Turn) {
        self.open.push((arrival.packed().to_vec(), turn));
    }

    fn violation(&mut self, _: Violation) {}
}

/// A cell of the global variables.
struct Cell {
    /// The way to it, with 0 in place of every index that is a member.
    column: Vec<u32>,
    /// The members that it belongs to, counted from 0.
    owners: Vec<usize>,
    /// Whether it holds a member.
    holds: bool,
}

/// What is seen from members in one order.
struct Layout {
    members: Vec<usize>,
    /// The cells of the global variables, and whether they hold members.
    cells: Vec<(usize, bool)>,
    /// The processes that are no members, and then the members.
    processes: Vec<usize>,
    /// How many processes there are at the start: later ones are no members.
    started: usize,
}

/// For each choice of members, what is seen in each order of them.
fn layouts(model: &Model, family: &Family, size: usize) -> Vec<Vec<Layout>> {
    let mut cells = Vec::new();
    for (number, variable) in (0..).zip(&model.globals) {
        let walk = Walk { model, family };
        let start = (vec![number], Vec::new());
        walk.cells(&variable.ty, &variable.indices, start, &mut cells);
    }
    let layout = |members: Vec<usize>| layout(model, family, &cells, members);
    if size < PAIR {
        return vec![vec![layout((0..size).collect())]];
    }
    let pairs = (0..size).flat_map(|one| (one + 1..size).map(move |other| (one, other)));
    pairs
        .map(|(one, other)| vec![layout(vec![one, other]), layout(vec![other, one])])
        .collect()
}

fn layout(model: &Model, family: &Family, cells: &[Cell], members: Vec<usize>) -> Layout {
    let place = |owner: &usize| members.iter().position(|member| member == owner);
    // In an order that does not depend on the numbers of the members.
    let mut seen = BTreeMap::new();
    for (number, cell) in cells.iter().enumerate() {
        let owners: Option<Vec<usize>> = cell.owners.iter().map(place).collect();
        if let Some(owners) = owners {
            seen.insert((&cell.column, owners), (number, cell.holds));
        }
    }
    let cells = seen.into_values().collect();
    let is_member = |place: &usize| matches!(family, Family::Processes(id) if model.start[*place].template == *id);
    let (family, mut processes): (Vec<usize>, Vec<usize>) =
        (0..model.start.len()).partition(is_member);
    processes.extend(members.iter().filter_map(|member| family.get(*member)));
    Layout {
        members,
        cells,
        processes,
        started: model.start.len(),
    }
}

/// The view of a state: the least of what is seen in each order.
fn view(orders: &[Layout], state: &State) -> Vec<Value> {
    let seen = orders.iter().map(|layout| layout.seen(state));
    seen.min().unwrap_or_default()
}

impl Layout {
    fn seen(&self, state: &State) -> Vec<Value> {
        let globals = self.cells.iter().map(|(cell, holds)| {
            let value = state.globals[*cell];
            if *holds { self.renamed(value) } else { value }
        });
        let mut seen: Vec<Value> = globals.collect();
        let started = self
            .processes
            .iter()
            .filter_map(|p| state.processes.get(*p));
        let later = state.processes.iter().skip(self.started);
        started.chain(later).for_each(|process: &ProcessState| {
            seen.push(Value::from(process.location.0));
            seen.extend(&process.locals);
        });
        seen
    }

    fn renamed(&self, value: Value) -> Value {
        let is_held = |member: &usize| *member as Value + 1 == value;
        match (value, self.members.iter().position(is_held)) {
            (0, _) => 0,
            (_, Some(place)) => place as Value + 1,
            (_, None) => OTHER,
        }
    }
}

struct Walk<'w> {
    model: &'w Model,
    family: &'w Family,
}

impl Walk<'_> {
    fn cells(
        &self,
        ty: &Type,
        indices: &[ArrayIndex],
        (column, owners): (Vec<u32>, Vec<usize>),
        cells: &mut Vec<Cell>,
    ) {
        let below = |step: u32| [&column[..], &[step]].concat();
        match ty {
            Type::Scalar(scalar) => cells.push(Cell {
                column,
                owners,
                holds: self.family.is_member(*scalar),
            }),
            Type::Record(id) => {
                for (number, field) in (0..).zip(&self.model.record(*id).fields) {
                    let start = (below(number), owners.clone());
                    self.cells(&field.ty, &field.indices, start, cells);
                }
            }
            Type::Array { element, length } => {
                let index = indices.first().filter(|i| self.family.indexes(Some(i)));
                let rest = indices.get(1..).unwrap_or(&[]);
                for position in 0..*length {
                    let start = match index {
                        // The element before the first member belongs to no member.
                        Some(index) => match (position + index.before).checked_sub(1) {
                            Some(member) => (below(0), [&owners[..], &[member as usize]].concat()),
                            None => (below(1), vec![usize::MAX]),
                        },
                        None => (below(position), owners.clone()),
                    };
                    self.cells(element, rest, start, cells);
                }
            }
        }
    }
}
