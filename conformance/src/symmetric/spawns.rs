//! Spawns of processes and their arguments.

use super::Generator;
use super::tamper::Site;
use super::values::word;
use super::world::{Birth, Channel, Family, Holds, Link};
use crate::program::{Bracket, Declaration, Expr, Place, Statement};

impl Generator {
    pub(super) fn init(&mut self, families: &[Family]) {
        let mut births = Vec::new();
        if self.world.outsider {
            births.push(Statement::Run(None, "W".into(), Vec::new()));
        }
        if self.world.takes_turns() {
            births.extend(self.births(families));
        } else {
            let each = families.iter().map(std::slice::from_ref);
            births.extend(each.flat_map(|f| self.births(f)).collect::<Vec<_>>());
        }
        let mut body = vec![Statement::Declare(Declaration {
            kind: "byte".into(),
            name: "j".into(),
            first: None,
            channel: None,
        })];
        match self.dice.chance(80) {
            true => body.push(Statement::Block(Bracket::Atomic, births)),
            false => body.extend(births),
        }
        body.extend(self.latecomer(families));
        if self.dice.chance(20) {
            self.scope.counter = "j".into();
            self.scope.hidden_counter = false;
            body.extend(self.rounds("again"));
        }
        self.program.init = Some(body);
    }

    /// Sometimes one process more, when the others are there already.
    fn latecomer(&mut self, families: &[Family]) -> Option<Statement> {
        let plain = |f: &&Family| f.birth == Birth::Run && f.link.is_none();
        let family = families.iter().find(plain)?.clone();
        let late = self.dice.chance(15).then(|| self.birth(&family, 0, "0"))?;
        let skip = vec![Statement::word("skip")];
        Some(Statement::If(vec![vec![late], skip]))
    }

    /// Makes the members of families of one size, one after the other, in turns.
    fn births(&mut self, families: &[Family]) -> Vec<Statement> {
        let first = families[0]
            .selves
            .first()
            .map_or(0, |s| self.domain(s.0).first());
        let last = first + families[0].size as i32 - 1;
        let told = families
            .iter()
            .any(|f| matches!(f.link, Some(Link::Singles(_))));
        if self.dice.chance(50) && !told {
            let body = families.iter().map(|f| self.birth(f, first, "j")).collect();
            let counter = Place::named("j");
            return vec![Statement::For(
                counter,
                Expr::Number(first),
                Expr::Number(last),
                body,
            )];
        }
        let mut births = Vec::new();
        for name in first..=last {
            births.extend(
                families
                    .iter()
                    .map(|f| self.birth(f, first, &name.to_string())),
            );
        }
        births
    }

    /// Makes a process. `name` is what the loop of `init` has come to, from `first` on.
    fn birth(&mut self, family: &Family, first: i32, name: &str) -> Statement {
        let slip = self.tamper.pass(Site::Birth, || match family.birth {
            Birth::Named => vec![format!("{first}"), format!("{}", first + 1)],
            _ => Vec::new(),
        });
        let own = match self.domain(family.selves[0].0).first() - first {
            0 => name.to_string(),
            by => format!("({name} + {by})"),
        };
        let mut arguments = Vec::new();
        if family.birth == Birth::Named {
            arguments.push(word(slip.unwrap_or(own.clone())));
        }
        arguments.extend(family.link.as_ref().map(|link| match link {
            Link::Element(array) => word(format!("{array}[{own}]")),
            Link::Singles(prefix) => {
                let place = name.parse::<i32>().unwrap_or(first) - first;
                word(format!("{prefix}{place}"))
            }
        }));
        Statement::Run(None, family.name.into(), arguments)
    }

    /// Sometimes each process of a family is told a channel: an element of an array, or a variable for it alone.
    pub(super) fn links(&mut self) {
        for number in 0..self.world.families.len() {
            let family = self.world.families[number].clone();
            if family.birth == Birth::Active || !self.dice.chance(25) {
                continue;
            }
            let array = self.own_array(&family);
            let single = self.dice.chance(50);
            let link = match array {
                Some(array) if !single => Link::Element(array),
                _ => self.singles(&family),
            };
            self.world.families[number].link = Some(link);
        }
    }

    /// An array of channels with one for each name of the family.
    fn own_array(&self, family: &Family) -> Option<String> {
        let domain = family.selves.iter().find(|s| s.1 == "me")?.0;
        let fits = |c: &&Channel| {
            let index = c.cell.indices.first();
            c.buffered && index == Some(&(domain, 0)) && matches!(c.fields[..], [Holds::Id(_)])
        };
        let array = self.scope.channels.iter().find(fits)?;
        Some(array.cell.parts[0].clone())
    }

    /// A channel for each member, in a variable of its own.
    fn singles(&mut self, family: &Family) -> Link {
        let prefix = format!("y{}", family.name);
        let domain = family.selves[0].0;
        for place in 0..family.size {
            let fields = [Holds::Id(domain)];
            let channel = self.new_channel(&format!("{prefix}{place}"), 1, &fields);
            self.program.globals.push(channel);
        }
        Link::Singles(prefix)
    }
}
