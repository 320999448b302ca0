//! The judgement: an expression and its image have a type.

use super::moves::{FARTHEST, Mover};
use super::places::Cell;
use super::types::{Cases, Held, Ty};
use super::uses::Images;
use super::{Checked, Reject};
use crate::proof::{Notes, Proof};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Pattern, Root, UnaryOp};
use mandala_model::ids::TemplateId;
use mandala_model::parameters::Values;
use mandala_model::quantified::{Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::Role;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Domain, DomainKind};
use std::cell::RefCell;
use std::collections::BTreeSet;

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

/// Judges the text of one body, and the text that it becomes.
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
    /// Where the image differs from the text.
    pub(super) images: Images<'p>,
    /// A variable of which more is known than its type says, and its least and its greatest value.
    pub(super) within: Option<(Root, (Value, Value))>,
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
            images: Images::default(),
            within: None,
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
    pub(super) fn expr(&mut self, expr: &'p Expr) -> Checked<Ty<'p>> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Const(value) => Ok(Ty::pair(*value, self.images.number(expr, *value))),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let before = self.next_binder;
                let found = self.junction(*op, left, right);
                if found.is_err() && self.in_any_order(*op, expr) {
                    self.next_binder = before;
                    return Ok(Ty::plain());
                }
                found
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Conditional(condition, yes, no) => match self.truth(condition)?.decided() {
                Some(true) => {
                    let ty = self.expr(yes);
                    self.skip(no);
                    ty
                }
                Some(false) => {
                    self.skip(yes);
                    self.expr(no)
                }
                None => {
                    let (yes, no) = (self.expr(yes)?, self.expr(no)?);
                    self.either(yes, no, span)
                }
            },
            ExprKind::SelfId => self.own_number(span),
            ExprKind::FirstInstance(template) => {
                let message = "it asks for the first process of those that are moved";
                self.need(!self.is_moved(*template), span, message)?;
                Ok(Ty::Outsider(-1))
            }
            ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Accepting => Ok(Ty::plain()),
            ExprKind::ProcessCount | ExprKind::LastMover => self.no_processes(span),
            ExprKind::Enabled(number)
            | ExprKind::LocationNumber(number)
            | ExprKind::Priority(number) => {
                let found = self.expr(number)?;
                self.meet(&found, &Ty::plain(), span, "is the number of a process")?;
                self.no_processes(span)
            }
            ExprKind::At {
                template, process, ..
            } => self.process(*template, process).map(|()| Ty::plain()),
            ExprKind::Bound(id) => match self.bound.get(id.index()) {
                Some(sort) => Ok(Ty::of(self.mover, *sort, Held::Anything)),
                None => Err(Reject::at(span, "nothing binds it")),
            },
            ExprKind::Quantified(quantified) => self.quantified(quantified, span),
            ExprKind::Channel(_, channel) => self.channel(channel).map(|_| Ty::plain()),
            ExprKind::Poll {
                channel, patterns, ..
            } => self.matched(channel, patterns).map(|_| Ty::plain()),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &'p Expr, span: Span) -> Checked<Ty<'p>> {
        let arithmetic = self.model.arithmetic;
        match op {
            UnaryOp::Defined => {
                let ty = self.expr(operand)?;
                self.keeps_zero(&ty, span).map(|()| ty)
            }
            UnaryOp::Not => {
                let negated = self.truth(operand)?.map(|value| Some((value == 0).into()));
                Ok(negated.map_or_else(Ty::plain, Ty::Cases))
            }
            UnaryOp::Negate | UnaryOp::BitNot => {
                let cases = self.expr(operand)?.cases(self.mover);
                let found = cases.and_then(|c| c.map(|value| arithmetic.unary(op, value).ok()));
                self.calculated(found, span)
            }
        }
    }

    fn calculated(&self, found: Option<Cases>, span: Span) -> Checked<Ty<'p>> {
        self.need(found.is_some(), span, "what is moved is computed with")?;
        Ok(found.map_or_else(Ty::plain, Ty::Cases))
    }

    /// A value of which only matters whether it is 0.
    pub(super) fn truth(&mut self, expr: &'p Expr) -> Checked<Cases> {
        let ty = self.expr(expr)?;
        self.keeps_zero(&ty, expr.span)?;
        Ok(match ty {
            Ty::Cases(cases) => cases,
            _ => Cases::same(),
        })
    }

    /// That a value is 0 iff its image is.
    pub(super) fn keeps_zero(&self, ty: &Ty<'_>, span: Span) -> Checked<()> {
        let kept = ty.keeps_zero(self.mover);
        self.need(kept, span, "whether it is 0 depends on what is moved")
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &'p Expr,
        right: &'p Expr,
        expr: &'p Expr,
    ) -> Checked<Ty<'p>> {
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        if let Some(sum) = self.sum(op, &a, &b) {
            return Ok(sum);
        }
        let found = self.computed(op, &a, &b);
        let same = found.as_ref().is_some_and(Cases::is_same);
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let met = a.meets(&b, self.mover).ok_or(Reject::channels(expr.span))?;
                let message = "what is moved is compared with what is moved otherwise";
                self.need(met || same, expr.span, message)?;
                Ok(found
                    .filter(Cases::is_same)
                    .map_or_else(Ty::plain, Ty::Cases))
            }
            BinaryOp::BitAnd | BinaryOp::BitOr if !same && self.in_any_order(op, expr) => {
                Ok(Ty::plain())
            }
            _ => self.calculated(found, expr.span),
        }
    }

    /// Truth values one after the other: the second is not evaluated where the first decides.
    fn junction(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Checked<Ty<'p>> {
        let first = self.truth(left)?;
        let decides = op == BinaryOp::Or;
        if first.decided() == Some(decides) {
            self.skip(right);
            return Ok(Ty::pair(decides.into(), decides.into()));
        }
        let second = self.truth(right)?;
        let found = self.computed(op, &Ty::Cases(first), &Ty::Cases(second));
        Ok(found.map_or_else(Ty::plain, Ty::Cases))
    }

    /// Whether operands become each other in some order. Those of which not all are evaluated have a value in any case.
    fn in_any_order(&mut self, op: BinaryOp, expr: &'p Expr) -> bool {
        let (mut all, mut images) = (Vec::new(), Vec::new());
        push_operands(op, expr, &mut all);
        push_operands(op, self.images.expr(expr), &mut images);
        let junction = matches!(op, BinaryOp::And | BinaryOp::Or);
        let (proof, own) = (self.proof, std::mem::take(&mut self.images));
        let total = !junction || all.iter().chain(&images).all(|part| self.is_total(part));
        let mut becomes = |part: &'p Expr, image: &'p Expr| {
            let Some(found) = Images::of_expr(part, image, &proof.sorts.rows) else {
                return false;
            };
            self.images = found;
            match junction {
                true => self.truth(part).is_ok(),
                false => matches!(self.expr(part), Ok(Ty::Cases(cases)) if cases.is_same()),
            }
        };
        let alike = total
            && all.into_iter().all(|part| {
                let image = images.iter().position(|image| becomes(part, image));
                image.map(|image| images.swap_remove(image)).is_some()
            });
        self.images = own;
        alike
    }

    /// Whether an expression has a value in any case.
    pub(super) fn is_total(&mut self, expr: &'p Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::SelfId => true,
            ExprKind::Conditional(a, b, c) => {
                self.is_total(a) && self.is_total(b) && self.is_total(c)
            }
            ExprKind::Unary(UnaryOp::Not, operand) => self.is_total(operand),
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
        let quantifier = |part: &Expr| matches!(part.kind, ExprKind::Quantified(_));
        expr.walk(&mut |part| self.next_binder += usize::from(quantifier(part)));
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
            Ty::Cases(cases) if cases.is_same() && cases.pairs.len() == 1 && !cases.others => {
                cases.pairs.first().map(|pair| pair.0)
            }
            _ => None,
        };
        let small = |value: Value| value.unsigned_abs() < FARTHEST as u64;
        let (sort, held, by) = match (op, a, b) {
            (BinaryOp::Add, Ty::Name(sort, held), by)
            | (BinaryOp::Add, by, Ty::Name(sort, held)) => (*sort, *held, number(by)?),
            (BinaryOp::Subtract, Ty::Name(sort, held), by) => (*sort, *held, -number(by)?),
            _ => return None,
        };
        let offset = match sort {
            Sort::Process(offset) | Sort::Name(_, offset) if small(by) => offset - by,
            _ => return None,
        };
        // Where all values and their images are known, they are better looked at one by one.
        if !small(offset) || (self.mover.is_one && matches!(held, Held::Among(_))) {
            return None;
        }
        let shifted = match sort {
            Sort::Name(set, _) => Sort::Name(set, offset),
            _ => Sort::Process(offset),
        };
        let range = held.range().map(|(low, high)| (low + by, high + by));
        let whole = (i32::MIN.into(), i32::MAX.into());
        let range = range.map(|r| {
            if r.0 < whole.0 || r.1 > whole.1 {
                whole
            } else {
                r
            }
        });
        Some(Ty::Name(shifted, Held::within(range)))
    }

    /// One of two values.
    fn either(&self, a: Ty<'p>, b: Ty<'p>, span: Span) -> Checked<Ty<'p>> {
        if let (Ty::Cases(a), Ty::Cases(b)) = (&a, &b) {
            return Ok(Ty::Cases(a.clone().or(b.clone())));
        }
        self.meet(&a, &b, span, "is chosen or something else")?;
        let range = a.range().zip(b.range());
        let range = range.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        Ok(match (a, b) {
            (Ty::Name(sort, _), _) | (_, Ty::Name(sort, _)) => Ty::Name(sort, Held::within(range)),
            (Ty::Channel(class), _) | (_, Ty::Channel(class)) => Ty::Channel(class),
            _ => Ty::Outsider(-1),
        })
    }

    /// That two values are of one type.
    pub(super) fn meet(&self, a: &Ty<'_>, b: &Ty<'_>, span: Span, how: &str) -> Checked<()> {
        let met = a.meets(b, self.mover).ok_or(Reject::channels(span))?;
        self.need(met, span, &format!("what is moved otherwise {how}"))
    }

    fn own_number(&self, span: Span) -> Checked<Ty<'p>> {
        let is_process = |id: &TemplateId| self.model.template(*id).role == Role::Process;
        let template = self.template.filter(is_process);
        let template = template.ok_or_else(|| Reject::at(span, "no process evaluates it"))?;
        Ok(match self.who {
            Who::Known(from, to) => Ty::pair(from.into(), to.into()),
            Who::Any if self.is_moved(template) => Ty::Name(Sort::Process(0), Held::Within(0, 255)),
            Who::Any | Who::Stays => Ty::Outsider(0),
        })
    }

    /// Whether processes of a template are moved.
    pub(super) fn is_moved(&self, wanted: TemplateId) -> bool {
        let of_template = |domain: &Domain| match &domain.kind {
            DomainKind::Processes { template, .. } => *template == wanted,
            DomainKind::Names { .. } => false,
        };
        let mut domains = self.proof.domains.iter().enumerate();
        domains
            .any(|(number, domain)| of_template(domain) && self.mover.touches(self.proof, number))
    }

    fn no_processes(&self, span: Span) -> Checked<Ty<'p>> {
        let none = self.mover.sort(Sort::Process(0)) == Sort::Plain;
        self.need(none, span, "it depends on the numbers of processes")?;
        Ok(Ty::plain())
    }

    /// The number of a process that must be an instance of a template.
    pub(super) fn process(&mut self, template: TemplateId, number: &'p Expr) -> Checked<()> {
        let found = self.expr(number)?;
        if let Ty::Name(process, _) = &Ty::of(self.mover, Sort::Process(0), Held::Anything)
            && found.meets(&Ty::Name(*process, Held::Anything), self.mover) == Some(true)
        {
            return Ok(());
        }
        let message = "it is not known to be the number of a process";
        self.need(!self.is_moved(template), number.span, message)?;
        self.meet(
            &found,
            &Ty::plain(),
            number.span,
            "is the number of a process",
        )
    }

    /// Over what is moved a quantifier asks the same of all, in whatever order.
    fn quantified(&mut self, all: &'p Quantified, span: Span) -> Checked<Ty<'p>> {
        let sort = self.notes.binders.get(self.next_binder);
        let sort = sort.copied().unwrap_or(Sort::Plain);
        self.next_binder += 1;
        self.closed(sort, &all.values, span)?;
        self.bound.push(sort);
        let body = match all.quantifier {
            Quantifier::Sum => {
                let found = self.expr(&all.body);
                found.and_then(|ty| self.meet(&ty, &Ty::plain(), span, "is added up"))
            }
            _ => self.truth(&all.body).map(drop),
        };
        self.bound.pop();
        body?;
        let kind = all.quantifier;
        let strict =
            all.stops_at().is_none() && !matches!(kind, Quantifier::Sum | Quantifier::FirstOf);
        let plain = self.mover.sort(sort) == Sort::Plain;
        self.need(
            strict || plain,
            span,
            "what is moved is looked at in an order",
        )?;
        Ok(Ty::plain())
    }

    /// That a set of values is mapped to itself.
    pub(super) fn closed(&self, sort: Sort, values: &Values, span: Span) -> Checked<()> {
        let sort = match self.mover.sort(sort) {
            Sort::Channel(_) => return Err(Reject::channels(span)),
            Sort::Plain => return Ok(()),
            sort => sort,
        };
        let values: BTreeSet<Value> = values.iter().collect();
        let closed = self.mover.keeps(sort, |value| values.contains(&value));
        self.need(closed, span, "only some of what is moved is meant")
    }

    /// The class of the channels that an expression refers to; nothing if there is none, which is a fault on both sides.
    pub(super) fn channel(&mut self, channel: &'p Expr) -> Checked<Option<u32>> {
        match self.expr(channel)? {
            Ty::Channel(class) => Ok(Some(class)),
            Ty::Cases(cases) if cases.decided() == Some(false) => Ok(None),
            _ => Err(Reject::channels(channel.span)),
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
        let fields = kinds.into_iter().flatten().map(|kind| {
            let scalars = &self.model.channel_kind(*kind).fields;
            let sorts = &proof.sorts.classes.fields[kind.index()];
            let sorts = sorts.iter().zip(&proof.values.fields[kind.index()]);
            let cells = sorts.zip(scalars).map(|((sort, values), scalar)| Cell {
                sort: *sort,
                scalar: *scalar,
                values: values.as_ref(),
            });
            let fits = scalars.len() == count;
            fits.then(|| cells.collect()).ok_or(Reject::channels(span))
        });
        fields.collect()
    }

    /// What patterns ask of a message.
    pub(super) fn matched(
        &mut self,
        channel: &'p Expr,
        patterns: &'p [Pattern],
    ) -> Checked<Vec<Vec<Cell<'p>>>> {
        let class = self.channel(channel)?;
        let kinds = self.messages(class, patterns.len(), channel.span)?;
        for (number, pattern) in patterns.iter().enumerate() {
            let Pattern::Match(value) = pattern else {
                continue;
            };
            let found = self.expr(value)?;
            for field in kinds.iter().map(|fields| fields[number].ty(self.mover)) {
                let met = field
                    .meets(&found, self.mover)
                    .ok_or(Reject::channels(value.span))?;
                let same = || {
                    let equal = self.computed(BinaryOp::Equal, &field, &found);
                    equal.is_some_and(|equal| equal.is_same())
                };
                let message = "what is moved otherwise is compared with it";
                self.need(met || same(), value.span, message)?;
            }
        }
        Ok(kinds)
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
