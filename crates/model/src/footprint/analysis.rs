//! The derivation of footprints.

use super::birth::Birth;
use super::{Aspect, Channels, Footprint, Parts};
use crate::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Projection, Root, UnaryOp};
use crate::function::CALL;
use crate::ids::{ChannelKindId, EdgeId, GlobalId, LocalId, TemplateId};
use crate::model::{Arithmetic, Model};
use crate::template::{Edge, Effect, Keep, Print, Role, Step};
use crate::types::{Initial, Storage, Type, Variable};
use std::collections::HashSet;
use std::ops::Range;

/// What must be known of the whole model before any footprint can be derived.
pub struct Analysis<'m> {
    model: &'m Model,
    /// The variables that some step assigns to.
    assigned: HashSet<Owner>,
    /// Whether some channel is a rendezvous.
    any_rendezvous: bool,
}

/// A variable of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Global(GlobalId),
    Local(TemplateId, LocalId),
}

/// Reading or writing.
#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

impl<'m> Analysis<'m> {
    /// Looks through the model.
    pub fn new(model: &'m Model) -> Self {
        let mut assigned = HashSet::new();
        for (id, template) in model.runnables() {
            for edge in &template.edges {
                for_each_target(&edge.step, &mut |place| {
                    assigned.extend(owner(place, Some(id)));
                });
            }
        }
        Analysis {
            model,
            assigned,
            any_rendezvous: model.channel_kinds.iter().any(|k| k.capacity == 0),
        }
    }

    /// What the expression reads where it stands: in a template, or outside of all.
    pub fn expression(&self, expression: &Expr, template: Option<TemplateId>) -> Footprint {
        let mut derivation = self.derivation(template);
        derivation.expression(expression);
        derivation.footprint
    }

    /// What decides whether the edge can be taken.
    pub fn enabling(&self, edge: EdgeId) -> Footprint {
        let mut derivation = self.derivation(Some(edge.template));
        derivation.enabling_of_edge(edge);
        derivation.footprint
    }

    /// What decides whether the edge can be taken, and what taking it reads and writes.
    pub fn taking(&self, edge: EdgeId) -> Footprint {
        let mut derivation = self.derivation(Some(edge.template));
        derivation.whole_edge(edge);
        derivation.footprint
    }

    /// As [`Analysis::enabling`], for one process and without the channel of its own send or receive.
    pub fn enabling_beside_channel(&self, edge: EdgeId, birth: &Birth) -> Footprint {
        let mut derivation = self.derivation_of(edge.template, birth);
        derivation.aside = true;
        derivation.enabling_of_edge(edge);
        derivation.footprint
    }

    /// As [`Analysis::taking`], for one process. What it does to the channel of its own send or receive is left out if
    /// it is `aside`.
    pub fn taking_by(&self, edge: EdgeId, birth: &Birth, aside: bool) -> Footprint {
        let mut derivation = self.derivation_of(edge.template, birth);
        derivation.aside = aside;
        derivation.whole_edge(edge);
        derivation.footprint
    }

    /// What the template's condition on all moves reads for one process.
    pub fn provided_for(&self, template: TemplateId, birth: &Birth) -> Footprint {
        let provided = self.model.template(template).provided.as_ref();
        let reads = provided.map(|provided| self.expression_by(provided, template, birth));
        reads.unwrap_or_default()
    }

    /// What an expression reads if one process asks it.
    pub fn expression_by(
        &self,
        expression: &Expr,
        template: TemplateId,
        birth: &Birth,
    ) -> Footprint {
        let mut derivation = self.derivation_of(template, birth);
        derivation.expression(expression);
        derivation.footprint
    }

    /// Whether an expression has a value in every state, and never fails, if one process asks it.
    pub fn never_fails(&self, expression: &Expr, template: TemplateId, birth: &Birth) -> bool {
        self.derivation_of(template, birth).never_fails(expression)
    }

    /// The channels that one process may send to or receive from by the edge; none if it is no send and no receive.
    pub fn channels_of(&self, edge: EdgeId, birth: &Birth) -> Option<Channels> {
        let taken = &self.model.template(edge.template).edges[edge.index as usize];
        match &taken.step {
            Step::Send { channel, .. } | Step::Receive { channel, .. } => {
                let derivation = self.derivation_of(edge.template, birth);
                Some(derivation.known(channel).channels)
            }
            Step::Guarded { .. } | Step::Else | Step::Exit | Step::Routine(_) | Step::Call(_) => {
                None
            }
        }
    }

    /// Whether a local variable keeps for ever what it holds when its process is made.
    pub fn is_fixed(&self, template: TemplateId, local: LocalId) -> bool {
        let variable = &self.model.template(template).locals[local.index()];
        let owner = Owner::Local(template, local);
        variable.storage == Storage::State && !self.assigned.contains(&owner)
    }

    fn derivation(&self, template: Option<TemplateId>) -> Derivation<'_> {
        Derivation {
            analysis: self,
            template,
            birth: None,
            aside: false,
            own: false,
            footprint: Footprint::default(),
        }
    }

    fn derivation_of<'a>(&'a self, template: TemplateId, birth: &'a Birth) -> Derivation<'a> {
        Derivation {
            birth: Some(birth),
            ..self.derivation(Some(template))
        }
    }
}

/// The variable that a place is in, seen from a template.
fn owner(place: &Place, template: Option<TemplateId>) -> Option<Owner> {
    match &place.root {
        Root::Global(id) => Some(Owner::Global(*id)),
        Root::Local(id) => template.map(|template| Owner::Local(template, *id)),
        Root::Remote {
            template, local, ..
        } => Some(Owner::Local(*template, *local)),
        Root::OwnPriority | Root::Reference(_) => None,
    }
}

/// Calls `visit` on every place that the step assigns to.
fn for_each_target<'s>(step: &'s Step, visit: &mut impl FnMut(&'s Place)) {
    match step {
        Step::Guarded { effects, .. } => {
            for effect in effects {
                match effect {
                    Effect::Assign { place, .. } => visit(place),
                    Effect::Spawn { result, .. } => result.iter().for_each(&mut *visit),
                    Effect::Insert(insertion) => {
                        visit(&insertion.position);
                        insertion.cells.iter().for_each(|(place, _)| visit(place));
                    }
                    Effect::Assert { .. }
                    | Effect::Print { .. }
                    | Effect::SetPriority { .. }
                    | Effect::Fail { .. }
                    | Effect::Abandon => {}
                }
            }
        }
        Step::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    visit(place);
                }
            }
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|choice| for_each_target(&choice.step, visit));
        }
        Step::Else | Step::Send { .. } | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}

/// The derivation of one footprint.
struct Derivation<'a> {
    analysis: &'a Analysis<'a>,
    template: Option<TemplateId>,
    /// What is known of the process, if it is one process whose footprint is wanted.
    birth: Option<&'a Birth>,
    /// Whether the channel of the edge's own send or receive is left out.
    aside: bool,
    /// Whether what is derived is the edge's own send or receive, and it is one process's.
    own: bool,
    footprint: Footprint,
}

/// What is known of the channel that an expression refers to.
struct Known {
    channels: Channels,
    kind: Option<ChannelKindId>,
}

impl<'a> Derivation<'a> {
    fn model(&self) -> &'a Model {
        self.analysis.model
    }

    fn asks(&mut self, aspects: &[Aspect]) {
        self.footprint.reads.aspects.extend(aspects);
    }

    fn changes(&mut self, aspects: &[Aspect]) {
        self.footprint.writes.aspects.extend(aspects);
    }

    fn parts(&mut self, access: Access) -> &mut Parts {
        match access {
            Access::Read => &mut self.footprint.reads,
            Access::Write => &mut self.footprint.writes,
        }
    }

    fn expressions(&mut self, expressions: &[Expr]) {
        expressions.iter().for_each(|e| self.expression(e));
    }

    fn expression(&mut self, expression: &Expr) {
        expression.walk(&mut |node| self.node(node));
    }

    /// One node of an expression; those inside it are visited by the walk.
    fn node(&mut self, node: &Expr) {
        match &node.kind {
            ExprKind::Read(place) => self.touch(place, Access::Read),
            ExprKind::ProcessCount | ExprKind::FirstInstance(_) => {
                self.asks(&[Aspect::Population]);
            }
            ExprKind::LastMover => self.asks(&[Aspect::LastMover]),
            ExprKind::Timeout => self.asks(&[Aspect::Timeout]),
            ExprKind::Enabled(_) => self.asks(&[Aspect::Population, Aspect::Enabled]),
            ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::LocationNumber(_)
            | ExprKind::At { .. } => {
                self.asks(&[Aspect::Population, Aspect::Locations]);
            }
            ExprKind::Priority(_) => self.asks(&[Aspect::Population, Aspect::Priorities]),
            ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
                self.look_at(channel);
            }
            ExprKind::Const(_)
            | ExprKind::SelfId
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Quantified(_)
            | ExprKind::Bound(_) => {}
        }
    }

    /// The place that is read or written; not the expressions inside it.
    fn touch(&mut self, place: &Place, access: Access) {
        let template = self.template;
        match &place.root {
            Root::Global(id) => {
                let cells = self.cells(&self.model().globals[id.index()], place);
                self.parts(access).globals.insert(*id, cells);
            }
            Root::Local(id) => {
                let cells = template.map_or(0..0, |template| {
                    self.cells(self.local(template, *id), place)
                });
                self.parts(access).locals.insert(*id, cells);
            }
            Root::Remote {
                template, local, ..
            } => {
                let cells = self.cells(self.local(*template, *local), place);
                let variable = (*template, *local);
                self.parts(access).remote.insert(variable, cells);
                // Whether the process exists and of which template it is.
                self.asks(&[Aspect::Population]);
            }
            Root::OwnPriority => {
                self.parts(access).aspects.insert(Aspect::Priorities);
            }
            Root::Reference(_) => unreachable!("{CALL}"),
        }
    }

    fn local(&self, template: TemplateId, local: LocalId) -> &'a Variable {
        &self.model().template(template).locals[local.index()]
    }

    /// The cells that a place may be, counted from the first of its variable.
    fn cells(&self, variable: &Variable, place: &Place) -> Range<u32> {
        if variable.storage == Storage::Scratch {
            return 0..0;
        }
        let (mut ty, mut start) = (&variable.ty, 0);
        for projection in &place.path {
            // Where the part is not known, it may be any that is left.
            let Some((part, offset)) = self.part(ty, projection) else {
                break;
            };
            (ty, start) = (part, start + offset);
        }
        start as u32..(start + self.model().cells(ty)) as u32
    }

    /// The type and the offset of a part, if it is the same in every state.
    fn part<'t>(&'t self, ty: &'t Type, projection: &Projection) -> Option<(&'t Type, usize)> {
        match (ty, projection) {
            (Type::Record(id), Projection::Field(field)) => {
                let fields = &self.model().record(*id).fields;
                let offset = self.model().cell_offset(fields, *field as usize);
                Some((&fields[*field as usize].ty, offset))
            }
            (Type::Array { element, length }, Projection::Index(index)) => {
                let index = u32::try_from(self.value(index)?).ok()?;
                let offset = self.model().cells(element) * index as usize;
                (index < *length).then_some((&**element, offset))
            }
            _ => None,
        }
    }

    /// Whether an expression has a value in every state. Where that takes more than a look at it, the answer is no.
    fn never_fails(&self, expression: &Expr) -> bool {
        if self.value(expression).is_some() {
            return true;
        }
        match &expression.kind {
            ExprKind::Const(_) | ExprKind::SelfId | ExprKind::ProcessCount | ExprKind::Timeout => {
                true
            }
            ExprKind::Read(place) => self.is_one_cell(place),
            ExprKind::Unary(op, operand) => {
                *op != UnaryOp::Defined
                    && self.fits(*op != UnaryOp::Negate)
                    && self.never_fails(operand)
            }
            ExprKind::Binary(op, left, right) => {
                self.is_total(*op) && self.never_fails(left) && self.never_fails(right)
            }
            ExprKind::Conditional(condition, yes, no) => [condition, yes, no]
                .iter()
                .all(|part| self.never_fails(part)),
            _ => false,
        }
    }

    /// Whether a result is always in range, given whether it is however large the operands are.
    fn fits(&self, always: bool) -> bool {
        always || self.model().arithmetic == Arithmetic::Wrapping32
    }

    /// Whether an operation has a result whatever its operands are.
    fn is_total(&self, op: BinaryOp) -> bool {
        match op {
            BinaryOp::Divide | BinaryOp::Modulo | BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                false
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => self.fits(false),
            _ => true,
        }
    }

    /// Whether a place of a global variable, or of a local one of the process itself, is the same cell in every state.
    fn is_one_cell(&self, place: &Place) -> bool {
        let variable = match (&place.root, self.template) {
            (Root::Global(id), _) => &self.model().globals[id.index()],
            (Root::Local(id), Some(template)) => self.local(template, *id),
            _ => return false,
        };
        let mut ty = &variable.ty;
        place.path.iter().all(|projection| {
            let part = self.part(ty, projection);
            part.inspect(|(part, _)| ty = part).is_some()
        })
    }

    /// Reads the contents of a channel.
    fn look_at(&mut self, channel: &Expr) -> Known {
        let known = self.refer_to(channel);
        self.footprint.reads.channels.add(&known.channels);
        known
    }

    /// Refers to a channel, whatever is in it.
    fn refer_to(&mut self, channel: &Expr) -> Known {
        let known = self.known(channel);
        if known.channels.any {
            // It may be gone.
            self.asks(&[Aspect::Population]);
        }
        known
    }

    /// The value of an expression, if it is the same in every state.
    fn value(&self, expression: &Expr) -> Option<i64> {
        let cell = |place: &Place| self.fixed_cell(place);
        match self.birth {
            Some(birth) => birth.value(expression, &cell),
            None => expression.as_constant(),
        }
    }

    /// The cell of a local variable that a place always is.
    fn fixed_cell(&self, place: &Place) -> Option<(LocalId, u32)> {
        let (Root::Local(id), Some(template)) = (&place.root, self.template) else {
            return None;
        };
        let cells = self.cells(self.local(template, *id), place);
        (cells.len() == 1).then_some((*id, cells.start))
    }

    /// Which channel an expression refers to.
    fn known(&self, channel: &Expr) -> Known {
        let found = self.fixed(channel).or_else(|| self.given(channel));
        found.unwrap_or_else(|| Known {
            channels: Channels {
                any: true,
                ..Channels::default()
            },
            kind: None,
        })
    }

    /// The channel that a process was given when it was made.
    fn given(&self, channel: &Expr) -> Option<Known> {
        let reference = self.birth.and(self.value(channel))?;
        Some(Known {
            channels: Channels {
                references: [reference].into(),
                ..Channels::default()
            },
            kind: None,
        })
    }

    /// The channel of a variable that was made for it and is never assigned.
    fn fixed(&self, channel: &Expr) -> Option<Known> {
        let ExprKind::Read(place) = &channel.kind else {
            return None;
        };
        let owner = owner(place, self.template)?;
        if self.analysis.assigned.contains(&owner) {
            return None;
        }
        let mut channels = Channels::default();
        let variable = match place.root {
            Root::Global(id) => {
                let variable = &self.model().globals[id.index()];
                channels.globals.insert(id, self.cells(variable, place));
                variable
            }
            Root::Local(id) => {
                let variable = self.local(self.template?, id);
                channels.locals.insert(id, self.cells(variable, place));
                variable
            }
            Root::Remote { .. } | Root::OwnPriority | Root::Reference(_) => return None,
        };
        let kind = self.made_with(variable, &place.path)?;
        Some(Known {
            channels,
            kind: Some(kind),
        })
    }

    /// The kind of channel that is made for a part of a variable. A field brings its own initial
    /// value, so the innermost declaration on the way counts.
    fn made_with(&self, variable: &Variable, path: &[Projection]) -> Option<ChannelKindId> {
        let mut declaration = variable;
        let mut ty = &variable.ty;
        for projection in path {
            ty = match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    declaration = &self.model().record(*id).fields[*field as usize];
                    &declaration.ty
                }
                (Type::Array { element, .. }, Projection::Index(_)) => element,
                _ => return None,
            };
        }
        match declaration.initial {
            Initial::NewChannel(kind) if declaration.storage == Storage::State => Some(kind),
            _ => None,
        }
    }

    /// Whether two processes may meet at the channel.
    fn may_meet(&self, known: &Known) -> bool {
        known.kind.map_or(self.analysis.any_rendezvous, |kind| {
            self.model().channel_kind(kind).capacity == 0
        })
    }

    /// What decides whether the edge can be taken, and what taking it reads and writes.
    fn whole_edge(&mut self, edge: EdgeId) {
        self.enabling_of_edge(edge);
        let template = self.model().template(edge.template);
        let taken = &template.edges[edge.index as usize];
        self.step(&taken.step);
        if template.role == Role::Process {
            self.movement(taken);
        }
    }

    fn enabling_of_edge(&mut self, edge: EdgeId) {
        let template = self.model().template(edge.template);
        let taken = &template.edges[edge.index as usize];
        let first = template.locations[taken.source.index()].edges.start;
        for earlier in &template.edges[first as usize..edge.index as usize] {
            if may_forbid(earlier, taken) {
                self.enabling(&earlier.step);
            }
        }
        let talks = matches!(taken.step, Step::Send { .. } | Step::Receive { .. });
        self.own = talks && self.birth.is_some();
        self.enabling(&taken.step);
    }

    /// What decides whether the step can be taken.
    fn enabling(&mut self, step: &Step) {
        match step {
            Step::Guarded { guard, .. } => self.expression(guard),
            Step::Send {
                channel, message, ..
            } => {
                // Whether somebody is there to take the message depends on what it is.
                if self.port(channel) {
                    self.expressions(message);
                    // Who looks at one process pairs the two halves, and knows who is there.
                    if !self.own {
                        self.asks(&[Aspect::Population, Aspect::Locations]);
                    }
                }
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                self.port(channel);
                self.matches(patterns);
            }
            Step::Exit => self.asks(&[Aspect::Population]),
            Step::Call(_) => unreachable!("{CALL}"),
            // What is done on the way decides what a quiet node sees.
            Step::Routine(routine) if routine.is_quiet() => {
                let mut whole = self.analysis.derivation(self.template);
                whole.step(step);
                self.footprint.reads.add(&whole.footprint.reads);
                self.footprint.meets |= whole.footprint.meets;
            }
            Step::Routine(routine) => {
                let first = routine.nodes.iter().take(1).flat_map(|n| &n.choices);
                first.for_each(|choice| self.enabling(&choice.step));
            }
            Step::Else => {}
        }
    }

    /// Looks at a channel before a send or a receive; true if it may be a rendezvous.
    fn port(&mut self, channel: &Expr) -> bool {
        self.expression(channel);
        let known = match self.aside && self.own {
            true => self.refer_to(channel),
            false => self.look_at(channel),
        };
        let meets = self.may_meet(&known);
        self.footprint.meets |= meets;
        meets
    }

    fn matches(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Match(value) = pattern {
                self.expression(value);
            }
        }
    }

    /// What taking the step reads and writes, besides what decides whether it can be taken.
    fn step(&mut self, step: &Step) {
        match step {
            Step::Guarded { effects, .. } => effects.iter().for_each(|e| self.effect(e)),
            Step::Send {
                channel, message, ..
            } => {
                self.expressions(message);
                self.change_channel(channel);
            }
            Step::Receive {
                channel,
                keep,
                patterns,
                ..
            } => {
                if *keep == Keep::Remove {
                    self.change_channel(channel);
                }
                for pattern in patterns {
                    if let Pattern::Bind(place) = pattern {
                        self.target(place);
                    }
                }
            }
            Step::Exit => self.exit(),
            Step::Call(_) => unreachable!("{CALL}"),
            Step::Routine(routine) => {
                for choice in routine.nodes.iter().flat_map(|n| &n.choices) {
                    self.enabling(&choice.step);
                    self.step(&choice.step);
                }
            }
            Step::Else => {}
        }
    }

    fn change_channel(&mut self, channel: &Expr) {
        if !(self.aside && self.own) {
            let known = self.known(channel);
            self.footprint.writes.channels.add(&known.channels);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign { place, value } => {
                self.expression(value);
                self.target(place);
            }
            Effect::Assert { condition } => {
                self.expression(condition);
                self.footprint.asserts = true;
            }
            Effect::Print { text } => {
                self.footprint.prints = true;
                match text {
                    Print::Format { arguments, .. } => self.expressions(arguments),
                    Print::Name(value) => self.expression(value),
                }
            }
            Effect::Spawn {
                template,
                arguments,
                result,
                ..
            } => {
                self.expressions(arguments);
                self.spawn(*template);
                result.iter().for_each(|place| self.target(place));
            }
            Effect::SetPriority { process, priority } => {
                self.expression(process);
                self.expression(priority);
                self.asks(&[Aspect::Population]);
                self.changes(&[Aspect::Priorities]);
            }
            Effect::Fail { .. } => self.footprint.asserts = true,
            Effect::Abandon => {}
            Effect::Insert(insertion) => {
                self.footprint.asserts = true;
                self.expression(&insertion.has_room);
                self.expression(&insertion.first_free);
                self.target(&insertion.position);
                for (place, value) in &insertion.cells {
                    self.expression(value);
                    self.target(place);
                }
            }
        }
    }

    fn target(&mut self, place: &Place) {
        place.walk(&mut |node| self.node(node));
        self.touch(place, Access::Write);
    }

    fn spawn(&mut self, template: TemplateId) {
        self.footprint.spawns.insert(template);
        self.asks(&[Aspect::Population]);
        self.changes(&[Aspect::Population, Aspect::Locations, Aspect::Priorities]);
        let mut inside = self.analysis.derivation(Some(template));
        for local in &self.model().template(template).locals {
            match &local.initial {
                Initial::Fill(value) => inside.expression(value),
                Initial::List(values) => inside.expressions(values),
                Initial::Default | Initial::NewChannel(_) => {}
            }
        }
        // The locals that were read there are the new process's own.
        inside.footprint.reads.locals = super::Cells::default();
        self.footprint.add(&inside.footprint);
    }

    fn exit(&mut self) {
        self.footprint.exits = true;
        self.changes(&[Aspect::Population, Aspect::Locations, Aspect::Priorities]);
    }

    /// What every move of a process changes.
    fn movement(&mut self, edge: &Edge) {
        if edge.source != edge.target {
            self.changes(&[Aspect::Locations]);
        }
        if self.model().tracks_last_mover {
            self.changes(&[Aspect::LastMover]);
        }
    }
}

/// True if a later edge depends on whether an earlier one at the same location can be taken.
fn may_forbid(earlier: &Edge, later: &Edge) -> bool {
    let escapes = earlier.escape != 0 && earlier.escape != later.escape;
    escapes || matches!(later.step, Step::Else)
}
