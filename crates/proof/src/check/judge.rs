//! The judgement: a pair of expressions has a type.

use super::moves::Mover;
use super::places::Cell;
use super::types::{Cases, Met, Ty};
use super::{Checked, Reject};
use crate::proof::{Notes, Proof};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, UnaryOp};
use mandala_model::ids::{BinderId, TemplateId};
use mandala_model::parameters::Values;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::Role;
use mandala_symmetry::sorts::Sort;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Names and what is added to them are smaller, so that sums of them are not cut.
pub(super) const FARTHEST: Value = 1 << 20;

/// Who evaluates an expression and its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Any process of the template, or the process that it becomes.
    Any,
    /// A process that is not moved.
    Stays,
    /// The process of that number, and the one that it becomes.
    Known(u32, u32),
}

/// Judges pairs of expressions of one body.
pub(super) struct Judge<'p> {
    pub(super) model: &'p Model,
    pub(super) proof: &'p Proof,
    pub(super) mover: &'p Mover,
    /// What is said of the body.
    pub(super) notes: &'p Notes,
    /// The template whose variables it reads.
    pub(super) template: Option<TemplateId>,
    pub(super) who: Who,
    /// Whether the symmetry has not begun where this is done: then only channels and known values matter.
    pub(super) early: bool,
    /// For provers: the values that are missing from what is known.
    pub(super) missing: Option<&'p Missing>,
    /// Which quantifier comes next.
    next_binder: usize,
    bound: Vec<Sort>,
}

/// For sets of values that something else was found for, by their places in memory, what that is; nothing if that may be anything.
pub(crate) type Missing = RefCell<Vec<(*const BTreeSet<Value>, Option<BTreeSet<Value>>)>>;

static NOTHING: Notes = Notes {
    locals: std::collections::BTreeMap::new(),
    globals: std::collections::BTreeMap::new(),
    references: Vec::new(),
    binders: Vec::new(),
    counted: BTreeSet::new(),
    dead: Vec::new(),
};

impl<'p> Judge<'p> {
    pub(super) fn new(
        model: &'p Model,
        proof: &'p Proof,
        mover: &'p Mover,
        notes: Option<&'p Notes>,
    ) -> Self {
        Judge {
            model,
            proof,
            mover,
            notes: notes.unwrap_or(&NOTHING),
            template: None,
            who: Who::Stays,
            early: false,
            missing: None,
            next_binder: 0,
            bound: Vec::new(),
        }
    }

    /// That a rule holds, where the symmetry has begun.
    pub(super) fn need(&self, holds: bool, span: Span, message: &str) -> Checked<()> {
        match holds || self.early {
            true => Ok(()),
            false => Err(Reject::at(span, message)),
        }
    }

    /// The type of an expression and its image.
    pub(super) fn expr(&mut self, a: &Expr, b: &Expr) -> Checked<Ty<'p>> {
        let span = a.span;
        match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => Ok(Ty::pair(*a, *b)),
            (ExprKind::Read(a), ExprKind::Read(b)) => self.read(a, b),
            (ExprKind::Unary(op, a), ExprKind::Unary(other, b)) if op == other => {
                self.unary(*op, a, b, span)
            }
            (ExprKind::Binary(op, a, c), ExprKind::Binary(other, b, d)) if op == other => {
                self.binary(*op, (a, b), (c, d), span)
            }
            (ExprKind::Conditional(a, yes, no), ExprKind::Conditional(b, yes_, no_)) => {
                match self.truth(a, b)?.decided() {
                    Some(true) => {
                        let ty = self.expr(yes, yes_);
                        self.skip(no);
                        ty
                    }
                    Some(false) => {
                        self.skip(yes);
                        self.expr(no, no_)
                    }
                    None => {
                        let (yes, no) = (self.expr(yes, yes_)?, self.expr(no, no_)?);
                        self.either(yes, no, span)
                    }
                }
            }
            (ExprKind::SelfId, ExprKind::SelfId) => self.own_number(span),
            (ExprKind::FirstInstance(a), ExprKind::FirstInstance(b)) if a == b => {
                self.need(
                    !self.is_moved(*a),
                    span,
                    "it asks for the first process of those that are moved",
                )?;
                Ok(Ty::Outsider)
            }
            (ExprKind::Timeout, ExprKind::Timeout)
            | (ExprKind::NonProgress, ExprKind::NonProgress)
            | (ExprKind::Accepting, ExprKind::Accepting) => Ok(Ty::plain()),
            (ExprKind::ProcessCount, ExprKind::ProcessCount)
            | (ExprKind::LastMover, ExprKind::LastMover) => self.no_processes(span),
            (ExprKind::Enabled(a), ExprKind::Enabled(b))
            | (ExprKind::LocationNumber(a), ExprKind::LocationNumber(b))
            | (ExprKind::Priority(a), ExprKind::Priority(b)) => {
                let found = self.expr(a, b)?;
                self.meet(&found, &Ty::plain(), span, "is the number of a process")?;
                self.no_processes(span)
            }
            (
                ExprKind::At {
                    template,
                    process: a,
                    location,
                },
                ExprKind::At {
                    template: t,
                    process: b,
                    location: l,
                },
            ) if (template, location) == (t, l) => {
                self.process(*template, a, b).map(|()| Ty::plain())
            }
            (ExprKind::Bound(a), ExprKind::Bound(b)) if a == b => self.bound(*a, span),
            (ExprKind::Quantified(a), ExprKind::Quantified(b)) => self.quantified(a, b, span),
            (ExprKind::Channel(a, c), ExprKind::Channel(b, d)) if a == b => {
                self.channel(c, d).map(|_| Ty::plain())
            }
            (
                ExprKind::Poll {
                    channel: a,
                    order,
                    patterns,
                },
                ExprKind::Poll {
                    channel: b,
                    order: o,
                    patterns: ps,
                },
            ) if order == o => self.matched((a, b), (patterns, ps)).map(|_| Ty::plain()),
            _ => Err(Reject::always(span, "its image is of another form")),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, b: &Expr, span: Span) -> Checked<Ty<'p>> {
        match op {
            UnaryOp::Defined => {
                let ty = self.expr(a, b)?;
                self.keeps_zero(&ty, span)?;
                Ok(ty)
            }
            UnaryOp::Not => {
                let truth = self.truth(a, b)?;
                let negated = truth.map(|value| Some(Value::from(value == 0)));
                Ok(negated.map_or_else(Ty::plain, Ty::Cases))
            }
            UnaryOp::Negate | UnaryOp::BitNot => {
                let ty = self.expr(a, b)?;
                let arithmetic = self.model.arithmetic;
                let found = ty.cases(self.mover);
                let found =
                    found.and_then(|cases| cases.map(|value| arithmetic.unary(op, value).ok()));
                self.calculated(found, span)
            }
        }
    }

    fn calculated(&self, found: Option<Cases>, span: Span) -> Checked<Ty<'p>> {
        self.need(found.is_some(), span, "what is moved is computed with")?;
        Ok(found.map_or_else(Ty::plain, Ty::Cases))
    }

    /// A value of which only matters whether it is 0.
    pub(super) fn truth(&mut self, a: &Expr, b: &Expr) -> Checked<Cases> {
        let ty = self.expr(a, b)?;
        self.keeps_zero(&ty, a.span)?;
        Ok(match ty {
            Ty::Cases(cases) => cases,
            _ => Cases::same(),
        })
    }

    /// That a value is 0 iff its image is.
    pub(super) fn keeps_zero(&self, ty: &Ty<'_>, span: Span) -> Checked<()> {
        let kept = match ty {
            Ty::Cases(cases) => cases.agrees(),
            Ty::Name(sort, values) => {
                self.mover.maps(*sort, 0, 0) || values.is_some_and(|v| !v.contains(&0))
            }
            Ty::Channel(_) | Ty::Outsider => true,
        };
        self.need(kept, span, "whether it is 0 depends on what is moved")
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: (&Expr, &Expr),
        right: (&Expr, &Expr),
        span: Span,
    ) -> Checked<Ty<'p>> {
        if let BinaryOp::And | BinaryOp::Or = op {
            let before = self.next_binder;
            let found = self.junction(op, left, right);
            if found.is_err() && self.in_any_order(op, [left.0, right.0], [left.1, right.1]) {
                self.next_binder = before;
                return Ok(Ty::plain());
            }
            return found;
        }
        let (first, second) = (self.expr(left.0, left.1)?, self.expr(right.0, right.1)?);
        if let Some(sum) = self.sum(op, &first, &second) {
            return Ok(sum);
        }
        let found = self.computed(op, &first, &second);
        let is_strict = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr);
        if is_strict
            && !found.as_ref().is_some_and(Cases::is_same)
            && self.in_any_order(op, [left.0, right.0], [left.1, right.1])
        {
            return Ok(Ty::plain());
        }
        if let BinaryOp::Equal | BinaryOp::NotEqual = op {
            let met = first.meets(&second, self.mover);
            let found = found.filter(Cases::is_same);
            match (met, found) {
                (Met::Channels, _) => return Err(Reject::channels(span)),
                (_, Some(found)) => return Ok(Ty::Cases(found)),
                (Met::Alike, None) => return Ok(Ty::plain()),
                (Met::Unlike, None) => {}
            }
            self.need(
                false,
                span,
                "what is moved is compared with what is moved otherwise",
            )?;
            return Ok(Ty::plain());
        }
        self.calculated(found, span)
    }

    /// Truth values one after the other: the second is not evaluated where the first decides.
    fn junction(
        &mut self,
        op: BinaryOp,
        left: (&Expr, &Expr),
        right: (&Expr, &Expr),
    ) -> Checked<Ty<'p>> {
        let first = self.truth(left.0, left.1)?;
        if first.decided() == Some(op == BinaryOp::Or) {
            let value = Value::from(op == BinaryOp::Or);
            self.skip(right.0);
            return Ok(Ty::pair(value, value));
        }
        let second = self.truth(right.0, right.1)?;
        let found = self.computed(op, &Ty::Cases(first), &Ty::Cases(second));
        Ok(found.map_or_else(Ty::plain, Ty::Cases))
    }

    /// Whether operands become each other in some order. Those of which not all are evaluated have a value in any case.
    fn in_any_order(&mut self, op: BinaryOp, a: [&Expr; 2], b: [&Expr; 2]) -> bool {
        let (mut all, mut images) = (Vec::new(), Vec::new());
        a.into_iter()
            .for_each(|part| push_operands(op, part, &mut all));
        b.into_iter()
            .for_each(|part| push_operands(op, part, &mut images));
        let junction = matches!(op, BinaryOp::And | BinaryOp::Or);
        let mut parts = all.iter().chain(&images);
        if all.len() != images.len() || (junction && !parts.all(|part| self.is_total(part))) {
            return false;
        }
        all.into_iter().all(|part| {
            let image = images.iter().position(|image| match junction {
                true => self.truth(part, image).is_ok(),
                false => self
                    .expr(part, image)
                    .is_ok_and(|ty| matches!(ty, Ty::Cases(cases) if cases.is_same())),
            });
            image.map(|image| images.swap_remove(image)).is_some()
        })
    }

    /// Whether an expression has a value in any case.
    fn is_total(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::SelfId => true,
            ExprKind::Conditional(a, b, c) => {
                self.is_total(a) && self.is_total(b) && self.is_total(c)
            }
            ExprKind::Unary(op, a) => *op == UnaryOp::Not && self.is_total(a),
            ExprKind::Binary(op, a, b) => {
                let total = op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or);
                total && self.is_total(a) && self.is_total(b)
            }
            ExprKind::Read(place) => self.is_inside(place),
            _ => false,
        }
    }

    /// What is never evaluated.
    pub(super) fn skip(&mut self, expr: &Expr) {
        expr.walk(&mut |part| {
            self.next_binder += usize::from(matches!(part.kind, ExprKind::Quantified(_)))
        });
    }

    /// What an operator makes of two values case by case.
    fn computed(&self, op: BinaryOp, a: &Ty<'_>, b: &Ty<'_>) -> Option<Cases> {
        let arithmetic = self.model.arithmetic;
        let (a, b) = (a.cases(self.mover)?, b.cases(self.mover)?);
        a.with(&b, |a, b| arithmetic.binary(op, a, b).ok())
    }

    /// A name and a number are a name that is counted from elsewhere.
    fn sum(&self, op: BinaryOp, a: &Ty<'p>, b: &Ty<'p>) -> Option<Ty<'p>> {
        let number = |ty: &Ty<'_>| match ty {
            Ty::Cases(cases) if cases.is_same() && !cases.others && cases.pairs.len() == 1 => cases
                .pairs
                .first()
                .map(|pair| pair.0)
                .filter(|by| by.unsigned_abs() < FARTHEST as u64),
            _ => None,
        };
        let (name, by) = match (op, a, b) {
            (BinaryOp::Add, Ty::Name(name, _), by) | (BinaryOp::Add, by, Ty::Name(name, _)) => {
                (*name, number(by)?)
            }
            (BinaryOp::Subtract, Ty::Name(name, _), by) => (*name, -number(by)?),
            _ => return None,
        };
        // Where all values and their images are known, they are better looked at one by one.
        let known = |ty: &Ty<'_>| matches!(ty, Ty::Name(_, Some(_)));
        if self.mover.is_one() && (known(a) || known(b)) {
            return None;
        }
        let shifted = match name {
            Sort::Process(offset) => Sort::Process(offset - by),
            Sort::Name(set, offset) => Sort::Name(set, offset - by),
            Sort::Plain | Sort::Channel(_) => return None,
        };
        let (Sort::Process(offset) | Sort::Name(_, offset)) = shifted else {
            return None;
        };
        (offset.unsigned_abs() < FARTHEST as u64).then_some(Ty::Name(shifted, None))
    }

    /// One of two values.
    fn either(&self, a: Ty<'p>, b: Ty<'p>, span: Span) -> Checked<Ty<'p>> {
        if let (Ty::Cases(a), Ty::Cases(b)) = (&a, &b) {
            return Ok(Ty::Cases(a.clone().or(b.clone())));
        }
        self.meet(&a, &b, span, "is chosen or something else")?;
        Ok(match (a, b) {
            (Ty::Name(sort, _), _) | (_, Ty::Name(sort, _)) => Ty::Name(sort, None),
            (Ty::Channel(class), _) | (_, Ty::Channel(class)) => Ty::Channel(class),
            _ => Ty::Outsider,
        })
    }

    /// That two values are of one type.
    pub(super) fn meet(&self, a: &Ty<'_>, b: &Ty<'_>, span: Span, how: &str) -> Checked<()> {
        match a.meets(b, self.mover) {
            Met::Alike => Ok(()),
            Met::Channels => Err(Reject::channels(span)),
            Met::Unlike => self.need(false, span, &format!("what is moved otherwise {how}")),
        }
    }

    fn own_number(&self, span: Span) -> Checked<Ty<'p>> {
        let template = self
            .template
            .filter(|id| self.model.template(*id).role == Role::Process);
        let template = template.ok_or_else(|| Reject::always(span, "no process evaluates it"))?;
        Ok(match self.who {
            Who::Known(from, to) => Ty::pair(from.into(), to.into()),
            Who::Any if self.is_moved(template) => Ty::Name(Sort::Process(0), None),
            Who::Any | Who::Stays => Ty::Outsider,
        })
    }

    /// Whether processes of a template are moved.
    pub(super) fn is_moved(&self, template: TemplateId) -> bool {
        let mut domains = self.proof.domains.iter().enumerate();
        domains.any(|(number, domain)| {
            let own = matches!(domain.kind, mandala_symmetry::DomainKind::Processes { template: t, .. } if t == template);
            own && self.mover.touches(self.proof, number)
        })
    }

    fn no_processes(&self, span: Span) -> Checked<Ty<'p>> {
        let none = !self.mover.moves_processes();
        self.need(none, span, "it depends on the numbers of processes")?;
        Ok(Ty::plain())
    }

    /// The number of a process that must be an instance of a template.
    pub(super) fn process(&mut self, template: TemplateId, a: &Expr, b: &Expr) -> Checked<()> {
        let found = self.expr(a, b)?;
        let names = self.mover.sort(Sort::Process(0)) != Sort::Plain;
        if names && found.meets(&Ty::Name(Sort::Process(0), None), self.mover) == Met::Alike {
            return Ok(());
        }
        let moved = self.is_moved(template);
        self.need(
            !moved,
            a.span,
            "it is not known to be the number of a process",
        )?;
        self.meet(&found, &Ty::plain(), a.span, "is the number of a process")
    }

    fn bound(&self, id: BinderId, span: Span) -> Checked<Ty<'p>> {
        let sort = self.bound.get(id.index()).copied();
        let sort = sort.ok_or_else(|| Reject::always(span, "nothing binds it"))?;
        Ok(Ty::of(self.mover, sort, None))
    }

    /// Over what is moved a quantifier asks the same of all, in whatever order.
    fn quantified(&mut self, a: &Quantified, b: &Quantified, span: Span) -> Checked<Ty<'p>> {
        let alike =
            a.quantifier == b.quantifier && a.evaluation == b.evaluation && a.values == b.values;
        let sort = self
            .notes
            .binders
            .get(self.next_binder)
            .copied()
            .unwrap_or(Sort::Plain);
        self.next_binder += 1;
        if !alike {
            return Err(Reject::always(span, "its image is another quantifier"));
        }
        self.closed(sort, &a.values, span)?;
        self.bound.push(sort);
        let body = match a.quantifier {
            Quantifier::Sum => self
                .expr(&a.body, &b.body)
                .and_then(|ty| self.meet(&ty, &Ty::plain(), span, "is added up")),
            _ => self.truth(&a.body, &b.body).map(drop),
        };
        self.bound.pop();
        body?;
        let strict = a.stops_at().is_none()
            && !matches!(a.quantifier, Quantifier::Sum | Quantifier::FirstOf);
        let plain = matches!(Ty::of(self.mover, sort, None), Ty::Cases(_));
        self.need(
            strict || plain,
            span,
            "what is moved is looked at in an order",
        )?;
        Ok(Ty::plain())
    }

    /// That a set of values is mapped to itself.
    pub(super) fn closed(&self, sort: Sort, values: &Values, span: Span) -> Checked<()> {
        if let Sort::Channel(_) = sort {
            return Err(Reject::channels(span));
        }
        let sort = self.mover.sort(sort);
        let values: BTreeSet<Value> = match sort {
            Sort::Plain => return Ok(()),
            _ => values.iter().collect(),
        };
        let mut pairs = self.mover.pairs(sort);
        let closed = pairs.all(|(a, b)| values.contains(&a) == values.contains(&b));
        self.need(closed, span, "only some of what is moved is meant")
    }

    /// The class of the channels that an expression refers to; nothing if there is none, which is a fault on both sides.
    pub(super) fn channel(&mut self, a: &Expr, b: &Expr) -> Checked<Option<u32>> {
        match self.expr(a, b)? {
            Ty::Channel(class) => Ok(Some(class)),
            Ty::Cases(cases) if cases.decided() == Some(false) => Ok(None),
            _ => Err(Reject::channels(a.span)),
        }
    }

    /// For each kind of channels of a class, the classes of the fields of its messages.
    pub(super) fn messages(
        &self,
        class: Option<u32>,
        count: usize,
        span: Span,
    ) -> Checked<Vec<Vec<Cell<'p>>>> {
        let proof = self.proof;
        let kinds = class.and_then(|class| proof.sorts.kinds.get(class as usize));
        let kinds = kinds.into_iter().flatten();
        let fields = kinds.map(|kind| {
            let scalars = &self.model.channel_kind(*kind).fields;
            let sorts = &proof.sorts.classes.fields[kind.index()];
            let cells = sorts
                .iter()
                .zip(scalars)
                .zip(&proof.values.fields[kind.index()]);
            let cells = cells.map(|((sort, scalar), values)| Cell {
                sort: *sort,
                scalar: *scalar,
                values: values.as_ref(),
            });
            let fits = scalars.len() == count;
            fits.then(|| cells.collect())
                .ok_or_else(|| Reject::channels(span))
        });
        fields.collect()
    }

    /// What patterns ask of a message.
    pub(super) fn matched(
        &mut self,
        channel: (&Expr, &Expr),
        patterns: (&[Pattern], &[Pattern]),
    ) -> Checked<Vec<Vec<Cell<'p>>>> {
        let span = channel.0.span;
        let class = self.channel(channel.0, channel.1)?;
        let kinds = self.messages(class, patterns.0.len(), span)?;
        if patterns.0.len() != patterns.1.len() {
            return Err(Reject::always(span, "its image is of another form"));
        }
        for (number, pair) in patterns.0.iter().zip(patterns.1).enumerate() {
            match pair {
                (Pattern::Match(a), Pattern::Match(b)) => {
                    let found = self.expr(a, b)?;
                    for field in kinds.iter().map(|fields| fields[number]) {
                        self.compared(&field.ty(self.mover), &found, a.span)?;
                    }
                }
                (Pattern::Bind(_), Pattern::Bind(_)) | (Pattern::Ignore, Pattern::Ignore) => {}
                _ => return Err(Reject::always(span, "its image is of another form")),
            }
        }
        Ok(kinds)
    }

    /// That two values are equal iff their images are.
    fn compared(&self, a: &Ty<'_>, b: &Ty<'_>, span: Span) -> Checked<()> {
        match a.meets(b, self.mover) {
            Met::Alike => Ok(()),
            Met::Channels => Err(Reject::channels(span)),
            Met::Unlike => {
                let found = self.computed(BinaryOp::Equal, a, b);
                let same = found.is_some_and(|found| found.is_same());
                self.need(same, span, "what is moved otherwise is compared with it")
            }
        }
    }
}

/// The operands of a chain of one operator.
fn push_operands<'e>(op: BinaryOp, expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(own, left, right) if *own == op => {
            push_operands(op, left, all);
            push_operands(op, right, all);
        }
        _ => all.push(expr),
    }
}
