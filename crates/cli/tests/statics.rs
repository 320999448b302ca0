//! `--static`: what can be typed, and that it does what it says.

use crate::common::{Run, mandala, model};

fn check(options: &[&str]) -> Run {
    let file = model("holds.pml");
    let mut all = vec!["check", &file, "--json", "-"];
    all.extend(options);
    mandala(all)
}

fn states(run: &Run) -> u64 {
    run.json()["stats"]["states"].as_u64().expect("a number")
}

#[test]
fn it_is_on_unless_somebody_says_otherwise() {
    let (usual, on, off) = (
        check(&[]),
        check(&["--static", "on"]),
        check(&["--static", "off"]),
    );
    assert_eq!(states(&usual), states(&on));
    assert!(states(&on) < states(&off));
    assert!(off.output.contains("\"static\": \"off\""), "{off}");
}

#[test]
fn some_of_it_can_be_asked_for() {
    assert!(states(&check(&["--static", "merge"])) < states(&check(&["--static", "off"])));
    let run = check(&["--static", "dead,constants"]);
    assert_eq!(run.status, 0, "{run}");
}

#[test]
fn nonsense_is_refused_with_what_there_is() {
    for nonsense in ["auto", "", "dead,", "dead;merge"] {
        let run = check(&["--static", nonsense]);
        assert_eq!(run.status, 2, "{run}");
        assert!(run.errors.contains("`merge`"), "{run}");
    }
}
