//! What is found in the models that come with the project without being told, and brute force agrees.

use crate::common::{self, bundled, load};
use mandala_interpreter::{Configuration, Interpreter};
use mandala_model::State;
use mandala_symmetry::{Action, Certificate, Permutation, Renaming};
use std::collections::{BTreeSet, HashSet};

#[test]
fn families_that_are_known_by_their_numbers() {
    bundled("mutex", &["N=3"]).finds(&["Process x3"]);
    bundled("broken-lock", &["N=3"]).finds(&["Process x3"]);
    bundled("peterson", &["N=3"]).finds(&["Process x3"]);
    bundled("mcs-lock", &["N=3"]).finds(&["Process x3"]);
    bundled("partial-maps", &["N=3"]).finds(&["Process x3"]);
    bundled("database", &["N=3"]).finds(&["Manager x3"]);
    bundled("email", &["N=3"]).finds(&["Client x3"]);
    bundled("readers-writers", &["R=3", "W=2"]).finds(&["Reader x3", "Writer x2"]);
    bundled("lost-wakeup", &["N=3"]).finds(&["Worker x3"]);
    bundled("load-balancer", &["S=2", "C=3"]).finds(&["Client x3", "Server x2"]);
}

#[test]
fn processes_that_are_given_names_and_channels() {
    let tiers = [
        "Client x3",
        "Server x2",
        "answer 0..1*",
        "desk 0..1*",
        "reply 0..2*",
    ];
    bundled("three-tier", &["C1=2", "C2=1"]).finds(&tiers);
    let components = ["Component x3", "Partner x3", "heard 0..2*"];
    bundled("initialisation", &["N=3"]).finds(&components);
}

#[test]
fn what_has_no_full_symmetry() {
    for (name, defines) in [
        ("alternating-bit", &[][..]),
        ("hypercube", &["D=2"]),
        ("leader-ring", &["N=3"]),
        ("milner", &["N=3"]),
        ("philosophers", &["N=3"]),
    ] {
        let detected = bundled(name, defines).detect();
        assert!(detected.certificate.is_none(), "{name}");
    }
}

/// Every state that can be reached, one by one.
fn states(interpreter: &Interpreter<'_>) -> Vec<State> {
    let start = interpreter.start().expect("a start");
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    let mut states = Vec::new();
    while let Some(at) = open.pop() {
        for chain in interpreter.macro_steps(&at) {
            if let Some(next) = chain.successor()
                && seen.insert(next.clone())
            {
                open.push(next.clone());
            }
        }
        states.push(at.state);
    }
    states
}

/// How many orbits states have under some renamings, each of which is applied where all domains are settled.
fn orbits(
    states: &[State],
    certificate: &Certificate,
    action: &Action<'_>,
    renamings: &[Renaming],
) -> usize {
    let key = |s: &State| format!("{s:?}");
    let least = |state: &State| {
        let settled = certificate.domains().iter().all(|d| d.is_settled(state));
        let images = renamings.iter().filter(|_| settled);
        let images = images.map(|g| key(&action.apply(g, state).expect("all are there")));
        images.chain([key(state)]).min()
    };
    let orbits: BTreeSet<_> = states.iter().map(least).collect();
    orbits.len()
}

/// All products of exchanges, where every domain has two names.
fn products(generators: &[Renaming]) -> Vec<Renaming> {
    let mut all = vec![Renaming::identity()];
    for generator in generators {
        let more: Vec<Renaming> = all.iter().map(|g| g.then(generator)).collect();
        all.extend(more);
    }
    all
}

/// Exchanging processes, names and channels each on their own merges no more and no less than
/// exchanging everything at once, because who has which name is part of the state.
#[test]
fn independent_domains_merge_what_belongs_together() {
    for (name, defines, count, merged) in [
        ("three-tier", &["C1=1", "C2=1"][..], 324, 167),
        ("initialisation", &["N=2"], 72, 42),
    ] {
        let loaded = bundled(name, defines);
        let certificate = loaded.detect().certificate.expect("some symmetry");
        let interpreter = Interpreter::new(&loaded.model, loaded.observers());
        let action = Action::new(&loaded.model, certificate.sorts());
        let states = states(&interpreter);
        assert_eq!(states.len(), count, "{name}");
        let generators = certificate.generators();
        let everything = generators
            .iter()
            .fold(Renaming::identity(), |g, h| g.then(h));
        let whole = orbits(&states, &certificate, &action, &[everything]);
        let product = orbits(&states, &certificate, &action, &products(&generators));
        assert_eq!((whole, product), (merged, merged), "{name}");
    }
}

/// Channels that are declared one by one: given to processes, and looked up by their numbers.
#[test]
fn channels_in_variables_of_their_own() {
    let given = "
        mtype = { request, result };
        chan desk_a = [1] of { mtype, chan }; chan desk_b = [1] of { mtype, chan };
        chan back0 = [1] of { mtype }; chan back1 = [1] of { mtype }; chan back2 = [1] of { mtype };
        chan none = [0] of { mtype };
        proctype Server(chan in) { chan whom = none;
            do :: in ? request, whom; whom ! result; whom = none od }
        proctype Client(chan to, back) { do :: to ! request, back; back ? result od }
        init { atomic { run Server(desk_a); run Server(desk_b);
            run Client(desk_a, back0); run Client(desk_a, back1); run Client(desk_b, back2) } }";
    let domains = [
        "Client x3",
        "Server x2",
        "back0, back1, back2 0..2*",
        "desk_a, desk_b 0..1*",
    ];
    load(given, &[]).finds(&domains);
}

/// A step of a search that goes on from images of the states that it meets.
fn met(
    interpreter: &Interpreter<'_>,
    action: &Action<'_>,
    at: &Configuration,
    witness: &Renaming,
    choice: usize,
) -> Option<Configuration> {
    let image = Configuration {
        state: action.apply(witness, &at.state).expect("all are there"),
        turn: Action::turn(witness, at.turn),
    };
    let chains = interpreter.macro_steps(&image);
    let next: Vec<_> = chains.iter().filter_map(|c| c.successor()).collect();
    next.get(choice % next.len().max(1)).map(|n| (*n).clone())
}

#[test]
fn paths_through_images_are_lifted_to_runs() {
    let loaded = bundled("three-tier", &["C1=2", "C2=2"]);
    let certificate = loaded.detect().certificate.expect("some symmetry");
    let interpreter = Interpreter::new(&loaded.model, loaded.observers());
    let action = Action::new(&loaded.model, certificate.sorts());
    for seed in 0..20usize {
        let mut at = interpreter.start().expect("a start");
        let mut path = Vec::new();
        for step in 0..30 {
            let dice = (seed * 31 + step * 17) % 97;
            let exchanges = common::exchanges(certificate.domains(), &at.state);
            let chosen = exchanges.iter().skip(dice % 3).step_by(1 + dice % 2);
            let witness = chosen.fold(Renaming::identity(), |g, h| g.then(h));
            path.push((at.state.clone(), witness.clone()));
            match met(&interpreter, &action, &at, &witness, dice) {
                Some(next) => at = next,
                None => break,
            }
        }
        let run = mandala_symmetry::lift(&action, &path).expect("a run");
        assert_eq!(run[0], path[0].0);
        assert!(path.iter().any(|(_, g)| !g.is_identity()));
        for pair in run.windows(2) {
            let from = Configuration {
                state: pair[0].clone(),
                turn: interpreter.start().expect("a start").turn,
            };
            let chains = interpreter.macro_steps(&from);
            let mut next = chains.iter().filter_map(|c| c.successor());
            assert!(next.any(|n| n.state == pair[1]), "seed {seed}");
        }
    }
}

#[test]
fn a_path_with_a_renaming_that_does_not_fit_is_not_lifted() {
    let loaded = bundled("mutex", &["N=2"]);
    let certificate = loaded.detect().certificate.expect("some symmetry");
    let interpreter = Interpreter::new(&loaded.model, loaded.observers());
    let action = Action::new(&loaded.model, certificate.sorts());
    let start = interpreter.start().expect("a start").state;
    let bad = Renaming::of_processes(Permutation::swap(0, 7));
    let path = [(start.clone(), bad), (start, Renaming::identity())];
    assert!(mandala_symmetry::lift(&action, &path).is_none());
}

/// What nobody reads or writes can be permuted, but in vain.
#[test]
fn what_nobody_touches_is_not_counted() {
    let unused =
        "byte unused[4]; bit x; active [3] proctype P() { do :: x == 0 -> x = 1 :: x = 0 od }";
    load(unused, &[]).has_order(6);
    // One of four elements is ever written.
    let one = "byte who[4]; byte n; active [3] proctype P() { do :: d_step { n < 9 -> n++; who[2] = n } :: n = 0 od }";
    load(one, &[]).has_order(6);
    // Two of them are.
    let two = one.replace("od }", ":: d_step { n < 9 -> n++; who[1] = n } od }");
    load(&two, &[]).has_order(6 * 2);
    bundled("leader-ring", &["N=3", "BUG=1"]).has_order(3);
    // Here all are, by names that processes keep.
    let kept = "byte x[3]; proctype P(byte n) { do :: x[n] < 2 -> x[n]++ :: x[n] = 0 od }
        init { atomic { run P(0); run P(1); run P(2) } }";
    load(kept, &[]).has_order(6 * 6);
}
