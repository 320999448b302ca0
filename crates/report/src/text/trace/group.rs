//! Steps that are shown together.
//!
//! Who reads a trace asks who did what. An atomic sequence is one answer, however many statements it has; what only leads a process on
//! (`else`, jumps, the counting of a loop) is none.

use crate::document::{Actor, Change, Event, EventKind, Step};
use crate::text::view::{Detail, View};

/// What a trace ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A statement that is wrong. It stands alone.
    Statement,
    /// A state, or nothing special.
    State,
}

/// Steps of one actor that are shown together; at least one.
pub struct Group<'t> {
    steps: Vec<&'t Step>,
}

/// The steps in groups, without those that are left out.
pub fn groups<'t>(steps: &[&'t Step], ending: Ending, view: &View) -> Vec<Group<'t>> {
    let alone = |step: &&'t Step| Group { steps: vec![step] };
    match view.detail {
        Detail::Full => steps.iter().map(alone).collect(),
        Detail::Short => folded(steps, ending, view),
        Detail::Messages => {
            let last = steps
                .len()
                .checked_sub(1)
                .filter(|_| ending == Ending::Statement);
            let numbered = steps.iter().enumerate();
            let shown = numbered.filter(|(at, step)| Some(*at) == last || has_output(step));
            shown.map(|(_, step)| alone(step)).collect()
        }
    }
}

fn folded<'t>(steps: &[&'t Step], ending: Ending, view: &View) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let stands_alone = ending == Ending::Statement && at + 1 == steps.len();
        let first = groups.len() == 1;
        match groups.last_mut() {
            Some(group) if !stands_alone && group.goes_on_with(step, first) => {
                group.steps.push(step);
            }
            _ => groups.push(Group { steps: vec![step] }),
        }
    }
    let last = groups.len();
    let mut at = 0;
    groups.retain(|group| {
        at += 1;
        (ending == Ending::Statement && at == last) || !group.is_idle(view)
    });
    groups
}

impl<'t> Group<'t> {
    /// Whether a step belongs to the group: it goes on with an atomic sequence, or with the work of `init` at the start.
    fn goes_on_with(&self, step: &Step, first: bool) -> bool {
        let last = self.last();
        let actor = |step: &Step| (step.actor, step.process.clone(), step.pid);
        let same = actor(last) == actor(step) && step.actor == Actor::Process;
        let mut events = step.events();
        let only_starts = events.all(|event| event.kind == EventKind::Spawn);
        let starts = first && step.process == "init" && step.pid == Some(0) && only_starts;
        same && (last.atomic || starts)
    }

    /// Whether nothing in it is worth a line.
    fn is_idle(&self, view: &View) -> bool {
        let asked = |step: &Step| {
            let mut changes = step.changes.iter();
            !view.show.is_empty() && changes.any(|change| view.shows(&change.name))
        };
        let mut steps = self.steps.iter();
        steps.all(|step| step.bookkeeping && !has_output(step) && !asked(step))
    }

    /// The first step.
    pub fn first(&self) -> &'t Step {
        self.steps[0]
    }

    fn last(&self) -> &'t Step {
        self.steps[self.steps.len() - 1]
    }

    /// All of them.
    pub fn steps(&self) -> &[&'t Step] {
        &self.steps
    }

    /// The step that says what the group is about: the first process that `init` starts, else the first that is not only on the way.
    pub fn lead(&self) -> &'t Step {
        let starts = |step: &Step| {
            let mut events = step.events();
            step.process == "init" && events.any(|event| event.kind == EventKind::Spawn)
        };
        let steps = || self.steps.iter().copied();
        let start = steps().find(|step| starts(step));
        let start = start.or_else(|| steps().find(|step| !step.bookkeeping));
        start.unwrap_or(self.steps[0])
    }

    /// The numbers of its steps: `7`, `7-12`.
    pub fn numbers(&self) -> String {
        let (first, last) = (self.first(), self.last());
        match (first.actor, first.number == last.number) {
            (Actor::Claim, _) => String::new(),
            (Actor::Process, true) => first.number.to_string(),
            (Actor::Process, false) => format!("{}-{}", first.number, last.number),
        }
    }

    /// What is different after the group, in the order in which it is touched.
    pub fn changes(&self) -> Vec<Change> {
        let mut net: Vec<Change> = Vec::new();
        for change in self.steps.iter().flat_map(|step| &step.changes) {
            match net.iter_mut().find(|known| known.name == change.name) {
                Some(known) => known.to.clone_from(&change.to),
                None => net.push(change.clone()),
            }
        }
        // What came and went, or is again what it was.
        net.retain(|change| self.steps.len() == 1 || change.from != change.to);
        net
    }

    /// What its steps do with messages and processes.
    pub fn events(&self) -> impl Iterator<Item = &'t Event> {
        self.steps.iter().flat_map(|step| step.events())
    }
}

/// Whether a step does something besides changing variables.
fn has_output(step: &Step) -> bool {
    let shown = !step.printed.is_empty() || !step.truncated.is_empty();
    shown || step.event.is_some()
}
