//! What a group permutes, one by one: the members of all domains, numbered through, in the order of the domains.

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
    Name { domain: u32, number: u32 },
}

impl Points {
    /// Those of a certificate for a model.
    pub fn of(model: &Model, certificate: &Certificate) -> Self {
        Points::new(certificate, &domains_of(model, certificate))
    }

    pub(crate) fn new(certificate: &Certificate, domains: &[DomainAccount]) -> Self {
        let mut points = Points::default();
        let mut sets = 0;
        for (domain, told) in certificate.domains().iter().zip(domains) {
            match &domain.kind {
                DomainKind::Processes { numbers, .. } => {
                    let members = numbers.iter().map(|number| Member::Process(*number));
                    points.members.extend(members);
                }
                DomainKind::Names { size, .. } => {
                    let domain = sets;
                    let members = (0..*size).map(|number| Member::Name { domain, number });
                    points.members.extend(members);
                    sets += 1;
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
        Member::Name { domain, number } => Member::Name {
            domain,
            number: renaming.names(domain).image(number),
        },
    }
}
