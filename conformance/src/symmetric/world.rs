//! Domains of names, families of processes, and what can be named at a point of the program.

use crate::random::RandomSource;

/// A set of names that may be exchanged for each other.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// A letter for the names of its variables.
    pub(super) letter: char,
    /// The names, in order.
    pub(super) members: Vec<i32>,
    /// A value that is nobody's name.
    pub(super) nobody: i32,
    /// Whether they are process numbers.
    pub(super) numbers: bool,
}

impl Domain {
    pub(super) fn first(&self) -> i32 {
        self.members[0]
    }

    pub(super) fn last(&self) -> i32 {
        self.members[self.members.len() - 1]
    }

    /// Whether all numbers from the first to the last are names, so that one can loop over them.
    pub(super) fn is_range(&self) -> bool {
        self.last() - self.first() + 1 == self.members.len() as i32
    }

    /// The type of a variable that holds a name.
    pub(super) fn ty(&self) -> &'static str {
        match (self.numbers, self.nobody) {
            (true, _) => "pid",
            (false, ..0) => "short",
            (false, _) => "byte",
        }
    }

    /// The length of an array with an element for each name.
    pub(super) fn length(&self) -> i32 {
        self.last() + 1
    }
}

/// How the processes of a family are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Birth {
    /// `active [n]`.
    Active,
    /// `run P()`, as often as needed.
    Run,
    /// `run P(i)`: each is told its name.
    Named,
}

/// Processes that differ in nothing but their names.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) birth: Birth,
    /// How many there are.
    pub(super) size: usize,
    /// What its members call themselves: a domain and an expression.
    pub(super) selves: Vec<(usize, &'static str)>,
    /// The label of its loop.
    pub(super) label: &'static str,
    /// A channel that each member is told when it is made.
    pub(super) link: Option<Link>,
}

/// Where a process gets a channel from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Its element of an array of that name.
    Element(String),
    /// A variable of its own; this and a number from 0 on.
    Singles(String),
}

/// The cast of a program.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) domains: Vec<Domain>,
    pub(super) families: Vec<Family>,
    /// Whether a process of another kind takes part.
    pub(super) outsider: bool,
    /// Whether `init` makes the two families in turns.
    pub(super) in_turns: bool,
}

impl World {
    pub(super) fn random(dice: &mut RandomSource) -> World {
        let births = [(3, Birth::Active), (3, Birth::Run), (4, Birth::Named)];
        let birth = dice.weighted(&births);
        let mut world = World {
            domains: Vec::new(),
            families: Vec::new(),
            outsider: dice.chance(40),
            in_turns: dice.chance(30),
        };
        let two = dice.chance(35);
        let sizes = [(4, 2), (if two { 1 } else { 5 }, 3), (usize::from(!two), 4)];
        let size = dice.weighted(&sizes);
        world.add_family("P", birth, size, dice);
        if two {
            world.add_second(birth, size, dice);
        }
        world.number_processes(dice);
        if dice.chance(20) {
            world.add_names(dice.between(2, 3) as usize, dice);
        }
        world
    }

    fn add_family(
        &mut self,
        name: &'static str,
        birth: Birth,
        size: usize,
        dice: &mut RandomSource,
    ) {
        let mut selves = Vec::new();
        if birth == Birth::Named {
            selves.push((self.add_names(size, dice), "me"));
        }
        self.families.push(Family {
            name,
            birth,
            size,
            selves,
            label: dice.pick(&["again", "again", "end"]),
            link: None,
        });
    }

    /// A second family; it may have the names of the first.
    fn add_second(&mut self, birth: Birth, size: usize, dice: &mut RandomSource) {
        if birth == Birth::Named && dice.chance(50) {
            let selves = self.families[0].selves.clone();
            self.families.push(Family {
                name: "Q",
                birth,
                size,
                selves,
                label: "again",
                link: None,
            });
            return;
        }
        let births = match birth {
            Birth::Active => [Birth::Active; 2],
            _ => [Birth::Run, Birth::Named],
        };
        let birth = dice.pick(&births);
        let size = dice.weighted(&[(3, 2), (1, 3)]);
        self.add_family("Q", birth, size, dice);
    }

    /// Adds a domain of plain values.
    fn add_names(&mut self, size: usize, dice: &mut RandomSource) -> usize {
        let first = dice.weighted(&[(3, 0), (3, 1), (1, 2)]);
        let members: Vec<i32> = (first..first + size as i32).collect();
        self.add_domain(members, false, dice)
    }

    fn add_domain(&mut self, members: Vec<i32>, numbers: bool, dice: &mut RandomSource) -> usize {
        // Nobody is 0 only where 0 is free, and 255 or the next number elsewhere.
        let free = usize::from(members[0] > 0);
        let last = members[members.len() - 1];
        let plain = usize::from(!numbers);
        let nobody = dice.weighted(&[(3 * free, 0), (3, 255), (plain, last + 1), (plain, -1)]);
        self.domains.push(Domain {
            letter: char::from(b'a' + self.domains.len() as u8),
            members,
            nobody,
            numbers,
        });
        self.domains.len() - 1
    }

    /// Gives each family that uses process numbers a domain of them.
    fn number_processes(&mut self, dice: &mut RandomSource) {
        let numbers = self.numbers();
        for (family, numbers) in numbers.into_iter().enumerate() {
            let named = self.families[family].birth == Birth::Named;
            if !named || dice.chance(25) {
                let domain = self.add_domain(numbers, true, dice);
                self.families[family].selves.push((domain, "_pid"));
            }
        }
    }

    /// The numbers of the processes of each family.
    fn numbers(&self) -> Vec<Vec<i32>> {
        let mut next = i32::from(self.has_init()) + i32::from(self.outsider);
        if self.takes_turns() {
            let size = self.families[0].size as i32;
            let of = |offset: i32| (0..size).map(|n| next + 2 * n + offset).collect();
            return vec![of(0), of(1)];
        }
        let mut numbers = Vec::new();
        for family in &self.families {
            let end = next + family.size as i32;
            numbers.push((next..end).collect());
            next = end;
        }
        numbers
    }

    /// Whether processes are made by `init`.
    pub(super) fn has_init(&self) -> bool {
        self.families[0].birth != Birth::Active
    }

    /// Whether the families are made in turns.
    pub(super) fn takes_turns(&self) -> bool {
        let sizes: Vec<usize> = self.families.iter().map(|f| f.size).collect();
        self.in_turns && self.has_init() && sizes.len() == 2 && sizes[0] == sizes[1]
    }
}

/// What a cell or a field of a message holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A number from 0 to this.
    Number(i32),
    /// A name of a domain, or nobody.
    Id(usize),
    /// A reference to a channel whose messages are names of that domain.
    Link(usize),
    /// One of two words.
    Word,
}

/// A variable or the elements of an array.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The text between the indices: one more than there are of them.
    pub(super) parts: Vec<String>,
    /// By what it is indexed, and the number that is taken off the name for that.
    pub(super) indices: Vec<(usize, i32)>,
    pub(super) holds: Holds,
}

impl Cell {
    pub(super) fn simple(name: &str, holds: Holds) -> Cell {
        Cell {
            parts: vec![name.into()],
            indices: Vec::new(),
            holds,
        }
    }

    pub(super) fn array(name: &str, domain: usize, base: i32, holds: Holds) -> Cell {
        Cell {
            parts: vec![name.into(), String::new()],
            indices: vec![(domain, base)],
            holds,
        }
    }

    /// The text with these indices.
    pub(super) fn at(&self, indices: &[String]) -> String {
        let mut text = self.parts[0].clone();
        for (index, part) in indices.iter().zip(&self.parts[1..]) {
            text.push_str(&format!("[{index}]{part}"));
        }
        text
    }
}

/// A channel or an array of channels.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) cell: Cell,
    pub(super) fields: Vec<Holds>,
    pub(super) buffered: bool,
}

/// What can be named at a point of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) cells: Vec<Cell>,
    pub(super) channels: Vec<Channel>,
    /// What the process calls itself.
    pub(super) selves: Vec<(usize, String)>,
    /// The variable that loops count with.
    pub(super) counter: String,
    /// Whether the counter is no part of the state.
    pub(super) hidden_counter: bool,
}
