//! Every console block in the README and in `docs/` is executed, and shows what it says.
//!
//! The blocks of a page are executed from its begin to its end, in a folder of their own in which there is `models/`:
//!
//! - ```` ```LANGUAGE FILE ```` is a file of that name with that text.
//! - ```` ```console ```` has commands behind `$ `, each with its output. A line `..` stands for any lines. Times and sizes may be others.
//!
//! `UPDATE_EXPECT=1 cargo test -p mandala-cli --test all docs::` writes what commands have said into the pages, but for blocks with `..`.

use crate::common::temporary;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page says more than this many commands in all, so that none is lost by a change here.
const LEAST_COMMANDS: usize = 10;

#[test]
fn every_console_block_shows_what_its_commands_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository");
    let mut pages = vec![root.join("README.md"), root.join("models/README.md")];
    let docs = fs::read_dir(root.join("docs")).expect("the folder");
    pages.extend(
        docs.map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|e| e == "md")),
    );
    pages.sort();
    let mut executed = 0;
    let mut wrong = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).expect("the page");
        let name = page
            .strip_prefix(&root)
            .unwrap_or(page)
            .display()
            .to_string();
        let folder = folder_of(&name, &root);
        let checked = check(&name, &text, &folder);
        executed += checked.commands;
        match std::env::var_os("UPDATE_EXPECT") {
            Some(_) if checked.text != text => fs::write(page, checked.text).expect("written"),
            _ => wrong.extend(checked.wrong),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        executed >= LEAST_COMMANDS,
        "only {executed} commands were executed"
    );
}

/// The README stays one that is read to its end.
#[test]
fn the_readme_is_short() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let lines = fs::read_to_string(readme)
        .expect("the README")
        .lines()
        .count();
    assert!(lines < 150, "{lines} lines");
}

/// An empty folder with the models.
fn folder_of(page: &str, root: &Path) -> PathBuf {
    let folder = temporary(&format!("docs-{}", page.replace('/', "-")));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.join("models"), folder.join("models")).expect("a link");
    folder
}

/// What came of a page.
struct Checked {
    /// The page with what its commands have said.
    text: String,
    commands: usize,
    wrong: Vec<String>,
}

fn check(name: &str, page: &str, folder: &Path) -> Checked {
    let mut checked = Checked {
        text: String::new(),
        commands: 0,
        wrong: Vec::new(),
    };
    let mut lines = (1..).zip(page.lines());
    while let Some((number, line)) = lines.next() {
        checked.text.push_str(line);
        checked.text.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        let block = match info.split_once(' ') {
            _ if info == "console" => checked.console(&format!("{name}:{number}"), &block, folder),
            Some((_, file)) => {
                fs::write(folder.join(file), block.join("\n") + "\n").expect("a file");
                block.join("\n")
            }
            None => block.join("\n"),
        };
        checked.text.push_str(&block);
        checked.text.push_str("\n```\n");
    }
    checked
}

impl Checked {
    /// Executes a block, and gives it with what was said.
    fn console(&mut self, place: &str, block: &[&str], folder: &Path) -> String {
        let mut said = Vec::new();
        let mut lines = block.iter().peekable();
        while let Some(first) = lines.next() {
            let mut typed = vec![*first];
            while typed.last().is_some_and(|line| line.ends_with('\\')) {
                typed.extend(lines.next());
            }
            said.extend(typed.iter().map(ToString::to_string));
            let command = typed
                .iter()
                .map(|line| line.trim_end_matches('\\').trim())
                .collect::<Vec<_>>()
                .join(" ");
            let command = command
                .strip_prefix("$ ")
                .unwrap_or_else(|| panic!("{place}: no command: {command}"));
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(*line);
            }
            let found = output_of(place, command, folder);
            self.commands += 1;
            if let Err(line) = agree(&expected, &found) {
                let (expected, found) = (expected.join("\n"), found.join("\n"));
                self.wrong.push(format!("{place}: $ {command}\nfrom `{line}` on, expected:\n{expected}\nfound:\n{found}\n"));
                if !said.is_empty() && !expected.lines().any(|line| line == "..") {
                    said.extend(found.lines().map(str::to_string));
                    continue;
                }
            }
            said.extend(expected.iter().map(ToString::to_string));
        }
        said.join("\n")
    }
}

/// What a command writes, errors last.
fn output_of(place: &str, command: &str, folder: &Path) -> Vec<String> {
    let words = words(command);
    assert_eq!(
        words.first().map(String::as_str),
        Some("mandala"),
        "{place}: {command}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_mandala"))
        .args(&words[1..])
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    text.trim_end()
        .lines()
        .filter(|line| !is_about_time(line))
        .map(|line| line.trim_end().to_string())
        .collect()
}

/// The words of a command, of which some may stand in quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the output is as expected; else the first expected line that is not found.
fn agree(expected: &[&str], found: &[String]) -> Result<(), String> {
    match expected {
        [] if found.is_empty() => Ok(()),
        [] => Err("the end".into()),
        ["..", rest @ ..] => {
            match (0..=found.len()).any(|skipped| agree(rest, &found[skipped..]).is_ok()) {
                true => Ok(()),
                false => Err(rest.first().copied().unwrap_or("..").into()),
            }
        }
        [line, rest @ ..] => match found.split_first() {
            Some((first, others)) if normal(line.trim_end()) == normal(first) => {
                agree(rest, others)
            }
            _ => Err(line.to_string()),
        },
    }
}

/// Whether a line says what a longer search has spent its time on, which depends on what else the machine does.
fn is_about_time(line: &str) -> bool {
    line.contains("native code for") || line.contains("% of the time")
}

/// The line without times, rates and sizes.
fn normal(line: &str) -> String {
    let mut line = line.replace("under 1 ms", "1 ms");
    let rate = line.find(" (").zip(line.find("transitions/s)"));
    if let Some((from, to)) = rate {
        line.replace_range(from..to + "transitions/s)".len(), "");
    }
    let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_matches(['(', ')', ',', ';']).to_string();
        let is_time = matches!(unit.as_str(), "ms" | "s" | "min");
        let is_size = matches!(unit.as_str(), "bytes" | "kB" | "MB" | "GB");
        let is_number = words[at - 1].trim_start_matches('(').parse::<f64>().is_ok();
        if is_number && (is_time || is_size) {
            words[at - 1] = words[at - 1].replace(|c: char| c.is_ascii_digit() || c == '.', "");
            words[at] = words[at].replace(&unit, if is_time { "TIME" } else { "SIZE" });
        }
    }
    words.join(" ")
}

#[test]
fn times_and_sizes_are_not_compared_but_all_else_is() {
    let agrees = |one: &str, other: &str| agree(&[one], &[other.to_string()]).is_ok();
    assert!(agrees(
        "  3 ms, 22 kB (24.0 bytes a state)",
        "  under 1 ms, 1.3 MB (75.3 bytes a state)"
    ));
    assert!(agrees("1 test (3 ms)", "1 test (1.2 s)"));
    assert!(agrees(
        "  61 ms (198,336 states/s, 643,387 transitions/s), 263 kB",
        "  3 ms, 1 kB"
    ));
    assert!(!agrees(
        "17 states, 27 transitions",
        "18 states, 27 transitions"
    ));
    assert!(
        agree(
            &["a", "..", "d"],
            &["a".into(), "b".into(), "c".into(), "d".into()]
        )
        .is_ok()
    );
    assert!(agree(&["a", ".."], &["b".into()]).is_err());
    assert!(agree(&[], &["b".into()]).is_err());
}
