//! What is found while a graph is written down is what is found on the whole graph.

use crate::common::dice::RandomSource;
use crate::common::oracle::Oracle;
use crate::common::world::{World, enlarged, random_acceptor, random_automaton};
use mandala_kripke::{
    Acceptor, Acts, Fairness, Growing, KripkeError, Length, Structure, Unfold, find_lasso,
    find_lasso_within, has_run,
};
use mandala_temporal::Guard;
use std::ops::Range;
use std::sync::Arc;

/// Tells of a structure what it is asked for.
struct Telling<'s> {
    structure: &'s Structure,
    /// The number that each node has got, by its own number.
    numbers: Vec<Option<u32>>,
    /// The nodes by the numbers that they have got.
    nodes: Vec<u32>,
    told: usize,
}

impl Telling<'_> {
    fn number(&mut self, node: u32, graph: &mut Growing) -> Result<u32, KripkeError> {
        if let Some(known) = self.numbers[node as usize] {
            return Ok(known);
        }
        let number = graph.node()?;
        self.numbers[node as usize] = Some(number);
        self.nodes.push(node);
        Ok(number)
    }
}

fn bits(actors: &[u16]) -> u64 {
    actors.iter().fold(0, |bits, actor| bits | 1 << actor)
}

impl Unfold for Telling<'_> {
    type Stop = KripkeError;

    fn unfold(
        &mut self,
        node: u32,
        _: u32,
        graph: &mut Growing,
        _: usize,
    ) -> Result<(), KripkeError> {
        self.told += 1;
        let (structure, own) = (self.structure, self.nodes[node as usize]);
        let begin = graph.edges();
        for edge in structure.edges(own) {
            let target = self.number(structure.target(edge), graph)?;
            let label = structure.label(edge);
            let acts = Acts {
                acting: bits(label.acts()),
                offered: bits(label.offers()),
            };
            graph.edge(target, acts)?;
        }
        let all = 0..structure.propositions() as u32;
        let holding: Vec<u32> = all.filter(|p| structure.holds(*p, own)).collect();
        graph.close(node, begin, &holding)
    }
}

/// Whether there is a run, and how many nodes had to be told for that.
fn look(structure: &Structure, automaton: &Acceptor, fairness: Fairness) -> (bool, usize) {
    let mut telling = Telling {
        structure,
        numbers: vec![None; structure.nodes()],
        nodes: Vec::new(),
        told: 0,
    };
    let mut graph = Growing::new(structure.propositions(), fairness == Fairness::Weak);
    for &start in structure.starts() {
        let start = telling.number(start, &mut graph).unwrap();
        graph.start(start);
    }
    let found = has_run(&mut graph, automaton, &mut telling).unwrap();
    let (known, unfolded) = graph.structure().unwrap();
    let lasso = find_lasso_within(&known, automaton, fairness, &unfolded).unwrap();
    assert_eq!(lasso.is_some(), found, "what is found can be shown");
    if let Some(lasso) = lasso {
        let moves = lasso.prefix.iter().chain(&lasso.cycle);
        assert!(
            moves
                .into_iter()
                .all(|step| unfolded.has(step.node as usize))
        );
    }
    (found, telling.told)
}

#[test]
fn it_decides_as_the_oracle_does() {
    let (mut found, mut unfair, mut saved) = (0, 0, 0);
    for seed in 0..4000 {
        let mut dice = RandomSource::new(seed);
        let structure = World::random(&mut dice).concrete();
        let automaton = random_acceptor(&mut dice);
        let oracle = Oracle::new(&structure, &automaton);
        let verdicts = [Fairness::None, Fairness::Weak].map(|fairness| {
            let (runs, told) = look(&structure, &automaton, fairness);
            assert_eq!(runs, oracle.accepts(fairness), "seed {seed}, {fairness:?}");
            saved += structure.nodes() - told;
            runs
        });
        found += usize::from(verdicts[1]);
        unfair += usize::from(verdicts[0] && !verdicts[1]);
    }
    // The cases are worth something only if fairness often decides, and not everything is looked at.
    assert!(
        found > 100 && unfair > 100 && saved > 1000,
        "{found} {unfair} {saved}"
    );
}

#[test]
fn a_node_that_nothing_follows_repeats() {
    let mut graph = Growing::new(0, true);
    let node = graph.node().unwrap();
    graph.start(node);
    graph.close(node, 0, &[]).unwrap();
    struct Nobody;
    impl Unfold for Nobody {
        type Stop = KripkeError;
        fn unfold(
            &mut self,
            node: u32,
            _: u32,
            _: &mut Growing,
            _: usize,
        ) -> Result<(), KripkeError> {
            Err(KripkeError::UnknownNode(node))
        }
    }
    let always = Acceptor::always(Guard::True);
    assert_eq!(has_run(&mut graph, &always, &mut Nobody), Ok(true));
    let never = Acceptor::always(Guard::False);
    assert_eq!(has_run(&mut graph, &never, &mut Nobody), Ok(false));
}

#[test]
fn what_is_unknown_is_refused() {
    let mut graph = Growing::new(1, false);
    let node = graph.node().unwrap();
    assert_eq!(
        graph.close(node, 0, &[1]),
        Err(KripkeError::UnknownProposition(1))
    );
}

// Automata with many states are searched with numbers for the pairs that are met alone. In two halves, which take as long as all other tests of this
// crate together and run side by side.

#[test]
fn an_automaton_with_many_states_decides_as_a_small_one_does() {
    compare_automata_with_many_states(0..150);
}

#[test]
fn other_automata_with_many_states_decide_as_small_ones_do() {
    compare_automata_with_many_states(150..300);
}

/// Compares the answers for random automata with those for automata that accept the same and have many states.
fn compare_automata_with_many_states(seeds: Range<u64>) {
    let mut found = 0;
    for seed in seeds {
        let mut dice = RandomSource::new(seed);
        let structure = World::random(&mut dice).concrete();
        let small = random_automaton(&mut dice);
        let large = enlarged(&mut dice, &small, 70);
        assert!(large.states.len() > 64);
        let acceptor = |automaton| Acceptor::new(Arc::new(automaton)).unwrap();
        let (small, large) = (acceptor(small), acceptor(large));
        for fairness in [Fairness::None, Fairness::Weak] {
            let expected = look(&structure, &small, fairness).0;
            let (decided, _) = look(&structure, &large, fairness);
            assert_eq!(decided, expected, "seed {seed}, {fairness:?}");
            found += usize::from(expected);
        }
        for (fairness, length) in [
            (Fairness::Strong, Length::Short),
            (Fairness::None, Length::Shortest),
        ] {
            let lasso = |acceptor| find_lasso(&structure, acceptor, fairness, length).unwrap();
            let (expected, lasso) = (lasso(&small), lasso(&large));
            assert_eq!(lasso.is_some(), expected.is_some(), "seed {seed}");
        }
    }
    assert!(found > 50, "only {found} have runs");
}
