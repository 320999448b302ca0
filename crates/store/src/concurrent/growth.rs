//! The words of a hash table are spread over more lines, by several threads at once.
//!
//! # The algorithm
//!
//! Lines are in the order of the hashes. So what stands in some of the old lines belongs to lines that follow one another in the
//! larger table as well, but for a word now and then that had found its home line full. The table is therefore emptied from its end, in
//! *rounds*: a round moves as many of the last lines as have their new places behind every line that has not been moved yet.
//! Nothing in a round gets in the way of anything else in it, so it is divided into *parts*, and every thread moves one part after the
//! other. A word that would have to leave the new lines of its part is put aside; these are added in the end by one thread. Each
//! round is smaller than the one before by the factor by which the table grows. The few lines that are left when none can be moved
//! any more are put aside as a whole.
//!
//! Every word is read and written once, and there is never a second table. Fresh pages are first written to by the thread that needs
//! them, so all threads together clear them.
//!
//! # Threads
//!
//! Parts are given out in order, by a counter. A part is begun when all parts of the rounds before are done, and those are in
//! the hands of threads that run; so it does no harm if a thread cannot be started or comes late.

use super::line::{Line, Word};
use super::sync::{AtomicUsize, Ordering, yield_now};
use super::{is_taken, scale};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// How many lines a part has at most: little enough to divide a table of a megabyte, and so many that hardly any words are put aside.
const PART: usize = if cfg!(loom) { 1 } else { 1024 };
/// From how many lines on a table is worth the start of threads.
const WIDE: usize = 1 << 14;
/// How often a thread looks for the end of a round before it lets others run.
const LOOKS: u32 = if cfg!(loom) { 0 } else { 100 };

/// Some lines, and those that their words belong to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    old: Range<usize>,
    new: Range<usize>,
    /// How many parts there are in the rounds before.
    after: usize,
}

/// What is to be done.
#[derive(Debug)]
struct Plan {
    parts: Vec<Part>,
    /// So many lines are left.
    rest: usize,
}

impl Plan {
    fn new(before: usize, lines: usize) -> Self {
        let mut parts = Vec::new();
        let mut end = before;
        while end > 0 {
            let start = (end as u128 * before as u128).div_ceil(lines as u128) as usize;
            if start == end {
                break;
            }
            let after = parts.len();
            for first in (start..end).step_by(PART) {
                let old = first..end.min(first + PART);
                let [from, to] = [old.start, old.end].map(|line| first_home(line, before, lines));
                parts.push(Part {
                    old,
                    new: from..to,
                    after,
                });
            }
            end = start;
        }
        Self { parts, rest: end }
    }
}

/// The first of `lines` lines in which a hash can be at home whose home was this one `before`.
fn first_home(line: usize, before: usize, lines: usize) -> usize {
    (line as u128 * lines as u128 / before as u128) as usize
}

/// Where threads are with a plan, and what they have put aside.
struct Progress<V> {
    taken: AtomicUsize,
    done: AtomicUsize,
    moved: AtomicUsize,
    aside: Mutex<Vec<V>>,
}

impl<V> Progress<V> {
    fn new() -> Self {
        Self {
            taken: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            moved: AtomicUsize::new(0),
            aside: Mutex::new(Vec::new()),
        }
    }
}

/// Spreads the words of the first `before` lines over all. The rest is empty. Returns how many have found their places, and those that still
/// have to be added.
pub(super) fn spread<W: Word, const N: usize>(
    lines: &[Line<W, N>],
    before: usize,
    threads: usize,
    hash: &(impl Fn(W::Value) -> u64 + Sync),
) -> (usize, Vec<W::Value>) {
    let plan = Plan::new(before, lines.len());
    let progress = Progress::new();
    let work = || take_parts(lines, &plan, &progress, hash);
    if threads > 1 && before >= WIDE {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Without it the others have more to do.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
    } else {
        work();
    }
    let aside = progress.aside.into_inner();
    let mut aside = aside.unwrap_or_else(PoisonError::into_inner);
    let rest = lines[..plan.rest].iter();
    aside.extend(rest.flat_map(take_words).filter(is_taken));
    (progress.moved.load(Ordering::Relaxed), aside)
}

/// Moves parts until none is left.
fn take_parts<W: Word, const N: usize>(
    lines: &[Line<W, N>],
    plan: &Plan,
    progress: &Progress<W::Value>,
    hash: &impl Fn(W::Value) -> u64,
) {
    let mut aside = Vec::new();
    let mut moved = 0;
    while let Some(part) = plan
        .parts
        .get(progress.taken.fetch_add(1, Ordering::Relaxed))
    {
        wait_for(&progress.done, part.after);
        moved += move_part(lines, part, hash, &mut aside);
        progress.done.fetch_add(1, Ordering::Release);
    }
    progress.moved.fetch_add(moved, Ordering::Relaxed);
    let all = progress.aside.lock();
    all.unwrap_or_else(PoisonError::into_inner)
        .append(&mut aside);
}

/// Waits until so many parts are done.
fn wait_for(done: &AtomicUsize, parts: usize) {
    let mut looks = 0;
    while done.load(Ordering::Acquire) < parts {
        looks += 1;
        match looks < LOOKS {
            true => std::hint::spin_loop(),
            false => yield_now(),
        }
    }
}

/// Moves the words of a part, in the order of their hashes. Returns how many have found their places.
///
/// Most words have the same home as the one before, so how full that line is is remembered. Lines are filled from their first
/// words on; a search looks at all words of a line before it goes on or stops, so any order will do.
fn move_part<W: Word, const N: usize>(
    lines: &[Line<W, N>],
    part: &Part,
    hash: &impl Fn(W::Value) -> u64,
    aside: &mut Vec<W::Value>,
) -> usize {
    let mut moved = 0;
    let (mut last_home, mut filled) = (usize::MAX, N);
    for line in &lines[part.old.clone()] {
        for value in take_words(line).into_iter().filter(is_taken) {
            let home = scale(hash(value), lines.len());
            if home != last_home {
                let is_here = part.new.contains(&home);
                (last_home, filled) = (home, if is_here { lines[home].filled() } else { N });
            }
            if filled < N {
                lines[home].0[filled].set(value);
                filled += 1;
            } else if !place_between(lines, home + 1, &part.new, value) {
                aside.push(value);
                continue;
            }
            moved += 1;
        }
    }
    moved
}

/// Empties a line.
fn take_words<W: Word, const N: usize>(line: &Line<W, N>) -> [W::Value; N] {
    std::array::from_fn(|place| {
        let word = &line.0[place];
        let value = word.get();
        word.set(W::Value::default());
        value
    })
}

/// Adds a value to the first line with room from `first` on, if that follows on lines of `range`.
fn place_between<W: Word, const N: usize>(
    lines: &[Line<W, N>],
    first: usize,
    range: &Range<usize>,
    value: W::Value,
) -> bool {
    let follows = range.start < first && first < range.end;
    let mut candidates = if follows { first..range.end } else { 0..0 };
    let room = candidates.find(|line| lines[*line].filled() < N);
    room.inspect(|line| lines[*line].0[lines[*line].filled()].set(value))
        .is_some()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_is_moved_in_a_round_goes_behind_everything_that_is_not_moved_yet() {
        let sizes = [
            (0, 0),
            (0, 5),
            (1, 2),
            (7, 8),
            (10, 15),
            (5000, 6250),
            (40_000, 45_001),
        ];
        for (before, lines) in sizes {
            let plan = Plan::new(before, lines);
            let mut end = before;
            for (number, part) in plan.parts.iter().enumerate() {
                assert!(part.after <= number && part.old.len() <= PART);
                if part.after == number {
                    // The rounds before have left this much.
                    let round = plan.parts.iter().filter(|other| other.after == number);
                    let round: Vec<&Part> = round.collect();
                    assert_eq!(round.last().map(|part| part.old.end), Some(end));
                    assert!(round[0].new.start >= end);
                    assert!(round.is_sorted_by(|a, b| a.old.end == b.old.start));
                    assert!(round.is_sorted_by(|a, b| a.new.end == b.new.start));
                    end = round[0].old.start;
                }
            }
            assert_eq!(plan.rest, end);
            assert!(end <= before / (lines - before).max(1) + 1);
        }
    }
}

/// Two threads that share the parts of a plan, in all ways in which they can take turns.
#[cfg(all(test, loom))]
mod model_check {
    use super::super::sync::AtomicU64;
    use super::*;
    use loom::sync::Arc;

    #[test]
    fn two_threads_spread_a_table_together() {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(2);
        builder.check(|| {
            let lines: Vec<Line<AtomicU64, 8>> = (0..8).map(|_| Line::default()).collect();
            // The hash of a word is the word: one in each of four lines, which are at home in every second of eight.
            let words: Vec<u64> = (0..4).map(|line| (2 * line + 1) << 61).collect();
            for (line, word) in lines.iter().zip(&words) {
                line.0[0].set(*word);
            }
            let shared = Arc::new((lines, Plan::new(4, 8), Progress::new()));
            let work = |shared: &(Vec<Line<AtomicU64, 8>>, Plan, Progress<u64>)| {
                take_parts(&shared.0, &shared.1, &shared.2, &|word| word);
            };
            let other = shared.clone();
            let other = loom::thread::spawn(move || work(&other));
            work(&shared);
            other.join().expect("a thread that ends");
            let (lines, plan, progress) = &*shared;
            assert_eq!((plan.parts.len(), plan.rest), (3, 1));
            assert_eq!(progress.moved.load(Ordering::Relaxed), 3);
            for (line, word) in (1..4).zip(&words[1..]) {
                assert_eq!(lines[2 * line + 1].0[0].get(), *word);
                assert_eq!(lines[line].filled(), usize::from(line % 2 == 1 && line > 2));
            }
        });
    }
}
