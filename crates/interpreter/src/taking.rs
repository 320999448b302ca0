//! The steps of one process: the order of its edges, `else`, escapes, rendezvous.

use crate::Interpreter;
use crate::attempt::{Attempt, Halt};
use crate::call::Returned;
use crate::events::Event;
use crate::happened::StepEvent;
use crate::view::View;
use mandala_model::State;
use mandala_model::expr::{Expr, Pattern};
use mandala_model::ids::{EdgeId, NodeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::{ProcessState, Value};
use mandala_model::step::{Actor, Fault, StepLabel, Violation};
use mandala_model::template::{Control, Edge, Keep, Step};
use std::collections::BTreeSet;

/// A step that was taken, before it is said whose turn it is then.
#[derive(Debug)]
pub(crate) struct Taken {
    pub label: StepLabel,
    /// `None` after a fault or a failure, or if the step or a routine was given up.
    pub state: Option<State>,
    /// Who keeps control, if somebody does.
    pub holder: Option<Actor>,
    pub violations: Vec<Violation>,
    pub printed: Vec<String>,
    pub events: Vec<StepEvent>,
    pub nodes: BTreeSet<NodeId>,
    pub returned: Vec<Returned>,
}

impl Taken {
    /// Whether something comes of it: see [`crate::Move::counts`].
    pub(crate) fn counts(&self) -> bool {
        self.state.is_some() || !self.violations.is_empty()
    }
}

/// What the edges tried so far mean for those after them.
#[derive(Default)]
struct Tried {
    /// An edge was taken, so `else` cannot be. A send at a rendezvous that nobody accepted was not.
    moved: bool,
    /// The class of the escape that was taken, or 0.
    escape: u32,
}

impl Tried {
    /// Once an escape was taken, what is not part of it is out of reach.
    fn closes(&self, edge: &Edge) -> bool {
        self.escape > 0 && edge.escape != self.escape
    }
}

/// What became of an edge.
enum Ways {
    /// One process alone takes it, or cannot.
    Alone(Option<Box<Taken>>),
    /// A rendezvous: one way for each receiver.
    Meeting(Vec<Taken>),
}

/// A message that a sender holds out at a rendezvous.
struct Offer<'a> {
    sender: u32,
    edge: EdgeId,
    span: Span,
    channel: usize,
    message: Vec<Value>,
    /// The state once the sender has gone along its edge.
    state: &'a State,
}

impl Interpreter<'_> {
    /// All steps of one process, in order. A fault is a step too, one that leads nowhere.
    pub(crate) fn process_steps(&self, state: &State, process: u32, timeout: bool) -> Vec<Taken> {
        let Some(own) = state.processes.get(process as usize) else {
            return Vec::new();
        };
        let view = View::new(self.model, state, Some(process), timeout);
        match view.may_move(own) {
            Ok(true) => self.steps(state, Actor::Process(process), own, timeout),
            Ok(false) => Vec::new(),
            Err(fault) => {
                let label = |edge| label(Actor::Process(process), edge, None);
                let edge = first_edge(view, own);
                edge.map(|e| failed(label(e), fault)).into_iter().collect()
            }
        }
    }

    /// All steps of the claim, in order.
    pub(crate) fn claim_steps(&self, state: &State, timeout: bool) -> Vec<Taken> {
        match &state.claim {
            Some(claim) => self.steps(state, Actor::Claim, claim, timeout),
            None => Vec::new(),
        }
    }

    fn steps(&self, state: &State, actor: Actor, own: &ProcessState, timeout: bool) -> Vec<Taken> {
        let template = self.model.template(own.template);
        let mut tried = Tried::default();
        let mut all = Vec::new();
        for (index, edge) in template.edges_from(own.location) {
            if tried.closes(edge) {
                break;
            }
            if tried.moved && edge.step == Step::Else {
                continue;
            }
            let id = edge_id(own.template, index);
            if !edge.parameters.is_empty() {
                let taken = self.instances(state, actor, id, edge, timeout);
                tried.moved |= !taken.is_empty();
                all.extend(taken);
                continue;
            }
            let forbidden = tried.moved && template.deterministic;
            let before = all.len();
            match self.take(state, actor, id, edge, timeout) {
                Ways::Alone(None) => {}
                Ways::Alone(Some(taken)) => {
                    tried.moved = true;
                    tried.escape = edge.escape;
                    all.push(*taken);
                }
                Ways::Meeting(ways) => {
                    tried.moved |= !ways.is_empty();
                    tried.escape = if ways.is_empty() { 0 } else { edge.escape };
                    all.extend(ways);
                }
            }
            if forbidden {
                let violation = Violation::Nondeterminism { span: edge.span };
                for taken in &mut all[before..] {
                    taken.violations.push(violation.clone());
                }
            }
        }
        all
    }

    fn take(&self, state: &State, actor: Actor, id: EdgeId, edge: &Edge, timeout: bool) -> Ways {
        if let (
            Actor::Process(sender),
            Step::Send {
                channel, message, ..
            },
        ) = (actor, &edge.step)
        {
            let view = View::new(self.model, state, Some(sender), timeout);
            match view.channel(channel) {
                Ok(channel) if view.is_rendezvous(channel) => {
                    return match self.offer(view, sender, id, edge, channel, message) {
                        Ok(ways) => Ways::Meeting(ways),
                        Err(fault) => {
                            let taken = failed(label(actor, id, None), fault);
                            Ways::Alone(Some(Box::new(taken)))
                        }
                    };
                }
                _ => {}
            }
        }
        let taken = self.take_alone(state, label(actor, id, None), edge, timeout);
        Ways::Alone(taken.map(Box::new))
    }

    /// All ways to take an edge alone, one for each choice of its parameters.
    pub(crate) fn instances(
        &self,
        state: &State,
        actor: Actor,
        id: EdgeId,
        edge: &Edge,
        timeout: bool,
    ) -> Vec<Taken> {
        let choices = (0..edge.choices()).map(|choice| StepLabel {
            choice,
            ..label(actor, id, None)
        });
        let taken = choices.filter_map(|label| self.take_alone(state, label, edge, timeout));
        taken.collect()
    }

    fn take_alone(
        &self,
        state: &State,
        label: StepLabel,
        edge: &Edge,
        timeout: bool,
    ) -> Option<Taken> {
        let process = match label.actor {
            Actor::Process(process) => Some(process),
            Actor::Claim => None,
        };
        let mut attempt = Attempt::new(self, state.clone(), process, timeout);
        attempt.choose(edge, label.choice);
        let performed = attempt.perform(&edge.step, edge.span);
        if performed == Ok(false) {
            return None;
        }
        let holder = (edge.control == Control::Hold).then_some(label.actor);
        let done = performed.map(|_| attempt.arrive(edge));
        Some(finish(attempt, state, label, done, holder))
    }

    /// The state at the moment at which a step fails, as its own statements see it. Nothing if it does not, or fails in a function, whose variables are no
    /// part of the state.
    pub fn state_at_failure(&self, state: &State, label: &StepLabel) -> Option<State> {
        let edge = &self.model.template(label.edge.template).edges[label.edge.index as usize];
        let process = match label.actor {
            Actor::Process(process) => Some(process),
            Actor::Claim => None,
        };
        let mut attempt = Attempt::new(self, state.clone(), process, false);
        attempt.choose(edge, label.choice);
        let performed = attempt.perform(&edge.step, edge.span);
        let failed = matches!(performed, Err(Halt::Failed(_) | Halt::Fault(_)));
        (failed && attempt.frames.is_empty()).then_some(attempt.state)
    }

    /// Holds a message out to every other process, the one with the highest number first.
    fn offer(
        &self,
        view: View<'_>,
        sender: u32,
        id: EdgeId,
        edge: &Edge,
        channel: usize,
        message: &[Expr],
    ) -> Result<Vec<Taken>, Fault> {
        let sent = view.message(channel, message, edge.span)?;
        let mut attempt = Attempt::new(self, view.state.clone(), Some(sender), view.timeout);
        let message = attempt.kept(channel, &sent, edge.span)?;
        attempt.arrive(edge);
        let offer = Offer {
            sender,
            edge: id,
            span: edge.span,
            channel,
            message,
            state: &attempt.state,
        };
        let others = (0..view.state.processes.len() as u32).rev();
        let others = others.filter(|process| *process != sender);
        let ways = others.flat_map(|process| self.accept(&offer, process, view.timeout));
        Ok(ways.collect())
    }

    /// All ways in which one process can take what is held out.
    fn accept(&self, offer: &Offer<'_>, receiver: u32, timeout: bool) -> Vec<Taken> {
        let view = View::new(self.model, offer.state, Some(receiver), timeout);
        let own = &offer.state.processes[receiver as usize];
        match view.may_move(own) {
            Ok(true) => self.accepting_edges(offer, receiver, view, own),
            Ok(false) => Vec::new(),
            Err(fault) => {
                let edge = first_edge(view, own);
                let fail = |e| failed(offer.label(receiver, e), fault);
                edge.map(fail).into_iter().collect()
            }
        }
    }

    fn accepting_edges(
        &self,
        offer: &Offer<'_>,
        receiver: u32,
        view: View<'_>,
        own: &ProcessState,
    ) -> Vec<Taken> {
        let template = self.model.template(own.template);
        let mut tried = Tried::default();
        let mut all = Vec::new();
        for (index, edge) in template.edges_from(own.location) {
            if tried.closes(edge) {
                break;
            }
            let Some(patterns) = offer.wanted_by(view, &edge.step) else {
                continue;
            };
            let label = offer.label(receiver, edge_id(own.template, index));
            let taken = match view.matches(&offer.message, patterns, edge.span) {
                Ok(true) => self.hand_over(offer, view, edge, patterns, label),
                Ok(false) => continue,
                Err(fault) => failed(label, fault),
            };
            tried.escape = edge.escape;
            all.push(taken);
        }
        all
    }

    fn hand_over(
        &self,
        offer: &Offer<'_>,
        view: View<'_>,
        edge: &Edge,
        patterns: &[Pattern],
        label: StepLabel,
    ) -> Taken {
        let mut attempt = Attempt::new(self, offer.state.clone(), view.viewer, view.timeout);
        let done = attempt.hand_over(offer, edge, patterns);
        let receiver = view.viewer.map(Actor::Process);
        let holder = receiver.filter(|_| edge.control == Control::Hold);
        finish(
            attempt,
            offer.state,
            label,
            done.map_err(Halt::from),
            holder,
        )
    }
}

impl Attempt<'_> {
    /// The receiver's half of a rendezvous; the observer of messages sees both halves.
    fn hand_over(
        &mut self,
        offer: &Offer<'_>,
        edge: &Edge,
        patterns: &[Pattern],
    ) -> Result<(), Fault> {
        self.observe(Event::Sent, offer.channel, &offer.message, offer.span)?;
        self.observe(Event::Received, offer.channel, &offer.message, edge.span)?;
        self.events.push(StepEvent::HandedOver {
            channel: offer.channel,
            message: offer.message.clone(),
        });
        self.bind(patterns, &offer.message)?;
        self.arrive(edge);
        Ok(())
    }
}

impl Offer<'_> {
    fn label(&self, receiver: u32, edge: EdgeId) -> StepLabel {
        label(
            Actor::Process(self.sender),
            self.edge,
            Some((receiver, edge)),
        )
    }

    /// The patterns of a step that would take a message from the channel. That the channel cannot
    /// be told is a fault of the receiver's own step, and is reported there.
    fn wanted_by<'s>(&self, view: View<'_>, step: &'s Step) -> Option<&'s [Pattern]> {
        match step {
            Step::Receive {
                channel,
                keep: Keep::Remove,
                patterns,
                ..
            } if view.channel(channel) == Ok(self.channel) => Some(patterns),
            _ => None,
        }
    }
}

fn finish(
    mut attempt: Attempt<'_>,
    before: &State,
    label: StepLabel,
    done: Result<(), Halt>,
    holder: Option<Actor>,
) -> Taken {
    match &done {
        Ok(()) => attempt.forget_scratch(before),
        Err(halt) => attempt.halt(halt),
    }
    Taken {
        label,
        state: (done.is_ok() && !attempt.given_up).then_some(attempt.state),
        holder,
        violations: attempt.violations,
        printed: attempt.printed,
        events: attempt.events,
        nodes: attempt.nodes,
        returned: attempt.returned,
    }
}

fn failed(label: StepLabel, fault: Fault) -> Taken {
    Taken {
        label,
        state: None,
        holder: None,
        violations: vec![Violation::Fault(fault)],
        printed: Vec::new(),
        events: Vec::new(),
        nodes: BTreeSet::new(),
        returned: Vec::new(),
    }
}

fn label(actor: Actor, edge: EdgeId, partner: Option<(u32, EdgeId)>) -> StepLabel {
    StepLabel {
        actor,
        edge,
        choice: 0,
        partner,
    }
}

fn edge_id(template: TemplateId, index: u32) -> EdgeId {
    EdgeId { template, index }
}

/// The edge that is named when it cannot even be told whether a process may move.
fn first_edge(view: View<'_>, own: &ProcessState) -> Option<EdgeId> {
    let range = view.location_of(own).edges.clone();
    (!range.is_empty()).then(|| edge_id(own.template, range.start))
}
