//! Questions about each of some indices, on graphs whose edges rename.

use mandala_kripke::{
    Fairness, Indexing, KripkeError, Label, Structure, StructureBuilder, check_ctl,
};
use mandala_temporal::{Ctl, Runs};

/// Somebody holds a token and may hand it over to the other one: both states are one node, in which 0 has it. Proposition *i* says that *i* has it. The second edge exchanges the names.
fn token(may_stay: bool) -> (Structure, Vec<u32>) {
    let mut builder = StructureBuilder::new(2, 0).expect("few actors");
    let plain = builder.label(Label::default()).expect("a right label");
    let mut renamings = Vec::new();
    if may_stay {
        builder.edge(0, plain).expect("a right edge");
        renamings.push(0);
    }
    builder.edge(0, plain).expect("a right edge");
    renamings.push(1);
    let node = builder.close(&[0]).expect("a right node");
    builder.start(node);
    (builder.finish().expect("a whole structure"), renamings)
}

/// Nobody, and two who change places.
fn images() -> Vec<Vec<u32>> {
    vec![vec![0, 1], vec![1, 0]]
}

fn pairs(may_stay: bool) -> Structure {
    let (structure, renamings) = token(may_stay);
    let indexing = Indexing {
        count: 2,
        images: &images(),
        renamings: &renamings,
        first: 0,
        propositions: 1,
    };
    structure.indexed(&indexing).expect("what fits")
}

fn holds(structure: &Structure, formula: &Ctl) -> bool {
    let verdict = check_ctl(structure, formula, Fairness::None);
    verdict.expect("known propositions").holds
}

#[test]
fn each_gets_what_is_handed_on() {
    let has = Ctl::proposition(0);
    let always_some_day = has.clone().eventually(Runs::All).always(Runs::All);
    assert!(holds(&pairs(false), &always_some_day));
    assert!(
        !holds(&pairs(true), &always_some_day),
        "who has it may keep it"
    );
    assert!(holds(&pairs(true), &has.clone().always_possible()));
    assert!(!holds(&pairs(false), &has), "one of both does not have it");
}

#[test]
fn pairs_have_the_numbers_and_edges_that_are_promised() {
    let structure = pairs(true);
    assert_eq!((structure.nodes(), structure.starts()), (2, &[0, 1][..]));
    let targets = |node| -> Vec<u32> {
        let edges = structure.edges(node);
        edges.map(|edge| structure.target(edge)).collect()
    };
    assert_eq!((targets(0), targets(1)), (vec![0, 1], vec![1, 0]));
    assert!(structure.holds(0, 0) && !structure.holds(0, 1));
}

#[test]
fn an_index_that_edges_do_not_know_is_refused() {
    let (structure, renamings) = token(true);
    let indexing = Indexing {
        count: 2,
        images: &[vec![0, 1]],
        renamings: &renamings,
        first: 0,
        propositions: 1,
    };
    let refused = structure.indexed(&indexing).map(|_| ());
    assert_eq!(refused, Err(KripkeError::NotAPermutation));
}

#[test]
fn of_no_index_everything_holds() {
    let (structure, renamings) = token(true);
    let indexing = Indexing {
        count: 0,
        images: &[Vec::new(), Vec::new()],
        renamings: &renamings,
        first: 0,
        propositions: 1,
    };
    let nothing = structure.indexed(&indexing).expect("nothing fits");
    assert!(holds(&nothing, &Ctl::Constant(false)));
}
