//! Random systems: what is decided for every number of threads, against all configurations with few, by code of its own.

use mandala_coverability::decide::World;
use mandala_coverability::{
    Answer, Decider, Start, Target, ThreadSystem, Transition, coverable_pairs, rounds,
};
use std::collections::{BTreeSet, HashSet};

/// How many threads are tried.
const MOST: usize = 5;

/// How many systems are made.
const SYSTEMS: u64 = 3000;

/// A generator of numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    fn chance(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }
}

fn system(numbers: &mut Numbers) -> ThreadSystem {
    let shared = 1 + numbers.below(4);
    let locals = 2 + numbers.below(5);
    let broadcasts = numbers.chance(2);
    let count = 2 + numbers.below(9);
    let steps = (0..count).map(|_| transition(numbers, shared, locals, broadcasts));
    let transitions = steps.collect();
    let ones = numbers
        .below(3)
        .saturating_sub(u32::from(numbers.chance(2)));
    let mut ones: Vec<u32> = (0..ones).map(|_| numbers.below(locals)).collect();
    ones.sort_unstable();
    let any = (ones.is_empty() || numbers.chance(2)).then(|| numbers.below(locals));
    let wanted = 1 + numbers.below(3);
    let mut wanted: Vec<u32> = (0..wanted).map(|_| numbers.below(locals)).collect();
    wanted.sort_unstable();
    ThreadSystem {
        shared,
        locals,
        transitions,
        starts: vec![Start {
            shared: 0,
            ones,
            any,
        }],
        targets: vec![Target {
            shared: (!numbers.chance(3)).then(|| numbers.below(shared)),
            locals: wanted,
        }],
    }
}

fn transition(numbers: &mut Numbers, shared: u32, locals: u32, broadcasts: bool) -> Transition {
    let from = (numbers.below(shared), numbers.below(locals));
    let to = (numbers.below(shared), numbers.below(locals));
    let mut step = Transition::step(from, to);
    if numbers.chance(5) {
        step.spawned = Some(numbers.below(locals));
    }
    if broadcasts && numbers.chance(3) {
        for local in (0..locals)
            .filter(|_| numbers.chance(2))
            .collect::<Vec<_>>()
        {
            let images = 1 + numbers.below(2);
            let mut images: Vec<u32> = (0..images).map(|_| numbers.below(locals)).collect();
            images.sort_unstable();
            images.dedup();
            step.others.push((local, images));
        }
        if numbers.chance(4) {
            step.active = None;
            step.spawned = None;
        }
    }
    step
}

type State = (u32, Vec<u32>);

/// Every state with threads in a row, most of them at last: as plain as can be.
fn reachable(system: &ThreadSystem, most: usize) -> HashSet<State> {
    let start = &system.starts[0];
    let mut open = Vec::new();
    for threads in 1..=most {
        let mut state: Vec<u32> = start.ones.clone();
        if threads < state.len() {
            continue;
        }
        match start.any {
            Some(any) => state.resize(threads.max(state.len()), any),
            None if threads > state.len() => continue,
            None => {}
        }
        state.sort_unstable();
        open.push((start.shared, state));
    }
    let mut seen: HashSet<State> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        for next in successors(system, &state, most) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen
}

fn successors(system: &ThreadSystem, (shared, threads): &State, most: usize) -> Vec<State> {
    let mut found = Vec::new();
    for step in system
        .transitions
        .iter()
        .filter(|step| step.from == *shared)
    {
        let movers: Vec<Option<usize>> = match step.active {
            None => vec![None],
            Some((local, _)) => {
                let all = 0..threads.len();
                all.filter(|i| threads[*i] == local).map(Some).collect()
            }
        };
        for mover in movers {
            let mut ways = vec![Vec::new()];
            for (number, local) in threads.iter().enumerate() {
                let images = match (mover == Some(number), step.active) {
                    (true, Some((_, after))) => vec![after],
                    _ => images(step, *local),
                };
                ways = ways
                    .iter()
                    .flat_map(|way: &Vec<u32>| {
                        images.iter().map(|i| [way.as_slice(), &[*i]].concat())
                    })
                    .collect();
            }
            for mut way in ways {
                way.extend(step.spawned);
                if way.len() <= most {
                    // Nobody tells threads apart.
                    way.sort_unstable();
                    found.push((step.to, way));
                }
            }
        }
    }
    found
}

fn images(step: &Transition, local: u32) -> Vec<u32> {
    let listed = step.others.iter().find(|(from, _)| *from == local);
    listed.map_or(vec![local], |(_, to)| to.clone())
}

fn covers(state: &State, target: &Target) -> bool {
    let mut rest = state.1.clone();
    let all = target.locals.iter().all(|wanted| {
        let place = rest.iter().position(|local| local == wanted);
        place.map(|place| rest.remove(place)).is_some()
    });
    all && target.shared.is_none_or(|shared| shared == state.0)
}

/// The least number of threads that covers the target, if a few do.
fn smallest(system: &ThreadSystem) -> Option<u32> {
    let covered = |most: &usize| {
        let mut states = reachable(system, *most).into_iter();
        states.any(|state| covers(&state, &system.targets[0]))
    };
    (1..=MOST).find(covered).map(|threads| threads as u32)
}

#[test]
fn what_is_decided_for_every_number_agrees_with_few_threads() {
    let mut verdicts = [0, 0, 0];
    for seed in 0..SYSTEMS {
        let system = system(&mut Numbers(seed));
        let world = World::new(&system);
        let mut decider = Decider::new(&world);
        let mut turns = 0..200;
        let answer = turns.find_map(|_| decider.advance());
        let found = smallest(&system);
        match (answer, found) {
            (Some(Answer::Covered(threads)), Some(smallest)) => {
                assert_eq!(threads, smallest, "seed {seed}: {system:?}");
                verdicts[0] += 1;
            }
            (Some(Answer::Covered(threads)), None) => {
                assert!(threads as usize > MOST, "seed {seed}: {threads} {system:?}");
                verdicts[1] += 1;
            }
            (Some(Answer::Never(proof)), smallest) => {
                assert_eq!(smallest, None, "seed {seed}: {proof:?} {system:?}");
                verdicts[2] += 1;
            }
            (None, _) => panic!("seed {seed} is not decided: {system:?}"),
        }
    }
    assert!(verdicts[0] > 100 && verdicts[2] > 100, "{verdicts:?}");
}

#[test]
fn rounds_count_what_is_there() {
    for seed in 0..SYSTEMS / 10 {
        let system = system(&mut Numbers(seed));
        let pairs = coverable_pairs(&system);
        for round in rounds(&system, 3) {
            let states = reachable(&system, round.threads as usize);
            assert_eq!(
                round.configurations,
                states.len() as u64,
                "seed {seed} {round:?} {system:?} {states:?}"
            );
            let reached: BTreeSet<(u32, u32)> = states
                .iter()
                .flat_map(|(shared, threads)| threads.iter().map(|l| (*shared, *l)))
                .collect();
            assert_eq!(round.pairs, reached.len() as u64, "seed {seed}");
            assert!(
                pairs.as_ref().is_none_or(|all| reached.is_subset(all)),
                "seed {seed}"
            );
        }
    }
}
