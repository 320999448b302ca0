//! Which cells of a state belong to which member of a family, and which are shared.
//!
//! A family is a domain of the certificate all permutations of which are certified. Its members are processes, with their locations and local variables, or names; both
//! may have elements of global arrays. No cell may hold a member: then a state is, up to symmetry, its shared part and how many members have which values.

use crate::refusal::Refused;
use mandala_model::ids::TemplateId;
use mandala_model::state::{State, Value};
use mandala_model::types::{Storage, Variable};
use mandala_model::{Model, source::Span};
use mandala_symmetry::sorts::{Point, Shape, Sort, Sorts};
use mandala_symmetry::{Certificate, DomainKind};

/// A set of members any two of which can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// What a person calls its members.
    pub name: String,
    /// What they are instances of, if they are processes.
    pub template: Option<TemplateId>,
    kind: DomainKind,
    members: Vec<MemberCells>,
}

/// Where the cells of a member are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct MemberCells {
    globals: Vec<usize>,
    process: Option<usize>,
}

/// A member: the number of its family, and its own in it.
pub type Member = (usize, usize);

/// A state in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// What is shared.
    pub shared: Vec<Value>,
    /// What each member of each family has.
    pub members: Vec<Vec<Vec<Value>>>,
}

/// The parts of the states of a model.
#[derive(Clone, Debug)]
pub struct Parts {
    families: Vec<Family>,
    /// For each cell of the global variables, whose it is.
    owners: Vec<Option<Member>>,
    /// For each process, which member it is.
    processes: Vec<Option<Member>>,
    /// A state with all processes and channels.
    pattern: State,
    /// For each channel, how many values a message has.
    widths: Vec<usize>,
}

impl Family {
    /// How many members there are.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// The number of the process that a member is, if it is one.
    pub fn process(&self, member: usize) -> Option<u32> {
        self.members[member].process.map(|process| process as u32)
    }
}

impl Parts {
    /// The parts of the states of a model that have the processes and channels of `pattern`.
    ///
    /// # Errors
    ///
    /// If a cell holds a member or belongs to two, or if not all permutations of what can be exchanged are certified in that state.
    pub fn of(
        model: &Model,
        certificate: Option<&Certificate>,
        pattern: &State,
    ) -> Result<Self, Refused> {
        let certificate =
            certificate.ok_or_else(|| Refused::whole("nothing in the model is interchangeable"))?;
        require_whole_families(model, certificate, pattern)?;
        let families = certificate.domains().iter();
        let mut parts = Parts {
            families: families.map(|d| family(model, &d.kind)).collect(),
            owners: Vec::new(),
            processes: vec![None; pattern.processes.len()],
            pattern: pattern.clone(),
            widths: {
                let kinds = pattern.channels.iter().map(|channel| channel.kind);
                let width = |kind: mandala_model::ids::ChannelKindId| {
                    model.channel_kinds[kind.index()].fields.len()
                };
                kinds.map(width).collect()
            },
        };
        let sorts = certificate.sorts();
        parts.find_globals(model, sorts)?;
        parts.find_processes(model, sorts)?;
        parts.require_plain_messages(model, sorts)?;
        parts.note_cells();
        Ok(parts)
    }

    /// The families.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Whose a cell of the global variables is.
    pub fn owner(&self, cell: usize) -> Option<Member> {
        self.owners[cell]
    }

    /// Which member a process is.
    pub fn member_of_process(&self, process: u32) -> Option<Member> {
        self.processes.get(process as usize).copied().flatten()
    }

    /// The processes that are no members.
    pub fn single_processes(&self) -> impl Iterator<Item = u32> {
        let processes = (0..).zip(&self.processes);
        processes.filter_map(|(number, member)| member.is_none().then_some(number))
    }

    /// The member that a value of that sort is, if it is one.
    pub fn member_of(&self, sorts: &Sorts, sort: Sort, value: Value) -> Option<Member> {
        let point = sorts.point(sort, value)?;
        let families = self.families.iter().enumerate();
        let mut found = families.filter_map(|(number, family)| {
            let member = match (&family.kind, point) {
                (DomainKind::Processes { numbers, .. }, Point::Process(process)) => {
                    numbers.iter().position(|other| *other == process)?
                }
                (
                    DomainKind::Names {
                        set, start, size, ..
                    },
                    Point::Name(of, place),
                ) if *set == of => {
                    let member = place.checked_sub(*start)?;
                    (member < *size).then_some(member as usize)?
                }
                _ => return None,
            };
            Some((number, member))
        });
        found.next()
    }

    /// Whether values of that sort may be members.
    pub fn may_be_member(&self, sort: Sort) -> bool {
        self.families
            .iter()
            .any(|family| match (&family.kind, sort) {
                (DomainKind::Processes { .. }, Sort::Process(_)) => true,
                (DomainKind::Names { set, .. }, Sort::Name(of, _)) => *set == of,
                _ => false,
            })
    }

    /// The parts of a state; nothing if it has other processes or channels.
    pub fn split(&self, state: &State) -> Option<Split> {
        let pattern = &self.pattern;
        let is_alike = state.processes.len() == pattern.processes.len()
            && state.channels.len() == pattern.channels.len()
            && state.globals.len() == self.owners.len();
        if !is_alike {
            return None;
        }
        let unowned = state.globals.iter().zip(&self.owners);
        let mut shared: Vec<Value> = unowned
            .filter_map(|(value, owner)| owner.is_none().then_some(*value))
            .collect();
        for process in self.single_processes() {
            let process = &state.processes[process as usize];
            shared.push(process.location.0.into());
            shared.extend(&process.locals);
        }
        for channel in &state.channels {
            shared.push(channel.messages.len() as Value);
            channel.messages.iter().for_each(|m| shared.extend(m));
        }
        let cells = |cells: &MemberCells| {
            let mut values: Vec<Value> = cells.globals.iter().map(|c| state.globals[*c]).collect();
            if let Some(process) = cells.process.map(|number| &state.processes[number]) {
                values.push(process.location.0.into());
                values.extend(&process.locals);
            }
            values
        };
        let of_family = |family: &Family| family.members.iter().map(cells).collect();
        Some(Split {
            shared,
            members: self.families.iter().map(of_family).collect(),
        })
    }

    /// The state that has those parts. A member of whom nothing is said has what it has in the pattern.
    pub fn join<'v>(
        &self,
        shared: &[Value],
        members: impl IntoIterator<Item = (Member, &'v [Value])>,
    ) -> State {
        let mut state = self.pattern.clone();
        let mut shared = shared.iter().copied();
        let mut next = || shared.next().unwrap_or_default();
        for (cell, owner) in state.globals.iter_mut().zip(&self.owners) {
            if owner.is_none() {
                *cell = next();
            }
        }
        for number in self.single_processes() {
            let process = &mut state.processes[number as usize];
            process.location.0 = next() as u32;
            process.locals.iter_mut().for_each(|cell| *cell = next());
        }
        for (channel, width) in state.channels.iter_mut().zip(&self.widths) {
            let messages = next();
            let message = |_| (0..*width).map(|_| next()).collect();
            channel.messages = (0..messages).map(message).collect();
        }
        for ((family, member), values) in members {
            let cells = &self.families[family].members[member];
            let (globals, own) = values.split_at(cells.globals.len());
            for (cell, value) in cells.globals.iter().zip(globals) {
                state.globals[*cell] = *value;
            }
            if let (Some(process), Some((location, locals))) = (cells.process, own.split_first()) {
                let process = &mut state.processes[process];
                process.location.0 = *location as u32;
                process.locals.copy_from_slice(locals);
            }
        }
        state
    }

    /// The same with no more processes than it takes to have the first member of each family. Nobody may ask how many there are.
    pub(crate) fn shortened(&self) -> Parts {
        let firsts = self.families.iter().filter_map(|family| family.process(0));
        let needed = firsts.chain(self.single_processes()).max();
        let mut short = self.clone();
        let length = needed.map_or(0, |last| last as usize + 1);
        short.pattern.processes.truncate(length);
        short.processes.truncate(length);
        for family in &mut short.families {
            let is_there = |cells: &MemberCells| cells.process.is_none_or(|p| p < length);
            family.members.retain(is_there);
        }
        short
    }

    /// What the values of the shared part are called, without what channels hold.
    pub(crate) fn shared_names(&self, model: &Model) -> Vec<String> {
        let globals = names(model, &model.globals).into_iter().zip(&self.owners);
        let globals = globals.filter_map(|(name, owner)| owner.is_none().then_some(name));
        let processes = self.single_processes().flat_map(|number| {
            let template = self.pattern.processes[number as usize].template;
            let template = model.template(template);
            let name = format!("{}{number}", template.display_name());
            let locals = names(model, &template.locals);
            let locals: Vec<String> = locals
                .iter()
                .map(|local| format!("{name}_{local}"))
                .collect();
            std::iter::once(format!("{name}_at")).chain(locals)
        });
        globals.chain(processes).collect()
    }

    /// What the values of a member are called that are elements of global arrays, and those that are local variables.
    pub(crate) fn names_of_member(
        &self,
        model: &Model,
        (family, member): Member,
    ) -> (Vec<String>, Vec<String>) {
        let family = &self.families[family];
        let globals = names(model, &model.globals);
        let cells = family.members[member].globals.iter();
        let template = family.template.map(|template| model.template(template));
        (
            cells.map(|cell| globals[*cell].clone()).collect(),
            template.map_or_else(Vec::new, |template| names(model, &template.locals)),
        )
    }

    fn find_globals(&mut self, model: &Model, sorts: &Sorts) -> Result<(), Refused> {
        for (number, variable) in model.globals.iter().enumerate() {
            let mut rows = sorts.rows.iter();
            let owner = rows.find_map(|row| {
                let mut variables = row.variables.iter();
                let place = variables.position(|other| other.index() == number)?;
                self.member_of(sorts, row.index, row.first + place as Value)
            });
            let shape = &sorts.classes.globals[number];
            let mut owners = std::mem::take(&mut self.owners);
            let walk = Walk {
                parts: self,
                sorts,
                variable,
            };
            walk.cells(shape, owner, &mut owners)?;
            self.owners = owners;
        }
        Ok(())
    }

    fn find_processes(&mut self, model: &Model, sorts: &Sorts) -> Result<(), Refused> {
        for number in 0..self.pattern.processes.len() {
            let point = Sort::Process(0);
            let member = self.member_of(sorts, point, number as Value);
            let template = self.pattern.processes[number].template;
            let member =
                member.filter(|(family, _)| self.families[*family].template == Some(template));
            self.processes[number] = member;
            let shapes = &sorts.classes.locals[template.index()];
            let locals = model.template(template).locals.iter();
            for (variable, shape) in locals.zip(shapes) {
                let walk = Walk {
                    parts: self,
                    sorts,
                    variable,
                };
                let mut owners = Vec::new();
                walk.cells(shape, member, &mut owners)?;
                if member.is_none() && owners.iter().any(Option::is_some) {
                    return Err(walk.refused("has a value for each member"));
                }
            }
        }
        for channel in &self.pattern.channels {
            let owner = channel
                .owner
                .and_then(|owner| self.processes[owner as usize]);
            if let Some((family, _)) = owner {
                let span = model.channel_kinds[channel.kind.index()].span;
                let name = &self.families[family].name;
                return Err(Refused::at(
                    span,
                    format!("each {name} has a channel of its own"),
                ));
            }
        }
        Ok(())
    }

    fn require_plain_messages(&self, model: &Model, sorts: &Sorts) -> Result<(), Refused> {
        for (kind, fields) in model.channel_kinds.iter().zip(&sorts.classes.fields) {
            if fields.iter().any(|sort| self.may_be_member(*sort)) {
                return Err(Refused::at(kind.span, "messages hold members"));
            }
        }
        Ok(())
    }

    fn note_cells(&mut self) {
        for (cell, owner) in self.owners.iter().enumerate() {
            if let Some((family, member)) = *owner {
                self.families[family].members[member].globals.push(cell);
            }
        }
        for (number, owner) in self.processes.iter().enumerate() {
            if let Some((family, member)) = *owner {
                self.families[family].members[member].process = Some(number);
            }
        }
    }
}

/// What the cells of some variables are called: by letters, digits and underscores.
fn names(model: &Model, variables: &[Variable]) -> Vec<String> {
    let cells = variables.iter().flat_map(|variable| {
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = variable.name.chars().map(word).collect();
        let count = model.cells(&variable.ty);
        (0..count).map(move |cell| match count {
            1 => name.clone(),
            _ => format!("{name}_{cell}"),
        })
    });
    cells.collect()
}

fn family(model: &Model, kind: &DomainKind) -> Family {
    let (name, template) = match kind {
        DomainKind::Processes { template, .. } => (
            model.template(*template).display_name().to_owned(),
            Some(*template),
        ),
        DomainKind::Names { label, .. } => (label.clone(), None),
    };
    Family {
        name,
        template,
        members: vec![MemberCells::default(); kind.size()],
        kind: kind.clone(),
    }
}

/// All permutations of what can be exchanged must be certified from the first state on.
fn require_whole_families(
    model: &Model,
    certificate: &Certificate,
    pattern: &State,
) -> Result<(), Refused> {
    if model.prioritised {
        return Err(Refused::whole("processes have priorities"));
    }
    if model.tracks_last_mover {
        return Err(Refused::whole("steps ask who has moved last"));
    }
    if let Some(set) = model.scalarsets.iter().find(|set| set.unordered) {
        let what = format!("`{}` is a multiset, whose elements have no order", set.name);
        return Err(Refused::at(set.span, what));
    }
    for (number, domain) in certificate.domains().iter().enumerate() {
        let name = family(model, &domain.kind).name;
        if !certificate.is_full(number) {
            let what = format!("not every permutation of `{name}` is a symmetry");
            return Err(Refused::whole(what));
        }
        if !domain.is_settled(pattern) {
            let what = format!("members of `{name}` are not interchangeable from the start on");
            return Err(Refused::whole(what));
        }
        if let DomainKind::Processes { numbers, template } = &domain.kind {
            let is_there = |number: &u32| {
                let process = pattern.processes.get(*number as usize);
                process.is_some_and(|process| process.template == *template)
            };
            if !numbers.iter().all(is_there) {
                let what = format!("not every `{name}` is there from the start on");
                return Err(Refused::whole(what));
            }
        }
    }
    match certificate.renamings().is_empty() {
        true => Ok(()),
        false => Err(Refused::whole(
            "there are symmetries that do not exchange members of one family at will",
        )),
    }
}

/// A walk through the cells of a variable.
struct Walk<'w> {
    parts: &'w Parts,
    sorts: &'w Sorts,
    variable: &'w Variable,
}

impl Walk<'_> {
    fn refused(&self, why: &str) -> Refused {
        let span: Span = self.variable.span;
        Refused::at(span, format!("`{}` {why}", self.variable.name))
    }

    fn cells(
        &self,
        shape: &Shape<Sort>,
        owner: Option<Member>,
        owners: &mut Vec<Option<Member>>,
    ) -> Result<(), Refused> {
        match shape {
            Shape::Cell(sort, _) => {
                let is_kept = self.variable.storage == Storage::State;
                if is_kept && self.parts.may_be_member(*sort) {
                    return Err(self.refused("holds a member"));
                }
                if owner.is_some() && matches!(sort, Sort::Channel(_)) {
                    return Err(self.refused("is a channel for each member"));
                }
                owners.push(owner);
                Ok(())
            }
            Shape::Record(fields) => {
                let mut fields = fields.iter();
                fields.try_for_each(|field| self.cells(field, owner, owners))
            }
            Shape::Array {
                index,
                element,
                length,
            } => (0..*length).try_for_each(|position| {
                let belongs = self
                    .parts
                    .member_of(self.sorts, *index, Value::from(position));
                match (owner, belongs) {
                    (Some(_), Some(_)) => Err(self.refused("has a value for each pair of members")),
                    _ => self.cells(element, owner.or(belongs), owners),
                }
            }),
        }
    }
}
