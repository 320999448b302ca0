//! Properties that are stated beside a model: on the command line, or in files of their own.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// What a property beside the model is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatedForm {
    /// A formula of linear temporal logic.
    Ltl,
    /// An automaton in the Hanoi Omega-Automata format, which accepts the runs that violate the property.
    Automaton,
    /// A formula of computation tree logic.
    Ctl,
    /// A question about probabilities or expected rewards.
    Pctl,
    /// A file of such questions, with definitions for them.
    Queries,
    /// A condition that holds in some state that can be reached.
    Possible,
    /// A condition that can be made to hold from every state that can be reached.
    AlwaysPossible,
    /// That every run that goes on for ever makes progress; there is no text.
    Progress,
    /// That no run is at an `accept` label of a process again and again; there is no text.
    Accept,
}

impl StatedForm {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        StatedForm::Ltl,
        StatedForm::Automaton,
        StatedForm::Ctl,
        StatedForm::Pctl,
        StatedForm::Queries,
        StatedForm::Possible,
        StatedForm::AlwaysPossible,
        StatedForm::Progress,
        StatedForm::Accept,
    ];

    /// The name, which is that of the option of the command line.
    pub fn name(self) -> &'static str {
        match self {
            StatedForm::Ltl => "ltl",
            StatedForm::Automaton => "automaton",
            StatedForm::Ctl => "ctl",
            StatedForm::Pctl => "pctl",
            StatedForm::Queries => "props",
            StatedForm::Possible => "possible",
            StatedForm::AlwaysPossible => "always-possible",
            StatedForm::Progress => "non-progress",
            StatedForm::Accept => "accept",
        }
    }

    /// The refusal of a question about probabilities by a language without them.
    pub fn only_for_chance(self, span: Span) -> Box<Diagnostic> {
        let message = format!("`--{}` is for models of the language of PRISM", self.name());
        Box::new(Diagnostic::error(span, message))
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|form| form.name() == name)
    }
}

/// A property beside the model, for the front end that knows what the names in it mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// What it is written in.
    pub form: StatedForm,
    /// Its name; the front end makes one up if there is none.
    pub name: Option<String>,
    /// The text, all of which is the property.
    pub file: FileId,
}

impl Stated {
    /// Its name, or one that is made up from its form and how many of that form were stated before it.
    pub fn name_after(&self, before: &[Stated]) -> String {
        let made_up = || {
            let before = before.iter().filter(|other| other.form == self.form);
            format!("{}_{}", self.form.name().replace('-', "_"), before.count())
        };
        self.name.clone().unwrap_or_else(made_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found_by_its_name() {
        for &form in StatedForm::ALL {
            assert_eq!(StatedForm::named(form.name()), Some(form));
        }
        assert_eq!(StatedForm::named("no such form"), None);
    }
}
