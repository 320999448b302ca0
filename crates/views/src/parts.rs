//! States in parts: what is shared, and what belongs to each member.
//!
//! A shared cell that holds a member is in the shared part only as far as it holds one at all. Which one is written down with the members: each has a mark
//! for each such cell. So leaving members out of a state leaves the parts of the others as they are, and a cell whose mark no member has holds one that is left out.

use crate::family::Family;
use mandala_model::Model;
use mandala_model::ids::TemplateId;
use mandala_model::state::{State, Value};
use mandala_model::types::{ArrayIndex, Storage, Type};

/// The shared part of a state.
pub type Shared = Box<[Value]>;

/// What belongs to one member.
pub type Member = Box<[Value]>;

/// A state in parts. The members are in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Split {
    /// What is shared.
    pub shared: Shared,
    /// What belongs to each member.
    pub members: Vec<Member>,
}

/// What a cell of the global variables is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is shared.
    Shared,
    /// It is shared and holds a member.
    Holder,
    /// It belongs to that member, counted from 0.
    Of(usize),
    /// It is an element of an array that belongs to nobody: members are numbered from 1.
    Unused,
}

/// Which part each cell of a model belongs to.
#[derive(Clone, Debug)]
pub struct Parts {
    roles: Vec<Role>,
    processes: Vec<Process>,
    holders: usize,
    size: usize,
}

/// A process of a state.
#[derive(Clone, Debug)]
struct Process {
    /// Which member it is, if it is one.
    member: Option<usize>,
    /// Those cells of its local variables that hold something between steps.
    locals: Vec<usize>,
}

impl Parts {
    /// The parts of a model with so many members.
    pub fn of(model: &Model, family: &Family, size: usize) -> Self {
        let mut roles = Vec::new();
        for variable in &model.globals {
            let mut walk = Walk {
                model,
                family,
                roles: &mut roles,
            };
            walk.cells(&variable.ty, &variable.indices, None);
        }
        let mut next = 0;
        let process = |process: &mandala_model::model::StartProcess| Process {
            member: match family {
                Family::Processes(template) if process.template == *template => {
                    next += 1;
                    Some(next - 1)
                }
                _ => None,
            },
            locals: kept_locals(model, process.template),
        };
        let processes = model.start.iter().map(process).collect();
        Parts {
            holders: roles.iter().filter(|r| **r == Role::Holder).count(),
            roles,
            processes,
            size,
        }
    }

    /// How many shared cells hold members: as many marks a member has.
    pub fn holders(&self) -> usize {
        self.holders
    }

    /// What each cell of the global variables is.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The parts of a state.
    pub fn split(&self, state: &State) -> Split {
        let mut shared = Vec::new();
        let mut members = vec![Vec::new(); self.size];
        let mut marks = vec![vec![0; self.holders]; self.size];
        let mut holder = 0;
        for (role, value) in self.roles.iter().zip(&state.globals) {
            match role {
                Role::Shared => shared.push(*value),
                Role::Of(member) => members[*member].push(*value),
                Role::Unused => {}
                Role::Holder => {
                    shared.push(i64::from(*value != 0));
                    let held = usize::try_from(*value - 1).ok();
                    if let Some(marks) = held.and_then(|held| marks.get_mut(held)) {
                        marks[holder] = 1;
                    }
                    holder += 1;
                }
            }
        }
        for (process, known) in state.processes.iter().zip(&self.processes) {
            let part = match known.member {
                Some(member) => &mut members[member],
                None => &mut shared,
            };
            part.push(i64::from(process.location.0));
            part.extend(known.locals.iter().map(|cell| process.locals[*cell]));
        }
        let joined = members.into_iter().zip(marks);
        let joined = joined.map(|(mut cells, marks)| {
            cells.extend(marks);
            cells.into_boxed_slice()
        });
        Split {
            shared: shared.into_boxed_slice(),
            members: joined.collect(),
        }
    }

    /// The state that has those parts, put into the cells of another one. A cell whose member is left out gets the number behind the last one.
    pub fn join(&self, shared: &[Value], members: &[&[Value]], state: &mut State) {
        let outside = self.size as Value + 1;
        let mut shared = shared.iter();
        let mut next = vec![0; self.size];
        let mut holder = 0;
        for (role, cell) in self.roles.iter().zip(&mut state.globals) {
            match role {
                Role::Shared => *cell = shared.next().copied().unwrap_or(0),
                Role::Of(member) => {
                    *cell = members[*member][next[*member]];
                    next[*member] += 1;
                }
                Role::Unused => {}
                Role::Holder => {
                    let mark = |member: &&[Value]| member[member.len() - self.holders + holder];
                    let held = members.iter().position(|member| mark(member) != 0);
                    *cell = match (shared.next(), held) {
                        (Some(0) | None, _) => 0,
                        (Some(_), Some(held)) => held as Value + 1,
                        (Some(_), None) => outside,
                    };
                    holder += 1;
                }
            }
        }
        for (process, known) in state.processes.iter_mut().zip(&self.processes) {
            let mut take = || match known.member {
                Some(member) => {
                    next[member] += 1;
                    members[member][next[member] - 1]
                }
                None => shared.next().copied().unwrap_or(0),
            };
            process.location.0 = take() as u32;
            for cell in &known.locals {
                process.locals[*cell] = take();
            }
        }
    }

    /// Whether no two members have the same mark.
    pub fn is_possible(&self, members: &[&[Value]]) -> bool {
        (0..self.holders).all(|mark| {
            let marked = members
                .iter()
                .filter(|m| m[m.len() - self.holders + mark] != 0);
            marked.count() <= 1
        })
    }
}

/// The cells of the local variables of a template that are part of the state.
fn kept_locals(model: &Model, template: TemplateId) -> Vec<usize> {
    let locals = &model.template(template).locals;
    let starts = model.first_cells(locals);
    let kept = locals.iter().zip(starts);
    let kept = kept.filter(|(local, _)| local.storage == Storage::State);
    kept.flat_map(|(local, start)| start..start + model.cells(&local.ty))
        .collect()
}

struct Walk<'w> {
    model: &'w Model,
    family: &'w Family,
    roles: &'w mut Vec<Role>,
}

impl Walk<'_> {
    fn cells(&mut self, ty: &Type, indices: &[ArrayIndex], of: Option<Role>) {
        match ty {
            Type::Scalar(scalar) => self.roles.push(match of {
                Some(role) => role,
                None if self.family.is_member(*scalar) => Role::Holder,
                None => Role::Shared,
            }),
            Type::Record(id) => {
                let model = self.model;
                for field in &model.record(*id).fields {
                    self.cells(&field.ty, &field.indices, of);
                }
            }
            Type::Array { element, length } => {
                let index = indices.first().filter(|i| self.family.indexes(Some(i)));
                let rest = indices.get(1..).unwrap_or(&[]);
                for position in 0..*length {
                    let of = match index {
                        Some(index) => Some(match (position + index.before) as usize {
                            0 => Role::Unused,
                            value => Role::Of(value - 1),
                        }),
                        None => of,
                    };
                    self.cells(element, rest, of);
                }
            }
        }
    }
}
