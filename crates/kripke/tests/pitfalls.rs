//! Small graphs on which a careless checker goes wrong.

use mandala_kripke::{
    Acceptor, Fairness, KripkeError, Label, Lasso, Length, Structure, StructureBuilder, check_ctl,
    find_lasso,
};
use mandala_temporal::{Automaton, Ctl, Guard, Proposition, Runs, State, StateId, Transition};
use std::sync::Arc;

type Edge = (u32, Label);

/// A graph that starts in its first node; proposition 0 holds where it is said.
fn graph(actors: usize, nodes: &[&[Edge]], holding: &[u32]) -> Structure {
    let mut builder = StructureBuilder::new(1, actors).unwrap();
    builder.start(0);
    for (node, edges) in (0..).zip(nodes) {
        for (target, label) in *edges {
            let label = builder.label(label.clone()).unwrap();
            builder.edge(*target, label).unwrap();
        }
        let row: &[u32] = if holding.contains(&node) { &[0] } else { &[] };
        builder.close(row).unwrap();
    }
    builder.finish().unwrap()
}

fn edge(target: u32, acts: &[u16], offers: &[u16]) -> Edge {
    (target, Label::new(acts, offers))
}

fn renaming(target: u32, acts: &[u16], offers: &[u16], renaming: &[u16]) -> Edge {
    (target, Label::new(acts, offers).renamed(renaming))
}

fn run(structure: &Structure, fairness: Fairness) -> Option<Lasso> {
    let automaton = Acceptor::always(Guard::True);
    find_lasso(structure, &automaton, fairness, Length::Short).unwrap()
}

fn runs(structure: &Structure) -> [bool; 3] {
    let all = [Fairness::None, Fairness::Weak, Fairness::Strong];
    all.map(|fairness| run(structure, fairness).is_some())
}

#[test]
fn an_actor_that_moves_in_one_copy_only_is_not_everybody() {
    // Whoever is called 0 acts, and names do not change: the other one waits for ever.
    let still = graph(2, &[&[edge(0, &[0], &[0, 1])]], &[]);
    assert_eq!(runs(&still), [true, false, false]);
    // The same, but the next one is called 0 then: both act in turn.
    let turning = graph(2, &[&[renaming(0, &[0], &[0, 1], &[1, 0])]], &[]);
    assert_eq!(runs(&turning), [true, true, true]);
}

#[test]
fn one_round_serves_all_actors_of_a_ring() {
    let ring = graph(3, &[&[renaming(0, &[0], &[0, 1, 2], &[1, 2, 0])]], &[]);
    let lasso = run(&ring, Fairness::Strong).unwrap();
    assert_eq!(lasso.cycle.len(), 3);
}

#[test]
fn what_happens_in_another_component_does_not_count() {
    // Actor 1 acts on the way between two cycles, and on neither.
    let first = [edge(0, &[0], &[0, 1]), edge(1, &[1], &[1])];
    let second = [edge(1, &[0], &[0, 1])];
    assert_eq!(
        runs(&graph(2, &[&first, &second], &[])),
        [true, false, false]
    );
}

#[test]
fn who_does_not_exist_is_not_enabled() {
    // Actor 1 is born by one step and dies by the next; it acts never.
    let born = [edge(1, &[0], &[0])];
    let dies = [edge(0, &[0], &[0, 1])];
    assert_eq!(runs(&graph(2, &[&born, &dies], &[])), [true, true, false]);
}

#[test]
fn a_dead_end_is_fair() {
    assert_eq!(runs(&graph(2, &[&[]], &[])), [true, true, true]);
    let stutter = run(&graph(2, &[&[]], &[]), Fairness::Strong).unwrap();
    assert_eq!(stutter.cycle[0].edge, None);
}

#[test]
fn a_part_of_an_unfair_component_may_be_strongly_fair() {
    // Everything is one component. Actor 1 is enabled at node 1 alone and never acts, so fair runs stay away from there.
    let here = [edge(0, &[0], &[0]), edge(1, &[0], &[0])];
    let there = [edge(0, &[0], &[0, 1])];
    let both = graph(2, &[&here, &there], &[]);
    assert_eq!(runs(&both), [true, true, true]);
    assert_eq!(run(&both, Fairness::Strong).unwrap().cycle.len(), 1);
}

#[test]
fn taking_away_may_go_on() {
    // Without node 2, actor 2 never acts, and it is enabled at node 1; without that too, only actor 0 is left at node 0.
    let zero = [edge(0, &[0], &[0]), edge(1, &[0], &[0])];
    let one = [edge(0, &[0], &[0, 2]), edge(2, &[0], &[0])];
    let two = [edge(0, &[2], &[1, 2])];
    let chain = graph(3, &[&zero, &one, &two], &[1]);
    assert_eq!(runs(&chain), [true, true, true]);
    let accepting = Acceptor::always(Guard::True).where_marked(Proposition(0));
    let found = |fairness| find_lasso(&chain, &accepting, fairness, Length::Short).unwrap();
    assert!(found(Fairness::Weak).is_some());
    assert!(found(Fairness::Strong).is_none());
}

#[test]
fn an_automaton_that_is_stuck_accepts_nothing() {
    let while_it_holds = Acceptor::always(Guard::proposition(0));
    let found = |structure: &Structure| {
        find_lasso(structure, &while_it_holds, Fairness::None, Length::Shortest).unwrap()
    };
    let there = [edge(1, &[], &[])];
    assert!(found(&graph(0, &[&there, &[]], &[0])).is_none());
    let lasso = found(&graph(0, &[&there, &[]], &[0, 1])).unwrap();
    assert_eq!((lasso.prefix.len(), lasso.cycle.len()), (1, 1));
}

#[test]
fn a_long_cycle_is_no_deep_recursion() {
    const LENGTH: u32 = 300_000;
    let mut builder = StructureBuilder::new(1, 2).unwrap();
    let swap = builder
        .label(Label::new(&[0], &[0, 1]).renamed(&[1, 0]))
        .unwrap();
    builder.start(0);
    for node in 0..LENGTH {
        builder.edge((node + 1) % LENGTH, swap).unwrap();
        builder.close(if node == 7 { &[0] } else { &[] }).unwrap();
    }
    let long = builder.finish().unwrap();
    let automaton = Acceptor::always(Guard::True).where_marked(Proposition(0));
    let lasso = find_lasso(&long, &automaton, Fairness::Strong, Length::Short)
        .unwrap()
        .unwrap();
    assert_eq!(
        (lasso.prefix.len(), lasso.cycle.len()),
        (7, LENGTH as usize)
    );
    let possible = Ctl::proposition(0).always_possible();
    assert!(check_ctl(&long, &possible, Fairness::Weak).unwrap().holds);
}

#[test]
fn bad_input_is_refused() {
    let mut builder = StructureBuilder::new(1, 2).unwrap();
    let label = builder.label(Label::new(&[1], &[])).unwrap();
    assert_eq!(
        builder.label(Label::new(&[2], &[])),
        Err(KripkeError::UnknownActor(2))
    );
    let merging = Label::new(&[], &[]).renamed(&[1, 1]);
    assert_eq!(builder.label(merging), Err(KripkeError::NotAPermutation));
    let short = Label::new(&[], &[]).renamed(&[1]);
    assert_eq!(builder.label(short), Err(KripkeError::NotAPermutation));
    assert_eq!(
        builder.edge(0, label + 1),
        Err(KripkeError::UnknownLabel(label + 1))
    );
    builder.edge(1, label).unwrap();
    assert_eq!(builder.close(&[1]), Err(KripkeError::UnknownProposition(1)));
    builder.close(&[0]).unwrap();
    assert_eq!(builder.finish().unwrap_err(), KripkeError::UnknownNode(1));
    assert!(StructureBuilder::new(1, 70_000).is_err());
}

#[test]
fn questions_about_unknown_propositions_are_refused() {
    let structure = graph(0, &[&[]], &[]);
    let automaton = Acceptor::always(Guard::True).where_marked(Proposition(1));
    let asked = find_lasso(&structure, &automaton, Fairness::None, Length::Short);
    assert_eq!(asked, Err(KripkeError::UnknownProposition(1)));
    let formula = Ctl::proposition(2).eventually(Runs::Some);
    let asked = check_ctl(&structure, &formula, Fairness::None);
    assert_eq!(asked, Err(KripkeError::UnknownProposition(2)));
    let guarded = Acceptor::always(Guard::proposition(3));
    let asked = find_lasso(&structure, &guarded, Fairness::None, Length::Short);
    assert_eq!(asked, Err(KripkeError::UnknownProposition(3)));
}

#[test]
fn automata_without_a_state_that_they_name_are_refused() {
    let automaton = |states| {
        Acceptor::new(Arc::new(Automaton {
            states,
            accept_all: None,
        }))
    };
    let unknown = |states| automaton(states).map(drop).unwrap_err();
    assert_eq!(unknown(Vec::new()), KripkeError::UnknownState(0));
    let beyond = Transition::new(Guard::True, StateId(1));
    let state = State::numbered(0, true, vec![beyond]);
    assert_eq!(unknown(vec![state]), KripkeError::UnknownState(1));
}
