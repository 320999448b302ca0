//! Who waits for what at a deadlock, and who could change that.

use super::values::NamedReading;
use mandala_evidence::replay::ReplayedRun;
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Root};
use mandala_model::ids::{GlobalId, TemplateId};
use mandala_model::model::Language;
use mandala_model::source::Span;
use mandala_model::state::ProcessState;
use mandala_model::template::{Effect, Step, Template};
use std::collections::BTreeSet;

/// A process that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingProcess {
    /// Its number.
    pub pid: u32,
    /// The template that it is an instance of.
    pub template: TemplateId,
    /// The place of its location in the source.
    pub span: Span,
    /// The statements that it waits to execute: one of these.
    pub statements: Vec<String>,
    /// What these wait for, as far as that can be said.
    pub guards: Vec<WaitingGuard>,
    /// Whether it may stay there forever.
    pub allowed: bool,
}

/// What a statement waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingGuard {
    /// The statement.
    pub statement: String,
    /// What its condition reads, or what its channel holds.
    pub values: Vec<NamedReading>,
    /// The other processes that have a statement which changes one of these. They may never come to it.
    pub changed_by: Vec<String>,
}

/// The processes in the last state of the run, but for those that only wait to end.
pub fn at_the_end(interpreter: &Interpreter<'_>, run: &ReplayedRun) -> Vec<WaitingProcess> {
    // The one process of a system of rules waits for all of them.
    let rules = interpreter.model().is_system_of_rules();
    let Some(last) = run.last().filter(|_| !rules) else {
        return Vec::new();
    };
    let state = last.after.as_ref().unwrap_or(&last.before);
    let processes = state.processes.iter().enumerate();
    processes
        .filter_map(|(pid, process)| waiting(interpreter, state, pid as u32, process))
        .collect()
}

/// The processes in a state that cannot move there, other than those that only wait to end. `movers` are those that can.
pub fn blocked(
    interpreter: &Interpreter<'_>,
    state: &State,
    movers: &BTreeSet<u32>,
) -> Vec<WaitingProcess> {
    if interpreter.model().is_system_of_rules() {
        return Vec::new();
    }
    let processes = (0..).zip(&state.processes);
    let blocked = processes.filter(|(pid, _)| !movers.contains(pid));
    blocked
        .filter_map(|(pid, process)| waiting(interpreter, state, pid, process))
        .collect()
}

fn waiting(
    interpreter: &Interpreter<'_>,
    state: &State,
    pid: u32,
    process: &ProcessState,
) -> Option<WaitingProcess> {
    let template = interpreter.model().template(process.template);
    if has_ended(template, process) {
        return None;
    }
    let location = &template.locations[process.location.index()];
    let edges = template.edges_from(process.location).map(|(_, edge)| edge);
    let mut statements: Vec<String> = edges.map(|edge| edge.text.clone()).collect();
    statements.dedup();
    let scene = Scene {
        interpreter,
        state,
        pid,
    };
    Some(WaitingProcess {
        pid,
        template: process.template,
        span: location.span,
        statements,
        guards: scene.guards(template, process),
        allowed: location.end,
    })
}

/// Whether a process only waits to end.
fn has_ended(template: &Template, process: &ProcessState) -> bool {
    let mut edges = template.edges_from(process.location);
    edges.all(|(_, edge)| edge.step == Step::Exit)
}

/// What to do about a deadlock that may be none: where those who should go on wait for what nobody who is left could change.
pub fn hint(interpreter: &Interpreter<'_>, waiting: &[WaitingProcess]) -> Option<String> {
    let model = interpreter.model();
    if model.is_system_of_rules() {
        return Some("if the system may stop there, `--no-deadlock` says so".into());
    }
    let stuck: Vec<&WaitingProcess> = waiting.iter().filter(|w| !w.allowed).collect();
    let told = |w: &&WaitingProcess| !w.guards.is_empty();
    let alone = |w: &&WaitingProcess| w.guards.iter().all(|g| g.changed_by.is_empty());
    let (true, true, Some(first)) = (
        stuck.iter().all(told),
        stuck.iter().all(alone),
        stuck.first(),
    ) else {
        return None;
    };
    let name = model.template(first.template).display_name();
    let way = match model.language {
        Language::Promela => "a label that begins with `end` at that place says so, and",
        Language::Murphi
        | Language::Red
        | Language::Boolean
        | Language::Tts
        | Language::Cubicle
        | Language::Prism => "",
    };
    let text = format!(
        "no process that is left can change what is waited for; if {name}({}) may wait there forever, {way} `--no-deadlock` \
         reports no deadlocks",
        first.pid
    );
    Some(text.replace("  ", " "))
}

/// A process in a state.
struct Scene<'a> {
    interpreter: &'a Interpreter<'a>,
    state: &'a State,
    pid: u32,
}

impl Scene<'_> {
    fn guards(&self, template: &Template, process: &ProcessState) -> Vec<WaitingGuard> {
        let mut guards: Vec<WaitingGuard> = Vec::new();
        for (_, edge) in template.edges_from(process.location) {
            for step in first_steps(&edge.step) {
                let guard = self.guard(step, &edge.text);
                guards.extend(guard.filter(|guard| !guards.contains(guard)));
            }
        }
        guards
    }

    fn guard(&self, step: &Step, statement: &str) -> Option<WaitingGuard> {
        let (values, changed_by) = match step {
            Step::Guarded { guard, .. } => (self.readings(guard), self.changers(guard)),
            Step::Send { channel, .. } => {
                let channel = self.channel(self.pid, channel)?;
                (self.contents(channel), self.others(|other, step| {
                    matches!(step, Step::Receive { channel: from, .. } if self.channel(other, from) == Some(channel))
                }))
            }
            Step::Receive { channel, .. } => {
                let channel = self.channel(self.pid, channel)?;
                (self.contents(channel), self.others(|other, step| {
                    matches!(step, Step::Send { channel: to, .. } if self.channel(other, to) == Some(channel))
                }))
            }
            Step::Else | Step::Exit | Step::Routine(_) | Step::Call(_) => return None,
        };
        Some(WaitingGuard {
            statement: statement.to_owned(),
            values,
            changed_by,
        })
    }

    fn readings(&self, guard: &Expr) -> Vec<NamedReading> {
        let readings = self.interpreter.readings(self.state, Some(self.pid), guard);
        let readings = readings.into_iter();
        readings
            .map(|(name, value)| NamedReading { name, value })
            .collect()
    }

    /// The index of the channel that an expression of that process refers to.
    fn channel(&self, process: u32, channel: &Expr) -> Option<usize> {
        let number = self
            .interpreter
            .evaluate(self.state, Some(process), channel);
        let index = usize::try_from(number.ok()?).ok()?.checked_sub(1)?;
        (index < self.state.channels.len()).then_some(index)
    }

    /// What a channel holds; of a rendezvous channel that there is none to meet.
    fn contents(&self, channel: usize) -> Vec<NamedReading> {
        let kind = self.state.channels[channel].kind;
        let value = match self.interpreter.model().channel_kind(kind).capacity {
            0 => "(rendezvous)".into(),
            _ => self.interpreter.channel_text(self.state, channel),
        };
        let name = self.interpreter.channel_name(self.state, channel);
        vec![NamedReading { name, value }]
    }

    /// Who could change what a condition reads.
    fn changers(&self, guard: &Expr) -> Vec<String> {
        let mut globals: BTreeSet<GlobalId> = BTreeSet::new();
        let mut channels = BTreeSet::new();
        guard.walk(&mut |part| match &part.kind {
            ExprKind::Read(Place {
                root: Root::Global(id),
                ..
            }) => {
                globals.insert(*id);
            }
            ExprKind::Channel(_, channel) => channels.extend(self.channel(self.pid, channel)),
            _ => {}
        });
        self.others(|other, step| match step {
            Step::Send { channel, .. } => {
                let channel = self.channel(other, channel);
                channel.is_some_and(|channel| channels.contains(&channel))
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                let channel = self.channel(other, channel);
                let binds = |pattern: &Pattern| matches!(pattern, Pattern::Bind(place) if is_one_of(place, &globals));
                channel.is_some_and(|channel| channels.contains(&channel))
                    || patterns.iter().any(binds)
            }
            Step::Guarded { effects, .. } => {
                effects.iter().any(|effect| changes(effect, &globals))
            }
            _ => false,
        })
    }

    /// The other processes that are left and have such a statement, wherever they are.
    fn others(&self, has: impl Fn(u32, &Step) -> bool) -> Vec<String> {
        let processes = self.state.processes.iter().enumerate();
        let others = processes.filter(|(pid, process)| {
            let template = self.interpreter.model().template(process.template);
            let own = *pid as u32;
            own != self.pid
                && !has_ended(template, process)
                && template
                    .edges
                    .iter()
                    .any(|edge| all_steps(&edge.step).iter().any(|step| has(own, step)))
        });
        others
            .map(|(pid, _)| self.interpreter.process_name(self.state, pid as u32))
            .collect()
    }
}

fn is_one_of(place: &Place, globals: &BTreeSet<GlobalId>) -> bool {
    matches!(&place.root, Root::Global(id) if globals.contains(id))
}

fn changes(effect: &Effect, globals: &BTreeSet<GlobalId>) -> bool {
    match effect {
        Effect::Assign { place, .. } => is_one_of(place, globals),
        Effect::Spawn {
            result: Some(place),
            ..
        } => is_one_of(place, globals),
        _ => false,
    }
}

/// The steps that decide whether one can be taken: of code that runs in one step, those that it may begin with.
fn first_steps(step: &Step) -> Vec<&Step> {
    match step {
        Step::Routine(routine) => {
            let choices = routine.nodes.first().map(|node| &node.choices);
            choices.into_iter().flatten().map(|c| &c.step).collect()
        }
        step => vec![step],
    }
}

/// A step, or those that it consists of.
fn all_steps(step: &Step) -> Vec<&Step> {
    match step {
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.map(|choice| &choice.step).collect()
        }
        step => vec![step],
    }
}
