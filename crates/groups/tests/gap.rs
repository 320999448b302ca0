//! Against GAP: `data/gap.txt` holds what GAP 4.12 said about some two hundred groups, and
//! `data/gap.g` is the program that asked.

use crate::common::set;
use mandala_groups::{BigUint, Group, Permutation};
use std::collections::{BTreeSet, HashMap};

/// One group and GAP's answers, by key.
struct Record {
    answers: HashMap<&'static str, &'static str>,
}

fn records() -> Vec<Record> {
    let blocks = include_str!("data/gap.txt")
        .split("\n\n")
        .filter(|block| !block.trim().is_empty());
    let parse = |block: &'static str| Record {
        answers: block
            .lines()
            .map(|line| {
                line.split_once(": ")
                    .unwrap_or((line.trim_end_matches(':'), ""))
            })
            .collect(),
    };
    blocks.map(parse).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

fn rows(text: &str) -> Vec<Vec<u32>> {
    text.split('|')
        .map(numbers)
        .filter(|row| !row.is_empty())
        .collect()
}

impl Record {
    fn answer(&self, key: &str) -> &str {
        self.answers
            .get(key)
            .unwrap_or_else(|| panic!("{} has no {key}", self.name()))
    }

    fn has(&self, key: &str) -> bool {
        self.answers.contains_key(key)
    }

    fn name(&self) -> &str {
        self.answers["group"]
    }

    fn order(&self, key: &str) -> BigUint {
        self.answer(key).parse().unwrap()
    }

    fn group(&self) -> Group {
        let degree = self.answer("degree").parse().unwrap();
        let generators = rows(self.answer("generators")).into_iter();
        let generators = generators
            .map(|images| Permutation::from_images(images).unwrap())
            .collect();
        Group::new(degree, generators).unwrap()
    }
}

/// Runs `check` on every record that has GAP's answer to `key`, of which there must be many.
fn for_all(key: &str, check: impl Fn(&Record, &Group)) {
    let records: Vec<_> = records()
        .into_iter()
        .filter(|record| record.has(key))
        .collect();
    assert!(
        records.len() >= 150,
        "only {} records have {key}",
        records.len()
    );
    records
        .iter()
        .for_each(|record| check(record, &record.group()));
}

#[test]
fn orders() {
    for_all("order", |record, group| {
        assert_eq!(group.order(), record.order("order"), "{}", record.name())
    });
}

#[test]
fn orbits() {
    for_all("orbits", |record, group| {
        assert_eq!(
            group.orbits(),
            rows(record.answer("orbits")),
            "{}",
            record.name()
        );
        assert_eq!(
            group.is_transitive().to_string(),
            record.answer("transitive"),
            "{}",
            record.name()
        );
    });
}

#[test]
fn minimal_blocks() {
    for_all("blocks", |record, group| {
        let moved = (0..)
            .find(|&point| group.orbit(point).unwrap().points().len() > 1)
            .unwrap();
        let systems = group.minimal_block_systems(moved).unwrap();
        let containing = systems.iter().map(|system| set(&system.blocks()[0]));
        let expected: BTreeSet<_> = rows(record.answer("blocks"))
            .iter()
            .map(|block| set(block))
            .collect();
        assert_eq!(
            containing.collect::<BTreeSet<_>>(),
            expected,
            "{}",
            record.name()
        );
    });
}

#[test]
fn stabilisers_of_points() {
    for_all("stabilised", |record, group| {
        let points = numbers(record.answer("stabilised"));
        let orders = record.answer("stabilisers").split_whitespace();
        for (count, order) in orders.enumerate() {
            let stabiliser = group.stabiliser(&points[..=count]).unwrap();
            assert_eq!(
                stabiliser.order().to_string(),
                order,
                "{} {points:?}",
                record.name()
            );
        }
    });
}

#[test]
fn stabilisers_of_sets() {
    for_all("set", |record, group| {
        let stabiliser = group
            .set_stabiliser(&numbers(record.answer("set")))
            .unwrap();
        assert_eq!(
            stabiliser.order(),
            record.order("set_stabiliser"),
            "{}",
            record.name()
        );
    });
}

#[test]
fn stabilisers_of_colourings() {
    for_all("colours", |record, group| {
        let stabiliser = group
            .colouring_stabiliser(&numbers(record.answer("colours")))
            .unwrap();
        assert_eq!(
            stabiliser.order(),
            record.order("colouring_stabiliser"),
            "{}",
            record.name()
        );
    });
}

#[test]
fn intersections_with_conjugates() {
    for_all("conjugator", |record, group| {
        let conjugator = Permutation::from_images(numbers(record.answer("conjugator"))).unwrap();
        let both = group
            .intersection(&group.conjugate(&conjugator).unwrap())
            .unwrap();
        assert_eq!(
            both.order(),
            record.order("intersection"),
            "{}",
            record.name()
        );
    });
}

/// The names that GAP's constructions had are recognised, and the general ones are not mistaken.
#[test]
fn structures() {
    for_all("order", |record, group| {
        let structure = group.structure();
        structure
            .certify(group)
            .unwrap_or_else(|wrong| panic!("{}: {wrong}", record.name()));
        let name = structure.to_string();
        match record.name() {
            plain @ ("D3" | "A3" | "C2") => assert!(
                ["S3", "C3", "S2"].contains(&name.as_str()),
                "{plain}: {name}"
            ),
            "S2 wr S2" | "C2 wr C2" => assert_eq!(name, "D4"),
            symmetric if symmetric.starts_with("S") && symmetric.contains(" wr S") => {
                assert_eq!(name, symmetric)
            }
            hypercube if hypercube.starts_with("hypercube") => {
                let d = &hypercube["hypercube ".len()..];
                assert_eq!(
                    name,
                    if d == "2" {
                        "D4".to_owned()
                    } else {
                        format!("2^{d} : S{d}")
                    }
                );
            }
            mathieu if mathieu.starts_with('M') => {
                assert!(name.starts_with("order "), "{mathieu}: {name}")
            }
            single if !single.contains(' ') => assert_eq!(name, single),
            pairs if pairs.ends_with(" and pairs") => {
                assert!(
                    name.starts_with(&pairs[..2]) && name.contains("carrying"),
                    "{pairs}: {name}"
                );
            }
            _ => {}
        }
    });
}
