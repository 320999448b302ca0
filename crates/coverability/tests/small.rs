//! Small systems whose answers are known.

use mandala_coverability::decide::World;
use mandala_coverability::{
    Answer, Decider, Proof, Start, Target, ThreadSystem, Transition, coverable_pairs, rounds,
};

/// A system with two shared and four local states, in whose first ones any number of threads starts.
fn system(transitions: Vec<Transition>, target: &[u32]) -> ThreadSystem {
    ThreadSystem {
        shared: 2,
        locals: 4,
        transitions,
        starts: vec![Start {
            shared: 0,
            ones: Vec::new(),
            any: Some(0),
        }],
        targets: vec![Target {
            shared: Some(1),
            locals: target.to_vec(),
        }],
    }
}

fn answer(system: &ThreadSystem) -> Answer {
    let world = World::new(system);
    let mut decider = Decider::new(&world);
    loop {
        if let Some(answer) = decider.advance() {
            return answer;
        }
    }
}

#[test]
fn the_smallest_number_of_threads_is_found() {
    let steps = || {
        let first = Transition::step((0, 0), (1, 1));
        vec![
            first,
            Transition::step((1, 0), (1, 2)),
            Transition::step((1, 2), (0, 3)),
        ]
    };
    assert_eq!(answer(&system(steps(), &[1])), Answer::Covered(1));
    assert_eq!(answer(&system(steps(), &[2, 2])), Answer::Covered(3));
    assert_eq!(answer(&system(steps(), &[1, 1, 2])), Answer::Covered(4));
}

#[test]
fn what_no_thread_can_reach_is_never_covered() {
    let steps = vec![Transition::step((0, 0), (0, 1))];
    let found = answer(&system(steps, &[1]));
    assert_eq!(found, Answer::Never(Proof::Pairs));
}

#[test]
fn a_lock_that_is_held_keeps_a_second_thread_out() {
    let steps = vec![
        Transition::step((0, 0), (1, 1)),
        Transition::step((1, 1), (0, 0)),
    ];
    let one = answer(&system(steps.clone(), &[1]));
    assert_eq!(one, Answer::Covered(1));
    let two = answer(&system(steps, &[1, 1]));
    assert!(matches!(two, Answer::Never(_)), "{two:?}");
}

#[test]
fn threads_that_are_made_count() {
    let mut spawning = Transition::step((0, 0), (0, 0));
    spawning.spawned = Some(1);
    let steps = vec![spawning, Transition::step((0, 1), (1, 2))];
    let system = ThreadSystem {
        starts: vec![Start {
            shared: 0,
            ones: vec![0],
            any: None,
        }],
        ..system(steps, &[0, 1, 2])
    };
    assert_eq!(answer(&system), Answer::Covered(3));
    let found: Vec<(u64, u64)> = rounds(&system, 3)
        .iter()
        .map(|round| (round.configurations, round.pairs))
        .collect();
    assert_eq!(found, [(1, 1), (3, 4), (5, 5)]);
    assert_eq!(coverable_pairs(&system).map(|pairs| pairs.len()), Some(5));
}

#[test]
fn a_broadcast_moves_all_others() {
    let mut broadcast = Transition::step((0, 1), (1, 2));
    broadcast.others = vec![(0, vec![3]), (1, vec![0, 3])];
    let steps = vec![Transition::step((0, 0), (0, 1)), broadcast];
    assert_eq!(answer(&system(steps.clone(), &[0, 2])), Answer::Covered(2));
    assert_eq!(answer(&system(steps.clone(), &[2, 3])), Answer::Covered(2));
    let two = answer(&system(steps.clone(), &[2, 2]));
    assert!(matches!(two, Answer::Never(_)), "{two:?}");
    assert_eq!(coverable_pairs(&system(steps, &[])), None);
}

#[test]
fn a_broadcast_may_be_nobody_s() {
    let alone = Transition {
        active: None,
        others: vec![(1, vec![2])],
        ..Transition::step((0, 0), (1, 0))
    };
    let steps = vec![Transition::step((0, 0), (0, 1)), alone];
    assert_eq!(
        answer(&system(steps.clone(), &[0, 2, 2])),
        Answer::Covered(3)
    );
    let one = answer(&system(steps, &[1]));
    assert!(matches!(one, Answer::Never(_)), "{one:?}");
}
