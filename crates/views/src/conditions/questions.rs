//! The questions that expressions ask about members, and the number of members that the answer takes.
//!
//! An expression is read in one of three ways ([`Way`]): as a condition that has to hold, as one that has to fail, or as something whose value must be the same when
//! members are left out. A quantifier over the family that only gets *weaker* when members are left out costs nothing; one that needs a witness, or
//! whose value must be the same, needs one more member that is kept.

use crate::family::Family;
use crate::refusal::{Condition, Refused};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use mandala_model::ids::LocalId;
use mandala_model::parameters::Progression;
use mandala_model::quantified::{Evaluation, Quantified, Quantifier};
use mandala_model::source::Span;
use mandala_model::types::{Type, Variable};
use std::collections::{BTreeSet, HashSet};

/// How the value of a condition matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The step goes on only if it holds.
    Holds,
    /// The step goes on only if it does not hold.
    Fails,
    /// It goes on in another way then.
    Either,
}

impl Way {
    fn negated(self) -> Self {
        match self {
            Way::Holds => Way::Fails,
            Way::Fails => Way::Holds,
            Way::Either => Way::Either,
        }
    }
}

/// Where a shared cell is that holds a member: its place without its spans, if that is known before the step is made.
pub(super) type Cell = String;

/// What the value of an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number or a truth value.
    Plain,
    /// The number 0, which also stands for no member.
    Zero,
    /// A member; one that is kept, or what one of these cells held.
    Member(Vec<Held>),
}

/// What a shared cell held when the step began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// That cell.
    Cell(Cell),
    /// A cell that is found only while the step is made.
    Some(Span),
}

/// Whether a quantifier is inside of one whose members may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Under {
    /// It is not.
    Nothing,
    /// It is: a witness for each of these members cannot be kept.
    Dropped,
}

/// Reads the code of an edge or a monitor.
pub(super) struct Asker<'m> {
    pub model: &'m Model,
    pub family: &'m Family,
    pub locals: &'m [Variable],
    /// Parameters that are members.
    parameters: usize,
    /// Parameters and variables of loops that hold members.
    inside: BTreeSet<LocalId>,
    /// For each quantifier around, whether its variable is a member.
    bound: Vec<bool>,
    /// Cells that the guard says to hold a parameter.
    known: BTreeSet<Cell>,
    /// Cells whose member is looked up or compared, and those that are copied.
    followed_cells: BTreeSet<Cell>,
    copied: BTreeSet<Cell>,
    /// Whether a cell that the guard says to hold a parameter is looked up or compared. It may hold a copy of another cell by then.
    follows_known: bool,
    /// The same where it is not known before the step which cell it is.
    followed_somewhere: usize,
    copied_somewhere: usize,
    /// The same before it is known that the guard holds.
    asked_early: BTreeSet<Cell>,
    early: bool,
    witnesses: usize,
    quantifiers: usize,
    pub(super) loops: usize,
    /// Whether the code that is read may be executed more than once in a step.
    pub(super) repeated: bool,
    /// Whether it is a property rather than a step.
    is_property: bool,
    /// Where something is looked up of a member.
    pub followed: HashSet<Span>,
}

impl<'m> Asker<'m> {
    pub fn new(model: &'m Model, family: &'m Family, locals: &'m [Variable]) -> Self {
        Asker {
            model,
            family,
            locals,
            parameters: 0,
            inside: BTreeSet::new(),
            bound: Vec::new(),
            known: BTreeSet::new(),
            followed_cells: BTreeSet::new(),
            copied: BTreeSet::new(),
            follows_known: false,
            followed_somewhere: 0,
            copied_somewhere: 0,
            asked_early: BTreeSet::new(),
            early: false,
            witnesses: 0,
            quantifiers: 0,
            loops: 0,
            repeated: false,
            is_property: false,
            followed: HashSet::new(),
        }
    }

    /// Reads a property: it must not depend on all members.
    pub fn of_property(mut self) -> Self {
        self.is_property = true;
        self
    }

    pub fn parameter(&mut self, local: LocalId) {
        self.parameters += 1;
        self.inside.insert(local);
    }

    pub(super) fn loop_variable(&mut self, local: LocalId) {
        self.inside.insert(local);
    }

    /// How many members there are.
    pub fn all_members(&self) -> u32 {
        match self.family {
            Family::Names { set, .. } => self.model.scalarsets[*set].size,
            Family::Processes(_) => 0,
        }
    }

    /// How many members the step asks for by themselves when it is taken.
    pub fn taken(&self) -> usize {
        self.parameters + self.witnesses + self.shared_members(&BTreeSet::new())
    }

    /// How many members it takes at the most for something to go wrong, as far as it is a matter of this code.
    pub fn wrong(&self) -> usize {
        let shared = self.shared_members(&self.asked_early);
        self.parameters + self.quantifiers + self.loops + shared
    }

    /// The number of members that shared cells hold and that the step follows or compares. What a cell holds later in the step is one of these, or a parameter.
    fn shared_members(&self, more: &BTreeSet<Cell>) -> usize {
        let followed: BTreeSet<&Cell> = self.followed_cells.iter().chain(more).collect();
        if followed.is_empty() && self.followed_somewhere == 0 && !self.follows_known {
            return 0;
        }
        let copied = self.copied.iter();
        let cells: BTreeSet<&Cell> = followed.into_iter().chain(copied).collect();
        cells.len() + self.followed_somewhere + self.copied_somewhere
    }

    pub fn is_variable(&self, e: &Expr, local: LocalId) -> bool {
        match &e.kind {
            ExprKind::Read(place) => place.path.is_empty() && place.root == Root::Local(local),
            ExprKind::Unary(UnaryOp::Defined, inner) => self.is_variable(inner, local),
            _ => false,
        }
    }

    /// Reads a guard that has to hold for anything to happen. Cells that it says to hold a parameter are known from then on.
    pub fn guard(&mut self, guard: &Expr) -> Result<(), Refused> {
        self.learn(guard);
        self.early = true;
        let read = self.condition(guard, Way::Holds, Under::Nothing);
        self.early = false;
        read
    }

    fn learn(&mut self, guard: &Expr) {
        match &guard.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.learn(left);
                self.learn(right);
            }
            ExprKind::Binary(BinaryOp::Equal, left, right) => {
                for (cell, member) in [(left, right), (right, left)] {
                    if self.is_kept(member)
                        && let Some(cell) = self.fixed_cell(cell)
                    {
                        self.known.insert(cell);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_kept(&self, e: &Expr) -> bool {
        self.inside.iter().any(|local| self.is_variable(e, *local))
    }

    /// The shared cell that an expression reads, if it is one that holds a member and is the same in every step.
    fn fixed_cell(&self, e: &Expr) -> Option<Cell> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Defined, inner) => self.fixed_cell(inner),
            ExprKind::Read(place) if self.holds_member(place) => cell_of(place),
            _ => None,
        }
    }

    /// Whether a place is a cell that holds a member.
    pub(super) fn holds_member(&self, place: &Place) -> bool {
        let walked = self.walked(place);
        walked.is_some_and(|(ty, _)| matches!(ty, Type::Scalar(s) if self.family.is_member(*s)))
    }

    /// The type at the end of a place, and for each index whether it is a member.
    fn walked(&self, place: &Place) -> Option<(&'m Type, Vec<bool>)> {
        let variable = match &place.root {
            Root::Global(id) => self.model.globals.get(id.index())?,
            Root::Local(id) => self.locals.get(id.index())?,
            _ => return None,
        };
        let (mut ty, mut dimensions) = (&variable.ty, &variable.indices[..]);
        let mut members = Vec::new();
        for part in &place.path {
            match (part, ty) {
                (Projection::Field(field), Type::Record(id)) => {
                    let field = self.model.record(*id).fields.get(*field as usize)?;
                    (ty, dimensions) = (&field.ty, &field.indices[..]);
                }
                (Projection::Index(_), Type::Array { element, .. }) => {
                    members.push(self.family.indexes(dimensions.first()));
                    (ty, dimensions) = (element, dimensions.get(1..).unwrap_or(&[]));
                }
                _ => return None,
            }
        }
        Some((ty, members))
    }

    /// Reads a condition.
    pub fn condition(&mut self, e: &Expr, way: Way, under: Under) -> Result<(), Refused> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, way.negated(), under),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                if may_go_wrong(right) {
                    self.require_kept(left, *op == BinaryOp::And, false)?;
                }
                self.condition(left, way, under)?;
                self.condition(right, way, under)
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.condition(condition, Way::Either, under)?;
                self.condition(yes, way, under)?;
                self.condition(no, way, under)
            }
            ExprKind::Quantified(quantified) => self.quantified(quantified, e.span, way, under),
            _ => self.plain(e, under),
        }
    }

    /// Reads an expression whose value is no member.
    pub fn plain(&mut self, e: &Expr, under: Under) -> Result<(), Refused> {
        match self.value(e, under)? {
            Kind::Plain | Kind::Zero => Ok(()),
            Kind::Member(_) => Err(Refused::at(
                Condition::Symmetry,
                e.span,
                "a member is used as a number",
            )),
        }
    }

    /// Reads an expression whose value must be the same when members are left out.
    pub fn value(&mut self, e: &Expr, under: Under) -> Result<Kind, Refused> {
        let symmetry = |message: &str| Err(Refused::at(Condition::Symmetry, e.span, message));
        match &e.kind {
            ExprKind::Const(0) => Ok(Kind::Zero),
            ExprKind::Const(_) => Ok(Kind::Plain),
            ExprKind::Read(place) => self.read(place, under),
            ExprKind::Bound(id) => Ok(match self.bound.get(id.index()) {
                Some(true) => Kind::Member(Vec::new()),
                _ => Kind::Plain,
            }),
            ExprKind::Unary(UnaryOp::Defined, inner) => match self.value(inner, under)? {
                Kind::Zero => Ok(Kind::Plain),
                kind => Ok(kind),
            },
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                self.condition(e, Way::Either, under)?;
                Ok(Kind::Plain)
            }
            ExprKind::Unary(_, inner) => self.plain(inner, under).map(|()| Kind::Plain),
            ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                let (left, right) = (self.value(left, under)?, self.value(right, under)?);
                self.compared(left, right, e.span)
            }
            ExprKind::Binary(op, left, right) => {
                let sides = [self.value(left, under)?, self.value(right, under)?];
                let member = sides.iter().any(|side| matches!(side, Kind::Member(_)));
                match member {
                    true if op.is_comparison() => symmetry("the order of members is asked"),
                    true => symmetry("something is calculated from a member"),
                    false => Ok(Kind::Plain),
                }
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.condition(condition, Way::Either, under)?;
                let (yes, no) = (self.value(yes, under)?, self.value(no, under)?);
                match (yes, no) {
                    (Kind::Member(mut held), Kind::Member(more)) => {
                        held.extend(more);
                        Ok(Kind::Member(held))
                    }
                    (Kind::Member(held), Kind::Zero) | (Kind::Zero, Kind::Member(held)) => {
                        Ok(Kind::Member(held))
                    }
                    (Kind::Zero, Kind::Zero) => Ok(Kind::Zero),
                    (Kind::Member(_), _) | (_, Kind::Member(_)) => {
                        symmetry("a value is a member or a number")
                    }
                    _ => Ok(Kind::Plain),
                }
            }
            ExprKind::Quantified(quantified) => {
                self.quantified(quantified, e.span, Way::Either, under)?;
                Ok(Kind::Plain)
            }
            ExprKind::SelfId
            | ExprKind::ProcessCount
            | ExprKind::FirstInstance(_)
            | ExprKind::LastMover
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::Accepting
            | ExprKind::Enabled(_)
            | ExprKind::LocationNumber(_)
            | ExprKind::Priority(_)
            | ExprKind::Channel(..)
            | ExprKind::Poll { .. }
            | ExprKind::At { .. } => Err(Refused::at(
                Condition::Questions,
                e.span,
                "it is asked what processes or channels do",
            )),
        }
    }

    /// Two values that are compared. One of two members that shared cells hold has to be kept: of two that are left out it is not known whether they are the same.
    fn compared(&mut self, left: Kind, right: Kind, span: Span) -> Result<Kind, Refused> {
        match (left, right) {
            (Kind::Member(left), Kind::Member(right)) => {
                if !left.is_empty() && !right.is_empty() {
                    self.follow(left)?;
                }
                Ok(Kind::Plain)
            }
            (Kind::Member(_), Kind::Plain) | (Kind::Plain, Kind::Member(_)) => Err(Refused::at(
                Condition::Symmetry,
                span,
                "a member is compared with a number",
            )),
            _ => Ok(Kind::Plain),
        }
    }

    /// The value of a cell.
    fn read(&mut self, place: &Place, under: Under) -> Result<Kind, Refused> {
        let is_member = self.place(place, under)?;
        if !is_member {
            return Ok(Kind::Plain);
        }
        // What a variable of the code holds was counted when it got it.
        Ok(Kind::Member(match (&place.root, cell_of(place)) {
            (Root::Global(_), Some(cell)) => vec![Held::Cell(cell)],
            (Root::Global(_), None) => vec![Held::Some(place.span)],
            _ => Vec::new(),
        }))
    }

    /// Reads the indices of a place. Gives whether the cell there holds a member.
    pub fn place(&mut self, place: &Place, under: Under) -> Result<bool, Refused> {
        let refused = |message: &str| Refused::at(Condition::Questions, place.span, message);
        let Some((ty, members)) = self.walked(place) else {
            return Err(refused("a variable of another process is used"));
        };
        let is_member = matches!(ty, Type::Scalar(s) if self.family.is_member(*s));
        let indices = place.path.iter().filter_map(|part| match part {
            Projection::Index(index) => Some(index),
            Projection::Field(_) => None,
        });
        for (index, by_member) in indices.zip(members) {
            match (self.value(index, under)?, by_member) {
                (Kind::Member(held), true) => {
                    self.followed.insert(index.span);
                    self.follow(held)?;
                }
                (Kind::Plain | Kind::Zero, false) => {}
                (_, true) => {
                    return Err(Refused::at(
                        Condition::Symmetry,
                        index.span,
                        "what belongs to one particular member is used",
                    ));
                }
                (Kind::Member(_), false) => {
                    return Err(Refused::at(
                        Condition::Symmetry,
                        index.span,
                        "a member is used as a number",
                    ));
                }
            }
        }
        Ok(is_member)
    }

    /// A member that must be kept.
    pub fn follow(&mut self, held: Vec<Held>) -> Result<(), Refused> {
        for held in held {
            match held {
                Held::Cell(cell) if self.known.contains(&cell) => {
                    self.follows_known = true;
                    if self.early {
                        self.asked_early.insert(cell);
                    }
                }
                Held::Cell(cell) => {
                    self.followed_cells.insert(cell);
                }
                Held::Some(span) => {
                    self.once_somewhere(span)?;
                    self.followed_somewhere += 1;
                }
            }
        }
        Ok(())
    }

    /// A member that goes from one shared cell to another.
    pub fn copy(&mut self, held: Vec<Held>) -> Result<(), Refused> {
        for held in held {
            match held {
                Held::Cell(cell) => {
                    if !self.known.contains(&cell) {
                        self.copied.insert(cell);
                    }
                }
                Held::Some(span) => {
                    self.once_somewhere(span)?;
                    self.copied_somewhere += 1;
                }
            }
        }
        Ok(())
    }

    /// A cell that is another one each time must not be read any number of times in a step.
    fn once_somewhere(&self, span: Span) -> Result<(), Refused> {
        match self.bound.is_empty() {
            true => self.once(span),
            false => Err(Refused::at(
                Condition::Questions,
                span,
                "a quantifier asks for any number of members",
            )),
        }
    }

    /// Something that must not be done any number of times in a step.
    fn once(&self, span: Span) -> Result<(), Refused> {
        match self.repeated {
            false => Ok(()),
            true => Err(Refused::at(
                Condition::Questions,
                span,
                "a loop asks for any number of members",
            )),
        }
    }

    fn quantified(
        &mut self,
        quantified: &Quantified,
        span: Span,
        way: Way,
        under: Under,
    ) -> Result<(), Refused> {
        if !self.family.is_member(quantified.variable.scalar) {
            return self.over_others(quantified, way);
        }
        let refused = |message: String| Err(Refused::at(Condition::Questions, span, message));
        let all = [Progression::range(1, self.all_members())];
        if quantified.evaluation != Evaluation::Strict || quantified.values.0 != all {
            return refused("a quantifier goes through members in an order".into());
        }
        let is_universal = match (quantified.quantifier, way) {
            (Quantifier::ForAll, Way::Holds) | (Quantifier::Exists, Way::Fails) => true,
            (Quantifier::ForAll | Quantifier::Exists, _) => false,
            (Quantifier::Count | Quantifier::Sum, _) => {
                return refused("members are counted".into());
            }
            (Quantifier::FirstOf, _) => return refused("the first member is wanted".into()),
        };
        if is_universal && self.is_property {
            let message = "what must not happen is a matter of all members";
            return Err(Refused::at(Condition::Property, span, message));
        }
        self.once(span)?;
        self.quantifiers += 1;
        let inside = match (is_universal, way) {
            (true, _) => Under::Dropped,
            (false, _) if under == Under::Dropped => {
                return refused("for each of all members, another one is asked for".into());
            }
            (false, way) => {
                self.witnesses += 1;
                match way {
                    Way::Either => Under::Dropped,
                    Way::Holds | Way::Fails => Under::Nothing,
                }
            }
        };
        self.bound.push(true);
        let read = self.condition(&quantified.body, way, inside);
        self.bound.pop();
        read
    }

    /// Requires that a few members keep the truth value of a condition: only with that value something is evaluated that may go wrong, and then it must go wrong as well when the others are
    /// left out. How many there are is part of [`Asker::wrong`].
    fn require_kept(&self, e: &Expr, value: bool, for_each: bool) -> Result<(), Refused> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.require_kept(inner, !value, for_each),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.require_kept(left, value, for_each)?;
                self.require_kept(right, value, for_each)
            }
            ExprKind::Quantified(quantified) => {
                let body = &quantified.body;
                let is_shown_by_all = (quantified.quantifier == Quantifier::ForAll) == value;
                if !self.family.is_member(quantified.variable.scalar) {
                    if !quantified.quantifier.is_condition() {
                        self.require_kept(body, !value, true)?;
                    }
                    return self.require_kept(body, value, true);
                }
                if for_each && !is_shown_by_all {
                    let message =
                        "whether something is asked that may go wrong is a matter of all members";
                    return Err(Refused::at(Condition::Questions, e.span, message));
                }
                self.require_kept(body, value, for_each || is_shown_by_all)
            }
            _ => {
                let mut kept = Ok(());
                e.each_part(&mut |part| {
                    for value in [true, false] {
                        if kept.is_ok() {
                            kept = self.require_kept(part, value, for_each);
                        }
                    }
                });
                kept
            }
        }
    }

    /// A quantifier over something else. Witnesses for each of its values are not kept.
    fn over_others(&mut self, quantified: &Quantified, way: Way) -> Result<(), Refused> {
        // The next value is asked for only if this one does not decide.
        if let Some(decides) = quantified.stops_at()
            && may_go_wrong(&quantified.body)
        {
            self.require_kept(&quantified.body, !decides, true)?;
        }
        let way = match quantified.quantifier {
            Quantifier::ForAll | Quantifier::Exists => way,
            Quantifier::Count | Quantifier::Sum | Quantifier::FirstOf => Way::Either,
        };
        self.bound.push(false);
        let read = self.condition(&quantified.body, way, Under::Dropped);
        self.bound.pop();
        read
    }
}

/// Whether the evaluation of an expression may go wrong.
fn may_go_wrong(e: &Expr) -> bool {
    e.any(|part| match &part.kind {
        ExprKind::Const(_)
        | ExprKind::Bound(_)
        | ExprKind::Quantified(_)
        | ExprKind::Conditional(..)
        | ExprKind::Unary(UnaryOp::Not, _) => false,
        ExprKind::Binary(op, ..) => {
            !op.is_comparison() && !matches!(op, BinaryOp::And | BinaryOp::Or)
        }
        ExprKind::Read(place) => !place.path.is_empty(),
        _ => true,
    })
}

/// The cell that a place is, if that is known before a step is made.
fn cell_of(place: &Place) -> Option<Cell> {
    let mut cell = match &place.root {
        Root::Global(id) => format!("{id}"),
        _ => return None,
    };
    for part in &place.path {
        match part {
            Projection::Field(field) => cell.push_str(&format!(".{field}")),
            Projection::Index(index) => {
                let index = index.as_constant()?;
                cell.push_str(&format!("[{index}]"));
            }
        }
    }
    Some(cell)
}
