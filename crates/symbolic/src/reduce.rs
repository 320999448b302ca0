//! One state, or few, for all that differ in names alone: for whole sets at once.
//!
//! - *Dynamic* (SVISS): where exchanging two neighbours makes a state smaller, it is replaced by what the exchange makes of it, until
//!   nothing gets smaller: bubble sort, of all states of a set at once. There is one representative of each orbit if no
//!   process or element holds the names of others; else there may be several.
//! - *Multiple representatives* (SYMM): the same with exchanges of each one with the first. There are several, but fewer exchanges.
//! - *IbSINC* (RED): each two processes change places if the pointers between processes say so (`ibsinc`).
//! - *Orbit relation*: all images of each state, of which the smallest is left (`orbits`).
//! - *On the fly* (RuleBase): what is symmetric to something that is known is not new.
//!
//! States are compared cell by cell, in the order of the diagrams. Each comparison looks only at states that are the same so far: a
//! comparison of all cells at once, of all states there could be, is a diagram that is exponential in the size of a process.

use crate::attempt::Context;
use crate::cells::CellId;
use crate::diagrams::{Bdd, Made, without};
use crate::ibsinc;
use crate::moves::Move;
use crate::number::Number;
use crate::orbits;
use crate::outcome::{Manner, Reduction, Stop};
use mandala_model::State;
use mandala_symmetry::{Certificate, Renaming};
use oxidd::BooleanFunction;

/// Groups that are not full are taken if they have no more elements than that.
const MOST_ELEMENTS: usize = 64;

/// What a move does to one cell.
struct Comparison {
    /// Where it holds less afterwards.
    smaller: Bdd,
    /// Where it holds the same.
    same: Bdd,
}

/// Finds representatives.
pub(crate) struct Reducer<'a> {
    context: Context<'a>,
    manner: Manner,
    /// What makes states smaller.
    moves: Vec<Move>,
    /// What each of them does to cells, in their order.
    comparisons: Vec<Vec<Comparison>>,
    /// Where those moves are made, if not wherever they make states smaller.
    reversed: Vec<Bdd>,
    /// What generates all images.
    generators: Vec<Move>,
}

impl<'a> Reducer<'a> {
    pub fn new(context: Context<'a>, reduction: &Reduction<'_>, start: &State) -> Made<Self> {
        let certificate = reduction.certificate;
        if context.layout.alive.is_some() {
            return Err(Stop::unsupported("symmetry of processes that end", None));
        }
        let made = |renamings: Vec<Renaming>| {
            let moves = renamings.iter();
            let moves = moves.map(|renaming| Move::of(context, certificate, start, renaming));
            moves.collect::<Made<Vec<Move>>>()
        };
        let moves = match reduction.manner {
            Manner::OnTheFly | Manner::OrbitRelation => Vec::new(),
            manner => made(renamings(certificate, manner)?)?,
        };
        let reversed = match reduction.manner {
            Manner::Ibsinc => moves.iter().map(|m| ibsinc::reversed(context, m)).collect(),
            _ => Ok(Vec::new()),
        };
        let comparisons = moves.iter().map(|exchange| comparisons(context, exchange));
        Ok(Reducer {
            context,
            manner: reduction.manner,
            comparisons: comparisons.collect::<Made<_>>()?,
            reversed: reversed?,
            moves,
            generators: made(certificate.generators())?,
        })
    }

    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Representatives of all states of a set.
    pub fn representatives(&self, set: &Bdd) -> Made<Bdd> {
        match self.manner {
            Manner::Ibsinc => self.in_order_of_pointers(set),
            Manner::OrbitRelation => {
                orbits::smallest_images(self.context.d, set, |pairs| self.orbit(pairs))
            }
            Manner::Dynamic | Manner::MultipleRepresentatives | Manner::OnTheFly => {
                self.sorted(set)
            }
        }
    }

    /// Sorts all states of a set. A state that no move makes smaller is done; only what a round has changed is looked at in the next one.
    fn sorted(&self, set: &Bdd) -> Made<Bdd> {
        let mut done = self.context.d.no.clone();
        let mut open = set.clone();
        while open.satisfiable() {
            let (stayed, changed) = self.sorting_round(&open)?;
            done = done.or(&stayed)?;
            open = without(&changed, &done)?;
        }
        Ok(done)
    }

    /// Makes each move once. The states that stayed as they are, and all that there is after the round.
    fn sorting_round(&self, set: &Bdd) -> Made<(Bdd, Bdd)> {
        let (mut stayed, mut all) = (set.clone(), set.clone());
        for (exchange, comparisons) in self.moves.iter().zip(&self.comparisons) {
            self.context.d.pause()?;
            let larger = self.larger(exchange, comparisons, &all)?;
            if larger.satisfiable() {
                stayed = without(&stayed, &larger)?;
                all = without(&all, &larger)?.or(&exchange.image(&larger)?)?;
            }
        }
        Ok((stayed, all))
    }

    /// Each two that should change places do so, once.
    fn in_order_of_pointers(&self, set: &Bdd) -> Made<Bdd> {
        let mut set = set.clone();
        for (exchange, reversed) in self.moves.iter().zip(&self.reversed) {
            self.context.d.pause()?;
            let wrong = set.and(reversed)?.and(&exchange.where_allowed)?;
            if wrong.satisfiable() {
                set = without(&set, &wrong)?.or(&exchange.image(&wrong)?)?;
            }
        }
        Ok(set)
    }

    /// The states of a set that a move makes smaller.
    fn larger(&self, exchange: &Move, comparisons: &[Comparison], set: &Bdd) -> Made<Bdd> {
        let mut larger = self.context.d.no.clone();
        let mut same = set.and(&exchange.where_allowed)?;
        for comparison in comparisons {
            if !same.satisfiable() {
                break;
            }
            larger = larger.or(&same.and(&comparison.smaller)?)?;
            same = same.and(&comparison.same)?;
        }
        Ok(larger)
    }

    /// All images of the states of a set.
    pub fn orbit(&self, set: &Bdd) -> Made<Bdd> {
        let mut all = set.clone();
        let mut new = set.clone();
        while new.satisfiable() {
            let mut images = self.context.d.no.clone();
            for generator in &self.generators {
                self.context.d.pause()?;
                let allowed = new.and(&generator.where_allowed)?;
                images = images.or(&generator.image(&allowed)?)?;
            }
            new = without(&images, &all)?;
            all = all.or(&new)?;
        }
        Ok(all)
    }
}

/// What a move does to each cell, in the order of the diagrams.
fn comparisons(context: Context<'_>, exchange: &Move) -> Made<Vec<Comparison>> {
    let Context { d, layout, .. } = context;
    let comparison = |(cell, after): &(CellId, Number)| {
        let before = layout.value(d, *cell);
        Ok(Comparison {
            smaller: after.less(d, &before)?,
            same: after.equals(d, &before)?,
        })
    };
    exchange.after.iter().map(comparison).collect()
}

/// What is tried to make states smaller.
fn renamings(certificate: &Certificate, manner: Manner) -> Made<Vec<Renaming>> {
    let mut all = Vec::new();
    for domain in 0..certificate.domains().len() {
        let neighbours = certificate.generators_of(domain);
        match manner {
            Manner::MultipleRepresentatives => all.extend(with_the_first(&neighbours)),
            Manner::Ibsinc => {
                let firsts = 0..neighbours.len();
                all.extend(firsts.flat_map(|first| with_the_first(&neighbours[first..])));
            }
            Manner::Dynamic | Manner::OnTheFly | Manner::OrbitRelation => all.extend(neighbours),
        }
    }
    // Elements of other groups exchange more than two.
    if manner != Manner::Ibsinc {
        all.extend(elements(certificate.renamings())?);
    }
    Ok(all)
}

/// From exchanges of neighbours, the exchanges of each one with the first.
fn with_the_first(neighbours: &[Renaming]) -> Vec<Renaming> {
    let mut all: Vec<Renaming> = Vec::new();
    for next in neighbours {
        let exchange = match all.last() {
            Some(before) => next.then(before).then(next),
            None => next.clone(),
        };
        all.push(exchange);
    }
    all
}

/// All elements of a small group but the one that does nothing.
fn elements(generators: &[Renaming]) -> Made<Vec<Renaming>> {
    let mut all = vec![Renaming::identity()];
    let mut next = 0;
    while next < all.len() {
        for generator in generators {
            let product = all[next].then(generator);
            if !all.contains(&product) {
                all.push(product);
            }
        }
        next += 1;
        if all.len() > MOST_ELEMENTS {
            return Err(Stop::unsupported("symmetry of this kind", None));
        }
    }
    Ok(all.split_off(1))
}
