//! A sampling profile of the workers' time.
//!
//! Each worker writes down what it is doing when it begins to do something else, one byte that no other thread writes. A thread of its own
//! looks at these bytes every millisecond, later every few milliseconds, and adds the time since its last look to whatever it sees. So
//! what is counted is time, not expansions: an expansion that takes a million times as long as others weighs as much as a million
//! others, all parts together are the time of the workers, and no part can be larger than the run.
//!
//! # Unit
//!
//! A part is a share of the time of all workers that were there, as seconds of the run: a quarter of the time of each of four workers in a
//! run of two seconds is half a second. So parts can be compared with the time of the run, whatever the number of workers.
//!
//! # Cost
//!
//! Three or four stores of a byte for each successor, and a thousand looks in a second at first. The thread is started when a search looks
//! at its limits for the first time: most searches are over before.
//!
//! # Rejected
//!
//! To time one expansion in some hundreds and to extrapolate. Times of expansions have long tails: with the outliers, one sample stood for
//! hundreds that were never so slow, and a part was longer than the run; without them, most of the time was missing.

use crate::outcome::TimeSplit;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long it is from one look to the next at first.
const SHORT: Duration = Duration::from_millis(1);

/// How long it is once [`MANY`] looks have been made.
const LONG: Duration = Duration::from_millis(5);

/// So many looks are enough for shares that are right to a few points.
const MANY: u32 = 1_000;

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Activity {
    /// Finding successors, and packing them where there is no symmetry.
    Expand,
    /// Finding representatives: from a successor to its packed representative.
    Canonicalise,
    /// Reading, looking up and remembering states.
    Store,
    /// Anything else: the frontier, limits, waiting for others.
    Other,
}

/// How many activities there are.
const ACTIVITIES: usize = 4;

/// The byte of a worker that has not begun.
const ABSENT: u8 = u8::MAX;

/// Where one worker writes down what it is doing.
#[derive(Debug)]
#[repr(align(128))]
struct Post(AtomicU8);

/// The profile of a search.
#[derive(Debug)]
pub(crate) struct Profile {
    seen: Arc<Seen>,
    sampler: OnceLock<Option<JoinHandle<()>>>,
}

/// What the workers write and the sampler reads, and what the sampler has seen.
#[derive(Debug)]
struct Seen {
    posts: Vec<Arc<Post>>,
    /// Nanoseconds of all workers together, for each activity.
    spent: [AtomicU64; ACTIVITIES],
    is_over: AtomicBool,
}

/// The hand of one worker on its post. It knows the post itself, because it writes there several times for each successor.
#[derive(Clone, Debug)]
pub(crate) struct Doing {
    post: Arc<Post>,
}

impl Doing {
    /// From now on the worker does this.
    #[inline]
    pub(crate) fn now(&self, activity: Activity) {
        self.post.0.store(activity as u8, Ordering::Relaxed);
    }
}

impl Profile {
    /// The profile of a search with so many workers at most.
    pub(crate) fn new(workers: usize) -> Self {
        let post = || Arc::new(Post(AtomicU8::new(ABSENT)));
        Profile {
            seen: Arc::new(Seen {
                posts: (0..workers).map(|_| post()).collect(),
                spent: Default::default(),
                is_over: AtomicBool::new(false),
            }),
            sampler: OnceLock::new(),
        }
    }

    /// A worker begins.
    pub(crate) fn worker(&self, number: usize) -> Doing {
        let doing = Doing {
            post: Arc::clone(&self.seen.posts[number]),
        };
        doing.now(Activity::Other);
        doing
    }

    /// Starts the thread that looks, unless it has been started.
    #[inline]
    pub(crate) fn look(&self) {
        self.sampler.get_or_init(|| self.start());
    }

    /// A system that has no thread left gets no profile.
    fn start(&self) -> Option<JoinHandle<()>> {
        let seen = Arc::clone(&self.seen);
        let thread = std::thread::Builder::new().name("profile".into());
        thread.spawn(move || seen.sample()).ok()
    }

    /// The shares of a run of that many seconds; nothing if it was too short to be looked at.
    pub(crate) fn split(&self, seconds: f64) -> TimeSplit {
        let spent = self.seen.spent.each_ref();
        let spent = spent.map(|nanoseconds| nanoseconds.load(Ordering::Relaxed) as f64);
        let all: f64 = spent.iter().sum();
        if all == 0.0 {
            return TimeSplit::default();
        }
        let part = |activity: Activity| seconds * spent[activity as usize] / all;
        TimeSplit {
            expand: part(Activity::Expand),
            canonicalise: part(Activity::Canonicalise),
            store: part(Activity::Store),
        }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.seen.is_over.store(true, Ordering::Relaxed);
        if let Some(Some(sampler)) = self.sampler.take() {
            sampler.thread().unpark();
            // It does nothing that could fail.
            let _ = sampler.join();
        }
    }
}

impl Seen {
    /// Looks at all workers from time to time, until the search is over.
    fn sample(&self) {
        let mut last = Instant::now();
        let mut looks = 0u32;
        while !self.is_over.load(Ordering::Relaxed) {
            std::thread::park_timeout(if looks < MANY { SHORT } else { LONG });
            let now = Instant::now();
            self.add(now.duration_since(last));
            (last, looks) = (now, looks.saturating_add(1));
        }
    }

    /// Adds a stretch of time to what each worker does now.
    fn add(&self, stretch: Duration) {
        let nanoseconds = u64::try_from(stretch.as_nanos()).unwrap_or(u64::MAX);
        for post in &self.posts {
            let activity = usize::from(post.0.load(Ordering::Relaxed));
            if let Some(spent) = self.spent.get(activity) {
                spent.fetch_add(nanoseconds, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shares that come of stretches of time, in milliseconds, in which each of some workers did something.
    fn split(workers: usize, stretches: &[(u64, &[(usize, Activity)])]) -> TimeSplit {
        let profile = Profile::new(workers);
        for (milliseconds, doing) in stretches {
            for (worker, activity) in *doing {
                profile.worker(*worker).now(*activity);
            }
            profile.seen.add(Duration::from_millis(*milliseconds));
        }
        profile.split(2.0)
    }

    #[test]
    fn parts_are_shares_of_the_time_of_all_workers() {
        let both = [(0, Activity::Expand), (1, Activity::Canonicalise)];
        let one = [(0, Activity::Store), (1, Activity::Other)];
        let split = split(2, &[(300, &both), (100, &one)]);
        let expected = TimeSplit {
            expand: 0.75,
            canonicalise: 0.75,
            store: 0.25,
        };
        assert_eq!(split, expected);
    }

    #[test]
    fn a_worker_that_never_began_does_not_count() {
        let split = split(8, &[(10, &[(0, Activity::Canonicalise)])]);
        assert_eq!(split.canonicalise, 2.0);
    }

    #[test]
    fn one_slow_stretch_weighs_as_much_as_its_time() {
        let mut stretches: Vec<(u64, &[(usize, Activity)])> =
            vec![(1, &[(0, Activity::Canonicalise)]); 100];
        stretches.push((300, &[(0, Activity::Expand)]));
        let split = split(1, &stretches);
        assert_eq!((split.expand, split.canonicalise), (1.5, 0.5));
    }

    #[test]
    fn nothing_is_said_of_a_run_that_was_not_looked_at() {
        assert_eq!(split(1, &[]), TimeSplit::default());
    }

    #[test]
    fn the_sampler_sees_what_a_worker_does() {
        let profile = Profile::new(1);
        let doing = profile.worker(0);
        profile.look();
        for (activity, milliseconds) in [(Activity::Store, 30), (Activity::Expand, 120)] {
            doing.now(activity);
            std::thread::sleep(Duration::from_millis(milliseconds));
        }
        doing.now(Activity::Other);
        let split = profile.split(1.0);
        assert!(split.expand > split.store, "{split:?}");
        assert!(split.store > 0.0, "{split:?}");
        let all = split.expand + split.canonicalise + split.store;
        assert!(all <= 1.0 + 1e-9, "{split:?}");
    }
}
