//! The rules for statements: a pair of steps does the same, up to the renaming.

use super::counted::Counted;
use super::judge::Judge;
use super::liveness::is_dead;
use super::loops::Iterations;
use super::places::{Cell, Part, bounds};
use super::types::{Cases, Ty};
use super::variables::{push_cells, whole};
use super::{Checked, Reject};
use crate::proof::Temporary;
use mandala_model::expr::{Expr, Pattern, Place};
use mandala_model::function::Call;
use mandala_model::ids::{CodeId, NodeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Effect, Print, Routine, SendOrder, Step};
use mandala_model::types::{Scalar, Type, Variable};
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::BTreeSet;

impl<'p> Judge<'p> {
    /// A step and its image: both can be taken or neither, and what they do is the same.
    pub(super) fn step(
        &mut self,
        a: &Step,
        b: &Step,
        id: Option<CodeId>,
        span: Span,
    ) -> Checked<()> {
        match (a, b) {
            (
                Step::Guarded { guard: a, effects },
                Step::Guarded {
                    guard: b,
                    effects: others,
                },
            ) => {
                // What can never be taken does nothing.
                if self.truth(a, b)?.decided() == Some(false) {
                    effects
                        .iter()
                        .for_each(|effect| effect.each_whole(&mut |whole| self.skip(whole)));
                    return Ok(());
                }
                same_length(effects.len(), others.len(), span)?;
                let mut pairs = effects.iter().zip(others);
                pairs.try_for_each(|(a, b)| self.effect(a, b, span))
            }
            (Step::Else, Step::Else) | (Step::Exit, Step::Exit) => Ok(()),
            (Step::Routine(a), Step::Routine(b)) => self.routine(a, b, id, span),
            (Step::Call(a), Step::Call(b)) => self.call(a, b, span),
            (
                Step::Send {
                    channel: a,
                    order,
                    message,
                },
                Step::Send {
                    channel: b,
                    order: o,
                    message: m,
                },
            ) if order == o => self.send((a, b), *order, (message, m)),
            (
                Step::Receive {
                    channel: a,
                    order,
                    keep,
                    patterns,
                },
                Step::Receive {
                    channel: b,
                    order: o,
                    keep: k,
                    patterns: p,
                },
            ) if (order, keep) == (o, k) => self.receive((a, b), (patterns, p)),
            _ => Err(Reject::always(
                span,
                "its image is a statement of another kind",
            )),
        }
    }

    fn effect(&mut self, a: &Effect, b: &Effect, span: Span) -> Checked<()> {
        match (a, b) {
            (Effect::Assign { place: a, value: v }, Effect::Assign { place: b, value: w }) => {
                self.assign((a, b), (v, w))
            }
            (Effect::Assert { condition: a }, Effect::Assert { condition: b }) => {
                self.truth(a, b).map(drop)
            }
            // What is printed is not preserved, but whether it has a value is.
            (Effect::Print { text: a }, Effect::Print { text: b }) => {
                let (a, b) = (printed(a), printed(b));
                same_length(a.len(), b.len(), span)?;
                a.iter()
                    .zip(b)
                    .try_for_each(|(a, b)| self.expr(a, b).map(drop))
            }
            (Effect::Insert(a), Effect::Insert(b)) if a.array == b.array => {
                self.truth(&a.has_room, &b.has_room)?;
                self.assign((&a.position, &b.position), (&a.first_free, &b.first_free))?;
                same_length(a.cells.len(), b.cells.len(), span)?;
                let mut cells = a.cells.iter().zip(&b.cells);
                cells.try_for_each(|((p, v), (q, w))| self.assign((p, q), (v, w)))
            }
            (Effect::Fail { .. }, Effect::Fail { .. }) | (Effect::Abandon, Effect::Abandon) => {
                Ok(())
            }
            (
                Effect::Spawn {
                    template,
                    arguments,
                    priority,
                    result,
                },
                Effect::Spawn {
                    template: t,
                    arguments: args,
                    priority: p,
                    result: r,
                },
            ) if (template, priority) == (t, p) => {
                self.arguments(*template, arguments, args, span)?;
                match (result, r) {
                    // Its number is the next one that is free, and is not moved, as those that are exist already.
                    (Some(a), Some(b)) => {
                        let cell = self.cell(a, b)?;
                        self.stored(cell, &Ty::Outsider, Some((0, 255)), a.span)
                    }
                    (None, None) => Ok(()),
                    _ => Err(Reject::always(
                        span,
                        "its image is a statement of another kind",
                    )),
                }
            }
            _ => Err(Reject::always(span, "no rule is about this statement")),
        }
    }

    fn assign(&mut self, places: (&Place, &Place), values: (&Expr, &Expr)) -> Checked<()> {
        let found = self.expr(values.0, values.1)?;
        let hull = self.hull(values.0);
        let cell = self.cell(places.0, places.1)?;
        self.stored(cell, &found, hull, places.0.span)
    }

    /// A cell gets a value. Both are of one type; what a number becomes when it is stored must be no name either; and what the cell is known to hold it holds
    /// afterwards.
    pub(super) fn stored(
        &self,
        cell: Cell<'_>,
        ty: &Ty<'_>,
        hull: Option<(Value, Value)>,
        span: Span,
    ) -> Checked<()> {
        let kept = match ty {
            Ty::Cases(cases) => {
                let kept = cases.map(|value| cell.scalar.store(value));
                self.need(
                    kept.is_some(),
                    span,
                    "it fits for some of what is moved only",
                )?;
                Ty::Cases(kept.unwrap_or_else(Cases::same))
            }
            other => other.clone(),
        };
        self.meet(&cell.ty(self.mover), &kept, span, "is stored")?;
        let is_name = matches!(cell.ty(self.mover), Ty::Name(..));
        let cuts = is_name && cell.scalar.limits().is_none() && !matches!(ty, Ty::Cases(_));
        let kept_whole = match ty {
            Ty::Name(_, Some(known)) => known
                .iter()
                .all(|value| cell.scalar.store(*value) == Some(*value)),
            _ => contains(cell.scalar, hull),
        };
        self.need(!cuts || kept_whole, span, "what is moved may be cut")?;
        match cell.values {
            Some(values) if !self.is_among(&kept, cell.scalar, values) => {
                self.miss(values, &kept);
                Err(Reject::always(
                    span,
                    "it gets a value that it is said never to have",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Notes for a prover what is missing from what is known.
    pub(super) fn miss(&self, values: &BTreeSet<Value>, ty: &Ty<'_>) {
        let found = match ty {
            Ty::Cases(cases) if !cases.others => {
                Some(cases.pairs.iter().flat_map(|(a, b)| [*a, *b]).collect())
            }
            Ty::Name(_, Some(known)) => Some((*known).clone()),
            _ => None,
        };
        if let Some(missing) = self.missing {
            missing
                .borrow_mut()
                .push((std::ptr::from_ref(values), found));
        }
    }

    /// Whether a value that is stored is one of some.
    fn is_among(&self, ty: &Ty<'_>, scalar: Scalar, values: &BTreeSet<Value>) -> bool {
        match ty {
            Ty::Cases(cases) => {
                !cases.others
                    && cases
                        .pairs
                        .iter()
                        .all(|(a, b)| values.contains(a) && values.contains(b))
            }
            Ty::Name(_, Some(known)) => known
                .iter()
                .all(|v| scalar.store(*v).is_none_or(|v| values.contains(&v))),
            Ty::Name(_, None) | Ty::Outsider | Ty::Channel(_) => false,
        }
    }

    /// The arguments of a new process have the types of its parameters.
    pub(super) fn arguments(
        &mut self,
        template: TemplateId,
        a: &[Expr],
        b: &[Expr],
        span: Span,
    ) -> Checked<()> {
        let count = self.model.template(template).parameters as usize;
        let proof = self.proof;
        let shapes = proof.sorts.classes.locals[template.index()]
            .iter()
            .zip(&proof.values.locals[template.index()]);
        let parts = shapes.take(count).map(|(shape, values)| Part {
            shape,
            values: Some(values),
        });
        let mut cells = Vec::new();
        parts.for_each(|part| push_cells(part, &mut cells));
        same_length(a.len(), b.len(), span)?;
        same_length(a.len(), cells.len(), span)?;
        for ((a, b), cell) in a.iter().zip(b).zip(cells) {
            self.argument((a, b), cell)?;
        }
        Ok(())
    }

    fn argument(&mut self, values: (&Expr, &Expr), cell: Cell<'_>) -> Checked<()> {
        let found = self.expr(values.0, values.1)?;
        let hull = self.hull(values.0);
        self.stored(cell, &found, hull, values.0.span)
    }

    /// At each node the first choice is taken that can be, on both sides the same one. What a loop does to take the next value has a rule of its own.
    fn routine(&mut self, a: &Routine, b: &Routine, id: Option<CodeId>, span: Span) -> Checked<()> {
        same_length(a.nodes.len(), b.nodes.len(), span)?;
        let counting = self.counting(a, b, span)?;
        for (number, (node, other)) in (0..).map(NodeId).zip(a.nodes.iter().zip(&b.nodes)) {
            same_length(node.choices.len(), other.choices.len(), span)?;
            if node.quiet != other.quiet {
                return Err(Reject::always(span, "its image waits where it does not"));
            }
            if counting.iter().any(|each| each.head == number) {
                continue;
            }
            let head = a.loops.iter().find(|each| each.head == number);
            for (index, (choice, image)) in node.choices.iter().zip(&other.choices).enumerate() {
                if choice.next != image.next {
                    return Err(Reject::always(choice.span, "its image leads elsewhere"));
                }
                let (
                    Step::Guarded { guard, effects },
                    Step::Guarded {
                        guard: b,
                        effects: others,
                    },
                ) = (&choice.step, &image.step)
                else {
                    self.step(&choice.step, &image.step, None, choice.span)?;
                    continue;
                };
                same_length(effects.len(), others.len(), span)?;
                let known = head.filter(|_| index == 0);
                if known.is_none() && self.truth(guard, b)?.decided() == Some(false) {
                    effects
                        .iter()
                        .for_each(|effect| effect.each_whole(&mut |whole| self.skip(whole)));
                    continue;
                }
                let before = known.map_or(0, |each| each.takes_next().len());
                for (place, (a, b)) in effects.iter().zip(others).enumerate().skip(before) {
                    if !counting.iter().any(|each| each.counts(choice, place)) {
                        self.effect(a, b, choice.span)?;
                    }
                }
            }
        }
        let known = a.loops.iter().map(|each| Iterations::known(a, each));
        let counted = counting.iter().map(Iterations::counted);
        let all: Vec<Iterations> = known.chain(counted).collect();
        all.iter().try_for_each(|each| self.iterations(a, each, id))
    }

    /// The loops that count, which both have. Behind one its variable has the next number, unless nobody reads it any more.
    fn counting(&mut self, a: &Routine, b: &Routine, span: Span) -> Checked<Vec<Counted>> {
        let same = |each: &Counted, other: &Counted| {
            let of = |each: &Counted| (each.first, each.last, each.behind, each.body.clone());
            each.variable.root == other.variable.root && of(each) == of(other)
        };
        let mut all = Vec::new();
        for head in &self.notes.counted {
            let both = self.counted(a, *head).zip(self.counted(b, *head));
            let found = both
                .filter(|(each, other)| same(each, other))
                .map(|(each, _)| each);
            all.push(
                found.ok_or_else(|| Reject::always(span, "it is said to count, and does not"))?,
            );
        }
        if a.loops != b.loops {
            return Err(Reject::always(span, "its image has other loops"));
        }
        for each in &all {
            let place = &each.variable;
            let cell = self.cell(place, place)?;
            let temporary = Temporary::of(&place.root);
            let read = each.behind.is_some_and(|behind| {
                temporary.is_none_or(|t| !is_dead(self.notes, t, &[], behind))
            });
            if read || temporary.is_none_or(|t| !self.is_temporary(t)) {
                let next = each.last + 1;
                self.meet(
                    &cell.ty(self.mover),
                    &Ty::pair(next, next),
                    place.span,
                    "is there behind the loop",
                )?;
            }
            if cell.values.is_some() {
                return Err(Reject::always(
                    place.span,
                    "nothing is known of the values of what counts",
                ));
            }
        }
        Ok(all)
    }

    fn send(
        &mut self,
        channel: (&Expr, &Expr),
        order: SendOrder,
        message: (&[Expr], &[Expr]),
    ) -> Checked<()> {
        let span = channel.0.span;
        let class = self.channel(channel.0, channel.1)?;
        same_length(message.0.len(), message.1.len(), span)?;
        let mut found = Vec::new();
        for (a, b) in message.0.iter().zip(message.1) {
            found.push((self.expr(a, b)?, self.hull(a), a.span));
        }
        for fields in self.messages(class, found.len(), span)? {
            for (cell, (ty, hull, span)) in fields.into_iter().zip(&found) {
                let plain = matches!(cell.ty(self.mover), Ty::Cases(_));
                self.need(
                    plain || order != SendOrder::Sorted,
                    *span,
                    "what is moved is sorted",
                )?;
                self.stored(cell, ty, *hull, *span)?;
            }
        }
        Ok(())
    }

    fn receive(
        &mut self,
        channel: (&Expr, &Expr),
        patterns: (&[Pattern], &[Pattern]),
    ) -> Checked<()> {
        let kinds = self.matched(channel, patterns)?;
        for (number, pair) in patterns.0.iter().zip(patterns.1).enumerate() {
            if let (Pattern::Bind(a), Pattern::Bind(b)) = pair {
                let target = self.cell(a, b)?;
                for field in kinds.iter().map(|fields| fields[number]) {
                    self.stored(target, &field.ty(self.mover), bounds(field.scalar), a.span)?;
                }
            }
        }
        Ok(())
    }

    /// A call: what is passed has the types of the parameters, and what comes back that of the result.
    fn call(&mut self, a: &Call, b: &Call, span: Span) -> Checked<()> {
        let unlike = || Reject::always(span, "its image is another call");
        if a.function != b.function || a.references.len() != b.references.len() {
            return Err(unlike());
        }
        same_length(a.arguments.len(), b.arguments.len(), span)?;
        let function = self.model.function(a.function);
        let known = self
            .proof
            .bodies
            .get(&crate::proof::Body::Function(a.function));
        let notes = known.ok_or_else(|| Reject::always(span, "nothing is said of the function"))?;
        let shape_of = |local: u32| notes.locals.get(&local).ok_or_else(unlike);
        let mut rest = (&a.arguments[..], &b.arguments[..]);
        for (number, parameter) in (0..function.parameters).zip(&function.locals) {
            let cells = self.model.cells(&parameter.ty);
            let both = rest
                .0
                .split_at_checked(cells)
                .zip(rest.1.split_at_checked(cells));
            let ((own, more), (image, others)) = both.ok_or_else(unlike)?;
            rest = (more, others);
            self.passed(shape_of(number)?, parameter, (own, image))?;
        }
        for ((a, b), shape) in a
            .references
            .iter()
            .zip(&b.references)
            .zip(&notes.references)
        {
            let part = self.part(a, b)?;
            self.same_shape(part.shape, shape, a.span)?;
        }
        match (function.result, &a.result, &b.result) {
            (Some(result), Some(a), Some(b)) => {
                let part = self.part(a, b)?;
                self.same_shape(part.shape, shape_of(result.0)?, span)
            }
            (_, None, None) => Ok(()),
            _ => Err(unlike()),
        }
    }

    /// What is passed to a parameter, one value a cell. All cells of a variable in their order are the variable: a renaming exchanges elements of the one as it does
    /// those of the other.
    fn passed(
        &mut self,
        shape: &'p Shape<Sort>,
        parameter: &Variable,
        values: (&[Expr], &[Expr]),
    ) -> Checked<()> {
        let ty = &parameter.ty;
        if !matches!(ty, Type::Scalar(_))
            && let Some((a, b)) =
                whole(self.model, ty, values.0).zip(whole(self.model, ty, values.1))
        {
            let part = self.part(&a, &b)?;
            return self.same_shape(part.shape, shape, a.span);
        }
        self.in_order(shape, parameter.span)?;
        let mut cells = Vec::new();
        push_cells(
            Part {
                shape,
                values: None,
            },
            &mut cells,
        );
        let pairs = values.0.iter().zip(values.1).zip(cells);
        for (pair, cell) in pairs {
            self.argument(pair, cell)?;
        }
        Ok(())
    }

    /// Two places have the same types throughout.
    fn same_shape(&self, a: &Shape<Sort>, b: &Shape<Sort>, span: Span) -> Checked<()> {
        let ty = |sort: Sort| Ty::of(self.mover, sort, None);
        match (a, b) {
            (Shape::Cell(a, _), Shape::Cell(b, _)) => {
                self.meet(&ty(*a), &ty(*b), span, "is passed")
            }
            (Shape::Record(a), Shape::Record(b)) if a.len() == b.len() => a
                .iter()
                .zip(b)
                .try_for_each(|(a, b)| self.same_shape(a, b, span)),
            (
                Shape::Array { index, element, .. },
                Shape::Array {
                    index: other,
                    element: inner,
                    ..
                },
            ) => {
                self.meet(&ty(*index), &ty(*other), span, "is passed")?;
                self.same_shape(element, inner, span)
            }
            _ => Err(Reject::always(span, "what is passed is of another form")),
        }
    }
}

/// That two lists are of one length.
fn same_length(a: usize, b: usize, span: Span) -> Checked<()> {
    match a == b {
        true => Ok(()),
        false => Err(Reject::always(span, "its image is of another form")),
    }
}

fn printed(text: &Print) -> Vec<&Expr> {
    match text {
        Print::Format { arguments, .. } => arguments.iter().collect(),
        Print::Name(value) => vec![value],
    }
}

/// True if a cell of that type keeps all those numbers.
fn contains(scalar: Scalar, numbers: Option<(Value, Value)>) -> bool {
    match (bounds(scalar), numbers) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some((min, max)), Some((low, high))) => min <= low && high <= max,
    }
}
