//! The expectations in the headers of the bundled models.
//!
//! `models/README.md` says how a header is written. A line that begins with `Expect:`, `Orbits:`, `Group:`, `Rules:` or `Larger:` but
//! does not follow the form is an error, so that no promise goes unchecked by a slip.

use std::path::{Path, PathBuf};

/// One promise: with these settings, this is what is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Macros, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// What is violated, if anything.
    pub violated: Option<Violated>,
    /// Which states are counted.
    pub counting: Counting,
    /// How many of them there are.
    pub states: Option<u64>,
}

/// One promise about symmetry: with these settings, a group of this order is found without being told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromisedGroup {
    /// Macros, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// How many elements the group has, in decimal; there may be more than fit into any integer.
    pub order: String,
}

/// One promise about the size of a search: with these settings, so many rules are fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromisedSize {
    /// Constants, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Which states are counted.
    pub counting: Counting,
    /// How many of them there are, if this promise says so.
    pub states: Option<u64>,
    /// How many rules are fired in them.
    pub rules: u64,
}

/// Which states are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// All that can be reached.
    Reachable,
    /// One for each orbit, with the default use of symmetry.
    Orbits,
}

/// What is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violated {
    /// An assertion.
    Assertion,
    /// There is a deadlock.
    Deadlock,
    /// Something that must stay possible does not.
    Liveness,
    /// A step fails at run time.
    Error,
}

/// The folder of the bundled models.
pub fn folder() -> PathBuf {
    // The tests of the checker have this file, too.
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = above.map(|folder| folder.join("models"));
    let found = folders.find(|folder| folder.join("README.md").is_file());
    found.unwrap_or_else(|| PathBuf::from("models"))
}

/// All bundled models in Promela, in order.
pub fn models() -> std::io::Result<Vec<PathBuf>> {
    files_ending_in("pml")
}

/// All bundled models in Murphi, in order.
pub fn murphi_models() -> std::io::Result<Vec<PathBuf>> {
    files_ending_in("m")
}

/// All bundled pointer automata, in order.
pub fn red_models() -> std::io::Result<Vec<PathBuf>> {
    files_ending_in("red")
}

/// All bundled Boolean programs and thread transition systems, in order.
pub fn thread_models() -> std::io::Result<Vec<PathBuf>> {
    let mut found = files_ending_in("bp")?;
    found.extend(files_ending_in("tts")?);
    Ok(found)
}

fn files_ending_in(extension: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for family in std::fs::read_dir(folder())? {
        let family = family?.path();
        if !family.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(family)? {
            let file = file?.path();
            if file.extension().is_some_and(|e| e == extension) {
                found.push(file);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The promises in the header of a model: also of how many orbits there are where Mandala is not expected to prove so much symmetry.
pub fn promises(text: &str) -> Result<Vec<Promise>, String> {
    let mut promises = read_lines(text, "Expect:", promise)?;
    promises.extend(read_lines(text, "Orbits:", promise)?);
    Ok(promises)
}

/// One promise about any number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPromise {
    /// At most so many threads; nothing if it is every number.
    pub at_most: Option<u32>,
    /// Which states are counted.
    pub counting: Counting,
    /// Whether it is violated.
    pub violated: bool,
    /// With how many threads it is violated first, if every number is asked about.
    pub smallest: Option<u32>,
    /// How many states there are, if a number is asked about.
    pub states: Option<u64>,
}

/// The promises in the header of a model with any number of threads.
pub fn thread_promises(text: &str) -> Result<Vec<ThreadPromise>, String> {
    read_lines(text, "Expect:", thread_promise)
}

/// `every number: holds`, `every number: violated, N threads`, or `N threads[, symmetry]: VERDICT[, COUNT states]`.
fn thread_promise(text: &str) -> Option<ThreadPromise> {
    let (settings, verdict) = text.split_once(':')?;
    let (settings, counting) = counted(settings)?;
    let threads = |text: &str| text.trim().strip_suffix(" threads")?.parse().ok();
    let at_most = match settings.trim() {
        "every number" => None,
        number => Some(threads(number)?),
    };
    let mut parts = verdict.split(',').map(str::trim);
    let violated = match parts.next()? {
        "holds" => false,
        "violated" => true,
        _ => return None,
    };
    let (mut smallest, mut states) = (None, None);
    match (at_most, parts.next()) {
        (None, Some(number)) if violated => smallest = Some(threads(number)?),
        (None, None) if !violated => {}
        (Some(_), Some(count)) => states = Some(count.strip_suffix(" states")?.parse().ok()?),
        (Some(_), None) => {}
        _ => return None,
    }
    parts.next().is_none().then_some(ThreadPromise {
        at_most,
        counting,
        violated,
        smallest,
        states,
    })
}

/// The promises about symmetry in the header of a model.
pub fn groups(text: &str) -> Result<Vec<PromisedGroup>, String> {
    read_lines(text, "Group:", group)
}

/// The promises about rules fired in the header of a model.
pub fn rules(text: &str) -> Result<Vec<PromisedSize>, String> {
    read_lines(text, "Rules:", |line| {
        let (settings, count) = line.split_once(':')?;
        let (settings, counting) = counted(settings)?;
        Some(PromisedSize {
            settings: settings_of(settings)?,
            counting,
            states: None,
            rules: count.trim().parse().ok()?,
        })
    })
}

/// The promises about large searches in the header of a model.
pub fn larger(text: &str) -> Result<Vec<PromisedSize>, String> {
    read_lines(text, "Larger:", |line| {
        let (settings, counts) = line.split_once(':')?;
        let (settings, counting) = counted(settings)?;
        let (states, rules) = counts.split_once(',')?;
        Some(PromisedSize {
            settings: settings_of(settings)?,
            counting,
            states: Some(states.trim().strip_suffix(" states")?.parse().ok()?),
            rules: rules.trim().strip_suffix(" rules")?.parse().ok()?,
        })
    })
}

/// Reads the lines of the header that begin with a word.
fn read_lines<T>(
    text: &str,
    word: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, String> {
    let header = text.lines().take_while(|l| !l.contains("*/"));
    let lines = header.map(|l| l.trim_start_matches([' ', '*', '/', '#']));
    let promises = lines.filter_map(|l| l.strip_prefix(word));
    promises
        .map(|p| read(p).ok_or(format!("cannot read: {word}{p}")))
        .collect()
}

/// `SETTINGS: ORDER`.
fn group(text: &str) -> Option<PromisedGroup> {
    let (settings, order) = text.split_once(':')?;
    let order = order.trim();
    let is_number = order.bytes().all(|b| b.is_ascii_digit());
    (is_number && !order.is_empty() && !order.starts_with('0')).then_some(PromisedGroup {
        settings: settings_of(settings)?,
        order: order.to_string(),
    })
}

/// `SETTINGS[, symmetry]: VERDICT[, KIND][, COUNT states]`.
fn promise(text: &str) -> Option<Promise> {
    let (settings, verdict) = text.split_once(':')?;
    let (settings, counting) = counted(settings)?;
    let mut parts = verdict.split(',').map(str::trim);
    let violated = match parts.next()? {
        "holds" => None,
        "violated" => Some(kind(parts.next()?)?),
        _ => return None,
    };
    let states = match parts.next() {
        Some(count) => Some(count.strip_suffix(" states")?.parse().ok()?),
        None => None,
    };
    // A promise that something holds is a promise of its size too.
    let complete = parts.next().is_none() && (violated.is_some() || states.is_some());
    complete.then_some(Promise {
        settings: settings_of(settings)?,
        violated,
        counting,
        states,
    })
}

/// `SETTINGS[, symmetry]`.
fn counted(text: &str) -> Option<(&str, Counting)> {
    match text.split_once(',') {
        Some((settings, word)) if word.trim() == "symmetry" => Some((settings, Counting::Orbits)),
        Some(_) => None,
        None => Some((text, Counting::Reachable)),
    }
}

fn kind(text: &str) -> Option<Violated> {
    match text {
        "assertion" => Some(Violated::Assertion),
        "deadlock" => Some(Violated::Deadlock),
        "liveness" => Some(Violated::Liveness),
        "error" => Some(Violated::Error),
        _ => None,
    }
}

fn settings_of(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        [] => None,
        ["default"] => Some(Vec::new()),
        words if words.iter().all(|w| w.contains('=')) => {
            Some(words.iter().map(ToString::to_string).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_read() {
        let text = "/* A model.\n * Expect: N=2 BUG=1: violated, deadlock, 35 states\n \
                    * Expect: default, symmetry: holds, 7 states\n */\nExpect: not here\n";
        let violated = Some(Violated::Deadlock);
        let settings = vec!["N=2".to_string(), "BUG=1".to_string()];
        let expected = vec![
            Promise {
                settings,
                violated,
                counting: Counting::Reachable,
                states: Some(35),
            },
            Promise {
                settings: Vec::new(),
                violated: None,
                counting: Counting::Orbits,
                states: Some(7),
            },
        ];
        assert_eq!(promises(text), Ok(expected));
    }

    #[test]
    fn slips_are_errors() {
        for line in [
            "holds",
            "N=2: maybe",
            "N: holds, 3 states",
            "N=2: violated, 3 states",
            "N=2: holds",
            "N=2, order: holds, 3 states",
        ] {
            let text = format!("/* Expect: {line}\n*/");
            assert!(promises(&text).is_err(), "{line}");
        }
    }

    #[test]
    fn groups_are_read() {
        let text = "/* Group: N=2 K=3: 1307674368000\n * Expect: default: holds, 3 states\n \
                    * Group: default: 1\n */\nGroup: not here\n";
        let group = |settings: &[&str], order: &str| PromisedGroup {
            settings: settings.iter().map(ToString::to_string).collect(),
            order: order.to_string(),
        };
        let expected = vec![group(&["N=2", "K=3"], "1307674368000"), group(&[], "1")];
        assert_eq!(groups(text), Ok(expected));
    }

    #[test]
    fn sizes_are_read() {
        let text = "/* Rules: N=2: 34\n * Rules: N=2, symmetry: 20\n \
                    * Larger: N=7: 1468946 states, 6783324 rules\n */";
        let found = rules(text).expect("it is right");
        assert_eq!(
            (found[0].counting, found[0].rules),
            (Counting::Reachable, 34)
        );
        assert_eq!((found[1].counting, found[1].rules), (Counting::Orbits, 20));
        let found = larger(text).expect("it is right");
        assert_eq!(
            (found[0].states, found[0].rules),
            (Some(1_468_946), 6_783_324)
        );
        assert!(rules("/* Rules: N=2: many\n*/").is_err());
        assert!(larger("/* Larger: N=2: 3 states\n*/").is_err());
    }

    #[test]
    fn slips_in_groups_are_errors() {
        for line in ["6", "N=3:", "N=3: 3!", "N=3: 06", "N: 6", ": 6", "N=3: -6"] {
            let text = format!("/* Group: {line}\n*/");
            assert!(groups(&text).is_err(), "{line}");
        }
    }
}
