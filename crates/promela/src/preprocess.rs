//! The preprocessor: directives, macros, include files.
//!
//! It works on tokens and produces tokens, so spans survive. What it does is what Spin gets from the
//! C preprocessor, including where lines end in the result, because a line end may imply a statement
//! separator: an expansion is on one line, the line of the macro's name, and a call that spans lines
//! is followed by a line end.
//!
//! Tokens of a macro's body get the span of the use. Arguments keep their own span while they are on
//! the line of the macro's name; further arguments get the span of the use as well, since that is the
//! line on which they end up.
//!
//! The work is driven by the consumer: [`Preprocessor::next_expanded`] pulls tokens from the running
//! expansions, then from the open files, executing directives as it meets them. A macro is not
//! expanded within its own expansion: it is disabled while its expansion is on the stack, and a token
//! that meets a disabled macro is never expanded afterwards.
//!
//! Comments that declare symmetry are expanded on their own when their place is reached, with the
//! macros that are defined there, and collected: see `annotations`.

mod annotations;
mod condition;
mod directives;
mod macros;
mod stated;

pub(crate) use condition::char_value;
pub(crate) use macros::count_of;
pub(crate) use stated::{StatedText, StatedTokens};

use crate::diagnostics::Diagnostics;
use crate::lexer::{Lexed, lex};
use crate::limits;
use crate::options::ParseOptions;
use crate::token::{Token, TokenKind};
use directives::Condition;
use macros::Macro;
use mandala_model::diagnostic::Diagnostic;
use mandala_model::source::{FileId, SourceText, Sources, Span};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// A model with all directives executed and macros expanded.
pub(crate) struct Preprocessed {
    /// The model; the last token is [`TokenKind::Eof`].
    pub(crate) tokens: Vec<Token>,
    /// Declarations of symmetry, one list for each place where some stand; each ends with
    /// [`TokenKind::Eof`].
    pub(crate) declarations: Vec<Vec<Token>>,
    /// The properties beside the model.
    pub(crate) stated: Vec<StatedTokens>,
}

/// The model that starts with `file`.
pub(crate) fn preprocess(
    sources: &mut Sources,
    file: FileId,
    options: &ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let mut preprocessor = Preprocessor::new(sources, options, diagnostics);
    preprocessor.define_from_options();
    let tokens = preprocessor.run_to_end(file);
    preprocessor.declarations_from_options(file);
    let stated = options.stated.iter();
    let stated = stated.filter_map(|stated| preprocessor.stated(stated));
    let stated = stated.collect();
    preprocessor.warn_of_unused();
    Preprocessed {
        tokens,
        stated,
        declarations: preprocessor.declarations,
    }
}

/// The token after the last one; `what` it is the end of, if not of the file.
fn end_at(span: Span, what: Option<&str>) -> Token {
    Token {
        kind: TokenKind::Eof,
        span,
        text: what.map(Arc::from),
        newline_before: true,
        line_start: true,
        no_expand: true,
        after_bad: false,
        parameter: None,
        begins: None,
        ends: None,
    }
}

struct Preprocessor<'a> {
    sources: &'a mut Sources,
    options: &'a ParseOptions,
    diagnostics: &'a mut Diagnostics,
    macros: HashMap<Arc<str>, Rc<Macro>>,
    /// The definitions of the command line, as a file.
    command_line: Option<FileId>,
    /// The names that the command line defines.
    given: Vec<Token>,
    /// Those of them that something depended on.
    used: HashSet<Arc<str>>,
    disabled: HashSet<Arc<str>>,
    /// The file that is read, under it those that include it.
    files: Vec<OpenFile>,
    /// The innermost running expansion is last.
    expansions: Vec<Expansion>,
    /// Only the expansions are read, not the files: an argument is being expanded.
    isolated: bool,
    argument_depth: usize,
    /// A line end came before a macro that expanded to nothing.
    newline_before_next: bool,
    /// A macro call that spanned lines is over; a line end follows its expansion.
    newline_after_call: bool,
    added_tokens: usize,
    included: HashMap<PathBuf, (FileId, Rc<Lexed>)>,
    declarations: Vec<Vec<Token>>,
}

struct OpenFile {
    id: FileId,
    text: Rc<Lexed>,
    at: usize,
    /// How many annotations were met.
    annotations: usize,
    conditions: Vec<Condition>,
}

struct Expansion {
    tokens: std::vec::IntoIter<Token>,
    /// The macro that is disabled as long as this is read.
    of: Option<Arc<str>>,
}

impl<'a> Preprocessor<'a> {
    fn new(
        sources: &'a mut Sources,
        options: &'a ParseOptions,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Preprocessor {
            sources,
            options,
            diagnostics,
            macros: HashMap::new(),
            command_line: None,
            given: Vec::new(),
            used: HashSet::new(),
            disabled: HashSet::new(),
            files: Vec::new(),
            expansions: Vec::new(),
            isolated: false,
            argument_depth: 0,
            newline_before_next: false,
            newline_after_call: false,
            added_tokens: 0,
            included: HashMap::new(),
            declarations: Vec::new(),
        }
    }

    /// The `-D` options become a file of `#define` lines, so that they have spans like all else.
    fn define_from_options(&mut self) {
        let lines = self.options.defines.iter().map(|(name, value)| {
            format!("#define {name} {value}").replace(['\n', '\r'], " ") + "\n"
        });
        let text: String = lines.collect();
        if !text.is_empty() {
            let file = self.sources.add(SourceText::new("<command line>", text));
            self.run(file);
            self.command_line = Some(file);
            self.given = self.macros.values().map(|m| m.name.clone()).collect();
        }
    }

    /// The definition of a macro. From now on the model depends on it.
    fn definition(&mut self, name: &Arc<str>) -> Option<Rc<Macro>> {
        let definition = self.macros.get(name).cloned()?;
        if self.command_line == Some(definition.name.span.file) {
            self.used.insert(Arc::clone(name));
        }
        Some(definition)
    }

    /// A definition of the command line that nothing depends on is probably misspelt.
    fn warn_of_unused(&mut self) {
        let used = |name: &Token| name.text.as_ref().is_some_and(|n| self.used.contains(n));
        let mut unused: Vec<Token> = self.given.iter().filter(|n| !used(n)).cloned().collect();
        unused.sort_by_key(|name| name.span.start);
        for name in unused {
            let message = format!("the model does not use `{}`", name.text());
            self.error(Diagnostic::warning(name.span, message));
        }
    }

    /// The tokens of a file and an end marker.
    fn run_to_end(&mut self, file: FileId) -> Vec<Token> {
        let mut tokens = self.run(file);
        let end = self.sources.file(file).text().trim_end().len();
        tokens.push(end_at(Span::new(file, end, end), None));
        tokens
    }

    fn run(&mut self, file: FileId) -> Vec<Token> {
        let text = lex(file, self.sources.file(file).text());
        let mut output = Vec::with_capacity(text.tokens.len());
        self.open(file, Rc::new(text));
        while let Some(token) = self.next_expanded() {
            match token.kind {
                TokenKind::CommentEnd => self.ignore_comment_end(&token),
                _ => output.push(token),
            }
        }
        output
    }

    /// Spin passes over a `*/` without a comment before it. It is usually left over from a comment inside of a comment, which deserves a warning.
    fn ignore_comment_end(&mut self, token: &Token) {
        self.newline_before_next |= token.newline_before;
        let warning = Diagnostic::warning(token.span, "this `*/` closes no comment");
        self.error(warning.with_help("comments do not nest: the first `*/` closes them all"));
    }

    fn open(&mut self, id: FileId, text: Rc<Lexed>) {
        self.files.push(OpenFile {
            id,
            text,
            at: 0,
            annotations: 0,
            conditions: Vec::new(),
        });
    }

    /// The next token as it stands: from the innermost expansion, else from the files.
    fn fetch(&mut self) -> Option<Token> {
        if self.diagnostics.gave_up() {
            return None;
        }
        let mut token = self.fetch_from_expansions();
        if token.is_none() && !self.isolated {
            token = self.fetch_from_files();
        }
        let mut token = token?;
        token.newline_before |= std::mem::take(&mut self.newline_before_next);
        Some(token)
    }

    fn fetch_from_expansions(&mut self) -> Option<Token> {
        while let Some(expansion) = self.expansions.last_mut() {
            if let Some(token) = expansion.tokens.next() {
                return Some(token);
            }
            if let Some(name) = self.expansions.pop().and_then(|e| e.of) {
                self.disabled.remove(&name);
            }
        }
        None
    }

    fn fetch_from_files(&mut self) -> Option<Token> {
        while !self.diagnostics.gave_up() {
            self.take_annotations();
            let file = self.files.last_mut()?;
            let Some(token) = file.text.tokens.get(file.at) else {
                self.close_file();
                continue;
            };
            if token.kind == TokenKind::Hash && token.line_start {
                self.directive();
                continue;
            }
            file.at += 1;
            if file.is_active() {
                let mut token = token.clone();
                token.newline_before |= std::mem::take(&mut self.newline_after_call);
                return Some(token);
            }
        }
        None
    }

    fn close_file(&mut self) {
        let Some(file) = self.files.pop() else { return };
        for condition in file.conditions {
            let message = "this condition has no `#endif`";
            self.error(Diagnostic::error(condition.span(), message));
        }
    }

    /// Puts a token back, to be fetched next.
    fn unread(&mut self, token: Token) {
        self.expansions.push(Expansion {
            tokens: vec![token].into_iter(),
            of: None,
        });
    }

    /// Counts tokens that are not in the model's own file, so that expansion ends.
    fn spend(&mut self, tokens: usize, span: Span) {
        self.added_tokens += tokens;
        if self.added_tokens > limits::EXPANDED_TOKENS {
            let message = format!(
                "macros and included files expand to more than {} tokens",
                limits::EXPANDED_TOKENS
            );
            self.diagnostics.give_up(span, message);
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}
