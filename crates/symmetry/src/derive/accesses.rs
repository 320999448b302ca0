//! Accesses of the body of a loop, as far as its iterations could interfere.

use super::names::Refusal;
use super::typer::Typed;
use crate::lasting::Lasting;
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Place, Projection, Root, UnaryOp};
use mandala_model::function::Call;
use mandala_model::ids::{GlobalId, LocalId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Choice, Effect, Insertion, Node, Print, Step};
use mandala_model::types::Type;

/// A use of a part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) variable: Variable,
    pub(super) path: Vec<Part>,
    pub(super) manner: Manner,
    pub(super) span: Span,
}

/// The variable that is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// A global variable.
    Global(GlobalId),
    /// A variable of the frame that the loop is in.
    Own(LocalId),
    /// A place that was passed to the function that the loop is in: it may be a part of any variable but those of its frame. Messages in a channel of
    /// which nothing is known are such a place, too.
    Passed(u32),
    /// The messages in the channels that were made for a global variable which is never written.
    Messages(GlobalId),
}

/// One step from a variable to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Field(u32),
    /// The element of the variable of the loop: another one in every iteration.
    Each,
    /// The element at that position.
    At(Value),
    /// Some element.
    Some,
}

/// How a part of a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Read,
    /// It gets that number.
    Becomes(Value),
    /// A number is added to it, of which only the sign is noted.
    Grows,
    /// The same, downwards.
    Shrinks,
    /// It becomes the conjunction, or the disjunction, of itself and something else, both of which are evaluated, or the second of which cannot fail.
    Joins(BinaryOp),
    /// An element is added to the multiset that it is.
    Inserts,
    /// It is written in another way.
    Written,
}

impl Access {
    /// Whether this access of one iteration and that one of another may be of the same cell.
    pub(super) fn meets(&self, other: &Access) -> bool {
        match (self.variable, other.variable) {
            (Variable::Own(a), Variable::Own(b)) if a != b => return false,
            (Variable::Global(a), Variable::Global(b)) if a != b => return false,
            (Variable::Messages(a), Variable::Messages(b)) if a != b => return false,
            (Variable::Own(_), Variable::Own(_))
            | (Variable::Global(_), Variable::Global(_))
            | (Variable::Messages(_), Variable::Messages(_)) => {}
            (Variable::Passed(a), Variable::Passed(b)) if a == b => {}
            (Variable::Own(_), _) | (_, Variable::Own(_)) => return false,
            (Variable::Messages(_), Variable::Global(_))
            | (Variable::Global(_), Variable::Messages(_)) => return false,
            _ => return true,
        }
        let parts = self.path.iter().zip(&other.path);
        !parts.into_iter().any(|(a, b)| match (a, b) {
            (Part::Each, Part::Each) => true,
            (Part::Field(a), Part::Field(b)) => a != b,
            (Part::At(a), Part::At(b)) => a != b,
            _ => false,
        })
    }

    /// Whether two accesses of one cell come to the same in either order.
    pub(super) fn commutes_with(&self, other: &Access) -> bool {
        match (self.manner, other.manner) {
            (Manner::Written, _) => false,
            (a, b) => a == b,
        }
    }
}

/// Finds the accesses of some code.
pub(super) struct Finder<'m> {
    model: &'m Model,
    /// The global variables that always refer to the channels that were made for them.
    lasting: &'m Lasting,
    /// The variable of the loop.
    each: Variable,
    /// The least and the greatest of its values.
    range: (Value, Value),
    pub(super) found: Vec<Access>,
}

/// What places and values are to a function that is called inside the loop.
struct Inside {
    /// What the cells of the parameters hold.
    arguments: Vec<(LocalId, Part)>,
    /// The places that are passed.
    references: Vec<(Variable, Vec<Part>)>,
}

impl<'m> Finder<'m> {
    pub(super) fn new(
        model: &'m Model,
        lasting: &'m Lasting,
        each: Variable,
        range: (Value, Value),
    ) -> Self {
        Finder {
            model,
            lasting,
            each,
            range,
            found: Vec::new(),
        }
    }

    /// What a choice does in the frame of the loop.
    pub(super) fn choice(&mut self, choice: &Choice) -> Typed<()> {
        self.step(&choice.step, choice.span, None)
    }

    fn step(&mut self, step: &Step, span: Span, inside: Option<&Inside>) -> Typed<()> {
        match step {
            Step::Guarded { guard, effects } => {
                self.reads(guard, inside)?;
                effects
                    .iter()
                    .try_for_each(|e| self.effect(e, span, inside))
            }
            Step::Call(call) => self.call(call, span, inside),
            Step::Else => Ok(()),
            Step::Send {
                channel, message, ..
            } => {
                message.iter().try_for_each(|e| self.reads(e, inside))?;
                self.messages(channel, Manner::Written, inside)
            }
            Step::Receive {
                channel, patterns, ..
            } => {
                patterns.iter().try_for_each(|p| self.pattern(p, inside))?;
                self.messages(channel, Manner::Written, inside)
            }
            Step::Exit | Step::Routine(_) => Err(Refusal::unsupported(span)),
        }
    }

    /// What becomes of one field of a message.
    fn pattern(&mut self, pattern: &Pattern, inside: Option<&Inside>) -> Typed<()> {
        match pattern {
            Pattern::Match(value) => self.reads(value, inside),
            Pattern::Bind(place) => self.access(place, Manner::Written, inside),
            Pattern::Ignore => Ok(()),
        }
    }

    /// Notes that messages in a channel are asked for, or that one is sent or taken.
    fn messages(&mut self, channel: &Expr, manner: Manner, inside: Option<&Inside>) -> Typed<()> {
        self.reads(channel, inside)?;
        let own = match &channel.kind {
            ExprKind::Read(place) => match place.root {
                Root::Global(id) if self.lasting.globals.contains(&id.0) => {
                    let path = self.place(place, inside).map(|(_, path)| path);
                    path.map(|path| (Variable::Messages(id), path))
                }
                _ => None,
            },
            _ => None,
        };
        let (variable, path) = own.unwrap_or((Variable::Passed(u32::MAX), Vec::new()));
        self.found.push(Access {
            variable,
            path,
            manner,
            span: channel.span,
        });
        Ok(())
    }

    fn effect(&mut self, effect: &Effect, span: Span, inside: Option<&Inside>) -> Typed<()> {
        match effect {
            Effect::Assign { place, value } => self.assignment(place, value, inside)?,
            Effect::Print {
                text: Print::Format { arguments, .. },
            } => arguments.iter().try_for_each(|e| self.reads(e, inside))?,
            Effect::Print {
                text: Print::Name(value),
            } => self.reads(value, inside)?,
            Effect::Insert(insertion) => self.insertion(insertion, inside)?,
            // It is a violation whichever iteration comes first.
            Effect::Fail { .. } => {}
            Effect::Assert { .. }
            | Effect::Abandon
            | Effect::Spawn { .. }
            | Effect::SetPriority { .. } => return Err(Refusal::unsupported(span)),
        }
        Ok(())
    }

    fn assignment(&mut self, place: &Place, value: &Expr, inside: Option<&Inside>) -> Typed<()> {
        let total = |with: &Expr| inside.is_none() && self.is_total(with);
        let manner = match accumulated(place, value, total) {
            Some((manner, with)) => {
                self.reads(with, inside)?;
                manner
            }
            None => {
                self.reads(value, inside)?;
                match value.as_constant() {
                    Some(value) => Manner::Becomes(value),
                    None => Manner::Written,
                }
            }
        };
        self.access(place, manner, inside)
    }

    /// Of the elements that are there already it only matters how many there are, in whatever order they came.
    fn insertion(&mut self, insertion: &Insertion, inside: Option<&Inside>) -> Typed<()> {
        self.access(&insertion.position, Manner::Written, inside)?;
        for (_, value) in &insertion.cells {
            self.reads(value, inside)?;
        }
        self.found.push(Access {
            variable: Variable::Global(insertion.array),
            path: Vec::new(),
            manner: Manner::Inserts,
            span: insertion.position.span,
        });
        Ok(())
    }

    fn call(&mut self, call: &Call, span: Span, inside: Option<&Inside>) -> Typed<()> {
        let model = self.model;
        if model.recursive_functions()[call.function.index()] {
            return Err(Refusal::unsupported(span));
        }
        call.arguments
            .iter()
            .try_for_each(|e| self.reads(e, inside))?;
        for place in &call.references {
            self.indices(place, inside)?;
        }
        let function = model.function(call.function);
        let callee = self.entered(call, inside);
        let nodes = function.body.nodes.iter();
        if nodes.clone().any(|node| node.quiet) {
            return Err(Refusal::unsupported(span));
        }
        for choice in nodes.flat_map(|node: &Node| &node.choices) {
            self.step(&choice.step, choice.span, Some(&callee))?;
        }
        if let Some(result) = &call.result {
            self.access(result, Manner::Written, inside)?;
        }
        Ok(())
    }

    /// What a function that is called knows of its caller.
    fn entered(&self, call: &Call, inside: Option<&Inside>) -> Inside {
        let function = self.model.function(call.function);
        let parameters = function.locals.iter().take(function.parameters as usize);
        let mut arguments = call.arguments.iter();
        let mut known = Vec::new();
        for (id, parameter) in (0..).map(LocalId).zip(parameters) {
            let cells = self.model.cells(&parameter.ty);
            let own: Vec<&Expr> = arguments.by_ref().take(cells).collect();
            if let [argument] = own[..]
                && !is_assigned(&function.body.nodes, id)
            {
                known.push((id, self.part(argument, inside)));
            }
        }
        let places = call
            .references
            .iter()
            .map(|place| self.place(place, inside));
        let references =
            places.map(|found| found.unwrap_or((Variable::Passed(u32::MAX), Vec::new())));
        Inside {
            arguments: known,
            references: references.collect(),
        }
    }

    /// Notes what an expression reads.
    fn reads(&mut self, expr: &Expr, inside: Option<&Inside>) -> Typed<()> {
        let (mut places, mut channels) = (Vec::new(), Vec::new());
        let mut whole_state = false;
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Read(place) => places.push(place.clone()),
            ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
                channels.push(channel.clone());
            }
            kind => whole_state |= asks_for_all(kind),
        });
        if whole_state {
            return Err(Refusal::unsupported(expr.span));
        }
        for place in places {
            self.note(&place, Manner::Read, inside);
        }
        let mut channels = channels.iter();
        channels.try_for_each(|channel| self.messages(channel, Manner::Read, inside))
    }

    /// Notes what the indices of a place read.
    fn indices(&mut self, place: &Place, inside: Option<&Inside>) -> Typed<()> {
        let mut indices = place.path.iter().filter_map(|part| match part {
            Projection::Index(index) => Some(index),
            Projection::Field(_) => None,
        });
        indices.try_for_each(|index| self.reads(index, inside))
    }

    fn access(&mut self, place: &Place, manner: Manner, inside: Option<&Inside>) -> Typed<()> {
        self.indices(place, inside)?;
        self.note(place, manner, inside);
        Ok(())
    }

    fn note(&mut self, place: &Place, manner: Manner, inside: Option<&Inside>) {
        if let Some((variable, path)) = self.place(place, inside) {
            self.found.push(Access {
                variable,
                path,
                manner,
                span: place.span,
            });
        }
    }

    /// The part of a variable that a place is; nothing if it is in the frame of a function that is called, where no other iteration comes.
    fn place(&self, place: &Place, inside: Option<&Inside>) -> Option<(Variable, Vec<Part>)> {
        let (variable, mut path) = match (&place.root, inside) {
            (Root::Global(id), _) => (Variable::Global(*id), Vec::new()),
            (Root::Local(id), None) => (Variable::Own(*id), Vec::new()),
            (Root::Local(_), Some(_)) => return None,
            (Root::Reference(number), None) => (Variable::Passed(*number), Vec::new()),
            (Root::Reference(number), Some(inside)) => inside.references[*number as usize].clone(),
            (Root::Remote { .. } | Root::OwnPriority, _) => {
                (Variable::Passed(u32::MAX), Vec::new())
            }
        };
        path.extend(place.path.iter().map(|part| match part {
            Projection::Field(field) => Part::Field(*field),
            Projection::Index(index) => self.part(index, inside),
        }));
        Some((variable, path))
    }

    /// Whether an expression in the frame of the loop has a value in every state: it compares numbers, and its indices are constants or the variable of the loop, inside of their arrays.
    fn is_total(&self, expr: &Expr) -> bool {
        let mut total = true;
        expr.walk(&mut |part| {
            total &= match &part.kind {
                ExprKind::Const(_) | ExprKind::SelfId => true,
                ExprKind::Unary(op, _) => *op == UnaryOp::Not,
                ExprKind::Binary(op, ..) => {
                    op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or)
                }
                ExprKind::Conditional(..) => true,
                ExprKind::Read(place) => self.is_inside(place),
                _ => false,
            };
        });
        total
    }

    /// Whether a place is there in every iteration.
    fn is_inside(&self, place: &Place) -> bool {
        let declared = match &place.root {
            Root::Global(id) => &self.model.global(*id).ty,
            // Nothing of a variable of the frame is an element.
            Root::Local(_) => return place.path.is_empty(),
            _ => return false,
        };
        let mut ty = declared;
        for projection in &place.path {
            ty = match (ty, projection) {
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let (low, high) = match self.part(index, None) {
                        Part::Each => self.range,
                        Part::At(value) => (value, value),
                        Part::Field(_) | Part::Some => return false,
                    };
                    if low < 0 || high >= Value::from(*length) {
                        return false;
                    }
                    element
                }
                (Type::Record(id), Projection::Field(field)) => {
                    match self.model.record(*id).fields.get(*field as usize) {
                        Some(field) => &field.ty,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        true
    }

    /// The element that an index leads to.
    fn part(&self, index: &Expr, inside: Option<&Inside>) -> Part {
        match &index.kind {
            ExprKind::Const(value) => Part::At(*value),
            ExprKind::Unary(UnaryOp::Defined, index) => self.part(index, inside),
            ExprKind::Read(place) if place.path.is_empty() => match (&place.root, inside) {
                (Root::Local(local), None) if Variable::Own(*local) == self.each => Part::Each,
                (Root::Global(id), _) if Variable::Global(*id) == self.each => Part::Each,
                (Root::Local(local), Some(inside)) => {
                    let known = inside.arguments.iter().find(|(id, _)| id == local);
                    known.map_or(Part::Some, |(_, part)| *part)
                }
                _ => Part::Some,
            },
            _ => Part::Some,
        }
    }
}

/// Whether an expression asks about more than its parts.
fn asks_for_all(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::LastMover
            | ExprKind::ProcessCount
            | ExprKind::FirstInstance(_)
            | ExprKind::Enabled(_)
            | ExprKind::LocationNumber(_)
            | ExprKind::Priority(_)
            | ExprKind::At { .. }
    )
}

/// The manner in which a place gets something that depends on what it held, and what else that depends on.
fn accumulated<'e>(
    place: &Place,
    value: &'e Expr,
    is_total: impl Fn(&Expr) -> bool,
) -> Option<(Manner, &'e Expr)> {
    let ExprKind::Binary(op, left, right) = &value.kind else {
        return None;
    };
    let is_itself = |expr: &Expr| is_read_of(expr, place);
    let with = match (is_itself(left), is_itself(right)) {
        (true, false) => right,
        (false, true) if *op != BinaryOp::Subtract => left,
        _ => return None,
    };
    let manner = match (op, with.as_constant()) {
        (BinaryOp::Add, Some(0..)) => Manner::Grows,
        (BinaryOp::Add, Some(_)) => Manner::Shrinks,
        (BinaryOp::Subtract, Some(0..)) => Manner::Shrinks,
        (BinaryOp::Subtract, Some(_)) => Manner::Grows,
        (BinaryOp::BitAnd | BinaryOp::BitOr, _) => Manner::Joins(*op),
        // What is not evaluated where the place decides could not have failed.
        (BinaryOp::And | BinaryOp::Or, _) if is_total(with) => Manner::Joins(*op),
        _ => return None,
    };
    Some((manner, with))
}

/// Whether an expression reads that place, which may be checked to be defined.
fn is_read_of(expr: &Expr, place: &Place) -> bool {
    match &expr.kind {
        ExprKind::Read(read) => read.root == place.root && is_same_path(&read.path, &place.path),
        ExprKind::Unary(UnaryOp::Defined, inner) => is_read_of(inner, place),
        _ => false,
    }
}

fn is_same_path(a: &[Projection], b: &[Projection]) -> bool {
    let same = |(a, b): (&Projection, &Projection)| match (a, b) {
        (Projection::Field(a), Projection::Field(b)) => a == b,
        (Projection::Index(a), Projection::Index(b)) => match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            (ExprKind::Read(a), ExprKind::Read(b)) => {
                a.root == b.root && is_same_path(&a.path, &b.path)
            }
            _ => false,
        },
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Whether some code assigns to a local variable, or passes it on.
fn is_assigned(nodes: &[Node], local: LocalId) -> bool {
    let mut found = false;
    for choice in nodes.iter().flat_map(|node| &node.choices) {
        let mut step = choice.step.clone();
        step.each_target_mut(&mut |place| found |= place.root == Root::Local(local));
    }
    found
}
