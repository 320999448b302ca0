//! Declared symmetry: the file beside a model is read, and what is wrong in it is said.

use crate::common::{mandala, model, temporary};

/// The end of what `mandala ir` prints, without the folder of the files.
fn declarations(path: &str, options: &[&str]) -> Vec<String> {
    let run = mandala(["ir", path].into_iter().chain(options.iter().copied()));
    assert_eq!(run.status, 0, "{run}");
    let folder = model("");
    let lines = run
        .output
        .lines()
        .skip_while(|l| !l.starts_with("scalarset"));
    lines.map(|line| line.trim().replace(&folder, "")).collect()
}

#[test]
fn the_file_beside_a_model_is_read() {
    let path = model("declared.pml");
    let expected = |last: u32| {
        [
            format!("scalarset ID = 1..{last}  // declared.sym:5"),
            "holds Client::id  // declared.sym:5".to_string(),
        ]
    };
    assert_eq!(declarations(&path, &[]), expected(2));
    assert_eq!(declarations(&path, &["-D", "N=1"]), expected(1));
}

#[test]
fn a_mistake_in_it_is_shown_with_its_line() {
    let path = temporary("mistaken.pml");
    std::fs::copy(model("declared.pml"), &path).expect("a copy");
    std::fs::write(
        path.with_extension("sym"),
        "scalarset ID = 1..2:\n  Client.di\n",
    )
    .expect("a file");
    let run = mandala(["check", path.to_str().expect("a path")]);
    assert_eq!(run.status, 2, "{run}");
    assert!(
        run.errors.contains("`Client` has no variable `di`"),
        "{run}"
    );
    assert!(run.errors.contains("mistaken.sym:2:10"), "{run}");
    std::fs::remove_file(path.with_extension("sym")).expect("the file");
    let run = mandala(["check", path.to_str().expect("a path")]);
    assert_eq!(run.status, 0, "{run}");
}
