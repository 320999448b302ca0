//! Visible steps: those that may change a condition that is asked.
//!
//! A search that keeps more than deadlocks must not leave out steps beside one that changes what is looked at: whether that one comes before
//! or after the others would show. A step is *visible* if, with all its moves, it may write a part of the state that some condition reads.
//! So a step that is not visible changes the value of no condition, whichever state it is made in, nor does it change whether a condition has a value.
//!
//! Where processes are is looked at more closely than other parts of a state, since formulas often ask for it: `P@l` sees only the
//! moves of a process of that template to or from that location, its birth there and its end there, and `np_` those between locations
//! with and without a progress label. What says which process is meant counts like any other expression.

use super::bits::Bits;
use super::objects::{Objects, Who};
use mandala_model::Model;
use mandala_model::expr::{Expr, ExprKind};
use mandala_model::footprint::{Analysis, Footprint};
use mandala_model::ids::{LocationId, TemplateId};
use mandala_model::template::{Edge, Location, Step};
use std::collections::BTreeSet;

/// What some conditions look at.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// All but where processes are.
    reads: Footprint,
    places: Vec<Watched>,
}

/// A question where somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    /// Whether a process of a template is at a location; that of this number if it is always the same.
    At {
        template: TemplateId,
        process: Option<i64>,
        location: LocationId,
    },
    /// Whether anybody is at a location with a progress label.
    Progress,
    /// Whether anybody is at one with an accept label.
    Accepting,
}

/// Somebody who moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    /// The number of the process.
    pub number: usize,
    pub template: TemplateId,
}

impl Sight {
    /// What conditions look at that belong to no process.
    pub fn of(model: &Model, conditions: &[Expr]) -> Self {
        let analysis = Analysis::new(model);
        let mut sight = Sight {
            reads: Footprint::default(),
            places: Vec::new(),
        };
        for condition in conditions {
            let mut rest = condition.clone();
            rest.each_mut(&mut |node| sight.take_place(node));
            sight.reads.add(&analysis.expression(&rest, None));
        }
        sight
    }

    /// Notes a question where somebody is, and leaves of it what says who is meant.
    fn take_place(&mut self, node: &mut Expr) {
        let (place, rest) = match &node.kind {
            ExprKind::At {
                template,
                process,
                location,
            } => {
                let at = Watched::At {
                    template: *template,
                    process: process.as_constant(),
                    location: *location,
                };
                (at, (**process).clone())
            }
            ExprKind::NonProgress => (Watched::Progress, Expr::constant(0, node.span)),
            ExprKind::Accepting => (Watched::Accepting, Expr::constant(0, node.span)),
            _ => return,
        };
        *node = rest;
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// The parts of the states of a shape that are looked at, but for where processes are.
    pub fn objects(&self, objects: &Objects<'_>) -> Bits {
        // No condition has variables of its own, so it does not matter whose it is.
        objects.touch(&self.reads, Who::Unborn).reads
    }

    /// Whether it is seen how somebody gets from one location to another by an edge, or that processes are made there.
    pub fn sees_move(
        &self,
        model: &Model,
        mover: Mover,
        edge: &Edge,
        spawns: &BTreeSet<TemplateId>,
    ) -> bool {
        let mut places = self.places.iter();
        places.any(|place| {
            let mut born = spawns.iter();
            place.changes(model, mover, edge) || born.any(|born| place.shows_birth(model, *born))
        })
    }
}

impl Watched {
    /// Whether the answer may change when somebody takes an edge.
    fn changes(self, model: &Model, mover: Mover, edge: &Edge) -> bool {
        let from = self.holds_at(model, mover.template, edge.source);
        let to = self.holds_at(model, mover.template, edge.target);
        let leaves = matches!(edge.step, Step::Exit);
        self.means(mover) && if leaves { from || to } else { from != to }
    }

    /// Whether it may be about somebody.
    fn means(self, mover: Mover) -> bool {
        match self {
            Watched::At { process, .. } => {
                process.is_none_or(|number| number == mover.number as i64)
            }
            Watched::Progress | Watched::Accepting => true,
        }
    }

    /// Whether the answer may change when a process is made.
    fn shows_birth(self, model: &Model, born: TemplateId) -> bool {
        self.holds_at(model, born, model.template(born).entry)
    }

    /// Whether somebody who is at a location is at what is asked for.
    fn holds_at(self, model: &Model, template: TemplateId, location: LocationId) -> bool {
        let here: &Location = &model.template(template).locations[location.index()];
        match self {
            Watched::At {
                template: wanted,
                location: at,
                ..
            } => wanted == template && at == location,
            Watched::Progress => here.progress,
            Watched::Accepting => here.accept,
        }
    }
}
