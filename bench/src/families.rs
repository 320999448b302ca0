//! The bundled models by name, and how a size becomes macros.

use mandala_checker::frontend::{self, LoadError, LoadedModel, ModelInput};
use std::fs;
use std::path::Path;

/// A bundled model whose size is one number, or several with hyphens between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// What it is called in tables.
    pub name: &'static str,
    /// Its file in the folder of the bundled models.
    file: &'static str,
    /// The macros that the numbers of its size are the values of.
    macros: &'static [&'static str],
}

/// All of them.
const FAMILIES: &[Family] = &[
    family("allocator", "allocator/allocator.pml", &["A0", "A1"]),
    family("base-station", "base-station/base-station.pml", &["N"]),
    family("database", "database/database.pml", &["N"]),
    family("email", "email/email.pml", &["N"]),
    family(
        "initialisation",
        "initialisation/initialisation.pml",
        &["N"],
    ),
    family(
        "load-balancer",
        "load-balancer/load-balancer.pml",
        &["S", "C"],
    ),
    family("lost-wakeup", "lost-wakeup/lost-wakeup.pml", &["N"]),
    family("mcs-lock", "mcs-lock/mcs-lock.pml", &["N"]),
    family("mutex", "mutex/mutex.pml", &["N"]),
    family("partial-maps", "partial-maps/partial-maps.pml", &["N"]),
    family("peterson", "peterson/peterson.pml", &["N"]),
    family("peterson-run", "peterson-run/peterson-run.pml", &["N"]),
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
    family("three-tier", "three-tier/three-tier.pml", &["C1", "C2"]),
    family("token-lock", "token-lock/token-lock.pml", &["N"]),
];

const fn family(name: &'static str, file: &'static str, macros: &'static [&'static str]) -> Family {
    Family { name, file, macros }
}

/// The family of that name.
pub fn named(name: &str) -> Result<&'static Family, String> {
    let found = FAMILIES.iter().find(|family| family.name == name);
    found.ok_or_else(|| format!("there is no model `{name}`"))
}

impl Family {
    /// The model of that size.
    pub fn load(&self, models: &Path, size: &str) -> Result<LoadedModel, String> {
        let path = models.join(self.file);
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        let defines = self.defines(size)?;
        let input = ModelInput {
            path,
            text,
            defines,
            read: |path| fs::read_to_string(path),
        };
        frontend::load(input).map_err(|error| format!("{} {size}: {}", self.name, told(&error)))
    }

    /// `2-3` as the values of its macros.
    fn defines(&self, size: &str) -> Result<Vec<String>, String> {
        let numbers: Vec<&str> = size.split('-').collect();
        let numeric = numbers.iter().all(|number| number.parse::<u32>().is_ok());
        if numbers.len() != self.macros.len() || !numeric {
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
        LoadError::Defect(what) => what.clone(),
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
