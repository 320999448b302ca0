//! The changes of a step, in time that grows with the state and not with its square.
//!
//! Values are compared as numbers, and a name or a text is made only for what is different: a long
//! trace has many steps, and each of them touches little.

use super::Change;
use crate::Interpreter;
use crate::frame::Home;
use mandala_model::State;
use mandala_model::state::{ChannelState, ProcessState, Value};
use mandala_model::types::{Scalar, Storage, Variable};

/// Whether channels are called the same in both states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChannelNames {
    Same,
    Different,
}

/// Two states side by side.
pub(super) struct Comparison<'a> {
    interpreter: &'a Interpreter<'a>,
    before: &'a State,
    after: &'a State,
    channel_names: ChannelNames,
    found: Vec<Change>,
}

impl<'a> Comparison<'a> {
    /// Nothing compared yet.
    pub(super) fn new(
        interpreter: &'a Interpreter<'a>,
        before: &'a State,
        after: &'a State,
    ) -> Self {
        let owners = |state: &'a State| state.channels.iter().map(|c| owner(state, c));
        let channel_names = match owners(before).eq(owners(after)) {
            true => ChannelNames::Same,
            false => ChannelNames::Different,
        };
        Comparison {
            interpreter,
            before,
            after,
            channel_names,
            found: Vec::new(),
        }
    }

    /// All differences, in the order of the state.
    pub(super) fn changes(mut self) -> Vec<Change> {
        self.cells(Home::Globals, Some(&self.before.globals));
        (0..self.after.channels.len()).for_each(|index| self.channel(index));
        (0..self.after.processes.len()).for_each(|number| self.process(number));
        if self.after.claim.is_some() {
            let before = self.before.claim.as_ref();
            self.cells(Home::Claim, before.map(|claim| claim.locals.as_slice()));
        }
        (self.after.processes.len()..self.before.processes.len()).for_each(|n| self.ended(n));
        self.found
    }

    fn channel(&mut self, index: usize) {
        let old = self.before.channels.get(index);
        let new = &self.after.channels[index];
        let same = match old {
            Some(old) => old == new && self.channel_names == ChannelNames::Same,
            None => new.messages.is_empty(),
        };
        if same {
            return;
        }
        let name = self.interpreter.channel_name(self.after, index);
        let text = |state| self.interpreter.channel_text(state, index);
        let old_name = old.map(|_| self.interpreter.channel_name(self.before, index));
        let (old, new) = (old.map(|_| text(self.before)), text(self.after));
        self.push(name, old_name, old, new);
    }

    fn process(&mut self, number: usize) {
        let new = &self.after.processes[number];
        let old = self.before.processes.get(number);
        let predecessor = old.filter(|old| old.template == new.template);
        if predecessor.is_none() {
            self.found.push(Change {
                name: self.interpreter.process_name(self.after, number as u32),
                old: old.map(|_| RUNNING.to_owned()),
                new: Some(RUNNING.to_owned()),
            });
        }
        let home = Home::Process(number as u32);
        self.cells(home, predecessor.map(|old| old.locals.as_slice()));
        self.priority(number, predecessor, new);
    }

    fn priority(&mut self, number: usize, old: Option<&ProcessState>, new: &ProcessState) {
        let same = old.map_or(1, |old| old.priority) == new.priority;
        if same || !self.interpreter.model.prioritised {
            return;
        }
        let name = self.interpreter.process_name(self.after, number as u32);
        self.found.push(Change {
            name: format!("{name}:_priority"),
            old: old.map(|old| old.priority.to_string()),
            new: Some(new.priority.to_string()),
        });
    }

    fn ended(&mut self, number: usize) {
        self.found.push(Change {
            name: self.interpreter.process_name(self.before, number as u32),
            old: Some(RUNNING.to_owned()),
            new: None,
        });
    }

    /// The variables of a home; `old` is what they were, if there was such a home.
    fn cells(&mut self, home: Home, old: Option<&[Value]>) {
        let interpreter = self.interpreter;
        let (prefix, variables, new) = interpreter.cells_at(self.after, home);
        if old == Some(new) && self.channel_names == ChannelNames::Same {
            return;
        }
        let mut start = 0;
        for variable in variables {
            let range = start..start + interpreter.model.cells(&variable.ty);
            start = range.end;
            if variable.storage == Storage::State {
                let old = old.and_then(|old| old.get(range.clone()));
                self.variable(&prefix, variable, old, &new[range]);
            }
        }
    }

    fn variable(
        &mut self,
        prefix: &str,
        variable: &Variable,
        old: Option<&[Value]>,
        new: &[Value],
    ) {
        if old == Some(new) && self.channel_names == ChannelNames::Same {
            return;
        }
        for (offset, &value) in new.iter().enumerate() {
            let before = old.map(|old| old[offset]);
            if before == Some(value) && self.channel_names == ChannelNames::Same {
                continue;
            }
            let Some((scalar, name)) = self.interpreter.model.cell_name(variable, offset) else {
                continue;
            };
            let same = match before {
                Some(before) => before == value && scalar != Scalar::Channel,
                None => value == 0 || scalar == Scalar::Channel,
            };
            if !same {
                let name = format!("{prefix}{name}");
                let text = |state, value| self.interpreter.value_text(state, scalar, value);
                let before = before.map(|value| text(self.before, value));
                let after = text(self.after, value);
                self.push(name.clone(), Some(name), before, after);
            }
        }
    }

    /// Lists a change, unless it looks the same to a person.
    fn push(&mut self, name: String, old_name: Option<String>, old: Option<String>, new: String) {
        if old.as_ref() != Some(&new) || old_name.as_ref() != Some(&name) {
            self.found.push(Change {
                name,
                old,
                new: Some(new),
            });
        }
    }
}

/// What is said of a process that has neither just come nor gone.
const RUNNING: &str = "running";

/// All that the name of a channel depends on besides its place among the channels.
fn owner(state: &State, channel: &ChannelState) -> Option<(u32, Option<u32>)> {
    let number = channel.owner?;
    let process = state.processes.get(number as usize);
    Some((number, process.map(|p| p.template.0)))
}
