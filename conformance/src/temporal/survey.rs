//! Many programs, on two threads.

use super::{Effort, Subject, Tally, examine, smallest};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many disagreements are enough to stop.
const ENOUGH: usize = 5;

/// What has come of programs so far.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Programs of which something could be said.
    pub programs: u64,
    /// What was said.
    pub tally: Tally,
    /// What is wrong, in words, each with a small program.
    pub disagreements: Vec<String>,
}

/// Examines the programs of one seed after the other until there are enough.
pub fn survey(
    first: u64,
    effort: Effort<'_>,
    subject: fn(u64) -> Subject,
    is_enough: impl Fn(&Survey) -> bool + Sync,
) -> Survey {
    let next = AtomicU64::new(first);
    let surveyed: Mutex<Survey> = Mutex::default();
    let is_over = |so_far: &Survey| is_enough(so_far) || so_far.disagreements.len() >= ENOUGH;
    let work = || {
        while !is_over(&locked(&surveyed)) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let outcome = one(subject(seed), seed, effort);
            locked(&surveyed).add(outcome);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    surveyed
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
}

fn locked(survey: &Mutex<Survey>) -> MutexGuard<'_, Survey> {
    survey.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What comes of one program; a disagreement is shrunk.
fn one(subject: Subject, seed: u64, effort: Effort<'_>) -> Result<Tally, String> {
    examine(&subject, seed, effort).map_err(|first| {
        let subject = smallest(subject, seed, &first, effort);
        let last = examine(&subject, seed, effort).err().unwrap_or(first);
        format!("seed {seed}: {last}\n{subject}")
    })
}

impl Survey {
    fn add(&mut self, outcome: Result<Tally, String>) {
        match outcome {
            Ok(tally) => {
                self.programs += u64::from(tally.agreed > 0);
                self.tally.add(tally);
            }
            Err(text) => self.disagreements.push(text),
        }
    }
}
