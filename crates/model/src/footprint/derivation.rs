//! The derivation of one footprint: expressions and places.

use super::analysis::Analysis;
use super::birth::Birth;
use super::parametric::{Access, Home, Need, ParametricFootprint, Touched};
use super::patterns::{Index, Pattern};
use super::terms::{Term, Terms};
use super::{Aspect, CellSet, Channels, Footprint, Parts};
use crate::expr::{BinaryOp, Expr, ExprKind, Place, Projection, Root, UnaryOp};
use crate::function::CALL;
use crate::ids::{ChannelKindId, LocalId, TemplateId};
use crate::model::Model;
use crate::quantified::Quantified;
use crate::state::Value;
use crate::types::{Initial, Scalar, Storage, Type, Variable};
use crate::values::Parameter;
use crate::values::Progression;
use crate::values::Values;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The derivation of one footprint.
pub(super) struct Derivation<'a> {
    pub analysis: &'a Analysis<'a>,
    pub template: Option<TemplateId>,
    /// What is known of the process, if it is one process whose footprint is wanted.
    pub birth: Option<&'a Birth>,
    /// Whether the channel of the edge's own send or receive is left out.
    pub aside: bool,
    /// Whether what is derived is the edge's own send or receive, and it is one process's.
    pub own: bool,
    /// Whether nobody asks what is read.
    pub writes_alone: bool,
    pub footprint: Footprint,
    /// Cells that depend on parameters, or on variables of quantifiers and loops.
    pub patterns: BTreeSet<Touched>,
    pub terms: Terms,
    pub facts: Facts,
    /// The variables of the quantifiers around, the outermost first.
    bound: Vec<Term>,
    /// What a read of a variable is that holds one of several terms. Which one is chosen by a variable of its own, the *selector*. Nothing that is known of it outlasts
    /// the place that is looked at: where the variable is read again it may hold another one.
    selected: HashMap<(LocalId, BTreeSet<Term>), Option<Term>>,
    selectors: BTreeSet<u32>,
    /// Terms without each of which the edge cannot be taken.
    pub required: Vec<Term>,
    pub may_fail: bool,
    /// What has to be so if nothing is to fail.
    pub needed: Vec<Need>,
}

/// What is known at a point of some code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// What scratch variables of one cell hold: one of some terms, in which no selector is.
    pub holds: BTreeMap<LocalId, BTreeSet<Term>>,
    /// Terms that are true, or false, if the point is reached.
    pub when: Vec<(Term, bool)>,
    /// The point is never reached.
    pub unreachable: bool,
}

/// What is known of the channel that an expression refers to.
pub(super) struct Known {
    pub channels: Channels,
    pub kind: Option<ChannelKindId>,
}

/// Where conditions have been added.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    conditions: usize,
    unreachable: bool,
}

impl<'a> Derivation<'a> {
    pub fn new(
        analysis: &'a Analysis<'a>,
        template: Option<TemplateId>,
        birth: Option<&'a Birth>,
    ) -> Self {
        Derivation {
            analysis,
            template,
            birth,
            aside: false,
            own: false,
            writes_alone: false,
            footprint: Footprint::default(),
            patterns: BTreeSet::new(),
            terms: Terms::default(),
            facts: Facts::default(),
            bound: Vec::new(),
            selected: HashMap::new(),
            selectors: BTreeSet::new(),
            required: Vec::new(),
            may_fail: false,
            needed: Vec::new(),
        }
    }

    /// What was derived.
    pub fn finish(self) -> ParametricFootprint {
        ParametricFootprint {
            always: self.footprint,
            patterns: self.patterns,
            terms: self.terms,
            required: self.required,
            may_fail: self.may_fail,
            needed: self.needed,
        }
    }

    pub fn model(&self) -> &'a Model {
        self.analysis.model
    }

    pub fn asks(&mut self, aspects: &[Aspect]) {
        self.footprint.reads.aspects.extend(aspects);
    }

    pub fn changes(&mut self, aspects: &[Aspect]) {
        self.footprint.writes.aspects.extend(aspects);
    }

    fn parts(&mut self, access: Access) -> &mut Parts {
        match access {
            Access::Read => &mut self.footprint.reads,
            Access::Write => &mut self.footprint.writes,
        }
    }

    /// The parameters of an edge get new variables.
    pub fn choose(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            let variable = self.terms.variable(&parameter.values);
            self.facts.holds.insert(parameter.local, [variable].into());
        }
    }

    pub fn expressions(&mut self, expressions: &[Expr]) {
        expressions.iter().for_each(|e| self.expression(e));
    }

    pub fn expression(&mut self, expression: &Expr) {
        if self.facts.unreachable || self.writes_alone {
            return;
        }
        match &expression.kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                self.junction(*op, expression);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.expression(condition);
                for (branch, truth) in [(yes, true), (no, false)] {
                    let mark = self.mark();
                    self.assume(condition, truth);
                    self.expression(branch);
                    self.forget(mark);
                }
            }
            ExprKind::Quantified(quantified) => {
                self.for_any(quantified, &mut |inside| {
                    inside.expression(&quantified.body)
                });
            }
            _ => {
                self.node(expression);
                expression.each_part(&mut |part| self.expression(part));
            }
        }
    }

    /// Conditions of which each is asked only if those before it do not decide.
    fn junction(&mut self, op: BinaryOp, whole: &Expr) {
        let mark = self.mark();
        for part in operands(op, whole) {
            self.expression(part);
            self.assume(part, op == BinaryOp::And);
        }
        self.forget(mark);
    }

    /// Looks at the body of a quantifier for any value of its variable.
    pub fn for_any(&mut self, quantified: &Quantified, look: &mut dyn FnMut(&mut Self)) {
        self.bound.truncate(quantified.variable.id.index());
        let variable = self.terms.variable(&quantified.values);
        self.bound.push(variable);
        look(self);
        self.bound.pop();
    }

    pub fn mark(&self) -> Mark {
        Mark {
            conditions: self.facts.when.len(),
            unreachable: self.facts.unreachable,
        }
    }

    /// Forgets the conditions that were added since.
    pub fn forget(&mut self, mark: Mark) {
        self.facts.when.truncate(mark.conditions);
        self.facts.unreachable = mark.unreachable;
    }

    /// What follows is met only if a condition is true, or false.
    pub fn assume(&mut self, condition: &Expr, truth: bool) {
        match (&condition.kind, truth) {
            (ExprKind::Unary(UnaryOp::Not, inside), _) => self.assume(inside, !truth),
            (ExprKind::Binary(op @ BinaryOp::And, ..), true)
            | (ExprKind::Binary(op @ BinaryOp::Or, ..), false) => {
                let parts = operands(*op, condition);
                parts.into_iter().for_each(|part| self.assume(part, truth));
            }
            _ => {
                if let Some(term) = self.term(condition) {
                    self.assume_term(term, truth);
                }
            }
        }
    }

    fn assume_term(&mut self, term: Term, truth: bool) {
        match self.terms.as_constant(term) {
            Some(value) => self.facts.unreachable |= (value != 0) != truth,
            None if self.facts.when.contains(&(term, truth)) || self.is_selected(term) => {}
            None => self.facts.when.push((term, truth)),
        }
    }

    /// The value of an expression, if it depends on nothing but variables of terms.
    pub fn term(&mut self, expression: &Expr) -> Option<Term> {
        match &expression.kind {
            ExprKind::Const(value) => self.terms.constant(*value),
            ExprKind::SelfId => {
                let number = self.birth?.number?;
                self.terms.constant(number.into())
            }
            ExprKind::Read(place) => self.held(place),
            ExprKind::Bound(id) => self.bound.get(id.index()).copied(),
            ExprKind::Unary(op, operand) => {
                let operand = self.term(operand)?;
                self.terms.unary(*op, operand)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                self.terms.binary(*op, left, right)
            }
            ExprKind::Conditional(condition, yes, no) => self.conditional([condition, yes, no]),
            _ => None,
        }
    }

    /// The branch that is not taken may be unknown.
    fn conditional(&mut self, [condition, yes, no]: [&Expr; 3]) -> Option<Term> {
        let condition = self.term(condition)?;
        match self.terms.as_constant(condition) {
            Some(0) => self.term(no),
            Some(_) => self.term(yes),
            None => {
                let (yes, no) = (self.term(yes)?, self.term(no)?);
                self.terms.conditional(condition, yes, no)
            }
        }
    }

    /// What a local variable is known to hold.
    fn held(&mut self, place: &Place) -> Option<Term> {
        let Root::Local(id) = place.root else {
            return None;
        };
        if place.path.is_empty()
            && let Some(terms) = self.facts.holds.get(&id)
        {
            let mut all = terms.iter();
            return match (all.next(), all.next()) {
                (Some(only), None) => Some(*only),
                _ => self.one_of(id, terms.clone()),
            };
        }
        let fixed = &self.birth?.fixed;
        let value = *fixed.get(&self.fixed_cell(place)?)?;
        self.terms.constant(value)
    }

    /// A term that may be each of those that a variable may hold.
    fn one_of(&mut self, id: LocalId, all: BTreeSet<Term>) -> Option<Term> {
        let key = (id, all);
        if let Some(known) = self.selected.get(&key) {
            return *known;
        }
        let numbers = Values(vec![Progression::range(0, key.1.len() as u32)]);
        let selector = self.terms.variable(&numbers);
        self.terms.variables_of(selector, &mut self.selectors);
        let mut rest = key.1.iter().copied().rev();
        let mut one = rest.next();
        for (number, term) in (0..key.1.len() as Value - 1).rev().zip(rest) {
            let number = self.terms.constant(number);
            let is_chosen = number.and_then(|n| self.terms.binary(BinaryOp::Equal, selector, n));
            one = is_chosen
                .zip(one)
                .and_then(|(chosen, one)| self.terms.conditional(chosen, term, one));
        }
        self.selected.insert(key, one);
        one
    }

    /// Whether a term depends on which of several a variable holds.
    fn is_selected(&self, term: Term) -> bool {
        let mut inside = BTreeSet::new();
        self.terms.variables_of(term, &mut inside);
        !inside.is_disjoint(&self.selectors)
    }

    /// What an expression may be whose value is assigned: what a variable holds, or one term.
    pub fn candidates(&mut self, value: &Expr) -> BTreeSet<Term> {
        if let ExprKind::Read(Place {
            root: Root::Local(id),
            path,
            ..
        }) = &value.kind
            && path.is_empty()
            && let Some(terms) = self.facts.holds.get(id)
        {
            return terms.clone();
        }
        let term = self.term(value);
        term.into_iter()
            .filter(|term| !self.is_selected(*term))
            .collect()
    }

    /// The cell of a local variable that a place always is.
    fn fixed_cell(&mut self, place: &Place) -> Option<(LocalId, u32)> {
        let (Root::Local(id), Some(template)) = (&place.root, self.template) else {
            return None;
        };
        let cells = self.cells(self.local(template, *id), place);
        (cells.len() == 1).then_some((*id, cells.start))
    }

    /// A place gets one of some values, or one that is not known if there are none.
    pub fn hold(&mut self, place: &Place, values: BTreeSet<Term>) {
        let Root::Local(id) = place.root else {
            return;
        };
        let is_known = !values.is_empty();
        match is_known && values.iter().all(|value| self.keeps(id, place, *value)) {
            true => self.facts.holds.insert(id, values),
            false => self.facts.holds.remove(&id),
        };
    }

    /// Whether a scratch variable of one cell holds exactly the value that it is assigned, if the assignment does not fail.
    fn keeps(&self, id: LocalId, place: &Place, value: Term) -> bool {
        let Some(template) = self.template else {
            return false;
        };
        let variable = self.local(template, id);
        let is_scratch = variable.storage == Storage::Scratch && place.path.is_empty();
        is_scratch
            && match variable.ty {
                Type::Scalar(scalar @ (Scalar::Range { .. } | Scalar::Coded { .. })) => {
                    let value = self.terms.as_constant(value);
                    value.is_none_or(|value| scalar.store(value).is_some())
                }
                Type::Scalar(scalar) => {
                    let value = self.terms.as_constant(value);
                    value.is_some_and(|value| scalar.store(value) == Some(value))
                }
                _ => false,
            }
    }

    /// One node of an expression; those inside it are visited by themselves.
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
    pub fn touch(&mut self, place: &Place, access: Access) {
        match &place.root {
            Root::Global(id) => {
                let variable = &self.model().globals[id.index()];
                self.touch_cells(access, Home::Global(*id), variable, place);
            }
            Root::Local(id) => {
                if let Some(template) = self.template {
                    let variable = self.local(template, *id);
                    self.touch_cells(access, Home::Own(*id), variable, place);
                }
            }
            Root::Remote {
                template, local, ..
            } => {
                let variable = self.local(*template, *local);
                let home = Home::Remote(*template, *local);
                self.touch_cells(access, home, variable, place);
                // Whether the process exists and of which template it is.
                self.asks(&[Aspect::Population]);
            }
            Root::OwnPriority => {
                self.parts(access).aspects.insert(Aspect::Priorities);
            }
            Root::Reference(_) => unreachable!("{CALL}"),
        }
    }

    fn touch_cells(&mut self, access: Access, home: Home, variable: &Variable, place: &Place) {
        if variable.storage == Storage::Scratch {
            return;
        }
        let mut pattern = self.pattern(variable, place);
        pattern.join_innermost();
        pattern.when.clone_from(&self.facts.when);
        if !pattern.is_fixed() {
            self.patterns.insert((access, home, pattern));
            return;
        }
        let mut cells = CellSet::default();
        pattern.cells(&self.terms, &[], &mut cells);
        let parts = self.parts(access);
        for cells in cells.intervals().iter().cloned() {
            match home {
                Home::Global(id) => parts.globals.insert(id, cells),
                Home::Own(id) => parts.locals.insert(id, cells),
                Home::Remote(template, id) => parts.remote.insert((template, id), cells),
            }
        }
    }

    pub fn local(&self, template: TemplateId, local: LocalId) -> &'a Variable {
        &self.model().template(template).locals[local.index()]
    }

    /// The cells that a place may be, counted from the first of its variable.
    pub fn pattern(&mut self, variable: &Variable, place: &Place) -> Pattern {
        let mut ty = &variable.ty;
        let mut pattern = Pattern {
            start: 0,
            width: 0,
            indices: Vec::new(),
            when: Vec::new(),
        };
        for projection in &place.path {
            match (ty, projection) {
                (Type::Record(id), Projection::Field(field)) => {
                    let fields = &self.model().record(*id).fields;
                    pattern.start += self.model().cell_offset(fields, *field as usize) as u32;
                    ty = &fields[*field as usize].ty;
                }
                (Type::Array { element, length }, Projection::Index(index)) => {
                    let index = Index {
                        term: self.term(index),
                        stride: self.model().cells(element) as u32,
                        length: *length,
                    };
                    pattern.push(&self.terms, index);
                    ty = element;
                }
                // The verifier has seen to it that there are no others.
                _ => break,
            }
        }
        pattern.width = self.model().cells(ty) as u32;
        pattern
    }

    /// The cells from the first to the last that a place may be.
    pub fn cells(&mut self, variable: &Variable, place: &Place) -> Range<u32> {
        if variable.storage == Storage::Scratch {
            return 0..0;
        }
        let mut pattern = self.pattern(variable, place);
        pattern.join_innermost();
        let mut cells = CellSet::default();
        pattern.cells(&self.terms, &[], &mut cells);
        let ends = cells.intervals().first().zip(cells.intervals().last());
        ends.map_or(0..0, |(first, last)| first.start..last.end)
    }

    /// Reads the contents of a channel.
    pub fn look_at(&mut self, channel: &Expr) -> Known {
        let known = self.refer_to(channel);
        self.footprint.reads.channels.add(&known.channels);
        known
    }

    /// Refers to a channel, whatever is in it.
    pub fn refer_to(&mut self, channel: &Expr) -> Known {
        let known = self.known(channel);
        if known.channels.any {
            // It may be gone.
            self.asks(&[Aspect::Population]);
        }
        known
    }

    /// Which channel an expression refers to.
    pub fn known(&mut self, channel: &Expr) -> Known {
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
    fn given(&mut self, channel: &Expr) -> Option<Known> {
        self.birth?;
        let reference = self.value(channel)?;
        Some(Known {
            channels: Channels {
                references: [reference].into(),
                ..Channels::default()
            },
            kind: None,
        })
    }

    /// The value of an expression, if it is the same in every state and choice.
    pub fn value(&mut self, expression: &Expr) -> Option<Value> {
        let term = self.term(expression)?;
        self.terms.as_constant(term)
    }

    /// The channel of a variable that was made for it and is never assigned.
    fn fixed(&mut self, channel: &Expr) -> Option<Known> {
        let ExprKind::Read(place) = &channel.kind else {
            return None;
        };
        if self.analysis.is_assigned(place, self.template)? {
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
    pub fn may_meet(&self, known: &Known) -> bool {
        known.kind.map_or(self.analysis.any_rendezvous, |kind| {
            self.model().channel_kind(kind).capacity == 0
        })
    }
}

/// The conditions that a chain of `&&` or of `||` is made of, in order.
pub(super) fn operands(op: BinaryOp, whole: &Expr) -> Vec<&Expr> {
    let mut parts = Vec::new();
    let mut waiting = vec![whole];
    while let Some(part) = waiting.pop() {
        match &part.kind {
            ExprKind::Binary(inner, left, right) if *inner == op => {
                waiting.extend([&**right, &**left]);
            }
            _ => parts.push(part),
        }
    }
    parts
}
