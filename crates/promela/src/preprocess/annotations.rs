//! Declarations of symmetry: in comments of the model, and in the file that accompanies it.

use super::{OpenFile, Preprocessor, end_at};
use crate::lexer::{Annotation, AnnotationKind};
use crate::limits;
use crate::token::Token;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, Span};

impl OpenFile {
    /// The next annotation before the current place that is not left out by a condition.
    fn next_annotation(&mut self) -> Option<Annotation> {
        while let Some(annotation) = self.text.annotations.get(self.annotations)
            && annotation.before <= self.at
        {
            self.annotations += 1;
            if self.is_active() {
                return Some(annotation.clone());
            }
        }
        None
    }
}

impl Preprocessor<'_> {
    /// Deals with the annotations that stand before the next token of the innermost file.
    pub(super) fn take_annotations(&mut self) {
        while let Some(annotation) = self.files.last_mut().and_then(OpenFile::next_annotation) {
            match annotation.kind {
                AnnotationKind::Declares(tokens) => self.declare(tokens, annotation.span),
                AnnotationKind::Misspelt(meant) => self.misspelt(meant, annotation.span),
            }
        }
    }

    fn declare(&mut self, tokens: Vec<Token>, span: Span) {
        // What happens in the comment has no effect on where lines end around it.
        let outer = std::mem::take(&mut self.newline_after_call);
        let mut tokens = self.expand_list(tokens, span);
        self.newline_after_call = outer;
        let end = Span {
            start: span.end,
            ..span
        };
        tokens.push(end_at(end, Some("the end of the declaration")));
        self.declarations.push(tokens);
    }

    fn misspelt(&mut self, meant: &str, span: Span) {
        let word = self.sources.snippet(span).to_string();
        let message = format!("`@{word}` is no declaration: this is taken for a plain comment");
        let help = format!("is `{meant}` meant?");
        self.diagnostics
            .push(Diagnostic::warning(span, message).with_help(help));
    }

    /// The file that accompanies the model is read behind it, with the macros that are left.
    pub(super) fn declarations_from_options(&mut self, model: FileId) {
        let Some(text) = self.options.declarations.clone() else {
            return;
        };
        if text.text().len() > limits::FILE_BYTES {
            let message = format!("the file `{}` is too large", text.path().display());
            self.diagnostics.give_up(Span::new(model, 0, 0), message);
            return;
        }
        let file = self.sources.add(text);
        let tokens = self.run_to_end(file);
        self.declarations.push(tokens);
    }
}
