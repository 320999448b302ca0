//! A compiled model.

use crate::code::{ChannelSource, Code, CompiledRoutine, CompiledTemplate, Entry, Source};
use crate::compile::{Parts, Unsupported, add_conditions, compile};
use crate::independence::{Independence, Obstacle};
use crate::layout::Layout;
use crate::native::Native;
use crate::shape::{Shapes, read_prefix};
use crate::stepper::Stepper;
use crate::twins::Roles;
use mandala_model::Model;
use mandala_model::expr::Expr;
use mandala_model::ids::{PropertyId, TemplateId};
use mandala_model::model::Arithmetic;
use mandala_model::step::{Observers, Turn};
use mandala_model::symmetry::Bag;
use std::sync::Arc;

/// A compiled model with the observers that run along with it.
///
/// A program is shared by all who explore the model; each of them has a [`Stepper`] of its own.
#[derive(Debug)]
pub struct Program {
    pub(crate) observers: Observers,
    /// What an operation does when its result is too large.
    pub(crate) arithmetic: Arithmetic,
    /// Whether only processes of the highest priority may move.
    pub(crate) prioritised: bool,
    /// For each monitor, the invariant that it checks, if it is one.
    pub(crate) invariants: Vec<Option<PropertyId>>,
    /// What makes the model a system of rules.
    pub(crate) rules: Rules,
    /// Elements that have no order, each with the cell that their array begins at.
    pub(crate) bags: Vec<(Bag, usize)>,
    pub(crate) code: Code,
    pub(crate) routines: Vec<CompiledRoutine>,
    /// How many nodes all routines together have.
    pub(crate) nodes: u32,
    pub(crate) parts: Parts,
    /// What is asked of states, as somebody sees them who is no process.
    pub(crate) conditions: Vec<Option<Entry>>,
    pub(crate) layout: Layout,
    pub(crate) shapes: Shapes,
    pub(crate) native: Native,
    /// Which steps are independent, if steppers are to leave some out.
    pub(crate) independence: Option<Arc<Independence>>,
    /// Which names stand for processes and values of parameters, if steppers are told which of them are twins.
    pub(crate) roles: Roles,
}

/// How the actions of processes are numbered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    /// The number of the first choice of each edge, template by template. What is no process has no actions, whatever stands there.
    pub firsts: Vec<Vec<u32>>,
    /// How many there are.
    pub count: u32,
}

/// What makes a model a system of rules. Nothing of it is set for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// The first process holds control at the start, which is no state.
    pub start_held: bool,
    /// Whether an edge can be taken may turn out only on the way.
    pub quiet: bool,
    /// A state that every step leads back to is a deadlock.
    pub no_change: bool,
    /// Every state in which the claim goes on alone is remembered.
    pub keeps_stutter: bool,
}

impl Rules {
    /// Whether it is known only after all moves have been tried that nothing can happen in a state.
    pub fn end_is_seen_late(self) -> bool {
        self.quiet || self.no_change
    }

    /// Whether a move may turn out to come to nothing when it is made: only rules do, and a system of rules holds its start or has quiet
    /// nodes.
    pub fn on_trial(self) -> bool {
        self.quiet || self.start_held
    }
}

impl Program {
    /// Compiles a model.
    ///
    /// # Errors
    ///
    /// If it needs more than this encoding has, which takes expressions nested hundreds deep, messages of
    /// hundreds of fields, or globals too large for any state that could be stored; or if whether a routine with quiet
    /// nodes can be taken matters to other edges.
    pub fn compile(model: &Model, observers: Observers) -> Result<Self, Unsupported> {
        compile(model, observers)
    }

    /// Compiles a model together with conditions that [`Stepper::condition`] is to be asked about. They may not read local variables of
    /// anybody but by the number of a process.
    ///
    /// # Errors
    ///
    /// As [`Program::compile`].
    pub fn compile_with(
        model: &Model,
        observers: Observers,
        conditions: &[Expr],
    ) -> Result<Self, Unsupported> {
        compile(model, observers)?.asking(model, conditions)
    }

    /// The same with conditions, as if it had been compiled with them ([`Program::compile_with`]). `model` is the one that was compiled.
    ///
    /// # Errors
    ///
    /// If a condition needs more than this encoding has, or does not go together with the rules of the model.
    pub fn asking(mut self, model: &Model, conditions: &[Expr]) -> Result<Self, Unsupported> {
        add_conditions(&mut self, model, conditions)?;
        Ok(self)
    }

    /// The same code for another exploration: no shape has come up yet, and no machine code is made. The numbers of shapes, and with
    /// them the bytes of packed states, depend on what is met first; so an exploration that begins afresh finds what it would find if
    /// the model were compiled again.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Program {
            observers: self.observers,
            arithmetic: self.arithmetic,
            prioritised: self.prioritised,
            invariants: self.invariants.clone(),
            rules: self.rules,
            bags: self.bags.clone(),
            code: self.code.clone(),
            routines: self.routines.clone(),
            nodes: self.nodes,
            parts: self.parts.clone(),
            conditions: self.conditions.clone(),
            layout: self.layout.clone(),
            shapes: self.shapes.afresh(),
            native: Native::default(),
            independence: self.independence.clone(),
            roles: self.roles.clone(),
        }
    }

    /// Lets steppers leave out steps that are independent of others ([`Stepper::expand_ample`]). `model` is the one that was
    /// compiled.
    ///
    /// # Errors
    ///
    /// If the model has something that makes every step depend on every other.
    pub fn leaving_out_steps(mut self, model: &Model) -> Result<Self, Obstacle> {
        self.leave_out(model, None)?;
        Ok(self)
    }

    /// The same, so that runs are kept as well: those that are left look the same as all runs to who sees nothing but whether the conditions
    /// hold, and not how long that is so. The search has to see to it that on every cycle of states some state is expanded fully.
    ///
    /// # Errors
    ///
    /// As [`Program::leaving_out_steps`].
    pub fn leaving_out_unseen_steps(
        mut self,
        model: &Model,
        conditions: &[Expr],
    ) -> Result<Self, Obstacle> {
        self.leave_out(model, Some(conditions))?;
        Ok(self)
    }

    fn leave_out(&mut self, model: &Model, watched: Option<&[Expr]>) -> Result<(), Obstacle> {
        let (layout, code) = (&self.layout, &mut self.code);
        let independence = Independence::new(model, self.observers, watched, layout, code)?;
        self.independence = Some(Arc::new(independence));
        Ok(())
    }

    /// Whether steppers that leave out steps see to it that none is put off for ever, by marks on cycles. If not, that is for the search to see to.
    pub fn marks_cycles(&self) -> bool {
        let independence = self.independence.as_ref();
        independence.is_some_and(|independence| independence.marks_cycles())
    }

    /// The same for another exploration, in which that is for the search to see to.
    #[must_use]
    pub fn without_marks(&self) -> Self {
        let independence = self.independence.as_ref();
        let unmarked = independence.map(|independence| Arc::new(independence.without_marks()));
        Program {
            independence: unmarked,
            ..self.afresh()
        }
    }

    /// Lets steppers make moves once that twins have in common ([`Stepper::twins`]).
    #[must_use]
    pub fn firing_once(mut self, roles: Roles) -> Self {
        self.roles = roles;
        self
    }

    /// Whether steppers can make moves once that twins have in common.
    pub fn has_roles(&self) -> bool {
        self.roles.names > 0
    }

    /// Whether the steps that steppers leave out leave runs as they look.
    pub fn keeps_runs(&self) -> bool {
        let independence = self.independence.as_ref();
        independence.is_some_and(|independence| independence.keeps_runs())
    }

    /// Whether a process may come back to where it has been while it keeps control, as far as its edges tell. At a rendezvous the receiver
    /// decides about that, so a sender may keep it by getting it back.
    pub fn may_have_atomic_cycle(&self) -> bool {
        let meets = self.parts.kinds.iter().any(|kind| kind.capacity == 0);
        let mut templates = self.parts.templates.iter();
        templates.any(|template| template.may_have_atomic_cycle(meets))
    }

    /// Whether steppers can leave out steps.
    pub fn leaves_out_steps(&self) -> bool {
        self.independence.is_some()
    }

    /// The same, with every state remembered in which the claim goes on alone because the system has stopped for ever.
    ///
    /// Without this the claim makes its first two steps in one there, as in Spin, whose states can so be counted; what follows a state then
    /// depends on whether the system has just stopped. Who looks for infinite runs must not take two such states for one.
    #[must_use]
    pub fn keeping_stutter(mut self) -> Self {
        self.rules.keeps_stutter = true;
        self
    }

    /// The observers that run along.
    pub fn observers(&self) -> Observers {
        self.observers
    }

    /// Whether the start is no state itself, but what comes before the states that runs start in.
    pub fn start_is_held(&self) -> bool {
        self.rules.start_held
    }

    /// How many operations its code has, but for the code that makes the first state, where each variable gets its value.
    pub fn operations(&self) -> usize {
        self.code.ops.len() - self.parts.after_start as usize
    }

    /// How many bytes of machine code have been made for it.
    pub fn machine_code_bytes(&self) -> usize {
        self.native.bytes()
    }

    /// The actions of processes: an action is an edge with a choice of its parameters. Those of an edge have numbers one after the other.
    pub fn actions(&self) -> Actions {
        let templates = self.parts.templates.iter();
        let edges = templates.clone().flat_map(|template| &template.edges);
        let ends = edges.map(|edge| {
            edge.first_action
                .saturating_add(edge.parameters.choices.max(1))
        });
        let firsts = |template: &CompiledTemplate| {
            let edges = template.edges.iter();
            edges.map(|edge| edge.first_action).collect()
        };
        Actions {
            firsts: templates.map(firsts).collect(),
            count: ends.max().unwrap_or(0),
        }
    }

    /// The number of the shape of a packed state, which says which processes there are; nothing if the bytes are no state.
    #[inline]
    pub fn shape_of(packed: &[u8]) -> Option<u32> {
        read_prefix(packed)
    }

    /// The most processes that any state has had so far.
    pub fn most_processes(&self) -> usize {
        self.shapes.most_processes()
    }

    /// How many conditions it was compiled with.
    pub fn conditions(&self) -> usize {
        self.conditions.len()
    }

    /// Whose turn it is where nobody holds control.
    pub fn open_turn(&self) -> Turn {
        match self.observers.claim {
            Some(_) => Turn::Claim,
            None => Turn::Free,
        }
    }

    /// Somebody who makes steps: by machine code where that pays and this machine has a compiler, otherwise as an
    /// [`Program::interpreting_stepper`] does. The two tell the same successors in the same order.
    pub fn stepper(&self) -> Stepper<'_> {
        Stepper::new(self).with_machine_code()
    }

    /// Somebody who makes steps by machine code from the first state of each shape on. To compile what is met once or twice does
    /// not pay: this is for comparisons.
    pub fn eager_stepper(&self) -> Stepper<'_> {
        Stepper::new(self).with_machine_code().without_patience()
    }

    /// Somebody who makes steps without machine code.
    pub fn interpreting_stepper(&self) -> Stepper<'_> {
        Stepper::new(self)
    }
}

/// The observer of messages.
#[derive(Clone, Debug)]
pub(crate) struct EventObserver {
    pub template: TemplateId,
    /// Whether it is an error if an event cannot be followed; otherwise, if all can.
    pub required: bool,
    /// In the order of the template's edges.
    pub edges: Vec<EventEdge>,
    /// For each location, whether the observer is done there.
    pub finals: Vec<bool>,
}

/// A way to follow an event.
#[derive(Clone, Debug)]
pub(crate) struct EventEdge {
    pub kind: EventKind,
    pub target: u32,
}

/// Which events an edge of the observer follows.
#[derive(Clone, Debug)]
pub(crate) enum EventKind {
    /// A send on that channel with those fields.
    Sent {
        channel: ChannelSource,
        fields: Vec<(u32, Source)>,
    },
    /// A receive from that channel with those fields.
    Received {
        channel: ChannelSource,
        fields: Vec<(u32, Source)>,
    },
    /// Any, if the guard holds.
    Always {
        guard: Option<Entry>,
    },
    Never,
}
