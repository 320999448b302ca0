//! Names for people: processes, values, channels, and what a step has changed.
//!
//! A process is called by its template and its number, `user(2)`; its variables are `user(2):k`. A
//! channel is called by the variable that it was made for, whatever variable refers to it.

mod changes;

use crate::Interpreter;
use crate::frame::Home;
use crate::view::View;
use mandala_model::State;
use mandala_model::expr::{ChannelQuery, Expr, ExprKind, Place};
use mandala_model::ids::EdgeId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::step::{Actor, StepLabel};
use mandala_model::symmetry::{UseKind, VariableRef};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};

use changes::Comparison;
use std::ops::Range;

/// One difference between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is different: a variable `x`, `a[2].k`, `user(1):k`, a channel `q[0]`, or a whole process
    /// `user(1)`.
    pub name: String,
    /// What it was; `None` if there was no such thing.
    pub old: Option<String>,
    /// What it is; `None` if there is no such thing any more.
    pub new: Option<String>,
}

/// One half of a step, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepText {
    /// Who moves: `user(1)`, or the name of the claim.
    pub actor: String,
    /// The statement.
    pub text: String,
    /// Where the statement stands.
    pub span: Span,
}

/// One thing that can change.
struct Item {
    /// Tells it from all other things, where its name might not.
    key: Key,
    name: String,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Cell(Home, usize),
    Channel(usize),
    Process(usize),
}

impl Interpreter<'_> {
    /// The name of a process: `user(2)`.
    pub fn process_name(&self, state: &State, number: u32) -> String {
        let template = match state.processes.get(number as usize) {
            Some(process) => self.model.template(process.template).name.trim_matches(':'),
            None => "process",
        };
        format!("{template}({number})")
    }

    /// The name of whoever makes a step.
    pub fn actor_name(&self, state: &State, actor: Actor) -> String {
        match actor {
            Actor::Process(number) => self.process_name(state, number),
            Actor::Claim => match self.observers.claim {
                Some(claim) => {
                    let claim = self.model.runnable(claim);
                    self.model.template(claim).name.clone()
                }
                None => "claim".to_owned(),
            },
        }
    }

    /// A step for people, as it is taken in `state`: the half of the one who moves, and at a
    /// rendezvous that of the receiver.
    pub fn step_text(&self, state: &State, label: &StepLabel) -> (StepText, Option<StepText>) {
        let half = |actor, id: EdgeId, choice| {
            let edge = &self.model.template(id.template).edges[id.index as usize];
            StepText {
                actor: self.actor_name(state, actor),
                text: self.model.instance_text(id.template, edge, choice),
                span: edge.span,
            }
        };
        let partner = label.partner;
        (
            half(label.actor, label.edge, label.choice),
            partner.map(|(receiver, id)| half(Actor::Process(receiver), id, 0)),
        )
    }

    /// The name of the channel of that index: the variable that it was made for.
    pub fn channel_name(&self, state: &State, index: usize) -> String {
        let Some(channel) = state.channels.get(index) else {
            return format!("channel({})", index + 1);
        };
        let before = &state.channels[..index];
        let position = before.iter().filter(|c| c.owner == channel.owner).count();
        let owner = channel.owner.and_then(|p| state.processes.get(p as usize));
        let (prefix, variables) = match (channel.owner, owner) {
            (Some(number), Some(owner)) => (
                format!("{}:", self.process_name(state, number)),
                &self.model.template(owner.template).locals,
            ),
            _ => (String::new(), &self.model.globals),
        };
        match self.channel_cells(variables).get(position) {
            Some(name) => format!("{prefix}{name}"),
            None => format!("channel({})", index + 1),
        }
    }

    /// The names of the cells that channels are made for, in the order in which they are made.
    fn channel_cells(&self, variables: &[Variable]) -> Vec<String> {
        let mut names = Vec::new();
        for variable in variables {
            self.push_channel_cells(variable, variable.name.clone(), &variable.ty, &mut names);
        }
        names
    }

    fn push_channel_cells(
        &self,
        variable: &Variable,
        name: String,
        ty: &Type,
        names: &mut Vec<String>,
    ) {
        let makes_channels = matches!(variable.initial, Initial::NewChannel(_));
        match ty {
            Type::Scalar(_) if makes_channels => names.push(name),
            Type::Array { element, length } => {
                for i in 0..*length {
                    self.push_channel_cells(variable, format!("{name}[{i}]"), element, names);
                }
            }
            Type::Record(id) if variable.initial == Initial::Default => {
                for field in &self.model.record(*id).fields {
                    let name = format!("{name}.{}", field.name);
                    self.push_channel_cells(field, name, &field.ty, names);
                }
            }
            Type::Scalar(_) | Type::Record(_) => {}
        }
    }

    /// A value as a person writes it.
    pub fn value_text(&self, state: &State, scalar: Scalar, value: Value) -> String {
        match scalar {
            Scalar::Bool if value == 0 => "false".to_owned(),
            Scalar::Bool => "true".to_owned(),
            Scalar::Enum(id) => match self.model.enumeration(id).name_of(value) {
                Some(name) => name.to_owned(),
                None => value.to_string(),
            },
            Scalar::Coded { coding, .. } => self.model.coding(coding).show(value),
            Scalar::Channel if value < 1 => "none".to_owned(),
            Scalar::Channel => self.channel_name(state, value as usize - 1),
            _ => value.to_string(),
        }
    }

    /// What waits in a channel: `[]`, `[1, 2]`, `[(1, a), (2, b)]`.
    pub fn channel_text(&self, state: &State, index: usize) -> String {
        let Some(channel) = state.channels.get(index) else {
            return "gone".to_owned();
        };
        let messages = channel.messages.iter();
        let messages: Vec<_> = messages
            .map(|message| self.message_text(state, index, message))
            .collect();
        format!("[{}]", messages.join(", "))
    }

    /// What is different in `after`. Of what has just been made only that is listed which is not at
    /// rest: a variable that is not 0, a channel that is not empty. Of a process that has ended its
    /// end alone is listed.
    pub fn changes(&self, before: &State, after: &State) -> Vec<Change> {
        Comparison::new(self, before, after).changes()
    }

    /// Everything in a state that has a name, with its value, in a fixed order. A variable that
    /// refers to the channel that was made for it says nothing, and is left out, and so are places in a
    /// bag of elements that are free.
    pub fn values(&self, state: &State) -> Vec<(String, String)> {
        let free = self.free_places(state);
        let is_free = |key: Key| match key {
            Key::Cell(Home::Globals, index) => free.iter().any(|cells| cells.contains(&index)),
            _ => false,
        };
        let items = self.items(state).into_iter();
        items
            .filter(|item| !matches!(item.key, Key::Process(_)) && item.name != item.text)
            .filter(|item| !is_free(item.key))
            .map(|item| (item.name, item.text))
            .collect()
    }

    /// The variables of the claim with their values, by the names that they have in it.
    pub fn claim_values(&self, state: &State) -> Vec<(String, String)> {
        let mut items = Vec::new();
        if state.claim.is_some() {
            self.cell_items(state, Home::Claim, &mut items);
        }
        let (prefix, ..) = self.cells_at(state, Home::Claim);
        let own = |name: String| {
            name.strip_prefix(&prefix)
                .map(str::to_owned)
                .unwrap_or(name)
        };
        let items = items.into_iter();
        items.map(|item| (own(item.name), item.text)).collect()
    }

    /// The cells of those elements of unordered arrays in which everything is 0.
    fn free_places(&self, state: &State) -> Vec<Range<usize>> {
        let unordered = self.model.scalarsets.iter().filter(|set| set.unordered);
        let mut free = Vec::new();
        for used in unordered.flat_map(|set| &set.uses) {
            if let UseKind::Indexes { variable, .. } = used.kind
                && let VariableRef::Global(id) = variable
                && let Type::Array { element, length } = &self.model.globals[id.index()].ty
            {
                let first = self.model.cell_offset(&self.model.globals, id.index());
                let size = self.model.cells(element);
                let places =
                    (0..*length as usize).map(|i| first + i * size..first + (i + 1) * size);
                let is_free =
                    |cells: &Range<usize>| state.globals[cells.clone()].iter().all(|v| *v == 0);
                free.extend(places.filter(is_free));
            }
        }
        free
    }

    fn items(&self, state: &State) -> Vec<Item> {
        let mut items = Vec::new();
        self.cell_items(state, Home::Globals, &mut items);
        for index in 0..state.channels.len() {
            items.push(self.channel_item(state, index));
        }
        for number in 0..state.processes.len() {
            items.push(self.process_item(state, number));
            self.cell_items(state, Home::Process(number as u32), &mut items);
            if self.model.prioritised {
                items.push(self.priority_item(state, number));
            }
        }
        if state.claim.is_some() {
            self.cell_items(state, Home::Claim, &mut items);
        }
        items
    }

    fn channel_item(&self, state: &State, index: usize) -> Item {
        Item {
            key: Key::Channel(index),
            name: self.channel_name(state, index),
            text: self.channel_text(state, index),
        }
    }

    fn process_item(&self, state: &State, number: usize) -> Item {
        Item {
            key: Key::Process(number),
            name: self.process_name(state, number as u32),
            text: "running".to_owned(),
        }
    }

    fn priority_item(&self, state: &State, number: usize) -> Item {
        let name = self.process_name(state, number as u32);
        let priority = state.processes[number].priority;
        Item {
            key: Key::Cell(Home::Priority(number as u32), 0),
            name: format!("{name}:_priority"),
            text: priority.to_string(),
        }
    }

    fn cell_items(&self, state: &State, home: Home, items: &mut Vec<Item>) {
        let (prefix, variables, values) = self.cells_at(state, home);
        let mut index = 0;
        for variable in variables {
            let end = index + self.model.cells(&variable.ty);
            if variable.storage == Storage::State {
                items.extend((index..end).filter_map(|at| {
                    let (scalar, name) = self.model.cell_name(variable, at - index)?;
                    Some(Item {
                        key: Key::Cell(home, at),
                        name: format!("{prefix}{name}"),
                        text: self.value_text(state, scalar, values[at]),
                    })
                }));
            }
            index = end;
        }
    }

    /// The name of a cell of the variables of a home, if it is one that people see.
    pub(crate) fn name_of_cell(&self, state: &State, home: Home, index: usize) -> Option<String> {
        let (prefix, variables, _) = self.cells_at(state, home);
        let mut start = 0;
        for variable in variables {
            let end = start + self.model.cells(&variable.ty);
            if index < end {
                let (_, name) = self.model.cell_name(variable, index - start)?;
                let seen = variable.storage == Storage::State;
                return seen.then(|| format!("{prefix}{name}"));
            }
            start = end;
        }
        None
    }

    /// The variables of a home, their values, and what their names start with.
    fn cells_at<'s>(
        &'s self,
        state: &'s State,
        home: Home,
    ) -> (String, &'s [Variable], &'s [Value]) {
        let own = match home {
            Home::Globals | Home::Missing | Home::Frame(_) => None,
            Home::Process(p) | Home::Priority(p) => state.processes.get(p as usize),
            Home::Claim => state.claim.as_ref(),
        };
        let Some(own) = own else {
            return (String::new(), &self.model.globals, &state.globals);
        };
        let name = match home {
            Home::Process(p) | Home::Priority(p) => self.process_name(state, p),
            _ => self.actor_name(state, Actor::Claim),
        };
        let variables = &self.model.template(own.template).locals;
        (format!("{name}:"), variables, &own.locals)
    }

    /// The variables that an expression reads and the channels that it asks about, with what they
    /// hold: what makes a failed assertion fail. Each is listed once, in the order of the text. What depends on the variable of a quantifier has no value
    /// outside of it, and is passed over.
    pub fn readings(
        &self,
        state: &State,
        process: Option<u32>,
        expr: &Expr,
    ) -> Vec<(String, String)> {
        let view = View::new(self.model, state, process, false);
        let items = self.items(state);
        let mut readings = Vec::new();
        expr.walk(&mut |part| {
            let is_free = !part.any(|inner| matches!(inner.kind, ExprKind::Bound(_)));
            let reading = is_free.then(|| self.reading(view, &items, part)).flatten();
            if let Some(reading) = reading.filter(|r| r.0 != r.1 && !readings.contains(r)) {
                readings.push(reading);
            }
        });
        readings
    }

    /// What a place holds, also if it is in a variable that only lives inside of a step.
    pub fn held(&self, state: &State, process: Option<u32>, place: &Place) -> Option<String> {
        let view = View::new(self.model, state, process, false);
        let cell = view.cell(place).ok()?;
        let value = view.read(&cell);
        Some(self.value_text(state, cell.scalar, value))
    }

    /// Which cell of which variable a place is, and what it holds.
    pub fn cell_read(
        &self,
        state: &State,
        process: Option<u32>,
        place: &Place,
    ) -> Option<CellRead> {
        let view = View::new(self.model, state, process, false);
        let cell = view.cell(place).ok()?;
        let owner = match cell.home {
            Home::Globals => Owner::Nobody,
            Home::Process(number) => Owner::Process(number),
            Home::Claim => Owner::Claim,
            Home::Priority(_) | Home::Missing | Home::Frame(_) => return None,
        };
        let (_, variables, _) = self.cells_at(state, cell.home);
        let mut offset = cell.index;
        let variable = variables.iter().position(|variable| {
            let size = self.model.cells(&variable.ty);
            let is_inside = offset < size;
            offset -= if is_inside { 0 } else { size };
            is_inside
        })?;
        Some(CellRead {
            owner,
            variable,
            offset,
            value: view.read(&cell),
        })
    }

    fn reading(&self, view: View<'_>, items: &[Item], part: &Expr) -> Option<(String, String)> {
        match &part.kind {
            ExprKind::Read(place) => {
                let cell = view.cell(place).ok()?;
                let key = Key::Cell(cell.home, cell.index);
                let item = items.iter().find(|item| item.key == key)?;
                Some((item.name.clone(), item.text.clone()))
            }
            ExprKind::Channel(query, channel) => {
                let index = view.channel(channel).ok()?;
                let name = self.channel_name(view.state, index);
                let answer = view.evaluate(part).ok()?;
                Some((
                    format!("{}({name})", query_name(*query)),
                    answer.to_string(),
                ))
            }
            ExprKind::ProcessCount => {
                Some(("_nr_pr".to_owned(), view.evaluate(part).ok()?.to_string()))
            }
            _ => None,
        }
    }
}

/// A cell, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRead {
    /// Whose variable it is in.
    pub owner: Owner,
    /// The number of that variable among those of its owner.
    pub variable: usize,
    /// Which of its cells.
    pub offset: usize,
    /// What it holds.
    pub value: Value,
}

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A global one.
    Nobody,
    /// One of a process.
    Process(u32),
    /// One of the claim.
    Claim,
}

fn query_name(query: ChannelQuery) -> &'static str {
    match query {
        ChannelQuery::Length => "len",
        ChannelQuery::Empty => "empty",
        ChannelQuery::NotEmpty => "nempty",
        ChannelQuery::Full => "full",
        ChannelQuery::NotFull => "nfull",
    }
}
