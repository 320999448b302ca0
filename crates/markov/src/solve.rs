//! Solutions of systems, component by component, those first that others depend on.

use crate::bounds::Bounds;
use crate::error::MarkovError;
use crate::exact::Exact;
use crate::iteration::{iterate, single};
use crate::number::Number;
use crate::part::Part;
use crate::policy::{iterate_policies, totals};
use crate::system::System;
use dashu_ratio::RBig;
use mandala_kripke::Components;
use mandala_temporal::pctl::Optimum;

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// How close bounds should be, as a part of the value.
    pub precision: f64,
    /// How many products may be formed for a system, more or less.
    pub work: u64,
}

/// How many products may be formed to solve a chain without iteration.
const MOST_PRODUCTS: u64 = 100_000_000;
/// How many of exact numbers, which take longer.
const MOST_EXACT_PRODUCTS: u64 = 20_000_000;
/// The largest component that is solved exactly where iteration does not get on.
const SMALL: usize = 200;

/// Numbers in which a system can be solved.
pub(crate) trait Solve: Number {
    /// The values of all unknowns of a proper system.
    fn solve(system: &System<'_>, effort: Effort) -> Result<Vec<Self>, MarkovError>;

    /// The least and the greatest number that it can be, if they are finite.
    fn ends(&self) -> Option<(RBig, RBig)>;

    /// What is known of a number that is between two others.
    fn between(lower: &Self, upper: &Self) -> Self;
}

impl Solve for Bounds {
    fn solve(system: &System<'_>, effort: Effort) -> Result<Vec<Bounds>, MarkovError> {
        let mut work = effort.work;
        by_components(system, Bounds::ANY, |part| {
            Ok(solve_in_bounds(part, effort.precision, &mut work))
        })
    }

    fn ends(&self) -> Option<(RBig, RBig)> {
        let lower = RBig::try_from(self.lower).ok()?;
        Some((lower, RBig::try_from(self.upper).ok()?))
    }

    fn between(lower: &Self, upper: &Self) -> Self {
        Bounds {
            lower: lower.lower,
            upper: upper.upper,
        }
    }
}

impl Solve for Exact {
    fn solve(system: &System<'_>, effort: Effort) -> Result<Vec<Exact>, MarkovError> {
        let near = Bounds::solve(system, effort)?;
        by_components(system, Exact::Infinite, |part| {
            let guess = best_rows(system, part, &near);
            iterate_policies(part, guess, MOST_EXACT_PRODUCTS)
        })
    }

    fn ends(&self) -> Option<(RBig, RBig)> {
        self.finite().map(|it| (it.clone(), it.clone()))
    }

    fn between(lower: &Self, _: &Self) -> Self {
        lower.clone()
    }
}

/// Solves each component, and puts what is found into those that depend on it.
fn by_components<N: Number>(
    system: &System<'_>,
    unsolved: N,
    mut solve: impl FnMut(&Part<'_, N>) -> Result<Vec<N>, MarkovError>,
) -> Result<Vec<N>, MarkovError> {
    let mut solution = vec![unsolved; system.unknowns()];
    let roots = (0..system.unknowns() as u32).collect();
    let mut components = Components::within(system, roots, |_| true);
    while components.advance() {
        let members = components.members();
        let place = |unknown| components.place(unknown).map(|place| place as u32);
        let part = Part::new(system, members, &place, &solution);
        for (member, value) in members.iter().zip(solve(&part)?) {
            solution[*member as usize] = value;
        }
    }
    Ok(solution)
}

/// Bounds of the values of a component: at once if it has one unknown, without iteration if it is a chain for which that is quick, and by iteration otherwise. If that does not get close and the component is small, its
/// equations are solved exactly, once for the lower and once for the upper bounds of what is outside.
fn solve_in_bounds(part: &Part<'_, Bounds>, precision: f64, work: &mut u64) -> Vec<Bounds> {
    if part.len() == 1 {
        return vec![single(part)];
    }
    if part.is_chain() {
        let rows: Vec<u32> = (0..part.len() as u32).collect();
        if let Ok(found) = totals(part, &rows, MOST_PRODUCTS.min(*work)) {
            return found;
        }
    }
    let allowed = *work;
    let mut own = match part.len() <= SMALL {
        true => allowed.min(MOST_PRODUCTS),
        false => allowed,
    };
    let before = own;
    let found = iterate(part, precision, &mut own);
    *work = allowed - (before - own);
    let is_close = found.iter().all(|it| it.is_within(precision));
    if is_close || part.len() > SMALL {
        return found;
    }
    exact_ends(part, &found).unwrap_or(found)
}

/// The bounds of the values that follow from those of the constants, if they can be had exactly.
fn exact_ends(part: &Part<'_, Bounds>, near: &[Bounds]) -> Option<Vec<Bounds>> {
    let guess: Vec<u32> = (0..part.len() as u32)
        .map(|unknown| best_row(part, unknown, near))
        .collect();
    let solved = |end: fn(&Bounds) -> f64| {
        let number = |it: &Bounds| RBig::try_from(end(it)).map_or(Exact::Infinite, Exact::Finite);
        let mut exact = part.with(number);
        exact.settle_exits();
        iterate_policies(&exact, guess.clone(), MOST_EXACT_PRODUCTS).ok()
    };
    let (lower, upper) = (solved(|it| it.lower)?, solved(|it| it.upper)?);
    let both = lower.iter().zip(&upper);
    let bounds = both.map(|(lower, upper)| Bounds::between(&lower.bounds(), &upper.bounds()));
    Some(bounds.zip(near).map(|(it, near)| it.meet(*near)).collect())
}

/// For each unknown of a part the row that is best by what is nearly known of all unknowns of the system.
fn best_rows(system: &System<'_>, part: &Part<'_, Exact>, near: &[Bounds]) -> Vec<u32> {
    let value = |row: u32| {
        let source = part.row(row).source;
        let constant = system.constants.bounds(system.row(source).constant).lower;
        let terms = system.terms(source).iter();
        terms.fold(constant, |sum, term| {
            sum + system.weights.bounds(term.weight).lower * near[term.unknown as usize].lower
        })
    };
    (0..part.len() as u32)
        .map(|unknown| pick(part.rows(unknown), part.optimum, value))
        .collect()
}

/// The row that is best by what is nearly known of the unknowns of the part.
fn best_row(part: &Part<'_, Bounds>, unknown: u32, near: &[Bounds]) -> u32 {
    let value = |row: u32| part.value(part.row(row), near).lower;
    pick(part.rows(unknown), part.optimum, value)
}

/// The first row whose value is the best.
fn pick(rows: std::ops::Range<u32>, optimum: Optimum, value: impl Fn(u32) -> f64) -> u32 {
    let mut best = (rows.start, value(rows.start));
    for row in rows.skip(1) {
        let offer = value(row);
        let is_better = match optimum {
            Optimum::Least => offer < best.1,
            Optimum::Greatest => offer > best.1,
        };
        if is_better {
            best = (row, offer);
        }
    }
    best.0
}
