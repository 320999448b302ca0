//! `--memory` is about the whole program: what the system says that it held at most.
//!
//! The system tells the greatest peak of all programs that a process has started. So this is one test in a program of its own,
//! in which the limits go up.

#![allow(unreachable_pub, reason = "visibility is not restricted here yet")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "one test needs little of it")]
mod common;

use common::{Run, mandala, temporary};
use nix::sys::resource::{UsageWho, getrusage};

/// 28 million states.
const PETERSON: [&str; 8] = [
    "check",
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/peterson/peterson.pml"
    ),
    "-DN=5",
    "--symmetry",
    "off",
    "--static",
    "off",
    "--memory",
];

/// The most bytes that any program held that this one has started.
fn peak() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    u64::try_from(usage.max_rss()).unwrap() * 1024
}

fn check(megabytes: u64, more: &[&str]) -> Run {
    let limit = format!("{megabytes}M");
    mandala([&PETERSON, &[limit.as_str()][..], more].concat())
}

#[test]
fn the_limit_is_kept_and_used() {
    let folder = temporary("memory-checkpoint");
    let _ = std::fs::remove_dir_all(&folder);
    let checkpoints = [
        "--checkpoint",
        folder.to_str().unwrap(),
        "--checkpoint-every",
        "200ms",
    ];
    // A program that is not optimised takes 22 MB for itself.
    let manners: [(u64, &[&str]); 6] = [
        (28, &["--workers", "1"]),
        (33, &["--workers", "2"]),
        (39, &["--workers", "3", "--search", "dfs"]),
        (46, &checkpoints),
        (54, &["--search", "dfs", "--store", "hash-compact"]),
        (64, &[]),
    ];
    for (megabytes, more) in manners {
        let run = check(megabytes, more);
        assert_eq!(run.status, 3, "{run}");
        let reason = format!("the limit of {megabytes} MB of memory was reached");
        assert!(run.output.contains(&reason), "{run}");
        let share = peak() as f64 / (megabytes as f64 * 1e6);
        assert!(share <= 1.05, "{more:?}: {share} of {megabytes} MB\n{run}");
        assert!(share >= 0.85, "{more:?}: {share} of {megabytes} MB\n{run}");
    }
}
