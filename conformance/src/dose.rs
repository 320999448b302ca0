//! The dose of a suite: how many random programs it tries, and from which seed on; or which models it takes, and how large ones.
//!
//! A run of the tests takes a small dose. Its first seed changes from day to day, so that the programs of one gate are not those of
//! the next week's; it is printed, and `MANDALA_FIRST_SEED` asks for it again. `MANDALA_DOSE=20` asks for twenty times as much.

use std::time::{SystemTime, UNIX_EPOCH};

/// The variable that multiplies all doses.
const FACTOR: &str = "MANDALA_DOSE";

/// The variable that chooses the first seed of all suites.
const FIRST: &str = "MANDALA_FIRST_SEED";

/// A suite that tries this many times its usual dose is a large one.
const LARGE: u64 = 10;

/// Models that take long take turns: each comes up once in so many days.
const TURNS: u64 = 3;

/// How many seeds lie between two days: more than a usual dose takes.
const SEEDS_A_DAY: u64 = 1_000;

/// How much a suite tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dose {
    /// The first seed.
    pub first: u64,
    /// How many programs, answers or whatever the suite counts.
    pub size: u64,
    /// Whether there is enough of it to say something about shares: what one program in ten does, not one of thirty need do.
    pub is_large: bool,
}

impl Dose {
    /// The dose of a suite that usually tries so many. Says on standard output how to repeat it.
    #[allow(clippy::print_stdout)]
    pub fn of(suite: &str, usual: u64) -> Self {
        let factor = number(FACTOR).unwrap_or(1).max(1);
        let dose = Dose {
            first: number(FIRST).unwrap_or_else(seed_of_the_day),
            size: usual.saturating_mul(factor),
            is_large: factor >= LARGE,
        };
        println!(
            "{suite}: {} from seed {} on ({FIRST}={} {FACTOR}={factor} repeats it)",
            dose.size, dose.first, dose.first
        );
        dose
    }

    /// The largest model that a suite of given models takes: the one number usually, the other in a large dose. Says on standard
    /// output which it is.
    #[allow(clippy::print_stdout)]
    pub fn largest(suite: &str, usual: u64, large: u64) -> u64 {
        let largest = Dose::one_of(usual, large);
        println!("{suite}: up to {largest} states ({FACTOR}={LARGE} takes up to {large})");
        largest
    }

    /// The one usually, the other in a large dose.
    pub fn one_of<T>(usual: T, large: T) -> T {
        match number(FACTOR).unwrap_or(1) >= LARGE {
            true => large,
            false => usual,
        }
    }

    /// Every third one of those usually, others on each of the next days, and all of them in a large dose. Says on standard output which.
    pub fn turn<T>(suite: &str, all: Vec<T>) -> Vec<T> {
        Dose::turn_of(suite, all, |_| true)
    }

    /// All of those that take little, and of the others every third one, as in [`Dose::turn`].
    #[allow(clippy::print_stdout)]
    pub fn turn_of<T>(suite: &str, all: Vec<T>, takes_long: impl Fn(&T) -> bool) -> Vec<T> {
        let first = number(FIRST).unwrap_or_else(seed_of_the_day);
        if Dose::one_of(false, true) {
            return all;
        }
        let turn = first / SEEDS_A_DAY % TURNS;
        println!(
            "{suite}: one of {TURNS} ({FIRST}={first} repeats it, {FACTOR}={LARGE} takes all)"
        );
        let mut long = 0;
        let mut is_chosen = |one: &T| {
            let is_long = takes_long(one);
            long += u64::from(is_long);
            !is_long || long % TURNS == turn
        };
        all.into_iter().filter(|one| is_chosen(one)).collect()
    }

    /// The seeds, one for each program.
    pub fn seeds(self) -> std::ops::Range<u64> {
        self.first..self.first.saturating_add(self.size)
    }
}

/// The number that an environment variable holds, if it holds one.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn seed_of_the_day() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let days = since.map_or(0, |since| since.as_secs() / (24 * 60 * 60));
    days * SEEDS_A_DAY
}
