//! Plans: how the states of one shape are seen by a canonicaliser, and how its answer is carried out.
//!
//! Which cells belong to which points, which of them hold names, which channels move with whom: all that is the same for
//! all states with the same processes and the same active domains. So it is worked out once, and what is left per
//! state are flat lists of copies and table lookups: [`Plan::read`] makes the view of a state, [`Plan::image`] applies a labelling.
//! Nothing is allocated, hashed or looked up by sort per state.
//!
//! | module | what it knows |
//! |---|---|
//! | `points` | the members of the active domains, numbered |
//! | `coordinates` | where each cell stands: its class and its points |
//! | `keepers` | which variables keep the channel that was made for them |
//! | `values` | what values mean: tables to codes and to images |
//! | `classes` | cells of one class, in the order of their points |
//! | `assemble` | which class becomes which part of a view |
//! | `gather`, `scatter` | the lists, and how they are followed |
//!
//! What cannot be expressed (a cell that belongs to three points, more points than a byte counts) leaves a domain out,
//! which is sound: its members are then values like any other.

mod assemble;
mod classes;
mod coordinates;
mod gather;
mod keepers;
mod points;
mod scatter;
mod values;

pub(crate) use keepers::Keepers;
pub(crate) use points::{Active, MAX_DOMAINS, Points};

use coordinates::Ground;
use gather::Gather;
use mandala_canon::{MAX_POINTS, Shape, View};
use mandala_encoding::Places;
use mandala_model::Model;
use mandala_symmetry::sorts::{Sort, Sorts};
use mandala_symmetry::{Certificate, Domain, Permutation, Renaming};
use scatter::Scatter;

/// The array by which strategies of SymmSpin sort the points of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Main {
    /// The control locations of the processes.
    Locations,
    /// A local variable of the processes.
    Local(usize),
    /// A global array.
    Global(usize),
}

/// What plans are made from.
#[derive(Clone, Debug)]
pub(crate) struct Basis<'a> {
    pub model: &'a Model,
    pub sorts: &'a Sorts,
    pub domains: &'a [Domain],
    /// The main array of each domain, if the strategy wants one.
    pub main: Vec<Option<Main>>,
    /// Variables that need not be looked at, as they keep their channels.
    pub keepers: Keepers,
}

impl<'a> Basis<'a> {
    /// The basis that a certificate gives, without main arrays.
    pub fn new(model: &'a Model, certificate: &'a Certificate) -> Self {
        Basis {
            model,
            sorts: certificate.sorts(),
            domains: certificate.domains(),
            main: Vec::new(),
            keepers: Keepers::of(model),
        }
    }
}

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
}

/// A domain that is not permuted though it could be, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub domain: usize,
    pub why: String,
}

impl Plan {
    /// Makes a plan, if there is anything to permute. Domains that had to be left out are added to the list.
    pub fn new(
        basis: &Basis<'_>,
        places: &Places,
        active: Active,
        left_out: &mut Vec<LeftOut>,
    ) -> Option<Plan> {
        Self::make(basis, places, active, None, left_out)
    }

    /// Makes a plan that looks at some cells only: those classes of cells all of which are kept.
    pub fn of_some(
        basis: &Basis<'_>,
        places: &Places,
        active: Active,
        kept: &[bool],
    ) -> Option<Plan> {
        Self::make(basis, places, active, Some(kept), &mut Vec::new())
    }

    fn make(
        basis: &Basis<'_>,
        places: &Places,
        mut active: Active,
        kept: Option<&[bool]>,
        left_out: &mut Vec<LeftOut>,
    ) -> Option<Plan> {
        loop {
            let points = Points::new(basis.domains, active, places);
            points.blocks.first()?;
            match plan(basis, places, points, kept) {
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

    /// The shape of the views.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// In each block, which plain columns are those of the main array.
    pub fn main_columns(&self) -> &[Vec<usize>] {
        &self.main
    }

    /// Reads a state. False if some value has no code: then the state must be left as it is.
    #[inline]
    pub fn read(&mut self, cells: &[i64]) -> bool {
        self.gather.read(cells)
    }

    /// The view of the state that was read last.
    #[inline]
    pub fn view(&self) -> View<'_> {
        self.gather.view(&self.shape)
    }

    /// The image of a state that could be read, under a labelling given as a table of positions.
    #[inline]
    pub fn image(&mut self, cells: &[i64], positions: &[u8; 256]) -> &[i64] {
        self.scatter.image(cells, positions)
    }

    /// What the cells hold that no permutation changes.
    pub fn resting(&self, cells: &[i64]) -> impl Iterator<Item = i64> {
        self.resting.iter().map(|cell| cells[*cell as usize])
    }

    /// The renaming that a labelling stands for.
    pub fn renaming(&self, positions: &[u8]) -> Renaming {
        let mut processes = Vec::new();
        let mut names = Vec::new();
        for block in &self.points.blocks {
            let moves = block.points().map(|point| {
                let position = positions[point] - block.first;
                let member = block.members[point - usize::from(block.first)];
                (member, block.members[usize::from(position)])
            });
            match block.sort {
                Sort::Name(set, _) => {
                    let first = block.members[0];
                    let moves = moves.map(|(from, to)| (from - first, to - first));
                    names.push((set as usize, moves.collect()));
                }
                _ => processes.extend(moves),
            }
        }
        let sets = names.iter().map(|(set, _)| set + 1).max().unwrap_or(0);
        let mut permutations = vec![Permutation::identity(); sets];
        for (set, moves) in names {
            permutations[set] = permutation(moves);
        }
        Renaming::new(permutation(processes), permutations)
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

/// Makes a plan for these points, or says which domains stand in the way.
fn plan(
    basis: &Basis<'_>,
    places: &Places,
    points: Points,
    kept: Option<&[bool]>,
) -> Result<Plan, Vec<LeftOut>> {
    if points.total > MAX_POINTS {
        return Err(without_last(&points, "there are too many names in all"));
    }
    let ground = Ground {
        model: basis.model,
        sorts: basis.sorts,
        places,
        points: &points,
        keepers: &basis.keepers,
    };
    let found = coordinates::cells(ground);
    if !found.obstacles.is_empty() {
        let obstacles = found.obstacles.into_iter();
        return Err(obstacles.map(|(domain, why)| LeftOut { domain, why }).collect());
    }
    let meanings = values::meanings(basis.sorts, places, &points, &found);
    let refers = |sort| meanings.contains_key(&sort);
    let mut classes = classes::classes(&found.cells, &points, refers);
    if let Some(kept) = kept {
        classes.retain(|class| class.cells.iter().all(|cell| kept[cell.at]));
    }
    let too_large = without_last(&points, "there are too many cells to compare");
    let mut plan =
        assemble::assemble(points, &classes, meanings, &basis.main).map_err(|_| too_large)?;
    plan.resting = resting(places, &classes);
    Ok(plan)
}

/// The cells of packed states that are in none of the classes.
fn resting(places: &Places, classes: &[classes::Class<'_>]) -> Vec<u32> {
    let mut resting = places.stored.clone();
    for cell in classes.iter().flat_map(|class| &class.cells) {
        resting[cell.at] = false;
    }
    let resting = resting.into_iter().enumerate();
    resting.filter(|(_, rests)| *rests).map(|(at, _)| at as u32).collect()
}

/// Leaves out the last domain.
fn without_last(points: &Points, why: &str) -> Vec<LeftOut> {
    let last = points.blocks.last();
    let left_out = last.map(|block| LeftOut {
        domain: block.domain,
        why: why.to_string(),
    });
    left_out.into_iter().collect()
}
