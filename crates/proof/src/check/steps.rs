//! The rules for statements: a step and its image do the same, up to the renaming.

use super::counted::Counted;
use super::judge::Judge;
use super::liveness::is_dead;
use super::loops::Iterations;
use super::places::{Cell, Part, bounds};
use super::types::{Cases, Held, Ty};
use super::uses::{Images, printed};
use super::variables::whole;
use super::{Checked, Reject};
use crate::proof::{Body, Temporary};
use mandala_model::expr::{Expr, Pattern, Place};
use mandala_model::function::Call;
use mandala_model::ids::{CodeId, NodeId, TemplateId};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Effect, Routine, SendOrder, Step};
use mandala_model::types::{Scalar, Type, Variable};
use mandala_symmetry::sorts::{Shape, Sort};
use std::collections::BTreeSet;

impl<'p> Judge<'p> {
    /// A step and its image: both can be taken or neither, and what they do is the same.
    pub(super) fn pair(
        &mut self,
        step: &'p Step,
        image: &'p Step,
        id: Option<CodeId>,
        span: Span,
    ) -> Checked<()> {
        let images = Images::of(step, image, &self.proof.sorts.rows);
        let unlike = || Reject::at(span, "its image is a statement of another form");
        self.images = images.ok_or_else(unlike)?;
        match (step, image) {
            (Step::Routine(routine), Step::Routine(image)) => {
                self.routine(routine, image, id, span)
            }
            _ => self.step(step, span),
        }
    }

    fn step(&mut self, step: &'p Step, span: Span) -> Checked<()> {
        match step {
            Step::Guarded { guard, effects } => {
                self.guarded(Some(guard), effects.iter().collect(), span)
            }
            Step::Else | Step::Exit => Ok(()),
            Step::Call(call) => self.call(call, span),
            Step::Send {
                channel,
                order,
                message,
            } => self.send(channel, *order, message),
            Step::Receive {
                channel, patterns, ..
            } => self.receive(channel, patterns),
            Step::Routine(_) => Err(Reject::at(span, "no rule is about this statement")),
        }
    }

    /// What can never be taken does nothing.
    fn guarded(
        &mut self,
        guard: Option<&'p Expr>,
        effects: Vec<&'p Effect>,
        span: Span,
    ) -> Checked<()> {
        let truth = guard.map(|guard| self.truth(guard)).transpose()?;
        if truth.is_some_and(|truth| truth.decided() == Some(false)) {
            for effect in effects {
                effect.each_whole(&mut |whole| self.skip(whole));
            }
            return Ok(());
        }
        let mut effects = effects.into_iter();
        effects.try_for_each(|effect| self.effect(effect, span))
    }

    fn effect(&mut self, effect: &'p Effect, span: Span) -> Checked<()> {
        match effect {
            Effect::Assign { place, value } => self.assign(place, value),
            Effect::Assert { condition } => self.truth(condition).map(drop),
            // What is printed is not preserved, but whether it has a value is.
            Effect::Print { text } => {
                let mut values = printed(text).iter();
                values.try_for_each(|value| self.expr(value).map(drop))
            }
            Effect::Insert(insertion) => {
                self.truth(&insertion.has_room)?;
                self.assign(&insertion.position, &insertion.first_free)?;
                let mut cells = insertion.cells.iter();
                cells.try_for_each(|(place, value)| self.assign(place, value))
            }
            Effect::Fail { .. } | Effect::Abandon => Ok(()),
            Effect::Spawn {
                template,
                arguments,
                result,
                ..
            } => {
                self.arguments(*template, arguments, span)?;
                // Its number is the next one that is free, and is not moved, as those that are exist already.
                result.iter().try_for_each(|place| {
                    let cell = self.cell(place)?;
                    self.stored(cell, &Ty::Outsider(0), place.span)
                })
            }
            Effect::SetPriority { .. } => Err(Reject::at(span, "no rule is about this statement")),
        }
    }

    fn assign(&mut self, place: &'p Place, value: &'p Expr) -> Checked<()> {
        let found = self.expr(value)?;
        let cell = self.cell(place)?;
        self.stored(cell, &found, place.span)
    }

    /// A cell gets a value. Both are of one type; what a number becomes when it is stored must be no name either; and what the cell is known to hold it holds
    /// afterwards.
    pub(super) fn stored(&self, cell: Cell<'_>, ty: &Ty<'_>, span: Span) -> Checked<()> {
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
        let own = cell.ty(self.mover);
        self.meet(&own, &kept, span, "is stored")?;
        let cuts = matches!(own, Ty::Name(..)) && cell.scalar.limits().is_none();
        let whole = match ty {
            Ty::Cases(_) => true,
            Ty::Name(_, Held::Among(known)) => known
                .iter()
                .all(|value| cell.scalar.store(*value) == Some(*value)),
            _ => contains(cell.scalar, ty.range()),
        };
        self.need(!cuts || whole, span, "what is moved may be cut")?;
        match cell.values {
            Some(values) if !is_among(&kept, cell.scalar, values) => {
                self.miss(values, &kept);
                Err(Reject::at(
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
            Ty::Name(_, Held::Among(known)) => Some((*known).clone()),
            _ => None,
        };
        if let Some(missing) = self.missing {
            missing
                .borrow_mut()
                .push((std::ptr::from_ref(values), found));
        }
    }

    /// The arguments of a new process have the types of its parameters.
    pub(super) fn arguments(
        &mut self,
        template: TemplateId,
        values: &'p [Expr],
        span: Span,
    ) -> Checked<()> {
        let proof = self.proof;
        let shapes = &proof.sorts.classes.locals[template.index()];
        let shapes = shapes.iter().zip(&proof.values.locals[template.index()]);
        let parts = shapes.take(self.model.template(template).parameters as usize);
        let cells = parts.flat_map(|(shape, values)| {
            let values = Some(values);
            Part { shape, values }.cells(true)
        });
        self.passed(values, cells.collect(), span)
    }

    /// Cells get the values of expressions.
    fn passed(&mut self, values: &'p [Expr], cells: Vec<Cell<'_>>, span: Span) -> Checked<()> {
        if values.len() != cells.len() {
            return Err(Reject::at(span, "it has other parameters"));
        }
        values.iter().zip(cells).try_for_each(|(value, cell)| {
            let found = self.expr(value)?;
            self.stored(cell, &found, value.span)
        })
    }

    /// At each node the first choice is taken that can be, on both sides the same one. What a loop does to take the next value has a rule of its own.
    pub(super) fn routine(
        &mut self,
        routine: &'p Routine,
        image: &'p Routine,
        id: Option<CodeId>,
        span: Span,
    ) -> Checked<()> {
        let counting = self.counting(routine, image, span)?;
        for (number, node) in (0..).map(NodeId).zip(&routine.nodes) {
            if counting.iter().any(|each| each.head == number) {
                continue;
            }
            let head = routine.loops.iter().find(|each| each.head == number);
            for (index, choice) in node.choices.iter().enumerate() {
                let Step::Guarded { guard, effects } = &choice.step else {
                    self.step(&choice.step, choice.span)?;
                    continue;
                };
                let takes = head
                    .filter(|_| index == 0)
                    .map(|each| each.takes_next().len());
                let own = |place| !counting.iter().any(|each| each.counts(choice, place));
                let effects = effects.iter().enumerate().skip(takes.unwrap_or_default());
                let effects = effects
                    .filter(|(place, _)| own(*place))
                    .map(|(_, e)| e)
                    .collect();
                self.guarded(
                    Some(guard).filter(|_| takes.is_none()),
                    effects,
                    choice.span,
                )?;
            }
        }
        let known = routine
            .loops
            .iter()
            .map(|each| Iterations::known(routine, each));
        let counted = counting
            .iter()
            .map(|each| Iterations::counted(routine, each));
        let all: Vec<Iterations<'_>> = known.chain(counted).collect();
        all.iter().try_for_each(|each| self.iterations(each, id))
    }

    /// The loops that count, which both have. Behind one its variable has the next number, unless nobody reads it any more.
    fn counting(
        &mut self,
        routine: &'p Routine,
        image: &'p Routine,
        span: Span,
    ) -> Checked<Vec<Counted<'p>>> {
        let mut all = Vec::new();
        for head in &self.notes.counted {
            let (own, other) = (self.counted(routine, *head), self.counted(image, *head));
            let ends = |each: &Counted<'_>| (each.first, each.last);
            let same = own.as_ref().map(ends) == other.as_ref().map(ends);
            let each = own.filter(|_| same);
            let each = each.ok_or(Reject::at(span, "it is said to count, and does not"))?;
            let (place, next) = (each.variable, each.last + 1);
            let cell = self.cell(place)?;
            let temporary = Temporary::of(&place.root).filter(|t| self.is_temporary(*t));
            let dead = |behind| temporary.is_some_and(|t| is_dead(self.notes, t, &[], behind));
            if temporary.is_none() || each.behind.is_some_and(|behind| !dead(behind)) {
                let wanted = Ty::pair(next, next);
                self.meet(
                    &cell.ty(self.mover),
                    &wanted,
                    place.span,
                    "is there behind the loop",
                )?;
            }
            if cell.values.is_some() {
                let message = "nothing is known of the values of what counts";
                return Err(Reject::at(place.span, message));
            }
            all.push(each);
        }
        Ok(all)
    }

    fn send(&mut self, channel: &'p Expr, order: SendOrder, message: &'p [Expr]) -> Checked<()> {
        let class = self.channel(channel)?;
        let found = message
            .iter()
            .map(|value| Ok((self.expr(value)?, value.span)));
        let found: Vec<(Ty<'p>, Span)> = found.collect::<Checked<_>>()?;
        for fields in self.messages(class, found.len(), channel.span)? {
            for (cell, (ty, span)) in fields.into_iter().zip(&found) {
                let plain = matches!(cell.ty(self.mover), Ty::Cases(_));
                let in_order = plain || order != SendOrder::Sorted;
                self.need(in_order, *span, "what is moved is sorted")?;
                self.stored(cell, ty, *span)?;
            }
        }
        Ok(())
    }

    fn receive(&mut self, channel: &'p Expr, patterns: &'p [Pattern]) -> Checked<()> {
        let kinds = self.matched(channel, patterns)?;
        for (number, pattern) in patterns.iter().enumerate() {
            if let Pattern::Bind(place) = pattern {
                let target = self.cell(place)?;
                let mut fields = kinds.iter().map(|fields| fields[number].ty(self.mover));
                fields.try_for_each(|ty| self.stored(target, &ty, place.span))?;
            }
        }
        Ok(())
    }

    /// A call: what is passed has the types of the parameters, and what comes back that of the result.
    fn call(&mut self, call: &'p Call, span: Span) -> Checked<()> {
        let function = self.model.function(call.function);
        let known = self.proof.bodies.get(&Body::Function(call.function));
        let notes = known.ok_or_else(|| Reject::at(span, "nothing is said of the function"))?;
        let unlike = || Reject::at(span, "it passes other things than the function takes");
        let mut rest = &call.arguments[..];
        for (number, parameter) in (0..function.parameters).zip(&function.locals) {
            let cells = self.model.cells(&parameter.ty);
            let (own, more) = rest.split_at_checked(cells).ok_or_else(unlike)?;
            rest = more;
            self.parameter(
                notes.locals.get(&number).ok_or_else(unlike)?,
                parameter,
                own,
            )?;
        }
        let mut alike = |place: &'p Place, shape: &Shape<Sort>| {
            let part = self.part(place, place.path.len())?;
            self.same_shape(part.shape, shape, place.span)
        };
        let mut references = call.references.iter().zip(&notes.references);
        references.try_for_each(|(place, shape)| alike(place, shape))?;
        let Some(place) = &call.result else {
            return Ok(());
        };
        let shape = function
            .result
            .and_then(|result| notes.locals.get(&result.0));
        alike(place, shape.ok_or_else(unlike)?)
    }

    /// What is passed to a parameter, one value a cell. All cells of a variable in their order are the variable: a renaming exchanges elements of the one as it does
    /// those of the other.
    fn parameter(
        &mut self,
        shape: &'p Shape<Sort>,
        parameter: &Variable,
        given: &'p [Expr],
    ) -> Checked<()> {
        if !matches!(parameter.ty, Type::Scalar(_)) {
            let images: Vec<&Expr> = given.iter().map(|value| self.images.expr(value)).collect();
            let own: Vec<&Expr> = given.iter().collect();
            let passed = whole(self.model, &parameter.ty, &own);
            if let Some((place, length)) = passed
                && whole(self.model, &parameter.ty, &images).is_some()
            {
                let part = self.part(place, length)?;
                return self.same_shape(part.shape, shape, place.span);
            }
        }
        self.in_order(shape, parameter.span)?;
        let values = None;
        let cells = Part { shape, values }.cells(true);
        self.passed(given, cells, parameter.span)
    }
}

/// Whether a value that is stored is one of some.
fn is_among(ty: &Ty<'_>, scalar: Scalar, values: &BTreeSet<Value>) -> bool {
    let has = |value: Value| values.contains(&value);
    match ty {
        Ty::Cases(cases) => cases.all(has),
        Ty::Name(_, Held::Among(known)) => known
            .iter()
            .all(|value| scalar.store(*value).is_none_or(has)),
        Ty::Name(..) | Ty::Outsider(_) | Ty::Channel(_) => false,
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
