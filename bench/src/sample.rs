//! States from all over a model, and what it takes to find representatives for those that follow them.
//!
//! Random walks give the sample: the first states that a search meets are all near the start, where much is still
//! alike, and that is not where a search spends its time. Timing takes the states in an order of no meaning, so that a slow
//! strategy that gets through a part of them has seen as fair a part as any.
//!
//! A reducer is timed from within the step that leads to a state, as in a search. What the step takes is measured
//! in a pass of its own over the same states and subtracted.

use crate::clock::Stopwatch;
use mandala_checker::frontend::LoadedModel;
use mandala_encoding::{Arrival, Incomplete, Program, Sink};
use mandala_explicit::Reducer;
use mandala_model::step::{Observers, Turn, Violation};
use mandala_prepare::{Aim, Form, Prepared, detect, detect_by_types, in_form};
use mandala_reduce::{Settings, Strategy, reducer};
use mandala_symmetry::ProofBudget;
use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many steps a walk has before the next one begins.
const WALK: usize = 400;

/// How many passes are made; the fastest counts.
const PASSES: usize = 3;

/// A model that is ready to be stepped, and states of it.
pub(crate) struct Subject {
    /// What can be exchanged in the model.
    pub symmetry: Prepared,
    loaded: LoadedModel,
    program: Program,
    /// States that make strategies do what they do only once.
    warm_up: Vec<Vec<u8>>,
    /// States that are timed.
    states: Vec<Vec<u8>>,
}

/// The average time that something took, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Average {
    /// For one state.
    pub nanoseconds: f64,
    /// Over how many states.
    pub states: u64,
}

impl Subject {
    /// Takes that many states of a model.
    pub(crate) fn new(loaded: LoadedModel, count: usize) -> Result<Self, String> {
        let observers = Observers::default();
        let refused = |_| "its declared symmetry is refused".to_string();
        let plain = in_form(&loaded.model, Form::Instances).map_err(refused)?;
        let aim = Aim::plain(observers);
        let budget = ProofBudget::unlimited();
        let symmetry = match detect_by_types(&plain, aim, &budget) {
            Some(found) if found.is_all => found.prepared,
            _ => detect(&plain, aim, None, &budget).map_err(refused)?,
        };
        let program = Program::compile(&plain.searched, observers).map_err(|e| e.to_string())?;
        let mut states = walk(&program, count)?;
        let rest = states.split_off(states.len() / 10);
        Ok(Subject {
            symmetry,
            loaded,
            program,
            warm_up: states,
            states: rest,
        })
    }

    /// What it takes to make and pack a successor.
    pub(crate) fn successor(&self) -> Average {
        let whole = Duration::MAX;
        let passes = (0..PASSES).map(|_| self.pass(&self.states, &mut Pack, whole));
        fastest(passes)
    }

    /// What it takes to find the representative of a successor and to pack it, with a strategy, measured for about
    /// that time.
    pub(crate) fn representative(
        &self,
        strategy: Strategy,
        time: Duration,
    ) -> Result<Average, String> {
        let Some(certificate) = &self.symmetry.certificate else {
            return Err("nothing is interchangeable".into());
        };
        let mut best: Option<Average> = None;
        let watch = Stopwatch::start();
        for _ in 0..PASSES {
            let settings = Settings::default();
            let mut reducer = reducer(&self.loaded.model, certificate, strategy, &settings)
                .map_err(|error| error.to_string())?;
            let mut reduce = Reduce {
                reducer: &mut *reducer,
            };
            self.pass(&self.warm_up, &mut reduce, time / 10);
            let whole = self.pass(&self.states, &mut reduce, time);
            let steps = self.steps(whole.states);
            let net = Average {
                nanoseconds: (whole.nanoseconds - steps.nanoseconds).max(0.0),
                ..whole
            };
            best = Some(best.map_or(net, |best| faster(best, net)));
            if watch.elapsed() > time {
                break;
            }
        }
        best.ok_or_else(|| "nothing was measured".into())
    }

    /// What the steps to the first so many successors take, nothing done with them.
    fn steps(&self, successors: u64) -> Average {
        let passes = (0..PASSES).map(|_| {
            let mut idle = Timed::new(Idle);
            self.go(&self.states, &mut idle, |timed| timed.states < successors)
        });
        fastest(passes)
    }

    /// Does something to the successors of these states, until the time is over.
    fn pass(&self, states: &[Vec<u8>], task: &mut impl Task, time: Duration) -> Average {
        let mut timed = Timed::new(task);
        let started = Instant::now();
        self.go(states, &mut timed, |_| started.elapsed() < time)
    }

    fn go<T: Task>(
        &self,
        states: &[Vec<u8>],
        timed: &mut Timed<T>,
        go_on: impl Fn(&Timed<T>) -> bool,
    ) -> Average {
        let mut stepper = self.program.stepper();
        let watch = Stopwatch::start();
        for state in states {
            // A sample has only states whose successors can be told.
            let told = stepper.expand(state, Turn::Free, timed);
            if told.is_err() || !go_on(timed) {
                break;
            }
        }
        Average {
            nanoseconds: watch.elapsed().as_secs_f64() * 1e9 / timed.states.max(1) as f64,
            states: timed.states,
        }
    }
}

fn fastest(passes: impl Iterator<Item = Average>) -> Average {
    let none = Average {
        nanoseconds: f64::INFINITY,
        states: 0,
    };
    passes.fold(none, faster)
}

fn faster(one: Average, other: Average) -> Average {
    match one.nanoseconds <= other.nanoseconds {
        true => one,
        false => other,
    }
}

/// What is done to a successor.
trait Task {
    fn perform(&mut self, arrival: &mut Arrival<'_, '_>);
}

/// Nothing.
struct Idle;

impl Task for Idle {
    fn perform(&mut self, arrival: &mut Arrival<'_, '_>) {
        black_box(arrival.cells());
    }
}

/// It is packed.
struct Pack;

impl Task for Pack {
    fn perform(&mut self, arrival: &mut Arrival<'_, '_>) {
        black_box(arrival.packed());
    }
}

/// Its representative is found.
struct Reduce<'a> {
    reducer: &'a mut dyn Reducer,
}

impl Task for Reduce<'_> {
    fn perform(&mut self, arrival: &mut Arrival<'_, '_>) {
        let representative = self.reducer.representative(arrival);
        // A strategy that keeps states has as much room as it wants here.
        black_box(representative.map(|r| r.packed.len()).unwrap_or_default());
    }
}

impl<T: Task> Task for &mut T {
    fn perform(&mut self, arrival: &mut Arrival<'_, '_>) {
        (**self).perform(arrival);
    }
}

/// Counts the successors to which something is done.
struct Timed<T> {
    task: T,
    states: u64,
}

impl<T> Timed<T> {
    fn new(task: T) -> Self {
        Timed { task, states: 0 }
    }
}

impl<T: Task> Sink for Timed<T> {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.task.perform(arrival);
        self.states += 1;
    }

    fn violation(&mut self, _: Violation) {}
}

/// The successors of a state.
#[derive(Default)]
struct Collected {
    states: Vec<Vec<u8>>,
}

impl Sink for Collected {
    fn successor(&mut self, arrival: &mut Arrival<'_, '_>, _: Turn) {
        self.states.push(arrival.packed().to_vec());
    }

    fn violation(&mut self, _: Violation) {}
}

/// Different states on random walks, in an order of no meaning. Fewer than wanted if the model has few.
fn walk(program: &Program, count: usize) -> Result<Vec<Vec<u8>>, String> {
    let mut stepper = program.stepper();
    let mut first = Collected::default();
    let start = stepper.start(&mut first);
    let [start] = match start {
        Ok(()) => <[Vec<u8>; 1]>::try_from(first.states).map_err(|_| "it cannot start")?,
        Err(_) => return Err("its states are too large".into()),
    };
    let mut dice = Dice::new();
    let mut seen = HashSet::new();
    let mut here = start.clone();
    for step in 1..=count * 50 {
        let mut next = Collected::default();
        match stepper.expand(&here, Turn::Free, &mut next) {
            // What a model does to start is done once, and may take long.
            Ok(()) if here == start => {}
            Ok(()) => drop(seen.insert(here)),
            Err(Incomplete::Oversize | Incomplete::Stopped) => next.states.clear(),
        }
        if seen.len() >= count {
            break;
        }
        here = match next.states.is_empty() || step % WALK == 0 {
            true => start.clone(),
            false => next.states.swap_remove(dice.below(next.states.len())),
        };
    }
    let mut states: Vec<Vec<u8>> = seen.into_iter().collect();
    states.sort_unstable();
    dice.shuffle(&mut states);
    Ok(states)
}

/// Pseudo-random numbers, the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn new() -> Self {
        Dice(0x6d61_6e64_616c_6121)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use std::path::Path;

    fn subject(name: &str, size: &str, count: usize) -> Subject {
        let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        let loaded = families::named(name).unwrap().load(models, size).unwrap();
        Subject::new(loaded, count).unwrap()
    }

    #[test]
    fn a_sample_has_different_states_and_is_the_same_every_time() {
        let one = subject("email", "3", 200);
        let other = subject("email", "3", 200);
        let all = || one.states.iter().chain(&one.warm_up);
        assert_eq!(all().count(), 200);
        assert_eq!(all().collect::<HashSet<_>>().len(), 200);
        assert_eq!(one.states, other.states);
    }

    #[test]
    fn a_small_model_is_sampled_whole_but_for_its_start() {
        let mutex = subject("mutex", "2", 1000);
        assert_eq!(mutex.states.len() + mutex.warm_up.len(), 8 - 1);
    }

    #[test]
    fn slow_strategies_take_longer() {
        let email = subject("email", "5", 300);
        let time = |strategy| {
            let limit = Duration::from_millis(300);
            email.representative(strategy, limit).unwrap().nanoseconds
        };
        let (auto, full) = (time(Strategy::Auto), time(Strategy::EnumerateSwaps));
        assert!(auto > 0.0 && auto < full, "{auto} {full}");
        assert!(email.successor().nanoseconds > 0.0);
    }
}
