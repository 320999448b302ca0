//! Permutations act: the identity does nothing, one after the other is their product, and every one can be
//! taken back.

use crate::common::{self, Loaded, load};
use mandala_interpreter::Interpreter;
use mandala_model::State;
use mandala_symmetry::{Action, Permutation, Renaming};
use proptest::prelude::*;
use std::sync::OnceLock;

/// Names in globals, arrays, records, locals and messages; channels that belong to processes, by an array
/// and by being made by them.
const EVERYTHING: &str = "
    typedef Entry { pid who = 255; byte n; bool seen[5] };
    pid last = 255; byte level[5]; Entry table[5];
    chan box[5] = [2] of { pid, byte }; chan hub = [2] of { chan, pid };
    active [4] proctype P() {
        chan own = [1] of { pid }; pid friend = 255; chan reply;
        do
        :: last = _pid; level[_pid] = 1 - level[_pid]
        :: last != 255 -> atomic { friend = last; table[_pid].who = last; table[friend].seen[_pid] = true }
        :: friend != 255 -> box[friend] ! _pid, level[_pid]
        :: box[_pid] ? friend, level[_pid]
        :: hub ! own, _pid
        :: atomic { hub ? reply, friend -> reply ! friend; reply = own }
        :: own ? friend
        od
    }
    active proctype Q() { end: do :: level[0] + level[1] + level[2] + level[3] == 4 && _last != 9 od }";

struct Sample {
    loaded: Loaded,
    states: Vec<State>,
}

/// Some states of the model, from a walk that takes a different turn at every step.
fn sample() -> &'static Sample {
    static SAMPLE: OnceLock<Sample> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let loaded = load(EVERYTHING, &[]);
        let states = walk(&loaded, 400);
        Sample { loaded, states }
    })
}

fn walk(loaded: &Loaded, steps: usize) -> Vec<State> {
    let interpreter = Interpreter::new(&loaded.model, loaded.observers());
    let mut at = interpreter.start().expect("a start");
    let mut states = vec![at.state.clone()];
    for step in 0..steps {
        let chains = interpreter.macro_steps(&at);
        let next: Vec<_> = chains.iter().filter_map(|c| c.successor()).collect();
        if next.is_empty() {
            break;
        }
        at = next[(step * 7 + step / 3) % next.len()].clone();
        states.push(at.state.clone());
    }
    states
}

fn permutation() -> impl Strategy<Value = Renaming> {
    let images = Just(vec![0u32, 1, 2, 3]).prop_shuffle();
    let permutation = |images| Permutation::from_images(images).expect("a permutation");
    images.prop_map(move |images| Renaming::of_processes(permutation(images)))
}

fn sorts_of(sample: &Sample) -> mandala_symmetry::sorts::Sorts {
    let certificate = sample.loaded.certify(&[("P", &[0, 1, 2, 3])]);
    match certificate {
        Ok(certificate) => certificate.sorts().clone(),
        Err(breaches) => panic!("{}", sample.loaded.reasons(&breaches)),
    }
}

proptest! {
    #[test]
    fn the_laws_of_an_action(g in permutation(), h in permutation(), at in 0usize..400) {
        static SORTS: OnceLock<mandala_symmetry::sorts::Sorts> = OnceLock::new();
        let sample = sample();
        let sorts = SORTS.get_or_init(|| sorts_of(sample));
        let action = Action::new(&sample.loaded.model, sorts);
        let state = &sample.states[at % sample.states.len()];
        let apply = |g: &Renaming, s: &State| action.apply(g, s).expect("all are there");
        prop_assert_eq!(&apply(&Renaming::identity(), state), state);
        prop_assert_eq!(apply(&h, &apply(&g, state)), apply(&g.then(&h), state));
        prop_assert_eq!(&apply(&g.inverse(), &apply(&g, state)), state);
    }

    #[test]
    fn permutations_form_a_group(g in permutation(), h in permutation()) {
        prop_assert_eq!(g.then(&g.inverse()), Renaming::identity());
        prop_assert_eq!(g.then(&h).inverse(), h.inverse().then(&g.inverse()));
        for n in 0..6 {
            prop_assert_eq!(g.then(&h).processes().image(n), h.processes().image(g.processes().image(n)));
        }
    }
}

#[test]
fn the_walk_sees_something_of_everything() {
    let states = &sample().states;
    let any = |test: &dyn Fn(&State) -> bool| states.iter().any(test);
    assert!(any(&|s| s.channels[1].messages.len()
        + s.channels[2].messages.len()
        > 0));
    assert!(any(&|s| s
        .channels
        .iter()
        .any(|c| c.owner.is_some() && !c.messages.is_empty())));
    assert!(any(&|s| s.globals[0] == 3));
}

#[test]
fn one_exchange_in_detail() {
    let sample = sample();
    let sorts = sorts_of(sample);
    let action = Action::new(&sample.loaded.model, &sorts);
    let mut state = sample.states[0].clone();
    state.globals[0] = 1; // last
    state.globals[1] = 7; // level[0]
    state.processes[0].locals[1] = 2; // friend of 0
    state.channels[1].messages.push(vec![0, 5]); // in box[1]
    let swap = Renaming::of_processes(Permutation::swap(0, 1));
    let image = action.apply(&swap, &state).expect("all are there");
    assert_eq!(image.globals[0], 0);
    assert_eq!(image.globals[1..3], [0, 7]);
    assert_eq!(image.processes[1].locals[1], 2);
    // The channel belongs to the element of the array, and so does the reference.
    assert_eq!(image.channels[0].messages, [[1, 5]]);
    assert!(image.channels[1].messages.is_empty());
    let owners = |s: &State| s.channels.iter().map(|c| c.owner).collect::<Vec<_>>();
    assert_eq!(owners(&image), owners(&state));
    // Each process still has the channel that it made.
    assert_eq!(image.processes[0].locals[0], state.processes[0].locals[0]);
}

#[test]
fn what_does_not_fit_is_not_moved() {
    let sample = sample();
    let sorts = sorts_of(sample);
    let action = Action::new(&sample.loaded.model, &sorts);
    // Process 4 is of another template, process 5 is not there.
    assert!(
        action
            .apply(
                &Renaming::of_processes(Permutation::swap(3, 4)),
                &sample.states[0]
            )
            .is_none()
    );
    assert!(
        action
            .apply(
                &Renaming::of_processes(Permutation::swap(3, 5)),
                &sample.states[0]
            )
            .is_none()
    );
    assert!(Permutation::from_images(vec![1, 1]).is_none());
    assert!(Permutation::from_images(vec![0, 2]).is_none());
}

/// Names in arrays, messages and parameters, counted from two numbers; channels in an array of names, and in
/// variables of their own.
const NAMED: &str = "
    byte level[4]; byte last = 9; byte seen[3]; chan box[4] = [2] of { byte, byte };
    chan in0 = [1] of { chan }; chan in1 = [1] of { chan }; chan in2 = [1] of { chan };
    proctype P(byte me; chan own) {
        chan got = in0; byte other = 9;
        do
        :: level[me] = 1 - level[me]; last = me; seen[me - 1]++
        :: last != 9 -> other = last; box[other] ! me, level[me]
        :: box[me] ? other, _
        :: own ! own
        :: own ? got
        od
    }
    init { atomic { run P(1, in0); run P(2, in1); run P(3, in2) } }";

/// Renames at random within the domains of a certificate.
fn renamings(generators: Vec<Renaming>) -> impl Strategy<Value = Renaming> {
    let choices = proptest::collection::vec(0..generators.len(), 0..12);
    choices.prop_map(move |choices| {
        let chosen = choices.iter().map(|c| &generators[*c]);
        chosen.fold(Renaming::identity(), |g, h| g.then(h))
    })
}

#[test]
fn the_laws_of_an_action_on_names() {
    let loaded = load(NAMED, &[]);
    let domains = ["P x3", "in0, in1, in2 0..2*", "level 1..3*"];
    let certificate = loaded.finds(&domains);
    let action = Action::new(&loaded.model, certificate.sorts());
    let states: Vec<State> = walk(&loaded, 300).into_iter().skip(2).collect();
    let generators = certificate.generators();
    let any = (
        renamings(generators.clone()),
        renamings(generators),
        0..states.len(),
    );
    let laws = |(g, h, at): (Renaming, Renaming, usize)| {
        let state = &states[at];
        let apply = |g: &Renaming, s: &State| action.apply(g, s).expect("all are there");
        prop_assert_eq!(apply(&h, &apply(&g, state)), apply(&g.then(&h), state));
        prop_assert_eq!(&apply(&g.inverse(), &apply(&g, state)), state);
        Ok(())
    };
    let mut runner = proptest::test_runner::TestRunner::default();
    runner.run(&any, laws).expect("the laws hold");
    assert!(states.iter().any(|s| s.channels[2].messages.len() > 1));
    let sent = |s: &State| s.channels[4..7].iter().any(|c| !c.messages.is_empty());
    assert!(states.iter().any(sent));
}

#[test]
fn one_exchange_of_names_in_detail() {
    let loaded = load(NAMED, &[]);
    let certificate = loaded.detect().certificate.expect("some symmetry");
    let action = Action::new(&loaded.model, certificate.sorts());
    let mut state = walk(&loaded, 3)[2].clone();
    state.globals[..8].copy_from_slice(&[5, 6, 7, 8, 2, 11, 12, 13]); // level, last, seen
    state.channels[2].messages.push(vec![1, 1]); // in box[2]
    let exchanges = common::exchanges(certificate.domains(), &state);
    let names = |g: &&Renaming| g.processes().is_identity() && !g.is_identity();
    let images: Vec<State> = exchanges
        .iter()
        .filter(names)
        .map(|g| action.apply(g, &state).expect("all are there"))
        .collect();
    // The names 1 and 2: the element 0 of `level` belongs to nobody, `seen` starts with that of 1.
    let swapped = [5, 7, 6, 8, 1, 12, 11, 13];
    let image = images.iter().find(|i| i.globals[..8] == swapped);
    let image = image.expect("an exchange of 1 and 2");
    assert_eq!(image.channels[1].messages, [[2, 1]]);
    assert!(image.channels[2].messages.is_empty());
    let me = |s: &State| {
        s.processes
            .iter()
            .map(|p| p.locals.first().copied())
            .collect::<Vec<_>>()
    };
    assert_eq!(me(&state)[1..], [Some(1), Some(2), Some(3)]);
    assert_eq!(me(image)[1..], [Some(2), Some(1), Some(3)]);
    // The first two channels of their own: variables and channels change places together.
    let own = |s: &State| {
        s.processes
            .iter()
            .map(|p| p.locals.get(1).copied())
            .collect::<Vec<_>>()
    };
    let moved = images.iter().find(|i| own(i)[1] == own(&state)[2]);
    let moved = moved.expect("an exchange of the first two");
    assert_eq!(own(moved)[2], own(&state)[1]);
    assert_eq!(moved.globals, state.globals);
}
