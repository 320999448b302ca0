//! Footprints of the code of a model.

use super::birth::Birth;
use super::derivation::Derivation;
use super::parametric::ParametricFootprint;
use super::{Channels, Footprint, Parts};
use crate::expr::{Expr, Pattern, Place, Root};
use crate::function::CALL;
use crate::ids::{EdgeId, GlobalId, LocalId, TemplateId};
use crate::model::Model;
use crate::template::{Effect, Step};
use crate::types::Storage;

/// What must be known of the whole model before any footprint can be derived.
pub struct Analysis<'m> {
    pub(super) model: &'m Model,
    /// The variables that some step assigns to.
    assigned: Assigned,
    /// Whether some channel is a rendezvous.
    pub(super) any_rendezvous: bool,
}

/// A variable of the model.
#[derive(Clone, Copy)]
enum Owner {
    Global(GlobalId),
    Local(TemplateId, LocalId),
}

/// For each variable of the model, whether some step assigns to it.
struct Assigned {
    globals: Vec<bool>,
    /// By template.
    locals: Vec<Vec<bool>>,
}

impl Assigned {
    /// None of them.
    fn none(model: &Model) -> Self {
        let templates = model.runnables();
        Assigned {
            globals: vec![false; model.globals.len()],
            locals: templates
                .map(|(_, t)| vec![false; t.locals.len()])
                .collect(),
        }
    }

    fn insert(&mut self, owner: Owner) {
        match owner {
            Owner::Global(id) => self.globals[id.index()] = true,
            Owner::Local(template, id) => self.locals[template.index()][id.index()] = true,
        }
    }

    fn contains(&self, owner: Owner) -> bool {
        match owner {
            Owner::Global(id) => self.globals[id.index()],
            Owner::Local(template, id) => self.locals[template.index()][id.index()],
        }
    }
}

impl<'m> Analysis<'m> {
    /// Looks through the model.
    pub fn new(model: &'m Model) -> Self {
        let mut assigned = Assigned::none(model);
        for (id, template) in model.runnables() {
            for edge in &template.edges {
                for_each_target(&edge.step, &mut |place| {
                    let owner = owner(place, Some(id));
                    owner.into_iter().for_each(|owner| assigned.insert(owner));
                });
            }
        }
        Analysis {
            model,
            assigned,
            any_rendezvous: model.channel_kinds.iter().any(|k| k.capacity == 0),
        }
    }

    /// What the expression reads where it stands: in a template, or outside of all.
    pub fn expression(&self, expression: &Expr, template: Option<TemplateId>) -> Footprint {
        let mut derivation = Derivation::new(self, template, None);
        derivation.expression(expression);
        derivation.finish().of_choice(&[])
    }

    /// What decides whether the edge can be taken, in any choice of its parameters.
    pub fn enabling(&self, edge: EdgeId) -> Footprint {
        let mut derivation = Derivation::new(self, Some(edge.template), None);
        derivation.enabling_of_edge(edge);
        derivation.finish().of_choice(&[])
    }

    /// What decides whether the edge can be taken, and what taking it reads and writes, in any choice of its parameters.
    pub fn taking(&self, edge: EdgeId) -> Footprint {
        let mut derivation = Derivation::new(self, Some(edge.template), None);
        derivation.whole_edge(edge);
        derivation.finish().of_choice(&[])
    }

    /// What taking the edge writes, in any choice of its parameters: the writes of [`Analysis::taking`], but for aspects.
    pub fn written(&self, edge: EdgeId) -> Parts {
        let mut derivation = Derivation::new(self, Some(edge.template), None);
        derivation.writes_alone = true;
        let template = self.model.template(edge.template);
        let taken = &template.edges[edge.index as usize];
        derivation.choose(&taken.parameters);
        derivation.step(&taken.step);
        derivation.finish().of_choice(&[]).writes
    }

    /// As [`Analysis::enabling`], for one process and without the channel of its own send or receive.
    pub fn enabling_beside_channel(&self, edge: EdgeId, birth: &Birth) -> ParametricFootprint {
        let mut derivation = Derivation::new(self, Some(edge.template), Some(birth));
        derivation.aside = true;
        derivation.enabling_of_edge(edge);
        derivation.finish()
    }

    /// As [`Analysis::taking`], for one process. What it does to the channel of its own send or receive is left out if
    /// it is `aside`.
    pub fn taking_by(&self, edge: EdgeId, birth: &Birth, aside: bool) -> ParametricFootprint {
        let mut derivation = Derivation::new(self, Some(edge.template), Some(birth));
        derivation.aside = aside;
        derivation.whole_edge(edge);
        derivation.finish()
    }

    /// What the template's condition on all moves reads for one process.
    pub fn provided_for(&self, template: TemplateId, birth: &Birth) -> Footprint {
        let mut derivation = Derivation::new(self, Some(template), Some(birth));
        if let Some(provided) = &self.model.template(template).provided {
            derivation.expression(provided);
        }
        derivation.finish().of_choice(&[])
    }

    /// What an expression reads if one process asks it of an edge with parameters, and when it [never fails](ParametricFootprint::never_fails).
    pub fn condition_of(
        &self,
        expression: &Expr,
        edge: EdgeId,
        birth: &Birth,
    ) -> ParametricFootprint {
        let mut derivation = Derivation::new(self, Some(edge.template), Some(birth));
        let template = self.model.template(edge.template);
        derivation.choose(&template.edges[edge.index as usize].parameters);
        derivation.expression(expression);
        derivation.safety(expression);
        derivation.finish()
    }

    /// The channels that one process may send to or receive from by the edge; none if it is no send and no receive.
    pub fn channels_of(&self, edge: EdgeId, birth: &Birth) -> Option<Channels> {
        let taken = &self.model.template(edge.template).edges[edge.index as usize];
        match &taken.step {
            Step::Send { channel, .. } | Step::Receive { channel, .. } => {
                Some(self.channels_behind(channel, edge.template, birth))
            }
            Step::Guarded { .. } | Step::Else | Step::Exit | Step::Routine(_) | Step::Call(_) => {
                None
            }
        }
    }

    /// The channels that an expression of a template may refer to, asked by one process.
    pub fn channels_behind(&self, channel: &Expr, template: TemplateId, birth: &Birth) -> Channels {
        let mut derivation = Derivation::new(self, Some(template), Some(birth));
        derivation.known(channel).channels
    }

    /// Whether a local variable keeps for ever what it holds when its process is made.
    pub fn is_fixed(&self, template: TemplateId, local: LocalId) -> bool {
        let variable = &self.model.template(template).locals[local.index()];
        let owner = Owner::Local(template, local);
        variable.storage == Storage::State && !self.assigned.contains(owner)
    }

    /// Whether some step assigns to the variable that a place is in, seen from a template; nothing if it is in none.
    pub(super) fn is_assigned(&self, place: &Place, template: Option<TemplateId>) -> Option<bool> {
        Some(self.assigned.contains(owner(place, template)?))
    }
}

/// The variable that a place is in, seen from a template.
fn owner(place: &Place, template: Option<TemplateId>) -> Option<Owner> {
    match &place.root {
        Root::Global(id) => Some(Owner::Global(*id)),
        Root::Local(id) => template.map(|template| Owner::Local(template, *id)),
        Root::Remote {
            template, local, ..
        } => Some(Owner::Local(*template, *local)),
        Root::OwnPriority | Root::Reference(_) => None,
    }
}

/// Calls `visit` on every place that the step assigns to.
fn for_each_target<'s>(step: &'s Step, visit: &mut impl FnMut(&'s Place)) {
    match step {
        Step::Guarded { effects, .. } => {
            for effect in effects {
                match effect {
                    Effect::Assign { place, .. } => visit(place),
                    Effect::Spawn { result, .. } => result.iter().for_each(&mut *visit),
                    Effect::Insert(insertion) => {
                        visit(&insertion.position);
                        insertion.cells.iter().for_each(|(place, _)| visit(place));
                    }
                    Effect::Assert { .. }
                    | Effect::Print { .. }
                    | Effect::SetPriority { .. }
                    | Effect::Fail { .. }
                    | Effect::Abandon => {}
                }
            }
        }
        Step::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    visit(place);
                }
            }
        }
        Step::Routine(routine) => {
            let choices = routine.nodes.iter().flat_map(|n| &n.choices);
            choices.for_each(|choice| for_each_target(&choice.step, visit));
        }
        Step::Else | Step::Send { .. } | Step::Exit => {}
        Step::Call(_) => unreachable!("{CALL}"),
    }
}
