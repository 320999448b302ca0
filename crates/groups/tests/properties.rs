//! Properties of random permutations and groups.

use crate::common::{self, big, disguised};
use mandala_groups::{BigUint, Group, Permutation, Seeded};
use proptest::prelude::*;

fn permutation(degree: usize) -> impl Strategy<Value = Permutation> {
    any::<u64>().prop_map(move |seed| Permutation::random(degree, &mut Seeded::new(seed)))
}

/// Two permutations of the same degree, and a third.
fn three() -> impl Strategy<Value = (Permutation, Permutation, Permutation)> {
    (0usize..40).prop_flat_map(|degree| {
        (
            permutation(degree),
            permutation(degree),
            permutation(degree),
        )
    })
}

/// A group that is not just S_n: random members of a product of wreath products.
fn group() -> impl Strategy<Value = Group> {
    (1usize..4, 1usize..5, 1usize..5, 1usize..4, any::<u64>()).prop_map(|(a, b, c, count, seed)| {
        let mut random = Seeded::new(seed);
        let around = Group::symmetric(a)
            .wreath(&Group::symmetric(b))
            .direct_product(&Group::symmetric(c));
        let generators = (0..count)
            .map(|_| around.random_element(&mut random))
            .collect();
        disguised(
            &Group::new(around.degree(), generators).unwrap(),
            &mut random,
        )
    })
}

/// Different names made of characters that mean something in cycle notation, or do not.
fn awkward_names(count: usize, random: &mut Seeded) -> Vec<String> {
    let pieces = [
        "", " ", ",", "(", ")", "\"", "\\", "()", "a", "[1]", "\u{e9}", "\t",
    ];
    let mut piece = || pieces[random.below(pieces.len())];
    (0..count)
        .map(|index| format!("{}{}{index}{}", piece(), piece(), piece()))
        .collect()
}

proptest! {
    #[test]
    fn permutations_form_a_group((a, b, c) in three()) {
        let identity = Permutation::identity(a.degree());
        prop_assert_eq!(&(&a * &b) * &c, &a * &(&b * &c));
        prop_assert_eq!(&a * &a.inverse(), identity.clone());
        prop_assert_eq!(&identity * &a, a.clone());
        prop_assert_eq!((&a * &b).inverse(), &b.inverse() * &a.inverse());
        prop_assert_eq!((&a * &b).sign(), a.sign() * b.sign());
        prop_assert_eq!((&a * &b).conjugate(&c), &a.conjugate(&c) * &b.conjugate(&c));
        prop_assert_eq!(a.conjugate(&c).order(), a.order());
    }

    #[test]
    fn the_order_is_the_least_exponent((a, _, _) in three()) {
        let order: i64 = a.order().to_string().parse().unwrap();
        prop_assert!(a.power(order).is_identity());
        let primes = (2..=order.min(50)).filter(|p| order % p == 0);
        for divisor in primes {
            prop_assert!(!a.power(order / divisor).is_identity());
        }
    }

    #[test]
    fn what_is_printed_is_read_back((a, _, _) in three(), seed: u64) {
        prop_assert_eq!(Permutation::parse(&a.to_string(), a.degree()).unwrap(), a.clone());
        let names = awkward_names(a.degree(), &mut Seeded::new(seed));
        let text = a.display_with(&names).to_string();
        prop_assert_eq!(Permutation::parse_named(&text, &names).unwrap(), a);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[() ,0-9a\"\\\\]{0,20}") {
        if let Ok(permutation) = Permutation::parse(&text, 10) {
            prop_assert_eq!(permutation.degree(), 10);
        }
    }

    #[test]
    fn products_of_generators_sift_to_nothing(group in group(), seed: u64) {
        let mut random = Seeded::new(seed);
        let mut product = Permutation::identity(group.degree());
        for _ in 0..20 {
            let generator = &group.generators()[random.below(group.generators().len())];
            product = &product * generator;
            prop_assert!(group.sift(&product).residue.is_identity());
        }
    }

    #[test]
    fn sifting_divides_by_members(group in group(), seed: u64) {
        let stranger = Permutation::random(group.degree(), &mut Seeded::new(seed));
        let sifted = group.sift(&stranger);
        prop_assert!(group.contains(&(&sifted.residue.inverse() * &stranger)));
        prop_assert_eq!(sifted.residue.is_identity(), group.contains(&stranger));
    }

    #[test]
    fn the_order_is_the_product_of_orbit_lengths(group in group()) {
        let chain = group.chain();
        let product: BigUint = (0..chain.len()).map(|level| big(chain.orbit(level).len())).product();
        prop_assert_eq!(product, group.order());
        for orbit in group.orbits() {
            let stabiliser = group.stabiliser(&orbit[..1]).unwrap();
            prop_assert_eq!(stabiliser.order() * orbit.len(), group.order());
        }
    }

    #[test]
    fn representatives_lead_where_they_should(group in group()) {
        let chain = group.chain();
        let base = chain.base();
        for level in 0..chain.len() {
            for &point in chain.orbit(level) {
                let element = chain.representative(level, point).unwrap();
                prop_assert!(group.contains(&element));
                prop_assert_eq!(element.image(base[level]), point);
                prop_assert!(base[..level].iter().all(|&before| !element.moves(before)));
            }
        }
    }

    #[test]
    fn structures_are_certified_and_disguise_does_not_matter(group in group(), seed: u64) {
        let structure = group.structure();
        prop_assert_eq!(structure.certify(&group), Ok(()));
        let described = Group::new(group.degree(), structure.generators()).unwrap();
        prop_assert!(described.is_same_as(&group));
        let hidden = disguised(&group, &mut Seeded::new(seed));
        let kinds = |group: &Group| {
            let mut kinds: Vec<String> =
                group.structure().factors.iter().map(|factor| factor.to_string()).collect();
            kinds.sort();
            kinds
        };
        prop_assert_eq!(kinds(&hidden), kinds(&group));
    }

    #[test]
    fn the_images_of_a_sequence_are_one_for_its_orbit(group in group(), seed: u64) {
        let mut random = Seeded::new(seed);
        let values: Vec<u32> = (0..group.degree()).map(|_| random.below(3) as u32).collect();
        let moved = group.random_element(&mut random).permute(&values);
        for image in [mandala_groups::minimal_image, mandala_groups::canonical_image] {
            let (one, other) = (image(&group, &values).unwrap(), image(&group, &moved).unwrap());
            prop_assert_eq!(&one.image, &other.image);
            prop_assert_eq!(one.witness.permute(&values), one.image);
            prop_assert!(group.contains(&other.witness));
        }
    }
}

/// Random elements of S_3 wr S_2 occur equally often, within what chance allows.
#[test]
fn random_elements_are_uniform() {
    let group = Group::symmetric(3).wreath(&Group::symmetric(2));
    let mut random = Seeded::new(99);
    let mut counts = std::collections::HashMap::new();
    let draws = 7200;
    for _ in 0..draws {
        *counts
            .entry(group.random_element(&mut random))
            .or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 72);
    let expected = f64::from(draws) / 72.0;
    let chi_squared: f64 = counts
        .values()
        .map(|&n| (f64::from(n) - expected).powi(2) / expected)
        .sum();
    assert!(
        chi_squared < 120.0,
        "{chi_squared} with 71 degrees of freedom"
    );
}

#[test]
fn the_same_generators_give_the_same_chain_and_walk() {
    let make = || Group::hypercube(4);
    assert_eq!(make().chain().base(), make().chain().base());
    assert!(make().elements().eq(make().elements()));
}

#[test]
fn large_groups_have_exact_orders() {
    assert_eq!(
        Group::symmetric(120).order(),
        mandala_groups::factorial(120)
    );
    let wreath = Group::symmetric(3).wreath(&Group::symmetric(20));
    assert_eq!(
        wreath.order(),
        big(6).pow(20) * mandala_groups::factorial(20)
    );
    assert_eq!(
        Group::hypercube(9).order(),
        mandala_groups::factorial(9) << 9
    );
    let parallel = common::in_parallel(&Group::symmetric(30), 20);
    assert_eq!(parallel.order(), mandala_groups::factorial(30));
    assert_eq!(
        common::with_pairs(&Group::symmetric(16)).order(),
        mandala_groups::factorial(16)
    );
}

#[test]
fn bad_input_is_refused_not_fatal() {
    let group = Group::symmetric(4);
    assert!(Group::new(5, group.generators().to_vec()).is_err());
    assert!(group.stabiliser(&[4]).is_err());
    assert!(group.orbit(4).is_err());
    assert!(group.set_stabiliser(&[0, 9]).is_err());
    assert!(group.colouring_stabiliser(&[0, 1]).is_err());
    assert!(group.partition_stabiliser(&[0; 5]).is_err());
    assert!(group.intersection(&Group::symmetric(5)).is_err());
    assert!(group.conjugate(&Permutation::identity(3)).is_err());
    assert!(group.closure(&[Permutation::identity(3)]).is_err());
    assert!(group.block_system(0, 4).is_err());
    assert!(group.minimal_block_systems(4).is_err());
    assert!(mandala_groups::minimal_image(&group, &[1]).is_err());
    assert!(mandala_groups::canonical_image(&group, &[1; 5]).is_err());
    assert!(!group.contains(&Permutation::identity(5)));
    assert!(group.restricted_to(&[0, 1]).is_none());
    assert!(group.restricted_to(&[0, 0, 1, 2]).is_none());
    assert!(group.restricted_to(&[0, 1, 2, 9]).is_none());
    assert!(Group::trivial(0).is_transitive());
    assert_eq!(Group::trivial(0).elements().count(), 1);
}

/// Too many open ties end in an error, not in exhausted memory.
#[test]
fn hopeless_searches_give_up() {
    let group = common::in_parallel(&Group::symmetric(12), 2);
    let values: Vec<u32> = (0..24)
        .map(|position| if position < 12 { 0 } else { position })
        .collect();
    assert!(matches!(
        mandala_groups::minimal_image(&group, &values),
        Err(mandala_groups::GroupError::SearchLimit { .. })
    ));
    assert!(mandala_groups::canonical_image(&group, &values).is_ok());
}
