//! Everything against brute force, on many small groups.

use crate::common::{big, brute_elements, random_generators, set};
use mandala_groups::{Group, Permutation, Seeded, canonical_image, minimal_image};
use std::collections::{BTreeSet, HashSet};

/// Random groups on up to seven points, each with the list of all its elements.
fn small_groups(
    seed: u64,
    count: usize,
) -> impl Iterator<Item = (Group, Vec<Permutation>, Seeded)> {
    let mut random = Seeded::new(seed);
    (0..count).map(move |_| {
        let degree = 1 + random.below(7);
        let generators = random_generators(degree, &mut random);
        let elements = brute_elements(degree, &generators).into_iter().collect();
        (
            Group::new(degree, generators).unwrap(),
            elements,
            Seeded::new(random.next_u64()),
        )
    })
}

fn random_values(degree: usize, kinds: usize, random: &mut Seeded) -> Vec<u32> {
    (0..degree).map(|_| random.below(kinds) as u32).collect()
}

/// The subgroup has exactly the elements that `keep` does.
fn assert_subgroup(
    subgroup: &Group,
    elements: &[Permutation],
    keep: impl Fn(&Permutation) -> bool,
) {
    let kept: Vec<_> = elements.iter().filter(|element| keep(element)).collect();
    assert_eq!(subgroup.order(), big(kept.len()), "{subgroup:?}");
    assert!(kept.iter().all(|element| subgroup.contains(element)));
    assert!(subgroup.generators().iter().all(keep));
}

#[test]
fn orders_and_membership() {
    for (group, elements, mut random) in small_groups(1, 400) {
        assert_eq!(
            group.order(),
            big(elements.len()),
            "{:?}",
            group.generators()
        );
        let members: HashSet<_> = elements.into_iter().collect();
        for _ in 0..20 {
            let candidate = Permutation::random(group.degree(), &mut random);
            assert_eq!(group.contains(&candidate), members.contains(&candidate));
            let member = group.random_element(&mut random);
            assert!(members.contains(&member));
        }
    }
}

#[test]
fn iteration_visits_every_element_once() {
    for (group, elements, _) in small_groups(2, 200) {
        let walked: Vec<_> = group.elements().collect();
        assert!(walked[0].is_identity());
        assert_eq!(walked.len(), elements.len());
        let walked: HashSet<_> = walked.into_iter().collect();
        assert_eq!(walked, elements.into_iter().collect());
    }
}

#[test]
fn orbits_and_transversals() {
    for (group, elements, _) in small_groups(3, 200) {
        for point in 0..group.degree() as u32 {
            let expected: BTreeSet<u32> = elements
                .iter()
                .map(|element| element.image(point))
                .collect();
            let orbit = group.orbit(point).unwrap();
            assert_eq!(set(orbit.points()), expected);
            let listed = group
                .orbits()
                .into_iter()
                .find(|orbit| orbit.contains(&point))
                .unwrap();
            assert_eq!(set(&listed), expected);
            for target in 0..group.degree() as u32 {
                let representative = orbit.representative(target);
                assert_eq!(representative.is_some(), expected.contains(&target));
                assert!(
                    representative.is_none_or(|g| g.image(point) == target && group.contains(&g))
                );
            }
        }
        assert_eq!(group.is_transitive(), group.orbits().len() == 1);
    }
}

#[test]
fn stabilisers_of_points() {
    for (group, elements, mut random) in small_groups(4, 300) {
        let count = random.below(4);
        let points: Vec<u32> = (0..count)
            .map(|_| random.below(group.degree()) as u32)
            .collect();
        let stabiliser = group.stabiliser(&points).unwrap();
        assert_subgroup(&stabiliser, &elements, |g| {
            points.iter().all(|&point| !g.moves(point))
        });
    }
}

#[test]
fn stabilisers_of_sets_colourings_and_partitions() {
    for (group, elements, mut random) in small_groups(5, 300) {
        let size = random.below(group.degree() + 1);
        let points: Vec<u32> = (0..size)
            .map(|_| random.below(group.degree()) as u32)
            .collect();
        let by_sets = group.set_stabiliser(&points).unwrap();
        let moved = |g: &Permutation| {
            points
                .iter()
                .map(|&point| g.image(point))
                .collect::<BTreeSet<_>>()
        };
        assert_subgroup(&by_sets, &elements, |g| moved(g) == set(&points));

        let labels = random_values(group.degree(), 3, &mut random);
        let by_colours = group.colouring_stabiliser(&labels).unwrap();
        assert_subgroup(&by_colours, &elements, |g| g.permute(&labels) == labels);

        let by_cells = group.partition_stabiliser(&labels).unwrap();
        let same = |a: u32, b: u32| labels[a as usize] == labels[b as usize];
        let n = group.degree() as u32;
        let keeps_cells = |g: &Permutation| {
            (0..n).all(|a| (0..n).all(|b| same(a, b) == same(g.image(a), g.image(b))))
        };
        assert_subgroup(&by_cells, &elements, keeps_cells);
    }
}

#[test]
fn intersections() {
    let mut random = Seeded::new(6);
    for _ in 0..300 {
        let degree = 1 + random.below(7);
        let one = Group::new(degree, random_generators(degree, &mut random)).unwrap();
        let other = Group::new(degree, random_generators(degree, &mut random)).unwrap();
        let both = one.intersection(&other).unwrap();
        let elements: Vec<_> = brute_elements(degree, one.generators())
            .into_iter()
            .collect();
        let others = brute_elements(degree, other.generators());
        assert_subgroup(&both, &elements, |element| others.contains(element));
    }
}

#[test]
fn changes_of_base_keep_the_group() {
    for (group, elements, mut random) in small_groups(7, 200) {
        let prefix: Vec<u32> = Permutation::random(group.degree(), &mut random).images()
            [..group.degree() / 2]
            .to_vec();
        let chain = group.with_base(&prefix).unwrap();
        assert!(chain.base().starts_with(&prefix));
        assert_eq!(chain.order(), big(elements.len()));
        assert!(elements.iter().all(|element| chain.contains(element)));
    }
}

/// All block systems of the orbit of `point`, by trying all sets that contain it.
fn brute_blocks(elements: &[Permutation], orbit: &[u32], point: u32) -> Vec<BTreeSet<u32>> {
    let subsets = (0..1u32 << orbit.len()).map(|mask| {
        let members = orbit
            .iter()
            .enumerate()
            .filter(move |(index, _)| mask >> index & 1 == 1);
        members.map(|(_, &point)| point).collect::<BTreeSet<u32>>()
    });
    let is_block = |set: &BTreeSet<u32>| {
        elements.iter().all(|element| {
            let image: BTreeSet<u32> = set.iter().map(|&point| element.image(point)).collect();
            image == *set || image.is_disjoint(set)
        })
    };
    let proper =
        |set: &BTreeSet<u32>| set.contains(&point) && set.len() > 1 && set.len() < orbit.len();
    subsets.filter(proper).filter(is_block).collect()
}

#[test]
fn minimal_blocks() {
    for (group, elements, mut random) in small_groups(8, 200) {
        let point = random.below(group.degree()) as u32;
        let orbit = group.orbit(point).unwrap();
        let all = brute_blocks(&elements, orbit.points(), point);
        let minimal: BTreeSet<_> = all
            .iter()
            .filter(|block| {
                !all.iter()
                    .any(|other| other.len() < block.len() && other.is_subset(block))
            })
            .cloned()
            .collect();
        let systems = group.minimal_block_systems(point).unwrap();
        let containing = |blocks: &[Vec<u32>]| {
            blocks
                .iter()
                .find(|block| block.contains(&point))
                .map(|b| set(b))
        };
        let found: BTreeSet<_> = systems
            .iter()
            .map(|system| containing(system.blocks()).unwrap())
            .collect();
        assert_eq!(found, minimal, "{:?} at {point}", group.generators());
        for system in &systems {
            assert!(
                group
                    .generators()
                    .iter()
                    .all(|generator| system.action_of(generator).is_some())
            );
        }
    }
}

#[test]
fn minimal_images() {
    for (group, elements, mut random) in small_groups(9, 400) {
        let values = random_values(group.degree(), 1 + group.degree() / 2, &mut random);
        let least = elements
            .iter()
            .map(|element| element.permute(&values))
            .min()
            .unwrap();
        let found = minimal_image(&group, &values).unwrap();
        assert_eq!(found.image, least, "{:?} {values:?}", group.generators());
        assert_eq!(found.witness.permute(&values), least);
        assert!(group.contains(&found.witness));
    }
}

#[test]
fn canonical_images_tell_orbits_apart() {
    for (group, elements, mut random) in small_groups(10, 400) {
        let values = random_values(group.degree(), 3, &mut random);
        let found = canonical_image(&group, &values).unwrap();
        assert_eq!(found.witness.permute(&values), found.image);
        assert!(group.contains(&found.witness));
        let moved = elements[random.below(elements.len())].permute(&values);
        assert_eq!(canonical_image(&group, &moved).unwrap().image, found.image);
    }
}

#[test]
fn subgroups_closures_and_conjugates() {
    for (group, elements, mut random) in small_groups(11, 200) {
        let extra = Permutation::random(group.degree(), &mut random);
        let larger = group.closure(std::slice::from_ref(&extra)).unwrap();
        let generators = [group.generators(), std::slice::from_ref(&extra)].concat();
        assert_eq!(
            larger.order(),
            big(brute_elements(group.degree(), &generators).len())
        );
        assert!(group.is_subgroup_of(&larger));
        assert_eq!(larger.is_subgroup_of(&group), group.contains(&extra));
        assert_eq!(larger.is_same_as(&group), group.contains(&extra));
        let conjugate = group.conjugate(&extra).unwrap();
        assert_eq!(conjugate.order(), group.order());
        assert!(
            elements
                .iter()
                .all(|element| conjugate.contains(&element.conjugate(&extra)))
        );
    }
}

/// The product of the factors is the group, and no factor can be split further.
#[test]
fn structures_are_true_and_fine() {
    for (group, elements, _) in small_groups(12, 400) {
        let structure = group.structure();
        structure.certify(&group).unwrap();
        for factor in &structure.factors {
            let on_factor = |g: &Permutation| {
                factor
                    .points
                    .iter()
                    .map(|&p| g.image(p))
                    .collect::<Vec<_>>()
            };
            let actions: HashSet<_> = elements.iter().map(on_factor).collect();
            assert_eq!(
                factor.order,
                big(actions.len()),
                "the factor does all that the group does to its points"
            );
            assert!(
                !splits(&elements, &factor.points),
                "{structure} {:?}",
                group.generators()
            );
        }
    }
}

/// Whether what the elements do to `points` is a product over two disjoint sets of points.
fn splits(elements: &[Permutation], points: &[u32]) -> bool {
    let actions = |part: &[u32]| {
        let images = |g: &Permutation| part.iter().map(|&point| g.image(point)).collect::<Vec<_>>();
        elements.iter().map(images).collect::<HashSet<_>>().len()
    };
    (1..(1u32 << points.len()) - 1).any(|mask| {
        let (one, other): (Vec<_>, Vec<_>) = points
            .iter()
            .enumerate()
            .partition(|(index, _)| mask >> index & 1 == 1);
        let strip = |part: Vec<(usize, &u32)>| {
            part.into_iter()
                .map(|(_, &point)| point)
                .collect::<Vec<_>>()
        };
        let (one, other) = (strip(one), strip(other));
        let closed = elements
            .iter()
            .all(|g| one.iter().all(|&point| one.contains(&g.image(point))));
        closed && actions(&one) * actions(&other) == actions(points)
    })
}
