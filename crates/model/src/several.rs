//! Properties that are several in one: formulas with indices, and what is demanded of each monitor in each choice of its parameters.
//!
//! The *instances* of such a property have numbers, from 0 on. They are told apart by the values of their *parameters*: the indices of a formula, or the parameters of a
//! monitor. Whoever answers for a property says which instance is violated.

use crate::ids::{MonitorId, PropertyId};
use crate::model::Model;
use crate::property::{Demand, PropertyKind};
use crate::state::Value;
use crate::types::{Scalar, Type};

impl Model {
    /// How many instances a property has, if it is several in one.
    pub fn instance_count(&self, id: PropertyId) -> Option<u32> {
        match &self.properties[id.index()].kind {
            PropertyKind::Ctl { indices, .. } if !indices.is_empty() => Some(indices.count()),
            PropertyKind::Reachable {
                monitors,
                demand: Demand::Each,
            } => {
                let counts = monitors.iter().map(|monitor| self.choices_of(*monitor));
                Some(counts.fold(0, u32::saturating_add))
            }
            _ => None,
        }
    }

    /// The monitor that an instance of a property demands, and the choice of its parameters.
    pub fn demanded(&self, id: PropertyId, instance: u32) -> Option<(MonitorId, u32)> {
        let mut rest = instance;
        for &monitor in self.properties[id.index()].kind.monitors() {
            let choices = self.choices_of(monitor);
            if rest < choices {
                return Some((monitor, rest));
            }
            rest -= choices;
        }
        None
    }

    /// The number of the instance of a property that demands that monitor in that choice of its parameters.
    pub fn instance_of(&self, id: PropertyId, demanded: (MonitorId, u32)) -> Option<u32> {
        let monitors = self.properties[id.index()].kind.monitors();
        let place = monitors.iter().position(|other| *other == demanded.0)?;
        let before = monitors[..place].iter();
        let before = before.map(|monitor| self.choices_of(*monitor));
        Some(before.sum::<u32>() + demanded.1)
    }

    /// The parameters of an instance of a property, each with its value as people write it.
    pub fn instance_texts(&self, id: PropertyId, instance: u32) -> Vec<(String, String)> {
        if let PropertyKind::Ctl { indices, .. } = &self.properties[id.index()].kind {
            let variables = indices.variables.iter().zip(indices.chosen(instance));
            let texts = variables.map(|(variable, value)| {
                (variable.name.clone(), self.text_of(&variable.ty, value))
            });
            return texts.collect();
        }
        let Some((monitor, choice)) = self.demanded(id, instance) else {
            return Vec::new();
        };
        let edge = self.edge_of_monitor(monitor);
        let check = &self.template(edge.template).edges[edge.index as usize];
        self.parameter_texts(edge.template, check, choice)
    }

    fn choices_of(&self, monitor: MonitorId) -> u32 {
        let edge = self.edge_of_monitor(monitor);
        self.template(edge.template).edges[edge.index as usize].choices()
    }

    /// A value of a type as people write it.
    pub(crate) fn text_of(&self, ty: &Type, value: Value) -> String {
        match ty {
            Type::Scalar(Scalar::Coded { coding, .. }) => self.coding(*coding).show(value),
            _ => value.to_string(),
        }
    }
}
