//! The action of renamings on the instances of a property that is several in one ([`mandala_model::several`]).

use crate::prepared::{Prepared, ProofKind};
use mandala_model::Model;
use mandala_model::claim::Claim;
use mandala_model::ids::{MonitorId, PropertyId};
use mandala_model::property::{Indices, PropertyKind};
use mandala_symmetry::sorts::{Shape, Sort, Sorts};
use mandala_symmetry::{Certificate, Renaming};
use std::sync::Arc;

/// How renamings that are certified act on the instances of a property: what is said of an instance in a state is said of its image in the renamed state.
#[derive(Clone, Debug)]
pub struct InstanceAction {
    count: u32,
    means: Means,
}

/// What tells instances apart.
#[derive(Clone, Debug)]
enum Means {
    /// Nothing that a renaming moves.
    Themselves,
    /// The values of indices, which mean that.
    Indices(Indices, Vec<Sort>, Sorts),
    /// The monitors of a property of the user's model, and the values of their parameters, which mean that by monitor.
    Monitors(Arc<Model>, PropertyId, Vec<(MonitorId, Vec<Sort>)>, Sorts),
}

impl Prepared {
    /// The instances of a property of the user's model, if it is several in one, and what renamings do to them.
    ///
    /// - The indices of a formula are variables of what asks its conditions, and are certified together with it.
    /// - Of the parameters of monitors it is known what they mean where a certificate follows from the types of the user's model. Where it was proven by execution, each
    ///   instance is a monitor by itself and becomes itself, which is part of the proof ([`mandala_model::UncheckedModel::demands_each`]).
    pub fn instances(&self, property: PropertyId) -> Option<InstanceAction> {
        let count = self.user.instance_count(property)?;
        let certificate = self.certificate.as_ref();
        let means = certificate.map(|certificate| self.means(property, certificate));
        Some(InstanceAction {
            count,
            means: means.unwrap_or(Means::Themselves),
        })
    }

    fn means(&self, property: PropertyId, certificate: &Certificate) -> Means {
        let kind = &self.user.properties[property.index()].kind;
        let sorts = certificate.sorts();
        if let PropertyKind::Ctl { indices, .. } = kind {
            let meanings = self.sorts_of_indices(property, sorts);
            return Means::Indices(indices.clone(), meanings, sorts.clone());
        }
        let choices = certificate.choices();
        let Some(choices) = choices.filter(|_| self.proof == ProofKind::ByTypes) else {
            return Means::Themselves;
        };
        let of_monitor = |monitor: &MonitorId| {
            let meanings = choices.get(&self.user.edge_of_monitor(*monitor));
            (*monitor, meanings.cloned().unwrap_or_default())
        };
        let meanings = kind.monitors().iter().map(of_monitor).collect();
        Means::Monitors(Arc::clone(&self.user), property, meanings, sorts.clone())
    }

    /// What the indices of a formula mean.
    fn sorts_of_indices(&self, property: PropertyId, sorts: &Sorts) -> Vec<Sort> {
        let asking = self.searched.runnable(Claim::Automaton(property));
        let shapes = sorts.classes.locals[asking.index()].iter();
        let sort = |shape: &Shape<Sort>| match shape {
            Shape::Cell(sort, _) => *sort,
            Shape::Record(_) | Shape::Array { .. } => Sort::Plain,
        };
        shapes.map(sort).collect()
    }

    /// The monitors of what is searched that are an instance of a property of the user's model, each in a choice of its parameters. There is none where the
    /// instance can never hold.
    pub fn monitors_of_instance(
        &self,
        property: PropertyId,
        instance: u32,
    ) -> Vec<(MonitorId, u32)> {
        let own = self.searched.properties[property.index()].kind.monitors();
        let own = own.iter().filter_map(|monitor| {
            let edge = self.searched.edge_of_monitor(*monitor);
            let origin = self.rewrites.origins.of(edge)?;
            let first = (MonitorId(origin.edge.index), origin.choice);
            let before = self.user.instance_of(property, first)?;
            let choices = self.searched.template(edge.template).edges[monitor.index()].choices();
            let choice = instance.checked_sub(before)?;
            (choice < choices).then_some((*monitor, choice))
        });
        own.collect()
    }
}

impl InstanceAction {
    /// How many instances there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// What a renaming makes of each instance; nothing if it is none of those that are certified.
    pub fn images(&self, renaming: &Renaming) -> Option<Vec<u32>> {
        let all = 0..self.count;
        all.map(|instance| self.image(instance, renaming)).collect()
    }

    /// Whether a renaming makes of each instance that instance.
    pub fn is_kept_by(&self, renaming: &Renaming) -> bool {
        let images = self.images(renaming);
        images.is_some_and(|images| images.into_iter().eq(0..self.count))
    }

    fn image(&self, instance: u32, renaming: &Renaming) -> Option<u32> {
        match &self.means {
            Means::Themselves => Some(instance),
            Means::Indices(indices, meanings, sorts) => {
                let chosen = indices.chosen(instance);
                indices.number(&renamed(sorts, meanings, chosen, renaming))
            }
            Means::Monitors(user, property, meanings, sorts) => {
                let (monitor, choice) = user.demanded(*property, instance)?;
                let (_, meanings) = meanings.iter().find(|(other, _)| *other == monitor)?;
                let edge = user.edge_of_monitor(monitor);
                let check = &user.template(edge.template).edges[monitor.index()];
                let image = renamed(sorts, meanings, check.chosen(choice), renaming);
                user.instance_of(*property, (monitor, check.choice_of(&image)?))
            }
        }
    }
}

/// What becomes of some values. Those that mean nothing else are plain.
fn renamed(sorts: &Sorts, meanings: &[Sort], values: Vec<i64>, renaming: &Renaming) -> Vec<i64> {
    let meanings = meanings.iter().copied();
    let meanings = meanings.chain(std::iter::repeat(Sort::Plain));
    let both = meanings.zip(values);
    both.map(|(sort, value)| sorts.image(renaming, sort, value))
        .collect()
}
