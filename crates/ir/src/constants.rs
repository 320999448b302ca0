//! Names of numbers: the constants of enums and the names of codings.
//!
//! A name stands for a number in the text if it means the same number wherever it is declared. Printer and reader
//! share this table, so the printer writes no name that the reader takes for something else.

use mandala_model::model::UncheckedModel;
use mandala_model::types::{Coding, CodingKind};
use std::collections::HashMap;

/// The names of numbers that a model declares.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    /// The number of each name; none if several declarations disagree about it.
    numbers: HashMap<String, Option<i64>>,
}

impl Constants {
    /// The names that the enums and codings of a model declare. `false` and `true` are 0 and 1 unless one of those
    /// declares them otherwise.
    pub(crate) fn of(model: &UncheckedModel) -> Self {
        let mut constants = Constants::default();
        for (name, number) in model.enums.iter().flat_map(|e| &e.constants) {
            constants.declare(name, *number);
        }
        for coding in &model.codings {
            constants.declare_coding(coding, 0);
        }
        for (name, number) in [("false", 0), ("true", 1)] {
            let numbers = &mut constants.numbers;
            numbers.entry(name.into()).or_insert(Some(number));
        }
        constants
    }

    /// The number that a name stands for.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied().flatten()
    }

    /// Whether several declarations disagree about a name.
    pub(crate) fn is_ambiguous(&self, name: &str) -> bool {
        self.numbers.get(name) == Some(&None)
    }

    fn declare(&mut self, name: &str, number: i64) {
        let known = self.numbers.entry(name.to_owned()).or_insert(Some(number));
        if *known != Some(number) {
            *known = None;
        }
    }

    fn declare_coding(&mut self, coding: &Coding, before: i64) {
        match &coding.kind {
            CodingKind::Names(names) => {
                for (number, name) in (1..).zip(names) {
                    self.declare(name, before + number);
                }
            }
            CodingKind::Parts(parts) => {
                for part in parts {
                    self.declare_coding(&part.coding, before + i64::from(part.first) - 1);
                }
            }
            CodingKind::Numbers { .. } | CodingKind::Members | CodingKind::Pointers => {}
        }
    }
}
