//! Models that are searched with and without something that leaves fewer states, by some way to compare the two.

use crate::dose::Dose;
use crate::program::Program;
use crate::statics::load;
use crate::symmetric::{self, arranged};
use crate::{generate, murphi, promises, rulesets};
use mandala_checker::frontend::LoadedModel;
use std::collections::BTreeSet;
use std::path::Path;

/// What became of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Nothing changed but the number of states.
    Same {
        /// How many there are.
        full: u64,
        /// How many are left.
        reduced: u64,
        /// Whether something is violated.
        violated: bool,
    },
    /// It is no model, or one with something that makes it impossible.
    Refused,
    /// It has too many states.
    TooLarge,
}

/// Searches a model with at most that many states in all ways; what differs, in words.
pub type Compare = fn(&LoadedModel, u64) -> Result<Agreement, String>;

/// What has come of several.
#[derive(Debug, Default)]
pub struct Tally {
    compared: u64,
    smaller: u64,
    violated: u64,
    mistakes: Vec<String>,
}

impl Tally {
    fn add(&mut self, name: &str, agreement: Result<Agreement, String>) {
        match agreement {
            Ok(Agreement::Same {
                full,
                reduced,
                violated,
            }) => {
                self.compared += 1;
                self.smaller += u64::from(reduced < full);
                self.violated += u64::from(violated);
            }
            Ok(Agreement::Refused | Agreement::TooLarge) => {}
            Err(what) => self.mistakes.push(format!("{name}: {what}")),
        }
    }

    /// Requires of random programs that nothing differs and that one of six was compared; of a large dose, whose shares say something, also that
    /// one of three was, and that one of so many has fewer states.
    ///
    /// # Panics
    ///
    /// If it is not so.
    pub fn require_of(&self, dose: Dose, one_of: u64) {
        match dose.is_large {
            true => self.require(dose.size / 3, one_of),
            false => self.require_agreement(dose.size / 6),
        }
    }

    fn require_agreement(&self, compared: u64) {
        assert!(self.mistakes.is_empty(), "{}", self.mistakes.join("\n"));
        assert!(self.compared >= compared, "{self:?}");
    }

    /// Requires that nothing differs, that so many were compared, and that one of so many has fewer states: otherwise there is nothing to be
    /// reduced, and nothing is tested.
    ///
    /// # Panics
    ///
    /// If it is not so.
    pub fn require(&self, compared: u64, one_of: u64) {
        self.require_agreement(compared);
        assert!(self.smaller * one_of >= self.compared, "{self:?}");
        assert!(
            self.violated > 0 && self.violated < self.compared,
            "{self:?}"
        );
    }
}

/// Compares the bundled models with the settings for which they promise no more than that many states, and tells each to `tell`.
pub fn bundled(suite: &str, compare: Compare, largest: u64, tell: fn(&str)) -> Tally {
    let mut tally = Tally::default();
    let models = promises::models().expect("the folder is there");
    for path in Dose::turn(suite, models) {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let promises = promises::promises(&text).expect("a right header");
        let small = promises.iter();
        let small = small.filter(|p| p.states.is_none_or(|n| n <= largest));
        let settings: BTreeSet<&Vec<String>> = small.map(|p| &p.settings).collect();
        for settings in settings {
            let loaded = load(&path, &text, settings).expect("a right model");
            let name = format!("{name} {}", settings.join(" "));
            let agreement = compare(&loaded, largest);
            tell(&format!("{name}: {agreement:?}"));
            tally.add(&name, agreement);
        }
    }
    tally
}

/// Compares programs, those with more states left out.
pub fn random(
    programs: impl Iterator<Item = (String, Program)>,
    compare: Compare,
    largest: u64,
) -> Tally {
    let texts = programs.map(|(name, program)| (name, program.to_string()));
    random_texts("random.pml", texts, compare, largest)
}

/// Compares random models in Murphi, those with more states left out.
pub fn random_rules(dose: Dose, compare: Compare, largest: u64) -> Tally {
    let seeds = dose.seeds();
    let models = seeds.map(|seed| (format!("seed {seed}"), murphi::model(seed).to_string()));
    random_texts("random.m", models, compare, largest)
}

/// Compares random models in Murphi whose rules are mostly about members of their own, those with more states left out.
pub fn random_rulesets(dose: Dose, compare: Compare, largest: u64) -> Tally {
    let seeds = dose.seeds();
    let models = seeds.map(|seed| (format!("seed {seed}"), rulesets::model(seed)));
    random_texts("random.m", models, compare, largest)
}

fn random_texts(
    file: &str,
    texts: impl Iterator<Item = (String, String)>,
    compare: Compare,
    largest: u64,
) -> Tally {
    let mut tally = Tally::default();
    for (name, text) in texts {
        if let Some(loaded) = load(Path::new(file), &text, &[]) {
            let agreement = compare(&loaded, largest);
            tally.add(&name, agreement.map_err(|what| format!("{what}\n{text}")));
        }
    }
    tally
}

/// Programs of all kinds, one for each seed.
pub fn of_all_kinds(dose: Dose) -> impl Iterator<Item = (String, Program)> {
    dose.seeds()
        .map(|seed| (format!("seed {seed}"), generate::program(seed)))
}

/// Symmetric programs, one for each seed: with processes that are all alike or stand in an arrangement, each right and with a slip.
pub fn symmetric(dose: Dose) -> impl Iterator<Item = (String, Program)> {
    dose.seeds().map(|seed| {
        let base = seed / 4;
        let specimen = match seed % 4 {
            0 => symmetric::specimen(base),
            1 => symmetric::mutant(base, base),
            2 => arranged::specimen(base),
            _ => arranged::mutant(base, base),
        };
        (format!("seed {seed}"), specimen.program)
    })
}
