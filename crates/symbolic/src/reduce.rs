//! One state, or few, for all that differ in names alone: for whole sets at once.
//!
//! - *Dynamic* (SVISS): where exchanging two neighbours makes a state smaller, it is replaced by what the exchange makes of it, until
//!   nothing gets smaller: bubble sort, of all states of a set at once. There is one representative of each orbit if no
//!   process or element holds the names of others and no array has an element for each pair of names; else there may be several.
//! - *Multiple representatives* (SYMM): the same with exchanges of each one with the first. There are several, but fewer exchanges.
//! - *IbSINC* (RED): each two processes change places if the pointers between processes say so (`ibsinc`).
//! - *Orbit relation*: all images of each state, of which the smallest is left (`orbits`).
//! - *On the fly* (RuleBase): what is symmetric to something that is known is not new.
//!
//! States are compared cell by cell, in the order of the diagrams. Each comparison looks only at states that are the same so far: a
//! comparison of all cells at once, of all states there could be, is a diagram that is exponential in the size of a process.

use crate::attempt::Context;
use crate::cells::Layout;
use crate::diagrams::{Bdd, Made, without};
use crate::ibsinc;
use crate::moves::Move;
use crate::multisets;
use crate::number::Number;
use crate::orbits;
use crate::outcome::{Manner, Reduction};
use crate::stop::CellId;
use crate::stop::Stop;
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

/// A move, and what it does to cells, in their order.
struct Exchange {
    made: Move,
    comparisons: Vec<Comparison>,
}

/// Finds representatives.
pub(crate) struct Reducer<'a> {
    context: Context<'a>,
    /// In which manner symmetry is used, if it is.
    manner: Option<Manner>,
    /// What sorts elements that have no order.
    bags: Vec<Exchange>,
    /// What makes states smaller.
    moves: Vec<Exchange>,
    /// Where those moves are made, if not wherever they make states smaller.
    reversed: Vec<Bdd>,
    /// What generates all images under renamings.
    generators: Vec<Move>,
}

impl<'a> Reducer<'a> {
    /// What finds representatives, if there is anything to do.
    pub(crate) fn new(
        context: Context<'a>,
        reduction: Option<&Reduction<'_>>,
        start: &State,
    ) -> Made<Option<Self>> {
        let bags = multisets::exchanges(context)?.into_iter();
        let bags = bags.map(|exchange| compared(context, exchange));
        let without_symmetry = Reducer {
            context,
            manner: None,
            bags: bags.collect::<Made<_>>()?,
            moves: Vec::new(),
            reversed: Vec::new(),
            generators: Vec::new(),
        };
        match reduction {
            Some(reduction) => Ok(Some(without_symmetry.with_symmetry(reduction, start)?)),
            None if without_symmetry.bags.is_empty() => Ok(None),
            None => Ok(Some(without_symmetry)),
        }
    }

    fn with_symmetry(mut self, reduction: &Reduction<'_>, start: &State) -> Made<Self> {
        let (context, certificate) = (self.context, reduction.certificate);
        require_residents(context.layout)?;
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
        self.generators = made(certificate.generators())?;
        let moves = moves
            .into_iter()
            .map(|exchange| compared(context, exchange));
        Ok(Reducer {
            manner: Some(reduction.manner),
            reversed: reversed?,
            moves: moves.collect::<Made<_>>()?,
            ..self
        })
    }

    /// Whether it does more than to sort what has no order.
    pub(crate) fn uses_symmetry(&self) -> bool {
        self.manner.is_some()
    }

    /// Whether what is symmetric to something known is not new.
    pub(crate) fn is_on_the_fly(&self) -> bool {
        self.manner == Some(Manner::OnTheFly)
    }

    /// Representatives of all states of a set.
    pub(crate) fn representatives(&self, set: &Bdd) -> Made<Bdd> {
        let set = match self.manner {
            Some(Manner::Ibsinc) => self.in_order_of_pointers(set)?,
            Some(Manner::OrbitRelation) => {
                orbits::smallest_images(self.context.d, set, |pairs| self.orbit(pairs))?
            }
            _ => self.sorted(&self.moves, set)?,
        };
        self.without_order(&set)
    }

    /// The same states, with elements that have no order sorted.
    pub(crate) fn without_order(&self, set: &Bdd) -> Made<Bdd> {
        self.sorted(&self.bags, set)
    }

    /// Sorts all states of a set. A state that no move makes smaller is done; only what a round has changed is looked at in the next one.
    fn sorted(&self, exchanges: &[Exchange], set: &Bdd) -> Made<Bdd> {
        if exchanges.is_empty() {
            return Ok(set.clone());
        }
        let mut done = self.context.d.no.clone();
        let mut open = set.clone();
        while open.satisfiable() {
            let (stayed, changed) = self.sorting_round(exchanges, &open)?;
            done = done.or(&stayed)?;
            open = without(&changed, &done)?;
        }
        Ok(done)
    }

    /// Makes each move once. The states that stayed as they are, and all that there is after the round.
    fn sorting_round(&self, exchanges: &[Exchange], set: &Bdd) -> Made<(Bdd, Bdd)> {
        let (mut stayed, mut all) = (set.clone(), set.clone());
        for exchange in exchanges {
            self.context.d.pause()?;
            let larger = self.larger(exchange, &all)?;
            if larger.satisfiable() {
                stayed = without(&stayed, &larger)?;
                all = without(&all, &larger)?.or(&exchange.made.image(&larger)?)?;
            }
        }
        Ok((stayed, all))
    }

    /// Each two that should change places do so, once.
    fn in_order_of_pointers(&self, set: &Bdd) -> Made<Bdd> {
        let mut set = set.clone();
        for (exchange, reversed) in self.moves.iter().zip(&self.reversed) {
            self.context.d.pause()?;
            let wrong = set.and(reversed)?.and(&exchange.made.where_allowed)?;
            if wrong.satisfiable() {
                set = without(&set, &wrong)?.or(&exchange.made.image(&wrong)?)?;
            }
        }
        Ok(set)
    }

    /// The states of a set that a move makes smaller.
    fn larger(&self, exchange: &Exchange, set: &Bdd) -> Made<Bdd> {
        let mut larger = self.context.d.no.clone();
        let mut same = set.and(&exchange.made.where_allowed)?;
        for comparison in &exchange.comparisons {
            if !same.satisfiable() {
                break;
            }
            larger = larger.or(&same.and(&comparison.smaller)?)?;
            same = same.and(&comparison.same)?;
        }
        Ok(larger)
    }

    /// Whether there is no state in a set in which something is certified that is not exchanged.
    pub(crate) fn exchanges_all(&self, set: &Bdd) -> Made<bool> {
        for generator in &self.generators {
            if set.and(&generator.where_left_out)?.satisfiable() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All images of the states of a set.
    pub(crate) fn orbit(&self, set: &Bdd) -> Made<Bdd> {
        let bags = self.bags.iter().map(|exchange| &exchange.made);
        self.closed(&bags.chain(&self.generators).collect::<Vec<_>>(), set)
    }

    /// The states of a set, with elements that have no order in any order.
    pub(crate) fn rearranged(&self, set: &Bdd) -> Made<Bdd> {
        let bags = self.bags.iter().map(|exchange| &exchange.made);
        self.closed(&bags.collect::<Vec<_>>(), set)
    }

    /// A set with all that moves make of it.
    fn closed(&self, moves: &[&Move], set: &Bdd) -> Made<Bdd> {
        let mut all = set.clone();
        let mut new = set.clone();
        while new.satisfiable() {
            let mut images = self.context.d.no.clone();
            for generator in moves {
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

/// A move with what it does to each cell, in the order of the diagrams.
fn compared(context: Context<'_>, made: Move) -> Made<Exchange> {
    let Context { d, layout, .. } = context;
    let comparison = |(cell, after): &(CellId, Number)| {
        let before = layout.value(d, *cell);
        Ok(Comparison {
            smaller: after.less(d, &before)?,
            same: after.equals(d, &before)?,
        })
    };
    let comparisons = made.after.iter().map(comparison);
    Ok(Exchange {
        comparisons: comparisons.collect::<Made<_>>()?,
        made,
    })
}

/// Refuses numbers that are not always those of the same processes: renamings would not be the same everywhere.
fn require_residents(layout: &Layout) -> Made<()> {
    match layout.processes.len() > layout.numbers() as usize {
        true => Err(Stop::unsupported(
            "symmetry where a number is that of different processes",
            None,
        )),
        false => Ok(()),
    }
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
            let what = format!("a group of more than {MOST_ELEMENTS} elements that is not full");
            return Err(Stop::unsupported(what, None));
        }
    }
    Ok(all.split_off(1))
}
