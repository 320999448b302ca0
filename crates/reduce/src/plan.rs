//! Plans: how the states of one shape are seen by a canonicaliser, and how its answer is carried out.
//!
//! Which cells belong to which points, which of them hold names, which channels move with whom: all that is the same for
//! all states with the same processes and the same active domains. So it is worked out once, and what is left per
//! state are flat lists of copies and table lookups: [`Plan::read`] makes the view of a state, [`Plan::image`] applies a labelling.
//! Nothing is allocated, hashed or looked up by sort per state.
//!
//! | module | what it knows |
//! |---|---|
//! | `points` | the members of the active domains that something moves, numbered |
//! | `acting` | the group that permutes them |
//! | `coordinates` | where each cell stands: its class and its points |
//! | `keepers` | which variables keep the channel that was made for them |
//! | `values` | what values mean: tables to codes and to images |
//! | `ties` | which members of different domains belong together, and so are one point |
//! | `classes` | cells of one class, in the order of their points |
//! | `assemble` | which class becomes which part of a view |
//! | `gather`, `scatter` | the lists, and how they are followed |
//! | `alike` | which points can change places in a state |
//!
//! What cannot be expressed (a cell that belongs to three points, more points than have codes) leaves a domain out,
//! which is sound: its members are then values like any other.

mod acting;
mod alike;
mod assemble;
mod basis;
mod classes;
mod coordinates;
mod gather;
mod keepers;
mod points;
mod scatter;
mod ties;
mod values;

pub(crate) use acting::{movable, points as points_of};
pub(crate) use alike::Likeness;
pub(crate) use basis::{Basis, Main};
pub(crate) use points::{Active, Block, MAX_DOMAINS, Points};

use crate::constants::constant_cells;
use crate::held::Chain;
use classes::Class;
use coordinates::Ground;
use gather::Gather;
use mandala_canon::walk::Walk;
use mandala_canon::{MAX_POINTS, Point, Shape, View};
use mandala_encoding::Places;
use mandala_symmetry::sorts::Sort;
use mandala_symmetry::{Permutation, Renaming};
use scatter::Scatter;
use ties::{Tie, Ties};

/// How states of one shape with the same active domains are read and rearranged.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    points: Points,
    shape: Shape,
    gather: Gather,
    scatter: Scatter,
    /// In each block, which plain columns are those of the main array.
    main: Vec<Vec<usize>>,
    /// The cells that no permutation changes.
    resting: Vec<u32>,
    ties: Option<Box<Ties>>,
}

/// A domain that is not permuted though it could be, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub domain: usize,
    pub why: String,
}

impl Plan {
    /// Makes a plan for states like the given one, if there is anything to permute. Domains that had to be left out are
    /// added to the list.
    pub fn new(
        basis: &Basis<'_>,
        places: &Places,
        active: Active,
        cells: &[i64],
        left_out: &mut Vec<LeftOut>,
    ) -> Option<Plan> {
        let apart = Self::untied(basis, places, active, left_out)?;
        let constant = constant_cells(basis, places, active);
        let found = apart.find_ties(basis, places, cells, &constant);
        let ties = ties::joining(found, apart.points.blocks.len());
        Some(match ties.is_empty() {
            true => apart,
            false => Self::tied(basis, places, Ties::new(ties, apart)),
        })
    }

    /// Makes a plan that permutes every domain on its own.
    pub fn untied(
        basis: &Basis<'_>,
        places: &Places,
        active: Active,
        left_out: &mut Vec<LeftOut>,
    ) -> Option<Plan> {
        Self::of_classes(basis, places, active, |_| true, left_out)
    }

    /// Makes a plan that looks at some cells only: those classes of cells all of which are kept.
    pub fn of_some(
        basis: &Basis<'_>,
        places: &Places,
        active: Active,
        kept: &[bool],
    ) -> Option<Plan> {
        let kept = |class: &Class<'_>| class.cells.iter().all(|cell| kept[cell.at]);
        Self::of_classes(basis, places, active, kept, &mut Vec::new())
    }

    fn of_classes(
        basis: &Basis<'_>,
        places: &Places,
        mut active: Active,
        kept: impl Fn(&Class<'_>) -> bool,
        left_out: &mut Vec<LeftOut>,
    ) -> Option<Plan> {
        loop {
            let points = basis.points(places, active, left_out);
            points.blocks.first()?;
            match plan(basis, places, points, &[], &kept) {
                Ok(plan) => return Some(plan),
                Err(obstacles) => {
                    for obstacle in obstacles {
                        active &= !(1 << obstacle.domain);
                        left_out.push(obstacle);
                    }
                }
            }
        }
    }

    /// Makes a plan in which tied members are one point.
    fn tied(basis: &Basis<'_>, places: &Places, ties: Ties) -> Plan {
        let plan = plan(basis, places, ties.joined_points(), &ties.cells(), &|_| {
            true
        });
        let mut plan = plan.expect("fewer points than without ties");
        plan.ties = Some(Box::new(ties));
        plan
    }

    /// The ties in a state.
    fn find_ties(
        &self,
        basis: &Basis<'_>,
        places: &Places,
        cells: &[i64],
        constant: &[bool],
    ) -> Vec<Tie> {
        let found = coordinates::cells(basis.ground(places, &self.points, &[]));
        let meanings = values::meanings(basis.sorts, places, &self.points, &found);
        let refers = |sort| meanings.contains_key(&sort);
        let classes = classes::classes(&found.cells, &self.points, refers);
        let is_constant = |class: &&Class<'_>| class.cells.iter().all(|cell| constant[cell.at]);
        let refer = classes.iter().filter(|class| class.sort != Sort::Plain);
        let ties = refer.filter(is_constant);
        let ties = ties.filter_map(|class| Tie::of(class, &found, &self.points, cells));
        ties.filter(|tie| tie.joins_full_blocks(&self.points))
            .collect()
    }

    /// The points that the views are about.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// A walk through the group that permutes the points.
    pub fn walk(&self) -> Walk {
        let full = self.points.blocks.iter().skip(self.points.held_blocks);
        let held = self.points.held.as_ref();
        let wheels = held.map(|held| Chain::new(held).wheels());
        Walk::new(
            full.map(Block::points).collect(),
            wheels.unwrap_or_default(),
        )
    }

    /// The shape of the views.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// In each block, which plain columns are those of the main array.
    pub fn main_columns(&self) -> &[Vec<usize>] {
        &self.main
    }

    /// Prepares a state. False if the plan is not made for it, because members are not tied as in other states.
    #[inline]
    pub fn prepare(&mut self, cells: &[i64]) -> bool {
        let ties = self.ties.as_mut();
        ties.is_none_or(|ties| ties.straighten(cells))
    }

    /// Whether the state that was prepared last has been changed for that.
    #[inline]
    pub fn has_moved(&self) -> bool {
        let ties = self.ties.as_ref();
        ties.is_some_and(|ties| ties.crossing().is_some())
    }

    /// Reads a state that is prepared. False if some value has no code: then the state must be left as it is.
    #[inline]
    pub fn read(&mut self, cells: &[i64]) -> bool {
        self.gather.read(source(&self.ties, cells))
    }

    /// Finds points that are alike in the states that the plan is for.
    pub fn likeness(&self) -> Likeness {
        Likeness::new(&self.scatter, self.points.total)
    }

    /// The view of the state that was read last.
    #[inline]
    pub fn view(&self) -> View<'_> {
        self.gather.view(&self.shape)
    }

    /// The image of a state that could be read, under a labelling given as a table of positions.
    #[inline]
    pub fn image(&mut self, cells: &[i64], positions: &[Point]) -> &[i64] {
        self.scatter.image(source(&self.ties, cells), positions)
    }

    /// What the cells hold that no permutation changes.
    pub fn resting<'a>(&'a self, cells: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
        let cells = source(&self.ties, cells);
        self.resting.iter().map(|cell| cells[*cell as usize])
    }

    /// The renaming that a labelling of the state that was prepared last stands for.
    pub fn renaming(&self, positions: &[Point]) -> Renaming {
        let own = self.own_renaming(positions);
        let crossing = self.ties.as_ref().and_then(|ties| ties.crossing());
        match crossing {
            None => own,
            Some((apart, positions)) => apart.own_renaming(positions).then(&own),
        }
    }

    /// The renaming that a labelling stands for.
    fn own_renaming(&self, positions: &[Point]) -> Renaming {
        let mut processes = Vec::new();
        let mut names: Vec<Vec<(i64, i64)>> = Vec::new();
        let blocks = self.points.blocks.iter();
        for (block, part) in blocks.flat_map(|b| b.parts.iter().map(move |p| (b, p))) {
            let moves = block.points().zip(&part.members).map(|(point, member)| {
                let position = positions[point] - block.first;
                (*member, part.members[usize::from(position)])
            });
            match part.sort {
                Sort::Name(set, _) => {
                    let set = set as usize;
                    names.resize(names.len().max(set + 1), Vec::new());
                    let moves = moves.map(|(from, to)| (from - part.first, to - part.first));
                    names[set].extend(moves);
                }
                _ => processes.extend(moves),
            }
        }
        let names = names.into_iter().map(permutation);
        Renaming::new(permutation(processes), names.collect())
    }
}

/// The permutation of numbers that makes these moves.
fn permutation(moves: Vec<(i64, i64)>) -> Permutation {
    let length = moves.iter().map(|(from, _)| from + 1).max().unwrap_or(0);
    let mut images: Vec<u32> = (0..length as u32).collect();
    for (from, to) in moves {
        images[from as usize] = to as u32;
    }
    Permutation::from_images(images).expect("the members of a domain change places")
}

/// The cells that are read: those of the state, or with ties made straight.
#[inline]
fn source<'a>(ties: &'a Option<Box<Ties>>, cells: &'a [i64]) -> &'a [i64] {
    match ties {
        Some(ties) => ties.source(cells),
        None => cells,
    }
}

impl<'a> Basis<'a> {
    /// The points that are permuted. Domains that the strategy can do nothing with are added to the list.
    fn points(&self, places: &Places, active: Active, left_out: &mut Vec<LeftOut>) -> Points {
        let points = points_of(self.certificate, active, places);
        if !self.only_full {
            return points;
        }
        let held = points.blocks.iter().enumerate();
        let held = held.filter(|(number, _)| !points.is_full(*number));
        let parts = held.flat_map(|(_, block)| &block.parts);
        left_out.extend(parts.map(|part| LeftOut {
            domain: part.domain,
            why: "the strategy needs names any two of which may change places".to_string(),
        }));
        points.without_held()
    }

    fn ground<'g>(&'g self, places: &'g Places, points: &'g Points, ties: &'g [u32]) -> Ground<'g> {
        Ground {
            model: self.model,
            sorts: self.sorts,
            places,
            points,
            keepers: &self.keepers,
            ties,
        }
    }
}

/// Makes a plan for these points, or says which domains stand in the way. Cells of ties are left alone.
fn plan(
    basis: &Basis<'_>,
    places: &Places,
    points: Points,
    ties: &[u32],
    kept: &impl Fn(&Class<'_>) -> bool,
) -> Result<Plan, Vec<LeftOut>> {
    if points.total > MAX_POINTS {
        return Err(without_last(&points, "there are too many names in all"));
    }
    let found = coordinates::cells(basis.ground(places, &points, ties));
    if !found.obstacles.is_empty() {
        let obstacles = found.obstacles.into_iter();
        return Err(obstacles
            .map(|(domain, why)| LeftOut { domain, why })
            .collect());
    }
    let meanings = values::meanings(basis.sorts, places, &points, &found);
    let refers = |sort| meanings.contains_key(&sort);
    let mut classes = classes::classes(&found.cells, &points, refers);
    classes.retain(kept);
    let too_large = without_last(&points, "there are too many cells to compare");
    let assembled = assemble::assemble(points, &classes, meanings, &basis.main);
    let mut plan = assembled.map_err(|_| too_large)?;
    plan.resting = resting(places, &classes);
    Ok(plan)
}

/// The cells of packed states that are in none of the classes.
fn resting(places: &Places, classes: &[Class<'_>]) -> Vec<u32> {
    let mut resting = places.stored.clone();
    for cell in classes.iter().flat_map(|class| &class.cells) {
        resting[cell.at] = false;
    }
    let resting = resting.into_iter().enumerate();
    resting
        .filter(|(_, rests)| *rests)
        .map(|(at, _)| at as u32)
        .collect()
}

/// Leaves out the last domain.
fn without_last(points: &Points, why: &str) -> Vec<LeftOut> {
    let last = points.blocks.last();
    let left_out = last.map(|block| LeftOut {
        domain: block.parts[0].domain,
        why: why.to_string(),
    });
    left_out.into_iter().collect()
}
