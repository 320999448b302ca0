//! Properties beside the model: they are read behind it, with the macros that are left.

use super::{Preprocessor, end_at};
use crate::lexer::lex_part;
use crate::limits;
use crate::token::Token;
use mandala_formulas::read_automaton;
use mandala_model::source::{FileId, Span};
use mandala_model::stated::{Stated, StatedForm};
use mandala_temporal::Hoa;
use std::ops::Range;

/// A property beside the model, with its macros expanded.
pub(crate) struct StatedTokens {
    pub(crate) property: Stated,
    pub(crate) text: StatedText,
}

/// What there is to parse; each list of tokens ends with an end marker.
pub(crate) enum StatedText {
    /// A formula.
    Formula(Vec<Token>),
    /// Nothing: what is said of labels needs no words.
    Labels,
    /// An automaton and its propositions.
    Automaton(Box<Hoa>, Vec<Vec<Token>>),
}

impl Preprocessor<'_> {
    /// The tokens of a property, unless something is wrong with it.
    pub(super) fn stated(&mut self, property: &Stated) -> Option<StatedTokens> {
        let file = property.file;
        let length = self.sources.file(file).text().len();
        if length > limits::FILE_BYTES {
            self.diagnostics
                .give_up(Span::new(file, 0, 0), "the property is too large");
            return None;
        }
        let text = match property.form {
            StatedForm::Progress | StatedForm::Accept => StatedText::Labels,
            StatedForm::Automaton => self.automaton(file)?,
            StatedForm::Pctl | StatedForm::Queries => {
                let refused = property.form.only_for_chance(Span::new(file, 0, 0));
                self.diagnostics.give_up(refused.span, &refused.message);
                return None;
            }
            StatedForm::Ltl
            | StatedForm::Ctl
            | StatedForm::Possible
            | StatedForm::AlwaysPossible => StatedText::Formula(self.formula(file)),
        };
        Some(StatedTokens {
            property: property.clone(),
            text,
        })
    }

    fn formula(&mut self, file: FileId) -> Vec<Token> {
        let mut tokens = self.run(file);
        let end = self.sources.file(file).text().trim_end().len();
        let end = Span::new(file, end, end);
        tokens.push(end_at(end, Some("the end of the formula")));
        tokens
    }

    fn automaton(&mut self, file: FileId) -> Option<StatedText> {
        match read_automaton(file, self.sources.file(file).text()) {
            Ok(hoa) => {
                let propositions = hoa.propositions.iter().cloned();
                let propositions = propositions.map(|part| self.proposition(file, part));
                let propositions = propositions.collect();
                Some(StatedText::Automaton(Box::new(hoa), propositions))
            }
            Err(error) => {
                self.error(*error);
                None
            }
        }
    }

    fn proposition(&mut self, file: FileId, part: Range<usize>) -> Vec<Token> {
        let tokens = lex_part(file, self.sources.file(file).text(), part.clone());
        let mut tokens = self.expand_list(tokens, Span::new(file, part.start, part.end));
        let end = Span::new(file, part.end, part.end);
        tokens.push(end_at(end, Some("the end of the proposition")));
        tokens
    }
}
