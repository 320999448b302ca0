//! Bodies of processes.

use super::values::word;
use super::world::{Birth, Cell, Channel, Family, Holds, Link};
use super::{Around, Generator};
use crate::program::{Declaration, Expr, Place, Statement};

impl Generator {
    pub(super) fn processes(&mut self) {
        let families = self.world.families.clone();
        let outer = self.scope.clone();
        if self.world.outsider {
            let body = self.outsider();
            self.program
                .add_process("W", usize::from(!self.world.has_init()), Vec::new(), body);
        }
        for family in &families {
            self.scope = outer.clone();
            self.family(family);
        }
        self.scope = outer;
        if self.world.has_init() {
            self.init(&families);
        }
    }

    /// A process that belongs to no family.
    fn outsider(&mut self) -> Vec<Statement> {
        let domain = self.some_domain();
        let mut body = self.locals("W", &[domain]);
        body.extend(self.rounds("again"));
        body
    }

    fn family(&mut self, family: &Family) {
        let provided = self.dice.chance(5).then(|| self.condition_on_globals());
        let own = family.selves.iter().map(|s| (s.0, s.1.to_string()));
        self.scope.selves = own.collect();
        let mut parameters = Vec::new();
        if family.birth == Birth::Named {
            parameters.push("byte me".to_string());
        }
        parameters.extend(self.told_channel(family));
        let domains: Vec<usize> = family.selves.iter().map(|s| s.0).collect();
        let mut body = self.locals(family.name, &domains);
        if self.dice.chance(30) {
            body.extend(self.sequence(Around::BODY, 1));
        }
        body.extend(self.rounds(family.label));
        let active = match family.birth {
            Birth::Active => family.size,
            _ => 0,
        };
        self.program
            .add_process(family.name, active, parameters, body);
        if let Some(process) = self.program.processes.last_mut() {
            process.provided = provided;
        }
    }

    /// The parameter for a channel of one's own.
    fn told_channel(&mut self, family: &Family) -> Option<String> {
        let fields = match family.link.as_ref()? {
            Link::Singles(_) => vec![Holds::Id(family.selves[0].0)],
            Link::Element(array) => {
                let same = |c: &&Channel| c.cell.parts[0] == *array;
                self.scope.channels.iter().find(same)?.fields.clone()
            }
        };
        self.scope.channels.push(Channel {
            cell: Cell::simple("mine", Holds::Word),
            fields,
            buffered: true,
        });
        Some("chan mine".into())
    }

    fn condition_on_globals(&mut self) -> Expr {
        self.quantified().unwrap_or(Expr::word("true"))
    }

    /// Local variables. They hold names of those domains.
    fn locals(&mut self, owner: &str, domains: &[usize]) -> Vec<Statement> {
        let mut locals = Vec::new();
        let mut local = |kind: &str, name: &str, first: Option<Expr>| {
            locals.push(Statement::Declare(Declaration {
                kind: kind.into(),
                name: name.into(),
                first,
                channel: None,
            }));
        };
        if !self.scope.hidden_counter {
            local("byte", "i", Some(Expr::Number(255)));
        }
        let domain = self.dice.pick(domains);
        for number in 0..self.dice.between(1, 2) {
            let first = self.nobody_first(domain);
            let name = format!("l{number}");
            local(self.world.domains[domain].ty(), &name, Some(first));
            self.scope
                .cells
                .push(Cell::simple(&name, Holds::Id(domain)));
            self.local_ids.push((format!("{owner}.{name}"), domain));
        }
        if self.dice.chance(50) {
            local("byte", "k", None);
            self.scope.cells.push(Cell::simple("k", Holds::Number(2)));
        }
        if self.dice.chance(12) {
            let length = self.world.domains[domain].length();
            local("bit", &format!("s[{length}]"), None);
            let cell = Cell::array("s", domain, 0, Holds::Number(1));
            self.scope.cells.push(cell);
        }
        self.local_channels(domain, &mut locals);
        locals
    }

    /// A channel of one's own, and a variable for somebody else's.
    fn local_channels(&mut self, domain: usize, locals: &mut Vec<Statement>) {
        if self.dice.chance(15) {
            let fields = vec![Holds::Id(domain)];
            locals.push(Statement::Declare(self.new_channel("own", 1, &fields)));
            self.scope.channels.push(Channel {
                cell: Cell::simple("own", Holds::Word),
                fields,
                buffered: true,
            });
        }
        let links = |c: &Channel| c.fields.contains(&Holds::Link(domain));
        if self.scope.channels.iter().any(links) {
            locals.push(Statement::Declare(Declaration {
                kind: "chan".into(),
                name: "o".into(),
                first: None,
                channel: None,
            }));
            let cell = Cell::simple("o", Holds::Link(domain));
            self.scope.cells.push(cell.clone());
            self.scope.channels.push(Channel {
                cell,
                fields: vec![Holds::Id(domain)],
                buffered: true,
            });
        }
    }

    /// A loop of a few choices, with or without an end.
    pub(super) fn rounds(&mut self, label: &str) -> Vec<Statement> {
        let mut branches = vec![self.lively()];
        if self.dice.chance(60) {
            branches.push(self.lively());
        }
        for _ in 0..self.dice.between(0, 2) {
            let mut branch = Vec::new();
            if self.dice.chance(40) {
                branch.push(Statement::Guard(self.condition()));
            }
            let length = self.dice.between(1, 2) as usize;
            branch.extend(self.sequence(Around::BODY, length));
            branches.push(branch);
        }
        let once = self.dice.chance(7);
        if !once && self.dice.chance(15) {
            let condition = Statement::Guard(self.condition());
            branches.push(vec![condition, Statement::word("break")]);
        }
        let rounds = if once {
            Statement::If(branches)
        } else {
            Statement::Do(branches)
        };
        vec![Statement::Labelled(label.into(), Box::new(rounds))]
    }

    /// Something in which names take part, so that they do not lie idle.
    fn lively(&mut self) -> Vec<Statement> {
        let own = self.scope.selves.clone();
        let mut branch = Vec::new();
        if self.dice.chance(15) {
            branch.push(Statement::Guard(self.condition()));
        }
        let (domain, name) = match own.is_empty() {
            true => (self.some_domain(), None),
            false => {
                let own = self.dice.pick(&own);
                (own.0, Some(own.1))
            }
        };
        branch.push(
            match (self.dice.below(5), name) {
                (0 | 1, Some(name)) => self.told(domain, &name),
                (2, Some(name)) => self.raised(domain, &name),
                _ => self.for_each(Around::BODY),
            }
            .unwrap_or_else(|| self.statement(Around::BODY)),
        );
        branch
    }

    /// One's own name goes into a variable.
    fn told(&mut self, domain: usize, name: &str) -> Option<Statement> {
        let cells = self.cells(|c| c.indices.is_empty() && c.holds == Holds::Id(domain));
        let cell = (!cells.is_empty()).then(|| self.dice.pick(&cells))?;
        Some(Statement::Assign(Place::named(cell.at(&[])), word(name)))
    }

    /// A number in an element of one's own changes.
    fn raised(&mut self, domain: usize, name: &str) -> Option<Statement> {
        let own = |c: &Cell| c.indices.len() == 1 && c.indices[0].0 == domain;
        let cells = self.cells(|c| own(c) && matches!(c.holds, Holds::Number(_)));
        let cell = (!cells.is_empty()).then(|| self.dice.pick(&cells))?;
        let index = match cell.indices[0].1 {
            0 => name.to_string(),
            base => format!("{name} - {base}"),
        };
        let place = Place::named(cell.at(&[index]));
        let value = Expr::binary("-", Expr::Number(1), Expr::Place(place.clone()));
        let value = match cell.holds {
            Holds::Number(1) => value,
            _ => Expr::Number(self.dice.between(1, 2)),
        };
        Some(Statement::Assign(place, value))
    }
}
