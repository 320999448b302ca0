//! Activity: the domains that may be permuted in a state.
//!
//! A domain is active once it is *settled*: all instances of some templates are at some of their locations. Members of a
//! domain of processes that do not live are no points of the state, but that is decided by its shape. A domain nothing of which
//! is ever moved is not active, and neither is one while there are processes that it must be without.

use crate::plan::{Active, MAX_DOMAINS};
use mandala_encoding::Places;
use mandala_model::ids::{LocationId, TemplateId};
use mandala_symmetry::Certificate;
use std::collections::BTreeSet;

/// When the domains are active in states of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    all: Active,
    conditions: Vec<Condition>,
}

/// A process must be at some of its locations, or a domain is not active.
#[derive(Clone, Debug)]
struct Condition {
    cell: usize,
    domain: Active,
    /// By location, whether the process may be there.
    settled: Vec<bool>,
}

impl Activity {
    pub fn new(certificate: &Certificate, places: &Places) -> Self {
        let mut activity = Activity {
            all: 0,
            conditions: Vec::new(),
        };
        let domains = certificate.domains().iter().enumerate().take(MAX_DOMAINS);
        for (index, domain) in domains.filter(|(index, _)| certificate.moves(*index)) {
            // Who there is, is decided by the shape.
            let mut processes = (0..).zip(&places.processes);
            if !processes.all(|(number, p)| domain.is_resident(number, p.template)) {
                continue;
            }
            activity.all |= 1 << index;
            for (template, locations) in &domain.settled {
                activity.add(1 << index, *template, locations, places);
            }
        }
        activity
    }

    fn add(
        &mut self,
        domain: Active,
        template: TemplateId,
        locations: &BTreeSet<LocationId>,
        places: &Places,
    ) {
        let length = locations.last().map_or(0, |last| last.index() + 1);
        let settled = |at| locations.contains(&LocationId::from(at));
        let settled: Vec<bool> = (0..length).map(settled).collect();
        let instances = places.processes.iter().filter(|p| p.template == template);
        self.conditions.extend(instances.map(|process| Condition {
            cell: process.location,
            domain,
            settled: settled.clone(),
        }));
    }

    /// The domains that are active in a state.
    #[inline]
    pub fn of(&self, cells: &[i64]) -> Active {
        let mut active = self.all;
        for condition in &self.conditions {
            let location = cells[condition.cell] as usize;
            if !condition.settled.get(location).copied().unwrap_or(false) {
                active &= !condition.domain;
            }
        }
        active
    }
}
