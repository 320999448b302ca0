//! The least of several times.
//!
//! What else a machine does makes a measurement longer, never shorter. So the shortest of several comes closest, and the
//! same rule holds for both tools: up to five measurements, as long as those so far took less than three seconds together.

use crate::measure::over;
use std::collections::HashSet;
use std::hash::Hash;
use std::time::Duration;

/// At most so many measurements.
const REPETITIONS: usize = 5;

/// No further one if those so far took that many seconds.
const PATIENCE: f64 = 3.0;

/// The shortest of several measurements.
pub(crate) fn least<T>(
    mut measure: impl FnMut() -> Result<T, String>,
    time: impl Fn(&T) -> f64,
) -> Result<T, String> {
    let mut series = Series::new();
    for _ in 0..REPETITIONS {
        series.go_on(&mut measure, &time);
    }
    series.result()
}

/// Which kinds of measurement have taken too long, so that larger ones of the kind are not tried.
#[derive(Debug)]
pub(crate) struct Limited<K> {
    limit: Duration,
    given_up: HashSet<K>,
}

impl<K: Eq + Hash> Limited<K> {
    /// Nothing has taken too long yet.
    pub(crate) fn new(limit: Duration) -> Self {
        Limited {
            limit,
            given_up: HashSet::new(),
        }
    }

    /// The shortest of several measurements, unless a smaller one of this kind has already taken too long.
    pub(crate) fn least<T>(
        &mut self,
        kind: K,
        measure: impl FnMut() -> Result<T, String>,
        time: impl Fn(&T) -> f64,
    ) -> Result<T, String> {
        let too_long = over(self.limit);
        if self.given_up.contains(&kind) {
            return Err(format!("({too_long})"));
        }
        let measured = least(measure, time);
        if measured.as_ref().is_err_and(|why| *why == too_long) {
            self.given_up.insert(kind);
        }
        measured
    }
}

/// The same for two things at once, in turns.
pub(crate) fn least_of_both<A, B>(
    mut measure_a: impl FnMut() -> Result<A, String>,
    time_a: impl Fn(&A) -> f64,
    mut measure_b: impl FnMut() -> Result<B, String>,
    time_b: impl Fn(&B) -> f64,
) -> (Result<A, String>, Result<B, String>) {
    let (mut a, mut b) = (Series::new(), Series::new());
    for _ in 0..REPETITIONS {
        a.go_on(&mut measure_a, &time_a);
        b.go_on(&mut measure_b, &time_b);
    }
    (a.result(), b.result())
}

/// Measurements of one thing.
struct Series<T> {
    /// The shortest so far, or what went wrong.
    best: Option<Result<T, String>>,
    /// What all together took.
    sum: f64,
}

impl<T> Series<T> {
    fn new() -> Self {
        Series {
            best: None,
            sum: 0.0,
        }
    }

    /// Measures once more, unless that is no longer worth it.
    fn go_on(
        &mut self,
        measure: &mut impl FnMut() -> Result<T, String>,
        time: &impl Fn(&T) -> f64,
    ) {
        let failed = matches!(self.best, Some(Err(_)));
        if failed || self.sum >= PATIENCE {
            return;
        }
        let next = measure();
        self.sum += next.as_ref().map_or(0.0, time);
        let shorter = match (&self.best, &next) {
            (Some(Ok(best)), Ok(next)) => time(next) < time(best),
            _ => true,
        };
        if shorter {
            self.best = Some(next);
        }
    }

    fn result(self) -> Result<T, String> {
        self.best
            .unwrap_or_else(|| Err("it was not measured".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least_of(times: &[f64]) -> (Result<f64, String>, usize) {
        let mut rest = times.iter();
        let best = least(
            || rest.next().copied().ok_or("no more".into()),
            |time| *time,
        );
        (best, rest.len())
    }

    #[test]
    fn what_is_short_is_repeated_and_the_least_counts() {
        let (best, rest) = least_of(&[0.4, 0.2, 0.3, 0.6, 0.25, 0.1]);
        assert_eq!((best, rest), (Ok(0.2), 1));
    }

    #[test]
    fn what_is_long_is_not_repeated() {
        assert_eq!(least_of(&[3.0, 0.1]), (Ok(3.0), 1));
        assert_eq!(least_of(&[1.6, 1.5, 0.1]), (Ok(1.5), 1));
    }

    #[test]
    fn what_fails_once_has_failed() {
        assert_eq!(least_of(&[0.1]), (Err("no more".into()), 0));
    }

    #[test]
    fn what_took_too_long_is_not_tried_at_larger_sizes() {
        let mut limited = Limited::new(Duration::from_secs(60));
        let mut measure = |kind: &'static str, why: &str| {
            let failed = || Err::<f64, _>(why.to_string());
            limited.least(kind, failed, |time| *time).unwrap_err()
        };
        assert_eq!(measure("off", "out of memory"), "out of memory");
        assert_eq!(measure("off", "> 60 s"), "> 60 s");
        assert_eq!(measure("off", "out of memory"), "(> 60 s)");
        assert_eq!(measure("auto", "out of memory"), "out of memory");
    }

    #[test]
    fn two_things_take_turns_until_each_has_had_enough() {
        let log = std::cell::RefCell::new(String::new());
        let measure = |name: &'static str, time: f64| {
            let log = &log;
            move || {
                log.borrow_mut().push_str(name);
                Ok(time)
            }
        };
        let time = |time: &f64| *time;
        let both = least_of_both(measure("a", 2.0), time, measure("b", 0.1), time);
        assert_eq!(both, (Ok(2.0), Ok(0.1)));
        assert_eq!(*log.borrow(), "ababbbb");
    }
}
