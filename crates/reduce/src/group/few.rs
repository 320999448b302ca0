//! A few generators of a group, for people to read.

use mandala_groups::structure::{Natural, Shape, Structure, Wreath};
use mandala_groups::{Factor, Family, Group, Permutation};
use std::ops::Range;

/// How many generators a factor may have for pairs of them to be tried.
const MOST: usize = 16;

/// Generators of a group of a known structure, factor by factor.
pub(super) fn of_structure(structure: &Structure) -> Vec<Permutation> {
    let factors = structure.factors.iter();
    let few = factors.flat_map(|factor| of_factor(factor, structure.degree));
    few.collect()
}

fn of_factor(factor: &Factor, degree: usize) -> Vec<Permutation> {
    match &factor.shape {
        Shape::Carrying(_) | Shape::General => merged(degree, factor.generators.clone()),
        shape => of_shape(shape, degree),
    }
}

fn of_shape(shape: &Shape, degree: usize) -> Vec<Permutation> {
    match shape {
        Shape::Natural(natural) if natural.family == Family::Symmetric => {
            exchange_and_cycle(natural, degree)
        }
        Shape::Natural(natural) if natural.family == Family::Alternating => {
            two_cycles(natural, degree)
        }
        Shape::Wreath(wreath) => of_wreath(wreath, degree),
        shape => merged(degree, shape.generators(degree)),
    }
}

/// Each of these names goes to the next.
fn cycle(natural: &Natural, names: Range<usize>, degree: usize) -> Permutation {
    let names = &natural.bundles[names];
    let next = names.iter().cycle().skip(1);
    taking(degree, names.iter().zip(next))
}

/// All permutations of n names: the first two change places, and each goes to the next.
fn exchange_and_cycle(natural: &Natural, degree: usize) -> Vec<Permutation> {
    let cycle = |names| cycle(natural, names, degree);
    match natural.bundles.len() {
        0 | 1 => Vec::new(),
        2 => vec![cycle(0..2)],
        all => vec![cycle(0..2), cycle(0..all)],
    }
}

/// All even permutations of n names, at least three.
fn two_cycles(natural: &Natural, degree: usize) -> Vec<Permutation> {
    let all = natural.bundles.len();
    // The longest cycle that is even.
    let first = usize::from(all.is_multiple_of(2));
    let long = cycle(natural, first..all, degree);
    let short = cycle(natural, 0..3, degree);
    match all {
        3 => vec![short],
        _ => vec![short, long],
    }
}

/// What the inner group does to the first block, and what is done to the blocks: they come to each other's places, and so
/// does what is done to one of them.
fn of_wreath(wreath: &Wreath, degree: usize) -> Vec<Permutation> {
    let first = &wreath.blocks[0];
    let inside = |inner: &Permutation| {
        let image = first.iter().zip(inner.images());
        let moves: Vec<[u32; 2]> = image.map(|(p, to)| [*p, first[*to as usize]]).collect();
        let (from, to): (Vec<u32>, Vec<u32>) = moves.iter().map(|[a, b]| (*a, *b)).unzip();
        taking(degree, [(&from, &to)].into_iter())
    };
    let above = |top: &Permutation| {
        let images = top.images().iter().map(|to| &wreath.blocks[*to as usize]);
        taking(degree, wreath.blocks.iter().zip(images))
    };
    let inner = of_structure(&wreath.inner);
    let top = of_shape(&wreath.top, wreath.blocks.len());
    let all = inner.iter().map(inside).chain(top.iter().map(above));
    all.collect()
}

/// The permutation that takes lists of points to lists of points, place by place.
fn taking<'a>(
    degree: usize,
    moves: impl Iterator<Item = (&'a Vec<u32>, &'a Vec<u32>)>,
) -> Permutation {
    let mut images: Vec<u32> = (0..degree as u32).collect();
    for (from, to) in moves {
        let points = from.iter().zip(to);
        points.for_each(|(from, to)| images[*from as usize] = *to);
    }
    Permutation::from_images(images).expect("points change places")
}

/// Leaves out generators that are not needed, and takes products of two in their stead where that generates as much.
fn merged(degree: usize, mut generators: Vec<Permutation>) -> Vec<Permutation> {
    let group = |generators: &[Permutation]| Group::new(degree, generators.to_vec());
    let Ok(whole) = group(&generators) else {
        return generators;
    };
    let order = whole.order();
    let is_enough = |some: &[Permutation]| group(some).is_ok_and(|g| g.order() == order);
    let mut at = 0;
    while generators.len() <= MOST && at < generators.len() {
        let mut sets = fewer(&generators, at);
        match sets.find(|fewer| is_enough(fewer)) {
            Some(fewer) => generators = fewer,
            None => at += 1,
        }
    }
    generators
}

/// All but one, and all but one with one of the others made a product of both.
fn fewer(generators: &[Permutation], at: usize) -> impl Iterator<Item = Vec<Permutation>> + use<> {
    let mut others = generators.to_vec();
    let removed = others.remove(at);
    let products = (0..others.len()).map({
        let others = others.clone();
        move |other| {
            let mut products = others.clone();
            products[other] = removed.then(&products[other]);
            products
        }
    });
    std::iter::once(others).chain(products)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_generate_all() {
        let pairs = Group::symmetric(3).wreath(&Group::symmetric(2));
        let cases = [
            (Group::symmetric(2), 1),
            (Group::symmetric(9), 2),
            (Group::cyclic(6), 1),
            (Group::dihedral(6), 2),
            (Group::hypercube(4), 2),
            (Group::alternating(3), 1),
            (Group::alternating(4), 2),
            (Group::alternating(7), 2),
            (pairs.direct_product(&Group::symmetric(4)), 5),
            (Group::symmetric(3).wreath(&Group::symmetric(30)), 4),
            (pairs.wreath(&Group::cyclic(4)), 4),
            (Group::trivial(3), 0),
        ];
        for (group, most) in cases {
            let few = of_structure(&group.structure());
            assert!(few.len() <= most, "{}: {few:?}", group.structure());
            let again = Group::new(group.degree(), few).expect("of the same degree");
            assert!(again.is_same_as(&group), "{}", group.structure());
        }
    }
}
