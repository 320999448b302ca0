//! The test whether plain values may be interchangeable. Nothing here is trusted: it only says whether a search is worth the effort.
//!
//! A renaming of data keeps locations. So an edge that is the only one of its form between two locations becomes itself, and a constant that it assigns, sends or compares
//! a cell with stays what it is: it is *pinned*. Values of a class of cells are *rigid* if at most one of those that occur is not pinned, or if one is pinned and all others are counted
//! up or down from it. Where all classes are rigid, no data can be renamed.

use super::counted::counted;
use super::typer::{Typer, field_of};
use super::types::{NameType, Slot};
use crate::locations::populated;
use crate::sorts::Shape;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Root, UnaryOp};
use mandala_model::ids::{NodeId, TemplateId};
use mandala_model::state::Value;
use mandala_model::template::{Edge, Effect, Step, Template};
use mandala_model::types::{Initial, Storage, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the values of a class of cells.
#[derive(Default)]
struct Class {
    /// Constants that occur.
    written: BTreeSet<Value>,
    /// Those of them that stay what they are.
    pinned: BTreeSet<Value>,
    /// Whether values are made from others of the class one after the other.
    counts: bool,
    /// Whether there are values of which nothing is known.
    is_open: bool,
}

impl Class {
    fn is_rigid(&self) -> bool {
        let free = self.written.difference(&self.pinned).count();
        let counted = !self.counts || !self.pinned.is_empty();
        !self.is_open && counted && (self.counts || free <= 1)
    }
}

/// For each class of cells that hold neither known names nor channels, by its root, whether it is rigid.
pub(super) fn rigid_classes(typer: &mut Typer<'_>) -> BTreeMap<Slot, bool> {
    let mut survey = Survey {
        typer,
        template: None,
        classes: BTreeMap::new(),
    };
    survey.whole();
    let classes = survey.classes.into_iter();
    classes
        .map(|(root, class)| (root, class.is_rigid()))
        .collect()
}

struct Survey<'t, 'm> {
    typer: &'t mut Typer<'m>,
    template: Option<TemplateId>,
    classes: BTreeMap<Slot, Class>,
}

impl Survey<'_, '_> {
    fn whole(&mut self) {
        let model = self.typer.model;
        let state = std::rc::Rc::clone(&self.typer.state);
        for (variable, shape) in model.globals.iter().zip(&state.globals) {
            self.first(variable, shape);
        }
        for id in populated(model) {
            self.template = Some(id);
            let template = model.template(id);
            let locals = template.locals.iter().zip(&state.locals[id.index()]);
            let parameters = template.parameters as usize;
            locals
                .skip(parameters)
                .for_each(|(v, shape)| self.first(v, shape));
            self.edges(template);
        }
        for start in &model.start {
            self.arguments(start.template, &start.arguments, false);
        }
    }

    fn first(&mut self, variable: &Variable, shape: &Shape<Slot>) {
        if variable.storage != Storage::State {
            return;
        }
        let values: Vec<Option<Value>> = match &variable.initial {
            Initial::Default => vec![Some(0)],
            Initial::Fill(value) => vec![value.as_constant()],
            Initial::List(values) => values.iter().map(Expr::as_constant).collect(),
            Initial::NewChannel(_) => return,
        };
        let mut slots = Vec::new();
        shape.each_cell(&mut |slot| slots.push(*slot));
        for slot in slots {
            for value in &values {
                self.write(slot, *value, false);
            }
        }
    }

    fn edges(&mut self, template: &Template) {
        let form = |edge: &Edge| (edge.source, edge.target, form_of(&edge.step));
        let mut ways = BTreeMap::new();
        for edge in &template.edges {
            *ways.entry(form(edge)).or_insert(0) += 1;
        }
        for edge in &template.edges {
            let alone = ways.get(&form(edge)) == Some(&1);
            match &edge.step {
                Step::Routine(routine) => {
                    let heads = counted(self.typer.model, self.template, routine);
                    let is_head = |number: NodeId| heads.iter().any(|each| each.head == number);
                    let mut nodes = (0..).map(NodeId).zip(&routine.nodes);
                    let straight = nodes.all(|(n, node)| node.choices.len() == 1 || is_head(n));
                    let choices = routine.nodes.iter().flat_map(|node| &node.choices);
                    choices.for_each(|choice| self.step(&choice.step, alone && straight));
                }
                step => self.step(step, alone),
            }
        }
    }

    fn step(&mut self, step: &Step, alone: bool) {
        match step {
            Step::Guarded { guard, effects } => {
                self.guard(guard, alone);
                effects.iter().for_each(|effect| self.effect(effect, alone));
            }
            Step::Send {
                channel, message, ..
            } => {
                for (slot, value) in self.fields(channel).into_iter().zip(message) {
                    self.put(slot, value, alone);
                }
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                for (slot, pattern) in self.fields(channel).into_iter().zip(patterns) {
                    match pattern {
                        Pattern::Match(value) => self.put(slot, value, alone),
                        Pattern::Bind(_) | Pattern::Ignore => {}
                    }
                }
            }
            Step::Else | Step::Exit | Step::Routine(_) | Step::Call(_) => {}
        }
    }

    fn effect(&mut self, effect: &Effect, alone: bool) {
        match effect {
            Effect::Assign { place, value } => {
                if let Some(slot) = self.slot(place) {
                    self.put(slot, value, alone);
                }
            }
            Effect::Spawn {
                template,
                arguments,
                ..
            } => self.arguments(*template, arguments, alone),
            Effect::Assert { condition } => self.guard(condition, alone),
            _ => {}
        }
    }

    fn arguments(&mut self, template: TemplateId, arguments: &[Expr], alone: bool) {
        let state = std::rc::Rc::clone(&self.typer.state);
        let count = self.typer.model.template(template).parameters as usize;
        let mut slots = Vec::new();
        for shape in state.locals[template.index()].iter().take(count) {
            shape.each_cell(&mut |slot| slots.push(*slot));
        }
        for (slot, value) in slots.into_iter().zip(arguments) {
            self.put(slot, value, alone);
        }
    }

    /// A condition on one cell alone, or one of several that must all hold.
    fn guard(&mut self, guard: &Expr, alone: bool) {
        if let ExprKind::Binary(BinaryOp::And, left, right) = &guard.kind {
            self.guard(left, alone);
            return self.guard(right, alone);
        }
        let (read, value) = match &guard.kind {
            ExprKind::Unary(UnaryOp::Not, read) => (&**read, Some(0)),
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, read, value) => {
                (&**read, value.as_constant())
            }
            _ => (guard, Some(0)),
        };
        if let (ExprKind::Read(place), Some(value)) = (&read.kind, value)
            && let Some(slot) = self.slot(place)
            && alone
        {
            self.class(slot).map(|class| class.pinned.insert(value));
        }
    }

    /// Something is put into a cell.
    fn put(&mut self, slot: Slot, value: &Expr, alone: bool) {
        if value.as_constant().is_some() {
            return self.write(slot, value.as_constant(), alone);
        }
        let own = self.root(slot);
        let mut leaves = Vec::new();
        value.walk(&mut |part| {
            if let ExprKind::Read(place) = &part.kind {
                leaves.push(place.clone());
            }
        });
        let [leaf] = &leaves[..] else {
            return self.write(slot, None, alone);
        };
        let from = self.slot(leaf).map(|leaf| self.root(leaf));
        if from != Some(own) {
            return self.write(slot, None, alone);
        }
        if matches!(value.kind, ExprKind::Read(_)) {
            return;
        }
        match is_next(value) && alone {
            true => drop(self.class(slot).map(|class| class.counts = true)),
            false => self.write(slot, None, alone),
        }
    }

    fn write(&mut self, slot: Slot, value: Option<Value>, alone: bool) {
        if let Some(class) = self.class(slot) {
            class.is_open |= value.is_none();
            class.written.extend(value);
            class.pinned.extend(value.filter(|_| alone));
        }
    }

    fn root(&mut self, slot: Slot) -> Slot {
        self.typer.slots.root(slot).0
    }

    /// The class of a cell, unless it holds names or channels.
    fn class(&mut self, slot: Slot) -> Option<&mut Class> {
        let (root, offset) = self.typer.slots.root(slot);
        match self.typer.slots.resolve(slot.ty()) {
            NameType::Plain | NameType::Open(..) if offset == 0 => {
                Some(self.classes.entry(root).or_default())
            }
            NameType::Plain | NameType::Open(..) => {
                let class = self.classes.entry(root).or_default();
                class.is_open = true;
                Some(class)
            }
            _ => None,
        }
    }

    /// The cell of the state that a place is.
    fn slot(&self, place: &Place) -> Option<Slot> {
        let model = self.typer.model;
        let declared = match &place.root {
            Root::Global(id) => model.globals.get(id.index()),
            Root::Local(id) => self
                .template
                .and_then(|t| model.template(t).locals.get(id.index())),
            _ => None,
        };
        if declared.is_some_and(|variable| variable.storage == Storage::Scratch) {
            return None;
        }
        let mut part = self.typer.state.variable(self.template, &place.root)?;
        for projection in &place.path {
            part = part.part(field_of(projection))?.0;
        }
        match part {
            Shape::Cell(slot, _) => Some(*slot),
            _ => None,
        }
    }

    /// The fields of the messages of a channel.
    fn fields(&mut self, channel: &Expr) -> Vec<Slot> {
        let ExprKind::Read(place) = &channel.kind else {
            return Vec::new();
        };
        let ty = self
            .slot(place)
            .map(|slot| self.typer.slots.resolve(slot.ty()));
        match ty {
            Some(NameType::Channel(kind)) => self.typer.slots.fields(kind).to_vec(),
            _ => Vec::new(),
        }
    }
}

/// The variables that a step reads and writes, in the order of its text. Steps that differ in that hardly become each other.
fn form_of(step: &Step) -> Vec<String> {
    let mut roots = Vec::new();
    step.each_whole(&mut |whole| {
        whole.walk(&mut |part| {
            if let ExprKind::Read(place) = &part.kind {
                roots.push(named(&place.root));
            }
        });
    });
    let mut targets = step.clone();
    targets.each_target_mut(&mut |place| roots.push(named(&place.root)));
    roots
}

fn named(root: &Root) -> String {
    match root {
        Root::Global(id) => format!("global {}", id.0),
        Root::Local(id) => format!("local {}", id.0),
        Root::Remote { local, .. } => format!("remote {}", local.0),
        Root::Reference(_) | Root::OwnPriority => String::new(),
    }
}

/// Whether an expression is the value after or before that of a cell, in a row or in a ring, or its negation.
fn is_next(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Unary(UnaryOp::Not, read) => matches!(read.kind, ExprKind::Read(_)),
        ExprKind::Binary(BinaryOp::Modulo, inner, by) => {
            by.as_constant().is_some() && is_next(inner)
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, read, by) => {
            matches!(read.kind, ExprKind::Read(_)) && by.as_constant() == Some(1)
        }
        _ => false,
    }
}
