//! The cells of states by their names, and views of states.

use crate::family::Family;
use mandala_model::state::{State, Value};
use mandala_model::types::{Scalar, Storage, Type, Variable};
use mandala_model::{Model, UncheckedModel};
use std::collections::BTreeMap;

/// What a shared cell holds if it holds a member that is left out.
pub const OTHER: Value = -1;

/// A state seen from some members. Which of two equal views it is does not depend on the order of the members.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct View {
    /// The shared cells. One that holds a member has 1 if it is one of these, [`OTHER`] if it is another one, and 0 if it holds none.
    pub shared: Vec<Value>,
    /// The cells of each member, then for each shared cell that holds a member, 1 if it holds this one. In ascending order.
    pub members: Vec<Vec<Value>>,
}

impl View {
    /// The view with those shared cells, of which those of the given numbers hold members, and with those members. What says which member is held are the last cells of each.
    pub fn of(shared: &[Value], mut members: Vec<Vec<Value>>, holders: &[usize]) -> Self {
        let mut shared = shared.to_vec();
        for (mark, holder) in holders.iter().enumerate() {
            let is_held = |member: &Vec<Value>| member[member.len() - holders.len() + mark] == 1;
            if shared[*holder] != 0 && !members.iter().any(is_held) {
                shared[*holder] = OTHER;
            }
        }
        members.sort();
        View { shared, members }
    }
}

/// A cell by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its name; that of a member has the member in its place: `cache[i].state`.
    pub name: [String; 2],
    /// How its values are shown.
    pub kind: CellKind,
}

/// How the values of a cell are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// As those of a type.
    Typed(Scalar),
    /// It holds a member.
    Holder,
    /// It is the location of a process that has so many.
    Location(Value),
}

/// What a cell of the global variables is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Shared,
    Holder,
    Member(usize),
    Nobody,
}

/// The cells of the states of a model with some members.
#[derive(Clone, Debug)]
pub struct Cells {
    owners: Vec<Owner>,
    /// For each process, which member it is, and which cells of its local variables are part of the state.
    processes: Vec<(Option<usize>, Vec<usize>)>,
    size: usize,
    /// The shared cells, in order.
    pub shared: Vec<Cell>,
    /// The cells of one member, in order.
    pub member: Vec<Cell>,
}

impl Cells {
    /// The cells of a model with so many members.
    pub fn of(model: &Model, family: &Family, size: usize) -> Self {
        let mut cells = Cells {
            owners: Vec::new(),
            processes: Vec::new(),
            size,
            shared: Vec::new(),
            member: Vec::new(),
        };
        for variable in &model.globals {
            let name = [variable.name.clone(), String::new()];
            cells.add(model, family, variable, &variable.ty, 0, (name, None));
        }
        let mut next = 0;
        for process in &model.start {
            let template = model.template(process.template);
            let member = match family {
                Family::Processes(id) if *id == process.template => {
                    next += 1;
                    Some(next - 1)
                }
                _ => None,
            };
            let name = template.display_name();
            let part = |rest: &str| match member {
                Some(_) => [format!("{name}["), format!("]{rest}")],
                None => [format!("{name}{rest}"), String::new()],
            };
            let location = Cell {
                name: part("@"),
                kind: CellKind::Location(template.locations.len() as Value),
            };
            let (mut all, mut kept, mut next_cell) = (vec![location], Vec::new(), 0);
            for local in &template.locals {
                for (at, scalar) in model.scalars(&local.ty).into_iter().enumerate() {
                    if local.storage == Storage::State {
                        kept.push(next_cell);
                        all.push(Cell {
                            name: part(&format!("::{}.{at}", local.name)),
                            kind: CellKind::Typed(scalar),
                        });
                    }
                    next_cell += 1;
                }
            }
            cells.processes.push((member, kept));
            match member {
                None => cells.shared.extend(all),
                Some(0) => cells.member.extend(all),
                Some(_) => {}
            }
        }
        name_apart(&mut cells.shared);
        name_apart(&mut cells.member);
        cells
    }

    /// Adds the cells of a part of a variable. With the name goes the member that it belongs to, if it does.
    fn add(
        &mut self,
        model: &UncheckedModel,
        family: &Family,
        holder: &Variable,
        ty: &Type,
        depth: usize,
        (name, of): ([String; 2], Option<Option<usize>>),
    ) {
        let extended = |more: &str| match of {
            Some(_) => [name[0].clone(), format!("{}{more}", name[1])],
            None => [format!("{}{more}", name[0]), String::new()],
        };
        match ty {
            Type::Scalar(scalar) => self.cell(family, *scalar, name, of),
            Type::Record(id) => {
                for field in &model.record(*id).fields {
                    let name = extended(&format!(".{}", field.name));
                    self.add(model, family, field, &field.ty, 0, (name, of));
                }
            }
            Type::Array { element, length } => {
                let index = holder.indices.get(depth);
                let by_members = index.filter(|index| family.indexes(Some(index)));
                for position in 0..*length {
                    let part = match by_members {
                        Some(index) => {
                            let member = (position + index.before).checked_sub(1);
                            let name = [format!("{}[", name[0]), "]".to_string()];
                            (name, Some(member.map(|m| m as usize)))
                        }
                        None => (extended(&format!("[{position}]")), of),
                    };
                    self.add(model, family, holder, element, depth + 1, part);
                }
            }
        }
    }

    fn cell(
        &mut self,
        family: &Family,
        scalar: Scalar,
        name: [String; 2],
        of: Option<Option<usize>>,
    ) {
        let holds = family.holds(scalar);
        let (owner, kind) = match of {
            Some(None) => (Owner::Nobody, CellKind::Typed(scalar)),
            Some(Some(member)) => (Owner::Member(member), CellKind::Typed(scalar)),
            None if holds => (Owner::Holder, CellKind::Holder),
            None => (Owner::Shared, CellKind::Typed(scalar)),
        };
        self.owners.push(owner);
        match owner {
            Owner::Shared | Owner::Holder => self.shared.push(Cell { name, kind }),
            Owner::Member(0) => self.member.push(Cell { name, kind }),
            Owner::Member(_) | Owner::Nobody => {}
        }
    }

    /// Which of the shared cells hold members.
    pub fn holders(&self) -> Vec<usize> {
        let cells = self.shared.iter().enumerate();
        let holders = cells.filter(|(_, cell)| cell.kind == CellKind::Holder);
        holders.map(|(number, _)| number).collect()
    }

    /// The state seen from those members.
    pub fn view(&self, state: &State, from: &[usize]) -> View {
        let (mut shared, mut held) = (Vec::new(), Vec::new());
        let mut members = vec![Vec::new(); self.size];
        for (owner, value) in self.owners.iter().zip(&state.globals) {
            match owner {
                Owner::Shared => shared.push(*value),
                Owner::Member(member) => members[*member].push(*value),
                Owner::Nobody => {}
                Owner::Holder => {
                    held.push(*value);
                    let seen = from.iter().any(|member| *member as Value + 1 == *value);
                    shared.push(match (*value, seen) {
                        (0, _) => 0,
                        (_, true) => 1,
                        (_, false) => OTHER,
                    });
                }
            }
        }
        for (process, (member, kept)) in state.processes.iter().zip(&self.processes) {
            let cells = match member {
                Some(member) => &mut members[*member],
                None => &mut shared,
            };
            cells.push(Value::from(process.location.0));
            cells.extend(kept.iter().map(|cell| process.locals[*cell]));
        }
        let mut seen: Vec<Vec<Value>> = from
            .iter()
            .map(|member| {
                let marks = held
                    .iter()
                    .map(|held| Value::from(*held == *member as Value + 1));
                members[*member].iter().copied().chain(marks).collect()
            })
            .collect();
        seen.sort();
        View {
            shared,
            members: seen,
        }
    }

    /// What is in elements of arrays that belong to no member, which views do not have: arrays begin with one.
    pub(crate) fn of_nobody(&self, state: &State) -> Vec<Value> {
        let cells = self.owners.iter().zip(&state.globals);
        let nobody = cells.filter(|(owner, _)| **owner == Owner::Nobody);
        nobody.map(|(_, value)| *value).collect()
    }

    /// Puts a shared part and members into a state. `shared` is that of any view of it.
    pub fn put(&self, shared: &[Value], members: &[&Vec<Value>], state: &mut State) {
        let holders = self.holders().len();
        let mut shared = shared.iter().copied();
        let mut next = vec![0; self.size];
        let mut holder = 0;
        for (owner, cell) in self.owners.iter().zip(&mut state.globals) {
            match owner {
                Owner::Shared => *cell = shared.next().unwrap_or_default(),
                Owner::Nobody => {}
                Owner::Member(member) => {
                    *cell = members[*member][next[*member]];
                    next[*member] += 1;
                }
                Owner::Holder => {
                    let mark = |m: &&Vec<Value>| m[m.len() - holders + holder] == 1;
                    let held = members.iter().position(mark);
                    *cell = match (shared.next(), held) {
                        (_, Some(held)) => held as Value + 1,
                        (Some(0) | None, None) => 0,
                        (Some(_), None) => self.size as Value + 1,
                    };
                    holder += 1;
                }
            }
        }
        for (process, (member, kept)) in state.processes.iter_mut().zip(&self.processes) {
            let mut take = || match member {
                None => shared.next().unwrap_or_default(),
                Some(member) => {
                    next[*member] += 1;
                    members[*member][next[*member] - 1]
                }
            };
            process.location.0 = u32::try_from(take()).unwrap_or_default();
            for cell in kept {
                process.locals[*cell] = take();
            }
        }
    }
}

/// Numbers the cells that have the name of an earlier one: those of several processes of one template, or of local variables in several blocks.
fn name_apart(cells: &mut [Cell]) {
    let mut known: BTreeMap<[String; 2], usize> = BTreeMap::new();
    for cell in cells {
        let count = known.entry(cell.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            cell.name[1].push_str(&format!("#{count}"));
        }
    }
}
