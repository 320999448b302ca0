//! Formulas mean the same on a quotient and on the concrete graph, and evidence is a real run.

use crate::common::dice::RandomSource;
use crate::common::slow_ctl::{SlowCtl, random_formula};
use crate::common::unroll::Unroller;
use crate::common::world::{Quotient, World};
use mandala_kripke::{
    Acceptor, CtlChecker, CtlVerdict, Evidence, Fairness, Label, Structure, StructureBuilder,
    check_ctl,
};
use mandala_temporal::{Ctl, Guard, Runs};

/// What kinds of evidence were seen.
#[derive(Default, Debug)]
struct Tally {
    decided_by_fairness: usize,
    paths: usize,
    lassos: usize,
}

struct Case<'a> {
    world: &'a World,
    quotient: &'a Quotient,
    slow: SlowCtl<'a>,
    fairness: Fairness,
}

impl Case<'_> {
    fn check(&self, formula: &Ctl, tally: &mut Tally) -> Vec<bool> {
        let checker = CtlChecker::new(&self.quotient.structure, self.fairness).unwrap();
        let nodes = checker.satisfying(formula).unwrap();
        let expected = self.slow.nodes(formula);
        let found: Vec<bool> = (0..self.world.states())
            .map(|state| nodes.has(self.quotient.nodes[state].0))
            .collect();
        assert_eq!(found, expected, "{formula:?}");
        let verdict = checker.check(formula).unwrap();
        let holds = self.world.starts.iter().all(|start| expected[*start]);
        assert_eq!(verdict.holds, holds);
        assert!(verdict.holds || verdict.evidence.is_some());
        self.check_evidence(formula, &verdict, tally);
        expected
    }

    fn check_evidence(&self, formula: &Ctl, verdict: &CtlVerdict, tally: &mut Tally) {
        let unroller = Unroller {
            world: self.world,
            quotient: self.quotient,
            automaton: &Acceptor::always(Guard::True),
        };
        let (states, endless) = match &verdict.evidence {
            None => return,
            Some(Evidence::Path { moves, end, fact }) => {
                tally.paths += 1;
                let states = unroller.states(moves, *end);
                let last = states[states.len() - 1];
                assert_eq!(self.slow.nodes(&fact.formula)[last], fact.holds);
                (states, false)
            }
            Some(Evidence::Lasso(lasso)) => {
                tally.lassos += 1;
                unroller.check(lasso, self.fairness);
                let moves = [&lasso.prefix[..], &lasso.cycle].concat();
                (unroller.states(&moves, lasso.cycle[0].node), true)
            }
        };
        assert!(
            self.slow.is_shown(formula, verdict.holds, &states, endless),
            "{formula:?}"
        );
    }
}

#[test]
fn quotients_satisfy_what_concrete_graphs_do() {
    let mut tally = Tally::default();
    for seed in 0..2500 {
        let mut dice = RandomSource::new(seed + 200_000);
        let world = World::random(&mut dice);
        let (concrete, quotient) = (world.concrete(), world.quotient(&mut dice));
        let formula = random_formula(&mut dice, 3);
        let nodes = [Fairness::None, Fairness::Weak, Fairness::Strong].map(|fairness| {
            let case = Case {
                world: &world,
                quotient: &quotient,
                slow: SlowCtl::new(&concrete, fairness),
                fairness,
            };
            case.check(&formula, &mut tally)
        });
        tally.decided_by_fairness += usize::from(nodes[0] != nodes[1] || nodes[1] != nodes[2]);
    }
    let enough = tally.decided_by_fairness > 50 && tally.paths > 500 && tally.lassos > 200;
    assert!(enough, "{tally:?}");
}

/// A graph without actors. Proposition 0 holds where it is said.
fn graph(targets: &[&[u32]], holding: &[u32]) -> Structure {
    let mut builder = StructureBuilder::new(1, 0).unwrap();
    let label = builder.label(Label::default()).unwrap();
    builder.start(0);
    for (node, targets) in (0..).zip(targets) {
        targets
            .iter()
            .for_each(|target| builder.edge(*target, label).unwrap());
        let row: &[u32] = if holding.contains(&node) { &[0] } else { &[] };
        builder.close(row).unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn what_stays_possible_is_lost_at_the_end_of_a_shortest_way() {
    let goal = Ctl::proposition(0).eventually(Runs::Some);
    let structure = graph(&[&[1, 2], &[0], &[3], &[2]], &[1]);
    let verdict = check_ctl(&structure, &goal.clone().always(Runs::All), Fairness::None).unwrap();
    let Some(Evidence::Path { moves, end, fact }) = verdict.evidence else {
        panic!("a path shows it");
    };
    assert_eq!((moves.len(), end), (1, 2));
    assert_eq!((fact.formula, fact.holds), (goal, false));
}

#[test]
fn a_dead_end_repeats_for_ever() {
    let structure = graph(&[&[1], &[2], &[]], &[2]);
    let proposition = || Ctl::proposition(0);
    let holds = |formula: Ctl| {
        check_ctl(&structure, &formula, Fairness::None)
            .unwrap()
            .holds
    };
    assert!(holds(proposition().always_possible()));
    assert!(holds(proposition().always(Runs::All).eventually(Runs::All)));
    assert!(!holds(proposition().negate().always(Runs::Some)));
}

#[test]
fn an_unanswered_request_is_shown_by_a_way_and_a_cycle() {
    // 0 holds in the request alone; no answer: it never stops.
    let structure = graph(&[&[1], &[2, 0], &[2]], &[1, 2]);
    let stops = Ctl::proposition(0).negate().eventually(Runs::All);
    let formula = Ctl::proposition(0).implies(stops).always(Runs::All);
    let verdict = check_ctl(&structure, &formula, Fairness::None).unwrap();
    let Some(Evidence::Lasso(lasso)) = verdict.evidence else {
        panic!("a lasso shows it");
    };
    assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (2, 1));
}
