//! Variables and channels that all processes share.

use super::Generator;
use super::tamper::Site;
use super::values::word;
use super::world::{Cell, Channel, Domain, Holds};
use crate::program::{Declaration, Expr};

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
    pub(super) fn nobody_first(&mut self, domain: usize) -> Expr {
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

    pub(super) fn new_channel(&self, name: &str, capacity: i32, fields: &[Holds]) -> Declaration {
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
}
