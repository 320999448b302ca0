//! The crates of the workspace and what they depend on, as Cargo knows them.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What the names of our crates begin with.
const OURS: &str = "mandala-";

/// The packages that a build of the workspace uses on this machine.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The crates under `crates/`, without the prefix of their names, each with those of them that it depends on (tests aside).
    pub crates: BTreeMap<String, BTreeSet<String>>,
    /// The packages of others with their licences, as they state them.
    pub licences: BTreeMap<String, Option<String>>,
}

impl Workspace {
    /// What `cargo metadata` says, which asks nobody but the files that a build has fetched.
    pub fn read(root: &Path) -> Result<Self, String> {
        let host = host()?;
        let arguments = ["metadata", "--format-version=1", "--locked", "--offline"];
        let asked = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--filter-platform", &host])
            .current_dir(root)
            .output()
            .map_err(|e| e.to_string())?;
        if !asked.status.success() {
            return Err(String::from_utf8_lossy(&asked.stderr).into_owned());
        }
        let metadata: Value = serde_json::from_slice(&asked.stdout).map_err(|e| e.to_string())?;
        Ok(Workspace::of(&metadata, root))
    }

    fn of(metadata: &Value, root: &Path) -> Self {
        let mut workspace = Workspace {
            crates: BTreeMap::new(),
            licences: BTreeMap::new(),
        };
        let ours = root.join("crates");
        for package in list(&metadata["packages"]) {
            let name = text(&package["name"]);
            if !package["source"].is_null() {
                let licence = package["license"].as_str().map(str::to_string);
                let version = text(&package["version"]);
                workspace
                    .licences
                    .insert(format!("{name} {version}"), licence);
            } else if Path::new(text(&package["manifest_path"])).starts_with(&ours) {
                let used = list(&package["dependencies"]).iter();
                let used = used.filter(|dependency| dependency["kind"].is_null());
                let used = used.filter_map(|d| text(&d["name"]).strip_prefix(OURS));
                let used = used.map(str::to_string).collect();
                let short = name.strip_prefix(OURS).unwrap_or(name);
                workspace.crates.insert(short.to_string(), used);
            }
        }
        workspace
    }

    /// All crates that a crate is built on.
    pub fn below(&self, name: &str) -> BTreeSet<String> {
        let mut below = BTreeSet::new();
        let mut waiting: Vec<&str> = vec![name];
        while let Some(next) = waiting.pop() {
            for used in self.crates.get(next).into_iter().flatten() {
                if below.insert(used.clone()) {
                    waiting.push(used);
                }
            }
        }
        below
    }

    /// The crates that a crate depends on and none of the others that it depends on does: with these arrows alone, it is built on the same crates.
    pub fn nearest(&self, name: &str) -> BTreeSet<String> {
        let direct = &self.crates[name];
        let implied: BTreeSet<String> = direct.iter().flat_map(|used| self.below(used)).collect();
        direct.difference(&implied).cloned().collect()
    }

    /// The crates in an order in which each comes before those that it is built on, those that most is built under first.
    pub fn from_above(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.crates.keys().map(String::as_str).collect();
        names.sort_by_key(|name| (std::cmp::Reverse(self.below(name).len()), *name));
        names
    }
}

/// The platform that this compiler compiles for.
fn host() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let asked = Command::new(rustc)
        .arg("-vV")
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&asked.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string)
        .ok_or_else(|| format!("rustc does not say what it compiles for: {said}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
