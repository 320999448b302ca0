//! `mandala simulate` and `mandala ir`.

use crate::common::{Run, mandala, mandala_reading, model, temporary};

#[test]
fn a_seed_repeats_a_run() {
    let path = model("holds.pml");
    let run = |seed: &str| mandala(["simulate", &path, "--seed", seed, "--steps", "12"]).output;
    assert_eq!(run("7"), run("7"));
    let different = (0..20).any(|seed| run(&seed.to_string()) != run("7").replace("seed 7", ""));
    assert!(different);
    assert!(run("7").contains("Random run, seed 7\n"));
}

#[test]
fn a_run_without_a_seed_says_which_one_it_has_taken() {
    let path = model("assertion.pml");
    let first = mandala(["simulate", &path]);
    let seed = first
        .output
        .lines()
        .next()
        .unwrap()
        .rsplit(' ')
        .next()
        .unwrap();
    let again = mandala(["simulate", &path, "--seed", seed]);
    assert_eq!(first.output, again.output);
    assert_eq!(first.status, again.status);
}

#[test]
fn a_run_ends_after_the_steps_that_were_asked_for() {
    let run = mandala([
        "simulate",
        &model("endless.pml"),
        "--seed",
        "1",
        "--steps",
        "200",
    ]);
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.ends_with("Stopped after 200 steps\n"), "{run}");
    assert!(run.output.contains("\n  200  counter(0)"), "{run}");
}

#[test]
fn a_violation_ends_the_run_with_status_1() {
    let run = mandala(["simulate", &model("rendezvous.pml"), "--seed", "1"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("prints: got 7"), "{run}");
    assert!(run.output.contains("✗ an assertion failed"), "{run}");
}

#[test]
fn a_trace_guides_a_run() {
    let trace = temporary("guide.json");
    let trace = trace.to_str().unwrap();
    let path = model("deadlock.pml");
    assert_eq!(mandala(["check", &path, "--json", trace]).status, 1);
    let run = mandala(["simulate", &path, "--trace", trace]);
    assert_eq!(run.status, 1, "{run}");
    assert!(run.output.contains("✗ deadlock"), "{run}");
    let run = mandala(["simulate", &model("assertion.pml"), "--trace", trace]);
    assert_eq!(run.status, 2, "{run}");
    let run = mandala(["simulate", &path, "--trace", trace, "--seed", "1"]);
    assert_eq!(run.status, 2, "{run}");
}

#[test]
fn steps_can_be_chosen_and_taken_back() {
    let choose = |input| mandala_reading(input, ["simulate", &model("deadlock.pml"), "-i"]);
    let run = choose("1\n1\nv\nu\nv\nq\n");
    assert_eq!(run.status, 0, "{run}");
    assert!(
        run.output.contains("  1  B(1)  line 14    right == free"),
        "{run}"
    );
    assert!(run.output.contains("right: free → taken"), "{run}");
    let taken = run
        .output
        .find("  right = taken\n")
        .expect("shown after the step");
    let free = run
        .output
        .rfind("  right = free\n")
        .expect("shown after the undo");
    assert!(taken < free, "{run}");
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let run = mandala_reading("", ["simulate", &model("deadlock.pml"), "-i"]);
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn nonsense_is_answered_with_help() {
    let run = mandala_reading(
        "99\nhello\n\n0\nu\n?\n",
        ["simulate", &model("deadlock.pml"), "-i"],
    );
    assert_eq!(run.status, 0, "{run}");
    assert_eq!(
        run.output.matches("Choose a number from 1 to 2").count(),
        4,
        "{run}"
    );
    assert!(run.output.contains("This is the start"), "{run}");
    assert!(run.output.contains("take the last step back"), "{run}");
}

#[test]
fn a_deadlock_is_told_where_it_is_met() {
    let run = mandala_reading(
        "1\n1\n2\n2\n1\n",
        ["simulate", &model("deadlock.pml"), "-i"],
    );
    assert!(run.output.contains("✗ deadlock"), "{run}");
    assert!(run.output.contains("No step is possible here"), "{run}");
    assert!(
        run.output.contains("There is no step to take here"),
        "{run}"
    );
}

#[test]
fn the_checked_form_of_a_model_can_be_seen() {
    let run = mandala(["ir", &model("deadlock.pml")]);
    assert_eq!(run.status, 0, "{run}");
    assert!(
        run.output.starts_with("mandala-ir 2\nmodel promela"),
        "{run}"
    );
    assert!(run.output.contains("process A()"), "{run}");
    assert!(run.output.contains("deadlock.pml:8"), "{run}");
}

fn deadlock(input: &str) -> Run {
    mandala_reading(input, ["simulate", &model("deadlock.pml"), "-i"])
}

#[test]
fn who_cannot_move_is_told_with_the_reason() {
    let run = deadlock("1\n1\n1\n1\nw\n");
    let blocked = "A(0)  line 7  waits for  left == free  (left = taken)";
    let told = run.output.contains(blocked) || run.output.contains("waits for  right == free");
    assert!(told, "{run}");
    assert!(run.output.contains("could change that"), "{run}");
    assert!(deadlock("w\n").output.contains("No process waits here"));
}

#[test]
fn a_walk_goes_back_and_forth_and_shows_what_it_was() {
    let run = deadlock("1\n1\ng 0\ng 2\nu 9\nn\nt\ng 5\n");
    assert!(run.output.contains("0 steps from the start"), "{run}");
    // Twice on the way, once more in the table.
    let second = "  2  B(1)  deadlock.pml:14  right = taken";
    assert_eq!(run.output.matches(second).count(), 3, "{run}");
    assert!(
        run.output.contains("No more than 2 steps are known"),
        "{run}"
    );
    // Another choice leaves what was known.
    let run = deadlock("1\n1\ng 1\n2\ng 3\n");
    assert!(
        run.output.contains("No more than 2 steps are known"),
        "{run}"
    );
}

#[test]
fn a_trace_is_followed_up_to_a_step_and_left_there() {
    let trace = temporary("branch.json");
    let trace = trace.to_str().unwrap();
    let path = model("deadlock.pml");
    assert_eq!(mandala(["check", &path, "--json", trace]).status, 1);
    let follow = |input| mandala_reading(input, ["simulate", &path, "-i", "--trace", trace]);
    let run = follow("n 100\n");
    assert_eq!(run.status, 0, "{run}");
    assert!(run.output.contains("The trace has 4 steps"), "{run}");
    assert!(run.output.contains("✗ deadlock"), "{run}");
    let run = follow("g 3\nw\nu\n2\nn\nt\n");
    assert!(run.output.contains("2 steps from the start"), "{run}");
    assert!(run.output.contains("There is no next step"), "{run}");
    assert!(!run.output.contains("✗ deadlock"), "{run}");
}

#[test]
fn the_chart_of_the_run_so_far_is_shown() {
    let path = model("mailbox.pml");
    let run = mandala_reading("r 12\nm\nq\n", ["simulate", &path, "-i"]);
    assert!(run.output.contains('│'), "{run}");
}

#[test]
fn rules_are_shown_by_their_names() {
    let run = mandala_reading(
        "1\n1\nv nothing\nm\n",
        ["simulate", &model("counters.m"), "-i"],
    );
    assert_eq!(run.status, 0, "{run}");
    assert!(!run.output.contains("rules(0)"), "{run}");
    assert!(run.output.contains("There is no such variable"), "{run}");
}

#[test]
fn inside_an_atomic_sequence_the_reason_why_others_wait_is_told() {
    let run = mandala_reading("1\nw\nm\nq\n", ["simulate", &model("atomic.pml"), "-i"]);
    assert_eq!(run.status, 0, "{run}");
    let told = "is inside an atomic sequence: the other processes wait";
    assert_eq!(run.output.matches(told).count(), 2, "{run}");
}
