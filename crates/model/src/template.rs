//! Templates: automata with locations, local variables and edges, from which processes are made.
//!
//! # How a process moves
//!
//! A process at a location tries the edges out of it *in order*.
//!
//! - A [`Step::Else`] edge can be taken iff none of the edges before it can.
//! - Edges with an [`Edge::escape`] other than 0 come before the ordinary ones. As soon as an edge
//!   with escape class `c > 0` can be taken, the edges after it that are not of class `c` cannot.
//! - A send on a rendezvous channel can be taken iff another process, also free to move (its
//!   template's `provided` holds), has a receive on that channel that matches; both move in one
//!   step, and each such receive is a choice of its own. A receive on a rendezvous channel cannot be
//!   taken by itself.
//! - With [`Control::Hold`] the process keeps control after the step: only it may move next, and
//!   the state in between is not one that others can see or that is remembered. If it cannot move
//!   there, control is lost and the state is an ordinary one after all. After a rendezvous it is the
//!   receiver's edge that decides, and the receiver that holds.
//! - [`Step::Routine`] runs to its end in one step, with the [functions](crate::function) that it calls.
//! - An edge with [parameters](Edge::parameters) is as many edges as there are choices of their values, in the order of the choices, one
//!   behind the other.
//! - A step that comes to an [`Effect::Fail`] or [`Effect::Abandon`] has no state after it.
//!
//! Checks of states are no edges but [monitors](crate::monitor).

use crate::chance::Outcome;
use crate::expr::{Expr, Pattern, Place, ReceiveOrder};
use crate::function::Call;
use crate::ids::{GlobalId, LocationId, NodeId, TemplateId};
use crate::loops::Loop;
use crate::source::Span;
use crate::types::Variable;
use crate::values::Parameter;
use std::collections::BTreeSet;
use std::ops::Range;

/// What instances of a template are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Processes of the system.
    Process,
    /// A claim: an observer that moves before each step of the system. It is an error if it
    /// reaches a location marked as an end.
    Claim,
    /// An observer of messages: each send and receive on a channel that it mentions must be one
    /// that it can follow.
    Events(EventSense),
    /// The [monitors](crate::monitor) of a model, as a verified model shows them. No template in the table of a model has this role.
    Monitors,
}

/// What an observer of messages says of the runs that it follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventSense {
    /// It is an error if a message cannot be followed.
    Required,
    /// It is an error if the observer gets to its end; one message that cannot be followed ends
    /// the observation.
    Forbidden,
}

/// An automaton with local variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name in the source.
    pub name: String,
    /// What its instances are for.
    pub role: Role,
    /// How many of the locals are parameters; they come first.
    pub parameters: u32,
    /// The local variables.
    pub locals: Vec<Variable>,
    /// The control locations.
    pub locations: Vec<Location>,
    /// The edges, those of one source location together and in the order in which they are tried.
    pub edges: Vec<Edge>,
    /// Where an instance starts.
    pub entry: LocationId,
    /// If present, an instance can move only where this is true.
    pub provided: Option<Expr>,
    /// Whether an instance must never have a choice: it is a violation if two of its edges can be
    /// taken at once.
    pub deterministic: bool,
    /// Where it is declared.
    pub span: Span,
}

/// The edges into every location of a template, found in one pass over its edges.
#[derive(Clone, Debug)]
pub struct Entering<'t> {
    edges: Vec<Vec<&'t Edge>>,
}

impl<'t> Entering<'t> {
    /// The edges into a location, in the order of the template.
    pub fn at(&self, location: LocationId) -> &[&'t Edge] {
        &self.edges[location.index()]
    }
}

/// A control location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Its number in the source language's own count.
    pub number: u32,
    /// The labels that name it.
    pub labels: Vec<String>,
    /// A process may stay here for ever without that being a deadlock.
    pub end: bool,
    /// Passing here is progress.
    pub progress: bool,
    /// Passing here infinitely often is accepted.
    pub accept: bool,
    /// No statement of the user's own starts here (a join point, a jump, `else`), so that it is not
    /// worth saying that it was never reached.
    pub silent: bool,
    /// Which rows of the table of edges start here.
    pub edges: Range<u32>,
    /// The statement that starts here.
    pub span: Span,
}

/// A transition of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where the process must be.
    pub source: LocationId,
    /// Where it is afterwards.
    pub target: LocationId,
    /// When it can be taken and what it does.
    pub step: Step,
    /// Whether the process keeps control.
    pub control: Control,
    /// 0, or the class of the escape that the edge belongs to.
    pub escape: u32,
    /// The statement as a person would write it.
    pub text: String,
    /// The statement's number in the source language's own count.
    pub statement: u32,
    /// Where the statement stands.
    pub span: Span,
    /// It does what another edge of its location does, but for positions of elements without
    /// [order](crate::symmetry::Scalarset::unordered), which are others. Who reasons about the other one need not look at it.
    pub twin: bool,
    /// Its parameters: the edge can be taken once for each choice of their values.
    pub parameters: Vec<Parameter>,
    /// How likely it is, where [chance](crate::chance) decides.
    pub outcome: Option<Outcome>,
}

/// Whether a process keeps control after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Any process may move next.
    Release,
    /// This process goes on, if it can.
    Hold,
}

/// When an edge can be taken and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Taken when the guard is true.
    Guarded {
        /// The condition.
        guard: Expr,
        /// What is done then, in order.
        effects: Vec<Effect>,
    },
    /// Taken when no earlier edge can be.
    Else,
    /// Puts a message into a channel, or hands it over at a rendezvous.
    Send {
        /// The channel; none, or one that is gone, is a run-time error.
        channel: Expr,
        /// Where in the channel.
        order: SendOrder,
        /// One value a field.
        message: Vec<Expr>,
    },
    /// Takes a message from a channel. Values are bound after the whole message has matched.
    Receive {
        /// The channel; none, or one that is gone, is a run-time error.
        channel: Expr,
        /// Which messages are looked at.
        order: ReceiveOrder,
        /// Whether the message leaves the channel.
        keep: Keep,
        /// One pattern a field.
        patterns: Vec<Pattern>,
    },
    /// The process ends. Possible only for the process made last; the channels that it made go with it.
    Exit,
    /// A piece of code that runs to its end in one step.
    Routine(Routine),
    /// A call of a function, which can always be taken. Only choices of routines are calls.
    Call(Call),
}

/// Where a message is put in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendOrder {
    /// Behind all others.
    Last,
    /// Before the first message that is greater, comparing field by field.
    Sorted,
}

/// Whether a received message stays in the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// It leaves.
    Remove,
    /// It stays.
    Stay,
}

/// A change of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Puts a value into a cell.
    Assign {
        /// The cell.
        place: Place,
        /// The value.
        value: Expr,
    },
    /// Reports a violation if the condition is false, and goes on.
    Assert {
        /// The condition.
        condition: Expr,
    },
    /// Shows a text to somebody who watches; no change of the state.
    Print {
        /// What is shown.
        text: Print,
    },
    /// Makes a process.
    Spawn {
        /// What it is an instance of.
        template: TemplateId,
        /// The values of its parameters, one a cell.
        arguments: Vec<Expr>,
        /// Its priority.
        priority: u8,
        /// Where the number of the new process goes.
        result: Option<Place>,
    },
    /// Changes the priority of a process; no effect if there is no such process.
    SetPriority {
        /// The process.
        process: Expr,
        /// From 1 to 255; else a run-time error.
        priority: Expr,
    },
    /// Reports a violation and ends the step: there is no state after it, and nothing that comes after it is done.
    Fail {
        /// What is said; reports find it by the span of the edge or choice.
        message: String,
    },
    /// Ends the step without a state after it. Nothing is reported, and the step counts as one that was taken.
    Abandon,
    /// Puts an element among others that have no order.
    Insert(Box<Insertion>),
}

/// How an element is put among others that have no order: into the first position that is free, if there is room. If not, a
/// violation is reported, and there is no state after the step.
///
/// This is what the parts say one after the other. What they say together is up to the front end, and whoever reasons
/// about steps may rely on it: of the elements that the array had before and the one that is new, nothing is
/// changed but the order, and whether there is room depends on what the elements are alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The array; the set of its indices is [unordered](crate::symmetry::Scalarset::unordered).
    pub array: GlobalId,
    /// Whether there is room.
    pub has_room: Expr,
    /// What is said if there is none; reports find it by the span of the edge or choice.
    pub message: String,
    /// Where the position is noted.
    pub position: Place,
    /// The first position that is free.
    pub first_free: Expr,
    /// The cells of the element at that position, and what they get.
    pub cells: Vec<(Place, Expr)>,
}

/// A text with values in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Print {
    /// In the manner of C's `printf`.
    Format {
        /// The format.
        format: String,
        /// The values.
        arguments: Vec<Expr>,
    },
    /// The name of a constant.
    Name(Expr),
}

/// Code that runs in one step: a small automaton that takes the first choice that it can at every
/// node. If it can take none at its first node or at a [quiet](Node::quiet) one, the edge cannot be taken, and
/// whatever was done is undone; if that happens at another node, it is a run-time error, as is a send or
/// receive at a rendezvous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// The nodes; the first one is where it starts.
    pub nodes: Vec<Node>,
    /// Which of them are heads of loops over values that are known. What the nodes do says the same.
    pub loops: Vec<Loop>,
}

/// A node of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What can be done here, in the order in which it is tried.
    pub choices: Vec<Choice>,
    /// If no choice can be taken here, the edge as a whole cannot be, as if its guard were false: what was done is
    /// undone, and nothing is reported.
    pub quiet: bool,
    /// The location of the automaton of the source that the node stands for, for coverage.
    pub number: u32,
    /// The statement that starts here.
    pub span: Span,
}

/// One choice at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// When and what; never a routine or an exit, but perhaps a call.
    pub step: Step,
    /// Where to go on; `None` ends the routine.
    pub next: Option<NodeId>,
    /// The statement as a person would write it.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Step {
    /// The routine, if it is one.
    pub fn routine(&self) -> Option<&Routine> {
        match self {
            Step::Routine(routine) => Some(routine),
            _ => None,
        }
    }

    /// How many statements and conditions it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Step::Guarded { effects, .. } => 1 + effects.len(),
            Step::Routine(routine) => routine.size(),
            Step::Else | Step::Send { .. } | Step::Receive { .. } | Step::Exit | Step::Call(_) => 1,
        }
    }
}

impl Routine {
    /// A routine without loops over known values.
    pub fn new(nodes: Vec<Node>) -> Self {
        Routine {
            nodes,
            loops: Vec::new(),
        }
    }

    /// How many statements and conditions it has.
    pub(crate) fn size(&self) -> usize {
        let choices = self.nodes.iter().flat_map(|node| &node.choices);
        choices.map(|choice| choice.step.size()).sum()
    }

    /// The nodes of the body of a loop, without its head: those from which the head can be reached again, of those that its first choice leads to.
    pub fn body_of(&self, each: &Loop) -> BTreeSet<NodeId> {
        let inside = self.reached_from(each.body(&self.nodes), each.head);
        let mut back = BTreeSet::new();
        let leads_back = |node: &NodeId, back: &BTreeSet<NodeId>| {
            let choices = self.nodes[node.index()].choices.iter();
            let mut next = choices.filter_map(|choice| choice.next);
            next.any(|next| next == each.head || back.contains(&next))
        };
        loop {
            let new = inside.difference(&back);
            let new: Vec<NodeId> = new.filter(|n| leads_back(n, &back)).copied().collect();
            if new.is_empty() {
                return back;
            }
            back.extend(new);
        }
    }

    /// The nodes that can be reached from one without passing another.
    pub fn reached_from(&self, start: Option<NodeId>, without: NodeId) -> BTreeSet<NodeId> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<NodeId> = start.into_iter().collect();
        while let Some(node) = open.pop() {
            if node != without && reached.insert(node) {
                let choices = self.nodes[node.index()].choices.iter();
                open.extend(choices.filter_map(|choice| choice.next));
            }
        }
        reached
    }

    /// Whether it may turn out only on the way that the edge cannot be taken.
    pub fn is_quiet(&self) -> bool {
        let start = NodeId(0);
        let comes_back = || {
            self.nodes
                .iter()
                .flat_map(|n| &n.choices)
                .any(|c| c.next == Some(start))
        };
        let later = self.nodes.iter().skip(1).any(|node| node.quiet);
        later || (self.nodes.first().is_some_and(|node| node.quiet) && comes_back())
    }
}

impl Template {
    /// The name as a person writes it.
    pub fn display_name(&self) -> &str {
        self.name.trim_matches(':')
    }

    /// A template without locations, to be filled.
    pub fn empty(name: &str, role: Role, span: Span) -> Self {
        Template {
            name: name.to_owned(),
            role,
            parameters: 0,
            locals: Vec::new(),
            locations: Vec::new(),
            edges: Vec::new(),
            entry: LocationId(0),
            provided: None,
            deterministic: false,
            span,
        }
    }

    /// The edges out of a location, with their indices.
    pub fn edges_from(&self, location: LocationId) -> impl Iterator<Item = (u32, &Edge)> {
        let range = self.locations[location.index()].edges.clone();
        range.map(|i| (i, &self.edges[i as usize]))
    }

    /// The edges into every location.
    pub fn entering(&self) -> Entering<'_> {
        let mut edges = vec![Vec::new(); self.locations.len()];
        for edge in &self.edges {
            edges[edge.target.index()].push(edge);
        }
        Entering { edges }
    }

    /// The location with that label.
    pub fn labelled(&self, label: &str) -> Option<LocationId> {
        self.locations
            .iter()
            .position(|l| l.labels.iter().any(|x| x == label))
            .map(LocationId::from)
    }
}
