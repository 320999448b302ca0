//! What is wrong with a text is said, with its place and often with what to do. `UPDATE_EXPECT=1` writes what is said now; look at the difference.
//!
//! In `mistakes.txt` each text begins with a line `# what is wrong`, perhaps with lines `$ -D NAME=VALUE`, `$ --pctl QUERY` or `$ --props TEXT`, and ends with lines `> what is said`.

use crate::support::{Given, read};
use mandala_model::stated::StatedForm;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes.txt");

#[test]
fn mistakes_are_told() {
    let before = std::fs::read_to_string(FILE).expect("the mistakes");
    let blocks: Vec<&str> = before.split("\n# ").collect();
    let now: Vec<String> = blocks.iter().map(|block| told(block)).collect();
    let now = now.join("\n# ");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(FILE, now).expect("the mistakes can be written");
        return;
    }
    assert!(blocks.len() >= 30, "{} mistakes", blocks.len());
    assert_eq!(now, before);
}

/// A text with what is said of it.
fn told(block: &str) -> String {
    let lines: Vec<&str> = block
        .lines()
        .filter(|line| !line.starts_with("> "))
        .collect();
    let mut given = Given::default();
    for line in &lines[1..] {
        match line
            .strip_prefix("$ ")
            .and_then(|rest| rest.split_once(' '))
        {
            Some(("-D", define)) => given = given.define(define),
            Some((option, text)) => {
                let form = StatedForm::named(option.trim_start_matches('-')).expect("an option");
                given = given.stating(form, text);
            }
            None => given.text.push_str(&format!("{line}\n")),
        }
    }
    let (model, found) = read(&given);
    assert!(model.is_none(), "nothing is wrong: {block}");
    let said: Vec<String> = found.iter().map(|line| format!("> {line}")).collect();
    format!("{}\n{}\n", lines.join("\n"), said.join("\n"))
}
