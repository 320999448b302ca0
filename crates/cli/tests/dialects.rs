//! `--dialect`: which tool a Murphi model is written for.

use crate::common::{Run, mandala, model, temporary};

fn check(file: &str, more: &[&str]) -> Run {
    let path = model(file);
    mandala([&["check", &path], more].concat())
}

const REMARK: &str = "empty-range.m:5:7: in some step this range has no values, and nothing is done for it; \
                      Rumur would count down (`--dialect rumur`)";

#[test]
fn an_empty_range_is_remarked_once() {
    for more in [
        &[][..],
        &["--dialect", "cmurphi"],
        &["--symmetry", "off", "--search", "dfs"],
        &["--static", "off"],
    ] {
        let run = check("empty-range.m", more);
        assert_eq!(run.status, 0, "{run}");
        assert_eq!(run.output.matches(REMARK).count(), 1, "{run}");
        assert!(!run.output.contains("not selected"), "{run}");
    }
}

/// A range that is never empty, in a model that differs in nothing else.
#[test]
fn what_is_not_met_is_not_remarked() {
    let text = std::fs::read_to_string(model("empty-range.m")).unwrap();
    let path = temporary("full-range.m");
    std::fs::write(&path, text.replace("0 to n - 1", "0 to n")).unwrap();
    let run = mandala(["check", path.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{run}");
    assert!(!run.output.contains("no values"), "{run}");
}

#[test]
fn rumur_counts_down() {
    let run = check("empty-range.m", &["--dialect", "rumur"]);
    assert_eq!(run.status, 1, "{run}");
    assert!(!run.output.contains("no values"), "{run}");
}

#[test]
fn documents_have_the_dialect_and_replay_uses_it() {
    let document = check("empty-range.m", &["--json", "-"]).json();
    assert_eq!(document["model"]["dialect"], "cmurphi");
    let path = temporary("dialect.json").to_str().unwrap().to_string();
    let run = check("empty-range.m", &["--dialect", "rumur", "--json", &path]);
    assert_eq!(run.status, 1, "{run}");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.contains("\"dialect\": \"rumur\""), "{written}");
    let run = mandala(["replay", &path]);
    assert_eq!(run.status, 0, "{run}");
    std::fs::write(&path, written.replace("\"rumur\"", "\"cmurphi\"")).unwrap();
    assert_ne!(mandala(["replay", &path]).status, 0);
    std::fs::write(&path, written.replace("\"rumur\"", "\"latin\"")).unwrap();
    let run = mandala(["replay", &path]);
    assert!(run.errors.contains("there is no dialect `latin`"), "{run}");
}

#[test]
fn other_languages_have_none() {
    let run = check("holds.pml", &["--dialect", "cmurphi"]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("`--dialect` is for Murphi models"),
        "{run}"
    );
    assert_eq!(check("empty-range.m", &["--dialect", "latin"]).status, 2);
}

#[test]
fn a_search_goes_on_in_the_dialect_that_it_began_with() {
    let folder = temporary("dialect-checkpoint");
    std::fs::remove_dir_all(&folder).ok();
    let folder = folder.to_str().unwrap();
    // The range is empty at the end of a long way only.
    let text = "var n, k: 0..99; l: 0..49; a: array [0..1] of boolean; \
        startstate begin n := 99; k := 0; l := 0; end; \
        rule begin k := (k + 1) % 100; end; rule begin l := (l + 1) % 50; end; \
        rule n > 0 ==> begin n := n - 1; end; \
        rule n = 0 ==> begin for i := n to n - 1 do a[i] := true; end; n := 99; end;";
    let path = temporary("long-way.m");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    for (dialect, status) in [("rumur", 1), ("cmurphi", 0)] {
        let options = [
            "--dialect",
            dialect,
            "--checkpoint",
            folder,
            "--states",
            "50000",
            "--checkpoint-every",
            "1ms",
        ];
        let run = mandala([&["check", path], &options[..]].concat());
        assert_eq!(run.status, 3, "{run}");
        let run = mandala(["resume", folder, "--states", "1M"]);
        assert_eq!(run.status, status, "{run}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
