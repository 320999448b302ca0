//! The points that a group permutes: the members of all domains, numbered in the order of the domains.

use crate::group::{DomainAccount, domains_of};
use mandala_model::Model;
use mandala_symmetry::{Certificate, DomainKind, Renaming};
use std::collections::BTreeMap;

/// The points that renamings of a certificate permute.
#[derive(Clone, Debug, Default)]
pub struct Points {
    members: Vec<Member>,
    names: Vec<String>,
    numbers: BTreeMap<Member, u32>,
}

/// A point: processes come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Member {
    Process(u32),
    /// The name at that place of a set of names.
    Name {
        set: u32,
        place: u32,
    },
}

impl Points {
    /// Those of a certificate for a model.
    pub fn of(model: &Model, certificate: &Certificate) -> Self {
        Points::new(certificate, &domains_of(model, certificate))
    }

    pub(crate) fn new(certificate: &Certificate, domains: &[DomainAccount]) -> Self {
        let mut points = Points::default();
        for (domain, told) in certificate.domains().iter().zip(domains) {
            match &domain.kind {
                DomainKind::Processes { numbers, .. } => {
                    let members = numbers.iter().map(|number| Member::Process(*number));
                    points.members.extend(members);
                }
                DomainKind::Names {
                    size, set, start, ..
                } => {
                    let places = *start..start + size;
                    let members = places.map(|place| Member::Name { set: *set, place });
                    points.members.extend(members);
                }
            }
            points.names.extend(told.members.iter().cloned());
        }
        points.numbers = points.members.iter().copied().zip(0..).collect();
        points
    }

    /// What they are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Where a renaming takes each of them.
    pub fn images(&self, renaming: &Renaming) -> Vec<u32> {
        let images = self.members.iter().map(|member| image(renaming, *member));
        let numbers = images.zip(0..);
        // What is no point does not move.
        numbers
            .map(|(image, own)| self.numbers.get(&image).copied().unwrap_or(own))
            .collect()
    }

    /// A renaming in cycle notation.
    pub fn cycles(&self, renaming: &Renaming) -> String {
        let images = self.images(renaming);
        let mut done = vec![false; images.len()];
        let mut text = String::new();
        for first in self.numbers.values().map(|number| *number as usize) {
            if done[first] || images[first] as usize == first {
                continue;
            }
            let mut cycle = Vec::new();
            let mut at = first;
            while !std::mem::replace(&mut done[at], true) {
                cycle.push(self.names[at].as_str());
                at = images[at] as usize;
            }
            text.push_str(&format!("({})", cycle.join(" ")));
        }
        text
    }
}

fn image(renaming: &Renaming, member: Member) -> Member {
    match member {
        Member::Process(number) => Member::Process(renaming.processes().image(number)),
        Member::Name { set, place } => Member::Name {
            set,
            place: renaming.names(set).image(place),
        },
    }
}
