//! Conditions in disjunctive form, made unique.
//!
//! A *cube* is a set of conditions that hold together; a list of cubes is a condition that holds if one of them does. The *prime*
//! cubes of it are the least sets of conditions each of which is enough, where conditions are taken for independent unless one
//! is the negation of the other. They depend on the meaning of the list alone, and so are the same however the program
//! asks. They are found by consensus: what `a, x` and `b, not x` say together about `a, b`.

use crate::algebra::Algebra;
use crate::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// Conditions that hold together.
pub(crate) type Cube = BTreeSet<Term>;

/// How many cubes may be looked at by all pairs, and how many may be found; with more, cubes are only made shorter. The
/// number of prime cubes can be exponential.
const MOST: usize = 64;

/// A condition by its number, which is negative for its negation.
type Literal = i32;

/// The prime cubes, or as many as it takes if there are too many of them. The result means the same in any case.
pub(crate) fn prime(algebra: Algebra, cubes: Vec<Cube>) -> Vec<Cube> {
    if cubes.len() == 1 {
        return cubes;
    }
    let mut names = Names::new(algebra);
    let numbered: BTreeSet<Vec<Literal>> = cubes.iter().map(|c| names.cube(c)).collect();
    let short = shortened(numbered);
    let primes = if short.len() <= MOST {
        closed(&short).unwrap_or(short)
    } else {
        short
    };
    primes.iter().map(|cube| names.terms(cube)).collect()
}

/// Numbers for conditions.
struct Names {
    algebra: Algebra,
    numbers: BTreeMap<Term, Literal>,
    terms: Vec<(Term, Term)>,
}

impl Names {
    fn new(algebra: Algebra) -> Self {
        Names {
            algebra,
            numbers: BTreeMap::new(),
            terms: Vec::new(),
        }
    }

    fn literal(&mut self, term: &Term) -> Literal {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let negated = self.algebra.not(term.clone());
        self.terms.push((term.clone(), negated.clone()));
        let number = self.terms.len() as Literal;
        self.numbers.insert(negated, -number);
        self.numbers.insert(term.clone(), number);
        number
    }

    fn cube(&mut self, cube: &Cube) -> Vec<Literal> {
        let literals: BTreeSet<Literal> = cube.iter().map(|t| self.literal(t)).collect();
        literals.into_iter().collect()
    }

    fn terms(&self, cube: &[Literal]) -> Cube {
        let term = |literal: &Literal| {
            let (term, negated) = &self.terms[literal.unsigned_abs() as usize - 1];
            if *literal > 0 { term } else { negated }.clone()
        };
        cube.iter().map(term).collect()
    }
}

/// What two cubes say together, if they contradict each other in one condition alone.
fn consensus(a: &[Literal], b: &[Literal]) -> Option<Vec<Literal>> {
    let mut opposed = a.iter().filter(|l| b.binary_search(&-**l).is_ok());
    let literal = *opposed.next()?;
    if opposed.next().is_some() {
        return None;
    }
    let both = a.iter().chain(b).copied();
    let both: BTreeSet<Literal> = both.filter(|l| l.abs() != literal.abs()).collect();
    Some(both.into_iter().collect())
}

/// Whether the first asks for nothing that the second does not ask for.
fn implied_by(weaker: &[Literal], stronger: &[Literal]) -> bool {
    weaker.len() <= stronger.len() && weaker.iter().all(|l| stronger.binary_search(l).is_ok())
}

/// Drops conditions that do not matter because of other cubes, and cubes that say nothing new, as long as there are any.
fn shortened(cubes: BTreeSet<Vec<Literal>>) -> Vec<Vec<Literal>> {
    let contradicts = |c: &Vec<Literal>| c.iter().any(|l| c.binary_search(&-l).is_ok());
    let mut kept: Vec<Vec<Literal>> = Vec::new();
    let mut open: Vec<Vec<Literal>> = cubes.into_iter().filter(|c| !contradicts(c)).collect();
    // Short ones first: they make others shorter.
    open.sort_by_key(|c| std::cmp::Reverse((c.len(), c.clone())));
    while let Some(cube) = open.pop() {
        if kept.iter().any(|k| implied_by(k, &cube)) {
            continue;
        }
        let shorter = kept.iter().find_map(|k| {
            let both = consensus(k, &cube)?;
            implied_by(&both, &cube).then_some(both)
        });
        if let Some(shorter) = shorter {
            open.push(shorter);
            continue;
        }
        let reopened = |k: &Vec<Literal>| {
            implied_by(&cube, k) || consensus(k, &cube).is_some_and(|both| implied_by(&both, k))
        };
        let (again, rest) = kept.into_iter().partition(reopened);
        kept = rest;
        open.extend::<Vec<Vec<Literal>>>(again);
        kept.push(cube);
    }
    kept.sort();
    kept
}

/// All prime cubes, unless there are too many.
fn closed(cubes: &[Vec<Literal>]) -> Option<Vec<Vec<Literal>>> {
    let mut found: Vec<Vec<Literal>> = cubes.to_vec();
    let mut next = 0;
    while next < found.len() {
        for other in 0..next {
            let Some(both) = consensus(&found[next], &found[other]) else {
                continue;
            };
            if !found.iter().any(|f| implied_by(f, &both)) {
                found.push(both);
            }
        }
        if found.len() > 4 * MOST {
            return None;
        }
        next += 1;
    }
    let prime = |cube: &&Vec<Literal>| {
        let mut others = found.iter().filter(|other| other != cube);
        !others.any(|other| implied_by(other, cube))
    };
    let mut primes: Vec<Vec<Literal>> = found.iter().filter(prime).cloned().collect();
    primes.sort();
    Some(primes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many conditions there are.
    const CONDITIONS: i32 = 5;

    fn holds(cubes: &[Vec<Literal>], state: u32) -> bool {
        let met = |literal: &Literal| (state >> literal.abs() & 1 == 1) == (*literal > 0);
        cubes.iter().any(|cube| cube.iter().all(met))
    }

    fn same(a: &[Vec<Literal>], b: &[Vec<Literal>]) -> bool {
        (0..1 << (CONDITIONS + 1)).all(|state| holds(a, state) == holds(b, state))
    }

    fn cubes() -> impl Strategy<Value = Vec<Vec<Literal>>> {
        let literal = (1..=CONDITIONS, any::<bool>());
        let literal = literal.prop_map(|(number, yes)| if yes { number } else { -number });
        let cube = prop::collection::btree_set(literal, 0..5);
        let cube = cube.prop_map(|literals| literals.into_iter().collect::<Vec<_>>());
        prop::collection::vec(cube, 1..8)
    }

    /// Whether something asks for a condition and for its negation.
    fn contradicts(cube: &[Literal]) -> bool {
        cube.iter().any(|l| cube.contains(&-l))
    }

    /// The prime cubes by brute force: the least ones of all that are enough.
    fn all_primes(cubes: &[Vec<Literal>]) -> Vec<Vec<Literal>> {
        let choices = 3u32.pow(CONDITIONS as u32);
        let cube = |mut code: u32| {
            let mut literals = BTreeSet::new();
            for number in 1..=CONDITIONS {
                match code % 3 {
                    1 => drop(literals.insert(number)),
                    2 => drop(literals.insert(-number)),
                    _ => {}
                }
                code /= 3;
            }
            literals.into_iter().collect::<Vec<_>>()
        };
        let enough = |cube: &Vec<Literal>| {
            let one = std::slice::from_ref(cube);
            (0..1 << (CONDITIONS + 1)).all(|s| !holds(one, s) || holds(cubes, s))
        };
        let enough: Vec<_> = (0..choices).map(cube).filter(enough).collect();
        let least = |cube: &&Vec<Literal>| {
            let mut others = enough.iter().filter(|other| other != cube);
            !others.any(|other| implied_by(other, cube))
        };
        let mut primes: Vec<_> = enough.iter().filter(least).cloned().collect();
        primes.sort();
        primes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn nothing_is_lost_by_shortening(cubes in cubes()) {
            let short = shortened(cubes.iter().cloned().collect());
            prop_assert!(same(&cubes, &short), "{cubes:?} became {short:?}");
            prop_assert!(short.len() <= cubes.len());
        }

        #[test]
        fn the_prime_cubes_are_those_of_brute_force(cubes in cubes()) {
            let short = shortened(cubes.iter().cloned().collect());
            prop_assert!(short.iter().all(|c| !contradicts(c)));
            prop_assert_eq!(closed(&short), Some(all_primes(&cubes)));
        }
    }
}
