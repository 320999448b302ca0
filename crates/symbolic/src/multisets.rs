//! Elements without an order (multisets).
//!
//! States that differ in nothing but the order of such elements are one state. So wherever a step leads, the elements are sorted: neighbours
//! change places where that makes the state smaller, in all states of a set at once, until none is left. And a step that
//! does nothing but rearrange them has changed nothing.

use crate::attempt::{Attempt, Context, Path};
use crate::diagrams::{Bdd, Made, without};
use crate::moves::Move;
use crate::number::Number;
use crate::relation::changes_something;
use crate::stop::CellId;
use oxidd::BooleanFunction;

/// The cells of elements without an order, element by element.
struct BagCells {
    elements: Vec<Vec<CellId>>,
}

/// Where a step has changed more than the order of elements.
pub(crate) struct Changes {
    /// It has for sure.
    pub certain: Bdd,
    /// It may have.
    pub doubtful: Bdd,
}

fn bags(context: Context<'_>) -> Vec<BagCells> {
    let Context { model, layout, .. } = context;
    let cells = |bag: mandala_model::symmetry::Bag| {
        let base = model.cell_offset(&model.globals, bag.array.index()) + bag.start;
        let element = |number: usize| {
            let first = base + number * bag.size;
            (first..first + bag.size).map(CellId).collect()
        };
        BagCells {
            elements: (0..bag.count).map(element).collect(),
        }
    };
    let bags = model.bags().into_iter().map(cells);
    // What is never written stays in the order in which it is.
    let changes = |bag: &BagCells| {
        let mut cells = bag.elements.iter().flatten();
        cells.any(|cell| layout.fixed(*cell).is_none())
    };
    bags.filter(changes).collect()
}

/// The exchanges of neighbours.
pub(crate) fn exchanges(context: Context<'_>) -> Made<Vec<Move>> {
    let mut all = Vec::new();
    for bag in bags(context) {
        for pair in bag.elements.windows(2) {
            let cells = pair[0].iter().copied().zip(pair[1].iter().copied());
            all.push(Move::exchange(context, cells)?);
        }
    }
    Ok(all)
}

/// Where a step that has come to its end has changed something other than the order of elements.
pub(crate) fn changes(context: Context<'_>, done: &Path) -> Made<Changes> {
    let bags = bags(context);
    let is_inside = |cell: CellId| {
        let mut elements = bags.iter().flat_map(|bag| &bag.elements);
        elements.any(|element| element.contains(&cell))
    };
    let mut certain = changes_something(context, done, |cell| !is_inside(cell))?;
    let inside = changes_something(context, done, is_inside)?;
    for bag in &bags {
        certain = certain.or(&differs(context, done, bag)?.and(&inside)?)?;
    }
    Ok(Changes {
        doubtful: without(&inside, &certain)?,
        certain,
    })
}

/// Where the elements are not the same, in any order, because some bit is set in more or fewer of them than before.
fn differs(context: Context<'_>, done: &Path, bag: &BagCells) -> Made<Bdd> {
    let Context { d, layout, .. } = context;
    let asking = Attempt::new(context, 0);
    let mut differs = d.no.clone();
    for cell in 0..bag.elements.first().map_or(0, Vec::len) {
        let cells = || bag.elements.iter().map(|element| element[cell]);
        let before: Vec<Number> = cells().map(|cell| layout.value(d, cell)).collect();
        let after: Vec<Number> = cells().map(|cell| asking.cell(done, cell)).collect();
        let width = before.iter().chain(&after).map(Number::width).max();
        for bit in 0..width.unwrap_or(0) {
            let (old, new) = (ones(context, &before, bit)?, ones(context, &after, bit)?);
            differs = differs.or(&old.equals(d, &new)?.not()?)?;
        }
    }
    Ok(differs)
}

/// In how many numbers a bit is set.
fn ones(context: Context<'_>, numbers: &[Number], bit: usize) -> Made<Number> {
    let d = context.d;
    let mut sum = Number::constant(d, 0);
    for number in numbers {
        sum = sum.plus(d, &Number::truth(d, number.bit(bit).clone()))?;
    }
    Ok(sum)
}
