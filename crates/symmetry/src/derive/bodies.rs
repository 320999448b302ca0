//! The rules of the derivation for statements, routines, edges and conditions.

use super::annotate::Body;
use super::counted::counted;
use super::liveness::{Live, is_live, live_at, live_before};
use super::names::Refusal;
use super::typer::{Frame, Typed, Typer};
use super::types::{NameType, Slot};
use crate::locations::makes_channels;
use crate::sorts::Shape;
use crate::sorts::contains;
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind, Place, Projection, Root};
use mandala_model::function::Call;
use mandala_model::ids::{CodeId, ConditionId, EdgeId, FunctionId, LocalId, NodeId, PropertyId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Edge, Effect, Insertion, Print, Routine, Step};
use mandala_model::types::{Initial, Scalar, Storage, Type, Variable};
use std::rc::Rc;

impl Typer<'_> {
    /// An edge: each choice of its parameters is mapped to the choice with the renamed values.
    pub(super) fn edge(&mut self, id: EdgeId, edge: &Edge) -> Typed<()> {
        let template = id.template;
        let frame = self.enter(Some(template));
        self.begin(Body::Edge(template, id.index));
        self.step(&edge.step, edge.span)?;
        if let Step::Routine(routine) = &edge.step {
            self.loops(routine, Some(self.model.code_of(id)))?;
        }
        let mut chosen = Vec::new();
        for parameter in &edge.parameters {
            let place = frame.temporaries.get(parameter.local.index());
            let Some(Some(Shape::Cell(slot, _))) = place else {
                return Err(Refusal::unsupported(parameter.span));
            };
            self.closed(slot.ty(), &parameter.values, parameter.span);
            chosen.push(*slot);
        }
        if !chosen.is_empty() {
            self.chosen.insert(id, chosen);
        }
        let mut live = live_before(&edge.step);
        // They have values when the step begins.
        live.retain(|(holder, _)| !edge.parameters.iter().any(|p| holder.is_local(p.local)));
        self.temporaries(&frame, &self.model.template(template).locals, &live)
    }

    /// A function: it has one type, and so has each call of it.
    pub(super) fn function(&mut self, id: FunctionId) -> Typed<()> {
        let function = self.model.function(id);
        let frame = Rc::clone(&self.functions[id.index()]);
        self.frame = Rc::clone(&frame);
        self.begin(Body::Function(id));
        self.routine(&function.body)?;
        self.loops(&function.body, Some(CodeId::Function(id)))?;
        let live = live_at(&function.body, function.result);
        let mut live = live.first().cloned().unwrap_or_default();
        let parameters = (0..function.parameters).map(LocalId);
        let parameters: Vec<LocalId> = parameters.collect();
        live.retain(|(holder, _)| !parameters.iter().any(|p| holder.is_local(*p)));
        self.temporaries(&frame, &function.locals, &live)
    }

    /// A call: what is passed has the types of the parameters, and what comes back that of the result.
    fn call(&mut self, call: &Call, span: Span) -> Typed<()> {
        let function = self.model.function(call.function);
        let frame = Rc::clone(&self.functions[call.function.index()]);
        let parameters = frame.temporaries.iter().flatten().zip(&function.locals);
        let mut rest = &call.arguments[..];
        for (shape, parameter) in parameters.take(function.parameters as usize) {
            let (own, others) = rest.split_at(self.model.cells(&parameter.ty));
            rest = others;
            self.argument(shape, &parameter.ty, own)?;
        }
        for (place, shape) in call.references.iter().zip(&frame.references) {
            let passed = self.part(place)?;
            self.same_shape(&passed, shape, place.span)?;
        }
        let result = function
            .result
            .and_then(|id| frame.temporaries[id.index()].as_ref());
        match (result, &call.result) {
            (Some(result), Some(place)) => {
                let target = self.part(place)?;
                self.same_shape(&target, result, span)
            }
            _ => Ok(()),
        }
    }

    /// What is passed to a parameter, one value a cell. All cells of a variable in their order are the variable: a renaming exchanges elements of the one as
    /// it does those of the other.
    fn argument(&mut self, shape: &Shape<Slot>, ty: &Type, values: &[Expr]) -> Typed<()> {
        if !matches!(ty, Type::Scalar(_))
            && let Some(place) = whole(self.model, ty, values)
        {
            let passed = self.part(&place)?;
            return self.same_shape(&passed, shape, place.span);
        }
        let mut cells = Vec::new();
        push_cells(shape, &mut cells);
        for (value, (slot, scalar)) in values.iter().zip(cells) {
            let found = self.expr(value)?;
            let hull = self.hull(value);
            self.stored((slot.ty(), scalar), (found, hull), value.span);
        }
        Ok(())
    }

    /// Two places of one type have the same types throughout.
    fn same_shape(&mut self, a: &Shape<Slot>, b: &Shape<Slot>, span: Span) -> Typed<()> {
        match (a, b) {
            (Shape::Cell(a, _), Shape::Cell(b, _)) => {
                self.same(a.ty(), b.ty(), span);
                Ok(())
            }
            (Shape::Record(a), Shape::Record(b)) => {
                let mut pairs = a.iter().zip(b);
                pairs.try_for_each(|(a, b)| self.same_shape(a, b, span))
            }
            (
                Shape::Array { index, element, .. },
                Shape::Array {
                    index: other,
                    element: inner,
                    ..
                },
            ) => {
                self.same(index.ty(), other.ty(), span);
                self.same_shape(element, inner, span)
            }
            _ => Err(Refusal::unsupported(span)),
        }
    }

    /// Temporaries hold no names when a step begins, or are written before they are read; and they have room for all names of a domain or for none.
    fn temporaries(&mut self, frame: &Frame, variables: &[Variable], live: &Live) -> Typed<()> {
        let locals = (0..).map(LocalId).zip(variables).zip(&frame.temporaries);
        let locals =
            locals.filter_map(|((id, v), shape)| Some((Root::Local(id), v, shape.as_ref()?)));
        let model = self.model;
        let globals = frame.globals.iter();
        let globals = globals.map(|(id, shape)| (Root::Global(*id), model.global(*id), shape));
        for (root, variable, shape) in locals.chain(globals) {
            let types = shape.map(&mut |slot| self.slots.resolve(slot.ty()));
            self.room(&types, variable.span)?;
            if is_live(live, &Place::variable(root, variable.span)) {
                self.first_value(variable, &types);
            }
        }
        Ok(())
    }

    /// The value that a temporary holds when a step begins is no name: each renaming keeps it.
    fn first_value(&mut self, variable: &Variable, types: &Shape<NameType>) {
        let mut cells = Vec::new();
        types.each_cell(&mut |ty| cells.push(*ty));
        for ty in cells {
            match variable.initial {
                Initial::Default => self.is_zero_kept(ty, variable.span),
                _ => drop(self.same(ty, NameType::Plain, variable.span)),
            }
        }
    }

    /// The room of what is part of the state.
    pub(super) fn state_room(&mut self) -> Typed<()> {
        let state = Rc::clone(&self.state);
        let globals = self.model.globals.iter().zip(&state.globals);
        let locals = self.model.runnables().zip(&state.locals);
        let locals = locals.flat_map(|((_, template), shapes)| template.locals.iter().zip(shapes));
        for (variable, shape) in globals.chain(locals) {
            let types = shape.map(&mut |slot| self.slots.resolve(slot.ty()));
            self.room(&types, variable.span)?;
            // Some global variables that are no part of the state have one type in all bodies.
            if variable.storage == Storage::Scratch && !makes_channels(self.model, variable) {
                self.first_value(variable, &types);
            }
        }
        for (kind, fields) in self.model.channel_kinds.iter().zip(&state.fields) {
            for (scalar, slot) in kind.fields.iter().zip(fields) {
                let ty = self.slots.resolve(slot.ty());
                self.room(&Shape::Cell(ty, *scalar), kind.span)?;
            }
        }
        Ok(())
    }

    /// A cell or an array of a type of names has room for all names of each domain, or for none. References to channels are kept in cells for them alone.
    fn room(&mut self, types: &Shape<NameType>, span: Span) -> Typed<()> {
        match types {
            Shape::Cell(NameType::Channel(_), scalar) if *scalar != Scalar::Channel => {
                Err(Refusal::of_channels(span))
            }
            Shape::Cell(ty, scalar) => {
                self.all_or_none(*ty, |name| Fit::of(scalar.store(name), name), span);
                Ok(())
            }
            Shape::Record(fields) => fields.iter().try_for_each(|f| self.room(f, span)),
            Shape::Array {
                index: NameType::Channel(_),
                ..
            } => Err(Refusal::of_channels(span)),
            Shape::Array {
                index,
                element,
                length,
            } => {
                let inside = |name: i64| match (0..i64::from(*length)).contains(&name) {
                    true => Fit::Kept,
                    false => Fit::Refused,
                };
                self.all_or_none(*index, inside, span);
                self.room(element, span)
            }
        }
    }

    fn all_or_none(&mut self, ty: NameType, fit: impl Fn(i64) -> Fit, span: Span) {
        let NameType::Name(set, offset) = ty else {
            return;
        };
        let sets = self.sets;
        for (domain, members) in sets.domains(set) {
            let mut fits = members.iter().map(|name| fit(name - offset));
            let first = fits.next().unwrap_or(Fit::Kept);
            let alike = first != Fit::Changed && fits.all(|other| other == first);
            self.check(alike, |sets| {
                let name = sets.label(set);
                let message = format!("a variable has room for some members of `{name}` only");
                Refusal::of(vec![*domain], span, message)
            });
        }
    }

    fn step(&mut self, step: &Step, span: Span) -> Typed<()> {
        match step {
            Step::Guarded { guard, effects } => {
                self.truth(guard)?;
                effects
                    .iter()
                    .try_for_each(|effect| self.effect(effect, span))
            }
            Step::Routine(routine) => self.routine(routine),
            Step::Else | Step::Exit => Ok(()),
            Step::Call(call) => self.call(call, span),
            Step::Send {
                channel,
                order,
                message,
            } => self.send(channel, *order, message, span),
            Step::Receive {
                channel, patterns, ..
            } => self.receive(channel, patterns),
        }
    }

    /// At each node the first choice is taken that can be. Whether one can be taken is the same in a renamed state. What loops do to take
    /// the next value has a rule of its own.
    fn routine(&mut self, routine: &Routine) -> Typed<()> {
        let counting = counted(self.model, self.frame.template, routine);
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            let head = routine.loops.iter().find(|each| each.head == number);
            let is_head = counting.iter().any(|each| each.head == number);
            for (index, choice) in node.choices.iter().enumerate() {
                match (&choice.step, head) {
                    (Step::Guarded { effects, .. }, Some(each)) if index == 0 => {
                        let mut rest = effects.iter().skip(each.takes_next().len());
                        rest.try_for_each(|effect| self.effect(effect, choice.span))?;
                    }
                    _ if is_head => {}
                    (Step::Guarded { guard, effects }, _) => {
                        self.truth(guard)?;
                        for (place, effect) in effects.iter().enumerate() {
                            if !counting.iter().any(|each| each.counts(choice, place)) {
                                self.effect(effect, choice.span)?;
                            }
                        }
                    }
                    (step, _) => self.step(step, choice.span)?,
                }
            }
        }
        Ok(())
    }

    fn effect(&mut self, effect: &Effect, span: Span) -> Typed<()> {
        match effect {
            Effect::Assign { place, value } => self.assign(place, value),
            Effect::Assert { condition } => self.truth(condition).map(drop),
            // What is printed is not preserved, but whether it has a value is.
            Effect::Print { text } => match text {
                Print::Format { arguments, .. } => {
                    arguments.iter().try_for_each(|a| self.expr(a).map(drop))
                }
                Print::Name(value) => self.expr(value).map(drop),
            },
            Effect::Insert(insertion) => self.insertion(insertion),
            Effect::Fail { .. } | Effect::Abandon => Ok(()),
            Effect::Spawn {
                template,
                arguments,
                result,
                ..
            } => self.spawn(*template, arguments, result.as_ref()),
            Effect::SetPriority { .. } => Err(Refusal::unsupported(span)),
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> Typed<()> {
        let found = self.expr(value)?;
        let hull = self.hull(value);
        let cell = self.cell(place)?;
        self.stored(cell, (found, hull), place.span);
        Ok(())
    }

    /// A cell gets a value. What a number becomes when it is stored must be no name either: a constant is looked at as it is stored, and of other values
    /// nothing may be cut off.
    pub(super) fn stored(
        &mut self,
        (cell, scalar): (NameType, Scalar),
        (found, hull): (NameType, Option<(Value, Value)>),
        span: Span,
    ) {
        let found = match found {
            NameType::Constant(value) => NameType::Constant(scalar.store(value).unwrap_or(value)),
            other => other,
        };
        self.same(cell, found, span);
        let cuts = scalar.limits().is_none() && !matches!(found, NameType::Constant(_));
        if let NameType::Name(set, _) = self.slots.resolve(cell)
            && cuts
        {
            self.check(contains(scalar, hull), |sets| {
                let name = sets.label(set);
                let message =
                    format!("what is no member of `{name}` may become one when it is cut");
                Refusal::of(sets.numbers(set), span, message)
            });
        }
    }

    fn insertion(&mut self, insertion: &Insertion) -> Typed<()> {
        self.truth(&insertion.has_room)?;
        self.assign(&insertion.position, &insertion.first_free)?;
        let mut cells = insertion.cells.iter();
        cells.try_for_each(|(place, value)| self.assign(place, value))
    }

    /// The conditions that a property asks of states.
    pub(super) fn conditions(&mut self, property: PropertyId) -> Typed<()> {
        let kind = &self.model.properties[property.index()].kind;
        if !kind.indices().is_empty() {
            return Err(Refusal::unsupported(
                self.model.properties[property.index()].span,
            ));
        }
        let conditions: Vec<ConditionId> = kind.conditions().into_iter().collect();
        self.begin(Body::Conditions);
        for id in conditions {
            self.frame = Rc::default();
            self.truth(&self.model.condition(id).condition)?;
        }
        Ok(())
    }
}

/// What becomes of a name that is stored in a cell or used as an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It stays what it is.
    Kept,
    /// It is a run-time error.
    Refused,
    /// It becomes another value.
    Changed,
}

impl Fit {
    fn of(stored: Option<i64>, name: i64) -> Self {
        match stored {
            Some(value) if value == name => Fit::Kept,
            Some(_) => Fit::Changed,
            None => Fit::Refused,
        }
    }
}

/// The cells of a variable in order, those of all elements of arrays.
pub(super) fn push_cells(shape: &Shape<Slot>, cells: &mut Vec<(Slot, Scalar)>) {
    match shape {
        Shape::Cell(slot, scalar) => cells.push((*slot, *scalar)),
        Shape::Record(fields) => fields.iter().for_each(|f| push_cells(f, cells)),
        Shape::Array {
            element, length, ..
        } => (0..*length).for_each(|_| push_cells(element, cells)),
    }
}

/// The place whose cells the values are, all of them in their order.
fn whole(model: &Model, ty: &Type, values: &[Expr]) -> Option<Place> {
    let mut paths = Vec::new();
    push_paths(model, ty, &mut Vec::new(), &mut paths);
    let first = read(values.first()?)?;
    let length = first.path.len().checked_sub(paths.first()?.len())?;
    let place = Place {
        path: first.path[..length].to_vec(),
        ..first.clone()
    };
    let is_cell = |(value, path): (&Expr, &Vec<CellStep>)| {
        let cell = read(value)?;
        let (front, back) = cell.path.split_at_checked(length)?;
        let same = cell.root == place.root && front == place.path;
        let leads = back.len() == path.len() && back.iter().zip(path).all(|(b, p)| p.is(b));
        (same && leads).then_some(())
    };
    let all = values
        .iter()
        .zip(&paths)
        .all(|pair| is_cell(pair).is_some());
    (all && values.len() == paths.len()).then_some(place)
}

fn read(value: &Expr) -> Option<&Place> {
    match &value.kind {
        ExprKind::Read(place) => Some(place),
        _ => None,
    }
}

/// One step on the way to a cell.
#[derive(Clone, Copy)]
enum CellStep {
    Field(u32),
    Element(u32),
}

impl CellStep {
    fn is(self, projection: &Projection) -> bool {
        match (self, projection) {
            (CellStep::Field(a), Projection::Field(b)) => a == *b,
            (CellStep::Element(a), Projection::Index(index)) => {
                index.as_constant() == Some(i64::from(a))
            }
            _ => false,
        }
    }
}

/// The ways to all cells of a type, in order.
fn push_paths(model: &Model, ty: &Type, path: &mut Vec<CellStep>, paths: &mut Vec<Vec<CellStep>>) {
    let mut inside = |step: CellStep, ty: &Type| {
        path.push(step);
        push_paths(model, ty, path, paths);
        path.pop();
    };
    match ty {
        Type::Scalar(_) => paths.push(path.clone()),
        Type::Record(id) => {
            let fields = (0..).zip(&model.record(*id).fields);
            fields.for_each(|(number, field)| inside(CellStep::Field(number), &field.ty));
        }
        Type::Array { element, length } => {
            (0..*length).for_each(|position| inside(CellStep::Element(position), element));
        }
    }
}
