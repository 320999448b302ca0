//! Variables, bodies of processes, and how processes come into being.

use super::tamper::Site;
use super::values::word;
use super::world::{Birth, Cell, Channel, Domain, Family, Holds};
use super::{Around, Generator};
use crate::program::{Bracket, Declaration, Expr, Place, Process, Statement};

/// What a program may keep in its globals.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Flags,
    Id,
    Ids,
    Matrix,
    Record,
    Number,
    Queue,
    Meeting,
    Mailboxes,
    Hub,
}

impl Generator {
    pub(super) fn globals(&mut self) {
        self.program.words = vec!["ask".into(), "grant".into()];
        let hidden = self.dice.chance(60);
        self.scope.hidden_counter = hidden;
        self.scope.counter = "i".into();
        if hidden {
            self.keep("hidden byte", "i", None);
        }
        for number in 0..self.dice.between(2, 4) {
            let domain = self.some_domain();
            let kept = self.dice.weighted(&[
                (5, Kept::Flags),
                (4, Kept::Id),
                (3, Kept::Ids),
                (1, Kept::Matrix),
                (2, Kept::Record),
                (3, Kept::Number),
                (4, Kept::Queue),
                (2, Kept::Meeting),
                (3, Kept::Mailboxes),
                (2, Kept::Hub),
            ]);
            self.global(kept, domain, number);
        }
    }

    /// Declares something of that kind. The number keeps names apart.
    fn global(&mut self, kept: Kept, domain: usize, number: i32) {
        let other = self.some_domain();
        match kept {
            Kept::Flags => self.flags(domain, number),
            Kept::Id => {
                let first = self.nobody_first(domain);
                self.keep_cell(domain, &format!("g{number}"), Holds::Id(domain), first);
            }
            Kept::Ids => self.ids(domain, other, number),
            Kept::Matrix => self.matrix(domain, other, number),
            Kept::Record => self.record(domain, other, number),
            Kept::Number => {
                self.keep("byte", &format!("x{number}"), None);
                let cell = Cell::simple(&format!("x{number}"), Holds::Number(2));
                self.scope.cells.push(cell);
            }
            Kept::Queue => self.queue(domain, number),
            Kept::Meeting => {
                let fields = vec![Holds::Id(domain)];
                self.keep_channel(Cell::simple(&format!("r{number}"), Holds::Word), 0, fields);
            }
            Kept::Mailboxes => {
                let cell = Cell::array(&format!("m{number}"), domain, 0, Holds::Word);
                let capacity = self.dice.weighted(&[(1, 0), (3, 1)]);
                self.keep_channel(cell, capacity, vec![Holds::Id(other)]);
            }
            Kept::Hub => {
                let fields = vec![Holds::Link(domain), Holds::Id(domain)];
                self.keep_channel(Cell::simple(&format!("h{number}"), Holds::Word), 1, fields);
            }
        }
    }

    fn keep(&mut self, kind: &str, name: &str, first: Option<Expr>) {
        self.program.globals.push(Declaration {
            kind: kind.into(),
            name: name.into(),
            first,
            channel: None,
        });
    }

    fn keep_cell(&mut self, domain: usize, name: &str, holds: Holds, first: Expr) {
        let ty = self.domain(domain).ty();
        self.keep(ty, name, Some(first));
        self.scope.cells.push(Cell::simple(name, holds));
    }

    /// The first value of a variable that names nobody at first.
    fn nobody_first(&mut self, domain: usize) -> Expr {
        let nobody = self.domain(domain).nobody;
        let members = self.domain(domain).members.clone();
        let slips = || members.iter().map(|m| format!("{m}")).collect();
        let slip = self.tamper.pass(Site::First, slips);
        slip.map_or(Expr::Number(nobody), word)
    }

    fn flags(&mut self, domain: usize, number: i32) {
        let base = self.base(domain);
        let length = self.domain(domain).length() - base;
        let most = self.dice.between(1, 2);
        let first = self.tamper.pass(Site::First, || {
            let ones = (1..length).map(|_| "0").collect::<Vec<_>>().join(", ");
            vec![format!("{{ {ones}, 1 }}")]
        });
        self.keep("byte", &format!("f{number}[{length}]"), first.map(word));
        let cell = Cell::array(&format!("f{number}"), domain, base, Holds::Number(most));
        self.scope.cells.push(cell);
    }

    /// What an array takes off its indices, so that none of its elements belongs to nobody.
    fn base(&mut self, domain: usize) -> i32 {
        let first = self.domain(domain).first();
        if first > 0 && self.dice.chance(30) {
            first
        } else {
            0
        }
    }

    fn ids(&mut self, domain: usize, held: usize, number: i32) {
        let base = self.base(domain);
        let length = self.domain(domain).length() - base;
        let first = self.nobody_first(held);
        let ty = self.domain(held).ty();
        self.keep(ty, &format!("q{number}[{length}]"), Some(first));
        let cell = Cell::array(&format!("q{number}"), domain, base, Holds::Id(held));
        self.scope.cells.push(cell);
    }

    fn matrix(&mut self, domain: usize, other: usize, number: i32) {
        let (rows, columns) = (self.domain(domain).length(), self.domain(other).length());
        let row = format!("typedef Row{number} {{ bit to[{columns}] }};");
        self.program.records.push(row);
        self.keep(&format!("Row{number}"), &format!("t{number}[{rows}]"), None);
        self.scope.cells.push(Cell {
            parts: vec![format!("t{number}"), ".to".into(), String::new()],
            indices: vec![(domain, 0), (other, 0)],
            holds: Holds::Number(1),
        });
    }

    fn record(&mut self, domain: usize, held: usize, number: i32) {
        let Domain { nobody, .. } = *self.domain(held);
        let ty = self.domain(held).ty();
        let text = format!("typedef Rec{number} {{ bit n; {ty} who = {nobody} }};");
        self.program.records.push(text);
        let many = self.dice.chance(50);
        let length = self.domain(domain).length();
        let name = match many {
            true => format!("e{number}[{length}]"),
            false => format!("e{number}"),
        };
        self.keep(&format!("Rec{number}"), &name, None);
        for (field, holds) in [(".n", Holds::Number(1)), (".who", Holds::Id(held))] {
            let name = format!("e{number}");
            self.scope.cells.push(match many {
                true => Cell {
                    parts: vec![name, field.into()],
                    indices: vec![(domain, 0)],
                    holds,
                },
                false => Cell::simple(&format!("{name}{field}"), holds),
            });
        }
    }

    fn queue(&mut self, domain: usize, number: i32) {
        let mut fields = vec![Holds::Id(domain)];
        if self.dice.chance(40) {
            fields.push(Holds::Number(1));
        }
        if self.dice.chance(30) {
            fields.insert(0, Holds::Word);
        }
        let other = self.some_domain();
        if self.dice.chance(20) {
            fields.push(Holds::Id(other));
        }
        let capacity = self.dice.weighted(&[(4, 1), (1, 2)]);
        self.keep_channel(
            Cell::simple(&format!("c{number}"), Holds::Word),
            capacity,
            fields,
        );
    }

    /// Declares channels; an array of them has one for each name.
    fn keep_channel(&mut self, cell: Cell, capacity: i32, fields: Vec<Holds>) {
        let name = match cell.indices.first() {
            Some((domain, _)) => format!("{}[{}]", cell.parts[0], self.domain(*domain).length()),
            None => cell.parts[0].clone(),
        };
        let channel = self.new_channel(&name, capacity, &fields);
        self.program.globals.push(channel);
        self.scope.channels.push(Channel {
            cell,
            fields,
            buffered: capacity > 0,
        });
    }

    fn new_channel(&self, name: &str, capacity: i32, fields: &[Holds]) -> Declaration {
        let types: Vec<&str> = fields.iter().map(|f| self.type_of(*f)).collect();
        Declaration {
            kind: "chan".into(),
            name: name.into(),
            first: None,
            channel: Some(format!("[{capacity}] of {{ {} }}", types.join(", "))),
        }
    }

    fn type_of(&self, holds: Holds) -> &'static str {
        match holds {
            Holds::Number(_) => "byte",
            Holds::Id(domain) => self.domain(domain).ty(),
            Holds::Link(_) => "chan",
            Holds::Word => "mtype",
        }
    }

    pub(super) fn processes(&mut self) {
        let families = self.world.families.clone();
        let outer = self.scope.clone();
        if self.world.outsider {
            let body = self.outsider();
            self.add_process("W", usize::from(!self.world.has_init()), Vec::new(), body);
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

    fn add_process(
        &mut self,
        name: &str,
        active: usize,
        parameters: Vec<String>,
        body: Vec<Statement>,
    ) {
        self.program.processes.push(Process {
            name: name.into(),
            active,
            parameters,
            priority: None,
            provided: None,
            body,
        });
    }

    /// A process that belongs to no family.
    fn outsider(&mut self) -> Vec<Statement> {
        let domain = self.some_domain();
        let mut body = self.locals("W", &[domain]);
        body.extend(self.rounds());
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
        let domains: Vec<usize> = family.selves.iter().map(|s| s.0).collect();
        let mut body = self.locals(family.name, &domains);
        if self.dice.chance(30) {
            body.extend(self.sequence(Around::BODY, 1));
        }
        body.extend(self.rounds());
        let active = match family.birth {
            Birth::Active => family.size,
            _ => 0,
        };
        self.add_process(family.name, active, parameters, body);
        if let Some(process) = self.program.processes.last_mut() {
            process.provided = provided;
        }
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
    fn rounds(&mut self) -> Vec<Statement> {
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
        let label = self.dice.pick(&["again", "again", "end"]);
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

    fn init(&mut self, families: &[Family]) {
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
        if self.dice.chance(20) {
            self.scope.counter = "j".into();
            self.scope.hidden_counter = false;
            body.extend(self.rounds());
        }
        self.program.init = Some(body);
    }

    /// Makes the members of families of one size, one after the other, in turns.
    fn births(&mut self, families: &[Family]) -> Vec<Statement> {
        let first = families[0]
            .selves
            .first()
            .map_or(0, |s| self.domain(s.0).first());
        let last = first + families[0].size as i32 - 1;
        if self.dice.chance(50) {
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

    fn birth(&mut self, family: &Family, first: i32, name: &str) -> Statement {
        let slip = self.tamper.pass(Site::Birth, || match family.birth {
            Birth::Named => vec![format!("{first}"), format!("{}", first + 1)],
            _ => Vec::new(),
        });
        let arguments = match family.birth {
            Birth::Named => {
                let own = self.domain(family.selves[0].0).first();
                let shifted = match own - first {
                    0 => name.to_string(),
                    by => format!("({name} + {by})"),
                };
                vec![word(slip.unwrap_or(shifted))]
            }
            _ => Vec::new(),
        };
        Statement::Run(None, family.name.into(), arguments)
    }
}
