//! The relay tells how much memory one program took, and can give it less.
#![cfg(unix)]

use std::process::{Command, Output};

/// `tail` keeps what it may have to print.
const HOARD: &str = "head -c 60000000 /dev/zero | tail -c 60000000 | wc -c";

fn relay(options: &[&str], script: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    Command::new(env!("CARGO_BIN_EXE_mandala-bench"))
        .args(["relay", "--milliseconds", "60000"])
        .args(options)
        .arg(folder.path())
        .args(["sh", "-c", script])
        .output()
        .unwrap()
}

fn told(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_peak_is_that_of_the_program() {
    let (little, much) = (told(&relay(&[], "true")), told(&relay(&[], HOARD)));
    assert_eq!(
        (&little["well"], &much["well"]),
        (&true.into(), &true.into())
    );
    let peak = |message: &serde_json::Value| message["peak"].as_u64().unwrap();
    assert!(peak(&little) < 30_000_000, "{little}");
    assert!((60_000_000..120_000_000).contains(&peak(&much)), "{much}");
}

#[test]
fn a_program_gets_no_more_memory_than_it_may_have() {
    let limited = relay(
        &["--bytes", "50000000"],
        "set -e; x=$(head -c 60000000 /dev/zero | tr '\\0' a); test -n \"$x\"",
    );
    assert_eq!(told(&limited)["well"], false, "{limited:?}");
}
