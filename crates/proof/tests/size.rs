//! How large the part is that has to be trusted.

use std::path::{Path, PathBuf};

/// Lines of code of the checker: the architecture says so, too.
const MOST: usize = 3_400;

/// The lines of a file that are neither blank nor comments.
fn lines_of_code(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .count()
}

#[test]
fn the_checker_does_not_grow() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = std::fs::read_dir(sources.join("check")).expect("the folder is there");
    let mut files: Vec<PathBuf> = files
        .map(|file| file.expect("it is there").path())
        .collect();
    files.push(sources.join("check.rs"));
    let lines: usize = files.iter().map(|file| lines_of_code(file)).sum();
    assert!((1_000..=MOST).contains(&lines), "{lines} lines");
}
