//! Variables and channels that all processes share.

use super::super::tamper::Site;
use super::super::values::word;
use super::Generator;
use super::actors::{Cell, Channel, Holds, Index, NOBODY, Naming};
use super::places::{Arrangement, Way};
use crate::program::{Declaration, Expr};

/// What a program may keep in its globals.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Flags,
    Forks,
    Sides,
    Parts,
    Place,
    Places,
    Matrix,
    Colour,
    Colours,
    Tally,
    Number,
    Queue,
    Meeting,
    Mailboxes,
    SideMailboxes,
}

impl Generator {
    pub(super) fn globals(&mut self) {
        let words = self.cast.colours.iter().find(|c| c.ty == "mtype");
        self.program.words = words.map_or(Vec::new(), |c| c.names.clone());
        // Every class of values has something that holds it.
        for class in 0..self.cast.colours.len() {
            self.keep_cell(Cell::simple(&format!("v{class}"), Holds::Colour(class)));
        }
        for number in 0..self.dice.between(1, 3) {
            let kept = self.kept();
            self.global(kept, number);
        }
        self.link();
    }

    fn kept(&mut self) -> Kept {
        let arrangement = self.cast.arrangement;
        let mirrored = matches!(arrangement, Arrangement::Ring { mirrored: true, .. });
        let sides = usize::from(mirrored);
        let forks = usize::from(arrangement.has_forks());
        let parts = usize::from(arrangement.parts().is_some());
        let colours = usize::from(!self.cast.colours.is_empty());
        self.dice.weighted(&[
            (6, Kept::Flags),
            (3 * forks, Kept::Forks),
            (2 * sides, Kept::Sides),
            (4 * parts, Kept::Parts),
            (3, Kept::Place),
            (2, Kept::Places),
            (1, Kept::Matrix),
            (2 * colours, Kept::Colour),
            (2 * colours, Kept::Colours),
            (2 * colours, Kept::Tally),
            (1, Kept::Number),
            (2, Kept::Queue),
            (2, Kept::Meeting),
            (3, Kept::Mailboxes),
            (2 * sides, Kept::SideMailboxes),
        ])
    }

    /// Declares something of that kind. The number keeps names apart.
    fn global(&mut self, kept: Kept, number: i32) {
        let class = self.dice.below(self.cast.colours.len().max(1));
        let most = self.dice.between(1, 2);
        let name = |letter: char| format!("{letter}{number}");
        match kept {
            Kept::Flags => self.keep_array(&name('f'), Index::Place, Holds::Number(most)),
            Kept::Forks => self.keep_array(&name('k'), Index::Fork, Holds::Number(1)),
            Kept::Sides => self.sides(number),
            Kept::Parts => {
                self.keep_array(&name('p'), Index::Part, Holds::Number(most));
                if self.dice.chance(50) {
                    self.keep_cell(Cell::simple(&format!("pp{number}"), Holds::Part));
                }
            }
            Kept::Place => self.keep_cell(Cell::simple(&name('g'), Holds::Place)),
            Kept::Places => self.keep_array(&name('q'), Index::Place, Holds::Place),
            Kept::Matrix => self.matrix(number),
            Kept::Colour => self.keep_cell(Cell::simple(&name('c'), Holds::Colour(class))),
            Kept::Colours => self.keep_array(&name('w'), Index::Place, Holds::Colour(class)),
            Kept::Tally => self.keep_array(&name('t'), Index::Colour(class), Holds::Number(most)),
            Kept::Number => self.keep_cell(Cell::simple(&name('x'), Holds::Number(most))),
            Kept::Queue => self.queue(number),
            Kept::Meeting => {
                let field = self.some_field();
                self.keep_channel(Cell::simple(&name('r'), field), 0, vec![field]);
            }
            Kept::Mailboxes => {
                let field = self.some_field();
                let capacity = self.dice.weighted(&[(1, 0), (2, 1)]);
                let cell = Cell::array(&name('m'), Index::Place, field);
                self.keep_channel(cell, capacity, vec![field]);
            }
            Kept::SideMailboxes => self.side_mailboxes(number),
        }
    }

    fn declare(&mut self, kind: &str, name: &str, first: Option<Expr>) {
        self.program.globals.push(Declaration {
            kind: kind.into(),
            name: name.into(),
            first,
            channel: None,
        });
    }

    fn keep_cell(&mut self, cell: Cell) {
        let first = self.first_value(cell.holds);
        let ty = self.type_of(cell.holds);
        self.declare(ty, &cell.name(), first);
        self.scope.cells.push(cell);
    }

    fn keep_array(&mut self, name: &str, index: Index, holds: Holds) {
        let cell = Cell::array(name, index, holds);
        self.declare_array(&cell);
        self.scope.cells.push(cell);
    }

    fn declare_array(&mut self, cell: &Cell) {
        let length = self.length(cell.indices[0]);
        let slip = self.tamper.pass(Site::First, || {
            let zeros = (1..length).map(|_| "0, ").collect::<String>();
            vec![format!("{{ {zeros}1 }}")]
        });
        let first = match slip {
            Some(list) => Some(word(list)),
            None => self.first_value(cell.holds),
        };
        let ty = self.type_of(cell.holds);
        self.declare(ty, &format!("{}[{length}]", cell.name()), first);
    }

    /// How many elements an array has.
    pub(super) fn length(&self, index: Index) -> i32 {
        match index {
            Index::Place | Index::Fork => self.cast.size(),
            Index::Part => self.cast.arrangement.parts().unwrap_or(1),
            Index::Colour(class) => self.cast.colours[class].length(),
        }
    }

    /// The first value of something. Symmetry does not ask where a program starts.
    pub(super) fn first_value(&mut self, holds: Holds) -> Option<Expr> {
        let last = self.cast.size() - 1;
        match holds {
            Holds::Place if self.cast.nobody => Some(Expr::Number(NOBODY)),
            Holds::Place => self.dice.chance(30).then_some(Expr::Number(last)),
            Holds::Colour(class) => {
                let names = &self.cast.colours[class].names;
                Some(word(self.dice.pick(names)))
            }
            Holds::Number(_) | Holds::Part => None,
        }
    }

    pub(super) fn type_of(&self, holds: Holds) -> &'static str {
        match holds {
            Holds::Number(1) => "bit",
            Holds::Place if self.cast.naming == Naming::Number => "pid",
            Holds::Number(_) | Holds::Part | Holds::Place => "byte",
            Holds::Colour(class) => self.cast.colours[class].ty,
        }
    }

    /// An array for what is to the left of places, and one for what is to the right.
    fn sides(&mut self, number: i32) {
        let holds = Holds::Number(1);
        for (name, other) in [("left", "right"), ("right", "left")] {
            let name = format!("{name}{number}");
            let mut cell = Cell::array(&name, Index::Place, holds);
            cell.mirrored = Some(format!("{other}{number}"));
            self.declare_array(&cell);
            self.scope.cells.push(cell);
        }
    }

    fn side_mailboxes(&mut self, number: i32) {
        let field = self.some_field();
        for (name, other) in [("to_left", "to_right"), ("to_right", "to_left")] {
            let mut cell = Cell::array(&format!("{name}{number}"), Index::Place, field);
            cell.mirrored = Some(format!("{other}{number}"));
            self.keep_channel(cell, 1, vec![field]);
        }
    }

    /// A bit for each pair of places.
    fn matrix(&mut self, number: i32) {
        let size = self.cast.size();
        let row = format!("typedef Row{number} {{ bit to[{size}] }};");
        self.program.records.push(row);
        self.declare(&format!("Row{number}"), &format!("t{number}[{size}]"), None);
        self.scope.cells.push(Cell {
            parts: vec![format!("t{number}"), ".to".into(), String::new()],
            indices: vec![Index::Place, Index::Place],
            holds: Holds::Number(1),
            mirrored: None,
        });
    }

    /// What a message may carry.
    fn some_field(&mut self) -> Holds {
        let classes = self.cast.colours.len();
        let class = self.dice.below(classes.max(1));
        self.dice.weighted(&[
            (3, Holds::Place),
            (2, Holds::Number(1)),
            (2 * usize::from(classes > 0), Holds::Colour(class)),
        ])
    }

    fn queue(&mut self, number: i32) {
        let mut fields = vec![self.some_field()];
        if self.dice.chance(35) {
            fields.push(self.some_field());
        }
        let cell = Cell::simple(&format!("c{number}"), fields[0]);
        self.keep_channel(cell, 1, fields);
    }

    /// Declares channels; an array of them has one for each place.
    fn keep_channel(&mut self, cell: Cell, capacity: i32, fields: Vec<Holds>) {
        let name = match cell.indices.first() {
            Some(index) => format!("{}[{}]", cell.name(), self.length(*index)),
            None => cell.name(),
        };
        let types: Vec<&str> = fields.iter().map(|f| self.type_of(*f)).collect();
        self.program.globals.push(Declaration {
            kind: "chan".into(),
            name,
            first: None,
            channel: Some(format!("[{capacity}] of {{ {} }}", types.join(", "))),
        });
        self.scope.channels.push(Channel {
            cell,
            fields,
            buffered: capacity > 0,
        });
    }

    /// Sometimes each process is told the channel of a neighbour.
    fn link(&mut self) {
        let told = self.cast.has_init() && self.cast.arrangement.twists() == 1;
        let ways = self.cast.arrangement.ways(true);
        let total = |way: &Way| matches!(way, Way::On(_) | Way::Across(_));
        let ways: Vec<Way> = ways.into_iter().filter(total).collect();
        let arrays = self.scope.channels.iter();
        let array = arrays.map(|c| &c.cell).find(|c| !c.indices.is_empty());
        let array = array.map(Cell::name);
        if let Some(array) = array.filter(|_| told && !ways.is_empty())
            && self.dice.chance(50)
        {
            self.cast.link = Some((array, self.dice.pick(&ways)));
        }
    }
}
