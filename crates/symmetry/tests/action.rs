//! Permutations act: the identity does nothing, one after the other is their product, and every one can be
//! taken back.

mod common;

use common::{Loaded, load};
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
        let interpreter = Interpreter::new(&loaded.model, loaded.observers());
        let mut at = interpreter.start().expect("a start");
        let mut states = vec![at.state.clone()];
        for step in 0..400 {
            let moves = interpreter.moves(&at);
            let choice = (step * 7 + step / 3) % moves.len().max(1);
            if moves.is_empty() {
                break;
            }
            let Some(next) = moves[choice].next.clone() else {
                continue;
            };
            at = next;
            states.push(at.state.clone());
        }
        Sample { loaded, states }
    })
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
