//! From the cells of a state to its view: flat lists of what goes where, followed in order.

use super::values::{Codes, ODD};
use mandala_canon::{Point, Shape, View, absent};

/// A cell and where what it holds goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    pub cell: u32,
    pub slot: u32,
}

/// Which half of a view codes go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Into {
    /// References of points and shared references.
    Codes,
    /// Plain cells and relations.
    Numbers,
}

/// Cells whose values are looked up in one table.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub table: usize,
    pub into: Into,
    /// For cells of messages, the cell with the number of messages.
    pub count: Option<u32>,
    /// How many of the copies belong to one message.
    pub per_message: usize,
    pub copies: Vec<Copy>,
}

/// Fills views.
#[derive(Clone, Debug)]
pub(crate) struct Gather {
    /// For each plain slot and each entry of a relation, the cell that it is read from.
    pub sources: Vec<u32>,
    /// What needs the upper half of a wide cell.
    pub high: Vec<Copy>,
    pub lookups: Vec<Lookup>,
    pub tables: Vec<Codes>,
    /// Plain cells first, then relations.
    numbers: Vec<u32>,
    plain: usize,
    /// References of points first, then shared ones.
    codes: Vec<Point>,
    /// The code of what is not there.
    absent: Point,
    references: usize,
    has_messages: bool,
}

impl Gather {
    pub fn new(
        shape: &Shape,
        sources: Vec<u32>,
        high: Vec<Copy>,
        lookups: Vec<Lookup>,
        tables: Vec<Codes>,
    ) -> Self {
        Gather {
            absent: absent(shape.points()),
            numbers: vec![0; sources.len()],
            plain: shape.plain_cells(),
            codes: vec![absent(shape.points()); shape.reference_cells() + shape.shared_cells()],
            references: shape.reference_cells(),
            has_messages: lookups.iter().any(|lookup| lookup.count.is_some()),
            sources,
            high,
            lookups,
            tables,
        }
    }

    /// Reads a state. False if some value has no code and gets none.
    #[inline]
    pub fn read(&mut self, cells: &[i64]) -> bool {
        self.read_known(cells) || (self.learn(cells) && self.read_known(cells))
    }

    /// Gives codes to values that have none. Says whether there was one.
    #[cold]
    fn learn(&mut self, cells: &[i64]) -> bool {
        let mut learnt = false;
        for lookup in &self.lookups {
            let table = &mut self.tables[lookup.table];
            for copy in live(&lookup.copies, lookup.count, lookup.per_message, cells) {
                learnt |= table.learn(cells[copy.cell as usize]);
            }
        }
        learnt
    }

    #[inline]
    fn read_known(&mut self, cells: &[i64]) -> bool {
        for (number, source) in self.numbers.iter_mut().zip(&self.sources) {
            *number = cells[*source as usize] as u32;
        }
        for copy in &self.high {
            self.numbers[copy.slot as usize] = (cells[copy.cell as usize] >> 32) as u32;
        }
        if self.has_messages {
            self.forget_messages();
        }
        let mut odd = 0;
        for lookup in &self.lookups {
            let table = &self.tables[lookup.table];
            let copies = live(&lookup.copies, lookup.count, lookup.per_message, cells);
            odd |= match lookup.into {
                Into::Codes => look_up(table, copies, cells, &mut self.codes),
                Into::Numbers => look_up_numbers(table, copies, cells, &mut self.numbers),
            };
        }
        odd & ODD == 0
    }

    /// Every message is absent until it is found to be there.
    fn forget_messages(&mut self) {
        self.codes.fill(self.absent);
        for lookup in &self.lookups {
            if lookup.count.is_some() && lookup.into == Into::Numbers {
                for copy in &lookup.copies {
                    self.numbers[copy.slot as usize] = u32::from(self.absent);
                }
            }
        }
    }

    /// The view of the state that was read last.
    #[inline]
    pub fn view(&self, shape: &Shape) -> View<'_> {
        let (plain, relations) = self.numbers.split_at(self.plain);
        let (references, shared) = self.codes.split_at(self.references);
        View::new(shape, plain, references, shared, relations).expect("made for the shape")
    }
}

/// Those copies that are there: all, or those of the messages that a channel holds.
#[inline]
pub(crate) fn live<'a, T>(
    items: &'a [T],
    count: Option<u32>,
    per_message: usize,
    cells: &[i64],
) -> &'a [T] {
    match count {
        None => items,
        Some(count) => &items[..cells[count as usize] as usize * per_message],
    }
}

#[inline]
fn look_up(table: &Codes, copies: &[Copy], cells: &[i64], codes: &mut [Point]) -> u16 {
    let mut odd = 0;
    for copy in copies {
        let code = table.get(cells[copy.cell as usize]);
        odd |= code;
        codes[copy.slot as usize] = code;
    }
    odd
}

#[inline]
fn look_up_numbers(table: &Codes, copies: &[Copy], cells: &[i64], numbers: &mut [u32]) -> u16 {
    let mut odd = 0;
    for copy in copies {
        let code = table.get(cells[copy.cell as usize]);
        odd |= code;
        numbers[copy.slot as usize] = u32::from(code);
    }
    odd
}
