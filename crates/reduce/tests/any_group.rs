//! All strategies under groups of all kinds, against brute force over their elements.

use crate::common::asking::Oracle;
use crate::common::{Case, bundled, load};
use mandala_groups::{Group, Permutation, Seeded};
use mandala_reduce::{Guarantee, Settings, Strategy, group, reducer};
use mandala_symmetry::{DomainKind, Permutation as Moves, Renaming};

/// Lamps that are switched on and off, and who did it last.
fn lamps(n: u32) -> Case {
    let text = format!(
        "bool on[{n}]; pid last = 255;
        active [{n}] proctype Switch() {{
            do
            :: atomic {{ on[_pid] = !on[_pid]; last = _pid }}
            :: last = 255
            od
        }}"
    );
    Case::of_families(load(&text, &[]), &[("Switch", 0..n)])
}

fn partial_maps(n: u32) -> Case {
    let model = bundled("partial-maps", &[&format!("N={n}")]);
    Case::of_families(model, &[("Process", 0..n)])
}

fn readers_writers(readers: u32, writers: u32) -> Case {
    let defines = [format!("R={readers}"), format!("W={writers}")];
    let model = bundled("readers-writers", &[&defines[0], &defines[1]]);
    let all = readers + writers;
    Case::of_families(model, &[("Reader", 0..readers), ("Writer", readers..all)])
}

/// Who has met whom, and who spoke last to whom, counted from 1, as 0 is nobody.
fn matrix() -> Case {
    let text = "
        chan hall = [0] of { pid };
        typedef Row { bool met[3]; byte last[3] };
        Row row[3];
        active [3] proctype Guest() {
            pid who = 255;
            do
            :: hall ! _pid
            :: atomic { hall ? who; row[_pid].met[who] = true; row[who].last[_pid] = _pid + 1; who = 255 }
            od
        }";
    Case::of_families(load(text, &[]), &[("Guest", 0..3)])
}

/// Clients with names that are handed out at the start.
fn named_clients() -> Case {
    let text = "
        byte holder;
        byte waits[5];
        proctype Client(byte me) {
            do
            :: atomic { holder == 0 -> holder = me }
            :: atomic { holder == me -> holder = 0; waits[me] = 0 }
            :: atomic { holder != 0 && holder != me && waits[me] < 2 -> waits[me]++ }
            od
        }
        init { run Client(1); run Client(2); run Client(3); run Client(4) }";
    Case::detected(load(text, &[]))
}

/// Workers that come one by one, at any time.
fn late_workers() -> Case {
    let text = "
        bool on[4]; byte count;
        proctype Worker() {
            do
            :: on[_pid] = !on[_pid]
            od
        }
        init {
            do
            :: count < 3 -> count++; run Worker()
            :: count == 3 -> break
            od
        }";
    Case::of_families(load(text, &[]), &[("Worker", 1..4)])
}

/// The renaming that permutes the members of all domains, numbered one after the other.
fn renaming(case: &Case, permutation: &Permutation) -> Renaming {
    let (mut processes, mut names) = ((0..64).collect::<Vec<u32>>(), Vec::new());
    let mut first = 0;
    for domain in case.certificate.domains() {
        let size = domain.kind.size() as u32;
        let image = |member: u32| permutation.image(first + member) - first;
        match &domain.kind {
            DomainKind::Processes { numbers, .. } => {
                for (member, number) in (0..).zip(numbers) {
                    processes[*number as usize] = numbers[image(member) as usize];
                }
            }
            DomainKind::Names { .. } => {
                names.push(Moves::from_images((0..size).map(image).collect()));
            }
        }
        first += size;
    }
    let processes = Moves::from_images(processes).expect("a permutation");
    let names = names.into_iter().map(|moves| moves.expect("a permutation"));
    Renaming::new(processes, names.collect())
}

fn under(case: Case, group: &Group) -> Case {
    let members: usize = case
        .certificate
        .domains()
        .iter()
        .map(|d| d.kind.size())
        .sum();
    assert_eq!(members, group.degree());
    let renamings = group.generators().iter().map(|g| renaming(&case, g));
    let renamings = renamings.collect();
    case.narrowed(renamings)
}

fn generated(degree: usize, generators: &[&[&[u32]]]) -> Group {
    let generators = generators
        .iter()
        .map(|c| Permutation::from_cycles(degree, c));
    let generators = generators.map(|g| g.expect("disjoint cycles"));
    Group::new(degree, generators.collect()).expect("of one degree")
}

/// The exchanges of pairs of n names.
fn on_pairs(n: u32) -> Group {
    let pairs: Vec<(u32, u32)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    let generators = (1..n).map(|k| {
        let moved = |name: u32| match name {
            name if name == k => k - 1,
            name if name + 1 == k => k,
            name => name,
        };
        let image = |&(a, b): &(u32, u32)| {
            let (a, b) = (moved(a), moved(b));
            let pair = (a.min(b), a.max(b));
            pairs.iter().position(|p| *p == pair).expect("a pair") as u32
        };
        Permutation::from_images(pairs.iter().map(image).collect()).expect("a permutation")
    });
    Group::new(pairs.len(), generators.collect()).expect("of one degree")
}

/// Two at a time of three pairs change places: no pair of points shows that it is not one.
fn even_flips() -> Group {
    generated(6, &[&[&[0, 1], &[2, 3]], &[&[2, 3], &[4, 5]]])
}

/// The 168 symmetries of the plane with seven points, which take any two points to any two.
fn fano() -> Group {
    generated(7, &[&[&[0, 1, 2, 3, 4, 5, 6]], &[&[1, 2], &[3, 6]]])
}

/// A group that does the same to two sets of equally many members.
fn twice(group: &Group) -> Group {
    let size = group.degree() as u32;
    let generators = group.generators().iter().map(|g| {
        let both = g.images().iter().copied();
        let both = both.chain(g.images().iter().map(|image| image + size));
        Permutation::from_images(both.collect()).expect("a permutation")
    });
    Group::new(2 * group.degree(), generators.collect()).expect("of one degree")
}

/// Groups that have more elements than are tried one by one.
fn large_cases() -> Vec<(&'static str, Case)> {
    let pairs = Group::symmetric(2).wreath(&Group::symmetric(5));
    let some_even = Group::alternating(5).direct_product(&Group::symmetric(4));
    vec![
        ("many pairs of lamps", under(lamps(10), &pairs)),
        ("seven even lamps", under(lamps(7), &Group::alternating(7))),
        (
            "writers and even readers",
            under(readers_writers(5, 4), &some_even),
        ),
    ]
}

fn cases() -> Vec<(&'static str, Case)> {
    let pairs = |top: &Group| Group::symmetric(2).wreath(top);
    vec![
        (
            "rotations of maps",
            under(partial_maps(4), &Group::cyclic(4)),
        ),
        ("turned maps", under(partial_maps(4), &Group::dihedral(4))),
        ("even maps", under(partial_maps(4), &Group::alternating(4))),
        (
            "pairs of maps",
            under(partial_maps(4), &pairs(&Group::symmetric(2))),
        ),
        (
            "maps with two that move",
            under(partial_maps(4), &generated(4, &[&[&[1, 3]]])),
        ),
        (
            "two exchanges of maps",
            under(partial_maps(4), &generated(4, &[&[&[0, 1], &[2, 3]]])),
        ),
        ("rotations of lamps", under(lamps(6), &Group::cyclic(6))),
        ("turned lamps", under(lamps(7), &Group::dihedral(7))),
        (
            "lamps at the corners of a cube",
            under(lamps(8), &Group::hypercube(3)),
        ),
        ("lamps on the edges of four", under(lamps(6), &on_pairs(4))),
        ("pairs of lamps", under(lamps(6), &pairs(&Group::cyclic(3)))),
        ("lamps in even flips", under(lamps(6), &even_flips())),
        ("lamps in a plane", under(lamps(7), &fano())),
        ("even lamps", under(lamps(6), &Group::alternating(6))),
        (
            "two rings of lamps",
            under(
                lamps(7),
                &Group::cyclic(3).direct_product(&Group::cyclic(4)),
            ),
        ),
        (
            "a ring of lamps and some others",
            under(
                lamps(7),
                &Group::cyclic(4).direct_product(&Group::symmetric(3)),
            ),
        ),
        ("lamps in step", under(lamps(6), &twice(&Group::cyclic(3)))),
        (
            "all lamps in step",
            under(lamps(6), &twice(&Group::symmetric(3))),
        ),
        ("rotations of guests", under(matrix(), &Group::cyclic(3))),
        (
            "readers and even writers",
            under(
                readers_writers(2, 4),
                &Group::symmetric(2).direct_product(&Group::alternating(4)),
            ),
        ),
        (
            "rotations of readers with writers",
            under(readers_writers(3, 3), &twice(&Group::cyclic(3))),
        ),
        (
            "late workers in a ring",
            under(late_workers(), &Group::cyclic(3)),
        ),
        (
            "late workers, two of them alike",
            under(late_workers(), &generated(3, &[&[&[0, 1]]])),
        ),
        (
            "clients turn with their names",
            under(named_clients(), &twice(&Group::cyclic(4))),
        ),
        (
            "even clients",
            under(named_clients(), &twice(&Group::alternating(4))),
        ),
        (
            "clients turn and names turn",
            under(
                named_clients(),
                &Group::cyclic(4).direct_product(&Group::dihedral(4)),
            ),
        ),
        (
            "all clients and some names",
            under(
                named_clients(),
                &Group::symmetric(4).direct_product(&generated(4, &[&[&[0, 1]]])),
            ),
        ),
    ]
}

#[test]
fn every_strategy_keeps_its_promise_under_any_group() {
    for (name, case) in &cases() {
        let mut oracle = Oracle::new(name, case);
        for strategy in Strategy::ALL {
            oracle.check(strategy);
        }
    }
}

fn check_counts(cases: Vec<(&str, Case)>, strategies: &[Strategy]) {
    for (name, case) in &cases {
        let states = case.reachable(usize::MAX);
        let (orbits, images) = case.orbits(&states);
        for &strategy in strategies {
            let found = case.search(strategy);
            match case.guarantee(strategy) {
                Guarantee::Canonical => {
                    assert_eq!(found.statistics.states, orbits, "{name}, {strategy}");
                    assert_eq!(found.reduction.not_canonical, 0, "{name}, {strategy}");
                }
                Guarantee::Sound => {
                    let bounds = orbits..=images;
                    assert!(
                        bounds.contains(&found.statistics.states),
                        "{name}, {strategy}"
                    );
                }
                // What it leaves out keeps more states apart.
                Guarantee::MayMiss => {
                    assert!(found.statistics.states <= images, "{name}, {strategy}")
                }
            }
        }
    }
}

#[test]
fn searches_find_as_many_representatives_as_there_are_orbits_under_any_group() {
    check_counts(cases(), &Strategy::ALL);
}

#[test]
fn every_group_reduces_something() {
    for (name, case) in cases().iter().chain(&large_cases()) {
        let states = case.reachable(usize::MAX).len() as u64;
        assert!(case.count(Strategy::Auto) < states, "{name}");
    }
}

/// Groups generated by random permutations of equally many members in each of several domains.
fn random_groups(sizes: &[usize], count: usize) -> Vec<Group> {
    let mut random = Seeded::new(4);
    let permutation = |random: &mut Seeded| {
        let mut images = Vec::new();
        for size in sizes {
            let start = images.len() as u32;
            // Powers of random permutations fix some points, and generate small groups.
            let power = 1 + random.below(4) as i64;
            let own = Permutation::random(*size, random).power(power);
            images.extend(own.images().iter().map(|image| start + image));
        }
        Permutation::from_images(images).expect("a permutation")
    };
    let mut groups = Vec::new();
    while groups.len() < count {
        let generators = (0..=random.below(2)).map(|_| permutation(&mut random));
        let group = Group::new(sizes.iter().sum(), generators.collect()).expect("of one degree");
        if !group.is_trivial() {
            groups.push(group);
        }
    }
    groups
}

#[test]
fn searches_find_as_many_representatives_as_there_are_orbits_under_random_groups() {
    let strategies = [Strategy::Auto, Strategy::FirstMet, Strategy::Segmented];
    let on_lamps = random_groups(&[6], 25);
    let cases = on_lamps
        .iter()
        .map(|group| ("lamps", under(lamps(6), group)));
    check_counts(cases.collect(), &strategies);
    let on_maps = random_groups(&[4], 10);
    let cases = on_maps
        .iter()
        .map(|group| ("maps", under(partial_maps(4), group)));
    check_counts(cases.collect(), &strategies);
    let on_both = random_groups(&[4, 4], 25);
    let cases = on_both
        .iter()
        .map(|group| ("clients", under(named_clients(), group)));
    check_counts(cases.collect(), &strategies);
}

#[test]
fn searches_find_as_many_representatives_as_there_are_orbits_under_large_groups() {
    let fast = [Strategy::Auto, Strategy::LocalSearch, Strategy::FirstMet];
    check_counts(large_cases(), &fast);
    for (name, case) in &large_cases() {
        Oracle::new(name, case).check(Strategy::Auto);
    }
}

/// What is said about a search with a strategy.
fn told(case: &Case, strategy: Strategy) -> mandala_reduce::Description {
    let settings = Settings::default();
    let mut make = || {
        let reducer = reducer(&case.model, &case.certificate, strategy, &settings);
        reducer.expect("supported")
    };
    let options = mandala_explicit::Options::default();
    let found = mandala_explicit::search_reduced(&case.program, &options, &mut make, &mut |_| {});
    let (_, reducers) = found.expect("the options go together");
    reducers[0].description()
}

#[test]
fn the_groups_that_are_used_are_named() {
    let structures = |case: &Case| -> Vec<(String, String)> {
        let groups = told(case, Strategy::Auto).groups.into_iter();
        groups.map(|g| (g.order.to_string(), g.structure)).collect()
    };
    let one = |order: &str, structure: &str| vec![(order.to_string(), structure.to_string())];
    let cube = under(lamps(8), &Group::hypercube(3));
    assert_eq!(structures(&cube), one("48", "2^3 : S3"));
    let both = Group::cyclic(4).direct_product(&Group::symmetric(3));
    assert_eq!(structures(&under(lamps(7), &both)), one("24", "S3 x C4"));
    // Clients and their names are permuted in step, and count once.
    let clients = under(named_clients(), &twice(&Group::cyclic(4)));
    assert_eq!(structures(&clients), one("4", "C4"));
}

#[test]
fn what_a_strategy_cannot_permute_is_left_out_and_that_is_said() {
    let both = Group::symmetric(2).direct_product(&Group::cyclic(4));
    let case = under(readers_writers(2, 4), &both);
    for strategy in Strategy::ALL {
        let told = told(&case, strategy);
        let left_out: Vec<&str> = told
            .left_out
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let expected: &[&str] = if strategy.needs_full() {
            &["Writer"]
        } else {
            &[]
        };
        assert_eq!(left_out, expected, "{strategy}");
        let orders: Vec<String> = told.groups.iter().map(|g| g.order.to_string()).collect();
        let expected = if strategy.needs_full() { "2" } else { "8" };
        assert_eq!(orders, [expected], "{strategy}");
    }
}

/// The order, the structure and the number of generators of the group that is reported.
fn reported(case: &Case) -> (String, String, usize) {
    let found = group(&case.model, &case.certificate, &case.program);
    for generator in &found.generators {
        let element = case.certificate.points(generator).expect("of its domains");
        let all = case.certificate.group().expect("a group");
        assert!(all.contains(&element), "a generator is not certified");
    }
    (
        found.order.to_string(),
        found.structure,
        found.generators.len(),
    )
}

#[test]
fn the_reported_group_is_within_the_certified_one() {
    let expect = |case: Case, order: &str, structure: &str, generators: usize| {
        let expected = (order.to_string(), structure.to_string(), generators);
        assert_eq!(reported(&case), expected);
    };
    expect(under(lamps(7), &Group::cyclic(7)), "7", "C7", 1);
    expect(under(lamps(8), &Group::hypercube(3)), "48", "2^3 : S3", 2);
    expect(
        under(lamps(6), &even_flips()),
        "4",
        "order 4 on 6 points",
        2,
    );
    expect(under(lamps(5), &Group::alternating(5)), "60", "A5", 2);
    expect(under(lamps(6), &Group::symmetric(6)), "720", "S6", 2);
    let clients = twice(&Group::dihedral(4));
    expect(under(named_clients(), &clients), "8", "D4", 2);
    // Clients keep their names: of the turns of both only those in step do that.
    let apart = Group::cyclic(4).direct_product(&Group::cyclic(4));
    expect(under(named_clients(), &apart), "4", "C4", 1);
}
