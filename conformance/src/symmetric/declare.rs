//! Declarations of the symmetry, complete or in part, right as long as nothing slips.

use super::Generator;
use super::world::{Cell, Holds};

/// A place and the set that holds it, ready to be declared.
struct Use {
    text: String,
    /// The domains that it speaks of.
    domains: Vec<usize>,
}

impl Generator {
    /// Declares some of the domains, each by some of its uses.
    pub(super) fn declare(&mut self) {
        if !self.dice.chance(45) {
            return;
        }
        let domains = 0..self.world.domains.len();
        let declared: Vec<usize> = domains.filter(|_| self.dice.chance(75)).collect();
        let mut uses: Vec<Vec<String>> = vec![Vec::new(); self.world.domains.len()];
        for place in self.uses(&declared) {
            let wanted = self.dice.chance(50);
            // Values that no process goes by come last, and have nothing else to be declared by.
            if let Some(domain) = place.domains.iter().max().filter(|_| wanted) {
                uses[*domain].push(place.text);
            }
        }
        for domain in declared {
            let uses = std::mem::take(&mut uses[domain]);
            let note = self.declaration(domain, uses);
            self.program.notes.extend(note);
        }
    }

    fn declaration(&mut self, domain: usize, mut uses: Vec<String>) -> Option<String> {
        let families = self.world.families.iter();
        let own = families.filter_map(|f| {
            let own = f.selves.iter().find(|s| s.0 == domain)?;
            Some(match own.1 {
                "_pid" => f.name.to_string(),
                name => format!("{}.{name}", f.name),
            })
        });
        let own: Vec<String> = own.collect();
        let Some(subject) = own.first() else {
            return (!uses.is_empty()).then(|| self.scalarset(domain, &uses));
        };
        if !self.is_range(domain) || self.domain(domain).numbers && self.dice.chance(50) {
            return self
                .domain(domain)
                .numbers
                .then(|| format!("//@ symmetric {subject}"));
        }
        uses.extend(own);
        Some(self.scalarset(domain, &uses))
    }

    fn is_range(&self, domain: usize) -> bool {
        self.domain(domain).is_range()
    }

    fn scalarset(&self, domain: usize, uses: &[String]) -> String {
        let (first, last) = (self.domain(domain).first(), self.domain(domain).last());
        let bounds = match first {
            0 => format!("[{}]", last + 1),
            first => format!(" = {first}..{last}"),
        };
        let uses = uses.join(", ");
        format!("/*@ scalarset {}{bounds}: {uses} */", self.set(domain))
    }

    /// The name of a set.
    fn set(&self, domain: usize) -> String {
        format!("ID{}", self.domain(domain).letter)
    }

    /// Everything that can be said about these domains.
    fn uses(&self, declared: &[usize]) -> Vec<Use> {
        let named: Vec<usize> = declared
            .iter()
            .copied()
            .filter(|d| self.is_range(*d) && !self.goes_without_name(*d))
            .collect();
        let mut uses: Vec<Use> = Vec::new();
        let mut before = "";
        for cell in &self.scope.cells {
            // The fields of a record share its index, which is declared once.
            uses.extend(match cell.parts[0] == before {
                true => None,
                false => self.cell_use(cell, &named),
            });
            before = &cell.parts[0];
        }
        for channel in &self.scope.channels {
            let fields = channel.fields.iter();
            let fields: Vec<Option<usize>> = fields.map(|f| self.set_of(*f, &named)).collect();
            uses.extend(self.channel_use(&channel.cell, &fields, &named));
        }
        for (place, domain) in &self.local_ids {
            if named.contains(domain) {
                let text = format!("{} {place}", self.set(*domain));
                let domains = vec![*domain];
                uses.push(Use { text, domains });
            }
        }
        uses
    }

    /// Whether it is declared by its processes alone, which gives it no name: then nothing else may speak of it.
    /// Which form a domain of numbers gets is decided later, so none of them is spoken of.
    fn goes_without_name(&self, domain: usize) -> bool {
        self.domain(domain).numbers
    }

    fn set_of(&self, holds: Holds, named: &[usize]) -> Option<usize> {
        match holds {
            Holds::Id(domain) if named.contains(&domain) => Some(domain),
            _ => None,
        }
    }

    /// `A q0[B]`, with nothing in the place of what is not declared.
    fn cell_use(&self, cell: &Cell, named: &[usize]) -> Option<Use> {
        let (place, mut domains) = self.indexed(cell, named);
        let held = self.set_of(cell.holds, named);
        domains.extend(held);
        let text = match held {
            Some(held) => format!("{} {place}", self.set(held)),
            None => place,
        };
        (!domains.is_empty()).then_some(Use { text, domains })
    }

    fn indexed(&self, cell: &Cell, named: &[usize]) -> (String, Vec<usize>) {
        let known = |index: &&(usize, i32)| named.contains(&index.0) && index.1 == 0;
        let domains = cell.indices.iter().filter(known).map(|i| i.0).collect();
        let index = |index: &(usize, i32)| match known(&index) {
            true => self.set(index.0),
            false => String::new(),
        };
        let indices: Vec<String> = cell.indices.iter().map(index).collect();
        (cell.at(&indices), domains)
    }

    fn channel_use(&self, cell: &Cell, fields: &[Option<usize>], named: &[usize]) -> Option<Use> {
        let (mut text, mut domains) = self.indexed(cell, named);
        domains.extend(fields.iter().flatten());
        if fields.iter().any(Option::is_some) {
            let field = |f: &Option<usize>| f.map_or("_".to_string(), |d| self.set(d));
            let fields: Vec<String> = fields.iter().map(field).collect();
            text = format!("{text} {{{}}}", fields.join(", "));
        }
        (!domains.is_empty()).then_some(Use { text, domains })
    }
}
