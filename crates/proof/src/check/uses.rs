//! The evaluations and assignments of a step in their order, and those of the text that the step becomes.

use mandala_model::expr::{Expr, ExprKind, Pattern, Place, Projection, Root};
use mandala_model::ids::GlobalId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Effect, Print, Step};
use mandala_symmetry::sorts::Row;
use std::collections::HashMap;

/// Something that a step does.
#[derive(Clone, Copy)]
pub(super) enum Use<'m> {
    /// It evaluates an expression.
    Evaluates(&'m Expr),
    /// A place gets a value: that of an expression, or another one.
    Assigns(&'m Place, Option<&'m Expr>),
    /// A place gets a part of a message, if one comes.
    Binds(&'m Place),
    /// A place is passed to a function.
    Passes(&'m Place),
}

impl<'m> Use<'m> {
    /// The place that it may write to.
    pub(super) fn target(self) -> Option<&'m Place> {
        match self {
            Use::Evaluates(_) => None,
            Use::Assigns(place, _) | Use::Binds(place) | Use::Passes(place) => Some(place),
        }
    }
}

/// What a step does; of a routine, what all its choices do.
pub(super) fn uses(step: &Step) -> Vec<Use<'_>> {
    match step {
        Step::Guarded { guard, effects } => {
            let done = effects.iter().flat_map(of_effect);
            std::iter::once(Use::Evaluates(guard)).chain(done).collect()
        }
        Step::Send {
            channel, message, ..
        } => message
            .iter()
            .chain([channel])
            .map(Use::Evaluates)
            .collect(),
        Step::Receive {
            channel, patterns, ..
        } => {
            let asked = patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Match(value) => Some(Use::Evaluates(value)),
                Pattern::Bind(place) => Some(Use::Binds(place)),
                Pattern::Ignore => None,
            });
            std::iter::once(Use::Evaluates(channel))
                .chain(asked)
                .collect()
        }
        Step::Call(call) => {
            let values = call.arguments.iter().map(Use::Evaluates);
            let places = call.references.iter().map(Use::Passes);
            let result = call.result.iter().map(|place| Use::Assigns(place, None));
            values.chain(places).chain(result).collect()
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|node| &node.choices);
            choices.flat_map(|choice| uses(&choice.step)).collect()
        }
        Step::Else | Step::Exit => Vec::new(),
    }
}

pub(super) fn of_effect(effect: &Effect) -> Vec<Use<'_>> {
    let assigned = |place, value| [Use::Evaluates(value), Use::Assigns(place, Some(value))];
    match effect {
        Effect::Assign { place, value } => assigned(place, value).into(),
        Effect::Assert { condition } => vec![Use::Evaluates(condition)],
        Effect::Print { text } => printed(text).iter().map(Use::Evaluates).collect(),
        Effect::Spawn {
            arguments, result, ..
        } => {
            let result = result.iter().map(|place| Use::Assigns(place, None));
            arguments.iter().map(Use::Evaluates).chain(result).collect()
        }
        Effect::SetPriority { process, priority } => [process, priority].map(Use::Evaluates).into(),
        Effect::Insert(insertion) => {
            let room = Use::Evaluates(&insertion.has_room);
            let first = assigned(&insertion.position, &insertion.first_free);
            let cells = insertion.cells.iter();
            let cells = cells.flat_map(|(place, value)| assigned(place, value));
            [room].into_iter().chain(first).chain(cells).collect()
        }
        Effect::Fail { .. } | Effect::Abandon => Vec::new(),
    }
}

/// What is shown.
pub(super) fn printed(text: &Print) -> &[Expr] {
    match text {
        Print::Format { arguments, .. } => arguments,
        Print::Name(value) => std::slice::from_ref(value),
    }
}

/// The expressions that a place is directly made of.
pub(super) fn indices(place: &Place) -> Vec<&Expr> {
    let process = match &place.root {
        Root::Remote { process, .. } => Some(&**process),
        _ => None,
    };
    let indices = place.path.iter().filter_map(|projection| match projection {
        Projection::Index(index) => Some(index),
        Projection::Field(_) => None,
    });
    process.into_iter().chain(indices).collect()
}

/// The expressions that one is directly made of.
pub(super) fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Read(place) => indices(place),
        ExprKind::Unary(_, a)
        | ExprKind::Enabled(a)
        | ExprKind::LocationNumber(a)
        | ExprKind::Priority(a)
        | ExprKind::Channel(_, a)
        | ExprKind::At { process: a, .. } => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::Quantified(quantified) => vec![&quantified.body],
        ExprKind::Poll {
            channel, patterns, ..
        } => {
            let asked = patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Match(value) => Some(value),
                Pattern::Bind(_) | Pattern::Ignore => None,
            });
            std::iter::once(&**channel).chain(asked).collect()
        }
        _ => Vec::new(),
    }
}

/// What stands in the places of numbers and global variables in the image of a text. The two are of one form, and differ in nothing else; what is not mentioned stands for itself.
#[derive(Clone, Default)]
pub(super) struct Images<'p> {
    exprs: HashMap<*const Expr, &'p Expr>,
    variables: HashMap<*const Place, GlobalId>,
}

impl<'p> Images<'p> {
    /// The images of all parts of a step; nothing if the other one is of another form.
    pub(super) fn of(a: &'p Step, b: &'p Step, rows: &[Row]) -> Option<Self> {
        let mut images = Images::default();
        if std::ptr::eq(a, b) {
            return Some(images);
        }
        (form(a, rows) == form(b, rows)).then_some(())?;
        for (a, b) in uses(a).into_iter().zip(uses(b)) {
            match (a, b) {
                (Use::Evaluates(a), Use::Evaluates(b)) => images.add(a, b),
                _ => images.add_place(a.target()?, b.target()?),
            }
        }
        Some(images)
    }

    /// The same for one expression.
    pub(super) fn of_expr(a: &'p Expr, b: &'p Expr, rows: &[Row]) -> Option<Self> {
        let guarded = |guard: &Expr| {
            let effects = Vec::new();
            let guard = guard.clone();
            form(&Step::Guarded { guard, effects }, rows)
        };
        let mut images = Images::default();
        (guarded(a) == guarded(b)).then_some(())?;
        images.add(a, b);
        Some(images)
    }

    fn add(&mut self, a: &'p Expr, b: &'p Expr) {
        self.exprs.insert(a, b);
        match (&a.kind, &b.kind) {
            (ExprKind::Read(a), ExprKind::Read(b)) => self.add_place(a, b),
            _ => parts(a)
                .into_iter()
                .zip(parts(b))
                .for_each(|(a, b)| self.add(a, b)),
        }
    }

    fn add_place(&mut self, a: &'p Place, b: &'p Place) {
        if let Root::Global(id) = b.root {
            self.variables.insert(a, id);
        }
        let pairs = indices(a).into_iter().zip(indices(b));
        pairs.for_each(|(a, b)| self.add(a, b));
    }

    /// What stands in the place of an expression.
    pub(super) fn expr(&self, expr: &'p Expr) -> &'p Expr {
        self.exprs
            .get(&std::ptr::from_ref(expr))
            .copied()
            .unwrap_or(expr)
    }

    /// What stands in the place of a number.
    pub(super) fn number(&self, expr: &'p Expr, own: Value) -> Value {
        self.expr(expr).as_constant().unwrap_or(own)
    }

    /// What stands in the place of a global variable.
    pub(super) fn variable(&self, place: &Place, own: GlobalId) -> GlobalId {
        let found = self.variables.get(&std::ptr::from_ref(place));
        found.copied().unwrap_or(own)
    }
}

/// A step without its numbers, words and places in the source, and with the first variable of a row for each.
fn form(step: &Step, rows: &[Row]) -> Step {
    let mut step = step.clone();
    let first = |place: &mut Place| {
        place.span = nowhere();
        if let Root::Global(id) = &mut place.root
            && let Some(row) = rows.iter().find(|row| row.variables.contains(id))
        {
            *id = row.variables[0];
        }
    };
    step.each_expr_mut(&mut |part| {
        part.span = nowhere();
        match &mut part.kind {
            ExprKind::Const(value) => *value = 0,
            ExprKind::Read(place) => first(place),
            ExprKind::Quantified(quantified) => {
                quantified.variable.name.clear();
                quantified.variable.span = nowhere();
            }
            _ => {}
        }
    });
    step.each_target_mut(&mut |place| first(place));
    strip(&mut step);
    step
}

/// Takes what is only there for people from a step.
fn strip(step: &mut Step) {
    match step {
        Step::Guarded { effects, .. } => effects.iter_mut().for_each(|effect| match effect {
            Effect::Fail { message } => message.clear(),
            Effect::Insert(insertion) => insertion.message.clear(),
            Effect::Print { text } => {
                *text = Print::Format {
                    format: String::new(),
                    arguments: printed(text).to_vec(),
                }
            }
            _ => {}
        }),
        Step::Routine(routine) => {
            routine
                .loops
                .iter_mut()
                .for_each(|each| each.span = nowhere());
            for node in &mut routine.nodes {
                (node.number, node.span) = (0, nowhere());
                for choice in &mut node.choices {
                    choice.text.clear();
                    choice.span = nowhere();
                    strip(&mut choice.step);
                }
            }
        }
        _ => {}
    }
}

fn nowhere() -> Span {
    Span::START
}
