//! What a process reads next may depend on a value that it keeps: liveness case by case.
//!
//! A *guide* of a location is a slot that guards there compare with constants. Its *cases* are these constants, one by one, and everything else. In a case, a guard that is
//! false whatever the other slots hold reads nothing but the guide, and what comes behind it is not read on that way. So a variable may be dead at a location in some cases and live in
//! others, which is what a predicate does that makes variables inactive.
//!
//! A guide is live in all cases of its location, as guards read it. So two states that differ in dead slots alone are in the same case.

use crate::liveness::{Liveness, Set};
use crate::slots::Slots;
use crate::visits::{effect_targets, is_never_taken, step_targets};
use mandala_model::Model;
use mandala_model::expr::{BinaryOp, Expr, ExprKind, Place, UnaryOp};
use mandala_model::ids::LocationId;
use mandala_model::source::Span;
use mandala_model::state::Value;
use mandala_model::template::{Edge, Effect, Step, Template};
use std::collections::{BTreeMap, BTreeSet};

/// How many constants a guide is compared with.
const MOST_CONSTANTS: usize = 8;

/// A slot by which cases of a location are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guide {
    pub slot: usize,
    /// What guards compare it with. A case is one of these, the last case is all other values.
    constants: Vec<Value>,
}

impl Guide {
    /// How many cases there are.
    fn cases(&self) -> usize {
        self.constants.len() + 1
    }

    /// Whether the guide has one of some cases, as an expression.
    pub(crate) fn is_one_of(&self, cases: &BTreeSet<usize>, place: &Place, span: Span) -> Expr {
        let has_others = cases.contains(&self.constants.len());
        let op = if has_others {
            BinaryOp::NotEqual
        } else {
            BinaryOp::Equal
        };
        let join = if has_others {
            BinaryOp::And
        } else {
            BinaryOp::Or
        };
        let listed = self.constants.iter().enumerate();
        let listed = listed.filter(|(case, _)| cases.contains(case) != has_others);
        let compared = listed.map(|(_, constant)| {
            let read = Expr::new(ExprKind::Read(place.clone()), span);
            binary(op, read, Expr::constant(*constant, span))
        });
        let all = compared.reduce(|a, b| binary(join, a, b));
        all.unwrap_or_else(|| Expr::constant(i64::from(has_others), span))
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
}

/// What is known of the value of a guide.
#[derive(Clone, Copy, Debug)]
enum Known<'g> {
    Value(Value),
    NoneOf(&'g [Value]),
    Nothing,
}

/// The guides of a template's locations.
pub(crate) struct Guides<'a> {
    model: &'a Model,
    template: &'a Template,
    slots: &'a Slots,
    of: Vec<Option<Guide>>,
}

impl<'a> Guides<'a> {
    /// For each location that is not barred, the slot that most guards there compare with constants.
    pub(crate) fn of(
        model: &'a Model,
        template: &'a Template,
        slots: &'a Slots,
        barred: &BTreeSet<LocationId>,
    ) -> Self {
        let mut guides = Guides {
            model,
            template,
            slots,
            of: Vec::new(),
        };
        let shared: Set = slots.shared().collect();
        let locations = (0..template.locations.len()).map(LocationId::from);
        guides.of = locations
            .map(|location| match barred.contains(&location) {
                true => None,
                false => guides.best(location, &shared),
            })
            .collect();
        guides
    }

    pub(crate) fn at(&self, location: LocationId) -> Option<&Guide> {
        self.of[location.index()].as_ref()
    }

    fn best(&self, location: LocationId, shared: &Set) -> Option<Guide> {
        let mut compared: BTreeMap<usize, (usize, BTreeSet<Value>)> = BTreeMap::new();
        for (_, edge) in self.template.edges_from(location) {
            let Step::Guarded { guard, .. } = &edge.step else {
                continue;
            };
            let mut own = BTreeMap::new();
            self.compared(guard, &mut own);
            for (slot, constants) in own {
                let (guards, all) = compared.entry(slot).or_default();
                *guards += 1;
                all.extend(constants);
            }
        }
        let suits = |slot: &usize, all: &BTreeSet<Value>| {
            !shared.contains(slot) && all.len() <= MOST_CONSTANTS
        };
        let candidates = compared
            .into_iter()
            .filter(|(slot, (_, all))| suits(slot, all));
        let best = candidates.max_by_key(|(slot, (guards, _))| (*guards, usize::MAX - slot));
        best.map(|(slot, (_, all))| Guide {
            slot,
            constants: all.into_iter().collect(),
        })
    }

    /// The constants that slots are compared with, as far as that decides the condition.
    fn compared(&self, guard: &Expr, found: &mut BTreeMap<usize, BTreeSet<Value>>) {
        if let Some((slot, constant, _)) = self.comparison(guard) {
            found.entry(slot).or_default().insert(constant);
            return;
        }
        match &guard.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.compared(operand, found),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.compared(a, found);
                self.compared(b, found);
            }
            _ => {}
        }
    }

    /// A condition on one slot: the slot, the number that it is compared with, and whether it has to be that number.
    fn comparison(&self, expr: &Expr) -> Option<(usize, Value, bool)> {
        match &expr.kind {
            ExprKind::Read(place) => Some((self.slot(place)?, 0, false)),
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
                let (read, constant) = match (a.as_constant(), b.as_constant()) {
                    (None, Some(constant)) => (a, constant),
                    (Some(constant), None) => (b, constant),
                    _ => return None,
                };
                let ExprKind::Read(place) = &read.kind else {
                    return None;
                };
                Some((self.slot(place)?, constant, *op == BinaryOp::Equal))
            }
            _ => None,
        }
    }

    /// The slot that a place is in every state.
    fn slot(&self, place: &Place) -> Option<usize> {
        let touched = self.slots.touched(self.model, self.template, place)?;
        touched.definite.then_some(touched.slots.start)
    }

    /// Whether a condition is true or false by the value of a guide alone; nothing if more has to be looked at.
    fn decided(&self, expr: &Expr, guide: &Guide, case: usize) -> Option<bool> {
        if let Some(constant) = expr.as_constant() {
            return Some(constant != 0);
        }
        if let Some((slot, constant, equal)) = self.comparison(expr) {
            let is_it = guide.constants.get(case) == Some(&constant);
            let known =
                is_it || case < guide.constants.len() || guide.constants.contains(&constant);
            return (slot == guide.slot && known).then_some(is_it == equal);
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.decided(operand, guide, case).map(|holds| !holds)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                match self.decided(a, guide, case)? {
                    first if first == (*op == BinaryOp::Or) => Some(first),
                    _ => self.decided(b, guide, case),
                }
            }
            _ => None,
        }
    }

    fn cases(&self, location: LocationId) -> usize {
        self.at(location).map_or(1, Guide::cases)
    }

    /// For each location and each case there, the slots that are live, if at each location those of `kept` are read as well.
    pub(crate) fn live(&self, kept: &[Set]) -> Vec<Vec<Set>> {
        let locations = (0..).map(LocationId::from).zip(kept);
        let mut live: Vec<Vec<Set>> = locations
            .map(|(location, kept)| vec![kept.clone(); self.cases(location)])
            .collect();
        let count = |live: &[Vec<Set>]| live.iter().flatten().map(Set::len).sum::<usize>();
        loop {
            let before = count(&live);
            for edge in self.template.edges.iter().rev() {
                for case in 0..self.cases(edge.source) {
                    let mut at = self.before(edge, case, &live);
                    live[edge.source.index()][case].append(&mut at);
                }
            }
            if count(&live) == before {
                return live;
            }
        }
    }

    /// What is live before an edge in a case.
    fn before(&self, edge: &Edge, case: usize, live: &[Vec<Set>]) -> Set {
        let liveness = Liveness {
            model: self.model,
            template: self.template,
            slots: self.slots,
        };
        let mut at = match (self.at(edge.source), &edge.step) {
            (Some(guide), Step::Guarded { guard, .. })
                if !is_never_taken(&edge.step)
                    && self.decided(guard, guide, case) == Some(false) =>
            {
                Set::from([guide.slot])
            }
            _ => {
                let behind = &live[edge.target.index()];
                let arrivals = self.arrivals(edge, case).into_iter();
                let after = arrivals.flat_map(|case| behind[case].iter().copied());
                liveness.before(&edge.step, after.collect())
            }
        };
        liveness.add_provided(&mut at);
        at
    }

    /// The cases of the target in which an edge may arrive that is taken in a case of its source.
    pub(crate) fn arrivals(&self, edge: &Edge, case: usize) -> BTreeSet<usize> {
        let Some(guide) = self.at(edge.target) else {
            return BTreeSet::from([0]);
        };
        let last = guide.constants.len();
        let known = self.known_after(edge, case, guide.slot);
        let may_be = |case: &usize| match (known, guide.constants.get(*case)) {
            (Known::Value(value), Some(constant)) => value == *constant,
            (Known::Value(value), None) => !guide.constants.contains(&value),
            (Known::NoneOf(values), Some(constant)) => !values.contains(constant),
            (Known::NoneOf(_), None) | (Known::Nothing, _) => true,
        };
        (0..=last).filter(may_be).collect()
    }

    /// The cases of the target in which an edge may arrive.
    pub(crate) fn all_arrivals(&self, edge: &Edge) -> BTreeSet<usize> {
        let cases = 0..self.cases(edge.source);
        cases.flat_map(|case| self.arrivals(edge, case)).collect()
    }

    fn known_after(&self, edge: &Edge, case: usize, slot: usize) -> Known<'_> {
        let before = match self.at(edge.source) {
            Some(guide) if guide.slot == slot => match guide.constants.get(case) {
                Some(constant) => Known::Value(*constant),
                None => Known::NoneOf(&guide.constants),
            },
            _ => Known::Nothing,
        };
        let Step::Guarded { effects, .. } = &edge.step else {
            let mut is_written = false;
            step_targets(&edge.step, &mut |place| {
                is_written |= self.touches(place, slot)
            });
            return if is_written { Known::Nothing } else { before };
        };
        effects.iter().fold(before, |known, effect| {
            self.known_after_effect(known, effect, slot)
        })
    }

    fn known_after_effect<'g>(&self, known: Known<'g>, effect: &Effect, slot: usize) -> Known<'g> {
        let targets = effect_targets(effect);
        if !targets.iter().any(|place| self.touches(place, slot)) {
            return known;
        }
        match effect {
            Effect::Assign { place, value } if self.slot(place) == Some(slot) => {
                let stored = value.as_constant();
                let stored = stored.and_then(|value| self.slots.cells[slot].scalar.store(value));
                stored.map_or(Known::Nothing, Known::Value)
            }
            _ => Known::Nothing,
        }
    }

    fn touches(&self, place: &Place, slot: usize) -> bool {
        let touched = self.slots.touched(self.model, self.template, place);
        touched.is_some_and(|touched| touched.slots.contains(&slot))
    }
}
