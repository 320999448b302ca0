//! Which families of steps there are, and what each keeps.

use mandala_model::Model;
use mandala_model::ids::{EdgeId, LocationId, TemplateId};
use mandala_model::step::StepLabel;
use mandala_model::template::{Keep, Role, Step};
use mandala_symmetry::{Partition, StatementSymmetry};
use std::collections::{BTreeSet, HashMap};

/// The families of a model.
pub(crate) struct Families<'a> {
    model: &'a Model,
    symmetry: &'a StatementSymmetry,
    /// What the families keep whose steps begin at a location.
    from: HashMap<(TemplateId, LocationId), BTreeSet<Partition>>,
    /// What each family keeps that was asked for.
    known: HashMap<(EdgeId, Option<EdgeId>), Partition>,
}

impl<'a> Families<'a> {
    pub(crate) fn new(model: &'a Model, symmetry: &'a StatementSymmetry) -> Self {
        let mut families = Families {
            model,
            symmetry,
            from: HashMap::new(),
            known: HashMap::new(),
        };
        let processes = (0..).zip(&model.templates);
        for (template, of) in processes.filter(|(_, t)| t.role == Role::Process) {
            for (index, edge) in (0..).zip(&of.edges) {
                let template = TemplateId(template);
                let own = families.beginning_with(EdgeId { template, index });
                let known = families.from.entry((template, edge.source)).or_default();
                known.extend(own);
            }
        }
        families
    }

    /// What the families keep whose steps begin with an edge.
    fn beginning_with(&mut self, edge: EdgeId) -> Vec<Partition> {
        let mut all = vec![self.of(edge, None)];
        let step = &self.model.template(edge.template).edges[edge.index as usize].step;
        let has_rendezvous = self
            .model
            .channel_kinds
            .iter()
            .any(|kind| kind.capacity == 0);
        if matches!(step, Step::Send { .. }) && has_rendezvous {
            let receives = receives(self.model);
            all.extend(
                receives
                    .into_iter()
                    .map(|receive| self.of(edge, Some(receive))),
            );
        }
        all
    }

    /// What the family keeps that a step belongs to.
    pub(crate) fn of_step(&mut self, label: &StepLabel) -> Partition {
        self.of(label.edge, label.partner.map(|(_, edge)| edge))
    }

    fn of(&mut self, edge: EdgeId, partner: Option<EdgeId>) -> Partition {
        let (model, symmetry) = (self.model, self.symmetry);
        let kept = || match partner {
            Some(receive) => symmetry.meeting(model, edge, receive),
            None => symmetry.alone(model, edge),
        };
        self.known
            .entry((edge, partner))
            .or_insert_with(kept)
            .clone()
    }

    /// What the edges of a step leave of a partition by themselves, whatever it depends on besides whether the step is possible and who goes on.
    pub(crate) fn kept_by_edges(&self, partition: &Partition, label: &StepLabel) -> Partition {
        let own = partition.meet(&self.symmetry.edge(label.edge).partition);
        match label.partner {
            Some((_, edge)) => own.meet(&self.symmetry.edge(edge).partition),
            None => own,
        }
    }

    /// What the families keep whose steps begin at a location.
    pub(crate) fn at(&self, place: (TemplateId, LocationId)) -> impl Iterator<Item = &Partition> {
        self.from.get(&place).into_iter().flatten()
    }
}

/// The edges that can be the second half of a rendezvous.
fn receives(model: &Model) -> Vec<EdgeId> {
    let templates = (0..).zip(&model.templates);
    let all = templates.flat_map(|(template, of)| {
        let template = TemplateId(template);
        let edges = (0..).zip(&of.edges);
        let receives = edges.filter(|(_, e)| {
            matches!(
                e.step,
                Step::Receive {
                    keep: Keep::Remove,
                    ..
                }
            )
        });
        receives.map(move |(index, _)| EdgeId { template, index })
    });
    all.collect()
}
