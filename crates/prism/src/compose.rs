//! Modules put together: which commands are taken at once.

use crate::ast::{Composition, Ident};
use crate::contradictions::Known;
use crate::limits;
use crate::system::{TypedCommand, TypedModule};
use mandala_model::findings::{Fallible, error, error_help};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Commands that are taken at once.
#[derive(Clone)]
pub(crate) struct Combined {
    pub(crate) action: Option<Arc<str>>,
    /// Each by the number of its module and its own.
    pub(crate) commands: Vec<(usize, usize)>,
    /// What is known where all can be taken.
    known: Known,
    /// How many outcomes they have together.
    outcomes: usize,
}

/// Some modules together.
struct Part {
    actions: BTreeSet<Arc<str>>,
    commands: Vec<Combined>,
}

/// The commands of all modules, put together as the text says, or on all actions that modules share.
pub(crate) fn compose(
    modules: &[TypedModule],
    composition: Option<&Composition>,
) -> Fallible<Vec<Combined>> {
    let composer = Composer { modules };
    let Some(composition) = composition else {
        let mut parts = (0..modules.len()).map(|number| composer.module(number));
        let Some(mut whole) = parts.next() else {
            return Ok(Vec::new());
        };
        for part in parts {
            let shared = whole.actions.intersection(&part.actions).cloned().collect();
            whole = composer.together(whole, part, &shared)?;
        }
        return Ok(whole.commands);
    };
    let mut used = BTreeMap::new();
    let whole = composer.composed(composition, &mut used)?;
    for (number, module) in modules.iter().enumerate() {
        if !used.contains_key(&number) {
            let message = format!(
                "the module `{}` is not in `system ... endsystem`",
                module.name.name
            );
            return Err(error(module.name.span, message));
        }
    }
    Ok(whole.commands)
}

struct Composer<'m> {
    modules: &'m [TypedModule],
}

impl Composer<'_> {
    fn command(&self, (module, number): (usize, usize)) -> &TypedCommand {
        &self.modules[module].commands[number]
    }

    /// A module by itself, without commands that can never be taken.
    fn module(&self, number: usize) -> Part {
        let module = &self.modules[number];
        let commands = module.commands.iter().enumerate();
        let commands = commands.filter_map(|(own, command)| {
            let mut known = Known::default();
            known.add(&command.guard).then(|| Combined {
                action: command.action.clone(),
                commands: vec![(number, own)],
                known,
                outcomes: command.outcomes.len(),
            })
        });
        Part {
            actions: module.actions.iter().cloned().collect(),
            commands: commands.collect(),
        }
    }

    fn composed(
        &self,
        composition: &Composition,
        used: &mut BTreeMap<usize, ()>,
    ) -> Fallible<Part> {
        match composition {
            Composition::Module(name) => self.named(name, used),
            Composition::Full(left, right) => {
                let (left, right) = (self.composed(left, used)?, self.composed(right, used)?);
                let shared = left.actions.intersection(&right.actions).cloned().collect();
                self.together(left, right, &shared)
            }
            Composition::Interleaved(left, right) => {
                let (left, right) = (self.composed(left, used)?, self.composed(right, used)?);
                self.together(left, right, &BTreeSet::new())
            }
            Composition::Over(left, actions, right) => {
                let (left, right) = (self.composed(left, used)?, self.composed(right, used)?);
                let shared = actions.iter().map(|action| action.name.clone()).collect();
                self.together(left, right, &shared)
            }
            Composition::Hiding(inner, actions) => {
                let mut part = self.composed(inner, used)?;
                for action in actions {
                    part.replace(&action.name, None);
                }
                Ok(part)
            }
            Composition::Renaming(inner, pairs) => {
                let mut part = self.composed(inner, used)?;
                part.rename(pairs);
                Ok(part)
            }
        }
    }

    fn named(&self, name: &Ident, used: &mut BTreeMap<usize, ()>) -> Fallible<Part> {
        let mut modules = self.modules.iter();
        let Some(number) = modules.position(|module| module.name.name == name.name) else {
            let message = format!("there is no module `{}`", name.name);
            return Err(error(name.span, message));
        };
        match used.insert(number, ()) {
            None => Ok(self.module(number)),
            Some(()) => {
                let message = format!(
                    "the module `{}` is in `system ... endsystem` twice",
                    name.name
                );
                Err(error(name.span, message))
            }
        }
    }

    /// Two parts that synchronise on some actions. Of commands that are taken at once, those whose guards contradict each other are left out.
    fn together(&self, left: Part, right: Part, shared: &BTreeSet<Arc<str>>) -> Fallible<Part> {
        let is_shared = |combined: &Combined| {
            let action = combined.action.as_ref();
            action.is_some_and(|action| shared.contains(action))
        };
        let mut actions = left.actions;
        actions.extend(right.actions);
        let (with_left, mut commands): (Vec<_>, Vec<_>) =
            left.commands.into_iter().partition(is_shared);
        let (with_right, alone): (Vec<_>, Vec<_>) = right.commands.into_iter().partition(is_shared);
        commands.extend(alone);
        let mut outcomes: usize = commands.iter().map(|combined| combined.outcomes).sum();
        for first in &with_left {
            for second in with_right
                .iter()
                .filter(|second| second.action == first.action)
            {
                let mut known = first.known.clone();
                if !known.join(&second.known) {
                    continue;
                }
                let product = first.outcomes.saturating_mul(second.outcomes);
                outcomes = outcomes.saturating_add(product);
                self.require_few(outcomes, first)?;
                commands.push(Combined {
                    action: first.action.clone(),
                    commands: [&first.commands[..], &second.commands[..]].concat(),
                    known,
                    outcomes: product,
                });
            }
        }
        Ok(Part { actions, commands })
    }

    fn require_few(&self, outcomes: usize, combined: &Combined) -> Fallible<()> {
        if outcomes <= limits::OUTCOMES {
            return Ok(());
        }
        let span = self.command(combined.commands[0]).span;
        let action = combined.action.as_deref().unwrap_or("");
        let message = format!(
            "commands that synchronise have more than {} outcomes together, with `{action}`",
            limits::OUTCOMES
        );
        Err(error_help(
            span,
            message,
            "fewer modules or fewer outcomes synchronise",
        ))
    }
}

impl Part {
    /// Gives an action another name, or none.
    fn replace(&mut self, old: &Arc<str>, new: Option<&Arc<str>>) {
        if self.actions.remove(old) {
            self.actions.extend(new.cloned());
        }
        for combined in &mut self.commands {
            if combined.action.as_ref() == Some(old) {
                combined.action = new.cloned();
            }
        }
    }

    /// Gives actions other names, all at once.
    fn rename(&mut self, pairs: &[(Ident, Ident)]) {
        let renamed = |action: &Arc<str>| {
            let mut pairs = pairs.iter();
            let pair = pairs.find(|(old, _)| old.name == *action);
            pair.map_or_else(|| action.clone(), |(_, new)| new.name.clone())
        };
        self.actions = self.actions.iter().map(renamed).collect();
        for combined in &mut self.commands {
            combined.action = combined.action.as_ref().map(renamed);
        }
    }
}
