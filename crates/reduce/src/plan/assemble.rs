//! Puts a plan together: which class of cells becomes which columns of a view, and the lists that follow from it.

use super::classes::Class;
use super::coordinates::{Cell, Step};
use super::gather::{Copy, Gather, Into, Lookup};
use super::points::{Block, Points};
use super::scatter::{Matrix, Rename, Rows, Scatter};
use super::values::{Codes, Meaning, Renamed};
use super::{Main, Plan};
use mandala_canon::{Entry, PointDomain, Relation, Shape, ShapeError};
use mandala_symmetry::sorts::Sort;
use std::collections::BTreeMap;

/// Where the numbers of a column come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The value itself.
    Value,
    /// The upper half of a wide value.
    High,
    /// What a table says: numbers that stand for no points.
    Number(usize),
    /// What a table says: codes of points.
    Code(usize),
}

/// A column of a view, a matrix or a shared cell, before it has its place.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    class: &'a Class<'a>,
    source: Source,
}

/// The tables of a sort.
#[derive(Clone, Debug)]
struct Tables {
    codes: Vec<usize>,
    which: Option<usize>,
    renamed: usize,
}

/// A cell and the slot that it is read into.
struct Read<'a> {
    cell: &'a Cell,
    slot: usize,
    source: Source,
    into: Into,
}

/// All parts of a view.
#[derive(Debug, Default)]
struct Parts<'a> {
    /// By block.
    plain: Vec<Vec<Part<'a>>>,
    /// By block.
    references: Vec<Vec<Part<'a>>>,
    shared: Vec<Part<'a>>,
    relations: Vec<Part<'a>>,
}

/// Makes a plan of classes of cells.
pub(super) fn assemble(
    points: Points,
    classes: &[Class<'_>],
    meanings: BTreeMap<Sort, Meaning>,
    main: &[Option<Main>],
) -> Result<Plan, ShapeError> {
    let (ids, tables, renamed) = number_tables(meanings);
    let parts = Parts::of(&points, classes, &ids);
    let shape = parts.shape(&points)?;
    let reads = parts.reads(&points, &shape);
    Ok(Plan {
        gather: gather(&shape, &reads, tables),
        scatter: scatter(&points, classes, &ids, renamed),
        main: parts.main_columns(&points, main),
        points,
        shape,
        resting: Vec::new(),
        ties: None,
    })
}

fn number_tables(
    meanings: BTreeMap<Sort, Meaning>,
) -> (BTreeMap<Sort, Tables>, Vec<Codes>, Vec<Renamed>) {
    let (mut codes, mut renamed) = (Vec::new(), Vec::new());
    let mut ids = BTreeMap::new();
    for (sort, meaning) in meanings {
        let first = codes.len();
        codes.extend(meaning.codes);
        let points = (first..codes.len()).collect();
        let which = meaning.which.map(|table| {
            codes.push(table);
            codes.len() - 1
        });
        let tables = Tables {
            codes: points,
            which,
            renamed: renamed.len(),
        };
        renamed.push(meaning.renamed);
        ids.insert(sort, tables);
    }
    (ids, codes, renamed)
}

/// What is to be known of the cells of a class.
fn sources(class: &Class<'_>, ids: &BTreeMap<Sort, Tables>) -> Vec<Source> {
    match ids.get(&class.sort) {
        Some(tables) => {
            let codes = tables.codes.iter().copied().map(Source::Code);
            codes.chain(tables.which.map(Source::Number)).collect()
        }
        None if class.wide => vec![Source::Value, Source::High],
        None => vec![Source::Value],
    }
}

impl<'a> Parts<'a> {
    fn of(points: &Points, classes: &'a [Class<'a>], ids: &BTreeMap<Sort, Tables>) -> Self {
        let mut parts = Parts {
            plain: vec![Vec::new(); points.blocks.len()],
            references: vec![Vec::new(); points.blocks.len()],
            ..Parts::default()
        };
        for class in classes {
            for source in sources(class, ids) {
                parts.push(Part { class, source });
            }
        }
        parts
    }

    fn push(&mut self, part: Part<'a>) {
        match (part.class.blocks.as_slice(), part.source) {
            // Which channel of its point a shared cell means is the same in all images of a state.
            ([], Source::Code(_)) => self.shared.push(part),
            ([], _) => {}
            ([block], Source::Code(_)) => self.references[*block].push(part),
            ([block], _) => self.plain[*block].push(part),
            _ => self.relations.push(part),
        }
    }

    /// Which plain columns of each block are those of its main array.
    fn main_columns(&self, points: &Points, main: &[Option<Main>]) -> Vec<Vec<usize>> {
        let blocks = self.plain.iter().zip(&points.blocks);
        blocks
            .map(|(columns, block)| main_columns(columns, block, main))
            .collect()
    }

    fn shape(&self, points: &Points) -> Result<Shape, ShapeError> {
        let widths = self.plain.iter().zip(&self.references);
        let domains = widths
            .zip(&points.blocks)
            .map(|((plain, references), block)| PointDomain {
                points: block.size(),
                plain: plain.len(),
                references: references.len(),
            });
        let relations = self.relations.iter().map(|part| Relation {
            rows: part.class.blocks[0],
            columns: part.class.blocks[1],
            entries: match part.source {
                Source::Code(_) => Entry::Point,
                _ => Entry::Number,
            },
        });
        let (domains, relations): (Vec<_>, Vec<_>) = (domains.collect(), relations.collect());
        Shape::new(&domains, self.shared.len(), &relations)
    }

    /// What is read into each slot, slot after slot.
    fn reads(&self, points: &Points, shape: &Shape) -> Vec<Read<'a>> {
        let mut reads = Vec::new();
        rows(points, &self.plain, Into::Numbers, &mut reads);
        rows(points, &self.references, Into::Codes, &mut reads);
        let mut number = shape.plain_cells()..;
        for part in &self.relations {
            part.read_all(Into::Numbers, &mut number, &mut reads);
        }
        let mut code = shape.reference_cells()..;
        for part in &self.shared {
            part.read_all(Into::Codes, &mut code, &mut reads);
        }
        reads
    }
}

/// Where several domains are permuted together, the best of their main arrays is taken; of control locations, all.
fn main_columns(columns: &[Part<'_>], block: &Block, main: &[Option<Main>]) -> Vec<usize> {
    let of_domain = |domain: usize| main.get(domain).copied().flatten();
    let mains = || {
        block
            .parts
            .iter()
            .map(|part| of_domain(part.domain))
            .enumerate()
    };
    let best = mains().filter_map(|(_, main)| main).map(Main::rank).min();
    let is_main = |column: &Part<'_>| {
        let leads = |(part, main): (usize, Option<Main>)| {
            main.is_some_and(|m| Some(m.rank()) == best && m.leads(part, column.class.steps))
        };
        matches!(column.source, Source::Value) && mains().any(leads)
    };
    let columns = columns.iter().enumerate().filter(|(_, c)| is_main(c));
    columns.map(|(index, _)| index).collect()
}

/// Reads the columns of all blocks, point after point.
fn rows<'a>(points: &Points, columns: &[Vec<Part<'a>>], into: Into, reads: &mut Vec<Read<'a>>) {
    let mut slot = 0..;
    for (columns, block) in columns.iter().zip(&points.blocks) {
        for offset in 0..block.size() {
            for part in columns {
                reads.extend(part.read(offset, into, &mut slot));
            }
        }
    }
}

impl<'a> Part<'a> {
    fn read(
        &self,
        offset: usize,
        into: Into,
        slots: &mut impl Iterator<Item = usize>,
    ) -> Option<Read<'a>> {
        Some(Read {
            cell: self.class.cells[offset],
            slot: slots.next()?,
            source: self.source,
            into,
        })
    }

    fn read_all(
        &self,
        into: Into,
        slots: &mut impl Iterator<Item = usize>,
        reads: &mut Vec<Read<'a>>,
    ) {
        for offset in 0..self.class.cells.len() {
            reads.extend(self.read(offset, into, slots));
        }
    }
}

/// Cells of messages are grouped by their channel, the number of messages of which says how many are there.
fn bounded_by(cell: &Cell) -> Option<u32> {
    cell.message.map(|(count, _)| count as u32)
}

fn gather(shape: &Shape, reads: &[Read<'_>], tables: Vec<Codes>) -> Gather {
    let numbers = reads.iter().filter(|read| read.into == Into::Numbers);
    let mut sources: Vec<(usize, u32)> = numbers.map(|r| (r.slot, r.cell.at as u32)).collect();
    sources.sort_unstable();
    let high = reads.iter().filter(|r| matches!(r.source, Source::High));
    let high = high.map(|read| read.copy()).collect();
    let sources = sources.into_iter().map(|(_, cell)| cell).collect();
    Gather::new(shape, sources, high, lookups(reads), tables)
}

impl Read<'_> {
    fn copy(&self) -> Copy {
        Copy {
            cell: self.cell.at as u32,
            slot: self.slot as u32,
        }
    }
}

fn lookups(reads: &[Read<'_>]) -> Vec<Lookup> {
    let mut groups: BTreeMap<_, Vec<&Read<'_>>> = BTreeMap::new();
    for read in reads {
        if let Source::Code(table) | Source::Number(table) = read.source {
            let key = (table, read.into, bounded_by(read.cell));
            groups.entry(key).or_default().push(read);
        }
    }
    let lookup = |((table, into, count), mut reads): (_, Vec<&Read<'_>>)| {
        reads.sort_by_key(|read| (read.cell.message, read.cell.at));
        Lookup {
            table,
            into,
            count,
            per_message: of_first_message(reads.iter().map(|read| read.cell)),
            copies: reads.into_iter().map(Read::copy).collect(),
        }
    };
    groups.into_iter().map(lookup).collect()
}

/// How many of the cells belong to the first message.
fn of_first_message<'a>(cells: impl Iterator<Item = &'a Cell>) -> usize {
    cells
        .filter(|cell| cell.message.is_some_and(|(_, index)| index == 0))
        .count()
}

fn scatter(
    points: &Points,
    classes: &[Class<'_>],
    ids: &BTreeMap<Sort, Tables>,
    renamed: Vec<Renamed>,
) -> Scatter {
    let blocks = 0..points.blocks.len();
    let rows = blocks.map(|block| moving_rows(points, classes, block));
    let matrices = classes.iter().filter(|class| class.blocks.len() == 2);
    let matrices = matrices.map(|class| Matrix {
        first_row: points.blocks[class.blocks[0]].first,
        first_column: points.blocks[class.blocks[1]].first,
        columns: points.blocks[class.blocks[1]].size(),
        cells: class.cells.iter().map(|cell| cell.at as u32).collect(),
    });
    Scatter::new(
        rows.collect(),
        matrices.collect(),
        renames(classes, ids),
        renamed,
    )
}

fn moving_rows(points: &Points, classes: &[Class<'_>], block: usize) -> Rows {
    let columns: Vec<_> = classes.iter().filter(|c| c.blocks == [block]).collect();
    let offsets = 0..points.blocks[block].size();
    let row = |offset: usize| columns.iter().map(move |c| c.cells[offset].at as u32);
    Rows {
        first: points.blocks[block].first,
        width: columns.len(),
        cells: offsets.flat_map(row).collect(),
    }
}

fn renames(classes: &[Class<'_>], ids: &BTreeMap<Sort, Tables>) -> Vec<Rename> {
    let mut groups: BTreeMap<_, Vec<&Cell>> = BTreeMap::new();
    for class in classes {
        if let Some(tables) = ids.get(&class.sort) {
            for cell in &class.cells {
                let key = (tables.renamed, bounded_by(cell));
                groups.entry(key).or_default().push(cell);
            }
        }
    }
    let rename = |((renamed, count), mut cells): (_, Vec<&Cell>)| {
        cells.sort_by_key(|cell| (cell.message, cell.at));
        Rename {
            renamed,
            count,
            per_message: of_first_message(cells.iter().copied()),
            cells: cells.iter().map(|cell| cell.at as u32).collect(),
        }
    };
    groups.into_iter().map(rename).collect()
}

impl Main {
    /// The smaller, the better it tells points apart.
    fn rank(self) -> u8 {
        match self {
            Main::Global(_) => 0,
            Main::Local(_) => 1,
            Main::Locations => 2,
        }
    }

    /// Whether cells of a class belong to the main array of that part of a block.
    fn leads(self, part: usize, steps: &[Step]) -> bool {
        match (self, steps) {
            (Main::Locations, [Step::Point(_, of), Step::Location]) => part == *of,
            (Main::Local(local), [Step::Point(_, of), Step::Local(found), ..]) => {
                part == *of && local == *found
            }
            (Main::Global(global), [Step::Global(found), ..]) => global == *found,
            _ => false,
        }
    }
}
