//! Structure recognition: every kind in disguise, and look-alikes that must not be taken in.

use crate::common::{acting, disguised, group, in_parallel, with_pairs};
use mandala_groups::{
    Carrying, Factor, Family, Group, Natural, Permutation, Seeded, Shape, Structure, Wreath,
};

/// Recognises the group in several disguises; each time the name must be `expected` and the claim true.
fn check(group: &Group, expected: &str) {
    let mut random = Seeded::new(42);
    for _ in 0..5 {
        let hidden = disguised(group, &mut random);
        let structure = hidden.structure();
        assert_eq!(structure.to_string(), expected, "{:?}", hidden.generators());
        assert_certified(&structure, &hidden);
    }
}

fn assert_certified(structure: &Structure, group: &Group) {
    structure.certify(group).unwrap();
    assert_eq!(structure.order(), group.order());
    let described = Group::new(group.degree(), structure.generators()).unwrap();
    assert!(
        described.is_same_as(group),
        "the description generates the group"
    );
    let moved: Vec<u32> = structure
        .factors
        .iter()
        .flat_map(|factor| factor.points.clone())
        .collect();
    assert!(
        group
            .orbits()
            .iter()
            .filter(|orbit| orbit.len() > 1)
            .flatten()
            .all(|p| moved.contains(p))
    );
}

fn s(n: usize) -> Group {
    Group::symmetric(n)
}

#[test]
fn nothing_to_recognise() {
    check(&Group::trivial(5), "trivial");
    check(&Group::trivial(0), "trivial");
    check(&s(1), "trivial");
}

#[test]
fn natural_families() {
    for n in [2, 3, 4, 7, 20] {
        check(&s(n), &format!("S{n}"));
    }
    for n in [4, 5, 6, 13] {
        check(&Group::alternating(n), &format!("A{n}"));
    }
    for n in [3, 4, 5, 6, 8, 12, 30] {
        check(&Group::cyclic(n), &format!("C{n}"));
    }
    for n in [4, 5, 6, 8, 9, 12, 30] {
        check(&Group::dihedral(n), &format!("D{n}"));
    }
    for d in 3..=6 {
        check(&Group::hypercube(d), &format!("2^{d} : S{d}"));
    }
}

#[test]
fn small_coincidences_have_one_name() {
    check(&Group::dihedral(3), "S3");
    check(&Group::alternating(3), "C3");
    check(&Group::cyclic(2), "S2");
    check(&s(2).wreath(&s(2)), "D4");
    check(&Group::hypercube(2), "D4");
    check(&Group::hypercube(1), "S2");
}

#[test]
fn bundles_of_parallel_orbits() {
    check(&in_parallel(&s(5), 4), "S5");
    check(&in_parallel(&Group::alternating(5), 3), "A5");
    check(&in_parallel(&Group::cyclic(6), 3), "C6");
    check(&in_parallel(&Group::dihedral(7), 2), "D7");
    check(&in_parallel(&Group::hypercube(3), 2), "2^3 : S3");
    check(&in_parallel(&s(3).wreath(&s(4)), 2), "S3 wr S4");
}

#[test]
fn bundles_correspond_position_by_position() {
    let mut random = Seeded::new(5);
    let hidden = disguised(&in_parallel(&s(4), 3), &mut random);
    let structure = hidden.structure();
    let [factor] = structure.factors.as_slice() else {
        panic!("{structure}")
    };
    let Shape::Natural(Natural {
        family: Family::Symmetric,
        bundles,
    }) = &factor.shape
    else {
        panic!("{structure}")
    };
    assert_eq!((bundles.len(), bundles[0].len()), (4, 3));
    let mut images: Vec<u32> = (0..hidden.degree() as u32).collect();
    for position in 0..3 {
        images[bundles[1][position] as usize] = bundles[3][position];
        images[bundles[3][position] as usize] = bundles[1][position];
    }
    assert!(hidden.contains(&Permutation::from_images(images).unwrap()));
}

#[test]
fn rings_come_in_cyclic_order() {
    let mut random = Seeded::new(6);
    let hidden = disguised(&in_parallel(&Group::cyclic(9), 2), &mut random);
    let structure = hidden.structure();
    let Shape::Natural(Natural {
        family: Family::Cyclic,
        bundles,
    }) = &structure.factors[0].shape
    else {
        panic!("{structure}")
    };
    let mut images: Vec<u32> = (0..hidden.degree() as u32).collect();
    for index in 0..9 {
        for position in 0..2 {
            images[bundles[index][position] as usize] = bundles[(index + 1) % 9][position];
        }
    }
    assert!(hidden.contains(&Permutation::from_images(images).unwrap()));
}

#[test]
fn wreath_products() {
    check(&s(3).wreath(&s(2)), "S3 wr S2");
    check(&s(2).wreath(&s(5)), "S2 wr S5");
    check(&s(3).wreath(&s(6)), "S3 wr S6");
    check(&Group::cyclic(3).wreath(&Group::cyclic(4)), "C3 wr C4");
    check(
        &Group::alternating(4).wreath(&Group::dihedral(5)),
        "A4 wr D5",
    );
    check(&Group::dihedral(5).wreath(&s(3)), "D5 wr S3");
    check(&s(2).wreath(&s(3)).wreath(&s(2)), "(S2 wr S3) wr S2");
    check(&s(3).wreath(&Group::hypercube(3)), "S3 wr (2^3 : S3)");
}

/// A server with its clients in each block: an orbit of servers and one of clients.
#[test]
fn wreath_products_over_several_orbits() {
    let server_and_clients = |clients: usize| Group::trivial(1).direct_product(&s(clients));
    check(&server_and_clients(3).wreath(&s(2)), "S3 wr S2");
    check(&server_and_clients(4).wreath(&s(3)), "S4 wr S3");
    check(
        &in_parallel(&server_and_clients(3).wreath(&s(3)), 2),
        "S3 wr S3",
    );
    check(&s(3).direct_product(&s(2)).wreath(&s(4)), "(S3 x S2) wr S4");
    check(
        &with_pairs(&s(4)).wreath(&s(2)),
        "(S4 carrying 12 points) wr S2",
    );
}

#[test]
fn direct_products() {
    check(&product(&[s(4), s(3)]), "S4 x S3");
    check(&product(&[s(3), s(4), s(3), s(3)]), "S4 x S3 x S3 x S3");
    check(&product(&[s(3), s(3), s(3), s(2), s(3)]), "S3^4 x S2");
    check(
        &product(&[Group::cyclic(5), Group::dihedral(4), s(2)]),
        "D4 x C5 x S2",
    );
    check(
        &product(&[s(3).wreath(&s(2)), Group::cyclic(7)]),
        "(S3 wr S2) x C7",
    );
    check(
        &product(&[Group::hypercube(3), in_parallel(&s(4), 3)]),
        "(2^3 : S3) x S4",
    );
    check(&product(&[Group::cyclic(2), Group::cyclic(3)]), "C3 x S2");
    check(
        &product(&[with_pairs(&s(4)), s(5)]),
        "S5 x (S4 carrying 12 points)",
    );
}

fn product(factors: &[Group]) -> Group {
    factors
        .iter()
        .skip(1)
        .fold(factors[0].clone(), |product, next| {
            product.direct_product(next)
        })
}

#[test]
fn carried_points() {
    check(&with_pairs(&s(5)), "S5 carrying 20 points");
    check(&with_pairs(&Group::alternating(5)), "A5 carrying 20 points");
    check(&even_ring_with_edges(6), "D6 carrying 6 points");
    check(&hypercube_with_edges(4), "(2^4 : S4) carrying 32 points");
    check(&matrix(4, 3), "(S4 x S3) carrying 12 points");
    // An odd ring turns its edges as its corners.
    check(&even_ring_with_edges(7), "D7");
}

/// The rows, the columns and the cells of a matrix whose rows and columns may be permuted.
fn matrix(rows: u32, columns: u32) -> Group {
    let sides = s(rows as usize).direct_product(&s(columns as usize));
    let names = rows + columns;
    acting(&sides, names + rows * columns, |g, point| {
        match point.checked_sub(names) {
            None => g.image(point),
            Some(cell) => {
                let (row, column) = (
                    g.image(cell / columns),
                    g.image(rows + cell % columns) - rows,
                );
                names + row * columns + column
            }
        }
    })
}

/// Corners i and edges n + i from i to i + 1.
fn even_ring_with_edges(n: u32) -> Group {
    acting(
        &Group::dihedral(n as usize),
        2 * n,
        |g, point| match point.checked_sub(n) {
            None => g.image(point),
            Some(edge) => {
                let (a, b) = (g.image(edge), g.image((edge + 1) % n));
                n + if (a + 1) % n == b { a } else { b }
            }
        },
    )
}

fn hypercube_with_edges(d: u32) -> Group {
    let corners = 1 << d;
    let edges: Vec<(u32, u32)> = (0..corners)
        .flat_map(|a| (0..d).map(move |bit| (a, a ^ (1 << bit))))
        .filter(|(a, b)| a < b)
        .collect();
    acting(
        &Group::hypercube(d),
        corners + edges.len() as u32,
        |g, point| match point.checked_sub(corners) {
            None => g.image(point),
            Some(edge) => {
                let (a, b) = edges[edge as usize];
                let ends = (g.image(a).min(g.image(b)), g.image(a).max(g.image(b)));
                corners + edges.iter().position(|edge| *edge == ends).unwrap() as u32
            }
        },
    )
}

#[test]
fn signs_are_no_products() {
    // S3 on three points, its sign on two more: order 6, not 12, and not a bundle either.
    check(
        &group(5, &["(0 1)(3 4)", "(0 1 2)"]),
        "S3 carrying 2 points",
    );
    // Two symmetric groups glued together at their signs.
    check(
        &group(6, &["(0 1 2)", "(3 4 5)", "(0 1)(3 4)"]),
        "order 18 on 6 points",
    );
    check(
        &group(
            8,
            &["(0 1 2)", "(1 2 3)", "(4 5 6)", "(5 6 7)", "(0 1)(4 5)"],
        ),
        "order 288 on 8 points",
    );
    // C4 and the pair that it swaps.
    check(&group(6, &["(0 1 2 3)(4 5)"]), "C4 carrying 2 points");
    // Three pairs, two of which determine the third.
    check(
        &group(6, &["(0 1)(2 3)", "(2 3)(4 5)"]),
        "order 4 on 6 points",
    );
}

#[test]
fn twisted_copies_are_no_bundles() {
    // S6 on six points and, through its outer automorphism, on six more.
    let synthemes = exotic_s6();
    let text = synthemes.structure().to_string();
    assert_eq!(text, "S6 carrying 6 points");
    assert_eq!(synthemes.order().to_string(), "720");
    // S4 on four points and, through its quotient S3, on three.
    check(
        &group(7, &["(0 1 2 3)(4 6)", "(0 1)(5 6)"]),
        "S4 carrying 3 points",
    );
}

/// S6 on 6 points, the 15 pairs of them partitioned into 6 totals (sets of five disjoint
/// synthemes), on which it acts as on six other points.
fn exotic_s6() -> Group {
    let totals = totals();
    acting(&s(6), 12, |g, point| match point.checked_sub(6) {
        None => g.image(point),
        Some(index) => {
            let moved = sorted(totals[index as usize].iter().map(|syntheme| {
                sorted(syntheme.iter().map(|&(a, b)| {
                    let (a, b) = (g.image(a), g.image(b));
                    (a.min(b), a.max(b))
                }))
            }));
            6 + totals.iter().position(|total| *total == moved).unwrap() as u32
        }
    })
}

type Syntheme = Vec<(u32, u32)>;

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items
}

fn totals() -> Vec<Vec<Syntheme>> {
    let duads: Vec<(u32, u32)> = (0..6)
        .flat_map(|a| (a + 1..6).map(move |b| (a, b)))
        .collect();
    let apart =
        |x: &(u32, u32), y: &(u32, u32)| x.0 != y.0 && x.0 != y.1 && x.1 != y.0 && x.1 != y.1;
    let mut synthemes = Vec::new();
    for x in &duads {
        for y in duads.iter().filter(|y| *y > x && apart(x, y)) {
            for z in duads
                .iter()
                .filter(|z| *z > y && apart(x, z) && apart(y, z))
            {
                synthemes.push(vec![*x, *y, *z]);
            }
        }
    }
    let disjoint = |s: &Syntheme, t: &Syntheme| s.iter().all(|duad| !t.contains(duad));
    let mut totals: Vec<Vec<Syntheme>> = vec![Vec::new()];
    for _ in 0..5 {
        totals = totals
            .iter()
            .flat_map(|total| {
                let fits = |next: &&Syntheme| {
                    total.last().is_none_or(|last| last < *next)
                        && total.iter().all(|one| disjoint(one, next))
                };
                synthemes
                    .iter()
                    .filter(fits)
                    .map(|next| [total.clone(), vec![next.clone()]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    totals
}

#[test]
fn look_alikes_stay_general() {
    // M11 on 12 points: transitive, even three times, but not A12.
    let m11 = group(12, &["(0 1 2 3 4 5 6 7 8 9 10)", "(2 6 10 7)(3 9 4 5)"]);
    check(&m11, "order 7920 on 11 points");
    let m11_on_12 = group(
        12,
        &["(0 3 10 7 4 1)(2 8)(5 6 11)", "(0 7 4 10 9 11 1 3 8 5 6)"],
    );
    check(&m11_on_12, "order 7920 on 12 points");
    // The Klein group: neither C4 nor D2.
    check(
        &group(4, &["(0 1)(2 3)", "(0 2)(1 3)"]),
        "order 4 on 4 points",
    );
    // The quaternions and C4 x C2, acting regularly: of the order of D4, or of C8, but neither.
    check(
        &group(8, &["(0 1 2 3)(4 5 6 7)", "(0 4 2 6)(1 7 3 5)"]),
        "order 8 on 8 points",
    );
    check(
        &group(8, &["(0 1 2 3)(4 5 6 7)", "(0 4)(1 5)(2 6)(3 7)"]),
        "order 8 on 8 points",
    );
    // AGL(1, 5): contains C5 and has a point stabiliser, but is not D5.
    check(
        &group(5, &["(0 1 2 3 4)", "(1 2 4 3)"]),
        "order 20 on 5 points",
    );
    // Modular and semidihedral groups of order 16 on 8 points: order of D8, with an 8-cycle.
    check(
        &group(8, &["(0 1 2 3 4 5 6 7)", "(1 5)(3 7)"]),
        "order 16 on 8 points",
    );
    check(
        &group(8, &["(0 1 2 3 4 5 6 7)", "(1 3)(2 6)(5 7)"]),
        "order 16 on 8 points",
    );
    // PSL(2, 5) on six points is A5, but not in its natural action.
    check(
        &group(6, &["(0 1 2 3 4)", "(0 5)(1 4)"]),
        "order 60 on 6 points",
    );
    // S4 on the six edges of a tetrahedron.
    check(
        &group(6, &["(0 3 5 2)(1 4)", "(1 3)(2 4)"]),
        "order 24 on 6 points",
    );
}

#[test]
fn parts_of_wreath_products_are_not_the_whole() {
    // Even permutations of S2 wr S3, and S2 wr S4 with an even number of swaps.
    let even = |g: Group| g.intersection(&Group::alternating(g.degree())).unwrap();
    check(&even(s(2).wreath(&s(3))), "order 24 on 6 points");
    check(&even(s(3).wreath(&s(2))), "order 36 on 6 points");
    let few_swaps = group(8, &["(0 1)(2 3)", "(0 2 4 6)(1 3 5 7)", "(0 2)(1 3)"]);
    check(&few_swaps, "order 192 on 8 points");
}

/// A wrong claim is refuted, whatever part of it is wrong.
#[test]
fn certification_refuses_lies() {
    let ring = Group::cyclic(6);
    let truth = ring.structure();
    assert_eq!(truth.certify(&ring), Ok(()));
    let lie = |change: &dyn Fn(&mut Structure)| {
        let mut lie = truth.clone();
        change(&mut lie);
        assert!(lie.certify(&ring).is_err(), "{lie}");
    };
    let set_shape = |structure: &mut Structure, family, bundles: Vec<Vec<u32>>| {
        structure.factors[0].shape = Shape::Natural(Natural { family, bundles });
    };
    let singles = |points: [u32; 6]| points.map(|point| vec![point]).to_vec();
    lie(&|s| set_shape(s, Family::Dihedral, singles([0, 1, 2, 3, 4, 5])));
    lie(&|s| set_shape(s, Family::Cyclic, singles([0, 2, 1, 3, 4, 5])));
    lie(&|s| set_shape(s, Family::Cyclic, singles([0, 1, 2, 3, 4, 4])));
    lie(&|s| set_shape(s, Family::Cyclic, vec![vec![0, 1, 2], vec![3, 4, 5]]));
    lie(&|s| s.factors[0].points = vec![0, 1, 2, 3, 4]);
    lie(&|s| s.factors[0].order += 1u32);
    lie(&|s| s.factors.clear());
    lie(&|s| s.degree = 7);
    lie(&|s| set_shape(s, Family::Cyclic, singles([0, 1, 2, 3, 4, 99])));
    lie(&|s| set_shape(s, Family::Cyclic, vec![]));
    lie(&|s| s.factors[0].points = vec![0, 1, 2, 3, 4, 99]);
    lie(&|s| s.factors[0].generators = Family::Cyclic.generators(7));
    let double = truth.factors[0].clone();
    lie(&|s| s.factors.push(double.clone()));
    assert!(
        truth.certify(&Group::dihedral(6)).is_err(),
        "a subgroup is not the group"
    );
    assert!(Group::dihedral(6).structure().certify(&ring).is_err());
}

/// Degenerate names: a ring of two would have four symmetries by the formula, and has two.
#[test]
fn certification_refuses_groups_that_do_not_exist() {
    let klein = group(4, &["(0 1)(2 3)", "(0 2)(1 3)"]);
    let mut structure = klein.structure();
    let bundles = vec![vec![0, 1], vec![2, 3]];
    structure.factors[0].shape = Shape::Natural(Natural {
        family: Family::Dihedral,
        bundles,
    });
    assert!(structure.certify(&klein).is_err());
}

/// S4 acts on three points as S3, but these do not determine what it does to the four.
#[test]
fn certification_refuses_names_that_do_not_determine_the_rest() {
    let s4 = group(7, &["(0 1 2 3)(4 6)", "(0 1)(5 6)"]);
    let mut structure = s4.structure();
    let bundles = vec![vec![4], vec![5], vec![6]];
    let names = Factor {
        points: vec![4, 5, 6],
        order: Family::Symmetric.order(3),
        generators: vec![Permutation::parse("(4 5)", 7).unwrap()],
        shape: Shape::Natural(Natural {
            family: Family::Symmetric,
            bundles,
        }),
    };
    structure.factors[0].shape = Shape::Carrying(Carrying {
        names: Structure {
            degree: 7,
            factors: vec![names],
        },
        carried: vec![0, 1, 2, 3],
    });
    let wrong = structure.certify(&s4).unwrap_err();
    assert!(wrong.to_string().contains("not faithful"), "{wrong}");
}

/// A description in which one thing is wrong deep inside.
#[test]
fn certification_looks_into_wreath_products_and_names() {
    let wreath = s(3).wreath(&s(4));
    let change_wreath = |change: &dyn Fn(&mut Wreath)| {
        let mut structure = wreath.structure();
        let Shape::Wreath(inside) = &mut structure.factors[0].shape else {
            panic!("{structure}")
        };
        change(inside);
        assert!(structure.certify(&wreath).is_err(), "{structure}");
    };
    change_wreath(&|wreath| {
        let point = wreath.blocks[0][0];
        wreath.blocks[0][0] = std::mem::replace(&mut wreath.blocks[1][0], point);
    });
    change_wreath(&|wreath| wreath.blocks[0].truncate(2));
    change_wreath(&|wreath| wreath.blocks.clear());
    change_wreath(&|wreath| wreath.inner = s(2).structure());
    change_wreath(&|wreath| wreath.inner = Group::cyclic(3).structure());
    change_wreath(&|wreath| wreath.inner.factors[0].points[2] = 7);
    change_wreath(&|wreath| *wreath.top = Shape::General);
    change_wreath(&|wreath| *wreath.top = Group::cyclic(4).structure().factors[0].shape.clone());
    change_wreath(&|wreath| *wreath.top = s(5).structure().factors[0].shape.clone());

    let pairs = with_pairs(&s(4));
    let change_names = |change: &dyn Fn(&mut Carrying)| {
        let mut structure = pairs.structure();
        let Shape::Carrying(inside) = &mut structure.factors[0].shape else {
            panic!("{structure}")
        };
        change(inside);
        assert!(structure.certify(&pairs).is_err(), "{structure}");
    };
    change_names(&|carrying| carrying.carried.clear());
    change_names(&|carrying| carrying.carried[0] = 0);
    change_names(&|carrying| carrying.names.degree = 4);
    change_names(&|carrying| carrying.names.factors.clear());
    change_names(&|carrying| carrying.names.factors[0].shape = Shape::General);
    change_names(&|carrying| carrying.names.factors[0].order += 1u32);
}
