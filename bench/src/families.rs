//! The bundled models by name, and how a size becomes macros.

use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use std::fs;
use std::path::{Path, PathBuf};

/// A bundled model whose size is one number, or several with hyphens between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// What it is called in tables.
    pub name: &'static str,
    /// Its file in the folder of the bundled models.
    file: &'static str,
    /// The macros that the numbers of its size are the values of.
    macros: &'static [&'static str],
    /// How many of them a size has at least; the others keep their defaults.
    least: usize,
}

/// All of them.
const FAMILIES: &[Family] = &[
    Family {
        least: 2,
        ..family("allocator", "allocator/allocator.pml", &["A0", "A1", "A2"])
    },
    family(
        "alternating-bit",
        "alternating-bit/alternating-bit.pml",
        &["K", "M"],
    ),
    family("base-station", "base-station/base-station.pml", &["N"]),
    family("database", "database/database.pml", &["N"]),
    family("database-flags", "database/database-flags.pml", &["N"]),
    family("email", "email/email.pml", &["N"]),
    family("hanoi", "hanoi/hanoi.pml", &["DISKS"]),
    family("hypercube", "hypercube/hypercube.pml", &["D"]),
    family(
        "initialisation",
        "initialisation/initialisation.pml",
        &["N"],
    ),
    family(
        "leader-complete",
        "leader-complete/leader-complete.pml",
        &["N"],
    ),
    family("leader-ring", "leader-ring/leader-ring.pml", &["N"]),
    family("leader-tree", "leader-tree/leader-tree.pml", &["N"]),
    family(
        "load-balancer",
        "load-balancer/load-balancer.pml",
        &["S", "C"],
    ),
    family("lost-wakeup", "lost-wakeup/lost-wakeup.pml", &["N"]),
    family("mcs-lock", "mcs-lock/mcs-lock.pml", &["N"]),
    family("milner", "milner/milner.pml", &["N"]),
    family("mutex", "mutex/mutex.pml", &["N"]),
    family("partial-maps", "partial-maps/partial-maps.pml", &["N"]),
    family("peterson", "peterson/peterson.pml", &["N"]),
    family("peterson-run", "peterson-run/peterson-run.pml", &["N"]),
    Family {
        least: 1,
        ..family(
            "philosophers",
            "philosophers/philosophers.pml",
            &["N", "LEFTY", "ANY"],
        )
    },
    family(
        "readers-writers",
        "readers-writers/readers-writers.pml",
        &["R", "W"],
    ),
    family(
        "senders-receivers",
        "base-station/senders-receivers.pml",
        &["S", "R"],
    ),
    family(
        "social-golfer",
        "social-golfer/social-golfer.pml",
        &["G", "S", "W"],
    ),
    Family {
        least: 2,
        ..family(
            "three-tier",
            "three-tier/three-tier.pml",
            &["C1", "C2", "C3", "C4"],
        )
    },
    family("token-lock", "token-lock/token-lock.pml", &["N"]),
    family("token-ring", "token-ring/token-ring.pml", &["N"]),
    family("two-hop", "two-hop/two-hop.pml", &["N"]),
];

const fn family(name: &'static str, file: &'static str, macros: &'static [&'static str]) -> Family {
    Family {
        name,
        file,
        macros,
        least: macros.len(),
    }
}

/// The family of that name.
pub(crate) fn named(name: &str) -> Result<&'static Family, String> {
    let found = FAMILIES.iter().find(|family| family.name == name);
    found.ok_or_else(|| format!("there is no model `{name}`"))
}

impl Family {
    /// Its file in a folder of models.
    pub(crate) fn path(&self, models: &Path) -> PathBuf {
        models.join(self.file)
    }

    /// The model of that size.
    pub(crate) fn load(&self, models: &Path, size: &str) -> Result<LoadedModel, String> {
        let path = self.path(models);
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        let defines = self.defines(size)?;
        let input = ModelInput {
            path,
            text,
            defines,
            dialect: None,
            read: |path| fs::read_to_string(path),
        };
        frontend::load(input).map_err(|error| format!("{} {size}: {}", self.name, told(&error)))
    }

    /// Whether a size has as many numbers as it should.
    #[cfg(test)]
    pub(crate) fn has_size(&self, size: &str) -> bool {
        self.defines(size).is_ok()
    }

    /// `2-3` as the values of its macros.
    pub(crate) fn defines(&self, size: &str) -> Result<Vec<String>, String> {
        let numbers: Vec<&str> = size.split('-').collect();
        let numeric = numbers.iter().all(|number| number.parse::<u32>().is_ok());
        let lengths = self.least..=self.macros.len();
        if !lengths.contains(&numbers.len()) || !numeric {
            return Err(format!("`{size}` is no size of `{}`", self.name));
        }
        let values = self.macros.iter().zip(numbers);
        Ok(values
            .map(|(name, value)| format!("{name}={value}"))
            .collect())
    }
}

fn told(error: &LoadError) -> String {
    match error {
        LoadError::Wrong {
            diagnostics,
            sources,
        } => {
            let lines = diagnostics.iter().map(|d| d.one_line(sources));
            lines.collect::<Vec<_>>().join("; ")
        }
        LoadError::Option(what) | LoadError::Defect(what) => what.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_as_many_numbers_as_there_are_macros() {
        let balancer = named("load-balancer").unwrap();
        let expected = vec!["S=2".to_string(), "C=6".to_string()];
        assert_eq!(balancer.defines("2-6"), Ok(expected));
        assert!(balancer.defines("2").is_err() && balancer.defines("2-x").is_err());
        let tiers = named("three-tier").unwrap();
        assert!(tiers.has_size("3-3") && tiers.has_size("3-3-2") && !tiers.has_size("3"));
        assert!(named("nothing").is_err());
    }

    #[test]
    fn the_files_are_there() {
        let models = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
        for family in FAMILIES {
            let text = fs::read_to_string(models.join(family.file)).unwrap();
            for name in family.macros {
                let parameter = format!("Parameters: {name} (");
                assert!(text.contains(&parameter), "{}: {name}", family.name);
            }
        }
    }
}
